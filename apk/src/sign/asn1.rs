//! Structures of certificates, signatures and key files that the `der` crate reads and writes, and
//! object identifiers.

use der::asn1::{AnyRef, BitStringRef, ObjectIdentifier, OctetStringRef, SetOf};
use der::{Decode, Sequence, ValueOrd};
use spki::AlgorithmIdentifierRef;

/// An algorithm with NULL parameters.
pub(super) fn algorithm(oid: ObjectIdentifier) -> AlgorithmIdentifierRef<'static> {
    AlgorithmIdentifierRef { oid, parameters: Some(AnyRef::NULL) }
}

/// PKCS#7 ContentInfo (RFC 2315 §7).
#[derive(Sequence)]
pub(super) struct ContentInfo<'a> {
    pub kind: ObjectIdentifier,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT")]
    pub content: AnyRef<'a>,
}

/// PKCS#7 SignedData (RFC 2315 §9.1). The certificates are those of the key file byte for byte, in
/// the order of the chain; those of the `cms` crate are written anew and sorted.
#[derive(Sequence)]
pub(super) struct SignedData<'a> {
    pub version: u8,
    pub digests: SetOf<AlgorithmIdentifierRef<'a>, 1>,
    pub content: NoContent,
    /// `[0] IMPLICIT SET OF Certificate`
    pub certificates: AnyRef<'a>,
    pub signers: SetOf<SignerInfo<'a>, 1>,
}

#[derive(Sequence)]
pub(super) struct NoContent {
    pub kind: ObjectIdentifier,
}

#[derive(Sequence, ValueOrd)]
pub(super) struct SignerInfo<'a> {
    pub version: u8,
    pub certificate: IssuerAndSerial<'a>,
    pub digest: AlgorithmIdentifierRef<'a>,
    pub key: AlgorithmIdentifierRef<'a>,
    pub signature: OctetStringRef<'a>,
}

#[derive(Sequence, ValueOrd)]
pub(super) struct IssuerAndSerial<'a> {
    pub issuer: AnyRef<'a>,
    pub serial: AnyRef<'a>,
}

/// A certificate (RFC 5280 §4.1). Its parts stay undecoded: signatures refer to them byte for
/// byte, and Android takes certificates that `x509-cert` refuses or would write differently.
#[derive(Sequence)]
struct SignedCertificate<'a> {
    pub content: Certificate<'a>,
    pub algorithm: AnyRef<'a>,
    pub signature: AnyRef<'a>,
}

/// The signed part of a certificate.
#[derive(Sequence)]
pub(super) struct Certificate<'a> {
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    pub version: Option<AnyRef<'a>>,
    pub serial: AnyRef<'a>,
    pub algorithm: AnyRef<'a>,
    pub issuer: AnyRef<'a>,
    pub validity: AnyRef<'a>,
    pub subject: AnyRef<'a>,
    pub public_key: AnyRef<'a>,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    pub issuer_id: Option<BitStringRef<'a>>,
    #[asn1(context_specific = "2", tag_mode = "IMPLICIT", optional = "true")]
    pub subject_id: Option<BitStringRef<'a>>,
    #[asn1(context_specific = "3", tag_mode = "EXPLICIT", optional = "true")]
    pub extensions: Option<AnyRef<'a>>,
}

impl<'a> Certificate<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, der::Error> {
        Ok(SignedCertificate::from_der(bytes)?.content)
    }
}

/// The file (RFC 7292 §4). Sets stay undecoded: `SetOfVec` of `der` sorts what it reads, in time
/// that grows with the square of the count.
#[derive(Sequence)]
pub(super) struct Pfx<'a> {
    pub version: u8,
    pub safe: ContentInfo<'a>,
    #[asn1(optional = "true")]
    pub mac: Option<MacData<'a>>,
}

#[derive(Sequence)]
pub(super) struct MacData<'a> {
    pub mac: DigestInfo<'a>,
    pub salt: OctetStringRef<'a>,
    #[asn1(optional = "true")]
    pub rounds: Option<u32>,
}

#[derive(Sequence)]
pub(super) struct DigestInfo<'a> {
    pub algorithm: AlgorithmIdentifierRef<'a>,
    pub digest: OctetStringRef<'a>,
}

/// PKCS#7 EncryptedData (RFC 2315 §13).
#[derive(Sequence)]
pub(super) struct EncryptedData<'a> {
    pub version: u8,
    pub content: EncryptedContent<'a>,
    #[asn1(optional = "true")]
    pub attributes: Option<AnyRef<'a>>,
}

#[derive(Sequence)]
pub(super) struct EncryptedContent<'a> {
    pub kind: ObjectIdentifier,
    pub algorithm: AlgorithmIdentifierRef<'a>,
    /// `[0] IMPLICIT OCTET STRING`
    pub bytes: AnyRef<'a>,
}

