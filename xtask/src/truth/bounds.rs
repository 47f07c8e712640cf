//! Paths of a session's log beside the bounds that the count files of the same session give.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;

use serde_json::Value;

use super::apps::App;
use crate::error::{Error, Result};
use crate::process::{cores, output, parallel};

/// A build of an app, and what a session of it wrote.
pub struct Played<'a> {
    /// The build.
    pub app: &'a App<'a>,
    /// Its logs, or its count files.
    pub files: Vec<PathBuf>,
}

/// Counts of compared paths.
#[derive(Debug, Default, Clone, Copy)]
struct ComparedPaths {
    /// Paths that ran.
    paths: u64,
    /// Paths whose count the count files fix.
    fixed: u64,
    /// Passes on all these paths, and those that must have been.
    passes: u64,
    definite: u64,
}

/// Compares each path of each method that branches: its count lies within the bounds, and equals
/// them where counts of edges are reported to fix those of paths.
///
/// # Errors
/// The first path that does not, or a command that fails.
pub fn hold(logged: &Played<'_>, counted: &Played<'_>) -> Result<String> {
    let by_logs = json(logged, "analyse", &[])?;
    let by_counts = json(counted, "analyse", &[])?;
    let fixed: HashMap<&str, bool> = methods(&by_counts)
        .filter_map(|m| Some((m["method"].as_str()?, m["fixed_here"].as_bool()?)))
        .collect();
    if by_counts["unknown"] != 0 {
        return Err(Error::Wrong(format!(
            "{} methods with counts that cannot be",
            by_counts["unknown"]
        )));
    }
    let ran: Vec<&str> = methods(&by_logs).filter_map(|m| m["method"].as_str()).collect();
    let all = Mutex::new(Vec::new());
    parallel(&ran, cores(), |method| {
        let seen = one(logged, counted, method, fixed.get(method) == Some(&true))?;
        all.lock().expect("no panic").push(seen);
        Ok(())
    })?;
    let all = all.into_inner().expect("no panic");
    let sum = |of: fn(&ComparedPaths) -> u64| all.iter().map(of).sum::<u64>();
    let [paths, exact] = [sum(|seen| seen.paths), sum(|seen| seen.fixed)];
    let [passes, definite] = [sum(|seen| seen.passes), sum(|seen| seen.definite)];
    if paths == 0 {
        return Err(Error::Wrong("no path ran".into()));
    }
    Ok(format!(
        "{paths} paths in their bounds, {exact} exact; {definite} of {passes} passes definite"
    ))
}

fn one(
    logged: &Played<'_>,
    counted: &Played<'_>,
    method: &str,
    fixed: bool,
) -> Result<ComparedPaths> {
    let ran = json(logged, "explain", &["--path", method])?;
    let bounds = json(counted, "explain", &["--path", method])?;
    let wrong = |path: &str, what: String| Err(Error::Wrong(format!("{method}:{path}: {what}")));
    let mut times: HashMap<&str, u64> = HashMap::new();
    for path in paths(&ran) {
        let text = path["path"].as_str().unwrap_or_default();
        times.insert(text, path["ran"].as_u64().unwrap_or(0));
    }
    let mut seen = ComparedPaths {
        paths: times.len() as u64,
        passes: times.values().sum(),
        ..ComparedPaths::default()
    };
    for path in paths(&bounds) {
        let text = path["path"].as_str().unwrap_or_default();
        let ran = times.remove(text).unwrap_or(0);
        let least = path["definite"].as_u64().unwrap_or(u64::MAX);
        let most = path["potential"].as_u64();
        if ran < least || most.is_some_and(|most| ran > most) {
            return wrong(text, format!("ran {ran} times, by counts {least} to {most:?}"));
        }
        let exact = most == Some(least);
        if path["ran"].as_u64() != exact.then_some(least) {
            return wrong(
                text,
                format!("reported as {}, by counts {least} to {most:?}", path["ran"]),
            );
        }
        if fixed && !exact {
            return wrong(text, "is not reported, though counts of edges fix it".into());
        }
        seen.fixed += u64::from(exact && ran > 0);
        seen.definite += least;
    }
    if bounds["more_paths"] != true
        && let Some((path, ran)) = times.into_iter().find(|(_, ran)| *ran > 0)
    {
        return wrong(path, format!("ran {ran} times, by counts not at all"));
    }
    let passes = seen.passes;
    let (least, most) = (bounds["passes_least"].as_u64(), bounds["passes_most"].as_u64());
    if least.is_none_or(|least| passes < least) || most.is_some_and(|most| passes > most) {
        return wrong("", format!("{passes} passes, by counts {least:?} to {most:?}"));
    }
    Ok(seen)
}

fn json(played: &Played<'_>, command: &str, arguments: &[&str]) -> Result<Value> {
    let mut run = Command::new(played.app.here.pathlight()?);
    run.arg(command).arg("--json").arg("--map").arg(played.app.file("plmap"));
    let text = output(run.args(arguments).args(&played.files))?;
    serde_json::from_str(&text).map_err(|error| Error::Wrong(format!("{command}: {error}")))
}

fn methods(analysis: &Value) -> impl Iterator<Item = &Value> {
    analysis["methods"].as_array().into_iter().flatten()
}

fn paths(explained: &Value) -> impl Iterator<Item = &Value> {
    explained["paths"].as_array().into_iter().flatten()
}
