//! The active calls and their items so far, folded. A call is written when it can no longer become
//! part of a repetition.

use std::io::{self, Write};
use std::rc::Rc;

use model::map::OriginId;

use super::item::{EndedCall, Heading, Item, height};
use super::rows::Rows;
use super::style::Style;
use crate::base::fold::{FoldedPart, Folder, mix};

/// Maximum weight of pending items, in lines, messages and calls.
const BUDGET: usize = 1 << 16;
/// Height at which calls are written as they come: dropping, comparing and writing nested calls
/// must not exhaust the stack.
const MAX_HEIGHT: u32 = 200;

/// An active call.
#[derive(Debug)]
struct ActiveCall {
    /// `None`: it only collects rounds of a loop.
    heading: Option<Heading>,
    shown: bool,
    done: Folder<Item>,
}

/// All active calls of a thread.
#[derive(Debug)]
pub(crate) struct CallLayout<'p, 'm, W> {
    rows: Rows<'p, 'm, W>,
    open: Vec<ActiveCall>,
    /// Number of calls, outermost first, whose headings are written.
    written: usize,
    /// Weight of pending items, as [`BUDGET`] counts.
    waiting: usize,
    /// True if the outermost call has just begun, and is to be written once it has its origins.
    begun: bool,
}

impl<'p, 'm, W: Write> CallLayout<'p, 'm, W> {
    pub fn new(rows: Rows<'p, 'm, W>) -> Self {
        CallLayout { rows, open: Vec::new(), written: 0, waiting: 0, begun: false }
    }

    fn folder(&self) -> Folder<Item> {
        if self.rows.folds() { Folder::default() } else { Folder::plain() }
    }

    /// Returns the rows, for text before all calls.
    pub fn rows(&mut self) -> &mut Rows<'p, 'm, W> {
        self.write_begun();
        &mut self.rows
    }

    /// Begins a call in the innermost one. A hidden call appears if a call in it does.
    pub fn open(&mut self, heading: Heading, shown: bool) {
        self.write_begun();
        let outermost = self.open.is_empty();
        self.waiting += 1;
        self.open.push(ActiveCall { heading: Some(heading), shown, done: self.folder() });
        self.begun = outermost && shown;
        if self.waiting > BUDGET {
            self.write_all();
        }
    }

    /// The innermost call, which has just begun, came from here.
    pub fn origin(&mut self, origin: OriginId) {
        let is_written = self.written >= self.open.len();
        let call = self.open.last_mut().filter(|call| !is_written && call.done.len() == 0);
        let Some(heading) = call.and_then(|call| call.heading.as_mut()) else { return };
        if let Some(free) = heading.from.iter_mut().find(|from| from.is_none()) {
            *free = Some(origin);
        }
    }

    fn write_begun(&mut self) {
        if std::mem::take(&mut self.begun) {
            self.write_all();
        }
    }

    /// Returns the innermost active call.
    pub fn innermost(&self) -> Option<Heading> {
        self.open.last().and_then(|o| o.heading)
    }

    /// Returns true if the innermost call is shown.
    pub fn shown(&self) -> bool {
        self.open.last().is_none_or(|o| o.shown)
    }

    /// Ends the innermost call.
    pub fn close(&mut self) {
        self.write_begun();
        let Some(mut call) = self.open.pop() else { return };
        let weight = 1 + call.done.weight();
        let written = self.written > self.open.len();
        self.waiting = self.waiting.saturating_sub(weight - usize::from(written));
        let body = call.done.take();
        let Some(heading) = call.heading else { return };
        if written {
            self.rows.parts(self.open.len() + 1, heading, &body);
            self.written = self.open.len();
            if self.open.is_empty() {
                self.rows.end_callback();
            }
            return;
        }
        if body.is_empty() && !call.shown {
            return;
        }
        let key = body.iter().map(FoldedPart::key).fold(heading.key(), mix);
        let height = 1 + height(&body);
        let call = Rc::new(EndedCall { key, weight, height, heading, body: body.into() });
        self.push(Item::Call(call));
        if height >= MAX_HEIGHT {
            self.write_all();
        }
    }

