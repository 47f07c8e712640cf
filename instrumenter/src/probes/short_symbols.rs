//! Short probes for slices with a fixed begin or end.

use dex::{Dex, MethodIdx};
use model::protocol::probes;
use model::table;

use crate::probes::runtime::BuildPackage;

/// Probes for slices with a fixed begin or end, with shorter constants or none: most branches have
/// two alternatives, and most have no history.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShortSymbols {
    first: MethodIdx,
    last: MethodIdx,
    pub even: [MethodIdx; 2],
    /// Probes before a branch, by its comparison and by the alternative that is taken if the
    /// comparison holds.
    pub zero: [MethodIdx; 2],
    pub null: [MethodIdx; 2],
    pub negative: [MethodIdx; 2],
    pub positive: [MethodIdx; 2],
    pub same: [MethodIdx; 2],
    pub same_object: [MethodIdx; 2],
    pub less: [MethodIdx; 2],
}

impl ShortSymbols {
    /// Interns the probes.
    pub fn intern(dex: &mut Dex, package: &BuildPackage) -> ShortSymbols {
        let mut method = |m| package.method(dex, probes::PROBES, m);
        ShortSymbols {
            first: method(probes::FIRST),
            last: method(probes::LAST),
            even: [method(probes::EVEN_FIRST), method(probes::EVEN_SECOND)],
            zero: [method(probes::ZERO_FIRST), method(probes::ZERO_SECOND)],
            null: [method(probes::NULL_FIRST), method(probes::NULL_SECOND)],
            negative: [method(probes::NEGATIVE_FIRST), method(probes::NEGATIVE_SECOND)],
            positive: [method(probes::POSITIVE_FIRST), method(probes::POSITIVE_SECOND)],
            same: [method(probes::SAME_FIRST), method(probes::SAME_SECOND)],
            same_object: [method(probes::SAME_OBJECT_FIRST), method(probes::SAME_OBJECT_SECOND)],
            less: [method(probes::LESS_FIRST), method(probes::LESS_SECOND)],
        }
    }

    /// Returns the probe for a slice, with its argument if it has one.
    pub fn of(self, slice: u32) -> Option<(MethodIdx, Option<i32>)> {
        let (cum, freq) = (slice >> 16, slice & 0xFFFF);
        // `table::quantise` gives two equally likely alternatives these frequencies.
        let half = table::SHARE.div_ceil(2);
        // The probe uses the argument's low half: as a signed number, it fits 16 bits.
        let short = |half: u32| Some(i32::from(half as u16 as i16));
        match (cum, freq) {
            (0, f) if f == half => Some((self.even[0], None)),
            (c, f) if c == half && c + f == table::SHARE => Some((self.even[1], None)),
            (0, f) => Some((self.first, short(f))),
            (c, f) if c + f == table::SHARE => Some((self.last, short(c))),
            _ => None,
        }
    }
}
