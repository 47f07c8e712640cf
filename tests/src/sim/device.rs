//! One thread's state on the device and the symbols it writes (protocol §2 to §6).

use std::collections::HashMap;

use model::adaptive::{CellAllocator, KEPT, MAX_WAYS, RESET, Rule};
use model::map::{BlockId, HandlerId, Map, MethodId, OriginId, SlotId, Terminator};
use model::protocol::{Escape, Protocol, RestartMode, RestartPlace, Span};

use super::wire::Out;

/// Call tokens from here on name slots.
const SLOT_TOKEN: u32 = 0x4000_0000;

/// Bytes after a thread's name: the system's id of the thread, 129.
pub const SYSTEM_ID: [u8; 2] = [0x81, 1];

/// The begin of a record that a reader can begin at: at top level, `unguarded` false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Position in the thread's stream.
    pub at: usize,
    /// Progress there.
    pub progress: u32,
    /// The last top-level callback, 0 for none.
    pub last_top: u32,
    /// The last time in the thread's stream, in ticks.
    pub time: u32,
}

/// Announcement of a method's entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Announced {
    /// The token named it.
    Predicted,
    /// By a slot symbol.
    Slot(SlotId),
    /// By an escape.
    Escape,
    /// As a top-level callback, this many ms after the last one.
    Top(u32),
}

/// The state.
#[derive(Debug)]
pub struct Device<'m> {
    map: &'m Map,
    out: Out,
    progress: u32,
    call_token: u32,
    slow_progress: u32,
    renormalised: u64,
    guards: Vec<(u32, u32)>,
    unguarded: bool,
    last_top: u32,
    /// The last time in the stream, in ticks; the ms at which a callback began last.
    time: u64,
    begun_ms: u64,
    /// Begin and end of the callbacks so far, in µs.
    pub times: Vec<(u64, Option<u64>)>,
    /// Length of the published stream in bytes whenever time went by, and the time in µs.
    pub published_at: Vec<(usize, u64)>,
    /// Distributions that adapt, if they do.
    adaptive: Option<Adaptive>,
    /// Records at which readers can begin.
    pub records: Vec<Record>,
    /// Bits of an ideal coder for the slices coded so far.
    pub ideal: f64,
    /// Number of flushes of the coder.
    pub flushes: u64,
}

/// Distributions that adapt: by method id and block number.
#[derive(Debug)]
struct Adaptive {
    fresh: HashMap<(u32, u32), (Rule, Vec<u16>)>,
    cells: HashMap<(u32, u32), (Rule, Vec<u16>)>,
    /// Position of their last restart, and the distance in bytes to the next one.
    last: Option<usize>,
    distance: usize,
}

impl Adaptive {
    fn new(map: &Map) -> Option<Self> {
        let rule = Rule::of(map.recording)?;
        let mut fresh = HashMap::new();
        for (m, method) in map.methods.iter().enumerate() {
            for (b, block) in method.blocks.iter().enumerate() {
                if let Terminator::Branch { alternatives, .. } = &block.terminator
                    && alternatives.len() <= MAX_WAYS
                {
                    fresh.insert(
                        (m as u32 + 1, b as u32),
                        (rule, alternatives.iter().map(|a| a.1).collect()),
                    );
                }
            }
        }
        (!fresh.is_empty()).then(|| Adaptive {
            cells: fresh.clone(),
            fresh,
            last: None,
            distance: 150,
        })
    }
}

/// Calls `each` with method id and block, cell and alternatives of every branch that adapts.
fn places(map: &Map, mut each: impl FnMut((u32, u32), usize, usize)) {
    let mut layout = CellAllocator::default();
    for (m, method) in map.methods.iter().enumerate() {
        for (b, block) in method.blocks.iter().enumerate() {
            if let Terminator::Branch { alternatives, .. } = &block.terminator
                && let Some(at) = layout.place(alternatives.len())
            {
                each((m as u32 + 1, b as u32), at as usize, alternatives.len());
            }
        }
    }
}

fn hash(progress: u32) -> u32 {
    progress.wrapping_mul(0x9E37_79B1) >> 16
}

