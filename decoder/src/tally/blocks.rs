//! Counts of the blocks of each method from count files, for bounds of its paths' counts.

use std::collections::{BTreeMap, HashMap};

use model::cells::Site;
use model::inlined::{Graph, InlineError, NodeEnd};
use model::map::{BlockId, MethodId, Terminator};
use model::path_profiles::bounds::{BlockCounts, RegionRun};
use model::region::PathEnd;

use super::passes::unseen;
use super::{Tally, TallyError};
use crate::replay::{BlockNo, Program};

/// Counts of a method's blocks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MethodCounts {
    /// By block.
    pub blocks: Vec<BlockCounts>,
    /// Paths through its regions.
    pub runs: Vec<RegionRun>,
    /// Number of counted calls: by the platform, and at call slots. Other calls are not counted.
    pub calls: u64,
}

impl MethodCounts {
    /// Returns true if any of its code, or a call of it, was counted. Of a method that ran, nothing
    /// is counted if each activation was called by a known call and ended by an exception before
    /// its first decision.
    pub fn ran(&self) -> bool {
        let counted = |block: &BlockCounts| {
            block.stops.is_some_and(|n| n > 0) || block.decided.iter().any(|n| *n > 0)
        };
        self.calls > 0 || self.blocks.iter().any(counted)
    }
}

impl Tally<'_, '_> {
    /// Returns the counts of all blocks, by method in the order of the map.
    ///
    /// # Errors
    /// [`TallyError::Inline`]; never with a map that was checked.
    pub fn blocks(&self) -> Result<Vec<MethodCounts>, TallyError> {
        let program = self.program;
        let map = program.map;
        let counter = self.counter()?;
        let (mut ways, slots) = counter.decisions();
        let calls = self.calls(slots);
        let all = map.methods.iter().map(|m| m.blocks.len()).sum();
        let unseen = unseen(program, all);
        let mut stops = vec![0_u64; all];
        for (BlockNo(b), n) in self.stops()? {
            stops[b as usize] = stops[b as usize].saturating_add(n);
        }
        let mut methods = Vec::new();
        let mut number = 0;
        for (m, calls) in map.methods.iter().zip(calls) {
            let blocks = m.blocks.iter().map(|b| {
                let decided = match &b.terminator {
                    Terminator::Branch { alternatives, .. } => {
                        let (own, rest) = ways.split_at(alternatives.len());
                        ways = rest;
                        own.to_vec()
                    }
                    _ => Vec::new(),
                };
                let stops = (!(b.throws && unseen[number])).then_some(stops[number]);
                number += 1;
                BlockCounts { decided, stops }
            });
            let (blocks, runs) = (blocks.collect(), Vec::new());
            methods.push(MethodCounts { blocks, runs, calls });
        }
        self.add_runs(&mut methods)?;
        Ok(methods)
    }

    /// Adds paths through regions whose head is decided in no code put in place of a call.
    fn add_runs(&self, methods: &mut [MethodCounts]) -> Result<(), TallyError> {
        let map = self.program.map;
        let copies = copies(self.program)?;
        for (site, at) in self.layout.sites() {
            let Site::Region(m, i) = *site else { continue };
            let region = &map.methods[m.0 as usize - 1].regions[i as usize];
            let graph = map.graph(m)?;
            let Some(head) = own(&graph, region.head) else { continue };
            if copies.get(&self.program.number(m, head.0)) != Some(&1) {
                continue;
            }
            let numbering = graph.numbering(region.head, &region.inside);
            let numbering = numbering.map_err(|_| InlineError::Method(m.0))?;
            let mut runs: BTreeMap<Vec<(usize, usize)>, u64> = BTreeMap::new();
            for (number, address) in (0..at.count).zip(at.first..) {
                let Some(path) = numbering.path(number) else { continue };
                if let PathEnd::Left(_) = path.end {
                    let hops = path.hops.iter();
                    let ways =
                        hops.filter_map(|&(node, way)| Some((own(&graph, node)?.0 as usize, way)));
                    let times = runs.entry(ways.collect()).or_default();
                    *times = times.saturating_add(self.cell(address));
                }
            }
            let block = head.0 as usize;
            let runs = runs.into_iter().map(|(ways, times)| RegionRun { block, ways, times });
            methods[m.0 as usize - 1].runs.extend(runs);
        }
        Ok(())
    }
}

/// The block that a node ends, if it is one of the method itself.
fn own(graph: &Graph<'_>, node: BlockId) -> Option<BlockId> {
    match graph {
        Graph::Blocks(_) => Some(node),
        Graph::Nodes(nodes) => {
            let node = nodes.get(node.0 as usize)?;
            (node.depth == 0 && node.end == NodeEnd::Block).then_some(node.block)
        }
    }
}

/// Returns how often the end of each block is in the code.
fn copies(program: &Program<'_>) -> Result<HashMap<BlockNo, u32>, InlineError> {
    let mut copies = HashMap::new();
    for (id, m) in (1..).map(MethodId).zip(&program.map.methods) {
        match program.map.graph(id)? {
            Graph::Blocks(_) => (0..m.blocks.len() as u32)
                .for_each(|b| *copies.entry(program.number(id, b)).or_default() += 1),
            Graph::Nodes(nodes) => {
                let ends = nodes.iter().filter(|n| !matches!(n.end, NodeEnd::Enter(_)));
                ends.map(|node| program.number(node.method, node.block.0))
                    .for_each(|block| *copies.entry(block).or_default() += 1);
            }
        }
    }
    Ok(copies)
}
