//! Codecs: which constants probes carry, and how the decoder reads symbols.

pub mod adaptive;
pub mod codec;
pub mod pap;
pub mod symbols;
