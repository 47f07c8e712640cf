//! PKCS#12 key files (RFC 7292): opened with any encryption that keytool, Android Studio and
//! OpenSSL write, and made for the debug key.
//!
//! Encryption: PBES2 with AES or 3DES (RFC 8018), and the PKCS#12 ciphers 3DES and RC2 with SHA-1.
//! The MAC is checked first: it distinguishes a wrong password from a damaged file.

use std::cell::Cell;

use aes::cipher::block_padding::Pkcs7;
use aes::cipher::{BlockDecryptMut, BlockEncryptMut, KeyIvInit};
use hmac::{Hmac, Mac};
use rsa::rand_core::{OsRng, RngCore};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

use super::SignError;
use super::der::{self, BMP, CONTEXT_0, OCTETS, OID, Reader, SEQUENCE, SET, Tlv, oid};

/// Iterations of all keys that a file derives from the password. Java writes 10,000 to 100,000 for
/// each; more than this is an attempt to keep the processor busy.
const MAX_ITERATIONS: u32 = 5_000_000;
/// What this program writes.
const ITERATIONS: u32 = 10_000;

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

fn unsupported(what: &'static str, oid: &[u8]) -> SignError {
    SignError::Unsupported { what, name: der::dotted(oid) }
}

/// Opens a key file.
pub(super) fn open(bytes: &[u8], password: &str) -> Result<Store, SignError> {
    if bytes.starts_with(&[0xfe, 0xed, 0xfe, 0xed]) || bytes.starts_with(&[0xce, 0xce, 0xce, 0xce])
    {
        return Err(SignError::Jks);
    }
    if bytes.first() != Some(&SEQUENCE) {
        return Err(SignError::Damaged { offset: 0, reason: "not a PKCS#12 file" });
    }
    let bytes = der::definite(bytes)?;
    let mut pfx = Reader::new(&bytes).tag(SEQUENCE, "not a PKCS#12 file")?.inside();
    if pfx.number()? != 3 {
        return Err(pfx.fault("not a PKCS#12 file of version 3"));
    }
    let (kind, content) = content_info(pfx.tag(SEQUENCE, "content expected")?)?;
    if kind != oid::DATA {
        return Err(unsupported("key file protection", kind));
    }
    let safe = octets(content)?;
    // The PKCS#12 key derivation takes UTF-16 with a final zero. Some writers leave an empty
    // password without any bytes.
    let mut passwords = vec![bmp(password)];
    if password.is_empty() {
        passwords.push(Vec::new());
    }
    let left = Budget(Cell::new(MAX_ITERATIONS));
    let legacy = match pfx.optional(SEQUENCE)? {
        Some(mac) => {
            let fitting = passwords
                .iter()
                .map(|p| mac_fits(mac, &safe, p, &left).map(|fits| fits.then_some(p)));
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
    let safe = der::definite(&safe)?;
    let mut parts = Reader::new(&safe).tag(SEQUENCE, "safe contents expected")?.inside();
    while !parts.is_empty() {
        let (kind, content) = content_info(parts.tag(SEQUENCE, "content expected")?)?;
        let bags = if kind == oid::DATA {
            octets(content)?
        } else if kind == oid::ENCRYPTED_DATA {
            let mut data = content.inside().tag(SEQUENCE, "encrypted data expected")?.inside();
            data.number()?;
            let mut info = data.tag(SEQUENCE, "encrypted content expected")?.inside();
            info.tag(OID, "content type expected")?;
            let algorithm = info.tag(SEQUENCE, "encryption algorithm expected")?;
            let content = info.any()?;
            let cipher = match content.tag {
                0x80 => content.body.to_vec(),
                0xa0 => octet_parts(content)?,
                _ => return Err(info.fault("encrypted bytes expected")),
            };
            secret.decrypt(algorithm, &cipher)?
        } else {
            return Err(unsupported("key file protection", kind));
        };
        store.add_bags(&der::definite(&bags)?, &secret)?;
    }
    Ok(store)
}

impl Store {
    fn add_bags(&mut self, contents: &[u8], secret: &Password<'_>) -> Result<(), SignError> {
        let mut bags = Reader::new(contents).tag(SEQUENCE, "safe contents expected")?.inside();
        while !bags.is_empty() {
            let mut bag = bags.tag(SEQUENCE, "bag expected")?.inside();
            let kind = bag.tag(OID, "bag type expected")?.body;
            let value = bag.tag(CONTEXT_0, "bag value expected")?;
            let alias = match bag.optional(SET)? {
                Some(attributes) => friendly_name(attributes)?,
                None => None,
            };
            match kind.strip_prefix(oid::BAG_PREFIX) {
                Some([1]) => {
                    let pkcs8 = value.inside().tag(SEQUENCE, "private key expected")?.raw.to_vec();
                    self.keys.push(KeyBag { alias, pkcs8 });
                }
                Some([2]) => {
                    let mut shrouded =
                        value.inside().tag(SEQUENCE, "encrypted key expected")?.inside();
                    let algorithm = shrouded.tag(SEQUENCE, "encryption algorithm expected")?;
                    let cipher = octet_string(shrouded.any()?)?;
                    self.keys.push(KeyBag { alias, pkcs8: secret.decrypt(algorithm, &cipher)? });
                }
                Some([3]) => {
                    let mut cert =
                        value.inside().tag(SEQUENCE, "certificate bag expected")?.inside();
                    if cert.tag(OID, "certificate type expected")?.body == oid::X509 {
                        self.certificates
                            .push(octets(cert.tag(CONTEXT_0, "certificate expected")?)?);
                    }
                }
                // Revocation lists and secrets are of no use here.
                _ => {}
            }
        }
        Ok(())
    }
}

/// ContentInfo: type and the `[0]` around the content.
fn content_info(info: Tlv<'_>) -> Result<(&[u8], Tlv<'_>), SignError> {
    let mut info = info.inside();
    let kind = info.tag(OID, "content type expected")?.body;
    Ok((kind, info.tag(CONTEXT_0, "content expected")?))
}

/// The bytes of the octet string inside a `[0]`.
fn octets(content: Tlv<'_>) -> Result<Vec<u8>, SignError> {
    octet_string(content.inside().any()?)
}

fn octet_string(t: Tlv<'_>) -> Result<Vec<u8>, SignError> {
    match t.tag {
        OCTETS => Ok(t.body.to_vec()),
        _ => Err(SignError::Damaged { offset: t.at, reason: "octet string expected" }),
    }
}

fn octet_parts(t: Tlv<'_>) -> Result<Vec<u8>, SignError> {
    let mut parts = t.inside();
    let mut whole = Vec::new();
    while !parts.is_empty() {
        whole.extend(octet_string(parts.any()?)?);
    }
    Ok(whole)
}

fn friendly_name(attributes: Tlv<'_>) -> Result<Option<String>, SignError> {
    let mut attributes = attributes.inside();
    while !attributes.is_empty() {
        let mut attribute = attributes.tag(SEQUENCE, "bag attribute expected")?.inside();
        if attribute.tag(OID, "attribute type expected")?.body == oid::FRIENDLY_NAME {
            let text = attribute.tag(SET, "attribute value expected")?.inside().any()?.body;
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
    /// Reads an iteration count, and takes it off.
    fn iterations(&self, reader: &mut Reader<'_>) -> Result<u32, SignError> {
        let fault = reader.fault("iteration count out of range");
        let rounds = reader.number()?;
        let left = self.0.get().checked_sub(rounds).filter(|_| rounds > 0);
        self.0.set(left.ok_or(fault)?);
        Ok(rounds)
    }
}

fn mac_fits(mac: Tlv<'_>, data: &[u8], password: &[u8], left: &Budget) -> Result<bool, SignError> {
    let mut mac = mac.inside();
    let mut info = mac.tag(SEQUENCE, "MAC expected")?.inside();
    let kind = info
        .tag(SEQUENCE, "MAC algorithm expected")?
        .inside()
        .tag(OID, "MAC algorithm expected")?
        .body;
    let wanted = octet_string(info.any()?)?;
    let salt = octet_string(mac.any()?)?;
    let rounds = if mac.is_empty() { 1 } else { left.iterations(&mut mac)? };
    macro_rules! with {
        ($digest:ty, $block:expr) => {{
            let size = <$digest>::output_size();
            let key = kdf::<$digest>(3, password, &salt, rounds, size, $block);
            let mac = Hmac::<$digest>::new_from_slice(&key);
            let mut mac = mac.map_err(|_| SignError::Crypto("MAC key".into()))?;
            mac.update(data);
            Ok(mac.verify_slice(&wanted).is_ok())
        }};
    }
    match kind {
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
    let mode =
        mode.map_err(|_| SignError::Damaged { offset: 0, reason: "wrong key or IV length" })?;
    mode.decrypt_padded_vec_mut::<Pkcs7>(cipher).map_err(|_| SignError::WrongPassword)
}

impl Password<'_> {
    fn decrypt(&self, algorithm: Tlv<'_>, cipher: &[u8]) -> Result<Vec<u8>, SignError> {
        let mut algorithm = algorithm.inside();
        let kind = algorithm.tag(OID, "encryption algorithm expected")?.body;
        if kind == oid::PBES2 {
            return self.pbes2(algorithm.tag(SEQUENCE, "PBES2 parameters expected")?, cipher);
        }
        let Some(&[number @ (3..=6)]) = kind.strip_prefix(oid::PBE_PREFIX) else {
            return Err(unsupported("encryption of the key file", kind));
        };
        let mut parameters = algorithm.tag(SEQUENCE, "encryption parameters expected")?.inside();
        let salt = octet_string(parameters.any()?)?;
        let rounds = self.left.iterations(&mut parameters)?;
        let size = [24, 16, 16, 5][usize::from(number) - 3];
        let mut key = kdf::<Sha1>(1, &self.legacy, &salt, rounds, size, 64);
        let iv = kdf::<Sha1>(2, &self.legacy, &salt, rounds, 8, 64);
        match number {
            3 => cbc::<cbc::Decryptor<des::TdesEde3>>(&key, &iv, cipher),
            4 => {
                // Two-key 3DES: the first key again as the third.
                key.extend_from_within(..8);
                cbc::<cbc::Decryptor<des::TdesEde3>>(&key, &iv, cipher)
            }
            // RC2 with an effective key length equal to the key's own.
            _ => rc2_cbc(&key, &iv, cipher),
        }
    }

    fn pbes2(&self, parameters: Tlv<'_>, cipher: &[u8]) -> Result<Vec<u8>, SignError> {
        let mut parameters = parameters.inside();
        let mut derivation = parameters.tag(SEQUENCE, "key derivation expected")?.inside();
        let kind = derivation.tag(OID, "key derivation expected")?.body;
        if kind != oid::PBKDF2 {
            return Err(unsupported("key derivation of the key file", kind));
        }
        let mut kdf = derivation.tag(SEQUENCE, "PBKDF2 parameters expected")?.inside();
        let salt = octet_string(kdf.any()?)?;
        let rounds = self.left.iterations(&mut kdf)?;
        kdf.optional(der::INTEGER)?;
        let prf = match kdf.optional(SEQUENCE)? {
            Some(prf) => prf.inside().tag(OID, "PBKDF2 function expected")?.body,
            None => oid::HMAC_SHA1,
        };
        let mut scheme = parameters.tag(SEQUENCE, "encryption scheme expected")?.inside();
        let cipher_kind = scheme.tag(OID, "encryption scheme expected")?.body;
        let iv = octet_string(scheme.any()?)?;
        let size = match cipher_kind {
            oid::AES128_CBC => 16,
            oid::AES192_CBC | oid::DES3_CBC => 24,
            oid::AES256_CBC => 32,
            other => return Err(unsupported("encryption of the key file", other)),
        };
        let mut key = vec![0; size];
        match prf {
            oid::HMAC_SHA1 => pbkdf2::pbkdf2_hmac::<Sha1>(self.utf8, &salt, rounds, &mut key),
            oid::HMAC_SHA256 => pbkdf2::pbkdf2_hmac::<Sha256>(self.utf8, &salt, rounds, &mut key),
            oid::HMAC_SHA384 => pbkdf2::pbkdf2_hmac::<Sha384>(self.utf8, &salt, rounds, &mut key),
            oid::HMAC_SHA512 => pbkdf2::pbkdf2_hmac::<Sha512>(self.utf8, &salt, rounds, &mut key),
            other => return Err(unsupported("key derivation of the key file", other)),
        }
        match cipher_kind {
            oid::AES128_CBC => cbc::<cbc::Decryptor<aes::Aes128>>(&key, &iv, cipher),
            oid::AES192_CBC => cbc::<cbc::Decryptor<aes::Aes192>>(&key, &iv, cipher),
            oid::DES3_CBC => cbc::<cbc::Decryptor<des::TdesEde3>>(&key, &iv, cipher),
            _ => cbc::<cbc::Decryptor<aes::Aes256>>(&key, &iv, cipher),
        }
    }
}

fn rc2_cbc(key: &[u8], iv: &[u8], cipher: &[u8]) -> Result<Vec<u8>, SignError> {
    use aes::cipher::InnerIvInit;
    let core = rc2::Rc2::new_with_eff_key_len(key, key.len() * 8);
    let mode = cbc::Decryptor::<rc2::Rc2>::inner_iv_slice_init(core, iv);
    let mode = mode.map_err(|_| SignError::Damaged { offset: 0, reason: "wrong IV length" })?;
    mode.decrypt_padded_vec_mut::<Pkcs7>(cipher).map_err(|_| SignError::WrongPassword)
}

/// Makes a key file with one key and its certificate: AES-256 with PBKDF2, MAC with SHA-256, as
/// Java 17 does.
pub(super) fn make(pkcs8: &[u8], certificate: &[u8], alias: &str, password: &str) -> Vec<u8> {
    let attributes = |id: &[u8]| {
        let name: Vec<u8> = alias.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let attribute = |oid, value: Vec<u8>| {
            der::nest(SEQUENCE, &[&der::tlv(OID, oid), &der::tlv(SET, &value)])
        };
        let name = attribute(oid::FRIENDLY_NAME, der::tlv(BMP, &name));
        der::nest(SET, &[&name, &attribute(oid::LOCAL_KEY_ID, der::tlv(OCTETS, id))])
    };
    let bag = |kind: u8, value: &[u8]| {
        let kind = der::tlv(OID, &[oid::BAG_PREFIX, &[kind]].concat());
        der::nest(SEQUENCE, &[&kind, &der::tlv(CONTEXT_0, value), &attributes(b"pathlight")])
    };
    let (algorithm, cipher) = encrypt(pkcs8, password);
    let key = bag(2, &der::nest(SEQUENCE, &[&algorithm, &der::tlv(OCTETS, &cipher)]));
    let x509 = der::tlv(CONTEXT_0, &der::tlv(OCTETS, certificate));
    let cert = bag(3, &der::nest(SEQUENCE, &[&der::tlv(OID, oid::X509), &x509]));

    let data = |bytes: &[u8]| {
        der::nest(
            SEQUENCE,
            &[&der::tlv(OID, oid::DATA), &der::tlv(CONTEXT_0, &der::tlv(OCTETS, bytes))],
        )
    };
    let (algorithm, cipher) = encrypt(&der::tlv(SEQUENCE, &cert), password);
    let info =
        der::nest(SEQUENCE, &[&der::tlv(OID, oid::DATA), &algorithm, &der::tlv(0x80, &cipher)]);
    let encrypted = der::nest(SEQUENCE, &[&der::number(0), &info]);
    let encrypted = der::nest(
        SEQUENCE,
        &[&der::tlv(OID, oid::ENCRYPTED_DATA), &der::tlv(CONTEXT_0, &encrypted)],
    );
    let safe = der::nest(SEQUENCE, &[&data(&der::tlv(SEQUENCE, &key)), &encrypted]);

    let salt = random::<20>();
    let mac_key = kdf::<Sha256>(3, &bmp(password), &salt, ITERATIONS, 32, 64);
    let mut mac = Hmac::<Sha256>::new_from_slice(&mac_key).expect("HMAC takes keys of any length");
    mac.update(&safe);
    let digest = der::nest(
        SEQUENCE,
        &[&der::algorithm(oid::SHA256), &der::tlv(OCTETS, &mac.finalize().into_bytes())],
    );
    let mac = der::nest(SEQUENCE, &[&digest, &der::tlv(OCTETS, &salt), &der::number(ITERATIONS)]);
    der::nest(SEQUENCE, &[&der::number(3), &data(&safe), &mac])
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    OsRng.fill_bytes(&mut bytes);
    bytes
}

/// PBES2 with PBKDF2-HMAC-SHA256 and AES-256: its algorithm identifier and the encrypted bytes.
fn encrypt(plain: &[u8], password: &str) -> (Vec<u8>, Vec<u8>) {
    let (salt, iv) = (random::<20>(), random::<16>());
    let mut key = [0; 32];
    pbkdf2::pbkdf2_hmac::<Sha256>(password.as_bytes(), &salt, ITERATIONS, &mut key);
    let mode = cbc::Encryptor::<aes::Aes256>::new(&key.into(), &iv.into());
    let cipher = mode.encrypt_padded_vec_mut::<Pkcs7>(plain);
    let derivation = der::nest(
        SEQUENCE,
        &[
            &der::tlv(OCTETS, &salt),
            &der::number(ITERATIONS),
            &der::number(32),
            &der::algorithm(oid::HMAC_SHA256),
        ],
    );
    let derivation = der::nest(SEQUENCE, &[&der::tlv(OID, oid::PBKDF2), &derivation]);
    let scheme = der::nest(SEQUENCE, &[&der::tlv(OID, oid::AES256_CBC), &der::tlv(OCTETS, &iv)]);
    let parameters = der::nest(SEQUENCE, &[&derivation, &scheme]);
    (der::nest(SEQUENCE, &[&der::tlv(OID, oid::PBES2), &parameters]), cipher)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file without MAC that holds this key so many times, each time encrypted with 10,000
    /// rounds.
    fn store(keys: usize) -> Vec<u8> {
        let (algorithm, cipher) = encrypt(b"a key", "password");
        let key = der::nest(SEQUENCE, &[&algorithm, &der::tlv(OCTETS, &cipher)]);
        let kind = der::tlv(OID, &[oid::BAG_PREFIX, &[2]].concat());
        let bags = der::nest(SEQUENCE, &[&kind, &der::tlv(CONTEXT_0, &key)]).repeat(keys);
        let data = |bytes: &[u8]| {
            der::nest(
                SEQUENCE,
                &[&der::tlv(OID, oid::DATA), &der::tlv(CONTEXT_0, &der::tlv(OCTETS, bytes))],
            )
        };
        let safe = der::tlv(SEQUENCE, &data(&der::tlv(SEQUENCE, &bags)));
        der::nest(SEQUENCE, &[&der::number(3), &data(&safe)])
    }

    #[test]
    fn all_keys_of_a_file_share_the_iterations_that_are_taken() {
        assert_eq!(open(&store(3), "password").expect("opens").keys.len(), 3);
        let many = MAX_ITERATIONS / ITERATIONS + 1;
        let Err(error) = open(&store(many as usize), "password") else {
            panic!("{many} keys are opened")
        };
        assert!(error.to_string().contains("iteration count out of range"), "{error}");
    }
}
