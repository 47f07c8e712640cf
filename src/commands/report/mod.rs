//! `pathlight report`.

mod coverage;

use std::path::PathBuf;

use decoder::Damage;
use decoder::crew::Cores;
use decoder::log::ThreadLog;
use decoder::replay::Program;
use decoder::session::{ThreadSink, ThreadTotals, decode_thread_on};
use reports::coverage::Session;
use reports::html::{Embedded, Facts, Html, PageOptions};
use reports::profiles::{ProfileRules, RuleOptions};
use reports::traces::{Folded, FrameNames, FrameSink, Perfetto, Speedscope, Totals, Traces};
use reports::{Both, Counts, Coverage, Slow};

use self::coverage::{Chosen, chosen_of, origin, remark, session_of, summary, write_coverage};
use super::{Result, Usage};
use crate::args::jobs::Jobs;
use crate::args::{numbers, times};
use crate::inputs::{self, LogFiles, Logs, read_sources, read_stacks};
use crate::outputs::print::{Printer, note, show};
use crate::outputs::progress::Progress;
use crate::outputs::{Files, Kind};

/// Write paths as one HTML page, as files for viewers of traces and flame graphs, and as coverage.
///
/// Their unit is the step: a basic block that ran. Measured are begin and end of top-level
/// callbacks, and the time at each kilobyte of a thread's log; in between, times are interpolated.
/// `--slow` lists callbacks that took long.
#[derive(Clone, clap::Args)]
#[command(group = clap::ArgGroup::new("output").multiple(true), after_long_help = "\
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
    /// Write a page that opens from disk. It has a timeline, a flame graph, the call tree, source
    /// lines with hits, exceptions and surprising decisions, and marks what is exact. Without any
    /// output option, the page is report.html.
    #[arg(long, value_name = "FILE", group = "output")]
    html: Option<PathBuf>,
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
    /// Write folded stacks, for flamegraph.pl, inferno and speedscope. A line is `a;b;c N`, where N
    /// is the number of blocks that ran.
    #[arg(long, value_name = "FILE", group = "output")]
    folded: Option<PathBuf>,
    /// Write a profile of each thread for <https://www.speedscope.app>. Its unit is blocks that
    /// ran.
    #[arg(long, value_name = "FILE", group = "output")]
    speedscope: Option<PathBuf>,
    /// Write a trace for <https://ui.perfetto.dev>. It has callbacks with their measured times, and
    /// calls with interpolated times and their errors.
    #[arg(long, value_name = "FILE", group = "output")]
    perfetto: Option<PathBuf>,
    /// Write coverage for genhtml and other readers of lcov. It counts how often lines, branches
    /// and methods ran.
    #[arg(long, value_name = "FILE", group = "output")]
    lcov: Option<PathBuf>,
    /// Write coverage as JaCoCo's XML 1.1, for Sonar, Codecov and others. Its instructions are code
    /// units of the app.
    #[arg(long, value_name = "FILE", group = "output")]
    jacoco: Option<PathBuf>,
    /// Write coverage as Cobertura's XML, for GitLab and Jenkins. Also for diff-cover and others.
    #[arg(long, value_name = "FILE", group = "output")]
    cobertura: Option<PathBuf>,
    /// For coverage: only files with a class that matches; repeatable. The glob matches dotted
    /// names. One call for each module gives servers files below their limits.
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// For coverage: no files of which all classes match; repeatable. The glob matches dotted
    /// names.
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Write methods to compile ahead of time (baseline-prof.txt). It marks methods of startup (S),
    /// after it (P) and hot ones (H), and also names inlined methods of the source.
    #[arg(long, value_name = "FILE", group = "output")]
    baseline_profile: Option<PathBuf>,
    /// Write methods that startup ran, in order (startup-prof.txt). R8 and D8 put them together at
    /// the front.
    #[arg(long, value_name = "FILE", group = "output")]
    startup_profile: Option<PathBuf>,
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
    #[arg(long, value_name = "TIME", group = "output", value_parser = times::duration)]
    slow: Option<u64>,
    #[command(flatten)]
    jobs: Jobs,
}

