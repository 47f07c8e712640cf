//! Stack traces as tools and services print them, written by hand after real ones.

use super::*;

/// Returns `Class.method:line` of the frames of each exception, and its heading.
fn read(text: &str) -> Vec<Stack> {
    Stack::read(text.as_bytes()).unwrap()
}

fn one(text: &str) -> Stack {
    let mut all = read(text);
    assert_eq!(all.len(), 1, "{all:#?}");
    all.remove(0)
}

fn frames(t: &Throwable) -> Vec<String> {
    let name = |e: &StackElement| {
        let line = e.line.map_or(String::new(), |l| format!(":{l}"));
        format!("{}{}.{}{line}", if e.or { "or " } else { "" }, e.class, e.method)
    };
    t.frames.iter().map(name).collect()
}

const CRASH: [&str; 9] = [
    "FATAL EXCEPTION: main",
    "Process: org.example.tether, PID: 2159",
    "java.lang.RuntimeException: Unable to start activity ComponentInfo{a/a.Main}: no: net",
    "\tat android.app.ActivityThread.performLaunchActivity(ActivityThread.java:3449)",
    "\tat android.os.Looper.loop(Looper.java:223)",
    "Caused by: java.lang.IllegalStateException: no: net",
    "\tat org.example.tether.Network.up(Network.java:41)",
    "\tat org.example.tether.MainActivity.onCreate(MainActivity.java:70)",
    "\t... 2 more",
];

#[track_caller]
fn is_crash(stack: &Stack) {
    assert_eq!(stack.kind, StackKind::Exception);
    let [thrown, cause] = &stack.throwables[..] else { panic!("{stack:#?}") };
    assert_eq!(
        (&*thrown.class, thrown.role),
        ("java.lang.RuntimeException", ThrowableRole::Thrown)
    );
    let outside =
        ["android.app.ActivityThread.performLaunchActivity:3449", "android.os.Looper.loop:223"];
    assert_eq!(frames(thrown), outside);
    assert_eq!(
        (&*cause.class, cause.role),
        ("java.lang.IllegalStateException", ThrowableRole::Cause)
    );
    assert_eq!(cause.message.as_deref(), Some("no: net"));
    let inside =
        ["org.example.tether.Network.up:41", "org.example.tether.MainActivity.onCreate:70"];
    assert_eq!(frames(cause), [&inside[..], &outside].concat());
}

/// Returns the crash in a format of `logcat`, interleaved with lines of another process.
fn logcat(line: impl Fn(&str, &str, &str) -> String) -> String {
    let mut text = String::new();
    for (i, message) in CRASH.iter().enumerate() {
        text += &line("2159", "AndroidRuntime", message);
        if i % 2 == 0 {
            text += &line("77", "System.err", "java.io.IOException: closed");
            text += &line("77", "System.err", "\tat com.other.Main.run(Main.java:1)");
        }
    }
    text
}

#[test]
fn every_format_of_logcat_is_read() {
    type Line = fn(&str, &str, &str) -> String;
    let formats: [(&str, Line); 10] = [
        ("threadtime", |p, t, m| format!("11-22 06:50:58.518  {p}  {p} E {t}: {m}\n")),
        ("uid", |p, t, m| format!("11-22 06:50:58.518 10085  {p}  {p} E {t}: {m}\n")),
        ("year, zone, usec", |p, t, m| {
            format!("2026-11-22 06:50:58.518123 +0000  {p}  {p} E {t}: {m}\n")
        }),
        ("epoch", |p, t, m| format!("    1795330258.518  {p}  {p} E {t}: {m}\n")),
        ("time", |p, t, m| format!("11-22 06:50:58.518 E/{t}( {p}): {m}\n")),
        ("brief", |p, t, m| format!("E/{t}( {p}): {m}\r\n")),
        ("process", |p, t, m| format!("E( {p}) {m}  ({t})\n")),
        ("thread", |p, _, m| format!("E( {p}: {p}) {m}\n")),
        ("tag", |_, t, m| format!("E/{t}: {m}\n")),
        ("color", |p, t, m| {
            format!("\u{1b}[38;5;196m11-22 06:50:58.518  {p}  {p} E {t}: {m}\u{1b}[0m\n")
        }),
    ];
    for (name, line) in formats {
        let found = read(&logcat(line));
        let crash = found.iter().find(|s| s.throwables.len() == 2);
        let crash = crash.unwrap_or_else(|| panic!("{name}: {found:#?}"));
        is_crash(crash);
        assert_eq!(crash.thread.as_deref(), Some("main"), "{name}");
        assert_eq!(crash.process.as_deref(), Some("org.example.tether"), "{name}");
        assert_eq!(crash.pid, Some(2159), "{name}");
    }
}

