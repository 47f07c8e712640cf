//! The edge-probability model file: the number of times that each edge was taken, in all sessions
//! so far.
//!
//! JSON, one method per line, keys sorted: readable, comparable, mergeable. The file stores counts;
//! probabilities are derived from them ([`crate::table`]). Methods are identified by their source
//! name (`Lpkg/Cls;->name(I)V`), branches by their place in the method and a fingerprint of the
//! code around them, alternatives by their index in the map. All branches of a method are listed,
//! also those that never ran, so that the next release can be matched with the list. A branch that
//! was coded as a counted loop also has `trips`: the count of each symbol of its iteration count
//! ([`crate::region::trip_symbol`]). `announced` counts the calls for which no table has a symbol,
//! by callee: they cost the most, and the next build's log is predicted with them. `rest` has the
//! bits of these logs, those of them that are known to be decisions and announced calls (in
//! 1/65,536ths), and the number of callbacks; older models have no known ones, and bits without
//! them. What remains is times, checks and ends of callbacks, and exceptions. `builds` lists the
//! builds whose sessions were counted, the newest last ([`releases`]); older programs ignore
//! the field. (A line that is indented here continues the line before.)
//!
//! ```json
//! {"format":"pathlight-model","version":1,"sessions":3,
//! "builds":["00112233445566778899aabbccddeeff"],
//! "methods":{
//! "Lpkg/Cls;->name(I)V":{"shape":"00000000deadbeef","branches":[
//!   {"id":"0:8899aabbccddeeff","alternatives":2,"counts":{"0":17}}]}
//! },
//! "slots":{
//! "Lpkg/Iface;->call()V":{"Lpkg/Impl;->call()V":5,"none":1}
//! },
//! "idle":{
//! "Lpkg/Main;->onCreate(Landroid/os/Bundle;)V":{"Lpkg/Main;->onStart()V":3,"other":1}
//! },
//! "announced":{
//! "Lpkg/Cls;->name(I)V":2
//! },
//! "rest":{
//! "bits":160,
//! "callbacks":4,
//! "known":2850816
//! }}
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::map::BuildId;
use crate::graph::region::TRIP_SYMBOLS;
use crate::text::to_utf8;

pub mod grade;
mod matching;
pub mod releases;
mod renamed;
#[cfg(test)]
mod tests;

pub use grade::Grade;
pub use matching::{BranchHistory, Lost, MatchStats, Matcher, Why};

/// The value of `format`.
pub const FORMAT: &str = "pathlight-model";
/// The version this program writes, and the only one it reads.
pub const VERSION: u64 = 1;
/// Key of alternative 0 of a call slot.
pub const NONE: &str = "none";
/// Key of alternative 0 of an next-callback distribution.
pub const OTHER: &str = "other";
/// Keys of [`Profile::rest`].
const REST_BITS: &str = "bits";
const REST_CALLBACKS: &str = "callbacks";
const REST_KNOWN: &str = "known";
/// A larger file is refused.
const MAX_BYTES: usize = 1 << 30;

/// Reasons why a file is no model.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// Not this format.
    #[error("not a Pathlight model (its format is {0:?}, not {FORMAT:?})")]
    Format(String),
    /// Another version.
    #[error("model version {0}; this program knows version {VERSION}")]
    Version(u64),
    /// Larger than a gigabyte.
    #[error("the model has {0} bytes; at most {MAX_BYTES} are read")]
    TooLarge(usize),
    /// Not JSON, or a field is missing or wrong.
    #[error("not a readable model: {0}")]
    Json(#[from] serde_json::Error),
}

/// Number of occurrences by name.
pub type Tally = BTreeMap<String, u64>;

/// Properties that identify a branch within its method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BranchShape {
    /// Hash of the branch and its surroundings.
    pub fingerprint: u64,
    /// Number of alternatives.
    pub alternatives: u32,
}

