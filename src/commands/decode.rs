//! `pathlight decode`.

use std::path::PathBuf;

use decoder::Damage;
use decoder::crew::Cores;
use decoder::log::Process;
use decoder::replay::Program;
use model::recording::Recording;
use reports::{
    Filter, IndexError, SessionIndex, TextOptions, write_json, write_path_ids, write_text,
};

use super::{Result, Usage};
use crate::args::filters::{self, Shown};
use crate::args::jobs::Jobs;
use crate::args::text::{Format, Text};
use crate::args::times::Span;
use crate::args::unmatched::{self, Threads};
use crate::inputs::{self, FoundMap, LogFile, LogFiles, Logs};
use crate::outputs::print::{Printer, note, show};
use crate::outputs::progress::Progress;

/// Turn logs into execution paths.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  adb logcat -d | pathlight decode --map app.plmap -
  pathlight decode --map app.plmap pathlight-*.plt --last 20 --sources app/src/main/java
  pathlight decode --map app.plmap beta.log --class Settings --method 'set*'
  pathlight decode --map app.plmap beta.log --thread main --callback 3-7 --full
  pathlight decode --map app.plmap pathlight-*.plt --format json > paths.jsonl
  pathlight decode --map app.plmap pathlight-*.plt --interval 12.3s..12.5s
  pathlight decode --map app.plmap pathlight-*.plt --path-ids | sort | uniq -c -w16 | sort -rn
  pathlight decode --map app.plmap --index session.pltt --interval=-50ms..
  pathlight decode --map count.plmap pathlight-*.plh")]
