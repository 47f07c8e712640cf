//! Logs: slabs and headers whose checksums are right again, and logcat text among other apps'
//! lines.

use model::map::Map;
use model::recording::{Recording, TraceCodec};
use model::trace::{
    CLOCK_BITS, FileHeader, Identity, Refused, SLAB_HEADER, SlabHeader, Sync, encode_logcat,
    write_trace,
};
use mutation::{Rng, number, overwrite, resize};
use tests::sim::{Habits, Shape, file_header, identity, play, random_map, slabs};

use crate::Case;
use crate::replay::replay;

type Slab = (SlabHeader, Vec<u8>);

pub struct Kind {
    logcat: bool,
}

impl Kind {
    pub fn trace() -> Kind {
        Kind { logcat: false }
    }

    pub fn logcat() -> Kind {
        Kind { logcat: true }
    }
}

/// Output of one process, and the map of its build.
struct Session {
    map: Map,
    slabs: Vec<Slab>,
    size: usize,
}

fn session(rng: &mut Rng) -> Session {
    let shape = Shape::any(rng);
    let mut map = random_map(rng, &shape);
    map.recording = *rng.pick(&[
        Recording::ARITH,
        Recording::ARITH,
        Recording::Trace(TraceCodec::ArithAdaptive),
        Recording::Trace(TraceCodec::ArithAdaptiveShift),
        Recording::Trace(TraceCodec::Huffman),
    ]);
    map.seal();
    let size = 40 + rng.below(200);
    let mut all: Vec<Slab> = Vec::new();
    for thread in 0..1 + rng.below(3) {
        let habits = Habits::any(rng, 200);
        let played = play(&map, &map, &format!("t{thread}"), rng, habits);
        let closed = !rng.one_in(4);
        all.extend(slabs(&played, thread as u32 + 1, size, closed));
    }
    all.iter_mut().enumerate().for_each(|(i, slab)| slab.0.order = i as u32);
    Session { map, slabs: all, size }
}

fn damage_header(rng: &mut Rng, header: &mut SlabHeader) {
    let which = rng.below(5);
    let mut word = |n: &mut u32| *n = number((*n).into(), 4, rng) as u32;
    match which {
        0 => word(&mut header.thread),
        1 => word(&mut header.sequence),
        2 => word(&mut header.order),
        3 => header.clock = rng.bits() & ((1 << CLOCK_BITS) - 1),
        _ => {
            if let Some(sync) = &mut header.sync {
                word(&mut sync.progress);
                word(&mut sync.last_top);
                word(&mut sync.time);
            }
        }
    }
}

fn damage(rng: &mut Rng, slabs: &mut Vec<Slab>) {
    let (i, j) = (rng.below(slabs.len()), rng.below(slabs.len()));
    let Some((header, payload)) = slabs.get_mut(i) else { return };
    match rng.below(14) {
        0..=2 => damage_header(rng, header),
        3 => header.late ^= true,
        4 => header.unrecorded ^= true,
        5 => header.closed ^= true,
        6 => {
            let offset = number(payload.len() as u64, 2, rng) as u16;
            let offset = if offset == u16::MAX { 0 } else { offset };
            header.sync = Some(Sync {
                offset,
                progress: rng.below(9) as u32,
                last_top: rng.below(9) as u32,
                time: 7,
            });
        }
        7 => header.sync = None,
        8 => overwrite(payload, rng),
        9 => {
            let most = payload.len();
            resize(payload, rng);
            payload.truncate(most);
        }
        10 => drop(slabs.remove(i)),
        11 => {
            let again = slabs[i].clone();
            let times = if rng.one_in(10) { 500 } else { 1 };
            // Of other threads, or the same ones.
            let step = if rng.one_in(2) { rng.bits() as u32 } else { 0 };
            slabs.extend((1..=times).map(|n| {
                let thread = again.0.thread.wrapping_add(step.wrapping_mul(n)).max(1);
                (SlabHeader { thread, ..again.0 }, again.1.clone())
            }));
        }
        12 => {
            let payload = slabs[j].1.clone();
            slabs[i].1 = payload;
        }
        _ => slabs.swap(i, j),
    }
}

fn damaged_identity(rng: &mut Rng, sound: &Identity) -> Identity {
    let mut other = sound.clone();
    match rng.below(6) {
        0 => other.pid = number(other.pid.into(), 4, rng) as u32,
        1 => other.start_ms = number(other.start_ms, 8, rng),
        2 => other.instance = rng.bits(),
        3 => other.process = "\u{1b}é\n".repeat(rng.below(100)),
        4 => other.build.0[rng.below(16)] ^= 1,
        _ => other.process.clear(),
    }
    other
}

