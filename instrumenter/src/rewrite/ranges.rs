//! Try ranges of probes, and the handlers that they may need.

use std::collections::HashSet;

use dex::{Args, Handlers, Insn, Item, Node, Op, Reg, TryId};

use super::MethodRewriter;
use crate::analysis::protection::{CleanupId, Protection};

impl MethodRewriter<'_> {
    /// Gives each cleanup a range, for the probes that may be in it.
    pub(super) fn reserve_cleanups(&mut self) {
        for id in self.subject.monitors.cleanups() {
            if self.cleanup_insns(id).is_some() {
                let catch_all = Some(self.out.new_label());
                self.cleanups.insert(id, TryId(self.out.tries.len() as u32));
                self.out.tries.push(Handlers { catches: Vec::new(), catch_all });
            }
        }
    }

    /// Writes the handlers of those cleanups that probes are in.
    pub(super) fn place_cleanups(&mut self) {
        let used: HashSet<TryId> = self.out.nodes.iter().filter_map(|n| n.try_id).collect();
        for (id, t) in std::mem::take(&mut self.cleanups) {
            let handlers = &mut self.out.tries[t.0 as usize];
            let label = handlers.catch_all.take().expect("reserved with one");
            if used.contains(&t) {
                handlers.catch_all = Some(label);
                self.out.nodes.push(Node { item: Item::Label(label), try_id: None });
                for insn in self.cleanup_insns(id).expect("else none was reserved") {
                    self.push(insn, self.boundary);
                }
            }
        }
    }

    /// Returns for each original try range: true if its throwing instructions hold no monitor.
    pub(super) fn tries_at_depth_zero(&self) -> Vec<bool> {
        let mut zero = vec![true; self.out.tries.len()];
        for (n, node) in self.subject.code.nodes.iter().enumerate() {
            if let (Item::Insn(insn), Some(t)) = (&node.item, node.try_id) {
                zero[t.0 as usize] &= !(insn.op.can_throw() && self.depth(n) > 0);
            }
        }
        zero
    }

    pub(super) fn depth(&self, n: usize) -> u8 {
        self.subject.monitors.depth(n)
    }

    /// Returns the range of an instruction that had none in the original: the guard's, unless a
    /// monitor is held.
    pub(super) fn outer(&self, n: usize) -> Option<TryId> {
        self.boundary.filter(|_| self.depth(n) == 0)
    }

    /// Returns the range of a probe right before node `n`: none but the guard's. While a monitor is
    /// held, it is a range whose handler frees the monitor: the app's, if its handler sees no new
    /// registers, or an added one ([`crate::analysis::protection`]).
    pub(super) fn before(&self, n: usize) -> Option<TryId> {
        if self.depth(n) == 0 {
            return self.outer(n);
        }
        match self.subject.monitors.protection(n)? {
            Protection::Range(t) => Some(t),
            Protection::Cleanup(id) => self.cleanups.get(&id).copied(),
        }
    }

    /// Returns a handler that frees monitors and rethrows, or `None` if an instruction cannot
    /// encode its register.
    fn cleanup_insns(&self, id: CleanupId) -> Option<Vec<Insn>> {
        let held = self.subject.monitors.cleanup(id);
        let exits = held.iter().map(|&r| (Op::MonitorExit, self.subject.layout.place_reg(Reg(r))));
        // Above v255 the probes' register is out of reach, but the method's own registers are dead
        // here.
        let own = (0..self.subject.code.registers).find(|r| !held.contains(r)).map(Reg);
        let temp = self.subject.layout.scratch.temp;
        let exception =
            if self.subject.free.is_some() { self.subject.layout.place_reg(own?) } else { temp };
        let all = [(Op::MoveException, exception)]
            .into_iter()
            .chain(exits)
            .chain([(Op::Throw, exception)]);
        all.map(|(op, r)| Some(Insn { op, args: Args::A(r) }).filter(Insn::fits)).collect()
    }

    /// Returns the range of a probe right after node `n`.
    pub(super) fn behind(&self, n: usize) -> Option<TryId> {
        self.next_insn_node(n).map_or(self.outer(n), |next| self.before(next))
    }
}
