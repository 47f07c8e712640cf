//! From a thread's log to its path: every record is proven first and passed on second, and after a gap
//! or a fault decoding goes on at the next place that needs nothing of what is missing.

use model::coder::Decoder;
use model::map::MethodId;

use crate::log::{SegmentStart, SyncPoint, ThreadLog};
use crate::replay::{Ended, Fault, NoSink, PathSink, Program, Start, Walker};

/// What is to be said about a thread's path beside the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// Slabs `from..to` of the thread are missing.
    Gap {
        /// First missing slab.
        from: u32,
        /// First slab that is there again.
        to: u32,
    },
    /// Bytes that no decoding can begin in.
    Skipped {
        /// How many.
        bytes: usize,
    },
    /// A record that cannot be what the app wrote; nothing of it was passed on.
    Faulty(Fault),
    /// Decoding goes on with an empty stack.
    Resumed {
        /// When the last top-level callback before it began, ms since the trace began.
        time_ms: u32,
    },
    /// The last record is not closed: what follows is what was committed, and no check has proven it.
    Unproven,
    /// The end.
    Ended(Ended),
}

/// Takes a thread's path and the notes about it, in order.
pub trait ThreadSink: PathSink {
    /// Something beside the path.
    fn note(&mut self, _note: Note) {}
}

impl ThreadSink for NoSink {}

/// Totals of one thread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ThreadTotals {
    /// Records whose check was right.
    pub proven: u64,
    /// Records that ended before their check.
    pub unproven: u64,
    /// Records that were refused.
    pub faulty: u64,
    /// Slabs missing.
    pub missing_slabs: u64,
}

/// Decodes one thread.
pub fn decode_thread(program: &Program<'_>, thread: &ThreadLog, sink: &mut impl ThreadSink) -> ThreadTotals {
    let mut totals = ThreadTotals::default();
    let mut gaps = thread.gaps.iter().peekable();
    for segment in &thread.segments {
        while let Some(gap) = gaps.next_if(|g| g.from <= segment.first) {
            totals.missing_slabs += u64::from(gap.to.saturating_sub(gap.from));
            sink.note(Note::Gap { from: gap.from, to: gap.to });
        }
        let mut begin = match segment.start {
            SegmentStart::Beginning { offset } => Some((offset, Start::default(), None)),
            SegmentStart::Sync(p) => Some(resume(&p)),
            SegmentStart::Nowhere => None,
        };
        if begin.is_none() {
            sink.note(Note::Skipped { bytes: segment.bytes.len() });
        }
        while let Some((offset, start, time)) = begin.take() {
            if let Some(time_ms) = time {
                sink.note(Note::Resumed { time_ms });
            }
            match run(program, &segment.bytes, offset, start, sink, &mut totals) {
                Ok(ended) => sink.note(Note::Ended(ended)),
                Err(fault) => {
                    totals.faulty += 1;
                    sink.note(Note::Faulty(fault));
                    let next = segment.syncs.iter().find(|p| p.offset > fault.record);
                    let end = next.map_or(segment.bytes.len(), |p| p.offset);
                    sink.note(Note::Skipped { bytes: end.saturating_sub(fault.record) });
                    begin = next.map(resume);
                }
            }
        }
    }
    for gap in gaps {
        totals.missing_slabs += u64::from(gap.to.saturating_sub(gap.from));
        sink.note(Note::Gap { from: gap.from, to: gap.to });
    }
    totals
}

fn resume(p: &SyncPoint) -> (usize, Start, Option<u32>) {
    let last_top = (p.last_top != 0).then_some(MethodId(p.last_top));
    (p.offset, Start { cnt: p.cnt, last_top }, Some(p.time_ms))
}

fn run(
    program: &Program<'_>,
    bytes: &[u8],
    offset: usize,
    start: Start,
    sink: &mut impl ThreadSink,
    totals: &mut ThreadTotals,
) -> Result<Ended, Fault> {
    let mut decoder = Decoder::new(bytes, offset);
    let mut walker = Walker::new(program, start);
    loop {
        let mut ahead = walker.clone();
        let mut trial = decoder.clone();
        let outcome = ahead.record(&mut trial, &mut NoSink)?;
        match outcome {
            None => totals.proven += 1,
            Some(Ended::Clean) => return Ok(Ended::Clean),
            Some(_) => {
                totals.unproven += 1;
                sink.note(Note::Unproven);
            }
        }
        // The same bytes and the same state give the same path.
        let again = walker.record(&mut decoder, sink)?;
        debug_assert_eq!(again, outcome);
        if let Some(ended) = again {
            return Ok(ended);
        }
    }
}
