//! From a thread's log to its path: every record is proven first and passed on second, and after a
//! gap or a fault decoding continues at the next place that needs no missing data.

use std::thread;

use model::coder::Decoder;
use model::recording::Wire;

use model::packed::PackedDecoder;
use model::symbols::Symbols;

use crate::ahead::{Ahead, Board};
use crate::crew::Cores;
use crate::log::{InputError, SLACK, Segment, SegmentStart, StreamedThread, ThreadLog};
use crate::pap;
use crate::prove::{ProvenRecords, StretchEnd, prove, restart, resume};
use crate::reader::{Came, Decoding, From, RecordReader};
use crate::replay::{
    Credit, Ended, Fault, FaultKind, NoSink, PathSink, Program, SendEvents, Start, Walker, budget,
};
use crate::source::{SegmentPart, ThreadSource, Whole};

pub use crate::once::{Misled, decode_thread_once};
pub use crate::reader::ThreadTotals;
pub use crate::replay::Note;

/// Decodes one thread on one core.
pub fn decode_thread(
    program: &Program<'_>,
    thread: &ThreadLog,
    sink: &mut impl PathSink,
) -> ThreadTotals {
    decode_thread_on(&Cores::new(1), program, thread, sink)
}

/// Decodes one thread. The sink is called on the calling thread; free cores prove the following
/// records ahead (not with codec `pap`, which reads record by record). The sink receives the same
/// events for any number of cores.
pub fn decode_thread_on(
    cores: &Cores,
    program: &Program<'_>,
    thread: &ThreadLog,
    sink: &mut impl PathSink,
) -> ThreadTotals {
    let Ok(totals) = decode(cores, program, &mut Whole(thread), sink);
    totals
}

/// Decodes one thread while its log is read, a few MiB at a time. Memory holds one such part, or a
/// callback that is longer; with codec `pap`, a segment. The sink receives the same events as from
/// [`decode_thread_on`] with the whole log.
///
/// # Errors
/// The log cannot be read again.
pub fn decode_streamed_on(
    cores: &Cores,
    program: &Program<'_>,
    thread: &mut StreamedThread<'_>,
    sink: &mut impl PathSink,
) -> Result<ThreadTotals, InputError> {
    decode(cores, program, thread, sink)
}

/// Decodes a log with the reader of the build's codec.
fn decode<R: ThreadSource>(
    cores: &Cores,
    program: &Program<'_>,
    source: &mut R,
    sink: &mut impl PathSink,
) -> Result<ThreadTotals, R::Error> {
    // A build without a trace writes no log: whatever claims to be one fails its checks.
    let recording = program.map.recording;
    match recording.wire() {
        _ if recording.numbers_paths() => {
            decode_with(cores, program, source, sink, &pap::PapReader)
        }
        Wire::Range => decode_with(cores, program, source, sink, &SymbolReader(RangeWire)),
        Wire::Packed => decode_with(cores, program, source, sink, &SymbolReader(PackedWire)),
    }
}

/// Point at which decoding begins: the byte of the segment, the state there, the time in ms.
type Begin = (usize, Start, Option<u32>);

/// Returns the next point in a segment after a byte at which decoding can begin; the bytes between
/// are reported as skipped.
fn begin_after<R: ThreadSource>(
    program: &Program<'_>,
    source: &mut R,
    number: usize,
    at: usize,
    sink: &mut impl PathSink,
) -> Result<Option<Begin>, R::Error> {
    let mut from = at;
    let next = loop {
        let part = source.part(number, from, 2 * SLACK)?;
        let (base, segment) = (part.base, part.segment);
        let sync = segment.syncs.get(segment.syncs.partition_point(|p| base + p.offset <= at));
        let inside =
            segment.restarts.get(segment.restarts.partition_point(|p| base + p.offset <= at));
        let next = match (sync, inside) {
            (Some(s), inside) if inside.is_none_or(|r| s.offset < r.offset) => {
                Some(resume(program, s))
            }
            (_, inside) => inside.map(|r| restart(program, r)),
        };
        if next.is_some() || !part.more {
            break next.map(|(offset, start, time)| (base + offset, start, time));
        }
        // All places before are looked at.
        from = base + segment.bytes.len() - SLACK;
    };
    let end = next.map_or(source.facts(number).bytes, |n| n.0);
    sink.note(Note::Skipped { bytes: end.saturating_sub(at) });
    Ok(next)
}

