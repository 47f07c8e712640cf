//! Number of times that each edge with a symbol was taken in the model's sessions.

use std::collections::BTreeMap;

use model::map::BlockId;

use crate::cost::run_time::CountedBuild;
use crate::plan::by_subject::SubjectId;
use crate::plan::inline_coders::{CountedEdge, CountedEdges};
use crate::plan::regions::BlockRole;
use crate::plan::subject::Subject;
use crate::plan::switch_lookup::SwitchLookup;

impl CountedBuild<'_> {
    /// Returns the edges whose symbol can be coded inline: those of branches and regions, except
    /// switches that look it up.
    pub fn steps(&self) -> CountedEdges {
        let runs = self.own_runs();
        let entries = self.entries(&runs, &BTreeMap::new());
        let each = self.selection.subjects.par_map(|i, _| {
            let Some(own) = &runs[i] else { return CountedEdges::default() };
            let subject = &self.selection.open_woven(self.program, i);
            self.steps_of(i, subject, &self.woven_runs(subject, own, entries.all[i]))
        });
        let slots = self.by_slots().into_iter().map(|(_, n)| n);
        let mut all =
            CountedEdges { steps: Vec::new(), symbols: slots.fold(0, u64::saturating_add) };
        for CountedEdges { steps, symbols } in each {
            all.steps.extend(steps);
            all.symbols = all.symbols.saturating_add(symbols);
        }
        all
    }

    /// Returns those of one method, given the runs of its blocks.
    fn steps_of(&self, of: SubjectId, subject: &Subject, runs: &[u64]) -> CountedEdges {
        let mut all = CountedEdges::default();
        for (b, block) in subject.cfg.blocks.iter().enumerate() {
            let from = BlockId(b as u32);
            let role = subject.paths.role(from);
            let in_region = matches!(role, BlockRole::Head(_) | BlockRole::Inside(_));
            let ways = block.end.successors();
            if runs[b] == 0 || ways.len() < 2 && !in_region {
                continue;
            }
            let is_looked_up = SwitchLookup::of(subject, self.map.recording, from).is_some();
            let taken = self.taken(subject, from, runs[b]);
            for (alternative, (&to, runs)) in ways.iter().zip(taken).enumerate() {
                let (has_symbol, is_looped) = match role {
                    BlockRole::Plain | BlockRole::Cycle(..) => (true, false),
                    BlockRole::Head(r) | BlockRole::Inside(r) => {
                        (!subject.paths.regions[r].is_inside(to), false)
                    }
                    BlockRole::Branch(l) => (subject.paths.loops[l].stay != alternative, true),
                };
                if has_symbol {
                    all.symbols = all.symbols.saturating_add(runs);
                    if !is_looked_up && !is_looped {
                        all.steps.push(CountedEdge { of, from, alternative, runs });
                    }
                }
            }
        }
        all
    }
}
