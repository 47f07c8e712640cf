//! Maps, sealed again after the damage, so that their build id is right: bytes of the content, and
//! single fields. Each comes with a log of its build.

use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use model::inlined::{BlockFragment, Inlined, InlinedCall};
use model::map::{
    Block, BlockId, BuildId, CallKind, CodeOrigin, MAGIC, Map, MethodId, NameId, OriginKind,
    OriginRange, OutlineCall, Position, PositionId, SlotId, SourcePositions, Terminator, VERSION,
    content_id,
};
use model::recording::{Recording, TraceCodec};
use model::table::quantise;
use model::throwing::ThrowingLinesBuilder;
use model::trace::SLAB_HEADER;
use mutation::{Rng, number, overwrite, resize};
use tests::sim::{Shape, random_map, sealed};

use crate::replay::replay;
use crate::{Case, fixtures};

const ID_BYTES: usize = 16;

pub struct Kind {
    seeds: Vec<Map>,
}

impl Kind {
    pub fn new(inputs: &[PathBuf]) -> Result<Kind, String> {
        let mut seeds = Vec::new();
        if inputs.is_empty() {
            for (program, recording) in [
                ("inline", Recording::ARITH),
                ("handlers", Recording::ARITH),
                ("monitors", Recording::Trace(TraceCodec::ArithAdaptive)),
                ("exceptions", Recording::Trace(TraceCodec::Huffman)),
                ("x86", Recording::Trace(TraceCodec::Pap)),
                ("calls", Recording::Trace(TraceCodec::Blocks)),
            ] {
                seeds.push(fixtures::map_of(program, recording)?);
            }
        }
        for bytes in fixtures::seeds(inputs, &[])? {
            seeds.push(Map::from_bytes(&bytes).map_err(|e| e.to_string())?);
        }
        Ok(Kind { seeds })
    }
}

/// The content of a map as a file whose build id, length and checksum are right.
fn file(mut plain: Vec<u8>) -> Vec<u8> {
    let id = content_id(VERSION, &plain);
    plain.iter_mut().zip(id.0).for_each(|(to, from)| *to = from);
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::fast());
    let content =
        deflate.write_all(&plain).and_then(|()| deflate.finish()).expect("writing to memory");
    let length = (content.len() as u64).to_be_bytes();
    [MAGIC, &[VERSION][..], &crc32fast::hash(&content).to_be_bytes(), &length, &content].concat()
}

fn id(rng: &mut Rng, old: u32, below: usize) -> u32 {
    if rng.one_in(4) { number(old.into(), 4, rng) as u32 } else { rng.below(below) as u32 }
}

/// Other frequencies, mostly with the right sum.
fn freqs(rng: &mut Rng, n: usize) -> Vec<u16> {
    let counts: Vec<u64> = (0..n).map(|_| 1 << rng.below(50)).collect();
    let mut freqs = quantise(&counts).unwrap_or_default();
    if rng.one_in(8) && !freqs.is_empty() {
        let at = rng.below(freqs.len());
        freqs[at] = number(freqs[at].into(), 2, rng) as u16;
    }
    freqs
}

fn place(rng: &mut Rng) -> CodeOrigin {
    match rng.below(3) {
        0 => CodeOrigin::Line(rng.bits() as u32),
        1 => CodeOrigin::At(PositionId(rng.bits() as u32)),
        _ => CodeOrigin::At(PositionId(rng.below(4) as u32)),
    }
}

/// Frames that lead nowhere, in circles, or very deep.
fn damage_places(rng: &mut Rng, places: &mut SourcePositions) {
    let sources = places.sources.len();
    let at = rng.below(places.positions.len().max(1));
    let position = Position {
        method: id(rng, 0, sources),
        line: rng.bits() as u32,
        caller: id(rng, at as u32, places.positions.len() + 1),
    };
    match rng.below(4) {
        0 => places.positions.push(position),
        1 => {
            if let Some(old) = places.positions.get_mut(at) {
                *old = position;
            }
        }
        2 => {
            let first = places.positions.len() as u32;
            let deep = (0..1 << rng.below(12)).map(|n| Position { caller: first + n, ..position });
            places.positions.extend(deep);
        }
        _ => {
            let method = MethodId(id(rng, 1, 4));
            let lines = (0..rng.below(4) as u32).map(|l| (l, place(rng))).collect();
            places.outline_calls.push(OutlineCall { method, pc: rng.below(9) as u32, lines });
        }
    }
}

