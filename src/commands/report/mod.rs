//! `pathlight report`.

mod coverage;

use std::path::{Path, PathBuf};

use decoder::Damage;
use decoder::crew::Cores;
use decoder::log::ThreadLog;
use decoder::replay::{PathSink, Program};
use decoder::session::{ThreadTotals, decode_thread_on};
use reports::coverage::Session;
use reports::html::{Embedded, Facts, Html, PageOptions};
use reports::profiles::{ProfileRules, RuleOptions};
use reports::traces::{FrameFile, FrameNames, FrameSink, Totals, Traces};
use reports::{Both, Counts, Coverage, Slow};

use self::coverage::{Chosen, chosen_of, origin, remark, session_of};
use super::{Result, Usage};
use crate::args::jobs::Jobs;
use crate::args::report_files::{GROUP, ReportFile, ReportFiles};
use crate::args::{numbers, times};
use crate::inputs::{self, LogFiles, Logs, read_sources, read_stacks};
use crate::outputs::formats::ReportContent;
use crate::outputs::print::{self, Printer, counted, note, show};
use crate::outputs::progress::Progress;
use crate::outputs::{Files, Kind, Writer};

/// Write paths as one HTML page, as files for viewers of traces and flame graphs, and as coverage.
///
/// Their unit is the step: a basic block that ran. Measured are begin and end of top-level
/// callbacks, and the time at each kilobyte of a thread's log; in between, times are interpolated.
/// `--slow` lists callbacks that took long.
#[derive(Clone, clap::Args)]
#[command(group = clap::ArgGroup::new(GROUP).multiple(true), after_long_help = "\
Examples:
  pathlight report --map app.plmap pathlight-*.plt --html out.html --sources app/src/main/java
  pathlight report --map app.plmap pathlight-*.plt --perfetto app.pftrace --speedscope app.json
  pathlight report --map app.plmap pathlight-*.plt --slow 16ms
  pathlight report --map app.plmap pathlight-*.plt --lcov app.info --sources app/src/main/java
  pathlight report --map app.plmap beta.log --cobertura main.xml --include '*.Main*'
  pathlight report --map counts.plmap pathlight-*.plc --lcov app.info
  pathlight report --map app.plmap pathlight-*.plt --baseline-profile baseline-prof.txt
  pathlight report --map app.plmap pathlight-*.plt --startup-profile startup-prof.txt
  pathlight report --map app.plmap beta.log --folded /dev/stdout | flamegraph.pl > app.svg")]
pub struct Args {
    /// Map of the build, or a folder of maps, written by `instrument`; for coverage, those of
    /// several builds of one source. Default: those beside the logs or in the current folder.
    #[arg(long, value_name = "FILE|DIR")]
    map: Vec<PathBuf>,
    /// R8's mapping.txt of the build, if `instrument` got none: names and lines of the source.
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    /// Trace files, logcat text in any -v format, folders and archives of them, and - for standard
    /// input; for coverage also count files.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    #[command(flatten)]
    files: ReportFiles,
    /// Folder of source files; repeatable. The page shows their text, and coverage names them.
    #[arg(long, value_name = "DIR")]
    sources: Vec<PathBuf>,
    /// For the page: classes that are the app's own, which come first; repeatable. The glob matches
    /// dotted names. Default: the package of the manifest.
    #[arg(long, value_name = "GLOB")]
    own: Vec<String>,
    /// For the page: its maximum size, as in 500KB, 20MB. Paths are left out until it fits: old
    /// ones first, those of crashes last. All counts stay.
    #[arg(long, value_name = "SIZE", default_value = "20MB", value_parser = numbers::size)]
    page_size: usize,
    /// For the page: file with stack traces, as for `crash`. Exceptions that they fit get their
    /// type and message.
    #[arg(long, value_name = "FILE")]
    stack: Option<PathBuf>,
    /// For coverage: only files with a class that matches; repeatable. The glob matches dotted
    /// names. One call for each module gives servers files below their limits.
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// For coverage: no files of which all classes match; repeatable. The glob matches dotted
    /// names.
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// For profiles: name what at least this share of the sessions ran.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = numbers::share)]
    min_sessions: f64,
    /// For profiles: startup is the first N ms of a process. Default: all up to the callback of the
    /// main thread that calls the first onResume() of the app.
    #[arg(long, value_name = "MS")]
    startup_ms: Option<u64>,
    /// For profiles: a method is hot if a session calls it so often.
    #[arg(long, value_name = "CALLS", default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    hot_calls: u32,
    /// List callbacks that took at least this long (16ms, 1.5s). The slowest come first, each with
    /// what ran more often in it than in the median callback of the same method.
    #[arg(long, value_name = "TIME", group = GROUP, value_parser = times::duration)]
    slow: Option<u64>,
    #[command(flatten)]
    jobs: Jobs,
}

