//! Damaged and foreign maps are refused with a message; nothing panics, and nothing large is
//! allocated for them.

use std::io::Write;

use decoder::log::{Segment, SegmentStart, ThreadLog};
use decoder::replay::{NoSink, Program};
use decoder::session::decode_thread;
use model::map::{
    BlockId, CallKind, CodeOrigin, MAGIC, Map, MapError, MethodId, NameId, OriginId, OriginKind,
    OriginRange, SlotId, Terminator, ThrowingLines, VERSION, content_id,
};
use model::recording::{Recording, TraceCodec};
use model::throwing::ThrowingLinesBuilder;
use tests::sim::{Rng, Shape, random_map};

fn sample(rng: &mut Rng) -> Map {
    let shape = Shape::any(rng);
    random_map(rng, &shape)
}

/// A map file with this content and a header that fits it.
fn packed(plain: &[u8]) -> Vec<u8> {
    let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::new(1));
    deflate.write_all(plain).unwrap();
    let content = deflate.finish().unwrap();
    let mut out = MAGIC.to_vec();
    out.push(VERSION);
    out.extend_from_slice(&crc32fast::hash(&content).to_be_bytes());
    out.extend_from_slice(&(content.len() as u64).to_be_bytes());
    out.extend_from_slice(&content);
    out
}

/// The same with the build id that belongs to the content, as somebody writes it who knows how:
/// `MapError::Changed` reports.
fn forged(plain: &[u8]) -> Vec<u8> {
    let mut plain = plain.to_vec();
    if let Err(MapError::Changed { found, .. }) = Map::from_bytes(&packed(&plain)) {
        plain[..16].copy_from_slice(&found.0);
    }
    packed(&plain)
}

fn plain(map: &Map) -> Vec<u8> {
    let bytes = map.to_bytes();
    let mut plain = Vec::new();
    let mut inflate = flate2::read::DeflateDecoder::new(&bytes[18..]);
    std::io::Read::read_to_end(&mut inflate, &mut plain).unwrap();
    plain
}

fn kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|l| l.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn changed_or_cut_files_are_refused() {
    let mut rng = Rng::new(1);
    for _ in 0..5000 {
        let map = sample(&mut rng);
        let mut bytes = map.to_bytes();
        if rng.one_in(2) {
            bytes.truncate(rng.below(bytes.len()));
        } else {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
        }
        let message = Map::from_bytes(&bytes).unwrap_err().to_string();
        assert!(
            message.starts_with("map") || message.starts_with("not a Pathlight map"),
            "{message}"
        );
    }
    assert!(matches!(Map::from_bytes(b""), Err(MapError::NotAMap)));
}

/// A map whose checksum fits, but in which a single frequency, line or name is another than when
/// its build was made, decodes no log of that build.
#[test]
fn a_map_that_was_edited_is_refused_by_both_ids() {
    let mut rng = Rng::new(6);
    let map = sample(&mut rng);
    let mut edited = map.clone();
    edited.names[3].push('x');
    let mut honest = edited.clone();
    honest.seal();
    assert_ne!(honest.build, map.build);
    let message = Map::from_bytes(&edited.to_bytes()).unwrap_err().to_string();
    assert!(
        message.contains(&map.build.to_string()) && message.contains(&honest.build.to_string()),
        "{message}"
    );
    assert_eq!(Map::from_bytes(&honest.to_bytes()).unwrap(), honest);
    // Bytes behind the content belong to it, too.
    let mut longer = plain(&map);
    longer.push(0);
    assert!(matches!(Map::from_bytes(&packed(&longer)), Err(MapError::Changed { .. })));
}

/// The codec's number follows the build id (16 bytes) and the origin (32 bytes).
#[test]
fn a_codec_of_a_later_version_is_named() {
    let map = sample(&mut Rng::new(7));
    let mut plain = plain(&map);
    assert_eq!(plain[48], map.recording.number() as u8);
    plain[48] = 23;
    let message = Map::from_bytes(&forged(&plain)).unwrap_err().to_string();
    assert_eq!(message, "map of a later version: codec 23 is not known to this version");
    // A number that is known, before content that is not a map.
    plain[48] = Recording::Trace(TraceCodec::Pap).number() as u8;
    plain.truncate(60);
    let message = Map::from_bytes(&packed(&plain)).unwrap_err().to_string();
    assert!(message.starts_with("map is damaged"), "{message}");
}

