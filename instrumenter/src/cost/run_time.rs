//! Prediction of the probes' share of the app's time before anything runs: each instruction and
//! each probe at its price, as often as the model counted it.
//!
//! Only the app's own code counts: waiting time is excluded, and code outside the app is a guess
//! for each call. The runs of a method follow from its branches; a method without branches runs as
//! often as it is called.

use std::collections::{BTreeMap, HashMap};

use dex::{Insn, Item};
use model::map::{BlockId, Map, MethodId};
use model::price::{BIT, bits_of};
use model::profile::{BranchHistory, Profile};
use model::recording::Wire;

use crate::analysis::cfg::BlockEnd;
use crate::analysis::program::{MethodNo, Program, Reach};
use crate::cost::prices::{
    CALL, ComponentCounts, DISPATCH, INVOKE, ProbeComponent, Time, UNLIKELY, outside, own,
};
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::clones::CountedCall;
use crate::plan::distributions::AllNumbers;
use crate::plan::flow::{self, Runs};
use crate::plan::ids::{Plan, Site};
use crate::plan::inlining::InlinedCall;
use crate::plan::regions::BlockRole;
use crate::plan::subject::{Selection, Subject};
use crate::plan::switch_lookup::SwitchLookup;

/// Time of one method in the sessions of the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MethodTime {
    /// Number of entries by calls that are not inlined.
    pub entries: u64,
    /// Time without probes.
    pub work: Time,
    /// Runs of its probes' components.
    pub probes: ComponentCounts,
    /// True if the probes add a catch-all to a method without handlers: ART inlines no such method,
    /// and optimises neither its loads nor its loops.
    pub walled: bool,
    /// Targets in the app and counts of its calls: without the method's probes each call would be
    /// announced.
    pub calls: Vec<(Box<[MethodNo]>, u64)>,
}

/// A build with a model's counts.
pub(crate) struct CountedBuild<'a> {
    pub program: &'a Program,
    pub selection: &'a Selection,
    pub plan: &'a Plan,
    pub numbers: &'a AllNumbers<'a>,
    /// Map with names, slots and codec; its methods are not needed.
    pub map: &'a Map,
    pub model: &'a Profile,
    /// Code units of each method without probes.
    pub units: BySubject<u32>,
}

/// Number of entries of each method.
pub(super) struct Entries {
    /// Entries by calls, inlined or not.
    pub all: BySubject<u64>,
    /// Entries by calls that the callee's code replaces, included in `all`.
    inlined: BySubject<u64>,
    /// Entries by announced calls, included in `all`.
    announced: BySubject<u64>,
}

