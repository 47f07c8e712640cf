//! Queries of a weaver about the method.

use dex::{Insn, Item, Label, Op};
use model::map::BlockId;

use super::MethodRewriter;
use crate::plan::ids::Site;

impl MethodRewriter<'_> {
    /// Returns an instruction with its new registers; those of callees are final already.
    pub(super) fn place(&self, n: usize, insn: &Insn) -> Insn {
        if self.is_foreign(n) { *insn } else { self.subject.layout.place(insn) }
    }

    /// Returns true if a node belongs to an inlined callee.
    pub(super) fn is_foreign(&self, n: usize) -> bool {
        self.subject.node_map.as_ref().is_some_and(|s| s.foreign[n])
    }

    /// Returns true if a node represents a block without instructions.
    pub(super) fn is_placeholder(&self, n: usize) -> bool {
        self.subject.node_map.as_ref().is_some_and(|s| s.placeholders.contains(&n))
    }

    /// Calls that take part in the protocol, by node.
    pub(super) fn sites(&self) -> Vec<(usize, Site)> {
        let sites = self.plan.sites.iter().copied();
        match &self.subject.node_map {
            None => sites.collect(),
            Some(node_map) => sites
                .map(|(n, site)| (node_map.nodes[n], site))
                .filter(|&(n, _)| self.subject.code.insn(n).is_some_and(|i| i.op.is_invoke()))
                .collect(),
        }
    }

    pub(super) fn next_insn_node(&self, n: usize) -> Option<usize> {
        let nodes = &self.subject.code.nodes;
        (n + 1..nodes.len()).find(|&i| matches!(nodes[i].item, Item::Insn(_)))
    }

    pub(super) fn next_insn(&self, n: usize) -> Option<&Insn> {
        match &self.subject.code.nodes[self.next_insn_node(n)?].item {
            Item::Insn(i) => Some(i),
            _ => None,
        }
    }

    pub(super) fn is_op(&self, n: usize, op: Op) -> bool {
        matches!(&self.subject.code.nodes[n].item, Item::Insn(i) if i.op == op)
    }

    /// Returns a label before a block: blocks that something jumps to have one.
    pub(super) fn label_of(&self, block: BlockId) -> Label {
        let nodes = &self.subject.code.nodes;
        let first = self.subject.cfg.block(block).first;
        nodes[..first]
            .iter()
            .rev()
            .take_while(|n| !matches!(n.item, Item::Insn(_)))
            .find_map(|n| match n.item {
                Item::Label(l) => Some(l),
                _ => None,
            })
            .expect("a jump target carries a label")
    }
}
