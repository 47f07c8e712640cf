//! A tracefile of lcov: for genhtml, `lcov -a` and services that read it.

use std::io::{self, Write};

use super::app::Coverage;
use super::source::{Class, File, Method};

/// First characters of the file.
pub const HEAD: &str = "TN:";

impl Coverage<'_> {
    /// Writes a tracefile.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write_lcov(&self, out: &mut impl Write) -> io::Result<()> {
        // Nothing ran: still a tracefile.
        if self.files.is_empty() {
            writeln!(out, "{HEAD}")?;
        }
        self.files.iter().try_for_each(|file| record(out, file))?;
        out.flush()
    }
}

fn record(out: &mut impl Write, file: &File) -> io::Result<()> {
    writeln!(out, "{HEAD}")?;
    match &file.found {
        Some(path) => writeln!(out, "SF:{}", path.display())?,
        None => writeln!(out, "SF:{}", file.path())?,
    }
    let methods = || file.classes.iter().flat_map(|c| c.methods.iter().map(move |m| (c, m)));
    let name = |(class, method): (&Class, &Method)| {
        // A comma ends a name.
        format!("{}.{}{}", class.simple(), method.name, method.descriptor).replace(',', "\\u002c")
    };
    for m in methods() {
        writeln!(out, "FN:{},{}", m.1.first_line(), name(m))?;
    }
    for m in methods() {
        writeln!(out, "FNDA:{},{}", m.1.calls, name(m))?;
    }
    writeln!(out, "FNF:{}", methods().count())?;
    writeln!(out, "FNH:{}", methods().filter(|m| m.1.calls > 0).count())?;
    for (number, line) in &file.lines {
        for (block, ways) in line.branches.iter().enumerate() {
            let decided = ways.iter().any(|&n| n > 0);
            for (way, taken) in ways.iter().enumerate() {
                write!(out, "BRDA:{number},{block},{way},")?;
                match decided {
                    true => writeln!(out, "{taken}")?,
                    // Nobody came to decide.
                    false => writeln!(out, "-")?,
                }
            }
        }
    }
    let counters = file.counters();
    writeln!(out, "BRF:{}\nBRH:{}", counters.branches.all(), counters.branches.covered)?;
    for (number, line) in &file.lines {
        writeln!(out, "DA:{number},{}", line.line.hits)?;
    }
    writeln!(out, "LF:{}\nLH:{}", counters.lines.all(), counters.lines.covered)?;
    writeln!(out, "end_of_record")
}
