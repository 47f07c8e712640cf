//! Recorded figures: one CSV file holds them, documents show it between markers.
//!
//! `<!-- table: bench/prediction.csv -->` … `<!-- end of table -->`: what stands between is the
//! file as a table. Columns of numbers (or `–`) are set to the right; whole numbers get commas.

use std::fs;
use std::process::Command;

use clap::Subcommand;

use crate::error::{At, Error, Result};
use crate::process::output;
use crate::tally::Tally;
use crate::workspace::Workspace;

const BEGIN: &str = "<!-- table: ";
const END: &str = "<!-- end of table -->";

/// What can be done with recorded figures.
#[derive(Subcommand)]
pub enum Task {
    /// Writes the tables of all documents from their CSV files
    #[command(after_help = "Example:\n  cargo xtask results render")]
    Render,
    /// Fails when a table differs from its CSV file
    #[command(after_help = "Example:\n  cargo xtask results check")]
    Check,
}

/// Runs a task.
///
/// # Errors
/// When a file is missing or malformed, or a table differs.
pub fn run(task: &Task, here: &Workspace) -> Result<()> {
    let documents =
        output(Command::new("git").arg("-C").arg(&here.root).args(["ls-files", "*.md"]))?;
    let mut tally = Tally::default();
    for name in documents.lines() {
        let file = here.path(name);
        let text = fs::read_to_string(&file).at(&file)?;
        let read = |csv: &str| fs::read_to_string(here.path(csv)).at(&here.path(csv));
        let (tables, rendered) =
            render(&text, read).map_err(|e| Error::Wrong(format!("{name}: {e}")))?;
        match task {
            Task::Render if rendered != text => fs::write(&file, &rendered).at(&file)?,
            Task::Check if rendered != text => {
                tally.fail(&format!(
                    "{name}: a table differs from its CSV file: `cargo xtask results render`"
                ));
                continue;
            }
            _ => {}
        }
        (0..tables).for_each(|_| tally.pass());
    }
    tally.finish()
}

/// The document with its tables rewritten, and how many there are.
fn render(document: &str, read: impl Fn(&str) -> Result<String>) -> Result<(usize, String)> {
    let mut parts = document.split(BEGIN);
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut tables = 0;
    for part in parts {
        let wrong = || Error::Wrong(format!("a table without `{END}`"));
        let (csv, rest) = part.split_once(" -->\n").ok_or_else(wrong)?;
        let (_, after) = rest.split_once(END).ok_or_else(wrong)?;
        out += &format!("{BEGIN}{csv} -->\n{}{END}{after}", table(&read(csv)?)?);
        tables += 1;
    }
    Ok((tables, out))
}

/// A CSV text as a Markdown table. Quoted cells are refused: no recorded figure needs them.
fn table(csv: &str) -> Result<String> {
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let Some((head, body)) = rows.split_first() else {
        return Err(Error::Wrong("an empty CSV file".into()));
    };
    if csv.contains('"') || rows.iter().any(|row| row.len() != head.len()) {
        return Err(Error::Wrong(
            "a CSV file with quotes or with rows of different lengths".into(),
        ));
    }
    let right = |column: usize| {
        body.iter().all(|row| row[column] == "–" || row[column].parse::<f64>().is_ok())
    };
    let marks = (0..head.len())
        .map(|column| if right(column) { "---:" } else { "---" })
        .collect::<Vec<_>>();
    let mut out = format!("| {} |\n|{}|\n", head.join(" | "), marks.join("|"));
    for row in body {
        let cells: Vec<_> = row.iter().map(|cell| with_commas(cell)).collect();
        out += &format!("| {} |\n", cells.join(" | "));
    }
    Ok(out)
}

fn with_commas(cell: &str) -> String {
    if cell.is_empty() || !cell.bytes().all(|c| c.is_ascii_digit()) {
        return cell.to_owned();
    }
    let grouped: Vec<_> = cell.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    grouped.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &str = "workload,branches,bits\nheapsort,2307761,360.8\ngson,999,690.4\n";

    #[test]
    fn a_figure_that_was_changed_by_hand_is_written_back() {
        let good = format!(
            "before\n{BEGIN}x.csv -->\n| workload | branches | bits |\n|---|---:|---:|\n\
             | heapsort | 2,307,761 | 360.8 |\n| gson | 999 | 690.4 |\n{END}\nafter\n"
        );
        let read = |_: &str| Ok(CSV.to_owned());
        assert_eq!(render(&good, read).unwrap(), (1, good.clone()));
        assert_eq!(render(&good.replace("360.8", "360.7"), read).unwrap(), (1, good));
    }

    #[test]
    fn malformed_files_and_documents_are_refused() {
        assert!(table("").is_err());
        assert!(table("a,b\n1\n").is_err());
        assert!(table("a\n\"1\"\n").is_err());
        assert!(render(&format!("{BEGIN}x.csv -->\nno end"), |_| Ok(CSV.to_owned())).is_err());
    }
}
