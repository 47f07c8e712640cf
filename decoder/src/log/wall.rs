//! Wall-clock times for people.

/// A time in ms since 1970 as day and time of day in UTC, as in `2026-11-21 09:12:44.946`.
///
/// ```
/// let (date, time) = decoder::log::wall_clock(1_795_252_364_946);
/// assert_eq!((&*date, &*time), ("2026-11-21", "09:12:44.946"));
/// ```
pub fn wall_clock(ms: u64) -> (String, String) {
    let (days, rest) = (ms / 86_400_000, ms % 86_400_000);
    // Years that begin in March have the odd day at their end: 146,097 days in 400 years, 719,468
    // from 0000-03-01 to 1970.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) =
        (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + 400 * era + u64::from(month <= 2);
    let (s, ms) = (rest / 1000, rest % 1000);
    (
        format!("{year}-{month:02}-{day:02}"),
        format!("{:02}:{:02}:{:02}.{ms:03}", s / 3600, s / 60 % 60, s % 60),
    )
}

/// The inverse, in µs: a day and a time of day in UTC, with a space or a `T` between them. Seconds
/// may have up to six decimals, and a `Z` may follow. `None`: no such time, or one before 1970.
///
/// ```
/// use decoder::log::wall_time;
/// assert_eq!(wall_time("2026-11-21 09:12:44.946"), Some(1_795_252_364_946_000));
/// assert_eq!(wall_time("2026-11-31T09:12:44Z"), None);
/// ```
pub fn wall_time(text: &str) -> Option<u64> {
    let (date, time) = text.split_once([' ', 'T'])?;
    let time = time.strip_suffix('Z').unwrap_or(time);
    let (time, decimals) = time.split_once('.').unwrap_or((time, "0"));
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = numbers(time, ':', [2, 2, 2])?;
    let whole = hour < 24 && minute < 60 && second < 60 && (1..=12).contains(&month) && day > 0;
    if !whole || year < 1970 || !(1..=6).contains(&decimals.len()) {
        return None;
    }
    let [us] = numbers(&format!("{decimals:0<6}"), '.', [6])?;
    // As above: years begin in March.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468;
    let us = ((days * 24 + hour) * 60 + minute) * 60_000_000 + second * 1_000_000 + us;
    // The 31st of a month with 30 days is another day.
    wall_clock(us / 1000).0.eq(date).then_some(us)
}

/// Parses numbers that have `digits` digits each.
fn numbers<const N: usize>(text: &str, between: char, digits: [usize; N]) -> Option<[u64; N]> {
    let mut parts = text.split(between);
    let mut all = [0; N];
    for (number, digits) in all.iter_mut().zip(digits) {
        let part = parts.next()?;
        if part.len() != digits || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From `date -u -d @SECONDS`.
    #[test]
    fn days_are_those_of_the_calendar() {
        let days = [
            (0, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_709_164_800, "2024-02-29"),
            (1_735_689_599, "2024-12-31"),
            (4_107_542_400, "2100-03-01"),
        ];
        for (seconds, day) in days {
            assert_eq!(wall_clock(seconds * 1000).0, day);
        }
        assert_eq!(wall_clock(1_735_689_599_007).1, "23:59:59.007");
        assert!(!wall_clock(u64::MAX).0.is_empty());
    }

    #[test]
    fn times_that_are_written_are_read_again() {
        for ms in (0..4_000_000_000_000).step_by(86_400_000 * 3 + 12_345_678) {
            let (day, time) = wall_clock(ms);
            assert_eq!(wall_time(&format!("{day} {time}")), Some(ms * 1000), "{day} {time}");
        }
        assert_eq!(wall_time("1970-01-01T00:00:00.000001Z"), Some(1));
        let wrong = [
            "2026-11-21",
            "2026-02-29 00:00:00",
            "2026-13-01 00:00:00",
            "2026-11-21 24:00:00",
            "2026-11-21 00:00:60",
            "2026-11-21 00:00:00.",
            "2026-11-21 00:00:00.1234567",
            "2026-11-21 0:00:00",
            "2026-11-21 00:00:00 ",
            "1969-12-31 23:59:59",
            "2026-11-00 00:00:00",
        ];
        for text in wrong {
            assert_eq!(wall_time(text), None, "{text}");
        }
    }
}
