//! The figures as text for people.

use std::io::{self, Write};

use super::explain::Explained;
use super::figures::Analysis;
use super::truncation::Truncation;
use crate::base::escape::visible;
use model::nouns::counted;

impl Analysis {
    /// Writes a summary and the first `top` methods that ran.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write(&self, top: usize, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{} methods branch; in {} of them counts of edges fix those of paths, \
             whatever they are",
            self.branching, self.fixed
        )?;
        writeln!(
            out,
            "{} of them ran; in {} the counts of their edges fix those of their paths",
            self.ran, self.fixed_here
        )?;
        match self.passes {
            Some(passes) => writeln!(
                out,
                "{passes} passes; {} of them follow from the counts of edges",
                share(self.definite, Some(passes)).trim()
            )?,
            None => writeln!(
                out,
                "{} passes; {} of them follow from the counts of edges",
                between(self.passes_least, self.passes_most),
                self.definite
            )?,
        }
        if let Some(bits) = self.lost_bits {
            writeln!(out, "counts of edges lose {bits:.3} bits of correlation a pass")?;
        }
        cut_short(self.cut, out)?;
        self.write_truncation(out)?;
        if self.unknown > 0 {
            writeln!(
                out,
                "the count files determine nothing about {}",
                counted(self.unknown, "method")
            )?;
        }
        if let Some(observer) = &self.observer {
            observer.write(top, out)?;
        }
        let ran = || self.methods.iter().filter(|f| f.began).take(top);
        if ran().next().is_none() {
            return Ok(());
        }
        writeln!(
            out,
            "{:>10} {:>9} {:>PASSES$} {:>16} {:>5} {:>5} {:>7} {:>7}  method",
            "lost bits", "definite", "passes", "paths", "rank", "fixed", "cut", "off by"
        )?;
        for f in ran() {
            let ran = f.ran.map_or(UNKNOWN.to_owned(), |ran| ran.to_string());
            let paths = match f.paths {
                u64::MAX => format!("{ran} of many"),
                paths => format!("{ran} of {paths}"),
            };
            let fixed = match (f.fixed, f.fixed_here) {
                (true, _) => "yes",
                (false, true) => "here",
                (false, false) => "no",
            };
            writeln!(
                out,
                "{:>10} {:>9} {:>PASSES$} {:>16} {:>5} {:>5} {:>7} {:>7}  {}",
                f.lost_bits.map_or(UNKNOWN.to_owned(), |bits| format!("{bits:.3}")),
                share(f.definite, f.passes),
                between(f.passes_least, f.passes_most),
                paths,
                f.rank,
                fixed,
                f.truncation.as_ref().map_or(UNKNOWN.to_owned(), |t| percent(t.share)),
                f.truncation.as_ref().and_then(|t| t.bias).map_or(UNKNOWN.to_owned(), percent),
                visible(&f.method)
            )?;
            if let Some(uncounted) = f.uncounted.filter(|n| *n > 0) {
                writeln!(out, "{uncounted:>10} more on too many different paths")?;
            }
        }
        let shown = |f: &super::figures::Figures| f.ran.is_none() || f.passes.is_none();
        if ran().any(shown) {
            writeln!(out, "{UNKNOWN}: not known from counts")?;
        }
        Ok(())
    }

    /// Writes the activations that were not recorded completely, and their influence.
    fn write_truncation(&self, out: &mut dyn Write) -> io::Result<()> {
        let truncations = || self.methods.iter().filter_map(|f| f.truncation.as_ref());
        let sum = |of: &dyn Fn(&Truncation) -> u64| {
            truncations().fold(0, |sum: u64, truncation| sum.saturating_add(of(truncation)))
        };
        let overwritten = sum(&|t| t.overwritten);
        if overwritten > 0 {
            writeln!(out, "{overwritten} more have lost their begin: it was overwritten")?;
        }
        let (all, cut) = (sum(&|t| t.activations), sum(&|t| t.activations_cut));
        if cut > 0 {
            writeln!(
                out,
                "{cut} of {all} activations ({}) did not return, or have lost their begin",
                percent(cut as f64 / all as f64)
            )?;
        }
        let moved = truncations().filter(|t| t.bias.is_some_and(|bias| bias >= MATTERS)).count();
        if moved > 0 {
            writeln!(
                out,
                "passes without an end can move a path's share by {} or more in {}",
                percent(MATTERS),
                counted(moved, "method")
            )?;
        }
        let never = truncations().filter(|t| t.bias.is_none()).count();
        if never > 0 {
            let never = counted(never, "method");
            writeln!(out, "not in the table, as no pass came to its end: {never}")?;
        }
        Ok(())
    }
}

