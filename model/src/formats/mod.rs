//! Files: the map, the trace, the model, and the mapping of R8.

pub mod map;
pub mod mapping;
pub mod profile;
pub mod trace;
