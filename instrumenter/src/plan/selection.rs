//! Selection of the methods that take part: decodes each method and finds the facts that its probes
//! depend on.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use dex::MoveKind;
use dex::{AccessFlags, Args, Body, Code, CodeItem, Dex, Insn, Item, Op, Ref};
use model::map::BlockId;
use model::recording::{MAX_BLOCKS, Recording};
use rayon::prelude::*;

use crate::analysis::by_convention::{self, Outside};
use crate::analysis::cfg::{BlockEnd, Cfg};
use crate::analysis::effects::{ends_process, is_leaf, runs_code, uses_arrays};
use crate::analysis::fingerprint;
use crate::analysis::inlined_branches::inlined_branches;
use crate::analysis::members;
use crate::analysis::program::{CallTargets, ClassNo, Dispatch, MethodNo, Program, Reach};
use crate::analysis::protection::Monitors;
use crate::analysis::source_names::SourceNames;
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::encoded;
use crate::plan::implied;
use crate::plan::initialisers::SilentInitialisers;
use crate::plan::inlining::NodeMap;
use crate::plan::path_numbers;
use crate::plan::regions::{Paths, RegionCode};
use crate::plan::subject::{
    CallInApp, Probing, Selection, SkipReason, Subject, Summary, scratch_count,
};
use crate::rewrite::registers::RegisterLayout;
use crate::rewrite::scavenge::FreeRegisters;

/// Code units that copies of shared bodies may add in any app. Beyond that, they may double the
/// app.
const MIN_COPIES: usize = 1 << 20;

/// Decodes every method with code, on all cores. `unwanted` returns the reason why the user
/// excludes a method, by its key.
pub fn select(
    targets: &CallTargets<'_>,
    names: &SourceNames<'_>,
    probing: Probing,
    unwanted: &(dyn Fn(&str) -> Option<SkipReason> + Sync),
    refused: &HashMap<MethodNo, SkipReason>,
    outside: Outside<'_>,
) -> Selection {
    let program = targets.program;
    let shared = shared_too_often(program);
    let lists: Vec<bool> =
        program.files.iter().map(|file| members::names_a_list(&file.dex)).collect();
    let results: Vec<_> = (0..program.methods.len())
        .into_par_iter()
        .filter(|&i| program.methods[i].code.is_some())
        .map(|i| {
            let no = MethodNo(i as u32);
            let result = match refused.get(&no) {
                Some(reason) => Err(reason.clone()),
                None => match unwanted(&program.method_key(no)) {
                    Some(reason) => Err(reason),
                    None if shared.contains(&no) => Err(SkipReason::Shared),
                    None => decode_method(targets, names, no, probing)
                        .map(|(subject, calls)| Candidate::new(program, names, subject, calls)),
                },
            };
            let calls = if result.is_err() { calls_of_skipped(targets, no) } else { Vec::new() };
            let file = program.class(program.method(no).class).dex;
            let never = matches!(result, Err(SkipReason::Duplicate));
            let lists = lists[file] && !never && result.is_err() && skipped_lists(program, no);
            (no, result, calls, lists)
        })
        .collect();
    let lists_are_woven = !results.iter().any(|(.., lists)| *lists);
    let (mut candidates, mut skipped) = (Vec::new(), Vec::new());
    let (mut called_by_skipped, mut called_by_given_up) = (HashSet::new(), HashSet::new());
    let mut silent = Vec::new();
    for (no, result, calls, _) in results {
        match result {
            Ok(candidate) => candidates.push(candidate),
            Err(reason) => {
                let called = match reason.is_limit() {
                    true => &mut called_by_given_up,
                    false => &mut called_by_skipped,
                };
                calls.iter().for_each(|call| called.extend(call.reach.methods()));
                skipped.push((no, reason));
                silent.push((no, calls));
            }
        }
    }
    // Calls from a method that a limit leaves are not recorded: the fewer probes the better.
    let announced = |no| matches!(outside, Outside::Observed(entered) if entered(no));
    let entered = |no| called_by_skipped.contains(&no) || announced(no);
    let mut summaries: Vec<&mut Summary> = candidates.iter_mut().map(|c| &mut c.summary).collect();
    implied::mark(program, &mut summaries, probing.recording, &called_by_given_up, &entered);
    let silent = silent.iter().map(|(no, calls)| (*no, &calls[..]));
    let initialisers = SilentInitialisers::find(program, silent, &summaries);
    initialisers.drop_from(&mut summaries);
    let unrecorded = implied::unrecorded(&summaries);
    candidates.retain(|c| !unrecorded.contains(&c.summary.no));
    skipped.extend(unrecorded.into_iter().map(|no| (no, SkipReason::CallersLeft)));
    skipped.sort_unstable_by_key(|(no, _)| *no);
    let guards = probing.recording != Recording::Paths;
    if guards {
        add_guards(&mut candidates, &|no| entered(no) || called_by_given_up.contains(&no));
    }
    if let (true, Outside::FirstRelease(texts)) = (guards, outside) {
        let named = candidates.iter().flat_map(|c| c.names.iter().copied());
        let reached = by_convention::reached(program, texts, named);
        let reached = |c: &Candidate| reached.contains(&c.summary.no);
        candidates.iter_mut().filter(|c| c.throws && !c.summary.leaf && reached(c)).for_each(guard);
    }
    let subjects = candidates.into_iter().map(|c| c.summary).collect();
    let subjects: BySubject<Summary> = subjects;
    let inlining = subjects.map(|_, _| None);
    Selection { subjects, skipped, probing, inlining, lists_are_woven }
}