pub struct Args {
    /// Map of the build, or a folder of maps, written by `instrument`; repeatable, for logs of
    /// several builds. Default: the maps of the logs' builds beside them or in the current folder.
    #[arg(long, value_name = "FILE|DIR")]
    map: Vec<PathBuf>,
    /// R8's mapping.txt of the build, if `instrument` got none: names and lines of the source.
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    /// Trace files, logcat text in any -v format, folders and archives of them, and - for standard
    /// input; hit files (.plh) of a build with --profile paths.
    #[arg(required_unless_present = "index")]
    logs: Vec<PathBuf>,
    /// Read only the part of the logs that --interval needs, by this file of `timetree build`. The
    /// indexed logs must be trace files.
    #[arg(long, value_name = "FILE", requires = "interval", conflicts_with = "logs")]
    index: Option<PathBuf>,
    /// Print text for people, or JSON for programs. JSON has one object per line.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    #[arg(default_value_if("json", "true", "json"), conflicts_with = "json")]
    format: Format,
    /// Print JSON. Short for --format json.
    #[arg(id = "json", long = "json", conflicts_with = "format")]
    _json: bool,
    /// Print one number for each callback, equal for equal paths. Numbers can be compared within a
    /// build. Of k callbacks of at most n blocks, two different paths share a number with a
    /// probability below k² · n ÷ 2⁶².
    #[arg(long, conflicts_with_all = ["interval", "last"])]
    path_ids: bool,
    #[command(flatten)]
    text: Text,
    #[command(flatten)]
    shown: Shown,
    /// Callbacks that run in an interval, such as 12.3s..15s or ..500ms. Also what is missing in
    /// it. 2026-11-21T09:12:44.. is on the wall clock; -2s.. before the end needs --index. A
    /// callback without an end in the log runs to the log's end if it is the last of its thread,
    /// and counts only where it begins otherwise.
    #[arg(long, value_name = "A..B", help_heading = filters::HEADING, allow_hyphen_values = true)]
    interval: Option<Span>,
    /// The last N callbacks of each thread. The other filters come first.
    #[arg(long, value_name = "N", help_heading = filters::HEADING)]
    last: Option<usize>,
    #[command(flatten)]
    jobs: Jobs,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let logs = LogFiles::find(&args.logs)?;
    let mut maps = match &args.index {
        Some(index) => {
            vec![inputs::map_of_build(&args.map, index, inputs::build_of_index(index)?)?]
        }
        None => inputs::maps_of(&args.map, &[&logs])?,
    };
    inputs::retrace_maps(&mut maps, args.mapping.as_deref())?;
    let (counting, maps): (Vec<FoundMap>, Vec<FoundMap>) =
        maps.into_iter().partition(|found| found.map.recording == Recording::Paths);
    if matches!(args.format, Format::Text) {
        out.page()?;
    }
    if !counting.is_empty() {
        check_hits(args)?;
        return print_hits(args, &counting, &maps, &logs, out);
    }
    if args.path_ids && !args.shown.only_threads() {
        return Err(Usage("of the filters, --path-ids takes --thread alone").into());
    }
    if args.path_ids && maps.len() > 1 {
        return Err(inputs::several(&maps).into());
    }
    let sources = inputs::read_sources(&args.text.sources)?;
    let programs: Vec<Program<'_>> = maps.iter().map(|found| Program::new(&found.map)).collect();
    // Wrong times and names are reported before anything is read.
    check_names(&args.shown.filter(Some(0))?, &maps)?;
    let mut threads = Threads::new(&args.shown.thread);
    let filter_at = |start_ms, interval| -> Result<Filter> {
        Ok(Filter { last: args.last, interval, ..args.shown.filter(Some(start_ms))? })
    };
    let options = args.text.options(sources.as_ref());
    let names_build = maps.len() > 1;
    let mut printing =
        Printing { args, options, names_build, cores: args.jobs.cores(), has_calls: false };
    let mut damage = Damage::NONE;
    if let (Some(path), Some(span), [program]) = (&args.index, args.interval, &programs[..]) {
        let named = |e| format!("{}: {e}", path.display());
        let mut index = match SessionIndex::open(path, program.map.build) {
            // These name the file themselves.
            Err(e @ IndexError::Tree(timetree::Error::File { .. })) => return Err(e.into()),
            opened => opened.map_err(named)?,
        };
        let progress = Progress::unless_printed("decoding");
        for number in 0..index.count() {
            progress.at(format_args!("decoding process {} of {}", number + 1, index.count()));
            let (start_ms, end) = index.times(number);
            let interval = span.of(start_ms, Some(end))?;
            let filter = filter_at(start_ms, Some(interval))?;
            let process = match index.process(number, &filter, interval) {
                Err(IndexError::Input(e)) => return Err(e.into()),
                process => process.map_err(named)?,
            };
            threads.see(&process);
            damage += Damage::of_process(&process);
            damage += printing.process(program, number + 1, &process, &filter, out)?;
        }
    } else {
        let mut logs = Logs::of_builds(&maps, logs.files())?;
        let all = logs.len();
        let progress = Progress::unless_printed("decoding");
        let mut headed = None;
        while let Some((build, process)) = logs.next_with_map()? {
            let number = all - logs.len();
            progress.at_part(number - 1, all, format_args!("decoding process {number} of {all}"));
            if names_build && headed.replace(build) != Some(build) {
                printing.heading(&maps[build], out)?;
            }
            let interval = args.interval.map(|span| span.of(process.start_ms, None)).transpose()?;
            let filter = filter_at(process.start_ms, interval)?;
            threads.see(&process);
            damage += printing.process(&programs[build], number, &process, &filter, out)?;
        }
        damage += logs.damage();
    }
    // The warnings stand below the paths.
    out.flush()?;
    threads.check()?;
    if !printing.has_calls && (args.shown.is_given() || args.interval.is_some()) {
        note(nothing_shown(args));
    }
    if let Some(missing) = sources.and_then(|s| s.missing()) {
        note(missing);
    }
    Ok(damage)
}

/// Fails if a class or method of a filter is in none of the builds.
fn check_names(filter: &Filter, maps: &[FoundMap]) -> Result {
    let mut unmatched = None;
    for found in maps {
        match filter.unmatched(&found.map) {
            None => return Ok(()),
            Some(of_build) => {
                if unmatched.is_none() || of_build.others_match {
                    unmatched = Some(of_build);
                }
            }
        }
    }
    unmatched::check(unmatched)
}

