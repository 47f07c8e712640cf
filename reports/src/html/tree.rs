//! The call tree: blocks, calls and time of each method by call path, over all threads and
//! processes.

use std::collections::HashMap;
use std::io;

use decoder::log::{Process, ThreadLog};

use super::when::When;
use crate::frames::call_tree::{CallTree, Callee};
use crate::frames::{Closed, Frame, FrameSink, Opened, WallTime};

/// Maximum number of nodes; calls that would need more are counted under *other*.
pub(super) const NODES: usize = 50_000;
/// Maximum depth of a stack, as endless recursion would take all nodes.
const DEPTH: u32 = 256;

/// Blocks, calls and time of a call path.
#[derive(Debug, Default)]
pub(super) struct PathWeights {
    /// Blocks that ran in the frame itself, without callees.
    pub steps: u64,
    /// Interpolated time of these blocks, in ns.
    pub ns: u64,
    pub calls: u64,
    /// Blocks since the last clock reading.
    waiting: u64,
}

/// Threads of the same name in processes of the same name share a root.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Roots are threads: [`Callee::Named`] is an index in `threads`.
    pub calls: CallTree<PathWeights>,
    /// Names of processes and threads, in order of appearance.
    pub threads: Vec<(String, String)>,
    roots: HashMap<(String, String), u32>,
    stack: Vec<u32>,
    /// The running callback, if its end was measured.
    running: Option<Running>,
    /// Nodes with blocks since the last clock reading.
    waiting: Vec<u32>,
    /// Blocks run over time, by node.
    pub when: When,
    /// Sums of the processes, as long as there are at most [`SHARES`].
    pub sums: ProcessSums,
}

/// Maximum number of sums of all processes: 32 bytes each in memory, some 5 in the page.
const SHARES: usize = 1_000_000;

/// Steps, time and calls that each process added to each node.
#[derive(Debug, Default)]
pub(super) struct ProcessSums {
    /// Per process the nodes that it changed, in order.
    pub processes: Vec<Vec<NodeShare>>,
    /// Steps, ns and calls of all nodes when the last process ended.
    before: Vec<[u64; 3]>,
    count: usize,
    has_begun: bool,
    /// True if there were too many: nothing is kept.
    pub is_full: bool,
}

/// Steps, time and calls that one process added to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeShare {
    pub node: u32,
    pub steps: u64,
    pub ns: u64,
    pub calls: u64,
}

impl ProcessSums {
    /// Ends a process, if one has begun.
    fn end(&mut self, tree: &CallTree<PathWeights>) {
        if !std::mem::take(&mut self.has_begun) || self.is_full {
            return;
        }
        let nodes = tree.nodes();
        self.before.resize(nodes.len(), [0; 3]);
        let mut shares = Vec::new();
        for ((node, n), before) in (0..).zip(nodes).zip(&mut self.before) {
            let now = [n.value.steps, n.value.ns, n.value.calls];
            if now != *before {
                let [steps, ns, calls] = [0, 1, 2].map(|i| now[i] - before[i]);
                shares.push(NodeShare { node, steps, ns, calls });
                *before = now;
            }
        }
        self.count += shares.len();
        self.processes.push(shares);
        if self.count > SHARES {
            *self = ProcessSums { is_full: true, ..ProcessSums::default() };
        }
    }
}

/// A running callback, with times in µs.
#[derive(Debug, Clone, Copy)]
struct Running {
    /// The last clock reading: the callback's start, or that of a slab.
    clock: u64,
    end: u64,
}