fn damage_block(rng: &mut Rng, block: &mut Block, blocks: usize, methods: usize, slots: usize) {
    match rng.below(9) {
        0 => block.throws ^= true,
        1 => block.mark ^= true,
        2 => block.pc = number(block.pc.into(), 4, rng) as u32,
        3 => block.lines.iter_mut().for_each(|l| *l = (rng.bits() as u32, place(rng))),
        4 => block.calls.iter_mut().for_each(|c| {
            c.call = match rng.below(3) {
                0 => CallKind::Predicted(MethodId(id(rng, 0, methods).wrapping_add(1))),
                1 => CallKind::Implied(MethodId(id(rng, 0, methods).wrapping_add(1))),
                _ => CallKind::Slot(SlotId(id(rng, 0, slots))),
            }
        }),
        5 => {
            if let Some(call) = block.calls.first().copied() {
                let times = if rng.one_in(10) { 1 << rng.below(14) } else { 2 };
                block.calls = vec![call; times];
            }
        }
        6 => {
            let n = if rng.one_in(20) { 2 + rng.below(3000) } else { 2 + rng.below(3) };
            let freqs = freqs(rng, n);
            let alternatives = freqs.iter().map(|&f| (BlockId(id(rng, 0, blocks)), f)).collect();
            block.terminator = Terminator::Branch {
                alternatives,
                identity: model::map::BranchIdentity { fingerprint: rng.bits() },
            };
        }
        7 => block.terminator = Terminator::Goto(BlockId(id(rng, 0, blocks))),
        _ => block.terminator = if rng.one_in(2) { Terminator::Return } else { Terminator::Throw },
    }
}

fn damage_method(rng: &mut Rng, map: &mut Map) {
    let (methods, slots) = (map.methods.len(), map.slots.len());
    let at = rng.below(methods);
    let Some(method) = map.methods.get_mut(at) else { return };
    let blocks = method.blocks.len();
    match rng.below(10) {
        0 => method.guarded ^= true,
        1 => method.name = NameId(id(rng, method.name.0, map.names.len())),
        2 => {
            if let Some(region) = method.regions.first_mut() {
                match rng.below(4) {
                    0 => region.base = number(region.base.into(), 4, rng) as u32,
                    1 => region.inside.reverse(),
                    2 => region.head = BlockId(id(rng, region.head.0, blocks)),
                    _ => region.freqs = freqs(rng, region.freqs.len()),
                }
            }
        }
        3 => {
            if let Some(l) = method.loops.first_mut() {
                match rng.below(3) {
                    0 => l.stay ^= 1,
                    1 => l.branch = BlockId(id(rng, l.branch.0, blocks)),
                    _ => l.freqs = freqs(rng, l.freqs.len()),
                }
            }
        }
        4 => {
            let again = method.blocks[rng.below(blocks)].clone();
            let times = if rng.one_in(10) { rng.below(5000) } else { 1 };
            method.blocks.extend(std::iter::repeat_n(again, times));
        }
        _ => {
            let at = rng.below(blocks);
            damage_block(rng, &mut method.blocks[at], blocks, methods, slots);
        }
    }
}

fn damage_inlined(rng: &mut Rng, map: &mut Map) {
    let methods = map.methods.len();
    let call = |rng: &mut Rng| InlinedCall {
        depth: if rng.one_in(4) { rng.below(256) as u8 } else { rng.below(4) as u8 },
        block: BlockId(rng.below(6) as u32),
        call: rng.below(4) as u32,
    };
    let Some(inlined) = map.inlined.first_mut().filter(|_| !rng.one_in(4)) else {
        let method = MethodId(id(rng, 1, methods));
        let calls: Vec<InlinedCall> = (0..1 + rng.below(4)).map(|_| call(rng)).collect();
        let pieces = vec![BlockFragment { throws: true, mark: false }; calls.len() + rng.below(3)];
        map.inlined.insert(0, Inlined { method, calls, pieces });
        return;
    };
    match rng.below(6) {
        0 => inlined.method = MethodId(id(rng, inlined.method.0, methods)),
        1 => inlined.calls.iter_mut().for_each(|c| *c = call(rng)),
        2 => {
            let times = if rng.one_in(4) { 1 << rng.below(14) } else { 2 };
            inlined.calls = inlined.calls.iter().copied().cycle().take(times).collect();
            inlined.pieces.resize(times + 1, BlockFragment { throws: false, mark: true });
        }
        3 => drop(inlined.pieces.pop()),
        4 => inlined.pieces.iter_mut().for_each(|p| p.mark ^= true),
        _ => inlined.calls.iter_mut().for_each(|c| c.depth = c.depth.wrapping_add(1)),
    }
}

