//! The structural rules: sound files pass, and each kind of damage is named.

use dex::verify::{Problem, verify};
use dex::{
    AccessFlags, Args, Body, ClassDef, Code, CodeError, CodeItem, Dex, EncodedMethod, Insn, Item,
    Node, Op,
};

const KITCHEN: &[u8] = include_bytes!("fixtures/kitchen.dex");

/// Violations in the fixture after an edit of its class `Lfix/Kitchen;`.
fn after(edit: impl FnOnce(&mut Dex, usize)) -> Vec<(String, Problem)> {
    let mut dex = Dex::read(KITCHEN).unwrap();
    let at = dex.classes.iter().position(|c| dex.type_name(c.ty) == "Lfix/Kitchen;").unwrap();
    edit(&mut dex, at);
    verify(&dex).into_iter().map(|v| (v.place, v.problem)).collect()
}

/// Violations in a static method `V m(I)` of two registers that has these code units.
fn body(units: &[u16]) -> Vec<(Option<u32>, Problem)> {
    let mut dex = Dex::new(dex::Version(35));
    let (ty, superclass) = (dex.intern_type("La;"), Some(dex.intern_type("Ljava/lang/Object;")));
    let method = dex.intern_method("La;", "m", "V", &["I"]);
    assert_eq!((ty.0, superclass.unwrap().0, method.0), (0, 1, 0));
    let code =
        CodeItem { registers: 2, ins: 1, outs: 1, insns: units.to_vec(), ..CodeItem::default() };
    dex.codes.push(code.into());
    let direct_methods = vec![EncodedMethod {
        method,
        access: AccessFlags::PUBLIC | AccessFlags::STATIC,
        code: Some(dex::CodeId(0)),
        hiddenapi: None,
    }];
    dex.classes.push(ClassDef {
        superclass,
        direct_methods,
        ..ClassDef::new(ty, AccessFlags::PUBLIC)
    });
    verify(&dex).into_iter().map(|v| (v.at, v.problem)).collect()
}

#[test]
fn sound_files_pass() {
    assert_eq!(after(|_, _| {}), []);
    for bytes in
        [&include_bytes!("fixtures/dynamic.dex")[..], include_bytes!("fixtures/hidden.dex")]
    {
        assert_eq!(verify(&Dex::read(bytes).unwrap()), []);
    }
    // invoke-static {v0}, La;->m(I)V; return-void
    assert_eq!(body(&[0x1071, 0, 0, 0x000E]), []);
}

#[test]
fn wrong_classes_and_members_are_named() {
    let kitchen = || "Lfix/Kitchen;".to_string();
    assert_eq!(
        after(|dex, i| {
            let copy = dex.classes[i].clone();
            dex.classes[i] = ClassDef { annotations: None, ..copy.clone() };
            dex.classes.push(copy);
        }),
        [(kitchen(), Problem::Duplicate)]
    );
    assert_eq!(
        after(|dex, i| dex.classes[i].superclass = None),
        [(kitchen(), Problem::NoSuperclass)]
    );
    assert_eq!(
        after(|dex, i| dex.classes[i].superclass = Some(dex.classes[i].ty)),
        [(kitchen(), Problem::Inheritance)]
    );
    assert_eq!(
        after(|dex, i| dex.classes[i].access |= AccessFlags::ABSTRACT),
        [(
            kitchen(),
            Problem::ClassFlags(AccessFlags::PUBLIC | AccessFlags::FINAL | AccessFlags::ABSTRACT)
        )]
    );
    let run = || "Lfix/Kitchen;->run()V".to_string();
    let tables = || "Lfix/Kitchen;->tables(ILjava/lang/String;)I".to_string();
    assert_eq!(
        after(|dex, i| {
            let direct = dex.classes[i].direct_methods.pop().unwrap();
            dex.classes[i].virtual_methods.push(direct);
        }),
        [(tables(), Problem::WrongList("virtual"))]
    );
    let last = |dex: &mut Dex, i: usize, edit: fn(&mut EncodedMethod)| {
        edit(dex.classes[i].virtual_methods.last_mut().unwrap());
    };
    assert_eq!(after(|dex, i| last(dex, i, |m| m.code = None)), [(run(), Problem::NoBody)]);
    assert_eq!(
        after(|dex, i| last(dex, i, |m| m.access |= AccessFlags::NATIVE)),
        [(run(), Problem::UnexpectedBody)]
    );
    assert_eq!(
        after(|dex, i| last(dex, i, |m| m.access |= AccessFlags::PROTECTED)),
        [(run(), Problem::MethodFlags(AccessFlags::PUBLIC | AccessFlags::PROTECTED))]
    );
    assert_eq!(
        after(|dex, i| {
            let twice = dex.classes[i].virtual_methods.last().unwrap().clone();
            dex.classes[i].virtual_methods.push(twice);
        }),
        [(run(), Problem::Duplicate)]
    );
    assert_eq!(
        after(|dex, i| dex.classes[i].static_values[0] = dex::EncodedValue::Int(0)),
        [("Lfix/Kitchen;->b:B".to_string(), Problem::ValueType)]
    );
    assert_eq!(
        after(|dex, i| dex.classes[i].instance_fields[0].access =
            AccessFlags::FINAL | AccessFlags::VOLATILE),
        [(
            "Lfix/Kitchen;->count:I".to_string(),
            Problem::FieldFlags(AccessFlags::FINAL | AccessFlags::VOLATILE)
        )]
    );
    assert_eq!(
        after(|dex, i| {
            let Some(Body::Raw(item)) =
                dex.codes.get_mut(dex.classes[i].virtual_methods[1].code.unwrap().0 as usize)
            else {
                panic!()
            };
            item.registers = 0;
            item.insns = vec![0x000E];
            item.tries.clear();
            item.debug = None;
        }),
        [(run(), Problem::Code(CodeError::Parameters { registers: 0, ins: 1 }))]
    );
}

