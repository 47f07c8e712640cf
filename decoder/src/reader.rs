//! What decoding asks of a codec.

use crate::crew::Cores;
use crate::log::Segment;
use crate::notes::{ThreadSink, ThreadTotals};
use crate::replay::{Carried, Credit, Ended, Fault, Program, Start};
use crate::source::Part;

/// How the records of a codec are read. What happens at gaps and after faults is the same for all.
pub(crate) trait RecordReader {
    /// Decodes records of a segment from `offset` on, until the bytes end or a fault comes up.
    /// Passes nothing on before it is proven.
    ///
    /// # Errors
    /// The fault, with the record in which it lies.
    fn read(
        &self,
        program: &Program<'_>,
        segment: &Segment,
        from: (usize, Start),
        sink: &mut impl ThreadSink,
        spent: &mut Spent<'_>,
    ) -> Result<Ended, Fault>;

    /// Whether it must have a segment as a whole.
    const WHOLE: bool = true;

    /// Decodes records of a part of a segment, likewise, until more of the segment is needed.
    ///
    /// # Errors
    /// As [`RecordReader::read`]; places are in the part.
    fn read_part(
        &self,
        program: &Program<'_>,
        part: &Part<'_>,
        from: &From,
        sink: &mut impl ThreadSink,
        spent: &mut Spent<'_>,
    ) -> Result<Came, Fault> {
        debug_assert!(!part.more && part.base == 0);
        self.read(program, part.segment, (from.offset, from.start), sink, spent).map(Came::Ended)
    }
}

/// Where decoding goes on.
pub(crate) struct From {
    /// A byte of the part that is read.
    pub offset: usize,
    /// The state there.
    pub start: Start,
    /// What is known of times where decoding has come there.
    pub times: Option<Carried>,
}

/// How decoding of a part ends.
pub(crate) enum Came {
    /// As that of a segment.
    Ended(Ended),
    /// Here more is needed of the segment.
    More(From),
}

/// What a thread has taken so far.
pub(crate) struct Spent<'c> {
    /// Records and slabs.
    pub totals: ThreadTotals,
    /// Steps that remain (`replay::budget`).
    pub steps: u64,
    /// What records that are proven may overdraw.
    pub credit: Credit,
    /// That may help.
    pub cores: &'c Cores,
}
