//! Prediction of a build's log before anything runs: the expected length of every symbol, weighted
//! by its frequency in the model.
//!
//! All quantities are integers (bits in 1/65,536ths), because limits may choose methods by them and
//! equal inputs must give equal bytes on any machine.

use std::cmp::Reverse;
use std::collections::HashMap;

use dex::{Body, BodySize};
use model::adaptive::Rule;
use model::map::{BlockId, Map};
use model::pap::Joins;
use model::price::{BIT, cost, log2, price, total, words};
use model::profile::{BranchHistory, NONE, Profile};
use model::recording::{Recording, Wire};
use model::region::{TRIP_SYMBOLS, trip_bits, trip_frequencies};

use crate::analysis::cfg::BlockEnd;
use crate::analysis::program::{MethodNo, Program, ProgramMethod};
use crate::cost::measured::{MeasuredMethod, MethodCost, NewlySlotted, Round};
use crate::cost::run_time::MethodTime;
use crate::plan::by_subject::BySubject;
use crate::plan::distributions::{AllNumbers, Numbers};
use crate::plan::flow::{self, Runs};
use crate::plan::history::Known;
use crate::plan::regions::BlockRole;
use crate::plan::subject::{Selection, Subject, Summary};

/// Number of methods with the most expensive probes that get their names: more than are reported,
/// because sizes are not known yet.
const NAMED: usize = 40;
/// Methods that every object has and the platform calls by itself: `HashMap.get` calls `hashCode`.
const OF_OBJECT: &[&str] =
    &["toString()Ljava/lang/String;", "equals(Ljava/lang/Object;)Z", "hashCode()I"];
/// Weight of each branch without a model.
const EVEN: u64 = 1 << 20;
/// Largest number of decisions that are drawn to estimate the cost of an adaptive distribution.
const DRAWS: u64 = 2048;

/// A method with the counts for its prediction.
#[derive(Clone, Copy)]
pub(crate) struct PredictedMethod<'a> {
    pub program: &'a Program,
    pub recording: Recording,
    pub subject: &'a Subject,
    pub summary: &'a Summary,
    pub numbers: &'a Numbers<'a>,
    /// True if a model has counts of this app; otherwise all branches have equal weight.
    pub by_model: bool,
    /// True if callees are inlined in it. Its regions then are not those of its own code, but a
    /// path costs as much as its single decisions.
    pub has_inlined: bool,
}

