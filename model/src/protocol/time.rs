//! Times in the stream (`docs/PROTOCOL.md` §6).
//!
//! Since protocol 3 a top-level callback records its begin and its end. Each is a *span*: ticks
//! since the thread's last recorded time.

/// A protocol, by number: what a map's build writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Protocol {
    /// Callbacks record their begin, in ms since the begin of the one before.
    Two,
    /// Callbacks record begin and end.
    #[default]
    Three,
}

impl Protocol {
    /// The protocol that the runtime speaks.
    pub const NOW: Protocol = Protocol::Three;

    /// Its number.
    pub fn number(self) -> u8 {
        self as u8 + 2
    }

    /// The protocol with this number, if it is one that is still read.
    pub fn from_number(number: u8) -> Option<Protocol> {
        [Protocol::Two, Protocol::Three].into_iter().find(|p| p.number() == number)
    }

    /// Microseconds of a unit of time. Times are rounded down to it.
    pub fn tick_us(self) -> u32 {
        match self {
            Protocol::Two => 1000,
            Protocol::Three => 250,
        }
    }
}

/// Interval that a span measures: on the range wire each kind has a distribution of its own for its
/// bit length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// From the end of a callback to the begin of the next one.
    Gap,
    /// From the begin of a callback to its end.
    Duration,
}

impl Span {
    /// Bit lengths from 1 to this one have the same frequency; so do those above.
    const SHORT: u32 = 16;
    /// Frequency of each length above [`Span::SHORT`].
    const LONG_EACH: u32 = 240;

    /// Frequency of each bit length from 1 to 16.
    pub const fn each(self) -> u32 {
        match self {
            Span::Gap => 2304,
            Span::Duration => 1024,
        }
    }

    /// The slice of a bit length, 0 to 32: `cum << 16 | freq`.
    pub const fn slice(self, length: u32) -> u32 {
        let each = self.each();
        let long = 65_535 - (32 - Span::SHORT) * Span::LONG_EACH;
        let zero = long - Span::SHORT * each;
        match length {
            0 => zero,
            1..=16 => (zero + (length - 1) * each) << 16 | each,
            _ => (long + (length - 1 - Span::SHORT) * Span::LONG_EACH) << 16 | Span::LONG_EACH,
        }
    }

    /// The slices of all bit lengths.
    pub const fn slices(self) -> [u32; 33] {
        let mut all = [0; 33];
        let mut length = 0;
        while length < 33 {
            all[length] = self.slice(length as u32);
            length += 1;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_fill_all_but_the_escape() {
        for span in [Span::Gap, Span::Duration] {
            let mut next = 0;
            for slice in span.slices() {
                assert_eq!(slice >> 16, next);
                assert!(slice & 0xFFFF > 0);
                next += slice & 0xFFFF;
            }
            assert_eq!(next, 65_535);
        }
        // A callback that takes no time is the usual one.
        assert_eq!(Span::Duration.slice(0), 45_311);
        assert_eq!(Span::Gap.slice(0), 24_831);
    }
}
