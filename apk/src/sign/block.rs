//! v2 and v3: one block between entries and central directory that signs every byte of the file.
//!
//! Source: source.android.com, "APK Signature Scheme v2" and "v3". All integers little-endian;
//! "prefixed" means a 32-bit length in front.

use rayon::prelude::*;
use sha2::{Digest, Sha256, Sha512};

use super::super::error::Fault;
use super::super::write::SchemeSet;
use super::super::zip_write::Zip;
use super::keys::Signer;

const V2: u32 = 0x7109_871a;
const V3: u32 = 0xf053_68c0;
/// Signed attribute in a v2 block: a v3 signature must be there too.
const STRIPPING_PROTECTION: u32 = 0xbeef_f00d;
/// Signature algorithms: RSA PKCS#1 v1.5 and ECDSA with SHA-256, ECDSA with SHA-512.
const RSA_SHA256: u32 = 0x0103;
const EC_SHA256: u32 = 0x0201;
const EC_SHA512: u32 = 0x0202;
/// Android 9, the first that reads v3.
const V3_FIRST: u32 = 28;
const MAGIC: &[u8; 16] = b"APK Sig Block 42";
const CHUNK: usize = 1 << 20;

/// Name of the scheme or data that a signing block holds under this id; `None` for padding.
pub(in super::super) fn name(id: u32) -> Option<String> {
    match id {
        V2 => Some("v2".to_owned()),
        V3 => Some("v3".to_owned()),
        0x1b93_ad61 => Some("v3.1".to_owned()),
        0x6dff_800d | 0x2b09_189e => Some("source stamp".to_owned()),
        0x504b_4453 => Some("dependency list".to_owned()),
        0x4272_6577 => None,
        other => Some(format!("{other:#010x}")),
    }
}

/// Names the schemes in a signing block by the ids in it.
pub(in super::super) fn describe(ids: &[u32]) -> String {
    let names: Vec<_> = ids.iter().filter_map(|&id| name(id)).collect();
    format!("APK signing block: {}", names.join(", "))
}

fn prefixed(parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    [&(body.len() as u32).to_le_bytes(), body.as_slice()].concat()
}

/// Puts the signing block into a finished zip.
pub(in super::super) fn add(
    zip: Zip,
    signer: &Signer,
    schemes: SchemeSet,
) -> Result<Vec<u8>, Fault> {
    let Zip { mut bytes, central_at, end_at } = zip;
    if !schemes.v2 && !schemes.v3 {
        return Ok(bytes);
    }
    // The end record is digested with its pointer to the block's own place; the unsigned file has
    // that pointer.
    let sections = [&bytes[..central_at], &bytes[central_at..end_at], &bytes[end_at..]];
    let (algorithm, digest) = match (signer.is_ec(), signer.is_large_ec()) {
        (_, true) => (EC_SHA512, content_digest::<Sha512>(&sections)),
        (true, false) => (EC_SHA256, content_digest::<Sha256>(&sections)),
        (false, false) => (RSA_SHA256, content_digest::<Sha256>(&sections)),
    };
    let algorithm = algorithm.to_le_bytes();
    let digests = prefixed(&[&prefixed(&[&algorithm, &prefixed(&[&digest])])]);
    let certificates: Vec<Vec<u8>> = signer.certificates.iter().map(|c| prefixed(&[c])).collect();
    let certificates = prefixed(&[&certificates.concat()]);
    let signatures = |data: &[u8]| -> Result<Vec<u8>, Fault> {
        let large = signer.is_large_ec();
        let signature = if large { signer.sign_sha512(data) } else { signer.sign_sha256(data) }?;
        Ok(prefixed(&[&prefixed(&[&algorithm, &prefixed(&[&signature])])]))
    };
    let public_key = prefixed(&[&signer.public_key]);

    let mut pairs = Vec::new();
    let mut pair = |id: u32, value: &[u8]| {
        pairs.extend_from_slice(&(value.len() as u64 + 4).to_le_bytes());
        pairs.extend_from_slice(&id.to_le_bytes());
        pairs.extend_from_slice(value);
    };
    if schemes.v2 {
        let protection = prefixed(&[&STRIPPING_PROTECTION.to_le_bytes(), &3u32.to_le_bytes()]);
        let attributes = if schemes.v3 { prefixed(&[&protection]) } else { prefixed(&[]) };
        let data = [digests.as_slice(), &certificates, &attributes].concat();
        let signer = prefixed(&[&prefixed(&[&data]), &signatures(&data)?, &public_key]);
        pair(V2, &prefixed(&[&signer]));
    }
    if schemes.v3 {
        let range = [V3_FIRST.to_le_bytes(), (i32::MAX as u32).to_le_bytes()].concat();
        let data = [digests.as_slice(), &certificates, &range, &prefixed(&[])].concat();
        let signer = prefixed(&[&prefixed(&[&data]), &range, &signatures(&data)?, &public_key]);
        pair(V3, &prefixed(&[&signer]));
    }
    let size = (pairs.len() as u64 + 24).to_le_bytes();
    let block = [&size, pairs.as_slice(), &size, MAGIC].concat();

    let moved = (central_at + block.len()) as u32;
    bytes[end_at + 16..end_at + 20].copy_from_slice(&moved.to_le_bytes());
    bytes.splice(central_at..central_at, block);
    Ok(bytes)
}

/// Digest over the digests of all 1 MiB chunks of the three sections.
fn content_digest<D: Digest>(sections: &[&[u8]]) -> Vec<u8> {
    let chunks: Vec<&[u8]> = sections.iter().flat_map(|s| s.chunks(CHUNK)).collect();
    let digests: Vec<Vec<u8>> = chunks
        .par_iter()
        .map(|chunk| {
            let head = D::new_with_prefix([0xa5]).chain_update((chunk.len() as u32).to_le_bytes());
            head.chain_update(chunk).finalize().to_vec()
        })
        .collect();
    let top = D::new_with_prefix([0x5a]).chain_update((digests.len() as u32).to_le_bytes());
    top.chain_update(digests.concat()).finalize().to_vec()
}
