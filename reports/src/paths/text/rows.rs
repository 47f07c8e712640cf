//! The rows of the text output: repetitions become `(39 40 41) × 256`, and a long callback shows
//! only its first and last rows.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;

use decoder::log::wall_clock;
use model::map::Map;

use super::item::{CallOrigin, EndedCall, Heading, Item};
use super::options::TextOptions;
use super::style::{Style, paint};
use crate::base::duration::duration;
use crate::base::escape::visible;
use crate::base::fold::FoldedPart;
use crate::base::method_names::{self, MethodNotation, MethodRef, source_method};
use crate::base::names;
use crate::base::sources::Source;

/// Width at which a list of lines is broken, in bytes.
const WIDTH: usize = 100;
/// Depth beyond which frames are not indented further.
const MAX_INDENT: usize = 40;
/// Number of first rows shown of a long callback; `TAIL` is the number of last rows.
const HEAD: usize = 60;
const TAIL: usize = 40;
/// Number of calls around the first of the last rows that are named again, innermost ones first.
const AROUND: usize = 12;
/// Maximum number of such calls kept.
const REMEMBERED: usize = 1 << 12;
/// Width at which source text is cut, in characters.
const SOURCE_WIDTH: usize = 100;

/// A method and its file, as text.
type Name = Rc<(String, String)>;

/// A pending row.
#[derive(Debug)]
struct TextRow {
    depth: usize,
    text: String,
    /// True if it is the heading of a call.
    call: bool,
}

/// Writes rows.
#[derive(Debug)]
pub(crate) struct Rows<'p, 'm, W> {
    map: &'m Map,
    options: TextOptions<'p>,
    out: W,
    error: Option<io::Error>,
    /// Text before the first row.
    preface: Option<String>,
    /// Start of the process, in ms since 1970.
    start: u64,
    /// MethodNotation of methods, without and with package, and their files.
    names: Vec<[Option<Name>; 2]>,
    files: Vec<Option<Option<Arc<Source>>>>,
    /// Lines of the innermost call that do not form a row yet.
    line: String,
    line_width: usize,
    line_depth: usize,
    /// Number of rows written of this callback.
    written: usize,
    last: VecDeque<TextRow>,
    /// Number of hidden rows between; `left_calls` is the number of calls among them.
    left: u64,
    left_calls: u64,
    /// Hidden calls around the first of the last rows.
    around: VecDeque<TextRow>,
}

impl<'p, 'm, W: Write> Rows<'p, 'm, W> {
    /// Returns true if repetitions are folded.
    pub fn folds(&self) -> bool {
        !self.options.unfolded
    }

    pub fn new(map: &'m Map, out: W, options: TextOptions<'p>, start: u64) -> Self {
        let known = map.methods.len() + map.places.sources.len();
        Rows {
            map,
            out,
            error: None,
            preface: None,
            start,
            names: vec![[None, None]; known],
            files: vec![None; if options.sources.is_some() { known } else { 0 }],
            options,
            line: String::new(),
            line_width: 0,
            line_depth: 0,
            written: 0,
            last: VecDeque::new(),
            left: 0,
            left_calls: 0,
            around: VecDeque::new(),
        }
    }

    /// Sets the text before the first row.
    pub fn preface(&mut self, text: String) {
        self.preface = Some(text);
    }

    /// Writes pending rows.
    pub fn finish(&mut self) -> io::Result<()> {
        self.end_callback();
        match self.error.take() {
            Some(e) => Err(e),
            None => self.out.flush(),
        }
    }

    /// Writes the preface unless it is already written.
    pub fn write_preface(&mut self) {
        if let Some(text) = self.preface.take() {
            self.write(0, &visible(&text));
        }
    }

    /// Ends a callback: the next rows belong to another one, or to none.
    pub fn end_callback(&mut self) {
        self.end_line();
        if self.left > 0 {
            let (left, calls) = (grouped(self.left), grouped(self.left_calls));
            let mut text = String::new();
            let more = match self.options.full_option {
                "" => String::new(),
                option => format!("; {option} shows them"),
            };
            let shown = format!("… {left} rows are not shown, {calls} of them calls{more} …");
            paint(&mut text, self.options.colour, Style::Note, &shown);
            self.write(1, &text);
        }
        let around = std::mem::take(&mut self.around);
        let outer = around.len().saturating_sub(AROUND);
        for row in around.into_iter().skip(outer).chain(std::mem::take(&mut self.last)) {
            self.write(row.depth, &row.text);
        }
        (self.written, self.left, self.left_calls) = (0, 0, 0);
    }