/// A branch with its history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BranchJson", into = "BranchJson")]
pub struct Branch {
    /// Identity of the branch.
    pub shape: BranchShape,
    ordinal: u32,
    counts: BTreeMap<u32, u64>,
    /// Of a branch that was coded as a counted loop: how often each symbol
    /// (`crate::region::trip_symbol`) came.
    trips: BTreeMap<u32, u64>,
}

impl Branch {
    /// The history of iteration counts, one count per symbol; all zero if there is none.
    pub fn trips(&self) -> Vec<u64> {
        (0..TRIP_SYMBOLS as u32).map(|i| self.trips.get(&i).copied().unwrap_or(0)).collect()
    }

    /// The history, one count per alternative.
    pub fn counts(&self) -> Vec<u64> {
        (0..self.shape.alternatives).map(|i| self.counts.get(&i).copied().unwrap_or(0)).collect()
    }

    /// Returns true if any alternative was ever taken.
    pub fn is_seen(&self) -> bool {
        self.counts.values().any(|&n| n > 0)
    }

    /// Returns the number of decisions.
    pub fn decisions(&self) -> u64 {
        self.counts.values().fold(0, |sum, &n| sum.saturating_add(n))
    }

    /// Returns a copy whose counts sum to at most what a match of this grade is trusted with.
    fn trusted(&self, grade: Grade) -> Branch {
        let cut = |counts: &BTreeMap<u32, u64>| {
            let values = matching::capped(counts.values().copied().collect(), grade.cap());
            counts.keys().copied().zip(values).filter(|(_, n)| *n > 0).collect()
        };
        Branch { counts: cut(&self.counts), trips: cut(&self.trips), ..*self }
    }

    fn add(&mut self, other: &Branch) {
        for (alternative, n) in &other.counts {
            bump(&mut self.counts, *alternative, *n);
        }
        for (symbol, n) in &other.trips {
            bump(&mut self.trips, *symbol, *n);
        }
    }
}

fn bump<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K, n: u64) {
    if n > 0 {
        let count = counts.entry(key).or_default();
        *count = count.saturating_add(n);
    }
}

#[derive(Serialize, Deserialize)]
struct BranchJson {
    id: String,
    alternatives: u32,
    #[serde(default)]
    counts: BTreeMap<u32, u64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    trips: BTreeMap<u32, u64>,
}

impl TryFrom<BranchJson> for Branch {
    type Error = String;

    fn try_from(json: BranchJson) -> Result<Self, String> {
        let parsed = json.id.split_once(':').and_then(|(ordinal, fingerprint)| {
            Some((ordinal.parse().ok()?, u64::from_str_radix(fingerprint, 16).ok()?))
        });
        let Some((ordinal, fingerprint)) = parsed else {
            return Err(format!("branch id {:?}", json.id));
        };
        let alternatives = json.alternatives;
        if !(1..=crate::coding::table::SHARE).contains(&alternatives) {
            return Err(format!("branch {:?} has {alternatives} alternatives", json.id));
        }
        if json.counts.keys().any(|k| *k >= alternatives) {
            return Err(format!(
                "branch {:?} counts an alternative that it does not have",
                json.id
            ));
        }
        if json.trips.keys().any(|k| *k >= TRIP_SYMBOLS as u32) {
            return Err(format!(
                "branch {:?} counts loops by a symbol that does not exist",
                json.id
            ));
        }
        Ok(Self {
            shape: BranchShape { fingerprint, alternatives },
            ordinal,
            counts: json.counts,
            trips: json.trips,
        })
    }
}

impl From<Branch> for BranchJson {
    fn from(b: Branch) -> Self {
        let id = format!("{}:{:016x}", b.ordinal, b.shape.fingerprint);
        Self { id, alternatives: b.shape.alternatives, counts: b.counts, trips: b.trips }
    }
}

/// A method with the history of all its branches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodHistory {
    /// Hash of the whole body.
    #[serde(with = "hex")]
    pub shape: u64,
    /// Its branch blocks, in the order of the map.
    pub branches: Vec<Branch>,
}

mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u64, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&format!("{value:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
        let text = String::deserialize(d)?;
        u64::from_str_radix(&text, 16).map_err(|_| D::Error::custom(format!("{text:?} is no hash")))
    }
}

