//! `pathlight inspect`.

mod graphs;
mod logs;

use std::collections::BTreeMap;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use decoder::Damage;
use decoder::log::Collector;
use instrumenter::graphs::{AppFacts, OriginFacts, app_facts};
use model::map::{CallKind, Map, OriginKind, Terminator};
use model::text::{is_text, to_utf8};
use serde::Serialize;

use crate::error::{Result, Usage};
use crate::inputs::facts::look;
use crate::outputs::Kind;
use crate::outputs::print::{Printer, counted, show};
use crate::outputs::progress::Progress;

/// Show what a map, a package, a log or a model holds; write the graphs of an app.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight inspect app.plmap --all
  pathlight inspect beta.apk
  adb logcat -d | pathlight inspect -
  pathlight inspect pathlight-1234.plt --json
  pathlight inspect model.json
  pathlight inspect app.apk --graphs graphs
  pathlight inspect app.apk --graphs graphs --include 'com.example.*'
  dot -Tsvg graphs/components/activity-com.example.MainActivity.dot > main.svg

The file type is detected from the content.

Files of --graphs DIR:
DIR/index.json   lists all files
DIR/components/  one graph per activity, service, receiver, provider, application, fragment:
                 its callbacks, the order in which the platform calls them, and the functions
                 that each one reaches (the nearest 1,000)
DIR/classes/     one file per class: the blocks of its methods, with addresses in 16-bit units,
                 source lines, in- and out-degree, kinds, and edges; functions that no component
                 reaches are marked: reflection and native code are not followed")]
pub struct Args {
    /// A .plmap, a package (.apk, .aab, .jar, .dex, or an archive of APKs), a trace file, logcat
    /// text or a model; - reads a log from standard input.
    file: PathBuf,
    /// List every method of a map that was left as it was.
    #[arg(long, conflicts_with = "graphs")]
    all: bool,
    /// Write the app's control-flow graphs as JSON and DOT files into this folder.
    // The command that this option replaces wrote its folder as `-o`.
    #[arg(long, value_name = "DIR", alias = "output", short_alias = 'o')]
    graphs: Option<PathBuf>,
    /// Write graphs only of classes whose dotted name matches this glob; repeatable.
    #[arg(long, value_name = "GLOB", requires = "graphs")]
    include: Vec<String>,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    if !args.json && args.graphs.is_none() {
        out.page()?;
    }
    if args.file == Path::new("-") {
        if args.graphs.is_some() {
            return Err(Usage("--graphs reads the file of an app, not standard input").into());
        }
        let mut collector = Collector::new(None);
        collector.add("standard input", std::io::stdin().lock())?;
        return logs::show_logs("standard input", collector, args, out);
    }
    let fail = |e: std::io::Error| format!("{}: {e}", args.file.display());
    let mut input = BufReader::new(disk::open_log(&args.file).map_err(fail)?);
    let mut head = Vec::new();
    // A model names its format in its first lines.
    input.by_ref().take(1 << 12).read_to_end(&mut head).map_err(fail)?;
    let whole = |shown: Result| shown.map(|()| Damage::NONE);
    let kind = Kind::of(&to_utf8(&head));
    if let Some(folder) = &args.graphs {
        return match kind {
            None | Some(Kind::Package) => whole(graphs::write(args, folder, out)),
            Some(kind) => {
                let (file, kind) = (args.file.display(), kind.name());
                Err(format!("{file} is {kind}; --graphs reads the app itself").into())
            }
        };
    }
    match kind {
        Some(Kind::Map) => return whole(map(args, out)),
        Some(Kind::Package) => return whole(app(args, out)),
        Some(Kind::Model) => return whole(profile(args, out)),
        Some(Kind::Paths | Kind::TimeTree) => {
            return show_file(&args.file, args.json, out);
        }
        _ => {}
    }
    if model::trace::is_trace(&head) || is_logcat(&head[..head.len().min(64)]) {
        let name = args.file.display().to_string();
        let mut collector = Collector::new(None);
        if input.get_ref().metadata().map_err(fail)?.is_file() {
            collector.add_file(&name, &args.file)?;
        } else {
            // What was read of a pipe is not there a second time.
            collector.add(&name, (&head[..]).chain(input))?;
        }
        logs::show_logs(&name, collector, args, out)
    } else {
        show_file(&args.file, args.json, out)
    }
}

