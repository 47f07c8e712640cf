//! Content of all downloads: the stripped binary, manual pages, completions, licences.

use std::env;
use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::packages::Packages;
use super::{file_name, place};
use crate::error::{Error, PathContext, Result};
use crate::files::{scratch, sorted};
use crate::portable;
use crate::process::output;
use crate::workspace::Workspace;

/// Shells whose completions are delivered, with the file's name.
pub const SHELLS: [(&str, &str); 3] =
    [("bash", "pathlight.bash"), ("zsh", "_pathlight"), ("fish", "pathlight.fish")];
/// The type of a program header that names the dynamic linker.
const PT_INTERP: u32 = 3;

/// Content of the downloads.
pub struct Content {
    /// The version of `Cargo.toml`.
    pub version: String,
    /// Seconds since 1970 that all files bear as their time: `$SOURCE_DATE_EPOCH`, else the last
    /// commit's.
    pub epoch: String,
    /// Everything that is linked.
    pub packages: Packages,
    /// The stripped binary.
    pub binary: PathBuf,
    /// The symbols of the binary. Only for Linux.
    pub symbols: Option<PathBuf>,
    /// Manual pages.
    pub man: Vec<PathBuf>,
    /// Completions, in the order of [`SHELLS`].
    pub completions: Vec<PathBuf>,
    /// Licences of the program and of everything that is linked.
    pub licences: Vec<PathBuf>,
    /// The page that begins the documents.
    pub readme: PathBuf,
    work: tempfile::TempDir,
}

impl Content {
    /// Builds the binary, unless `$PATHLIGHT` names one, and writes what goes with it.
    ///
    /// # Errors
    /// Fails if it does not build or run, or is not static on Linux.
    pub fn collect(here: &Workspace) -> Result<Self> {
        let built = portable::binary(here)?;
        if OS == "linux" && !is_static(&built)? {
            return Err(Error::Wrong(format!(
                "{}: linked dynamically, so it would not run everywhere; without PATHLIGHT a \
                 static binary is built",
                built.display()
            )));
        }
        let work = scratch()?;
        let (binary, symbols) = strip(&built, work.path())?;
        let man = work.path().join("man");
        output(Command::new(&binary).current_dir(work.path()).arg("man").arg(&man))?;
        let mut completions = Vec::new();
        for (shell, name) in SHELLS {
            let mut command = Command::new(&binary);
            let script = output(command.current_dir(work.path()).args(["completions", shell]))?;
            let file = work.path().join(name);
            fs::write(&file, script).at(&file)?;
            completions.push(file);
        }
        let packages = Packages::linked(here)?;
        let others = work.path().join("THIRD-PARTY.txt");
        fs::write(&others, packages.licence_texts()?).at(&others)?;
        let licences = ["LICENSE-APACHE", "LICENSE-MIT"].map(|name| here.path(name));
        Ok(Self {
            version: packages.version.clone(),
            epoch: epoch(here)?,
            packages,
            binary,
            symbols,
            man: sorted(&man)?,
            completions,
            licences: licences.into_iter().chain([others]).collect(),
            readme: here.path("README.md"),
            work,
        })
    }

    /// A new, empty folder for the files of one download.
    ///
    /// # Errors
    /// Fails if it cannot be made.
    pub fn empty_folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.work.path().join("parts").join(name);
        fs::create_dir_all(&folder).at(&folder)?;
        Ok(folder)
    }

    /// A folder with a folder of this name, which holds everything that the archive holds.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn folder(&self, name: &str) -> Result<PathBuf> {
        let parent = self.empty_folder("archive")?;
        let inner = parent.join(name);
        for file in self.licences.iter().chain([&self.binary, &self.readme]) {
            place(file, &inner.join(file_name(file)))?;
        }
        for file in &self.man {
            place(file, &inner.join("man").join(file_name(file)))?;
        }
        for file in &self.completions {
            place(file, &inner.join("completions").join(file_name(file)))?;
        }
        Ok(parent)
    }

    /// Packs `folder/name`: tar and xz on Linux, else what the ending asks for.
    ///
    /// # Errors
    /// Fails if `tar` fails.
    pub fn pack(&self, folder: &Path, name: &str, archive: &Path) -> Result<()> {
        if OS == "linux" {
            return self.tar(folder, name, archive, "xz -6");
        }
        // bsdtar chooses zip or gzip by the ending.
        let mut tar = Command::new("tar");
        tar.arg("-a").arg("-c").arg("-f").arg(archive).arg("-C").arg(folder).arg(name);
        output(&mut tar).map(drop)
    }

    /// A tar archive of `folder/name` that is the same for the same content. `compress` is a
    /// command, or empty.
    ///
    /// # Errors
    /// Fails if `tar` fails.
    pub fn tar(&self, folder: &Path, name: &str, archive: &Path, compress: &str) -> Result<()> {
        let mut tar = Command::new("tar");
        tar.args(["--create", "--format=gnu", "--sort=name", "--owner=0", "--group=0"]);
        tar.args(["--numeric-owner", "--mode=u+rw,go+r-w"]).arg(format!("--mtime=@{}", self.epoch));
        if !compress.is_empty() {
            tar.args(["--use-compress-program", compress]);
        }
        output(tar.arg("--file").arg(archive).arg("--directory").arg(folder).arg(name)).map(drop)
    }

    /// The content of a container's root folder as a tar archive. Modes are kept.
    ///
    /// # Errors
    /// Fails if `tar` fails.
    pub fn layer(&self, root: &Path, archive: &Path) -> Result<()> {
        let mut tar = Command::new("tar");
        tar.args(["--create", "--format=gnu", "--sort=name", "--owner=0", "--group=0"]);
        tar.arg("--numeric-owner").arg(format!("--mtime=@{}", self.epoch));
        output(tar.arg("--file").arg(archive).arg("--directory").arg(root).arg(".")).map(drop)
    }

    /// The time of all files in ISO 8601, UTC.
    ///
    /// # Errors
    /// Fails if `$SOURCE_DATE_EPOCH` is no number of seconds.
    pub fn time(&self) -> Result<String> {
        let seconds: i64 = self.epoch.parse().map_err(|_| {
            Error::Wrong(format!("SOURCE_DATE_EPOCH={}: not a number of seconds", self.epoch))
        })?;
        Ok(iso_8601(seconds))
    }
}

