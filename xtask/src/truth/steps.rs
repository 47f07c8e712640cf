//! Sessions of the fixture apps that crash, and what `crash --steps` prints of them: the steps,
//! played again, give the same crash and the same steps. And the share of taps whose view is named.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde_json::Value;

use super::apps::App;
use crate::error::{Error, PathContext, Result};
use crate::files::{scratch, sorted};
use crate::fixtures::session::{SessionOptions, Vm};
use crate::process::output;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// Sessions to repeat.
#[derive(Args)]
pub struct StepsOptions {
    /// Number of crashes of each app
    #[arg(long, default_value_t = 10)]
    crashes: usize,
    /// VM that the sessions run on; default: ART if the ART host is installed, otherwise HotSpot
    #[arg(long, value_enum)]
    vm: Option<Vm>,
}

/// Least share of taps with an origin, in percent.
const NAMED: u64 = 90;

/// Apps, and the step by which a session crashes.
const APPS: [(&str, &str); 3] =
    [("tether", "long:15"), ("tether-r8", "long:15"), ("notes", "long:11")];

/// Repeats the sessions.
///
/// # Errors
/// Fails if a crash is not reached again, or too few taps have an origin.
pub fn run(options: &StepsOptions, here: &Workspace) -> Result<()> {
    let work = scratch()?;
    let mut tally = Tally::default();
    for (name, last) in APPS {
        let app = App { here, name, work: work.path() };
        instrument(&app)?;
        let (mut crashes, mut taps) = (0, Taps::default());
        for seed in 0.. {
            if crashes == options.crashes || seed > 20 * options.crashes as u64 {
                break;
            }
            let first = CrashingSession {
                app: &app,
                vm: options.vm,
                seed,
                steps: random_steps(seed, last),
            };
            let Some(crash) = first.play("first")? else { continue };
            crashes += 1;
            taps += crash.taps;
            let outcome = first.again(&crash).map_err(|error| error.to_string());
            tally.count(&format!("{name} {seed}"), outcome);
        }
        let Taps { named, all } = taps;
        let text = format!("{named} of {all} taps have an origin");
        let enough = all > 0 && named * 100 >= all * NAMED;
        tally.count(name, if enough { Ok(text) } else { Err(text) });
    }
    tally.finish()
}

fn instrument(app: &App<'_>) -> Result<()> {
    let mut instrument = Command::new(app.here.pathlight()?);
    instrument.args(["instrument", "--force"]).arg(app.original()).arg("-o").arg(app.file("apk"));
    output(instrument.arg("--map").arg(app.file("plmap"))).map(drop)
}

/// Steps of a driver that end in a crash, if the screen of the app's main activity is open.
fn random_steps(seed: u64, last: &str) -> Vec<String> {
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut below = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let count = 8 + below(20);
    let mut steps: Vec<String> = Vec::new();
    for _ in 0..count {
        match below(100) {
            // The hold of other buttons fires events that change nothing that a step depends on.
            0..80 => steps.push(format!("click:{}", below(16))),
            80..88 => steps.push("turn".into()),
            88..94 => steps.extend(["stop".into(), "resume".into()]),
            _ => steps.push(format!("idle:{}", 100 * below(20))),
        }
    }
    steps.push(last.to_owned());
    steps
}

/// Taps and holds of a session.
#[derive(Clone, Copy, Default)]
struct Taps {
    named: u64,
    all: u64,
}

impl std::ops::AddAssign for Taps {
    fn add_assign(&mut self, other: Taps) {
        self.named += other.named;
        self.all += other.all;
    }
}

struct CrashingSession<'a> {
    app: &'a App<'a>,
    vm: Option<Vm>,
    seed: u64,
    steps: Vec<String>,
}

/// A crash, as the app and as Pathlight report it.
struct Crash {
    /// The exception and its frames in the app.
    trace: Vec<String>,
    /// Steps to repeat, without numbers of callbacks.
    steps: Vec<String>,
    taps: Taps,
}

