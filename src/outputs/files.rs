//! Outputs of a command: never over a file that it reads, and whole or not at all.
//!
//! Every command names its inputs and outputs here before it works. Files are compared by identity
//! (device and inode), so other spellings, symbolic links and hard links of one file count as that
//! file. All outputs are written beside their targets first and renamed together, in the order in
//! which they were named.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use disk::{StagedFile, is_open_file};

use super::kinds::Kind;
use super::writer::Writer;

/// Bytes that are read to recognise an existing file.
const HEAD: u64 = 1 << 12;

/// A reason why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// An output is an input.
    #[error("{}: {option} would overwrite {input}{}", path.display(), spelled(path, other))]
    Input {
        /// The output.
        path: PathBuf,
        /// Its option.
        option: &'static str,
        /// The kind of the input.
        input: &'static str,
        /// The input.
        other: PathBuf,
    },
    /// Two outputs are one file.
    #[error("{}: {option} and {before} name the same file", path.display())]
    Twice {
        /// The second output.
        path: PathBuf,
        /// Its option.
        option: &'static str,
        /// The option of the first.
        before: &'static str,
    },
    /// A file of another kind is there.
    #[error(
        "{}: {option} writes {kind}, but the existing file is of another kind; \
         delete it or choose another name",
        path.display()
    )]
    OtherKind {
        /// The output.
        path: PathBuf,
        /// Its option.
        option: &'static str,
        /// The kind of the output.
        kind: &'static str,
    },
    /// A folder is there.
    #[error("{}: {option} names a folder", path.display())]
    Folder {
        /// The output.
        path: PathBuf,
        /// Its option.
        option: &'static str,
    },
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The output.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
}

/// Names the other spelling, where there is one.
fn spelled(path: &Path, other: &Path) -> String {
    if path == other { String::new() } else { format!(" ({})", other.display()) }
}

/// The file behind a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Identity {
    /// A regular file: device and inode.
    #[cfg(unix)]
    File(u64, u64),
    /// A regular file: its canonical path.
    #[cfg(not(unix))]
    File(PathBuf),
    /// Nothing yet, or a broken link: the canonical folder, and the name in it.
    New(PathBuf, OsString),
    /// A pipe or device: written to, never replaced.
    Stream,
    Folder,
}

