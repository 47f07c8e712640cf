//! What decoding asks of a codec.

use crate::crew::Cores;
use crate::log::Segment;
use crate::notes::{ThreadSink, ThreadTotals};
use crate::replay::{Ended, Fault, Program, Start};

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
}

/// What a thread has taken so far.
pub(crate) struct Spent<'c> {
    /// Records and slabs.
    pub totals: ThreadTotals,
    /// Steps that remain (`replay::budget`).
    pub steps: u64,
    /// That may help.
    pub cores: &'c Cores,
}
