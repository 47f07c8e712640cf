//! `docs/tutorial.md`, typed from its first command to its last, in an empty folder.
//!
//! `cargo xtask fixtures run` is the one command that does not run: a stand-in copies the logs that
//! `demo.sh --record` kept, with the map of their build.

use std::path::Path;

use crate::support::{Work, repository, script};
use crate::transcripts::{samples_of, shows_all};

/// Copies the logs of a recorded session to where the session would write its own, and the map of
/// their build over the one that `instrument` wrote. Ends as the session does.
const STAND_IN: &str = r#"#!/bin/bash
set -e
[ "$1 $2 $3" = 'xtask fixtures run' ]
for word; do
  case $word in
    -Dpathlight.dir=*) folder=${word#*=} ;;
    -Dstub.logcat=*) logcat=${word#*=} ;;
    *.apk) [ -f "$word" ] ;;
  esac
done
[ -d "$folder" ]
cp "$RECORDED/app.plmap" .
case "$*" in
  *'--steps click:0,long:15 '*)
    cp "$RECORDED"/*.plt "$folder"; cp "$RECORDED/crash.log" "$logcat"; exit 10 ;;
  *) cp "$RECORDED/sessions/$(basename "$folder")"/*.plt "$folder" ;;
esac
"#;

/// A checkout that holds the fixture apps only, and a `cargo` that plays recorded sessions.
fn checkout() -> Work {
    let work = Work::empty();
    std::fs::create_dir(work.path("bin")).expect("a folder");
    script(&work.path("bin/cargo"), STAND_IN);
    let fixtures = repository("android-fixtures");
    work.shell(&format!("cp -r '{}' .", fixtures.display())).ok();
    work
}

#[test]
fn every_command_of_the_tutorial_prints_what_it_shows() {
    let work = checkout();
    let page = std::fs::read_to_string(repository("docs/tutorial.md")).expect("text");
    let recorded = repository("tests/cli/recorded");
    let mut folder = String::from(".");
    let mut ran = Vec::new();
    for (command, sample) in samples_of(&page) {
        if let Some(into) = command.strip_prefix("cd ") {
            folder = format!("{folder}/{into}");
            continue;
        }
        let line = format!(
            "export PATH='{}':$PATH RECORDED='{}'; cd {folder}; {command}",
            work.path("bin").display(),
            recorded.display()
        );
        let got = work.shell(&line);
        let code = if command.contains("long:15") { 10 } else { 0 };
        assert_eq!(got.code, Some(code), "`{command}`\n{}{}", got.out, got.err);
        if let Some(arguments) = command.strip_prefix("pathlight ") {
            // Sizes and build ids change with the runtime.
            let exact = !arguments.starts_with("instrument ");
            let lines: Vec<&str> = got.out.lines().collect();
            assert!(shows_all(&sample, &lines, exact), "`{command}` prints:\n{}", got.out);
            ran.extend(arguments.split(' ').next());
        }
    }
    assert_eq!(ran, ["instrument", "decode", "report", "crash", "train", "instrument"]);
    let page = work.read(&format!("{folder}/report.html"));
    assert!(page.starts_with(b"<!DOCTYPE html>") || page.starts_with(b"<!doctype html>"));
    for file in ["tether-pathlight.apk", "next.apk", "model.json"] {
        assert!(Path::new(&work.path(&format!("{folder}/{file}"))).is_file(), "{file}");
    }
}
