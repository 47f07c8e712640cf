//! Stacks, each stored once: a number stands for a whole stack.

use std::hash::{Hash, Hasher};

use hashbrown::HashMap;

use crate::graph::NodeId;

/// A stack of one frame or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct StackId(pub u32);

/// No frame.
pub(crate) const EMPTY: StackId = StackId(u32::MAX);

/// The innermost frame of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StackFrame {
    pub parent: StackId,
    pub node: NodeId,
    /// Number of calls of the block that have begun.
    pub next: u16,
    pub outside: bool,
}

impl Hash for StackFrame {
    /// Hashes two words: frames are looked up for each step of each path.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.parent.0) << 32 | u64::from(self.node.0));
        state.write_u32(u32::from(self.next) << 1 | u32::from(self.outside));
    }
}

/// All stacks of a search.
#[derive(Debug, Default)]
pub(crate) struct Stacks {
    frames: Vec<StackFrame>,
    depths: Vec<u32>,
    known: HashMap<StackFrame, StackId>,
}

impl Stacks {
    pub(crate) fn add(&mut self, frame: StackFrame) -> StackId {
        let next = StackId(self.frames.len() as u32);
        let id = *self.known.entry(frame).or_insert(next);
        if id == next {
            let depth = if frame.parent == EMPTY { 0 } else { self.depth(frame.parent) + 1 };
            self.frames.push(frame);
            self.depths.push(depth as u32);
        }
        id
    }

    #[inline]
    pub(crate) fn get(&self, id: StackId) -> StackFrame {
        self.frames[id.0 as usize]
    }

    /// Returns the number of frames below the innermost.
    #[inline]
    pub(crate) fn depth(&self, id: StackId) -> usize {
        self.depths[id.0 as usize] as usize
    }

    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }
}
