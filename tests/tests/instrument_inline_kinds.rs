//! Callees whose registers change their kind, in place of their calls: one hazard, one test. The
//! judge is the check of register kinds (`dex::verify::types`); random ones of the sort, before
//! ART's own verifier, are `cargo xtask truth inline`.

use dex::verify::types::TypeChecker;
use dex::{
    AccessFlags, Args, Body, Code, CodeId, Dex, EncodedMethod, Insn, Item, Label, Node, Op, Ref,
    Reg, RegList, Version,
};
use instrumenter::{Inline, Options, RuntimeHome, instrument};

const STATIC: AccessFlags = AccessFlags::STATIC;
const OUT: Label = Label(0);

fn insn(op: Op, args: Args) -> Node {
    Node { item: Item::Insn(Insn { op, args }), try_id: None }
}

fn out() -> Node {
    Node { item: Item::Label(OUT), try_id: None }
}

/// `const/4`, `move-wide` and the like by their registers.
fn ab(op: Op, a: u16, b: u16) -> Node {
    insn(op, Args::AB(Reg(a), Reg(b)))
}

fn abc(op: Op, a: u16, b: u16, c: u16) -> Node {
    insn(op, Args::ABC(Reg(a), Reg(b), Reg(c)))
}

fn lit(op: Op, a: u16, value: i64) -> Node {
    insn(op, Args::ALit(Reg(a), value))
}

fn a(op: Op, r: u16) -> Node {
    insn(op, Args::A(Reg(r)))
}

fn unless_positive(r: u16) -> Node {
    insn(Op::IfLez, Args::AJump(Reg(r), OUT))
}

/// A static method of `Lp/C;`.
struct Method<'a> {
    registers: u16,
    ins: u16,
    takes: &'a [&'a str],
    gives: &'a str,
    nodes: Vec<Node>,
}

/// Instruments `m`, whose `invoke-static` calls `c`, with everything inlined that can be;
/// whether that was done. Every body of the result must hold what its instructions take.
fn inlined(callee: Method<'_>, caller: Method<'_>, passes: &[u16]) -> bool {
    let mut dex = Dex::new(Version(35));
    let called = dex.intern_method("Lp/C;", "c", callee.gives, callee.takes);
    let calling = dex.intern_method("Lp/C;", "m", caller.gives, caller.takes);
    let regs: Vec<Reg> = passes.iter().copied().map(Reg).collect();
    let mut nodes = caller.nodes;
    for node in &mut nodes {
        if let Item::Insn(Insn { op: Op::InvokeStatic, args }) = &mut node.item {
            *args = Args::List(RegList::new(&regs).expect("low registers"), Ref::Method(called));
        }
    }
    let code = |registers, ins, nodes| {
        Body::from(Code { registers, ins, outs: 5, nodes, next_label: 1, ..Code::default() })
    };
    dex.codes.push(code(caller.registers, caller.ins, nodes));
    dex.codes.push(code(callee.registers, callee.ins, callee.nodes));
    let method = |method, code| EncodedMethod {
        method,
        access: STATIC,
        code: Some(CodeId(code)),
        hiddenapi: None,
    };
    let mut all = vec![method(calling, 0), method(called, 1)];
    all.sort_by_key(|m| m.method.0);
    tests::add_class(&mut dex, "Lp/C;", all);
    let input = dex.write().expect("writes");
    check(&input);
    let options = Options { inline: Inline::All, ..Options::default() };
    let files = vec![("classes.dex".to_owned(), input)];
    let out = instrument(files, RuntimeHome::OwnFile, "", &options).expect("instruments");
    assert!(out.report.skipped.is_empty(), "{:?}", out.report.skipped);
    check(&out.files[0].1);
    out.report.inlined == 1
}

/// Every body of a file.
fn check(bytes: &[u8]) {
    let dex = Dex::read(bytes).expect("reads");
    let checker = TypeChecker::new(&dex);
    for m in dex.classes.iter().flat_map(|c| c.methods()) {
        let Some(Body::Raw(raw)) = m.code.map(|c| &dex.codes[c.0 as usize]) else { continue };
        let code = dex::decode(raw).expect("decodes");
        let lines: Vec<String> = code.nodes.iter().map(|n| format!("{:?}", n.item)).collect();
        let found = checker.check(m.method, m.access, &code);
        found
            .unwrap_or_else(|e| panic!("{}: {e}\n{}", dex.method_name(m.method), lines.join("\n")));
    }
}

/// The call, its `int` result in a register, and what follows.
fn call(to: u16) -> [Node; 2] {
    [insn(Op::InvokeStatic, Args::None), a(Op::MoveResult, to)]
}

