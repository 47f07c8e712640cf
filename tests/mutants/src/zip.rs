//! Packages: fields of local and central headers and of the end record, extra fields, sizes, names,
//! duplicates, the signing block, entries that inflate to far more than they are.

use std::io::{Read, Write};
use std::path::PathBuf;

use apk::{Apk, WriteOptions};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use mutation::{Rng, field, overwrite, resize};

use crate::{Case, fixtures};

const SEEDS: [&str; 4] = [
    "android-fixtures/kernels/prebuilt/kernels.apk",
    "android-fixtures/tether/prebuilt/tether.apk",
    "android-fixtures/stubs/prebuilt/host.jar",
    "android-fixtures/stubs/prebuilt/stubs.jar",
];
const LOCAL: usize = 30;
const CENTRAL: usize = 46;
const END: usize = 22;
/// Offsets and widths of the fields of a central record, of a local header and of the end record.
const CENTRAL_FIELDS: [(usize, usize); 17] = [
    (0, 4),
    (4, 2),
    (6, 2),
    (8, 2),
    (10, 2),
    (12, 2),
    (14, 2),
    (16, 4),
    (20, 4),
    (24, 4),
    (28, 2),
    (30, 2),
    (32, 2),
    (34, 2),
    (36, 2),
    (38, 4),
    (42, 4),
];
const LOCAL_FIELDS: [(usize, usize); 11] =
    [(0, 4), (4, 2), (6, 2), (8, 2), (10, 2), (12, 2), (14, 4), (18, 4), (22, 4), (26, 2), (28, 2)];
const END_FIELDS: [(usize, usize); 8] =
    [(0, 4), (4, 2), (6, 2), (8, 2), (10, 2), (12, 4), (16, 4), (20, 2)];

fn u16_at(b: &[u8], at: usize) -> usize {
    u16::from_le_bytes([b[at], b[at + 1]]).into()
}

fn u32_at(b: &[u8], at: usize) -> usize {
    u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]) as usize
}

/// Positions of the parts of an undamaged zip.
struct Layout {
    /// Central record and local header of each entry.
    entries: Vec<(usize, usize)>,
    central: usize,
    end: usize,
}

fn layout(b: &[u8]) -> Option<Layout> {
    let end =
        (0..=b.len().checked_sub(END)?).rev().find(|&at| b[at..].starts_with(b"PK\x05\x06"))?;
    let central = u32_at(b, end + 16);
    let mut at = central;
    let mut entries = Vec::new();
    for _ in 0..u16_at(b, end + 10) {
        entries.push((at, u32_at(b, at + 42)));
        at += CENTRAL + u16_at(b, at + 28) + u16_at(b, at + 30) + u16_at(b, at + 32);
    }
    Some(Layout { entries, central, end })
}

/// The uncompressed bytes of an entry of an undamaged zip.
pub fn entry(b: &[u8], name: &str) -> Option<Vec<u8>> {
    let (record, local) = layout(b)?.entries.into_iter().find(|&(record, _)| {
        b[record + CENTRAL..].starts_with(name.as_bytes()) && u16_at(b, record + 28) == name.len()
    })?;
    let data = local + LOCAL + u16_at(b, local + 26) + u16_at(b, local + 28);
    let raw = &b[data..data + u32_at(b, record + 20)];
    let mut whole = Vec::new();
    if u16_at(b, record + 10) == 0 {
        whole.extend_from_slice(raw);
    } else {
        DeflateDecoder::new(raw).read_to_end(&mut whole).ok()?;
    }
    Some(whole)
}

/// An entry to be written: compressed bytes, checksum and size of what they stand for.
pub struct Item<'a> {
    pub name: &'a str,
    pub deflated: bool,
    pub raw: Vec<u8>,
    pub crc: u32,
    pub size: u32,
}

impl<'a> Item<'a> {
    pub fn stored(name: &'a str, bytes: &[u8]) -> Self {
        Item {
            name,
            deflated: false,
            raw: bytes.to_vec(),
            crc: crc32fast::hash(bytes),
            size: bytes.len() as u32,
        }
    }
}

