//! One attempt to instrument an app, as stages that each return a value: [`Selected`],
//! [`Planned`], [`Decided`], [`Prepared`], then the files with their measurements. A stage takes
//! the value of the stage before; only [`prepare`] changes the program, by additions for probes.

use std::collections::HashSet;
use std::sync::Arc;

use apk::Manifest;
use dex::{BodySize, Dex, SectionBytes, Version};
use model::adaptive::Rule;
use model::cells::CellLayout;
use model::descriptors::dotted_name;
use model::map::{BuildId, Map};
use model::packed_map::PackedMap;
use model::profile::Profile;
use model::recording::Recording;
use sha2::{Digest, Sha256};

use crate::analysis::by_convention::Outside;
use crate::analysis::program::{CallTargets, MethodNo, Program};
use crate::analysis::source_names::SourceNames;
use crate::baseline::RanMethod;
use crate::cost::budget::{describe_crossing, too_large};
use crate::cost::growth::{self, DexSizes, Growth, ProbeBytes};
use crate::cost::measured::{MeasuredMethod, Round};
use crate::cost::predict::measure;
use crate::cost::run_time::CountedBuild;
use crate::dex_output::{self, DexOutput, SubjectBodies, Unwritable};
use crate::error::InstrumentError;
use crate::inline;
use crate::lifecycle::{self, Lifecycle};
use crate::map_builder::{self, build_map};
use crate::options::{
    Clones as CloneChoice, InlineCoder, Options, PathTracking, RuntimeHome, X86Safe,
};
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::called_back::called_back;
use crate::plan::clones::{ClonePlan, Clones, CountedCall, all_calls};
use crate::plan::distributions::{Distributions, History, LostHistory, distributions, histories};
use crate::plan::encoded;
use crate::plan::history::source_key;
use crate::plan::ids::{Plan, plan};
use crate::plan::inline_coders::InlineCoders;
use crate::plan::origins::{Asked, Origins};
use crate::plan::restarts;
use crate::plan::selected::SelectedPaths;
use crate::plan::selection::select;
use crate::plan::subject::{Probing, Selection, SkipReason};
use crate::probes::probe::RuntimeRefs;
use crate::probes::runtime::{self, BuildPackage};
use crate::probes::runtime_config::configured_runtime;
use crate::report::{Output, Report, SkippedMethod};
use crate::rewrite::BuildContext;
use crate::rewrite::check::{Broken, MethodOverrides};
use crate::rewrite::pool_capacity::SplitFiles;
use crate::rewrite::registers::SELECTED;
use crate::source_maps::SourceMaps;
use crate::warnings::Warning;

/// Reasons why an attempt gives no output.
pub(crate) enum Failure {
    /// The woven code of a method cannot be written.
    Method(MethodNo, SkipReason),
    /// The clone of a method cannot be written.
    Clone(MethodNo),
    /// Methods whose woven code ART's verifier would reject.
    Broken(Vec<Broken>),
    /// Methods that are known to be too large before they are written, and the files as they were.
    TooLarge(Box<Round>, SplitFiles),
    /// No attempt can succeed.
    Fatal(InstrumentError),
}

impl Failure {
    fn of_runtime(problem: impl ToString) -> Failure {
        Failure::Fatal(InstrumentError::Runtime(problem.to_string()))
    }
}

/// Input of all attempts, with its options. Nothing changes it.
#[derive(Clone, Copy)]
pub(crate) struct App<'a> {
    /// Names and bytes of the dex files.
    pub files: &'a [(String, Arc<Vec<u8>>)],
    /// Location of the runtime's classes.
    pub home: RuntimeHome,
    pub package: &'a str,
    pub manifest: Option<&'a Manifest>,
    pub options: &'a Options,
}