impl PredictedMethod<'_> {
    fn known(&self) -> Option<&Known<'_>> {
        self.by_model.then_some(&self.numbers.known)
    }

    /// Returns the number of times that each alternative of a branch was or will be taken.
    fn taken(&self, block: BlockId) -> Vec<u64> {
        match self.known() {
            Some(known) => {
                known.get(block).and_then(|f| f.as_ref()).map_or(Vec::new(), BranchHistory::counts)
            }
            None => {
                let freqs = self.numbers.freqs.of(block);
                let sum: u64 = freqs.iter().map(|&f| u64::from(f)).sum();
                freqs.iter().map(|&f| EVEN * u64::from(f) / sum.max(1)).collect()
            }
        }
    }

    /// Returns the method's expected cost.
    pub fn cost(&self) -> MethodCost {
        let s = self.subject;
        let mut out = MethodCost::default();
        for (b, _) in &s.branches {
            if self.by_model {
                out.even_bits += self.even(*b);
            }
            let role = if self.has_inlined { BlockRole::Plain } else { s.paths.role(*b) };
            match role {
                BlockRole::Head(r) => self.region(r, &mut out),
                BlockRole::Branch(l) => self.counted(l, &mut out),
                // The symbol of their region covers them.
                BlockRole::Inside(_) if !self.by_model => {}
                BlockRole::Inside(_) => out.decisions += sum(&self.taken(*b)),
                BlockRole::Plain | BlockRole::Cycle(..) => self.branch(*b, &mut out),
            }
        }
        let all_blocks = self.recording.records_gotos();
        if !all_blocks && (!self.by_model || s.calls == 0 || out.decisions == 0) {
            return out;
        }
        let runs = flow::runs(&s.cfg, &|b| self.taken(b));
        if all_blocks {
            out.bits = self.edges(&runs);
            out.even_bits = out.bits;
        }
        if self.by_model {
            let file = self.program.class(self.program.method(s.no).class).dex;
            for call in &self.summary.calls {
                let block = s.cfg.blocks.partition_point(|b| b.last < call.node as usize);
                let n = runs.blocks.get(block).copied().unwrap_or(0);
                let targets: Vec<MethodNo> = call.reach.methods().collect();
                if n > 0 && !targets.is_empty() {
                    if call.gets_first_slot {
                        let (_, sig) = self.program.reference(file, call.method);
                        out.newly_slotted.push(NewlySlotted {
                            targets: targets.clone(),
                            calls: n,
                            is_of_object: OF_OBJECT.contains(&sig),
                        });
                    }
                    out.calls.push((targets, n));
                }
            }
        }
        out
    }

    /// Returns the price of a branch's decisions if all alternatives are equally likely. Paths of
    /// regions cost as much as their decisions.
    fn even(&self, block: BlockId) -> u128 {
        let taken = self.taken(block);
        let alternatives = taken.len().max(1) as u32;
        let each = match self.recording.wire() {
            Wire::Range => log2(alternatives),
            Wire::Packed => words(alternatives.next_power_of_two().trailing_zeros().max(1)),
        };
        sum(&taken) * each
    }

    fn branch(&self, block: BlockId, out: &mut MethodCost) {
        let taken = self.taken(block);
        let freqs = self.numbers.freqs.of(block);
        out.decisions += sum(&taken);
        if self.recording.records_gotos() || taken.is_empty() {
            return;
        }
        match Rule::of(self.recording).filter(|_| self.numbers.cells.get(block).is_some()) {
            Some(rule) => out.bits += adapting(rule, freqs, &taken),
            None => {
                out.bits += total(&taken, &self.recording.symbols(freqs), self.recording.wire())
            }
        }
    }

    fn region(&self, number: usize, out: &mut MethodCost) {
        let numbering = &self.subject.paths.regions[number];
        let symbols = self.recording.symbols(&self.numbers.tables.regions[number].freqs);
        let members = numbering.members();
        let head = sum(&self.taken(members[0].block));
        if self.by_model {
            out.decisions += head;
        }
        let shares: HashMap<BlockId, Vec<u128>> =
            members.iter().map(|m| (m.block, self.shares(m.block))).collect();
        for ((_, path), symbol) in numbering.full_paths().iter().zip(symbols) {
            // A share in 2⁻³².
            let share = path.hops.iter().fold(1u128 << 32, |p, (b, i)| {
                let of = shares.get(b).and_then(|s| s.get(*i)).copied().unwrap_or(1 << 32);
                (p * of) >> 32
            });
            let n = (head * share) >> 32;
            out.bits += n * price(symbol, self.recording.wire());
            if !self.by_model {
                let decided =
                    path.hops.iter().filter(|(b, _)| self.numbers.freqs.get(*b).is_some()).count();
                out.decisions += n * decided as u128;
            }
        }
    }

    /// Returns the probabilities of a branch's alternatives in 2⁻³², by the model's counts, or by
    /// the table if the model has none.
    fn shares(&self, block: BlockId) -> Vec<u128> {
        let mut taken = self.taken(block);
        if taken.iter().all(|&n| n == 0) {
            let freqs = self.numbers.freqs.of(block);
            taken = freqs.iter().map(|&f| u64::from(f)).collect();
        }
        let all = sum(&taken).max(1);
        taken.iter().map(|&n| (u128::from(n) << 32) / all).collect()
    }

    fn counted(&self, number: usize, out: &mut MethodCost) {
        let looped = &self.subject.paths.loops[number];
        let symbols = self.recording.symbols(&self.numbers.tables.loops[number].freqs);
        let taken = self.taken(looped.branch);
        let stay = taken.get(looped.stay).copied().unwrap_or(0);
        let decided = sum(&taken);
        let leave = decided - u128::from(stay);
        out.decisions += decided;
        let mut trips = match self.known().and_then(|k| k.get(looped.branch).copied().flatten()) {
            Some(known) => known.trips(),
            None => vec![0; TRIP_SYMBOLS],
        };
        if trips.iter().all(|&n| n == 0) {
            // The model has no counts of the loop as a whole: each iteration is decided
            // independently.
            let table = trip_frequencies(&[], stay, leave as u64).unwrap_or_default();
            let all: u128 = table.iter().map(|&f| u128::from(f)).sum();
            trips = table.iter().map(|&f| (leave * u128::from(f) / all.max(1)) as u64).collect();
        }
        out.bits += total(&trips, &symbols, self.recording.wire());
        for (symbol, &n) in trips.iter().enumerate() {
            out.bits += u128::from(n) * u128::from(trip_bits(symbol)) * BIT;
        }
    }

    /// Returns the bits for codecs that write a symbol even on edges without a choice.
    fn edges(&self, runs: &Runs) -> u128 {
        let s = self.subject;
        // Each activation with branches ends in an item: a head, the block, and the rest of a group
        // of seven bits.
        let ends = s.pap.as_ref().is_some_and(Joins::has_branches);
        let mut bits = if ends { u128::from(runs.entries) * 24 * BIT } else { 0 };
        for (b, block) in s.cfg.blocks.iter().enumerate() {
            let from = BlockId(b as u32);
            let counts = match &block.end {
                BlockEnd::Branch(_) => self.taken(from),
                _ => vec![runs.blocks[b]],
            };
            for (to, n) in block.end.successors().iter().zip(counts) {
                let each = match &s.pap {
                    // Whole words of 64 bits carry 62 bits.
                    Some(joins) => {
                        joins.edge(from.0, to.0).map_or(0, |(ways, _)| log2(ways as u32) * 64 / 62)
                    }
                    None => words(16),
                };
                bits += u128::from(n) * each;
            }
        }
        bits
    }
}

