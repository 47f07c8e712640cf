//! Cost of decoding, in symbols read and steps walked, when a forged map and log make it expensive.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ThreadId;

use model::coder::{CoderError, Encoder};
use model::map::*;
use model::protocol::Span;
use model::recording::{Recording, TraceCodec};
use model::symbols::Alternative;

use super::*;
use crate::log::SyncPoint;
use crate::replay::{FaultKind, LoopRounds, NoSink, PathEvent, PathSink};

/// Symbols that were read: by one thread of the machine, and by all.
struct Read {
    thread: ThreadId,
    own: AtomicU64,
    all: AtomicU64,
}

impl Read {
    fn new() -> Read {
        let thread = thread::current().id();
        Read { thread, own: AtomicU64::new(0), all: AtomicU64::new(0) }
    }
}

/// A decoder that counts the symbols it is asked for.
#[derive(Clone)]
struct Counting<'d>(Decoder<'d>, &'d Read);

impl Counting<'_> {
    fn one(&self) {
        let own = u64::from(thread::current().id() == self.1.thread);
        self.1.own.fetch_add(own, Ordering::Relaxed);
        self.1.all.fetch_add(1, Ordering::Relaxed);
    }
}

impl Symbols for Counting<'_> {
    const WEAK_BELOW: usize = <Decoder<'static> as Symbols>::WEAK_BELOW;
    fn is_escape(&self) -> Result<bool, CoderError> {
        Symbols::is_escape(&self.0)
    }
    fn escape(&mut self) -> Result<(), CoderError> {
        Symbols::escape(&mut self.0)
    }
    fn two(&mut self, first: u32) -> Result<Option<usize>, CoderError> {
        self.one();
        Symbols::two(&mut self.0, first)
    }
    fn among(&mut self, all: &[Alternative]) -> Result<usize, CoderError> {
        self.one();
        Symbols::among(&mut self.0, all)
    }
    fn bits(&mut self, n: u32) -> Result<u32, CoderError> {
        Symbols::bits(&mut self.0, n)
    }
    const WORD: usize = <Decoder<'static> as Symbols>::WORD;
    fn span(&mut self, kind: Span) -> Result<u32, CoderError> {
        self.one();
        Symbols::span(&mut self.0, kind)
    }
    fn check(&mut self, hash: u32) -> Result<bool, CoderError> {
        Symbols::check(&mut self.0, hash)
    }
    fn flush(&mut self) -> Result<usize, CoderError> {
        Symbols::flush(&mut self.0)
    }
    fn record_start(&self) -> usize {
        Symbols::record_start(&self.0)
    }
    fn position(&self) -> usize {
        Symbols::position(&self.0)
    }
    fn at_end(&self) -> bool {
        Symbols::at_end(&self.0)
    }
}

fn block(terminator: Terminator, calls: &[u32]) -> Block {
    let calls: Vec<CallSite> =
        calls.iter().map(|m| CallSite { pc: 0, call: CallKind::Predicted(MethodId(*m)) }).collect();
    Block {
        pc: 0,
        end: 1,
        lines: vec![],
        throws: !calls.is_empty(),
        calls,
        mark: false,
        terminator,
    }
}

/// The first method is called back; the others follow.
fn map(recording: Recording, methods: Vec<Vec<Block>>) -> Map {
    let method = |(i, blocks)| Method {
        class: NameId(0),
        name: NameId(0),
        descriptor: NameId(0),
        source_file: None,
        in_app: None,
        kind: model::map::MethodKind::Source,
        guarded: i == 0,
        blocks,
        fingerprint: 0,
        regions: vec![],
        loops: vec![],
    };
    let mut map = Map {
        build: BuildId::default(),
        origin: [0; 32],
        recording,
        id_bits: 8,
        package: String::new(),
        names: vec![String::new()],
        methods: methods.into_iter().enumerate().map(method).collect(),
        handlers: vec![],
        slots: vec![Slot { callees: vec![MethodId(1)], freqs: vec![1, 65_534], site: NameId(0) }],
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
    };
    map.seal();
    Map::from_bytes(&map.to_bytes()).unwrap()
}

fn thread(bytes: Vec<u8>, syncs: Vec<SyncPoint>, slabs: u32) -> ThreadLog {
    let start = SegmentStart::Beginning { offset: 0 };
    let restarts = vec![];
    let segment =
        Segment { bytes, start, syncs, restarts, clocks: vec![], first: 0, slabs, complete: false };
    ThreadLog {
        number: 1,
        name: None,
        tid: 0,
        late: false,
        table: None,
        segments: vec![segment],
        gaps: vec![],
    }
}

