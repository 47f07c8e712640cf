//! The pipeline over dex files: select, plan, weave, write, and the map that explains the result.

use std::collections::HashMap;

use apk::Manifest;
use dex::{Body, BodySize, Dex, Item, SectionBytes, WriteError};
use model::map::Codec;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::analysis::program::{DexFile, MethodNo, Program};
use crate::cost::budget::{Budget, Review, too_large};
use crate::cost::measured::{Entry, Round};
use crate::cost::parts::{self, Growth, Measured, ProbeBytes};
use crate::cost::predict::{Source, measure};
use crate::error::InstrumentError;
use crate::inline::{self, Inlining};
use crate::lifecycle;
use crate::map_builder::build_map;
use crate::options::{Options, RuntimeHome, X86Safe};
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::distributions::distributions;
use crate::plan::history::source_key;
use crate::plan::ids::plan;
use crate::plan::selection::{decode_sound, select};
use crate::plan::subject::{Selection, SkipReason, Subject};
use crate::probes::probe::RuntimeRefs;
use crate::probes::runtime::{self, BuildPackage};
use crate::probes::runtime_config::configured_runtime;
use crate::report::{DexReport, Output, Report, SkippedMethod};
use crate::rewrite::check::{self, Broken, Check, Rulings};
use crate::rewrite::pool_capacity::{Parts, reserve_capacity};
use crate::rewrite::{Inputs, weave_all};
use crate::warnings;

/// Rewrites dex files that have no manifest.
///
/// # Errors Unreadable or unwritable dex files. A single method never fails the job: it is left as
/// it was and reported.
pub fn instrument(
    inputs: Vec<(String, Vec<u8>)>,
    home: RuntimeHome,
    package: &str,
    options: &Options,
) -> Result<Output, InstrumentError> {
    instrument_with(inputs, home, package, None, options)
}

/// Rewrites the dex files of an app. The manifest lists its components, from which follows which
/// callback the platform is likely to call next.
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
    instrument_checked(inputs, home, package, manifest, options, &check::broken)
}

/// As [`instrument_with`], with this check of the woven code.
pub(crate) fn instrument_checked(
    inputs: Vec<(String, Vec<u8>)>,
    home: RuntimeHome,
    package: &str,
    manifest: Option<&Manifest>,
    options: &Options,
    check: &Check,
) -> Result<Output, InstrumentError> {
    let files = read_all(&inputs)?;
    let mut report = Report::default();
    for ((name, bytes), file) in inputs.iter().zip(&files) {
        report.dex.push(DexReport {
            name: name.clone(),
            bytes_in: bytes.len(),
            ..count(&file.dex)
        });
    }
    if options.codec == Codec::None {
        return rebuild(files, report);
    }
    warnings::check_mapping(&files, options)?;
    let unfit = warnings::of_names(&files, options);
    let mut rulings = Rulings::new(check);
    let mut budget = Budget::new(options.limits);
    let mut files = Some(files);
    let app = App { files: &inputs, home, package, manifest, options };
    loop {
        // A second attempt is rare (a limit, a method that cannot be written): it reads again
        // rather than keep a copy.
        let parts = match files.take() {
            Some(files) => reserve_capacity(files, home)?,
            None => reserve_capacity(read_all(&inputs)?, home)?,
        };
        match attempt(app, parts, &rulings, report.clone()) {
            Ok((mut output, round)) => match budget.review(round) {
                Review::Holds(forecast) => {
                    output.report.forecast = Some(*forecast);
                    output.report.warnings = unfit;
                    output.report.warnings.extend(warnings::of_model(output.report.history));
                    return Ok(output);
                }
                Review::GiveUp(methods, back) => {
                    back.iter().for_each(|no| drop(rulings.refused.remove(no)));
                    rulings.refused.extend(methods);
                }
                Review::Fails(limit) => return Err(limit.into()),
            },
            Err(Failure::TooLarge(round)) => rulings.refused.extend(budget.too_large(round)),
            Err(Failure::Method(no, reason)) if !rulings.refused.contains_key(&no) => {
                rulings.refused.insert(no, reason);
            }
            Err(Failure::Broken(methods)) => {
                report.uninlined.extend(rulings.take_back(methods));
            }
            Err(Failure::Method(_, reason)) => {
                return Err(InstrumentError::Runtime(reason.to_string()));
            }
            Err(Failure::Fatal(e)) => return Err(e),
        }
    }
}

