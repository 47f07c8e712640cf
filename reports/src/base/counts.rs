//! Counts of blocks, branch alternatives and calls, and the ends of blocks that were cut short.

use std::collections::HashMap;

use decoder::replay::{BlockNo, Decision, LoopRounds, PathEvent, PathSink, Program, Via};
use decoder::session::{Note, ThreadTotals};
use decoder::tally::Passes;
use model::map::{MethodId, Terminator};

use super::names::block_of;
use super::progress::Progress;

/// An active frame.
#[derive(Debug)]
pub(crate) struct CountedFrame {
    pub method: MethodId,
    pub progress: Progress,
}

/// Counts what runs in all threads.
#[derive(Debug)]
pub struct Counts<'p, 'm> {
    program: &'p Program<'m>,
    /// Number of times that each block began.
    blocks: Vec<u64>,
    /// Blocks that an exception or the end of the log cut short, by the address up to which they
    /// ran for certain.
    cuts: HashMap<BlockNo, HashMap<u32, u64>>,
    /// Index of each branch block's first alternative; `u32::MAX` for other blocks.
    first_way: Vec<u32>,
    ways: Vec<u64>,
    calls: Vec<u64>,
    stack: Vec<CountedFrame>,
}

impl<'p, 'm> Counts<'p, 'm> {
    /// Creates counts of 0.
    pub fn new(program: &'p Program<'m>) -> Self {
        let map = program.map;
        let (mut first_way, mut len) = (Vec::new(), 0_u32);
        for b in map.methods.iter().flat_map(|m| &m.blocks) {
            match &b.terminator {
                Terminator::Branch { alternatives, .. } => {
                    first_way.push(len);
                    len += alternatives.len() as u32;
                }
                Terminator::Return | Terminator::Throw | Terminator::Goto(_) => {
                    first_way.push(u32::MAX);
                }
            }
        }
        Counts {
            program,
            blocks: vec![0; first_way.len()],
            cuts: HashMap::new(),
            first_way,
            ways: vec![0; len as usize],
            calls: vec![0; map.methods.len()],
            stack: Vec::new(),
        }
    }

    /// Ends the thread: the remaining frames go no further.
    pub fn thread_ends(&mut self, _totals: &ThreadTotals) {
        self.drop_all();
    }

