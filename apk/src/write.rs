//! Changes between the package that was read and the one that is written.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::Write as _;

use rayon::prelude::*;
use serde::Serialize;

use super::baseline::is_baseline;
use super::error::{ApkError, Fault};
use super::new_entry::NewEntry;
use super::sign::{self, Signer};
use super::zip_read::{self, DEFLATED, FLAG_DESCRIPTOR, STORED, ZipEntry};
use super::zip_write::{self, Out};
use super::{Apk, Container, inflated_limit};

/// Level 6 is what the Android build itself uses for DEX files.
const LEVEL: u32 = 6;
/// Bits 1 and 2 (how hard the old compressor tried) and the data descriptor bit do not apply to new
/// data.
const STALE_FLAGS: u16 = 0b110 | FLAG_DESCRIPTOR;
const FLAG_UTF8: u16 = 1 << 11;
/// Android 7.0, the first to read v2.
const FIRST_V2: u32 = 24;

/// Signature schemes to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemeSet {
    /// JAR signing, read by Android before 7.0.
    pub v1: bool,
    /// Whole-file signing, Android 7.0 and later.
    pub v2: bool,
    /// Whole-file signing with key rotation, Android 9 and later.
    pub v3: bool,
}

impl SchemeSet {
    /// v1 only where the minimum SDK is below that of the first Android that reads v2; v2 and v3
    /// always.
    pub fn for_min_sdk(min_sdk: u32) -> Self {
        Self { v1: min_sdk < FIRST_V2, v2: true, v3: true }
    }
}

/// Options of [`Apk::write`].
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions {
    /// `None`: by the minimum SDK of the manifest.
    pub schemes: Option<SchemeSet>,
}

/// Reasons why an item of the old package is not in the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// A signature over the old content.
    Signature,
    /// A profile for ahead-of-time compilation; it names the checksums of the old DEX files.
    BaselineProfile,
    /// Certificate hash of a source stamp, whose signature is gone with the signing block.
    SourceStamp,
}

/// Something left out of the new package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dropped {
    /// Entry name, or a description of a signing block.
    pub what: String,
    /// The reason.
    pub reason: DropReason,
}

/// An entry that was compressed and is stored now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unpacked {
    /// Its name.
    pub name: String,
    /// Bytes that it took compressed.
    pub compressed: u32,
    /// Bytes that it takes now.
    pub stored: u32,
}

/// The result of [`Apk::write`].
#[derive(Debug)]
pub struct WrittenApk {
    /// The new file, complete.
    pub bytes: Vec<u8>,
    /// Items left out, in the order of the old file.
    pub dropped: Vec<Dropped>,
    /// Entries that had to be stored.
    pub unpacked: Vec<Unpacked>,
    /// The signatures in it; `None` where unsigned.
    pub signed: Option<SchemeSet>,
}

impl Apk {
    /// Writes a changed copy. The same arguments give the same bytes.
    ///
    /// `replaced` entries keep place, timestamp and compression method; `added` ones go directly
    /// after the last DEX file that ART loads and look like it; `removed` are left out. Every
    /// other entry is copied without recompression. Stored entries are aligned to 4 bytes, stored
    /// `.so` files to 16 KiB; `resources.arsc` becomes stored where the target SDK is 30 or more,
    /// because Android 11 refuses such an app otherwise. Old signatures are left out; baseline
    /// profiles too where DEX files change, unless they are replaced.
    ///
    /// # Errors
    /// Names that do not exist (or, added, do exist), a result beyond 4 GiB or 65,534 entries,
    /// signing faults.
    pub fn write(
        &self,
        replaced: &[NewEntry],
        added: &[NewEntry],
        removed: &[String],
        signer: Option<&Signer>,
        options: WriteOptions,
    ) -> Result<WrittenApk, ApkError> {
        let written = match self.container {
            Container::Dex => self.write_dex(replaced, added, removed, signer),
            Container::Apk | Container::Bundle | Container::Jar => {
                self.write_zip(replaced, added, removed, signer, options)
            }
        };
        written.map_err(|fault| ApkError::new(&self.file, fault))
    }

    fn write_dex(
        &self,
        replaced: &[NewEntry],
        added: &[NewEntry],
        removed: &[String],
        signer: Option<&Signer>,
    ) -> Result<WrittenApk, Fault> {
        if signer.is_some() || !added.is_empty() || !removed.is_empty() || replaced.len() > 1 {
            return Err(Fault::SingleDex);
        }
        let bytes = match replaced.first() {
            Some(new) if new.name == super::dex_name(1) => new.bytes.clone(),
            Some(new) => return Err(Fault::NoSuchEntry { name: new.name.clone() }),
            None => self.bytes.clone(),
        };
        Ok(WrittenApk { bytes, dropped: Vec::new(), unpacked: Vec::new(), signed: None })
    }

