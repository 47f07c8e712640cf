//! The pipeline over dex files: select, plan, weave, write, and the map that explains the result.

use std::collections::{BTreeMap, HashMap};

use dex::file::{DexString, Value};
use dex::{Body, Dex, Item, StringIdx, WriteError};
use model::map::{self, BlockId, BuildId, Codec, Map};
use model::profile::BranchShape;
use model::table;
use rayon::prelude::*;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::apk::Manifest;
use crate::lifecycle;
use crate::plan::{Plan, Selection, Site, SkipReason, Subject, plan, select};
use crate::probe::{RUNTIME_METHOD_REFS, RuntimeRefs};
use crate::program::{DexFile, MethodNo, Program};
use crate::rewrite::{Weave, weave};
use crate::runtime;

/// Where logs go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sink {
    /// Trace files in the app's cache folder.
    #[default]
    File,
    /// Lines in logcat.
    Logcat,
}

/// What the user wants.
#[derive(Debug, Clone)]
pub struct Options {
    /// How decisions become bits; [`Codec::None`] only takes apart and puts together.
    pub codec: Codec,
    /// Globs over dotted names (`com.example.*`); empty: everything.
    pub include: Vec<String>,
    /// Globs over dotted names.
    pub exclude: Vec<String>,
    /// Where logs go.
    pub sink: Sink,
    /// Limit of a trace file in bytes.
    pub cap: u32,
    /// At the limit: keep the newest (`true`) or stop.
    pub ring: bool,
    /// History.
    pub model: Option<model::profile::Profile>,
    /// Source names behind R8's renaming (`mapping.txt`); identities and reports use them.
    pub mapping: Option<model::mapping::Mapping>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            codec: Codec::Arith,
            include: Vec::new(),
            exclude: Vec::new(),
            sink: Sink::File,
            cap: 32 << 20,
            ring: false,
            model: None,
            mapping: None,
        }
    }
}

/// Whether the runtime gets a dex file of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuntimeHome {
    /// A new file (Android 5 and later load them all).
    OwnFile,
    /// The first file.
    FirstFile,
}

/// Counts of one dex file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DexReport {
    /// File name.
    pub name: String,
    /// Classes.
    pub classes: usize,
    /// Methods with code.
    pub methods: usize,
    /// Methods that carry probes (with codec `none`: that were taken apart and put together).
    pub instrumented: usize,
    /// Instructions of the original.
    pub instructions: usize,
    /// Bytes before.
    pub bytes_in: usize,
    /// Bytes after.
    pub bytes_out: usize,
}

/// A method left as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedMethod {
    /// `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Why.
    pub reason: String,
}

/// What happened.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// Per dex file.
    pub dex: Vec<DexReport>,
    /// Methods left as they were.
    pub skipped: Vec<SkippedMethod>,
    /// Branch blocks, slots, handlers.
    pub branches: usize,
    /// Call slots.
    pub slots: usize,
    /// Callbacks of the platform with a distribution of what comes next.
    pub idle_slots: usize,
    /// Handlers.
    pub handlers: usize,
    /// How the model's history was found.
    pub history: Option<History>,
}

/// How many branches found their history in the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct History {
    /// Method of the same name, unchanged.
    pub exact: u64,
    /// Changed method, branch recognised by its surroundings.
    pub by_fingerprint: u64,
    /// Method of another name with the same body.
    pub moved: u64,
    /// Without history: all alternatives equally likely.
    pub none: u64,
}

/// Rewritten dex files.
#[derive(Debug)]
pub struct Output {
    /// By name: the originals in their order.
    pub files: Vec<(String, Vec<u8>)>,
    /// New files to add behind them.
    pub added: Vec<Vec<u8>>,
    /// The map; `None` for codec `none`.
    pub map: Option<Map>,
    /// What happened.
    pub report: Report,
}