/// The inflated size of a file is bounded by its size.
#[test]
fn a_map_of_zeros_is_refused_before_it_fills_memory() {
    let error = Map::from_bytes(&packed(&vec![0; 100 << 20])).unwrap_err();
    assert!(matches!(error, MapError::Inflated { .. }), "{error}");
}

/// The checksum fits: only the content's own checks are left. What they let through must be walked
/// without a panic, and must end.
#[test]
fn lies_inside_a_sealed_map_do_no_harm() {
    let mut rng = Rng::new(2);
    let before = kilobytes();
    let (mut refused, mut taken) = (0, 0);
    for _ in 0..10_000 {
        let mut content = plain(&sample(&mut rng));
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(content.len());
            match rng.below(3) {
                0 => content[at] ^= 1 << rng.below(8),
                // A length or id that is huge.
                1 => drop(content.splice(at..at + 1, [0xFF, 0xFF, 0xFF, 0xFF, 0x0F])),
                _ => content.truncate(at + 1),
            }
        }
        let Ok(map) = Map::from_bytes(&forged(&content)) else {
            refused += 1;
            continue;
        };
        taken += 1;
        let program = Program::new(&map);
        let bytes: Vec<u8> = (0..60).map(|_| rng.bits() as u8).collect();
        let segment = Segment {
            restarts: vec![],
            bytes,
            start: SegmentStart::Beginning { offset: 0 },
            syncs: vec![],
            clocks: vec![],
            first: 0,
            slabs: 1,
            complete: true,
        };
        let thread = ThreadLog {
            number: 1,
            name: None,
            tid: 0,
            late: false,
            table: None,
            segments: vec![segment],
            gaps: vec![],
        };
        decode_thread(&program, &thread, &mut NoSink);
    }
    println!("{refused} refused, {taken} taken; {before} kB before, {} kB after", kilobytes());
    assert!(refused > 5_000 && taken > 100);
    // A stack of four million frames is the most that a lying map can ask for.
    assert!(kilobytes() - before < 300_000);
}

#[test]
fn references_that_lead_nowhere_are_named() {
    let lie = |change: &dyn Fn(&mut Map)| {
        let mut rng = Rng::new(3);
        let shape = Shape {
            methods: 3,
            blocks: 3,
            predicted: 1,
            slots: 1,
            implied: 1,
            inlined: 0,
            guarded: 1,
            handlers: 2,
        };
        let mut map = random_map(&mut rng, &shape);
        change(&mut map);
        map.seal();
        Map::from_bytes(&map.to_bytes()).map(|_| ()).unwrap_err().to_string()
    };
    let first = |m: &mut Map, t: Terminator| m.methods[0].blocks[0].terminator = t;
    assert!(
        lie(&|m| first(m, Terminator::Goto(BlockId(99))))
            .contains("method 1 has a block that leads nowhere")
    );
    assert!(lie(&|m| m.methods[1].blocks.clear()).contains("method 2 has no block"));
    assert!(lie(&|m| m.slots[0].freqs[0] -= 1).contains("slot 0"));
    assert!(lie(&|m| m.next_callbacks.push((MethodId(1), SlotId(99)))).contains("next-callback"));
    assert!(lie(&|m| m.next_callbacks.push((MethodId(0), SlotId(0)))).contains("next-callback"));
    assert!(lie(&|m| m.slots.clear()).contains("inconsistent"));
    assert!(lie(&|m| m.id_bits = 33).contains("33 bits"));
    let call = CallKind::Predicted(MethodId(0));
    let site = model::map::CallSite { pc: 0, call };
    assert!(lie(&|m| m.methods[0].blocks[0].calls.push(site)).contains("method 1"));
}

