//! Rules of decoding: accepted, kept and refused code. Units are written down from the
//! specification.

use dex::debug::{DebugEvent, DebugHeader, DebugInfo};
use dex::decode;
use dex::{
    Args, CodeError, Insn, Item, Label, MethodIdx, Op, ProtoIdx, Ref, Reg, RegList, TryId, TypeIdx,
};
use dex::{RawHandlers, RawTry};

use crate::build::*;

fn error(insns: &[u16]) -> CodeError {
    decode(&body(insns)).unwrap_err()
}

fn regs(numbers: &[u16]) -> RegList {
    RegList::new(&numbers.iter().map(|&n| Reg(n)).collect::<Vec<_>>()).unwrap()
}

/// One instruction per format: text as in the specification's table, units by hand.
#[test]
fn every_format_reads_and_writes_as_specified() {
    use dex::{CallSiteIdx, FieldIdx, MethodHandleIdx, StringIdx};
    let (field, method) = (Ref::Field(FieldIdx(0x1234)), Ref::Method(MethodIdx(0x1234)));
    let cases: &[(Op, Args, &[u16])] = &[
        (Op::Nop, Args::None, &[0x0000]),
        (Op::Move, Args::AB(Reg(1), Reg(2)), &[0x2101]),
        (Op::MoveFrom16, Args::AB(Reg(0xab), Reg(0x1234)), &[0xab02, 0x1234]),
        (Op::Move16, Args::AB(Reg(0x1234), Reg(0x5678)), &[0x0003, 0x1234, 0x5678]),
        (Op::Throw, Args::A(Reg(0xab)), &[0xab27]),
        (Op::Const4, Args::ALit(Reg(3), -8), &[0x8312]),
        (Op::Const16, Args::ALit(Reg(0xab), -2), &[0xab13, 0xfffe]),
        (
            Op::ConstHigh16,
            Args::ALit(Reg(0xab), 0xffff_ffff_8001_0000u64 as i64),
            &[0xab15, 0x8001],
        ),
        (Op::ConstWideHigh16, Args::ALit(Reg(0xab), 0x4059_0000_0000_0000), &[0xab19, 0x4059]),
        (Op::Const, Args::ALit(Reg(0xab), -2), &[0xab14, 0xfffe, 0xffff]),
        (Op::ConstWide32, Args::ALit(Reg(0xab), 0x1234_5678), &[0xab17, 0x5678, 0x1234]),
        (
            Op::ConstWide,
            Args::ALit(Reg(0xab), 0x8123_4567_89ab_cdefu64 as i64),
            &[0xab18, 0xcdef, 0x89ab, 0x4567, 0x8123],
        ),
        (Op::ConstString, Args::ARef(Reg(0xab), Ref::String(StringIdx(0xffff))), &[0xab1a, 0xffff]),
        (
            Op::ConstStringJumbo,
            Args::ARef(Reg(0xab), Ref::String(StringIdx(0x1_0002))),
            &[0xab1b, 0x0002, 0x0001],
        ),
        (Op::AddInt, Args::ABC(Reg(0xab), Reg(0xcd), Reg(0xef)), &[0xab90, 0xefcd]),
        (Op::AddIntLit8, Args::ABLit(Reg(0xab), Reg(0xcd), -1), &[0xabd8, 0xffcd]),
        (Op::AddIntLit16, Args::ABLit(Reg(1), Reg(2), -1), &[0x21d0, 0xffff]),
        (Op::Iget, Args::ABRef(Reg(1), Reg(2), field), &[0x2152, 0x1234]),
        (Op::Sput, Args::ARef(Reg(0xab), field), &[0xab67, 0x1234]),
        (Op::InvokeStatic, Args::List(regs(&[]), method), &[0x0071, 0x1234, 0]),
        (Op::InvokeVirtual, Args::List(regs(&[1, 2, 3, 4, 5]), method), &[0x556e, 0x1234, 0x4321]),
        (Op::InvokeDirect, Args::List(regs(&[15, 0]), method), &[0x2070, 0x1234, 0x000f]),
        (Op::InvokeVirtualRange, Args::Range(Reg(0x5678), 0xab, method), &[0xab74, 0x1234, 0x5678]),
        (
            Op::InvokePolymorphic,
            Args::PolyList(regs(&[1, 2, 3, 4, 5]), MethodIdx(0x1234), ProtoIdx(0x5678)),
            &[0x55fa, 0x1234, 0x4321, 0x5678],
        ),
        (
            Op::InvokePolymorphicRange,
            Args::PolyRange(Reg(0x9abc), 0xab, MethodIdx(0x1234), ProtoIdx(0x5678)),
            &[0xabfb, 0x1234, 0x9abc, 0x5678],
        ),
        (Op::InvokeCustom, Args::List(regs(&[7]), Ref::CallSite(CallSiteIdx(2))), &[0x10fc, 2, 7]),
        (
            Op::InvokeCustomRange,
            Args::Range(Reg(300), 2, Ref::CallSite(CallSiteIdx(2))),
            &[0x02fd, 2, 300],
        ),
        (
            Op::ConstMethodHandle,
            Args::ARef(Reg(9), Ref::MethodHandle(MethodHandleIdx(3))),
            &[0x09fe, 3],
        ),
        (Op::ConstMethodType, Args::ARef(Reg(9), Ref::Proto(ProtoIdx(3))), &[0x09ff, 3]),
    ];
    for &(op, args, expected) in cases {
        let expected = [expected, &[0x000e]].concat();
        let list = decode(&body(&expected)).unwrap();
        assert_eq!(
            insns(&list),
            [Insn { op, args }, Insn { op: Op::ReturnVoid, args: Args::None }]
        );
        assert_eq!(units(&list), expected, "{op}");
    }
}

