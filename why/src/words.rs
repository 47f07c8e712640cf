//! Instructions and places in words.

use std::collections::{BTreeSet, HashSet};

use decoder::replay::{BlockNo, Program};
use dex::{Args, Insn, Op, Ref};
use model::descriptors::{dotted_name, split_type};
use model::map::{Block, CodeOrigin, Map, Method, MethodId};

use crate::code::{AppCode, MethodBody};
use crate::explanation::SourceLocation;

/// The place of an address of a method, in the source.
pub(crate) fn target(map: &Map, method: &Method, block: &Block, pc: u32) -> SourceLocation {
    let before = block.lines.iter().rev().filter(|l| l.0 <= pc);
    let after = block.lines.iter().filter(|l| l.0 > pc);
    let mut all = before.chain(after).map(|l| place(map, method, l.1));
    let own = all.next().unwrap_or_else(|| place(map, method, CodeOrigin::Line(0)));
    if own.line.is_some() {
        return own;
    }
    match all.find(|target| target.line.is_some()) {
        Some(near) => SourceLocation { near: true, ..near },
        None => own,
    }
}

fn place(map: &Map, method: &Method, place: CodeOrigin) -> SourceLocation {
    if let CodeOrigin::At(id) = place
        && let Some(frame) = map.places.frames(id).next()
        && let Some(source) = map.places.sources.get(frame.method as usize)
    {
        let file = source.file.map(|f| map.name(f).to_owned());
        let line = Some(frame.line).filter(|&l| l > 0);
        return named(map.name(source.class), map.name(source.name), file, line);
    }
    let file = method.source_file.map(|f| map.name(f).to_owned());
    named(map.name(method.class), map.name(method.name), file, place.own_line())
}

/// Names of the source files that a build has code of.
pub fn source_files(map: &Map) -> BTreeSet<&str> {
    let own = map.methods.iter().filter_map(|m| m.source_file);
    let inlined = map.places.sources.iter().filter_map(|source| source.file);
    own.chain(inlined).map(|name| map.name(name)).collect()
}

/// True if a line of a source file has code in a build.
pub fn has_code(program: &Program<'_>, file: &str, line: u32) -> bool {
    !blocks_of_line(program, file, line).is_empty()
}

/// The blocks that have instructions of a line of a source file.
pub(crate) fn blocks_of_line(program: &Program<'_>, file: &str, line: u32) -> HashSet<BlockNo> {
    let map = program.map;
    let mut blocks = HashSet::new();
    for (id, method) in (1..).map(MethodId).zip(&map.methods) {
        for (number, block) in method.blocks.iter().enumerate() {
            let is_on_line = |pc: u32| {
                let at = target(map, method, block, pc);
                at.line == Some(line) && at.file.as_deref() == Some(file)
            };
            if block.lines.iter().any(|l| l.0 < block.end && is_on_line(l.0.max(block.pc))) {
                blocks.extend(program.block(id, number));
            }
        }
    }
    blocks
}

fn named(class: &str, name: &str, file: Option<String>, line: Option<u32>) -> SourceLocation {
    let package = class.strip_prefix('L').unwrap_or(class).rsplit_once('/').map_or("", |p| p.0);
    let method = format!("{}.{name}", dotted_name(class));
    SourceLocation { method, package: package.to_owned(), file, line, near: false }
}

/// `Cls.name` for `Lpkg/Cls;->name(I)V` and `Lpkg/Cls;->name:I`.
pub(crate) fn short(member: &str) -> String {
    let (class, name) = member.split_once("->").unwrap_or(("", member));
    let class = dotted_name(class);
    let class = class.rsplit('.').next().unwrap_or_default();
    let name = name.split(['(', ':']).next().unwrap_or(name);
    match class.is_empty() {
        true => name.to_owned(),
        false => format!("{class}.{name}"),
    }
}