/// A method that takes part, before the decision on its guard.
struct Candidate {
    summary: Summary,
    /// True if an instruction in it may throw.
    throws: bool,
    /// Register layout with an added guard, if there is room for one.
    guarded: Option<RegisterLayout>,
    /// Other classes of the app that its code names by `const-class`.
    names: Vec<ClassNo>,
}

impl Candidate {
    fn new(
        program: &Program,
        source: &SourceNames<'_>,
        s: Subject,
        calls: Vec<CallInApp>,
    ) -> Candidate {
        let throws = s.cfg.blocks.iter().any(|b| b.throws || b.end == BlockEnd::Throw);
        let count = scratch_count(false, true, !s.paths.is_empty());
        let guarded = match s.free {
            _ if s.guarded || s.leaf => None,
            Some(_) => RegisterLayout::find_high(&s.code, count),
            None => RegisterLayout::find(&s.code, count),
        };
        let class = program.method(s.no).class;
        let names = s.code.insns().filter_map(|(_, insn)| match (insn.op, insn.args) {
            (Op::ConstClass, Args::ARef(_, Ref::Type(ty))) => {
                program.class_of(program.class(class).dex, ty).filter(|&named| named != class)
            }
            _ => None,
        });
        let names = names.collect();
        let mapped = source.mapped(program, s.no).filter(|_| !s.branches.is_empty());
        let inlined = mapped.map_or(Vec::new(), |mapped| {
            inlined_branches(&mapped, &s.code, &s.addresses, &s.cfg, &s.branches)
        });
        let dex = &program.files[program.class(class).dex].dex;
        let lists = s.code.insns().any(|(_, insn)| members::listed(dex, insn).is_some());
        let known = Summary::of(&s, calls);
        // Lists of members are filtered by code with probes.
        let straight = known.straight && !lists;
        let summary = Summary { inlined: inlined.into(), straight, ..known };
        Candidate { summary, throws, guarded, names }
    }
}

/// Returns methods with a shared body for which no copy is allowed any more: probes differ from
/// method to method, so each method needs a copy, and few bytes could cause gigabytes of copies.
fn shared_too_often(program: &Program) -> HashSet<MethodNo> {
    let mut users: HashMap<(usize, dex::CodeId), u32> = HashMap::new();
    let (mut own, mut copies) = (0, 0);
    let mut left = HashSet::new();
    for (i, method) in program.methods.iter().enumerate() {
        let (file, Some(code)) = (program.class(method.class).dex, method.code) else { continue };
        let units = program.files[file].dex.codes[code.0 as usize].units().unwrap_or(0);
        let users = users.entry((file, code)).or_default();
        *users += 1;
        if *users == 1 {
            own += units;
            continue;
        }
        copies += units;
        if copies > MIN_COPIES.max(own) {
            left.insert(MethodNo(i as u32));
        }
    }
    left
}