impl CrashingSession<'_> {
    /// Plays the session; `None` if it does not crash.
    fn play(&self, name: &str) -> Result<Option<Crash>> {
        let work = self.app.work;
        let [logs, out, err, logcat] = ["logs", "out", "err", "logcat"]
            .map(|ending| work.join(format!("{}-{name}.{ending}", self.app.name)));
        let _ = fs::remove_dir_all(&logs);
        fs::create_dir(&logs).at(&logs)?;
        let _ = fs::remove_file(&logcat);
        let mut session = SessionOptions::new(self.app.name, self.seed);
        session.vm = self.vm;
        session.steps = Some(self.steps.join(","));
        let session = session
            .with_apk(&self.app.file("apk"))
            .with_path("pathlight.dir", &logs)
            .with_path("stub.logcat", &logcat);
        session.play(self.app.here, &out, &err)?;
        let printed = fs::read_to_string(&out).at(&out)?;
        if !printed.contains("# uncaught ") {
            return Ok(None);
        }
        let files = sorted(&logs)?;
        let trace = trace(&logcat)?;
        let steps = self.crash_steps(&files)?;
        Ok(Some(Crash { trace, steps, taps: self.taps(&files)? }))
    }

    /// Plays the steps of a crash, which must lead there again.
    fn again(&self, crash: &Crash) -> Result<String> {
        let steps: Vec<String> = crash.steps.iter().flat_map(|step| driver_steps(step)).collect();
        let again = CrashingSession { app: self.app, vm: self.vm, seed: self.seed + 1000, steps };
        let wrong =
            |what: String| Err(Error::Wrong(format!("{what}\n  {}", crash.steps.join("\n  "))));
        let Some(repeated) = again.play("again")? else {
            return wrong(format!("{}: no crash", again.steps.join(",")));
        };
        if repeated.trace != crash.trace {
            return wrong(format!("another crash: {:?}", repeated.trace));
        }
        if repeated.steps != crash.steps {
            return wrong(format!("other steps: {:?}", repeated.steps));
        }
        Ok(format!("{} steps lead to the same crash", crash.steps.len()))
    }

    /// The steps that `crash --steps` prints.
    fn crash_steps(&self, logs: &[PathBuf]) -> Result<Vec<String>> {
        let mut crash = Command::new(self.app.here.pathlight()?);
        crash.args(["crash", "--steps", "--map"]).arg(self.app.file("plmap")).args(logs);
        let text = output(&mut crash)?;
        let steps = text.lines().filter_map(|line| {
            let (number, step) = line.trim_start().split_once(". ")?;
            number.parse::<u32>().ok()?;
            Some(step.rsplit_once("  #")?.0.to_owned())
        });
        Ok(steps.collect())
    }

    /// Counts the callbacks of taps, and those with an origin.
    fn taps(&self, logs: &[PathBuf]) -> Result<Taps> {
        let mut decode = Command::new(self.app.here.pathlight()?);
        decode.args(["decode", "--format", "json", "--map"]).arg(self.app.file("plmap"));
        let mut taps = Taps::default();
        let mut begun = false;
        for line in output(decode.args(logs))?.lines() {
            let event: Value = serde_json::from_str(line).unwrap_or_default();
            match event["e"].as_str() {
                Some("enter") => {
                    let method = event["m"].as_str().unwrap_or_default();
                    let is_tap =
                        |name: &str| method.contains(&format!("->{name}(Landroid/view/View;)"));
                    begun =
                        event["callback"].is_u64() && (is_tap("onClick") || is_tap("onLongClick"));
                    taps.all += u64::from(begun);
                }
                Some("origin") => taps.named += u64::from(std::mem::take(&mut begun)),
                _ => {}
            }
        }
        Ok(taps)
    }
}

/// The uncaught exception and its frames in the app, without lines that differ between builds.
fn trace(logcat: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(logcat).at(logcat)?;
    let from = text.find("FATAL EXCEPTION").unwrap_or(text.len());
    let lines = text[from..].lines().skip(1);
    let lines = lines.filter_map(|line| Some(line.split_once("AndroidRuntime: ")?.1.trim()));
    let lines = lines.filter(|line| !line.starts_with("at ") || line.contains("org.example"));
    Ok(lines.map(str::to_owned).collect())
}

/// The driver's steps for a step in words.
fn driver_steps(step: &str) -> Vec<String> {
    let (step, times) =
        match step.rsplit_once(", ").map(|(step, n)| (step, n.strip_suffix(" times"))) {
            Some((step, Some(times))) => (step, times.parse().unwrap_or(1)),
            _ => (step, 1),
        };
    let number = |text: &str| text.split([' ', ';']).next().unwrap_or_default().to_owned();
    let one = if let Some(id) = step.strip_prefix("tap #") {
        vec![format!("tap:{}", number(id))]
    } else if let Some(id) = step.strip_prefix("hold #") {
        vec![format!("hold:{}", number(id))]
    } else if step.starts_with("rotate the device") {
        vec!["turn".into()]
    } else if step.starts_with("leave ") {
        vec!["stop".into(), "resume".into()]
    } else {
        // What opens or returns by itself.
        Vec::new()
    };
    one.iter().cycle().take(one.len() * times).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::driver_steps;

    #[test]
    fn steps_in_words_are_steps_of_the_driver() {
        assert_eq!(driver_steps("tap #103 (Main.onClick), 2 times"), ["tap:103", "tap:103"]);
        assert_eq!(driver_steps("tap #105 (Main.onClick); Setup opens"), ["tap:105"]);
        assert_eq!(driver_steps("leave Main and return to it"), ["stop", "resume"]);
        assert!(driver_steps("open the app: Main").is_empty());
    }
}
