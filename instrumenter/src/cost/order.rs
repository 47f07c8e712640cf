//! Order in which a limit leaves methods.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::analysis::program::MethodNo;
use crate::cost::measured::MeasuredMethod;
use crate::plan::subject::SkipReason;

/// Compares a / x with b / y.
pub(crate) fn per(a: u128, x: u128, b: u128, y: u128) -> Ordering {
    // Counts of models and sizes of files fit into 128 bits; a product that does not counts as
    // infinite.
    a.saturating_mul(y).cmp(&b.saturating_mul(x))
}

/// Returns the first candidates that together save enough; without patience, returns all of them.
pub(crate) fn take(
    candidates: Vec<(MethodNo, &MeasuredMethod)>,
    reason: SkipReason,
    need: u128,
    patient: bool,
    saved: impl Fn(MethodNo, &MeasuredMethod) -> u128,
) -> BTreeMap<MethodNo, SkipReason> {
    let mut rest = need;
    let mut out = BTreeMap::new();
    for (no, e) in candidates {
        if patient && rest == 0 {
            break;
        }
        rest = rest.saturating_sub(saved(no, e));
        out.insert(no, reason.clone());
    }
    out
}
