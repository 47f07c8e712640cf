//! Paths of a method: their counts, and the bounds that counts of edges give.

use model::map::{Map, MethodId};
use model::path_profiles::method_graph::MethodGraph;
use serde::Serialize;
use thiserror::Error;

use super::graph::graph_of;
use super::known::{BlockCounts, Evidence, MethodFacts};
use crate::base::names::block_line;

/// Maximum number of possible paths to search for.
const PATHS: usize = 10_000;

/// Reason why a requested path does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AskedError {
    /// Not `Lpkg/Cls;->name(I)V:0,2,5`.
    #[error("{0:?} is not a method and its blocks, as in Lpkg/Cls;->name(I)V:0,2,5")]
    Form(String),
    /// The map has no such method.
    #[error("the map has no method {0}")]
    Method(String),
    /// No path begins at this block.
    #[error("no path begins at block {0}: they do at block 0, at handlers and where loops begin")]
    Begin(usize),
    /// A block does not lead to the next one.
    #[error("block {from} does not lead to block {to}")]
    Way {
        /// The block.
        from: usize,
        /// The next one.
        to: usize,
    },
    /// Several alternatives of a block lead to the next one.
    #[error(
        "several alternatives of block {from} lead to block {to}: \
         write {from}/0 for the first of its alternatives, {from}/1 for the next"
    )]
    Ways {
        /// The block.
        from: usize,
        /// The next one.
        to: usize,
    },
    /// The path does not end here.
    #[error(
        "no path ends in block {0}: they do where a method is left, and where a loop goes round \
         (then its first block comes last)"
    )]
    End(usize),
}

/// A method, and one of its paths or all paths that ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    method: MethodId,
    graph: MethodGraph,
    /// Edges of the graph. `None`: all paths that ran.
    path: Option<Box<[u32]>>,
}

/// BlockCounts of paths of a method.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained {
    /// The method in the source, `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Number of complete paths of the method that ran; `None` if unknown.
    pub passes: Option<u64>,
    /// Lower bound of this number.
    pub passes_least: u64,
    /// Upper bound of this number; `None` if unbounded.
    pub passes_most: Option<u64>,
    /// Number of paths cut short by an exception or the log's end; no other figure includes them.
    /// `None` with count files, which do not record it.
    pub cut: Option<u64>,
    /// The requested path, or the paths that ran, most frequent first. With count files, those that
    /// can have run.
    pub paths: Vec<ExplainedPath>,
    /// True if other paths can have run.
    pub more_paths: bool,
    /// True if the count files determine nothing about the method: the counts contradict each other
    /// (possible if they were written while the method ran), or they are of other code.
    pub unknown: bool,
    /// Number of undecodable records.
    pub faulty_records: u64,
}

/// BlockCounts of a path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainedPath {
    /// Its blocks, in the form that [`Asked::read`] parses.
    pub path: String,
    /// The line of the method at which each block begins.
    pub lines: Vec<Option<u32>>,
    /// Number of runs; `None` if unknown.
    pub ran: Option<u64>,
    /// Minimum number of runs by the counts of the edges; with count files, by these and logs.
    pub definite: u64,
    /// Maximum number of runs likewise; `None` if unbounded.
    pub potential: Option<u64>,
    /// Number of runs if no branch depended on another; `None` if unknown.
    pub independent: Option<f64>,
}

impl Asked {
    /// Parses the path `Lpkg/Cls;->name(I)V:0,2,5`, by numbers of blocks; without numbers, all
    /// paths of the method. A path ends where a loop goes round: the loop's first block comes last.
    /// `2/1` is block 2 left by its second alternative.
    ///
    /// # Errors
    /// See [`AskedError`].
    pub fn read(map: &Map, text: &str) -> Result<Asked, AskedError> {
        let form = || AskedError::Form(text.to_owned());
        let (method, blocks) = match text.rsplit_once(':') {
            None => (text, None),
            Some((method, blocks)) => (method, Some(blocks)),
        };
        if !method.contains("->") {
            return Err(form());
        }
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| form());
        let step = |part: &str| match part.split_once('/') {
            None => Ok((number(part)?, None)),
            Some((block, way)) => Ok((number(block)?, Some(number(way)?))),
        };
        let blocks =
            blocks.map(|blocks| blocks.split(',').map(step).collect::<Result<Vec<_>, _>>());
        let blocks = blocks.transpose()?;
        let found = map.methods.iter().position(|m| map.method_key(m) == method);
        let index = found.ok_or_else(|| AskedError::Method(method.to_owned()))?;
        let method = MethodId(index as u32 + 1);
        let graph = graph_of(map, method).ok_or(AskedError::Begin(0))?;
        let path = blocks.map(|blocks| edges(&graph, &blocks)).transpose()?;
        Ok(Asked { method, graph, path })
    }

    /// Returns the counts of its paths.
    pub fn explain(&self, evidence: &Evidence<'_, '_, '_>) -> Explained {
        let map = evidence.map;
        let method = &map.methods[self.method.0 as usize - 1];
        let known = MethodFacts::new(evidence, self.method, &self.graph);
        let (paths, all) = match &self.path {
            None => known.paths(PATHS),
            Some(path) => (vec![path.iter().map(|&e| e as usize).collect()], true),
        };
        let steps = BlockEdges::new(&self.graph, method.blocks.len());
        let explained = paths.iter().map(|edges| {
            let blocks = steps.blocks(edges);
            let line =
                |&(block, _): &(usize, _)| block_line(map, method, method.blocks.get(block)?);
            let by_edges = known.by_edges(edges);
            ExplainedPath {
                path: steps.text(&self.graph, &blocks),
                lines: blocks.iter().map(line).collect(),
                ran: known.ran(edges),
                definite: by_edges.least,
                potential: by_edges.most,
                independent: known.independent(edges),
            }
        });
        let mut explained: Vec<(ExplainedPath, &Vec<usize>)> = explained.zip(&paths).collect();
        // Unknown counts are ordered by their lower and upper bounds.
        let order = |p: &ExplainedPath| (p.ran.unwrap_or(p.definite), p.potential);
        explained.sort_by(|a, b| order(&b.0).cmp(&order(&a.0)).then_with(|| a.1.cmp(b.1)));
        let passes = known.passes();
        let alone = known.logs.as_ref().filter(|_| matches!(known.counts, BlockCounts::None));
        Explained {
            method: map.method_key(method),
            passes: passes.known(),
            passes_least: passes.least,
            passes_most: passes.most,
            cut: alone.map(|(counted, _)| counted.cut.passes()),
            paths: explained.into_iter().map(|(path, _)| path).collect(),
            more_paths: !all,
            unknown: matches!(known.counts, BlockCounts::Unknown),
            faulty_records: 0,
        }
    }
}

