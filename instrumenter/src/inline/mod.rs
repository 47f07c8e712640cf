//! Choice of the calls to inline.
//!
//! ART inlines a short method, but not one that probes have made longer than 32 code units. A hot
//! call of a short method of the same class, in which nothing can be thrown, is therefore replaced
//! by the callee's code before probes are placed. The callee becomes a part of its caller's graph
//! (`model::inlined`): neither its entry nor its exit is recorded, and regions may span both.
//!
//! Nothing is thrown inside, so no stack trace can lack the frame.

mod body;
mod open;
mod registers;

use std::collections::{HashMap, HashSet};

use dex::MoveKind;
use dex::verify::types::narrowings;
use dex::{AccessFlags, Args, Insn, Item, Op, Ref, Reg};
use model::inlined::MAX_NODES;
use model::recording::Recording;

use self::open::open_caller;
use self::registers::{Draft, DraftRegister, RegisterRuns, is_narrow};

use crate::analysis::effects::{is_instance_access, is_static_access};
use crate::analysis::liveness::{Liveness, has, written};
use crate::analysis::program::{MethodNo, Program};
use crate::art::{CROWDED, FULL};
use crate::options::{Inline, Options};
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::distributions::Histories;
use crate::plan::flow;
use crate::plan::ids::{Plan, Site};
use crate::plan::inlining::{InlinedCall, InliningPlan};
use crate::plan::subject::{Selection, Subject, scratch_count};
use crate::rewrite::registers::RegisterLayout;

/// Deepest nesting of inlined calls.
const MAX_DEPTH: usize = 3;
/// A callee is hot if it makes at least one in this number of all decisions in the model's
/// sessions.
const SHARE: u64 = 1 << 12;
/// Estimated number of instructions in a probe, as ART compiles it.
const PROBE: usize = 16;

/// Properties of a caller that its calls depend on.
struct CallerContext<'a> {
    /// Final position of each of its registers.
    place: &'a dyn Fn(u16) -> DraftRegister,
    /// Returns true for a register that nothing reads after the call.
    free: &'a dyn Fn(u16) -> bool,
    /// First parameter register of the outermost caller; the parameters may move up.
    border: u16,
    /// Registers that hold its `this`.
    receivers: &'a [u16],
}

/// A call in a decoded method.
struct PlannedCall<'a> {
    caller: SubjectId,
    from: &'a Subject,
    node: usize,
    site: Site,
}

/// Chooses the calls to replace by their callees' code. Callers that are `closed` keep all calls.
pub(crate) fn choose(
    program: &Program,
    selection: Selection,
    plan: &Plan,
    histories: &Histories<'_>,
    closed: &HashSet<MethodNo>,
    options: &Options,
) -> Selection {
    let inlines = match options.recording() {
        Recording::Trace(codec) => codec.inlines(),
        Recording::Edges => true,
        Recording::Reassemble | Recording::Paths => false,
    };
    if options.inline == Inline::Never || !inlines {
        return selection;
    }
    // Sums saturate because a model may contain any counts.
    let sum = |counts: &mut dyn Iterator<Item = u64>| counts.fold(0, u64::saturating_add);
    let decisions: BySubject<u64> = selection
        .subjects
        .map(|i, _| sum(&mut histories.of(i).values().flatten().flat_map(|b| b.counts())));
    let least = match options.inline {
        Inline::All => 0,
        _ => (sum(&mut decisions.iter().copied()) / SHARE).max(1),
    };
    let chooser =
        Chooser { program, selection: &selection, plan, histories, decisions: &decisions, least };
    let inlining = selection.subjects.par_map(|i, subject| {
        let ran = decisions[i] >= least || subject.branches.is_empty();
        let open = !subject.leaf && !subject.needs_free && !closed.contains(&subject.no);
        let wanted = ran && open && plan.sites[i].iter().any(|s| chooser.is_hot(s.1));
        wanted.then(|| chooser.caller(i)).flatten()
    });
    // A map can hold a limited number of blocks.
    let mut nodes = 0;
    let inlining = inlining.into_iter().map(|host| {
        let (host, blocks) = host?;
        nodes += blocks;
        (nodes <= MAX_NODES).then(|| Box::new(host))
    });
    let inlining = inlining.collect();
    Selection { inlining, ..selection }
}

