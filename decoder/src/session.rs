//! From a thread's log to its path: every record is proven first and passed on second, and after a
//! gap or a fault decoding continues at the next place that needs no missing data.

use std::thread;

use model::coder::Decoder;
use model::map::Codec;
use model::packed::PackedDecoder;
use model::symbols::Symbols;

use crate::ahead::{Ahead, Board};
use crate::crew::Cores;
use crate::log::{Segment, SegmentStart, ThreadLog};
use crate::pap;
use crate::prove::{End, Stretch, prove, restart, resume};
use crate::reader::{RecordReader, Spent};
use crate::replay::{Ended, Fault, FaultKind, NoSink, Program, Start, Walker, budget};

pub use crate::notes::{Note, ThreadSink, ThreadTotals};
pub use crate::once::{Misled, decode_thread_once};

/// Decodes one thread on one core.
pub fn decode_thread(
    program: &Program<'_>,
    thread: &ThreadLog,
    sink: &mut impl ThreadSink,
) -> ThreadTotals {
    decode_thread_on(&Cores::new(1), program, thread, sink)
}

/// Decodes one thread. The sink is called on the calling thread; cores that are free prove ahead
/// what follows (not with codec `pap`, which reads record by record). What the sink is told is the
/// same.
pub fn decode_thread_on(
    cores: &Cores,
    program: &Program<'_>,
    thread: &ThreadLog,
    sink: &mut impl ThreadSink,
) -> ThreadTotals {
    match program.map.codec {
        Codec::Pap => decode_with(cores, program, thread, sink, &pap::Reader),
        // A counting build writes no log: whatever claims to be one fails its checks.
        Codec::None
        | Codec::Arith
        | Codec::ArithAdaptive
        | Codec::ArithAdaptiveShift
        | Codec::Counts
        | Codec::Paths => decode_with(cores, program, thread, sink, &RangeReader),
        Codec::Huffman | Codec::BallLarus | Codec::Blocks => {
            decode_with(cores, program, thread, sink, &PackedReader)
        }
    }
}

/// Where decoding can begin again behind a byte: what lies between is said to be skipped.
fn begin_behind(
    program: &Program<'_>,
    segment: &Segment,
    at: usize,
    sink: &mut impl ThreadSink,
) -> Option<(usize, Start, Option<u32>)> {
    let sync = segment.syncs.get(segment.syncs.partition_point(|p| p.offset <= at));
    let inside = segment.restarts.get(segment.restarts.partition_point(|p| p.offset <= at));
    let next = match (sync, inside) {
        (Some(s), inside) if inside.is_none_or(|r| s.offset < r.offset) => Some(resume(program, s)),
        (_, inside) => inside.map(|r| restart(program, r)),
    };
    let end = next.map_or(segment.bytes.len(), |n| n.0);
    sink.note(Note::Skipped { bytes: end.saturating_sub(at) });
    next
}

pub(crate) fn decode_with(
    cores: &Cores,
    program: &Program<'_>,
    thread: &ThreadLog,
    sink: &mut impl ThreadSink,
    reader: &impl RecordReader,
) -> ThreadTotals {
    let begun;
    let program = match thread.table.as_deref().map(|table| program.begin_with(table)) {
        None => program,
        Some(Ok(with)) => {
            begun = with;
            &begun
        }
        Some(Err(_)) => {
            // Nothing of it can be trusted.
            for segment in &thread.segments {
                let (at, kind) = (0, FaultKind::StartTable);
                sink.note(Note::Faulty(Fault { at, record: at, kind }));
                sink.note(Note::Skipped { bytes: segment.bytes.len() });
            }
            return ThreadTotals { faulty: 1, ..ThreadTotals::default() };
        }
    };
    let bytes = thread.segments.iter().map(|s| s.bytes.len() as u64).sum();
    let steps = budget(bytes, thread.segments.iter().map(|s| u64::from(s.slabs)).sum());
    let mut spent = Spent { totals: ThreadTotals::default(), steps, cores };
    let mut gaps = thread.gaps.iter().peekable();
    if thread.late {
        sink.note(Note::Late);
    }
    for segment in &thread.segments {
        while let Some(gap) = gaps.next_if(|g| g.from <= segment.first) {
            spent.totals.missing_slabs += u64::from(gap.to.saturating_sub(gap.from));
            sink.note(Note::Gap { from: gap.from, to: gap.to });
        }
        let mut begin = match segment.start {
            SegmentStart::Beginning { offset } => Some((offset, Start::default(), None)),
            SegmentStart::Sync(p) => Some(resume(program, &p)),
            SegmentStart::Restart(p) => Some(restart(program, &p)),
            SegmentStart::Midway(p) => Some((p.offset, p.start, None)),
            SegmentStart::Nowhere => None,
        };
        if begin.is_none() {
            sink.note(Note::Skipped { bytes: segment.bytes.len() });
        }
        while let Some((offset, start, time)) = begin.take() {
            if let Some(time_ms) = time {
                sink.note(Note::Resumed { time_ms });
                let at = start.inside.and_then(|place| Some((place, program.block_at(place)?)));
                if let Some((place, at)) = at {
                    sink.note(Note::Inside { method: place.method, at });
                }
            }
            match reader.read(program, segment, (offset, start), sink, &mut spent) {
                // A thread's stream begins with its first callback: where nothing follows, that one
                // is cut.
                Ok(Ended::Clean) if segment.is_empty_from_the_beginning() => {
                    sink.note(Note::Ended(Ended::Cut));
                }
                Ok(ended) => sink.note(Note::Ended(ended)),
                Err(Fault { kind: FaultKind::Below, at, .. }) => {
                    sink.note(Note::Below);
                    begin = begin_behind(program, segment, at, sink);
                }
                Err(fault) => {
                    spent.totals.faulty += 1;
                    sink.note(Note::Faulty(fault));
                    begin = begin_behind(program, segment, fault.record, sink);
                }
            }
        }
    }
    for gap in gaps {
        spent.totals.missing_slabs += u64::from(gap.to.saturating_sub(gap.from));
        sink.note(Note::Gap { from: gap.from, to: gap.to });
    }
    spent.totals
}

