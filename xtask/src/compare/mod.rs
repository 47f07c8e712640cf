//! Judges `pathlight compare` by faults planted into the fixture `tether`: where they are and where
//! they ran is known from the VM's stack traces (`tests/oracles/planted`), not from logs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde_json::Value;

use crate::compilers::{javac, jdk, r8};
use crate::error::{Error, PathContext, Result};
use crate::files::{scratch, sorted};
use crate::fixtures::{java_variant, session};
use crate::process::{cores, output, parallel, quietly};
use crate::tally::Tally;
use crate::workspace::Workspace;

mod faults;

use faults::{FAULTS, FLIPS};

/// Extent of the test.
#[derive(Args)]
pub struct CompareOptions {
    /// Sessions that are played twice, with one condition turned round and as they are
    #[arg(long, default_value_t = 100)]
    pairs: u64,
    /// Sessions in all: a part of those in which a planted place was reached fails
    #[arg(long, default_value_t = 400)]
    sessions: u64,
    /// Draws of 20 bad and 200 good sessions for each planted place
    #[arg(long, default_value_t = 5)]
    draws: u64,
    /// Length of a session
    #[arg(long, default_value = "120")]
    steps: String,
    /// Keep builds and logs in this folder
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// Sessions of 100 that fail after they reached a planted site.
const FAIL: u64 = 80;
const BAD: usize = 20;
const GOOD: usize = 200;
/// Ranks that count.
const RANKS: usize = 3;
/// Draws of 100 in which the culprit must be among the first ranks.
const ENOUGH: usize = 90;

/// Planted lines that a session printed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Planted {
    name: String,
    method: String,
    line: u64,
    thread: String,
}

struct Played {
    logs: Vec<PathBuf>,
    sites: Vec<Planted>,
    flip: Option<Planted>,
}

struct Subject<'a> {
    here: &'a Workspace,
    work: &'a Path,
    options: &'a CompareOptions,
    map: PathBuf,
    code: PathBuf,
}

/// Plants faults, plays sessions, compares.
///
/// # Errors
/// Fails if a first divergence is not the planted one, or too few culprits are ranked high.
pub fn run(options: &CompareOptions, here: &Workspace) -> Result<()> {
    here.packages(&["run", "fixtures"])?;
    let scratch = scratch()?;
    let work = match &options.keep {
        Some(folder) => {
            fs::create_dir_all(folder).at(folder)?;
            folder.canonicalize().at(folder)?
        }
        None => scratch.path().to_owned(),
    };
    let subject = prepare(options, &work, here)?;
    let seeds: Vec<u64> = (1..=options.sessions.max(options.pairs)).collect();
    parallel(&seeds, cores(), |&seed| subject.play(seed, None).map(drop))?;
    let mut tally = Tally::default();
    subject.pairs(&mut tally)?;
    subject.ranks(&mut tally)?;
    tally.finish()
}

/// Builds the app with the faults and instruments it.
fn prepare<'a>(
    options: &'a CompareOptions,
    work: &'a Path,
    here: &'a Workspace,
) -> Result<Subject<'a>> {
    let file = |name: &str| work.join(name);
    let (map, code) = (file("app.plmap"), file("code"));
    let subject = Subject { here, work, options, map, code };
    if subject.map.exists() {
        return Ok(subject);
    }
    let sources = file("src");
    let original = here.path("android-fixtures/tether/src");
    quietly(Command::new("cp").arg("-r").arg(original).arg(&sources))?;
    for fault in FAULTS {
        let path = sources.join("org/example/tether").join(fault.file);
        let text = fs::read_to_string(&path).at(&path)?;
        if text.matches(fault.old).count() != 1 {
            return Err(Error::Wrong(format!("{}: not once: {}", fault.file, fault.old)));
        }
        fs::write(&path, text.replace(fault.old, fault.new)).at(&path)?;
    }
    let planted = file("planted");
    javac(&here.path("tests/oracles/planted"), &planted, &["-Xlint:-options"], None)?;
    fs::create_dir(&subject.code).at(&subject.code)?;
    let mut d8 = r8(here, "D8")?;
    d8.args(["--min-api", "21", "--lib"]).arg(jdk()?).arg("--output").arg(&subject.code);
    quietly(d8.arg(planted.join("planted/Flip.class")))?;
    let dex = |name: &str| subject.code.join(name);
    fs::rename(dex("classes.dex"), dex("classes9.dex")).at(work)?;
    java_variant("tether", &sources, &planted, work, here)?;
    let mut instrument = Command::new(here.pathlight()?);
    instrument.args(["instrument", "--force"]).arg(file("tether.apk")).arg("--unsigned");
    output(instrument.arg("-o").arg(file("beta.apk")).arg("--map").arg(&subject.map))?;
    let mut unzip = Command::new("python3");
    unzip.args(["-m", "zipfile", "-e"]).arg(file("beta.apk")).arg(file("unpacked"));
    quietly(&mut unzip)?;
    for path in sorted(&file("unpacked"))? {
        if path.extension().is_some_and(|e| e == "dex") {
            fs::copy(&path, dex(&path.file_name().unwrap_or_default().to_string_lossy()))
                .at(&path)?;
        }
    }
    Ok(subject)
}

