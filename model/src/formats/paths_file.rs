//! `paths.json`: the paths that `select` found and a build is to count. The one place that knows
//! its layout.
//!
//! Steps are addresses in code units, where blocks of the *original* method begin, as dexdump and
//! baksmali show them; `"!44"` is the handler at address 44, come to by an exception. `shape` is
//! the hash of the method's code: paths of another release are refused.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::path_profiles::selected::{MAX_OF_BUILD, MAX_OF_METHOD, MAX_STEPS, PathKind};
use crate::text::to_utf8;

/// Value of the file's `format` field.
pub const FORMAT: &str = "pathlight paths 1";

/// Reasons why a file selects no paths.
#[derive(Debug, Error)]
pub enum PathsFileError {
    /// Not JSON, or not of this form.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// Another format or version.
    #[error("its format is {0:?}; this program reads {FORMAT:?}")]
    Format(String),
    /// Nothing to count.
    #[error("it selects no path")]
    Nothing,
    /// More paths than a build counts.
    #[error("it selects {0} paths; a build counts at most {MAX_OF_BUILD}")]
    Paths(usize),
    /// More paths than a method counts.
    #[error(
        "it selects {paths} paths of {method}; of a method at most {MAX_OF_METHOD} are counted"
    )]
    OfMethod {
        /// The method.
        method: String,
        /// Number of paths in the file.
        paths: usize,
    },
    /// Two paths with one name.
    #[error("two paths are called {0:?}")]
    Twice(String),
    /// Something is wrong with one path.
    #[error("path {id}: {problem}")]
    Path {
        /// The path.
        id: String,
        /// The error of the path.
        problem: PathProblem,
    },
}

/// An error of one path in the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PathProblem {
    /// No step, or too many.
    #[error("it has {0} steps; from 1 to {MAX_STEPS} are possible")]
    Steps(usize),
    /// Not an address.
    #[error("{0:?} is no step: write an address like 12, or \"!12\" for a handler")]
    Step(String),
    /// Not a hash.
    #[error("its shape {0:?} is no hash of 16 hexadecimal digits")]
    Shape(String),
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathsFile {
    /// [`FORMAT`].
    pub format: String,
    /// The app's package, if it has one.
    #[serde(default)]
    pub package: String,
    /// The paths.
    pub paths: Vec<PathEntry>,
}

/// A path of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathEntry {
    /// Name for people.
    pub id: String,
    /// `Lpkg/Cls;->name(I)V`, as the app has it.
    pub method: String,
    /// The same as the source has it, if that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Hash of the method's code, 16 hexadecimal digits.
    pub shape: String,
    /// The section of an activation that the path covers.
    pub kind: PathKind,
    /// Positions at which the path's blocks begin.
    pub steps: Vec<StepAt>,
    /// The line of the method at which each step's block begins; for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Option<u32>>,
    /// Number of occurrences in the logs from which it was selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<u64>,
}

/// A step: an address, or `"!"` and the address of a handler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StepAt {
    /// From the block before.
    Block(u32),
    /// `!` and an address: by an exception.
    Caught(String),
}

impl StepAt {
    /// A handler at this address.
    pub fn caught(pc: u32) -> StepAt {
        StepAt::Caught(format!("!{pc}"))
    }

    /// Its address, and whether an exception comes to it; `None`: it is no step.
    pub fn parts(&self) -> Option<(u32, bool)> {
        match self {
            StepAt::Block(pc) => Some((*pc, false)),
            StepAt::Caught(text) => Some((text.strip_prefix('!')?.parse().ok()?, true)),
        }
    }
}

impl PathEntry {
    /// [`Self::shape`] as a number.
    pub fn fingerprint(&self) -> Option<u64> {
        let digits = self.shape.len() == 16 && self.shape.bytes().all(|b| b.is_ascii_hexdigit());
        digits.then(|| u64::from_str_radix(&self.shape, 16).ok())?
    }

