//! Binary manifests: chunk headers, the string pool, attributes, depth. The manifest lies in a
//! package whose checksums are right.

use std::path::PathBuf;

use apk::Apk;
use instrumenter::instrument::instrument_with;
use instrumenter::{Options, RuntimeHome};
use mutation::{Rng, field, overwrite};

use crate::zip::{Item, entry, zip};
use crate::{Case, fixtures};

const SEEDS: [&str; 3] = [
    "android-fixtures/tether/prebuilt/tether.apk",
    "android-fixtures/notes/prebuilt/notes.apk",
    "android-fixtures/kernels/prebuilt/kernels.apk",
];
const POOL: u16 = 1;
const START: u16 = 0x102;
const RESOURCES: u16 = 0x180;

pub struct Kind {
    manifests: Vec<Vec<u8>>,
    dex: Vec<u8>,
}

impl Kind {
    pub fn new(inputs: &[PathBuf]) -> Result<Kind, String> {
        let seeds = fixtures::seeds(inputs, &SEEDS)?;
        let manifests = seeds
            .iter()
            .map(|apk| entry(apk, "AndroidManifest.xml").ok_or("a seed has no manifest".into()));
        let dex = fixtures::file("tests/truth/fixtures/inline/program.dex")?;
        Ok(Kind { manifests: manifests.collect::<Result<_, String>>()?, dex })
    }
}

fn u16_at(b: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([b[at], b[at + 1]])
}

fn u32_at(b: &[u8], at: usize) -> usize {
    u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]) as usize
}

/// Kind, beginning and end of each chunk inside the document's.
fn chunks(xml: &[u8]) -> Vec<(u16, usize, usize)> {
    let (mut at, mut found) = (8, Vec::new());
    while at + 8 <= xml.len() {
        let end = at + u32_at(xml, at + 4);
        if end <= at || end > xml.len() {
            break;
        }
        found.push((u16_at(xml, at), at, end));
        at = end;
    }
    found
}

/// A part of a chunk; empty where the chunk is shorter.
fn part(xml: &mut [u8], from: usize, end: usize) -> &mut [u8] {
    &mut xml[from.min(end)..end]
}

fn damage(rng: &mut Rng, xml: &mut Vec<u8>) {
    let chunks = chunks(xml);
    let Some(&(kind, at, end)) = chunks.get(rng.below(chunks.len())) else {
        return overwrite(xml, rng);
    };
    match rng.below(10) {
        0 => {
            let (offset, width) = *rng.pick(&[(0, 2), (2, 2), (4, 4)]);
            let at = if rng.one_in(4) { 0 } else { at };
            field(xml, at + offset, width, rng);
        }
        // A chunk again, once or many times: deep trees, many components, two string pools.
        1 => {
            let times = if rng.one_in(3) { 1 + rng.below(3000) } else { 1 };
            let again = xml[at..end].repeat(times);
            let to = chunks[rng.below(chunks.len())].1;
            xml.splice(to..to, again);
            let size = xml.len() as u32;
            xml[4..8].copy_from_slice(&size.to_le_bytes());
        }
        2 => {
            xml.drain(at..end);
            let size = xml.len() as u32;
            xml[4..8].copy_from_slice(&size.to_le_bytes());
        }
        // The pool: counts, flags, offsets, then lengths and characters.
        3..=5 => {
            let Some(&(_, at, end)) = chunks.iter().find(|c| c.0 == POOL) else { return };
            let count = u32_at(xml, at + 8).min((end - at).saturating_sub(28) / 4);
            match rng.below(4) {
                0 => field(xml, at + 8 + 4 * rng.below(5), 4, rng),
                1 => field(xml, at + 28 + 4 * rng.below(count), 4, rng),
                _ => overwrite(part(xml, at + 28 + 4 * count, end), rng),
            }
        }
        // Elements and their attributes.
        6..=8 => {
            let starts: Vec<_> = chunks.iter().filter(|c| c.0 == START).collect();
            if starts.is_empty() {
                return;
            }
            let &&(_, at, end) = rng.pick(&starts);
            match rng.below(3) {
                0 => field(xml, at + 24 + 2 * rng.below(6), 2, rng),
                1 => field(xml, at + 16 + 4 * rng.below((end - at) / 4), 4, rng),
                _ => overwrite(part(xml, at + 16, end), rng),
            }
        }
        _ if kind == RESOURCES => field(xml, at + 8 + 4 * rng.below((end - at) / 4), 4, rng),
        _ => overwrite(&mut xml[at..end], rng),
    }
}

impl crate::Kind for Kind {
    fn case(&self, rng: &mut Rng) -> Case {
        let mut xml = rng.pick(&self.manifests).clone();
        for _ in 0..=rng.below(4) {
            damage(rng, &mut xml);
        }
        zip(&[Item::stored("AndroidManifest.xml", &xml), Item::stored("classes.dex", &self.dex)])
            .into()
    }

    fn feed(&self, case: &Case, rng: &mut Rng) -> bool {
        let Ok(apk) = Apk::from_bytes("m", case.bytes.clone()) else { return false };
        if let Some(manifest) = apk.manifest().filter(|_| rng.one_in(16)) {
            let inputs = vec![("classes.dex".into(), self.dex.clone())];
            let (home, options) = (RuntimeHome::OwnFile, Options::default());
            instrument_with(inputs, home, &manifest.package, Some(manifest), &options)
                .expect("sound code is instrumented under any manifest");
        }
        true
    }

    fn calls(&self) -> &'static [&'static str] {
        &[
            "instrument FILE -o OUT --map MAP --unsigned",
            "inspect FILE",
            "inspect FILE --json",
            "cfg FILE -o FOLDER",
        ]
    }
}
