//! Code as text, there and back.

use dex::debug::DebugEvent;
use dex::text::{self, TextErrorKind};
use dex::{
    Args, CallSiteIdx, Code, Dex, DexString, EncodedValue, FieldIdx, FieldRef, HandleTarget, Item,
    Label, MethodHandle, MethodHandleIdx, MethodIdx, MethodRef, Op, Proto, ProtoIdx, Ref, Reg,
    StringIdx, TypeIdx, Version, mutf8,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::build::*;
use crate::properties::valid_list;

fn empty() -> Dex {
    Dex::new(Version(39))
}

fn parse(text: &str) -> Result<Code, text::TextError> {
    text::parse_code(text, &mut empty())
}

/// The error in a body of which `line` is the second line, as the kind alone.
fn error(line: &str) -> TextErrorKind {
    let error = parse(&format!(".code registers=4\n    {line}\n    return-void\n")).unwrap_err();
    assert_eq!(error.line, 2, "{error}");
    error.kind
}

#[test]
fn text_written_by_hand_gives_the_list_that_it_shows() {
    let mut dex = empty();
    let code = text::parse_code(
        "
        ; a comment line
        .code registers=4 ins=2     ; outs= from the longest call
        .debug line 7 parameters \"a\" -
        :top
            .line 8
            .try 0
            invoke-static {v0, p1}, La/B;->m(I[J)V ; the type ends in `;`, this is the comment
            .end try
            const/high16 v1, 0x7f000000
            packed-switch v1, :P0
            .repeat 3 nop
            goto/16 :top
        :L5
            return-void
        .catch 0 Ljava/lang/Error; :L5, all :top
        .payload 0 packed-switch -2 :L5 :top
        ",
        &mut dex,
    )
    .unwrap();
    assert_eq!((code.registers, code.ins, code.outs, code.next_label), (4, 2, 2, 7));
    let expected = "\
.code registers=4 ins=2 outs=2
.debug line 7 parameters \"a\" -
:L6
    .line 8
    .try 0
    invoke-static {v0, v3}, La/B;->m(I[J)V
    .end try
    const/high16 v1, 0x7f000000
    packed-switch v1, :P0
    nop
    nop
    nop
    goto/16 :L6
:L5
    return-void
.catch 0 Ljava/lang/Error; :L5, all :L6
.payload 0 packed-switch -2 :L5 :L6
";
    assert_eq!(text::code(&dex, &code).to_string(), expected);
}

#[test]
fn names_that_letters_cannot_hold_are_quoted() {
    let mut dex = empty();
    let odd = "a \"b\"\\\n;->:(\u{0}\u{202e}é𝄞";
    let mut units: Vec<u16> = odd.encode_utf16().collect();
    units.push(0xd834); // a lone surrogate
    let name = dex.strings.intern(DexString(mutf8::encode_units(units.into_iter()).into()));
    let ty = dex.types.intern(name);
    let proto = dex.protos.intern(Proto { return_type: ty, parameters: vec![ty, ty] });
    let method = dex.methods.intern(MethodRef { class: ty, proto, name });
    let code = code([vec![
        insn(Op::InvokeStaticRange, Args::Range(Reg(0), 2, Ref::Method(method))),
        return_void(),
    ]]);
    let shown = text::code(&dex, &code).to_string();
    let quoted = r#""a \"b\"\\\n;->:(\u{0}\u{202e}é\u{1d11e}\u{d834}""#;
    assert!(shown.contains(&format!(" {quoted}->{quoted}({quoted}{quoted}){quoted}\n")), "{shown}");
    let mut other = empty();
    let again = text::parse_code(&shown, &mut other).unwrap();
    assert_eq!(text::code(&other, &again).to_string(), shown);
    assert_eq!(other.strings.items()[0], dex.strings.items()[0]);
}

#[test]
fn call_sites_and_method_handles_are_written_by_what_they_hold() {
    let line = "    invoke-custom {v1}, call-site(handle invoke-static La;->b()La;, \"run\", \
                proto (I)V, int -3, float -0.0, double 0x7ff8000000000000, {null, true, char 9}, \
                type [I, annotation La; {\"x\" = enum La;->y:La;})\n    \
                const-method-handle v0, instance-get La;->y:La;\n";
    let body = format!(".code registers=2 ins=0 outs=1\n{line}");
    let mut dex = empty();
    let code = text::parse_code(&body, &mut dex).unwrap();
    assert_eq!(text::code(&dex, &code).to_string(), body);
    assert_eq!(dex.call_sites.items()[0][4], EncodedValue::Float((-0.0f32).to_bits()));
    assert_eq!(dex.method_handles.items()[1].kind, 3);
}

#[test]
fn errors_name_line_and_column() {
    let at = |text: &str| {
        let error = parse(text).unwrap_err();
        (error.line, error.column)
    };
    assert_eq!(at(".code registers=1\n\n  ; x\n    const/4 v0 1\n"), (4, 16));
    assert_eq!(at(".code registers=1\n  move v0, q1\n"), (2, 12));
    assert_eq!(at(""), (1, 1));
    assert_eq!(
        parse(".code registers=1\n  nopp\n").unwrap_err().to_string(),
        r#"line 2, column 3: there is no opcode "nopp""#
    );
}

#[test]
fn what_is_no_code_is_refused() {
    use TextErrorKind as K;
    assert_eq!(error("frob v0"), K::UnknownOpcode("frob".into()));
    assert_eq!(error(".frob"), K::UnknownDirective(".frob".into()));
    assert_eq!(
        error("const/4 v16, 1"),
        K::Operand { op: Op::Const4, what: "a register is too high" }
    );
    assert_eq!(
        error("const/4 v0, 8"),
        K::Operand { op: Op::Const4, what: "the literal is too big" }
    );
    assert_eq!(error("const/4 v65536, 1"), K::Range { min: 0, max: 65_535 });
    assert_eq!(
        error("const-wide v0, 0x10000000000000000"),
        K::Range { min: i64::MIN, max: i64::MAX }
    );
    assert_eq!(error("return-void v0"), K::Expected("the end of the line"));
    assert_eq!(
        error("invoke-static {v0, v1, v2, v3, v4, v5}, La;->b()V"),
        K::Expected("at most five registers, none above v15")
    );
    assert_eq!(error("move v0, p0"), K::NoParameter);
    assert_eq!(error("const-string v0, \"abc"), K::Expected("a closing quote"));
    assert_eq!(error("const-string v0, \"\\x\""), K::Expected(r#"one of \\ \" \n \r \t \u{HEX}"#));
    assert_eq!(error("goto :L16777216"), K::Range { min: 0, max: 16_777_215 });
    assert_eq!(error(".repeat 1048577 nop"), K::Range { min: 0, max: 1 << 20 });
    assert_eq!(error(".end try"), K::NoOpenTry);
    assert_eq!(error(".catch 1 all :L0"), K::Order { expected: 0 });
    assert_eq!(error(".code registers=4"), K::UnknownDirective(".code".into()));
    let open = parse(".code registers=0\n.try 0\n nop\n").unwrap_err();
    assert_eq!(open.kind, K::Ends(".end try"));
    let nested = parse(".code registers=0\n.try 0\n.try 1\n").unwrap_err();
    assert_eq!((nested.line, nested.kind), (3, K::NestedTry));
}

#[test]
fn an_annotation_cannot_be_nested_without_end() {
    let deep = format!("invoke-custom {{}}, call-site({}", "{".repeat(100_000));
    assert_eq!(error(&deep), TextErrorKind::TooMuch(16));
}

#[test]
fn members_and_flags_of_a_class_survive() {
    let shown = "\
.class public interface abstract 0x80000000 La/B;
.super Ljava/lang/Object;
.implements Lc;
.source \"B.java\"
.field public static final x:I
.field static volatile y:J = long 0x7fffffff0
.field private transient z:[Ljava/lang/String;
.method static constructor <clinit>()V
.code registers=0 ins=0 outs=0
    return-void
.end method
.method public bridge varargs run(JLa/B;)I
.code registers=4 ins=4 outs=0
    const/4 v0, 0
    return v0
.end method
.method public abstract stop()V
.end method
";
    let shown = shown.replace("0x7fffffff0", "34359738352");
    let mut dex = empty();
    // The frame of a method follows from its parameters where the text has none.
    let brief = shown.replace(" ins=4 outs=0", "");
    assert_eq!(text::parse_classes(&brief, &mut dex).unwrap(), [0]);
    let with_default = shown.replace("final x:I", "final x:I = int 0");
    assert_eq!(text::classes(&dex).to_string(), with_default);
    let lists =
        |dex: &Dex| (dex.classes[0].direct_methods.len(), dex.classes[0].virtual_methods.len());
    assert_eq!(lists(&dex), (1, 2));
    let read = Dex::read(&dex.write().unwrap()).unwrap();
    assert_eq!(text::classes(&read).to_string(), with_default);
}

#[test]
fn classes_of_real_files_survive() {
    let files: [&[u8]; 4] = [
        include_bytes!("../fixtures/kitchen.dex"),
        include_bytes!("../fixtures/dynamic.dex"),
        include_bytes!("../fixtures/hidden.dex"),
        include_bytes!("../../../runtime/prebuilt/runtime.dex"),
    ];
    for bytes in files {
        let dex = Dex::read(bytes).unwrap();
        let shown = text::classes(&dex).to_string();
        assert!(shown.len() > 100 && !shown.contains("; no code"), "{shown}");
        let mut other = Dex::new(dex.version);
        text::parse_classes(&shown, &mut other).unwrap();
        assert_eq!(text::classes(&other).to_string(), shown);
        let read = Dex::read(&other.write().unwrap()).unwrap();
        let names = |dex: &Dex| {
            dex.classes.iter().map(|c| dex.type_name(c.ty).into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(&read).len(), names(&dex).len());
    }
}

/// Pools of a few items each, with names of all kinds.
fn pools(texts: &[String]) -> Dex {
    let mut dex = empty();
    for text in texts.iter().map(String::as_str).chain(["La/B;", "I", "[J", "run", "<init>", "V"]) {
        dex.intern_str(text);
    }
    let n = dex.strings.len() as u32;
    for i in 0..n {
        let (a, b) = (StringIdx(i), StringIdx((i * 7 + 3) % n));
        dex.types.push(a);
        let (ty, other) = (TypeIdx(i), TypeIdx((i * 5 + 1) % n));
        dex.protos.push(Proto { return_type: ty, parameters: vec![other; i as usize % 3] });
        dex.fields.push(FieldRef { class: ty, ty: other, name: b });
        dex.methods.push(MethodRef { class: other, proto: ProtoIdx((i * 3) % n), name: b });
        let target = if i % 9 < 4 {
            HandleTarget::Field(FieldIdx(i))
        } else {
            HandleTarget::Method(MethodIdx(i))
        };
        dex.method_handles.push(MethodHandle { kind: (i % 9) as u16, target });
        let handle = EncodedValue::MethodHandle(MethodHandleIdx((i * 2) % n));
        let number = [
            EncodedValue::Int(i as i32),
            EncodedValue::Double(u64::from(i) << 52),
            EncodedValue::Float(!0),
        ][i as usize % 3]
            .clone();
        dex.call_sites.push(vec![
            handle,
            EncodedValue::String(a),
            EncodedValue::MethodType(ProtoIdx(i)),
            number,
            EncodedValue::Type(ty),
        ]);
    }
    dex
}

/// The list with all indices brought below `n`.
fn within(mut code: Code, n: u32) -> Code {
    let reference = |r: Ref| match r {
        Ref::String(i) => Ref::String(StringIdx(i.0 % n)),
        Ref::Type(i) => Ref::Type(TypeIdx(i.0 % n)),
        Ref::Field(i) => Ref::Field(FieldIdx(i.0 % n)),
        Ref::Method(i) => Ref::Method(MethodIdx(i.0 % n)),
        Ref::Proto(i) => Ref::Proto(ProtoIdx(i.0 % n)),
        Ref::CallSite(i) => Ref::CallSite(CallSiteIdx(i.0 % n)),
        Ref::MethodHandle(i) => Ref::MethodHandle(MethodHandleIdx(i.0 % n)),
    };
    let string = |s: &mut Option<StringIdx>| *s = s.map(|s| StringIdx(s.0 % n));
    for node in &mut code.nodes {
        match &mut node.item {
            Item::Insn(insn) => match &mut insn.args {
                Args::ARef(_, r)
                | Args::ABRef(_, _, r)
                | Args::List(_, r)
                | Args::Range(_, _, r) => *r = reference(*r),
                Args::PolyList(_, m, p) | Args::PolyRange(_, _, m, p) => {
                    (*m, *p) = (MethodIdx(m.0 % n), ProtoIdx(p.0 % n));
                }
                _ => {}
            },
            Item::Debug(DebugEvent::StartLocal { name, ty, signature, .. }) => {
                string(name);
                string(signature);
                *ty = ty.map(|ty| TypeIdx(ty.0 % n));
            }
            Item::Debug(DebugEvent::SetFile(name)) => string(name),
            _ => {}
        }
    }
    code.debug.iter_mut().flat_map(|d| &mut d.parameter_names).for_each(string);
    code.tries.iter_mut().flat_map(|t| &mut t.catches).for_each(|(ty, _)| *ty = TypeIdx(ty.0 % n));
    code
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn positions_as_text_give_the_list_back(code in valid_list()) {
        let shown = code.to_string();
        prop_assert_eq!(parse(&shown).unwrap(), code, "\n{}", shown);
    }

    #[test]
    fn names_as_text_give_the_same_text_from_other_pools(
        code in valid_list(), texts in vec(".{0,6}", 0..12),
    ) {
        let dex = pools(&texts);
        let code = within(code, dex.types.len() as u32);
        let shown = text::code(&dex, &code).to_string();
        prop_assert!(!shown.contains('@') || texts.iter().any(|t| t.contains('@')), "{}", shown);
        let mut other = empty();
        let again = text::parse_code(&shown, &mut other).unwrap();
        prop_assert_eq!(&text::code(&other, &again).to_string(), &shown);
        // But for the numbers of pool items it is the same list.
        prop_assert_eq!(again.nodes.len(), code.nodes.len());
        prop_assert_eq!(again.next_label, code.next_label);
    }

    #[test]
    fn damaged_text_never_panics(
        code in valid_list(), at in any::<prop::sample::Index>(), with in ".{0,3}",
    ) {
        let mut shown = text::code(&pools(&[]), &within(code, 6)).to_string();
        let at = (0..=at.index(shown.len())).rev().find(|&i| shown.is_char_boundary(i)).unwrap();
        let end = (at + 1..=shown.len()).find(|&i| shown.is_char_boundary(i)).unwrap_or(at);
        shown.replace_range(at..end, &with);
        let _ = parse(&shown);
        let class = format!(".class La;\n.method a(I)V\n{shown}.end method\n");
        let _ = text::parse_classes(&class, &mut empty());
    }
}

#[test]
fn a_label_of_its_own_name_gets_a_number_that_no_other_has() {
    let code = parse(".code registers=1\n:a\n goto :L3\n:L3\n goto :b\n:b\n goto :a\n").unwrap();
    let labels: Vec<Label> = insns(&code).iter().filter_map(|insn| insn.label()).collect();
    assert_eq!(labels, [Label(3), Label(5), Label(4)]);
    assert_eq!(code.next_label, 6);
}
