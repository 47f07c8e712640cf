//! Error of shares of paths that are computed from complete passes alone.
//!
//! Of n complete passes a path has the share q; of c more, which were cut short, it would have the
//! share π had each gone on to its end. Its share of all is (1 − t)·q + t·π with t = c ÷ (n + c),
//! so q is off by t·(q − π). It is the bias of a recursion that is recorded to a depth
//! ([`recursion_share`](super::bias::recursion_share)) with two levels: complete passes, and those
//! that were cut. The part of a cut pass that was recorded bounds π: the pass can only have gone on
//! to a path that begins in the same way, and if there is one such path, to that one.
//!
//! ```
//! use std::collections::HashMap;
//! use model::path_profiles::bias::recursion_share;
//! use model::path_profiles::flow_graph::FlowGraph;
//! use model::path_profiles::truncation::{cut_share, most_off};
//!
//! // Two diamonds, one after the other. 60 passes over both left arms, 30 over both right ones;
//! // ten more were cut after the first left arm.
//! let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6)];
//! let graph = FlowGraph::new(7, edges.to_vec())?;
//! let path = |edges: &[u32], times| (edges.into(), times);
//! let complete = HashMap::from([path(&[0, 2, 4, 6], 60), path(&[1, 3, 5, 7], 30)]);
//! let cut = HashMap::from([path(&[0, 2], 10)]);
//! assert_eq!(cut_share(90, 10), 0.1);
//! // Left-right did not run, and may have run ten times of a hundred.
//! let most = most_off(&graph, &complete, &cut, 0).unwrap();
//! assert!((most - 0.1).abs() < 1e-12);
//!
//! // Cut after both left arms, they are sixty and ten of a hundred, not two thirds: a thirtieth.
//! let cut = HashMap::from([path(&[0, 2, 4], 10)]);
//! let most = most_off(&graph, &complete, &cut, 0).unwrap();
//! let share = recursion_share(&[(90.0, 2.0 / 3.0), (10.0, 1.0)]).unwrap();
//! assert!((most - (share - 2.0 / 3.0)).abs() < 1e-12 && (most - 1.0 / 30.0).abs() < 1e-12);
//! # Ok::<(), model::path_profiles::flow_graph::FlowError>(())
//! ```

use std::collections::HashMap;

use super::flow_graph::FlowGraph;

/// The share of passes that were cut: t.
pub fn cut_share(complete: u64, cut: u64) -> f64 {
    match cut {
        0 => 0.0,
        cut => cut as f64 / (complete as f64 + cut as f64),
    }
}

/// Returns the largest absolute error of any path's share among the complete passes, compared with
/// its share among all passes, had the cut passes gone on to their ends. Paths are positions of
/// edges from the source, with their number; those of `cut` end before the sink. `anywhere` more
/// passes were cut of which nothing is known, so each may be of any path. `None` if no pass was
/// complete and some were cut.
///
/// Takes time linear in the lengths of all paths.
pub fn most_off(
    graph: &FlowGraph,
    complete: &HashMap<Box<[u32]>, u64>,
    cut: &HashMap<Box<[u32]>, u64>,
    anywhere: u64,
) -> Option<f64> {
    let sum = |counts: &HashMap<Box<[u32]>, u64>| -> u128 {
        counts.values().map(|&times| u128::from(times)).sum()
    };
    let (whole, gone) = (sum(complete), sum(cut) + u128::from(anywhere));
    if gone == 0 {
        return Some(0.0);
    }
    if whole == 0 {
        return None;
    }
    let ends = graph.ways_to_sink();
    let mut begins = Begins::new(graph, &ends, cut);
    let all = (whole + gone) as f64;
    // Exact numbers first, because nearly equal numbers are subtracted.
    let off = |times: u64, more: u128| {
        let of_all = (u128::from(times) + more) as f64 / all;
        (of_all - times as f64 / whole as f64).abs()
    };
    let one_path = graph.paths() == 1;
    let least_anywhere = if one_path { u128::from(anywhere) } else { 0 };
    let mut most = 0.0_f64;
    for (path, &times) in complete {
        let (least, at_most) = begins.of(path);
        most = most.max(off(times, least + least_anywhere));
        most = most.max(off(times, at_most + u128::from(anywhere)));
    }
    // A path that did not run; the deepest begin that it has in common with a cut pass counts most.
    if (complete.len() as u128) < graph.paths() {
        most = most.max(anywhere as f64 / all);
    }
    for node in begins.nodes.iter().filter(|node| node.times > 0 && node.ran < node.ends) {
        most = most.max((node.sum + u128::from(anywhere)) as f64 / all);
    }
    Some(most)
}

/// The begins of cut passes, as a tree.
struct Begins {
    nodes: Vec<PrefixNode>,
    next: HashMap<(usize, u32), usize>,
}

#[derive(Default)]
struct PrefixNode {
    /// Passes that were cut here.
    times: u64,
    /// The same of all on the way here.
    sum: u128,
    /// The same of those that can only have gone on one way.
    forced: u128,
    /// Paths that begin so.
    ends: u128,
    /// Those of them that ran.
    ran: u128,
}

impl Begins {
    fn new(graph: &FlowGraph, ends: &[u128], cut: &HashMap<Box<[u32]>, u64>) -> Begins {
        let mut tree = Begins { nodes: vec![PrefixNode::default()], next: HashMap::new() };
        for (path, &times) in cut {
            let mut at = 0;
            for &edge in path {
                at = *tree.next.entry((at, edge)).or_insert_with(|| {
                    let vertex = graph.edges().get(edge as usize).map(|(_, to)| *to);
                    let ends = vertex.map_or(0, |vertex| ends[vertex]);
                    tree.nodes.push(PrefixNode { ends, ..PrefixNode::default() });
                    tree.nodes.len() - 1
                });
            }
            tree.nodes[at].times = times;
        }
        // Each node was made after the one before it.
        let mut befores = vec![0; tree.nodes.len()];
        tree.next.iter().for_each(|(&(before, _), &at)| befores[at] = before);
        for (at, &before) in befores.iter().enumerate() {
            let (sum, forced) = (tree.nodes[before].sum, tree.nodes[before].forced);
            let node = &mut tree.nodes[at];
            let times = u128::from(node.times);
            node.sum = sum + times;
            node.forced = forced + if node.ends == 1 { times } else { 0 };
        }
        tree
    }

    /// Returns how many cut passes have gone on to this path, at least and at most.
    fn of(&mut self, path: &[u32]) -> (u128, u128) {
        let mut at = 0;
        for &edge in path {
            let Some(&next) = self.next.get(&(at, edge)) else { break };
            at = next;
            self.nodes[at].ran += 1;
        }
        (self.nodes[at].forced, self.nodes[at].sum)
    }
}

#[cfg(test)]
mod tests;
