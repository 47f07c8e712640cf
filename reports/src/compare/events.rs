//! The events of a session, numbered across builds.

use decoder::log::Process;
use decoder::replay::{BlockNo, Decision, LoopRounds, PathEvent, PathSink, Via};
use decoder::session::decode_thread_on;
use model::map::MethodId;

use super::common::{BuildEvent, ComparedBuild, mix};

/// Receives the events of one session after the other.
pub(crate) trait EventSink {
    /// Begins a top-level callback; `number` is its number in its thread, from 1.
    fn callback(&mut self, _method: MethodId, _number: u64) {}
    /// Records an event of `Common::events` that happened `times` times at a site.
    fn event(&mut self, event: u32, site: u32, times: u64);
    /// Records that a session came to a site.
    fn reach(&mut self, _site: u32) {}
    /// Records a thrown exception: the hash of the event, and the event.
    fn thrown(&mut self, hash: u64, what: BuildEvent, site: u32);
    /// Begins a thread, and ends the one before it.
    fn thread(&mut self, _number: u32) {}
}

/// Passes on the events of a thread.
struct Events<'b, 'm, S> {
    build: &'b ComparedBuild<'m>,
    sink: S,
    callbacks: u64,
}

/// Passes on the events of all threads. Returns the number of undecodable records.
pub(crate) fn read(build: &ComparedBuild<'_>, process: &Process, sink: &mut impl EventSink) -> u64 {
    let mut faulty = 0;
    for thread in &process.threads {
        sink.thread(thread.number);
        let mut events = Events { build, sink: &mut *sink, callbacks: 0 };
        faulty += decode_thread_on(&build.cores, &build.program, thread, &mut events).faulty;
    }
    faulty
}

impl<S: EventSink> Events<'_, '_, &mut S> {
    fn thrown(&mut self, what: fn(BlockNo) -> BuildEvent, kind: u64, from: &[BlockNo]) {
        if let Some(&block) = from.first() {
            let m = self.build.program.locate(block).0;
            let hash = mix(self.build.block(block), kind);
            self.sink.thrown(hash, what(block), self.build.method_site(m));
        }
    }
}

impl<S: EventSink> PathSink for Events<'_, '_, &mut S> {
    #[inline(always)]
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, via } => {
                if let Via::TopLevel(_) = via {
                    self.callbacks += 1;
                    self.sink.callback(method, self.callbacks);
                }
                self.sink.reach(self.build.method_site(method));
                // Calls by the app itself follow from its branches and slots.
                if let Via::TopLevel(_) | Via::Callback = via {
                    self.sink.event(self.build.entry(method), 0, 1);
                }
            }
            PathEvent::Decision { what, alternative } => self.decision(what, alternative),
            PathEvent::Caught { handler, from, .. } => {
                self.thrown(BuildEvent::Throw, 4, from);
                let m = self.build.program.map.handlers[handler.0 as usize].method;
                self.sink.event(self.build.catch(handler), self.build.method_site(m), 1);
            }
            PathEvent::Unwound { from, .. } => self.thrown(BuildEvent::Leave, 5, from),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { branch, stay, times, .. } = rounds;
        if times > 0 {
            let (event, site) = self.build.way(branch, stay);
            self.sink.event(event, site, times.into());
        }
    }
}

impl<S: EventSink> Events<'_, '_, &mut S> {
    #[inline]
    fn decision(&mut self, what: Decision, alternative: usize) {
        let (event, site) = match what {
            Decision::Branch(b) => self.build.way(b, alternative),
            Decision::Slot(s) => self.build.slot(s, alternative),
            Decision::NextCallback(_) => return,
        };
        self.sink.event(event, site, 1);
    }
}
