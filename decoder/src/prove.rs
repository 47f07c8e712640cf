//! A walk over records that finds out whether they fit.

use model::map::MethodId;
use model::symbols::Symbols;

use crate::log::{RestartPoint, SyncPoint};
use crate::replay::{Ended, Fault, FaultKind, PathSink, Program, Start, Walker};

/// Number of bytes that a reader may look beyond the record that it reads.
const READ_AHEAD: usize = 16;

/// Returns the offset, the state and the time in ms of a sync point.
pub(crate) fn resume(program: &Program<'_>, p: &SyncPoint) -> (usize, Start, Option<u32>) {
    let last_top = (p.last_top != 0).then_some(MethodId(p.last_top));
    let us = u64::from(p.time) * u64::from(program.map.protocol().tick_us());
    let ms = u32::try_from(us / 1000).unwrap_or(u32::MAX);
    let start = Start { progress: p.progress, last_top, time: p.time.into(), inside: None };
    (p.offset, start, Some(ms))
}

/// The same where decoding begins inside a callback.
pub(crate) fn restart(program: &Program<'_>, p: &RestartPoint) -> (usize, Start, Option<u32>) {
    let us = u64::from(p.time) * u64::from(program.map.protocol().tick_us());
    let ms = u32::try_from(us / 1000).unwrap_or(u32::MAX);
    let start =
        Start { progress: p.progress, last_top: None, time: p.time.into(), inside: Some(p.place) };
    (p.offset, start, Some(ms))
}

/// End of a stretch of records.
pub(crate) enum StretchEnd {
    /// At a sync point, in its state.
    Sync,
    /// With the bytes; what follows the proven records is the rest.
    Bytes(Ended),
    /// The frame ends that decoding began in, inside a callback; the sink still receives its last
    /// blocks.
    Below(Fault),
    /// At something that the app did not write.
    Fault(Fault),
}

impl StretchEnd {
    /// Returns true if a walk over bytes that end here might end otherwise if more of them
    /// followed.
    pub fn comes_to(&self, end: usize) -> bool {
        match self {
            StretchEnd::Sync => false,
            StretchEnd::Bytes(_) => true,
            StretchEnd::Below(fault) | StretchEnd::Fault(fault) => {
                fault.at.saturating_add(4 * READ_AHEAD) > end
            }
        }
    }
}

/// Result of a walk.
pub(crate) struct ProvenRecords {
    /// Records that are proven.
    pub records: u64,
    pub end: StretchEnd,
    /// True if another event came after them. (An END alone, or a cut symbol, is none.)
    pub has_rest: bool,
}

/// Walks on to the next sync point, the end of the bytes, or a fault. Events that the sink receives
/// are not proven before this returns.
pub(crate) fn prove<S: Symbols>(
    walker: &mut Walker<'_>,
    decoder: &mut S,
    syncs: &mut &[SyncPoint],
    sink: &mut impl PathSink,
) -> ProvenRecords {
    let mut records = 0;
    // Whether the last record stands on a single check symbol.
    let mut weak = false;
    let fault = |records: u64, weak: bool, fault: Fault| {
        // A record that ends where nothing sensible follows is one that ended there by chance,
        // sooner than by right.
        ProvenRecords {
            records: records - u64::from(weak && records > 0),
            end: StretchEnd::Fault(fault),
            has_rest: false,
        }
    };
    loop {
        let record = decoder.record_start();
        while syncs.first().is_some_and(|p| p.offset <= record) {
            *syncs = &syncs[1..];
        }
        walker.limit = syncs.first().map_or(usize::MAX, |p| p.offset.saturating_add(READ_AHEAD));
        let contradiction =
            |decoder: &S| Fault { at: decoder.position(), record, kind: FaultKind::Sync };
        let (at_end, depth, state) = (decoder.at_end(), walker.depth(), walker.state());
        let outcome = match walker.prove_record(decoder, sink) {
            Ok(outcome) => outcome,
            Err(e) if e.kind == FaultKind::Below => {
                return ProvenRecords { records, end: StretchEnd::Below(e), has_rest: true };
            }
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
                return ProvenRecords {
                    records: records + 1,
                    end: StretchEnd::Sync,
                    has_rest: false,
                };
            }
            _ => {}
        }
        if let Some(ended) = outcome {
            let nothing = depth == 0 && walker.depth() == 0 && walker.state() == state;
            return ProvenRecords {
                records,
                end: StretchEnd::Bytes(ended),
                has_rest: !at_end && !nothing,
            };
        }
        records += 1;
        weak = end - record < S::WEAK_BELOW;
    }
}
