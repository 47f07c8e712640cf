//! Options of the text.

use crate::base::method_names::Names;
use crate::base::sources::Sources;

/// What the text looks like.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextOptions<'p> {
    /// Whether all rows of a callback are written, or its beginning and its end.
    pub full: bool,
    /// Whether repetitions are written one by one.
    pub unfolded: bool,
    /// How methods are named.
    pub names: Names,
    /// Whether it is coloured, for a terminal.
    pub colour: bool,
    /// Source files, to show the text of lines.
    pub sources: Option<&'p Sources>,
}
