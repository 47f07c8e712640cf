//! Shares one exit probe among the returns of a method that return the same register.

use std::collections::HashMap;

use dex::{Item, Label, Node, Op};
use model::map::BlockId;

use super::MethodRewriter;

/// Replacement of a `return`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// The probe at exit and the `return`.
    Here,
    /// The exit probe and the `return`, with a label that other returns jump to.
    Shared(Label),
    /// A jump to a shared exit.
    Jump(Label),
}

/// Exits of a method.
#[derive(Debug, Default)]
pub(super) struct Exits {
    places: HashMap<usize, Exit>,
    /// Returns at the end of the method: label, and node in the original code.
    moved: Vec<(Label, usize)>,
}

impl Exits {
    /// Returns the replacement of the return at node `n`.
    pub fn of(&self, n: usize) -> Exit {
        self.places.get(&n).copied().unwrap_or(Exit::Here)
    }
}

impl MethodRewriter<'_> {
    /// Places the exits. Of the returns of the same register with the same held monitors, all but
    /// the last become a jump to that one: a jump is smaller than an exit probe and a `return`. An
    /// exit that must not be in the boundary's range is moved to the end of the method if it would
    /// split that range: a jump is smaller than a try item.
    pub(super) fn place_exits(&mut self) {
        if self.subject.leaf || !self.emitter.shares_exits() {
            return;
        }
        let mut exits = Exits::default();
        let mut last: HashMap<_, usize> = HashMap::new();
        let mut throws_behind = !self.trampolines.is_empty() || !self.handler_entries.is_empty();
        for (n, node) in self.subject.code.nodes.iter().enumerate().rev() {
            let Item::Insn(insn) = &node.item else { continue };
            throws_behind |= insn.op.can_throw();
            if !insn.op.is_return() {
                continue;
            }
            // An exit of its own is needed if the types of returned objects must not be joined.
            let joins = insn.op != Op::ReturnObject || self.subject.joins_results;
            let range = self.before(n);
            let cuts = throws_behind
                && range.is_some()
                && range == self.boundary
                && node.try_id.is_none()
                && !may_be_guarded(insn.op);
            let own = (!joins).then_some(n);
            let at = *last.entry((insn.op, insn.args, range, own)).or_insert(n);
            if at == n && !cuts {
                continue;
            }
            let label = match exits.of(at) {
                Exit::Shared(label) | Exit::Jump(label) => label,
                Exit::Here if at == n => {
                    let label = self.out.new_label();
                    exits.moved.push((label, n));
                    label
                }
                Exit::Here => {
                    let label = self.out.new_label();
                    exits.places.insert(at, Exit::Shared(label));
                    label
                }
            };
            exits.places.insert(n, Exit::Jump(label));
        }
        self.exits = exits;
    }

    /// Writes the exit probe and other code that ends a method, before the return at node `n`.
    pub(super) fn leave(&mut self, n: usize) {
        let t = self.before(n);
        let block = self.subject.cfg.blocks.partition_point(|b| b.last < n);
        let out = &mut self.out;
        let probe = self.emitter.exit(BlockId(block as u32), &mut || out.new_label());
        self.items(probe, t);
        if self.subject.terminal {
            self.probe(vec![self.probes.terminal()], t);
        }
    }

    /// Writes the returns that were moved to the end.
    pub(super) fn place_moved_exits(&mut self) {
        for (label, n) in std::mem::take(&mut self.exits.moved) {
            let Item::Insn(insn) = &self.subject.code.nodes[n].item else { continue };
            self.at = n;
            self.out.nodes.push(Node { item: Item::Label(label), try_id: None });
            self.leave(n);
            let placed = self.subject.layout.place(insn);
            self.push(placed, None);
        }
    }
}

/// Returns true if a `return` may be in a try range. It may not if it returns an object: ART 10
/// treats the return of an unresolved class as a throw, and merges registers into the handler that
/// it never saved (`saved_line_` of `method_verifier.cc`).
pub(super) fn may_be_guarded(op: Op) -> bool {
    op != Op::ReturnObject
}
