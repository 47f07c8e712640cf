//! The judge: exact paths are thinned out to samples, rebuilt, and compared.

use model::map::MethodId;

use crate::fill::{
    BlockEvidence, Expected, Filler, Follower, FramePrecision, Gap, Length, Sample, blurred, common,
};
use crate::graph::{Graph, NodeId};
use crate::random::Random;

/// Parameters of sampling a path.
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// Number of steps per sample.
    pub every: u32,
    /// Share by which an interval may be longer or shorter. The filler does not receive it.
    pub jitter: f64,
    /// Precision of each frame.
    pub places: FramePrecision,
    /// Number of gaps that are kept at most, spread over all paths.
    pub gaps: usize,
}

/// Steps from one sample to the next.
#[derive(Debug, Clone)]
pub struct Intervals {
    every: u32,
    jitter: f64,
    random: Random,
}

impl Intervals {
    /// Intervals of about `every` steps; longer or shorter by a share up to `jitter`.
    pub fn new(every: u32, jitter: f64) -> Intervals {
        Intervals { every: every.max(1), jitter, random: Random::new() }
    }

    /// Steps to the first sample: any phase.
    pub fn first(&mut self) -> u32 {
        (f64::from(self.every) * self.random.share()).ceil().max(1.0) as u32
    }

    /// Steps to the next sample, at least one.
    pub fn step(&mut self) -> u32 {
        let off = (2.0 * self.random.share() - 1.0) * self.jitter;
        (f64::from(self.every) * (1.0 + off)).round().max(1.0) as u32
    }
}

/// Samples of a part of a path, and what really ran.
#[derive(Debug, Clone)]
pub struct SampledPath {
    /// The first sample.
    pub first: Sample,
    /// The others, each with the steps that led to it; the last of these is the sample's.
    pub gaps: Vec<(Sample, Vec<NodeId>)>,
}

/// Gaps in a stretch at most.
const STRETCH: usize = 32;

/// Follows exact paths and keeps stretches of samples.
#[derive(Debug)]
pub struct PathSampler<'g> {
    graph: &'g Graph,
    thinning: Sampling,
    follower: Follower,
    /// One in `share` stretches is kept.
    share: usize,
    number: usize,
    kept: Vec<SampledPath>,
    open: Option<SampledPath>,
    /// Steps since the last sample.
    steps: Vec<NodeId>,
    left: u32,
    intervals: Intervals,
    /// Steps followed in all.
    total: u64,
}

/// Follows an exact path.
pub trait PathObserver {
    /// A pass begins: nothing is running.
    fn pass(&mut self);
    /// A method begins; `outside`: no call of the app's code led to it.
    fn enter(&mut self, method: MethodId, outside: bool);
    /// The innermost `frames` frames end.
    fn leave(&mut self, frames: usize);
    /// The innermost frame goes on in a block.
    fn block(&mut self, node: NodeId);
}

impl<'g> PathSampler<'g> {
    /// Nothing followed yet.
    pub fn new(graph: &'g Graph, thinning: Sampling) -> PathSampler<'g> {
        PathSampler {
            graph,
            thinning,
            follower: Follower::default(),
            share: 1,
            number: 0,
            kept: Vec::new(),
            open: None,
            steps: Vec::new(),
            left: 0,
            intervals: Intervals::new(thinning.every, thinning.jitter),
            total: 0,
        }
    }

    /// Steps followed in all.
    pub fn steps(&self) -> u64 {
        self.total
    }

    fn sampled(&mut self) {
        self.left = self.intervals.step();
        let full = self.open.as_ref().is_some_and(|s| s.gaps.len() >= STRETCH);
        if full {
            self.close();
        }
        match &mut self.open {
            None if self.number.is_multiple_of(self.share) => {
                let first = self.follower.sample();
                self.open = first.map(|first| SampledPath { first, gaps: Vec::new() });
            }
            None => {
                // So long as the stretch that is not kept.
                self.left = self.left.saturating_mul(STRETCH as u32);
                self.number += 1;
            }
            Some(stretch) => match self.follower.sample() {
                Some(sample) => stretch.gaps.push((sample, std::mem::take(&mut self.steps))),
                None => self.close(),
            },
        }
    }

    /// A stretch that has begun is not continued.
    fn close(&mut self) {
        self.steps.clear();
        let Some(stretch) = self.open.take() else { return };
        self.number += 1;
        if stretch.gaps.is_empty() {
            return;
        }
        self.kept.push(stretch);
        if self.kept.iter().map(|s| s.gaps.len()).sum::<usize>() > self.thinning.gaps {
            let mut keep = false;
            self.kept.retain(|_| {
                keep = !keep;
                keep
            });
            self.share *= 2;
        }
    }

    /// Samples that were left out, as their stacks were too deep ([`crate::fill::DEEPEST`]).
    pub fn too_deep(&self) -> u64 {
        self.follower.too_deep()
    }

    /// The stretches that were kept.
    pub fn finish(mut self) -> Vec<SampledPath> {
        self.close();
        self.kept
    }
}

impl PathObserver for PathSampler<'_> {
    fn pass(&mut self) {
        self.close();
        self.follower.clear();
    }