#[test]
fn android_studio_names_the_writer_in_the_first_line_only() {
    let rest = CRASH[1..].iter().map(|m| format!("{:100}{m}\n", "")).collect::<String>();
    let now = "2026-11-22 06:50:58.518  2159-2159  AndroidRuntime  org.example.tether  E  ";
    let before = "2026-11-22 06:50:58.518 2159-2159/org.example.tether E/AndroidRuntime: ";
    for first in [now, before] {
        is_crash(&one(&format!("{first}{}\n{rest}", CRASH[0])));
    }
}

#[test]
fn what_prints_stack_traces_prints_causes_and_suppressed_ones() {
    let text = "\
Exception in thread \"worker 1\" java.lang.IllegalStateException: first line
second line: of the message
\tat java.base/java.lang.Thread.run(Thread.java:829)
\tat app//a.b.C.<init>(C.java)
\tat a.b.-$$Lambda$C$x.run(Unknown Source:6)
\tat a.b.C.call(Native Method)
\tSuppressed: java.io.IOException: closed
\t\tat a.b.D.close(D.java:3)
\t\t... 3 more
\tCaused by: java.lang.Error
\t\tat a.b.D.inner(D.java:4)
\t\t... 1 more
Caused by: a.b.E: last
\tat a.b.C.cause(C.java:9)
\t... 2 more
";
    let stack = one(text);
    assert_eq!(stack.thread.as_deref(), Some("worker 1"));
    let [thrown, closed, inner, cause] = &stack.throwables[..] else { panic!("{stack:#?}") };
    assert_eq!(thrown.message.as_deref(), Some("first line"));
    let want =
        ["java.lang.Thread.run:829", "a.b.C.<init>", "a.b.-$$Lambda$C$x.run:6", "a.b.C.call"];
    assert_eq!(frames(thrown), want);
    assert_eq!(thrown.frames[3].file.as_deref(), Some("Native Method"));
    assert_eq!((closed.role, inner.role), (ThrowableRole::Suppressed, ThrowableRole::Suppressed));
    assert_eq!(frames(closed), [&["a.b.D.close:3"][..], &want[1..]].concat());
    assert_eq!(frames(inner), ["a.b.D.inner:4", "a.b.C.call"]);
    assert_eq!((cause.role, &*cause.class), (ThrowableRole::Cause, "a.b.E"));
    assert_eq!(frames(cause), [&["a.b.C.cause:9"][..], &want[2..]].concat());
}

#[test]
fn play_console_has_a_space_before_the_bracket_and_no_colon() {
    let text = "\
Exception java.lang.RuntimeException:
  at android.app.ActivityThread.performLaunchActivity (ActivityThread.java:3449)
  at android.os.Looper.loop (Looper.java:223)
Caused by java.lang.IllegalStateException: no: net
  at org.example.tether.Network.up (Network.java:41)
  at org.example.tether.MainActivity.onCreate (MainActivity.java:70)
  at android.app.ActivityThread.performLaunchActivity (ActivityThread.java:3449)
  at android.os.Looper.loop (Looper.java:223)
";
    is_crash(&one(text));
}

#[test]
fn crashlytics_lists_the_other_threads_behind() {
    let text = "\
# Crashlytics - Stack trace
# Application: org.example.tether
# Platform: android

Fatal Exception: java.lang.RuntimeException: Unable to start activity
       at android.app.ActivityThread.performLaunchActivity(ActivityThread.java:3449)
       at android.os.Looper.loop(Looper.java:223)
Caused by java.lang.IllegalStateException: no: net
       at org.example.tether.Network.up(Network.java:41)
       at org.example.tether.MainActivity.onCreate(MainActivity.java:70)
       at android.app.ActivityThread.performLaunchActivity(ActivityThread.java:3449)
       at android.os.Looper.loop(Looper.java:223)

Binder:2159_1:
       at android.os.BinderProxy.transact(BinderProxy.java:1)

pool-1 (runnable):tid=12 systid=2170
       at org.example.tether.Pool.run(Pool.java:5)
";
    let all = read(text);
    is_crash(&all[0]);
    let others: Vec<_> = all[1..].iter().map(|s| (s.kind, s.thread.as_deref())).collect();
    assert_eq!(
        others,
        [(StackKind::Moment, Some("Binder:2159_1")), (StackKind::Moment, Some("pool-1"))]
    );
}

