//! Sums of covered and missed items, equal for all formats.

use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::AddAssign;

use super::source::{CoveredClass, CoveredFile, CoveredMethod, LineOf};

/// Number of items that ran, and of items that did not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Covered {
    pub covered: u64,
    pub missed: u64,
}

/// Counters of a part of the source. Lines, branches and units of a file, or of several, count each
/// line of the file once, whichever methods are on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counters {
    /// Code units.
    pub units: Covered,
    pub branches: Covered,
    pub lines: Covered,
    /// Cyclomatic complexity: number of independent paths.
    pub complexity: Covered,
    pub methods: Covered,
    pub classes: Covered,
}

impl Covered {
    /// Returns one item, which ran or did not.
    pub fn one(ran: bool) -> Covered {
        Covered { covered: u64::from(ran), missed: u64::from(!ran) }
    }

    /// Returns the number of all items.
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
    /// Returns the alternatives of the line's branches that were taken, and that were not.
    pub(super) fn branches(&self) -> Covered {
        let mut all = Covered::default();
        let taken = self.branches.iter().flat_map(|fork| &fork.taken);
        taken.for_each(|&taken| all += Covered::one(taken > 0));
        all
    }
}

/// Returns the units, branches and lines of lines.
pub(super) fn of_lines<'a>(lines: impl IntoIterator<Item = &'a LineOf>) -> Counters {
    let mut all = Counters::default();
    for of in lines {
        all.units += Covered { covered: of.line.covered, missed: of.line.missed };
        all.branches += of.branches();
        all.lines += Covered::one(of.line.hits > 0);
    }
    all
}

impl CoveredMethod {
    /// Returns its own lines, branches and units.
    pub(super) fn counters(&self) -> Counters {
        let mut all = of_lines(self.lines.values());
        let ran = all.lines.covered > 0;
        (all.methods, all.complexity) = (Covered::one(ran), Covered::one(ran));
        for fork in self.lines.values().flat_map(|l| &l.branches) {
            // A method without the branch also has one path.
            let taken = fork.taken.iter().filter(|&&n| n > 0).count() as u64;
            let covered = taken.saturating_sub(1);
            let others = (fork.taken.len() as u64).saturating_sub(1);
            all.complexity += Covered { covered, missed: others - covered };
        }
        all
    }
}

impl CoveredClass {
    /// Returns its own lines, each once.
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

impl CoveredFile {
    /// Returns the number that ran and the total number of lines, branches and methods.
    pub fn covered(&self) -> [(u64, u64); 3] {
        let Counters { lines, branches, methods, .. } = self.counters();
        [lines, branches, methods].map(|c| (c.covered, c.all()))
    }

    /// Returns its lines, and the methods and classes in it.
    pub(super) fn counters(&self) -> Counters {
        let classes: Counters = self.classes.iter().map(CoveredClass::counters).sum();
        let Counters { units, branches, lines, .. } = of_lines(self.lines.values());
        Counters { units, branches, lines, ..classes }
    }
}
