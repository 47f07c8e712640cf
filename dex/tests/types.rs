//! The rules of register kinds: each class of `fixtures/types.txt` is refused for the reason that
//! stands before it, or accepted. ART's verifiers agree (`cargo xtask art types`).

use dex::verify::types::{TypeChecker, TypeProblem};
use dex::{Body, Code, Dex, EncodedMethod, Version};

const RULES: &str = include_str!("fixtures/types.txt");

fn code<'a>(dex: &'a Dex, method: &EncodedMethod) -> &'a Code {
    match &dex.codes[method.code.expect("has code").0 as usize] {
        Body::Edited(code) => code,
        Body::Raw(_) | Body::Stored(_) => unreachable!("just parsed"),
    }
}

#[test]
fn each_rule_is_checked() {
    let mut dex = Dex::new(Version(35));
    dex::text::parse_classes(RULES, &mut dex).expect("parses");
    let mut wanted = std::collections::HashMap::new();
    let mut last = None;
    for line in RULES.lines() {
        if let Some(text) = line.strip_prefix("; refused: ") {
            let what = text.strip_prefix("(locks) ").or(text.strip_prefix("(soft) "));
            last = Some(what.unwrap_or(text));
        } else if let Some(name) = line.strip_prefix(".class public ") {
            wanted.insert(name.to_owned(), last.take());
        }
    }
    let (mut good, mut bad) = (0, 0);
    let checker = TypeChecker::new(&dex);
    for class in &dex.classes {
        let name = dex.type_name(class.ty).into_owned();
        let method = class.methods().next().expect("one each");
        match (wanted[&name], checker.check(method.method, method.access, code(&dex, method))) {
            (Some(text), Err(e)) if e.problem.to_string().contains(text) => bad += 1,
            (None, Ok(())) => good += 1,
            (wanted, found) => panic!("{name}: {found:?} instead of {wanted:?}"),
        }
        assert_eq!(name.starts_with("Lgood/"), wanted[&name].is_none(), "{name}");
    }
    assert!(good >= 18 && bad >= 41, "{good} good, {bad} bad");
}

/// One static method `(I)V` of these lines, checked.
fn check(registers: usize, lines: &str) -> Result<(), TypeProblem> {
    let mut dex = Dex::new(Version(35));
    let text = format!(
        ".class public La;\n.super Ljava/lang/Object;\n.method static m(I)V\n\
         .code registers={registers} ins=1\n{lines}\n.end method\n"
    );
    dex::text::parse_classes(&text, &mut dex).expect("parses");
    let method = dex.classes[0].direct_methods[0].clone();
    TypeChecker::new(&dex)
        .check(method.method, method.access, code(&dex, &method))
        .map_err(|e| e.problem)
}

#[test]
fn labels_that_stand_nowhere_and_ends_that_are_open_are_refused() {
    assert_eq!(check(1, "    return-void"), Ok(()));
    assert!(matches!(check(1, "    goto :L9999999"), Err(TypeProblem::Malformed(_))));
    assert!(matches!(check(1, "    nop"), Err(TypeProblem::Malformed(_))));
    assert!(matches!(
        check(3, "    invoke-static {v2}, method@77\n    return-void"),
        Err(TypeProblem::Malformed(_))
    ));
}

#[test]
fn what_would_cost_too_much_ends() {
    // 20,000 labels that lead to one another, with 60,000 registers each: 10 GB if all were
    // remembered.
    let mut lines = String::new();
    for i in 0..20_000 {
        lines += &format!(":x{i}\n    if-eqz v0, :x{}\n", (i * 7919 + 1) % 20_000);
    }
    assert_eq!(check(60_000, &format!("    const/4 v0, 0\n{lines}    return-void")), Ok(()));
}
