//! `pathlight doctor`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use apk::Signer;
use decoder::Damage;
use device::Adb;
use model::{counts, map, profile, trace};
use serde::Serialize;

use super::Result;
use crate::inputs::facts::{FileFacts, look};
use crate::outputs::print::{Printer, plain, show};

/// Show what is missing (adb, key), what files are, and if they belong together.
#[derive(clap::Args)]
#[command(after_long_help = "\
Nothing is changed, and no key is made. Exit code 1: a file cannot be used, is damaged, or belongs \
to
another build than the maps that were given.

Examples:
  pathlight doctor
  pathlight doctor app.plmap beta.apk pathlight-*.plt model.json
  pathlight doctor app.plmap session.plt --json")]
pub struct Args {
    /// Maps, packages, trace files, logcat text, count files and models: what each is, and whether
    /// they belong together.
    files: Vec<PathBuf>,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

/// Everything that was found.
#[derive(Debug, Serialize)]
struct Findings {
    /// Version of this program.
    version: &'static str,
    formats: [Format; 4],
    adb: AdbFacts,
    key: KeyFacts,
    files: Vec<FileFacts>,
}

/// Versions of a format that this program reads; it writes the newest.
#[derive(Debug, Serialize)]
struct Format {
    name: &'static str,
    oldest: u64,
    newest: u64,
}

#[derive(Debug, Default, Serialize)]
struct AdbFacts {
    program: Option<PathBuf>,
    version: Option<String>,
    devices: Vec<String>,
    problem: Option<String>,
}

#[derive(Debug, Serialize)]
struct KeyFacts {
    file: Option<PathBuf>,
    made: bool,
    problem: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let mut files: Vec<FileFacts> = args.files.iter().map(|path| look(path)).collect();
    belong(&mut files);
    let unusable = files.iter().filter(|f| f.problem.is_some()).count();
    let found = Findings {
        version: env!("CARGO_PKG_VERSION"),
        formats: [
            Format { name: "maps", oldest: map::OLDEST.into(), newest: map::VERSION.into() },
            Format { name: "logs", oldest: trace::OLDEST.into(), newest: trace::NEWEST.into() },
            Format { name: "models", oldest: profile::VERSION, newest: profile::VERSION },
            Format {
                name: "count files",
                oldest: counts::VERSION.into(),
                newest: counts::VERSION.into(),
            },
        ],
        adb: adb(),
        key: key(),
        files,
    };
    if args.json {
        out.json(&found)?;
    } else {
        show(&found, out)?;
    }
    if unusable > 0 {
        return Err(format!("{unusable} of {} files cannot be used", args.files.len()).into());
    }
    let mut damage = Damage::NONE;
    found.files.iter().for_each(|file| damage += file.damage);
    Ok(damage)
}

fn adb() -> AdbFacts {
    let adb = match Adb::find() {
        Ok(adb) => adb,
        Err(e) => return AdbFacts { problem: Some(e.to_string()), ..AdbFacts::default() },
    };
    let program = Some(adb.program().to_owned());
    let asked = adb.version().and_then(|version| Ok((version, adb.devices()?)));
    match asked {
        Ok((version, devices)) => AdbFacts {
            program,
            version: Some(version),
            devices: devices.iter().map(ToString::to_string).collect(),
            problem: None,
        },
        Err(e) => AdbFacts { program, problem: Some(e.to_string()), ..AdbFacts::default() },
    }
}

fn key() -> KeyFacts {
    match Signer::debug_file() {
        Ok(file) if file.exists() => {
            let problem = file.parent().and_then(|f| Signer::debug_in(f).err());
            KeyFacts { file: Some(file), made: true, problem: problem.map(|e| e.to_string()) }
        }
        Ok(file) => KeyFacts { file: Some(file), made: false, problem: None },
        Err(e) => KeyFacts { file: None, made: false, problem: Some(e.to_string()) },
    }
}

/// Looks whether each file is of a build that one of the maps is of.
fn belong(files: &mut [FileFacts]) {
    let of_maps = files.iter().filter(|f| f.kind == "map").flat_map(|f| f.builds.clone());
    let known: BTreeSet<String> = of_maps.collect();
    if known.is_empty() {
        return;
    }
    for file in files.iter_mut().filter(|f| f.problem.is_none() && !f.builds.is_empty()) {
        if !file.builds.iter().any(|b| known.contains(b)) {
            let path = file.file.display();
            file.problem = Some(format!(
                "{path}: of build {}: none of these maps is of it",
                file.builds.join(", ")
            ));
        }
    }
}

fn show(found: &Findings, out: &mut Printer) -> Result {
    let formats: Vec<String> = found
        .formats
        .iter()
        .map(|f| match f.oldest == f.newest {
            true => format!("{} of version {}", f.name, f.newest),
            false => format!("{} of versions {} to {}", f.name, f.oldest, f.newest),
        })
        .collect();
    show!(out, "pathlight {}: reads {}", found.version, formats.join(", "))?;
    let adb = &found.adb;
    if let (Some(program), Some(version)) = (&adb.program, &adb.version) {
        show!(out, "adb: {}, version {version}", program.display())?;
        match &adb.devices[..] {
            [] => show!(out, "no device connected")?,
            devices => show!(out, "devices: {}", devices.join("; "))?,
        }
    }
    if let Some(problem) = &adb.problem {
        show!(out, "adb: {problem}")?;
    }
    let key = &found.key;
    match (&key.file, &key.problem) {
        (_, Some(problem)) => show!(out, "debug key: {problem}")?,
        (Some(file), None) if key.made => show!(out, "debug key: {}", file.display())?,
        (Some(file), None) => {
            show!(out, "debug key: none yet; the first build makes {}", file.display())?;
        }
        (None, None) => {}
    }
    for file in &found.files {
        let builds = match &file.builds[..] {
            [] => String::new(),
            builds => format!(", build {}", builds.join(", ")),
        };
        match &file.problem {
            Some(problem) => show!(out, "✗ {}", plain(problem))?,
            None => {
                let sign = if file.damage.is_none() { "✓" } else { "✗" };
                let (path, kind, summary) = (file.file.display(), file.kind, &file.summary);
                show!(out, "{sign} {path}: {kind}, {summary}{builds}")?;
            }
        }
    }
    Ok(())
}
