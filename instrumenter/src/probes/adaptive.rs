//! Probes and configuration of the adaptive codecs (`model::adaptive`).

use dex::{Dex, MethodIdx};
use model::adaptive::{PAGE, Rule};
use model::map::Map;
use model::protocol::probes;
use model::recording::Recording;

use crate::probes::runtime::BuildPackage;

/// References to the probes of one rule, interned in one dex file.
#[derive(Debug, Clone, Copy)]
pub struct AdaptiveRefs {
    /// First and second alternative of a pair.
    pair: [MethodIdx; 2],
    /// An alternative of a larger branch.
    many: MethodIdx,
}

impl AdaptiveRefs {
    /// Interns the probes' references, or returns `None` for codecs without adaptive distributions.
    pub fn intern(
        dex: &mut Dex,
        recording: Recording,
        package: &BuildPackage,
    ) -> Option<AdaptiveRefs> {
        let pair = match Rule::of(recording)? {
            Rule::Inc { .. } => [probes::INC_FIRST, probes::INC_SECOND],
            Rule::Shift(_) => [probes::SHIFT_FIRST, probes::SHIFT_SECOND],
        };
        let mut method = |m| package.method(dex, probes::ADAPT, m);
        Some(AdaptiveRefs { pair: pair.map(&mut method), many: method(probes::ADAPT_MANY) })
    }

    /// Returns the probe and its argument for an alternative of a branch with `ways` alternatives.
    pub fn probe(&self, cell: u32, alternative: usize, ways: usize) -> (MethodIdx, i32) {
        if ways == 2 {
            (self.pair[alternative], cell as i32)
        } else {
            (self.many, (cell << 8 | alternative as u32) as i32)
        }
    }
}

/// Configuration of the runtime.
pub(crate) struct AdaptiveConfig {
    /// `CELLS`.
    pub units: Vec<u16>,
    /// `WIDE`.
    pub wide: Vec<u16>,
    /// `PAGES`.
    pub pages: i32,
    /// `INC`.
    pub inc: i32,
    /// `FLOOR`.
    pub floor: i32,
    /// `SHIFT`.
    pub shift: i32,
}

/// Returns the configuration for a map's codec.
pub(crate) fn config(map: &Map, keeps: bool) -> AdaptiveConfig {
    let units: Vec<u16> =
        model::adaptive::initial(map).iter().map(|c| (c ^ 0x8000).wrapping_add(1)).collect();
    let pages = units.len().div_ceil(PAGE as usize) as i32;
    let (inc, floor, shift) = match Rule::of(map.recording) {
        None => (0, 1, 0),
        Some(Rule::Inc { inc, floor }) => (inc.into(), floor.into(), 0),
        Some(Rule::Shift(k)) => (0, 1, k.into()),
    };
    let wide = if keeps { model::adaptive::wide(map) } else { vec![] };
    let wide = wide.into_iter().flat_map(|at| [(at >> 16) as u16, at as u16]).collect();
    AdaptiveConfig { units, wide, pages, inc, floor, shift }
}
