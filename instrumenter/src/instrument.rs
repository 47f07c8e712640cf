//! Instruments dex files: selects methods, plans, weaves, writes, and builds the map that explains
//! the result.

use std::collections::HashSet;
use std::sync::Arc;

use apk::Manifest;
use dex::{BodySize, Dex, SectionBytes, Version};
use model::adaptive::Rule;
use model::cells::CellLayout;
use model::inlined::InlineError;
use model::map::{BuildId, Map};
use model::packed_map::PackedMap;
use model::profile::Profile;
use model::recording::Recording;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::analysis::by_convention::Outside;
use crate::analysis::program::{DexFile, MethodNo, Program};
use crate::analysis::source_names::SourceNames;
use crate::cost::budget::{Budget, Review, describe_crossing, too_large};
use crate::cost::growth::{self, DexSizes, Growth, ProbeBytes};
use crate::cost::measured::{MeasuredMethod, Round};
use crate::cost::predict::measure;
use crate::cost::run_time::CountedBuild;
use crate::dex_output::{self, DexOutput, SubjectBodies, Unwritable};
use crate::error::InstrumentError;
use crate::inline;
use crate::lifecycle;
use crate::map_builder::{self, build_map};
use crate::options::{Clones as CloneChoice, Inline, InlineCoder, Options, RuntimeHome, X86Safe};
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::called_back::called_back;
use crate::plan::clones::{ClonePlan, Clones, all_calls};
use crate::plan::distributions::{AllNumbers, distributions, histories};
use crate::plan::history::source_key;
use crate::plan::ids::{Plan, plan};
use crate::plan::inline_coders::InlineCoders;
use crate::plan::restarts;
use crate::plan::selected::SelectedPaths;
use crate::plan::selection::select;
use crate::plan::subject::{Selection, SkipReason};
use crate::probes::probe::RuntimeRefs;
use crate::probes::runtime::{self, BuildPackage};
use crate::probes::runtime_config::configured_runtime;
use crate::rebuild::rebuild;
use crate::report::{DexReport, Output, Report, SkippedMethod};
use crate::rewrite::BuildContext;
use crate::rewrite::check::{self, Broken, Check, MethodOverrides};
use crate::rewrite::pool_capacity::{SplitFiles, reserve_capacity};
use crate::source_maps::SourceMaps;
use crate::warnings::{self, Warning};

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

/// Rewrites the dex files of an app. The manifest lists the app's components; the order in which
/// the platform may call their callbacks follows from that.
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

