//! Options that merge passes into one trace.

use samples::Level;
use samples::groups::Group;
use samples::merged::{MergeMethod, MergedTrace, Merging, merged};
use samples::placed::Placer;
use samples::read::{CodeAddress, SampleFormat, Samples};
use serde::Serialize;

use super::Result;

/// Options that merge passes into one trace.
#[derive(Debug, clap::Args)]
pub struct MergeArgs {
    /// Merge the passes of each group into one trace of innermost frames instead of showing the
    /// typical one. For targets that run the same way each time.
    #[arg(long, value_enum)]
    method: Option<ChosenMethod>,
    /// Compare places of samples by this. Default: time with a clock or --interval, blocks where
    /// each frame has its instruction, else instructions. `free` has a comparison of its own.
    #[arg(long, value_enum, requires = "method")]
    level: Option<ComparedBy>,
    /// Let the N most similar pairs of passes compete by likelihood, with --method interleave.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "method")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    pairs: u16,
}

/// A method to make one trace of passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum ChosenMethod {
    /// The published merge, which tries all orders of the most similar passes
    Interleave,
    /// In the order of positions: those of --split, else times since passes began
    Phase,
    /// The most similar passes first, in their best order
    Linked,
    /// Sample by sample, for intervals that jitter
    Free,
}

/// Comparison of places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum ComparedBy {
    /// The next line or instruction is nearest
    Instructions,
    /// Blocks first, then the instructions in them
    Blocks,
    /// The same line or instruction is nearest: samples taken by time
    Time,
}

/// A merge, as the answer shows it.
#[derive(Debug, Clone, Serialize)]
pub struct MergeAnswer {
    method: ChosenMethod,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<ComparedBy>,
    /// Pairs of passes that compete in each round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<u16>,
    /// Sum over the trace of how likely each sample follows the one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    likelihood: Option<u64>,
}

impl MergeArgs {
    /// Returns true if passes are merged.
    pub fn is_merged(&self) -> bool {
        self.method.is_some()
    }

    /// Returns true if positions alone give the order.
    pub fn is_by_phase(&self) -> bool {
        self.method == Some(ChosenMethod::Phase)
    }

    /// Merges the passes of a group, if a method is given. `interval` is the distance of samples in
    /// the unit of positions; `is_timed`: samples are taken by time.
    pub fn merge(
        &self,
        samples: &Samples,
        placer: &Placer<'_>,
        group: &Group,
        interval: u64,
        is_timed: bool,
    ) -> Result<Option<(MergedTrace, MergeAnswer)>> {
        let Some(method) = self.method else { return Ok(None) };
        let level = match self.level {
            Some(level) => level,
            None if is_timed => ComparedBy::Time,
            None if has_blocks(samples, placer, group) => ComparedBy::Blocks,
            None => ComparedBy::Instructions,
        };
        if level == ComparedBy::Blocks && method != ChosenMethod::Free {
            require_blocks(samples, placer, group)?;
        }
        let block = |name| placer.block(name);
        let merging = Merging {
            method: method.into(),
            level: level.into(),
            pairs: self.pairs.into(),
            interval,
            block: &block,
        };
        let trace = merged(samples, &group.members, &merging)?;
        let answer = MergeAnswer {
            method,
            level: (method != ChosenMethod::Free).then_some(level),
            pairs: (method == ChosenMethod::Interleave).then_some(self.pairs),
            likelihood: trace.likelihood,
        };
        Ok(Some((trace, answer)))
    }
}

/// Innermost frames of a group: positions in [`Samples::names`].
fn innermost<'a>(samples: &'a Samples, group: &'a Group) -> impl Iterator<Item = u32> + 'a {
    let stops = group.members.iter().flat_map(|p| &p.stops);
    stops.filter_map(|s| samples.frames(s.call).next())
}

/// True if each frame has its instruction, and so its block.
fn has_blocks(samples: &Samples, placer: &Placer<'_>, group: &Group) -> bool {
    let is_exact = |name: u32| {
        let named = &samples.names[name as usize];
        let has_pc = matches!(named.at, Some(CodeAddress::Pc(_) | CodeAddress::Dex { .. }));
        has_pc && named.line.is_none() && placer.block(name).is_some()
    };
    innermost(samples, group).all(is_exact)
}

fn require_blocks(samples: &Samples, placer: &Placer<'_>, group: &Group) -> Result {
    match innermost(samples, group).find(|&name| placer.block(name).is_none()) {
        None => Ok(()),
        Some(name) => {
            let named = &samples.names[name as usize];
            let frame = format!("{}.{}", named.class, named.method);
            Err(format!("frames of {frame} fit several blocks: choose another --level").into())
        }
    }
}

/// True if a file's times are those of a clock.
pub fn has_clock(format: SampleFormat) -> bool {
    format != SampleFormat::Text
}

impl MergeAnswer {
    /// Describes the merge for people.
    pub fn describe(&self) -> String {
        let mut text = match self.method {
            ChosenMethod::Interleave => "merged by interleave",
            ChosenMethod::Phase => "merged by phase",
            ChosenMethod::Linked => "merged by linked",
            ChosenMethod::Free => "merged by free",
        }
        .to_owned();
        if let Some(level) = self.level {
            text += match level {
                ComparedBy::Instructions => ", level instructions",
                ComparedBy::Blocks => ", level blocks",
                ComparedBy::Time => ", level time",
            };
        }
        if let Some(pairs) = self.pairs {
            text += &match pairs {
                1 => ", 1 competing pair".to_owned(),
                n => format!(", {n} competing pairs"),
            };
        }
        if let Some(likelihood) = self.likelihood {
            text += &format!(", likelihood {likelihood}");
        }
        text
    }
}

impl From<ChosenMethod> for MergeMethod {
    fn from(method: ChosenMethod) -> MergeMethod {
        match method {
            ChosenMethod::Interleave => MergeMethod::Interleave,
            ChosenMethod::Phase => MergeMethod::Phase,
            ChosenMethod::Linked => MergeMethod::Linked,
            ChosenMethod::Free => MergeMethod::Free,
        }
    }
}

impl From<ComparedBy> for Level {
    fn from(precision: ComparedBy) -> Level {
        match precision {
            ComparedBy::Instructions => Level::Instructions,
            ComparedBy::Blocks => Level::Blocks,
            ComparedBy::Time => Level::Time,
        }
    }
}
