//! Edge identities, probability tables, reference coder, formats.

pub mod adaptive;
mod block;
pub mod code;
pub mod codec;
pub mod coder;
pub mod huffman;
pub mod map;
pub mod mapping;
mod old_map;
pub mod packed;
pub mod pap;
mod position;
pub mod profile;
pub mod protocol;
pub mod region;
pub mod symbols;
pub mod table;
pub mod trace;
