//! Append-only pools with interning.

use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Items addressed by a typed index; equal items are stored once when [`intern`](Pool::intern)ed.
///
/// A file may hold equal items twice (it should not); reading [`push`](Pool::push)es them all, so
/// that every index of the file stays what it was.
#[derive(Debug, Clone)]
pub struct Pool<I, T> {
    items: Vec<T>,
    /// First position of each item among `items[..filled]`, by its hash.
    lookup: HashTable<u32>,
    hasher: DefaultHashBuilder,
    filled: usize,
    marker: PhantomData<I>,
}

impl<I, T> Default for Pool<I, T> {
    fn default() -> Self {
        Pool::from(Vec::new())
    }
}

impl<I, T: PartialEq> PartialEq for Pool<I, T> {
    /// Same items in the same order.
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl<I, T> From<Vec<T>> for Pool<I, T> {
    /// A pool of these items, in this order, duplicates included.
    fn from(items: Vec<T>) -> Self {
        let (lookup, hasher) = (HashTable::new(), DefaultHashBuilder::default());
        Pool { items, lookup, hasher, filled: 0, marker: PhantomData }
    }
}

impl<I, T> Pool<I, T> {
    /// All items in index order.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// True if the pool has no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<I: From<usize> + Copy, T: Eq + Hash> Pool<I, T> {
    /// Appends without looking for an equal item. The lookup table is filled on first use.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from(self.items.len() - 1)
    }

    /// The index of an equal item (the first, if the file had several), appended if there is none.
    pub fn intern(&mut self, item: T) -> I {
        while self.filled < self.items.len() {
            self.note(self.filled);
            self.filled += 1;
        }
        if let Some(i) = self.noted(&item) {
            return I::from(i as usize);
        }
        let index = self.push(item);
        self.note(self.filled);
        self.filled += 1;
        index
    }

    /// The index of the first equal item, if there is one. Fast after an [`intern`](Pool::intern);
    /// items [`push`](Pool::push)ed since then are compared one by one.
    pub fn find(&self, item: &T) -> Option<I> {
        if let Some(i) = self.noted(item) {
            return Some(I::from(i as usize));
        }
        self.items[self.filled..].iter().position(|x| x == item).map(|i| I::from(i + self.filled))
    }

    fn noted(&self, item: &T) -> Option<u32> {
        let equal = |&i: &u32| self.items[i as usize] == *item;
        self.lookup.find(self.hasher.hash_one(item), equal).copied()
    }

    /// Puts the item at this position into the lookup table, unless an equal one is there.
    fn note(&mut self, position: usize) {
        let Pool { items, lookup, hasher, .. } = self;
        let position = u32::try_from(position).expect("pool position fits u32");
        let at = |i: u32| &items[i as usize];
        let hash = hasher.hash_one(at(position));
        lookup
            .entry(hash, |&i| at(i) == at(position), |&i| hasher.hash_one(at(i)))
            .or_insert(position);
    }
}
