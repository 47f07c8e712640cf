//! Installing an app, whole or in parts.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::DeviceError;
use crate::adb::Phone;

/// A large app is sent, checked and compiled without a word.
const SILENCE: Duration = Duration::from_secs(600);

/// Options of an installation. An installed app is replaced, and keeps its data.
#[derive(Debug, Clone, Copy, Default)]
pub struct Install {
    /// Also apps that only tests may install (`android:testOnly`).
    pub test_only: bool,
    /// Also over a newer version (debuggable apps only).
    pub downgrade: bool,
    /// Grant all permissions that its manifest asks for.
    pub grant: bool,
}

impl Phone {
    /// Installs one app: an APK, or the base and the splits of one.
    ///
    /// # Errors
    /// The device refuses it, or goes away.
    pub fn install(&self, apks: &[PathBuf], how: Install) -> Result<(), DeviceError> {
        let command = if apks.len() == 1 { "install" } else { "install-multiple" };
        let mut run = self.command([command, "-r"]);
        for (flag, set) in [("-t", how.test_only), ("-d", how.downgrade), ("-g", how.grant)] {
            if set {
                run.arg(flag);
            }
        }
        run.args(apks);
        let answer = self.adb.answer(run, command, SILENCE)?;
        let printed = answer.words();
        // Old versions end with 0, whatever happened.
        match InstallRefused::of(&printed) {
            Some(refused) => {
                let files = apks.iter().map(|f| f.display().to_string()).collect();
                Err(DeviceError::Install { files, refused })
            }
            None if answer.is_success => Ok(()),
            None => Err(self.adb.failed(command, &printed)),
        }
    }
}

/// The package manager's reason to refuse an app: its own code, and its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallRefused {
    /// `INSTALL_FAILED_…` or `INSTALL_PARSE_FAILED_…`.
    pub code: String,
    words: String,
}

impl InstallRefused {
    /// Looks for `Failure [CODE: words]` in what adb printed.
    fn of(output: &str) -> Option<InstallRefused> {
        let words = output.split_once("Failure [")?.1;
        let words = words.split_once(']').map_or(words, |(inside, _)| inside);
        let code = words.split([':', ' ']).next().unwrap_or_default().to_owned();
        Some(InstallRefused { code, words: words.trim().to_owned() })
    }

    fn advice(&self) -> Option<&'static str> {
        Some(match self.code.as_str() {
            "INSTALL_FAILED_UPDATE_INCOMPATIBLE" => {
                "the app is installed with another signature. Sign with its key, or \
                 remove it with `adb uninstall PACKAGE`: its data is removed with it"
            }
            "INSTALL_FAILED_VERSION_DOWNGRADE" => "a newer version is there",
            "INSTALL_FAILED_TEST_ONLY" => "it is for tests only",
            "INSTALL_FAILED_MISSING_SPLIT" => "give all APKs of the app at once",
            "INSTALL_FAILED_NO_MATCHING_ABIS" => {
                "its native libraries are for other processors than the device's"
            }
            "INSTALL_FAILED_INSUFFICIENT_STORAGE" => "the device is full",
            "INSTALL_FAILED_OLDER_SDK" => "the device's Android is older than the app's minSdk",
            _ => return None,
        })
    }
}

impl fmt::Display for InstallRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused: {}", self.words)?;
        self.advice().map_or(Ok(()), |advice| write!(f, " ({advice})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As adb 29 and 35 print it.
    #[test]
    fn a_refusal_is_reported_with_its_cure() {
        let output = "Performing Streamed Install\nadb: failed to install a.apk: Failure \
                      [INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code 1 \
                      is older than current 2]\n";
        let refused = InstallRefused::of(output).expect("refused");
        assert_eq!(refused.code, "INSTALL_FAILED_VERSION_DOWNGRADE");
        assert_eq!(
            refused.to_string(),
            "refused: INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code 1 \
             is older than current 2 (a newer version is there)"
        );
        assert_eq!(InstallRefused::of("Performing Streamed Install\nSuccess\n"), None);
        let bare = InstallRefused::of("Failure [DELETE_FAILED_INTERNAL_ERROR]").expect("refused");
        assert_eq!(bare.code, "DELETE_FAILED_INTERNAL_ERROR");
    }
}
