//! Versions of genhtml: that of this Debian, and a newer one, unpacked in the cache.
//!
//! lcov 2.2 and later refuse tracefiles that 1.16 takes, and the other way round. Debian 12 has
//! 1.16, Debian 13 has 2.3.1, which runs on the Perl of Debian 12.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::error::{Error, PathContext, Result};
use crate::files::sha256;
use crate::process::{output, quietly};
use crate::workspace::Workspace;

/// Debian 13's package.
const NEWER: &str = "lcov_2.3.1-1_all.deb";
const SHA256: &str = "b89bfb28e8a6dee12b25ca63d269733909eaebb6b737958d4fb8b47b23ea4926";

/// Commands that run a genhtml each.
///
/// # Errors
/// Fails if a version is not installed and cannot be fetched.
pub fn commands(here: &Workspace) -> Result<Vec<String>> {
    let newer = here.cache().join("tools").join(NEWER.trim_end_matches(".deb"));
    if !newer.join("usr/bin/genhtml").exists() {
        fetch(&newer)?;
    }
    let newer = newer.display();
    Ok(vec![
        "genhtml".to_owned(),
        format!("perl -I'{newer}/usr/share/perl5' '{newer}/usr/bin/genhtml'"),
    ])
}

/// Unpacks the newer package, from the mirror that apt uses.
fn fetch(to: &Path) -> Result<()> {
    let mut targets = Command::new("apt-get");
    targets.args(["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]);
    let mirrors = output(targets.args(["Codename: bookworm", "Component: main"]))?;
    let mirror = mirrors.lines().next().ok_or_else(|| {
        Error::Missing("no mirror of Debian 12 in apt's sources: add one for lcov 2.3.1".into())
    })?;
    let uri = format!("{mirror}pool/main/l/lcov/{NEWER}");
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).at(folder)?;
    let work = tempfile::tempdir_in(folder).at(folder)?;
    let package = work.path().join(NEWER);
    let mut download = Command::new("/usr/lib/apt/apt-helper");
    quietly(download.args(["download-file", &uri]).arg(&package))?;
    let found = sha256(&package)?;
    if found != SHA256 {
        return Err(Error::Wrong(format!("{uri}: SHA-256 {found}, expected {SHA256}")));
    }
    let unpacked = work.path().join("unpacked");
    quietly(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&unpacked))?;
    let _ = fs::remove_dir_all(to);
    fs::rename(&unpacked, to).at(to)
}
