//! Kept and changed properties of a written package.

use std::path::Path;

use apk::{Apk, Container, DropReason, Fault, NewEntry, Unpacked, WriteOptions, WrittenApk};

use crate::support::*;

fn open(bytes: Vec<u8>) -> Apk {
    Apk::from_bytes("test.apk", bytes).unwrap()
}

fn new(name: &str, bytes: &[u8]) -> NewEntry {
    NewEntry { name: name.into(), bytes: bytes.to_vec() }
}

fn write(apk: &Apk, replaced: &[NewEntry], added: &[NewEntry], removed: &[&str]) -> WrittenApk {
    let removed: Vec<String> = removed.iter().map(|s| s.to_string()).collect();
    apk.write(replaced, added, &removed, None, WriteOptions::default()).unwrap()
}

fn find<'a>(list: &'a [Found], name: &str) -> &'a Found {
    list.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn dex_files_end_at_the_first_gap() {
    let dex = open(zip(&full_apk(26, 34))).dex_files().unwrap();
    assert_eq!(
        dex.loaded.iter().map(|d| d.name.as_str()).collect::<Vec<_>>(),
        ["classes.dex", "classes2.dex"]
    );
    assert_eq!(dex.loaded[1].bytes, crate::support::dex(2, 3000));
    assert_eq!(dex.ignored, ["classes4.dex"]);
}

#[test]
fn untouched_entries_keep_bytes_time_attributes_and_extra_fields() {
    let old = zip(&full_apk(26, 34));
    let apk = open(old.clone());
    let written = write(&apk, &[new("classes.dex", &dex(9, 777))], &[], &[]);
    let (before, after) = (list(&old), list(&written.bytes));
    for b in
        before.iter().filter(|b| after.iter().any(|a| a.name == b.name) && b.name != "classes.dex")
    {
        let a = find(&after, &b.name);
        assert_eq!(
            (&a.raw, a.method, a.time, a.external),
            (&b.raw, b.method, b.time, b.external),
            "{}",
            b.name
        );
        assert_eq!(a.central_extra, b.central_extra);
        assert_eq!(a.flags & 8, 0, "the data descriptor is resolved");
    }
    assert!(
        find(&after, "assets/kept.bin").local_extra.starts_with(b"UT\x05\0\x01\x02\x03\x04\x05")
    );
    let kept: Vec<String> =
        names(&old).into_iter().filter(|n| names(&written.bytes).contains(n)).collect();
    assert_eq!(names(&written.bytes), kept, "order");
}

#[test]
fn old_signatures_and_profiles_are_dropped_and_reported() {
    let apk = open(zip(&full_apk(26, 34)));
    let written = write(&apk, &[new("classes.dex", &dex(9, 777))], &[], &["classes4.dex"]);
    let dropped: Vec<_> = written.dropped.iter().map(|d| (d.what.as_str(), d.reason)).collect();
    assert_eq!(
        dropped,
        [
            ("META-INF/MANIFEST.MF", DropReason::Signature),
            ("META-INF/CERT.SF", DropReason::Signature),
            ("META-INF/CERT.RSA", DropReason::Signature),
            ("assets/dexopt/baseline.prof", DropReason::BaselineProfile),
        ]
    );
    let names = names(&written.bytes);
    assert!(
        !names.iter().any(|n| n == "classes4.dex")
            && names.iter().any(|n| n.ends_with("core.version"))
    );
    let untouched = write(&apk, &[], &[], &[]);
    assert!(
        untouched.dropped.iter().all(|d| d.reason == DropReason::Signature),
        "same DEX files, same profile"
    );
}

#[test]
fn a_new_dex_follows_the_last_loaded_one_and_looks_like_it() {
    let apk = open(zip(&full_apk(26, 34)));
    let body = dex(3, 2000);
    let written = write(&apk, &[], &[new("classes3.dex", &body)], &[]);
    let after = list(&written.bytes);
    let at = after.iter().position(|f| f.name == "classes3.dex").unwrap();
    assert_eq!(after[at - 1].name, "classes2.dex");
    assert_eq!((after[at].method, after[at].time), (8, after[at - 1].time));
    assert!(
        after[at].local_at > after[at - 1].local_at && after[at].local_at < after[at + 1].local_at
    );
    assert_eq!(open(written.bytes.clone()).dex_files().unwrap().loaded[2].bytes, body);
}

