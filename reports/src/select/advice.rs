//! Advice on the profile for paths of interest: by the publication of PSP, method by method.

use std::io::{self, Write};

use glob_match::glob_match;
use model::map::{Map, MethodId, Terminator};
use model::path_profiles::encodings::advisor::{Advice, Parameter, Traits};
use model::path_profiles::encodings::graph::Graph;
use model::paths_file::PathEntry;
use serde::Serialize;

use super::text::methods_by_name;
use crate::base::escape::visible;
use crate::base::names::dotted;

/// A method's parameters, and the encoding that the publication recommends for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MethodAdvice {
    /// The method in the source, `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Number of its paths of interest; 0 if no paths are given.
    pub paths: usize,
    /// Number of vertices of its graph: its blocks, the entry and the exit.
    pub vertices: usize,
    /// Number of loops.
    pub loops: usize,
    /// Share of the vertices that lie in loops.
    pub loop_share: f64,
    /// Number of acyclic regions with one entry and one exit (RAS).
    pub regions: usize,
    /// Vertices of the largest region.
    pub largest_region: usize,
    /// The parameter that decides.
    pub decided_by: Parameter,
    /// The recommended encoding.
    pub published: Advice,
}

impl MethodAdvice {
    /// Returns the advice for a method with this graph.
    fn new(method: String, paths: usize, graph: &Graph, time_ms: Option<f64>) -> MethodAdvice {
        let traits = Traits { time_ms, ..Traits::of(graph) };
        let (decided_by, published) =
            traits.decision().unwrap_or((Parameter::Vertices, Advice::Psp0));
        MethodAdvice {
            method,
            paths,
            vertices: traits.vertices.unwrap_or(0),
            loops: traits.loops.unwrap_or(0),
            loop_share: traits.loop_share.unwrap_or(0.0),
            regions: traits.regions.unwrap_or(0),
            largest_region: traits.largest_region.unwrap_or(0),
            decided_by,
            published,
        }
    }

    /// Returns the value of the parameter that decides, and its threshold.
    fn reason(&self, time_ms: Option<f64>) -> String {
        let by = |is_psp0: bool, low: &str, high: &str| if is_psp0 { low } else { high }.to_owned();
        let stops = self.published == Advice::Psp0;
        match self.decided_by {
            Parameter::Time => {
                format!("{} ms a run {} 500", time_ms.unwrap_or(0.0), by(stops, "≥", "<"))
            }
            Parameter::LoopShare => {
                format!("{:.2} of it in loops {} .85", self.loop_share, by(stops, "<", "≥"))
            }
            Parameter::Regions => format!("{} regions {} 2", self.regions, by(stops, "<", "≥")),
            Parameter::Loops => format!("{} loops {} 4", self.loops, by(stops, "≥", "<")),
            Parameter::LargestRegion => {
                format!("region of {} vertices {} 7", self.largest_region, by(stops, "<", "≥"))
            }
            Parameter::Vertices => {
                format!("{} vertices {} 20", self.vertices, by(stops, "<", "≥"))
            }
        }
    }
}

/// Returns advice for the methods of these paths; without paths, for all methods that branch and
/// match one of the patterns (`com.example.Cls.name`; none: all). `time_ms`: time of a run of the
/// program, if known.
pub fn advise(
    map: &Map,
    paths: &[PathEntry],
    globs: &[String],
    time_ms: Option<f64>,
) -> Vec<MethodAdvice> {
    let by_name = methods_by_name(map);
    let mut all = Vec::new();
    for (id, method) in (1..).map(MethodId).zip(&map.methods) {
        let own = paths.iter().filter(|path| by_name.get(&path.method) == Some(&id)).count();
        let branches =
            method.blocks.iter().any(|b| matches!(b.terminator, Terminator::Branch { .. }));
        let name = dotted(map, method);
        let asked = globs.is_empty() || globs.iter().any(|glob| glob_match(glob, &name));
        if !asked || (if paths.is_empty() { !branches } else { own == 0 }) {
            continue;
        }
        let Ok(graph) = Graph::of_blocks(&method.blocks) else { continue };
        all.push(MethodAdvice::new(map.method_key(method), own, &graph, time_ms));
    }
    // Equal ones stay in the order of the map.
    all.sort_by_key(|m| std::cmp::Reverse((m.paths, m.vertices)));
    all
}

/// Writes the first `top` methods as a table.
///
/// # Errors
/// Errors of the output.
pub fn write_advice(
    all: &[MethodAdvice],
    time_ms: Option<f64>,
    top: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(
        out,
        "{:>5} {:>8} {:>5} {:>7} {:>7} {:>7}  {:<9} {:<28} method",
        "paths", "vertices", "loops", "in them", "regions", "largest", "published", "because"
    )?;
    for m in all.iter().take(top) {
        writeln!(
            out,
            "{:>5} {:>8} {:>5} {:>7.2} {:>7} {:>7}  {:<9} {:<28} {}",
            m.paths,
            m.vertices,
            m.loops,
            m.loop_share,
            m.regions,
            m.largest_region,
            format!("{:?}", m.published).to_uppercase(),
            m.reason(time_ms),
            visible(&m.method)
        )?;
    }
    let count = |advice: Advice| all.iter().filter(|m| m.published == advice).count();
    writeln!(
        out,
        "published advice for {} method{}: PSP0 {}, PSP1 {}, PSP2 {}",
        all.len(),
        if all.len() == 1 { "" } else { "s" },
        count(Advice::Psp0),
        count(Advice::Psp1),
        count(Advice::Psp2)
    )
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::method;
    use super::*;

    fn advice(map: &Map, time_ms: Option<f64>) -> (MethodAdvice, String) {
        let all = advise(map, &[], &[], time_ms);
        let mut text = Vec::new();
        write_advice(&all, time_ms, 9, &mut text).expect("a buffer");
        (all[0].clone(), String::from_utf8(text).expect("text"))
    }

    /// Without a loop nothing lies in loops: below .85, so PSP0. A short run decides before.
    #[test]
    fn the_first_known_parameter_decides() {
        let diamond = method(&[(&[1], &[1, 2]), (&[2], &[3]), (&[3], &[3]), (&[4], &[])]);
        let (one, text) = advice(&diamond, None);
        assert_eq!((one.vertices, one.loops, one.regions), (6, 0, 1));
        assert_eq!((one.decided_by, one.published), (Parameter::LoopShare, Advice::Psp0));
        assert!(text.contains("PSP0      0.00 of it in loops < .85"), "{text}");
        let (one, text) = advice(&diamond, Some(3.0));
        assert_eq!((one.decided_by, one.published), (Parameter::Time, Advice::Psp2));
        assert!(text.contains("PSP2      3 ms a run < 500"), "{text}");
    }

    /// Eighteen of 21 vertices lie in the loop: .857, not below .85.
    #[test]
    fn a_loop_over_nearly_all_vertices_gets_psp2() {
        let mut blocks: Vec<(Vec<u32>, Vec<u32>)> =
            (0..17).map(|b| (vec![b], vec![b + 1])).collect();
        blocks.push((vec![17], vec![0, 18]));
        blocks.push((vec![18], vec![]));
        let blocks: Vec<(&[u32], &[u32])> = blocks.iter().map(|b| (&*b.0, &*b.1)).collect();
        let (one, _) = advice(&method(&blocks), None);
        assert_eq!((one.vertices, one.loops), (21, 1));
        assert!((one.loop_share - 18.0 / 21.0).abs() < 1e-9);
        assert_eq!((one.decided_by, one.published), (Parameter::LoopShare, Advice::Psp2));
    }
}
