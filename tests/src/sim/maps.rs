//! Random programs, as maps.

use model::inlined::{BlockFragment, Inlined, InlinedCall};
use model::map::*;
use model::recording::Recording;
use model::table::quantise;

use super::Rng;

/// Parameters of a random program.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Methods, at least 2.
    pub methods: usize,
    /// Most blocks of a method.
    pub blocks: usize,
    /// One block in `predicted` makes a predicted call; 0: none.
    pub predicted: usize,
    /// One block in `slots` calls through a slot; 0: none.
    pub slots: usize,
    /// One block in `implied` calls a method without probes; 0: none.
    pub implied: usize,
    /// One block in `inlined` calls a short method whose code may stand in place of the call; 0:
    /// none.
    pub inlined: usize,
    /// One method in `guarded` is guarded (the first always is).
    pub guarded: usize,
    /// Handlers per method, about.
    pub handlers: usize,
}

impl Shape {
    /// Everything the protocol knows, in a small program.
    pub fn any(rng: &mut Rng) -> Shape {
        let methods = 2 + rng.below(14);
        Shape {
            methods,
            blocks: 1 + rng.below(12),
            predicted: 1 + rng.below(5),
            slots: 2 + rng.below(5),
            guarded: 1 + rng.below(4),
            handlers: rng.below(3),
            implied: methods % 4,
            inlined: methods % 5,
        }
    }
}

/// `n` alternatives, all alike.
pub fn uniform(n: usize) -> Vec<u16> {
    quantise(&vec![0; n]).expect("few alternatives")
}

fn random_table(rng: &mut Rng, n: usize) -> Vec<u16> {
    let counts: Vec<u64> = (0..n).map(|_| 1u64 << rng.below(18)).collect();
    quantise(&counts).expect("few alternatives")
}

fn distinct(rng: &mut Rng, below: usize, n: usize) -> Vec<u32> {
    let mut all: Vec<u32> = Vec::new();
    for _ in 0..4 * n {
        let v = rng.below(below) as u32;
        if all.len() < n && !all.contains(&v) {
            all.push(v);
        }
    }
    all
}

fn slot(rng: &mut Rng, among: &[MethodId]) -> Slot {
    let n = 1 + rng.below(4);
    let mut callees: Vec<MethodId> = (0..n).map(|_| among[rng.below(among.len())]).collect();
    callees.sort();
    callees.dedup();
    let freqs = random_table(rng, callees.len() + 1);
    Slot { callees, freqs, site: NameId(0) }
}

fn block(rng: &mut Rng, shape: &Shape, i: usize, blocks: usize, call_slots: usize) -> Block {
    let mut calls = vec![];
    for _ in 0..2 {
        if rng.one_in(2 * shape.predicted) {
            calls.push(CallKind::Predicted(MethodId(1 + rng.below(shape.methods) as u32)));
        }
        if rng.one_in(2 * shape.implied) {
            let behind = shape.methods + 1 + rng.below(IMPLIED);
            calls.push(CallKind::Implied(MethodId(behind as u32)));
        }
        if rng.one_in(2 * shape.inlined) {
            let first = shape.methods + if shape.implied == 0 { 0 } else { IMPLIED };
            calls.push(CallKind::Predicted(MethodId((first + 1 + rng.below(SHORT)) as u32)));
        }
        if call_slots > 0 && rng.one_in(2 * shape.slots) {
            calls.push(CallKind::Slot(SlotId(1 + rng.below(call_slots) as u32)));
        }
    }
    let calls: Vec<CallSite> = calls
        .into_iter()
        .enumerate()
        .map(|(k, call)| CallSite { pc: (10 * i + k) as u32, call })
        .collect();
    let terminator = if i + 1 == blocks || rng.one_in(6) {
        if i + 1 != blocks && rng.one_in(3) { Terminator::Throw } else { Terminator::Return }
    } else {
        let n = 2 + if rng.one_in(4) { rng.below(5) } else { 0 };
        let targets = distinct(rng, blocks, n);
        if targets.len() < 2 || rng.one_in(3) {
            // Forward mostly: a loop of nothing but these never ends.
            let ahead = i + 1 + rng.below(blocks - i - 1);
            Terminator::Goto(BlockId(if rng.one_in(8) { targets[0] } else { ahead as u32 }))
        } else {
            let freqs = random_table(rng, targets.len());
            let alternatives = targets.into_iter().map(BlockId).zip(freqs).collect();
            Terminator::Branch {
                alternatives,
                identity: BranchIdentity { fingerprint: rng.bits() },
            }
        }
    };
    let back = matches!(terminator, Terminator::Goto(t) if t.0 as usize <= i);
    let throws = !calls.is_empty() || back || terminator == Terminator::Throw || rng.one_in(2);
    let lines = vec![(10 * i as u32, model::map::CodeOrigin::Line(i as u32 + 1))];
    Block {
        pc: 10 * i as u32,
        end: 10 * i as u32 + 10,
        lines,
        calls,
        throws,
        mark: false,
        terminator,
    }
}

