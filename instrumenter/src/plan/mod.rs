//! What every method's probes are to say: which methods take part, under which ids, how decisions are fused, and the
//! numbers that stand for them.

pub(crate) mod chords;
pub(crate) mod flow;
pub mod regions;
pub mod selection;
pub mod switch_lookup;
pub(crate) mod tables;
