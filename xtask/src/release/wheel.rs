//! The wheel: `pip install` puts the binary among the scripts.

use std::env::consts::ARCH;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::content::Content;
use super::{file_name, place, place_text};
use crate::error::{PathContext, Result};
use crate::files::sha256;
use crate::process::output;

/// The name on the package index: `pathlight` is another project's there.
pub const NAME: &str = "pathlight_android";

/// Writes the wheel of the static binary, for any Linux of this architecture.
///
/// # Errors
/// Fails if a file cannot be written or `zip` fails.
pub fn write(content: &Content, folder: &Path) -> Result<PathBuf> {
    let root = content.empty_folder("wheel")?;
    let version = &content.version;
    // The scripts come as they are: a binary has no `#!python` line.
    let script = format!("{NAME}-{version}.data/scripts/pathlight");
    place(&content.binary, &root.join(&script))?;
    let info = format!("{NAME}-{version}.dist-info");
    let mut files = vec![script];
    for licence in &content.licences {
        let name = format!("{info}/licenses/{}", file_name(licence));
        place(licence, &root.join(&name))?;
        files.push(name);
    }
    let systems = [format!("manylinux2014_{ARCH}"), format!("musllinux_1_1_{ARCH}")];
    let tags = systems.each_ref().map(|s| format!("Tag: py3-none-{s}\n")).concat();
    let head = "Wheel-Version: 1.0\nGenerator: pathlight\nRoot-Is-Purelib: false\n";
    for (name, text) in [("METADATA", metadata(version)), ("WHEEL", format!("{head}{tags}"))] {
        let name = format!("{info}/{name}");
        place_text(&text, &root.join(&name))?;
        files.push(name);
    }
    let mut record = String::new();
    for name in &files {
        let file = root.join(name);
        let size = file.metadata().at(&file)?.len();
        record += &record_line(name, &sha256(&file)?, size);
    }
    files.push(format!("{info}/RECORD"));
    place_text(&format!("{record}{info}/RECORD,,\n"), &root.join(&files[files.len() - 1]))?;

    let wheel = folder.join(format!("{NAME}-{version}-py3-none-{}.whl", systems.join(".")));
    if wheel.exists() {
        // `zip` would add to it.
        fs::remove_file(&wheel).at(&wheel)?;
    }
    let mut touch = Command::new("touch");
    output(touch.current_dir(&root).arg(format!("--date=@{}", content.epoch)).args(&files))?;
    let mut zip = Command::new("zip");
    zip.current_dir(&root).env("TZ", "UTC").args(["-X", "-q", "-9"]).arg(&wheel).args(&files);
    output(&mut zip)?;
    Ok(wheel)
}

fn metadata(version: &str) -> String {
    format!(
        "Metadata-Version: 2.1\n\
         Name: pathlight-android\n\
         Version: {version}\n\
         Summary: Exact execution paths from finished Android APKs\n\
         License: MIT OR Apache-2.0\n\
         Requires-Python: >=3.7\n\
         Description-Content-Type: text/markdown\n\
         \n\
         Installs the program `pathlight`. It is one static binary and uses no Python.\n"
    )
}

/// A line of RECORD: name, digest, size.
fn record_line(name: &str, sha256: &str, size: u64) -> String {
    format!("{name},sha256={},{size}\n", base64_for_urls(sha256))
}

/// Base64 for URLs without padding, of bytes that are given in hexadecimal.
fn base64_for_urls(hexadecimal: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits: Vec<u32> = hexadecimal
        .chars()
        .filter_map(|c| c.to_digit(16))
        .flat_map(|digit| [digit >> 3 & 1, digit >> 2 & 1, digit >> 1 & 1, digit & 1])
        .collect();
    let letter = |six: &[u32]| {
        let number = (0..6).fold(0, |n, i| n << 1 | six.get(i).unwrap_or(&0));
        char::from(LETTERS[number as usize])
    };
    bits.chunks(6).map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_a_record_are_base64_for_urls_without_padding() {
        // `printf abc | openssl sha256 -binary | base64 | tr +/ -_ | tr -d =`
        let hexadecimal = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let line = "a,sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0,3\n";
        assert_eq!(record_line("a", hexadecimal, 3), line);
        assert_eq!(base64_for_urls("fbff"), "-_8", "RFC 4648 pads this one with =");
    }
}
