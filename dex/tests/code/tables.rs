//! Switch and array tables.

use dex::Payload;
use dex::decode;
use dex::{Args, Code, CodeError, Label, Op, PayloadId, Reg};

use crate::build::*;

fn user(op: Op, payload: u32) -> dex::Node {
    insn(op, Args::APayload(Reg(1), PayloadId(payload)))
}

fn with_table(op: Op, payload: Payload) -> Code {
    let mut list = code([vec![user(op, 0), label(0), return_void()]]);
    list.payloads = vec![payload];
    list
}

#[test]
fn tables_are_aligned_and_the_alignment_nop_does_not_come_back() {
    let mut list = with_table(Op::FillArrayData, Payload::FillArray { width: 2, data: vec![1, 0] });
    list.nodes.insert(1, nops(1).remove(0));
    assert_eq!(units(&list), [0x0126, 6, 0, 0, 0x000e, 0, 0x0300, 2, 1, 0, 1]);
    let ops: Vec<Op> =
        insns(&decode(&lower(&list).unwrap()).unwrap()).iter().map(|insn| insn.op).collect();
    assert_eq!(ops, [Op::FillArrayData, Op::Nop, Op::ReturnVoid]);
}

#[test]
fn a_shared_table_is_split_one_per_user() {
    // Two packed-switch instructions that use the same table: legal, and the targets of each are
    // relative to itself.
    let shared = [
        0x002b, 8, 0, // 0
        0x002b, 5, 0,      // 3
        0x000e, // 6
        0x000e, // 7
        0x0100, 1, 0, 0, 3, 0, // 8: case 0 goes three units on
    ];
    let list = decode(&body(&shared)).unwrap();
    let target = |payload: &Payload| match payload {
        Payload::PackedSwitch { targets, .. } => targets[0],
        other => panic!("{other}"),
    };
    assert_eq!(list.payloads.len(), 2);
    assert_ne!(target(&list.payloads[0]), target(&list.payloads[1]));
    let lowered = lower(&list).unwrap();
    assert_eq!(lowered.insns.len(), shared.len() + 6);
    assert_eq!(decode(&lowered).unwrap(), list);
}

#[test]
fn a_table_between_instructions_moves_to_the_end() {
    let units = [0x0126, 4, 0, 0x0628, 0x0300, 1, 1, 0, 9, 0x000e];
    let list = decode(&body(&units)).unwrap();
    let lowered = lower(&list).unwrap();
    assert_eq!(lowered.insns, [0x0126, 6, 0, 0x0128, 0x000e, 0, 0x0300, 1, 1, 0, 9]);
}

#[test]
fn tables_that_cannot_be_written_are_errors() {
    let bad = [
        (
            Op::PackedSwitch,
            Payload::PackedSwitch { first_key: i32::MAX, targets: vec![Label(0); 2] },
        ),
        (Op::PackedSwitch, Payload::PackedSwitch { first_key: 0, targets: vec![Label(0); 65_536] }),
        (Op::SparseSwitch, Payload::SparseSwitch { cases: vec![(3, Label(0)), (3, Label(0))] }),
        (Op::FillArrayData, Payload::FillArray { width: 3, data: vec![0; 3] }),
        (Op::FillArrayData, Payload::FillArray { width: 4, data: vec![0; 6] }),
        (Op::FillArrayData, Payload::SparseSwitch { cases: vec![] }),
    ];
    for (op, payload) in bad {
        let error = lower(&with_table(op, payload)).unwrap_err();
        assert!(matches!(error, CodeError::PayloadData { node: 0, .. }), "{error}");
    }
    let error = lower(&code([vec![user(Op::FillArrayData, 3), return_void()]])).unwrap_err();
    assert_eq!(error, CodeError::NoSuchPayload { node: 0, payload: PayloadId(3) });
}

#[test]
fn a_switch_names_its_targets_and_labels_their_places() {
    let mut list =
        code([vec![user(Op::SparseSwitch, 0), label(4), goto(7), label(7), return_void()]]);
    list.payloads =
        vec![Payload::SparseSwitch { cases: vec![(1, Label(7)), (2, Label(4)), (3, Label(7))] }];
    let targets: Vec<_> = list.insns().map(|(at, insn)| (at, list.targets(insn))).collect();
    assert_eq!(
        targets,
        [(0, vec![Label(7), Label(4), Label(7)]), (2, vec![Label(7)]), (4, vec![])]
    );
    let places = list.label_positions();
    assert_eq!((places[&Label(4)], places[&Label(7)], places.len()), (1, 3, 2));
}
