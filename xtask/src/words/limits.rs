//! Limits of the breaches that a folder still has, in a committed table that only shrinks.

use std::collections::BTreeMap;

use super::rules::{Breach, Rule};
use crate::error::{Error, Result};

/// First line of the table.
const HEAD: &str = "rule,folder,limit";

/// Numbers of breaches by rule and folder; those that are missing are 0.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct BreachCounts(BTreeMap<(Rule, String), usize>);

/// A number of breaches that is not the limit.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    /// The rule.
    pub rule: Rule,
    /// The folder.
    pub folder: String,
    /// Breaches today.
    pub count: usize,
    /// Breaches that are allowed.
    pub limit: usize,
}

impl BreachCounts {
    /// Counts breaches by rule and folder.
    pub fn count(breaches: &[Breach]) -> Self {
        let mut counts = BTreeMap::new();
        for breach in breaches {
            *counts.entry((breach.rule, breach.folder().to_owned())).or_default() += 1;
        }
        Self(counts)
    }

    /// Parses the table: a head, then a row for each rule and folder.
    ///
    /// # Errors
    /// Fails if the table has another form; the error names the line.
    pub fn parse(table: &str) -> Result<Self> {
        let mut limits = BTreeMap::new();
        for (index, row) in table.lines().enumerate() {
            let malformed =
                || Error::Wrong(format!("line {}: \"{row}\" is not `{HEAD}`", index + 1));
            if index == 0 {
                if row != HEAD {
                    return Err(malformed());
                }
                continue;
            }
            let cells: Vec<&str> = row.split(',').collect();
            let [rule, folder, limit] = cells[..] else { return Err(malformed()) };
            let rule = Rule::ALL.into_iter().find(|known| known.name() == rule);
            let rule = rule.ok_or_else(malformed)?;
            let limit = limit.parse().map_err(|_| malformed())?;
            if limits.insert((rule, folder.to_owned()), limit).is_some() {
                return Err(malformed());
            }
        }
        Ok(Self(limits))
    }

    /// Renders the table, without rows of 0.
    pub fn render(&self) -> String {
        let mut table = format!("{HEAD}\n");
        for ((rule, folder), limit) in self.0.iter().filter(|(_, limit)| **limit > 0) {
            table += &format!("{},{folder},{limit}\n", rule.name());
        }
        table
    }

    /// Returns the number of a rule's breaches in all folders.
    pub fn total(&self, rule: Rule) -> usize {
        self.0.iter().filter(|((counted, _), _)| *counted == rule).map(|(_, count)| count).sum()
    }

    fn get(&self, rule: Rule, folder: &str) -> usize {
        self.0.get(&(rule, folder.to_owned())).copied().unwrap_or(0)
    }

    /// Compares with limits; equal numbers are left out.
    pub fn differences(&self, limits: &Self) -> Vec<Difference> {
        let keys = self.0.keys().chain(limits.0.keys().filter(|key| !self.0.contains_key(*key)));
        let all = keys.map(|(rule, folder)| Difference {
            rule: *rule,
            folder: folder.clone(),
            count: self.get(*rule, folder),
            limit: limits.get(*rule, folder),
        });
        all.filter(|difference| difference.count != difference.limit).collect()
    }

    /// Limits lowered to these counts. A count above its limit leaves the limit as it is.
    pub fn lower(&self, limits: &Self) -> Self {
        let lowered = limits.0.iter().map(|((rule, folder), limit)| {
            ((*rule, folder.clone()), self.get(*rule, folder).min(*limit))
        });
        Self(lowered.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "rule,folder,limit\nquestion-opening,dex,3\nwide-line,.,1\n";

    fn counts(rows: &[(Rule, &str, usize)]) -> BreachCounts {
        let row =
            |(rule, folder, count): &(Rule, &str, usize)| ((*rule, (*folder).to_owned()), *count);
        BreachCounts(rows.iter().map(row).collect())
    }

    #[test]
    fn a_table_is_read_and_written_alike_and_malformed_rows_are_named() {
        let limits = BreachCounts::parse(TABLE).unwrap();
        assert_eq!(limits, counts(&[(Rule::QuestionOpening, "dex", 3), (Rule::WideLine, ".", 1)]));
        assert_eq!(limits.render(), TABLE);
        for bad in ["x,dex,1", "dialect,dex", "dialect,dex,-1", "dialect,dex,1\ndialect,dex,1"] {
            let error = BreachCounts::parse(&format!("{HEAD}\n{bad}\n")).unwrap_err();
            assert!(error.to_string().starts_with("line "), "{error}");
        }
        assert!(BreachCounts::parse("rule,limit\n").is_err());
    }

    #[test]
    fn more_breaches_than_allowed_and_fewer_are_both_reported() {
        let limits = BreachCounts::parse(TABLE).unwrap();
        let today = counts(&[(Rule::QuestionOpening, "dex", 2), (Rule::Dialect, "apk", 1)]);
        let found: Vec<_> = today
            .differences(&limits)
            .into_iter()
            .map(|d| (d.rule, d.folder, d.count, d.limit))
            .collect();
        assert_eq!(
            found,
            [
                (Rule::QuestionOpening, "dex".to_owned(), 2, 3),
                (Rule::Dialect, "apk".to_owned(), 1, 0),
                (Rule::WideLine, ".".to_owned(), 0, 1),
            ]
        );
    }

    #[test]
    fn limits_are_lowered_and_never_raised() {
        let limits = BreachCounts::parse(TABLE).unwrap();
        let today = counts(&[
            (Rule::QuestionOpening, "dex", 1),
            (Rule::WideLine, ".", 9),
            (Rule::Dialect, "apk", 1),
        ]);
        let expected = "rule,folder,limit\nquestion-opening,dex,1\nwide-line,.,1\n";
        assert_eq!(today.lower(&limits).render(), expected);
    }

    #[test]
    fn a_breach_counts_for_the_folder_of_its_crate() {
        let breach = |path: &str| Breach {
            rule: Rule::WideLine,
            path: path.into(),
            line: 1,
            reason: String::new(),
        };
        let today =
            BreachCounts::count(&[breach("dex/a.rs"), breach("dex/b/c.rs"), breach("d.sh")]);
        assert_eq!(today, counts(&[(Rule::WideLine, "dex", 2), (Rule::WideLine, ".", 1)]));
        assert_eq!(today.total(Rule::WideLine), 3);
    }
}
