//! Numbers and sizes.

use instrumenter::SilentLikely;

/// Parses `500KB`, `20MB`, `1GB` or a number of bytes.
pub fn size(text: &str) -> Result<usize, String> {
    let units = [("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30), ("B", 1)];
    let unit = units.iter().find_map(|(name, bytes)| Some((text.strip_suffix(name)?, *bytes)));
    let (number, bytes) = unit.unwrap_or((text, 1));
    let number: usize =
        number.trim().parse().map_err(|_| "expected a size, as in 500KB, 20MB or 1GB")?;
    number.checked_mul(bytes).ok_or_else(|| "too large".into())
}

/// A share, from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".into()),
    }
}

/// A number above 0.
pub fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(n) if n.is_finite() && n > 0.0 => Ok(n),
        _ => Err("expected a number above 0".into()),
    }
}

/// A ratio of new to old, or what is added in percent: `1.35` and `35%`.
pub fn growth(text: &str) -> Result<f64, String> {
    let Some(percent) = text.strip_suffix('%') else { return positive(text) };
    match percent.trim().parse::<f64>() {
        Ok(n) if n.is_finite() && n >= 0.0 => Ok(1.0 + n / 100.0),
        _ => Err("expected what may be added in percent, as in 35%".into()),
    }
}

/// Silent branches: `99.9`, `99.9,1` or `99.9,1,64`.
pub fn silent_likely(text: &str) -> Result<SilentLikely, String> {
    let mut parts = text.split(',').map(str::trim);
    let millionths = |percent: &str, most: f64| match percent.parse::<f64>() {
        Ok(n) if (0.0..=most).contains(&n) => Ok((n * 10_000.0).round() as u32),
        _ => Err(format!("expected a percentage from 0 to {most} instead of {percent}")),
    };
    let likely = millionths(parts.next().unwrap_or_default(), 100.0)?;
    if likely <= 500_000 {
        return Err("expected a likely alternative of more than 50 percent".into());
    }
    let mut choice = SilentLikely::new(likely);
    if let Some(share) = parts.next() {
        choice.share = millionths(share, 100_000.0)?;
    }
    if let Some(decisions) = parts.next() {
        let unknown = |_| format!("expected a number of decisions instead of {decisions}");
        choice.decisions = decisions.parse().map_err(unknown)?;
    }
    match parts.next() {
        None => Ok(choice),
        Some(_) => Err("expected PERCENT[,SHARE[,DECISIONS]], as in 99.9,1,64".into()),
    }
}

/// A ratio of run times, or what is added in percent: `1.3` and `30%`.
pub fn slowdown(text: &str) -> Result<f64, String> {
    match growth(text) {
        Ok(n) if n >= 1.0 => Ok(n),
        _ => Err("expected a number of at least 1, or a percentage as in 30%".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::silent_likely;

    #[test]
    fn a_silent_share_may_be_followed_by_two_limits() {
        let choice = |text: &str| silent_likely(text).map(|s| (s.likely, s.share, s.decisions));
        assert_eq!(choice("99.9"), Ok((999_000, 10_000, 64)));
        assert_eq!(choice("99.5, 2.5, 100"), Ok((995_000, 25_000, 100)));
        for wrong in ["", "50", "101", "99.9,-1", "99.9,1,x", "99.9,1,1,1"] {
            assert!(choice(wrong).is_err(), "{wrong}");
        }
    }
}
