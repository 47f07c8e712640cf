//! The answer: a few steps back from the event.

use std::io::{self, Write};

use reports::Sources;
use serde::Serialize;

/// Certainty of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// It ran, and it is what the step before depends on.
    Exact,
    /// It ran; the step before may depend on it.
    Candidate,
}

/// The part that a step plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The instruction that threw, or the line that was asked for.
    Event,
    /// A value comes from here.
    Value,
    /// A field or an array element was set here.
    Set,
    /// Control came here because of this branch.
    Because,
    /// The value comes from code outside the app, or from before the log.
    Outside,
}

impl Role {
    fn words(self) -> &'static str {
        match self {
            Role::Event => "happened at",
            Role::Value => "value from",
            Role::Set => "set at",
            Role::Because => "because",
            Role::Outside => "from outside",
        }
    }
}

/// A place in the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceLocation {
    /// `com.example.Network.up`.
    pub method: String,
    /// Package with slashes, `com/example`.
    #[serde(skip)]
    pub package: String,
    /// Name of the source file, if it is known.
    pub file: Option<String>,
    /// The line, if it is known.
    pub line: Option<u32>,
    /// True if the instruction has no line of its own, as in apps that R8 made: this is that of the
    /// nearest instruction of its block that has one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub near: bool,
}

impl SourceLocation {
    /// `Network.java:42`, or the method where the line is not known.
    pub fn short(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) if self.near => format!("{file}:~{line}"),
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => self.method.clone(),
        }
    }
}

/// An instruction of the app as it was before `instrument`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Address {
    /// `Lcom/example/Network;->up()Z`, by its name in the app.
    pub method: String,
    /// Its address in 16-bit code units.
    pub units: u32,
}

/// One step back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SliceStep {
    /// The part that it plays.
    pub role: Role,
    /// Certainty that the step before depends on it.
    pub certainty: Certainty,
    /// Its place in the source.
    pub at: SourceLocation,
    /// The instruction.
    pub code: Address,
    /// The action of the instruction, in words.
    pub text: String,
    /// Of a branch: how often it goes this way, of 1, under the map's model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// `Lpkg/Cls;->name:type` of the field that it is about.
    #[serde(skip)]
    pub field: Option<String>,
    /// The thread, if it is another one than that of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
}

/// The causes of an event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The event, in words.
    pub title: String,
    /// The thread.
    pub thread: String,
    /// The number of its top-level callback in the thread, from 1.
    pub callback: u64,
    /// Number of the exception in the thread, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exception: Option<u64>,
    /// True if the exception left the app's code.
    #[serde(skip)]
    pub left: bool,
    /// True if no check covers the event: the last record of the log is not closed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unproven: bool,
    /// True if code outside the app may have swallowed an earlier exception of the callback: then
    /// steps after it may belong to other frames.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub doubtful: bool,
    /// Steps, most telling first; the first one is the event.
    pub steps: Vec<SliceStep>,
    /// True if there were more steps than are listed.
    pub more: bool,
}

impl Explanation {
    pub(crate) fn new(title: String, thread: &str, callback: u64) -> Self {
        Explanation {
            title,
            thread: thread.to_string(),
            callback,
            exception: None,
            left: false,
            unproven: false,
            doubtful: false,
            steps: Vec::new(),
            more: false,
        }
    }

    /// Adds writes of fields on other threads, each after the step about the same field, and keeps
    /// `most` steps. A write of this thread is no more than a candidate then.
    pub fn add_other_writes(&mut self, writes: Vec<SliceStep>, most: usize) {
        for write in writes {
            let about = |step: &SliceStep| step.field == write.field && step.thread.is_none();
            let is_end = |step: &&mut SliceStep| matches!(step.role, Role::Set | Role::Outside);
            let at = self.steps.iter().rposition(about).map_or(self.steps.len(), |at| at + 1);
            for step in self.steps.iter_mut().filter(|step| about(step)).filter(is_end) {
                step.certainty = Certainty::Candidate;
            }
            self.steps.insert(at, write);
        }
        self.more |= self.steps.len() > most;
        self.steps.truncate(most);
    }

    /// Writes it as text.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write_text(&self, out: &mut dyn Write, sources: Option<&Sources>) -> io::Result<()> {
        let shown = |text: &str| reports::visible(text).into_owned();
        let (title, thread) = (shown(&self.title), shown(&self.thread));
        write!(out, "{title} in callback {} of thread {thread}", self.callback)?;
        match self.exception {
            Some(number) => writeln!(out, " (exception {number})")?,
            None => writeln!(out)?,
        }
        if self.unproven {
            writeln!(out, "  no check covers it: the last record of the log is not closed")?;
        }
        if self.doubtful {
            writeln!(out, "  code outside the app may have swallowed an exception before it")?;
        }
        let places: Vec<String> = self.steps.iter().map(|s| shown(&s.at.short())).collect();
        let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
        for ((number, step), place) in (1..).zip(&self.steps).zip(&places) {
            let (role, text) = (step.role.words(), shown(&step.text));
            write!(out, "{number:>3}. {role:<12}  {place:<width$}  {text}")?;
            if let Some(p) = step.probability {
                write!(out, "; {}", often(p))?;
            }
            if let Some(thread) = &step.thread {
                write!(out, "; thread {}", shown(thread))?;
            }
            if step.certainty == Certainty::Candidate {
                write!(out, " (candidate)")?;
            }
            writeln!(out)?;
            let text = step.at.file.as_deref().zip(step.at.line).zip(sources);
            let text =
                text.and_then(|((file, line), sources)| sources.line(&step.at.package, file, line));
            if let Some(text) = text {
                writeln!(out, "{:>width$}  {}", "", reports::visible(&text), width = width + 19)?;
            }
        }
        if self.more {
            writeln!(out, "     … more steps")?;
        }
        Ok(())
    }
}

/// The frequency of an alternative of a branch, in words.
fn often(p: f64) -> String {
    match p {
        p if p >= 0.995 => "as nearly always".to_owned(),
        p if p >= 0.1 => format!("as in {:.0} % of cases", 100.0 * p),
        p if p > 0.0 => format!("unusual: once in {:.0}", 1.0 / p),
        _ => "never seen before".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusual_branches_say_how_unusual_they_are() {
        assert_eq!(often(0.01), "unusual: once in 100");
        assert_eq!(often(0.5), "as in 50 % of cases");
        assert_eq!(often(0.999), "as nearly always");
    }
}
