//! The probe before a branch of which nothing is known.

use dex::{Insn, MethodIdx, MoveKind, Reg};

use crate::plan::comparisons::{Compared, Comparison};
use crate::probes::probe::Probes;

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
