//! Entries of methods in a counting build (`model::cells`).
//!
//! Such a build uses only the parts of the protocol that its cells need: tokens of slots, guards,
//! and the path register at exceptions. A method that needs none of these has no probe at all.

use model::cells::{Cells, PAGE_CELLS};

use crate::plan::ids;
use crate::plan::subject::Subject;
use crate::probes::counts::CountingEntry;
use crate::rewrite::context::MethodContext;

/// Returns the entry of a method in a counting build, or `None` for other codecs.
pub(crate) fn entry(weave: &MethodContext<'_>) -> Option<CountingEntry> {
    weave.refs.counts?;
    // As long as there is no layout, only the size of the code matters.
    let page = weave.counts.map_or(0, |layout| {
        let cells = layout.method(weave.id);
        cells.map_or(layout.idle_page(), |cells| cells.first / PAGE_CELLS)
    });
    Some(CountingEntry { page, slot_callee: weave.slot_callee })
}

/// Returns true if a method stays unchanged: nothing in it is counted, and no count of other
/// methods depends on it.
pub(crate) fn is_bare(subject: &Subject, weave: &MethodContext<'_>) -> bool {
    let decides = || subject.cfg.blocks.iter().any(|b| b.end.successors().len() > 1);
    let has_slot = || weave.sites.iter().any(|(_, site)| matches!(site, ids::Site::Slot(_)));
    weave.refs.counts.is_some()
        && !weave.slot_callee
        && !subject.guarded
        && !subject.terminal
        && subject.handlers.is_empty()
        && subject.last_calls.is_empty()
        && subject.node_map.is_none()
        && !decides()
        && !has_slot()
}

/// Returns true if all these cells are in the page in which a method's cells begin.
pub(crate) fn is_near(weave: &MethodContext<'_>, cells: Cells) -> bool {
    let Some(own) = weave.counts.and_then(|layout| layout.method(weave.id)) else { return true };
    (cells.first + cells.count - 1) / PAGE_CELLS == own.first / PAGE_CELLS
}