    /// Writes the heading of a call.
    pub fn heading(&mut self, depth: usize, heading: Heading) {
        self.heading_of(depth, heading, 1);
    }

    fn heading_of(&mut self, depth: usize, heading: Heading, times: u64) {
        let name = self.name(heading);
        let colour = self.options.colour;
        let mut text = String::new();
        match heading.origin {
            CallOrigin::TopLevel { number, clock, took } => {
                self.end_callback();
                let time = wall_clock(self.start.saturating_add(clock)).1;
                let took = took
                    .map_or(String::new(), |(us, tick)| format!(", took {}", duration(us, tick)));
                let when =
                    format!("#{number} [{}.{:03} s, {time}{took}] ", clock / 1000, clock % 1000);
                paint(&mut text, colour, Style::Aside, &when);
            }
            CallOrigin::Callback => paint(&mut text, colour, Style::Mark, "⇠ "),
            CallOrigin::Inlined => paint(&mut text, colour, Style::Mark, "⤷ "),
            CallOrigin::Call => {}
        }
        let from = heading.from.into_iter().flatten();
        let from = names::origins(self.map, from);
        match from.is_empty() {
            true => paint(&mut text, colour, Style::Name, &name.0),
            false => {
                let named = names::with_origins(&name.0, &from);
                paint(&mut text, colour, Style::Name, &named);
            }
        }
        paint(&mut text, colour, Style::Aside, &name.1);
        if heading.made {
            paint(&mut text, colour, Style::Aside, "  made by the compiler");
        }
        if times > 1 {
            paint(&mut text, colour, Style::Mark, &format!(" × {}", grouped(times)));
        }
        self.row(depth, text, true);
    }

    /// Writes a message.
    pub fn message(&mut self, depth: usize, style: Style, text: &str) {
        let mut painted = String::new();
        paint(&mut painted, self.options.colour, style, &visible(text));
        self.row(depth, painted, false);
    }

    /// Writes the items of a call.
    pub fn parts(&mut self, depth: usize, heading: Heading, parts: &[FoldedPart<Item>]) {
        let source = self.source(heading);
        for part in parts {
            self.part(depth, heading, source.as_deref(), part);
        }
    }

    fn part(
        &mut self,
        depth: usize,
        heading: Heading,
        source: Option<&Source>,
        part: &FoldedPart<Item>,
    ) {
        if let FoldedPart::Times(body, times) = part
            && let [FoldedPart::One(Item::Call(call))] = &**body
        {
            return self.call(depth, call, *times);
        }
        match part {
            FoldedPart::One(Item::Line(line)) if source.is_some() => {
                self.source_line(depth, *line, source.and_then(|s| s.line(*line)));
            }
            FoldedPart::One(Item::Message(style, text)) => self.message(depth, *style, text),
            FoldedPart::One(Item::Call(call)) => self.call(depth, call, 1),
            FoldedPart::Times(body, times) if source.is_some() || !body.iter().all(inline) => {
                let mut text = String::new();
                let shown = format!("{} times:", grouped(*times));
                paint(&mut text, self.options.colour, Style::Mark, &shown);
                self.row(depth, text, true);
                self.parts(depth + 1, heading, body);
                self.end_line();
            }
            part => self.inline(depth, "", part, ""),
        }
    }

    fn call(&mut self, depth: usize, call: &EndedCall, times: u64) {
        self.heading_of(depth, call.heading, times);
        self.parts(depth + 1, call.heading, &call.body);
        self.end_line();
    }

    /// Writes lines and their repetitions into the current row.
    fn inline(&mut self, depth: usize, before: &str, part: &FoldedPart<Item>, after: &str) {
        match part {
            FoldedPart::One(Item::Line(line)) => {
                if self.line_depth != depth || self.line_width >= WIDTH {
                    self.end_line();
                }
                self.line_depth = depth;
                let length = self.line.len();
                let space = if self.line.is_empty() { "" } else { " " };
                // Writing to a string cannot fail.
                let _ = write!(self.line, "{space}{before}{line}{after}");
                self.line_width += self.line.len() - length;
            }
            FoldedPart::Times(body, times) => {
                let (open, close) = if body.len() > 1 { ("(", ")") } else { ("", "") };
                let mut before = format!("{before}{open}");
                for (i, part) in body.iter().enumerate() {
                    let after = if i + 1 == body.len() { close } else { "" };
                    self.inline(depth, &before, part, after);
                    before.clear();
                }
                let mark = format!(" × {}", grouped(*times));
                paint(&mut self.line, self.options.colour, Style::Mark, &mark);
                self.line.push_str(after);
                self.line_width += mark.len() + after.len();
            }
            FoldedPart::One(_) => {}
        }
    }

