//! Symbols that are coded inline, at the edges that are taken most according to a model.
//!
//! A call codes a symbol in about 40 ns on an interpreter. The same instructions inline cost 11 ns,
//! and four times the space. So only the hottest edges get them, within a limit.

use std::collections::{BTreeSet, HashMap};

use model::map::BlockId;

use crate::plan::by_subject::SubjectId;

/// An edge is hot if it has at least one in this number of the model's symbols.
const SHARE: u64 = 1 << 10;
/// Additional bytes of one inline coder compared with the call, in a method and in its clone.
const BYTES: u64 = 2 * 60;
/// Limit of the added bytes: one in this number of bytes of the dex files,
const GROWTH: u64 = 100;
/// but at least this number of bytes.
const LEAST_BYTES: u64 = 8 << 10;

/// An edge with a symbol, and its count in the model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedEdge {
    pub of: SubjectId,
    pub from: BlockId,
    pub alternative: usize,
    pub runs: u64,
}

/// Counts of a build's symbols in a model.
#[derive(Debug, Default)]
pub(crate) struct CountedEdges {
    /// Edges whose symbols can be coded inline.
    pub steps: Vec<CountedEdge>,
    /// Number of all symbols.
    pub symbols: u64,
}

/// An edge, by its block and its number among the block's edges.
type CoderEdge = (BlockId, usize);

/// Edges of a build whose symbols are coded inline.
#[derive(Debug, Default)]
pub(crate) enum InlineCoders {
    /// No edges.
    #[default]
    None,
    /// All edges.
    All,
    /// These edges.
    Some(HashMap<SubjectId, BTreeSet<CoderEdge>>),
}

/// Edges of one method whose symbols are coded inline.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Edges<'a> {
    /// No edges.
    #[default]
    None,
    /// All edges.
    All,
    /// These edges.
    Some(&'a BTreeSet<CoderEdge>),
}

impl InlineCoders {
    /// Chooses the hottest edges, for dex files of `bytes` bytes.
    pub fn hottest(counted: CountedEdges, bytes: u64) -> InlineCoders {
        let CountedEdges { mut steps, symbols } = counted;
        let least = (symbols / SHARE).max(1);
        steps.retain(|step| step.runs >= least);
        steps.sort_by_key(|s| (std::cmp::Reverse(s.runs), s.of, s.from, s.alternative));
        let room = (bytes / GROWTH).max(LEAST_BYTES) / BYTES;
        steps.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        let mut edges: HashMap<SubjectId, BTreeSet<CoderEdge>> = HashMap::new();
        for step in steps {
            edges.entry(step.of).or_default().insert((step.from, step.alternative));
        }
        if edges.is_empty() { InlineCoders::None } else { InlineCoders::Some(edges) }
    }

    /// Returns the edges of one method.
    pub fn of(&self, i: SubjectId) -> Edges<'_> {
        match self {
            InlineCoders::None => Edges::None,
            InlineCoders::All => Edges::All,
            InlineCoders::Some(all) => all.get(&i).map_or(Edges::None, Edges::Some),
        }
    }

    /// Returns true if there is no edge.
    pub fn is_empty(&self) -> bool {
        matches!(self, InlineCoders::None)
    }
}

impl Edges<'_> {
    /// Returns true if there is no edge.
    pub fn is_empty(self) -> bool {
        matches!(self, Edges::None)
    }

    /// Returns true if an edge's symbol is coded inline.
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
    use model::map::MethodId;
    use model::protocol::probes::STATE_RANGE;
    use model::recording::TraceCodec;

    use super::*;
    use crate::instrument::instrument_checked;
    use crate::options::{InlineCoder, Options, RecordingOptions, RuntimeHome, TraceOptions};
    use crate::report::Output;
    use crate::rewrite::check::{Check, broken};

    fn chosen(runs: &[u64], symbols: u64, bytes: u64) -> usize {
        let step = |(i, &runs): (usize, &u64)| CountedEdge {
            of: SubjectId::of(MethodId(1)),
            from: BlockId(i as u32),
            alternative: 0,
            runs,
        };
        let steps = runs.iter().enumerate().map(step).collect();
        match InlineCoders::hottest(CountedEdges { steps, symbols }, bytes) {
            InlineCoders::Some(edges) => edges.values().map(BTreeSet::len).sum(),
            InlineCoders::None => 0,
            InlineCoders::All => unreachable!("`hottest` returns single edges"),
        }
    }

    #[test]
    fn an_edge_with_a_small_share_of_the_symbols_keeps_its_call() {
        assert_eq!(chosen(&[SHARE, 2, 1], 2 * SHARE, 0), 2);
    }

    #[test]
    fn an_edge_that_never_ran_keeps_its_call() {
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

    /// Counts inline coders: each reads the range once.
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
        with_codec(TraceCodec::Arith)
    }

    fn with_codec(codec: TraceCodec) -> Options {
        let trace = TraceOptions { inline_coder: InlineCoder::All, ..TraceOptions::new(codec) };
        Options { recording: RecordingOptions::Trace(trace), ..Options::default() }
    }

    #[test]
    fn without_a_model_no_edge_is_hot() {
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
        for codec in TraceCodec::all().filter(|&codec| codec != TraceCodec::Arith) {
            assert_eq!(in_line(&instrument(&with_codec(codec), &broken)), 0, "{codec:?}");
        }
        let edges = RecordingOptions::Edges;
        let edges = Options { recording: edges, ..Options::default() };
        assert_eq!(in_line(&instrument(&edges, &broken)), 0);
    }

    #[test]
    fn code_that_the_verifier_would_reject_inline_keeps_its_call() {
        let refuses = |w: &crate::rewrite::check::WovenMethod<'_>| {
            w.code.insns().any(|(_, i)| i.op == Op::IgetWide).then(|| "a fault".to_owned())
        };
        let out = instrument(&all(), &refuses);
        assert_eq!((in_line(&out), out.report.skipped.len()), (0, 0));
    }
}
