//! Headless Chromium judges the pages of `report`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{PathContext, Result};
use crate::files::{scratch, sorted};
use crate::fixtures::session::Vm;
use crate::npm;
use crate::process::output;
use crate::tally::Tally;
use crate::truth::apps::App;
use crate::workspace::Workspace;

/// The checks of accessibility (npm, MPL-2.0): run against pages, never part of one.
const AXE: &str = "axe-core@4.10.3";
/// The session that is traced.
const SEED: u64 = 4;

/// Compares the pages of the recorded sessions with `decode`, and that of a traced session with the
/// tracer, too. With a folder, writes pictures of the former.
///
/// # Errors
/// Fails if a page shows something else, complains, asks for something, or is slow.
pub fn run(here: &Workspace, screenshots: Option<&Path>) -> Result<()> {
    here.packages(&["oracles", "browser"])?;
    let axe = npm::file(AXE, &here.cache().join("tools/axe-core-4.10.3"), "axe.min.js")?;
    let work = scratch()?;
    let mut tally = Tally::default();
    let recorded = here.path("tests/cli/recorded");
    let mut sessions = sorted(&recorded)?;
    sessions.retain(|p| p.extension().is_some_and(|e| e == "plt"));
    for folder in sorted(&recorded.join("sessions"))? {
        sessions.extend(sorted(&folder)?);
    }
    let map = recorded.join("app.plmap");
    let page = Page { here, work: work.path(), axe: &axe, map, logs: sessions };
    let sources = tether_sources(here);
    let pictures: Vec<_> =
        screenshots.map(|folder| ("--screenshots", folder)).into_iter().collect();
    let mut units = Command::new("node");
    units.arg(here.path("tests/oracles/page.mjs"));
    let outcome = output(&mut units).map(|printed| printed.trim().to_owned());
    tally.count("functions of the page", outcome.map_err(|e| e.to_string()));
    tally.count(
        "recorded sessions",
        page.judged(Some(&sources), &pictures).map_err(|e| e.to_string()),
    );
    let app = App { here, name: "tether", work: work.path() };
    let outcome = traced(&app, &page);
    tally.count("a traced session", outcome.map_err(|e| e.to_string()));
    for (name, outcome) in [
        ("figures of recorded sessions", page.figures(&[])),
        ("figures of one session", page.first().figures(&[])),
        ("a build of R8", shrunk(here, work.path(), &axe)),
    ] {
        tally.count(name, outcome.map_err(|e| e.to_string()));
    }
    tally.finish()
}

/// Returns the folder of the sources of the fixture `tether`.
fn tether_sources(here: &Workspace) -> PathBuf {
    here.path("android-fixtures/tether/src")
}

/// A build with a model of the recorded sessions, so that decisions can be surprising.
fn traced(app: &App<'_>, sessions: &Page<'_>) -> Result<String> {
    let model = app.work.join("model.json");
    let mut train = Command::new(app.here.pathlight()?);
    train.args(["train", "--force"]).arg("--map").arg(&sessions.map).args(&sessions.logs);
    output(train.arg("-o").arg(&model))?;
    app.prepare(&["--model", &model.display().to_string()])?;
    app.trace(SEED)?;
    let logs = app.play(SEED, Vm::Art)?;
    let page = Page { map: app.file("plmap"), logs, ..*sessions };
    let [table, trace] = ["table", "trace"].map(|ending| app.file(ending));
    let original = app.original();
    let sources = tether_sources(app.here);
    page.judged(Some(&sources), &[("--table", &table), ("--trace", &trace), ("--apk", &original)])
}

/// A session of an app that R8 made, instrumented without its mapping: all views as they are, and
/// figures also retraced.
fn shrunk(here: &Workspace, work: &Path, axe: &Path) -> Result<String> {
    let app = App { here, name: "notes", work };
    app.prepare(&[])?;
    app.trace(SEED)?;
    let logs = app.play(SEED, Vm::Art)?;
    let page = Page { here, work, axe, map: app.file("plmap"), logs };
    let views = page.judged(None, &[])?;
    let plain = page.figures(&[])?;
    let mapping = here.path("android-fixtures/notes/prebuilt/notes.mapping.txt");
    let retraced = page.figures(&[("--mapping", &mapping)])?;
    Ok(format!("{views}; {plain}; with its mapping {retraced}"))
}

/// Logs whose page is judged.
struct Page<'a> {
    here: &'a Workspace,
    work: &'a Path,
    /// The script of axe-core.
    axe: &'a Path,
    map: PathBuf,
    logs: Vec<PathBuf>,
}

impl Page<'_> {
    /// The same without all logs but the first.
    fn first(&self) -> Page<'_> {
        Page { map: self.map.clone(), logs: self.logs[..1].to_vec(), ..*self }
    }

    /// Compares what the page shows of lines, branches and methods with the other outputs.
    fn figures(&self, arguments: &[(&str, &Path)]) -> Result<String> {
        let [page, lcov, jacoco, cobertura, printed] =
            ["f.html", "f.info", "j.xml", "c.xml", "f.txt"].map(|name| self.work.join(name));
        let mut report = Command::new(self.here.pathlight()?);
        report.arg("report").arg("--map").arg(&self.map).args(&self.logs).arg("--html").arg(&page);
        report.arg("--lcov").arg(&lcov).arg("--jacoco").arg(&jacoco);
        report.arg("--cobertura").arg(&cobertura);
        for (option, path) in arguments {
            report.arg(option).arg(path);
        }
        fs::write(&printed, output(&mut report)?).at(&printed)?;
        let mut judge = self.here.judge("tests/oracles/html_figures.py");
        judge.arg(&page).arg("--lcov").arg(&lcov).arg("--jacoco").arg(&jacoco);
        judge.arg("--cobertura").arg(&cobertura).arg("--printed").arg(&printed);
        Ok(output(&mut judge)?.trim().to_owned())
    }

    /// Judges all views of the page in both browsers, and of a page with source files if these are
    /// given.
    fn judged(&self, sources: Option<&Path>, arguments: &[(&str, &Path)]) -> Result<String> {
        let [paths, page, plain, tree] = ["paths.jsonl", "page.html", "plain.html", "session.pltt"]
            .map(|name| self.work.join(name));
        let pathlight = |verb: &str| -> Result<Command> {
            let mut command = Command::new(self.here.pathlight()?);
            command.arg(verb).arg("--map").arg(&self.map).args(&self.logs);
            Ok(command)
        };
        fs::write(&paths, output(pathlight("decode")?.args(["--format", "json"]))?).at(&paths)?;
        let mut build = Command::new(self.here.pathlight()?);
        build.args(["timetree", "build", "--force", "--map"]).arg(&self.map).args(&self.logs);
        output(build.arg("-o").arg(&tree))?;
        let mut report = pathlight("report")?;
        report.arg("--html").arg(&page);
        if let Some(sources) = sources {
            report.arg("--sources").arg(sources);
            output(pathlight("report")?.arg("--html").arg(&plain))?;
        }
        output(&mut report)?;
        let mut judge = self.here.judge("tests/oracles/html.py");
        judge.arg(&page).arg("--paths").arg(&paths).arg("--axe").arg(self.axe);
        if sources.is_some() {
            judge.arg("--without-sources").arg(&plain);
        }
        judge.arg("--tree").arg(&tree).arg("--pathlight").arg(self.here.pathlight()?);
        for (option, path) in arguments {
            judge.arg(option).arg(path);
        }
        Ok(output(&mut judge)?.trim().to_owned())
    }
}
