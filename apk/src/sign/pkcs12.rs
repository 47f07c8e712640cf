//! PKCS#12 key files (RFC 7292): opened with any encryption that keytool, Android Studio and
//! OpenSSL write, and made for the debug key.
//!
//! Encryption: PBES2 with AES or 3DES (RFC 8018), and the PKCS#12 ciphers 3DES and RC2 with SHA-1.
//! The MAC is checked first: it distinguishes a wrong password from a damaged file.

use std::cell::Cell;

use aes::cipher::block_padding::Pkcs7;
use aes::cipher::{BlockDecryptMut, BlockEncryptMut, KeyIvInit};
use der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use der::{Decode, Encode, Reader, SliceReader, Tag, TagNumber, Tagged};
use hmac::{Hmac, Mac};
use rsa::rand_core::{OsRng, RngCore};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};
use spki::AlgorithmIdentifierRef;

use super::SignError;
use super::asn1::{
    Attribute, Bag, CertificateBag, ContentInfo, DigestInfo, EncryptedContent, EncryptedData,
    MacData, Pbe, Pbes2, Pbkdf2, Pfx, ShroudedKey, algorithm, oid,
};
use super::ber;
use super::loose::LooseForm;

/// Iterations of all keys that a file derives from the password. Java writes 10,000 to 100,000 for
/// each; more than this is an attempt to keep the processor busy.
const MAX_ITERATIONS: u32 = 5_000_000;
/// Rounds of key derivation that this program writes.
const ITERATIONS: u32 = 10_000;
/// Tags of encrypted bytes.
const IN_ONE_PART: Tag = Tag::ContextSpecific { number: TagNumber::N0, constructed: false };
const IN_PARTS: Tag = Tag::ContextSpecific { number: TagNumber::N0, constructed: true };

struct KeyBag {
    alias: Option<String>,
    pkcs8: Vec<u8>,
}

/// A decrypted key file.
pub(super) struct Store {
    keys: Vec<KeyBag>,
    certificates: Vec<Vec<u8>>,
}

impl Store {
    /// The key of this alias, or the only one; and all certificates.
    pub(super) fn choose(&self, alias: Option<&str>) -> Result<(&[u8], Vec<Vec<u8>>), SignError> {
        let found =
            || self.keys.iter().map(|k| k.alias.clone().unwrap_or_default()).collect::<Vec<_>>();
        let same = |k: &KeyBag, alias: &str| {
            k.alias.as_ref().is_some_and(|own| own.to_lowercase() == alias.to_lowercase())
        };
        let mut fitting = self.keys.iter().filter(|k| alias.is_none_or(|alias| same(k, alias)));
        let Some(key) = fitting.next() else {
            return Err(SignError::NoKey { alias: alias.map(str::to_owned), found: found() });
        };
        if fitting.next().is_some() {
            return Err(SignError::SeveralKeys { found: found() });
        }
        Ok((&key.pkcs8, self.certificates.clone()))
    }
}

fn unsupported(what: &'static str, oid: ObjectIdentifier) -> SignError {
    SignError::Unsupported { what, name: oid.to_string() }
}

