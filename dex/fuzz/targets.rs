//! Bodies of the fuzz targets, which `tests/fuzz_smoke.rs` and `cargo xtask mutants` also call.
//!
//! Each target takes any bytes and panics if a rule is broken. It returns true if the bytes could
//! be read and written.

use dex::{
    Args, Body, Code, Dex, Insn, Item, Label, MethodIdx, Node, Op, Payload, ReadOptions, Ref,
};

fn parse(data: &[u8]) -> Option<Dex> {
    Dex::read_with(data, ReadOptions::any_check_sum()).ok()
}

/// Reading neither panics nor takes memory out of proportion.
pub fn read(data: &[u8]) -> bool {
    parse(data).is_some()
}

/// Checks that the written bytes read as a file that is written with the same bytes.
pub fn roundtrip(data: &[u8]) -> bool {
    let Some(first) = parse(data).and_then(|dex| dex.write().ok()) else { return false };
    let second = Dex::read(&first).expect("what we wrote can be read");
    assert!(second.write().expect("and written") == first, "a second pass changes the file");
    let mut compact = second.clone();
    if compact.compact().is_ok() {
        assert_eq!(listing(&compact), listing(&second));
    }
    true
}

/// Instructions that do nothing, put between others, change nothing else.
pub fn edit(data: &[u8]) -> bool {
    let Some(mut dex) = parse(data) else { return false };
    let before = listing(&dex);
    for body in &mut dex.codes {
        let Body::Raw(item) = body else { unreachable!("just read") };
        if let Ok(mut code) = dex::decode(item)
            && !has_self_branch(&code)
        {
            sprinkle(&mut code);
            *body = code.into();
        }
    }
    let Ok(bytes) = dex.write() else { return false };
    let after = listing(&Dex::read(&bytes).expect("what we wrote can be read"));
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before, after);
    }
    true
}

/// True if an `if` jumps to itself. Verifiers refuse such a branch, so lowering writes it as two
/// instructions.
fn has_self_branch(code: &Code) -> bool {
    let mut here = Vec::new();
    for node in &code.nodes {
        match &node.item {
            Item::Label(label) => here.push(*label),
            Item::Debug(_) => {}
            Item::Insn(insn) if insn.label().is_some_and(|l| here.contains(&l)) => return true,
            Item::Insn(_) => here.clear(),
        }
    }
    false
}

/// Inserts `nop`s and jumps to the next instruction.
fn sprinkle(code: &mut Code) {
    let mut nodes = Vec::with_capacity(code.nodes.len() * 2);
    for (i, node) in std::mem::take(&mut code.nodes).into_iter().enumerate() {
        if let Item::Insn(insn) = node.item
            && !insn.op.is_move_result()
            && insn.op != Op::MoveException
        {
            let mut put = |item| nodes.push(Node { item, try_id: node.try_id });
            // Neighbours have nothing in common.
            match (i as u32).wrapping_mul(0x9E37_79B1) >> 30 {
                0 => put(Item::Insn(Insn { op: Op::Nop, args: Args::None })),
                1 => {
                    let next = Label(code.next_label);
                    code.next_label += 1;
                    put(Item::Insn(Insn::goto(next)));
                    put(Item::Label(next));
                }
                _ => {}
            }
        }
        nodes.push(node);
    }
    code.nodes = nodes;
}

/// Every method and what it does, sorted, in terms that renumbering and [`sprinkle`] leave alone.
fn listing(dex: &Dex) -> Vec<(String, Vec<String>)> {
    let methods = dex.classes.iter().flat_map(|class| class.methods().map(move |m| (class.ty, m)));
    let mut all: Vec<(String, Vec<String>)> = methods
        .map(|(class, method)| {
            let name = format!(
                "{} {} {:x}",
                dex.type_name(class),
                dex.method_name(method.method),
                method.access
            );
            let lines = match method.code.map(|code| dex.code(code)) {
                None => vec!["no body".to_string()],
                Some(Some(Ok(code))) => body_listing(dex, &code),
                Some(_) => vec!["no sense".to_string()],
            };
            (name, lines)
        })
        .collect();
    all.sort();
    all
}

