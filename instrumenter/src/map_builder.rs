//! Builds the map of a build from the same tables as the numbers that its probes carry.

use std::collections::BTreeMap;

use dex::debug::DebugEvent;
use dex::{AccessFlags, Dex, Item};
use model::inlined::{BlockFragment, Inlined, InlinedCall as InlinedNode};
use model::map::{self, BlockId, BuildId, Map};
use model::packed_map::{PackedMap, PackedMethods};
use model::path_profiles::selected::SelectedPath;
use model::protocol::Protocol;
use model::throwing::ThrowingLinesBuilder;
use rayon::prelude::*;

use crate::analysis::cfg::{Cfg, may_throw};
use crate::analysis::generated::generated;
use crate::analysis::program::{MethodNo, Program};
use crate::lifecycle::{Lifecycle, fill_next_callbacks};
use crate::map_names::NameTable;
use crate::options::Options;
use crate::plan::by_subject::SubjectId;
use crate::plan::distributions::{AllNumbers, Numbers};
use crate::plan::history::{slot_key, source_key};
use crate::plan::ids::{Plan, Site};
use crate::plan::inlining::InlinedCall;
use crate::plan::origins::Origins;
use crate::plan::slots;
use crate::plan::subject::{Selection, SkipReason, Subject};
use crate::source_maps::{InlineMarkers, SourceMaps};
use crate::source_positions::{AppMethod, CodeLines, PositionBuilder};

/// Number of methods whose blocks are in memory at the same time.
const STRETCH: usize = 2048;

/// Returns true if a compiler added the method: it is marked so, or every enum has it.
fn is_added(program: &Program, no: MethodNo) -> bool {
    let method = program.method(no);
    let class = program.class(method.class);
    let of_class = program.files[class.dex].dex.classes[class.def].access;
    if (method.access | of_class).contains(AccessFlags::SYNTHETIC) {
        return true;
    }
    let is_enum = program.superclass(method.class).is_some_and(|(s, _)| s == "Ljava/lang/Enum;");
    let class = program.text(class.name);
    let of_enums = [
        format!("values()[{class}"),
        format!("valueOf(Ljava/lang/String;){class}"),
        "getEntries()Lkotlin/enums/EnumEntries;".to_owned(),
    ];
    is_enum && of_enums.iter().any(|sig| sig == program.text(method.sig))
}

/// Properties of a build that its code does not contain.
#[derive(Clone, Copy)]
pub(crate) struct App<'a> {
    /// Package name; empty without a manifest.
    pub package: &'a str,
    /// Hash of the inputs and options that the map does not contain.
    pub origin: [u8; 32],
    /// Paths that the build counts.
    pub paths: &'a [SelectedPath],
    /// True if their counts are upper bounds.
    pub upper_bounds: bool,
    /// Origins of callbacks.
    pub origins: &'a Origins,
}

