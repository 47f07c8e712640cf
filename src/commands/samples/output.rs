//! The output of `samples show`.

use model::map::MethodId;
use samples::groups::{Group, MOST};
use samples::merged::MergedStop;
use samples::placed::Placer;
use samples::places::MethodResolver;
use samples::read::{CallId, Name, SampleFormat as FileFormat, Samples};
use serde::Serialize;

use super::Result;
use super::against::{AgainstAnswer, ExactRuns};
use super::fill::{GapFiller, GapsAnswer};
use super::merging::{MergeAnswer, MergeArgs};
use crate::outputs::print::{Printer, counted, show};

/// A file of samples.
#[derive(Serialize)]
pub struct FileAnswer {
    pub file: String,
    pub format: &'static str,
    pub samples: u64,
    pub lost: u64,
    pub broken: u64,
    pub cut: bool,
    /// Share of the app's frames and calls that the map has.
    pub fit: f64,
    pub groups: Vec<GroupAnswer>,
    /// Passes that were not compared with others.
    pub left_out: usize,
}

/// Passes that did much the same.
#[derive(Serialize)]
pub struct GroupAnswer {
    callback: String,
    passes: u64,
    samples: u64,
    /// From the first sample of a pass to its last, summed over all; 0 without a clock.
    us: u64,
    #[serde(skip)]
    is_timed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    merge: Option<MergeAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<AgainstAnswer>,
    steps: Vec<StepAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gaps: Option<GapsAnswer>,
}

/// A stack of the typical pass, or a frame of the merged trace.
#[derive(Serialize)]
struct StepAnswer {
    /// Always `observed`: nothing is made up between samples.
    how: &'static str,
    /// Share of the group's passes that have it in this order; of a merged trace, of the samples.
    p: f64,
    /// Samples in a row.
    n: u64,
    /// Time in a pass, where the interval is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    us: Option<f64>,
    /// Frames of the app, outermost first.
    stack: Vec<String>,
}

/// Figures of a training.
#[derive(Default, Serialize)]
pub struct TrainedAnswer {
    pub samples: u64,
    /// Samples without a frame of the map, or with one that may be several methods.
    pub left_out: u64,
    /// Different frames whose instruction is known.
    pub exact_frames: u64,
    pub methods: u64,
    pub rounds: u32,
    /// Bits that a sample costs under the model.
    pub bits: f64,
}

#[derive(Serialize)]
pub struct Answer {
    pub files: Vec<FileAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trained: Option<TrainedAnswer>,
}

/// Returns the name of a format.
pub fn name_of(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Simpleperf => "simpleperf",
        FileFormat::Perfetto => "perfetto",
        FileFormat::Art => "art",
        FileFormat::Text => "text",
    }
}

fn named(n: &Name) -> String {
    match n.line {
        Some(line) => format!("{}.{}:{line}", n.class, n.method),
        None => format!("{}.{}", n.class, n.method),
    }
}

/// Returns the callback of a group and the methods that it may be. It has no line: passes differ in
/// theirs.
pub fn callback(samples: &Samples, placer: &Placer<'_>, group: &Group) -> (String, Vec<MethodId>) {
    let Some(number) = samples.frames(group.typical.callback).next() else {
        return (String::new(), Vec::new());
    };
    let name = &samples.names[number as usize];
    (format!("{}.{}", name.class, name.method), placer.methods(number).to_vec())
}

/// Makes answers of groups of passes.
pub struct Answers<'a> {
    pub samples: &'a Samples,
    pub places: &'a MethodResolver<'a>,
    pub placer: &'a Placer<'a>,
    /// Between samples, in ns.
    pub interval: Option<u64>,
    /// Between samples, in the unit in which passes are cut by length.
    pub distance: Option<u64>,
    /// True if the file's times are those of a clock.
    pub has_clock: bool,
    pub merge: &'a MergeArgs,
    pub gaps: Option<&'a GapFiller<'a>>,
    pub exact: Option<&'a ExactRuns<'a>>,
}