/// Instruments all files once. Returns the output, its map and the measurements.
pub(crate) fn attempt(
    app: App<'_>,
    files: SplitFiles,
    overrides: &MethodOverrides<'_>,
    report: Report,
) -> Result<(Output, PackedMap, Round), Failure> {
    let selected = choose_methods(app, files, overrides);
    let planned = plan_probes(app, selected, overrides)?;
    let decided = decide(app, planned, overrides)?;
    let (mut prepared, maps) = prepare(app, decided)?;
    let round = prepared.predict(app, &maps);
    let report = prepared.report(report, &maps.map);
    let Maps { map, whole, .. } = maps;
    drop(map);
    let written = prepared.write(app, overrides)?;
    let (output, round) = prepared.finish(app, written, round, report)?;
    Ok((output, whole, round))
}

/// The program, and the methods that take part with their ids.
struct Selected {
    program: Program,
    /// For each file, the input that its classes come from.
    inputs: Vec<usize>,
    graphs: Vec<Lifecycle>,
    selection: Selection,
    plan: Plan,
    origins: Origins,
}

fn choose_methods(app: App<'_>, files: SplitFiles, overrides: &MethodOverrides<'_>) -> Selected {
    let SplitFiles { files, origins: inputs } = files;
    let program = Program::new(files);
    let graphs = lifecycle::lifecycles(&program, app.manifest);
    let constructors = lifecycle::constructors(&program, app.manifest, &graphs);
    let started = constructors.into_iter().collect();
    let called_back = called_back(&program, app.options);
    let targets = CallTargets::new(&program, started, called_back);
    let mut selection = selection(&targets, app.options, overrides);
    drop(targets);
    let origins = Origins::find(&program, &selection, app.manifest, app.options);
    let plan = plan(&program, &selection);
    if app.options.model.is_none() {
        selection.forget_calls();
    }
    Selected { program, inputs, graphs, selection, plan, origins }
}

/// Returns the methods that take part.
fn selection(
    targets: &CallTargets<'_>,
    options: &Options,
    overrides: &MethodOverrides<'_>,
) -> Selection {
    let program = targets.program;
    let model = options.model.as_ref();
    let announced = |no| {
        let model = model.filter(|m| !m.announced.is_empty());
        model.is_some_and(|m| m.announced.contains_key(&source_key(program, no, options)))
    };
    let outside = match model {
        Some(_) => Outside::Observed(&announced),
        None => Outside::FirstRelease(&options.names),
    };
    let paths = options.paths();
    let methods: Option<HashSet<&str>> =
        paths.map(|options| options.paths.paths.iter().map(|path| &*path.method).collect());
    let progress = &options.progress;
    let with_code = program.methods.iter().filter(|m| m.code.is_some()).count();
    progress.begin(with_code);
    let choice = |key: &str| {
        progress.add();
        match &methods {
            Some(methods) if !methods.contains(key) => Some(SkipReason::Unselected),
            _ => (!wanted(options, key)).then_some(SkipReason::Excluded),
        }
    };
    let names = SourceNames::new(program, options.mapping.as_ref());
    let refused = &overrides.refused;
    let probing = Probing {
        recording: options.recording(),
        x86_safe: options.x86_safe == X86Safe::Always,
        path_registers: match paths.map(|paths| paths.tracking) {
            Some(PathTracking::Encoding(_)) => encoded::REGISTERS,
            _ => SELECTED,
        },
    };
    let mut selection = select(targets, &names, probing, &choice, refused, outside);
    progress.leave_out(with_code.saturating_sub(selection.subjects.len()));
    if options.has_restarts() {
        restarts::mark(program, &mut selection);
    }
    selection
}

fn wanted(options: &Options, key: &str) -> bool {
    // `Lcom/example/Foo;->bar(I)V` is matched as `com.example.Foo`.
    let class = dotted_name(key.split("->").next().unwrap_or(key));
    let any = |globs: &[String]| globs.iter().any(|g| glob_match::glob_match(g, &class));
    (options.include.is_empty() || any(&options.include)) && !any(&options.exclude)
}

