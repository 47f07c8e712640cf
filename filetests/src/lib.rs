//! Filetests: `<stage>/<hazard>.dexir` shows what goes into a stage and what comes out.
//!
//! ```text
//! ; RUN: lower --pool 70000
//! ; What the file is about.
//!
//! .code registers=1
//! …
//!
//! ; EXPECT: lower --pool 70000
//! …
//! ```
//!
//! The lines at the top that begin with `; RUN:` name passes with their options. What follows is
//! the input, in the form of [`dex::text`]: one body or some classes. Each pass has a section
//! `; EXPECT:` with its result. `BLESS=1` in the environment rewrites the sections.

mod passes;

use std::path::Path;

/// One pass with its options, as a file names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassRun {
    /// The whole line after `; RUN:`.
    pub line: String,
}

impl PassRun {
    /// The name of the pass and its options, in order.
    pub fn parts(&self) -> (&str, Vec<&str>) {
        let mut words = self.line.split_whitespace();
        (words.next().unwrap_or_default(), words.collect())
    }
}

/// A decoded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTest {
    /// The passes, in order.
    pub runs: Vec<PassRun>,
    /// Everything before the first expectation: passes, comments and code.
    pub input: String,
    /// The passes that have an expectation, with it.
    pub expected: Vec<(String, String)>,
}

const RUN: &str = "; RUN:";
const EXPECT: &str = "; EXPECT:";

impl FileTest {
    /// Takes the text of a file apart.
    ///
    /// # Errors
    /// Fails if no pass is named.
    pub fn parse(text: &str) -> Result<FileTest, String> {
        let mut test = FileTest { runs: Vec::new(), input: String::new(), expected: Vec::new() };
        for line in text.lines() {
            if let Some(run) = line.strip_prefix(EXPECT) {
                test.expected.push((run.trim().into(), String::new()));
                continue;
            }
            let to = match test.expected.last_mut() {
                Some((_, text)) => text,
                None => {
                    let run = line.strip_prefix(RUN).map(|run| PassRun { line: run.trim().into() });
                    test.runs.extend(run);
                    &mut test.input
                }
            };
            to.push_str(line);
            to.push('\n');
        }
        test.expected.iter_mut().for_each(|(_, text)| text.truncate(text.trim_end().len()));
        if test.runs.is_empty() { Err(format!("there is no line `{RUN} PASS`")) } else { Ok(test) }
    }

    /// The text of the file with these results as expectations.
    pub fn with_results(&self, results: &[String]) -> String {
        let mut text = self.input.trim_end().to_owned();
        text.push('\n');
        for (run, result) in self.runs.iter().zip(results) {
            text += &format!("\n{EXPECT} {}\n{}\n", run.line, result.trim_end());
        }
        text
    }
}

/// Runs the passes of a file and compares. With `bless` the file is written with what came out.
///
/// # Errors
/// Fails, with a text for people, if there are no passes, the code cannot be read, or the results
/// differ from the expected ones.
pub fn check(path: &Path, bless: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let test = FileTest::parse(&text)?;
    let mut results = Vec::new();
    for run in &test.runs {
        results.push(passes::run(run, &test.input).map_err(|e| format!("{}: {e}", run.line))?);
    }
    let blessed = test.with_results(&results);
    if bless {
        return if blessed == text {
            Ok(())
        } else {
            std::fs::write(path, blessed).map_err(|e| e.to_string())
        };
    }
    let given: Vec<_> = test.runs.iter().map(|run| &run.line).collect();
    if given != test.expected.iter().map(|(line, _)| line).collect::<Vec<_>>() {
        return Err(
            "each RUN wants one EXPECT of the same words, in order; BLESS=1 writes them".into()
        );
    }
    for ((line, expected), result) in test.expected.iter().zip(&results) {
        if expected.trim_end() != result.trim_end() {
            return Err(format!("{line}\n{}", difference(expected, result)));
        }
    }
    Ok(())
}

/// The lines from the first that differs, both sides, some lines of each.
fn difference(expected: &str, result: &str) -> String {
    let same = expected.lines().zip(result.lines()).take_while(|(a, b)| a == b).count();
    let shown = |sign: &str, text: &str| -> String {
        text.lines().skip(same).take(12).map(|line| format!("  {sign} {line}\n")).collect()
    };
    format!("  after {same} equal lines\n{}{}", shown("-", expected), shown("+", result))
}
