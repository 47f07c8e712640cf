//! Transcripts: Markdown with `console` blocks whose commands run here. What they print must be
//! what stands below them; `[..]` stands for any text in a line, a line `...` for any lines, `? 2`
//! for exit code 2. `BLESS=1 cargo test --test cli` writes what is printed now into the
//! transcripts, keeping what is elided.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use snapbox::assert::{Action, Assert};
use snapbox::filter::NormalizeToExpected;
use snapbox::{Data, IntoData};

use crate::support::{self, Work, repository};

const FOLDER: &str = "tests/cli/transcripts";

/// Runs all commands of a transcript, in one folder and in order.
#[track_caller]
fn play(name: &str) {
    play_in(&Work::new(), name);
}

/// The same in this folder.
#[track_caller]
fn play_in(work: &Work, name: &str) {
    let path = repository(FOLDER).join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut played = String::new();
    let mut ran = 0;
    let mut lines = text.lines().peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        inside ^= line.starts_with("```");
        played += &format!("{line}\n");
        if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            let mut expected = String::new();
            while let Some(line) = lines.next_if(|l| !l.starts_with("$ ") && !l.starts_with("```"))
            {
                expected += &format!("{line}\n");
            }
            played += &elided(&answer(work, command), &expected);
            ran += 1;
        }
    }
    assert!(ran > 0, "{name} runs nothing");
    let action =
        if std::env::var_os("BLESS").is_some() { Action::Overwrite } else { Action::Verify };
    Assert::new().action(action).eq(played.raw(), Data::read_from(&path, None).raw());
}

/// Output of a command, and its exit code.
fn answer(work: &Work, command: &str) -> String {
    let ran = work.shell(&format!("exec 2>&1; {command}"));
    match ran.code {
        Some(0) => ran.out,
        code => format!("{}? {}\n", ran.out, code.expect("no signal")),
    }
}

/// The output, with the same parts elided as in what is expected, where the rest agrees.
pub(crate) fn elided(printed: &str, expected: &str) -> String {
    let expected = Data::text(expected.to_owned());
    let normal =
        NormalizeToExpected::new().redact().normalize(Data::text(printed.to_owned()), &expected);
    if normal == expected { normal.to_string() } else { printed.to_owned() }
}

#[test]
fn compare() {
    play("compare.md");
}

#[test]
fn instrument() {
    play("instrument.md");
}

#[test]
fn logs() {
    play("logs.md");
}

#[test]
fn crash() {
    play_in(&recorded(), "crash.md");
}

#[test]
fn why() {
    play_in(&recorded(), "why.md");
}

#[cfg(feature = "mcp")]
#[test]
fn mcp() {
    play_in(&recorded(), "mcp.md");
}

#[test]
fn look() {
    play("look.md");
}

#[test]
fn analyse() {
    play_in(&recorded(), "analyse.md");
}

#[test]
fn select() {
    play_in(&recorded(), "select.md");
}

#[test]
fn timetree() {
    let work = recorded();
    let trace = repository("samples/tests/data/art10.trace");
    std::fs::copy(trace, work.path("art10.trace")).expect("copied");
    play_in(&work, "timetree.md");
}

#[cfg(feature = "tables")]
#[test]
fn tables() {
    play_in(&recorded(), "tables.md");
}

#[test]
fn samples() {
    play_in(&recorded(), "samples.md");
}

#[test]
fn completions() {
    play("completions.md");
}

#[test]
fn readme() {
    play("readme.md");
}

#[test]
fn config() {
    play("config.md");
}

#[test]
fn doctor() {
    play("doctor.md");
}

#[test]
fn device() {
    play("device.md");
}

#[test]
fn usage() {
    play("usage.md");
}

/// Commands of a text's code lines: from `pathlight COMMAND` to the end of the line, its comment or
/// its pipe.
fn commands(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| {
        let code =
            line.strip_prefix("  ").or(line.strip_prefix("$ ")).or(line.strip_prefix("adb "))?;
        let at = code.find("pathlight ").filter(|&at| at == 0 || code[..at].ends_with(' '))?;
        let words = code[at..].split(" # ").next()?.split(" | ").next()?.split(" > ").next()?;
        let words: Vec<&str> = words.split_whitespace().collect();
        let new = renamed(words.get(1)?);
        let command = new.split(' ').next()?;
        // Prose has these words, too: "pathlight is".
        let is_command = command == "man" || VISIBLE.contains(&command);
        is_command.then(|| format!("pathlight {new} {}", words[2..].join(" ")))
    })
}

