//! Checks woven code by the rules of ART's verifier, as far as they concern the kinds of its
//! registers and the types that its branches narrow.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use dex::verify::types::{Narrowing, TypeChecker, narrowings};
use dex::{Code, MethodIdx, TypeIdx};
use model::map::BlockId;

use crate::analysis::program::{MethodNo, Program};
use crate::cost::smaller_form::SmallerForm;
use crate::plan::subject::{SkipReason, Subject};

/// Check of woven code: returns the verifier's objection if it would reject the code.
pub(crate) type Check = dyn Fn(&WovenMethod<'_>) -> Option<String> + Sync;

/// Woven code of one method.
pub(crate) struct WovenMethod<'a> {
    pub program: &'a Program,
    /// Type checker of its dex file.
    pub checker: &'a TypeChecker<'a>,
    pub subject: &'a Subject,
    /// Method that gets the code: the subject's, or its clone.
    pub method: MethodIdx,
    pub code: &'a Code,
}

/// A method whose woven code ART's verifier would reject.
pub(crate) struct Broken {
    pub no: MethodNo,
    /// Key of the method.
    pub method: String,
    /// True if it contains inlined callees.
    pub has_inlined: bool,
    /// True if its blocks are copied.
    pub copied: bool,
    /// True if the code is that of the method's clone.
    pub clone: bool,
    /// Objection of the verifier.
    pub problem: String,
}

/// Decisions of earlier attempts, and the check of the next one.
pub(crate) struct MethodOverrides<'a> {
    pub check: &'a Check,
    /// Methods to leave unchanged.
    pub refused: HashMap<MethodNo, SkipReason>,
    /// Methods whose calls are not inlined.
    pub uninlined: HashSet<MethodNo>,
    /// Methods whose blocks are not copied.
    pub uncopied: HashSet<MethodNo>,
    /// Methods without a clone.
    pub uncloned: HashSet<MethodNo>,
    /// Branches whose history is left out to make their methods small enough.
    pub left_out: BTreeMap<MethodNo, BTreeSet<BlockId>>,
    /// Methods that may be larger than ART compiles.
    pub oversized: BTreeSet<MethodNo>,
}