impl CountedBuild<'_> {
    /// Returns the time of each method, or `None` for those that never ran.
    pub fn times(&self) -> BySubject<Option<MethodTime>> {
        let runs = self.own_runs();
        let entries = self.entries(&runs, &self.model.callbacks());
        let none = Runs { blocks: Vec::new(), entries: 0 };
        self.selection.subjects.par_map(|i, s| {
            let all = entries.all[i];
            let own = match &runs[i] {
                Some(runs) => runs,
                None if all > 0 && s.branches.is_empty() => &none,
                None => return None,
            };
            let subject = &self.selection.open_woven(self.program, i);
            let blocks = self.woven_runs(subject, own, all);
            let mut time =
                TimedMethod { build: self, subject, of: i, blocks: &blocks }.time(own, all);
            // The time of inlined runs is counted in the callers.
            let inlined = entries.inlined[i].min(all);
            time.work = time.work.share(all - inlined, all);
            time.probes = time.probes.share(all - inlined, all);
            time.entries = all - inlined;
            time.probes.add(ProbeComponent::Announced, entries.announced[i]);
            Some(time)
        })
    }

    /// Returns the calls, by caller, that name a method with probes and are not inlined, with their
    /// counts.
    pub fn calls(&self) -> Vec<CountedCall> {
        let runs = self.own_runs();
        // What only callbacks run is not worth a clone.
        let entries = self.entries(&runs, &BTreeMap::new());
        let calls = self.selection.subjects.par_map(|caller, _| {
            let sites = &self.plan.sites[caller];
            if sites.is_empty() || entries.all[caller] == 0 && runs[caller].is_none() {
                return Vec::new();
            }
            let host = self.selection.inlining[caller].as_deref();
            let is_call = |n: usize| !host.is_some_and(|h| h.calls.iter().any(|c| c.node == n));
            let blocks = runs[caller]
                .as_ref()
                .map(|runs| (runs, self.selection.open(self.program, caller).cfg.blocks));
            let counted = sites.iter().filter_map(|&(node, site)| {
                let Site::Predicted(callee) = site else { return None };
                let runs = match &blocks {
                    None => entries.all[caller],
                    Some((runs, blocks)) => {
                        let block = blocks.partition_point(|b| b.last < node);
                        runs.blocks.get(block).copied().unwrap_or(0)
                    }
                };
                let callee = SubjectId::of(callee);
                is_call(node).then_some(CountedCall { caller, node, callee, runs })
            });
            counted.collect()
        });
        calls.into_iter().flatten().collect()
    }

    /// Returns the runs of the blocks of methods with branches, or `None` for those that never ran
    /// or have no branches.
    pub(super) fn own_runs(&self) -> BySubject<Option<Runs>> {
        self.selection.subjects.par_map(|i, _| {
            let known = &self.numbers[i].known;
            if !known.values().flatten().any(|f| f.counts().iter().any(|&n| n > 0)) {
                return None;
            }
            let subject = self.selection.open(self.program, i);
            Some(flow::runs(&subject.cfg, &|b| self.counts(i, b)))
        })
    }

    fn counts(&self, of: SubjectId, block: BlockId) -> Vec<u64> {
        let known = self.numbers[of].known.get(block);
        known.and_then(|f| f.as_ref()).map_or(Vec::new(), BranchHistory::counts)
    }

    /// Returns the number of runs of a method's node, given the runs of its blocks and its number
    /// of entries `all`.
    fn at(&self, runs: Option<&Runs>, all: u64, i: SubjectId, node: usize) -> u64 {
        let Some(runs) = runs else { return all };
        // A call's block is looked up in the method's own graph, as the map has it.
        let subject = self.selection.open(self.program, i);
        let block = subject.cfg.blocks.partition_point(|b| b.last < node);
        runs.blocks.get(block).copied().unwrap_or(0)
    }

    /// Returns the entries of each method, for these `callbacks`: how often methods ran as
    /// top-level ones.
    pub(super) fn entries(
        &self,
        runs: &BySubject<Option<Runs>>,
        callbacks: &BTreeMap<&str, u64>,
    ) -> Entries {
        let subjects = &self.selection.subjects;
        let id = |no: &MethodNo| self.plan.ids.get(no).map(|&id| SubjectId::of(id));
        // Calls from methods whose blocks have counts.
        let calls = subjects.par_map(|i, s| {
            let Some(runs) = &runs[i] else { return Vec::new() };
            if s.calls.is_empty() {
                return Vec::new();
            }
            let cfg = self.selection.open(self.program, i).cfg;
            let calls = s.calls.iter().filter_map(|call| {
                let Reach::One(callee) = &call.reach else { return None };
                let block = cfg.blocks.partition_point(|b| b.last < call.node as usize);
                Some((id(callee)?, runs.blocks.get(block).copied().unwrap_or(0)))
            });
            calls.collect()
        });
        let mut all: Vec<u64> = vec![0; subjects.len()];
        let mut announced = all.clone();
        let index = |i: SubjectId| i.method_id().0 as usize - 1;
        for (callee, n) in calls.iter().flatten() {
            bump(&mut all[index(*callee)], *n);
        }
        for (callee, n) in self.by_slots() {
            bump(&mut all[index(callee)], n);
        }
        for (m, i) in self.map.methods.iter().zip(0..) {
            let key = self.map.method_key(m);
            announced[i] = self.model.announced.get(&key).copied().unwrap_or(0);
            bump(&mut all[i], announced[i]);
            bump(&mut all[i], callbacks.get(key.as_str()).copied().unwrap_or(0));
        }
        // Methods without branches pass on their entries, callers before callees; cycles of them
        // are never ready.
        let straight = |i: SubjectId| subjects[i].branches.is_empty();
        let mut waits = vec![0u32; subjects.len()];
        for (_, s) in subjects.enumerate().filter(|(i, _)| straight(*i)) {
            for callee in s.calls.iter().filter_map(|call| only(&call.reach)).filter_map(id) {
                waits[index(callee)] += 1;
            }
        }
        let mut ready: Vec<SubjectId> = subjects
            .enumerate()
            .map(|(i, _)| i)
            .filter(|&i| straight(i) && waits[index(i)] == 0)
            .collect();
        while let Some(i) = ready.pop() {
            let n = all[index(i)];
            for callee in subjects[i].calls.iter().filter_map(|c| only(&c.reach)).filter_map(id) {
                bump(&mut all[index(callee)], n);
                waits[index(callee)] -= 1;
                if waits[index(callee)] == 0 && straight(callee) {
                    ready.push(callee);
                }
            }
        }
        // Counts from branches are exact.
        for (i, runs) in runs.enumerate() {
            if let Some(runs) = runs {
                all[index(i)] = runs.entries;
            }
        }
        let mut inlined: Vec<u64> = vec![0; subjects.len()];
        for (i, host) in self.selection.inlining.enumerate() {
            let Some(host) = host else { continue };
            for call in &host.calls {
                let n = self.at(runs[i].as_ref(), all[index(i)], i, call.node);
                self.replaced(call, n, runs, &mut inlined);
            }
        }
        Entries { all: all.into(), inlined: inlined.into(), announced: announced.into() }
    }

    /// Counts a call that is inlined, and those inside it.
    fn replaced(
        &self,
        call: &InlinedCall,
        n: u64,
        runs: &BySubject<Option<Runs>>,
        inlined: &mut [u64],
    ) {
        bump(&mut inlined[call.callee.method_id().0 as usize - 1], n);
        let Some(of) = &runs[call.callee] else { return };
        for inner in &call.inner {
            let at = self.at(Some(of), of.entries, call.callee, inner.node);
            let n = (u128::from(n) * u128::from(at) / u128::from(of.entries.max(1))) as u64;
            self.replaced(inner, n, runs, inlined);
        }
    }

    /// Returns the calls through slots, by callee; sites of one name share the model's counts.
    pub(super) fn by_slots(&self) -> Vec<(SubjectId, u64)> {
        let mut same: HashMap<&str, u64> = HashMap::new();
        for slot in &self.map.slots {
            *same.entry(self.map.name(slot.site)).or_default() += 1;
        }
        let mut out = Vec::new();
        for slot in self.map.slots.iter().filter(|s| !s.callees.is_empty()) {
            let site = self.map.name(slot.site);
            let Some(tally) = self.model.slots.get(site) else { continue };
            for id in &slot.callees {
                let Some(m) = self.map.method(*id) else { continue };
                let n = tally.get(&self.map.method_key(m)).copied().unwrap_or(0) / same[site];
                out.push((SubjectId::of(*id), n));
            }
        }
        out
    }

    /// Returns the number of runs of each block of the woven graph. `own` has the runs of the
    /// method's own blocks; in a method without branches all run `all` times.
    pub(super) fn woven_runs(&self, subject: &Subject, own: &Runs, all: u64) -> Vec<u64> {
        let straight = own.blocks.is_empty();
        let Some(node_map) = &subject.node_map else {
            let mut runs = own.blocks.clone();
            runs.resize(subject.cfg.blocks.len(), if straight { all } else { 0 });
            return runs;
        };
        // The code of a callee leads only forwards, and comes after the call.
        let mut arrived = vec![0u64; subject.cfg.blocks.len()];
        for (b, block) in subject.cfg.blocks.iter().enumerate() {
            let origin = node_map.origins[b];
            if origin.depth == 0 {
                arrived[b] = match straight {
                    true => all,
                    false => own.blocks.get(origin.block.0 as usize).copied().unwrap_or(0),
                };
            }
            let taken = self.taken(subject, BlockId(b as u32), arrived[b]);
            for (to, n) in block.end.successors().iter().zip(taken) {
                if node_map.origins[to.0 as usize].depth > 0 {
                    bump(&mut arrived[to.0 as usize], n);
                }
            }
        }
        arrived
    }

    /// Returns the number of times that each alternative of a block was taken, given the runs of
    /// the block.
    pub(super) fn taken(&self, subject: &Subject, block: BlockId, runs: u64) -> Vec<u64> {
        let ways = subject.cfg.block(block).end.successors().len();
        if ways < 2 {
            return vec![runs; ways];
        }
        let (of, at) = self.origin(subject, block);
        let mut counts = self.counts(of, at);
        if counts.iter().all(|&n| n == 0) {
            counts = self.numbers[of].freqs.of(at).iter().map(|&f| f.into()).collect();
        }
        let all: u128 = counts.iter().map(|&n| u128::from(n)).sum();
        counts.iter().map(|&n| (u128::from(n) * u128::from(runs) / all.max(1)) as u64).collect()
    }

    /// Returns the method and its block that a block of the woven graph belongs to.
    fn origin(&self, subject: &Subject, block: BlockId) -> (SubjectId, BlockId) {
        match &subject.node_map {
            Some(node_map) => {
                let origin = node_map.origins[block.0 as usize];
                (origin.subject, origin.block)
            }
            None => (SubjectId::of(self.plan.ids[&subject.no]), block),
        }
    }
}

