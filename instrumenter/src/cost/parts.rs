//! Attribution of a build's added bytes to purposes.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;

use dex::{Args, Code, Dex, FieldIdx, Insn, Item, MethodIdx, Op, Ref, Reg, SectionBytes};
use model::protocol::probes;
use serde::Serialize;

use crate::analysis::program::Program;
use crate::plan::subject::Subject;
use crate::probes::runtime::BuildPackage;
use crate::rewrite::registers::Scratch;

/// Purpose of added bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Probes at entries and exits of methods, and marks.
    EntriesAndExits,
    /// Probes around calls: call tokens, and *none* after slots.
    Calls,
    /// Probes of branches, switches, regions and counted loops.
    Branches,
    /// Probes at handlers and boundaries.
    Exceptions,
    /// Try items and handler lists.
    Protection,
    /// Other growth of code: moved parameters, jumps around probes, longer forms of instructions
    /// whose operands moved.
    MovesAndJumps,
    /// Clones of hot methods.
    Clones,
    /// Debug info.
    DebugInfo,
    /// Pools, classes and all other content of the files; a file added for full pools.
    Tables,
    /// The runtime's own file.
    Runtime,
}

impl Part {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Part::EntriesAndExits => "entries and exits",
            Part::Calls => "calls",
            Part::Branches => "branches",
            Part::Exceptions => "exceptions",
            Part::Protection => "try ranges",
            Part::MovesAndJumps => "moves and jumps",
            Part::Clones => "clones",
            Part::DebugInfo => "debug info",
            Part::Tables => "tables",
            Part::Runtime => "runtime",
        }
    }
}

/// Growth for one purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Growth {
    /// Purpose of the bytes.
    pub part: Part,
    /// Number of bytes; negative if the files shrink.
    pub bytes: i64,
}

/// Bytes of probes in woven code, by purpose.
pub(crate) type ProbeBytes = HashMap<Part, u64>;

/// Methods and fields of the probes in one dex file, by purpose.
struct Names {
    methods: HashMap<MethodIdx, Part>,
    fields: HashMap<FieldIdx, Part>,
}

impl Names {
    fn of(dex: &Dex, package: &BuildPackage) -> Names {
        let class = |ty| package.owns(&dex.type_name(ty));
        let methods = dex.methods.items().iter().enumerate().filter(|(_, m)| class(m.class));
        let fields = dex.fields.items().iter().enumerate().filter(|(_, f)| class(f.class));
        Names {
            methods: methods
                .map(|(i, m)| (MethodIdx(i as u32), method_part(&dex.string(m.name))))
                .collect(),
            fields: fields
                .map(|(i, f)| (FieldIdx(i as u32), field_part(&dex.string(f.name))))
                .collect(),
        }
    }

    fn part(&self, insn: &Insn) -> Option<Part> {
        match insn.reference()? {
            Ref::Method(m) => self.methods.get(&m).copied(),
            Ref::Field(f) => self.fields.get(&f).copied(),
            _ => None,
        }
    }
}

fn method_part(name: &str) -> Part {
    match name {
        "call" | "none" => Part::Calls,
        "caught" | "caughtBroken" | "unwound" | "broken" | "lost" => Part::Exceptions,
        _ if ["enter", "exit", "leaf", "frame", "leave", "page", "terminal"]
            .iter()
            .any(|stem| name.starts_with(stem)) =>
        {
            Part::EntriesAndExits
        }
        _ => Part::Branches,
    }
}

fn field_part(name: &str) -> Part {
    match name {
        probes::STATE_CALL_TOKEN => Part::Calls,
        probes::STATE_PROGRESS => Part::EntriesAndExits,
        _ => Part::Branches,
    }
}

/// Counts the bytes of the probes in woven code, method by method.
pub(crate) struct ProbeCounter {
    /// Probe references by dex file.
    names: Vec<Names>,
    sum: Mutex<ProbeBytes>,
}

impl ProbeCounter {
    pub fn new(program: &Program, package: &BuildPackage) -> ProbeCounter {
        let names = program.files.iter().map(|f| Names::of(&f.dex, package)).collect();
        ProbeCounter { names, sum: Mutex::default() }
    }