/// Documents for users: those of the top folder, and all below `docs`.
pub(crate) fn pages() -> Vec<PathBuf> {
    let markdown = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let paths = entries.map(|e| e.expect("an entry").path());
        let (folders, files): (Vec<_>, Vec<_>) = paths.partition(|p| p.is_dir());
        let is_markdown = |p: &PathBuf| p.extension().is_some_and(|e| e == "md");
        (folders, files.into_iter().filter(is_markdown).collect::<Vec<_>>())
    };
    let mut found = markdown(&repository(".")).1;
    let mut folders = vec![repository("docs")];
    while let Some(folder) = folders.pop() {
        let (more, files) = markdown(&folder);
        folders.extend(more);
        found.extend(files);
    }
    found.sort();
    found
}

/// The commands of `pathlight --help`, and `completions`.
const VISIBLE: [&str; 16] = [
    "instrument",
    "device",
    "decode",
    "report",
    "crash",
    "compare",
    "train",
    "why",
    "mcp",
    "timetree",
    "samples",
    "paths",
    "inspect",
    "doctor",
    "fleet",
    "completions",
];

/// The name of a command that had another one before.
fn renamed(name: &str) -> &str {
    match name {
        "analyse" => "paths analyse",
        "explain" => "paths explain",
        "select" => "paths select",
        "tables" => "fleet tables",
        "merge" => "fleet merge",
        "cfg" | "graphs" => "inspect",
        name => name,
    }
}

#[test]
fn every_example_is_in_a_transcript() {
    let work = Work::new();
    let mut examples = Vec::new();
    for command in support::commands(&work).iter().chain([&"man".to_owned()]) {
        let help = work.run(&format!("{command} --help")).ok().out;
        let lines: Vec<String> =
            commands(help.split("Example").nth(1).unwrap_or_default()).collect();
        assert!(!lines.is_empty(), "`pathlight {command} --help` has no example");
        // `cargo xtask oracles device` runs the command: it needs a device that launches apps.
        if command != "device record" {
            examples.extend(lines.into_iter().map(|l| (format!("{command} --help"), l)));
        }
    }
    // `pages_show_what_is_printed` runs these.
    let mut shown = BTreeSet::new();
    for path in pages() {
        // `tutorial.rs` runs the commands of that page; the other one is made of `--help`.
        if !path.ends_with("docs/tutorial.md") && !path.ends_with("reference/commands.md") {
            let text = std::fs::read_to_string(&path).expect("text");
            shown.extend(samples_of(&text).into_iter().map(|(command, _)| command.to_owned()));
            examples.extend(commands(&text).map(|l| (path.display().to_string(), l)));
        }
    }
    assert!(examples.iter().any(|e| e.0.ends_with("README.md")), "no example of the README found");
    let mut tested = shown;
    for entry in std::fs::read_dir(repository(FOLDER)).expect("a folder") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("text");
        tested.extend(commands(&text));
    }
    let missing: Vec<_> = examples.iter().filter(|(_, line)| !tested.contains(line)).collect();
    assert!(missing.is_empty(), "in no transcript of {FOLDER}: {missing:#?}");
}

/// Greatest difference between a figure of the README and the printed one: sizes change a little
/// with the runtime.
const TOLERANCE: f64 = 0.05;

/// Returns true if a printed line is what the README shows. A line that ends in `…` was cut there.
/// Unless `exact`, figures that the runtime may change need only be near, and build ids may differ.
fn shows(shown: &str, printed: &str, exact: bool) -> bool {
    if exact && !shown.ends_with('…') {
        return shown == printed;
    }
    if let Some(start) = shown.strip_suffix('…') {
        return printed.starts_with(start.trim_end());
    }
    let figure = |w: &str| w.trim_matches(['(', ')', ',', ';']).parse::<f64>().ok();
    let build = |w: &str| w.len() == 32 && w.bytes().all(|b| b.is_ascii_hexdigit());
    let same = |(a, b): (&str, &str)| match (figure(a), figure(b)) {
        _ if a == b => true,
        (Some(a), Some(b)) => (a - b).abs() <= TOLERANCE * b.abs(),
        _ => build(a) && build(b),
    };
    let (a, b) = (shown.split_whitespace(), printed.split_whitespace());
    a.clone().count() == b.clone().count() && a.zip(b).all(same)
}