/// Opens a key file.
pub(super) fn open(bytes: &[u8], password: &str) -> Result<Store, SignError> {
    if bytes.starts_with(&[0xfe, 0xed, 0xfe, 0xed]) || bytes.starts_with(&[0xce, 0xce, 0xce, 0xce])
    {
        return Err(SignError::Jks);
    }
    if let Some(form) = LooseForm::of(bytes) {
        return Err(SignError::Loose { form });
    }
    if bytes.first() != Some(&Tag::Sequence.octet()) {
        return Err(damaged("not a PKCS#12 file"));
    }
    let bytes = ber::to_der(bytes)?;
    let pfx = Pfx::from_der(&bytes)?;
    if pfx.version != 3 {
        return Err(damaged("not a PKCS#12 file of version 3"));
    }
    if pfx.safe.kind != oid::DATA {
        return Err(unsupported("key file protection", pfx.safe.kind));
    }
    let safe = octets(pfx.safe.content)?;
    // The PKCS#12 key derivation takes UTF-16 with a final zero. Some writers leave an empty
    // password without any bytes.
    let mut passwords = vec![bmp(password)];
    if password.is_empty() {
        passwords.push(Vec::new());
    }
    let left = Budget(Cell::new(MAX_ITERATIONS));
    let legacy = match &pfx.mac {
        Some(mac) => {
            let fitting = passwords
                .iter()
                .map(|p| mac_fits(mac, safe, p, &left).map(|fits| fits.then_some(p)));
            fitting
                .collect::<Result<Vec<_>, _>>()?
                .into_iter()
                .flatten()
                .next()
                .ok_or(SignError::WrongPassword)?
                .clone()
        }
        None => passwords.swap_remove(0),
    };
    let secret = Password { legacy, utf8: password.as_bytes(), left };

    let mut store = Store { keys: Vec::new(), certificates: Vec::new() };
    let safe = ber::to_der(safe)?;
    for part in Vec::<ContentInfo<'_>>::from_der(&safe)? {
        let bags = match part.kind {
            oid::DATA => octets(part.content)?.to_vec(),
            oid::ENCRYPTED_DATA => {
                let content = part.content.decode_as::<EncryptedData<'_>>()?.content;
                secret.decrypt(content.algorithm, &encrypted_bytes(content.bytes)?)?
            }
            other => return Err(unsupported("key file protection", other)),
        };
        store.add_bags(&ber::to_der(&bags)?, &secret)?;
    }
    Ok(store)
}

impl Store {
    fn add_bags(&mut self, contents: &[u8], secret: &Password<'_>) -> Result<(), SignError> {
        for bag in Vec::<Bag<'_>>::from_der(contents)? {
            let alias = bag.attributes.map(friendly_name).transpose()?.flatten();
            match bag.kind {
                oid::KEY_BAG => self.keys.push(KeyBag { alias, pkcs8: bag.value.to_der()? }),
                oid::SHROUDED_KEY_BAG => {
                    let key = bag.value.decode_as::<ShroudedKey<'_>>()?;
                    let pkcs8 = secret.decrypt(key.algorithm, key.bytes.as_bytes())?;
                    self.keys.push(KeyBag { alias, pkcs8 });
                }
                oid::CERTIFICATE_BAG => {
                    let certificate = bag.value.decode_as::<CertificateBag<'_>>()?;
                    if certificate.kind == oid::X509 {
                        self.certificates.push(octets(certificate.value)?.to_vec());
                    }
                }
                // Revocation lists and secrets are of no use here.
                _ => {}
            }
        }
        Ok(())
    }
}

fn damaged(reason: &'static str) -> SignError {
    SignError::Damaged { offset: 0, reason }
}

