//! Events of a decoder, compared with what ran.
#![allow(dead_code)]

use decoder::log::{Collector, LogSet};
use decoder::replay::{BlockNo, LoopRounds, PathEvent, PathSink, Program, Times, Via};
use decoder::session::Note;
use model::map::{HandlerId, Map, MethodId, OriginId};
use model::protocol::Protocol;
use tests::sim::{Event, How, Truth};

/// An event as the decoder reported it: like [`Event`], with all places where an exception may have
/// been thrown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    Enter(MethodId, How),
    Block(MethodId, u32),
    Origin(OriginId),
    Leave,
    Caught { dropped: usize, handler: HandlerId, block: BlockNo, from: Vec<BlockNo> },
    Unwound { dropped: usize, from: Vec<BlockNo> },
}

/// A run of events without a break.
#[derive(Debug, Default, Clone)]
pub struct Part {
    pub events: Vec<Heard>,
    /// Events that no check has proven begin here.
    pub unproven: Option<usize>,
    /// True if it begins where the thread does.
    pub beginning: bool,
    /// Number of events that each check had proven.
    pub checked: Vec<usize>,
    /// Methods of frames that may have ended earlier, and how many events had been reported
    /// then.
    pub doubts: Vec<(MethodId, usize)>,
    /// The depth of the frame that each of them means.
    pub doubted_depths: Vec<usize>,
}

/// Listens to one thread.
pub struct Ear<'p, 'm> {
    program: &'p Program<'m>,
    pub parts: Vec<Part>,
    pub notes: Vec<Note>,
    /// Times of callbacks; and each slab's clock, with the number of callbacks that had begun.
    pub times: Vec<Times>,
    pub clocks: Vec<(usize, u64)>,
    /// Decoding has just resumed: it knows when the last callback ended, not when it began.
    resumed: bool,
    /// Depth in implied calls, which the truth lacks.
    implied: usize,
}

/// A callback of which it is not known how long after the last one it began.
const SOME_TIME: How = How::Top(u32::MAX);

impl<'p, 'm> Ear<'p, 'm> {
    pub fn new(program: &'p Program<'m>) -> Self {
        Ear {
            program,
            parts: vec![Part { beginning: true, ..Part::default() }],
            notes: vec![],
            times: vec![],
            clocks: vec![],
            resumed: false,
            implied: 0,
        }
    }

    fn part(&mut self) -> &mut Part {
        self.parts.last_mut().unwrap()
    }
}

impl PathSink for Ear<'_, '_> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => self.times.push(times),
            PathEvent::Clock(us) => self.clocks.push((self.times.len(), us)),
            PathEvent::Enter { method, via } => self.enter(method, via),
            PathEvent::Origin(origin) => self.part().events.push(Heard::Origin(origin)),
            PathEvent::Block(block) => self.block(block),
            PathEvent::Leave => self.leave(),
            PathEvent::Caught { dropped, handler, block, from } => self
                .part()
                .events
                .push(Heard::Caught { dropped, handler, block, from: from.to_vec() }),
            PathEvent::Unwound { dropped, from } => {
                self.part().events.push(Heard::Unwound { dropped, from: from.to_vec() })
            }
            PathEvent::Doubtful { method, depth } => {
                let n = self.part().events.len();
                self.part().doubted_depths.push(depth);
                self.part().doubts.push((method, n));
            }
            PathEvent::Checked => {
                let n = self.part().events.len();
                self.part().checked.push(n);
            }
            PathEvent::Note(note) => self.note(note),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        rounds.pass_each(self);
    }
}

impl Ear<'_, '_> {
    fn enter(&mut self, method: MethodId, via: Via) {
        let how = match via {
            Via::Implied => {
                self.implied += 1;
                return;
            }
            Via::Call => How::Call,
            Via::Slot(s) => How::Slot(s.0),
            Via::Callback => How::Callback,
            Via::TopLevel(_) if std::mem::take(&mut self.resumed) => SOME_TIME,
            Via::TopLevel(t) => How::Top(t),
        };
        self.part().events.push(Heard::Enter(method, how));
    }

    fn block(&mut self, block: BlockNo) {
        if self.implied > 0 {
            return;
        }
        let (m, b) = self.program.locate(block);
        self.part().events.push(Heard::Block(m, b as u32));
    }

    fn leave(&mut self) {
        if self.implied > 0 {
            self.implied -= 1;
            return;
        }
        self.part().events.push(Heard::Leave);
    }

    fn note(&mut self, note: Note) {
        match note {
            Note::Unproven => {
                let n = self.part().events.len();
                self.part().unproven = Some(n);
            }
            Note::Resumed { .. } => {
                self.resumed = self.program.map.protocol() == Protocol::Three;
                self.parts.push(Part::default());
            }
            _ => {}
        }
        self.notes.push(note);
    }
}

/// Returns true if the decoder's event is the true one.
pub fn same(program: &Program<'_>, heard: &Heard, truth: &Event) -> bool {
    let place = |m: MethodId, b: u32, from: &[BlockNo]| {
        from.iter().any(|f| program.locate(*f) == (m, b as usize))
    };
    match (heard, truth) {
        (Heard::Enter(m, SOME_TIME), Event::Enter(n, How::Top(_))) => m == n,
        (Heard::Enter(m, how), Event::Enter(n, really)) => (m, how) == (n, really),
        (Heard::Block(m, b), Event::Block(n, c)) => (m, b) == (n, c),
        (Heard::Origin(a), Event::Origin(b)) => a == b,
        (Heard::Leave, Event::Leave) => true,
        (
            Heard::Caught { dropped, handler, block, from },
            Event::Caught { dropped: d, handler: h, thrown },
        ) => {
            let really = program.map.handlers[h.0 as usize];
            dropped == d
                && handler == h
                && program.locate(*block) == (really.method, really.block.0 as usize)
                && place(thrown.0, thrown.1, from)
        }
        (Heard::Unwound { dropped, from }, Event::Unwound { dropped: d, thrown }) => {
            dropped == d && place(thrown.0, thrown.1, from)
        }
        _ => false,
    }
}

/// Number of leading events of a part that equal those of the truth.
pub fn agree(program: &Program<'_>, part: &[Heard], truth: &[Event]) -> usize {
    part.iter().zip(truth).take_while(|(h, t)| same(program, h, t)).count()
}

/// Wrong events in a part that may begin at any record of these threads: (among the proven, among
/// those that are called unproven).
pub fn wrong(program: &Program<'_>, part: &Part, truths: &[&Truth]) -> (usize, usize) {
    let proven = part.unproven.unwrap_or(part.events.len());
    let best = truths
        .iter()
        .flat_map(|t| {
            let starts = t.starts.iter().copied().filter(|_| !part.beginning).chain([0]);
            let whole = starts.map(|s| agree(program, &part.events, &t.events[s..]));
            // Inside a callback: its innermost frame is reported as one.
            let inside = t.restarts.iter().filter(|_| !part.beginning).map(|&(s, m)| {
                match part.events.split_first() {
                    Some((Heard::Enter(n, SOME_TIME), rest)) if *n == m => {
                        1 + agree(program, rest, &t.events[s..])
                    }
                    _ => 0,
                }
            });
            whole.chain(inside).collect::<Vec<_>>()
        })
        .max()
        .unwrap_or(0);
    (proven.saturating_sub(best), part.events.len() - best.max(proven))
}

/// The log in a trace file.
pub fn collect(map: &Map, bytes: &[u8]) -> LogSet {
    let mut c = Collector::new(Some(map.build));
    c.add("t", bytes).unwrap();
    c.finish()
}