    /// Adds the contents of count files of the same build.
    pub fn add(&mut self, passes: &Passes) {
        let add = |to: &mut [u64], from: &[u64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = to.saturating_add(*from));
        };
        add(&mut self.blocks, &passes.begun);
        add(&mut self.ways, &passes.ways);
        add(&mut self.calls, &passes.calls);
        for (block, &n) in (0..).map(BlockNo).zip(&passes.cut).filter(|(_, n)| **n > 0) {
            let begins = block_of(self.program, block).1.pc;
            let cut = self.cuts.entry(block).or_default().entry(begins).or_default();
            *cut = cut.saturating_add(n);
        }
    }

    /// Returns the number of calls of each method, in the order of the map.
    pub(crate) fn calls(&self) -> &[u64] {
        &self.calls
    }

    /// Returns the counts of all alternatives of all branches.
    pub(crate) fn ways(&self) -> &[u64] {
        &self.ways
    }

    /// Returns the index of a branch block's first alternative.
    pub(crate) fn first_way(&self, block: BlockNo) -> Option<usize> {
        let first = *self.first_way.get(block.0 as usize)?;
        (first != u32::MAX).then_some(first as usize)
    }

    /// Returns the counts of the alternatives of a block's branch; none if it does not branch.
    pub(crate) fn ways_of(&self, block: BlockNo) -> &[u64] {
        match (&block_of(self.program, block).1.terminator, self.first_way(block)) {
            (Terminator::Branch { alternatives, .. }, Some(first)) => {
                &self.ways[first..][..alternatives.len()]
            }
            _ => &[],
        }
    }

    /// Returns the number of times that a line entry at this address was reached for certain.
    pub(crate) fn reached(&self, block: BlockNo, pc: u32) -> u64 {
        let begins = block_of(self.program, block).1.pc;
        let cuts = self.cuts.get(&block).filter(|_| pc > begins);
        let cut = cuts.map_or(0, |cuts| {
            let cuts = cuts.iter().filter(|(reached, _)| **reached < pc);
            cuts.fold(0_u64, |sum, (_, n)| sum.saturating_add(*n))
        });
        self.blocks[block.0 as usize].saturating_sub(cut)
    }

    /// Returns the active frames, outermost first.
    pub(crate) fn stack(&self) -> &[CountedFrame] {
        &self.stack
    }

    /// Returns the index of a branch's alternative among all.
    pub(crate) fn way(&self, BlockNo(block): BlockNo, alternative: usize) -> usize {
        self.first_way[block as usize] as usize + alternative
    }

    /// Counts a call, and returns its index in its caller as [`Program::calls_of`] numbers calls.
    #[inline]
    pub(crate) fn call(&mut self, method: MethodId, via: Via) -> Option<usize> {
        self.calls[method.0 as usize - 1] += 1;
        self.stack.last_mut()?.progress.call_to(self.program, method, via)
    }

    /// Begins the frame of a call.
    #[inline]
    pub(crate) fn push(&mut self, method: MethodId) {
        self.stack.push(CountedFrame { method, progress: Progress::default() });
    }

    /// Counts a block of a frame that ends with it.
    #[inline]
    pub(crate) fn leaf_block(&mut self, block: BlockNo) {
        self.blocks[block.0 as usize] += 1;
        self.came_back();
    }

    /// Records that the frame above the innermost one returned.
    #[inline]
    fn came_back(&mut self) {
        if let Some(frame) = self.stack.last_mut() {
            frame.progress.came_back();
        }
    }

    /// Records that frames from this depth on go no further: their blocks may be incomplete after
    /// the address that `reached` gives.
    fn cut(&mut self, from: usize, reached: impl Fn(&Progress) -> Option<u32>) {
        for frame in self.stack.get(from..).unwrap_or_default() {
            if let (Some(block), Some(pc)) = (frame.progress.number(), reached(&frame.progress)) {
                *self.cuts.entry(block).or_default().entry(pc).or_default() += 1;
            }
        }
    }

    /// Drops all active frames.
    pub(crate) fn drop_all(&mut self) {
        let program = self.program;
        self.cut(0, |progress| progress.reached(program));
        self.stack.clear();
    }

    /// Ends `dropped` frames by an exception; its handler, if any, is in the next frame.
    pub(crate) fn threw(&mut self, dropped: usize, caught: bool) {
        let left = self.stack.len().saturating_sub(dropped);
        let (program, from) = (self.program, left.saturating_sub(usize::from(caught)));
        self.cut(from, |progress| progress.reached_at_event(program));
        self.stack.truncate(left);
    }
}

impl PathSink for Counts<'_, '_> {
    #[inline(always)]
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, via } => {
                self.call(method, via);
                self.push(method);
            }
            PathEvent::Block(block) => self.block(block),
            PathEvent::Decision { what, alternative } => self.decision(what, alternative),
            PathEvent::Leave => {
                self.stack.pop();
                self.came_back();
            }
            PathEvent::Caught { dropped, block, .. } => {
                self.threw(dropped, true);
                self.block(block);
            }
            PathEvent::Unwound { dropped, .. } => self.threw(dropped, false),
            PathEvent::Note(Note::Resumed { .. }) => self.drop_all(),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { branch, stay, cycle, times } = rounds;
        let (way, times) = (self.way(branch, stay), u64::from(times));
        self.ways[way] = self.ways[way].saturating_add(times);
        for &block in cycle {
            let count = &mut self.blocks[block.0 as usize];
            *count = count.saturating_add(times);
        }
        if let (Some(frame), Some(&last)) = (self.stack.last_mut(), cycle.last()) {
            frame.progress.enter(last);
        }
    }

    #[inline]
    fn leaf(&mut self, method: MethodId, block: BlockNo) {
        self.call(method, Via::Call);
        self.leaf_block(block);
    }
}

impl Counts<'_, '_> {
    #[inline]
    fn block(&mut self, block: BlockNo) {
        self.blocks[block.0 as usize] += 1;
        if let Some(frame) = self.stack.last_mut() {
            frame.progress.enter(block);
        }
    }

    #[inline]
    fn decision(&mut self, what: Decision, alternative: usize) {
        match what {
            Decision::Branch(block) => {
                let way = self.way(block, alternative);
                self.ways[way] += 1;
            }
            Decision::Slot(slot) => {
                if let (0, Some(frame)) = (alternative, self.stack.last_mut()) {
                    frame.progress.passed(self.program, slot);
                }
            }
            Decision::NextCallback(_) => {}
        }
    }
}
