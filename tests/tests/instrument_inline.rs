//! Calls that are replaced by their callees' code, and calls that must stay. One hazard, one test;
//! `tests/truth/fixtures/inline` and programs of seeds from 1,000 on try the replaced ones on ART.

use dex::EncodedMethod;
use dex::{
    AccessFlags, Args, Body, Code, CodeId, Dex, Handlers, Insn, Item, Label, Node, Op, Ref, Reg,
    RegList, TryId, Version,
};
use instrumenter::{Inline, Options, Output, RecordingOptions, RuntimeHome, instrument};
use model::recording::{Recording, TraceCodec};

const STATIC: AccessFlags = AccessFlags::STATIC;
const PRIVATE: AccessFlags = AccessFlags::PRIVATE;
const FINAL: AccessFlags = AccessFlags::FINAL;
const SYNCHRONIZED: AccessFlags = AccessFlags::SYNCHRONIZED;
const OUT: Label = Label(0);
const HANDLER: Label = Label(1);

fn plain(op: Op, args: Args) -> Node {
    Node { item: Item::Insn(Insn { op, args }), try_id: None }
}

fn label(l: Label) -> Node {
    Node { item: Item::Label(l), try_id: None }
}

/// `if (p > 0) …; return p`, with these nodes where the dots are; `p` is the last of
/// `registers` registers.
fn callee(registers: u16, ins: u16, nodes: Vec<Node>) -> Code {
    let p = Reg(registers - 1);
    let mut all = vec![plain(Op::IfLez, Args::AJump(p, OUT))];
    all.extend(nodes);
    all.extend([label(OUT), plain(Op::Return, Args::A(p))]);
    Code { registers, ins, nodes: all, next_label: 2, ..Code::default() }
}

fn short() -> Code {
    callee(2, 1, vec![plain(Op::AddIntLit8, Args::ABLit(Reg(0), Reg(1), 1))])
}

/// The call that a test is about.
struct Call {
    /// Of the callee.
    access: AccessFlags,
    callee: Code,
    op: Op,
    /// In a range with a handler.
    guarded: bool,
    /// Nodes before the call, which then takes `v0` for its object.
    before: Vec<Node>,
    /// The callee's class.
    class: &'static str,
    options: Options,
}

impl Default for Call {
    fn default() -> Self {
        let options = Options { inline: Inline::All, ..Options::default() };
        Call {
            access: STATIC | PRIVATE,
            callee: short(),
            op: Op::InvokeStatic,
            guarded: false,
            before: Vec::new(),
            class: "Lp/C;",
            options,
        }
    }
}

impl Call {
    /// A method `m(I)I` of `Lp/C;` calls `c(I)I`, statically or on its own object.
    fn instrument(self) -> Output {
        let mut dex = Dex::new(Version(35));
        let called = dex.intern_method(self.class, "c", "I", &["I"]);
        let caller = dex.intern_method("Lp/C;", "m", "I", &["I"]);
        let is_static = self.access.contains(STATIC);
        let receiver = u16::from(!is_static);
        let mut arguments: Vec<Reg> = (0..=receiver).map(|r| Reg(2 + r)).collect();
        if !self.before.is_empty() {
            arguments[0] = Reg(0);
        }
        let list = RegList::new(&arguments).expect("low registers");
        let mut nodes = vec![
            plain(self.op, Args::List(list, Ref::Method(called))),
            plain(Op::MoveResult, Args::A(Reg(1))),
            plain(Op::Return, Args::A(Reg(1))),
        ];
        let mut tries = Vec::new();
        if self.guarded {
            nodes[0].try_id = Some(TryId(0));
            tries.push(Handlers { catches: Vec::new(), catch_all: Some(HANDLER) });
            nodes.extend([
                label(HANDLER),
                plain(Op::MoveException, Args::A(Reg(0))),
                plain(Op::Throw, Args::A(Reg(0))),
            ]);
        }
        nodes.splice(0..0, self.before);
        let ins = 1 + receiver;
        let code = Code {
            registers: 2 + ins,
            ins,
            outs: ins,
            nodes,
            tries,
            next_label: 2,
            ..Code::default()
        };
        dex.codes.extend([Body::from(code), Body::from(self.callee)]);
        let method = |method, access, code| EncodedMethod {
            method,
            access,
            code: Some(CodeId(code)),
            hiddenapi: None,
        };
        let (first, second) =
            (method(caller, self.access & STATIC, 0), method(called, self.access, 1));
        if self.class != "Lp/C;" {
            tests::add_class(&mut dex, "Lp/C;", vec![first]);
            tests::add_class(&mut dex, self.class, vec![second]);
        } else if is_static {
            let mut all = vec![first, second];
            all.sort_by_key(|m| m.method.0);
            tests::add_class(&mut dex, "Lp/C;", all);
        } else {
            let (direct, mut others): (Vec<_>, Vec<_>) =
                [first, second].into_iter().partition(|m| m.access.contains(PRIVATE));
            others.sort_by_key(|m| m.method.0);
            tests::add_class(&mut dex, "Lp/C;", direct);
            dex.classes[0].virtual_methods = others;
        }
        let input = vec![("classes.dex".to_owned(), dex.write().expect("writes"))];
        let out = instrument(input, RuntimeHome::OwnFile, "", &self.options).expect("instruments");
        assert!(out.report.skipped.is_empty(), "{:?}", out.report.skipped);
        out
    }

