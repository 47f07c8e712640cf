//! Names of source files in coverage: readers look for them in a repository.

use std::path::{Component, Path, PathBuf};

/// The folder that names are relative to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Folder in which relative paths begin.
    current: PathBuf,
    folder: PathBuf,
}

impl Root {
    /// Finds the repository of this folder, or uses the folder itself if it is in none.
    pub fn of(current: &Path) -> Root {
        let current = current.canonicalize().unwrap_or_else(|_| current.to_path_buf());
        let repository = current.ancestors().find(|folder| folder.join(".git").exists());
        let folder = repository.unwrap_or(&current).to_path_buf();
        Root { current, folder }
    }

    /// Returns the path of a file relative to the root if it is below it, else its whole path.
    pub(super) fn name(&self, file: &Path) -> String {
        let plain = plain(&self.current.join(file));
        let real = plain.canonicalize().unwrap_or_else(|_| plain.clone());
        let below = [&real, &plain].into_iter().find_map(|p| p.strip_prefix(&self.folder).ok());
        below.map_or_else(|| slashes(&real), slashes)
    }
}

/// Returns a path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            _ => plain.push(component),
        }
    }
    plain
}

/// Returns a path with slashes, also on Windows.
fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a repository with `app/src/Main.java`, and a folder beside it.
    fn folders() -> (tempfile::TempDir, PathBuf) {
        let work = tempfile::tempdir().unwrap();
        let repository = work.path().join("repository");
        std::fs::create_dir_all(repository.join("app/src")).unwrap();
        std::fs::create_dir_all(repository.join(".git")).unwrap();
        std::fs::create_dir_all(work.path().join("beside")).unwrap();
        std::fs::write(repository.join("app/src/Main.java"), "").unwrap();
        std::fs::write(work.path().join("beside/Other.java"), "").unwrap();
        (work, repository)
    }

    #[test]
    fn every_spelling_of_a_path_names_the_file_from_the_root_of_the_repository() {
        let (_work, repository) = folders();
        let absolute = repository.join("app/src/Main.java");
        let root = Root::of(&repository.join("app"));
        let beside = format!("../../{}/app/src/Main.java", "repository");
        for spelling in ["src/Main.java", "./src/Main.java", "../app/./src/Main.java", &beside] {
            assert_eq!(root.name(Path::new(spelling)), "app/src/Main.java", "{spelling}");
        }
        assert_eq!(root.name(&absolute), "app/src/Main.java");
    }

    #[test]
    fn without_a_repository_names_begin_in_the_current_folder() {
        let (work, _) = folders();
        let root = Root::of(&work.path().join("beside"));
        assert_eq!(root.name(Path::new("./Other.java")), "Other.java");
    }

    #[test]
    fn a_file_outside_of_the_repository_keeps_its_whole_path() {
        let (work, repository) = folders();
        let other = work.path().canonicalize().unwrap().join("beside/Other.java");
        let root = Root::of(&repository);
        assert_eq!(root.name(Path::new("../beside/Other.java")), slashes(&other));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_the_repository_leads_to_the_same_names() {
        let (work, repository) = folders();
        let link = work.path().join("link");
        std::os::unix::fs::symlink(&repository, &link).unwrap();
        let root = Root::of(&link);
        assert_eq!(root.name(&link.join("app/src/Main.java")), "app/src/Main.java");
        assert_eq!(root.name(&repository.join("app/src/Main.java")), "app/src/Main.java");
    }
}
