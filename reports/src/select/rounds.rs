//! Rounds of loops, from one visit of the loop's first block to the next.

use std::collections::HashMap;

use decoder::replay::{BlockNo, Decision, LoopRounds, PathEvent, PathSink, Program};
use decoder::session::Note;
use model::map::{BlockId, MethodId};
use model::path_profiles::method_graph::MethodGraph;
use model::path_profiles::selected::{MAX_STEPS, PathStep};

use super::PathFindings;
use crate::analyse::graph_of;

/// Counts the rounds of loops. Counters of several cores add up ([`PathFindings::merge`]).
#[derive(Debug, Clone)]
pub struct Rounds<'p, 'm> {
    program: &'p Program<'m>,
    /// Paths found so far.
    pub found: PathFindings,
    /// Graphs of the methods that ran; `None` inside: a method without a graph.
    graphs: HashMap<MethodId, Option<MethodGraph>>,
    frames: Vec<RoundsFrame>,
    /// Rounds that ended while a loop's rounds are followed.
    ended: Option<Vec<(MethodId, Box<[PathStep]>)>>,
}

#[derive(Debug, Clone)]
struct RoundsFrame {
    method: MethodId,
    /// Its last steps.
    path: Vec<PathStep>,
    /// Index in `path` of the last visit of each loop's first block.
    heads: HashMap<BlockId, usize>,
    /// The alternative that its block took.
    alternative: usize,
}

impl<'p, 'm> Rounds<'p, 'm> {
    /// Creates a counter without paths.
    pub fn new(program: &'p Program<'m>) -> Self {
        let (found, graphs, frames) = Default::default();
        Rounds { program, found, graphs, frames, ended: None }
    }

    /// Moves the innermost frame to a block.
    fn go_on(&mut self, step: PathStep, goes_back: bool) {
        let Some(frame) = self.frames.last_mut() else { return };
        if frame.path.len() > 4 * MAX_STEPS {
            let gone = frame.path.len() - MAX_STEPS;
            frame.path.drain(..gone);
            frame.heads.retain(|_, at| *at >= gone);
            frame.heads.values_mut().for_each(|at| *at -= gone);
        }
        let at = frame.path.len();
        frame.path.push(step);
        frame.alternative = 0;
        let before = frame.heads.insert(step.block(), at);
        if !goes_back {
            return;
        }
        match before {
            Some(from) if at - from < MAX_STEPS => {
                let method = frame.method;
                let round = &frame.path[from..];
                self.found.add(method, round, 1);
                if let Some(ended) = &mut self.ended {
                    ended.push((method, round.into()));
                }
            }
            _ => self.found.long += 1,
        }
    }
}

impl PathSink for Rounds<'_, '_> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, .. } => {
                let program = self.program;
                self.graphs.entry(method).or_insert_with(|| graph_of(program.map, method));
                let (path, heads, alternative) = Default::default();
                self.frames.push(RoundsFrame { method, path, heads, alternative });
            }
            PathEvent::Block(block) => self.block(block),
            PathEvent::Decision { what, alternative } => self.decision(what, alternative),
            PathEvent::Leave => {
                self.frames.pop();
            }
            PathEvent::Caught { dropped, block, from, .. } => self.catch(dropped, block, from),
            PathEvent::Unwound { dropped, .. } => self.drop_frames(dropped),
            PathEvent::Note(Note::Resumed { .. } | Note::Ended(_) | Note::Faulty(_)) => {
                self.frames.clear();
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let times = rounds.times;
        // The second round begins as all others do: a path that ends in it ends in each of them.
        (0..times.min(1)).for_each(|_| rounds.pass_one(self));
        if times < 2 {
            return;
        }
        self.ended = Some(Vec::new());
        rounds.pass_one(self);
        for (method, path) in self.ended.take().unwrap_or_default() {
            self.found.add(method, &path, u64::from(times - 2));
        }
    }
}

impl Rounds<'_, '_> {
    fn block(&mut self, block: BlockNo) {
        let (_, block) = self.program.locate(block);
        let to = BlockId(block as u32);
        let goes_back = self.frames.last().is_some_and(|frame| {
            let graph = self.graphs.get(&frame.method).and_then(Option::as_ref);
            let from = frame.path.last().map(|step| step.block().0 as usize);
            let way = from.and_then(|from| graph?.way(from, frame.alternative));
            way.is_some_and(|way| way.goes_back && way.to == Some(to))
        });
        self.go_on(PathStep::Block(to), goes_back);
    }

    fn decision(&mut self, what: Decision, alternative: usize) {
        let Decision::Branch(branch) = what else { return };
        let (_, block) = self.program.locate(branch);
        if let Some(frame) = self.frames.last_mut()
            && frame.path.last().is_some_and(|step| step.block().0 as usize == block)
        {
            frame.alternative = alternative;
        }
    }

    fn catch(&mut self, dropped: usize, block: BlockNo, from: &[BlockNo]) {
        self.drop_frames(dropped);
        let (_, block) = self.program.locate(block);
        if dropped == 0
            && from.len() != 1
            && let Some(frame) = self.frames.last_mut()
        {
            // The block that threw is not known: no round goes on across it.
            frame.path.clear();
            frame.heads.clear();
            self.found.unsure += 1;
        }
        self.go_on(PathStep::Caught(BlockId(block as u32)), false);
    }

    fn drop_frames(&mut self, dropped: usize) {
        self.frames.truncate(self.frames.len().saturating_sub(dropped));
    }
}