#[test]
fn an_anr_is_a_dump_of_threads() {
    let text = "\
Subject: Input dispatching timed out (MainActivity is not responding)
----- pid 2159 at 2026-11-22 06:50:58 -----
Cmd line: org.example.tether
Build fingerprint: 'google/x'
DALVIK THREADS (2):
\"main\" prio=5 tid=1 Sleeping
  | group=\"main\" sCount=1 dsCount=0 flags=1 obj=0x7 self=0x7
  | held mutexes=
  native: #00 pc 000000000001  /apex/libc.so (syscall+32)
  at java.lang.Object.wait(Native method)
  - waiting on <0x0e> (a java.lang.Object)
  at org.example.tether.Network.up(Network.java:41)
  - locked <0x0f> (a org.example.tether.Network)
  at org.example.tether.MainActivity.onClick(MainActivity.java:70)

\"Jit thread pool worker thread 0\" daemon prio=5 tid=2 Native
  | group=\"system\"
  (no managed stack frames)

\"Fin\" daemon prio=5 tid=3 Waiting
  at java.lang.Daemons.run(Daemons.java:1)

----- end 2159 -----
";
    let all = read(text);
    let shown: Vec<_> = all.iter().map(|s| (s.kind, s.thread.as_deref(), s.pid)).collect();
    let want = [
        (StackKind::Moment, Some("main"), Some(2159)),
        (StackKind::Moment, Some("Fin"), Some(2159)),
    ];
    assert_eq!(shown, want);
    assert_eq!(all[0].process.as_deref(), Some("org.example.tether"));
    let want = [
        "java.lang.Object.wait",
        "org.example.tether.Network.up:41",
        "org.example.tether.MainActivity.onClick:70",
    ];
    assert_eq!(frames(&all[0].throwables[0]), want);
}

/// Output of ART 10 and 11 for a method that had called itself six times.
#[test]
fn an_anr_leaves_out_frames_that_are_alike() {
    let text = "\
\"sleeper\" daemon prio=5 tid=10 Sleeping
  at Dumps.pause(Dumps.java:22)
  at Dumps.sleeper(Dumps.java:17)
  at Dumps.sleeper(Dumps.java:17)
  at Dumps.sleeper(Dumps.java:17)
  ... repeated 3 times
  at java.lang.Thread.run(Thread.java:919)
";
    let mut want = vec!["Dumps.sleeper:17"; 9];
    (want[0], want[8]) = ("Dumps.pause:22", "java.lang.Thread.run:919");
    assert_eq!(frames(&one(text).throwables[0]), want);
    let many = text.replace("repeated 3", "repeated 18446744073709551614");
    assert!(matches!(Stack::read(many.as_bytes()), Err(StackError::TooMany)));
}

#[test]
fn a_tombstone_has_java_frames_among_native_ones() {
    let text = "\
*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
pid: 2159, tid: 2160, name: worker-1  >>> org.example.tether <<<
signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------
backtrace:
      #00 pc 0000000000089b0c  /apex/com.android.runtime/lib64/libc.so (abort+180) (BuildId: 1)
      #01 pc 00000000006d1b24  /apex/libart.so (art::Runtime::Abort(char const*)+668)
      #02 pc 0000000000222244  /apex/libart.so (art_jni_trampoline+148)
      #03 pc 001b2f10  [anon:dalvik-classes.dex from /a.apk] (org.example.tether.Network.up+12)
      #04 pc 0020b0a4  /data/app/~x/oat/arm64/base.odex (org.example.tether.MainActivity.onClick+68)
--- --- --- --- --- --- --- --- --- --- --- --- --- --- --- ---
pid: 2159, tid: 2159, name: main  >>> org.example.tether <<<
      #00 pc 0000000000089b0c  /apex/libc.so (nanosleep+8)
      #01 pc 000000000020b0a4  /data/app/base.odex (org.example.tether.Main.run+4)
";
    let all = read(text);
    let shown: Vec<_> = all.iter().map(|s| (s.thread.as_deref(), s.pid)).collect();
    assert_eq!(shown, [(Some("worker-1"), Some(2159)), (Some("main"), Some(2159))]);
    let want = ["org.example.tether.Network.up", "org.example.tether.MainActivity.onClick"];
    assert_eq!(frames(&all[0].throwables[0]), want);
    assert!(all.iter().all(|s| s.kind == StackKind::Moment));
}