/// A method with counts of its blocks.
struct TimedMethod<'a> {
    build: &'a CountedBuild<'a>,
    subject: &'a Subject,
    of: SubjectId,
    blocks: &'a [u64],
}

impl TimedMethod<'_> {
    fn time(&self, own_runs: &Runs, all: u64) -> MethodTime {
        let s = self.subject;
        let mut time = MethodTime::default();
        for (b, block) in s.cfg.blocks.iter().enumerate() {
            let runs = self.blocks[b];
            if runs == 0 {
                continue;
            }
            let insns = s.code.nodes[block.first..=block.last].iter();
            let insns = insns.filter_map(|n| match &n.item {
                Item::Insn(insn) => Some(insn),
                _ => None,
            });
            let each: Time = insns.map(|insn| self.instruction(insn)).sum();
            time.work += each.times(runs);
            let block_id = BlockId(b as u32);
            if !s.implied {
                if block.mark && !matches!(s.paths.role(block_id), BlockRole::Branch(_)) {
                    time.probes.add(ProbeComponent::Mark, runs);
                }
                self.decided(block_id, runs, &mut time);
            }
        }
        self.calls(own_runs, all, &mut time);
        time.work += INVOKE.times(all);
        if self.build.units[self.of] > crate::art::INLINE_UNITS {
            time.work += CALL.times(all);
        }
        time.walled =
            !s.implied && s.code.tries.is_empty() && (s.guarded && !s.leaf || s.paths.throws);
        if !s.implied {
            time.probes.add(if s.leaf { ProbeComponent::Leaf } else { ProbeComponent::Entry }, all);
            if s.framed() {
                time.probes.add(ProbeComponent::Frame, all);
            }
        }
        time
    }

    fn instruction(&self, insn: &Insn) -> Time {
        let program = self.build.program;
        let file = program.class(program.method(self.subject.no).class).dex;
        match insn.reference() {
            Some(dex::Ref::Method(m)) if insn.op.is_invoke() => {
                let (class, sig) = program.reference(file, m);
                // Calls within the app are priced at their callees.
                match program.find_class(class).is_some() {
                    true => Time::default(),
                    false => outside(class, sig),
                }
            }
            _ => own(insn.op),
        }
    }

    /// Adds the costs of a block's decision: mispredictions of the processor, and the probes.
    fn decided(&self, block: BlockId, runs: u64, time: &mut MethodTime) {
        let s = self.subject;
        let BlockEnd::Branch(_) = &s.cfg.block(block).end else { return };
        let taken = self.build.taken(s, block, runs);
        let most = taken.iter().copied().max().unwrap_or(0);
        time.work += UNLIKELY.times(runs.saturating_sub(most));
        let (of, at) = self.build.origin(s, block);
        let freqs = self.build.numbers[of].freqs.of(at);
        let codec = self.build.map.recording;
        debug_assert!(codec.wire() == Wire::Range, "prices are those of arith");
        let bits = if freqs.is_empty() { 0 } else { bits_of(codec, &taken, freqs) / BIT };
        time.probes.add(ProbeComponent::Bit, u64::try_from(bits).unwrap_or(u64::MAX));
        let symbol = match s.paths.role(block) {
            BlockRole::Head(_) => ProbeComponent::LookedUp,
            BlockRole::Inside(_) => {
                // About half of the edges are chords.
                time.probes.add(ProbeComponent::Add, runs / 2);
                return;
            }
            BlockRole::Branch(l) => {
                let looped = &s.paths.loops[l];
                let stay = taken.get(looped.stay).copied().unwrap_or(0);
                let round = if looped.bounded { 1 } else { 2 };
                time.probes.add(ProbeComponent::Add, stay.saturating_mul(round));
                time.probes.add(ProbeComponent::LookedUp, runs.saturating_sub(stay));
                return;
            }
            BlockRole::Plain | BlockRole::Cycle(..) => match SwitchLookup::of(s, codec, block) {
                Some(_) => ProbeComponent::Switch,
                None => ProbeComponent::Symbol,
            },
        };
        time.probes.add(symbol, runs);
    }

    /// Adds the costs of calls.
    fn calls(&self, own_runs: &Runs, all: u64, time: &mut MethodTime) {
        let build = self.build;
        let sites = &build.plan.sites[self.of];
        if sites.is_empty() {
            return;
        }
        let host = build.selection.inlining[self.of].as_deref();
        let own = build.selection.open(build.program, self.of);
        for &(node, site) in sites {
            if host.is_some_and(|host| host.calls.iter().any(|call| call.node == node)) {
                continue;
            }
            let block = own.cfg.blocks.partition_point(|b| b.last < node);
            let n = match own_runs.blocks.is_empty() {
                true => all,
                false => own_runs.blocks.get(block).copied().unwrap_or(0),
            };
            let reached: &[MethodId] = match &site {
                Site::Predicted(id) => std::slice::from_ref(id),
                Site::Slot(s) => &build.plan.slots[s.0 as usize].callees,
                Site::Implied(_) => &[],
            };
            if n > 0 && !reached.is_empty() {
                let no = |id: &MethodId| build.selection.subjects[SubjectId::of(*id)].no;
                time.calls.push((reached.iter().map(no).collect(), n));
            }
            match site {
                Site::Predicted(_) => time.probes.add(ProbeComponent::Token, n),
                Site::Slot(_) => {
                    time.work += DISPATCH.times(n);
                    time.probes.add(ProbeComponent::Slot, n);
                    time.probes.add(ProbeComponent::LookedUp, n);
                }
                Site::Implied(_) => {}
            }
        }
    }
}

/// Returns the only callee.
fn only(reach: &Reach) -> Option<&MethodNo> {
    match reach {
        Reach::One(no) => Some(no),
        Reach::Any(_) | Reach::Outside => None,
    }
}

fn bump(n: &mut u64, more: u64) {
    *n = n.saturating_add(more);
}
