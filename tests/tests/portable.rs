//! Code for Unix only is behind `#[cfg(unix)]`, and `docs/BUILD.md` names its files.

use std::path::{Path, PathBuf};

/// Words that only Unix has.
const UNIX: [&str; 4] = ["std::os::unix", "std::os::linux", "libc::", "nix::"];
/// Lines above such a word in which its attribute may stand.
const ABOVE: usize = 2;

/// Places of words for Unix only (lines from 1), each with whether `#[cfg(unix)]` guards it.
fn places(text: &str) -> Vec<(usize, bool)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let names = |line: &str| !line.starts_with("//") && UNIX.iter().any(|w| line.contains(w));
    let guarded = |at: usize| lines[at.saturating_sub(ABOVE)..at].contains(&"#[cfg(unix)]");
    (0..lines.len()).filter(|&at| names(lines[at])).map(|at| (at + 1, guarded(at))).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn unix_only_code_is_guarded_and_named() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let build = std::fs::read_to_string(root.join("docs/BUILD.md")).expect("text");
    let mut files = Vec::new();
    sources(&root.join("src"), &mut files);
    for entry in std::fs::read_dir(&root).expect("a folder") {
        let folder = entry.expect("an entry").path();
        // These two run on Linux only.
        let tool = folder.ends_with("xtask") || folder.ends_with("tests");
        if !tool && folder.join("Cargo.toml").is_file() && folder.join("src").is_dir() {
            sources(&folder.join("src"), &mut files);
        }
    }
    let mut seen = 0;
    for file in files {
        let name = file.strip_prefix(&root).expect("inside").display().to_string();
        let text = std::fs::read_to_string(&file).expect("text");
        // Unit tests are not shipped.
        let shipped = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for (line, guarded) in places(shipped) {
            assert!(guarded, "{name}:{line}: for Unix only, without #[cfg(unix)] above it");
            assert!(build.contains(&format!("`{name}`")), "docs/BUILD.md does not name {name}");
            seen += 1;
        }
    }
    assert!(seen > 0, "no source was looked at");
}

#[test]
fn a_place_without_a_guard_is_seen() {
    let line = "use std::os::unix::fs::FileExt;\n";
    assert_eq!(places(line), [(1, false)]);
    assert_eq!(places(&format!("#[cfg(unix)]\n{line}")), [(2, true)]);
    assert_eq!(places(&format!("#[cfg(unix)]\n\n\n{line}")), [(4, false)], "too far above");
    assert_eq!(places(&format!("// {line}")), []);
}
