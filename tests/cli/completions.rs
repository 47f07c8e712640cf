//! Completion scripts and manual pages name every command and option that `--help` names.

use crate::support::{Work, commands};

/// The long options that a command's `--help` lists.
fn options(work: &Work, command: &str) -> Vec<String> {
    let help = work.run(&format!("{command} --help")).ok().out;
    let list = help.split("\nExample").next();
    let found: Vec<String> = list
        .expect("a list of options")
        .lines()
        // Explanations are indented further, and may begin with an option's name.
        .filter(|l| l.trim_start().starts_with('-') && !l.starts_with("          "))
        .filter_map(|l| l.split_whitespace().find(|w| w.starts_with("--")))
        // `--own[=<GLOB>]` takes a value or none.
        .map(|word| word.split('[').next().unwrap_or(word).to_owned())
        .collect();
    assert!(found.contains(&"--help".to_owned()), "{command}: {found:?}");
    found
}

#[test]
fn scripts_know_every_command_and_option() {
    let work = Work::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = work.run(&format!("completions {shell}")).ok().out;
        for command in commands(&work) {
            let name = command.split(' ').next_back().expect("a name");
            assert!(script.contains(name), "{shell}: {command}");
            for option in options(&work, &command) {
                // fish writes `-l name`.
                let name = option.trim_start_matches('-');
                let word = if shell == "fish" { format!("-l {name}") } else { option.clone() };
                assert!(script.contains(&word), "{shell}: {command} {option}");
            }
        }
    }
    assert_eq!(work.run("completions tcsh").code, Some(2));
}

/// Returns the words that bash offers for a command line; `compopt` is for lines that are typed.
fn bash(work: &Work, line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let script = format!(
        "source pathlight.bash; compopt() {{ :; }}; COMP_WORDS=({}); COMP_CWORD={}; \
         _pathlight pathlight '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        words.len() - 1,
        words[words.len() - 1],
        words[words.len() - 2],
    );
    let out = work.shell(&script).ok().out;
    let mut offered: Vec<String> =
        out.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
    offered.sort();
    offered
}

#[test]
fn bash_offers_maps_values_and_files() {
    let work = Work::new();
    work.shell("pathlight completions bash > pathlight.bash; mkdir maps sources").ok();
    for command in ["decode", "train", "instrument", "paths analyse"] {
        let offered = bash(&work, &format!("pathlight {command} --map "));
        assert_eq!(offered, ["app.plmap", "maps", "sources"], "{command}");
    }
    let offered = bash(&work, "pathlight decode --map maps --format ");
    assert_eq!(offered, ["json", "text"]);
    assert!(bash(&work, "pathlight decode --fo").contains(&"--format".to_owned()));
    // The shell's own completion of file names takes over.
    assert!(bash(&work, "pathlight decode ses").is_empty());
    assert!(bash(&work, "pathlight decode ").is_empty());
    assert!(bash(&work, "pathlight decode session.plt ").is_empty());
    assert_eq!(bash(&work, "pathlight dec"), ["decode"]);
    assert!(bash(&work, "pathlight timetree ").contains(&"build".to_owned()));
    assert!(bash(&work, "pathlight completions ").contains(&"fish".to_owned()));
}

/// zsh and fish are not here: what their own functions get is judged by their manuals.
#[test]
fn zsh_and_fish_ask_their_own_functions_for_maps_and_folders() {
    let work = Work::new();
    let script = |shell: &str| work.run(&format!("completions {shell}")).ok().out;
    let (zsh, fish) = (script("zsh"), script("fish"));
    let maps = |text: &str, option: &str| -> Vec<String> {
        text.lines().filter(|line| line.contains(option)).map(str::to_owned).collect()
    };
    let of_zsh = maps(&zsh, "'--map=");
    assert!(of_zsh.len() >= 3);
    for line in of_zsh.iter().chain(&maps(&zsh, "'*--map=")) {
        assert!(line.contains(":_files -g \"*.plmap(-.)\"'"), "{line}");
    }
    let of_fish = maps(&fish, " -l map ");
    assert!(of_fish.len() >= 10);
    for line in of_fish {
        assert!(line.ends_with(" -r -k -a '(__fish_complete_suffix .plmap)'"), "{line}");
    }
    assert!(maps(&zsh, "--sources=").iter().all(|line| line.contains(":_files -/'")), "{zsh}");
    let logs = maps(&zsh, "*::logs -- ");
    assert!(logs.iter().all(|line| line.contains(":_files'")) && logs.len() >= 5, "{logs:?}");
}

#[test]
fn each_command_has_a_page_with_all_its_options() {
    let work = Work::new();
    work.run("man pages").ok();
    let page = |name: &str| String::from_utf8(work.read(name)).expect("text").replace('\\', "");
    for command in commands(&work).into_iter().filter(|command| !command.is_empty()) {
        let name = format!("pathlight-{}", command.replace(' ', "-"));
        let text = page(&format!("pages/{name}.1"));
        assert!(text.contains(&format!(".TH {} 1", name.to_uppercase())), "{text}");
        for option in options(&work, &command) {
            assert!(text.contains(&option), "{command} {option}");
        }
        // The examples stand line by line.
        assert!(text.contains(&format!("\n&  pathlight {command} ")), "{text}");
    }
    let all = page("pages/pathlight.1");
    assert!(all.contains("pathlight-instrument") && all.contains("&  pathlight report "), "{all}");
    assert!(!all.contains("pathlight-man"), "a hidden command");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let work = Work::new();
    work.write("file", "");
    work.run("man file/pages").fails("file/pages: ");
}

/// A link in the folder is replaced: what it leads to stays.
#[cfg(unix)]
#[test]
fn man_pages_replace_links_instead_of_writing_through_them() {
    let work = Work::new();
    let model = work.read("model.json");
    std::fs::create_dir(work.path("man1")).expect("a folder");
    let page = work.path("man1/pathlight.1");
    std::os::unix::fs::symlink(work.path("model.json"), &page).expect("a link");
    work.run("man man1").ok();
    assert!(work.read("model.json") == model);
    assert!(page.symlink_metadata().expect("a page").is_file());
}
