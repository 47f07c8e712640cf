//! Calling contexts: chains of callers, each chain once.

use std::collections::HashMap;

/// The depth from which on a repeated method is folded into its last occurrence.
pub const DEEP: u32 = 256;

/// The context above all others: no method runs.
pub const ROOT: ContextId = ContextId(0);

/// The number of a context; callers have lower numbers than what they call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(pub u32);

/// A method, and the context that called it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The caller's context.
    pub parent: ContextId,
    /// The method, by a number that the caller of this crate knows.
    pub method: u32,
}

/// A table of contexts, callers first. It is bounded: calls that do not fit count for their caller.
pub struct Contexts {
    rows: Vec<Context>,
    depths: Vec<u32>,
    /// Per context: the method that was called last, and its context.
    recent: Vec<(u32, u32)>,
    numbers: HashMap<(u32, u32), u32>,
    limit: usize,
    folded: u64,
}

impl Default for Contexts {
    fn default() -> Self {
        Contexts::with_limit(1 << 24)
    }
}

impl Contexts {
    /// A table of at most `limit` contexts.
    pub fn with_limit(limit: usize) -> Self {
        let (rows, depths, recent) = (Vec::new(), Vec::new(), vec![(0, 0)]);
        let limit = limit.min(1 << 31);
        Contexts { rows, depths, recent, numbers: HashMap::new(), limit, folded: 0 }
    }

    /// The context of a method that `parent` calls.
    ///
    /// From [`DEEP`] calls on, a method that is already on the stack is its last occurrence there.
    ///
    /// # Panics
    /// Panics if `parent` is not of this table.
    #[inline]
    pub fn enter(&mut self, parent: ContextId, method: u32) -> ContextId {
        match self.recent[parent.0 as usize] {
            // No context that was called is number 0.
            (last, known) if last == method && known > 0 => ContextId(known),
            _ => self.look_up(parent, method),
        }
    }

    fn look_up(&mut self, parent: ContextId, method: u32) -> ContextId {
        if let Some(&known) = self.numbers.get(&(parent.0, method)) {
            self.recent[parent.0 as usize] = (method, known);
            return ContextId(known);
        }
        let depth = self.depth(parent);
        if depth >= DEEP
            && let Some(last) = self.last_on_stack(parent, method)
        {
            self.folded += 1;
            return last;
        }
        if self.rows.len() >= self.limit {
            self.folded += 1;
            return parent;
        }
        self.rows.push(Context { parent, method });
        self.depths.push(depth + 1);
        self.recent.push((0, 0));
        let number = self.rows.len() as u32;
        self.numbers.insert((parent.0, method), number);
        ContextId(number)
    }

    fn depth(&self, id: ContextId) -> u32 {
        if id == ROOT { 0 } else { self.depths[id.0 as usize - 1] }
    }

    fn last_on_stack(&self, mut at: ContextId, method: u32) -> Option<ContextId> {
        while let Some(row) = self.get(at) {
            if row.method == method {
                return Some(at);
            }
            at = row.parent;
        }
        None
    }

    /// A context; `None` for the root and for numbers that are not in the table.
    pub fn get(&self, id: ContextId) -> Option<Context> {
        self.rows.get((id.0 as usize).checked_sub(1)?).copied()
    }

    /// The number of contexts without the root.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there is only the root.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Number of calls that were counted for another context: too deep, or the table was full.
    pub fn folded(&self) -> u64 {
        self.folded
    }

    /// All contexts in order of their numbers, from 1.
    pub(crate) fn rows(&self) -> &[Context] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_has_one_number() {
        let mut table = Contexts::default();
        let a = table.enter(ROOT, 7);
        let b = table.enter(a, 8);
        assert_eq!((a, b), (ContextId(1), ContextId(2)));
        assert_eq!(table.enter(a, 8), b);
        assert_eq!(table.get(b), Some(Context { parent: a, method: 8 }));
        assert_eq!((table.get(ROOT), table.get(ContextId(3))), (None, None));
        assert_ne!(table.enter(ROOT, 8), b);
    }

    #[test]
    fn deep_recursion_adds_no_contexts() {
        let (mut table, mut at) = (Contexts::default(), ROOT);
        for i in 0..100_000 {
            at = table.enter(at, i % 3);
        }
        // Calls 0 to 255 fill the table; 256 is method 1, last on the stack as call 253.
        assert_eq!(table.len(), DEEP as usize);
        assert!(table.folded() > 0);
        let new = table.enter(at, 9);
        assert_eq!(table.len(), DEEP as usize + 1, "a method that is not on the stack is new");
        assert_eq!(table.get(new).unwrap().method, 9);
    }

    #[test]
    fn a_full_table_counts_for_the_caller() {
        let mut table = Contexts::with_limit(1);
        let a = table.enter(ROOT, 1);
        assert_eq!(table.enter(a, 2), a);
        assert_eq!(table.folded(), 1);
    }
}