/// Instruments as [`instrument_with`] does, with the given check of the woven code.
pub(crate) fn instrument_checked(
    inputs: Vec<(String, Vec<u8>)>,
    home: RuntimeHome,
    package: &str,
    manifest: Option<&Manifest>,
    options: &Options,
    check: &Check,
) -> Result<Output, InstrumentError> {
    let inputs: Vec<(String, Arc<Vec<u8>>)> =
        inputs.into_iter().map(|(name, bytes)| (name, Arc::new(bytes))).collect();
    let (files, without_debug) = read_all(&inputs)?;
    let warnings = warnings::of_unmapped(&inputs, options)?;
    let mut report = Report { warnings, ..Report::default() };
    report.warnings.extend(warnings::of_debug_info(without_debug));
    for ((name, bytes), file) in inputs.iter().zip(&files) {
        report.dex.push(DexReport {
            name: name.clone(),
            bytes_in: bytes.len(),
            ..count(&file.dex)
        });
    }
    if options.recording() == Recording::Reassemble {
        return rebuild(files, report);
    }
    warnings::check_mapping(&files, options)?;
    let unfit = warnings::of_names(&files, options);
    let mut overrides = MethodOverrides::new(check);
    let mut budget = Budget::new(options.limits);
    let first_parts = reserve_capacity(files, home)?;
    if home == RuntimeHome::FirstFile {
        report.warnings.extend(Warning::of_moved(&first_parts.moved_from_first(), manifest));
    }
    let mut parts = Some(first_parts);
    // Limits may change options between attempts.
    let mut options = options.clone();
    loop {
        let app = App { files: &inputs, home, package, manifest, options: &options };
        // A second attempt is rare (a limit, a method that cannot be written): reading the files
        // again is cheaper than keeping a copy.
        let now = match parts.take() {
            Some(parts) => parts,
            None => reserve_capacity(read_all(&inputs)?.0, home)?,
        };
        match attempt(app, now, &overrides, report.clone()) {
            Ok((mut output, map, round)) => match budget.review(round) {
                Review::Holds(forecast) => {
                    output.map = Some(map);
                    output.report.forecast = Some(*forecast);
                    output.report.warnings.extend(unfit);
                    output.report.warnings.extend(warnings::of_model(output.report.history));
                    return Ok(output);
                }
                Review::GiveUp(methods, back) => {
                    back.iter().for_each(|no| drop(overrides.refused.remove(no)));
                    overrides.refused.extend(methods);
                }
                Review::Simplify(forms) => overrides.simplify(forms),
                Review::InlineMore => options.inline = Inline::All,
                Review::Fails(limit) => return Err(limit.into()),
            },
            Err(Failure::TooLarge(round, unchanged)) => {
                let huge = budget.too_large(*round);
                overrides.refused.extend(huge.leave);
                overrides.simplify(huge.forms);
                overrides.oversized.extend(huge.oversized);
                parts = Some(unchanged);
            }
            Err(Failure::Method(no, reason)) if !overrides.refused.contains_key(&no) => {
                overrides.refused.insert(no, reason);
            }
            Err(Failure::Clone(no)) => drop(overrides.uncloned.insert(no)),
            Err(Failure::Broken(methods)) => {
                report.uninlined.extend(overrides.take_back(methods));
            }
            Err(Failure::Method(_, reason)) => {
                return Err(InstrumentError::Runtime(reason.to_string()));
            }
            Err(Failure::Fatal(e)) => return Err(e),
        }
    }
}

/// Reads all files. Returns them with the number of methods whose debug info is malformed.
fn read_all(inputs: &[(String, Arc<Vec<u8>>)]) -> Result<(Vec<DexFile>, usize), InstrumentError> {
    let read = inputs.par_iter().map(read_one).collect::<Result<Vec<_>, _>>()?;
    let (files, without_debug): (Vec<_>, Vec<_>) = read.into_iter().unzip();
    Ok((files, without_debug.into_iter().sum()))
}

fn read_one((name, bytes): &(String, Arc<Vec<u8>>)) -> Result<(DexFile, usize), InstrumentError> {
    let (mut dex, without_debug) = Dex::read_shared_noting(Arc::clone(bytes))
        .map_err(|problem| InstrumentError::Read { file: name.clone(), problem })?;
    let uses = dex.code_uses();
    let without_debug = without_debug.iter().map(|code| uses[code.0 as usize] as usize).sum();
    // This happens before anything is added: a method whose references dangle is left unchanged,
    // and its indices must not come to name additions.
    dex.pin_dangling().map_err(|problem| InstrumentError::Write { file: name.clone(), problem })?;
    let probes = dex
        .classes
        .iter()
        .any(|c| runtime::is_class(&dex.type_name(c.ty), model::protocol::probes::PROBES));
    if probes {
        return Err(InstrumentError::AlreadyInstrumented { file: name.clone() });
    }
    Ok((DexFile { name: name.clone(), dex }, without_debug))
}

fn count(dex: &Dex) -> DexReport {
    let methods = dex.classes.iter().flat_map(|c| c.methods()).filter(|m| m.code.is_some()).count();
    DexReport { classes: dex.classes.len(), methods, ..DexReport::default() }
}

enum Failure {
    Method(MethodNo, SkipReason),
    /// The clone of a method cannot be written.
    Clone(MethodNo),
    /// Methods whose woven code ART's verifier would reject.
    Broken(Vec<Broken>),
    /// Methods that are known to be too large before they are written, and the files as they were.
    TooLarge(Box<Round>, SplitFiles),
    Fatal(InstrumentError),
}

