//! `pathlight device pull`.

use std::path::PathBuf;

use device::Folder;

use super::{Logs, Which};
use crate::commands::Result;
use crate::print::{Printer, note, say};
use crate::progress::Progress;

/// Fetch the log files that an app has written.
#[derive(clap::Args)]
#[command(after_help = "\
The app may be running: its log is fetched as far as it is written. A file that is there from an
earlier time is replaced once the new one is whole.

Examples:
  pathlight device pull com.example.app -o logs
  pathlight device pull com.example.app -o logs --logs external -s emulator-5554
  pathlight decode --map app.plmap logs/pathlight-*.plt")]
pub struct Args {
    /// The app's package name.
    package: String,
    /// Write the files into this folder; it is made if need be.
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    #[command(flatten)]
    which: Which,
    /// Where the app writes: as `instrument --logs` said.
    #[arg(long, value_enum, default_value_t = Logs::Cache)]
    logs: Logs,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result {
    let package = device::package_name(&args.package)?;
    let phone = args.which.phone()?;
    let folder = Folder::from(args.logs);
    let mut told = Ok(());
    let progress = Progress::unless_printed(format_args!("fetching logs of {package}"));
    let pulled = phone.pull(package, folder, &args.output, |file| {
        told = std::mem::replace(&mut told, Ok(())).and(say!(out, "{}", file.told()));
    })?;
    drop(progress);
    told?;
    for name in &pulled.gone {
        note(format_args!(
            "{name}: the app deleted it meanwhile, to stay below its limit (--keep)"
        ));
    }
    if pulled.files.is_empty() {
        let place = match folder {
            Folder::Cache => "its cache folder",
            Folder::External => "its folder on shared storage",
        };
        return Err(format!(
            "{package} has no log in {place} on {}: was an instrumented build installed, and has it \
             run since? Builds with --sink logcat write none: see `pathlight device watch`",
            phone.serial()
        )
        .into());
    }
    Ok(())
}
