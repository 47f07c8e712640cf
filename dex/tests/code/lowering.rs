//! Branch widths, string widths, operands, try ranges, debug addresses.

use dex::Handlers;
use dex::debug::DebugEvent;
use dex::{Args, CodeError, IndexMap, Label, Op, PoolKind, Ref, Reg, RegList, StringIdx, TryId, TypeIdx};

use crate::build::*;

#[test]
fn goto_stays_short_up_to_127_units_and_widens_beyond() {
    let over = |n| units(&code([vec![goto(0)], nops(n), vec![label(0), return_void()]]));
    assert_eq!(over(126)[0], 0x7f28);
    assert_eq!(over(127)[..2], [0x0029, 129]);
}

#[test]
fn goto_backwards_reaches_128_units() {
    let over = |n| units(&code([vec![label(0)], nops(n), vec![goto(0)]]));
    assert_eq!(over(128)[128..], [0x8028]);
    assert_eq!(over(129)[129..], [0x0029, 0xff7f]);
}

#[test]
fn goto_widens_to_32_bits_beyond_32767_units() {
    let over = |n| units(&code([vec![goto(0)], nops(n), vec![label(0), return_void()]]));
    assert_eq!(over(32_765)[..2], [0x0029, 0x7fff]);
    assert_eq!(over(32_766)[..3], [0x002a, 0x8001, 0]);
}

#[test]
fn goto_to_itself_needs_32_bits() {
    for op in [Op::Goto, Op::Goto16, Op::Goto32] {
        let list = code([vec![label(0), insn(op, Args::Jump(Label(0)))]]);
        assert_eq!(units(&list), [0x002a, 0, 0]);
    }
}

#[test]
fn goto_is_never_narrower_than_its_opcode() {
    let list = |op| code([vec![insn(op, Args::Jump(Label(0))), label(0), return_void()]]);
    assert_eq!(units(&list(Op::Goto16)), [0x0029, 2, 0x000e]);
    assert_eq!(units(&list(Op::Goto32)), [0x002a, 3, 0, 0x000e]);
}

#[test]
fn widening_one_goto_pushes_another_out_of_reach() {
    // The first spans exactly 127 units as long as the second, inside its span, is one unit long.
    let list = code([
        vec![goto(0)],
        nops(125),
        vec![goto(1), label(0), return_void()],
        nops(200),
        vec![label(1), return_void()],
    ]);
    let units = units(&list);
    assert_eq!(units[..2], [0x0029, 2 + 125 + 2]);
    assert_eq!(units[127..129], [0x0029, 2 + 1 + 200]);
}

#[test]
fn if_out_of_reach_becomes_its_inverse_over_a_goto32() {
    let over = |n| units(&code([vec![if_eqz(0)], nops(n), vec![label(0), return_void()]]));
    assert_eq!(over(32_765)[..2], [0x0138, 0x7fff]);
    // if-nez v1, +5; goto/32 to unit 5 + 32,766 from unit 2
    assert_eq!(over(32_766)[..5], [0x0139, 5, 0x002a, 0x8001, 0]);

    let back = |n| units(&code([vec![label(0)], nops(n), vec![if_eqz(0), return_void()]]));
    assert_eq!(back(32_768)[32_768..], [0x0138, 0x8000, 0x000e]);
    // goto/32 stands at unit 32,771: −32,771 = 0xffff7ffd
    assert_eq!(back(32_769)[32_769..], [0x0139, 5, 0x002a, 0x7ffd, 0xffff, 0x000e]);
}

#[test]
fn two_register_if_keeps_its_registers_when_inverted() {
    let branch = insn(Op::IfLt, Args::ABJump(Reg(3), Reg(12), Label(0)));
    let list = code([vec![branch], nops(40_000), vec![label(0), return_void()]]);
    assert_eq!(units(&list)[..2], [0xc335, 5]);
}

#[test]
fn if_to_itself_goes_over_a_goto32() {
    let list = code([vec![label(0), if_eqz(0), return_void()]]);
    assert_eq!(units(&list), [0x0139, 5, 0x002a, 0xfffe, 0xffff, 0x000e]);
}

#[test]
fn a_dead_if_at_the_very_end_skips_to_a_nop() {
    let list = code([vec![return_void(), label(0), if_eqz(0)]]);
    assert_eq!(units(&list), [0x000e, 0x0139, 5, 0x002a, 0xfffe, 0xffff, 0x0000]);
}