    fn check(&self) -> Result<(), PathProblem> {
        if !(1..=MAX_STEPS).contains(&self.steps.len()) {
            return Err(PathProblem::Steps(self.steps.len()));
        }
        for step in &self.steps {
            if let (StepAt::Caught(text), None) = (step, step.parts()) {
                return Err(PathProblem::Step(text.clone()));
            }
        }
        match self.fingerprint() {
            Some(_) => Ok(()),
            None => Err(PathProblem::Shape(self.shape.clone())),
        }
    }
}

impl PathsFile {
    /// The file for these paths.
    pub fn new(package: &str, paths: Vec<PathEntry>) -> PathsFile {
        PathsFile { format: FORMAT.into(), package: package.into(), paths }
    }

    /// Reads and checks a file.
    ///
    /// # Errors
    /// [`PathsFileError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<PathsFile, PathsFileError> {
        let file: PathsFile = serde_json::from_slice(&to_utf8(bytes))?;
        if file.format != FORMAT {
            return Err(PathsFileError::Format(file.format));
        }
        match file.paths.len() {
            0 => return Err(PathsFileError::Nothing),
            n if n > MAX_OF_BUILD => return Err(PathsFileError::Paths(n)),
            _ => {}
        }
        let mut names = HashSet::new();
        for path in &file.paths {
            let id = || path.id.clone();
            path.check().map_err(|problem| PathsFileError::Path { id: id(), problem })?;
            if !names.insert(&path.id) {
                return Err(PathsFileError::Twice(id()));
            }
            let paths = file.paths.iter().filter(|p| p.method == path.method).count();
            if paths > MAX_OF_METHOD {
                let method = path.method.clone();
                return Err(PathsFileError::OfMethod { method, paths });
            }
        }
        Ok(file)
    }

    /// The file, a path a line.
    pub fn to_bytes(&self) -> Vec<u8> {
        let line = |value: &PathEntry| serde_json::to_string(value).expect("text and numbers");
        let text = |text: &str| serde_json::to_string(text).expect("text");
        let lines: Vec<String> = self.paths.iter().map(line).collect();
        format!(
            "{{\"format\":{},\"package\":{},\"paths\":[\n{}\n]}}\n",
            text(&self.format),
            text(&self.package),
            lines.join(",\n")
        )
        .into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str) -> PathEntry {
        PathEntry {
            id: id.into(),
            method: "La/B;->c()V".into(),
            source: None,
            shape: "00000000000000ff".into(),
            kind: PathKind::Whole,
            steps: vec![StepAt::Block(0), StepAt::caught(12)],
            lines: vec![Some(4), None],
            seen: Some(7),
        }
    }

    #[test]
    fn a_file_reads_as_it_was_written() {
        let file = PathsFile::new("a.b", vec![entry("a1"), entry("a2")]);
        let bytes = file.to_bytes();
        assert_eq!(PathsFile::from_bytes(&bytes).unwrap(), file);
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains(r#""kind":"whole","steps":[0,"!12"],"lines":[4,null]"#), "{text}");
        assert_eq!(file.paths[0].fingerprint(), Some(255));
    }

    fn refused(change: impl FnOnce(&mut PathsFile)) -> String {
        let mut file = PathsFile::new("", vec![entry("a1"), entry("a2")]);
        change(&mut file);
        PathsFile::from_bytes(&file.to_bytes()).expect_err("refused").to_string()
    }

    #[test]
    fn what_cannot_be_counted_is_refused_by_name() {
        type Change = fn(&mut PathsFile);
        let cases: [(Change, &str); 7] = [
            (|f| f.format = "paths 9".into(), "its format is \"paths 9\""),
            (|f| f.paths.clear(), "it selects no path"),
            (|f| f.paths[1].id = "a1".into(), "two paths are called \"a1\""),
            (|f| f.paths[1].steps.clear(), "path a2: it has 0 steps"),
            (|f| f.paths[0].steps.resize(5000, StepAt::Block(0)), "path a1: it has 5000 steps"),
            (|f| f.paths[0].steps[1] = StepAt::Caught("12".into()), "path a1: \"12\" is no step"),
            (|f| f.paths[0].shape = "xyz".into(), "path a1: its shape \"xyz\" is no hash"),
        ];
        for (change, problem) in cases {
            let message = refused(change);
            assert!(message.contains(problem), "{message}");
        }
    }
}
