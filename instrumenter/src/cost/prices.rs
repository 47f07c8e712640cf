//! Prices of instructions and probes, in picoseconds.
//!
//! The prices of probes were measured on ART 10's JIT and its interpreter, on an x86-64 server, by
//! hand-written variants of small loops (`bench/results/models.md`, *Predicted run time*). So were
//! those of single instructions of the app; but compiled code runs several at a time, so their
//! prices were fitted to the recorded times of the uninstrumented workloads of the bench. All are
//! prices of one machine: predictions use only their ratios.

use std::ops::{Add, AddAssign};

use dex::Op;

/// Time in picoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Time {
    /// Time when compiled by ART's JIT.
    pub compiled: u128,
    /// Time on ART's interpreter.
    pub interpreted: u128,
}

impl Time {
    /// Returns `n` times this time.
    pub fn times(self, n: u64) -> Time {
        let n = u128::from(n);
        Time {
            compiled: self.compiled.saturating_mul(n),
            interpreted: self.interpreted.saturating_mul(n),
        }
    }

    /// Returns the share `part` / `whole` of this time.
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

/// Components of the probes of codec `arith`, each with all its instructions, and their side
/// effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProbeComponent {
    /// A symbol whose slice is a constant of the probe.
    Symbol,
    /// A symbol that is looked up: that of a region, a counted loop, a call slot.
    LookedUp,
    /// The probe before a large switch.
    Switch,
    /// Each bit of a symbol: words are written out, and the test for that is mispredicted.
    Bit,
    /// An addition to the path register.
    Add,
    /// A call token.
    Token,
    /// Entry and exit: the probe finds the thread's state, compares the token, and counts progress
    /// twice.
    Entry,
    /// Entry and exit of a leaf, in one probe.
    Leaf,
    /// A mark.
    Mark,
    /// Code around a call through a slot, without its symbol.
    Slot,
    /// A call that the callee announces: an escape and its program point.
    Announced,
    /// A frame's number, kept for handlers and guards.
    Frame,
    /// A call that ART would have inlined without probes.
    NotInline,
}

impl ProbeComponent {
    /// Number of components.
    const COUNT: usize = ProbeComponent::NotInline as usize + 1;

    /// Prices, in the order of the variants.
    const PRICES: [Time; ProbeComponent::COUNT] = [
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

    /// Returns the price of one component.
    pub const fn price(self) -> Time {
        ProbeComponent::PRICES[self as usize]
    }
}

/// Number of times that a method runs each component of its probes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ComponentCounts([u64; ProbeComponent::COUNT]);

impl ComponentCounts {
    /// Adds `n` runs of a component.
    pub fn add(&mut self, part: ProbeComponent, n: u64) {
        let count = &mut self.0[part as usize];
        *count = count.saturating_add(n);
    }

    /// Returns the share `part` / `whole` of the counts.
    pub fn share(self, part: u64, whole: u64) -> ComponentCounts {
        let of = |n: u64| (u128::from(n) * u128::from(part) / u128::from(whole.max(1))) as u64;
        ComponentCounts(self.0.map(of))
    }

    /// Returns the time of all components.
    pub fn time(&self) -> Time {
        self.0.iter().zip(ProbeComponent::PRICES).map(|(n, each)| each.times(*n)).sum()
    }
}

/// Price of a compiled call that ART does not inline; the interpreter never inlines.
pub(crate) const CALL: Time = price(1_500, 0);
/// Price of a call on the interpreter, beside the callee's work.
pub(crate) const INVOKE: Time = price(0, 22_000);
/// Price of finding the target of a call with several: an inline cache, an interface table.
pub(crate) const DISPATCH: Time = price(700, 10_000);
/// Price of a branch's less likely alternative: as often as not, the processor predicted the other
/// one.
pub(crate) const UNLIKELY: Time = price(4_000, 1_500);

/// Returns the price of an instruction of the app, without its callees.
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
        // Division by a constant: a multiplication and shifts.
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

/// Returns the price of a call to code outside the app, by class and signature. The callee's work
/// is unknown, so all but a few have the same price.
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
