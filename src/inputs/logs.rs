//! Arguments that name logs: files, folders, archives, compressed files, patterns and `-`.

use std::fs;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use decoder::log::Collector;
use disk::TemporaryFolder;
use model::map::BuildId;
use model::text::{TextReader, to_utf8};
use model::{counts, exit_note, heads, hits, start_table, trace};

use super::archives::{self, ArchiveError, Packed};
use crate::error::{PathContext, Result, Usage};
use crate::outputs::Kind;
use crate::outputs::print::note;
use crate::outputs::progress::Progress;

/// Bytes that identify a file.
const HEAD: u64 = 1 << 12;
/// Folders inside folders that are searched.
const DEEPEST: usize = 32;
/// Marks of logcat lines, which a text in a folder must have to be taken for a log.
const MARKS: [&[u8]; 3] = [b"PL3 ", b"PL2 ", b"PL0 "];
/// Bytes of a mark.
const LONGEST_MARK: usize = 4;
/// Bytes of text that are searched at a time.
const CHUNK: u64 = 1 << 16;

/// A file with logs or counts.
#[derive(Debug, Clone)]
pub struct LogFile {
    /// Its name in messages: as given, with the member's name behind that of an archive.
    pub name: String,
    /// The path to read: that of the file, or of a temporary copy without packing.
    pub path: PathBuf,
    /// The kind of content, by its first bytes.
    pub content: Content,
}

/// The kind of content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A trace file.
    Trace,
    /// A start table.
    Table,
    /// A note of how a process ended.
    Exit,
    /// A count file, also one that was not begun.
    Counts,
    /// A hit file.
    Hits,
    /// Text that may hold lines of logcat, or something unknown.
    Text,
    /// A pipe or device: it gives its bytes only once.
    Pipe,
    /// An archive that cannot be read, which was reported.
    Broken,
}

impl Content {
    fn of(head: &[u8], name: &str) -> Content {
        let is_not_begun = || name.ends_with(".plc") && head.iter().all(|byte| *byte == 0);
        if trace::is_trace(head) {
            Content::Trace
        } else if start_table::is_table(head) {
            Content::Table
        } else if exit_note::is_exit_note(head) {
            Content::Exit
        } else if counts::is_count_file(head) || is_not_begun() {
            Content::Counts
        } else if hits::is_hit_file(head) {
            Content::Hits
        } else {
            Content::Text
        }
    }
}

/// The files that arguments name. Temporary copies go with this value.
#[derive(Debug, Default)]
pub struct LogFiles {
    files: Vec<LogFile>,
    /// Folders of the arguments: maps may lie beside the logs.
    folders: Vec<PathBuf>,
    temporary: Option<TemporaryFolder>,
}

