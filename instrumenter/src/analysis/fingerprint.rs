//! Hashes that recognise code in the next release: opcodes and names of the source, no registers,
//! no distances.

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

/// Instructions at the end of a block that say what it decides.
const TAIL: usize = 3;
/// Instructions of each successor that count as a branch's surroundings.
const SURROUNDINGS: usize = 6;

/// The hash of a whole body.
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

/// The fingerprint of a branch: hashes of its block and of the first instructions of its
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

/// How much of an instruction goes into a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    /// Everything.
    All,
    /// The names of classes of the app are left out.
    Foreign,
    /// And constants.
    Essential,
    /// And the names of all members of the app.
    Platform,
}

/// Whether compilers add, drop and move such instructions as they like.
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

/// A longer goto or string index is the same instruction to a reader.
fn operation(op: Op) -> u8 {
    match op {
        Op::Goto16 | Op::Goto32 => Op::Goto,
        Op::ConstStringJumbo => Op::ConstString,
        op => op,
    }
    .value()
}

/// Where the references of an instruction are looked up.
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
    // Writes the class's name, and says whether its members' are written.
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
                // The descriptor names classes, too.
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
