//! Exact runs of a target, as a sampler that misses nothing would see them, and how much of one a
//! merged trace has.

use hashbrown::HashMap;
use model::map::{Map, MethodId};

use crate::fill::FramePrecision;
use crate::graph::{Graph, NodeId};
use crate::score::PathObserver;

/// A place as samples see it: a method, and a line or a block of it; 0 for the method alone.
pub type ExactPlace = (MethodId, u32);

/// A stretch of a block: from one of its calls to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct RunStretch {
    node: NodeId,
    /// Calls of the block that have returned.
    from: u16,
    /// The call that ends the stretch, from 1; 0 for the block's end.
    to: u16,
}

/// Blocks of runs that are kept at most; runs that pass the limit are left out.
const MOST: usize = 4 << 20;

/// Follows exact paths and keeps the runs of a target.
#[derive(Debug)]
pub struct TargetRuns<'g> {
    graph: &'g Graph,
    /// Methods that may be the target.
    targets: Vec<MethodId>,
    /// Of each frame: its block, and calls of it that have begun.
    frames: Vec<(Option<NodeId>, u16)>,
    /// The number of frames below the target that runs, and its path.
    open: Option<(usize, Vec<RunStretch>)>,
    kept: usize,
    /// Different runs, and how often each was taken.
    runs: HashMap<Vec<RunStretch>, u64>,
    left_out: u64,
}

impl<'g> TargetRuns<'g> {
    /// Nothing followed yet.
    pub fn new(graph: &'g Graph, targets: Vec<MethodId>) -> TargetRuns<'g> {
        TargetRuns {
            graph,
            targets,
            frames: Vec::new(),
            open: None,
            kept: 0,
            runs: HashMap::new(),
            left_out: 0,
        }
    }

    /// Returns the number of runs that were too long to be kept.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The different runs as places, the most frequent first, each with how often it was taken.
    pub fn runs(&self, map: &Map, precision: FramePrecision) -> Vec<(Vec<ExactPlace>, u64)> {
        let mut all: HashMap<Vec<ExactPlace>, u64> = HashMap::new();
        for (run, times) in &self.runs {
            *all.entry(self.places(map, run, precision)).or_default() += times;
        }
        let mut all: Vec<(Vec<ExactPlace>, u64)> = all.into_iter().collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        all
    }

    fn places(&self, map: &Map, run: &[RunStretch], precision: FramePrecision) -> Vec<ExactPlace> {
        let mut places: Vec<ExactPlace> = Vec::new();
        let mut add = |place: ExactPlace| {
            if places.last() != Some(&place) {
                places.push(place);
            }
        };
        for stretch in run {
            let (id, number) = self.graph.locate(stretch.node);
            match precision {
                FramePrecision::Method => add((id, 0)),
                // Blocks as they are entered: a caller's block goes on without an entry.
                FramePrecision::Stack if stretch.from == 0 => add((id, number.0)),
                FramePrecision::Stack => {}
                FramePrecision::Line => {
                    lines(map, id, number.0 as usize, *stretch, &mut |l| add((id, l)));
                }
            }
        }
        places
    }

    fn push(&mut self, stretch: RunStretch) {
        let Some((_, run)) = &mut self.open else { return };
        run.push(stretch);
        if run.len() > MOST - self.kept {
            self.open = None;
            self.left_out += 1;
        }
    }
}

/// Lines that are in force in a stretch, in order.
fn lines(map: &Map, id: MethodId, number: usize, stretch: RunStretch, add: &mut dyn FnMut(u32)) {
    let block = map.method(id).and_then(|m| m.blocks.get(number));
    let Some(block) = block else { return };
    let pc_of = |call: u16| block.calls.get(usize::from(call).checked_sub(1)?).map(|c| c.pc);
    let from = pc_of(stretch.from).unwrap_or(block.pc);
    let to = pc_of(stretch.to).map_or(block.end, |pc| pc + 1);
    for (i, &(begin, origin)) in block.lines.iter().enumerate() {
        let end = block.lines.get(i + 1).map_or(block.end, |next| next.0);
        let is_in_force = begin.max(from) < end.min(to) || (i == 0 && from < end.min(to));
        if let Some(line) = origin.own_line().filter(|_| is_in_force) {
            add(line);
        }
    }
}

impl PathObserver for TargetRuns<'_> {
    fn pass(&mut self) {
        self.frames.clear();
        self.open = None;
    }