/// The bytes of an octet string.
fn octets(content: AnyRef<'_>) -> Result<&[u8], der::Error> {
    Ok(content.decode_as::<OctetStringRef<'_>>()?.as_bytes())
}

/// The bytes of an implicitly tagged octet string in one part or several.
fn encrypted_bytes(bytes: AnyRef<'_>) -> Result<Vec<u8>, SignError> {
    match bytes.tag() {
        IN_ONE_PART => Ok(bytes.value().to_vec()),
        IN_PARTS => Ok(ber::joined(bytes.value())?),
        _ => Err(damaged("encrypted bytes expected")),
    }
}

fn friendly_name(attributes: AnyRef<'_>) -> Result<Option<String>, der::Error> {
    let mut attributes = SliceReader::new(attributes.value())?;
    while !attributes.is_finished() {
        let attribute = Attribute::decode(&mut attributes)?;
        if attribute.kind == AnyRef::from(&oid::FRIENDLY_NAME) {
            let text = AnyRef::decode(&mut SliceReader::new(attribute.values.value())?)?.value();
            let units: Vec<u16> =
                text.chunks_exact(2).map(|p| u16::from_be_bytes([p[0], p[1]])).collect();
            return Ok(Some(String::from_utf16_lossy(&units)));
        }
    }
    Ok(None)
}

fn bmp(text: &str) -> Vec<u8> {
    text.encode_utf16().chain([0]).flat_map(u16::to_be_bytes).collect()
}

/// Iterations that are left for a file.
struct Budget(Cell<u32>);

impl Budget {
    /// Takes this many off.
    fn spend(&self, rounds: u32) -> Result<u32, SignError> {
        let left = self.0.get().checked_sub(rounds).filter(|_| rounds > 0);
        self.0.set(left.ok_or(damaged("iteration count out of range"))?);
        Ok(rounds)
    }
}

fn mac_fits(
    data: &MacData<'_>,
    safe: &[u8],
    password: &[u8],
    left: &Budget,
) -> Result<bool, SignError> {
    let salt = data.salt.as_bytes();
    let rounds = data.rounds.map_or(Ok(1), |rounds| left.spend(rounds))?;
    macro_rules! with {
        ($digest:ty, $block:expr) => {{
            let size = <$digest>::output_size();
            let key = kdf::<$digest>(3, password, salt, rounds, size, $block);
            let mac = Hmac::<$digest>::new_from_slice(&key);
            let mut mac = mac.map_err(|_| SignError::Crypto("MAC key".into()))?;
            mac.update(safe);
            Ok(mac.verify_slice(data.mac.digest.as_bytes()).is_ok())
        }};
    }
    match data.mac.algorithm.oid {
        oid::SHA1 => with!(Sha1, 64),
        oid::SHA256 => with!(Sha256, 64),
        oid::SHA384 => with!(Sha384, 128),
        oid::SHA512 => with!(Sha512, 128),
        other => Err(unsupported("MAC of the key file", other)),
    }
}

/// Key derivation of RFC 7292 appendix B.2; `block` is the digest's block size.
fn kdf<D: Digest>(
    id: u8,
    password: &[u8],
    salt: &[u8],
    rounds: u32,
    size: usize,
    block: usize,
) -> Vec<u8> {
    let fill = |bytes: &[u8]| -> Vec<u8> {
        bytes.iter().copied().cycle().take(bytes.len().div_ceil(block) * block).collect()
    };
    let mut input = [fill(salt), fill(password)].concat();
    let mut out = Vec::new();
    while out.len() < size {
        let mut hash = D::new().chain_update(vec![id; block]).chain_update(&input).finalize();
        for _ in 1..rounds {
            hash = D::digest(&hash);
        }
        out.extend_from_slice(&hash);
        // Each block of the input becomes itself plus the repeated hash plus one, as a big-endian
        // number.
        for part in input.chunks_mut(block) {
            let mut carry = 1u16;
            for (i, byte) in part.iter_mut().enumerate().rev() {
                carry += u16::from(*byte) + u16::from(hash[i % hash.len()]);
                *byte = carry as u8;
                carry >>= 8;
            }
        }
    }
    out.truncate(size);
    out
}

/// The password in the two forms that the two families of ciphers take.
struct Password<'a> {
    legacy: Vec<u8>,
    utf8: &'a [u8],
    left: Budget,
}

/// CBC with the padding removed. The MAC has vouched for the password, so a failure means damage;
/// without a MAC it is the sign of a wrong password.
fn cbc<C: BlockDecryptMut + KeyIvInit>(
    key: &[u8],
    iv: &[u8],
    cipher: &[u8],
) -> Result<Vec<u8>, SignError> {
    let mode = C::new_from_slices(key, iv);
    let mode = mode.map_err(|_| damaged("wrong key or IV length"))?;
    mode.decrypt_padded_vec_mut::<Pkcs7>(cipher).map_err(|_| SignError::WrongPassword)
}

