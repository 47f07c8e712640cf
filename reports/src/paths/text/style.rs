//! Colours.

/// Kind of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Style {
    /// A method.
    Name,
    /// Times, files, source text.
    Aside,
    /// Rounds of a loop, origin of a call.
    Mark,
    /// An exception, damage.
    Error,
    /// Remark on hidden or uncertain rows.
    Note,
}

/// Appends text in the colours of a terminal, or as it is.
pub(crate) fn paint(to: &mut String, colour: bool, style: Style, text: &str) {
    if !colour || text.is_empty() {
        to.push_str(text);
        return;
    }
    // Select Graphic Rendition, ECMA-48 §8.3.117: bold, faint, and the first eight colours.
    let code = match style {
        Style::Name => "1",
        Style::Aside => "2",
        Style::Mark => "36",
        Style::Error => "31",
        Style::Note => "33",
    };
    to.push_str("\u{1b}[");
    to.push_str(code);
    to.push('m');
    to.push_str(text);
    to.push_str("\u{1b}[0m");
}
