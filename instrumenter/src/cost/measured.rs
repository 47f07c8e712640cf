//! Measurements of a round, method by method: sizes before and after, and the expected cost in the
//! log.

use dex::BodySize;

use crate::analysis::program::MethodNo;
use crate::art::INLINE_UNITS;
use crate::cost::prices::ProbeComponent;
use crate::cost::run_time::MethodTime;
use crate::cost::smaller_form::Offer;

/// Expected cost of one method in the log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MethodCost {
    /// Number of decisions in the model; without a model every branch counts equally often.
    pub decisions: u128,
    /// Price of the decisions in 1/65,536ths of a bit.
    pub bits: u128,
    /// Price of the same decisions without a model: all alternatives equally likely.
    pub even_bits: u128,
    /// Targets in the app and counts of its calls: without the method's probes each call would be
    /// announced. Empty without a model.
    pub calls: Vec<(Vec<MethodNo>, u64)>,
    /// Those of them whose slot is new in this build.
    pub newly_slotted: Vec<NewlySlotted>,
}

/// Calls through a slot that is new in a build: the model has counted as announced those that led
/// into the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewlySlotted {
    /// The slot's callees.
    pub targets: Vec<MethodNo>,
    /// Number of the calls.
    pub calls: u64,
    /// True if every object has the method (`toString`). The platform makes such calls as often,
    /// and those are announced as before.
    pub is_of_object: bool,
}

/// A method that was instrumented in some round.
#[derive(Debug, Clone)]
pub(crate) struct MeasuredMethod {
    /// Key `Lpkg/Cls;->name(I)V` of a method that passes ART's compile limit or has expensive
    /// probes.
    pub key: Option<Box<str>>,
    /// Changes that would make such a method smaller.
    pub offer: Option<Box<Offer>>,
    pub before: BodySize,
    pub after: BodySize,
    /// Number of branches; `calls` is the number of calls in the app.
    pub branches: u32,
    pub calls: u32,
    /// True for a class initialiser.
    pub initialiser: bool,
    /// Expected cost in the log; `None` if it has none.
    pub cost: Option<Box<MethodCost>>,
    /// Number of its announced calls in the model, less those that go through a new slot.
    pub announced: u64,
    /// Number of its runs as a top-level callback in the model.
    pub callbacks: u64,
    /// Time in the model's sessions; `None` if it never ran or has no counts.
    pub time: Option<Box<MethodTime>>,
}

static NO_COST: MethodCost = MethodCost {
    decisions: 0,
    bits: 0,
    even_bits: 0,
    calls: Vec::new(),
    newly_slotted: Vec::new(),
};

impl MeasuredMethod {
    /// Returns the expected cost in the log.
    pub fn cost(&self) -> &MethodCost {
        self.cost.as_deref().unwrap_or(&NO_COST)
    }

    /// Returns true if the model has counts of its branches.
    pub fn has_counts(&self) -> bool {
        self.cost().decisions > 0
    }

    /// Sets the written size. A call that ART would have inlined without probes may now be a real
    /// call.
    pub fn written(&mut self, after: BodySize) {
        self.after = after;
        if let Some(time) = &mut self.time
            && self.before.units <= INLINE_UNITS
            && (after.units > INLINE_UNITS || time.walled)
        {
            time.probes.add(ProbeComponent::NotInline, time.entries);
        }
    }

    /// Returns the number of bytes that leaving the method would save.
    pub fn saved(&self) -> u64 {
        u64::from(self.after.bytes).saturating_sub(self.before.bytes.into())
    }
}

/// Measurements of a round.
#[derive(Debug, Default)]
pub(crate) struct Round {
    pub entries: Vec<(MethodNo, MeasuredMethod)>,
    /// Code units of all methods with code, before instrumentation.
    pub units_before: u64,
    pub dex_before: u64,
    pub dex_after: u64,
    /// Size of the runtime's own file in bytes, included in `dex_after`.
    pub runtime: u64,
    /// Price of calls through slots, in 1/65,536ths of a bit.
    pub slot_bits: u128,
    /// Price of an announced call, in 1/65,536ths of a bit.
    pub announcement: u128,
    /// Price of the calls through slots without a model.
    pub even_slot_bits: u128,
    /// Price of a top-level callback (its number, times, check and end), the mean over the model's
    /// sessions.
    pub callback: u128,
    /// The same without a model.
    pub even_callback: u128,
    pub has_model: bool,
}
