//! Hashes that recognise code in the next release: opcodes and names, no registers, no distances.

use dex::{Code, Insn, Item, Op, Ref};

use crate::analysis::cfg::Cfg;
use crate::analysis::program::Program;
use model::map::BlockId;

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

/// Instructions of each successor that count as a branch's surroundings.
const SURROUNDINGS: usize = 6;

/// The hash of a whole body.
pub fn method(program: &Program, file: usize, code: &Code) -> u64 {
    let mut h = Fnv::new();
    for node in &code.nodes {
        if let Item::Insn(insn) = &node.item {
            add(&mut h, program, file, insn);
        }
    }
    h.0
}

/// The hash of a branch: its block, and the first instructions of its successors.
pub fn branch(program: &Program, file: usize, code: &Code, cfg: &Cfg, block: BlockId) -> u64 {
    let mut h = Fnv::new();
    let b = cfg.block(block);
    let add_range = |h: &mut Fnv, from: usize, to: usize, most: usize| {
        let insns = code.nodes[from..=to].iter().filter_map(|n| match &n.item {
            Item::Insn(i) => Some(i),
            _ => None,
        });
        insns.take(most).for_each(|i| add(h, program, file, i));
    };
    add_range(&mut h, b.first, b.last, usize::MAX);
    for &s in b.end.successors().iter().take(8) {
        h.bytes(b"/");
        let s = cfg.block(s);
        add_range(&mut h, s.first, s.last, SURROUNDINGS);
    }
    h.0
}

fn add(h: &mut Fnv, program: &Program, file: usize, insn: &Insn) {
    // A longer goto or string index is the same instruction to a reader.
    let op = match insn.op {
        Op::Goto16 | Op::Goto32 => Op::Goto,
        Op::ConstStringJumbo => Op::ConstString,
        op => op,
    };
    h.bytes(&[op.value()]);
    let dex = &program.files[file].dex;
    match insn.reference() {
        Some(Ref::String(s)) => h.bytes(&dex.strings.items()[s.index()].0),
        Some(Ref::Type(t)) => h.bytes(dex.type_name(t).as_bytes()),
        Some(Ref::Method(m)) => {
            let (class, sig) = program.reference(file, m);
            h.bytes(class.as_bytes());
            h.bytes(sig.as_bytes());
        }
        Some(Ref::Field(f)) => {
            let f = &dex.fields.items()[f.index()];
            h.bytes(dex.type_name(f.class).as_bytes());
            h.bytes(&dex.strings.items()[f.name.index()].0);
        }
        _ => {}
    }
    if let dex::Args::ALit(_, v) = insn.args {
        h.bytes(&v.to_le_bytes());
    }
}
