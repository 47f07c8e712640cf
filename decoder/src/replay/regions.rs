//! Fused regions and counted loops, laid out for walking (`model::region`).

use std::collections::HashMap;

use model::inlined::Graph;
use model::map::{BlockId, Loop, MethodId, Region};
use model::recording::Recording;
use model::region::{Numbering, Path, PathEnd, TripCount, TripPlace};
use model::symbols::{Alternative, alternatives};

use super::block::{BlockEnd, BlockNo, CHECKED, FlatBlock};
use super::{Decision, LISTED_ROUNDS, LoopRounds, PathSink, SendEvents, Via};

/// A step inside a region.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hop {
    /// Source node of the edge; then the block that sinks receive for it.
    from: BlockNo,
    reported: BlockNo,
    /// The alternative taken; `None` where nothing is decided.
    decision: Option<u32>,
    /// Set if it leads into or out of an inlined callee.
    crossing: Option<Crossing>,
    to: BlockNo,
    /// The block that the next node begins, if it begins one.
    begins: Option<BlockNo>,
}

#[derive(Debug, Clone, Copy)]
enum Crossing {
    Enter(MethodId),
    Leave,
}

/// End of a partial path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stop {
    pub at: BlockNo,
    /// The frame can continue from there.
    pub goes_on: bool,
}

/// A fused region.
#[derive(Debug, Clone)]
pub(crate) struct FlatRegion {
    pub head: BlockNo,
    /// The paths that leave.
    pub alternatives: Vec<Alternative>,
    /// Hops of each such path.
    paths: Vec<Vec<Hop>>,
    base: u32,
    numbering: Numbering,
    /// Of each member and each of its successors: the step there.
    hops: HashMap<(BlockId, usize), Hop>,
}

impl FlatRegion {
    /// Lays a checked region out; `blocks` are the program's, `first` is the number of its method's
    /// first node.
    pub(crate) fn new(
        recording: Recording,
        graph: &Graph<'_>,
        region: &Region,
        blocks: &[FlatBlock],
        first: u32,
    ) -> FlatRegion {
        let numbering = graph.numbering(region.head, &region.inside).expect(CHECKED);
        let alternatives = alternatives(recording, &recording.symbols(&region.freqs), |_| 0);
        let at = |b: BlockId| BlockNo(first + b.0);
        let block = |b: BlockId| &blocks[at(b).0 as usize];
        let mut hops = HashMap::new();
        for m in numbering.members() {
            for (i, &to) in m.successors.iter().enumerate() {
                let crossing = match block(m.block).step {
                    BlockEnd::Enter(callee, _) => Some(Crossing::Enter(callee)),
                    BlockEnd::Leave(_) => Some(Crossing::Leave),
                    _ => None,
                };
                let hop = Hop {
                    from: at(m.block),
                    reported: block(m.block).reported,
                    decision: (m.successors.len() > 1).then_some(i as u32),
                    crossing,
                    to: at(to),
                    begins: block(to).begins.then_some(block(to).reported),
                };
                hops.insert((m.block, i), hop);
            }
        }
        let full = numbering.full_paths();
        let head = at(region.head);
        let mut flat = FlatRegion {
            head,
            alternatives,
            paths: Vec::new(),
            base: region.base,
            numbering,
            hops,
        };
        flat.paths = full.iter().map(|(_, p)| flat.hops(p)).collect();
        flat
    }

    fn hops(&self, path: &Path) -> Vec<Hop> {
        path.hops.iter().map(|hop| self.hops[hop]).collect()
    }

    /// Passes path number `i` of those that leave on, but for the block it leaves to, which it
    /// gives.
    #[inline]
    pub(crate) fn pass(&self, i: usize, sink: &mut impl PathSink) -> BlockNo {
        let hops = &self.paths[i];
        pass(hops, sink);
        hops.last().map_or(self.head, |h| h.to)
    }

    /// Blocks of path number `i` of those that leave.
    #[inline]
    pub(crate) fn hops_of(&self, i: usize) -> u64 {
        self.paths[i].len() as u64
    }

    /// As many blocks as any path has, or more.
    pub(crate) fn most_hops(&self) -> u64 {
        self.numbering.members().len() as u64
    }

