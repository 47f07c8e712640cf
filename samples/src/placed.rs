//! Stacks of samplers as the graph sees them: which blocks each frame may stand in.

use std::collections::BTreeMap;

use model::map::{BlockId, Map, MethodId};

use crate::fill::{FramePrecision, Sample, SampledFrame};
use crate::graph::{Graph, NodeId};
use crate::places::MethodResolver;
use crate::read::{CallId, CodeAddress, Name, Samples};

/// Location of a method's instructions in a DEX file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// Its class, in the source's form.
    pub class: String,
    /// Its name.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Byte range of the instructions, from the file's begin; the end is excluded.
    pub bytes: (u64, u64),
}

/// Locations of the instructions of all methods of an app.
#[derive(Debug, Default)]
pub struct CodeTable {
    /// By class and method.
    all: BTreeMap<(String, String), Vec<Code>>,
}

impl CodeTable {
    /// A table of these.
    pub fn new(all: impl IntoIterator<Item = Code>) -> CodeTable {
        let mut table = CodeTable::default();
        for code in all {
            let key = (code.class.clone(), code.method.clone());
            table.all.entry(key).or_default().push(code);
        }
        table
    }

    fn of(&self, name: &Name) -> impl Iterator<Item = &Code> {
        let all = self.all.get(&(name.class.clone(), name.method.clone()));
        let descriptor = name.descriptor.clone();
        all.into_iter()
            .flatten()
            .filter(move |c| descriptor.as_ref().is_none_or(|d| *d == c.descriptor))
    }

    /// Returns for each file of the samples the begin of its DEX file in the offsets of samplers.
    /// APKs and VDEX files hold several, so the frames determine it: each must lie in its method.
    fn begins(&self, samples: &Samples) -> Vec<Option<u64>> {
        let mut ranges: Vec<Option<(u64, u64)>> = vec![Some((0, u64::MAX)); samples.files.len()];
        for name in &samples.names {
            let Some(CodeAddress::Dex { file, offset }) = name.at else { continue };
            let mut codes = self.of(name);
            // Overloads lie in different places.
            let (Some(code), None) = (codes.next(), codes.next()) else { continue };
            let Some(range) = ranges.get_mut(file as usize) else { continue };
            let (low, high) = code.bytes;
            let most = offset.checked_sub(low);
            let least = (offset + 1).saturating_sub(high);
            *range = match (*range, most) {
                (Some(r), Some(most)) => {
                    Some((r.0.max(least), r.1.min(most))).filter(|r| r.0 <= r.1)
                }
                _ => None,
            };
        }
        let begin = |(least, most): (u64, u64)| {
            // DEX files are aligned to four bytes.
            let first = least.next_multiple_of(4);
            (least == 0 || first + 4 > most).then_some(first).filter(|f| *f <= most)
        };
        ranges.into_iter().map(|r| r.and_then(begin)).collect()
    }
}

/// Places the stacks of one file of samples.
#[derive(Debug)]
pub struct Placer<'a> {
    map: &'a Map,
    graph: &'a Graph,
    samples: &'a Samples,
    /// Of each name: the methods it may be.
    methods: Vec<Vec<MethodId>>,
    /// Of each name: the instruction, in code units, if it is known.
    pcs: Vec<Option<u32>>,
}

