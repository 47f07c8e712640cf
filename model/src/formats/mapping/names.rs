//! Texts that come up often, each stored once.

use std::hash::{BuildHasher, RandomState};

/// A text of a [`NamePool`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Name(pub u32);

/// All texts in one string, found by their hash: a mapping has millions, most of them often.
#[derive(Debug, Clone, Default)]
pub(super) struct NamePool {
    text: String,
    ends: Vec<u32>,
    /// Open addressing: position in `ends`, plus one.
    slots: Vec<u32>,
    hasher: RandomState,
}

impl NamePool {
    /// The id of this text; `None` when 4 GiB of texts are stored.
    pub fn add(&mut self, text: &str) -> Option<Name> {
        if self.slots.len() < 2 * (self.ends.len() + 1) {
            self.grow();
        }
        let slot = self.slot(text);
        if let Some(found) = self.slots[slot].checked_sub(1) {
            return Some(Name(found));
        }
        let id = u32::try_from(self.ends.len()).ok()?;
        let end = u32::try_from(self.text.len() + text.len()).ok()?;
        self.text.push_str(text);
        self.ends.push(end);
        self.slots[slot] = id + 1;
        Some(Name(id))
    }

    /// The id of this text, if it was added.
    pub fn find(&self, text: &str) -> Option<Name> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(text)].checked_sub(1).map(Name)
    }

    /// The text.
    pub fn get(&self, name: Name) -> &str {
        let at = name.0 as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[at] as usize]
    }

    /// Returns the slot that this text has, or is to have.
    fn slot(&self, text: &str) -> usize {
        let mut at = self.hasher.hash_one(text) as usize;
        loop {
            at %= self.slots.len();
            match self.slots[at].checked_sub(1) {
                Some(other) if self.get(Name(other)) != text => at += 1,
                _ => return at,
            }
        }
    }

    fn grow(&mut self) {
        self.slots = vec![0; (4 * (self.ends.len() + 1)).max(64)];
        for id in 0..self.ends.len() as u32 {
            let slot = self.slot(self.get(Name(id)));
            self.slots[slot] = id + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NamePool;

    #[test]
    fn each_text_is_stored_once() {
        let mut names = NamePool::default();
        assert_eq!(names.find("a"), None);
        let texts: Vec<String> = (0..1000).map(|n| format!("{}", n % 500)).collect();
        let ids: Vec<_> = texts.iter().map(|t| names.add(t).unwrap()).collect();
        assert_eq!(names.ends.len(), 500);
        for (text, id) in texts.iter().zip(ids) {
            assert_eq!((names.get(id), names.find(text)), (text.as_str(), Some(id)));
        }
        assert_eq!(names.find("500"), None);
        assert_eq!(names.add("").map(|n| names.get(n)), Some(""));
    }
}
