//! Choice of the encoding that publications recommend for a method.

use super::graph::Graph;

/// Properties of a method; the order is that of the parameters' weight.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Traits {
    /// Time of a run, in ms.
    pub time_ms: Option<f64>,
    /// Share of the vertices that lie in loops.
    pub loop_share: Option<f64>,
    /// Acyclic regions of one entry and one exit.
    pub regions: Option<usize>,
    /// Loops.
    pub loops: Option<usize>,
    /// Vertices of the largest region.
    pub largest_region: Option<usize>,
    /// Vertices.
    pub vertices: Option<usize>,
}

/// Recommended encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// [`super::cyclic::psp0`].
    Psp0,
    /// [`super::cyclic::psp1`].
    Psp1,
    /// [`super::cyclic::psp2`].
    Psp2,
}

impl Traits {
    /// Measures a graph.
    pub fn of(graph: &Graph) -> Traits {
        let (loops, loop_share) = graph.loops();
        let regions = graph.regions();
        Traits {
            time_ms: None,
            loop_share: Some(loop_share),
            regions: Some(regions.len()),
            loops: Some(loops),
            largest_region: Some(regions.iter().map(|r| r.vertices.len() + 1).max().unwrap_or(0)),
            vertices: Some(graph.vertices()),
        }
    }

    /// The first parameter that is known decides. (The publication joins PSP0's conditions by
    /// "or", too, which contradicts its examples.) Thresholds are medians of its six programs.
    ///
    /// ```
    /// use model::path_profiles::encodings::advisor::{Advice, Traits};
    ///
    /// let small = Traits { vertices: Some(24), ..Traits::default() };
    /// assert_eq!(small.advice(), Some(Advice::Psp1));
    /// let loops = Traits { loop_share: Some(0.9), ..small };
    /// assert_eq!(loops.advice(), Some(Advice::Psp2));
    /// ```
    pub fn advice(&self) -> Option<Advice> {
        let other = |stops: bool| if stops { Advice::Psp0 } else { Advice::Psp2 };
        let nodes = |n: usize| if n < 20 { Advice::Psp0 } else { Advice::Psp1 };
        (self.time_ms.map(|ms| other(ms >= 500.0)))
            .or(self.loop_share.map(|share| other(share < 0.85)))
            .or(self.regions.map(|n| other(n < 2)))
            .or(self.loops.map(|n| other(n >= 4)))
            .or(self.largest_region.map(|n| other(n < 7)))
            .or(self.vertices.map(nodes))
    }
}
