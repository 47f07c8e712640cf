//! `debug_info_item` bytes. Expected bytes are worked out from the specification by hand.

use dex::debug::{DebugEvent, DebugHeader, DebugInfo, parse, write};
use dex::{CodeError, Reg, StringIdx, TypeIdx};

fn written(line_start: u32, events: Vec<(u32, DebugEvent)>) -> Vec<u8> {
    let info = DebugInfo { header: DebugHeader { line_start, parameter_names: vec![] }, events };
    let mut bytes = Vec::new();
    write(&info, &mut bytes).unwrap();
    assert_eq!(parse(&bytes, 0).unwrap(), (info, bytes.len()));
    bytes
}

fn line(at: u32, number: u32) -> (u32, DebugEvent) {
    (at, DebugEvent::Line(number))
}

#[test]
fn one_special_opcode_per_position_where_one_reaches() {
    // 0x0a + (line delta + 4) + 15 × address delta
    assert_eq!(
        written(10, vec![line(0, 10), line(3, 12), line(4, 8)]),
        [10, 0, 0x0e, 0x3d, 0x19, 0]
    );
    assert_eq!(written(1, vec![line(0, 11)]), [1, 0, 0x18, 0], "ten lines on is the most");
    assert_eq!(written(1, vec![line(16, 2)]), [1, 0, 0xff, 0], "the highest special opcode");
}

#[test]
fn larger_steps_advance_a_register_first() {
    assert_eq!(written(1, vec![line(0, 12)]), [1, 0, 2, 11, 0x0e, 0], "eleven lines on");
    assert_eq!(written(9, vec![line(0, 4)]), [9, 0, 2, 0x7b, 0x0e, 0], "five lines back");
    assert_eq!(written(1, vec![line(16, 3)]), [1, 0, 1, 16, 0x10, 0], "would be opcode 0x100");
    assert_eq!(written(1, vec![line(17, 101)]), [1, 0, 2, 0xe4, 0, 1, 17, 0x0e, 0], "both");
}

#[test]
fn the_line_register_wraps() {
    assert_eq!(written(u32::MAX, vec![line(0, 0)]), [0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0x0f, 0]);
    assert_eq!(
        written(0, vec![line(0, 1 << 31)]),
        [0, 0, 2, 0x80, 0x80, 0x80, 0x80, 0x78, 0x0e, 0]
    );
}

#[test]
fn locals_and_names() {
    let local = |signature, extended| DebugEvent::StartLocal {
        reg: Reg(300),
        name: Some(StringIdx(0)),
        ty: Some(TypeIdx(127)),
        signature,
        extended,
    };
    let events = vec![
        (0, DebugEvent::PrologueEnd),
        (0, local(None, false)),
        (2, local(None, true)),
        (2, local(Some(StringIdx(4)), true)),
        (2, DebugEvent::EndLocal(Reg(1))),
        (2, DebugEvent::RestartLocal(Reg(2))),
        (2, DebugEvent::EpilogueBegin),
        (2, DebugEvent::SetFile(None)),
        (2, DebugEvent::SetFile(Some(StringIdx(6)))),
    ];
    let header = DebugHeader { line_start: 1, parameter_names: vec![None, Some(StringIdx(199))] };
    let mut bytes = vec![0xee];
    write(&DebugInfo { header: header.clone(), events: events.clone() }, &mut bytes).unwrap();
    let expected = [
        &[0xee, 1, 2, 0, 0xc8, 1][..],
        &[7, 3, 0xac, 2, 1, 0x80, 1],
        &[1, 2, 4, 0xac, 2, 1, 0x80, 1, 0],
        &[4, 0xac, 2, 1, 0x80, 1, 5],
        &[5, 1, 6, 2, 8, 9, 0, 9, 7, 0],
    ];
    assert_eq!(bytes, expected.concat());
    assert_eq!(parse(&bytes, 1).unwrap(), (DebugInfo { header, events }, bytes.len()));
}

#[test]
fn malformed_bytes_are_refused() {
    let what = |bytes: &[u8]| match parse(bytes, 0).unwrap_err() {
        CodeError::BadDebug { what, .. } => what,
        other => panic!("{other}"),
    };
    assert_eq!(what(&[1, 0]), "the bytes end early");
    assert_eq!(what(&[1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0]), "more parameter names than bytes");
    assert_eq!(what(&[1, 0, 5, 0x80, 0x80, 4, 0]), "a register does not fit 16 bits");
    assert_eq!(what(&[0x80, 0x80, 0x80, 0x80, 0x80, 0]), "a number is longer than five bytes");
    assert_eq!(what(&[1, 0, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 1, 0]), "the address overflows");
    assert!(parse(&[], 7).is_err());
}

#[test]
fn events_out_of_order_cannot_be_written() {
    let info = DebugInfo { header: DebugHeader::default(), events: vec![line(3, 1), line(2, 1)] };
    assert_eq!(write(&info, &mut Vec::new()), Err(CodeError::DebugOrder { index: 1 }));
}