struct Chooser<'a> {
    program: &'a Program,
    selection: &'a Selection,
    plan: &'a Plan,
    histories: &'a Histories<'a>,
    /// Sum of the model's counts of each subject's branches.
    decisions: &'a BySubject<u64>,
    least: u64,
}

impl Chooser<'_> {
    /// Returns true if the callee of a site makes enough decisions.
    fn is_hot(&self, site: Site) -> bool {
        matches!(site, Site::Predicted(m) if self.decisions[SubjectId::of(m)] >= self.least)
    }

    /// Returns one caller with the inlined calls, and the number of blocks of its graph.
    fn caller(&self, caller: SubjectId) -> Option<(InliningPlan, usize)> {
        let subject = &self.selection.open(self.program, caller);
        if !subject.monitors.depths().is_empty() {
            return None;
        }
        let drafts = self.drafts(caller, subject)?;
        // All calls with regions, else one of the two, else neither.
        let wanted = [(true, true), (false, true), (true, false), (false, false)];
        wanted.into_iter().find_map(|(spare, paths)| {
            let drafts: Vec<&Draft> = drafts.iter().filter(|d| spare || d.spare == 0).collect();
            let spare = drafts.iter().map(|d| d.spare).max()?;
            self.host(caller, subject, &drafts, spare, paths)
        })
    }

    /// Returns a caller with these calls, and the number of blocks of its graph. `paths` is true if
    /// decisions may go into the path register.
    fn host(
        &self,
        caller: SubjectId,
        subject: &Subject,
        drafts: &[&Draft],
        spare: u16,
        paths: bool,
    ) -> Option<(InliningPlan, usize)> {
        let before = subject.code.registers + subject.scratch_count();
        let count = scratch_count(subject.leaf, subject.framed(), paths);
        let layout = RegisterLayout::find_with_spare(&subject.code, count, spare)?;
        let after = subject.code.registers + count + spare;
        if subject.layout.scratch.low && !layout.scratch.low || before < CROWDED && after >= CROWDED
        {
            return None;
        }
        let calls: Vec<InlinedCall> =
            drafts.iter().filter_map(|d| d.place(&layout)).filter(|s| self.fits(s)).collect();
        if calls.is_empty() {
            return None;
        }
        let mut host =
            InliningPlan { calls, layout, spare, has_paths: paths, regions: 0, loops: 0 };
        let joined = open_caller(self.selection, self.program, caller, &host)?;
        (host.regions, host.loops) =
            (joined.paths.regions.len() as u32, joined.paths.loops.len() as u32);
        // A path register is worthless if no region or loop uses it.
        (!paths || !joined.paths.is_empty()).then_some((host, joined.cfg.blocks.len()))
    }

    /// Returns the calls of a caller that could be inlined, if there is room.
    fn drafts(&self, caller: SubjectId, subject: &Subject) -> Option<Vec<Draft>> {
        let live = Liveness::solve(&subject.code, &subject.cfg)?;
        let receivers = receivers(subject, self.program.method(subject.no).access);
        let known = |b| {
            let known = self.histories.of(caller).get(b).copied().flatten();
            known.map_or_else(Vec::new, |f| f.counts())
        };
        let runs = flow::runs(&subject.cfg, &known).blocks;
        let narrows = !narrowings(&subject.code).is_empty();
        let mut drafts: Vec<(u64, Draft)> = Vec::new();
        for (b, block) in subject.cfg.blocks.iter().enumerate() {
            let mut now = vec![0u64; usize::from(subject.code.registers).div_ceil(64)];
            // Registers that are live after each instruction.
            let mut behind = live.behind(&subject.cfg, b);
            let mut after: HashMap<usize, Vec<u64>> = HashMap::new();
            live.backward(&subject.code, &subject.cfg, b, &mut now, &mut |n, bits| {
                after.insert(n, std::mem::replace(&mut behind, bits.to_vec()));
            });
            for &(n, site) in
                self.plan.sites[caller].iter().filter(|s| (block.first..=block.last).contains(&s.0))
            {
                let quiet =
                    subject.code.nodes[n].try_id.is_none() && subject.monitors.depth(n) == 0;
                // Without branches a method has no counts; its callees decide.
                let ran = if subject.branches.is_empty() { u64::MAX } else { runs[b] };
                if !quiet || ran < self.least || !self.is_hot(site) {
                    continue;
                }
                let result = result_of(subject, n);
                // An object that a callee creates may have a narrower type than the declared one,
                // and ART's verifier cannot get from there to the type that a test in the caller
                // finds.
                if narrows && result.is_some_and(|r| r.1 == MoveKind::Object) {
                    continue;
                }
                let Some(read) = after.get(&result.map_or(n, |r| r.0)) else { continue };
                let handlers = &subject.handlers;
                let free = |r: u16| !has(read, r) && !handlers.iter().any(|&h| live.at(h, r));
                let arguments = arguments(&subject.code.insn(n).copied()?);
                let mut pool: Vec<u16> = (0..subject.code.registers)
                    .filter(|&r| free(r) && !arguments.contains(&r))
                    .collect();
                let around = CallerContext {
                    place: &DraftRegister::Own,
                    free: &free,
                    border: subject.code.registers - subject.code.ins,
                    receivers: &receivers,
                };
                let call = PlannedCall { caller, from: subject, node: n, site };
                let draft = self.draft(call, &around, &mut pool, 0, 0);
                drafts.extend(draft.map(|d| (ran, d)));
            }
        }
        // The hottest calls come first, as long as ART has room for all probes.
        drafts.sort_by_key(|(ran, d)| (std::cmp::Reverse(*ran), d.node));
        let mut taken = weight(subject);
        drafts.retain(|(_, d)| {
            let fits = taken + d.weight <= FULL;
            taken += if fits { d.weight } else { 0 };
            fits
        });
        Some(drafts.into_iter().map(|d| d.1).collect())
    }

    /// Plans one call of a caller, with those in its callee. `pool` are registers of the outermost
    /// caller that are free here; `spare` is the number of additional registers taken.
    fn draft(
        &self,
        PlannedCall { caller, from, node, site }: PlannedCall<'_>,
        around: &CallerContext<'_>,
        pool: &mut Vec<u16>,
        spare: u16,
        depth: usize,
    ) -> Option<Draft> {
        let Site::Predicted(id) = site else { return None };
        let callee = SubjectId::of(id);
        let insn = from.code.insn(node)?;
        let given = arguments(insn);
        let is_static = matches!(insn.op, Op::InvokeStatic | Op::InvokeStaticRange);
        let simple = self.selection.subjects[callee].simple;
        if depth >= MAX_DEPTH || !simple || !self.is_bound(caller, callee, insn.op) {
            return None;
        }
        let to = &self.selection.open(self.program, callee);
        if !is_static && !given.first().is_some_and(|r| around.receivers.contains(r))
            || given.len() != usize::from(to.code.ins)
        {
            return None;
        }
        let runs = RegisterRuns::of(to);
        let mut spare = spare;
        let mut places: Vec<Option<DraftRegister>> = vec![None; usize::from(to.code.registers)];
        let mut copied = Vec::new();
        let mut at = 0;
        for &kind in &to.parameters {
            let words = at..at + if kind == MoveKind::Wide { 2 } else { 1 };
            let first = to.code.registers - to.code.ins + at;
            let once = |r: &u16| given.iter().filter(|&g| g == r).count() == 1;
            let mine = given.get(usize::from(words.start)..usize::from(words.end))?;
            let kept = !runs.writes(first, words.len())
                || mine.iter().all(|r| once(r) && (around.free)(*r));
            if kept && runs.stands_alone(first, words.len()) {
                (first..)
                    .zip(mine)
                    .for_each(|(r, &given)| places[usize::from(r)] = Some((around.place)(given)));
            } else {
                copied.push((kind, first, mine[0]));
            }
            at = words.end;
        }
        // Registers that some instruction reaches only below v16 come first; the others avoid that
        // range.
        let (narrow, wide): (Vec<_>, Vec<_>) = runs
            .of_the_others(&places)
            .into_iter()
            .partition(|run| run.clone().any(|r| is_narrow(to, r)));
        let all = narrow
            .into_iter()
            .map(|run| (true, run))
            .chain(wide.into_iter().map(|run| (false, run)));
        for (low, run) in all {
            let length = run.len() as u16;
            let layout = |&&r: &&u16| {
                let end = r.saturating_add(length);
                (r >= around.border || end <= around.border) && (r..end).all(|i| pool.contains(&i))
            };
            let start = if low { pool.iter().find(layout) } else { pool.iter().rfind(layout) };
            match start.copied() {
                Some(r) => {
                    pool.retain(|&p| !(r..r + length).contains(&p));
                    run.zip(r..).for_each(|(local, r)| {
                        places[usize::from(local)] = Some(DraftRegister::Own(r))
                    });
                }
                None => {
                    run.zip(spare..).for_each(|(local, i)| {
                        places[usize::from(local)] = Some(DraftRegister::Spare(i))
                    });
                    spare += length;
                }
            }
        }
        let places: Vec<DraftRegister> = places.into_iter().collect::<Option<_>>()?;
        let copies = copied
            .iter()
            .map(|&(kind, to, from)| (kind, places[usize::from(to)], (around.place)(from)))
            .collect();
        let mut draft = Draft {
            node,
            callee,
            copies,
            result: result_of(from, node).map(|(n, kind, r)| (n, kind, (around.place)(r.0))),
            inner: Vec::new(),
            spare,
            weight: weight(to),
            places,
        };
        let inside = CallerContext {
            place: &|r| draft.places.get(usize::from(r)).copied().unwrap_or(DraftRegister::Own(r)),
            free: &|_| false,
            border: around.border,
            receivers: &receivers(to, self.program.method(to.no).access),
        };
        let mut inner = Vec::new();
        let mut total = 0;
        let beside = spare;
        for &(n, site) in &self.plan.sites[callee] {
            // Calls in sequence share the remaining registers.
            let call = PlannedCall { caller: callee, from: to, node: n, site };
            let d = self.draft(call, &inside, &mut pool.clone(), beside, depth + 1)?;
            spare = spare.max(d.spare);
            total += d.weight;
            inner.push(d);
        }
        draft.spare = spare;
        draft.weight += total;
        draft.inner = inner;
        self.is_harmless(callee, to).then_some(draft)
    }

    /// Returns true if a call can only lead to this callee, whatever is loaded later, and needs no
    /// check that the callee's code lacks.
    fn is_bound(&self, caller: SubjectId, callee: SubjectId, op: Op) -> bool {
        let method = |i: SubjectId| self.program.method(self.selection.subjects[i].no);
        let (from, to) = (method(caller), method(callee));
        let class = self.program.class(to.class);
        let bound = match op {
            Op::InvokeStatic | Op::InvokeStaticRange | Op::InvokeDirect | Op::InvokeDirectRange => {
                true
            }
            Op::InvokeVirtual | Op::InvokeVirtualRange => {
                (to.access | class.access).contains(AccessFlags::FINAL)
            }
            _ => false,
        };
        bound
            && caller != callee
            && from.class == to.class
            && !to.access.contains(AccessFlags::SYNCHRONIZED)
    }

    /// Returns true if nothing in a callee can be thrown and no other code of the app can run in
    /// it, except callees that are inlined with it.
    fn is_harmless(&self, callee: SubjectId, s: &Subject) -> bool {
        let method = self.program.method(s.no);
        let file = self.program.class(method.class).dex;
        let dex = &self.program.files[file].dex;
        let own = dex.methods.items()[method.method.index()].class;
        let this = receivers(s, method.access);
        // Where paths meet, the verifier merges the callee's values with the caller's types, not
        // with the declared ones.
        let joins = |&ty: &dex::TypeIdx| self.program.joins_as_declared(file, ty);
        let proto = self.program.proto(file, method.method);
        if proto.is_some_and(|p| !p.parameters.iter().chain([&p.return_type]).all(joins)) {
            return false;
        }
        s.code.nodes.iter().enumerate().all(|(n, node)| {
            let Item::Insn(insn) = &node.item else { return true };
            match (insn.op, insn.args) {
                (op, _) if !op.can_throw() => true,
                (op, Args::ABRef(_, object, Ref::Field(f))) if is_instance_access(op) => {
                    this.contains(&object.0) && dex.fields.items()[f.index()].class == own
                }
                (op, Args::ARef(_, Ref::Field(f))) if is_static_access(op) => {
                    dex.fields.items()[f.index()].class == own
                }
                (
                    Op::InvokeStatic | Op::InvokeStaticRange,
                    Args::List(_, Ref::Method(m)) | Args::Range(_, _, Ref::Method(m)),
                ) if is_quiet_math(self.program.reference(file, m)) => true,
                // Either all of these calls are inlined, or the callee is not.
                (op, _) if op.is_invoke() => self.plan.sites[callee].iter().any(|site| site.0 == n),
                _ => false,
            }
        })
    }

    /// Returns true if every instruction can encode its registers.
    fn fits(&self, call: &InlinedCall) -> bool {
        call.apply(self.selection.open(self.program, call.callee)).is_some()
            && call.inner.iter().all(|s| self.fits(s))
    }
}

