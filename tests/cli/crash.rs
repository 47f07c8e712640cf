//! `crash`: stack traces as people have them, with a recorded session of the fixture that crashed.

use serde_json::Value;

use crate::support::{Work, repository};

/// The session that ended in a crash (`crash.plt`), its map, logcat (`crash.log`), and six sessions
/// that did not crash.
fn recorded() -> Work {
    let work = Work::new();
    let from = repository("tests/cli/recorded");
    work.shell(&format!("cp -r '{}'/. .; mv pathlight-*.plt crash.plt", from.display())).ok();
    work
}

const CRASH: &str = "crash --map app.plmap crash.plt --json --last 0";
const THROWN: &str = "java.lang.IllegalStateException: crash wanted by a long click";
const FRAMES: [&str; 2] = [
    "\tat org.example.tether.MainActivity.onLongClick(MainActivity.java:251)",
    "\tat android.view.View.performLongClick(View.java:29)",
];

/// The first line for a stack trace: how it is joined, and what was thrown.
#[track_caller]
fn joined(work: &Work, stack: impl AsRef<[u8]>) -> [String; 3] {
    work.write("stack", stack);
    let out = work.run(&format!("{CRASH} --stack stack")).ok().out;
    let head: Value = serde_json::from_str(out.lines().next().expect("a line")).expect("JSON");
    ["join", "class", "message"].map(|key| head[key].as_str().unwrap_or_default().to_owned())
}

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

const EXACT: [&str; 3] =
    ["exact", "java.lang.IllegalStateException", "crash wanted by a long click"];

/// PowerShell's `>` writes UTF-16.
#[test]
fn a_stack_trace_may_be_utf16() {
    let work = recorded();
    let text = String::from_utf8(work.read("crash.log")).expect("text");
    let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(joined(&work, marked.as_bytes()), EXACT);
    for bytes in [
        utf16(&marked, u16::to_le_bytes),
        utf16(&marked, u16::to_be_bytes),
        utf16(&text, u16::to_le_bytes),
    ] {
        assert_eq!(joined(&work, bytes), EXACT);
    }
}

#[test]
fn every_command_reads_text_in_utf16() {
    let work = recorded();
    let marked = |name: &str| {
        let text = String::from_utf8(work.read(name)).expect("text");
        work.write(&format!("u16-{name}"), utf16(&format!("\u{feff}{text}"), u16::to_le_bytes));
    };
    work.write("mapping.txt", "org.example.Kept -> a.a:\n    1:1:void run():5:5 -> b\n");
    ["mapping.txt", "crash.log", "beta.log", "model.json"].iter().for_each(|name| marked(name));
    work.run("crash --map app.plmap crash.plt --stack crash.log --mapping u16-mapping.txt").ok();
    let plain = work.run("inspect beta.log").ok().out;
    assert_eq!(work.run("inspect u16-beta.log").ok().out.replace("u16-", ""), plain);
    // The first line has the length of the file.
    let counts = |name: &str| {
        let out = work.run(&format!("inspect {name}")).ok().out;
        out.split_once('\n').expect("lines").1.to_owned()
    };
    assert_eq!(counts("u16-model.json"), counts("model.json"));
    work.run("instrument app.apk -o a.apk --map a.plmap --model u16-model.json").ok();
}

#[test]
fn a_stack_trace_may_stand_in_json() {
    let work = recorded();
    let text = [&[THROWN], &FRAMES[..]].concat().join("\n");
    let studio = serde_json::json!({
        "metadata": { "filter": "package:mine", "projectApplicationIds": ["org.example.tether"] },
        "logcatMessages": [{
            "header": { "logLevel": "ERROR", "pid": 385, "tid": 385, "tag": "AndroidRuntime" },
            "message": format!("FATAL EXCEPTION: main\n{text}"),
        }],
    });
    let acra = serde_json::json!({
        "REPORT_ID": "1", "STACK_TRACE": text, "LOGCAT": "11-22 06:50:58.518 1 1 I Tag: no\n",
        "BUILD": { "SDK_INT": 34 },
    });
    let play = serde_json::json!({ "errorReports": [{ "type": "CRASH", "reportText": text }] });
    // A collector's events, one a line of logcat.
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::json!({ "message": line, "tag": "AndroidRuntime", "pid": 385 }))
        .collect();
    let stream: String = lines.iter().map(|line| format!("{line}\n")).collect();
    for json in [
        studio.to_string(),
        serde_json::to_string_pretty(&studio).expect("JSON"),
        acra.to_string(),
        play.to_string(),
        Value::from(lines).to_string(),
        stream,
        format!("[{studio}, {{}}]"),
    ] {
        assert_eq!(joined(&work, &json), EXACT, "{json}");
    }
    // Cut off, it is no JSON any more.
    let cut = studio.to_string();
    assert_eq!(joined(&work, &cut[..cut.len() - 4]), EXACT);
}

