//! Operations on edges: how a number becomes the next one, by few comparisons.

use crate::path_profiles::automaton::{NumberChange, Rows};

/// Operation of an edge on a number, which is never negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// The same for all numbers that there can be here.
    Leaf(Leaf),
    /// One thing for numbers below `below`, another one for the others.
    Split {
        /// At least 1.
        below: u32,
        /// For those below.
        less: Box<Operation>,
        /// For the others.
        rest: Box<Operation>,
    },
}

/// Effect of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// To the number.
    pub change: Change,
    /// Positions of the paths that this completes, ascending.
    pub completes: Vec<u32>,
}

/// A change of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is this one now; if it was, nothing is to be done.
    Set(u32),
    /// This is added; 0: it stays.
    Add(i64),
}

impl Operation {
    /// The operation that does this; numbers without a row never come.
    ///
    /// ```
    /// use model::path_profiles::automaton::NumberChange;
    /// use model::path_profiles::operation::{Change, Operation};
    /// let to = |number| NumberChange { number, completes: vec![] };
    /// // 0 stays 0, 1 becomes 2: one addition would do for 1, but not for both.
    /// let both = Operation::new(&[(0, to(0)), (1, to(2))]);
    /// assert!(matches!(&both, Operation::Split { below: 1, .. }));
    /// assert!(Operation::new(&[(0, to(0)), (4, to(4))]).is_nothing());
    /// ```
    pub fn new(rows: &[(u32, NumberChange)]) -> Operation {
        let runs = runs(rows);
        match runs.is_empty() {
            true => Operation::Leaf(Leaf { change: Change::Add(0), completes: Vec::new() }),
            false => balanced(&runs),
        }
    }

    /// Makes the operation that only completes paths: no number follows it.
    pub fn completions(rows: Rows) -> Operation {
        let stay = |(n, outcome): (u32, NumberChange)| (n, NumberChange { number: n, ..outcome });
        let rows: Rows = rows.into_iter().map(stay).collect();
        Operation::new(&rows)
    }

    /// Returns true if there is nothing to do.
    pub fn is_nothing(&self) -> bool {
        match self {
            Operation::Leaf(leaf) => leaf.change == Change::Add(0) && leaf.completes.is_empty(),
            Operation::Split { .. } => false,
        }
    }

    /// Returns the new number and the paths that are completed.
    pub fn apply(&self, number: u32) -> (u32, &[u32]) {
        match self {
            Operation::Split { below, less, rest } => {
                if number < *below {
                    less.apply(number)
                } else {
                    rest.apply(number)
                }
            }
            Operation::Leaf(leaf) => {
                let to = match leaf.change {
                    Change::Set(to) => to,
                    Change::Add(more) => (i64::from(number) + more) as u32,
                };
                (to, &leaf.completes)
            }
        }
    }
}

/// Numbers from `first` on, which are treated alike.
struct RowRange {
    first: u32,
    leaf: Leaf,
}

/// As few stretches as possible with one leaf each.
fn runs(rows: &[(u32, NumberChange)]) -> Vec<RowRange> {
    let mut runs = Vec::new();
    let mut rest = rows;
    while let Some((first, outcome)) = rest.first() {
        let difference = |n: u32, to: u32| i64::from(to) - i64::from(n);
        let add = difference(*first, outcome.number);
        let alike = |row: &&(u32, NumberChange)| row.1.completes == outcome.completes;
        let added =
            rest.iter().take_while(alike).take_while(|r| difference(r.0, r.1.number) == add);
        let set = rest.iter().take_while(alike).take_while(|r| r.1.number == outcome.number);
        let (added, set) = (added.count(), set.count());
        // What stays as it is costs nothing; else a constant is shorter.
        let change = match added > set || (added == set && add == 0) {
            true => Change::Add(add),
            false => Change::Set(outcome.number),
        };
        runs.push(RowRange {
            first: *first,
            leaf: Leaf { change, completes: outcome.completes.clone() },
        });
        rest = &rest[added.max(set)..];
    }
    runs
}

fn balanced(runs: &[RowRange]) -> Operation {
    if let [run] = runs {
        return Operation::Leaf(run.leaf.clone());
    }
    let (less, rest) = runs.split_at(runs.len() / 2);
    Operation::Split {
        below: rest[0].first,
        less: Box::new(balanced(less)),
        rest: Box::new(balanced(rest)),
    }
}