/// The selected methods with their inlined calls, selected paths and distributions.
struct Planned<'a> {
    selected: Selected,
    paths: SelectedPaths,
    distributions: Distributions<'a>,
    history: Option<History>,
    lost_history: Vec<LostHistory>,
    /// Measurements without sizes of woven code.
    round: Round,
}

fn plan_probes<'a>(
    app: App<'a>,
    selected: Selected,
    overrides: &MethodOverrides<'_>,
) -> Result<Planned<'a>, Failure> {
    let options = app.options;
    let Selected { program, inputs, graphs, selection, plan, origins } = selected;
    let histories = histories(&program, &selection, &overrides.left_out, options);
    let (history, lost_history) = (histories.found, histories.lost.clone());
    let selection =
        inline::choose(&program, selection, &plan, &histories, &overrides.uninlined, options);
    let paths = SelectedPaths::find(&program, &selection, options, &overrides.uncopied)
        .map_err(|e| Failure::Fatal(e.into()))?;
    let distributions = distributions(&program, &selection, histories, options);
    let by_model = distributions.has_counts();
    let round = measure(&program, &selection, by_model, &distributions.numbers);
    let selected = Selected { program, inputs, graphs, selection, plan, origins };
    Ok(Planned { selected, paths, distributions, history, lost_history, round })
}

impl Planned<'_> {
    fn context<'b>(
        &'b self,
        app: App<'b>,
        refs: &'b [RuntimeRefs],
        hot: &'b HotCode,
        counts: Option<&'b CellLayout>,
    ) -> BuildContext<'b> {
        BuildContext {
            program: &self.selected.program,
            selection: &self.selected.selection,
            refs,
            plan: &self.selected.plan,
            numbers: &self.distributions.numbers,
            recording: app.options.recording(),
            counts,
            selected: &self.paths,
            address_lines: app.options.address_lines,
            progress: &app.options.progress,
            clones: &hot.clones,
            in_line: &hot.coders,
            origins: &self.selected.origins,
        }
    }

    fn counted<'b>(
        &'b self,
        map: &'b Map,
        model: &'b Profile,
        units: &BySubject<u32>,
    ) -> CountedBuild<'b> {
        CountedBuild {
            program: &self.selected.program,
            selection: &self.selected.selection,
            plan: &self.selected.plan,
            numbers: &self.distributions.numbers,
            map,
            model,
            units: units.clone(),
        }
    }
}

/// Code that only hot methods have.
#[derive(Default)]
struct HotCode {
    clones: Clones,
    coders: InlineCoders,
}

/// The map of a build, and the sizes of the original methods.
struct Maps {
    /// The map without the code of its methods.
    map: Map,
    whole: PackedMap,
    /// Code units of each method without probes.
    units: BySubject<u32>,
}

/// A build with its id, and the choice of hot code.
struct Decided<'a> {
    planned: Planned<'a>,
    maps: Maps,
    package: BuildPackage,
    coders: InlineCoders,
    clones: ClonePlan,
    warning: Option<Warning>,
}

/// Chooses the hot code and builds the map. Fails if a method is too large.
fn decide<'a>(
    app: App<'a>,
    planned: Planned<'a>,
    overrides: &MethodOverrides<'_>,
) -> Result<Decided<'a>, Failure> {
    let options = app.options;
    let planned = check_sizes(app, planned, overrides)?;
    let Selected { program, graphs, selection, plan, origins, .. } = &planned.selected;
    let origin = origin(app.files, options);
    let paths = &planned.paths.paths;
    let inexact =
        |tracking| matches!(tracking, PathTracking::Encoding(encoding) if !encoding.is_exact());
    let upper_bounds = options.paths().is_some_and(|paths| inexact(paths.tracking));
    let package = app.package;
    let beside = map_builder::App { package, origin, paths, upper_bounds, origins };
    let (source_maps, warning) = SourceMaps::of(program, options.mapping.as_ref());
    let numbers = &planned.distributions.numbers;
    let beside = (beside, source_maps);
    let (map, whole) = build_map(program, graphs, selection, plan, numbers, beside, options);
    let package = BuildPackage::new(map.build);
    let units = planned.round.entries.iter().map(|(_, e)| e.before.units).collect();
    let maps = Maps { map, whole, units };
    let coders = inline_coders(app, &planned, &maps);
    let calls = calls_to_clone(app, &planned, &maps);
    let clones = ClonePlan::find(program, selection, &calls, &overrides.uncloned, options);
    drop(calls);
    Ok(Decided { planned, maps, package, coders, clones, warning })
}

