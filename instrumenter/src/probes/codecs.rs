//! Choice of a codec's emitter.

use std::cell::OnceCell;

use crate::plan::selected::{PathTracker, SelectedMethod};
use crate::plan::subject::Subject;
use crate::probes::copied::CopiedProbes;
use crate::probes::emitter::Emitter;
use crate::probes::encoded::EncodedProbes;
use crate::probes::pap::PapProbes;
use crate::probes::probe::Probes;
use crate::probes::selected::SelectedProbes;
use crate::probes::symbols::SymbolProbes;
use crate::rewrite::block_copies::Copied;
use crate::rewrite::context::MethodContext;

/// Returns the emitter of a build's codec for one method. `copied` is true if its blocks are
/// copied.
pub(crate) fn emitter<'a>(
    subject: &'a Subject,
    weave: &'a MethodContext<'a>,
    copied: Option<&'a Copied>,
) -> Box<dyn Emitter + 'a> {
    let probes =
        Probes { refs: weave.refs, scratch: subject.layout.scratch, in_place: weave.in_place };
    if let Some(SelectedMethod { cells, tracker }) = weave.selected {
        return match (tracker, copied) {
            (PathTracker::Copies(copies), copied) => {
                let copied = copied.expect("the method is written with its copies");
                Box::new(CopiedProbes { probes, copied, copies, cells })
            }
            (PathTracker::Register(automaton), _) => {
                Box::new(SelectedProbes { probes, subject, automaton, cells })
            }
            (PathTracker::Encoding(encoded), _) => {
                Box::new(EncodedProbes { probes, subject, encoded, cells })
            }
        };
    }
    match weave.refs.pap {
        Some(refs) => Box::new(PapProbes { refs, probes, subject }),
        None => Box::new(SymbolProbes { probes, subject, weave, comparisons: OnceCell::new() }),
    }
}
