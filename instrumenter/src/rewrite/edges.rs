//! Positions of the probes of a branch's edges.

use std::collections::HashSet;

use dex::{Args, Insn, Item, Label};
use model::map::BlockId;

use super::MethodRewriter;
use super::joins::JoinEdge;
use crate::analysis::cfg::switch_targets;
use crate::probes::emitter::{DetourRange, EdgeProbe, items};

/// Position of an alternative's probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProbePosition {
    /// At the head of the target block.
    Head,
    /// On a trampoline with this label.
    Trampoline(Label),
    /// After the branch, at this label (only needed by switch cases that lead to the fallthrough
    /// block).
    Behind(Label),
}

impl MethodRewriter<'_> {
    /// Chooses the position of the probe for every alternative of every branch.
    pub(super) fn place_edges(&mut self) {
        let cfg = &self.subject.cfg;
        for (b, block) in cfg.blocks.iter().enumerate() {
            let from = BlockId(b as u32);
            let all = block.end.successors();
            let Item::Insn(branch) = &self.subject.code.nodes[block.last].item else { continue };
            let fallthrough = BlockId(b as u32 + 1);
            let jumped: HashSet<BlockId> = self.jump_targets(branch).into_iter().collect();
            let out = &mut self.out;
            let probes = self.emitter.edges(from, &mut || out.new_label());
            for (&to, EdgeProbe { items: probe, detour, in_line }) in all.iter().zip(probes) {
                self.in_line.extend(in_line);
                if let Some(d) = detour {
                    let range = match d.range {
                        DetourRange::Target => self.before(cfg.block(to).first),
                        DetourRange::Branch => self.outer(block.last),
                    };
                    self.trampolines.push((d.entry, items(d.insns), range, d.back));
                }
                if probe.is_empty() {
                    continue;
                }
                let place = if to == fallthrough && branch.op.can_continue() {
                    ProbePosition::Behind(if jumped.contains(&to) {
                        self.out.new_label()
                    } else {
                        Label(u32::MAX)
                    })
                } else if cfg.block(to).in_edges == 1 && !cfg.block(to).is_handler {
                    ProbePosition::Head
                } else {
                    ProbePosition::Trampoline(self.out.new_label())
                };
                match place {
                    ProbePosition::Head => {
                        self.heads.insert(to, probe);
                    }
                    ProbePosition::Behind(label) => {
                        let label = (label.0 != u32::MAX).then_some(label);
                        if let Some(l) = label {
                            self.redirects.insert((from, to), l);
                        }
                        self.behind.insert(from, (label, probe));
                    }
                    ProbePosition::Trampoline(label) if self.keeps_order(to) => {
                        let range = self.before(cfg.block(to).first);
                        // This edge enters a counted loop, whose mark is on its entries.
                        let enters = self.redirects.insert((from, to), label).is_some();
                        let mark = if enters { self.probes.mark() } else { Vec::new() };
                        let probe = probe.into_iter().chain(items(mark)).collect();
                        self.joins.entry(to).or_default().push(JoinEdge { label, probe, range });
                    }
                    ProbePosition::Trampoline(label) => {
                        let t = self.before(cfg.block(to).first);
                        let target = self
                            .redirects
                            .get(&(from, to))
                            .copied()
                            .unwrap_or_else(|| self.label_of(to));
                        self.redirects.insert((from, to), label);
                        self.trampolines.push((label, probe, t, target));
                    }
                }
            }
        }
    }

    /// Puts the mark of a counted loop's branch block on the edge into the loop, so that it does
    /// not count in every iteration.
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
                let range = self.outer(cfg.block(to).first);
                let probe = items(self.probes.mark());
                if self.keeps_order(to) {
                    self.joins.entry(to).or_default().push(JoinEdge { label, probe, range });
                } else {
                    self.trampolines.push((label, probe, range, self.label_of(to)));
                }
            } else {
                let start = before.map_or(0, |b| cfg.block(b).last + 1);
                self.outer_entries.insert(start, label);
            }
        }
    }

    fn jump_targets(&self, branch: &Insn) -> Vec<BlockId> {
        let cfg = &self.subject.cfg;
        match branch.args {
            Args::APayload(_, p) => switch_targets(&self.subject.code.payloads[p.0 as usize])
                .filter_map(|l| cfg.block_of(l))
                .collect(),
            _ => branch.label().and_then(|l| cfg.block_of(l)).into_iter().collect(),
        }
    }
}
