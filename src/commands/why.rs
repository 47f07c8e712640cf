//! `pathlight why`.

use std::path::{Path, PathBuf};

use decoder::Damage;
use decoder::log::{Process, ThreadLog};
use decoder::replay::Program;
use decoder::session::decode_thread_on;
use model::map::Map;
use reports::crash::StackKind;
use reports::{Sources, Unmatched};
use why::{
    AppCode, Criterion, ExceptionList, Explanation, History, LineRuns, Sought, ThreadName, Thrown,
};

use super::causes::{Causes, app_code, thread_name, thrown_in_app};
use super::{Result, Usage};
use crate::args::jobs::Jobs;
use crate::args::unmatched::{self, Threads};
use crate::inputs::{self, LogFiles, Logs, read_mapping, read_sources, read_stacks, retrace};
use crate::outputs::print::{Printer, note, show};
use crate::outputs::progress::Progress;

/// Explain an exception or a line: where its values came from, which branches led there.
///
/// Walks the recorded path backwards. Each step ran. A step marked as a candidate may have nothing
/// to do with the one before: logs have no addresses of objects.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight why --apk app.apk logs
  pathlight why --apk app.apk logs --stack crash.txt --sources app/src/main/java
  pathlight why --apk app.apk logs --at Network.java:45
  pathlight why --apk app.apk logs --thread main --exception 2 --json
  pathlight why --apk app.apk logs --list --class IOException
  pathlight why logs --list --at MainActivity.java:251
  pathlight why --apk app.apk logs --list --json")]
pub struct Args {
    /// Trace files, logcat text in any -v format, folders and archives of them, and - for standard
    /// input.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// The app as it was before `instrument`; repeatable for a split app.
    #[arg(long, required_unless_present = "list", value_name = "APK")]
    apk: Vec<PathBuf>,
    /// Map of the build, or a folder of maps, written by `instrument`. Default: the map of the
    /// logs' build that lies beside them or in the current folder.
    #[arg(long, value_name = "FILE|DIR")]
    map: Vec<PathBuf>,
    /// File with the stack trace of the exception: its class and line determine the instruction
    /// that threw; - for standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "at")]
    stack: Option<PathBuf>,
    /// R8's mapping.txt of the build, to retrace the stack trace.
    #[arg(long, value_name = "FILE", requires = "stack")]
    mapping: Option<PathBuf>,
    /// Explain the N-th exception of the thread. Default: the last one that left the app's code.
    #[arg(long, value_name = "N", conflicts_with = "at", requires = "thread")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    exception: Option<u64>,
    /// Explain why this line ran the last time.
    #[arg(long, value_name = "FILE:LINE", value_parser = source_line)]
    at: Option<(String, u32)>,
    /// Look only at the thread with this name or number.
    #[arg(long, value_name = "NAME")]
    thread: Option<String>,
    /// List exceptions instead of causes: number, callback, where each was thrown, its class, where
    /// it was caught. With --at: the callbacks in which the line ran. What is not certain is marked
    /// as a candidate. Without --apk no class is known.
    #[arg(long, conflicts_with_all = ["exception", "stack", "most"])]
    list: bool,
    /// List exceptions of this class, and those that a handler of this class caught. GLOB matches
    /// the dotted name if it has a dot, else the simple name, also without its outer class; *
    /// stands for any text.
    #[arg(long, value_name = "GLOB", hide_short_help = true, conflicts_with = "at")]
    #[arg(requires_all = ["list", "apk"])]
    class: Option<String>,
    /// List the last N exceptions or callbacks of each thread.
    #[arg(long, value_name = "N", hide_short_help = true, default_value_t = 1000)]
    #[arg(requires = "list", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    last: u32,
    /// Print at most N steps.
    #[arg(long = "most", value_name = "N", default_value_t = 12)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    most: u16,
    /// Folder of source files, whose lines are printed; repeatable.
    #[arg(long, value_name = "DIR")]
    sources: Vec<PathBuf>,
    /// Print JSON; with --list a line for each process, thread and entry.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    jobs: Jobs,
}

