//! v1: JAR signing. `MANIFEST.MF` lists a digest of every entry, the `.SF` file digests of that
//! list, and the `.RSA`/`.EC` file is a PKCS#7 signature over the `.SF` file.
//!
//! Source: the JAR file specification ("Signed JAR File"), and for the digests that each Android
//! reads AOSP's `V1SchemeSigner`.

use std::io::Write;

use base64ct::{Base64, Encoding};
use der::asn1::{AnyRef, OctetStringRef, SetOf};
use der::{Encode, Tag, TagNumber};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::super::error::Fault;
use super::super::new_entry::NewEntry;
use super::super::write::SchemeSet;
use super::super::zip_read::{STORED, inflate_into};
use super::super::zip_write::Out;
use super::SignError;
use super::asn1::{
    Certificate, ContentInfo, IssuerAndSerial, NoContent, SignedData, SignerInfo, algorithm, oid,
};
use super::keys::Signer;

/// Android 4.3 is the first to read SHA-256 (and ECDSA) here.
const FIRST_SHA256: u32 = 18;
/// Compressed entries of a package together may inflate to this many bytes for a v1 signature, or
/// to [`INFLATED_RATIO`] times the package where that is more: about a second for each GiB.
const INFLATED_LIMIT: u64 = 1 << 30;
/// Packages inflate to about three times their size; zeros, to a thousand times.
const INFLATED_RATIO: u64 = 16;
const CREATED_BY: &str = "Created-By: 1.0 (Android Pathlight)";

/// File name directly in `META-INF/`, in upper case.
fn meta_file(name: &[u8]) -> Option<Vec<u8>> {
    let head = name.get(..9).filter(|h| h.eq_ignore_ascii_case(b"META-INF/"))?;
    let file = &name[head.len()..];
    (!file.contains(&b'/')).then(|| file.to_ascii_uppercase())
}

/// True if an entry belongs to a v1 signature, and so is neither signed nor kept.
pub(in super::super) fn is_signature_file(name: &[u8]) -> bool {
    meta_file(name).is_some_and(|f| {
        f == b"MANIFEST.MF"
            || f.starts_with(b"SIG-")
            || [b".SF".as_slice(), b".RSA", b".DSA", b".EC"].iter().any(|end| f.ends_with(end))
    })
}

/// True if an entry is the `.SF` file of a v1 signature.
pub(in super::super) fn is_signature_list(name: &[u8]) -> bool {
    meta_file(name).is_some_and(|f| f.ends_with(b".SF"))
}

#[derive(Clone, Copy)]
enum Algorithm {
    Sha1,
    Sha256,
}

impl Algorithm {
    fn name(self) -> &'static str {
        match self {
            Algorithm::Sha1 => "SHA1",
            Algorithm::Sha256 => "SHA-256",
        }
    }

    /// Digest, in base64, of what `feed` writes.
    fn digest(
        self,
        feed: impl FnOnce(&mut dyn Write) -> Result<(), Fault>,
    ) -> Result<String, Fault> {
        Ok(match self {
            Algorithm::Sha1 => {
                let mut hasher = sha1::Sha1::new();
                feed(&mut hasher)?;
                Base64::encode_string(&hasher.finalize())
            }
            Algorithm::Sha256 => {
                let mut hasher = Sha256::new();
                feed(&mut hasher)?;
                Base64::encode_string(&hasher.finalize())
            }
        })
    }

    fn of(self, text: &str) -> Result<String, Fault> {
        self.digest(|sink| Ok(sink.write_all(text.as_bytes())?))
    }
}

