//! APK in and out: opens a package, reads its DEX files and manifest, and writes and signs a
//! changed copy.
//!
//! *Why zip files are read and written here.* A copy must keep every entry byte for byte, with its
//! position, timestamp, attributes and extra fields, and only move it to its alignment. The `zip`
//! crate was tried; `docs/DEPENDENCIES.md` lists the cases that it fails. `flate2` inflates (with
//! its `miniz_oxide` backend, whose output does not depend on the processor); the released
//! RustCrypto crates sign.
//!
//! Modules: `zip_read`, `zip_write` and `zip_file` (container), `dex_list` (the DEX files that ART
//! loads), `baseline` (profiles), `manifest` (the facts of it that the instrumenter needs),
//! `code_names` (API levels), `xml` with `axml` and `proto_xml` (its forms in APKs and bundles),
//! `string_pool` (texts of binary resources), `resources` (names of view ids), `write` (the changes
//! between input and output), `set` (a base and its splits), `sign` (keys, certificates, the three
//! signature schemes).

mod axml;
mod baseline;
mod code_names;
mod dex_list;
mod error;
mod manifest;
mod new_entry;
mod proto_xml;
mod resources;
mod set;
mod sign;
mod string_pool;
mod write;
mod xml;
mod zip_file;
mod zip_read;
mod zip_write;

use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;

pub use baseline::{BASELINE_PROFILE, BaselineFiles, crc32};
pub use dex_list::{EndReason, ListEnd, dex_name};
pub use error::{ApkError, Fault};
pub use manifest::{Component, ComponentKind, Instrumentation, Manifest};
pub use new_entry::NewEntry;
pub use resources::{ResourceIds, resource_ids};
pub use set::AppSet;
pub use sign::{LooseForm, SignError, Signer};
pub use string_pool::binary_strings;
pub use write::{DropReason, Dropped, SchemeSet, Unpacked, WriteOptions, WrittenApk};
pub use zip_file::ZipFile;

use dex_list::DexList;
use zip_read::{Archive, ZipEntry};

/// All DEX files of a package together may inflate to this many bytes.
const DEX_LIMIT: u64 = 1 << 30;
/// Bytes that they may have whatever the size of the package.
const DEX_MIN_LIMIT: u64 = 64 << 20;
/// Beyond that, the bytes that each byte of the package may inflate to: deflate makes no code
/// smaller than a fifth, and zeros a thousand times smaller.
const DEX_RATIO: u64 = 16;
/// The manifest may inflate to this many bytes; real ones have tens of kilobytes.
const MANIFEST_LIMIT: u64 = 16 << 20;
const MANIFEST_NAME: &str = "AndroidManifest.xml";
/// The manifest of a bundle's base module.
const BASE_MANIFEST: &str = "base/manifest/AndroidManifest.xml";
/// bundletool's `BundleMetadata`.
const BUNDLE_MAPPING: &str = "BUNDLE-METADATA/com.android.tools.build.obfuscation/proguard.map";
/// Folder of the DEX files of a bundle's base module.
const BASE_DEX: &str = "base/dex/";

/// Kind of the input file; the output has the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Container {
    /// A zip with a manifest.
    Apk,
    /// An app bundle: modules with manifests as messages; signed by v1 alone.
    Bundle,
    /// A zip or jar with DEX files but no manifest; written unsigned.
    Jar,
    /// One DEX file by itself.
    Dex,
}

/// One DEX file as the class loader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DexFile {
    /// Its name in the package: `classes.dex`, `classes2.dex`, …
    pub name: String,
    /// Its uncompressed bytes.
    pub bytes: Vec<u8>,
}

/// The DEX files of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DexFiles {
    /// In loading order; never empty.
    pub loaded: Vec<DexFile>,
    /// Names that end in `.dex` and that ART does not load by itself: after the end of the list, of
    /// another form, or in folders.
    pub ignored: Vec<String>,
    /// Ends of lists that numbered files follow.
    pub ends: Vec<ListEnd>,
}

/// An opened package.
#[derive(Debug)]
pub struct Apk {
    file: String,
    bytes: Vec<u8>,
    container: Container,
    archive: Archive,
    manifest: Option<Manifest>,
}

