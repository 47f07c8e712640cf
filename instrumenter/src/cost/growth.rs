//! Attribution of a build's added bytes to purposes.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;

use dex::{Args, Code, Dex, FieldIdx, Insn, Item, MethodIdx, Op, Ref, Reg, SectionBytes};
use model::protocol::probes::{self, Probe};
use serde::Serialize;

use crate::analysis::program::Program;
use crate::plan::subject::Subject;
use crate::probes::runtime::BuildPackage;
use crate::rewrite::registers::Scratch;

/// Purpose of added bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
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

impl Purpose {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::EntriesAndExits => "entries and exits",
            Purpose::Calls => "calls",
            Purpose::Branches => "branches",
            Purpose::Exceptions => "exceptions",
            Purpose::Protection => "try ranges",
            Purpose::MovesAndJumps => "moves and jumps",
            Purpose::Clones => "clones",
            Purpose::DebugInfo => "debug info",
            Purpose::Tables => "tables",
            Purpose::Runtime => "runtime",
        }
    }
}

/// Growth for one purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Growth {
    /// Purpose of the bytes.
    #[serde(rename = "part")]
    pub purpose: Purpose,
    /// Number of bytes; negative if the files shrink.
    pub bytes: i64,
}

/// Bytes of probes in woven code, by purpose.
pub(crate) type ProbeBytes = HashMap<Purpose, u64>;

/// Methods and fields of the probes in one dex file, by purpose.
struct ProbeReferences {
    methods: HashMap<MethodIdx, Purpose>,
    fields: HashMap<FieldIdx, Purpose>,
}

impl ProbeReferences {
    fn of(dex: &Dex, package: &BuildPackage) -> ProbeReferences {
        let class = |ty| package.owns(&dex.type_name(ty));
        let methods = dex.methods.items().iter().enumerate().filter(|(_, m)| class(m.class));
        let fields = dex.fields.items().iter().enumerate().filter(|(_, f)| class(f.class));
        ProbeReferences {
            methods: methods
                .map(|(i, m)| (MethodIdx(i as u32), method_purpose(&dex.string(m.name))))
                .collect(),
            fields: fields
                .map(|(i, f)| (FieldIdx(i as u32), field_purpose(&dex.string(f.name))))
                .collect(),
        }
    }

    fn purpose(&self, insn: &Insn) -> Option<Purpose> {
        match insn.reference()? {
            Ref::Method(m) => self.methods.get(&m).copied(),
            Ref::Field(f) => self.fields.get(&f).copied(),
            _ => None,
        }
    }
}

/// Probes of the runtime by purpose. A probe of another purpose than branches must be listed.
const PROBES: &[(Purpose, &[Probe])] = &[
    (
        Purpose::EntriesAndExits,
        &[
            probes::ENTER,
            probes::ENTER_GUARDED,
            probes::EXIT,
            probes::EXIT_GUARDED,
            probes::LEAF,
            probes::LEAF_GUARDED,
            probes::FRAME,
            probes::TERMINAL,
            probes::PAGE,
            probes::COUNT_ENTER,
            probes::COUNT_ENTER_GUARDED,
            probes::COUNT_FRAME,
            probes::COUNT_EXIT_GUARDED,
            probes::COUNT_LEAF,
            probes::COUNT_LEAF_GUARDED,
            probes::COUNT_TERMINAL,
            probes::PAP_LEAVE,
        ],
    ),
    (Purpose::Calls, &[probes::CALL, probes::NONE, probes::COUNT_CALL, probes::COUNT_NONE]),
    (
        Purpose::Exceptions,
        &[
            probes::CAUGHT,
            probes::CAUGHT_BROKEN,
            probes::UNWOUND,
            probes::BROKEN,
            probes::COUNT_CAUGHT,
            probes::COUNT_CAUGHT_BROKEN,
            probes::COUNT_UNWOUND,
            probes::COUNT_BROKEN,
            probes::PAP_CAUGHT,
            probes::PAP_UNWOUND,
        ],
    ),
];

/// Returns the purpose of a method of the runtime; the same name has the same purpose in all of its
/// classes.
fn method_purpose(name: &str) -> Purpose {
    let listed = PROBES.iter().find(|(_, probes)| probes.iter().any(|probe| probe.name == name));
    listed.map_or(Purpose::Branches, |(purpose, _)| *purpose)
}

fn field_purpose(name: &str) -> Purpose {
    match name {
        probes::STATE_CALL_TOKEN => Purpose::Calls,
        probes::STATE_PROGRESS => Purpose::EntriesAndExits,
        _ => Purpose::Branches,
    }
}

/// Counts the bytes of the probes in woven code, method by method.
pub(crate) struct ProbeCounter {
    /// Probe references by dex file.
    references: Vec<ProbeReferences>,
    sum: Mutex<ProbeBytes>,
}

impl ProbeCounter {
    pub fn new(program: &Program, package: &BuildPackage) -> ProbeCounter {
        let references =
            program.files.iter().map(|f| ProbeReferences::of(&f.dex, package)).collect();
        ProbeCounter { references, sum: Mutex::default() }
    }

    /// Counts the probes in the woven code of a method of this dex file.
    pub fn count(&self, file: usize, subject: &Subject, code: &Code) {
        let bytes = of_code(code, subject, &self.references[file]);
        let mut sum = self.sum.lock().expect("no panic while held");
        bytes.into_iter().for_each(|(purpose, bytes)| *sum.entry(purpose).or_default() += bytes);
    }

