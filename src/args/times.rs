//! Times and intervals.

use std::str::FromStr;

use decoder::log::wall_time;
use reports::Interval;

use crate::error::Usage;

/// A time, in µs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// Since the process's trace began: `12.3s`, `500ms`, `250us`; `500` is in ms, as elsewhere.
    Since(u64),
    /// Before the last time that is known of the process: `-2s`.
    Before(u64),
    /// On the wall clock, since 1970: `2026-11-21 09:12:44.946`, in UTC.
    Wall(u64),
}

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Time, String> {
        if let Some(us) = wall_time(text) {
            return Ok(Time::Wall(us));
        }
        let (before, number) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let units = [("us", 1.0), ("ms", 1e3), ("s", 1e6), ("", 1e3)];
        let unit = units.iter().find_map(|(name, us)| Some((number.strip_suffix(name)?, us)));
        let number = unit.and_then(|(n, us)| Some(n.parse::<f64>().ok()? * us));
        match number {
            Some(us) if (0.0..=1e15).contains(&us) => {
                let us = us.round() as u64;
                Ok(if before { Time::Before(us) } else { Time::Since(us) })
            }
            _ => Err("expected a time such as 12.3s, 500ms, -2s or 2026-11-21T09:12:44.946".into()),
        }
    }
}

impl Time {
    /// The same in µs since the trace of a process began, of which something is known until `end`
    /// (in the same unit).
    pub fn since(self, start_ms: u64, end: u64) -> u64 {
        match self {
            Time::Since(us) => us,
            Time::Before(us) => end.saturating_sub(us),
            Time::Wall(us) => us.saturating_sub(start_ms.saturating_mul(1000)),
        }
    }
}

/// `16ms`, `1.5s`, `250us` in µs.
pub fn duration(text: &str) -> Result<u64, String> {
    let units = [("us", 1.0), ("ms", 1e3), ("s", 1e6)];
    let unit = units.iter().find_map(|(name, us)| Some((text.strip_suffix(name)?, us)));
    let (number, us) = unit.ok_or("a number with its unit: us, ms or s")?;
    let number: f64 = number.parse().map_err(|e| format!("{number:?}: {e}"))?;
    if !(0.0..=1e9).contains(&number) {
        return Err("not a time".into());
    }
    Ok((number * us) as u64)
}

/// The time from one sample to the next, in ns: `1ms`, `250us`, `100000ns`.
pub fn sampling(text: &str) -> Result<u64, String> {
    let units = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];
    let unit = units.into_iter().find_map(|(unit, ns)| Some((text.strip_suffix(unit)?, ns)));
    match unit.and_then(|(number, ns)| Some(number.parse::<f64>().ok()? * ns)) {
        Some(ns) if (1.0..=1e12).contains(&ns) => Ok(ns as u64),
        _ => Err("expected a time such as 1ms or 250us, of at most 1000s".into()),
    }
}

/// An interval: `A..B`, `A..`, `..B`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first time; `None`: the begin.
    pub from: Option<Time>,
    /// The first time behind it; `None`: the end.
    pub to: Option<Time>,
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let (from, to) = text.split_once("..").ok_or("expected two times with .. between them")?;
        let time = |text: &str| if text.is_empty() { Ok(None) } else { text.parse().map(Some) };
        Ok(Span { from: time(from)?, to: time(to)? })
    }
}

impl Span {
    /// The same for a process that began at this time, of which something is known until `end` (in
    /// µs since then), if that is known.
    ///
    /// # Errors
    /// A time before an end that is not known; a begin behind the end.
    pub fn of(self, start_ms: u64, end: Option<u64>) -> Result<Interval, Usage> {
        let from_end = [self.from, self.to].iter().any(|t| matches!(t, Some(Time::Before(_))));
        if from_end && end.is_none() {
            return Err(Usage("times before the end are for --index: without, it is not known"));
        }
        let since = |time: Time| time.since(start_ms, end.unwrap_or(0));
        let (from, to) = (self.from.map_or(0, since), self.to.map_or(u64::MAX, since));
        if from > to {
            return Err(Usage("the interval ends before it begins"));
        }
        Ok(Interval { from, to })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_spelled_in_three_ways() {
        let read = |text: &str| text.parse::<Time>();
        for (text, us) in [("12.3s", 12_300_000), ("7", 7_000), ("7ms", 7_000), ("250us", 250)] {
            assert_eq!(read(text), Ok(Time::Since(us)), "{text}");
        }
        assert_eq!(read("-2s"), Ok(Time::Before(2_000_000)));
        let wall = read("1970-01-01T00:00:02").unwrap();
        assert_eq!((wall, wall.since(500, 0)), (Time::Wall(2_000_000), 1_500_000));
        assert_eq!(read("-2s").unwrap().since(0, 5_000_000), 3_000_000);
        for wrong in ["", "s", "--2s", "1e99s", "nan", "inf", "2 s", "2026-11-21", "-"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
