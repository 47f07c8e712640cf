//! What a stack trace is made of.

use thiserror::Error;

/// Most bytes of a file with stack traces: a bug report fits, and memory stays bounded.
pub const MAX_BYTES: u64 = 64 << 20;
/// Frames of all stack traces of a file.
pub(super) const MAX_FRAMES: usize = 1 << 18;
/// Stack traces of a file.
pub(super) const MAX_STACKS: usize = 1 << 12;
/// Values of an event in JSON that are kept at a time.
pub(super) const MAX_VALUES: usize = 1 << 18;
/// Characters of a message that are kept.
pub(super) const MAX_MESSAGE: usize = 1 << 14;
/// Longer names are none: Java's class files have shorter ones.
pub(super) const MAX_NAME: usize = 1 << 16;

/// Why a text holds no stack trace.
#[derive(Debug, Error)]
pub enum StackError {
    /// Nothing in it is a frame.
    #[error("no Java stack trace in it (no line as \"at com.example.Main.run(Main.java:12)\")")]
    None,
    /// More bytes than [`MAX_BYTES`].
    #[error("more than {MAX_BYTES} bytes: cut out the part with the stack trace")]
    TooLarge,
    /// An event with more values than are kept.
    #[error("more than {MAX_VALUES} values in one JSON event: cut out the stack trace")]
    TooLargeJson,
    /// More stack traces or frames than are read.
    #[error("more than {MAX_STACKS} stack traces or {MAX_FRAMES} frames: cut out the one you mean")]
    TooMany,
}

/// What a stack trace is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An exception.
    Exception,
    /// A thread, as it was at a moment: an ANR, a thread dump, a crash in native code.
    Moment,
}

/// A line of a stack trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Element {
    /// Dotted name.
    pub class: String,
    /// Without parameters.
    pub method: String,
    /// `Main.java`, `SourceFile`, `Unknown Source`, `Native Method`.
    pub file: Option<String>,
    /// From 1.
    pub line: Option<u32>,
    /// Whether Retrace names it as another possibility than the line before.
    pub or: bool,
}

/// How a throwable hangs together with the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is the one that was thrown.
    Thrown,
    /// A cause.
    Cause,
    /// Suppressed, or the cause of one that was.
    Suppressed,
}

/// An exception and its frames; of a thread dump, the frames alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Throwable {
    /// Dotted class; empty if the text does not name it.
    pub class: String,
    /// Its first line.
    pub message: Option<String>,
    /// How it hangs together with the one before.
    pub role: Role,
    /// All frames, innermost first, also those that the text shortens to `... 11 more`.
    pub frames: Vec<Element>,
}

/// A stack trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stack {
    /// What it is of.
    pub kind: Kind,
    /// Name of the thread.
    pub thread: Option<String>,
    /// Name of the process.
    pub process: Option<String>,
    /// Id of the process.
    pub pid: Option<u32>,
    /// Where it begins: line of the text, from 1.
    pub line: usize,
    /// The exception and its causes; at least one.
    pub throwables: Vec<Throwable>,
}

/// Class and message of an exception's first line.
pub(super) fn throwable(text: &str) -> Option<(String, Option<String>)> {
    let (class, message) = match text.split_once(':') {
        Some((class, message)) => (class, Some(message.trim())),
        None => (text, None),
    };
    let class = class.trim();
    if class.len() > MAX_NAME {
        return None;
    }
    let (package, simple) = class.rsplit_once('.')?;
    let odd = |c: char| c.is_whitespace() || matches!(c, '"' | '(' | '/' | '=' | ',' | '@');
    if class.contains(odd) || package.is_empty() || simple.is_empty() {
        return None;
    }
    let message = message.filter(|m| !m.is_empty());
    let message = message.map(|m| m.chars().take(MAX_MESSAGE).collect());
    Some((class.to_owned(), message))
}
