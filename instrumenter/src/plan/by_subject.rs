//! Typed numbers of subjects, and collections with one value for each subject.

use std::ops::Index;

use model::map::MethodId;
use rayon::prelude::*;

/// Number of a subject in the selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubjectId(u32);

impl SubjectId {
    /// Returns the subject's id in the map, in probes and in logs; ids begin at 1.
    pub fn method_id(self) -> MethodId {
        MethodId(self.0 + 1)
    }

    /// Returns the subject with this id, which must be of the same build.
    pub fn of(id: MethodId) -> SubjectId {
        SubjectId(id.0 - 1)
    }
}

/// One value for each subject, in their order.
#[derive(Debug, Clone)]
pub struct BySubject<T>(Vec<T>);

impl<T> Default for BySubject<T> {
    fn default() -> Self {
        BySubject(Vec::new())
    }
}

impl<T> BySubject<T> {
    /// Returns the number of subjects.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there is no subject.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the values.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Returns the values for modification.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// Returns the values with their subjects.
    pub fn enumerate(&self) -> impl ExactSizeIterator<Item = (SubjectId, &T)> {
        self.0.iter().enumerate().map(|(i, value)| (SubjectId(i as u32), value))
    }

    /// Maps each value, on all cores.
    pub fn par_map<U: Send>(&self, f: impl Fn(SubjectId, &T) -> U + Sync + Send) -> BySubject<U>
    where
        T: Sync,
    {
        BySubject(
            self.0.par_iter().enumerate().map(|(i, value)| f(SubjectId(i as u32), value)).collect(),
        )
    }

    /// Maps each value, in order.
    pub fn map<U>(&self, mut f: impl FnMut(SubjectId, &T) -> U) -> BySubject<U> {
        self.enumerate().map(|(id, value)| f(id, value)).collect()
    }
}

impl<T> From<Vec<T>> for BySubject<T> {
    fn from(values: Vec<T>) -> Self {
        BySubject(values)
    }
}

impl<T> FromIterator<T> for BySubject<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut values: Vec<T> = values.into_iter().collect();
        // Collecting can reuse an allocation for larger values.
        values.shrink_to_fit();
        BySubject(values)
    }
}

impl<T> Index<SubjectId> for BySubject<T> {
    type Output = T;

    fn index(&self, id: SubjectId) -> &T {
        &self.0[id.0 as usize]
    }
}

impl<T> IntoIterator for BySubject<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a BySubject<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
