//! Source files, for the text of lines.
//!
//! A class of the app names its source file, so the author of the class (a library, a packer)
//! chooses the file that is shown, and pages with its text are shared. A name alone therefore opens
//! nothing: the file must look like source ([`ENDINGS`]), lie below the given folder without a link
//! that leads out of it, be hidden by no dot, and belong to the class's package.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use model::text::to_text;

/// Endings of source files whose compilers write class files.
const ENDINGS: [&str; 5] = ["java", "kt", "kts", "scala", "groovy"];
/// Maximum size of a source file in bytes.
const MAX_BYTES: u64 = 16 << 20;
/// Maximum depth of folders that are searched.
const MAX_DEPTH: usize = 64;
/// Maximum number of missing files to name.
const NAMED: usize = 5;

/// A file, if there is one.
type Found = Option<Arc<Source>>;

/// Index of the source files below some folders.
#[derive(Debug, Default)]
pub struct Sources {
    /// Paths by file name.
    files: HashMap<String, Vec<PathBuf>>,
    /// Files by package and name.
    read: Mutex<HashMap<(String, String), Found>>,
    missing: Mutex<BTreeSet<String>>,
}

/// A source file with its lines.
#[derive(Debug)]
pub(crate) struct Source {
    path: PathBuf,
    text: String,
    /// Offset of each line.
    starts: Vec<usize>,
}

impl Source {
    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns a line without the space around it; the first is 1.
    pub fn line(&self, number: u32) -> Option<&str> {
        let at = (number as usize).checked_sub(1)?;
        let start = *self.starts.get(at)?;
        let end = self.starts.get(at + 1).copied().unwrap_or(self.text.len());
        Some(self.text[start..end].trim())
    }
}

impl Sources {
    /// Searches folders for source files. Hidden entries are left out. Links to folders are not
    /// followed, and links to files only if they stay in the folder. Unreadable files are missing.
    pub fn of(folders: &[PathBuf]) -> Sources {
        let mut sources = Sources::default();
        for folder in folders {
            let root = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            sources.search(&root, folder, 0);
        }
        sources
    }

    /// Lists the source files of a folder below `root`, whose path has no links.
    fn search(&mut self, root: &Path, folder: &Path, depth: usize) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else {
                continue;
            };
            let path = entry.path();
            if name.starts_with('.') {
                continue;
            }
            if kind.is_dir() {
                if depth < MAX_DEPTH {
                    self.search(root, &path, depth + 1);
                }
            } else if is_source(&path)
                && (kind.is_file() || (kind.is_symlink() && stays_below(root, &path)))
            {
                self.files.entry(name).or_default().push(path);
            }
        }
    }

    /// Returns the file of a class: of those with its name, the one in a folder like its package
    /// (`com/example/`), or the only one that declares the package.
    pub(crate) fn file(&self, package: &str, name: &str) -> Found {
        let found = self.look_up(package, name);
        if found.is_none() {
            locked(&self.missing).insert(name.to_owned());
        }
        found
    }

    /// Returns the path of that file; does not record it as missing.
    pub(crate) fn path(&self, package: &str, name: &str) -> Option<PathBuf> {
        self.look_up(package, name).map(|source| source.path.clone())
    }

    fn look_up(&self, package: &str, name: &str) -> Found {
        let key = (package.to_owned(), name.to_owned());
        if let Some(known) = locked(&self.read).get(&key) {
            return known.clone();
        }
        let found = self.find(package, name);
        locked(&self.read).insert(key, found.clone());
        found
    }

    /// Returns the text of a line of that file.
    pub fn line(&self, package: &str, name: &str, number: u32) -> Option<String> {
        Some(self.file(package, name)?.line(number)?.to_owned())
    }

    /// Returns the number of that file's last line; does not record it as missing.
    pub(crate) fn last_line(&self, package: &str, name: &str) -> Option<u32> {
        u32::try_from(self.look_up(package, name)?.text().lines().count()).ok()
    }

    fn find(&self, package: &str, name: &str) -> Found {
        let all = self.files.get(name)?;
        let folder = Path::new(package);
        let inside = |path: &&PathBuf| path.parent().is_some_and(|p| p.ends_with(folder));
        if let Some(path) = all.iter().find(inside).filter(|_| !package.is_empty()) {
            return read(path);
        }
        // Kotlin leaves out folders that all packages share; tests and scripts have none.
        let declared = package.replace('/', ".");
        let mut declaring =
            all.iter().filter_map(|path| read(path)).filter(|s| package_of(&s.text) == declared);
        declaring.next().filter(|_| declaring.next().is_none())
    }

    /// Returns a remark on the files that were requested and not found.
    pub fn missing(&self) -> Option<String> {
        let missing = locked(&self.missing);
        let named: Vec<&str> = missing.iter().take(NAMED).map(String::as_str).collect();
        let more = missing.len() - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!named.is_empty()).then(|| format!("no source found for {}{more}", named.join(", ")))
    }
}

fn is_source(path: &Path) -> bool {
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| ENDINGS.contains(&e))
}

/// Returns true if a link leads to a source file below `root` that no dot hides.
fn stays_below(root: &Path, link: &Path) -> bool {
    let Ok(target) = link.canonicalize() else { return false };
    let is_hidden =
        |path: &Path| path.components().any(|c| c.as_os_str().as_encoded_bytes().starts_with(b"."));
    is_source(&target) && target.strip_prefix(root).is_ok_and(|below| !is_hidden(below))
}

