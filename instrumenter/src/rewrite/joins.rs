//! Edges with a probe into blocks whose types depend on the order in which ART's verifier follows
//! the edges ([`crate::analysis::tested`]).
//!
//! Their probes are right before the block, not at the end of the method: there the verifier has
//! followed all of them when it reaches the block, as in the original. Edges without a probe skip
//! the probes. The jump that does so is always taken, which the verifier does not know: it follows
//! the probes next, and only then the block.
//!
//! ```text
//! block:  if-nez state, on      without a probe
//! edge 1: probe
//!         if-nez state, on
//! edge 2: probe
//! on:     …
//! ```

use dex::{Args, Insn, Item, Label, Node, Op, TryId};
use model::map::BlockId;

use super::MethodRewriter;

/// An edge with a probe.
pub(super) struct JoinEdge {
    /// Label that the branch leads to.
    pub label: Label,
    pub probe: Vec<Item>,
    pub range: Option<TryId>,
}

impl MethodRewriter<'_> {
    /// Returns true if no edge into a block may be followed later than in the original.
    pub(super) fn keeps_order(&self, block: BlockId) -> bool {
        self.tested.get(block.0 as usize).copied().unwrap_or(false)
    }

    /// Writes the edges right before a block.
    pub(super) fn place_join(&mut self, block: BlockId, range: Option<TryId>) {
        let mut edges = self.joins.remove(&block).unwrap_or_default();
        let is_entered = self.keeps_order(block) && !self.behind_marks.contains_key(&block);
        let entry = if is_entered { self.handler_entries.remove(&block) } else { None };
        if let Some(label) = entry {
            let probe = self.caught(block);
            edges.push(JoinEdge { label, probe, range });
        }
        if edges.is_empty() {
            return;
        }
        let on = self.out.new_label();
        for JoinEdge { label, probe, range } in edges {
            self.push(self.always(on), range);
            self.out.nodes.push(Node { item: Item::Label(label), try_id: None });
            self.items(probe, range);
        }
        self.out.nodes.push(Node { item: Item::Label(on), try_id: None });
    }

    /// Emits a jump that is always taken, which the verifier cannot know: the state is never null.
    fn always(&self, to: Label) -> Insn {
        let scratch = self.probes.scratch;
        match self.plan.selected {
            Some(_) => Insn { op: Op::IfGez, args: Args::AJump(scratch.path, to) },
            None => Insn { op: Op::IfNez, args: Args::AJump(scratch.state, to) },
        }
    }
}
