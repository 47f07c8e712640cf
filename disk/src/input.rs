//! Inputs: regular files, and streams where somebody has named one on purpose.
//!
//! Opening a FIFO waits until something writes to it, and a device such as `/dev/zero` never ends.
//! So neither is read because it lies in a folder or bears a certain name. Names of the process's
//! own open files (`/dev/stdin`, `/dev/fd/63` of a shell's `<(…)`) are streams that the user has
//! opened, and are read.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Most bytes of a file that is read as a whole: where packages without zip64 end.
pub const MOST: u64 = u32::MAX as u64;

/// Returns whether the path is a name for an open file of this process (`/dev/stdout`,
/// `/dev/fd/1`).
pub fn is_open_file(path: &Path) -> bool {
    ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"]
        .iter()
        .any(|p| path.starts_with(p))
}

/// Opens an input.
///
/// # Errors
/// A folder, a pipe, a socket or a device; what the system refuses.
pub fn open(path: &Path) -> io::Result<File> {
    check(path, |_| false)?;
    File::open(path)
}

/// Opens a log that the user has named: pipes are read, too, and `/dev/null` is an empty log.
///
/// # Errors
/// A folder, a socket or a device; what the system refuses.
pub fn open_log(path: &Path) -> io::Result<File> {
    check(path, |m| is_pipe(m) || path == Path::new("/dev/null"))?;
    File::open(path)
}

/// Reads all bytes of an input.
///
/// # Errors
/// As [`open`]; more than `most` bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let size = file.metadata()?.len();
    let mut bytes = Vec::new();
    if size <= most {
        // One byte more shows that the file has grown, or that a stream goes on.
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    }
    if size.max(bytes.len() as u64) > most {
        let problem = format!("larger than the {most} bytes that are read of such a file");
        return Err(io::Error::new(ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}

/// Reads an input that is text.
///
/// # Errors
/// As [`read`]; bytes that are not UTF-8.
pub fn read_to_string(path: &Path, most: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(ErrorKind::InvalidData, "not text in UTF-8");
    String::from_utf8(read(path, most)?).map_err(not_text)
}

fn check(path: &Path, is_stream: impl Fn(&Metadata) -> bool) -> io::Result<()> {
    let facts = std::fs::metadata(path)?;
    if facts.is_dir() {
        let problem = "a folder, where a file is expected";
        return Err(io::Error::new(ErrorKind::IsADirectory, problem));
    }
    if facts.is_file() || is_open_file(path) || is_stream(&facts) {
        return Ok(());
    }
    let problem = "a pipe or a device, where a file is expected: copy what it gives into a file";
    Err(io::Error::new(ErrorKind::InvalidInput, problem))
}

#[cfg(unix)]
fn is_pipe(facts: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    facts.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "four").unwrap();
        assert_eq!(read(&path, 4).unwrap(), b"four");
        assert_eq!(read(&path, 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(open(folder.path()).unwrap_err().kind(), ErrorKind::IsADirectory);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_no_input_and_an_empty_log_is() {
        let zero = Path::new("/dev/zero");
        assert_eq!(open(zero).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(open_log(zero).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert!(open_log(Path::new("/dev/null")).is_ok());
    }
}
