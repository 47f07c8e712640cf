//! Starting an app.

use crate::DeviceError;
use crate::adb::{Phone, SILENCE, text};

impl Phone {
    /// Starts an app as its icon does: `am start` makes an intent of a package's name that asks for
    /// its launcher activity (`Intent.parseCommandArgs`). `package` is a checked name
    /// ([`package_name`](crate::package_name)).
    ///
    /// # Errors
    /// The app has no such activity, or the device goes away.
    pub fn launch(&self, package: &str) -> Result<(), DeviceError> {
        let command = self.command(["shell", "am", "start", package]);
        let answer = self.adb.answer(command, "shell am start", SILENCE)?;
        // adb hands on no exit status of old devices, and `am` prints errors on either output.
        let printed = text(&answer.output) + &text(&answer.errors);
        let error = printed.lines().find(|line| line.contains("Error"));
        match error {
            None if answer.is_success => Ok(()),
            None => Err(self.adb.failed("shell am start", &printed)),
            Some(_) => Err(DeviceError::NotLaunched { package: package.into() }),
        }
    }
}