/// An event as the SDK sends it.
const EVENT: &str = r#"{"event_id":"1","exception":{"values":[
 {"type":"IllegalStateException","value":"no: net","module":"java.lang","stacktrace":{"frames":[
  {"module":"android.os.Looper","function":"loop","filename":"Looper.java","lineno":223},
  {"module":"android.app.ActivityThread","function":"performLaunchActivity","lineno":"3449"},
  {"module":"org.example.tether.MainActivity","function":"onCreate","lineno":70,"in_app":true},
  {"function":"native_only"},
  {"module":"org.example.tether.Network","function":"up","filename":"Network.java","lineno":41}]}},
 {"type":"RuntimeException","value":"Unable","module":"java.lang",
 "thread_id":1,"stacktrace":{"frames":[
  {"module":"android.os.Looper","function":"loop","filename":"Looper.java","lineno":223},
  {"module":"android.app.ActivityThread","function":"performLaunchActivity","lineno":3449}]}}]},
 "threads":{"values":[{"id":2,"name":"other"},{"id":1,"name":"main","crashed":true}]},
 "contexts":{"app":{"app_identifier":"org.example.tether"}}}"#;

#[test]
fn an_event_of_sentry_names_the_cause_and_the_outermost_frame_first() {
    let stack = one(EVENT);
    is_crash(&stack);
    assert_eq!(stack.thread.as_deref(), Some("main"));
    assert_eq!(stack.process.as_deref(), Some("org.example.tether"));
}

#[test]
fn sentrys_server_and_envelopes_are_read_too() {
    let flat = EVENT.replace('\n', "");
    is_crash(&one(&format!("{{\"event_id\":\"1\"}}\n{{\"type\":\"event\"}}\n{flat}\n")));
    let event: serde_json::Value = serde_json::from_str(EVENT).unwrap();
    let entries = serde_json::json!({
        "entries": [
            { "type": "message", "data": null },
            { "type": "exception", "data": event["exception"] },
            { "type": "threads", "data": event["threads"] },
        ]
    });
    let stack = one(&entries.to_string().replace("lineno", "lineNo"));
    is_crash(&stack);
    assert_eq!(stack.thread.as_deref(), Some("main"));
}

#[test]
fn sentry_calls_an_anr_an_exception() {
    let text = EVENT.replace("\"RuntimeException\"", "\"ApplicationNotResponding\"");
    assert_eq!(one(&text).kind, StackKind::Moment);
}

#[test]
fn retrace_offers_choices() {
    let text =
        "a.b.E\n\tat a.b.C.one(C.java:1)\n\t<OR> at a.b.C.two(C.java:2)\n\tat a.D.x(D.java)\n";
    assert_eq!(frames(&one(text).throwables[0]), ["a.b.C.one:1", "or a.b.C.two:2", "a.D.x"]);
}

#[test]
fn two_stack_traces_are_two() {
    let twice = [CRASH.join("\n"), CRASH.join("\n")].join("\n");
    let all = read(&twice);
    assert_eq!(all.iter().map(|s| s.line).collect::<Vec<_>>(), [3, 12]);
    all.iter().for_each(is_crash);
}

#[test]
fn text_without_a_frame_is_refused() {
    for text in ["", "at home we say (so)", "java.lang.Error: x", "{}", "{\"a\":[1]}", "#00 pc 1 x"]
    {
        assert!(matches!(Stack::read(text.as_bytes()), Err(StackError::None)), "{text}");
    }
}

