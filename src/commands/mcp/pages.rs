//! Pages of answers: as many whole lines as fit, then the cursor of the next page.

use super::programs::Printed;

/// Bytes of messages on a page at most.
const MOST_MESSAGES: usize = 1000;
/// Bytes reserved for the line with the cursor.
const FOR_CURSOR: usize = 120;
/// End of a text that was cut.
const CUT: &str = "…";

/// A page that is being filled.
#[derive(Debug)]
pub struct Page {
    text: String,
    room: usize,
}

impl Page {
    /// Begins a page of at most `most` bytes that ends with these messages.
    pub fn new(messages: &str, most: usize) -> (Page, String) {
        let messages = cut(messages.trim_end(), MOST_MESSAGES.min(most / 2));
        let room = most.saturating_sub(messages.len() + 1 + FOR_CURSOR);
        (Page { text: String::new(), room }, messages)
    }

    /// Adds a block of whole lines if it fits. The first block of a page always fits: it is cut.
    pub fn add(&mut self, block: &str) -> bool {
        let left = self.room.saturating_sub(self.text.len());
        if block.len() <= left {
            self.text.push_str(block);
        } else if self.text.is_empty() {
            self.text = cut(block.trim_end_matches('\n'), left.saturating_sub(1));
            self.text.push('\n');
        } else {
            return false;
        }
        true
    }

    /// Ends the page. `left`: units (such as "lines") after this page; `next`: position of the
    /// first one.
    pub fn finish(mut self, messages: &str, left: usize, next: usize, unit: &str) -> String {
        if !messages.is_empty() {
            self.text.push_str(messages);
            self.text.push('\n');
        }
        if left > 0 {
            let units = if left == 1 { unit.trim_end_matches('s') } else { unit };
            self.text
                .push_str(&format!("({left} more {units}: ask again with \"cursor\": {next})\n"));
        }
        self.text
    }
}

/// Returns the page of an answer that begins with line `first`. `most`: bytes of the page.
pub fn page_of(printed: &Printed, first: usize, most: usize) -> String {
    let (mut page, messages) = Page::new(&printed.messages, most);
    let lines: Vec<&str> = printed.text.split_inclusive('\n').collect();
    let begin = first.min(lines.len());
    let mut next = begin;
    for line in &lines[begin..] {
        let ended = line.ends_with('\n');
        let added = if ended { page.add(line) } else { page.add(&format!("{line}\n")) };
        if !added {
            break;
        }
        next += 1;
    }
    if begin > 0 && begin == lines.len() {
        page.add(&format!("(no line after cursor {first}: the answer has {})\n", lines.len()));
    }
    page.finish(&messages, lines.len() - next, next, "lines")
}

/// Returns the beginning of a text, at most `most` bytes with the mark of the cut.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let mut kept = most.saturating_sub(CUT.len());
    while !text.is_char_boundary(kept) {
        kept -= 1;
    }
    format!("{}{CUT}", &text[..kept])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str, messages: &str) -> Printed {
        Printed { text: text.into(), messages: messages.into(), is_answer: true }
    }

    #[test]
    fn pages_follow_each_other_without_a_gap() {
        let text: String = (0..500).map(|n| format!("line {n}\n")).collect();
        let (all, mut cursor, mut read) = (printed(&text, ""), Some(0), String::new());
        while let Some(first) = cursor {
            let page = page_of(&all, first, 1000);
            assert!(page.len() <= 1000);
            let (lines, rest) = page.split_once('(').unwrap_or((&page, ""));
            read.push_str(lines);
            cursor = rest.split(": ").nth(2).and_then(|n| n.trim_end_matches(")\n").parse().ok());
        }
        assert_eq!(read, text);
    }

    #[test]
    fn a_line_longer_than_a_page_does_not_stop_the_reader() {
        let text = format!("{}\nlast\n", "é".repeat(3000));
        let page = page_of(&printed(&text, ""), 0, 1000);
        assert!(page.len() <= 1000 && page.contains("…\n(1 more line: "), "{page}");
        assert_eq!(page_of(&printed(&text, ""), 1, 1000), "last\n");
    }

    #[test]
    fn messages_are_on_each_page_and_long_ones_are_cut() {
        let page = page_of(&printed("a\nb\n", "pathlight: damage\n"), 1, 1000);
        assert_eq!(page, "b\npathlight: damage\n");
        let text = "line\n".repeat(1000);
        let page = page_of(&printed(&text, &"é".repeat(40_000)), 0, 1000);
        assert!(page.len() <= 1000 && page.starts_with("line\n"), "{page}");
    }

    #[test]
    fn a_cursor_after_the_end_is_reported() {
        let page = page_of(&printed("a\n", ""), 7, 1000);
        assert_eq!(page, "(no line after cursor 7: the answer has 1)\n");
    }

    #[test]
    fn a_text_without_lines_is_an_empty_page() {
        assert_eq!(page_of(&printed("", ""), 0, 1000), "");
    }
}
