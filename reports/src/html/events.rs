//! Path events kept for the page: the last events of each thread, and paths of the first callbacks.

use serde::ser::{Serialize, SerializeSeq, Serializer};

/// Maximum number of events kept before an exception and at the end of a thread.
pub(super) const LAST: usize = 2_000;
/// Maximum number of events of all kept paths.
const KEPT: usize = 400_000;
/// Maximum number of kept events of one callback.
const KEPT_OF_ONE: usize = 20_000;

/// An event in 8 bytes, as there are billions. The page reads it as one number,
/// `value * 8 + kind`, followed by a second number for some kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Event(u64);

const BLOCK: u64 = 0;
const CALL: u64 = 1;
const CALLBACK: u64 = 2;
const LEAVE: u64 = 3;
const AGAIN: u64 = 4;
const CAUGHT: u64 = 5;
const UNWOUND: u64 = 6;
const DOUBTFUL: u64 = 7;

impl Event {
    #[inline]
    fn new(kind: u64, value: u32, more: u32) -> Event {
        // Blocks, methods and frames are held in memory, so their numbers are below 2²⁹.
        Event(u64::from(more) << 32 | u64::from(value & (u32::MAX >> 3)) << 3 | kind)
    }

    /// Start of a block of the innermost frame.
    #[inline]
    pub fn block(number: u32) -> Event {
        Event::new(BLOCK, number, 0)
    }

    /// Start of a method: its id, whether code outside the app called it, and the number of line
    /// entries of its caller's block before the call.
    #[inline]
    pub fn enter(method: u32, outside: bool, lines: u32) -> Event {
        Event::new(if outside { CALLBACK } else { CALL }, method, lines)
    }

    /// Return of the innermost frame.
    #[inline]
    pub fn leave() -> Event {
        Event::new(LEAVE, 0, 0)
    }

    /// The last `blocks` blocks ran `times` more times.
    pub fn again(blocks: u32, times: u32) -> Event {
        Event::new(AGAIN, blocks, times)
    }

    /// An exception ended `dropped` frames, and `block` caught it.
    pub fn caught(dropped: u32, block: u32) -> Event {
        Event::new(CAUGHT, dropped, block)
    }

    /// An exception ended `dropped` frames and left the app's code.
    pub fn unwound(dropped: u32) -> Event {
        Event::new(UNWOUND, dropped, 0)
    }

    /// `method` may have ended earlier than shown.
    pub fn doubtful(method: u32) -> Event {
        Event::new(DOUBTFUL, method, 0)
    }

    fn kind(self) -> u64 {
        self.0 & 7
    }

    fn numbers(self) -> (u32, Option<u32>) {
        let has_more = matches!(self.kind(), CALL | CALLBACK | AGAIN | CAUGHT);
        (self.0 as u32, has_more.then_some((self.0 >> 32) as u32))
    }

    /// Returns the change in the number of active frames.
    fn frames(self) -> i64 {
        match self.kind() {
            CALL | CALLBACK => 1,
            LEAVE => -1,
            CAUGHT | UNWOUND => -i64::from(self.0 as u32 >> 3),
            _ => 0,
        }
    }
}

/// Events in order, serialized as a flat list of numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Events<'a>(pub &'a [Event]);

impl Serialize for Events<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(None)?;
        for event in self.0 {
            let (code, more) = event.numbers();
            list.serialize_element(&code)?;
            if let Some(more) = more {
                list.serialize_element(&more)?;
            }
        }
        list.end()
    }
}

/// The last events before some event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LastEvents {
    /// Number of frames that are active before the first event.
    pub depth: u64,
    pub events: Vec<Event>,
}

const RING: usize = LAST.next_power_of_two();

/// Ring buffer of the last events of the thread that is being decoded.
#[derive(Debug)]
pub(super) struct Ring {
    events: Box<[Event; RING]>,
    /// Number of events so far.
    at: usize,
}

impl Ring {
    pub fn new() -> Ring {
        Ring { events: Box::new([Event::leave(); RING]), at: 0 }
    }

    pub fn clear(&mut self) {
        self.at = 0;
    }

    #[inline]
    pub fn push(&mut self, event: Event) {
        self.events[self.at % RING] = event;
        self.at += 1;
    }

    /// Returns the last events; `depth` is the number of active frames now.
    pub fn window(&self, depth: usize) -> LastEvents {
        let first = self.at.saturating_sub(LAST);
        let events: Vec<Event> = (first..self.at).map(|i| self.events[i % RING]).collect();
        let change: i64 = events.iter().map(|e| e.frames()).sum();
        let depth = u64::try_from(depth as i64 - change).unwrap_or(0);
        LastEvents { depth, events }
    }
}

/// Paths of callbacks, up to the limits.
#[derive(Debug, Default)]
pub(super) struct KeptPaths {
    pub events: Vec<Event>,
    /// Number of events that may still be kept of the running callback.
    left: usize,
}

/// Range of a callback's path in the kept events; `to` is exclusive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct EventRange {
    pub from: u32,
    pub to: u32,
}

impl KeptPaths {
    /// Begins a callback.
    pub fn begin(&mut self) -> EventRange {
        let at = self.events.len();
        self.left = KEPT_OF_ONE.min(KEPT - at);
        EventRange { from: at as u32, to: at as u32 }
    }

    #[inline]
    pub fn push(&mut self, event: Event) {
        if self.left > 0 {
            self.left -= 1;
            self.events.push(event);
        }
    }

    /// Ends the callback. Returns true if all of its events were kept.
    pub fn end(&mut self, stretch: &mut EventRange) -> bool {
        stretch.to = self.events.len() as u32;
        std::mem::take(&mut self.left) > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_the_last_events_and_the_depth_before_them() {
        let mut ring = Ring::new();
        ring.push(Event::enter(1, true, 0));
        for block in 0..LAST as u32 {
            ring.push(Event::block(block));
        }
        ring.push(Event::enter(2, false, 1));
        ring.push(Event::unwound(2));
        let window = ring.window(0);
        assert_eq!(window.events.len(), LAST);
        assert_eq!(window.events[0], Event::block(2));
        assert_eq!(window.depth, 1);
    }

    #[test]
    fn a_long_callback_is_kept_to_its_limit_and_the_next_one_again() {
        let mut kept = KeptPaths::default();
        let mut long = kept.begin();
        (0..KEPT_OF_ONE as u32 + 5).for_each(|b| kept.push(Event::block(b)));
        assert!(!kept.end(&mut long));
        kept.push(Event::leave());
        let mut short = kept.begin();
        kept.push(Event::leave());
        assert!(kept.end(&mut short));
        assert_eq!((long.to - long.from) as usize, KEPT_OF_ONE);
        assert_eq!(&kept.events[short.from as usize..], [Event::leave()]);
    }

    #[test]
    fn events_are_numbers() {
        let events =
            [Event::block(5), Event::enter(3, true, 1), Event::again(2, 7), Event::leave()];
        assert_eq!(serde_json::to_string(&Events(&events)).unwrap(), "[40,26,1,20,7,3]");
    }
}
