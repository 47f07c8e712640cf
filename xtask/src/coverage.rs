//! The tracer, JaCoCo itself, versions of genhtml and JaCoCo's DTD judge the coverage that `report`
//! writes; and that of logs judges that of counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::compilers::javac;
use crate::error::{Error, PathContext, Result};
use crate::files::{scratch, sorted};
use crate::fixtures::session::Vm;
use crate::fixtures::{LIMIT, difference};
use crate::genhtml;
use crate::process::{output, to_files};
use crate::tally::Tally;
use crate::traces;
use crate::truth::apps::App;
use crate::workspace::Workspace;

/// Apps of which genhtml reads a session.
const APPS: [&str; 3] = ["tether", "notes", "kernels"];
/// Sessions that lcov from 2.2 on refused: methods inside of others, branches that exceptions
/// prevented.
const SHAPES: [&str; 2] = ["nested", "npe"];

/// Compares the coverage of all these sessions of `tether` together with their traces, and has
/// every genhtml read coverage of the fixtures.
///
/// # Errors
/// Fails if a format differs from the traces.
pub fn run(here: &Workspace, seeds: &[u64]) -> Result<()> {
    let work = scratch()?;
    let mut tally = Tally::default();
    let app = App { here, name: "tether", work: work.path() };
    app.prepare(&[])?;
    // Another build of the same source: `report` merges its sessions with the others'.
    let folder = work.path().join("other");
    fs::create_dir(&folder).at(&folder)?;
    let other = App { here, name: "tether", work: &folder };
    other.prepare(&["--codec", "huffman"])?;
    // One that counts what the first one logs.
    let folder = work.path().join("counting");
    fs::create_dir(&folder).at(&folder)?;
    let counting = App { here, name: "tether", work: &folder };
    counting.prepare(&["--profile", "edges"])?;
    let versions = genhtml::commands(here)?;
    match judged([&app, &other, &counting], seeds, &versions) {
        Ok([one, both]) => {
            tally.count(&format!("{} sessions of tether", seeds.len()), Ok(one));
            tally.count("the same sessions, every other one of another build", Ok(both));
        }
        Err(error) => tally.fail(&error.to_string()),
    }
    let outcome = tracefiles(here, work.path()).and_then(|files| {
        let mut judge = here.judge("tests/oracles/genhtml.py");
        judge.arg("--root").arg(&here.root);
        versions.iter().for_each(|version| {
            judge.arg("--genhtml").arg(version);
        });
        Ok(output(judge.args(files))?.trim().to_owned())
    });
    tally.count(
        "tracefiles of the fixtures and of recorded sessions",
        outcome.map_err(|e| e.to_string()),
    );
    tally.finish()
}

/// Tracefiles of a session of each app, and of recorded sessions.
fn tracefiles(here: &Workspace, work: &Path) -> Result<Vec<PathBuf>> {
    let folder = work.join("sessions");
    fs::create_dir(&folder).at(&folder)?;
    let mut files = Vec::new();
    let mut write = |name: &str, sources: &Path, map: &Path, logs: &[PathBuf]| -> Result<()> {
        let file = folder.join(format!("{name}.info"));
        let mut report = Command::new(here.pathlight()?);
        report.current_dir(&here.root).arg("report").args(logs).arg("--map").arg(map);
        output(report.arg("--sources").arg(sources).arg("--lcov").arg(&file))?;
        files.push(file);
        Ok(())
    };
    for app in APPS {
        let (map, logs) = traces::play(app, &folder, here)?;
        write(app, &here.path(format!("android-fixtures/{app}/src")), &map, &logs)?;
    }
    for name in SHAPES {
        let shape = here.path("tests/cli/shapes").join(name);
        write(name, &shape.join("src"), &shape.join("m.plmap"), &sorted(&shape.join("l"))?)?;
    }
    let recorded = here.path("tests/cli/recorded");
    let mut logs = Vec::new();
    for session in sorted(&recorded.join("sessions"))? {
        logs.extend(sorted(&session)?);
    }
    logs.retain(|log| log.extension().is_some_and(|e| e == "plt"));
    let sources = here.path("android-fixtures/tether/src");
    write("recorded", &sources, &recorded.join("app.plmap"), &logs)?;
    Ok(files)
}

/// Jars that JaCoCo needs, below Debian's folder of jars.
const JACOCO: [&str; 6] =
    ["org.jacoco.core", "org.jacoco.report", "asm", "asm-commons", "asm-tree", "asm-analysis"];

/// JaCoCo on the JDK, with the class files of the app as javac makes them.
struct Jacoco<'a> {
    app: &'a App<'a>,
    class_path: String,
    execs: Vec<PathBuf>,
}

