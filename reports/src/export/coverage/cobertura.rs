//! Cobertura's XML, coverage-04. A line has the same hits and branches in all of its classes and
//! methods, because readers keep either the last or the first one.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::app::Coverage;
use super::counters::{Counters, Covered, of_lines};
use super::source::{CoveredFile, LineOf};
use super::xml::Xml;

/// First characters of the file.
pub const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM \
    \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n";

impl Coverage<'_> {
    /// Writes Cobertura's XML, dated with this time in ms since 1970.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write_cobertura(&self, out: &mut impl Write, time_ms: u64) -> io::Result<()> {
        let mut xml = Xml::new(out, HEAD)?;
        let all = self.counters();
        let numbers =
            [all.lines.covered, all.lines.all(), all.branches.covered, all.branches.all(), time_ms];
        let [lines, of_lines, branches, of_branches, time] = numbers.map(|n| n.to_string());
        let [line_rate, branch_rate, complexity] = rates(&all);
        xml.open(
            "coverage",
            &[
                ("line-rate", &line_rate),
                ("branch-rate", &branch_rate),
                ("lines-covered", &lines),
                ("lines-valid", &of_lines),
                ("branches-covered", &branches),
                ("branches-valid", &of_branches),
                ("complexity", &complexity),
                ("version", concat!("pathlight ", env!("CARGO_PKG_VERSION"))),
                ("timestamp", &time),
            ],
        )?;
        xml.left(&self.left)?;
        xml.open("sources", &[])?;
        xml.text("source", ".")?;
        xml.close("sources")?;
        xml.open("packages", &[])?;
        for (name, files) in self.packages() {
            let name = name.replace('/', ".");
            rated(
                &mut xml,
                "package",
                &[("name", &name)],
                &files.iter().map(CoveredFile::counters).sum(),
            )?;
            xml.open("classes", &[])?;
            files.iter().try_for_each(|file| classes(&mut xml, file, &self.path(file)))?;
            xml.close("classes")?;
            xml.close("package")?;
        }
        xml.close("packages")?;
        xml.close("coverage")?;
        xml.finish()
    }
}

fn classes<W: Write>(xml: &mut Xml<W>, file: &CoveredFile, path: &str) -> io::Result<()> {
    for class in &file.classes {
        let name = class.name.replace('/', ".");
        let own = lines_of(file, class.methods.iter().flat_map(|m| m.lines.keys()));
        let names = [("name", name.as_str()), ("filename", path)];
        rated(xml, "class", &names, &sums(class.counters(), &own))?;
        xml.open("methods", &[])?;
        for method in &class.methods {
            let own = lines_of(file, method.lines.keys());
            let names = [("name", method.name.as_str()), ("signature", method.descriptor.as_str())];
            rated(xml, "method", &names, &sums(method.counters(), &own))?;
            lines(xml, &own)?;
            xml.close("method")?;
        }
        xml.close("methods")?;
        lines(xml, &own)?;
        xml.close("class")?;
    }
    Ok(())
}

/// Returns these lines as the file has them.
fn lines_of<'f>(
    file: &'f CoveredFile,
    numbers: impl Iterator<Item = &'f u32>,
) -> BTreeMap<u32, &'f LineOf> {
    numbers.filter_map(|number| Some((*number, file.lines.get(number)?))).collect()
}

/// Returns the sums of a class or method with these lines.
fn sums(of: Counters, below: &BTreeMap<u32, &LineOf>) -> Counters {
    let Counters { units, branches, lines, .. } = of_lines(below.values().copied());
    Counters { units, branches, lines, ..of }
}

fn lines<W: Write>(xml: &mut Xml<W>, all: &BTreeMap<u32, &LineOf>) -> io::Result<()> {
    xml.open("lines", &[])?;
    for (number, of) in all {
        let (number, hits) = (number.to_string(), of.line.hits.to_string());
        let branches = of.branches();
        if branches.all() == 0 {
            xml.empty("line", &[("number", &number), ("hits", &hits), ("branch", "false")])?;
            continue;
        }
        let covered = format!("{} ({}/{})", percent(branches), branches.covered, branches.all());
        xml.open(
            "line",
            &[
                ("number", &number),
                ("hits", &hits),
                ("branch", "true"),
                ("condition-coverage", &covered),
            ],
        )?;
        xml.open("conditions", &[])?;
        for (number, fork) in of.branches.iter().enumerate() {
            let taken = fork.taken.iter().filter(|&&n| n > 0).count() as u64;
            let of = Covered { covered: taken, missed: fork.taken.len() as u64 - taken };
            let kind = if fork.taken.len() > 2 { "switch" } else { "jump" };
            let (number, covered) = (number.to_string(), percent(of));
            xml.empty("condition", &[("number", &number), ("type", kind), ("coverage", &covered)])?;
        }
        xml.close("conditions")?;
        xml.close("line")?;
    }
    xml.close("lines")
}

/// Begins an element with rates.
fn rated<W: Write>(
    xml: &mut Xml<W>,
    name: &str,
    first: &[(&str, &str)],
    of: &Counters,
) -> io::Result<()> {
    let [lines, branches, complexity] = rates(of);
    let rates = [
        ("line-rate", lines.as_str()),
        ("branch-rate", branches.as_str()),
        ("complexity", complexity.as_str()),
    ];
    xml.open(name, &[first, &rates].concat())
}

/// Returns the shares of lines and branches, and the mean complexity of a method.
fn rates(of: &Counters) -> [String; 3] {
    let rate = |c: Covered| match c.all() {
        0 => "1".to_owned(),
        all => format!("{:.4}", c.covered as f64 / all as f64),
    };
    let complexity = of.complexity.all() as f64 / of.methods.all().max(1) as f64;
    [rate(of.lines), rate(of.branches), format!("{complexity:.1}")]
}

/// Returns a percentage, rounded down: 100 % only if all are covered.
fn percent(of: Covered) -> String {
    let share = u128::from(of.covered) * 100 / u128::from(of.all().max(1));
    format!("{share}%")
}