impl Tree {
    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        let name = thread.name.clone().filter(|n| !n.is_empty());
        let name = name.unwrap_or_else(|| format!("thread {}", thread.number));
        let mut key = (process.name.clone(), name);
        if self.calls.nodes().len() >= NODES && !self.roots.contains_key(&key) {
            key = (String::new(), "(other threads)".into());
        }
        let root = match self.roots.get(&key) {
            Some(&root) => root,
            None => {
                let number = self.threads.len() as u32;
                let root = self.calls.add(None, Callee::Named(number), PathWeights::default());
                self.threads.push(key.clone());
                self.roots.insert(key, root);
                root
            }
        };
        self.stack = vec![root];
        self.running = None;
        self.when.thread(process.start_ms);
    }

    /// Begins a callback. Blocks before it get no time from the interval between two callbacks.
    fn top_level(&mut self, at: WallTime) {
        self.pass_on();
        self.when.clock(at.begin_us);
        self.running = at.end_us.map(|end| Running { clock: at.begin_us, end });
    }

    /// Sets the time.
    fn clock(&mut self, us: u64) {
        self.share(us);
        self.pass_on();
        self.when.clock(us);
    }

    /// Passes on the blocks since the last clock reading.
    fn pass_on(&mut self) {
        for node in self.waiting.drain(..) {
            let steps = std::mem::take(&mut self.calls.value_mut(node).waiting);
            self.when.ran(node, steps);
        }
    }

    /// Divides the time since the last clock reading among the blocks since then.
    fn share(&mut self, us: u64) {
        let Some(running) = &mut self.running else { return };
        let us = us.clamp(running.clock, running.end);
        let gap = (us - running.clock).saturating_mul(1000);
        running.clock = us;
        let all: u128 = self.waiting.iter().map(|&n| u128::from(self.calls.value(n).waiting)).sum();
        if all == 0
            && let Some(&node) = self.stack.last()
        {
            // The block that began before the last reading ran on.
            let ns = &mut self.calls.value_mut(node).ns;
            *ns = ns.saturating_add(gap);
        }
        for &node in &self.waiting {
            let node = self.calls.value_mut(node);
            // At most `gap`, so it fits.
            let part = u128::from(gap) * u128::from(node.waiting) / all;
            node.ns = node.ns.saturating_add(part as u64);
        }
    }

    #[inline]
    fn child(&mut self, parent: u32, frame: Frame) -> u32 {
        self.calls.enter(Some(parent), Callee::Frame(frame), |tree, _, depth| {
            (PathWeights::default(), tree.nodes().len() < NODES && depth <= DEPTH)
        })
    }

    #[inline]
    fn open(&mut self, frame: Frame) {
        let Some(&parent) = self.stack.last() else { return };
        let node = self.child(parent, frame);
        let calls = &mut self.calls.value_mut(node).calls;
        *calls = calls.saturating_add(1);
        self.stack.push(node);
    }

    fn steps(&mut self, steps: u64) {
        if let Some(&node) = self.stack.last() {
            self.steps_of(node, steps);
        }
    }

    #[inline]
    fn steps_of(&mut self, node: u32, steps: u64) {
        let at = self.calls.value_mut(node);
        at.steps = at.steps.saturating_add(steps);
        if steps > 0 {
            if at.waiting == 0 {
                self.waiting.push(node);
            }
            at.waiting = at.waiting.saturating_add(steps);
        }
    }

    /// Does the same as opening a frame, one block and closing the frame.
    #[inline]
    fn leaf(&mut self, frame: Frame) {
        let Some(&parent) = self.stack.last().filter(|_| self.stack.len() > 1) else {
            self.open(frame);
            self.steps(1);
            return self.close();
        };
        let node = self.child(parent, frame);
        let calls = &mut self.calls.value_mut(node).calls;
        *calls = calls.saturating_add(1);
        self.steps_of(node, 1);
    }

    #[inline]
    fn close(&mut self) {
        if self.stack.len() == 2
            && let Some(running) = self.running
        {
            self.share(running.end);
            self.pass_on();
            self.running = None;
        }
        if self.stack.len() > 1 {
            self.stack.pop();
        }
    }
}

/// Receives the frames of a pass.
#[derive(Debug)]
pub struct Calls<'a>(pub(super) &'a mut Tree);

impl FrameSink for Calls<'_> {
    fn process(&mut self, _process: &Process) {
        self.0.sums.end(&self.0.calls);
        self.0.sums.has_begun = true;
    }

    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        self.0.thread(process, thread);
    }

    #[inline]
    fn open(&mut self, frame: Frame, _how: Opened) {
        self.0.open(frame);
    }

    #[inline]
    fn steps(&mut self, steps: u64) {
        self.0.steps(steps);
    }

    #[inline]
    fn leaf(&mut self, frame: Frame) {
        self.0.leaf(frame);
    }

    fn top_level(&mut self, at: WallTime) {
        self.0.top_level(at);
    }

    fn clock(&mut self, us: u64) {
        self.0.clock(us);
    }

    #[inline]
    fn close(&mut self, _how: Closed) {
        self.0.close();
    }

    fn thread_ends(&mut self) {
        self.0.pass_on();
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.sums.end(&self.0.calls);
        Ok(())
    }
}
