//! Number of times that each edge with a symbol was taken in the model's sessions.

use model::map::BlockId;

use crate::cost::run_time::Build;
use crate::plan::by_subject::SubjectId;
use crate::plan::regions::Role;
use crate::plan::steps::{CountedStep, CountedSteps};
use crate::plan::subject::Subject;
use crate::plan::switch_lookup::SwitchLookup;

impl Build<'_> {
    /// Returns the edges whose symbol can be coded inline: those of branches and regions, except
    /// switches that look it up.
    pub fn steps(&self) -> CountedSteps {
        let runs = self.own_runs();
        let entries = self.entries(&runs);
        let each = self.selection.subjects.par_map(|i, _| {
            let Some(own) = &runs[i] else { return CountedSteps::default() };
            let subject = &self.selection.open_woven(self.program, i);
            self.steps_of(i, subject, &self.woven_runs(subject, own, entries.all[i]))
        });
        let slots = self.by_slots().into_iter().map(|(_, n)| n);
        let mut all =
            CountedSteps { steps: Vec::new(), symbols: slots.fold(0, u64::saturating_add) };
        for CountedSteps { steps, symbols } in each {
            all.steps.extend(steps);
            all.symbols = all.symbols.saturating_add(symbols);
        }
        all
    }

    /// Returns those of one method, given the runs of its blocks.
    fn steps_of(&self, of: SubjectId, subject: &Subject, runs: &[u64]) -> CountedSteps {
        let mut all = CountedSteps::default();
        for (b, block) in subject.cfg.blocks.iter().enumerate() {
            let from = BlockId(b as u32);
            let role = subject.paths.role(from);
            let in_region = matches!(role, Role::Head(_) | Role::Inside(_));
            let ways = block.end.successors();
            if runs[b] == 0 || ways.len() < 2 && !in_region {
                continue;
            }
            let is_looked_up = SwitchLookup::of(subject, self.map.recording, from).is_some();
            let taken = self.taken(subject, from, runs[b]);
            for (alternative, (&to, runs)) in ways.iter().zip(taken).enumerate() {
                let (has_symbol, is_looped) = match role {
                    Role::Plain | Role::Cycle(..) => (true, false),
                    Role::Head(r) | Role::Inside(r) => {
                        (!subject.paths.regions[r].is_inside(to), false)
                    }
                    Role::Branch(l) => (subject.paths.loops[l].stay != alternative, true),
                };
                if has_symbol {
                    all.symbols = all.symbols.saturating_add(runs);
                    if !is_looked_up && !is_looped {
                        all.steps.push(CountedStep { of, from, alternative, runs });
                    }
                }
            }
        }
        all
    }
}
