//! Paths that a user names by lines of the source.

use model::map::{Block, BlockId, Map, Method, MethodId, Terminator};
use model::path_profiles::selected::{MAX_STEPS, PathKind, PathStep};
use thiserror::Error;

use crate::base::names::dotted;

/// Source file and line number.
pub type Line = (String, u32);

/// Maximum number of steps that are tried.
const TRIED: usize = 500_000;

/// Reason why no path was found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LinesError {
    /// No method has this line.
    #[error("{file}:{line}: no code of the build is of this line", file = .0.0, line = .0.1)]
    NoLine(Line),
    /// No path of a method leads over all lines.
    #[error("no way leads over these lines, one after the other")]
    NoWay,
    /// More paths than requested.
    #[error("more than {0} ways lead over these lines: name more of them")]
    Many(usize),
}

/// Returns true if a block has code of this line that is the method's own.
pub(super) fn has_line(map: &Map, m: &Method, block: &Block, (file, line): &Line) -> bool {
    m.source_file.is_some_and(|f| map.name(f) == file)
        && block.lines.iter().any(|(_, place)| place.own_line() == Some(*line))
}

/// Returns the paths over these lines, in their order, as far as the graphs of methods lead without
/// exceptions. Between two lines no block comes twice, and the next line is reached for the first
/// time. A whole path begins at the entry and ends at a return; a prefix begins at the entry.
///
/// # Errors
/// See [`LinesError`]; at most `most` paths are found.
/// See [`LinesError`]; `most` ways are found at most.
pub fn ways_over(
    map: &Map,
    lines: &[Line],
    kind: PathKind,
    methods: &[String],
    most: usize,
) -> Result<Vec<(MethodId, Vec<PathStep>)>, LinesError> {
    let mut known = vec![false; lines.len()];
    let mut found = Vec::new();
    for (id, m) in (1..).map(MethodId).zip(&map.methods) {
        let name = dotted(map, m);
        if !methods.is_empty() && !methods.iter().any(|g| glob_match::glob_match(g, &name)) {
            continue;
        }
        let at: Vec<Vec<bool>> = lines
            .iter()
            .map(|line| m.blocks.iter().map(|b| has_line(map, m, b, line)).collect())
            .collect();
        at.iter().zip(&mut known).for_each(|(at, known)| *known |= at.contains(&true));
        if at.iter().all(|at| at.contains(&true)) {
            let mut search = Search::new(m, &at, kind, most + 1 - found.len().min(most));
            search.run();
            found.extend(search.found.into_iter().map(|path| (id, path)));
        }
        if found.len() > most {
            return Err(LinesError::Many(most));
        }
    }
    if let Some(line) = known.iter().position(|known| !known) {
        return Err(LinesError::NoLine(lines[line].clone()));
    }
    if found.is_empty() { Err(LinesError::NoWay) } else { Ok(found) }
}

/// Search for paths in one method.
struct Search<'a> {
    successors: Vec<Vec<usize>>,
    returns: Vec<bool>,
    /// For each line: the blocks that have it.
    at: &'a [Vec<bool>],
    /// For each line: the blocks from which it can be reached; last, those that reach a return.
    leads: Vec<Vec<bool>>,
    kind: PathKind,
    most: usize,
    tried: usize,
    found: Vec<Vec<PathStep>>,
}

/// An incomplete path: its last block, the number of lines reached, and their positions in it.
struct PartialPath {
    depth: usize,
    block: usize,
    lines: usize,
    since: usize,
}

impl<'a> Search<'a> {
    fn new(m: &Method, at: &'a [Vec<bool>], kind: PathKind, most: usize) -> Search<'a> {
        let to = |b: &Block| match &b.terminator {
            Terminator::Goto(to) => vec![to.0 as usize],
            Terminator::Branch { alternatives, .. } => {
                alternatives.iter().map(|a| a.0.0 as usize).collect()
            }
            Terminator::Return | Terminator::Throw => Vec::new(),
        };
        let successors: Vec<Vec<usize>> = m.blocks.iter().map(to).collect();
        let returns: Vec<bool> =
            m.blocks.iter().map(|b| b.terminator == Terminator::Return).collect();
        let mut before = vec![Vec::new(); successors.len()];
        for (from, to) in successors.iter().enumerate() {
            to.iter().for_each(|&to| before[to].push(from));
        }
        let leads_to = |ends: &Vec<bool>| {
            let mut leads = ends.clone();
            let mut open: Vec<usize> = (0..leads.len()).filter(|&b| leads[b]).collect();
            while let Some(b) = open.pop() {
                for &from in &before[b] {
                    if !std::mem::replace(&mut leads[from], true) {
                        open.push(from);
                    }
                }
            }
            leads
        };
        let leads = at.iter().chain([&returns]).map(leads_to).collect();
        Search { successors, returns, at, leads, kind, most, tried: 0, found: Vec::new() }
    }

    fn run(&mut self) {
        let begins: Vec<usize> = match self.kind {
            PathKind::Piece => (0..self.successors.len()).filter(|&b| self.at[0][b]).collect(),
            PathKind::Whole | PathKind::Prefix => vec![0],
        };
        let mut path = Vec::new();
        let mut open: Vec<PartialPath> = begins
            .into_iter()
            .rev()
            .map(|block| PartialPath { depth: 0, block, lines: 0, since: 0 })
            .collect();
        while let Some(PartialPath { depth, block, mut lines, mut since }) = open.pop() {
            self.tried += 1;
            path.truncate(depth);
            if self.tried > TRIED || self.found.len() >= self.most {
                return;
            }
            if depth >= MAX_STEPS || path[since.min(depth)..].contains(&block) {
                continue;
            }
            path.push(block);
            while lines < self.at.len() && self.at[lines][block] {
                (lines, since) = (lines + 1, depth);
            }
            let all = lines == self.at.len();
            let ends = match self.kind {
                PathKind::Whole => all && self.returns[block],
                PathKind::Prefix | PathKind::Piece => all,
            };
            if ends {
                let step = |&b: &usize| PathStep::Block(BlockId(b as u32));
                self.found.push(path.iter().map(step).collect());
                continue;
            }
            for &to in self.successors[block].iter().rev().filter(|&&to| self.leads[lines][to]) {
                open.push(PartialPath { depth: depth + 1, block: to, lines, since });
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
