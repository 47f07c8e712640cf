//! Lint of words and names: counts the lines that break its rules, and fails where a folder has
//! more of them than `xtask/words.csv` allows.

use std::fs;
use std::process::Command;

use crate::error::{Error, PathContext, Result};
use crate::process::output;
use crate::tally::Tally;
use crate::workspace::Workspace;

mod dictionary;
mod limits;
mod rules;

use limits::{BreachCounts, Difference};
use rules::{Extent, Rule, SourceFile};

/// Table of the limits.
const LIMITS: &str = "xtask/words.csv";

/// Options of `cargo xtask words`.
#[derive(clap::Args)]
pub struct WordsOptions {
    /// Lower the limits to today's counts
    #[arg(long)]
    bless: bool,
    /// Print each line that breaks a rule, in the whole checkout or in these folders and files
    #[arg(long, value_name = "PATH", num_args = 0..)]
    list: Option<Vec<String>>,
}

/// Counts the breaches of all rules and compares them with the limits.
///
/// # Errors
/// Fails if a folder has more breaches than its limit, or a file cannot be read.
pub fn run(options: &WordsOptions, here: &Workspace) -> Result<()> {
    let files = tracked_files(here)?;
    let breaches = rules::breaches(&files);
    let listed = |path: &str| {
        let named = |paths: &Vec<String>| {
            paths.is_empty() || paths.iter().any(|p| path.starts_with(p.trim_start_matches("./")))
        };
        options.list.as_ref().is_some_and(named)
    };
    for breach in breaches.iter().filter(|breach| listed(&breach.path)) {
        println!("{}:{}: {}: {}", breach.path, breach.line, breach.rule.name(), breach.reason);
    }
    let counts = BreachCounts::count(&breaches);
    let file = here.path(LIMITS);
    let table = fs::read_to_string(&file).at(&file)?;
    let mut limits =
        BreachCounts::parse(&table).map_err(|error| Error::Wrong(format!("{LIMITS}: {error}")))?;
    if options.bless {
        limits = counts.lower(&limits);
        fs::write(&file, limits.render()).at(&file)?;
    }
    report(&counts, &limits, &Extent::of_files(&files))
}

/// Prints a line for each rule, and a note for each rule whose limits are too high.
fn report(counts: &BreachCounts, limits: &BreachCounts, extent: &Extent) -> Result<()> {
    let mut tally = Tally::default();
    for rule in Rule::ALL {
        let differences = counts.differences(limits).into_iter().filter(|d| d.rule == rule);
        let (above, below): (Vec<_>, Vec<_>) = differences.partition(|d| d.count > d.limit);
        let total = match rule {
            Rule::QuestionOpening => format!("of {} doc lines", extent.doc_lines),
            Rule::CrowdedType => format!("of {} types", extent.types),
            Rule::Dialect | Rule::WideLine | Rule::LongReadme | Rule::OptionInLibrary => {
                "lines".to_owned()
            }
        };
        let mut text = format!("{} {total}", counts.total(rule));
        if above.is_empty() {
            tally.count(rule.name(), Ok(text));
        } else {
            text += &format!("; above the limit: {}", listing(&above));
            text += "; `cargo xtask words --list FOLDER` shows the lines";
            tally.count(rule.name(), Err(text));
        }
        if !below.is_empty() {
            println!(
                "note {}: `cargo xtask words --bless` lowers the limit of {}",
                rule.name(),
                listing(&below)
            );
        }
    }
    tally.finish()
}

/// `dex 3 (limit 2), apk 1 (limit 0)`.
fn listing(differences: &[Difference]) -> String {
    let entry = |d: &Difference| format!("{} {} (limit {})", d.folder, d.count, d.limit);
    differences.iter().map(entry).collect::<Vec<_>>().join(", ")
}

/// Reads the tracked files. Binary files and files that the work tree lacks are left out.
fn tracked_files(here: &Workspace) -> Result<Vec<SourceFile>> {
    let names = output(Command::new("git").arg("-C").arg(&here.root).args(["ls-files", "-z"]))?;
    let read = |path: &str| {
        let text = fs::read_to_string(here.path(path)).ok()?;
        Some(SourceFile { path: path.to_owned(), text })
    };
    let linted = names.split('\0').filter(|path| rules::is_linted(path));
    Ok(linted.filter_map(read).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: Extent = Extent { doc_lines: 10, types: 10 };

    #[test]
    fn a_count_above_its_limit_fails_and_one_below_does_not() {
        let limits = BreachCounts::parse("rule,folder,limit\ndialect,dex,2\n").unwrap();
        let count = |number| {
            BreachCounts::parse(&format!("rule,folder,limit\ndialect,dex,{number}\n")).unwrap()
        };
        assert!(report(&count(1), &limits, &EXTENT).is_ok());
        assert!(report(&count(2), &limits, &EXTENT).is_ok());
        assert!(report(&count(3), &limits, &EXTENT).is_err());
    }

    #[test]
    fn the_committed_limits_have_the_form_that_bless_writes() {
        let table = include_str!("../../words.csv");
        assert_eq!(BreachCounts::parse(table).unwrap().render(), table);
    }
}