#[derive(Sequence)]
pub(super) struct Bag<'a> {
    pub kind: ObjectIdentifier,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT")]
    pub value: AnyRef<'a>,
    /// `SET OF` [`Attribute`]
    #[asn1(optional = "true")]
    pub attributes: Option<AnyRef<'a>>,
}

#[derive(Sequence)]
pub(super) struct Attribute<'a> {
    /// An identifier of any length; `ObjectIdentifier` takes no numbers beyond 32 bits.
    pub kind: AnyRef<'a>,
    pub values: AnyRef<'a>,
}

#[derive(Sequence)]
pub(super) struct ShroudedKey<'a> {
    pub algorithm: AlgorithmIdentifierRef<'a>,
    pub bytes: OctetStringRef<'a>,
}

#[derive(Sequence)]
pub(super) struct CertificateBag<'a> {
    pub kind: ObjectIdentifier,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT")]
    pub value: AnyRef<'a>,
}

/// PBES2 (RFC 8018 appendix A.4).
#[derive(Sequence)]
pub(super) struct Pbes2<'a> {
    pub derivation: AlgorithmIdentifierRef<'a>,
    pub scheme: AlgorithmIdentifierRef<'a>,
}

/// PBKDF2 (RFC 8018 appendix A.2).
#[derive(Sequence)]
pub(super) struct Pbkdf2<'a> {
    pub salt: OctetStringRef<'a>,
    pub rounds: u32,
    #[asn1(optional = "true")]
    pub size: Option<u32>,
    #[asn1(optional = "true")]
    pub function: Option<AlgorithmIdentifierRef<'a>>,
}

/// Parameters of the PKCS#12 ciphers (RFC 7292 appendix C).
#[derive(Sequence)]
pub(super) struct Pbe<'a> {
    pub salt: OctetStringRef<'a>,
    pub rounds: u32,
}

pub(super) mod oid {
    use super::ObjectIdentifier;

    const fn oid(dotted: &str) -> ObjectIdentifier {
        ObjectIdentifier::new_unwrap(dotted)
    }

    pub const RSA: ObjectIdentifier = rsa::pkcs1::ALGORITHM_OID;
    pub const RSA_SHA256: ObjectIdentifier = oid("1.2.840.113549.1.1.11");
    pub const EC: ObjectIdentifier = p256::elliptic_curve::ALGORITHM_OID;
    pub const SHA1: ObjectIdentifier = oid("1.3.14.3.2.26");
    pub const SHA256: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.1");
    pub const SHA384: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.2");
    pub const SHA512: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.3");
    pub const DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.1");
    pub const SIGNED_DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.2");
    pub const ENCRYPTED_DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.6");
    pub const PBKDF2: ObjectIdentifier = oid("1.2.840.113549.1.5.12");
    pub const PBES2: ObjectIdentifier = oid("1.2.840.113549.1.5.13");
    pub const HMAC_SHA1: ObjectIdentifier = oid("1.2.840.113549.2.7");
    pub const HMAC_SHA256: ObjectIdentifier = oid("1.2.840.113549.2.9");
    pub const HMAC_SHA384: ObjectIdentifier = oid("1.2.840.113549.2.10");
    pub const HMAC_SHA512: ObjectIdentifier = oid("1.2.840.113549.2.11");
    pub const DES3_CBC: ObjectIdentifier = oid("1.2.840.113549.3.7");
    pub const AES128_CBC: ObjectIdentifier = oid("2.16.840.1.101.3.4.1.2");
    pub const AES192_CBC: ObjectIdentifier = oid("2.16.840.1.101.3.4.1.22");
    pub const AES256_CBC: ObjectIdentifier = oid("2.16.840.1.101.3.4.1.42");
    pub const PBE_SHA1_3DES: ObjectIdentifier = oid("1.2.840.113549.1.12.1.3");
    pub const PBE_SHA1_2DES: ObjectIdentifier = oid("1.2.840.113549.1.12.1.4");
    pub const PBE_SHA1_RC2_128: ObjectIdentifier = oid("1.2.840.113549.1.12.1.5");
    pub const PBE_SHA1_RC2_40: ObjectIdentifier = oid("1.2.840.113549.1.12.1.6");
    pub const KEY_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.1");
    pub const SHROUDED_KEY_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.2");
    pub const CERTIFICATE_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.3");
    pub const X509: ObjectIdentifier = oid("1.2.840.113549.1.9.22.1");
    pub const FRIENDLY_NAME: ObjectIdentifier = oid("1.2.840.113549.1.9.20");
    pub const LOCAL_KEY_ID: ObjectIdentifier = oid("1.2.840.113549.1.9.21");
}