#[test]
fn methods_longer_than_65535_units_work() {
    let list =
        code([vec![label(0), if_eqz(1), goto(2)], nops(100_000), vec![label(1), goto(0), label(2), return_void()]]);
    let units = units(&list);
    assert_eq!(units.len(), 5 + 3 + 100_000 + 3 + 1);
    assert_eq!(units[2..5], [0x002a, 0x86a6, 1]); // 0x186a6 = 100,008 - 2
    assert_eq!(units[100_008..100_011], [0x002a, 0x7958, 0xfffe]); // -100,008
}

fn string(op: Op, index: u32) -> dex::Node {
    insn(op, Args::ARef(Reg(2), Ref::String(StringIdx(index))))
}

#[test]
fn const_string_becomes_jumbo_when_its_final_index_needs_it() {
    // In memory: 0 and 1. In the file the first sorts last.
    let map = IndexMap { strings: vec![0x1_0000, 0xffff], ..IndexMap::default() };
    let list = code([vec![string(Op::ConstString, 0), string(Op::ConstString, 1), return_void()]]);
    let lowered = dex::lower(&list, &map).unwrap();
    assert_eq!(lowered.insns, [0x021b, 0, 1, 0x021a, 0xffff, 0x000e]);
}

#[test]
fn jumbo_upgrade_counts_for_branch_distances() {
    let map = IndexMap { strings: vec![0x1_0000], ..IndexMap::default() };
    let list = code([vec![goto(0), string(Op::ConstString, 0)], nops(124), vec![label(0), return_void()]]);
    let lowered = dex::lower(&list, &map).unwrap();
    assert_eq!(lowered.insns[..2], [0x0029, 2 + 3 + 124]);
}

#[test]
fn jumbo_stays_jumbo_when_it_need_not_be() {
    let list = code([vec![string(Op::ConstStringJumbo, 7), return_void()]]);
    assert_eq!(units(&list), [0x021b, 7, 0, 0x000e]);
}

#[test]
fn index_beyond_16_bits_is_an_error_that_names_the_pool() {
    let list = code([vec![insn(Op::NewInstance, Args::ARef(Reg(0), Ref::Type(TypeIdx(0)))), return_void()]]);
    let map = IndexMap { types: vec![0x1_0000], ..IndexMap::default() };
    let error = dex::lower(&list, &map).unwrap_err();
    assert_eq!(error, CodeError::IndexTooBig { node: 0, op: Op::NewInstance, pool: PoolKind::Type, index: 0x1_0000 });
    let error = dex::lower(&list, &IndexMap::default()).unwrap_err();
    assert_eq!(error, CodeError::NotInPool { pool: PoolKind::Type, index: 0 });
}

#[test]
fn operands_that_do_not_fit_are_errors() {
    let list = RegList::new(&[Reg(0)]).unwrap();
    let misfits = [
        (Op::Move, Args::AB(Reg(16), Reg(0))),
        (Op::MoveFrom16, Args::AB(Reg(256), Reg(0))),
        (Op::Const4, Args::ALit(Reg(0), 8)),
        (Op::Const16, Args::ALit(Reg(0), 0x8000)),
        (Op::Const, Args::ALit(Reg(0), 1 << 31)),
        (Op::ConstHigh16, Args::ALit(Reg(0), 0x1_0001)),
        (Op::ConstHigh16, Args::ALit(Reg(0), 0x8000_0000)),
        (Op::ConstWideHigh16, Args::ALit(Reg(0), 1 << 47)),
        (Op::AddIntLit8, Args::ABLit(Reg(0), Reg(0), 128)),
        (Op::AddIntLit16, Args::ABLit(Reg(0), Reg(16), 1)),
        (Op::AddInt, Args::AB(Reg(0), Reg(0))),
        (Op::InvokeStatic, Args::List(list, Ref::Type(TypeIdx(0)))),
        (Op::FilledNewArrayRange, Args::Range(Reg(0), 256, Ref::Type(TypeIdx(0)))),
        (Op::FilledNewArrayRange, Args::Range(Reg(65_535), 2, Ref::Type(TypeIdx(0)))),
    ];
    for (op, args) in misfits {
        let error = lower(&code([vec![insn(op, args), return_void()]])).unwrap_err();
        assert!(matches!(error, CodeError::Operand { node: 0, op: found, .. } if found == op), "{error}");
    }
}