impl Subject<'_> {
    /// Plays a session, as it is or with one condition turned round at its n-th evaluation.
    fn play(&self, seed: u64, flip: Option<(u64, u64)>) -> Result<Played> {
        let name = match flip {
            None => seed.to_string(),
            Some((place, nth)) => format!("{seed}-{place}-{nth}"),
        };
        let folder = self.work.join("sessions").join(name);
        let (logs, printed) = (folder.join("logs"), folder.join("err"));
        if !printed.exists() {
            fs::create_dir_all(&logs).at(&logs)?;
            let mut session = session::SessionOptions::new("tether", seed).with_apk(&self.code);
            session = session.with_path("pathlight.dir", &logs);
            session.steps = Some(self.options.steps.clone());
            if let Some((place, nth)) = flip {
                session.properties.push(format!("-Dplanted.place={place}"));
                session.properties.push(format!("-Dplanted.nth={nth}"));
            }
            session.play(self.here, &folder.join("out"), &printed)?;
        }
        let text = fs::read_to_string(&printed).at(&printed)?;
        let (mut sites, mut flipped) = (Vec::new(), None);
        for line in text.lines() {
            let words: Vec<&str> = line.splitn(7, ' ').collect();
            if let ["planted", what, name, _, method, line, thread] = words[..] {
                let planted = Planted {
                    name: name.into(),
                    method: method.into(),
                    line: line.parse().unwrap_or(0),
                    thread: thread.into(),
                };
                if what == "flip" { flipped = Some(planted) } else { sites.push(planted) }
            }
        }
        Ok(Played { logs: sorted(&logs)?, sites, flip: flipped })
    }

    fn compare(&self, good: &[PathBuf], bad: &[PathBuf]) -> Result<Value> {
        let mut compare = Command::new(self.here.pathlight()?);
        compare.args(["compare", "--json", "--map"]).arg(&self.map);
        compare.arg("--good").args(good).arg("--bad").args(bad);
        let printed = output(&mut compare)?;
        serde_json::from_str(&printed).map_err(|e| Error::Wrong(format!("compare --json: {e}")))
    }

    /// One good and one bad session: the first divergence is the condition that was turned round.
    fn pairs(&self, tally: &mut Tally) -> Result<()> {
        for seed in 1..=self.options.pairs {
            let good = self.play(seed, None)?;
            // The first place of those after `seed` that the session comes to so often.
            let all = (0..FLIPS).flat_map(|k| {
                let place = 1 + (seed + k) % FLIPS;
                [(place, 1 + seed / FLIPS % 4), (place, 1)]
            });
            let mut bad = None;
            for flip in all {
                let played = self.play(seed, Some(flip))?;
                if let Some(planted) = played.flip {
                    bad = Some((flip, played.logs, planted));
                    break;
                }
            }
            let Some((flip, logs, planted)) = bad else {
                tally.fail(&format!("pair {seed}: no condition is evaluated"));
                continue;
            };
            let what = format!("pair {seed}, condition {} of {}", flip.1, flip.0);
            let found = self.compare(&good.logs, &logs)?;
            tally.count(&what, parts_at(&found, &planted));
        }
        Ok(())
    }

    /// 20 bad and 200 good sessions: the place that they fail at is among the first ranks.
    fn ranks(&self, tally: &mut Tally) -> Result<()> {
        let played = (1..=self.options.sessions)
            .map(|seed| Ok((seed, self.play(seed, None)?)))
            .collect::<Result<Vec<_>>>()?;
        let mut names: Vec<&Planted> = Vec::new();
        for site in played.iter().flat_map(|(_, p)| &p.sites) {
            if !names.iter().any(|n| n.name == site.name) {
                names.push(site);
            }
        }
        names.sort_by(|a, b| a.name.cmp(&b.name));
        let (mut draws, mut high) = (0, 0);
        for site in names {
            let reached = |p: &Played| p.sites.iter().any(|s| s.name == site.name);
            let fails = |seed: u64, p: &Played| reached(p) && random(seed, &site.name) % 100 < FAIL;
            let (bad, good): (Vec<_>, Vec<_>) = played.iter().partition(|(s, p)| fails(*s, p));
            let share = played.iter().filter(|(_, p)| reached(p)).count();
            let what = format!("{} ({}:{}), reached by {share}", site.name, site.method, site.line);
            if bad.len() < BAD || good.len() < GOOD {
                println!("left out: {what}: {} bad, {} good sessions", bad.len(), good.len());
                continue;
            }
            let mut ranks = Vec::new();
            for draw in 0..self.options.draws {
                let chosen = |all: &[&(u64, Played)], n: usize| -> Vec<PathBuf> {
                    let mut all = all.to_vec();
                    all.sort_by_key(|(seed, _)| random(*seed, &format!("{} {draw}", site.name)));
                    all.iter().take(n).flat_map(|(_, p)| p.logs.clone()).collect()
                };
                let found = self.compare(&chosen(&good, GOOD), &chosen(&bad, BAD))?;
                ranks.push(rank_of(&found, site));
            }
            draws += ranks.len();
            high += ranks.iter().filter(|r| r.is_some_and(|r| r <= RANKS)).count();
            let ranks: Vec<String> =
                ranks.iter().map(|r| r.map_or("none".into(), |r| r.to_string())).collect();
            println!("ranks of {what}: {}", ranks.join(" "));
        }
        let text = format!("culprit among the first {RANKS} in {high} of {draws} draws");
        let enough = draws > 0 && high * 100 >= draws * ENOUGH;
        tally.count("ranking", if enough { Ok(text) } else { Err(text) });
        Ok(())
    }
}

