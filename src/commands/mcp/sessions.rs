//! Names of the logs that a server answers for.

use std::path::{Path, PathBuf};

use crate::args::near;
use crate::commands::Result;
use crate::inputs::{Content, LogFiles};

/// The logs of the folders that were named at the start.
#[derive(Debug, Clone, Default)]
pub struct SessionNames {
    names: Vec<String>,
    /// Logs in archives: no name leads to them from the command line.
    unnamed: usize,
}

impl SessionNames {
    /// Finds the logs.
    ///
    /// # Errors
    /// A folder has no log, or cannot be read.
    pub fn find(folders: &[PathBuf]) -> Result<SessionNames> {
        Ok(SessionNames::of_files(&LogFiles::find(folders)?))
    }

    /// Lists the logs among these files.
    pub fn of_files(files: &LogFiles) -> SessionNames {
        let logs = files
            .files()
            .iter()
            .filter(|file| matches!(file.content, Content::Trace | Content::Text));
        let (names, unnamed): (Vec<_>, Vec<_>) =
            logs.map(|file| file.name.clone()).partition(|name| Path::new(name).is_file());
        SessionNames { names, unnamed: unnamed.len() }
    }

    /// Returns all names, in the order of the folders.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the number of logs without a name.
    pub fn unnamed(&self) -> usize {
        self.unnamed
    }

    /// Returns the sessions with these names or file names. Answers read no other logs.
    ///
    /// # Errors
    /// No session has the name, or several have the file name. The message lists similar names.
    pub fn select(&self, asked: &[String]) -> std::result::Result<Vec<PathBuf>, String> {
        asked.iter().map(|name| self.one(name).map(PathBuf::from)).collect()
    }

    fn one(&self, asked: &str) -> std::result::Result<String, String> {
        if self.names.iter().any(|name| name == asked) {
            return Ok(asked.to_owned());
        }
        let is_file = |name: &&String| Path::new(name).file_name().is_some_and(|f| f == asked);
        let mut found = self.names.iter().filter(is_file);
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one.clone()),
            (Some(_), Some(_)) => Err(format!(
                "several sessions have the file name {asked}: give the whole name. Call `sessions` \
                 for all names"
            )),
            (None, _) => {
                let similar = near::names(asked, self.names.iter().map(String::as_str));
                let similar = match similar.is_empty() {
                    true => String::new(),
                    false => format!("; similar: {}", similar.join(", ")),
                };
                Err(format!("there is no session {asked}{similar}. Call `sessions` for all names"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions() -> SessionNames {
        let names = ["logs/1/a.plt", "logs/2/a.plt", "logs/b.plt", "a.plt"];
        SessionNames { names: names.map(String::from).into(), unnamed: 0 }
    }

    #[test]
    fn a_whole_name_wins_over_file_names() {
        let one = |name: &str| sessions().select(&[name.to_owned()]).unwrap();
        assert_eq!(one("a.plt"), [Path::new("a.plt")]);
        assert_eq!(one("b.plt"), [Path::new("logs/b.plt")]);
    }

    #[test]
    fn names_that_fit_several_sessions_or_none_are_refused() {
        let two = SessionNames { names: sessions().names[..2].to_vec(), unnamed: 0 };
        assert!(two.select(&["a.plt".into()]).unwrap_err().contains("several"));
        let error = sessions().select(&["logs/b.plf".into()]).unwrap_err();
        assert!(error.contains("no session logs/b.plf; similar: logs/b.plt"), "{error}");
    }
}
