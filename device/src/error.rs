//! Failures between this program and a device, one clear line each.

use std::io;
use std::path::PathBuf;

use crate::adb::Listed;
use crate::install::InstallRefused;

/// Reasons why a device did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// No adb in any of the usual folders.
    #[error(
        "no adb found: install Android's platform-tools (Debian: apt install adb), or set ADB to \
         the program or ANDROID_HOME to the SDK"
    )]
    NoAdb,
    /// `$ADB` names no program.
    #[error("ADB names {}, which cannot be run", .0.display())]
    NotAProgram(PathBuf),
    /// adb could not be started, or its output not be read.
    #[error("{}: {error}", adb.display())]
    Start {
        /// The program.
        adb: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// adb ended with an error.
    #[error("adb {command} failed: {printed}")]
    Failed {
        /// The command.
        command: String,
        /// Its output.
        printed: String,
    },
    /// adb printed nothing for too long.
    #[error(
        "adb {command} printed nothing for {seconds} s and was ended: unlock the device, plug it \
         in again, or restart adb with `adb kill-server`"
    )]
    Silent {
        /// The command.
        command: String,
        /// The time.
        seconds: u64,
    },
    /// The app cannot be started as its icon does.
    #[error(
        "{package} is installed, but has no activity that starts it: open it on the device by hand"
    )]
    NotLaunched {
        /// The app.
        package: String,
    },
    /// No device is connected.
    #[error(
        "no device: connect one with USB debugging switched on, start an emulator, or \
         `adb connect HOST:PORT`"
    )]
    NoDevice,
    /// Several are connected.
    #[error("several devices, choose one with -s SERIAL: {}{}", list(.0), twice(.0))]
    Several(Vec<Listed>),
    /// The device that was asked for is not connected.
    #[error("no device {serial}{}", among(others))]
    Unknown {
        /// Its serial number.
        serial: String,
        /// The connected devices.
        others: Vec<Listed>,
    },
    /// A device is connected, and cannot be used.
    #[error("device {} is {}: {}", .0.serial, .0.state, advice(&.0.state))]
    Unusable(Listed),
    /// The device refused an app.
    #[error("{}: {refused}", files.join(", "))]
    Install {
        /// The APKs.
        files: Vec<String>,
        /// The reason.
        refused: InstallRefused,
    },
    /// `run-as` does not let us into the app's folder.
    #[error("{package}: {printed}. {}", run_as_advice(printed))]
    RunAs {
        /// The app.
        package: String,
        /// Output of `run-as`.
        printed: String,
    },
    /// No package has such a name.
    #[error("{0:?} is no package name: letters, digits and _, with dots between (com.example.app)")]
    NoPackageName(String),
    /// The device names a file as the runtime would not.
    #[error("{package} has a file {name:?}, which no Pathlight build wrote; nothing was fetched")]
    FileName {
        /// The app.
        package: String,
        /// The name.
        name: String,
    },
    /// The connection broke in the middle of a file.
    #[error("{name}: the device went away in the middle of it; the file was not written")]
    Cut {
        /// The log.
        name: String,
    },
    /// A file is larger than builds write it.
    #[error(
        "{name}: larger than {mib} MiB, the limit of this build's files; the file was not written"
    )]
    TooLarge {
        /// The log.
        name: String,
        /// The limit.
        mib: u32,
    },
    /// A file came that is not of the kind that its name names.
    #[error("{name}: what the device sent is no {kind}: {why}; the file was not written{begin}")]
    NotALog {
        /// The log.
        name: String,
        /// The kind that its name names.
        kind: &'static str,
        /// The reason.
        why: String,
        /// Its begin, if that is text.
        begin: String,
    },
    /// A file of another kind is where a log should go.
    #[error(
        "{}: no log of this app's; it is left as it is. Delete it or choose another folder",
        .0.display()
    )]
    Occupied(PathBuf),
    /// A file or folder could not be written.
    #[error("{}: {error}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

impl DeviceError {
    /// Returns whether other files may be fetched all the same.
    pub(crate) fn is_of_one_file(&self) -> bool {
        use DeviceError::{NotALog, Occupied, TooLarge};
        matches!(self, NotALog { .. } | Occupied(_) | TooLarge { .. })
    }
}

fn list(devices: &[Listed]) -> String {
    devices.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// A hint for devices over the network.
fn twice(devices: &[Listed]) -> &'static str {
    let is_network = |device: &Listed| device.serial.contains([':']) || device.is_by_mdns();
    match devices.iter().filter(|d| is_network(d)).count() {
        2.. => ". Over the network adb may list one device twice: then either will do",
        _ => "",
    }
}

fn among(others: &[Listed]) -> String {
    if others.is_empty() {
        "; none is connected".into()
    } else {
        format!("; connected: {}", list(others))
    }
}

fn advice(state: &str) -> &'static str {
    match state {
        "unauthorized" => "confirm this computer on its screen",
        "authorizing" => {
            "adb is asking it: unlock it, confirm this computer on its screen, try again"
        }
        "connecting" => "adb has just found it: try again",
        "recovery" | "rescue" | "sideload" => "start Android on it with `adb reboot`",
        "bootloader" => "start Android on it with `fastboot reboot`",
        "detached" => "another adb uses it: attach it with `adb attach`",
        "offline" => "plug it in again, or restart adb with `adb kill-server`",
        "no permissions" => "this user may not use it over USB: see its udev rules",
        _ => "start Android on it",
    }
}

/// Advice on the messages of `run-as` about packages: `run-as.cpp` of the platform.
fn run_as_advice(printed: &str) -> &'static str {
    if printed.contains("not debuggable") {
        "Android opens folders of debuggable apps only"
    } else if printed.contains("unknown") {
        "Is it installed? `adb shell pm list packages` lists what is"
    } else {
        "Is it installed, and debuggable?"
    }
}