/// Returns the calls in the app of a method that stays unchanged.
fn calls_of_skipped(targets: &CallTargets<'_>, no: MethodNo) -> Vec<CallInApp> {
    let program = targets.program;
    let method = program.method(no);
    let file = program.class(method.class).dex;
    let code = code_of_skipped(program, no);
    code.map_or(Vec::new(), |code| call_sites(targets, file, method.class, &code))
}

fn code_of_skipped(program: &Program, no: MethodNo) -> Option<Cow<'_, Code>> {
    let method = program.method(no);
    let dex = &program.files[program.class(method.class).dex].dex;
    let code = method.code.and_then(|c| dex.code(c)).and_then(Result::ok);
    code.filter(|c| dex.dangling(c).is_none())
}

/// Returns true if a method that stays unchanged may list the members of a class.
fn skipped_lists(program: &Program, no: MethodNo) -> bool {
    let dex = &program.files[program.class(program.method(no).class).dex].dex;
    code_of_skipped(program, no)
        .is_none_or(|code| code.insns().any(|(_, insn)| members::listed(dex, insn).is_some()))
}

/// Adds guards. A method that no call in the app reaches is called from outside if it runs at all
/// (reflection, method handles, native code), and an exception that leaves it may be caught there.
/// The same holds for methods that are `known` to be entered otherwise: callees of skipped methods,
/// and methods that announced themselves in an earlier release. The latter get a guard even if
/// nothing can be thrown: an announcement without a guard at top level would cost the rest of the
/// thread its sync points.
fn add_guards(candidates: &mut [Candidate], known: &dyn Fn(MethodNo) -> bool) {
    let calls = candidates.iter().flat_map(|c| &c.summary.calls);
    let called: HashSet<MethodNo> = calls.flat_map(|c| c.reach.methods()).collect();
    for candidate in candidates {
        let summary = &candidate.summary;
        let unseen = !called.contains(&summary.no) && !summary.leaf && candidate.throws;
        if known(summary.no) || unseen {
            guard(candidate);
        }
    }
}

/// Gives a guard to a method that has probes and no guard, if there is room.
fn guard(Candidate { summary, guarded, .. }: &mut Candidate) {
    if summary.guarded || summary.implied {
        return;
    }
    if summary.leaf {
        summary.guarded = true;
    } else if let Some(layout) = *guarded {
        summary.guarded = true;
        summary.layout = layout;
    }
}

/// Code, and the address of each node.
pub(crate) type Decoded = (Code, Vec<u32>);

/// Decodes a body and checks that it refers only to what its file and its frame have.
pub(crate) fn decode_sound(dex: &Dex, raw: &CodeItem) -> Result<Decoded, SkipReason> {
    let (code, addresses) =
        dex::decode_with_addresses(raw).map_err(|e| SkipReason::Malformed(e.to_string()))?;
    if let Some((n, what)) = dex.dangling(&code) {
        let at =
            addresses.get(n).map_or(String::from("a handler"), |at| format!("code unit {at:#06x}"));
        return Err(SkipReason::Malformed(format!(
            "{at}: it names a {what} that the file does not have"
        )));
    }
    let registers = code.registers;
    let outside = |(n, insn): (usize, &Insn)| {
        Some((n, insn.highest_reg().filter(|&r| r >= registers.into())?))
    };
    if let Some((n, reg)) = code.insns().find_map(outside) {
        let at = addresses.get(n).copied().unwrap_or_default();
        let what =
            format!("code unit {at:#06x}: it names v{reg} in a frame of {registers} registers");
        return Err(SkipReason::Malformed(what));
    }
    Ok((code, addresses))
}