/// Nothing, one byte and megabytes must inflate to what went in.
#[test]
fn deflated_data_inflates_to_what_went_in() {
    let apk = open(zip(&full_apk(26, 34)));
    for len in [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3_500_000] {
        let body = dex(5, len);
        let written = write(&apk, &[new("classes2.dex", &body)], &[], &[]);
        let after = list(&written.bytes);
        let found = find(&after, "classes2.dex");
        let mut back = Vec::new();
        let mut decoder = flate2::read::DeflateDecoder::new(found.raw.as_slice());
        std::io::Read::read_to_end(&mut decoder, &mut back).unwrap();
        assert!(found.method == 8 && back == body, "{len}");
        assert_eq!(
            decoder.total_in() as usize,
            found.raw.len(),
            "nothing is left after the stream's end"
        );
    }
}

#[test]
fn stored_dex_files_stay_stored_and_aligned() {
    let items = [
        item("AndroidManifest.xml", &manifest(26, 34)),
        item("classes.dex", &dex(1, 101)).stored(),
    ];
    let body = dex(2, 203);
    let written =
        write(&open(zip(&items)), &[new("classes.dex", &body)], &[new("classes2.dex", &body)], &[]);
    for name in ["classes.dex", "classes2.dex"] {
        let after = list(&written.bytes);
        let found = find(&after, name);
        assert_eq!((found.method, found.data_at % 4, &found.raw), (0, 0, &body), "{name}");
    }
}

#[test]
fn stored_entries_are_aligned_libraries_to_16_kib() {
    let written = write(&open(zip(&full_apk(26, 34))), &[], &[], &[]);
    for f in list(&written.bytes).iter().filter(|f| f.method == 0) {
        let align = if f.name.ends_with(".so") { 16384 } else { 4 };
        assert_eq!(f.data_at % align, 0, "{}", f.name);
    }
    let again = write(&open(written.bytes.clone()), &[], &[], &[]);
    assert_eq!(again.bytes, written.bytes, "padding is made anew, not piled up");
}

#[test]
fn compressed_resources_become_stored_only_for_android_11_and_later() {
    for (target, method) in [(29, 8), (30, 0)] {
        let items =
            [item("AndroidManifest.xml", &manifest(26, target)), item("resources.arsc", &[5; 600])];
        let after = list(&write(&open(zip(&items)), &[], &[], &[]).bytes);
        let found = find(&after, "resources.arsc");
        assert_eq!(found.method, method, "target SDK {target}");
        assert!(method == 8 || found.raw == [5; 600] && found.data_at.is_multiple_of(4));
    }
}

#[test]
fn central_and_physical_order_are_kept_apart() {
    let items = [
        item("AndroidManifest.xml", &manifest(26, 34)),
        item("a", b"1"),
        item("classes.dex", &dex(1, 50)),
    ];
    let bytes = zip_with_order(&items, &[2, 0, 1], b"a comment");
    let written = write(&open(bytes), &[new("classes.dex", &dex(2, 60))], &[], &[]);
    assert_eq!(names(&written.bytes), ["classes.dex", "AndroidManifest.xml", "a"]);
    let mut physical = list(&written.bytes);
    physical.sort_by_key(|f| f.local_at);
    let physical: Vec<&str> = physical.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(physical, ["AndroidManifest.xml", "a", "classes.dex"]);
    assert!(written.bytes.ends_with(b"a comment"));
}

#[test]
fn a_jar_stays_a_jar_and_keeps_its_manifest() {
    let items =
        [item("META-INF/MANIFEST.MF", b"Main-Class: X\r\n"), item("classes.dex", &dex(1, 50))];
    let apk = open(zip(&items));
    assert_eq!((apk.container(), apk.manifest()), (Container::Jar, None));
    let written = write(&apk, &[new("classes.dex", &dex(2, 60))], &[], &[]);
    assert_eq!(names(&written.bytes), ["META-INF/MANIFEST.MF", "classes.dex"]);
}

#[test]
fn a_single_dex_goes_in_and_out() {
    let apk = open(dex(1, 200));
    assert_eq!(apk.container(), Container::Dex);
    assert_eq!(apk.dex_files().unwrap().loaded[0].bytes, dex(1, 200));
    assert_eq!(write(&apk, &[new("classes.dex", &dex(2, 60))], &[], &[]).bytes, dex(2, 60));
    let more = apk.write(&[], &[new("classes2.dex", b"")], &[], None, WriteOptions::default());
    assert!(matches!(more.unwrap_err().fault, Fault::SingleDex));
}

