//! Decodes callers together with their inlined callees.

use model::map::BlockId;

use super::body::join;
use crate::analysis::effects::uses_arrays;
use crate::analysis::program::Program;
use crate::plan::by_subject::SubjectId;
use crate::plan::inlining::{BlockOrigin, InliningPlan, NodeMap};
use crate::plan::selection::{DecodedMethod, MethodDecisions};
use crate::plan::subject::{Selection, Subject};

impl Selection {
    /// Decodes a method as probes are woven into it: with the code of its inlined callees.
    ///
    /// # Panics
    /// Panics as [`Selection::open`] does.
    pub fn open_woven(&self, program: &Program, subject: SubjectId) -> Subject {
        match &self.inlining[subject] {
            None => self.open(program, subject),
            Some(host) => {
                open_caller(self, program, subject, host).expect("tried when it was chosen")
            }
        }
    }
}

/// Decodes a method with these calls inlined, or returns `None` if they cannot be.
pub(super) fn open_caller(
    selection: &Selection,
    program: &Program,
    subject: SubjectId,
    host: &InliningPlan,
) -> Option<Subject> {
    let own = selection.open(program, subject);
    let joined = join(&own, subject, &host.calls, &|callee| selection.open(program, callee))?;
    let mut taken = DecodedMethod::new(program, own.no, joined.decoded)?;
    let origin = |first: usize| joined.from[first];
    let origins: Option<Vec<BlockOrigin>> =
        taken.cfg.blocks.iter().map(|b| origin(b.first)).collect();
    let origins = origins.filter(|origins| *origins == joined.expected)?;
    let depth = |b: BlockId| origins[b.0 as usize].depth;
    for (block, origin) in taken.cfg.blocks.iter_mut().zip(&origins) {
        // Only callees that cannot throw are inlined.
        block.throws &= origin.depth == 0;
    }
    taken.cfg.place_marks(&|_| false);
    let known = &selection.subjects[subject];
    let x86_safe = selection.probing.x86_safe && uses_arrays(&taken.code);
    let paths = match host.has_paths && selection.probing.recording.fuses_regions() && !x86_safe {
        true => {
            let callees = host.calls.iter().map(|c| selection.subjects[c.callee].instructions);
            let more: u32 = callees.sum();
            let pieces = &origins;
            let whole = |b: BlockId| {
                let i = b.0 as usize;
                let split = pieces.get(i + 1).is_some_and(|next| !next.begins || next.depth > 0);
                depth(b) == 0 && pieces[i].begins && !split
            };
            taken.find_paths(program, more, &whole)
        }
        false => Default::default(),
    };
    let branch = |b: BlockId| {
        let origin = origins[b.0 as usize];
        let of = &selection.subjects[origin.subject].branches;
        of.iter().find(|known| known.block == origin.block).map_or(0, |known| known.fingerprint)
    };
    let blocks = (0..taken.cfg.blocks.len() as u32).map(BlockId);
    let branches = blocks.filter(|&b| taken.cfg.block(b).end.successors().len() > 1);
    let branches = branches.map(|b| (b, branch(b))).collect();
    let decided = MethodDecisions {
        fingerprint: known.fingerprint,
        branches,
        calls: known.call_count as usize,
        terminal: known.terminal,
        leaf: false,
        implied: false,
        bottom: known.bottom,
        guarded: known.guarded,
        layout: host.layout,
        spare: host.spare,
        free: None,
        paths,
        x86_safe,
        node_map: Some(Box::new(NodeMap { origins, ..joined.node_map })),
    };
    Some(taken.subject(program, selection.probing, decided))
}
