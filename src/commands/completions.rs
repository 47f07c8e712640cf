//! `pathlight completions` and `pathlight man`: what a package of pathlight installs beside it.

use std::io::Write;
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

use super::Result;
use crate::print::{Printer, say};

/// Print a script that completes commands, options and their values in a shell.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight completions bash > ~/.local/share/bash-completion/completions/pathlight
  pathlight completions zsh > ~/.zfunc/_pathlight
  pathlight completions fish > ~/.config/fish/completions/pathlight.fish")]
pub struct Args {
    /// The shell.
    shell: Shell,
}

/// Write manual pages: one for pathlight, one for each command.
#[derive(clap::Args)]
#[command(after_long_help = "\
Example:
  pathlight man man1
  man -l man1/pathlight-instrument.1")]
pub struct ManArgs {
    /// Write the pages into this folder: it is created if needed, pages of the same name are
    /// replaced.
    dir: PathBuf,
}

/// Prints a completion script for this command line.
pub fn run(args: &Args, mut command: Command, out: &mut Printer) -> Result {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "pathlight", &mut script);
    out.raw().write_all(&script)?;
    Ok(())
}

/// Writes the manual pages of this command line.
pub fn man(args: &ManArgs, command: Command, out: &mut Printer) -> Result {
    let at = |e: std::io::Error, path: &std::path::Path| format!("{}: {e}", path.display());
    std::fs::create_dir_all(&args.dir).map_err(|e| at(e, &args.dir))?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut left = vec![&command];
    while let Some(command) = left.pop() {
        let inner: Vec<_> = command.get_subcommands().collect();
        left.extend(inner.into_iter().rev());
        let (name, text) = page(command)?;
        let path = args.dir.join(name);
        disk::write(&path, &text).map_err(|e| at(e, &path))?;
        say!(out, "{}", path.display())?;
    }
    Ok(())
}

/// A page's file name, and its text.
fn page(command: &Command) -> Result<(String, Vec<u8>)> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let man = Man::new(command.clone()).title(name.to_uppercase()).manual("Pathlight");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    if command.get_arguments().next().is_some() {
        man.render_options_section(&mut text)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    if let Some(after) = command.get_after_long_help() {
        text.extend(verbatim(&after.to_string()).bytes());
    }
    Ok((format!("{name}.1"), text))
}

/// The section of examples and notes, each line as it stands in the help.
fn verbatim(text: &str) -> String {
    let mut section = ".SH EXAMPLES AND NOTES\n.nf\n".to_owned();
    for line in text.lines() {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        // A dot or a quote at a line's beginning would be a request.
        section += &format!("\\&{line}\n");
    }
    section + ".fi\n"
}