#[test]
fn a_message_may_have_lines_like_frames() {
    let work = recorded();
    let lines = |message: &[&str]| [message, &FRAMES[..]].concat().join("\n");
    let message = ["at account.failed(File.java:123456)", "see log"];
    let text = lines(&[&["java.lang.IllegalStateException: failed"], &message[..]].concat());
    let want = ["exact", "java.lang.IllegalStateException", "failed"];
    assert_eq!(joined(&work, &text), want);
    let prefixed =
        |line: &str| format!("11-22 13:24:53.247   385   385 E AndroidRuntime: {line}\n");
    let logcat: String = text.lines().map(prefixed).collect();
    assert_eq!(joined(&work, prefixed("FATAL EXCEPTION: main") + &logcat), want);
    // A line of the message looks like the heading of another exception.
    let nested = text.replace("see log", "com.example.Bad: value");
    let logcat: String = nested.lines().map(prefixed).collect();
    assert_eq!(joined(&work, prefixed("FATAL EXCEPTION: main") + &logcat), want);
    // Nothing is indented: which frames are the message's, nobody knows.
    assert_eq!(joined(&work, text.replace('\t', "")), want);
}

#[test]
fn frames_may_stand_on_one_line() {
    let work = recorded();
    let other = "\tat com.other.A.b(A.java:1) ";
    let text = format!("{THROWN}\n{other}{}", FRAMES.join(" "));
    assert_eq!(joined(&work, &text), EXACT);
    assert_eq!(joined(&work, text.replace('\n', "")), EXACT);
    assert_eq!(joined(&work, text.replace('\n', " ").replace('\t', "")), EXACT);
    assert_eq!(joined(&work, text.replace('\n', "\\n").replace('\t', "\\t")), EXACT);
}

/// In each of these sessions a pool's threads scan clients, and the futures keep what they throw.
#[test]
fn what_a_pool_keeps_is_no_crash() {
    let work = recorded();
    let crash = "pathlight crash --map app.plmap --last 0";
    for session in 1..=6 {
        let ran = work.shell(&format!("{crash} sessions/{session}/*.plt")).fails("no crash found");
        assert!(ran.out.starts_with("no crash in these logs"), "{}", ran.out);
    }
    let out = work.shell(&format!("{crash} --json crash.plt sessions/*/*.plt")).ok().out;
    let head: Value = serde_json::from_str(out.lines().next().expect("a line")).expect("JSON");
    assert_eq!([&head["pid"], &head["thread_ended"]], [&Value::from(21572), &Value::from(true)]);
}

/// The lines of the section on causes.
fn causes(report: &str) -> Vec<&str> {
    let section = report.split("causes, as `pathlight why` finds them\n").nth(1).expect("causes");
    section.lines().take_while(|line| !line.is_empty()).collect()
}

#[test]
fn with_the_app_a_crash_has_the_causes_that_why_finds() {
    let work = recorded();
    for options in ["", "--stack crash.log", "--stack crash.log --sources src"] {
        let options = format!("{options} --map app.plmap --apk app.apk crash.plt");
        let options = options
            .replace("src", &repository("android-fixtures/tether/src").display().to_string());
        let crash = work.run(&format!("crash {options}")).ok().out;
        let why = work.run(&format!("why {options}")).ok().out;
        assert_eq!(causes(&crash), why.lines().collect::<Vec<_>>());
        assert!(why.lines().count() > 4, "{why}");
    }
    // The other sessions have caught exceptions only.
    let crash = work.shell("pathlight crash --apk app.apk crash.plt sessions/*/*.plt").ok().out;
    assert!(causes(&crash)[0].contains("callback 18 of thread main"), "{crash}");
    assert!(!work.run("crash crash.plt").ok().out.contains("causes"));
}

