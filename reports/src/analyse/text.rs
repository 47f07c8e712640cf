//! The figures as people read them.

use std::io::{self, Write};

use super::explain::Explained;
use super::figures::Analysis;
use crate::visible;

impl Analysis {
    /// Writes a summary and the first `top` methods that ran.
    ///
    /// # Errors
    /// The output's.
    pub fn write(&self, top: usize, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{} methods branch; in {} of them counts of edges fix those of paths, whatever they are",
            self.branching, self.fixed
        )?;
        writeln!(
            out,
            "{} of them ran; in {} the counts of their edges fix those of their paths",
            self.ran, self.fixed_here
        )?;
        let share = 100.0 * self.definite as f64 / self.passes.max(1) as f64;
        writeln!(
            out,
            "{} passes; {share:.1} % of them follow from the counts of edges",
            self.passes
        )?;
        if self.cut > 0 {
            writeln!(out, "{} more were cut short by an exception or the log's end", self.cut)?;
        }
        if let Some(observer) = &self.observer {
            observer.write(top, out)?;
        }
        let ran = || self.methods.iter().filter(|f| f.passes > 0).take(top);
        if ran().next().is_none() {
            return Ok(());
        }
        writeln!(
            out,
            "{:>10} {:>9} {:>10} {:>16} {:>5} {:>5}  method",
            "lost bits", "definite", "passes", "paths", "rank", "fixed"
        )?;
        for f in ran() {
            let paths = match f.paths {
                u64::MAX => format!("{} of many", f.ran),
                paths => format!("{} of {paths}", f.ran),
            };
            let fixed = match (f.fixed, f.fixed_here) {
                (true, _) => "yes",
                (false, true) => "here",
                (false, false) => "no",
            };
            writeln!(
                out,
                "{:>10.3} {:>7.1} % {:>10} {:>16} {:>5} {:>5}  {}",
                f.lost_bits,
                100.0 * f.definite as f64 / f.passes.max(1) as f64,
                f.passes,
                paths,
                f.rank,
                fixed,
                visible(&f.method)
            )?;
            if f.uncounted > 0 {
                writeln!(out, "{:>10} more on too many different paths", f.uncounted)?;
            }
        }
        Ok(())
    }
}

/// Lines of a path that are shown.
const LINES: usize = 12;

impl Explained {
    /// Writes the first `top` paths.
    ///
    /// # Errors
    /// The output's.
    pub fn write(&self, top: usize, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}: {} passes", visible(&self.method), self.passes)?;
        if self.cut > 0 {
            writeln!(out, "{} more were cut short by an exception or the log's end", self.cut)?;
        }
        writeln!(out, "{:>10} {:>21} {:>11}  blocks (lines)", "ran", "by edges", "independent")?;
        for path in self.paths.iter().take(top) {
            let mut lines: Vec<u32> = path.lines.iter().flatten().copied().collect();
            lines.dedup();
            let more = if lines.len() > LINES { " …" } else { "" };
            let lines: Vec<_> = lines.iter().take(LINES).map(ToString::to_string).collect();
            writeln!(
                out,
                "{:>10} {:>21} {:>11.1}  {} ({}{more})",
                path.ran,
                match path.definite == path.potential {
                    true => path.definite.to_string(),
                    false => format!("{} to {}", path.definite, path.potential),
                },
                path.independent,
                path.path,
                lines.join(" "),
            )?;
        }
        match self.paths.len().checked_sub(top) {
            None | Some(0) => Ok(()),
            Some(more) => writeln!(out, "{more} more paths: --top"),
        }
    }
}
