//! Annotations: equal items, sets, lists and directories are written once.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::map::{self, MapList};
use super::order::Order;
use super::sink::Sink;
use super::values;
use crate::file::error::WriteError;
use crate::file::{AnnotationSet, Annotations, Dex};

type Result<T> = std::result::Result<T, WriteError>;

/// Distinct values, numbered in order of first appearance.
pub(super) struct Distinct<T> {
    numbers: HashMap<T, u32>,
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Distinct { numbers: HashMap::new() }
    }
}

impl<T: Eq + Hash> Distinct<T> {
    pub fn add(&mut self, item: T) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(item).or_insert(next)
    }

    pub fn into_list(self) -> Vec<T> {
        let mut list: Vec<(T, u32)> = self.numbers.into_iter().collect();
        list.sort_unstable_by_key(|(_, number)| *number);
        list.into_iter().map(|(item, _)| item).collect()
    }
}

/// Distinct lists of values, numbered in order of first appearance. They lie in one piece: there
/// are tens of thousands, and most are short.
pub(super) struct DistinctLists<T> {
    values: Vec<T>,
    /// End of each list.
    ends: Vec<usize>,
    /// Numbers by hash.
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl<T> Default for DistinctLists<T> {
    fn default() -> Self {
        let (numbers, hasher) = (HashTable::new(), DefaultHashBuilder::default());
        DistinctLists { values: Vec::new(), ends: Vec::new(), numbers, hasher }
    }
}

impl<T: Copy + Eq + Hash> DistinctLists<T> {
    pub fn add(&mut self, list: &[T]) -> u32 {
        let DistinctLists { values, ends, numbers, hasher } = self;
        let next = ends.len() as u32;
        let known = |&i: &u32| at(values, ends, i as usize) == list;
        let rehash = |&i: &u32| hasher.hash_one(at(values, ends, i as usize));
        match numbers.entry(hasher.hash_one(list), known, rehash) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                entry.insert(next);
                values.extend_from_slice(list);
                ends.push(values.len());
                next
            }
        }
    }

    /// All of them, by number.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.ends.len()).map(|i| at(&self.values, &self.ends, i))
    }
}

fn at<'v, T>(values: &'v [T], ends: &[usize], i: usize) -> &'v [T] {
    &values[i.checked_sub(1).map_or(0, |before| ends[before])..ends[i]]
}

/// A directory with final member numbers and set numbers.
#[derive(PartialEq, Eq, Hash)]
struct Directory {
    class: Option<u32>,
    fields: Vec<(u32, u32)>,
    methods: Vec<(u32, u32)>,
    parameters: Vec<(u32, u32)>,
}

#[derive(Default)]
struct Collector {
    items: DistinctLists<u8>,
    sets: DistinctLists<u32>,
    lists: DistinctLists<Option<u32>>,
    directories: Distinct<Directory>,
}

impl Collector {
    fn set(&mut self, order: &Order<'_>, set: &AnnotationSet) -> Result<u32> {
        let mut items = Vec::with_capacity(set.len());
        for item in sorted(set, |item| order.ty(item.annotation.ty))? {
            let mut bytes = Sink::default();
            bytes.u8(item.1.visibility);
            values::annotation(&mut bytes, order, &item.1.annotation)?;
            items.push(self.items.add(&bytes.bytes));
        }
        Ok(self.sets.add(&items))
    }

    fn directory(&mut self, order: &Order<'_>, annotations: &Annotations) -> Result<u32> {
        let class = annotations.class.as_ref().map(|set| self.set(order, set)).transpose()?;
        let fields = sorted(&annotations.fields, |(field, _)| order.field(*field))?
            .into_iter()
            .map(|(number, (_, set))| Ok((number, self.set(order, set)?)))
            .collect::<Result<_>>()?;
        let methods = sorted(&annotations.methods, |(method, _)| order.method(*method))?
            .into_iter()
            .map(|(number, (_, set))| Ok((number, self.set(order, set)?)))
            .collect::<Result<_>>()?;
        let mut parameters = Vec::with_capacity(annotations.parameters.len());
        for (number, (_, sets)) in
            sorted(&annotations.parameters, |(method, _)| order.method(*method))?
        {
            let sets =
                sets.iter().map(|set| set.as_ref().map(|set| self.set(order, set)).transpose());
            let list: Vec<Option<u32>> = sets.collect::<Result<_>>()?;
            parameters.push((number, self.lists.add(&list)));
        }
        Ok(self.directories.add(Directory { class, fields, methods, parameters }))
    }
}

/// Items with their final numbers, ascending. Sorted before anything below them is numbered, so
/// that the file does not depend on the order in memory.
fn sorted<T>(items: &[T], number: impl Fn(&T) -> Result<u32>) -> Result<Vec<(u32, &T)>> {
    let mut items: Vec<(u32, &T)> =
        items.iter().map(|item| Ok((number(item)?, item))).collect::<Result<_>>()?;
    items.sort_by_key(|(number, _)| *number);
    Ok(items)
}

/// Writes all annotation sections; returns the directory's offset (or 0) by position in
/// [`Dex::classes`].
pub(super) fn write(
    out: &mut Sink,
    map: &mut MapList,
    dex: &Dex,
    order: &Order<'_>,
) -> Result<Vec<u32>> {
    let mut all = Collector::default();
    let mut directory_of = vec![None; dex.classes.len()];
    for &i in &order.classes {
        if let Some(annotations) = &dex.classes[i as usize].annotations {
            directory_of[i as usize] = Some(all.directory(order, &annotations.values())?);
        }
    }

    let items =
        section(out, map, map::ANNOTATION, 1, all.items.iter(), |out, item| out.extend(item));
    drop(all.items);
    let sets = section(out, map, map::ANNOTATION_SET, 4, all.sets.iter(), |out, set| {
        out.u32(set.len() as u32);
        set.iter().for_each(|&item| out.u32(items[item as usize]));
    });
    let lists =
        section(out, map, map::ANNOTATION_SET_REF_LIST, 4, all.lists.iter(), |out, list| {
            out.u32(list.len() as u32);
            list.iter().for_each(|set| out.u32(set.map_or(0, |set| sets[set as usize])));
        });
    let directories =
        section(out, map, map::ANNOTATIONS_DIRECTORY, 4, all.directories.into_list(), |out, d| {
            out.u32(d.class.map_or(0, |set| sets[set as usize]));
            let tables = [(&d.fields, &sets), (&d.methods, &sets), (&d.parameters, &lists)];
            tables.iter().for_each(|(table, _)| out.u32(table.len() as u32));
            for (table, offsets) in tables {
                for &(member, item) in table {
                    out.u32(member);
                    out.u32(offsets[item as usize]);
                }
            }
        });
    Ok(directory_of.into_iter().map(|d| d.map_or(0, |d: u32| directories[d as usize])).collect())
}

/// Writes a section of items, each aligned; returns their offsets.
pub(super) fn section<T>(
    out: &mut Sink,
    map: &mut MapList,
    kind: u16,
    align: usize,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Sink, T),
) -> Vec<u32> {
    out.align(align);
    let start = out.pos();
    let offsets: Vec<u32> = (items.into_iter())
        .map(|item| {
            out.align(align);
            let offset = out.pos();
            write(out, item);
            offset
        })
        .collect();
    map.add(kind, offsets.len(), start);
    offsets
}
