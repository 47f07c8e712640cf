//! Files of the repository that damage begins with.

use std::path::{Path, PathBuf};

use instrumenter::{Inline, Options, Output, RecordingOptions, RuntimeHome, instrument};
use model::map::Map;
use model::recording::Recording;
use model::trace::SLAB_HEADER;

/// A file of the repository.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// A file of the repository, read.
pub fn file(name: &str) -> Result<Vec<u8>, String> {
    read(&path(name))
}

/// The files that were given, or those of the repository.
pub fn seeds(inputs: &[PathBuf], own: &[&str]) -> Result<Vec<Vec<u8>>, String> {
    if inputs.is_empty() {
        own.iter().map(|name| file(name)).collect()
    } else {
        inputs.iter().map(|p| read(p)).collect()
    }
}

/// Instruments a single dex file.
pub fn instrumented(dex: Vec<u8>, recording: Recording) -> Result<Output, String> {
    let options = Options {
        recording: RecordingOptions::defaults_of(recording).ok_or("no paths are given")?,
        inline: Inline::All,
        ..Options::default()
    };
    let inputs = vec![("classes.dex".into(), dex)];
    instrument(inputs, RuntimeHome::OwnFile, "org.example", &options).map_err(|e| e.to_string())
}

/// The map of an instrumented program of `tests/truth/fixtures`.
pub fn map_of(program: &str, recording: Recording) -> Result<Map, String> {
    let dex = file(&format!("tests/truth/fixtures/{program}/program.dex"))?;
    let map = instrumented(dex, recording)?.map;
    map.map(|map| map.unpack()).ok_or_else(|| "no map".into())
}

/// A log with random paths through a program: a trace file of one thread.
pub fn session(map: &Map, rng: &mut mutation::Rng, steps: usize) -> Vec<u8> {
    use tests::sim::{Habits, file_header, play, slabs};
    let played = play(map, map, "main", rng, Habits::plain(steps, false));
    let slabs = slabs(&played, 1, 200, true);
    model::trace::write_trace(
        &file_header(map, 200 + SLAB_HEADER as u32, 4711),
        slabs.iter().map(|(h, p)| (*h, &p[..])),
    )
}