/// Returns whether this may be the begin of a log that is text, or of logcat's binary form
/// (`logcat -B`): a length, that of the header, and a process id.
fn is_logcat(head: &[u8]) -> bool {
    let is_binary = matches!(head, [_, _, 20..=32, 0, _, _, 0, 0, ..]);
    is_binary || is_text(head)
}

#[derive(Debug, Default, Serialize)]
struct MapFacts {
    kind: &'static str,
    build: String,
    codec: String,
    package: String,
    id_bits: u8,
    file_bytes: u64,
    methods: usize,
    guarded: usize,
    blocks: usize,
    branch_blocks: usize,
    alternatives: usize,
    without_probes: usize,
    predicted_calls: usize,
    implied_calls: usize,
    inlined_calls: usize,
    slot_calls: usize,
    call_slots: usize,
    next_callbacks: usize,
    handlers: usize,
    names: usize,
    origins: MapOrigins,
    skipped: usize,
    skipped_by_reason: BTreeMap<String, usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skipped_methods: Vec<model::map::Skipped>,
    /// Methods without probes, whose calls determine their path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    implied_methods: Vec<String>,
}

/// Values that callbacks may record as their origin.
#[derive(Debug, Default, Serialize)]
struct MapOrigins {
    ids: u32,
    named_ids: usize,
    positions: u32,
    keys: u32,
    actions: u32,
}

impl MapOrigins {
    fn of(map: &Map) -> MapOrigins {
        let mut origins = MapOrigins::default();
        for range in &map.origins {
            let count = match range.kind {
                OriginKind::Id => &mut origins.ids,
                OriginKind::Position => &mut origins.positions,
                OriginKind::Key => &mut origins.keys,
                OriginKind::Action => &mut origins.actions,
            };
            *count += range.count;
            if range.kind == OriginKind::Id {
                origins.named_ids += range.names.iter().flatten().count();
            }
        }
        origins
    }
}

fn map_facts(map: &Map, file_bytes: u64) -> MapFacts {
    let mut f = MapFacts {
        kind: "map",
        build: map.build.to_string(),
        codec: map.recording.to_string(),
        package: map.package.clone(),
        id_bits: map.id_bits,
        file_bytes,
        methods: map.methods.len(),
        next_callbacks: map.next_callbacks.len(),
        call_slots: map.slots.len().saturating_sub(map.next_callbacks.len() + 1),
        handlers: map.handlers.len(),
        names: map.names.len(),
        origins: MapOrigins::of(map),
        skipped: map.skipped.len(),
        inlined_calls: map.inlined.iter().flat_map(|m| &m.calls).filter(|c| c.depth == 0).count(),
        ..MapFacts::default()
    };
    for m in &map.methods {
        f.guarded += usize::from(m.guarded);
        f.blocks += m.blocks.len();
        for b in &m.blocks {
            if let Terminator::Branch { alternatives, .. } = &b.terminator {
                f.branch_blocks += 1;
                f.alternatives += alternatives.len();
            }
            for site in &b.calls {
                match site.call {
                    CallKind::Predicted(_) => f.predicted_calls += 1,
                    CallKind::Slot(_) => f.slot_calls += 1,
                    CallKind::Implied(_) => f.implied_calls += 1,
                }
            }
        }
    }
    f.without_probes = map.implied_methods().len();
    for s in &map.skipped {
        *f.skipped_by_reason.entry(s.reason.clone()).or_default() += 1;
    }
    f
}