/// Minimum error of a share for the summary to count it.
const MATTERS: f64 = 0.01;

/// Returns `1.5 %`.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Width of a column of passes.
const PASSES: usize = 10;
/// Text for unknown figures.
const UNKNOWN: &str = "?";

/// Returns `5`, `5 to 7` or `5 or more`.
fn between(least: u64, most: Option<u64>) -> String {
    match most {
        Some(most) if most == least => least.to_string(),
        Some(most) => format!("{least} to {most}"),
        None => format!("{least} or more"),
    }
}

/// Returns the share of passes that are definite.
fn share(definite: u64, passes: Option<u64>) -> String {
    let share = |passes: u64| definite as f64 / passes.max(1) as f64;
    passes.map_or(definite.to_string(), |passes| percent(share(passes)))
}

/// Writes the number of paths that were cut short.
fn cut_short(cut: Option<u64>, out: &mut dyn Write) -> io::Result<()> {
    match cut {
        Some(0) => Ok(()),
        Some(cut) => writeln!(out, "{cut} more were cut short by an exception or the log's end"),
        None => writeln!(out, "how many more were cut short is not known from counts"),
    }
}

/// Maximum number of shown lines of a path.
const LINES: usize = 12;

impl Explained {
    /// Writes the first `top` paths. `more` names the option that shows more of them.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write(&self, top: usize, more: &str, out: &mut dyn Write) -> io::Result<()> {
        let passes = between(self.passes_least, self.passes_most);
        writeln!(out, "{}: {passes} passes", visible(&self.method))?;
        cut_short(self.cut, out)?;
        if self.unknown {
            writeln!(
                out,
                "the count files determine nothing about it: they were written while it ran, or \
                 are of other code"
            )?;
        }
        writeln!(out, "{:>10} {:>21} {:>11}  blocks (lines)", "ran", "by edges", "independent")?;
        for path in self.paths.iter().take(top) {
            let mut lines: Vec<u32> = path.lines.iter().flatten().copied().collect();
            lines.dedup();
            let more = if lines.len() > LINES { " …" } else { "" };
            let lines: Vec<_> = lines.iter().take(LINES).map(ToString::to_string).collect();
            writeln!(
                out,
                "{:>10} {:>21} {:>11}  {} ({}{more})",
                path.ran.map_or(UNKNOWN.to_owned(), |ran| ran.to_string()),
                between(path.definite, path.potential),
                path.independent.map_or(UNKNOWN.to_owned(), |guess| format!("{guess:.1}")),
                path.path,
                lines.join(" "),
            )?;
        }
        let missing =
            |path: &super::explain::ExplainedPath| path.ran.is_none() || path.independent.is_none();
        if self.paths.iter().take(top).any(missing) {
            writeln!(out, "{UNKNOWN}: not known from counts")?;
        }
        match self.paths.len().checked_sub(top) {
            None | Some(0) => {}
            Some(left) => writeln!(out, "{left} more paths: {more}")?,
        }
        match self.more_paths {
            true => writeln!(out, "still other paths can have run"),
            false => Ok(()),
        }
    }
}
