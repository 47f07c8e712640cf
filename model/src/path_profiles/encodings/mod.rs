//! Published ways to count paths in one register, as yardsticks for [`super::automaton`].
//!
//! A path here is one activation: its edges from the entry to the exit, without its calls. *PI* are
//! the paths of interest, *EI* the edges on them. Each algorithm gives a table of operations on
//! edges ([`Encoding`]), which [`Encoding::run`] interprets and `instrument --path-tracking` puts
//! into an app.
//!
//! | | description | exact |
//! |---|---|---|
//! | [`acyclic::epp`] | Ball and Larus 1996: every path of an acyclic graph has a number | yes |
//! | [`acyclic::spp`] | that, with values on EI alone | no |
//! | [`acyclic::prepp`] | small numbers for PI, the others where they fall | no |
//! | [`acyclic::espp`] | SPP with the values that keep PI apart from all others | yes |
//! | [`cyclic::pap`] | numbered edges into each vertex: any graph, numbers grow with the path | yes
//! |
//! | [`cyclic::hybrid`] | PAP, and EPP in acyclic regions of one entry and one exit | yes |
//! | [`cyclic::psp0`] | PAP that stops where no path of PI has come | yes |
//! | [`cyclic::psp1`] | PAP and ESPP that stops after a region that no path of PI took so | yes |
//! | [`cyclic::psp2`] | PAP on EI alone that stops on each edge out of it | yes |
//! | [`cyclic::psp3`] | PSP2's cut, then PSP1 | yes |
//!
//! To *stop* is to no longer count the activation. The publication of PSP ends the program there;
//! here it continues, so the stop must hold: the rest may look like a path of PI again.
//!
//! ```
//! use model::path_profiles::encodings::{EdgeOp, cyclic, graph::Graph};
//!
//! // B → C | D → E → B | exit, with the entry before B. Of interest: one round over D, or two.
//! let [entry, b, c, d, e, exit] = [0, 1, 2, 3, 4, 5];
//! let edges = vec![(entry, b), (b, c), (b, d), (c, e), (d, e), (e, b), (e, exit)];
//! let graph = Graph::new(6, edges, entry, exit)?;
//! let path = |vertices: &[usize]| graph.path(vertices).unwrap();
//! let interest = vec![path(&[0, 1, 3, 4, 5]), path(&[0, 1, 3, 4, 1, 3, 4, 5])];
//! let psp0 = cyclic::psp0(&graph, &interest);
//!
//! assert_eq!(psp0.run(&interest[1]).counted, [Some(1)]);
//! // A round over C stops at once, and is not counted.
//! let other = psp0.run(&path(&[0, 1, 3, 4, 1, 2, 4, 5]));
//! assert_eq!((other.counted.len(), other.stopped), (0, Some(4)));
//! # Ok::<(), model::path_profiles::encodings::graph::GraphError>(())
//! ```

use std::collections::BTreeMap;

pub mod acyclic;
pub mod advisor;
pub mod cyclic;
#[cfg(test)]
mod figures;
pub mod graph;
pub mod inaccuracy;
#[cfg(test)]
mod tests;

/// Edges from the entry to the exit, by position.
pub type Path = Vec<usize>;

/// The most that a path's number may be, a `long` of the device; one that grows beyond is lost.
pub const MOST: u128 = i64::MAX as u128;

/// Names of the published encodings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EncodingKind {
    /// [`acyclic::epp`].
    Epp,
    /// [`acyclic::spp`].
    Spp,
    /// [`acyclic::prepp`].
    Prepp,
    /// [`acyclic::espp`].
    Espp,
    /// [`cyclic::pap`].
    Pap,
    /// [`cyclic::hybrid`].
    Hybrid,
    /// [`cyclic::psp0`].
    Psp0,
    /// [`cyclic::psp1`].
    Psp1,
    /// [`cyclic::psp2`].
    Psp2,
    /// [`cyclic::psp3`].
    Psp3,
}

impl EncodingKind {
    /// All of them, in the order of the module's table.
    pub const ALL: [EncodingKind; 10] = [
        EncodingKind::Epp,
        EncodingKind::Spp,
        EncodingKind::Prepp,
        EncodingKind::Espp,
        EncodingKind::Pap,
        EncodingKind::Hybrid,
        EncodingKind::Psp0,
        EncodingKind::Psp1,
        EncodingKind::Psp2,
        EncodingKind::Psp3,
    ];

