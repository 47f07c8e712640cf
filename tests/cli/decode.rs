//! `decode`: filters, sources, colours, on a recorded session of the fixture.

use serde_json::Value;

use crate::support::{Work, repository};

/// The recorded session that ends in a crash: three threads, 18 callbacks on the first.
fn recorded() -> Work {
    let work = Work::new();
    let from = repository("tests/cli/recorded");
    work.shell(&format!("cp -r '{}'/. .; mv pathlight-*.plt crash.plt", from.display())).ok();
    work
}

const DECODE: &str = "decode --map app.plmap crash.plt";

fn text(work: &Work, options: &str) -> String {
    work.run(&format!("{DECODE} {options}")).ok().out
}

/// The rows of a callback of the first thread, as the whole text has them.
fn callback(work: &Work, number: usize) -> String {
    let all = text(work, "--full");
    let rows = all.lines().skip_while(|l| !l.starts_with(&format!("#{number} ")));
    let first = |i: usize, l: &&str| i == 0 || l.starts_with(' ');
    let rows: Vec<&str> =
        rows.enumerate().take_while(|(i, l)| first(*i, l)).map(|(_, l)| l).collect();
    rows.join("\n")
}

/// The lines about paths.
fn json(work: &Work, options: &str) -> Vec<Value> {
    let out = text(work, &format!("--format json {options}"));
    let lines = out.lines().map(|l| serde_json::from_str(l).expect("JSON"));
    lines.filter(|l: &Value| l["e"] != "process" && l["e"] != "end").collect()
}

/// Returns the lines of callbacks for which this holds, given their thread, number and ms.
fn callbacks(all: &[Value], keep: impl Fn(u64, u64, u64) -> bool) -> Vec<Value> {
    let (mut kept, mut keeps, mut clock, mut thread) = (Vec::new(), false, 0, 0);
    for line in all {
        let t = line["t"].as_u64().expect("a thread");
        if t != thread {
            (thread, clock) = (t, 0);
        }
        if let Some(number) = line["callback"].as_u64() {
            clock += line["after_ms"].as_u64().expect("a time");
            keeps = keep(thread, number, clock);
        }
        if keeps {
            kept.push(line.clone());
        }
    }
    kept
}

#[test]
fn callbacks_are_chosen_by_number_time_and_order() {
    let work = recorded();
    let all = json(&work, "");
    let last = |thread| {
        let numbers =
            all.iter().filter(|l| l["t"] == thread).filter_map(|l| l["callback"].as_u64());
        numbers.max().unwrap_or(0)
    };
    assert_eq!(last(1), 18);
    // Callbacks 16 and 17 of the main thread began at different times.
    let began = |number: u64| {
        let mut of = all.iter().filter(|l| l["t"] == 1 && l["callback"] == number);
        of.next().and_then(|l| l["begin_us"].as_u64()).unwrap() / 1000
    };
    let (early, late) = (began(16), began(17));
    assert!(early < late);
    type Keep<'a> = Box<dyn Fn(u64, u64, u64) -> bool + 'a>;
    let cases: [(&str, Keep); 8] = [
        ("--callback 4", Box::new(|_, n, _| n == 4)),
        ("--callback 2-3 --callback 17-", Box::new(|_, n, _| n == 2 || n == 3 || n >= 17)),
        (&format!("--from {late}"), Box::new(|_, _, ms| ms >= late)),
        (&format!("--to {early}"), Box::new(|_, _, ms| ms <= early)),
        (
            &format!("--from {} --to {late}", early + 1),
            Box::new(|_, _, ms| (early + 1..=late).contains(&ms)),
        ),
        ("--last 3", Box::new(|t, n, _| n + 3 > last(t))),
        (&format!("--last 1 --to {early} --thread main"), Box::new(|t, n, _| t == 1 && n == 16)),
        ("--last 0", Box::new(|_, _, _| false)),
    ];
    for (options, keep) in cases {
        let kept = callbacks(&all, keep);
        assert_eq!(kept.is_empty(), options == "--last 0", "{options}");
        assert_eq!(json(&work, options), kept, "{options}");
    }
    assert_eq!(
        text(&work, "--callback 4 --thread 1 --full")
            .lines()
            .skip(2)
            .collect::<Vec<_>>()
            .join("\n"),
        callback(&work, 4)
    );
}

#[test]
fn threads_are_chosen_by_name_or_number() {
    let work = recorded();
    let all = json(&work, "");
    for (options, number) in [("--thread tether-worker", 3), ("--thread 3", 3), ("--thread 1", 1)] {
        let kept: Vec<Value> = all.iter().filter(|l| l["t"] == number).cloned().collect();
        assert!(!kept.is_empty() && json(&work, options) == kept, "{options}");
        let printed = text(&work, options);
        assert_eq!(printed.matches("===").count(), 1, "{options}: {printed}");
        assert!(printed.contains(&format!("=== java (pid 21572), thread {number} ")), "{printed}");
    }
}

#[test]
fn depth_hides_deeper_calls() {
    let work = recorded();
    let all = json(&work, "");
    let kept: Vec<Value> =
        all.iter().filter(|l| l["depth"].as_u64().expect("a depth") <= 2).cloned().collect();
    assert_eq!(json(&work, "--depth 2"), kept);
    assert!(text(&work, "--callback 17 --depth 1 --thread main").ends_with("\n  42 44 48\n"));
}