#[test]
fn parameters_need_registers() {
    let mut item = body(&[0x000e]);
    item.registers = 2;
    item.ins = 3;
    assert_eq!(decode(&item).unwrap_err(), CodeError::Parameters { registers: 2, ins: 3 });
    item.ins = 2;
    assert!(decode(&item).is_ok());
}

#[test]
fn an_instruction_cut_off_by_the_end_is_refused() {
    assert_eq!(error(&[0x0000, 0x0018, 0, 0]), CodeError::Truncated { at: 1 });
}

#[test]
fn unused_opcodes_are_refused() {
    assert_eq!(error(&[0x0073]), CodeError::UnknownOpcode { at: 0, opcode: 0x73 });
}

#[test]
fn more_than_five_arguments_are_refused() {
    let expected = CodeError::ArgumentCount { at: 0, op: Op::InvokeStatic, count: 6 };
    assert_eq!(error(&[0x6071, 0, 0, 0x000e]), expected);
}

#[test]
fn branches_must_lead_to_instructions() {
    let bad = |target| CodeError::BadTarget { at: 0, target };
    assert_eq!(error(&[0x0228, 0x0013, 0]), bad(2), "into an instruction");
    assert_eq!(error(&[0x0128]), bad(1), "to the end");
    assert_eq!(error(&[0xff28]), bad(-1), "before the start");
    assert_eq!(error(&[0x002a, 0xffff, 0x7fff]), bad(0x7fff_ffff), "far outside");
    assert_eq!(error(&[0x0228, 0x000e, 0x0300, 1, 0, 0]), bad(2), "to a table");
}

#[test]
fn tables_must_be_there_whole_and_of_the_right_kind() {
    let what = |insns: &[u16]| match error(insns) {
        CodeError::BadPayload { at: 0, what, .. } => what,
        other => panic!("{other}"),
    };
    assert_eq!(what(&[0x002b, 3, 0, 0x000e]), "its operand does not lead to a table");
    assert_eq!(what(&[0x002b, 0xffff, 0x7fff, 0x000e]), "its operand does not lead to a table");
    assert_eq!(what(&[0x002b, 4, 0, 0x000e, 0x0200, 0]), "its table is of another kind");
    assert_eq!(
        what(&[0x002c, 4, 0, 0x000e, 0x0200, 2, 5, 0, 5, 0, 3, 0, 3, 0]),
        "its keys do not ascend"
    );
    assert_eq!(
        what(&[0x002b, 4, 0, 0x000e, 0x0100, 2, 0xffff, 0x7fff, 3, 0, 3, 0]),
        "its keys overflow"
    );
    assert_eq!(
        what(&[0x0026, 4, 0, 0x000e, 0x0300, 3, 0, 0]),
        "its element width is none of 1, 2, 4, 8"
    );
}

#[test]
fn a_table_that_claims_gigabytes_is_refused_before_anything_is_allocated() {
    assert_eq!(
        error(&[0x0026, 4, 0, 0x000e, 0x0300, 0xffff, 0xffff, 0xffff]),
        CodeError::Truncated { at: 4 }
    );
    assert_eq!(
        error(&[0x002b, 4, 0, 0x000e, 0x0100, 0xffff, 0, 0]),
        CodeError::Truncated { at: 4 }
    );
}

#[test]
fn running_into_a_table_is_refused() {
    assert_eq!(error(&[0x0012, 0, 0x0300, 1, 0, 0]), CodeError::PayloadExecuted { at: 2 });
    assert_eq!(error(&[0x0300, 1, 0, 0]), CodeError::PayloadExecuted { at: 0 });
}

#[test]
fn running_off_the_end_is_refused() {
    assert_eq!(error(&[]), CodeError::RunsOffEnd);
    assert_eq!(error(&[0x0138, 3, 0x000e, 0x0012]), CodeError::RunsOffEnd);
    assert_eq!(insns(&decode(&body(&[0x000e, 0x0012])).unwrap()).len(), 2, "dead code may");
}

