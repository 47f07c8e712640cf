//! Path events kept for the page: the last ones of a thread, and the paths of the first callbacks.

use serde::ser::{Serialize, SerializeSeq, Serializer};

/// The last events that are kept before an exception and at the end of a thread.
pub(super) const LAST: usize = 2_000;
/// Events of paths that are kept in all.
const KEPT: usize = 400_000;
/// Events of one callback that are kept.
const KEPT_OF_ONE: usize = 20_000;

/// An event in 8 bytes: there are billions. The page reads it as one number, `value * 8 + kind`, and
/// a second one for some kinds.
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
        // Neither blocks nor methods nor frames come near 2²⁹: they are in memory.
        Event(u64::from(more) << 32 | u64::from(value & (u32::MAX >> 3)) << 3 | kind)
    }

    /// A block of the innermost frame begins.
    #[inline]
    pub fn block(number: u32) -> Event {
        Event::new(BLOCK, number, 0)
    }

    /// A method begins: its id, whether code outside the app called it, and how many line entries
    /// of its caller's block come before it.
    #[inline]
    pub fn enter(method: u32, outside: bool, lines: u32) -> Event {
        Event::new(if outside { CALLBACK } else { CALL }, method, lines)
    }

    /// The innermost frame returns.
    #[inline]
    pub fn leave() -> Event {
        Event::new(LEAVE, 0, 0)
    }

    /// The last so many blocks ran so often again.
    pub fn again(blocks: u32, times: u32) -> Event {
        Event::new(AGAIN, blocks, times)
    }

    /// An exception ended so many frames, and this block caught it.
    pub fn caught(dropped: u32, block: u32) -> Event {
        Event::new(CAUGHT, dropped, block)
    }

    /// An exception ended so many frames and left the app's code.
    pub fn unwound(dropped: u32) -> Event {
        Event::new(UNWOUND, dropped, 0)
    }

    /// This method may have ended earlier than shown.
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

    /// By how much it changes the number of frames.
    fn frames(self) -> i64 {
        match self.kind() {
            CALL | CALLBACK => 1,
            LEAVE => -1,
            CAUGHT | UNWOUND => -i64::from(self.0 as u32 >> 3),
            _ => 0,
        }
    }
}

/// Events in order, as a flat list of numbers.
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

/// The last events up to some place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Window {
    /// Frames that are active when it begins.
    pub depth: u64,
    pub events: Vec<Event>,
}

const RING: usize = LAST.next_power_of_two();

/// The last events of the thread that is being decoded.
#[derive(Debug)]
pub(super) struct Ring {
    events: Box<[Event; RING]>,
    /// Events so far.
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

    /// The last events; so many frames are active now.
    pub fn window(&self, depth: usize) -> Window {
        let first = self.at.saturating_sub(LAST);
        let events: Vec<Event> = (first..self.at).map(|i| self.events[i % RING]).collect();
        let change: i64 = events.iter().map(|e| e.frames()).sum();
        let depth = u64::try_from(depth as i64 - change).unwrap_or(0);
        Window { depth, events }
    }
}

/// Paths of callbacks, as long as there is room.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub events: Vec<Event>,
    /// How many more it takes of the callback that is running.
    left: usize,
}

/// Where the path of a callback is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Stretch {
    pub from: u32,
    pub to: u32,
}

impl Kept {
    /// A callback begins.
    pub fn begin(&mut self) -> Stretch {
        let at = self.events.len();
        self.left = KEPT_OF_ONE.min(KEPT - at);
        Stretch { from: at as u32, to: at as u32 }
    }

    #[inline]
    pub fn push(&mut self, event: Event) {
        if self.left > 0 {
            self.left -= 1;
            self.events.push(event);
        }
    }

    /// The callback ends. Whether all of it is kept.
    pub fn end(&mut self, stretch: &mut Stretch) -> bool {
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
        let mut kept = Kept::default();
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
