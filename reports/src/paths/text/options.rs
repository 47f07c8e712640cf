//! Options of the text.

use crate::base::method_names::MethodNotation;
use crate::base::sources::Sources;

/// Options of the text.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextOptions<'p> {
    /// True to write all rows of a callback, false for its first and last rows.
    pub full: bool,
    /// The option that shows all rows, for the message on rows that are not shown; empty for none.
    pub full_option: &'static str,
    /// True to write repetitions one by one.
    pub unfolded: bool,
    /// Notation of method names.
    pub names: MethodNotation,
    /// True to colour it for a terminal.
    pub colour: bool,
    /// Source files, to show the text of lines.
    pub sources: Option<&'p Sources>,
}