    fn write_zip(
        &self,
        replaced: &[NewEntry],
        added: &[NewEntry],
        removed: &[String],
        signer: Option<&Signer>,
        options: WriteOptions,
    ) -> Result<WrittenApk, Fault> {
        if signer.is_some() && !matches!(self.container, Container::Apk | Container::Bundle) {
            return Err(Fault::NotSignable);
        }
        self.check_names(replaced, added, removed)?;
        let new: HashMap<&[u8], &NewEntry> =
            replaced.iter().map(|n| (n.name.as_bytes(), n)).collect();
        let removed: HashSet<&[u8]> = removed.iter().map(String::as_bytes).collect();
        let is_dex = |n: &NewEntry| n.name.ends_with(".dex");
        let dex_changes = replaced.iter().chain(added).any(is_dex)
            || removed.iter().any(|n| n.ends_with(b".dex"));
        let min_sdk = self.manifest.as_ref().map_or(1, |m| m.min_sdk_or_default());
        let target_sdk = self.manifest.as_ref().map_or(0, |m| m.target_sdk.unwrap_or(min_sdk));

        let mut dropped = Vec::new();
        let mut plan = Vec::with_capacity(self.archive.entries.len() + added.len() + 3);
        for entry in &self.archive.entries {
            if removed.contains(entry.name.as_slice()) {
                continue;
            }
            let is_new = new.contains_key(entry.name.as_slice());
            if let Some(reason) = self.drop_reason(entry, dex_changes && !is_new) {
                dropped.push(Dropped { what: entry.display(), reason });
                continue;
            }
            plan.push(match new.get(entry.name.as_slice()) {
                Some(new) => Plan::Fresh(remade(entry, entry.method), &new.bytes),
                None if entry.name == b"resources.arsc"
                    && target_sdk >= 30
                    && entry.method != STORED =>
                {
                    Plan::Unpack(entry)
                }
                None => Plan::Copy(entry),
            });
        }
        if !self.archive.signing_ids.is_empty() {
            let what = sign::describe_block(&self.archive.signing_ids);
            dropped.push(Dropped { what, reason: DropReason::Signature });
        }
        let unpacked: Vec<Unpacked> = plan.iter().filter_map(Plan::unpacked).collect();
        self.insert_added(&mut plan, added);
        let mut outs = plan
            .into_par_iter()
            .map(|p| p.carry_out(&self.bytes))
            .collect::<Vec<_>>()
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?;

        let Some(signer) = signer else {
            let bytes = zip_write::write(&outs, &self.archive.comment)?.bytes;
            return Ok(WrittenApk { bytes, dropped, unpacked, signed: None });
        };
        let is_bundle = self.container == Container::Bundle;
        // The store reads a bundle, no device: jarsigner's scheme, with digests of today.
        let (schemes, min_sdk) = match is_bundle {
            true => (SchemeSet { v1: true, v2: false, v3: false }, min_sdk.max(FIRST_V2)),
            false => {
                let of_apk = || SchemeSet::for_min_sdk(min_sdk);
                (options.schemes.unwrap_or_else(of_apk), min_sdk)
            }
        };
        if schemes.v1 {
            let files = sign::v1_files(&outs, signer, min_sdk, schemes)?;
            let template = self.template();
            for NewEntry { name, bytes } in files {
                let mut entry = remade(&template, DEFLATED);
                entry.name = name.into_bytes();
                entry.local_at = usize::MAX;
                outs.push(compressed(entry, &bytes)?);
            }
        }
        let zip = zip_write::write(&outs, &self.archive.comment)?;
        let bytes = if is_bundle { zip.bytes } else { sign::add_block(zip, signer, schemes)? };
        Ok(WrittenApk { bytes, dropped, unpacked, signed: Some(schemes) })
    }

    fn check_names(
        &self,
        replaced: &[NewEntry],
        added: &[NewEntry],
        removed: &[String],
    ) -> Result<(), Fault> {
        let old: HashSet<&[u8]> = self.archive.entries.iter().map(|e| e.name.as_slice()).collect();
        let gone = replaced.iter().map(|n| &n.name).chain(removed);
        if let Some(name) = gone.clone().find(|n| !old.contains(n.as_bytes())) {
            return Err(Fault::NoSuchEntry { name: name.clone() });
        }
        let mut seen = HashSet::new();
        for name in gone.chain(added.iter().map(|n| &n.name)) {
            if !seen.insert(name) {
                return Err(Fault::Duplicate { name: name.clone() });
            }
        }
        match added.iter().find(|n| old.contains(n.name.as_bytes())) {
            Some(new) => Err(Fault::Exists { name: new.name.clone() }),
            None => Ok(()),
        }
    }

