//! Cobertura's XML, coverage-04. A line that several classes have is told in the first of them, so
//! that sums over classes are those of the files.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::app::Coverage;
use super::counters::{Counters, Covered};
use super::source::{File, LineOf};
use super::xml::Xml;

/// First characters of the file.
pub const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM \
    \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n";

impl Coverage<'_> {
    /// Writes Cobertura's XML; the time, in ms since 1970, is that of the report.
    ///
    /// # Errors
    /// Those of the output.
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
                &files.iter().map(File::counters).sum(),
            )?;
            xml.open("classes", &[])?;
            files.iter().try_for_each(|file| classes(&mut xml, file))?;
            xml.close("classes")?;
            xml.close("package")?;
        }
        xml.close("packages")?;
        xml.close("coverage")?;
        xml.finish()
    }
}

fn classes<W: Write>(xml: &mut Xml<W>, file: &File) -> io::Result<()> {
    let path = match &file.found {
        Some(path) => path.to_string_lossy().into_owned(),
        None => file.path(),
    };
    let mut told = BTreeSet::new();
    for class in &file.classes {
        let name = class.name.replace('/', ".");
        rated(xml, "class", &[("name", &name), ("filename", &path)], &class.counters())?;
        xml.open("methods", &[])?;
        for method in &class.methods {
            let of = [("name", method.name.as_str()), ("signature", method.descriptor.as_str())];
            rated(xml, "method", &of, &method.counters())?;
            lines(xml, method.lines.iter())?;
            xml.close("method")?;
        }
        xml.close("methods")?;
        let numbers: BTreeSet<u32> =
            class.methods.iter().flat_map(|m| m.lines.keys().copied()).collect();
        let own: BTreeMap<u32, &LineOf> = file
            .lines
            .iter()
            .filter(|l| numbers.contains(l.0) && told.insert(*l.0))
            .map(|(n, l)| (*n, l))
            .collect();
        lines(xml, own.iter().map(|(n, l)| (n, *l)))?;
        xml.close("class")?;
    }
    Ok(())
}

fn lines<'a, W: Write>(
    xml: &mut Xml<W>,
    all: impl Iterator<Item = (&'a u32, &'a LineOf)>,
) -> io::Result<()> {
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
        for (number, ways) in of.branches.iter().enumerate() {
            let taken = ways.iter().filter(|&&n| n > 0).count() as u64;
            let of = Covered { covered: taken, missed: ways.len() as u64 - taken };
            let kind = if ways.len() > 2 { "switch" } else { "jump" };
            let (number, covered) = (number.to_string(), percent(of));
            xml.empty("condition", &[("number", &number), ("type", kind), ("coverage", &covered)])?;
        }
        xml.close("conditions")?;
        xml.close("line")?;
    }
    xml.close("lines")
}

/// An element with rates begins.
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

/// Shares of lines and branches, and the mean complexity of a method.
fn rates(of: &Counters) -> [String; 3] {
    let rate = |c: Covered| match c.all() {
        0 => "1".to_owned(),
        all => format!("{:.4}", c.covered as f64 / all as f64),
    };
    let complexity = of.complexity.all() as f64 / of.methods.all().max(1) as f64;
    [rate(of.lines), rate(of.branches), format!("{complexity:.1}")]
}

/// Whole, rounded down: all is only said of all.
fn percent(of: Covered) -> String {
    let share = u128::from(of.covered) * 100 / u128::from(of.all().max(1));
    format!("{share}%")
}