/// Ranges of origins whose names are cut off, missing, of other numbers or the same ones; values
/// that two ranges have, or none; other ranges than the log was written with.
fn damage_origins(rng: &mut Rng, map: &mut Map) {
    let names = map.names.len();
    if map.origins.is_empty() || rng.one_in(8) {
        let kinds = [OriginKind::Id, OriginKind::Position, OriginKind::Key, OriginKind::Action];
        let count = 1 + rng.below(6) as u32;
        let named = (0..count).map(|_| Some(NameId(rng.below(names) as u32))).collect();
        let first = rng.bits() as u32;
        map.origins.push(OriginRange { kind: *rng.pick(&kinds), first, count, names: named });
        return;
    }
    let at = rng.below(map.origins.len());
    let range = &mut map.origins[at];
    match rng.below(9) {
        0 => drop(range.names.pop()),
        1 => range.names.push(None),
        2 => {
            let name = NameId(id(rng, 0, names));
            range.names = vec![Some(name); range.count.min(1 << 12) as usize];
        }
        3 => range.count = number(range.count.into(), 4, rng) as u32,
        4 => range.first = number(range.first.into(), 4, rng) as u32,
        5 => range.kind = OriginKind::Action,
        6 => {
            let again = range.clone();
            let times = if rng.one_in(10) { rng.below(200) } else { 1 };
            map.origins.extend(std::iter::repeat_n(again, times));
        }
        7 => drop(map.origins.remove(at)),
        _ => map.origins.reverse(),
    }
}

fn damage(rng: &mut Rng, map: &mut Map) {
    let (methods, slots) = (map.methods.len(), map.slots.len());
    match rng.below(18) {
        0 => map.id_bits = number(map.id_bits.into(), 1, rng) as u8,
        1 => {
            let codecs = [
                Recording::Reassemble,
                Recording::ARITH,
                Recording::Trace(TraceCodec::Huffman),
                Recording::Trace(TraceCodec::BallLarus),
                Recording::Trace(TraceCodec::Blocks),
            ];
            let more = [
                Recording::Trace(TraceCodec::ArithAdaptive),
                Recording::Trace(TraceCodec::ArithAdaptiveShift),
                Recording::Trace(TraceCodec::Pap),
            ];
            map.recording = if rng.one_in(2) { *rng.pick(&codecs) } else { *rng.pick(&more) };
        }
        2 if slots > 0 => {
            let at = rng.below(slots);
            let n = rng.below(methods.min(200));
            map.slots[at].callees = (1..=n as u32).map(MethodId).collect();
            map.slots[at].freqs = freqs(rng, n + 1);
        }
        3 => map
            .next_callbacks
            .iter_mut()
            .for_each(|i| *i = (MethodId(id(rng, i.0.0, methods)), SlotId(id(rng, i.1.0, slots)))),
        4 => {
            if let Some(h) = map.handlers.first_mut() {
                (h.method, h.block) =
                    (MethodId(id(rng, h.method.0, methods)), BlockId(id(rng, h.block.0, 5)));
            }
        }
        5 => {
            let at = rng.below(map.names.len());
            let name = *rng.pick(&["", "L;", "\u{1b}[2J\n", "(", ")V", "é", "L/;"]);
            map.names[at] = name.repeat(if rng.one_in(4) { 1 << rng.below(16) } else { 1 });
        }
        // Each method calls the next one twice.
        6 => {
            for (i, method) in map.methods.iter_mut().enumerate().take(60) {
                let call = CallKind::Predicted(MethodId((i as u32 + 2).min(methods as u32)));
                let site = model::map::CallSite { pc: 0, call };
                if let Some(block) = method.blocks.first_mut() {
                    block.calls = vec![site; 2];
                }
            }
        }
        7 => drop(map.methods.pop()),
        8 => damage_places(rng, &mut map.places),
        9 => map.protocol = rng.below(6) as u8,
        10 | 11 => damage_inlined(rng, map),
        12 | 13 => damage_origins(rng, map),
        _ => damage_method(rng, map),
    }
    // Otherwise damaged lines are refused before anything reads them.
    if !map.throwing.is_empty() && !rng.one_in(8) {
        let mut bits = ThrowingLinesBuilder::default();
        map.methods.iter().flat_map(|m| &m.blocks).for_each(|b| bits.replace(b, b, None));
        map.throwing = bits.finish();
    }
}

