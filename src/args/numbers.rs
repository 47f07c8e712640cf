//! Numbers and sizes.

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

/// A ratio of run times, or what is added in percent: `1.3` and `30%`.
pub fn slowdown(text: &str) -> Result<f64, String> {
    match growth(text) {
        Ok(n) if n >= 1.0 => Ok(n),
        _ => Err("expected a number of at least 1, or a percentage as in 30%".into()),
    }
}
