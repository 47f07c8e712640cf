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

/// Parameter that can decide, by descending discrimination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Parameter {
    /// Time of a run.
    Time,
    /// Share of the vertices that lie in loops.
    LoopShare,
    /// Number of regions.
    Regions,
    /// Number of loops.
    Loops,
    /// Vertices of the largest region.
    LargestRegion,
    /// Vertices.
    Vertices,
}

impl Parameter {
    /// All of them, in this order.
    pub const ALL: [Parameter; 6] = [
        Parameter::Time,
        Parameter::LoopShare,
        Parameter::Regions,
        Parameter::Loops,
        Parameter::LargestRegion,
        Parameter::Vertices,
    ];

    /// Returns the published discrimination of the parameter, in percent.
    pub fn discrimination(self) -> f64 {
        match self {
            Parameter::Time => 46.5,
            Parameter::LoopShare => 45.1,
            Parameter::Regions => 43.2,
            Parameter::Loops => 38.5,
            Parameter::LargestRegion => 37.6,
            Parameter::Vertices => 14.9,
        }
    }
}

/// Recommended encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
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
        self.decision().map(|(_, advice)| advice)
    }

    /// Returns the advice, and the parameter that decides: the first known one, in the order of the
    /// published discrimination ([`Parameter::discrimination`]).
    pub fn decision(&self) -> Option<(Parameter, Advice)> {
        let other =
            |parameter, stops: bool| (parameter, if stops { Advice::Psp0 } else { Advice::Psp2 });
        let vertices =
            |n: usize| (Parameter::Vertices, if n < 20 { Advice::Psp0 } else { Advice::Psp1 });
        (self.time_ms.map(|ms| other(Parameter::Time, ms >= 500.0)))
            .or(self.loop_share.map(|share| other(Parameter::LoopShare, share < 0.85)))
            .or(self.regions.map(|n| other(Parameter::Regions, n < 2)))
            .or(self.loops.map(|n| other(Parameter::Loops, n >= 4)))
            .or(self.largest_region.map(|n| other(Parameter::LargestRegion, n < 7)))
            .or(self.vertices.map(vertices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each threshold, from both sides, with the parameter alone.
    #[test]
    fn each_parameter_decides_at_its_published_threshold() {
        let none = Traits::default();
        let cases = [
            (Traits { time_ms: Some(500.0), ..none }, Parameter::Time, Advice::Psp0),
            (Traits { time_ms: Some(499.9), ..none }, Parameter::Time, Advice::Psp2),
            (Traits { loop_share: Some(0.84), ..none }, Parameter::LoopShare, Advice::Psp0),
            (Traits { loop_share: Some(0.85), ..none }, Parameter::LoopShare, Advice::Psp2),
            (Traits { regions: Some(1), ..none }, Parameter::Regions, Advice::Psp0),
            (Traits { regions: Some(2), ..none }, Parameter::Regions, Advice::Psp2),
            (Traits { loops: Some(4), ..none }, Parameter::Loops, Advice::Psp0),
            (Traits { loops: Some(3), ..none }, Parameter::Loops, Advice::Psp2),
            (Traits { largest_region: Some(6), ..none }, Parameter::LargestRegion, Advice::Psp0),
            (Traits { largest_region: Some(7), ..none }, Parameter::LargestRegion, Advice::Psp2),
            (Traits { vertices: Some(19), ..none }, Parameter::Vertices, Advice::Psp0),
            (Traits { vertices: Some(20), ..none }, Parameter::Vertices, Advice::Psp1),
        ];
        for (traits, parameter, advice) in cases {
            assert_eq!(traits.decision(), Some((parameter, advice)));
        }
        assert_eq!(none.decision(), None);
    }
}