impl LogFiles {
    /// Finds the files that the arguments name. A folder stands for the logs in it and its
    /// subfolders, an archive for those in it; a pattern that the shell left alone is expanded.
    ///
    /// # Errors
    /// A file cannot be read or is something else than a log, a folder or archive holds no log, or
    /// a pattern matches nothing.
    pub fn find(arguments: &[PathBuf]) -> Result<LogFiles> {
        let mut found = LogFiles::default();
        if arguments.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
            return Err(Usage("standard input can be read only once").into());
        }
        for argument in arguments {
            found.add(argument)?;
        }
        found.drop_lone_notes()?;
        Ok(found)
    }

    /// Drops notes of exits if there is no log that they could belong to: readers of counts want
    /// none.
    fn drop_lone_notes(&mut self) -> Result<()> {
        let is_log =
            |file: &LogFile| matches!(file.content, Content::Trace | Content::Text | Content::Pipe);
        if self.files.iter().any(is_log) {
            return Ok(());
        }
        let lone = self.files.iter().find(|file| file.content == Content::Exit).cloned();
        self.files.retain(|file| file.content != Content::Exit);
        match lone {
            Some(note) if self.files.is_empty() => Err(format!(
                "{} notes how a process ended, and is no log: pass the log as well",
                note.name
            )
            .into()),
            _ => Ok(()),
        }
    }

    /// The files.
    pub fn files(&self) -> &[LogFile] {
        &self.files
    }

    /// Folders in which maps may lie beside the logs.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Returns whether the file of this name is read from a temporary copy.
    pub fn is_temporary(&self, name: &str) -> bool {
        self.temporary.as_ref().is_some_and(|folder| {
            self.files.iter().any(|file| file.name == name && file.path.starts_with(folder.path()))
        })
    }

    /// Splits the files into logs and count files.
    pub fn split_counts(&self) -> (Vec<LogFile>, Vec<LogFile>) {
        self.files.iter().cloned().partition(|file| file.content != Content::Counts)
    }

    /// Returns the files whose header names this build.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn of_build(&self, build: BuildId) -> Result<Vec<LogFile>> {
        let mut files = Vec::new();
        for file in &self.files {
            if file.content == Content::Exit || builds_of(file)?.contains(&build) {
                files.push(file.clone());
            }
        }
        Ok(files)
    }

    fn add(&mut self, argument: &Path) -> Result<()> {
        let name = argument.display().to_string();
        if name == "-" {
            self.add_folder_of_maps(Path::new("."));
            return self.add_stream(&mut io::stdin().lock(), "standard input".into());
        }
        let facts = match fs::metadata(argument) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return self.add_pattern(&name);
            }
            facts => facts.map_err(|error| format!("{name}: {error}"))?,
        };
        if facts.is_dir() {
            return self.add_folder(argument);
        }
        let folder = argument.parent().filter(|folder| !folder.as_os_str().is_empty());
        self.add_folder_of_maps(folder.unwrap_or(Path::new(".")));
        if !facts.is_file() || disk::is_open_file(argument) {
            self.files.push(LogFile { name, path: argument.into(), content: Content::Pipe });
            return Ok(());
        }
        let head = head_of(argument).map_err(|error| format!("{name}: {error}"))?;
        self.add_file(argument, name, &head)
    }

    /// Expands a pattern, for shells that do not.
    fn add_pattern(&mut self, pattern: &str) -> Result<()> {
        if !pattern.contains(['*', '?', '[']) {
            return Err(format!("{pattern}: there is no such file or folder").into());
        }
        let paths = glob::glob(pattern).map_err(|error| format!("{pattern}: {error}"))?;
        let paths: Vec<PathBuf> = paths.collect::<std::result::Result<_, _>>()?;
        if paths.is_empty() {
            return Err(format!("{pattern}: no file has a name like this").into());
        }
        paths.iter().try_for_each(|path| self.add(path))
    }

    /// Adds a file that was named: one that is no log is an error.
    fn add_file(&mut self, path: &Path, name: String, head: &[u8]) -> Result<()> {
        if let Some(packed) = Packed::of(head) {
            let before = self.files.len();
            self.unpack(path, &name, packed)?;
            return match self.files.len() > before {
                true => Ok(()),
                false => Err(format!("{name}: no log is in this archive").into()),
            };
        }
        let content = Content::of(head, &name);
        if let (Content::Text, Some(kind)) = (content, Kind::of(&to_utf8(head))) {
            return Err(misplaced(&name, kind).into());
        }
        self.files.push(LogFile { name, path: path.into(), content });
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path) -> Result<()> {
        let before = self.files.len();
        let mut others = 0;
        self.add_folder_of_maps(folder);
        self.search(folder, DEEPEST, &mut others)?;
        if self.files.len() > before {
            return Ok(());
        }
        let other = match others {
            0 => "it is empty".into(),
            1 => "it has 1 other file".into(),
            n => format!("it has {n} other files"),
        };
        Err(format!("{}: no log is in this folder; {other}", folder.display()).into())
    }

    /// Adds the logs in a folder; counts its other files.
    fn search(&mut self, folder: &Path, deepest: usize, others: &mut usize) -> Result<()> {
        let failed = |error: io::Error| format!("{}: {error}", folder.display());
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if !entry.file_name().to_string_lossy().starts_with('.') {
                paths.push(entry.path());
            }
        }
        paths.sort();
        for path in paths {
            let name = path.display().to_string();
            // Broken links, sockets and pipes are nobody's logs; links to folders may be circles.
            let Ok(facts) = fs::symlink_metadata(&path) else { continue };
            if facts.is_symlink() && path.is_dir() {
                note(format_args!("{name}: a link to a folder, which is not followed; name it"));
                continue;
            }
            if facts.is_dir() {
                if deepest == 0 {
                    return Err(format!("{name}: more than {DEEPEST} folders deep").into());
                }
                self.search(&path, deepest - 1, others)?;
                continue;
            }
            if !fs::metadata(&path).is_ok_and(|facts| facts.is_file()) {
                *others += 1;
                continue;
            }
            let head = head_of(&path).map_err(|error| format!("{name}: {error}"))?;
            let before = self.files.len();
            if let Some(packed) = Packed::of(&head) {
                self.search_archive(&path, name, packed)?;
            } else {
                self.add_if_log(&path, name, &head)?;
            }
            *others += usize::from(self.files.len() == before);
        }
        Ok(())
    }

    /// Adds the logs in an archive that nobody named. One that cannot be read may have held logs:
    /// it is reported, and counts as damage.
    fn search_archive(&mut self, path: &Path, name: String, packed: Packed) -> Result<()> {
        match self.unpack(path, &name, packed) {
            Ok(()) => {}
            Err(problem) if problem.is::<Misplaced>() => {}
            Err(problem) => {
                note(problem);
                self.files.push(LogFile { name, path: path.into(), content: Content::Broken });
            }
        }
        Ok(())
    }

    /// Adds a file that nobody named, if it is a log.
    fn add_if_log(&mut self, path: &Path, name: String, head: &[u8]) -> Result<bool> {
        let content = Content::of(head, &name);
        let is_log = match content {
            Content::Text => {
                Kind::of(&to_utf8(head)).is_none()
                    && has_marks(path).map_err(|error| format!("{name}: {error}"))?
            }
            _ => true,
        };
        if is_log {
            self.files.push(LogFile { name, path: path.into(), content });
        }
        Ok(is_log)
    }

    /// Adds the logs in a compressed file or an archive, as temporary copies. Of one that is cut or
    /// damaged, what comes before the damage is added.
    fn unpack(&mut self, path: &Path, name: &str, packed: Packed) -> Result<()> {
        let folder = self.temporary_folder()?;
        let _progress = Progress::new(format_args!("unpacking {name}"));
        let before = self.files.len();
        let unpacked = archives::each_member(path, packed, &mut |member, copy| {
            self.add_member(&folder, name, member, copy)
        });
        match unpacked {
            Ok(()) => Ok(()),
            Err(ArchiveError::Archive(problem)) if self.files.len() > before => {
                self.add_damaged(name.into(), path, problem);
                Ok(())
            }
            Err(ArchiveError::Archive(problem)) => Err(format!("{name}: {problem}").into()),
            Err(ArchiveError::Package) => Err(misplaced(name, Kind::Package).into()),
            Err(ArchiveError::Member(error)) => Err(error),
        }
    }

    /// Adds a member of an archive, if it is a log.
    fn add_member(
        &mut self,
        folder: &Path,
        name: &str,
        member: Option<&str>,
        copy: archives::Copy<'_>,
    ) -> Result<()> {
        let copied = folder.join(self.files.len().to_string());
        let named = member.map_or_else(|| name.into(), |member| format!("{name}/{member}"));
        let failed = |error: io::Error| format!("{named}: {error}");
        let mut file = fs::File::create(&copied).map_err(failed)?;
        let mut problem = copy(&mut file).map_err(failed)?;
        drop(file);
        let mut head = head_of(&copied).map_err(failed)?;
        if disk::is_compressed(&head) {
            let plain = folder.join(format!("{}-plain", self.files.len()));
            let mut content = disk::open(&copied).and_then(disk::unpacked).map_err(failed)?;
            let mut file = fs::File::create(&plain).map_err(failed)?;
            problem = archives::copy(&mut content, &mut file).map_err(failed)?.or(problem);
            fs::rename(&plain, &copied).map_err(failed)?;
            head = head_of(&copied).map_err(failed)?;
        }
        if let Some(problem) = &problem
            && head.is_empty()
        {
            return Err(format!("{named}: {problem}").into());
        }
        if member.is_none() {
            // The user has named this one.
            let content = Content::of(&head, name);
            let file = LogFile { name: named.clone(), path: copied.clone(), content };
            self.files.push(file);
        } else if !self.add_if_log(&copied, named.clone(), &head)? {
            fs::remove_file(&copied)?;
            return Ok(());
        }
        if let Some(problem) = problem {
            self.add_damaged(named, &copied, problem);
        }
        Ok(())
    }

    /// Reports that a compressed file or archive is damaged, and counts the damage.
    fn add_damaged(&mut self, name: String, path: &Path, problem: impl std::fmt::Display) {
        note(format_args!("{name}: damaged ({problem}); what comes before the damage is read"));
        self.files.push(LogFile { name, path: path.into(), content: Content::Broken });
    }

    /// Copies a stream to a temporary file, so that it can be read more than once.
    fn add_stream(&mut self, input: &mut dyn Read, name: String) -> Result<()> {
        let _progress = Progress::new(format_args!("reading {name}"));
        let path = self.temporary_folder()?.join(format!("stream-{}", self.files.len()));
        let mut file = fs::File::create(&path).at(&path)?;
        io::copy(input, &mut file).map_err(|e| format!("{name}: {e}"))?;
        let head = head_of(&path)?;
        self.add_file(&path, name, &head)
    }

    fn temporary_folder(&mut self) -> Result<PathBuf> {
        if self.temporary.is_none() {
            self.temporary = Some(TemporaryFolder::new()?);
        }
        let folder = self.temporary.as_ref().map(|folder| folder.path().to_owned());
        Ok(folder.unwrap_or_default())
    }

    fn add_folder_of_maps(&mut self, folder: &Path) {
        if !self.folders.iter().any(|known| known == folder) {
            self.folders.push(folder.into());
        }
    }

    /// Finds the builds that wrote these files, without reading more of them than need be.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(super) fn builds(&self) -> Result<Vec<(BuildId, String)>> {
        let mut builds: Vec<(BuildId, String)> = Vec::new();
        for file in &self.files {
            for build in builds_of(file)? {
                if !builds.iter().any(|(known, _)| *known == build) {
                    builds.push((build, file.name.clone()));
                }
            }
        }
        Ok(builds)
    }
}