impl<'a> Placer<'a> {
    /// Places stacks on this graph. Without a table, frames of the interpreter are placed by their
    /// lines alone.
    pub fn new(
        map: &'a Map,
        graph: &'a Graph,
        places: &MethodResolver<'_>,
        samples: &'a Samples,
        table: Option<&CodeTable>,
    ) -> Placer<'a> {
        let begins = table.map(|t| t.begins(samples)).unwrap_or_default();
        let pc = |name: &Name| match name.at? {
            CodeAddress::Pc(pc) => Some(pc),
            CodeAddress::Dex { file, offset } => {
                let begin = begins.get(file as usize).copied().flatten()?;
                let at = offset.checked_sub(begin)?;
                let code = table?.of(name).find(|c| (c.bytes.0..c.bytes.1).contains(&at))?;
                u32::try_from((at - code.bytes.0) / 2).ok()
            }
        };
        Placer {
            map,
            graph,
            samples,
            methods: samples.names.iter().map(|n| places.methods(n)).collect(),
            pcs: samples.names.iter().map(pc).collect(),
        }
    }

    /// Returns how many names have a known instruction.
    pub fn exact(&self) -> usize {
        self.pcs.iter().flatten().count()
    }

    /// Returns the precision of the frames of a stack: that of the least precise one of the app.
    pub fn precision(&self, call: CallId) -> FramePrecision {
        self.precision_of(self.samples.frames(call))
    }

    /// Returns the precision of frames (positions in [`Samples::names`]): that of the least precise
    /// one of the app.
    pub fn precision_of(&self, names: impl Iterator<Item = u32>) -> FramePrecision {
        let precision = |n: usize| match (self.pcs[n], self.samples.names[n].line) {
            (Some(_), _) => FramePrecision::Stack,
            (None, Some(_)) => FramePrecision::Line,
            (None, None) => FramePrecision::Method,
        };
        let known = names.map(|n| n as usize).filter(|n| !self.methods[*n].is_empty());
        known.map(precision).max().unwrap_or(FramePrecision::Method)
    }

    /// Returns the methods that a frame (position in [`Samples::names`]) may be.
    pub fn methods(&self, name: u32) -> &[MethodId] {
        self.methods.get(name as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns the method of a frame (position in [`Samples::names`]), with its block, line or 0 as
    /// the precision demands; `None` if the frame does not determine it.
    pub fn place(&self, name: u32, precision: FramePrecision) -> Option<(MethodId, u32)> {
        let method = self.one_of(self.methods(name), name, None)?;
        let number = match precision {
            FramePrecision::Method => 0,
            FramePrecision::Line => self.samples.names[name as usize].line.unwrap_or(0),
            FramePrecision::Stack => match self.nodes(method, name)[..] {
                [node] => self.graph.locate(node).1.0,
                _ => return None,
            },
        };
        Some((method, number))
    }

    /// Returns the block of a frame (position in [`Samples::names`]), if only one is possible.
    pub fn block(&self, name: u32) -> Option<BlockId> {
        let [method] = self.methods.get(name as usize)?[..] else { return None };
        match self.nodes(method, name)[..] {
            [node] => Some(self.graph.locate(node).1),
            _ => None,
        }
    }

    /// A stack as the graph sees it; `None` if it has no frame that the map has, or if a frame may
    /// be several methods.
    pub fn sample(&self, call: CallId) -> Option<Sample> {
        let mut names: Vec<u32> = self.samples.frames(call).collect();
        names.reverse();
        let mut stack: Vec<SampledFrame> = Vec::new();
        let mut outside = false;
        for name in names {
            let candidates = &self.methods[name as usize];
            if candidates.is_empty() {
                outside = true;
                continue;
            }
            let method = self.one_of(candidates, name, stack.last().filter(|_| !outside))?;
            let at: Vec<(NodeId, u16)> =
                self.nodes(method, name).into_iter().map(|n| (n, 0)).collect();
            if let Some(caller) = stack.last_mut() {
                outside |= !self.call(caller, (!outside).then_some(method));
            }
            stack.push(SampledFrame { method, at, outside: outside && !stack.is_empty() });
            outside = false;
        }
        (!stack.is_empty()).then_some(Sample { stack })
    }

    /// Keeps the blocks of a frame that can call this method, or (`None`) anything outside. Where
    /// the graph knows no such call, the frame called outside: `false`.
    fn call(&self, caller: &mut SampledFrame, callee: Option<MethodId>) -> bool {
        let graph = self.graph;
        if let Some(callee) = callee {
            let nodes =
                caller.at.iter().flat_map(|&(n, _)| graph.calls_to(n, callee).map(move |c| (n, c)));
            let calls: Vec<(NodeId, u16)> = nodes.collect();
            if !calls.is_empty() {
                caller.at = calls;
                return true;
            }
        }
        let all = |n: NodeId| (0..=graph.calls(n).len() as u16).map(move |c| (n, c));
        let throws = |n: &&(NodeId, u16)| graph.block(n.0).throws;
        let calls: Vec<(NodeId, u16)> =
            caller.at.iter().filter(throws).flat_map(|n| all(n.0)).collect();
        if !calls.is_empty() {
            caller.at = calls;
        }
        callee.is_none()
    }

    /// The only method that a frame can be.
    fn one_of(
        &self,
        all: &[MethodId],
        name: u32,
        caller: Option<&SampledFrame>,
    ) -> Option<MethodId> {
        if let [one] = all {
            return Some(*one);
        }
        let line = self.samples.names[name as usize].line;
        let has_line = |m: &&MethodId| {
            line.is_none_or(|line| self.graph.nodes(**m).any(|n| self.lines(n).any(|l| l == line)))
        };
        let called = |m: &&MethodId| {
            caller.is_none_or(|c| {
                c.at.iter().any(|(n, _)| self.graph.calls_to(*n, **m).next().is_some())
            })
        };
        let mut fitting = all.iter().filter(has_line).filter(called);
        match (fitting.next(), fitting.next()) {
            (Some(one), None) => Some(*one),
            _ => None,
        }
    }

    fn lines(&self, node: NodeId) -> impl Iterator<Item = u32> + '_ {
        let (method, block) = self.graph.locate(node);
        let block = self.map.method(method).and_then(|m| m.blocks.get(block.0 as usize));
        block.into_iter().flat_map(|b| b.lines.iter().filter_map(|l| l.1.own_line()))
    }

    /// The blocks that a frame may stand in: that of its instruction, those of its line, or all.
    fn nodes(&self, method: MethodId, name: u32) -> Vec<NodeId> {
        let all = || self.graph.nodes(method);
        if let Some(pc) = self.pcs[name as usize] {
            let blocks = self.map.method(method).map_or(&[][..], |m| &m.blocks);
            let holds = |at: &(NodeId, &model::map::Block)| (at.1.pc..at.1.end).contains(&pc);
            if let Some((node, _)) = all().zip(blocks).find(holds) {
                return vec![node];
            }
        }
        if let Some(line) = self.samples.names[name as usize].line {
            let of_line: Vec<NodeId> =
                all().filter(|n| self.lines(*n).any(|l| l == line)).collect();
            if !of_line.is_empty() {
                return of_line;
            }
        }
        all().collect()
    }
}
