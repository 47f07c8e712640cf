//! `why`: causes out of recorded sessions.

use serde_json::Value;

use crate::support::{Ran, Work, repository};

const APP: &str = "android-fixtures/tether/prebuilt/tether.apk";
const RECORDED: &str = "tests/cli/recorded";

fn why(arguments: &str) -> Ran {
    let (apk, recorded) = (repository(APP), repository(RECORDED));
    let (apk, recorded) = (apk.display(), recorded.display());
    let map = format!("{recorded}/app.plmap");
    let log = format!("{recorded}/pathlight-24438a76-21572-1795986713840.plt");
    let arguments = arguments.replace("RECORDED", &recorded.to_string());
    Work::new().run(&format!("why --apk {apk} --map {map} {log} {arguments}"))
}

/// `if (id > 12) throw new IllegalStateException(…)` in line 251, and `id = v.getId() - 100` in the
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
    assert_eq!(all[0], ("event", 251));
    assert!(all.contains(&("because", 251)) && all.contains(&("outside", 250)), "{all:?}");
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
    assert!(ran.err.contains("expected a line as in Network.java:45"), "{}", ran.err);
}

/// The recorded sessions, in folders that a command line can name.
const SESSIONS: &str = "RECORDED/sessions --map RECORDED/app.plmap";

fn list(arguments: &str) -> String {
    let recorded = repository(RECORDED).display().to_string();
    let line = format!("why --list {arguments} {SESSIONS}").replace("RECORDED", &recorded);
    let apk = repository(APP).display().to_string();
    Work::new().run(&line.replace("APP", &apk)).ok().out
}

/// The source line of `File.java:42` in the fixture.
fn source(place: &str) -> String {
    let (file, line) = place.split_once(':').expect("a line");
    let below = repository("android-fixtures/tether/src/org/example/tether").join(file);
    let text = std::fs::read_to_string(&below).expect("a source file");
    text.lines().nth(line.parse::<usize>().expect("a number") - 1).expect("the line").to_owned()
}

/// Facts without a mark are those of the source lines.
#[test]
fn listed_exceptions_are_those_of_the_source() {
    let out = list("--apk APP");
    let (mut thrown, mut caught) = (0, 0);
    for line in out.lines().filter(|line| line.starts_with("exception ")) {
        let (_, rest) = line.split_once(": thrown at ").expect("a place");
        let (place, rest) = rest.split_once(", class ").expect("a class");
        let simple = |class: &str| class.rsplit(['.', '$']).next().unwrap_or(class).to_owned();
        let (class, rest) = rest.split_once(", ").unwrap_or((rest, ""));
        if !class.contains("not recorded") && !place.contains("candidate") {
            let class = simple(class.trim_end_matches(" (candidate)"));
            assert!(source(place).contains(&format!("throw new {class}(")), "{line}");
            thrown += 1;
        }
        if let Some((place, class)) =
            rest.strip_prefix("caught at ").and_then(|r| r.split_once(" as "))
        {
            let class = simple(class.split(';').next().unwrap_or(class));
            let text = source(place);
            assert!(text.contains("catch (") && text.contains(&class), "{line}: {text}");
            caught += 1;
        }
    }
    assert!(thrown > 20 && caught > 50, "{thrown} thrown, {caught} caught");
}

/// As many as `decode` has, in every session.
#[test]
fn every_exception_is_listed_once() {
    let recorded = repository(RECORDED).display().to_string();
    let line = format!("decode --json {SESSIONS}").replace("RECORDED", &recorded);
    let decoded = Work::new().run(&line).ok().out;
    let ended =
        |line: &&str| line.contains("\"e\":\"catch\"") || line.contains("\"e\":\"unwound\"");
    let count = decoded.lines().filter(ended).count();
    for arguments in ["--apk APP", "--apk APP --class *", ""] {
        let listed = list(arguments);
        let listed = listed.lines().filter(|line| line.starts_with("exception ")).count();
        assert_eq!(listed, count, "{arguments}");
    }
    assert!(count > 100, "{count}");
}

/// A class that handlers name, one that only `throw` names, and those that may be of it.
#[test]
fn exceptions_are_listed_by_class() {
    let caught = list("--apk APP --class java.lang.Arithmetic*");
    let lines = caught.lines().filter(|line| line.starts_with("exception "));
    assert!(lines.clone().count() > 10, "{caught}");
    assert!(lines.clone().all(|l| l.ends_with("as java.lang.ArithmeticException")), "{caught}");
    let simple = list("--apk APP --class Settings$InvalidException --last 2");
    assert!(simple.contains(" more before these\n"), "{simple}");
    let none = list("--apk APP --class NoSuchException");
    assert!(!none.lines().any(|line| line.starts_with("exception ")), "{none}");
    assert!(none.contains("other exceptions may be of this class"), "{none}");
}

