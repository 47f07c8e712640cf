//! Counts of edges against logs: a session of the build that counts gives the model that a session
//! of the build that logs gives, but for the build's id. Only announced calls and the bits of logs
//! beside decisions are not counted. And paths of the log ran as often as the bounds by counts
//! allow.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;
use serde_json::Value;

use super::apps::App;
use super::bounds::{Played, hold};
use crate::error::{Error, PathContext, Result};
use crate::files::scratch;
use crate::fixtures::FIXTURE_BUILDS;
use crate::fixtures::session::Vm;
use crate::process::output;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Sessions of the apps.
#[derive(Args)]
pub struct CountsOptions {
    /// Seeds of the sessions
    #[arg(default_values_t = [1, 2, 3])]
    seeds: Vec<u64>,
}

/// Compares the models.
///
/// # Errors
/// Fails if an output or a model differs.
pub fn run(options: &CountsOptions, here: &Workspace) -> Result<()> {
    let work = scratch()?;
    let [logging, counting] = ["logging", "counting"].map(|name| work.path().join(name));
    let mut tally = Tally::default();
    for name in FIXTURE_BUILDS {
        let builds = [(&logging, "trace"), (&counting, "edges")].map(|(folder, profile)| {
            fs::create_dir_all(folder).at(folder)?;
            let app = App { here, name, work: folder };
            app.prepare(&["--profile", profile]).map(|()| app)
        });
        let [logging, counting] = builds;
        let (logging, counting) = match (logging, counting) {
            (Ok(logging), Ok(counting)) => (logging, counting),
            (Err(error), _) | (_, Err(error)) => {
                tally.fail(&format!("{name}: {error}"));
                continue;
            }
        };
        for &seed in &options.seeds {
            logging.trace(seed)?;
            fs::copy(logging.file("traced"), counting.file("traced")).at(work.path())?;
            for vm in Vm::ART {
                let outcome = same(&logging, &counting, seed, vm).map_err(|e| e.to_string());
                tally.count(&format!("{name} {seed} {}", vm.name()), outcome);
            }
        }
    }
    tally.finish()
}

fn same(logging: &App<'_>, counting: &App<'_>, seed: u64, vm: Vm) -> Result<String> {
    let (logged, logs) = model(logging, seed, vm)?;
    let (counted, counts) = model(counting, seed, vm)?;
    if logged != counted {
        return Err(Error::Wrong("counts give another model than logs".into()));
    }
    let bytes: u64 = counts.iter().map(|f| fs::metadata(f).map_or(0, |m| m.len())).sum();
    let same = format!("the same model; {bytes} bytes of counts");
    // What ran does not depend on the VM, and neither does what follows from it.
    if vm != Vm::ArtJit {
        return Ok(same);
    }
    let [logs, counts] =
        [Played { app: logging, files: logs }, Played { app: counting, files: counts }];
    Ok(format!("{same}; {}", hold(&logs, &counts)?))
}

/// The model of a session, without the build's id and what only logs have; and its files.
fn model(app: &App<'_>, seed: u64, vm: Vm) -> Result<(Value, Vec<PathBuf>)> {
    let files = app.play(seed, vm)?;
    let to = app.file("model");
    let mut train = Command::new(app.here.pathlight()?);
    train
        .args(["train", "--force"])
        .arg("--map")
        .arg(app.file("plmap"))
        .args(&files)
        .arg("-o")
        .arg(&to);
    output(&mut train)?;
    let text = fs::read(&to).at(&to)?;
    let mut model: Value =
        serde_json::from_slice(&text).map_err(|error| Error::Wrong(error.to_string()))?;
    let fields = model.as_object_mut().ok_or_else(|| Error::Wrong("no model".into()))?;
    for only_in_logs in ["announced", "rest", "builds"] {
        fields.remove(only_in_logs);
    }
    if fields.get("methods").is_none_or(|m| m.as_object().is_none_or(|m| m.is_empty())) {
        return Err(Error::Wrong("a model of nothing".into()));
    }
    Ok((model, files))
}
