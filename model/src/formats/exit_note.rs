//! The note of how a process ended (`.plx`), as Android 11 and later remember it: the app's next
//! process writes it beside the log (`docs/PROTOCOL.md` §14). In logcat a line has the same.

use std::fmt;

use thiserror::Error;

use super::map::BuildId;

/// First bytes of the file.
pub const EXIT_NOTE_MAGIC: [u8; 4] = *b"PLXN";
/// The version of the format.
pub const VERSION: u16 = 1;
/// Bytes of a note.
pub const SIZE: usize = 48;
/// First words of the line of logcat, after `PL0 `.
const LINE: &str = "exits:";
/// Maximum number of exits that are read from a line.
const MAX_EXITS: usize = 256;

/// Reason of an exit: a `REASON_` number of `android.app.ApplicationExitInfo`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExitReason(
    /// The number.
    pub u32,
);

/// Names for programs and words for people, by number.
const REASONS: [(&str, &str); 17] = [
    ("unknown", "unknown reason"),
    ("exit_self", "exit"),
    ("signaled", "a signal"),
    ("low_memory", "low memory"),
    ("crash", "crash"),
    ("crash_native", "native crash"),
    ("anr", "ANR"),
    ("initialization_failure", "failed to start"),
    ("permission_change", "permission change"),
    ("excessive_resource_usage", "excessive resource usage"),
    ("user_requested", "user request"),
    ("user_stopped", "the device's user was stopped"),
    ("dependency_died", "a dependency died"),
    ("other", "other reason"),
    ("freezer", "app freezer"),
    ("package_state_change", "package state change"),
    ("package_updated", "app update"),
];

impl ExitReason {
    /// Android does not know.
    pub const UNKNOWN: ExitReason = ExitReason(0);
    /// The process exited by itself; the status is its exit code.
    pub const EXIT_SELF: ExitReason = ExitReason(1);
    /// A signal killed the process; the status is its number.
    pub const SIGNALED: ExitReason = ExitReason(2);
    /// The system killed the process for want of memory.
    pub const LOW_MEMORY: ExitReason = ExitReason(3);
    /// An unhandled Java exception.
    pub const CRASH: ExitReason = ExitReason(4);
    /// A crash of native code.
    pub const CRASH_NATIVE: ExitReason = ExitReason(5);
    /// The app did not respond.
    pub const ANR: ExitReason = ExitReason(6);
    /// The process took too long to start, or failed to.
    pub const INITIALIZATION_FAILURE: ExitReason = ExitReason(7);
    /// A permission was taken away.
    pub const PERMISSION_CHANGE: ExitReason = ExitReason(8);
    /// A person ended the app.
    pub const USER_REQUESTED: ExitReason = ExitReason(10);
    /// The device's user was stopped.
    pub const USER_STOPPED: ExitReason = ExitReason(11);
    /// Another reason.
    pub const OTHER: ExitReason = ExitReason(13);
    /// A component of the app was disabled, or enabled.
    pub const PACKAGE_STATE_CHANGE: ExitReason = ExitReason(15);
    /// The app was updated.
    pub const PACKAGE_UPDATED: ExitReason = ExitReason(16);

    /// Returns the name for programs: that of Android's constant in small letters; `reason_N` for a
    /// number of a newer Android.
    pub fn name(self) -> String {
        let known = REASONS.get(self.0 as usize);
        known.map_or_else(|| format!("reason_{}", self.0), |(name, _)| (*name).to_owned())
    }

    /// Returns the words for people.
    pub fn words(self) -> String {
        let known = REASONS.get(self.0 as usize);
        known.map_or_else(|| format!("reason {} of Android", self.0), |(_, w)| (*w).to_owned())
    }
}

/// End of a process, as Android remembers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessExit {
    /// The reason.
    pub reason: ExitReason,
    /// Wall clock at the exit, ms since 1970.
    pub at_ms: u64,
    /// Exit code or number of the signal; 0 where Android gives neither.
    pub status: i32,
    /// `RunningAppProcessInfo.importance` at the exit: 100 is the foreground, 400 a cached process;
    /// 0 is not known.
    pub importance: u32,
}

impl ProcessExit {
    /// Returns where the process was for its user: `foreground`, `visible`, `service`, `background`
    /// or `cached`, by Android's ranges of importance; `None` if that is not known.
    pub fn standing(&self) -> Option<&'static str> {
        Some(match self.importance {
            0 => return None,
            1..=125 => "foreground",
            126..=230 => "visible",
            231..=325 => "service",
            326..400 => "background",
            _ => "cached",
        })
    }
}