#[test]
fn dead_code_stays_even_when_it_runs_into_a_table() {
    let dead = [0x0126, 6, 0, 0x000e, 0x1012, 0x1112, 0x0300, 1, 0, 0];
    assert_eq!(insns(&decode(&body(&dead)).unwrap()).len(), 4);
}

#[test]
fn a_nop_before_a_table_stays_when_it_can_run() {
    // goto to the nop, which would run into the table.
    assert_eq!(
        error(&[0x0228, 0x000e, 0, 0, 0x0300, 1, 0, 0]),
        CodeError::PayloadExecuted { at: 4 }
    );
    // A reachable nop elsewhere is an instruction like any other.
    assert_eq!(insns(&decode(&body(&[0, 0x000e])).unwrap()).len(), 2);
}

fn with_try(start: u32, len: u16, handler: u32) -> dex::CodeItem {
    let handlers = RawHandlers { catches: vec![(TypeIdx(9), handler)], catch_all: None };
    let tries = vec![RawTry { start, len, handlers: 0 }];
    dex::CodeItem { tries, handlers: vec![handlers], ..body(&[0x0013, 0, 0x0013, 0, 0x000e]) }
}

#[test]
fn malformed_try_ranges_are_refused() {
    let what = |item: &dex::CodeItem| match decode(item).unwrap_err() {
        CodeError::BadTry { what, .. } => what,
        other => panic!("{other}"),
    };
    assert_eq!(what(&with_try(1, 1, 4)), "it starts inside an instruction");
    assert_eq!(what(&with_try(4, 2, 4)), "it runs past the end of the code");
    let mut item = with_try(0, 2, 4);
    item.tries.push(RawTry { start: 1, len: 3, handlers: 0 });
    assert_eq!(what(&item), "it does not lie after its predecessor");
    let mut item = with_try(0, 2, 4);
    item.tries[0].handlers = 1;
    assert_eq!(what(&item), "it has no handler list");
    assert_eq!(decode(&with_try(0, 2, 1)).unwrap_err(), CodeError::BadTarget { at: 0, target: 1 });
    assert!(matches!(decode(&with_try(0, 2, u32::MAX)), Err(CodeError::BadTarget { at: 0, .. })));
}

#[test]
fn a_try_range_covers_the_instructions_that_start_in_it() {
    let list = decode(&with_try(2, 1, 4)).unwrap();
    let ids: Vec<_> = list
        .nodes
        .iter()
        .filter(|node| matches!(node.item, Item::Insn(_)))
        .map(|n| n.try_id)
        .collect();
    assert_eq!(ids, [None, Some(TryId(0)), None]);
    assert_eq!(list.tries[0].catches, [(TypeIdx(9), Label(0))]);
}

#[test]
fn nothing_comes_between_an_invoke_and_its_move_result() {
    // The line event of the invoke stands before it; the result follows at once.
    let item = dex::CodeItem {
        debug: Some(DebugInfo {
            header: DebugHeader { line_start: 1, parameter_names: vec![] },
            events: vec![(0, DebugEvent::Line(5)), (4, DebugEvent::Line(6))],
        }),
        ..body(&[0x0071, 0, 0, 0x000a, 0x000f])
    };
    let list = decode(&item).unwrap();
    let invoke = list
        .nodes
        .iter()
        .position(|node| matches!(&node.item, Item::Insn(i) if i.op.is_invoke()))
        .unwrap();
    assert!(matches!(&list.nodes[invoke + 1].item, Item::Insn(insn) if insn.op == Op::MoveResult));
    assert_eq!(lower(&list).unwrap(), item);
}

#[test]
fn debug_events_go_to_the_next_instruction_or_the_end() {
    let mut item = body(&[0x0013, 0, 0x000e]);
    let events =
        vec![(1, DebugEvent::Line(1)), (2, DebugEvent::Line(2)), (9, DebugEvent::EndLocal(Reg(0)))];
    item.debug = Some(DebugInfo { header: DebugHeader::default(), events });
    let lowered = lower(&decode(&item).unwrap()).unwrap().debug.unwrap();
    let addresses: Vec<u32> = lowered.events.iter().map(|&(at, _)| at).collect();
    // The line within the instruction at 0 holds for none: the next one replaces it.
    assert_eq!(addresses, [2, 3]);

    item.debug.as_mut().unwrap().events.swap(0, 2);
    assert_eq!(decode(&item).unwrap_err(), CodeError::DebugOrder { index: 1 });
}

#[test]
fn text_form() {
    let units = [0x0138, 5, 0x0126, 8, 0, 0x0071, 9, 0, 0x000e, 0, 0x0300, 1, 2, 0, 0x0201];
    let list = decode(&body(&units)).unwrap();
    let expected = "\
.code registers=16 ins=0 outs=0
    if-eqz v1, :L0
    fill-array-data v1, :P0
:L0
    invoke-static {}, method@9
    return-void
.payload 0 array-data 1 01 02
";
    assert_eq!(list.to_string(), expected);
}
