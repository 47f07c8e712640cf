//! Random executions.

use model::inlined::InlinedCall;
use model::map::{
    Block, BlockId, CallKind, HandlerId, Map, MethodId, OriginId, SlotId, Terminator,
};
use model::protocol::RestartPlace;

use super::Rng;
use super::device::{Announced, Device, Record};
use super::maps::{IMPLIED_NAME, SHORT_NAME};

/// Kind of a method's entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Predicted.
    Call,
    /// Through this slot.
    Slot(u32),
    /// Announced by an escape.
    Callback,
    /// Top-level callback, ms after the last one.
    Top(u32),
}

/// Something that ran. Blocks are numbered within their method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A method began.
    Enter(MethodId, How),
    /// The innermost frame went on in this block.
    Block(MethodId, u32),
    /// The innermost frame, which has just begun, came from here.
    Origin(OriginId),
    /// The innermost frame returned.
    Leave,
    /// An exception thrown in `thrown` ended `dropped` frames and was caught in the next.
    Caught {
        /// Frames that ended.
        dropped: usize,
        /// The handler.
        handler: HandlerId,
        /// Method and block of the innermost frame.
        thrown: (MethodId, u32),
    },
    /// An exception ended `dropped` frames, and left the outermost of them.
    Unwound {
        /// Frames that ended.
        dropped: usize,
        /// Method and block of the innermost frame.
        thrown: (MethodId, u32),
    },
    /// An exception ended `dropped` frames, and was swallowed by code outside that had called the
    /// outermost of them, which has no guard: the stream does not show it.
    Swallowed {
        /// Frames that ended.
        dropped: usize,
    },
}

/// The real execution.
#[derive(Debug, Clone, Default)]
pub struct Truth {
    /// In order.
    pub events: Vec<Event>,
    /// Index in `events` at which each of [`Played::records`] begins.
    pub starts: Vec<usize>,
    /// Indices in `events` at which a reader can begin inside a callback, with the method.
    pub restarts: Vec<(usize, MethodId)>,
    /// Count of each alternative of each branch block (of all methods in order).
    pub branches: Vec<Vec<u64>>,
    /// The same for call slots and next-callback distributions.
    pub slots: Vec<Vec<u64>>,
    /// Escapes and flushes.
    pub escapes: u64,
    /// Closed records.
    pub closed: u64,
    /// Points of the exceptions in `events`, in order.
    pub throws: Vec<ThrowPoint>,
}

/// Point of a block at which an exception was thrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThrowPoint {
    /// Method of the innermost frame.
    pub method: MethodId,
    /// Its block.
    pub block: u32,
    /// Calls of the block that are over.
    pub calls: usize,
    /// True if the next call threw, false if an instruction before it did.
    pub calling: bool,
}

/// Everything that one thread left.
#[derive(Debug, Clone, Default)]
pub struct Played {
    /// Its stream.
    pub bytes: Vec<u8>,
    /// Records at which readers can begin.
    pub records: Vec<Record>,
    /// The execution.
    pub truth: Truth,
    /// True if the thread was killed: the content of the coder is lost.
    pub killed: bool,
    /// Bits of an ideal coder for all slices that were coded.
    pub ideal: f64,
    /// Number of flushes of the coder.
    pub flushes: u64,
    /// Begin and end of the callbacks, in µs since the trace began.
    pub times: Vec<(u64, Option<u64>)>,
    /// Up to which byte the stream was out at which time (µs), ascending.
    pub published: Vec<(usize, u64)>,
    /// Cells of distributions that adapt, as they were at its end.
    pub cells: Vec<u16>,
}

impl Played {
    /// Time in µs at which the byte at this position was put out.
    pub fn clock(&self, at: usize) -> u64 {
        let next = self.published.partition_point(|p| p.0 <= at);
        self.published.get(next).or(self.published.last()).map_or(0, |p| p.1)
    }
}

