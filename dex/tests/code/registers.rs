//! Register roles and renumbering.

use dex::MoveKind;
use dex::RegKind;
use dex::{Args, FieldIdx, Insn, MethodIdx, Op, Ref, Reg, RegList};

fn up(by: u16) -> impl Fn(Reg) -> Reg {
    move |reg| Reg(reg.0 + by)
}

#[test]
fn wide_shift_reads_a_wide_and_a_single() {
    let insn = Insn { op: Op::ShlLong2Addr, args: Args::AB(Reg(2), Reg(5)) };
    assert_eq!(insn.def(), Some((Reg(2), RegKind::Wide)));
    assert_eq!(insn.uses(), [(Reg(2), RegKind::Wide), (Reg(5), RegKind::Single)]);
}

#[test]
fn stores_define_nothing() {
    let field = Ref::Field(FieldIdx(0));
    let insn = Insn { op: Op::IputWide, args: Args::ABRef(Reg(2), Reg(5), field) };
    assert_eq!(insn.def(), None);
    assert_eq!(insn.uses(), [(Reg(2), RegKind::Wide), (Reg(5), RegKind::Object)]);
}

#[test]
fn check_cast_reads_and_writes() {
    let insn = Insn { op: Op::CheckCast, args: Args::ARef(Reg(2), Ref::Type(dex::TypeIdx(0))) };
    assert_eq!(insn.def(), Some((Reg(2), RegKind::Object)));
    assert_eq!(insn.uses(), [(Reg(2), RegKind::Object)]);
}

#[test]
fn range_names_each_of_its_words() {
    let insn = Insn {
        op: Op::InvokeStaticRange,
        args: Args::Range(Reg(300), 3, Ref::Method(MethodIdx(0))),
    };
    let uses: Vec<u16> = insn.uses().iter().map(|(reg, _)| reg.0).collect();
    assert_eq!(uses, [300, 301, 302]);
}

#[test]
fn renumbering_fails_where_the_format_is_too_narrow() {
    let narrow = Insn { op: Op::Move, args: Args::AB(Reg(1), Reg(14)) };
    assert_eq!(narrow.map_regs(up(1)).unwrap().args, Args::AB(Reg(2), Reg(15)));
    assert_eq!(narrow.map_regs(up(2)), None);

    let byte = Insn { op: Op::AddInt, args: Args::ABC(Reg(1), Reg(2), Reg(254)) };
    assert!(byte.map_regs(up(1)).is_some());
    assert_eq!(byte.map_regs(up(2)), None);

    let list = RegList::new(&[Reg(3), Reg(15)]).unwrap();
    let call = Insn { op: Op::InvokeStatic, args: Args::List(list, Ref::Method(MethodIdx(0))) };
    assert_eq!(call.map_regs(up(1)), None);

    let range = Insn {
        op: Op::InvokeStaticRange,
        args: Args::Range(Reg(10), 2, Ref::Method(MethodIdx(0))),
    };
    let moved = range.map_regs(up(1000)).unwrap();
    assert_eq!(moved.args, Args::Range(Reg(1010), 2, Ref::Method(MethodIdx(0))));
}

#[test]
fn constructors_choose_the_shortest_form() {
    let op = |insn: Option<Insn>| insn.unwrap().op;
    assert_eq!(op(Insn::const_int(Reg(15), 7)), Op::Const4);
    assert_eq!(op(Insn::const_int(Reg(16), 7)), Op::Const16);
    assert_eq!(op(Insn::const_int(Reg(0), 0x7fff)), Op::Const16);
    assert_eq!(op(Insn::const_int(Reg(0), i32::MIN)), Op::ConstHigh16);
    assert_eq!(op(Insn::const_int(Reg(0), 0x12345)), Op::Const);
    assert_eq!(Insn::const_int(Reg(256), 0), None);
    assert_eq!(op(Insn::const_wide(Reg(0), -1)), Op::ConstWide16);
    assert_eq!(op(Insn::const_wide(Reg(0), i64::MIN)), Op::ConstWideHigh16);
    assert_eq!(op(Insn::const_wide(Reg(0), 0x12345)), Op::ConstWide32);
    assert_eq!(op(Insn::const_wide(Reg(0), 1 << 40)), Op::ConstWide);
    assert_eq!(Insn::copy(MoveKind::Wide, Reg(15), Reg(15)).op, Op::MoveWide);
    assert_eq!(Insn::copy(MoveKind::Object, Reg(255), Reg(16)).op, Op::MoveObjectFrom16);
    assert_eq!(Insn::copy(MoveKind::Single, Reg(256), Reg(0)).op, Op::Move16);
}
