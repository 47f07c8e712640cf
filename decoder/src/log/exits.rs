//! Ends of processes: notes that were given, those beside the logs, and lines of logcat.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use memchr::memchr;
use model::exit_note::{ExitNote, ExitNoteError, ProcessExit, SIZE, parse_line};
use model::map::BuildId;
use model::trace::Identity;

/// Begin of a line of logcat with exits.
const MARK: &[u8] = b"PL0 exits:";
/// Bytes of the runtime's words in the mark.
const WORDS: usize = 4;
/// Maximum length of such a line: logcat has less.
const LONGEST: usize = 1 << 13;
/// Maximum number of exits that are kept of an input.
const MAX_EXITS: usize = 1 << 16;

/// Exits in lines of one input, by process id and time.
type LineExits = BTreeMap<(u32, u64), ProcessExit>;

/// The ends of processes that are known.
#[derive(Debug, Default)]
pub(super) struct Exits {
    notes: BTreeMap<(u32, u64), Vec<ExitNote>>,
    /// By number of the input: process ids mean something on one device only.
    lines: BTreeMap<usize, LineExits>,
}

/// A note beside a log that cannot be used.
pub(super) struct BadNote {
    pub path: PathBuf,
    pub error: ExitNoteError,
}

impl Exits {
    /// Adds a note that was given.
    pub(super) fn add(&mut self, note: ExitNote) {
        self.notes.entry((note.pid, note.start_ms)).or_default().push(note);
    }

    /// Adds the exits of the lines of an input.
    pub(super) fn add_lines(&mut self, source: usize, lines: ExitLines) {
        if !lines.found.is_empty() {
            self.lines.insert(source, lines.found);
        }
    }

    /// Returns the note of a process: one that was given, or one in the folder of its log.
    pub(super) fn note<'p>(
        &self,
        who: &Identity,
        mut folders: impl Iterator<Item = &'p Path>,
    ) -> Result<Option<ProcessExit>, BadNote> {
        let is_own = |note: &&ExitNote| note.is_of(who.build, who.pid, who.start_ms);
        let mut given = self.notes.get(&(who.pid, who.start_ms)).into_iter().flatten();
        if let Some(note) = given.find(is_own) {
            return Ok(Some(note.exit));
        }
        let name = file_name(who);
        let beside = folders.find_map(|folder| {
            let path = folder.join(&name);
            // No file, or one whose writer was killed before it wrote.
            let bytes = read(&path).ok().filter(|bytes| !bytes.is_empty())?;
            Some((path, ExitNote::parse(&bytes)))
        });
        match beside {
            Some((_, Ok(note))) if is_own(&&note) => Ok(Some(note.exit)),
            Some((path, Err(error))) => Err(BadNote { path, error }),
            _ => Ok(None),
        }
    }

    /// Returns the exit of a process in the lines of its inputs: the first one of its process id
    /// since its log began. `starts`: the starts of all logs of its build and process id; if a
    /// later one began before the exit, the exit is not this log's.
    pub(super) fn line(
        &self,
        who: &Identity,
        sources: &BTreeSet<usize>,
        starts: &BTreeSet<u64>,
    ) -> Option<ProcessExit> {
        let lines = sources.iter().filter_map(|source| self.lines.get(source));
        let own = lines.filter_map(|exits| exits.range((who.pid, who.start_ms)..).next());
        let ((_, at), exit) = own.filter(|((pid, _), _)| *pid == who.pid).min_by_key(|e| e.0)?;
        let has_later = starts.range(who.start_ms..=*at).any(|start| *start > who.start_ms);
        (!has_later).then_some(*exit)
    }

    /// Returns true if some input has lines with exits.
    pub(super) fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }
}

