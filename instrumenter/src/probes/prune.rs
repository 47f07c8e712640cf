//! Removes code from the runtime that a build cannot reach.
//!
//! The runtime contains the code of all codecs and sinks, and selects one by `Config` while the app
//! runs. A build has one codec and one sink, so much of that code never runs. Removing it is sound
//! because:
//!
//! - Code outside of the runtime enters it by three kinds of references only: the probes, which are
//!   exactly those of [`RuntimeRefs::intern`] (and `Members`, if the app lists members);
//!   `Pathlight`, which apps call; and virtual methods, which Android calls on objects of the
//!   runtime (`Control.flush`). All of these stay, with everything that their code refers to,
//!   transitively. The runtime finds Android's classes by reflection, never its own.
//! - Some calls depend on a value of `Config` that excludes them in this build ([`Unused::has`]).
//!   The callee of such a call stays as an empty method, so that the calls stay linked and verified
//!   code stays verified; everything that only its code refers to is removed.

use std::collections::{HashMap, HashSet};

use dex::{
    Body, ClassDef, CodeId, CodeItem, Dex, EncodedMethod, FieldIdx, Item, MethodIdx, Ref, TypeIdx,
    decode,
};

use model::protocol::probes;
use model::recording::{Recording, Wire};

use crate::error::InstrumentError;
use crate::options::{CountStorage, Sink};
use crate::plan::origins::Asked;
use crate::probes::probe::{RuntimeRefs, origin_probe};
use crate::probes::runtime::{self, BuildPackage};

const SINK: &str = "Lpathlight/Sink;";
const FILE_SINK: &str = "Lpathlight/FileSink;";
const EXIT_REASONS: &str = "Lpathlight/ExitReasons;";
const START_TABLE: &str = "Lpathlight/StartTable;";

/// `return-void`; `const/4 v0, 0` and `return v0`.
const RETURN_VOID: &[u16] = &[0x000e];
const RETURN_ZERO: &[u16] = &[0x0012, 0x000f];

/// Features of the runtime that a build does not use although live code refers to them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unused<'a> {
    pub recording: Recording,
    pub sink: Sink,
    /// True if no clone has to be hidden from lists of members.
    pub members: bool,
    /// True if readers cannot begin inside callbacks.
    pub restarts: bool,
    /// True if no table is kept for the next process.
    pub tables: bool,
    /// True if nobody asks how earlier processes ended.
    pub exits: bool,
    /// Questions about the origins of callbacks: these are used.
    pub origins: &'a [Asked],
}

impl Unused<'_> {
    /// Returns true if a method, given by its class and name in the prebuilt runtime, is called
    /// only with other values of `Config` than those of this build.
    fn has(self, class: &str, name: &str) -> bool {
        match (class, name) {
            // `Sink.pap`; and `State.lostEnd`, which that codec's probes alone change.
            (probes::PAP, _) => !self.recording.numbers_paths(),
            // `State.packed`. `Probes.put` tests nothing, but is called only if the constants are
            // code words.
            (probes::PACKED, "play") => self.recording.wire() != Wire::Packed,
            // `Sink.counts`.
            (probes::COUNTS, "flush" | "begin" | "ready")
            | (probes::COUNTS, "prepare" | "warm")
            | (probes::COUNT_FILE, "open") => self.recording != Recording::Edges,
            // `Config.SELECTED`.
            (probes::HIT_FILE, "open" | "publish" | "close") => self.recording != Recording::Paths,
            (probes::PROBES, "flush") | (SINK, "warm") | (FILE_SINK, "open") => {
                self.recording == Recording::Paths
            }
            // `Config.KEEP_TABLES`.
            (START_TABLE, "begin" | "keep") => self.tables,
            // They take part in nothing else. `run` is reached with its class.
            (EXIT_REASONS, "start" | "run") => self.exits,
            // Its probes need it.
            (probes::ORIGINS, "prepare") => self.origins.is_empty(),
            // `Sink.lines`.
            ("Lpathlight/LogSink;", "line" | "roll") => self.sink == Sink::File,
            _ => false,
        }
    }
}

