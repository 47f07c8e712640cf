//! Reading logcat as it comes.

use std::io::{BufReader, Read};
use std::process::{Child, ChildStdout, Stdio};

use crate::DeviceError;
use crate::adb::{Phone, text};

/// The tag under which builds log.
pub const TAG: &str = "Pathlight";

/// A running `adb logcat`. It ends with this value.
#[derive(Debug)]
pub struct Logcat {
    child: Child,
    output: Option<BufReader<ChildStdout>>,
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
        Ok(Logcat { child, output })
    }
}

impl Logcat {
    /// The lines, once: a pipe that ends when the device goes away.
    pub fn output(&mut self) -> Option<BufReader<ChildStdout>> {
        self.output.take()
    }

    /// What adb says about its end; `None` if it ended well.
    pub fn ended(mut self) -> Option<String> {
        let status = self.child.wait().ok()?;
        let mut said = Vec::new();
        if let Some(mut errors) = self.child.stderr.take() {
            // It tells why in a line or two.
            let _ = errors.by_ref().take(1 << 16).read_to_end(&mut said);
        }
        let said = text(&said).trim().to_owned();
        (!status.success() || !said.is_empty()).then_some(said)
    }
}

impl Drop for Logcat {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
