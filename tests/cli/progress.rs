//! The line that shows the progress of long work.

use crate::support::Work;

/// Reads a log that comes after this number of seconds; in a terminal that util-linux's `script`
/// makes.
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
fn work_of_more_than_a_second_shows_its_progress() {
    let shown = slow(&Work::new(), "1.7", true);
    assert!(shown.contains("\r\u{1b}[Kreading pipe, 1 s"), "{shown:?}");
    // The line goes.
    assert!(shown.ends_with("\r\u{1b}[K"), "{shown:?}");
}

#[test]
fn short_work_and_pipes_show_no_progress() {
    assert_eq!(slow(&Work::new(), "0.1", true), "");
    assert_eq!(slow(&Work::new(), "1.7", false), "");
}