/// Decodes a log with this reader.
pub(crate) fn decode_with<R: ThreadSource>(
    cores: &Cores,
    program: &Program<'_>,
    source: &mut R,
    sink: &mut impl PathSink,
    reader: &impl RecordReader,
) -> Result<ThreadTotals, R::Error> {
    let begun;
    let program = match source.log().table.as_deref().map(|table| program.begin_with(table)) {
        None => program,
        Some(Ok(with)) => {
            begun = with;
            &begun
        }
        Some(Err(_)) => {
            // Nothing of it can be trusted.
            for number in 0..source.segments() {
                let (at, kind) = (0, FaultKind::StartTable);
                sink.note(Note::Faulty(Fault { at, record: at, kind }));
                sink.note(Note::Skipped { bytes: source.facts(number).bytes });
            }
            return Ok(ThreadTotals { faulty: 1, ..ThreadTotals::default() });
        }
    };
    let all = (0..source.segments()).map(|n| source.facts(n));
    let (bytes, slabs) = all.fold((0, 0), |(bytes, slabs), facts| {
        (bytes + facts.bytes as u64, slabs + u64::from(facts.slabs))
    });
    let steps = budget(bytes, slabs);
    let credit = if program.map.recording.numbers_paths() { Credit::SLOW } else { Credit::FULL };
    let totals = ThreadTotals::default();
    let mut decoding = Decoding { program, cores, totals, steps, credit };
    let gaps = source.log().gaps.clone();
    let mut gaps = gaps.iter().peekable();
    if source.log().late {
        sink.note(Note::Late);
    }
    for number in 0..source.segments() {
        let facts = source.facts(number);
        while let Some(gap) = gaps.next_if(|g| g.from <= facts.first) {
            decoding.totals.missing_slabs += u64::from(gap.to.saturating_sub(gap.from));
            sink.note(Note::Gap { from: gap.from, to: gap.to });
        }
        let mut begin = match facts.start {
            SegmentStart::Beginning { offset } => Some((offset, Start::default(), None)),
            SegmentStart::Sync(p) => Some(resume(program, &p)),
            SegmentStart::Restart(p) => Some(restart(program, &p)),
            SegmentStart::Midway(p) => Some((p.offset, p.start, None)),
            SegmentStart::Nowhere => None,
        };
        if begin.is_none() {
            sink.note(Note::Skipped { bytes: facts.bytes });
        }
        while let Some((offset, start, time)) = begin.take() {
            if let Some(time_ms) = time {
                sink.note(Note::Resumed { time_ms });
                let at = start.inside.and_then(|place| Some((place, program.block_at(place)?)));
                if let Some((place, at)) = at {
                    sink.note(Note::Inside { method: place.method, at });
                }
            }
            let from = From { offset, start, times: None };
            match read_parts(&mut decoding, (source, number), from, sink, reader)? {
                // A thread's stream begins with its first callback: where nothing follows, that one
                // is cut.
                Ok(Ended::Clean) if facts.is_empty_from_the_beginning() => {
                    sink.note(Note::Ended(Ended::Cut));
                }
                // A gap follows each segment but the last one.
                Ok(Ended::Clean) if facts.complete && number + 1 == source.segments() => {
                    sink.note(Note::Ended(Ended::Unknown));
                }
                Ok(ended) => sink.note(Note::Ended(ended)),
                Err(Fault { kind: FaultKind::Below, at, .. }) => {
                    sink.note(Note::Below);
                    begin = begin_after(program, source, number, at, sink)?;
                }
                Err(fault) => {
                    decoding.totals.faulty += 1;
                    sink.note(Note::Faulty(fault));
                    begin = begin_after(program, source, number, fault.record, sink)?;
                }
            }
        }
    }
    for gap in gaps {
        decoding.totals.missing_slabs += u64::from(gap.to.saturating_sub(gap.from));
        sink.note(Note::Gap { from: gap.from, to: gap.to });
    }
    Ok(decoding.totals)
}

