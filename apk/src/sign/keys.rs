//! Signers: a private key and its certificate chain, from a PKCS#12 file or made once as a debug
//! key.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use der::asn1::{AnyRef, BitString, GeneralizedTime, UtcTime};
use der::{DateTime, Decode, Encode};
use p256::ecdsa::signature::hazmat::{PrehashSigner as _, RandomizedPrehashSigner as _};
use rsa::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, PrivateKeyInfo,
};
use rsa::rand_core::OsRng;
use rsa::traits::PublicKeyParts as _;
use rsa::{Pkcs1v15Sign, RsaPrivateKey, pkcs1};
use sha2::{Digest, Sha256, Sha512};
use spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoRef};
use x509_cert::certificate::{TbsCertificate, Version};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::time::{Time, Validity};

use super::asn1::{Certificate, oid};
use super::{SignError, nonce, pkcs12};

/// Android Studio's name and password for debug keys; nothing secret is behind it.
const DEBUG_PASSWORD: &str = "android";
const DEBUG_FILE: &str = "debug.p12";
const DEBUG_ALIAS: &str = "androiddebugkey";
/// Bytes of a key file that are read; real ones have a few kilobytes.
const MAX_KEY_FILE: u64 = 4 << 20;
/// Bits of the longest RSA key that `keytool` makes.
const MAX_RSA_BITS: usize = 16_384;

pub(super) enum Key {
    Rsa(Box<RsaPrivateKey>),
    P256(p256::SecretKey),
    P384(p384::SecretKey),
    P521(p521::SecretKey),
}

/// A private key with the certificates that belong to it, ready to sign packages.
pub struct Signer {
    key: Key,
    /// DER, the key's own certificate first, then its issuers.
    pub(super) certificates: Vec<Vec<u8>>,
    /// SubjectPublicKeyInfo as it is in the certificate.
    pub(super) public_key: Vec<u8>,
}

impl std::fmt::Debug for Signer {
    /// Shows the kind of key only; key material never gets into messages.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signer")
            .field("kind", &if self.is_ec() { "EC" } else { "RSA" })
            .finish_non_exhaustive()
    }
}

impl Signer {
    /// Reads a key from a PKCS#12 file (`keytool -storetype PKCS12`, Android Studio,
    /// `openssl pkcs12 -export`).
    ///
    /// `alias` chooses among several keys; without regard to case, as keytool does.
    ///
    /// # Errors
    /// Wrong password, no (such) key, no certificate for it, an unsupported algorithm, a damaged
    /// file.
    pub fn from_pkcs12(
        path: impl AsRef<Path>,
        password: &str,
        alias: Option<&str>,
    ) -> Result<Self, SignError> {
        let path = path.as_ref();
        let io = |error| SignError::Io { file: path.display().to_string(), error };
        let mut bytes = Vec::new();
        let file = disk::open(path).map_err(io)?;
        std::io::Read::read_to_end(&mut std::io::Read::take(file, MAX_KEY_FILE), &mut bytes)
            .map_err(io)?;
        let named = |problem| SignError::KeyFile {
            file: path.display().to_string(),
            problem: Box::new(problem),
        };
        Self::from_pkcs12_bytes(&bytes, password, alias).map_err(named)
    }

    /// As [`Signer::from_pkcs12`], from memory.
    ///
    /// # Errors
    /// As there.
    pub fn from_pkcs12_bytes(
        bytes: &[u8],
        password: &str,
        alias: Option<&str>,
    ) -> Result<Self, SignError> {
        let store = pkcs12::open(bytes, password)?;
        let (key, certificates) = store.choose(alias)?;
        Self::new(key, certificates)
    }

    /// The debug key of this user, made on first use: `pathlight/debug.p12` in `$XDG_CONFIG_HOME`,
    /// `%APPDATA%` (Windows) or `~/.config`.
    ///
    /// # Errors
    /// No such folder, or the file cannot be read or written.
    pub fn debug() -> Result<Self, SignError> {
        Self::debug_in(Self::debug_folder()?)
    }

