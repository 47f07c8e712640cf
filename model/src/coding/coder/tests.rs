use crate::coding::table::{pack_all, quantise};
use proptest::prelude::*;

use super::*;

/// Any slice, with a liking for the narrow, the wide and the powers of two.
fn any_slice() -> impl Strategy<Value = (u32, u32)> {
    prop_oneof![
        (0..TOTAL).prop_flat_map(|cum| (Just(cum), 1..=TOTAL - cum)),
        (0..TOTAL).prop_map(|cum| (cum, 1)),
        (1..=16u32)
            .prop_flat_map(|n| (0..1u32 << n).prop_map(move |v| (v << (16 - n), 1 << (16 - n)))),
        Just((0, 65534)),
        Just((ESC_CUM, 1)),
    ]
    .prop_filter("a slice is less than everything", |s| s.1 < TOTAL)
}

fn encode(slices: &[(u32, u32)]) -> Vec<u8> {
    let mut e = Encoder::new();
    slices.iter().for_each(|(cum, freq)| e.narrow(*cum, *freq));
    e.finish()
}

proptest! {
    #[test]
    fn records_follow_each_other_without_framing(
        records in prop::collection::vec(prop::collection::vec(any_slice(), 0..60), 1..8),
        tail in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let mut e = Encoder::new();
        for record in &records {
            record.iter().for_each(|(cum, freq)| e.narrow(*cum, *freq));
            e.flush();
        }
        let mut bytes = e.finish();
        let length = bytes.len();
        bytes.extend(tail);
        let mut d = Decoder::new(&bytes, 0);
        for record in &records {
            let mut e = Encoder::new();
            for (cum, freq) in record {
                let value = d.peek_slice().unwrap();
                prop_assert!((*cum..cum + freq).contains(&value));
                // Raw bits may have a slice that reaches into ESC's: at the end of the data, the
                // bytes need not decide in which part of it the code lies.
                let has_both = *cum < ESC_CUM && cum + freq == TOTAL;
                match d.is_escape() {
                    Err(CoderError::Truncated { .. }) if has_both => {}
                    is_escape => prop_assert_eq!(is_escape, Ok(value == ESC_CUM)),
                }
                d.consume(*cum, *freq).unwrap();
                e.narrow(*cum, *freq);
                prop_assert_eq!(e.renormalisations(), d.renormalisations() as u64);
                prop_assert_eq!(e.interval().1, d.range());
            }
            d.flush().unwrap();
        }
        prop_assert_eq!(d.position(), length);
    }

    /// A cut stream gives a symbol exactly if all-zeros and all-ones give it.
    #[test]
    fn a_cut_stream_gives_what_is_certain(
        slices in prop::collection::vec(any_slice(), 1..40), cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = encode(&slices);
        bytes.truncate(cut.index(bytes.len() + 1));
        let continued = |fill| { let mut b = bytes.clone(); b.resize(b.len() + 16, fill); b };
        let (zeros, ones) = (continued(0), continued(0xFF));
        let mut d = Decoder::new(&bytes, 0);
        let (mut low, mut high) = (Decoder::new(&zeros, 0), Decoder::new(&ones, 0));
        for (cum, freq) in &slices {
            let inside = |v| (*cum..cum + freq).contains(&v);
            let certain = [&low, &high].iter().all(|d| d.peek_slice().is_ok_and(inside));
            match (low.is_escape(), high.is_escape()) {
                (Ok(a), Ok(b)) if a == b => prop_assert_eq!(d.is_escape(), Ok(a)),
                _ => prop_assert!(d.is_escape().is_err()),
            }
            let result = d.consume(*cum, *freq);
            if !certain {
                prop_assert_eq!(result, Err(CoderError::Truncated { at: bytes.len() }));
                break;
            }
            prop_assert_eq!(result, Ok(()));
            low.consume(*cum, *freq).unwrap();
            high.consume(*cum, *freq).unwrap();
        }
    }

    #[test]
    fn numbers_come_back(values in prop::collection::vec((any::<u32>(), 1..=32u32), 0..50)) {
        let mut e = Encoder::new();
        for (v, n) in &values {
            e.bits(v >> (32 - n), *n);
            e.gamma(v >> (32 - n));
        }
        let bytes = e.finish();
        let mut d = Decoder::new(&bytes, 0);
        for (v, n) in &values {
            prop_assert_eq!(d.bits(*n).unwrap(), v >> (32 - n));
            prop_assert_eq!(d.gamma().unwrap(), v >> (32 - n));
        }
        d.flush().unwrap();
        prop_assert!(d.at_end());
    }

    #[test]
    fn any_bytes_are_decoded_without_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..40),
        slices in prop::collection::vec(any_slice(), 0..40),
    ) {
        let mut d = Decoder::new(&bytes, 0);
        for (cum, freq) in slices {
            let _ = (d.is_escape(), d.gamma(), d.consume(cum, freq));
            let _ = (d.bits(freq % 40), d.choose(&[cum << 16 | freq]));
            let _ = d.clone().flush();
        }
    }

    #[test]
    fn choosing_finds_the_alternative(
        counts in prop::collection::vec(0u64..100, 1..30),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) {
        let slices = pack_all(&quantise(&counts).unwrap());
        let mut e = Encoder::new();
        for pick in &picks {
            e.step(slices[pick.index(slices.len())]);
        }
        e.escape();
        let bytes = e.finish();
        let mut d = Decoder::new(&bytes, 0);
        for pick in &picks {
            prop_assert_eq!(d.choose(&slices).unwrap(), Some(pick.index(slices.len())));
        }
        prop_assert_eq!(d.choose(&slices).unwrap(), None);
        d.escape().unwrap();
        d.flush().unwrap();
    }
}

