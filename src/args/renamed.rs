//! Earlier names of commands.

use std::ffi::OsString;

/// Names of earlier versions and of other tools, and the words that mean the same here.
pub const RENAMED: [(&str, &[&str]); 9] = [
    ("analyse", &["paths", "analyse"]),
    ("analyze", &["paths", "analyse"]),
    ("explain", &["paths", "explain"]),
    ("select", &["paths", "select"]),
    ("tables", &["fleet", "tables"]),
    ("merge", &["fleet", "merge"]),
    ("cfg", &["inspect"]),
    ("graphs", &["inspect"]),
    ("version", &["--version"]),
];

/// Returns the words that a renamed command stands for.
pub fn renamed(name: &str) -> Option<&'static [&'static str]> {
    RENAMED.iter().find(|(old, _)| *old == name).map(|(_, new)| *new)
}

/// Replaces the renamed command of a command line. The program's name comes first.
pub fn with_new_names(mut words: Vec<OsString>) -> Vec<OsString> {
    let mut at = 1;
    while let Some(word) = words.get(at).and_then(|word| word.to_str()) {
        at += match word {
            "--config" => 2,
            "help" => 1,
            word if word.starts_with('-') => 1,
            word => {
                let new = renamed(word);
                let asks_for_help = words[1..at].iter().any(|word| word == "help");
                // `help version` has no page of its own.
                if let Some(new) = new.filter(|new| !(asks_for_help && new[0].starts_with('-'))) {
                    words.splice(at..=at, new.iter().map(OsString::from));
                }
                break;
            }
        };
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_command_itself_is_renamed() {
        let new = |line: &str| {
            let words = line.split(' ').map(OsString::from).collect();
            let words = with_new_names(words).into_iter().map(|word| word.into_string().unwrap());
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(new("p select --top 3 merge"), "p paths select --top 3 merge");
        assert_eq!(new("p --config select cfg x"), "p --config select inspect x");
        assert_eq!(new("p --config=x help tables"), "p --config=x help fleet tables");
        assert_eq!(new("p decode select"), "p decode select");
        assert_eq!(new("p version"), "p --version");
        assert_eq!(new("p help version"), "p help version");
        assert_eq!(new("p"), "p");
    }
}