#[test]
fn bodies_under_edit_are_checked_too() {
    let with = |nodes: Vec<Node>| {
        after(|dex, i| {
            let run = dex.classes[i].virtual_methods.last().unwrap().code.unwrap();
            dex.codes[run.0 as usize] =
                Body::from(Code { registers: 1, ins: 1, nodes, ..Code::default() });
        })
    };
    let run = "Lfix/Kitchen;->run()V".to_string();
    let nop = Node { item: Item::Insn(Insn { op: Op::Nop, args: Args::None }), try_id: None };
    assert_eq!(with(vec![]), [(run.clone(), Problem::Empty)]);
    assert_eq!(with(vec![nop]), [(run, Problem::FallsOffEnd)]);
}

#[test]
fn wrong_bodies_are_named_with_their_offset() {
    assert!(matches!(body(&[0x0000])[..], [(_, Problem::Code(_) | Problem::FallsOffEnd)]));
    assert!(matches!(body(&[])[..], [(_, Problem::Code(_) | Problem::Empty)]));
    // const/4 v2, 0
    assert_eq!(
        body(&[0x0212, 0x000E]),
        [(Some(0), Problem::Register { op: Op::Const4, reg: 2, registers: 2 })]
    );
    // const-wide/16 v1, 0: the second half is v2
    let wide = Problem::Register { op: Op::ConstWide16, reg: 2, registers: 2 };
    assert_eq!(body(&[0x0116, 0, 0x000E]), [(Some(0), wide)]);
    // nop; move-result v0
    assert_eq!(
        body(&[0x0000, 0x000A, 0x000E]),
        [(Some(1), Problem::StrayMoveResult(Op::MoveResult))]
    );
    // if-eqz v1, +5; invoke-static {v1}; move-result v0; return-void
    assert_eq!(
        body(&[0x0138, 5, 0x1071, 0, 1, 0x000A, 0x000E]),
        [(Some(5), Problem::MoveResultTarget(Op::MoveResult))]
    );
    assert_eq!(body(&[0x000D, 0x000E]), [(Some(0), Problem::StrayMoveException)]);
    // Dead code may be anything.
    assert_eq!(body(&[0x000E, 0x000D, 0x000E]), []);
    // invoke-static {}
    let count = Problem::ArgumentCount { op: Op::InvokeStatic, given: 0, expected: 1 };
    assert_eq!(body(&[0x0071, 0, 0, 0x000E]), [(Some(0), count)]);
    // return v0
    assert_eq!(body(&[0x000F]), [(Some(0), Problem::ReturnType(Op::Return))]);
    // const-string v0, string@99
    assert_eq!(
        body(&[0x001A, 99, 0x000E]),
        [(Some(0), Problem::Dangling(Op::ConstString, "string"))]
    );
    // new-array v0, v1, La;
    let kind = Problem::Operand { op: Op::NewArray, what: "it names a type of the wrong kind" };
    assert_eq!(body(&[0x1023, 0, 0x000E]), [(Some(0), kind)]);
    // goto -1 into nowhere
    assert!(matches!(body(&[0x0000, 0x0F28, 0x000E])[..], [(None, Problem::Code(_))]));
}
