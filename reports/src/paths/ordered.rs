//! One output of several threads: each writes its part, and the parts follow each other in their
//! order, whichever is done first.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A part is handed on in pieces of so many bytes.
const PIECE: usize = 64 << 10;
/// A part whose turn has not come waits with more than so many bytes.
const MOST: usize = 4 << 20;
/// For each thread, so many parts may be begun ahead of the one whose turn it is. With [`MOST`]
/// this bounds the memory: 8 MiB for each thread.
const AHEAD: usize = 2;

/// Puts the parts in order. Whoever begins parts must begin them in order, too: the part whose turn
/// it is must never wait for a thread that waits for its own turn.
#[derive(Debug)]
pub(crate) struct Ordered<W> {
    state: Mutex<State<W>>,
    changed: Condvar,
    ahead: usize,
}

#[derive(Debug)]
struct State<W> {
    out: W,
    /// Whose turn it is.
    turn: usize,
    /// Parts that are done, and whose turn has not come.
    done: BTreeMap<usize, Vec<u8>>,
    error: Option<io::Error>,
}

impl<W: Write> Ordered<W> {
    /// The output of so many threads.
    pub fn new(out: W, threads: usize) -> Self {
        let state = State { out, turn: 0, done: BTreeMap::new(), error: None };
        Ordered { state: Mutex::new(state), changed: Condvar::new(), ahead: AHEAD * threads }
    }

    fn state(&self) -> MutexGuard<'_, State<W>> {
        // A thread that panicked takes the program with it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is this part's turn, or that of one at most so many before it.
    fn wait(&self, number: usize, before: usize) -> MutexGuard<'_, State<W>> {
        let early = |s: &mut State<W>| s.turn.saturating_add(before) < number && s.error.is_none();
        self.changed.wait_while(self.state(), early).unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the part with this number, from 0; waits if others are to be written before. `None`:
    /// the output has failed.
    pub fn part(&self, number: usize) -> Option<Part<'_, W>> {
        let failed = self.wait(number, self.ahead).error.is_some();
        (!failed).then(|| Part { of: self, number, buffer: Vec::new() })
    }

    /// The end of the output.
    ///
    /// # Errors
    /// Its first error.
    pub fn finish(self) -> io::Result<()> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.error.take() {
            Some(e) => Err(e),
            None => state.out.flush(),
        }
    }
}

impl<W: Write> State<W> {
    fn write(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.out.write_all(bytes).err();
        }
    }
}

/// Takes what belongs to one part.
#[derive(Debug)]
pub(crate) struct Part<'o, W: Write> {
    of: &'o Ordered<W>,
    number: usize,
    buffer: Vec<u8>,
}

impl<W: Write> Write for Part<'_, W> {
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

    /// What is written is handed on when the part is dropped.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<W: Write> Drop for Part<'_, W> {
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

    /// Writes parts of these sizes with so many threads; the first parts are the slowest.
    fn written(threads: usize, sizes: &[usize]) -> Vec<u8> {
        let mut out = Vec::new();
        let ordered = Ordered::new(&mut out, threads);
        share(&Cores::new(threads), &mut vec![(); threads], sizes.len(), |(), number| {
            let mut part = ordered.part(number).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(5 * (number % 3 == 0) as u64));
            for at in 0..sizes[number] {
                part.write_all(format!("{number} {at}\n").as_bytes()).unwrap();
            }
        });
        ordered.finish().unwrap();
        out
    }

    #[test]
    fn parts_follow_each_other_whichever_is_done_first() {
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
    fn an_error_of_the_output_ends_all_parts() {
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
            let Some(mut part) = ordered.part(number) else { return };
            while part.write_all(&[b'x'; 1000]).is_ok() {}
        });
        assert_eq!(ordered.finish().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
