//! bundletool, apksigner, jarsigner and the tracer judge how split apps and bundles are
//! instrumented.
//!
//! bundletool comes from the npm package `nativescript`, which carries it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, PathContext, Result};
use crate::files::{scratch, sorted};
use crate::fixtures::difference;
use crate::fixtures::session::{self, Vm};
use crate::process::{output, quietly};
use crate::tally::Tally;
use crate::workspace::Workspace;

const CARRIER: &str = "nativescript@8.6.5";
const BUNDLETOOL: &str = "bundletool-1.8.2.jar";

/// Instruments `tether` as a base with a feature and their configurations: as files, as the archive
/// of one device and as that of all devices. The session of one device must be as before, and its
/// path that of the trace.
///
/// # Errors
/// Fails if a judge refuses something, or an output or a path differs.
pub fn run(here: &Workspace) -> Result<()> {
    here.packages(&["run", "fixtures"])?;
    let work = scratch()?;
    let bundle = Bundle { here, work: work.path() };
    let mut build = Command::new(here.path("tests/oracles/bundle.sh"));
    build.arg(here.path("android-fixtures")).arg(bundletool(here)?).arg(here.d8()?);
    quietly(build.arg(work.path()))?;
    let mut tally = Tally::default();
    for (what, inputs) in [
        ("files of one device", "set"),
        ("archive of one device", "device.apks"),
        ("archive of all devices", "app.apks"),
    ] {
        tally.count(what, bundle.judged(inputs).map_err(|e| e.to_string()));
    }
    tally.count("app bundle", bundle.rebuilt().map_err(|e| e.to_string()));
    for (what, inputs) in [("split app", "set"), ("app bundle", "app.aab")] {
        for seed in [1, 2, 3] {
            // Whether the service ends before its watchdog has begun is a race: played again then.
            let play = || bundle.played(inputs, seed).map_err(|e| e.to_string());
            let raced = |e: &String| e.contains("DIFFERENT thread") && e.contains("'watchdog'");
            let outcome = match play() {
                Err(e) if raced(&e) => play(),
                outcome => outcome,
            };
            tally.count(&format!("session {seed} of the {what}"), outcome);
        }
    }
    tally.finish()
}

struct Bundle<'a> {
    here: &'a Workspace,
    work: &'a Path,
}