/// Removes everything that no probe of the build reaches. The runtime's classes are in `package`.
pub(crate) fn prune(
    dex: &mut Dex,
    package: &BuildPackage,
    unused: Unused<'_>,
) -> Result<(), InstrumentError> {
    let bad = |e: &dyn std::fmt::Display| InstrumentError::Runtime(e.to_string());
    silence(dex, package, unused)?;
    let mut roots = roots(dex, package, unused.recording);
    if !unused.members {
        for probe in [probes::LISTED_METHODS, probes::LISTED_CONSTRUCTORS] {
            roots.push(Ref::Method(package.method(dex, probes::MEMBERS, probe)));
        }
    }
    if !unused.restarts {
        roots.push(Ref::Method(package.method(dex, probes::PROBES, probes::RESTART)));
    }
    for &asked in unused.origins {
        roots.push(Ref::Method(package.method(dex, probes::ORIGINS, origin_probe(asked))));
    }
    let live = LiveMembers::from(dex, roots).map_err(|e| bad(&e))?;
    dex.classes.retain(|class| live.types.contains(&class.ty));
    for class in &mut dex.classes {
        for list in [&mut class.direct_methods, &mut class.virtual_methods] {
            list.retain(|m| live.methods.contains(&m.method));
        }
        class.instance_fields.retain(|f| live.fields.contains(&f.field));
        // Initial values belong to the first fields; the remaining fields keep their order.
        let kept: Vec<bool> =
            class.static_fields.iter().map(|f| live.fields.contains(&f.field)).collect();
        let mut kept_values = kept.iter();
        class.static_values.retain(|_| kept_values.next() == Some(&true));
        let mut kept_fields = kept.iter();
        class.static_fields.retain(|_| kept_fields.next() == Some(&true));
        if let Some(annotations) = &mut class.annotations {
            let mut values = annotations.values().into_owned();
            values.fields.retain(|(f, _)| live.fields.contains(f));
            values.methods.retain(|(m, _)| live.methods.contains(m));
            values.parameters.retain(|(m, _)| live.methods.contains(m));
            *annotations = values.into();
        }
    }
    dex.compact().map_err(|e| bad(&e))
}

/// Gives methods that are never called an empty body.
fn silence(
    dex: &mut Dex,
    package: &BuildPackage,
    unused: Unused<'_>,
) -> Result<(), InstrumentError> {
    let of_class = |dex: &Dex, ty: TypeIdx| -> Option<&'static str> {
        let name = dex.type_name(ty);
        [
            probes::PAP,
            probes::PACKED,
            probes::COUNTS,
            probes::COUNT_FILE,
            probes::HIT_FILE,
            probes::PROBES,
            SINK,
            FILE_SINK,
            EXIT_REASONS,
            START_TABLE,
            probes::ORIGINS,
            "Lpathlight/LogSink;",
        ]
        .into_iter()
        .find(|class| package.name(class) == name)
    };
    let mut silent: HashMap<MethodIdx, Body> = HashMap::new();
    for class in &dex.classes {
        let Some(name) = of_class(dex, class.ty) else { continue };
        for method in class.methods() {
            let id = &dex.methods.items()[method.method.index()];
            if !unused.has(name, &dex.string(id.name)) {
                continue;
            }
            let Some(old) = method.code.and_then(|code| dex.codes.get(code.0 as usize)?.item())
            else {
                continue;
            };
            let ret = dex.type_name(dex.protos.items()[id.proto.index()].return_type);
            let insns = match &*ret {
                "V" => RETURN_VOID,
                "I" | "Z" => RETURN_ZERO,
                other => {
                    let what = format!("{} gives {other}", dex.method_name(method.method));
                    return Err(InstrumentError::Runtime(what));
                }
            };
            let body = CodeItem {
                registers: old.ins.max(1),
                ins: old.ins,
                insns: insns.to_vec(),
                ..CodeItem::default()
            };
            silent.insert(method.method, body.into());
        }
    }
    for class in &mut dex.classes {
        for method in class.direct_methods.iter_mut().chain(&mut class.virtual_methods) {
            let Some(body) = silent.remove(&method.method) else { continue };
            method.code = Some(CodeId(dex.codes.len() as u32));
            dex.codes.push(body);
        }
    }
    Ok(())
}

