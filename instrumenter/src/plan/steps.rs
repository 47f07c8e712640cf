//! Symbols that are coded in line, at the edges that a model saw taken most.
//!
//! A symbol is coded by a call, which takes an interpreter some 40 ns. The same instructions in line
//! take 11, and four times the space. So only the hottest edges get them, within a limit.

use std::collections::{BTreeSet, HashMap};

use model::map::BlockId;

use crate::plan::by_subject::SubjectId;

/// An edge whose symbol is coded in line takes at least one of so many of the model's symbols.
const SHARE: u64 = 1 << 10;
/// Bytes that one takes more than the call, in a method and in its clone.
const BYTES: u64 = 2 * 60;
/// What they may add to the dex files: one in so many bytes,
const GROWTH: u64 = 100;
/// or so many, where that is more.
const LEAST_BYTES: u64 = 8 << 10;

/// An edge with a symbol, and how often the model saw it taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedStep {
    pub of: SubjectId,
    pub from: BlockId,
    pub alternative: usize,
    pub runs: u64,
}

/// What a model knows of a build's symbols.
#[derive(Debug, Default)]
pub(crate) struct CountedSteps {
    /// The edges whose symbols can be coded in line.
    pub steps: Vec<CountedStep>,
    /// How many symbols there were in all.
    pub symbols: u64,
}

/// An edge, by its block and its place there.
type Edge = (BlockId, usize);

/// The edges of a build whose symbols are coded in line.
#[derive(Debug, Default)]
pub(crate) enum InLine {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// These.
    Some(HashMap<SubjectId, BTreeSet<Edge>>),
}

/// Those of one method.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Edges<'a> {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// These.
    Some(&'a BTreeSet<Edge>),
}

impl InLine {
    /// The hottest; the dex files have so many bytes.
    pub fn hottest(counted: CountedSteps, bytes: u64) -> InLine {
        let CountedSteps { mut steps, symbols } = counted;
        let least = (symbols / SHARE).max(1);
        steps.retain(|step| step.runs >= least);
        steps.sort_by_key(|s| (std::cmp::Reverse(s.runs), s.of, s.from, s.alternative));
        let room = (bytes / GROWTH).max(LEAST_BYTES) / BYTES;
        steps.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        let mut edges: HashMap<SubjectId, BTreeSet<Edge>> = HashMap::new();
        for step in steps {
            edges.entry(step.of).or_default().insert((step.from, step.alternative));
        }
        if edges.is_empty() { InLine::None } else { InLine::Some(edges) }
    }

    /// Those of one method.
    pub fn of(&self, i: SubjectId) -> Edges<'_> {
        match self {
            InLine::None => Edges::None,
            InLine::All => Edges::All,
            InLine::Some(all) => all.get(&i).map_or(Edges::None, Edges::Some),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        matches!(self, InLine::None)
    }
}

impl Edges<'_> {
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        matches!(self, Edges::None)
    }

    /// Whether an edge's symbol is coded in line.
    pub fn has(self, from: BlockId, alternative: usize) -> bool {
        match self {
            Edges::None => false,
            Edges::All => true,
            Edges::Some(edges) => edges.contains(&(from, alternative)),
        }
    }
}

#[cfg(test)]
mod tests {
    use dex::{Dex, Insn, Op, Ref, Version};
    use model::map::{Codec, MethodId};
    use model::protocol::probes::STATE_RANGE;

    use super::*;
    use crate::instrument::instrument_checked;
    use crate::options::{Options, RuntimeHome, Steps};
    use crate::report::Output;
    use crate::rewrite::check::{Check, broken};

    fn chosen(runs: &[u64], symbols: u64, bytes: u64) -> usize {
        let step = |(i, &runs): (usize, &u64)| CountedStep {
            of: SubjectId::of(MethodId(1)),
            from: BlockId(i as u32),
            alternative: 0,
            runs,
        };
        let steps = runs.iter().enumerate().map(step).collect();
        match InLine::hottest(CountedSteps { steps, symbols }, bytes) {
            InLine::Some(edges) => edges.values().map(BTreeSet::len).sum(),
            InLine::None => 0,
            InLine::All => unreachable!("the hottest were asked for"),
        }
    }

