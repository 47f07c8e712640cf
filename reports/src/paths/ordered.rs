//! One output of several threads: each thread writes a section, and the sections come out in their
//! order, whichever is complete first.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Size in bytes at which a section is passed on.
const PIECE: usize = 64 << 10;
/// Size in bytes of a waiting section above which its writer blocks.
const MOST: usize = 4 << 20;
/// Number of sections per thread that may begin before their turn. With [`MOST`] this bounds the
/// memory to 8 MiB per thread.
const AHEAD: usize = 2;

/// Puts the sections in order. Sections must also begin in order: the section whose turn it is must
/// never wait for a thread that waits for its own turn.
#[derive(Debug)]
pub(crate) struct Ordered<W> {
    state: Mutex<OutputState<W>>,
    changed: Condvar,
    ahead: usize,
}

#[derive(Debug)]
struct OutputState<W> {
    out: W,
    /// Number of the section whose turn it is.
    turn: usize,
    /// Complete sections before their turn.
    done: BTreeMap<usize, Vec<u8>>,
    error: Option<io::Error>,
}

impl<W: Write> Ordered<W> {
    /// Creates an output for this number of threads.
    pub fn new(out: W, threads: usize) -> Self {
        let state = OutputState { out, turn: 0, done: BTreeMap::new(), error: None };
        Ordered { state: Mutex::new(state), changed: Condvar::new(), ahead: AHEAD * threads }
    }

    fn state(&self) -> MutexGuard<'_, OutputState<W>> {
        // A thread that panicked ends the whole program.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until at most `before` sections come before this one.
    fn wait(&self, number: usize, before: usize) -> MutexGuard<'_, OutputState<W>> {
        let early =
            |s: &mut OutputState<W>| s.turn.saturating_add(before) < number && s.error.is_none();
        self.changed.wait_while(self.state(), early).unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the section with this number, from 0. Blocks if too many sections are before it.
    /// Returns `None` if the output has failed.
    pub fn section(&self, number: usize) -> Option<Section<'_, W>> {
        let failed = self.wait(number, self.ahead).error.is_some();
        (!failed).then(|| Section { of: self, number, buffer: Vec::new() })
    }

    /// Ends the output.
    ///
    /// # Errors
    /// The first error of the output.
    pub fn finish(self) -> io::Result<()> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.error.take() {
            Some(e) => Err(e),
            None => state.out.flush(),
        }
    }
}

impl<W: Write> OutputState<W> {
    fn write(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.out.write_all(bytes).err();
        }
    }
}

/// The bytes of one section.
#[derive(Debug)]
pub(crate) struct Section<'o, W: Write> {
    of: &'o Ordered<W>,
    number: usize,
    buffer: Vec<u8>,
}

impl<W: Write> Write for Section<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let before = self.buffer.len() / PIECE;
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() / PIECE > before {
            let waits = if self.buffer.len() < MOST { usize::MAX } else { 0 };
            let mut state = self.of.wait(self.number, waits);
            if state.turn == self.number {
                state.write(&self.buffer);
                self.buffer.clear();
            }
            if let Some(e) = &state.error {
                return Err(e.kind().into());
            }
        }
        Ok(bytes.len())
    }

    /// Does nothing: bytes are passed on when the section is dropped.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<W: Write> Drop for Section<'_, W> {
    fn drop(&mut self) {
        let mut state = self.of.state();
        state.done.insert(self.number, std::mem::take(&mut self.buffer));
        loop {
            let turn = state.turn;
            let Some(bytes) = state.done.remove(&turn) else { break };
            state.write(&bytes);
            state.turn += 1;
        }
        drop(state);
        self.of.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use decoder::crew::{Cores, share};

    use super::*;

    /// Writes sections of these sizes on several threads; the first sections are the slowest.
    fn written(threads: usize, sizes: &[usize]) -> Vec<u8> {
        let mut out = Vec::new();
        let ordered = Ordered::new(&mut out, threads);
        share(&Cores::new(threads), &mut vec![(); threads], sizes.len(), |(), number| {
            let mut section = ordered.section(number).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(5 * (number % 3 == 0) as u64));
            for at in 0..sizes[number] {
                section.write_all(format!("{number} {at}\n").as_bytes()).unwrap();
            }
        });
        ordered.finish().unwrap();
        out
    }

    #[test]
    fn sections_come_out_in_order_whichever_is_complete_first() {
        let sizes = [30_000, 1, 0, 700_000, 5, 600_000, 30_000, 1, 1, 1, 1, 1];
        let mut expected = Vec::new();
        for (number, &size) in sizes.iter().enumerate() {
            (0..size).for_each(|at| writeln!(expected, "{number} {at}").unwrap());
        }
        for threads in [1, 2, 5] {
            assert!(written(threads, &sizes) == expected, "{threads} threads");
        }
    }

    #[test]
    fn an_error_of_the_output_ends_all_sections() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::BrokenPipe)?;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let ordered = Ordered::new(Full(PIECE), 2);
        share(&Cores::new(2), &mut [(), ()], 100, |(), number| {
            let Some(mut section) = ordered.section(number) else { return };
            while section.write_all(&[b'x'; 1000]).is_ok() {}
        });
        assert_eq!(ordered.finish().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