/// Returns true for methods of `java.lang.Math` that neither throw nor call code of the app.
fn is_quiet_math((class, sig): (&str, &str)) -> bool {
    let name = sig.split('(').next().unwrap_or(sig);
    class == "Ljava/lang/Math;" && matches!(name, "abs" | "min" | "max" | "sqrt" | "floor" | "ceil")
}

/// Estimates the number of instructions that ART creates for a method with its probes.
fn weight(s: &Subject) -> usize {
    let insns = s.code.nodes.iter().filter(|n| matches!(n.item, Item::Insn(_))).count();
    let ways: usize = s.branches.iter().map(|b| s.cfg.block(b.0).end.successors().len()).sum();
    insns + PROBE * (1 + ways) + 3 * s.calls
}

/// Returns the argument registers of a call.
fn arguments(insn: &Insn) -> Vec<u16> {
    match insn.args {
        Args::List(list, _) => list.iter().map(|r| r.0).collect(),
        Args::Range(first, count, _) => (first.0..first.0.saturating_add(count)).collect(),
        _ => Vec::new(),
    }
}

/// Returns the node of a call's `move-result`, the kind of the value and its register.
fn result_of(s: &Subject, call: usize) -> Option<(usize, MoveKind, Reg)> {
    let (n, insn) = (call + 1..s.code.nodes.len()).find_map(|n| Some((n, s.code.insn(n)?)))?;
    let Args::A(to) = insn.args else { return None };
    match insn.op {
        Op::MoveResult => Some((n, MoveKind::Single, to)),
        Op::MoveResultWide => Some((n, MoveKind::Wide, to)),
        Op::MoveResultObject => Some((n, MoveKind::Object, to)),
        _ => None,
    }
}

/// Returns registers that hold the `this` of a method with these flags wherever they are read: its
/// parameter, and copies that the entry block makes and nothing else writes.
fn receivers(s: &Subject, access: AccessFlags) -> Vec<u16> {
    let this = s.code.registers - s.code.ins;
    let insns = || {
        s.code.nodes.iter().filter_map(|n| if let Item::Insn(i) = &n.item { Some(i) } else { None })
    };
    let writes = |i: &Insn, r: u16| written(i).any(|w| w == r);
    if access.contains(AccessFlags::STATIC) || insns().any(|i| writes(i, this)) {
        return Vec::new();
    }
    let entry = &s.cfg.blocks[0];
    let mut all = vec![this];
    for n in entry.first..=entry.last {
        let Some(Insn {
            op: Op::MoveObject | Op::MoveObjectFrom16 | Op::MoveObject16,
            args: Args::AB(to, from),
        }) = s.code.insn(n)
        else {
            continue;
        };
        // A local that is written once, here, is read only after this instruction.
        if from.0 == this && to.0 < this && insns().filter(|i| writes(i, to.0)).count() == 1 {
            all.push(to.0);
        }
    }
    all
}
