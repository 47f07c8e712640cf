//! Reading logcat as it comes.

use std::io::BufReader;
use std::process::{Child, ChildStdout, Stdio};

use crate::DeviceError;
use crate::adb::{Phone, SILENCE, text};
use crate::child::{Errors, end, wait};

/// The tag under which builds log.
pub const TAG: &str = "Pathlight";

/// A running `adb logcat`. It ends with this value.
#[derive(Debug)]
pub struct Logcat {
    child: Child,
    output: Option<BufReader<ChildStdout>>,
    errors: Option<Errors>,
}

impl Phone {
    /// Starts to read what builds log: first what the device still has, then what comes.
    ///
    /// # Errors
    /// adb cannot be started.
    pub fn logcat(&self) -> Result<Logcat, DeviceError> {
        let only = format!("{TAG}:V");
        let mut command = self.command(["logcat", "-v", "threadtime", &only, "*:S"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| self.adb.start(e))?;
        let output = child.stdout.take().map(BufReader::new);
        let errors = child.stderr.take().map(Errors::of);
        Ok(Logcat { child, output, errors })
    }
}

impl Logcat {
    /// The lines, once: a pipe that ends when the device goes away.
    pub fn output(&mut self) -> Option<BufReader<ChildStdout>> {
        self.output.take()
    }

    /// Message of adb about its end; `None` if it ended well.
    pub fn ended(mut self) -> Option<String> {
        let is_success = wait(&mut self.child, SILENCE).is_some_and(|status| status.success());
        let printed = self.errors.take().map(Errors::take).unwrap_or_default();
        let printed = text(&printed).trim().to_owned();
        (!is_success || !printed.is_empty()).then_some(printed)
    }
}

impl Drop for Logcat {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}