/// Methods without probes that a program has behind the others.
const IMPLIED: usize = 3;
/// Prefix of their names.
pub(super) const IMPLIED_NAME: &str = "implied";

/// A method without probes: it may call those behind it.
fn implied_blocks(rng: &mut Rng, number: usize, last: usize) -> Vec<Block> {
    let blocks = 1 + rng.below(3);
    let block = |b: usize| {
        let callee = number + 1 + rng.below(IMPLIED);
        let call = CallSite { pc: 10 * b as u32, call: CallKind::Implied(MethodId(callee as u32)) };
        Block {
            pc: 10 * b as u32,
            end: 10 * b as u32 + 10,
            lines: Vec::new(),
            calls: if callee <= last { vec![call] } else { Vec::new() },
            throws: true,
            mark: false,
            terminator: match b + 1 {
                next if next < blocks => Terminator::Goto(BlockId(next as u32)),
                _ => Terminator::Return,
            },
        }
    };
    (0..blocks).map(block).collect()
}

/// Short methods that a program has behind all others.
const SHORT: usize = 3;
/// Prefix of their names.
pub(super) const SHORT_NAME: &str = "short";

/// A short method: it branches, only forwards, and may call those behind it.
fn short_blocks(rng: &mut Rng, number: usize, last: usize) -> Vec<Block> {
    let targets = [BlockId(1), BlockId(2), BlockId(3)];
    let ways = 2 + rng.below(2);
    let block = |rng: &mut Rng, b: usize| {
        let callee = number + 1 + rng.below(SHORT);
        let call =
            CallSite { pc: 10 * b as u32, call: CallKind::Predicted(MethodId(callee as u32)) };
        let terminator = match b {
            0 => Terminator::Branch {
                alternatives: targets.into_iter().zip(random_table(rng, ways)).collect(),
                identity: BranchIdentity { fingerprint: rng.bits() },
            },
            1 | 2 if rng.one_in(2) => Terminator::Goto(BlockId(3)),
            _ => Terminator::Return,
        };
        Block {
            pc: 10 * b as u32,
            end: 10 * b as u32 + 10,
            lines: Vec::new(),
            calls: if callee <= last { vec![call; 1 + rng.below(2)] } else { Vec::new() },
            throws: false,
            mark: false,
            terminator,
        }
    };
    (0..4).map(|b| block(rng, b)).collect()
}

/// Chooses calls of short methods whose code stands in their place. `short`: whether a method is
/// one.
fn inline(rng: &mut Rng, methods: &[Method], short: &dyn Fn(MethodId) -> bool) -> Vec<Inlined> {
    fn list(methods: &[Method], m: MethodId, depth: u8, calls: &mut Vec<InlinedCall>) {
        for (block, of) in (0..).map(BlockId).zip(&methods[m.0 as usize - 1].blocks) {
            for (call, site) in (0..).zip(&of.calls) {
                let CallKind::Predicted(callee) = site.call else { continue };
                calls.push(InlinedCall { depth, block, call });
                list(methods, callee, depth + 1, calls);
            }
        }
    }
    let mut all = Vec::new();
    for (method, of) in (1..).map(MethodId).zip(methods).filter(|(m, _)| !short(*m)) {
        let (mut calls, mut pieces) = (Vec::new(), Vec::new());
        for (block, of) in (0..).map(BlockId).zip(&of.blocks) {
            let mut cut = false;
            for (call, site) in (0..).zip(&of.calls) {
                let CallKind::Predicted(callee) = site.call else { continue };
                if !short(callee) || rng.one_in(3) {
                    continue;
                }
                calls.push(InlinedCall { depth: 0, block, call });
                list(methods, callee, 1, &mut calls);
                // What follows an inlined call follows a symbol.
                pieces.push(BlockFragment { throws: of.throws, mark: of.mark && !cut });
                cut = true;
            }
            if cut {
                pieces.push(BlockFragment { throws: of.throws, mark: false });
            }
        }
        if !calls.is_empty() {
            all.push(Inlined { method, calls, pieces });
        }
    }
    all
}

/// Marks the blocks of a method as in protocol §4.
fn place_marks(blocks: &mut [Block]) {
    let mut marked = vec![false; blocks.len()];
    for (i, b) in blocks.iter().enumerate().filter(|(_, b)| b.throws) {
        let (mut at, mut seen) = (i, b);
        for _ in 0..=blocks.len() {
            let Terminator::Goto(t) = seen.terminator else { break };
            at = t.0 as usize;
            seen = &blocks[at];
            if seen.throws {
                break;
            }
        }
        if (at != i || matches!(b.terminator, Terminator::Goto(_))) && seen.throws {
            marked[at] = true;
        }
    }
    blocks.iter_mut().zip(marked).for_each(|(b, m)| b.mark = m);
}