/// Finds the builds of a file: in its header where it has one, else in all of its lines.
fn builds_of(file: &LogFile) -> Result<Vec<BuildId>> {
    match file.content {
        // Unknown before it is read, or for good; a note goes with its log.
        Content::Pipe | Content::Broken | Content::Exit => Ok(Vec::new()),
        Content::Text => {
            let mut collector = Collector::new(None);
            collector.add_file(&file.name, &file.path)?;
            Ok(collector.finish_each().1.builds().collect())
        }
        Content::Trace | Content::Table | Content::Counts | Content::Hits => {
            let head = head_of(&file.path).map_err(|error| format!("{}: {error}", file.name))?;
            Ok(heads::build_of_log(&head).into_iter().collect())
        }
    }
}

/// Reads what identifies a file.
fn head_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    disk::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// Returns whether a text has lines of Pathlight, in UTF-8 or UTF-16.
fn has_marks(path: &Path) -> io::Result<bool> {
    let mut text = TextReader::new(BufReader::new(disk::open(path)?));
    let mut window = Vec::new();
    loop {
        // A mark may begin in the chunk before.
        window.drain(..window.len().saturating_sub(LONGEST_MARK));
        if text.by_ref().take(CHUNK).read_to_end(&mut window)? == 0 {
            return Ok(false);
        }
        if MARKS.iter().any(|mark| window.windows(mark.len()).any(|w| w == *mark)) {
            return Ok(true);
        }
    }
}

/// A file that is given as a log and is something else.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Misplaced(String);

/// Describes such a file, and where it belongs.
fn misplaced(name: &str, kind: Kind) -> Misplaced {
    let place = match kind {
        Kind::Map => "pass it as --map",
        Kind::Model => "`instrument --model` and `train --model` take it",
        Kind::Paths => "`instrument --select` takes it",
        Kind::TimeTree => "`timetree query` and `decode --index` take it",
        Kind::Package => "logs are what it writes when it runs: see `pathlight device pull`",
        _ => "it was made of logs; pass the logs themselves",
    };
    Misplaced(format!("{name} is {}, not a log: {place}", kind.name()))
}
