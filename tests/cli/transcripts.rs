//! Transcripts: Markdown with `console` blocks whose commands run here. What they print must be what stands below
//! them; `[..]` stands for any text in a line, a line `...` for any lines, `? 2` for exit code 2.
//! `BLESS=1 cargo test --test cli` writes what is printed now into the transcripts, keeping what is elided.

use std::collections::BTreeSet;

use snapbox::assert::{Action, Assert};
use snapbox::filter::NormalizeToExpected;
use snapbox::{Data, IntoData};

use crate::support::{Work, repository};

const FOLDER: &str = "tests/cli/transcripts";

/// Runs all commands of a transcript, in one folder and in order.
#[track_caller]
fn play(name: &str) {
    let path = repository(FOLDER).join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
    let work = Work::new();
    let mut told = String::new();
    let mut ran = 0;
    let mut lines = text.lines().peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        inside ^= line.starts_with("```");
        told += &format!("{line}\n");
        if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            let mut expected = String::new();
            while let Some(line) = lines.next_if(|l| !l.starts_with("$ ") && !l.starts_with("```")) {
                expected += &format!("{line}\n");
            }
            told += &elided(&answer(&work, command), &expected);
            ran += 1;
        }
    }
    assert!(ran > 0, "{name} runs nothing");
    let action = if std::env::var_os("BLESS").is_some() { Action::Overwrite } else { Action::Verify };
    Assert::new().action(action).eq(told.raw(), Data::read_from(&path, None).raw());
}

/// What a command prints, and its exit code.
fn answer(work: &Work, command: &str) -> String {
    let ran = work.shell(&format!("exec 2>&1; {command}"));
    match ran.code {
        Some(0) => ran.out,
        code => format!("{}? {}\n", ran.out, code.expect("no signal")),
    }
}

/// What was printed, with the same parts elided as in what is expected, where the rest agrees.
fn elided(printed: &str, expected: &str) -> String {
    let expected = Data::text(expected.to_owned());
    let normal = NormalizeToExpected::new().redact().normalize(Data::text(printed.to_owned()), &expected);
    if normal == expected { normal.to_string() } else { printed.to_owned() }
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
fn look() {
    play("look.md");
}

#[test]
fn usage() {
    play("usage.md");
}

/// Commands of a text's code lines: from `pathlight COMMAND` to the end of the line, its comment or its pipe.
fn commands(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| {
        let code = line.strip_prefix("  ").or(line.strip_prefix("$ ")).or(line.strip_prefix("adb "))?;
        let at = code.find("pathlight ").filter(|&at| at == 0 || code[..at].ends_with(' '))?;
        let words = code[at..].split(" # ").next()?.split(" | ").next()?.split(" > ").next()?;
        let words: Vec<&str> = words.split_whitespace().collect();
        let is_command = ["instrument", "decode", "train", "cfg", "inspect"].contains(words.get(1)?);
        is_command.then(|| words.join(" "))
    })
}

#[test]
fn every_example_is_in_a_transcript() {
    let work = Work::new();
    let mut examples = Vec::new();
    for command in ["", "instrument", "decode", "train", "cfg", "inspect"] {
        let help = work.run(&format!("{command} --help")).ok().out;
        let lines: Vec<String> = commands(help.split("Example").nth(1).unwrap_or_default()).collect();
        assert!(!lines.is_empty(), "`pathlight {command} --help` has no example");
        examples.extend(lines.into_iter().map(|l| (format!("{command} --help"), l)));
    }
    for folder in [".", "docs"] {
        for entry in std::fs::read_dir(repository(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|e| e == "md") {
                let text = std::fs::read_to_string(&path).expect("text");
                examples.extend(commands(&text).map(|l| (path.display().to_string(), l)));
            }
        }
    }
    assert!(examples.iter().any(|e| e.0.ends_with("README.md")), "no example of the README found");
    let mut tested = BTreeSet::new();
    for entry in std::fs::read_dir(repository(FOLDER)).expect("a folder") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("text");
        tested.extend(commands(&text));
    }
    let missing: Vec<_> = examples.iter().filter(|(_, line)| !tested.contains(line)).collect();
    assert!(missing.is_empty(), "in no transcript of {FOLDER}: {missing:#?}");
}

/// A text with every number and build id as `#`: these change with the runtime, what stands around them must not.
fn masked(text: &str) -> Vec<String> {
    let is_number = |w: &str| {
        let w = w.trim_start_matches('(');
        w.starts_with(|c: char| c.is_ascii_digit()) || w.len() == 32
    };
    let word = |w: &str| if is_number(w) { "#".to_owned() } else { w.to_owned() };
    text.lines().map(|l| l.split_whitespace().map(word).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn the_readme_shows_what_is_printed() {
    let readme = std::fs::read_to_string(repository("README.md")).expect("text");
    let work = Work::new();
    std::fs::copy(work.path("app.apk"), work.path("tether.apk")).expect("copied");
    let mut lines = readme.lines().peekable();
    let mut shown = 0;
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("    $ pathlight ") else { continue };
        // What `decode` and `train` show comes from sessions of the demo, on a device.
        if command.starts_with("decode") || command.starts_with("train") {
            continue;
        }
        let command = command.split(" # ").next().unwrap_or(command);
        let mut sample = String::new();
        while let Some(line) = lines.next_if(|l| l.starts_with("    ")) {
            sample += &format!("{line}\n");
        }
        let printed = work.run(command).ok().out;
        assert_eq!(masked(&sample), masked(&printed), "README.md, `pathlight {command}`; it prints:\n{printed}");
        shown += 1;
    }
    assert_eq!(shown, 3, "samples of instrument, inspect and cfg");
}
