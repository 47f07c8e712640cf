//! Edge identities, probability tables, reference coder, formats.

mod codecs;
mod coding;
pub mod descriptors;
mod formats;
mod graph;
pub mod nouns;
pub mod path_profiles;
pub mod protocol;

pub use codecs::{adaptive, pap, recording, symbols};
pub use coding::{code, coder, huffman, packed, price, table};
pub use formats::{
    counts, exit_note, heads, hits, identities, map, mapping, packed_map, paths_file, profile,
    source_map, start_table, text, trace,
};
pub use graph::{cells, implied, inlined, region, throwing};
