//! Durations as text for people.

/// Formats a time in µs; `tick_us` is the resolution of its measurement.
pub(crate) fn duration(us: u64, tick_us: u32) -> String {
    match us {
        _ if us < u64::from(tick_us) => format!("under {}", duration(tick_us.into(), 0)),
        0..1_000_000 => format!("{}.{:02} ms", us / 1000, us % 1000 / 10),
        _ => format!("{}.{:03} s", us / 1_000_000, us % 1_000_000 / 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_are_short_and_do_not_claim_more_than_was_measured() {
        assert_eq!(duration(0, 250), "under 0.25 ms");
        assert_eq!(duration(250, 250), "0.25 ms");
        assert_eq!(duration(999_750, 250), "999.75 ms");
        assert_eq!(duration(61_000_750, 250), "61.000 s");
    }
}
