//! Names, source positions, filters, counts and folding, which all reports share.

pub(crate) mod counts;
pub(crate) mod duration;
pub(crate) mod escape;
pub(crate) mod exit;
pub(crate) mod filter;
pub(crate) mod fold;
pub(crate) mod method_names;
pub(crate) mod names;
pub(crate) mod own;
pub(crate) mod price;
pub(crate) mod progress;
pub(crate) mod remarks;
pub(crate) mod sources;
pub(crate) mod tee;
pub(crate) mod unmatched;
