//! Probes and configuration of the codec that counts (`model::cells`).

use dex::{Dex, FieldIdx, MethodIdx};
use model::cells::{Layout, Site};
use model::map::{Codec, Map, SlotId};
use model::protocol::probes;

use crate::probes::runtime::BuildPackage;
use crate::probes::runtime_tables::pair;

/// References to the runtime, interned in one dex file.
#[derive(Debug, Clone, Copy)]
pub struct CountRefs {
    /// A symbol.
    pub(crate) hit: MethodIdx,
    /// The loop that is open.
    pub(crate) open: MethodIdx,
    /// The same, as a field of the state.
    pub(crate) open_field: FieldIdx,
    /// The end of a loop.
    pub(crate) trips: MethodIdx,
    /// A full register.
    pub(crate) lap: MethodIdx,
}

impl CountRefs {
    /// Interns what probes name; `None` for other codecs.
    pub fn intern(dex: &mut Dex, codec: Codec, package: &BuildPackage) -> Option<CountRefs> {
        if codec != Codec::Counts {
            return None;
        }
        let mut method = |m| package.method(dex, probes::COUNTS, m);
        Some(CountRefs {
            hit: method(probes::HIT),
            open: method(probes::OPEN),
            trips: method(probes::TRIPS),
            lap: method(probes::COUNT_LAP),
            open_field: package.state_field(dex, probes::STATE_OPEN, "I"),
        })
    }
}

/// `Config.COUNTS`: how many pages there are, then where the cells of each slot begin; empty for
/// other codecs.
pub(crate) fn config(map: &Map, layout: Option<&Layout>) -> Vec<u16> {
    let Some(layout) = layout else { return Vec::new() };
    let slots = (0..map.slots.len() as u32).map(|s| Site::Slot(SlotId(s)));
    let first = slots.map(|site| layout.find(site).map_or(0, |cells| cells.first));
    std::iter::once(layout.pages()).chain(first).flat_map(pair).collect()
}
