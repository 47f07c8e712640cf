//! The fixture apps' decoded paths against the trace: each session runs traced on the interpreter
//! and instrumented on every ART; output and path must be the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::error::{PathContext, Result};
use crate::files::{scratch, sorted};
use crate::fixtures::FIXTURE_BUILDS;
use crate::fixtures::session::{self, Vm};
use crate::process::output;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Sessions of the apps.
#[derive(Args)]
pub struct AppsOptions {
    /// Codec of the instrumented apps
    #[arg(long, default_value = "arith")]
    codec: String,
    /// Seeds of the sessions
    #[arg(default_values_t = [1, 2, 3])]
    seeds: Vec<u64>,
}

/// Compares the sessions.
///
/// # Errors
/// Fails if an output or a path differs.
pub fn run(options: &AppsOptions, here: &Workspace) -> Result<()> {
    let work = scratch()?;
    let mut tally = Tally::default();
    for app in FIXTURE_BUILDS {
        let app = App { here, name: app, work: work.path() };
        if let Err(error) = app.prepare(&["--codec", &options.codec]) {
            tally.fail(&format!("{}: {error}", app.name));
            continue;
        }
        for &seed in &options.seeds {
            app.trace(seed)?;
            for vm in Vm::ART {
                let outcome = app.compare(seed, vm).map_err(|error| error.to_string());
                tally.count(&format!("{} {seed} {}", app.name, vm.name()), outcome);
            }
        }
    }
    tally.finish()
}

/// An app with its files in `work`.
pub(crate) struct App<'a> {
    pub here: &'a Workspace,
    pub name: &'static str,
    pub work: &'a Path,
}

impl App<'_> {
    /// Its file with this ending: `jar` (traced), `table`, `trace`, `apk` (instrumented), `plmap`.
    pub fn file(&self, ending: &str) -> PathBuf {
        self.work.join(format!("{}.{ending}", self.name))
    }

    /// The app as it is.
    pub fn original(&self) -> PathBuf {
        self.here.path(session::fixture_apk(self.name))
    }

    /// Traces the app, and instruments it with these arguments.
    pub fn prepare(&self, arguments: &[&str]) -> Result<()> {
        let apk = self.original();
        let mut trace = self.here.harness("tracer");
        trace.arg("instrument").arg(&apk);
        output(trace.arg("-o").arg(self.file("jar")).arg("--table").arg(self.file("table")))?;
        let mut instrument = Command::new(self.here.pathlight()?);
        instrument.args(["instrument", "--force"]).arg(&apk).arg("-o").arg(self.file("apk"));
        output(instrument.arg("--map").arg(self.file("plmap")).args(arguments)).map(drop)
    }

    fn session(&self, seed: u64) -> session::SessionOptions {
        let mut session = session::SessionOptions::new(self.name, seed);
        // A kernels session is some 10⁷ instructions at its usual size.
        session.steps = self.name.starts_with("kernels").then(|| "1".to_owned());
        session
    }

    /// Runs the traced app; a failure shows as an output that no instrumented app prints.
    pub fn trace(&self, seed: u64) -> Result<()> {
        let trace = self.file("trace");
        let _ = fs::remove_file(&trace);
        let session = self
            .session(seed)
            .on(Vm::Art)
            .with_apk(&self.file("jar"))
            .with_path("truth.out", &trace);
        session.play(self.here, &self.file("traced"), &self.file("log")).map(drop)
    }

    /// Plays a session of the instrumented app, which must print what the traced one did. Gives its
    /// logs.
    pub fn play(&self, seed: u64, vm: Vm) -> Result<Vec<PathBuf>> {
        let logs = self.file("logs");
        let _ = fs::remove_dir_all(&logs);
        fs::create_dir(&logs).at(&logs)?;
        let session =
            self.session(seed).on(vm).with_apk(&self.file("apk")).with_path("pathlight.dir", &logs);
        session.play(self.here, &self.file("output"), &self.file("log"))?;
        if let Some(line) = crate::fixtures::difference(&self.file("traced"), &self.file("output"))?
        {
            return Err(crate::error::Error::Wrong(line));
        }
        sorted(&logs)
    }

    fn compare(&self, seed: u64, vm: Vm) -> Result<String> {
        let logs = self.play(seed, vm)?;
        let mut decode = Command::new(self.here.pathlight()?);
        decode.arg("decode").arg("--map").arg(self.file("plmap")).args(["--format", "json"]);
        let paths = output(decode.args(&logs))?;
        fs::write(self.file("paths"), paths).at(self.work)?;
        let mut compare = self.here.harness("compare");
        compare.arg("--table").arg(self.file("table"));
        compare.arg("--trace").arg(self.file("trace")).arg("--paths").arg(self.file("paths"));
        Ok(output(&mut compare)?.trim().to_owned())
    }
}