/// Rates of what may happen: n for once in n steps, 0 for never.
#[derive(Debug, Clone, Copy)]
pub struct Habits {
    /// Steps (blocks and calls) after which the thread winds up.
    pub steps: usize,
    /// A callback out of an opaque call.
    pub callback: usize,
    /// The same by a method without guard.
    pub unguarded: usize,
    /// An exception.
    pub throw: usize,
    /// Code outside swallows what leaves a method without guard that it called: once in n times.
    pub swallow: usize,
    /// A flush on request.
    pub flush: usize,
    /// A call site reaches neither its callee nor an alternative.
    pub void: usize,
    /// Deepest stack; then an overflow is thrown.
    pub depth: usize,
    /// At a block's begin: a reader can begin there.
    pub restart: usize,
    /// True if callbacks of builds that have origins record some.
    pub origins: bool,
    /// True if events are kept, false if they are only counted.
    pub keep: bool,
}

impl Habits {
    /// Everything happens.
    pub fn any(rng: &mut Rng, steps: usize) -> Habits {
        let some = |rng: &mut Rng, n: usize| if rng.one_in(4) { 0 } else { 5 + rng.below(n) };
        Habits {
            steps,
            callback: some(rng, 80),
            unguarded: if rng.one_in(2) { 0 } else { 20 + rng.below(400) },
            throw: some(rng, 100),
            swallow: 0,
            flush: some(rng, 300),
            void: if rng.one_in(2) { 0 } else { 5 + rng.below(30) },
            depth: 3 + rng.below(60),
            restart: 0,
            origins: true,
            keep: true,
        }
    }

    /// Nothing but branches and calls.
    pub fn plain(steps: usize, keep: bool) -> Habits {
        Habits {
            steps,
            callback: 0,
            unguarded: 0,
            throw: 0,
            swallow: 0,
            flush: 0,
            void: 0,
            depth: 1000,
            restart: 0,
            origins: false,
            keep,
        }
    }
}

struct Frame {
    method: MethodId,
    block: u32,
    call: usize,
    number: u32,
    guard: bool,
    /// Code outside the app called it, and may swallow what it throws.
    outside: bool,
    /// Its code stands in its caller's: nothing counts it.
    inlined: bool,
    /// The token of its next call is set.
    calling: bool,
    /// The last block that is reported, and those begun by `goto` since.
    reported: u32,
    pending: Vec<u32>,
}

struct Player<'m, 'r> {
    map: &'m Map,
    rng: &'r mut Rng,
    habits: Habits,
    device: Device<'m>,
    frames: Vec<Frame>,
    truth: Truth,
    /// Per block of all methods: which entry of `Truth::branches`.
    branch_at: Vec<Vec<usize>>,
    guarded: Vec<MethodId>,
    unguarded: Vec<MethodId>,
    /// Per method.
    handlers: Vec<Vec<HandlerId>>,
    /// The thread died of an exception.
    dead: bool,
    last_top: u32,
    steps: usize,
}

/// Returns true if nothing outside calls the method back: it has no probes, or throws nothing.
fn is_inside(map: &Map, m: MethodId) -> bool {
    let name = map.name(map.methods[m.0 as usize - 1].name);
    [IMPLIED_NAME, SHORT_NAME].iter().any(|begin| name.starts_with(begin))
}

/// Plays a thread: branches are drawn by the tables of `odds` (a map of the same program), coded by
/// those of `map`.
pub fn play(map: &Map, odds: &Map, name: &str, rng: &mut Rng, habits: Habits) -> Played {
    play_from(map, odds, name, rng, habits, None)
}