/// Bytes of 64 that begin a callback which then decides again and again, for ever.
fn endless(slabs: usize) -> ThreadLog {
    let mut e = Encoder::new();
    e.narrow(1, 65_534);
    e.gamma(0);
    (0..1000).for_each(|_| e.narrow(0, 32_768));
    let bytes: Vec<u8> = (0..slabs).flat_map(|_| e.published()[..64].to_vec()).collect();
    let syncs = (0..slabs)
        .map(|i| SyncPoint { offset: 64 * i, progress: 0, last_top: 0, time: 0 })
        .collect();
    thread(bytes, syncs, slabs as u32)
}

/// The reader of the range wire, with its symbols counted.
struct CountingReader(Read);

impl RecordReader for CountingReader {
    fn read(
        &self,
        decoding: &mut Decoding<'_>,
        segment: &Segment,
        from: (usize, Start),
        sink: &mut impl PathSink,
    ) -> Result<Ended, Fault> {
        let decoder = |at| Counting(Decoder::new(&segment.bytes, at), &self.0);
        read_symbols(decoding, segment, decoder, from, sink)
    }
}

/// Reads the log of an endless callback with a sync point in each of `slabs` slabs.
fn read_endless(cores: &Cores, slabs: usize, reader: &impl RecordReader) {
    let branch = Terminator::Branch {
        alternatives: vec![(BlockId(0), 32_768), (BlockId(1), 32_767)],
        identity: BranchIdentity { fingerprint: 0 },
    };
    let map = map(
        Recording::ARITH,
        vec![vec![block(branch, &[]), block(Terminator::Goto(BlockId(0)), &[])]],
    );
    let program = Program::new(&map);
    let thread = endless(slabs);
    let Ok(totals) = decode_with(cores, &program, &mut Whole(&thread), &mut NoSink, reader);
    assert!(totals.proven == 0 && totals.faulty >= slabs as u64 - 1, "{totals:?}");
}

/// A record that continues past a place where the slab's header begins another one is invalid:
/// nothing beyond is read.
#[test]
fn decoding_that_begins_again_in_every_slab_reads_every_byte_a_few_times_only() {
    let slabs = 200;
    for cores in [Cores::new(1), Cores::with_piece(4, 256)] {
        let reader = CountingReader(Read::new());
        read_endless(&cores, slabs, &reader);
        let read = reader.0.all.into_inner();
        assert!(read < 2 * 8 * 64 * slabs as u64, "{read} symbols of {} bytes", 64 * slabs);
    }
}

/// The reader of the range wire; counts the decoders that other threads asked for.
struct Helped(ThreadId, AtomicU64);

impl RecordReader for Helped {
    fn read(
        &self,
        decoding: &mut Decoding<'_>,
        segment: &Segment,
        from: (usize, Start),
        sink: &mut impl PathSink,
    ) -> Result<Ended, Fault> {
        let decoder = |at| {
            let other = thread::current().id() != self.0;
            self.1.fetch_add(other.into(), Ordering::Relaxed);
            Decoder::new(&segment.bytes, at)
        };
        read_symbols(decoding, segment, decoder, from, sink)
    }
}

/// If decoding fails again and again, it never comes far enough for others to prove ahead; their
/// proofs would be dropped.
#[test]
fn after_a_fault_nothing_is_proven_ahead_before_decoding_has_gone_on_for_a_piece() {
    let helped = Helped(thread::current().id(), AtomicU64::new(0));
    read_endless(&Cores::with_piece(4, 256), 200, &helped);
    assert_eq!(helped.1.into_inner(), 0, "pieces were begun");

    // Of the same size, without a fault: there they help.
    let helped = Helped(thread::current().id(), AtomicU64::new(0));
    let map = doubling(Recording::ARITH, 0);
    let program = Program::new(&map);
    let log = callbacks(2_000);
    let cores = Cores::with_piece(4, 256);
    let Ok(_) = decode_with(&cores, &program, &mut Whole(&log), &mut NoSink, &helped);
    assert!(helped.1.into_inner() > 0, "no piece was begun");
}

#[test]
fn a_thread_that_was_killed_in_its_first_callback_is_cut() {
    for recording in
        [Recording::ARITH, Recording::Trace(TraceCodec::Huffman), Recording::Trace(TraceCodec::Pap)]
    {
        let map = doubling(recording, 0);
        let program = Program::new(&map);
        let log = thread(vec![], vec![], 1);
        let mut ear = Ear::default();
        decode_thread(&program, &log, &mut ear);
        assert_eq!(ear.notes, [Note::Ended(Ended::Cut)], "{recording:?}");
    }
}

