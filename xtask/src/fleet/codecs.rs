//! The same sessions under several codecs: `tests/fleet/codecs.py` compares their tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::beta::catalogued;
use crate::error::{PathContext, Result};
use crate::files::sorted;
use crate::fixtures::session;
use crate::process::{cores, parallel, quietly};
use crate::workspace::Workspace;

/// Codecs whose logs have nothing in common but their meaning.
const CODECS: [&str; 4] = ["arith", "huffman", "ball-larus", "pap"];
const APPS: [&str; 3] = ["tether", "notes", "kernels"];

/// Plays `sessions` sessions of each app under each codec: FOLDER/CODEC/maps, FOLDER/CODEC/logs.
///
/// # Errors
/// Fails if the VM or `pathlight instrument` fails.
pub fn make(folder: &Path, sessions: u64, here: &Workspace) -> Result<()> {
    here.packages(&["run", "fixtures"])?;
    fs::create_dir_all(folder).at(folder)?;
    let folder = folder.canonicalize().at(folder)?;
    let mut all = Vec::new();
    for codec in CODECS {
        for (app, number) in APPS.into_iter().zip(1..) {
            let apk = build(&folder.join(codec), codec, (app, number), here)?;
            all.extend((1..=sessions).map(|seed| (codec, app, apk.clone(), seed)));
        }
    }
    eprintln!("playing {} sessions", all.len());
    parallel(&all, cores(), |(codec, app, apk, seed)| {
        let name = format!("{app}{seed}");
        let (logs, own) = (folder.join(codec).join("logs"), folder.join("played").join(codec));
        let logs = logs.join(&name);
        fs::create_dir_all(&logs).at(&logs)?;
        fs::create_dir_all(&own).at(&own)?;
        if !sorted(&logs)?.is_empty() {
            return Ok(());
        }
        let session = session::SessionOptions::new(app, *seed).with_apk(apk);
        let session = session.with_path("pathlight.dir", &logs);
        let [out, err] = ["out", "err"].map(|end| own.join(format!("{name}.{end}")));
        session.play(here, &out, &err).map(|_| ())
    })
}

/// A catalogue needs an order of builds, although these are of several apps.
fn build(
    folder: &Path,
    codec: &str,
    (app, number): (&str, u32),
    here: &Workspace,
) -> Result<PathBuf> {
    let maps = folder.join("maps");
    fs::create_dir_all(folder).at(folder)?;
    let (apk, map) = (folder.join(format!("{app}.apk")), folder.join(format!("{app}.plmap")));
    let original = here.path("android-fixtures").join(app).join(format!("prebuilt/{app}.apk"));
    let mut instrument = Command::new(here.pathlight()?);
    instrument.args(["instrument", "--force"]).arg(original).args(["--unsigned", "--codec", codec]);
    quietly(instrument.arg("-o").arg(&apk).arg("--map").arg(&map))?;
    catalogued(&map, &maps, app, number, here)?;
    Ok(apk)
}