/// Why nothing could be written.
#[derive(Debug, thiserror::Error)]
pub enum InstrumentError {
    /// A dex file that cannot be read.
    #[error("{file}: {problem}")]
    Read {
        /// Which.
        file: String,
        /// What is wrong.
        #[source]
        problem: dex::ReadError,
    },
    /// A dex file that cannot be written.
    #[error("{file}: {problem}")]
    Write {
        /// Which.
        file: String,
        /// What is wrong.
        #[source]
        problem: WriteError,
    },
    /// Classes cannot be moved to make room for the runtime's references.
    #[error("{file}: no room for the runtime: {problem}")]
    Split {
        /// Which.
        file: String,
        /// What is wrong.
        problem: String,
    },
    /// The input already carries probes.
    #[error("{file} is already instrumented by Pathlight")]
    AlreadyInstrumented {
        /// Which.
        file: String,
    },
    /// A trained model that does not fit.
    #[error("the model: {0}")]
    Model(String),
    /// The embedded runtime is damaged.
    #[error("the embedded runtime: {0}")]
    Runtime(String),
}

/// Rewrites dex files that have no manifest.
///
/// # Errors
/// Unreadable or unwritable dex files. A single method never fails the job: it is left as it was and reported.
pub fn instrument(
    inputs: Vec<(String, Vec<u8>)>,
    home: RuntimeHome,
    package: &str,
    options: &Options,
) -> Result<Output, InstrumentError> {
    instrument_with(inputs, home, package, None, options)
}

/// Rewrites the dex files of an app. The manifest tells the components, and so which callback the platform is likely to call next.
///
/// # Errors
/// As [`instrument`].
pub fn instrument_with(
    inputs: Vec<(String, Vec<u8>)>,
    home: RuntimeHome,
    package: &str,
    manifest: Option<&Manifest>,
    options: &Options,
) -> Result<Output, InstrumentError> {
    let files = read_all(&inputs)?;
    let mut report = Report::default();
    for ((name, bytes), file) in inputs.iter().zip(&files) {
        report.dex.push(DexReport { name: name.clone(), bytes_in: bytes.len(), ..count(&file.dex) });
    }
    if options.codec == Codec::None {
        return rebuild(files, report);
    }
    let mut refused = HashMap::new();
    let mut files = Some(files);
    loop {
        // A second attempt is rare (a method that cannot be written): it reads again rather than keep a copy.
        let parts = match files.take() {
            Some(files) => make_room(files, home)?,
            None => make_room(read_all(&inputs)?, home)?,
        };
        match attempt(parts, &inputs, home, package, manifest, options, &refused, report.clone()) {
            Ok(output) => return Ok(output),
            Err(Failure::Method(no, reason)) if !refused.contains_key(&no) => {
                refused.insert(no, reason);
            }
            Err(Failure::Method(_, reason)) => return Err(InstrumentError::Runtime(reason.to_string())),
            Err(Failure::Fatal(e)) => return Err(e),
        }
    }
}

fn read_all(inputs: &[(String, Vec<u8>)]) -> Result<Vec<DexFile>, InstrumentError> {
    inputs
        .par_iter()
        .map(|(name, bytes)| {
            let dex = Dex::read(bytes).map_err(|problem| InstrumentError::Read { file: name.clone(), problem })?;
            let probes = dex.classes.iter().any(|c| dex.type_name(c.ty) == runtime::PROBES);
            if probes {
                return Err(InstrumentError::AlreadyInstrumented { file: name.clone() });
            }
            Ok(DexFile { name: name.clone(), dex })
        })
        .collect()
}

fn count(dex: &Dex) -> DexReport {
    let methods = dex.classes.iter().flat_map(|c| c.methods()).filter(|m| m.code.is_some()).count();
    DexReport { classes: dex.classes.len(), methods, ..DexReport::default() }
}

/// Codec `none`: every body through decode, edit list, lowering.
fn rebuild(mut files: Vec<DexFile>, mut report: Report) -> Result<Output, InstrumentError> {
    let mut out = Vec::new();
    for (file, counts) in files.iter_mut().zip(&mut report.dex) {
        let dex = &mut file.dex;
        let decoded: Vec<_> = dex
            .codes
            .par_iter()
            .map(|body| match body {
                Body::Raw(raw) => dex::decode::decode(raw).map_err(|e| e.to_string()),
                Body::Edited(code) => Ok(code.clone()),
            })
            .collect();
        let mut reasons: HashMap<u32, String> = HashMap::new();
        for (i, result) in decoded.into_iter().enumerate() {
            match result {
                Ok(code) => {
                    counts.instructions += instructions(&code);
                    dex.codes[i] = Body::Edited(code);
                }
                Err(reason) => {
                    reasons.insert(i as u32, reason);
                }
            }
        }
        counts.instrumented = counts.methods;
        for class in &dex.classes {
            for m in class.methods() {
                if let Some(reason) = m.code.and_then(|c| reasons.get(&c.0)) {
                    counts.instrumented -= 1;
                    report.skipped.push(SkippedMethod { method: dex.method_name(m.method), reason: reason.clone() });
                }
            }
        }
        let bytes = dex.write().map_err(|problem| InstrumentError::Write { file: file.name.clone(), problem })?;
        counts.bytes_out = bytes.len();
        out.push((file.name.clone(), bytes));
    }
    Ok(Output { files: out, added: Vec::new(), map: None, report })
}

