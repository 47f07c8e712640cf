//! Decoded paths as reports.
//!
//! | module | report |
//! |---|---|
//! | `paths` | events as text, JSON lines and ids |
//! | `html` | one page |
//! | `export` | files for viewers, coverage tools and compilers |
//! | `crash` | the path to a stack trace |
//! | `compare` | differences of sessions |
//! | `select` | paths to count |
//! | `analyse` | path counts that follow from edge counts |
//!
//! `frames` makes frames of path events, `base` has what several reports share. Modules use items
//! from the module that defines them; this file only names what other crates use.

pub mod analyse;
mod base;
pub mod compare;
pub mod crash;
mod export;
mod frames;
pub mod html;
mod paths;
pub mod select;
#[cfg(test)]
mod tests;

pub use base::counts::Counts;
pub use base::escape::visible;
pub use base::exit::exit_words;
pub use base::filter::{Filter, Filtered, Interval, Paths};
pub use base::method_names::MethodNotation;
pub use base::price::{Chance, chance, has_model, price};
pub use base::sources::Sources;
pub use base::tee::Both;
pub use base::unmatched::{Unmatched, methods_named, unmatched_method};
pub use export::coverage::{Coverage, unmatched_class};
pub use export::{IndexError, SessionIndex, Slow, Weights, coverage, profiles};
pub use paths::{
    JsonPaths, Live, LiveError, LiveForm, PathIds, Printed, TextOptions, TextPaths,
    process_heading, process_line, write_json, write_path_ids, write_text,
};

/// Paths as frames, and files of frames for viewers of traces and flame graphs.
pub mod traces {
    pub use crate::export::{
        CALLS_LIMIT, Folded, PERFETTO_HEAD, Perfetto, SPEEDSCOPE_HEAD, Speedscope,
    };
    pub use crate::frames::{
        Closed, Frame, FrameFile, FrameNames, FrameSink, Opened, Totals, Traces, WallTime,
    };
}
