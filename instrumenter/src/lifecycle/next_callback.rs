//! The next top-level callback of a thread by the lifecycle graphs: the alternatives of
//! next-callback distributions.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::map::{Map, MethodId, NameId, Slot, SlotId};
use model::profile::{Profile, Tally};
use model::table::quantise;

use super::{Endpoint, Lifecycle, LifecycleKind};
use crate::analysis::program::MethodNo;

/// Largest number of callbacks outside the lifecycle that a slot takes from the model's history.
const FROM_HISTORY: usize = 32;
/// Largest number of other components' first callbacks: each of more alternatives would cost hardly
/// fewer bits than *other*, and the tables are part of the app.
const OTHER_COMPONENTS: usize = 24;

/// Draft of a next-callback distribution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextCallback {
    /// The last top-level callback; `None`: the thread's first (slot 0).
    pub after: Option<MethodId>,
    /// Likely next callbacks, ascending.
    pub callees: Vec<MethodId>,
    /// Counts of the alternatives, *other* first; all zero without history.
    pub counts: Vec<u64>,
}

/// Returns the next-callback distributions of an app: first that of a thread's beginning, then one
/// per callback, ascending. `id` returns the id of a method if it takes part and code outside may
/// call it; `history` returns the model's counts after a callback by name; `named` finds callbacks
/// by the model's names.
pub fn next_callbacks(
    graphs: &[Lifecycle],
    id: &dyn Fn(MethodNo) -> Option<MethodId>,
    history: &BTreeMap<Option<MethodId>, &Tally>,
    named: &dyn Fn(&str) -> Option<MethodId>,
) -> Vec<NextCallback> {
    let mut next: BTreeMap<Option<MethodId>, BTreeSet<MethodId>> =
        BTreeMap::from([(None, BTreeSet::new())]);
    for graph in graphs.iter().filter(|g| !g.driven_by_app()) {
        let at = |p: Endpoint| match p {
            Endpoint::Callback(n) => id(graph.nodes[n].method),
            _ => None,
        };
        let begins = entry(graph, id);
        let first: Vec<MethodId> = graph.successors(Endpoint::Start).filter_map(at).collect();
        let (initializer, constructor) =
            (graph.initializer.and_then(id), graph.constructor.and_then(id));
        if let Some(c) = initializer {
            next.entry(Some(c)).or_default().extend(constructor.map_or(first.clone(), |c| vec![c]));
        }
        if let Some(c) = constructor {
            next.entry(Some(c)).or_default().extend(&first);
        }
        for (n, node) in graph.nodes.iter().enumerate() {
            let Some(last) = id(node.method) else { continue };
            let after = next.entry(Some(last)).or_default();
            for to in graph.successors(Endpoint::Callback(n)) {
                match to {
                    // The component's life may begin again.
                    Endpoint::End => after.extend(&begins),
                    to => after.extend(at(to)),
                }
            }
        }
    }
    begin(graphs, id, &mut next);
    for &last in history.keys() {
        next.entry(last).or_default();
    }
    next.into_iter()
        .filter_map(|(after, likely)| slot(after, likely, history.get(&after).copied(), named))
        .collect()
}

/// Returns the callbacks that run first in a component: its static initialiser or its constructor
/// if the class defines them and they take part; otherwise its first callbacks.
fn entry(graph: &Lifecycle, id: &dyn Fn(MethodNo) -> Option<MethodId>) -> Vec<MethodId> {
    let made: Vec<MethodId> =
        [graph.initializer, graph.constructor].into_iter().flatten().filter_map(id).collect();
    if !made.is_empty() {
        return made;
    }
    let callbacks = graph.successors(Endpoint::Start).filter_map(|p| match p {
        Endpoint::Callback(n) => id(graph.nodes[n].method),
        _ => None,
    });
    callbacks.collect()
}

