//! The likeliest order of two groups of parts, without trying all.
//!
//! Read in columns, a trace's likelihood is the sum over neighbours in the order, and of the last
//! part to the first one, a column later. So the best shuffle that begins with one part is a walk
//! over (parts taken of each group, group of the last).

use crate::{Level, Token};

/// Value of an order in which one part stands after another.
#[derive(Debug)]
pub struct Costs {
    parts: usize,
    /// Row: the part before; in the same column.
    beside: Vec<u32>,
    /// Row: the last part of a column; the next column.
    around: Vec<u32>,
}

impl Costs {
    /// Those of all pairs of these parts.
    pub fn new(level: Level, parts: &[Vec<Token>]) -> Costs {
        let n = parts.len();
        let mut costs = Costs { parts: n, beside: vec![0; n * n], around: vec![0; n * n] };
        for (a, before) in parts.iter().enumerate() {
            for (b, behind) in parts.iter().enumerate() {
                let sum = |from: &[Token]| -> u64 {
                    before.iter().zip(from).map(|(&x, &y)| level.follows(x, y)).sum()
                };
                costs.beside[a * n + b] = u32::try_from(sum(behind)).unwrap_or(u32::MAX);
                let next = behind.get(1..).unwrap_or_default();
                costs.around[a * n + b] = u32::try_from(sum(next)).unwrap_or(u32::MAX);
            }
        }
        costs
    }

    /// Of part `a` before part `b` in a column.
    #[inline]
    pub fn beside(&self, a: usize, b: usize) -> u64 {
        self.beside[a * self.parts + b].into()
    }

    /// Of part `a` at the end of a column, and `b` at the begin of the next.
    #[inline]
    pub fn around(&self, a: usize, b: usize) -> u64 {
        self.around[a * self.parts + b].into()
    }

    /// The likelihood of an order.
    pub fn of(&self, order: &[usize]) -> u64 {
        let (Some(&first), Some(&last)) = (order.first(), order.last()) else { return 0 };
        let beside: u64 = order.windows(2).map(|w| self.beside(w[0], w[1])).sum();
        beside + self.around(last, first)
    }
}

/// The likeliest shuffle of two orders that keeps both; where several are, one that begins with
/// `a`.
pub fn shuffle(costs: &Costs, a: &[usize], b: &[usize]) -> Vec<usize> {
    if a.is_empty() || b.is_empty() {
        return [a, b].concat();
    }
    let from_a = beginning(costs, a, b);
    let from_b = beginning(costs, b, a);
    if from_b.0 > from_a.0 { from_b.1 } else { from_a.1 }
}

/// The likeliest shuffle that begins with the first of `a`.
fn beginning(costs: &Costs, a: &[usize], b: &[usize]) -> (u64, Vec<usize>) {
    let width = b.len() + 1;
    let at = |i: usize, j: usize| i * width + j;
    // Best sum after i of `a` and j of `b`, by the group of the last: 0 for `a`, 1 for `b`; and the
    // group of the one before.
    let mut best = vec![[None::<u64>; 2]; (a.len() + 1) * width];
    let mut came = vec![[0_u8; 2]; (a.len() + 1) * width];
    best[at(1, 0)][0] = Some(0);
    for i in 1..=a.len() {
        for j in 0..=b.len() {
            for (side, before) in
                [(0, (i > 1).then(|| (i - 1, j))), (1, j.checked_sub(1).map(|j| (i, j)))]
            {
                let Some((pi, pj)) = before else { continue };
                let now = if side == 0 { a[i - 1] } else { b[j - 1] };
                for (last, from) in [(0, Some(a[pi - 1])), (1, pj.checked_sub(1).map(|j| b[j]))] {
                    let (Some(sum), Some(from)) = (best[at(pi, pj)][last], from) else { continue };
                    let sum = sum + costs.beside(from, now);
                    if best[at(i, j)][side].is_none_or(|b| sum > b) {
                        best[at(i, j)][side] = Some(sum);
                        came[at(i, j)][side] = last as u8;
                    }
                }
            }
        }
    }
    let (mut i, mut j) = (a.len(), b.len());
    let closed =
        |side: usize, last: usize| best[at(i, j)][side].map(|sum| sum + costs.around(last, a[0]));
    let (last_a, last_b) = (closed(0, a[i - 1]), closed(1, b[j - 1]));
    let mut side = usize::from(last_b > last_a);
    let sum = last_a.max(last_b).unwrap_or(0);
    let mut order = Vec::with_capacity(a.len() + b.len());
    while i + j > 0 {
        let before = usize::from(came[at(i, j)][side]);
        match side {
            0 => {
                i -= 1;
                order.push(a[i]);
            }
            _ => {
                j -= 1;
                order.push(b[j]);
            }
        }
        side = before;
    }
    order.reverse();
    (sum, order)
}
