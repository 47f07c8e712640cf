//! BER (X.690) rewritten to DER: Bouncy Castle writes key files with indefinite lengths and octet
//! strings in parts, and the `der` crate reads neither.

use der::asn1::OctetStringRef;
use der::{Decode, Encode, Length, Reader, SliceReader};

use super::SignError;

/// Nesting in a key file is below 20.
const MAX_DEPTH: u32 = 40;
const CONSTRUCTED: u8 = 0x20;
const OCTETS: u8 = 0x04;
/// An octet string made of others.
const OCTETS_IN_PARTS: u8 = 0x24;

/// The first element of `bytes` with all lengths definite and as short as they can be, and octet
/// strings in one part.
pub(super) fn to_der(bytes: &[u8]) -> Result<Vec<u8>, SignError> {
    element(bytes, &mut 0, MAX_DEPTH)
}

fn element(b: &[u8], at: &mut usize, depth: u32) -> Result<Vec<u8>, SignError> {
    let offset = *at;
    let fault = |reason| SignError::Damaged { offset, reason };
    if depth == 0 {
        return Err(fault("nested too deeply"));
    }
    let (tag, length) = header(b, at).map_err(fault)?;
    let end = length.map(|length| at.checked_add(length).filter(|&end| end <= b.len()));
    let end = end.map(|end| end.ok_or(fault("truncated"))).transpose()?;
    let mut content = Vec::new();
    match end {
        Some(end) if tag & CONSTRUCTED == 0 => {
            content.extend_from_slice(&b[*at..end]);
            *at = end;
        }
        Some(end) => {
            while *at < end {
                content.extend(element(&b[..end], at, depth - 1)?);
            }
        }
        None if tag & CONSTRUCTED == 0 => return Err(fault("length is not in definite form")),
        None => {
            while b.get(*at..*at + 2) != Some(&[0, 0]) {
                content.extend(element(b, at, depth - 1)?);
            }
            *at += 2;
        }
    }
    if tag == OCTETS_IN_PARTS {
        return encode(OCTETS, &joined(&content)?);
    }
    encode(tag, &content)
}

/// Tag and length of the element at `at`, which is moved past them. An indefinite length is
/// `None`.
fn header(b: &[u8], at: &mut usize) -> Result<(u8, Option<usize>), &'static str> {
    let (Some(&tag), Some(&first)) = (b.get(*at), b.get(*at + 1)) else { return Err("truncated") };
    *at += 2;
    let count = usize::from(first & 0x7f);
    let length = match first {
        0x80 => None,
        0..0x80 => Some(count),
        _ if count > 4 => return Err("length of more than four bytes"),
        _ => {
            let digits = b.get(*at..*at + count).ok_or("truncated")?;
            *at += count;
            Some(digits.iter().fold(0, |n, &d| n << 8 | usize::from(d)))
        }
    };
    Ok((tag, length))
}

/// The octet strings in `parts`, one after the other.
pub(super) fn joined(parts: &[u8]) -> Result<Vec<u8>, der::Error> {
    let mut reader = SliceReader::new(parts)?;
    let mut whole = Vec::new();
    while !reader.is_finished() {
        whole.extend_from_slice(OctetStringRef::decode(&mut reader)?.as_bytes());
    }
    Ok(whole)
}

fn encode(tag: u8, content: &[u8]) -> Result<Vec<u8>, SignError> {
    let length = Length::try_from(content.len())?.to_der()?;
    Ok([&[tag], length.as_slice(), content].concat())
}