fn instructions(code: &dex::Code) -> usize {
    code.nodes.iter().filter(|n| matches!(n.item, Item::Insn(_))).count()
}

/// References that probes may add to each pool of a dex file, with a margin.
const ROOM: usize = RUNTIME_METHOD_REFS + 8;
/// References that the whole runtime may add, with a margin.
const RUNTIME_ROOM: usize = 600;

/// The files to work on, and for each the input that its classes come from. Files behind the inputs' own
/// are new.
struct Parts {
    files: Vec<DexFile>,
    origins: Vec<usize>,
}

/// Moves classes out of files whose pools have no room for the runtime's references.
fn make_room(files: Vec<DexFile>, home: RuntimeHome) -> Result<Parts, InstrumentError> {
    let mut kept = Vec::new();
    let mut new = Vec::new();
    let mut origins: Vec<usize> = (0..files.len()).collect();
    for (i, mut file) in files.into_iter().enumerate() {
        let room = if i == 0 && home == RuntimeHome::FirstFile { RUNTIME_ROOM } else { ROOM };
        let crowded = |d: &Dex| {
            [d.method_count(), d.field_count(), d.type_count(), d.proto_count()].iter().any(|&n| n + room > 65_536)
        };
        let mut rest: Option<Dex> = None;
        while crowded(&file.dex) && file.dex.classes.len() > 1 {
            // The last tenth of the classes: enough in practice, and cheap to repeat.
            let n = file.dex.classes.len();
            let moved: Vec<usize> = (n - n.div_ceil(10)..n).collect();
            let fail =
                |e: dex::merge::MergeError| InstrumentError::Split { file: file.name.clone(), problem: e.to_string() };
            let split = file.dex.split_off(&moved).map_err(fail)?;
            file.dex.compact().map_err(fail)?;
            match &mut rest {
                None => rest = Some(split),
                Some(rest) => {
                    for class in 0..split.classes.len() {
                        rest.import_class(&split, class).map_err(fail)?;
                    }
                }
            }
        }
        if let Some(mut dex) = rest {
            dex.compact().map_err(|e| InstrumentError::Split { file: file.name.clone(), problem: e.to_string() })?;
            new.push(DexFile { name: format!("{} (moved classes)", file.name), dex });
            origins.push(i);
        }
        kept.push(file);
    }
    kept.extend(new);
    Ok(Parts { files: kept, origins })
}

enum Failure {
    Method(MethodNo, SkipReason),
    Fatal(InstrumentError),
}