    fn enter(&mut self, method: MethodId, outside: bool) {
        if let Some((Some(node), begun)) = self.frames.last_mut() {
            let next = self.graph.calls_to(*node, method).find(|c| *c > *begun);
            if let (false, Some(next)) = (outside, next) {
                *begun = next;
                let last = self.open.as_mut().and_then(|(_, run)| run.last_mut());
                if let Some(last) = last.filter(|last| last.node == *node) {
                    last.to = next;
                }
            }
        }
        if self.open.is_none() && self.targets.contains(&method) {
            self.open = Some((self.frames.len(), Vec::new()));
        }
        self.frames.push((None, 0));
    }

    fn leave(&mut self, frames: usize) {
        let left = self.frames.len().saturating_sub(frames);
        self.frames.truncate(left);
        let is_over = self.open.as_ref().is_some_and(|(below, _)| left <= *below);
        if is_over && let Some((_, run)) = self.open.take() {
            let new = run.len();
            let times = self.runs.entry(run).or_default();
            self.kept += if *times == 0 { new } else { 0 };
            *times += 1;
        } else if let Some(&(Some(node), from)) = self.frames.last() {
            self.push(RunStretch { node, from, to: 0 });
        }
    }

    fn block(&mut self, node: NodeId) {
        if let Some(frame) = self.frames.last_mut() {
            *frame = (Some(node), 0);
        }
        self.push(RunStretch { node, from: 0, to: 0 });
    }
}

/// Agreement of a merged trace with an exact run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agreement {
    /// Places of the merged trace.
    pub merged: usize,
    /// Places of the exact run.
    pub exact: usize,
    /// Places of both, in order (longest common subsequence).
    pub common: usize,
}

/// Pairs of places that are compared at most.
const MAX_PAIRS: usize = 1 << 32;

impl Agreement {
    /// Compares two traces; `None` if they are too long.
    pub fn new(merged: &[ExactPlace], exact: &[ExactPlace]) -> Option<Agreement> {
        if merged.len().checked_mul(exact.len())? > MAX_PAIRS {
            return None;
        }
        let mut row = vec![0; exact.len() + 1];
        for place in merged {
            let mut corner = 0;
            for (j, other) in exact.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if place == other { corner + 1 } else { above.max(row[j]) };
                corner = above;
            }
        }
        Some(Agreement { merged: merged.len(), exact: exact.len(), common: row[exact.len()] })
    }

    /// Share of the merged places that ran in this order.
    pub fn precision(&self) -> f64 {
        self.common as f64 / self.merged.max(1) as f64
    }

    /// Share of the places that ran that the merged trace has in this order.
    pub fn recall(&self) -> f64 {
        self.common as f64 / self.exact.max(1) as f64
    }

    /// Harmonic mean of both.
    pub fn f1(&self) -> f64 {
        2.0 * self.common as f64 / (self.merged + self.exact).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> ExactPlace {
        (MethodId(1), line)
    }

    #[test]
    fn agreement_counts_places_in_order() {
        let exact: Vec<ExactPlace> = [1, 2, 3, 4].map(place).to_vec();
        let merged: Vec<ExactPlace> = [1, 3, 2, 4, 9].map(place).to_vec();
        let agreement = Agreement::new(&merged, &exact).unwrap();
        assert_eq!(agreement, Agreement { merged: 5, exact: 4, common: 3 });
        assert_eq!((agreement.precision(), agreement.recall()), (0.6, 0.75));
        assert!((agreement.f1() - 2.0 / 3.0).abs() < 1e-9);
    }

    /// Runs of a method of two blocks, the second of which ends it: two equal ones, and one cut.
    #[test]
    fn equal_runs_are_counted_and_open_ones_left_out() {
        let graph = Graph::of_method(&[&[1], &[]]);
        let mut runs = TargetRuns::new(&graph, vec![MethodId(1)]);
        for _ in 0..2 {
            runs.pass();
            runs.enter(MethodId(1), true);
            runs.block(NodeId(0));
            runs.block(NodeId(1));
            runs.leave(1);
        }
        runs.enter(MethodId(1), true);
        runs.block(NodeId(0));
        runs.pass();
        assert_eq!(runs.runs.values().collect::<Vec<_>>(), [&2]);
        assert_eq!(runs.runs.keys().next().map(Vec::len), Some(2));
        assert_eq!(runs.left_out(), 0);
    }
}
