//! Folded stacks: `process;thread;a;b;c N`, a line for each stack that ran and its steps.
//!
//! Source of the format: `stackcollapse-perf.pl` and `flamegraph.pl` of the FlameGraph project.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};

use decoder::log::{Process, ThreadLog};

use super::limit::CALLS_LIMIT;
use crate::base::escape::visible;
use crate::frames::children::Children;
use crate::frames::{Closed, Frame, FrameSink, Names, Opened};

/// What the call tree has room for; the steps of all other frames are counted under [`OTHER`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Most nodes.
    pub nodes: usize,
    /// Most frames of a stack. Each line holds a whole stack, so endless recursion would take all.
    pub depth: u32,
    /// Most bytes of the file.
    pub bytes: u64,
}

const ROOM: Room = Room { nodes: 50_000, depth: 256, bytes: CALLS_LIMIT };
/// Stands for frames that the tree has no room for.
const OTHER: &str = "(other)";

/// What a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// A process or a thread, by the number of its name.
    Named(u32),
    Frame(Frame),
    Other,
}

#[derive(Debug)]
struct Node {
    parent: Option<u32>,
    depth: u32,
    /// Bytes of its line.
    bytes: u64,
    steps: u64,
}

/// Writes folded stacks. Threads of the same name in processes of the same name are one.
#[derive(Debug)]
pub struct Folded<'p, 'm, W> {
    names: Names<'p, 'm>,
    out: W,
    room: Room,
    nodes: Vec<Node>,
    bytes: u64,
    children: Children<Part>,
    /// Names of processes and threads, and their numbers.
    named: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
    /// The node of the thread, and of each open frame.
    stack: Vec<u32>,
    /// Per frame the first one of the same name: overloads are one.
    first: Vec<Option<Frame>>,
    by_name: HashMap<String, Frame>,
}

impl<'p, 'm, W: Write> Folded<'p, 'm, W> {
    /// Writes to `out` at the end.
    pub fn new(names: Names<'p, 'm>, out: W) -> Self {
        Self::with_room(names, out, ROOM)
    }

    pub(super) fn with_room(names: Names<'p, 'm>, out: W, room: Room) -> Self {
        Folded {
            names,
            out,
            room,
            nodes: Vec::new(),
            bytes: 0,
            children: Children::default(),
            named: Vec::new(),
            numbers: HashMap::new(),
            stack: Vec::new(),
            first: vec![None; names.len()],
            by_name: HashMap::new(),
        }
    }

    #[inline]
    fn child(&mut self, parent: Option<u32>, part: Part) -> u32 {
        if let Some(p) = parent.filter(|&p| self.children.part(p) == Part::Other) {
            return p;
        }
        match self.children.get(parent, part) {
            Some(known) => known,
            None => self.new_child(parent, part),
        }
    }

    #[cold]
    fn new_child(&mut self, parent: Option<u32>, part: Part) -> u32 {
        let above = parent.map(|p| &self.nodes[p as usize]);
        let (depth, before) = above.map_or((0, 0), |n| (n.depth + 1, n.bytes));
        let bytes = before + self.text(part).len() as u64 + 1;
        let room = self.nodes.len() < self.room.nodes
            && depth <= self.room.depth
            && self.bytes + bytes <= self.room.bytes;
        if !room && part != Part::Other {
            return self.child(parent, Part::Other);
        }
        self.bytes += bytes;
        self.nodes.push(Node { parent, depth, bytes, steps: 0 });
        self.children.add(parent, part)
    }

    fn named(&mut self, name: String) -> Part {
        let name: Box<str> = name.into();
        let next = self.named.len() as u32;
        let number = *self.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            self.named.push(name);
        }
        Part::Named(number)
    }

    /// Semicolons separate frames and are written as in JSON.
    fn text(&self, part: Part) -> String {
        match part {
            Part::Named(name) => visible(&self.named[name as usize]).replace(';', "\\u003b"),
            Part::Frame(frame) => self.names.name(frame).replace(';', "\\u003b"),
            Part::Other => OTHER.into(),
        }
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
        let node = self.child(self.stack.last().copied(), Part::Frame(first));
        self.stack.push(node);
    }

    #[inline]
    fn steps(&mut self, steps: u64) {
        if let Some(&node) = self.stack.last() {
            let sum = &mut self.nodes[node as usize].steps;
            *sum = sum.saturating_add(steps);
        }
    }

    fn close(&mut self, _how: Closed) {
        self.stack.pop();
    }

    fn finish(&mut self, said: &mut Vec<Option<String>>) -> io::Result<()> {
        let mut texts: HashMap<Part, String> = HashMap::new();
        let part = |node: usize| self.children.part(node as u32);
        for part in (0..self.nodes.len()).map(part) {
            texts.entry(part).or_insert_with(|| self.text(part));
        }
        let mut out = BufWriter::new(&mut self.out);
        let mut other = 0_u64;
        let mut path = Vec::new();
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, n)| n.steps > 0) {
            path.clear();
            let up = |&n: &usize| self.nodes[n].parent.map(|p| p as usize);
            path.extend(std::iter::successors(Some(at), up).map(|n| texts[&part(n)].as_str()));
            path.reverse();
            writeln!(out, "{} {}", path.join(";"), node.steps)?;
            if part(at) == Part::Other {
                other = other.saturating_add(node.steps);
            }
        }
        out.flush()?;
        said.push((other > 0).then(|| format!("{other} steps are counted under \"{OTHER}\"")));
        Ok(())
    }
}
