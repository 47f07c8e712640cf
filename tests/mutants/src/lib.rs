//! Damaged files of every kind that Pathlight reads, and what must hold for each: no panic, an
//! answer or an error that names the file. `cargo xtask mutants` runs this in children with limits
//! of memory and time; see docs/TESTING.md.
//!
//! A case is known by kind, seed and number alone, so each can be repeated by itself.

use std::path::PathBuf;

use mutation::Rng;

mod axml;
mod dex_file;
mod fixtures;
mod logs;
mod map;
mod mapping;
mod model_file;
mod pkcs12;
mod profile;
mod program;
mod replay;
mod stack;
mod zip;

pub use program::Program;

/// A damaged file.
pub struct Case {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its counterpart: the log of a damaged map, the map of a damaged log.
    pub beside: Option<Vec<u8>>,
}

impl From<Vec<u8>> for Case {
    fn from(bytes: Vec<u8>) -> Self {
        Case { bytes, beside: None }
    }
}

/// A kind of file.
pub trait Kind {
    /// A damaged file.
    fn case(&self, rng: &mut Rng) -> Case;

    /// Feeds it to the library. Returns whether it was good enough to be used.
    ///
    /// # Panics
    /// If the library has a bug: that is a finding.
    fn feed(&self, case: &Case, rng: &mut Rng) -> bool;

    /// Calls of the program that read the file. `FILE` stands for it, `BESIDE` for
    /// [`Case::beside`], other words in capitals for files of [`Program`].
    fn calls(&self) -> &'static [&'static str];
}

/// The names of all kinds, in the order in which they run.
pub const KINDS: [&str; 11] = [
    "dex", "zip", "axml", "pkcs12", "profile", "map", "model", "mapping", "trace", "logcat",
    "stack",
];

/// A kind by its name, with its own seed files or these; `None` for a name that is none.
///
/// # Errors
/// A seed file that cannot be read or is of another kind.
pub fn kind(name: &str, inputs: &[PathBuf]) -> Result<Option<Box<dyn Kind>>, String> {
    Ok(Some(match name {
        "dex" => Box::new(dex_file::Kind::new(inputs)?),
        "zip" => Box::new(zip::Kind::new(inputs)?),
        "axml" => Box::new(axml::Kind::new(inputs)?),
        "pkcs12" => Box::new(pkcs12::Kind::new(inputs)?),
        "profile" => Box::new(profile::Kind::new(inputs)?),
        "map" => Box::new(map::Kind::new(inputs)?),
        "model" => Box::new(model_file::Kind::new(inputs)?),
        "mapping" => Box::new(mapping::Kind::new(inputs)?),
        "trace" => Box::new(logs::Kind::trace()),
        "logcat" => Box::new(logs::Kind::logcat()),
        "stack" => Box::new(stack::Kind::new(inputs)?),
        _ => return Ok(None),
    }))
}

/// The random numbers of a case.
pub fn rng(seed: u64, number: u64) -> Rng {
    // One step of each, so that neighbouring seeds and numbers have nothing in common.
    Rng::new(Rng::new(seed).bits() ^ Rng::new(!number).bits())
}
