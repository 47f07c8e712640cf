//! Plan of the methods whose paths a published encoding counts, for comparison.

use model::map::BlockId;
use model::path_profiles::encodings::graph::Graph;
use model::path_profiles::encodings::{Encoding, EncodingKind, Path};
use model::path_profiles::selected::{PathKind, PathStep};
use thiserror::Error;

use crate::plan::subject::Subject;

/// Vertex before the first block.
pub(crate) const ENTRY: usize = 0;
/// Vertex behind the last block.
pub(crate) const EXIT: usize = 1;

/// Number of registers: the number, its remainder and a constant, which are pairs, a temporary and
/// the flag.
pub(crate) const REGISTERS: u16 = 8;
/// Offset of the temporary from the first of them.
pub(crate) const TEMPORARY: u16 = 6;

/// Returns the vertex of a block.
pub(crate) fn vertex(block: BlockId) -> usize {
    block.0 as usize + 2
}

/// Reasons why an encoding cannot count a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum EncodingProblem {
    /// The path does not go from the entry to a return.
    #[error("published encodings count whole runs without exceptions only")]
    NotWhole,
    /// The method has a loop.
    #[error("{} takes methods without loops only", .0.name())]
    Loop(EncodingKind),
    /// The path has no number of its own.
    #[error("{} has no number of its own for it: a loop cuts it, or 63 bits are too few",
        .0.name())]
    Number(EncodingKind),
}

/// A method whose paths an encoding counts.
#[derive(Debug)]
pub(crate) struct EncodedMethod {
    pub graph: Graph,
    pub encoding: Encoding,
    /// The most that the number can be at each vertex.
    pub bounds: Vec<u128>,
    /// True if an activation can stop before its end.
    pub stops: bool,
}

impl EncodedMethod {
    /// Encodes the paths of a method.
    ///
    /// # Errors
    /// Returns the position of a path that cannot be counted.
    pub fn new(
        kind: EncodingKind,
        subject: &Subject,
        paths: &[(PathKind, Vec<PathStep>)],
    ) -> Result<EncodedMethod, (usize, EncodingProblem)> {
        let graph = graph(subject);
        let of = |(path, (kind, steps)): (usize, &(PathKind, Vec<PathStep>))| {
            let whole = *kind == PathKind::Whole;
            let found = whole.then(|| edges(&graph, steps)).flatten();
            found.ok_or((path, EncodingProblem::NotWhole))
        };
        let interest = paths.iter().enumerate().map(of).collect::<Result<Vec<Path>, _>>()?;
        let encoding = kind.encode(&graph, &interest).ok_or((0, EncodingProblem::Loop(kind)))?;
        if let Some(path) = (0..paths.len()).find(|p| !encoding.interest.values().any(|q| q == p)) {
            return Err((path, EncodingProblem::Number(kind)));
        }
        let bounds = encoding.bounds(&graph);
        let stops = !subject.handlers.is_empty() || encoding.can_stop(&graph, &bounds);
        Ok(EncodedMethod { graph, encoding, bounds, stops })
    }
}

/// Returns the graph of a method, as far as it runs without exceptions.
fn graph(subject: &Subject) -> Graph {
    let mut edges = vec![(ENTRY, vertex(BlockId(0)))];
    for (from, block) in (0..).map(BlockId).zip(&subject.cfg.blocks) {
        let to = block.end.successors();
        edges.extend(to.iter().map(|to| (vertex(from), vertex(*to))));
        edges.extend(to.is_empty().then_some((vertex(from), EXIT)));
    }
    Graph::new(subject.cfg.blocks.len() + 2, edges, ENTRY, EXIT).expect("blocks lead to blocks")
}

/// Returns the edges of a path from the entry to a return. `None` if it passes a handler.
fn edges(graph: &Graph, steps: &[PathStep]) -> Option<Path> {
    let block = |step: &PathStep| match step {
        PathStep::Block(block) => Some(vertex(*block)),
        PathStep::Caught(_) => None,
    };
    let inner = steps.iter().map(block).collect::<Option<Vec<usize>>>()?;
    graph.path(&[&[ENTRY], &inner[..], &[EXIT]].concat())
}
