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
    lookup: HashMap<T, u32>,
    marker: PhantomData<I>,
}

impl<I, T> Default for Pool<I, T> {
    fn default() -> Self {
        Pool { items: Vec::new(), lookup: HashMap::new(), marker: PhantomData }
    }
}

impl<I: From<usize> + Copy, T: Eq + Hash + Clone> Pool<I, T> {
    /// Appends without looking for an equal item. The lookup table is filled on first use.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from(self.items.len() - 1)
    }

    /// The index of an equal item, appended if there is none.
    pub fn intern(&mut self, item: T) -> I {
        self.fill_lookup();
        if let Some(&i) = self.lookup.get(&item) {
            return I::from(i as usize);
        }
        let index = self.items.len();
        self.lookup.insert(item.clone(), u32::try_from(index).expect("pool position fits u32"));
        self.items.push(item);
        I::from(index)
    }

    /// The index of an equal item, if there is one.
    pub fn find(&self, item: &T) -> Option<I> {
        if self.lookup.is_empty() {
            return self.items.iter().position(|x| x == item).map(I::from);
        }
        self.lookup.get(item).map(|&i| I::from(i as usize)).or_else(|| {
            // Items pushed since the table was filled.
            self.items.iter().rposition(|x| x == item).map(I::from)
        })
    }

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

    fn fill_lookup(&mut self) {
        for i in self.lookup_len()..self.items.len() {
            self.lookup.entry(self.items[i].clone()).or_insert(i as u32);
        }
    }

    fn lookup_len(&self) -> usize {
        // The table holds every item up to the last fill; duplicates make it smaller, which only
        // costs a second look at them.
        self.lookup.len().min(self.items.len())
    }
}
