//! Phones and emulators, over the `adb` that the user has: installs apps, fetches log files, reads
//! logcat. It knows names of files and packages, not what logs hold.
//!
//! Every call starts `adb` and reads what it prints; its server finds the devices. What a device
//! sends is untrusted: names of files are checked, and a file appears under its name once it is
//! whole.

mod adb;
mod error;
mod install;
mod logcat;
mod pull;

pub use adb::{Adb, Listed, Phone};
pub use error::DeviceError;
pub use install::{Install, InstallRefused};
pub use logcat::{Logcat, TAG};
pub use pull::{Folder, LogFile, Pulled, package_name};
