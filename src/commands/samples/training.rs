//! Models from samples, and what they are worth beside models from exact paths.

use decoder::Damage;
use decoder::replay::{BlockNo, Decision, Program};
use decoder::train::Counter;
use model::map::{Map, SlotId, Terminator};
use model::profile::Profile;
use samples::graph::{Graph, NodeId};
use samples::score::Intervals;
use samples::train::{DecisionCounts, Sampler, train};
use serde::Serialize;

use super::Result;
use super::path::{Path, report_depth};
use crate::args::jobs::Jobs;
use crate::args::text::Format;
use crate::inputs::LogFiles;
use crate::outputs::print::{Printer, counted, show};
use crate::outputs::progress::Progress;

/// A model of these counts, as `train` makes one.
pub fn profile(
    program: &Program<'_>,
    graph: &Graph,
    counts: &DecisionCounts,
    sessions: u64,
) -> Profile {
    let map = program.map;
    let mut counter = Counter::new(program);
    let blocks = map.methods.iter().flat_map(|m| &m.blocks);
    for (block, of) in (0..).zip(blocks) {
        if let Terminator::Branch { .. } = of.terminator {
            for (alternative, &n) in counts.branch(graph, NodeId(block)).iter().enumerate() {
                counter.count(Decision::Branch(BlockNo(block)), alternative, n);
            }
        }
    }
    for slot in (0..map.slots.len() as u32).map(SlotId) {
        for (alternative, &n) in counts.slot(graph, slot).iter().enumerate() {
            counter.count(Decision::Slot(slot), alternative, n);
        }
    }
    counter.counted(sessions)
}

/// The quality of a model of samples.
#[derive(Serialize)]
pub struct Worth {
    /// Blocks of the paths that were sampled.
    blocks: u64,
    samples: u64,
    every: u32,
    rounds: u32,
    /// Each way's share of all decisions of branches, the lower one of both, summed up.
    overlap: f64,
    /// Decisions of the paths held back.
    decisions: u64,
    /// Bits of each under tables without history, of exact paths, and of samples.
    untrained: f64,
    exact: f64,
    sampled: f64,
    /// Of samples over of exact paths.
    ratio: f64,
}

/// The inputs of a training, and the logs that judge it.
pub struct Training<'a> {
    pub map: &'a Map,
    pub graph: &'a Graph,
    pub program: &'a Program<'a>,
    /// Logs to sample, how many samples to take, and logs that are held back.
    pub train: &'a LogFiles,
    pub samples: u64,
    pub held: &'a LogFiles,
    /// Blocks that are followed at most.
    pub max_blocks: u64,
    pub jobs: &'a Jobs,
}

/// The answer.
#[derive(Serialize)]
pub struct Judged {
    blocks: u64,
    rows: [(); 0],
    training: Worth,
}

/// Follows nothing.
struct Nothing;

impl samples::score::PathObserver for Nothing {
    fn pass(&mut self) {}
    fn enter(&mut self, _: model::map::MethodId, _: bool) {}
    fn leave(&mut self, _: usize) {}
    fn block(&mut self, _: NodeId) {}
}

impl Training<'_> {
    fn exact(&self, logs: &LogFiles, progress: &Progress) -> Result<(u64, DecisionCounts, Damage)> {
        let mut path = Path::new(self.graph, Nothing, self.max_blocks);
        let damage = path.follow(self.map, self.program, logs, self.jobs, progress)?;
        Ok((path.blocks, path.counts, damage))
    }

    /// Samples the paths to train on, trains, and prices the decisions held back. Also gives the
    /// damage in the logs.
    pub fn judge(&self, progress: &Progress) -> Result<(Judged, Damage)> {
        let (blocks, exact, mut damage) = self.exact(self.train, progress)?;
        // Short paths are sampled more often: as if their sessions had run again.
        let often = (blocks / self.samples.max(1)).max(1);
        let every = u32::try_from(often).unwrap_or(u32::MAX).min(SPARSE);
        let jitter = if every > 1 { 0.25 } else { 0.0 };
        let sampler = Sampler::new(self.graph, Intervals::new(every, jitter));
        let mut path = Path::new(self.graph, sampler, self.max_blocks);
        // The same logs again: their damage is known.
        let _ = path.follow(self.map, self.program, self.train, self.jobs, progress)?;
        report_depth(path.follows.too_deep(), every);
        let evidence = path.follows.evidence;
        progress.at(format_args!("training on {} samples", evidence.samples()));
        let trained = train(self.graph, &evidence, f64::from(every));
        let (held_blocks, held, of_held) = self.exact(self.held, progress)?;
        damage += of_held;
        let bits = |model: &Profile| {
            let (decisions, bits) = held.bits(self.map, self.graph, model);
            bits / decisions.max(1) as f64
        };
        let of = |counts: &DecisionCounts| bits(&profile(self.program, self.graph, counts, 1));
        let (untrained, exactly, sampled) =
            (bits(&Profile::default()), of(&exact), of(&trained.counts));
        let judged = Judged {
            blocks: held_blocks,
            rows: [],
            training: Worth {
                blocks,
                samples: evidence.samples(),
                every,
                rounds: trained.rounds,
                overlap: trained.counts.overlap(&exact, self.graph),
                decisions: held.bits(self.map, self.graph, &Profile::default()).0,
                untrained,
                exact: exactly,
                sampled,
                ratio: if exactly > 0.0 { sampled / exactly } else { 1.0 },
            },
        };
        Ok((judged, damage))
    }
}

/// Blocks from one sample to the next, at most.
const SPARSE: u32 = 1000;

impl Judged {
    /// Prints it.
    pub fn print(&self, format: Format, out: &mut Printer) -> Result {
        if let Format::Json = format {
            out.json(self)?;
            return Ok(());
        }
        let w = &self.training;
        show!(
            out,
            "{}, one block in {} of {}: {} of training",
            counted(w.samples, "sample"),
            w.every,
            w.blocks,
            counted(w.rounds, "round")
        )?;
        show!(out, "{:.3} of all decisions are those of exact counts", w.overlap)?;
        show!(out, "{} held back, in bits each:", counted(w.decisions, "decision"))?;
        show!(
            out,
            "  untrained {:.4}, exact {:.4}, samples {:.4}",
            w.untrained,
            w.exact,
            w.sampled
        )?;
        show!(out, "  samples cost {:.3} of exact", w.ratio)?;
        Ok(())
    }
}
