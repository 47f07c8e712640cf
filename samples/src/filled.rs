//! Blocks between the samples of a pass of a real sampler.

use crate::fill::{Filler, Gap, Length, Sample, forced_blocks};
use crate::graph::Graph;
use crate::passes::Pass;
use crate::placed::Placer;

/// Number of blocks from one sample to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spacing {
    /// The sampler counts blocks: `every` from one sample to the next, more or less by up to the
    /// share `jitter`.
    Blocks {
        /// Blocks from one sample to the next.
        every: u32,
        /// Share by which an interval may be longer or shorter.
        jitter: f64,
    },
    /// The sampler has a clock: a block takes about this long, in ns.
    Time {
        /// Mean time of a block, in ns.
        block: f64,
    },
}

/// Standard deviation of the logarithm of a gap's length where a clock gives it.
const SPREAD: f64 = 0.5;

/// A gap of a real pass.
#[derive(Debug, Clone, PartialEq)]
pub enum PassGap {
    /// The likeliest blocks.
    Filled {
        /// Blocks, about, the later sample included.
        blocks: f64,
        /// The blocks; the last one is the later sample.
        gap: Gap,
    },
    /// The gap is too long: only blocks that no path avoids are known.
    Refused {
        /// Blocks, about, the later sample included.
        blocks: f64,
        /// Blocks that certainly ran, by method and position.
        forced: Vec<crate::graph::NodeId>,
    },
}

/// Samples of a pass on the graph, each with the number of blocks since the one before.
struct PlacedSamples {
    first: Sample,
    rest: Vec<(Sample, f64)>,
}

/// Fills the gaps of a pass: at most `most` of them, and none of more than `limit` blocks. Samples
/// without a place on the graph make their gaps longer. Returns the first sample also; `None` if
/// no sample has a place.
pub fn fill_pass(
    filler: &mut Filler<'_>,
    graph: &Graph,
    placer: &Placer<'_>,
    pass: &Pass,
    spacing: Spacing,
    (limit, most): (u32, usize),
) -> Option<(Sample, Vec<PassGap>)> {
    let PlacedSamples { first, rest } = placed(placer, pass, spacing, most)?;
    let mut all = Vec::with_capacity(rest.len());
    let mut before = &first;
    // Neighbouring gaps inform each other: runs without a refused one are filled together.
    let mut run: (&Sample, Vec<(Sample, Length)>) = (&first, Vec::new());
    let mut lengths: Vec<f64> = Vec::new();
    for (sample, blocks) in &rest {
        if *blocks > f64::from(limit) {
            flush(filler, &mut run, &mut lengths, &mut all);
            let forced = forced_blocks(graph, before, sample);
            all.push(PassGap::Refused { blocks: *blocks, forced });
            run.0 = sample;
        } else {
            run.1.push((sample.clone(), length(*blocks, spacing)));
            lengths.push(*blocks);
        }
        before = sample;
    }
    flush(filler, &mut run, &mut lengths, &mut all);
    Some((first, all))
}

fn flush(
    filler: &mut Filler<'_>,
    run: &mut (&Sample, Vec<(Sample, Length)>),
    lengths: &mut Vec<f64>,
    all: &mut Vec<PassGap>,
) {
    let gaps = filler.pass(run.0, &std::mem::take(&mut run.1));
    let filled = |(gap, blocks)| PassGap::Filled { blocks, gap };
    all.extend(gaps.into_iter().zip(lengths.drain(..)).map(filled));
}

fn length(blocks: f64, spacing: Spacing) -> Length {
    match spacing {
        Spacing::Blocks { jitter, .. } if jitter > 0.0 => {
            // Standard deviation of a uniform distribution on both sides.
            Length::About(blocks, jitter / 3f64.sqrt())
        }
        Spacing::Blocks { .. } => Length::Known(blocks.round().max(1.0) as u32),
        Spacing::Time { .. } => Length::About(blocks.max(1.0), SPREAD),
    }
}

fn placed(
    placer: &Placer<'_>,
    pass: &Pass,
    spacing: Spacing,
    most: usize,
) -> Option<PlacedSamples> {
    let mut found: Option<PlacedSamples> = None;
    let mut before = None;
    let mut number = 0;
    for (i, stop) in pass.stops.iter().enumerate() {
        let first = number;
        number += stop.samples;
        let Some(sample) = placer.sample(stop.call) else { continue };
        // Samples of a stop are evenly spread until the next stop, or to the end of the pass.
        let (end, parts) = match pass.stops.get(i + 1) {
            Some(next) => (next.at, stop.samples),
            None => (pass.ns.1.saturating_sub(pass.ns.0), stop.samples.saturating_sub(1)),
        };
        let step = end.saturating_sub(stop.at) as f64 / parts.max(1) as f64;
        for k in 0..stop.samples {
            let position = match spacing {
                Spacing::Blocks { every, .. } => (first + k) as f64 * f64::from(every),
                Spacing::Time { block } => (stop.at as f64 + k as f64 * step) / block.max(1e-3),
            };
            let since = position - before.unwrap_or(position);
            match &mut found {
                None => found = Some(PlacedSamples { first: sample.clone(), rest: Vec::new() }),
                Some(found) => found.rest.push((sample.clone(), since)),
            }
            before = Some(position);
            if found.as_ref().is_some_and(|f| f.rest.len() >= most) {
                return found;
            }
        }
    }
    found
}