    /// Path of the key file of [`Self::debug`]; makes nothing.
    ///
    /// # Errors
    /// No such folder.
    pub fn debug_file() -> Result<PathBuf, SignError> {
        Ok(Self::debug_folder()?.join(DEBUG_FILE))
    }

    fn debug_folder() -> Result<PathBuf, SignError> {
        let set = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        // The XDG rules ignore a relative path there.
        let config = set("XDG_CONFIG_HOME").filter(|p| p.is_absolute());
        // Windows sets no HOME.
        let system = || if cfg!(windows) { set("APPDATA") } else { None };
        let config = config
            .or_else(system)
            .or_else(|| set("HOME").map(|home| home.join(".config")))
            .ok_or(SignError::NoHome)?;
        Ok(config.join("pathlight"))
    }

    /// The debug key kept in `folder`, made on first use with access for its owner only.
    ///
    /// # Errors
    /// The file cannot be read or written, or is damaged.
    pub fn debug_in(folder: impl AsRef<Path>) -> Result<Self, SignError> {
        let folder = folder.as_ref();
        let path = folder.join(DEBUG_FILE);
        if !path.exists() {
            let io = |error| SignError::Io { file: path.display().to_string(), error };
            let bytes = new_debug_store()?;
            std::fs::create_dir_all(folder).map_err(io)?;
            // Another process that makes one, too, wins or loses as a whole.
            let mut staged = disk::StagedFile::private_in(folder).map_err(io)?;
            staged.write_all(&bytes).and_then(|()| staged.as_file().sync_all()).map_err(io)?;
            match staged.persist_new(&path) {
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                other => other.map_err(io)?,
            }
        }
        Self::from_pkcs12(&path, DEBUG_PASSWORD, None)
    }

    /// Joins a PKCS#8 key with the certificate among `certificates` that holds its public half.
    pub(super) fn new(pkcs8: &[u8], certificates: Vec<Vec<u8>>) -> Result<Self, SignError> {
        let key = Key::from_pkcs8(pkcs8)?;
        let own = certificates
            .iter()
            .position(|c| Certificate::parse(c).is_ok_and(|c| key.matches(c.public_key)))
            .ok_or(SignError::NoCertificate)?;
        let chain = chain(&certificates, own);
        let public_key = Certificate::parse(&chain[0])?.public_key.to_der()?;
        Ok(Self { key, certificates: chain, public_key })
    }

    /// The bits of an RSA key.
    pub fn rsa_bits(&self) -> Option<usize> {
        let Key::Rsa(key) = &self.key else { return None };
        Some(key.n().bits())
    }

    pub(super) fn is_ec(&self) -> bool {
        !matches!(self.key, Key::Rsa(_))
    }

    /// Signature over the SHA-256 digest of `data`.
    pub(super) fn sign_sha256(&self, data: &[u8]) -> Result<Vec<u8>, SignError> {
        match &self.key {
            Key::Rsa(key) => rsa_sign(key, Pkcs1v15Sign::new::<Sha256>(), &Sha256::digest(data)),
            key => key.sign_digest(&Sha256::digest(data)),
        }
    }

    /// True if v2 and v3 signatures use SHA-512: as `apksigner` does, for EC keys of more than 256
    /// bits.
    pub(super) fn is_large_ec(&self) -> bool {
        matches!(self.key, Key::P384(_) | Key::P521(_))
    }

    /// Signature over the SHA-512 digest of `data`.
    pub(super) fn sign_sha512(&self, data: &[u8]) -> Result<Vec<u8>, SignError> {
        match &self.key {
            Key::Rsa(key) => rsa_sign(key, Pkcs1v15Sign::new::<Sha512>(), &Sha512::digest(data)),
            key => key.sign_digest(&Sha512::digest(data)),
        }
    }

