//! Keys and signatures. The checks read the signing block by the published format, not by our
//! writer.

use std::path::{Path, PathBuf};

use apk::{Apk, Fault, LooseForm, SchemeSet, SignError, Signer, WriteOptions, WrittenApk};
use rsa::pkcs8::DecodePublicKey;
use sha2::{Digest, Sha256};

use crate::support::*;

const PASSWORD: &str = "secret1";

fn key_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/keys").join(name)
}

fn key(name: &str) -> Signer {
    Signer::from_pkcs12(key_file(name), PASSWORD, None).unwrap()
}

fn from_bytes(name: &str, alias: Option<&str>) -> Result<Signer, SignError> {
    Signer::from_pkcs12_bytes(&std::fs::read(key_file(name)).unwrap(), PASSWORD, alias)
}

fn signed(min_sdk: i32, signer: &Signer, schemes: Option<SchemeSet>) -> WrittenApk {
    // A v1 signature must inflate every entry, which the one of an unknown method does not allow.
    let items: Vec<Item> = full_apk(min_sdk, 34).into_iter().filter(|i| i.method != 14).collect();
    let apk = Apk::from_bytes("s.apk", zip(&items)).unwrap();
    apk.write(&[], &[], &[], Some(signer), WriteOptions { schemes }).unwrap()
}

/// Takes a length-prefixed part off the front.
fn part<'a>(b: &mut &'a [u8]) -> &'a [u8] {
    let len = u32_at(b, 0);
    let (head, rest) = b[4..].split_at(len);
    *b = rest;
    head
}

/// The block's pairs, and where the block begins.
fn block(b: &[u8]) -> (usize, Vec<(u32, Vec<u8>)>) {
    let central = u32_at(b, end_at(b) + 16);
    assert_eq!(&b[central - 16..central], b"APK Sig Block 42");
    let size = u32_at(b, central - 24);
    let start = central - size - 8;
    assert_eq!(u32_at(b, start), size);
    let (mut at, mut pairs) = (start + 8, Vec::new());
    while at < central - 24 {
        let len = u32_at(b, at);
        pairs.push((u32_at(b, at + 8) as u32, b[at + 12..at + 8 + len].to_vec()));
        at += 8 + len;
    }
    (start, pairs)
}

/// The content digest, one chunk after the other.
fn content_digest(b: &[u8], block_at: usize) -> Vec<u8> {
    let end = end_at(b);
    let central = u32_at(b, end + 16);
    let mut tail = b[end..].to_vec();
    tail[16..20].copy_from_slice(&(block_at as u32).to_le_bytes());
    let mut all = Vec::new();
    let mut count = 0u32;
    for section in [&b[..block_at], &b[central..end], &tail] {
        for chunk in section.chunks(1 << 20) {
            all.extend(Sha256::digest(
                [&[0xa5], (chunk.len() as u32).to_le_bytes().as_slice(), chunk].concat(),
            ));
            count += 1;
        }
    }
    Sha256::digest([&[0x5a], count.to_le_bytes().as_slice(), &all].concat()).to_vec()
}

#[test]
fn v2_and_v3_blocks_verify() {
    let bytes = signed(26, &key("keytool17.p12"), None).bytes;
    let (start, pairs) = block(&bytes);
    assert_eq!(pairs.iter().map(|p| p.0).collect::<Vec<_>>(), [0x7109_871a, 0xf053_68c0]);
    for (id, value) in pairs {
        let mut signers = part(&mut value.as_slice());
        let mut signer = part(&mut signers);
        let data = part(&mut signer);
        if id == 0xf053_68c0 {
            assert_eq!((u32_at(signer, 0), u32_at(signer, 4)), (28, i32::MAX as usize));
            signer = &signer[8..];
        }
        let signature = part(&mut part(&mut signer));
        let public = rsa::RsaPublicKey::from_public_key_der(part(&mut signer)).unwrap();
        assert_eq!(u32_at(signature, 0), 0x0103);
        let scheme = rsa::Pkcs1v15Sign::new::<Sha256>();
        public.verify(scheme, &Sha256::digest(data), part(&mut &signature[4..])).unwrap();
        let digest = part(&mut part(&mut { data }));
        assert_eq!(part(&mut &digest[4..]), content_digest(&bytes, start));
    }
}

#[test]
fn schemes_follow_the_minimum_sdk() {
    let signer = key("keytool17.p12");
    for (min_sdk, v1) in [(5, true), (23, true), (24, false)] {
        let written = signed(min_sdk, &signer, None);
        assert_eq!(written.signed, Some(SchemeSet { v1, v2: true, v3: true }));
        assert_eq!(names(&written.bytes).iter().any(|n| n == "META-INF/CERT.RSA"), v1);
    }
    let written = signed(5, &signer, Some(SchemeSet { v1: true, v2: false, v3: false }));
    let end = u32_at(&written.bytes, end_at(&written.bytes) + 16);
    assert_ne!(&written.bytes[end - 16..end], b"APK Sig Block 42");
}

