//! `mcp`, asked by the client of the protocol's own SDK.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

use crate::support::{self, Work, repository};
use crate::transcripts::{elided, recorded};

/// Bytes of an answer: 2,000 tokens of four bytes.
const MOST: usize = 8000;
const CRASHED: &str = "logs/pathlight-24438a76-21572-1795986713840.plt";
const GOOD: &str = "logs/sessions/1/pathlight-24438a76-20641-1795986707068.plt";
/// Command of `find` for lines and exceptions.
const LIST: &str = "why --list --apk app.apk";
const OPTIONS: [&str; 6] =
    ["mcp", "logs", "--map=app.plmap", "--apk=app.apk", "--sources=src", "--no-config"];

/// A folder `logs` of seven recorded sessions, of which one crashed.
fn folder() -> Work {
    let work = recorded();
    work.shell("mkdir logs; cp pathlight-*.plt logs; cp -r sessions logs").ok();
    work
}

/// A running server and its client. The server ends with this value.
struct Agent {
    client: RunningService<RoleClient, ()>,
    _server: Child,
}

impl Agent {
    /// Starts a server in this folder.
    async fn of(work: &Work, arguments: &[&str]) -> Agent {
        let mut command = Command::from(support::pathlight(&work.path("")));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut server = command.spawn().expect("the program starts");
        let streams = (server.stdout.take().expect("piped"), server.stdin.take().expect("piped"));
        let client = ().serve(streams).await.expect("the server answers");
        Agent { client, _server: server }
    }

    async fn call(&self, tool: &str, arguments: &Value) -> CallToolResult {
        let arguments = arguments.as_object().expect("an object").clone();
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.client.call_tool(call).await.expect("the server answers")
    }

    /// The text of an answer that is no error.
    async fn ask(&self, tool: &str, arguments: &Value) -> String {
        let answer = self.call(tool, arguments).await;
        assert_ne!(answer.is_error, Some(true), "{tool} {arguments}: {answer:?}");
        text(&answer)
    }

    /// The text of an answer that is an error.
    async fn refused(&self, tool: &str, arguments: &Value) -> String {
        let answer = self.call(tool, arguments).await;
        assert_eq!(answer.is_error, Some(true), "{tool} {arguments}: {answer:?}");
        text(&answer)
    }

    /// All pages of an answer, joined without their messages; the messages of the last page; the
    /// number of pages. None is larger than allowed.
    async fn all(&self, tool: &str, arguments: &Value) -> (String, String, usize) {
        let (mut all, mut pages, mut asked) = (String::new(), 0, arguments.clone());
        loop {
            let page = self.ask(tool, &asked).await;
            assert!(page.len() <= MOST, "{tool} {asked}: {} bytes", page.len());
            pages += 1;
            let end = page.rfind('(').filter(|&at| page[at..].contains("\"cursor\": "));
            let lines = page[..end.unwrap_or(page.len())].split_inclusive('\n');
            let (messages, lines): (Vec<&str>, Vec<&str>) =
                lines.partition(|line| line.starts_with("pathlight: "));
            all.extend(lines);
            let Some(end) = end else { return (all, messages.concat(), pages) };
            let cursor = page[end..].rsplit(": ").next().expect("a number");
            let cursor: u64 = cursor.trim_end_matches(")\n").parse().expect("a number");
            asked["cursor"] = cursor.into();
        }
    }
}

fn text(answer: &CallToolResult) -> String {
    let texts = answer.content.iter().filter_map(|block| block.as_text());
    texts.map(|text| text.text.as_str()).collect()
}

/// Runs a test's questions.
fn block_on<F: Future>(questions: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(questions)
}

#[test]
fn eight_tools_say_that_they_only_read() {
    block_on(async {
        let agent = Agent::of(&folder(), &OPTIONS).await;
        let tools = agent.client.list_all_tools().await.unwrap();
        let mut names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            ["callback", "compare", "crash", "find", "interval", "line", "sessions", "why"]
        );
        for tool in &tools {
            assert!(tool.description.is_some(), "{}", tool.name);
            let hints = tool.annotations.as_ref().expect("hints");
            assert_eq!(hints.read_only_hint, Some(true), "{}", tool.name);
        }
    });
}

