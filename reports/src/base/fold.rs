//! Folding of repetitions: `39 40 41 39 40 41` becomes `(39 40 41) × 2`, also nested. The folder
//! works while the sequence arrives, in linear time, and looks back over a bounded number of parts.

use std::rc::Rc;

/// Maximum length of a repetition, in parts.
pub(crate) const WINDOW: usize = 64;

/// An element of a sequence.
pub(crate) trait Foldable: Clone + Eq {
    /// Returns a key; equal elements have equal keys.
    fn key(&self) -> u64;
    /// Returns the memory that it takes, in elements.
    fn weight(&self) -> usize;
}

/// An element, or a sequence and the number of its repetitions in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FoldedPart<T> {
    One(T),
    Times(Rc<[FoldedPart<T>]>, u64),
}

impl<T: Foldable> FoldedPart<T> {
    pub fn key(&self) -> u64 {
        match self {
            FoldedPart::One(element) => element.key(),
            FoldedPart::Times(body, times) => keys(body).fold(mix(1, *times), mix),
        }
    }

    pub fn weight(&self) -> usize {
        match self {
            FoldedPart::One(element) => element.weight(),
            FoldedPart::Times(body, _) => 1 + body.iter().map(FoldedPart::weight).sum::<usize>(),
        }
    }
}

fn keys<T: Foldable>(parts: &[FoldedPart<T>]) -> impl Iterator<Item = u64> {
    parts.iter().map(FoldedPart::key)
}

/// Combines two keys.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let x = (a.rotate_left(5) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ x >> 29
}

/// A sequence that is folded as it grows.
#[derive(Debug)]
pub(crate) struct Folder<T> {
    parts: Vec<FoldedPart<T>>,
    keys: Vec<u64>,
    /// Lowest bytes of the keys: they distinguish most parts, many at once.
    tags: Vec<u8>,
    /// Indices of the parts that are repetitions, ascending.
    times: Vec<usize>,
    weight: usize,
    /// True if nothing is folded except repetitions that are added as such.
    plain: bool,
}

impl<T> Default for Folder<T> {
    fn default() -> Self {
        let (parts, keys, tags) = (Vec::new(), Vec::new(), Vec::new());
        Folder { parts, keys, tags, times: Vec::new(), weight: 0, plain: false }
    }
}

impl<T> Folder<T> {
    /// Creates a folder that keeps elements as they come.
    pub fn plain() -> Self {
        Folder { plain: true, ..Folder::default() }
    }
}

impl<T: Foldable> Folder<T> {
    /// Adds an element.
    pub fn push(&mut self, element: T) {
        let key = element.key();
        if self.plain {
            return self.append(FoldedPart::One(element), key);
        }
        self.settle(Some(key));
        self.append(FoldedPart::One(element), key);
        self.fold();
    }

    /// Adds a repetition.
    pub fn push_times(&mut self, body: Vec<FoldedPart<T>>, times: u64) {
        let (mut times, p) = (times, body.len());
        if p == 0 || times == 0 {
            return;
        }
        while self.parts.len() >= p && self.parts.ends_with(&body) {
            self.cut(p);
            times += 1;
        }
        if let Some(FoldedPart::Times(last, n)) = self.parts.last()
            && **last == *body
        {
            times += n;
            self.cut(1);
        }
        let part = FoldedPart::Times(body.into(), times);
        let key = part.key();
        self.append(part, key);
    }

    /// Returns the memory that its parts take, in elements.
    pub fn weight(&self) -> usize {
        self.weight
    }

    /// Returns the number of parts.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Takes out the first parts that are out of reach, if they are many.
    pub fn drain_old(&mut self) -> Vec<FoldedPart<T>> {
        if self.parts.len() < 4 * WINDOW {
            return Vec::new();
        }
        let count = self.parts.len() - 2 * WINDOW;
        self.keys.drain(..count);
        self.tags.drain(..count);
        self.times.retain_mut(|at| {
            let stays = *at >= count;
            *at = at.saturating_sub(count);
            stays
        });
        let old: Vec<_> = self.parts.drain(..count).collect();
        self.weight -= old.iter().map(FoldedPart::weight).sum::<usize>();
        old
    }

    /// Takes out all parts.
    pub fn take(&mut self) -> Vec<FoldedPart<T>> {
        self.settle(None);
        self.keys.clear();
        self.tags.clear();
        self.times.clear();
        self.weight = 0;
        std::mem::take(&mut self.parts)
    }

    fn append(&mut self, part: FoldedPart<T>, key: u64) {
        self.weight += part.weight();
        if matches!(part, FoldedPart::Times(..)) {
            self.times.push(self.parts.len());
        }
        self.parts.push(part);
        self.keys.push(key);
        self.tags.push(key as u8);
    }

    /// Removes the last parts.
    fn cut(&mut self, count: usize) {
        let left = self.parts.len() - count;
        self.weight -= self.parts[left..].iter().map(FoldedPart::weight).sum::<usize>();
        self.parts.truncate(left);
        self.keys.truncate(left);
        self.tags.truncate(left);
        while self.times.last().is_some_and(|at| *at >= left) {
            self.times.pop();
        }
    }

    /// Folds a repetition at the end once the next element does not extend it: else an outer loop
    /// would be closed while its inner loop still runs.
    fn settle(&mut self, next: Option<u64>) {
        if let Some(FoldedPart::Times(body, _)) = self.parts.last()
            && !self.plain
            && next.is_none_or(|key| body[0].key() != key)
        {
            self.fold();
        }
    }

