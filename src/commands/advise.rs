//! `pathlight paths advise`.

use std::io::Write;
use std::path::PathBuf;

use model::map::Map;
use reports::select::{MethodAdvice, advise, write_advice};
use reports::unmatched_method;
use serde::Serialize;

use super::Result;
use crate::args::times::duration;
use crate::args::unmatched;
use crate::inputs::{self, LogFiles};
use crate::outputs::print::Printer;

/// Advise on the profile that counts chosen paths: by publications, and by what was measured here.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight paths advise --map app.plmap --select paths.json
  pathlight paths advise --map app.plmap --method '*.Network.*' --run-time 600ms
  pathlight paths advise --map app.plmap --select paths.json --json

Selective path profiling (PSP) counts paths of interest (PI) alone, and leaves an activation as soon
as none of them can follow. Its authors choose between PSP0, PSP1 and PSP2 by six parameters of a
method, at the medians of their six programs: time of a run (500 ms), share of the blocks in loops
(.85), acyclic regions of one entry and one exit (2), loops (4), blocks of the largest region (7),
blocks (20). The first known one decides. They chose for programs that end where no path of interest
can follow; an app goes on.

--profile paths uses none of the three: it follows the paths by an automaton, which is exact also in
loops. The figures below the table are those of the bench of this version.")]
pub struct Args {
    /// Map of the build, written by `instrument`; or a folder with one map. Default: the map in the
    /// current folder.
    #[arg(long, value_name = "FILE|DIR")]
    map: Vec<PathBuf>,
    /// Paths of interest, written by `paths select`. Default: all methods that branch.
    #[arg(long, value_name = "FILE")]
    select: Option<PathBuf>,
    /// Look at methods only whose `com.example.Cls.name` matches; repeatable.
    #[arg(long, value_name = "GLOB")]
    method: Vec<String>,
    /// Time of a run of the program (600ms, 2s), the parameter that discriminates best. Default:
    /// not known, and the others decide.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    run_time: Option<u64>,
    /// Show N methods, those with most paths and blocks first.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Print all methods and the measured figures as JSON.
    #[arg(long)]
    json: bool,
}

/// Output as JSON.
#[derive(Serialize)]
struct AdviceJson {
    methods: Vec<MethodAdvice>,
    encodings: Vec<MeasuredEncoding>,
    costs: Vec<MeasuredCost>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result {
    let map: Map = inputs::map_of(&args.map, &[&LogFiles::find(&[])?])?.map;
    unmatched::check(unmatched_method(&map, &args.method))?;
    let paths = match &args.select {
        Some(path) => inputs::read_paths(path)?.paths,
        None => Vec::new(),
    };
    let time_ms = args.run_time.map(|us| us as f64 / 1e3);
    let methods = advise(&map, &paths, &args.method, time_ms);
    if methods.is_empty() {
        return Err("no method of the map has one of these paths".into());
    }
    let (encodings, costs) = (MeasuredEncoding::all(), MeasuredCost::all());
    if args.json {
        out.json(&AdviceJson { methods, encodings, costs })?;
        return Ok(());
    }
    out.page()?;
    write_advice(&methods, time_ms, args.top, out.raw())?;
    write_measured(&encodings, &costs, out.raw())?;
    Ok(())
}

/// Figures of an encoding in the sessions of the fixture apps.
#[derive(Serialize)]
struct MeasuredEncoding {
    /// Name in the table of the bench.
    encoding: String,
    /// True for methods with loops.
    cyclic: bool,
    /// Steps of the activations at which a probe runs, in percent.
    probes_percent: f64,
    /// Activations of paths of interest that are not counted, in percent: their numbers overflow.
    missed_percent: f64,
    /// Counted activations that were on other paths, in percent.
    false_percent: f64,
    /// Processor time on ART 14's JIT that counts ten paths of methods of this shape, divided by
    /// that without probes: mean of the libraries. `None` if the encoding cannot count them.
    time: Option<f64>,
}

/// Processor time of a profile on ART, divided by that without probes.
#[derive(Serialize)]
struct MeasuredCost {
    profile: &'static str,
    mean: f64,
    worst: f64,
}

/// Rows of a table of the bench, as cells.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().map(|line| line.split(',').collect())
}

impl MeasuredEncoding {
    /// Reads the table of encodings.
    fn all() -> Vec<MeasuredEncoding> {
        const TABLE: &str = include_str!("../../bench/archive/encodings.csv");
        let header = rows(TABLE).next().unwrap_or_default();
        let column = |name: &str| header.iter().position(|cell| *cell == name).unwrap_or(0);
        let names = ["of_interest", "collected", "wrong", "steps_with_ops", "steps"].map(column);
        let (encoding, shape) = (column("encoding"), column("shape"));
        let time = |shape: &str, name: &str| {
            const TIMES: &str = include_str!("../../bench/path_encodings.csv");
            let name = if name == "automaton" { "duplicate-blocks" } else { name };
            let row = rows(TIMES).find(|row| row.starts_with(&[shape, "10", name]))?;
            row.get(3)?.parse().ok()
        };
        let mut all: Vec<(MeasuredEncoding, [f64; 5])> = Vec::new();
        for row in rows(TABLE).skip(1) {
            let figures = names.map(|at| row.get(at).and_then(|n| n.parse().ok()).unwrap_or(0.0));
            let (name, cyclic) = (row[encoding], row[shape] == "cyclic");
            match all.iter_mut().find(|(m, _)| m.encoding == name && m.cyclic == cyclic) {
                Some((_, sums)) => sums.iter_mut().zip(figures).for_each(|(sum, n)| *sum += n),
                None => {
                    let (encoding, zero) = (name.to_owned(), 0.0);
                    let measured = MeasuredEncoding {
                        encoding,
                        cyclic,
                        probes_percent: zero,
                        missed_percent: zero,
                        false_percent: zero,
                        time: time(row[shape], name),
                    };
                    all.push((measured, figures));
                }
            }
        }
        for (measured, [of_interest, collected, wrong, with_ops, steps]) in &mut all {
            let right = *collected - *wrong;
            measured.probes_percent = 100.0 * *with_ops / steps.max(1.0);
            measured.missed_percent =
                100.0 * (*of_interest - right).max(0.0) / of_interest.max(1.0);
            measured.false_percent = 100.0 * *wrong / collected.max(1.0);
        }
        all.into_iter().map(|(measured, _)| measured).collect()
    }
}