    /// RSA signature over the SHA-1 digest of `data`; only Android before 4.3 still needs it.
    pub(super) fn sign_sha1(&self, data: &[u8]) -> Result<Vec<u8>, SignError> {
        match &self.key {
            Key::Rsa(key) => {
                rsa_sign(key, Pkcs1v15Sign::new::<sha1::Sha1>(), &sha1::Sha1::digest(data))
            }
            _ => Err(SignError::Unsupported { what: "digest for an EC key", name: "SHA-1".into() }),
        }
    }
}

/// The random numbers blind the computation against timing measurements; the signature does not
/// depend on them.
fn rsa_sign(
    key: &RsaPrivateKey,
    scheme: Pkcs1v15Sign,
    digest: &[u8],
) -> Result<Vec<u8>, SignError> {
    key.sign_with_rng(&mut OsRng, scheme, digest).map_err(|e| SignError::Crypto(e.to_string()))
}

impl Key {
    fn from_pkcs8(pkcs8: &[u8]) -> Result<Self, SignError> {
        let info = PrivateKeyInfo::from_der(pkcs8)?;
        match info.algorithm.oid {
            oid::RSA => {
                let reason = "damaged RSA private key";
                let damaged = || SignError::Damaged { offset: 0, reason };
                let parts = pkcs1::RsaPrivateKey::from_der(info.private_key);
                let bytes = parts.map_err(|_| damaged())?.modulus.as_bytes().len();
                if bytes > MAX_RSA_BITS / 8 {
                    let name = format!("{} bits, {MAX_RSA_BITS} are the most", bytes * 8);
                    return Err(SignError::Unsupported { what: "RSA key", name });
                }
                let key = RsaPrivateKey::try_from(info).map_err(|_| damaged())?;
                Ok(Key::Rsa(Box::new(key)))
            }
            oid::EC => {
                let p256 = || p256::SecretKey::from_pkcs8_der(pkcs8).map(Key::P256).ok();
                let p384 = || p384::SecretKey::from_pkcs8_der(pkcs8).map(Key::P384).ok();
                let p521 = || p521::SecretKey::from_pkcs8_der(pkcs8).map(Key::P521).ok();
                p256().or_else(p384).or_else(p521).ok_or_else(|| SignError::Unsupported {
                    what: "EC key",
                    name: "not on curve P-256, P-384 or P-521".into(),
                })
            }
            other => Err(SignError::Unsupported { what: "key type", name: other.to_string() }),
        }
    }

    fn matches(&self, public_key: AnyRef<'_>) -> bool {
        let Ok(public_key) = public_key.to_der() else { return false };
        match self {
            // `rsa::RsaPublicKey` reads no more than 4,096 bits.
            Key::Rsa(key) => SubjectPublicKeyInfoRef::try_from(&public_key[..])
                .ok()
                .and_then(|info| {
                    pkcs1::RsaPublicKey::try_from(info.subject_public_key.raw_bytes()).ok()
                })
                .is_some_and(|public| {
                    public.modulus.as_bytes() == key.n().to_bytes_be()
                        && public.public_exponent.as_bytes() == key.e().to_bytes_be()
                }),
            Key::P256(key) => p256::PublicKey::from_public_key_der(&public_key)
                .is_ok_and(|p| p == key.public_key()),
            Key::P384(key) => p384::PublicKey::from_public_key_der(&public_key)
                .is_ok_and(|p| p == key.public_key()),
            Key::P521(key) => p521::PublicKey::from_public_key_der(&public_key)
                .is_ok_and(|p| p == key.public_key()),
        }
    }