/// Fails if a method must be left, or made smaller, because of its size with probes.
fn check_sizes<'a>(
    app: App<'a>,
    mut planned: Planned<'a>,
    overrides: &MethodOverrides<'_>,
) -> Result<Planned<'a>, Failure> {
    // The build has no id yet; names of all builds have the same length.
    let package = BuildPackage::new(BuildId::default());
    let refs = references(
        app.options,
        &mut Dex::new(Version(35)),
        &package,
        &planned.selected.origins.asked,
    );
    let refs = vec![refs; planned.selected.program.files.len()];
    let (round, hot) = (std::mem::take(&mut planned.round), HotCode::default());
    let context = planned.context(app, &refs, &hot, None);
    match too_large(round, app.options.limits, &overrides.oversized, &context) {
        Ok(round) => Ok(Planned { round, ..planned }),
        Err(mut round) => {
            describe_crossing(&mut round, &context);
            let Selected { program, inputs, .. } = planned.selected;
            let files = SplitFiles { files: program.files, origins: inputs };
            Err(Failure::TooLarge(round, files))
        }
    }
}

fn references(
    options: &Options,
    dex: &mut Dex,
    package: &BuildPackage,
    asked: &[Asked],
) -> RuntimeRefs {
    let refs = RuntimeRefs::intern(dex, options.recording(), options.count_storage(), package);
    let refs = refs.with_origins(dex, package, asked);
    if options.has_restarts() { refs.with_restarts(dex, package) } else { refs }
}

/// Returns the symbols to code inline.
fn inline_coders(app: App<'_>, planned: &Planned<'_>, maps: &Maps) -> InlineCoders {
    let options = app.options;
    // Only arithmetic coding has such symbols; a size limit rules out longer code.
    if options.recording() != Recording::ARITH || options.limits.size_growth.is_some() {
        return InlineCoders::None;
    }
    match (options.inline_coder(), counted_model(app, planned)) {
        (InlineCoder::All, _) => InlineCoders::All,
        (InlineCoder::Hot, Some(model)) => {
            let build = planned.counted(&maps.map, model, &maps.units);
            let bytes = app.files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
            InlineCoders::hottest(build.steps(), bytes)
        }
        (InlineCoder::Hot, None) | (InlineCoder::Never, _) => InlineCoders::None,
    }
}

/// Returns the calls that decide which methods get a clone.
fn calls_to_clone(app: App<'_>, planned: &Planned<'_>, maps: &Maps) -> Vec<CountedCall> {
    match (app.options.clones, counted_model(app, planned)) {
        (CloneChoice::All, _) => all_calls(&planned.selected.plan),
        (CloneChoice::Hot, Some(model)) => planned.counted(&maps.map, model, &maps.units).calls(),
        (CloneChoice::Hot, None) | (CloneChoice::Never, _) => Vec::new(),
    }
}

/// Returns the model, if it has counts of the app.
fn counted_model<'a>(app: App<'a>, planned: &Planned<'_>) -> Option<&'a Profile> {
    app.options.model.as_ref().filter(|_| planned.distributions.has_counts())
}

/// The program with all additions for probes: references, clones, own bodies, the runtime.
struct Prepared<'a> {
    planned: Planned<'a>,
    package: BuildPackage,
    hot: HotCode,
    /// Number of methods with a clone.
    cloned: usize,
    refs: Vec<RuntimeRefs>,
    bodies: SubjectBodies,
    layout: Option<CellLayout>,
    runtime: Dex,
    warning: Option<Warning>,
}