/// A v1 signature holds a digest of what each entry inflates to. Two megabytes of package must not
/// keep the processor busy with gigabytes of zeros; v2 and v3 do not inflate them.
#[test]
fn entries_that_inflate_to_gigabytes_get_no_v1_signature() {
    let signer = key("keytool17.p12");
    let sign = |bombs: &[Item], min_sdk| {
        let manifest = item("AndroidManifest.xml", &manifest(min_sdk, 34));
        let bytes = zip(&[&[manifest], bombs].concat());
        assert!(bytes.len() < 2 << 20);
        let apk = Apk::from_bytes("s.apk", bytes).unwrap();
        apk.write(&[], &[], &[], Some(&signer), WriteOptions::default())
    };
    let (one, two) = (bomb("assets/one", 600), bomb("assets/two", 600));
    let Err(error) = sign(&[one.clone(), two.clone()], 23) else { panic!("it is signed") };
    let Fault::TooLarge { name, size, limit } = error.fault else { panic!("{error}") };
    assert_eq!((name.as_str(), size >> 20, limit), ("assets/two", 1200, 1 << 30));
    assert!(sign(std::slice::from_ref(&one), 23).unwrap().signed.unwrap().v1);
    assert!(!sign(&[one, two], 24).unwrap().signed.unwrap().v1);
}

#[test]
fn v1_digests_are_those_of_the_entries() {
    for (min_sdk, digest) in [(16, "SHA1-Digest: "), (18, "SHA-256-Digest: ")] {
        let bytes = signed(min_sdk, &key("keytool17.p12"), None).bytes;
        let list = list(&bytes);
        let text = |name: &str| {
            let raw = &list.iter().find(|f| f.name == name).unwrap().raw;
            let mut text = String::new();
            std::io::Read::read_to_string(
                &mut flate2::read::DeflateDecoder::new(raw.as_slice()),
                &mut text,
            )
            .unwrap();
            text
        };
        let manifest = text("META-INF/MANIFEST.MF");
        assert!(text("META-INF/CERT.SF").contains("X-Android-APK-Signed: 2, 3\r\n"));
        let sections = manifest.matches("\r\nName: ").count();
        let files =
            list.iter().filter(|f| !f.name.ends_with('/') && !f.name.starts_with("META-INF/CERT."));
        assert_eq!(sections, files.count() - 1, "all but the list itself");
        let known = if min_sdk < 18 { ARSC_SHA1 } else { ARSC_SHA256 };
        assert!(
            manifest.contains(&format!("Name: resources.arsc\r\n{digest}{known}\r\n")),
            "{manifest}"
        );
    }
}

/// `head -c 400 /dev/zero | tr '\0' '\3' | openssl dgst -sha1 -binary | base64`, and with
/// `-sha256`.
const ARSC_SHA1: &str = "urrE8GNNHYxnu8o3rDYIz7M3xgM=";
const ARSC_SHA256: &str = "nnvkzg8jiKNQNFpYvGYMfFwCeaJOVrx7h3wKUgh8/RI=";

#[test]
fn signing_is_deterministic() {
    for name in ["keytool17.p12", "ec.p12", "ec384.p12", "ec521.p12"] {
        assert_eq!(
            signed(21, &key(name), None).bytes,
            signed(21, &key(name), None).bytes,
            "{name}"
        );
    }
}

#[test]
fn key_files_of_all_writers_open() {
    for name in [
        "keytool17",
        "keytool-legacy",
        "openssl3-chain",
        "openssl-2des-rc2",
        "openssl-sha512",
        "ec",
    ] {
        let file = key_file(&format!("{name}.p12"));
        Signer::from_pkcs12(&file, PASSWORD, None).unwrap_or_else(|e| panic!("{name}: {e}"));
        let wrong = Signer::from_pkcs12(&file, "secret2", None).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            format!("{}: wrong password for the key file", file.display())
        );
    }
}

#[test]
fn the_alias_chooses_among_keys() {
    let open = |alias| from_bytes("two-keys.p12", alias);
    assert!(matches!(open(None), Err(SignError::SeveralKeys { found }) if found == ["one", "two"]));
    assert!(matches!(open(Some("three")), Err(SignError::NoKey { .. })));
    let (one, two) = (open(Some("ONE")).unwrap(), open(Some("two")).unwrap());
    assert_ne!(signed(26, &one, None).bytes, signed(26, &two, None).bytes);
}

#[test]
fn keys_that_cannot_be_used_say_why() {
    let open = |name| from_bytes(name, None).unwrap_err();
    assert!(matches!(open("no-key.p12"), SignError::NoKey { .. }));
    assert!(matches!(open("dsa.p12"), SignError::Unsupported { what: "key type", .. }));
    assert!(matches!(open("README.md"), SignError::Damaged { .. }));
    assert!(matches!(
        Signer::from_pkcs12(key_file("nothing.p12"), PASSWORD, None),
        Err(SignError::Io { .. })
    ));
    assert!(matches!(
        Signer::from_pkcs12_bytes(b"\xfe\xed\xfe\xed....", PASSWORD, None),
        Err(SignError::Jks)
    ));
    let apk =
        Apk::from_bytes("s.apk", zip(&[item("AndroidManifest.xml", &manifest(5, 5))])).unwrap();
    let error =
        apk.write(&[], &[], &[], Some(&key("ec.p12")), WriteOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "s.apk: EC keys need a minimum SDK of 18 for v1 signatures, this app has 5"
    );
}

