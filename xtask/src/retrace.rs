//! R8's Retrace judges how a mapping is read: both retrace the same stack traces, which name every
//! range of the mapping.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::compilers::r8;
use crate::error::{Error, PathContext, Result};
use crate::files::scratch;
use crate::fixtures::session::fixture_apk;
use crate::process::output;
use crate::workspace::Workspace;

/// An exception that no mapping names.
const PLAIN: &str = "pathlight.oracle.Plain";
/// Differences that are shown.
const SHOWN: usize = 20;

/// Compares the frames of every range of these mappings.
///
/// # Errors
/// Fails if more than `allowed` of 1,000 stack traces differ.
pub fn run(here: &Workspace, mappings: &[PathBuf], allowed: f64) -> Result<()> {
    let (mut all, mut differ) = (0, 0);
    for mapping in mappings {
        let text = fs::read_to_string(mapping).at(mapping)?;
        let questions = questions(&text);
        let mut wrong = compare(here, mapping, &questions.with_lines)?;
        let mut asked = answers(&questions.with_lines).len();
        // Retrace fails as a whole when it meets some merged methods without a line.
        match compare(here, mapping, &questions.without_lines) {
            Ok(more) => {
                wrong += more;
                asked += answers(&questions.without_lines).len();
            }
            Err(Error::Failed { status, .. }) if status.contains("NullPointerException") => {
                println!("left out: stack traces without lines: Retrace fails: {}", first(&status));
            }
            Err(e) => return Err(e),
        }
        let ranges = questions.ranges;
        let name = mapping.display();
        println!("{name}: {ranges} ranges, {asked} stack traces, {wrong} differ");
        (all, differ) = (all + asked, differ + wrong);
    }
    println!("{} passed, {differ} failed", all - differ);
    match differ as f64 * 1000.0 <= allowed * all as f64 {
        true if all > 0 => Ok(()),
        true => Err(Error::Wrong("no range was compared".into())),
        false => Err(Error::Wrong(format!("{differ} of {all} stack traces differ"))),
    }
}

