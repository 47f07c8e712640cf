//! Findings of `cargo xtask mutants`, one small test each.

use decoder::replay::Program;
use decoder::train::Counter;
use dex::{AccessFlags, Body, CodeId, CodeItem, Dex, EncodedMethod, Version};
use instrumenter::{Inline, Options, Output, RuntimeHome, instrument};
use model::map::Terminator;
use model::profile::{BranchShape, Profile};
use tests::sim::{Rng, Shape, random_map};

/// A class of static methods `(I)V` with these bodies.
fn class(bodies: &[CodeItem], methods: impl Iterator<Item = usize>) -> Vec<u8> {
    let mut dex = Dex::new(Version(39));
    dex.codes = bodies.iter().cloned().map(Body::from).collect();
    let all = methods.enumerate().map(|(i, body)| {
        let method = dex.intern_method("La/C;", &format!("m{i:05}"), "V", &["I"]);
        EncodedMethod {
            method,
            access: AccessFlags::STATIC,
            code: Some(CodeId(body as u32)),
            hiddenapi: None,
        }
    });
    let all = all.collect();
    tests::add_class(&mut dex, "La/C;", all);
    dex.write().expect("writes")
}

fn body(insns: &[u16]) -> CodeItem {
    CodeItem { registers: 1, ins: 1, outs: 0, insns: insns.to_vec(), ..CodeItem::default() }
}

/// `if-nez v0, +2; return-void; return-void`.
const BRANCH: [u16; 4] = [0x0039, 0x0003, 0x000e, 0x000e];

fn woven(bytes: Vec<u8>, options: &Options) -> Output {
    instrument(vec![("classes.dex".into(), bytes)], RuntimeHome::OwnFile, "", options)
        .expect("instruments")
}

#[test]
fn a_register_outside_the_frame_leaves_its_method_alone() {
    // move/16 v65535, v0
    let outside = body(&[0x0003, 0xFFFF, 0, 0x000e]);
    let out = woven(class(&[body(&BRANCH), outside], 0..2), &Options::default());
    let skipped: Vec<_> =
        out.report.skipped.iter().map(|s| (s.method.as_str(), s.reason.as_str())).collect();
    let reason = "code unit 0x0000: it names v65535 in a frame of 1 registers";
    assert_eq!(skipped, [("La/C;->m00001(I)V", reason)]);
    assert_eq!(out.report.dex[0].instrumented, 1);
}

/// Each method needs a copy of its own: 65,000 methods that share 120 KB would take gigabytes.
#[test]
fn a_large_body_of_many_methods_is_not_copied_for_each() {
    let large = body(&[&[0; 60_000], &BRANCH[..]].concat());
    let out = woven(class(&[large], std::iter::repeat_n(0, 200)), &Options::default());
    let shared =
        out.report.skipped.iter().filter(|s| s.reason.starts_with("it shares its code")).count();
    // 2²⁰ units are copied: 17 bodies beside the first.
    assert_eq!((out.report.dex[0].instrumented, shared), (18, 200 - 18));
}

#[test]
fn a_small_body_is_copied_for_each_of_its_methods() {
    let out = woven(class(&[body(&BRANCH)], std::iter::repeat_n(0, 4_000)), &Options::default());
    assert_eq!((out.report.dex[0].instrumented, out.report.skipped.len()), (4_000, 0));
}

#[test]
fn a_model_with_the_highest_counts_is_taken() {
    let bytes = class(&[body(&BRANCH)], std::iter::repeat_n(0, 3));
    let map = woven(bytes.clone(), &Options::default()).map.expect("a map").unpack();
    let mut model = Profile { sessions: u64::MAX, ..Profile::default() };
    for method in &map.methods {
        let Terminator::Branch { identity, .. } = &method.blocks[0].terminator else {
            panic!("a branch")
        };
        let shape = BranchShape { fingerprint: identity.fingerprint, alternatives: 2 };
        model.record(
            &map.method_key(method),
            method.fingerprint,
            [(shape, &[u64::MAX, u64::MAX][..])],
        );
    }
    for inline in [Inline::Hot, Inline::All] {
        let out = woven(
            bytes.clone(),
            &Options { model: Some(model.clone()), inline, ..Options::default() },
        );
        assert_eq!(out.report.dex[0].instrumented, 3);
    }
}

#[test]
fn training_goes_on_after_the_most_sessions() {
    let shape = Shape {
        methods: 3,
        blocks: 3,
        predicted: 1,
        slots: 2,
        implied: 0,
        inlined: 0,
        guarded: 1,
        handlers: 0,
    };
    let map = random_map(&mut Rng::new(1), &shape);
    let mut model = Profile { sessions: u64::MAX, ..Profile::default() };
    Counter::new(&Program::new(&map)).add_to(&mut model, 1);
    assert_eq!(model.sessions, u64::MAX);
}
