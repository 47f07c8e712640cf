//! Finding `adb`, running it, and choosing a device.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::DeviceError;
use crate::child::{Broken, Limits, run};

const PROGRAM: &str = if cfg!(windows) { "adb.exe" } else { "adb" };

/// The longest time that adb may print nothing: it starts its server first if need be.
pub(crate) const SILENCE: Duration = Duration::from_secs(20);
/// Bytes of the longest answer that is accepted.
const LONGEST_ANSWER: u64 = 1 << 20;

/// States of a device, as adb's `to_string(ConnectionState)` names them.
const STATES: [&str; 13] = [
    "device",
    "offline",
    "unauthorized",
    "authorizing",
    "connecting",
    "recovery",
    "rescue",
    "sideload",
    "bootloader",
    "host",
    "detached",
    "unknown",
    "no",
];

/// The user's adb.
#[derive(Debug, Clone)]
pub struct Adb {
    program: PathBuf,
}

/// A line of `adb devices -l`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Serial number, or `HOST:PORT`.
    pub serial: String,
    /// `device` when it can be used.
    pub state: String,
    /// Its model, if adb knows it.
    pub model: Option<String>,
}

impl Listed {
    /// True if Android runs on it and lets us in.
    pub fn is_usable(&self) -> bool {
        self.state == "device"
    }

    /// Returns whether adb found it by its name in the network.
    pub(crate) fn is_by_mdns(&self) -> bool {
        self.serial.contains("._adb")
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.serial)?;
        if let Some(model) = &self.model {
            write!(f, " ({model})")?;
        }
        if self.is_usable() { Ok(()) } else { write!(f, ", {}", self.state) }
    }
}

impl Adb {
    /// The program that `$ADB` names, else that of the SDK (`$ANDROID_HOME`, `$ANDROID_SDK_ROOT`),
    /// else the first one on `$PATH`.
    ///
    /// # Errors
    /// There is none.
    pub fn find() -> Result<Adb, DeviceError> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        Adb::find_in(set)
    }

    /// The same with these variables.
    pub(crate) fn find_in(set: impl Fn(&str) -> Option<OsString>) -> Result<Adb, DeviceError> {
        if let Some(named) = set("ADB") {
            let program = PathBuf::from(named);
            // A bare name is looked for on the path, as a shell would.
            let found = if program.components().count() == 1 {
                on_path(set("PATH"), &program)
            } else {
                Some(program.clone()).filter(|p| p.is_file())
            };
            return match found {
                Some(program) => Ok(Adb { program }),
                None => Err(DeviceError::NotAProgram(program)),
            };
        }
        ["ANDROID_HOME", "ANDROID_SDK_ROOT"]
            .iter()
            .filter_map(|name| set(name))
            .map(|sdk| Path::new(&sdk).join("platform-tools").join(PROGRAM))
            .find(|program| program.is_file())
            .or_else(|| on_path(set("PATH"), Path::new(PROGRAM)))
            .map(|program| Adb { program })
            .ok_or(DeviceError::NoAdb)
    }

    /// Path of the program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Its version, as it names it: `1.0.41 (29.0.6-debian)`.
    ///
    /// # Errors
    /// It does not run.
    pub fn version(&self) -> Result<String, DeviceError> {
        let out = text(&self.run([OsStr::new("version")])?.output);
        let after = |start: &str| {
            out.lines().find_map(|l| l.strip_prefix(start)).map(|rest| rest.trim().to_owned())
        };
        match (after("Android Debug Bridge version"), after("Version")) {
            (Some(bridge), Some(tools)) => Ok(format!("{bridge} ({tools})")),
            (Some(version), None) => Ok(version),
            _ => Err(self.failed("version", &out)),
        }
    }

    /// All devices that it sees, usable or not. Starts its server if none runs.
    ///
    /// # Errors
    /// It does not run, or fails.
    pub fn devices(&self) -> Result<Vec<Listed>, DeviceError> {
        let out = self.run(["devices", "-l"].map(OsStr::new))?;
        if !out.is_success {
            return Err(self.failed("devices -l", &out.words()));
        }
        Ok(text(&out.output).lines().filter_map(listed).collect())
    }

    /// The device with this serial number; without one that of `$ANDROID_SERIAL`, else the only one
    /// that can be used.
    ///
    /// # Errors
    /// There is no such device, or more than one.
    pub fn choose(&self, serial: Option<&str>) -> Result<Phone, DeviceError> {
        let variable = std::env::var("ANDROID_SERIAL").ok().filter(|s| !s.is_empty());
        let devices = self.devices()?;
        let chosen = pick(devices, serial.or(variable.as_deref()))?;
        Ok(Phone { adb: self.clone(), serial: chosen.serial })
    }

    fn run<const N: usize>(&self, args: [&OsStr; N]) -> Result<AdbOutput, DeviceError> {
        let mut command = self.command();
        command.args(args);
        self.answer(command, &args[0].to_string_lossy(), SILENCE)
    }

    /// Runs a command and keeps what it prints; messages call it `name`.
    pub(crate) fn answer(
        &self,
        command: Command,
        name: &str,
        silence: Duration,
    ) -> Result<AdbOutput, DeviceError> {
        let mut output = Vec::new();
        let limits = Limits { silence, bytes: LONGEST_ANSWER };
        let ended = run(command, limits, |piece| {
            output.extend_from_slice(piece);
            Ok(())
        });
        let ended = ended.map_err(|broken| match broken {
            Broken::TooMuch => self.failed(name, "it printed more than 1 MiB"),
            broken => self.broken(name, silence, broken),
        })?;
        Ok(AdbOutput { is_success: ended.is_success, output, errors: ended.errors })
    }

    /// The error of a command that did not end by itself.
    pub(crate) fn broken(&self, name: &str, silence: Duration, broken: Broken) -> DeviceError {
        match broken {
            Broken::Start(error) | Broken::Taken(error) => self.start(error),
            Broken::Silent => {
                DeviceError::Silent { command: name.into(), seconds: silence.as_secs() }
            }
            Broken::TooMuch => self.failed(name, "it printed too much"),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.stdin(Stdio::null());
        command
    }

    pub(crate) fn start(&self, error: std::io::Error) -> DeviceError {
        DeviceError::Start { adb: self.program.clone(), error }
    }

    pub(crate) fn failed(&self, command: &str, printed: &str) -> DeviceError {
        let printed = printed.trim();
        let printed = if printed.is_empty() { "it printed nothing" } else { printed };
        DeviceError::Failed { command: command.into(), printed: printed.into() }
    }
}

