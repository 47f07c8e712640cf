//! Builds a profile for new DEX files.

use std::collections::{BTreeMap, BTreeSet};

use apk::{BaselineFiles, NewEntry};
use artprofile::{
    ArtProfile, DexMetadata, DexRules, Metadata, MethodFlags, ProfileVersion, UnwritableProfile,
};

use super::NewDex;
use super::dex_names::{ClassPlace, MethodPlace, NewFiles};
use super::keys::{self, DexKey};

/// Rules of one package for the new DEX files.
pub(super) struct ProfileBuilder {
    version: ProfileVersion,
    /// Keys by new DEX file; none for the files that this profile cannot name.
    keys: Vec<Option<String>>,
    /// DEX files in the order of the profile.
    order: Vec<usize>,
    rules: BTreeMap<usize, FileRules>,
    extra_descriptors: Vec<String>,
}

#[derive(Default)]
struct FileRules {
    methods: BTreeMap<u16, MethodFlags>,
    classes: BTreeSet<u16>,
    /// Classes of the metadata.
    definitions: BTreeSet<u16>,
    /// Extra descriptors that classes name.
    extra: BTreeSet<usize>,
}

impl ProfileBuilder {
    /// A profile without rules that names new DEX files as the old profile of their package did.
    pub fn new(old: &ArtProfile, package: usize, new: &[NewDex<'_>]) -> ProfileBuilder {
        let own = |file: &NewDex<'_>| file.package == package;
        let key = |file: &NewDex<'_>| {
            let mut known = old.dex_files.iter().map(|dex| &dex.key);
            let known = known.find(|key| keys::names(key, &file.entry.name));
            let sibling = || {
                let name = keys::base_name(&file.entry.name);
                let mut siblings =
                    old.dex_files.iter().map(|dex| DexKey::of(&dex.key).sibling(name));
                siblings.find(|key| keys::names(key, &file.entry.name))
            };
            known.cloned().or_else(sibling).filter(|_| own(file))
        };
        let keys: Vec<Option<String>> = new.iter().map(key).collect();
        let order = old
            .dex_files
            .iter()
            .filter_map(|dex| keys.iter().position(|key| key.as_ref() == Some(&dex.key)));
        let order = order.collect();
        let (version, rules) = (old.version, BTreeMap::new());
        ProfileBuilder { version, keys, order, rules, extra_descriptors: Vec::new() }
    }

    /// Returns the rules of a file, if the profile can name it.
    fn of(&mut self, file: usize) -> Option<&mut FileRules> {
        self.keys[file].as_ref()?;
        if !self.order.contains(&file) {
            self.order.push(file);
        }
        Some(self.rules.entry(file).or_default())
    }

    /// Adds flags to a method. Returns `None` if the profile cannot name its DEX file, and true if
    /// the method is new.
    pub fn add_method(&mut self, place: MethodPlace, flags: MethodFlags) -> Option<bool> {
        let methods = &mut self.of(place.file)?.methods;
        let is_new = !methods.contains_key(&place.index);
        *methods.entry(place.index).or_default() |= flags;
        Some(is_new)
    }

    /// Adds a class. Returns `None` if the profile cannot name it, and true if it is new.
    pub fn add_class(&mut self, place: ClassPlace<'_>) -> Option<bool> {
        let index = match self.version.names_definitions() {
            true => place.definition,
            false => place.ty,
        };
        if let Some(index) = index {
            return Some(self.of(place.file)?.classes.insert(index));
        }
        if self.version != ProfileVersion::S {
            return None;
        }
        let descriptor = place.class.to_string();
        let known = self.extra_descriptors.iter().position(|known| *known == descriptor);
        let extra = known.unwrap_or_else(|| {
            self.extra_descriptors.push(descriptor);
            self.extra_descriptors.len() - 1
        });
        Some(self.of(place.file)?.extra.insert(extra))
    }

    /// Adds a class to the metadata, if it is defined in a file that the profile can name.
    pub fn add_definition(&mut self, place: ClassPlace<'_>) {
        if let (Some(definition), Some(rules)) = (place.definition, self.of(place.file)) {
            rules.definitions.insert(definition);
        }
    }

    /// Writes the profile and its metadata.
    pub fn finish(
        mut self,
        files: &BaselineFiles,
        metadata: Option<&Metadata>,
        new: &[NewDex<'_>],
        names: &mut NewFiles<'_>,
    ) -> Result<Vec<NewEntry>, UnwritableProfile> {
        let (mut dex_files, mut of_metadata) = (Vec::new(), Vec::new());
        for &file in &self.order {
            let (Some(key), Some(sizes)) = (self.keys[file].clone(), names.sizes(file)) else {
                continue;
            };
            let rules = self.rules.remove(&file).unwrap_or_default();
            let mut classes = rules.classes;
            let extra =
                rules.extra.iter().filter_map(|n| u16::try_from(sizes.types as usize + n).ok());
            classes.extend(extra);
            let has_types = self.version == ProfileVersion::S;
            of_metadata.push(DexMetadata {
                key: key.clone(),
                number: 0,
                type_ids: sizes.types,
                definitions: rules.definitions,
            });
            dex_files.push(DexRules {
                key,
                checksum: apk::crc32(&new[file].entry.bytes),
                type_ids: if has_types { sizes.types } else { 0 },
                method_ids: if self.version.has_flags() { sizes.methods } else { 0 },
                methods: rules.methods,
                classes,
            });
        }
        let (version, extra_descriptors) = (self.version, self.extra_descriptors);
        let profile = ArtProfile { version, dex_files, extra_descriptors, inline_caches: 0 };
        let name = files.profile.name.clone();
        let mut entries = vec![NewEntry { name, bytes: profile.write()? }];
        if let (Some(entry), Some(old)) = (&files.metadata, metadata) {
            let bytes = renewed(old, of_metadata).write()?;
            entries.push(NewEntry { name: entry.name.clone(), bytes });
        }
        Ok(entries)
    }
}

/// Returns metadata of these DEX files, in the order and with the numbers of the old metadata; new
/// DEX files come last.
fn renewed(old: &Metadata, dex_files: Vec<DexMetadata>) -> Metadata {
    let position = |key: &str| old.dex_files.iter().position(|dex| dex.key == key);
    let mut dex_files = dex_files;
    dex_files.sort_by_key(|dex| position(&dex.key).unwrap_or(usize::MAX));
    let mut next = old.dex_files.iter().map(|dex| dex.number).max().map_or(0, |most| most + 1);
    for dex in &mut dex_files {
        match position(&dex.key) {
            Some(at) => dex.number = old.dex_files[at].number,
            None => {
                dex.number = next;
                next += 1;
            }
        }
    }
    Metadata { version: old.version, dex_files }
}
