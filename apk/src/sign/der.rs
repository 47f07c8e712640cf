//! DER (X.690), as much as certificates, PKCS#7 and PKCS#12 need.

use super::SignError;

pub(super) const INTEGER: u8 = 0x02;
pub(super) const OCTETS: u8 = 0x04;
pub(super) const NULL: u8 = 0x05;
pub(super) const OID: u8 = 0x06;
pub(super) const UTF8: u8 = 0x0c;
pub(super) const PRINTABLE: u8 = 0x13;
pub(super) const UTC_TIME: u8 = 0x17;
pub(super) const GENERAL_TIME: u8 = 0x18;
pub(super) const BMP: u8 = 0x1e;
pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const SET: u8 = 0x31;
pub(super) const CONTEXT_0: u8 = 0xa0;
/// Nesting in a key file is below 20.
const MAX_DEPTH: u32 = 40;

/// One element: tag, content, and the whole encoding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tlv<'a> {
    pub tag: u8,
    pub body: &'a [u8],
    pub raw: &'a [u8],
    /// Offset of `raw` in the outermost bytes.
    pub at: usize,
}

impl<'a> Tlv<'a> {
    /// Reader over the content.
    pub fn inside(&self) -> Reader<'a> {
        Reader { rest: self.body, at: self.at + self.raw.len() - self.body.len() }
    }
}

/// Reads elements one after another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, at: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn fault(&self, reason: &'static str) -> SignError {
        SignError::Damaged { offset: self.at, reason }
    }

    /// The next element, whatever it is.
    pub fn any(&mut self) -> Result<Tlv<'a>, SignError> {
        let short = self.fault("truncated");
        let (Some(&tag), Some(&first)) = (self.rest.first(), self.rest.get(1)) else {
            return Err(short);
        };
        let (head, len) = if first < 0x80 {
            (2, usize::from(first))
        } else {
            let count = usize::from(first & 0x7f);
            if count == 0 || count > 4 {
                return Err(self.fault("length is not in definite form"));
            }
            let Some(digits) = self.rest.get(2..2 + count) else { return Err(short) };
            (2 + count, digits.iter().fold(0usize, |n, &d| n << 8 | usize::from(d)))
        };
        let Some(raw) = head.checked_add(len).and_then(|end| self.rest.get(..end)) else {
            return Err(short);
        };
        let tlv = Tlv { tag, body: &raw[head..], raw, at: self.at };
        self.rest = &self.rest[raw.len()..];
        self.at += raw.len();
        Ok(tlv)
    }

    /// The next element, which must have this tag.
    pub fn tag(&mut self, tag: u8, reason: &'static str) -> Result<Tlv<'a>, SignError> {
        let fault = self.fault(reason);
        let tlv = self.any()?;
        if tlv.tag == tag { Ok(tlv) } else { Err(fault) }
    }

    /// The next element if it has this tag.
    pub fn optional(&mut self, tag: u8) -> Result<Option<Tlv<'a>>, SignError> {
        if self.rest.first() == Some(&tag) { self.any().map(Some) } else { Ok(None) }
    }

    /// A small non-negative integer.
    pub fn number(&mut self) -> Result<u32, SignError> {
        let fault = self.fault("number out of range");
        let body = self.tag(INTEGER, "number expected")?.body;
        let digits = body.iter().skip_while(|&&d| d == 0);
        if body.is_empty() || body[0] & 0x80 != 0 || digits.clone().count() > 4 {
            return Err(fault);
        }
        Ok(digits.fold(0, |n, &d| n << 8 | u32::from(d)))
    }
}

/// Rewrites BER with indefinite lengths or split octet strings (as Bouncy Castle writes key stores)
/// to definite form.
pub(super) fn definite(bytes: &[u8]) -> Result<Vec<u8>, SignError> {
    let mut at = 0;
    convert(bytes, &mut at, MAX_DEPTH)
}

