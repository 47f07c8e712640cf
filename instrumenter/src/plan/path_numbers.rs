//! Registers and path numbers of a method for codec `pap`.

use model::map::BlockId;
use model::pap::Joins;

use crate::analysis::cfg::Cfg;

/// Number of scratch registers: state, temporary, frame number, block, path number (two), a second
/// wide (two).
pub const REGISTERS: u16 = 8;

/// Offset of the frame number's register from the state's.
pub const FRAME: u16 = 2;

/// Returns the joins of a method.
pub(crate) fn joins(cfg: &Cfg, handlers: &[BlockId]) -> Joins {
    let successors = cfg.blocks.iter().map(|b| b.end.successors().iter().map(|s| s.0).collect());
    let handlers: Vec<u32> = handlers.iter().map(|h| h.0).collect();
    Joins::new(successors, handlers.iter())
}