/// Input of all attempts, with its options. Nothing changes it.
#[derive(Clone, Copy)]
struct App<'a> {
    /// Names and bytes of the dex files.
    files: &'a [(String, Arc<Vec<u8>>)],
    /// Location of the runtime's classes.
    home: RuntimeHome,
    package: &'a str,
    manifest: Option<&'a Manifest>,
    options: &'a Options,
}

/// Input of weaving beside the program; the program changes until its files are written.
struct WeavingPlan<'a> {
    selection: &'a Selection,
    plan: &'a Plan,
    numbers: &'a AllNumbers<'a>,
    selected: &'a SelectedPaths,
    clones: Clones,
    in_line: InlineCoders,
    options: &'a Options,
}

impl<'a> WeavingPlan<'a> {
    fn with<'b>(
        &'b self,
        program: &'b Program,
        refs: &'b [RuntimeRefs],
        counts: Option<&'b CellLayout>,
    ) -> BuildContext<'b>
    where
        'a: 'b,
    {
        BuildContext {
            program,
            selection: self.selection,
            refs,
            plan: self.plan,
            numbers: self.numbers,
            recording: self.options.recording(),
            counts,
            selected: self.selected,
            address_lines: self.options.address_lines,
            clones: &self.clones,
            in_line: &self.in_line,
        }
    }
}

