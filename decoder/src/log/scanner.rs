//! Finds slabs in text of any form: logcat in any `-v` format, with the line ends of any system or
//! none at all (JSON on one line, files of log collectors), and logcat's binary form (`-B`).
//!
//! No form is asked for. A slab is a run of base64 digits after a mark (`PL3 `, `PL2 ` in version 2
//! of the format), and ends where the digits end. What stands before (time, ids, tag) and after
//! (tag in `-v process`, colour codes, a quotation mark) does not matter: the slab's checksum
//! decides whether it is one. What looks like a slab of a Pathlight build and is none is damage,
//! with its place.
//!
//! Bytes come in pieces of any size. Memory holds one run of digits, however long a line is.

use std::collections::VecDeque;

use model::trace::{
    DamagedSlab, LINES, LogcatSlab, OLDEST, SlabDamage, has_slab, holds_slab, is_base64,
    parse_logcat,
};

use super::InputPlace;

/// Longer runs hold no slab.
const MAX_RUN: usize = 128 * 1024;
/// Number of digits after a mark, or its tag, that no other app writes.
const OURS: usize = 64;
/// In fewer digits no slab is looked for.
const SHORTEST: usize = 32;
/// Bytes of the text before that are remembered: enough for a mark and a colour code.
const TAIL: usize = 32;
/// The tag of the runtime's lines.
const TAG: &[u8] = b"Pathlight";
/// So near to its tag a message is the runtime's.
const NEAR: u64 = 256;
/// Beyond this, a place in a line is named by its byte.
const FAR: u64 = 4096;
/// Longer sequences of backslashes and what they escape are none.
const MAX_ESCAPE: usize = 16;

/// A slab, or what should have been one.
#[derive(Debug)]
pub(super) struct ScannedSlab {
    /// Place of its mark.
    pub place: InputPlace,
    /// The slab, or its damage.
    pub slab: Result<LogcatSlab, DamagedSlab>,
}

/// A mark that was just read: `PL`, a digit and a space.
#[derive(Debug, Clone, Copy)]
struct Mark {
    version: u8,
    /// No word ends in it.
    is_apart: bool,
    /// Nothing but a colour code stands before it in its line.
    is_first: bool,
    at: u64,
    place: InputPlace,
}

/// The runs of digits of a text.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    /// Bytes of the input so far.
    at: u64,
    /// Begin of the line, and the number of lines that have ended.
    line_at: u64,
    lines: u64,
    /// Marks and headers without a mark in this line.
    in_line: u64,
    /// Text is UTF-16, in either byte order: zeros are left out. All that matters is ASCII.
    is_utf16: bool,
    /// There are zeros: logcat's binary form.
    is_binary: bool,
    /// The byte before.
    last: u8,
    /// The end of the line so far.
    tail: Vec<u8>,
    /// The run so far, and where it begins.
    run: Vec<u8>,
    run_at: u64,
    /// The mark before it.
    mark: Option<Mark>,
    /// An escape in a string of JSON that may be a digit.
    escape: Vec<u8>,
    /// End of the tag that came last.
    tag_at: Option<u64>,
    /// End of the damage that was reported last.
    damage_at: Option<u64>,
    /// Damage, if the tag follows, and its end.
    doubt: Option<(ScannedSlab, u64)>,
    found: VecDeque<ScannedSlab>,
}

impl Scanner {
    /// Takes the next bytes of the input.
    pub(super) fn push(&mut self, mut bytes: &[u8]) {
        while let Some(&byte) = bytes.first() {
            let digits = if self.escape.is_empty() { digits(bytes) } else { 0 };
            if digits > 0 {
                self.digits(&bytes[..digits]);
            } else {
                self.byte(byte);
            }
            let used = digits.max(1);
            self.at += used as u64;
            bytes = &bytes[used..];
        }
    }

    /// The input has ended.
    pub(super) fn finish(&mut self) {
        self.end_escape();
        if self.at > self.line_at {
            self.end_run(None);
            self.end_line();
        }
    }

    /// The next slab that was found.
    pub(super) fn next(&mut self) -> Option<ScannedSlab> {
        self.found.pop_front()
    }