    /// Passes on what an exception broke off; `None` if the register cannot hold that.
    pub(crate) fn pass_broken(&self, register: u32, sink: &mut impl PathSink) -> Option<Stop> {
        let path = self.numbering.path(register.checked_sub(self.base)?)?;
        let hops = self.hops(&path);
        pass(&hops, sink);
        let last = hops.last()?;
        Some(match path.end {
            PathEnd::Stopped(_) => {
                if let Some(block) = last.begins {
                    sink.block(block);
                }
                Stop { at: last.to, goes_on: false }
            }
            // The probe that was to code the path did not come to it.
            PathEnd::Left(_) => Stop { at: last.from, goes_on: false },
        })
    }
}

/// Decisions and calls of all hops, and the blocks they lead to but the last.
#[inline]
fn pass(hops: &[Hop], sink: &mut impl PathSink) {
    let mut begins = None;
    for hop in hops {
        if let Some(block) = begins {
            sink.block(block);
        }
        if let Some(alternative) = hop.decision {
            sink.decision(Decision::Branch(hop.reported), alternative as usize);
        }
        match hop.crossing {
            None => {}
            Some(Crossing::Enter(callee)) => sink.enter(callee, Via::Call),
            Some(Crossing::Leave) => sink.leave(),
        }
        begins = hop.begins;
    }
}

/// A counted loop.
#[derive(Debug, Clone)]
pub(crate) struct FlatLoop {
    /// The cycle after the edge that stays, as blocks of sinks; the branch block comes last.
    cycle: Vec<BlockNo>,
    /// The nodes of the cycle.
    nodes: Vec<BlockNo>,
    stay: usize,
    /// Target of the edge that leaves the loop.
    pub exit: BlockNo,
    /// Symbols of iteration counts.
    pub alternatives: Vec<Alternative>,
    trips: TripCount,
}

impl FlatLoop {
    /// Lays a checked loop out; `blocks` are the program's, `first` is the number of its method's
    /// first node.
    pub(crate) fn new(
        recording: Recording,
        graph: &Graph<'_>,
        l: &Loop,
        blocks: &[FlatBlock],
        first: u32,
    ) -> FlatLoop {
        let stay = usize::from(l.stay);
        let trips = graph.trip_count(l.branch, stay).expect(CHECKED);
        let ways = graph.successors(l.branch).expect(CHECKED);
        let at = |b: BlockId| BlockNo(first + b.0);
        FlatLoop {
            cycle: trips.cycle.iter().map(|&b| blocks[at(b).0 as usize].reported).collect(),
            nodes: trips.cycle.iter().map(|&b| at(b)).collect(),
            stay,
            exit: at(ways[1 - stay]),
            alternatives: alternatives(recording, &recording.symbols(&l.freqs), |_| 0),
            trips,
        }
    }

    /// Returns its branch block, as sinks receive it.
    pub(crate) fn branch(&self) -> BlockNo {
        self.cycle[self.cycle.len() - 1]
    }

    /// The node of its branch block.
    pub(crate) fn node(&self) -> BlockNo {
        self.nodes[self.nodes.len() - 1]
    }

    /// Passes on this many full iterations: afterwards the branch block has been entered again.
    #[inline]
    pub(crate) fn pass(&self, iterations: u32, sink: &mut impl PathSink) {
        sink.rounds(LoopRounds {
            branch: self.branch(),
            stay: self.stay,
            cycle: &self.cycle,
            times: iterations,
        });
    }

    /// Blocks that reports list for this many iterations.
    #[inline]
    pub(crate) fn listed_blocks(&self, iterations: u32) -> u64 {
        u64::from(iterations.min(LISTED_ROUNDS)) * self.cycle.len() as u64
    }

    /// Passes the decision to leave on.
    #[inline]
    pub(crate) fn leave(&self, sink: &mut impl PathSink) {
        sink.decision(Decision::Branch(self.branch()), 1 - self.stay);
    }

    /// Passes on what an exception broke off.
    pub(crate) fn pass_broken(&self, register: u32, sink: &mut impl PathSink) -> Stop {
        let TripPlace { full, within } = self.trips.place(register);
        self.pass(full, sink);
        let Some(i) = within else { return Stop { at: self.node(), goes_on: true } };
        sink.decision(Decision::Branch(self.branch()), self.stay);
        self.cycle[..=i].iter().for_each(|&b| sink.block(b));
        Stop { at: self.nodes[i], goes_on: false }
    }

    /// Passes on what a register that was full held; `None` if it is no number of full iterations.
    pub(crate) fn pass_lap(&self, register: u32, sink: &mut impl PathSink) -> Option<Stop> {
        let full = register >> self.trips.shift;
        (full << self.trips.shift == register).then(|| {
            self.pass(full, sink);
            Stop { at: self.node(), goes_on: true }
        })
    }
}