/// Instruments all files once. Each value is made once, from earlier ones.
fn attempt(
    app: App<'_>,
    parts: SplitFiles,
    overrides: &MethodOverrides<'_>,
    mut report: Report,
) -> Result<(Output, PackedMap, Round), Failure> {
    let options = app.options;
    let SplitFiles { files, origins } = parts;
    let extra = files.len() - app.files.len();
    let mut program = Program::new(files);
    let graphs = lifecycle::lifecycles(&program, app.manifest);
    let constructors = lifecycle::constructors(&program, app.manifest, &graphs);
    program.add_called_from_outside(constructors);
    program.add_called_back(called_back(&program, options));
    let mut selection = selected(&program, options, overrides);
    program.forget_reach();
    let plan = plan(&program, &selection);
    if options.model.is_none() {
        selection.forget_calls();
    }
    let histories = histories(&program, &selection, &overrides.left_out, options);
    let (history, lost_history) = (histories.found, histories.lost.clone());
    let selection =
        inline::choose(&program, selection, &plan, &histories, &overrides.uninlined, options);
    let selected = SelectedPaths::find(&program, &selection, options, &overrides.uncopied)
        .map_err(|e| Failure::Fatal(e.into()))?;
    let distributions = distributions(&program, &selection, histories, options);
    let numbers = &distributions.numbers;
    let by_model = distributions.has_counts();
    let round = measure(&program, &selection, by_model, numbers);
    let mut woven = WeavingPlan {
        selection: &selection,
        plan: &plan,
        numbers,
        selected: &selected,
        clones: Clones::default(),
        in_line: InlineCoders::default(),
        options,
    };
    // The build has no id yet; names of all builds have the same length.
    let package = BuildPackage::new(BuildId::default());
    let refs_of = |dex: &mut Dex, package: &BuildPackage| {
        let refs = RuntimeRefs::intern(dex, options.recording(), options.count_storage(), package);
        if options.has_restarts() { refs.with_restarts(dex, package) } else { refs }
    };
    let refs = refs_of(&mut Dex::new(Version(35)), &package);
    let refs = vec![refs; program.files.len()];
    let unlimited = &overrides.oversized;
    let round =
        match too_large(round, options.limits, unlimited, &woven.with(&program, &refs, None)) {
            Ok(round) => round,
            Err(mut round) => {
                let crossing = woven.with(&program, &refs, None);
                describe_crossing(&mut round, &crossing);
                let parts = SplitFiles { files: program.files, origins };
                return Err(Failure::TooLarge(Box::new(round), parts));
            }
        };
    let origin = origin(app.files, options);
    let beside = map_builder::App { package: app.package, origin, paths: &selected.paths };
    let (source_maps, unreadable) = SourceMaps::of(&program, options.mapping.as_ref());
    report.warnings.extend(unreadable);
    let beside = (beside, source_maps);
    let (map, whole_map) =
        build_map(&program, &graphs, &selection, &plan, numbers, beside, options);
    let runtime_package = BuildPackage::new(map.build);
    let units: BySubject<u32> = round.entries.iter().map(|(_, e)| e.before.units).collect();
    let model = options.model.as_ref().filter(|_| by_model);
    woven.in_line = in_line(app, &program, (&selection, &plan, numbers), &map, model, &units);
    let calls = match (options.clones, model) {
        (CloneChoice::All, _) => all_calls(&plan),
        (CloneChoice::Hot, Some(model)) => {
            let (program, selection, plan, map) = (&program, &selection, &plan, &map);
            let units = units.clone();
            CountedBuild { program, selection, plan, numbers, map, model, units }.calls()
        }
        (CloneChoice::Hot, None) | (CloneChoice::Never, _) => Vec::new(),
    };
    let chosen = ClonePlan::find(&program, &selection, &calls, &overrides.uncloned, options);
    drop(calls);
    report.clones = chosen.len();
    woven.clones = chosen.intern(&mut program, &selection, &runtime_package);
    let refs = program.files.iter_mut().map(|f| {
        let refs = refs_of(&mut f.dex, &runtime_package);
        match woven.in_line.is_empty() {
            true => refs,
            false => refs.with_coder(&mut f.dex, &runtime_package),
        }
    });
    let refs: Vec<RuntimeRefs> = refs.collect();
    let mut places = SubjectBodies::new(&mut program, &selection);
    places.add(&mut program, &selection, &woven.clones);
    // Adaptive and counting builds have cells for each branch of the whole map.
    let counts = options.recording() == Recording::Edges;
    let whole = counts || Rule::of(options.recording()).is_some();
    let branches = whole.then(|| whole_map.unpack());
    let known = branches.as_ref().unwrap_or(&map);
    let unfit = |e: InlineError| Failure::Fatal(InstrumentError::Runtime(e.to_string()));
    let layout = counts.then(|| CellLayout::new(known)).transpose().map_err(unfit)?;
    let table = &distributions.table;
    let filters = woven.clones.filter_lists();
    let runtime =
        configured_runtime(known, &runtime_package, table, layout.as_ref(), filters, options)
            .map_err(Failure::Fatal)?;
    drop(branches);
    if app.home == RuntimeHome::FirstFile {
        for class in 0..runtime.classes.len() {
            let fatal =
                |e: dex::MergeError| Failure::Fatal(InstrumentError::Runtime(e.to_string()));
            program.files[0].dex.import_class(&runtime, class).map_err(fatal)?;
        }
    }
    let program = program;
    let inputs = woven.with(&program, &refs, layout.as_ref());
    let round = round.with_map(&map, model);
    // Other codecs have no prices.
    let round = match model.filter(|_| options.recording() == Recording::ARITH) {
        Some(model) => {
            let build = CountedBuild {
                program: &program,
                selection: &selection,
                plan: &plan,
                numbers,
                map: &map,
                model,
                units,
            };
            let times = build.times();
            round.with_times(&program, times)
        }
        None => round,
    };
    report.branches = numbers.iter().map(|n| n.freqs.len()).sum();
    report.slots = plan.slots.len() - 1;
    report.next_callbacks = map.next_callbacks.len();
    report.handlers = plan.handlers as usize;
    report.inlined = selection.inlining.iter().flatten().map(|host| host.calls.len()).sum();
    report.implied = selection.subjects.iter().filter(|s| s.implied).count();
    for (s, host) in selection.subjects.iter().zip(&selection.inlining) {
        let (regions, loops) =
            host.as_ref().map_or((s.regions, s.loops), |host| (host.regions, host.loops));
        report.regions += regions as usize;
        report.loops += loops as usize;
    }
    report.copied = selected.copied();
    report.history = history;
    report.lost_history = lost_history;
    for s in &selection.subjects {
        let file = program.class(program.method(s.no).class).dex;
        let counts = &mut report.dex[origins[file]];
        counts.instrumented += 1;
        counts.instructions += s.instructions as usize;
    }
    let skipped = selection.skipped.iter().filter(|(_, why)| *why != SkipReason::Unselected);
    for (skipped, (_, why)) in map.skipped.iter().zip(skipped) {
        let (method, reason) = (skipped.method.clone(), skipped.reason.clone());
        let by_user = *why == SkipReason::Excluded;
        report.skipped.push(SkippedMethod { method, reason, by_limit: why.is_limit(), by_user });
    }
    drop(map);
    let written = dex_output::write(&inputs, &places, overrides.check, &runtime_package);
    let DexOutput { files, sizes, clones, probes, broken } = written.map_err(|e| match e {
        Unwritable::Clone(no) => Failure::Clone(no),
        Unwritable::Method(no, problem) => {
            Failure::Method(no, SkipReason::Lowering(problem.to_string()))
        }
        Unwritable::File(e) => Failure::Fatal(e),
    })?;
    if !broken.is_empty() {
        let of = |(i, clone, problem): (SubjectId, bool, String)| {
            let no = selection.subjects[i].no;
            Broken {
                no,
                method: program.method_key(no),
                has_inlined: selection.inlining[i].is_some(),
                copied: selected.of(i).is_some_and(|method| method.copies.is_some()),
                clone,
                problem,
            }
        };
        return Err(Failure::Broken(broken.into_iter().map(of).collect()));
    }
    let mut files: Vec<(String, Vec<u8>)> =
        program.files.iter().map(|f| f.name.clone()).zip(files).collect();
    let runtime = match app.home {
        RuntimeHome::OwnFile => Some(
            runtime.write().map_err(|e| Failure::Fatal(InstrumentError::Runtime(e.to_string())))?,
        ),
        RuntimeHome::FirstFile => None,
    };
    let mut round = with_sizes(round, app, sizes, &files, runtime.as_deref());
    describe_crossing(&mut round, &inputs);
    report.growth = growth(app, &files, &round, &probes, clones);
    let mut added: Vec<Vec<u8>> =
        files.split_off(files.len() - extra).into_iter().map(|(_, bytes)| bytes).collect();
    added.extend(runtime);
    for (counts, (_, bytes)) in report.dex.iter_mut().zip(&files) {
        counts.bytes_out = bytes.len();
    }
    Ok((Output { files, added, map: None, report }, whole_map, round))
}