/// Returns the references from outside of the runtime (see the module).
fn roots(dex: &mut Dex, package: &BuildPackage, recording: Recording) -> Vec<Ref> {
    // A separate dex file contains these references alone.
    let mut named = Dex::new(dex.version);
    RuntimeRefs::intern(&mut named, recording, CountStorage::Durable, package);
    RuntimeRefs::intern(&mut named, recording, CountStorage::Periodic, package);
    let mut roots = Vec::new();
    for m in named.methods.items() {
        let proto = &named.protos.items()[m.proto.index()];
        let params: Vec<_> = proto.parameters.iter().map(|&p| named.type_name(p)).collect();
        let params: Vec<&str> = params.iter().map(AsRef::as_ref).collect();
        let (class, name) = (named.type_name(m.class), named.string(m.name));
        let ret = named.type_name(proto.return_type);
        roots.push(Ref::Method(dex.intern_method(&class, &name, &ret, &params)));
    }
    for f in named.fields.items() {
        let (class, name) = (named.type_name(f.class), named.string(f.name));
        roots.push(Ref::Field(dex.intern_field(&class, &name, &named.type_name(f.ty))));
    }
    for class in &dex.classes {
        if dex.type_name(class.ty) == runtime::DOOR {
            roots.extend(class.methods().map(|m| Ref::Method(m.method)));
        }
    }
    roots
}

/// Maps array types to their element types without brackets.
fn elements(dex: &Dex) -> HashMap<TypeIdx, TypeIdx> {
    let types = || (0..dex.types.len() as u32).map(TypeIdx);
    let known: HashMap<_, _> = types().map(|ty| (dex.type_name(ty), ty)).collect();
    let element = |ty| {
        let name = dex.type_name(ty);
        name.starts_with('[').then(|| known.get(name.trim_start_matches('[')).copied())?
    };
    types().filter_map(|ty| Some((ty, element(ty)?))).collect()
}

/// Members and classes that stay.
#[derive(Default)]
struct LiveMembers {
    types: HashSet<TypeIdx>,
    methods: HashSet<MethodIdx>,
    fields: HashSet<FieldIdx>,
}

impl LiveMembers {
    /// Computes everything that is reachable from the roots. A reached class adds its static
    /// initialiser and its virtual methods, which run without a reference.
    fn from(dex: &Dex, roots: Vec<Ref>) -> Result<LiveMembers, dex::CodeError> {
        let methods: HashMap<MethodIdx, &EncodedMethod> =
            dex.classes.iter().flat_map(|c| c.methods()).map(|m| (m.method, m)).collect();
        let classes: HashMap<TypeIdx, &ClassDef> = dex.classes.iter().map(|c| (c.ty, c)).collect();
        let elements = elements(dex);
        let mut live = LiveMembers::default();
        let mut todo = roots;
        while let Some(reached) = todo.pop() {
            match reached {
                Ref::Type(ty) => {
                    if !live.types.insert(ty) {
                        continue;
                    }
                    todo.extend(elements.get(&ty).map(|&ty| Ref::Type(ty)));
                    let Some(class) = classes.get(&ty) else { continue };
                    let outside = class.superclass.iter().chain(&class.interfaces);
                    todo.extend(outside.map(|&ty| Ref::Type(ty)));
                    let own = class.direct_methods.iter().filter(|m| {
                        dex.string(dex.methods.items()[m.method.index()].name) == "<clinit>"
                    });
                    let own = own.chain(&class.virtual_methods);
                    todo.extend(own.map(|m| Ref::Method(m.method)));
                }
                Ref::Field(field) => {
                    if live.fields.insert(field) {
                        let f = &dex.fields.items()[field.index()];
                        todo.extend([Ref::Type(f.class), Ref::Type(f.ty)]);
                    }
                }
                Ref::Method(method) => {
                    if !live.methods.insert(method) {
                        continue;
                    }
                    let m = &dex.methods.items()[method.index()];
                    todo.extend([Ref::Type(m.class), Ref::Proto(m.proto)]);
                    let code = methods.get(&method).and_then(|m| m.code);
                    let Some(body) = code.and_then(|code| dex.codes.get(code.0 as usize)) else {
                        continue;
                    };
                    let edited;
                    let code = match body {
                        Body::Edited(code) => &**code,
                        stored => {
                            edited = decode(&stored.item().unwrap_or_default())?;
                            &edited
                        }
                    };
                    todo.extend(code.nodes.iter().filter_map(|node| match &node.item {
                        Item::Insn(insn) => insn.reference(),
                        _ => None,
                    }));
                    let caught = code.tries.iter().flat_map(|t| &t.catches);
                    todo.extend(caught.map(|(ty, _)| Ref::Type(*ty)));
                }
                Ref::Proto(proto) => {
                    let proto = &dex.protos.items()[proto.index()];
                    todo.push(Ref::Type(proto.return_type));
                    todo.extend(proto.parameters.iter().map(|&ty| Ref::Type(ty)));
                }
                // The runtime is Java 8 code without lambdas; a string refers to nothing.
                Ref::String(_) | Ref::CallSite(_) | Ref::MethodHandle(_) => {}
            }
        }
        Ok(live)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use model::map::BuildId;
    use model::recording::TraceCodec;

    use super::*;
    use crate::probes::runtime::RUNTIME_DEX;

    const SINKS: [Sink; 2] = [Sink::File, Sink::Logcat];

    fn package() -> BuildPackage {
        BuildPackage::new(BuildId([7; 16]))
    }

    fn renamed() -> Dex {
        let mut dex = Dex::read(RUNTIME_DEX).unwrap();
        package().rename(&mut dex);
        dex
    }

    fn pruned(recording: Recording, sink: Sink) -> Dex {
        pruned_with(unused(recording, sink))
    }

    /// Nothing is used but what each build has.
    fn unused(recording: Recording, sink: Sink) -> Unused<'static> {
        Unused {
            recording,
            sink,
            members: true,
            restarts: true,
            tables: true,
            exits: false,
            origins: &[],
        }
    }