    fn enter(&mut self, method: MethodId, outside: bool) {
        self.follower.enter(self.graph, method, outside && self.follower.depth() > 0);
    }

    fn leave(&mut self, frames: usize) {
        self.follower.leave(frames);
    }

    #[inline]
    fn block(&mut self, node: NodeId) {
        self.total += 1;
        self.follower.block(node);
        if self.open.is_some() {
            self.steps.push(node);
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.sampled();
        }
    }
}

/// Agreement of rebuilt traces with the true ones.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Score {
    /// Gaps.
    pub gaps: u64,
    /// Steps that were dropped.
    pub dropped: u64,
    /// Of these, steps where the rebuilt trace has the same block at the same place.
    pub same: u64,
    /// Dropped steps that were rebuilt in order (longest common subsequence).
    pub common: u64,
    /// Steps that were rebuilt where steps had been dropped.
    pub rebuilt: u64,
    /// Samples whose block was reported, and the number of those that are right.
    pub sampled: (u64, u64),
    /// Of the samples, the number marked as observed, and the number of those that ran there.
    pub observed: (u64, u64),
    /// Blocks marked as forced, and the number of those that ran in the gap.
    pub forced: (u64, u64),
    /// Gaps in which paths were left out.
    pub unproven: u64,
    /// Gaps that only an exception, or a call past its callee, explains.
    pub surprises: u64,
    /// Gaps without any path.
    pub unknown: u64,
    /// Sum of the gaps' expected agreement.
    pub expected: Expected,
    /// Likely steps by tenths of their probability: how many, sum of probabilities, how many were
    /// at their place.
    pub deciles: [(u64, f64, u64); 10],
}

impl Score {
    /// Dropped steps with the right block at their place.
    pub fn same_index(&self) -> f64 {
        ratio(self.same, self.dropped)
    }

    /// F1 of the dropped steps alone.
    pub fn f1_dropped(&self) -> f64 {
        ratio(2 * self.common, self.dropped + self.rebuilt)
    }

    /// F1 of the rebuilt traces, samples included.
    pub fn f1(&self) -> f64 {
        let (reported, right) = self.sampled;
        ratio(2 * (self.common + right), self.dropped + self.rebuilt + self.gaps + reported)
    }

    /// The F1 that the rebuilder expects of itself. If its prices are true, it comes to that, and
    /// hardly anybody could expect more.
    pub fn f1_expected(&self) -> f64 {
        let (reported, right) = self.sampled;
        let all = self.expected.dropped + (self.rebuilt + self.gaps + reported) as f64;
        share(2.0 * (self.expected.common + right as f64), all)
    }

    /// The share of dropped steps with the right block at their place that nobody can expect to
    /// surpass, if the prices are true.
    pub fn same_index_most(&self) -> f64 {
        share(self.expected.places, self.expected.dropped)
    }

    /// Returns the greatest difference between the reported probability of steps and the share of
    /// them that were right, over tenths that have at least `least` steps.
    pub fn miscalibrated(&self, least: u64) -> f64 {
        let off = |d: &(u64, f64, u64)| (d.1 - d.2 as f64).abs() / d.0 as f64;
        self.deciles.iter().filter(|d| d.0 >= least).map(off).fold(0.0, f64::max)
    }

