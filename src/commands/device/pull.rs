//! `pathlight device pull`.

use std::path::PathBuf;

use decoder::Damage;
use device::Folder;

use super::{Logs, Which};
use crate::commands::Result;
use crate::outputs::messages;
use crate::outputs::print::{Printer, note, show};
use crate::outputs::progress::Progress;

/// Fetch the log files that an app has written.
#[derive(clap::Args)]
#[command(after_long_help = "\
The app may be running: its log is fetched as far as it is written. Each file is checked before it
takes its name. One that is there from an earlier time is replaced by one that has as much and is no
more damaged; else both stay, the new one as NAME.damaged, .shorter or .other.

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
    /// Folder that the app writes to, as given to `instrument --logs`.
    #[arg(long, value_enum, default_value_t = Logs::Cache)]
    logs: Logs,
    /// Fetch no file of more than this many MiB: as `instrument --cap`, if the build had a larger
    /// one. Default: what all files of an app may have together (`instrument --log-quota`).
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=2047))]
    cap: u32,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let package = device::package_name(&args.package)?;
    let phone = args.which.phone()?;
    let folder = Folder::from(args.logs);
    let mut printed = Ok(());
    let progress = Progress::unless_printed(format_args!("fetching logs of {package}"));
    let pulled = phone.pull(package, folder, (args.output.as_path(), args.cap), |file| {
        printed = std::mem::replace(&mut printed, Ok(())).and(show!(out, "{}", file.summary()));
    });
    let pulled = pulled.map_err(|error| messages::device_failed(&error))?;
    drop(progress);
    printed?;
    for name in &pulled.gone {
        note(format_args!(
            "{name}: the app deleted it meanwhile, to stay below its limit (--keep)"
        ));
    }
    let mut damage = Damage::NONE;
    for file in &pulled.files {
        if let Some(flaw) = &file.flaw {
            note(format_args!("{}: {flaw}", file.path.display()));
            damage += Damage::problems(1);
        }
    }
    for problem in &pulled.failed {
        note(messages::device_failed(problem));
        damage += Damage::problems(1);
    }
    if pulled.files.is_empty() && pulled.failed.is_empty() {
        let place = match folder {
            Folder::Cache => "its cache folder",
            Folder::External => "its folder on shared storage",
        };
        return Err(format!(
            "{package} has no log in {place} on {}: was an instrumented build installed, and has \
             it run since? Builds with --sink logcat write none: see `pathlight device watch`",
            phone.serial()
        )
        .into());
    }
    Ok(damage)
}
