//! Streams written down by hand.

use model::map::*;
use model::recording::{Recording, TraceCodec};

use super::*;
use crate::crew::Cores;
use crate::log::SegmentStart;
use crate::replay::{Credit, LoopRounds, PathEvent, PathSink};
use crate::session::ThreadTotals;

#[derive(Debug, Default, PartialEq, Eq)]
struct Heard(Vec<String>);

impl PathSink for Heard {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method: m, .. } => self.0.push(format!("enter {}", m.0)),
            PathEvent::Block(b) => self.0.push(format!("block {}", b.0)),
            PathEvent::Leave => self.0.push("leave".into()),
            PathEvent::Caught { dropped, block: b, from, .. } => {
                self.0.push(format!("caught {dropped} {} from {}", b.0, from[0].0))
            }
            PathEvent::Unwound { dropped, from } => {
                self.0.push(format!("unwound {dropped} from {}", from[0].0))
            }
            PathEvent::Checked => self.0.push("checked".into()),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        rounds.pass_each(self);
    }
}

/// A loop: 0 → 1, 1 → 2 or 3, 2 → 1, 3 returns; 4 is a handler, which goes to 1. The loop's
/// body calls method 2, which throws or returns.
fn map() -> Map {
    let block = |terminator, calls: &[u32]| Block {
        pc: 0,
        end: 1,
        lines: vec![],
        calls: calls
            .iter()
            .map(|m| CallSite { pc: 0, call: CallKind::Predicted(MethodId(*m)) })
            .collect(),
        throws: !calls.is_empty(),
        mark: false,
        terminator,
    };
    let goto = |b| Terminator::Goto(BlockId(b));
    let branch = |a, b| Terminator::Branch {
        alternatives: vec![(BlockId(a), 32_768), (BlockId(b), 32_767)],
        identity: BranchIdentity { fingerprint: 1 },
    };
    let method = |blocks| Method {
        class: NameId(0),
        name: NameId(0),
        descriptor: NameId(0),
        source_file: None,
        in_app: None,
        kind: model::map::MethodKind::Source,
        guarded: true,
        blocks,
        fingerprint: 0,
        regions: vec![],
        loops: vec![],
    };
    Map {
        build: BuildId::default(),
        origin: [0; 32],
        recording: Recording::Trace(TraceCodec::Pap),
        id_bits: 2,
        package: String::new(),
        names: vec![String::new()],
        methods: vec![
            method(vec![
                block(goto(1), &[]),
                block(branch(2, 3), &[]),
                block(goto(1), &[2]),
                block(Terminator::Return, &[]),
                block(goto(1), &[]),
            ]),
            method(vec![block(Terminator::Return, &[])]),
        ],
        handlers: vec![Handler { method: MethodId(1), block: BlockId(4) }],
        slots: vec![Slot { callees: vec![], freqs: vec![65_535], site: NameId(0) }],
        next_callbacks: vec![],
        skipped: vec![],
        places: model::map::SourcePositions::default(),
        protocol: 2,
        inlined: Vec::new(),
        paths: Vec::new(),
        code_lines: Vec::new(),
        generated: Vec::new(),
        origins: Vec::new(),
        upper_bounds: false,
        throwing: ThrowingLines::default(),
    }
}

fn decode(bytes: &[u8]) -> (Result<Ended, Fault>, Vec<String>) {
    decode_with(&map(), bytes)
}

fn decode_with(map: &Map, bytes: &[u8]) -> (Result<Ended, Fault>, Vec<String>) {
    let program = Program::new(map);
    let segment = Segment {
        restarts: vec![],
        bytes: bytes.to_vec(),
        start: SegmentStart::Beginning { offset: 0 },
        syncs: vec![],
        clocks: vec![],
        first: 0,
        slabs: 1,
        complete: true,
    };
    let mut heard = Heard::default();
    let cores = Cores::new(1);
    let mut decoding = Decoding {
        program: &program,
        cores: &cores,
        totals: ThreadTotals::default(),
        steps: 1_000_000,
        credit: Credit::NONE,
    };
    let ended = PapReader.read(&mut decoding, &segment, (0, Start::default()), &mut heard);
    (ended, heard.0)
}

/// Block 1 has three ways in: from 0, 2 and 4. Once round: r = 1·3 + 0 = 3, then 3·3 + 1 = 10;
/// the frame is number 1, and the progress at the end 4 (two entries, two exits): 4 · 0x9E3779B1 =
/// 0x2_78DD_E6C4, so the check is 0x78DD.
const ONCE: [u8; 9] = [7, 1, 0, 0x42, 3, 10, 8, 0x78, 0xDD];

