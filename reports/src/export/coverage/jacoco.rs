//! JaCoCo's XML, version 1.1. Its instructions are code units here.

use std::io::{self, Write};

use super::app::Coverage;
use super::counters::{Counters, Covered};
use super::source::CoveredFile;
use super::xml::Xml;

/// First characters of the file.
pub const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">\n";

impl Coverage<'_> {
    /// Writes JaCoCo's XML.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write_jacoco(&self, out: &mut impl Write) -> io::Result<()> {
        let mut xml = Xml::new(out, HEAD)?;
        xml.open("report", &[("name", &self.name)])?;
        xml.left(&self.left)?;
        for session in &self.sessions {
            let (id, start) = (session.id(), session.start_ms.to_string());
            // JaCoCo also has the time of a dump. Logs grow until the process ends, and not
            // every log has its end.
            let times = [("id", id.as_str()), ("start", &start), ("dump", &start)];
            xml.empty("sessioninfo", &times)?;
        }
        for (name, files) in self.packages() {
            xml.open("package", &[("name", name)])?;
            files.iter().try_for_each(|file| classes(&mut xml, file))?;
            files.iter().try_for_each(|file| lines(&mut xml, file))?;
            counters(&mut xml, files.iter().map(CoveredFile::counters).sum())?;
            xml.close("package")?;
        }
        counters(&mut xml, self.counters())?;
        xml.close("report")?;
        xml.finish()
    }
}

fn classes<W: Write>(xml: &mut Xml<W>, file: &CoveredFile) -> io::Result<()> {
    for class in &file.classes {
        xml.open("class", &[("name", &class.name), ("sourcefilename", &file.name)])?;
        for method in &class.methods {
            let line = method.first_line().to_string();
            let (name, desc) = (method.name.as_str(), method.descriptor.as_str());
            xml.open("method", &[("name", name), ("desc", desc), ("line", &line)])?;
            counters(xml, method.counters())?;
            xml.close("method")?;
        }
        counters(xml, class.counters())?;
        xml.close("class")?;
    }
    Ok(())
}

fn lines<W: Write>(xml: &mut Xml<W>, file: &CoveredFile) -> io::Result<()> {
    xml.open("sourcefile", &[("name", &file.name)])?;
    for (number, of) in &file.lines {
        let branches = of.branches();
        let numbers = [
            u64::from(*number),
            of.line.missed,
            of.line.covered,
            branches.missed,
            branches.covered,
        ];
        let [nr, mi, ci, mb, cb] = numbers.map(|n| n.to_string());
        xml.empty("line", &[("nr", &nr), ("mi", &mi), ("ci", &ci), ("mb", &mb), ("cb", &cb)])?;
    }
    counters(xml, file.counters())?;
    xml.close("sourcefile")
}

fn counters<W: Write>(xml: &mut Xml<W>, all: Counters) -> io::Result<()> {
    let Counters { units, branches, lines, complexity, methods, classes } = all;
    let rows: [(&str, Covered); 6] = [
        ("INSTRUCTION", units),
        ("BRANCH", branches),
        ("LINE", lines),
        ("COMPLEXITY", complexity),
        ("METHOD", methods),
        ("CLASS", classes),
    ];
    for (name, of) in rows.into_iter().filter(|(_, of)| of.all() > 0) {
        let (missed, covered) = (of.missed.to_string(), of.covered.to_string());
        xml.empty("counter", &[("type", name), ("missed", &missed), ("covered", &covered)])?;
    }
    Ok(())
}
