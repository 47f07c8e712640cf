//! Exact paths of logs, for what samples them.

use decoder::Damage;
use decoder::replay::{BlockNo, Decision, LoopRounds, PathEvent, PathSink, Program, Via};
use decoder::session::{Note, decode_thread_on};
use model::map::Map;
use samples::fill::DEEPEST;
use samples::graph::{Graph, NodeId};
use samples::score::PathObserver;
use samples::train::DecisionCounts;

use super::Result;
use crate::args::jobs::Jobs;
use crate::inputs::{LogFiles, Logs};
use crate::outputs::print::note;
use crate::outputs::progress::Progress;

/// Hands exact paths on, and counts their decisions.
pub struct Path<'g, F> {
    graph: &'g Graph,
    /// The sink of the blocks.
    pub follows: F,
    /// The decisions.
    pub counts: DecisionCounts,
    /// Blocks that ran, up to the limit.
    pub blocks: u64,
    /// Blocks that are followed at most: a loop of one symbol can run billions.
    most: u64,
    depth: usize,
}

impl<'g, F: PathObserver> Path<'g, F> {
    /// Nothing followed yet.
    pub fn new(graph: &'g Graph, follows: F, most: u64) -> Path<'g, F> {
        Path { graph, follows, counts: DecisionCounts::new(graph), blocks: 0, most, depth: 0 }
    }

    /// Follows all threads of these logs, up to the limit of blocks, and reports what is left out.
    /// Returns the damage in them.
    pub fn follow(
        &mut self,
        map: &Map,
        program: &Program<'_>,
        logs: &LogFiles,
        jobs: &Jobs,
        progress: &Progress,
    ) -> Result<Damage> {
        let mut logs = Logs::of_build(map, logs.files())?;
        let mut damage = Damage::NONE;
        let (mut cut, mut left_out) = (None, 0);
        for process in &mut logs {
            let process = process?;
            for thread in &process.threads {
                if self.is_full() {
                    left_out += 1;
                    continue;
                }
                progress.at(format_args!("decoding thread {}", thread.number));
                self.begin();
                let totals = decode_thread_on(&jobs.cores(), program, thread, self);
                damage += Damage::records(totals.faulty);
                if self.is_full() {
                    cut = Some((process.pid, thread.number));
                }
            }
        }
        if let Some((pid, thread)) = cut {
            let further = if left_out == 1 { "thread" } else { "threads" };
            note(format_args!(
                "thread {thread} of process {pid} comes to the limit of {} blocks: the rest of it \
                 and {left_out} further {further} left out; --max-blocks sets the limit",
                self.most
            ));
        }
        damage += logs.damage();
        Ok(damage)
    }

    fn begin(&mut self) {
        self.depth = 0;
        self.follows.pass();
    }

    fn leave_frames(&mut self, frames: usize) {
        self.depth = self.depth.saturating_sub(frames);
        self.follows.leave(frames);
    }

    fn enter_block(&mut self, block: BlockNo) {
        self.blocks += 1;
        self.follows.block(NodeId(block.0));
    }
}

impl<F: PathObserver> PathSink for Path<'_, F> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, via } => {
                if matches!(via, Via::TopLevel(_)) || self.depth == 0 {
                    self.begin();
                }
                self.depth += 1;
                self.follows.enter(method, matches!(via, Via::Callback | Via::TopLevel(_)));
            }
            PathEvent::Block(block) => self.enter_block(block),
            PathEvent::Decision { what, alternative } => self.decision(what, alternative),
            PathEvent::Leave => self.leave_frames(1),
            PathEvent::Caught { dropped, block, .. } => {
                self.leave_frames(dropped);
                self.enter_block(block);
            }
            PathEvent::Unwound { dropped, .. } => self.leave_frames(dropped),
            PathEvent::Note(
                Note::Resumed { .. } | Note::Faulty(_) | Note::Below | Note::Gap { .. },
            ) => {
                self.begin();
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        for _ in 0..rounds.times {
            if self.is_full() {
                return;
            }
            rounds.pass_one(self);
        }
    }

    fn is_full(&self) -> bool {
        self.blocks >= self.most
    }
}

impl<F: PathObserver> Path<'_, F> {
    fn decision(&mut self, what: Decision, alternative: usize) {
        match what {
            Decision::Branch(BlockNo(block)) => {
                self.counts.count_branch(self.graph, NodeId(block), alternative, 1);
            }
            Decision::Slot(slot) => self.counts.count_slot(self.graph, slot, alternative, 1),
            Decision::NextCallback(_) => {}
        }
    }
}

/// Reports samples that are too deep to be rebuilt.
pub fn report_depth(left_out: u64, every: u32) {
    let samples = if left_out == 1 { "sample" } else { "samples" };
    if left_out > 0 {
        note(format_args!(
            "{left_out} {samples} (one block in {every}) with more than {DEEPEST} frames left out"
        ));
    }
}
