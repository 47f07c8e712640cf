//! The Debian package.

use std::env::consts::ARCH;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::content::{Content, debian_architecture};
use super::{file_name, gzip, place, place_text};
use crate::error::{PathContext, Result};
use crate::files::sorted;
use crate::process::output;

/// Writes `pathlight_VERSION_ARCHITECTURE.deb`.
///
/// # Errors
/// Fails if a file cannot be written or `dpkg-deb` fails.
pub fn write(content: &Content, folder: &Path) -> Result<PathBuf> {
    let root = content.empty_folder(&format!("deb-{ARCH}"))?;
    place(&content.binary, &root.join("usr/bin/pathlight"))?;
    for page in &content.man {
        let copy = root.join("usr/share/man/man1").join(file_name(page));
        place(page, &copy)?;
        gzip(&copy)?;
    }
    let homes = [
        "usr/share/bash-completion/completions/pathlight",
        "usr/share/zsh/vendor-completions/_pathlight",
        "usr/share/fish/vendor_completions.d/pathlight.fish",
    ];
    for (script, home) in content.completions.iter().zip(homes) {
        place(script, &root.join(home))?;
    }
    let documents = root.join("usr/share/doc/pathlight");
    place(&content.readme, &documents.join("README.md"))?;
    for file in &content.licences {
        place(file, &documents.join(file_name(file)))?;
    }
    gzip(&documents.join("THIRD-PARTY.txt"))?;
    place_text(COPYRIGHT, &documents.join("copyright"))?;
    let control = control(&content.version, kibibytes(&root)?);
    place_text(&control, &root.join("DEBIAN/control"))?;

    let architecture = debian_architecture();
    let package = folder.join(format!("pathlight_{}_{architecture}.deb", content.version));
    // Files and folders are the owner's to write and everybody's to read, whatever the umask was.
    output(Command::new("chmod").args(["-R", "u+rwX,go+rX,go-w"]).arg(&root))?;
    let mut build = Command::new("dpkg-deb");
    build.env("SOURCE_DATE_EPOCH", &content.epoch);
    build.args(["--root-owner-group", "-Zxz", "-z6", "--build"]).arg(&root).arg(&package);
    output(&mut build)?;
    Ok(package)
}

const COPYRIGHT: &str = "\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: pathlight

Files: *
Copyright: 2026 The Pathlight authors
License: MIT or Apache-2.0
Comment: LICENSE-MIT and LICENSE-APACHE in this folder hold the texts.
 THIRD-PARTY.txt.gz holds the licences of everything that is linked into the program.
";

fn control(version: &str, kibibytes: u64) -> String {
    format!(
        "Package: pathlight\n\
         Version: {version}\n\
         Architecture: {}\n\
         Maintainer: The Pathlight authors\n\
         Installed-Size: {kibibytes}\n\
         Suggests: adb\n\
         Section: devel\n\
         Priority: optional\n\
         Description: exact execution paths from finished Android APKs\n \
         Adds probes to an APK without its sources, and decodes the logs that the app then \
         writes\n \
         into the exact path that each thread took.\n",
        debian_architecture()
    )
}

/// Size of a folder's files on disk, in KiB.
fn kibibytes(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for path in sorted(folder)? {
        let metadata = fs::symlink_metadata(&path).at(&path)?;
        sum += if metadata.is_dir() { kibibytes(&path)? } else { metadata.len().div_ceil(1024) };
    }
    Ok(sum)
}
