//! Options that cut samples into passes and group them.

use samples::groups::Grouping;
use samples::merge::coverage;
use samples::passes::{MethodPattern, PassCuts, PassLength};
use samples::read::{Name, Samples};

use super::Result;
use crate::args::unmatched;
use crate::outputs::print::note;
use reports::Unmatched;

/// Options that cut samples into passes and group them.
#[derive(Debug, clap::Args)]
pub struct PassArgs {
    /// Take this method, and all that it calls, for the callback: `method`, `Cls.method` or
    /// `pkg.Cls.method`. Samples without it are left out. Default: the app's outermost frame.
    #[arg(long, value_name = "METHOD")]
    target: Option<String>,
    /// Begin a pass where this method appears: a target that runs again without a sample between
    /// its runs looks like one pass.
    #[arg(long, value_name = "METHOD")]
    first: Option<String>,
    /// End a pass where a sample has this method, which the app calls between runs of the target.
    /// Repeat it for several.
    #[arg(long, value_name = "METHOD")]
    marker: Vec<String>,
    /// Cut passes by length: the target is T long, samples are P apart, in any one unit (50/7).
    /// For samplers that count what the target runs: samples without it are left out and end no
    /// pass. Lengths count from the begin that --first and --marker give.
    #[arg(long, value_name = "T/P", value_parser = length)]
    split: Option<PassLength>,
    /// Group passes of a callback by stacks and lines in order (stacks), by methods and how often
    /// they were sampled (calls), or not (callback). Default: calls with --method, else stacks.
    #[arg(long, value_enum, value_name = "BY")]
    group: Option<GroupBy>,
}

/// Properties that passes of a group share.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum GroupBy {
    /// Stacks with their lines, in order
    Stacks,
    /// Methods, each about as often, at any phase
    Calls,
    /// The callback alone
    Callback,
}

fn length(text: &str) -> std::result::Result<PassLength, String> {
    let parse = |(target, interval): (&str, &str)| {
        Some(PassLength { target: target.parse().ok()?, interval: interval.parse().ok()? })
    };
    match text.split_once('/').and_then(parse) {
        Some(length) if (1..=length.target).contains(&length.interval) => Ok(length),
        _ => {
            Err("expected the length of the target and the distance of samples, as in 50/7".into())
        }
    }
}

impl PassArgs {
    /// Returns the borders of passes.
    pub fn cuts(&self) -> PassCuts {
        let pattern = |text: &String| MethodPattern(text.clone());
        PassCuts {
            target: self.target.as_ref().map(pattern),
            first: self.first.as_ref().map(pattern),
            markers: self.marker.iter().map(pattern).collect(),
            length: self.split,
        }
    }

    /// Returns how passes are grouped.
    pub fn grouping(&self, is_merged: bool) -> Grouping {
        match self.group {
            Some(GroupBy::Stacks) => Grouping::Stacks,
            Some(GroupBy::Calls) => Grouping::Calls,
            Some(GroupBy::Callback) => Grouping::Callback,
            None if is_merged => Grouping::Calls,
            None => Grouping::Stacks,
        }
    }

    /// Returns the distance of samples in the unit of the length, if passes are cut by length.
    pub fn distance(&self) -> Option<u64> {
        self.split.map(|length| length.interval)
    }

    /// Fails if a file has no frame of a method that is asked for.
    pub fn check(&self, samples: &Samples) -> Result {
        let asked = [self.target.as_slice(), self.first.as_slice(), &self.marker];
        let full = |name: &Name| format!("{}.{}", name.class, name.method);
        for patterns in asked {
            let is_named = samples.names.iter().filter(|n| !n.class.is_empty());
            let matches = |pattern: &str, full: &str| {
                let (class, method) = full.rsplit_once('.').unwrap_or(("", full));
                let name = Name { class: class.into(), method: method.into(), ..Name::default() };
                MethodPattern(pattern.to_owned()).matches(&name)
            };
            let names = is_named.map(full);
            unmatched::check(Unmatched::first("method", patterns, names, matches))?;
        }
        Ok(())
    }

    /// Notes positions of the target that no sample ever has. `by_phase`: the order of the merged
    /// trace is that of positions alone.
    pub fn note_coverage(&self, by_phase: bool) {
        let Some(PassLength { target, interval }) = self.split else {
            if by_phase {
                note(
                    "--method phase without --split: each pass is taken to begin at its first \
                     sample, so the order is right to one interval only",
                );
            }
            return;
        };
        let seen = coverage(target, interval);
        if seen < target {
            note(format_args!(
                "--split {target}/{interval}: samples come back to the same {seen} of {target} \
                 positions and never reach the others; a distance without a common divisor \
                 reaches all"
            ));
        }
    }
}
