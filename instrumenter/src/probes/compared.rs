//! Probe before a branch without history.

use dex::{Insn, MethodIdx, MoveKind, Reg};

use crate::plan::comparisons::{Compared, Comparison};
use crate::probes::probe::Probes;

impl Probes<'_> {
    /// Returns the probe that codes the symbol of a branch without history before the branch.
    /// Returns `None` unless both edges have even odds, and if one of two registers is out of
    /// reach.
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
            // The temporary is adjacent to the state: a range form of `invoke` reaches the two at
            // any position.
            None => {
                Some(vec![Insn::copy(kind, s.temp, first), self.invoke(method, &[s.state, s.temp])])
            }
        }
    }
}
