//! Probes and configuration of the codec that counts (`model::cells`).
//!
//! Such a build keeps of the protocol what its cells need: tokens of slots, guards, and what an
//! exception finds in the path register. A method that has nothing of it has no probe at all.

use dex::{Dex, MethodIdx};
use model::cells::{Cells, Layout, PAGE_CELLS, Site};
use model::map::{Codec, Map, SlotId};
use model::protocol::probes;

use crate::plan::ids;
use crate::plan::subject::Subject;
use crate::probes::runtime::BuildPackage;
use crate::probes::runtime_tables::pair;
use crate::rewrite::inputs::Weave;

/// References to the runtime, interned in one dex file.
#[derive(Debug, Clone, Copy)]
pub struct CountRefs {
    pub(crate) page: MethodIdx,
    pub(crate) enter: MethodIdx,
    pub(crate) enter_guarded: MethodIdx,
    pub(crate) frame: MethodIdx,
    pub(crate) exit_guarded: MethodIdx,
    pub(crate) leaf: MethodIdx,
    pub(crate) leaf_guarded: MethodIdx,
    pub(crate) hit: MethodIdx,
    pub(crate) far: MethodIdx,
    pub(crate) open: MethodIdx,
    pub(crate) trips: MethodIdx,
    pub(crate) far_trips: MethodIdx,
    pub(crate) lap: MethodIdx,
    pub(crate) call: MethodIdx,
    pub(crate) none: MethodIdx,
    pub(crate) caught: MethodIdx,
    pub(crate) caught_broken: MethodIdx,
    pub(crate) broken: MethodIdx,
    pub(crate) unwound: MethodIdx,
    pub(crate) terminal: MethodIdx,
}

impl CountRefs {
    /// Interns what probes name; `None` for other codecs.
    pub fn intern(dex: &mut Dex, codec: Codec, package: &BuildPackage) -> Option<CountRefs> {
        if codec != Codec::Counts {
            return None;
        }
        let mut method = |m| package.method(dex, probes::COUNTS, m);
        Some(CountRefs {
            page: method(probes::PAGE),
            enter: method(probes::COUNT_ENTER),
            enter_guarded: method(probes::COUNT_ENTER_GUARDED),
            frame: method(probes::COUNT_FRAME),
            exit_guarded: method(probes::COUNT_EXIT_GUARDED),
            leaf: method(probes::COUNT_LEAF),
            leaf_guarded: method(probes::COUNT_LEAF_GUARDED),
            hit: method(probes::HIT),
            far: method(probes::FAR),
            open: method(probes::OPEN),
            trips: method(probes::COUNT_TRIPS),
            far_trips: method(probes::COUNT_FAR_TRIPS),
            lap: method(probes::COUNT_LAP),
            call: method(probes::COUNT_CALL),
            none: method(probes::COUNT_NONE),
            caught: method(probes::COUNT_CAUGHT),
            caught_broken: method(probes::COUNT_CAUGHT_BROKEN),
            broken: method(probes::COUNT_BROKEN),
            unwound: method(probes::COUNT_UNWOUND),
            terminal: method(probes::COUNT_TERMINAL),
        })
    }
}

/// How a method of a build that counts begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The page that its cells begin in; behind the others, if it has none.
    pub page: u32,
    /// Whether a slot can reach it.
    pub slot_callee: bool,
}

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

/// `Config.COUNTS`: how many pages there are, then where the cells of each slot begin; empty for
/// other codecs.
pub(crate) fn config(map: &Map, layout: Option<&Layout>) -> Vec<u16> {
    let Some(layout) = layout else { return Vec::new() };
    let slots = (0..map.slots.len() as u32).map(|s| Site::Slot(SlotId(s)));
    let first = slots.map(|site| layout.find(site).map_or(0, |cells| cells.first));
    std::iter::once(layout.pages()).chain(first).flat_map(pair).collect()
}