#[test]
fn calls_are_chosen_by_class_and_method_and_keep_what_is_around() {
    let work = recorded();
    let only = |options: &str| {
        text(&work, &format!("--thread main --callback 17 {options}"))
            .lines()
            .skip(3)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let want = [
        "  MainActivity.access$100(MainActivity, MainActivity$State)  made by the compiler",
        "    MainActivity.enter(MainActivity$State)",
        "      MainActivity.show()",
        "        Network.settings()",
        "          42",
    ];
    for options in [
        "--class Network",
        "--class org.example.tether.Net*",
        "--method settings",
        "--class *Activity --method nothing --method s?ttings --class Network",
    ] {
        assert_eq!(only(options), want, "{options}");
    }
    // Case counts, and both must fit.
    work.run(&format!("{DECODE} --class network"))
        .fails("no class matches network; near: org.example.tether.Network");
    work.run(&format!("{DECODE} --class MainActivity --method settings"))
        .fails("no method matches settings; ");
    // What such a call does is shown with it.
    assert!(only("--method enter").contains(&"          42".to_owned()));

    let lines = json(&work, "--class Network --callback 17");
    let printed: Vec<(&str, u64)> = lines
        .iter()
        .map(|l| (l["e"].as_str().expect("an event"), l["depth"].as_u64().expect("a depth")))
        .collect();
    let enters = [("enter", 1), ("enter", 2), ("enter", 3), ("enter", 4), ("enter", 5)];
    let ends = [("return", 5), ("return", 4), ("return", 3), ("return", 2), ("return", 1)];
    assert_eq!(printed, [&enters[..], &[("block", 5)], &ends].concat());
    let all = json(&work, "");
    assert!(lines.iter().all(|l| all.contains(l)), "lines are as without filters");
}

#[test]
fn sources_stand_beside_the_lines_and_missing_ones_are_named_once() {
    let work = recorded();
    let tree = repository("android-fixtures/tether/src");
    let ran = work.run(&format!("{DECODE} --callback 4 --thread 1 --sources {}", tree.display()));
    let printed = ran.ok();
    assert_eq!(printed.err, "");
    let rows: Vec<&str> = printed.out.lines().map(str::trim).collect();
    let loops = [
        "256 times:",
        "39  for (int i = 0; i < 256; i++) {",
        "40  String s = Integer.toHexString(i);",
        "41  HEX[i] = s.length() == 1 ? \"0\" + s : s;",
        "39  for (int i = 0; i < 256; i++) {",
        "43  }",
    ];
    assert!(rows.windows(loops.len()).any(|w| w == loops), "{}", printed.out);
    std::fs::create_dir(work.path("empty")).expect("a folder");
    let ran = work.run(&format!("{DECODE} --callback 1-4 --thread 1 --sources empty")).ok();
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.starts_with("pathlight: no source found for AccessProvider.java, "));
    assert!(ran.out.contains("(39 40 41) × 256"), "as without sources");
    work.run(&format!("{DECODE} --sources no-such-folder")).fails("no-such-folder: ");
}

#[test]
fn names_are_full_on_request() {
    let work = recorded();
    let printed = text(&work, "--names full --callback 3 --thread 1");
    let name = " org.example.tether.AccessProvider.onCreate()Z  (AccessProvider.java)\n";
    assert!(printed.contains(name), "{printed}");
}

/// `script` runs a command on a terminal.
#[test]
fn colours_are_for_terminals_that_want_them() {
    let work = recorded();
    let colourful = |line: &str| work.shell(line).ok().out.contains('\u{1b}');
    let piped = format!("pathlight {DECODE}");
    assert!(!colourful(&piped));
    assert!(colourful(&format!("{piped} --color always")));
    let terminal = |setting: &str, options: &str| {
        colourful(&format!(
            "env -u NO_COLOR TERM=xterm {setting} \
             script -qec 'pathlight {DECODE} {options}' /dev/null < /dev/null"
        ))
    };
    assert!(terminal("", ""));
    assert!(terminal("NO_COLOR=", ""), "set, but empty");
    assert!(!terminal("NO_COLOR=1", ""));
    assert!(!terminal("TERM=dumb", ""));
    assert!(!terminal("", "--color never"));
    assert!(terminal("NO_COLOR=1", "--color always"));
    let plain = text(&work, "");
    let painted = text(&work, "--color always");
    let mut stripped = String::new();
    let mut rest = painted.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        stripped += before;
        rest = after.split_once('m').expect("a colour").1;
    }
    assert_eq!(stripped + rest, plain, "the text is the same");
}

#[test]
fn repetitions_stand_one_by_one_on_request() {
    let work = recorded();
    let folded = text(&work, "--full --callback 4 --thread 1");
    assert!(folded.contains("(39 40 41) × 256"), "{folded}");
    let printed = text(&work, "--full --unfolded --callback 4 --thread 1");
    let numbers: Vec<&str> = printed.split_whitespace().collect();
    let rounds = numbers.windows(3).filter(|w| *w == ["39", "40", "41"]).count();
    assert_eq!(rounds, 256);
}
