//! The items of a `pap` record: what happens, in order, and which numbers are of which frame.

use std::collections::VecDeque;

use model::protocol::Protocol;

use crate::replay::FaultKind;

/// End of a stretch of an activation's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Close {
    Left,
    Caught(u32),
    Unwound,
}

/// The numbers of one stretch.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PathNumbers {
    /// Numbers put out before the last one, oldest first.
    pub(super) breaks: Vec<u64>,
    pub(super) r: u64,
    pub(super) block: u32,
    pub(super) close: Close,
    /// Offset at which the stretch ends.
    pub(super) at: usize,
}

/// Event at a place of the walk.
#[derive(Debug, Clone, Copy)]
pub(super) enum Event {
    /// An exception arrived in, or left, this frame; progress then.
    Thrown {
        frame: u32,
        progress: u32,
    },
    Entry {
        id: u32,
        progress: u32,
    },
    Slot {
        id: u32,
    },
    Close {
        hash: u16,
        /// Ticks since the callback began.
        time: u32,
    },
    End,
}

/// Position of a break, or of the end of a stretch, in the bytes. Nothing else of a number is kept
/// until its frame is walked, because a record may hold tens of millions.
#[derive(Debug, Clone, Copy)]
struct NumberOffset {
    frame: u32,
    at: usize,
}

/// A decoded record.
pub(super) struct Record<'a> {
    data: &'a [u8],
    /// Progress when it began.
    progress: u32,
    protocol: Protocol,
    pub(super) id: u32,
    /// Ticks since the last recorded time.
    pub(super) time: u32,
    pub(super) events: VecDeque<Event>,
    /// By frame, in the order of the walk; those of one frame in the order of the bytes.
    places: Vec<NumberOffset>,
    /// Places whose numbers were asked for.
    taken: usize,
    pub(super) end: usize,
    /// It ends in a check.
    pub(super) whole: bool,
    /// The last progress that an item names: beyond it a cut record proves nothing.
    pub(super) horizon: u32,
}

impl<'a> Record<'a> {
    /// Parses a record that begins at this progress; `None` at the bytes' end (`self` then has the
    /// incomplete part of the record).
    ///
    /// # Errors
    /// At an invalid item, and at one that reports missing items.
    pub(super) fn read(
        data: &'a [u8],
        from: usize,
        progress: u32,
        protocol: Protocol,
    ) -> Result<Option<Self>, FaultKind> {
        let mut bytes = Bytes { data, at: from };
        let mut record = Record {
            data,
            progress,
            protocol,
            id: 0,
            time: 0,
            events: VecDeque::new(),
            places: Vec::new(),
            taken: 0,
            end: from,
            whole: false,
            horizon: progress,
        };
        match bytes.byte() {
            None => return Ok(None),
            Some(9) => {
                record.events.push_back(Event::End);
                record.end = bytes.at;
                record.whole = true;
                return Ok(Some(record));
            }
            Some(7) => {}
            Some(b) => return Err(FaultKind::UnknownEscape(b.into())),
        }
        let (Some(id), Some(time)) = (bytes.varint(), bytes.varint()) else { return Ok(None) };
        (record.id, record.time) = (id as u32, time as u32);
        let (mut last, mut slow) = (progress, progress);
        loop {
            record.end = bytes.at;
            let next = record.item(&mut bytes, &mut last, &mut slow).transpose()?;
            for mark in [last, slow] {
                if mark.wrapping_sub(progress) > record.horizon.wrapping_sub(progress) {
                    record.horizon = mark;
                }
            }
            if next == Some(false) {
                continue;
            }
            if next == Some(true) {
                record.end = bytes.at;
                record.whole = matches!(record.events.back(), Some(Event::Close { .. }));
            }
            record.places.sort_by_key(|p| p.frame.wrapping_sub(progress));
            return Ok(Some(record));
        }
    }

