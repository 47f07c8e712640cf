//! Probes of methods whose blocks are copied: an edge that completes a path counts it, and there
//! are no other probes ([`model::path_profiles::automaton::copies`]).

use dex::{Insn, Item, Label};
use model::map::BlockId;
use model::path_profiles::automaton::copies::{BlockCopy, Copies, CopyEdge};

use crate::analysis::cfg::BlockEnd;
use crate::probes::emitter::{Boundary, EdgeProbe, Emitter, items};
use crate::probes::probe::Probes;
use crate::rewrite::block_copies::{Copied, CopiedBlock};

/// Emitter of such a method.
pub(crate) struct CopiedProbes<'a> {
    pub probes: Probes<'a>,
    pub copied: &'a Copied,
    pub copies: &'a Copies,
    /// Index among the build's paths of each of the automaton's paths.
    pub cells: &'a [u32],
}

impl CopiedProbes<'_> {
    fn hits(&self, completes: &[u32]) -> Vec<Insn> {
        completes.iter().flat_map(|&p| self.probes.path_hit(self.cells[p as usize])).collect()
    }

    fn part(&self, block: BlockId) -> CopiedBlock {
        self.copied.parts[block.0 as usize]
    }

    fn copy(&self, block: BlockId) -> Option<&BlockCopy> {
        match self.part(block) {
            CopiedBlock::Copy(id) => Some(self.copies.copy(id)),
            CopiedBlock::Onward(_) => None,
        }
    }

    fn end(&self, block: BlockId) -> &BlockEnd {
        &self.copied.subject.cfg.block(block).end
    }

    /// Returns the hits of an edge from a block to the next one.
    fn on_way(&self, from: BlockId, to: BlockId) -> Vec<Insn> {
        let (CopiedBlock::Copy(to) | CopiedBlock::Onward(to)) = self.part(to);
        let leads = |way: &&CopyEdge| way.to == to;
        let way = self.copy(from).and_then(|copy| copy.next.iter().find(leads));
        way.map_or(Vec::new(), |way| self.hits(&way.completes))
    }
}

impl Emitter for CopiedProbes<'_> {
    fn outs(&self) -> u16 {
        1
    }

    fn begin(&self) -> Vec<Insn> {
        self.hits(&self.copies.begin)
    }

    fn block(&self, _: BlockId) -> Option<Insn> {
        None
    }

    fn edges(&self, from: BlockId, _: &mut dyn FnMut() -> Label) -> Vec<EdgeProbe> {
        match self.end(from) {
            BlockEnd::Branch(all) => {
                all.iter().map(|&to| EdgeProbe::of(self.on_way(from, to))).collect()
            }
            BlockEnd::Goto(_) | BlockEnd::Return | BlockEnd::Throw => Vec::new(),
        }
    }

    fn branch(&self, _: BlockId) -> Vec<Insn> {
        Vec::new()
    }

    fn onward(&self, block: BlockId) -> Vec<Insn> {
        match self.end(block) {
            BlockEnd::Goto(to) => self.on_way(block, *to),
            BlockEnd::Branch(_) | BlockEnd::Return | BlockEnd::Throw => Vec::new(),
        }
    }

    fn caught(&self, _: u32, block: BlockId, _: &mut dyn FnMut() -> Label) -> Vec<Item> {
        self.copy(block).map_or(Vec::new(), |copy| items(self.hits(&copy.caught)))
    }

    fn exit(&self, block: BlockId, _: &mut dyn FnMut() -> Label) -> Vec<Item> {
        self.copy(block).map_or(Vec::new(), |copy| items(self.hits(&copy.exit)))
    }

    fn shares_exits(&self) -> bool {
        false
    }

    fn boundary(&self) -> Boundary {
        Boundary::default()
    }
}