#[test]
fn names_that_do_not_fit_are_refused() {
    let apk = open(zip(&full_apk(26, 34)));
    let fault = |replaced: &[NewEntry], added: &[NewEntry], removed: &[String]| {
        apk.write(replaced, added, removed, None, WriteOptions::default()).unwrap_err().fault
    };
    assert!(matches!(fault(&[new("classes9.dex", b"")], &[], &[]), Fault::NoSuchEntry { .. }));
    assert!(matches!(fault(&[], &[new("classes.dex", b"")], &[]), Fault::Exists { .. }));
    assert!(matches!(fault(&[], &[], &["nothing".into()]), Fault::NoSuchEntry { .. }));
    let twice = [new("classes9.dex", b""), new("classes9.dex", b"")];
    assert!(matches!(fault(&[], &twice, &[]), Fault::Duplicate { .. }));
}

/// Real packages, of the fixture apps and of the folder that `PATHLIGHT_CORPUS` names: unchanged
/// entries keep their bytes, two runs agree.
#[test]
fn entries_of_real_packages_keep_their_bytes() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../android-fixtures");
    for app in ["tether", "notes", "kernels"] {
        keep_their_bytes(Path::new(&format!("{fixtures}/{app}/prebuilt")));
    }
    if let Some(folder) = std::env::var_os("PATHLIGHT_CORPUS") {
        keep_their_bytes(Path::new(&folder));
    }
}

fn keep_their_bytes(folder: &Path) {
    let mut seen = 0;
    for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if path.extension().is_none_or(|e| e != "apk") {
            continue;
        }
        let old = std::fs::read(&path).unwrap();
        let apk = Apk::read(&path).unwrap();
        if apk.manifest().is_some_and(|m| m.split_name().is_some()) {
            continue;
        }
        let dex = apk.dex_files().unwrap();
        let replaced: Vec<_> = dex.loaded.iter().map(|d| new(&d.name, &d.bytes)).collect();
        let written = write(&apk, &replaced, &[], &[]);
        assert_eq!(open(written.bytes.clone()).dex_files().unwrap(), dex, "{path:?}");
        assert_eq!(written.bytes, write(&apk, &replaced, &[], &[]).bytes, "{path:?}");
        let after = list(&written.bytes);
        let mut compared = 0;
        for b in
            list(&old).iter().filter(|b| !b.name.ends_with(".dex") && b.name != "resources.arsc")
        {
            let Some(a) = after.iter().find(|a| a.name == b.name) else { continue };
            assert_eq!(
                (&a.raw, a.time, a.method),
                (&b.raw, b.time, b.method),
                "{path:?} {}",
                b.name
            );
            compared += 1;
        }
        assert!(compared + 30 > after.len(), "{path:?}: {compared} of {}", after.len());
        seen += 1;
    }
    assert!(seen > 0, "no APK in {}", folder.display());
}

/// Android reads neither: obfuscators set the bit for encryption on plain entries, and nothing of
/// a package is unpacked under such a name.
#[test]
fn plain_entries_marked_as_encrypted_and_names_that_climb_are_copied() {
    let mut items = [item("classes.dex", &dex(1, 60)), item("../up.txt", b"up").stored()];
    items.iter_mut().for_each(|item| item.flags = 1);
    let old = zip(&items);
    let apk = open(old.clone());
    assert_eq!(apk.dex_files().unwrap().loaded[0].bytes, dex(1, 60));
    let written = write(&apk, &[], &[], &[]).bytes;
    for (before, after) in list(&old).iter().zip(list(&written)) {
        assert_eq!((&before.name, &before.raw), (&after.name, &after.raw));
        let local_flags = u16_at(&written, after.local_at + 6);
        assert_eq!((before.flags & 1, after.flags & 1, local_flags & 1), (1, 0, 0));
    }
}

#[test]
fn an_entry_that_must_be_stored_is_reported_with_its_sizes() {
    let mut items = full_apk(26, 30);
    items.retain(|item| item.name != "resources.arsc");
    items.push(item("resources.arsc", &[3; 4000]));
    let apk = open(zip(&items));
    let compressed = find(&list(apk.bytes()), "resources.arsc").raw.len() as u32;
    let unpacked = write(&apk, &[], &[], &[]).unpacked;
    let want = Unpacked { name: "resources.arsc".into(), compressed, stored: 4000 };
    assert_eq!(unpacked, [want]);
    assert_eq!(write(&open(zip(&full_apk(26, 29))), &[], &[], &[]).unpacked, []);
}
