//! A simulated beta: two releases of the fixture `tether`, the second with a planted fault, played
//! by many testers without a phone. It leaves the files that a team would have: maps, logs by day
//! of arrival, and crash labels from outside the logs.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde_json::{Value, json};

use crate::error::{Error, PathContext, Result};
use crate::files::sorted;
use crate::fixtures::{java_variant, session};
use crate::process::{cores, output, parallel, quietly};
use crate::workspace::Workspace;

/// Size of the beta.
#[derive(Args, Clone, Debug)]
pub struct BetaOptions {
    /// Folder for maps/, raw/ and crashes.csv
    pub folder: PathBuf,
    /// Sessions of release 1.0
    #[arg(long, default_value_t = 200)]
    pub old: u64,
    /// Sessions of release 2.0, which has the planted fault
    #[arg(long, default_value_t = 400)]
    pub new: u64,
    /// Length of a session
    #[arg(long, default_value_t = 120)]
    pub steps: u64,
    /// VM that it runs on; default: ART if the ART host is installed, otherwise HotSpot
    #[arg(long, value_enum)]
    pub vm: Option<session::Vm>,
}

/// A change of a source file: release 2.0 is release 1.0 with all of them.
struct Change {
    old: &'static str,
    new: &'static str,
}

/// The class that release 2.0 edits.
const EDITED: &str = "TetherService.java";
/// The planted fault: commands of kind 6 whose rest is 1 to 4 get no shift at all, and `work`
/// divides by the number of shifts, on the worker thread. `tests/fleet/draws.py` names the line.
const CHANGES: [Change; 2] = [
    Change {
        old: "    private static long work(int n, int arg) {
        long sum = 0;",
        new: "    /** Long work is shared out among shifts. */
    private static int shifts(int n, int arg) {
        int shifts = 1, rest = arg;
        while (rest > 25) {
            rest -= 25;
            shifts++;
        }
        if (n > 4) shifts++;
        if (n == 6 && rest > 0) {
            if (rest < 5)
                shifts = 0;
        }
        return shifts;
    }

    private static long work(int n, int arg) {
        long sum = 100 / shifts(n, arg);",
    },
    Change {
        old: "Screen.show(\"work %d,%d = %d\", n, arg, r)",
        new: "Screen.show(\"%d,%d gave %d\", n, arg, r)",
    },
];

/// A release of the simulated app.
struct Release {
    name: &'static str,
    version_code: u32,
    sessions: u64,
    /// First seed: testers of two releases do not do the same.
    first_seed: u64,
    /// Days on which logs arrive.
    days: &'static [&'static str],
}

/// A release as it was built.
struct Built {
    release: Release,
    build: String,
    apk: PathBuf,
}

/// Builds both releases, plays all sessions, writes what a team would have.
///
/// # Errors
/// Fails if a compiler, the VM or `pathlight instrument` fails.
pub fn make(options: &BetaOptions, here: &Workspace) -> Result<()> {
    here.packages(&["run", "fixtures"])?;
    let folder = &options.folder;
    fs::create_dir_all(folder).at(folder)?;
    let folder = folder.canonicalize().at(folder)?;
    let releases = [
        Release {
            name: "1.0",
            version_code: 10,
            sessions: options.old,
            first_seed: 1,
            days: &["d20261101", "d20261102", "d20261115"],
        },
        Release {
            name: "2.0",
            version_code: 20,
            sessions: options.new,
            first_seed: 100_001,
            days: &["d20261115", "d20261116", "d20261117"],
        },
    ];
    let mut crashes = String::from("build,key,signature\n");
    for release in releases {
        let built = build(release, &folder, here)?;
        let last = built.release.first_seed + built.release.sessions;
        let seeds: Vec<u64> = (built.release.first_seed..last).collect();
        eprintln!("playing {} sessions of release {}", seeds.len(), built.release.name);
        parallel(&seeds, cores(), |&seed| play(&built, seed, options, &folder, here))?;
        for seed in seeds {
            if let Some(signature) = crash(&folder.join("played").join(key(seed)).join("out"))? {
                // Writing to a string does not fail.
                let _ = writeln!(crashes, "{},{},{signature}", built.build, key(seed));
            }
        }
    }
    let file = folder.join("crashes.csv");
    fs::write(&file, crashes).at(&file)
}

/// The session key: what the team's upload names a log after. It never gets into a table.
fn key(seed: u64) -> String {
    format!("s{seed:06}")
}