fn map(args: &Args, out: &mut Printer) -> Result {
    let map = crate::inputs::read_map(&args.file)?;
    let mut f = map_facts(&map, std::fs::metadata(&args.file).map_or(0, |m| m.len()));
    if args.json {
        if args.all {
            let keys = map.implied_methods().into_iter().filter_map(|m| map.method(m));
            f.implied_methods = keys.map(|m| map.method_key(m)).collect();
            f.skipped_methods = map.skipped;
        }
        return Ok(out.json(&f)?);
    }
    show!(out, "map of build {}", f.build)?;
    if !f.package.is_empty() {
        show!(out, "package {}", f.package)?;
    }
    show!(out, "codec {}, {} bytes, {} bits for an id", f.codec, f.file_bytes, f.id_bits)?;
    let methods = counted(f.methods, "method");
    show!(out, "{methods}, {} of them guarded; {}", f.guarded, counted(f.handlers, "handler"))?;
    show!(
        out,
        "{}, {} with {}",
        counted(f.blocks, "block"),
        counted(f.branch_blocks, "branch block"),
        counted(f.alternatives, "alternative")
    )?;
    show!(
        out,
        "{}, {}, {} through {}",
        counted(f.predicted_calls, "predicted call"),
        counted(f.implied_calls, "implied one"),
        counted(f.slot_calls, "call"),
        counted(f.call_slots, "slot")
    )?;
    if f.inlined_calls > 0 {
        show!(out, "{} of the predicted calls are inlined", f.inlined_calls)?;
    }
    let callbacks = counted(f.next_callbacks, "callback");
    show!(out, "{callbacks} with a next-callback distribution")?;
    if !map.origins.is_empty() {
        let MapOrigins { ids, named_ids, positions, keys, actions } = f.origins;
        show!(
            out,
            "origins of callbacks: {} ({named_ids} with names), {}, {}, {}",
            counted(ids, "id"),
            counted(actions, "action"),
            counted(keys, "key"),
            counted(positions, "list position")
        )?;
    }
    let methods = counted(f.without_probes, "method");
    show!(out, "{methods} without probes: their calls already determine their path")?;
    show!(out, "{} left as they were", counted(f.skipped, "method"))?;
    let mut reasons: Vec<(&String, &usize)> = f.skipped_by_reason.iter().collect();
    reasons.sort_by_key(|r| std::cmp::Reverse(r.1));
    for (reason, n) in reasons {
        show!(out, "  {n:>6}  {reason}")?;
    }
    if args.all {
        for m in map.implied_methods().into_iter().filter_map(|m| map.method(m)) {
            show!(out, "without probes: {}", map.method_key(m))?;
        }
        for s in &map.skipped {
            show!(out, "left as it was: {}: {}", s.method, s.reason)?;
        }
    } else if f.skipped + f.without_probes > 0 {
        show!(out, "(--all lists them)")?;
    }
    Ok(())
}

fn app(args: &Args, out: &mut Printer) -> Result {
    let progress = Progress::new(format_args!("reading {}", args.file.display()));
    let f: AppFacts = app_facts(&args.file)?;
    drop(progress);
    if args.json {
        return Ok(out.json(&f)?);
    }
    let kind = serde_json::to_value(f.kind)?;
    let sdk = |v: Option<u32>| v.map_or("–".to_owned(), |v| v.to_string());
    show!(out, "{} of {} bytes", kind.as_str().unwrap_or_default(), f.bytes)?;
    if !f.package.is_empty() {
        let version = f.version_code.map_or(String::new(), |v| format!(" version {v}"));
        show!(
            out,
            "package {}{version}, SDK {} to {}",
            f.package,
            sdk(f.min_sdk),
            sdk(f.target_sdk)
        )?;
        if !f.splits.is_empty() {
            show!(out, "splits: {}", f.splits.join(", "))?;
        }
        show!(
            out,
            "signatures: {}",
            if f.signatures.is_empty() { "none".to_owned() } else { f.signatures.join(", ") }
        )?;
    }
    match &f.build {
        Some(build) => show!(out, "instrumented by Pathlight, build {build}")?,
        None => show!(out, "not instrumented")?,
    }
    show!(
        out,
        "{:<16} {:>4} {:>10} {:>8} {:>9} {:>9} {:>12} {:>9} {:>8} {:>9}",
        "",
        "dex",
        "bytes",
        "classes",
        "methods",
        "with code",
        "instructions",
        "if",
        "switch",
        "branches"
    )?;
    let mut row = |name: &str, version: &str, d: [usize; 8]| {
        show!(
            out,
            "{name:<16} {version:>4} {:>10} {:>8} {:>9} {:>9} {:>12} {:>9} {:>8} {:>9}",
            d[0],
            d[1],
            d[2],
            d[3],
            d[4],
            d[5],
            d[6],
            d[7]
        )
    };
    let mut sum = [0; 8];
    for d in &f.dex {
        let all = [
            d.bytes,
            d.classes,
            d.methods,
            d.with_code,
            d.instructions,
            d.ifs,
            d.switches,
            d.branch_blocks,
        ];
        row(&d.name, &format!("{:03}", d.version), all)?;
        sum.iter_mut().zip(all).for_each(|(s, v)| *s += v);
    }
    if f.dex.len() > 1 {
        row("all", "", sum)?;
    }
    if let Some(origins) = &f.origins {
        let OriginFacts { views, menu_items, actions, positions, keys, named_ids } = origins;
        show!(
            out,
            "callbacks that can record their origin: {views} a view's id, {menu_items} a menu \
             item's, {actions} an intent's action, {keys} a key, {positions} a list position; \
             resources name {}",
            counted(*named_ids, "id")
        )?;
    }
    for n in &f.ignored_dex {
        show!(out, "not loaded by Android: {n}")?;
    }
    if let Some(class) = &f.application {
        show!(out, "application {class}")?;
    }
    for c in &f.components {
        let kind = serde_json::to_value(c.kind)?;
        let process =
            if c.process == f.package { String::new() } else { format!(" in {}", c.process) };
        let launcher = if c.launcher { " (launcher)" } else { "" };
        show!(out, "{} {}{process}{launcher}", kind.as_str().unwrap_or_default(), c.class)?;
    }
    for u in f.dex.iter().flat_map(|d| &d.unreadable).take(20) {
        show!(out, "cannot be decoded: {}: {}", u.method, u.reason)?;
    }
    Ok(())
}