    /// Returns its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            EncodingKind::Epp => "epp",
            EncodingKind::Spp => "spp",
            EncodingKind::Prepp => "prepp",
            EncodingKind::Espp => "espp",
            EncodingKind::Pap => "pap",
            EncodingKind::Hybrid => "hybrid",
            EncodingKind::Psp0 => "psp0",
            EncodingKind::Psp1 => "psp1",
            EncodingKind::Psp2 => "psp2",
            EncodingKind::Psp3 => "psp3",
        }
    }

    /// Returns true if no other path has the number of a path of interest.
    pub fn is_exact(self) -> bool {
        !matches!(self, EncodingKind::Spp | EncodingKind::Prepp)
    }

    /// Encodes the paths of interest of a graph. `None` of a graph with cycles, if the encoding
    /// takes none.
    pub fn encode(self, graph: &graph::Graph, interest: &[Path]) -> Option<Encoding> {
        match self {
            EncodingKind::Epp => Some(acyclic::epp(graph, interest)),
            EncodingKind::Spp => acyclic::spp(graph, interest),
            EncodingKind::Prepp => acyclic::prepp(graph, interest),
            EncodingKind::Espp => acyclic::espp(graph, interest),
            EncodingKind::Pap => Some(cyclic::pap(graph, interest)),
            EncodingKind::Hybrid => Some(cyclic::hybrid(graph, interest)),
            EncodingKind::Psp0 => Some(cyclic::psp0(graph, interest)),
            EncodingKind::Psp1 => Some(cyclic::psp1(graph, interest)),
            EncodingKind::Psp2 => Some(cyclic::psp2(graph, interest)),
            EncodingKind::Psp3 => Some(cyclic::psp3(graph, interest)),
        }
    }
}

/// Operation of a probe on the register r.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EdgeOp {
    /// r becomes this.
    Set(u128),
    /// r + this.
    Add(u128),
    /// r · `by` + `add`.
    MulAdd {
        /// Factor.
        by: u128,
        /// Summand.
        add: u128,
    },
    /// Stops unless r, modulo `modulus` if there is one, is one of these.
    Test {
        /// Ascending.
        of: Vec<u128>,
        /// Divisor by which r is reduced.
        modulus: Option<u128>,
    },
    /// Counts the activation no more.
    Stop,
    /// Counts the path whose number r is.
    Count,
}

impl EdgeOp {
    /// Returns r after the operation. `None` if it stops.
    fn apply(&self, r: u128) -> Option<u128> {
        match self {
            EdgeOp::Set(to) => Some(*to),
            EdgeOp::Add(more) => r.checked_add(*more),
            EdgeOp::MulAdd { by, add } => r.checked_mul(*by)?.checked_add(*add),
            EdgeOp::Test { of, modulus } => {
                of.binary_search(&modulus.map_or(r, |m| r % m)).is_ok().then_some(r)
            }
            EdgeOp::Stop => None,
            EdgeOp::Count => Some(r),
        }
    }

    /// Returns the most that r can be after the operation if it is `most` at most before.
    /// Saturating.
    pub fn bound(&self, most: u128) -> u128 {
        match self {
            EdgeOp::Set(to) => *to,
            EdgeOp::Add(more) => most.saturating_add(*more),
            EdgeOp::MulAdd { by, add } => most.saturating_mul(*by).saturating_add(*add),
            EdgeOp::Test { of, modulus: None } => most.min(of.last().copied().unwrap_or(0)),
            EdgeOp::Test { .. } | EdgeOp::Count => most,
            EdgeOp::Stop => 0,
        }
    }
}

/// Operations on the edges of a graph; r is 0 at the entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoding {
    /// Of each edge, in order.
    pub ops: Vec<Vec<EdgeOp>>,
    /// The numbers of PI, each with the path's position. Where two have one, the later is missing.
    pub interest: BTreeMap<u128, usize>,
    /// Numbers above this are lost.
    pub most: u128,
}

