//! Passes of a group as one trace, by the methods of [`crate::merge`].

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;
use model::map::{BlockId, MethodId};

use crate::merge::{
    MAX_SAMPLES, MergeError, TokenRun, free, interleave, likelihood, linked, pattern,
};
use crate::passes::{Pass, Stop};
use crate::read::{CodeAddress, Samples};
use crate::{Level, Token};

/// Methods of merging passes into one trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeMethod {
    /// The published merge: all orders of the most similar pairs.
    Interleave,
    /// In the order of the positions in their passes.
    Phase,
    /// Single linkage, the best shuffle of each two.
    Linked,
    /// Token by token, for intervals that jitter. It compares places by [`Level::Wide`].
    Free,
}

/// Parameters of a merge.
pub struct Merging<'a> {
    /// The method.
    pub method: MergeMethod,
    /// Comparison of places.
    pub level: Level,
    /// Most similar pairs that compete by likelihood, with [`MergeMethod::Interleave`].
    pub pairs: usize,
    /// Distance of samples, in the unit of [`Stop::at`].
    pub interval: u64,
    /// Returns the block that a frame (position in [`Samples::names`]) stands in, for
    /// [`Level::Blocks`].
    pub block: &'a dyn Fn(u32) -> Option<BlockId>,
}

/// A place of the merged trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MergedStop {
    /// The frame: position in [`Samples::names`].
    pub name: u32,
    /// Samples that saw it here.
    pub samples: u64,
}

/// A merged trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedTrace {
    /// Its places, in order.
    pub stops: Vec<MergedStop>,
    /// Sum of how likely each sample follows the one before, if samples were merged one by one.
    pub likelihood: Option<u64>,
}

/// Merges the innermost frames of the app, of all passes, into one trace. Each sample of a pass is
/// in it, so the weights of places add up to the samples.
///
/// # Errors
/// Too many orders, places or samples for the method.
pub fn merged(
    samples: &Samples,
    passes: &[Pass],
    merging: &Merging<'_>,
) -> Result<MergedTrace, MergeError> {
    let tokens = Tokens::new(samples, passes, merging);
    let place = |stop: &Stop| tokens.get(samples, stop);
    if merging.method == MergeMethod::Free {
        let run = |stop: &Stop| {
            Some(TokenRun { token: place(stop)?, samples: stop.samples, at: stop.at })
        };
        let parts: Vec<Vec<TokenRun>> =
            passes.iter().map(|p| p.stops.iter().filter_map(run).collect()).collect();
        let trace = free(&parts, merging.interval)?;
        let stops = tokens.stops(trace.iter().map(|r| (r.token, r.samples)));
        return Ok(MergedTrace { stops, likelihood: None });
    }
    let count = passes.iter().map(Pass::samples).fold(0, u64::saturating_add);
    if count > MAX_SAMPLES {
        return Err(MergeError::Samples(count));
    }
    let trace = match merging.method {
        MergeMethod::Phase => {
            let mut all: Vec<(u64, Token)> = Vec::new();
            for stop in passes.iter().flat_map(|p| &p.stops) {
                let Some(token) = place(stop) else { continue };
                let at = |k: u64| stop.at.saturating_add(k.saturating_mul(merging.interval));
                all.extend((0..stop.samples).map(|k| (at(k), token)));
            }
            all.sort_by_key(|t| t.0);
            all.into_iter().map(|t| t.1).collect()
        }
        _ => {
            let repeated = |stop: &Stop| {
                let token = place(stop);
                (0..stop.samples).filter_map(move |_| token)
            };
            let parts: Vec<Vec<Token>> =
                passes.iter().map(|p| p.stops.iter().flat_map(repeated).collect()).collect();
            let order = match merging.method {
                MergeMethod::Interleave => interleave(merging.level, &parts, merging.pairs)?,
                _ => linked(merging.level, &parts),
            };
            let chosen: Vec<&[Token]> = order.iter().map(|&i| &parts[i][..]).collect();
            pattern(&chosen)
        }
    };
    Ok(MergedTrace {
        likelihood: Some(likelihood(merging.level, &trace)),
        stops: tokens.stops(trace.into_iter().map(|token| (token, 1))),
    })
}

/// Frames as tokens: methods by name, offsets by line or instruction.
struct Tokens {
    /// By name.
    tokens: HashMap<u32, Token>,
    /// The first name of each token.
    names: HashMap<Token, u32>,
}

impl Tokens {
    fn new(samples: &Samples, passes: &[Pass], merging: &Merging<'_>) -> Tokens {
        let stops = passes.iter().flat_map(|p| &p.stops);
        let names: BTreeSet<u32> = stops.filter_map(|s| samples.frames(s.call).next()).collect();
        let mut methods: HashMap<(&str, &str, Option<&str>), u32> = HashMap::new();
        let mut instructions: BTreeMap<MethodId, BTreeSet<u64>> = BTreeMap::new();
        let mut found = Vec::new();
        for name in names {
            let n = &samples.names[name as usize];
            let next = methods.len() as u32 + 1;
            let key = (&*n.class, &*n.method, n.descriptor.as_deref());
            let method = MethodId(*methods.entry(key).or_insert(next));
            let position = match (n.line, n.at) {
                (Some(line), _) => FrameOffset::Line(line),
                (None, Some(CodeAddress::Pc(pc))) => FrameOffset::Code(pc.into()),
                (None, Some(CodeAddress::Dex { offset, .. })) => FrameOffset::Code(offset),
                (None, None) => FrameOffset::Line(0),
            };
            if let FrameOffset::Code(offset) = position {
                instructions.entry(method).or_default().insert(offset);
            }
            found.push((name, method, position));
        }
        // Instructions have several lengths: sampled ones are counted, not code units.
        let ranks: HashMap<(MethodId, u64), u32> = instructions
            .iter()
            .flat_map(|(m, offsets)| (0..).zip(offsets).map(|(rank, o)| ((*m, *o), rank)))
            .collect();
        let mut all = Tokens { tokens: HashMap::new(), names: HashMap::new() };
        for (name, method, position) in found {
            let offset = match position {
                FrameOffset::Line(line) => line,
                FrameOffset::Code(offset) => ranks[&(method, offset)],
            };
            let block = match merging.level {
                Level::Blocks => (merging.block)(name).unwrap_or(BlockId(0)),
                _ => BlockId(0),
            };
            let token = Token { method, block, offset };
            all.tokens.insert(name, token);
            all.names.entry(token).or_insert(name);
        }
        all
    }

