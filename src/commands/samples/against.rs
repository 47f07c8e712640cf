//! Merged passes beside exact logs of the same runs.

use std::path::PathBuf;

use decoder::Damage;
use decoder::replay::Program;
use model::map::{Map, MethodId};
use samples::exact::{Agreement, ExactPlace, TargetRuns};
use samples::fill::FramePrecision;
use samples::graph::{Graph, NodeId};
use samples::merged::MergedStop;
use samples::placed::Placer;
use samples::score::PathObserver;
use serde::Serialize;

use super::Result;
use super::calibration::name;
use super::path::Path;
use crate::args::jobs::Jobs;
use crate::inputs::LogFiles;
use crate::outputs::print::note;
use crate::outputs::progress::Progress;

/// Options that compare merged passes with exact logs.
#[derive(Debug, clap::Args)]
pub struct AgainstArgs {
    /// Compare each merged trace with the exact runs of its callback in these logs, of the same
    /// build, and print F1: a log of the run that was sampled, or of the same target.
    #[arg(long, value_name = "LOG", num_args = 1.., requires = "method")]
    against: Vec<PathBuf>,
}

/// Blocks of logs that are followed at most.
const MOST_BLOCKS: u64 = 20_000_000;

/// Exact runs of callbacks.
pub struct ExactRuns<'g> {
    map: &'g Map,
    /// By callback.
    runs: Vec<(String, TargetRuns<'g>)>,
}

/// Agreement of a merged trace with the exact run that is most like it.
#[derive(Debug, Serialize)]
pub struct AgainstAnswer {
    /// Compared places: block (stack), line or method.
    places: &'static str,
    /// Exact runs of the callback, and different ones among them.
    runs: u64,
    kinds: usize,
    /// Runs that took the path that is compared.
    alike: u64,
    /// Places of that path, equal neighbours counted once.
    exact: usize,
    merged: usize,
    common: usize,
    precision: f64,
    recall: f64,
    f1: f64,
}

/// Different runs that a trace is compared with at most, the most frequent ones.
const MOST_KINDS: usize = 100;

impl AgainstArgs {
    /// Follows the logs and keeps the runs of these callbacks, each with the methods that it may
    /// be. Also returns the damage in the logs.
    pub fn follow<'g>(
        &self,
        map: &'g Map,
        graph: &'g Graph,
        callbacks: Vec<(String, Vec<MethodId>)>,
        jobs: &Jobs,
    ) -> Result<Option<(ExactRuns<'g>, Damage)>> {
        if self.against.is_empty() {
            return Ok(None);
        }
        let logs = LogFiles::find(&self.against)?;
        let runs = callbacks.into_iter().map(|(name, ids)| (name, TargetRuns::new(graph, ids)));
        let exact = ExactRuns { map, runs: runs.collect() };
        let progress = Progress::new("decoding");
        let mut path = Path::new(graph, exact, MOST_BLOCKS);
        let damage = path.follow(map, &Program::new(map), &logs, jobs, &progress)?;
        drop(progress);
        for (name, runs) in &path.follows.runs {
            if runs.left_out() > 0 {
                note(format_args!("{name}: {} exact runs are too long", runs.left_out()));
            }
        }
        Ok(Some((path.follows, damage)))
    }
}

impl ExactRuns<'_> {
    /// Compares a merged trace with the exact run that is most like it; `None` if there is none.
    pub fn compare(
        &self,
        callback: &str,
        placer: &Placer<'_>,
        stops: &[MergedStop],
    ) -> Option<AgainstAnswer> {
        let (_, target) = self.runs.iter().find(|(name, _)| name == callback)?;
        let precision = placer.precision_of(stops.iter().map(|s| s.name));
        let mut merged: Vec<ExactPlace> = Vec::new();
        for stop in stops {
            let place = placer.place(stop.name, precision).unwrap_or((MethodId(0), 0));
            if merged.last() != Some(&place) {
                merged.push(place);
            }
        }
        let kinds = target.runs(self.map, precision);
        let compared = kinds.iter().take(MOST_KINDS);
        let agreed = compared.filter_map(|(run, n)| Some((Agreement::new(&merged, run)?, *n)));
        // The first of the best: kinds are sorted by how frequent they are.
        let best = agreed.reduce(|best, now| if now.0.f1() > best.0.f1() { now } else { best });
        let (agreement, alike) = best?;
        Some(AgainstAnswer {
            places: match precision {
                FramePrecision::Stack => "block",
                other => name(other),
            },
            runs: kinds.iter().map(|k| k.1).sum(),
            kinds: kinds.len(),
            alike,
            exact: agreement.exact,
            merged: agreement.merged,
            common: agreement.common,
            precision: agreement.precision(),
            recall: agreement.recall(),
            f1: agreement.f1(),
        })
    }
}

impl AgainstAnswer {
    /// Describes the agreement for people.
    pub fn describe(&self) -> String {
        format!(
            "against exact runs: F1 {:.3} (precision {:.3}, recall {:.3}) of {} {}s; {} of {} runs \
             took this path",
            self.f1, self.precision, self.recall, self.exact, self.places, self.alike, self.runs
        )
    }
}

impl PathObserver for ExactRuns<'_> {
    fn pass(&mut self) {
        self.runs.iter_mut().for_each(|(_, r)| r.pass());
    }

    fn enter(&mut self, method: MethodId, outside: bool) {
        self.runs.iter_mut().for_each(|(_, r)| r.enter(method, outside));
    }

    fn leave(&mut self, frames: usize) {
        self.runs.iter_mut().for_each(|(_, r)| r.leave(frames));
    }

    fn block(&mut self, node: NodeId) {
        self.runs.iter_mut().for_each(|(_, r)| r.block(node));
    }
}
