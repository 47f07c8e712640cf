//! Hazards of the whole rewriting, one small test each: full pools, old Android versions, shared
//! bodies, order.

use dex::{AccessFlags, Body, CodeId, Dex, Version};
use dex::{CodeItem, EncodedMethod};
use instrumenter::{
    InstrumentError, Options, Output, RecordingOptions, RuntimeHome, Unmapped, instrument,
};
use model::recording::Recording;

/// `if-nez v0, +2; return-void; return-void`: a static method `(I)V` with one branch.
fn branching() -> CodeItem {
    CodeItem {
        registers: 1,
        ins: 1,
        outs: 0,
        insns: vec![0x0039, 0x0003, 0x000e, 0x000e],
        ..CodeItem::default()
    }
}

fn class(dex: &mut Dex, name: &str, methods: &[String], shared: bool) {
    let mut direct = Vec::new();
    for (i, m) in methods.iter().enumerate() {
        let method = dex.intern_method(name, m, "V", &["I"]);
        if i == 0 || !shared {
            dex.codes.push(branching().into());
        }
        let code = Some(CodeId(dex.codes.len() as u32 - 1));
        direct.push(EncodedMethod { method, access: AccessFlags::STATIC, code, hiddenapi: None });
    }
    tests::add_class(dex, name, direct);
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("m{i:05}")).collect()
}

fn arith(bytes: Vec<u8>, home: RuntimeHome) -> Output {
    instrument(vec![("classes.dex".into(), bytes)], home, "", &Options::default())
        .expect("instruments")
}

/// The name of a runtime class in a build.
fn runtime_class(out: &Output, class: &str) -> String {
    format!("Lpathlight/b{}/{class};", &out.map.as_ref().unwrap().build().to_string()[..16])
}

fn class_names(dex: &Dex) -> Vec<String> {
    dex.classes.iter().map(|c| dex.type_name(c.ty).into_owned()).collect()
}

#[test]
fn a_file_with_65536_methods_gives_classes_away_instead_of_failing() {
    let mut dex = Dex::new(Version(35));
    for c in 0..256 {
        class(&mut dex, &format!("Lfull/C{c};"), &names(256), false);
    }
    assert_eq!(dex.method_count(), 65_536);
    let out = arith(dex.write().unwrap(), RuntimeHome::OwnFile);
    assert_eq!(out.added.len(), 2, "the moved classes and the runtime");
    assert_eq!(out.report.warnings, [], "Android 5 and later load them all");
    let first = Dex::read(&out.files[0].1).unwrap();
    let moved = Dex::read(&out.added[0]).unwrap();
    assert!(first.method_count() <= 65_536 && moved.method_count() <= 65_536);
    let mut all = [class_names(&first), class_names(&moved)].concat();
    all.sort();
    let mut expected: Vec<String> = (0..256).map(|c| format!("Lfull/C{c};")).collect();
    expected.sort();
    assert_eq!(all, expected, "no class lost, none doubled");
    assert_eq!(out.map.unwrap().unpack().methods.len(), 65_536);
    assert_eq!(out.report.dex[0].instrumented, 65_536, "counted where they came from");
    assert!(dex::verify::verify(&first).is_empty() && dex::verify::verify(&moved).is_empty());
}

#[test]
fn before_android_5_the_runtime_goes_into_the_first_file() {
    let mut dex = Dex::new(Version(35));
    class(&mut dex, "Lold/C;", &names(1), false);
    let bytes = dex.write().unwrap();
    let old = arith(bytes.clone(), RuntimeHome::FirstFile);
    assert!(old.added.is_empty());
    let first = Dex::read(&old.files[0].1).unwrap();
    assert!(class_names(&first).contains(&runtime_class(&old, "Probes")));
    assert!(dex::verify::verify(&first).is_empty());
    let new = arith(bytes, RuntimeHome::OwnFile);
    assert_eq!(class_names(&Dex::read(&new.files[0].1).unwrap()), ["Lold/C;"]);
    assert!(
        class_names(&Dex::read(&new.added[0]).unwrap()).contains(&runtime_class(&new, "Probes"))
    );
}

#[test]
fn methods_that_share_a_body_get_probes_of_their_own() {
    let mut dex = Dex::new(Version(39));
    class(&mut dex, "Lshared/C;", &names(3), true);
    let bytes = dex.write().unwrap();
    let read = Dex::read(&bytes).unwrap();
    let codes: Vec<_> = read.classes[0].methods().map(|m| m.code).collect();
    assert!(codes[0] == codes[1] && codes[1] == codes[2], "the input shares one body");
    let out = arith(bytes, RuntimeHome::OwnFile);
    let dex = Dex::read(&out.files[0].1).unwrap();
    let mut codes: Vec<_> = dex.classes[0].methods().map(|m| m.code.unwrap()).collect();
    codes.dedup();
    assert_eq!(codes.len(), 3, "one body each: each announces its own id");
}

