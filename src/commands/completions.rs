//! `pathlight completions` and `pathlight man`: what a package of pathlight installs beside it.

use std::io::Write;
use std::path::PathBuf;

use clap::{Command, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;

use super::Result;
use crate::outputs::print::{Printer, show};

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
    let script = String::from_utf8(script)?;
    let script = match args.shell {
        Shell::Bash => in_bash(&script, &command),
        Shell::Zsh => in_zsh(&script),
        Shell::Fish => in_fish(&script),
        _ => script,
    };
    out.raw().write_all(script.as_bytes())?;
    Ok(())
}

/// Completes maps as `*.plmap` and folders, and arguments that are files as files: the generator
/// offers options in their place.
fn in_bash(script: &str, program: &Command) -> String {
    let files = r#"COMPREPLY=($(compgen -f "${cur}"))"#;
    let maps = r#"COMPREPLY=($(compgen -f -X '!*.plmap' -- "${cur}"; compgen -d -- "${cur}"))"#;
    let options = r#"COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )"#;
    let mut of_files = Vec::new();
    names_of_files(program, "pathlight", &mut of_files);
    let (mut lines, mut is_map, mut takes_files) = (Vec::new(), false, false);
    for line in script.lines() {
        let word = line.trim();
        if let Some(name) =
            word.strip_suffix(')').filter(|_| line.starts_with("        pathlight__"))
        {
            takes_files = of_files.iter().any(|command| command == name);
        }
        is_map = word == "--map)" || is_map && word != "return 0";
        let is_last = line.starts_with("            COMPREPLY") && word == options;
        lines.push(match word {
            _ if is_map && word == files => line.replace(files, maps),
            // Without an answer the shell completes file names.
            _ if takes_files && is_last => line.replace(options, "COMPREPLY=()"),
            _ if takes_files && word.starts_with("if [[ ${cur} == -* ||") => {
                "            if [[ ${cur} == -* ]] ; then".to_owned()
            }
            _ => line.to_owned(),
        });
    }
    lines.join("\n") + "\n"
}

/// Collects the commands that take files as arguments, as the generator for bash names them.
fn names_of_files(command: &Command, name: &str, found: &mut Vec<String>) {
    let is_file = |arg: &clap::Arg| matches!(arg.get_value_hint(), ValueHint::FilePath);
    if command.get_positionals().any(is_file) {
        found.push(name.to_owned());
    }
    for inner in command.get_subcommands() {
        names_of_files(inner, &format!("{name}__subcmd__{}", inner.get_name()), found);
    }
}

/// Completes maps as `*.plmap` and folders.
fn in_zsh(script: &str) -> String {
    let is_map = |line: &str| {
        let option = line.trim_start().trim_start_matches('\'').trim_start_matches('*');
        option.starts_with("--map=")
    };
    let with_maps = |line: &str| match is_map(line) {
        true => line.replace(":_files'", ":_files -g \"*.plmap(-.)\"'"),
        false => line.to_owned(),
    };
    script.lines().map(with_maps).collect::<Vec<_>>().join("\n") + "\n"
}

/// Completes maps: those named `*.plmap` come before other files and folders.
fn in_fish(script: &str) -> String {
    let with_maps = |line: &str| match line.contains(" -l map ") {
        true => line.replace(" -r -F", " -r -k -a '(__fish_complete_suffix .plmap)'"),
        false => line.to_owned(),
    };
    script.lines().map(with_maps).collect::<Vec<_>>().join("\n") + "\n"
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
        show!(out, "{}", path.display())?;
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
