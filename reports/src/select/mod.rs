//! Paths to count: found in decoded sessions, likely by a model, or named by lines; and the counts
//! of them in a build.

mod activations;
mod advice;
mod between;
mod counted;
mod likely;
mod lines;
mod rounds;
mod text;

pub use activations::Activations;
pub use advice::{MethodAdvice, advise, write_advice};
pub use between::Between;
pub use counted::{CountedError, CountedPath, PathCountTable};
pub use likely::likely;
pub use lines::{Line, LinesError, ways_over};
pub use rounds::Rounds;
pub use text::selected_texts;

use std::collections::HashMap;

use model::map::{Map, Method, MethodId};
use model::path_profiles::selected::{PathKind, PathStep};
use model::paths_file::{PathEntry, StepAt};

use crate::base::names::{block_line, dotted};

/// Maximum number of different paths counted per method.
const PATHS: usize = 20_000;

/// Number of runs of each path of one method.
pub(crate) type RunsByPath = HashMap<Box<[PathStep]>, u64>;

/// Paths found in sessions, for all methods.
#[derive(Debug, Clone, Default)]
pub struct PathFindings {
    /// Paths by method.
    pub(crate) paths: HashMap<MethodId, RunsByPath>,
    /// Number of passes that an exception out of the method, or the log's end, cut short.
    pub cut: u64,
    /// Number of passes with more steps than a selected path can have.
    pub long: u64,
    /// Number of passes in which an exception can have been thrown in several blocks.
    pub unsure: u64,
    /// Number of passes on paths beyond the limit.
    pub uncounted: u64,
}

impl PathFindings {
    fn add(&mut self, method: MethodId, path: &[PathStep], times: u64) {
        let seen = self.paths.entry(method).or_default();
        if let Some(count) = seen.get_mut(path) {
            *count = count.saturating_add(times);
        } else if seen.len() < PATHS {
            seen.insert(path.into(), times);
        } else {
            self.uncounted = self.uncounted.saturating_add(times);
        }
    }

    /// Returns the different paths of a method, each with the number of its runs.
    pub fn paths_of(&self, method: MethodId) -> impl Iterator<Item = (&[PathStep], u64)> {
        let seen = self.paths.get(&method).into_iter().flatten();
        // A fixed order, equal in all runs of the program.
        let mut all: Vec<(&[PathStep], u64)> = seen.map(|(path, n)| (&**path, *n)).collect();
        all.sort_unstable();
        all.into_iter()
    }

    /// Adds the findings of another counter.
    pub fn merge(&mut self, other: &PathFindings) {
        for (method, seen) in &other.paths {
            seen.iter().for_each(|(path, times)| self.add(*method, path, *times));
        }
        let sums = [
            (&mut self.cut, other.cut),
            (&mut self.long, other.long),
            (&mut self.unsure, other.unsure),
            (&mut self.uncounted, other.uncounted),
        ];
        sums.into_iter().for_each(|(sum, more)| *sum = sum.saturating_add(more));
    }
}

/// Selection among the paths that were found.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Globs over `com.example.Cls.name`; empty: all methods.
    pub methods: Vec<String>,
    /// Source file and line that paths go through; empty: any.
    pub through: Vec<Line>,
    /// Number of most frequent paths to select.
    pub top: usize,
    /// Number of least frequent paths to select.
    pub rare: usize,
}

impl Choice {
    /// Returns the selected paths: most frequent ones first, then the rare ones. A single block is
    /// only selected as the beginning of an activation.
    pub fn of(&self, map: &Map, found: &PathFindings, kind: PathKind) -> Vec<PathEntry> {
        let mut all: Vec<(MethodId, &[PathStep], u64)> = Vec::new();
        for (method, seen) in &found.paths {
            if !self.takes_method(map, *method) {
                continue;
            }
            let paths = seen.iter().map(|(path, times)| (*method, &**path, *times));
            let is_path = |path: &[PathStep]| {
                (path.len() > 1 || kind == PathKind::Prefix)
                    && self.goes_through(map, *method, path)
            };
            all.extend(paths.filter(|(_, path, _)| is_path(path)));
        }
        all.sort_unstable_by(|a, b| b.2.cmp(&a.2).then_with(|| (a.0, a.1).cmp(&(b.0, b.1))));
        let rare = all.len().saturating_sub(self.rare).max(self.top.min(all.len()));
        let chosen = all[..self.top.min(all.len())].iter().chain(&all[rare..]);
        (1..)
            .zip(chosen)
            .map(|(n, &(method, path, times))| entry(map, n, method, kind, path, times))
            .collect()
    }

    /// Returns true if a path is of the methods and goes through the lines.
    fn takes(&self, map: &Map, method: MethodId, path: &[PathStep]) -> bool {
        self.takes_method(map, method) && self.goes_through(map, method, path)
    }

    fn takes_method(&self, map: &Map, method: MethodId) -> bool {
        let name = map.method(method).map(|m| dotted(map, m)).unwrap_or_default();
        self.methods.is_empty()
            || self.methods.iter().any(|glob| glob_match::glob_match(glob, &name))
    }

    fn goes_through(&self, map: &Map, method: MethodId, path: &[PathStep]) -> bool {
        if self.through.is_empty() {
            return true;
        }
        let Some(m) = map.method(method) else { return false };
        path.iter().any(|step| {
            let block = &m.blocks[step.block().0 as usize];
            self.through.iter().any(|line| lines::has_line(map, m, block, line))
        })
    }
}

/// Returns paths that a user named, as entries of the file.
pub fn named(map: &Map, kind: PathKind, paths: &[(MethodId, Vec<PathStep>)]) -> Vec<PathEntry> {
    let entry = |(n, (method, path)): (usize, &(MethodId, Vec<PathStep>))| PathEntry {
        seen: None,
        ..entry(map, n, *method, kind, path, 0)
    };
    (1..).zip(paths).map(entry).collect()
}

/// Returns `Lpkg/Cls;->name(I)V`, as the app has it.
fn name_in_app(map: &Map, method: &Method) -> String {
    method.in_app.map_or_else(
        || map.method_key(method),
        |a| format!("{}->{}{}", map.name(a.class), map.name(a.name), map.name(a.descriptor)),
    )
}

/// Returns a path as an entry of the file.
fn entry(
    map: &Map,
    n: usize,
    id: MethodId,
    kind: PathKind,
    path: &[PathStep],
    seen: u64,
) -> PathEntry {
    let method = &map.methods[id.0 as usize - 1];
    let source = map.method_key(method);
    let in_app = method.in_app.map(|_| name_in_app(map, method));
    let step = |step: &PathStep| {
        let pc = method.blocks[step.block().0 as usize].pc;
        match step {
            PathStep::Block(_) => StepAt::Block(pc),
            PathStep::Caught(_) => StepAt::caught(pc),
        }
    };
    let line = |step: &PathStep| block_line(map, method, &method.blocks[step.block().0 as usize]);
    PathEntry {
        id: format!("p{n}"),
        source: in_app.is_some().then(|| source.clone()),
        method: in_app.unwrap_or(source),
        shape: format!("{:016x}", method.fingerprint),
        kind,
        steps: path.iter().map(step).collect(),
        lines: path.iter().map(line).collect(),
        seen: Some(seen),
    }
}

#[cfg(test)]
mod tests;
