//! A probe is a call, and a call can meet a full stack: while a monitor is held, the exception must
//! pass the handler that frees it. One hazard, one test; what runs on ART under a full stack is
//! `tests/truth/fixtures/monitors`.

use dex::EncodedMethod;
use dex::{
    AccessFlags, Args, Body, Code, CodeId, Dex, Handlers, Insn, Item, Label, Node, Op, Ref, Reg,
    RegList, TryId, Version,
};
use instrumenter::{Options, RecordingOptions, RuntimeHome, instrument};
use model::recording::{Recording, TraceCodec};

const V0: Reg = Reg(0);
/// The parameters: an object to lock, and an int.
const LOCK: Reg = Reg(1);
const INT: Reg = Reg(2);
const HANDLER: Label = Label(0);
const ELSE: Label = Label(1);

fn plain(op: Op, args: Args) -> Node {
    Node { item: Item::Insn(Insn { op, args }), try_id: None }
}

fn label(l: Label) -> Node {
    Node { item: Item::Label(l), try_id: None }
}

/// `static void m(Object, int)` with these nodes; `call` makes the node of a call inside the
/// handler's range.
fn woven(nodes: impl FnOnce(Node) -> Vec<Node>) -> Code {
    woven_with(None, Recording::ARITH, nodes)
}

/// The same with a branch, and what must hold of its probes: of the single one before the branch,
/// and of those on the edges, which another codec has.
fn each_form(nodes: impl Fn(Node) -> Vec<Node>, holds: impl Fn(&Code, Option<TryId>) -> bool) {
    for (recording, count) in [(Recording::ARITH, 1), (Recording::Trace(TraceCodec::Huffman), 2)] {
        let code = woven_with(None, recording, &nodes);
        let steps = probes(&code, STEP);
        assert_eq!(steps.len(), count, "{recording:?}: {code:#?}");
        assert!(steps.iter().all(|s| holds(&code, s.1)), "{recording:?}: {code:#?}");
    }
}

/// The same; `Exception`s of the range go to a label of their own, if there is one.
fn woven_with(
    typed: Option<Label>,
    recording: Recording,
    nodes: impl FnOnce(Node) -> Vec<Node>,
) -> Code {
    let mut dex = Dex::new(Version(35));
    let exception = dex.intern_type("Ljava/lang/Exception;");
    let called = dex.intern_method("Lother/C;", "called", "V", &[]);
    let list = RegList::new(&[]).expect("no register");
    let call = Insn { op: Op::InvokeStatic, args: Args::List(list, Ref::Method(called)) };
    let mut code = Code {
        registers: 3,
        ins: 2,
        nodes: nodes(Node { item: Item::Insn(call), try_id: Some(TryId(0)) }),
        tries: vec![Handlers {
            catches: typed.map(|l| (exception, l)).into_iter().collect(),
            catch_all: Some(HANDLER),
        }],
        next_label: 3,
        ..Code::default()
    };
    // A second range, for those that want one.
    if code.nodes.iter().any(|n| n.try_id == Some(TryId(1))) {
        code.tries.push(Handlers { catches: Vec::new(), catch_all: Some(ELSE) });
    }
    let method = dex.intern_method("Lmon/C;", "m", "V", &["Ljava/lang/Object;", "I"]);
    dex.codes.push(code.into());
    let direct_methods = vec![EncodedMethod {
        method,
        access: AccessFlags::STATIC,
        code: Some(CodeId(0)),
        hiddenapi: None,
    }];
    tests::add_class(&mut dex, "Lmon/C;", direct_methods);
    let input = vec![("classes.dex".to_owned(), dex.write().expect("writes"))];
    let options = Options {
        recording: RecordingOptions::defaults_of(recording).unwrap(),
        ..Options::default()
    };
    let out = instrument(input, RuntimeHome::OwnFile, "", &options).expect("instruments");
    assert!(out.report.skipped.is_empty());
    let dex = Dex::read(&out.files[0].1).expect("reads");
    let Body::Raw(raw) =
        &dex.codes[dex.classes[0].direct_methods[0].code.expect("has code").0 as usize]
    else {
        unreachable!("just read")
    };
    let mut code = dex::decode(raw).expect("decodes");
    // Calls into the runtime are recognised by their method's name, kept where the test can see it.
    code.debug = None;
    for node in &mut code.nodes {
        if let Item::Insn(Insn {
            args: Args::List(_, Ref::Method(m)) | Args::Range(_, _, Ref::Method(m)),
            ..
        }) = &mut node.item
        {
            let name = dex.method_name(*m);
            let number = [&["->zero1(", "->put("][..], &["->caught("]];
            let number = number.iter().position(|names| names.iter().any(|n| name.contains(n)));
            *m = dex::MethodIdx(number.map_or(9, |n| n as u32));
        }
    }
    code
}