/// Decodes a method's code for the first time, and finds its calls inside the app.
fn decode_method(
    targets: &CallTargets<'_>,
    names: &SourceNames<'_>,
    no: MethodNo,
    probing: Probing,
) -> Result<(Subject, Vec<CallInApp>), SkipReason> {
    let program = targets.program;
    let Probing { recording, x86_safe, path_registers } = probing;
    let method = program.method(no);
    let class = program.class(method.class);
    if class.is_duplicate() {
        return Err(SkipReason::Duplicate);
    }
    let dex = &program.files[class.dex].dex;
    let body = &dex.codes[method.code.expect("selected by having code").0 as usize];
    let Some(raw) = body.item() else {
        return Err(SkipReason::Malformed("already under edit".into()));
    };
    let taken =
        DecodedMethod::new(program, no, decode_sound(dex, &raw)?).ok_or(SkipReason::Empty)?;
    let DecodedMethod { code, cfg, handlers, .. } = &taken;
    if let Some(n) = cfg.blocks.iter().map(|b| b.end.successors().len()).find(|&n| n > 60_000) {
        return Err(SkipReason::Alternatives(n));
    }
    if recording.numbers_blocks() && cfg.blocks.len() > MAX_BLOCKS {
        return Err(SkipReason::Blocks(cfg.blocks.len()));
    }
    let counts_paths = recording == Recording::Paths;
    let guarded = targets.called_from_outside(no) && !counts_paths;
    let terminal = matches!(program.text(method.sig), "onStop()V" | "onDestroy()V") && guarded;
    let leaf = !counts_paths
        && !terminal
        && handlers.is_empty()
        && is_leaf(program, class.dex, method, code, cfg);
    let numbers = recording.numbers_paths();
    let guarded = guarded || numbers;
    let framed = !leaf && (guarded || !handlers.is_empty());
    let mut paths = Paths::default();
    let count = match recording {
        _ if numbers && !leaf => path_numbers::REGISTERS,
        Recording::Paths => path_registers,
        _ => scratch_count(leaf, framed, false),
    };
    let mut free = None;
    let plain = RegisterLayout::find(code, count).or_else(|| {
        // `pap` computes in its registers, which must be within reach.
        free = FreeRegisters::find(code, cfg).filter(|_| !numbers && !counts_paths);
        free.as_ref().and_then(|_| RegisterLayout::find_high(code, count))
    });
    let mut layout = plain.ok_or(SkipReason::Registers(code.registers))?;
    if numbers && !leaf {
        layout.scratch.frame = dex::Reg(layout.scratch.state.0 + path_numbers::FRAME);
    }
    if counts_paths {
        layout.scratch.path = layout.scratch.state;
        if path_registers == encoded::REGISTERS {
            layout.scratch.temp = dex::Reg(layout.scratch.state.0 + encoded::TEMPORARY);
        }
    }
    let x86_safe = x86_safe && uses_arrays(code);
    if recording.fuses_regions() && !leaf && !x86_safe {
        paths = taken.find_paths(program, 0, &|_| true);
        // An additional register may cost every probe its short form: only loops are worth that.
        match RegisterLayout::find(code, scratch_count(leaf, framed, true)) {
            _ if paths.is_empty() => {}
            Some(more) if more.scratch.low || !layout.scratch.low || !paths.loops.is_empty() => {
                layout = more
            }
            _ => paths = Paths::default(),
        }
    }
    let mut calls = call_sites(targets, class.dex, method.class, code);
    for call in &mut calls {
        let block = cfg.blocks.partition_point(|b| b.last < call.node as usize);
        call.throws = cfg.blocks.get(block).is_none_or(|b| b.end == BlockEnd::Throw);
    }
    let branches = (0..cfg.blocks.len())
        .map(|b| BlockId(b as u32))
        .filter(|&b| cfg.block(b).end.successors().len() > 1)
        .map(|b| (b, fingerprint::branch(program, names, class.dex, code, cfg, b)))
        .collect();
    let decided = MethodDecisions {
        fingerprint: fingerprint::method(program, names, class.dex, code),
        branches,
        calls: calls.len(),
        terminal,
        leaf,
        implied: false,
        bottom: false,
        guarded,
        layout,
        spare: 0,
        free,
        paths,
        x86_safe,
        node_map: None,
    };
    Ok((taken.subject(program, probing, decided), calls))
}

