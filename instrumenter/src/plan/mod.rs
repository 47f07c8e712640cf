//! Plan of all probes: the methods that take part, their ids, the fusion of decisions, and the
//! constants of their probes.

mod bounded;
pub(crate) mod by_block;
pub mod by_subject;
pub(crate) mod called_back;
pub(crate) mod chords;
pub(crate) mod clones;
pub(crate) mod comparisons;
pub(crate) mod copies;
pub(crate) mod distributions;
pub(crate) mod encoded;
pub(crate) mod flow;
pub(crate) mod history;
pub mod ids;
pub(crate) mod implied;
pub(crate) mod initialisers;
pub(crate) mod inline_coders;
pub mod inlining;
pub(crate) mod origins;
pub(crate) mod path_numbers;
pub mod regions;
pub(crate) mod restarts;
pub mod selected;
pub mod selection;
pub(crate) mod slots;
pub mod subject;
pub mod switch_lookup;
pub(crate) mod tables;