/// The output if none is named.
const DEFAULT_PAGE: &str = "report.html";

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let page = ReportFiles::of_page(Path::new(DEFAULT_PAGE));
    let ReportFiles(asked) = match args.files.0.is_empty() && args.slow.is_none() {
        true => &page,
        false => &args.files,
    };
    let mut files = Files::default();
    args.map.iter().for_each(|path| files.reads("the map", path));
    args.mapping.iter().for_each(|path| files.reads("the mapping", path));
    let found = LogFiles::find(&args.logs)?;
    args.logs.iter().filter(|log| !log.is_dir()).for_each(|log| files.reads("a log", log));
    found.files().iter().for_each(|log| files.reads("a log", &log.path));
    for file in asked {
        files.writes(file.format.option, &file.path, Kind::Report(file.format.name));
    }
    files.check()?;
    let covers = asked.iter().any(|file| file.format.is_coverage());
    let chosen = Chosen { include: &args.include, exclude: &args.exclude };
    let is_chosen = !chosen.include.is_empty() || !chosen.exclude.is_empty();
    if is_chosen && !covers {
        return Err(Usage("--include and --exclude are for --lcov, --jacoco, --cobertura").into());
    }
    let sources = read_sources(&args.sources)?;
    let (logs, counted) = found.split_counts();
    let mut maps = inputs::maps_of(&args.map, &[&found])?;
    inputs::retrace_maps(&mut maps, args.mapping.as_deref())?;
    if maps.len() > 1 || !counted.is_empty() {
        if args.slow.is_some() {
            return Err(Usage("--slow is for logs of one build").into());
        }
        if counted.is_empty() && !covers {
            return Err(inputs::several(&maps).into());
        }
        let (maps, cores) = (&maps[..], args.jobs.cores());
        let inputs = coverage::Inputs { maps, logs: &logs, counted: &counted, chosen, cores };
        return coverage::write(&inputs, &files, asked, sources.as_ref(), out);
    }
    let inputs::FoundMap { path, map } = maps.remove(0);
    let mut logs = Logs::of_build(&map, &logs)?;
    let program = Program::new(&map);
    let names = FrameNames(&program);
    let staged = files.stage()?;
    let stacks = args.stack.as_deref().map_or(Ok(Vec::new()), read_stacks)?;
    let options = || PageOptions {
        size: args.page_size,
        sessions: logs.len(),
        own: args.own.clone(),
        map: path.display().to_string(),
        stacks: stacks.clone(),
    };
    let mut outputs = Outputs::open(asked, names, staged.writers()?);
    let mut html = outputs.page.is_some().then(|| Html::new(&program, options()));
    // The page counts, too.
    let mut counts = (covers && html.is_none()).then(|| Counts::new(&program));
    let (frames, facts) = html.as_mut().map(Html::sinks).unzip();
    let counted = match (facts, &mut counts) {
        (Some(facts), _) => Counted::Page(facts),
        (None, Some(counts)) => Counted::Coverage(counts),
        (None, None) => Counted::Nothing,
    };
    let mut rules = outputs.have_profile().then(|| {
        let (min_sessions, startup_ms) = (args.min_sessions, args.startup_ms);
        ProfileRules::new(names, RuleOptions { min_sessions, startup_ms, hot: args.hot_calls })
    });
    let mut slow = args.slow.map(|least_us| Slow::new(&program, least_us));
    let pass = Pass {
        program: &program,
        logs: &mut logs,
        cores: args.jobs.cores(),
        counted,
        slow: slow.as_mut(),
    };
    let of_frames = std::mem::take(&mut outputs.frames);
    let (of_frames, passed) = match (of_frames.is_empty(), rules.as_mut()) {
        // The page and coverage alone ask nobody else for each call.
        (true, None) => (of_frames, pass.run(frames)?.1),
        (_, rules) => {
            let sinks = (of_frames, (frames, rules.map(ProfileRules::sink)));
            let ((of_frames, _), passed) = pass.run(sinks)?;
            (of_frames, passed)
        }
    };
    let Passed { totals, sessions, faulty } = passed;
    let mut embedded = Embedded::default();
    if let (Some(html), Some(page)) = (&mut html, &mut outputs.page) {
        embedded = html.write(page, totals, logs.problems(), sources.as_ref())?;
    }
    let counts = html.as_ref().map(Html::counts).or(counts.as_ref()).filter(|_| covers);
    let coverage =
        counts.map(|counts| Coverage::of(&program, counts, origin(sessions, sources.as_ref())));
    let coverage = coverage.map(|coverage| chosen_of(coverage, chosen)).transpose()?;
    let remarks = outputs.remarks(&of_frames, coverage.as_ref(), rules.as_ref())?;
    coverage.iter().for_each(remark);
    if let Some(missing) = sources.and_then(|s| s.missing()) {
        note(missing);
    }
    staged.commit()?;
    if !files.write_to_stdout() {
        print_totals(&totals, out)?;
        for (path, remark) in remarks {
            let remark = remark.map_or(String::new(), |remark| format!(": {remark}"));
            show!(out, "{}{remark}", path.display())?;
        }
        if let Embedded { files: files @ 1.., bytes } = embedded {
            let files = print::counted(files, "file");
            let bytes = print::counted(bytes, "byte");
            show!(out, "the page contains the text of {files} of --sources, {bytes}")?;
        }
        if let Some(slow) = &slow {
            slow.write(out.raw())?;
        }
    }
    let mut damage = Damage::records(faulty);
    damage += logs.damage();
    Ok(damage)
}