const STEP: u32 = 0;
const CAUGHT: u32 = 1;

/// Positions of the probes of a kind, and their ranges.
fn probes(code: &Code, kind: u32) -> Vec<(usize, Option<TryId>)> {
    let is = |i: &Insn| i.reference() == Some(Ref::Method(dex::MethodIdx(kind)));
    code.insns().filter(|(_, i)| is(i)).map(|(n, _)| (n, code.nodes[n].try_id)).collect()
}

fn frees(code: &Code, t: Option<TryId>) -> bool {
    // The guard at the method's boundary has a catch-all, too: what follows its label frees
    // nothing.
    let Some(l) = t.and_then(|t| code.tries[t.0 as usize].catch_all) else { return false };
    let at = code.label_positions()[&l];
    code.insns().filter(|(n, _)| *n > at).take(3).any(|(_, i)| i.op == Op::MonitorExit)
}

/// The registers that the handler of a range frees before it rethrows, if it does nothing else:
/// not even a probe is in it, so it is none of the app's.
fn cleans_up(code: &Code, t: Option<TryId>) -> Option<Vec<Reg>> {
    let handlers = &code.tries[t?.0 as usize];
    let at = code.label_positions()[&handlers.catch_all.filter(|_| handlers.catches.is_empty())?];
    let mut ops = code.insns().skip_while(|(n, _)| *n < at).map(|(_, i)| (i.op, i.args));
    let Some((Op::MoveException, Args::A(exception))) = ops.next() else { return None };
    let mut freed = Vec::new();
    loop {
        match ops.next() {
            Some((Op::MonitorExit, Args::A(r))) => freed.push(r),
            Some((Op::Throw, Args::A(r))) if r == exception => return Some(freed),
            _ => return None,
        }
    }
}

/// The registers that the method locks, in the order of its code.
fn locked(code: &Code) -> Vec<Reg> {
    let enters = code.insns().filter(|(_, i)| i.op == Op::MonitorEnter);
    enters.filter_map(|(_, i)| if let Args::A(r) = i.args { Some(r) } else { None }).collect()
}

/// `move-exception v0, monitor-exit, throw`.
fn handler() -> Vec<Node> {
    let mut exit = plain(Op::MonitorExit, Args::A(LOCK));
    exit.try_id = Some(TryId(0));
    vec![label(HANDLER), plain(Op::MoveException, Args::A(V0)), exit, plain(Op::Throw, Args::A(V0))]
}

/// `synchronized (lock) { if (int == 0) v0 = 1; called(); }`, with the branch outside every range,
/// as d8 leaves it.
fn branch_then_call(call: Node) -> Vec<Node> {
    let mut nodes = vec![
        plain(Op::MonitorEnter, Args::A(LOCK)),
        plain(Op::IfEqz, Args::AJump(INT, ELSE)),
        plain(Op::Const4, Args::ALit(V0, 1)),
        label(ELSE),
        call,
        plain(Op::MonitorExit, Args::A(LOCK)),
        plain(Op::ReturnVoid, Args::None),
    ];
    nodes.extend(handler());
    nodes
}

#[test]
fn a_probe_of_a_branch_under_a_monitor_passes_the_handler_that_frees_it() {
    each_form(branch_then_call, frees);
}

