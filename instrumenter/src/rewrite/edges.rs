//! What each edge of a branch carries, and where that stands.

use std::collections::HashSet;

use dex::{Args, Insn, Item, Label};
use model::map::BlockId;

use super::{Weaver, items};
use crate::analysis::cfg::switch_targets;
use crate::plan::regions::Role;

/// Where an alternative's probe goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EdgePlace {
    /// At the head of the target block.
    Head,
    /// On a trampoline with this label.
    Trampoline(Label),
    /// Behind the branch, at this label (which only switch cases to the fallthrough block need).
    Behind(Label),
}

impl Weaver<'_> {
    /// Decides for every alternative of every branch where its probe goes.
    pub(super) fn place_edges(&mut self) {
        let cfg = &self.subject.cfg;
        for (b, block) in cfg.blocks.iter().enumerate() {
            let from = BlockId(b as u32);
            let all = block.end.successors();
            let freqs = self.plan.freqs.get(&from).map_or(&[][..], Vec::as_slice);
            if (all.len() < 2 && !self.plan.codec.records_gotos())
                || self.plan.tables.switch_lookups.contains_key(&from)
            {
                continue;
            }
            let Item::Insn(branch) = &self.subject.code.nodes[block.last].item else { continue };
            let fallthrough = BlockId(b as u32 + 1);
            let jumped: HashSet<BlockId> = self.jump_targets(branch).into_iter().collect();
            for (i, (&to, symbol)) in all.iter().zip(self.plan.codec.edges(freqs, all)).enumerate() {
                let probe = self.edge(from, i, to, symbol);
                if probe.is_empty() {
                    continue;
                }
                let place = if to == fallthrough && branch.op.can_continue() {
                    EdgePlace::Behind(if jumped.contains(&to) { self.out.new_label() } else { Label(u32::MAX) })
                } else if cfg.block(to).in_edges == 1 && !cfg.block(to).is_handler {
                    EdgePlace::Head
                } else {
                    EdgePlace::Trampoline(self.out.new_label())
                };
                match place {
                    EdgePlace::Head => {
                        self.heads.insert(to, probe);
                    }
                    EdgePlace::Behind(label) => {
                        let label = (label.0 != u32::MAX).then_some(label);
                        if let Some(l) = label {
                            self.redirects.insert((from, to), l);
                        }
                        self.behind.insert(from, (label, probe));
                    }
                    EdgePlace::Trampoline(label) => {
                        let t = self.before(cfg.block(to).first);
                        let target = self.redirects.get(&(from, to)).copied().unwrap_or_else(|| self.label_of(to));
                        self.redirects.insert((from, to), label);
                        self.trampolines.push((label, probe, t, target));
                    }
                }
            }
        }
    }

    /// What an edge carries: a symbol of its own, or its part of a path number.
    fn edge(&mut self, from: BlockId, alternative: usize, to: BlockId, symbol: u32) -> Vec<Item> {
        let subject = self.subject;
        if let (Some(pap), Some(joins)) = (self.pap, &subject.pap) {
            let Some((s, i)) = joins.edge(from.0, to.0) else { return Vec::new() };
            let (full, on) = (self.out.new_label(), self.out.new_label());
            let t = self.before(subject.cfg.block(to).first);
            self.trampolines.push((full, items(pap.full(from)), t, on));
            return pap.edge(s, i, full, on);
        }
        let p = self.probes;
        let mut out: Vec<Insn> = Vec::new();
        match subject.paths.role(from) {
            Role::Plain | Role::Cycle(..) => {
                let ways = subject.cfg.block(from).end.successors().len();
                out = match self.plan.cells.get(&from) {
                    Some(&cell) => p.adaptive(cell, alternative, ways),
                    None => p.symbol(symbol),
                };
            }
            role @ (Role::Head(r) | Role::Inside(r)) => {
                let region = &subject.paths.regions[r];
                let table = &self.plan.tables.regions[r];
                let increment = table.increments.of(from, alternative).expect("an edge of the region");
                match role {
                    Role::Head(_) => out.push(p.set_path(table.base as i32 + increment)),
                    _ => out.extend(p.add(increment)),
                }
                if !region.is_inside(to) {
                    match &self.part {
                        // Nothing of this region must be there when the caller's handlers look.
                        Some(part) => out.extend(p.path_of_part(part.tracks)),
                        None => {
                            out.extend(p.path());
                            out.extend(subject.tracks().then(|| p.set_path(0)));
                        }
                    }
                }
            }
            Role::Branch(l) => {
                let counted = &subject.paths.loops[l];
                if alternative != counted.stay {
                    out.extend(p.trips(self.plan.tables.loops[l].base, counted.trips.shift));
                    out.push(p.set_path(0));
                } else {
                    // Two billion iterations fill the register: the sign tells.
                    let first = counted.trips.first() as i32;
                    let (full, on) = (self.out.new_label(), self.out.new_label());
                    let mut lap: Vec<Insn> = p.add(-first).into_iter().collect();
                    lap.extend(p.lap());
                    lap.push(p.set_path(first));
                    self.trampolines.push((full, items(lap), self.outer(subject.cfg.block(from).last), on));
                    let stay = [Item::Insn(p.add(first).expect("at least 1")), Item::Insn(p.if_full(full))];
                    return stay.into_iter().chain([Item::Label(on)]).collect();
                }
            }
        }
        items(out)
    }

    /// What the single way out of a block adds to the register.
    pub(super) fn onward(&self, from: BlockId) -> Option<Insn> {
        let paths = &self.subject.paths;
        match paths.role(from) {
            Role::Inside(r) if self.subject.cfg.block(from).end.successors().len() == 1 => {
                let increments = &self.plan.tables.regions[r].increments;
                self.probes.add(increments.of(from, 0).expect("an edge of the region"))
            }
            Role::Cycle(l, position) => {
                let adds = paths.loops[l].trips.adds(position + 1);
                self.probes.add(adds.into())
            }
            _ => None,
        }
    }

    /// The mark of a counted loop's branch block counts on the way into the loop, not on every way round.
    pub(super) fn place_loop_entries(&mut self) {
        let subject = self.subject;
        let cfg = &subject.cfg;
        for counted in &subject.paths.loops {
            let to = counted.branch;
            if !cfg.block(to).mark {
                continue;
            }
            let label = self.out.new_label();
            let cycle = &counted.trips.cycle;
            for (b, block) in cfg.blocks.iter().enumerate() {
                let from = BlockId(b as u32);
                if block.end.successors().contains(&to) && !cycle.contains(&from) {
                    self.redirects.insert((from, to), label);
                }
            }
            let before = to.0.checked_sub(1).map(BlockId);
            let falls = before.filter(|&b| self.falls_through(b, to));
            if falls.is_some_and(|b| cycle.contains(&b)) {
                let t = self.outer(cfg.block(to).first);
                self.trampolines.push((label, items(vec![self.probes.mark()]), t, self.label_of(to)));
            } else {
                let start = before.map_or(0, |b| cfg.block(b).last + 1);
                self.outer_entries.insert(start, label);
            }
        }
    }

    fn jump_targets(&self, branch: &Insn) -> Vec<BlockId> {
        let cfg = &self.subject.cfg;
        match branch.args {
            Args::APayload(_, p) => {
                switch_targets(&self.subject.code.payloads[p.0 as usize]).filter_map(|l| cfg.block_of(l)).collect()
            }
            _ => branch.label().and_then(|l| cfg.block_of(l)).into_iter().collect(),
        }
    }
}