fn sum(counts: &[u64]) -> u128 {
    counts.iter().map(|&n| u128::from(n)).sum()
}

/// Returns the bits of decisions with an adaptive distribution: a generator with a fixed seed draws
/// some decisions with the probabilities of the counts.
fn adapting(rule: Rule, freqs: &[u16], taken: &[u64]) -> u128 {
    let all = sum(taken);
    let draws = all.min(u128::from(DRAWS)) as u64;
    if draws == 0 {
        return 0;
    }
    let mut freqs = freqs.to_vec();
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut bits = 0;
    for _ in 0..draws {
        // Marsaglia's xorshift64.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let mut at = (u128::from(state) * all) >> 64;
        let mut i = 0;
        while i + 1 < taken.len() && at >= u128::from(taken[i]) {
            at -= u128::from(taken[i]);
            i += 1;
        }
        bits += cost(u32::from(freqs[i]));
        rule.update(&mut freqs, i);
    }
    bits * all / u128::from(draws)
}

/// Returns the measurements of a round that are available before its map is built: sizes before,
/// expected costs of methods. `by_model` is true if a model has counts of this app.
pub(crate) fn measure(
    program: &Program,
    selection: &Selection,
    by_model: bool,
    numbers: &AllNumbers<'_>,
) -> Round {
    let recording = selection.probing.recording;
    let body = |m: &ProgramMethod| {
        program.files[program.class(m.class).dex].dex.codes.get(m.code?.0 as usize)
    };
    let entries = selection.subjects.par_map(|i, s| {
        let before =
            body(program.method(s.no)).and_then(Body::item).and_then(|raw| raw.size().ok());
        let before = before.unwrap_or_default();
        // Without branches nothing is decided, and only some codecs write anything.
        let quiet = s.branches.is_empty() && !recording.records_gotos();
        let cost = (!quiet).then(|| {
            let subject = &selection.open(program, i);
            let has_inlined = selection.inlining[i].is_some();
            let numbers = &numbers[i];
            let summary = s;
            let predicted = PredictedMethod {
                program,
                recording,
                subject,
                summary,
                numbers,
                by_model,
                has_inlined,
            };
            Box::new(predicted.cost())
        });
        let entry = MeasuredMethod {
            key: None,
            before,
            after: BodySize::default(),
            branches: s.branches.len() as u32,
            calls: s.call_count,
            offer: None,
            initialiser: program.is_initialiser(s.no),
            cost,
            announced: 0,
            callbacks: 0,
            time: None,
        };
        (s.no, entry)
    });
    let entries = entries.into_iter().collect();
    Round {
        entries,
        units_before: program
            .methods
            .iter()
            .filter_map(|m| body(m)?.units())
            .map(|units| units as u64)
            .sum(),
        has_model: by_model,
        ..Round::default()
    }
}

