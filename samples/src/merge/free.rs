//! Merging token by token: jittered intervals break columns, but not the order within each pass.

use super::MergeError;
use super::linkage::each_pair;
use crate::{Level, Token};

/// A place, and how many samples saw it in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenRun {
    /// The place.
    pub token: Token,
    /// Samples of it in a row.
    pub samples: u64,
    /// Time of the first sample of it since its pass began, in any unit.
    pub at: u64,
}

/// Value of neighbours, compared with the order of their times: a token that comes an interval
/// early costs 8, one that comes two intervals or more early 32.
const PLACES: i64 = 64;

/// Pairs of places of two parts that are compared at most; each costs a byte.
pub const MAX_CELLS: usize = 1 << 28;

/// Merges the parts into their likeliest trace: tokens are interleaved so that neighbours follow
/// one another as closely as possible ([`Level::Wide`]), and where that does not decide, in the
/// order of their times, which are right to about an `interval`. The order within each part stays.
/// Equal neighbours become one, with the samples of both.
///
/// # Errors
/// More than [`MAX_CELLS`] pairs of places.
pub fn free(parts: &[Vec<TokenRun>], interval: u64) -> Result<Vec<TokenRun>, MergeError> {
    let collapsed = |part: &Vec<TokenRun>| collapse(part.iter().copied());
    let mut traces: Vec<Vec<TokenRun>> = parts.iter().map(collapsed).collect();
    let tokens = |part: &Vec<TokenRun>| part.iter().map(|t| t.token).collect();
    let tokens: Vec<Vec<Token>> = parts.iter().map(tokens).collect();
    let mut result = Ok(());
    each_pair(Level::Wide, &tokens, &mut |a, b| {
        let other = std::mem::take(&mut traces[b]);
        match (traces[a].len() + 1).checked_mul(other.len() + 1) {
            Some(cells) if cells <= MAX_CELLS => {
                traces[a] = interleaved(&traces[a], &other, interval.max(1));
            }
            _ => result = Err(MergeError::Places(traces[a].len(), other.len())),
        }
    });
    result.map(|()| traces.into_iter().next().unwrap_or_default())
}

fn collapse(runs: impl Iterator<Item = TokenRun>) -> Vec<TokenRun> {
    let mut all: Vec<TokenRun> = Vec::new();
    for run in runs {
        match all.last_mut() {
            Some(last) if last.token == run.token => {
                last.samples = last.samples.saturating_add(run.samples);
            }
            _ => all.push(run),
        }
    }
    all
}

/// Best sum of a shuffle's begin, by the part of its last place; -1: impossible.
type Sums = [i64; 2];

/// The likeliest shuffle of two traces.
fn interleaved(a: &[TokenRun], b: &[TokenRun], interval: u64) -> Vec<TokenRun> {
    let width = b.len() + 1;
    // After i of `a` and j of `b`: bit `side` is the part of the place before, if the last place is
    // of part `side`.
    let mut came = vec![0_u8; (a.len() + 1) * width];
    let mut above: Vec<Sums> = vec![[-1; 2]; width];
    let mut row: Vec<Sums> = vec![[-1; 2]; width];
    let follows = |x: TokenRun, y: TokenRun| {
        // In 64ths of intervals, at most two of them.
        let late = x.at.saturating_sub(y.at).min(2 * interval);
        let late = (64 * u128::from(late) / u128::from(interval)) as i64;
        PLACES * (Level::Wide.follows(x.token, y.token) as i64 + 33) - late * late / 8
    };
    for i in 0..=a.len() {
        row.fill([-1; 2]);
        for j in 0..=b.len() {
            let mut last = 0;
            if i > 0 {
                let from = above[j];
                let now = a[i - 1];
                let options = [
                    (i > 1 && from[0] >= 0).then(|| from[0] + follows(a[i - 2], now)),
                    (j > 0 && from[1] >= 0).then(|| from[1] + follows(b[j - 1], now)),
                ];
                let begins = (i == 1 && j == 0).then_some(0);
                last |= take(options, begins, &mut row[j][0]);
            }
            if j > 0 {
                let from = row[j - 1];
                let now = b[j - 1];
                let options = [
                    (i > 0 && from[0] >= 0).then(|| from[0] + follows(a[i - 1], now)),
                    (j > 1 && from[1] >= 0).then(|| from[1] + follows(b[j - 2], now)),
                ];
                let begins = (j == 1 && i == 0).then_some(0);
                last |= take(options, begins, &mut row[j][1]) << 1;
            }
            came[i * width + j] = last;
        }
        std::mem::swap(&mut above, &mut row);
    }
    let (mut i, mut j) = (a.len(), b.len());
    let end = above[j];
    let mut side = usize::from(end[1] > end[0]);
    let mut back = Vec::with_capacity(i + j);
    while i + j > 0 {
        let before = usize::from(came[i * width + j] >> side & 1);
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

/// Sets the best sum, and returns the part of the place before.
fn take(options: [Option<i64>; 2], begins: Option<i64>, best: &mut i64) -> u8 {
    let (sum, last) = match options {
        [a, b] if b > a => (b, 1_u8),
        [a, _] => (a, 0),
    };
    *best = sum.or(begins).unwrap_or(-1);
    last
}