impl<'a> Jacoco<'a> {
    fn new(app: &'a App<'a>) -> Result<Self> {
        let (here, tool) = (app.here, app.file("tool"));
        let jars = JACOCO.map(|jar| format!("/usr/share/java/{jar}.jar")).join(":");
        let mut compile = Command::new("javac");
        compile.args(["-nowarn", "-cp", &jars, "-d"]).arg(&tool);
        output(compile.arg(here.path("tests/oracles/jacoco/Sessions.java")))?;
        let stubs = here.path("android-fixtures/stubs/prebuilt/stubs.jar");
        let sources = here.path(format!("android-fixtures/{}/src", app.name));
        let options = ["-g", "-nowarn", "-Xlint:-options", "-proc:none", "-encoding", "UTF-8"];
        javac(&sources, &app.file("classes"), &options, Some(&stubs))?;
        let class_path = format!("{}:{jars}", tool.display());
        Ok(Self { app, class_path, execs: Vec::new() })
    }

    fn command(&self, task: &str, to: &Path) -> Command {
        let mut java = Command::new("java");
        java.args(["-cp", &self.class_path, "Sessions", task]).arg(to);
        java.arg(self.app.file("classes"));
        java
    }

    /// Plays a session, which must print what the traced one did.
    fn play(&mut self, seed: u64) -> Result<()> {
        let here = self.app.here;
        let exec = self.app.work.join(format!("{seed}.exec"));
        let mut java = self.command("run", &exec);
        java.arg(here.path("android-fixtures/stubs/prebuilt/host.jar"));
        java.arg("fixture.driver.Driver");
        java.arg(here.path(format!("android-fixtures/{}/components.txt", self.app.name)));
        let (out, log) = (self.app.file("output"), self.app.file("log"));
        to_files(java.arg(seed.to_string()), &out, &log, LIMIT)?;
        if let Some(line) = difference(&self.app.file("traced"), &out)? {
            return Err(Error::Wrong(format!("with JaCoCo: {line}")));
        }
        self.execs.push(exec);
        Ok(())
    }

    fn report(&self) -> Result<PathBuf> {
        let xml = self.app.file("real.xml");
        output(self.command("report", &xml).args(&self.execs))?;
        Ok(xml)
    }
}

fn judged(
    [app, other, counting]: [&App<'_>; 3],
    seeds: &[u64],
    versions: &[String],
) -> Result<[String; 2]> {
    let [mut logs, mut mixed, mut traces, mut counts] = [const { Vec::new() }; 4];
    let kept = app.work.join("kept");
    fs::create_dir(&kept).at(&kept)?;
    let mut jacoco = Jacoco::new(app)?;
    // The next session clears its folder.
    let keep = |app: &App<'_>, seed: u64, name: &str| -> Result<Vec<PathBuf>> {
        let played = app.play(seed, Vm::Art)?;
        let kept = played.iter().enumerate().map(|(number, log)| {
            let to = kept.join(format!("{name}{seed}-{number}"));
            fs::copy(log, &to).at(log)?;
            Ok(to)
        });
        kept.collect()
    };
    for (position, seed) in seeds.iter().enumerate() {
        app.trace(*seed)?;
        let of_session = keep(app, *seed, "")?;
        if position % 2 == 1 {
            other.trace(*seed)?;
            mixed.extend(keep(other, *seed, "other-")?);
        } else {
            mixed.extend(of_session.clone());
        }
        logs.extend(of_session);
        fs::copy(app.file("traced"), counting.file("traced")).at(app.work)?;
        counts.extend(keep(counting, *seed, "counting-")?);
        jacoco.play(*seed)?;
        let to = kept.join(format!("{seed}.trace"));
        fs::copy(app.file("trace"), &to).at(&to)?;
        traces.push(to);
    }
    let real = jacoco.report()?;
    let sources = app.here.path("android-fixtures/tether/src");
    let by_counts = counting.file("lcov");
    let mut report = Command::new(app.here.pathlight()?);
    report
        .current_dir(&app.here.root)
        .arg("report")
        .args(&counts)
        .arg("--map")
        .arg(counting.file("plmap"));
    output(report.arg("--sources").arg(&sources).arg("--lcov").arg(&by_counts))?;
    let verdict = |maps: &[PathBuf], logs: &[PathBuf], counts: Option<&Path>| -> Result<String> {
        let mut report = Command::new(app.here.pathlight()?);
        report.current_dir(&app.here.root).arg("report").args(logs);
        maps.iter().for_each(|map| {
            report.arg("--map").arg(map);
        });
        report.arg("--sources").arg(&sources);
        let mut judge = app.here.judge("tests/oracles/coverage.py");
        for format in ["lcov", "jacoco", "cobertura"] {
            let (option, file) = (format!("--{format}"), app.file(format));
            report.arg(&option).arg(&file);
            judge.arg(option).arg(file);
        }
        output(&mut report)?;
        judge.arg("--real").arg(&real).arg("--root").arg(&app.here.root);
        versions.iter().for_each(|version| {
            judge.arg("--genhtml").arg(version);
        });
        counts.iter().for_each(|counts| {
            judge.arg("--counts").arg(counts);
        });
        judge.arg("--apk").arg(app.original()).arg("--table").arg(app.file("table"));
        Ok(output(judge.args(&traces))?.trim().to_owned())
    };
    let maps = [app.file("plmap"), other.file("plmap")];
    Ok([verdict(&maps[..1], &logs, Some(&by_counts))?, verdict(&maps, &mixed, None)?])
}
