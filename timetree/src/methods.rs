//! Weights of methods, with all callers.

use std::collections::{BTreeMap, HashMap};

use crate::contexts::ContextId;
use crate::query::ContextRow;

/// A method of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MethodRow {
    /// The method.
    pub method: u32,
    /// Its own weight.
    pub own: u64,
    /// Weight of its callees that is not kept per context.
    pub other: u64,
    /// Weight of the method and its callees. Of recursive calls only the outermost counts.
    pub total: u64,
}

/// The methods of an answer's rows: the heaviest themselves first, then the heaviest in all.
pub fn methods(rows: &[ContextRow]) -> Vec<MethodRow> {
    let by_id: HashMap<ContextId, &ContextRow> = rows.iter().map(|row| (row.id, row)).collect();
    let mut sums = BTreeMap::<u32, MethodRow>::new();
    for row in rows {
        let Some(method) = row.method else { continue };
        let sum = sums.entry(method).or_insert(MethodRow { method, ..MethodRow::default() });
        sum.own = sum.own.saturating_add(row.weight.own);
        sum.other = sum.other.saturating_add(row.weight.other);
        let above = |row: &ContextRow| by_id.get(&row.parent).copied().filter(|p| p.id < row.id);
        let mut callers = std::iter::successors(above(row), |caller| above(caller));
        if !callers.any(|caller| caller.method == Some(method)) {
            sum.total = sum.total.saturating_add(row.inclusive);
        }
    }
    let mut all: Vec<_> = sums.into_values().collect();
    all.sort_by_key(|m| (std::cmp::Reverse((m.own, m.total)), m.method));
    all
}
