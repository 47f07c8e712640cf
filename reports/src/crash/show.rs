//! A crash as text for people.

use std::fmt::Write as _;
use std::io::{self, Write};

use decoder::log::wall_clock;
use decoder::replay::Ended;
use decoder::uncaught::ExceptionOutcome;
use model::map::SourceMethod;

use super::join::Fit;
use super::path::{CallbackStep, PathEnd};
use super::report::{CrashMoment, Decided, EndedProcess, Report, ShownFrame};
use super::stack::StackKind;
use crate::base::escape::visible;
use crate::base::exit::exit_words;
use crate::base::fold::{Foldable, FoldedPart, Folder};
use crate::base::method_names::{self, MethodNotation, package};
use crate::base::names;
use crate::base::sources::Sources;

/// Maximum number of possible lines of a frame to name.
const MAX_LINES: usize = 4;
/// Maximum number of other alternatives of a branch to name.
const MAX_OTHERS: usize = 3;
/// Width at which source text is cut, in characters.
const SOURCE_WIDTH: usize = 80;
/// Maximum number of frames to write from the innermost, and from the outermost on.
const MAX_FRAMES: usize = 50;

impl Report<'_, '_> {
    /// Writes the report as text: quality of the join, frames, causes, callbacks that led to the
    /// crash, and the last branches with the alternatives taken. `sources` adds the text of lines;
    /// `causes` has whole lines.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write_text(
        &self,
        mut out: impl Write,
        sources: Option<&Sources>,
        causes: &str,
    ) -> io::Result<()> {
        let mut put = |text: &str| writeln!(out, "{}", visible(text));
        if self.asked {
            put(&self.verdict())?;
            self.thrown().map_or(Ok(()), |thrown| put(&thrown))?;
        }
        let Some(found) = &self.found else {
            if !self.asked {
                put("no crash in these logs: no thread ended by an exception that left the app")?;
                self.kept().map_or(Ok(()), |kept| put(&kept))?;
                for ended in &self.exits {
                    let EndedProcess { pid, process, exit } = ended;
                    put(&format!("{process} (pid {pid}) ended: {}", exit_words(exit)))?;
                }
            }
            return Ok(());
        };
        for line in self.place(found) {
            put(&line)?;
        }
        put("")?;
        put("frames, innermost first")?;
        let frames = self.shown_frames(found);
        let (head, tail) = (MAX_FRAMES, frames.len().saturating_sub(MAX_FRAMES).max(MAX_FRAMES));
        for frame in frames.iter().take(head) {
            put(&self.frame(frame, sources))?;
        }
        if tail > head {
            put(&format!("  … {} more …", tail - head))?;
        }
        for frame in frames.iter().skip(tail) {
            put(&self.frame(frame, sources))?;
        }
        if !causes.is_empty() {
            put("")?;
            causes.lines().try_for_each(&mut put)?;
        }
        put("")?;
        self.steps(found, &mut put)?;
        put("")?;
        self.branches(found, sources, &mut put)
    }

    /// Returns the exception, as in the stack trace.
    fn thrown(&self) -> Option<String> {
        let t = self.throwable().filter(|t| !t.class.is_empty())?;
        let message = t.message.as_ref().map_or(String::new(), |m| format!(": {m}"));
        Some(format!("{}{message}", t.class))
    }

    /// Returns a note on exceptions that look like a crash and are none.
    fn kept(&self) -> Option<String> {
        (self.kept > 0).then(|| {
            format!(
                "the last exception of {} was kept by the code that had called the app, as by the \
                 future of a pool",
                count(self.kept as usize, "thread")
            )
        })
    }

    fn verdict(&self) -> String {
        let Some((_, join)) = self.found.as_ref().and_then(|f| f.join) else {
            return self.nothing();
        };
        let of = join.of;
        let mut text = match join.fit {
            Fit::Exact => format!("joined exactly: {} of the app", count(of, "frame")),
            Fit::Lines => format!(
                "joined partially: all {} of the app, but {} at another line",
                count(of, "frame"),
                count(join.other_lines, "frame")
            ),
            Fit::Partial if join.fits == of => format!(
                "joined partially: all {} of the stack trace, of {} of the path",
                count(of, "frame"),
                join.active
            ),
            Fit::Partial | Fit::None => {
                format!("joined partially: {} of {} of the app", join.fits, count(of, "frame"))
            }
        };
        if join.throwable > 0 {
            text += &format!(" (those of cause {})", join.throwable);
        }
        if self.equals > 1 {
            text += &format!("; {} places in the logs fit as well, this is the last", self.equals);
        }
        if self.stacks > 1 {
            text += &format!("; best of {}", count(self.stacks, "stack trace"));
        }
        text
    }

    fn nothing(&self) -> String {
        if self.frames == 0 {
            return "not joined: no frame of the stack trace is a recorded method of this build"
                .into();
        }
        let moment = self.stack.as_ref().is_some_and(|s| s.kind == StackKind::Moment);
        let where_to = if moment {
            "at the end of any thread"
        } else {
            "where an exception left the app, or at the end of a thread"
        };
        format!(
            "not joined: none of {} of the app was active {where_to}",
            count(self.frames, "frame")
        )
    }

    /// Returns process, thread, callback and end of the path.
    fn place(&self, found: &CrashMoment) -> Vec<String> {
        let CrashMoment { process, pid, number, moment, .. } = found;
        let name = found.thread.as_deref().unwrap_or("?");
        let (day, time) = wall_clock(found.clock());
        let mut lines = vec![format!("in {process} (pid {pid}), thread {number} \"{name}\"")];
        lines.extend(found.exit.as_ref().map(|exit| format!("ended: {}", exit_words(exit))));
        let how = match moment.end {
            PathEnd::Left => "an exception leaves the app's code",
            PathEnd::Log(Ended::Clean | Ended::Unknown) => "the log ends",
            PathEnd::Log(Ended::Stopped) => "the app stopped recording",
            PathEnd::Log(Ended::Cut) => "the log ends in the middle",
        };
        lines
            .push(format!("{how} in callback #{}, which began {day} {time} UTC", moment.callbacks));
        if moment.end == PathEnd::Left && !moment.is_last() {
            lines.push(match moment.after {
                0 => "the callback went on: code outside the app caught the exception".into(),
                n => format!("{} followed in this thread", count(n as usize, "callback")),
            });
        }
        if found.outcome == Some(ExceptionOutcome::Open) {
            lines.push(
                "perhaps no crash: other threads began callbacks afterwards, so the thread may be \
                 of a pool that kept the exception"
                    .into(),
            );
        }
        if !self.asked && self.equals > 1 {
            lines.push(format!("{} threads end so; this is the last one", self.equals));
        }
        if moment.unproven {
            lines.push("no check has proven the last callback: its record was not closed".into());
        }
        for method in &moment.doubtful {
            let m = self.program.map.methods[method.0 as usize - 1].source();
            let name = self.method(&m, true);
            lines.push(format!("doubtful: {name} may have ended earlier, see `decode`"));
        }
        lines
    }

    fn method(&self, method: &SourceMethod, package: bool) -> String {
        method_names::method(self.program.map, method, MethodNotation::Short, package).0
    }

    fn frame(&self, frame: &ShownFrame, sources: Option<&Sources>) -> String {
        let map = self.program.map;
        let mark = if frame.inlined { "⤷ " } else { "" };
        let mut text = format!("  {mark}{}", self.method(&frame.method, true));
        let file = frame.method.file.map_or("", |f| map.name(f));
        let lines: Vec<String> = frame.lines.iter().take(MAX_LINES).map(u32::to_string).collect();
        let more = if frame.lines.len() > MAX_LINES { " …" } else { "" };
        match (file.is_empty(), lines.is_empty()) {
            (false, false) => {
                let _ = write!(text, "  ({file}:{}{more})", lines.join(" or "));
            }
            (false, true) => {
                let _ = write!(text, "  ({file})");
            }
            (true, false) => {
                let _ = write!(text, "  (line {}{more})", lines.join(" or "));
            }
            (true, true) => {}
        }
        if let [line] = frame.lines[..] {
            text += &self.source(sources, &frame.method, line);
        }
        text
    }

    /// Returns the text of a line, if a source has it.
    fn source(&self, sources: Option<&Sources>, method: &SourceMethod, line: u32) -> String {
        let map = self.program.map;
        let text = sources.zip(method.file).and_then(|(sources, file)| {
            let file = sources.file(package(map.name(method.class)), map.name(file))?;
            file.line(line).map(str::to_owned)
        });
        let Some(text) = text.filter(|t| !t.is_empty()) else { return String::new() };
        let cut = text.char_indices().nth(SOURCE_WIDTH).map_or(text.len(), |(at, _)| at);
        format!("   {}{}", &text[..cut], if cut < text.len() { "…" } else { "" })
    }

    fn steps(
        &self,
        found: &CrashMoment,
        put: &mut impl FnMut(&str) -> io::Result<()>,
    ) -> io::Result<()> {
        let moment = &found.moment;
        put(&format!(
            "steps to reproduce: {} of this thread",
            count(moment.callbacks as usize, "callback")
        ))?;
        let first = moment.steps.front().map_or(1, |s| s.number);
        if first > 1 {
            put(&format!("  … {} before …", first - 1))?;
        }
        for step in &moment.steps {
            let CallbackStep { method, number, times, from_ms, to_ms, origins } = *step;
            let m = self.program.map.methods[method.0 as usize - 1].source();
            let origins = names::origins(self.program.map, origins.into_iter().flatten());
            let name = match (self.method(&m, true), origins.is_empty()) {
                (name, true) => name,
                (name, false) => names::with_origins(&name, &origins),
            };
            let at = |ms: u64| format!("{}.{:03} s", ms / 1000, ms % 1000);
            put(&match times {
                1 => format!("  #{number} [{}] {name}", at(from_ms)),
                n => format!("  #{number} [{} to {}] {name} × {n}", at(from_ms), at(to_ms)),
            })?;
        }
        Ok(())
    }

    fn branches(
        &self,
        found: &CrashMoment,
        sources: Option<&Sources>,
        put: &mut impl FnMut(&str) -> io::Result<()>,
    ) -> io::Result<()> {
        let branches = &found.moment.branches;
        let model = self.has_model();
        let note = if model {
            "and how unusual the build's model finds that"
        } else {
            "the build has no model, all ways were equally likely"
        };
        put(&format!("last {}: line → way taken; {note}", count(branches.len(), "branch")))?;
        let decided: Vec<Decided> = branches.iter().filter_map(|b| self.decided(*b)).collect();
        for group in decided.chunk_by(|a, b| a.around() == b.around()) {
            let (callback, method) = group[0].around();
            put(&format!("  #{callback} {}", self.method(&method, false)))?;
            let mut folder = Folder::default();
            for (at, decided) in group.iter().enumerate() {
                let taken = BranchItem { at, key: decided.key() };
                match decided.branch.times {
                    1 => folder.push(taken),
                    times => folder.push_times(vec![FoldedPart::One(taken)], times),
                }
            }
            let row = |taken: &BranchItem| self.branch(&group[taken.at], model, sources);
            for line in rows(&folder.take(), 2, &row) {
                put(&line)?;
            }
        }
        Ok(())
    }

    fn branch(&self, decided: &Decided, model: bool, sources: Option<&Sources>) -> String {
        let Decided { branch, from, ways, chance } = decided;
        let line = |at: &super::report::CrashPosition| {
            let line = at.line.map_or_else(|| format!("@{:x}", at.pc), |l| l.to_string());
            match at.method == from.method {
                true => line,
                false => format!("{} {line}", self.method(&at.method, false)),
            }
        };
        let taken = ways.get(branch.alternative).map_or_else(|| "?".into(), line);
        let others = ways.iter().enumerate().filter(|(i, _)| *i != branch.alternative);
        let mut others: Vec<String> = others.map(|(_, w)| line(w)).collect();
        others.dedup();
        others.retain(|o| *o != taken);
        let number = if others.is_empty() {
            format!(" (way {} of {})", branch.alternative + 1, ways.len())
        } else {
            String::new()
        };
        let mut text = format!("{} → {taken}{number}", line(from));
        if !others.is_empty() {
            let more = if others.len() > MAX_OTHERS { " …" } else { "" };
            others.truncate(MAX_OTHERS);
            let _ = write!(text, ", not {}{more}", others.join(", "));
        }
        if let Some(chance) = chance.filter(|_| model) {
            let _ = write!(text, "; {:.1} bits", chance.bits());
            if chance.once_in() > 1 {
                let _ = write!(text, ", once in {}", chance.once_in());
            }
        }
        text + &from.line.map_or(String::new(), |l| self.source(sources, &from.method, l))
    }
}