#[test]
fn the_list_of_sessions_has_each_log_and_the_crash() {
    let work = folder();
    block_on(async {
        let agent = Agent::of(&work, &OPTIONS).await;
        let list = agent.ask("sessions", &json!({})).await;
        let names: Vec<&str> = list.lines().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(names.len(), 7, "{list}");
        let crashes = list.matches("an exception leaves the app's code").count();
        assert_eq!(crashes, 1, "{list}");
        let (_, crashed) = list.split_once(CRASHED).expect("its name");
        let outcome = crashed.lines().find(|line| line.contains("leaves the app's code"));
        assert!(outcome.is_some_and(|line| line.contains("callback #18")), "{list}");
    });
}

/// A question, and the command that a person would type for it.
fn questions() -> Vec<(&'static str, Value, String)> {
    let files = "--map app.plmap --sources src";
    let mut all = vec![
        ("crash", json!({ "sessions": [CRASHED] }), format!("crash {files} {CRASHED}")),
        ("why", json!({ "sessions": [CRASHED] }), format!("why --apk app.apk {files} {CRASHED}")),
        (
            "why",
            json!({ "sessions": [CRASHED], "at": "MainActivity.java:251" }),
            format!("why --apk app.apk {files} --at MainActivity.java:251 {CRASHED}"),
        ),
        ("find", json!({ "class": "Network" }), format!("decode {files} --class Network logs")),
        (
            "find",
            json!({ "exception": "InvalidException" }),
            format!("{LIST} {files} --class InvalidException logs"),
        ),
        (
            "find",
            json!({ "exception": "java.lang.*", "thread": "main", "last": 3 }),
            format!("{LIST} {files} --class java.lang.* --thread main --last 3 logs"),
        ),
        (
            "find",
            json!({ "line": "MainActivity.java:251", "sessions": [CRASHED] }),
            format!("{LIST} {files} --at MainActivity.java:251 {CRASHED}"),
        ),
    ];
    for number in 1..=6 {
        let folder = repository(&format!("tests/cli/recorded/sessions/{number}"));
        let file = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().file_name();
        let log = format!("logs/sessions/{number}/{}", file.to_str().unwrap());
        for callback in 1..=12 {
            all.push((
                "callback",
                json!({ "session": log, "callback": callback }),
                format!("decode {files} --thread main --callback {callback} {log}"),
            ));
        }
        for interval in ["..200ms", "1s..1.5s", "3s.."] {
            all.push((
                "interval",
                json!({ "session": log, "interval": interval }),
                format!("decode {files} --depth 1 --interval {interval} {log}"),
            ));
        }
        all.push((
            "find",
            json!({ "method": "on*", "sessions": [log], "last": 20 }),
            format!("decode {files} --method on* --last 20 {log}"),
        ));
        all.push((
            "find",
            json!({ "line": "ClientTable.java:37", "sessions": [log] }),
            format!("{LIST} {files} --at ClientTable.java:37 {log}"),
        ));
        all.push((
            "find",
            json!({ "exception": "*", "sessions": [log] }),
            format!("{LIST} {files} --class * {log}"),
        ));
        all.push((
            "compare",
            json!({ "bad": [CRASHED], "good": [log] }),
            format!("compare {files} --bad {CRASHED} --good {log}"),
        ));
    }
    all
}

#[test]
fn more_than_a_hundred_answers_are_short_and_what_the_commands_print() {
    let (work, questions) = (folder(), questions());
    assert!(questions.len() >= 100, "{}", questions.len());
    block_on(async {
        let agent = Agent::of(&work, &OPTIONS).await;
        let mut pages = 0;
        for (tool, arguments, command) in &questions {
            let (answer, messages, of_this) = agent.all(tool, arguments).await;
            pages += of_this;
            let printed = work.run(command).ok();
            assert_eq!(answer, printed.out, "{tool} {arguments}");
            assert_eq!(messages, printed.err, "{tool} {arguments}");
        }
        assert!(pages > questions.len(), "no answer has a second page");
    });
}

