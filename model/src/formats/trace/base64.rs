//! Base64, standard alphabet, no padding (RFC 4648 §4 and §3.2).

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().enumerate().fold(0u32, |w, (i, b)| w | u32::from(*b) << (16 - 8 * i));
        (0..=chunk.len())
            .for_each(|i| out.push(char::from(DIGITS[(word >> (18 - 6 * i)) as usize & 63])));
    }
    out
}

/// The value of a digit.
pub(super) fn value(digit: u8) -> Option<u32> {
    Some(u32::from(match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

/// Returns the number of base64 digits that `text` begins with.
pub(super) fn digits(text: &[u8]) -> usize {
    text.iter().position(|b| value(*b).is_none()).unwrap_or(text.len())
}

/// Returns `None` for a character that is no digit or a length that no encoding has. Bits after the
/// last byte are ignored.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.chunks(4) {
        if chunk.len() == 1 {
            return None;
        }
        let mut word = 0;
        for (i, digit) in chunk.iter().enumerate() {
            word |= value(*digit)? << (18 - 6 * i);
        }
        out.extend_from_slice(&word.to_be_bytes()[1..chunk.len()]);
    }
    Some(out)
}

/// Returns true if the bits after the last byte are zero, as [`encode`] leaves them.
pub(super) fn clean_end(text: &[u8]) -> bool {
    let spare = match text.len() % 4 {
        2 => 15,
        3 => 3,
        _ => 0,
    };
    text.last().and_then(|d| value(*d)).is_none_or(|v| v & spare == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 4648 §10, without padding.
    #[test]
    fn rfc_vectors() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(plain.as_bytes()), coded);
            assert_eq!(decode(coded.as_bytes()).unwrap(), plain.as_bytes());
        }
        assert_eq!(decode(b"A"), None);
        assert_eq!(decode(b"Zg=="), None);
        for (text, clean) in
            [("Zg", true), ("Zh", false), ("Zm8", true), ("Zm9", false), ("Zm9v", true), ("", true)]
        {
            assert_eq!(clean_end(text.as_bytes()), clean, "{text}");
        }
        assert_eq!(encode(&[0xFB, 0xFF]), "+/8");
    }
}
