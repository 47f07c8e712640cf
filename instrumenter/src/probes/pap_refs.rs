//! Methods and fields of the runtime that the probes of codec `pap` use.

use dex::{Dex, FieldIdx, MethodIdx};

use model::protocol::probes;
use model::recording::Recording;

use crate::probes::runtime::BuildPackage;

/// References to the runtime, interned in one dex file.
#[derive(Debug, Clone, Copy)]
pub struct PapRefs {
    pub(crate) full: MethodIdx,
    pub(crate) leave: MethodIdx,
    pub(crate) caught: MethodIdx,
    pub(crate) unwound: MethodIdx,
    pub(crate) lost: FieldIdx,
    pub(crate) lost_end: FieldIdx,
    pub(crate) token: FieldIdx,
}

impl PapRefs {
    /// Interns the probes' references, or returns `None` for other codecs.
    pub fn intern(dex: &mut Dex, recording: Recording, package: &BuildPackage) -> Option<PapRefs> {
        if !recording.numbers_paths() {
            return None;
        }
        let mut method = |m| package.method(dex, probes::PAP, m);
        Some(PapRefs {
            full: method(probes::PAP_FULL),
            leave: method(probes::PAP_LEAVE),
            caught: method(probes::PAP_CAUGHT),
            unwound: method(probes::PAP_UNWOUND),
            lost: package.state_field(dex, probes::STATE_LOST, "[J"),
            lost_end: package.state_field(dex, probes::STATE_LOST_END, "I"),
            token: package.state_field(dex, probes::STATE_CALL_TOKEN, "I"),
        })
    }
}
