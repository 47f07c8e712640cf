//! Paths of a method: how often they ran, and what counts of edges tell of that.

use model::map::{Map, MethodId};
use model::path_profiles::method_graph::MethodGraph;
use serde::Serialize;
use thiserror::Error;

use super::graph::graph_of;
use super::known::{Counts, Evidence, Known};
use crate::base::names::block_line;

/// Paths that can have run which are looked for.
const PATHS: usize = 10_000;

/// Why there is no such path.
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

/// A method, and one of its paths or all that ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    method: MethodId,
    graph: MethodGraph,
    /// Edges of the graph. `None`: all paths that ran.
    path: Option<Box<[u32]>>,
}

/// What is known of paths of a method.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained {
    /// `Lpkg/Cls;->name(I)V`, as the source has it.
    pub method: String,
    /// Complete paths of the method that ran; `None`: this is not known.
    pub passes: Option<u64>,
    /// At least so many.
    pub passes_least: u64,
    /// At most so many; `None`: nothing tells.
    pub passes_most: Option<u64>,
    /// Those that were cut short by an exception or the log's end. They are in no other figure.
    /// `None`: count files do not tell.
    pub cut: Option<u64>,
    /// The path that was asked for, or those that ran: first what ran most often. With count files,
    /// those that can have run.
    pub paths: Vec<ExplainedPath>,
    /// Still others can have run.
    pub more_paths: bool,
    /// The count files tell nothing of the method: the counts contradict each other, as those that
    /// were written while it ran can, or they are of other code.
    pub unknown: bool,
    /// Records that could not be decoded.
    pub faulty_records: u64,
}

/// What is known of a path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainedPath {
    /// Its blocks, as [`Asked::read`] takes them.
    pub path: String,
    /// The line of the method at which each block begins.
    pub lines: Vec<Option<u32>>,
    /// How often it ran; `None`: this is not known.
    pub ran: Option<u64>,
    /// How often it must have run, by the counts of the edges; with count files, by these and logs.
    pub definite: u64,
    /// How often it can have run, likewise; `None`: nothing tells.
    pub potential: Option<u64>,
    /// How often it would have run if no branch depended on another; `None`: this is not known.
    pub independent: Option<f64>,
}

impl Asked {
    /// The path `Lpkg/Cls;->name(I)V:0,2,5`, by numbers of blocks; without these, all of the
    /// method. Where a loop goes round, a path ends: the loop's first block comes last. `2/1` is
    /// block 2 left by its second alternative.
    ///
    /// # Errors
    /// [`AskedError`].
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

    /// What is known of it.
    pub fn explain(&self, evidence: &Evidence<'_, '_, '_>) -> Explained {
        let map = evidence.map;
        let method = &map.methods[self.method.0 as usize - 1];
        let known = Known::new(evidence, self.method, &self.graph);
        let (paths, all) = match &self.path {
            None => known.paths(PATHS),
            Some(path) => (vec![path.iter().map(|&e| e as usize).collect()], true),
        };
        let steps = Steps::new(&self.graph, method.blocks.len());
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
        // What is not known lies between what must and what can have been.
        let order = |p: &ExplainedPath| (p.ran.unwrap_or(p.definite), p.potential);
        explained.sort_by(|a, b| order(&b.0).cmp(&order(&a.0)).then_with(|| a.1.cmp(b.1)));
        let passes = known.passes();
        let alone = known.logs.as_ref().filter(|_| matches!(known.counts, Counts::None));
        Explained {
            method: map.method_key(method),
            passes: passes.known(),
            passes_least: passes.least,
            passes_most: passes.most,
            cut: alone.map(|(counted, _)| counted.cut.passes()),
            paths: explained.into_iter().map(|(path, _)| path).collect(),
            more_paths: !all,
            unknown: matches!(known.counts, Counts::Unknown),
            faulty_records: 0,
        }
    }
}

/// Blocks by the edges that leave them.
struct Steps {
    edges: Vec<Step>,
}

/// An edge between blocks.
#[derive(Clone, Default)]
struct Step {
    /// The block that it leaves, and by which alternative; none where paths begin.
    from: Option<(usize, usize)>,
    /// The block that it leads to, if it does not leave the method.
    to: Option<usize>,
}

impl Steps {
    fn new(graph: &MethodGraph, blocks: usize) -> Steps {
        let mut edges = vec![Step::default(); graph.graph.edges().len()];
        for block in 0..blocks {
            if let Some(edge) = graph.begin(block) {
                edges[edge].to = Some(block);
            }
            for (number, way) in graph.ways(block).iter().enumerate() {
                let to = way.to.map(|to| to.0 as usize);
                edges[way.edge] = Step { from: Some((block, number)), to };
            }
        }
        Steps { edges }
    }

    /// The blocks of a path, each with the alternative that it is left by.
    fn blocks(&self, path: &[usize]) -> Vec<(usize, Option<usize>)> {
        let mut blocks: Vec<(usize, Option<usize>)> = Vec::new();
        for &edge in path {
            let Step { from, to } = self.edges[edge];
            if let (Some((_, way)), Some(last)) = (from, blocks.last_mut()) {
                last.1 = Some(way);
            }
            blocks.extend(to.map(|block| (block, None)));
        }
        blocks
    }

    /// `0,2/1,5`: an alternative is named where several lead to the next block.
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

/// The edges of the path over these blocks, each with the alternative that it is left by if it is
/// given.
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
