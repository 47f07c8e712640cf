//! Append-only pools with interning.

use std::collections::HashMap;
use std::hash::Hash;
use std::marker::PhantomData;

/// Items addressed by a typed index; equal items are stored once when [`intern`](Pool::intern)ed.
///
/// A file may hold equal items twice (it should not); reading [`push`](Pool::push)es them all, so
/// that every index of the file stays what it was.
#[derive(Debug, Clone)]
pub struct Pool<I, T> {
    items: Vec<T>,
    /// First position of each item among `items[..filled]`.
    lookup: HashMap<T, u32>,
    filled: usize,
    marker: PhantomData<I>,
}

impl<I, T> Default for Pool<I, T> {
    fn default() -> Self {
        Pool { items: Vec::new(), lookup: HashMap::new(), filled: 0, marker: PhantomData }
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
        Pool { items, lookup: HashMap::new(), filled: 0, marker: PhantomData }
    }
}

impl<I, T> Pool<I, T> {
    /// All items in index order.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<I: From<usize> + Copy, T: Eq + Hash + Clone> Pool<I, T> {
    /// Appends without looking for an equal item. The lookup table is filled on first use.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from(self.items.len() - 1)
    }

    /// The index of an equal item (the first, if the file had several), appended if there is none.
    pub fn intern(&mut self, item: T) -> I {
        self.fill_lookup();
        if let Some(&i) = self.lookup.get(&item) {
            return I::from(i as usize);
        }
        let index = self.items.len();
        self.lookup.insert(item.clone(), u32::try_from(index).expect("pool position fits u32"));
        self.items.push(item);
        self.filled = self.items.len();
        I::from(index)
    }

    /// The index of the first equal item, if there is one. Fast after an [`intern`](Pool::intern);
    /// what was [`push`](Pool::push)ed since is searched one by one.
    pub fn find(&self, item: &T) -> Option<I> {
        if let Some(&i) = self.lookup.get(item) {
            return Some(I::from(i as usize));
        }
        self.items[self.filled..].iter().position(|x| x == item).map(|i| I::from(i + self.filled))
    }

    fn fill_lookup(&mut self) {
        for (i, item) in self.items.iter().enumerate().skip(self.filled) {
            self.lookup.entry(item.clone()).or_insert(i as u32);
        }
        self.filled = self.items.len();
    }
}
