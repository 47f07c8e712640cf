//! Sums of what ran and what did not: the same for every format.

use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::AddAssign;

use super::source::{Class, File, LineOf, Method};

/// So many ran, so many did not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Covered {
    pub covered: u64,
    pub missed: u64,
}

/// Counters of a part of the source. Lines, branches and units of a file or of more count each line
/// of the file once, whichever methods are on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counters {
    /// Code units.
    pub units: Covered,
    pub branches: Covered,
    pub lines: Covered,
    /// Cyclomatic: paths that are independent of each other.
    pub complexity: Covered,
    pub methods: Covered,
    pub classes: Covered,
}

impl Covered {
    /// One thing, which ran or did not.
    pub fn one(ran: bool) -> Covered {
        Covered { covered: u64::from(ran), missed: u64::from(!ran) }
    }

    /// How many there are.
    pub fn all(self) -> u64 {
        self.covered + self.missed
    }
}

impl AddAssign for Covered {
    fn add_assign(&mut self, other: Covered) {
        self.covered = self.covered.saturating_add(other.covered);
        self.missed = self.missed.saturating_add(other.missed);
    }
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.units += other.units;
        self.branches += other.branches;
        self.lines += other.lines;
        self.complexity += other.complexity;
        self.methods += other.methods;
        self.classes += other.classes;
    }
}

impl Sum for Counters {
    fn sum<I: Iterator<Item = Counters>>(all: I) -> Counters {
        all.fold(Counters::default(), |mut sum, next| {
            sum += next;
            sum
        })
    }
}

impl LineOf {
    /// Alternatives of the line's branches that were taken, and that were not.
    pub(super) fn branches(&self) -> Covered {
        let mut all = Covered::default();
        let taken = self.branches.iter().flat_map(|fork| &fork.taken);
        taken.for_each(|&taken| all += Covered::one(taken > 0));
        all
    }
}

/// Units, branches and lines of lines.
pub(super) fn of_lines<'a>(lines: impl IntoIterator<Item = &'a LineOf>) -> Counters {
    let mut all = Counters::default();
    for of in lines {
        all.units += Covered { covered: of.line.covered, missed: of.line.missed };
        all.branches += of.branches();
        all.lines += Covered::one(of.line.hits > 0);
    }
    all
}

impl Method {
    /// Its own lines, branches and units.
    pub(super) fn counters(&self) -> Counters {
        let mut all = of_lines(self.lines.values());
        let ran = all.lines.covered > 0;
        (all.methods, all.complexity) = (Covered::one(ran), Covered::one(ran));
        for fork in self.lines.values().flat_map(|l| &l.branches) {
            // One alternative is that of a method without the branch.
            let taken = fork.taken.iter().filter(|&&n| n > 0).count() as u64;
            let covered = taken.saturating_sub(1);
            let others = (fork.taken.len() as u64).saturating_sub(1);
            all.complexity += Covered { covered, missed: others - covered };
        }
        all
    }
}

impl Class {
    /// Its own lines, each once.
    pub(super) fn counters(&self) -> Counters {
        let mut lines: BTreeMap<u32, LineOf> = BTreeMap::new();
        let mut all = Counters::default();
        for method in &self.methods {
            let of = method.counters();
            all.methods += of.methods;
            all.complexity += of.complexity;
            for (&number, line) in &method.lines {
                lines.entry(number).or_default().add(line);
            }
        }
        let Counters { units, branches, lines, .. } = of_lines(lines.values());
        let classes = Covered::one(all.methods.covered > 0);
        Counters { units, branches, lines, classes, ..all }
    }
}

impl File {
    /// Lines, branches and methods: how many ran, and how many there are.
    pub fn covered(&self) -> [(u64, u64); 3] {
        let Counters { lines, branches, methods, .. } = self.counters();
        [lines, branches, methods].map(|c| (c.covered, c.all()))
    }

    /// Its lines, and the methods and classes in it.
    pub(super) fn counters(&self) -> Counters {
        let classes: Counters = self.classes.iter().map(Class::counters).sum();
        let Counters { units, branches, lines, .. } = of_lines(self.lines.values());
        Counters { units, branches, lines, ..classes }
    }
}