    fn pruned_with(unused: Unused) -> Dex {
        let mut dex = renamed();
        prune(&mut dex, &package(), unused).unwrap();
        dex
    }

    #[test]
    fn filters_of_member_lists_are_only_in_builds_with_clones() {
        let has = |members| {
            let unused = Unused { members, ..unused(Recording::ARITH, Sink::File) };
            defined(&pruned_with(unused)).iter().any(|m| m.contains("/Members;->methods("))
        };
        assert_eq!((has(true), has(false)), (false, true));
    }

    #[test]
    fn builds_that_ask_no_exit_reasons_have_none_of_that_code() {
        let has = |exits| {
            let unused = Unused { exits, ..unused(Recording::ARITH, Sink::File) };
            let defined = defined(&pruned_with(unused));
            let own = |m: &&String| m.contains("/ExitReasons;->") || m.contains("/ExitNotes;->");
            defined.iter().filter(own).count()
        };
        assert!(has(false) > 5);
        // Without code: `start`, which `Sink.open` calls, and `run`, which its class inherits.
        assert_eq!(has(true), 2);
    }

    fn each_build(mut check: impl FnMut(Recording, Sink, &Dex)) {
        for recording in Recording::all() {
            for sink in SINKS {
                check(recording, sink, &pruned(recording, sink));
            }
        }
    }

    fn defined(dex: &Dex) -> BTreeSet<String> {
        dex.classes.iter().flat_map(|c| c.methods()).map(|m| dex.method_name(m.method)).collect()
    }

    fn virtuals(dex: &Dex) -> BTreeSet<String> {
        let all = dex.classes.iter().flat_map(|c| &c.virtual_methods);
        all.map(|m| dex.method_name(m.method)).collect()
    }

    #[test]
    fn members_that_outside_code_calls_stay() {
        let whole = virtuals(&renamed());
        assert!(whole.iter().any(|m| m.contains("Control;->flush")), "{whole:?}");
        each_build(|recording, sink, dex| {
            let mut named = Dex::new(dex.version);
            RuntimeRefs::intern(&mut named, recording, CountStorage::Durable, &package());
            RuntimeRefs::intern(&mut named, recording, CountStorage::Periodic, &package());
            let defined = defined(dex);
            for m in 0..named.methods.len() as u32 {
                let m = named.method_name(MethodIdx(m));
                assert!(defined.contains(&m), "{recording:?} {sink:?}: {m}");
            }
            // No outside code refers to these: they belong to one codec.
            let own = |m: &&String| {
                (recording == Recording::Edges || !m.contains("/CountPage;"))
                    && (recording == Recording::Paths
                        || !(m.contains("/HitCells;") || m.contains("/HitPublisher;")))
            };
            let kept: BTreeSet<String> = whole.iter().filter(own).cloned().collect();
            assert_eq!(virtuals(dex), kept, "{recording:?} {sink:?}");
            assert!(defined.contains("Lpathlight/Pathlight;->flush()V"));
            assert!(defined.contains("Lpathlight/Pathlight;->off()V"));
        });
    }

