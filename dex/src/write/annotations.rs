//! Annotations: equal items, sets, lists and directories are written once.

use std::collections::HashMap;
use std::hash::Hash;

use super::map::{self, MapList};
use super::order::Order;
use super::sink::Sink;
use super::values;
use crate::error::WriteError;
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
    items: Distinct<Vec<u8>>,
    sets: Distinct<Vec<u32>>,
    lists: Distinct<Vec<Option<u32>>>,
    directories: Distinct<Directory>,
}

impl Collector {
    fn set(&mut self, order: &Order<'_>, set: &AnnotationSet) -> Result<u32> {
        let mut members = Vec::with_capacity(set.len());
        for annotation in set {
            let mut bytes = Sink::default();
            bytes.u8(annotation.visibility);
            values::annotation(&mut bytes, order, &annotation.annotation)?;
            members.push((order.ty(annotation.annotation.ty)?, self.items.add(bytes.bytes)));
        }
        members.sort_by_key(|(ty, _)| *ty);
        Ok(self.sets.add(members.into_iter().map(|(_, item)| item).collect()))
    }

    fn directory(&mut self, order: &Order<'_>, annotations: &Annotations) -> Result<u32> {
        let mut fields = Vec::with_capacity(annotations.fields.len());
        for (field, set) in &annotations.fields {
            fields.push((order.field(*field)?, self.set(order, set)?));
        }
        let mut methods = Vec::with_capacity(annotations.methods.len());
        for (method, set) in &annotations.methods {
            methods.push((order.method(*method)?, self.set(order, set)?));
        }
        let mut parameters = Vec::with_capacity(annotations.parameters.len());
        for (method, sets) in &annotations.parameters {
            let sets = sets.iter().map(|set| set.as_ref().map(|set| self.set(order, set)).transpose());
            let list = sets.collect::<Result<_>>()?;
            parameters.push((order.method(*method)?, self.lists.add(list)));
        }
        for list in [&mut fields, &mut methods, &mut parameters] {
            list.sort_by_key(|(member, _)| *member);
        }
        let class = annotations.class.as_ref().map(|set| self.set(order, set)).transpose()?;
        Ok(self.directories.add(Directory { class, fields, methods, parameters }))
    }
}

/// Writes all annotation sections; returns the directory's offset (or 0) by position in
/// [`Dex::classes`].
pub(super) fn write(out: &mut Sink, map: &mut MapList, dex: &Dex, order: &Order<'_>) -> Result<Vec<u32>> {
    let mut all = Collector::default();
    let mut directory_of = vec![None; dex.classes.len()];
    for &i in &order.classes {
        if let Some(annotations) = &dex.classes[i as usize].annotations {
            directory_of[i as usize] = Some(all.directory(order, annotations)?);
        }
    }

    let items = section(out, map, map::ANNOTATION, 1, all.items.into_list(), |out, item| out.extend(&item));
    let sets = section(out, map, map::ANNOTATION_SET, 4, all.sets.into_list(), |out, set| {
        out.u32(set.len() as u32);
        set.iter().for_each(|&item| out.u32(items[item as usize]));
    });
    let lists = section(out, map, map::ANNOTATION_SET_REF_LIST, 4, all.lists.into_list(), |out, list| {
        out.u32(list.len() as u32);
        list.iter().for_each(|set| out.u32(set.map_or(0, |set| sets[set as usize])));
    });
    let directories = section(out, map, map::ANNOTATIONS_DIRECTORY, 4, all.directories.into_list(), |out, d| {
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
    items: Vec<T>,
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
