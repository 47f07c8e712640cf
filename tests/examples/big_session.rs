//! Writes a session of many callbacks, to measure intervals with:
//! `cargo run --release -p tests --example big_session FOLDER [MILLION_STEPS [THREADS [CODEC]]]`
//!
//! `tests::sim` plays a random program; each thread has the same path. FOLDER gets `big.plmap` and
//! `big.plt`.

use std::path::Path;

use model::recording::Recording;
use model::trace::{SLAB_HEADER, write_trace};
use tests::sim::{Habits, Rng, Shape, file_header, play, random_map, slabs};

/// Size of slabs, as the runtime writes them.
const SLAB: u32 = 1024;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |i: usize, usual| arguments.get(i).and_then(|a| a.parse::<usize>().ok()).unwrap_or(usual);
    let folder =
        Path::new(arguments.first().ok_or("usage: big_session FOLDER [MILLIONS [N [CODEC]]]")?);
    let mut rng = Rng::new(5);
    let shape = Shape {
        methods: 300,
        blocks: 12,
        predicted: 40,
        slots: 5,
        implied: 0,
        inlined: 0,
        guarded: 30,
        handlers: 3,
    };
    let mut map = random_map(&mut rng, &shape);
    map.recording = arguments.get(3).map_or(Ok(Recording::ARITH), |name| name.parse())?;
    map.seal();
    let habits = Habits { depth: 60, ..Habits::plain(number(1, 10) * 1_000_000, false) };
    let played = play(&map, &map, "worker", &mut rng, habits);
    let payload = SLAB as usize - SLAB_HEADER;
    let threads = 1..=number(2, 1) as u32;
    let all: Vec<_> = threads.flat_map(|t| slabs(&played, t, payload, true)).collect();
    let bytes = write_trace(&file_header(&map, SLAB, 1), all.iter().map(|(h, p)| (*h, &p[..])));
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("big.plmap"), map.to_bytes())?;
    std::fs::write(folder.join("big.plt"), &bytes)?;
    let (callbacks, end) = (played.times.len(), played.times.last().map_or(0, |t| t.0));
    println!("{callbacks} callbacks a thread until {} s, {} bytes", end / 1_000_000, bytes.len());
    Ok(())
}