/// A note: the process, and its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExitNote {
    /// First bytes of the id of the build whose log it belongs to.
    pub build: [u8; 4],
    /// Process id.
    pub pid: u32,
    /// Wall clock at the start of the log, ms since 1970.
    pub start_ms: u64,
    /// The end.
    pub exit: ProcessExit,
}

/// Reasons why bytes are no note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ExitNoteError {
    /// The first bytes are others.
    #[error("not a note of an exit (it does not begin with PLXN)")]
    NotANote,
    /// Another version of the format.
    #[error("exit note version {0}; this program knows version {VERSION}")]
    Version(u16),
    /// Another length.
    #[error("the note has {0} bytes, not {SIZE}")]
    Length(usize),
    /// The checksum does not fit.
    #[error("the checksum is wrong: the note is damaged")]
    Checksum,
}

impl ExitNote {
    /// Returns the name that the runtime gives the file.
    pub fn file_name(&self) -> String {
        let build = u32::from_be_bytes(self.build);
        format!("pathlight_exit-{build:08x}-{}-{}.plx", self.pid, self.start_ms)
    }

    /// Returns true if it belongs to a log of this build, process id and start.
    pub fn is_of(&self, build: BuildId, pid: u32, start_ms: u64) -> bool {
        build.0.starts_with(&self.build) && (pid, start_ms) == (self.pid, self.start_ms)
    }

    /// As a file.
    pub fn to_bytes(&self) -> [u8; SIZE] {
        let mut out = [0; SIZE];
        let mut put = |at: usize, bytes: &[u8]| out[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &EXIT_NOTE_MAGIC);
        put(4, &VERSION.to_be_bytes());
        put(12, &self.build);
        put(16, &self.pid.to_be_bytes());
        put(20, &self.start_ms.to_be_bytes());
        put(28, &self.exit.at_ms.to_be_bytes());
        put(36, &self.exit.reason.0.to_be_bytes());
        put(40, &self.exit.status.to_be_bytes());
        put(44, &self.exit.importance.to_be_bytes());
        let crc = checksum(&out);
        out[8..12].copy_from_slice(&crc.to_be_bytes());
        out
    }

    /// Reads a file.
    ///
    /// # Errors
    /// See [`ExitNoteError`].
    pub fn parse(bytes: &[u8]) -> Result<Self, ExitNoteError> {
        if !is_exit_note(bytes) {
            return Err(ExitNoteError::NotANote);
        }
        let length = ExitNoteError::Length(bytes.len());
        let all: &[u8; SIZE] = bytes.try_into().map_err(|_| length)?;
        let u32_at = |at: usize| u32::from_be_bytes(std::array::from_fn(|i| all[at + i]));
        let u64_at = |at: usize| u64::from_be_bytes(std::array::from_fn(|i| all[at + i]));
        if u32_at(8) != checksum(all) {
            return Err(ExitNoteError::Checksum);
        }
        if u32_at(4) != u32::from(VERSION) << 16 {
            return Err(ExitNoteError::Version((u32_at(4) >> 16) as u16));
        }
        let exit = ProcessExit {
            reason: ExitReason(u32_at(36)),
            at_ms: u64_at(28),
            status: u32_at(40).cast_signed(),
            importance: u32_at(44),
        };
        let build = std::array::from_fn(|i| all[12 + i]);
        Ok(ExitNote { build, pid: u32_at(16), start_ms: u64_at(20), exit })
    }
}

/// CRC-32 of all bytes but its own.
fn checksum(bytes: &[u8; SIZE]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&bytes[..8]);
    crc.update(&bytes[12..]);
    crc.finalize()
}

/// Returns true if the bytes begin like a note.
pub fn is_exit_note(bytes: &[u8]) -> bool {
    bytes.starts_with(&EXIT_NOTE_MAGIC)
}

/// Reads the exits of a line of logcat, given the text after `PL0 `: process id and exit. A line of
/// another kind has none, and one that was cut only those before the cut.
pub fn parse_line(text: &str) -> Vec<(u32, ProcessExit)> {
    let Some(all) = text.strip_prefix(LINE) else { return Vec::new() };
    all.split(';').take(MAX_EXITS).map_while(parse_exit).collect()
}

fn parse_exit(text: &str) -> Option<(u32, ProcessExit)> {
    let [pid, at, reason, status, importance] =
        text.split_whitespace().collect::<Vec<_>>().try_into().ok()?;
    let exit = ProcessExit {
        reason: ExitReason(reason.parse().ok()?),
        at_ms: at.parse().ok()?,
        status: status.parse().ok()?,
        importance: importance.parse().ok()?,
    };
    Some((pid.parse().ok()?, exit))
}

