//! Logcat text: lines, and slabs in them.
//!
//! No `-v` format is asked for: a slab begins with `PL3 ` (`PL2 ` in version 2 of the format) at
//! the beginning of a line or behind something that is no letter or digit, and ends where the
//! base64 digits end. What stands before (time, ids, tag) and behind (tag in `-v process`, colour
//! codes) does not matter; the slab's checksum decides whether it is one.

use std::io::{self, BufRead};

use model::trace::{DamagedSlab, LogcatSlab, SlabDamage, is_old_logcat, logcat_mark, parse_logcat};

/// Longer lines are cut: the runtime writes none.
const MAX_LINE: usize = 128 * 1024;

/// Reads lines of any bytes, with bounded memory. UTF-16 (as some shells write it) is understood by
/// its byte order mark.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
    utf16: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: Vec::new(), number: 0, utf16: false }
    }

    /// Number of the line that was read last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The next line without its end, `None` at the end of the input.
    pub(super) fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        let mut any = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            if buffer.is_empty() {
                break;
            }
            any = true;
            let end = buffer.iter().position(|b| *b == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = MAX_LINE - self.line.len();
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        self.number += 1;
        if self.number == 1 {
            self.utf16 =
                self.line.starts_with(&[0xFF, 0xFE]) || self.line.starts_with(&[0xFE, 0xFF]);
        }
        if self.utf16 {
            // All that matters is ASCII: leaving out the zeros is enough, in either byte order.
            self.line.retain(|b| *b != 0);
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        Ok(Some(&self.line))
    }
}

/// The slab in a line, if there is one. A damaged one is an error only if the line looks like the
/// runtime's: other apps may log `PL3` too. One of an older version has [`SlabDamage::Version`].
pub(super) fn find_slab(line: &[u8]) -> Option<Result<LogcatSlab, DamagedSlab>> {
    let mut from = 0;
    let mut damage = None;
    // Looked for once: a line may hold the mark ten thousand times.
    let mut tagged = None;
    while let Some((begin, version)) = logcat_mark(&line[from..]) {
        let at = from + begin - 4;
        from += begin;
        if at > 0 && line[at - 1].is_ascii_alphanumeric() && !ends_with_colour(&line[..at]) {
            continue;
        }
        let (_, parsed) = parse_logcat(&line[from..], version);
        match parsed {
            Ok(slab) => return Some(Ok(slab)),
            Err(e) => {
                let mut tagged =
                    || *tagged.get_or_insert_with(|| line.windows(9).any(|w| w == b"Pathlight"));
                if damage.is_none() && (at == 0 || ends_with_colour(&line[..at]) || tagged()) {
                    damage = Some(Err(e));
                }
            }
        }
    }
    if damage.is_none() && is_old_logcat(line) {
        damage = Some(Err(DamagedSlab { offset: 0, damage: SlabDamage::Version(1) }));
    }
    damage
}

/// Whether the text ends with an ANSI colour code (`ESC [ … m`), whose last character is a
/// letter.
fn ends_with_colour(text: &[u8]) -> bool {
    let Some(rest) = text.strip_suffix(b"m") else { return false };
    let digits = rest.iter().rev().take_while(|b| b.is_ascii_digit() || **b == b';').count();
    rest[..rest.len() - digits].ends_with(b"\x1b[")
}
