//! The published merge, literally: the most similar two parts become one, in the likeliest of all
//! orders of their passes, until one part is left.

use std::cmp::Reverse;

use super::MergeError;
use crate::{Level, Token};

/// Orders that are tried for one pair at most.
pub const MAX_SHUFFLES: u64 = 1 << 20;

/// Returns how likely the tokens of two parts are neighbours in the trace, index by index.
pub fn similarity(level: Level, a: &[Token], b: &[Token]) -> u64 {
    a.iter().zip(b).map(|(&a, &b)| level.near(a, b)).sum()
}

/// Returns how likely the tokens follow one another.
pub fn likelihood(level: Level, trace: &[Token]) -> u64 {
    trace.windows(2).map(|w| level.follows(w[0], w[1])).sum()
}

/// The tokens of these parts, read in columns: the first of each part, the second of each, and so
/// on. Parts that have no more are passed over.
pub fn pattern(parts: &[&[Token]]) -> Vec<Token> {
    let longest = parts.iter().map(|p| p.len()).max().unwrap_or(0);
    (0..longest).flat_map(|i| parts.iter().filter_map(move |p| p.get(i).copied())).collect()
}

/// A part, and the tokens it stands for.
struct Group {
    /// Numbers of the parts it was merged of, in order.
    order: Vec<usize>,
    tokens: Vec<Token>,
}

/// The order in which the parts give the trace: numbers from 0.
///
/// Of all pairs the `pairs` most similar ones compete by likelihood; the published method has one.
/// Ties go to the smaller difference of lengths, then to lower numbers.
///
/// # Errors
/// More than [`MAX_SHUFFLES`] orders of one pair.
pub fn interleave(
    level: Level,
    parts: &[Vec<Token>],
    pairs: usize,
) -> Result<Vec<usize>, MergeError> {
    let single = |(i, p): (usize, &Vec<Token>)| Group { order: vec![i], tokens: p.clone() };
    let mut groups: Vec<Group> = parts.iter().enumerate().map(single).collect();
    while groups.len() > 1 {
        let mut ranked = Vec::new();
        for (i, a) in groups.iter().enumerate() {
            for (j, b) in groups.iter().enumerate().skip(i + 1) {
                let similar = similarity(level, &a.tokens, &b.tokens);
                let difference = a.tokens.len().abs_diff(b.tokens.len());
                ranked.push((Reverse(similar), difference, i, j));
            }
        }
        ranked.sort_unstable();
        let mut best: Option<(u64, usize, usize, Group)> = None;
        for &(_, _, i, j) in ranked.iter().take(pairs.max(1)) {
            let (likely, merged) = likeliest(level, parts, &groups[i].order, &groups[j].order)?;
            if best.as_ref().is_none_or(|b| likely > b.0) {
                best = Some((likely, i, j, merged));
            }
        }
        let Some((_, i, j, merged)) = best else { break };
        groups[i] = merged;
        groups.remove(j);
    }
    Ok(groups.pop().map_or_else(Vec::new, |g| g.order))
}

/// The likeliest order of two groups that keeps that of each; the first such, where `a` comes
/// first.
fn likeliest(
    level: Level,
    parts: &[Vec<Token>],
    a: &[usize],
    b: &[usize],
) -> Result<(u64, Group), MergeError> {
    let mut count = 1_u64;
    for i in 1..=a.len() as u64 {
        count = count.saturating_mul(b.len() as u64 + i) / i;
        if count > MAX_SHUFFLES {
            return Err(MergeError::Shuffles(a.len(), b.len()));
        }
    }
    let mut best: Option<(u64, Group)> = None;
    shuffles(a, b, &mut Vec::new(), &mut |order| {
        let chosen: Vec<&[Token]> = order.iter().map(|&i| &parts[i][..]).collect();
        let tokens = pattern(&chosen);
        let likely = likelihood(level, &tokens);
        if best.as_ref().is_none_or(|b| likely > b.0) {
            best = Some((likely, Group { order: order.to_vec(), tokens }));
        }
    });
    Ok(best.expect("two groups have an order"))
}

/// All shuffles that keep the order of both.
pub(super) fn shuffles(
    a: &[usize],
    b: &[usize],
    begun: &mut Vec<usize>,
    take: &mut dyn FnMut(&[usize]),
) {
    if a.is_empty() && b.is_empty() {
        return take(begun);
    }
    for (from, other, first) in [(a, b, true), (b, a, false)] {
        if let Some((&next, rest)) = from.split_first() {
            begun.push(next);
            match first {
                true => shuffles(rest, other, begun, take),
                false => shuffles(other, rest, begun, take),
            }
            begun.pop();
        }
    }
}