impl Selection {
    /// Decodes a selected method again.
    ///
    /// # Panics
    /// Panics if the program is not the one that the selection was made from.
    pub fn open(&self, program: &Program, subject: SubjectId) -> Subject {
        let known = &self.subjects[subject];
        let method = program.method(known.no);
        let dex = &program.files[program.class(method.class).dex].dex;
        let body = method.code.and_then(|code| dex.codes.get(code.0 as usize));
        let before = "it was taken apart before";
        let raw = body.and_then(Body::item).expect(before);
        let decoded = dex::decode_with_addresses(&raw).expect(before);
        let taken = DecodedMethod::new(program, known.no, decoded).expect(before);
        let DecodedMethod { code, cfg, .. } = &taken;
        let paths = match known.has_paths() {
            true => taken.find_paths(program, 0, &|_| true),
            false => Paths::default(),
        };
        let decided = MethodDecisions {
            fingerprint: known.fingerprint,
            branches: known.branches.iter().map(|b| (b.block, b.fingerprint)).collect(),
            calls: known.call_count as usize,
            terminal: known.terminal,
            leaf: known.leaf,
            implied: known.implied,
            bottom: known.bottom,
            guarded: known.guarded,
            layout: known.layout,
            spare: 0,
            node_map: None,
            free: if known.needs_free { FreeRegisters::find(code, cfg) } else { None },
            paths,
            x86_safe: self.probing.x86_safe && uses_arrays(code),
        };
        taken.subject(program, self.probing, decided)
    }
}

/// A decoded method, with the facts about it.
pub(crate) struct DecodedMethod {
    no: MethodNo,
    pub code: Code,
    addresses: Vec<u32>,
    pub cfg: Cfg,
    monitors: Monitors,
    handlers: Vec<BlockId>,
}

impl DecodedMethod {
    pub fn new(program: &Program, no: MethodNo, decoded: Decoded) -> Option<DecodedMethod> {
        let (code, addresses) = decoded;
        let cfg = Cfg::build(&code)?;
        let file = program.class(program.method(no).class).dex;
        let is_init = |m| program.reference(file, m).1.starts_with("<init>(");
        let monitors = Monitors::find(&code, &cfg, &is_init);
        let handlers = (0..cfg.blocks.len()).filter(|&b| cfg.blocks[b].is_handler);
        let handlers = handlers.map(|b| BlockId(b as u32)).collect();
        Some(DecodedMethod { no, code, addresses, cfg, monitors, handlers })
    }

    /// Finds decisions that can go into the path register. `more` is the number of code units that
    /// inlined callees add; `whole` returns true if a block is an undivided one of the method's
    /// own.
    pub fn find_paths(
        &self,
        program: &Program,
        more: u32,
        whole: &dyn Fn(BlockId) -> bool,
    ) -> Paths {
        let method = program.method(self.no);
        let dex = &program.files[program.class(method.class).dex].dex;
        let units = method.code.and_then(|c| dex.codes[c.0 as usize].units()).unwrap_or(0);
        let found = RegionCode {
            code: &self.code,
            units: units as u32 + more,
            cfg: &self.cfg,
            held: self.monitors.depths(),
        };
        Paths::find(found, &|insn| runs_code(dex, method.method, insn), whole)
    }

    /// Builds the subject, with marks according to the decisions.
    pub fn subject(
        self,
        program: &Program,
        Probing { recording, path_registers, .. }: Probing,
        decided: MethodDecisions,
    ) -> Subject {
        let DecodedMethod { no, code, addresses, mut cfg, monitors, handlers } = self;
        let method = program.method(no);
        let file = program.class(method.class).dex;
        let MethodDecisions { paths, leaf, x86_safe, .. } = &decided;
        // In a leaf, instructions that could throw elsewhere cannot throw.
        cfg.blocks[0].throws &= !leaf;
        if matches!(recording, Recording::Edges | Recording::Paths) {
            // Nothing in such a method needs the block of a throw.
            cfg.blocks.iter_mut().for_each(|b| b.mark = false);
        } else if recording.fuses_regions() && !leaf && !x86_safe {
            cfg.place_marks(&|b| paths.covers(b));
        }
        if recording.numbers_paths() {
            let dex = &program.files[file].dex;
            let runs = |insn: &Insn| runs_code(dex, method.method, insn);
            cfg.place_marks_for_code(&|b| {
                let nodes = &code.nodes[b.first..=b.last];
                nodes.iter().any(|n| matches!(&n.item, Item::Insn(i) if runs(i)))
            });
        }
        let pap = (recording.numbers_paths()).then(|| path_numbers::joins(&cfg, &handlers));
        let (_, sig) = program.reference(file, method.method);
        let proto = program.proto(file, method.method);
        let joins_results =
            proto.is_none_or(|proto| program.joins_as_declared(file, proto.return_type));
        let counts_paths = recording == Recording::Paths;
        let last_calls = code.insns().filter(|_| !counts_paths);
        let last_calls = last_calls.filter(|(_, i)| ends_process(program, file, i));
        let last_calls = last_calls.map(|(n, _)| n).collect();
        Subject {
            no,
            monitors,
            free: decided.free,
            declared_parameters: parameters(sig, true).len(),
            parameters: parameters(sig, method.access.contains(AccessFlags::STATIC)),
            fingerprint: decided.fingerprint,
            terminal: decided.terminal,
            leaf: decided.leaf,
            joins_results,
            pap,
            paths: decided.paths,
            code,
            addresses,
            cfg,
            handlers,
            guarded: decided.guarded,
            layout: decided.layout,
            calls: decided.calls,
            branches: decided.branches,
            spare: decided.spare,
            implied: decided.implied,
            bottom: decided.bottom,
            x86_safe: decided.x86_safe,
            last_calls,
            counted: counts_paths.then_some(path_registers),
            node_map: decided.node_map,
            state_parameter: None,
        }
    }
}

