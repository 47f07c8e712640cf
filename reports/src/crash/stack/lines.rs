//! Stack traces in text, line by line.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

use super::elements::{
    MAX_FRAMES, MAX_STACKS, Stack, StackElement, StackError, StackKind, Throwable, ThrowableRole,
    throwable,
};
use super::frame;
use super::logcat::{self, LineWriter};
use super::segments::{self, LineSegment};

/// Maximum number of writers of a log whose stack traces are read at the same time; beyond it, the
/// open stack traces are ended.
const MAX_WRITERS: usize = 1 << 10;
/// Maximum number of lines of a message: later frames belong to another exception.
const MAX_MESSAGE_LINES: usize = 100;
/// Maximum number of nested causes.
const MAX_THROWABLES: usize = 1 << 8;

/// Returns all stack traces of a text.
///
/// # Errors
/// Too many stack traces.
pub(super) fn read(text: &str) -> Result<Vec<Stack>, StackError> {
    let mut reader = StackReader::default();
    for line in text.lines() {
        reader.line(line)?;
    }
    reader.finish()
}

/// A hash of the names of a line's writer: lines of several writers may alternate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
struct WriterId(u64);

/// Origin of a text whose lines do not name their writer, such as a value in JSON.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TextOrigin<'t> {
    pub writer: LineWriter<'t>,
    pub process: Option<&'t str>,
    /// Key of the value.
    pub key: &'t str,
}

/// Reads stack traces line by line.
#[derive(Default)]
pub(super) struct StackReader {
    /// Stack traces that have not ended, by writer.
    open: HashMap<WriterId, Builder>,
    /// Writer of the last line that names one: lines that do not continue it are its own.
    last: WriterId,
    hasher: RandomState,
    /// Number of the line, from 1.
    number: usize,
    done: Vec<Stack>,
    frames: usize,
}

impl StackReader {
    /// Reads a text of this origin. A text of several lines is complete; a single line may continue
    /// in the next text.
    pub fn text(&mut self, origin: TextOrigin<'_>, text: &str) -> Result<(), StackError> {
        let TextOrigin { writer, process, key } = origin;
        let id = WriterId(self.hasher.hash_one((writer, key)));
        let builder = self.builder(id);
        if let Some(process) = process {
            builder.process = Some(process.to_owned());
        }
        builder.pid = writer.pid.parse().ok().or(builder.pid);
        for line in text.lines() {
            self.last = id;
            self.line(line)?;
        }
        if text.trim_end().contains('\n') {
            self.builder(id).apart = true;
        }
        Ok(())
    }

    /// Reads the next line.
    pub fn line(&mut self, line: &str) -> Result<(), StackError> {
        self.number += 1;
        let message = match logcat::split(plain(line)) {
            Some((writer, message)) => {
                self.last = WriterId(self.hasher.hash_one((writer, "")));
                let builder = self.builder(self.last);
                if builder.pid.is_none() {
                    builder.pid = writer.pid.parse().ok();
                }
                message
            }
            None => plain(line),
        };
        match segments::unescaped(message) {
            Some(text) => text.lines().try_for_each(|line| self.message(line)),
            None => self.message(message),
        }
    }

    /// Reads a line without its writer.
    fn message(&mut self, message: &str) -> Result<(), StackError> {
        let (number, last) = (self.number, self.last);
        segments::split(message, |piece| {
            let builder = self.builder(last);
            let added = builder.line(number, piece);
            let ended = builder.take();
            self.frames += added;
            self.done.extend(ended);
            if self.frames > MAX_FRAMES || self.done.len() > MAX_STACKS {
                return Err(StackError::TooMany);
            }
            Ok(())
        })
    }

    /// Returns the number of the next line.
    pub fn next_number(&self) -> usize {
        self.number + 1
    }

    fn builder(&mut self, id: WriterId) -> &mut Builder {
        if self.open.len() >= MAX_WRITERS && !self.open.contains_key(&id) {
            for (_, builder) in self.open.drain() {
                self.done.extend(builder.finish());
            }
        }
        self.open.entry(id).or_default()
    }

    /// Ends the text.
    pub fn finish(mut self) -> Result<Vec<Stack>, StackError> {
        self.done.extend(self.open.into_values().flat_map(Builder::finish));
        if self.done.len() > MAX_STACKS {
            return Err(StackError::TooMany);
        }
        self.done.sort_by_key(|s| s.line);
        Ok(self.done)
    }
}

/// Returns the line without the colours of `logcat -v color` at its beginning and end.
fn plain(line: &str) -> &str {
    let line = match line.strip_prefix("\u{1b}[") {
        Some(rest) => rest.split_once('m').map_or(rest, |(_, rest)| rest),
        None => line,
    };
    line.strip_suffix("\u{1b}[0m").unwrap_or(line)
}