#[test]
fn one_shared_body_left_alone_stays_as_it_was() {
    let mut dex = Dex::new(Version(39));
    class(&mut dex, "La/In;", &names(1), false);
    let shared = dex.classes[0].direct_methods[0].code;
    class(&mut dex, "Lb/Out;", &names(1), false);
    dex.classes[1].direct_methods[0].code = shared;
    let options = Options { exclude: vec!["b.*".into()], ..Options::default() };
    let input = vec![("classes.dex".into(), dex.write().unwrap())];
    let out = instrument(input, RuntimeHome::OwnFile, "", &options).unwrap();
    let dex = Dex::read(&out.files[0].1).unwrap();
    let body =
        |c: usize| match &dex.codes[dex.classes[c].direct_methods[0].code.unwrap().0 as usize] {
            Body::Raw(item) => (**item).clone(),
            Body::Stored(_) | Body::Edited(_) => unreachable!("just read"),
        };
    assert_eq!(body(1).insns, branching().insns);
    assert_ne!(body(0).insns, branching().insns);
    assert_eq!(out.report.skipped.len(), 1);
}

#[test]
fn the_same_input_gives_the_same_bytes_and_another_codec_no_runtime() {
    let mut dex = Dex::new(Version(37));
    for c in 0..20 {
        class(&mut dex, &format!("Lsame/C{c};"), &names(7), false);
    }
    let bytes = dex.write().unwrap();
    let (a, b) =
        (arith(bytes.clone(), RuntimeHome::OwnFile), arith(bytes.clone(), RuntimeHome::OwnFile));
    assert_eq!((a.files, a.added), (b.files, b.added));
    assert_eq!(a.map.unwrap(), b.map.unwrap());
    let none = Options { recording: RecordingOptions::Reassemble, ..Options::default() };
    let none =
        instrument(vec![("classes.dex".into(), bytes.clone())], RuntimeHome::OwnFile, "", &none)
            .unwrap();
    assert_eq!(
        none.files[0].1, bytes,
        "taken apart and put together: our own writer's file comes out the same"
    );
    assert!(none.added.is_empty() && none.map.is_none());
}

#[test]
fn an_instrumented_app_is_refused() {
    let mut dex = Dex::new(Version(35));
    class(&mut dex, "Lold/C;", &names(1), false);
    let once = arith(dex.write().unwrap(), RuntimeHome::FirstFile);
    let again = instrument(once.files, RuntimeHome::FirstFile, "", &Options::default());
    assert_eq!(again.unwrap_err().to_string(), "classes.dex is already instrumented by Pathlight");
}

/// Two builds may meet in one process: whichever class of a runtime is loaded first would serve
/// both.
#[test]
fn two_builds_share_no_class_but_the_one_that_reaches_both() {
    let build = |name: &str| {
        let mut dex = Dex::new(Version(35));
        class(&mut dex, name, &names(1), false);
        arith(dex.write().unwrap(), RuntimeHome::OwnFile)
    };
    let (a, b) = (build("La/C;"), build("Lb/C;"));
    let runtime = |out: &Output| Dex::read(&out.added[0]).unwrap();
    let mut all = [class_names(&runtime(&a)), class_names(&runtime(&b))].concat();
    all.sort();
    let twice: Vec<&String> =
        all.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
    assert_eq!(twice, ["Lpathlight/Pathlight;"]);
    // Whichever copy is loaded names no class of one build.
    let mut shared = runtime(&a);
    let door =
        class_names(&shared).iter().position(|name| name == "Lpathlight/Pathlight;").unwrap();
    let others: Vec<usize> = (0..shared.classes.len()).filter(|&c| c != door).collect();
    shared.split_off(&others).unwrap();
    shared.compact().unwrap();
    let strings = shared.strings.items().iter().map(|s| String::from_utf8_lossy(&s.0).into_owned());
    assert_eq!(
        strings.filter(|s| s.starts_with("Lpathlight/")).collect::<Vec<_>>(),
        ["Lpathlight/Pathlight;"]
    );
    // The app's code names its own build's runtime alone.
    let first = Dex::read(&a.files[0].1).unwrap();
    let types =
        (0..first.type_count()).map(|i| first.type_name(dex::TypeIdx(i as u32)).into_owned());
    let named: Vec<String> = types.filter(|t| t.starts_with("Lpathlight/")).collect();
    assert_eq!(named, [runtime_class(&a, "Probes"), runtime_class(&a, "State")]);
}

