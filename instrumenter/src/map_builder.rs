//! The map of a build, from the same tables as the numbers that its probes carry.

use std::collections::{BTreeMap, HashMap};

use dex::Item;
use model::map::{self, BlockId, BuildId, Map};

use crate::analysis::program::Program;
use crate::lifecycle::{Lifecycle, fill_next_callbacks};
use crate::options::Options;
use crate::plan::by_subject::{BySubject, SubjectId};
use crate::plan::distributions::{Numbers, quantised};
use crate::plan::history::{slot_key, source_key, source_names};
use crate::plan::ids::{Plan, Site};
use crate::plan::subject::{Selection, Subject};

/// Weights of a slot: the model's counts, or, without history, equal ones for all callees. Nothing
/// shows beforehand that a call ends up outside the app, so that alternative begins small.
fn slot_freqs(tally: Option<&model::profile::Tally>, callees: &[String], first: &str) -> Vec<u16> {
    let mut counts = vec![8u64; callees.len() + 1];
    counts[0] = u64::from(callees.is_empty());
    if let Some(tally) = tally {
        counts[0] = tally.get(first).copied().unwrap_or(0);
        for (n, callee) in counts[1..].iter_mut().zip(callees) {
            *n = tally.get(callee).copied().unwrap_or(0);
        }
    }
    quantised(&counts)
}

/// The map of a build, complete and sealed. `origin` is what makes a build beside its map.
pub(crate) fn build_map(
    program: &Program,
    graphs: &[Lifecycle],
    selection: &Selection,
    plan: &Plan,
    numbers: &BySubject<Numbers<'_>>,
    app: (&str, [u8; 32]),
    options: &Options,
) -> Map {
    let mut names = Names::default();
    let bodies = selection.subjects.par_map(|i, s| map_method(s, &numbers[i], &plan.sites[i]));
    let mut handlers = Vec::with_capacity(plan.handlers as usize);
    let subjects = selection.subjects.enumerate().zip(bodies);
    let methods = subjects.map(|((i, s), body)| {
        let class = program.class(program.method(s.no).class);
        let (class_name, name, descriptor) = source_names(program, s.no, options);
        handlers
            .extend(s.handlers.iter().map(|&block| map::Handler { method: i.method_id(), block }));
        let dex = &program.files[class.dex].dex;
        map::Method {
            class: names.add(&class_name),
            name: names.add(&name),
            descriptor: names.add(&descriptor),
            source_file: dex.classes[class.def].source_file.map(|f| names.add(&dex.string(f))),
            guarded: s.guarded,
            blocks: body.blocks,
            regions: body.regions,
            loops: body.loops,
            fingerprint: s.fingerprint,
        }
    });
    let methods: Vec<map::Method> = methods.collect();
    let slots = plan.slots.iter().map(|s| {
        let site = slot_key(&s.key, options);
        let name = |id: &map::MethodId| {
            source_key(program, selection.subjects[SubjectId::of(*id)].no, options)
        };
        let callees: Vec<String> = s.callees.iter().map(name).collect();
        let tally = options.model.as_ref().and_then(|m| m.slots.get(&site));
        map::Slot {
            callees: s.callees.clone(),
            freqs: slot_freqs(tally, &callees, model::profile::NONE),
            site: names.add(&site),
        }
    });
    let slots = slots.collect();
    let largest = methods.len().max(handlers.len()) as u32;
    let skipped = selection.skipped.iter();
    let skipped = skipped.map(|(no, reason)| map::Skipped {
        method: program.method_key(*no),
        reason: reason.to_string(),
    });
    let mut map = Map {
        build: BuildId::default(),
        origin: app.1,
        codec: options.codec,
        id_bits: (32 - largest.leading_zeros()).max(1) as u8,
        package: app.0.to_owned(),
        names: names.list,
        methods,
        handlers,
        slots,
        next_callbacks: Vec::new(),
        skipped: skipped.collect(),
    };
    // They name methods of the map, by id and by key.
    fill_next_callbacks(&mut map, graphs, &plan.ids, options.model.as_ref());
    map.seal();
    map
}

#[derive(Default)]
struct Names {
    list: Vec<String>,
    lookup: HashMap<String, map::NameId>,
}

impl Names {
    fn add(&mut self, name: &str) -> map::NameId {
        if let Some(&id) = self.lookup.get(name) {
            return id;
        }
        let id = map::NameId(self.list.len() as u32);
        self.list.push(name.to_owned());
        self.lookup.insert(name.to_owned(), id);
        id
    }
}

/// The map's view of a subject's code.
struct MethodBody {
    blocks: Vec<map::Block>,
    regions: Vec<map::Region>,
    loops: Vec<map::Loop>,
}

fn map_method(s: &Subject, numbers: &Numbers<'_>, sites: &[(usize, Site)]) -> MethodBody {
    let branches: BTreeMap<BlockId, u64> = s.branches.iter().copied().collect();
    let mut line = None;
    let mut node = 0;
    let mut sites = sites.iter().peekable();
    let mut blocks = Vec::with_capacity(s.cfg.blocks.len());
    for (b, block) in s.cfg.blocks.iter().enumerate() {
        let id = BlockId(b as u32);
        let pc = s.addresses[block.first];
        let mut lines: Vec<(u32, u32)> = Vec::new();
        while node <= block.last {
            match &s.code.nodes[node].item {
                Item::Debug(dex::debug::DebugEvent::Line(l)) => line = Some(*l),
                Item::Insn(_) => {
                    if let Some(l) = line.filter(|&l| lines.last().map(|x| x.1) != Some(l)) {
                        lines.push((s.addresses[node], l));
                    }
                }
                _ => {}
            }
            node += 1;
        }
        let mut calls = Vec::new();
        while let Some((n, site)) = sites.next_if(|(n, _)| *n <= block.last) {
            let call = match *site {
                Site::Predicted(m) => map::Call::Predicted(m),
                Site::Slot(slot) => map::Call::Slot(slot),
            };
            calls.push(map::CallSite { pc: s.addresses[*n], call });
        }
        let Item::Insn(last) = &s.code.nodes[block.last].item else {
            unreachable!("blocks end in instructions")
        };
        let terminator = match &block.end {
            crate::analysis::cfg::End::Return => map::Terminator::Return,
            crate::analysis::cfg::End::Throw => map::Terminator::Throw,
            crate::analysis::cfg::End::Goto(t) => map::Terminator::Goto(*t),
            crate::analysis::cfg::End::Branch(all) => map::Terminator::Branch {
                alternatives: all.iter().copied().zip(numbers.freqs[&id].iter().copied()).collect(),
                identity: map::BranchIdentity { fingerprint: branches[&id] },
            },
        };
        let end = s.addresses[block.last] + last.op.units();
        blocks.push(map::Block {
            pc,
            end,
            lines,
            calls,
            throws: block.throws,
            mark: block.mark,
            terminator,
        });
    }
    MethodBody {
        blocks,
        regions: s
            .paths
            .regions
            .iter()
            .zip(&numbers.tables.regions)
            .map(|(n, g)| map::Region {
                head: n.members()[0].block,
                inside: n.members()[1..].iter().map(|m| m.block).collect(),
                base: g.base,
                freqs: g.freqs.clone(),
            })
            .collect(),
        loops: s
            .paths
            .loops
            .iter()
            .zip(&numbers.tables.loops)
            .map(|(l, g)| map::Loop {
                branch: l.branch,
                stay: l.stay as u8,
                freqs: g.freqs.clone(),
            })
            .collect(),
    }
}