/// Codecs on the range wire.
struct RangeReader;

impl RecordReader for RangeReader {
    fn read(
        &self,
        program: &Program<'_>,
        segment: &Segment,
        from: (usize, Start),
        sink: &mut impl ThreadSink,
        spent: &mut Spent<'_>,
    ) -> Result<Ended, Fault> {
        let decoder = |at| Decoder::new(&segment.bytes, at);
        read_symbols(program, segment, decoder, from, sink, spent)
    }
}

/// Codecs on the packed wire.
struct PackedReader;

impl RecordReader for PackedReader {
    fn read(
        &self,
        program: &Program<'_>,
        segment: &Segment,
        from: (usize, Start),
        sink: &mut impl ThreadSink,
        spent: &mut Spent<'_>,
    ) -> Result<Ended, Fault> {
        let decoder = |at| PackedDecoder::new(&segment.bytes, at);
        read_symbols(program, segment, decoder, from, sink, spent)
    }
}

/// Decodes records until the bytes end or a fault comes up.
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
fn read_symbols<S: Symbols>(
    program: &Program<'_>,
    segment: &Segment,
    decoder: impl Fn(usize) -> S + Sync,
    (offset, start): (usize, Start),
    sink: &mut impl ThreadSink,
    spent: &mut Spent<'_>,
) -> Result<Ended, Fault> {
    let (parts, own) = ((program, segment), decoder(offset));
    let board = Board::new(parts, spent.cores, decoder);
    thread::scope(|scope| {
        let ahead = Ahead::new(scope, &board, offset);
        let ended = pass_on(parts, own, (offset, start), ahead, sink, spent);
        board.stop();
        ended
    })
}

fn pass_on<S: Symbols, M: Fn(usize) -> S + Sync>(
    (program, segment): (&Program<'_>, &Segment),
    mut decoder: S,
    (offset, start): (usize, Start),
    mut proven: Ahead<'_, '_, M>,
    sink: &mut impl ThreadSink,
    spent: &mut Spent<'_>,
) -> Result<Ended, Fault> {
    let mut walker = Walker::new(program, start);
    let mut ahead = walker.clone();
    ahead.steps = spent.steps;
    ahead.times.be_first();
    walker.expect(&segment.clocks, &decoder);
    let mut syncs = &segment.syncs[segment.syncs.partition_point(|p| p.offset <= offset)..];
    loop {
        let stretch = match proven.proof(decoder.record_start(), &walker, spent.steps) {
            Some((proof, steps)) => {
                ahead.steps = steps;
                walker.times.take_ends(proof.ends);
                Stretch { records: proof.records, end: End::Sync, has_rest: false }
            }
            None => {
                let mut trial = decoder.clone();
                ahead.copy_from(&walker);
                let stretch = prove(&mut ahead, &mut trial, &mut syncs, &mut NoSink);
                walker.times.take_ends(ahead.times.ends());
                stretch
            }
        };
        spent.steps = ahead.steps;
        for record in 0..stretch.records {
            // Tables that adapt restart where a stretch begins, and seldom elsewhere.
            if record == 0 || program.rule.is_none() {
                tell_place(segment, &walker, &decoder, sink);
            }
            // The same bytes and the same state give the same path.
            walker.record(&mut decoder, sink)?;
            if sink.is_full() {
                return Ok(Ended::Stopped);
            }
        }
        spent.totals.proven += stretch.records;
        if stretch.records == 0 {
            tell_place(segment, &walker, &decoder, sink);
        }
        match stretch.end {
            End::Sync => {}
            End::Fault(fault) => {
                walker.end(sink);
                return Err(Fault { record: decoder.record_start(), ..fault });
            }
            End::Below(fault) => {
                spent.totals.unproven += 1;
                sink.note(Note::Unproven);
                let ended = walker.record(&mut decoder, sink);
                walker.end(sink);
                return ended.and(Err(fault));
            }
            End::Bytes(Ended::Clean) => return Ok(Ended::Clean),
            End::Bytes(ended) => {
                if stretch.has_rest {
                    spent.totals.unproven += 1;
                    sink.note(Note::Unproven);
                    walker.record(&mut decoder, sink)?;
                }
                walker.end(sink);
                return Ok(ended);
            }
        }
    }
}

/// Says that decoding can begin here, if it can.
#[inline]
fn tell_place(
    segment: &Segment,
    walker: &Walker<'_>,
    decoder: &impl Symbols,
    sink: &mut impl ThreadSink,
) {
    if let Some(start) = walker.place() {
        sink.can_begin(segment.first, decoder.record_start(), start);
    }
}

#[cfg(test)]
mod tests;
