//! Phones and emulators, over the `adb` that the user has: installs apps, fetches log files, reads
//! logcat. Of log formats it knows only the checks that distinguish a whole log from another file.
//!
//! Every call starts `adb` and reads what it prints, for a limited time; its server finds the
//! devices. What a device sends is untrusted: names of files are checked, and a file appears under
//! its name once it is whole, of the kind that its name names, and no worse than the copy that is
//! there.

mod adb;
mod check;
mod child;
mod error;
mod install;
mod launch;
mod logcat;
mod pull;

pub use adb::{Adb, Listed, Phone};
pub use error::DeviceError;
pub use install::{Install, InstallRefused};
pub use logcat::{Logcat, TAG};
pub use pull::{Flaw, Folder, LogFile, Pulled, package_name};
