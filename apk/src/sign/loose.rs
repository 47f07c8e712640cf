//! Keys and certificates in files of their own, which are given in place of a PKCS#12 file: the
//! `.pk8` and `.x509.pem` of the Android build, and what OpenSSL writes.

use std::fmt;

use der::Decode;
use rsa::pkcs1;
use rsa::pkcs8::PrivateKeyInfo;

use super::asn1::{Certificate, ShroudedKey};

/// The form of a key or certificate that is not in a PKCS#12 file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LooseForm {
    /// PEM text.
    Pem,
    /// A private key in DER: PKCS#8, encrypted or not, or PKCS#1.
    Key,
    /// A certificate in DER.
    Certificate,
}

impl LooseForm {
    /// The form of a file; `None` for everything else.
    pub(super) fn of(bytes: &[u8]) -> Option<LooseForm> {
        const PEM: &[u8] = b"-----BEGIN ";
        if bytes.windows(PEM.len()).any(|window| window == PEM) {
            return Some(LooseForm::Pem);
        }
        let is_key = PrivateKeyInfo::from_der(bytes).is_ok()
            || ShroudedKey::from_der(bytes).is_ok()
            || pkcs1::RsaPrivateKey::from_der(bytes).is_ok();
        if is_key {
            return Some(LooseForm::Key);
        }
        Certificate::parse(bytes).is_ok().then_some(LooseForm::Certificate)
    }
}

impl fmt::Display for LooseForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LooseForm::Pem => "PEM text",
            LooseForm::Key => "a private key without its certificate (PKCS#8 or PKCS#1)",
            LooseForm::Certificate => "a certificate without its private key",
        })
    }
}
