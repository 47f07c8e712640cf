//! Outputs that take their names when they are whole.
//!
//! Every unfinished file is in one list. A signal that ends the program empties the list
//! ([`remove_unfinished`]), so that neither temporary files nor half of several outputs stay.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile, PersistError, TempPath};

/// Files and folders that are removed when the program is ended. Files are made, renamed and listed
/// under this lock.
static UNFINISHED: Mutex<Unfinished> = Mutex::new(Unfinished {
    files: BTreeSet::new(),
    folders: BTreeSet::new(),
    new: BTreeSet::new(),
});

#[derive(Debug)]
struct Unfinished {
    files: BTreeSet<PathBuf>,
    /// Removed with all in them.
    folders: BTreeSet<PathBuf>,
    /// Folders that were made for outputs: removed if nothing is in them.
    new: BTreeSet<PathBuf>,
}

fn unfinished() -> MutexGuard<'static, Unfinished> {
    // A panic elsewhere leaves both sets whole.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all unfinished files and folders. No file is made or renamed afterwards: threads that
/// try wait until the process ends, which the caller sees to.
pub fn remove_unfinished() {
    let list = unfinished();
    for file in &list.files {
        let _ = std::fs::remove_file(file);
    }
    for folder in &list.folders {
        let _ = std::fs::remove_dir_all(folder);
    }
    for folder in &list.new {
        let _ = std::fs::remove_dir(folder);
    }
    std::mem::forget(list);
}

/// An entry of the list, for as long as a file is unfinished.
#[derive(Debug)]
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        let mut list = unfinished();
        list.files.remove(&self.0);
        list.folders.remove(&self.0);
        list.new.remove(&self.0);
    }
}

/// A file with a temporary name. It is removed unless it is given its own.
#[derive(Debug)]
pub struct StagedFile {
    // In this order: the file is removed before its entry in the list.
    file: NamedTempFile,
    listed: Listed,
}