    /// Every referenced member of the runtime exists.
    #[test]
    fn nothing_that_stays_names_what_went() {
        each_build(|recording, sink, dex| {
            let own: BTreeSet<TypeIdx> = dex.classes.iter().map(|c| c.ty).collect();
            let methods: BTreeSet<MethodIdx> =
                dex.classes.iter().flat_map(|c| c.methods()).map(|m| m.method).collect();
            for (i, m) in (0..).zip(dex.methods.items()) {
                let i = MethodIdx(i);
                // References to `Control` and `State` may name members of their superclasses.
                let inherited = !renamed_defines(&dex.method_name(i));
                let there = !own.contains(&m.class) || inherited || methods.contains(&i);
                assert!(there, "{recording:?} {sink:?}: {}", dex.method_name(i));
            }
            let fields: BTreeSet<FieldIdx> = (dex.classes.iter())
                .flat_map(|c| c.static_fields.iter().chain(&c.instance_fields))
                .map(|f| f.field)
                .collect();
            for (i, f) in (0..).zip(dex.fields.items()) {
                let there = !own.contains(&f.class) || fields.contains(&FieldIdx(i));
                assert!(there, "{recording:?} {sink:?}: {}", dex.string(f.name));
            }
            for ty in (0..dex.types.len() as u32).map(TypeIdx) {
                let name = dex.type_name(ty);
                let runtimes = package().owns(name.trim_start_matches('['));
                assert!(!runtimes || name.starts_with('[') || own.contains(&ty), "{name}");
            }
            let problems = dex::verify::verify(dex);
            assert!(problems.is_empty(), "{recording:?} {sink:?}: {problems:?}");
            let bytes = dex.write().unwrap();
            assert_eq!(Dex::read(&bytes).unwrap().classes.len(), dex.classes.len());
        });
    }

    fn renamed_defines(method: &str) -> bool {
        thread_local!(static WHOLE: BTreeSet<String> = defined(&renamed()));
        WHOLE.with(|whole| whole.contains(method))
    }

    /// Each build has another size: code for one codec or sink is in its builds only.
    #[test]
    fn codecs_and_sinks_bring_their_own_code_alone() {
        let size = |recording, sink| {
            let dex = pruned(recording, sink);
            dex.codes.iter().map(|c| c.units().unwrap()).sum::<usize>()
        };
        let smallest = size(Recording::ARITH, Sink::File);
        for recording in [
            Recording::Trace(TraceCodec::Huffman),
            Recording::Trace(TraceCodec::Pap),
            Recording::Trace(TraceCodec::ArithAdaptive),
        ] {
            assert!(size(recording, Sink::File) > smallest, "{recording:?}");
        }
        assert!(size(Recording::ARITH, Sink::Logcat) > smallest);
        let whole = defined(&renamed());
        let mut by_any: BTreeSet<String> = Recording::all()
            .flat_map(|recording| SINKS.map(|sink| defined(&pruned(recording, sink))))
            .flatten()
            .collect();
        let (recording, sink) = (Recording::ARITH, Sink::File);
        let with_clones = Unused { members: false, ..unused(recording, sink) };
        by_any.extend(defined(&pruned_with(with_clones)));
        let keeping = Recording::Trace(TraceCodec::ArithAdaptive);
        let with_tables = Unused { tables: false, ..unused(keeping, sink) };
        by_any.extend(defined(&pruned_with(with_tables)));
        let with_origins = Unused { origins: &Asked::ALL, ..unused(recording, sink) };
        by_any.extend(defined(&pruned_with(with_origins)));
        // Readers of ring buffers can begin inside callbacks.
        let with_restarts = Unused { restarts: false, ..unused(recording, sink) };
        by_any.extend(defined(&pruned_with(with_restarts)));
        // Constructors of classes without objects, and methods that only drivers of tests call.
        let never: Vec<&String> = whole.difference(&by_any).collect();
        for m in never {
            let test_only = m.ends_with("-><init>()V") || m.contains("Protocol;");
            assert!(test_only, "{m} is reached by no build");
        }
    }