fn first(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Number of these stack traces that are retraced otherwise than by Retrace.
fn compare(here: &Workspace, mapping: &Path, trace: &str) -> Result<usize> {
    let work = scratch()?;
    let file = work.path().join("trace.txt");
    fs::write(&file, trace).at(&file)?;
    let mut retrace = r8(here, "retrace.Retrace")?;
    let theirs = output(retrace.arg("--verbose").arg(mapping).arg(&file))?;
    let reader = here.development_example("retrace")?;
    let ours = output(Command::new(reader).arg(mapping).arg(&file))?;
    let (asked, theirs, ours) = (answers(trace), answers(&theirs), answers(&ours));
    if theirs.len() != asked.len() || ours.len() != asked.len() {
        let what = format!("{}: not every stack trace came back", mapping.display());
        return Err(Error::Wrong(what));
    }
    let differs: Vec<usize> = (0..asked.len()).filter(|&i| theirs[i] != ours[i]).collect();
    // Where R8 has put a frame of its own around code that calls outlines, Retrace hides that code
    // with it, and so shows nothing of a frame that was there.
    let (hidden, wrong): (Vec<usize>, Vec<usize>) = differs
        .into_iter()
        .partition(|&i| theirs[i].frames.len() == 1 && asked[i].frames.len() == 3);
    if !hidden.is_empty() {
        println!("left out: Retrace shows no frame at all for {} calls of outlines", hidden.len());
    }
    // Of a frame without a line every method that R8 merged may be meant. Retrace leaves out some
    // that have no signature of their own in the mapping.
    let (merged, wrong): (Vec<usize>, Vec<usize>) = wrong.into_iter().partition(|&i| {
        let names_no_line = asked[i].frames.iter().skip(1).all(|frame| !frame.contains(':'));
        let are_among_ours = theirs[i].frames.iter().all(|frame| ours[i].frames.contains(frame));
        names_no_line && theirs[i].frames.len() > 1 && are_among_ours
    });
    if !merged.is_empty() {
        println!("left out: Retrace names fewer merged methods of {} frames", merged.len());
    }
    for &i in wrong.iter().take(SHOWN) {
        let [asked, theirs, ours] = [&asked, &theirs, &ours].map(|a| &a[i].frames);
        println!("DIFFERS {asked:?}\n  Retrace {theirs:?}\n  here    {ours:?}");
    }
    Ok(wrong.len())
}

/// Stack traces of an exception and one or two frames each.
struct Questions {
    with_lines: String,
    without_lines: String,
    ranges: usize,
}

/// Asks for the first, the last and a middle line of every range, the line after it, and for no
/// line; also under the exceptions that the mapping names. An outline is asked for with its
/// callers: lines that stand for its lines are in no stack trace.
fn questions(mapping: &str) -> Questions {
    let mut thrown = BTreeSet::from([PLAIN.to_owned()]);
    for part in mapping.split("throws(L").skip(1) {
        thrown.extend(part.split_once(";)").map(|(class, _)| class.replace('/', ".")));
    }
    let mut frames: BTreeSet<Vec<String>> = BTreeSet::new();
    let (mut class, mut last, mut ranges) = (String::new(), String::new(), BTreeSet::new());
    let mut virtual_lines = BTreeSet::new();
    for line in mapping.lines() {
        if let Some(call) = line.split_once("outlineCallsite").map(|c| c.1) {
            frames.extend(outline(call, &last));
            let method = last.split('(').next().unwrap_or_default();
            let lines = pairs(call).map(|(_, line)| format!("{method}(SourceFile:{line})"));
            virtual_lines.extend(lines.map(|frame| vec![frame]));
        }
        let Some((left, right)) = line.split_once(" -> ") else { continue };
        if !line.starts_with(' ') {
            class = right.trim_end_matches(':').to_owned();
            continue;
        }
        if !left.contains('(') {
            continue;
        }
        let frame = |line: &str| vec![format!("{class}.{right}(SourceFile{line})")];
        frames.insert(frame(""));
        let mut numbers = left.trim().splitn(3, ':').map(str::parse::<u64>);
        if let (Some(Ok(from)), Some(Ok(to))) = (numbers.next(), numbers.next()) {
            ranges.insert((class.clone(), right.to_owned(), from, to));
            for line in [from, to, from + to.saturating_sub(from) / 2, to + 1] {
                frames.insert(frame(&format!(":{line}")));
            }
            last = frame(&format!(":{from}")).remove(0);
        } else {
            frames.insert(frame(":7"));
        }
    }
    frames.retain(|f| !virtual_lines.contains(f));
    let (mut with_lines, mut without_lines) = (String::new(), String::new());
    for (i, (thrown, frames)) in
        thrown.iter().flat_map(|t| frames.iter().map(move |f| (t, f))).enumerate()
    {
        let has_line = frames.iter().all(|f| f.contains("(SourceFile:"));
        let trace = if has_line { &mut with_lines } else { &mut without_lines };
        let _ = writeln!(trace, "{thrown}: {i}");
        frames.iter().for_each(|f| _ = writeln!(trace, "\tat {f}"));
    }
    Questions { with_lines, without_lines, ranges: ranges.len() }
}

/// The lines of an outline, each below its caller.
fn outline(call: &str, caller: &str) -> Vec<Vec<String>> {
    let Some((_, outline)) = call.split_once("\"outline\":\"L") else { return Vec::new() };
    let Some((class, rest)) = outline.split_once(';') else { return Vec::new() };
    let name = rest.trim_start_matches("->").split('(').next().unwrap_or_default();
    let frame = |line| format!("{}.{name}(SourceFile:{line})", class.replace('/', "."));
    pairs(call).map(|(line, _)| vec![frame(line), caller.to_owned()]).collect()
}

/// Lines of an outline and of its caller.
fn pairs(call: &str) -> impl Iterator<Item = (&str, &str)> {
    let positions = call.split_once("\"positions\":{").and_then(|c| c.1.split_once('}'));
    let pairs = positions.map_or("", |p| p.0).split(',');
    pairs.filter_map(|p| Some((p.split('"').nth(1)?, p.split(':').nth(1)?)))
}

/// The frames below one exception, and true if they are choices, whose order has no meaning.
#[derive(Debug)]
struct RetracedTrace {
    frames: Vec<String>,
    choices: bool,
}

impl PartialEq for RetracedTrace {
    fn eq(&self, other: &RetracedTrace) -> bool {
        let sorted =
            |answer: &RetracedTrace| answer.frames.iter().cloned().collect::<BTreeSet<_>>();
        match self.choices || other.choices {
            true => sorted(self) == sorted(other),
            false => self.frames == other.frames,
        }
    }
}

fn answers(printed: &str) -> Vec<RetracedTrace> {
    let mut out: Vec<RetracedTrace> = Vec::new();
    for line in printed.lines() {
        let text = line.trim_start();
        let frame = text.strip_prefix("<OR> ").unwrap_or(text);
        match (frame.strip_prefix("at "), out.last_mut()) {
            (Some(frame), Some(answer)) => {
                answer.frames.push(frame.to_owned());
                answer.choices |= text.starts_with("<OR>");
            }
            _ => out.push(RetracedTrace { frames: vec![text.to_owned()], choices: false }),
        }
    }
    out
}

/// The mappings that are compared without arguments: those of the fixtures that R8 made.
pub fn fixtures(here: &Workspace) -> Vec<PathBuf> {
    let mapping = |build| here.path(fixture_apk(build)).with_extension("mapping.txt");
    ["notes", "tether-r8", "kernels-r8"].map(mapping).into()
}
