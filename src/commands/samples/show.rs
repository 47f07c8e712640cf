//! `pathlight samples show`.

use std::path::{Path, PathBuf};

use samples::passes::{Group, MOST, groups, passes};
use samples::places::Places;
use samples::read::{CallId, Format as FileFormat, Samples};
use serde::Serialize;

use super::super::decode::{Format, read_map};
use super::Result;
use crate::print::{Printer, note, say};

/// Show what ran in samples of a build: for each callback its passes, in groups that did much the
/// same, and one typical pass of each.
///
/// Everything that is shown was seen. Real samplers see one block in thousands, so what ran between
/// two samples is not told. Two passes of one callback with no sample between them look like one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  pathlight samples show --map app.plmap dump.txt
  pathlight samples show --map app.plmap dump.txt --callback onClick --format json")]
pub struct Args {
    /// Map of the build, written by `instrument`.
    #[arg(long)]
    map: PathBuf,
    /// Any mix of simpleperf's report-sample protobuf, Perfetto traces, ART method traces, and text
    /// with stacks.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Callbacks whose name has this in it.
    #[arg(long, value_name = "NAME")]
    callback: Option<String>,
    /// Show so many stacks of a typical pass.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Go on where less than 95 % of the app's frames and calls fit the map.
    #[arg(long)]
    force: bool,
    /// Print text for people, or json for programs.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// A file of samples.
#[derive(Serialize)]
struct FileAnswer {
    file: String,
    format: &'static str,
    samples: u64,
    lost: u64,
    broken: u64,
    cut: bool,
    /// Share of the app's frames and calls that the map has.
    fit: f64,
    groups: Vec<GroupAnswer>,
    /// Passes that were not compared with others.
    left_out: usize,
}

/// Passes that did much the same.
#[derive(Serialize)]
struct GroupAnswer {
    callback: String,
    passes: u64,
    samples: u64,
    us: u64,
    steps: Vec<StepAnswer>,
}

/// A stack of the typical pass.
#[derive(Serialize)]
struct StepAnswer {
    /// Always `observed`: nothing is made up between samples.
    how: &'static str,
    /// Share of the group's passes that have it in this order.
    p: f64,
    /// Samples in a row.
    n: u64,
    /// Frames of the app, outermost first.
    stack: Vec<String>,
}

#[derive(Serialize)]
struct Answer {
    files: Vec<FileAnswer>,
}

/// Least share of frames and calls that fit.
const LEAST: f64 = 0.95;

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result {
    let map = read_map(&args.map)?;
    let places = Places::new(&map);
    let mut answer = Answer { files: Vec::new() };
    for path in &args.files {
        answer.files.push(file(args, &places, path)?);
    }
    match args.format {
        Format::Json => out.json(&answer)?,
        Format::Text => answer.files.iter().try_for_each(|file| print(file, args.top, out))?,
    }
    Ok(())
}

fn file(args: &Args, places: &Places<'_>, path: &Path) -> Result<FileAnswer> {
    let named = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let bytes = std::fs::read(path).map_err(|e| named(&e))?;
    let (format, samples) = Samples::read(&bytes).map_err(|e| named(&e))?;
    let fit = places.fit(&samples);
    if fit.frames == 0 {
        return Err(named(&"none of its frames is of a class of the map").into());
    }
    if fit.share() < LEAST {
        let what = format!(
            "of another build? {} of {} frames and {} of {} calls of the app fit the map",
            fit.known, fit.frames, fit.fitting, fit.calls
        );
        if !args.force {
            return Err(named(&format!("{what} (--force goes on)")).into());
        }
        note(named(&what));
    }
    let (groups, left_out) = groups(&passes(&samples, places));
    let told = |g: &Group| told(&samples, places, g);
    let wanted = |g: &GroupAnswer| args.callback.as_ref().is_none_or(|c| g.callback.contains(c));
    Ok(FileAnswer {
        file: path.display().to_string(),
        format: match format {
            FileFormat::Simpleperf => "simpleperf",
            FileFormat::Perfetto => "perfetto",
            FileFormat::Art => "art",
            FileFormat::Text => "text",
        },
        samples: samples.seen.len() as u64,
        lost: samples.lost,
        broken: samples.broken,
        cut: samples.cut,
        fit: fit.share(),
        groups: groups.iter().map(told).filter(wanted).collect(),
        left_out,
    })
}

/// Frames of the app, outermost first.
fn stack(samples: &Samples, places: &Places<'_>, call: CallId) -> Vec<String> {
    let names = samples.frames(call).map(|n| &samples.names[n as usize]);
    let shown = names.filter(|n| places.is_app(n)).map(|n| match n.line {
        Some(line) => format!("{}.{}:{line}", n.class, n.method),
        None => format!("{}.{}", n.class, n.method),
    });
    let mut shown: Vec<String> = shown.collect();
    shown.reverse();
    shown
}

fn told(samples: &Samples, places: &Places<'_>, group: &Group) -> GroupAnswer {
    let steps = group.typical.stops.iter().zip(&group.support).map(|(stop, &support)| StepAnswer {
        how: "observed",
        p: support as f64 / group.passes as f64,
        n: stop.samples,
        stack: stack(samples, places, stop.call),
    });
    GroupAnswer {
        callback: stack(samples, places, group.typical.callback).concat(),
        passes: group.passes,
        samples: group.samples,
        us: group.ns / 1000,
        steps: steps.collect(),
    }
}

fn print(file: &FileAnswer, top: usize, out: &mut Printer) -> Result {
    let cut = if file.cut { "; its end is missing" } else { "" };
    say!(
        out,
        "=== {} ({}): {} samples, {} lost, {} broken{cut}",
        file.file,
        file.format,
        file.samples,
        file.lost,
        file.broken
    )?;
    for group in &file.groups {
        let (passes, samples) = (group.passes, group.samples);
        say!(out, "{}: {passes} passes, {samples} samples, {} us", group.callback, group.us)?;
        for step in group.steps.iter().take(top) {
            let percent = (100.0 * step.p).round();
            say!(out, "  {:>4} x  {percent:>3} %  {}", step.n, step.stack.join(" > "))?;
        }
        if group.steps.len() > top {
            say!(out, "  … {} more", group.steps.len() - top)?;
        }
    }
    if file.left_out > 0 {
        say!(out, "{} passes beyond {MOST} of a callback were left out", file.left_out)?;
    }
    Ok(())
}