/// Returns the package that a source file declares; empty without a declaration.
fn package_of(text: &str) -> String {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        // Comments, annotations of the file (`@file:JvmName("Main")`) and `#!` may precede it.
        let end = if rest.starts_with("/*") {
            rest.find("*/").map(|at| at + 2)
        } else if ["//", "@", "#!"].iter().any(|start| rest.starts_with(start)) {
            rest.find('\n')
        } else {
            break;
        };
        let Some(end) = end else { return String::new() };
        rest = rest[end..].trim_start();
    }
    let Some(name) =
        rest.strip_prefix("package").filter(|name| name.starts_with(char::is_whitespace))
    else {
        return String::new();
    };
    let name = name.trim_start();
    let is_part = |c: char| c.is_alphanumeric() || "._$`".contains(c);
    let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
    name[..end].replace('`', "")
}

/// Locks a map. Its contents are valid even if a thread panicked.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(path: &Path) -> Found {
    let text = to_text(&disk::read(path, MAX_BYTES).ok()?).into_owned();
    let mut starts = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    Some(Arc::new(Source { path: path.to_owned(), text, starts }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a folder with these files.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn line(sources: &Sources, package: &str, name: &str, number: u32) -> Option<String> {
        sources.file(package, name).and_then(|f| f.line(number).map(str::to_owned))
    }

    #[test]
    fn files_are_found_by_package() {
        let folder = folder(&[
            ("one/a/b/Main.java", "first\n  second\n"),
            ("two/c/Main.java", "other"),
            ("two/c/Only.kt", "only"),
        ]);
        let sources = Sources::of(&[folder.path().join("one"), folder.path().join("two")]);
        assert_eq!(line(&sources, "a/b", "Main.java", 2).as_deref(), Some("second"));
        assert_eq!(line(&sources, "c", "Main.java", 1).as_deref(), Some("other"));
        assert_eq!(line(&sources, "a/b", "Main.java", 0), None);
        assert_eq!(line(&sources, "a/b", "Main.java", 99), None);
        assert_eq!(sources.missing(), None);
        assert_eq!(line(&sources, "x", "Main.java", 1), None);
        assert_eq!(line(&sources, "x", "Only.kt", 1), None, "of another package");
        assert_eq!(sources.missing().as_deref(), Some("no source found for Main.java, Only.kt"));
    }

    #[test]
    fn a_declared_package_stands_for_its_folder() {
        let text = "// one\n/* two\n */ @file:JvmName(\"Main\")\n\npackage org.`in`.app\n";
        let folder = folder(&[("app/Main.kt", text), ("Script.kts", "fun main() {}\n")]);
        let sources = Sources::of(&[folder.path().to_owned()]);
        assert!(sources.file("org/in/app", "Main.kt").is_some());
        assert!(sources.file("org/in", "Main.kt").is_none());
        assert!(sources.file("", "Script.kts").is_some(), "no package is declared");
    }

    /// All of these names come from classes of the app.
    #[test]
    fn what_is_no_source_is_not_opened() {
        let files = [
            "com/sdk/keystore.properties",
            "com/sdk/.env",
            "com/sdk/.Hidden.kt",
            ".git/com/sdk/Hidden.kt",
            "com/sdk/id_rsa",
            "com/sdk/google-services.json",
        ];
        let folder = folder(&files.map(|name| (name, "secret")));
        let sources = Sources::of(&[folder.path().to_owned()]);
        for name in files {
            let name = name.rsplit('/').next().unwrap();
            assert!(sources.file("com/sdk", name).is_none(), "{name}");
        }
        for name in ["../com/sdk/.env", "/etc/passwd", "com/sdk/.env"] {
            assert!(sources.file("com/sdk", name).is_none(), "{name}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_inside_the_folder_alone() {
        use std::os::unix::fs::symlink;
        let folder = folder(&[
            ("outside/Secret.java", "secret"),
            ("in/com/sdk/Real.java", "real"),
            ("in/com/sdk/.hidden.java", "hidden"),
            ("in/com/sdk/notes.txt", "no source"),
        ]);
        let at = |name: &str| folder.path().join(name);
        symlink("/etc/passwd", at("in/com/sdk/Passwd.java")).unwrap();
        symlink(at("outside/Secret.java"), at("in/com/sdk/Secret.java")).unwrap();
        symlink(at("outside"), at("in/com/sdk/folder")).unwrap();
        symlink(at("in/com/sdk/.hidden.java"), at("in/com/sdk/Hidden.java")).unwrap();
        symlink(at("in/com/sdk/notes.txt"), at("in/com/sdk/Notes.java")).unwrap();
        symlink(at("in/com/sdk/Real.java"), at("in/com/sdk/Link.java")).unwrap();
        let sources = Sources::of(&[at("in")]);
        for name in ["Passwd.java", "Secret.java", "Hidden.java", "Notes.java"] {
            assert!(sources.file("com/sdk", name).is_none(), "{name}");
        }
        assert_eq!(line(&sources, "com/sdk", "Link.java", 1).as_deref(), Some("real"));
    }
}
