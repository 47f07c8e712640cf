//! Arguments: types that several commands share, the configuration file, help and tips.

#[cfg(feature = "tables")]
pub mod builds;
pub mod choices;
pub mod config;
pub mod filters;
pub mod help;
pub mod jobs;
pub mod near;
pub mod numbers;
pub mod renamed;
pub mod report_files;
pub mod text;
pub mod times;
pub mod tips;
pub mod unmatched;