/// Adds to the files what probes refer to.
fn prepare<'a>(app: App<'a>, decided: Decided<'a>) -> Result<(Prepared<'a>, Maps), Failure> {
    let options = app.options;
    let Decided { mut planned, maps, package, coders, clones: clone_plan, warning } = decided;
    let Selected { program, selection, origins, .. } = &mut planned.selected;
    let cloned = clone_plan.len();
    let clones = clone_plan.intern(program, selection, &package);
    let refs = program.files.iter_mut().map(|f| {
        let refs = references(options, &mut f.dex, &package, &origins.asked);
        match coders.is_empty() {
            true => refs,
            false => refs.with_coder(&mut f.dex, &package),
        }
    });
    let refs: Vec<RuntimeRefs> = refs.collect();
    let mut bodies = SubjectBodies::new(program, selection);
    bodies.add(program, selection, &clones);
    // Adaptive and counting builds have cells for each branch of the whole map.
    let counts = options.recording() == Recording::Edges;
    let whole = counts || Rule::of(options.recording()).is_some();
    let branches = whole.then(|| maps.whole.unpack());
    let map = branches.as_ref().unwrap_or(&maps.map);
    let layout = counts.then(|| CellLayout::new(map)).transpose().map_err(Failure::of_runtime)?;
    let table = &planned.distributions.table;
    let filters = clones.filter_lists();
    let runtime =
        configured_runtime(map, &package, table, layout.as_ref(), (filters, origins), options)
            .map_err(Failure::Fatal)?;
    drop(branches);
    if app.home == RuntimeHome::FirstFile {
        for class in 0..runtime.classes.len() {
            program.files[0].dex.import_class(&runtime, class).map_err(Failure::of_runtime)?;
        }
    }
    let hot = HotCode { clones, coders };
    let prepared =
        Prepared { planned, package, hot, cloned, refs, bodies, layout, runtime, warning };
    Ok((prepared, maps))
}

impl<'a> Prepared<'a> {
    fn context<'b>(&'b self, app: App<'b>) -> BuildContext<'b> {
        self.planned.context(app, &self.refs, &self.hot, self.layout.as_ref())
    }

    /// Returns the measurements with all predictions that need no written code.
    fn predict(&mut self, app: App<'a>, maps: &Maps) -> Round {
        let round = std::mem::take(&mut self.planned.round);
        let model = counted_model(app, &self.planned);
        let round = round.with_map(&maps.map, model);
        // Other codecs have no prices.
        match model.filter(|_| app.options.recording() == Recording::ARITH) {
            Some(model) => {
                let times = self.planned.counted(&maps.map, model, &maps.units).times();
                round.with_times(&self.planned.selected.program, times)
            }
            None => round,
        }
    }

    /// Completes a report, except for the sizes of written files.
    fn report(&mut self, mut report: Report, map: &Map) -> Report {
        let Selected { program, inputs, selection, plan, origins, .. } = &self.planned.selected;
        report.warnings.extend(self.warning.take());
        report.warnings.extend(origins.warnings.iter().cloned());
        report.clones = self.cloned;
        report.branches = self.planned.distributions.numbers.iter().map(|n| n.freqs.len()).sum();
        report.slots = plan.slots.len() - 1;
        report.next_callbacks = map.next_callbacks.len();
        report.handlers = plan.handlers as usize;
        report.inlined = selection.inlining.iter().flatten().map(|plan| plan.calls.len()).sum();
        report.implied = selection.subjects.iter().filter(|s| s.implied).count();
        for (s, inlining) in selection.subjects.iter().zip(&selection.inlining) {
            let (regions, loops) =
                inlining.as_ref().map_or((s.regions, s.loops), |plan| (plan.regions, plan.loops));
            report.regions += regions as usize;
            report.loops += loops as usize;
        }
        report.copied = self.planned.paths.copied();
        report.history = self.planned.history;
        report.lost_history = std::mem::take(&mut self.planned.lost_history);
        for s in &selection.subjects {
            let file = program.class(program.method(s.no).class).dex;
            let counts = &mut report.dex[inputs[file]];
            counts.instrumented += 1;
            counts.instructions += s.instructions as usize;
        }
        let skipped = selection.skipped.iter().filter(|(_, why)| *why != SkipReason::Unselected);
        for (skipped, (_, why)) in map.skipped.iter().zip(skipped) {
            let (method, reason) = (skipped.method.clone(), skipped.reason.clone());
            let (by_limit, by_user) = (why.is_limit(), *why == SkipReason::Excluded);
            report.skipped.push(SkippedMethod { method, reason, by_limit, by_user });
        }
        report
    }