/// Names of origins that are cut off, lead nowhere, or are too many; values that do not exist.
#[test]
fn origins_that_lead_nowhere_are_named_by_their_range() {
    let range = |first, count, names| OriginRange { kind: OriginKind::Id, first, count, names };
    let read = |origins: Vec<OriginRange>| {
        let mut map = sample(&mut Rng::new(5));
        map.origins = origins;
        map.seal();
        Map::from_bytes(&map.to_bytes()).map_err(|problem| problem.to_string())
    };
    let names = |n: usize| vec![Some(NameId(0)); n];
    let sound = || range(7, 2, names(2));
    for wrong in [
        range(7, 3, names(2)),
        range(7, 2, names(3)),
        range(7, 2, vec![None, Some(NameId(1 << 20))]),
        range(7, 0, vec![]),
        range(u32::MAX, 2, vec![]),
        range(0, u32::MAX, vec![]),
    ] {
        let problem = read(vec![sound(), wrong]).unwrap_err();
        assert!(problem.contains("origins of callbacks, range 2"), "{problem}");
    }
    let problem = read(vec![sound(); 65]).unwrap_err();
    assert!(problem.contains("65 ranges of 130 origins of callbacks"), "{problem}");
    // The same value in two ranges is the same value, with the name of its range.
    let twice = read(vec![sound(), range(8, 1, vec![])]).unwrap();
    let shown = |id| twice.callback_origin(OriginId(id)).map(|origin| origin.value);
    assert_eq!([0, 1, 2, 3].map(shown), [Some(7), Some(8), Some(8), None]);
}

/// A map in which each block has a second line, with bits for what can throw.
fn with_bits() -> Map {
    let mut map = sample(&mut Rng::new(6));
    let mut builder = ThrowingLinesBuilder::default();
    for block in map.methods.iter_mut().flat_map(|m| &mut m.blocks) {
        block.lines = vec![(block.pc, CodeOrigin::Line(1)), (block.pc + 5, CodeOrigin::Line(2))];
        builder.push(block, &[block.pc + 6]);
    }
    map.throwing = builder.finish();
    map
}

#[test]
fn bits_of_lines_that_the_map_does_not_have_are_refused() {
    let read = |change: &dyn Fn(&mut Map)| {
        let mut map = with_bits();
        change(&mut map);
        map.seal();
        Map::from_bytes(&map.to_bytes()).map(|_| ()).map_err(|problem| problem.to_string())
    };
    assert_eq!(read(&|_| ()), Ok(()));
    assert_eq!(read(&|map| map.throwing = ThrowingLines::default()), Ok(()));
    let lines = |map: &mut Map, n: u32| {
        let line = |i: u32| (100 + i, CodeOrigin::Line(i));
        let block = map.methods.iter_mut().flat_map(|m| &mut m.blocks).find(|b| b.throws);
        block.unwrap().lines = (0..n).map(line).collect();
    };
    for count in [20, 200] {
        let problem = read(&|map| lines(map, count)).unwrap_err();
        assert!(problem.contains("lines that can throw"), "{problem}");
    }
    let problem = read(&|map| {
        map.methods.iter_mut().for_each(|m| {
            m.blocks.iter_mut().for_each(|b| b.lines.clear());
        })
    });
    assert!(problem.unwrap_err().contains("lines that can throw"));
}

/// Version 10 ends before the bits, and names another build.
#[test]
fn a_map_of_version_10_is_the_same_without_what_can_throw() {
    let mut map = with_bits();
    map.throwing = ThrowingLines::default();
    let mut old = plain(&map);
    assert_eq!(old.pop(), Some(0), "an empty list");
    let id = content_id(10, &old);
    old[..16].copy_from_slice(&id.0);
    let mut file = packed(&old);
    file[5] = 10;
    let read = Map::from_bytes(&file).unwrap();
    map.build = id;
    assert!(read == map);
    file[5] = VERSION;
    assert!(Map::from_bytes(&file).is_err());
}

/// Nothing was recorded with such a map; logs that claim its build are no reason to panic.
#[test]
fn a_map_without_probes_decodes_nothing() {
    let mut rng = Rng::new(4);
    let mut map = sample(&mut rng);
    map.recording = Recording::Reassemble;
    map.slots.clear();
    map.next_callbacks.clear();
    map.methods.clear();
    map.handlers.clear();
    map.inlined.clear();
    map.seal();
    let map = Map::from_bytes(&map.to_bytes()).unwrap();
    let program = Program::new(&map);
    let segment = Segment {
        restarts: vec![],
        bytes: vec![0x55; 40],
        start: SegmentStart::Beginning { offset: 0 },
        syncs: vec![],
        clocks: vec![],
        first: 0,
        slabs: 1,
        complete: true,
    };
    let thread = ThreadLog {
        number: 1,
        name: None,
        tid: 0,
        late: false,
        table: None,
        segments: vec![segment],
        gaps: vec![],
    };
    assert_eq!(decode_thread(&program, &thread, &mut NoSink).faulty, 1);
}
