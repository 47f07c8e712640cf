//! From a thread's log to its path: every record is proven first and passed on second, and after a
//! gap or a fault decoding continues at the next place that needs no missing data.

use model::coder::Decoder;
use model::map::{Codec, MethodId};
use model::packed::PackedDecoder;
use model::symbols::Symbols;

use crate::log::{Segment, SegmentStart, SyncPoint, ThreadLog};
use crate::pap;
use crate::reader::{RecordReader, Spent};
use crate::replay::{Ended, Fault, FaultKind, NoSink, Program, Start, Walker, budget};

pub use crate::notes::{Note, ThreadSink, ThreadTotals};

/// A reader may look so many bytes beyond the record that it reads.
const READ_AHEAD: usize = 16;

/// Decodes one thread.
pub fn decode_thread(
    program: &Program<'_>,
    thread: &ThreadLog,
    sink: &mut impl ThreadSink,
) -> ThreadTotals {
    match program.map.codec {
        Codec::Pap => decode_with(program, thread, sink, &pap::Reader),
        Codec::None | Codec::Arith | Codec::ArithAdaptive | Codec::ArithAdaptiveShift => {
            decode_with(program, thread, sink, &RangeReader)
        }
        Codec::Huffman | Codec::BallLarus | Codec::Blocks => {
            decode_with(program, thread, sink, &PackedReader)
        }
    }
}

fn decode_with(
    program: &Program<'_>,
    thread: &ThreadLog,
    sink: &mut impl ThreadSink,
    reader: &impl RecordReader,
) -> ThreadTotals {
    let bytes = thread.segments.iter().map(|s| s.bytes.len() as u64).sum();
    let steps = budget(bytes, thread.segments.iter().map(|s| u64::from(s.slabs)).sum());
    let mut spent = Spent { totals: ThreadTotals::default(), steps };
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
            SegmentStart::Nowhere => None,
        };
        if begin.is_none() {
            sink.note(Note::Skipped { bytes: segment.bytes.len() });
        }
        while let Some((offset, start, time)) = begin.take() {
            if let Some(time_ms) = time {
                sink.note(Note::Resumed { time_ms });
            }
            match reader.read(program, segment, (offset, start), sink, &mut spent) {
                Ok(ended) => sink.note(Note::Ended(ended)),
                Err(fault) => {
                    spent.totals.faulty += 1;
                    sink.note(Note::Faulty(fault));
                    let next = segment
                        .syncs
                        .get(segment.syncs.partition_point(|p| p.offset <= fault.record));
                    let end = next.map_or(segment.bytes.len(), |p| p.offset);
                    sink.note(Note::Skipped { bytes: end.saturating_sub(fault.record) });
                    begin = next.map(|p| resume(program, p));
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

fn resume(program: &Program<'_>, p: &SyncPoint) -> (usize, Start, Option<u32>) {
    let last_top = (p.last_top != 0).then_some(MethodId(p.last_top));
    let us = u64::from(p.time) * u64::from(program.map.protocol().tick_us());
    let ms = u32::try_from(us / 1000).unwrap_or(u32::MAX);
    (p.offset, Start { progress: p.progress, last_top, time: p.time }, Some(ms))
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
        spent: &mut Spent,
    ) -> Result<Ended, Fault> {
        read_symbols(program, segment, Decoder::new(&segment.bytes, from.0), from, sink, spent)
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
        spent: &mut Spent,
    ) -> Result<Ended, Fault> {
        read_symbols(
            program,
            segment,
            PackedDecoder::new(&segment.bytes, from.0),
            from,
            sink,
            spent,
        )
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
fn read_symbols(
    program: &Program<'_>,
    segment: &Segment,
    mut decoder: impl Symbols,
    (offset, start): (usize, Start),
    sink: &mut impl ThreadSink,
    spent: &mut Spent,
) -> Result<Ended, Fault> {
    let mut walker = Walker::new(program, start);
    let mut ahead = walker.clone();
    ahead.steps = spent.steps;
    ahead.times.be_first();
    walker.expect(&segment.clocks, &decoder);
    let mut syncs = &segment.syncs[segment.syncs.partition_point(|p| p.offset <= offset)..];
    loop {
        let mut trial = decoder.clone();
        ahead.copy_from(&walker);
        let stretch = prove(&mut ahead, &mut trial, &mut syncs);
        spent.steps = ahead.steps;
        walker.times.take_ends(&mut ahead.times);
        for _ in 0..stretch.records {
            // The same bytes and the same state give the same path.
            walker.record(&mut decoder, sink)?;
        }
        spent.totals.proven += stretch.records;
        match stretch.end {
            End::Sync => {}
            End::Fault(fault) => {
                walker.end(sink);
                return Err(Fault { record: decoder.record_start(), ..fault });
            }
            End::Bytes(Ended::Clean) => return Ok(Ended::Clean),
            End::Bytes(ended) => {
                // An END alone, or a cut symbol, proves nothing.
                let nothing =
                    walker.depth() == 0 && ahead.depth() == 0 && walker.state() == ahead.state();
                if !decoder.at_end() && !nothing {
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

/// How a stretch of records ends.
enum End {
    /// At a sync point, in its state.
    Sync,
    /// With the bytes; what follows the proven records is the rest.
    Bytes(Ended),
    /// At something that the app did not write.
    Fault(Fault),
}

/// What the first walk found.
struct Stretch {
    /// Records that are proven.
    records: u64,
    end: End,
}

/// Walks on to the next sync point, the end of the bytes, or a fault.
fn prove<S: Symbols>(
    walker: &mut Walker<'_>,
    decoder: &mut S,
    syncs: &mut &[SyncPoint],
) -> Stretch {
    let mut records = 0;
    // Whether the last record stands on a single check symbol.
    let mut weak = false;
    let fault = |records: u64, weak: bool, fault: Fault| {
        // A record that ends where nothing sensible follows is one that ended there by chance,
        // sooner than by right.
        Stretch { records: records - u64::from(weak && records > 0), end: End::Fault(fault) }
    };
    loop {
        let record = decoder.record_start();
        while syncs.first().is_some_and(|p| p.offset <= record) {
            *syncs = &syncs[1..];
        }
        walker.limit = syncs.first().map_or(usize::MAX, |p| p.offset.saturating_add(READ_AHEAD));
        let contradiction =
            |decoder: &S| Fault { at: decoder.position(), record, kind: FaultKind::Sync };
        let outcome = match walker.record(decoder, &mut NoSink) {
            Ok(outcome) => outcome,
            Err(e) => return fault(records, weak, e),
        };
        let end = if outcome.is_none() { decoder.record_start() } else { usize::MAX };
        match syncs.first() {
            Some(next) if next.offset < end => {
                return fault(records, weak, contradiction(decoder));
            }
            Some(next) if next.offset == end => {
                *syncs = &syncs[1..];
                let last_top = walker.state().last_top.map_or(0, |m| m.0);
                if !walker.at_top()
                    || walker.state().progress != next.progress
                    || last_top != next.last_top
                {
                    return fault(records, weak, contradiction(decoder));
                }
                return Stretch { records: records + 1, end: End::Sync };
            }
            _ => {}
        }
        if let Some(ended) = outcome {
            return Stretch { records, end: End::Bytes(ended) };
        }
        records += 1;
        weak = end - record < S::WEAK_BELOW;
    }
}

#[cfg(test)]
mod tests;
