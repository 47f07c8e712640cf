//! Files for other tools: viewers of traces and flame graphs, coverage tools, compilers, time
//! trees; and the list of slow callbacks.

pub mod coverage;
mod folded;
mod limit;
mod perfetto;
pub mod profiles;
mod proto;
mod session_index;
mod slow;
mod speedscope;
#[cfg(test)]
pub(crate) mod tests;
mod time_tree;

pub use folded::Folded;
pub use limit::CALLS_LIMIT;
pub use perfetto::{HEAD as PERFETTO_HEAD, Perfetto};
pub use session_index::{IndexError, SessionIndex};
pub use slow::Slow;
pub use speedscope::{HEAD as SPEEDSCOPE_HEAD, Speedscope};
pub use time_tree::Weights;