/// Returns the round with the sizes of the written code.
fn with_sizes(
    mut round: Round,
    app: App<'_>,
    sizes: BySubject<BodySize>,
    files: &[(String, Vec<u8>)],
    runtime: Option<&[u8]>,
) -> Round {
    for ((_, entry), size) in round.entries.iter_mut().zip(sizes) {
        entry.written(size);
    }
    let sum = |sizes: &mut dyn Iterator<Item = usize>| sizes.map(|n| n as u64).sum();
    round.runtime = runtime.map_or(0, |bytes| bytes.len() as u64);
    round.dex_before = sum(&mut app.files.iter().map(|(_, bytes)| bytes.len()));
    let after: u64 = sum(&mut files.iter().map(|(_, bytes)| bytes.len()));
    round.dex_after = after + round.runtime;
    round
}

/// Returns the symbols to code inline.
fn in_line(
    app: App<'_>,
    program: &Program,
    (selection, plan, numbers): (&Selection, &Plan, &AllNumbers<'_>),
    map: &Map,
    model: Option<&Profile>,
    units: &BySubject<u32>,
) -> InlineCoders {
    let options = app.options;
    // Only arithmetic coding has such symbols; a size limit rules out longer code.
    if options.recording() != Recording::ARITH || options.limits.size_growth.is_some() {
        return InlineCoders::None;
    }
    match (options.inline_coder(), model) {
        (InlineCoder::All, _) => InlineCoders::All,
        (InlineCoder::Hot, Some(model)) => {
            let units = units.clone();
            let build = CountedBuild { program, selection, plan, numbers, map, model, units };
            let bytes = app.files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
            InlineCoders::hottest(build.steps(), bytes)
        }
        (InlineCoder::Hot, None) | (InlineCoder::Never, _) => InlineCoders::None,
    }
}

/// Returns the methods that take part.
fn selected(program: &Program, options: &Options, overrides: &MethodOverrides<'_>) -> Selection {
    let model = options.model.as_ref();
    let announced = |no| {
        let model = model.filter(|m| !m.announced.is_empty());
        model.is_some_and(|m| m.announced.contains_key(&source_key(program, no, options)))
    };
    let outside = match model {
        Some(_) => Outside::Observed(&announced),
        None => Outside::FirstRelease(&options.names),
    };
    let x86_safe = options.x86_safe == X86Safe::Always;
    let paths = options.paths();
    let methods: Option<HashSet<&str>> =
        paths.map(|options| options.paths.paths.iter().map(|path| &*path.method).collect());
    let choice = |key: &str| match &methods {
        Some(methods) if !methods.contains(key) => Some(SkipReason::Unselected),
        _ => (!wanted(options, key)).then_some(SkipReason::Excluded),
    };
    let names = SourceNames::new(program, options.mapping.as_ref());
    let refused = &overrides.refused;
    let mut selection =
        select(program, &names, options.recording(), x86_safe, &choice, refused, outside);
    if options.has_restarts() {
        restarts::mark(program, &mut selection);
    }
    selection
}

/// Attributes the added bytes to their purposes.
fn growth(
    app: App<'_>,
    files: &[(String, Vec<u8>)],
    round: &Round,
    probes: &ProbeBytes,
    clones: u64,
) -> Vec<Growth> {
    let sections = |files: &mut dyn Iterator<Item = &[u8]>| {
        let each = files.filter_map(|bytes| dex::section_bytes(bytes).ok());
        each.fold(SectionBytes::default(), |sum, file| sum + file)
    };
    let before = sections(&mut app.files.iter().map(|(_, bytes)| &bytes[..]));
    let after = sections(&mut files.iter().map(|(_, bytes)| &bytes[..]));
    let protection = |size: fn(&MeasuredMethod) -> BodySize| {
        round.entries.iter().map(|(_, e)| u64::from(size(e).protection)).sum()
    };
    growth::growth(
        DexSizes { sections: before, protection: protection(|e| e.before) },
        DexSizes { sections: after, protection: protection(|e| e.after) },
        probes,
        clones,
        round.runtime,
    )
}

fn wanted(options: &Options, key: &str) -> bool {
    // `Lcom/example/Foo;->bar(I)V` is matched as `com.example.Foo`.
    let class = key.split(";->").next().unwrap_or(key).trim_start_matches('L').replace('/', ".");
    let any = |globs: &[String]| globs.iter().any(|g| glob_match::glob_match(g, &class));
    (options.include.is_empty() || any(&options.include)) && !any(&options.exclude)
}

/// Hashes the inputs and options that the map does not contain: see [`Map::origin`].
fn origin(inputs: &[(String, Arc<Vec<u8>>)], options: &Options) -> [u8; 32] {
    let mut h = Sha256::new();
    h.update(b"pathlight origin 1");
    for (name, bytes) in inputs {
        h.update((name.len() as u64).to_be_bytes());
        h.update(name);
        h.update((bytes.len() as u64).to_be_bytes());
        h.update(&bytes[..]);
    }
    h.update([
        options.sink() as u8,
        u8::from(options.ring()),
        options.clones as u8,
        options.inline_coder() as u8,
    ]);
    h.update(options.cap.to_be_bytes());
    h.update(options.keep.to_be_bytes());
    h.update(runtime::RUNTIME_DEX);
    h.finalize().into()
}