/// The action of an instruction.
pub(crate) fn insn(code: &AppCode<'_>, body: &MethodBody, insn: &Insn) -> String {
    let op = insn.op.name();
    match (insn.reference(), insn.args) {
        (Some(Ref::Method(_)), _) => {
            format!("calls {}()", short(&code.callee(body, insn).unwrap_or_default()))
        }
        (Some(Ref::Field(_)), _) => {
            let field = short(&code.field(body, insn).unwrap_or_default());
            let verb = if op.contains("put") { "sets" } else { "reads" };
            format!("{verb} field {field}")
        }
        (Some(Ref::Type(ty)), _) => {
            let descriptor = code.dex(body).type_name(ty);
            let name = match split_type(&descriptor, &|class| code.source_name(class)) {
                Some((name, "")) => name,
                _ => descriptor.to_string(),
            };
            match insn.op {
                Op::NewInstance | Op::NewArray | Op::FilledNewArray | Op::FilledNewArrayRange => {
                    format!("creates {name}")
                }
                Op::CheckCast => format!("casts to {name}"),
                Op::InstanceOf => format!("tests for {name}"),
                _ => format!("{op} {name}"),
            }
        }
        (Some(Ref::String(text)), _) => {
            let text = code.dex(body).string(text);
            let cut: String = text.chars().take(40).collect();
            format!("constant {:?}", cut)
        }
        (_, Args::ALit(_, value)) => constant(value),
        (_, Args::ABLit(_, _, value)) => format!("{} (with {value})", computed(op)),
        _ if insn.op.is_return() => "returns".to_owned(),
        _ if op.starts_with("aget") => "reads an array element".to_owned(),
        _ if op.starts_with("aput") => "sets an array element".to_owned(),
        _ if insn.op == Op::Throw => "throws".to_owned(),
        _ if insn.op == Op::ArrayLength => "reads the length of an array".to_owned(),
        _ if op.starts_with("if-") || insn.op.is_switch() => "branches".to_owned(),
        _ => computed(op),
    }
}

/// An operation on numbers: `add-int/lit8`, `cmpl-float`, `int-to-long`.
fn computed(op: &str) -> String {
    let (verb, _) = op.split_once('-').unwrap_or((op, ""));
    let verb = match verb {
        "add" => "adds",
        "sub" | "rsub" => "subtracts",
        "mul" => "multiplies",
        "div" => "divides",
        "rem" => "computes a remainder",
        "and" | "or" | "xor" | "not" => "combines bits",
        "shl" | "shr" | "ushr" => "shifts bits",
        "neg" => "negates",
        "cmp" | "cmpl" | "cmpg" => "compares",
        _ if op.contains("-to-") => "converts a number",
        _ => return op.to_owned(),
    };
    verb.to_owned()
}

fn constant(value: i64) -> String {
    match value {
        // One instruction loads all three.
        0 => "constant 0, false or null".to_owned(),
        _ => format!("constant {value}"),
    }
}

/// The outcome of a branch: what is known of its operands.
pub(crate) fn outcome(insn: &Insn, taken: bool) -> String {
    let known = |yes: &str, no: &str| (if taken { yes } else { no }).to_owned();
    match insn.op {
        Op::IfEqz => known("the value is 0, false or null", "the value is not 0, false or null"),
        Op::IfNez => known("the value is not 0, false or null", "the value is 0, false or null"),
        Op::IfLtz => known("the value is < 0", "the value is ≥ 0"),
        Op::IfGez => known("the value is ≥ 0", "the value is < 0"),
        Op::IfGtz => known("the value is > 0", "the value is ≤ 0"),
        Op::IfLez => known("the value is ≤ 0", "the value is > 0"),
        Op::IfEq => known("both are equal", "they differ"),
        Op::IfNe => known("they differ", "both are equal"),
        Op::IfLt => known("the first is < the second", "the first is ≥ the second"),
        Op::IfGe => known("the first is ≥ the second", "the first is < the second"),
        Op::IfGt => known("the first is > the second", "the first is ≤ the second"),
        Op::IfLe => known("the first is ≤ the second", "the first is > the second"),
        _ if insn.op.is_switch() => known("a case of the switch", "no case of the switch"),
        _ => "the branch went here".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_named_by_class_and_name() {
        assert_eq!(short("Lcom/example/Net;->up(I)V"), "Net.up");
        assert_eq!(short("Lcom/example/Net;->state:I"), "Net.state");
    }

    #[test]
    fn a_branch_that_falls_through_has_the_opposite_outcome() {
        let label = dex::Label(0);
        let insn = Insn { op: Op::IfLtz, args: Args::AJump(dex::Reg(0), label) };
        assert_eq!(outcome(&insn, true), "the value is < 0");
        assert_eq!(outcome(&insn, false), "the value is ≥ 0");
    }
}
