//! R8's mapping after the fact: `--mapping` of `decode` and `report`, for a build that was
//! instrumented without it; and `--own`.

use model::map::Map;
use tests::sim::{Habits, Rng, file_header, play, slabs};

use crate::support::{Work, repository};

/// Instruments the fixture that R8 made (`x.plmap`) and plays a session of it (`x.plt`). The path
/// is the same with and without a mapping.
fn session(mapping: bool) -> Work {
    let work = Work::new();
    let prebuilt = repository("android-fixtures/notes/prebuilt").display().to_string();
    work.shell(&format!("cp {prebuilt}/notes.mapping.txt r8.txt")).ok();
    let mapping = if mapping { "--mapping r8.txt" } else { "" };
    // The simulated device knows no inlined code: this codec inlines nothing.
    let codec = "--codec arith-adaptive-shift";
    let app = format!("{prebuilt}/notes.apk");
    work.run(&format!("instrument {app} -o x.apk --map x.plmap {codec} {mapping}")).ok();
    let map = Map::from_bytes(&work.read("x.plmap")).unwrap();
    let mut rng = Rng::new(7);
    let played = play(&map, &map, "main", &mut rng, Habits::plain(300, false));
    let slabs = slabs(&played, 1, 500, true);
    let slabs = slabs.iter().map(|(header, payload)| (*header, &payload[..]));
    work.write("x.plt", model::trace::write_trace(&file_header(&map, 544, 1), slabs));
    work
}

#[test]
fn a_mapping_given_later_has_the_names_and_lines_of_a_mapped_build() {
    let (mapped, plain) = (session(true), session(false));
    let decode = "decode --map x.plmap x.plt --full --names full";
    let wanted = mapped.run(decode).ok().out;
    let found = plain.run(&format!("{decode} --mapping r8.txt")).ok().out;
    let calls = |text: &str| -> Vec<String> {
        // The map has no instructions: lines, and calls that R8 inlined there, differ in places.
        let is_of_line =
            |row: &str| row.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '⤷');
        let rows = text.lines().map(str::trim).filter(|row| !is_of_line(row));
        // The same holds for the line of an exception, but not for its file.
        let file = |row: &str| match (row.starts_with('✗'), row.split_once(':')) {
            (true, Some((file, _))) => file.to_owned(),
            _ => row.to_owned(),
        };
        rows.map(file).collect()
    };
    assert_eq!(calls(&wanted), calls(&found));
    assert!(wanted.contains("org.example.notes."), "{wanted}");
    assert!(!plain.run(decode).ok().out.contains("kotlin.jvm.internal."));
    let json = plain.run("decode --map x.plmap x.plt --json --mapping r8.txt").ok().out;
    assert!(json.contains("kotlin/") || json.contains("kotlin."), "{json}");
}

#[test]
fn a_report_with_a_mapping_names_the_files_of_the_source() {
    let work = session(false);
    let files = |mapping: &str| {
        work.run(&format!("report --map x.plmap x.plt --lcov c.info {mapping}")).ok();
        let lcov = String::from_utf8(work.read("c.info")).unwrap();
        lcov.lines().filter_map(|l| Some(l.strip_prefix("SF:")?.to_owned())).collect::<Vec<_>>()
    };
    let has =
        |files: &[String]| files.iter().any(|file| file.ends_with("org/example/notes/Store.kt"));
    assert!(!has(&files("")) && has(&files("--mapping r8.txt")));
    work.run("report --map x.plmap x.plt --mapping r8.txt --html a.html").ok();
}

#[test]
fn a_mapping_that_does_not_fit_is_refused_by_name() {
    let work = session(true);
    work.run("decode --map x.plmap x.plt --mapping r8.txt")
        .fails("r8.txt: the build was instrumented with a mapping");
    work.run("report --map app.plmap session.plt --mapping r8.txt")
        .fails("r8.txt: the mapping names no class of the app");
    work.run("decode --map app.plmap session.plt --mapping none.txt").fails("none.txt");
}

/// Classes of the calls that are printed with their lines.
fn classes(text: &str) -> usize {
    text.lines().filter(|row| row.contains("kotlin.")).count()
}

#[test]
fn own_code_alone_is_printed_and_what_leads_to_it() {
    let work = session(true);
    let decode = "decode --map x.plmap x.plt --full --names full";
    let all = work.run(decode).ok().out;
    // By the manifest's package, as the page does.
    let own = work.run(&format!("{decode} --own")).ok().out;
    let package = "org.example.notes.";
    let count = |text: &str| text.matches(package).count();
    assert!(count(&own) > 0 && own.len() < all.len());
    assert!(classes(&own) < classes(&all), "{} of {}", classes(&own), classes(&all));
    let glob = work.run(&format!("{decode} --own=org.example.notes.*")).ok().out;
    assert_eq!(glob, own);
    work.run(&format!("{decode} --own=org.example.nots.*"))
        .fails("no class matches org.example.nots.*");
}

#[test]
fn the_next_command_of_a_bundle_is_not_device_install() {
    let work = Work::new();
    let out = work.run("instrument app.aab").ok().out;
    assert!(out.contains("bundletool build-apks --bundle=app-pathlight.aab"), "{out}");
    assert!(!out.contains("device install"), "{out}");
}
