//! Branches of a minified method that R8 inlined from other methods. A model may contain them under
//! the names of those methods.

use std::collections::BTreeMap;

use dex::Item;
use dex::debug::DebugEvent;
use model::map::BlockId;
use model::mapping::{Frames, MethodMapping};

use crate::analysis::cfg::Cfg;

/// Branches that belong to one inlined call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlinedBranches {
    /// Key of the called method in the model: `Lpkg/Cls;->name(I)V`.
    pub key: Box<str>,
    /// Positions among the method's branches, ascending.
    pub branches: Box<[u32]>,
}

/// Groups the branches of a method by the inlined call that they come from; branches of the method
/// itself are in no group. `addresses` has the address of each node.
pub fn inlined_branches(
    method: &MethodMapping<'_>,
    code: &dex::Code,
    addresses: &[u32],
    cfg: &Cfg,
    branches: &[(BlockId, u64)],
) -> Vec<InlinedBranches> {
    let mut groups: BTreeMap<(String, String), Vec<u32>> = BTreeMap::new();
    for (position, line) in lines(code, addresses, cfg, branches).into_iter().enumerate() {
        let Some(frames) = line.and_then(|line| method.at(Some(line))) else { continue };
        if let Some(origin) = origin(&frames) {
            groups.entry(origin).or_default().push(position as u32);
        }
    }
    let groups = groups.into_iter();
    let group = |((key, _), branches): ((String, String), Vec<u32>)| InlinedBranches {
        key: key.into(),
        branches: branches.into(),
    };
    groups.map(group).collect()
}

/// Returns the innermost method of inlined frames and a key that distinguishes its call from
/// others.
fn origin(frames: &Frames<'_>) -> Option<(String, String)> {
    match frames.shown(None) {
        [inner, callers @ ..] if !callers.is_empty() => Some((inner.key(), format!("{callers:?}"))),
        _ => None,
    }
}

/// Returns the line of each branch. R8 keeps the lines of instructions that can throw, so a branch
/// has the line of the last such instruction in its block; in a block without one, the line before
/// continues.
fn lines(
    code: &dex::Code,
    addresses: &[u32],
    cfg: &Cfg,
    branches: &[(BlockId, u64)],
) -> Vec<Option<u32>> {
    let are_addresses = !code.has_lines();
    let mut branches = branches.iter().map(|b| cfg.block(b.0)).peekable();
    let (mut line, mut recorded) = (None, None);
    let mut out = Vec::new();
    for (node, at) in code.nodes.iter().zip(0..) {
        if branches.peek().is_some_and(|block| block.first == at) {
            recorded = None;
        }
        match &node.item {
            Item::Debug(DebugEvent::Line(l)) => line = Some(*l),
            Item::Insn(insn) => {
                if are_addresses {
                    line = Some(addresses[at]);
                }
                if insn.op.can_throw() {
                    recorded = line;
                }
            }
            _ => {}
        }
        if branches.next_if(|block| block.last == at).is_some() {
            out.push(recorded.or(line));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use dex::Dex;
    use dex::Version;
    use model::mapping::Mapping;

    use super::*;
    use crate::analysis::program::{CallTargets, DexFile, MethodNo, Program};
    use crate::analysis::source_names::SourceNames;
    use crate::plan::selection::select;

    /// Four branches: one of the method itself, two of two calls of one method, and one in a block
    /// that cannot throw, so that the line before continues.
    const CODE: &str = "\
.class public La/a;
.super Ljava/lang/Object;
.field f:I
.method a(La/a;)V
.code registers=3 ins=2
.debug line 1 parameters \"a\"
    .line 1
    iget v0, v2, La/a;->f:I
    if-lez v0, :out
    .line 2
    iget v0, v2, La/a;->f:I
    if-lez v0, :out
    .line 3
    iget v0, v2, La/a;->f:I
    if-lez v0, :out
    if-gtz v0, :out
    nop
:out
    return-void
.end method
";
    const MAPPING: &str = "\
# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}
org.A -> a.a:
    1:1:void run(org.A):10:10 -> a
    2:2:boolean org.B.is(org.A):20:20 -> a
    2:2:void run(org.A):11 -> a
    3:3:boolean org.B.is(org.A):20:20 -> a
    3:3:void run(org.A):12 -> a
";

    #[test]
    fn branches_are_grouped_by_the_call_that_inlined_them() {
        let mut dex = Dex::new(Version(35));
        dex::text::parse_classes(CODE, &mut dex).expect("parses");
        let dex = Dex::read(&dex.write().expect("writes")).expect("reads");
        let program = Program::new(vec![DexFile { name: "classes.dex".into(), dex }]);
        let mapping = Mapping::parse(MAPPING).expect("a mapping");
        let names = SourceNames::new(&program, Some(&mapping));
        let texts = Default::default();
        let outside = crate::analysis::by_convention::Outside::FirstRelease(&texts);
        let recording = model::recording::Recording::ARITH;
        let none = Default::default();
        let selection =
            select(&CallTargets::of(&program), &names, recording.into(), &|_| None, &none, outside);
        let of = |_, s: &crate::plan::subject::Summary| (s.no, s.inlined.to_vec());
        let found = selection.subjects.map(of);
        let is = |branches: &[u32]| InlinedBranches {
            key: "Lorg/B;->is(Lorg/A;)Z".into(),
            branches: branches.into(),
        };
        let want = (MethodNo(0), vec![is(&[1]), is(&[2, 3])]);
        assert_eq!(found.iter().collect::<Vec<_>>(), [&want]);
    }
}