    #[test]
    fn what_takes_a_small_share_of_the_symbols_is_called() {
        assert_eq!(chosen(&[SHARE, 2, 1], 2 * SHARE, 0), 2);
    }

    #[test]
    fn what_never_ran_is_called() {
        assert_eq!(chosen(&[0, 0], 0, u64::MAX), 0);
    }

    #[test]
    fn added_code_has_a_limit() {
        let many = vec![1; 1000];
        assert_eq!(chosen(&many, 1000, 0), (LEAST_BYTES / BYTES) as usize);
        assert_eq!(chosen(&many, 1000, 100 * GROWTH * BYTES), 100);
    }

    const CLASS: &str = "\
.class public Lp/C;
.super Ljava/lang/Object;
.method static m(I)I
.code registers=6 ins=1 outs=2
    if-eqz p0, :a
    invoke-static {p0, p0}, Lq/Lib;->b(II)V
:a
    invoke-static {p0, p0}, Lq/Lib;->b(II)V
    invoke-static {p0, p0}, Lq/Lib;->b(II)V
    invoke-static {p0, p0}, Lq/Lib;->b(II)V
    return p0
.end method
";

    fn instrument(options: &Options, check: &Check) -> Output {
        let mut dex = Dex::new(Version(35));
        dex::text::parse_classes(CLASS, &mut dex).expect("parses");
        let files = vec![("classes.dex".to_owned(), dex.write().expect("writes"))];
        instrument_checked(files, RuntimeHome::OwnFile, "", None, options, check)
            .expect("instruments")
    }

    /// Symbols in line: each reads the range once.
    fn in_line(output: &Output) -> usize {
        let dex = Dex::read(&output.files[0].1).expect("reads");
        let bodies = dex.codes.iter().filter_map(|body| body.item());
        let codes = bodies.map(|item| dex::decode(&item).expect("decodes"));
        let reads = |insn: &Insn| match insn.reference() {
            Some(Ref::Field(field)) if insn.op == Op::IgetWide => {
                dex.string(dex.fields.items()[field.index()].name) == STATE_RANGE
            }
            _ => false,
        };
        codes.map(|code| code.insns().filter(|(_, insn)| reads(insn)).count()).sum()
    }

    fn all() -> Options {
        Options { steps: Steps::All, ..Options::default() }
    }

    #[test]
    fn without_a_model_nothing_is_known_to_be_hot() {
        assert_eq!(in_line(&instrument(&Options::default(), &broken)), 0);
        assert_eq!(in_line(&instrument(&all(), &broken)), 2);
    }

    #[test]
    fn a_limit_of_the_size_leaves_no_room() {
        let limits = crate::Limits { size_growth: Some(1000.0), ..Default::default() };
        assert_eq!(in_line(&instrument(&Options { limits, ..all() }, &broken)), 0);
    }

    #[test]
    fn other_codecs_have_other_symbols() {
        let others = Codec::ALL.into_iter().filter(|&codec| codec != Codec::Arith);
        for codec in others.filter(|&codec| codec != Codec::None) {
            let options = Options { codec, ..all() };
            assert_eq!(in_line(&instrument(&options, &broken)), 0, "{codec}");
        }
    }

    #[test]
    fn what_the_verifier_would_refuse_in_line_is_called() {
        let refuses = |w: &crate::rewrite::check::Woven<'_>| {
            w.code.insns().any(|(_, i)| i.op == Op::IgetWide).then(|| "a fault".to_owned())
        };
        let out = instrument(&all(), &refuses);
        assert_eq!((in_line(&out), out.report.skipped.len()), (0, 0));
    }
}