/// Checks that the sessions part at the inverted condition.
fn parts_at(found: &Value, planted: &Planted) -> std::result::Result<String, String> {
    let first = &found["first"];
    let way = |side: &str| &first["parting"][side]["step"];
    let line = |side: &str| {
        let place = &way(side)["place"];
        let method = place["m"].as_str().unwrap_or_default();
        let name = method.split("->").nth(1).and_then(|m| m.split('(').next()).unwrap_or_default();
        (name.to_owned(), place["line"].as_u64().unwrap_or_default())
    };
    let thread = first["bad"]["thread"]["name"].as_str().unwrap_or_default();
    let want = (planted.method.clone(), planted.line);
    let right = [line("good"), line("bad")].iter().all(|l| *l == want)
        && way("good")["alternative"] != way("bad")["alternative"]
        && thread == planted.thread;
    let position = format!("{thread}: {} at line {}", line("bad").0, line("bad").1);
    match right {
        true => Ok(position),
        false => Err(format!("{position}, not {planted:?}: {first}")),
    }
}

/// The rank of the class that has the way to a planted place.
fn rank_of(found: &Value, site: &Planted) -> Option<usize> {
    let leads = |event: &Value| {
        let spot = match event["kind"].as_str() {
            Some("branch") => &event["to"],
            Some("catch") => &event["place"],
            _ => return false,
        };
        let method = spot["m"].as_str().unwrap_or_default();
        method.contains(&format!("->{}(", site.method)) && spot["line"].as_u64() == Some(site.line)
    };
    let classes = found["classes"].as_array()?;
    let has = |class: &Value| class["events"].as_array().is_some_and(|e| e.iter().any(leads));
    classes.iter().position(has).map(|i| i + 1)
}

/// A number that looks random, of a number and a text.
fn random(seed: u64, text: &str) -> u64 {
    let step = |h: u64, b: u8| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01B3);
    let h = seed.to_be_bytes().into_iter().chain(text.bytes()).fold(0xCBF2_9CE4_8422_2325, step);
    (h ^ h >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Planted {
        Planted { name: "x".into(), method: "run".into(), line: 7, thread: "main".into() }
    }

    fn first(good: (&str, u64, u64), bad: (&str, u64, u64), thread: &str) -> Value {
        let way = |(m, line, way): (&str, u64, u64)| {
            let place = serde_json::json!({"m": format!("La/B;->{m}(I)V"), "line": line});
            serde_json::json!({"step": {"place": place, "alternative": way}})
        };
        serde_json::json!({"first": {
            "bad": {"thread": {"name": thread}},
            "parting": {"good": way(good), "bad": way(bad)},
        }})
    }

    #[test]
    fn another_line_method_thread_or_way_is_wrong() {
        let right = |good, bad, thread| parts_at(&first(good, bad, thread), &site()).is_ok();
        assert!(right(("run", 7, 0), ("run", 7, 1), "main"));
        assert!(!right(("run", 8, 0), ("run", 8, 1), "main"));
        assert!(!right(("go", 7, 0), ("go", 7, 1), "main"));
        assert!(!right(("run", 7, 0), ("run", 7, 1), "other"));
        assert!(!right(("run", 7, 1), ("run", 7, 1), "main"));
        assert!(parts_at(&serde_json::json!({"first": null}), &site()).is_err());
    }

    #[test]
    fn the_rank_is_that_of_the_class_that_leads_to_the_place() {
        let branch = |line: u64| {
            let to = serde_json::json!({"m": "La/B;->run()V", "line": line});
            serde_json::json!({"kind": "branch", "to": to})
        };
        let class = |line: u64| serde_json::json!({"events": [branch(line)]});
        let found = serde_json::json!({"classes": [class(1), class(7)]});
        assert_eq!(rank_of(&found, &site()), Some(2));
        assert_eq!(rank_of(&serde_json::json!({"classes": [class(1)]}), &site()), None);
    }
}