/// The files of a report while it is written.
struct Outputs<'a, 'p> {
    asked: &'a [ReportFile],
    /// Files of frames, which are written while paths are decoded.
    frames: Vec<Box<dyn FrameFile + 'p>>,
    page: Option<Writer>,
    /// Files that are written once all is counted.
    counted: Vec<Writer>,
}

impl<'a, 'p> Outputs<'a, 'p> {
    /// Opens the files; `writers` has one for each.
    fn open(
        asked: &'a [ReportFile],
        names: FrameNames<'p, '_>,
        writers: Vec<Writer>,
    ) -> Outputs<'a, 'p> {
        let mut outputs = Outputs { asked, frames: Vec::new(), page: None, counted: Vec::new() };
        for (file, writer) in asked.iter().zip(writers) {
            match file.format.content {
                ReportContent::Frames(new) => outputs.frames.push(new(names, writer)),
                ReportContent::Page => outputs.page = Some(writer),
                ReportContent::Coverage(_) | ReportContent::Profile(_) => {
                    outputs.counted.push(writer)
                }
            }
        }
        outputs
    }

    fn have_profile(&self) -> bool {
        self.asked.iter().any(|file| matches!(file.format.content, ReportContent::Profile(_)))
    }

    /// Writes the files of counts. Returns each file's path with its remark, if there is one.
    fn remarks(
        self,
        frames: &[Box<dyn FrameFile + 'p>],
        coverage: Option<&Coverage<'_>>,
        rules: Option<&ProfileRules<'_, '_>>,
    ) -> Result<Vec<(&'a PathBuf, Option<String>)>> {
        let (mut frames, mut writers) = (frames.iter(), self.counted.into_iter());
        let mut remarks = Vec::new();
        for file in self.asked {
            let remark = match file.format.content {
                ReportContent::Frames(_) => frames.next().and_then(|sink| sink.remark()),
                ReportContent::Page => None,
                ReportContent::Coverage(write) => coverage
                    .zip(writers.next())
                    .map(|(coverage, mut out)| write(coverage, &mut out))
                    .transpose()?,
                ReportContent::Profile(write) => rules
                    .zip(writers.next())
                    .map(|(rules, mut out)| write(rules, &mut out))
                    .transpose()?,
            };
            remarks.push((&file.path, remark));
        }
        Ok(remarks)
    }
}

/// The sink that counts in a pass.
enum Counted<'a, 'p, 'm> {
    Page(&'a mut Facts<'p, 'm>),
    Coverage(&'a mut Counts<'p, 'm>),
    Nothing,
}

/// The inputs of a pass, and its sinks beside those of frames.
struct Pass<'a, 'p, 'm> {
    program: &'p Program<'m>,
    logs: &'a mut Logs,
    cores: Cores,
    counted: Counted<'a, 'p, 'm>,
    slow: Option<&'a mut Slow<'p, 'm>>,
}

/// The results of a pass.
struct Passed {
    totals: Totals,
    sessions: Vec<Session>,
    faulty: u64,
}

impl Pass<'_, '_, '_> {
    /// Decodes all threads, with their frames into this sink, which is returned.
    fn run<S: FrameSink>(self, sink: S) -> Result<(S, Passed)> {
        let Pass { program, logs, cores, mut counted, mut slow } = self;
        let mut traces = Traces::new(program, sink);
        let (mut sessions, mut faulty) = (Vec::new(), 0);
        let all = logs.len();
        let progress = Progress::new("decoding");
        for (number, process) in (1..).zip(logs) {
            let process = process?;
            traces.process(&process);
            sessions.push(session_of(&process));
            if let Counted::Page(facts) = &mut counted {
                facts.process(&process);
            }
            for thread in &process.threads {
                let thread_number = thread.number;
                let text =
                    format_args!("decoding process {number} of {all}, thread {thread_number}");
                progress.at_part(number - 1, all, text);
                traces.thread(&process, thread);
                if let Counted::Page(facts) = &mut counted {
                    facts.thread(&process, thread);
                }
                if let Some(slow) = &mut slow {
                    slow.thread(&process, thread);
                }
                let to = &mut traces;
                let totals = match &mut counted {
                    Counted::Page(facts) => {
                        let totals =
                            decode(&cores, program, thread, &mut Both(to, *facts), &mut slow);
                        facts.thread_ends(totals);
                        totals
                    }
                    Counted::Coverage(counts) => {
                        let totals =
                            decode(&cores, program, thread, &mut Both(to, *counts), &mut slow);
                        counts.thread_ends(&totals);
                        totals
                    }
                    Counted::Nothing => decode(&cores, program, thread, to, &mut slow),
                };
                faulty += totals.faulty;
            }
        }
        drop(progress);
        let (totals, sink) = traces.finish()?;
        Ok((sink, Passed { totals, sessions, faulty }))
    }
}

