//! Path events as the page reads them, and the last events of each thread.

use serde::ser::{Serialize, SerializeSeq, Serializer};

/// Maximum number of events kept before an exception and at the end of a thread.
pub(super) const LAST: usize = 2_000;

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
/// A doubtful method (even values), or lines that were reached (odd ones).
const REMARK: u64 = 7;

impl Event {
    #[inline]
    fn new(kind: u64, value: u32, more: u32) -> Event {
        // Blocks, methods, frames and lines are held in memory, so their numbers are below 2²⁸.
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
        Event::new(REMARK, method << 1, 0)
    }

    /// Before an exception: the block that threw came to this number of line entries for certain.
    pub fn reached(lines: u32) -> Event {
        Event::new(REMARK, lines << 1 | 1, 0)
    }

    fn kind(self) -> u64 {
        self.0 & 7
    }

    /// Returns the numbers that stand for the event in the page: one or two.
    pub fn numbers(self) -> (u32, Option<u32>) {
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
    fn events_are_numbers() {
        let events =
            [Event::block(5), Event::enter(3, true, 1), Event::again(2, 7), Event::leave()];
        assert_eq!(serde_json::to_string(&Events(&events)).unwrap(), "[40,26,1,20,7,3]");
    }
}
