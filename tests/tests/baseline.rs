//! The baseline profile of an app follows its methods into the rewritten DEX files. The profile of
//! `tether` was written by tests/oracles/baseline.py.

use std::collections::{BTreeMap, BTreeSet};

use apk::{Apk, AppSet, DropReason, NewEntry, WriteOptions};
use artprofile::{ArtProfile, Metadata, MethodFlags};
use decoder::log::Collector;
use decoder::replay::{LoopRounds, PathEvent, PathSink, Program};
use decoder::session::decode_thread;
use decoder::train::{Counter, count_thread};
use dex::Dex;
use instrumenter::app::{AppReport, instrument_app};
use instrumenter::{Baseline, Clones, Options, RecordingOptions, Warning};
use model::map::{Map, MethodId};

const PROFILE: &str = "assets/dexopt/baseline.prof";
const METADATA: &str = "assets/dexopt/baseline.profm";
const TETHER: &str = "../android-fixtures/tether/prebuilt/tether.apk";
const PROFILE_BYTES: &[u8] = include_bytes!("../oracles/baseline/tether.prof");
const METADATA_BYTES: &[u8] = include_bytes!("../oracles/baseline/tether.profm");

fn entry(name: &str, bytes: &[u8]) -> NewEntry {
    NewEntry { name: name.to_owned(), bytes: bytes.to_vec() }
}

/// `tether` with these entries.
fn with(entries: &[NewEntry]) -> Vec<u8> {
    let apk = Apk::read(TETHER).expect("reads");
    apk.write(&[], entries, &[], None, WriteOptions::default()).expect("writes").bytes
}

fn tether() -> Vec<u8> {
    with(&[entry(PROFILE, PROFILE_BYTES), entry(METADATA, METADATA_BYTES)])
}

fn instrument(apk: &[u8], options: &Options) -> (Apk, AppReport) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("app.apk");
    std::fs::write(&file, apk).expect("writes");
    let set = AppSet::read(&[file]).expect("reads");
    let mut out =
        instrument_app(&set, options, WriteOptions::default(), || Ok(None)).expect("instruments");
    (Apk::from_bytes("beta.apk", out.files.remove(0)).expect("reads"), out.report)
}

/// Flags by method, and the classes, by names.
type Rules = (BTreeMap<String, MethodFlags>, BTreeSet<String>);

/// The rules of a package's profile; fails unless it names the package's DEX files.
fn rules(apk: &Apk) -> Rules {
    let files = apk.baseline_files().expect("reads").expect("a profile");
    let profile = ArtProfile::read(&files.profile.bytes).expect("reads");
    let metadata = Metadata::read(&files.metadata.expect("metadata").bytes).expect("reads");
    let keys: BTreeSet<_> = metadata.dex_files.iter().map(|dex| &dex.key).collect();
    assert_eq!(keys, profile.dex_files.iter().map(|dex| &dex.key).collect());
    let (mut methods, mut classes) = Rules::default();
    let loaded = apk.dex_files().expect("reads").loaded;
    for rules in &profile.dex_files {
        let file = loaded.iter().find(|file| file.name == rules.key).expect("a DEX file");
        assert_eq!(rules.checksum, crc32fast::hash(&file.bytes), "{}", rules.key);
        let dex = Dex::read(&file.bytes).expect("reads");
        assert_eq!(rules.method_ids as usize, dex.methods.len());
        let of_metadata = metadata.dex_files.iter().find(|m| m.key == rules.key).expect("is there");
        assert_eq!(of_metadata.type_ids as usize, dex.types.len());
        let defined = of_metadata.definitions.iter().map(|&n| dex.classes[usize::from(n)].ty);
        let defined: BTreeSet<_> = defined.map(|ty| dex.type_name(ty).into_owned()).collect();
        let own = rules.classes.iter().map(|&ty| dex.type_name(usize::from(ty).into()));
        let own: BTreeSet<_> = own.map(|name| name.into_owned()).collect();
        assert_eq!(own, defined, "classes of the profile and of its metadata");
        classes.extend(own);
        for (&method, &flags) in &rules.methods {
            methods.insert(dex.method_name(usize::from(method).into()), flags);
        }
    }
    (methods, classes)
}

fn is_runtime(name: &str) -> bool {
    name.starts_with("Lpathlight/b")
}

#[test]
fn every_rule_follows_its_method() {
    let old = tether();
    let (methods, classes) = rules(&Apk::from_bytes("app.apk", old.clone()).expect("reads"));
    assert_eq!((methods.len(), classes.len()), (107, 17));
    let (apk, report) = instrument(&old, &Options::default());
    let (mut new_methods, mut new_classes) = rules(&apk);
    let before = new_methods.len() + new_classes.len();
    new_methods.retain(|method, _| !is_runtime(method));
    new_classes.retain(|class| !is_runtime(class));
    assert_eq!((new_methods, new_classes), (methods, classes));
    let report = report.baseline.expect("a profile");
    assert_eq!((report.profiles, report.rules, report.carried), (1, 124, 124));
    assert_eq!((report.added, report.lost), (before - 124, Vec::new()));
}

