//! A job that did nothing is no success, and what was given in vain is named.

use crate::support::{Work, bundle, repository};

const INSTRUMENT: &str = "instrument app.apk -o x.apk --map x.plmap --unsigned";

#[test]
fn globs_that_match_nothing_fail() {
    let work = Work::new();
    let ran = work.run(&format!("{INSTRUMENT} --include com.exampel.*"));
    ran.fails(
        "app.apk: nothing to instrument: --include and --exclude leave none of the 214 methods",
    );
    work.run(&format!("{INSTRUMENT} --exclude org.example.tether.*"))
        .fails("nothing to instrument");
    assert!(!work.path("x.apk").exists() && !work.path("x.plmap").exists());
}

#[test]
fn graphs_of_no_class_fail() {
    let work = Work::new();
    work.run("inspect app.apk --graphs graphs --include com.exampel.*")
        .fails("app.apk: no class matches com.exampel.*; classes: org.example.tether.");
    work.run("inspect app.apk --graphs graphs --include org.example.tether.Setings").fails(
        "app.apk: no class matches org.example.tether.Setings; near: org.example.tether.Settings",
    );
}

#[test]
fn codec_none_adds_no_probes_and_succeeds() {
    Work::new().run("instrument app.apk -o x.apk --codec none --unsigned").ok();
}

#[test]
fn a_glob_that_matches_nothing_beside_one_that_does_is_named() {
    let ran = Work::new()
        .run(&format!("{INSTRUMENT} --include org.example.tether.* --include com.exampel.*"));
    let ran = ran.ok();
    assert_eq!(
        ran.err,
        "pathlight: warning: --include \"com.exampel.*\" matches no class of the app\n"
    );
    let ran = Work::new().run(&format!("{INSTRUMENT} --exclude com.exampel.* --json")).ok();
    assert_eq!(
        ran.err,
        "pathlight: warning: --exclude \"com.exampel.*\" matches no class of the app\n"
    );
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(
        json["warnings"],
        serde_json::json!([{ "what": "exclude", "glob": "com.exampel.*" }])
    );
}

#[test]
fn a_mapping_of_another_app_is_named() {
    let ran = Work::new().run(&format!("{INSTRUMENT} --mapping mapping.txt")).ok();
    assert!(ran.err.contains("warning: --mapping names no class of the app"), "{}", ran.err);
}

#[test]
fn a_mapping_of_this_app_is_no_warning() {
    let work = Work::new();
    std::fs::copy(
        crate::support::repository("android-fixtures/notes/prebuilt/notes.apk"),
        work.path("app.apk"),
    )
    .unwrap();
    assert_eq!(work.run(&format!("{INSTRUMENT} --mapping mapping.txt")).ok().err, "");
}

#[test]
fn a_model_of_another_app_is_named() {
    let work = Work::new();
    assert_eq!(
        work.run(&format!("{INSTRUMENT} --model model.json")).ok().err,
        "",
        "the model is of this app"
    );
    std::fs::copy(
        crate::support::repository("android-fixtures/kernels/prebuilt/kernels.apk"),
        work.path("app.apk"),
    )
    .unwrap();
    let ran = work.run(&format!("{INSTRUMENT} --model model.json --force")).ok();
    assert!(ran.err.contains("warning: --model has no branch of the app"), "{}", ran.err);
}

#[test]
fn excluded_methods_are_counted_and_not_listed() {
    let ran = Work::new().run(&format!("{INSTRUMENT} --include org.example.tether.Settings")).ok();
    assert!(!ran.out.contains("excluded by the user"), "{}", ran.out);
    assert!(ran.out.contains(" methods excluded by --include and --exclude\n"), "{}", ran.out);
}

#[test]
fn the_mapping_of_a_bundle_is_used_as_if_it_were_given() {
    let work = Work::new();
    let apk = repository("android-fixtures/notes/prebuilt/notes.apk");
    work.write("notes.aab", bundle(&apk, &work.read("mapping.txt")));
    work.write("plain.aab", bundle(&apk, b""));
    let map = |app: &str, more: &str| {
        work.run(&format!("instrument {app} -o out.aab --map out.plmap --force {more}")).ok();
        work.read("out.plmap")
    };
    let given = map("plain.aab", "--mapping mapping.txt");
    assert!(map("notes.aab", "") == given, "another map than with --mapping");
    assert!(map("plain.aab", "") != given, "the mapping changes nothing");
}
