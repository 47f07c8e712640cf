//! Probability of each block, given both samples: forward and backward sums over all examined
//! paths.

use hashbrown::HashMap;

use super::prices::weight;
use super::search::Lattice;
use crate::graph::{BIT, NodeId};

/// Probabilities in a gap.
#[derive(Debug)]
pub(crate) struct Posterior {
    /// Per layer and state: the weight of all paths to it, up to a factor of the layer.
    pub forward: Vec<Vec<f64>>,
    /// Per layer and state: the probability of a path through it.
    pub states: Vec<Vec<f64>>,
    /// Per end: the probability that it is the one.
    pub ends: Vec<f64>,
    /// Per start: how likely all that follows is, up to a factor.
    pub starts: Vec<f64>,
    pub soundest: Soundest,
}

/// Paths that are expected to have most blocks right at their positions.
#[derive(Debug, Default)]
pub(crate) struct Soundest {
    /// Per layer and state: the state before.
    pub from: Vec<Vec<u32>>,
    /// Per layer and state: how likely its block is at this place.
    pub right: Vec<Vec<f64>>,
    /// Per layer: how likely its likeliest block is there.
    pub most: Vec<f64>,
}

impl Posterior {
    /// Returns the posterior of a lattice; `None` if it does not come to its end. `after` has for
    /// each end the likelihood of the samples that follow it, up to a factor.
    pub(crate) fn new(lattice: &Lattice, after: &[f64]) -> Option<Posterior> {
        let posterior = Posterior::weighed(lattice, after)?;
        let soundest = posterior.soundest(lattice);
        Some(Posterior { soundest, ..posterior })
    }

    /// Returns the posterior of a lattice whose ends are as likely as the paths to them; without
    /// the soundest paths.
    pub(crate) fn of_ways(lattice: &Lattice) -> Option<Posterior> {
        Posterior::weighed(lattice, &vec![1.0; lattice.ends.len()])
    }

    fn weighed(lattice: &Lattice, after: &[f64]) -> Option<Posterior> {
        let best = lattice.ends.iter().map(|e| e.2).min()?;
        let layers = &lattice.layers;
        // Scaled: what a layer's states have in common is taken out of it.
        let mut forward: Vec<Vec<f64>> = Vec::with_capacity(layers.len());
        let mut scales = Vec::with_capacity(layers.len());
        let low = |costs: &mut dyn Iterator<Item = u32>| costs.min().unwrap_or(0);
        let first = low(&mut layers[0].iter().map(|s| s.cost));
        forward.push(layers[0].iter().map(|s| weight(s.cost - first)).collect());
        scales.push(f64::from(first));
        for (layer, ways) in layers.iter().zip(&lattice.ways).skip(1) {
            let before = forward.last().expect("there is a first layer");
            let mut sums = vec![0.0; layer.len()];
            for way in ways {
                sums[way.to as usize] += before[way.from as usize] * weight(way.cost);
            }
            let most = sums.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
            sums.iter_mut().for_each(|s| *s /= most);
            scales.push(scales[scales.len() - 1] - most.log2() * f64::from(BIT));
            forward.push(sums);
        }
        // An end's weight beyond its state's: the price of the length, relative to the best end.
        let mut ends: Vec<Vec<(u32, f64)>> = vec![Vec::new(); layers.len()];
        let mut weights = Vec::with_capacity(lattice.ends.len());
        for (&(layer, state, cost), after) in lattice.ends.iter().zip(after) {
            let price = cost - layers[layer as usize][state as usize].cost;
            let log =
                (scales[layer as usize] + f64::from(price) - f64::from(best)) / f64::from(BIT);
            let weight = (-log).exp2() * after;
            ends[layer as usize].push((state, weight));
            weights.push(forward[layer as usize][state as usize] * weight);
        }
        let mut backward: Vec<Vec<f64>> = layers.iter().map(|l| vec![0.0; l.len()]).collect();
        let mut total = 0.0;
        for at in (0..layers.len()).rev() {
            for &(state, weight) in &ends[at] {
                backward[at][state as usize] += weight;
                total += forward[at][state as usize] * weight;
            }
            if at == 0 {
                break;
            }
            // From the scale of this layer to that of the one before.
            let scale = ((scales[at] - scales[at - 1]) / f64::from(BIT)).exp2();
            let (before, here) = backward.split_at_mut(at);
            for way in &lattice.ways[at] {
                let passed = here[0][way.to as usize] * weight(way.cost) * scale;
                before[at - 1][way.from as usize] += passed;
            }
        }
        if !(total.is_finite() && total > 0.0) {
            return None;
        }
        weights.iter_mut().for_each(|w| *w /= total);
        let starts = backward[0].clone();
        let states = forward.iter().zip(&backward);
        let states = states.map(|(f, b)| f.iter().zip(b).map(|(f, b)| f * b / total).collect());
        let states = states.collect();
        let soundest = Soundest::default();
        Some(Posterior { states, forward, ends: weights, starts, soundest })
    }

    /// Returns how often these blocks are expected to be entered. A block that every path enters
    /// comes to at least 1.
    pub(crate) fn visits(
        &self,
        lattice: &Lattice,
        nodes: impl Iterator<Item = NodeId>,
    ) -> HashMap<NodeId, f64> {
        let mut visits: HashMap<NodeId, f64> = nodes.map(|n| (n, 0.0)).collect();
        for (states, ps) in lattice.layers.iter().zip(&self.states).skip(1) {
            for (state, p) in states.iter().zip(ps) {
                if let Some(sum) = visits.get_mut(&lattice.stacks.get(state.stack).node) {
                    *sum += p;
                }
            }
        }
        visits
    }

    /// Returns the probability that each state of a layer has the right block at its position.
    fn right(&self, lattice: &Lattice) -> Vec<Vec<f64>> {
        let mut sums: HashMap<NodeId, f64> = HashMap::new();
        let layer = |(states, ps): (&Vec<super::search::SearchState>, &Vec<f64>)| {
            sums.clear();
            let node = |s: &super::search::SearchState| lattice.stacks.get(s.stack).node;
            for (state, p) in states.iter().zip(ps) {
                *sums.entry(node(state)).or_default() += p;
            }
            states.iter().map(|s| sums[&node(s)].min(1.0)).collect()
        };
        lattice.layers.iter().zip(&self.states).map(layer).collect()
    }

    fn soundest(&self, lattice: &Lattice) -> Soundest {
        let right = self.right(lattice);
        let mut from: Vec<Vec<u32>> = vec![Vec::new()];
        let mut before = vec![0.0; lattice.layers[0].len()];
        for (right, ways) in right.iter().zip(&lattice.ways).skip(1) {
            let mut best = vec![f64::NEG_INFINITY; right.len()];
            let mut came = vec![0; right.len()];
            for way in ways {
                if before[way.from as usize] > best[way.to as usize] {
                    best[way.to as usize] = before[way.from as usize];
                    came[way.to as usize] = way.from;
                }
            }
            best.iter_mut().zip(right).for_each(|(b, r)| *b += r);
            before = best;
            from.push(came);
        }
        let most = right.iter().map(|ps| ps.iter().copied().fold(0.0, f64::max)).collect();
        Soundest { from, right, most }
    }
}