/// Runs of lines are those that the coverage of the same sessions counts.
#[test]
fn a_line_ran_as_often_as_coverage_counts() {
    let work = Work::new();
    let recorded = repository(RECORDED).display().to_string();
    let line = format!("report --lcov all.info {SESSIONS}").replace("RECORDED", &recorded);
    work.run(&line).ok();
    let lcov = std::fs::read_to_string(work.path("all.info")).expect("coverage");
    let of_file = lcov.split("end_of_record").find(|f| f.contains("/ClientTable.java\n"));
    let hits = of_file.expect("the file").lines().filter_map(|l| l.strip_prefix("DA:"));
    let (mut lines, mut ran) = (0, 0);
    for (line, hits) in hits.filter_map(|l| l.split_once(',')) {
        let hits: u64 = hits.parse().expect("a number");
        let out = list(&format!("--at ClientTable.java:{line}"));
        // Coverage leaves out methods that the compiler made.
        if out.contains("access$") {
            continue;
        }
        assert!(!out.contains("candidate"), "{line}: {out}");
        let times = out.lines().filter_map(|l| l.split_once(" ran ")?.1.split_once(", in "));
        let listed: u64 = times
            .map(|(n, _)| match n.strip_suffix(" times") {
                Some(n) => n.parse().expect("a number"),
                None => 1,
            })
            .sum();
        assert_eq!(listed, hits, "line {line}: {out}");
        (lines, ran) = (lines + 1, ran + usize::from(hits > 0));
    }
    assert!(lines > 15 && ran > 10, "{lines} lines, {ran} ran");
}

/// A log with a changed byte has no other exceptions and runs of lines than the whole one, and what
/// is missing is noted.
#[test]
fn lists_of_damaged_logs_have_nothing_else() {
    let work = Work::new();
    let recorded = repository(RECORDED).display().to_string();
    work.shell(&format!("cat {recorded}/sessions/1/*.plt > log.plt")).ok();
    let bytes = std::fs::read(work.path("log.plt")).expect("the log");
    let mut partial = 0;
    for asked in ["", "--at ClientTable.java:37"] {
        let list = || work.run(&format!("why --list {asked} log.plt --map {recorded}/app.plmap"));
        work.write("log.plt", &bytes);
        // Numbers count what is there.
        let place = |line: &str| {
            let event = line.split_once(": ")?.1;
            Some(event.strip_suffix(" (no check covers it)").unwrap_or(event).to_owned())
        };
        let whole: Vec<_> = list().ok().out.lines().filter_map(place).collect();
        for at in (300..bytes.len()).step_by(211) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            work.write("log.plt", damaged);
            let ran = list();
            let events: Vec<_> = ran.out.lines().filter_map(place).collect();
            // A callback that is cut off may have run a line less often.
            let is_known = |event: &String| whole.contains(event) || !asked.is_empty();
            assert!(events.len() <= whole.len() && events.iter().all(is_known), "{}", ran.out);
            match ran.code {
                // No byte of the path.
                Some(0) => assert_eq!(events, whole, "{at}"),
                code => assert!(code == Some(1) && ran.err.contains("damage"), "{}", ran.err),
            }
            partial += usize::from(ran.out.contains("(parts of this thread are not recorded)"));
        }
    }
    assert!(partial > 5, "{partial}");
}

/// Also where the logs have no crash, and nothing of the app is needed at the end.
#[test]
fn an_app_of_another_build_is_refused_before_anything_is_decoded() {
    let work = Work::new();
    let recorded = repository(RECORDED).display().to_string();
    work.run("instrument app.apk -o beta.apk --map beta.plmap --unsigned").ok();
    let log = format!("{recorded}/sessions/1");
    let notes = repository("android-fixtures/notes/prebuilt/notes.apk").display().to_string();
    for command in ["why", "why --list", "crash", "crash --stack crash.txt"] {
        work.write("crash.txt", "java.lang.Error: x\n\tat a.B.c(B.java:1)\n");
        let ran = work.run(&format!("{command} --apk {notes} --map {recorded}/app.plmap {log}"));
        let ran = ran.fails("notes.apk is org.example.notes, the logs are of org.example.tether");
        assert!(
            ran.err.contains("app.plmap (build 24438a7637311d5d5938b855673777f7)"),
            "{}",
            ran.err
        );
        assert!(ran.out.is_empty(), "{}", ran.out);
        let ran = work.run(&format!("{command} --apk beta.apk --map {recorded}/app.plmap {log}"));
        let ran = ran.fails("an instrumented app, of build ");
        assert!(
            ran.err.contains("app.plmap (build 24438a7637311d5d5938b855673777f7)"),
            "{}",
            ran.err
        );
        assert!(ran.out.is_empty(), "{}", ran.out);
    }
}

#[test]
fn an_instrumented_app_is_refused_with_the_one_that_is_needed() {
    let work = Work::new();
    work.run("instrument app.apk -o beta.apk --map beta.plmap --unsigned").ok();
    let recorded = repository(RECORDED);
    let recorded = recorded.display();
    let line = format!(
        "why --apk beta.apk --map {recorded}/app.plmap \
         {recorded}/pathlight-24438a76-21572-1795986713840.plt"
    );
    work.run(&line).fails("the app as it was before `instrument` is needed");
}