impl<'a> MethodOverrides<'a> {
    /// Creates overrides without any decision.
    pub fn new(check: &'a Check) -> MethodOverrides<'a> {
        MethodOverrides {
            check,
            refused: HashMap::new(),
            uninlined: HashSet::new(),
            uncopied: HashSet::new(),
            uncloned: HashSet::new(),
            left_out: BTreeMap::new(),
            oversized: BTreeSet::new(),
        }
    }

    /// Adds smaller forms of methods.
    pub fn simplify(&mut self, forms: BTreeMap<MethodNo, SmallerForm>) {
        for (no, form) in forms {
            if form.calls_stay {
                self.uninlined.insert(no);
            }
            self.left_out.insert(no, form.left_out);
        }
    }

    /// Decides on broken methods. If a method contains inlined callees, they may be the cause: the
    /// next attempt does not inline them. Returns these methods, each with the objection.
    pub fn take_back(&mut self, methods: Vec<Broken>) -> Vec<String> {
        let mut uninlined = Vec::new();
        for Broken { no, method, has_inlined, copied, clone, problem } in methods {
            if clone {
                self.uncloned.insert(no);
            } else if copied {
                // A path register may work.
                self.uncopied.insert(no);
            } else if has_inlined {
                self.uninlined.insert(no);
                uninlined.push(format!("{method}: {problem}"));
            } else {
                self.refused.insert(no, SkipReason::Verifier(problem));
            }
        }
        uninlined
    }
}

/// Checks if woven code violates a rule of the verifier which the original code does not violate. A
/// method that the verifier rejected before is left to ART.
pub(crate) fn broken(woven: &WovenMethod<'_>) -> Option<String> {
    let WovenMethod { program, checker, subject, method: woven, code } = woven;
    let method = program.method(subject.no);
    let Err(wrong) = checker.check(*woven, method.access, code) else {
        let ty = lost_narrowing(subject, code)?;
        let name = program.files[program.class(method.class).dex].dex.type_name(ty);
        return Some(format!("something stands between a test for {name} and its branch"));
    };
    if subject.node_map.is_some() {
        // The next attempt shows if the callees are the cause.
        return Some(wrong.problem.to_string());
    }
    let was_right = checker.check(method.method, method.access, &subject.code).is_ok();
    was_right.then(|| wrong.problem.to_string())
}

/// Returns a type to which fewer branches narrow an object than in the original code. Woven code
/// uses other registers, so branches are counted.
fn lost_narrowing(subject: &Subject, woven: &Code) -> Option<TypeIdx> {
    let is_foreign = |n: usize| subject.node_map.as_ref().is_some_and(|s| s.foreign[n]);
    // At other branches both edges lead to one block, and nothing is narrowed.
    let decides: HashSet<usize> =
        subject.branches.iter().map(|&(block, _)| subject.cfg.block(block).last).collect();
    let own = narrowings(&subject.code).into_iter();
    let mut wanted: BTreeMap<_, usize> = BTreeMap::new();
    for (_, narrowing) in own.filter(|(n, _)| decides.contains(n) && !is_foreign(*n)) {
        features(&narrowing).for_each(|feature| *wanted.entry(feature).or_default() += 1);
    }
    for feature in narrowings(woven).values().flat_map(features) {
        if let Some(count) = wanted.get_mut(&feature) {
            *count = count.saturating_sub(1);
        }
    }
    wanted.into_iter().find(|(_, count)| *count > 0).map(|((ty, ..), _)| ty)
}

/// Returns the registers that a branch narrows: one, and the one that was copied to it.
fn features(narrowing: &Narrowing) -> impl Iterator<Item = (TypeIdx, bool, bool)> + use<> {
    let &Narrowing { ty, when_taken, source, .. } = narrowing;
    let copied = source.map(|_| (ty, when_taken, true));
    std::iter::once((ty, when_taken, false)).chain(copied)
}

#[cfg(test)]
mod tests {
    use dex::{Args, Body, Dex, Insn, Item, Op, Reg, Version};
    use model::recording::Recording;

    use super::*;
    use crate::analysis::by_convention::Outside;
    use crate::analysis::program::{CallTargets, DexFile};
    use crate::instrument::instrument_checked;
    use crate::options::{Inline, Options, RuntimeHome};
    use crate::plan::selection::select;
    use crate::report::Output;

    const CLASS: &str = "\
.class public Lp/C;
.super Ljava/lang/Object;
.method static c(I)I
.code registers=2 ins=1
    if-lez p0, :out
    add-int/lit8 v0, p0, 1
:out
    return p0
.end method
.method static m(I)I
.code registers=2 ins=1 outs=1
    invoke-static {p0}, Lp/C;->c(I)I
    move-result v0
    return v0
.end method
";

    const TEST: &str = "\
    instance-of v0, p0, Lp/C;
    if-eqz v0, :no
    const/4 v0, 1
:no
";

    fn file(text: &str) -> Vec<u8> {
        let mut dex = Dex::new(Version(35));
        dex::text::parse_classes(text, &mut dex).expect("parses");
        dex.write().expect("writes")
    }

    fn instrument(check: &Check) -> Output {
        let options = Options { inline: Inline::All, ..Options::default() };
        let files = vec![("classes.dex".to_owned(), file(CLASS))];
        instrument_checked(files, RuntimeHome::OwnFile, "", None, &options, check)
            .expect("instruments")
    }

    fn is_m(program: &Program, no: MethodNo) -> bool {
        program.method_key(no).contains("->m(")
    }

    #[test]
    fn valid_code_stays() {
        let out = instrument(&broken);
        assert_eq!(
            (out.report.inlined, out.report.skipped.len(), out.report.uninlined.len()),
            (1, 0, 0)
        );
    }

