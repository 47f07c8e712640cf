//! Probes of builds that count selected paths by a published encoding
//! ([`model::path_profiles::encodings`]): the edges' operations on a number in a register pair.
//!
//! An activation stops by a flag: a program that goes on cannot be left, as it is in the
//! publication of PSP. Each probe looks at the flag first. A handler stops the activation, because
//! no path of interest passes one, and so does a number that would be too large.

use dex::{Args, Insn, Item, Label, Op, Reg};
use model::map::BlockId;
use model::path_profiles::encodings::{EdgeOp, MOST};

use crate::plan::encoded::{ENTRY, EXIT, EncodedMethod, vertex};
use crate::plan::subject::Subject;
use crate::probes::emitter::{Boundary, EdgeProbe, Emitter, items};
use crate::probes::probe::Probes;

/// Emitter of such a method.
pub(crate) struct EncodedProbes<'a> {
    pub probes: Probes<'a>,
    pub subject: &'a Subject,
    pub encoded: &'a EncodedMethod,
    /// Index among the build's paths of each of the method's paths.
    pub cells: &'a [u32],
}

/// Continuation where a number is found.
#[derive(Clone, Copy)]
enum Found {
    /// The code goes on there.
    Goto(Label),
    /// The hit of this path.
    Hit(u32),
}

/// A search for the number in a register.
struct Search<'s> {
    of: Reg,
    /// Label behind a hit.
    done: Label,
    /// Label to continue at if nothing is found.
    missed: Label,
    new_label: &'s mut dyn FnMut() -> Label,
}

impl EncodedProbes<'_> {
    fn register(&self, offset: u16) -> Reg {
        Reg(self.probes.scratch.state.0 + offset)
    }

    fn number(&self) -> Reg {
        self.register(0)
    }

    fn remainder(&self) -> Reg {
        self.register(2)
    }

    fn constant(&self) -> Reg {
        self.register(4)
    }

    fn flag(&self) -> Reg {
        self.register(7)
    }

    fn set_flag(&self, counts: bool) -> Insn {
        Insn::const_int(self.flag(), counts.into()).expect("scratch registers are below v256")
    }

    fn wide(&self, to: Reg, value: u128) -> Insn {
        debug_assert!(value <= MOST);
        Insn::const_wide(to, value as i64).expect("scratch registers are below v256")
    }

    /// Returns the code of an edge's operations, with jumps only inside it.
    fn code(&self, edge: usize, new_label: &mut dyn FnMut() -> Label) -> Vec<Item> {
        let ops = &self.encoded.encoding.ops[edge];
        if ops.is_empty() {
            return Vec::new();
        }
        let end = new_label();
        let mut out = Vec::new();
        if self.encoded.stops {
            let skip = Insn { op: Op::IfEqz, args: Args::AJump(self.flag(), end) };
            out.push(Item::Insn(skip));
        }
        let mut most = self.encoded.bounds[self.encoded.graph.edges()[edge].0];
        for op in ops {
            self.write(op, &mut most, end, new_label, &mut out);
        }
        out.push(Item::Label(end));
        out
    }

    /// Writes an operation on a number that is `most` at most, which it updates.
    fn write(
        &self,
        op: &EdgeOp,
        most: &mut u128,
        end: Label,
        new_label: &mut dyn FnMut() -> Label,
        out: &mut Vec<Item>,
    ) {
        match op {
            EdgeOp::Set(to) if *to <= MOST => out.push(Item::Insn(self.wide(self.number(), *to))),
            EdgeOp::Add(add) if *add <= MOST => {
                self.check(*most > MOST - add, MOST - add, end, new_label, out);
                out.extend(items(self.arithmetic(1, *add)));
            }
            EdgeOp::MulAdd { by, add } if *add <= MOST => {
                let limit = (MOST - add) / (*by).max(1);
                self.check(*most > limit, limit, end, new_label, out);
                out.extend(items(self.arithmetic(*by, *add)));
            }
            EdgeOp::Set(_) | EdgeOp::Add(_) | EdgeOp::MulAdd { .. } | EdgeOp::Stop => {
                out.extend(items(vec![self.set_flag(false), Insn::goto(end)]));
            }
            EdgeOp::Test { of, modulus } => {
                let reduced = modulus.filter(|m| *m <= *most);
                if let Some(modulus) = reduced {
                    let args = Args::ABC(self.remainder(), self.number(), self.constant());
                    let rest = Insn { op: Op::RemLong, args };
                    out.extend(items(vec![self.wide(self.constant(), modulus), rest]));
                }
                let passed = new_label();
                let wanted: Vec<(u128, Found)> =
                    of.iter().filter(|r| **r <= MOST).map(|r| (*r, Found::Goto(passed))).collect();
                let of = if reduced.is_some() { self.remainder() } else { self.number() };
                let missed = new_label();
                let mut search = Search { of, done: passed, missed, new_label };
                self.search(&mut search, &wanted, out);
                out.push(Item::Label(missed));
                out.extend(items(vec![self.set_flag(false), Insn::goto(end)]));
                out.push(Item::Label(passed));
            }
            EdgeOp::Count => {
                let interest = &self.encoded.encoding.interest;
                let wanted: Vec<(u128, Found)> =
                    interest.iter().map(|(r, path)| (*r, Found::Hit(self.cells[*path]))).collect();
                let done = new_label();
                let mut search = Search { of: self.number(), done, missed: done, new_label };
                self.search(&mut search, &wanted, out);
                out.push(Item::Label(done));
            }
        }
        *most = op.bound(*most).min(MOST);
    }

    /// Stops the activation if the number is above a limit, where it can be.
    fn check(
        &self,
        can_be: bool,
        limit: u128,
        end: Label,
        new_label: &mut dyn FnMut() -> Label,
        out: &mut Vec<Item>,
    ) {
        if !can_be {
            return;
        }
        let fits = new_label();
        out.extend(items(self.compare(self.number(), limit)));
        let jump = Insn { op: Op::IfLez, args: Args::AJump(self.probes.scratch.temp, fits) };
        out.extend(items(vec![jump, self.set_flag(false), Insn::goto(end)]));
        out.push(Item::Label(fits));
    }

    /// Multiplies the number and adds to it.
    fn arithmetic(&self, by: u128, add: u128) -> Vec<Insn> {
        let mut out = Vec::new();
        let mut with = |op, value| {
            let args = Args::ABC(self.number(), self.number(), self.constant());
            out.extend([self.wide(self.constant(), value), Insn { op, args }]);
        };
        if by > 1 {
            // Above the limit only 0 passes the check before, and stays 0.
            with(Op::MulLong, by.min(MOST));
        }
        if add > 0 {
            with(Op::AddLong, add);
        }
        out
    }

    /// Compares a register pair with a value, into the temporary.
    fn compare(&self, of: Reg, value: u128) -> Vec<Insn> {
        let args = Args::ABC(self.probes.scratch.temp, of, self.constant());
        vec![self.wide(self.constant(), value), Insn { op: Op::CmpLong, args }]
    }

    /// Writes a search among ascending values.
    fn search(&self, search: &mut Search<'_>, values: &[(u128, Found)], out: &mut Vec<Item>) {
        let jump =
            |op, to| Item::Insn(Insn { op, args: Args::AJump(self.probes.scratch.temp, to) });
        let goto = |to| Item::Insn(Insn::goto(to));
        let middle = values.len() / 2;
        let Some((value, found)) = values.get(middle) else {
            out.push(goto(search.missed));
            return;
        };
        let (less, more) = (&values[..middle], &values[middle + 1..]);
        out.extend(items(self.compare(search.of, *value)));
        let mut side = |op, side: &[(u128, Found)], out: &mut Vec<Item>| {
            let to = if side.is_empty() { search.missed } else { (search.new_label)() };
            out.push(jump(op, to));
            to
        };
        let (below, above) = match less.is_empty() && more.is_empty() {
            true => (side(Op::IfNez, &[], out), search.missed),
            false => (side(Op::IfLtz, less, out), side(Op::IfGtz, more, out)),
        };
        match *found {
            Found::Goto(to) => out.push(goto(to)),
            Found::Hit(cell) => {
                out.extend(items(self.probes.path_hit(cell)));
                out.push(goto(search.done));
            }
        }
        for (label, side) in [(below, less), (above, more)] {
            if !side.is_empty() {
                out.push(Item::Label(label));
                self.search(search, side, out);
            }
        }
    }

    /// Returns the operations on the only edge out of a block, if they need no jump.
    fn simple(&self, from: BlockId) -> Option<Vec<Insn>> {
        let [to] = self.subject.cfg.block(from).end.successors() else { return None };
        let ops = &self.encoded.encoding.ops[self.edge(vertex(from), vertex(*to))];
        if ops.is_empty() {
            return Some(Vec::new());
        }
        let add = |op: &EdgeOp| match op {
            EdgeOp::Add(add) => Some(self.arithmetic(1, *add)),
            EdgeOp::MulAdd { by, add } => Some(self.arithmetic(*by, *add)),
            _ => None,
        };
        let all: Option<Vec<Vec<Insn>>> = ops.iter().map(add).collect();
        all.filter(|_| !self.encoded.stops).map(|all| all.concat())
    }

    fn edge(&self, from: usize, to: usize) -> usize {
        self.encoded.graph.edge(from, to).expect("an edge of the method")
    }
}