/// The same in a process that begins with these cells.
pub fn play_from(
    map: &Map,
    odds: &Map,
    name: &str,
    rng: &mut Rng,
    habits: Habits,
    cells: Option<&[u16]>,
) -> Played {
    let mut truth = Truth::default();
    let mut branch_at = vec![];
    for m in &map.methods {
        let mut at = vec![];
        for b in &m.blocks {
            at.push(truth.branches.len());
            if let Terminator::Branch { alternatives, .. } = &b.terminator {
                truth.branches.push(vec![0; alternatives.len()]);
            }
        }
        branch_at.push(at);
    }
    truth.slots = map.slots.iter().map(|s| vec![0; s.freqs.len()]).collect();
    let ids = (1..=map.methods.len() as u32).map(MethodId);
    let (guarded, unguarded) = ids
        .clone()
        .filter(|m| !is_inside(map, *m))
        .partition(|m| map.methods[m.0 as usize - 1].guarded);
    let of = |m: MethodId| {
        (0..map.handlers.len() as u32)
            .map(HandlerId)
            .filter(move |h| map.handlers[h.0 as usize].method == m)
    };
    let handlers = ids.map(|m| of(m).collect()).collect();
    let mut device = Device::new(map, name);
    if let Some(cells) = cells {
        device.begin_with(cells);
    }
    let mut p = Player {
        map,
        rng,
        habits,
        device,
        frames: vec![],
        truth,
        branch_at,
        guarded,
        unguarded,
        handlers,
        dead: false,
        last_top: 0,
        steps: 0,
    };
    p.run(odds);
    let killed = !p.dead && !p.frames.is_empty();
    if p.dead {
        p.device.flush();
    } else if !killed && p.rng.one_in(3) {
        p.device.end();
    }
    let (ideal, flushes) = (p.device.ideal, p.device.flushes);
    p.device.pass(0);
    let times = std::mem::take(&mut p.device.times);
    let published = std::mem::take(&mut p.device.published_at);
    let cells = p.device.cells();
    let (bytes, records) = p.device.into_published();
    Played { bytes, records, truth: p.truth, killed, ideal, flushes, times, published, cells }
}

