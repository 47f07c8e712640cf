//! Logs to measure `decode` and `train` with:
//! `cargo run -p tests --example many_logs FOLDER [LOGS [MIB]]`.
//!
//! Writes `app.plmap`, `played.plt` (eight threads of a random program, 8 MiB) and LOGS trace files
//! of MIB MiB each (60 of 32, in slabs of 1 KiB as the runtime writes them) that are read and not
//! decoded, so that the time is theirs alone.

use std::path::PathBuf;

use model::map::*;
use model::table::quantise;
use model::trace::{SLAB_HEADER, write_trace};
use tests::sim::{Habits, Rng, Shape, closed_log, file_header, play, random_map, sealed, slabs};

const SLAB: u32 = 1024;

/// A switch of 250 cases in a loop: a byte a branch.
fn switch() -> Map {
    let counts: Vec<u64> = (0..=250).map(|case| if case < 250 { 1000 } else { 0 }).collect();
    let freqs = quantise(&counts).expect("a few alternatives");
    let alternatives = (1..).map(BlockId).zip(freqs).collect();
    let block = |terminator| Block {
        pc: 0,
        end: 1,
        lines: vec![],
        calls: vec![],
        throws: true,
        mark: false,
        terminator,
    };
    let mut blocks = vec![block(Terminator::Branch {
        alternatives,
        identity: BranchIdentity { fingerprint: 1 },
    })];
    blocks.resize(251, block(Terminator::Goto(BlockId(0))));
    blocks.push(block(Terminator::Return));
    let shape = Shape {
        methods: 2,
        blocks: 1,
        predicted: 0,
        slots: 0,
        implied: 0,
        inlined: 0,
        guarded: 1,
        handlers: 0,
    };
    let mut map = random_map(&mut Rng::new(1), &shape);
    map.methods[0].blocks = blocks;
    map.slots = vec![Slot { callees: vec![MethodId(1)], freqs: vec![1, 65_534], site: NameId(0) }];
    map.next_callbacks.clear();
    Map::from_bytes(&sealed(map).to_bytes()).expect("a sound map")
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, otherwise: u32| {
        arguments.get(i).and_then(|n| n.parse().ok()).unwrap_or(otherwise)
    };
    let folder = PathBuf::from(arguments.first().expect("a folder"));
    std::fs::create_dir_all(&folder)?;
    let map = switch();
    std::fs::write(folder.join("app.plmap"), map.to_bytes())?;
    let played = play(&map, &map, "played", &mut Rng::new(3), Habits::plain(2_200_000, false));
    let threads: Vec<_> =
        (1..=8).flat_map(|t| slabs(&played, t, SLAB as usize - SLAB_HEADER, true)).collect();
    let bytes = write_trace(&file_header(&map, SLAB, 1), threads.iter().map(|(h, p)| (*h, &p[..])));
    std::fs::write(folder.join("played.plt"), bytes)?;
    for pid in 0..number(1, 60) {
        let log = closed_log(&map, 1000 + pid, SLAB, number(2, 32) << 10);
        std::fs::write(folder.join(format!("full-{pid:04}.plt")), log)?;
    }
    Ok(())
}
