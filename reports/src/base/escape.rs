//! Escaping of names, which come from apps, devices and servers, against terminal control.

use std::borrow::Cow;
use std::fmt::Write;

/// Returns the text without characters that control a terminal or change the order or the lines of
/// the text: control characters (C0, DEL, C1), line and paragraph separators, and Unicode's marks
/// for the direction of writing. They are escaped as in JSON (`\n`, `\u001b`), so that JSON text
/// stays valid.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| (b' '..=b'~').contains(&b)) || !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Returns a JSON string without characters that control a terminal.
pub(crate) fn quoted(text: &str) -> String {
    visible(&serde_json::Value::from(text).to_string()).into_owned()
}

/// Returns true for characters to escape. Source of the marks: Unicode Standard Annex #9, table
/// "Explicit directional formatting characters".
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn ordinary_text_stays() {
        for text in ["", "com.example.Main.run()V", "≥ ⇠ ✗ größer 東京 🙂"] {
            assert!(matches!(visible(text), std::borrow::Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn what_a_terminal_obeys_is_written_out() {
        let text = "a\n\u{1b}[2J\r\t\u{7f}\u{9b}0m\u{202e}\u{2066}\u{2028}\u{200f}z";
        let shown = r"a\n\u001b[2J\r\t\u007f\u009b0m\u202e\u2066\u2028\u200fz";
        assert_eq!(visible(text), shown);
    }

    #[test]
    fn json_means_the_same_afterwards() {
        let name = "a\n\u{9b}\u{202e}\u{7f}";
        let json = serde_json::Value::from(name).to_string();
        assert!(json.contains('\u{9b}'), "serde_json leaves it");
        let shown = visible(&json);
        assert!(!shown.contains('\u{9b}'));
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), name);
    }
}
