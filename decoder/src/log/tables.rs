//! Start tables: those that were given, and those that lie beside the logs.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::map::BuildId;
use model::start_table::{MAX_FILE, StartTable, TableId};

use super::store::InputError;

/// The start tables that are known.
#[derive(Debug, Default)]
pub(super) struct StartTables {
    known: BTreeMap<TableId, Arc<StartTable>>,
}

impl StartTables {
    /// One that was given.
    pub(super) fn add(&mut self, table: StartTable) {
        self.known.insert(table.id(), Arc::new(table));
    }

    /// The table that a log of this build names: one that was given, or one in the log's folder.
    pub(super) fn find<'p>(
        &mut self,
        id: TableId,
        build: BuildId,
        folders: impl Iterator<Item = &'p Path>,
    ) -> Result<Arc<StartTable>, InputError> {
        let wrong = |why: String| InputError::Table { id, why };
        let mut why = "which is not there".to_owned();
        if !self.known.contains_key(&id) {
            for path in folders.flat_map(|folder| named(folder, id)) {
                match read(&path) {
                    Ok(table) if table.id() == id => self.add(table),
                    Ok(table) => why = format!("but {} is {}", path.display(), table.id()),
                    Err(e) => why = format!("but {}: {e}", path.display()),
                }
            }
        }
        match self.known.get(&id) {
            Some(table) if table.build == build => Ok(Arc::clone(table)),
            Some(table) => Err(wrong(format!("which is of build {}", table.build))),
            None => Err(wrong(why)),
        }
    }
}

/// Returns the files in a folder that are named after this table.
fn named(folder: &Path, id: TableId) -> Vec<PathBuf> {
    // The parent of a bare name.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (begin, id) = ("pathlight-", format!("-table-{id}"));
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let fits = |path: &PathBuf| {
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        name.starts_with(begin) && name.ends_with(".plk") && name.contains(&id)
    };
    let mut files: Vec<_> = files.map(|f| f.path()).filter(fits).collect();
    files.sort();
    files
}

fn read(path: &Path) -> Result<StartTable, String> {
    let mut bytes = vec![];
    let file = disk::open(path).map_err(|e| e.to_string())?;
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    StartTable::parse(&bytes).map_err(|e| e.to_string())
}