/// The log of a method without a decision that is called back so often, with a sync point at each
/// record.
fn callbacks(count: u32) -> ThreadLog {
    let (mut bytes, mut syncs) = (vec![], vec![]);
    for i in 0..count {
        let last_top = u32::from(i > 0);
        syncs.push(SyncPoint { offset: bytes.len(), progress: 2 * i, last_top, time: 0 });
        bytes.extend(record(Recording::ARITH, 0, 2 * i));
    }
    thread(bytes, syncs, count)
}

/// One thread passes on, and reads each symbol once for that; the rest of the time it waits for
/// the other's proofs or makes its own.
#[test]
fn a_free_core_proves_what_follows() {
    let (map, log) = (doubling(Recording::ARITH, 0), callbacks(20_000));
    let program = Program::new(&map);
    let read = |cores: &Cores| {
        let (reader, mut ear) = (CountingReader(Read::new()), Ear::default());
        let Ok(totals) = decode_with(cores, &program, &mut Whole(&log), &mut ear, &reader);
        assert_eq!((totals.proven, totals.faulty, ear.entered), (20_000, 0, 20_000));
        assert_eq!(ear.notes, [Note::Ended(Ended::Clean)]);
        (reader.0.own.into_inner(), reader.0.all.into_inner())
    };
    let (one, all) = read(&Cores::with_piece(1, 1000));
    assert_eq!(one, all);
    let (own, both) = read(&Cores::with_piece(2, 1000));
    assert!(own < one * 3 / 4, "{own} of {one} symbols on the thread that passes on");
    assert!(both <= one + one / 100, "{both} symbols with two cores, {one} with one");
}

/// Sync points with a state other than the one in which decoding reaches them: several cores report
/// the same as one. `tests/tests/jobs.rs` shows that proofs from a wrong state are dropped.
#[test]
fn sync_points_with_a_wrong_state_give_the_same_on_several_cores() {
    let map = doubling(Recording::ARITH, 0);
    let program = Program::new(&map);
    for wrong in [|p: &mut SyncPoint| p.time = 77, |p: &mut SyncPoint| p.progress += 1] {
        let mut log = callbacks(3_000);
        log.segments[0].syncs.iter_mut().skip(500).step_by(500).for_each(wrong);
        let heard = |cores: &Cores| {
            let mut ear = Ear::default();
            let totals = decode_thread_on(cores, &program, &log, &mut ear);
            (totals, ear.entered, ear.notes)
        };
        assert_eq!(heard(&Cores::with_piece(3, 1000)), heard(&Cores::new(1)));
    }
}

/// Each method calls the next one twice, so deep.
fn doubling(recording: Recording, depth: u32) -> Map {
    let calls = |i: u32| if i < depth { vec![i + 2, i + 2] } else { vec![] };
    map(recording, (0..=depth).map(|i| vec![block(Terminator::Return, &calls(i))]).collect())
}

/// A record of such a program, whole, with the check of this much more progress than it made.
fn record(recording: Recording, depth: u32, more: u32) -> Vec<u8> {
    // This many methods are entered and left.
    let progress = (2 * ((1u64 << (depth + 1)) - 1)) as u32 + more;
    let hash = progress.wrapping_mul(0x9E37_79B1) >> 16;
    if recording.numbers_paths() {
        return vec![7, 1, 0, 8, (hash >> 8) as u8, hash as u8];
    }
    let mut e = Encoder::new();
    e.narrow(1, 65_534);
    e.gamma(0);
    e.narrow(257 * (hash % 255), 257);
    e.finish()
}

#[derive(Default)]
struct Ear {
    entered: u64,
    blocks: u64,
    notes: Vec<Note>,
}

impl PathSink for Ear {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { .. } => self.entered += 1,
            PathEvent::Block(_) => self.blocks += 1,
            PathEvent::Note(note) => self.notes.push(note),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        rounds.pass_each(self);
    }
}

fn heard(recording: Recording, depth: u32) -> (ThreadTotals, Ear) {
    let map = doubling(recording, depth);
    let mut ear = Ear::default();
    let totals = decode_thread(
        &Program::new(&map),
        &thread(record(recording, depth, 0), vec![], 1),
        &mut ear,
    );
    (totals, ear)
}

