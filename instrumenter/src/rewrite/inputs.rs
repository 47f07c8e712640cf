//! What weaving needs beside the methods themselves.

use std::collections::HashMap;

use dex::MethodIdx;
use model::cells::Layout;
use model::map::{Codec, MethodId};

use crate::analysis::program::Program;
use crate::plan::by_block::{ByBlock, Freqs};
use crate::plan::by_subject::SubjectId;
use crate::plan::clones::{Carriers, Clones};
use crate::plan::distributions::AllNumbers;
use crate::plan::ids::{Plan, Site};
use crate::plan::selected::{SelectedMethod, SelectedPaths};
use crate::plan::steps::{Edges, InLine};
use crate::plan::subject::Selection;
use crate::plan::tables::PathTables;
use crate::probes::probe::RuntimeRefs;

/// What the weaver must know beside the subject.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weave<'a> {
    /// Runtime references of the subject's dex file.
    pub refs: &'a RuntimeRefs,
    /// The subject's id.
    pub id: MethodId,
    /// Id of its first handler.
    pub first_handler: u32,
    /// The frequencies of its branches.
    pub freqs: &'a Freqs,
    /// Where the device finds the symbols of regions, loops and large switches.
    pub tables: &'a PathTables,
    /// Cells of the branches that adapt.
    pub cells: &'a ByBlock<u32>,
    /// How alternatives become the probes' constants.
    pub codec: Codec,
    /// Which cell counts what, in a build that counts; `None` also before its map is made.
    pub counts: Option<&'a Layout>,
    /// What is counted of it, in a build that counts selected paths.
    pub selected: Option<&'a SelectedMethod>,
    /// Whether a method without lines gets its original addresses as lines.
    pub address_lines: bool,
    /// Whether steps of progress are counted in place: where ART puts the code in no other method
    /// anyway.
    pub in_place: bool,
    /// Which symbols are coded in line.
    pub in_line: Edges<'a>,
    /// Whether a slot's call can come to it.
    pub slot_callee: bool,
    /// Call sites, ascending by node of the method's own code.
    pub sites: &'a [(usize, Site)],
    /// Clones that calls may name instead, by what they name; `None`: there are none in the app.
    pub clones: Option<&'a HashMap<MethodIdx, MethodIdx>>,
    /// Registers that carry the state to calls of clones, by node of the method's own code.
    pub carriers: Option<&'a Carriers>,
    /// What takes clones out of what a call lists, by what the call names.
    pub lists: Option<&'a HashMap<MethodIdx, MethodIdx>>,
}

/// What the weaver must know of all subjects.
#[derive(Debug)]
pub(crate) struct Inputs<'a> {
    /// Their app.
    pub program: &'a Program,
    /// The subjects.
    pub selection: &'a Selection,
    /// Runtime references of each dex file.
    pub refs: &'a [RuntimeRefs],
    /// Ids and call sites.
    pub plan: &'a Plan,
    /// Their frequencies and tables.
    pub numbers: &'a AllNumbers<'a>,
    /// How alternatives become the probes' constants.
    pub codec: Codec,
    /// As [`Weave::counts`].
    pub counts: Option<&'a Layout>,
    /// The paths that the build counts.
    pub selected: &'a SelectedPaths,
    /// Whether methods without lines get their original addresses as lines.
    pub address_lines: bool,
    /// Clones of hot methods.
    pub clones: &'a Clones,
    /// Symbols that are coded in line.
    pub in_line: &'a InLine,
}

impl Inputs<'_> {
    /// What the weaver must know of one subject.
    pub fn of(&self, i: SubjectId) -> Weave<'_> {
        let method = self.program.method(self.selection.subjects[i].no);
        let file = self.program.class(method.class).dex;
        Weave {
            refs: &self.refs[file],
            id: i.method_id(),
            first_handler: self.plan.first_handler[i],
            freqs: self.numbers[i].woven_freqs(),
            tables: &self.numbers[i].tables,
            cells: self.numbers[i].woven_cells(),
            codec: self.codec,
            counts: self.counts,
            selected: self.selected.of(i),
            address_lines: self.address_lines,
            in_place: false,
            in_line: self.in_line.of(i),
            slot_callee: self.plan.slot_callees.contains(&i.method_id()),
            // What counts paths has nothing to tell at calls.
            clones: self.clones.names(file),
            carriers: self.clones.carriers(i),
            lists: self.clones.lists(file),
            sites: if self.codec == Codec::Paths { &[] } else { &self.plan.sites[i] },
        }
    }
}