#[allow(clippy::too_many_arguments, reason = "one call, in one place")]
fn attempt(
    parts: Parts,
    inputs: &[(String, Vec<u8>)],
    home: RuntimeHome,
    package: &str,
    manifest: Option<&Manifest>,
    options: &Options,
    refused: &HashMap<MethodNo, SkipReason>,
    mut report: Report,
) -> Result<Output, Failure> {
    let Parts { mut files, origins } = parts;
    let extra = files.len() - inputs.len();
    let refs: Vec<RuntimeRefs> = files.iter_mut().map(|f| RuntimeRefs::intern(&mut f.dex)).collect();
    let mut program = Program::new(files);
    let graphs = lifecycle::lifecycles(&program, manifest);
    let constructors = lifecycle::constructors(&program, manifest, &graphs);
    program.add_called_from_outside(constructors);
    let selection = select(&program, &|key| wanted(options, key), refused);
    let plan = plan(&program, &selection);
    let (freqs, history) = distributions(&program, &selection, options);
    report.history = history;
    let codes: Vec<dex::Code> = selection
        .subjects
        .par_iter()
        .enumerate()
        .map(|(i, s)| {
            let file = program.class(program.method(s.no).class).dex;
            let w = Weave {
                refs: &refs[file],
                id: plan.ids[&s.no],
                first_handler: plan.first_handler[i],
                freqs: &freqs[i],
                sites: &plan.sites[i],
            };
            weave(s, &w)
        })
        .collect();
    let mut map = build_map(&program, &selection, &plan, &freqs, package, options);
    lifecycle::fill_idle(&mut map, &graphs, &plan.ids, options.model.as_ref());
    map.build = build_id(inputs, &map, options);

    report.branches = freqs.iter().map(HashMap::len).sum();
    report.slots = plan.slots.len() - 1;
    report.idle_slots = map.idle.len();
    report.handlers = plan.handlers as usize;
    for s in &selection.subjects {
        let file = program.class(program.method(s.no).class).dex;
        let counts = &mut report.dex[origins[file]];
        counts.instrumented += 1;
        counts.instructions += instructions(&s.code);
    }
    for skipped in &map.skipped {
        report.skipped.push(SkippedMethod { method: skipped.method.clone(), reason: skipped.reason.clone() });
    }

    let mut files = place_codes(program, &selection, codes);
    let runtime = configured_runtime(&map, options).map_err(Failure::Fatal)?;
    if home == RuntimeHome::FirstFile {
        for class in 0..runtime.classes.len() {
            files[0]
                .dex
                .import_class(&runtime, class)
                .map_err(|e| Failure::Fatal(InstrumentError::Runtime(e.to_string())))?;
        }
    }
    let written: Vec<_> = files.iter().map(|f| f.dex.write()).collect();
    let mut out = Vec::new();
    for (file, bytes) in files.iter().zip(written) {
        match bytes {
            Ok(bytes) => out.push((file.name.clone(), bytes)),
            Err(WriteError::Body { method, problem }) => {
                let no = selection.subjects.iter().map(|s| s.no).find(|&no| key_matches(&map, &plan, no, &method));
                return Err(match no {
                    Some(no) => Failure::Method(no, SkipReason::Lowering(problem.to_string())),
                    None => Failure::Fatal(InstrumentError::Write {
                        file: file.name.clone(),
                        problem: WriteError::Body { method, problem },
                    }),
                });
            }
            Err(problem) => {
                return Err(Failure::Fatal(InstrumentError::Write { file: file.name.clone(), problem }));
            }
        }
    }
    let mut added: Vec<Vec<u8>> = out.split_off(out.len() - extra).into_iter().map(|(_, bytes)| bytes).collect();
    for (counts, (_, bytes)) in report.dex.iter_mut().zip(&out) {
        counts.bytes_out = bytes.len();
    }
    if home == RuntimeHome::OwnFile {
        let bytes = runtime.write().map_err(|e| Failure::Fatal(InstrumentError::Runtime(e.to_string())))?;
        added.push(bytes);
    }
    Ok(Output { files: out, added, map: Some(map), report })
}

fn key_matches(map: &Map, plan: &Plan, no: MethodNo, key: &str) -> bool {
    map.method(plan.ids[&no]).is_some_and(|m| map.method_key(m) == key)
}

fn wanted(options: &Options, key: &str) -> bool {
    // `Lcom/example/Foo;->bar(I)V` is matched as `com.example.Foo`.
    let class = key.split(";->").next().unwrap_or(key).trim_start_matches('L').replace('/', ".");
    let any = |globs: &[String]| globs.iter().any(|g| glob_match::glob_match(g, &class));
    (options.include.is_empty() || any(&options.include)) && !any(&options.exclude)
}

/// Frequencies of every branch block of one subject.
type Freqs = HashMap<BlockId, Vec<u16>>;