/// 2⁵⁰ calls from a map of two kilobytes and ten bytes of log.
#[test]
fn calls_that_double_with_each_method_are_refused_at_once() {
    for recording in [Recording::ARITH, Recording::Trace(TraceCodec::Pap)] {
        let (totals, ear) = heard(recording, 50);
        assert_eq!((totals.faulty, ear.entered), (1, 0), "{recording}");
        let Some(Note::Faulty(fault)) = ear.notes.first() else { panic!("{:?}", ear.notes) };
        assert!(matches!(fault.kind, FaultKind::Steps { .. }), "{fault}");
        assert!(fault.to_string().contains("(in method "), "{fault}");
    }
}

/// Far more than any app does without a decision, and reported whole.
#[test]
fn sixty_thousand_calls_without_a_decision_are_told() {
    for recording in [Recording::ARITH, Recording::Trace(TraceCodec::Pap)] {
        let (totals, ear) = heard(recording, 15);
        assert_eq!((totals.faulty, totals.proven), (0, 1), "{recording} {:?}", ear.notes);
        assert_eq!((ear.entered, ear.blocks), ((1 << 16) - 1, (1 << 16) - 1), "{recording}");
    }
}

/// Straight code that calls each method twice, twenty deep: the check of its progress is right.
#[test]
fn two_million_calls_without_a_decision_are_decoded() {
    for recording in [Recording::ARITH, Recording::Trace(TraceCodec::Pap)] {
        let (totals, ear) = heard(recording, 20);
        assert_eq!((totals.faulty, totals.proven), (0, 1), "{recording} {:?}", ear.notes);
        assert_eq!(ear.entered, (1 << 21) - 1, "{recording}");
    }
}

/// Each record of a long log may overdraw the budget if it is right.
#[test]
fn a_hundred_records_of_straight_code_are_decoded() {
    let map = doubling(Recording::ARITH, 20);
    let program = Program::new(&map);
    let entered = 2 * ((1u32 << 21) - 1);
    let records = (0..100).flat_map(|i| record(Recording::ARITH, 20, entered * i)).collect();
    let totals = decode_thread(&program, &thread(records, vec![], 1), &mut NoSink);
    assert_eq!((totals.faulty, totals.proven), (0, 100));
}

/// The end of a thread's log whose last slab is closed or open, between two records or in one.
#[test]
fn only_an_open_slab_between_two_records_is_a_clean_end() {
    for recording in [Recording::ARITH, Recording::Trace(TraceCodec::Pap)] {
        let map = doubling(recording, 0);
        let program = Program::new(&map);
        for (closed, wanted) in [(true, Ended::Unknown), (false, Ended::Clean)] {
            let mut log = thread(record(recording, 0, 0), vec![], 1);
            log.segments[0].complete = closed;
            let mut ear = Ear::default();
            decode_thread(&program, &log, &mut ear);
            assert_eq!(ear.notes, [Note::Ended(wanted)], "{recording:?}, closed: {closed}");
        }
    }
}

/// A gap after closed slabs already reports that records are missing.
#[test]
fn the_end_of_the_last_segment_alone_is_unknown() {
    let map = doubling(Recording::ARITH, 0);
    let program = Program::new(&map);
    let mut log = callbacks(2);
    let mut later = log.segments[0].clone();
    (log.segments[0].complete, later.complete) = (true, true);
    let sync = later.syncs[0];
    (later.first, later.start) = (4, SegmentStart::Sync(sync));
    log.segments.push(later);
    log.gaps = vec![crate::log::Gap { from: 2, to: 4, by_design: false }];
    let mut ear = Ear::default();
    decode_thread(&program, &log, &mut ear);
    let ends: Vec<_> = ear.notes.iter().filter(|n| matches!(n, Note::Ended(_))).collect();
    assert_eq!(ends, [&Note::Ended(Ended::Clean), &Note::Ended(Ended::Unknown)]);
}

/// The budget is one for all places where decoding begins: a million short slabs have no million
/// budgets.
#[test]
fn beginning_again_gives_no_new_budget() {
    let map = doubling(Recording::ARITH, 19);
    let program = Program::new(&map);
    // Each record walks a million calls, and then its check is wrong.
    let bytes = record(Recording::ARITH, 19, 1);
    let sync = |i: usize| SyncPoint { offset: bytes.len() * i, progress: 0, last_top: 0, time: 0 };
    let syncs = (0..1000).map(sync).collect();
    let mut ear = Ear::default();
    let totals = decode_thread(&program, &thread(bytes.repeat(1000), syncs, 1), &mut ear);
    assert_eq!(totals.proven, 0);
    let spent = ear
        .notes
        .iter()
        .filter(|n| matches!(n, Note::Faulty(f) if matches!(f.kind, FaultKind::Steps { .. })));
    assert!(spent.count() > 800, "{:?}", &ear.notes);
}
