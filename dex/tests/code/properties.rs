//! Random lists and random bytes.

use std::collections::BTreeMap;

use dex::debug::{DebugEvent, DebugHeader, DebugInfo};
use dex::decode;
use dex::{
    Args, CallSiteIdx, Code, CodeItem, FieldIdx, Insn, InsnFormat, Item, Label, MethodHandleIdx,
    MethodIdx, Node, Op, PayloadId, ProtoIdx, Ref, RefKind, Reg, RegList, StringIdx, TryId,
    TypeIdx,
};
use dex::{Handlers, Payload};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::build::*;

type Seeds = [u32; 6];

/// Some legal instruction; branches go to the label of instruction `seed % count`.
fn insn_from(op: Op, seeds: Seeds, at: u32, count: u32, payload: u32) -> Insn {
    use InsnFormat::*;
    let [x, y, z, w, ..] = seeds;
    let r4 = |s: u32| Reg((s % 16) as u16);
    let r8 = |s: u32| Reg((s % 256) as u16);
    let r16 = |s: u32| Reg(s as u16);
    // Never itself: that would need another form.
    let target = Label((at + 1 + w % (count - 1)) % count);
    let reference = match op.ref_kind() {
        RefKind::String => Ref::String(StringIdx(z % 65_536)),
        RefKind::Field => Ref::Field(FieldIdx(z % 65_536)),
        RefKind::Method | RefKind::MethodAndProto => Ref::Method(MethodIdx(z % 65_536)),
        RefKind::CallSite => Ref::CallSite(CallSiteIdx(z % 65_536)),
        RefKind::MethodHandle => Ref::MethodHandle(MethodHandleIdx(z % 65_536)),
        RefKind::Proto => Ref::Proto(ProtoIdx(z % 65_536)),
        RefKind::Type | RefKind::None => Ref::Type(TypeIdx(z % 65_536)),
        other => unreachable!("{other:?} has no test"),
    };
    let list = || {
        let regs: Vec<Reg> = seeds[1..1 + x as usize % 6].iter().map(|&s| r4(s)).collect();
        RegList::new(&regs).unwrap()
    };
    let range = || (Reg((y % 65_000) as u16), (x % 256) as u16);
    let args = match op.format() {
        F10x => Args::None,
        F11x => Args::A(r8(x)),
        F12x => Args::AB(r4(x), r4(y)),
        F22x => Args::AB(r8(x), r16(y)),
        F32x => Args::AB(r16(x), r16(y)),
        F23x => Args::ABC(r8(x), r8(y), r8(z)),
        F11n => Args::ALit(r4(x), i64::from(y % 16) - 8),
        F21s => Args::ALit(r8(x), (y as i16).into()),
        F21h => {
            Args::ALit(r8(x), i64::from(y as i16) << if op == Op::ConstHigh16 { 16 } else { 48 })
        }
        F31i => Args::ALit(r8(x), (y as i32).into()),
        F51l => Args::ALit(r8(x), (u64::from(y) << 32 | u64::from(z)) as i64),
        F22b => Args::ABLit(r8(x), r8(y), (z as i8).into()),
        F22s => Args::ABLit(r4(x), r4(y), (z as i16).into()),
        F10t | F20t | F30t => Args::Jump(target),
        F21t => Args::AJump(r8(x), target),
        F22t => Args::ABJump(r4(x), r4(y), target),
        F31t => Args::APayload(r8(x), PayloadId(payload)),
        F21c | F31c => Args::ARef(r8(x), reference),
        F22c => Args::ABRef(r4(x), r4(y), reference),
        F35c => Args::List(list(), reference),
        F3rc => Args::Range(range().0, range().1, reference),
        F45cc => Args::PolyList(list(), MethodIdx(z % 65_536), ProtoIdx(w % 65_536)),
        F4rcc => Args::PolyRange(range().0, range().1, MethodIdx(z % 65_536), ProtoIdx(w % 65_536)),
        other => unreachable!("{other:?} has no test"),
    };
    Insn { op, args }
}