/// Decodes a segment part by part, from a byte of it on. The inner result is that of
/// [`RecordReader::read`].
fn read_parts<R: ThreadSource, T: RecordReader>(
    decoding: &mut Decoding<'_>,
    (source, number): (&mut R, usize),
    mut from: From,
    sink: &mut impl PathSink,
    reader: &T,
) -> Result<Result<Ended, Fault>, R::Error> {
    let mut least = if T::WHOLE { usize::MAX } else { 2 * SLACK };
    loop {
        // A clock may lie before the offset that is not passed on yet.
        let first = from.times.as_ref().map_or(from.offset, |t| t.clocks.min(from.offset));
        let first = if T::WHOLE { 0 } else { first };
        let part = source.part(number, first, least.saturating_add(from.offset - first))?;
        let base = part.base;
        let here = From {
            offset: from.offset - base,
            times: from.times.map(|t| t.rebase(|at| at.saturating_sub(base))),
            ..from
        };
        match reader.read_part(decoding, &part, &here, sink) {
            Ok(Came::Ended(ended)) => return Ok(Ok(ended)),
            Ok(Came::More(more)) => {
                // The rest of the part does not suffice.
                least = 2 * (part.segment.bytes.len() - more.offset).max(SLACK);
                from = From {
                    offset: base + more.offset,
                    times: more.times.map(|t| t.rebase(|at| base + at)),
                    ..more
                };
            }
            Err(fault) => return Ok(Err(fault.after(base))),
        }
    }
}

/// Encoding of symbols in the bytes of a stream.
trait SymbolWire: Sync {
    type Decoder<'a>: Symbols;

    /// Decodes from a byte on.
    fn decoder(bytes: &[u8], at: usize) -> Self::Decoder<'_>;
}

/// Of codecs on the range wire.
struct RangeWire;

impl SymbolWire for RangeWire {
    type Decoder<'a> = Decoder<'a>;

    fn decoder(bytes: &[u8], at: usize) -> Decoder<'_> {
        Decoder::new(bytes, at)
    }
}

/// Of codecs on the packed wire.
struct PackedWire;

impl SymbolWire for PackedWire {
    type Decoder<'a> = PackedDecoder<'a>;

    fn decoder(bytes: &[u8], at: usize) -> PackedDecoder<'_> {
        PackedDecoder::new(bytes, at)
    }
}

/// Reads records of symbols.
struct SymbolReader<W>(W);

impl<W: SymbolWire> RecordReader for SymbolReader<W> {
    fn read(
        &self,
        decoding: &mut Decoding<'_>,
        segment: &Segment,
        from: (usize, Start),
        sink: &mut impl PathSink,
    ) -> Result<Ended, Fault> {
        let decoder = |at| W::decoder(&segment.bytes, at);
        read_symbols(decoding, segment, decoder, from, sink)
    }

    const WHOLE: bool = false;

    fn read_part(
        &self,
        decoding: &mut Decoding<'_>,
        part: &SegmentPart<'_>,
        from: &From,
        sink: &mut impl PathSink,
    ) -> Result<Came, Fault> {
        let decoder = |at| W::decoder(&part.segment.bytes, at);
        read_part(decoding, part, decoder, from, sink)
    }
}

/// Decodes the records of a segment in memory, see [`read_part`].
fn read_symbols<S: Symbols>(
    decoding: &mut Decoding<'_>,
    segment: &Segment,
    decoder: impl Fn(usize) -> S + Sync,
    (offset, start): (usize, Start),
    sink: &mut impl PathSink,
) -> Result<Ended, Fault> {
    let part = SegmentPart { segment, base: 0, more: false };
    let from = From { offset, start, times: None };
    match read_part(decoding, &part, decoder, &from, sink)? {
        Came::Ended(ended) => Ok(ended),
        Came::More(_) => Ok(Ended::Cut),
    }
}

/// Decodes records until the bytes end, more of them must be read, or a fault comes up.
///
/// A first walk goes from one sync point of the segment to the next, where progress and last
/// callback must be those of the slab's header; a second walk over the same bytes passes the
/// records on. So one check symbol that fits by chance (once in 255 times for short records) lets
/// no wrong path through.
///
/// The first walk stops at the sync point, too, if no record ends there, and has a budget of steps:
/// so the cost of a thread is in proportion to its bytes, however often decoding begins again.
///
/// Other cores make the first walk ahead where they are free.
fn read_part<S: Symbols>(
    decoding: &mut Decoding<'_>,
    part: &SegmentPart<'_>,
    decoder: impl Fn(usize) -> S + Sync,
    from: &From,
    sink: &mut impl PathSink,
) -> Result<Came, Fault> {
    let own = decoder(from.offset);
    let board = Board::new((decoding.program, part.segment), decoding.cores, decoder);
    thread::scope(|scope| {
        let ahead = Ahead::new(scope, &board, from.offset);
        let came = pass_on((decoding, part), own, from, ahead, sink);
        board.stop();
        came
    })
}