/// An explanation, and when its event was.
struct Answer {
    /// True if the exception left the app's code as the last event of its thread.
    is_crash: bool,
    /// Wall clock of the event in ms since 1970.
    clock_ms: u64,
    thread: u32,
    explanation: Explanation,
    sought: Sought,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let stdin = Path::new("-");
    if args.stack.as_deref() == Some(stdin) && args.logs.iter().any(|log| log == stdin) {
        return Err(Usage("standard input cannot be both a log and the stack trace").into());
    }
    let files = LogFiles::find(&args.logs)?;
    let inputs::FoundMap { path: map_path, map } = inputs::map_of(&args.map, &[&files])?;
    let sources = read_sources(&args.sources)?;
    let criterion = criterion(args, &map)?;
    let program = Program::new(&map);
    if let Criterion::Line { file, line } = &criterion {
        check_line(&program, file, *line)?;
    }
    if args.list {
        let code = match &args.apk[..] {
            // A line needs no code.
            apks if !apks.is_empty() && args.at.is_none() => Some(app_code(&map, &map_path, apks)?),
            _ => None,
        };
        return list(args, &files, &program, code.as_ref(), sources.as_ref(), out);
    }
    let code = app_code(&map, &map_path, &args.apk)?;
    let mut threads = Threads::new(args.thread.as_slice());
    let mut logs = Logs::of_build(&map, files.files())?;
    let mut best: Option<Answer> = None;
    let mut faulty = 0;
    let all = logs.len();
    let progress = Progress::new("decoding");
    for (number, process) in (1..).zip(&mut logs) {
        progress.at_part(number - 1, all, format_args!("decoding process {number} of {all}"));
        let process = process?;
        threads.see(&process);
        let question = Question { args, criterion: &criterion, code: &code, program: &program };
        let (answer, damaged) = question.of_process(&process);
        faulty += damaged;
        let rank = |a: &Answer| (a.is_crash, a.explanation.left, a.clock_ms);
        if let Some(answer) = answer.filter(|a| best.as_ref().is_none_or(|b| rank(a) >= rank(b))) {
            best = Some(answer);
        }
    }
    drop(progress);
    threads.check()?;
    let mut damage = Damage::records(faulty);
    damage += logs.damage();
    let Some(answer) = best else {
        let what = match &args.at {
            Some((file, line)) => format!("{file}:{line} did not run"),
            None => "no such exception".to_owned(),
        };
        let logs: Vec<_> = args.logs.iter().map(|log| log.display().to_string()).collect();
        return Err(format!("{}: {what}", logs.join(", ")).into());
    };
    match args.json {
        true => out.json(&answer.explanation)?,
        false => {
            out.page()?;
            answer.explanation.write_text(out.raw(), sources.as_ref())?;
            if answer.explanation.more {
                note("--most N prints more steps");
            }
        }
    }
    if let Some(missing) = sources.and_then(|s| s.missing()) {
        note(missing);
    }
    Ok(damage)
}

/// The question to each process.
struct Question<'a, 'p, 'm> {
    args: &'a Args,
    criterion: &'a Criterion,
    code: &'a AppCode<'m>,
    program: &'p Program<'m>,
}

impl<'p, 'm> Question<'_, 'p, 'm> {
    fn causes(&self) -> Causes<'_, 'p, 'm> {
        let most = usize::from(self.args.most);
        Causes { code: self.code, program: self.program, cores: self.args.jobs.cores(), most }
    }

    /// The best answer of a process, and its records that could not be decoded.
    fn of_process(&self, process: &Process) -> (Option<Answer>, u64) {
        let mut best: Option<Answer> = None;
        let mut faulty = 0;
        for thread in process.threads.iter().filter(|thread| is_asked(self.args, thread)) {
            let (answer, damaged) = self.of_thread(process, thread);
            faulty += damaged;
            let rank = |a: &Answer| (a.is_crash, a.explanation.left, a.clock_ms);
            if let Some(answer) =
                answer.filter(|a| best.as_ref().is_none_or(|b| rank(a) >= rank(b)))
            {
                best = Some(answer);
            }
        }
        if let Some(best) = &mut best {
            let Answer { thread, explanation, sought, .. } = best;
            self.causes().add_other_threads(process, *thread, explanation, sought);
        }
        (best, faulty)
    }

    fn of_thread(&self, process: &Process, thread: &ThreadLog) -> (Option<Answer>, u64) {
        let mut history = History::new(self.program);
        if let Criterion::Line { file, line } = self.criterion {
            history = history.looking_for_line(file, *line);
        }
        let cores = self.args.jobs.cores();
        let faulty = decode_thread_on(&cores, self.program, thread, &mut history).faulty;
        let name = thread_name(thread);
        let most = usize::from(self.args.most);
        let found = why::explain(self.code, &history, &name, self.criterion, most);
        let answer = found.map(|(explanation, sought)| Answer {
            is_crash: explanation.left
                && explanation
                    .exception
                    .is_some_and(|exception| history.ends_with(exception, explanation.callback)),
            clock_ms: process.start_ms.saturating_add(sought.clock_us / 1_000),
            thread: thread.number,
            explanation,
            sought,
        });
        (answer, faulty)
    }
}

/// Returns true if `--thread` names this thread, or is not given.
fn is_asked(args: &Args, thread: &ThreadLog) -> bool {
    args.thread.as_deref().is_none_or(|asked| {
        thread.name.as_deref() == Some(asked) || thread.number.to_string() == asked
    })
}