#[test]
fn a_handler_that_frees_its_monitor_is_announced_after_it_has() {
    let code = woven(branch_then_call);
    let caught = probes(&code, CAUGHT);
    assert_eq!(caught.len(), 1);
    let at = caught[0].0;
    let before = code.insns().filter(|(n, _)| *n < at).map(|(_, i)| i.op).collect::<Vec<_>>();
    let mut back = before.iter().rev().skip_while(|&&op| op != Op::MonitorExit);
    assert_eq!(back.nth(1), Some(&Op::MoveException), "monitor-exit stands between: {before:?}");
    assert!(
        !frees(&code, caught[0].1),
        "in the range of its own handler a full stack would loop for ever"
    );
}

#[test]
fn a_handler_that_reads_what_is_not_set_yet_keeps_its_range_for_itself() {
    // The handler reads v0, which holds nothing before the branch: the verifier would reject it.
    let nodes = |call| {
        vec![
            plain(Op::MonitorEnter, Args::A(LOCK)),
            plain(Op::IfEqz, Args::AJump(INT, ELSE)),
            plain(Op::Const4, Args::ALit(INT, 0)),
            label(ELSE),
            plain(Op::Const4, Args::ALit(V0, 1)),
            call,
            plain(Op::MonitorExit, Args::A(LOCK)),
            plain(Op::ReturnVoid, Args::None),
            label(HANDLER),
            plain(Op::AddIntLit8, Args::ABLit(V0, V0, 1)),
            plain(Op::MonitorExit, Args::A(LOCK)),
            plain(Op::ReturnVoid, Args::None),
        ]
    };
    each_form(nodes, |code, t| cleans_up(code, t) == Some(locked(code)));
}

#[test]
fn the_handler_of_another_monitor_is_not_taken_for_ones_own() {
    // synchronized (lock) { called(); } synchronized (the same register, locked again) { if … }
    // without a range of its own.
    let nodes = |call| {
        let mut nodes = vec![
            plain(Op::MonitorEnter, Args::A(LOCK)),
            call,
            plain(Op::MonitorExit, Args::A(LOCK)),
            plain(Op::MonitorEnter, Args::A(LOCK)),
            plain(Op::IfEqz, Args::AJump(INT, ELSE)),
            plain(Op::Const4, Args::ALit(V0, 1)),
            label(ELSE),
            plain(Op::MonitorExit, Args::A(LOCK)),
            plain(Op::ReturnVoid, Args::None),
        ];
        nodes.extend(handler());
        nodes
    };
    each_form(nodes, |code, t| cleans_up(code, t) == Some(vec![locked(code)[1]]));
}

/// `synchronized (lock) { try { called(); } catch (Exception e) {} }`. ART compiles no method in
/// which a handler leads, by an exception, to itself.
#[test]
fn the_probe_of_a_handler_under_a_monitor_does_not_lead_back_to_that_handler() {
    let code = woven_with(Some(ELSE), Recording::ARITH, |call| {
        let mut nodes = vec![
            plain(Op::MonitorEnter, Args::A(LOCK)),
            call,
            label(Label(2)),
            plain(Op::MonitorExit, Args::A(LOCK)),
            plain(Op::ReturnVoid, Args::None),
            label(ELSE),
            plain(Op::MoveException, Args::A(V0)),
            plain(Op::Goto, Args::Jump(Label(2))),
        ];
        nodes.extend(handler());
        nodes
    });
    let caught = probes(&code, CAUGHT);
    assert_eq!(caught.len(), 2, "{code:#?}");
    let under_monitor: Vec<_> = caught.iter().filter(|c| frees(&code, c.1)).collect();
    assert_eq!(under_monitor.len(), 1, "{code:#?}");
    assert_eq!(cleans_up(&code, under_monitor[0].1), Some(locked(&code)), "{code:#?}");
}