#[test]
fn probes_are_hot_and_of_the_start() {
    let (methods, classes) = rules(&instrument(&tether(), &Options::default()).0);
    let enter = methods.iter().find(|(name, _)| name.contains("/Probes;->enter(I)"));
    assert_eq!(enter.expect("is there").1, &MethodFlags::all());
    let open = methods.iter().find(|(name, _)| name.contains("/Sink;->"));
    assert_eq!(open.expect("is there").1, &MethodFlags::STARTUP);
    assert!(classes.iter().any(|name| name.ends_with("/State;") && is_runtime(name)));
}

#[test]
fn a_clone_has_the_flags_of_its_original() {
    let options = Options { clones: Clones::All, ..Options::default() };
    let (methods, _) = rules(&instrument(&tether(), &options).0);
    let mut clones = 0;
    for (name, flags) in methods.iter().filter(|(name, _)| !is_runtime(name)) {
        let Some((head, tail)) = name.split_once("Lpathlight/b") else { continue };
        let (_, result) = tail.split_once("/State;").expect("the state");
        assert_eq!(methods.get(&format!("{head}{result}")), Some(flags), "{name}");
        clones += 1;
    }
    assert!(clones > 0);
}

/// Methods that a path enters.
struct Entered<'a>(&'a Map, BTreeSet<String>);

impl PathSink for Entered<'_> {
    fn event(&mut self, event: PathEvent<'_>) {
        if let PathEvent::Enter { method: MethodId(method), .. } = event {
            self.1.insert(self.0.method_key(&self.0.methods[method as usize - 1]));
        }
    }

    fn rounds(&mut self, _: LoopRounds<'_>) {}
}

/// Methods and classes that the decoded sessions show get rules, and no others.
#[test]
fn what_ran_in_the_sessions_of_the_model_is_hot() {
    const RECORDED: &str = "cli/recorded";
    let map = std::fs::read(format!("{RECORDED}/app.plmap")).expect("reads");
    let map = Map::from_bytes(&map).expect("a map");
    let program = Program::new(&map);
    let mut collector = Collector::new(Some(map.build));
    for session in 1..=6 {
        for file in std::fs::read_dir(format!("{RECORDED}/sessions/{session}")).expect("reads") {
            let path = file.expect("reads").path();
            collector.add_file(&path.display().to_string(), &path).expect("a log");
        }
    }
    let (mut counter, mut entered) = (Counter::new(&program), Entered(&map, BTreeSet::new()));
    for thread in collector.finish().processes.iter().flat_map(|process| &process.threads) {
        count_thread(&program, thread, &mut counter);
        decode_thread(&program, thread, &mut entered);
    }
    let old = tether();
    let (old_methods, old_classes) =
        rules(&Apk::from_bytes("app.apk", old.clone()).expect("reads"));
    let options =
        Options { model: Some(counter.counted(6)), clones: Clones::Never, ..Options::default() };
    let (apk, report) = instrument(&old, &options);
    let (mut methods, mut classes) = rules(&apk);
    methods.retain(|method, _| !is_runtime(method));
    classes.retain(|class| !is_runtime(class));
    let (hot, others): (Vec<_>, Vec<_>) = methods.iter().partition(|m| entered.1.contains(m.0));
    let cold: Vec<_> = entered.1.iter().filter(|m| !methods.contains_key(*m)).collect();
    assert!(cold.is_empty(), "{cold:#?}");
    assert!(hot.iter().all(|(_, flags)| **flags == MethodFlags::all()), "{hot:?}");
    // Its call ran, but the initialiser of its class threw.
    let called = "Lorg/example/tether/Commands$Broken;->table()I";
    let new = others.iter().filter(|(method, flags)| old_methods.get(*method) != Some(flags));
    assert_eq!(new.map(|m| m.0.as_str()).collect::<Vec<_>>(), [called]);
    entered.1.insert(called.to_owned());
    let class_of = |method: &String| method.split("->").next().expect("a class").to_owned();
    let wanted: BTreeSet<_> = entered.1.iter().map(class_of).chain(old_classes.clone()).collect();
    assert_eq!(classes, wanted);
    let new = (methods.len() - old_methods.len()) + (classes.len() - old_classes.len());
    assert!(new > 20, "{new}");
    assert_eq!(report.baseline.expect("a profile").of_model, new);
}

#[test]
fn a_reassembled_app_keeps_its_rules_alone() {
    let old = tether();
    let options = Options { recording: RecordingOptions::Reassemble, ..Options::default() };
    let (apk, report) = instrument(&old, &options);
    assert_eq!(rules(&apk), rules(&Apk::from_bytes("app.apk", old).expect("reads")));
    assert_eq!(report.baseline.map(|b| (b.carried, b.added)), Some((124, 0)));
}

#[test]
fn a_profile_is_dropped_on_demand() {
    let options = Options { baseline: Baseline::Drop, ..Options::default() };
    let (apk, report) = instrument(&tether(), &options);
    assert_eq!(apk.baseline_files().expect("reads"), None);
    assert!(report.baseline.is_none());
    let dropped: Vec<_> = report.dropped.iter().map(|d| (&*d.what, d.reason)).collect();
    let reason = DropReason::BaselineProfile;
    assert_eq!(dropped[..2], [(PROFILE, reason), (METADATA, reason)]);
}

