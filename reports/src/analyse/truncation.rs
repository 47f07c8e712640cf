//! Truncated passes and activations of a method, and their influence on the shares of its paths.

use std::collections::HashMap;

use model::path_profiles::flow_graph::FlowGraph;
use model::path_profiles::truncation::{cut_share, most_off};
use serde::Serialize;

/// Maximum number of different beginnings of truncated passes kept per method.
const BEGINS: usize = 1_000;

/// Reason why a pass has no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// An exception ended it.
    Exception,
    /// The log ends, by a kill or for other reasons, or has a gap.
    LogEnd,
}

/// Truncated passes of one method.
#[derive(Debug, Clone, Default)]
pub(super) struct Cut {
    /// Number of passes that an exception cut short.
    pub exceptions: u64,
    /// Number of passes that the log's end cut short.
    pub log_end: u64,
    /// Number of passes whose beginning was overwritten.
    pub overwritten: u64,
    /// Number of truncated passes by their edges from the source to the cut.
    begins: HashMap<Box<[u32]>, u64>,
    /// Number of passes beyond the limit of beginnings.
    more: u64,
    /// Number of activations.
    pub activations: u64,
    /// Number of activations that did not return, or whose beginning was overwritten.
    pub activations_cut: u64,
}

/// Truncated passes of one method, as reported.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Truncation {
    /// Number of recorded activations.
    pub activations: u64,
    /// Number of them that did not return, or whose beginning was overwritten.
    pub activations_cut: u64,
    /// Number of passes that an exception cut short.
    pub exceptions: u64,
    /// Number of passes that the log's end cut short: the process was killed, the log was full, or
    /// a part of it is missing.
    pub log_end: u64,
    /// Number of passes whose beginning a ring has overwritten. Passes overwritten whole are
    /// unknown.
    pub overwritten: u64,
    /// Share of these three in all passes.
    pub share: f64,
    /// Maximum error of a path's share in the complete passes, compared to its share in all passes
    /// if each of the others had gone on to its end; `None` if no pass was complete.
    pub bias: Option<f64>,
}

impl Cut {
    /// Records a pass that was cut after these edges.
    pub fn pass(&mut self, begin: &[u32], reason: Reason) {
        match reason {
            Reason::Exception => self.exceptions = self.exceptions.saturating_add(1),
            Reason::LogEnd => self.log_end = self.log_end.saturating_add(1),
        }
        self.begun(begin, 1);
    }

    fn begun(&mut self, begin: &[u32], times: u64) {
        if let Some(count) = self.begins.get_mut(begin) {
            *count = count.saturating_add(times);
        } else if self.begins.len() < BEGINS {
            self.begins.insert(begin.into(), times);
        } else {
            self.more = self.more.saturating_add(times);
        }
    }

    /// Records an activation.
    pub fn activation(&mut self, whole: bool) {
        self.activations = self.activations.saturating_add(1);
        self.activations_cut = self.activations_cut.saturating_add(u64::from(!whole));
    }

    /// Adds the truncated passes of another counter.
    pub fn merge(&mut self, other: &Cut) {
        let sums = [
            (&mut self.exceptions, other.exceptions),
            (&mut self.log_end, other.log_end),
            (&mut self.overwritten, other.overwritten),
            (&mut self.more, other.more),
            (&mut self.activations, other.activations),
            (&mut self.activations_cut, other.activations_cut),
        ];
        sums.into_iter().for_each(|(sum, more)| *sum = sum.saturating_add(more));
        other.begins.iter().for_each(|(begin, times)| self.begun(begin, *times));
    }

    /// Returns the number of passes that began and were cut.
    pub fn passes(&self) -> u64 {
        self.exceptions.saturating_add(self.log_end)
    }

