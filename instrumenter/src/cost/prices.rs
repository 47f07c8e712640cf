//! What instructions and probes take, in picoseconds.
//!
//! Probes were measured on ART 10's JIT and its interpreter, on an x86-64 server, by hand-written
//! variants of small loops (`bench/README.md`, *Predicted run time*). So were single instructions of
//! the app; but compiled they run several at a time, so their prices were set to give the recorded
//! times of the uninstrumented workloads of the bench. All are prices of one machine: what a
//! prediction uses of them is their ratio.

use std::ops::{Add, AddAssign};

use dex::Op;

/// Picoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Time {
    /// Compiled by ART's JIT.
    pub compiled: u128,
    /// On ART's interpreter.
    pub interpreted: u128,
}

impl Time {
    /// So many times this.
    pub fn times(self, n: u64) -> Time {
        let n = u128::from(n);
        Time {
            compiled: self.compiled.saturating_mul(n),
            interpreted: self.interpreted.saturating_mul(n),
        }
    }

    /// The share `part` / `whole` of it.
    pub fn share(self, part: u64, whole: u64) -> Time {
        let of = |t: u128| t.saturating_mul(part.into()) / u128::from(whole.max(1));
        Time { compiled: of(self.compiled), interpreted: of(self.interpreted) }
    }
}

impl Add for Time {
    type Output = Time;

    fn add(self, more: Time) -> Time {
        Time {
            compiled: self.compiled.saturating_add(more.compiled),
            interpreted: self.interpreted.saturating_add(more.interpreted),
        }
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, more: Time) {
        *self = *self + more;
    }
}

impl std::iter::Sum for Time {
    fn sum<I: Iterator<Item = Time>>(all: I) -> Time {
        all.fold(Time::default(), Add::add)
    }
}

const fn price(compiled: u128, interpreted: u128) -> Time {
    Time { compiled, interpreted }
}

/// What probes of codec `arith` are made of, each with all its instructions; and what else they
/// bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// A symbol whose slice is a constant of the probe.
    Symbol,
    /// A symbol that is looked up: of a region, a counted loop, a call slot.
    LookedUp,
    /// The probe before a large switch.
    Switch,
    /// Each bit that a symbol takes: words are put out, and the test for that is mispredicted.
    Bit,
    /// Adding to the path register.
    Add,
    /// A call token.
    Token,
    /// Entry and exit: the thread's state is found, the token compared, progress counted twice.
    Entry,
    /// The same of a leaf, in one probe.
    Leaf,
    /// A mark.
    Mark,
    /// What is around a call through a slot, without its symbol.
    Slot,
    /// A call that the callee announces: an escape and its place.
    Announced,
    /// A frame's number, kept for handlers and guards.
    Frame,
    /// A call that ART would have put in line without probes.
    NotInline,
}

impl Part {
    /// How many there are.
    const COUNT: usize = Part::NotInline as usize + 1;

    /// What each takes, in their order.
    const PRICES: [Time; Part::COUNT] = [
        price(1_100, 41_000),
        price(2_200, 55_000),
        price(3_500, 110_000),
        price(500, 700),
        price(260, 400),
        price(260, 3_000),
        price(1_400, 165_000),
        price(1_200, 90_000),
        price(300, 3_200),
        price(1_500, 60_000),
        price(25_000, 500_000),
        price(300, 10_000),
        price(2_250, 0),
    ];

    /// What it takes.
    pub const fn price(self) -> Time {
        Part::PRICES[self as usize]
    }
}

/// How often a method runs what its probes are made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Parts([u64; Part::COUNT]);

impl Parts {
    /// Adds some.
    pub fn add(&mut self, part: Part, n: u64) {
        let count = &mut self.0[part as usize];
        *count = count.saturating_add(n);
    }

    /// The share `part` / `whole` of them.
    pub fn share(self, part: u64, whole: u64) -> Parts {
        let of = |n: u64| (u128::from(n) * u128::from(part) / u128::from(whole.max(1))) as u64;
        Parts(self.0.map(of))
    }

    /// What they take.
    pub fn time(&self) -> Time {
        self.0.iter().zip(Part::PRICES).map(|(n, each)| each.times(*n)).sum()
    }
}

/// A call that ART does not put in line; an interpreter calls always.
pub(crate) const CALL: Time = price(1_500, 0);
/// A call on the interpreter, beside what the callee does.
pub(crate) const INVOKE: Time = price(0, 22_000);
/// Finding the target of a call with several: an inline cache, a table of interfaces.
pub(crate) const DISPATCH: Time = price(700, 10_000);
/// A branch that goes the less likely way: as often as not, the processor had taken the other one.
pub(crate) const UNLIKELY: Time = price(4_000, 1_500);

/// An instruction of the app, without what it calls.
pub(crate) fn own(op: Op) -> Time {
    use Op::*;
    let name = op.name();
    let is = |part: &str| name.starts_with(part);
    match op {
        Nop | Goto | Goto16 | Goto32 => price(0, 400),
        Throw => price(2_000_000, 4_000_000),
        MonitorEnter | MonitorExit => price(6_000, 20_000),
        NewInstance | NewArray | FilledNewArray | FilledNewArrayRange => price(4_000, 60_000),
        FillArrayData => price(4_000, 20_000),
        CheckCast | InstanceOf => price(200, 3_500),
        ArrayLength => price(30, 700),
        ConstString | ConstStringJumbo | ConstClass | ConstMethodHandle | ConstMethodType => {
            price(100, 3_000)
        }
        _ if op.is_return() => price(0, 900),
        _ if op.is_switch() => price(500, 1_500),
        _ if op.is_branch() => price(60, 650),
        _ if op.is_invoke() => price(0, 0),
        _ if is("move") || is("const") => price(10, 350),
        _ if is("aget") || is("aput") => price(80, 1_300),
        _ if is("iget") || is("iput") => price(65, 1_200),
        _ if is("sget") || is("sput") => price(70, 1_400),
        // By a constant: a multiplication and shifts.
        _ if is("div-int/lit") || is("rem-int/lit") => price(300, 2_000),
        _ if is("div-int") || is("rem-int") => price(2_000, 2_500),
        _ if is("div-long") || is("rem-long") => price(5_000, 6_000),
        _ if is("div-") => price(1_500, 2_500),
        _ if is("rem-") => price(10_000, 12_000),
        _ if name.contains("float") || name.contains("double") => price(130, 900),
        _ if is("mul-") => price(150, 700),
        _ => price(55, 450),
    }
}

/// A call of code outside the app, by class and signature: what the callee does is not known, so
/// all but a few are taken to do the same.
pub(crate) fn outside(class: &str, sig: &str) -> Time {
    let name = sig.split('(').next().unwrap_or(sig);
    match (class, name) {
        ("Ljava/lang/Object;", "<init>") => price(0, 22_000),
        ("Ljava/lang/Math;", "abs" | "min" | "max" | "sqrt" | "floor" | "ceil") => {
            price(300, 30_000)
        }
        ("Ljava/lang/Math;" | "Ljava/lang/StrictMath;", _) => price(12_000, 60_000),
        ("Ljava/lang/String;", "charAt" | "length" | "isEmpty") => price(300, 40_000),
        ("Ljava/lang/System;", "arraycopy") => price(8_000, 60_000),
        ("Ljava/lang/Integer;" | "Ljava/lang/Long;" | "Ljava/lang/Character;", _) => {
            price(800, 50_000)
        }
        _ => price(2_500, 110_000),
    }
}
