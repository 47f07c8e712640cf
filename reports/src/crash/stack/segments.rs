//! Lines that contain several lines of a stack trace: collectors join them with tabs, spaces or the
//! characters `\n`.

use std::ops::Range;

use super::elements::throwable;
use super::frame;

/// LineSegment of a line: a heading, a frame with the text after it, or a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineSegment<'t> {
    pub text: &'t str,
    /// True for a frame as `printStackTrace` writes it, after a tab or spaces. A frame at the
    /// beginning of a line, or after a message, may belong to the message.
    pub is_indented: bool,
}

/// Passes on the segments of a line, in order. Most lines have one.
pub(super) fn split<'t, E>(
    line: &'t str,
    mut each: impl FnMut(LineSegment<'t>) -> Result<(), E>,
) -> Result<(), E> {
    let whole = LineSegment { text: line, is_indented: line.starts_with(char::is_whitespace) };
    let frames = frames(line);
    let Some(first) = frames.first() else { return each(whole) };
    let head = &line[..first.start];
    let is_frame = head.trim().is_empty() || head.trim() == "<OR>";
    // Prose may also name a position in the code.
    let is_heading =
        || head.ends_with(['\t', '\n']) || frames.len() > 1 || throwable(head.trim()).is_some();
    if !is_frame && !is_heading() {
        return each(whole);
    }
    let mut is_indented = is_frame && whole.is_indented;
    let mut from = if is_frame { 0 } else { first.start };
    if !is_frame {
        each(LineSegment { text: head, is_indented: false })?;
    }
    for (at, frame) in frames.iter().enumerate() {
        is_indented |= line[..frame.start].ends_with('\t');
        let next = frames.get(at + 1).map_or(line.len(), |f| f.start);
        let end = frame.end + nested(&line[frame.end..next]);
        each(LineSegment { text: &line[from..end], is_indented })?;
        if end < next {
            each(LineSegment { text: &line[end..next], is_indented: false })?;
        }
        from = next;
    }
    Ok(())
}

/// Returns the offset at which a cause, a suppressed exception or a number of common frames begins
/// after a frame; the text's length if there is none.
fn nested(text: &str) -> usize {
    let begins = ["Caused by: ", "Suppressed: ", "... "];
    begins.iter().filter_map(|b| text.find(b)).min().unwrap_or(text.len())
}

/// Returns the frames with a position in brackets: from the word `at` to the closing bracket.
fn frames(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = line[from..].find("at ") {
        let start = from + at;
        from = start + "at ".len();
        if !line[..start].ends_with(|c: char| !c.is_whitespace() && c != '>')
            && let Some(length) = frame::length(&line[start..])
        {
            found.push(start..start + length);
            from = start + length;
        }
    }
    found
}

/// Returns the lines of a text whose line ends are written as the characters `\n`, as in JSON that
/// is embedded in another text.
pub(super) fn unescaped(line: &str) -> Option<String> {
    let is_end = |at: usize| {
        let rest = line[at + "\\n".len()..].trim_start();
        let rest = rest.strip_prefix("\\t").unwrap_or(rest).trim_start();
        rest.starts_with("at ") || rest.starts_with("Caused by: ")
    };
    line.match_indices("\\n").any(|(at, _)| is_end(at)).then_some(())?;
    let text = line.replace("\\r\\n", "\n").replace("\\n", "\n").replace("\\t", "\t");
    let (head, rest) = text.split_once('\n')?;
    // Its name and a quotation mark precede the text.
    let quoted = head.rsplit('"').next().unwrap_or(head);
    let is_begin = quoted.contains("FATAL EXCEPTION") || throwable(quoted).is_some();
    Some(format!("{}\n{rest}", if is_begin { quoted } else { head }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(line: &str) -> Vec<(&str, bool)> {
        let mut all = Vec::new();
        split(line, |piece| {
            all.push((piece.text.trim(), piece.is_indented));
            Ok::<(), ()>(())
        })
        .unwrap();
        all
    }

    #[test]
    fn frames_of_one_line_are_taken_apart() {
        let line =
            "\tat a.B.c(B.java:1) [x.jar:1.0] \tat d.E.f (E.java) Caused by: g.H: i at j.K.l(K:2)";
        let want = [
            ("at a.B.c(B.java:1) [x.jar:1.0]", true),
            ("at d.E.f (E.java)", true),
            ("Caused by: g.H: i", false),
            ("at j.K.l(K:2)", true),
        ];
        assert_eq!(segments(line), want);
    }

    #[test]
    fn a_heading_may_stand_before_its_frames() {
        let line = "java.lang.Error: no: net at a.B.c(B.java:1) at d.E.f(Native Method) ... 3 more";
        let want = [
            ("java.lang.Error: no: net", false),
            ("at a.B.c(B.java:1)", false),
            ("at d.E.f(Native Method)", false),
            ("... 3 more", false),
        ];
        assert_eq!(segments(line), want);
    }

    #[test]
    fn prose_that_names_a_place_is_one_piece() {
        for line in ["slow call at a.B.c(B.java:1) today", "look at this (again)", "at rest"] {
            assert_eq!(segments(line), [(line, false)]);
        }
    }

    #[test]
    fn letters_for_line_ends_end_lines() {
        let line = r#"{"m": "a.B: \"c\"\n\tat d.E.f(E.java:1)\r\n\tat g.H.i(H.java:2)", "n": 1}"#;
        assert!(unescaped(line).unwrap().ends_with("\n\tat g.H.i(H.java:2)\", \"n\": 1}"));
        let simple = r#""m": "a.B: c\n\tat d.E.f(E.java:1)""#;
        assert_eq!(unescaped(simple).unwrap(), "a.B: c\n\tat d.E.f(E.java:1)\"");
        assert_eq!(unescaped(r"C:\new at rest"), None);
    }
}