    /// Returns the report, given the complete passes.
    pub fn report(&self, graph: &FlowGraph, complete: &HashMap<Box<[u32]>, u64>) -> Truncation {
        let whole = complete.values().fold(0, |sum: u64, n| sum.saturating_add(*n));
        let anywhere = self.overwritten.saturating_add(self.more);
        Truncation {
            activations: self.activations,
            activations_cut: self.activations_cut,
            exceptions: self.exceptions,
            log_end: self.log_end,
            overwritten: self.overwritten,
            share: cut_share(whole, self.passes().saturating_add(self.overwritten)),
            bias: most_off(graph, complete, &self.begins, anywhere),
        }
    }
}

#[cfg(test)]
mod tests {
    use decoder::replay::{BlockNo, Decision, Ended, Program, SendEvents, Via};
    use decoder::session::Note;
    use model::map::{BlockId, BranchIdentity, Terminator};

    use super::super::{Analysis, Evidence, PathCounts};
    use crate::tests::{OUTER, map};

    /// Seven activations of a diamond: four went to its end, three of them by the first arm. An
    /// exception ended one in the first arm, the log one before the arms, and only the last block
    /// of one is left. Had they gone on, the first arm's share would be 4 to 6 of 7 and not 3 of 4,
    /// and the second arm's 1 to 3 of 7 and not 1 of 4.
    #[test]
    fn what_is_cut_moves_shares_as_far_as_by_hand() {
        let mut map = map();
        let mut block = map.methods[0].blocks.remove(0);
        block.calls.clear();
        let to = |id| Terminator::Goto(BlockId(id));
        let identity = BranchIdentity { fingerprint: 0 };
        let alternatives = vec![(BlockId(1), 1), (BlockId(2), 1)];
        let branch = Terminator::Branch { alternatives, identity };
        let ends = [branch, to(3), to(3), Terminator::Return];
        let with = |terminator| model::map::Block { terminator, ..block.clone() };
        map.methods[0].blocks = ends.into_iter().map(with).collect();
        let program = Program::new(&map);
        let mut counts = PathCounts::new(&program);
        let begin = |counts: &mut PathCounts<'_, '_>, arm: Option<usize>| {
            counts.enter(OUTER, Via::TopLevel(0));
            counts.block(BlockNo(0));
            if let Some(arm) = arm {
                counts.decision(Decision::Branch(BlockNo(0)), arm);
                counts.block(BlockNo(1 + arm as u32));
            }
        };
        for arm in [0, 1, 0, 0] {
            begin(&mut counts, Some(arm));
            counts.block(BlockNo(3));
            counts.leave();
        }
        begin(&mut counts, Some(0));
        counts.unwound(1, &[BlockNo(1)]);
        begin(&mut counts, None);
        counts.note(Note::Ended(Ended::Cut));
        counts.note(Note::Resumed { time_ms: 0 });
        counts.note(Note::Inside { method: OUTER, at: BlockNo(3) });
        counts.enter(OUTER, Via::TopLevel(0));
        counts.block(BlockNo(3));
        counts.leave();
        let mut twice = PathCounts::new(&program);
        twice.merge(&counts);
        twice.merge(&counts);
        for (counts, times) in [(&counts, 1), (&twice, 2)] {
            let evidence = Evidence { map: &map, logs: Some(counts), counts: None };
            let analysis = Analysis::new(&evidence, &[]);
            let reported = analysis.methods[0].truncation.as_ref().expect("logs");
            assert_eq!((reported.activations, reported.activations_cut), (7 * times, 3 * times));
            assert_eq!(
                (reported.exceptions, reported.log_end, reported.overwritten),
                (times, times, times)
            );
            assert!((reported.share - 3.0 / 7.0).abs() < 1e-12);
            assert!((reported.bias.expect("passes") - (0.75 - 4.0 / 7.0)).abs() < 1e-12);
        }
        let evidence = Evidence { map: &map, logs: Some(&counts), counts: None };
        let mut text = Vec::new();
        Analysis::new(&evidence, &[]).write(5, &mut text).expect("a buffer");
        let text = String::from_utf8(text).expect("text");
        assert!(text.contains("3 of 7 activations (42.9 %)"), "{text}");
        assert!(text.contains("1 more have lost their begin"), "{text}");
        assert!(text.contains("  42.9 %  17.9 %  LA;->outer()V"), "{text}");
    }
}
