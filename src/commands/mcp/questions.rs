//! Parameters of the tools. Agents read the comments here.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// Parameters of `sessions`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionsQuestion {
    /// Position to continue from, as the page before gave it.
    #[serde(default)]
    pub cursor: usize,
}

/// Parameters of `crash`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CrashQuestion {
    /// Names of sessions, as `sessions` lists them. Default: all.
    #[serde(default)]
    pub sessions: Vec<String>,
    /// Position to continue from, as the page before gave it.
    #[serde(default)]
    pub cursor: usize,
}

/// Parameters of `why`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WhyQuestion {
    /// Names of sessions. Default: all.
    #[serde(default)]
    pub sessions: Vec<String>,
    /// A line that ran, as File.java:42. Default: the exception that ended the app.
    pub at: Option<String>,
    /// Thread, by name or number.
    pub thread: Option<String>,
    /// Number of an exception of the thread. Needs `thread`.
    pub exception: Option<u64>,
    /// Maximum number of steps. Default: 12.
    pub most: Option<u16>,
    /// Position to continue from, as the page before gave it.
    #[serde(default)]
    pub cursor: usize,
}

/// Parameters of `callback`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallbackQuestion {
    /// Name of the session.
    pub session: String,
    /// Number of the callback in its thread (the 7 of #7).
    pub callback: u64,
    /// Thread, by name or number. Default: main.
    pub thread: Option<String>,
    /// Maximum depth of nested calls; 1 is the callback itself. Default: all.
    pub depth: Option<u32>,
    /// Position to continue from, as the page before gave it.
    #[serde(default)]
    pub cursor: usize,
}

/// Parameters of `compare`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareQuestion {
    /// Names of bad sessions.
    pub bad: Vec<String>,
    /// Names of good sessions.
    pub good: Vec<String>,
    /// Position to continue from, as the page before gave it.
    #[serde(default)]
    pub cursor: usize,
}

/// Parameters of `find`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindQuestion {
    /// Class, as Cls or com.example.Cls; * stands for any text.
    pub class: Option<String>,
    /// Method name; * stands for any text.
    pub method: Option<String>,
    /// Line of source, as Network.java:42: the callbacks in which it ran.
    pub line: Option<String>,
    /// Class of exceptions, as IOException or java.io.IOException; * stands for any text: where
    /// each was thrown and caught, with its number for `why`.
    pub exception: Option<String>,
    /// Names of sessions. Default: all.
    #[serde(default)]
    pub sessions: Vec<String>,
    /// Thread, by name or number. Default: all.
    pub thread: Option<String>,
    /// Show only the last N callbacks or exceptions of each thread.
    pub last: Option<u64>,
    /// Position to continue from, as the page before gave it.
    #[serde(default)]
    pub cursor: usize,
}

/// Parameters of `line`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineQuestion {
    /// Source file, as Network.java.
    pub file: String,
    /// Line number. Default: all lines of the file that have code.
    pub line: Option<u32>,
    /// Names of sessions. Default: all.
    #[serde(default)]
    pub sessions: Vec<String>,
    /// Position to continue from, as the page before gave it.
    #[serde(default)]
    pub cursor: usize,
}

/// Parameters of `interval`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IntervalQuestion {
    /// Name of the session.
    pub session: String,
    /// Interval since the start of the process, as 12.3s..15s or ..500ms.
    pub interval: String,
    /// Thread, by name or number. Default: all.
    pub thread: Option<String>,
    /// Maximum depth of nested calls; 1 is the callback itself. Default: 1.
    pub depth: Option<u32>,
    /// Position to continue from, as the page before gave it.
    #[serde(default)]
    pub cursor: usize,
}
