//! Merging token by token: jittered intervals break columns, but not the order within each pass.

use super::linkage::each_pair;
use crate::{Level, Token};

/// A place of the merged trace, and how many samples saw it there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenRun {
    /// The place.
    pub token: Token,
    /// Samples of it in a row.
    pub samples: u64,
    /// Time of the first sample of it, since its pass began.
    pub at: u64,
}

/// A place, and when it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timed {
    /// The place.
    pub token: Token,
    /// Time since its pass began, in any unit.
    pub at: u64,
}

/// Value of neighbours, compared with the order of their times: a token that comes an interval
/// early costs 8, one that comes two intervals or more early 32.
const PLACES: i64 = 64;

/// Merges the parts into their likeliest trace: tokens are interleaved so that neighbours follow
/// one another as closely as possible ([`Level::Wide`]), and where that does not decide, in the
/// order of their times, which are right to about an `interval`. The order within each part stays.
/// Equal neighbours become one.
pub fn free(parts: &[Vec<Timed>], interval: u64) -> Vec<TokenRun> {
    let run = |t: &Timed| TokenRun { token: t.token, samples: 1, at: t.at };
    let collapsed = |part: &Vec<Timed>| collapse(part.iter().map(run));
    let mut traces: Vec<Vec<TokenRun>> = parts.iter().map(collapsed).collect();
    let tokens = |part: &Vec<Timed>| part.iter().map(|t| t.token).collect();
    let tokens: Vec<Vec<Token>> = parts.iter().map(tokens).collect();
    each_pair(Level::Wide, &tokens, &mut |a, b| {
        let other = std::mem::take(&mut traces[b]);
        traces[a] = interleaved(&traces[a], &other, interval.max(1));
    });
    traces.into_iter().next().unwrap_or_default()
}

fn collapse(runs: impl Iterator<Item = TokenRun>) -> Vec<TokenRun> {
    let mut all: Vec<TokenRun> = Vec::new();
    for run in runs {
        match all.last_mut() {
            Some(last) if last.token == run.token => last.samples += run.samples,
            _ => all.push(run),
        }
    }
    all
}

/// The likeliest shuffle of two traces.
fn interleaved(a: &[TokenRun], b: &[TokenRun], interval: u64) -> Vec<TokenRun> {
    let width = b.len() + 1;
    let cells = (a.len() + 1) * width;
    // Best sum after i of `a` and j of `b`, by which one was last; -1: impossible.
    let mut best = vec![[-1_i64; 2]; cells];
    let mut came = vec![[0_u8; 2]; cells];
    let follows = |x: TokenRun, y: TokenRun| {
        // In 64ths of intervals, at most two of them.
        let late = (64 * x.at.saturating_sub(y.at) / interval).min(128) as i64;
        PLACES * (Level::Wide.follows(x.token, y.token) as i64 + 33) - late * late / 8
    };
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            let here = i * width + j;
            if i > 0 {
                let from = best[here - width];
                let now = a[i - 1];
                let options = [
                    (i > 1 && from[0] >= 0).then(|| from[0] + follows(a[i - 2], now)),
                    (j > 0 && from[1] >= 0).then(|| from[1] + follows(b[j - 1], now)),
                ];
                let begins = (i == 1 && j == 0).then_some(0);
                take(options, begins, 0, &mut best[here], &mut came[here]);
            }
            if j > 0 {
                let from = best[here - 1];
                let now = b[j - 1];
                let options = [
                    (i > 0 && from[0] >= 0).then(|| from[0] + follows(a[i - 1], now)),
                    (j > 1 && from[1] >= 0).then(|| from[1] + follows(b[j - 2], now)),
                ];
                let begins = (j == 1 && i == 0).then_some(0);
                take(options, begins, 1, &mut best[here], &mut came[here]);
            }
        }
    }
    let (mut i, mut j) = (a.len(), b.len());
    let end = best[i * width + j];
    let mut side = usize::from(end[1] > end[0]);
    let mut back = Vec::with_capacity(i + j);
    while i + j > 0 {
        let before = usize::from(came[i * width + j][side]);
        if side == 0 {
            i -= 1;
            back.push(a[i]);
        } else {
            j -= 1;
            back.push(b[j]);
        }
        side = before;
    }
    collapse(back.into_iter().rev())
}

fn take(
    options: [Option<i64>; 2],
    begins: Option<i64>,
    side: usize,
    best: &mut [i64; 2],
    came: &mut [u8; 2],
) {
    let (sum, last) = match options {
        [a, b] if b > a => (b, 1_u8),
        [a, _] => (a, 0),
    };
    best[side] = sum.or(begins).unwrap_or(-1);
    came[side] = last;
}
