//! The call tree: what each method did under each stack of callers, of all threads and processes.

use std::collections::HashMap;
use std::io;

use decoder::log::{Process, ThreadLog};

use crate::traces::{Closed, Frame, FrameSink, Opened, WallTime};

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
    /// Time of these, interpolated.
    pub ns: u64,
    pub calls: u64,
    /// Steps since the last clock.
    waiting: u64,
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
    /// The callback that runs, if its end is measured.
    running: Option<Running>,
    /// Nodes with steps since the last clock.
    waiting: Vec<u32>,
}

/// Times in µs.
#[derive(Debug, Clone, Copy)]
struct Running {
    /// The last clock: its begin, or that of a slab.
    clock: u64,
    end: u64,
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
        self.top_level(None);
    }

    /// A callback begins. Between the last end and this one no time is told.
    fn top_level(&mut self, running: Option<Running>) {
        for node in self.waiting.drain(..) {
            self.nodes[node as usize].waiting = 0;
        }
        self.running = running;
    }

    /// Shares the time since the last clock among the steps since then.
    fn clock(&mut self, us: u64) {
        let Some(running) = &mut self.running else { return };
        let us = us.clamp(running.clock, running.end);
        let gap = (us - running.clock).saturating_mul(1000);
        running.clock = us;
        let all: u128 =
            self.waiting.iter().map(|&n| u128::from(self.nodes[n as usize].waiting)).sum();
        if all == 0
            && let Some(&node) = self.stack.last()
        {
            // It ran on in a block that began before.
            let ns = &mut self.nodes[node as usize].ns;
            *ns = ns.saturating_add(gap);
        }
        for node in self.waiting.drain(..) {
            let node = &mut self.nodes[node as usize];
            let steps = std::mem::take(&mut node.waiting);
            // At most `gap`.
            let part = u128::from(gap) * u128::from(steps) / all;
            node.ns = node.ns.saturating_add(part as u64);
        }
    }

    fn add(&mut self, parent: Option<u32>, part: Part, depth: u32) -> u32 {
        let node = self.nodes.len() as u32;
        let next =
            parent.map_or(NONE, |p| std::mem::replace(&mut self.nodes[p as usize].first, node));
        self.nodes.push(Node {
            parent,
            part,
            steps: 0,
            ns: 0,
            calls: 0,
            waiting: 0,
            depth,
            first: NONE,
            next,
        });
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
            let at = &mut self.nodes[node as usize];
            at.steps = at.steps.saturating_add(steps);
            if self.running.is_some() && steps > 0 {
                if at.waiting == 0 {
                    self.waiting.push(node);
                }
                at.waiting = at.waiting.saturating_add(steps);
            }
        }
    }

    fn close(&mut self) {
        if self.stack.len() == 2
            && let Some(running) = self.running
        {
            self.clock(running.end);
            self.running = None;
        }
        if self.stack.len() > 1 {
            self.stack.pop();
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

    fn top_level(&mut self, at: WallTime) {
        self.0.top_level(at.end_us.map(|end| Running { clock: at.begin_us, end }));
    }

    fn clock(&mut self, us: u64) {
        self.0.clock(us);
    }

    fn close(&mut self, _how: Closed) {
        self.0.close();
    }

    fn finish(&mut self) -> io::Result<Option<String>> {
        Ok(None)
    }
}
