//! Minimum Bayes risk (MBR) choice of a path: the path that is expected to have most blocks in
//! common, in order, with the true path.
//!
//! Neither the cheapest path nor the path with most blocks right at their positions is that: where
//! one more block shifts all that follow, the order still holds. So paths are drawn from the
//! posterior, and of these the one that has most in common with all the others is chosen (minimum
//! Bayes risk; Kumar and Byrne 2004). A block of it that most of the others do not have is left
//! open.

use super::posterior::Posterior;
use super::search::Lattice;
use crate::graph::NodeId;
use crate::random::Random;

/// Paths that are drawn.
const DRAWN: usize = 48;
/// Paths that are compared with those.
const COMPARED: usize = 24;
/// A block that a smaller share of the drawn paths has in this order is left open: to report it
/// would cost more F1 than it gains.
const OPEN: f64 = 0.45;

/// A path through a lattice.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LatticePath {
    /// Per layer, from the first step on.
    states: Vec<u32>,
    nodes: Vec<NodeId>,
    start: u32,
}

/// A step of the chosen path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ChosenStep {
    pub node: NodeId,
    /// Probability of the block at this position.
    pub p: f64,
    /// True if the block is left open.
    pub open: bool,
}

/// Expected agreement of the chosen path with the true one, if the prices are true.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Expected {
    /// Steps of it that ran, in order, but for the last one.
    pub common: f64,
    /// Steps that ran before the last one.
    pub dropped: f64,
    /// Steps that have the right block at their position, where each position has its likeliest
    /// block: no other path can be expected to have more.
    pub places: f64,
}

impl Expected {
    /// The agreement of a certain path of `steps` steps, including the last one.
    fn certain(steps: usize) -> Expected {
        let all = steps.saturating_sub(1) as f64;
        Expected { common: all, dropped: all, places: all }
    }
}

/// Transitions into a layer, by the state that they lead to.
struct Incoming {
    /// Index of each state's first transition.
    begins: Vec<u32>,
    /// Source state and weight.
    ways: Vec<(u32, f64)>,
}

/// Draws paths through a lattice.
pub(crate) struct MbrChoice<'l> {
    lattice: &'l Lattice,
    posterior: &'l Posterior,
    /// Per layer.
    into: Vec<Incoming>,
    random: Random,
}

