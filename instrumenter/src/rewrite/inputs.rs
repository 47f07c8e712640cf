//! What weaving needs beside the methods themselves.

use std::collections::HashMap;

use model::map::{BlockId, Codec, MethodId};

use crate::inline::InlinedCall;
use crate::plan::ids::{Plan, Site};
use crate::plan::subject::Subject;
use crate::plan::tables::PathTables;
use crate::probes::probe::RuntimeRefs;

/// What the weaver must know beside the subject.
#[derive(Debug, Clone, Copy)]
pub struct Weave<'a> {
    /// Runtime references of the subject's dex file.
    pub refs: &'a RuntimeRefs,
    /// The subject's id.
    pub id: MethodId,
    /// Id of its first handler.
    pub first_handler: u32,
    /// Frequencies of each branch block's alternatives.
    pub freqs: &'a HashMap<BlockId, Vec<u16>>,
    /// How alternatives become the probes' constants.
    pub codec: Codec,
    /// Where the device finds the symbols of regions and loops.
    pub(crate) tables: &'a PathTables,
    /// Cells of the branch blocks that adapt.
    pub cells: &'a HashMap<BlockId, u32>,
    /// Call sites, ascending by node.
    pub sites: &'a [(usize, Site)],
    /// Calls whose callees stand in their place.
    pub inlined: &'a [InlinedCall],
    /// All of it, for those callees.
    pub all: &'a Inputs<'a>,
}

/// What the weaver must know of all subjects; each slice has an element for each of them.
#[derive(Debug)]
pub struct Inputs<'a> {
    /// The subjects.
    pub subjects: &'a [Subject],
    /// Runtime references of each one's dex file.
    pub refs: Vec<&'a RuntimeRefs>,
    /// Ids and call sites.
    pub plan: &'a Plan,
    /// Frequencies of their branch blocks' alternatives.
    pub freqs: &'a [HashMap<BlockId, Vec<u16>>],
    /// Where the device finds the symbols of their regions and loops.
    pub(crate) tables: &'a [PathTables],
    /// Cells of their branch blocks that adapt.
    pub cells: &'a [HashMap<BlockId, u32>],
    /// Their calls whose callees stand in their place.
    pub inlined: &'a [Vec<InlinedCall>],
    /// How alternatives become the probes' constants.
    pub codec: Codec,
}

impl Inputs<'_> {
    /// What the weaver must know of one subject.
    pub fn of(&self, i: usize) -> Weave<'_> {
        Weave {
            refs: self.refs[i],
            id: self.plan.ids[&self.subjects[i].no],
            first_handler: self.plan.first_handler[i],
            freqs: &self.freqs[i],
            codec: self.codec,
            tables: &self.tables[i],
            cells: &self.cells[i],
            sites: &self.plan.sites[i],
            inlined: &self.inlined[i],
            all: self,
        }
    }
}