impl Password<'_> {
    fn decrypt(
        &self,
        algorithm: AlgorithmIdentifierRef<'_>,
        cipher: &[u8],
    ) -> Result<Vec<u8>, SignError> {
        let kind = algorithm.oid;
        let size = match kind {
            oid::PBES2 => return self.pbes2(parameters(algorithm)?.decode_as()?, cipher),
            oid::PBE_SHA1_3DES => 24,
            oid::PBE_SHA1_2DES | oid::PBE_SHA1_RC2_128 => 16,
            oid::PBE_SHA1_RC2_40 => 5,
            other => return Err(unsupported("encryption of the key file", other)),
        };
        let Pbe { salt, rounds } = parameters(algorithm)?.decode_as()?;
        let rounds = self.left.spend(rounds)?;
        let mut key = kdf::<Sha1>(1, &self.legacy, salt.as_bytes(), rounds, size, 64);
        let iv = kdf::<Sha1>(2, &self.legacy, salt.as_bytes(), rounds, 8, 64);
        match kind {
            oid::PBE_SHA1_3DES => cbc::<cbc::Decryptor<des::TdesEde3>>(&key, &iv, cipher),
            oid::PBE_SHA1_2DES => {
                // Two-key 3DES: the first key again as the third.
                key.extend_from_within(..8);
                cbc::<cbc::Decryptor<des::TdesEde3>>(&key, &iv, cipher)
            }
            // RC2 with an effective key length equal to the key's own.
            _ => rc2_cbc(&key, &iv, cipher),
        }
    }

    fn pbes2(&self, pbes2: Pbes2<'_>, cipher: &[u8]) -> Result<Vec<u8>, SignError> {
        if pbes2.derivation.oid != oid::PBKDF2 {
            return Err(unsupported("key derivation of the key file", pbes2.derivation.oid));
        }
        let derivation = parameters(pbes2.derivation)?.decode_as::<Pbkdf2<'_>>()?;
        let salt = derivation.salt.as_bytes();
        let rounds = self.left.spend(derivation.rounds)?;
        let cipher_kind = pbes2.scheme.oid;
        let iv = octets(parameters(pbes2.scheme)?)?;
        let size = match cipher_kind {
            oid::AES128_CBC => 16,
            oid::AES192_CBC | oid::DES3_CBC => 24,
            oid::AES256_CBC => 32,
            other => return Err(unsupported("encryption of the key file", other)),
        };
        let mut key = vec![0; size];
        match derivation.function.map_or(oid::HMAC_SHA1, |function| function.oid) {
            oid::HMAC_SHA1 => pbkdf2::pbkdf2_hmac::<Sha1>(self.utf8, salt, rounds, &mut key),
            oid::HMAC_SHA256 => pbkdf2::pbkdf2_hmac::<Sha256>(self.utf8, salt, rounds, &mut key),
            oid::HMAC_SHA384 => pbkdf2::pbkdf2_hmac::<Sha384>(self.utf8, salt, rounds, &mut key),
            oid::HMAC_SHA512 => pbkdf2::pbkdf2_hmac::<Sha512>(self.utf8, salt, rounds, &mut key),
            other => return Err(unsupported("key derivation of the key file", other)),
        }
        match cipher_kind {
            oid::AES128_CBC => cbc::<cbc::Decryptor<aes::Aes128>>(&key, iv, cipher),
            oid::AES192_CBC => cbc::<cbc::Decryptor<aes::Aes192>>(&key, iv, cipher),
            oid::DES3_CBC => cbc::<cbc::Decryptor<des::TdesEde3>>(&key, iv, cipher),
            _ => cbc::<cbc::Decryptor<aes::Aes256>>(&key, iv, cipher),
        }
    }
}