#[test]
fn a_line_has_the_hits_that_lcov_has() {
    let work = folder();
    block_on(async {
        let agent = Agent::of(&work, &OPTIONS).await;
        let answer = agent.ask("line", &json!({ "file": "MainActivity.java", "line": 251 })).await;
        work.run("report --map app.plmap --sources src --lcov all.info logs").ok();
        let lcov = std::fs::read_to_string(work.path("all.info")).unwrap();
        let file = lcov.split("end_of_record").find(|f| f.contains("MainActivity.java")).unwrap();
        let is_of_line = |line: &&str| line.starts_with("DA:251,") || line.starts_with("BRDA:251,");
        let wanted: Vec<&str> = file.lines().filter(is_of_line).collect();
        assert!(wanted.len() >= 3, "{file}");
        assert_eq!(answer.lines().collect::<Vec<_>>(), wanted);
    });
}

/// An exception that `find` lists is explained by `why` under its number.
#[test]
fn exceptions_that_are_found_can_be_explained_by_their_numbers() {
    let work = folder();
    block_on(async {
        let agent = Agent::of(&work, &OPTIONS).await;
        let asked = json!({ "exception": "InvalidException", "sessions": [GOOD] });
        let (listed, ..) = agent.all("find", &asked).await;
        let numbers = listed.lines().filter_map(|line| {
            let (number, rest) = line.strip_prefix("exception ")?.split_once(" in callback #")?;
            let place = rest.split_once("thrown at ")?.1.split(',').next()?;
            Some((number, rest.split_once(' ')?.0, place))
        });
        let mut explained = 0;
        for (number, callback, place) in numbers {
            let number: u64 = number.parse().expect("a number");
            let asked = json!({ "sessions": [GOOD], "thread": "main", "exception": number });
            let why = agent.ask("why", &asked).await;
            let title = format!("in callback {callback} of thread main (exception {number})");
            assert!(why.lines().next().is_some_and(|line| line.ends_with(&title)), "{why}");
            let event = why.lines().nth(1).expect("the event");
            assert!(event.contains(&format!("happened at   {place} ")), "{event}, {place}");
            explained += 1;
        }
        assert!(explained > 5, "{listed}");
    });
}

#[test]
fn an_app_of_another_build_is_reported_when_the_server_starts() {
    let work = folder();
    let other = repository("android-fixtures/notes/prebuilt/notes.apk");
    let ran = work.run(&format!("mcp logs --map app.plmap --apk {}", other.display()));
    ran.fails("notes.apk is org.example.notes, the logs are of org.example.tether");
}

#[test]
fn files_outside_the_folders_are_no_sessions() {
    let work = folder();
    work.shell("cp logs/pathlight-*.plt outside.plt").ok();
    block_on(async {
        let agent = Agent::of(&work, &OPTIONS).await;
        let outside = work.path("outside.plt").display().to_string();
        for name in ["outside.plt", "logs/../outside.plt", &outside, "/etc/passwd", "-"] {
            let problem = agent.refused("crash", &json!({ "sessions": [name] })).await;
            assert!(problem.contains("Call `sessions`"), "{problem}");
        }
        for name in ["--html=x.html", "--config=x"] {
            agent.refused("callback", &json!({ "session": name, "callback": 1 })).await;
        }
    });
}

#[test]
fn a_named_session_in_a_folder_below_has_its_map_above() {
    let work = folder();
    work.shell("mv app.plmap logs").ok();
    let folder = work.path("logs");
    let session = work.path(GOOD);
    block_on(async {
        let elsewhere = ["mcp", folder.to_str().expect("a path"), "--no-config"];
        let agent = Agent::of(&work, &elsewhere).await;
        let asked = json!({"session": session.to_str(), "callback": 3});
        let path = agent.ask("callback", &asked).await;
        assert!(path.contains("#3 ["), "{path}");
        let list = agent.ask("sessions", &json!({})).await;
        assert!(!list.contains("no map"), "{list}");
    });
}

