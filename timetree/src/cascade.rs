//! The published tree, literally: halves of time, and children that hold only the samples that
//! their parent kept. Cuts add up on the way down, so only tests should query it;
//! [`crate::Builder`] makes trees that do not lose weight.

/// A sample: its time and its type.
pub type Sample = (u64, u32);

/// A node over the interval `from..to`.
pub struct CascadeNode {
    /// Its interval begins here.
    pub from: u64,
    /// Its interval ends before.
    pub to: u64,
    /// The samples of its interval that its parent kept.
    pub n: usize,
    /// Counts by type, the highest first; empty in leaves.
    pub kept: Vec<(u32, u64)>,
    /// Counts that were cut, the highest first.
    pub dropped: Vec<(u32, u64)>,
    /// Nodes below, or the samples of a leaf.
    pub below: Below,
}

/// Contents below a node.
pub enum Below {
    /// A leaf's samples.
    Samples(Vec<Sample>),
    /// The parts of its interval.
    Parts(Vec<CascadeNode>),
}

/// Options of the tree.
#[derive(Clone, Copy)]
pub struct CascadeOptions {
    /// A node with fewer samples is a leaf.
    pub leaf: usize,
    /// The parts of a node.
    pub fanout: u64,
    /// Share of the samples that a node keeps, in %.
    pub percent: u64,
}

impl CascadeNode {
    /// Builds the tree of samples over `from..to`. A node of one instant is also a leaf.
    pub fn build(samples: &[Sample], from: u64, to: u64, shape: CascadeOptions) -> CascadeNode {
        let n = samples.len();
        let mut node = CascadeNode {
            from,
            to,
            n,
            kept: Vec::new(),
            dropped: Vec::new(),
            below: Below::Samples(Vec::new()),
        };
        if n < shape.leaf || to - from < shape.fanout {
            node.below = Below::Samples(samples.to_vec());
            return node;
        }
        let mut counts = std::collections::BTreeMap::<u32, u64>::new();
        samples.iter().for_each(|s| *counts.entry(s.1).or_default() += 1);
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|&(kind, count)| (std::cmp::Reverse(count), kind));
        let (mut sum, mut at) = (0, 0);
        while sum * 100 < shape.percent * n as u64 {
            sum += counts[at].1;
            at += 1;
        }
        node.dropped = counts.split_off(at);
        node.kept = counts;
        let edge = |i| from + (to - from) * i / shape.fanout;
        let part = |i| {
            let (a, b) = (edge(i), edge(i + 1));
            let inside = |s: &&Sample| {
                (a..b).contains(&s.0) && node.kept.iter().any(|&(kind, _)| kind == s.1)
            };
            CascadeNode::build(
                &samples.iter().filter(inside).copied().collect::<Vec<_>>(),
                a,
                b,
                shape,
            )
        };
        node.below = Below::Parts((0..shape.fanout).map(part).collect());
        node
    }

    /// Adds the tree's counts of `from..to`. Returns the visited nodes, the highest first.
    pub fn query(&self, from: u64, to: u64, add: &mut impl FnMut(u32, u64)) -> Vec<(u64, u64)> {
        let mut visited = Vec::new();
        self.visit(from, to, add, &mut visited);
        visited
    }

    fn visit(
        &self,
        from: u64,
        to: u64,
        add: &mut impl FnMut(u32, u64),
        visited: &mut Vec<(u64, u64)>,
    ) {
        visited.push((self.from, self.to));
        if self.to <= from || to <= self.from {
            return;
        }
        let whole = from <= self.from && self.to <= to;
        match &self.below {
            Below::Parts(_) if whole => self.kept.iter().for_each(|&(kind, n)| add(kind, n)),
            Below::Parts(parts) => {
                parts.iter().for_each(|part| part.visit(from, to, add, visited));
            }
            Below::Samples(samples) => {
                let inside = samples.iter().filter(|s| (from..to).contains(&s.0));
                inside.for_each(|s| add(s.1, 1));
            }
        }
    }
}
