//! Puts the samples of several passes of a reproducible target in one order.
//!
//! A target runs the same places in the same order each time. A *pass* is one run of it, a *part*
//! has the samples of one pass. Passes that were sampled at different phases together hold the
//! whole trace.
//!
//! [`interleave`] is the published method, step by step. [`phase`], [`linked`] and [`free`] give
//! what it looks for without trying all shuffles.

mod free;
mod interleave;
mod linkage;
mod order;
mod phase;
#[cfg(test)]
mod tests;

pub use free::{MAX_CELLS, TokenRun, free};
pub use interleave::{MAX_SHUFFLES, interleave, likelihood, pattern, similarity};
pub use linkage::linked;
pub use order::{Costs, shuffle};
pub use phase::{coverage, phase};

use crate::Token;

/// Reasons why parts cannot be merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// Too many orders to try.
    #[error(
        "merging parts of {0} and {1} passes tries more than {MAX_SHUFFLES} orders; \
         choose another method"
    )]
    Shuffles(usize, usize),
    /// Too many places.
    #[error("merging traces of {0} and {1} places compares more than {MAX_CELLS} pairs of them")]
    Places(usize, usize),
    /// Too many samples.
    #[error("a group has {0} samples; this method merges {MAX_SAMPLES} at most")]
    Samples(u64),
}

/// Samples of a group that are merged one by one at most.
pub const MAX_SAMPLES: u64 = 1 << 20;

/// Cuts samples into parts that begin where a first method appears: one that the sample before is
/// not in.
pub fn split_at_first(samples: &[Token], first: model::map::MethodId) -> Vec<Vec<Token>> {
    let mut parts: Vec<Vec<Token>> = Vec::new();
    let mut before = None;
    for &token in samples {
        if parts.is_empty() || (token.method == first && before != Some(first)) {
            parts.push(Vec::new());
        }
        before = Some(token.method);
        parts.last_mut().expect("one was begun").push(token);
    }
    parts
}

/// Cuts samples into parts of the length of a pass: sample `k` lies `k · interval` tokens after the
/// first, a pass is `target` tokens long.
pub fn split_by_length(samples: &[Token], target: u64, interval: u64) -> Vec<Vec<Token>> {
    let mut parts: Vec<Vec<Token>> = Vec::new();
    for (k, &token) in (0..).zip(samples) {
        let pass = (k * interval / target.max(1)) as usize;
        parts.resize_with(parts.len().max(pass + 1), Vec::new);
        parts[pass].push(token);
    }
    parts.retain(|part| !part.is_empty());
    parts
}
