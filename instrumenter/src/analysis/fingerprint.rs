//! Hashes that recognise code in the next release: they cover opcodes and names of the source, but
//! no registers and no distances.

use std::collections::VecDeque;

use dex::{Code, Insn, Item, Op, Ref};

use crate::analysis::cfg::Cfg;
use crate::analysis::program::Program;
use crate::analysis::source_names::SourceNames;
use model::map::BlockId;
use model::profile::grade::fingerprint;

/// FNV-1a, 64 bits: stable across machines and versions of this program.
#[derive(Debug, Clone, Copy)]
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.0 = (self.0 ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Number of instructions at the end of a block that represent its decision.
const TAIL: usize = 3;
/// Number of instructions of each successor that represent a branch's surroundings.
const SURROUNDINGS: usize = 6;

/// Returns the hash of a whole body.
pub fn method(program: &Program, names: &SourceNames<'_>, file: usize, code: &Code) -> u64 {
    let scope = Scope { program, names, file };
    let mut h = Fnv::new();
    for node in &code.nodes {
        if let Item::Insn(insn) = &node.item {
            add(&mut h, scope, insn, Detail::All);
        }
    }
    h.0
}

/// Returns the fingerprint of a branch: hashes of its block and of the first instructions of its
/// successors, in grades ([`model::profile::Grade`]).
pub fn branch(
    program: &Program,
    names: &SourceNames<'_>,
    file: usize,
    code: &Code,
    cfg: &Cfg,
    block: BlockId,
) -> u64 {
    let scope = Scope { program, names, file };
    let b = cfg.block(block);
    let insns = |from: usize, to: usize| {
        code.nodes[from..=to].iter().filter_map(|n| match &n.item {
            Item::Insn(i) => Some(i),
            _ => None,
        })
    };
    let essential = |from, to| insns(from, to).filter(|i| !is_incidental(i.op));
    let (mut same, mut names, mut block) = (Fnv::new(), Fnv::new(), Fnv::new());
    for i in insns(b.first, b.last) {
        add(&mut same, scope, i, Detail::All);
        add(&mut names, scope, i, Detail::Foreign);
    }
    let (mut tail, mut last) = (VecDeque::new(), Fnv::new());
    for i in essential(b.first, b.last) {
        add(&mut block, scope, i, Detail::Essential);
        tail.push_back(i);
        if tail.len() > TAIL {
            tail.pop_front();
        }
    }
    let mut ending = Fnv::new();
    tail.iter().for_each(|i| add(&mut ending, scope, i, Detail::Platform));
    if let Some(i) = tail.back() {
        last.bytes(&[operation(i.op)]);
    }
    let mut around = block;
    for &s in b.end.successors().iter().take(8) {
        let s = cfg.block(s);
        [&mut same, &mut names, &mut around].into_iter().for_each(|h| h.bytes(b"/"));
        for i in insns(s.first, s.last).take(SURROUNDINGS) {
            add(&mut same, scope, i, Detail::All);
            add(&mut names, scope, i, Detail::Foreign);
        }
        for i in essential(s.first, s.last).take(SURROUNDINGS) {
            add(&mut around, scope, i, Detail::Essential);
        }
    }
    fingerprint([last, ending, block, around, names, same].map(|h| h.0))
}

/// Amount of an instruction that goes into a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    /// All of the instruction.
    All,
    /// Without the names of classes of the app.
    Foreign,
    /// Without constants either.
    Essential,
    /// Without the names of any members of the app either.
    Platform,
}

/// Returns true if compilers freely add, drop and move such instructions.
fn is_incidental(op: Op) -> bool {
    use Op::{CheckCast, Const, Const4, Const16, ConstHigh16, ConstWide, ConstWide16};
    use Op::{ConstWide32, ConstWideHigh16, Goto, Goto16, Goto32, Move, Move16, MoveFrom16};
    use Op::{MoveObject, MoveObject16, MoveObjectFrom16, MoveWide, MoveWide16, MoveWideFrom16};
    matches!(
        op,
        CheckCast
            | Const
            | Const4
            | Const16
            | ConstHigh16
            | ConstWide
            | ConstWide16
            | ConstWide32
            | ConstWideHigh16
            | Goto
            | Goto16
            | Goto32
            | Move
            | Move16
            | MoveFrom16
            | MoveObject
            | MoveObject16
            | MoveObjectFrom16
            | MoveWide
            | MoveWide16
            | MoveWideFrom16
            | Op::Nop
    )
}

/// Returns the same number for an opcode and its form with a longer offset or string index.
fn operation(op: Op) -> u8 {
    match op {
        Op::Goto16 | Op::Goto32 => Op::Goto,
        Op::ConstStringJumbo => Op::ConstString,
        op => op,
    }
    .value()
}

/// Context in which the references of an instruction are looked up.
#[derive(Clone, Copy)]
struct Scope<'a> {
    program: &'a Program,
    names: &'a SourceNames<'a>,
    file: usize,
}

fn add(h: &mut Fnv, scope: Scope<'_>, insn: &Insn, detail: Detail) {
    let Scope { program, names, file } = scope;
    h.bytes(&[operation(insn.op)]);
    let dex = &program.files[file].dex;
    let constants = detail <= Detail::Foreign;
    // Writes the class's name. Returns true if the names of its members are written as well.
    let name = |h: &mut Fnv, class: dex::TypeIdx| {
        let known = detail == Detail::All || !program.is_of_app(file, class);
        if known {
            match names.ty(file, class) {
                Some(source) => h.bytes(source.as_bytes()),
                None => h.bytes(dex.type_name(class).as_bytes()),
            }
        }
        known || detail != Detail::Platform
    };
    match insn.reference() {
        Some(Ref::String(s)) if constants => h.bytes(&dex.strings.items()[s.index()].0),
        Some(Ref::Type(t)) => {
            name(h, t);
        }
        Some(Ref::Method(m)) => {
            let sig = names.method(file, m).unwrap_or_else(|| program.reference(file, m).1);
            if name(h, dex.methods.items()[m.index()].class) {
                // The descriptor contains class names, so only the bare name is hashed.
                let bare = sig.split('(').next().unwrap_or(sig);
                h.bytes(if detail == Detail::All { sig } else { bare }.as_bytes());
            }
        }
        Some(Ref::Field(index)) => {
            let f = &dex.fields.items()[index.index()];
            if name(h, f.class) {
                match names.field(file, index) {
                    Some(source) => h.bytes(source.as_bytes()),
                    None => h.bytes(&dex.strings.items()[f.name.index()].0),
                }
            }
        }
        _ => {}
    }
    if let dex::Args::ALit(_, v) = insn.args
        && constants
    {
        h.bytes(&v.to_le_bytes());
    }
}