#[test]
fn values_that_begin_with_a_dash_are_no_options() {
    let work = folder();
    block_on(async {
        let agent = Agent::of(&work, &OPTIONS).await;
        agent.refused("find", &json!({ "class": "--color=always" })).await;
        agent.refused("find", &json!({ "line": "--json" })).await;
        let none = agent.ask("find", &json!({ "exception": "--json" })).await;
        assert!(!none.contains('{'), "{none}");
        agent.refused("why", &json!({ "at": "--json" })).await;
        let thread = json!({ "session": CRASHED, "callback": 1, "thread": "--json" });
        let answer = text(&agent.call("callback", &thread).await);
        assert!(answer.contains("no thread matches --json"), "{answer}");
    });
}

#[test]
fn errors_name_the_tool_to_call_instead() {
    let work = folder();
    block_on(async {
        let agent = Agent::of(&work, &OPTIONS[..2]).await;
        let problem = agent.refused("why", &json!({})).await;
        assert!(problem.contains("--apk") && problem.contains("Call `crash`"), "{problem}");
        let problem = agent.refused("find", &json!({})).await;
        assert!(problem.contains("Call `interval`"), "{problem}");
        let two = json!({ "line": "Network.java:70", "class": "Network" });
        let problem = agent.refused("find", &two).await;
        assert!(problem.contains("only one of"), "{problem}");
        let problem = agent.refused("find", &json!({ "exception": "X" })).await;
        assert!(problem.contains("--apk") && problem.contains("Call `compare`"), "{problem}");
        let problem = agent.refused("find", &json!({ "line": "No.java:1" })).await;
        assert!(problem.contains("no source file matches No.java"), "{problem}");
        assert!(problem.contains("Call `line`"), "{problem}");
        let problem = agent.refused("compare", &json!({ "bad": [], "good": [] })).await;
        assert!(problem.contains("Call `sessions`"), "{problem}");
        let problem = agent.refused("line", &json!({ "file": "No.java" })).await;
        assert!(problem.contains("no file No.java"), "{problem}");
    });
}

#[test]
fn parameters_that_no_tool_has_are_refused_by_name() {
    let work = folder();
    block_on(async {
        let agent = Agent::of(&work, &OPTIONS).await;
        let problem = agent.refused("crash", &json!({ "sesions": [CRASHED] })).await;
        assert!(problem.contains("`sesions`") && problem.contains("`sessions`"), "{problem}");
    });
}

#[test]
fn pages_of_sessions_have_each_session_once() {
    let work = folder();
    block_on(async {
        let agent = Agent::of(&work, &["mcp", "logs", "--answer-size=1000"]).await;
        let (mut cursor, mut names, mut pages) = (0, Vec::new(), 0);
        loop {
            let page = agent.ask("sessions", &json!({ "cursor": cursor })).await;
            assert!(page.len() <= 1000, "{page}");
            pages += 1;
            names.extend(page.lines().filter(|l| l.starts_with("logs/")).map(str::to_owned));
            let Some((_, next)) = page.split_once("\"cursor\": ") else { break };
            cursor = next.trim_end_matches(")\n").parse().expect("a number");
            assert_eq!(cursor, names.len(), "{page}");
        }
        assert!(pages > 1);
        assert_eq!(names.len(), 7);
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 7);
    });
}

#[test]
fn sessions_that_come_later_and_compressed_ones_are_found() {
    let work = folder();
    block_on(async {
        let agent = Agent::of(&work, &OPTIONS).await;
        work.shell("gzip < logs/pathlight-*.plt > logs/late.plt.gz").ok();
        agent.refused("crash", &json!({ "sessions": ["late.plt.gz"] })).await;
        let list = agent.ask("sessions", &json!({})).await;
        assert!(list.contains("\nlogs/late.plt.gz\n") || list.starts_with("logs/late"), "{list}");
        let crash = agent.ask("crash", &json!({ "sessions": ["late.plt.gz"] })).await;
        assert!(crash.contains("callback #18"), "{crash}");
    });
}

