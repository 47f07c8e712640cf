//! Files: the map, the trace, the start table, the counts, the hits, the notes of exits, the model,
//! selected paths, the mapping of R8, and source maps of classes; ids that outlive builds; the
//! encodings of text.

pub mod counts;
pub mod exit_note;
mod fields;
pub mod heads;
pub mod hits;
pub mod identities;
pub mod map;
mod map_read;
pub mod mapping;
mod old_map;
pub mod packed_map;
pub mod paths_file;
pub mod profile;
pub mod source_map;
pub mod start_table;
pub mod text;
pub mod trace;