/// Lists exceptions, or the callbacks in which a line ran.
fn list<'m>(
    args: &Args,
    files: &LogFiles,
    program: &Program<'m>,
    code: Option<&AppCode<'m>>,
    sources: Option<&Sources>,
    out: &mut Printer,
) -> Result<Damage> {
    let most = args.last as usize;
    let mut threads = Threads::new(args.thread.as_slice());
    let mut logs = Logs::of_build(program.map, files.files())?;
    let (mut faulty, mut is_empty, mut is_cut) = (0, true, false);
    let all = logs.len();
    let progress = Progress::unless_printed("decoding");
    if !args.json {
        out.page()?;
    }
    for (number, process) in (1..).zip(&mut logs) {
        progress.at_part(number - 1, all, format_args!("decoding process {number} of {all}"));
        let process = process?;
        threads.see(&process);
        let mut is_named = false;
        for thread in process.threads.iter().filter(|thread| is_asked(args, thread)) {
            let cores = args.jobs.cores();
            let (listing, damaged) = match &args.at {
                Some((file, line)) => {
                    let mut runs = LineRuns::new(program, file, *line, most);
                    let totals = decode_thread_on(&cores, program, thread, &mut runs);
                    (runs.into_listing(), totals.faulty)
                }
                None => {
                    let class = args.class.as_deref();
                    let mut list = ExceptionList::new(program, code, class, most);
                    let totals = decode_thread_on(&cores, program, thread, &mut list);
                    (list.into_listing(), totals.faulty)
                }
            };
            faulty += damaged;
            if listing.is_empty() {
                continue;
            }
            let is_first = !std::mem::replace(&mut is_named, true);
            let name = thread_name(thread);
            if args.json {
                if is_first {
                    show!(out, "{}", process_line(&process))?;
                }
                let thread = ThreadName { number: thread.number, name: &name };
                listing.write_json(&thread, out.raw())?;
            } else {
                if is_first {
                    show!(out, "{}", reports::process_heading(&process))?;
                }
                show!(out, "=== thread {} \"{name}\"", thread.number)?;
                listing.write_text(out.raw(), sources)?;
            }
            is_empty = false;
            is_cut |= listing.is_cut();
        }
    }
    drop(progress);
    // The notes stand below the lists.
    out.flush()?;
    threads.check()?;
    let mut damage = Damage::records(faulty);
    damage += logs.damage();
    if is_empty {
        note(match (&args.at, &args.class) {
            (Some((file, line)), _) => format!("{file}:{line} did not run in these logs"),
            (None, Some(class)) => format!("no exception of class {class} is in these logs"),
            (None, None) => "no exception is in these logs".to_owned(),
        });
    }
    if is_cut {
        note("--last N lists more");
    }
    if let Some(missing) = sources.and_then(Sources::missing) {
        note(missing);
    }
    Ok(damage)
}

/// The head of a process in a list as JSON lines.
fn process_line(process: &Process) -> serde_json::Value {
    serde_json::json!({
        "v": 1,
        "e": "process",
        "p": process.pid,
        "process": process.name,
        "start_ms": process.start_ms,
        "logs": process.sources,
    })
}

/// Refuses a line that the build has no code of.
fn check_line(program: &Program<'_>, file: &str, line: u32) -> Result {
    let files = why::source_files(program.map).into_iter().map(str::to_owned);
    unmatched::check(Unmatched::first("source file", &[file.to_owned()], files, |a, b| a == b))?;
    match why::has_code(program, file, line) {
        true => Ok(()),
        false => Err(format!("--at: {file}:{line} has no code in this build").into()),
    }
}

/// The event that the options ask for.
fn criterion(args: &Args, map: &Map) -> Result<Criterion> {
    if let Some((file, line)) = &args.at {
        return Ok(Criterion::Line { file: file.clone(), line: *line });
    }
    let mut thrown = Thrown::default();
    if let Some(path) = &args.stack {
        let mut stacks = read_stacks(path)?;
        if let Some(path) = &args.mapping {
            stacks = retrace(stacks, &read_mapping(path)?, path);
        }
        let stack = stacks.iter().rev().find(|s| s.kind == StackKind::Exception);
        let Some(stack) = stack else {
            return Err(format!("{}: no stack trace of an exception", path.display()).into());
        };
        thrown = thrown_in_app(map, stack);
    }
    Ok(Criterion::Exception { number: args.exception, thrown })
}

/// `Network.java:45`.
fn source_line(text: &str) -> std::result::Result<(String, u32), String> {
    let parts = text.rsplit_once(':').filter(|(file, _)| !file.is_empty());
    let parsed = parts.and_then(|(file, line)| Some((file.to_owned(), line.parse().ok()?)));
    parsed
        .filter(|(_, line)| *line > 0)
        .ok_or_else(|| "expected a line as in Network.java:45".into())
}
