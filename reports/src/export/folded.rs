//! Folded stacks: `process;thread;a;b;c N`, a line for each stack that ran, with its blocks.
//!
//! Source of the format: `stackcollapse-perf.pl` and `flamegraph.pl` of the FlameGraph project.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};

use decoder::log::{Process, ThreadLog};

use super::limit::CALLS_LIMIT;
use crate::base::escape::visible;
use crate::frames::call_tree::{CallTree, Callee};
use crate::frames::{Closed, Frame, FrameFile, FrameNames, FrameSink, Opened};
use model::nouns::there_are;

/// Limits of the call tree; the blocks of all other frames are counted under [`OTHER`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Maximum number of nodes.
    pub nodes: usize,
    /// Maximum depth of a stack. Each line has a whole stack, so endless recursion would take all.
    pub depth: u32,
    /// Maximum size of the file in bytes.
    pub bytes: u64,
}

const ROOM: Room = Room { nodes: 50_000, depth: 256, bytes: CALLS_LIMIT };
/// Name for frames beyond the limits of the tree.
const OTHER: &str = "(other)";

/// The line of a node in the file.
#[derive(Debug)]
struct FoldedLine {
    /// Length of the line.
    bytes: u64,
    /// Blocks that ran with this stack.
    steps: u64,
}

/// Writes folded stacks. Threads of the same name in processes of the same name share a root.
#[derive(Debug)]
pub struct Folded<'p, 'm, W> {
    names: FrameNames<'p, 'm>,
    out: W,
    room: Room,
    /// [`Callee::Named`] is an index in `named`.
    calls: CallTree<FoldedLine>,
    bytes: u64,
    /// Names of processes and threads; `numbers` are their indices.
    named: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
    /// The node of the thread, and of each open frame.
    stack: Vec<u32>,
    /// For each frame the first one of the same name: overloads count as one.
    first: Vec<Option<Frame>>,
    by_name: HashMap<String, Frame>,
    /// Blocks under [`OTHER`], once the file is written.
    other: u64,
}

impl<'p, 'm, W: Write> Folded<'p, 'm, W> {
    /// Creates a sink that writes to `out` at the end.
    pub fn new(names: FrameNames<'p, 'm>, out: W) -> Self {
        Self::with_room(names, out, ROOM)
    }

    pub(super) fn with_room(names: FrameNames<'p, 'm>, out: W, room: Room) -> Self {
        Folded {
            names,
            out,
            room,
            calls: CallTree::default(),
            bytes: 0,
            named: Vec::new(),
            numbers: HashMap::new(),
            stack: Vec::new(),
            first: vec![None; names.len()],
            by_name: HashMap::new(),
            other: 0,
        }
    }

    fn child(&mut self, parent: Option<u32>, callee: Callee) -> u32 {
        let before = parent.map_or(0, |p| self.calls.value(p).bytes);
        let nodes = self.calls.nodes().len();
        let (names, named, room, bytes) = (self.names, &self.named, self.room, self.bytes);
        let node = self.calls.enter(parent, callee, |_, callee, depth| {
            let line = before + text_of(names, named, callee).len() as u64 + 1;
            let fits = nodes < room.nodes && depth <= room.depth && bytes + line <= room.bytes;
            (FoldedLine { bytes: line, steps: 0 }, fits)
        });
        if self.calls.nodes().len() > nodes {
            self.bytes += self.calls.value(node).bytes;
        }
        node
    }

    fn named(&mut self, name: String) -> Callee {
        let name: Box<str> = name.into();
        let next = self.named.len() as u32;
        let number = *self.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            self.named.push(name);
        }
        Callee::Named(number)
    }
}

/// Returns a callee as text. Semicolons separate frames: those in names are escaped as in JSON.
fn text_of(names: FrameNames<'_, '_>, named: &[Box<str>], callee: Callee) -> String {
    match callee {
        Callee::Named(name) => visible(&named[name as usize]).replace(';', "\\u003b"),
        Callee::Frame(frame) => names.name(frame).replace(';', "\\u003b"),
        Callee::Other => OTHER.into(),
    }
}

impl<W: Write> FrameSink for Folded<'_, '_, W> {
    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        let process = match process.name.as_str() {
            "" => format!("process {}", process.pid),
            name => name.into(),
        };
        let thread = match thread.name.as_deref() {
            None | Some("") => format!("thread {}", thread.number),
            Some(name) => name.into(),
        };
        let (process, thread) = (self.named(process), self.named(thread));
        let root = self.child(None, process);
        let root = self.child(Some(root), thread);
        self.stack = vec![root];
    }

    fn open(&mut self, frame: Frame, _how: Opened) {
        let first = *self.first[frame.0 as usize]
            .get_or_insert_with(|| *self.by_name.entry(self.names.name(frame)).or_insert(frame));
        let node = self.child(self.stack.last().copied(), Callee::Frame(first));
        self.stack.push(node);
    }

    #[inline]
    fn steps(&mut self, steps: u64) {
        if let Some(&node) = self.stack.last() {
            let sum = &mut self.calls.value_mut(node).steps;
            *sum = sum.saturating_add(steps);
        }
    }

    fn close(&mut self, _how: Closed) {
        self.stack.pop();
    }

    fn finish(&mut self) -> io::Result<()> {
        let mut texts: HashMap<Callee, String> = HashMap::new();
        let nodes = self.calls.nodes();
        let callee = |node: usize| self.calls.callee(node as u32);
        for callee in (0..nodes.len()).map(callee) {
            let text = || text_of(self.names, &self.named, callee);
            texts.entry(callee).or_insert_with(text);
        }
        let mut out = BufWriter::new(&mut self.out);
        let mut path = Vec::new();
        for (at, node) in nodes.iter().enumerate().filter(|(_, n)| n.value.steps > 0) {
            path.clear();
            let up = |&n: &usize| nodes[n].parent.map(|p| p as usize);
            path.extend(std::iter::successors(Some(at), up).map(|n| texts[&callee(n)].as_str()));
            path.reverse();
            writeln!(out, "{} {}", path.join(";"), node.value.steps)?;
            if callee(at) == Callee::Other {
                self.other = self.other.saturating_add(node.value.steps);
            }
        }
        out.flush()?;
        Ok(())
    }
}

impl<W: Write> FrameFile for Folded<'_, '_, W> {
    fn remark(&self) -> Option<String> {
        let other = self.other;
        (other > 0).then(|| format!("{} counted under \"{OTHER}\"", there_are(other, "block")))
    }
}