fn payload_from(op: Op, seeds: Seeds, count: u32) -> Payload {
    let cases = &seeds[..seeds[5] as usize % 6];
    match op {
        Op::PackedSwitch => Payload::PackedSwitch {
            first_key: seeds[4] as i32 / 2,
            targets: cases.iter().map(|s| Label(s % count)).collect(),
        },
        Op::SparseSwitch => {
            let by_key: BTreeMap<i32, Label> =
                cases.iter().map(|&s| (s as i32, Label(s % count))).collect();
            Payload::SparseSwitch { cases: by_key.into_iter().collect() }
        }
        _ => {
            let width = [1, 2, 4, 8][seeds[4] as usize % 4];
            let bytes = cases.iter().flat_map(|s| s.to_le_bytes()).cycle();
            let data = bytes
                .take(if cases.is_empty() { 0 } else { width as usize * (seeds[3] as usize % 5) })
                .collect();
            Payload::FillArray { width, data }
        }
    }
}

fn event_from(seeds: Seeds) -> DebugEvent {
    let [kind, x, y, z, w, _] = seeds;
    let index = |s: u32| (!s.is_multiple_of(3)).then_some(s % 65_536);
    match kind % 8 {
        0..=2 => DebugEvent::Line(x),
        3 => {
            let signature = index(w).map(StringIdx);
            let extended = signature.is_some() || x % 2 == 0;
            let (name, ty) = (index(y).map(StringIdx), index(z).map(TypeIdx));
            DebugEvent::StartLocal { reg: Reg(x as u16), name, ty, signature, extended }
        }
        4 => DebugEvent::EndLocal(Reg(x as u16)),
        5 => DebugEvent::RestartLocal(Reg(x as u16)),
        6 => [DebugEvent::PrologueEnd, DebugEvent::EpilogueBegin][x as usize % 2].clone(),
        _ => DebugEvent::SetFile(index(x).map(StringIdx)),
    }
}

/// Keeps the labels that something names, renumbered in list order: the form that decoding gives.
fn canonical(mut code: Code) -> Code {
    // A label is in the list once; what names it adds to that.
    let mut named = BTreeMap::new();
    code.visit_labels_mut(|label| *named.entry(*label).or_insert(0) += 1);
    code.nodes.retain(|node| !matches!(node.item, Item::Label(label) if named[&label] == 1));
    let order = code.nodes.iter().filter_map(|node| match node.item {
        Item::Label(label) => Some(label),
        _ => None,
    });
    let numbers: BTreeMap<Label, Label> = order.zip((0..).map(Label)).collect();
    code.visit_labels_mut(|label| *label = numbers[label]);
    code.next_label = numbers.len() as u32;
    code
}

prop_compose! {
    /// A valid list of at most 25 instructions, so short that nothing widens.
    pub fn valid_list()(
        rows in vec((0..Op::ALL.len(), any::<Seeds>(), vec(any::<Seeds>(), 0..2), 0u8..4), 1..24),
        handlers in any::<[Seeds; 8]>(),
        (line_start, names) in (any::<u32>(), vec(proptest::option::of(0u32..65_536), 0..3)),
        has_debug in any::<bool>(),
        tail in vec(any::<Seeds>(), 0..2),
    ) -> Code {
        let count = rows.len() as u32 + 1;
        let mut code = Code { registers: 300, ins: 3, outs: 2, ..Code::default() };
        let events = |seeds: &[Seeds]| {
            let event =
                |&seeds: &Seeds| Node { item: Item::Debug(event_from(seeds)), try_id: None };
            seeds.iter().filter(|_| has_debug).map(event).collect::<Vec<_>>()
        };
        let mut tries = 0;
        let mut open = false;
        for (at, (op, seeds, debug, try_kind)) in rows.iter().enumerate() {
            let op = Op::ALL[*op];
            let insn = insn_from(op, *seeds, at as u32, count, code.payloads.len() as u32);
            if insn.payload().is_some() {
                code.payloads.push(payload_from(op, *seeds, count));
            }
            code.nodes.push(label(at as u32));
            code.nodes.extend(events(debug));
            // 0: no try; 1: a new one; else the open one.
            match try_kind {
                0 => open = false,
                1 => (open, tries) = (true, tries + 1),
                _ => {}
            }
            let try_id = open.then(|| TryId(tries - 1));
            code.nodes.push(Node { item: Item::Insn(insn), try_id });
        }
        code.nodes.push(label(count - 1));
        code.nodes.push(return_void());
        code.nodes.extend(events(&tail));
        code.tries = (0..tries as usize).map(|i| {
            let [a, b, c, ..] = handlers[i % 8];
            let catch = |k| (TypeIdx((b + k) % 65_536), Label((c + k) % count));
            let catches = (0..a % 3).map(catch).collect();
            Handlers { catches, catch_all: (a % 3 == 0 || b % 2 == 0).then(|| Label(b % count)) }
        }).collect();
        code.debug = has_debug.then(|| DebugHeader {
            line_start,
            parameter_names: names.into_iter().map(|name| name.map(StringIdx)).collect(),
        });
        canonical(code)
    }
}

