//! The range coder against exact arithmetic.
//!
//! The oracle knows nothing of words, caches and carries: it keeps the interval of a record as two
//! numbers in [0, 1) and narrows them as the method does,
//! `[beg, end) := [beg + (end − beg)·CDF(i−1), beg + (end − beg)·CDF(i))`, once with the
//! rounding that protocol §3 prescribes and once with none. All these numbers have a power of two
//! as their denominator, so integers without bound hold them exactly.

use std::cmp::Ordering;

use model::coder::{Decoder, Encoder};
use num_bigint::BigUint;

/// The number `numerator / 2^shift`, exactly.
struct Dyadic {
    numerator: BigUint,
    shift: u32,
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let shift = self.shift.max(other.shift);
        let at = |number: &Self| &number.numerator << (shift - number.shift);
        at(self).partial_cmp(&at(other))
    }
}

/// A generator of its own (splitmix64), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// Slices of every width, the extreme ones often.
    fn slice(&mut self) -> (u32, u32) {
        let (cum, freq) = match self.below(8) {
            0 => (self.below(65536), 1),
            1 => (0, 65534),
            2 => (65535, 1),
            3 => (65534, 1),
            4 => (0, 1),
            5 => {
                let n = 1 + self.below(16);
                (self.below(1 << n) << (16 - n), 1 << (16 - n))
            }
            _ => {
                let cum = self.below(65536);
                (cum, 1 + self.below(65536 - cum))
            }
        };
        (cum as u32, freq.min(65535) as u32)
    }
}

/// The interval `[beg, beg + width)` of a record, in units of 2^-63 · 2^(-32·words).
#[derive(Clone)]
struct Exact {
    beg: BigUint,
    width: BigUint,
    words: u32,
}

impl Exact {
    fn new() -> Self {
        Self { beg: BigUint::ZERO, width: BigUint::from((1u64 << 63) - 1), words: 0 }
    }

    fn narrow(&mut self, cum: u32, freq: u32) {
        if self.width < BigUint::from(1u64 << 31) {
            self.beg <<= 32;
            self.width <<= 32;
            self.words += 1;
        }
        let r = &self.width >> 16;
        self.beg += &r * cum;
        self.width = r * freq;
    }

    fn scale(&self) -> u32 {
        63 + 32 * self.words
    }

    /// Both ends.
    fn ends(&self) -> (Dyadic, Dyadic) {
        let at = |numerator| Dyadic { numerator, shift: self.scale() };
        (at(self.beg.clone()), at(&self.beg + &self.width))
    }

    /// The shortest string of whole bytes, at least one after the words, all continuations of which
    /// lie inside.
    fn shortest(&self) -> BigUint {
        let end = &self.beg + &self.width;
        (1..8u32)
            .find_map(|k| {
                // The bits of the interval that these bytes leave out.
                let rest = 63 - 8 * k;
                let value = (&self.beg + ((BigUint::from(1u8) << rest) - 1u8)) >> rest;
                ((&value + 1u8) << rest <= end).then(|| (value << 8u8) + k)
            })
            .expect("the interval is wider than seven bytes can miss")
    }
}

/// The bytes as a number in [0, 1), and the least number above all that may follow them.
fn fraction(bytes: &[u8]) -> (Dyadic, Dyadic) {
    let value = BigUint::from_bytes_be(bytes);
    let at = |numerator| Dyadic { numerator, shift: 8 * bytes.len() as u32 };
    (at(value.clone()), at(value + 1u8))
}

/// Encodes; after every step compares the interval with the oracle's, in the end the bytes; decodes
/// again.
fn check(slices: &[(u32, u32)]) {
    let (mut e, mut x) = (Encoder::new(), Exact::new());
    let last_63 = BigUint::from((1u64 << 63) - 1);
    for (step, (cum, freq)) in slices.iter().enumerate() {
        e.narrow(*cum, *freq);
        x.narrow(*cum, *freq);
        let (low, range) = e.interval();
        assert_eq!(x.width, BigUint::from(range), "step {step}");
        assert_eq!(e.renormalisations(), u64::from(x.words), "step {step}");
        // The encoder's `low` holds the last 63 bits and a carry that is not yet applied.
        assert_eq!(&x.beg & &last_63, BigUint::from(low & ((1 << 63) - 1)), "step {step}");
        // What is published lies at or below the interval, and no continuation of it below the
        // interval's begin is lost.
        if step % 97 == 0 {
            let (beg, end) = x.ends();
            let (value, past) = fraction(e.published());
            assert!(
                value <= beg && end <= past,
                "step {step}: published bytes do not contain the interval"
            );
        }
    }
    let shortest = x.shortest();
    let (beg, end) = x.ends();
    let bytes = e.finish();
    let (value, past) = fraction(&bytes);
    assert!(beg <= value && past <= end, "the bytes leave the interval");
    let k = bytes.len() - 4 * x.words as usize;
    assert_eq!((value.numerator << 8u8) + k, shortest, "not the shortest ending");
    let mut d = Decoder::new(&bytes, 0);
    slices.iter().for_each(|(cum, freq)| d.consume(*cum, *freq).unwrap());
    assert_eq!(d.flush().unwrap(), bytes.len());
}