    /// Returns the counts.
    pub fn into_bytes(self) -> ProbeBytes {
        self.sum.into_inner().expect("no panic while held")
    }
}

fn of_code(code: &Code, subject: &Subject, references: &ProbeReferences) -> ProbeBytes {
    let scratch = subject.layout.scratch;
    let registers = scratch.state.0..scratch.state.0 + subject.scratch_count();
    let mut sum = ProbeBytes::new();
    // Instructions that only load a probe's registers belong to the next probe.
    let mut pending = 0;
    let mut last = Purpose::EntriesAndExits;
    for node in &code.nodes {
        let Item::Insn(insn) = &node.item else { continue };
        let bytes = u64::from(insn.op.units()) * 2;
        if let Some(purpose) = references.purpose(insn) {
            *sum.entry(purpose).or_default() += bytes + std::mem::take(&mut pending);
            last = purpose;
        } else if let Some(purpose) = own(insn, scratch, &registers, last) {
            match purpose {
                Some(purpose) => *sum.entry(purpose).or_default() += bytes,
                None => pending += bytes,
            }
        } else if let Some(bytes) = Some(std::mem::take(&mut pending)).filter(|&b| b > 0) {
            *sum.entry(Purpose::Branches).or_default() += bytes;
        }
    }
    sum
}

/// Returns the purpose of a probe's instruction, recognised by the register that it writes;
/// `Some(None)` if the next probe determines the purpose.
fn own(
    insn: &Insn,
    scratch: Scratch,
    registers: &Range<u16>,
    last: Purpose,
) -> Option<Option<Purpose>> {
    let written = insn.def().map(|(reg, _)| reg);
    let is = |reg: Reg| written == Some(reg);
    match (insn.op, insn.args) {
        (Op::MoveResultObject, _) if is(scratch.state) => Some(Some(last)),
        (Op::Throw, Args::A(reg)) if reg == scratch.temp => Some(Some(Purpose::Exceptions)),
        (Op::MoveException, _) if is(scratch.temp) => Some(Some(Purpose::Exceptions)),
        (Op::AddIntLit8, _) if is(scratch.path) => Some(Some(Purpose::Branches)),
        _ if written.is_some_and(|reg| registers.contains(&reg.0)) => Some(None),
        _ => None,
    }
}

/// Sizes of a build's dex files at one time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DexSizes {
    /// Sections of all files but the runtime's own.
    pub sections: SectionBytes,
    /// Size of try items and handler lists of the methods that take purpose, in bytes.
    pub protection: u64,
}

/// Returns the growth by purpose, largest first; the sum is the growth of the files.
pub(crate) fn growth(
    before: DexSizes,
    after: DexSizes,
    probes: &ProbeBytes,
    clones: u64,
    runtime: u64,
) -> Vec<Growth> {
    let more = |after: u64, before: u64| after as i64 - before as i64;
    let protection = more(after.protection, before.protection);
    let woven: i64 = probes.values().map(|&bytes| bytes as i64).sum();
    let code = more(after.sections.code, before.sections.code);
    let rest = [
        (Purpose::Protection, protection),
        (Purpose::MovesAndJumps, code - protection - woven - clones as i64),
        (Purpose::Clones, clones as i64),
        (Purpose::DebugInfo, more(after.sections.debug, before.sections.debug)),
        (Purpose::Tables, more(after.sections.rest, before.sections.rest)),
        (Purpose::Runtime, runtime as i64),
    ];
    let probes = probes.iter().map(|(&purpose, &bytes)| (purpose, bytes as i64));
    let mut growth: Vec<Growth> = probes
        .chain(rest)
        .filter(|(_, bytes)| *bytes != 0)
        .map(|(purpose, bytes)| Growth { purpose, bytes })
        .collect();
    growth.sort_unstable_by_key(|g| (std::cmp::Reverse(g.bytes), g.purpose));
    growth
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn probes_of_one_name_have_one_purpose() {
        for (purpose, listed) in PROBES {
            for probe in *listed {
                assert_eq!(method_purpose(probe.name), *purpose, "{}", probe.name);
            }
        }
    }

    /// A new probe needs a purpose: here, or in [`PROBES`].
    #[test]
    fn probes_that_are_not_listed_are_those_of_branches() {
        let all = [
            probes::PROBE_METHODS,
            probes::COUNT_METHODS,
            probes::PAP_METHODS,
            probes::ADAPT_METHODS,
        ];
        let names = all.into_iter().flatten().map(|probe| probe.name);
        let of_branches: BTreeSet<&str> =
            names.filter(|name| method_purpose(name) == Purpose::Branches).collect();
        let expected = [
            "step",
            "first",
            "last",
            "even0",
            "even1",
            "zero0",
            "zero1",
            "null0",
            "null1",
            "negative0",
            "negative1",
            "positive0",
            "positive1",
            "same0",
            "same1",
            "less0",
            "less1",
            "put",
            "path",
            "lookupPacked",
            "lookupSparse",
            "key",
            "trips",
            "lap",
            "gather",
            "flush",
            "restart",
            "hit",
            "far",
            "farTrips",
            "open",
            "full",
            "inc0",
            "inc1",
            "shift0",
            "shift1",
            "many",
        ];
        assert_eq!(of_branches, BTreeSet::from(expected));
    }
}
