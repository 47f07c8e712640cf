//! The graph of a method of the map, and the counts of its edges.

use std::collections::HashMap;

use model::map::{BlockId, Map, MethodId};
use model::path_profiles::flow_graph::FlowCounts;
use model::path_profiles::method_graph::MethodGraph;

/// Returns the graph of a method; `None` without code.
pub(crate) fn graph_of(map: &Map, method: MethodId) -> Option<MethodGraph> {
    let blocks = &map.methods[method.0 as usize - 1].blocks;
    MethodGraph::new(blocks, &handlers_of(map, method)).ok()
}

/// Returns the blocks of a method that exceptions lead to.
pub(super) fn handlers_of(map: &Map, method: MethodId) -> Vec<BlockId> {
    map.handlers.iter().filter(|h| h.method == method).map(|h| h.block).collect()
}

/// Returns the counts of the edges for counts of paths (by their edges).
pub(super) fn flow<'g>(
    graph: &'g MethodGraph,
    paths: &HashMap<Box<[u32]>, u64>,
) -> Option<FlowCounts<'g>> {
    let mut counts = vec![0u64; graph.graph.edges().len()];
    for (path, times) in paths {
        for edge in path {
            let count = counts.get_mut(*edge as usize)?;
            *count = count.saturating_add(*times);
        }
    }
    // Sums of whole paths are conserved, unless they exceed 64 bits.
    graph.graph.counts(counts).ok()
}