impl MeasuredCost {
    /// Reads the tables of run times.
    fn all() -> Vec<MeasuredCost> {
        const PATHS: &str = include_str!("../../bench/paths.csv");
        const COPIES: &str = include_str!("../../bench/copies.csv");
        let columns = [
            ("--profile paths, ten rare paths", PATHS, "the rarest"),
            ("--profile paths, paths through a line", PATHS, "through a line"),
            (
                "--profile paths --count-storage periodic, ten hottest",
                PATHS,
                "ten `--count-storage periodic`",
            ),
            ("--profile paths, ten hottest", PATHS, "ten hottest"),
            ("--profile paths, fifty hottest", COPIES, "fifty (copies)"),
            ("--profile edges", PATHS, "`counts`"),
            ("--profile trace", PATHS, "`arith`"),
        ];
        let cost = |(profile, table, name): (&'static str, &'static str, &str)| {
            let header = rows(table).next()?;
            let at = header.iter().position(|cell| *cell == name)?;
            let figure = |of: &str| {
                let row = rows(table).find(|row| row.first() == Some(&of))?;
                row.get(at)?.parse().ok()
            };
            let (mean, worst) = (figure("geometric mean")?, figure("worst")?);
            Some(MeasuredCost { profile, mean, worst })
        };
        columns.into_iter().filter_map(cost).collect()
    }
}

/// Writes the measured figures.
fn write_measured(
    encodings: &[MeasuredEncoding],
    costs: &[MeasuredCost],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    writeln!(out)?;
    writeln!(
        out,
        "measured in sessions of the fixture apps, ten paths of interest a method, without and \
         with loops; time on ART 14, ÷ without probes, of ten hot paths of six libraries:"
    )?;
    writeln!(
        out,
        "{:<28} {:>17} {:>15} {:>15} {:>13}",
        "", "steps with probes", "not counted", "false", "time"
    )?;
    let names = [
        ("automaton", "automaton (--profile paths)"),
        ("psp0", "PSP0"),
        ("psp1", "PSP1"),
        ("psp2", "PSP2"),
        ("psp3", "PSP3"),
        ("espp", "ESPP"),
        ("spp", "SPP"),
        ("prepp", "PrePP"),
        ("pap", "PAP (all paths)"),
        ("epp", "EPP (Ball, Larus)"),
    ];
    for (key, name) in names {
        let of = |cyclic| encodings.iter().find(|m| m.encoding == key && m.cyclic == cyclic);
        let pair = |figure: fn(&MeasuredEncoding) -> Option<String>| {
            let text = |cyclic| of(cyclic).and_then(figure).unwrap_or_else(|| "–".to_owned());
            format!("{}, {}", text(false), text(true))
        };
        writeln!(
            out,
            "{name:<28} {:>17} {:>15} {:>15} {:>13}",
            pair(|m| Some(format!("{:.1} %", m.probes_percent))),
            pair(|m| Some(format!("{:.1} %", m.missed_percent))),
            pair(|m| Some(format!("{:.1} %", m.false_percent))),
            pair(|m| m.time.map(|time| format!("{time:.2}")))
        )?;
    }
    writeln!(out)?;
    writeln!(out, "measured time on ART 10, ÷ without probes: mean, slowest workload")?;
    for cost in costs {
        writeln!(out, "{:>6.2} {:>6.2}  {}", cost.mean, cost.worst, cost.profile)?;
    }
    writeln!(out)?;
    writeln!(
        out,
        "advice: --profile paths, which alone misses no path with loops; for paths that run very \
         often add --count-storage periodic"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// tether and notes, acyclic: 9838 + 7058 of 75200 + 39850 steps; cyclic PSP2 counts 885 + 5223
    /// of 978 + 5245.
    #[test]
    fn figures_are_sums_of_the_tables_rows() {
        let all = MeasuredEncoding::all();
        let of = |name: &str, cyclic| {
            all.iter().find(|m| m.encoding == name && m.cyclic == cyclic).expect("a row")
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} is not {b}");
        near(of("automaton", false).probes_percent, 100.0 * 16_896.0 / 115_050.0);
        near(of("automaton", true).missed_percent, 0.0);
        near(of("psp2", true).missed_percent, 100.0 * 115.0 / 6_223.0);
        near(of("spp", false).false_percent, 100.0 * 897.0 / 16_939.0);
    }

    #[test]
    fn every_profile_has_its_cost() {
        let all = MeasuredCost::all();
        assert_eq!(all.len(), 7);
        assert!(all.iter().all(|cost| cost.mean > 0.9 && cost.worst >= cost.mean));
    }
}