fn read_all(inputs: &[(String, Vec<u8>)]) -> Result<Vec<DexFile>, InstrumentError> {
    inputs
        .par_iter()
        .map(|(name, bytes)| {
            let mut dex = Dex::read(bytes)
                .map_err(|problem| InstrumentError::Read { file: name.clone(), problem })?;
            // Before anything is added: a method that names nothing is left, and must not come to
            // name that.
            dex.pin_dangling()
                .map_err(|problem| InstrumentError::Write { file: name.clone(), problem })?;
            let probes = dex
                .classes
                .iter()
                .any(|c| runtime::is_class(&dex.type_name(c.ty), model::protocol::probes::PROBES));
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
                Body::Raw(raw) => {
                    decode_sound(dex, raw).map(|(code, _)| code).map_err(|e| e.to_string())
                }
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
                    report.skipped.push(SkippedMethod {
                        method: dex.method_name(m.method),
                        reason: reason.clone(),
                        by_limit: false,
                        by_user: false,
                    });
                }
            }
        }
        let bytes = dex
            .write()
            .map_err(|problem| InstrumentError::Write { file: file.name.clone(), problem })?;
        counts.bytes_out = bytes.len();
        out.push((file.name.clone(), bytes));
    }
    Ok(Output { files: out, added: Vec::new(), map: None, report })
}

fn instructions(code: &dex::Code) -> usize {
    code.nodes.iter().filter(|n| matches!(n.item, Item::Insn(_))).count()
}

enum Failure {
    Method(MethodNo, SkipReason),
    /// Methods whose woven code ART would refuse.
    Broken(Vec<Broken>),
    /// Methods that need not be written to know that they are too large.
    TooLarge(Round),
    Fatal(InstrumentError),
}

/// What is to be instrumented, and how. Nothing changes it.
#[derive(Clone, Copy)]
struct App<'a> {
    /// Names and bytes of the dex files.
    files: &'a [(String, Vec<u8>)],
    /// Where the runtime goes.
    home: RuntimeHome,
    package: &'a str,
    manifest: Option<&'a Manifest>,
    options: &'a Options,
}