impl Bundle<'_> {
    fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.work.join(name)
    }

    /// Instruments these packages, and returns the messages.
    fn judged(&self, inputs: &str) -> Result<String> {
        let (from, to) = (self.file(inputs), self.file(format!("beta-{inputs}")));
        let mut instrument = Command::new(self.here.pathlight()?);
        instrument.args(["instrument", "--force"]).arg("-o").arg(&to);
        instrument.arg("--map").arg(self.file(format!("{inputs}.plmap")));
        if from.is_dir() {
            instrument.args(sorted(&from)?);
        } else {
            instrument.arg(&from);
        }
        output(&mut instrument)?;
        let mut judge = Command::new("python3");
        judge.arg(self.here.path("tests/oracles/splits.py")).args([&from, &to]);
        let printed = output(judge.arg(self.file(format!("dex-{inputs}"))))?;
        Ok(printed.trim().to_owned())
    }

    /// Instruments the bundle, and has bundletool make the APKs of a device of it.
    fn rebuilt(&self) -> Result<String> {
        let [aab, beta, apks, set, dex] =
            ["app.aab", "beta.aab", "rebuilt.apks", "rebuilt", "dex-app.aab"].map(|f| self.file(f));
        let mut instrument = Command::new(self.here.pathlight()?);
        instrument.args(["instrument", "--force"]).arg(&aab).arg("-o").arg(&beta);
        output(instrument.arg("--map").arg(self.file("app.aab.plmap")))?;
        let printed = output(Command::new("jarsigner").arg("-verify").arg(&beta))?;
        if !printed.contains("jar verified.") {
            return Err(Error::Wrong(format!("jarsigner: {}", printed.trim())));
        }
        let option = |name: &str, path: &Path| format!("--{name}={}", path.display());
        let tool = |task: &str, options: &[String]| {
            let mut java = Command::new("java");
            java.arg("-jar").arg(bundletool(self.here)?).arg(task).args(options);
            output(&mut java)
        };
        tool("validate", &[option("bundle", &beta)])?;
        let key = ["--ks-key-alias=a", "--ks-pass=pass:android"].map(str::to_owned);
        let mut options = vec![option("bundle", &beta), option("output", &apks)];
        options.push(option("ks", &self.file("key.jks")));
        options.push(option("aapt2", Path::new("/usr/bin/aapt2")));
        tool("build-apks", &[&options[..], &key].concat())?;
        let device = option("device-spec", &self.file("device.json"));
        tool("extract-apks", &[option("apks", &apks), option("output-dir", &set), device])?;
        let mut judge = Command::new("python3");
        judge.arg(self.here.path("tests/oracles/splits.py"));
        judge.args([&self.file("set"), &set, &dex]).arg("--same-key");
        Ok(output(&mut judge)?.trim().to_owned())
    }

    /// Plays a session of the instrumented code of these packages.
    fn played(&self, inputs: &str, seed: u64) -> Result<String> {
        let (traced, table) = (self.file("traced.jar"), self.file("table"));
        if !table.exists() {
            let mut trace = self.here.harness("tracer");
            trace.arg("instrument");
            trace.arg(self.file("whole.jar")).arg("-o").arg(&traced);
            output(trace.arg("--table").arg(&table))?;
        }
        let [trace, wanted, found, log, paths] =
            ["trace", "wanted", "found", "log", "paths"].map(|f| self.file(f));
        let logs = self.file("logs");
        let _ = (fs::remove_file(&trace), fs::remove_dir_all(&logs));
        fs::create_dir(&logs).at(&logs)?;
        let session = session::SessionOptions::new("tether", seed).on(Vm::Art);
        let of_trace = session.clone().with_apk(&traced).with_path("truth.out", &trace);
        of_trace.play(self.here, &wanted, &log)?;
        let beta = session.with_apk(&self.file(format!("dex-{inputs}")));
        beta.with_path("pathlight.dir", &logs).play(self.here, &found, &log)?;
        if let Some(line) = difference(&wanted, &found)? {
            return Err(Error::Wrong(line));
        }
        let mut decode = Command::new(self.here.pathlight()?);
        decode.arg("decode").arg("--map").arg(self.file(format!("{inputs}.plmap")));
        let decoded = output(decode.args(["--format", "json"]).args(sorted(&logs)?))?;
        fs::write(&paths, decoded).at(&paths)?;
        let mut compare = self.here.harness("compare");
        compare.arg("--table").arg(&table);
        compare.arg("--trace").arg(&trace).arg("--paths").arg(&paths);
        Ok(output(&mut compare)?.trim().to_owned())
    }
}

/// bundletool, fetched where it is missing.
fn bundletool(here: &Workspace) -> Result<PathBuf> {
    let jar = here.cache().join("tools").join(BUNDLETOOL);
    if jar.exists() {
        return Ok(jar);
    }
    let work = scratch()?;
    let mut npm = Command::new("npm");
    npm.args(["pack", "--silent", "--ignore-scripts", CARRIER]).current_dir(work.path());
    let printed = output(&mut npm)?;
    let package = printed.lines().last().unwrap_or_default();
    quietly(Command::new("tar").current_dir(work.path()).args(["xzf", package]))?;
    let found = work.path().join("package/vendor/aab-tool/bundletool.jar");
    let folder = here.cache().join("tools");
    fs::create_dir_all(&folder).at(&folder)?;
    fs::copy(&found, &jar).at(&found)?;
    Ok(jar)
}