fn distributions(program: &Program, selection: &Selection, options: &Options) -> (Vec<Freqs>, Option<History>) {
    let mut matcher = options.model.as_ref().map(model::profile::Matcher::new);
    let mut all = Vec::with_capacity(selection.subjects.len());
    for s in &selection.subjects {
        let shapes: Vec<BranchShape> = s
            .branches
            .iter()
            .map(|&(b, fingerprint)| BranchShape {
                fingerprint,
                alternatives: s.cfg.block(b).end.successors().len() as u32,
            })
            .collect();
        let known = match &mut matcher {
            Some(m) if !shapes.is_empty() => {
                m.match_method(&source_key(program, s.no, options), s.fingerprint, &shapes)
            }
            _ => vec![None; shapes.len()],
        };
        let counts = known.into_iter().zip(&shapes).map(|(k, b)| k.unwrap_or_else(|| vec![0; b.alternatives as usize]));
        all.push(s.branches.iter().map(|b| b.0).zip(counts).collect::<Vec<_>>());
    }
    let freqs =
        all.into_par_iter().map(|m| m.into_iter().map(|(b, counts)| (b, quantised(&counts))).collect()).collect();
    let history = matcher.map(|m| {
        let s = m.stats();
        History { exact: s.exact, by_fingerprint: s.by_fingerprint, moved: s.moved, none: s.none }
    });
    (freqs, history)
}

/// The method's identity for the model: its name in the sources.
fn source_key(program: &Program, no: MethodNo, options: &Options) -> String {
    let (class, name, descriptor) = source_names(program, no, options);
    format!("{class}->{name}{descriptor}")
}

fn source_names(program: &Program, no: MethodNo, options: &Options) -> (String, String, String) {
    let method = program.method(no);
    let class = program.text(program.class(method.class).name);
    let sig = program.text(method.sig);
    let (name, descriptor) = sig.split_at(sig.find('(').unwrap_or(0));
    match &options.mapping {
        None => (class.into(), name.into(), descriptor.into()),
        Some(m) => {
            let key = m.method_key(class, name, descriptor);
            let split = key.split_once("->").and_then(|(c, rest)| Some((c, rest, rest.find('(')?)));
            match split {
                Some((c, rest, at)) => (c.into(), rest[..at].into(), rest[at..].into()),
                None => (class.into(), name.into(), descriptor.into()),
            }
        }
    }
}

fn quantised(counts: &[u64]) -> Vec<u16> {
    table::quantise(counts).expect("selection admits only branches that fit a table")
}

/// Weights of a slot: the model's counts, or, without history, equal ones for all callees. Nothing says
/// beforehand that a call ends up outside the app, so that alternative begins small.
fn slot_freqs(tally: Option<&model::profile::Tally>, callees: &[String], first: &str) -> Vec<u16> {
    let mut counts = vec![8u64; callees.len() + 1];
    counts[0] = u64::from(callees.is_empty());
    if let Some(tally) = tally {
        counts[0] = tally.get(first).copied().unwrap_or(0);
        for (n, callee) in counts[1..].iter_mut().zip(callees) {
            *n = tally.get(callee).copied().unwrap_or(0);
        }
    }
    quantised(&counts)
}

fn build_map(
    program: &Program,
    selection: &Selection,
    plan: &Plan,
    freqs: &[Freqs],
    package: &str,
    options: &Options,
) -> Map {
    let mut names = Names::default();
    let mut methods: Vec<map::Method> = selection
        .subjects
        .par_iter()
        .enumerate()
        .map(|(i, s)| map_method(program, s, &freqs[i], &plan.sites[i]))
        .collect();
    let mut handlers = Vec::with_capacity(plan.handlers as usize);
    for (s, m) in selection.subjects.iter().zip(&mut methods) {
        let class = program.class(program.method(s.no).class);
        let (class_name, name, descriptor) = source_names(program, s.no, options);
        m.class = names.add(&class_name);
        m.name = names.add(&name);
        m.descriptor = names.add(&descriptor);
        let dex = &program.files[class.dex].dex;
        m.source_file = dex.classes[class.def].source_file.map(|f| names.add(&dex.string(f)));
        handlers.extend(s.handlers.iter().map(|&block| map::Handler { method: plan.ids[&s.no], block }));
    }
    let slots = plan
        .slots
        .iter()
        .map(|s| {
            let site = slot_key(&s.key, options);
            let callees: Vec<String> = s
                .callees
                .iter()
                .map(|id| source_key(program, selection.subjects[id.0 as usize - 1].no, options))
                .collect();
            let tally = options.model.as_ref().and_then(|m| m.slots.get(&site));
            map::Slot {
                callees: s.callees.clone(),
                freqs: slot_freqs(tally, &callees, model::profile::NONE),
                site: names.add(&site),
            }
        })
        .collect();
    let largest = methods.len().max(handlers.len()) as u32;
    let skipped = selection
        .skipped
        .iter()
        .map(|(no, reason)| map::Skipped { method: program.method_key(*no), reason: reason.to_string() })
        .collect();
    Map {
        build: BuildId::default(),
        codec: options.codec,
        id_bits: (32 - largest.leading_zeros()).max(1) as u8,
        package: package.to_owned(),
        names: names.list,
        methods,
        handlers,
        slots,
        idle: Vec::new(),
        skipped,
    }
}

