//! Coders and tables: numbers as bytes, counts as frequencies.

pub mod code;
pub mod coder;
pub mod huffman;
pub mod packed;
pub mod price;
pub mod table;