impl StagedFile {
    /// Makes a file in the folder of its later name, with the rights of an ordinary new file.
    ///
    /// # Errors
    /// Those of the system.
    pub fn beside(target: &Path) -> io::Result<StagedFile> {
        let mut builder = Builder::new();
        builder.prefix(".pathlight-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Less what the umask takes away.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let parent = target.parent().filter(|p| !p.as_os_str().is_empty());
        Self::list(|| builder.tempfile_in(parent.unwrap_or(Path::new("."))))
    }

    /// Makes a file in this folder that its owner alone can read.
    ///
    /// # Errors
    /// Those of the system.
    pub fn private_in(folder: &Path) -> io::Result<StagedFile> {
        Self::list(|| Builder::new().prefix(".pathlight-").suffix(".tmp").tempfile_in(folder))
    }

    /// Makes a file in the system's folder of temporary files.
    ///
    /// # Errors
    /// Those of the system.
    pub fn temporary() -> io::Result<StagedFile> {
        Self::list(NamedTempFile::new)
    }

    fn list(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<StagedFile> {
        let mut list = unfinished();
        let file = make()?;
        let path = file.path().to_owned();
        list.files.insert(path.clone());
        Ok(StagedFile { file, listed: Listed(path) })
    }

    /// Returns the open file.
    pub fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Returns the open file.
    pub fn as_file_mut(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Opens the file once more, from its begin.
    ///
    /// # Errors
    /// Those of the system.
    pub fn reopen(&self) -> io::Result<File> {
        self.file.reopen()
    }

    /// Gives the file its name; a file that has the name is replaced.
    ///
    /// # Errors
    /// Those of the system. The file is removed then.
    pub fn persist(self, target: &Path) -> io::Result<()> {
        self.rename(|file| file.persist(target))
    }

    /// Gives the file its name unless there is a file of that name.
    ///
    /// # Errors
    /// Those of the system, `AlreadyExists` among them. The file is removed then.
    pub fn persist_new(self, target: &Path) -> io::Result<()> {
        self.rename(|file| {
            file.persist_noclobber(target).or_else(|e| match e.error.kind() {
                // Some file systems can only replace.
                kind if kind != ErrorKind::AlreadyExists && !target.exists() => {
                    e.file.persist(target)
                }
                _ => Err(e),
            })
        })
    }

    fn rename(
        self,
        rename: impl FnOnce(NamedTempFile) -> Result<File, PersistError>,
    ) -> io::Result<()> {
        let StagedFile { file, listed } = self;
        let list = unfinished();
        let renamed = rename(file).map(drop).map_err(|e| e.error);
        // The place in the list is given up under the same lock.
        drop(list);
        drop(listed);
        renamed
    }

    /// Closes the file; it is removed when its path is dropped.
    pub fn into_path(self) -> StagedPath {
        StagedPath { path: self.file.into_temp_path(), _listed: self.listed }
    }
}

impl Write for StagedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// Writes a file beside its target and renames it, so that a link of that name is replaced, not
/// followed.
///
/// # Errors
/// Those of the system.
pub fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut staged = StagedFile::beside(target)?;
    staged.as_file_mut().write_all(bytes)?;
    staged.persist(target)
}

/// Gives several files their names, in this order, as one: no signal ends the program in between.
///
/// # Errors
/// The first rename that fails, with its number; the files before it have their names.
pub fn persist_all<'t>(
    files: impl IntoIterator<Item = (StagedFile, &'t Path)>,
) -> Result<(), (usize, io::Error)> {
    let mut files = files.into_iter().enumerate();
    let mut renamed = Ok(());
    let mut done = Vec::new();
    let list = unfinished();
    for (number, (StagedFile { file, listed }, target)) in files.by_ref() {
        done.push(listed);
        if let Err(e) = file.persist(target) {
            renamed = Err((number, e.error));
            break;
        }
    }
    // Places in the list are given up under the lock: those of `done` and of `files` after this.
    drop(list);
    renamed
}

/// The path of a closed temporary file, which is removed when this is dropped.
#[derive(Debug)]
pub struct StagedPath {
    path: TempPath,
    _listed: Listed,
}

impl Deref for StagedPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

/// A temporary folder, removed with all in it.
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: tempfile::TempDir,
    _listed: Listed,
}

impl TemporaryFolder {
    /// Makes a folder among the system's temporary files.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new() -> io::Result<TemporaryFolder> {
        let mut list = unfinished();
        let folder = tempfile::tempdir()?;
        let path = folder.path().to_owned();
        list.folders.insert(path.clone());
        Ok(TemporaryFolder { folder, _listed: Listed(path) })
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// A folder for outputs, removed again if none comes into it.
#[derive(Debug)]
pub struct NewFolder(Option<Listed>);

impl NewFolder {
    /// Makes a folder; one that exists is left alone, now and later.
    ///
    /// # Errors
    /// Those of the system.
    pub fn create(path: &Path) -> io::Result<NewFolder> {
        if path.is_dir() {
            return Ok(NewFolder(None));
        }
        let path = std::path::absolute(path)?;
        let mut list = unfinished();
        std::fs::create_dir(&path)?;
        list.new.insert(path.clone());
        Ok(NewFolder(Some(Listed(path))))
    }

    /// Keeps the folder.
    pub fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if let Some(Listed(folder)) = &self.0 {
            // What somebody else has put there stays.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_has_its_name_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        std::fs::write(&target, "old").unwrap();
        let mut staged = StagedFile::beside(&target).unwrap();
        staged.write_all(b"new").unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"old");
        staged.persist(&target).unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    fn a_file_without_a_name_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        drop(StagedFile::beside(&target).unwrap());
        let taken = StagedFile::beside(&target).unwrap();
        std::fs::write(&target, "old").unwrap();
        assert_eq!(taken.persist_new(&target).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(names(folder.path()), ["out"]);
    }

    /// The second target is a folder, which no file replaces; the third file goes, too.
    #[test]
    fn the_rename_that_fails_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two, three] = ["1", "2", "3"].map(|name| folder.path().join(name));
        std::fs::create_dir(&two).unwrap();
        let staged = [&one, &two, &three].map(|t| (StagedFile::beside(t).unwrap(), t.as_path()));
        assert_eq!(persist_all(staged).unwrap_err().0, 1);
        assert_eq!(names(folder.path()), ["1", "2"]);
    }

    #[test]
    fn a_new_folder_goes_unless_it_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        drop(NewFolder::create(&path).unwrap());
        assert!(!path.exists());
        NewFolder::create(&path).unwrap().keep();
        drop(NewFolder::create(&path).unwrap());
        assert!(path.is_dir());
    }
}
