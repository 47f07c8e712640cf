//! A tracefile of lcov: for genhtml, `lcov -a` and services that read it.
//!
//! From version 2.2 on lcov refuses files that contradict its assumptions, and versions 1.16 to 2.5
//! have no record in common that would explain a contradiction. So two things are written such that
//! none arises.
//!
//! - *Methods.* lcov lets a method end where the next one begins, and refuses a method that did not
//!   run if a line up to there did: the rest of the enclosing method, class or initializer. (A
//!   recorded end does not help: 1.16 reads the number as the name.) Such a method is listed at the
//!   line of the enclosing one: methods on one line are judged together and counted one by one.
//! - *Branches.* lcov refuses a line that ran if none of its branches was decided. The branches of
//!   such a line are left out, and [`Coverage::without_lcov`] counts them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::app::Coverage;
use super::counters::Covered;
use super::source::{CoveredClass, CoveredFile, CoveredMethod, LineOf};

/// First characters of the file.
pub const HEAD: &str = "TN:";

impl Coverage<'_> {
    /// Writes a tracefile. It lacks [`Coverage::without_lcov`] alternatives of branches.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write_lcov(&self, out: &mut impl Write) -> io::Result<()> {
        // Without code this is still a tracefile.
        if self.files.is_empty() {
            writeln!(out, "{HEAD}")?;
        }
        self.files.iter().try_for_each(|file| record(out, file, &self.path(file)))?;
        out.flush()
    }
}

fn record(out: &mut impl Write, file: &CoveredFile, path: &str) -> io::Result<()> {
    writeln!(out, "{HEAD}\nSF:{path}")?;
    let functions = functions(file);
    for f in &functions {
        writeln!(out, "FN:{},{}", f.line, f.name())?;
    }
    for f in &functions {
        writeln!(out, "FNDA:{},{}", f.method.calls, f.name())?;
    }
    let ran = functions.iter().filter(|f| f.method.calls > 0).count();
    writeln!(out, "FNF:{}\nFNH:{ran}", functions.len())?;
    let mut sum = Covered::default();
    for (&number, of) in file.lines.iter().filter(|(_, of)| !of.is_undecided()) {
        branches(out, number, of)?;
        sum += of.branches();
    }
    writeln!(out, "BRF:{}\nBRH:{}", sum.all(), sum.covered)?;
    for (number, of) in &file.lines {
        writeln!(out, "DA:{number},{}", of.line.hits)?;
    }
    let lines = file.counters().lines;
    writeln!(out, "LF:{}\nLH:{}", lines.all(), lines.covered)?;
    writeln!(out, "end_of_record")
}

fn branches(out: &mut impl Write, line: u32, of: &LineOf) -> io::Result<()> {
    for (number, fork) in of.branches.iter().enumerate() {
        for (alternative, taken) in fork.taken.iter().enumerate() {
            write!(out, "BRDA:{line},{number},{alternative},")?;
            match fork.is_decided() {
                true => writeln!(out, "{taken}")?,
                // The branch was never decided.
                false => writeln!(out, "-")?,
            }
        }
    }
    Ok(())
}

/// A method and the line at which it is listed.
struct Function<'f> {
    line: u32,
    class: &'f CoveredClass,
    method: &'f CoveredMethod,
}

impl Function<'_> {
    /// Returns its name in the file. A comma would end it.
    fn name(&self) -> String {
        let Function { class, method, .. } = self;
        format!("{}.{}{}", class.simple(), method.name, method.descriptor).replace(',', "\\u002c")
    }

    /// Returns true if lcov takes it for a lambda, which ends no other method and has no end.
    fn is_lambda(&self) -> bool {
        self.method.name.starts_with("lambda$")
    }
}

/// Returns the methods of a file: those that ran at the first line that ran, the others at their
/// first line, or at the line of the enclosing method.
fn functions(file: &CoveredFile) -> Vec<Function<'_>> {
    let methods = file.classes.iter().flat_map(|c| c.methods.iter().map(move |m| (c, m)));
    let mut all: Vec<Function<'_>> = methods
        .map(|(class, method)| {
            let line = method.first_ran().unwrap_or_else(|| method.first_line());
            Function { line, class, method }
        })
        .collect();
    let ran = || all.iter().filter(|f| f.method.calls > 0);
    // Lines at which methods end others.
    let mut begins: BTreeSet<u32> = ran().filter(|f| !f.is_lambda()).map(|f| f.line).collect();
    // Lines that ran, each with the line of its method.
    let mut around: BTreeMap<u32, u32> = BTreeMap::new();
    for f in ran() {
        let lines = f.method.lines.iter().filter(|(_, of)| of.line.hits > 0);
        lines.for_each(|(&number, _)| {
            around.entry(number).or_insert(f.line);
        });
    }
    let ran: BTreeSet<u32> = ran().map(|f| f.line).collect();
    let mut still: Vec<&mut Function<'_>> =
        all.iter_mut().filter(|f| f.method.calls == 0).collect();
    // From the end: each one that keeps its line ends those before it.
    still.sort_by_key(|f| std::cmp::Reverse(f.line));
    for f in still.into_iter().filter(|f| !ran.contains(&f.line)) {
        let next = begins.range(f.line + 1..).next().copied().unwrap_or(u32::MAX);
        match around.range(f.line..next).map(|(_, &line)| line).min() {
            Some(line) => f.line = line,
            None if f.is_lambda() => {}
            None => drop(begins.insert(f.line)),
        }
    }
    all
}
