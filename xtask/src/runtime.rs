//! The Java classes that go into apps.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use crate::compilers::{files_below, javac, r8};
use crate::error::{Error, PathContext, Result};
use crate::files::scratch;
use crate::process::quietly;
use crate::workspace::Workspace;

const PREBUILT: &str = "runtime/prebuilt/runtime.dex";

/// Tasks of the runtime.
#[derive(Subcommand)]
pub enum RuntimeTask {
    /// Builds runtime/prebuilt/runtime.dex from its sources: javac, D8
    #[command(after_help = "Example:\n  cargo xtask runtime build --out /tmp/runtime.dex")]
    Build {
        /// File to write instead of the committed one
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Builds it aside and compares the bytes with the committed file
    #[command(after_help = "Example:\n  cargo xtask runtime check")]
    Check,
}

/// Runs a task.
///
/// # Errors
/// Fails if the sources do not build, or give other bytes.
pub fn run(task: RuntimeTask, here: &Workspace) -> Result<()> {
    match task {
        RuntimeTask::Build { out } => build(&out.unwrap_or_else(|| here.path(PREBUILT)), here),
        RuntimeTask::Check => {
            let work = scratch()?;
            let made = work.path().join("runtime.dex");
            build(&made, here)?;
            let committed = here.path(PREBUILT);
            if fs::read(&made).at(&made)? == fs::read(&committed).at(&committed)? {
                println!("{PREBUILT}: as built");
                return Ok(());
            }
            Err(Error::Wrong(format!(
                "{PREBUILT}: the sources give other bytes; `cargo xtask runtime build`"
            )))
        }
    }
}

fn build(out: &Path, here: &Workspace) -> Result<()> {
    here.packages(&["fixtures"])?;
    let work = scratch()?;
    let classes = work.path().join("classes");
    // What Clock names of Android; none of it goes into the output.
    let stubs = here.path("runtime/stubs").display().to_string();
    let options = ["-g:none", "-Xlint:all,-options", "-implicit:none", "-sourcepath", &stubs];
    javac(&here.path("runtime/src"), &classes, &options, None)?;
    // No library on D8's class path: nothing in these classes needs desugaring, and nothing must
    // look as if it did.
    let mut d8 = r8(here, "D8")?;
    d8.args(["--release", "--no-desugaring", "--min-api", "19", "--output"]).arg(work.path());
    quietly(d8.args(files_below(&classes, "class")?))?;
    fs::copy(work.path().join("classes.dex"), out).at(out).map(drop)
}
