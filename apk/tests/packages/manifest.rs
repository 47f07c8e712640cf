//! The binary manifest.

use apk::{Apk, ComponentKind, Fault, Manifest};

use crate::support::*;

fn read(xml: Vec<u8>) -> Result<Manifest, Fault> {
    let bytes = zip(&[item("AndroidManifest.xml", &xml)]);
    Apk::from_bytes("m.apk", bytes).map(|apk| apk.manifest().unwrap().clone()).map_err(|e| e.fault)
}

fn filter(action: &'static str, category: &'static str) -> El {
    let part = |tag, name| El(tag, vec![Attr::Text(NAME, name)], vec![]);
    El("intent-filter", vec![], vec![part("action", action), part("category", category)])
}

fn launcher() -> El {
    filter("android.intent.action.MAIN", "android.intent.category.LAUNCHER")
}

fn sample() -> El {
    let component = |tag, name, more: Vec<Attr>, inside| {
        El(tag, [Attr::Text(NAME, name)].into_iter().chain(more).collect(), inside)
    };
    let other = filter("android.intent.action.VIEW", "android.intent.category.LAUNCHER");
    let application = El(
        "application",
        vec![Attr::Text(NAME, ".App"), Attr::Text(PROCESS, ":main")],
        vec![
            component("activity", ".Off", vec![Attr::Bool(ENABLED, false)], vec![launcher()]),
            component("activity", "Bare", vec![Attr::Bool(EXPORTED, true)], vec![other]),
            El("activity", vec![], vec![launcher()]),
            component(
                "activity-alias",
                ".Alias",
                vec![Attr::Text(TARGET_ACTIVITY, ".Real")],
                vec![launcher()],
            ),
            component("service", "x.y.Service", vec![Attr::Text(PROCESS, ":bg")], vec![]),
            component("receiver", ".R", vec![Attr::Text(PROCESS, "glob.al")], vec![]),
            El("provider", vec![Attr::Named("name", ".P")], vec![]),
            component("meta-data", "x", vec![], vec![]),
        ],
    );
    let sdk = El("uses-sdk", vec![Attr::Int(MIN_SDK, 19), Attr::Int(TARGET_SDK, 33)], vec![]);
    let test = El("instrumentation", vec![Attr::Text(NAME, ".Test")], vec![]);
    El(
        "manifest",
        vec![Attr::Plain("package", "a.b"), Attr::Plain("split", "s")],
        vec![sdk, test, application],
    )
}

#[test]
fn names_are_expanded_as_android_does() {
    for utf8 in [true, false] {
        let m = read(axml(&sample(), utf8)).unwrap();
        assert_eq!((m.package.as_str(), m.split.as_deref()), ("a.b", Some("s")));
        assert_eq!((m.min_sdk, m.target_sdk), (Some(19), Some(33)));
        assert_eq!((m.application.as_deref(), m.process.as_str()), (Some("a.b.App"), "a.b:main"));
        assert_eq!(m.instrumentations[0].class, "a.b.Test");
        use ComponentKind::*;
        let found: Vec<_> =
            m.components.iter().map(|c| (c.kind, c.class.as_str(), c.process.as_str())).collect();
        assert_eq!(
            found,
            [
                (Activity, "a.b.Off", "a.b:main"),
                (Activity, "a.b.Bare", "a.b:main"),
                (ActivityAlias, "a.b.Alias", "a.b:main"),
                (Service, "x.y.Service", "a.b:bg"),
                (Receiver, "a.b.R", "glob.al"),
                (Provider, "a.b.P", "a.b:main"),
            ]
        );
        assert_eq!((m.components[0].enabled, m.components[1].exported), (Some(false), Some(true)));
    }
}

#[test]
fn the_launcher_is_the_first_enabled_one_and_an_alias_stands_for_its_activity() {
    let m = read(axml(&sample(), true)).unwrap();
    assert_eq!(m.launcher(), Some("a.b.Real"));
    assert!(
        !m.components[1].launcher,
        "VIEW is not MAIN, and a nameless activity's filter is not its neighbour's"
    );
}

