//! What a build that counts needs of a method (`model::cells`).
//!
//! Such a build keeps of the protocol what its cells need: tokens of slots, guards, and what an
//! exception finds in the path register. A method that has nothing of it has no probe at all.

use model::cells::{Cells, PAGE_CELLS};

use crate::plan::ids;
use crate::plan::subject::Subject;
use crate::probes::counts::Entry;
use crate::rewrite::inputs::Weave;

/// Of a method of a build that counts; `None` for other codecs.
pub(crate) fn entry(weave: &Weave<'_>) -> Option<Entry> {
    weave.refs.counts?;
    // Before there is a layout only the size of the code matters.
    let page = weave.counts.map_or(0, |layout| {
        let cells = layout.method(weave.id);
        cells.map_or(layout.idle_page(), |cells| cells.first / PAGE_CELLS)
    });
    Some(Entry { page, slot_callee: weave.slot_callee })
}

/// Whether a method stays as it is: there is nothing in it to count, and nothing that other methods
/// count depends on it.
pub(crate) fn is_bare(subject: &Subject, weave: &Weave<'_>) -> bool {
    let decides = || subject.cfg.blocks.iter().any(|b| b.end.successors().len() > 1);
    let has_slot = || weave.sites.iter().any(|(_, site)| matches!(site, ids::Site::Slot(_)));
    weave.refs.counts.is_some()
        && !weave.slot_callee
        && !subject.guarded
        && !subject.terminal
        && subject.handlers.is_empty()
        && subject.last_calls.is_empty()
        && subject.spliced.is_none()
        && !decides()
        && !has_slot()
}

/// Whether all these cells are in the page that a method's cells begin in.
pub(crate) fn is_near(weave: &Weave<'_>, cells: Cells) -> bool {
    let Some(own) = weave.counts.and_then(|layout| layout.method(weave.id)) else { return true };
    (cells.first + cells.count - 1) / PAGE_CELLS == own.first / PAGE_CELLS
}