#[derive(Debug, Serialize)]
struct ModelFacts {
    kind: &'static str,
    sessions: u64,
    methods: usize,
    branches: usize,
    branches_seen: usize,
    decisions: u64,
    call_slots: usize,
    calls: u64,
    callbacks: usize,
    callback_steps: u64,
    bytes: u64,
}

fn profile(args: &Args, out: &mut Printer) -> Result {
    let p = crate::inputs::read_model(&args.file)?;
    let sum = |all: &BTreeMap<String, model::profile::Tally>| {
        all.values().flat_map(|t| t.values()).fold(0u64, |sum, &n| sum.saturating_add(n))
    };
    let branches = || p.methods.values().flat_map(|m| &m.branches);
    let f = ModelFacts {
        kind: "model",
        sessions: p.sessions,
        methods: p.methods.len(),
        branches: branches().count(),
        branches_seen: branches().filter(|b| b.is_seen()).count(),
        decisions: p.decisions(),
        call_slots: p.slots.len(),
        calls: sum(&p.slots),
        callbacks: p.next_callbacks.len(),
        callback_steps: sum(&p.next_callbacks),
        bytes: std::fs::metadata(&args.file).map_or(0, |m| m.len()),
    };
    if args.json {
        return Ok(out.json(&f)?);
    }
    show!(out, "model of {}, {}", counted(f.sessions, "session"), counted(f.bytes, "byte"))?;
    show!(
        out,
        "{}, {}, {} of them seen, {}",
        counted(f.methods, "method"),
        counted(f.branches, "branch"),
        f.branches_seen,
        counted(f.decisions, "decision")
    )?;
    show!(out, "{}, {}", counted(f.call_slots, "call site"), counted(f.calls, "call"))?;
    let callbacks = counted(f.callbacks, "callback");
    let transitions = counted(f.callback_steps, "transition");
    show!(out, "{callbacks} with successors, {transitions}")?;
    Ok(())
}

/// Shows what one file is.
///
/// # Errors
/// It is no file of Pathlight, or cannot be used.
fn show_file(path: &Path, as_json: bool, out: &mut Printer) -> Result<Damage> {
    let file = look(path);
    if let Some(problem) = file.problem {
        return Err(problem.into());
    }
    if as_json {
        out.json(&file)?;
    } else {
        show!(out, "{}: {}", file.kind, file.summary)?;
        file.builds.iter().try_for_each(|build| show!(out, "build {build}"))?;
    }
    Ok(file.damage)
}