/// One whole instrumentation. Each value is made once, from those before it.
fn attempt(
    app: App<'_>,
    parts: Parts,
    rulings: &Rulings<'_>,
    mut report: Report,
) -> Result<(Output, Round), Failure> {
    let options = app.options;
    let Parts { files, origins } = parts;
    let extra = files.len() - app.files.len();
    let mut program = Program::new(files);
    let graphs = lifecycle::lifecycles(&program, app.manifest);
    let constructors = lifecycle::constructors(&program, app.manifest, &graphs);
    program.add_called_from_outside(constructors);
    let selection = selected(&program, options, rulings);
    let plan = plan(&program, &selection);
    let distributions = distributions(&program, &selection, options);
    let numbers = &distributions.numbers;
    let closed = selection.subjects.map(|i, s| {
        !numbers[i].tables.switch_lookups.is_empty() || rulings.uninlined.contains(&s.no)
    });
    let Inlining { selection, calls } =
        inline::choose(&program, selection, &plan, numbers, &closed, options);
    let identity = (app.package, origin(app.files, options));
    let map = build_map(&program, &graphs, &selection, &plan, numbers, identity, options);
    let runtime_package = BuildPackage::new(map.build);
    let refs: Vec<RuntimeRefs> = program
        .files
        .iter_mut()
        .map(|f| RuntimeRefs::intern(&mut f.dex, options.codec, &runtime_package))
        .collect();
    let file_of = |s: &Subject| program.class(program.method(s.no).class).dex;
    let codes = weave_all(&Inputs {
        subjects: &selection.subjects,
        refs: selection.subjects.map(|_, s| &refs[file_of(s)]),
        plan: &plan,
        numbers,
        inlined: &calls,
        codec: options.codec,
        address_lines: options.address_lines,
    });
    let broken = (rulings.check)(&program, &selection, &codes);
    if !broken.is_empty() {
        let of = |(i, problem): (SubjectId, String)| {
            let no = selection.subjects[i].no;
            Broken { no, method: program.method_key(no), hosts: !calls[i].is_empty(), problem }
        };
        return Err(Failure::Broken(broken.into_iter().map(of).collect()));
    }
    let by_model = distributions.has_counts();
    let model = options.model.as_ref().filter(|_| by_model);
    let source = |i: SubjectId| Source {
        codec: options.codec,
        subject: &selection.subjects[i],
        numbers: &numbers[i],
        by_model,
    };
    let round = measure(&program, &selection, &map, model, &source);
    let round = too_large(round, &codes, options.limits).map_err(Failure::TooLarge)?;
    report.branches = numbers.iter().map(|n| n.freqs.len()).sum();
    report.slots = plan.slots.len() - 1;
    report.next_callbacks = map.next_callbacks.len();
    report.handlers = plan.handlers as usize;
    report.regions = selection.subjects.iter().map(|s| s.paths.regions.len()).sum();
    report.inlined = calls.iter().map(Vec::len).sum();
    report.implied = selection.subjects.iter().filter(|s| s.implied).count();
    report.loops = selection.subjects.iter().map(|s| s.paths.loops.len()).sum();
    report.history = distributions.history;
    for s in &selection.subjects {
        let counts = &mut report.dex[origins[file_of(s)]];
        counts.instrumented += 1;
        counts.instructions += instructions(&s.code);
    }
    for (skipped, (_, why)) in map.skipped.iter().zip(&selection.skipped) {
        let (method, reason) = (skipped.method.clone(), skipped.reason.clone());
        let by_user = *why == SkipReason::Excluded;
        report.skipped.push(SkippedMethod { method, reason, by_limit: why.is_limit(), by_user });
    }
    let runtime = configured_runtime(&map, &runtime_package, &distributions.table, options)
        .map_err(Failure::Fatal)?;
    let probes = parts::of_probes(&program, &runtime_package, &selection.subjects, &codes);
    let placed = place_codes(program, &selection, codes);
    let written = write_files(app, placed, &runtime, round)?;
    let Written { mut files, runtime, round } = written;
    report.growth = growth(app, &files, &round, &probes);
    let mut added: Vec<Vec<u8>> =
        files.split_off(files.len() - extra).into_iter().map(|(_, bytes)| bytes).collect();
    added.extend(runtime);
    for (counts, (_, bytes)) in report.dex.iter_mut().zip(&files) {
        counts.bytes_out = bytes.len();
    }
    Ok((Output { files, added, map: Some(map), report }, round))
}

/// The methods that take part.
fn selected(program: &Program, options: &Options, rulings: &Rulings<'_>) -> Selection {
    let announced = |no| {
        let model = options.model.as_ref().filter(|m| !m.announced.is_empty());
        model.is_some_and(|m| m.announced.contains_key(&source_key(program, no, options)))
    };
    let x86_safe = options.x86_safe == X86Safe::Always;
    let choice = |key: &str| wanted(options, key);
    select(program, options.codec, x86_safe, &choice, &rulings.refused, &announced)
}

/// What the added bytes are for.
fn growth(
    app: App<'_>,
    files: &[(String, Vec<u8>)],
    round: &Round,
    probes: &ProbeBytes,
) -> Vec<Growth> {
    let sections = |files: &[(String, Vec<u8>)]| {
        let each = files.iter().filter_map(|(_, bytes)| dex::section_bytes(bytes).ok());
        each.fold(SectionBytes::default(), |sum, file| sum + file)
    };
    let protection = |size: fn(&Entry) -> BodySize| {
        round.entries.iter().map(|(_, e)| u64::from(size(e).protection)).sum()
    };
    parts::growth(
        Measured { sections: sections(app.files), protection: protection(|e| e.before) },
        Measured { sections: sections(files), protection: protection(|e| e.after) },
        probes,
        round.runtime,
    )
}

/// All dex files in bytes.
struct Written {
    /// In the order of the program's files.
    files: Vec<(String, Vec<u8>)>,
    /// The runtime's own file, if it has one.
    runtime: Option<Vec<u8>>,
    /// The round, with the sizes that came out.
    round: Round,
}

