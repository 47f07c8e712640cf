//! Coders of symbols in place of calls.
//!
//! The inline code does what `Probes.step` of the runtime does (`runtime/`): it narrows the
//! interval in the fields of the state. The call stays, at the end of the method, for an interval
//! that has become too small:
//!
//! ```text
//! r = state.range >>> 16; if (r <= 32767) goto call;
//! state.range = r * freq; state.low += r * cum;
//! back: …
//! call: Probes.step(state, slice); goto back;
//! ```
//!
//! The code needs two pairs and one to four registers that are dead at that point: by liveness over
//! the woven code, with the handlers that its instructions lead to. If there are too few, the
//! method gets more: below its parameters, if no instruction changes its form; or a pair on top,
//! and a prologue that moves the parameters down.

use std::collections::{HashMap, HashSet};

use dex::debug::DebugEvent::{EndLocal, Line, RestartLocal, StartLocal};
use dex::{Args, Code, FieldIdx, Insn, Item, Label, MoveKind, Node, Op, Ref, Reg};

use crate::analysis::cfg::Cfg;
use crate::analysis::liveness::{Liveness, has};
use crate::art::CROWDED;
use crate::probes::probe::CoderFields;
use crate::rewrite::registers::{Scratch, can_renumber};

/// A symbol to code inline.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MarkedSymbol {
    /// Label before the instructions that code the symbol by a call.
    pub at: Label,
    /// The symbol.
    pub symbol: Symbol,
}

/// Kind of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// The slice `cum << 16 | freq`.
    Slice(u32),
    /// The slice of the number in the path register, which nothing reads afterwards.
    Path,
}

/// A symbol that a call codes.
struct CoderCall {
    symbol: Symbol,
    /// First node of the call; `last` is the last one.
    first: usize,
    last: usize,
    /// Dead registers.
    dead: Vec<Reg>,
}

/// Registers for one symbol.
#[derive(Debug, Clone, Copy)]
struct Registers {
    /// The state, within [`NEAR`].
    state: Reg,
    /// A pair within [`NEAR`].
    near: Reg,
    /// Another pair, anywhere.
    pair: Reg,
    /// A register anywhere.
    one: Reg,
    /// For a path: a register for its slice, within [`NEAR`]; equals `one` if that is.
    slice: Reg,
    /// For a path: another register within [`NEAR`], if there is one.
    freq: Option<Reg>,
}

/// Registers that short instructions and field accesses reach.
const NEAR: u16 = 16;
/// Registers that all other instructions reach.
const FAR: u16 = 256;
/// Largest number of registers that a method may get for its symbols: below its parameters,
const MOST: u16 = 4;
/// and on top, where only a pair is useful.
const PAIR: u16 = 2;
/// Same value as in `Probes.step`.
const SHIFT: i32 = 16;
const TOO_SMALL: i64 = 32767;

/// Replaces the calls of these symbols by inline coders, as far as there are registers for them.
pub(super) fn write(
    code: &mut Code,
    symbols: &[MarkedSymbol],
    coder: CoderFields,
    scratch: Scratch,
    parameters: &[MoveKind],
) {
    let calls = calls(code, symbols);
    let found = |frame: WidenedFrame| -> HashMap<usize, (&CoderCall, Registers)> {
        let scratch = frame.scratch(scratch);
        let each = calls
            .iter()
            .filter_map(|call| Some((call.first, (call, frame.registers(call, scratch)?))));
        each.collect()
    };
    // The first frame in which most symbols find registers wins.
    let frames = WidenedFrame::all(code).map(|frame| (found(frame), frame));
    let best = frames.reduce(|best, next| if next.0.len() > best.0.len() { next } else { best });
    let Some((places, frame)) = best.filter(|(places, _)| !places.is_empty()) else { return };
    let path = frame.scratch(scratch).path;
    let nodes: Vec<Node> = code.nodes.iter().map(|node| frame.node(node)).collect();
    code.nodes = frame.prologue(code, parameters);
    code.registers += frame.more;
    let mut aside: Vec<Node> = Vec::new();
    // A call may appear in a stack trace: it keeps its line.
    let (mut line, mut line_aside) = (None, None);
    let mut n = 0;
    while let Some(node) = nodes.get(n) {
        let Some((call, registers)) = places.get(&n) else {
            if let Item::Debug(event @ Line(_)) = &node.item {
                line = Some(event.clone());
            }
            code.nodes.push(node.clone());
            n += 1;
            continue;
        };
        let try_id = node.try_id;
        let label = |l| Node { item: Item::Label(l), try_id: None };
        let (too_small, back) = (code.new_label(), code.new_label());
        let writer = CoderWriter { registers: *registers, path, coder };
        let insns = writer.write(call.symbol, frame.scratch(scratch).state, too_small);
        code.nodes.extend(insns.into_iter().map(|i| Node { item: Item::Insn(i), try_id }));
        code.nodes.push(label(back));
        aside.push(label(too_small));
        if line != line_aside {
            let event = line.clone().map(Item::Debug);
            aside.extend(event.map(|item| Node { item, try_id: None }));
            line_aside = line.clone();
        }
        aside.extend(nodes[n..=call.last].iter().cloned());
        aside.push(Node { item: Item::Insn(Insn::goto(back)), try_id });
        n = call.last + 1;
    }
    code.nodes.extend(aside);
}

