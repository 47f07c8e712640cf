//! Differences between two intervals.

use std::collections::{BTreeMap, BTreeSet};

use crate::contexts::ContextId;
use crate::error::Error;
use crate::methods::MethodRow;
use crate::query::{Answer, Interval, Weight};

/// A context in two intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The context.
    pub id: ContextId,
    /// Its weight in the first interval.
    pub first: Weight,
    /// Its weight in the second interval.
    pub second: Weight,
    /// Growth of its own weight in the second interval, scaled to the length of the first.
    pub more: f64,
}

/// A method in two intervals, with all callers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodDifference {
    /// The method.
    pub method: u32,
    /// Its own weight in the first interval.
    pub first: u64,
    /// Its own weight in the second interval.
    pub second: u64,
    /// Growth of its weight in the second interval, scaled to the length of the first.
    pub more: f64,
}

/// Length of the first interval by that of the second.
fn scale(first: Interval, second: Interval) -> Result<f64, Error> {
    let length = |i: Interval| i.to.checked_sub(i.from).filter(|&n| n > 0).ok_or(Error::NoLength);
    Ok(length(first)? as f64 / length(second)? as f64)
}

/// The methods of two answers, the largest difference first; those of no difference are left out.
///
/// # Errors
/// An interval without length.
pub fn compare_methods(
    first: (&[MethodRow], Interval),
    second: (&[MethodRow], Interval),
) -> Result<Vec<MethodDifference>, Error> {
    let scale = scale(first.1, second.1)?;
    let mut own = BTreeMap::<u32, (u64, u64)>::new();
    first.0.iter().for_each(|row| own.entry(row.method).or_default().0 = row.own);
    second.0.iter().for_each(|row| own.entry(row.method).or_default().1 = row.own);
    let difference = |(method, (first, second))| {
        let more = second as f64 * scale - first as f64;
        MethodDifference { method, first, second, more }
    };
    let mut all: Vec<_> = own.into_iter().map(difference).filter(|d| d.more != 0.0).collect();
    all.sort_by(|a, b| b.more.abs().total_cmp(&a.more.abs()).then(a.method.cmp(&b.method)));
    Ok(all)
}

/// The contexts of two answers, the largest difference first.
///
/// # Errors
/// An interval without length.
pub fn compare(
    first: (&Answer, Interval),
    second: (&Answer, Interval),
) -> Result<Vec<Difference>, Error> {
    let scale = scale(first.1, second.1)?;
    let ids: BTreeSet<_> = first.0.weights.keys().chain(second.0.weights.keys()).collect();
    let difference = |id: &ContextId| {
        let (a, b) = (weight(first.0, id), weight(second.0, id));
        Difference { id: *id, first: a, second: b, more: b.own as f64 * scale - a.own as f64 }
    };
    let mut all: Vec<_> = ids.into_iter().map(difference).collect();
    all.sort_by(|a, b| b.more.abs().total_cmp(&a.more.abs()).then(a.id.cmp(&b.id)));
    Ok(all)
}

fn weight(answer: &Answer, id: &ContextId) -> Weight {
    answer.weights.get(id).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(weights: &[(u32, u64)]) -> Answer {
        let weight = |&(id, own): &(u32, u64)| (ContextId(id), Weight { own, other: 0 });
        Answer { weights: weights.iter().map(weight).collect(), ..Answer::default() }
    }

    #[test]
    fn lengths_are_made_equal() {
        let (a, b) = (answer(&[(1, 10), (2, 4)]), answer(&[(1, 20), (3, 8)]));
        let (long, short) = (Interval { from: 0, to: 10 }, Interval { from: 10, to: 30 });
        let all = compare((&a, long), (&b, short)).unwrap();
        let differences: Vec<_> = all.iter().map(|d| (d.id.0, d.more)).collect();
        assert_eq!(differences, [(2, -4.0), (3, 4.0), (1, 0.0)]);
        let row = |method, own| MethodRow { method, own, ..MethodRow::default() };
        let methods =
            compare_methods((&[row(1, 10), row(2, 4)], long), (&[row(1, 20), row(3, 8)], short));
        let differences: Vec<_> = methods.unwrap().iter().map(|d| (d.method, d.more)).collect();
        assert_eq!(differences, [(2, -4.0), (3, 4.0)]);
        let none = Interval { from: 5, to: 5 };
        assert!(matches!(compare((&a, long), (&b, none)), Err(Error::NoLength)));
    }
}
