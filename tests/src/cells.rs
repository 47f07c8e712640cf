//! Cells of regions beside the bounds by the counts of their ways.

use decoder::replay::Program;
use decoder::tally::Tally;
use model::counts::CountFile;
use model::map::{Map, MethodId};
use model::path_profiles::bounds::BoundedFlow;
use model::path_profiles::method_graph::MethodGraph;

/// Numbers of compared paths and passes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cells {
    /// Paths through regions that ran.
    pub compared: usize,
    /// Those whose count follows from the counts of the ways.
    pub exact: usize,
    /// Passes on all these paths.
    pub passes: u64,
    /// Passes that must have been, by the counts of the ways.
    pub definite: u64,
    /// Methods whose counts contradict each other: a thread counted while they were written.
    pub unknown: usize,
}

/// Adds count files up, and looks whether each path through a region ran as often as the counts of
/// its ways allow.
///
/// # Errors
/// The first path that did not, or what is wrong with a file.
pub fn region_cells(map: &Map, files: &[Vec<u8>]) -> Result<Cells, Box<dyn std::error::Error>> {
    let program = Program::new(map);
    let mut tally = Tally::new(&program)?;
    for file in files {
        tally.add(&CountFile::parse(file)?)?;
    }
    let mut cells = Cells::default();
    let counts = tally.blocks()?;
    for ((id, m), of) in (1..).map(MethodId).zip(&map.methods).zip(&counts) {
        let handlers: Vec<_> =
            map.handlers.iter().filter(|h| h.method == id).map(|h| h.block).collect();
        let graph = MethodGraph::new(&m.blocks, &handlers)?;
        // Without the cells themselves.
        let Ok(flow) = BoundedFlow::new(&graph, &m.blocks, &handlers, &of.blocks, &[]) else {
            cells.unknown += 1;
            continue;
        };
        for run in of.runs.iter().filter(|run| run.times > 0) {
            let edge = |&(block, number): &(usize, usize)| graph.way(block, number);
            let edges: Option<Vec<usize>> =
                run.ways.iter().map(|way| edge(way).map(|way| way.edge)).collect();
            let edges = edges.ok_or("a way that the method does not have")?;
            let (least, most) = (flow.definite(&edges), flow.potential(&edges));
            let (times, most) = (u128::from(run.times), most.ok_or("a way without a count")?);
            if !(least..=most).contains(&times) {
                let method = map.method_key(m);
                return Err(format!("{method}: {run:?} is not in {least} to {most}").into());
            }
            cells.compared += 1;
            cells.exact += usize::from(least == most);
            cells.passes += run.times;
            cells.definite += u64::try_from(least)?;
        }
    }
    Ok(cells)
}