#[test]
fn json_of_a_crash_ends_with_the_causes() {
    let work = recorded();
    let out = work.run(&format!("{CRASH} --apk app.apk --stack crash.log")).ok().out;
    let last: Value = serde_json::from_str(out.lines().last().expect("a line")).expect("JSON");
    let why = work.run("why --json --apk app.apk --stack crash.log --map app.plmap crash.plt").ok();
    let mut why: Value = serde_json::from_str(&why.out).expect("JSON");
    why.as_object_mut().expect("an object").remove("v");
    why["e"] = "why".into();
    assert_eq!(last, why);
}

#[test]
fn without_an_exception_a_crash_has_no_causes_and_that_is_noted() {
    let work = recorded();
    // A thread of an ANR's traces: the path ends, no exception does.
    let frame = "  at org.example.tether.MainActivity.onLongClick(MainActivity.java:251)\n";
    work.write("anr", format!("\"main\" prio=5 tid=1 Native\n{frame}"));
    let ran = work.run("crash --map app.plmap crash.plt --stack anr --apk app.apk");
    assert!(!ran.out.contains("causes"), "{}", ran.out);
    work.shell("head -c 100 app.apk > cut.apk").ok();
    work.run("crash --map app.plmap crash.plt --apk cut.apk").fails("cut.apk");
    work.run("instrument app.apk -o other.apk --map other.plmap --unsigned").ok();
    let ran = work.run("crash --map app.plmap crash.plt --apk other.apk");
    ran.fails("the app as it was before `instrument` is needed");
}

/// A class whose methods all got one name, and as many frames of it.
fn ambiguous(rows: usize, frames: usize) -> (String, String) {
    let rows = (0..rows).map(|n| format!("    void m{n}(int) -> a\n"));
    let mapping = format!("org.example.Long -> a.a:\n{}", rows.collect::<String>());
    let stack = format!("a.E: x\n{}", "\tat a.a.a(Unknown Source)\n".repeat(frames));
    (mapping, stack + FRAMES[0])
}

#[test]
fn ambiguous_frames_are_cut_and_that_is_noted() {
    let work = recorded();
    let (mapping, stack) = ambiguous(65, 2);
    work.write("mapping.txt", mapping);
    work.write("stack.txt", stack);
    let line = "crash --map app.plmap crash.plt --stack stack.txt --mapping mapping.txt";
    let ran = work.run(line).ok();
    assert!(ran.err.contains("of 2 frames, more than 64 methods have the name"), "{}", ran.err);
    work.write("mapping.txt", ambiguous(64, 2).0);
    assert_eq!(work.run(line).ok().err, "");
}

/// The limit, in KiB, is for all that the program maps, itself included.
#[cfg(target_os = "linux")]
#[test]
fn retracing_takes_bounded_memory() {
    const LIMIT: usize = 200 << 10;
    let work = recorded();
    let limited = |mapping: &str, stack: &str| {
        work.write("mapping.txt", mapping);
        work.write("stack.txt", stack);
        let line = "pathlight crash --map app.plmap crash.plt --stack stack.txt \
                    --mapping mapping.txt --jobs 1";
        let ran = work.shell(&format!("export MALLOC_ARENA_MAX=1; ulimit -v {LIMIT} && {line}"));
        assert!(matches!(ran.code, Some(0 | 1)), "{:?} {}", ran.code, ran.err);
        assert!(!ran.err.contains("allocation"), "{}", ran.err);
    };
    // Overloads without lines; with the same line; calls inlined into each other.
    let (mapping, stack) = ambiguous(20_000, 5_000);
    limited(&mapping, &stack);
    let inlined = |lines: &dyn Fn(usize) -> String| {
        let rows = (0..20_000).map(|n| format!("    {}:void m{n}():{n} -> a\n", lines(n)));
        format!("org.example.Long -> a.a:\n{}", rows.collect::<String>())
    };
    let numbered = stack.replace("Unknown Source", "SourceFile:1");
    limited(&inlined(&|_| "1:1".into()), &numbered);
    limited(&inlined(&|n| format!("1:{}", n + 1)), &numbered);
}
