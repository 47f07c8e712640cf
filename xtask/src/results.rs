//! Recorded figures: one CSV file holds them, documents show it between markers.
//!
//! `<!-- table: bench/prediction.csv -->` … `<!-- end of table -->`: what stands between is the
//! file as a table. Columns of numbers (or `–`) are set to the right; whole numbers get commas.
//! `<!-- table: FILE rows: NAME, NAME -->` shows the rows whose first cells are these, in this
//! order. `bench/costs.csv` follows from `bench/art14.csv`; `render` writes it, too.

use std::fs;
use std::process::Command;

use clap::Subcommand;

use crate::error::{Error, PathContext, Result};
use crate::process::output;
use crate::tally::Tally;
use crate::workspace::Workspace;

const BEGIN: &str = "<!-- table: ";
const END: &str = "<!-- end of table -->";
const ROWS: &str = " rows: ";

/// Figures of all workloads and variants on ART 14, and their means, which README shows.
const RESULTS: &str = "bench/art14.csv";
const COSTS: &str = "bench/costs.csv";

/// Tasks of recorded figures.
#[derive(Subcommand)]
pub enum ResultsTask {
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
/// Fails if a file is missing or malformed, or a table differs.
pub fn run(task: &ResultsTask, here: &Workspace) -> Result<()> {
    let documents =
        output(Command::new("git").arg("-C").arg(&here.root).args(["ls-files", "*.md"]))?;
    let mut tally = Tally::default();
    let costs = costs(&fs::read_to_string(here.path(RESULTS)).at(&here.path(RESULTS))?)?;
    let file = here.path(COSTS);
    match task {
        ResultsTask::Render => fs::write(&file, &costs).at(&file)?,
        ResultsTask::Check if fs::read_to_string(&file).at(&file)? != costs => {
            tally.fail(&format!("{COSTS} differs from {RESULTS}: `cargo xtask results render`"));
        }
        ResultsTask::Check => {}
    }
    for name in documents.lines() {
        let file = here.path(name);
        let text = fs::read_to_string(&file).at(&file)?;
        let read = |csv: &str| fs::read_to_string(here.path(csv)).at(&here.path(csv));
        let (tables, rendered) =
            render(&text, read).map_err(|e| Error::Wrong(format!("{name}: {e}")))?;
        match task {
            ResultsTask::Render if rendered != text => fs::write(&file, &rendered).at(&file)?,
            ResultsTask::Check if rendered != text => {
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
        let rendered = match csv.split_once(ROWS) {
            None => table(&read(csv)?)?,
            Some((file, rows)) => table(&only(&read(file)?, rows)?)?,
        };
        out += &format!("{BEGIN}{csv} -->\n{rendered}{END}{after}");
        tables += 1;
    }
    Ok((tables, out))
}

/// The head of a CSV text, and the rows with these first cells.
fn only(csv: &str, rows: &str) -> Result<String> {
    let (head, body) = csv.split_once('\n').unwrap_or((csv, ""));
    let mut out = format!("{head}\n");
    for name in rows.split(", ") {
        let row = body.lines().find(|row| row.split(',').next() == Some(name));
        let row = row.ok_or_else(|| Error::Wrong(format!("no row \"{name}\" in the CSV file")))?;
        out += &format!("{row}\n");
    }
    Ok(out)
}

/// Means over all workloads of what recording costs, from the bench's figures: time as geometric
/// mean of the ratios to the uninstrumented run, bits as median.
fn costs(results: &str) -> Result<String> {
    let mut lines = results.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap_or_default();
    let column = |name: &str| {
        let found = head.iter().position(|cell| *cell == name);
        found.ok_or_else(|| Error::Wrong(format!("{RESULTS}: no column {name}")))
    };
    let (variant, jit, ahead, interpreter, bits) = (
        column("variant")?,
        column("jit14_time_ratio")?,
        column("aot14_time_ratio")?,
        column("nterp14_time_ratio")?,
        column("bits_per_branch")?,
    );
    let rows: Vec<_> = lines.collect();
    let figures = |of: &str, column: usize| -> Vec<f64> {
        let mine = rows.iter().filter(|row| row.get(variant) == Some(&of));
        mine.filter_map(|row| row.get(column)?.parse().ok()).collect()
    };
    let mean = |x: &[f64]| (x.iter().map(|x| x.ln()).sum::<f64>() / x.len() as f64).exp();
    let mut out = "what is recorded,JIT,slowest workload,ahead of time,interpreted,bits a branch\n"
        .to_owned();
    for (name, of, logs) in [
        ("order of everything; model of another run", "arith", true),
        ("order of everything; no model", "arith-untrained", true),
        ("counts of edges (`--profile edges`)", "counts", false),
        ("JaCoCo for comparison (covered or not)", "jacoco", false),
    ] {
        let compiled = figures(of, jit);
        let (ahead, interpreted) = (figures(of, ahead), figures(of, interpreter));
        if compiled.is_empty() || ahead.is_empty() || interpreted.is_empty() {
            return Err(Error::Wrong(format!("{RESULTS}: no figures of {of}")));
        }
        let worst = compiled.iter().copied().fold(0.0, f64::max);
        let mut bits = figures(of, bits);
        bits.sort_by(f64::total_cmp);
        let bits = match bits.get(bits.len() / 2) {
            Some(median) if logs => format!("{median:.2}"),
            _ => "–".to_owned(),
        };
        let (jit, ahead, nterp) = (mean(&compiled), mean(&ahead), mean(&interpreted));
        out += &format!("{name},{jit:.2},{worst:.2},{ahead:.2},{nterp:.2},{bits}\n");
    }
    Ok(out)
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
    fn a_table_can_show_some_rows() {
        let good = format!(
            "{BEGIN}x.csv rows: gson -->\n| workload | branches | bits |\n|---|---:|---:|\n\
             | gson | 999 | 690.4 |\n{END}\n"
        );
        let read = |_: &str| Ok(CSV.to_owned());
        assert_eq!(render(&good, read).unwrap(), (1, good.clone()));
        assert!(render(&good.replace("rows: gson", "rows: none"), read).is_err());
    }

    #[test]
    fn costs_are_means_over_the_workloads() {
        let mut csv = "workload,variant,jit14_time_ratio,aot14_time_ratio,nterp14_time_ratio,\
                       bits_per_branch\n"
            .to_owned();
        for of in ["arith", "arith-untrained", "counts", "jacoco"] {
            csv += &format!("a,{of},1.0,1.5,3.0,0.5\nb,{of},4.0,1.5,3.0,0.25\n");
            csv += &format!("c,{of},2.0,1.5,3.0,0.75\n");
        }
        let means = costs(&csv).unwrap();
        let rows: Vec<_> = means.lines().collect();
        assert!(rows[1].ends_with(",2.00,4.00,1.50,3.00,0.50"), "{}", rows[1]);
        assert!(rows[3].ends_with(",2.00,4.00,1.50,3.00,–"), "{}", rows[3]);
        assert!(costs("workload,variant\n").is_err(), "columns are missing");
    }

    #[test]
    fn malformed_files_and_documents_are_refused() {
        assert!(table("").is_err());
        assert!(table("a,b\n1\n").is_err());
        assert!(table("a\n\"1\"\n").is_err());
        assert!(render(&format!("{BEGIN}x.csv -->\nno end"), |_| Ok(CSV.to_owned())).is_err());
    }
}