    fn end_line(&mut self) {
        if !self.line.is_empty() {
            let text = std::mem::take(&mut self.line);
            self.line_width = 0;
            self.put(TextRow { depth: self.line_depth, text, call: false });
        }
    }

    fn source_line(&mut self, depth: usize, line: u32, text: Option<&str>) {
        let mut row = format!("{line:>5}  ");
        if let Some(text) = text {
            let cut = text.char_indices().nth(SOURCE_WIDTH).map_or(text.len(), |(at, _)| at);
            let mut shown = visible(&text[..cut]).into_owned();
            if cut < text.len() {
                shown.push('…');
            }
            paint(&mut row, self.options.colour, Style::Aside, &shown);
        }
        self.row(depth, row.trim_end().to_owned(), false);
    }

    fn row(&mut self, depth: usize, text: String, call: bool) {
        self.end_line();
        self.put(TextRow { depth, text, call });
    }

    fn put(&mut self, row: TextRow) {
        if self.options.full || self.written < HEAD {
            self.written += 1;
            self.write(row.depth, &row.text);
            return;
        }
        self.last.push_back(row);
        if self.last.len() > TAIL
            && let Some(row) = self.last.pop_front()
        {
            self.left += 1;
            self.left_calls += u64::from(row.call);
            while self.around.back().is_some_and(|r| r.depth >= row.depth) {
                self.around.pop_back();
            }
            if row.call {
                if self.around.len() == REMEMBERED {
                    self.around.pop_front();
                }
                self.around.push_back(row);
            }
        }
        if let Some(first) = self.last.front() {
            while self.around.back().is_some_and(|r| r.depth >= first.depth) {
                self.around.pop_back();
            }
        }
    }

    fn write(&mut self, depth: usize, text: &str) {
        self.write_preface();
        if self.error.is_none() {
            const SPACES: [u8; 2 * MAX_INDENT] = [b' '; 2 * MAX_INDENT];
            let indent = &SPACES[..2 * depth.min(MAX_INDENT)];
            let mut write = |bytes: &[u8]| self.out.write_all(bytes);
            self.error = write(indent)
                .and_then(|()| write(text.as_bytes()))
                .and_then(|()| write(b"\n"))
                .err();
        }
    }

    /// Position in the tables of names and files.
    fn index(&self, what: MethodRef) -> usize {
        match what {
            MethodRef::Method(m) => m.0 as usize - 1,
            MethodRef::Source(at) => self.map.methods.len() + at as usize,
        }
    }

    fn name(&mut self, heading: Heading) -> Name {
        let package = heading.package || self.options.names == MethodNotation::Full;
        let at = self.index(heading.what);
        let (map, names) = (self.map, self.options.names);
        self.names[at][usize::from(package)]
            .get_or_insert_with(|| {
                Rc::new(method_names::method(
                    map,
                    &source_method(map, heading.what),
                    names,
                    package,
                ))
            })
            .clone()
    }

    /// The file with the lines of a call.
    fn source(&mut self, heading: Heading) -> Option<Arc<Source>> {
        let sources = self.options.sources?;
        let at = self.index(heading.what);
        let map = self.map;
        self.files[at]
            .get_or_insert_with(|| {
                let method = source_method(map, heading.what);
                let package = method_names::package(map.name(method.class));
                sources.file(package, map.name(method.file?))
            })
            .clone()
    }
}

fn inline(part: &FoldedPart<Item>) -> bool {
    match part {
        FoldedPart::One(item) => matches!(item, Item::Line(_)),
        FoldedPart::Times(body, _) => body.iter().all(inline),
    }
}

/// `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn long_numbers_are_grouped() {
        let shown: Vec<String> = [0, 999, 1000, 1_234_567].map(grouped).into();
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
    }
}
