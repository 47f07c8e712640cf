//! DEX files: fields of the header, the tables, code, debug information, encoded values. Checksum
//! and signature are mended, so that the damage gets past the door.

use model::recording::TraceCodec;
use std::path::PathBuf;

use dex::Dex;
use instrumenter::{Inline, Options, RecordingOptions, RuntimeHome, X86Safe, instrument};

use mutation::{Rng, field, overwrite};
use sha1::{Digest, Sha1};

use crate::{Case, fixtures};

#[path = "../../../dex/fuzz/targets.rs"]
mod targets;

const SEEDS: [&str; 12] = [
    "dex/tests/fixtures/kitchen.dex",
    "dex/tests/fixtures/dynamic.dex",
    "dex/tests/fixtures/hidden.dex",
    "tests/truth/fixtures/calls/program.dex",
    "tests/truth/fixtures/exceptions/program.dex",
    "tests/truth/fixtures/handles/program.dex",
    "tests/truth/fixtures/handlers/program.dex",
    "tests/truth/fixtures/inline/program.dex",
    "tests/truth/fixtures/monitors/program.dex",
    "tests/truth/fixtures/monitors-release/program.dex",
    "tests/truth/fixtures/threads/program.dex",
    "tests/truth/fixtures/x86/program.dex",
];
const HEADER: usize = 0x70;
/// An item of the map list: type and unused (u16), size, offset (u32).
const MAP_ITEM: usize = 12;
const CODE: u16 = 0x2001;

/// Widths of the fields of an item; empty for items of no fixed size.
fn widths(section: u16) -> &'static [usize] {
    match section {
        1 | 2 | 7 => &[4],
        3 => &[4, 4, 4],
        4 | 5 => &[2, 2, 4],
        6 => &[4; 8],
        8 => &[2, 2, 2, 2],
        _ => &[],
    }
}

struct Section {
    kind: u16,
    count: usize,
    at: usize,
    end: usize,
}

/// A code item of an undamaged file.
struct CodePlace {
    at: usize,
    units: usize,
    tries: usize,
    end: usize,
}

struct Seed {
    bytes: Vec<u8>,
    map: usize,
    sections: Vec<Section>,
    code: Vec<CodePlace>,
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?).into())
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize)
}

impl Seed {
    /// Finds out where everything is, by the map list. `None` for what is no DEX file.
    fn new(bytes: Vec<u8>) -> Option<Seed> {
        let map = u32_at(&bytes, 0x34)?;
        let items = (0..u32_at(&bytes, map)?).map(|i| map + 4 + i * MAP_ITEM);
        let mut sections = items
            .map(|at| {
                let kind = u16_at(&bytes, at)? as u16;
                Some(Section {
                    kind,
                    count: u32_at(&bytes, at + 4)?,
                    at: u32_at(&bytes, at + 8)?,
                    end: 0,
                })
            })
            .collect::<Option<Vec<_>>>()?;
        sections.sort_by_key(|s| s.at);
        let ends: Vec<usize> = sections.iter().skip(1).map(|s| s.at).chain([bytes.len()]).collect();
        sections.iter_mut().zip(ends).for_each(|(s, end)| s.end = end);
        let mut code = Vec::new();
        if let Some(section) = sections.iter().find(|s| s.kind == CODE) {
            let mut at = section.at;
            for _ in 0..section.count {
                let (tries, units) = (u16_at(&bytes, at + 6)?, u32_at(&bytes, at + 12)?);
                code.push(CodePlace { at, units, tries, end: 0 });
                at += 16 + 2 * (units + if tries > 0 { units % 2 } else { 0 }) + 8 * tries;
                if tries > 0 {
                    at = behind_handlers(&bytes, at)?;
                }
                at = at.next_multiple_of(4);
                code.last_mut()?.end = at.min(section.end);
            }
        }
        Some(Seed { bytes, map, sections, code })
    }
}

fn uleb(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= usize::from(byte & 0x7F) << shift;
        if byte < 0x80 || shift > 28 {
            return Some(value);
        }
        shift += 7;
    }
}

/// Position after an `encoded_catch_handler_list`.
fn behind_handlers(bytes: &[u8], mut at: usize) -> Option<usize> {
    for _ in 0..uleb(bytes, &mut at)? {
        // A signed number: negative or zero where a catch-all follows.
        let first = uleb(bytes, &mut at)?;
        let (typed, all) =
            if first & 0x40 != 0 { (0x80 - first, 1) } else { (first, usize::from(first == 0)) };
        for _ in 0..2 * typed + all {
            uleb(bytes, &mut at)?;
        }
    }
    Some(at)
}

/// Mends size, signature and checksum.
pub fn mend(bytes: &mut [u8]) {
    if bytes.len() < HEADER {
        return;
    }
    let signature = Sha1::digest(&bytes[32..]);
    bytes[12..32].copy_from_slice(&signature);
    let sum = adler2::adler32_slice(&bytes[12..]);
    bytes[8..12].copy_from_slice(&sum.to_le_bytes());
}

