//! What weaving needs beside the methods themselves.

use model::map::{Codec, MethodId};

use crate::inline::InlinedCall;
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::distributions::Numbers;
use crate::plan::ids::{Plan, Site};
use crate::plan::subject::Subject;
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
    /// Its frequencies and tables.
    pub numbers: &'a Numbers<'a>,
    /// How alternatives become the probes' constants.
    pub codec: Codec,
    /// Whether a method without lines gets its original addresses as lines.
    pub address_lines: bool,
    /// Call sites, ascending by node.
    pub sites: &'a [(usize, Site)],
    /// Calls whose callee is inlined.
    pub inlined: &'a [InlinedCall],
    /// All of it, for those callees.
    pub all: &'a Inputs<'a>,
}

/// What the weaver must know of all subjects.
#[derive(Debug)]
pub(crate) struct Inputs<'a> {
    /// The subjects.
    pub subjects: &'a BySubject<Subject>,
    /// Runtime references of each one's dex file.
    pub refs: BySubject<&'a RuntimeRefs>,
    /// Ids and call sites.
    pub plan: &'a Plan,
    /// Their frequencies and tables.
    pub numbers: &'a BySubject<Numbers<'a>>,
    /// Their calls whose callee is inlined.
    pub inlined: &'a BySubject<Vec<InlinedCall>>,
    /// How alternatives become the probes' constants.
    pub codec: Codec,
    /// Whether methods without lines get their original addresses as lines.
    pub address_lines: bool,
}

impl Inputs<'_> {
    /// What the weaver must know of one subject.
    pub fn of(&self, i: SubjectId) -> Weave<'_> {
        Weave {
            refs: self.refs[i],
            id: i.method_id(),
            first_handler: self.plan.first_handler[i],
            numbers: &self.numbers[i],
            codec: self.codec,
            address_lines: self.address_lines,
            sites: &self.plan.sites[i],
            inlined: &self.inlined[i],
            all: self,
        }
    }
}