/// Decisions on a method; fields as in [`Subject`].
pub(crate) struct MethodDecisions {
    pub fingerprint: u64,
    pub branches: Vec<(BlockId, u64)>,
    pub calls: usize,
    pub terminal: bool,
    pub leaf: bool,
    pub implied: bool,
    pub bottom: bool,
    pub guarded: bool,
    pub layout: RegisterLayout,
    pub spare: u16,
    pub free: Option<FreeRegisters>,
    pub paths: Paths,
    pub x86_safe: bool,
    pub node_map: Option<Box<NodeMap>>,
}

/// Returns the calls of a body that can reach methods of the app.
pub(crate) fn call_sites(
    targets: &CallTargets<'_>,
    file: usize,
    caller: crate::analysis::program::ClassNo,
    code: &Code,
) -> Vec<CallInApp> {
    let mut sites = Vec::new();
    for (n, node) in code.nodes.iter().enumerate() {
        let Item::Insn(insn) = &node.item else { continue };
        let dispatch = match insn.op {
            Op::InvokeStatic | Op::InvokeStaticRange | Op::InvokeDirect | Op::InvokeDirectRange => {
                Dispatch::Exact
            }
            Op::InvokeSuper | Op::InvokeSuperRange => Dispatch::Super,
            Op::InvokeVirtual | Op::InvokeVirtualRange => Dispatch::Virtual,
            Op::InvokeInterface | Op::InvokeInterfaceRange => Dispatch::Interface,
            _ => continue,
        };
        let (Args::List(_, Ref::Method(m)) | Args::Range(_, _, Ref::Method(m))) = insn.args else {
            continue;
        };
        match targets.reach(file, m, dispatch, caller) {
            Reach::Outside => {}
            reach => sites.push(CallInApp {
                node: n as u32,
                method: m,
                reach,
                gets_first_slot: targets.gets_first_slot(file, m),
                looks_up: dispatch == Dispatch::Virtual,
                may_initialise: matches!(insn.op, Op::InvokeStatic | Op::InvokeStaticRange),
                throws: false,
            }),
        }
    }
    sites
}

/// Returns the kinds of the incoming parameters, from `name(params)ret`.
pub(crate) fn parameters(sig: &str, is_static: bool) -> Vec<MoveKind> {
    let mut kinds = if is_static { Vec::new() } else { vec![MoveKind::Object] };
    let inside = sig.split_once('(').map_or("", |(_, rest)| rest);
    let mut chars = inside.bytes().peekable();
    while let Some(c) = chars.next() {
        match c {
            b')' => break,
            b'J' | b'D' => kinds.push(MoveKind::Wide),
            b'L' | b'[' => {
                let mut c = c;
                while c == b'[' {
                    c = chars.next().unwrap_or(b')');
                }
                if c == b'L' {
                    chars.by_ref().find(|&c| c == b';');
                }
                kinds.push(MoveKind::Object);
            }
            _ => kinds.push(MoveKind::Single),
        }
    }
    kinds
}