/// Builds and instruments a release; its map goes into the catalogue.
fn build(release: Release, folder: &Path, here: &Workspace) -> Result<Built> {
    let work = folder.join(format!("app-{}", release.name));
    let (apk, maps) = (work.join("beta.apk"), folder.join("maps"));
    fs::create_dir_all(&work).at(&work)?;
    let sources = work.join("src");
    if !sources.exists() {
        let original = here.path("android-fixtures/tether/src");
        quietly(Command::new("cp").arg("-r").arg(original).arg(&sources))?;
    }
    if release.name != "1.0" {
        edit(&sources.join("org/example/tether").join(EDITED))?;
    }
    let map = work.join("app.plmap");
    // Another version of the program would make another build, which the logs that are there are
    // not of.
    if !(apk.exists() && map.exists()) {
        java_variant("tether", &sources, &sources, &work, here)?;
        let mut instrument = Command::new(here.pathlight()?);
        instrument
            .args(["instrument", "--force"])
            .arg(work.join("tether.apk"))
            .args(["--unsigned", "-o"]);
        output(instrument.arg(&apk).arg("--map").arg(&map))?;
    }
    let build = catalogued(&map, &maps, release.name, release.version_code, here)?;
    Ok(Built { release, build, apk })
}

/// Puts a map into a catalogue; gives the build as the catalogue names it.
///
/// # Errors
/// Fails if `pathlight inspect` prints no build, or a file cannot be written.
pub fn catalogued(
    map: &Path,
    maps: &Path,
    release: &str,
    version_code: u32,
    here: &Workspace,
) -> Result<String> {
    fs::create_dir_all(maps).at(maps)?;
    let printed = output(Command::new(here.pathlight()?).args(["inspect", "--json"]).arg(map))?;
    let printed: Value =
        serde_json::from_str(&printed).map_err(|e| Error::Wrong(format!("inspect --json: {e}")))?;
    let id =
        printed["build"].as_str().ok_or_else(|| Error::Wrong("inspect: no build id".into()))?;
    let build = format!("b{id}");
    let kept = maps.join(format!("{build}.plmap"));
    fs::copy(map, &kept).at(&kept)?;
    let about = json!({
        "v": 1, "build": build, "release": release, "version_code": version_code,
        "commit": null, "options": ["--codec", printed["codec"]],
    });
    let file = maps.join(format!("{build}.json"));
    fs::write(&file, format!("{about:#}\n")).at(&file)?;
    Ok(build)
}

fn edit(file: &Path) -> Result<()> {
    let mut text = fs::read_to_string(file).at(file)?;
    for change in CHANGES {
        match text.matches(change.old).count() {
            1 => text = text.replace(change.old, change.new),
            // It was edited before.
            0 if text.contains(change.new) => {}
            n => {
                let what = format!("{}: {n} times: {}", file.display(), change.old);
                return Err(Error::Wrong(what));
            }
        }
    }
    fs::write(file, text).at(file)
}

/// Plays a session and stores its log under the day of its arrival. A session that was played
/// before is not played again.
fn play(built: &Built, seed: u64, o: &BetaOptions, folder: &Path, here: &Workspace) -> Result<()> {
    let own = folder.join("played").join(key(seed));
    let (logs, done) = (own.join("logs"), own.join("done"));
    if done.exists() {
        return Ok(());
    }
    fs::create_dir_all(&logs).at(&logs)?;
    let mut session = session::SessionOptions::new("tether", seed).with_apk(&built.apk);
    session = session.with_path("pathlight.dir", &logs);
    session.vm = o.vm;
    // Some testers do little, some much.
    session.steps = Some((o.steps / 4 + seed.wrapping_mul(37) % (o.steps * 3 / 2 + 1)).to_string());
    session.play(here, &own.join("out"), &own.join("err"))?;
    let release = &built.release;
    let nth = (seed - release.first_seed) * release.days.len() as u64 / release.sessions.max(1);
    let day = folder.join("raw").join(format!("day={}", release.days[nth as usize]));
    fs::create_dir_all(&day).at(&day)?;
    let found = sorted(&logs)?;
    let [log] = &found[..] else {
        let what = format!("{}: {} logs instead of one", logs.display(), found.len());
        return Err(Error::Wrong(what));
    };
    quietly(Command::new("gzip").arg("-n").arg(log))?;
    let to = day.join(format!("{}.plt.gz", key(seed)));
    fs::rename(log.with_extension("plt.gz"), &to).at(&to)?;
    fs::write(&done, "").at(&done)
}

/// The crash that the platform reported, as a crash service would: the exception's class.
fn crash(out: &Path) -> Result<Option<String>> {
    let text = fs::read_to_string(out).at(out)?;
    let line = text.lines().find_map(|l| l.strip_prefix("# uncaught "));
    Ok(line.map(|l| l.split(':').next().unwrap_or(l).to_owned()))
}