    /// Lines that have ended.
    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    fn digits(&mut self, digits: &[u8]) {
        if self.run.is_empty() {
            self.run_at = self.at;
        }
        let room = MAX_RUN - self.run.len();
        self.run.extend_from_slice(&digits[..digits.len().min(room)]);
        self.remember(digits);
    }

    fn byte(&mut self, byte: u8) {
        if self.at == 1 && matches!((self.last, byte), (0xFF, 0xFE) | (0xFE, 0xFF)) {
            self.is_utf16 = true;
        } else if byte != 0 || !self.is_utf16 {
            if byte == b'\\' || !self.escape.is_empty() {
                self.escaped(byte);
            } else {
                self.plain(byte);
            }
        }
    }

    /// Strings of JSON may have `/` as `\/` or `\u002f`, and `+` as `\u002b`; strings in strings
    /// have more backslashes.
    fn escaped(&mut self, byte: u8) {
        let begun = self.escape.iter().position(|b| *b != b'\\');
        match (begun, byte) {
            (None, b'\\') if self.escape.len() < MAX_ESCAPE => return self.escape.push(byte),
            (None, b'u') => return self.escape.push(byte),
            (None, b'/') => {
                self.escape.clear();
                return self.digits(b"/");
            }
            (Some(at), _) if byte.is_ascii_hexdigit() => {
                self.escape.push(byte);
                let code = &self.escape[at + 1..];
                if code.len() < 4 {
                    return;
                }
                let digit: Option<&[u8]> = match code.to_ascii_lowercase().as_slice() {
                    b"002b" => Some(b"+"),
                    b"002f" => Some(b"/"),
                    _ => None,
                };
                match digit {
                    Some(digit) => {
                        self.escape.clear();
                        self.digits(digit);
                    }
                    None => self.end_escape(),
                }
                return;
            }
            _ => {}
        }
        self.end_escape();
        match byte {
            b'\\' => self.escape.push(byte),
            digit if is_base64(digit) => self.digits(&[digit]),
            plain => self.plain(plain),
        }
    }

    /// Takes what seemed to be an escaped digit as text.
    fn end_escape(&mut self) {
        for byte in std::mem::take(&mut self.escape) {
            if is_base64(byte) { self.digits(&[byte]) } else { self.plain(byte) }
        }
    }

    /// A byte that is no digit.
    fn plain(&mut self, byte: u8) {
        self.end_run(Some(byte));
        match byte {
            // The end of a line that `\r` has ended.
            b'\n' if self.last == b'\r' => self.line_at = self.at + 1,
            b'\n' | b'\r' => self.end_line(),
            _ => {
                self.is_binary |= byte == 0;
                self.remember(&[byte]);
            }
        }
        self.last = byte;
    }

