//! `why`: causes out of recorded sessions.

use serde_json::Value;

use crate::support::{Ran, Work, repository};

const APP: &str = "android-fixtures/tether/prebuilt/tether.apk";
const RECORDED: &str = "tests/cli/recorded";

fn why(arguments: &str) -> Ran {
    let (apk, recorded) = (repository(APP), repository(RECORDED));
    let (apk, recorded) = (apk.display(), recorded.display());
    let map = format!("{recorded}/app.plmap");
    let log = format!("{recorded}/pathlight-b1fc1d4b-9555-1795408234471.plt");
    let arguments = arguments.replace("RECORDED", &recorded.to_string());
    Work::new().run(&format!("why --apk {apk} --map {map} {log} {arguments}"))
}

/// `if (id > 12) throw new IllegalStateException(…)` in line 244, and `id = v.getId() - 100` in the
/// line before.
#[test]
fn a_crash_is_explained_by_its_branch_and_by_the_value_that_it_compares() {
    let ran = why("--stack RECORDED/crash.log --json").ok();
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let steps = answer["steps"].as_array().unwrap();
    let all: Vec<(&str, u64)> = steps
        .iter()
        .map(|s| (s["role"].as_str().unwrap(), s["at"]["line"].as_u64().unwrap()))
        .collect();
    assert_eq!(all[0], ("event", 244));
    assert!(all.contains(&("because", 244)) && all.contains(&("outside", 243)), "{all:?}");
    assert_eq!(answer["callback"], 18);
    assert!(steps.iter().all(|s| {
        s["code"]["method"]
            .as_str()
            .is_some_and(|m| m.starts_with("Lorg/example/tether/MainActivity;->onLongClick"))
    }));
}

#[test]
fn text_has_the_source_line_of_each_step() {
    let sources = repository("android-fixtures/tether/src");
    let ran = why(&format!("--stack RECORDED/crash.log --sources {}", sources.display())).ok();
    assert!(ran.out.contains("int id = v.getId() - 100;"), "{}", ran.out);
    assert!(
        ran.out.starts_with("java.lang.IllegalStateException left the app's code"),
        "{}",
        ran.out
    );
}

#[test]
fn a_line_that_did_not_run_is_an_error() {
    why("--at Network.java:9999").fails("Network.java:9999 has no code in this build");
    why("--at Netwrk.java:50").fails("no source file matches Netwrk.java; near: Network.java");
    why("--thread nobody").fails("no thread matches nobody");
    let ran = why("--at Network.java");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("expected a line as in Network.java:42"), "{}", ran.err);
}

#[test]
fn an_instrumented_app_is_refused_with_the_one_that_is_needed() {
    let work = Work::new();
    work.run("instrument app.apk -o beta.apk --map beta.plmap --unsigned").ok();
    let recorded = repository(RECORDED);
    let recorded = recorded.display();
    let line = format!(
        "why --apk beta.apk --map {recorded}/app.plmap \
         {recorded}/pathlight-b1fc1d4b-9555-1795408234471.plt"
    );
    work.run(&line).fails("the app as it was before `instrument` is needed");
}