#[test]
fn a_million_random_symbols_agree_with_exact_intervals_at_every_step() {
    let mut random = Random(1);
    let mut coded = 0;
    while coded < 1_000_000 {
        let n = [1, 2, 3, 10, 100, 1000][random.below(6) as usize];
        let slices: Vec<_> = (0..n).map(|_| random.slice()).collect();
        check(&slices);
        coded += n;
    }
}

/// Slices that contain a fixed code point: every word but the first is 0xFFFFFFFF or 0 until the
/// last symbol decides.
#[test]
fn carry_chains_agree_with_exact_intervals() {
    let mut random = Random(2);
    let mut longest = 0;
    for round in 0..300 {
        // In 256ths.
        let point = BigUint::from(1 + random.below(254));
        let (mut x, mut e) = (Exact::new(), Encoder::new());
        let mut slices = vec![];
        for _ in 0..40 {
            // Where the point falls, by the exact interval.
            let mut next = x.clone();
            next.narrow(0, 65535);
            let at = (&point << (next.scale() - 8)) - &next.beg;
            let value = u32::try_from(at / (next.width / 65535u32)).unwrap().min(65534);
            let cum = value.saturating_sub(1 + random.below(3) as u32);
            let slice = (cum, (value + 2 + random.below(3) as u32).min(65536) - cum);
            x.narrow(slice.0, slice.1);
            e.narrow(slice.0, slice.1);
            longest = longest.max(e.pending());
            slices.push(slice);
        }
        // Above, below, or an ESC far above.
        slices.push([(65000, 1), (0, 1), (65535, 1)][round % 3]);
        check(&slices);
    }
    assert!(longest >= 8, "the longest chain was {longest} words");
}

#[test]
fn the_least_likely_symbols_agree_with_exact_intervals() {
    for slice in [(65535, 1), (0, 1), (65534, 1), (32768, 1)] {
        for n in 1..40 {
            check(&vec![slice; n]);
        }
    }
}

/// The seed method's rule with real numbers, no rounding at all: how much wider would the interval
/// be?
#[test]
fn rounding_costs_less_than_a_thousandth_of_a_bit_per_symbol() {
    let mut random = Random(3);
    for likely in [65534u32, 65529, 65000, 50000, 32768] {
        let (mut e, mut real) = (Encoder::new(), Dyadic { numerator: 1u8.into(), shift: 0 });
        let n = 20_000u32;
        let mut entropy_bits = 0.0;
        let mut bits = 0.0;
        for _ in 0..n {
            let value = random.below(65535) as u32;
            let (cum, freq) = if value < likely { (0, likely) } else { (likely, 65535 - likely) };
            e.narrow(cum, freq);
            // In pieces, or the numbers grow without need: the logarithm of a product is the sum.
            real = Dyadic { numerator: real.numerator * freq, shift: real.shift + 16 };
            if real.shift > 4096 {
                bits += log2_inverse(&real);
                real = Dyadic { numerator: 1u8.into(), shift: 0 };
            }
            entropy_bits += -(f64::from(freq) / 65535.0).log2();
        }
        bits += log2_inverse(&real);
        let coded = e.finish().len() as f64 * 8.0;
        // 8 bits of ending and one byte's rounding; rounding of r: at most 2^-15 of the range each
        // step.
        assert!(coded <= bits + 16.0 + f64::from(n) * 1e-3, "{likely}: {coded} bits for {bits}");
        assert!(coded >= bits - 1.0);
        println!(
            "p = {:.6}: coded {coded}, real intervals {bits:.1}, \
             entropy of the source {entropy_bits:.1}",
            f64::from(likely) / 65536.0
        );
    }
}

fn log2_inverse(value: &Dyadic) -> f64 {
    let below = value.numerator.bits().saturating_sub(64);
    let first = u64::try_from(&value.numerator >> below).expect("64 bits are left");
    f64::from(value.shift) - (first as f64).log2() - below as f64
}

/// Cut anywhere, the decoder hands out the symbols whose exact interval holds every continuation,
/// and no other.
#[test]
fn a_cut_record_yields_exactly_the_symbols_that_the_bytes_prove() {
    let mut random = Random(4);
    for _ in 0..2000 {
        let n = 1 + random.below(40);
        let slices: Vec<_> = (0..n).map(|_| random.slice()).collect();
        let mut e = Encoder::new();
        slices.iter().for_each(|(cum, freq)| e.narrow(*cum, *freq));
        let mut bytes = e.finish();
        bytes.truncate(random.below(bytes.len() as u64 + 1) as usize);
        let (value, past) = fraction(&bytes);
        let (mut x, mut d) = (Exact::new(), Decoder::new(&bytes, 0));
        for (cum, freq) in &slices {
            x.narrow(*cum, *freq);
            let (beg, end) = x.ends();
            // The decoder looks at 63 bits at a time, as the encoder does; a continuation is any
            // number in [value, past).
            let certain = beg <= value && past <= end;
            assert_eq!(d.consume(*cum, *freq).is_ok(), certain, "bytes {bytes:02x?}");
            if !certain {
                break;
            }
        }
    }
}
