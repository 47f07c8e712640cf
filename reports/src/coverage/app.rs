//! The coverage of an app.

use decoder::replay::Program;
use glob_match::glob_match;
use model::map::Skipped;

use super::counters::{Counters, Covered};
use super::source::{Class, File, files};
use crate::counts::Counts;
use crate::text::Sources;
use crate::visible;

/// What ran, file by file.
#[derive(Debug)]
pub struct Coverage<'m> {
    /// The app's package.
    pub(super) name: String,
    pub(super) files: Vec<File>,
    pub(super) left: Vec<&'m Skipped>,
}

impl<'m> Coverage<'m> {
    /// What was counted; files are looked for in the sources.
    pub fn of(program: &Program<'m>, counts: &Counts<'_, 'm>, sources: Option<&Sources>) -> Self {
        let map = program.map;
        let files = files(program, counts, sources);
        Coverage {
            name: visible(&map.package).into_owned(),
            files,
            left: map.skipped.iter().collect(),
        }
    }

    /// Keeps the files that have a class which one of these globs matches (`com.example.*`; none:
    /// all classes), but for those of which all classes are excluded: the part of a module.
    pub fn retain(&mut self, include: &[String], exclude: &[String]) {
        let matches = |globs: &[String], class: &Class| {
            let name = class.name.replace('/', ".");
            globs.iter().any(|glob| glob_match(glob, &name))
        };
        self.files.retain(|file| {
            file.classes.iter().any(|class| {
                (include.is_empty() || matches(include, class)) && !matches(exclude, class)
            })
        });
    }

    /// Sums over all files.
    pub(super) fn counters(&self) -> Counters {
        self.files.iter().map(File::counters).sum()
    }

    /// The packages, each with its files.
    pub(super) fn packages(&self) -> impl Iterator<Item = (&str, &[File])> {
        let same = |a: &File, b: &File| a.package == b.package;
        self.files.chunk_by(same).map(|files| (files[0].package.as_str(), files))
    }

    /// What ran, in words.
    pub fn summary(&self) -> String {
        let Counters { lines, branches, methods, .. } = self.counters();
        let told = |what, c: Covered| format!("{} of {} {what}", c.covered, c.all());
        format!(
            "{}, {}, {}",
            told("lines", lines),
            told("branches", branches),
            told("methods", methods)
        )
    }

    /// So many methods were left alone.
    pub fn left(&self) -> usize {
        self.left.len()
    }

    /// Whether the build has lines at all.
    pub fn has_lines(&self) -> bool {
        !self.files.is_empty()
    }
}
