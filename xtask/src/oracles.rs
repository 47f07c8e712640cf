//! Other tools judge what Pathlight writes.

use std::path::PathBuf;
use std::process::Command;

use clap::Subcommand;

use crate::error::Result;
use crate::files::scratch;
use crate::workspace::{HandedOn, Workspace};
use crate::{
    baseline, compare, coverage, device, gradle, html, process, profiles, retrace, splits, traces,
    why,
};

/// Judges.
#[derive(Subcommand)]
pub enum OracleTask {
    /// Signatures, alignment, manifest and entries of an APK beside the one that it was made from
    #[command(after_help = "Example:\n  cargo xtask oracles apk app.apk beta.apk")]
    Apk(HandedOn),
    /// Two APKs or DEX files class by class, as dexdump reads them (for --codec none)
    #[command(after_help = "Example:\n  cargo xtask oracles dexdiff app.apk rewritten.apk")]
    Dexdiff(HandedOn),
    /// Proves that dexdiff sees seeded changes and nothing else
    #[command(after_help = "Example:\n  cargo xtask oracles dexdiff-selftest")]
    DexdiffSelftest,
    /// Lines of every instruction before and after --codec none, as dexdump reads them; without
    /// arguments those of the fixtures
    #[command(after_help = "Example:\n  cargo xtask oracles lines app.apk")]
    Lines {
        /// Apps to take instead of the fixtures
        #[arg(value_name = "APP.apk")]
        apps: Vec<PathBuf>,
    },
    /// Frames of every range of a mapping, as R8's Retrace gives them; without arguments those of
    /// the fixtures that R8 made
    #[command(after_help = "Example:\n  cargo xtask oracles retrace mapping.txt --allowed 1")]
    Retrace {
        /// Mappings to take instead of the fixtures'
        #[arg(value_name = "MAPPING.txt")]
        mappings: Vec<PathBuf>,
        /// Number of stack traces of 1,000 that may differ
        #[arg(long, default_value_t = 0.0)]
        allowed: f64,
    },
    /// Files of `report` beside the output of `decode`, for sessions of the fixtures: read by
    /// Perfetto's trace processor and by speedscope's schema
    #[command(after_help = "Example:\n  cargo xtask oracles traces")]
    Traces,
    /// Coverage of `report` for sessions of `tether`, beside the traces of the tracer of
    /// tests/truth; genhtml and JaCoCo's DTD read it
    #[command(after_help = "Example:\n  cargo xtask oracles coverage 1 2 3")]
    Coverage {
        /// Seeds of the sessions
        #[arg(default_values_t = [1, 2, 3])]
        seeds: Vec<u64>,
    },
    /// Baseline and startup profiles of `report` for sessions of `tether`, beside the tracer's
    /// traces; D8 takes them
    #[command(after_help = "Example:\n  cargo xtask oracles profiles 1 2 3")]
    Profiles {
        /// Seeds of the sessions
        #[arg(default_values_t = [1, 2, 3])]
        seeds: Vec<u64>,
    },
    /// Baseline profiles of apps, before and after: an independent reader and ART read the same
    /// rules; without arguments that of `tether` with a profile
    #[command(after_help = "Example:\n  cargo xtask oracles baseline app.apk")]
    Baseline {
        /// Apps with a profile to take instead of the fixture
        #[arg(value_name = "APP.apk")]
        apps: Vec<PathBuf>,
    },
    /// `tether` as a base, a feature and their configurations, built by bundletool: signatures and
    /// entries of all packages, and the paths of sessions
    #[command(after_help = "Example:\n  cargo xtask oracles splits")]
    Splits,
    /// `device` with the real adb and a phone that tests/oracles/device plays: installing,
    /// fetching, watching, cables that are pulled; every command of docs/DEVICE.md
    #[command(after_help = "Example:\n  cargo xtask oracles device")]
    Device,
    /// `compare` on sessions of `tether` with planted faults: first divergences and ranks of
    /// culprits
    #[command(after_help = "Example:\n  cargo xtask oracles compare --pairs 10 --sessions 250")]
    Compare(compare::CompareOptions),
    /// `why` on programs with planted faults: causes that it finds, and that all steps ran
    #[command(after_help = "Example:\n  cargo xtask oracles why NullFromMap")]
    Why {
        /// Seeds of tests/oracles/why; all without
        #[arg(value_name = "SEED")]
        seeds: Vec<String>,
        /// Compile by this compiler only
        #[arg(long, value_enum)]
        form: Option<why::Form>,
    },
    /// The Gradle plugin, compiled by kotlinc against stubs, and the command lines of its tasks
    #[command(after_help = "Example:\n  cargo xtask oracles gradle")]
    Gradle,
    /// All JSON that `pathlight` prints, by the schemas in docs/schema
    #[command(after_help = "Example:\n  cargo xtask oracles schemas")]
    Schemas,
    /// Pages of `report` in headless Chromium, beside what `decode` prints and what the tracer of
    /// tests/truth recorded
    #[command(after_help = "\
Example:
  cargo xtask oracles html --screenshots docs/pictures    # also renews the pictures")]
    Html {
        /// Write pictures of the main views into this folder
        #[arg(long, value_name = "DIR")]
        screenshots: Option<PathBuf>,
    },
}