/// The binary without symbols, and its symbols in a file of their own.
fn strip(built: &Path, folder: &Path) -> Result<(PathBuf, Option<PathBuf>)> {
    let stripped = folder.join(if OS == "windows" { "pathlight.exe" } else { "pathlight" });
    if OS == "windows" {
        // The linker has already written the symbols into a file beside it.
        return place(built, &stripped).map(|()| (stripped, None));
    }
    if OS != "linux" {
        output(Command::new("strip").arg("-o").arg(&stripped).arg(built))?;
        return Ok((stripped, None));
    }
    let parts = folder.join("symbols");
    fs::create_dir_all(&parts).at(&parts)?;
    let symbols = parts.join("pathlight.debug");
    output(Command::new("objcopy").arg("--only-keep-debug").arg(built).arg(&symbols))?;
    output(Command::new("strip").arg("--strip-all").arg("-o").arg(&stripped).arg(built))?;
    let mut link = Command::new("objcopy");
    // The link names the file only, so it must lie in the current folder.
    link.current_dir(&parts).arg("--add-gnu-debuglink=pathlight.debug").arg(&stripped);
    output(&mut link)?;
    Ok((stripped, Some(symbols)))
}

fn epoch(here: &Workspace) -> Result<String> {
    if let Ok(given) = env::var("SOURCE_DATE_EPOCH") {
        return Ok(given);
    }
    let mut git = Command::new("git");
    let shown = output(git.current_dir(&here.root).args(["log", "-1", "--format=%ct"]));
    // A source archive has no history.
    Ok(shown.map_or_else(|_| "0".to_owned(), |text| text.trim().to_owned()))
}

/// A time of UTC, by the days-to-civil algorithm of the proleptic Gregorian calendar.
fn iso_8601(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days since 1 March of the year 0: leap days end the years.
    let day = days + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = year + era * 400 + carry;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// True if an ELF file of this machine needs no dynamic linker.
///
/// # Errors
/// Fails if the file cannot be read or is not such a file.
pub fn is_static(file: &Path) -> Result<bool> {
    let data = fs::read(file).at(file)?;
    interpreter(&data)
        .map(|found| !found)
        .ok_or_else(|| Error::Wrong(format!("{}: not a 64-bit ELF file", file.display())))
}

/// True if a program header names a dynamic linker.
fn interpreter(data: &[u8]) -> Option<bool> {
    let number = |from: usize, bytes: usize| -> Option<usize> {
        let taken = data.get(from..from.checked_add(bytes)?)?;
        Some(taken.iter().rev().fold(0, |n, b| n << 8 | usize::from(*b)))
    };
    // 64 bits, little endian.
    if !data.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (offset, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let headers = (0..count).map(|i| number(offset + i * size, 4)).collect::<Option<Vec<_>>>()?;
    Some(headers.contains(&(PT_INTERP as usize)))
}

/// Debian's name of this machine's architecture, which container images also use.
pub fn debian_architecture() -> &'static str {
    match ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(iso_8601(0), "1970-01-01T00:00:00Z");
        // RFC 3339 has 29 February of leap years; 2000 is one, 2100 is none.
        assert_eq!(iso_8601(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso_8601(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(iso_8601(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(iso_8601(1_735_689_599), "2024-12-31T23:59:59Z");
    }

    #[test]
    fn a_program_that_needs_a_dynamic_linker_is_not_static() {
        let mut file = vec![0; 64 + 2 * 56];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        (file[32], file[54], file[56]) = (64, 56, 2);
        file[64] = 1;
        assert_eq!(interpreter(&file), Some(false));
        file[64 + 56] = 3;
        assert_eq!(interpreter(&file), Some(true));
        assert_eq!(interpreter(&file[..100]), None, "cut off");
        assert_eq!(interpreter(b"#!/bin/sh"), None);
    }
}
