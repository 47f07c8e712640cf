//! The formats of `report`: a row for each.

use std::io::Write;

use reports::coverage::{self, Coverage};
use reports::profiles::{self, ProfileRules};
use reports::traces::{
    Folded, FrameFile, FrameNames, PERFETTO_HEAD, Perfetto, SPEEDSCOPE_HEAD, Speedscope,
};

use super::print::{counted, note};
use super::writer::Writer;
use crate::error::Result;

/// A format of `report`.
#[derive(Debug)]
pub struct ReportFormat {
    /// The option that names the file.
    pub option: &'static str,
    /// The name in messages. Formats with the same name may replace each other's files.
    pub name: &'static str,
    /// The help of the option.
    pub help: &'static str,
    /// Returns true if a file of this format can begin with these bytes.
    pub is_head: fn(&[u8]) -> bool,
    /// Writes the file.
    pub content: ReportContent,
}

/// The source of a file, and the function that writes it.
#[derive(Debug)]
pub enum ReportContent {
    /// Frames, written while paths are decoded.
    Frames(for<'p, 'm> fn(FrameNames<'p, 'm>, Writer) -> Box<dyn FrameFile + 'p>),
    /// The page, which has a call tree and counters of its own.
    Page,
    /// Counts of lines and branches. Returns figures of the file in words.
    Coverage(fn(&Coverage<'_>, &mut dyn Write) -> Result<String>),
    /// Calls of methods in each session. Returns figures of the file in words.
    Profile(fn(&ProfileRules<'_, '_>, &mut dyn Write) -> Result<String>),
}

/// All formats, in the order in which their files are written.
pub static FORMATS: &[ReportFormat] = &[
    ReportFormat {
        option: "--folded",
        name: "folded stacks",
        help: "Write folded stacks, for flamegraph.pl, inferno and speedscope. A line is `a;b;c \
               N`, where N is the number of blocks that ran",
        is_head: is_folded,
        content: ReportContent::Frames(|names, out| Box::new(Folded::new(names, out))),
    },
    ReportFormat {
        option: "--speedscope",
        name: "a file for speedscope",
        help: "Write a profile of each thread for <https://www.speedscope.app>. Its unit is blocks \
               that ran",
        is_head: |head| head.starts_with(SPEEDSCOPE_HEAD.as_bytes()),
        content: ReportContent::Frames(|names, out| Box::new(Speedscope::new(names, out))),
    },
    ReportFormat {
        option: "--perfetto",
        name: "a Perfetto trace",
        help: "Write a trace for <https://ui.perfetto.dev>. It has callbacks with their measured \
               times, and calls with interpolated times and their errors",
        is_head: |head| head.starts_with(PERFETTO_HEAD),
        content: ReportContent::Frames(|names, out| Box::new(Perfetto::new(names, out))),
    },
    ReportFormat {
        option: "--html",
        name: "a page",
        help: "Write a page that opens from disk. It has a timeline, a flame graph, the call tree, \
               source lines with hits, exceptions and surprising decisions, and marks what is \
               exact. Without any output option, the page is report.html",
        is_head: |head| head.starts_with(reports::html::HEAD.as_bytes()),
        content: ReportContent::Page,
    },
    ReportFormat {
        option: "--lcov",
        name: "coverage for lcov",
        help: "Write coverage for genhtml and other readers of lcov. It counts how often lines, \
               branches and methods ran",
        is_head: |head| head.starts_with(coverage::LCOV_HEAD.as_bytes()),
        content: ReportContent::Coverage(lcov),
    },
    ReportFormat {
        option: "--jacoco",
        name: "coverage as JaCoCo's XML",
        help: "Write coverage as JaCoCo's XML 1.1, for Sonar, Codecov and others. Its instructions \
               are code units of the app",
        is_head: |head| head.starts_with(coverage::JACOCO_HEAD.as_bytes()),
        content: ReportContent::Coverage(jacoco),
    },
    ReportFormat {
        option: "--cobertura",
        name: "coverage as Cobertura's XML",
        help: "Write coverage as Cobertura's XML, for GitLab and Jenkins. Also for diff-cover and \
               others",
        is_head: |head| head.starts_with(coverage::COBERTURA_HEAD.as_bytes()),
        content: ReportContent::Coverage(cobertura),
    },
    ReportFormat {
        option: "--baseline-profile",
        name: "a profile of methods",
        help: "Write methods to compile ahead of time (baseline-prof.txt). It marks methods of \
               startup (S), after it (P) and hot ones (H), and also names inlined methods of the \
               source",
        is_head: profiles::is_profile,
        content: ReportContent::Profile(baseline_profile),
    },
    ReportFormat {
        option: "--startup-profile",
        name: "a profile of methods",
        help: "Write methods that startup ran, in order (startup-prof.txt). R8 and D8 put them \
               together at the front",
        is_head: profiles::is_profile,
        content: ReportContent::Profile(startup_profile),
    },
];

impl ReportFormat {
    /// Returns the name of its option, without dashes.
    pub fn name_of_option(&self) -> &'static str {
        self.option.trim_start_matches('-')
    }

    /// Returns true if it is written from counts of lines and branches.
    pub fn is_coverage(&self) -> bool {
        matches!(self.content, ReportContent::Coverage(_))
    }
}

/// Returns the format of a file that begins with these bytes.
pub fn recognise(head: &[u8]) -> Option<&'static ReportFormat> {
    FORMATS.iter().find(|format| (format.is_head)(head))
}

/// Returns true if the first line is frames with semicolons between them, then a number.
fn is_folded(head: &[u8]) -> bool {
    let line = head.split(|&b| b == b'\n').next().unwrap_or_default();
    let space = line.iter().rposition(|&b| b == b' ').unwrap_or(line.len());
    let (stack, number) = line.split_at(space);
    stack.contains(&b';') && number.len() > 1 && number[1..].iter().all(u8::is_ascii_digit)
}

fn lcov(coverage: &Coverage<'_>, mut out: &mut dyn Write) -> Result<String> {
    coverage.write_lcov(&mut out)?;
    let all = coverage.summary();
    Ok(match coverage.without_lcov() {
        0 => all,
        left => format!(
            "{all}; without {left} of these branches: their lines ran and decided none of them, \
             which lcov 2.2 and later refuse"
        ),
    })
}

fn jacoco(coverage: &Coverage<'_>, mut out: &mut dyn Write) -> Result<String> {
    coverage.write_jacoco(&mut out)?;
    Ok(coverage.summary())
}

fn cobertura(coverage: &Coverage<'_>, mut out: &mut dyn Write) -> Result<String> {
    coverage.write_cobertura(&mut out, date_ms(coverage)?)?;
    Ok(coverage.summary())
}

/// The variable that dates outputs, in seconds since 1970
/// (<https://reproducible-builds.org/specs/source-date-epoch/>).
const DATE: &str = "SOURCE_DATE_EPOCH";

/// The date of the report in ms since 1970: what the caller wants, else the start of the newest
/// session. The same logs give the same file, whenever it is written.
fn date_ms(coverage: &Coverage<'_>) -> Result<u64> {
    let Some(wanted) = std::env::var_os(DATE).filter(|date| !date.is_empty()) else {
        return Ok(coverage.newest_start_ms());
    };
    let seconds = wanted.to_str().and_then(|date| date.parse::<u64>().ok());
    let ms = seconds.and_then(|seconds| seconds.checked_mul(1000));
    ms.ok_or_else(|| {
        let wanted = wanted.to_string_lossy();
        format!("{DATE} is {wanted:?}, which is no number of seconds since 1970: unset it").into()
    })
}

fn baseline_profile(rules: &ProfileRules<'_, '_>, out: &mut dyn Write) -> Result<String> {
    let named = rules.write_baseline(out)?;
    Ok(summary(rules, named))
}

fn startup_profile(rules: &ProfileRules<'_, '_>, out: &mut dyn Write) -> Result<String> {
    let named = rules.write_startup(out)?;
    if rules.sessions().1 == 0 {
        note("no session calls an onResume() of the app on its main thread: give --startup-ms");
    }
    Ok(summary(rules, named))
}

/// Returns figures of a profile that names `named` methods, in words.
fn summary(rules: &ProfileRules<'_, '_>, named: usize) -> String {
    let (sessions, started) = rules.sessions();
    let (methods, of) = (counted(named, "method"), counted(sessions, "session"));
    format!("{methods}, from {of}, {started} of them with a startup")
}
