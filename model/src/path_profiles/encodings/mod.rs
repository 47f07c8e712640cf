//! Published ways to count paths in one register, as yardsticks for [`super::automaton`].
//!
//! A path here is one activation: its edges from the entry to the exit, without its calls. *PI* are
//! the paths of interest, *EI* the edges on them. Each algorithm gives a table of operations on
//! edges ([`Encoding`]), which [`Encoding::run`] interprets. None of it runs on a device.
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

/// The most that a path's number may be; one that grows beyond is lost.
pub const MOST: u128 = u64::MAX as u128;

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
                    EdgeOp::Add(more) => register = register.and_then(|r| r.checked_add(*more)),
                    EdgeOp::MulAdd { by, add } => {
                        register = register.and_then(|r| r.checked_mul(*by)?.checked_add(*add));
                    }
                    EdgeOp::Test { of, modulus } => {
                        let r = register.map(|r| modulus.map_or(r, |m| r % m));
                        if r.is_none_or(|r| of.binary_search(&r).is_err()) {
                            run.stopped = Some(step);
                        }
                    }
                    EdgeOp::Stop => run.stopped = Some(step),
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

    /// Returns how many edges have operations other than counting.
    pub fn edges_with_ops(&self) -> usize {
        self.ops.iter().filter(|ops| ops.iter().any(|op| *op != EdgeOp::Count)).count()
    }
}
