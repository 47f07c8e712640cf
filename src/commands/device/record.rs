//! `pathlight device record`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use apk::AppSet;
use decoder::Damage;
use device::{Folder, Install};

use super::{Which, install};
use crate::commands::{Result, instrument, report};
use crate::error::PathContext;
use crate::interrupt;
use crate::outputs::messages;
use crate::outputs::print::{Printer, note, show};

/// Time between two checks for the end of the session.
const TURN: Duration = Duration::from_millis(200);

/// Record a session: instrument, install, launch, wait, fetch the logs, write a page.
#[derive(clap::Args)]
#[command(after_help = "\
Use the app on the device, then press Ctrl-C here. All files are in one folder: the \
instrumented app,
its map, the logs and report.html. An app that is not debuggable writes its logs to shared storage,
as adb cannot read its cache folder.

Examples:
  pathlight device record app.apk
  pathlight device record app.apk --for 60s -o monday --sources app/src/main/java
  pathlight device record base.apk split_config.de.apk --mapping mapping.txt -s emulator-5554")]
pub struct Args {
    /// The app: an .apk, all APKs of a split app, or an .apks, .xapk or .apkm archive of them.
    #[arg(required = true, value_name = "APP")]
    inputs: Vec<PathBuf>,
    /// Write all files into this folder. Default: the app's name with -session.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// End the session after this time (60s, 5m). Without it: by Ctrl-C.
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    #[command(flatten)]
    which: Which,
    /// Use R8's mapping.txt of this build: names, files and lines of the source.
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    /// Use this model, written by `train`: the log gets smaller.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Folders with source files: the page shows their lines. Give it once for each folder.
    #[arg(long, value_name = "DIR")]
    sources: Vec<PathBuf>,
    /// Sign with this PKCS#12 key store; default: a debug key.
    #[arg(long, value_name = "FILE")]
    ks: Option<PathBuf>,
    /// Read the password of the key store from pass:TEXT, env:VARIABLE or file:PATH.
    #[arg(long, requires = "ks")]
    ks_pass: Option<String>,
    /// Grant all permissions that the app asks for in its manifest.
    #[arg(long)]
    grant: bool,
}

/// Reads `90s`, `1.5m` or `2h`.
fn duration(text: &str) -> std::result::Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let unit = units.iter().find_map(|(name, s)| Some((text.strip_suffix(name)?, s)));
    let (number, seconds) = unit.ok_or("expected a number with its unit: s, m or h")?;
    let number: f64 = number.parse().map_err(|e| format!("{number:?}: {e}"))?;
    Duration::try_from_secs_f64(number * seconds).map_err(|e| e.to_string())
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    // Before the work, so that a missing device is reported at once.
    let phone = args.which.phone()?;
    let folder = args.output.clone().unwrap_or_else(|| default_folder(&args.inputs));
    std::fs::create_dir_all(&folder).at(&folder)?;
    let set = AppSet::read(&args.inputs)?;
    let logs_in = match set.base().manifest() {
        Some(manifest) if manifest.debuggable => Folder::Cache,
        _ => Folder::External,
    };
    drop(set);

    show!(out, "1 of 5: instrument")?;
    out.flush()?;
    let built = instrument::build(&instrument_arguments(args, &folder, logs_in)?, out)?;
    built.warnings.iter().for_each(|warning| note(format_args!("warning: {warning}")));
    let (Some(build), Some(map)) = (built.build, &built.map) else {
        return Err("the app has nothing to record".into());
    };

    show!(out, "2 of 5: install on {}", phone.serial())?;
    out.flush()?;
    let how = Install { grant: args.grant, ..Install::default() };
    let (package, _, phone) = install::install(&built.packages, || Ok(phone), how)?;

    show!(out, "3 of 5: launch {package}")?;
    out.flush()?;
    if let Err(problem) = phone.launch(&package) {
        note(messages::device_failed(&problem));
    }
    match args.time {
        Some(time) => {
            show!(out, "4 of 5: use the app; the session ends in {time:?}, or by Ctrl-C")?
        }
        None => show!(out, "4 of 5: use the app, then press Ctrl-C here")?,
    }
    out.flush()?;
    wait(args.time);

    show!(out, "5 of 5: fetch the logs")?;
    out.flush()?;
    let logs = folder.join("logs");
    std::fs::create_dir_all(&logs).at(&logs)?;
    // The app may hold logs of builds before this one, which its map does not decode.
    let of_build = format!("pathlight-{}-", build.short());
    let pulled = phone.pull(&package, logs_in, (&logs, CAP), |_| {});
    let pulled = pulled.map_err(|error| messages::device_failed(&error))?;
    let mut damage = Damage::NONE;
    for problem in &pulled.failed {
        note(messages::device_failed(problem));
        damage += Damage::problems(1);
    }
    let mut files: Vec<&Path> = Vec::new();
    for file in &pulled.files {
        if let Some(flaw) = &file.flaw {
            note(format_args!("{}: {flaw}", file.path.display()));
            damage += Damage::problems(1);
        }
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(&of_build) {
            files.push(&file.path);
        }
    }
    if files.is_empty() {
        return Err(format!(
            "{package} has written no log yet: was it used? Fetch it later by `pathlight device \
             pull {package} -o {} {}`",
            logs.display(),
            if logs_in == Folder::External { "--logs external" } else { "--logs cache" },
        )
        .into());
    }
    let page = folder.join("report.html");
    damage += report::run(&report_arguments(args, map, &files, &page)?, out)?;
    let all = folder.display();
    show!(
        out,
        "open {}; see the paths by `pathlight decode --map {all} {all}/logs`",
        page.display()
    )?;
    Ok(damage)
}