impl fmt::Display for ProcessExit {
    /// Writes the reason with its status: `ANR`, `signal 9`, `exit with code 3`. Some devices give
    /// a signal with reasons for which Android defines none: `ANR (signal 3)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.reason, self.status) {
            (ExitReason::EXIT_SELF, code) => write!(f, "exit with code {code}"),
            (reason, 0) => f.write_str(&reason.words()),
            (ExitReason::SIGNALED, signal) => write!(f, "signal {signal}"),
            (reason, signal) => write!(f, "{} (signal {signal})", reason.words()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn note() -> ExitNote {
        let exit =
            ProcessExit { reason: ExitReason::ANR, at_ms: 0x0102, status: -2, importance: 400 };
        ExitNote { build: [0, 1, 2, 3], pid: 4711, start_ms: 77, exit }
    }

    /// The layout byte by byte, from the table of protocol §14.
    #[test]
    fn layout_is_that_of_the_protocol() {
        let bytes = note().to_bytes();
        assert_eq!(bytes[..8], *b"PLXN\x00\x01\x00\x00");
        assert_eq!(bytes[12..28], *b"\x00\x01\x02\x03\0\0\x12\x67\0\0\0\0\0\0\0\x4D");
        assert_eq!(bytes[28..40], *b"\0\0\0\0\0\0\x01\x02\0\0\0\x06");
        assert_eq!(bytes[40..], *b"\xFF\xFF\xFF\xFE\0\0\x01\x90");
        assert_eq!(ExitNote::parse(&bytes), Ok(note()));
    }

    #[test]
    fn any_changed_bit_and_any_cut_is_noticed() {
        let bytes = note().to_bytes();
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes;
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(ExitNote::parse(&bytes).is_err(), "bit {bit}");
        }
        for cut in 0..bytes.len() {
            assert!(ExitNote::parse(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        assert!(ExitNote::parse(&[&bytes[..], &[0]].concat()).is_err());
    }

    /// `REASON_` constants of `android.app.ApplicationExitInfo`, API 34.
    #[test]
    fn names_are_those_of_android() {
        let names = [
            (0, "unknown"),
            (1, "exit_self"),
            (2, "signaled"),
            (3, "low_memory"),
            (4, "crash"),
            (5, "crash_native"),
            (6, "anr"),
            (7, "initialization_failure"),
            (8, "permission_change"),
            (9, "excessive_resource_usage"),
            (10, "user_requested"),
            (11, "user_stopped"),
            (12, "dependency_died"),
            (13, "other"),
            (14, "freezer"),
            (15, "package_state_change"),
            (16, "package_updated"),
            (17, "reason_17"),
        ];
        names.iter().for_each(|(n, name)| assert_eq!(ExitReason(*n).name(), *name));
    }

    /// Android documents a status for two reasons; some devices give the signal with others.
    #[test]
    fn a_status_is_a_code_or_a_signal() {
        let words = |reason, status| {
            ProcessExit { reason: ExitReason(reason), at_ms: 0, status, importance: 0 }.to_string()
        };
        assert_eq!(words(1, 0), "exit with code 0");
        assert_eq!(words(2, 9), "signal 9");
        assert_eq!(words(2, 0), "a signal");
        assert_eq!(words(6, 3), "ANR (signal 3)");
        assert_eq!(words(3, 0), "low memory");
        assert_eq!(words(99, 0), "reason 99 of Android");
    }

    #[test]
    fn a_line_that_was_cut_has_the_exits_before_the_cut() {
        let pids = |text| parse_line(text).iter().map(|e| e.0).collect::<Vec<_>>();
        assert_eq!(pids("exits: 1 5000 6 3 100; 2 6000 2 9 400"), [1, 2]);
        assert_eq!(pids("exits: 1 5000 6 3 100; 2 6000 2"), [1]);
        assert!(pids("exits:").is_empty());
        assert!(pids("recording to /data/exits: 1 5000 6 3 100").is_empty());
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            numbers in any::<[u32; 3]>(), times in any::<[u64; 2]>(), status in any::<i32>(),
        ) {
            let [pid, reason, importance] = numbers;
            let [start_ms, at_ms] = times;
            let exit = ProcessExit { reason: ExitReason(reason), at_ms, status, importance };
            let note = ExitNote { pid, start_ms, exit, ..note() };
            prop_assert_eq!(ExitNote::parse(&note.to_bytes()), Ok(note));
        }
    }
}
