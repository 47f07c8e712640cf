//! Inputs: arguments, lists, folders and archives become inputs with keys.
//!
//! The logs of one input are put together; those of two inputs never are. So put a device's
//! overlapping logcats into one subfolder. Logcats of several devices cannot mix, even with equal
//! process ids.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use disk::unpacked;
use model::text::TextReader;

use crate::Error;

/// Endings that are no part of a key.
const ENDINGS: [&str; 5] = [".plt", ".log", ".txt", ".gz", ".zst"];
/// Endings of archives.
const ARCHIVES: [&str; 6] = [".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst", ".tar.zstd"];
/// Deepest nesting of folders.
const DEEPEST: usize = 32;
/// Inputs in one shard.
const MOST: usize = 1 << 24;

/// Logs that belong together.
#[derive(Debug)]
pub struct Input {
    /// Name of the input outside of this program.
    pub key: String,
    /// Its logs, by source, for people: `errors` has no column for it, and its order decides
    /// nothing.
    pub(crate) parts: Vec<InputPart>,
}

/// Bytes of an input.
#[derive(Debug)]
pub(crate) enum InputPart {
    /// A file.
    File(PathBuf),
    /// A byte range of an archive.
    Piece { archive: Arc<Archive>, at: u64, len: u64 },
    /// A log that cannot be read, with the reason.
    Broken(String),
}

/// An archive without compression: a file, or a temporary one.
#[derive(Debug)]
pub(crate) enum Archive {
    Path(PathBuf),
    Temporary(disk::StagedPath),
}

impl InputPart {
    /// The plain file, if it needs no unpacking.
    pub(crate) fn plain_file(&self) -> io::Result<Option<&Path>> {
        let InputPart::File(path) = self else { return Ok(None) };
        let mut start = [0; 4];
        // A pipe gives its bytes only once.
        if !fs::metadata(path)?.is_file() {
            return Ok(None);
        }
        let read = File::open(path)?.read(&mut start)?;
        Ok(start[..read].starts_with(b"PLTR").then_some(path))
    }

    /// Reads it, unpacked.
    pub(crate) fn open(&self) -> io::Result<Box<dyn BufRead + Send>> {
        match self {
            InputPart::File(path) => unpacked(disk::open(path)?),
            InputPart::Piece { archive, at, len } => {
                let path: &Path = match &**archive {
                    Archive::Path(path) => path,
                    Archive::Temporary(path) => path,
                };
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(*at))?;
                unpacked(file.take(*len))
            }
            InputPart::Broken(why) => Err(io::Error::other(why.clone())),
        }
    }
}

/// The key of a file: its name without folders and endings.
///
/// ```
/// use std::path::Path;
/// assert_eq!(tables::input::key_of(Path::new("raw/day=d1/s-17.plt.zst")), "s-17");
/// ```
pub fn key_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut key = &*name;
    while let Some(less) =
        ENDINGS.iter().find_map(|e| key.strip_suffix(e)).filter(|k| !k.is_empty())
    {
        key = less;
    }
    key.to_owned()
}

/// The inputs that these arguments name: files, folders, archives, `-`, and `@LIST` with one of
/// these a line. `out` is the folder of the job's outputs.
///
/// # Errors
/// A list cannot be read, a temporary file cannot be written, or an input is in `out` or contains
/// it. Logs that cannot be read are no error here.
pub fn inputs(arguments: &[PathBuf], out: &Path) -> Result<Vec<Input>, Error> {
    let mut all = InputCollector { inputs: Vec::new(), out };
    for argument in arguments {
        match argument.to_str().and_then(|a| a.strip_prefix('@')) {
            Some(list) => listed(Path::new(list), &mut |path| all.add(path))?,
            None => all.add(argument)?,
        }
    }
    Ok(all.inputs)
}

/// Each line of a list; `-` is standard input.
pub(crate) fn listed(
    list: &Path,
    each: &mut dyn FnMut(&Path) -> Result<(), Error>,
) -> Result<(), Error> {
    let failed = |source| Error::Read { path: list.into(), source };
    let input: Box<dyn BufRead> = match list.as_os_str() == "-" {
        true => Box::new(io::stdin().lock()),
        false => Box::new(BufReader::new(disk::open(list).map_err(failed)?)),
    };
    for line in TextReader::new(input).lines() {
        let line = line.map_err(failed)?;
        match line.trim() {
            "" => {}
            path => each(Path::new(path))?,
        }
    }
    Ok(())
}

struct InputCollector<'o> {
    inputs: Vec<Input>,
    out: &'o Path,
}