#[test]
fn logs_in_archives_are_counted() {
    let work = folder();
    work.shell("tar cf all.tar logs; rm -r logs; mkdir logs; mv all.tar logs").ok();
    block_on(async {
        let agent = Agent::of(&work, &OPTIONS).await;
        let list = agent.ask("sessions", &json!({})).await;
        assert!(list.starts_with("7 logs are in archives and have no name here"), "{list}");
        let crash = agent.ask("crash", &json!({})).await;
        assert!(crash.contains("callback #18"), "{crash}");
    });
}

/// Names and contents of all files of a folder.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => waiting.push(path),
                false => drop(found.insert(path.clone(), std::fs::read(path).unwrap())),
            }
        }
    }
    found
}

#[test]
fn questions_write_nothing() {
    let work = folder();
    let before = contents(&work.path(""));
    assert!(before.len() > 20);
    block_on(async {
        let agent = Agent::of(&work, &OPTIONS).await;
        for (tool, arguments) in [
            ("sessions", json!({})),
            ("crash", json!({})),
            ("why", json!({ "sessions": [CRASHED] })),
            ("callback", json!({ "session": CRASHED, "callback": 18 })),
            ("compare", json!({ "bad": [CRASHED], "good": [GOOD] })),
            ("find", json!({ "class": "Network" })),
            ("find", json!({ "line": "Network.java:70" })),
            ("find", json!({ "exception": "*" })),
            ("line", json!({ "file": "Network.java" })),
            ("interval", json!({ "session": CRASHED, "interval": "..1s" })),
        ] {
            agent.ask(tool, &arguments).await;
        }
        for (tool, arguments) in [
            ("find", json!({ "class": "x --html=x.html" })),
            ("line", json!({ "file": "../x" })),
            ("why", json!({ "at": "../../x:1" })),
            ("interval", json!({ "session": CRASHED, "interval": "--index=x" })),
        ] {
            let answer = agent.call(tool, &arguments).await;
            assert!(text(&answer).len() <= MOST, "{answer:?}");
        }
    });
    assert!(contents(&work.path("")) == before, "a file was written, changed or removed");
}

#[test]
fn an_answer_that_takes_too_long_is_stopped() {
    let work = folder();
    block_on(async {
        let agent = Agent::of(&work, &["mcp", "logs", "--answer-time=1us"]).await;
        let problem = agent.refused("crash", &json!({})).await;
        assert!(problem.contains("stopped after 0.0 s"), "{problem}");
        assert!(problem.contains("--answer-time"), "{problem}");
    });
}

#[test]
fn the_list_of_tools_is_short() {
    block_on(async {
        let agent = Agent::of(&folder(), &OPTIONS).await;
        let tools = agent.client.list_all_tools().await.unwrap();
        let size = serde_json::to_string(&tools).unwrap().len();
        assert!(size <= MOST, "{size} bytes");
    });
}

/// Investigations of the guide: lines `> tool {…}`, and the answer after each. `[..]` and `...`
/// elide text, as in the transcripts; `BLESS=1` writes the answers of today.
#[test]
fn the_guide_shows_answers_of_today() {
    let path = repository("docs/guide/agents.md");
    let guide = std::fs::read_to_string(&path).unwrap();
    let work = folder();
    let (mut played, mut asked, mut inside) = (String::new(), 0, false);
    block_on(async {
        let agent = Agent::of(&work, &OPTIONS).await;
        let mut lines = guide.lines().peekable();
        while let Some(line) = lines.next() {
            inside ^= line.starts_with("```");
            played += &format!("{line}\n");
            let Some(question) = line.strip_prefix("> ").filter(|_| inside) else { continue };
            let (tool, arguments) = question.split_once(' ').expect("a tool and its arguments");
            let arguments = serde_json::from_str(arguments).expect("JSON");
            let is_answer = |l: &&str| !l.starts_with("> ") && !l.starts_with("```");
            let mut expected = String::new();
            while let Some(line) = lines.next_if(is_answer) {
                expected += &format!("{line}\n");
            }
            let answer = agent.ask(tool, &arguments).await;
            played += &elided(&answer, &expected);
            asked += 1;
        }
    });
    assert!(asked >= 6, "three investigations");
    match std::env::var_os("BLESS") {
        Some(_) => std::fs::write(&path, played).unwrap(),
        None => assert_eq!(played, guide),
    }
}