/// Builds the map of a build, complete and sealed. Returns it without the code of its methods, and
/// packed with it.
pub(crate) fn build_map(
    program: &Program,
    graphs: &[Lifecycle],
    selection: &Selection,
    plan: &Plan,
    numbers: &AllNumbers<'_>,
    (app, source_maps): (App<'_>, SourceMaps<'_>),
    options: &Options,
) -> (Map, PackedMap) {
    let mut names = NameTable::default();
    let mut places = PositionBuilder::new(options.mapping.as_ref(), source_maps);
    let mapped = options.mapping.is_some();
    let mut handlers = Vec::with_capacity(plan.handlers as usize);
    let mut methods = Vec::with_capacity(selection.subjects.len());
    let mut packed = PackedMethods::default();
    let mut all_inlined = Vec::new();
    let mut all_generated = Vec::new();
    let mut throwing = ThrowingLinesBuilder::default();
    // Call sites of a subject's blocks, node by node.
    let sites = |i: SubjectId| (selection.open(program, i).cfg, &plan.sites[i][..]);
    let all: Vec<SubjectId> = selection.subjects.enumerate().map(|(i, _)| i).collect();
    for stretch in all.chunks(STRETCH) {
        let bodies: Vec<MethodBody> = stretch
            .par_iter()
            .map(|&i| {
                options.progress.add();
                let own = selection.open(program, i);
                let dex = &program.files[program.class(program.method(own.no).class).dex].dex;
                let mut body = map_method(&own, &numbers[i], &plan.sites[i], (dex, mapped));
                let subject = (own.no, i.method_id());
                body.generated = generated(program, subject, &own.code, &own.addresses);
                let Some(host) = &selection.inlining[i] else {
                    (body.regions, body.loops) = fused(&own, &numbers[i]);
                    return body;
                };
                let woven = selection.open_woven(program, i);
                let calls = &host.calls;
                body.inlined = Some(inlined(i, &own, calls, &woven, &mut body.blocks, &sites));
                (body.regions, body.loops) = fused(&woven, &numbers[i]);
                body
            })
            .collect();
        for (&i, body) in stretch.iter().zip(bodies) {
            let s = &selection.subjects[i];
            let method = program.method(s.no);
            let class = program.class(method.class);
            let sig = program.text(method.sig);
            let (name, descriptor) = sig.split_at(sig.find('(').unwrap_or(0));
            let dex = &program.files[class.dex].dex;
            let file = dex.classes[class.def].source_file.map(|f| dex.string(f));
            let app = AppMethod {
                class: program.text(class.name),
                name,
                descriptor,
                added: is_added(program, s.no),
                file: file.as_deref(),
            };
            let mut blocks = body.blocks;
            all_inlined.extend(body.inlined);
            all_generated.extend(body.generated);
            let named = places.method(i.method_id(), app, body.lines, &mut names);
            for ((block, lines), pcs) in blocks.iter_mut().zip(named.lines).zip(body.throwing) {
                block.lines = lines;
                throwing.push(block, &pcs);
            }
            let handler = |&block| map::Handler { method: i.method_id(), block };
            handlers.extend(s.handlers.iter().map(handler));
            let mut method = map::Method {
                class: named.class,
                name: named.name,
                descriptor: named.descriptor,
                source_file: named.file,
                in_app: named.in_app,
                kind: named.kind,
                guarded: s.guarded,
                blocks,
                regions: body.regions,
                loops: body.loops,
                fingerprint: s.fingerprint,
            };
            packed.push(&method);
            (method.blocks, method.regions, method.loops) = Default::default();
            methods.push(method);
        }
    }
    let slots = plan.slots.iter().map(|s| {
        let site = slot_key(&s.key, options);
        let name = |id: &map::MethodId| {
            source_key(program, selection.subjects[SubjectId::of(*id)].no, options)
        };
        let callees: Vec<String> = s.callees.iter().map(name).collect();
        let tally = options.model.as_ref().and_then(|m| slots::tally(m, &site, &callees));
        map::Slot {
            callees: s.callees.clone(),
            freqs: slots::freqs(tally.as_deref(), &callees),
            site: names.add(&site),
        }
    });
    let slots = slots.collect();
    let origins = app.origins.ranges.iter().map(|range| map::OriginRange {
        kind: range.kind,
        first: range.first,
        count: range.count,
        names: range.names.iter().map(|n| n.as_deref().map(|n| names.add(n))).collect(),
    });
    let origins: Vec<map::OriginRange> = origins.collect();
    let ids = methods.len() + origins.iter().map(|range| range.count as usize).sum::<usize>();
    let largest = ids.max(handlers.len()) as u32;
    let listed = |(_, reason): &&(MethodNo, SkipReason)| *reason != SkipReason::Unselected;
    let skipped = selection.skipped.iter().filter(listed);
    let skipped = skipped.map(|(no, reason)| map::Skipped {
        method: program.method_key(*no),
        reason: reason.to_string(),
    });
    let (places, code_lines) = places.finish();
    let mut map = Map {
        build: BuildId::default(),
        origin: app.origin,
        recording: options.recording(),
        id_bits: (32 - largest.leading_zeros()).max(1) as u8,
        package: app.package.to_owned(),
        names: names.into_list(),
        methods,
        handlers,
        slots,
        next_callbacks: Vec::new(),
        skipped: skipped.collect(),
        places,
        protocol: Protocol::NOW.number(),
        inlined: all_inlined,
        paths: app.paths.to_vec(),
        code_lines,
        generated: all_generated,
        origins,
        upper_bounds: app.upper_bounds,
        throwing: throwing.finish(),
    };
    // The distributions refer to methods of the map, by id and by key.
    fill_next_callbacks(&mut map, graphs, &plan.ids, options.model.as_ref());
    let whole = packed.seal(&mut map);
    (map, whole)
}