/// Decodes a thread for a sink, and for the list of slow callbacks if there is one.
fn decode<'m>(
    cores: &Cores,
    program: &Program<'m>,
    thread: &ThreadLog,
    to: &mut impl PathSink,
    slow: &mut Option<&mut Slow<'_, 'm>>,
) -> ThreadTotals {
    match slow {
        None => decode_thread_on(cores, program, thread, to),
        Some(slow) => decode_thread_on(cores, program, thread, &mut Both(to, *slow)),
    }
}

fn print_totals(totals: &Totals, out: &mut Printer) -> Result {
    let Totals { threads, callbacks, calls, inlined, exceptions, steps, doubtful } = totals;
    show!(
        out,
        "{}, {}, {}, {}",
        counted(*threads, "thread"),
        counted(*callbacks, "top-level callback"),
        counted(*calls, "call"),
        counted(*steps, "block")
    )?;
    if *inlined > 0 {
        show!(out, "{} that the compiler inlined", counted(*inlined, "call"))?;
    }
    show!(out, "{} ended by an exception", counted(*exceptions, "call"))?;
    if *doubtful > 0 {
        let doubtful = counted(*doubtful, "call");
        show!(out, "{doubtful} may have ended earlier than shown: `decode` marks them")?;
    }
    Ok(())
}