/// Bouncy Castle writes indefinite lengths and octet strings in parts.
#[test]
fn a_key_file_in_ber_form_opens() {
    let der = std::fs::read(key_file("keytool17.p12")).unwrap();
    // SEQUENCE { INTEGER 3, SEQUENCE { OID data, [0] { OCTET STRING safe } }, SEQUENCE mac }, all
    // lengths 30 82 xx xx.
    let long = |at: usize| u16::from_be_bytes([der[at + 2], der[at + 3]]) as usize;
    let info = 4 + 3;
    let oid = &der[info + 4..info + 4 + 11];
    let octets = info + 4 + 11 + 4;
    assert_eq!((der[info], der[octets - 4], der[octets]), (0x30, 0xa0, 0x04));
    let safe = &der[octets + 4..octets + 4 + long(octets)];
    let mac = &der[info + 4 + long(info)..];
    let mut ber = [&[0x30, 0x80, 2, 1, 3, 0x30, 0x80], oid, &[0xa0, 0x80, 0x24, 0x80]].concat();
    for piece in safe.chunks(100) {
        ber.extend([0x04, piece.len() as u8]);
        ber.extend(piece);
    }
    ber.extend([0; 6]);
    ber.extend(mac);
    ber.extend([0; 2]);
    Signer::from_pkcs12_bytes(&ber, PASSWORD, None).unwrap();
}

#[test]
fn damaged_key_files_never_panic() {
    let whole = std::fs::read(key_file("openssl-2des-rc2.p12")).unwrap();
    for len in 0..whole.len() {
        assert!(Signer::from_pkcs12_bytes(&whole[..len], PASSWORD, None).is_err(), "cut at {len}");
    }
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x80;
        let _ = Signer::from_pkcs12_bytes(&bytes, PASSWORD, None);
    }
}

#[test]
fn the_debug_key_is_made_once_and_private() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("pathlight");
    let first = signed(26, &Signer::debug_in(&inside).unwrap(), None).bytes;
    assert_eq!(first, signed(26, &Signer::debug_in(&inside).unwrap(), None).bytes);
    let files: Vec<_> =
        std::fs::read_dir(&inside).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(files, ["debug.p12"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(
            std::fs::metadata(inside.join("debug.p12")).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
}

/// `keytool` makes keys of up to 16,384 bits; `rsa::RsaPublicKey` reads no more than 4,096.
#[test]
fn long_rsa_keys_find_their_certificate_and_sign() {
    let signer = key("rsa8192.p12");
    assert_eq!(signer.rsa_bits(), Some(8192));
    let bytes = signed(26, &signer, Some(SchemeSet { v1: false, v2: true, v3: false })).bytes;
    let (_, pairs) = block(&bytes);
    let mut signer = part(&mut part(&mut pairs[0].1.as_slice()));
    part(&mut signer);
    let signature = part(&mut part(&mut signer));
    assert_eq!(part(&mut &signature[4..]).len(), 8192 / 8);
}

#[test]
fn the_bits_of_rsa_keys_are_known_and_ec_keys_have_none() {
    assert_eq!(key("rsa1024.p12").rsa_bits(), Some(1024));
    assert_eq!(key("ec.p12").rsa_bits(), None);
}

/// The Android build keeps keys as `.pk8` and certificates as `.x509.pem`.
#[test]
fn keys_and_certificates_in_other_files_are_distinguished_from_damage() {
    let form = |bytes: &[u8]| match Signer::from_pkcs12_bytes(bytes, PASSWORD, None) {
        Err(SignError::Loose { form }) => Some(form),
        Err(SignError::Damaged { .. }) => None,
        other => panic!("{other:?}"),
    };
    let key = rsa::RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 512).unwrap();
    let pkcs8 = rsa::pkcs8::EncodePrivateKey::to_pkcs8_der(&key).unwrap();
    let pkcs1 = rsa::pkcs1::EncodeRsaPrivateKey::to_pkcs1_der(&key).unwrap();
    assert_eq!(form(pkcs8.as_bytes()), Some(LooseForm::Key));
    assert_eq!(form(pkcs1.as_bytes()), Some(LooseForm::Key));
    // EncryptedPrivateKeyInfo { AlgorithmIdentifier { PBES2 }, OCTET STRING }
    let pbes2 = [0x30, 11, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 13];
    assert_eq!(form(&[&[0x30, 17], &pbes2[..], &[4, 2, 7, 7]].concat()), Some(LooseForm::Key));
    let pem = b"Bag Attributes\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    assert_eq!(form(pem), Some(LooseForm::Pem));
    assert_eq!(form(b"some text"), None);
}
