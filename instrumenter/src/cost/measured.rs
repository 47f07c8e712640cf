//! What a round measured, method by method: sizes before and after, and the expected cost in the
//! log.

use dex::BodySize;

use crate::analysis::program::MethodNo;
use crate::art::INLINE_UNITS;
use crate::cost::plainer::Offer;
use crate::cost::prices::Part;
use crate::cost::run_time::MethodTime;

/// What one method will cost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MethodCost {
    /// Decisions that the model saw; without a model every branch counts equally often.
    pub decisions: u128,
    /// Their price in 1/65,536ths of a bit.
    pub bits: u128,
    /// Calls by what they may reach in the app, with their counts: without its probes each would be
    /// announced. Only with a model.
    pub calls: Vec<(Vec<MethodNo>, u64)>,
}

/// A method that was instrumented in some round.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// `Lpkg/Cls;->name(I)V`, of those that pass what ART compiles or whose probes are dear.
    pub key: Option<Box<str>>,
    /// What would make it smaller, of the same.
    pub offer: Option<Box<Offer>>,
    pub before: BodySize,
    pub after: BodySize,
    /// Branches and calls in the app.
    pub branches: u32,
    pub calls: u32,
    /// Whether it is a class initialiser.
    pub initialiser: bool,
    /// `None`: nothing.
    pub cost: Option<Box<MethodCost>>,
    /// What it takes of the app's time; `None`: it never ran, or nothing is known.
    pub time: Option<Box<MethodTime>>,
}

static NO_COST: MethodCost = MethodCost { decisions: 0, bits: 0, calls: Vec::new() };

impl Entry {
    /// What it will cost.
    pub fn cost(&self) -> &MethodCost {
        self.cost.as_deref().unwrap_or(&NO_COST)
    }

    /// Whether the model has counts of its branches.
    pub fn has_counts(&self) -> bool {
        self.cost().decisions > 0
    }

    /// Takes the size that came out: what ART would put in line without probes is called then.
    pub fn written(&mut self, after: BodySize) {
        self.after = after;
        if let Some(time) = &mut self.time
            && self.before.units <= INLINE_UNITS
            && (after.units > INLINE_UNITS || time.walled)
        {
            time.probes.add(Part::NotInline, time.entries);
        }
    }

    /// Bytes that it would save to leave it.
    pub fn saved(&self) -> u64 {
        u64::from(self.after.bytes).saturating_sub(self.before.bytes.into())
    }
}

/// What a round measured.
#[derive(Debug, Default)]
pub(crate) struct Round {
    pub entries: Vec<(MethodNo, Entry)>,
    /// Code units of all methods with code, before.
    pub units_before: u64,
    pub dex_before: u64,
    pub dex_after: u64,
    /// Of it the runtime's own file.
    pub runtime: u64,
    /// Calls through slots, in 1/65,536ths of a bit.
    pub slot_bits: u128,
    /// Price of an announced call.
    pub announcement: u128,
    /// Announced calls that the model saw.
    pub announced_calls: u64,
    pub has_model: bool,
}
