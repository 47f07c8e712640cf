//! Random numbers that are the same each time.

/// Marsaglia's xorshift.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// Begins anew.
    pub(crate) fn new() -> Random {
        Random(0x9E37_79B9_7F4A_7C15)
    }

    /// A number from 0 to 1.
    pub(crate) fn share(&mut self) -> f64 {
        let mut x = self.0;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.0 = x;
        (x >> 11) as f64 / (1_u64 << 53) as f64
    }
}