/// The name of a call site's method in the sources.
fn slot_key(key: &str, options: &Options) -> String {
    let parts = key.split_once("->").and_then(|(class, rest)| Some((class, rest, rest.find('(')?)));
    match (&options.mapping, parts) {
        (Some(m), Some((class, rest, at))) => m.method_key(class, &rest[..at], &rest[at..]),
        _ => key.to_owned(),
    }
}

#[derive(Default)]
struct Names {
    list: Vec<String>,
    lookup: HashMap<String, map::NameId>,
}

impl Names {
    fn add(&mut self, name: &str) -> map::NameId {
        if let Some(&id) = self.lookup.get(name) {
            return id;
        }
        let id = map::NameId(self.list.len() as u32);
        self.list.push(name.to_owned());
        self.lookup.insert(name.to_owned(), id);
        id
    }
}

/// The map's view of a subject; the names are filled in later.
fn map_method(program: &Program, s: &Subject, freqs: &Freqs, sites: &[(usize, Site)]) -> map::Method {
    let _ = program;
    let branches: BTreeMap<BlockId, u64> = s.branches.iter().copied().collect();
    let mut line = None;
    let mut node = 0;
    let mut sites = sites.iter().peekable();
    let mut blocks = Vec::with_capacity(s.cfg.blocks.len());
    for (b, block) in s.cfg.blocks.iter().enumerate() {
        let id = BlockId(b as u32);
        let pc = s.addresses[block.first];
        let mut lines: Vec<(u32, u32)> = Vec::new();
        while node <= block.last {
            match &s.code.nodes[node].item {
                Item::Debug(dex::debug::DebugEvent::Line(l)) => line = Some(*l),
                Item::Insn(_) => {
                    if let Some(l) = line.filter(|&l| lines.last().map(|x| x.1) != Some(l)) {
                        lines.push((s.addresses[node], l));
                    }
                }
                _ => {}
            }
            node += 1;
        }
        let mut calls = Vec::new();
        while let Some((n, site)) = sites.next_if(|(n, _)| *n <= block.last) {
            let call = match *site {
                Site::Predicted(m) => map::Call::Predicted(m),
                Site::Slot(slot) => map::Call::Slot(slot),
            };
            calls.push(map::CallSite { pc: s.addresses[*n], call });
        }
        let Item::Insn(last) = &s.code.nodes[block.last].item else { unreachable!("blocks end in instructions") };
        let terminator = match &block.end {
            crate::cfg::End::Return => map::Terminator::Return,
            crate::cfg::End::Throw => map::Terminator::Throw,
            crate::cfg::End::Goto(t) => map::Terminator::Goto(*t),
            crate::cfg::End::Branch(all) => map::Terminator::Branch {
                alternatives: all.iter().copied().zip(freqs[&id].iter().copied()).collect(),
                identity: map::BranchIdentity { fingerprint: branches[&id] },
            },
        };
        let end = s.addresses[block.last] + last.op.units();
        blocks.push(map::Block { pc, end, lines, calls, throws: block.throws, mark: block.mark, terminator });
    }
    map::Method {
        class: map::NameId(0),
        name: map::NameId(0),
        descriptor: map::NameId(0),
        source_file: None,
        guarded: s.guarded,
        blocks,
        fingerprint: s.fingerprint,
    }
}

fn build_id(inputs: &[(String, Vec<u8>)], map: &Map, options: &Options) -> BuildId {
    let mut h = Sha256::new();
    h.update(b"pathlight build 1");
    for (name, bytes) in inputs {
        h.update((name.len() as u64).to_be_bytes());
        h.update(name);
        h.update((bytes.len() as u64).to_be_bytes());
        h.update(bytes);
    }
    h.update(map.to_bytes());
    h.update([options.sink as u8, u8::from(options.ring)]);
    h.update(options.cap.to_be_bytes());
    h.update(runtime::RUNTIME_DEX);
    let digest = h.finalize();
    BuildId(digest[..16].try_into().expect("a SHA-256 has 32 bytes"))
}