/// Blocks by the edges that leave them.
struct BlockEdges {
    edges: Vec<BlockEdge>,
}

/// An edge between blocks.
#[derive(Clone, Default)]
struct BlockEdge {
    /// The block that it leaves, and by which alternative; none where paths begin.
    from: Option<(usize, usize)>,
    /// The block that it leads to, if it does not leave the method.
    to: Option<usize>,
}

impl BlockEdges {
    fn new(graph: &MethodGraph, blocks: usize) -> BlockEdges {
        let mut edges = vec![BlockEdge::default(); graph.graph.edges().len()];
        for block in 0..blocks {
            if let Some(edge) = graph.begin(block) {
                edges[edge].to = Some(block);
            }
            for (number, way) in graph.ways(block).iter().enumerate() {
                let to = way.to.map(|to| to.0 as usize);
                edges[way.edge] = BlockEdge { from: Some((block, number)), to };
            }
        }
        BlockEdges { edges }
    }

    /// Returns the blocks of a path, each with the alternative by which it is left.
    fn blocks(&self, path: &[usize]) -> Vec<(usize, Option<usize>)> {
        let mut blocks: Vec<(usize, Option<usize>)> = Vec::new();
        for &edge in path {
            let BlockEdge { from, to } = self.edges[edge];
            if let (Some((_, way)), Some(last)) = (from, blocks.last_mut()) {
                last.1 = Some(way);
            }
            blocks.extend(to.map(|block| (block, None)));
        }
        blocks
    }

    /// Returns `0,2/1,5`: an alternative is named if several lead to the next block.
    fn text(&self, graph: &MethodGraph, blocks: &[(usize, Option<usize>)]) -> String {
        let part = |&(block, way): &(usize, Option<usize>)| {
            let ways = graph.ways(block);
            let taken = way.and_then(|way| ways.get(way));
            let same = taken
                .filter(|t| t.to.is_some())
                .map_or(0, |t| ways.iter().filter(|other| other.to == t.to).count());
            match way.filter(|_| same > 1) {
                None => block.to_string(),
                Some(way) => format!("{block}/{way}"),
            }
        };
        blocks.iter().map(part).collect::<Vec<_>>().join(",")
    }
}

/// Returns the edges of the path over these blocks, each with the alternative by which it is left
/// if it is given.
fn edges(graph: &MethodGraph, blocks: &[(usize, Option<usize>)]) -> Result<Box<[u32]>, AskedError> {
    let mut path = Vec::new();
    let (first, _) = blocks[0];
    path.push(graph.begin(first).ok_or(AskedError::Begin(first))?);
    let mut round = false;
    for pair in blocks.windows(2) {
        let ((from, wanted), (to, _)) = (pair[0], pair[1]);
        if round {
            return Err(AskedError::End(from));
        }
        let fits = graph.ways(from).iter().enumerate().filter(|(number, way)| {
            way.to.is_some_and(|block| block.0 as usize == to)
                && wanted.is_none_or(|w| w == *number)
        });
        let mut fits = fits.map(|(_, way)| way);
        let way = fits.next().ok_or(AskedError::Way { from, to })?;
        if fits.next().is_some() {
            return Err(AskedError::Ways { from, to });
        }
        path.push(way.edge);
        round = way.goes_back;
    }
    let (last, _) = *blocks.last().expect("there is a first one");
    if !round {
        let out = graph.way(last, 0).filter(|way| way.to.is_none());
        path.push(out.ok_or(AskedError::End(last))?.edge);
    }
    Ok(path.into_iter().map(|e| e as u32).collect())
}