impl Apk {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// I/O errors, and everything that [`Apk::from_bytes`] refuses.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ApkError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes = disk::read(path, disk::MOST).map_err(|e| ApkError::new(&name, e))?;
        Self::from_bytes(name, bytes)
    }

    /// Opens a package held in memory; `file` is the name used in messages. The kind is detected
    /// from the content.
    ///
    /// # Errors
    /// Anything that is no zip or DEX file, a damaged or ambiguous zip (bytes before it,
    /// duplicate names, headers that disagree, overlapping or encrypted entries, zip64), a damaged
    /// manifest. DEX files are opened later.
    pub fn from_bytes(file: impl Into<String>, bytes: Vec<u8>) -> Result<Self, ApkError> {
        let file = file.into();
        Self::open(&bytes).map_err(|fault| ApkError::new(&file, fault)).map(
            |(container, archive, manifest)| Self { file, bytes, container, archive, manifest },
        )
    }

    fn open(bytes: &[u8]) -> Result<(Container, Archive, Option<Manifest>), Fault> {
        if bytes.starts_with(b"dex\n") && zip_read::find_end(bytes).is_none() {
            let archive =
                Archive { entries: Vec::new(), comment: Vec::new(), signing_ids: Vec::new() };
            return Ok((Container::Dex, archive, None));
        }
        let archive = zip_read::read(bytes)?;
        let Some(entry) = archive.entries.iter().find(|e| e.name == MANIFEST_NAME.as_bytes())
        else {
            let manifest = bundle_manifest(bytes, &archive)?;
            let container = if manifest.is_some() { Container::Bundle } else { Container::Jar };
            return Ok((container, archive, manifest));
        };
        let manifest = Manifest::parse(&zip_read::inflate(bytes, entry, MANIFEST_LIMIT)?)?;
        Ok((Container::Apk, archive, Some(manifest)))
    }

    /// The name given at opening.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The package itself.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its size in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The kind of file.
    pub fn container(&self) -> Container {
        self.container
    }

    /// The manifest; `None` for anything but an APK.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// The content of each entry of at most `limit` bytes whose name is `wanted`, until there are
    /// `total` bytes. Unreadable entries are left out: they are copied unchanged, and may never be
    /// used.
    pub fn small_entries<'a>(
        &'a self,
        limit: u64,
        total: u64,
        wanted: impl Fn(&str) -> bool + 'a,
    ) -> impl Iterator<Item = Vec<u8>> + 'a {
        let mut sum = 0;
        let small = self.archive.entries.iter().filter(move |entry| {
            let size = u64::from(entry.size);
            let fits = size <= limit && sum + size <= total && wanted(&entry.display());
            sum += if fits { size } else { 0 };
            fits
        });
        small.filter_map(move |entry| zip_read::inflate(&self.bytes, entry, limit).ok())
    }

    /// R8's mapping, which the Android build puts into app bundles; `None` where there is none.
    ///
    /// # Errors
    /// As [`Apk::dex_files`].
    pub fn mapping(&self) -> Result<Option<Vec<u8>>, ApkError> {
        let mut entries = self.archive.entries.iter();
        let Some(entry) = entries.find(|e| e.name == BUNDLE_MAPPING.as_bytes()) else {
            return Ok(None);
        };
        let read = zip_read::inflate(&self.bytes, entry, inflated_limit(&self.bytes));
        read.map(Some).map_err(|fault| ApkError::new(&self.file, fault))
    }

    /// Names of all entries in central directory order; empty for a single DEX file.
    pub fn entry_names(&self) -> impl Iterator<Item = String> + '_ {
        self.archive.entries.iter().map(ZipEntry::display)
    }

    /// Names of the package's signatures: `v1`, `v2`, `v3` and other blocks. Verifies none of them.
    pub fn signatures(&self) -> Vec<String> {
        let v1 = self.archive.entries.iter().any(|e| sign::is_signature_list(&e.name));
        let block = self.archive.signing_ids.iter().filter_map(|&id| sign::block_name(id));
        v1.then(|| "v1".to_owned()).into_iter().chain(block).collect()
    }

    /// Inflates the DEX files that ART loads: `classes.dex`, `classes2.dex`, … up to the first
    /// name that is missing or no DEX file.
    ///
    /// # Errors
    /// [`Fault::NoDex`] where there is no `classes.dex`; damaged, over-large or unsupported
    /// compressed data.
    pub fn dex_files(&self) -> Result<DexFiles, ApkError> {
        self.open_dex_files().map_err(|fault| ApkError::new(&self.file, fault))
    }

    fn open_dex_files(&self) -> Result<DexFiles, Fault> {
        if self.container == Container::Dex {
            let dex = DexFile { name: dex_name(1), bytes: self.bytes.clone() };
            return Ok(DexFiles { loaded: vec![dex], ignored: Vec::new(), ends: Vec::new() });
        }
        let lists = self.dex_lists();
        let ends = lists.iter().filter_map(|list| list.end.clone()).collect();
        let loaded: Vec<&ZipEntry> = lists.into_iter().flat_map(|list| list.loaded).collect();
        if loaded.is_empty() {
            return Err(Fault::NoDex);
        }
        let mut sum = 0u64;
        let limit = inflated_limit(&self.bytes);
        for entry in &loaded {
            sum += u64::from(entry.size);
            if sum > limit {
                return Err(Fault::TooLarge { name: entry.display(), size: sum, limit });
            }
        }
        let open = |entry: &&ZipEntry| {
            let bytes = zip_read::inflate(&self.bytes, entry, limit)?;
            Ok(DexFile { name: entry.display(), bytes })
        };
        let dex_files = loaded.par_iter().map(open).collect::<Vec<Result<_, Fault>>>();
        let ignored = self.archive.entries.iter().filter(|e| e.name.ends_with(b".dex"));
        let ignored = ignored
            .filter(|e| loaded.iter().all(|l| l.name != e.name))
            .map(ZipEntry::display)
            .collect();
        // Collected in order first, so that of several faults always the first file's is reported.
        let loaded = dex_files.into_iter().collect::<Result<_, _>>()?;
        Ok(DexFiles { loaded, ignored, ends })
    }

    /// In an app bundle that of the base module comes first.
    fn dex_lists(&self) -> Vec<DexList<'_>> {
        let of_folder = |folder| DexList::of_folder(&self.bytes, &self.archive, folder);
        if self.container != Container::Bundle {
            return vec![of_folder(String::new())];
        }
        let others = modules(&self.archive).into_iter().filter(|module| module != "base");
        let folders = std::iter::once(BASE_DEX.to_owned());
        let folders = folders.chain(others.map(|module| format!("{module}/dex/")));
        folders.map(of_folder).collect()
    }

    fn loaded_dex_entries(&self) -> Vec<&ZipEntry> {
        self.dex_lists().into_iter().flat_map(|list| list.loaded).collect()
    }

    /// The list that new DEX files are appended to: of a bundle, that of the first module with
    /// code, because Android loads no code of a module that had none.
    fn host_dex_list(&self) -> DexList<'_> {
        let mut lists = self.dex_lists();
        let host = lists.iter().position(|list| !list.loaded.is_empty()).unwrap_or(0);
        lists.swap_remove(host)
    }

    /// True if ART loads a DEX file that is added, and nothing that it did not load before: its
    /// list ends with the last numbered file.
    pub fn takes_new_dex(&self) -> bool {
        self.host_dex_list().end.is_none()
    }

    /// The name of the n-th new DEX file, counted from 1.
    pub fn new_dex_name(&self, n: usize) -> String {
        let list = self.host_dex_list();
        format!("{}{}", list.folder, dex_name(list.loaded.len() + n))
    }
}