/// `(I)V` with 300 registers: `move/from16 v0, v299`, then `set`, a branch on v0, then `read`.
fn three_hundred(set: &[u16], read: &[u16]) -> Output {
    let mut dex = Dex::new(Version(35));
    class(&mut dex, "Lbig/C;", &names(1), false);
    // Over one nop.
    let branch = [0x0039, 0x0003, 0x0000];
    let insns = [&[0x0002, 299], set, &branch, read, &[0x000e]].concat();
    dex.codes[0] =
        Body::from(CodeItem { registers: 300, ins: 1, outs: 0, insns, ..CodeItem::default() });
    arith(dex.write().unwrap(), RuntimeHome::OwnFile)
}

#[test]
fn a_method_of_300_registers_takes_its_constants_through_a_free_one() {
    let out = three_hundred(&[], &[]);
    assert!(out.report.skipped.is_empty(), "{:?}", out.report.skipped);
    assert_eq!(out.report.branches, 1);
    assert!(dex::verify::verify(&Dex::read(&out.files[0].1).unwrap()).is_empty());
}

#[test]
fn without_a_free_register_a_method_of_300_is_left_alone_and_named() {
    // All of v0 to v255 are set before the branch and read behind it.
    let set: Vec<u16> = (0..256).flat_map(|r| [0x0013 | r << 8, 1]).collect();
    let read: Vec<u16> = (0..256).flat_map(|r| [0x0039 | r << 8, 2]).collect();
    let out = three_hundred(&set, &read);
    assert_eq!(out.report.skipped.len(), 1);
    assert!(out.report.skipped[0].reason.contains("300 registers"), "{:?}", out.report.skipped);
}

/// Five methods with one branch each; the second one's body is this. Returns what was left, and the
/// body that stands there in the build.
fn one_damaged(insns: &[u16], recording: Recording) -> (Vec<String>, CodeItem) {
    let mut dex = Dex::new(Version(35));
    class(&mut dex, "Lone/C;", &names(5), false);
    // Once its pools are in order, bodies are written as they are.
    let mut dex = Dex::read(&dex.write().expect("sound")).expect("sound");
    dex.codes[1] = Body::from(CodeItem {
        registers: 2,
        ins: 1,
        outs: 1,
        insns: insns.to_vec(),
        ..CodeItem::default()
    });
    let input = vec![("classes.dex".into(), dex.write().expect("copied"))];
    let options = Options {
        recording: RecordingOptions::defaults_of(recording).unwrap(),
        ..Options::default()
    };
    let out = instrument(input, RuntimeHome::OwnFile, "", &options)
        .expect("one method does not fail the job");
    assert_eq!(out.report.dex[0].instrumented, 4);
    let dex = Dex::read(&out.files[0].1).expect("what was written can be read");
    let class = dex.classes.iter().find(|c| dex.type_name(c.ty) == "Lone/C;").expect("its class");
    let method =
        class.methods().find(|m| dex.method_name(m.method).contains("m00001")).expect("its method");
    let Body::Raw(left) = &dex.codes[method.code.expect("a body").0 as usize] else {
        panic!("just read")
    };
    (
        out.report.skipped.into_iter().map(|s| format!("{}: {}", s.method, s.reason)).collect(),
        (**left).clone(),
    )
}

#[test]
fn one_damaged_method_is_left_and_listed_and_the_others_are_instrumented() {
    let damages: [(&[u16], &str); 9] = [
        (&[0x001a, 900, 0x000e], "code unit 0x0000: it names a string that the file does not have"),
        (
            &[0x001b, 0, 9, 0x000e],
            "code unit 0x0000: it names a string that the file does not have",
        ),
        (&[0x0022, 900, 0x000e], "code unit 0x0000: it names a type that the file does not have"),
        (&[0x0060, 900, 0x000e], "code unit 0x0000: it names a field that the file does not have"),
        (
            &[0x0000, 0x0071, 900, 0, 0x000e],
            "code unit 0x0001: it names a method that the file does not have",
        ),
        (&[0x003e, 0x000e], "code unit 0x0000: unknown opcode 0x3e"),
        (&[0x000e, 0x0071, 0], "code unit 0x0001: instruction runs past the end of the code"),
        (
            &[0x0039, 70, 0x000e],
            "code unit 0x0000: target 0x46 is not an instruction of this method",
        ),
        (&[0x002b, 4, 0, 0x000e, 0x0100, 9, 0, 0], "runs past the end of the code"),
    ];
    for recording in [Recording::ARITH, Recording::Reassemble] {
        for (insns, reason) in damages {
            let (left, body) = one_damaged(insns, recording);
            assert!(left.len() == 1 && left[0].starts_with("Lone/C;->m00001(I)V: "), "{left:?}");
            assert!(left[0].contains(reason), "{left:?}");
            // As it was, but that an index of nothing is the highest one.
            let same = |(a, b): (&u16, &u16)| a == b || *b == u16::MAX;
            assert!(
                body.insns.len() == insns.len() && insns.iter().zip(&body.insns).all(same),
                "{:x?}",
                body.insns
            );
        }
    }
}