/// The model: counts of all sessions so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Profile {
    /// Sessions that were counted.
    #[serde(default)]
    pub sessions: u64,
    /// The builds of these sessions, as far as they are known; the newest last.
    #[serde(default, deserialize_with = "build_ids")]
    pub builds: Vec<BuildId>,
    /// Branch counts by method.
    #[serde(default)]
    pub methods: BTreeMap<String, MethodHistory>,
    /// Callees by call site: [`NONE`], or the callee.
    #[serde(default)]
    pub slots: BTreeMap<String, Tally>,
    /// Next callbacks by the last one (empty: the first of a thread): [`OTHER`], or the callback.
    #[serde(default, rename = "idle")]
    pub next_callbacks: BTreeMap<String, Tally>,
    /// Methods that had to announce themselves by an escape: how often.
    #[serde(default)]
    pub announced: Tally,
    /// Logs without their decisions and announced calls; see [`Self::rest_bits`].
    #[serde(default)]
    pub rest: Tally,
}

fn build_ids<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Vec<BuildId>, D::Error> {
    let id = |text: String| {
        let no_id = |()| serde::de::Error::custom(format!("{text:?} is no build id"));
        text.parse().map_err(no_id)
    };
    Vec::<String>::deserialize(d)?.into_iter().map(id).collect()
}

#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