/// `m(DI)I`, which calls with its `double` twice and needs the `int`s in `v0` and `v5` after the
/// call; `v1`, `v4` and the parameters are free then.
fn two_doubles() -> Method<'static> {
    let ints = [
        lit(Op::Const4, 0, 7),
        lit(Op::Const4, 1, 5),
        lit(Op::Const4, 4, 1),
        lit(Op::Const4, 5, 3),
    ];
    let before = [ab(Op::MoveWide, 2, 6)].into_iter().chain(ints);
    let fork = [
        unless_positive(8),
        abc(Op::AddInt, 1, 1, 8),
        abc(Op::AddInt, 1, 1, 4),
        a(Op::Return, 1),
        out(),
    ];
    let sum = [
        ab(Op::DoubleToInt, 3, 2),
        abc(Op::AddInt, 6, 6, 3),
        abc(Op::AddInt, 6, 6, 0),
        abc(Op::AddInt, 6, 6, 5),
    ];
    let after = sum.into_iter().chain([a(Op::Return, 6)]);
    let nodes = before.chain(fork).chain(call(6)).chain(after).collect();
    Method { registers: 9, ins: 3, takes: &["D", "I"], gives: "I", nodes }
}

#[test]
fn a_wide_parameter_that_nothing_reads_keeps_two_registers_side_by_side() {
    // The first parameter's second half becomes an int, its first one a wide value's second half.
    let nodes = vec![
        lit(Op::Const4, 2, 1),
        ab(Op::IntToDouble, 0, 2),
        abc(Op::CmpgDouble, 3, 4, 0),
        insn(Op::IfGez, Args::AJump(Reg(3), OUT)),
        lit(Op::Const4, 2, 3),
        out(),
        a(Op::Return, 2),
    ];
    let callee = Method { registers: 6, ins: 4, takes: &["D", "D"], gives: "I", nodes };
    assert!(inlined(callee, two_doubles(), &[6, 7, 2, 3]));
}

#[test]
fn each_half_of_a_dead_wide_parameter_may_become_something_narrow() {
    let nodes = vec![
        lit(Op::ConstHigh16, 1, 0x3F80_0000),
        lit(Op::Const4, 2, 1),
        abc(Op::MulFloat, 1, 1, 1),
        ab(Op::FloatToInt, 0, 1),
        unless_positive(0),
        abc(Op::AddInt, 2, 2, 0),
        out(),
        a(Op::Return, 2),
    ];
    let callee = Method { registers: 5, ins: 4, takes: &["D", "D"], gives: "I", nodes };
    assert!(inlined(callee, two_doubles(), &[2, 3, 6, 7]));
}

#[test]
fn a_wide_value_may_lie_across_two_parameters() {
    // v1 v2 | v3 v4 become v0 | v1 | v2 v3 | v4.
    let nodes = vec![
        ab(Op::DoubleToInt, 0, 3),
        ab(Op::IntToLong, 2, 0),
        ab(Op::LongToInt, 1, 2),
        unless_positive(1),
        abc(Op::AddInt, 1, 1, 0),
        out(),
        a(Op::Return, 1),
    ];
    let callee = Method { registers: 5, ins: 4, takes: &["D", "D"], gives: "I", nodes };
    assert!(inlined(callee, two_doubles(), &[2, 3, 6, 7]));
}

#[test]
fn a_local_pair_that_is_overwritten_by_halves_stays_a_pair() {
    let nodes = vec![
        ab(Op::NegDouble, 0, 3),
        ab(Op::DoubleToInt, 2, 0),
        lit(Op::Const4, 1, 3),
        unless_positive(2),
        abc(Op::AddInt, 1, 1, 2),
        out(),
        a(Op::Return, 1),
    ];
    let callee = Method { registers: 7, ins: 4, takes: &["D", "D"], gives: "I", nodes };
    assert!(inlined(callee, two_doubles(), &[2, 3, 6, 7]));
}

#[test]
fn a_dead_wide_parameter_needs_no_register_that_the_caller_does_not_have() {
    // The caller has no free register, so the callee's are new ones. The second half of the dead
    // parameter is used where only low registers are reached, so it comes first; the first half
    // comes last, and a wide value there would end behind the frame.
    let nodes = vec![
        ab(Op::NegInt, 2, 0),
        insn(Op::AddIntLit8, Args::ABLit(Reg(1), Reg(0), 2)),
        unless_positive(0),
        abc(Op::AddInt, 1, 1, 2),
        out(),
        a(Op::Return, 1),
    ];
    let callee = Method { registers: 3, ins: 3, takes: &["I", "D"], gives: "I", nodes };
    let nodes = [unless_positive(0), a(Op::Return, 0), out()].into_iter();
    let after = [
        ab(Op::DoubleToInt, 1, 1),
        abc(Op::AddInt, 0, 0, 1),
        abc(Op::AddInt, 0, 0, 3),
        a(Op::Return, 0),
    ];
    let nodes = nodes.chain(call(3)).chain(after).collect();
    let caller = Method { registers: 4, ins: 4, takes: &["I", "D", "I"], gives: "I", nodes };
    assert!(inlined(callee, caller, &[0, 1, 2]));
}
