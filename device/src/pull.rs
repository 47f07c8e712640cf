//! Fetching log files from an app's folder.
//!
//! Each file comes by `exec-out`, which passes bytes unchanged and no exit status. So the device's
//! shell writes a mark with the status after the bytes: a file without the mark is not whole.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use disk::StagedFile;
use model::trace;

use crate::DeviceError;
use crate::adb::{Phone, SILENCE, text};
use crate::check::{Beside, PulledKind};
use crate::child::{Broken, Limits, run};

/// Follows all output of the device's shell, with the exit status.
const MARK: &str = "PATHLIGHT-END ";
/// The mark, up to three digits and the end of the line (old devices: `\r\n`).
const LONGEST_MARK: u64 = MARK.len() as u64 + 5;
/// Begin of the names of notes of how processes ended: no log's, so that programs that do not know
/// them leave them alone.
const EXIT_NOTES: &str = "pathlight_exit-";
/// Characters of a file that is no log that are shown.
const SHOWN: usize = 60;

/// Folders of a device that an app writes its logs to.
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
    /// Path of the file.
    pub path: PathBuf,
    /// Its length, without what the app never wrote.
    pub bytes: u64,
    /// Its flaw, if it has one.
    pub flaw: Option<Flaw>,
}

/// A flaw of a file that was fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// It is damaged, and there was no better copy of it.
    #[error("{0} of its parts are damaged")]
    Damaged(u64),
    /// It is beside a copy from before that is better.
    #[error("{why}: {} stays as it was", better.display())]
    Worse {
        /// Its flaw beside that one.
        why: &'static str,
        /// The better one.
        better: PathBuf,
    },
}

impl LogFile {
    /// Path and length, for people.
    pub fn summary(&self) -> String {
        format!("{}  {} bytes", self.path.display(), self.bytes)
    }
}

/// Outcome of fetching an app's logs.
#[derive(Debug, Default)]
pub struct Pulled {
    /// The files, by name.
    pub files: Vec<LogFile>,
    /// Files that the app deleted meanwhile: it keeps a limited number of bytes.
    pub gone: Vec<String>,
    /// Files that could not be fetched, or are none of a build.
    pub failed: Vec<DeviceError>,
}