impl InputCollector<'_> {
    fn push(&mut self, key: String, parts: Vec<InputPart>) {
        if self.inputs.len() < MOST {
            self.inputs.push(Input { key, parts });
        }
    }

    fn add(&mut self, path: &Path) -> Result<(), Error> {
        if path.as_os_str() == "-" {
            return self.stdin();
        }
        if overlap(path, self.out) {
            return Err(Error::OwnOutput { input: path.into(), out: self.out.into() });
        }
        match fs::metadata(path) {
            Ok(facts) if facts.is_dir() => self.folder(path),
            _ if is_archive(path) => self.archive(path),
            // Its log's input reads it.
            _ if is_exit_note(path) => Ok(()),
            Ok(_) => {
                self.push(key_of(path), vec![InputPart::File(path.into())]);
                Ok(())
            }
            Err(e) => {
                self.push(key_of(path), vec![InputPart::Broken(e.to_string())]);
                Ok(())
            }
        }
    }

    /// Files at the top are inputs, and so is each subfolder with all that is in it.
    fn folder(&mut self, folder: &Path) -> Result<(), Error> {
        let failed = |source| Error::Read { path: folder.into(), source };
        for path in sorted(folder).map_err(failed)? {
            if !path.is_dir() {
                self.add(&path)?;
                continue;
            }
            let mut files = Vec::new();
            let parts = match below(&path, &mut files, DEEPEST) {
                Ok(()) => files.into_iter().map(InputPart::File).collect(),
                Err(e) => vec![InputPart::Broken(e.to_string())],
            };
            self.push(name_of(&path), parts);
        }
        Ok(())
    }

    fn stdin(&mut self) -> Result<(), Error> {
        let mut file = temporary()?;
        let mut input = unpacked(io::stdin()).map_err(temporary_error)?;
        let len = io::copy(&mut input, file.as_file_mut()).map_err(temporary_error)?;
        let mut head = [0; 512];
        let is_tar = file.as_file_mut().seek(SeekFrom::Start(0)).is_ok()
            && file.as_file_mut().read_exact(&mut head).is_ok()
            && &head[257..262] == b"ustar";
        let archive = Arc::new(Archive::Temporary(file.into_path()));
        match is_tar {
            true => self.members("stdin".into(), archive),
            false => {
                self.push("stdin".into(), vec![InputPart::Piece { archive, at: 0, len }]);
                Ok(())
            }
        }
    }

    fn archive(&mut self, path: &Path) -> Result<(), Error> {
        let plain = path.extension().is_some_and(|e| e == "tar");
        if plain {
            return self.members(name_of(path), Arc::new(Archive::Path(path.into())));
        }
        let mut file = temporary()?;
        match disk::open(path)
            .and_then(unpacked)
            .and_then(|input| repack(input, file.as_file_mut()))
        {
            Ok(()) => {}
            Err(e) => {
                // What was unpacked before is used.
                self.push(name_of(path), vec![InputPart::Broken(e.to_string())]);
            }
        }
        self.members(name_of(path), Arc::new(Archive::Temporary(file.into_path())))
    }

    /// Members at the top are inputs, and so is each folder with all that is in it.
    fn members(&mut self, name: String, archive: Arc<Archive>) -> Result<(), Error> {
        let path: &Path = match &*archive {
            Archive::Path(path) => path,
            Archive::Temporary(path) => path,
        };
        let mut folders: BTreeMap<String, Vec<(PathBuf, InputPart)>> = BTreeMap::new();
        let result = disk::open(path).and_then(|file| {
            let mut tar = tar::Archive::new(BufReader::new(file));
            for entry in tar.entries_with_seek()? {
                let entry = entry?;
                if !entry.header().entry_type().is_file() {
                    continue;
                }
                let inside = entry.path()?.into_owned();
                let (at, len) = (entry.raw_file_position(), entry.size());
                let part = InputPart::Piece { archive: Arc::clone(&archive), at, len };
                let mut names = inside.components().filter_map(|c| match c {
                    std::path::Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
                    _ => None,
                });
                match (names.next(), names.next()) {
                    (Some(top), Some(_)) => {
                        folders.entry(top).or_default().push((inside.clone(), part));
                    }
                    _ if is_exit_note(&inside) => {}
                    _ => self.push(key_of(&inside), vec![part]),
                }
            }
            Ok(())
        });
        for (key, mut parts) in folders {
            parts.sort_by(|a, b| a.0.cmp(&b.0));
            self.push(key, parts.into_iter().map(|p| p.1).collect());
        }
        if let Err(e) = result {
            self.push(name, vec![InputPart::Broken(e.to_string())]);
        }
        Ok(())
    }
}

/// Returns whether an input is below the folder of outputs, or the folder is below the input.
fn overlap(input: &Path, out: &Path) -> bool {
    let Ok(input) = input.canonicalize() else { return false };
    // The last folders need not exist yet.
    let known = out.ancestors().find_map(|known| {
        let known = if known.as_os_str().is_empty() { Path::new(".") } else { known };
        let rest = out.strip_prefix(known).unwrap_or(out);
        Some(known.canonicalize().ok()?.join(rest))
    });
    known.is_some_and(|out| input.starts_with(&out) || out.starts_with(&input))
}

/// Copies an archive; the zeros at the ends of its members stay out of the file (they are holes).
fn repack(mut input: impl Read, file: &mut File) -> io::Result<()> {
    let mut chunk = vec![0; 64 << 10];
    let mut length = 0;
    loop {
        let read = match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => {
                file.set_len(length)?;
                return Err(e);
            }
        };
        match chunk[..read].iter().all(|b| *b == 0) {
            true => drop(file.seek(SeekFrom::Current(read as i64))?),
            false => file.write_all(&chunk[..read])?,
        }
        length += read as u64;
    }
    file.set_len(length)
}

/// Returns true for the name of a note of how a process ended.
fn is_exit_note(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "plx")
}

fn is_archive(path: &Path) -> bool {
    let name = name_of(path);
    ARCHIVES.iter().any(|end| name.len() > end.len() && name.ends_with(end))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Paths in a folder, by name, without those that begin with a dot.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if !name_of(&path).starts_with('.') {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

fn below(folder: &Path, files: &mut Vec<PathBuf>, deepest: usize) -> io::Result<()> {
    for path in sorted(folder)? {
        match path.is_dir() {
            true if deepest > 0 => below(&path, files, deepest - 1)?,
            true => return Err(io::Error::other("folders too deep")),
            false => files.push(path),
        }
    }
    Ok(())
}

fn temporary() -> Result<disk::StagedFile, Error> {
    disk::StagedFile::temporary().map_err(temporary_error)
}

fn temporary_error(e: io::Error) -> Error {
    Error::Temporary { why: e.to_string() }
}
