//! App bundles: modules, each with a manifest as a message and its DEX files.

use apk::{Apk, AppSet, Container, DropReason, Fault, NewEntry, Signer, WriteOptions};

use crate::support::{Item, dex, item, names, zip};

/// A field of a message that holds bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let (low, high) = (bytes.len() as u8 & 127, (bytes.len() >> 7) as u8);
    [&[number << 3 | 2, low | 128, high], bytes].concat()
}

/// `XmlElement` of aapt2's Resources.proto, with attributes of the framework by name.
fn element(name: &str, attributes: &[(&str, &str)], children: &[Vec<u8>]) -> Vec<u8> {
    let mut out = field(3, name.as_bytes());
    for (name, value) in attributes {
        let namespace = if matches!(*name, "package" | "split") { "" } else { "android" };
        let attribute = [(1, namespace), (2, name), (3, value)];
        let attribute = attribute.map(|(n, text)| field(n, text.as_bytes())).concat();
        out.extend(field(4, &attribute));
    }
    children.iter().for_each(|child| out.extend(field(5, &field(1, child))));
    out
}

fn manifest(split: &[(&str, &str)], activity: &str) -> Vec<u8> {
    let sdk = element("uses-sdk", &[("minSdkVersion", "21")], &[]);
    let activity = element("activity", &[("name", activity)], &[]);
    let application = element("application", &[], &[activity]);
    let attributes = [&[("package", "a.b")], split].concat();
    field(1, &element("manifest", &attributes, &[sdk, application]))
}

fn bundle() -> Vec<Item> {
    vec![
        item("BundleConfig.pb", b"config"),
        item("BUNDLE-METADATA/com.android.tools.build.profiles/baseline.prof", b"old code"),
        item("META-INF/UPLOAD.SF", b"old"),
        item("a/dex/classes.dex", &dex(3, 80)),
        item("a/manifest/AndroidManifest.xml", &manifest(&[("split", "a")], ".InFeature")),
        item("base/dex/classes.dex", &dex(1, 60)),
        item("base/dex/classes2.dex", &dex(2, 70)),
        item("base/dex/classes4.dex", &dex(4, 90)),
        item("base/manifest/AndroidManifest.xml", &manifest(&[], ".InBase")),
    ]
}

#[test]
fn the_base_comes_first_and_components_of_all_modules_are_the_apps() {
    let bundle = Apk::from_bytes("app.aab", zip(&bundle())).unwrap();
    assert_eq!(bundle.container(), Container::Bundle);
    let manifest = bundle.manifest().unwrap();
    assert_eq!((manifest.package.as_str(), manifest.min_sdk), ("a.b", Some(21)));
    let classes: Vec<_> = manifest.components.iter().map(|c| &*c.class).collect();
    assert_eq!(classes, ["a.b.InBase", "a.b.InFeature"]);
    let dex = bundle.dex_files().unwrap();
    let loaded: Vec<_> = dex.loaded.iter().map(|d| &*d.name).collect();
    assert_eq!(loaded, ["base/dex/classes.dex", "base/dex/classes2.dex", "a/dex/classes.dex"]);
    assert_eq!(dex.ignored, ["base/dex/classes4.dex"]);
    assert_eq!(bundle.new_dex_name(1), "base/dex/classes3.dex");
}

#[test]
fn new_dex_files_go_into_the_first_module_with_code() {
    let mut items = bundle();
    items.retain(|item| !item.name.starts_with("base/dex/"));
    let bundle = Apk::from_bytes("app.aab", zip(&items)).unwrap();
    assert_eq!(bundle.new_dex_name(1), "a/dex/classes2.dex");
}

#[test]
fn a_bundle_is_signed_by_v1_alone_and_loses_what_tells_of_the_old_code() {
    let bundle = Apk::from_bytes("app.aab", zip(&bundle())).unwrap();
    let new = |name: &str| NewEntry { name: name.into(), bytes: dex(9, 99) };
    let key = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/keys/keytool17.p12");
    let signer = Signer::from_pkcs12(key, "secret1", None).unwrap();
    let (replaced, added) = ([new("a/dex/classes.dex")], [new("base/dex/classes3.dex")]);
    let written =
        bundle.write(&replaced, &added, &[], Some(&signer), WriteOptions::default()).unwrap();
    let schemes = written.signed.unwrap();
    assert_eq!((schemes.v1, schemes.v2, schemes.v3), (true, false, false));
    let reasons: Vec<_> = written.dropped.iter().map(|d| d.reason).collect();
    assert_eq!(reasons, [DropReason::BaselineProfile, DropReason::Signature]);
    let found = names(&written.bytes);
    let want = [
        "BundleConfig.pb",
        "a/dex/classes.dex",
        "a/manifest/AndroidManifest.xml",
        "base/dex/classes.dex",
        "base/dex/classes2.dex",
        "base/dex/classes3.dex",
        "base/dex/classes4.dex",
        "base/manifest/AndroidManifest.xml",
    ];
    assert_eq!(found[..8], want);
    assert_eq!(found.len(), 8 + 3, "and three files of a signature");
}

#[test]
fn a_bundle_is_no_apk_of_a_split_app() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.aab", "b.aab"].map(|name| folder.path().join(name));
    paths.iter().for_each(|path| std::fs::write(path, zip(&bundle())).unwrap());
    assert!(matches!(AppSet::read(&paths).unwrap_err().fault, Fault::NotOfSet));
    assert_eq!(AppSet::read(&paths[..1]).unwrap().packages().len(), 1);
}

#[test]
fn a_damaged_manifest_is_told_with_its_place() {
    let mut items = bundle();
    let last = items.len() - 1;
    items[last] = item("base/manifest/AndroidManifest.xml", &[10, 200, 1, 0]);
    let error = Apk::from_bytes("app.aab", zip(&items)).unwrap_err().to_string();
    assert!(error.contains("app.aab: AndroidManifest.xml at 0x3: a field does not fit"), "{error}");
}

#[test]
fn no_damage_to_a_manifest_ends_the_program() {
    let manifest = manifest(&[("split", "a")], ".Main");
    for at in 0..manifest.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff, manifest[at] ^ 8] {
            let mut damaged = manifest.clone();
            damaged[at] = value;
            let items = [
                item("base/manifest/AndroidManifest.xml", &damaged),
                item("base/dex/classes.dex", &dex(1, 60)),
            ];
            if let Ok(bundle) = Apk::from_bytes("app.aab", zip(&items)) {
                assert!(!bundle.manifest().unwrap().package.is_empty());
            }
        }
    }
}
