//! A build with the numbers that the tables give it.

use decoder::replay::{BlockNo, Decision, Program};
use decoder::train::Counter;
use model::identities::{Identities, mix};
use model::map::{Map, MethodId, SlotId, Terminator};

use crate::rows::{BranchEdge, Facts};

/// A branch's alternative.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BuildEdge {
    /// The same in all builds that have the branch.
    pub(crate) hash: u64,
    pub(crate) block: BlockNo,
    pub(crate) alternative: u32,
}

/// A build that is decoded. Edges are numbered in the order of the map: methods, blocks,
/// alternatives.
#[derive(Debug)]
pub(crate) struct TableBuild<'m> {
    pub(crate) program: Program<'m>,
    pub(crate) edges: Vec<BuildEdge>,
    /// Per block: its first edge; meaningless without a branch.
    first_edge: Vec<u32>,
    /// Cells of slots: the slot and the alternative.
    pub(crate) cells: Vec<(SlotId, u32)>,
    first_cell: Vec<u32>,
    /// Ids of methods.
    methods: Vec<u64>,
}

impl<'m> TableBuild<'m> {
    pub(crate) fn new(map: &'m Map) -> Self {
        let ids = Identities::of(map, &[]);
        let (mut edges, mut first_edge) = (Vec::new(), Vec::new());
        for (m, method) in (1..).map(MethodId).zip(&map.methods) {
            let mut branches = ids.branches(m).iter();
            for block in &method.blocks {
                let number = BlockNo(first_edge.len() as u32);
                first_edge.push(edges.len() as u32);
                let Terminator::Branch { alternatives, .. } = &block.terminator else { continue };
                let branch = branches.next().map_or(0, |id| id.hash);
                edges.extend((0..alternatives.len() as u32).map(|alternative| BuildEdge {
                    hash: mix(branch, alternative.into()),
                    block: number,
                    alternative,
                }));
            }
        }
        let (mut cells, mut first_cell) = (Vec::new(), Vec::new());
        for (s, slot) in (0..).map(SlotId).zip(&map.slots) {
            first_cell.push(cells.len() as u32);
            cells.extend((0..slot.freqs.len() as u32).map(|i| (s, i)));
        }
        let methods = ids.methods().iter().map(|id| id.hash).collect();
        let program = Program::new(map);
        TableBuild { program, edges, first_edge, cells, first_cell, methods }
    }

    /// The number of an edge.
    #[inline]
    pub(crate) fn edge(&self, BlockNo(block): BlockNo, alternative: usize) -> u32 {
        self.first_edge[block as usize] + alternative as u32
    }

    /// Counts of edges in terms of their branches; `counts` are those of one session, sorted.
    pub(crate) fn branch_edges(&self, counts: Vec<(u32, u64)>) -> Vec<BranchEdge> {
        let mut before = None;
        let branch_edge = |(edge, n): (u32, u64)| {
            let branch = Some(self.edges[edge as usize].block);
            BranchEdge { edge, n, is_first: std::mem::replace(&mut before, branch) != branch }
        };
        counts.into_iter().map(branch_edge).collect()
    }

    /// The number of a slot's alternative.
    #[inline]
    pub(crate) fn cell(&self, SlotId(slot): SlotId, alternative: usize) -> u32 {
        self.first_cell[slot as usize] + alternative as u32
    }

    /// A method's id.
    pub(crate) fn method(&self, MethodId(m): MethodId) -> u64 {
        self.methods[m as usize - 1]
    }

    /// Adds the counts of a session to the counts of the model.
    pub(crate) fn count(&self, facts: &Facts, counter: &mut Counter<'_, '_>) {
        for taken in &facts.edges {
            let edge = self.edges[taken.edge as usize];
            counter.count(Decision::Branch(edge.block), edge.alternative as usize, taken.n);
        }
        for &(cell, n) in &facts.slots {
            let (slot, alternative) = self.cells[cell as usize];
            counter.count(Decision::Slot(slot), alternative as usize, n);
        }
        for &(method, n) in &facts.announced {
            counter.count_announced(MethodId(method + 1), n);
        }
        for &((block, symbol), n) in &facts.trips {
            counter.count_trips(BlockNo(block), symbol as usize, n);
        }
        for &((last, next), n) in &facts.tops {
            counter.count_top(last, next, n);
        }
        for &((slot, alternative), n) in &facts.next_callbacks {
            counter.count(Decision::NextCallback(SlotId(slot)), alternative as usize, n);
        }
        for &(freq, n) in &facts.adapted {
            counter.count_adapted(freq, n);
        }
    }
}