/// Target of the branch that follows a marker, read from raw units; whether it is taken when the
/// condition `opcode` holds. Knows only the three encodings that a branch may have.
fn branch_at(units: &[u16], at: usize) -> (u8, i64) {
    let long = |at: usize| (units[at] as u32 | (units[at + 1] as u32) << 16) as i32;
    let to = |at: usize, distance: i32| at as i64 + i64::from(distance);
    match units[at] as u8 {
        0x28 => (0x28, to(at, (units[at] as i16 >> 8).into())),
        0x29 => (0x28, to(at, (units[at + 1] as i16).into())),
        0x2a => (0x28, to(at, long(at + 1))),
        op if units[at + 1] == 5 && units[at + 2] == 0x002a => {
            let inverse = match op {
                0x32 | 0x34 | 0x36 | 0x38 | 0x3a | 0x3c => op + 1,
                _ => op - 1,
            };
            (inverse, to(at + 2, long(at + 3)))
        }
        op => (op, to(at, (units[at + 1] as i16).into())),
    }
}

/// Addresses of the `const` instructions, walking the few opcodes that the test below uses.
fn marker_addresses(units: &[u16]) -> Vec<usize> {
    let (mut markers, mut at) = (Vec::new(), 0);
    while at < units.len() {
        let opcode = units[at] as u8;
        if opcode == 0x14 {
            markers.push(at);
        }
        at += match opcode {
            0x00 | 0x0e | 0x28 => 1,
            0x14 | 0x2a => 3,
            _ => 2,
        };
    }
    markers
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn decoding_undoes_lowering(code in valid_list()) {
        let lowered = lower(&code).unwrap();
        let again = decode(&lowered).unwrap();
        let mut code = code;
        // Nothing is after the last instruction: positions there are left out.
        let last = code.nodes.iter().rposition(|n| matches!(n.item, Item::Insn(_))).unwrap();
        let mut at = 0;
        code.nodes.retain(|n| {
            at += 1;
            at <= last || !matches!(n.item, Item::Debug(DebugEvent::Line(_)))
        });
        prop_assert_eq!(&again, &code, "\n{}\n{}", again, code);
        let same = dex::IndexMap::identity_of_size(65_536);
        prop_assert_eq!(dex::remap_raw(&lowered, &same).unwrap(), lowered);
    }

    #[test]
    fn branches_lead_to_the_same_place_at_any_distance(
        blocks in vec(
            (0u8..13, any::<u32>(), prop_oneof![0..4usize, 110..140usize, 16_000..33_000usize]),
            1..12,
        ),
    ) {
        // Each block: a marker, a branch to some block, filler.
        let count = blocks.len() as u32;
        let branch = |kind: u8, target| match kind {
            0..=6 => goto(target),
            kind if kind < 10 => {
                insn(Op::from_u8(0x38 + kind - 7).unwrap(), Args::AJump(Reg(200), Label(target)))
            }
            kind => {
                let op = Op::from_u8(0x32 + kind - 10).unwrap();
                insn(op, Args::ABJump(Reg(1), Reg(2), Label(target)))
            }
        };
        let block = |(i, &(kind, seed, filler)): (usize, &(u8, u32, usize))| {
            let marker = insn(Op::Const, Args::ALit(Reg(0), i as i64));
            [vec![label(i as u32), marker, branch(kind, seed % count)], nops(filler)].concat()
        };
        let list = code(blocks.iter().enumerate().map(block).chain([vec![return_void()]]));
        let units = units(&list);
        let markers = marker_addresses(&units);
        prop_assert_eq!(markers.len(), blocks.len());
        for (i, &(kind, seed, _)) in blocks.iter().enumerate() {
            prop_assert_eq!(units[markers[i] + 1] as usize, i);
            let at = markers[i] + 3;
            let (op, target) = branch_at(&units, at);
            prop_assert_eq!(target, markers[(seed % count) as usize] as i64);
            let expected = match kind {
                0..=6 => 0x28,
                kind if kind < 10 => 0x38 + kind - 7,
                kind => 0x32 + kind - 10,
            };
            prop_assert_eq!(op, expected);
            // Nothing is wider than its final distance needs.
            let distance = target - at as i64;
            match units[at] as u8 {
                0x29 => prop_assert!(i8::try_from(distance).is_err()),
                0x2a => prop_assert!(i16::try_from(distance).is_err() || distance == 0),
                _ => {}
            }
        }
    }

    #[test]
    fn arbitrary_units_never_panic_and_what_decodes_is_stable(
        insns in vec(
            prop_oneof![
                any::<u16>(),
                0u16..0x0400,
                (0u16..256).prop_map(|op| op << 8 & 0xff00 | op)
            ],
            0..60,
        ),
        (start, len, handlers, target) in (0u32..60, 0u16..60, 0u32..2, 0u32..60),
    ) {
        let handler = dex::RawHandlers { catches: vec![], catch_all: Some(target) };
        let range = dex::RawTry { start, len, handlers };
        let item = CodeItem { tries: vec![range], handlers: vec![handler], ..body(&insns) };
        for item in [body(&insns), item] {
            let _ = dex::remap_raw(&item, &dex::IndexMap::identity_of_size(1000));
            let Ok(code) = decode(&item) else { continue };
            let _ = code.to_string();
            let Ok(lowered) = lower(&code) else { continue };
            let stable = decode(&lowered).unwrap();
            let same = decode(&lower(&stable).unwrap()).unwrap();
            prop_assert_eq!(same, stable);
        }
    }

    #[test]
    fn debug_info_survives_its_bytes(
        line_start in any::<u32>(),
        names in vec(proptest::option::of(any::<u16>()), 0..4),
        events in vec((prop_oneof![0u32..40, 0u32..100_000], any::<Seeds>()), 0..40),
    ) {
        let mut address = 0;
        let events = events.into_iter().map(|(step, seeds)| {
            address += step;
            (address, event_from(seeds))
        });
        let index = |name: Option<_>| name.map(|name| StringIdx(u32::from(name)));
        let parameter_names = names.into_iter().map(index).collect();
        let header = DebugHeader { line_start, parameter_names };
        let info = DebugInfo { header, events: events.collect() };
        let mut bytes = Vec::new();
        dex::debug::write(&info, &mut bytes).unwrap();
        prop_assert_eq!(dex::debug::parse(&bytes, 0).unwrap(), (info, bytes.len()));
    }

    #[test]
    fn arbitrary_debug_bytes_never_panic(bytes in vec(any::<u8>(), 0..80)) {
        if let Ok((info, end)) = dex::debug::parse(&bytes, 0) {
            prop_assert!(end <= bytes.len());
            let mut again = Vec::new();
            dex::debug::write(&info, &mut again).unwrap();
            prop_assert_eq!(dex::debug::parse(&again, 0).unwrap().0, info);
        }
    }
}