/// Puts the woven bodies in place. A body that several methods share is given only to its own method.
fn place_codes(program: Program, selection: &Selection, codes: Vec<dex::Code>) -> Vec<DexFile> {
    let places: Vec<(usize, usize, usize)> = selection
        .subjects
        .iter()
        .map(|s| {
            let m = program.method(s.no);
            let c = program.class(m.class);
            (c.dex, c.def, m.position)
        })
        .collect();
    let mut files = program.files;
    for ((file, class, position), code) in places.into_iter().zip(codes) {
        let dex = &mut files[file].dex;
        let id = dex::CodeId(dex.codes.len() as u32);
        dex.codes.push(Body::Edited(code));
        let class = &mut dex.classes[class];
        class.methods_mut().nth(position).expect("positions come from the same class").code = Some(id);
    }
    files
}

/// The runtime with this build's numbers in its configuration.
fn configured_runtime(map: &Map, options: &Options) -> Result<Dex, InstrumentError> {
    let bad = |what: &str| InstrumentError::Runtime(what.to_owned());
    let mut dex = Dex::read(runtime::RUNTIME_DEX).map_err(|e| bad(&e.to_string()))?;
    let build = dex.intern_str(&map.build.to_string());
    let slots = intern_units(&mut dex, &slot_units(map));
    let idle = intern_units(&mut dex, &idle_units(map));
    let sink = match options.sink {
        Sink::File => 0,
        Sink::Logcat => 1,
    };
    let values = [
        ("BUILD_ID", Value::String(build)),
        ("ID_BITS", Value::Int(map.id_bits.into())),
        ("SLOTS", Value::String(slots)),
        ("IDLE", Value::String(idle)),
        ("SINK", Value::Int(sink)),
        ("CAP_BYTES", Value::Int(i32::try_from(options.cap).unwrap_or(i32::MAX))),
        ("RING", Value::Boolean(options.ring)),
    ];
    let class = dex
        .classes
        .iter()
        .position(|c| dex.type_name(c.ty) == runtime::CONFIG)
        .ok_or_else(|| bad("it has no configuration class"))?;
    for (name, value) in values {
        let field = dex.classes[class]
            .static_fields
            .iter()
            .position(|f| dex.string(dex.fields.items()[f.field.index()].name) == name)
            .ok_or_else(|| bad(&format!("its configuration has no {name}")))?;
        let slot = dex.classes[class]
            .static_values
            .get_mut(field)
            .ok_or_else(|| bad(&format!("{name} has no initial value")))?;
        *slot = value;
    }
    Ok(dex)
}

fn intern_units(dex: &mut Dex, units: &[u16]) -> StringIdx {
    dex.strings.intern(DexString(dex::mutf8::encode_units(units.iter().copied()).into()))
}

fn pair(v: u32) -> [u16; 2] {
    [(v >> 16) as u16, v as u16]
}

/// `Config.SLOTS`: see the runtime's `Slots`.
fn slot_units(map: &Map) -> Vec<u16> {
    let mut tables: Vec<u16> = Vec::new();
    let mut head: Vec<u16> = pair(map.slots.len() as u32).to_vec();
    let start = 2 + 2 * map.slots.len();
    for slot in &map.slots {
        head.extend(pair((start + tables.len()) as u32));
        tables.extend([slot.freqs.len() as u16, 0, slot.freqs[0]]);
        let mut cum = slot.freqs[0];
        for (callee, &freq) in slot.callees.iter().zip(&slot.freqs[1..]) {
            tables.extend(pair(callee.0));
            tables.extend([cum, freq]);
            cum += freq;
        }
    }
    head.extend(tables);
    head
}

/// `Config.IDLE`: see the runtime's `Slots`.
fn idle_units(map: &Map) -> Vec<u16> {
    let mut units = pair(map.idle.len() as u32).to_vec();
    for (method, slot) in &map.idle {
        units.extend(pair(method.0));
        units.extend(pair(slot.0));
    }
    units
}
