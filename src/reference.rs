//! The page of all commands, `docs/reference/commands.md`: a test compares it with `--help`.

use std::path::Path;

use clap::Command;

/// The page, from the repository's root.
const PAGE: &str = "docs/reference/commands.md";
/// The page before its first command.
const HEAD: &str = "\
# Commands

All commands with all their options, as `pathlight COMMAND --help` prints them, for people who look
up an option. This page is generated: `BLESS=1 cargo test -p pathlight --bin pathlight reference`
writes it anew after a change of the command line. Guides to single jobs are in the
[index](../README.md); options can also stand in a [configuration file](configuration.md).

";

/// Returns the page.
fn page(mut program: Command) -> String {
    program.build();
    let mut text = HEAD.to_owned();
    let mut left = vec![&program];
    let mut pages = Vec::new();
    while let Some(command) = left.pop() {
        let is_listed = |inner: &&Command| !inner.is_hide_set() && inner.get_name() != "help";
        let inside: Vec<&Command> = command.get_subcommands().filter(is_listed).collect();
        left.extend(inside.into_iter().rev());
        pages.push(command);
    }
    for command in &pages {
        let name = command.get_display_name().unwrap_or(command.get_name()).replace('-', " ");
        text += &format!("- [{name}](#{})\n", name.replace(' ', "-"));
    }
    for command in pages {
        let name = command.get_display_name().unwrap_or(command.get_name()).replace('-', " ");
        let help = command.clone().term_width(100).render_long_help().to_string();
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        let help = lines.join("\n");
        text += &format!("\n## {name}\n\n```text\n{}\n```\n", help.trim_end());
    }
    text
}

/// Compares the page with the file; `BLESS=1` writes the file.
#[test]
fn the_page_of_commands_is_what_help_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = page(crate::cli::definition());
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).expect("the page is written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == page, "{PAGE} is not what --help prints: run this test with BLESS=1");
    assert!(page.lines().all(|line| line.chars().count() <= 100), "a line is too long");
}
