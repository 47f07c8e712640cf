//! Passes of a group as one trace, by the methods of [`crate::merge`].

use hashbrown::HashMap;
use model::map::MethodId;

use crate::Level;
use crate::merge::{MergeError, Timed, free, interleave, linked, pattern};
use crate::passes::Pass;
use crate::read::{CodeAddress, Samples};
use crate::token::Token;

/// Methods of merging passes into one trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeMethod {
    /// The published merge: all orders of the most similar pairs.
    Interleave,
    /// In the order of the times since their passes began.
    Phase,
    /// Single linkage, the best shuffle of each two.
    Linked,
    /// Token by token, for intervals that jitter.
    Free,
}

/// A place of the merged trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// The frame: position in [`Samples::names`].
    pub name: u32,
    /// Samples that saw it here.
    pub samples: u64,
}

/// The innermost frames of the app, of all passes as one trace. `interval` is the time between
/// samples, in ns.
///
/// # Errors
/// Too many orders to try, with [`MergeMethod::Interleave`].
pub fn merged(
    samples: &Samples,
    passes: &[Pass],
    method: MergeMethod,
    interval: u64,
) -> Result<Vec<Stop>, MergeError> {
    let mut tokens = Tokens { samples, methods: HashMap::new(), names: HashMap::new() };
    let parts: Vec<Vec<(Timed, u64)>> = passes
        .iter()
        .map(|pass| {
            let stops = pass.stops.iter();
            let timed = |s: &crate::passes::Stop| {
                let name = samples.frames(s.call).next()?;
                Some((Timed { token: tokens.of(name), at: s.at }, s.samples))
            };
            stops.filter_map(timed).collect()
        })
        .collect();
    let plain: Vec<Vec<Token>> =
        parts.iter().map(|p| p.iter().map(|t| t.0.token).collect()).collect();
    let columns = |order: &[usize]| {
        let chosen: Vec<&[Token]> = order.iter().map(|&i| &plain[i][..]).collect();
        pattern(&chosen)
    };
    let seen: Vec<(Token, u64)> = match method {
        MergeMethod::Interleave => {
            let order = interleave(Level::Instructions, &plain, 1)?;
            columns(&order).into_iter().map(|t| (t, 1)).collect()
        }
        MergeMethod::Linked => {
            let order = linked(Level::Instructions, &plain);
            columns(&order).into_iter().map(|t| (t, 1)).collect()
        }
        MergeMethod::Phase => {
            let mut all: Vec<&(Timed, u64)> = parts.iter().flatten().collect();
            all.sort_by_key(|t| t.0.at);
            all.into_iter().map(|t| (t.0.token, t.1)).collect()
        }
        MergeMethod::Free => {
            let timed: Vec<Vec<Timed>> =
                parts.iter().map(|p| p.iter().map(|t| t.0).collect()).collect();
            free(&timed, interval).into_iter().map(|r| (r.token, r.samples)).collect()
        }
    };
    let mut trace: Vec<Stop> = Vec::new();
    for (token, n) in seen {
        let name = tokens.names[&token];
        match trace.last_mut() {
            Some(last) if last.name == name => last.samples += n,
            _ => trace.push(Stop { name, samples: n }),
        }
    }
    Ok(trace)
}

/// Frames as tokens: methods by name, offsets by line or instruction.
struct Tokens<'s> {
    samples: &'s Samples,
    methods: HashMap<(&'s str, &'s str), u32>,
    names: HashMap<Token, u32>,
}

impl Tokens<'_> {
    fn of(&mut self, name: u32) -> Token {
        let named = &self.samples.names[name as usize];
        let next = self.methods.len() as u32 + 1;
        let method = *self.methods.entry((&named.class, &named.method)).or_insert(next);
        let offset = match (named.line, named.at) {
            (Some(line), _) => line,
            (None, Some(CodeAddress::Pc(pc))) => pc,
            (None, Some(CodeAddress::Dex { offset, .. })) => offset as u32 / 2,
            (None, None) => 0,
        };
        let token = Token::at(MethodId(method), offset);
        self.names.entry(token).or_insert(name);
        token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A dump of one stack for each of these lines.
    fn dump(lines: &[u32]) -> String {
        let stack = |l: &u32| format!("\"main\" tid=1\n  at a.B.one(B.java:{l})\n\n");
        lines.iter().map(stack).collect()
    }

    #[test]
    fn two_passes_of_every_second_line_become_all_lines_in_order() {
        let (_, samples) = Samples::read(dump(&[1, 3, 2, 4]).as_bytes()).unwrap();
        let all: Vec<_> = samples.seen.iter().collect();
        let pass = |seen: &[usize]| Pass {
            thread: 1,
            callback: all[0].call,
            ns: (0, 2),
            stops: seen
                .iter()
                .zip(0..)
                .map(|(&i, at)| crate::passes::Stop {
                    call: all[i].call,
                    samples: 1,
                    at: 2 * at + i as u64 / 2,
                })
                .collect(),
        };
        let passes = [pass(&[0, 1]), pass(&[2, 3])];
        for method in
            [MergeMethod::Interleave, MergeMethod::Phase, MergeMethod::Linked, MergeMethod::Free]
        {
            let trace = merged(&samples, &passes, method, 2).unwrap();
            let lines: Vec<Option<u32>> =
                trace.iter().map(|s| samples.names[s.name as usize].line).collect();
            assert_eq!(lines, [Some(1), Some(2), Some(3), Some(4)], "{method:?}");
        }
    }
}
