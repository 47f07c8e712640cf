//! Fused regions and counted loops, laid out for walking (`model::region`).

use std::collections::HashSet;

use model::map::{BlockId, Codec, Loop, Method, Region, Terminator};
use model::region::{End, Numbering, Path, TripCount, TripPlace};
use model::symbols::{Alternative, alternatives};

use super::block::BlockNo;
use super::{Decision, PathSink, ROUNDS_TOLD};

/// A step inside a region.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hop {
    from: BlockNo,
    /// The alternative taken; `None` at a goto.
    decision: Option<u32>,
    to: BlockNo,
}

/// Where a partial path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stop {
    pub at: BlockNo,
    /// The frame can continue from there.
    pub goes_on: bool,
}

/// A fused region.
#[derive(Debug)]
pub(crate) struct FlatRegion {
    pub head: BlockNo,
    /// The paths that leave.
    pub alternatives: Vec<Alternative>,
    /// Hops of each such path.
    paths: Vec<Vec<Hop>>,
    base: u32,
    numbering: Numbering,
    /// The blocks of the region that end in a branch.
    branches: HashSet<BlockId>,
    first: u32,
}

impl FlatRegion {
    /// Lays a checked region out; `first` is the number of its method's first block.
    pub(crate) fn new(codec: Codec, method: &Method, region: &Region, first: u32) -> FlatRegion {
        let numbering = method.numbering(region).expect("maps are checked when they are read");
        let alternatives = alternatives(codec, &codec.symbols(&region.freqs), |_| 0);
        let ends = |b: &BlockId| {
            matches!(method.blocks[b.0 as usize].terminator, Terminator::Branch { .. })
        };
        let branches = numbering.members().iter().map(|m| m.block).filter(ends).collect();
        let head = BlockNo(first + region.head.0);
        let full = numbering.full_paths();
        let mut flat = FlatRegion {
            head,
            alternatives,
            paths: Vec::new(),
            base: region.base,
            numbering,
            branches,
            first,
        };
        flat.paths = full.iter().map(|(_, p)| flat.hops(p)).collect();
        flat
    }

    fn hops(&self, path: &Path) -> Vec<Hop> {
        let at = |b: BlockId| BlockNo(self.first + b.0);
        let ends = match path.end {
            End::Stopped(b) | End::Left(b) => b,
        };
        let next = path.hops.iter().skip(1).map(|h| h.0).chain([ends]);
        path.hops
            .iter()
            .zip(next)
            .map(|(&(b, i), to)| Hop {
                from: at(b),
                decision: self.branches.contains(&b).then_some(i as u32),
                to: at(to),
            })
            .collect()
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
            End::Stopped(_) => {
                sink.block(last.to);
                Stop { at: last.to, goes_on: false }
            }
            // The probe that was to code the path did not come to it.
            End::Left(_) => Stop { at: last.from, goes_on: false },
        })
    }
}

/// Decisions of all hops, and the blocks they lead to but the last.
#[inline]
fn pass(hops: &[Hop], sink: &mut impl PathSink) {
    for (i, hop) in hops.iter().enumerate() {
        if i > 0 {
            sink.block(hop.from);
        }
        if let Some(alternative) = hop.decision {
            sink.decision(Decision::Branch(hop.from), alternative as usize);
        }
    }
}

/// A counted loop.
#[derive(Debug)]
pub(crate) struct FlatLoop {
    /// The cycle behind the edge that stays; the branch block comes last.
    cycle: Vec<BlockNo>,
    stay: usize,
    /// Where it leads when it is left.
    pub exit: BlockNo,
    /// Symbols of iteration counts.
    pub alternatives: Vec<Alternative>,
    trips: TripCount,
}

impl FlatLoop {
    /// Lays a checked loop out; `first` is the number of its method's first block.
    pub(crate) fn new(codec: Codec, method: &Method, l: &Loop, first: u32) -> FlatLoop {
        let trips = method.trip_count(l).expect("maps are checked when they are read");
        let Terminator::Branch { alternatives: ways, .. } =
            &method.blocks[l.branch.0 as usize].terminator
        else {
            unreachable!("a cycle hangs on a branch")
        };
        let stay = usize::from(l.stay);
        FlatLoop {
            cycle: trips.cycle.iter().map(|b| BlockNo(first + b.0)).collect(),
            stay,
            exit: BlockNo(first + ways[1 - stay].0.0),
            alternatives: alternatives(codec, &codec.symbols(&l.freqs), |_| 0),
            trips,
        }
    }

    /// Its branch block.
    pub(crate) fn branch(&self) -> BlockNo {
        self.cycle[self.cycle.len() - 1]
    }

    /// Passes on this many full iterations: afterwards the branch block has been entered again.
    #[inline]
    pub(crate) fn pass(&self, iterations: u32, sink: &mut impl PathSink) {
        sink.rounds(self.branch(), self.stay, &self.cycle, iterations);
    }

    /// Blocks that reports list for this many iterations.
    #[inline]
    pub(crate) fn blocks_told(&self, iterations: u32) -> u64 {
        u64::from(iterations.min(ROUNDS_TOLD)) * self.cycle.len() as u64
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
        let Some(i) = within else { return Stop { at: self.branch(), goes_on: true } };
        sink.decision(Decision::Branch(self.branch()), self.stay);
        self.cycle[..=i].iter().for_each(|&b| sink.block(b));
        Stop { at: self.cycle[i], goes_on: false }
    }

    /// Passes on what a register that was full held; `None` if it is no number of full iterations.
    pub(crate) fn pass_lap(&self, register: u32, sink: &mut impl PathSink) -> Option<Stop> {
        let full = register >> self.trips.shift;
        (full << self.trips.shift == register).then(|| {
            self.pass(full, sink);
            Stop { at: self.branch(), goes_on: true }
        })
    }
}