    /// ECDSA with the nonce of RFC 6979 over a digest, in DER.
    fn sign_digest(&self, digest: &[u8]) -> Result<Vec<u8>, SignError> {
        let crypto = |e: p256::ecdsa::Error| SignError::Crypto(e.to_string());
        macro_rules! sign {
            ($curve:ident, $key:expr, $digest:expr) => {{
                let key =
                    $curve::ecdsa::SigningKey::from_slice(&$key.to_bytes()).map_err(crypto)?;
                let signature: $curve::ecdsa::Signature =
                    key.sign_prehash($digest).map_err(crypto)?;
                Ok(signature.to_der().as_bytes().to_vec())
            }};
        }
        match self {
            Key::P256(key) => sign!(p256, key, digest),
            Key::P384(key) => sign!(p384, key, digest),
            Key::P521(key) => {
                // The library refuses digests shorter than half the field (33 bytes); zeros in
                // front change nothing.
                let mut padded = [0; nonce::BYTES];
                padded[nonce::BYTES - digest.len()..].copy_from_slice(digest);
                let private = key.to_bytes();
                let key = p521::ecdsa::SigningKey::from_slice(&private).map_err(crypto)?;
                let mut nonces = nonce::Nonces::new(&private, &padded);
                let signature: p521::ecdsa::Signature =
                    key.sign_prehash_with_rng(&mut nonces, &padded).map_err(crypto)?;
                Ok(signature.to_der().as_bytes().to_vec())
            }
            Key::Rsa(_) => {
                Err(SignError::Unsupported { what: "key for ECDSA", name: "RSA".into() })
            }
        }
    }
}

/// The certificate `own`, its issuer, that one's issuer, as far as they are there.
fn chain(all: &[Vec<u8>], own: usize) -> Vec<Vec<u8>> {
    let parsed: Vec<_> = all.iter().map(|c| Certificate::parse(c).ok()).collect();
    let mut order = vec![own];
    while let Some(last) = order.last().and_then(|&i| parsed[i].as_ref()) {
        let issuer = (0..all.len()).find(|i| {
            !order.contains(i) && parsed[*i].as_ref().is_some_and(|c| c.subject == last.issuer)
        });
        match issuer {
            Some(next) => order.push(next),
            None => break,
        }
    }
    order.into_iter().map(|i| all[i].clone()).collect()
}

/// A fresh RSA-2048 key with a self-signed certificate, as a PKCS#12 file.
fn new_debug_store() -> Result<Vec<u8>, SignError> {
    let crypto = |e: String| SignError::Crypto(e);
    let key = RsaPrivateKey::new(&mut OsRng, 2048).map_err(|e| crypto(e.to_string()))?;
    let certificate = self_signed(&key)?;
    let pkcs8 = key.to_pkcs8_der().map_err(|e| crypto(e.to_string()))?;
    Ok(pkcs12::make(pkcs8.as_bytes(), &certificate, DEBUG_ALIAS, DEBUG_PASSWORD)?)
}

/// A certificate with Android Studio's debug name. Its dates are fixed: Android ignores them, and a
/// clock that is wrong must not make a certificate of the future.
fn self_signed(key: &RsaPrivateKey) -> Result<Vec<u8>, SignError> {
    let public =
        key.to_public_key().to_public_key_der().map_err(|e| SignError::Crypto(e.to_string()))?;
    let name = Name::from_str("CN=Android Debug,O=Android,C=US")?;
    let date = |year| DateTime::new(year, 1, 1, 0, 0, 0);
    let validity = Validity {
        not_before: Time::UtcTime(UtcTime::from_date_time(date(2020)?)?),
        not_after: Time::GeneralTime(GeneralizedTime::from_date_time(date(2060)?)),
    };
    let mut serial = Sha256::digest(public.as_bytes())[..4].to_vec();
    serial[0] = serial[0] & 0x7f | 0x40;
    let algorithm =
        AlgorithmIdentifierOwned { oid: oid::RSA_SHA256, parameters: Some(AnyRef::NULL.into()) };
    let content = TbsCertificate {
        version: Version::V3,
        serial_number: SerialNumber::new(&serial)?,
        signature: algorithm.clone(),
        issuer: name.clone(),
        validity,
        subject: name,
        subject_public_key_info: public.decode_msg()?,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: None,
    };
    let digest = Sha256::digest(content.to_der()?);
    let signature = rsa_sign(key, Pkcs1v15Sign::new::<Sha256>(), &digest)?;
    let certificate = x509_cert::Certificate {
        tbs_certificate: content,
        signature_algorithm: algorithm,
        signature: BitString::from_bytes(&signature)?,
    };
    Ok(certificate.to_der()?)
}
