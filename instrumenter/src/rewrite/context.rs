//! Input of weaving beside the decoded methods.

use std::collections::HashMap;

use dex::MethodIdx;
use model::cells::CellLayout;
use model::map::MethodId;
use model::recording::Recording;

use crate::analysis::program::Program;
use crate::plan::by_block::{ByBlock, Freqs};
use crate::plan::by_subject::SubjectId;
use crate::plan::clones::{Carriers, Clones};
use crate::plan::distributions::AllNumbers;
use crate::plan::ids::{Plan, Site};
use crate::plan::inline_coders::{Edges, InlineCoders};
use crate::plan::origins::{Origins, Questions};
use crate::plan::selected::{SelectedMethod, SelectedPaths};
use crate::plan::subject::Selection;
use crate::plan::tables::PathTables;
use crate::probes::probe::RuntimeRefs;
use crate::progress::BuildProgress;

/// Facts that weaving one method needs beside the subject.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MethodContext<'a> {
    /// References of the runtime in the subject's dex file.
    pub refs: &'a RuntimeRefs,
    /// The subject's id.
    pub id: MethodId,
    /// Id of its first handler.
    pub first_handler: u32,
    /// Frequencies of its branches.
    pub freqs: &'a Freqs,
    /// Tables with the symbols of regions, loops and large switches.
    pub tables: &'a PathTables,
    /// Cells of the branches with adaptive distributions.
    pub cells: &'a ByBlock<u32>,
    /// Codec, which derives the probes' constants.
    pub recording: Recording,
    /// Layout of the cells in a counting build; `None` also before its map is built.
    pub counts: Option<&'a CellLayout>,
    /// Selected paths of the method, in a build that counts them.
    pub selected: Option<&'a SelectedMethod>,
    /// True if a method without lines gets its original addresses as lines.
    pub address_lines: bool,
    /// True if progress is counted inline: possible if ART does not inline the method anyway.
    pub in_place: bool,
    /// Edges whose symbols are coded inline.
    pub in_line: Edges<'a>,
    /// True if the call of a slot can reach the method.
    pub slot_callee: bool,
    /// Call sites, ascending by node of the method's own code.
    pub sites: &'a [(usize, Site)],
    /// Clones that replace methods in calls, by method reference; `None` if the app has none.
    pub clones: Option<&'a HashMap<MethodIdx, MethodIdx>>,
    /// Registers that carry the state to calls of clones, by node of the method's own code.
    pub carriers: Option<&'a Carriers>,
    /// Filters that hide clones from listed members, by the method that lists them.
    pub lists: Option<&'a HashMap<MethodIdx, MethodIdx>>,
    /// Questions at its entry.
    pub origins: Questions,
}

/// Facts about a whole build that weaving needs.
#[derive(Debug)]
pub(crate) struct BuildContext<'a> {
    /// The app.
    pub program: &'a Program,
    /// The subjects.
    pub selection: &'a Selection,
    /// References of the runtime in each dex file.
    pub refs: &'a [RuntimeRefs],
    /// Ids and call sites.
    pub plan: &'a Plan,
    /// Frequencies and tables of the subjects.
    pub numbers: &'a AllNumbers<'a>,
    /// Codec, which derives the probes' constants.
    pub recording: Recording,
    /// As [`MethodContext::counts`].
    pub counts: Option<&'a CellLayout>,
    /// The paths that the build counts.
    pub selected: &'a SelectedPaths,
    /// True if methods without lines get their original addresses as lines.
    pub address_lines: bool,
    /// Counts the methods that are woven.
    pub progress: &'a BuildProgress,
    /// Clones of hot methods.
    pub clones: &'a Clones,
    /// Symbols to code inline.
    pub in_line: &'a InlineCoders,
    /// Origins of callbacks.
    pub origins: &'a Origins,
}

impl BuildContext<'_> {
    /// Returns the facts for weaving one subject.
    pub fn of(&self, i: SubjectId) -> MethodContext<'_> {
        let method = self.program.method(self.selection.subjects[i].no);
        let file = self.program.class(method.class).dex;
        MethodContext {
            refs: &self.refs[file],
            id: i.method_id(),
            first_handler: self.plan.first_handler[i],
            freqs: self.numbers[i].woven_freqs(),
            tables: &self.numbers[i].tables,
            cells: self.numbers[i].woven_cells(),
            recording: self.recording,
            counts: self.counts,
            selected: self.selected.of(i),
            address_lines: self.address_lines,
            in_place: false,
            in_line: self.in_line.of(i),
            slot_callee: self.plan.slot_callees.contains(&i.method_id()),
            // Builds that count paths record nothing at calls.
            clones: self.clones.names(file),
            carriers: self.clones.carriers(i),
            lists: self.clones.lists(file),
            origins: self.origins.of(i),
            sites: if self.recording == Recording::Paths { &[] } else { &self.plan.sites[i] },
        }
    }
}
