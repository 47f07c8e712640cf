//! The names that a map lists.

use std::collections::HashMap;

use model::map;

/// Names of a map, each once.
#[derive(Default)]
pub(crate) struct Names {
    list: Vec<String>,
    lookup: HashMap<String, map::NameId>,
}

impl Names {
    /// The id of this name.
    pub fn add(&mut self, name: &str) -> map::NameId {
        if let Some(&id) = self.lookup.get(name) {
            return id;
        }
        let id = map::NameId(self.list.len() as u32);
        self.list.push(name.to_owned());
        self.lookup.insert(name.to_owned(), id);
        id
    }

    /// The name of this id.
    pub fn get(&self, id: map::NameId) -> &str {
        &self.list[id.0 as usize]
    }

    /// All of them, by id.
    pub fn into_list(self) -> Vec<String> {
        self.list
    }
}
