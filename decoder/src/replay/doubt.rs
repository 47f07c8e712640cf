//! Frames that may have ended without a word. A frame of an announced method without a guard ends unnoticed when code outside swallows the
//! exception that leaves it. Whatever reads a symbol or moves the counter then does not fit and is found; but what announces itself right
//! afterwards looks as if that frame had called it, and an exception that ends both frames makes it look right to the end.

use model::map::MethodId;

use super::PathSink;
use super::program::{BlockNo, Program};
use super::walk::Frame;

#[derive(Debug, Clone, Copy)]
struct Doubt {
    /// Its place on the stack, and its number.
    depth: usize,
    number: u32,
    /// Where it stood.
    block: BlockNo,
    call: u32,
    /// The announced method that the exception may have left: this frame's, or that of one below.
    left: MethodId,
}

/// What is in doubt on one stack.
#[derive(Debug, Clone, Default)]
pub(super) struct Doubts {
    /// Announced frames without a guard: depth and number, ascending; some may be gone.
    loose: Vec<(usize, u32)>,
    /// Ascending by depth; some may be gone.
    frames: Vec<Doubt>,
}

impl Doubts {
    /// The innermost frame was announced and has no guard.
    pub fn loose(&mut self, frames: &[Frame]) {
        let Some(f) = frames.last() else { return };
        let depth = frames.len() - 1;
        self.loose.retain(|l| l.0 < depth);
        self.loose.push((depth, f.number));
    }

    /// Something announces itself, in the innermost frame as far as is known.
    pub fn announced(&mut self, frames: &[Frame], program: &Program<'_>) {
        let is_there = |at: usize, number: u32| frames.get(at).is_some_and(|f| f.number == number);
        while self.loose.pop_if(|l| !is_there(l.0, l.1)).is_some() {}
        let (Some(&(at, _)), Some(f)) = (self.loose.last(), frames.last()) else { return };
        // Leaving a guard would have been told.
        if frames[at..].iter().any(|f| f.guard) {
            return;
        }
        let depth = frames.len() - 1;
        self.frames.retain(|d| d.depth < depth);
        let left = program.locate(frames[at].block).0;
        self.frames.push(Doubt { depth, number: f.number, block: f.block, call: f.call, left });
    }

    /// A symbol was read; the innermost of so many frames is alive, and those below it.
    #[inline]
    pub fn went_on(&mut self, frames: usize) {
        while self.frames.pop_if(|d| d.depth + 1 >= frames).is_some() {}
    }

    /// An exception ends the frames from `len` on: those that never went on are told of.
    pub fn dropped(&mut self, frames: &[Frame], len: usize, sink: &mut impl PathSink) {
        for d in self.frames.iter().filter(|d| d.depth >= len) {
            let f = frames.get(d.depth).filter(|f| f.number == d.number);
            if f.is_some_and(|f| (f.block, f.call) == (d.block, d.call)) {
                sink.doubtful(d.left);
            }
        }
        self.frames.retain(|d| d.depth < len);
    }
}