/// The runtime's methods join the pool: the ninth of two must not come to be one of them.
#[test]
fn what_names_nothing_names_nothing_in_the_build() {
    for index in 5..40 {
        let (left, body) = one_damaged(&[0x0071, index, 0, 0x000e], Recording::ARITH);
        assert_eq!((left.len(), body.insns[1]), (1, u16::MAX), "method {index}");
    }
}

/// Bytes behind the tables changed at random, with the checksum mended. Damage inside code leaves
/// its method; damage to the file's structure is an error with its position.
#[test]
fn damaged_code_is_left_and_a_damaged_file_is_an_error_that_names_the_place() {
    let whole =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/truth/fixtures/inline/program.dex"))
            .unwrap();
    let mut state = 7u64;
    let mut draw = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let (mut written, mut left, mut refused) = (0, 0, 0);
    for _ in 0..600 {
        let mut bytes = whole.clone();
        for _ in 0..=draw(3) {
            let at = 0x400 + draw(whole.len() - 0x400);
            bytes[at] = if draw(2) == 0 { 0xff } else { draw(256) as u8 };
        }
        let sum = adler2::adler32_slice(&bytes[12..]);
        bytes[8..12].copy_from_slice(&sum.to_le_bytes());
        // Damage to the map of sections leaves bytes to none of them.
        let unmapped = instrumenter::Unmapped::Drop;
        let inline = instrumenter::Inline::All;
        let options = Options { inline, unmapped, ..Options::default() };
        match instrument(vec![("classes.dex".into(), bytes)], RuntimeHome::OwnFile, "", &options) {
            Ok(out) => {
                written += 1;
                left += usize::from(!out.report.skipped.is_empty());
                assert!(
                    out.report
                        .skipped
                        .iter()
                        .all(|s| s.method.starts_with('L') && !s.reason.is_empty())
                );
            }
            Err(e) => {
                refused += 1;
                let text = with_causes(&e);
                let place = matches!(e, InstrumentError::Read { .. }) && text.contains("0x");
                assert!(place, "only the file's structure refuses all of it: {text}");
            }
        }
    }
    assert_eq!(
        (written, left, refused),
        (244, 155, 356),
        "written, of these with methods left, refused"
    );
}

fn with_causes(e: &dyn std::error::Error) -> String {
    std::iter::successors(Some(e), |e| e.source()).map(|e| format!("{e}; ")).collect()
}

#[test]
fn bytes_outside_every_section_are_refused_unless_they_may_be_dropped() {
    let mut dex = Dex::new(Version(35));
    class(&mut dex, "Lpacked/C;", &names(1), false);
    let plain = dex.write().unwrap();
    let packed = [&plain[..], b"the real code"].concat();
    for recording in [Recording::ARITH, Recording::Reassemble] {
        let with = |unmapped| {
            let options = Options {
                recording: RecordingOptions::defaults_of(recording).unwrap(),
                unmapped,
                ..Options::default()
            };
            let input = vec![("classes.dex".into(), packed.clone())];
            instrument(input, RuntimeHome::OwnFile, "", &options)
        };
        let error = with(Unmapped::Refuse).expect_err("its code would be lost");
        let InstrumentError::Unmapped { file, bytes, within } = error else { panic!("{error}") };
        assert_eq!((&*file, bytes), ("classes.dex", 13));
        assert_eq!(within, plain.len()..packed.len());
        let warnings = with(Unmapped::Drop).expect("they may be dropped").report.warnings;
        let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].starts_with("classes.dex: 13 bytes "), "{warnings:?}");
    }
}

/// Dalvik loads the first file alone, until the app calls `MultiDex.install`.
#[test]
fn classes_that_leave_the_first_file_of_an_app_for_dalvik_are_named() {
    let mut dex = Dex::new(Version(35));
    for c in 0..256 {
        class(&mut dex, &format!("Lfull/C{c:03};"), &names(256), false);
    }
    let bytes = dex.write().unwrap();
    let old = arith(bytes, RuntimeHome::FirstFile);
    let moved = Dex::read(&old.added[0]).unwrap().classes.len();
    let warning = old.report.warnings.iter().map(ToString::to_string).collect::<String>();
    assert!(warning.contains(&format!("{moved} classes moved")), "{warning}");
    assert!(warning.contains("full.C2") && warning.contains("MultiDex.install"), "{warning}");
}