fn parameters(algorithm: AlgorithmIdentifierRef<'_>) -> Result<AnyRef<'_>, SignError> {
    algorithm.parameters.ok_or(damaged("algorithm without parameters"))
}

fn rc2_cbc(key: &[u8], iv: &[u8], cipher: &[u8]) -> Result<Vec<u8>, SignError> {
    use aes::cipher::InnerIvInit;
    let core = rc2::Rc2::new_with_eff_key_len(key, key.len() * 8);
    let mode = cbc::Decryptor::<rc2::Rc2>::inner_iv_slice_init(core, iv);
    let mode = mode.map_err(|_| damaged("wrong IV length"))?;
    mode.decrypt_padded_vec_mut::<Pkcs7>(cipher).map_err(|_| SignError::WrongPassword)
}

/// Makes a key file with one key and its certificate: AES-256 with PBKDF2, MAC with SHA-256, as
/// Java 17 does.
pub(super) fn make(
    pkcs8: &[u8],
    certificate: &[u8],
    alias: &str,
    password: &str,
) -> Result<Vec<u8>, der::Error> {
    let alias: Vec<u8> = alias.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let attribute = |kind: &ObjectIdentifier, tag, value| {
        let value = AnyRef::new(tag, value)?.to_der()?;
        Attribute { kind: kind.into(), values: AnyRef::new(Tag::Set, &value)? }.to_der()
    };
    let attributes = [
        attribute(&oid::FRIENDLY_NAME, Tag::BmpString, &alias)?,
        attribute(&oid::LOCAL_KEY_ID, Tag::OctetString, b"pathlight")?,
    ];
    let attributes = attributes.concat();
    let bags = |kind, value: &[u8]| {
        let attributes = Some(AnyRef::new(Tag::Set, &attributes)?);
        vec![Bag { kind, value: value.try_into()?, attributes }].to_der()
    };
    let keys = encrypt(pkcs8, password, |algorithm, cipher| {
        ShroudedKey { algorithm, bytes: OctetStringRef::new(cipher)? }.to_der()
    })?;
    let keys = bags(oid::SHROUDED_KEY_BAG, &keys)?;
    let value = AnyRef::new(Tag::OctetString, certificate)?;
    let certificates = CertificateBag { kind: oid::X509, value }.to_der()?;
    let certificates = bags(oid::CERTIFICATE_BAG, &certificates)?;
    let certificates = encrypt(&certificates, password, |algorithm, cipher| {
        let bytes = AnyRef::new(IN_ONE_PART, cipher)?;
        let content = EncryptedContent { kind: oid::DATA, algorithm, bytes };
        EncryptedData { version: 0, content, attributes: None }.to_der()
    })?;
    let certificates = certificates.as_slice().try_into()?;
    let certificates = ContentInfo { kind: oid::ENCRYPTED_DATA, content: certificates };
    let safe = vec![data(&keys)?, certificates].to_der()?;

    let salt = random::<20>();
    let mac_key = kdf::<Sha256>(3, &bmp(password), &salt, ITERATIONS, 32, 64);
    let mut mac = Hmac::<Sha256>::new_from_slice(&mac_key).expect("HMAC takes keys of any length");
    mac.update(&safe);
    let digest = mac.finalize().into_bytes();
    let digest = OctetStringRef::new(&digest)?;
    let mac = MacData {
        mac: DigestInfo { algorithm: algorithm(oid::SHA256), digest },
        salt: OctetStringRef::new(&salt)?,
        rounds: Some(ITERATIONS),
    };
    Pfx { version: 3, safe: data(&safe)?, mac: Some(mac) }.to_der()
}

fn data(bytes: &[u8]) -> Result<ContentInfo<'_>, der::Error> {
    Ok(ContentInfo { kind: oid::DATA, content: AnyRef::new(Tag::OctetString, bytes)? })
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    OsRng.fill_bytes(&mut bytes);
    bytes
}

