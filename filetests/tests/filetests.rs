//! Runs every `.dexir` file. `BLESS=1` writes the expectations, `FILETEST=text` takes the files
//! whose path contains the text.

use std::path::{Path, PathBuf};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "dexir") {
            found.push(path);
        }
    }
}

#[test]
fn every_file_gives_what_it_expects() {
    let bless = std::env::var_os("BLESS").is_some_and(|v| v == "1");
    let only = std::env::var("FILETEST").unwrap_or_default();
    let mut found = Vec::new();
    files(Path::new(env!("CARGO_MANIFEST_DIR")), &mut found);
    found.retain(|path| path.to_string_lossy().contains(&only));
    found.sort();
    assert!(!found.is_empty(), "no file has {only:?} in its path");
    let check = |path: &PathBuf| {
        filetests::check(path, bless).err().map(|e| format!("{}: {e}", path.display()))
    };
    let failed: Vec<String> = found.iter().filter_map(check).collect();
    assert!(
        failed.is_empty(),
        "{} of {} files fail\n\n{}",
        failed.len(),
        found.len(),
        failed.join("\n")
    );
}

#[test]
fn a_file_without_a_pass_is_refused() {
    assert!(filetests::FileTest::parse(".code registers=1\n").is_err());
}

#[test]
fn another_result_than_expected_is_an_error_and_bless_mends_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.dexir");
    let text =
        "; RUN: lower\n.code registers=0\n    return-void\n\n; EXPECT: lower\n.code registers=1\n";
    std::fs::write(&path, text).expect("written");
    let error = filetests::check(&path, false).expect_err("registers=1 is wrong");
    assert!(
        error.contains("- .code registers=1") && error.contains("+ .code registers=0"),
        "{error}"
    );
    filetests::check(&path, true).expect("blessed");
    filetests::check(&path, false).expect("as expected now");
}

#[test]
fn a_pass_without_an_expectation_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.dexir");
    std::fs::write(&path, "; RUN: lower\n.code registers=0\n    return-void\n").expect("written");
    assert!(filetests::check(&path, false).is_err());
}