impl Round {
    /// Returns the round with the time of each method in the model's sessions.
    pub(crate) fn with_times(
        mut self,
        program: &Program,
        times: BySubject<Option<MethodTime>>,
    ) -> Round {
        for ((_, entry), time) in self.entries.iter_mut().zip(times) {
            entry.time = time.map(Box::new);
        }
        let added = |e: &MeasuredMethod| e.time.as_ref().map_or(0, |t| t.probes.time().compiled);
        let mut expensive: Vec<&mut (MethodNo, MeasuredMethod)> = self.entries.iter_mut().collect();
        expensive.sort_by_key(|(no, e)| (Reverse(added(e)), *no));
        for (no, e) in expensive.into_iter().take(NAMED).filter(|(_, e)| added(e) > 0) {
            e.key = Some(program.method_key(*no).into());
        }
        self
    }

    /// Returns the round with the costs of slots, announced calls and callbacks, which follow from
    /// the map.
    pub(crate) fn with_map(mut self, map: &Map, model: Option<&Profile>) -> Round {
        self.announcement = announcement(map);
        let Some(model) = model else { return self };
        self.slot_bits = slots(map, model);
        self.even_slot_bits = even_slots(map, model);
        let (callbacks, by_method) = (Callbacks::of(map, model), model.callbacks());
        (self.callback, self.even_callback) = (callbacks.each, callbacks.each_even);
        // Methods are numbered in the order of the entries.
        for ((_, entry), method) in self.entries.iter_mut().zip(&map.methods) {
            let key = map.method_key(method);
            entry.announced = model.announced.get(&key).copied().unwrap_or(0);
            entry.callbacks = by_method.get(key.as_str()).copied().unwrap_or(0);
        }
        self.announce_less();
        self
    }

    /// Takes from the announced calls those that go through a slot from now on. At most as many as
    /// the slot's calls do, and half of them where the platform makes such calls as well. Which
    /// methods they reach is known in proportion only.
    fn announce_less(&mut self) {
        let newly: Vec<NewlySlotted> =
            self.entries.iter().flat_map(|(_, e)| e.cost().newly_slotted.clone()).collect();
        if newly.is_empty() {
            return;
        }
        let at: HashMap<MethodNo, usize> =
            self.entries.iter().enumerate().map(|(at, (no, _))| (*no, at)).collect();
        for slot in newly {
            let targets: Vec<usize> =
                slot.targets.iter().filter_map(|no| at.get(no).copied()).collect();
            let all: u128 = targets.iter().map(|&n| u128::from(self.entries[n].1.announced)).sum();
            let most = all.min(u128::from(slot.calls));
            let slotted = if slot.is_of_object { most / 2 } else { most };
            for n in targets {
                let entry = &mut self.entries[n].1;
                entry.announced -= (u128::from(entry.announced) * slotted / all.max(1)) as u64;
            }
        }
    }
}

/// Bits of a top-level callback beside its number if no logs were counted: times, a check, the rest
/// of the last byte, exceptions. In sessions of the fixtures `tether` and `notes` 34 and 41.
const CALLBACK_BITS: u128 = 38;

/// Top-level callbacks of a model.
struct Callbacks {
    /// Mean price of one, under the model's distributions.
    each: u128,
    /// Mean price of one without a model: each is announced by its number.
    each_even: u128,
}