fn trace(rng: &mut Rng, session: &Session) -> Vec<u8> {
    let mut header: FileHeader = file_header(&session.map, (session.size + SLAB_HEADER) as u32, 9);
    if rng.one_in(4) {
        header.identity = damaged_identity(rng, &header.identity);
    }
    if rng.one_in(6) {
        header.refused = Some(Refused { threads: rng.bits() as u32, cut: rng.bits() as u32 });
    }
    let most = header.slab_size as usize - SLAB_HEADER;
    let slabs = session.slabs.iter().map(|(h, p)| (*h, &p[..p.len().min(most)]));
    let mut bytes = write_trace(&header, slabs);
    if rng.one_in(6) {
        // Several joined.
        bytes.extend_from_within(..);
    }
    // Damage that no checksum covers, or that it finds.
    if rng.one_in(3) {
        for _ in 0..=rng.below(3) {
            if rng.one_in(6) { resize(&mut bytes, rng) } else { overwrite(&mut bytes, rng) }
        }
    }
    bytes
}

/// A line as `adb logcat -v` writes it in one of its formats.
fn line(rng: &mut Rng, message: &str) -> String {
    match rng.below(5) {
        0 => format!("I/Pathlight(  9): {message}\n"),
        1 => format!("I( 9:0x9) {message} (Pathlight)\n"),
        2 => format!("{message}\n"),
        3 => {
            format!("\u{1b}[38;5;40m11-21 01:02:03.004  9  10 I Pathlight: {message}\u{1b}[0m\r\n")
        }
        _ => format!("11-21 01:02:03.004  9  10 I Pathlight: {message}\n"),
    }
}

/// Lines that are not Pathlight's, or that pretend to be.
fn foreign(rng: &mut Rng) -> Vec<u8> {
    let long = 1 << rng.below(18);
    match rng.below(12) {
        0 => b"11-21 01:02:03.004  9  10 I chatty: uid=0 expire 3 lines\n".to_vec(),
        1 => b"--------- beginning of crash\n".to_vec(),
        2 => [b"PL3 ".repeat(long / 4), b"\n".to_vec()].concat(),
        3 => [b"I/Pathlight( 9): PL3 ".repeat(long / 20), b"\n".to_vec()].concat(),
        4 => [b"PL3 ".to_vec(), b"A".repeat(long), b"\n".to_vec()].concat(),
        5 => [b"PL1 ".repeat(long / 4), b"\n".to_vec()].concat(),
        6 => [vec![rng.bits() as u8; long], b"\n".to_vec()].concat(),
        // Without an end.
        7 => b" PL3 AAAA".repeat(long / 8),
        8 => [b"PL3 AAAA\x1b[31m".repeat(long / 16), b"\n".to_vec()].concat(),
        9 => b"\n".repeat(long),
        10 => b"PL0 this app records its paths\nPL9 x\nPL2\nPL2 \nPL3 =\nPL3 \n".to_vec(),
        _ => [b"\xFF\xFEP\0L\0".to_vec(), (0..99).map(|_| rng.bits() as u8).collect()].concat(),
    }
}

fn logcat(rng: &mut Rng, session: &Session) -> Vec<u8> {
    let sound = identity(&session.map, 9);
    let other = damaged_identity(rng, &sound);
    let mut text = Vec::new();
    if rng.one_in(20) {
        text.extend(b"\xFF\xFE");
    }
    for (header, payload) in &session.slabs {
        let who = if rng.one_in(10) { &other } else { &sound };
        let mut bytes = line(rng, &encode_logcat(who, header, payload)).into_bytes();
        if rng.one_in(12) {
            overwrite(&mut bytes, rng);
        }
        if rng.one_in(20) {
            resize(&mut bytes, rng);
        }
        text.extend(bytes);
        if rng.one_in(12) {
            text.extend(foreign(rng));
        }
    }
    // The same line very often.
    if rng.one_in(100) {
        let part = foreign(rng);
        text.extend(part.repeat(1 + (2 << 20) / part.len().max(1)));
    }
    text
}

impl crate::Kind for Kind {
    fn case(&self, rng: &mut Rng) -> Case {
        let mut session = session(rng);
        for _ in 0..rng.below(6) {
            damage(rng, &mut session.slabs);
        }
        let bytes = if self.logcat { logcat(rng, &session) } else { trace(rng, &session) };
        Case { bytes, beside: Some(session.map.to_bytes()) }
    }

    fn feed(&self, case: &Case, rng: &mut Rng) -> bool {
        let map = Map::from_bytes(case.beside.as_deref().unwrap_or_default()).expect("a sound map");
        replay(&map, &case.bytes, rng)
    }

    fn calls(&self) -> &'static [&'static str] {
        &[
            "inspect FILE",
            "inspect FILE --json",
            "decode --map BESIDE FILE",
            "decode --map BESIDE FILE --format json",
            "train --map BESIDE FILE -o OUT",
            "report --map BESIDE FILE --folded OUT",
            "report --map BESIDE FILE --speedscope OUT",
            "report --map BESIDE FILE --perfetto OUT",
            "report --map BESIDE FILE --html OUT",
            "crash --map BESIDE FILE",
            "crash --map BESIDE FILE --steps",
            "why --list --map BESIDE FILE",
        ]
    }
}