/// One change inside a code item.
fn damage_code(rng: &mut Rng, bytes: &mut [u8], code: &CodePlace) {
    let insns = code.at + 16;
    let unit = insns + 2 * rng.below(code.units);
    let behind = (insns + 2 * code.units).next_multiple_of(4);
    match rng.below(12) {
        0 => field(bytes, code.at + 2 * rng.below(4), 2, rng),
        1 => field(bytes, code.at + 8 + 4 * rng.below(2), 4, rng),
        2 | 3 => bytes[unit] = rng.bits() as u8,
        4 => bytes[unit + 1] = rng.bits() as u8,
        5 | 6 => field(bytes, unit, 2, rng),
        // One instruction, or half of one, in place of another.
        7 => bytes.copy_within(unit..unit + 2, insns + 2 * rng.below(code.units)),
        8 | 9 if code.tries > 0 => {
            let at = behind + 8 * rng.below(code.tries);
            let (offset, width) = *rng.pick(&[(0, 4), (4, 2), (6, 2)]);
            field(bytes, at + offset, width, rng);
        }
        10 if code.tries > 0 => overwrite(&mut bytes[behind + 8 * code.tries..code.end], rng),
        _ => overwrite(&mut bytes[insns..insns + 2 * code.units], rng),
    }
}

fn damage(rng: &mut Rng, bytes: &mut [u8], seed: &Seed) {
    match rng.below(10) {
        0 => return field(bytes, 0x20 + 4 * rng.below((HEADER - 0x20) / 4), 4, rng),
        1 => {
            let (offset, width) = *rng.pick(&[(0, 2), (4, 4), (8, 4)]);
            return field(
                bytes,
                seed.map + 4 + MAP_ITEM * rng.below(seed.sections.len()) + offset,
                width,
                rng,
            );
        }
        2..=5 if !seed.code.is_empty() => {
            return damage_code(rng, bytes, rng.clone().pick(&seed.code));
        }
        _ => {}
    }
    let section = &seed.sections[rng.below(seed.sections.len())];
    let widths = widths(section.kind);
    if widths.is_empty() {
        let part = &mut bytes[section.at..section.end];
        if rng.one_in(4) {
            let at = rng.below(part.len());
            let end = part.len().min(at + 5);
            part[at..end].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F][..end - at]);
        } else {
            overwrite(part, rng);
        }
        return;
    }
    let item = |n: usize| section.at + n * widths.iter().sum::<usize>();
    let column = rng.below(widths.len());
    let offset = widths[..column].iter().sum::<usize>();
    let at = item(rng.below(section.count)) + offset;
    if rng.one_in(3) {
        let from = item(rng.below(section.count)) + offset;
        bytes.copy_within(from..from + widths[column], at);
    } else {
        field(bytes, at, widths[column], rng);
    }
}

pub struct Kind {
    seeds: Vec<Seed>,
}

impl Kind {
    pub fn new(inputs: &[PathBuf]) -> Result<Kind, String> {
        let mut seeds = Vec::new();
        for bytes in fixtures::seeds(inputs, &SEEDS)? {
            // A package gives all its dex files.
            let apk = apk::Apk::from_bytes("a seed", bytes).map_err(|e| e.to_string())?;
            for file in apk.dex_files().map_err(|e| e.to_string())?.loaded {
                seeds.push(Seed::new(file.bytes).ok_or("a seed is no DEX file")?);
            }
        }
        Ok(Kind { seeds })
    }
}

/// Options that differ from case to case.
fn options(rng: &mut Rng) -> Options {
    let others = [
        RecordingOptions::Reassemble,
        TraceCodec::Huffman.into(),
        TraceCodec::BallLarus.into(),
        TraceCodec::Blocks.into(),
        TraceCodec::ArithAdaptive.into(),
        TraceCodec::Pap.into(),
    ];
    Options {
        recording: if rng.one_in(2) { TraceCodec::Arith.into() } else { rng.pick(&others).clone() },
        inline: if rng.one_in(2) { Inline::All } else { Inline::Never },
        x86_safe: if rng.one_in(8) { X86Safe::Always } else { X86Safe::Never },
        ..Options::default()
    }
}

/// Instruments, and reads what was written.
fn weave(bytes: &[u8], rng: &mut Rng) -> bool {
    let home = if rng.one_in(2) { RuntimeHome::OwnFile } else { RuntimeHome::FirstFile };
    let Ok(out) = instrument(vec![("classes.dex".into(), bytes.to_vec())], home, "", &options(rng))
    else {
        return false;
    };
    for written in out.files.iter().map(|f| &f.1).chain(&out.added) {
        Dex::read(written).expect("what was written can be read");
    }
    if let Some(map) = out.map {
        model::map::Map::from_bytes(map.as_bytes()).expect("the map can be read");
    }
    true
}

impl crate::Kind for Kind {
    fn case(&self, rng: &mut Rng) -> Case {
        let seed = &self.seeds[rng.below(self.seeds.len())];
        let mut bytes = seed.bytes.clone();
        for _ in 0..=rng.below(3) {
            damage(rng, &mut bytes, seed);
        }
        if rng.one_in(40) {
            bytes.truncate(rng.below(bytes.len()));
            let size = bytes.len() as u32;
            if let Some(place) = bytes.get_mut(32..36) {
                place.copy_from_slice(&size.to_le_bytes());
            }
        }
        mend(&mut bytes);
        bytes.into()
    }

    fn feed(&self, case: &Case, rng: &mut Rng) -> bool {
        match rng.below(8) {
            0 => targets::read(&case.bytes) && targets::roundtrip(&case.bytes),
            1 => targets::edit(&case.bytes),
            _ => weave(&case.bytes, rng),
        }
    }

    fn calls(&self) -> &'static [&'static str] {
        &[
            "instrument FILE -o OUT --map MAP --inline all --json",
            "instrument FILE -o OUT --map MAP --max-size-growth 1.3",
            "inspect FILE",
            "cfg FILE -o FOLDER",
        ]
    }
}
