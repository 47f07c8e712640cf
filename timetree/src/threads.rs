//! Record of a thread in a file, beside its samples.

use crate::error::Error;
use crate::file::pages::Cursor;
use crate::file::positional::Bytes;
use crate::file::{text, varint};

/// A thread of a builder or a file.
pub type ThreadNo = usize;

/// Identity of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadOrigin {
    /// Its name.
    pub name: String,
    /// Its number in its process.
    pub number: u32,
    /// The name of its process.
    pub process: String,
    /// The process id.
    pub pid: u32,
    /// The wall clock at time 0, ms since 1970; 0: not known.
    pub start_ms: u64,
}

/// End of a thread, and its losses: weight that is not among its samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadOutcome {
    /// The last time at which something is known of it.
    pub end: u64,
    /// Samples that were lost.
    pub lost: u64,
    /// Records of its log that could not be decoded.
    pub refused: u64,
    /// Records that no check has proven; their weights count.
    pub unproven: u64,
    /// Slabs of its log that are missing.
    pub missing: u64,
    /// Calls that may have ended before their recorded end.
    pub doubtful: u64,
}

impl ThreadOrigin {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        text(out, &self.name);
        text(out, &self.process);
        for number in [self.number.into(), self.pid.into(), self.start_ms] {
            varint(out, number);
        }
    }

    pub(crate) fn read<B: Bytes>(at: &mut Cursor<'_, B>) -> Result<Self, Error> {
        let (name, process) = (at.text()?, at.text()?);
        let mut short = || {
            let n = at.varint()?;
            u32::try_from(n).map_err(|_| at.damaged("a thread has no number"))
        };
        let (number, pid) = (short()?, short()?);
        Ok(ThreadOrigin { name, number, process, pid, start_ms: at.varint()? })
    }
}

impl ThreadOutcome {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let ThreadOutcome { end, lost, refused, unproven, missing, doubtful } = *self;
        [end, lost, refused, unproven, missing, doubtful].into_iter().for_each(|n| varint(out, n));
    }

    pub(crate) fn read<B: Bytes>(at: &mut Cursor<'_, B>) -> Result<Self, Error> {
        let (end, lost, refused) = (at.varint()?, at.varint()?, at.varint()?);
        let (unproven, missing, doubtful) = (at.varint()?, at.varint()?, at.varint()?);
        Ok(ThreadOutcome { end, lost, refused, unproven, missing, doubtful })
    }
}
