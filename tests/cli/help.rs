//! Help fits on a screen, and every option stands under a heading.

use crate::support::{Work, commands};

/// Lines of a terminal that has room for a prompt and the command.
const SCREEN: usize = 30;

#[test]
fn short_help_of_every_command_fits_on_a_screen() {
    let work = Work::new();
    for command in commands(&work).iter().chain([&"man".to_owned()]) {
        let help = work.run(&format!("{command} -h")).ok().out;
        let lines = help.lines().count();
        assert!(lines <= SCREEN, "`pathlight {command} -h` has {lines} lines:\n{help}");
    }
}

#[test]
fn help_has_all_that_short_help_has() {
    let work = Work::new();
    let options = |help: &str| {
        let words = help.lines().filter_map(|l| l.split_whitespace().find(|w| w.starts_with("--")));
        words.map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    for command in commands(&work) {
        let short = options(&work.run(&format!("{command} -h")).ok().out);
        let long = options(&work.run(&format!("{command} --help")).ok().out);
        assert!(short.is_subset(&long), "{command}: {short:?} {long:?}");
        assert!(long.contains("--no-config"), "{command}: {long:?}");
        assert!(!short.contains("--no-config") && !short.contains("--jobs"), "{command}");
    }
}

#[test]
fn options_of_instrument_stand_under_headings() {
    let help = Work::new().run("instrument -h").ok().out;
    let headings: Vec<&str> = help.lines().filter(|l| l.ends_with(':')).collect();
    assert_eq!(
        headings,
        ["Input:", "Output:", "What to record:", "Limits:", "Signing:", "Options:"]
    );
    let limits = help.split("Limits:").nth(1).and_then(|rest| rest.split("Signing:").next());
    assert!(limits.is_some_and(|limits| limits.contains("--max-size-growth")), "{help}");
}