/// A random program.
pub fn random_map(rng: &mut Rng, shape: &Shape) -> Map {
    let guarded: Vec<bool> =
        (0..shape.methods).map(|i| i == 0 || rng.one_in(shape.guarded)).collect();
    let all: Vec<MethodId> = (1..=shape.methods as u32).map(MethodId).collect();
    let tops: Vec<MethodId> = all.iter().copied().filter(|m| guarded[m.0 as usize - 1]).collect();
    let call_slots = if shape.slots == 0 { 0 } else { 1 + rng.below(6) };
    let mut slots = vec![slot(rng, &tops)];
    (0..call_slots).for_each(|_| slots.push(slot(rng, &all)));
    let mut idle = vec![];
    for &m in &tops {
        if rng.one_in(2) {
            idle.push((m, SlotId(slots.len() as u32)));
            slots.push(slot(rng, &tops));
        }
    }
    let mut names = vec!["site".to_string(), "LSim;".into(), "()V".into()];
    let mut methods = vec![];
    let mut handlers = vec![];
    for (i, guarded) in guarded.iter().enumerate() {
        names.push(format!("m{i}"));
        let blocks = 1 + rng.below(shape.blocks);
        let mut blocks: Vec<Block> =
            (0..blocks).map(|b| block(rng, shape, b, blocks, call_slots)).collect();
        for _ in 0..shape.handlers {
            if rng.one_in(2) {
                let block = BlockId(rng.below(blocks.len()) as u32);
                handlers.push(Handler { method: MethodId(i as u32 + 1), block });
            }
        }
        place_marks(&mut blocks);
        methods.push(Method {
            class: NameId(1),
            name: NameId(names.len() as u32 - 1),
            descriptor: NameId(2),
            source_file: None,
            in_app: None,
            kind: model::map::MethodKind::Source,
            guarded: *guarded,
            blocks,
            regions: Vec::new(),
            loops: Vec::new(),
            fingerprint: rng.bits(),
        });
    }
    let last = shape.methods + if shape.implied == 0 { 0 } else { IMPLIED };
    for number in shape.methods + 1..=last {
        names.push(format!("{IMPLIED_NAME}{number}"));
        methods.push(Method {
            class: NameId(1),
            name: NameId(names.len() as u32 - 1),
            descriptor: NameId(2),
            source_file: None,
            in_app: None,
            kind: model::map::MethodKind::Source,
            guarded: false,
            blocks: implied_blocks(rng, number, last),
            regions: Vec::new(),
            loops: Vec::new(),
            fingerprint: rng.bits(),
        });
    }
    let short = last + 1..=last + if shape.inlined == 0 { 0 } else { SHORT };
    for number in short.clone() {
        names.push(format!("{SHORT_NAME}{number}"));
        methods.push(Method {
            name: NameId(names.len() as u32 - 1),
            guarded: false,
            blocks: short_blocks(rng, number, *short.end()),
            fingerprint: rng.bits(),
            ..methods[0].clone()
        });
    }
    let inlined = inline(rng, &methods, &|m| short.contains(&(m.0 as usize)));
    let mut origin = [0; 32];
    origin[..16].iter_mut().for_each(|b| *b = rng.bits() as u8);
    let origins = random_origins(&origin);
    let ids = methods.len() + origins.iter().map(|range| range.count as usize).sum::<usize>();
    let largest = ids.max(handlers.len().saturating_sub(1)) as u32;
    sealed(Map {
        build: BuildId::default(),
        origin,
        recording: Recording::ARITH,
        id_bits: (32 - largest.leading_zeros()) as u8,
        package: "org.example".into(),
        names,
        methods,
        handlers,
        slots,
        next_callbacks: idle,
        skipped: vec![],
        places: model::map::SourcePositions::default(),
        protocol: 2 + origin[0] % 2,
        inlined,
        paths: Vec::new(),
        code_lines: Vec::new(),
        generated: Vec::new(),
        origins,
        upper_bounds: false,
        throwing: ThrowingLines::default(),
    })
}

/// Origins of a third of all maps, drawn from these bytes.
fn random_origins(bytes: &[u8; 32]) -> Vec<OriginRange> {
    let kinds = [OriginKind::Id, OriginKind::Position, OriginKind::Key];
    let ranges = kinds.into_iter().zip(&bytes[4..]).map(|(kind, &n)| OriginRange {
        kind,
        first: u32::from(n) * 1000,
        count: 1 + u32::from(n),
        names: Vec::new(),
    });
    let most = if bytes[3].is_multiple_of(3) { bytes[2] % 4 } else { 0 };
    ranges.take(most.into()).collect()
}

/// The map with the build id of its content.
pub fn sealed(mut map: Map) -> Map {
    map.seal();
    map
}

/// The map with the tables that these counts give: per branch block in map order, per slot.
pub fn counts_to_map(map: &Map, branches: &[Vec<u64>], slots: &[Vec<u64>]) -> Map {
    let mut map = map.clone();
    let mut at = branches.iter();
    for b in map.methods.iter_mut().flat_map(|m| &mut m.blocks) {
        if let Terminator::Branch { alternatives, .. } = &mut b.terminator {
            let freqs = quantise(at.next().expect("counts of every branch"))
                .expect("a branch has alternatives");
            alternatives.iter_mut().zip(freqs).for_each(|(a, f)| a.1 = f);
        }
    }
    for (slot, counts) in map.slots.iter_mut().zip(slots) {
        slot.freqs = quantise(counts).expect("a slot has alternatives");
    }
    map
}