    /// Counts the probes in the woven code of a method of this dex file.
    pub fn count(&self, file: usize, subject: &Subject, code: &Code) {
        let bytes = of_code(code, subject, &self.names[file]);
        let mut sum = self.sum.lock().expect("no panic while held");
        bytes.into_iter().for_each(|(part, bytes)| *sum.entry(part).or_default() += bytes);
    }

    /// Returns the counts.
    pub fn into_bytes(self) -> ProbeBytes {
        self.sum.into_inner().expect("no panic while held")
    }
}

fn of_code(code: &Code, subject: &Subject, names: &Names) -> ProbeBytes {
    let scratch = subject.layout.scratch;
    let registers = scratch.state.0..scratch.state.0 + subject.scratch_count();
    let mut sum = ProbeBytes::new();
    // Instructions that only load a probe's registers belong to the next probe.
    let mut pending = 0;
    let mut last = Part::EntriesAndExits;
    for node in &code.nodes {
        let Item::Insn(insn) = &node.item else { continue };
        let bytes = u64::from(insn.op.units()) * 2;
        if let Some(part) = names.part(insn) {
            *sum.entry(part).or_default() += bytes + std::mem::take(&mut pending);
            last = part;
        } else if let Some(part) = own(insn, scratch, &registers, last) {
            match part {
                Some(part) => *sum.entry(part).or_default() += bytes,
                None => pending += bytes,
            }
        } else if let Some(bytes) = Some(std::mem::take(&mut pending)).filter(|&b| b > 0) {
            *sum.entry(Part::Branches).or_default() += bytes;
        }
    }
    sum
}

/// Returns the purpose of a probe's instruction, recognised by the register that it writes;
/// `Some(None)` if the next probe determines the purpose.
fn own(insn: &Insn, scratch: Scratch, registers: &Range<u16>, last: Part) -> Option<Option<Part>> {
    let written = insn.def().map(|(reg, _)| reg);
    let is = |reg: Reg| written == Some(reg);
    match (insn.op, insn.args) {
        (Op::MoveResultObject, _) if is(scratch.state) => Some(Some(last)),
        (Op::Throw, Args::A(reg)) if reg == scratch.temp => Some(Some(Part::Exceptions)),
        (Op::MoveException, _) if is(scratch.temp) => Some(Some(Part::Exceptions)),
        (Op::AddIntLit8, _) if is(scratch.path) => Some(Some(Part::Branches)),
        _ if written.is_some_and(|reg| registers.contains(&reg.0)) => Some(None),
        _ => None,
    }
}

/// Sizes of a build's dex files at one time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Measured {
    /// Sections of all files but the runtime's own.
    pub sections: SectionBytes,
    /// Size of try items and handler lists of the methods that take part, in bytes.
    pub protection: u64,
}

/// Returns the growth by purpose, largest first; the sum is the growth of the files.
pub(crate) fn growth(
    before: Measured,
    after: Measured,
    probes: &ProbeBytes,
    clones: u64,
    runtime: u64,
) -> Vec<Growth> {
    let more = |after: u64, before: u64| after as i64 - before as i64;
    let protection = more(after.protection, before.protection);
    let woven: i64 = probes.values().map(|&bytes| bytes as i64).sum();
    let code = more(after.sections.code, before.sections.code);
    let rest = [
        (Part::Protection, protection),
        (Part::MovesAndJumps, code - protection - woven - clones as i64),
        (Part::Clones, clones as i64),
        (Part::DebugInfo, more(after.sections.debug, before.sections.debug)),
        (Part::Tables, more(after.sections.rest, before.sections.rest)),
        (Part::Runtime, runtime as i64),
    ];
    let probes = probes.iter().map(|(&part, &bytes)| (part, bytes as i64));
    let mut parts: Vec<Growth> = probes
        .chain(rest)
        .filter(|(_, bytes)| *bytes != 0)
        .map(|(part, bytes)| Growth { part, bytes })
        .collect();
    parts.sort_unstable_by_key(|g| (std::cmp::Reverse(g.bytes), g.part));
    parts
}
