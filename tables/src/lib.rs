//! Many sessions as Parquet files and partial models, for engines that teams already run
//! (`docs/TABLES.md`).
//!
//! ```text
//! arguments ──input──▶ inputs ──session──▶ facts per session ──shard──▶ Parquet, partial model
//! maps ──dims──▶ Parquet of branches and methods        partial models ──merge──▶ model
//! ```
//!
//! Each log is decoded once: one sink counts for all tables and for the model. The output depends
//! on the inputs and options only.

mod build;
mod calls;
pub mod catalogue;
mod counts;
pub mod dims;
mod error;
mod file;
pub mod input;
pub mod merge;
mod ordered;
mod recorder;
mod rows;
pub mod schema;
mod session;
pub mod shard;

pub use error::Error;
pub use rows::{Salt, SessionId};