/// Two calls in one block, each in a range of its own, with handlers that work before they free the
/// monitor. A probe of one in the range of the other is right for one of them: for both, a full
/// stack would throw them at each other for ever (and ART compiles no such method).
#[test]
fn two_handlers_under_a_monitor_do_not_stand_in_each_others_ranges() {
    let (first, second, free) = (HANDLER, ELSE, Label(2));
    let code = woven(|call| {
        let mut other = call.clone();
        other.try_id = Some(TryId(1));
        vec![
            plain(Op::MonitorEnter, Args::A(LOCK)),
            call,
            other,
            plain(Op::MonitorExit, Args::A(LOCK)),
            plain(Op::ReturnVoid, Args::None),
            label(first),
            plain(Op::MoveException, Args::A(V0)),
            plain(Op::Goto, Args::Jump(free)),
            label(second),
            plain(Op::MoveException, Args::A(V0)),
            plain(Op::Const4, Args::ALit(INT, 0)),
            label(free),
            plain(Op::MonitorExit, Args::A(LOCK)),
            plain(Op::Throw, Args::A(V0)),
        ]
    });
    let caught = probes(&code, CAUGHT);
    assert_eq!(caught.len(), 2, "{code:#?}");
    let ours = caught.iter().filter(|c| cleans_up(&code, c.1) == Some(locked(&code))).count();
    let in_range = caught.iter().filter(|c| c.1.is_some()).count();
    assert_eq!((ours, in_range), (1, 2), "one of the two has a handler of ours: {code:#?}");
}

/// A branch in the middle of nested blocks that have no range at all; `between` stands before it.
fn nested(between: &[Node], exits: [Reg; 2]) -> impl Fn(Node) -> Vec<Node> {
    move |call| {
        let mut nodes = vec![
            plain(Op::MoveObject, Args::AB(V0, LOCK)),
            plain(Op::MonitorEnter, Args::A(LOCK)),
            plain(Op::MonitorEnter, Args::A(V0)),
        ];
        nodes.extend_from_slice(between);
        nodes.extend([
            plain(Op::IfEqz, Args::AJump(INT, ELSE)),
            plain(Op::Const4, Args::ALit(INT, 1)),
            label(ELSE),
            plain(Op::MonitorExit, Args::A(exits[0])),
            plain(Op::MonitorExit, Args::A(exits[1])),
            call,
            plain(Op::ReturnVoid, Args::None),
            label(HANDLER),
            plain(Op::ReturnVoid, Args::None),
        ]);
        nodes
    }
}

#[test]
fn of_two_monitors_the_inner_one_is_freed_first() {
    each_form(nested(&[], [V0, LOCK]), |code, t| {
        let [outer, inner] = locked(code)[..] else { panic!("{code:#?}") };
        cleans_up(code, t) == Some(vec![inner, outer])
    });
}

#[test]
fn a_monitor_that_no_register_holds_any_more_is_not_freed_by_guessing() {
    let lost = [plain(Op::Const4, Args::ALit(V0, 0))];
    each_form(nested(&lost, [LOCK, LOCK]), |_, t| t.is_none());
}

#[test]
fn a_monitor_whose_object_moved_is_freed_from_where_it_is() {
    let moved = [plain(Op::MoveObject, Args::AB(INT, V0)), plain(Op::Const4, Args::ALit(V0, 0))];
    let nodes = |call| {
        let mut nodes =
            vec![plain(Op::MoveObject, Args::AB(V0, LOCK)), plain(Op::MonitorEnter, Args::A(V0))];
        nodes.extend_from_slice(&moved);
        nodes.extend([
            plain(Op::IfEqz, Args::AJump(V0, ELSE)),
            plain(Op::Const4, Args::ALit(V0, 1)),
            label(ELSE),
            plain(Op::MonitorExit, Args::A(INT)),
            call,
            plain(Op::ReturnVoid, Args::None),
            label(HANDLER),
            plain(Op::ReturnVoid, Args::None),
        ]);
        nodes
    };
    each_form(nodes, |code, t| {
        let exit = code.insns().find(|(_, i)| i.op == Op::MonitorExit).map(|(_, i)| i.args);
        let freed = cleans_up(code, t).expect("a handler of ours");
        freed.iter().map(|&r| Args::A(r)).eq(exit)
    });
}
