//! Errors of lowering that take more than a page of text to bring about. The other hazards are
//! files in `filetests/lower`.

use dex::Handlers;
use dex::{Args, CodeError, IndexMap, Label, Op, PoolKind, Ref, Reg, RegList, TryId, TypeIdx};

use crate::build::*;

#[test]
fn index_beyond_16_bits_is_an_error_that_names_the_pool() {
    let list = code([vec![
        insn(Op::NewInstance, Args::ARef(Reg(0), Ref::Type(TypeIdx(0)))),
        return_void(),
    ]]);
    let map = IndexMap { types: vec![0x1_0000], ..IndexMap::default() };
    let error = dex::lower(&list, &map).unwrap_err();
    assert_eq!(
        error,
        CodeError::IndexTooBig {
            node: 0,
            op: Op::NewInstance,
            pool: PoolKind::Type,
            index: 0x1_0000
        }
    );
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
        assert!(
            matches!(error, CodeError::Operand { node: 0, op: found, .. } if found == op),
            "{error}"
        );
    }
}

fn catch_all(number: u32) -> Handlers {
    Handlers { catches: Vec::new(), catch_all: Some(Label(number)) }
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
    let catches = |i| {
        (0..7).map(|k| (TypeIdx(60_000 - k), Label(0))).chain([(TypeIdx(i), Label(0))]).collect()
    };
    list.tries = (0..3000).map(|i| Handlers { catches: catches(i), catch_all: None }).collect();
    let error = lower(&list).unwrap_err();
    assert!(matches!(error, CodeError::HandlersTooLong { offset } if offset > 65_535), "{error}");

    let mut list = code([vec![nop(0), return_void()]]);
    assert_eq!(lower(&list).unwrap_err(), CodeError::NoSuchTry { node: 0, try_id: TryId(0) });
    list.tries = vec![Handlers::default()];
    assert_eq!(lower(&list).unwrap_err(), CodeError::NoHandler { try_id: TryId(0) });
}
