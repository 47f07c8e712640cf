//! The code level: decoding, lowering, renumbering, debug info. One hazard, one test.

mod build;
mod debug;
mod decoding;
mod lowering;
mod properties;
mod registers;
mod reindexing;
mod tables;
mod text;