/// Returns the calls of these symbols.
fn calls(code: &Code, symbols: &[MarkedSymbol]) -> Vec<CoderCall> {
    let marks: HashMap<Label, Symbol> = symbols.iter().map(|s| (s.at, s.symbol)).collect();
    let marked = code.nodes.iter().enumerate().filter_map(|(n, node)| match &node.item {
        Item::Label(at) => Some((n + 1, *marks.get(at)?)),
        _ => None,
    });
    let marked: HashMap<usize, Symbol> = marked.collect();
    let mut calls = Vec::new();
    let Some(cfg) = Cfg::build(code) else { return calls };
    let Some(live) = Liveness::solve(code, &cfg) else { return calls };
    for (b, block) in cfg.blocks.iter().enumerate() {
        // The marker begins a block.
        let Some(&symbol) = marked.get(&block.first) else { continue };
        let is_call = |&n: &usize| code.insn(n).is_some_and(|i| i.op.is_invoke());
        let Some(last) = (block.first..=block.last).find(is_call) else { continue };
        let mut now = vec![0u64; usize::from(code.registers).div_ceil(64)];
        live.backward(code, &cfg, b, &mut now, &mut |n, bits| {
            if n == block.first {
                let dead = (0..code.registers.min(FAR)).filter(|&r| !has(bits, r));
                calls.push(CoderCall { symbol, first: n, last, dead: dead.map(Reg).collect() });
            }
        });
    }
    calls
}

/// A method frame with additional registers.
#[derive(Debug, Clone, Copy)]
struct WidenedFrame {
    /// First additional register; `more` is their number.
    first: u16,
    more: u16,
    /// True if they are on top: a prologue moves the parameters down. Otherwise the parameters,
    /// above them, have higher numbers.
    on_top: bool,
}

impl WidenedFrame {
    /// Returns the possible frames of a method, the least expensive first.
    fn all(code: &Code) -> impl Iterator<Item = WidenedFrame> {
        let parameter = code.registers - code.ins;
        let below = (0..=MOST).filter(move |&more| can_renumber(code, parameter, more));
        let below = below.map(move |more| WidenedFrame { first: parameter, more, on_top: false });
        let on_top = WidenedFrame { first: code.registers, more: PAIR, on_top: true };
        below.chain([on_top]).filter(|frame| {
            let all = code.registers + frame.more;
            // ART's compiler still inlines probes.
            frame.more == 0 || all <= FAR && (all < CROWDED || code.registers >= CROWDED)
        })
    }

    /// Returns the new number of an original register.
    fn moved(self, r: Reg) -> Reg {
        if r.0 >= self.first && !self.on_top { Reg(r.0 + self.more) } else { r }
    }

    /// Returns moves of the parameters to the registers that the code expects.
    fn prologue(self, code: &Code, parameters: &[MoveKind]) -> Vec<Node> {
        let mut to = code.registers - code.ins;
        let mut moves = Vec::new();
        for &kind in parameters.iter().filter(|_| self.on_top) {
            // In ascending order a word is read before it is overwritten.
            let copy = Insn::copy(kind, Reg(to), Reg(to + self.more));
            moves.push(Node { item: Item::Insn(copy), try_id: None });
            to += if kind == MoveKind::Wide { 2 } else { 1 };
        }
        moves
    }

    fn scratch(self, s: Scratch) -> Scratch {
        let [state, temp, path, frame] = [s.state, s.temp, s.path, s.frame].map(|r| self.moved(r));
        Scratch { state, temp, path, frame, low: s.low }
    }

    fn node(self, node: &Node) -> Node {
        let mut node = node.clone();
        match &mut node.item {
            Item::Insn(insn) => {
                *insn = insn.map_regs(|r| self.moved(r)).expect("tried by `all`");
            }
            Item::Debug(StartLocal { reg, .. } | EndLocal(reg) | RestartLocal(reg)) => {
                *reg = self.moved(*reg);
            }
            Item::Debug(_) | Item::Label(_) => {}
        }
        node
    }

