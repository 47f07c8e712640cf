//! Overriding methods in hierarchies that are deliberately deep, wide or twisted.

use dex::{AccessFlags, Body, ClassDef, CodeId, CodeItem, Dex, EncodedMethod};

use super::*;

/// Descriptor, superclass and interfaces of a class; the flag is true if it defines `f`.
struct Kind {
    name: String,
    superclass: String,
    interfaces: Vec<String>,
    defines: bool,
    access: AccessFlags,
}

fn class(name: &str, superclass: &str, defines: bool) -> Kind {
    Kind {
        name: name.into(),
        superclass: superclass.into(),
        interfaces: vec![],
        defines,
        access: AccessFlags::PUBLIC,
    }
}

/// Builds a program. The result lists each class's reference to its `f` in the order of the
/// classes; a class that defines `f` does so with a lone `return-void`.
fn program(classes: &[Kind]) -> (Program, Vec<MethodIdx>) {
    let mut dex = Dex::new(dex::Version(39));
    let mut references = Vec::new();
    for c in classes {
        let superclass = dex.intern_type(&c.superclass);
        let ty = dex.intern_type(&c.name);
        let interfaces = c.interfaces.iter().map(|i| dex.intern_type(i)).collect();
        let mut def =
            ClassDef { superclass: Some(superclass), interfaces, ..ClassDef::new(ty, c.access) };
        let method = dex.intern_method(&c.name, "f", "V", &[]);
        references.push(method);
        if c.defines {
            let code = Some(CodeId(dex.codes.len() as u32));
            dex.codes.push(Body::from(CodeItem {
                registers: 1,
                ins: 1,
                insns: vec![0x000e],
                ..CodeItem::default()
            }));
            def.virtual_methods.push(EncodedMethod {
                method,
                access: AccessFlags::PUBLIC,
                code,
                hiddenapi: None,
            });
        }
        dex.classes.push(def);
    }
    (Program::new(vec![DexFile { name: "classes.dex".into(), dex }]), references)
}

/// Returns the classes whose `f` a virtual call through this reference can reach.
fn reached(p: &Program, method: MethodIdx) -> Vec<&str> {
    let reach = CallTargets::of(p).reach(0, method, Dispatch::Virtual, ClassNo(0));
    reach.methods().map(|m| p.text(p.class(p.method(m).class).name)).collect()
}

#[test]
fn a_call_reaches_the_subclasses_of_the_class_that_it_names() {
    let (p, calls) = program(&[
        class("LA;", "Ljava/lang/Object;", true),
        class("LB;", "LA;", false),
        class("LC;", "LA;", true),
        class("LD;", "LB;", true),
        class("LE;", "LB;", false),
        class("LF;", "LE;", true),
    ]);
    assert_eq!(reached(&p, calls[0]), ["LA;", "LC;", "LD;", "LF;"]);
    assert_eq!(reached(&p, calls[1]), ["LA;", "LD;", "LF;"]);
    assert_eq!(reached(&p, calls[2]), ["LC;"]);
    assert_eq!(reached(&p, calls[4]), ["LA;", "LF;"]);
    assert!(matches!(
        CallTargets::of(&p).reach(0, calls[5], Dispatch::Virtual, ClassNo(0)),
        Reach::One(_)
    ));
}

/// Each class overrides the method of the one before, and each is called through: one more callee
/// for every class, in all quadratically many.
#[test]
fn callees_of_a_chain_of_overrides_grow_with_its_length_only() {
    let length = 3000;
    let name = |i: usize| if i == 0 { "Ljava/lang/Object;".into() } else { format!("LC{i};") };
    let (p, calls) =
        program(&(1..=length).map(|i| class(&name(i), &name(i - 1), true)).collect::<Vec<_>>());
    let callees: usize = calls
        .iter()
        .map(|&c| CallTargets::of(&p).reach(0, c, Dispatch::Virtual, ClassNo(0)).methods().count())
        .sum();
    assert!(callees < 256 * length, "{callees} callees");
    assert_eq!(
        reached(&p, calls[length - 100]).len(),
        100,
        "calls near the end are still predicted"
    );
}

/// Interfaces with two superinterfaces each, forty generations: 2⁴⁰ paths up, and as many down.
#[test]
fn interfaces_that_fork_and_join_are_visited_once() {
    let interface = |name: String, above: &[String]| Kind {
        interfaces: above.to_vec(),
        access: AccessFlags::PUBLIC | AccessFlags::INTERFACE | AccessFlags::ABSTRACT,
        ..class(&name, "Ljava/lang/Object;", false)
    };
    let pair = |i: usize| if i == 0 { vec![] } else { vec![format!("LX{i};"), format!("LY{i};")] };
    let mut classes: Vec<Kind> = (1..=40)
        .flat_map(|i| pair(i).into_iter().map(move |n| interface(n, &pair(i - 1))))
        .collect();
    classes.push(Kind { interfaces: pair(40), ..class("LImpl;", "Ljava/lang/Object;", true) });
    classes.push(Kind { interfaces: vec!["Lapi/Out;".into()], ..class("LSub;", "LImpl;", false) });
    let (p, calls) = program(&classes);
    let Some(f) = p.declared(ClassNo(80), "f()V") else { panic!("LImpl; defines f") };
    assert!(p.called_from_outside(f), "a subclass of LImpl; adds an interface from outside");
    for call in [calls[0], calls[79]] {
        let reach = CallTargets::of(&p).reach(0, call, Dispatch::Interface, ClassNo(0));
        assert!(matches!(reach, Reach::Any(all) if *all == [f]));
    }
}

/// Such classes never load; queries about them must still terminate.
#[test]
fn classes_that_extend_each_other_reach_nothing_else() {
    let (p, calls) = program(&[class("LA;", "LB;", true), class("LB;", "LA;", true)]);
    assert_eq!(reached(&p, calls[0]), ["LA;"]);
    assert!(!p.called_from_outside(MethodNo(0)));
}