/// A log of this build: what the sound map would have written, or random bytes.
fn log(rng: &mut Rng, sound: &Map, build: BuildId) -> Vec<u8> {
    use tests::sim::{Habits, file_header, play, slabs};
    let habits = if rng.one_in(2) { Habits::any(rng, 100) } else { Habits::plain(100, false) };
    let mut played = play(sound, sound, "main", rng, habits);
    if rng.one_in(4) {
        overwrite(&mut played.bytes, rng);
    }
    let slabs = slabs(&played, 1, 100, true);
    let named = Map { build, ..sound.clone() };
    model::trace::write_trace(
        &file_header(&named, 100 + SLAB_HEADER as u32, 9),
        slabs.iter().map(|(h, p)| (*h, &p[..])),
    )
}

impl crate::Kind for Kind {
    fn case(&self, rng: &mut Rng) -> Case {
        // What the simulated device can play has neither regions nor counted loops.
        let random = rng.one_in(2);
        let sound = if random {
            let shape = Shape::any(rng);
            let mut map = random_map(rng, &shape);
            map.recording = *rng.pick(&[
                Recording::ARITH,
                Recording::Trace(TraceCodec::ArithAdaptive),
                Recording::Trace(TraceCodec::ArithAdaptiveShift),
                Recording::Trace(TraceCodec::Huffman),
            ]);
            map
        } else {
            rng.pick(&self.seeds).clone()
        };
        let mut map = sound.clone();
        let mut plain = Vec::new();
        if !rng.one_in(3) {
            for _ in 0..=rng.below(4) {
                damage(rng, &mut map);
            }
        }
        plain.extend(postcard::to_allocvec(&map).expect("a map in memory always serialises"));
        if rng.one_in(3) {
            for _ in 0..=rng.below(3) {
                let from = plain.len().min(ID_BYTES);
                if rng.one_in(4) {
                    let mut rest = plain.split_off(from);
                    resize(&mut rest, rng);
                    plain.extend(rest);
                } else {
                    overwrite(&mut plain[from..], rng);
                }
            }
        }
        let bytes = file(plain);
        let build = Map::from_bytes(&bytes).map_or_else(|_| BuildId::default(), |m| m.build);
        let log = if random {
            log(rng, &sound, build)
        } else {
            let simple = Shape {
                methods: 4,
                blocks: 4,
                predicted: 2,
                slots: 2,
                implied: 2,
                inlined: 0,
                guarded: 1,
                handlers: 1,
            };
            let other = random_map(rng, &simple);
            log(rng, &other, build)
        };
        Case { bytes, beside: Some(log) }
    }

    fn feed(&self, case: &Case, rng: &mut Rng) -> bool {
        let Ok(map) = Map::from_bytes(&case.bytes) else { return false };
        // What was read may have been encoded otherwise than it is written, which makes another id.
        let written = sealed(map.clone());
        assert!(
            Map::from_bytes(&written.to_bytes()).is_ok_and(|again| again == written),
            "it is read as another"
        );
        replay(&map, case.beside.as_deref().unwrap_or_default(), rng);
        true
    }

    fn calls(&self) -> &'static [&'static str] {
        &[
            "inspect FILE --all",
            "inspect FILE --json",
            "decode --map FILE BESIDE",
            "decode --map FILE BESIDE --format json",
            "train --map FILE BESIDE -o OUT",
            "report --map FILE BESIDE --folded OUT",
            "report --map FILE BESIDE --speedscope OUT",
            "report --map FILE BESIDE --perfetto OUT",
            "report --map FILE BESIDE --html OUT",
            "crash --map FILE BESIDE",
            "crash --map FILE BESIDE --steps",
            "why --list --map FILE BESIDE",
        ]
    }
}
