//! Source files, for the text of lines.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use model::text::to_text;

/// Larger files are no sources.
const MAX_BYTES: u64 = 16 << 20;
/// Folders deeper than this are not searched.
const MAX_DEPTH: usize = 64;
/// So many missing files are named.
const NAMED: usize = 5;

/// A file, if there is one.
type Found = Option<Arc<Source>>;

/// The source files below some folders.
#[derive(Debug, Default)]
pub struct Sources {
    /// By file name.
    files: HashMap<String, Vec<PathBuf>>,
    /// By package and file name.
    read: Mutex<HashMap<(String, String), Found>>,
    missing: Mutex<BTreeSet<String>>,
}

/// The lines of a file.
#[derive(Debug)]
pub(crate) struct Source {
    text: String,
    /// Where each begins.
    starts: Vec<usize>,
}

impl Source {
    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A line without the space around it; the first is 1.
    pub fn line(&self, number: u32) -> Option<&str> {
        let at = (number as usize).checked_sub(1)?;
        let start = *self.starts.get(at)?;
        let end = self.starts.get(at + 1).copied().unwrap_or(self.text.len());
        Some(self.text[start..end].trim())
    }
}

impl Sources {
    /// Looks through folders. Those whose names begin with a dot are left out, and links to folders
    /// are not followed. What cannot be read is missing.
    pub fn of(folders: &[PathBuf]) -> Sources {
        let mut sources = Sources::default();
        for folder in folders {
            sources.search(folder, 0);
        }
        sources
    }

    fn search(&mut self, folder: &Path, depth: usize) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else {
                continue;
            };
            if kind.is_dir() {
                if depth < MAX_DEPTH && !name.starts_with('.') {
                    self.search(&entry.path(), depth + 1);
                }
            } else {
                self.files.entry(name).or_default().push(entry.path());
            }
        }
    }

    /// The file of a class: in a folder like its package (`com/example/`), or the only one of its
    /// name.
    pub(crate) fn file(&self, package: &str, name: &str) -> Option<Arc<Source>> {
        let key = (package.to_owned(), name.to_owned());
        if let Some(known) = locked(&self.read).get(&key) {
            return known.clone();
        }
        let read = self.path(package, name).and_then(read);
        if read.is_none() {
            locked(&self.missing).insert(name.to_owned());
        }
        locked(&self.read).insert(key, read.clone());
        read
    }

    /// The number of that file's last line.
    pub(crate) fn last_line(&self, package: &str, name: &str) -> Option<u32> {
        self.path(package, name)?;
        u32::try_from(self.file(package, name)?.text().lines().count()).ok()
    }

    /// Where that file is.
    pub(crate) fn path(&self, package: &str, name: &str) -> Option<&Path> {
        let all = self.files.get(name)?;
        let folder = Path::new(package);
        let inside = |path: &&PathBuf| path.parent().is_some_and(|p| p.ends_with(folder));
        let found = all.iter().find(inside).filter(|_| !package.is_empty());
        let only = || all.first().filter(|_| all.len() == 1);
        found.or_else(only).map(PathBuf::as_path)
    }

    /// What was asked for and not found, in words.
    pub fn missing(&self) -> Option<String> {
        let missing = locked(&self.missing);
        let named: Vec<&str> = missing.iter().take(NAMED).map(String::as_str).collect();
        let more = missing.len() - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!named.is_empty()).then(|| format!("no source found for {}{more}", named.join(", ")))
    }
}

/// What it holds is whole, whatever a thread that panicked was doing.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(path: &Path) -> Option<Arc<Source>> {
    let kind = std::fs::metadata(path).ok()?;
    if !kind.is_file() || kind.len() > MAX_BYTES {
        return None;
    }
    let text = to_text(&std::fs::read(path).ok()?).into_owned();
    let mut starts = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    Some(Arc::new(Source { text, starts }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_package_or_if_they_are_the_only_ones() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        for (at, text) in [
            (one.join("a/b/Main.java"), "first\n  second\n"),
            (two.join("c/Main.java"), "other"),
            (two.join("c/Only.kt"), "only"),
            (two.join(".git/Hidden.kt"), "hidden"),
        ] {
            std::fs::create_dir_all(at.parent().unwrap()).unwrap();
            std::fs::write(at, text).unwrap();
        }
        let sources = Sources::of(&[one, two]);
        let line = |package: &str, name: &str, n| {
            sources.file(package, name).and_then(|f| f.line(n).map(str::to_owned))
        };
        assert_eq!(line("a/b", "Main.java", 2).as_deref(), Some("second"));
        assert_eq!(line("c", "Main.java", 1).as_deref(), Some("other"));
        assert_eq!(line("x", "Only.kt", 1).as_deref(), Some("only"));
        assert_eq!(line("a/b", "Main.java", 0), None);
        assert_eq!(line("a/b", "Main.java", 99), None);
        assert_eq!(sources.missing(), None);
        assert_eq!(line("x", "Main.java", 1), None, "two have this name");
        assert_eq!(line("x", "Hidden.kt", 1), None);
        assert_eq!(sources.missing().as_deref(), Some("no source found for Hidden.kt, Main.java"));
    }
}