    fn replaced(self) -> bool {
        self.instrument().report.inlined == 1
    }
}

/// A call of a method of the caller's own object.
fn of_object(access: AccessFlags) -> Call {
    let callee = callee(3, 2, vec![plain(Op::AddIntLit8, Args::ABLit(Reg(0), Reg(2), 1))]);
    Call { access, callee, op: Op::InvokeDirect, ..Call::default() }
}

#[test]
fn a_short_method_that_branches_stands_in_place_of_its_call() {
    let out = Call::default().instrument();
    assert_eq!(out.report.inlined, 1);
    let dex = Dex::read(&out.files[0].1).expect("reads");
    let class = dex.classes.iter().find(|c| dex.type_name(c.ty) == "Lp/C;").expect("is there");
    let caller =
        class.methods().find(|m| dex.method_name(m.method).contains("->m(")).expect("is there");
    let Body::Raw(raw) = &dex.codes[caller.code.expect("has code").0 as usize] else {
        unreachable!("just read")
    };
    let code = dex::decode(raw).expect("decodes");
    let calls: Vec<String> = code
        .insns()
        .filter(|(_, i)| i.op.is_invoke())
        .filter_map(|(_, i)| match i.reference() {
            Some(Ref::Method(m)) => {
                Some(dex.method_name(m).rsplit("->").next()?.split('(').next()?.to_owned())
            }
            _ => None,
        })
        .collect();
    // Entry; the branch of the callee; the exit of the caller. Nothing counts the callee's entry
    // and exit.
    assert_eq!(calls, ["enterGuarded", "positive0", "exitGuarded", "unwound"]);
}

#[test]
fn without_a_model_nothing_is_hot() {
    assert!(!Call { options: Options::default(), ..Call::default() }.replaced());
}

#[test]
fn never_means_never() {
    let options = Options { inline: Inline::Never, ..Options::default() };
    assert!(!Call { options, ..Call::default() }.replaced());
}

#[test]
fn what_may_throw_keeps_its_frame() {
    let divide = plain(Op::DivInt, Args::ABC(Reg(0), Reg(1), Reg(1)));
    assert!(!Call { callee: callee(2, 1, vec![divide]), ..Call::default() }.replaced());
}

#[test]
fn what_goes_round_stays_a_call() {
    let again = vec![
        plain(Op::AddIntLit8, Args::ABLit(Reg(1), Reg(1), -1)),
        plain(Op::IfGtz, Args::AJump(Reg(1), HANDLER)),
    ];
    let mut code = callee(2, 1, again);
    code.nodes.insert(0, label(HANDLER));
    assert!(!Call { callee: code, ..Call::default() }.replaced());
}

#[test]
fn in_a_range_an_overflow_must_reach_the_handler() {
    assert!(!Call { guarded: true, ..Call::default() }.replaced());
}

#[test]
fn a_synchronized_method_takes_its_lock() {
    assert!(!Call { access: STATIC | SYNCHRONIZED, ..Call::default() }.replaced());
}

#[test]
fn another_class_may_have_to_be_initialised() {
    assert!(!Call { class: "Lp/D;", access: STATIC, ..Call::default() }.replaced());
}

#[test]
fn a_method_that_a_class_loaded_later_may_override_stays_a_call() {
    let on_itself = |access| Call { op: Op::InvokeVirtual, ..of_object(access) };
    assert!(!on_itself(AccessFlags::empty()).replaced());
    assert!(on_itself(FINAL).replaced());
}

#[test]
fn a_private_method_is_replaced_where_its_object_is_the_callers_own() {
    let call = || of_object(PRIVATE);
    let (this, null) = (Args::AB(Reg(0), Reg(2)), Args::ALit(Reg(0), 0));
    assert!(call().replaced());
    assert!(Call { before: vec![plain(Op::MoveObject, this)], ..call() }.replaced());
    assert!(!Call { before: vec![plain(Op::Const4, null)], ..call() }.replaced());
    assert!(
        !Call { before: vec![plain(Op::Const4, null), plain(Op::MoveObject, this)], ..call() }
            .replaced()
    );
}

#[test]
fn codecs_that_number_blocks_or_activations_keep_the_call() {
    for recording in [Recording::Trace(TraceCodec::Pap), Recording::Trace(TraceCodec::Blocks)] {
        let options = Options {
            recording: RecordingOptions::defaults_of(recording).unwrap(),
            inline: Inline::All,
            ..Options::default()
        };
        assert!(!Call { options, ..Call::default() }.replaced(), "{recording:?}");
    }
}
