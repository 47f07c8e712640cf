//! The interface between decoding and a codec.

use crate::crew::Cores;
use crate::log::Segment;
use crate::replay::{Carried, Credit, Ended, Fault, PathSink, Program, Start};
use crate::source::SegmentPart;

/// Reader of a codec's records. Gaps and faults are handled in the same way for all codecs.
pub(crate) trait RecordReader {
    /// Decodes records of a segment from `offset` on, until the bytes end or a fault comes up.
    /// Passes nothing on before it is proven.
    ///
    /// # Errors
    /// The fault, with the record in which it lies.
    fn read(
        &self,
        decoding: &mut Decoding<'_>,
        segment: &Segment,
        from: (usize, Start),
        sink: &mut impl PathSink,
    ) -> Result<Ended, Fault>;

    /// True if the reader needs whole segments.
    const WHOLE: bool = true;

    /// Decodes records of a part of a segment until more of the segment is needed.
    ///
    /// # Errors
    /// As [`RecordReader::read`]; places are in the part.
    fn read_part(
        &self,
        decoding: &mut Decoding<'_>,
        part: &SegmentPart<'_>,
        from: &From,
        sink: &mut impl PathSink,
    ) -> Result<Came, Fault> {
        debug_assert!(!part.more && part.base == 0);
        self.read(decoding, part.segment, (from.offset, from.start), sink).map(Came::Ended)
    }
}

/// Point from which decoding goes on.
pub(crate) struct From {
    /// A byte of the part that is read.
    pub offset: usize,
    /// The state there.
    pub start: Start,
    /// State of times where decoding has come to this point.
    pub times: Option<Carried>,
}

/// Reasons why decoding of a part ends.
pub(crate) enum Came {
    /// As that of a segment.
    Ended(Ended),
    /// Here more is needed of the segment.
    More(From),
}

/// Decoding of one thread, and the resources that it has used so far.
pub(crate) struct Decoding<'d> {
    /// The thread's build.
    pub program: &'d Program<'d>,
    /// That may help.
    pub cores: &'d Cores,
    /// Records and slabs.
    pub totals: ThreadTotals,
    /// Steps that remain (`replay::budget`).
    pub steps: u64,
    /// Amount by which proven records may overdraw the budget.
    pub credit: Credit,
}

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