impl Player<'_, '_> {
    fn record(&mut self, e: Event) {
        if self.habits.keep {
            self.truth.events.push(e);
        }
    }

    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a frame")
    }

    /// Blocks that the innermost frame reached by `goto` are certain now.
    fn settle(&mut self) {
        let n = self.frames.last().map_or(0, |f| f.pending.len());
        self.report(n);
    }

    fn report(&mut self, n: usize) {
        let Some(f) = self.frames.last_mut() else { return };
        let method = f.method;
        for b in f.pending.drain(..n).collect::<Vec<_>>() {
            self.record(Event::Block(method, b));
            self.top().reported = b;
        }
    }

    fn block(&self, method: MethodId, block: u32) -> &Block {
        &self.map.methods[method.0 as usize - 1].blocks[block as usize]
    }

    /// Something is written in the innermost frame: it happened in the first block, since the last
    /// one reported, in which something can.
    fn place(&mut self) {
        let Some(f) = self.frames.last() else { return };
        let stretch = std::iter::once(&f.reported).chain(&f.pending);
        let n = stretch.take_while(|b| !self.block(f.method, **b).throws).count();
        self.report(n.min(f.pending.len()));
    }

    /// Origins that the innermost frame, which has just begun, writes: a few, drawn by its number,
    /// so that programs without origins run the same.
    fn origins(&mut self) -> Vec<OriginId> {
        let (method, number) = (self.top().method, self.top().number);
        let count = self.map.origin_count();
        let is_guarded = self.map.methods[method.0 as usize - 1].guarded;
        if !self.habits.origins || !is_guarded || count == 0 || is_inside(self.map, method) {
            return Vec::new();
        }
        let drawn = number.wrapping_mul(0x9E37_79B1);
        let written = (0..drawn >> 30).map(|i| OriginId((drawn >> i) % count));
        written.filter(|_| drawn >> 28 & 3 == 0).collect()
    }

    fn record_origins(&mut self, origins: &[OriginId]) {
        origins.iter().for_each(|&origin| self.record(Event::Origin(origin)));
    }

    /// The innermost frame has just begun.
    fn begun(&mut self) {
        let origins = self.origins();
        self.truth.escapes += origins.len() as u64;
        origins.iter().for_each(|origin| self.device.origin(*origin));
        let method = self.top().method;
        if self.block(method, 0).mark {
            self.record_origins(&origins);
            self.entered(0, true);
            return;
        }
        self.record(Event::Block(method, 0));
        self.record_origins(&origins);
        self.top().reported = 0;
        // A reader that begins after the origins would find them missing in the truth.
        if self.rng.one_in(self.habits.restart) && origins.is_empty() {
            self.restart(0);
        }
    }

    /// The innermost frame has entered a block, not by an exception.
    fn entered(&mut self, block: u32, reported: bool) {
        let method = self.top().method;
        if self.block(method, block).mark {
            self.settle();
            self.device.mark();
        } else if !reported {
            self.top().pending.push(block);
            if self.rng.one_in(self.habits.restart) {
                self.restart(block);
            }
            return;
        }
        self.record(Event::Block(method, block));
        self.top().reported = block;
        if self.rng.one_in(self.habits.restart) {
            self.restart(block);
        }
    }

    /// A reader can begin at this block, which the innermost frame has just entered, if it is one
    /// that an instrumented app may name.
    fn restart(&mut self, block: u32) {
        let f = self.frames.last().expect("a frame");
        let (method, number) = (f.method, f.number);
        let body = &self.map.methods[method.0 as usize - 1];
        // Nodes of graphs with inlined calls have other numbers; loops and regions gather.
        let hosts = self.map.inlined.iter().any(|m| m.method == method);
        let gathers = !body.regions.is_empty() || !body.loops.is_empty();
        let framed = body.guarded || !self.handlers[method.0 as usize - 1].is_empty();
        if f.inlined || !framed || hosts || gathers || is_inside(self.map, method) {
            return;
        }
        let place = RestartPlace { method, block: BlockId(block) };
        if self.device.restart(place, number) {
            self.settle();
            self.truth.escapes += 1;
            self.truth.restarts.push((self.truth.events.len() - 1, method));
        }
    }

    fn push(&mut self, id: MethodId) {
        let passed = if self.rng.one_in(8) {
            self.rng.bits() as u32 >> self.rng.below(20).max(8)
        } else {
            self.rng.below(40) as u32
        };
        let begun = self.device.records.len();
        if self.device.at_top()
            && self.map.methods[id.0 as usize - 1].guarded
            && self.frames.is_empty()
        {
            let last = self.last_top;
            let s = self
                .map
                .next_callbacks
                .iter()
                .find(|i| i.0.0 == last)
                .map_or(0, |i| i.1.0 as usize);
            let i = self.map.slots[s].callees.iter().position(|c| *c == id).map_or(0, |i| i + 1);
            self.truth.slots[s][i] += 1;
            self.last_top = id.0;
        }
        let (number, announced, guard) = self.device.enter(id, passed);
        let how = match announced {
            Announced::Predicted => How::Call,
            Announced::Slot(s) => How::Slot(s.0),
            Announced::Escape => How::Callback,
            Announced::Top(ms) => How::Top(ms),
        };
        match how {
            How::Call | How::Slot(_) => self.settle(),
            How::Callback => {
                self.place();
                self.truth.escapes += 1;
            }
            How::Top(_) => {}
        }
        if self.device.records.len() > begun {
            self.truth.starts.push(self.truth.events.len());
        }
        self.record(Event::Enter(id, how));
        let outside = how == How::Callback || guard && how != How::Call;
        self.frames.push(Frame {
            method: id,
            block: 0,
            call: 0,
            number,
            guard,
            outside,
            inlined: false,
            calling: false,
            reported: 0,
            pending: vec![],
        });
        self.begun();
    }

    /// Returns true if the callee's code stands in place of the next call of the innermost frame.
    fn is_inlined(&self, f: &Frame) -> bool {
        let call = InlinedCall { depth: 0, block: BlockId(f.block), call: f.call as u32 };
        let calls = self.map.inlined.iter().filter(|m| m.method == f.method);
        f.inlined || calls.flat_map(|m| &m.calls).any(|c| *c == call)
    }

    /// Goes into such a callee. A symbol comes next, so all before is certain.
    fn inline(&mut self, id: MethodId) {
        self.settle();
        self.record(Event::Enter(id, How::Call));
        self.frames.push(Frame {
            method: id,
            block: 0,
            call: 0,
            number: 0,
            guard: false,
            outside: false,
            inlined: true,
            calling: false,
            reported: 0,
            pending: vec![],
        });
        self.entered(0, true);
    }

    fn run(&mut self, odds: &Map) {
        while !self.dead {
            self.steps += 1;
            let over = self.steps > self.habits.steps;
            if self.frames.is_empty() {
                if over {
                    return;
                }
                self.idle();
            } else if over && self.may_throw() {
                self.throw(false);
            } else if over && self.steps > self.habits.steps + 1000 {
                // It runs in circles in which nothing can happen: a kill.
                return;
            } else {
                self.step(odds);
            }
        }
    }

    fn may_throw(&self) -> bool {
        self.frames.last().is_some_and(|f| self.block(f.method, f.block).throws)
    }

    fn idle(&mut self) {
        let loose = self.rng.one_in(self.habits.unguarded);
        let among =
            if loose && !self.unguarded.is_empty() { &self.unguarded } else { &self.guarded };
        let id = among[self.rng.below(among.len())];
        self.push(id);
    }

    /// A callback from code outside the app, if one of this kind can come here.
    fn call_back(&mut self, loose: bool) -> bool {
        let among = if loose { &self.unguarded } else { &self.guarded };
        if among.is_empty() {
            return false;
        }
        let id = among[self.rng.below(among.len())];
        let f = self.frames.last().expect("a frame");
        if f.calling {
            // What the call site knows is no surprise.
            let known = match self.map.methods[f.method.0 as usize - 1].blocks[f.block as usize]
                .calls[f.call]
                .call
            {
                CallKind::Predicted(m) => m == id,
                CallKind::Slot(s) => self.map.slots[s.0 as usize].callees.contains(&id),
                CallKind::Implied(_) => false,
            };
            if known {
                return false;
            }
            if loose {
                let f = self.top();
                f.calling = false;
                f.call += 1;
            }
        }
        self.push(id);
        true
    }

    fn step(&mut self, odds: &Map) {
        let throws = self.may_throw();
        if throws && (self.frames.len() > self.habits.depth || self.rng.one_in(self.habits.throw)) {
            return self.throw(true);
        }
        if throws && self.rng.one_in(self.habits.flush) && self.device.flush() {
            self.place();
            self.truth.escapes += 1;
        }
        let calling = self.frames.last().is_some_and(|f| f.calling);
        if throws && self.rng.one_in(self.habits.callback) && self.call_back(false) {
            return;
        }
        let rare = if calling { self.habits.void } else { self.habits.unguarded };
        if throws && self.rng.one_in(rare) && self.call_back(true) {
            return;
        }
        let (map, f) = (self.map, self.frames.last_mut().expect("a frame"));
        let block = &map.methods[f.method.0 as usize - 1].blocks[f.block as usize];
        let Some(site) = block.calls.get(f.call) else {
            return self.terminate(&block.terminator, odds);
        };
        if let CallKind::Implied(_) = site.call {
            // It runs, and writes nothing.
            f.call += 1;
            return;
        }
        if let (CallKind::Predicted(callee), f) = (site.call, self.frames.len() - 1)
            && self.is_inlined(&self.frames[f])
        {
            self.frames[f].call += 1;
            return self.inline(callee);
        }
        let f = self.frames.last_mut().expect("a frame");
        if !f.calling {
            f.calling = true;
            match site.call {
                CallKind::Predicted(m) => self.device.calling(m),
                CallKind::Slot(s) => self.device.calling_slot(s),
                CallKind::Implied(_) => {}
            }
            return;
        }
        f.calling = false;
        f.call += 1;
        match site.call {
            CallKind::Implied(_) => {}
            CallKind::Predicted(m) => self.push(m),
            CallKind::Slot(s) => self.through(s, odds),
        }
    }

    fn through(&mut self, s: SlotId, odds: &Map) {
        let i = self.rng.weighted(&odds.slots[s.0 as usize].freqs);
        self.truth.slots[s.0 as usize][i] += 1;
        if i > 0 {
            self.push(self.map.slots[s.0 as usize].callees[i - 1]);
        } else {
            self.device.called_slot(s);
            self.settle();
        }
    }

    fn go(&mut self, to: BlockId) {
        let f = self.top();
        f.block = to.0;
        f.call = 0;
    }

    fn terminate(&mut self, terminator: &Terminator, odds: &Map) {
        let f = self.frames.last().expect("a frame");
        let (method, block, number) = (f.method, f.block, f.number);
        match terminator {
            Terminator::Throw => self.throw(true),
            Terminator::Goto(t) => {
                let reported = self.map.recording.records_gotos();
                if reported {
                    self.device.edge(&[], &[*t], 0);
                    self.settle();
                }
                self.go(*t);
                self.entered(t.0, reported);
            }
            Terminator::Branch { alternatives, .. } => {
                let Terminator::Branch { alternatives: chances, .. } =
                    &odds.methods[method.0 as usize - 1].blocks[block as usize].terminator
                else {
                    panic!("the odds are of another program")
                };
                // Two-way branches are most of all.
                let i = match chances[..] {
                    [(_, first), _] => usize::from(self.rng.below(65_535) >= usize::from(first)),
                    _ => self.rng.weighted(&chances.iter().map(|c| c.1).collect::<Vec<_>>()),
                };
                self.truth.branches[self.branch_at[method.0 as usize - 1][block as usize]][i] += 1;
                let (targets, freqs): (Vec<_>, Vec<_>) = alternatives.iter().copied().unzip();
                self.device.branch(method, block, &freqs, &targets, i);
                self.settle();
                self.go(alternatives[i].0);
                self.entered(alternatives[i].0.0, true);
            }
            Terminator::Return => {
                self.settle();
                self.record(Event::Leave);
                let Frame { guard, inlined, .. } = self.frames.pop().expect("a frame");
                if inlined {
                    return;
                }
                self.device.leave(number);
                self.truth.closed += u64::from(guard && !self.frames.iter().any(|f| f.guard));
            }
        }
    }

    /// An exception in the innermost frame; `stopped`: whether anything may stop it.
    fn throw(&mut self, stopped: bool) {
        while let Some(f) = self.frames.last() {
            let thrown = (f.method, f.block);
            let point =
                ThrowPoint { method: f.method, block: f.block, calls: f.call, calling: f.calling };
            self.place();
            let mut dropped = 0;
            loop {
                let Some(f) = self.frames.last() else {
                    // It left frames that nothing guards: the thread dies of it.
                    self.dead = true;
                    return;
                };
                let handlers = &self.handlers[f.method.0 as usize - 1];
                if stopped && !handlers.is_empty() && self.rng.one_in(2) {
                    let handler = handlers[self.rng.below(handlers.len())];
                    self.device.caught(handler, f.number);
                    self.truth.escapes += 1;
                    self.record(Event::Caught { dropped, handler, thrown });
                    self.truth.throws.push(point);
                    let block = self.map.handlers[handler.0 as usize].block;
                    self.go(block);
                    let f = self.top();
                    f.reported = block.0;
                    f.calling = false;
                    f.pending.clear();
                    return;
                }
                let (guard, outside, number) = (f.guard, f.outside, f.number);
                self.frames.pop();
                dropped += 1;
                if guard {
                    self.device.unwound(number);
                    self.truth.escapes += 1;
                    self.truth.closed += u64::from(!self.frames.iter().any(|f| f.guard));
                    self.record(Event::Unwound { dropped, thrown });
                    self.truth.throws.push(point);
                    if outside && stopped && self.rng.one_in(2) {
                        return;
                    }
                    break;
                }
                if outside
                    && stopped
                    && self.habits.swallow > 0
                    && self.rng.one_in(self.habits.swallow)
                {
                    self.record(Event::Swallowed { dropped });
                    return;
                }
            }
        }
    }
}