    /// Chooses registers for a symbol.
    fn registers(self, call: &CoderCall, scratch: Scratch) -> Option<Registers> {
        let new = (self.first..self.first + self.more).map(Reg);
        let mut free: HashSet<Reg> = call.dead.iter().map(|&r| self.moved(r)).chain(new).collect();
        let one = free.take(&scratch.temp)?;
        let is_path = call.symbol == Symbol::Path;
        // The path number is no longer needed then.
        let spent = Some(scratch.path).filter(|r| is_path && r.0 < NEAR);
        let pairs = |end: u16| (0..end - 1).map(Reg).filter(|&r| has_pair(&free, r));
        let with = |wants_freq: bool| {
            pairs(FAR).flat_map(|pair| pairs(NEAR).map(move |near| (pair, near))).find_map(
                |(pair, near)| {
                    let taken = [pair.0, pair.0 + 1, near.0, near.0 + 1];
                    if near.0.abs_diff(pair.0) < 2 {
                        return None;
                    }
                    let mut rest = (0..NEAR)
                        .filter(|r| !taken.contains(r) && free.contains(&Reg(*r)))
                        .map(Reg);
                    let mut near_or = |r: Reg| if r.0 < NEAR { Some(r) } else { rest.next() };
                    let state = near_or(scratch.state)?;
                    let slice = if is_path { near_or(one)? } else { one };
                    let freq = spent.or_else(|| rest.next()).filter(|_| is_path);
                    // Without `freq`, the slice is in `one` as well.
                    (freq.is_some() || !wants_freq && slice != one || !is_path)
                        .then_some(Registers { state, near, pair, one, slice, freq })
                },
            )
        };
        with(is_path).or_else(|| with(false))
    }
}

fn has_pair(free: &HashSet<Reg>, r: Reg) -> bool {
    free.contains(&r) && free.contains(&Reg(r.0 + 1))
}

/// Writes the coder of one symbol.
struct CoderWriter {
    registers: Registers,
    path: Reg,
    coder: CoderFields,
}

impl CoderWriter {
    fn write(&self, symbol: Symbol, from: Reg, too_small: Label) -> Vec<Insn> {
        let Registers { state, near, pair, one, .. } = self.registers;
        let mut out = Vec::new();
        if state != from {
            out.push(Insn::copy(MoveKind::Object, state, from));
        }
        let range = if pair.0 < NEAR { pair } else { near };
        out.extend([
            self.field(Op::IgetWide, range, self.coder.range),
            Insn::const_int(one, SHIFT).expect("below v256"),
            three(Op::UshrLong2Addr, Op::UshrLong, pair, range, one),
            wide(near, TOO_SMALL),
            Insn { op: Op::CmpLong, args: Args::ABC(one, pair, near) },
            Insn { op: Op::IfLez, args: Args::AJump(one, too_small) },
        ]);
        match symbol {
            Symbol::Slice(slice) => {
                out.push(wide(near, (slice & 0xFFFF).into()));
                out.extend(self.narrowed());
                if slice >> 16 > 0 {
                    out.push(wide(near, (slice >> 16).into()));
                    out.extend(self.raised());
                }
            }
            Symbol::Path => {
                out.extend(self.looked_up());
                out.extend(self.raised());
            }
        }
        out
    }

    /// Emits `range = r * near`.
    fn narrowed(&self) -> [Insn; 2] {
        let Registers { near, pair, .. } = self.registers;
        [
            three(Op::MulLong2Addr, Op::MulLong, near, near, pair),
            self.field(Op::IputWide, near, self.coder.range),
        ]
    }

    /// Emits `low += r * near`.
    fn raised(&self) -> [Insn; 4] {
        let Registers { near, pair, .. } = self.registers;
        [
            three(Op::MulLong2Addr, Op::MulLong, pair, pair, near),
            self.field(Op::IgetWide, near, self.coder.low),
            three(Op::AddLong2Addr, Op::AddLong, near, near, pair),
            self.field(Op::IputWide, near, self.coder.low),
        ]
    }

