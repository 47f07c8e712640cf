//! Long text for a terminal goes through the pager. util-linux's `script` makes the terminal.

use crate::support::Work;

/// The text of a command on a terminal, with this setting of the environment.
fn terminal(work: &Work, setting: &str, command: &str) -> String {
    let line = format!("env TERM=xterm {setting} script -qec '{command}' /dev/null");
    work.shell(&line).ok().out.replace("\r\n", "\n")
}

const DECODE: &str = "pathlight decode --map app.plmap session.plt --color never";

#[test]
fn text_goes_through_the_pager_that_the_user_wants() {
    let work = Work::new();
    work.run("timetree build --map app.plmap session.plt -o s.pltt").ok();
    for command in [
        DECODE,
        "pathlight inspect app.plmap",
        "pathlight inspect session.plt",
        "pathlight timetree query s.pltt --color never",
        "pathlight paths analyse --map app.plmap session.plt",
    ] {
        let plain = work.shell(command);
        let command = command.replace(" --color never", "");
        let plain = if plain.code == Some(0) { plain } else { work.shell(&command).ok() };
        let command = if command.starts_with("pathlight decode") { DECODE } else { &command };
        let marked: String = plain.out.lines().map(|line| format!("> {line}\n")).collect();
        let shown = terminal(&work, "'PAGER=sed \"s/^/> /\"'", command);
        assert!(shown == marked, "{command}: {shown}");
    }
}

/// JSON is for programs; pipes, `--no-pager`, an empty `PAGER` and a dumb terminal want none.
#[test]
fn nothing_else_goes_through_a_pager() {
    let work = Work::new();
    let plain = work.shell(DECODE).ok().out;
    let marks = "'PAGER=sed \"s/^/> /\"'";
    assert!(terminal(&work, marks, &format!("{DECODE} --no-pager")) == plain);
    assert!(terminal(&work, "PAGER=", DECODE) == plain);
    assert!(terminal(&work, &format!("{marks} TERM=dumb"), DECODE) == plain);
    assert!(!terminal(&work, marks, &format!("{DECODE} --json")).contains("> "));
    assert!(!terminal(&work, marks, &format!("{DECODE} | tail -n 3")).contains("> "));
}

#[test]
fn a_pager_that_fails_or_ends_early_is_no_error() {
    let work = Work::new();
    let exit = |pager: &str, command: &str| {
        let line = format!("{command}; echo exit $?");
        terminal(&work, &format!("PAGER={pager}"), &line)
    };
    // The reader has seen enough: as at a closed pipe.
    assert!(exit("true", DECODE).ends_with("exit 0\n"));
    let plain = work.shell(DECODE).ok().out;
    assert!(exit("no-such-pager", DECODE) == format!("{plain}exit 0\n"));
}

/// The terminal belongs to the pager until it ends.
#[test]
fn messages_wait_for_the_end_of_the_pager() {
    let work = Work::new();
    work.run("instrument app.apk -o other.apk --map other.plmap --codec huffman").ok();
    let pager = "'PAGER=cat -; sleep 0.3; echo THE END'";
    let line = format!("{DECODE} --callback 999999-");
    let shown = terminal(&work, pager, &line);
    let (end, message) = (shown.find("THE END"), shown.find("no callback of these logs passes"));
    assert!(end.is_some() && end < message, "{shown}");
}