/// The output if none is named.
const DEFAULT_PAGE: &str = "report.html";

impl Args {
    fn has_output(&self) -> bool {
        let files = [
            &self.html,
            &self.folded,
            &self.speedscope,
            &self.perfetto,
            &self.lcov,
            &self.jacoco,
            &self.cobertura,
            &self.baseline_profile,
            &self.startup_profile,
        ];
        self.slow.is_some() || files.iter().any(|file| file.is_some())
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    if !args.has_output() {
        let page = Args { html: Some(DEFAULT_PAGE.into()), ..args.clone() };
        return run(&page, out);
    }
    let mut files = Files::default();
    args.map.iter().for_each(|path| files.reads("the map", path));
    args.mapping.iter().for_each(|path| files.reads("the mapping", path));
    let found = LogFiles::find(&args.logs)?;
    args.logs.iter().filter(|log| !log.is_dir()).for_each(|log| files.reads("a log", log));
    found.files().iter().for_each(|log| files.reads("a log", &log.path));
    let outputs = [
        ("--folded", &args.folded, Kind::Folded),
        ("--speedscope", &args.speedscope, Kind::Speedscope),
        ("--perfetto", &args.perfetto, Kind::Perfetto),
        ("--html", &args.html, Kind::Html),
        ("--lcov", &args.lcov, Kind::Lcov),
        ("--jacoco", &args.jacoco, Kind::Jacoco),
        ("--cobertura", &args.cobertura, Kind::Cobertura),
        ("--baseline-profile", &args.baseline_profile, Kind::Profile),
        ("--startup-profile", &args.startup_profile, Kind::Profile),
    ];
    let asked: Vec<_> =
        outputs.iter().filter_map(|(o, path, kind)| Some((*o, path.as_ref()?, *kind))).collect();
    for &(option, path, kind) in &asked {
        files.writes(option, path, kind);
    }
    files.check()?;
    let covers = asked.iter().any(|(_, _, kind)| kind.is_coverage());
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
        return coverage::write(&inputs, &files, &asked, sources.as_ref(), out);
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
    let mut html = args.html.as_ref().map(|_| Html::new(&program, options()));
    // The page counts, too.
    let mut counts = (covers && html.is_none()).then(|| Counts::new(&program));
    let (frames, facts) = html.as_mut().map(Html::sinks).unzip();
    let counted = match (facts, &mut counts) {
        (Some(facts), _) => Counted::Page(facts),
        (None, Some(counts)) => Counted::Coverage(counts),
        (None, None) => Counted::Nothing,
    };
    // In the order of `outputs`.
    let mut writers = staged.writers()?.into_iter();
    let folded = args.folded.as_ref().and_then(|_| writers.next()).map(|w| Folded::new(names, w));
    let speedscope =
        args.speedscope.as_ref().and_then(|_| writers.next()).map(|w| Speedscope::new(names, w));
    let perfetto =
        args.perfetto.as_ref().and_then(|_| writers.next()).map(|w| Perfetto::new(names, w));
    // These are written when all is known.
    let page = args.html.as_ref().and_then(|_| writers.next());
    // Coverage and profiles.
    let of_counts = writers;
    let mut rules = asked.iter().any(|(_, _, kind)| *kind == Kind::Profile).then(|| {
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
    let of_rules = rules.as_mut().map(ProfileRules::sink);
    let Passed { totals, sessions, mut remarks, faulty } =
        match (folded, speedscope, perfetto, of_rules) {
            // The page and coverage alone ask nobody else for each call.
            (None, None, None, None) => pass.run(frames)?,
            (folded, speedscope, perfetto, rules) => {
                pass.run(((folded, speedscope), (perfetto, (frames, rules))))?
            }
        };
    let mut embedded = Embedded::default();
    if let (Some(html), Some(mut page)) = (&mut html, page) {
        embedded = html.write(&mut page, totals, logs.problems(), sources.as_ref())?;
    }
    remarks.resize(asked.len(), None);
    let counts = html.as_ref().map(Html::counts).or(counts.as_ref()).filter(|_| covers);
    let coverage =
        counts.map(|counts| Coverage::of(&program, counts, origin(sessions, sources.as_ref())));
    let coverage = coverage.map(|coverage| chosen_of(coverage, chosen)).transpose()?;
    // Those that are written now are the last ones.
    let first = asked.len() - of_counts.len();
    for ((&(option, _, kind), remark), mut out) in
        asked.iter().zip(&mut remarks).skip(first).zip(of_counts)
    {
        *remark = match (&coverage, &rules) {
            (_, Some(rules)) if kind == Kind::Profile => {
                let is_startup = option == "--startup-profile";
                Some(write_rules(rules, is_startup, &mut out)?)
            }
            (Some(coverage), _) => {
                write_coverage(coverage, kind, &mut out)?;
                Some(summary(coverage, kind))
            }
            (None, _) => None,
        };
    }
    coverage.iter().for_each(remark);
    if let Some(missing) = sources.and_then(|s| s.missing()) {
        note(missing);
    }
    staged.commit()?;
    if !files.write_to_stdout() {
        print_totals(&totals, out)?;
        for ((_, path, _), remark) in asked.iter().zip(remarks) {
            show!(out, "{}{}", path.display(), remark.map_or(String::new(), |s| format!(": {s}")))?;
        }
        if let Embedded { files: files @ 1.., bytes } = embedded {
            let files = if files == 1 { "1 file".into() } else { format!("{files} files") };
            show!(out, "the page contains the text of {files} of --sources, {bytes} bytes")?;
        }
        if let Some(slow) = &slow {
            slow.write(out.raw())?;
        }
    }
    let mut damage = Damage::records(faulty);
    damage += logs.damage();
    Ok(damage)
}

/// Writes a profile. Returns a summary.
fn write_rules(
    rules: &ProfileRules<'_, '_>,
    is_startup: bool,
    out: &mut impl std::io::Write,
) -> Result<String> {
    let named = if is_startup { rules.write_startup(out)? } else { rules.write_baseline(out)? };
    let (sessions, started) = rules.sessions();
    if started == 0 && is_startup {
        note("no session calls an onResume() of the app on its main thread: give --startup-ms");
    }
    Ok(format!("{named} methods, from {sessions} sessions, {started} of them with a startup"))
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
    /// A remark for each file.
    remarks: Vec<Option<String>>,
    faulty: u64,
}

impl Pass<'_, '_, '_> {
    /// Decodes all threads, with their frames into this sink.
    fn run(self, sink: impl FrameSink) -> Result<Passed> {
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
        let (totals, remarks) = traces.finish()?;
        Ok(Passed { totals, sessions, remarks, faulty })
    }
}

/// Decodes a thread for a sink, and for the list of slow callbacks if there is one.
fn decode<'m>(
    cores: &Cores,
    program: &Program<'m>,
    thread: &ThreadLog,
    to: &mut impl ThreadSink,
    slow: &mut Option<&mut Slow<'_, 'm>>,
) -> ThreadTotals {
    match slow {
        None => decode_thread_on(cores, program, thread, to),
        Some(slow) => decode_thread_on(cores, program, thread, &mut Both(to, *slow)),
    }
}

fn print_totals(totals: &Totals, out: &mut Printer) -> Result {
    let Totals { threads, callbacks, calls, inlined, exceptions, steps, doubtful } = totals;
    show!(out, "{threads} threads, {callbacks} top-level callbacks, {calls} calls, {steps} steps")?;
    if *inlined > 0 {
        show!(out, "{inlined} calls that the compiler inlined")?;
    }
    show!(out, "{exceptions} calls ended by an exception")?;
    if *doubtful > 0 {
        show!(out, "{doubtful} calls may have ended earlier than shown: `decode` marks them")?;
    }
    Ok(())
}
