//! `pathlight device install`.

use std::path::PathBuf;

use apk::{AppSet, Container};
use device::{Install, Phone};

use super::Which;
use crate::commands::Result;
use crate::error::PathContext;
use crate::outputs::messages;
use crate::outputs::print::{Printer, show};
use crate::outputs::progress::Progress;

/// Install an app, whole or in parts. One that is there is replaced, and keeps its data.
#[derive(clap::Args)]
#[command(after_long_help = "\
adb is the program that ADB names, else that of ANDROID_HOME, else the first one on the PATH.

Examples:
  pathlight device install beta.apk
  pathlight device install base.apk split_config.de.apk -s emulator-5554
  pathlight device install beta.apks --grant")]
pub struct Args {
    /// An APK, all APKs of a split app, or an .apks, .xapk or .apkm archive of them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    which: Which,
    /// Also install apps that are for tests only (android:testOnly).
    #[arg(long)]
    test_only: bool,
    /// Also replace a newer version. Android allows it for debuggable apps.
    #[arg(long)]
    downgrade: bool,
    /// Grant all permissions that the app asks for in its manifest.
    #[arg(long)]
    grant: bool,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result {
    let how = Install { test_only: args.test_only, downgrade: args.downgrade, grant: args.grant };
    let phone = || args.which.phone();
    let (package, parts, phone) = install(&args.files, phone, how)?;
    let parts = if parts == 1 { String::new() } else { format!(" ({parts} APKs)") };
    show!(out, "installed {package}{parts} on {}", phone.serial())?;
    Ok(())
}

/// Installs an app; gives its package, how many APKs it has, and the device.
pub fn install(
    files: &[PathBuf],
    phone: impl FnOnce() -> Result<Phone>,
    how: Install,
) -> Result<(String, usize, Phone)> {
    let set = AppSet::read(files)?;
    let (file, base) = (files[0].display(), set.base());
    let package = match (base.container(), base.manifest()) {
        (Container::Apk, Some(manifest)) => manifest.package.clone(),
        (Container::Bundle, _) => {
            return Err(format!(
                "{file}: devices install no app bundles: make APKs of it with bundletool build-apks"
            )
            .into());
        }
        _ => return Err(format!("{file}: not an Android app: it has no manifest").into()),
    };
    if (0..set.packages().len()).any(|n| set.first_of(n) != n) {
        return Err(format!(
            "{file}: it holds splits for several kinds of devices; bundletool install-apks \
             --apks {file} chooses those of this one"
        )
        .into());
    }
    let phone = phone()?;
    let unpacked = disk::TemporaryFolder::new()?;
    let apks = if set.is_archive() {
        let mut apks = vec![];
        for (number, apk) in set.packages().iter().enumerate() {
            let split = apk.manifest().and_then(|m| m.split_name()).unwrap_or("base");
            // A split's name is the app's own: it may not lead out of the folder.
            let name: String = split
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' })
                .collect();
            let path = unpacked.path().join(format!("{number}-{name}.apk"));
            std::fs::write(&path, apk.bytes()).at(&path)?;
            apks.push(path);
        }
        apks
    } else {
        files.to_vec()
    };
    let progress = Progress::new(format_args!("installing {package} on {}", phone.serial()));
    phone.install(&apks, how).map_err(|error| messages::device_failed(&error))?;
    drop(progress);
    Ok((package, apks.len(), phone))
}