fn count(number: usize, what: &str) -> String {
    let end = if what.ends_with('h') { "es" } else { "s" };
    format!("{number} {what}{}", if number == 1 { "" } else { end })
}

/// A branch in a folded list.
#[derive(Debug, Clone)]
struct BranchItem {
    /// Index in the list.
    at: usize,
    key: u64,
}

impl PartialEq for BranchItem {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for BranchItem {}

impl Foldable for BranchItem {
    fn key(&self) -> u64 {
        self.key
    }

    fn weight(&self) -> usize {
        1
    }
}

/// Returns a folded list, line by line.
fn rows(
    parts: &[FoldedPart<BranchItem>],
    depth: usize,
    row: &impl Fn(&BranchItem) -> String,
) -> Vec<String> {
    let indent = "  ".repeat(depth.min(20));
    let mut lines = Vec::new();
    for part in parts {
        match part {
            FoldedPart::One(taken) => lines.push(format!("{indent}{}", row(taken))),
            FoldedPart::Times(body, times) => match &**body {
                [FoldedPart::One(taken)] => lines.push(format!("{indent}{times} × {}", row(taken))),
                body => {
                    lines.push(format!("{indent}{times} times:"));
                    lines.extend(rows(body, depth + 1, row));
                }
            },
        }
    }
    lines
}
