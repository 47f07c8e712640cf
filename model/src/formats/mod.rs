//! Files: the map, the trace, the counts, the model, and the mapping of R8.

pub mod counts;
pub mod map;
mod map_read;
pub mod mapping;
mod old_map;
pub mod packed_map;
pub mod profile;
pub mod trace;
