//! How likely each block is, given both samples: forwards and backwards over all ways that were
//! looked at.

use hashbrown::HashMap;

use super::search::Lattice;
use crate::graph::{BIT, NodeId};

/// Probabilities in a gap.
#[derive(Debug)]
pub(crate) struct Posterior {
    /// Per layer and state: the probability of a way through it.
    states: Vec<Vec<f64>>,
    /// Per layer and way.
    ways: Vec<Vec<f64>>,
}

fn weight(cost: u32) -> f64 {
    (-f64::from(cost) / f64::from(BIT)).exp2()
}

impl Posterior {
    /// That of a lattice; `None` if it does not come to its end.
    pub(crate) fn new(lattice: &Lattice) -> Option<Posterior> {
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
        for &(layer, state, cost) in &lattice.ends {
            let price = cost - layers[layer as usize][state as usize].cost;
            let log =
                (scales[layer as usize] + f64::from(price) - f64::from(best)) / f64::from(BIT);
            ends[layer as usize].push((state, (-log).exp2()));
        }
        let mut backward: Vec<Vec<f64>> = layers.iter().map(|l| vec![0.0; l.len()]).collect();
        let mut ways_back: Vec<Vec<f64>> =
            lattice.ways.iter().map(|w| vec![0.0; w.len()]).collect();
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
            for (i, way) in lattice.ways[at].iter().enumerate() {
                let passed = here[0][way.to as usize] * weight(way.cost) * scale;
                before[at - 1][way.from as usize] += passed;
                ways_back[at][i] = forward[at - 1][way.from as usize] * passed;
            }
        }
        if !(total.is_finite() && total > 0.0) {
            return None;
        }
        for (forward, backward) in forward.iter_mut().zip(&backward) {
            forward.iter_mut().zip(backward).for_each(|(f, b)| *f *= b / total);
        }
        ways_back.iter_mut().flatten().for_each(|w| *w /= total);
        Some(Posterior { states: forward, ways: ways_back })
    }

    /// How likely this block is at a step.
    pub(crate) fn of(&self, lattice: &Lattice, step: usize, node: NodeId) -> f64 {
        let states = lattice.layers[step].iter().zip(&self.states[step]);
        let at = states.filter(|(s, _)| lattice.stacks.get(s.stack).node == node);
        at.map(|s| s.1).sum::<f64>().min(1.0)
    }

    /// The most likely block of each of so many steps.
    pub(crate) fn best(&self, lattice: &Lattice, steps: usize) -> Vec<(NodeId, f64)> {
        let mut all = Vec::with_capacity(steps);
        for step in 1..=steps {
            let mut sums: HashMap<NodeId, f64> = HashMap::new();
            for (state, p) in lattice.layers[step].iter().zip(&self.states[step]) {
                *sums.entry(lattice.stacks.get(state.stack).node).or_default() += p;
            }
            let best = sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
            all.extend(best);
        }
        all
    }

    /// The probability of each way, by layer.
    pub(crate) fn ways(&self) -> &[Vec<f64>] {
        &self.ways
    }
}