    /// Calls from live code to methods that builds may have as empty ones. A new call belongs here
    /// only if a value of `Config` excludes it in the build: see [`Unused::has`].
    #[test]
    fn silent_methods_are_called_behind_their_settings() {
        assert_eq!(calls_of_silent(Recording::ARITH), SILENT.map(String::from).into());
        // `Config.SELECTED`.
        let of_paths = calls_of_silent(Recording::Paths);
        let known = SILENT.into_iter().filter(|call| {
            // These methods are not empty in such a build, or their callers are.
            !call.contains("HitFile") && !call.starts_with("Sink.warm")
        });
        let more = [
            "Control.close Probes.flush",
            "Control.flush Probes.flush",
            "Pathlight.flush Probes.flush",
            "Sink.open FileSink.open",
            "Sink.open Sink.warm",
        ];
        let all: BTreeSet<String> = known.chain(more).map(String::from).collect();
        let new: Vec<&String> = of_paths.difference(&all).collect();
        assert!(new.is_empty(), "{new:?}");
    }

    /// Returns calls of methods that are empty in builds with this codec, from methods that are
    /// not.
    fn calls_of_silent(recording: Recording) -> BTreeSet<String> {
        let dex = Dex::read(RUNTIME_DEX).unwrap();
        let unused = unused(recording, Sink::File);
        let parts = |m: MethodIdx| {
            let id = &dex.methods.items()[m.index()];
            (dex.type_name(id.class), dex.string(id.name))
        };
        let mut calls = BTreeSet::new();
        for m in dex.classes.iter().flat_map(|c| c.methods()) {
            let (class, name) = parts(m.method);
            let Some(code) = m.code.filter(|_| !unused.has(&class, &name)) else { continue };
            let code = decode(&dex.codes[code.0 as usize].item().unwrap()).unwrap();
            for node in &code.nodes {
                let Item::Insn(insn) = &node.item else { continue };
                let Some(Ref::Method(callee)) = insn.reference() else { continue };
                let (to, called) = parts(callee);
                if unused.has(&to, &called) {
                    let short =
                        |class: &str| class["Lpathlight/".len()..class.len() - 1].to_owned();
                    calls.insert(format!("{}.{name} {}.{called}", short(&class), short(&to)));
                }
            }
        }
        calls
    }

    const SILENT: [&str; 27] = [
        // s.packed
        "Coder.play Packed.play",
        // Sink.lines; its callers ask
        "Coder.push LogSink.line",
        // Only probes of that codec call these.
        "Counts.enterGuarded Counts.begin",
        "Counts.unwound Counts.flush",
        // Sink.counts, and the code that sets it.
        "Events.end Counts.flush",
        "Events.flush Counts.flush",
        "Sink.open Counts.begin",
        "Sink.open CountFile.open",
        // Config.SELECTED; only files of hits start the publisher.
        "Control.close HitFile.close",
        "Control.close HitFile.publish",
        "Control.flush HitFile.publish",
        "HitPublisher.run HitFile.publish",
        "Sink.open HitFile.open",
        "Sink.warm Counts.warm",
        "Start.prepare Counts.prepare",
        "Start.prepare Counts.ready",
        // Only probes of origins need it.
        "Start.prepare Origins.prepare",
        // Sink.pap
        "Events.end Pap.end",
        // s.lostTold != s.lostEnd
        "Events.enter Pap.settle",
        "Events.enter Pap.announce",
        "Events.exit Pap.close",
        "Events.none Pap.none",
        // lines
        "Sink.drain LogSink.roll",
        // State.keepAt, Config.KEEP_TABLES
        "Events.closed StartTable.keep",
        "Events.flush StartTable.keep",
        "Events.unwound StartTable.keep",
        "FileSink.open StartTable.begin",
    ];
}
