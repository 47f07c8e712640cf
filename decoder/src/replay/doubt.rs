//! Frames that may have ended unseen (`docs/PROTOCOL.md` §5). The frame of an announced
//! method without a guard ends unnoticed when code outside the app swallows the exception that
//! leaves it. The walk then gives what its caller does to that frame, until that one exits, and is
//! ahead of the counter from there on. A record that ends by returns cannot hide that: too much was
//! counted. But an exception cuts paths short, and so makes up for it. So the announced frames are
//! remembered until the record has ended by a return, and an exception that comes to a frame below
//! one is reported as doubtful.

use std::collections::BTreeMap;

use model::map::MethodId;

use super::{PathSink, SendEvents};

/// Doubts about one stack: of each depth the oldest frame without a guard that was announced; it
/// may have returned, as the path has it, or not.
#[derive(Debug, Clone, Default)]
pub(super) struct Doubts(BTreeMap<usize, MethodId>);

impl Doubts {
    /// Records that the innermost of `frames` frames is an announced one without a guard.
    pub fn unguarded(&mut self, frames: usize, method: MethodId) {
        self.0.entry(frames - 1).or_insert(method);
    }

    /// An exception came to the frame at this depth, or left it.
    pub fn exception(&mut self, depth: usize, sink: &mut impl PathSink) {
        while let Some(d) = self.0.last_entry().filter(|d| *d.key() > depth) {
            let depth = *d.key() + 1;
            sink.doubtful(d.remove(), depth);
        }
    }

    /// The frame at this depth returned, and nothing of the record is left.
    #[inline]
    pub fn proven(&mut self, depth: usize) {
        if !self.0.is_empty() {
            self.0.split_off(&depth);
        }
    }

    /// The stream ends: whether the frames in question were there till then is not known.
    pub fn remain(&mut self, sink: &mut impl PathSink) {
        let left = std::mem::take(&mut self.0).into_iter().rev();
        left.for_each(|(depth, method)| sink.doubtful(method, depth + 1));
    }
}