#[test]
fn a_number_is_read_backwards() {
    let (ended, heard) = decode(&ONCE);
    assert_eq!(ended, Ok(Ended::Clean));
    let want =
        "enter 1,block 0,block 1,block 2,enter 2,block 5,leave,block 1,block 3,leave,checked";
    assert_eq!(heard.join(","), want);
}

/// As `ONCE`, but the number is put out before the second join: 3 as a break of frame 1 (named by
/// an item of its own, distance 1), then r = 1·3 + 1 = 4.
#[test]
fn a_break_is_of_the_frame_that_was_named_last() {
    let bytes = [7, 1, 0, 2, 2, 0x80, 0, 0, 0, 0, 0, 0, 3, 0x40, 3, 4, 8, 0x78, 0xDD];
    assert_eq!(decode(&bytes), (Ok(Ended::Clean), decode(&ONCE).1));
    // Of a frame that never was: proves nothing.
    let other = [7, 1, 0, 2, 8, 0x80, 0, 0, 0, 0, 0, 0, 3, 0x45, 3, 10, 8, 0x78, 0xDD];
    let (ended, heard) = decode(&other);
    assert!(ended.is_err() && heard.is_empty(), "{ended:?} {heard:?}");
}

/// The callee throws in its only block (frame 2, progress 2); the handler takes it in block 2 with
/// r = 3; then 4 → 1 → 3: r = 1·3 + 2 = 5. Progress at the end: two entries, one exit: 3 ·
/// 0x9E3779B1 = 0x1_DAA6_6D13.
#[test]
fn an_exception_ends_a_stretch_and_begins_another() {
    let bytes = [7, 1, 0, 4, 4, 0, 1, 2, 3, 1, 2, 3, 0, 0, 0x40, 3, 5, 8, 0xDA, 0xA6];
    let (ended, heard) = decode(&bytes);
    assert_eq!(ended, Ok(Ended::Clean));
    let want = "enter 1,block 0,block 1,block 2,enter 2,block 5,caught 1 4 from 5,block 1,\
                block 3,leave,checked";
    assert_eq!(heard.join(","), want);
}

/// The body's mark meets a full stack: the exception leaves at progress 1, before the mark was
/// counted and before the call. Progress at the end 1: 0x9E37.
#[test]
fn a_mark_that_found_no_stack_was_not_counted() {
    let mut map = map();
    map.methods[0].blocks[2].mark = true;
    let bytes = [7, 1, 0, 4, 2, 2, 3, 1, 8, 0x9E, 0x37];
    let (ended, heard) = decode_with(&map, &bytes);
    assert_eq!(ended, Ok(Ended::Clean));
    assert_eq!(heard.join(","), "enter 1,block 0,block 1,block 2,unwound 1 from 2,checked");
}

/// 300 = 0x12C frames are missing, so the end of the outermost one, which follows, proves nothing.
#[test]
fn frames_that_a_full_stack_swallowed_are_named() {
    let (ended, heard) = decode(&[7, 1, 0, 10, 0xAC, 0x02, 4, 2, 2, 3, 1, 8, 0x9E, 0x37]);
    let fault = ended.unwrap_err();
    assert_eq!(fault.kind, FaultKind::FullStack(300));
    assert!(fault.to_string().contains("300 frames are missing: on a full stack"), "{fault}");
    assert_eq!(heard, Vec::<String>::new());
}

/// Whatever byte is changed: a path that is called proven is the right one, or the number of times
/// round the loop that the check allows.
#[test]
fn damage_is_refused() {
    let right = decode(&ONCE).1;
    for at in 0..ONCE.len() {
        for value in 0..=255 {
            let mut bytes = ONCE;
            bytes[at] = value;
            let (_, heard) = decode(&bytes);
            assert!(
                at == 2 || bytes == ONCE || !heard.contains(&"checked".into()) || heard == right,
                "{bytes:?} {heard:?}"
            );
        }
    }
}

#[test]
fn a_cut_stream_gives_a_prefix() {
    let right = decode(&ONCE).1;
    for n in 0..ONCE.len() {
        let (ended, heard) = decode(&ONCE[..n]);
        assert!(ended.is_ok() && right.starts_with(&heard), "{n}: {ended:?} {heard:?}");
    }
}