/// The name of a process's note.
fn file_name(who: &Identity) -> String {
    let BuildId(id) = who.build;
    let build = u32::from_be_bytes([id[0], id[1], id[2], id[3]]);
    format!("pathlight_exit-{build:08x}-{}-{}.plx", who.pid, who.start_ms)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    disk::open(path)?.take(SIZE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Finds the lines with exits in text of any form that [`super::scanner`] reads.
#[derive(Debug, Default)]
pub(super) struct ExitLines {
    /// Bytes of the mark that have come.
    matched: usize,
    /// The line after the mark so far.
    line: String,
    found: LineExits,
}

impl ExitLines {
    /// Takes the next bytes of the input.
    pub(super) fn push(&mut self, mut bytes: &[u8]) {
        while let Some((&byte, rest)) = bytes.split_first() {
            if self.matched == 0 {
                let Some(at) = memchr(MARK[0], bytes) else { return };
                self.matched = 1;
                bytes = &bytes[at + 1..];
                continue;
            }
            bytes = rest;
            match byte {
                // UTF-16.
                0 => {}
                b'0'..=b'9' | b' ' | b';' | b'-'
                    if self.matched == MARK.len() && self.line.len() < LONGEST =>
                {
                    self.line.push(char::from(byte));
                }
                _ if self.matched == MARK.len() => {
                    self.finish();
                    self.matched = usize::from(byte == MARK[0]);
                }
                _ if byte == MARK[self.matched] => self.matched += 1,
                _ => self.matched = usize::from(byte == MARK[0]),
            }
        }
    }

    /// Ends the line.
    pub(super) fn finish(&mut self) {
        let words = String::from_utf8_lossy(&MARK[WORDS..]);
        let line = std::mem::take(&mut self.line);
        self.matched = 0;
        for (pid, exit) in parse_line(&format!("{words}{line}")) {
            if self.found.len() < MAX_EXITS {
                self.found.insert((pid, exit.at_ms), exit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use model::exit_note::ExitReason;

    use super::*;

    fn exit(at_ms: u64) -> ProcessExit {
        ProcessExit { reason: ExitReason::ANR, at_ms, status: 0, importance: 0 }
    }

    fn times(text: &[u8], piece: usize) -> Vec<(u32, u64)> {
        let mut lines = ExitLines::default();
        text.chunks(piece).for_each(|piece| lines.push(piece));
        lines.finish();
        lines.found.into_keys().collect()
    }

    #[test]
    fn exits_are_found_in_text_of_any_form() {
        let first = "I/Pathlight( 12): PL0 exits: 1 5000 6 3 100; 2 6000 2 9 400\r\n";
        let text = format!("{first}PL0 exits: 3 7000 4 0 100\n");
        let json = format!("{{\"message\":\"{}\"}}", "PL0 exits: 1 5000 6 3 100");
        let utf16: Vec<u8> = text.bytes().flat_map(|b| [b, 0]).collect();
        for piece in [1, 7, 1000] {
            assert_eq!(times(text.as_bytes(), piece), [(1, 5000), (2, 6000), (3, 7000)]);
            assert_eq!(times(&utf16, piece), [(1, 5000), (2, 6000), (3, 7000)]);
            assert_eq!(times(json.as_bytes(), piece), [(1, 5000)]);
        }
    }

    #[test]
    fn other_lines_are_no_exits() {
        for text in
            ["PL0 exit: 1 2 3 4 5", "PPL0 exits 1 2 3 4 5", "PL0 exits: 1 2 3 4", "PL0 exits:"]
        {
            assert!(times(text.as_bytes(), 3).is_empty(), "{text}");
        }
        assert_eq!(times(b"PPL0 exits: 1 2 3 4 5", 3), [(1, 2)]);
    }

    /// The rule of protocol §14.
    #[test]
    fn an_exit_belongs_to_the_last_log_of_its_process_id() {
        let mut exits = Exits::default();
        let found = [(1, 7000), (1, 5000), (2, 5000)];
        let found = found.into_iter().map(|(pid, at)| ((pid, at), exit(at))).collect();
        exits.add_lines(0, ExitLines { found, ..ExitLines::default() });
        let at = |pid, start_ms, starts: &[u64], source| {
            let who = Identity { pid, start_ms, ..Identity::default() };
            let starts = starts.iter().copied().collect();
            exits.line(&who, &BTreeSet::from([source]), &starts).map(|e| e.at_ms)
        };
        assert_eq!(at(1, 1000, &[1000, 6000], 0), Some(5000));
        assert_eq!(at(1, 6000, &[1000, 6000], 0), Some(7000));
        // Two processes, and the exit of the first one is forgotten.
        assert_eq!(at(1, 1000, &[1000, 4000], 0), None);
        assert_eq!(at(1, 8000, &[8000], 0), None);
        assert_eq!(at(1, 7000, &[7000], 0), Some(7000));
        assert_eq!(at(3, 1000, &[1000], 0), None);
        // The same number on another device.
        assert_eq!(at(1, 1000, &[1000], 1), None);
    }
}
