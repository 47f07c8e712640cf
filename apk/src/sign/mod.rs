//! Signing: keys and certificates, and the three signature schemes that carry them.
//!
//! `keys` (signers, and the debug key), `pkcs12` (the key file), `loose` (keys in other files),
//! `asn1` and `ber` (the encoding of both), `nonce` (for P-521), `v1` (JAR signing), `block` (v2
//! and v3). Signatures are deterministic: RSA PKCS#1 v1.5, or ECDSA with RFC 6979.

mod asn1;
mod ber;
mod block;
mod keys;
mod loose;
mod nonce;
mod pkcs12;
mod v1;

pub(super) use block::{add as add_block, describe as describe_block, name as block_name};
pub use keys::Signer;
pub use loose::LooseForm;
pub(super) use v1::{files as v1_files, is_signature_file, is_signature_list};

/// Reasons why a key cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SignError {
    /// The key file could not be read or written.
    #[error("key file {file}: {error}")]
    Io {
        /// The key file.
        file: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// The key file is damaged or no PKCS#12 file.
    #[error("key file at {offset:#x}: {reason}")]
    Damaged {
        /// Offset in the file, or in the decrypted part of it.
        offset: usize,
        /// The broken rule.
        reason: &'static str,
    },
    /// The key file or a certificate in it is not encoded as it should be.
    #[error("key file: {0}")]
    Encoding(#[from] der::Error),
    /// A key file that cannot be used.
    #[error("{file}: {problem}")]
    KeyFile {
        /// The key file.
        file: String,
        /// The reason.
        problem: Box<SignError>,
    },
    /// An old Java key store.
    #[error(
        "this key file is a Java key store (JKS or JCEKS); convert it once with: \
         keytool -importkeystore -srckeystore OLD -destkeystore NEW.p12 -deststoretype PKCS12"
    )]
    Jks,
    /// A key or certificate by itself.
    #[error(
        "this key file is {form}, not a PKCS#12 file; join the key and its certificate once with: \
         openssl pkcs12 -export -inkey KEY.pem -in CERTIFICATE.pem -out NEW.p12 (a .pk8 is made \
         PEM with: openssl pkey -inform DER -in KEY.pk8 -out KEY.pem)"
    )]
    Loose {
        /// Kind of the file.
        form: LooseForm,
    },
    /// The password does not open the file.
    #[error("wrong password for the key file")]
    WrongPassword,
    /// No private key, or none of that alias.
    #[error("no private key{} in the key file{}", alias_text(.alias), list_text(.found))]
    NoKey {
        /// The alias asked for.
        alias: Option<String>,
        /// Aliases that are there.
        found: Vec<String>,
    },
    /// Several keys and no alias to choose by.
    #[error("several private keys in the key file, name one by its alias: {}", found.join(", "))]
    SeveralKeys {
        /// Aliases that are there.
        found: Vec<String>,
    },
    /// No certificate belongs to the key.
    #[error("no certificate in the key file belongs to the private key")]
    NoCertificate,
    /// Encryption, digest or key type that is not supported.
    #[error("unsupported {what}: {name}")]
    Unsupported {
        /// Name of the thing that is not supported.
        what: &'static str,
        /// Its object identifier or a name.
        name: String,
    },
    /// A JAR signature with this key would not be accepted by the oldest Android that the app runs
    /// on.
    #[error("EC keys need a minimum SDK of 18 for v1 signatures, this app has {min_sdk}")]
    EcTooOld {
        /// The app's minimum.
        min_sdk: u32,
    },
    /// A v1 signature lists entries by name; this one cannot be listed.
    #[error("entry {name:?} cannot be listed in a v1 signature (control character or no UTF-8)")]
    V1Name {
        /// The entry.
        name: String,
    },
    /// The RSA operation failed (key too short, inconsistent key).
    #[error("signing failed: {0}")]
    Crypto(String),
    /// There is no folder to keep the debug key in.
    #[error("neither XDG_CONFIG_HOME nor HOME is set, no place for the debug key")]
    NoHome,
}

fn alias_text(alias: &Option<String>) -> String {
    alias.as_ref().map(|a| format!(" of alias {a:?}")).unwrap_or_default()
}

fn list_text(found: &[String]) -> String {
    if found.is_empty() { String::new() } else { format!(" (it has: {})", found.join(", ")) }
}