impl<'m> Device<'m> {
    /// A thread that begins; `progress` of a real one begins at 0.
    pub fn new(map: &'m Map, name: &str) -> Self {
        let mut out = Out::new(map.recording);
        out.raw(&[name.len() as u8]);
        out.raw(name.as_bytes());
        out.raw(&SYSTEM_ID);
        Device {
            map,
            out,
            progress: 0,
            call_token: 0,
            slow_progress: 0,
            renormalised: 0,
            guards: vec![],
            unguarded: false,
            last_top: 0,
            time: 0,
            begun_ms: 0,
            times: vec![],
            published_at: vec![],
            adaptive: Adaptive::new(map),
            records: vec![],
            ideal: 0.0,
            flushes: 0,
        }
    }

    /// Its process begins with these cells, in the order of `model::adaptive::CellAllocator`.
    pub fn begin_with(&mut self, cells: &[u16]) {
        let map = self.map;
        if let Some(a) = &mut self.adaptive {
            places(map, |block, at, ways| {
                let Some((_, freqs)) = a.fresh.get_mut(&block) else { return };
                *freqs = match ways {
                    2 => vec![cells[at], 65_535 - cells[at]],
                    _ => cells[at + 1..=at + ways].to_vec(),
                };
            });
            a.cells.clone_from(&a.fresh);
        }
    }

    /// The cells as they are now, in the same order.
    pub fn cells(&self) -> Vec<u16> {
        let mut cells = vec![];
        if let Some(a) = &self.adaptive {
            places(self.map, |block, at, ways| {
                let Some((_, freqs)) = a.cells.get(&block) else { return };
                cells.resize(at, 0);
                if ways > 2 {
                    cells.push(ways as u16);
                    cells.extend(freqs);
                } else {
                    cells.push(freqs[0]);
                }
            });
        }
        cells
    }

    /// Returns true if the next guarded announcement is a top-level callback.
    pub fn at_top(&self) -> bool {
        self.guards.is_empty() && !self.unguarded
    }

    /// Bytes that can no longer change.
    pub fn published(&self) -> usize {
        self.out.published().len()
    }

    /// Ends without a flush (a kill): what was published.
    pub fn into_published(self) -> (Vec<u8>, Vec<Record>) {
        (self.out.published().to_vec(), self.records)
    }

    fn noted(&mut self) {
        if self.out.words() != self.renormalised {
            self.renormalised = self.out.words();
            self.slow_progress = self.progress;
        }
    }

    fn constant(&mut self, constant: u32) {
        self.ideal += self.out.symbol(constant);
        self.noted();
    }

    fn bits(&mut self, v: u32, n: u32) {
        self.out.bits(v, n);
        self.ideal += f64::from(n);
        self.noted();
    }

    fn gamma(&mut self, v: u32) {
        self.out.gamma(v);
        self.ideal += 6.0 + f64::from((32 - v.leading_zeros()).saturating_sub(1));
        self.noted();
    }

    fn id(&mut self, v: u32) {
        self.bits(v, u32::from(self.map.id_bits));
    }

    /// A symbol under a distribution.
    pub fn symbol(&mut self, freqs: &[u16], alternative: usize) {
        self.constant(self.map.recording.symbols(freqs)[alternative]);
    }

    /// A block is left for the target number `alternative`.
    pub fn edge(&mut self, freqs: &[u16], targets: &[BlockId], alternative: usize) {
        self.constant(self.map.recording.edges(freqs, targets)[alternative]);
    }

    /// A branch: the alternative taken, under the distribution as it is now.
    pub fn branch(
        &mut self,
        method: MethodId,
        block: u32,
        freqs: &[u16],
        targets: &[BlockId],
        alternative: usize,
    ) {
        let Some(cells) = self.adaptive.as_mut().and_then(|a| a.cells.get_mut(&(method.0, block)))
        else {
            return self.edge(freqs, targets, alternative);
        };
        let now = cells.1.clone();
        cells.0.update(&mut cells.1, alternative);
        self.symbol(&now, alternative);
    }

    fn escape(&mut self, kind: Escape) {
        let distance = self.progress.wrapping_sub(self.slow_progress);
        self.ideal += self.out.escape();
        self.noted();
        self.bits(kind.number(), Escape::BITS);
        let c = (0..3).find(|c| distance < 1 << (4 << c)).unwrap_or(3);
        self.bits(c, 2);
        let n = 4 << c;
        self.bits((u64::from(self.progress) & ((1 << n) - 1)) as u32, n);
    }

