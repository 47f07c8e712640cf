//! Path events kept for the page: the last ones of a thread, and the paths of the first callbacks.

use serde::ser::{Serialize, SerializeSeq, Serializer};

/// The last events that are kept before an exception and at the end of a thread.
pub(super) const LAST: usize = 2_000;
/// Events of paths that are kept in all.
const KEPT: usize = 400_000;
/// Events of one callback that are kept.
const KEPT_OF_ONE: usize = 20_000;

/// An event. The page reads it as one number, `value * 8 + kind`, and a second one where there is
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A block of the innermost frame begins.
    Block(u32),
    /// A method begins: its id, whether code outside the app called it, and how many line entries
    /// of its caller's block come before it.
    Enter(u32, bool, u32),
    Leave,
    /// The last so many blocks ran so often again.
    Again(u32, u32),
    /// An exception ended so many frames, and this block caught it.
    Caught(u32, u32),
    /// An exception ended so many frames and left the app's code.
    Unwound(u32),
    /// This method may have ended earlier than shown.
    Doubtful(u32),
}

impl Event {
    fn numbers(self) -> (u64, Option<u32>) {
        let code = |kind: u64, value: u32| u64::from(value) * 8 + kind;
        match self {
            Event::Block(block) => (code(0, block), None),
            Event::Enter(method, outside, lines) => {
                (code(if outside { 2 } else { 1 }, method), Some(lines))
            }
            Event::Leave => (code(3, 0), None),
            Event::Again(blocks, times) => (code(4, blocks), Some(times)),
            Event::Caught(dropped, block) => (code(5, dropped), Some(block)),
            Event::Unwound(dropped) => (code(6, dropped), None),
            Event::Doubtful(method) => (code(7, method), None),
        }
    }

    /// By how much it changes the number of frames.
    fn frames(self) -> i64 {
        match self {
            Event::Enter(..) => 1,
            Event::Leave => -1,
            Event::Caught(dropped, _) | Event::Unwound(dropped) => -i64::from(dropped),
            Event::Block(_) | Event::Again(..) | Event::Doubtful(_) => 0,
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

/// The last events of the thread that is being decoded.
#[derive(Debug)]
pub(super) struct Ring {
    events: Vec<Event>,
    /// Events so far.
    at: usize,
}

impl Ring {
    pub fn new() -> Ring {
        Ring { events: vec![Event::Leave; LAST.next_power_of_two()], at: 0 }
    }

    pub fn clear(&mut self) {
        self.at = 0;
    }

    #[inline]
    pub fn push(&mut self, event: Event) {
        let mask = self.events.len() - 1;
        self.events[self.at & mask] = event;
        self.at += 1;
    }

    /// The last event.
    pub fn last(&self) -> Option<Event> {
        Some(self.events[self.at.checked_sub(1)? % self.events.len()])
    }

    /// The last events; so many frames are active now.
    pub fn window(&self, depth: usize) -> Window {
        let first = self.at.saturating_sub(LAST);
        let mask = self.events.len() - 1;
        let events: Vec<Event> = (first..self.at).map(|i| self.events[i & mask]).collect();
        let change: i64 = events.iter().map(|e| e.frames()).sum();
        let depth = u64::try_from(depth as i64 - change).unwrap_or(0);
        Window { depth, events }
    }
}

/// Paths of callbacks, as long as there is room.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub events: Vec<Event>,
    /// Where it stops taking events of the callback that is running; 0: it takes none.
    until: usize,
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
        self.until = (at + KEPT_OF_ONE).min(KEPT);
        Stretch { from: at as u32, to: at as u32 }
    }

    #[inline]
    pub fn push(&mut self, event: Event) {
        if self.events.len() < self.until {
            self.events.push(event);
        }
    }

    /// The callback ends. Whether all of it is kept.
    pub fn end(&mut self, stretch: &mut Stretch) -> bool {
        stretch.to = self.events.len() as u32;
        let whole = self.events.len() < self.until;
        self.until = 0;
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_the_last_events_and_the_depth_before_them() {
        let mut ring = Ring::new();
        ring.push(Event::Enter(1, true, 0));
        for block in 0..LAST as u32 {
            ring.push(Event::Block(block));
        }
        ring.push(Event::Enter(2, false, 1));
        ring.push(Event::Unwound(2));
        let window = ring.window(0);
        assert_eq!(window.events.len(), LAST);
        assert_eq!(window.events[0], Event::Block(2));
        assert_eq!(window.depth, 1);
        assert_eq!(ring.last(), Some(Event::Unwound(2)));
    }

    #[test]
    fn a_long_callback_is_kept_to_its_limit_and_the_next_one_again() {
        let mut kept = Kept::default();
        let mut long = kept.begin();
        (0..KEPT_OF_ONE as u32 + 5).for_each(|b| kept.push(Event::Block(b)));
        assert!(!kept.end(&mut long));
        kept.push(Event::Leave);
        let mut short = kept.begin();
        kept.push(Event::Leave);
        assert!(kept.end(&mut short));
        assert_eq!((long.to - long.from) as usize, KEPT_OF_ONE);
        assert_eq!(&kept.events[short.from as usize..], [Event::Leave]);
    }

    #[test]
    fn events_are_numbers() {
        let events = [Event::Block(5), Event::Enter(3, true, 1), Event::Again(2, 7), Event::Leave];
        assert_eq!(serde_json::to_string(&Events(&events)).unwrap(), "[40,26,1,20,7,3]");
    }
}
