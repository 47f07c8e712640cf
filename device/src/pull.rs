//! Fetching log files from an app's folder.
//!
//! Each file comes by `exec-out`, whose bytes arrive as they are, and which tells no exit status.
//! So the device's shell writes a mark with the status behind the bytes: without it, the file is
//! not whole.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use model::trace;
use tempfile::NamedTempFile;

use crate::DeviceError;
use crate::adb::{Phone, text, told};

/// Stands behind all that the device's shell writes, with the exit status.
const MARK: &str = "PATHLIGHT-END ";
/// The mark, up to three digits and the end of the line (old devices: `\r\n`).
const LONGEST_MARK: u64 = MARK.len() as u64 + 5;
/// A listing beyond this is none.
const LONGEST_LIST: u64 = 1 << 20;

/// Where an app writes its logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Folder {
    /// The app's cache: `run-as` opens it, for debuggable apps.
    Cache,
    /// The app's folder on shared storage, for builds with `--logs external`.
    External,
}

/// A file that was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its length, without what the app never wrote.
    pub bytes: u64,
}

impl LogFile {
    /// Where it is and how long.
    pub fn told(&self) -> String {
        format!("{}  {} bytes", self.path.display(), self.bytes)
    }
}

/// What was fetched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pulled {
    /// The files, by name.
    pub files: Vec<LogFile>,
    /// Files that the app deleted meanwhile: it keeps a limited number of bytes.
    pub gone: Vec<String>,
}

/// Checks the name of a package: `com.example.app`.
///
/// # Errors
/// It holds something else, which a shell might obey.
pub fn package_name(name: &str) -> Result<&str, DeviceError> {
    let word = |w: &str| {
        w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && w.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    if name.split('.').all(word) { Ok(name) } else { Err(DeviceError::NoPackageName(name.into())) }
}

/// Whether the runtime gives its files such names: `pathlight-BUILD-PID-MS.plt`, `.plc` or `.plh`;
/// `pathlight-BUILD-table-ID.plk`; `-2` and so on before the end where names would clash.
fn is_log_name(name: &str) -> bool {
    let Some(parts) = name.strip_prefix("pathlight-") else { return false };
    let hex = |p: &str, n| p.len() == n && p.bytes().all(|b| b.is_ascii_hexdigit());
    if let Some(parts) = parts.strip_suffix(".plk") {
        let parts: Vec<&str> = parts.split('-').collect();
        return matches!(&parts[..], [build, "table", id] | [build, "table", id, "2"]
            if hex(build, 8) && hex(id, 16));
    }
    let Some(parts) = [".plt", ".plc", ".plh"].iter().find_map(|end| parts.strip_suffix(end))
    else {
        return false;
    };
    let parts: Vec<&str> = parts.split('-').collect();
    let digits = |p: &&str| !p.is_empty() && p.len() <= 20 && p.bytes().all(|b| b.is_ascii_digit());
    matches!(parts.len(), 3 | 4) && hex(parts[0], 8) && parts[1..].iter().all(digits)
}

impl Phone {
    /// The logs that the app has, by name.
    ///
    /// # Errors
    /// The app's folder cannot be opened, or the device went away.
    pub fn logs(&self, package: &str, folder: Folder) -> Result<Vec<String>, DeviceError> {
        let package = package_name(package)?;
        let script = match folder {
            Folder::Cache => "cd cache 2>/dev/null && ls".to_owned(),
            Folder::External => format!("cd {} 2>/dev/null && ls", external(package)),
        };
        let mut child = self
            .command(["exec-out", &self.shell(package, folder, &script)])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| self.adb.start(e))?;
        let mut list = Vec::new();
        if let Some(output) = child.stdout.take() {
            let read = output.take(LONGEST_LIST).read_to_end(&mut list);
            read.map_err(|e| self.adb.start(e))?;
        }
        let out = child.wait_with_output().map_err(|e| self.adb.start(e))?;
        let list = text(&list);
        let Some((names, _status)) = list.rsplit_once(MARK) else {
            let said = told(&out);
            return Err(if !said.trim().is_empty() || list.trim().is_empty() {
                self.adb.failed("exec-out", &said)
            } else {
                DeviceError::RunAs { package: package.into(), told: list.trim().into() }
            });
        };
        let mut logs = vec![];
        for name in names.lines().map(str::trim).filter(|n| n.starts_with("pathlight-")) {
            if !is_log_name(name) {
                return Err(DeviceError::FileName { package: package.into(), name: name.into() });
            }
            logs.push(name.to_owned());
        }
        logs.sort();
        Ok(logs)
    }

    /// Fetches all logs of an app into a folder, which is made if need be. A log that is there from
    ///
    /// # Errors
    /// As [`Phone::logs`]; a file breaks off (it is not written; those before it are), or cannot be
    /// written.
    pub fn pull(
        &self,
        package: &str,
        folder: Folder,
        to: &Path,
        mut each: impl FnMut(&LogFile),
    ) -> Result<Pulled, DeviceError> {
        let mut pulled = Pulled::default();
        for name in self.logs(package, folder)? {
            match self.fetch(package, folder, &name, to)? {
                Some(file) => {
                    each(&file);
                    pulled.files.push(file);
                }
                None => pulled.gone.push(name),
            }
        }
        Ok(pulled)
    }

    /// Fetches one log; `None` if it is gone.
    fn fetch(
        &self,
        package: &str,
        folder: Folder,
        name: &str,
        to: &Path,
    ) -> Result<Option<LogFile>, DeviceError> {
        let path = to.join(name);
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| DeviceError::Write { path, error }
        };
        fs::create_dir_all(to).map_err(failed(to))?;
        let from = match folder {
            Folder::Cache => format!("cache/{name}"),
            Folder::External => format!("{}/{name}", external(package)),
        };
        let script = format!("cat {from} 2>/dev/null");
        let mut child = self
            .command(["exec-out", &self.shell(package, folder, &script)])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| self.adb.start(e))?;
        let mut file = NamedTempFile::new_in(to).map_err(failed(to))?;
        let copied = match child.stdout.take() {
            Some(mut output) => io::copy(&mut output, file.as_file_mut()),
            None => Ok(0),
        };
        // A child that waits to write would never end.
        if copied.is_err() {
            let _ = child.kill();
        }
        let _ = child.wait();
        let whole = copied.map_err(failed(&path))?;
        let Some((_, status)) = cut_mark(file.as_file_mut(), whole).map_err(failed(&path))? else {
            return Err(DeviceError::Cut { name: name.into() });
        };
        if status != 0 {
            return Ok(None);
        }
        if path.exists() && !same_kind(&path, file.as_file_mut()).map_err(failed(&path))? {
            return Err(DeviceError::Occupied(path));
        }
        // What the app never wrote need not be kept.
        let used = trace::used_len(file.as_file_mut()).map_err(failed(&path))?;
        file.as_file_mut().set_len(used).map_err(failed(&path))?;
        file.persist(&path).map_err(|e| failed(&path)(e.error))?;
        Ok(Some(LogFile { path, bytes: used }))
    }

    /// What the device's shell is given: this script in the app's place, then the mark.
    fn shell(&self, package: &str, folder: Folder, script: &str) -> String {
        match folder {
            Folder::Cache => format!("run-as {package} sh -c '{script}; echo {MARK}$?'"),
            Folder::External => format!("{script}; echo {MARK}$?"),
        }
    }
}

