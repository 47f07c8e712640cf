//! Probes and configuration of the counting codec (`model::cells`).

use dex::{Dex, MethodIdx};
use model::cells::{CellLayout, Site};
use model::map::{Map, SlotId};
use model::protocol::probes;
use model::recording::Recording;

use crate::probes::runtime::BuildPackage;
use crate::probes::runtime_tables::pair;

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
    /// Interns the probes' references, or returns `None` for other codecs.
    pub fn intern(
        dex: &mut Dex,
        recording: Recording,
        package: &BuildPackage,
    ) -> Option<CountRefs> {
        if recording != Recording::Edges {
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

/// Entry of a method in a counting build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CountingEntry {
    /// Page in which its cells begin; after all pages if it has no cells.
    pub page: u32,
    /// True if a slot can reach it.
    pub slot_callee: bool,
}

/// Returns `Config.COUNTS`: the number of pages, then the first cell of each slot; empty for other
/// codecs.
pub(crate) fn config(map: &Map, layout: Option<&CellLayout>) -> Vec<u16> {
    let Some(layout) = layout else { return Vec::new() };
    let slots = (0..map.slots.len() as u32).map(|s| Site::Slot(SlotId(s)));
    let first = slots.map(|site| layout.find(site).map_or(0, |cells| cells.first));
    std::iter::once(layout.pages()).chain(first).flat_map(pair).collect()
}