#[test]
fn more_than_anybody_prints_is_refused_at_a_limit() {
    let frames = "\tat a.b.C.d(C.java:1)\n".repeat((1 << 18) + 1);
    assert!(matches!(Stack::read(frames.as_bytes()), Err(StackError::TooMany)));
    let stacks = "x\n\tat a.b.C.d(C.java:1)\n".repeat((1 << 12) + 2);
    assert!(matches!(Stack::read(stacks.as_bytes()), Err(StackError::TooMany)));
    let causes =
        format!("a.E\n\tat a.b.C.d(C.java:1)\n{}", "Caused by: a.E\n\t... 1 more\n".repeat(9999));
    assert_eq!(one(&causes).throwables.len(), 256);
    assert_eq!(one(&causes).throwables[255].frames.len(), 1);
    // Each cause repeats all frames before it.
    let doubled = "Caused by: a.E\n\tat a.b.C.d(C.java:1)\n\t... 999999999 more\n".repeat(9999);
    assert!(Stack::read(format!("a.E\n\tat a.b.C.d(C.java:1)\n{doubled}").as_bytes()).is_ok());
    let json = format!("{{\"a\":[\"at a.b\"{}]}}", ",\"at a.b\"".repeat(1 << 18));
    assert!(matches!(Stack::read(json.as_bytes()), Err(StackError::TooLargeJson)));
}

#[test]
fn a_mapping_retraces_names_lines_and_inlined_calls() {
    let mapping = "\
app.Main -> a.a:
    1:1:void inner():30:30 -> b
    1:1:void outer():10 -> b
    2:2:void outer():11:11 -> b
app.Gone -> a.b:
";
    let mapping = model::mapping::Mapping::parse(mapping).unwrap();
    let text = "a.b: x\n\tat a.a.b(SourceFile:1)\n\tat a.a.b(SourceFile:2)\n\tat x.Y.z(Y.java:3)\n";
    let retraced = |stack| Stack::retrace_all(vec![stack], &mapping).stacks.remove(0);
    let stack = retraced(one(text));
    assert_eq!(stack.throwables[0].class, "app.Gone");
    let want = ["app.Main.inner:30", "app.Main.outer:10", "app.Main.outer:11", "x.Y.z:3"];
    assert_eq!(frames(&stack.throwables[0]), want);
    // Frames that were retraced before stay.
    assert_eq!(frames(&retraced(stack).throwables[0]), want);
}

/// Text outside stack traces takes no memory, and lists are read one event after the other.
#[test]
fn json_may_be_large() {
    let event =
        r#"{"seq":1,"more":{"a":[1,2,3],"b":null},"message":"a.E: x\n\tat a.b.C.d(C.java:1)"},"#;
    let text = format!("[{}{{}}]", event.repeat(4000));
    assert_eq!(read(&text).len(), 4000);
    let filler = format!("{{\"list\":[{}{event}1]}}", "1,{\"k\":[[]]},".repeat(1 << 19));
    assert_eq!(frames(&one(&filler).throwables[0]), ["a.b.C.d:1"]);
}

#[test]
fn json_that_is_nested_too_deep_is_no_json() {
    let deep = "[".repeat(1 << 20);
    assert!(matches!(Stack::read(deep.as_bytes()), Err(StackError::None)));
    let deep = format!("{}\"a.E: x\\n\\tat a.b.C.d(C.java:1)\"", "{\"a\":[".repeat(1 << 10));
    let stack = one(&deep);
    assert_eq!((&*stack.throwables[0].class, stack.throwables[0].frames.len()), ("a.E", 1));
}

/// Android's own lists of exceptions mostly have a cause in a string of its own.
#[test]
fn texts_of_one_event_are_texts_of_their_own() {
    let event = serde_json::json!({
        "crash": { "stack": "a.E: x\n\tat a.b.C.d(C.java:1)" },
        "pid": 7,
        "threads_dump": ["a.F: y", "\tat a.b.C.e(C.java:2)", "\tat a.b.C.f(C.java:3)"],
    });
    let all = read(&event.to_string());
    let shown: Vec<_> =
        all.iter().map(|s| (&*s.throwables[0].class, frames(&s.throwables[0]))).collect();
    let second = vec!["a.b.C.e:2".to_owned(), "a.b.C.f:3".to_owned()];
    assert_eq!(shown, [("a.E", vec!["a.b.C.d:1".to_owned()]), ("a.F", second)]);
    assert_eq!(all[1].pid, Some(7));
}