    fn get(&self, samples: &Samples, stop: &Stop) -> Option<Token> {
        self.tokens.get(&samples.frames(stop.call).next()?).copied()
    }

    /// Equal neighbours become one stop.
    fn stops(&self, trace: impl Iterator<Item = (Token, u64)>) -> Vec<MergedStop> {
        let mut stops: Vec<MergedStop> = Vec::new();
        for (token, samples) in trace {
            let name = self.names[&token];
            match stops.last_mut() {
                Some(last) if last.name == name => last.samples += samples,
                _ => stops.push(MergedStop { name, samples }),
            }
        }
        stops
    }
}

enum FrameOffset {
    Line(u32),
    /// Code units or bytes: only their order counts.
    Code(u64),
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [MergeMethod; 4] =
        [MergeMethod::Interleave, MergeMethod::Phase, MergeMethod::Linked, MergeMethod::Free];

    /// Passes of stacks with these places and numbers of samples.
    fn traces(places: &[&[(&str, u64)]], level: Level) -> Vec<Vec<(String, u64)>> {
        let dump = |s: &(&str, u64)| format!("\"main\" tid=1\n  at a.B.one({})\n\n", s.0);
        let text: String = places.iter().copied().flatten().map(dump).collect();
        let (_, samples) = Samples::read(text.as_bytes()).unwrap();
        let mut all = samples.seen.iter();
        let pass = |places: &&[(&str, u64)]| {
            let mut at = 0;
            let stop = |&(_, samples): &(&str, u64)| {
                let call = all.next().unwrap().call;
                at += samples;
                Stop { call, chain: 1, samples, at: at - samples }
            };
            let stops: Vec<Stop> = places.iter().map(stop).collect();
            Pass { thread: 1, callback: stops[0].call, ns: (0, 2), stops }
        };
        let passes: Vec<Pass> = places.iter().map(pass).collect();
        let trace = |method| {
            let merging = Merging { method, level, pairs: 1, interval: 1, block: &|_| None };
            let trace = merged(&samples, &passes, &merging).unwrap();
            let name = |s: &MergedStop| {
                let name = &samples.names[s.name as usize];
                let pc = || match name.at {
                    Some(CodeAddress::Pc(pc)) => pc.to_string(),
                    _ => String::new(),
                };
                (name.line.map_or_else(pc, |l| l.to_string()), s.samples)
            };
            trace.stops.iter().map(name).collect()
        };
        ALL.into_iter().map(trace).collect()
    }

    #[test]
    fn two_passes_of_every_second_line_become_all_lines_in_order() {
        let traces = traces(
            &[&[("B.java:1", 1), ("B.java:3", 1)], &[("B.java:2", 1), ("B.java:4", 1)]],
            Level::Instructions,
        );
        let all = ["1", "2", "3", "4"].map(|line| (line.to_owned(), 1));
        assert!(traces.iter().all(|t| *t == all), "{traces:?}");
    }

    #[test]
    fn no_method_loses_samples() {
        let pass: &[(&str, u64)] = &[("B.java:4", 3), ("B.java:5", 1), ("B.java:6", 2)];
        let sums = [("4", 6), ("5", 2), ("6", 4)].map(|(line, n)| (line.to_owned(), n));
        let traces = traces(&[pass, pass], Level::Time);
        assert!(traces.iter().all(|t| *t == sums), "{traces:?}");
    }

    /// Instructions of two, one and three code units: neighbours, whatever lies between their
    /// offsets.
    #[test]
    fn instructions_of_several_lengths_are_neighbours() {
        let unknown = |pc: &str| format!("Unknown Source:{pc}");
        let pcs = ["0", "9", "10", "40"].map(unknown);
        let [a, b, c, d] = pcs.each_ref().map(|pc| (&**pc, 1));
        let traces = traces(&[&[a, c], &[b, d]], Level::Instructions);
        let all = ["0", "9", "10", "40"].map(|pc| (pc.to_owned(), 1));
        assert!(traces.iter().all(|t| *t == all), "{traces:?}");
    }

    #[test]
    fn too_many_samples_are_refused() {
        let (_, samples) = Samples::read(b"\"main\" tid=1\n  at a.B.one(B.java:1)\n").unwrap();
        let call = samples.seen.iter().next().unwrap().call;
        let stop = Stop { call, chain: 1, samples: MAX_SAMPLES + 1, at: 0 };
        let pass = Pass { thread: 1, callback: call, ns: (0, 2), stops: vec![stop] };
        let merging = |method| Merging {
            method,
            level: Level::Time,
            pairs: 1,
            interval: 1,
            block: &|_| None,
        };
        let refused = merged(&samples, std::slice::from_ref(&pass), &merging(MergeMethod::Linked));
        assert_eq!(refused, Err(MergeError::Samples(MAX_SAMPLES + 1)));
        assert!(merged(&samples, &[pass], &merging(MergeMethod::Free)).is_ok());
    }
}