/// A zip with these entries.
pub fn zip(items: &[Item]) -> Vec<u8> {
    let (mut out, mut central) = (Vec::new(), Vec::new());
    for item in items {
        let at = out.len() as u32;
        let mut head = vec![20, 0, 0, 0, if item.deflated { 8 } else { 0 }, 0, 0, 0, 0x21, 0];
        for n in [item.crc, item.raw.len() as u32, item.size] {
            head.extend(n.to_le_bytes());
        }
        head.extend((item.name.len() as u16).to_le_bytes());
        head.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&head);
        out.extend(item.name.as_bytes());
        out.extend(&item.raw);
        central.extend(b"PK\x01\x02\x14\0");
        central.extend(&head);
        central.extend([0; 10]);
        central.extend(at.to_le_bytes());
        central.extend(item.name.as_bytes());
    }
    let at = out.len() as u32;
    out.extend(&central);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend((items.len() as u16).to_le_bytes());
    out.extend((items.len() as u16).to_le_bytes());
    out.extend((central.len() as u32).to_le_bytes());
    out.extend(at.to_le_bytes());
    out.extend([0, 0]);
    out
}

/// An entry of a few hundred kilobytes that inflates to this many MiB of zeros.
pub fn bomb(name: &str, mebibytes: u32) -> Item<'_> {
    let mebibyte = vec![0; 1 << 20];
    let mut part = DeflateEncoder::new(Vec::new(), Compression::best());
    // A flush ends at a byte and needs nothing of what was before, so the part can be repeated.
    part.write_all(&mebibyte).and_then(|()| part.flush()).expect("writing to memory");
    let part = part.get_ref().clone();
    let mut raw = part.repeat(mebibytes as usize);
    // An empty last block.
    raw.extend([1, 0, 0, 0xFF, 0xFF]);
    let mut one = crc32fast::Hasher::new();
    one.update(&mebibyte);
    let mut crc = crc32fast::Hasher::new();
    (0..mebibytes).for_each(|_| crc.combine(&one));
    Item { name, deflated: true, raw, crc: crc.finalize(), size: mebibytes << 20 }
}

pub struct Kind {
    seeds: Vec<Vec<u8>>,
    /// The entries of the first seed that damage is built with.
    parts: Vec<(&'static str, Vec<u8>)>,
}

impl Kind {
    pub fn new(inputs: &[PathBuf]) -> Result<Kind, String> {
        let seeds = fixtures::seeds(inputs, &SEEDS)?;
        let own = fixtures::file(SEEDS[0])?;
        let parts = ["AndroidManifest.xml", "classes.dex"];
        let parts = parts
            .map(|name| entry(&own, name).map(|bytes| (name, bytes)).ok_or("an entry is missing"));
        Ok(Kind { seeds, parts: parts.into_iter().collect::<Result<_, _>>()? })
    }

