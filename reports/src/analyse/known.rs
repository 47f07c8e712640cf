//! Facts on the paths of a method that logs and count files provide together.

use std::collections::HashMap;

use decoder::tally::{MethodCounts, Tally, TallyError};
use model::map::{Map, MethodId};
use model::path_profiles::bounds::{Between, BoundedFlow};
use model::path_profiles::flow_graph::FlowCounts;
use model::path_profiles::method_graph::MethodGraph;

use super::counts::{MethodPathCounts, PathCounts};
use super::graph::{flow, graph_of, handlers_of};

/// Maximum number of paths with a definite count to search for in one method.
const DEFINITE: usize = 10_000;
/// Maximum number of possible paths whose counts are checked to be determined.
const FIXED: usize = 1_000;

/// BlockCounts of the blocks of each method in count files of a build.
#[derive(Debug)]
pub struct EdgeCounts<'m> {
    map: &'m Map,
    methods: Vec<MethodCounts>,
    by_key: HashMap<String, MethodId>,
}

impl<'m> EdgeCounts<'m> {
    /// Creates them from the sum of count files.
    ///
    /// # Errors
    /// [`TallyError::Inline`]; never with a map that was checked.
    pub fn new(map: &'m Map, tally: &Tally<'_, '_>) -> Result<EdgeCounts<'m>, TallyError> {
        let mut by_key = HashMap::new();
        for (id, m) in (1..).map(MethodId).zip(&map.methods) {
            // The first method of a name counts.
            by_key.entry(map.method_key(m)).or_insert(id);
        }
        Ok(EdgeCounts { map, methods: tally.blocks()?, by_key })
    }

    /// Returns bounds of the paths of a method of a map, which may be of another build with the
    /// same code. `None` if nothing is known: code of another release, or counts that contradict
    /// each other.
    pub fn flow<'g>(
        &self,
        map: &Map,
        method: MethodId,
        graph: &'g MethodGraph,
    ) -> Option<BoundedFlow<'g>> {
        let id = self.counted_as(map, method)?;
        let blocks = &self.map.method(id)?.blocks;
        if map.build != self.map.build && graph_of(self.map, id).as_ref() != Some(graph) {
            return None;
        }
        let counts = self.methods.get(id.0 as usize - 1)?;
        let handlers = handlers_of(self.map, id);
        BoundedFlow::new(graph, blocks, &handlers, &counts.blocks, &counts.runs).ok()
    }

    /// Returns true if a method of a map is known to have run.
    fn ran(&self, map: &Map, method: MethodId) -> bool {
        let counts =
            self.counted_as(map, method).and_then(|id| self.methods.get(id.0 as usize - 1));
        counts.is_some_and(MethodCounts::ran)
    }

    /// Returns the number of a map's method in the build that counted.
    fn counted_as(&self, map: &Map, method: MethodId) -> Option<MethodId> {
        match map.build == self.map.build {
            true => Some(method),
            false => self.by_key.get(&map.method_key(map.method(method)?)).copied(),
        }
    }
}

/// The input of an analysis: logs, count files, or both, of different sessions.
#[derive(Clone, Copy)]
pub struct Evidence<'e, 'p, 'm> {
    /// The map whose methods are reported.
    pub map: &'m Map,
    /// Path counts of logs, if there are any.
    pub logs: Option<&'e PathCounts<'p, 'm>>,
    /// Contents of count files, if there are any.
    pub counts: Option<&'e EdgeCounts<'m>>,
}

/// The input for one method.
pub(super) struct MethodFacts<'g> {
    /// BlockCounts of logs; and the counts of edges that they sum up to, if 64 bits suffice.
    pub logs: Option<(MethodPathCounts, Option<FlowCounts<'g>>)>,
    pub counts: BlockCounts<'g>,
    /// True if the method began, in logs or by count files.
    pub ran: bool,
}

/// Contents of count files for a method.
pub(super) enum BlockCounts<'g> {
    /// There are no count files.
    None,
    /// They determine nothing.
    Unknown,
    Flow(BoundedFlow<'g>),
}