/// The three files of the signature over `entries`, in the order in which they are to be appended.
pub(in super::super) fn files(
    entries: &[Out<'_>],
    signer: &Signer,
    min_sdk: u32,
    schemes: SchemeSet,
) -> Result<[NewEntry; 3], Fault> {
    if signer.is_ec() && min_sdk < FIRST_SHA256 {
        return Err(SignError::EcTooOld { min_sdk }.into());
    }
    let algorithm = if min_sdk < FIRST_SHA256 { Algorithm::Sha1 } else { Algorithm::Sha256 };
    let signed: Vec<&Out<'_>> = entries
        .iter()
        .filter(|o| !o.entry.name.ends_with(b"/") && !is_signature_file(&o.entry.name))
        .collect();
    check_inflated(&signed)?;
    let sections = signed.par_iter().map(|out| section(out, algorithm)).collect::<Vec<_>>();
    let sections = sections.into_iter().collect::<Result<Vec<(String, String)>, Fault>>()?;

    let head = format!("Manifest-Version: 1.0\r\n{CREATED_BY}\r\n\r\n");
    let manifest = [head.as_str()]
        .into_iter()
        .chain(sections.iter().map(|(_, s)| s.as_str()))
        .collect::<String>();
    let mut list = String::from("Signature-Version: 1.0\r\n");
    list += &format!("{CREATED_BY}\r\n");
    list += &format!("{}-Digest-Manifest: {}\r\n", algorithm.name(), algorithm.of(&manifest)?);
    // Android 7 and later demand the newer signature that this line names, so that it cannot be
    // stripped.
    let newer = match (schemes.v2, schemes.v3) {
        (true, true) => "X-Android-APK-Signed: 2, 3\r\n",
        (true, false) => "X-Android-APK-Signed: 2\r\n",
        (false, true) => "X-Android-APK-Signed: 3\r\n",
        (false, false) => "",
    };
    list += newer;
    list += "\r\n";
    for (name, section) in &sections {
        list += &format!("{name}{}-Digest: {}\r\n\r\n", algorithm.name(), algorithm.of(section)?);
    }
    let block = pkcs7(list.as_bytes(), signer, algorithm)?;
    let block_name = if signer.is_ec() { "META-INF/CERT.EC" } else { "META-INF/CERT.RSA" };
    Ok([
        NewEntry { name: "META-INF/MANIFEST.MF".into(), bytes: manifest.into_bytes() },
        NewEntry { name: "META-INF/CERT.SF".into(), bytes: list.into_bytes() },
        NewEntry { name: block_name.into(), bytes: block },
    ])
}

/// Refuses entries that would keep the processor busy with inflating. Their declared sizes are
/// enough: inflating stops where an entry gives more.
fn check_inflated(signed: &[&Out<'_>]) -> Result<(), Fault> {
    let package: u64 = signed.iter().map(|out| out.raw.len() as u64).sum();
    let limit = INFLATED_LIMIT.max(package.saturating_mul(INFLATED_RATIO));
    let mut size = 0;
    for Out { entry, .. } in signed.iter().filter(|out| out.entry.method != STORED) {
        size += u64::from(entry.size);
        if size > limit {
            return Err(Fault::TooLarge { name: entry.display(), size, limit });
        }
    }
    Ok(())
}

/// The `Name:` line of an entry, and its whole section in `MANIFEST.MF`.
fn section(out: &Out<'_>, algorithm: Algorithm) -> Result<(String, String), Fault> {
    let entry = &out.entry;
    let text = std::str::from_utf8(&entry.name).ok().filter(|n| !n.chars().any(char::is_control));
    let text = text.ok_or_else(|| SignError::V1Name { name: entry.display() })?;
    // The raw bytes stand alone here, so the entry's range is the whole of them.
    let alone = super::super::zip_read::ZipEntry { data: 0..out.raw.len(), ..entry.clone() };
    let content = algorithm.digest(|mut sink| inflate_into(&out.raw, &alone, &mut sink))?;
    let name = folded(&format!("Name: {text}"));
    let section = format!("{name}{}-Digest: {}\r\n\r\n", algorithm.name(), content);
    Ok((name, section))
}

/// Breaks a line so that none has more than 70 bytes (72 are allowed with the line end); never
/// inside a character.
fn folded(line: &str) -> String {
    let (mut out, mut used) = (String::with_capacity(line.len() + 8), 0);
    for c in line.chars() {
        if used + c.len_utf8() > 70 {
            out += "\r\n ";
            used = 1;
        }
        out.push(c);
        used += c.len_utf8();
    }
    out + "\r\n"
}

/// A signature without content and without signed attributes.
fn pkcs7(data: &[u8], signer: &Signer, digest: Algorithm) -> Result<Vec<u8>, SignError> {
    let (digest, signature) = match digest {
        Algorithm::Sha1 => (oid::SHA1, signer.sign_sha1(data)?),
        Algorithm::Sha256 => (oid::SHA256, signer.sign_sha256(data)?),
    };
    let digest = algorithm(digest);
    let own = signer.certificates.first().ok_or(SignError::NoCertificate)?;
    let own = Certificate::parse(own)?;
    let info = SignerInfo {
        version: 1,
        certificate: IssuerAndSerial { issuer: own.issuer, serial: own.serial },
        digest,
        key: algorithm(if signer.is_ec() { oid::EC } else { oid::RSA }),
        signature: OctetStringRef::new(&signature)?,
    };
    let set = Tag::ContextSpecific { number: TagNumber::N0, constructed: true };
    let certificates = signer.certificates.concat();
    let (mut digests, mut signers) = (SetOf::new(), SetOf::new());
    digests.insert(digest)?;
    signers.insert(info)?;
    let signed = SignedData {
        version: 1,
        digests,
        content: NoContent { kind: oid::DATA },
        certificates: AnyRef::new(set, &certificates)?,
        signers,
    };
    let signed = signed.to_der()?;
    let content = AnyRef::try_from(signed.as_slice())?;
    Ok(ContentInfo { kind: oid::SIGNED_DATA, content }.to_der()?)
}

#[cfg(test)]
mod tests {
    use super::super::pkcs12;
    use super::*;

    /// An app is known by the bytes of its certificate. This one `x509-cert` would refuse for its
    /// serial number, and write without the `FALSE` of its extension.
    #[test]
    fn a_certificate_that_is_not_strict_keeps_its_bytes() {
        use der::{Any, Decode, asn1};
        let file = include_bytes!("../../tests/keys/keytool17.p12");
        let store = pkcs12::open(file, "secret1").unwrap();
        let (key, certificates) = store.choose(None).unwrap();
        let mut parts: Vec<Any> = Decode::from_der(&certificates[0]).unwrap();
        let mut content: Vec<Any> = parts[0].decode_as().unwrap();
        content[1] = Any::new(Tag::Integer, [0x11; 23]).unwrap();
        let oid = der::oid::ObjectIdentifier::new_unwrap("2.5.29.15");
        let usage = asn1::OctetString::new([3, 2, 7, 0x80]).unwrap();
        let extension =
            [Any::encode_from(&oid), Any::encode_from(&false), Any::encode_from(&usage)];
        let extension: Vec<Any> = extension.into_iter().map(Result::unwrap).collect();
        let extensions = vec![extension].to_der().unwrap();
        let third = Tag::ContextSpecific { number: TagNumber::N3, constructed: true };
        *content.last_mut().unwrap() = Any::new(third, extensions).unwrap();
        parts[0] = Any::encode_from(&content).unwrap();
        let odd = parts.to_der().unwrap();
        assert!(x509_cert::Certificate::from_der(&odd).is_err());

        let signer = Signer::new(key, vec![odd.clone()]).unwrap();
        let block = pkcs7(b"data", &signer, Algorithm::Sha256).unwrap();
        assert!(block.windows(odd.len()).any(|part| part == odd));
        let serial = [&[2, 23], [0x11; 23].as_slice()].concat();
        assert_eq!(block.windows(25).filter(|part| *part == serial).count(), 2);
    }

    #[test]
    fn long_names_are_folded_at_70_bytes() {
        let line = format!("Name: {}", "ä".repeat(80));
        let folded = folded(&line);
        assert!(folded.lines().all(|l| l.len() <= 70));
        assert_eq!(folded.replace("\r\n ", ""), format!("{line}\r\n"));
    }

    #[test]
    fn only_files_directly_in_meta_inf_are_signature_files() {
        assert!(
            is_signature_file(b"META-INF/cert.rsa") && is_signature_file(b"meta-inf/MANIFEST.MF")
        );
        assert!(
            !is_signature_file(b"META-INF/x/CERT.RSA") && !is_signature_file(b"META-INF/a.version")
        );
    }
}
