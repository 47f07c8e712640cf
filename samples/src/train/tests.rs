//! Counts come back from samples of them.

use model::map::{BlockId, MethodId};
use mutation::Rng;

use super::*;
use crate::fill::SampledFrame;

/// A method that loops: 0 → 1 → {2, 3} → 4 → {1, 5}; 5 returns.
fn looping() -> Graph {
    let edges: [&[u32]; 6] = [&[1], &[2, 3], &[4], &[4], &[1, 5], &[]];
    Graph::of_method(&edges)
}

/// The sample of one block, or of one of several.
fn sample(graph: &Graph, blocks: &[u32]) -> Sample {
    let at = blocks.iter().map(|&b| (graph.node(MethodId(1), BlockId(b)), 0)).collect();
    Sample { stack: vec![SampledFrame { method: MethodId(1), at, outside: false }] }
}

/// Samples of random walks, 90 % of which take block 2 and loop ten times; and true counts.
fn walked(graph: &Graph, every: usize, blurred: bool) -> (Evidence, Vec<f64>) {
    let mut rng = Rng::new(4);
    let mut evidence = Evidence::new(graph);
    let mut counts = vec![0.0; 4];
    for _ in 0..40_000 {
        let mut at = 0;
        loop {
            if rng.below(every) == 0 {
                // Blocks 2 and 4 share a line.
                let several = blurred && (at == 2 || at == 4);
                let blocks: &[u32] = if several { &[2, 4] } else { &[at] };
                evidence.add(graph, &sample(graph, blocks), 1);
            }
            at = match at {
                0 => 1,
                1 if rng.below(10) > 0 => {
                    counts[0] += 1.0;
                    2
                }
                1 => {
                    counts[1] += 1.0;
                    3
                }
                2 | 3 => 4,
                4 if rng.below(10) > 0 => {
                    counts[2] += 1.0;
                    1
                }
                4 => {
                    counts[3] += 1.0;
                    5
                }
                _ => break,
            };
        }
    }
    (evidence, counts)
}

fn judge(every: usize, blurred: bool, within: f64) -> u32 {
    let graph = looping();
    let (evidence, counts) = walked(&graph, every, blurred);
    let trained = train(&graph, &evidence, every as f64);
    let of = |b: u32| trained.counts.branch(&graph, graph.node(MethodId(1), BlockId(b))).to_vec();
    let found: Vec<u64> = [of(1), of(4)].concat();
    for (found, counted) in found.iter().zip(&counts) {
        let off = (*found as f64 / counted - 1.0).abs();
        assert!(off < within, "{found} for {counted}, one in {every}");
    }
    trained.rounds
}

#[test]
fn counts_of_both_branches_come_back_from_one_block_in_a_hundred() {
    assert_eq!(judge(100, false, 0.1), 1);
}

#[test]
fn samples_of_two_blocks_are_shared_as_the_flow_has_it() {
    assert!(judge(50, true, 0.15) > 1);
}