impl<'l> MbrChoice<'l> {
    pub(crate) fn new(lattice: &'l Lattice, posterior: &'l Posterior) -> MbrChoice<'l> {
        let layers = lattice.layers.iter().zip(&lattice.ways);
        let into = layers.map(|(states, ways)| {
            let mut begins = vec![0_u32; states.len() + 1];
            ways.iter().for_each(|w| begins[w.to as usize + 1] += 1);
            for at in 1..begins.len() {
                begins[at] += begins[at - 1];
            }
            let mut next = begins.clone();
            let mut sorted = vec![(0, 0.0); ways.len()];
            for way in ways {
                let at = &mut next[way.to as usize];
                sorted[*at as usize] = (way.from, super::prices::weight(way.cost));
                *at += 1;
            }
            Incoming { begins, ways: sorted }
        });
        let into = into.collect();
        MbrChoice { lattice, posterior, into, random: Random::new() }
    }

    /// Draws a path to a state from the posterior.
    fn draw(&mut self, layer: u32, state: u32) -> LatticePath {
        let mut states = Vec::with_capacity(layer as usize);
        let mut at = state;
        for layer in (1..=layer as usize).rev() {
            states.push(at);
            let Incoming { begins, ways: sorted } = &self.into[layer];
            let ways = begins[at as usize] as usize..begins[at as usize + 1] as usize;
            let forward = &self.posterior.forward[layer - 1];
            let likely = |way: &(u32, f64)| forward[way.0 as usize] * way.1;
            let sum: f64 = sorted[ways.clone()].iter().map(likely).sum();
            let mut left = self.random.share() * sum;
            let ways = &self.into[layer].ways[ways];
            let forward = &self.posterior.forward[layer - 1];
            let chosen = ways.iter().find(|way| {
                left -= forward[way.0 as usize] * way.1;
                left <= 0.0
            });
            at = chosen.or(ways.last()).map_or(0, |way| way.0);
        }
        states.reverse();
        self.way(states, at)
    }

    fn way(&self, states: Vec<u32>, start: u32) -> LatticePath {
        let stack =
            |(layer, &state): (usize, &u32)| self.lattice.layers[layer + 1][state as usize].stack;
        let node = |at| self.lattice.stacks.get(stack(at)).node;
        let nodes = states.iter().enumerate().map(node).collect();
        LatticePath { states, nodes, start }
    }

    /// One of these ends, as likely as it is.
    fn drawn_end(&mut self, ends: &[usize]) -> usize {
        if let [end] = ends {
            return *end;
        }
        let likely = |end: &usize| self.posterior.ends[*end];
        let mut left = self.random.share() * ends.iter().map(likely).sum::<f64>();
        let likely = |end: &usize| self.posterior.ends[*end];
        let chosen = ends.iter().find(|end| {
            left -= likely(end);
            left <= 0.0
        });
        chosen.or(ends.last()).copied().unwrap_or_default()
    }

    /// Returns the chosen path to one of these ends, its initial state, and its expected agreement.
    pub(crate) fn best(&mut self, ends: &[usize]) -> (Vec<ChosenStep>, u32, Expected) {
        let likely = |end: &&usize| self.posterior.ends[**end];
        let likeliest = ends.iter().max_by(|a, b| likely(a).total_cmp(&likely(b)));
        let (layer, state, _) = self.lattice.ends[likeliest.copied().unwrap_or_default()];
        let ends_alike = ends.iter().all(|e| self.lattice.ends[*e].0 == layer);
        let sound = &self.posterior.soundest;
        let mut states = Vec::with_capacity(layer as usize);
        let mut at = state;
        for layer in (1..=layer as usize).rev() {
            states.push(at);
            at = sound.from[layer][at as usize];
        }
        states.reverse();
        let soundest = self.way(states, at);
        let certain = |(layer, &s): (usize, &u32)| sound.right[layer + 1][s as usize] > 0.999;
        if ends_alike && soundest.states.iter().enumerate().all(certain) {
            let expected = Expected::certain(soundest.nodes.len());
            let (steps, start) = self.steps(&soundest, None);
            return (steps, start, expected);
        }
        let drawn = (0..DRAWN).map(|_| {
            let (layer, state, _) = self.lattice.ends[self.drawn_end(ends)];
            self.draw(layer, state)
        });
        let drawn: Vec<LatticePath> = drawn.collect();
        let mut candidates = vec![soundest];
        for way in &drawn {
            if candidates.len() < COMPARED && !candidates.iter().any(|c| c.nodes == way.nodes) {
                candidates.push(way.clone());
            }
        }
        let f1 = |a: &LatticePath| -> f64 {
            let of = |b: &LatticePath| {
                let all = a.nodes.len() + b.nodes.len();
                common(&a.nodes, &b.nodes) as f64 / all as f64
            };
            drawn.iter().map(of).sum()
        };
        let mut best = (f64::NEG_INFINITY, 0);
        for (at, candidate) in candidates.iter().enumerate() {
            let found = f1(candidate);
            if found > best.0 + 1e-9 {
                best = (found, at);
            }
        }
        let way = &candidates[best.1];
        let mut shared = vec![0_u32; way.nodes.len()];
        drawn.iter().for_each(|other| mark(&way.nodes, &other.nodes, &mut shared));
        let (steps, start) = self.steps(way, Some(&shared));
        let kept = |steps: &[ChosenStep]| -> Vec<NodeId> {
            let known = steps.iter().filter(|t| !t.open);
            known.map(|t| t.node).collect()
        };
        let own = kept(&steps[..steps.len().saturating_sub(1)]);
        let before = |way: &'_ LatticePath| way.nodes.len().saturating_sub(1);
        let all = drawn.iter().map(|w| common(&own, &w.nodes[..before(w)])).sum::<usize>();
        let dropped = drawn.iter().map(before).sum::<usize>();
        let most = &self.posterior.soundest.most;
        let expected = Expected {
            common: all as f64 / DRAWN as f64,
            dropped: dropped as f64 / DRAWN as f64,
            places: most[1..most.len().min(layer as usize)].iter().sum(),
        };
        (steps, start, expected)
    }

    fn steps(&self, way: &LatticePath, shared: Option<&[u32]>) -> (Vec<ChosenStep>, u32) {
        let right = &self.posterior.soundest.right;
        let steps = |at: usize| ChosenStep {
            node: way.nodes[at],
            p: right[at + 1][way.states[at] as usize],
            open: shared.is_some_and(|s| f64::from(s[at]) < OPEN * DRAWN as f64),
        };
        ((0..way.nodes.len()).map(steps).collect(), way.start)
    }
}

