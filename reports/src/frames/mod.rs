//! Paths as frames: the calls of a thread as they begin, run blocks and end.
//!
//! One decoding pass makes frames of path events ([`Traces`]) and passes them to every
//! [`FrameSink`]: the files of `export`, and the page. The unit is the *block* that ran. Times are
//! measured for top-level callbacks, and where the device began a slab of its log; all times in
//! between are interpolated.

pub(crate) mod call_tree;
mod maker;
mod names;
mod sink;

pub use maker::{Totals, Traces};
pub use names::{Frame, FrameNames};
pub use sink::{Closed, FrameFile, FrameSink, Opened, WallTime};