    /// A package whose entries inflate to 40 MiB or to 1.2 GiB.
    fn bombs(&self, rng: &mut Rng) -> Vec<u8> {
        let manifest = Item::stored(self.parts[0].0, &self.parts[0].1);
        let code = Item::stored(self.parts[1].0, &self.parts[1].1);
        match rng.below(4) {
            0 => zip(&[bomb("AndroidManifest.xml", 40), code]),
            1 => zip(&[manifest, code, bomb("assets/large", 1200)]),
            2 => zip(&[manifest, code, bomb("classes2.dex", 1000)]),
            _ => {
                let names: Vec<String> = (2..32).map(|n| format!("classes{n}.dex")).collect();
                let large = names.iter().map(|name| bomb(name, 33));
                zip(&[manifest, code].into_iter().chain(large).collect::<Vec<_>>())
            }
        }
    }
}

/// Repeats a central record, and mends the end record.
fn double(rng: &mut Rng, bytes: &mut Vec<u8>, layout: &Layout) {
    let (record, _) = *rng.pick(&layout.entries);
    let length = CENTRAL
        + u16_at(bytes, record + 28)
        + u16_at(bytes, record + 30)
        + u16_at(bytes, record + 32);
    let part = bytes[record..record + length].to_vec();
    let times = if rng.one_in(4) { 60_000 / layout.entries.len().max(1) } else { 1 };
    let mut many = part.repeat(times);
    if times == 1 && rng.one_in(2) {
        // Another name for the same bytes.
        many[CENTRAL] ^= 1;
    }
    let added = many.len();
    bytes.splice(record..record, many);
    let end = layout.end + added;
    for at in [end + 8, end + 10] {
        let count = u16_at(bytes, at) + times;
        bytes[at..at + 2].copy_from_slice(&(count as u16).to_le_bytes());
    }
    let size = u32_at(bytes, end + 12) + added;
    bytes[end + 12..end + 16].copy_from_slice(&(size as u32).to_le_bytes());
}

fn damage(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let Some(layout) = layout(bytes).filter(|l| !l.entries.is_empty()) else { return };
    let (record, local) = *rng.pick(&layout.entries);
    match rng.below(16) {
        0..=2 => {
            let (offset, width) = *rng.pick(&CENTRAL_FIELDS);
            field(bytes, record + offset, width, rng);
        }
        3..=5 => {
            let (offset, width) = *rng.pick(&LOCAL_FIELDS);
            field(bytes, local + offset, width, rng);
        }
        // The same in both headers, so that they agree: flags, method, checksum, sizes.
        6..=9 => {
            let (offset, width) = *rng.pick(&[(6, 2), (8, 2), (14, 4), (18, 4), (22, 4)]);
            field(bytes, local + offset, width, rng);
            bytes.copy_within(local + offset..local + offset + width, record + offset + 2);
        }
        10 => {
            let (offset, width) = *rng.pick(&END_FIELDS);
            field(bytes, layout.end + offset, width, rng);
        }
        11 => double(rng, bytes, &layout),
        12 => {
            let name = u16_at(bytes, record + 28);
            overwrite(&mut bytes[record + CENTRAL..record + CENTRAL + name], rng);
            if rng.one_in(2) {
                bytes.copy_within(record + CENTRAL..record + CENTRAL + name, local + LOCAL);
            }
        }
        13 => {
            let from = layout.central.saturating_sub(400);
            overwrite(&mut bytes[from..layout.central], rng);
        }
        14 => {
            let data = local + LOCAL + u16_at(bytes, local + 26) + u16_at(bytes, local + 28);
            let end = data + u32_at(bytes, record + 20);
            overwrite(&mut bytes[data..end], rng);
        }
        _ => resize(bytes, rng),
    }
}

impl crate::Kind for Kind {
    fn case(&self, rng: &mut Rng) -> Case {
        if rng.one_in(400) {
            return self.bombs(rng).into();
        }
        let mut bytes = rng.pick(&self.seeds).clone();
        damage(rng, &mut bytes);
        if rng.one_in(5) {
            // What was damaged before need not be found again.
            match rng.below(2) {
                0 => overwrite(&mut bytes, rng),
                _ if bytes.len() > 4 => {
                    let from = bytes.len().saturating_sub(2000);
                    overwrite(&mut bytes[from..], rng);
                }
                _ => {}
            }
        }
        bytes.into()
    }

    fn feed(&self, case: &Case, _: &mut Rng) -> bool {
        let Ok(apk) = Apk::from_bytes("m", case.bytes.clone()) else { return false };
        let _ = (apk.signatures(), apk.entry_names().count());
        let dex = apk.dex_files().is_ok();
        if let Ok(written) = apk.write(&[], &[], &[], None, WriteOptions::default()) {
            Apk::from_bytes("written", written.bytes).expect("what was written can be read");
        }
        dex
    }

    fn calls(&self) -> &'static [&'static str] {
        &[
            "instrument FILE -o OUT --map MAP --unsigned",
            "instrument FILE -o OUT --codec none --unsigned",
            "inspect FILE",
            "inspect FILE --json",
            "cfg FILE -o FOLDER",
        ]
    }
}
