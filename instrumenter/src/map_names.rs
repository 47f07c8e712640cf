//! Interner for the names that a map lists.

use std::collections::HashMap;

use model::map;

/// Names of a map, each stored once.
#[derive(Default)]
pub(crate) struct NameTable {
    list: Vec<String>,
    lookup: HashMap<String, map::NameId>,
}

impl NameTable {
    /// Returns the id of a name, after adding it if it is new.
    pub fn add(&mut self, name: &str) -> map::NameId {
        if let Some(&id) = self.lookup.get(name) {
            return id;
        }
        let id = map::NameId(self.list.len() as u32);
        self.list.push(name.to_owned());
        self.lookup.insert(name.to_owned(), id);
        id
    }

    /// Adds a name under the next id, also if another id has the same name.
    pub fn append(&mut self, name: &str) {
        let id = map::NameId(self.list.len() as u32);
        self.list.push(name.to_owned());
        self.lookup.entry(name.to_owned()).or_insert(id);
    }

    /// Returns the name with an id.
    pub fn get(&self, id: map::NameId) -> &str {
        &self.list[id.0 as usize]
    }

    /// Returns all names, ordered by id.
    pub fn into_list(self) -> Vec<String> {
        self.list
    }
}