    fn reset(&mut self) {
        self.flushes += u64::from(!self.out.is_fresh());
        self.out.flush();
        self.renormalised = 0;
        self.slow_progress = self.progress;
    }

    /// Some ticks go by. The time then, in µs.
    pub fn pass(&mut self, ticks: u32) -> u64 {
        let tick_us = u64::from(self.map.protocol().tick_us());
        self.published_at.push((self.published(), self.time * tick_us));
        self.time += u64::from(ticks);
        self.time * tick_us
    }

    fn close(&mut self) {
        if self.map.protocol() == Protocol::Three {
            // Anything, the same for the same path; most callbacks take no time.
            let took = (hash(self.progress) >> (self.progress % 16)) * (self.progress % 3);
            let now = self.pass(took);
            self.ideal += self.out.span(took, Span::Duration);
            self.noted();
            if let Some((_, end @ None)) = self.times.last_mut() {
                *end = Some(now);
            }
        }
        self.ideal += self.out.check(hash(self.progress));
        self.reset();
    }

    /// The caller is about to make a predicted call.
    pub fn calling(&mut self, callee: MethodId) {
        self.call_token = callee.0;
    }

    /// The caller is about to call through a slot.
    pub fn calling_slot(&mut self, slot: SlotId) {
        self.call_token = SLOT_TOKEN + slot.0;
    }

    /// The call through a slot came back.
    pub fn called_slot(&mut self, slot: SlotId) {
        if self.call_token == SLOT_TOKEN + slot.0 {
            self.symbol(&self.map.slots[slot.0 as usize].freqs, 0);
            self.call_token = 0;
        }
    }

    /// A method is entered: its frame number, how that was announced, and whether it is on the
    /// guard stack. `passed` ticks went by since the last time in the stream.
    pub fn enter(&mut self, id: MethodId, passed: u32) -> (u32, Announced, bool) {
        if self.call_token == id.0 {
            self.call_token = 0;
            self.progress = self.progress.wrapping_add(1);
            return (self.progress, Announced::Predicted, false);
        }
        let map = self.map;
        let guarded = map.methods[id.0 as usize - 1].guarded;
        let slot =
            self.call_token.checked_sub(SLOT_TOKEN).map(|s| (SlotId(s), &map.slots[s as usize]));
        let through =
            slot.and_then(|(s, slot)| Some((s, slot, slot.callees.iter().position(|c| *c == id)?)));
        let mut saved = 0;
        let announced = if let Some((s, slot, i)) = through {
            self.symbol(&slot.freqs, i + 1);
            Announced::Slot(s)
        } else if !guarded {
            self.escape(Escape::EntryUnguarded);
            self.id(id.0);
            self.bits(u32::from(self.call_token != 0), 1);
            self.slow_progress = self.progress;
            self.unguarded |= self.guards.is_empty();
            Announced::Escape
        } else if !self.at_top() {
            self.escape(Escape::Entry);
            self.id(id.0);
            self.slow_progress = self.progress;
            saved = self.call_token;
            Announced::Escape
        } else {
            Announced::Top(self.top(id, passed))
        };
        self.call_token = 0;
        self.progress = self.progress.wrapping_add(1);
        if guarded {
            self.guards.push((self.progress, saved));
        }
        (self.progress, announced, guarded)
    }

    fn top(&mut self, id: MethodId, passed: u32) -> u32 {
        let (progress, last_top, time) = (self.progress, self.last_top, self.time as u32);
        // Where adapted tables restart, and nowhere else, a reader can begin.
        let due =
            |a: &Adaptive| a.last.is_none_or(|at| self.out.published().len() - at >= a.distance);
        let begins = self.out.is_fresh() && self.adaptive.as_ref().is_none_or(due);
        if begins {
            self.records.push(Record { at: self.published(), progress, last_top, time });
        }
        let begin = self.pass(passed);
        let map = self.map;
        if let Some(a) = &mut self.adaptive {
            if begins {
                a.last = Some(self.out.published().len());
                a.cells.clone_from(&a.fresh);
            }
            let (cum, freq) = if begins { RESET } else { KEPT };
            self.constant(cum << 16 | freq);
        }
        let slot =
            map.next_callbacks.iter().find(|i| i.0.0 == last_top).map_or(0, |i| i.1.0 as usize);
        let slot = &map.slots[slot];
        match slot.callees.iter().position(|c| *c == id) {
            Some(i) => self.symbol(&slot.freqs, i + 1),
            None => {
                self.symbol(&slot.freqs, 0);
                self.id(id.0);
            }
        }
        if map.protocol() == Protocol::Three {
            self.ideal += self.out.span(passed, Span::Gap);
            self.noted();
        } else {
            self.gamma(passed);
        }
        self.last_top = id.0;
        self.times.push((begin, None));
        let since = begin / 1000 - self.begun_ms;
        self.begun_ms = begin / 1000;
        since as u32
    }

