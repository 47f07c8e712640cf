//! Codecs: which constants probes carry, and how the decoder reads symbols.

pub mod adaptive;
pub mod pap;
pub mod recording;
pub mod symbols;
