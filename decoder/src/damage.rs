//! Amount of damaged data. docs/GUARANTEES.md defines damage.

use std::fmt;
use std::ops::AddAssign;

use crate::log::{Gap, LogSet, Process, ThreadLog};

/// Damage in logs and files of counts, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[must_use = "damage decides how a command ends"]
pub struct Damage {
    /// Files, slabs, lines, pages and counts that cannot be used, each reported with its place.
    pub problems: u64,
    /// Places within threads where slabs are missing.
    pub gaps: u64,
    /// Records that cannot be decoded.
    pub records: u64,
}

impl Damage {
    /// No damage.
    pub const NONE: Damage = Damage { problems: 0, gaps: 0, records: 0 };

    /// Damage that was reported with its place.
    pub fn problems(problems: u64) -> Damage {
        Damage { problems, ..Damage::NONE }
    }

    /// Records that cannot be decoded.
    pub fn records(records: u64) -> Damage {
        Damage { records, ..Damage::NONE }
    }

    /// Counts those of a set's problems that are damage.
    pub fn of_set(set: &LogSet) -> Damage {
        Damage::problems(set.damage)
    }

    /// Counts the places within a process's threads where slabs are missing.
    pub fn of_process(process: &Process) -> Damage {
        let mut all = Damage::NONE;
        process.threads.iter().for_each(|thread| all += Damage::of_thread(thread));
        all
    }

    /// Counts the places within a thread where slabs are missing.
    pub fn of_thread(thread: &ThreadLog) -> Damage {
        let mut all = Damage::NONE;
        thread.gaps.iter().for_each(|gap| all += Damage::of_gap(gap));
        all
    }

    /// Counts a gap that no log has by design.
    pub fn of_gap(gap: &Gap) -> Damage {
        Damage { gaps: u64::from(!gap.by_design), ..Damage::NONE }
    }

    /// Returns whether there is none.
    pub fn is_none(&self) -> bool {
        *self == Damage::NONE
    }
}

impl AddAssign for Damage {
    fn add_assign(&mut self, other: Damage) {
        self.problems = self.problems.saturating_add(other.problems);
        self.gaps = self.gaps.saturating_add(other.gaps);
        self.records = self.records.saturating_add(other.records);
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.problems, "problem", "problems"),
            (self.gaps, "gap in a thread", "gaps in threads"),
            (self.records, "record that cannot be decoded", "records that cannot be decoded"),
        ];
        let there = kinds.iter().filter(|(n, ..)| *n > 0);
        let words = there.map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many }));
        write!(f, "{}", words.collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_adds_up_and_is_printed_with_right_plurals() {
        let mut damage = Damage::problems(1);
        damage += Damage::records(2);
        damage += Damage { gaps: 1, ..Damage::NONE };
        assert_eq!(
            damage.to_string(),
            "1 problem, 1 gap in a thread, 2 records that cannot be decoded"
        );
        assert!(!damage.is_none() && Damage::NONE.is_none());
    }
}