/// Output of a command.
#[derive(Debug)]
pub(crate) struct AdbOutput {
    pub is_success: bool,
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
}

impl AdbOutput {
    /// Its errors if there are some, else its output.
    pub fn words(&self) -> String {
        let errors = text(&self.errors);
        if errors.trim().is_empty() { text(&self.output) } else { errors }
    }
}

/// One device.
#[derive(Debug, Clone)]
pub struct Phone {
    pub(crate) adb: Adb,
    serial: String,
}

impl Phone {
    /// Its serial number.
    pub fn serial(&self) -> &str {
        &self.serial
    }

    /// `adb` for this device, with these arguments.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = self.adb.command();
        command.arg("-s").arg(&self.serial).args(args);
        command
    }

    /// True if adb still sees it.
    pub fn is_there(&self) -> bool {
        let devices = self.adb.devices().unwrap_or_default();
        devices.iter().any(|d| d.serial == self.serial && d.is_usable())
    }
}

fn on_path(path: Option<OsString>, program: &Path) -> Option<PathBuf> {
    std::env::split_paths(&path?).map(|folder| folder.join(program)).find(|p| p.is_file())
}

/// A line of the list: serial number, state, and `key:value` pairs. A serial number may have spaces
/// (mDNS names a second device "… (2)"), so the state is the first known word after it.
fn listed(line: &str) -> Option<Listed> {
    // "* daemon started successfully", "List of devices attached".
    if line.starts_with('*') || line.starts_with("List of devices") {
        return None;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let known = |word: &&str| STATES.contains(word);
    let at = 1 + words.iter().skip(1).position(known).unwrap_or(0);
    let (serial, rest) = words.split_at_checked(at)?;
    let state = if rest.first() == Some(&"no") { "no permissions" } else { rest.first()? };
    let model = rest.iter().find_map(|word| word.strip_prefix("model:"));
    Some(Listed {
        serial: serial.join(" "),
        state: state.to_owned(),
        model: model.map(|m| m.replace('_', " ")),
    })
}

fn pick(devices: Vec<Listed>, serial: Option<&str>) -> Result<Listed, DeviceError> {
    if let Some(serial) = serial {
        return match devices.iter().find(|d| d.serial == serial) {
            Some(device) if device.is_usable() => Ok(device.clone()),
            Some(device) => Err(DeviceError::Unusable(device.clone())),
            None => Err(DeviceError::Unknown { serial: serial.into(), others: devices }),
        };
    }
    let (mut usable, others): (Vec<_>, Vec<_>) = devices.into_iter().partition(Listed::is_usable);
    match (usable.len(), others.into_iter().next()) {
        (1, _) => Ok(usable.remove(0)),
        (0, Some(other)) => Err(DeviceError::Unusable(other)),
        (0, None) => Err(DeviceError::NoDevice),
        _ => Err(DeviceError::Several(usable)),
    }
}

/// Output as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\r', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as `adb devices -l` of versions 29 and 35 writes them.
    const LISTS: &str = "\
* daemon not running; starting now at tcp:5037
* daemon started successfully
List of devices attached
emulator-5554          device product:sdk_gphone64 model:sdk_gphone64_x86_64 transport_id:1
0123456789ABCDEF       unauthorized usb:1-1 transport_id:2
10.0.0.7:5555          offline
HT4CJ0203660           no permissions (user in plugdev group; are your udev rules wrong?)

";

    fn all() -> Vec<Listed> {
        LISTS.lines().filter_map(listed).collect()
    }

    #[test]
    fn lists_are_read_with_states_and_models() {
        let shown: Vec<String> = all().iter().map(ToString::to_string).collect();
        let expected = [
            "emulator-5554 (sdk gphone64 x86 64)",
            "0123456789ABCDEF, unauthorized",
            "10.0.0.7:5555, offline",
            "HT4CJ0203660, no permissions",
        ];
        assert_eq!(shown, expected);
    }

    /// As adb 37 lists a phone over Wi-Fi that another one has the name of, and phones that start.
    #[test]
    fn a_state_is_the_first_known_word_after_the_serial_number() {
        let list = [
            "adb-2233fd19-9mU6UL (2)._adb-tls-connect._tcp device product:x model:Pixel_10a",
            "0123 authorizing transport_id:1",
            "0123 recovery transport_id:1",
            "0123 something-new transport_id:1",
        ];
        let listed = list.map(|line| listed(line).expect("a device"));
        let parts = listed.each_ref().map(|d| (d.serial.as_str(), d.state.as_str()));
        let expected = [
            ("adb-2233fd19-9mU6UL (2)._adb-tls-connect._tcp", "device"),
            ("0123", "authorizing"),
            ("0123", "recovery"),
            ("0123", "something-new"),
        ];
        assert_eq!(parts, expected);
        assert_eq!(listed[0].model.as_deref(), Some("Pixel 10a"));
    }

    #[test]
    fn advice_fits_the_state() {
        for (state, words) in [
            ("authorizing", "confirm"),
            ("recovery", "reboot"),
            ("sideload", "reboot"),
            ("bootloader", "fastboot reboot"),
            ("connecting", "again"),
        ] {
            let device = Listed { serial: "0123".into(), state: state.into(), model: None };
            let error = pick(vec![device], None).expect_err("not usable").to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn the_only_usable_device_is_chosen() {
        assert_eq!(pick(all(), None).expect("one").serial, "emulator-5554");
    }

    #[test]
    fn of_several_devices_none_is_chosen() {
        let mut devices = all();
        devices[1].state = "device".into();
        let error = pick(devices, None).expect_err("two").to_string();
        assert_eq!(
            error,
            "several devices, choose one with -s SERIAL: emulator-5554 (sdk gphone64 x86 64); \
             0123456789ABCDEF"
        );
    }

    #[test]
    fn a_device_that_cannot_be_used_is_named_with_what_to_do() {
        let error = pick(all(), Some("0123456789ABCDEF")).expect_err("unauthorized").to_string();
        assert_eq!(
            error,
            "device 0123456789ABCDEF is unauthorized: confirm this computer on its screen"
        );
        assert!(matches!(pick(vec![], None), Err(DeviceError::NoDevice)));
        assert!(matches!(pick(all(), Some("x")), Err(DeviceError::Unknown { .. })));
    }

    #[test]
    fn adb_is_looked_for_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let make = |path: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(&path, "").expect("written");
            path
        };
        let sdk = make("sdk/platform-tools/adb");
        let on_path = make("bin/adb");
        let named = make("mine/adb");
        let find = |variables: &[(&str, &Path)]| {
            let set = |name: &str| {
                variables.iter().find(|v| v.0 == name).map(|v| v.1.as_os_str().to_owned())
            };
            Adb::find_in(set).map(|adb| adb.program)
        };
        let (home, path) = (folder.path().join("sdk"), folder.path().join("bin"));
        let all = [("ADB", &*named), ("ANDROID_HOME", &*home), ("PATH", &*path)];
        assert_eq!(find(&all).expect("found"), named);
        assert_eq!(find(&all[1..]).expect("found"), sdk);
        assert_eq!(find(&all[2..]).expect("found"), on_path);
        assert!(matches!(find(&[]), Err(DeviceError::NoAdb)));
        let missing = folder.path().join("none/adb");
        let wrong = find(&[("ADB", &missing), ("PATH", &path)]);
        assert!(matches!(wrong, Err(DeviceError::NotAProgram(_))));
    }
}