#[cfg(unix)]
fn file_identity(_: &Path, file: &std::fs::Metadata) -> std::io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    Ok(Identity::File(file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn file_identity(path: &Path, _: &std::fs::Metadata) -> std::io::Result<Identity> {
    Ok(Identity::File(path.canonicalize()?))
}

fn identity(path: &Path) -> std::io::Result<Identity> {
    match std::fs::metadata(path) {
        Ok(m) if m.is_file() => file_identity(path, &m),
        Ok(m) if m.is_dir() => Ok(Identity::Folder),
        Ok(_) => Ok(Identity::Stream),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let name = path.file_name().ok_or(e)?;
            Ok(Identity::New(folder_of(path).canonicalize()?, name.to_owned()))
        }
        Err(e) => Err(e),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[derive(Debug)]
struct Output<'a> {
    option: &'static str,
    path: &'a Path,
    kind: Kind,
}

/// The files of one run of a command.
#[derive(Debug, Default)]
pub struct Files<'a> {
    inputs: Vec<(&'static str, &'a Path)>,
    outputs: Vec<Output<'a>>,
}

impl<'a> Files<'a> {
    /// Names an input; messages call it `what`. `-` is standard input.
    pub fn reads(&mut self, what: &'static str, path: &'a Path) {
        let path = if path == Path::new("-") { Path::new("/dev/stdin") } else { path };
        self.inputs.push((what, path));
    }

    /// Names an output by its option.
    pub fn writes(&mut self, option: &'static str, path: &'a Path, kind: Kind) {
        self.outputs.push(Output { option, path, kind });
    }

    /// Names an output that takes its name before the others.
    pub fn writes_first(&mut self, option: &'static str, path: &'a Path, kind: Kind) {
        self.outputs.insert(0, Output { option, path, kind });
    }

    /// Refuses outputs that are an input or each other, or that would replace a file of another
    /// kind.
    ///
    /// # Errors
    /// The first such output.
    pub fn check(&self) -> Result<(), OutputError> {
        let mut before: Vec<(Identity, &'static str)> = Vec::new();
        for o in &self.outputs {
            let io = |error| OutputError::Io { path: o.path.to_owned(), error };
            let now = identity(o.path).map_err(io)?;
            match now {
                Identity::Stream => continue,
                Identity::Folder => {
                    return Err(OutputError::Folder { path: o.path.to_owned(), option: o.option });
                }
                _ => {}
            }
            self.check_inputs(o.path, o.option, &now)?;
            if let Some((_, before)) = before.iter().find(|b| b.0 == now) {
                return Err(OutputError::Twice {
                    path: o.path.to_owned(),
                    option: o.option,
                    before,
                });
            }
            if matches!(now, Identity::File(..))
                && !is_open_file(o.path)
                && !replaceable(o).map_err(io)?
            {
                let kind = o.kind.name();
                return Err(OutputError::OtherKind {
                    path: o.path.to_owned(),
                    option: o.option,
                    kind,
                });
            }
            before.push((now, o.option));
        }
        Ok(())
    }

    /// Refuses a folder when a file in it, or in these folders in it, is an input.
    ///
    /// # Errors
    /// The first such file, or a folder that cannot be read.
    pub fn check_folder(
        &self,
        option: &'static str,
        folder: &Path,
        inside: &[&str],
    ) -> Result<(), OutputError> {
        for folder in [folder.to_owned()].into_iter().chain(inside.iter().map(|f| folder.join(f))) {
            let io = |error| OutputError::Io { path: folder.clone(), error };
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(e) if e.kind() == ErrorKind::NotFound => continue,
                Err(e) => return Err(io(e)),
            };
            for entry in entries {
                let path = entry.map_err(io)?.path();
                // A broken link is no input.
                if path.extension().is_some_and(|e| e == "json" || e == "dot")
                    && let Ok(now) = identity(&path)
                {
                    self.check_inputs(&path, option, &now)?;
                }
            }
        }
        Ok(())
    }

    fn check_inputs(
        &self,
        path: &Path,
        option: &'static str,
        now: &Identity,
    ) -> Result<(), OutputError> {
        // The reader of an input reports it as missing.
        match self.inputs.iter().find(|(_, input)| identity(input).is_ok_and(|i| i == *now)) {
            Some(&(input, other)) => Err(OutputError::Input {
                path: path.to_owned(),
                option,
                input,
                other: other.to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// Returns true if an output is written to standard output, which another program reads.
    pub fn write_to_stdout(&self) -> bool {
        self.outputs.iter().any(|o| is_open_file(o.path))
    }

    /// Writes the outputs, `contents` in the order in which they were named. Either all targets are
    /// replaced, or none is, and the error has the reason; only a rename that fails after another
    /// went through leaves the first.
    ///
    /// # Errors
    /// As [`Files::check`], which runs again; a file that cannot be written.
    pub fn write(&self, contents: &[&[u8]]) -> Result<(), OutputError> {
        let staged = self.stage()?;
        for (target, bytes) in staged.targets.iter().zip(contents) {
            target.file().write_all(bytes).map_err(|e| target.error(e))?;
        }
        staged.commit()
    }

    /// Opens the outputs for writing bit by bit; the targets stay as they are until
    /// [`Staged::commit`].
    ///
    /// # Errors
    /// As [`Files::check`], which runs again; a file that cannot be made.
    pub fn stage(&self) -> Result<Staged<'a>, OutputError> {
        self.check()?;
        let mut targets = Vec::new();
        for o in &self.outputs {
            let io = |error| OutputError::Io { path: o.path.to_owned(), error };
            let now = identity(o.path).map_err(io)?;
            let to = if now == Identity::Stream || is_open_file(o.path) {
                To::Stream(std::fs::OpenOptions::new().write(true).open(o.path).map_err(io)?)
            } else {
                To::Beside(StagedFile::beside(o.path).map_err(io)?)
            };
            targets.push(Target { path: o.path, to });
        }
        Ok(Staged { targets })
    }
}

/// Outputs that are being written.
#[derive(Debug)]
pub struct Staged<'a> {
    targets: Vec<Target<'a>>,
}

#[derive(Debug)]
struct Target<'a> {
    path: &'a Path,
    to: To,
}

#[derive(Debug)]
enum To {
    /// A pipe, a device, an open file.
    Stream(File),
    /// A new file beside the target; it is deleted unless it is renamed.
    Beside(StagedFile),
}

impl Target<'_> {
    fn file(&self) -> &File {
        match &self.to {
            To::Stream(file) => file,
            To::Beside(file) => file.as_file(),
        }
    }

    fn error(&self, error: io::Error) -> OutputError {
        OutputError::Io { path: self.path.to_owned(), error }
    }
}

impl Staged<'_> {
    /// A writer for each output, in the order in which they were named.
    ///
    /// # Errors
    /// Fails if the system has no more open files.
    pub fn writers(&self) -> Result<Vec<Writer>, OutputError> {
        let writer = |t: &Target<'_>| {
            let file = t.file().try_clone().map_err(|e| t.error(e))?;
            Ok(Writer::new(t.path, file))
        };
        self.targets.iter().map(writer).collect()
    }

    /// Replaces the targets. The writers have been flushed.
    ///
    /// # Errors
    /// As [`Files::write`].
    pub fn commit(self) -> Result<(), OutputError> {
        for target in &self.targets {
            if let To::Beside(file) = &target.to {
                file.as_file().sync_all().map_err(|e| target.error(e))?;
            }
        }
        let staged = self.targets.into_iter().filter_map(|target| match target.to {
            To::Beside(file) => Some((file, target.path)),
            To::Stream(_) => None,
        });
        let (files, paths): (Vec<_>, Vec<_>) = staged.unzip();
        disk::persist_all(files.into_iter().zip(paths.iter().copied()))
            .map_err(|(number, error)| OutputError::Io { path: paths[number].to_owned(), error })
    }
}

/// Returns true if the existing file may be replaced: it is of the same kind, or empty.
fn replaceable(o: &Output) -> std::io::Result<bool> {
    let mut head = Vec::new();
    std::fs::File::open(o.path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head.is_empty() || Kind::of(&head) == Some(o.kind))
}
