//! Stack traces in text, line by line.

use std::collections::HashMap;

use super::elements::{
    Element, Kind, MAX_FRAMES, MAX_LINE, MAX_STACKS, Role, Stack, StackError, Throwable,
};
use super::frame;
use super::logcat::{self, Writer};

/// Writers of a log whose stack traces are read at the same time; beyond, those that have begun are
/// ended.
const MAX_WRITERS: usize = 1 << 10;
/// Causes of causes.
const MAX_THROWABLES: usize = 1 << 8;

/// All stack traces of a text.
///
/// # Errors
/// Too many.
pub(super) fn read(text: &str) -> Result<Vec<Stack>, StackError> {
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(text.lines()) {
        reader.line(number, line)?;
    }
    reader.finish()
}

#[derive(Default)]
struct Reader<'t> {
    /// Stack traces that have not ended, by who writes them.
    open: HashMap<Writer<'t>, Builder>,
    /// Who wrote the last line that says so: lines that do not continue it.
    last: Writer<'t>,
    done: Vec<Stack>,
    frames: usize,
}

impl<'t> Reader<'t> {
    fn line(&mut self, number: usize, line: &'t str) -> Result<(), StackError> {
        if line.len() > MAX_LINE {
            return Ok(());
        }
        let message = match logcat::split(plain(line)) {
            Some((writer, message)) => {
                self.last = writer;
                message
            }
            None => plain(line),
        };
        if self.open.len() >= MAX_WRITERS && !self.open.contains_key(&self.last) {
            for (_, builder) in self.open.drain() {
                self.done.extend(builder.finish());
            }
        }
        let builder = self.open.entry(self.last.clone()).or_default();
        if builder.pid.is_none() {
            builder.pid = self.last.pid.parse().ok();
        }
        self.frames += builder.line(number, message);
        self.done.extend(self.open.get_mut(&self.last).and_then(Builder::take));
        if self.frames > MAX_FRAMES || self.done.len() > MAX_STACKS {
            return Err(StackError::TooMany);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Stack>, StackError> {
        self.done.extend(self.open.into_values().flat_map(Builder::finish));
        self.done.sort_by_key(|s| s.line);
        Ok(self.done)
    }
}

/// The line without the colours of `logcat -v color`, at its beginning and end.
fn plain(line: &str) -> &str {
    let line = match line.strip_prefix("\u{1b}[") {
        Some(rest) => rest.split_once('m').map_or(rest, |(_, rest)| rest),
        None => line,
    };
    line.strip_suffix("\u{1b}[0m").unwrap_or(line)
}

/// One writer's stack traces.
#[derive(Default)]
struct Builder {
    stack: Option<Stack>,
    ended: Option<Stack>,
    /// Per throwable: the indent of its heading, its enclosing one, and frames in common with it.
    shape: Vec<Shape>,
    /// A line that may be the heading of the frames that follow: its number, class and message.
    heading: Option<(usize, String, Option<String>)>,
    /// What the text said of the frames that follow.
    thread: Option<String>,
    kind: Option<Kind>,
    process: Option<String>,
    pid: Option<u32>,
    /// The last line was no part of the stack trace: frames that follow are of another one.
    apart: bool,
    /// There are too many causes: the frames of further ones are left out.
    full: bool,
}

#[derive(Clone, Copy)]
struct Shape {
    indent: usize,
    enclosing: usize,
}

impl Builder {
    /// Reads a line. Returns how many frames it added.
    fn line(&mut self, number: usize, line: &str) -> usize {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        if text.is_empty() {
            return 0;
        }
        if let Some(element) = frame::java(text) {
            return self.frame(number, element, Kind::Exception);
        }
        if text.starts_with('#') {
            return match frame::native(text) {
                Some(element) => self.frame(number, element, Kind::Moment),
                // A function of native code, in between.
                None => 0,
            };
        }
        if let Some(count) = common(text) {
            return self.common(count);
        }
        if let Some(count) = repeated(text) {
            return self.repeated(count);
        }
        if let Some(rest) = text.strip_prefix("Caused by") {
            self.nested(indent, Role::Cause, rest);
        } else if let Some(rest) = text.strip_prefix("Suppressed: ") {
            self.nested(indent, Role::Suppressed, rest);
        } else if text.starts_with("----- pid ") || !is_inside(text) {
            self.other(number, text);
        }
        0
    }

    /// A line that is no part of a stack trace, or the beginning of one.
    fn other(&mut self, number: usize, text: &str) {
        self.apart = true;
        if let Some((_, name)) = text.split_once("FATAL EXCEPTION") {
            self.end();
            (self.heading, self.kind) = (None, Some(Kind::Exception));
            self.thread = name.split_once(": ").map(|(_, name)| name.to_owned());
        } else if let Some(rest) = text.strip_prefix("Process: ") {
            let (name, pid) = rest.split_once(", PID: ").unwrap_or((rest, ""));
            self.process = Some(name.to_owned());
            self.pid = pid.trim().parse().ok().or(self.pid);
        } else if let Some(rest) = text.strip_prefix("Cmd line: ") {
            self.process = Some(rest.to_owned());
        } else if let Some(rest) = text.strip_prefix("----- pid ") {
            self.pid = rest.split_once(' ').and_then(|(pid, _)| pid.parse().ok());
        } else if let Some(rest) = text.strip_prefix("pid: ")
            && let Some((pid, rest)) = rest.split_once(", tid: ")
            && let Some((name, process)) =
                rest.split_once(", name: ").and_then(|(_, r)| r.split_once("  >>> "))
        {
            // A tombstone.
            self.begin(number, Kind::Moment, Some(name.trim().to_owned()));
            self.set_process(process.split_once(" <<<").map(|p| p.0), pid.parse().ok());
        } else if let Some(name) = thread_of_dump(text) {
            self.begin(number, Kind::Moment, Some(name.to_owned()));
        } else if let Some((name, rest)) =
            text.strip_prefix("Exception in thread \"").and_then(|r| r.split_once("\" "))
        {
            self.end();
            (self.thread, self.kind) = (Some(name.to_owned()), Some(Kind::Exception));
            self.heading(number, rest);
        } else {
            self.heading(number, text);
        }
    }

    fn set_process(&mut self, name: Option<&str>, pid: Option<u32>) {
        if let Some(stack) = &mut self.stack {
            stack.process = name.map(str::to_owned);
            stack.pid = pid.or(stack.pid);
        }
    }

    /// Notes what may be the first line of an exception.
    fn heading(&mut self, number: usize, text: &str) {
        let words = ["Fatal Exception: ", "Non-fatal Exception: ", "Exception "];
        let rest = words.iter().find_map(|w| text.strip_prefix(w)).unwrap_or(text);
        if let Some((class, message)) = throwable(rest) {
            self.heading = Some((number, class, message));
        } else if let Some(name) = text.strip_suffix(':').filter(|_| self.stack.is_some()) {
            // Crashlytics: the other threads, behind that which died.
            self.heading = None;
            (self.thread, self.kind) = (Some(name.to_owned()), Some(Kind::Moment));
        }
    }

    fn frame(&mut self, number: usize, element: Element, kind: Kind) -> usize {
        if self.apart || self.stack.is_none() {
            // A message may have several lines, and a tombstone says much before its frames.
            let last = self.stack.as_ref().and_then(|s| s.throwables.last());
            if last.is_none_or(|t| !t.frames.is_empty()) {
                let (kind, thread) = (self.kind.unwrap_or(kind), self.thread.take());
                self.begin(number, kind, thread);
            }
            self.apart = false;
        }
        let Some(stack) = self.stack.as_mut().filter(|_| !self.full) else { return 0 };
        let Some(throwable) = stack.throwables.last_mut() else { return 0 };
        throwable.frames.push(element);
        1
    }

    /// `... 11 more`: as many frames as the enclosing one has last. Those that are there already
    /// are frames that only this one has.
    fn common(&mut self, count: usize) -> usize {
        let (Some(stack), Some(shape)) = (&mut self.stack, self.shape.last()) else { return 0 };
        let last = stack.throwables.len() - 1;
        if self.full || last == 0 || shape.enclosing >= last {
            return 0;
        }
        let enclosing = &stack.throwables[shape.enclosing].frames;
        let shared = enclosing[enclosing.len().saturating_sub(count)..].to_vec();
        let added = shared.len();
        stack.throwables[last].frames.extend(shared);
        added
    }

    /// The last frame, so many times more.
    fn repeated(&mut self, count: usize) -> usize {
        let Some(stack) = self.stack.as_mut().filter(|_| !self.full && !self.apart) else {
            return 0;
        };
        let Some(throwable) = stack.throwables.last_mut() else { return 0 };
        let Some(last) = throwable.frames.last().cloned() else { return 0 };
        let count = count.min(MAX_FRAMES);
        throwable.frames.extend(std::iter::repeat_n(last, count));
        count
    }

    /// A cause, or a suppressed one.
    fn nested(&mut self, indent: usize, role: Role, rest: &str) {
        let rest = rest.trim_start_matches(':').trim_start();
        let (class, message) = throwable(rest).unwrap_or_default();
        let Some(stack) = &mut self.stack else { return };
        if stack.throwables.len() >= MAX_THROWABLES {
            self.full = true;
            return;
        }
        // What is indented deeper belongs to a suppressed one.
        let around = |(at, shape): &(usize, &Shape)| {
            *at == 0 || shape.indent < indent || (role == Role::Cause && shape.indent == indent)
        };
        let enclosing = self.shape.iter().enumerate().rev().find(around).map_or(0, |(at, _)| at);
        let inherited = stack.throwables.get(enclosing).map_or(Role::Thrown, |t| t.role);
        let role = if inherited == Role::Suppressed { inherited } else { role };
        self.shape.push(Shape { indent, enclosing });
        stack.throwables.push(Throwable { class, message, role, frames: Vec::new() });
        self.apart = false;
    }

    fn begin(&mut self, number: usize, kind: Kind, thread: Option<String>) {
        self.end();
        (self.thread, self.kind, self.full) = (None, None, false);
        let heading = self.heading.take();
        let line = heading.as_ref().map_or(number, |h| h.0);
        let (class, message) = heading.map(|h| (h.1, h.2)).unwrap_or_default();
        let first = Throwable { class, message, role: Role::Thrown, frames: Vec::new() };
        self.shape = vec![Shape { indent: 0, enclosing: 0 }];
        let (process, pid) = (self.process.clone(), self.pid);
        let throwables = vec![first];
        self.stack = Some(Stack { kind, thread, process, pid, line, throwables });
    }

    fn end(&mut self) {
        if let Some(stack) = self.stack.take()
            && stack.throwables.iter().any(|t| !t.frames.is_empty())
        {
            self.ended = Some(stack);
        }
    }

    /// A stack trace that has ended.
    fn take(&mut self) -> Option<Stack> {
        self.ended.take()
    }

    fn finish(mut self) -> Option<Stack> {
        self.end();
        self.ended
    }
}

/// The number in `... 11 more` and `... 11 common frames omitted`.
fn common(text: &str) -> Option<usize> {
    let (count, rest) = text.strip_prefix("... ")?.split_once(' ')?;
    (rest.starts_with("more") || rest.starts_with("common")).then(|| count.parse().ok()).flatten()
}

/// How many frames ART left out at `... repeated 3 times`. It prints three frames that are alike,
/// and counts the others from 0 (`StackDumpVisitor` in `runtime/thread.cc`).
fn repeated(text: &str) -> Option<usize> {
    let count = text.strip_prefix("... repeated ")?.strip_suffix(" times")?;
    count.parse::<usize>().ok()?.checked_add(1)
}

/// Lines among the frames of a thread: locks, states, frames of native code.
fn is_inside(text: &str) -> bool {
    text.starts_with(['|', '-', '['])
        || text.starts_with("...")
        || text.starts_with("native: ")
        || text.starts_with("kernel: ")
        || text == "(no managed stack frames)"
}

/// The name in `"main" prio=5 tid=1 Runnable` and `main (runnable):tid=1 systid=2159`.
fn thread_of_dump(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('"') {
        let (name, rest) = rest.rsplit_once('"')?;
        return (rest.contains("prio=") || rest.contains("tid=")).then_some(name);
    }
    let (name, rest) = text.rsplit_once(" (")?;
    rest.contains("):tid=").then_some(name)
}

/// Class and message of an exception's first line.
fn throwable(text: &str) -> Option<(String, Option<String>)> {
    let (class, message) = match text.split_once(':') {
        Some((class, message)) => (class, Some(message.trim())),
        None => (text, None),
    };
    let class = class.trim();
    let (package, simple) = class.rsplit_once('.')?;
    let odd = |c: char| c.is_whitespace() || matches!(c, '"' | '(' | '/' | '=' | ',' | '@');
    if class.contains(odd) || package.is_empty() || simple.is_empty() {
        return None;
    }
    let message = message.filter(|m| !m.is_empty()).map(str::to_owned);
    Some((class.to_owned(), message))
}
