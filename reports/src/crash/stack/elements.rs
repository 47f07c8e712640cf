//! Elements of a stack trace.

use thiserror::Error;

/// Maximum size of a file with stack traces in bytes: a bug report fits, and memory stays bounded.
pub const MAX_BYTES: u64 = 64 << 20;
/// Maximum number of frames of all stack traces of a file.
pub(super) const MAX_FRAMES: usize = 1 << 18;
/// Maximum number of stack traces of a file.
pub(super) const MAX_STACKS: usize = 1 << 12;
/// Maximum number of values of a JSON event kept at a time.
pub(super) const MAX_VALUES: usize = 1 << 18;
/// Maximum number of characters kept of a message.
pub(super) const MAX_MESSAGE: usize = 1 << 14;
/// Maximum length of a name: names in Java's class files are not longer.
pub(super) const MAX_NAME: usize = 1 << 16;

/// Reason why no stack trace was read.
#[derive(Debug, Error)]
pub enum StackError {
    /// No line is a frame.
    #[error("no Java stack trace in it (no line as \"at com.example.Main.run(Main.java:12)\")")]
    None,
    /// More bytes than [`MAX_BYTES`].
    #[error("more than {MAX_BYTES} bytes: cut out the part with the stack trace")]
    TooLarge,
    /// An event with more values than `MAX_VALUES`.
    #[error("more than {MAX_VALUES} values in one JSON event: cut out the stack trace")]
    TooLargeJson,
    /// More stack traces or frames than the limits.
    #[error("more than {MAX_STACKS} stack traces or {MAX_FRAMES} frames: cut out the one you mean")]
    TooMany,
}

/// Subject of a stack trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StackKind {
    /// An exception.
    Exception,
    /// A thread at some moment: an ANR, a thread dump, a crash in native code.
    Moment,
}

/// A line of a stack trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StackElement {
    /// Dotted name.
    pub class: String,
    /// Name without parameters.
    pub method: String,
    /// `Main.java`, `SourceFile`, `Unknown Source`, `Native Method`.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// True if Retrace names it as an alternative to the line before.
    pub or: bool,
}

/// Relation of a throwable to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThrowableRole {
    /// The thrown exception.
    Thrown,
    /// A cause.
    Cause,
    /// Suppressed, or the cause of a suppressed one.
    Suppressed,
}

/// An exception and its frames; of a thread dump, the frames alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Throwable {
    /// Dotted class; empty if the text does not name it.
    pub class: String,
    /// The first line of its message.
    pub message: Option<String>,
    /// Its relation to the one before it.
    pub role: ThrowableRole,
    /// All frames, innermost first, also those that the text shortens to `... 11 more`.
    pub frames: Vec<StackElement>,
}

/// A stack trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stack {
    /// Its subject.
    pub kind: StackKind,
    /// Name of the thread.
    pub thread: Option<String>,
    /// Name of the process.
    pub process: Option<String>,
    /// Id of the process.
    pub pid: Option<u32>,
    /// Line of the text at which it begins, from 1.
    pub line: usize,
    /// The exception and its causes; at least one.
    pub throwables: Vec<Throwable>,
}

/// Returns class and message of an exception's first line.
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