fn convert(b: &[u8], at: &mut usize, depth: u32) -> Result<Vec<u8>, SignError> {
    let fault = |reason| SignError::Damaged { offset: *at, reason };
    let (Some(&tag), Some(&first)) = (b.get(*at), b.get(*at + 1)) else {
        return Err(fault("truncated"));
    };
    if depth == 0 {
        return Err(fault("nested too deeply"));
    }
    let constructed = tag & 0x20 != 0;
    if !(constructed && (first == 0x80 || tag == 0x24 || has_inner(b, *at))) {
        let mut reader = Reader { rest: &b[*at..], at: *at };
        let raw = reader.any()?.raw;
        *at += raw.len();
        return Ok(raw.to_vec());
    }
    let end = if first == 0x80 {
        *at += 2;
        None
    } else {
        let tlv = Reader { rest: &b[*at..], at: *at }.any()?;
        let end = *at + tlv.raw.len();
        *at += tlv.raw.len() - tlv.body.len();
        Some(end)
    };
    let mut content = Vec::new();
    loop {
        match end {
            Some(end) if *at >= end => break,
            None if b.get(*at..*at + 2) == Some(&[0, 0]) => {
                *at += 2;
                break;
            }
            _ => content.extend(convert(&b[..end.unwrap_or(b.len())], at, depth - 1)?),
        }
    }
    // A constructed octet string is the concatenation of its parts; [0] around octets that stands
    // for one stays as it is.
    if tag == 0x24 {
        let mut parts = Reader::new(&content);
        let mut whole = Vec::new();
        while !parts.is_empty() {
            whole.extend_from_slice(parts.tag(OCTETS, "octet string expected")?.body);
        }
        return Ok(tlv(OCTETS, &whole));
    }
    Ok(tlv(tag, &content))
}

/// Whether a constructed element of definite length can hold others that need rewriting; all but
/// empty ones can.
fn has_inner(b: &[u8], at: usize) -> bool {
    b.get(at + 1).is_some_and(|&l| l != 0)
}

/// One element.
pub(super) fn tlv(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    let len = body.len();
    if len < 0x80 {
        out.push(len as u8);
    } else {
        let digits: Vec<u8> = len.to_be_bytes().into_iter().skip_while(|&d| d == 0).collect();
        out.push(0x80 | digits.len() as u8);
        out.extend(digits);
    }
    out.extend_from_slice(body);
    out
}

/// An element made of others.
pub(super) fn nest(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    tlv(tag, &parts.concat())
}

/// A small non-negative integer.
pub(super) fn number(value: u32) -> Vec<u8> {
    let digits = value.to_be_bytes();
    let skip = digits.iter().take_while(|&&d| d == 0).count().min(3);
    let mut body = digits[skip..].to_vec();
    if body[0] & 0x80 != 0 {
        body.insert(0, 0);
    }
    tlv(INTEGER, &body)
}

/// An algorithm identifier with NULL parameters.
pub(super) fn algorithm(oid: &[u8]) -> Vec<u8> {
    nest(SEQUENCE, &[&tlv(OID, oid), &[NULL, 0]])
}

/// An object identifier in dotted form, for messages.
pub(super) fn dotted(oid: &[u8]) -> String {
    let mut parts = Vec::new();
    let mut value = 0u64;
    for &b in oid.iter().take(64) {
        value = value << 7 & (u64::MAX >> 1) | u64::from(b & 0x7f);
        if b & 0x80 == 0 {
            if parts.is_empty() {
                let root = (value / 40).min(2);
                parts.push(root.to_string());
                value -= root * 40;
            }
            parts.push(value.to_string());
            value = 0;
        }
    }
    parts.join(".")
}

/// Object identifiers used here, in their encoded form.
pub(super) mod oid {
    pub const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1];
    pub const RSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11];
    pub const EC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
    pub const SHA1: &[u8] = &[0x2b, 0x0e, 3, 2, 0x1a];
    pub const SHA256: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1];
    pub const SHA384: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2];
    pub const SHA512: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3];
    pub const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];
    pub const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2];
    pub const ENCRYPTED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 6];
    pub const PBKDF2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 12];
    pub const PBES2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 13];
    pub const HMAC_SHA1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 7];
    pub const HMAC_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 9];
    pub const HMAC_SHA384: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 10];
    pub const HMAC_SHA512: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 11];
    pub const DES3_CBC: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 3, 7];
    pub const AES128_CBC: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 2];
    pub const AES192_CBC: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 22];
    pub const AES256_CBC: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 42];
    /// pkcs-12PbeIds: the last byte chooses (1–6).
    pub const PBE_PREFIX: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 12, 1];
    /// PKCS#12 bag types: the last byte chooses.
    pub const BAG_PREFIX: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 12, 10, 1];
    pub const X509: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 22, 1];
    pub const FRIENDLY_NAME: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 20];
    pub const LOCAL_KEY_ID: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 21];
    pub const COUNTRY: &[u8] = &[0x55, 4, 6];
    pub const ORGANISATION: &[u8] = &[0x55, 4, 10];
    pub const COMMON_NAME: &[u8] = &[0x55, 4, 3];
}