fn write_files(
    app: App<'_>,
    placed: Placed,
    runtime: &Dex,
    mut round: Round,
) -> Result<Written, Failure> {
    let Placed { mut files, bodies } = placed;
    let fatal = |e: String| Failure::Fatal(InstrumentError::Runtime(e));
    if app.home == RuntimeHome::FirstFile {
        for class in 0..runtime.classes.len() {
            files[0].dex.import_class(runtime, class).map_err(|e| fatal(e.to_string()))?;
        }
    }
    let written: Vec<_> = files.iter().map(|f| f.dex.write_measured()).collect();
    let mut out = Vec::new();
    let mut sizes = Vec::new();
    for (number, (file, written)) in files.into_iter().zip(written).enumerate() {
        match written {
            Ok(written) => {
                out.push((file.name, written.bytes));
                sizes.push(written.bodies);
            }
            Err(WriteError::Body { body, method, problem }) => {
                // One of the bodies that were woven: its method is left as it was.
                return Err(match bodies.iter().find(|(_, at)| *at == (number, body)) {
                    Some((no, _)) => {
                        Failure::Method(*no, SkipReason::Lowering(problem.to_string()))
                    }
                    None => {
                        let problem = WriteError::Body { body, method, problem };
                        Failure::Fatal(InstrumentError::Write { file: file.name, problem })
                    }
                });
            }
            Err(problem) => {
                return Err(Failure::Fatal(InstrumentError::Write { file: file.name, problem }));
            }
        }
    }
    let runtime = match app.home {
        RuntimeHome::OwnFile => Some(runtime.write().map_err(|e| fatal(e.to_string()))?),
        RuntimeHome::FirstFile => None,
    };
    for ((_, entry), (_, (file, body))) in round.entries.iter_mut().zip(bodies) {
        entry.after = sizes[file][body.0 as usize];
    }
    round.runtime = runtime.as_ref().map_or(0, |bytes| bytes.len() as u64);
    round.dex_before = app.files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let after = out.iter().map(|(_, bytes)| bytes).chain(&runtime);
    round.dex_after = after.map(|bytes| bytes.len() as u64).sum();
    Ok(Written { files: out, runtime, round })
}

fn wanted(options: &Options, key: &str) -> bool {
    // `Lcom/example/Foo;->bar(I)V` is matched as `com.example.Foo`.
    let class = key.split(";->").next().unwrap_or(key).trim_start_matches('L').replace('/', ".");
    let any = |globs: &[String]| globs.iter().any(|g| glob_match::glob_match(g, &class));
    (options.include.is_empty() || any(&options.include)) && !any(&options.exclude)
}

/// What makes a build beside its map: see [`Map::origin`].
fn origin(inputs: &[(String, Vec<u8>)], options: &Options) -> [u8; 32] {
    let mut h = Sha256::new();
    h.update(b"pathlight origin 1");
    for (name, bytes) in inputs {
        h.update((name.len() as u64).to_be_bytes());
        h.update(name);
        h.update((bytes.len() as u64).to_be_bytes());
        h.update(bytes);
    }
    h.update([options.sink as u8, u8::from(options.ring)]);
    h.update(options.cap.to_be_bytes());
    h.update(options.keep.to_be_bytes());
    h.update(runtime::RUNTIME_DEX);
    h.finalize().into()
}

/// Dex files with woven bodies.
struct Placed {
    files: Vec<DexFile>,
    /// Of each subject: its method, and where its body is: file and number in it.
    bodies: Vec<(MethodNo, (usize, dex::CodeId))>,
}

/// Puts the woven bodies in place. A body that several methods share is given only to its own
/// method.
fn place_codes(program: Program, selection: &Selection, codes: BySubject<dex::Code>) -> Placed {
    let places = selection.subjects.map(|_, s| {
        let m = program.method(s.no);
        let c = program.class(m.class);
        (s.no, c.dex, c.def, m.position, m.code.filter(|_| s.implied))
    });
    let mut files = program.files;
    let mut bodies = Vec::with_capacity(codes.len());
    for ((no, file, class, position, own), code) in places.into_iter().zip(codes) {
        if let Some(id) = own {
            bodies.push((no, (file, id)));
            continue;
        }
        let dex = &mut files[file].dex;
        let id = dex::CodeId(dex.codes.len() as u32);
        dex.codes.push(Body::Edited(code));
        let class = &mut dex.classes[class];
        class.methods_mut().nth(position).expect("positions come from the same class").code =
            Some(id);
        bodies.push((no, (file, id)));
    }
    Placed { files, bodies }
}
