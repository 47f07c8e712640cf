//! What logs and count files together tell of the paths of a method.

use std::collections::HashMap;

use decoder::tally::{MethodCounts, Tally, TallyError};
use model::map::{Map, MethodId};
use model::path_profiles::bounds::{Between, BoundedFlow};
use model::path_profiles::flow_graph::FlowCounts;
use model::path_profiles::method_graph::MethodGraph;

use super::counts::{Counted, PathCounts};
use super::graph::{flow, graph_of, handlers_of};

/// Paths with a definite count that are looked for in one method.
const DEFINITE: usize = 10_000;
/// Paths that can have run, of which it is looked whether all their counts are told.
const FIXED: usize = 1_000;

/// What count files say of the blocks of each method of their build.
#[derive(Debug)]
pub struct EdgeCounts<'m> {
    map: &'m Map,
    methods: Vec<MethodCounts>,
    by_key: HashMap<String, MethodId>,
}

impl<'m> EdgeCounts<'m> {
    /// Of the count files that were added up.
    ///
    /// # Errors
    /// [`TallyError::Inline`]; never with a map that was checked.
    pub fn new(map: &'m Map, tally: &Tally<'_, '_>) -> Result<EdgeCounts<'m>, TallyError> {
        let mut by_key = HashMap::new();
        for (id, m) in (1..).map(MethodId).zip(&map.methods) {
            // Of methods with one name the first one's.
            by_key.entry(map.method_key(m)).or_insert(id);
        }
        Ok(EdgeCounts { map, methods: tally.blocks()?, by_key })
    }

    /// Bounds of the paths of a method of a map, this one or that of another build with the same
    /// code. `None` where nothing is known: another release's code, or counts that contradict each
    /// other.
    pub fn flow<'g>(
        &self,
        map: &Map,
        method: MethodId,
        graph: &'g MethodGraph,
    ) -> Option<BoundedFlow<'g>> {
        let id = match map.build == self.map.build {
            true => method,
            false => *self.by_key.get(&map.method_key(map.method(method)?))?,
        };
        let blocks = &self.map.method(id)?.blocks;
        if map.build != self.map.build && graph_of(self.map, id).as_ref() != Some(graph) {
            return None;
        }
        let counts = self.methods.get(id.0 as usize - 1)?;
        let handlers = handlers_of(self.map, id);
        BoundedFlow::new(graph, blocks, &handlers, &counts.blocks, &counts.runs).ok()
    }
}

/// What is to be looked at: logs, count files, or both, of sessions that are not the same.
#[derive(Clone, Copy)]
pub struct Evidence<'e, 'p, 'm> {
    /// The map whose methods are told.
    pub map: &'m Map,
    /// What logs showed, if there are any.
    pub logs: Option<&'e PathCounts<'p, 'm>>,
    /// What count files say, if there are any.
    pub counts: Option<&'e EdgeCounts<'m>>,
}

/// The same of one method.
pub(super) struct Known<'g> {
    /// What logs showed; and the counts of edges that it sums up to, if 64 bits hold them.
    pub logs: Option<(Counted, Option<FlowCounts<'g>>)>,
    pub counts: Counts<'g>,
}

/// What count files say of a method.
pub(super) enum Counts<'g> {
    /// There are none.
    None,
    /// Nothing.
    Unknown,
    Flow(BoundedFlow<'g>),
}

