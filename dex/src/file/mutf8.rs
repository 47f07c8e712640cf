//! Modified UTF-8, the string encoding of DEX files.
//!
//! Each UTF-16 code unit is encoded by itself in one to three bytes: a supplementary character is a
//! pair of three-byte surrogates, and U+0000 is `C0 80`, so that zero can terminate a string.

use std::borrow::Cow;
use std::cmp::Ordering;

/// Encodes text.
pub fn encode(text: &str) -> Vec<u8> {
    if text.bytes().all(|b| (1..0x80).contains(&b)) {
        return text.as_bytes().to_vec();
    }
    encode_units(text.encode_utf16())
}

/// Encodes UTF-16 code units, lone surrogates included.
pub fn encode_units(units: impl Iterator<Item = u16>) -> Vec<u8> {
    let mut out = Vec::new();
    for unit in units {
        match unit {
            1..0x80 => out.push(unit as u8),
            0 | 0x80..0x800 => out.extend([0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8]),
            _ => out.extend([
                0xE0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3F) as u8,
                0x80 | (unit & 0x3F) as u8,
            ]),
        }
    }
    out
}

/// The UTF-16 code units of *valid* modified UTF-8. Malformed bytes give some unit, never a panic.
pub fn units(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    let mut rest = bytes;
    let next = |rest: &mut &[u8]| -> u16 {
        let (&first, tail) = rest.split_first().unwrap_or((&0x80, &[]));
        *rest = tail;
        u16::from(first)
    };
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let first = next(&mut rest);
        Some(match first {
            0..0x80 => first,
            0x80..0xE0 => (first & 0x1F) << 6 | next(&mut rest) & 0x3F,
            _ => (first & 0x0F) << 12 | (next(&mut rest) & 0x3F) << 6 | next(&mut rest) & 0x3F,
        })
    })
}

/// Number of UTF-16 code units, as `string_data_item.utf16_size` counts them.
pub fn utf16_len(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&b| b & 0xC0 != 0x80).count()
}

/// Text for people: lone surrogates become U+FFFD.
pub fn decode_lossy(bytes: &[u8]) -> Cow<'_, str> {
    if bytes.is_ascii()
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        char::decode_utf16(units(bytes))
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect(),
    )
}

/// Compares by UTF-16 code units, the order of `string_ids`.
///
/// Bytes compare like the units they encode, except `C0 80`, which stands for the least unit.
pub fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let common = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    match (a.get(common), b.get(common)) {
        (Some(&x), Some(&y)) => {
            // A difference in a later byte of a unit decides like the unit; a first byte of C0 can
            // only be U+0000, which is less than any other first byte.
            let rank = |byte: u8| if byte == 0xC0 { 0 } else { byte };
            rank(x).cmp(&rank(y))
        }
        (x, y) => x.is_some().cmp(&y.is_some()),
    }
}

/// Finds the end of the string that starts at `bytes[0]`: returns the position of its zero and its
/// number of units, or the position of the first malformed byte.
///
/// Accepted is what ART's verifier accepts: shortest encodings only, `C0 80` apart.
pub fn scan(bytes: &[u8]) -> Result<(usize, usize), usize> {
    let mut at = 0;
    let mut count = 0;
    let continuation = |at: usize| match bytes.get(at) {
        Some(&b) if b & 0xC0 == 0x80 => Ok(u16::from(b & 0x3F)),
        _ => Err(at),
    };
    loop {
        let first = *bytes.get(at).ok_or(at)?;
        match first {
            0 => return Ok((at, count)),
            1..0x80 => at += 1,
            0xC0..0xE0 => {
                let unit = u16::from(first & 0x1F) << 6 | continuation(at + 1)?;
                if unit != 0 && unit < 0x80 {
                    return Err(at);
                }
                at += 2;
            }
            0xE0..0xF0 => {
                let unit = u16::from(first & 0x0F) << 12
                    | continuation(at + 1)? << 6
                    | continuation(at + 2)?;
                if unit < 0x800 {
                    return Err(at);
                }
                at += 3;
            }
            _ => return Err(at),
        }
        count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_and_supplementary_characters_take_two_and_six_bytes() {
        assert_eq!(encode("a\0𝄞"), [b'a', 0xC0, 0x80, 0xED, 0xA0, 0xB4, 0xED, 0xB4, 0x9E]);
        assert_eq!(decode_lossy(&encode("a\0𝄞é水")), "a\0𝄞é水");
        assert_eq!(utf16_len(&encode("a\0𝄞é水")), 6);
    }

    #[test]
    fn order_is_that_of_utf16_units_not_of_code_points_or_bytes() {
        // In UTF-8 the supplementary character is greatest; in UTF-16 it is D834 DD1E, below
        // U+FFFD.
        let mut texts = [
            "\u{FFFD}", "𝄞", "\0", "\u{1}", "", "z", "\0a", "\u{80}", "\u{7FF}", "\u{800}", "a\0",
            "a", "a\u{1}",
        ];
        let mut units = texts;
        texts.sort_by(|a, b| compare(&encode(a), &encode(b)));
        units.sort_by_key(|t| t.encode_utf16().collect::<Vec<_>>());
        assert_eq!(texts, units);
    }

    #[test]
    fn overlong_and_cut_sequences_are_refused_at_their_offset() {
        assert_eq!(scan(b"ab\0"), Ok((2, 2)));
        assert_eq!(scan(&[0xC0, 0x80, 0]), Ok((2, 1)));
        assert_eq!(scan(&[b'a', 0xC1, 0x81, 0]), Err(1));
        assert_eq!(scan(&[0xE0, 0x81, 0x81, 0]), Err(0));
        assert_eq!(scan(&[0xE2, 0x82, 0]), Err(2));
        assert_eq!(scan(&[0xF0, 0x9F, 0x98, 0x80, 0]), Err(0));
        assert_eq!(scan(b"ab"), Err(2));
    }

    proptest::proptest! {
        #[test]
        fn any_units_survive(
            v in proptest::collection::vec(proptest::prelude::any::<u16>(), 0..40),
        ) {
            let mut bytes = encode_units(v.iter().copied());
            proptest::prop_assert_eq!(units(&bytes).collect::<Vec<_>>(), v.clone());
            let end = bytes.len();
            bytes.push(0);
            proptest::prop_assert_eq!(scan(&bytes), Ok((end, v.len())));
        }
    }
}
