//! Error of the counts of an encoding.

use std::collections::HashMap;

use super::{Encoding, Path};

/// Counts that an encoding made of activations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CountedPaths {
    /// Activations.
    pub runs: u64,
    /// Those that were counted as a path of interest.
    pub collected: u64,
    /// Those that were one.
    pub is: u64,
    /// Those that were counted as another path of interest than they were, or as one although they
    /// were none.
    pub wrong: u64,
    /// Those whose number grew too large.
    pub lost: u64,
    /// Those that stopped before their end.
    pub stopped: u64,
    /// Steps that had something to do, but to count.
    pub steps_with_ops: u64,
    /// All steps, of an activation that stopped those before.
    pub steps: u64,
}

impl CountedPaths {
    /// Runs an encoding on activations, each with how often it occurred.
    pub fn of<'a>(
        encoding: &Encoding,
        interest: &[Path],
        activations: impl Iterator<Item = (&'a Path, u64)>,
    ) -> CountedPaths {
        let wanted: HashMap<&Path, usize> =
            interest.iter().enumerate().map(|(i, p)| (p, i)).collect();
        let mut sum = CountedPaths::default();
        for (path, times) in activations {
            let run = encoding.run(path);
            let is = wanted.get(path).copied();
            // Paths that loops cut are others.
            let counted = match run.counted[..] {
                [counted] => counted,
                _ => None,
            };
            let ran = run.stopped.map_or(path.len(), |at| at + 1);
            let add = |to: &mut u64, n: u64| *to = to.saturating_add(n.saturating_mul(times));
            add(&mut sum.runs, 1);
            add(&mut sum.collected, u64::from(counted.is_some()));
            add(&mut sum.is, u64::from(is.is_some()));
            add(&mut sum.wrong, u64::from(counted.is_some() && counted != is));
            add(&mut sum.lost, u64::from(run.lost > 0));
            add(&mut sum.stopped, u64::from(run.stopped.is_some()));
            add(&mut sum.steps_with_ops, run.steps_with_ops as u64);
            add(&mut sum.steps, ran as u64);
        }
        sum
    }

    /// (collected − true) ÷ collected, the published measure: all false is 1. 0 where nothing was
    /// collected.
    pub fn inaccuracy(&self) -> f64 {
        self.collected.saturating_sub(self.is) as f64 / self.collected.max(1) as f64
    }
}