impl<'g> MethodFacts<'g> {
    pub fn new(
        of: &Evidence<'_, '_, '_>,
        method: MethodId,
        graph: &'g MethodGraph,
    ) -> MethodFacts<'g> {
        let logs = of.logs.map(|logs| {
            let counted = logs.counted.get(&method).cloned().unwrap_or_default();
            let flow = flow(graph, &counted.paths);
            (counted, flow)
        });
        let counts = match of.counts {
            None => BlockCounts::None,
            Some(counts) => match counts.flow(of.map, method, graph) {
                None => BlockCounts::Unknown,
                Some(flow) => BlockCounts::Flow(flow),
            },
        };
        let ran = of.logs.is_some_and(|logs| logs.counted.contains_key(&method))
            || of.counts.is_some_and(|counts| counts.ran(of.map, method));
        MethodFacts { logs, counts, ran }
    }

    /// Returns the number of runs of a path in logs.
    pub fn logged(&self, path: &[usize]) -> u64 {
        let Some((counted, _)) = &self.logs else { return 0 };
        let path: Box<[u32]> = path.iter().map(|&e| e as u32).collect();
        counted.paths.get(&path).copied().unwrap_or(0)
    }

    /// Returns the number of complete paths in logs.
    pub fn passes_logged(&self) -> u64 {
        self.logs.as_ref().map_or(0, |(counted, _)| {
            counted.paths.values().fold(0, |sum: u64, n| sum.saturating_add(*n))
        })
    }

    /// Returns bounds of the number of complete paths that ran.
    pub fn passes(&self) -> Between {
        let logged = self.passes_logged();
        let counted = match &self.counts {
            BlockCounts::None => Between::exact(0),
            BlockCounts::Unknown => Between::UNKNOWN,
            BlockCounts::Flow(flow) => flow.passes(),
        };
        Between::sum([Between::exact(logged), counted])
    }

    /// Returns bounds of a path's count. Logs alone are treated as if they only had counts of
    /// edges.
    pub fn by_edges(&self, path: &[usize]) -> Between {
        match (&self.counts, &self.logs) {
            (BlockCounts::None, Some((_, Some(flow)))) => Between {
                least: narrow(flow.definite(path)),
                most: Some(narrow(flow.potential(path))),
            },
            (BlockCounts::None, _) => Between::exact(0),
            (BlockCounts::Unknown, _) => Between { least: self.logged(path), ..Between::UNKNOWN },
            (BlockCounts::Flow(flow), _) => {
                let counted = Between {
                    least: narrow(flow.definite(path)),
                    most: flow.potential(path).and_then(|most| u64::try_from(most).ok()),
                };
                Between::sum([Between::exact(self.logged(path)), counted])
            }
        }
    }

    /// Returns the number of runs of a path, if known.
    pub fn ran(&self, path: &[usize]) -> Option<u64> {
        match self.counts {
            BlockCounts::None => Some(self.logged(path)),
            _ => self.by_edges(path).known(),
        }
    }

    /// Returns the number of runs if no branch depended on another, if known.
    pub fn independent(&self, path: &[usize]) -> Option<f64> {
        let logged = self.logs.as_ref().and_then(|(_, flow)| flow.as_ref());
        let logged = logged.map_or(0.0, |flow| flow.independent(path));
        match &self.counts {
            BlockCounts::None => Some(logged),
            BlockCounts::Unknown => None,
            BlockCounts::Flow(flow) => flow.independent(path).map(|guess| guess + logged),
        }
    }

    /// Returns the number of passes that follow from the counts of the edges.
    pub fn definite(&self) -> u64 {
        let logged = match (&self.counts, &self.logs) {
            (BlockCounts::None, Some((_, Some(flow)))) => {
                flow.definite_paths(DEFINITE).iter().map(|(_, n)| n).sum::<u128>()
            }
            (BlockCounts::None, _) | (_, None) => 0,
            (_, Some((counted, _))) => counted.paths.values().map(|n| u128::from(*n)).sum(),
        };
        let counted = match &self.counts {
            BlockCounts::Flow(flow) => flow.definite_paths(DEFINITE).iter().map(|(_, n)| n).sum(),
            BlockCounts::None | BlockCounts::Unknown => 0,
        };
        narrow(logged + counted)
    }

    /// Returns true if any counts of edges determine those of all paths; false for methods with
    /// many paths.
    pub fn fixed(&self) -> bool {
        match (&self.counts, &self.logs) {
            (BlockCounts::None, Some((_, flow))) => {
                flow.as_ref().is_some_and(FlowCounts::fix_paths)
            }
            (BlockCounts::None, None) | (BlockCounts::Unknown, _) => false,
            (BlockCounts::Flow(flow), _) => {
                let (paths, all) = flow.possible_paths(FIXED);
                let is_exact =
                    |path: &Vec<usize>| flow.potential(path) == Some(flow.definite(path));
                all && paths.iter().all(is_exact)
            }
        }
    }

    /// Returns at most `most` paths that ran or can have run; and true if these are all.
    pub fn paths(&self, most: usize) -> (Vec<Vec<usize>>, bool) {
        let logged = self.logs.iter().flat_map(|(counted, _)| counted.paths.keys());
        let mut paths: Vec<Vec<usize>> =
            logged.map(|path| path.iter().map(|&e| e as usize).collect()).collect();
        let mut all = true;
        if let BlockCounts::Flow(flow) = &self.counts {
            let (possible, complete) = flow.possible_paths(most);
            all = complete;
            paths.extend(possible);
            paths.extend(flow.definite_paths(most).into_iter().map(|(path, _)| path));
            paths.sort_unstable();
            paths.dedup();
        }
        (paths, all)
    }
}

/// Returns a count, or the maximum of 64 bits.
pub(super) fn narrow(n: u128) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
