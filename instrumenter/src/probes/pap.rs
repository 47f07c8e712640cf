//! Probes of codec `pap` (`model::pap`): arithmetic in registers on the edges into joins, items at
//! the ends of activations.

use dex::MoveKind;
use dex::{Args, Insn, Item, Label, MethodIdx, Op, Ref, Reg};
use model::map::BlockId;
use model::pap::{Joins, LOST_FRAMES, START};

use crate::plan::path_numbers::FRAME;
use crate::plan::subject::Subject;
use crate::probes::emitter::{Boundary, Detour, DetourRange, EdgeProbe, Emitter, items};
use crate::probes::pap_refs::PapRefs;
use crate::probes::probe::{PROBE_OUTS, Probes};

/// Number of argument words of a call into the runtime: all registers up to the path number.
pub const WORDS: u16 = 6;

/// Length of the ring of path numbers (in `long`s) that could not be written because the stack was
/// full (`State.LOST`).
const RING: i32 = 4 * LOST_FRAMES as i32;

/// Emits the probes of one method.
pub(crate) struct PapProbes<'a> {
    pub refs: PapRefs,
    pub probes: Probes<'a>,
    pub subject: &'a Subject,
}

impl Emitter for PapProbes<'_> {
    fn outs(&self) -> u16 {
        if self.subject.leaf { PROBE_OUTS } else { WORDS }
    }

    fn begin(&self) -> Vec<Insn> {
        if self.subject.leaf { Vec::new() } else { vec![self.start(), self.set_block(BlockId(0))] }
    }

    fn block(&self, block: BlockId) -> Option<Insn> {
        (!self.subject.leaf).then(|| self.set_block(block))
    }

    fn edges(&self, from: BlockId, new_label: &mut dyn FnMut() -> Label) -> Vec<EdgeProbe> {
        let Some(joins) = &self.subject.pap else { return Vec::new() };
        let all = self.subject.cfg.block(from).end.successors();
        let edge = |&to: &BlockId| match joins.edge(from.0, to.0) {
            Some((ways, i)) => self.edge(from, ways, i, new_label(), new_label()),
            None => EdgeProbe::default(),
        };
        all.iter().map(edge).collect()
    }

    fn branch(&self, _: BlockId) -> Vec<Insn> {
        Vec::new()
    }

    fn onward(&self, _: BlockId) -> Vec<Insn> {
        Vec::new()
    }

    fn caught(&self, handler: u32, block: BlockId, _: &mut dyn FnMut() -> Label) -> Vec<Item> {
        let id = Insn::const_int(self.probes.scratch.temp, handler as i32)
            .expect("scratch registers are below v256");
        items(vec![id, self.call(self.refs.caught), self.start(), self.set_block(block)])
    }

    fn exit(&self, _: BlockId, _: &mut dyn FnMut() -> Label) -> Vec<Item> {
        if self.subject.branches.is_empty() {
            return items(self.probes.exit(self.subject.guarded));
        }
        items(vec![self.zero(), self.call(self.refs.leave)])
    }

    fn boundary(&self) -> Boundary {
        Boundary {
            begin: vec![Insn { op: Op::MoveException, args: Args::A(self.wide()) }, self.zero()],
            protected: vec![self.call(self.refs.unwound)],
            end: vec![self.rethrow()],
            full_stack: self.lost(),
        }
    }
}

