//! Ids of methods, handlers and call slots, and the kind of every call site.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use model::map::{MethodId, SlotId};

use crate::analysis::program::{MethodNo, Program, Reach};
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::subject::Selection;

/// Action of the decoder at a call site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Site {
    /// Enter the only callee.
    Predicted(MethodId),
    /// Read the callee from a slot.
    Slot(SlotId),
    /// Enter the only callee, which has no probes: nothing is written here.
    Implied(MethodId),
}

/// Draft of a call slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotPlan {
    /// Key of the reference that the calls use, `Lpkg/Iface;->call()V`.
    pub key: String,
    /// Callees, ascending.
    pub callees: Vec<MethodId>,
}

/// Ids and call sites of a selection.
#[derive(Debug)]
pub struct Plan {
    /// Id of each method that takes part.
    pub ids: HashMap<MethodNo, MethodId>,
    /// First handler id of each subject.
    pub first_handler: BySubject<u32>,
    /// Number of handlers in total.
    pub handlers: u32,
    /// Call slots; slot 0 is the next-callback distribution (no callees).
    pub slots: Vec<SlotPlan>,
    /// Callees of all slots.
    pub slot_callees: HashSet<MethodId>,
    /// Nodes and kinds of the call sites, per subject.
    pub sites: BySubject<Vec<(usize, Site)>>,
}

/// Callees of a call site.
enum Callees {
    One(MethodId),
    /// Key of the reference, and the possible callees.
    Many(Rc<(String, Vec<MethodId>)>),
}

/// Assigns all ids, in a deterministic order.
pub fn plan(program: &Program, selection: &Selection) -> Plan {
    use Callees::{Many, One};
    let subjects = &selection.subjects;
    let ids: HashMap<MethodNo, MethodId> =
        subjects.enumerate().map(|(i, s)| (s.no, i.method_id())).collect();
    let mut handlers = 0;
    let first_handler = subjects.map(|_, s| {
        let first = handlers;
        handlers += s.handlers.len() as u32;
        first
    });
    // All sites that name the same method and can reach the same callees share a slot.
    let mut keys: BTreeMap<Rc<(String, Vec<MethodId>)>, u32> = BTreeMap::new();
    let mut wanted = Vec::with_capacity(subjects.len());
    for s in subjects {
        let file = program.class(program.method(s.no).class).dex;
        let mut mine = Vec::new();
        for call in &s.calls {
            let node = call.node as usize;
            match &call.reach {
                Reach::Outside => {}
                Reach::One(m) => mine.extend(ids.get(m).map(|&id| (node, One(id)))),
                Reach::Any(all) => {
                    let callees: Vec<MethodId> =
                        all.iter().filter_map(|m| ids.get(m).copied()).collect();
                    if callees.is_empty() || callees.len() > 60_000 {
                        continue;
                    }
                    let (class, sig) = program.reference(file, call.method);
                    let key = Rc::new((format!("{class}->{sig}"), callees));
                    let key = keys.get_key_value(&key).map_or(key, |(known, _)| Rc::clone(known));
                    keys.entry(Rc::clone(&key)).or_insert(0);
                    mine.push((node, Many(key)));
                }
            }
        }
        wanted.push(mine);
    }
    let mut slots = vec![SlotPlan { key: String::new(), callees: Vec::new() }];
    for (key, number) in &mut keys {
        *number = slots.len() as u32;
        slots.push(SlotPlan { key: key.0.clone(), callees: key.1.clone() });
    }
    let sites = wanted
        .into_iter()
        .map(|mine| {
            let sites = mine.into_iter().map(|(node, site)| match site {
                One(id) if subjects[SubjectId::of(id)].implied => (node, Site::Implied(id)),
                One(id) => (node, Site::Predicted(id)),
                Many(key) => (node, Site::Slot(SlotId(keys[&key]))),
            });
            let mut sites: Vec<_> = sites.collect();
            // Collecting can reuse an allocation for larger values.
            sites.shrink_to_fit();
            sites
        })
        .collect();
    let slot_callees = slots.iter().flat_map(|slot| slot.callees.iter().copied()).collect();
    Plan { ids, first_handler, handlers, slots, slot_callees, sites }
}
