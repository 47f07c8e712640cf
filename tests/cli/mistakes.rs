//! Mistakes that a new user makes on the command line: each answer names the cure.

use crate::support::{Ran, Work};

/// Demands that the usage is refused, with these words on standard error.
#[track_caller]
fn refused(ran: Ran, words: &str) {
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains(words), "{}", ran.err);
    assert_eq!(ran.out, "");
}

#[test]
fn no_command_shows_where_to_start() {
    let ran = Work::new().run("");
    let lines: Vec<&str> = ran.err.lines().collect();
    let start = lines.iter().position(|line| *line == "Start here:").expect("a heading");
    assert!(lines[start + 1].trim_start().starts_with("instrument "), "{}", ran.err);
    assert!(lines.len() <= 30 && ran.code == Some(2), "{}", ran.err);
}

#[test]
fn a_mistyped_command_is_answered_with_the_nearest() {
    let work = Work::new();
    refused(work.run("decod session.plt"), "tip: a similar subcommand exists: 'decode'\n");
    refused(work.run("timetree qeury x"), "tip: a similar subcommand exists: 'query'\n");
    refused(work.run("help nosuch"), "tip: `pathlight --help` lists all commands\n");
}

#[test]
fn commands_of_other_tools_lead_to_the_right_one() {
    let work = Work::new();
    for (word, command) in [
        ("view", "`pathlight report`"),
        ("open", "`pathlight report`"),
        ("show", "`pathlight decode`"),
        ("diff", "`pathlight compare "),
        ("info", "`pathlight inspect "),
        ("coverage", "`pathlight report --lcov FILE`"),
        ("pull", "`pathlight device pull`"),
        ("query", "`pathlight timetree query`"),
    ] {
        refused(work.run(&format!("{word} session.plt")), &format!("tip: {command}"));
    }
}

#[test]
fn version_is_a_command_too() {
    let work = Work::new();
    let version = work.run("version").ok().out;
    assert_eq!(version, format!("pathlight {}\n", env!("CARGO_PKG_VERSION")));
    refused(work.run("-v"), "tip: `pathlight -V` prints the version");
}

#[test]
fn a_mistyped_option_is_answered_with_the_nearest() {
    let ran = Work::new().run("decode --mpa app.plmap session.plt");
    assert!(!ran.err.contains("as a value"), "{}", ran.err);
    refused(ran, "tip: a similar argument exists: '--map'\n");
}

#[test]
fn missing_logs_are_answered_with_how_to_get_them() {
    let work = Work::new();
    for command in ["decode --map app.plmap", "train --map app.plmap -o m.json"] {
        refused(work.run(command), "tip: `pathlight device pull PACKAGE -o logs` fetches the logs");
    }
}

#[test]
fn good_sessions_alone_are_answered_with_what_to_compare_them_to() {
    let ran = Work::new().run("compare --map app.plmap --good session.plt");
    refused(ran, "tip: pass the logs to compare with: --bad LOGS");
}

#[test]
fn a_missing_path_is_answered_with_how_to_find_methods() {
    let ran = Work::new().run("explain --map app.plmap session.plt");
    refused(ran, "tip: `pathlight paths analyse LOGS` lists methods");
}

#[test]
fn times_have_units_or_are_in_ms() {
    let work = Work::new();
    let decode = |times: &str| work.run(&format!("decode --map app.plmap session.plt {times}"));
    // Callback 32 begins at 454.814 s, the next one at 454.820 s, and #34 at 469.331 s.
    let late = decode("--from 454.815s --to 469.331s").ok().out;
    let shown: Vec<&str> = late.lines().filter(|line| line.starts_with('#')).collect();
    let shown: Vec<&str> = shown.into_iter().filter(|line| !line.starts_with("###")).collect();
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert!(shown[0].starts_with("#33 ") && shown[1].starts_with("#34 "), "{shown:?}");
    for same in ["--from 454815 --to 469331", "--from 454815ms --to 469331000us"] {
        assert!(decode(same).ok().out == late, "{same}");
    }
    refused(decode("--from 1.5x"), "expected a time such as 12.3s, 500ms");
    refused(decode("--from -2s"), "times before the end are for --interval with --index");
}

#[test]
fn times_on_the_wall_clock_are_taken() {
    let work = Work::new();
    let decode =
        |times: &str| work.run(&format!("decode --map app.plmap session.plt {times}")).ok();
    // The process started at 22:13:20 UTC.
    let wall = decode("--from 2023-11-14T22:20:55 --to 2023-11-14T22:21:10").out;
    assert_eq!(wall, decode("--from 455s --to 470s").out);
    assert!(wall.contains("\n#34 ") && !wall.contains("\n#32 "), "{wall}");
}

