//! The map of a build, from the same tables as the numbers that its probes carry.

use std::collections::{BTreeMap, HashMap};

use dex::Item;
use model::map::{self, BlockId, BuildId, Map};
use rayon::prelude::*;

use crate::analysis::program::Program;
use crate::options::Options;
use crate::plan::distributions::quantised;
use crate::plan::history::{slot_key, source_key, source_names};
use crate::plan::ids::{Plan, Site};
use crate::plan::subject::{Selection, Subject};
use crate::plan::tables::{Freqs, PathTables};

/// Weights of a slot: the model's counts, or, without history, equal ones for all callees. Nothing says
/// beforehand that a call ends up outside the app, so that alternative begins small.
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

pub(crate) fn build_map(
    program: &Program,
    selection: &Selection,
    plan: &Plan,
    freqs: &[Freqs],
    tables: &[PathTables],
    package: &str,
    options: &Options,
) -> Map {
    let mut names = Names::default();
    let mut methods: Vec<map::Method> = selection
        .subjects
        .par_iter()
        .enumerate()
        .map(|(i, s)| map_method(s, &freqs[i], &tables[i], &plan.sites[i]))
        .collect();
    let mut handlers = Vec::with_capacity(plan.handlers as usize);
    for (s, m) in selection.subjects.iter().zip(&mut methods) {
        let class = program.class(program.method(s.no).class);
        let (class_name, name, descriptor) = source_names(program, s.no, options);
        m.class = names.add(&class_name);
        m.name = names.add(&name);
        m.descriptor = names.add(&descriptor);
        let dex = &program.files[class.dex].dex;
        m.source_file = dex.classes[class.def].source_file.map(|f| names.add(&dex.string(f)));
        handlers.extend(s.handlers.iter().map(|&block| map::Handler { method: plan.ids[&s.no], block }));
    }
    let slots = plan
        .slots
        .iter()
        .map(|s| {
            let site = slot_key(&s.key, options);
            let callees: Vec<String> = s
                .callees
                .iter()
                .map(|id| source_key(program, selection.subjects[id.0 as usize - 1].no, options))
                .collect();
            let tally = options.model.as_ref().and_then(|m| m.slots.get(&site));
            map::Slot {
                callees: s.callees.clone(),
                freqs: slot_freqs(tally, &callees, model::profile::NONE),
                site: names.add(&site),
            }
        })
        .collect();
    let largest = methods.len().max(handlers.len()) as u32;
    let skipped = selection
        .skipped
        .iter()
        .map(|(no, reason)| map::Skipped { method: program.method_key(*no), reason: reason.to_string() })
        .collect();
    Map {
        build: BuildId::default(),
        origin: [0; 32],
        codec: options.codec,
        id_bits: (32 - largest.leading_zeros()).max(1) as u8,
        package: package.to_owned(),
        names: names.list,
        methods,
        handlers,
        slots,
        next_callbacks: Vec::new(),
        skipped,
    }
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

/// The map's view of a subject; the names are filled in later.
fn map_method(s: &Subject, freqs: &Freqs, tables: &PathTables, sites: &[(usize, Site)]) -> map::Method {
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
        let Item::Insn(last) = &s.code.nodes[block.last].item else { unreachable!("blocks end in instructions") };
        let terminator = match &block.end {
            crate::analysis::cfg::End::Return => map::Terminator::Return,
            crate::analysis::cfg::End::Throw => map::Terminator::Throw,
            crate::analysis::cfg::End::Goto(t) => map::Terminator::Goto(*t),
            crate::analysis::cfg::End::Branch(all) => map::Terminator::Branch {
                alternatives: all.iter().copied().zip(freqs[&id].iter().copied()).collect(),
                identity: map::BranchIdentity { fingerprint: branches[&id] },
            },
        };
        let end = s.addresses[block.last] + last.op.units();
        blocks.push(map::Block { pc, end, lines, calls, throws: block.throws, mark: block.mark, terminator });
    }
    map::Method {
        class: map::NameId(0),
        name: map::NameId(0),
        descriptor: map::NameId(0),
        source_file: None,
        guarded: s.guarded,
        blocks,
        regions: s
            .paths
            .regions
            .iter()
            .zip(&tables.regions)
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
            .zip(&tables.loops)
            .map(|(l, g)| map::Loop { branch: l.branch, stay: l.stay as u8, freqs: g.freqs.clone() })
            .collect(),
        fingerprint: s.fingerprint,
    }
}