/// Names of a bundle's modules, sorted.
fn modules(archive: &Archive) -> Vec<String> {
    let suffix = "/manifest/AndroidManifest.xml";
    let names = archive.entries.iter().filter_map(|e| std::str::from_utf8(&e.name).ok());
    let mut modules: Vec<String> =
        names.filter_map(|n| n.strip_suffix(suffix)).map(str::to_owned).collect();
    modules.retain(|module| !module.contains('/'));
    modules.sort();
    modules
}

/// The manifest of a bundle's base module, with the components of all modules; `None` if this is no
/// bundle.
fn bundle_manifest(bytes: &[u8], archive: &Archive) -> Result<Option<Manifest>, Fault> {
    let parse = |name: &str| {
        let Some(entry) = archive.entries.iter().find(|e| e.name == name.as_bytes()) else {
            return Ok(None);
        };
        Manifest::parse_proto(&zip_read::inflate(bytes, entry, MANIFEST_LIMIT)?).map(Some)
    };
    let Some(mut base) = parse(BASE_MANIFEST)? else { return Ok(None) };
    for module in modules(archive).iter().filter(|module| *module != "base") {
        if let Some(manifest) = parse(&format!("{module}/manifest/AndroidManifest.xml"))? {
            base.add_components(&manifest);
        }
    }
    Ok(Some(base))
}

/// Bytes that entries of a package are inflated to in memory, at most.
fn inflated_limit(package: &[u8]) -> u64 {
    DEX_LIMIT.min(DEX_MIN_LIMIT.max(DEX_RATIO.saturating_mul(package.len() as u64)))
}
