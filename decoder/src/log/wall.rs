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
}
