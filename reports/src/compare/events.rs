//! The events of a session, as numbers that all builds have in common.

use decoder::log::Process;
use decoder::replay::{BlockNo, Decision, PathSink, Via};
use decoder::session::{ThreadSink, decode_thread_on};
use model::map::{HandlerId, MethodId};

use super::common::{Build, What, mix};

/// Takes the events of one session after the other.
pub(crate) trait EventSink {
    /// A top-level callback begins; `number` is its number in its thread, from 1.
    fn callback(&mut self, _method: MethodId, _number: u64) {}
    /// An event of `Common::events` happened so often; `site` is its place.
    fn event(&mut self, event: u32, site: u32, times: u64);
    /// A session came to a place.
    fn reach(&mut self, _site: u32) {}
    /// An exception was thrown: the hash of the event, and what it is.
    fn thrown(&mut self, hash: u64, what: What, site: u32);
    /// A thread begins, or ends if it is the last one.
    fn thread(&mut self, _number: u32) {}
}

/// Passes the events of a thread on.
struct Events<'b, 'm, S> {
    build: &'b Build<'m>,
    sink: S,
    callbacks: u64,
}

/// Passes the events of all threads on. Gives how many records could not be decoded.
pub(crate) fn read(build: &Build<'_>, process: &Process, sink: &mut impl EventSink) -> u64 {
    let mut faulty = 0;
    for thread in &process.threads {
        sink.thread(thread.number);
        let mut events = Events { build, sink: &mut *sink, callbacks: 0 };
        faulty += decode_thread_on(&build.cores, &build.program, thread, &mut events).faulty;
    }
    faulty
}

impl<S: EventSink> Events<'_, '_, &mut S> {
    fn thrown(&mut self, what: fn(BlockNo) -> What, kind: u64, from: &[BlockNo]) {
        if let Some(&block) = from.first() {
            let m = self.build.program.locate(block).0;
            let hash = mix(self.build.block(block), kind);
            self.sink.thrown(hash, what(block), self.build.method_site(m));
        }
    }
}

impl<S: EventSink> PathSink for Events<'_, '_, &mut S> {
    fn enter(&mut self, method: MethodId, via: Via) {
        if let Via::TopLevel(_) = via {
            self.callbacks += 1;
            self.sink.callback(method, self.callbacks);
        }
        self.sink.reach(self.build.method_site(method));
        // What the app itself calls follows from its branches and slots.
        if let Via::TopLevel(_) | Via::Callback = via {
            self.sink.event(self.build.entry(method), 0, 1);
        }
    }

    #[inline]
    fn decision(&mut self, what: Decision, alternative: usize) {
        let (event, site) = match what {
            Decision::Branch(b) => self.build.way(b, alternative),
            Decision::Slot(s) => self.build.slot(s, alternative),
            Decision::NextCallback(_) => return,
        };
        self.sink.event(event, site, 1);
    }

    fn rounds(&mut self, branch: BlockNo, stay: usize, _cycle: &[BlockNo], times: u32) {
        if times > 0 {
            let (event, site) = self.build.way(branch, stay);
            self.sink.event(event, site, times.into());
        }
    }

    fn caught(&mut self, _dropped: usize, handler: HandlerId, _: BlockNo, from: &[BlockNo]) {
        self.thrown(What::Throw, 4, from);
        let m = self.build.program.map.handlers[handler.0 as usize].method;
        self.sink.event(self.build.catch(handler), self.build.method_site(m), 1);
    }

    fn unwound(&mut self, _dropped: usize, from: &[BlockNo]) {
        self.thrown(What::Leave, 5, from);
    }
}

impl<S: EventSink> ThreadSink for Events<'_, '_, &mut S> {}