impl<'g> Known<'g> {
    pub fn new(of: &Evidence<'_, '_, '_>, method: MethodId, graph: &'g MethodGraph) -> Known<'g> {
        let logs = of.logs.map(|logs| {
            let counted = logs.counted.get(&method).cloned().unwrap_or_default();
            let flow = flow(graph, &counted.paths);
            (counted, flow)
        });
        let counts = match of.counts {
            None => Counts::None,
            Some(counts) => match counts.flow(of.map, method, graph) {
                None => Counts::Unknown,
                Some(flow) => Counts::Flow(flow),
            },
        };
        Known { logs, counts }
    }

    /// How often logs showed a path.
    pub fn logged(&self, path: &[usize]) -> u64 {
        let Some((counted, _)) = &self.logs else { return 0 };
        let path: Box<[u32]> = path.iter().map(|&e| e as u32).collect();
        counted.paths.get(&path).copied().unwrap_or(0)
    }

    /// How many complete paths logs showed.
    pub fn passes_logged(&self) -> u64 {
        self.logs.as_ref().map_or(0, |(counted, _)| {
            counted.paths.values().fold(0, |sum: u64, n| sum.saturating_add(*n))
        })
    }

    /// How many complete paths ran.
    pub fn passes(&self) -> Between {
        let logged = self.passes_logged();
        let counted = match &self.counts {
            Counts::None => Between::exact(0),
            Counts::Unknown => Between::UNKNOWN,
            Counts::Flow(flow) => flow.passes(),
        };
        Between::sum([Between::exact(logged), counted])
    }

    /// How often a path ran. With logs alone: as if there were counts of edges only.
    pub fn by_edges(&self, path: &[usize]) -> Between {
        match (&self.counts, &self.logs) {
            (Counts::None, Some((_, Some(flow)))) => Between {
                least: narrow(flow.definite(path)),
                most: Some(narrow(flow.potential(path))),
            },
            (Counts::None, _) => Between::exact(0),
            (Counts::Unknown, _) => Between { least: self.logged(path), ..Between::UNKNOWN },
            (Counts::Flow(flow), _) => {
                let counted = Between {
                    least: narrow(flow.definite(path)),
                    most: flow.potential(path).and_then(|most| u64::try_from(most).ok()),
                };
                Between::sum([Between::exact(self.logged(path)), counted])
            }
        }
    }

    /// How often a path ran, if that is known.
    pub fn ran(&self, path: &[usize]) -> Option<u64> {
        match self.counts {
            Counts::None => Some(self.logged(path)),
            _ => self.by_edges(path).known(),
        }
    }

    /// How often it would have run if no branch depended on another, if that is known.
    pub fn independent(&self, path: &[usize]) -> Option<f64> {
        let logged = self.logs.as_ref().and_then(|(_, flow)| flow.as_ref());
        let logged = logged.map_or(0.0, |flow| flow.independent(path));
        match &self.counts {
            Counts::None => Some(logged),
            Counts::Unknown => None,
            Counts::Flow(flow) => flow.independent(path).map(|guess| guess + logged),
        }
    }

    /// How many passes follow.
    pub fn definite(&self) -> u64 {
        let logged = match (&self.counts, &self.logs) {
            (Counts::None, Some((_, Some(flow)))) => {
                flow.definite_paths(DEFINITE).iter().map(|(_, n)| n).sum::<u128>()
            }
            (Counts::None, _) | (_, None) => 0,
            (_, Some((counted, _))) => counted.paths.values().map(|n| u128::from(*n)).sum(),
        };
        let counted = match &self.counts {
            Counts::Flow(flow) => flow.definite_paths(DEFINITE).iter().map(|(_, n)| n).sum(),
            Counts::None | Counts::Unknown => 0,
        };
        narrow(logged + counted)
    }

    /// Whether counts of edges fix those of all paths; of methods with many paths, that is not said.
    pub fn fixed(&self) -> bool {
        match (&self.counts, &self.logs) {
            (Counts::None, Some((_, flow))) => flow.as_ref().is_some_and(FlowCounts::fix_paths),
            (Counts::None, None) | (Counts::Unknown, _) => false,
            (Counts::Flow(flow), _) => {
                let (paths, all) = flow.possible_paths(FIXED);
                let told = |path: &Vec<usize>| flow.potential(path) == Some(flow.definite(path));
                all && paths.iter().all(told)
            }
        }
    }

    /// Paths that ran or can have run, at most so many; and whether these are all.
    pub fn paths(&self, most: usize) -> (Vec<Vec<usize>>, bool) {
        let logged = self.logs.iter().flat_map(|(counted, _)| counted.paths.keys());
        let mut paths: Vec<Vec<usize>> =
            logged.map(|path| path.iter().map(|&e| e as usize).collect()).collect();
        let mut all = true;
        if let Counts::Flow(flow) = &self.counts {
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

/// A count, as far as 64 bits hold it.
pub(super) fn narrow(n: u128) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