    /// Adds a gap: the rebuilt one, and the true path.
    pub fn add(&mut self, gap: &Gap, ran: &[NodeId]) {
        self.gaps += 1;
        self.unproven += u64::from(gap.unproven);
        self.surprises += u64::from(gap.surprise);
        self.unknown += u64::from(gap.missing);
        self.expected.common += gap.expected.common;
        self.expected.dropped += gap.expected.dropped;
        self.expected.places += gap.expected.places;
        let dropped = &ran[..ran.len() - 1];
        let (last, rebuilt) = match gap.steps.split_last() {
            Some((last, rebuilt)) => (Some(last), rebuilt),
            None => (None, &[][..]),
        };
        if let Some(last) = last {
            let right = u64::from(last.node == ran.last().copied());
            self.sampled.0 += u64::from(last.node.is_some());
            self.sampled.1 += right;
            if last.how == BlockEvidence::Observed {
                self.observed.0 += 1;
                self.observed.1 += right;
            }
        }
        let nodes: Vec<NodeId> = rebuilt.iter().filter_map(|s| s.node).collect();
        self.dropped += dropped.len() as u64;
        self.rebuilt += nodes.len() as u64;
        self.common += common(&nodes, dropped) as u64;
        for (i, step) in rebuilt.iter().enumerate() {
            let right = step.node.is_some() && step.node == dropped.get(i).copied();
            self.same += u64::from(right);
            match step.how {
                BlockEvidence::Forced => {
                    self.forced.0 += 1;
                    self.forced.1 += u64::from(step.node.is_some_and(|n| ran.contains(&n)));
                }
                BlockEvidence::Likely => {
                    let decile = ((step.p * 10.0) as usize).min(9);
                    let known = &mut self.deciles[decile];
                    known.0 += 1;
                    known.1 += step.p;
                    known.2 += u64::from(right);
                }
                BlockEvidence::Observed | BlockEvidence::Unknown => {}
            }
        }
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    share(part as f64, whole as f64)
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 1.0 }
}

/// Rebuilds stretches and compares them. `lines` gives the lines of a block.
pub fn score(
    filler: &mut Filler<'_>,
    graph: &Graph,
    stretches: &[SampledPath],
    thinning: Sampling,
    lines: &dyn Fn(NodeId) -> Vec<u32>,
) -> Score {
    let mut score = Score::default();
    let length = |ran: &[NodeId]| match thinning.jitter > 0.0 {
        // Standard deviation of a uniform distribution on both sides.
        true => Length::About(f64::from(thinning.every), thinning.jitter / 3f64.sqrt()),
        false => Length::Known(ran.len() as u32),
    };
    for stretch in stretches {
        let blur = |s: &Sample| blurred(graph, s, thinning.places, lines);
        let rest: Vec<(Sample, Length)> =
            stretch.gaps.iter().map(|(s, ran)| (blur(s), length(ran))).collect();
        let gaps = filler.pass(&blur(&stretch.first), &rest);
        for (gap, (_, ran)) in gaps.iter().zip(&stretch.gaps) {
            score.add(gap, ran);
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fill::DEEPEST;

    /// A recursion of 400,000 calls costs one block a call: with whole stacks, the samples would
    /// have 10^10 frames.
    #[test]
    fn samples_of_an_endless_recursion_are_counted_and_left_out() {
        const CALLS: u64 = 400_000;
        let graph = Graph::of_method(&[&[1], &[]]);
        let thinning =
            Sampling { every: 8, jitter: 0.0, places: FramePrecision::Stack, gaps: 1 << 20 };
        let mut thinner = PathSampler::new(&graph, thinning);
        thinner.pass();
        for _ in 0..CALLS {
            thinner.enter(MethodId(1), false);
            thinner.block(NodeId(0));
        }
        let deep = CALLS - DEEPEST as u64;
        assert!(thinner.too_deep().abs_diff(deep / 8) <= 1, "{}", thinner.too_deep());
        let kept = thinner.finish();
        let deepest = kept.iter().map(|s| s.gaps.last().map_or(0, |g| g.0.stack.len())).max();
        assert!(deepest.is_some_and(|frames| (DEEPEST - 8..=DEEPEST).contains(&frames)));
    }
}
