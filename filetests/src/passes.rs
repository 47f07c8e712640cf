//! The passes that a file can name.

use dex::verify::verify;
use dex::{Code, Dex, IndexMap, Version, decode, lower, text};
use instrumenter::probes::runtime::BuildPackage;
use instrumenter::{
    Clones, CountStorage, Inline, InlineCoder, PathOptions, PathTracking, RecordingOptions, Report,
    RuntimeHome, TraceOptions, instrument,
};

use model::packed_map::PackedMap;
use model::path_profiles::encodings::EncodingKind;
use model::path_profiles::selected::PathKind;
use model::paths_file::{FORMAT, PathEntry, PathsFile, StepAt};
use model::recording::Recording;

use crate::PassRun;

/// A pass: from the options and the input to the text that comes out.
type Pass = fn(&PassOptions<'_>, &str) -> Result<String, String>;

const PASSES: &[(&str, Pass)] = &[("roundtrip", roundtrip), ("lower", lowered), ("weave", weave)];

/// Runs a pass on the text of a file.
pub(crate) fn run(run: &PassRun, input: &str) -> Result<String, String> {
    let (name, words) = run.parts();
    let Some((_, pass)) = PASSES.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = PASSES.iter().map(|(name, _)| *name).collect();
        return Err(format!("there is no pass {name:?}, only {}", known.join(", ")));
    };
    pass(&PassOptions(words), input)
}

/// Words after the name of a pass: `--name value`.
struct PassOptions<'a>(Vec<&'a str>);

impl PassOptions<'_> {
    /// The value of an option; the last one counts.
    fn get(&self, name: &str) -> Option<&str> {
        self.0.chunks(2).rev().find(|pair| pair[0] == name).and_then(|pair| pair.get(1)).copied()
    }

    /// Nothing but these options, each with a value.
    fn only(&self, names: &[&str]) -> Result<(), String> {
        for pair in self.0.chunks(2) {
            if !names.contains(&pair[0]) {
                return Err(format!("no option {:?} here, only {}", pair[0], names.join(", ")));
            }
            if pair.len() < 2 {
                return Err(format!("{} wants a value", pair[0]));
            }
        }
        Ok(())
    }

    fn number(&self, name: &str) -> Result<Option<u32>, String> {
        let number = |text: &str| text.parse().map_err(|_| format!("{name} wants a number"));
        self.get(name).map(number).transpose()
    }
}

fn body(input: &str) -> Result<(Dex, Code), String> {
    let mut dex = Dex::new(Version(39));
    let code = text::parse_code(input, &mut dex).map_err(|e| e.to_string())?;
    Ok((dex, code))
}

fn classes(input: &str) -> Result<Dex, String> {
    let mut dex = Dex::new(Version(39));
    text::parse_classes(input, &mut dex).map_err(|e| e.to_string())?;
    Ok(dex)
}

/// The input as it reads again: `.repeat` written out, names of labels as numbers.
fn roundtrip(options: &PassOptions<'_>, input: &str) -> Result<String, String> {
    options.only(&[])?;
    if input.lines().any(|line| line.starts_with(".class")) {
        return classes(input).map(|dex| text::classes(&dex).to_string());
    }
    let (dex, code) = body(input)?;
    Ok(text::code(&dex, &code).to_string())
}

/// The lowered body; an error is a result, too. `--pool N`: every pool has N items, which keep
/// their places, so that `string@70000` is one of them. `--first-string N`: strings are numbered
/// from N.
fn lowered(options: &PassOptions<'_>, input: &str) -> Result<String, String> {
    options.only(&["--pool", "--first-string"])?;
    let (dex, code) = body(input)?;
    let mut map = match options.number("--pool")? {
        Some(n) => IndexMap::identity_of_size(n),
        None => IndexMap::identity(&dex),
    };
    if let Some(first) = options.number("--first-string")? {
        map.strings.iter_mut().for_each(|string| *string += first);
    }
    let item = match lower(&code, &map) {
        Ok(item) => item,
        Err(error) => return Ok(format!("error: {error}\n")),
    };
    let shown = text::lowered(&dex, &item)
        .map_err(|e| format!("lowered code does not decode: {e}"))?
        .to_string();
    // Nothing may be lost on the way: but for wider branches, decoding gives the list back.
    let again = decode(&item).map_err(|e| e.to_string())?;
    let twice = lower(&again, &IndexMap::identity_of_size(1 << 17)).map_err(|e| e.to_string())?;
    if twice != item {
        return Err(format!("lowering what was decoded gives another body:\n{shown}"));
    }
    Ok(shown)
}