/// Encrypts by PBES2 with PBKDF2-HMAC-SHA256 and AES-256; `wrap` puts the algorithm and the
/// encrypted bytes into a structure.
fn encrypt(
    plain: &[u8],
    password: &str,
    wrap: impl FnOnce(AlgorithmIdentifierRef<'_>, &[u8]) -> Result<Vec<u8>, der::Error>,
) -> Result<Vec<u8>, der::Error> {
    let (salt, iv) = (random::<20>(), random::<16>());
    let mut key = [0; 32];
    pbkdf2::pbkdf2_hmac::<Sha256>(password.as_bytes(), &salt, ITERATIONS, &mut key);
    let mode = cbc::Encryptor::<aes::Aes256>::new(&key.into(), &iv.into());
    let cipher = mode.encrypt_padded_vec_mut::<Pkcs7>(plain);
    let with = |oid, parameters| AlgorithmIdentifierRef { oid, parameters: Some(parameters) };
    let derivation = Pbkdf2 {
        salt: OctetStringRef::new(&salt)?,
        rounds: ITERATIONS,
        size: Some(32),
        function: Some(algorithm(oid::HMAC_SHA256)),
    };
    let derivation = derivation.to_der()?;
    let parameters = Pbes2 {
        derivation: with(oid::PBKDF2, derivation.as_slice().try_into()?),
        scheme: with(oid::AES256_CBC, AnyRef::new(Tag::OctetString, &iv)?),
    };
    let parameters = parameters.to_der()?;
    wrap(with(oid::PBES2, parameters.as_slice().try_into()?), &cipher)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file without MAC that holds this key `keys` times, each time encrypted with 10,000 rounds.
    fn store(keys: usize) -> Result<Vec<u8>, der::Error> {
        let key = encrypt(b"a key", "password", |algorithm, cipher| {
            ShroudedKey { algorithm, bytes: OctetStringRef::new(cipher)? }.to_der()
        })?;
        let value = key.as_slice().try_into()?;
        let bag = |_| Bag { kind: oid::SHROUDED_KEY_BAG, value, attributes: None };
        let bags = (0..keys).map(bag).collect::<Vec<_>>().to_der()?;
        let safe = vec![data(&bags)?].to_der()?;
        Pfx { version: 3, safe: data(&safe)?, mac: None }.to_der()
    }

    /// A set of 100,000 attributes in the wrong order. To sort it, as `SetOfVec` does, takes
    /// minutes.
    #[test]
    fn attributes_are_read_in_linear_time() {
        let attribute = |n: u32| {
            let value = n.to_be_bytes();
            let value = AnyRef::new(Tag::OctetString, &value)?.to_der()?;
            let kind = AnyRef::from(&oid::LOCAL_KEY_ID);
            Attribute { kind, values: AnyRef::new(Tag::Set, &value)? }.to_der()
        };
        let attributes = (0..100_000).rev().map(attribute).collect::<Result<Vec<_>, _>>();
        let attributes = attributes.unwrap().concat();
        let attributes = Some(AnyRef::new(Tag::Set, &attributes).unwrap());
        let bag = Bag { kind: oid::X509, value: AnyRef::NULL, attributes };
        let bags = vec![bag].to_der().unwrap();
        let safe = vec![data(&bags).unwrap()].to_der().unwrap();
        let file = Pfx { version: 3, safe: data(&safe).unwrap(), mac: None }.to_der().unwrap();
        let started = std::time::Instant::now();
        assert_eq!(open(&file, "password").unwrap().keys.len(), 0);
        assert!(started.elapsed().as_secs() < 10);
    }

    /// 2.25 and a UUID, which has 128 bits.
    #[test]
    fn an_attribute_with_a_long_identifier_is_passed_over() {
        let long = [&[0x69], [0x81; 18].as_slice(), &[1]].concat();
        let kind = AnyRef::new(Tag::ObjectIdentifier, &long).unwrap();
        let text = [0x1e, 2, 0, b'a'];
        let values = AnyRef::new(Tag::Set, &text).unwrap();
        let name = Attribute { kind: AnyRef::from(&oid::FRIENDLY_NAME), values };
        let attributes = vec![Attribute { kind, values }, name].to_der().unwrap();
        let attributes = AnyRef::try_from(attributes.as_slice()).unwrap();
        assert_eq!(friendly_name(attributes).unwrap().as_deref(), Some("a"));
    }

    #[test]
    fn all_keys_of_a_file_share_the_iterations_that_are_taken() {
        assert_eq!(open(&store(3).unwrap(), "password").expect("opens").keys.len(), 3);
        let many = MAX_ITERATIONS / ITERATIONS + 1;
        let Err(error) = open(&store(many as usize).unwrap(), "password") else {
            panic!("{many} keys are opened")
        };
        assert!(error.to_string().contains("iteration count out of range"), "{error}");
    }
}