    /// Narrows the range by the slice of the path register, and loads its begin into `near`.
    fn looked_up(&self) -> Vec<Insn> {
        let Registers { near, one, slice, freq, .. } = self.registers;
        let convert = |op, to, from| Insn { op, args: Args::AB(to, from) };
        let begin = |to| Insn { op: Op::UshrIntLit8, args: Args::ABLit(to, slice, SHIFT) };
        let mut out = vec![
            self.field(Op::IgetObject, slice, self.coder.paths),
            Insn { op: Op::Aget, args: Args::ABC(slice, slice, self.path) },
        ];
        match freq {
            Some(freq) => {
                out.extend([
                    convert(Op::IntToChar, freq, slice),
                    convert(Op::IntToLong, near, freq),
                ]);
                out.extend(self.narrowed());
                out.push(begin(slice));
            }
            None => {
                // Only `one` is left for the begin, but its number is too high.
                out.extend([
                    begin(one),
                    convert(Op::IntToChar, slice, slice),
                    convert(Op::IntToLong, near, slice),
                ]);
                out.extend(self.narrowed());
                out.push(Insn::copy(MoveKind::Single, slice, one));
            }
        }
        out.push(convert(Op::IntToLong, near, slice));
        out
    }

    fn field(&self, op: Op, value: Reg, field: FieldIdx) -> Insn {
        Insn { op, args: Args::ABRef(value, self.registers.state, Ref::Field(field)) }
    }
}

fn wide(to: Reg, value: i64) -> Insn {
    Insn::const_wide(to, value).expect("below v256")
}

/// Emits `to = a op b`, in the short form if it reaches the registers.
fn three(short: Op, long: Op, to: Reg, a: Reg, b: Reg) -> Insn {
    let reaches = to == a && to.0 < NEAR && b.0 < NEAR;
    match reaches {
        true => Insn { op: short, args: Args::AB(to, b) },
        false => Insn { op: long, args: Args::ABC(to, a, b) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRATCH: Scratch =
        Scratch { state: Reg(4), temp: Reg(5), path: Reg(6), frame: Reg(7), low: true };

    fn registers(dead: &[u16], frame: WidenedFrame, symbol: Symbol) -> Option<Registers> {
        let dead = dead.iter().copied().map(Reg).collect();
        let call = CoderCall { symbol, first: 0, last: 0, dead };
        frame.registers(&call, frame.scratch(SCRATCH))
    }

    fn as_it_is() -> WidenedFrame {
        WidenedFrame { first: 8, more: 0, on_top: false }
    }

    #[test]
    fn only_dead_registers_are_used() {
        let found = registers(&[0, 1, 2, 3, 5], as_it_is(), Symbol::Slice(1));
        let found = found.expect("two pairs and the temporary");
        assert_eq!((found.state, found.one), (Reg(4), Reg(5)));
        assert_eq!((found.pair, found.near), (Reg(0), Reg(2)));
        assert!(registers(&[0, 1, 2, 5], as_it_is(), Symbol::Slice(1)).is_none());
        assert!(registers(&[0, 1, 2, 3], as_it_is(), Symbol::Slice(1)).is_none());
    }

    #[test]
    fn pairs_do_not_overlap() {
        assert!(registers(&[0, 1, 2, 5], as_it_is(), Symbol::Path).is_none());
        let found = registers(&[0, 1, 2, 3, 5], as_it_is(), Symbol::Path).expect("enough");
        assert_eq!((found.slice, found.freq), (Reg(5), Some(Reg(6))));
    }

    #[test]
    fn new_registers_lie_below_the_parameters() {
        let frame = WidenedFrame { first: 4, more: 2, on_top: false };
        let found = registers(&[0, 1, 5], frame, Symbol::Slice(1)).expect("a pair is new");
        // The state and the temporary have higher numbers.
        assert_eq!((found.state, found.one), (Reg(6), Reg(7)));
        assert_eq!((found.pair, found.near), (Reg(0), Reg(4)));
    }

    #[test]
    fn a_pair_on_top_may_be_far() {
        let frame = WidenedFrame { first: 20, more: PAIR, on_top: true };
        let found = registers(&[0, 1, 5], frame, Symbol::Slice(1)).expect("a pair is new");
        assert_eq!((found.pair, found.near), (Reg(20), Reg(0)));
    }

    #[test]
    fn high_registers_are_copied_to_low_ones() {
        let far =
            Scratch { state: Reg(17), temp: Reg(18), path: Reg(19), frame: Reg(19), low: false };
        let of = |dead: &[u16]| {
            let dead = dead.iter().copied().map(Reg).collect();
            as_it_is().registers(&CoderCall { symbol: Symbol::Path, first: 0, last: 0, dead }, far)
        };
        let found = of(&[0, 1, 2, 3, 4, 5, 18]).expect("the slice is kept in the temporary");
        assert_eq!((found.state, found.slice, found.freq), (Reg(4), Reg(5), None));
        let found = of(&[0, 1, 2, 3, 4, 5, 6, 18]).expect("enough");
        assert_eq!(found.freq, Some(Reg(6)));
        assert!(of(&[0, 1, 2, 3, 4, 18]).is_none());
    }
}