/// Checks the name of a package: `com.example.app`.
///
/// # Errors
/// Fails if the name holds characters that a shell might interpret.
pub fn package_name(name: &str) -> Result<&str, DeviceError> {
    let word = |w: &str| {
        w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && w.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    if name.split('.').all(word) { Ok(name) } else { Err(DeviceError::NoPackageName(name.into())) }
}

/// True for names that the runtime gives its files: `pathlight-BUILD-PID-MS.plt`, `.plc` or `.plh`;
/// `pathlight-BUILD-table-ID.plk`; with `-2` and so on before the end where names would clash; and
/// `pathlight_exit-BUILD-PID-MS.plx`.
fn is_log_name(name: &str) -> bool {
    let hex = |p: &str, n| p.len() == n && p.bytes().all(|b| b.is_ascii_hexdigit());
    let digits = |p: &&str| !p.is_empty() && p.len() <= 20 && p.bytes().all(|b| b.is_ascii_digit());
    if let Some(parts) = name.strip_prefix(EXIT_NOTES) {
        let parts: Vec<&str> = parts.strip_suffix(".plx").unwrap_or_default().split('-').collect();
        return parts.len() == 3 && hex(parts[0], 8) && parts[1..].iter().all(digits);
    }
    let Some(parts) = name.strip_prefix("pathlight-") else { return false };
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
    matches!(parts.len(), 3 | 4) && hex(parts[0], 8) && parts[1..].iter().all(digits)
}

impl Phone {
    /// The app's logs, by name.
    ///
    /// # Errors
    /// The app's folder cannot be opened, or the device went away.
    pub fn logs(&self, package: &str, folder: Folder) -> Result<Vec<String>, DeviceError> {
        let package = package_name(package)?;
        let script = match folder {
            Folder::Cache => "cd cache 2>/dev/null && ls".to_owned(),
            Folder::External => format!("cd {} 2>/dev/null && ls", external(package)),
        };
        let command = self.command(["exec-out", &self.shell(package, folder, &script)]);
        let answer = self.adb.answer(command, "exec-out", SILENCE)?;
        let list = text(&answer.output);
        let Some((names, _status)) = list.rsplit_once(MARK) else {
            let words = answer.words();
            return Err(if !text(&answer.errors).trim().is_empty() || list.trim().is_empty() {
                self.adb.failed("exec-out", &words)
            } else {
                DeviceError::RunAs { package: package.into(), printed: list.trim().into() }
            });
        };
        let mut logs = vec![];
        for name in names
            .lines()
            .map(str::trim)
            .filter(|n| n.starts_with("pathlight-") || n.starts_with(EXIT_NOTES))
        {
            if !is_log_name(name) {
                return Err(DeviceError::FileName { package: package.into(), name: name.into() });
            }
            logs.push(name.to_owned());
        }
        logs.sort();
        Ok(logs)
    }

    /// Fetches all logs of an app into a folder, which is made if need be. Each file is checked
    /// before it takes its name, and never takes the place of a better copy. No file may have more
    /// than `mib` MiB.
    ///
    /// # Errors
    /// As [`Phone::logs`]; a file breaks off (it is not written; those before it are), or cannot be
    /// written. What is wrong with single files is in the result.
    pub fn pull(
        &self,
        package: &str,
        folder: Folder,
        (to, mib): (&Path, u32),
        mut each: impl FnMut(&LogFile),
    ) -> Result<Pulled, DeviceError> {
        let mut pulled = Pulled::default();
        for name in self.logs(package, folder)? {
            match self.fetch(package, folder, &name, (to, mib)) {
                Ok(Some(file)) => {
                    each(&file);
                    pulled.files.push(file);
                }
                Ok(None) => pulled.gone.push(name),
                Err(e) if e.is_of_one_file() => pulled.failed.push(e),
                Err(e) => return Err(e),
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
        (to, mib): (&Path, u32),
    ) -> Result<Option<LogFile>, DeviceError> {
        fs::create_dir_all(to).map_err(|e| written(to)(e))?;
        let from = match folder {
            Folder::Cache => format!("cache/{name}"),
            Folder::External => format!("{}/{name}", external(package)),
        };
        // Other output of the device's programs would end up in the file.
        let script = self.shell(package, folder, &format!("cat {from} 2>/dev/null"));
        let command = self.command(["exec-out", &format!("{script} 2>/dev/null")]);
        let mut file = StagedFile::private_in(to).map_err(|e| written(to)(e))?;
        let limits = Limits { silence: SILENCE, bytes: (u64::from(mib) << 20) + LONGEST_MARK };
        let path = to.join(name);
        let ended = run(command, limits, |piece| file.as_file_mut().write_all(piece));
        ended.map_err(|broken| match broken {
            Broken::TooMuch => DeviceError::TooLarge { name: name.into(), mib },
            Broken::Taken(e) => written(&path)(e),
            broken => self.adb.broken(&format!("exec-out cat {name}"), SILENCE, broken),
        })?;
        let whole = file.as_file().metadata().map_err(|e| written(&path)(e))?.len();
        match cut_mark(file.as_file_mut(), whole).map_err(|e| written(&path)(e))? {
            None => Err(DeviceError::Cut { name: name.into() }),
            Some((_, 0)) => keep(file, &path, name).map(Some),
            Some(_) => Ok(None),
        }
    }

    /// Command line for the device's shell: the script in the app's folder, then the mark.
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

/// Cuts the mark off the file's end. Returns the length that is left, and the status; `None` if
/// there is no mark.
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

/// Gives a fetched file its name, if it is of the name's kind; beside a better copy, another name.
fn keep(mut file: StagedFile, path: &Path, name: &str) -> Result<LogFile, DeviceError> {
    let failed = |e: io::Error| written(path)(e);
    let not_a_log = |kind: &'static str, why, begin| DeviceError::NotALog {
        name: name.into(),
        kind,
        why,
        begin,
    };
    let Some(kind) = PulledKind::of(name) else {
        return Err(not_a_log("log", "its name is none of a log".into(), String::new()));
    };
    let content = match kind.content(file.as_file_mut()).map_err(failed)? {
        Ok(content) => content,
        Err(why) => {
            let begin = begin(file.as_file_mut()).map_err(failed)?;
            return Err(not_a_log(kind.name(), why, begin));
        }
    };
    let mut target = path.to_owned();
    let mut flaw = (content.damaged > 0).then_some(Flaw::Damaged(content.damaged));
    if path.exists() {
        if !same_kind(path, file.as_file_mut()).map_err(failed)? {
            return Err(DeviceError::Occupied(path.to_owned()));
        }
        let there = kind.content(&mut File::open(path).map_err(failed)?).map_err(failed)?;
        let worse = match there.map(|there| content.beside(&there)) {
            Err(_) | Ok(Beside::Better) => None,
            Ok(Beside::Damaged) => Some(("damaged", "it is damaged")),
            Ok(Beside::Shorter) => Some(("shorter", "it has less than the copy from before")),
            Ok(Beside::Other) => Some(("other", "it is of another process of the same name")),
        };
        if let Some((end, why)) = worse {
            flaw = Some(Flaw::Worse { why, better: path.to_owned() });
            target = path.with_file_name(format!("{name}.{end}"));
        }
    }
    // Bytes that the app never wrote need not be kept.
    let bytes = trace::used_len(file.as_file_mut()).map_err(failed)?;
    file.as_file_mut().set_len(bytes).map_err(failed)?;
    file.persist(&target).map_err(written(&target))?;
    Ok(LogFile { path: target, bytes, flaw })
}

/// The error of a file that cannot be written.
fn written(path: &Path) -> impl FnOnce(io::Error) -> DeviceError {
    let path = path.to_owned();
    move |error| DeviceError::Write { path, error }
}

/// Describes the begin of a file that is no log, if that is text: often it is the device's own
/// words.
fn begin(file: &mut File) -> io::Result<String> {
    let mut head = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(4 * SHOWN as u64).read_to_end(&mut head)?;
    let line: String = text(&head).lines().next().unwrap_or_default().chars().take(SHOWN).collect();
    let is_text = !line.is_empty() && line.chars().all(|c| !c.is_control() && c != '\u{fffd}');
    Ok(if is_text { format!(". It begins: {line}") } else { String::new() })
}

/// True if the file in the folder begins as the new one does: with the mark of a log.
fn same_kind(there: &Path, new: &mut File) -> io::Result<bool> {
    let head = |file: &mut File| -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        file.take(4).read_to_end(&mut head)?;
        Ok(head)
    };
    new.seek(SeekFrom::Start(0))?;
    let new = head(new)?;
    let old = head(&mut File::open(there)?)?;
    // A log without a byte, or of zeros, is one that its process had no time to begin.
    let is_empty = |head: &[u8]| head.iter().all(|b| *b == 0);
    Ok(is_empty(&old) || is_empty(&new) || old == new)
}

#[cfg(test)]
mod tests {
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
            "pathlight_exit-0123abcd-4711-1795252364946.plx",
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
            "pathlight_exit-0123abcd-4711-1795252364946.plt",
            "pathlight_exit-0123abcd-'; reboot; '-1.plx",
            "pathlight_exit-../../x-1.plx",
        ] {
            assert!(!is_log_name(bad), "{bad}");
        }
    }

    fn cut(bytes: &[u8]) -> (Option<(u64, u32)>, Vec<u8>) {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("written");
        let mark = cut_mark(&mut file, bytes.len() as u64).expect("read");
        let mut left = vec![];
        file.seek(SeekFrom::Start(0)).expect("sought");
        file.read_to_end(&mut left).expect("read");
        (mark, left)
    }

    #[test]
    fn the_mark_after_a_file_is_cut_off() {
        assert_eq!(cut(b"bytesPATHLIGHT-END 0\n"), (Some((5, 0)), b"bytes".to_vec()));
        assert_eq!(cut(b"PATHLIGHT-END 255\r\n"), (Some((0, 255)), b"".to_vec()));
        // A log that holds the mark itself.
        let mark = cut(b"PATHLIGHT-END 0\nPATHLIGHT-END 1\n");
        assert_eq!(mark, (Some((16, 1)), b"PATHLIGHT-END 0\n".to_vec()));
    }

    #[test]
    fn a_file_without_its_mark_is_not_whole() {
        for part in [&b"bytes"[..], b"", b"bytesPATHLIGHT-END", b"bytesPATHLIGHT-END 1"] {
            assert_eq!(cut(part), (None, part.to_vec()));
        }
    }
}