fn pass_on<S: Symbols, M: Fn(usize) -> S + Sync>(
    (decoding, part): (&mut Decoding<'_>, &SegmentPart<'_>),
    mut decoder: S,
    &From { offset, start, ref times }: &From,
    mut proven: Ahead<'_, '_, M>,
    sink: &mut impl PathSink,
) -> Result<Came, Fault> {
    let program = decoding.program;
    let segment = part.segment;
    let mut walker = Walker::new(program, start);
    let mut ahead = walker.clone();
    (ahead.steps, ahead.credit) = (decoding.steps, decoding.credit);
    ahead.times.be_first();
    match times {
        None => walker.expect(&segment.clocks, &decoder),
        Some(from) => walker.expect_from(&segment.clocks, &decoder, from),
    }
    let mut syncs = &segment.syncs[segment.syncs.partition_point(|p| p.offset <= offset)..];
    let last = segment.syncs.last().map_or(0, |p| p.offset);
    loop {
        let here = decoder.record_start();
        let more = || {
            let start = walker.place().unwrap_or(start);
            let times = Some(walker.times.carried(segment.bytes.len()));
            Came::More(From { offset: here, start, times })
        };
        if part.more && last <= here {
            return Ok(more());
        }
        let stretch = match proven.proof(here, &walker, decoding.steps) {
            Some((proof, steps)) => {
                ahead.steps = steps;
                walker.times.take_ends(proof.ends);
                ProvenRecords { records: proof.records, end: StretchEnd::Sync, has_rest: false }
            }
            None => {
                let mut trial = decoder.clone();
                ahead.copy_from(&walker);
                let stretch = prove(&mut ahead, &mut trial, &mut syncs, &mut NoSink);
                if part.more && stretch.end.comes_to(segment.bytes.len()) {
                    return Ok(more());
                }
                walker.times.take_ends(ahead.times.ends());
                stretch
            }
        };
        (decoding.steps, decoding.credit) = (ahead.steps, ahead.credit);
        for record in 0..stretch.records {
            // Tables that adapt restart where a stretch begins, and seldom elsewhere.
            if record == 0 || program.rule.is_none() {
                report_place(part, &walker, &decoder, sink);
            }
            // The same bytes and the same state give the same path.
            walker.record(&mut decoder, sink)?;
            if sink.is_full() {
                return Ok(Came::Ended(Ended::Stopped));
            }
        }
        decoding.totals.proven += stretch.records;
        if stretch.records == 0 {
            report_place(part, &walker, &decoder, sink);
        }
        match stretch.end {
            StretchEnd::Sync => {}
            StretchEnd::Fault(fault) => {
                walker.end(sink);
                return Err(Fault { record: decoder.record_start(), ..fault });
            }
            StretchEnd::Below(fault) => {
                decoding.totals.unproven += 1;
                sink.note(Note::Unproven);
                let ended = walker.record(&mut decoder, sink);
                walker.end(sink);
                return ended.and(Err(fault));
            }
            StretchEnd::Bytes(Ended::Clean) => return Ok(Came::Ended(Ended::Clean)),
            StretchEnd::Bytes(ended) => {
                if stretch.has_rest {
                    decoding.totals.unproven += 1;
                    sink.note(Note::Unproven);
                    walker.record(&mut decoder, sink)?;
                }
                walker.end(sink);
                return Ok(Came::Ended(ended));
            }
        }
    }
}

/// Reports that decoding can begin here, if it can.
#[inline]
fn report_place(
    part: &SegmentPart<'_>,
    walker: &Walker<'_>,
    decoder: &impl Symbols,
    sink: &mut impl PathSink,
) {
    if let Some(start) = walker.place() {
        sink.can_begin(part.segment.first, part.base + decoder.record_start(), start);
    }
}

#[cfg(test)]
mod tests;