/// Follows the code point one half from below, so that every word is 0xFFFFFFFF and waits for a
/// carry; then lets it come, or not.
#[test]
fn a_carry_runs_through_all_pending_words() {
    let half = [&[0x80u8][..], &[0; 400]].concat();
    for carry in [false, true] {
        for length in [30, 57, 100] {
            let mut point = Decoder::new(&half, 0);
            let mut e = Encoder::new();
            let mut slices = vec![];
            for i in 0..length {
                let value = point.peek_slice().unwrap();
                // The slice begins below the point and ends above it, a different width each time.
                let cum = value.saturating_sub(1 + i % 7);
                let freq = (value + 2 + i % 5).min(TOTAL) - cum;
                point.consume(cum, freq).unwrap();
                e.narrow(cum, freq);
                slices.push((cum, freq));
            }
            assert!(e.pending() >= 8, "{} words wait", e.pending());
            let published = e.published().to_vec();
            let value = point.peek_slice().unwrap();
            assert!((1..65000).contains(&value));
            let last = if carry { (value + 1, 1) } else { (value - 1, 1) };
            e.narrow(last.0, last.1);
            slices.push(last);
            let bytes = e.finish();
            assert!(bytes.starts_with(&published));
            assert_eq!(
                bytes[..9],
                if carry {
                    [0x80, 0, 0, 0, 0, 0, 0, 0, 0]
                } else {
                    [0x7F, 255, 255, 255, 255, 255, 255, 255, 255]
                }
            );
            let mut d = Decoder::new(&bytes, 0);
            slices.iter().for_each(|(cum, freq)| d.consume(*cum, *freq).unwrap());
            d.flush().unwrap();
            assert!(d.at_end());
        }
    }
}

#[test]
fn one_likely_symbol_closes_with_one_byte_and_none_with_nothing() {
    assert!(encode(&[]).is_empty());
    assert_eq!(encode(&[(0, 65534)]).len(), 1);
    assert_eq!(encode(&[(0, 257)]).len(), 1);
    // The range is a little less than 2⁶³, so 256 of 65,536 are a little less than an aligned
    // byte.
    assert_eq!(encode(&[(0, 256)]).len(), 2);
}

/// The interval may need any number of closing bytes; before a renormalisation up to six or seven.
#[test]
fn every_number_of_closing_bytes_comes_back() {
    let mut seen = [0u32; 8];
    let mut seed = 7u64;
    for _ in 0..20_000 {
        let mut e = Encoder::new();
        let mut slices = vec![];
        for _ in 0..seed >> 16 & 7 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let cum = (seed >> 48) as u32;
            let slice = (cum, if seed >> 40 & 1 == 0 { 1 } else { TOTAL - cum }.min(65535));
            e.narrow(slice.0, slice.1);
            slices.push(slice);
        }
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let words = e.renormalisations() as usize;
        let bytes = e.finish();
        seen[bytes.len() - 4 * words] += 1;
        let mut d = Decoder::new(&bytes, 0);
        slices.iter().for_each(|(cum, freq)| d.consume(*cum, *freq).unwrap());
        d.flush().unwrap();
        assert!(d.at_end());
    }
    assert!(seen[..7].iter().all(|n| *n > 0), "{seen:?}");
}

#[test]
fn a_record_with_a_changed_last_byte_is_refused() {
    let slices = [(3, 1), (65000, 200), (0, 65534), (70, 1)];
    let bytes = encode(&slices);
    let last = bytes.len() - 1;
    let mut refused = 0;
    for change in 1..=255u8 {
        let mut bytes = bytes.clone();
        bytes[last] ^= change;
        let mut d = Decoder::new(&bytes, 0);
        let read = slices.iter().all(|(cum, freq)| d.consume(*cum, *freq).is_ok());
        refused += usize::from(!read || d.flush() == Err(CoderError::Corrupt { at: d.position() }));
    }
    assert_eq!(refused, 255);
}

#[test]
fn a_record_without_its_last_byte_is_truncated() {
    let bytes = encode(&[(1, 1), (0, 65534)]);
    let mut d = Decoder::new(&bytes[..bytes.len() - 1], 0);
    let result =
        d.consume(1, 1).and_then(|()| d.consume(0, 65534)).and_then(|()| d.flush().map(|_| ()));
    assert_eq!(result, Err(CoderError::Truncated { at: bytes.len() - 1 }));
}

/// Prints the speed; fails only if the decoder became slow by an order of magnitude.
#[test]
#[cfg(not(debug_assertions))]
fn decoding_is_fast() {
    let tables: Vec<Vec<u32>> = [&[900u64, 100][..], &[1, 99999], &[5, 3], &[70, 20, 5, 5]]
        .iter()
        .map(|c| pack_all(&quantise(c).unwrap()))
        .collect();
    let n = 8_000_000usize;
    let mut e = Encoder::new();
    let mut seed = 1u64;
    for i in 0..n {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let table = &tables[i % 4];
        let value = (seed >> 48) as u32;
        e.step(table[table.partition_point(|s| s >> 16 <= value) - 1]);
    }
    let bytes = e.finish();
    let mut d = Decoder::new(&bytes, 0);
    let start = std::time::Instant::now();
    let sum: usize = (0..n).map(|i| d.choose(&tables[i % 4]).unwrap().unwrap()).sum();
    let rate = n as f64 / start.elapsed().as_secs_f64();
    println!("{:.0} million symbols/s ({sum})", rate / 1e6);
    assert!(rate > 5e6);
}