    #[test]
    fn a_caller_that_is_invalid_with_inlined_callees_keeps_its_calls() {
        let out = instrument(&|w| {
            let mut calls = w.code.insns().filter(|(_, insn)| insn.op == Op::InvokeStatic);
            let calls = calls.any(|(_, insn)| insn.reference() == called(w.program));
            (is_m(w.program, w.subject.no) && !calls).then(|| "a fault".to_owned())
        });
        assert_eq!(out.report.inlined, 0);
        assert_eq!(out.report.uninlined, ["Lp/C;->m(I)I: a fault"]);
        assert_eq!(out.report.skipped, []);
    }

    fn called(program: &Program) -> Option<dex::Ref> {
        let c = program.methods.iter().find(|m| program.text(m.sig) == "c(I)I").expect("is there");
        Some(dex::Ref::Method(c.method))
    }

    #[test]
    fn a_method_that_is_still_invalid_is_left_unchanged_and_listed() {
        let out = instrument(&|w| is_m(w.program, w.subject.no).then(|| "a fault".to_owned()));
        let skipped: Vec<_> =
            out.report.skipped.iter().map(|s| (s.method.as_str(), s.reason.as_str())).collect();
        assert_eq!(
            skipped,
            [("Lp/C;->m(I)I", "ART's verifier would refuse the instrumented code: a fault")]
        );
        assert_eq!((out.report.inlined, out.report.dex[0].instrumented), (0, 1));
    }

    #[test]
    fn a_test_that_is_separated_from_its_branch_is_found() {
        let class = CLASS
            .replace("m(I)I", "m(Ljava/lang/Object;)I")
            .replace("    invoke-static {p0}, Lp/C;->c(I)I\n    move-result v0\n", TEST);
        let blamed = |torn: bool| {
            judged(&class, &|code| {
                let test = code
                    .nodes
                    .iter()
                    .position(|n| matches!(&n.item, Item::Insn(i) if i.op == Op::InstanceOf));
                let nop = Item::Insn(Insn { op: Op::Nop, args: Args::None });
                if torn {
                    let at = test.expect("is there") + 1;
                    code.nodes.insert(at, dex::Node { item: nop, try_id: None });
                }
            })
        };
        assert_eq!(blamed(false), Vec::<String>::new());
        let found = blamed(true);
        assert_eq!(found, ["something stands between a test for Lp/C; and its branch"]);
    }

    /// Returns the objections to the methods `m` of a file once their code is changed.
    fn judged(text: &str, change: &dyn Fn(&mut Code)) -> Vec<String> {
        let dex = Dex::read(&file(text)).expect("reads");
        let program = Program::new(vec![DexFile { name: "classes.dex".into(), dex }]);
        let selection = select(
            &CallTargets::of(&program),
            &Default::default(),
            Recording::ARITH.into(),
            &|_| None,
            &Default::default(),
            Outside::FirstRelease(&Default::default()),
        );
        let checker = &TypeChecker::new(&program.files[0].dex);
        let wrong = selection.subjects.map(|i, s| {
            let subject = &selection.open(&program, i);
            let mut code = subject.code.clone();
            if is_m(&program, s.no) {
                change(&mut code);
            }
            let method = program.method(s.no).method;
            broken(&WovenMethod { program: &program, checker, subject, method, code: &code })
        });
        wrong.iter().flatten().cloned().collect()
    }

    #[test]
    fn only_code_that_was_valid_before_is_blamed() {
        let bad = CLASS.replace("    return v0\n", "    return-object v0\n");
        let blamed = |text: &str| {
            let wrong = judged(text, &|code| {
                // `return v0` becomes a read of an uninitialised register.
                let last = code.nodes.last_mut().expect("has nodes");
                last.item = Item::Insn(Insn { op: Op::ReturnWide, args: Args::A(Reg(0)) });
            });
            wrong.len()
        };
        assert_eq!((blamed(CLASS), blamed(&bad)), (1, 0));
        assert!(matches!(Dex::read(&file(CLASS)).expect("reads").codes[0], Body::Raw(_)));
    }
}
