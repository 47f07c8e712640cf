//! Exclusion of code that a compiler generated, and of branches that only such code decides.
//!
//! `instrument` finds the code (`docs/COVERAGE.md` lists its kinds). A branch inside it is left
//! out, and so is an alternative that leads there. If one alternative remains, there is no branch.
//! The jumps of a `switch` over strings make one branch.

use std::collections::BTreeMap;

use decoder::replay::{BlockNo, Program};
use model::map::{Block, BlockId, Generated, GeneratedCode, Map, Method, MethodId, Terminator};

use crate::base::counts::Counts;
use crate::base::names::block_of;

/// An alternative of a branch of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alternative {
    /// The block it leads to.
    pub target: BlockId,
    /// Predicted share, of 65,535.
    pub freq: u16,
    edges: Vec<CodeEdge>,
}

/// An edge of the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CodeEdge {
    block: BlockNo,
    /// Index of the alternative of the block's branch; `None`: its only successor.
    alternative: Option<usize>,
}

impl Alternative {
    /// Returns the number of times that it was taken.
    pub fn taken(&self, program: &Program<'_>, counts: &Counts<'_, '_>) -> u64 {
        let taken = |edge: &CodeEdge| match edge.alternative {
            Some(alternative) => counts.ways_of(edge.block).get(alternative).copied(),
            None => {
                let end = block_of(program, edge.block).1.end;
                Some(counts.reached(edge.block, end.saturating_sub(1)))
            }
        };
        self.edges.iter().filter_map(taken).fold(0, u64::saturating_add)
    }

    /// Adds the same alternative of another copy of the code.
    pub fn add(&mut self, copy: Alternative) {
        self.edges.extend(copy.edges);
    }
}

/// The code of a method without generated code.
pub(crate) struct SourceCode<'m> {
    method: &'m Method,
    /// The number of its first block.
    first: u32,
    generated: &'m [GeneratedCode],
}

impl<'m> SourceCode<'m> {
    pub fn of(map: &'m Map, id: MethodId, method: &'m Method, first: u32) -> SourceCode<'m> {
        SourceCode { method, first, generated: map.generated_of(id) }
    }

    /// Returns the ranges of code units without generated code.
    pub fn parts(&self, from: u32, to: u32) -> Vec<(u32, u32)> {
        let mut parts = vec![(from, to)];
        for code in self.generated {
            let cut = |(from, to): (u32, u32)| {
                let before = (from, to.min(code.from));
                let after = (from.max(code.to), to);
                [before, after].into_iter().filter(|(from, to)| from < to)
            };
            parts = parts.into_iter().flat_map(cut).collect();
        }
        parts
    }

    /// Returns the branches of the source, each with the block that it ends.
    pub fn branches(&self) -> Vec<(BlockId, Vec<Alternative>)> {
        let mut texts: BTreeMap<&GeneratedCode, (BlockId, Vec<Alternative>)> = BTreeMap::new();
        let mut found = Vec::new();
        for (id, block) in (0..).map(BlockId).zip(&self.method.blocks) {
            let inside = self.generated.iter().find(|g| g.from < block.end && block.end <= g.to);
            match inside {
                Some(text) if text.kind == Generated::TextSwitch => {
                    let (_, alternatives) = texts.entry(text).or_insert((id, Vec::new()));
                    self.add_exits(alternatives, text, id, block);
                }
                Some(_) => {}
                None => found.push((id, self.alternatives(id, block))),
            }
        }
        found.extend(texts.into_values());
        found.retain(|(_, alternatives)| alternatives.len() > 1);
        found.sort_by_key(|(id, _)| *id);
        found
    }

    fn alternatives(&self, id: BlockId, block: &Block) -> Vec<Alternative> {
        let Terminator::Branch { alternatives, .. } = &block.terminator else { return Vec::new() };
        let all = alternatives.iter().enumerate().map(|(number, &(target, freq))| {
            let edges = vec![self.edge(id, Some(number))];
            Alternative { target, freq, edges }
        });
        all.filter(|a| !self.is_generated(a.target)).collect()
    }

    fn edge(&self, block: BlockId, alternative: Option<usize>) -> CodeEdge {
        CodeEdge { block: BlockNo(self.first + block.0), alternative }
    }

    /// Returns true if a block begins in generated code.
    fn is_generated(&self, block: BlockId) -> bool {
        let Some(block) = self.method.blocks.get(block.0 as usize) else { return false };
        let mut left = self.generated.iter().filter(|g| g.kind != Generated::TextSwitch);
        left.any(|g| (g.from..g.to).contains(&block.pc))
    }

    /// Adds the edges of a block that lead out of the jumps for a `switch` over strings.
    fn add_exits(
        &self,
        alternatives: &mut Vec<Alternative>,
        text: &GeneratedCode,
        id: BlockId,
        block: &Block,
    ) {
        let edges: Vec<(BlockId, u16, Option<usize>)> = match &block.terminator {
            Terminator::Branch { alternatives, .. } => {
                let all = alternatives.iter().enumerate();
                all.map(|(number, &(target, freq))| (target, freq, Some(number))).collect()
            }
            Terminator::Goto(target) => vec![(*target, 0, None)],
            Terminator::Return | Terminator::Throw => Vec::new(),
        };
        for (target, freq, alternative) in edges {
            let pc = self.method.blocks.get(target.0 as usize).map_or(0, |b| b.pc);
            if (text.from..text.to).contains(&pc) {
                continue;
            }
            let edge = self.edge(id, alternative);
            match alternatives.iter_mut().find(|a| a.target == target) {
                Some(known) => {
                    known.freq = known.freq.saturating_add(freq);
                    known.edges.push(edge);
                }
                None => alternatives.push(Alternative { target, freq, edges: vec![edge] }),
            }
        }
    }
}