    /// One item; `None` when it is not whole, `true` when it ends the record.
    fn item(
        &mut self,
        bytes: &mut Bytes<'_>,
        last: &mut u32,
        slow: &mut u32,
    ) -> Option<Result<bool, FaultKind>> {
        let at = bytes.at;
        match bytes.byte()? {
            BREAK.. => {
                bytes.at = at;
                bytes.number()?;
            }
            2 => {
                bytes.frame(last)?;
                return Some(Ok(false));
            }
            b @ (3 | 4 | 0x40..BREAK) => {
                bytes.frame_of(b, last)?;
                bytes.stretch()?;
                if b < 0x40 {
                    *slow = slow.wrapping_add(bytes.varint()? as u32);
                    if b == CAUGHT {
                        bytes.varint()?;
                    }
                    self.events.push_back(Event::Thrown { frame: *last, progress: *slow });
                }
            }
            5 => {
                let id = bytes.varint()? as u32;
                *slow = slow.wrapping_add(bytes.varint()? as u32);
                self.events.push_back(Event::Entry { id, progress: *slow });
                return Some(Ok(false));
            }
            6 => {
                let id = bytes.varint()? as u32;
                self.events.push_back(Event::Slot { id });
                return Some(Ok(false));
            }
            8 => {
                let hash = u16::from(bytes.byte()?) << 8 | u16::from(bytes.byte()?);
                let time = match self.protocol {
                    Protocol::Two => 0,
                    Protocol::Three => bytes.varint()? as u32,
                };
                self.events.push_back(Event::Close { hash, time });
                return Some(Ok(true));
            }
            9 => {
                self.events.push_back(Event::End);
                return Some(Ok(true));
            }
            10 => return Some(Err(FaultKind::FullStack(bytes.varint()?))),
            b => return Some(Err(FaultKind::UnknownEscape(b.into()))),
        }
        self.places.push(NumberOffset { frame: *last, at });
        Some(Ok(false))
    }

    /// Returns the index at which a frame's numbers begin. Frames are asked for in the order of
    /// their numbers; `cursor` is the last result, or 0.
    pub(super) fn places_of(&self, frame: u32, cursor: usize) -> usize {
        let key = |f: u32| f.wrapping_sub(self.progress);
        let before = self.places[cursor..].iter().take_while(|p| key(p.frame) < key(frame)).count();
        cursor + before
    }

    /// The next stretch of a frame, whose places continue at `at`; `None` when no item ends one.
    pub(super) fn take(&mut self, frame: u32, at: &mut usize) -> Option<PathNumbers> {
        let mine = self.places[*at..].iter().take_while(|p| p.frame == frame);
        let breaks = mine.clone().take_while(|p| self.data[p.at] >= BREAK).count();
        let end = *mine.clone().nth(breaks)?;
        let mut bytes = Bytes { data: self.data, at: end.at };
        let b = bytes.byte()?;
        bytes.frame_of(b, &mut 0)?;
        let (block, r) = bytes.stretch()?;
        let close = match b {
            CAUGHT => {
                bytes.varint()?;
                Close::Caught(bytes.varint()? as u32)
            }
            UNWOUND => Close::Unwound,
            _ => Close::Left,
        };
        let number = |p: &NumberOffset| Bytes { data: self.data, at: p.at }.number();
        let breaks = mine.take(breaks).map(number).collect::<Option<Vec<_>>>()?;
        let n = breaks.len() + 1;
        *at += n;
        self.taken += n;
        Some(PathNumbers { breaks, r, block, close, at: end.at })
    }

    /// Returns true if every number was taken.
    pub(super) fn all_taken(&self) -> bool {
        self.taken == self.places.len()
    }
}

/// First byte of an exception's arrival in a handler of the app.
const CAUGHT: u8 = 3;
/// First byte of an exception's leaving a frame.
const UNWOUND: u8 = 4;
/// From here on a first byte is that of a number.
const BREAK: u8 = 0x80;

struct Bytes<'a> {
    data: &'a [u8],
    at: usize,
}

impl Bytes<'_> {
    fn byte(&mut self) -> Option<u8> {
        let b = *self.data.get(self.at)?;
        self.at += 1;
        Some(b)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut v = 0u64;
        for shift in (0..64).step_by(7) {
            let b = self.byte()?;
            v |= u64::from(b & 0x7F) << shift;
            if b < 0x80 {
                return Some(v);
            }
        }
        None
    }

    /// The number of a break.
    fn number(&mut self) -> Option<u64> {
        let r = self.data.get(self.at..)?.first_chunk()?;
        self.at += 8;
        Some(u64::from_be_bytes(*r) & !(1 << 63))
    }

    /// The frame at this distance from the last one.
    fn frame(&mut self, last: &mut u32) -> Option<()> {
        let d = self.varint()? as u32;
        *last = last.wrapping_add(d >> 1 ^ (d & 1).wrapping_neg());
        Some(())
    }

    /// The frame of an item that ends a stretch and begins with this byte.
    fn frame_of(&mut self, first: u8, last: &mut u32) -> Option<()> {
        if (0x40..0x7F).contains(&first) {
            let d = u32::from(first & 0x3F);
            *last = last.wrapping_add(d >> 1 ^ (d & 1).wrapping_neg());
            return Some(());
        }
        self.frame(last)
    }

    /// Block and number of a stretch's end.
    fn stretch(&mut self) -> Option<(u32, u64)> {
        Some((self.varint()? as u32, self.varint()?))
    }
}