/// Most MiB of a log that are fetched: what a build writes by default is less.
const CAP: u32 = 64;

/// Waits for Ctrl-C or the end of the time.
fn wait(time: Option<Duration>) {
    let begun = Instant::now();
    interrupt::listen();
    while !interrupt::is_stopped() {
        let left = time.map(|time| time.saturating_sub(begun.elapsed()));
        if left.is_some_and(|left| left.is_zero()) {
            break;
        }
        std::thread::sleep(left.map_or(TURN, |left| left.min(TURN)));
    }
    interrupt::stop_listening();
}

fn default_folder(inputs: &[PathBuf]) -> PathBuf {
    let stem = inputs.first().and_then(|input| input.file_stem()).unwrap_or_default();
    let mut name = stem.to_owned();
    name.push("-session");
    PathBuf::from(name)
}

/// Makes the arguments of another command, with its defaults.
fn parsed<A: clap::Args>(words: Vec<std::ffi::OsString>) -> Result<A> {
    let command = A::augment_args(clap::Command::new("pathlight").no_binary_name(true));
    Ok(A::from_arg_matches(&command.try_get_matches_from(words)?)?)
}

fn instrument_arguments(args: &Args, folder: &Path, logs: Folder) -> Result<instrument::Args> {
    let mut words: Vec<std::ffi::OsString> = Vec::new();
    let mut option = |name: &str, value: &std::ffi::OsStr| {
        words.extend([name.into(), value.to_owned()]);
    };
    let name = args.inputs.first().and_then(|input| input.file_name()).unwrap_or_default();
    let output = if args.inputs.len() == 1 { folder.join(name) } else { folder.join("app") };
    option("--output", output.as_os_str());
    option("--logs", if logs == Folder::External { "external" } else { "cache" }.as_ref());
    let paths = [("--mapping", &args.mapping), ("--model", &args.model), ("--ks", &args.ks)];
    for (name, path) in paths {
        path.iter().for_each(|path| option(name, path.as_os_str()));
    }
    args.ks_pass.iter().for_each(|password| option("--ks-pass", password.as_ref()));
    words.push("--".into());
    words.extend(args.inputs.iter().map(|input| input.as_os_str().to_owned()));
    parsed(words)
}

fn report_arguments(args: &Args, map: &Path, logs: &[&Path], page: &Path) -> Result<report::Args> {
    let mut words: Vec<std::ffi::OsString> = vec!["--map".into(), map.into()];
    words.extend(["--html".into(), page.into()]);
    for folder in &args.sources {
        words.extend(["--sources".into(), folder.into()]);
    }
    words.push("--".into());
    words.extend(logs.iter().map(|log| log.as_os_str().to_owned()));
    parsed(words)
}
