//! The script of `runtime/test/Script.java`, on the reader's side: the same generator, and protocol
//! §2 to §6 written down a second time as "the next symbol must be this". A difference in any
//! byte makes the decoder find another symbol, or fail.

use model::coder::{CoderError, Decoder};
use model::protocol::Escape;

/// Reason for which the reading of a script stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The bytes end before the next symbol is certain.
    Truncated,
    /// The thread ended its stream (END).
    End,
    /// Something else was written.
    Wrong,
}

impl From<CoderError> for Stop {
    fn from(e: CoderError) -> Self {
        match e {
            CoderError::Truncated { .. } => Stop::Truncated,
            CoderError::Corrupt { .. } => Stop::Wrong,
        }
    }
}

type Step = Result<(), Stop>;

const SLOT: u32 = 0x4000_0000;
const ID_BITS: u32 = 17;

/// The slots of the driver: alternative 0, then (id, cum, freq).
type Slot = ((u32, u32), &'static [(u32, u32, u32)]);
const SLOTS: [Slot; 3] = [
    ((0, 40000), &[(3, 40000, 4096), (4, 44096, 4096), (5, 48192, 17343)]),
    ((0, 1000), &[(2, 1000, 1), (9, 1001, 32767), (70000, 33768, 31767)]),
    ((0, 4096), &[(2, 4096, 20480), (6, 24576, 20480), (9, 45056, 20479)]),
];

pub fn hash(progress: u32) -> u32 {
    progress.wrapping_mul(0x9E37_79B1) >> 16
}

/// Starts of the slices (each 257 wide) of a record's closing checks.
pub fn checks(progress: u32, two: bool) -> Vec<u32> {
    let h = hash(progress);
    let mut all = vec![h % 255 * 257];
    if two {
        all.push(h / 255 % 255 * 257);
    }
    all
}

/// A span: the bit length under the distribution in which lengths from 1 to 16 have the frequency
/// `each` and longer ones 240, then what follows the first 1.
pub fn span(d: &mut Decoder<'_>, each: u32) -> Result<u32, CoderError> {
    let long = 65_535 - 16 * 240;
    let zero = long - 16 * each;
    let value = d.peek_slice()?;
    let (length, cum, freq) = if value < zero {
        (0, 0, zero)
    } else if value < long {
        let n = (value - zero) / each;
        (n + 1, zero + n * each, each)
    } else {
        let n = (value - long) / 240;
        (n + 17, long + n * 240, 240)
    };
    d.consume(cum, freq)?;
    if length < 2 {
        return Ok(length);
    }
    d.bits(length - 1).map(|low| low | 1 << (length - 1))
}

/// [`span`] from the end of a callback to the begin of the next.
pub const GAP: u32 = 2304;
/// [`span`] from the begin of a callback to its end.
pub const DURATION: u32 = 1024;

/// One thread's script and the decoder that must find it.
pub struct Script<'a> {
    x: u64,
    pub decoder: Decoder<'a>,
    progress: u32,
    slow_progress: u32,
    renormed: usize,
    call_token: u32,
    unguarded: bool,
    /// Frame number, saved token.
    guards: Vec<(u32, u32)>,
    last_top: u32,
    last_time: u32,
    /// Id, frame number, token of the call.
    frames: Vec<(u32, u32, u32)>,
    /// Operations that were read completely.
    pub done: u32,
    /// Begin of each record that a reader can begin at: position, progress, last top, last time.
    pub records: Vec<(usize, u32, u32, u32)>,
}

impl<'a> Script<'a> {
    pub fn new(seed: u64, data: &'a [u8]) -> Self {
        Self {
            x: seed,
            decoder: Decoder::new(data, 0),
            progress: 0,
            slow_progress: 0,
            renormed: 0,
            call_token: 0,
            unguarded: false,
            guards: Vec::new(),
            last_top: 0,
            last_time: 0,
            frames: Vec::new(),
            done: 0,
            records: Vec::new(),
        }
    }