/// Adds the beginning of a process: `attachBaseContext`, the providers, the application, then the
/// requested component.
fn begin(
    graphs: &[Lifecycle],
    id: &dyn Fn(MethodNo) -> Option<MethodId>,
    next: &mut BTreeMap<Option<MethodId>, BTreeSet<MethodId>>,
) {
    let of = |graph: &Lifecycle, callback: &str| {
        graph.nodes.iter().find(|n| n.callback == callback).and_then(|n| id(n.method))
    };
    let first = |graph: &Lifecycle| entry(graph, id);
    let kind = |k: LifecycleKind| graphs.iter().filter(move |g| g.kind == k);
    let attach: Vec<MethodId> =
        kind(LifecycleKind::Application).filter_map(|g| of(g, "attachBaseContext")).collect();
    let made: Vec<MethodId> =
        kind(LifecycleKind::Application).filter_map(|g| g.constructor.and_then(id)).collect();
    let providers: Vec<MethodId> = kind(LifecycleKind::Provider).flat_map(first).collect();
    let create: Vec<MethodId> =
        kind(LifecycleKind::Application).filter_map(|g| of(g, "onCreate")).collect();
    let main: Vec<MethodId> =
        kind(LifecycleKind::Activity).filter(|g| g.main).flat_map(first).collect();
    let receivers: Vec<MethodId> = kind(LifecycleKind::Receiver).flat_map(first).collect();
    let activities: Vec<MethodId> = kind(LifecycleKind::Activity).flat_map(first).collect();
    let services: Vec<MethodId> = kind(LifecycleKind::Service).flat_map(first).collect();

    let mut add = |after: Option<MethodId>, all: &[MethodId]| {
        if all.len() <= OTHER_COMPONENTS {
            next.entry(after).or_default().extend(all);
        }
    };
    for &m in made.iter().filter(|_| attach.is_empty()) {
        add(Some(m), &providers);
    }
    for all in [
        &kind(LifecycleKind::Application).flat_map(first).collect(),
        &attach,
        &providers,
        &create,
        &main,
        &receivers,
    ] {
        add(None, all);
    }
    for &a in &attach {
        add(Some(a), &providers);
        add(Some(a), &create);
    }
    let before_components = if create.is_empty() { &attach } else { &create };
    for &p in &providers {
        add(Some(p), &providers);
        for all in if create.is_empty() { [&main, &receivers] } else { [&create; 2] } {
            add(Some(p), all);
        }
    }
    for &c in before_components {
        for all in [&main, &receivers, &activities, &services] {
            add(Some(c), all);
        }
    }
    // From one activity to the next.
    for p in kind(LifecycleKind::Activity).filter_map(|g| of(g, "onPause")) {
        add(Some(p), &activities);
    }
}

fn slot(
    after: Option<MethodId>,
    mut likely: BTreeSet<MethodId>,
    tally: Option<&Tally>,
    named: &dyn Fn(&str) -> Option<MethodId>,
) -> Option<NextCallback> {
    let mut seen: BTreeMap<MethodId, u64> = BTreeMap::new();
    let mut other = 0u64;
    for (name, &n) in tally.into_iter().flatten() {
        match named(name) {
            Some(m) => {
                let count = seen.entry(m).or_default();
                *count = count.saturating_add(n);
            }
            None => other = other.saturating_add(n),
        }
    }
    // The most frequent callbacks come first; ties are ordered by id.
    let mut by_count: Vec<(std::cmp::Reverse<u64>, MethodId)> = seen
        .iter()
        .filter(|(m, _)| !likely.contains(m))
        .map(|(&m, &n)| (std::cmp::Reverse(n), m))
        .collect();
    by_count.sort_unstable();
    for (i, &(n, m)) in by_count.iter().enumerate() {
        if i < FROM_HISTORY {
            likely.insert(m);
        } else {
            other = other.saturating_add(n.0);
        }
    }
    // Slot 0 always exists; another slot without alternatives would only repeat it.
    if likely.is_empty() && after.is_some() {
        return None;
    }
    let mut counts = vec![other];
    counts.extend(likely.iter().map(|m| seen.get(m).copied().unwrap_or(0)));
    Some(NextCallback { after, callees: likely.into_iter().collect(), counts })
}

/// Gives a map its next-callback distributions: slot 0 gets its alternatives, and the call slots
/// are followed by one slot per callback with known successors. Other callbacks use slot 0
/// (`docs/PROTOCOL.md` §6).
pub fn fill_next_callbacks(
    map: &mut Map,
    graphs: &[Lifecycle],
    ids: &HashMap<MethodNo, MethodId>,
    profile: Option<&Profile>,
) {
    // Only a guarded method can begin a record.
    let guarded = |id: MethodId| map.method(id).is_some_and(|m| m.guarded);
    let id = |no: MethodNo| ids.get(&no).copied().filter(|&id| guarded(id));
    let mut by_name: HashMap<String, MethodId> = HashMap::new();
    let mut history: BTreeMap<Option<MethodId>, &Tally> = BTreeMap::new();
    if let Some(profile) = profile.filter(|p| !p.next_callbacks.is_empty()) {
        for (i, m) in map.methods.iter().enumerate().filter(|(_, m)| m.guarded) {
            by_name.entry(map.method_key(m)).or_insert(MethodId(i as u32 + 1));
        }
        for (last, tally) in &profile.next_callbacks {
            match by_name.get(last) {
                _ if last.is_empty() => history.insert(None, tally),
                Some(&m) => history.insert(Some(m), tally),
                None => None,
            };
        }
    }
    for slot in next_callbacks(graphs, &id, &history, &|name| by_name.get(name).copied()) {
        let freqs =
            quantise(&slot.counts).expect("one alternative at least, and few hundred at most");
        match slot.after {
            None => {
                if let Some(first) = map.slots.first_mut() {
                    (first.callees, first.freqs) = (slot.callees, freqs);
                }
            }
            Some(last) => {
                let Some(key) = map.method(last).map(|m| map.method_key(m)) else { continue };
                let site = NameId(map.names.len() as u32);
                map.names.push(key);
                map.next_callbacks.push((last, SlotId(map.slots.len() as u32)));
                map.slots.push(Slot { callees: slot.callees, freqs, site });
            }
        }
    }
}