    /// Weaves and writes all files.
    fn write(&self, app: App<'_>, overrides: &MethodOverrides<'_>) -> Result<DexOutput, Failure> {
        let context = self.context(app);
        let written = dex_output::write(&context, &self.bodies, overrides.check, &self.package);
        let written = written.map_err(|e| match e {
            Unwritable::Clone(no) => Failure::Clone(no),
            Unwritable::Method(no, problem) => {
                Failure::Method(no, SkipReason::Lowering(problem.to_string()))
            }
            Unwritable::File(e) => Failure::Fatal(e),
        })?;
        match written.broken.is_empty() {
            true => Ok(written),
            false => Err(Failure::Broken(
                written.broken.into_iter().map(|problem| self.broken(problem)).collect(),
            )),
        }
    }

    fn broken(&self, (i, clone, problem): (SubjectId, bool, String)) -> Broken {
        let Selected { program, selection, .. } = &self.planned.selected;
        let no = selection.subjects[i].no;
        Broken {
            no,
            method: program.method_key(no),
            has_inlined: selection.inlining[i].is_some(),
            copied: self.planned.paths.of(i).is_some_and(|method| method.copies().is_some()),
            clone,
            problem,
        }
    }

    /// Names the files, and completes measurements and report by their sizes.
    fn finish(
        self,
        app: App<'_>,
        written: DexOutput,
        round: Round,
        mut report: Report,
    ) -> Result<(Output, Round), Failure> {
        let DexOutput { files, sizes, clones, probes, .. } = written;
        let names = self.planned.selected.program.files.iter().map(|f| f.name.clone());
        let mut files: Vec<(String, Vec<u8>)> = names.zip(files).collect();
        let runtime = match app.home {
            RuntimeHome::OwnFile => Some(self.runtime.write().map_err(Failure::of_runtime)?),
            RuntimeHome::FirstFile => None,
        };
        let mut round = with_sizes(round, app, sizes, &files, runtime.as_deref());
        describe_crossing(&mut round, &self.context(app));
        report.growth = growth(app, &files, &round, &probes, clones);
        let mut added: Vec<Vec<u8>> =
            files.split_off(app.files.len()).into_iter().map(|(_, bytes)| bytes).collect();
        added.extend(runtime);
        for (counts, (_, bytes)) in report.dex.iter_mut().zip(&files) {
            counts.bytes_out = bytes.len();
        }
        let ran = self.ran(&round);
        Ok((Output { files, added, map: None, report, ran }, round))
    }

    /// Returns the methods that ran in the model's sessions.
    fn ran(&self, round: &Round) -> Vec<RanMethod> {
        let Selected { program, inputs, .. } = &self.planned.selected;
        let ran =
            round.entries.iter().filter(|(_, e)| e.time.as_ref().is_some_and(|t| t.entries > 0));
        let named = ran.filter_map(|(no, _)| {
            let method = program.method(*no);
            let file = program.class(method.class).dex;
            RanMethod::new(inputs[file], &program.files[file].dex, method.method)
        });
        named.collect()
    }
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
        u8::from(options.exit_reasons),
    ]);
    h.update(options.cap.to_be_bytes());
    h.update(options.keep.to_be_bytes());
    h.update(runtime::RUNTIME_DEX);
    h.finalize().into()
}