    fn next(&mut self, n: u32) -> u32 {
        self.x = self.x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.x >> 33) as u32 % n
    }

    /// Notes a renormalisation that the last symbol made.
    fn note(&mut self) {
        let n = self.decoder.renormalisations();
        if n != self.renormed {
            self.renormed = n;
            self.slow_progress = self.progress;
        }
    }

    fn symbol(&mut self, cum: u32, freq: u32) -> Step {
        self.not_the_end()?;
        self.decoder.consume(cum, freq)?;
        self.note();
        Ok(())
    }

    /// Only END may stand where something else is expected.
    fn not_the_end(&self) -> Step {
        let mut d = self.decoder.clone();
        if d.is_escape()? {
            d.escape()?;
            if d.bits(3)? == 3 {
                return Err(Stop::End);
            }
        }
        Ok(())
    }

    fn bits(&mut self, v: u32, n: u32) -> Step {
        let got = self.decoder.bits(n)?;
        self.note();
        if got == v { Ok(()) } else { Err(Stop::Wrong) }
    }

    fn gamma(&mut self) -> Result<u32, Stop> {
        let v = self.decoder.gamma()?;
        self.note();
        Ok(v)
    }

    fn escape(&mut self, kind: Escape) -> Step {
        let distance = self.progress.wrapping_sub(self.slow_progress);
        self.not_the_end()?;
        self.decoder.escape()?;
        self.bits(kind.number(), Escape::BITS)?;
        let c = (0..3).find(|c| distance < 1 << (4 << c)).unwrap_or(3);
        self.bits(c, 2)?;
        let n = 4 << c;
        self.bits(if n == 32 { self.progress } else { self.progress & ((1 << n) - 1) }, n)?;
        Ok(())
    }

    fn escaped(&mut self) {
        self.slow_progress = self.progress;
    }

    fn reset(&mut self) -> Step {
        self.decoder.flush()?;
        self.renormed = 0;
        self.slow_progress = self.progress;
        Ok(())
    }

    fn close(&mut self) -> Step {
        self.not_the_end()?;
        self.last_time += span(&mut self.decoder, DURATION)?;
        // How many checks there are is decided before the first.
        let checks = checks(self.progress, self.decoder.renormalisations() > 0);
        for cum in checks {
            self.not_the_end()?;
            self.decoder.consume(cum, 257)?;
        }
        self.reset()
    }

    fn guarded(id: u32) -> bool {
        id % 2 == 1
    }

    fn enter(&mut self, id: u32, call: u32) -> Step {
        if self.call_token != id || id == 0 {
            self.announce(id)?;
        } else {
            self.call_token = 0;
            self.progress = self.progress.wrapping_add(1);
        }
        self.frames.push((id, self.progress, call));
        Ok(())
    }

    fn announce(&mut self, id: u32) -> Step {
        let call_token = self.call_token;
        let guarded = Self::guarded(id);
        let through = SLOTS
            .get(call_token.wrapping_sub(SLOT) as usize)
            .and_then(|s| s.1.iter().find(|a| a.0 == id));
        let mut saved = 0;
        if let Some(&(_, cum, freq)) = through {
            self.symbol(cum, freq)?;
        } else if !guarded {
            self.escape(Escape::EntryUnguarded)?;
            self.bits(id, ID_BITS)?;
            self.bits(u32::from(call_token != 0), 1)?;
            self.escaped();
            self.unguarded |= self.guards.is_empty();
        } else if self.unguarded || !self.guards.is_empty() {
            self.escape(Escape::Entry)?;
            self.bits(id, ID_BITS)?;
            self.escaped();
            saved = call_token;
        } else {
            self.top(id)?;
        }
        self.call_token = 0;
        self.progress = self.progress.wrapping_add(1);
        if guarded {
            self.guards.push((self.progress, saved));
        }
        Ok(())
    }

    fn top(&mut self, id: u32) -> Step {
        self.records.push((
            self.decoder.record_start(),
            self.progress,
            self.last_top,
            self.last_time,
        ));
        let (other, likely) = SLOTS[usize::from(matches!(self.last_top, 3 | 5))];
        if let Some(&(_, cum, freq)) = likely.iter().find(|a| a.0 == id) {
            self.symbol(cum, freq)?;
        } else {
            self.symbol(other.0, other.1)?;
            self.bits(id, ID_BITS)?;
        }
        self.last_time += span(&mut self.decoder, GAP)?;
        self.note();
        self.last_top = id;
        Ok(())
    }

    fn leave(&mut self) -> Step {
        let (id, frame, call) = self.frames.pop().unwrap();
        self.progress = self.progress.wrapping_add(1);
        if Self::guarded(id) && self.guards.last().is_some_and(|g| g.0 == frame) {
            self.call_token = self.guards.pop().unwrap().1;
            if self.guards.is_empty() {
                self.close()?;
            }
        }
        if call >= SLOT { self.none(call) } else { Ok(()) }
    }

    fn none(&mut self, call: u32) -> Step {
        if self.call_token == call {
            let (cum, freq) = SLOTS[(call - SLOT) as usize].0;
            self.symbol(cum, freq)?;
            self.call_token = 0;
        }
        Ok(())
    }

    fn unwound(&mut self, frame: u32) -> Step {
        let Some(at) = self.guards.iter().rposition(|g| g.0 == frame) else { return Ok(()) };
        self.escape(Escape::Unwound)?;
        if self.gamma()? != self.progress.wrapping_sub(frame) {
            return Err(Stop::Wrong);
        }
        self.escaped();
        self.call_token = self.guards[at].1;
        self.guards.truncate(at);
        if at == 0 { self.close() } else { Ok(()) }
    }

    fn caught(&mut self, handler: u32) -> Step {
        let frame = self.frames.last().unwrap().1;
        self.escape(Escape::Handler)?;
        self.bits(handler, ID_BITS)?;
        if self.gamma()? != self.progress.wrapping_sub(frame) {
            return Err(Stop::Wrong);
        }
        self.escaped();
        self.call_token = 0;
        let live: Vec<u32> = self.frames.iter().map(|f| f.1).collect();
        self.guards.retain(|g| live.contains(&g.0));
        Ok(())
    }

    fn flush(&mut self) -> Step {
        if self.decoder.is_fresh() {
            return Ok(());
        }
        self.escape(Escape::Flush)?;
        self.bits(hash(self.progress), 16)?;
        self.reset()
    }

    fn any_id(&mut self) -> u32 {
        match self.next(8) {
            k @ 0..6 => k + 1,
            6 => 9,
            _ => 70000,
        }
    }

    fn op(&mut self, unguarded: bool) -> Step {
        if self.frames.is_empty() {
            let mut id = self.any_id();
            if !(Self::guarded(id) || unguarded && self.next(8) == 0) {
                id = 3;
            }
            return self.enter(id, 0);
        }
        let k = self.next(100);
        if k < 60 {
            let shape = self.next(4);
            let cum = match shape {
                0 => 0,
                1 => 65534,
                _ => self.next(65535),
            };
            let freq = match shape {
                0 => 65535 - self.next(20),
                1 => 1,
                _ => 1 + self.next(65535 - cum),
            };
            self.symbol(cum, freq)
        } else if k < 75 && self.frames.len() < 60 {
            let id = self.any_id();
            match self.next(4) {
                0 => {
                    self.call_token = id;
                    self.enter(id, 0)
                }
                1 => self.enter(id, 0),
                how => {
                    let call = SLOT + self.next(3);
                    self.call_token = call;
                    if how == 2 { self.enter(id, call) } else { self.none(call) }
                }
            }
        } else if k < 96 {
            self.leave()
        } else if k < 98 {
            let to = self.next(self.frames.len() as u32 + 1) as usize;
            while self.frames.len() > to {
                let (id, frame, _) = self.frames.pop().unwrap();
                if Self::guarded(id) {
                    self.unwound(frame)?;
                }
            }
            if to > 0 {
                let handler = 1 + self.next(1000);
                self.caught(handler)?;
            }
            Ok(())
        } else if self.next(4) == 0 {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Reads the whole script.
    pub fn read(&mut self, ops: u32, unguarded: bool) -> Step {
        while self.done < ops {
            self.op(unguarded)?;
            self.done += 1;
        }
        while !self.frames.is_empty() {
            self.leave()?;
        }
        self.flush()
    }
}