/// Describes filters that no callback of the logs passes.
fn nothing_shown(args: &Args) -> String {
    let Shown { class, method, .. } = &args.shown;
    let names: Vec<&str> = class.iter().chain(method).map(String::as_str).collect();
    match &names[..] {
        [] => "no callback of these logs passes the filters".into(),
        names => format!(
            "nothing to print: the build has {}, but no call of it in these logs passes the \
             filters",
            names.join(", ")
        ),
    }
}

/// Fails for options that counts of selected paths cannot follow.
fn check_hits(args: &Args) -> Result {
    if args.interval.is_some() {
        return Err(Usage("hit files have no times: --interval is for logs").into());
    }
    if args.last.is_some() || args.shown.is_given() {
        return Err(Usage("filters are for logs: counts of selected paths have none").into());
    }
    Ok(())
}

/// Prints the counts of builds with `--profile paths`, build by build.
fn print_hits(
    args: &Args,
    counting: &[FoundMap],
    others: &[FoundMap],
    logs: &LogFiles,
    out: &mut Printer,
) -> Result<Damage> {
    let is_json = matches!(args.format, Format::Json);
    if let ([found], []) = (counting, others) {
        return print_counts(found, logs.files(), is_json, out);
    }
    if let [found, ..] = others {
        return Err(format!(
            "{} is of a build that writes logs, {} of one that counts selected paths: decode the \
             logs of each by themselves",
            found.path.display(),
            counting[0].path.display()
        )
        .into());
    }
    let mut damage = Damage::NONE;
    for found in counting {
        if !is_json {
            show!(out, "{}", build_heading(found))?;
        }
        let files = logs.of_build(found.map.build)?;
        damage += print_counts(found, &files, is_json, out)?;
    }
    Ok(damage)
}

/// Prints the counts of a build, as a table or as JSON.
fn print_counts(
    found: &FoundMap,
    files: &[LogFile],
    is_json: bool,
    out: &mut Printer,
) -> Result<Damage> {
    let (counted, damage) = inputs::hits::path_counts(&found.map, files)?;
    match is_json {
        true => out.json(&counted)?,
        false => counted.write(out.raw())?,
    }
    Ok(damage)
}

/// Returns the heading of a build's logs where there are several builds.
fn build_heading(found: &FoundMap) -> String {
    let package = match found.map.package.as_str() {
        "" => String::new(),
        package => format!(" of {package}"),
    };
    format!("##### build {}{package}, map {}", found.map.build, found.path.display())
}

/// Prints processes.
struct Printing<'a> {
    args: &'a Args,
    options: TextOptions<'a>,
    /// True if there are several builds.
    names_build: bool,
    cores: Cores,
    /// True if a call passed the filters.
    has_calls: bool,
}

impl Printing<'_> {
    /// Prints the heading of a build. JSON names the build in the line of each process.
    fn heading(&self, found: &FoundMap, out: &mut Printer) -> Result {
        if matches!(self.args.format, Format::Text) {
            show!(out, "{}", build_heading(found))?;
        }
        Ok(())
    }

    /// Prints a process. Returns the number of its records that could not be decoded.
    fn process(
        &mut self,
        program: &Program<'_>,
        number: usize,
        process: &Process,
        filter: &Filter,
        out: &mut Printer,
    ) -> Result<Damage> {
        let (out, cores) = (out.raw(), &self.cores);
        let is_json = matches!(self.args.format, Format::Json);
        let printed = match is_json {
            _ if self.args.path_ids => {
                let json = is_json.then_some(number);
                write_path_ids(out, program, json, process, filter, cores)?
            }
            true => {
                let number = (number, self.names_build);
                write_json(out, program, number, process, filter, cores)?
            }
            false => write_text(out, program, process, filter, self.options, cores)?,
        };
        self.has_calls |= printed.has_calls;
        Ok(Damage::records(printed.faulty))
    }
}