/// A manifest element without anything inside.
fn bare(attrs: Vec<Attr>) -> Manifest {
    let package = Attr::Plain("package", "a.b");
    read(axml(&El("manifest", std::iter::once(package).chain(attrs).collect(), vec![]), true))
        .unwrap()
}

#[test]
fn a_split_has_a_name_and_a_base_has_none() {
    assert_eq!(bare(vec![Attr::Plain("split", "maps")]).split_name(), Some("maps"));
    assert_eq!(bare(vec![Attr::Plain("configForSplit", "")]).split_name(), Some("configuration"));
    let both = vec![Attr::Plain("split", "maps.config.de"), Attr::Plain("configForSplit", "maps")];
    assert_eq!(bare(both).split_name(), Some("maps.config.de"));
    assert_eq!(bare(vec![Attr::Plain("split", "")]).split_name(), None);
}

#[test]
fn a_base_says_that_it_needs_splits_in_either_way() {
    assert!(bare(vec![Attr::Bool(IS_SPLIT_REQUIRED, true)]).needs_splits);
    assert!(bare(vec![Attr::Text(REQUIRED_SPLIT_TYPES, "base__abi")]).needs_splits);
    let not = vec![Attr::Bool(IS_SPLIT_REQUIRED, false), Attr::Text(REQUIRED_SPLIT_TYPES, "")];
    assert!(!bare(not).needs_splits);
}

/// 60 million characters out of half a megabyte, unless text is rationed.
#[test]
fn many_references_to_one_long_string_are_refused() {
    let long: &'static str = "x".repeat(20_000).leak();
    let with = |attr| El("activity", vec![attr], vec![]);
    let sample = |repeats: usize| {
        let again = std::iter::repeat_with(|| with(Attr::Again(NAME))).take(repeats);
        let all = std::iter::once(with(Attr::Text(NAME, long))).chain(again).collect();
        El("manifest", vec![Attr::Plain("package", "a.b")], vec![El("application", vec![], all)])
    };
    assert_eq!(read(axml(&sample(3), false)).unwrap().components[3].class.len(), 20_004);
    let error = read(axml(&sample(3000), false)).unwrap_err();
    assert!(matches!(error, Fault::Manifest { reason, .. } if reason.contains("text")));
}

#[test]
fn every_cut_of_a_manifest_is_an_error_not_a_panic() {
    let whole = axml(&sample(), true);
    for len in 0..whole.len() {
        assert!(matches!(read(whole[..len].to_vec()), Err(Fault::Manifest { .. })), "cut at {len}");
    }
    assert!(read(b"<manifest package='a'/>".to_vec()).is_err());
}

/// As Android: what follows the root element is not looked at, inside its chunk or not.
#[test]
fn bytes_after_the_root_element_are_not_read() {
    let plain = axml(&sample(), true);
    for more in [&[0; 12][..], b"\xff\xff\xff\xff\xff\xff\xff\xff"] {
        let mut padded = [&plain[..], more].concat();
        assert_eq!(read(padded.clone()).unwrap(), read(plain.clone()).unwrap());
        let size = padded.len() as u32;
        padded[4..8].copy_from_slice(&size.to_le_bytes());
        assert_eq!(read(padded).unwrap(), read(plain.clone()).unwrap());
    }
}

#[test]
fn a_code_name_stands_for_the_level_of_its_release() {
    let with = |min_sdk, target_sdk| {
        let attrs = vec![Attr::Text(MIN_SDK, min_sdk), Attr::Text(TARGET_SDK, target_sdk)];
        let sdk = El("uses-sdk", attrs, vec![]);
        let root = El("manifest", vec![Attr::Plain("package", "a.b")], vec![sdk]);
        let manifest = read(axml(&root, true)).unwrap();
        (manifest.min_sdk, manifest.target_sdk)
    };
    assert_eq!(with("S", "UpsideDownCake"), (Some(31), Some(34)));
    assert_eq!(with("21", "Tiramisu.0a1b2c"), (Some(21), Some(33)));
}

#[test]
fn a_shared_user_id_is_read() {
    let shared = bare(vec![Attr::Text(SHARED_USER_ID, "com.example.shared")]);
    assert_eq!(shared.shared_user_id.as_deref(), Some("com.example.shared"));
    assert_eq!(bare(vec![]).shared_user_id, None);
}
