//! Paths that are worth counting: found in decoded sessions, made likely by a model, or named by
//! lines; and what a build has counted of them.

mod activations;
mod between;
mod counted;
mod likely;
mod lines;
mod rounds;

pub use activations::Activations;
pub use between::Between;
pub use counted::{Counted, CountedError, CountedPath};
pub use likely::likely;
pub use lines::{Line, LinesError, ways_over};
pub use rounds::Rounds;

use std::collections::HashMap;

use model::map::{Map, MethodId};
use model::path_profiles::selected::{PathKind, PathStep};
use model::paths_file::{PathEntry, StepAt};

use crate::base::names::{block_line, dotted};

/// Most different paths of one method that are counted.
const PATHS: usize = 20_000;

/// How often each path ran, of one method.
pub(crate) type Seen = HashMap<Box<[PathStep]>, u64>;

/// What was seen of the paths of all methods.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Of each method.
    pub(crate) paths: HashMap<MethodId, Seen>,
    /// Passes that an exception out of the method, or the log's end, cut short.
    pub cut: u64,
    /// Passes with more steps than a selected path can have.
    pub long: u64,
    /// Passes in which an exception can have been thrown in several blocks.
    pub unsure: u64,
    /// Passes on paths that there was no room for.
    pub uncounted: u64,
}

impl Found {
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

    /// The different paths of a method, each with how often it ran.
    pub fn paths_of(&self, method: MethodId) -> impl Iterator<Item = (&[PathStep], u64)> {
        let seen = self.paths.get(&method).into_iter().flatten();
        // In an order that does not change from run to run.
        let mut all: Vec<(&[PathStep], u64)> = seen.map(|(path, n)| (&**path, *n)).collect();
        all.sort_unstable();
        all.into_iter()
    }

    /// Adds what another one saw.
    pub fn merge(&mut self, other: &Found) {
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

/// Which of the paths that were seen are chosen.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Globs over `com.example.Cls.name`; empty: all methods.
    pub methods: Vec<String>,
    /// Source file and line that paths go through; empty: any.
    pub through: Vec<Line>,
    /// So many that ran most often.
    pub top: usize,
    /// So many that ran least often.
    pub rare: usize,
}

impl Choice {
    /// The chosen paths: those that ran most often first, then the rare ones. Of a single block are
    /// only begins.
    pub fn of(&self, map: &Map, found: &Found, kind: PathKind) -> Vec<PathEntry> {
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

    /// Whether a path is of the methods, and goes through the lines.
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

/// Paths that somebody named, as the file has them.
pub fn named(map: &Map, kind: PathKind, paths: &[(MethodId, Vec<PathStep>)]) -> Vec<PathEntry> {
    let entry = |(n, (method, path)): (usize, &(MethodId, Vec<PathStep>))| PathEntry {
        seen: None,
        ..entry(map, n, *method, kind, path, 0)
    };
    (1..).zip(paths).map(entry).collect()
}

/// A path as the file has it.
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
    let in_app = method
        .in_app
        .map(|a| format!("{}->{}{}", map.name(a.class), map.name(a.name), map.name(a.descriptor)));
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
