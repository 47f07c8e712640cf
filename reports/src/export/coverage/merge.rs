//! Merging of the coverage of several builds of one source.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::app::Coverage;
use super::source::{CoveredClass, CoveredFile, CoveredMethod, LineOf};

impl<'m> Coverage<'m> {
    /// Adds the coverage of another build of the same source. Lines and methods are matched by
    /// file, name and number, which is meaningless for other versions of the source.
    ///
    /// Hits add up. Code units are those of the build in which more of the line's ran. Branches add
    /// up where both builds have the same ones on a line; else those of the first build count.
    pub fn merge(&mut self, other: Coverage<'m>) {
        let mut files: BTreeMap<(String, String), CoveredFile> = BTreeMap::new();
        for file in std::mem::take(&mut self.files).into_iter().chain(other.files) {
            match files.entry((file.package.clone(), file.name.clone())) {
                Entry::Vacant(entry) => {
                    entry.insert(file);
                }
                Entry::Occupied(mut entry) => entry.get_mut().merge(file),
            }
        }
        self.files = files.into_values().collect();
        self.left.extend(other.left);
        self.sessions.extend(other.sessions);
        self.sessions.sort();
        self.beyond += other.beyond;
    }
}

impl CoveredFile {
    fn merge(&mut self, other: CoveredFile) {
        self.found = self.found.take().or(other.found);
        let mut classes: BTreeMap<String, CoveredClass> = BTreeMap::new();
        for class in std::mem::take(&mut self.classes).into_iter().chain(other.classes) {
            match classes.entry(class.name.clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(class);
                }
                Entry::Occupied(mut entry) => entry.get_mut().merge(class),
            }
        }
        self.classes = classes.into_values().collect();
        self.add_up();
    }
}

impl CoveredClass {
    fn merge(&mut self, other: CoveredClass) {
        for method in other.methods {
            let same = |m: &&mut CoveredMethod| {
                (&m.name, &m.descriptor) == (&method.name, &method.descriptor)
            };
            match self.methods.iter_mut().find(same) {
                Some(own) => own.merge(method),
                None => self.methods.push(method),
            }
        }
        self.sort();
    }
}

impl CoveredMethod {
    fn merge(&mut self, other: CoveredMethod) {
        self.calls = self.calls.saturating_add(other.calls);
        for (number, line) in other.lines {
            match self.lines.entry(number) {
                Entry::Vacant(entry) => {
                    entry.insert(line);
                }
                Entry::Occupied(mut entry) => entry.get_mut().merge(&line),
            }
        }
    }
}

impl LineOf {
    fn merge(&mut self, other: &LineOf) {
        let (own, new) = (&mut self.line, &other.line);
        own.hits = own.hits.saturating_add(new.hits);
        if new.covered > own.covered {
            (own.covered, own.missed) = (new.covered, new.missed);
        }
        let shape =
            |line: &LineOf| line.branches.iter().map(|fork| fork.taken.len()).collect::<Vec<_>>();
        if shape(self) == shape(other) {
            let own = self.branches.iter_mut().flat_map(|fork| &mut fork.taken);
            let new = other.branches.iter().flat_map(|fork| &fork.taken);
            own.zip(new).for_each(|(own, new)| *own = own.saturating_add(*new));
        }
    }
}
