//! ART's verifiers on the classes by which the check of register kinds is tested
//! (dex/tests/fixtures/types.txt).
//!
//! `bad/*` must be refused, fail lock verification where the text has `(locks)`, or be a soft fault
//! where it has `(soft)`; `good/*` must be fine.

use std::fs;
use std::process::Command;

use crate::error::{PathContext, Result};
use crate::files::scratch;
use crate::process::{output, quietly};
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Asks ART 10 and ART 11 about each class.
///
/// # Errors
/// Fails if one differs from the text.
pub fn run(here: &Workspace) -> Result<()> {
    let text = here.path("dex/tests/fixtures/types.txt");
    let rules = fs::read_to_string(&text).at(&text)?;
    let work = scratch()?;
    let dex = work.path().join("types.dex");
    let example = here.development_example("types")?;
    quietly(Command::new(example).arg("--write").arg(&dex).arg(&text))?;
    let art = here.art("dexverify")?;
    let mut tally = Tally::default();
    for program in ["dexverify", "dexverify11"] {
        // It fails where a class is refused, so the exit code is not looked at.
        let mut command = Command::new("sh");
        command
            .args(["-c", "\"$0\" \"$1\" 2>&1 || true"])
            .arg(art.join("bin").join(program))
            .arg(&dex);
        let printed = output(command.env("ART_LOG", "w"))?;
        let mut wanted = "OK";
        for line in rules.lines() {
            if let Some(reason) = line.strip_prefix("; refused: ") {
                wanted = match reason.split(' ').next() {
                    Some("(locks)") => "locks",
                    Some("(soft)") => "SOFT",
                    _ => "HARD",
                };
            } else if let Some(class) = line.strip_prefix(".class public L") {
                let name = class.trim_end_matches(';').replace('/', ".");
                let found = verdict(&printed, &name);
                let outcome = if found == wanted {
                    Ok(found.into())
                } else {
                    Err(format!("{found}, wanted {wanted}"))
                };
                tally.count(&format!("{program} {name}"), outcome);
                wanted = "OK";
            }
        }
        let total = rules.lines().filter(|l| l.starts_with(".class ")).count();
        let counts = printed
            .lines()
            .last()
            .and_then(|l| l.split_once('{'))
            .map_or("", |c| c.1.trim_end_matches('}'));
        let counted: usize =
            counts.split(", ").filter_map(|c| c.split_once('=')?.1.parse::<usize>().ok()).sum();
        let outcome = if counted == total {
            Ok(format!("{counted} classes"))
        } else {
            Err(format!("{counted} of {total} classes"))
        };
        tally.count(program, outcome);
    }
    tally.finish()
}

/// The verifier's result for a class.
fn verdict(printed: &str, class: &str) -> &'static str {
    let has = |text: String| printed.lines().any(|l| format!("{} ", l.trim()).starts_with(&text));
    if has(format!("HARD {class} ")) {
        "HARD"
    } else if has(format!("Class {class} failed lock verification")) {
        "locks"
    } else if has(format!("SOFT {class} ")) {
        "SOFT"
    } else if has(format!("UNLINKED {class} ")) || has(format!("ACCESS {class} ")) {
        "not verified"
    } else {
        "OK"
    }
}
