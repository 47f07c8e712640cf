//! The coverage of an app.

use decoder::replay::Program;
use glob_match::glob_match;
use model::map::Skipped;

use super::counters::{Counters, Covered};
use super::paths::Root;
use super::sessions::Session;
use super::source::{Beyond, CoveredClass, CoveredFile, files};
use crate::base::counts::Counts;
use crate::base::escape::visible;
use crate::base::sources::Sources;
use crate::base::unmatched::Unmatched;

/// Covered lines, branches and methods, file by file. Every format and the page show these figures.
#[derive(Debug)]
pub struct Coverage<'m> {
    /// The app's package.
    pub(super) name: String,
    pub(super) files: Vec<CoveredFile>,
    pub(super) left: Vec<&'m Skipped>,
    /// Sessions, in the order of their starts.
    pub(super) sessions: Vec<Session>,
    pub(super) root: Root,
    pub(super) beyond: Beyond,
}

/// CoverageOrigin of the counts, for the header of coverage files.
#[derive(Debug)]
pub struct CoverageOrigin<'a> {
    /// Processes that were counted.
    pub sessions: Vec<Session>,
    /// Source files, to find the paths of files.
    pub sources: Option<&'a Sources>,
    /// Folder that paths of source files are relative to.
    pub root: Root,
}

impl<'m> Coverage<'m> {
    /// Computes the coverage of these counts.
    pub fn of(program: &Program<'m>, counts: &Counts<'_, 'm>, origin: CoverageOrigin<'_>) -> Self {
        let map = program.map;
        let CoverageOrigin { mut sessions, sources, root } = origin;
        sessions.sort();
        let (files, beyond) = files(program, counts, sources);
        Coverage {
            name: visible(&map.package).into_owned(),
            files,
            left: map.skipped.iter().collect(),
            sessions,
            root,
            beyond,
        }
    }

    /// Keeps the files that have a class which one of these globs matches (`com.example.*`; none:
    /// all classes), and drops files whose classes are all excluded. This selects a module.
    pub fn retain(&mut self, include: &[String], exclude: &[String]) {
        let matches = |globs: &[String], class: &CoveredClass| {
            let name = class.name.replace('/', ".");
            globs.iter().any(|glob| glob_match(glob, &name))
        };
        self.files.retain(|file| {
            file.classes.iter().any(|class| {
                (include.is_empty() || matches(include, class)) && !matches(exclude, class)
            })
        });
    }

    /// Returns the dotted names of all classes.
    pub(crate) fn classes(&self) -> impl Iterator<Item = String> {
        self.files.iter().flat_map(|file| &file.classes).map(|class| class.name.replace('/', "."))
    }

    /// Returns the sums over all files.
    pub(super) fn counters(&self) -> Counters {
        self.files.iter().map(CoveredFile::counters).sum()
    }

    /// Returns the packages, each with its files.
    pub(super) fn packages(&self) -> impl Iterator<Item = (&str, &[CoveredFile])> {
        let same = |a: &CoveredFile, b: &CoveredFile| a.package == b.package;
        self.files.chunk_by(same).map(|files| (files[0].package.as_str(), files))
    }

    /// Returns the name of the source file: relative to the root if it was found, else by its
    /// package.
    pub(super) fn path(&self, file: &CoveredFile) -> String {
        file.found.as_ref().map_or_else(|| file.path(), |found| self.root.name(found))
    }

    /// Returns a summary for people.
    pub fn summary(&self) -> String {
        let Counters { lines, branches, methods, .. } = self.counters();
        let part = |what, c: Covered| format!("{} of {} {what}", c.covered, c.all());
        format!(
            "{}, {}, {}",
            part("lines", lines),
            part("branches", branches),
            part("methods", methods)
        )
    }

    /// Returns the number of alternatives of branches that a tracefile of lcov cannot name (see
    /// [`Coverage::write_lcov`]).
    pub fn without_lcov(&self) -> u64 {
        let lines = self.files.iter().flat_map(|file| file.lines.values());
        lines.filter(|of| of.is_undecided()).map(|of| of.branches().all()).sum()
    }

    /// Returns the number of methods that were not instrumented.
    pub fn left(&self) -> usize {
        self.left.len()
    }

    /// Returns a remark on lines that were left out because they come after the end of their files.
    pub fn beyond(&self) -> Option<String> {
        let Beyond { lines, files } = self.beyond;
        let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        (lines > 0).then(|| {
            format!(
                "{} after the end of {} left out: inlined code of Kotlin, whose source maps \
                 (SourceDebugExtension) the build does not contain",
                counted(lines, "line"),
                counted(files, "file")
            )
        })
    }

    /// Returns true if the build has lines at all.
    pub fn has_lines(&self) -> bool {
        !self.files.is_empty()
    }

    /// Returns the start of the newest session, in ms since 1970; 0 without one.
    pub fn newest_start_ms(&self) -> u64 {
        self.sessions.last().map_or(0, |session| session.start_ms)
    }
}

/// Returns a pattern that matches no class with lines (`com.example.Cls`).
pub fn unmatched_class(coverage: &Coverage<'_>, patterns: &[String]) -> Option<Unmatched> {
    Unmatched::first("class", patterns, coverage.classes(), glob_match::glob_match)
}