/// The stack traces of one writer.
#[derive(Default)]
struct Builder {
    stack: Option<Stack>,
    ended: Option<Stack>,
    /// For each throwable: the indent of its heading, its enclosing one, and the frames in common.
    shape: Vec<CauseShape>,
    /// A line that may be the heading of the frames that follow: its number, class and message.
    heading: Option<(usize, String, Option<String>)>,
    /// Thread that the text named for the frames that follow.
    thread: Option<String>,
    kind: Option<StackKind>,
    process: Option<String>,
    pid: Option<u32>,
    /// True if the last line did not belong to the stack trace: later frames belong to another one.
    apart: bool,
    /// True if there are too many causes: the frames of further ones are left out.
    full: bool,
    /// True if all frames of the last throwable stood at the beginning of a line: they may be lines
    /// of its message.
    unsure: bool,
    /// True after `FATAL EXCEPTION`: the next line that may be a heading is the heading.
    fatal: bool,
}

#[derive(Clone, Copy)]
struct CauseShape {
    indent: usize,
    enclosing: usize,
}

impl Builder {
    /// Reads a line. Returns the number of frames that it added.
    fn line(&mut self, number: usize, piece: LineSegment<'_>) -> usize {
        let text = piece.text.trim();
        let indent = piece.text.len() - piece.text.trim_start().len();
        if text.is_empty() {
            return 0;
        }
        if let Some(element) = frame::java(text) {
            return self.frame(number, element, StackKind::Exception, piece.is_indented);
        }
        if text.starts_with('#') {
            return match frame::native(text) {
                Some(element) => self.frame(number, element, StackKind::Moment, true),
                // A native function in between.
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
            self.nested(indent, ThrowableRole::Cause, rest);
        } else if let Some(rest) = text.strip_prefix("Suppressed: ") {
            self.nested(indent, ThrowableRole::Suppressed, rest);
        } else if text.starts_with("----- pid ") || !is_inside(text) {
            self.other(number, text);
        }
        0
    }

    /// Reads a line that is not a frame, or the beginning of a stack trace.
    fn other(&mut self, number: usize, text: &str) {
        self.apart = true;
        if let Some((_, name)) = text.split_once("FATAL EXCEPTION") {
            self.end();
            (self.heading, self.kind) = (None, Some(StackKind::Exception));
            (self.unsure, self.fatal) = (false, true);
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
            self.begin(number, StackKind::Moment, Some(name.trim().to_owned()));
            self.set_process(process.split_once(" <<<").map(|p| p.0), pid.parse().ok());
        } else if let Some(name) = thread_of_dump(text) {
            self.begin(number, StackKind::Moment, Some(name.to_owned()));
        } else if let Some((name, rest)) =
            text.strip_prefix("Exception in thread \"").and_then(|r| r.split_once("\" "))
        {
            self.end();
            (self.thread, self.kind) = (Some(name.to_owned()), Some(StackKind::Exception));
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

    /// Records a line that may be the first of an exception.
    fn heading(&mut self, number: usize, text: &str) {
        if self.fatal && (self.heading.is_some() || self.unsure) {
            // A line of the message.
            return;
        }
        let words = ["Fatal Exception: ", "Non-fatal Exception: ", "Exception "];
        let rest = words.iter().find_map(|w| text.strip_prefix(w)).unwrap_or(text);
        if let Some((class, message)) = throwable(rest) {
            self.heading = Some((number, class, message));
        } else if let Some(name) = text.strip_suffix(':').filter(|_| self.stack.is_some()) {
            // Crashlytics: the other threads, after the one that crashed.
            self.heading = None;
            (self.thread, self.kind) = (Some(name.to_owned()), Some(StackKind::Moment));
        }
    }

    fn frame(
        &mut self,
        number: usize,
        element: StackElement,
        kind: StackKind,
        is_indented: bool,
    ) -> usize {
        if is_indented && self.heading.is_none() && self.is_message(number) {
            // The lines before were the message.
            if let Some(throwable) = self.stack.as_mut().and_then(|s| s.throwables.last_mut()) {
                throwable.frames.clear();
            }
            self.apart = false;
        }
        if self.apart || self.stack.is_none() {
            // A message may have several lines, and a tombstone has much text before its frames.
            let last = self.stack.as_ref().and_then(|s| s.throwables.last());
            if last.is_none_or(|t| !t.frames.is_empty()) {
                let (kind, thread) = (self.kind.unwrap_or(kind), self.thread.take());
                self.keep_heading(number);
                self.begin(number, kind, thread);
            }
            self.apart = false;
        }
        let Some(stack) = self.stack.as_mut().filter(|_| !self.full) else { return 0 };
        let Some(throwable) = stack.throwables.last_mut() else { return 0 };
        self.unsure = !is_indented && (self.unsure || throwable.frames.is_empty());
        self.fatal &= self.unsure;
        throwable.frames.push(element);
        1
    }

    /// Returns true if the frames of the last throwable may be lines of its message.
    fn is_message(&self, number: usize) -> bool {
        let is_near = |s: &Stack| number - s.line <= MAX_MESSAGE_LINES;
        self.unsure && self.stack.as_ref().is_some_and(is_near)
    }

    /// Keeps the heading for frames at the beginning of lines that other text interrupts: the first
    /// ones may be lines of the message of the exception to which the last ones belong. So both get
    /// its heading.
    fn keep_heading(&mut self, number: usize) {
        if self.heading.is_none()
            && self.is_message(number)
            && let Some(Stack { throwables, kind: StackKind::Exception, .. }) = &self.stack
            && let [Throwable { class, message, .. }] = &throwables[..]
            && !class.is_empty()
        {
            self.heading = Some((number, class.clone(), message.clone()));
        }
    }

    /// Adds `... 11 more`: the last frames of the enclosing throwable. Frames that are already
    /// present are those that only this throwable has.
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

    /// Adds the last frame `count` more times.
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

    /// Begins a cause, or a suppressed exception.
    fn nested(&mut self, indent: usize, role: ThrowableRole, rest: &str) {
        let rest = rest.trim_start_matches(':').trim_start();
        let (class, message) = throwable(rest).unwrap_or_default();
        let Some(stack) = &mut self.stack else { return };
        if stack.throwables.len() >= MAX_THROWABLES {
            self.full = true;
            return;
        }
        // A deeper indent belongs to a suppressed exception.
        let around = |(at, shape): &(usize, &CauseShape)| {
            *at == 0
                || shape.indent < indent
                || (role == ThrowableRole::Cause && shape.indent == indent)
        };
        let enclosing = self.shape.iter().enumerate().rev().find(around).map_or(0, |(at, _)| at);
        let inherited = stack.throwables.get(enclosing).map_or(ThrowableRole::Thrown, |t| t.role);
        let role = if inherited == ThrowableRole::Suppressed { inherited } else { role };
        self.unsure = false;
        self.shape.push(CauseShape { indent, enclosing });
        stack.throwables.push(Throwable { class, message, role, frames: Vec::new() });
        self.apart = false;
    }

    fn begin(&mut self, number: usize, kind: StackKind, thread: Option<String>) {
        self.end();
        (self.thread, self.kind, self.full, self.unsure) = (None, None, false, false);
        let heading = self.heading.take();
        let line = heading.as_ref().map_or(number, |h| h.0);
        let (class, message) = heading.map(|h| (h.1, h.2)).unwrap_or_default();
        let first = Throwable { class, message, role: ThrowableRole::Thrown, frames: Vec::new() };
        self.shape = vec![CauseShape { indent: 0, enclosing: 0 }];
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

    /// Returns the stack trace that has ended.
    fn take(&mut self) -> Option<Stack> {
        self.ended.take()
    }

    fn finish(mut self) -> Option<Stack> {
        self.end();
        self.ended
    }
}

/// Parses the number in `... 11 more` and `... 11 common frames omitted`.
fn common(text: &str) -> Option<usize> {
    let (count, rest) = text.strip_prefix("... ")?.split_once(' ')?;
    (rest.starts_with("more") || rest.starts_with("common")).then(|| count.parse().ok()).flatten()
}

/// Parses the number of frames that ART left out at `... repeated 3 times`. ART prints three equal
/// frames and counts the others from 0 (`StackDumpVisitor` in `runtime/thread.cc`).
fn repeated(text: &str) -> Option<usize> {
    let count = text.strip_prefix("... repeated ")?.strip_suffix(" times")?;
    count.parse::<usize>().ok()?.checked_add(1)
}

/// Returns true for lines among the frames of a thread: locks, states, native frames.
fn is_inside(text: &str) -> bool {
    text.starts_with(['|', '-', '['])
        || text.starts_with("...")
        || text.starts_with("native: ")
        || text.starts_with("kernel: ")
        || text == "(no managed stack frames)"
}

/// Parses the name in `"main" prio=5 tid=1 Runnable` and `main (runnable):tid=1 systid=2159`.
fn thread_of_dump(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('"') {
        let (name, rest) = rest.rsplit_once('"')?;
        return (rest.contains("prio=") || rest.contains("tid=")).then_some(name);
    }
    let (name, rest) = text.rsplit_once(" (")?;
    rest.contains("):tid=").then_some(name)
}