    fn remember(&mut self, bytes: &[u8]) {
        self.last = bytes.last().copied().unwrap_or(self.last);
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(TAIL)..]);
        if self.tail.len() > 2 * TAIL {
            self.tail.drain(..self.tail.len() - TAIL);
        }
    }

    fn end_line(&mut self) {
        self.lines += 1;
        self.line_at = self.at + 1;
        self.in_line = 0;
        self.tail.clear();
        (self.tag_at, self.damage_at, self.doubt) = (None, None, None);
    }

    /// The run ends before this byte.
    fn end_run(&mut self, next: Option<u8>) {
        let mut run = std::mem::take(&mut self.run);
        let mark = if next == Some(b' ') { self.mark_at_end() } else { None };
        match self.mark.take() {
            Some(before) => self.message(before, &run, mark.is_some()),
            None if run.len() >= SHORTEST => self.without_mark(&run),
            None => {}
        }
        self.look_for_tag(&run);
        if mark.is_some() {
            self.in_line += 1;
        }
        self.mark = mark;
        // The room is used again.
        run.clear();
        self.run = run;
    }

    /// Notes where the tag stands; it is a word, not a part of digits.
    fn look_for_tag(&mut self, run: &[u8]) {
        let is_word = (TAG.len()..OURS).contains(&run.len());
        if is_word && run.windows(TAG.len()).any(|w| w == TAG) {
            self.tag_at = Some(self.at);
            if let Some((found, end)) = self.doubt.take()
                && self.at - end <= NEAR
            {
                self.found.push_back(found);
            }
        }
    }

    /// The mark that the text before ends with, but for its space.
    fn mark_at_end(&self) -> Option<Mark> {
        let (before, mark) = self.tail.split_at_checked(self.tail.len().checked_sub(3)?)?;
        let &[b'P', b'L', version @ b'0'..=b'9'] = mark else { return None };
        let is_coloured = ends_with_colour(before);
        // `\n` and the like in strings of JSON.
        let is_escape = matches!(before, [.., b'\\', b'n' | b'r' | b't']);
        let is_word = before.last().is_some_and(u8::is_ascii_alphanumeric);
        let at = self.at.saturating_sub(if self.is_utf16 { 6 } else { 3 });
        Some(Mark {
            version: version - b'0',
            is_apart: !is_word || is_coloured || is_escape,
            is_first: before.is_empty() || is_coloured,
            at,
            place: self.place(at),
        })
    }

    fn place(&self, at: u64) -> InputPlace {
        if self.is_binary || self.in_line > 0 || at.saturating_sub(self.line_at) > FAR {
            InputPlace::Byte(at)
        } else {
            InputPlace::Line(self.lines + 1)
        }
    }

    /// A mark and the digits after it. `joined`: these end with the mark of another message.
    fn message(&mut self, mark: Mark, digits: &[u8], joined: bool) {
        let version = match mark.version {
            2 => OLDEST,
            3 => LINES,
            _ => return self.other_version(&mark, digits),
        };
        let mut parsed = parse_logcat(digits, version).1;
        if joined && parsed.is_err() {
            let own = parse_logcat(&digits[..digits.len().saturating_sub(3)], version).1;
            parsed = own.or(parsed);
        }
        let is_damaged = parsed.is_err();
        let found = ScannedSlab { place: mark.place, slab: parsed };
        let is_tagged = || self.tag_at.is_some_and(|tag| mark.at.saturating_sub(tag) <= NEAR);
        let is_ours = digits.len() >= OURS || mark.is_apart && (mark.is_first || is_tagged());
        if !is_damaged || is_ours {
            self.damage_at = is_damaged.then_some(self.at);
            // It was this message's.
            self.tag_at = self.tag_at.filter(|_| is_damaged);
            self.found.push_back(found);
        } else if mark.is_apart {
            self.doubt = Some((found, self.at));
        }
    }

    /// A mark of another version of the format, or a changed one.
    fn other_version(&mut self, mark: &Mark, digits: &[u8]) {
        let version = u16::from(mark.version);
        let is_known = match version {
            0 => false,
            1 => holds_slab(digits, 1),
            _ => holds_slab(digits, LINES),
        };
        if is_known {
            self.damaged(mark.place, SlabDamage::Version(version));
        } else if has_slab(digits) {
            self.damaged(mark.place, SlabDamage::Mark);
        }
    }

    /// Digits that no mark stands before: those of a slab, if one begins in them. Else they may be
    /// the rest of one, if they come after the tag, and not after damage that was reported.
    fn without_mark(&mut self, digits: &[u8]) {
        let is_after = |place: Option<u64>| {
            place.is_some_and(|at| at <= self.run_at && self.run_at - at <= NEAR)
        };
        let is_rest = digits.len() >= OURS && is_after(self.tag_at) && !is_after(self.damage_at);
        if is_rest || has_slab(digits) {
            let place = self.place(self.run_at);
            self.in_line += 1;
            self.damaged(place, SlabDamage::Mark);
        }
    }

    fn damaged(&mut self, place: InputPlace, damage: SlabDamage) {
        self.damage_at = Some(self.at);
        self.found.push_back(ScannedSlab { place, slab: Err(DamagedSlab { offset: 0, damage }) });
    }
}

/// The number of digits that bytes begin with.
fn digits(bytes: &[u8]) -> usize {
    bytes.iter().position(|b| !is_base64(*b)).unwrap_or(bytes.len())
}

/// Returns true if the text ends with an ANSI colour code (`ESC [ … m`), whose last character is a
/// letter.
fn ends_with_colour(text: &[u8]) -> bool {
    let Some(rest) = text.strip_suffix(b"m") else { return false };
    let digits = rest.iter().rev().take_while(|b| b.is_ascii_digit() || **b == b';').count();
    rest[..rest.len() - digits].ends_with(b"\x1b[")
}