#[test]
fn an_app_without_a_profile_has_none_afterwards() {
    let (apk, report) = instrument(&with(&[]), &Options::default());
    assert_eq!(apk.baseline_files().expect("reads"), None);
    assert!(report.baseline.is_none());
}

/// A profile that cannot be read does not fail the job.
#[test]
fn a_damaged_profile_is_left_out_with_a_warning() {
    let damaged = with(&[entry(PROFILE, &PROFILE_BYTES[..40]), entry(METADATA, METADATA_BYTES)]);
    let (apk, report) = instrument(&damaged, &Options::default());
    assert_eq!(apk.baseline_files().expect("reads"), None);
    let warning = |w: &Warning| matches!(w, Warning::BaselineProfile { .. });
    assert!(report.code.warnings.iter().any(warning), "{:?}", report.code.warnings);
}

/// Devices ignore a profile whose checksums are of another build, so no rule of it can be carried.
#[test]
fn rules_of_another_build_are_lost_and_named() {
    let mut profile = ArtProfile::read(PROFILE_BYTES).expect("reads");
    profile.dex_files[0].checksum ^= 1;
    let bytes = profile.write().expect("writes");
    let (_, report) = instrument(&with(&[entry(PROFILE, &bytes)]), &Options::default());
    let report = report.baseline.expect("a profile");
    assert_eq!((report.rules, report.carried, report.lost.len()), (124, 0, 124));
}

/// A field of a Protocol Buffers message that holds bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, bytes.len() as u8], bytes].concat()
}

/// The manifest of a module of a bundle, as aapt2's Resources.proto has it.
fn manifest(split: Option<&str>) -> Vec<u8> {
    let attribute = |name: &str, value: &str| {
        field(4, &[field(2, name.as_bytes()), field(3, value.as_bytes())].concat())
    };
    let split = split.map(|split| attribute("split", split)).unwrap_or_default();
    let element = [field(3, b"manifest"), attribute("package", "a.b"), split].concat();
    field(1, &element)
}

/// A DEX file with a class that has a method with a branch.
fn dex_of(class: &str) -> Vec<u8> {
    let text = format!(
        "\
.class public {class}
.super Ljava/lang/Object;
.method public static run(I)V
.code registers=1 ins=1 outs=0
    if-eqz p0, :out
    invoke-static {{}}, Lq/Lib;->a()V
:out
    return-void
.end method
"
    );
    let mut dex = Dex::new(dex::Version(35));
    dex::text::parse_classes(&text, &mut dex).expect("parses");
    dex.write().expect("writes")
}

/// The profile of a bundle names the DEX files of the base module, and new ones.
#[test]
fn the_profile_of_a_bundle_is_that_of_its_base() {
    const PROFILE: &str = "BUNDLE-METADATA/com.android.tools.build.profiles/baseline.prof";
    let (base, feature) = (dex_of("La/Base;"), dex_of("La/Feature;"));
    let dex = Dex::read(&base).expect("reads");
    let is_run = |n: &usize| dex.method_name((*n).into()) == "La/Base;->run(I)V";
    let run = (0..dex.methods.len()).find(is_run).expect("is there");
    let rules = artprofile::DexRules {
        key: "classes.dex".into(),
        checksum: crc32fast::hash(&base),
        method_ids: dex.methods.len() as u32,
        methods: BTreeMap::from([(run as u16, MethodFlags::HOT)]),
        ..artprofile::DexRules::default()
    };
    let profile = ArtProfile {
        version: artprofile::ProfileVersion::P,
        dex_files: vec![rules],
        extra_descriptors: Vec::new(),
        inline_caches: 0,
    };
    let profile = profile.write().expect("writes");
    let bundle = tests::zip::stored(&[
        ("BundleConfig.pb", b"config"),
        (PROFILE, &profile),
        ("base/dex/classes.dex", &base),
        ("base/manifest/AndroidManifest.xml", &manifest(None)),
        ("maps/dex/classes.dex", &feature),
        ("maps/manifest/AndroidManifest.xml", &manifest(Some("maps"))),
    ]);
    let (bundle, report) = instrument(&bundle, &Options::default());
    let report = report.baseline.expect("a profile");
    assert_eq!((report.rules, report.carried), (1, 1));
    let files = bundle.baseline_files().expect("reads").expect("a profile");
    assert_eq!((&*files.profile.name, files.metadata), (PROFILE, None));
    let profile = ArtProfile::read(&files.profile.bytes).expect("reads");
    for rules in &profile.dex_files {
        let name = format!("base/dex/{}", rules.key);
        let loaded = bundle.dex_files().expect("reads").loaded;
        let file = loaded.iter().find(|file| file.name == name).expect("of the base");
        assert_eq!(rules.checksum, crc32fast::hash(&file.bytes));
        assert!(!rules.is_empty(), "{name}");
    }
}