/// Length of the longest common subsequence.
pub(crate) fn common(a: &[NodeId], b: &[NodeId]) -> usize {
    if a.len() <= 64 {
        return common_of_words(a, b);
    }
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut corner = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if x == y { corner + 1 } else { above.max(row[j]) };
            corner = above;
        }
    }
    row[b.len()]
}

/// The same with a bit for each of `a`, of 64 at most (Hyyrö 2004).
fn common_of_words(a: &[NodeId], b: &[NodeId]) -> usize {
    let mut left = u64::MAX;
    for y in b {
        let same = a.iter().rev().fold(0_u64, |bits, x| bits << 1 | u64::from(x == y));
        let both = left & same;
        left = left.wrapping_add(both) | (left - both);
    }
    let bits = if a.len() == 64 { u64::MAX } else { (1 << a.len()) - 1 };
    (!left & bits).count_ones() as usize
}

/// Counts the places of `a` that are in the longest common subsequence with `b`.
fn mark(a: &[NodeId], b: &[NodeId], counts: &mut [u32]) {
    let width = b.len() + 1;
    let mut table = vec![0_u16; (a.len() + 1) * width];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            let at = (i + 1) * width + j + 1;
            table[at] = match x == y {
                true => table[at - width - 1] + 1,
                false => table[at - 1].max(table[at - width]),
            };
        }
    }
    let (mut i, mut j) = (a.len(), b.len());
    while i > 0 && j > 0 {
        let at = i * width + j;
        if a[i - 1] == b[j - 1] {
            (i, j) = (i - 1, j - 1);
            counts[i] += 1;
        } else if table[at - 1] >= table[at - width] {
            j -= 1;
        } else {
            i -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use model::map::MethodId;

    use super::*;
    use crate::fill::{AllBounds, BEAM, Filler, Length, Sample, SampledFrame};
    use crate::graph::Graph;

    /// Heads or tails, and then the same: half a block of one can be right.
    #[test]
    fn of_a_coin_half_is_expected() {
        let graph = Graph::of_method(&[&[1, 2], &[3], &[3], &[]]);
        let bounds = AllBounds::new(&graph);
        let sample = |node| Sample {
            stack: vec![SampledFrame {
                method: MethodId(1),
                at: vec![(NodeId(node), 0)],
                outside: false,
            }],
        };
        let mut filler = Filler::new(&graph, &bounds, BEAM);
        let gap = &filler.pass(&sample(0), &[(sample(3), Length::Known(2))])[0];
        let Expected { common, dropped, places } = gap.expected;
        assert!((places - 0.5).abs() < 1e-6 && (common - 0.5).abs() < 0.2, "{common} {places}");
        assert_eq!(dropped, 1.0);
    }

    #[test]
    fn common_blocks_are_counted_alike_by_bits_and_by_table() {
        let mut rng = mutation::Rng::new(9);
        for _ in 0..2000 {
            let some = |rng: &mut mutation::Rng| -> Vec<NodeId> {
                let count = rng.below(65);
                (0..count).map(|_| NodeId(rng.below(5) as u32)).collect()
            };
            let (a, b) = (some(&mut rng), some(&mut rng));
            let mut counts = vec![0; a.len()];
            mark(&a, &b, &mut counts);
            assert_eq!(common_of_words(&a, &b), counts.iter().sum::<u32>() as usize);
        }
    }
}
