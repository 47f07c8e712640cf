//! The call tree: what each method did under each stack of callers, of all threads and processes.

use std::collections::HashMap;
use std::io;

use decoder::log::{Process, ThreadLog};

use crate::traces::{Closed, Frame, FrameSink, Opened};

/// Most nodes; calls that would need more are counted under *other*.
pub(super) const NODES: usize = 50_000;
/// Most frames of a stack: endless recursion would take all nodes.
const DEPTH: u32 = 256;
/// Children that are looked through one by one before the index is asked.
const NEAR: usize = 8;
/// No node.
const NONE: u32 = u32::MAX;

/// What a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// A thread name, by number.
    Thread(u32),
    Frame(Frame),
    /// Frames that the tree has no room for.
    Other,
}

#[derive(Debug)]
pub(super) struct Node {
    /// `None`: a thread.
    pub parent: Option<u32>,
    pub part: Part,
    /// Blocks that ran in it itself.
    pub steps: u64,
    pub calls: u64,
    depth: u32,
    first: u32,
    next: u32,
}

/// Threads of the same name in processes of the same name are one root.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Parents come first.
    pub nodes: Vec<Node>,
    /// Names of processes and threads, in the order in which they came.
    pub threads: Vec<(String, String)>,
    roots: HashMap<(String, String), u32>,
    index: HashMap<(u32, Part), u32>,
    stack: Vec<u32>,
}

impl Tree {
    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        let name = thread.name.clone().filter(|n| !n.is_empty());
        let name = name.unwrap_or_else(|| format!("thread {}", thread.number));
        let mut key = (process.name.clone(), name);
        if self.nodes.len() >= NODES && !self.roots.contains_key(&key) {
            key = (String::new(), "(other threads)".into());
        }
        let root = match self.roots.get(&key) {
            Some(&root) => root,
            None => {
                let number = self.threads.len() as u32;
                let root = self.add(None, Part::Thread(number), 0);
                self.threads.push(key.clone());
                self.roots.insert(key, root);
                root
            }
        };
        self.stack = vec![root];
    }

    fn add(&mut self, parent: Option<u32>, part: Part, depth: u32) -> u32 {
        let node = self.nodes.len() as u32;
        let next =
            parent.map_or(NONE, |p| std::mem::replace(&mut self.nodes[p as usize].first, node));
        self.nodes.push(Node { parent, part, steps: 0, calls: 0, depth, first: NONE, next });
        if let Some(parent) = parent {
            self.index.insert((parent, part), node);
        }
        node
    }

    fn child(&mut self, parent: u32, part: Part) -> u32 {
        let above = &self.nodes[parent as usize];
        if above.part == Part::Other {
            return parent;
        }
        let mut at = above.first;
        for _ in 0..NEAR {
            let Some(node) = self.nodes.get(at as usize) else { break };
            if node.part == part {
                return at;
            }
            at = node.next;
        }
        if at != NONE
            && let Some(&known) = self.index.get(&(parent, part))
        {
            return known;
        }
        let depth = self.nodes[parent as usize].depth + 1;
        let room = self.nodes.len() < NODES && depth <= DEPTH;
        if !room && part != Part::Other {
            return self.child(parent, Part::Other);
        }
        self.add(Some(parent), part, depth)
    }

    fn open(&mut self, frame: Frame) {
        let Some(&parent) = self.stack.last() else { return };
        let node = self.child(parent, Part::Frame(frame));
        let calls = &mut self.nodes[node as usize].calls;
        *calls = calls.saturating_add(1);
        self.stack.push(node);
    }

    fn steps(&mut self, steps: u64) {
        if let Some(&node) = self.stack.last() {
            let sum = &mut self.nodes[node as usize].steps;
            *sum = sum.saturating_add(steps);
        }
    }
}

/// Takes the frames of a pass.
#[derive(Debug)]
pub struct Calls<'a>(pub(super) &'a mut Tree);

impl FrameSink for Calls<'_> {
    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        self.0.thread(process, thread);
    }

    fn open(&mut self, frame: Frame, _how: Opened) {
        self.0.open(frame);
    }

    fn steps(&mut self, steps: u64) {
        self.0.steps(steps);
    }

    fn close(&mut self, _how: Closed) {
        if self.0.stack.len() > 1 {
            self.0.stack.pop();
        }
    }

    fn finish(&mut self) -> io::Result<Option<String>> {
        Ok(None)
    }
}
