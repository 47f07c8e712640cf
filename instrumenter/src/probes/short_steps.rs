//! Probes for slices of which half is known, and the one before a branch of which nothing is.

use dex::{Dex, Insn, MethodIdx, MoveKind, Reg};
use model::protocol::probes;
use model::table;

use crate::plan::comparisons::{Compared, Comparison};
use crate::probes::probe::Probes;
use crate::probes::runtime::BuildPackage;

/// Probes for slices of which half is known, with shorter constants or none: most branches have two
/// alternatives, and of most nothing is known yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShortSteps {
    first: MethodIdx,
    last: MethodIdx,
    even: [MethodIdx; 2],
    /// Before a branch: [`Compared`], by the alternative where that holds.
    zero: [MethodIdx; 2],
    null: [MethodIdx; 2],
    negative: [MethodIdx; 2],
    positive: [MethodIdx; 2],
    same: [MethodIdx; 2],
    same_object: [MethodIdx; 2],
    less: [MethodIdx; 2],
}

impl ShortSteps {
    /// Interns them.
    pub fn intern(dex: &mut Dex, package: &BuildPackage) -> ShortSteps {
        let mut method = |m| package.method(dex, probes::PROBES, m);
        ShortSteps {
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

    /// The probe for a slice, and its argument if it has one.
    pub fn of(self, slice: u32) -> Option<(MethodIdx, Option<i32>)> {
        let (cum, freq) = (slice >> 16, slice & 0xFFFF);
        // As `table::quantise` has it for two alternatives that are equally likely.
        let half = table::SHARE.div_ceil(2);
        // The probe takes the argument's low half: signed, it fits 16 bits.
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

impl Probes<'_> {
    /// Before a branch of which nothing is known: its symbol. `None` unless both of its edges have
    /// the probe that goes without a number, and where of two registers one is out of reach.
    pub(crate) fn compared(&self, symbols: &[u32], comparison: Comparison) -> Option<Vec<Insn>> {
        let short = self.refs.short?;
        let evens: Vec<MethodIdx> =
            symbols.iter().map(|&slice| Some(short.of(slice)?.0)).collect::<Option<_>>()?;
        if evens != short.even {
            return None;
        }
        let (by_alternative, kind, first, second) = match comparison.compared {
            Compared::Zero(a) => (short.zero, MoveKind::Single, a, None),
            Compared::Null(a) => (short.null, MoveKind::Object, a, None),
            Compared::Negative(a) => (short.negative, MoveKind::Single, a, None),
            Compared::Positive(a) => (short.positive, MoveKind::Single, a, None),
            Compared::SameObject(a, b) => (short.same_object, MoveKind::Object, a, Some(b)),
            Compared::Same(a, b) => (short.same, MoveKind::Single, a, Some(b)),
            Compared::Less(a, b) => (short.less, MoveKind::Single, a, Some(b)),
        };
        let method = *by_alternative.get(comparison.holds)?;
        let s = self.scratch;
        let is_near = |r: Reg| s.low && r.0 < 16;
        match second {
            Some(b) if is_near(first) && is_near(b) => {
                Some(vec![self.invoke(method, &[s.state, first, b])])
            }
            Some(_) => None,
            None if is_near(first) => Some(vec![self.invoke(method, &[s.state, first])]),
            // The temporary is next to the state: a range reaches the two wherever they lie.
            None => {
                Some(vec![Insn::copy(kind, s.temp, first), self.invoke(method, &[s.state, s.temp])])
            }
        }
    }
}
