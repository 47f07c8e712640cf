//! `pathlight device`.

mod install;
mod pull;
mod record;
mod watch;

use decoder::Damage;
use device::{Adb, Folder, Phone};

use super::Result;
use crate::outputs::print::Printer;

/// The commands of `pathlight device`.
#[derive(clap::Subcommand)]
pub enum DeviceCommand {
    /// Record a session: instrument, install, launch, wait, fetch the logs, write a page.
    Record(record::Args),
    /// Install an app, whole or in parts. An installed app is replaced, and keeps its data.
    Install(install::Args),
    /// Fetch the log files that an app has written.
    Pull(pull::Args),
    /// Decode logcat as it comes: for builds with --sink logcat.
    Watch(watch::Args),
}

/// Runs the command.
pub fn run(command: &DeviceCommand, out: &mut Printer) -> Result<Damage> {
    match command {
        DeviceCommand::Record(args) => record::run(args, out),
        DeviceCommand::Install(args) => install::run(args, out).map(|()| Damage::NONE),
        DeviceCommand::Pull(args) => pull::run(args, out),
        DeviceCommand::Watch(args) => watch::run(args, out),
    }
}

/// The device to use.
#[derive(clap::Args)]
struct Which {
    /// Use the device with this serial number, as `adb devices` lists it. Default: that of
    /// ANDROID_SERIAL, or the only one.
    #[arg(short, long, value_name = "SERIAL")]
    serial: Option<String>,
}

impl Which {
    fn phone(&self) -> Result<Phone> {
        Ok(Adb::find()?.choose(self.serial.as_deref())?)
    }
}

/// A folder that the app writes to.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Logs {
    /// Its cache folder, which Android opens to adb for debuggable apps
    Cache,
    /// Its folder on shared storage
    External,
}

impl From<Logs> for Folder {
    fn from(logs: Logs) -> Folder {
        match logs {
            Logs::Cache => Folder::Cache,
            Logs::External => Folder::External,
        }
    }
}