/// Effect of an encoding on an activation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EncodingRun {
    /// Counted paths: positions in PI, `None` for others. Several where loops cut paths.
    pub counted: Vec<Option<usize>>,
    /// Numbers that were counted.
    pub numbers: Vec<u128>,
    /// At which step it stopped.
    pub stopped: Option<usize>,
    /// Number of path numbers that were too large.
    pub lost: usize,
    /// Number of edges taken that have operations other than counting.
    pub steps_with_ops: usize,
}

impl Encoding {
    fn new(edges: usize) -> Encoding {
        Encoding { ops: vec![Vec::new(); edges], interest: BTreeMap::new(), most: MOST }
    }

    /// Looks up what numbers the paths of interest have.
    fn with_interest(mut self, interest: &[Path]) -> Encoding {
        for (at, path) in interest.iter().enumerate() {
            if let [number] = self.run(path).numbers[..] {
                self.interest.entry(number).or_insert(at);
            }
        }
        self
    }

    /// Runs the operations of an activation that takes these edges.
    pub fn run(&self, path: &[usize]) -> EncodingRun {
        let mut run = EncodingRun::default();
        let mut register = Some(0_u128);
        for (step, &edge) in path.iter().enumerate() {
            let ops = &self.ops[edge];
            run.steps_with_ops += usize::from(ops.iter().any(|op| *op != EdgeOp::Count));
            for op in ops {
                match op {
                    EdgeOp::Set(to) => register = Some(*to),
                    EdgeOp::Add(_) | EdgeOp::MulAdd { .. } => {
                        register = register.and_then(|r| op.apply(r));
                    }
                    EdgeOp::Test { .. } | EdgeOp::Stop => {
                        let stops = register.is_none_or(|r| op.apply(r).is_none());
                        run.stopped = stops.then_some(step);
                    }
                    EdgeOp::Count => match register {
                        Some(number) => {
                            run.numbers.push(number);
                            run.counted.push(self.interest.get(&number).copied());
                        }
                        None => run.lost += 1,
                    },
                }
                // A test is the only way to see that a number is lost before it is counted.
                register = register.filter(|r| *r <= self.most);
                if run.stopped.is_some() {
                    return run;
                }
            }
        }
        run
    }

    /// Returns the number after an edge's operations on `number`, or `None` if it stops or becomes
    /// too large.
    pub fn number_after(&self, edge: usize, number: u128) -> Option<u128> {
        self.ops[edge].iter().try_fold(number, |r, op| op.apply(r)).filter(|r| *r <= self.most)
    }

    /// Returns the most that the number can be at each vertex, if activations whose number grows
    /// beyond [`Encoding::most`] stop.
    pub fn bounds(&self, graph: &graph::Graph) -> Vec<u128> {
        let mut bounds = vec![0; graph.vertices()];
        let mut grow = |rises_to: &dyn Fn(u128) -> u128| {
            let mut grew = false;
            for (ops, &(from, to)) in self.ops.iter().zip(graph.edges()) {
                let after = ops.iter().fold(bounds[from], |most, op| op.bound(most)).min(self.most);
                if after > bounds[to] {
                    bounds[to] = rises_to(after);
                    grew = true;
                }
            }
            grew
        };
        // A number that still grows after each vertex had its turn grows in a loop.
        let settled = (0..=graph.vertices()).any(|_| !grow(&|after| after));
        if !settled {
            while grow(&|_| self.most) {}
        }
        bounds
    }

    /// Returns true if an activation can stop before its end, or its number can grow too large.
    /// `bounds` are those of [`Encoding::bounds`].
    pub fn can_stop(&self, graph: &graph::Graph, bounds: &[u128]) -> bool {
        self.ops.iter().zip(graph.edges()).any(|(ops, &(from, _))| {
            let mut most = bounds[from];
            ops.iter().any(|op| {
                most = op.bound(most);
                matches!(op, EdgeOp::Stop | EdgeOp::Test { .. }) || most > self.most
            })
        })
    }

    /// Returns how many edges have operations other than counting.
    pub fn edges_with_ops(&self) -> usize {
        self.ops.iter().filter(|ops| ops.iter().any(|op| *op != EdgeOp::Count)).count()
    }
}