    fn drop_reason(&self, entry: &ZipEntry, dex_changes: bool) -> Option<DropReason> {
        let name = entry.name.as_slice();
        if sign::is_signature_file(name) {
            // In a plain jar the manifest is an ordinary part, unless it holds the digests of a
            // signature.
            let ordinary = self.container == Container::Jar
                && name.eq_ignore_ascii_case(b"META-INF/MANIFEST.MF")
                && !self.archive.entries.iter().any(|e| sign::is_signature_list(&e.name));
            return (!ordinary).then_some(DropReason::Signature);
        }
        match name {
            name if dex_changes && is_baseline(name) => Some(DropReason::BaselineProfile),
            b"BUNDLE-METADATA/com.android.tools.build.bundletool/code_transparency_signed.jwt"
                if dex_changes =>
            {
                Some(DropReason::Signature)
            }
            b"stamp-cert-sha256" => Some(DropReason::SourceStamp),
            _ => None,
        }
    }

    /// The entry that new ones are to look like.
    fn template(&self) -> ZipEntry {
        let last = self.host_dex_list().loaded.pop().or(self.archive.entries.last());
        let mut entry = last.cloned().unwrap_or(ZipEntry {
            name: Vec::new(),
            version_made: 0,
            version_needed: 20,
            flags: 0,
            method: DEFLATED,
            time: 0,
            // 1 January 1980, the first date that a zip can hold.
            date: 1 << 5 | 1,
            crc: 0,
            compressed: 0,
            size: 0,
            internal: 0,
            external: 0,
            local_extra: Vec::new(),
            central_extra: Vec::new(),
            comment: Vec::new(),
            local_at: 0,
            data: 0..0,
        });
        entry.comment.clear();
        entry
    }

    fn insert_added<'a>(&'a self, plan: &mut Vec<Plan<'a>>, added: &'a [NewEntry]) {
        let template = self.template();
        let behind =
            plan.iter().position(|p| p.entry().name == template.name).map_or(plan.len(), |i| i + 1);
        let fresh = added.iter().map(|new| {
            let mut entry = remade(&template, template.method);
            entry.name = new.name.clone().into_bytes();
            entry.flags = if new.name.is_ascii() { entry.flags } else { entry.flags | FLAG_UTF8 };
            Plan::Fresh(entry, new.bytes.as_slice())
        });
        plan.splice(behind..behind, fresh.collect::<Vec<_>>());
    }
}

/// Treatment of one entry.
enum Plan<'a> {
    Copy(&'a ZipEntry),
    /// Was compressed, becomes stored.
    Unpack(&'a ZipEntry),
    Fresh(ZipEntry, &'a [u8]),
}

impl<'a> Plan<'a> {
    fn entry(&self) -> &ZipEntry {
        match self {
            Plan::Copy(entry) | Plan::Unpack(entry) => entry,
            Plan::Fresh(entry, _) => entry,
        }
    }

    fn unpacked(&self) -> Option<Unpacked> {
        let Plan::Unpack(entry) = self else { return None };
        let ZipEntry { compressed, size: stored, .. } = **entry;
        Some(Unpacked { name: entry.display(), compressed, stored })
    }

    fn carry_out(self, file: &'a [u8]) -> Result<Out<'a>, Fault> {
        match self {
            Plan::Copy(entry) => {
                let raw = file.get(entry.data.clone()).unwrap_or_default();
                Ok(Out { entry: entry.clone(), raw: Cow::Borrowed(raw) })
            }
            Plan::Unpack(entry) => {
                let bytes = zip_read::inflate(file, entry, inflated_limit(file))?;
                Ok(Out { entry: remade(entry, STORED), raw: Cow::Owned(bytes) })
            }
            Plan::Fresh(entry, bytes) => compressed(entry, bytes),
        }
    }
}

/// The header of an entry with new data; methods that cannot be written become deflate.
fn remade(old: &ZipEntry, method: u16) -> ZipEntry {
    let method = if method == STORED { STORED } else { DEFLATED };
    let version_needed = old.version_needed.max(if method == DEFLATED { 20 } else { 10 });
    ZipEntry { method, version_needed, flags: old.flags & !STALE_FLAGS, ..old.clone() }
}

fn compressed<'a>(mut entry: ZipEntry, bytes: &[u8]) -> Result<Out<'a>, Fault> {
    entry.size =
        u32::try_from(bytes.len()).map_err(|_| Fault::TooBig { what: "4 GiB in one entry" })?;
    entry.crc = crc32fast::hash(bytes);
    let raw = if entry.method == STORED { bytes.to_vec() } else { deflated(bytes)? };
    entry.compressed =
        u32::try_from(raw.len()).map_err(|_| Fault::TooBig { what: "4 GiB in one entry" })?;
    Ok(Out { entry, raw: Cow::Owned(raw) })
}

/// Deflates in one stream. (Pieces joined by `DeflateEncoder::flush` were tried: that flush loses
/// the block border when its buffer happens to be full, and the result does not inflate.)
fn deflated(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut encoder =
        flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::new(LEVEL));
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}