#[test]
fn labels_must_stand_before_an_instruction_and_once() {
    let unbound = CodeError::UnboundLabel { label: Label(0) };
    assert_eq!(lower(&code([vec![goto(0)]])).unwrap_err(), unbound);
    assert_eq!(lower(&code([vec![goto(0), label(0)]])).unwrap_err(), unbound);
    let twice = lower(&code([vec![label(0), goto(0), label(0), return_void()]])).unwrap_err();
    assert_eq!(twice, CodeError::DuplicateLabel { label: Label(0) });
}

fn catch_all(number: u32) -> Handlers {
    Handlers { catches: Vec::new(), catch_all: Some(Label(number)) }
}

fn ranges(item: &dex::CodeItem) -> Vec<(u32, u16, u32)> {
    item.tries.iter().map(|range| (range.start, range.len, range.handlers)).collect()
}

#[test]
fn try_ranges_split_before_65535_units_are_exceeded() {
    let wide = |n: usize| vec![tried(0, insn(Op::Move16, Args::AB(Reg(0), Reg(1)))); n]; // three units each
    let mut list = code([wide(30_000), vec![label(0), return_void()]]);
    list.tries = vec![catch_all(0)];
    let item = lower(&list).unwrap();
    assert_eq!(ranges(&item), [(0, 65_535, 0), (65_535, 24_465, 0)]);
    assert_eq!(item.handlers.len(), 1);

    let mut list = code([wide(21_844), vec![tried(0, goto(0))], wide(1), vec![label(0), return_void()]]);
    list.tries = vec![catch_all(0)];
    let item = lower(&list).unwrap();
    assert_eq!(ranges(&item), [(0, 65_533, 0), (65_533, 3, 0)], "no instruction is cut in two");
}

#[test]
fn adjacent_tries_stay_apart_and_share_equal_handlers() {
    let nop = || nops(1).remove(0);
    let mut list = code([vec![
        tried(0, nop()),
        label(5),
        tried(0, nop()),
        tried(1, nop()),
        nop(),
        tried(0, nop()),
        label(0),
        return_void(),
    ]]);
    list.tries = vec![catch_all(0), catch_all(0)];
    let item = lower(&list).unwrap();
    assert_eq!(ranges(&item), [(0, 2, 0), (2, 1, 0), (4, 1, 0)]);
    assert_eq!(item.handlers.len(), 1);
}

#[test]
fn an_inverted_if_lies_in_its_try_range_as_a_whole() {
    let mut list = code([vec![tried(0, if_eqz(0))], nops(40_000), vec![label(0), return_void()]]);
    list.tries = vec![catch_all(0)];
    assert_eq!(ranges(&lower(&list).unwrap()), [(0, 5, 0)]);
}

#[test]
fn tries_beyond_the_limits_of_the_format_are_errors() {
    let alternating = (0..65_536).map(|i| tried(i % 2, nops(1).remove(0))).collect();
    let mut list = code([alternating, vec![label(0), return_void()]]);
    list.tries = vec![catch_all(0), catch_all(0)];
    assert_eq!(lower(&list).unwrap_err(), CodeError::TooManyTries { count: 65_536 });

    // 3000 different lists of 23 bytes and more.
    let nop = |i| tried(i, nops(1).remove(0));
    let mut list = code([(0..3000).map(nop).collect(), vec![label(0), return_void()]]);
    let catches = |i| (0..7).map(|k| (TypeIdx(60_000 - k), Label(0))).chain([(TypeIdx(i), Label(0))]).collect();
    list.tries = (0..3000).map(|i| Handlers { catches: catches(i), catch_all: None }).collect();
    assert!(matches!(lower(&list).unwrap_err(), CodeError::HandlersTooLong { offset } if offset > 65_535));

    let mut list = code([vec![nop(0), return_void()]]);
    assert_eq!(lower(&list).unwrap_err(), CodeError::NoSuchTry { node: 0, try_id: TryId(0) });
    list.tries = vec![Handlers::default()];
    assert_eq!(lower(&list).unwrap_err(), CodeError::NoHandler { try_id: TryId(0) });
}

#[test]
fn debug_events_follow_their_instruction() {
    let mut list = code([vec![
        line(1),
        insn(Op::Move16, Args::AB(Reg(0), Reg(1))),
        line(2),
        label(0),
        line(3),
        goto(0),
        insn(Op::Nop, Args::None),
        line(4),
    ]]);
    let event = |at, line| (at, DebugEvent::Line(line));
    let item = lower(&list).unwrap();
    assert_eq!(item.debug.unwrap().events, [event(0, 1), event(3, 2), event(3, 3), event(7, 4)]);
    list.debug = None;
    assert_eq!(lower(&list).unwrap().debug, None);
}