impl Answers<'_> {
    /// Frames of the app, outermost first.
    fn stack(&self, call: CallId) -> Vec<String> {
        let names = self.samples.frames(call).map(|n| &self.samples.names[n as usize]);
        let mut shown: Vec<String> = names.filter(|n| self.places.is_app(n)).map(named).collect();
        shown.reverse();
        shown
    }

    /// A group.
    pub fn group(&self, group: &Group, callback: String) -> Result<GroupAnswer> {
        let passes = group.passes.max(1) as f64;
        let us = |n: u64, passes: f64| self.interval.map(|ns| n as f64 * ns as f64 / 1e3 / passes);
        // In passes with few samples the interval is a guess.
        let guess = group.ns / group.samples.saturating_sub(group.passes).max(1);
        let interval = self.distance.or(self.interval).unwrap_or(guess).max(1);
        let is_timed = self.has_clock || self.interval.is_some();
        let merged = self.merge.merge(self.samples, self.placer, group, interval, is_timed)?;
        let against = match (&merged, self.exact) {
            (Some((trace, _)), Some(exact)) => exact.compare(&callback, self.placer, &trace.stops),
            _ => None,
        };
        let gaps = self.gaps.and_then(|gaps| gaps.fill(self.placer, &group.typical));
        let (steps, merge) = match merged {
            None => {
                let stops = group.typical.stops.iter().zip(&group.support);
                let step = |(stop, &support): (&samples::passes::Stop, &u64)| StepAnswer {
                    how: "observed",
                    p: support as f64 / passes,
                    n: stop.samples,
                    us: us(stop.samples, 1.0),
                    stack: self.stack(stop.call),
                };
                (stops.map(step).collect(), None)
            }
            Some((trace, merge)) => {
                let step = |stop: &MergedStop| StepAnswer {
                    how: "observed",
                    p: stop.samples as f64 / group.samples.max(1) as f64,
                    n: stop.samples,
                    us: us(stop.samples, passes),
                    stack: vec![named(&self.samples.names[stop.name as usize])],
                };
                (trace.stops.iter().map(step).collect(), Some(merge))
            }
        };
        Ok(GroupAnswer {
            callback,
            passes: group.passes,
            samples: group.samples,
            us: if is_timed { group.ns / 1000 } else { 0 },
            is_timed,
            merge,
            against,
            steps,
            gaps,
        })
    }
}

impl Answer {
    /// Prints it for people.
    pub fn print(&self, top: usize, out: &mut Printer) -> Result {
        self.files.iter().try_for_each(|file| print(file, top, out))?;
        if let Some(t) = &self.trained {
            show!(
                out,
                "trained on {} ({} left out): {}, {:.2} bits a sample",
                counted(t.samples, "sample"),
                t.left_out,
                counted(t.methods, "method"),
                t.bits
            )?;
        }
        Ok(())
    }
}

fn print(file: &FileAnswer, top: usize, out: &mut Printer) -> Result {
    let cut = if file.cut { "; its end is missing" } else { "" };
    show!(
        out,
        "=== {} ({}): {}, {} lost, {} broken{cut}",
        file.file,
        file.format,
        counted(file.samples, "sample"),
        file.lost,
        file.broken
    )?;
    for group in &file.groups {
        let passes = counted(group.passes, "pass");
        let samples = counted(group.samples, "sample");
        let us = if group.is_timed { format!(", {} us", group.us) } else { String::new() };
        let merge = group.merge.as_ref().map_or(String::new(), |m| format!("; {}", m.describe()));
        show!(out, "{}: {passes}, {samples}{us}{merge}", group.callback)?;
        if let Some(against) = &group.against {
            show!(out, "  {}", against.describe())?;
        }
        for step in group.steps.iter().take(top) {
            let percent = (100.0 * step.p).round();
            let us = step.us.map_or(String::new(), |us| format!("  {us:.0} us"));
            show!(out, "  {:>4} x  {percent:>3} %{us}  {}", step.n, step.stack.join(" > "))?;
        }
        if group.steps.len() > top {
            show!(out, "  … {} more", group.steps.len() - top)?;
        }
        if let Some(gaps) = &group.gaps {
            gaps.print(top, out)?;
        }
    }
    if file.left_out > 0 {
        let passes = counted(file.left_out, "pass");
        show!(out, "left out: {passes} beyond {MOST} of a callback")?;
    }
    Ok(())
}