    /// Adds a line or a message to the innermost call.
    pub fn add(&mut self, item: Item) {
        if self.shown() {
            self.push(item);
        }
    }

    /// Adds a message to the innermost shown call.
    pub fn note(&mut self, style: Style, text: &str) {
        self.write_begun();
        match self.open.iter().rposition(|o| o.shown && o.heading.is_some()) {
            Some(at) if at + 1 < self.open.len() => {
                let done = &mut self.open[at].done;
                let before = done.weight();
                done.push(Item::Message(style, text.into()));
                self.waiting = (self.waiting + done.weight()).saturating_sub(before);
            }
            None if !self.open.is_empty() => self.rows.message(0, style, text),
            _ => self.push(Item::Message(style, text.into())),
        }
    }

    fn push(&mut self, item: Item) {
        self.write_begun();
        let depth = self.open.len();
        let Some(call) = self.open.last_mut() else {
            match item {
                Item::Message(style, text) => self.rows.message(0, style, &text),
                Item::Call(call) => {
                    self.rows.heading(0, call.heading);
                    self.rows.parts(1, call.heading, &call.body);
                    self.rows.end_callback();
                }
                Item::Line(_) => {}
            }
            return;
        };
        let before = call.done.weight();
        call.done.push(item);
        self.waiting = (self.waiting + call.done.weight()).saturating_sub(before);
        self.tidy(depth);
    }

    /// Writes items that are out of reach, or all of them if too many are pending.
    fn tidy(&mut self, depth: usize) {
        if self.written == depth
            && let Some(call) = self.open.last_mut()
            && let Some(heading) = call.heading
        {
            let before = call.done.weight();
            let old = call.done.drain_old();
            self.waiting = self.waiting.saturating_sub(before - call.done.weight());
            self.rows.parts(depth, heading, &old);
        }
        if self.waiting > BUDGET {
            self.write_all();
        }
    }

    /// Begins to collect the items of the innermost call.
    pub fn collect(&mut self) {
        self.write_begun();
        let shown = self.shown();
        self.waiting += 1;
        self.open.push(ActiveCall { heading: None, shown, done: self.folder() });
    }

    /// Adds the collected items `times` times.
    pub fn times(&mut self, times: u64) {
        self.write_begun();
        let Some(mut collected) = self.open.pop() else { return };
        self.waiting = self.waiting.saturating_sub(1 + collected.done.weight());
        let body = collected.done.take();
        let depth = self.open.len();
        if let Some(call) = self.open.last_mut() {
            let before = call.done.weight();
            call.done.push_times(body, times);
            self.waiting = (self.waiting + call.done.weight()).saturating_sub(before);
            self.tidy(depth);
        }
    }

    /// Writes all pending items. Later items are not folded with them.
    fn write_all(&mut self) {
        let seen = |o: &ActiveCall| o.heading.is_some() && (o.shown || o.done.len() > 0);
        let Some(last) = self.open.iter().rposition(seen) else { return };
        for (depth, call) in self.open.iter_mut().enumerate().take(last + 1) {
            let Some(heading) = call.heading else { break };
            if depth >= self.written {
                self.rows.heading(depth, heading);
                self.waiting = self.waiting.saturating_sub(1);
                self.written = depth + 1;
            }
            self.waiting = self.waiting.saturating_sub(call.done.weight());
            let parts = call.done.take();
            self.rows.parts(depth + 1, heading, &parts);
        }
    }

    /// Ends all calls and writes pending items.
    pub fn finish(&mut self) -> io::Result<()> {
        self.clear();
        self.rows.finish()
    }

    /// Ends all calls.
    pub fn clear(&mut self) {
        while !self.open.is_empty() {
            self.close();
        }
        (self.written, self.waiting) = (0, 0);
    }
}
