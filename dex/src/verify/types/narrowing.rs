//! Types that ART takes from a branch on the result of `instance-of`.
//!
//! Compilers leave a `check-cast` out where the object's class has just been tested. ART's verifier
//! finds the type by looking at the instructions before the branch (`method_verifier.cc`, the same
//! in Android 10, 11 and 14):
//!
//! ```text
//! move-object  vY, vZ       optional
//! instance-of  vX, vY, T    no branch target, or vZ keeps its type
//! if-eqz       vX, …        no branch target; vX is not vY
//! ```
//!
//! On the edge where the object is a T, vY and vZ hold a T. Any other instruction in between, or a
//! branch that leads in between, ends this: what follows then uses an `Object` as a T, and the
//! class does not load.

use std::collections::{BTreeMap, HashSet};

use crate::code::insn::{Args, Ref};
use crate::code::opcode::Op;
use crate::code::{Code, Handlers, Item};
use crate::ids::*;

/// An object whose type is narrowed on one edge of a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Narrowing {
    /// The type.
    pub ty: TypeIdx,
    /// The register that `instance-of` tests.
    pub object: Reg,
    /// The register that a `move-object` right before copied to it.
    pub source: Option<Reg>,
    /// True if the object has the type where the branch is taken, false if where it is not.
    pub when_taken: bool,
}

/// An `instance-of` that the next instruction may branch on.
struct Test {
    result: Reg,
    ty: TypeIdx,
    object: Reg,
    source: Option<Reg>,
}

/// Finds the branches of a body that narrow a type, by their nodes.
pub fn narrowings(code: &Code) -> BTreeMap<usize, Narrowing> {
    let mut found = BTreeMap::new();
    if !code.insns().any(|(_, insn)| insn.op == Op::InstanceOf) {
        return found;
    }
    let targets = targets(code);
    let (mut copy, mut test): (Option<(Reg, Reg)>, Option<Test>) = (None, None);
    for (n, node) in code.nodes.iter().enumerate() {
        let insn = match &node.item {
            Item::Insn(insn) => insn,
            Item::Label(label) => {
                if targets.contains(label) {
                    (copy, test) = (None, None);
                }
                continue;
            }
            Item::Debug(_) => continue,
        };
        let (last_copy, last_test) = (copy.take(), test.take());
        match (insn.op, insn.args) {
            (Op::MoveObject | Op::MoveObjectFrom16 | Op::MoveObject16, Args::AB(to, from)) => {
                copy = Some((to, from));
            }
            (Op::InstanceOf, Args::ABRef(result, object, Ref::Type(ty))) if result != object => {
                let source = last_copy.filter(|&(to, from)| to == object && from != result);
                test = Some(Test { result, ty, object, source: source.map(|(_, from)| from) });
            }
            (Op::IfEqz | Op::IfNez, Args::AJump(r, _)) => {
                if let Some(Test { ty, object, source, .. }) = last_test.filter(|t| t.result == r) {
                    let when_taken = insn.op == Op::IfNez;
                    found.insert(n, Narrowing { ty, object, source, when_taken });
                }
            }
            _ => {}
        }
    }
    found
}

/// Labels that something leads to: ART calls nothing else a branch target.
fn targets(code: &Code) -> HashSet<Label> {
    let jumps = code.insns().flat_map(|(_, insn)| code.targets(insn));
    let handlers = code.tries.iter().flat_map(Handlers::labels);
    jumps.chain(handlers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::debug::DebugEvent;
    use crate::code::{Handlers, Node};
    use crate::file::{Body, Dex};

    /// The code of a static method `(Object)V` with these lines and eight registers.
    fn code(lines: &str) -> Code {
        let mut dex = Dex::new(crate::Version(35));
        let text = format!(
            ".class public La;\n.super Ljava/lang/Object;\n.method static m(Ljava/lang/Object;)V\n\
             .code registers=8 ins=1\n{lines}\n    return-void\n.end method\n"
        );
        crate::text::parse_classes(&text, &mut dex).expect("parses");
        match dex.codes.pop() {
            Some(Body::Edited(code)) => *code,
            _ => unreachable!("just parsed"),
        }
    }

    /// Object, source and edge of the only narrowing.
    fn only(code: &Code) -> Option<(u16, Option<u16>, bool)> {
        let all = narrowings(code);
        assert!(all.len() < 2, "{all:?}");
        let narrowing = all.into_values().next()?;
        Some((narrowing.object.0, narrowing.source.map(|r| r.0), narrowing.when_taken))
    }

    const TEST: &str = "    instance-of v0, v7, La;\n    if-eqz v0, :end\n:end";

    #[test]
    fn the_edge_is_the_one_where_the_object_is_of_the_type() {
        assert_eq!(only(&code(TEST)), Some((7, None, false)));
        assert_eq!(only(&code(&TEST.replace("if-eqz", "if-nez"))), Some((7, None, true)));
        assert_eq!(only(&code(&TEST.replace("if-eqz", "if-ltz"))), None);
    }

    #[test]
    fn the_branch_is_on_the_result_of_another_register() {
        assert_eq!(only(&code(&TEST.replace("if-eqz v0", "if-eqz v1"))), None);
        assert_eq!(only(&code(&TEST.replace("v0", "v7"))), None);
    }

    #[test]
    fn any_instruction_in_between_ends_it_but_lines_do_not() {
        assert_eq!(only(&code(&TEST.replace("    if", "    nop\n    if"))), None);
        let mut lines = code(TEST);
        let line = Node { item: Item::Debug(DebugEvent::Line(7)), try_id: None };
        lines.nodes.insert(1, line);
        assert_eq!(only(&lines), Some((7, None, false)));
    }

    #[test]
    fn only_a_label_that_something_leads_to_is_a_branch_target() {
        let unused = TEST.replace("    if", ":unused\n    if");
        assert_eq!(only(&code(&unused)), Some((7, None, false)));
        let jump = format!("{unused}\n    goto :unused");
        assert_eq!(only(&code(&jump)), None);
        let mut handler = code(&unused);
        let label = handler.nodes.iter().find_map(|n| match n.item {
            Item::Label(label) => Some(label),
            _ => None,
        });
        handler.tries.push(Handlers { catches: Vec::new(), catch_all: label });
        assert_eq!(only(&handler), None);
    }

    #[test]
    fn what_was_moved_right_before_is_narrowed_too() {
        let moved =
            "    move-object v1, v7\n    instance-of v0, v1, La;\n    if-eqz v0, :end\n:end";
        assert_eq!(only(&code(moved)), Some((1, Some(7), false)));
        let from_high = moved.replace("move-object", "move-object/from16");
        assert_eq!(only(&code(&from_high)), Some((1, Some(7), false)));
        let other = moved.replace("v1, v7", "v2, v7");
        assert_eq!(only(&code(&other)), Some((1, None, false)));
        let earlier = moved.replace("    instance-of", "    nop\n    instance-of");
        assert_eq!(only(&code(&earlier)), Some((1, None, false)));
        let overwritten = moved.replace("v7", "v0");
        assert_eq!(only(&code(&overwritten)), Some((1, None, false)));
        let target = moved.replace("    instance-of", ":again\n    instance-of");
        let target = format!("{target}\n    goto :again");
        assert_eq!(only(&code(&target)), Some((1, None, false)));
    }
}