    /// A callback that has just begun came from here: as the entry and the return of a method
    /// without a guard.
    pub fn origin(&mut self, origin: OriginId) {
        self.escape(Escape::EntryUnguarded);
        self.id(self.map.methods.len() as u32 + 1 + origin.0);
        self.bits(0, 1);
        self.slow_progress = self.progress;
        self.unguarded |= self.guards.is_empty();
        self.progress = self.progress.wrapping_add(2);
    }

    /// A marked block is entered.
    pub fn mark(&mut self) {
        self.progress = self.progress.wrapping_add(1);
    }

    /// A method returns normally.
    pub fn leave(&mut self, frame: u32) {
        self.progress = self.progress.wrapping_add(1);
        if self.guards.last().is_some_and(|g| g.0 == frame) {
            self.call_token = self.guards.pop().map_or(0, |g| g.1);
            if self.guards.is_empty() {
                self.close();
            }
        }
    }

    /// An exception leaves a frame that is on the guard stack.
    pub fn unwound(&mut self, frame: u32) {
        let Some(at) = self.guards.iter().rposition(|g| g.0 == frame) else { return };
        self.escape(Escape::Unwound);
        self.gamma(self.progress.wrapping_sub(frame));
        self.slow_progress = self.progress;
        self.call_token = self.guards[at].1;
        self.guards.truncate(at);
        if at == 0 {
            self.close();
        }
    }

    /// An exception arrives at a handler of this frame.
    pub fn caught(&mut self, handler: HandlerId, frame: u32) {
        self.escape(Escape::Handler);
        self.id(handler.0);
        self.gamma(self.progress.wrapping_sub(frame));
        self.slow_progress = self.progress;
        self.call_token = 0;
        // Frames above have larger numbers, counted from this one.
        let progress = self.progress;
        self.guards.retain(|g| progress.wrapping_sub(g.0) >= progress.wrapping_sub(frame));
    }

    /// Flush on request. Whether anything was written.
    pub fn flush(&mut self) -> bool {
        if self.out.is_fresh() {
            return false;
        }
        self.escape(Escape::Flush);
        self.bits(hash(self.progress), 16);
        self.reset();
        true
    }

    /// At the head of a loop: a reader can begin here. `frame`: the number of the innermost
    /// frame. Whether that is possible.
    pub fn restart(&mut self, place: RestartPlace, frame: u32) -> bool {
        let Some(number) = place.number().filter(|_| self.map.protocol() == Protocol::Three) else {
            return false;
        };
        let due =
            |a: &Adaptive| a.last.is_none_or(|at| self.out.published().len() - at >= a.distance);
        if !self.adaptive.as_ref().is_none_or(due) {
            return false;
        }
        self.escape(Escape::Entry);
        self.id(0);
        self.bits(number, 32);
        self.bits(hash(self.progress), 16);
        self.reset();
        let (at, progress, time) = (self.published(), self.progress, self.time as u32);
        self.records.push(Record { at, progress, last_top: number, time });
        let guard = self.guards.last().map(|g| g.0) == Some(frame);
        let mode = match (guard, self.guards.len()) {
            (false, _) => RestartMode::Plain,
            (true, 1) if !self.unguarded => RestartMode::Outermost,
            (true, _) => RestartMode::Guarded,
        };
        self.bits(mode.number(), RestartMode::BITS);
        self.gamma(self.progress.wrapping_sub(frame));
        self.bits(place.check(self.progress).expect("it has a number"), 16);
        if let Some(a) = &mut self.adaptive {
            a.last = Some(at);
            a.cells.clone_from(&a.fresh);
        }
        true
    }

    /// Nothing follows.
    pub fn end(&mut self) {
        self.ideal += self.out.escape();
        self.noted();
        self.bits(Escape::End.number(), Escape::BITS);
        self.reset();
    }
}