/// The classes as `instrument` leaves them, and its report. `--codec C` (default `arith`),
/// `--inline hot|all|never` (default `never`: each file shows one thing), `--clones hot|all`
/// (default `hot`: none, as there is no model), `--steps hot|all` (likewise), `--lines
/// keep|address` (default `keep`: methods without lines stay so). `--paths KIND:METHOD:STEPS|…`
/// counts these paths instead, steps as in `paths.json`, with commas between; `--detect
/// auto|flag|copies`.
fn weave(options: &PassOptions<'_>, input: &str) -> Result<String, String> {
    let names = ["--codec", "--inline", "--clones", "--steps", "--lines", "--paths", "--detect"];
    options.only(&names)?;
    let recording = options.get("--codec").unwrap_or("arith");
    let recording: Recording = recording.parse().map_err(|e| format!("{e}"))?;
    let inline = match options.get("--inline").unwrap_or("never") {
        "hot" => Inline::Hot,
        "all" => Inline::All,
        "never" => Inline::Never,
        other => return Err(format!("--inline takes hot, all or never, not {other}")),
    };
    let clones = match options.get("--clones").unwrap_or("hot") {
        "hot" => Clones::Hot,
        "all" => Clones::All,
        other => return Err(format!("--clones takes hot or all, not {other}")),
    };
    let inline_coder = match options.get("--steps").unwrap_or("hot") {
        "hot" => InlineCoder::Hot,
        "all" => InlineCoder::All,
        other => return Err(format!("--steps takes hot or all, not {other}")),
    };
    let before = classes(input)?;
    if let Some(violation) = verify(&before).first() {
        return Err(format!("the input is no valid code: {violation}"));
    }
    let files = vec![("classes.dex".to_owned(), before.write().map_err(|e| e.to_string())?)];
    let address_lines = match options.get("--lines").unwrap_or("keep") {
        "keep" => false,
        "address" => true,
        other => return Err(format!("--lines takes keep or address, not {other}")),
    };
    let tracking = match options.get("--detect").unwrap_or("auto") {
        "auto" => PathTracking::Auto,
        "flag" => PathTracking::Register,
        "copies" => PathTracking::DuplicateBlocks,
        other => match EncodingKind::ALL.into_iter().find(|kind| kind.name() == other) {
            Some(kind) => PathTracking::Encoding(kind),
            None => return Err(format!("--detect takes auto, flag, copies or psp0, not {other}")),
        },
    };
    let paths = options.get("--paths").map(|text| paths(text, &files)).transpose()?;
    let recording = match (paths, recording) {
        (Some(paths), _) => {
            let storage = CountStorage::default();
            RecordingOptions::Paths(PathOptions { paths, tracking, storage })
        }
        (None, Recording::Trace(codec)) => {
            RecordingOptions::Trace(TraceOptions { inline_coder, ..TraceOptions::new(codec) })
        }
        (None, other) => RecordingOptions::defaults_of(other).ok_or("--paths names the paths")?,
    };
    let options = instrumenter::Options {
        recording,
        inline,
        clones,
        address_lines,
        ..instrumenter::Options::default()
    };
    let out = instrument(files, RuntimeHome::OwnFile, "", &options).map_err(|e| e.to_string())?;
    let after = Dex::read(&out.files[0].1).map_err(|e| e.to_string())?;
    if let Some(violation) = verify(&after).first() {
        return Err(format!("the result is no valid code: {violation}"));
    }
    let text = text::classes(&after).to_string();
    Ok(format!("{}{}", summary(&out.report), without_build(&text, out.map.as_ref())))
}

/// The paths of `--paths`; a method's shape comes from a build's map.
fn paths(text: &str, files: &[(String, Vec<u8>)]) -> Result<PathsFile, String> {
    let every = instrumenter::Options::default();
    let out = instrument(files.to_vec(), RuntimeHome::OwnFile, "", &every);
    let out = out.map_err(|e| e.to_string())?;
    let map = out.map.ok_or("no map")?.unpack();
    let entry = |(i, text): (usize, &str)| {
        let mut parts = text.rsplitn(2, ':');
        let (steps, rest) = (parts.next(), parts.next().and_then(|rest| rest.split_once(':')));
        let (steps, (kind, method)) = steps.zip(rest).ok_or("--paths wants KIND:METHOD:STEPS")?;
        let found = map.methods.iter().find(|m| map.method_key(m) == method);
        let found = found.ok_or_else(|| format!("there is no method {method}"))?;
        let step = |step: &str| match step.parse() {
            Ok(address) => StepAt::Block(address),
            Err(_) => StepAt::Caught(step.to_owned()),
        };
        let kind = match kind {
            "whole" => PathKind::Whole,
            "prefix" => PathKind::Prefix,
            "piece" => PathKind::Piece,
            other => return Err(format!("a path is whole, prefix or piece, not {other}")),
        };
        Ok(PathEntry {
            id: format!("p{i}"),
            method: method.to_owned(),
            source: None,
            shape: format!("{:016x}", found.fingerprint),
            kind,
            steps: steps.split(',').map(step).collect(),
            lines: Vec::new(),
            seen: None,
        })
    };
    let paths: Result<Vec<_>, String> = text.split('|').enumerate().map(entry).collect();
    Ok(PathsFile { format: FORMAT.to_owned(), package: String::new(), paths: paths? })
}

/// The text with the runtime's classes in `pathlight/`, where each build has a package of its own:
/// a change elsewhere that changes build ids must not change expected results.
fn without_build(text: &str, map: Option<&PackedMap>) -> String {
    let Some(map) = map else { return text.to_owned() };
    let own = BuildPackage::new(map.build()).name("Lpathlight/").into_owned();
    text.replace(&own, "Lpathlight/")
}

/// Summary of a build's report, as comments.
fn summary(report: &Report) -> String {
    let counts = [
        (report.branches, "branches"),
        (report.slots, "slots"),
        (report.handlers, "handlers"),
        (report.regions, "regions"),
        (report.loops, "counted loops"),
        (report.inlined, "inlined calls"),
        (report.copied, "methods with copies"),
    ];
    let counts: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    let mut text =
        if counts.is_empty() { String::new() } else { format!("; {}\n", counts.join(", ")) };
    for method in &report.skipped {
        text += &format!("; left as it was: {}: {}\n", method.method, method.reason);
    }
    text
}