fn body_listing(dex: &Dex, code: &Code) -> Vec<String> {
    // Position of each label among the instructions that count.
    let mut positions = vec![usize::MAX; code.next_label as usize];
    let mut count = 0;
    for (i, node) in code.nodes.iter().enumerate() {
        match &node.item {
            Item::Label(label) => positions[label.0 as usize] = count,
            Item::Insn(insn) if !is_idle(code, i, insn) => count += 1,
            _ => {}
        }
    }
    let target = |label: Label| positions[label.0 as usize];
    let text = |s: Option<dex::StringIdx>| s.map(|s| dex.string(s));
    let mut lines = vec![format!("{} {} {}", code.registers, code.ins, code.outs)];
    if let Some(debug) = &code.debug {
        let names: Vec<_> = debug.parameter_names.iter().map(|&name| text(name)).collect();
        lines.push(format!("from line {}: {names:?}", debug.line_start));
    }
    for (i, node) in code.nodes.iter().enumerate() {
        match &node.item {
            Item::Label(_) => {}
            Item::Debug(dex::debug::DebugEvent::StartLocal {
                reg,
                name,
                ty,
                signature,
                extended,
            }) => lines.push(format!(
                "local {reg:?} {:?} {:?} {:?} {extended}",
                text(*name),
                ty.map(|ty| dex.type_name(ty)),
                text(*signature)
            )),
            Item::Debug(dex::debug::DebugEvent::SetFile(file)) => {
                lines.push(format!("file {:?}", text(*file)))
            }
            Item::Debug(event) => lines.push(format!("{event:?}")),
            Item::Insn(insn) if is_idle(code, i, insn) => {}
            Item::Insn(insn) => {
                let mut line = insn_listing(dex, code, insn, &target);
                if let Some(handlers) = node.try_id.map(|id| &code.tries[id.0 as usize]) {
                    for (ty, label) in &handlers.catches {
                        line += &format!(" {}->{}", dex.type_name(*ty), target(*label));
                    }
                    line += &format!(" {:?}", handlers.catch_all.map(target));
                }
                lines.push(line);
            }
        }
    }
    lines
}

/// A `nop`, or a jump to the instruction that follows anyway.
fn is_idle(code: &Code, i: usize, insn: &Insn) -> bool {
    if insn.op == Op::Nop {
        return true;
    }
    let Some(label) = insn.label().filter(|_| insn.op.is_goto()) else { return false };
    for (n, node) in code.nodes.iter().enumerate().skip(i + 1) {
        match &node.item {
            Item::Label(l) if *l == label => return true,
            // What does nothing in between may have been put there.
            Item::Insn(between) if !is_idle(code, n, between) => return false,
            _ => {}
        }
    }
    false
}

fn insn_listing(dex: &Dex, code: &Code, insn: &Insn, target: &dyn Fn(Label) -> usize) -> String {
    let name = match insn.op {
        op if op.is_goto() => "goto",
        Op::ConstStringJumbo => "const-string",
        op => op.name(),
    };
    let method = |m: MethodIdx| dex.method_name(m);
    let reference = |r: Ref| match r {
        Ref::String(i) => format!("{:?}", dex.string(i)),
        Ref::Type(i) => dex.type_name(i).into_owned(),
        Ref::Field(i) => dex.field_name(i),
        Ref::Method(i) => method(i),
        Ref::Proto(i) => dex.proto_name(i),
        // These keep their order through compaction and writing, though maybe not their numbers.
        Ref::CallSite(_) => "call site".into(),
        Ref::MethodHandle(_) => "method handle".into(),
    };
    let payload = |p: dex::PayloadId| match &code.payloads[p.0 as usize] {
        Payload::PackedSwitch { first_key, targets } => {
            format!("{first_key} {:?}", targets.iter().map(|&t| target(t)).collect::<Vec<_>>())
        }
        Payload::SparseSwitch { cases } => {
            format!("{:?}", cases.iter().map(|&(key, t)| (key, target(t))).collect::<Vec<_>>())
        }
        Payload::FillArray { width, data } => format!("{width} {data:?}"),
    };
    let operands = match insn.args {
        Args::Jump(l) => format!("{}", target(l)),
        Args::AJump(a, l) => format!("{a:?} {}", target(l)),
        Args::ABJump(a, b, l) => format!("{a:?} {b:?} {}", target(l)),
        Args::APayload(a, p) => format!("{a:?} {}", payload(p)),
        Args::ARef(a, r) => format!("{a:?} {}", reference(r)),
        Args::ABRef(a, b, r) => format!("{a:?} {b:?} {}", reference(r)),
        Args::List(list, r) => format!("{list:?} {}", reference(r)),
        Args::Range(first, n, r) => format!("{first:?} {n} {}", reference(r)),
        Args::PolyList(list, m, p) => format!("{list:?} {} {}", method(m), dex.proto_name(p)),
        Args::PolyRange(first, n, m, p) => {
            format!("{first:?} {n} {} {}", method(m), dex.proto_name(p))
        }
        other => format!("{other:?}"),
    };
    format!("{name} {operands}")
}