impl Emitter for EncodedProbes<'_> {
    fn outs(&self) -> u16 {
        1
    }

    fn begin(&self) -> Vec<Insn> {
        let entry = self.edge(ENTRY, vertex(BlockId(0)));
        let number = self.encoded.encoding.number_after(entry, 0);
        let mut out = vec![self.wide(self.number(), number.unwrap_or(0))];
        out.extend(self.encoded.stops.then(|| self.set_flag(number.is_some())));
        out
    }

    fn block(&self, _: BlockId) -> Option<Insn> {
        None
    }

    fn edges(&self, from: BlockId, new_label: &mut dyn FnMut() -> Label) -> Vec<EdgeProbe> {
        if self.simple(from).is_some() {
            return Vec::new();
        }
        let all = self.subject.cfg.block(from).end.successors();
        let edge = |&to: &BlockId| EdgeProbe {
            items: self.code(self.edge(vertex(from), vertex(to)), new_label),
            ..EdgeProbe::default()
        };
        all.iter().map(edge).collect()
    }

    fn branch(&self, _: BlockId) -> Vec<Insn> {
        Vec::new()
    }

    fn onward(&self, block: BlockId) -> Vec<Insn> {
        self.simple(block).unwrap_or_default()
    }

    fn caught(&self, _: u32, _: BlockId, _: &mut dyn FnMut() -> Label) -> Vec<Item> {
        items(vec![self.set_flag(false)])
    }

    fn exit(&self, block: BlockId, new_label: &mut dyn FnMut() -> Label) -> Vec<Item> {
        self.code(self.edge(vertex(block), EXIT), new_label)
    }

    fn shares_exits(&self) -> bool {
        false
    }

    fn boundary(&self) -> Boundary {
        Boundary { begin: vec![], ..Boundary::default() }
    }
}