/// Returns true if the lines that the README shows are what is printed; a line `…` stands for any
/// lines.
pub(crate) fn shows_all(sample: &[&str], printed: &[&str], exact: bool) -> bool {
    let mut rest = printed;
    for (i, piece) in sample.split(|l| l.trim() == "…").enumerate() {
        let same = |at: usize| piece.iter().zip(&rest[at..]).all(|(a, b)| shows(a, b, exact));
        let fits = |at: &usize| rest.len() >= at + piece.len() && same(*at);
        let last = if i == 0 { 0 } else { rest.len() };
        let Some(at) = (0..=last).find(fits) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.is_empty() || sample.last().is_some_and(|l| l.trim() == "…")
}

/// The app, and what `demo.sh --record` kept of its sessions.
///
/// `src` has the sources of the app.
pub(crate) fn recorded() -> Work {
    let work = Work::new();
    std::fs::copy(work.path("app.apk"), work.path("tether.apk")).expect("copied");
    for (from, to) in [("tests/cli/recorded/.", "."), ("android-fixtures/tether/src", "src")] {
        work.shell(&format!("cp -r '{}' {to}", repository(from).display())).ok();
    }
    work
}

/// Commands that a document shows with what they print: code lines that begin with
/// `$`, and the code lines after each.
pub(crate) fn samples_of(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut lines = text.lines().peekable();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("    $ ") else { continue };
        let mut sample = Vec::new();
        while let Some(line) = lines.next_if(|l| l.starts_with("    ") && !l.starts_with("    $ "))
        {
            sample.push(&line[4..]);
        }
        found.push((command.split(" # ").next().unwrap_or(command).trim_end(), sample));
    }
    found
}

#[test]
fn pages_show_what_is_printed() {
    let mut shown = BTreeSet::new();
    for page in pages().iter().filter(|p| !p.ends_with("docs/tutorial.md")) {
        let text = std::fs::read_to_string(page).expect("text");
        for (command, sample) in samples_of(&text) {
            let arguments = command.strip_prefix("pathlight ").expect("a command of Pathlight");
            let work = recorded();
            // What other builds have left there would be kept.
            if arguments.starts_with("instrument") {
                std::fs::remove_file(work.path("app.plmap")).expect("a map");
            } else if arguments.starts_with("train") {
                std::fs::remove_file(work.path("model.json")).expect("a model");
            }
            let printed = work.shell(command).ok().out;
            let all: Vec<&str> = printed.lines().collect();
            // The others read what was recorded.
            let exact = !arguments.starts_with("instrument");
            assert!(
                shows_all(&sample, &all, exact),
                "{}, `{command}`; it prints:\n{printed}",
                page.display()
            );
            shown.extend(arguments.split(' ').next().map(str::to_owned));
        }
    }
    let all = ["crash", "decode", "inspect", "instrument", "paths", "train", "why"];
    assert_eq!(shown, BTreeSet::from(all.map(str::to_owned)));
}

#[test]
fn the_readme_names_the_sizes_of_the_recorded_crash() {
    let readme = std::fs::read_to_string(repository("README.md")).expect("text");
    let work = recorded();
    let lines =
        work.shell("pathlight decode --map app.plmap pathlight-*.plt").ok().out.lines().count();
    let log: serde_json::Value =
        serde_json::from_str(&work.shell("pathlight inspect pathlight-*.plt --json").ok().out)
            .expect("JSON");
    let threads = log["processes"][0]["threads"].as_array().expect("threads");
    let bytes: u64 = threads.iter().map(|t| t["bytes"].as_u64().expect("a figure")).sum();
    let figures = format!("{lines} lines of output for three threads, out of {bytes} bytes");
    let text = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(threads.len() == 3 && text.contains(&figures), "README.md: {figures}");
}

#[test]
fn samples_that_differ_are_seen() {
    let shown =
        |sample: &[&str], exact| shows_all(sample, &["a 1000", "b", "c long name", "d"], exact);
    assert!(shown(&["a 1000", "…", "c long…", "d"], true));
    assert!(shown(&["a 1040", "…", "d"], false));
    assert!(!shown(&["a 1040", "…", "d"], true), "another figure");
    assert!(!shown(&["a 1060", "…", "d"], false), "a figure too far off");
    assert!(!shown(&["a 1000", "c long name", "d"], true), "a line is missing");
    assert!(!shown(&["a 1000", "b"], true), "the end is missing");
    assert!(!shown(&["…", "b", "d"], true), "lines that do not follow each other");
}

#[test]
fn the_recorded_growth_is_what_instrument_does() {
    let csv = std::fs::read_to_string(repository("bench/sizes.csv")).expect("text");
    let row =
        csv.lines().find(|l| l.starts_with("fixture tether,")).expect("the row of the fixture");
    let cells: Vec<f64> = row.split(',').skip(1).map(|c| c.parse().expect("a figure")).collect();
    let ran = Work::new().run("instrument app.apk -o x.apk --map x.plmap --unsigned --json").ok();
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let dex = report["dex"].as_array().expect("dex files");
    let sum = |key: &str| dex.iter().map(|d| d[key].as_f64().expect("a figure")).sum::<f64>();
    let added: f64 = report["added"]
        .as_array()
        .expect("sizes")
        .iter()
        .map(|n| n.as_f64().expect("a figure"))
        .sum();
    let now = [sum("methods"), sum("bytes_in"), sum("bytes_out") + added];
    assert_eq!(now[..2], cells[..2], "the fixture's own figures");
    assert!((now[2] - cells[2]).abs() <= TOLERANCE * now[2], "{now:?}: `cargo xtask bench sizes`");
}