impl Callbacks {
    fn of(map: &Map, model: &Profile) -> Callbacks {
        let slots: HashMap<String, usize> = (map.next_callbacks.iter())
            .filter_map(|(m, slot)| Some((map.method_key(map.method(*m)?), slot.0 as usize)))
            .collect();
        let (mut bits, mut count) = (0, 0_u128);
        let wire = map.recording.wire();
        for (last, tally) in &model.next_callbacks {
            let slot = map.slots.get(slots.get(last).copied().unwrap_or(0));
            let symbols = slot.map_or(Vec::new(), |slot| map.recording.symbols(&slot.freqs));
            let listed: HashMap<String, usize> = slot.map_or_else(HashMap::new, |slot| {
                let key = |(i, id): (usize, &model::map::MethodId)| {
                    Some((map.method_key(map.method(*id)?), i + 1))
                };
                slot.callees.iter().enumerate().filter_map(key).collect()
            });
            for (next, &n) in tally {
                let at = listed.get(next).copied().unwrap_or(0);
                let number = if at == 0 { u128::from(map.id_bits) * BIT } else { 0 };
                let symbol = symbols.get(at).map_or(0, |&symbol| price(symbol, wire));
                bits += u128::from(n) * (symbol + number);
                count += u128::from(n);
            }
        }
        let rest = model.rest_bits().unwrap_or(CALLBACK_BITS * BIT);
        let (each, each_even) = match count {
            0 => (0, 0),
            count => (bits / count + rest, u128::from(map.id_bits) * BIT + rest),
        };
        Callbacks { each, each_even }
    }
}

/// Returns the price of the calls through slots without a model: all alternatives equally likely.
fn even_slots(map: &Map, model: &Profile) -> u128 {
    let sites: HashMap<&str, u32> =
        map.slots.iter().map(|slot| (map.name(slot.site), slot.freqs.len() as u32)).collect();
    let of_site = |(site, alternatives): (&str, u32)| {
        let tally = model.slots.get(site)?;
        let calls = tally.values().fold(0_u128, |sum, n| sum + u128::from(*n));
        Some(calls * log2(alternatives))
    };
    sites.into_iter().filter_map(of_site).sum()
}

/// Returns the price of the calls through slots under the model; sites of one name share its
/// counts.
pub(crate) fn slots(map: &Map, model: &Profile) -> u128 {
    let mut same: HashMap<&str, u64> = HashMap::new();
    for slot in &map.slots {
        *same.entry(map.name(slot.site)).or_default() += 1;
    }
    let mut bits = 0;
    for slot in map.slots.iter().filter(|s| !s.callees.is_empty()) {
        let site = map.name(slot.site);
        let Some(tally) = model.slots.get(site) else { continue };
        let callee = |id: &model::map::MethodId| map.method(*id).map(|m| map.method_key(m));
        let names = std::iter::once(Some(NONE.to_owned())).chain(slot.callees.iter().map(callee));
        for (name, symbol) in names.zip(map.recording.symbols(&slot.freqs)) {
            let n = name.and_then(|n| tally.get(&n).copied()).unwrap_or(0) / same[site];
            // Path numbers have no tables: a call costs a byte, and one or two bytes for the
            // callee's number.
            bits += u128::from(n)
                * if map.recording.numbers_paths() {
                    20 * BIT
                } else {
                    price(symbol, map.recording.wire())
                };
        }
    }
    bits
}

/// Returns the price of a call from code without probes to a method with probes.
pub(crate) fn announcement(map: &Map) -> u128 {
    u128::from(model::protocol::announcement_bits(map.recording.wire(), map.id_bits)) * BIT
}

#[cfg(test)]
mod tests {

    use super::*;
    use model::recording::TraceCodec;

    #[test]
    fn a_steady_branch_costs_less_once_its_distribution_has_adapted() {
        let rule = Rule::of(Recording::Trace(TraceCodec::ArithAdaptiveShift)).expect("it adapts");
        let fixed = 4000 * cost(32_768);
        let steady = adapting(rule, &[32_768, 32_767], &[4000, 0]);
        assert!(steady < fixed / 20, "{steady} of {fixed}");
        // Even odds cannot be improved, and adaptation to noise costs a little.
        let even = adapting(rule, &[32_768, 32_767], &[2000, 2000]);
        assert!(even > fixed && even < fixed * 105 / 100, "{even} of {fixed}");
    }
}