/// A debug build of javac and D8, and what R8 makes: methods share their lines.
const FIXTURES: [&str; 2] = ["tether", "notes"];

/// Runs a task.
///
/// # Errors
/// Fails if something differs that must not.
pub fn run(task: OracleTask, here: &Workspace) -> Result<()> {
    here.packages(&["oracles"])?;
    match task {
        OracleTask::Apk(options) => {
            process::run(Command::new(here.path("tests/oracles/apk.sh")).args(options.arguments))
        }
        OracleTask::Dexdiff(options) => process::run(
            Command::new(here.path("tests/oracles/dexdiff.py")).args(options.arguments),
        ),
        OracleTask::Lines { apps } if apps.is_empty() => {
            let prebuilt = |name| here.path(format!("android-fixtures/{name}/prebuilt/{name}.apk"));
            lines(&FIXTURES.map(prebuilt), here)
        }
        OracleTask::Lines { apps } => lines(&apps, here),
        OracleTask::Retrace { mappings, allowed } if mappings.is_empty() => {
            retrace::run(here, &retrace::fixtures(here), allowed)
        }
        OracleTask::Retrace { mappings, allowed } => retrace::run(here, &mappings, allowed),
        OracleTask::Traces => traces::run(here),
        OracleTask::Compare(options) => compare::run(&options, here),
        OracleTask::Coverage { seeds } => coverage::run(here, &seeds),
        OracleTask::Profiles { seeds } => profiles::run(here, &seeds),
        OracleTask::Baseline { apps } => baseline::run(here, &apps),
        OracleTask::Splits => splits::run(here),
        OracleTask::Why { seeds, form } => why::run(here, &seeds, form),
        OracleTask::Device => device::run(here),
        OracleTask::Gradle => gradle::run(here),
        OracleTask::Schemas => {
            let mut judge = Command::new(here.path("tests/oracles/schemas.py"));
            process::run(judge.arg(here.pathlight()?).arg(&here.root))
        }
        OracleTask::Html { screenshots } => html::run(here, screenshots.as_deref()),
        OracleTask::DexdiffSelftest => {
            process::run(&mut Command::new(here.path("tests/oracles/dexdiff-selftest.sh")))
        }
    }
}

fn lines(apps: &[PathBuf], here: &Workspace) -> Result<()> {
    let work = scratch()?;
    for app in apps {
        let out = work.path().join("none.apk");
        let mut instrument = Command::new(here.pathlight()?);
        instrument.arg("instrument").arg(app).arg("-o").arg(&out);
        process::quietly(instrument.args(["--codec", "none", "--unsigned"]))?;
        process::run(Command::new(here.path("tests/oracles/lines.py")).arg(app).arg(&out))?;
    }
    println!("{} passed, 0 failed", apps.len());
    Ok(())
}