impl PapProbes<'_> {
    fn reg(&self, n: u16) -> Reg {
        Reg(self.probes.scratch.state.0 + n)
    }

    fn number(&self) -> Reg {
        self.reg(4)
    }

    fn wide(&self) -> Reg {
        self.reg(6)
    }

    fn call(&self, method: MethodIdx) -> Insn {
        Insn {
            op: Op::InvokeStaticRange,
            args: Args::Range(self.probes.scratch.state, WORDS, Ref::Method(method)),
        }
    }

    fn wide_const(&self, to: Reg, value: u64) -> Insn {
        Insn::const_wide(to, value as i64).expect("scratch registers are below v256")
    }

    /// Starts the path number.
    fn start(&self) -> Insn {
        self.wide_const(self.number(), START)
    }

    /// Sets the block register.
    fn set_block(&self, block: BlockId) -> Insn {
        Insn::const_int(self.reg(3), block.0 as i32).expect("scratch registers are below v256")
    }

    /// Returns the probe of the edge out of `from` that is number `i` of the `ways` into a join.
    /// Code at `full` writes the number and continues at `on`.
    fn edge(&self, from: BlockId, ways: u64, i: u64, full: Label, on: Label) -> EdgeProbe {
        let (r, t, temp) = (self.number(), self.wide(), self.probes.scratch.temp);
        let op = |op, a, b, c| Item::Insn(Insn { op, args: Args::ABC(a, b, c) });
        let mut items = vec![
            Item::Insn(self.wide_const(t, Joins::limit(ways))),
            op(Op::CmpLong, temp, r, t),
            Item::Insn(Insn { op: Op::IfGtz, args: Args::AJump(temp, full) }),
            Item::Label(on),
            Item::Insn(self.wide_const(t, ways)),
            op(Op::MulLong, r, r, t),
        ];
        if i > 0 {
            items.push(Item::Insn(self.wide_const(t, i)));
            items.push(op(Op::AddLong, r, r, t));
        }
        // The block register must match the number in case the stack is full: blocks since the last
        // one that set the register may have changed the number.
        let insns = vec![self.set_block(from), self.call(self.refs.full), self.start()];
        EdgeProbe {
            items,
            detour: Some(Detour { entry: full, insns, back: on, range: DetourRange::Target }),
            in_line: None,
        }
    }

    fn zero(&self) -> Insn {
        Insn::const_int(self.probes.scratch.temp, 0).expect("scratch registers are below v256")
    }

    fn rethrow(&self) -> Insn {
        Insn { op: Op::Throw, args: Args::A(self.wide()) }
    }

    /// Returns the handler for a guard whose probe finds the stack full: it stores the number, the
    /// frame and the block in the ring `State.lost` without any call, and the app's exception
    /// continues.
    fn lost(&self) -> Vec<Insn> {
        let thrown = self.reg(7);
        let mut out = vec![Insn { op: Op::MoveException, args: Args::A(thrown) }];
        // Fields and small arithmetic reach v0 to v15. A method with higher probe registers has at
        // least nine registers of its own, none of which is live here.
        let low = self.probes.scratch.low;
        let pick = |low_one: u16, high: u16| if low { self.reg(low_one) } else { Reg(high) };
        let (state, at, ring, frame, block, wide) =
            (pick(0, 0), pick(1, 1), pick(7, 2), pick(2, 3), pick(3, 4), pick(4, 6));
        if !low {
            out.push(Insn::copy(MoveKind::Object, state, self.reg(0)));
            out.push(Insn::copy(MoveKind::Single, frame, self.reg(FRAME)));
            out.push(Insn::copy(MoveKind::Single, block, self.reg(3)));
        }
        let field = |op, r, f| Insn { op, args: Args::ABRef(r, state, Ref::Field(f)) };
        let put = |r| Insn { op: Op::AputWide, args: Args::ABC(r, ring, at) };
        let widen = |r| Insn { op: Op::IntToLong, args: Args::AB(wide, r) };
        let add = |n| Insn { op: Op::AddIntLit8, args: Args::ABLit(at, at, n) };
        out.extend([
            field(Op::IgetObject, ring, self.refs.lost),
            field(Op::Iget, at, self.refs.lost_end),
            Insn { op: Op::AndIntLit16, args: Args::ABLit(at, at, RING - 1) },
            put(self.number()),
            add(1),
            widen(frame),
            put(wide),
            add(1),
            widen(block),
            put(wide),
            field(Op::Iget, at, self.refs.lost_end),
            add(4),
            field(Op::Iput, at, self.refs.lost_end),
            // The next entered method reads the ring before anything else.
            Insn::const_int(at, 0).expect("scratch registers are below v256"),
            field(Op::Iput, at, self.refs.token),
            self.rethrow(),
        ]);
        out
    }
}
