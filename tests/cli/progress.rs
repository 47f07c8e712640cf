//! The line that says how far long work is.

use crate::support::Work;

/// Reads a log that comes after so many seconds; in a terminal that util-linux's `script` makes.
fn slow(work: &Work, seconds: &str, in_terminal: bool) -> String {
    let command = "pathlight decode --map app.plmap pipe > paths.txt";
    let run = match in_terminal {
        true => format!("script -qec '{command}' /dev/null"),
        false => format!("bash -c '{command}'"),
    };
    let line = format!("mkfifo pipe; (sleep {seconds}; cat beta.log > pipe) & {run} 2>&1; wait");
    let ran = work.shell(&line).ok();
    assert!(work.read("paths.txt").starts_with(b"### "));
    ran.out
}

#[test]
fn work_of_more_than_a_second_says_how_far_it_is() {
    let said = slow(&Work::new(), "1.7", true);
    assert!(said.contains("\r\u{1b}[Kreading pipe, 1 s"), "{said:?}");
    // The line goes.
    assert!(said.ends_with("\r\u{1b}[K"), "{said:?}");
}

#[test]
fn short_work_and_pipes_show_no_progress() {
    assert_eq!(slow(&Work::new(), "0.1", true), "");
    assert_eq!(slow(&Work::new(), "1.7", false), "");
}
