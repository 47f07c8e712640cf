//! Times of a thread's replay (`docs/PROTOCOL.md` §6, §7).

use std::collections::VecDeque;

use model::protocol::Protocol;
use model::trace::CLOCK_BITS;

use super::{PathSink, SendEvents, Times};
use crate::log::SlabClock;

/// A slab may have been begun a little before the callback in which its clock is passed on: the
/// place in the stream is known up to a word.
const SLACK_US: u64 = 1_000_000;

/// The times of one thread, and the clocks of the slabs ahead.
#[derive(Debug, Clone, Default)]
pub(crate) struct Timeline<'p> {
    protocol: Protocol,
    /// Last time that the thread recorded, in µs since the trace began.
    now_us: u64,
    /// Begin of the last callback, in ms, as it was passed on.
    begun_ms: u64,
    /// Slabs ahead were begun later: the begin of the last callback, or the last slab's clock.
    slab_us: u64,
    /// True in the first of two walks: it finds the ends that the second one reports.
    first: bool,
    /// Ends of the callbacks since the walk began.
    ends: VecDeque<Option<u64>>,
    clocks: &'p [SlabClock],
}

/// State of the times of a thread's replay, without the clocks ahead.
#[derive(Debug, Clone)]
pub(crate) struct Carried {
    times: Timeline<'static>,
    /// Clocks of slabs from this byte on have not been passed on.
    pub clocks: usize,
}

impl Carried {
    /// The same in a part that begins at other bytes: `base` of it are not in that one.
    pub(crate) fn rebase(self, base: impl Fn(usize) -> usize) -> Self {
        Carried { clocks: base(self.clocks), ..self }
    }
}

impl<'p> Timeline<'p> {
    /// Returns the state with which another replay goes on, where the known clocks end at this
    /// byte.
    pub(crate) fn carried(&self, end: usize) -> Carried {
        let mut times = Timeline::default();
        times.copy_from(self);
        Carried { times, clocks: self.next_slab().unwrap_or(end) }
    }

    /// Goes on where another one has come to.
    pub(crate) fn go_on(&mut self, from: &Carried) {
        self.copy_from(&from.times);
    }

    /// At this time (in ticks since the trace began).
    pub(crate) fn new(protocol: Protocol, ticks: u64) -> Self {
        let now_us = ticks.saturating_mul(protocol.tick_us().into());
        Timeline {
            protocol,
            now_us,
            begun_ms: now_us / 1000,
            slab_us: now_us,
            ..Timeline::default()
        }
    }

    /// Makes it that of the first of two walks.
    pub(crate) fn be_first(&mut self) {
        self.first = true;
    }

    /// The protocol that the build speaks.
    pub(crate) fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Takes over another one's time.
    pub(crate) fn copy_from(&mut self, other: &Timeline<'_>) {
        (self.now_us, self.begun_ms, self.slab_us) = (other.now_us, other.begun_ms, other.slab_us);
        self.ends.clear();
    }

    /// Takes over the ends that another walk over the same callbacks has found.
    pub(crate) fn take_ends(&mut self, ends: VecDeque<Option<u64>>) {
        self.ends = ends;
    }

    /// Returns the last time that the thread recorded, in µs since the trace began.
    pub(crate) fn now_us(&self) -> u64 {
        self.now_us
    }

    /// The same in ticks.
    pub(crate) fn ticks(&self) -> u64 {
        self.now_us / u64::from(self.protocol.tick_us())
    }

    /// Takes out the ends that the first walk has found.
    pub(crate) fn ends(&mut self) -> VecDeque<Option<u64>> {
        std::mem::take(&mut self.ends)
    }

    fn pass(&mut self, ticks: u32) {
        let us = u64::from(ticks) * u64::from(self.protocol.tick_us());
        self.now_us = self.now_us.saturating_add(us);
    }

    /// A callback begins, `ticks` after the last recorded time.
    pub(crate) fn begin(&mut self, ticks: u32, sink: &mut impl PathSink) -> u32 {
        self.pass(ticks);
        let ms = self.now_us / 1000;
        let since = ms.saturating_sub(self.begun_ms);
        self.begun_ms = ms;
        self.slab_us = self.slab_us.max(self.now_us);
        if self.first {
            self.ends.push_back(None);
        } else {
            let end_us = self.ends.pop_front().flatten();
            let tick_us = self.protocol.tick_us();
            sink.times(Times { begin_us: self.now_us, end_us, tick_us });
        }
        u32::try_from(since).unwrap_or(u32::MAX)
    }

    /// Decoding begins inside a callback, whose begin is the last recorded time.
    pub(crate) fn resume(&mut self, sink: &mut impl PathSink) {
        self.begin(0, sink);
    }

    /// A callback ended.
    pub(crate) fn end(&mut self, ticks: u32) {
        self.pass(ticks);
        if self.first
            && self.protocol != Protocol::Two
            && let Some(end @ None) = self.ends.back_mut()
        {
            *end = Some(self.now_us);
        }
    }

    /// The clocks of slabs from this byte on are to be passed on.
    pub(crate) fn expect(&mut self, clocks: &'p [SlabClock], offset: usize) {
        self.clocks = &clocks[clocks.partition_point(|c| c.offset < offset)..];
    }

    /// Returns the offset at which the next slab begins.
    pub(crate) fn next_slab(&self) -> Option<usize> {
        self.clocks.first().map(|c| c.offset)
    }

    /// Passes on the clocks of slabs that begin before this byte. Whether there were any.
    pub(crate) fn come_to(&mut self, offset: usize, sink: &mut impl PathSink) -> bool {
        let count = self.clocks.iter().take_while(|c| c.offset < offset).count();
        let (passed, ahead) = self.clocks.split_at(count);
        self.clocks = ahead;
        for clock in passed {
            let from = self.slab_us.saturating_sub(SLACK_US);
            let later = clock.us.wrapping_sub(from) & ((1 << CLOCK_BITS) - 1);
            self.slab_us = from.saturating_add(later);
            sink.clock(self.slab_us);
        }
        count > 0
    }
}
