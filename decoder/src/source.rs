//! Source of a thread's log: memory, or files that are read as decoding goes on.

use std::convert::Infallible;

use crate::log::{InputError, Segment, SegmentStart, SlabRun, StreamedThread, ThreadLog};

/// A part of a segment.
pub(crate) struct SegmentPart<'p> {
    /// The part; offsets are in its own bytes.
    pub segment: &'p Segment,
    /// Bytes of the segment before it.
    pub base: usize,
    /// True if more of the segment follows. If so, the part has only those sync points after which
    /// enough is read for proving the records before them.
    pub more: bool,
}

/// Properties of a segment whose bytes need not be in memory.
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    /// Sequence of its first slab.
    pub first: u32,
    pub slabs: u32,
    pub bytes: usize,
    pub start: SegmentStart,
    /// As [`Segment::complete`].
    pub complete: bool,
}

impl Facts {
    /// Returns true if the thread's stream begins here and has no byte of a record.
    pub fn is_empty_from_the_beginning(&self) -> bool {
        matches!(self.start, SegmentStart::Beginning { offset } if offset >= self.bytes)
    }
}

/// A thread's log.
pub(crate) trait ThreadSource {
    /// Reasons why it cannot be read.
    type Error;

    /// Returns the thread's log without its segments.
    fn log(&self) -> &ThreadLog;

    /// Returns the number of segments.
    fn segments(&self) -> usize;

    /// Returns the properties of a segment.
    fn facts(&self, segment: usize) -> Facts;

    /// Returns a part of a segment that has `least` bytes from `from` on, or all that there are.
    fn part(
        &mut self,
        segment: usize,
        from: usize,
        least: usize,
    ) -> Result<SegmentPart<'_>, Self::Error>;
}

/// A log in memory.
pub(crate) struct Whole<'t>(pub &'t ThreadLog);

impl ThreadSource for Whole<'_> {
    type Error = Infallible;

    fn log(&self) -> &ThreadLog {
        self.0
    }

    fn segments(&self) -> usize {
        self.0.segments.len()
    }

    fn facts(&self, segment: usize) -> Facts {
        let Segment { first, slabs, start, ref bytes, complete, .. } = self.0.segments[segment];
        Facts { first, slabs, bytes: bytes.len(), start, complete }
    }

    fn part(&mut self, segment: usize, _: usize, _: usize) -> Result<SegmentPart<'_>, Infallible> {
        Ok(SegmentPart { segment: &self.0.segments[segment], base: 0, more: false })
    }
}

impl ThreadSource for StreamedThread<'_> {
    type Error = InputError;

    fn log(&self) -> &ThreadLog {
        StreamedThread::log(self)
    }

    fn segments(&self) -> usize {
        self.runs().len()
    }

    fn facts(&self, segment: usize) -> Facts {
        let run = &self.runs()[segment];
        let &SlabRun { first, slabs, start, complete, .. } = run;
        Facts { first, slabs, bytes: run.bytes as usize, start, complete }
    }

    fn part(
        &mut self,
        segment: usize,
        from: usize,
        least: usize,
    ) -> Result<SegmentPart<'_>, InputError> {
        let window = self.window(segment, from, least)?;
        Ok(SegmentPart { segment: &window.segment, base: window.base, more: window.more })
    }
}
