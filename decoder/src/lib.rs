//! From logs to exact execution paths, and from paths to the next model.
//!
//! ```text
//! trace files, logcat ──log──▶ slabs per thread ──session──▶ records
//! records ──replay──▶ path events ──▶ `reports`
//!                          └──train──▶ counts ──▶ model
//! count files ──tally──▶ counts ──▶ model
//! ```

mod ahead;
pub mod crew;
mod damage;
pub mod follow;
pub mod log;
mod once;
mod pap;
pub mod places;
mod prove;
mod reader;
pub mod replay;
pub mod session;
mod source;
pub mod tally;
pub mod train;
pub mod uncaught;

pub use damage::Damage;