/// The app's folder on shared storage, as `Context.getExternalFilesDir` has it.
fn external(package: &str) -> String {
    format!("/sdcard/Android/data/{package}/files")
}

/// Cuts the mark off the file's end: the length that is left, and the status. `None`: there is no
/// mark.
fn cut_mark(file: &mut File, length: u64) -> io::Result<Option<(u64, u32)>> {
    let start = length.saturating_sub(LONGEST_MARK);
    file.seek(SeekFrom::Start(start))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let Some(at) = end.windows(MARK.len()).rposition(|w| w == MARK.as_bytes()) else {
        return Ok(None);
    };
    let Some(status) = std::str::from_utf8(&end[at + MARK.len()..])
        .ok()
        .filter(|digits| digits.ends_with('\n'))
        .and_then(|digits| digits.trim_end().parse().ok())
    else {
        return Ok(None);
    };
    let left = start + at as u64;
    file.set_len(left)?;
    Ok(Some((left, status)))
}

/// Whether the file that is there begins as the new one does: with the mark of a log.
fn same_kind(there: &Path, new: &mut File) -> io::Result<bool> {
    let head = |file: &mut File| -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        file.take(4).read_to_end(&mut head)?;
        Ok(head)
    };
    new.seek(SeekFrom::Start(0))?;
    let new = head(new)?;
    let old = head(&mut File::open(there)?)?;
    // A log without a byte is one that its process had no time to begin.
    Ok(old.is_empty() || new.is_empty() || old == new)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn only_names_of_packages_reach_a_shell() {
        for good in ["com.example.app", "a", "a_b.C1"] {
            assert_eq!(package_name(good).expect("a package"), good);
        }
        for bad in ["", "a..b", "a;reboot", "a b", "$(x)", "../x", "a.1b", "ä.b", "-n"] {
            assert!(package_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_names_that_the_runtime_gives_become_files() {
        for good in [
            "pathlight-0123abcd-4711-1795252364946.plt",
            "pathlight-0123abcd-4711-1795252364946-2.plt",
            "pathlight-0123abcd-1-0.plc",
            "pathlight-0123abcd-table-0123456789abcdef.plk",
            "pathlight-0123abcd-table-0123456789abcdef-2.plk",
        ] {
            assert!(is_log_name(good), "{good}");
        }
        for bad in [
            "pathlight-../../etc/passwd.plt",
            "pathlight-0123abcd-4711.plt",
            "pathlight-0123abcd-4711-x.plt",
            "pathlight-0123abcd-4711-1.plt.sh",
            "pathlight-0123abcd-4711-1.plmap",
            "other.plt",
            "pathlight-0123abcd-table-0123.plk",
            "pathlight-0123abcd-table-0123456789abcdef-x.plk",
            "pathlight-'; reboot; '-1-2.plt",
        ] {
            assert!(!is_log_name(bad), "{bad}");
        }
    }

    fn cut(bytes: &[u8]) -> (Option<(u64, u32)>, Vec<u8>) {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("written");
        let told = cut_mark(&mut file, bytes.len() as u64).expect("read");
        let mut left = vec![];
        file.seek(SeekFrom::Start(0)).expect("sought");
        file.read_to_end(&mut left).expect("read");
        (told, left)
    }

    #[test]
    fn the_mark_behind_a_file_is_cut_off() {
        assert_eq!(cut(b"bytesPATHLIGHT-END 0\n"), (Some((5, 0)), b"bytes".to_vec()));
        assert_eq!(cut(b"PATHLIGHT-END 255\r\n"), (Some((0, 255)), b"".to_vec()));
        // A log that holds the mark itself.
        let told = cut(b"PATHLIGHT-END 0\nPATHLIGHT-END 1\n");
        assert_eq!(told, (Some((16, 1)), b"PATHLIGHT-END 0\n".to_vec()));
    }

    #[test]
    fn a_file_without_its_mark_is_not_whole() {
        for part in [&b"bytes"[..], b"", b"bytesPATHLIGHT-END", b"bytesPATHLIGHT-END 1"] {
            assert_eq!(cut(part), (None, part.to_vec()));
        }
    }
}
