//! Paths from one line to another, and from a method's entry to a line.

use decoder::replay::{BlockNo, LoopRounds, PathEvent, PathSink, Program};
use decoder::session::Note;
use model::map::{BlockId, MethodId};
use model::path_profiles::selected::{MAX_STEPS, PathStep};

use super::PathFindings;
use super::lines::{Line, has_line};

/// Counts the paths from each arrival at one line to the first arrival at another, without passing
/// the first line again. Counters of several cores add up ([`PathFindings::merge`]).
#[derive(Debug, Clone)]
pub struct Between<'p, 'm> {
    program: &'p Program<'m>,
    /// Paths found so far.
    pub found: PathFindings,
    /// For each block: true if a path begins there. `None`: paths begin at entries.
    begins: Option<Vec<bool>>,
    /// For each block: true if a path ends there.
    ends: Vec<bool>,
    frames: Vec<BetweenFrame>,
    /// Paths that ended while a loop's rounds are followed.
    ended: Option<Vec<(MethodId, Vec<PathStep>)>>,
}

#[derive(Debug, Clone)]
struct BetweenFrame {
    method: MethodId,
    /// Blocks of the path; empty if none has begun.
    path: Vec<PathStep>,
    /// True if no block has run yet.
    is_new: bool,
}

impl<'p, 'm> Between<'p, 'm> {
    /// Creates a counter. Without a first line paths begin at the entries of methods; without a
    /// last line they end with their first block.
    pub fn new(program: &'p Program<'m>, from: Option<&Line>, to: Option<&Line>) -> Self {
        let blocks =
            || program.map.methods.iter().flat_map(|m| m.blocks.iter().map(move |b| (m, b)));
        let at = |line: &Line| blocks().map(|(m, b)| has_line(program.map, m, b, line)).collect();
        Between {
            program,
            found: PathFindings::default(),
            begins: from.map(at),
            ends: to.map_or_else(|| blocks().map(|_| true).collect(), at),
            frames: Vec::new(),
            ended: None,
        }
    }

    fn go_on(&mut self, at: BlockNo, step: PathStep) {
        let Some(frame) = self.frames.last_mut() else { return };
        let is = |of: &[bool]| of.get(at.0 as usize) == Some(&true);
        let is_new = std::mem::replace(&mut frame.is_new, false);
        let begins = self.begins.as_ref().map_or(is_new, |begins| is(begins));
        if !frame.path.is_empty() {
            if frame.path.len() == MAX_STEPS {
                frame.path.clear();
                self.found.long += 1;
            } else {
                frame.path.push(step);
                if is(&self.ends) {
                    let path = std::mem::take(&mut frame.path);
                    self.found.add(frame.method, &path, 1);
                    if let Some(ended) = &mut self.ended {
                        ended.push((frame.method, path));
                    }
                }
            }
        }
        if begins {
            frame.path.clear();
            frame.path.push(step);
            if self.begins.is_none() && is(&self.ends) {
                self.found.add(frame.method, &[step], 1);
                frame.path.clear();
            }
        }
    }

    fn cut(&mut self, from: usize) {
        let gone = self.frames.drain(from.min(self.frames.len())..);
        self.found.cut += gone.filter(|frame| !frame.path.is_empty()).count() as u64;
    }
}

impl PathSink for Between<'_, '_> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, .. } => {
                self.frames.push(BetweenFrame { method, path: Vec::new(), is_new: true })
            }
            PathEvent::Block(block) => self.block(block),
            PathEvent::Leave => {
                self.frames.pop();
            }
            PathEvent::Caught { dropped, block, from, .. } => self.catch(dropped, block, from),
            PathEvent::Unwound { dropped, .. } => self.drop_frames(dropped),
            PathEvent::Note(Note::Resumed { .. } | Note::Ended(_) | Note::Faulty(_)) => self.cut(0),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { cycle, times, .. } = rounds;
        let is = |of: &[bool], b: &BlockNo| of.get(b.0 as usize) == Some(&true);
        let marks = |b: &BlockNo| {
            self.begins.as_ref().is_some_and(|begins| is(begins, b)) || is(&self.ends, b)
        };
        let has_marks = cycle.iter().any(marks);
        for round in 0..times {
            if !has_marks && self.frames.last().is_none_or(|frame| frame.path.is_empty()) {
                return;
            }
            if !has_marks || round == 0 {
                cycle.iter().for_each(|&b| self.block(b));
                continue;
            }
            // Paths that end in the second round end in each later one.
            self.ended = Some(Vec::new());
            cycle.iter().for_each(|&b| self.block(b));
            for (method, path) in self.ended.take().unwrap_or_default() {
                self.found.add(method, &path, u64::from(times - 2));
            }
            return;
        }
    }
}

impl Between<'_, '_> {
    fn block(&mut self, block: BlockNo) {
        let (_, at) = self.program.locate(block);
        self.go_on(block, PathStep::Block(BlockId(at as u32)));
    }

    fn catch(&mut self, dropped: usize, block: BlockNo, from: &[BlockNo]) {
        self.drop_frames(dropped);
        let (_, at) = self.program.locate(block);
        if dropped == 0
            && from.len() != 1
            && let Some(frame) = self.frames.last_mut()
            && !frame.path.is_empty()
        {
            // The block that threw is not known.
            frame.path.clear();
            self.found.unsure += 1;
        }
        self.go_on(block, PathStep::Caught(BlockId(at as u32)));
    }

    fn drop_frames(&mut self, dropped: usize) {
        self.cut(self.frames.len().saturating_sub(dropped));
    }
}

#[cfg(test)]
mod tests;
