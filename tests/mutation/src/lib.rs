//! Reproducible random numbers, and damage to bytes and numbers. It depends on nothing, so that
//! every crate can test with it; what knows a file format lies in `tests/mutants`.

mod rng;

pub use rng::Rng;

/// Another value for a field of `width` bytes (1 to 8): near the old one, extreme, or random.
pub fn number(old: u64, width: usize, rng: &mut Rng) -> u64 {
    let bits = 8 * width as u32;
    let all = u64::MAX >> (64 - bits);
    let new = match rng.below(8) {
        0 | 1 => old.wrapping_add(rng.below(9) as u64).wrapping_sub(4),
        2 => old ^ 1 << rng.below(bits as usize),
        3 => rng.bits(),
        // Small counts and indices are valid more often than others.
        4 => rng.below(16) as u64,
        5 => old.wrapping_mul(2),
        _ => [0, 1, all, all - 1, all >> 1, (all >> 1) + 1, all >> (bits / 2)][rng.below(7)],
    };
    new & all
}

/// Replaces the little-endian number of `width` bytes at `at`; out of range nothing happens.
pub fn field(bytes: &mut [u8], at: usize, width: usize, rng: &mut Rng) {
    let Some(place) = bytes.get_mut(at..at + width) else { return };
    let mut old = [0; 8];
    old[..width].copy_from_slice(place);
    let new = number(u64::from_le_bytes(old), width, rng);
    place.copy_from_slice(&new.to_le_bytes()[..width]);
}

/// One change that keeps the length: bits, bytes, numbers, copied parts.
pub fn overwrite(bytes: &mut [u8], rng: &mut Rng) {
    if bytes.is_empty() {
        return;
    }
    let at = rng.below(bytes.len());
    match rng.below(8) {
        0 | 1 => bytes[at] ^= 1 << rng.below(8),
        2 => bytes[at] = rng.bits() as u8,
        3 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][rng.below(5)],
        4 => field(bytes, at & !3, 4, rng),
        5 => {
            let end = bytes.len().min(at + 1 + rng.below(8));
            bytes[at..end].fill([0, 0x7F, 0xFF][rng.below(3)]);
        }
        6 => {
            let from = rng.below(bytes.len());
            let n = (bytes.len() - from.max(at)).min(1 + rng.below(64));
            bytes.copy_within(from..from + n, at);
        }
        // One table's pointer or count becomes another's.
        _ => {
            let (from, to) = (rng.below(bytes.len()) & !3, at & !3);
            let n = (bytes.len() - from.max(to)).min(4);
            bytes.copy_within(from..from + n, to);
        }
    }
}

/// One change that may change the length: a part cut out, doubled or put elsewhere, the end lost.
pub fn resize(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(bytes.len());
    let end = bytes.len().min(at + rng.below(64));
    match rng.below(8) {
        0..=2 => drop(bytes.drain(at..end)),
        3..=5 => {
            let part = bytes[at..end].to_vec();
            bytes.splice(at..at, part);
        }
        6 => {
            let part = bytes[at..end].to_vec();
            let to = rng.below(bytes.len() + 1);
            bytes.splice(to..to, part);
        }
        _ => bytes.truncate(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_damage() {
        let damaged = |seed| {
            let (mut rng, mut bytes) = (Rng::new(seed), (0..=255).collect::<Vec<u8>>());
            for _ in 0..50 {
                overwrite(&mut bytes, &mut rng);
                resize(&mut bytes, &mut rng);
            }
            bytes
        };
        assert_eq!(damaged(1), damaged(1));
        assert_ne!(damaged(1), damaged(2));
    }

    #[test]
    fn damage_to_few_bytes_or_none_is_no_panic() {
        for length in 0..6 {
            for seed in 0..300 {
                let (mut rng, mut bytes) = (Rng::new(seed), vec![7; length]);
                overwrite(&mut bytes, &mut rng);
                assert_eq!(bytes.len(), length);
                resize(&mut bytes, &mut rng);
                field(&mut bytes, 3, 8, &mut rng);
            }
        }
    }
}
