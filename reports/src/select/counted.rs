//! Counts of a build's selected paths, summed over processes.

use std::collections::BTreeMap;
use std::io::Write;

use model::hits::HitFile;
use model::map::Map;
use model::nouns::{counted, there_are, there_were};
use model::path_profiles::selected::{PathKind, PathStep, SelectedPath};
use model::trace::Identity;
use serde::Serialize;
use thiserror::Error;

use super::text::path_texts;
use crate::base::escape::visible;
use crate::base::names::block_line;

/// Reason why a file cannot be added.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CountedError {
    /// The map is of a build that counts no paths.
    #[error("the map's build counts no selected paths")]
    NoPaths,
    /// A file of another build.
    #[error("counts of build {0}, which the map is not of")]
    Build(String),
    /// A file of this build with another number of paths: damaged, or written by another tool.
    #[error("counts of {found} paths; the build has {wanted}")]
    Paths {
        /// Number in the file.
        found: u32,
        /// Number in the map.
        wanted: usize,
    },
    /// A second file of the same process.
    #[error("counts of process {0}, of which another file was given")]
    Twice(u32),
}

/// A path and the number of its runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CountedPath {
    /// Its name.
    pub id: String,
    /// Its method in the source, `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// The part of an activation that it covers.
    pub kind: PathKind,
    /// Number of runs.
    pub count: u64,
    /// Number of runs by thread name.
    pub threads: BTreeMap<String, u64>,
    /// Addresses of its blocks in code units, with `!` before a handler.
    pub steps: Vec<String>,
    /// The line of the method at which each block begins.
    pub lines: Vec<Option<u32>>,
    /// All lines of the blocks; no other path of the method has the same text.
    #[serde(skip)]
    pub text: String,
}

/// The sum of all files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PathCountTable {
    /// The build, 32 hexadecimal digits.
    pub build: String,
    /// Number of processes that have counted.
    pub processes: usize,
    /// Each path of the build, in its order.
    pub paths: Vec<CountedPath>,
    /// Number of hits that were lost for want of stack or memory: counts are lower bounds.
    pub lost: u64,
    /// True if a process stored its counts only periodically: its last hits may be missing.
    pub published: bool,
    /// Number of damaged counts that are left out: counts are lower bounds.
    pub damaged: u64,
    /// True if the build's encoding gives other paths the same numbers: counts are upper bounds.
    pub upper_bounds: bool,
    #[serde(skip)]
    known: Vec<Identity>,
}

impl PathCountTable {
    /// Creates counts of 0 for the paths of a build.
    ///
    /// # Errors
    /// See [`CountedError::NoPaths`].
    pub fn new(map: &Map) -> Result<PathCountTable, CountedError> {
        if map.paths.is_empty() {
            return Err(CountedError::NoPaths);
        }
        let steps: Vec<_> = map.paths.iter().map(|path| (path.method, &*path.steps)).collect();
        let texts = path_texts(map, &steps);
        let path = |(path, text): (&SelectedPath, String)| {
            let method = &map.methods[path.method.0 as usize - 1];
            let step = |step: &PathStep| {
                let pc = method.blocks[step.block().0 as usize].pc;
                if matches!(step, PathStep::Caught(_)) { format!("!{pc}") } else { pc.to_string() }
            };
            let line =
                |step: &PathStep| block_line(map, method, &method.blocks[step.block().0 as usize]);
            CountedPath {
                id: path.id.clone(),
                method: map.method_key(method),
                kind: path.kind,
                count: 0,
                threads: BTreeMap::new(),
                steps: path.steps.iter().map(step).collect(),
                lines: path.steps.iter().map(line).collect(),
                text,
            }
        };
        Ok(PathCountTable {
            build: map.build.to_string(),
            processes: 0,
            paths: map.paths.iter().zip(texts).map(path).collect(),
            lost: 0,
            published: false,
            damaged: 0,
            upper_bounds: map.upper_bounds,
            known: Vec::new(),
        })
    }

    /// Adds the counts of a process.
    ///
    /// # Errors
    /// See [`CountedError`]: nothing of the file is added.
    pub fn add(&mut self, file: &HitFile) -> Result<(), CountedError> {
        let build = file.identity.build.to_string();
        if build != self.build {
            return Err(CountedError::Build(build));
        }
        if file.paths as usize != self.paths.len() {
            let (found, wanted) = (file.paths, self.paths.len());
            return Err(CountedError::Paths { found, wanted });
        }
        if self.known.contains(&file.identity) {
            return Err(CountedError::Twice(file.identity.pid));
        }
        self.known.push(file.identity.clone());
        self.processes += 1;
        self.lost += u64::from(file.lost);
        self.published |= file.published;
        self.damaged += file.damage.len() as u64;
        for thread in &file.threads {
            let name = if thread.thread == 0 { "(other threads)" } else { &thread.name };
            for (path, &count) in self.paths.iter_mut().zip(&thread.counts) {
                if count > 0 {
                    path.count = path.count.saturating_add(count);
                    let sum = path.threads.entry(name.to_owned()).or_default();
                    *sum = sum.saturating_add(count);
                }
            }
        }
        Ok(())
    }

    /// Writes a table: most frequent paths first, paths that never ran last.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let processes = counted(self.processes, "process");
        writeln!(out, "{}, counted by {processes}", counted(self.paths.len(), "path"))?;
        let all = self.lost + self.damaged == 0 && !self.published;
        let least = match (all, self.upper_bounds) {
            (true, false) => "",
            (true, true) => "at most ",
            (false, false) => "at least ",
            (false, true) => "about ",
        };
        let mut paths: Vec<&CountedPath> = self.paths.iter().collect();
        paths.sort_by_key(|path| std::cmp::Reverse(path.count));
        let sum: u128 = paths.iter().map(|path| u128::from(path.count)).sum();
        for path in paths {
            let share = 100.0 * path.count as f64 / (sum.max(1)) as f64;
            writeln!(
                out,
                "\n{least}{} × ({share:.1} %)  {}  {} of {}",
                path.count,
                visible(&path.id),
                kind(path.kind),
                visible(&path.method)
            )?;
            writeln!(out, "  lines {}", path.text)?;
            let threads: Vec<String> =
                path.threads.iter().map(|(name, n)| format!("{} {n}", visible(name))).collect();
            if threads.len() > 1 || threads.first().is_some_and(|t| !t.starts_with("main ")) {
                writeln!(out, "  threads: {}", threads.join(", "))?;
            }
        }
        if self.upper_bounds {
            writeln!(
                out,
                "\ncounts contain other paths, which the build's encoding gives the same numbers"
            )?;
        }
        if self.lost > 0 {
            writeln!(out, "\n{} lost for want of stack or memory", there_were(self.lost, "hit"))?;
        }
        if self.published {
            writeln!(
                out,
                "\ncounts were published ten times a second: those of the last tenth of a second \
                 of a process may be missing"
            )?;
        }
        if self.damaged > 0 {
            writeln!(out, "\n{} damaged and left out", there_are(self.damaged, "count"))?;
        }
        Ok(())
    }
}

fn kind(kind: PathKind) -> &'static str {
    match kind {
        PathKind::Whole => "whole run",
        PathKind::Prefix => "begin",
        PathKind::Piece => "part",
    }
}
