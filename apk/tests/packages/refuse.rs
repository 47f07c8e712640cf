//! Zips that are refused, each for its own reason.

use apk::{Apk, Fault};

use crate::support::*;

fn fault(bytes: Vec<u8>) -> Fault {
    let error = match Apk::from_bytes("bad.apk", bytes) {
        Ok(apk) => apk.dex_files().unwrap_err(),
        Err(error) => error,
    };
    assert!(error.to_string().starts_with("bad.apk: ") && !error.to_string().contains('\n'));
    error.fault
}

fn plain() -> Vec<Item> {
    vec![item("classes.dex", &dex(1, 400)), item("b", b"bb")]
}

#[test]
fn what_is_no_package() {
    assert!(matches!(fault(b"hello".to_vec()), Fault::NotAPackage));
    assert!(matches!(fault(Vec::new()), Fault::NotAPackage));
    assert!(matches!(fault(zip(&[item("a", b"a")])), Fault::NoDex));
}

#[test]
fn bytes_in_front_of_the_zip() {
    let shifted = |front: &[u8]| {
        let mut bytes = [front, &zip(&plain())].concat();
        let end = end_at(&bytes);
        let central = u32_at(&bytes, end + 16) + front.len();
        bytes[end + 16..end + 20].copy_from_slice(&(central as u32).to_le_bytes());
        bytes
    };
    assert!(matches!(fault(shifted(&dex(1, 112))), Fault::Janus));
    assert!(matches!(fault(shifted(b"#!/bin/sh\n")), Fault::Prefix));
    assert!(matches!(fault([b"#!/bin/sh\n".as_slice(), &zip(&plain())].concat()), Fault::Prefix));
}

#[test]
fn every_truncation() {
    let whole = zip(&plain());
    for len in 0..whole.len() {
        assert!(
            matches!(fault(whole[..len].to_vec()), Fault::NoEndRecord | Fault::NotAPackage),
            "cut at {len}"
        );
    }
    assert!(matches!(fault([whole.as_slice(), b"x"].concat()), Fault::NoEndRecord));
}

#[test]
fn ambiguous_entries() {
    assert!(matches!(fault(zip(&[item("a", b"1"), item("a", b"2")])), Fault::Duplicate { .. }));
    for name in ["", "a\0b"] {
        assert!(matches!(fault(zip(&[item(name, b"1")])), Fault::BadName { .. }), "{name:?}");
    }
    let mut other = item("a", b"1");
    other.local_name = Some("b");
    assert!(matches!(fault(zip(&[other])), Fault::Disagree { field: "name", .. }));
    let mut bytes = zip(&[item("a", b"1"), item("b", b"2")]);
    let size = u32_at(&bytes, 18);
    bytes[18..22].copy_from_slice(&(size as u32 + 1).to_le_bytes());
    assert!(matches!(fault(bytes), Fault::Disagree { field: "compressed size", .. }));
}

/// Encrypted data do not inflate, or inflate to something else.
#[test]
fn encrypted_entries() {
    let mut stored = item("a", b"plain text").stored();
    stored.flags = 1;
    let mut deflated = item("a", b"plain text");
    deflated.flags = 1;
    let mut odd = item("a", b"plain text");
    (odd.flags, odd.method) = (1, 99);
    for (item, changed) in [(stored, 0x10), (deflated, 0x10), (odd, 0)] {
        let mut bytes = zip(&[item]);
        let data = list(&bytes)[0].data_at;
        bytes[data + 2] ^= changed;
        assert!(matches!(fault(bytes), Fault::Encrypted { .. }));
    }
}

/// The bit on an entry of a few hundred kilobytes must not keep the processor busy.
#[test]
fn entries_marked_as_encrypted_that_inflate_to_gigabytes() {
    let mut bomb = bomb("a", 1100);
    bomb.flags = 1;
    assert!(matches!(fault(zip(&[bomb])), Fault::TooLarge { .. }));
}

#[test]
fn overlapping_entries() {
    // The first entry is stored and holds the second one, header and all.
    let inner = zip(&[item("b", b"inner")]);
    let inner = &inner[..u32_at(&inner, end_at(&inner) + 16)];
    let outer = item("a", inner).stored();
    let mut bytes = zip_with_order(&[outer, item("b", b"inner")], &[0, 1], b"");
    let second = list(&bytes)[1].local_at;
    let inside = list(&bytes)[0].data_at as u32;
    let central = u32_at(&bytes, end_at(&bytes) + 16);
    let at = (central..).find(|&i| u32_at(&bytes, i) == second).unwrap();
    bytes[at..at + 4].copy_from_slice(&inside.to_le_bytes());
    assert!(matches!(fault(bytes), Fault::Overlap { .. }));
}

#[test]
fn damaged_content() {
    let mut bytes = zip(&[item("classes.dex", &dex(1, 400)).stored()]);
    let data = list(&bytes)[0].data_at;
    bytes[data + 100] ^= 1;
    assert!(matches!(fault(bytes), Fault::Content { .. }));
    let mut odd = item("classes.dex", &dex(1, 400));
    odd.method = 12;
    assert!(matches!(fault(zip(&[odd])), Fault::Method { method: 12, .. }));
}

#[test]
fn a_declared_size_is_not_believed() {
    // Sizes stand at 22 in the local header and at 24 in the central record.
    let declare = |len: usize, size: u32| {
        let mut bytes = zip(&[item("classes.dex", &vec![0; len])]);
        let central = u32_at(&bytes, end_at(&bytes) + 16);
        bytes[22..26].copy_from_slice(&size.to_le_bytes());
        bytes[central + 24..central + 28].copy_from_slice(&size.to_le_bytes());
        fault(bytes)
    };
    assert!(matches!(declare(5000, 2_000_000_000), Fault::TooLarge { .. }));
    assert!(
        matches!(declare(5000, 60_000_000), Fault::Content { .. }),
        "more than deflate can give"
    );
    assert!(matches!(declare(5000, 4999), Fault::Content { .. }));
    assert!(matches!(declare(5000, 5001), Fault::Content { .. }));
}

/// Deflate makes zeros a thousand times smaller: a package of a few hundred kilobytes must not take
/// gigabytes.
#[test]
fn code_that_inflates_to_far_more_than_any_code_does() {
    let mut zeros = vec![0; 33 << 20];
    zeros[..4].copy_from_slice(b"dex\n");
    let bytes = zip(&[item("classes.dex", &zeros), item("classes2.dex", &zeros)]);
    assert!(bytes.len() < 1 << 20);
    let Fault::TooLarge { name, size, limit } = fault(bytes) else { panic!("it is opened") };
    assert_eq!((name.as_str(), size, limit), ("classes2.dex", 66 << 20, 64 << 20));
}