/// Code of a subject as the map lists it.
struct MethodBody {
    /// Blocks without lines.
    blocks: Vec<map::Block>,
    lines: CodeLines,
    /// Addresses of the instructions of each block that can throw.
    throwing: Vec<Vec<u32>>,
    /// Regions of the woven code, as are the following fields.
    regions: Vec<map::Region>,
    loops: Vec<map::Loop>,
    inlined: Option<Inlined>,
    generated: Vec<map::GeneratedCode>,
}

/// Maps a method's code. With a mapping (`mapped`), code addresses replace lines if the method has
/// none.
fn map_method(
    s: &Subject,
    numbers: &Numbers<'_>,
    sites: &[(usize, Site)],
    (dex, mapped): (&Dex, bool),
) -> MethodBody {
    let branches: BTreeMap<BlockId, u64> = s.branches.iter().copied().collect();
    let none = mapped && !s.code.has_lines();
    let mut code_lines = CodeLines { addresses: none, ..CodeLines::default() };
    let mut markers = InlineMarkers::new(dex);
    let mut line = None;
    let mut node = 0;
    let mut sites = sites.iter().peekable();
    let mut blocks = Vec::with_capacity(s.cfg.blocks.len());
    let mut all_throwing = Vec::with_capacity(s.cfg.blocks.len());
    for (b, block) in s.cfg.blocks.iter().enumerate() {
        let id = BlockId(b as u32);
        let pc = s.addresses[block.first];
        let mut lines: Vec<(u32, u32)> = Vec::new();
        let mut throwing = Vec::new();
        while node <= block.last {
            match &s.code.nodes[node].item {
                Item::Debug(DebugEvent::Line(l)) => line = Some(*l),
                Item::Debug(event) => markers.event(event),
                Item::Insn(insn) => {
                    if may_throw(insn) {
                        throwing.push(s.addresses[node]);
                    }
                    if none {
                        line = Some(s.addresses[node]);
                    }
                    line.into_iter().for_each(|l| markers.at_line(l));
                    if let Some(l) = line.filter(|_| insn.op.is_invoke()) {
                        code_lines.calls.push((s.addresses[node], l));
                    }
                    // R8 keeps the lines of instructions that can throw; at others the last line
                    // just continues.
                    let has_line = !mapped || insn.op.can_throw();
                    let is_new = |l: &u32| has_line && lines.last().map(|x| x.1) != Some(*l);
                    if let Some(l) = line.filter(is_new) {
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
                Site::Predicted(m) => map::CallKind::Predicted(m),
                Site::Slot(slot) => map::CallKind::Slot(slot),
                Site::Implied(m) => map::CallKind::Implied(m),
            };
            calls.push(map::CallSite { pc: s.addresses[*n], call });
        }
        let Item::Insn(last) = &s.code.nodes[block.last].item else {
            unreachable!("blocks end in instructions")
        };
        let terminator = match &block.end {
            crate::analysis::cfg::BlockEnd::Return => map::Terminator::Return,
            crate::analysis::cfg::BlockEnd::Throw => map::Terminator::Throw,
            crate::analysis::cfg::BlockEnd::Goto(t) => map::Terminator::Goto(*t),
            crate::analysis::cfg::BlockEnd::Branch(all) => map::Terminator::Branch {
                alternatives: all
                    .iter()
                    .copied()
                    .zip(numbers.freqs.of(id).iter().copied())
                    .collect(),
                identity: map::BranchIdentity { fingerprint: branches[&id] },
            },
        };
        let end = s.addresses[block.last] + last.op.units();
        code_lines.blocks.push(lines);
        all_throwing.push(throwing);
        blocks.push(map::Block {
            pc,
            end,
            lines: Vec::new(),
            calls,
            throws: block.throws,
            mark: block.mark && !s.implied,
            terminator,
        });
    }
    code_lines.inlined = markers.names;
    let (regions, loops) = Default::default();
    MethodBody {
        blocks,
        lines: code_lines,
        throwing: all_throwing,
        regions,
        loops,
        inlined: None,
        generated: Vec::new(),
    }
}

/// Returns the regions and counted loops of a method as it is woven.
fn fused(s: &Subject, numbers: &Numbers<'_>) -> (Vec<map::Region>, Vec<map::Loop>) {
    let regions = s.paths.regions.iter().zip(&numbers.tables.regions).map(|(n, g)| map::Region {
        head: n.members()[0].block,
        inside: n.members()[1..].iter().map(|m| m.block).collect(),
        base: g.base,
        freqs: g.freqs.clone(),
    });
    let loops = s.paths.loops.iter().zip(&numbers.tables.loops).map(|(l, g)| map::Loop {
        branch: l.branch,
        stay: l.stay as u8,
        freqs: g.freqs.clone(),
    });
    (regions.collect(), loops.collect())
}

/// Graph and call sites of a subject's own code.
type Sites<'a> = dyn Fn(SubjectId) -> (Cfg, &'a [(usize, Site)]) + Sync + 'a;

/// Returns the inlined bodies of a caller's calls. The caller's own blocks get the marks of its
/// woven code.
fn inlined(
    id: SubjectId,
    own: &Subject,
    calls: &[InlinedCall],
    woven: &Subject,
    blocks: &mut [map::Block],
    sites: &Sites<'_>,
) -> Inlined {
    let mut out = Vec::new();
    list_calls(&own.cfg, sites(id).1, calls, 0, sites, &mut out);
    let split = |b: BlockId| out.iter().any(|c: &InlinedNode| c.depth == 0 && c.block == b);
    let origins = woven.node_map.as_ref().map_or(&[][..], |s| &s.origins);
    let mut pieces = Vec::new();
    for (origin, node) in origins.iter().zip(&woven.cfg.blocks).filter(|(o, _)| o.depth == 0) {
        let block = &mut blocks[origin.block.0 as usize];
        if origin.begins {
            block.mark = node.mark;
        }
        if split(origin.block) {
            pieces.push(BlockFragment { throws: node.throws, mark: node.mark });
        } else {
            block.throws = node.throws;
        }
    }
    Inlined { method: id.method_id(), calls: out, pieces }
}

fn list_calls(
    cfg: &Cfg,
    known: &[(usize, Site)],
    calls: &[InlinedCall],
    depth: u8,
    sites: &Sites<'_>,
    out: &mut Vec<InlinedNode>,
) {
    let mut calls: Vec<&InlinedCall> = calls.iter().collect();
    calls.sort_by_key(|call| call.node);
    for call in calls {
        let block = cfg.blocks.partition_point(|b| b.last < call.node);
        let first = cfg.blocks[block].first;
        let before = known.iter().filter(|(n, _)| (first..call.node).contains(n)).count();
        out.push(InlinedNode { depth, block: BlockId(block as u32), call: before as u32 });
        let (cfg, known) = sites(call.callee);
        list_calls(&cfg, known, &call.inner, depth + 1, sites, out);
    }
}
