//! Baseline profiles: counts, sizes and indices below the compression, and the files themselves.
//! The profile lies in the package that it was made for.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use apk::Apk;
use artprofile::{ArtProfile, Metadata};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use mutation::{Rng, field, overwrite, resize};

use crate::zip::{Item, entry, zip};
use crate::{Case, fixtures};

const SEEDS: [&str; 3] = [
    "android-fixtures/tether/prebuilt/tether.apk",
    "tests/oracles/baseline/tether.prof",
    "tests/oracles/baseline/tether.profm",
];
/// Bytes before the sizes of the compressed body: magic, version, number of DEX files.
const HEADS: [usize; 2] = [9, 10];
/// Bytes of both sizes.
const SIZES: usize = 8;

pub struct Kind {
    manifest: Vec<u8>,
    dex: Vec<u8>,
    /// The profile and its metadata.
    files: [Vec<u8>; 2],
}

impl Kind {
    pub fn new(inputs: &[PathBuf]) -> Result<Kind, String> {
        let seeds = fixtures::seeds(inputs, &SEEDS)?;
        let [apk, profile, metadata] = &seeds[..] else {
            return Err("seeds are a package, its profile and the metadata".into());
        };
        let of_apk = |name: &str| entry(apk, name).ok_or(format!("the seed has no {name}"));
        let files = [profile.clone(), metadata.clone()];
        Ok(Kind { manifest: of_apk("AndroidManifest.xml")?, dex: of_apk("classes.dex")?, files })
    }
}

/// Damages the bytes below the compression.
fn damage_body(file: &[u8], head: usize, rng: &mut Rng) -> Vec<u8> {
    let mut body = Vec::new();
    let read = ZlibDecoder::new(&file[head + SIZES..]).read_to_end(&mut body);
    read.expect("a seed inflates");
    for _ in 0..=rng.below(3) {
        match rng.below(4) {
            // The header of the first DEX file has the sizes of all that follows.
            0 | 1 => field(&mut body, 2 * rng.below(8), 2 + 2 * rng.below(2), rng),
            2 if !body.is_empty() => resize(&mut body, rng),
            _ => overwrite(&mut body, rng),
        }
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&body).expect("a vector takes all bytes");
    let packed = encoder.finish().expect("a vector takes all bytes");
    let sizes = [body.len() as u32, packed.len() as u32].map(u32::to_le_bytes).concat();
    let mut head = file[..head].to_vec();
    if rng.one_in(8) {
        overwrite(&mut head[8..], rng);
    }
    [head, sizes, packed].concat()
}

impl crate::Kind for Kind {
    fn case(&self, rng: &mut Rng) -> Case {
        let mut files = self.files.clone();
        let damaged = rng.below(2);
        match rng.one_in(4) {
            true => overwrite(&mut files[damaged], rng),
            false => files[damaged] = damage_body(&files[damaged], HEADS[damaged], rng),
        }
        let [profile, metadata] = &files;
        zip(&[
            Item::stored("AndroidManifest.xml", &self.manifest),
            Item::stored("classes.dex", &self.dex),
            Item::stored("assets/dexopt/baseline.prof", profile),
            Item::stored("assets/dexopt/baseline.profm", metadata),
        ])
        .into()
    }

    fn feed(&self, case: &Case, _: &mut Rng) -> bool {
        let Ok(apk) = Apk::from_bytes("p", case.bytes.clone()) else { return false };
        let Ok(Some(files)) = apk.baseline_files() else { return false };
        let metadata = files.metadata.map(|entry| Metadata::read(&entry.bytes));
        let Ok(profile) = ArtProfile::read(&files.profile.bytes) else { return false };
        // What was read is written, or refused by name.
        if let Ok(bytes) = profile.write() {
            assert!(ArtProfile::read(&bytes).is_ok(), "a written profile is read");
        }
        metadata.is_some_and(|metadata| metadata.is_ok())
    }

    fn calls(&self) -> &'static [&'static str] {
        &["instrument FILE -o OUT --map MAP --unsigned", "instrument FILE -o OUT --codec none"]
    }
}