#[test]
fn a_reversed_range_is_answered_with_the_right_one() {
    let ran = Work::new().run("decode --map app.plmap session.plt --callback 9-3");
    refused(ran, "9 is after 3: did you mean 3-9?");
}

#[test]
fn both_spellings_of_colour_are_taken() {
    let work = Work::new();
    let decode = |more: &str| work.run(&format!("decode --map app.plmap session.plt {more}")).ok();
    let coloured = decode("--colour always").out;
    assert!(coloured == decode("--color always").out);
    assert!(coloured.contains('\x1b') && !decode("--colour never").out.contains('\x1b'));
}

#[test]
fn json_is_asked_for_in_one_way_everywhere() {
    let work = Work::new();
    work.run("timetree build --map app.plmap session.plt -o s.pltt").ok();
    for command in ["decode --map app.plmap session.plt --last 1", "timetree query s.pltt"] {
        let short = work.run(&format!("{command} --json")).ok().out;
        assert!(short.starts_with('{'), "{short}");
        assert!(short == work.run(&format!("{command} --format json")).ok().out, "{command}");
        refused(work.run(&format!("{command} --json --format text")), "cannot be used with");
    }
    for command in ["samples show", "samples score", "device watch"] {
        let help = work.run(&format!("{command} -h")).ok().out;
        assert!(help.contains("--json") && !help.contains("--format"), "{help}");
    }
}

#[test]
fn growth_is_a_ratio_or_a_percentage() {
    let work = Work::new();
    let build = |limit: &str| {
        let limit = format!("--model model.json --max-size-growth {limit}");
        work.run(&format!("instrument app.apk -o x.apk --map x.plmap --force --unsigned {limit}"))
    };
    let report = |limit: &str| build(limit).ok().out;
    assert_eq!(report("85%"), report("1.85"));
    assert_ne!(report("85%"), report("100%"));
    refused(build("x%"), "expected what may be added in percent, as in 35%");
    refused(build("0"), "expected a number above 0");
}

#[test]
fn a_class_or_method_that_is_not_in_the_build_is_answered_with_near_names() {
    let work = Work::new();
    let decode = |filter: &str| work.run(&format!("decode --map app.plmap session.plt {filter}"));
    let ran = decode("--class Setings");
    assert_eq!(ran.out, "");
    // Simple names of the fixture's classes; the most similar one is one letter away.
    ran.fails("no class matches Setings; near: org.example.tether.Settings");
    decode("--class com.other.*").fails("no class matches com.other.*; ");
    decode("--class Settings --method onCreate").fails("no method matches onCreate; ");
    decode("--method onCreat").fails("no method matches onCreat; near: onCreate");
    decode("--class Settings --method set").ok();
    decode("--class 'NoSuch' --json").fails("no class matches ");
}

#[test]
fn a_thread_that_no_log_has_is_answered_with_the_threads() {
    let work = Work::new();
    let decode = "decode --map app.plmap session.plt";
    work.run(&format!("{decode} --thread mian")).fails("no thread matches mian; near: main");
    let ran = work.run(&format!("{decode} --thread 1 --thread 9")).ok();
    assert_eq!(ran.err, "pathlight: warning: no thread matches 9; threads: main\n");
    work.run(&format!("{decode} --thread 1")).ok();
    work.run("timetree build --map app.plmap session.plt -o s.pltt").ok();
    work.run("timetree query s.pltt --thread worker")
        .fails("s.pltt: no thread matches worker; threads: main");
}

#[test]
fn methods_of_paths_are_answered_with_near_names() {
    let work = Work::new();
    for command in ["analyse --map app.plmap", "select -o paths.json --map app.plmap"] {
        let ran = work.run(&format!("paths {command} session.plt --method Network.up"));
        ran.fails("no method matches Network.up; near: org.example.tether.Network.up");
        work.run(&format!("paths {command} session.plt --method *.Settings.*")).ok();
    }
    let explain =
        |path: &str| work.run(&format!("paths explain --map app.plmap session.plt --path {path}"));
    explain("Network.pu")
        .fails("no method matches Network.pu; near: org.example.tether.Network.up");
    explain("Settings.<init>").ok();
    let named = explain("Network.up").ok().out;
    assert!(named.starts_with("Lorg/example/tether/Network;->up()Z: "), "{named}");
    assert!(named == explain("Lorg/example/tether/Network;->up()Z").ok().out);
    explain("Settings$Security.<init>")
        .fails("Settings$Security.<init> is the name of 2 methods: L");
}

#[test]
fn classes_of_coverage_are_answered_with_near_names() {
    let work = Work::new();
    let report = "report --map app.plmap session.plt --lcov x.info --include";
    let ran = work.run(&format!("{report} org.example.tether.Setings"));
    ran.fails("no class matches org.example.tether.Setings; near: org.example.tether.Settings");
    assert!(!work.path("x.info").exists());
    work.run(&format!("{report} *.Settings")).ok();
}