impl Profile {
    /// Reads a model.
    ///
    /// # Errors
    /// See [`ProfileError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ProfileError> {
        if bytes.len() > MAX_BYTES {
            return Err(ProfileError::TooLarge(bytes.len()));
        }
        let bytes = &*to_utf8(bytes);
        let head: Head = serde_json::from_slice(bytes)?;
        if head.format != FORMAT {
            return Err(ProfileError::Format(head.format));
        }
        if head.version != VERSION {
            return Err(ProfileError::Version(head.version));
        }
        Ok(serde_json::from_slice(bytes)?)
    }

    /// The model as a file; the same counts give the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = format!(
            "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\"sessions\":{},\n",
            self.sessions
        );
        if !self.builds.is_empty() {
            let ids: Vec<String> = self.builds.iter().map(|id| format!("\"{id}\"")).collect();
            let _ = writeln!(out, "\"builds\":[{}],", ids.join(","));
        }
        section(&mut out, "methods", &self.methods);
        out.push_str(",\n");
        section(&mut out, "slots", &self.slots);
        out.push_str(",\n");
        section(&mut out, "idle", &self.next_callbacks);
        if !self.announced.is_empty() {
            out.push_str(",\n");
            section(&mut out, "announced", &self.announced);
        }
        if !self.rest.is_empty() {
            out.push_str(",\n");
            section(&mut out, "rest", &self.rest);
        }
        out.push_str("}\n");
        out.into_bytes()
    }

    /// Counts what a method's branches did; `branches` are all of them, in the order of the map.
    /// History under another shape is carried over to the branches that are recognised.
    pub fn record<'c>(
        &mut self,
        method: &str,
        shape: u64,
        branches: impl IntoIterator<Item = (BranchShape, &'c [u64])>,
    ) {
        self.record_loops(
            method,
            shape,
            branches.into_iter().map(|(shape, counts)| (shape, counts, &[][..])),
        );
    }

    /// As [`Self::record`], with the iteration counts of those branches that are counted loops (by
    /// symbol; others: empty).
    pub fn record_loops<'c>(
        &mut self,
        method: &str,
        shape: u64,
        branches: impl IntoIterator<Item = (BranchShape, &'c [u64], &'c [u64])>,
    ) {
        let branches = branches
            .into_iter()
            .enumerate()
            .map(|(i, (shape, counts, trips))| {
                let mut branch = Branch {
                    shape,
                    ordinal: i as u32,
                    counts: BTreeMap::new(),
                    trips: BTreeMap::new(),
                };
                (0..shape.alternatives)
                    .zip(counts)
                    .for_each(|(i, n)| bump(&mut branch.counts, i, *n));
                (0..TRIP_SYMBOLS as u32)
                    .zip(trips)
                    .for_each(|(i, n)| bump(&mut branch.trips, i, *n));
                branch
            })
            .collect();
        self.add_method(method, &MethodHistory { shape, branches });
    }

    /// Counts `n` times that at call site `site` this callee ran ([`NONE`]: no instrumented one).
    pub fn record_slot(&mut self, site: &str, callee: &str, n: u64) {
        if n > 0 {
            bump(self.slots.entry(site.into()).or_default(), callee.into(), n);
        }
    }

    /// Counts `n` times that after top-level callback `last` (empty: at the beginning) this one
    /// came ([`OTHER`]: one of those not listed).
    pub fn record_next_callback(&mut self, last: &str, next: &str, n: u64) {
        if n > 0 {
            bump(self.next_callbacks.entry(last.into()).or_default(), next.into(), n);
        }
    }

    /// Counts `n` times that this method announced itself.
    pub fn record_announced(&mut self, method: &str, n: u64) {
        bump(&mut self.announced, method.into(), n);
    }

    /// Counts logs of `callbacks` top-level callbacks and this size, of which `known` 1/65,536ths
    /// of bits are decisions, announced calls and numbers of callbacks. The rest is times, checks
    /// and ends of callbacks, exceptions, and names of threads.
    pub fn record_rest(&mut self, callbacks: u64, bytes: u64, known: u128) {
        bump(&mut self.rest, REST_CALLBACKS.into(), callbacks);
        bump(&mut self.rest, REST_BITS.into(), bytes.saturating_mul(8));
        bump(&mut self.rest, REST_KNOWN.into(), u64::try_from(known).unwrap_or(u64::MAX));
    }

    /// Returns how often each method ran as a top-level callback.
    pub fn callbacks(&self) -> BTreeMap<&str, u64> {
        let mut callbacks = BTreeMap::new();
        for (next, &n) in self.next_callbacks.values().flatten() {
            let sum: &mut u64 = callbacks.entry(next.as_str()).or_default();
            *sum = sum.saturating_add(n);
        }
        callbacks
    }

    /// Returns the mean of these bits for a callback, in 1/65,536ths of a bit; `None` if no logs
    /// were counted.
    pub fn rest_bits(&self) -> Option<u128> {
        let of = |key| self.rest.get(key).copied().filter(|n| *n > 0).map(u128::from);
        let rest = (of(REST_BITS)? << 16).saturating_sub(of(REST_KNOWN).unwrap_or(0));
        Some(rest / of(REST_CALLBACKS)?)
    }

    /// Adds the counts of a model that is at least as new: where a method differs in shape, the
    /// newer shape stays and the older counts go to the branches that are recognised. A method that
    /// only the newer model knows continues one of another name with the same body, if there is
    /// only one and the newer model does not know it; that one keeps its counts, because it may
    /// still be there.
    pub fn merge(&mut self, newer: &Profile) {
        self.continue_moved(newer, &|key| newer.methods.contains_key(key));
        self.add(newer);
    }

    /// As [`Self::merge`], with the counts of one build, of which it is known which methods it has.
    /// A method that was renamed or moved loses its old name.
    pub fn merge_build(&mut self, newer: &Profile, is_in_build: &dyn Fn(&str) -> bool) {
        for old in self.continue_moved(newer, is_in_build) {
            self.methods.remove(&old);
        }
        self.add(newer);
    }

    /// Gives the methods that only the newer model knows the history of the method that has the
    /// same body, if there is only one and it is gone; returns these.
    fn continue_moved(
        &mut self,
        newer: &Profile,
        is_there: &dyn Fn(&str) -> bool,
    ) -> BTreeSet<String> {
        let mut bodies: BTreeMap<u64, Option<&str>> = BTreeMap::new();
        for (key, method) in self.methods.iter().filter(|m| !m.1.branches.is_empty()) {
            bodies.entry(method.shape).and_modify(|key| *key = None).or_insert(Some(key));
        }
        let moved = newer.methods.iter().filter(|(key, _)| !self.methods.contains_key(*key));
        let moved = moved.filter_map(|(key, method)| {
            let old = bodies.get(&method.shape).copied().flatten().filter(|old| !is_there(old))?;
            Some((key.clone(), old.to_owned()))
        });
        let moved: Vec<(String, String)> = moved.collect();
        for (key, old) in &moved {
            let history = self.methods[old].clone();
            self.methods.insert(key.clone(), history);
        }
        moved.into_iter().map(|(_, old)| old).collect()
    }

    /// Adds all counts, by name.
    fn add(&mut self, newer: &Profile) {
        self.sessions = self.sessions.saturating_add(newer.sessions);
        self.builds.retain(|build| !newer.builds.contains(build));
        self.builds.extend(&newer.builds);
        for (key, method) in &newer.methods {
            self.add_method(key, method);
        }
        for (site, tally) in &newer.slots {
            tally.iter().for_each(|(callee, n)| self.record_slot(site, callee, *n));
        }
        for (last, tally) in &newer.next_callbacks {
            tally.iter().for_each(|(next, n)| self.record_next_callback(last, next, *n));
        }
        newer.announced.iter().for_each(|(method, n)| self.record_announced(method, *n));
        newer.rest.iter().for_each(|(key, n)| bump(&mut self.rest, key.clone(), *n));
    }

    fn add_method(&mut self, key: &str, newer: &MethodHistory) {
        let Some(old) = self.methods.get_mut(key) else {
            self.methods.insert(key.into(), newer.clone());
            return;
        };
        let shapes: Vec<BranchShape> = newer.branches.iter().map(|b| b.shape).collect();
        let (pairs, _) = matching::pair(old, newer.shape, &shapes, true);
        let mut merged = newer.clone();
        for (branch, pair) in merged.branches.iter_mut().zip(pairs) {
            if let Some((i, grade)) = pair {
                branch.add(&old.branches[i].trusted(grade));
            }
        }
        *old = merged;
    }

    /// Lets old history count less: every count becomes ⌊count · keep / 65,536⌋ (so that what
    /// is rare is forgotten in the end); what has no counts left is dropped. `sessions` stays: it
    /// counts what was seen, not its weight.
    pub fn decay(&mut self, keep: u16) {
        let decayed = |n: u64| ((u128::from(n) * u128::from(keep)) >> 16) as u64;
        for method in self.methods.values_mut() {
            for branch in &mut method.branches {
                for counts in [&mut branch.counts, &mut branch.trips] {
                    counts.values_mut().for_each(|n| *n = decayed(*n));
                    counts.retain(|_, n| *n > 0);
                }
            }
        }
        self.methods.retain(|_, m| m.branches.iter().any(|b| !b.counts.is_empty()));
        for tallies in [&mut self.slots, &mut self.next_callbacks] {
            for tally in tallies.values_mut() {
                tally.values_mut().for_each(|n| *n = decayed(*n));
                tally.retain(|_, n| *n > 0);
            }
            tallies.retain(|_, t| !t.is_empty());
        }
        for tally in [&mut self.announced, &mut self.rest] {
            tally.values_mut().for_each(|n| *n = decayed(*n));
            tally.retain(|_, n| *n > 0);
        }
    }

    /// Number of decisions counted.
    pub fn decisions(&self) -> u64 {
        let branches = self.methods.values().flat_map(|m| &m.branches);
        branches.fold(0, |sum, b| sum.saturating_add(b.decisions()))
    }
}

fn section<T: Serialize>(out: &mut String, name: &str, entries: &BTreeMap<String, T>) {
    let _ = write!(out, "\"{name}\":{{");
    let mut separator = "\n";
    for (key, value) in entries {
        // Strings and integers under string keys: JSON can hold them all.
        let json = |r: serde_json::Result<String>| r.unwrap_or_default();
        let _ = write!(
            out,
            "{separator}{}:{}",
            json(serde_json::to_string(key)),
            json(serde_json::to_string(value))
        );
        separator = ",\n";
    }
    out.push_str(if entries.is_empty() { "}" } else { "\n}" });
}