    /// Joins the last parts with equal ones before them.
    fn fold(&mut self) {
        let n = self.parts.len();
        let key = self.keys[n - 1];
        for &at in self.times.iter().rev() {
            let p = n - 1 - at;
            if p > WINDOW {
                break;
            }
            let FoldedPart::Times(body, times) = &self.parts[at] else { continue };
            if p > 0 && body.len() == p && **body == self.parts[at + 1..] {
                let grown = FoldedPart::Times(body.clone(), times + 1);
                self.cut(p + 1);
                let key = grown.key();
                self.append(grown, key);
                return;
            }
        }
        let from = (n - 1).saturating_sub(WINDOW);
        for at in memchr::memrchr_iter(key as u8, &self.tags[from..n - 1]) {
            let p = n - 1 - (from + at);
            if 2 * p > n {
                break;
            }
            let (first, second) = (n - 2 * p..n - p, n - p..n);
            if self.keys[first.clone()] == self.keys[second.clone()]
                && self.parts[first] == self.parts[second.clone()]
            {
                let body: Rc<[_]> = self.parts[second].into();
                self.cut(2 * p);
                let part = FoldedPart::Times(body, 2);
                let key = part.key();
                self.append(part, key);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    impl Foldable for u32 {
        fn key(&self) -> u64 {
            mix(7, u64::from(*self))
        }
        fn weight(&self) -> usize {
            1
        }
    }

    fn unfold(parts: &[FoldedPart<u32>], to: &mut Vec<u32>) {
        for part in parts {
            match part {
                FoldedPart::One(n) => to.push(*n),
                FoldedPart::Times(body, times) => (0..*times).for_each(|_| unfold(body, to)),
            }
        }
    }

    #[test]
    fn a_plain_folder_keeps_each_element() {
        let mut folder = Folder::plain();
        [1, 2, 1, 2, 1, 2].into_iter().for_each(|n| folder.push(n));
        assert_eq!(text(&folder.take()), "1 2 1 2 1 2");
    }

    fn text(parts: &[FoldedPart<u32>]) -> String {
        let texts: Vec<String> = parts
            .iter()
            .map(|part| match part {
                FoldedPart::One(n) => n.to_string(),
                FoldedPart::Times(body, times) => format!("({})*{times}", text(body)),
            })
            .collect();
        texts.join(" ")
    }

    fn folded(elements: impl IntoIterator<Item = u32>) -> Vec<FoldedPart<u32>> {
        let mut folder = Folder::default();
        elements.into_iter().for_each(|n| folder.push(n));
        folder.take()
    }

    /// Nested loops as programs have them, with rounds that differ.
    fn path() -> impl Strategy<Value = Vec<u32>> {
        let leaf = prop::collection::vec(0u32..6, 0..4);
        leaf.prop_recursive(4, 200, 4, |inner| {
            (prop::collection::vec(inner, 1..4), 1usize..6)
                .prop_map(|(bodies, times)| bodies.concat().repeat(times))
        })
    }

    proptest! {
        #[test]
        fn unfolding_gives_the_sequence_back(path in path()) {
            let mut back = Vec::new();
            unfold(&folded(path.iter().copied()), &mut back);
            prop_assert_eq!(back, path);
        }

        #[test]
        fn parts_taken_out_early_are_a_beginning_of_it(path in path(), times in 1u64..9) {
            let (mut folder, mut parts) = (Folder::default(), Vec::new());
            for n in path.iter().chain(&path) {
                folder.push(*n);
                parts.extend(folder.drain_old());
            }
            folder.push_times(folded(path.iter().copied()), times);
            let weight = folder.weight();
            let rest = folder.take();
            prop_assert_eq!(weight, rest.iter().map(FoldedPart::weight).sum::<usize>());
            parts.extend(rest);
            let mut back = Vec::new();
            unfold(&parts, &mut back);
            prop_assert_eq!(back, path.repeat(2 + times as usize));
        }
    }

    #[track_caller]
    fn shows(path: &[u32], want: &str) {
        assert_eq!(text(&folded(path.iter().copied())), want);
    }

    #[test]
    fn a_loop_is_folded_once() {
        shows(&[1, 39, 40, 41, 39, 40, 41, 39, 40, 41, 39, 43], "1 (39 40 41)*3 39 43");
    }

    #[test]
    fn a_loop_in_a_loop_is_folded_once() {
        let path = [&[1][..], &[2, 3].repeat(5), &[4]].concat().repeat(10);
        shows(&path, "(1 (2 3)*5 4)*10");
    }

    #[test]
    fn a_loop_that_ends_in_a_loop_is_not_turned_round() {
        let path = [&[1][..], &[2, 3].repeat(5)].concat().repeat(3);
        shows(&[&path[..], &[9]].concat(), "(1 (2 3)*5)*3 9");
    }

    #[test]
    fn rounds_that_differ_stay_apart() {
        shows(&[1, 2, 2, 1, 2, 2, 2, 1], "1 (2)*2 1 (2)*3 1");
    }

    #[test]
    fn rounds_in_bulk_join_those_before() {
        let mut folder = Folder::default();
        [5, 1, 2, 1, 2].into_iter().for_each(|n| folder.push(n));
        folder.push_times(vec![FoldedPart::One(1), FoldedPart::One(2)], 1_000_000);
        [1, 2, 3].into_iter().for_each(|n| folder.push(n));
        assert_eq!(text(&folder.take()), "5 (1 2)*1000003 3");
    }

    #[test]
    fn memory_stays_bounded_without_repetitions() {
        let mut folder = Folder::default();
        for n in 0..10_000 {
            folder.push(n);
            folder.drain_old();
            assert!(folder.len() <= 4 * WINDOW);
        }
    }
}
