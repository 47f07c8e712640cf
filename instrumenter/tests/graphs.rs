//! Tests graphs and next-callback distributions of the prebuilt fixture app; `graphs_oracle.py`
//! beside this file compares the same graphs, and those of real apps, with dexdump's listing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use apk::{AppSet, Signer, WriteOptions};
use dex::{AccessFlags, ClassDef, Dex};
use instrumenter::Options;
use instrumenter::analysis::program::{DexFile, Program};
use instrumenter::app::instrument_app;
use instrumenter::graphs::{Index, export, export_app};
use model::map::Map;

fn tether() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../android-fixtures/tether/prebuilt/tether.apk")
}

fn export_to(dir: &Path, include: &[&str]) -> Index {
    let include: Vec<String> = include.iter().map(|s| s.to_string()).collect();
    export_app(&tether(), &include, dir, &|_, _| {}).unwrap()
}

fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for folder in ["", "components", "classes"] {
        for entry in std::fs::read_dir(dir.join(folder)).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() {
                let name = Path::new(folder).join(entry.file_name()).display().to_string();
                all.insert(name, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    all
}

/// The golden files were checked against the fixture's sources and dexdump's listing when they were
/// created; `BLESS=1` rewrites them.
#[test]
fn the_fixture_s_graphs_are_the_golden_ones() {
    let out = tempfile::tempdir().unwrap();
    export_to(out.path(), &[]);
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for (written, kept) in [
        ("components/activity-org.example.tether.MainActivity.json", "activity-MainActivity.json"),
        ("components/activity-org.example.tether.MainActivity.dot", "activity-MainActivity.dot"),
        ("components/service-org.example.tether.TetherService.json", "service-TetherService.json"),
        ("classes/org.example.tether.TetherService.json", "TetherService.json"),
        ("classes/org.example.tether.Filter$Chain.json", "Filter$Chain.json"),
        ("classes/org.example.tether.Filter$Chain.dot", "Filter$Chain.dot"),
    ] {
        let now = std::fs::read_to_string(out.path().join(written)).unwrap();
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(&golden).unwrap();
            std::fs::write(golden.join(kept), &now).unwrap();
        }
        let then = std::fs::read_to_string(golden.join(kept)).unwrap_or_default();
        assert!(now == then, "{kept} differs; BLESS=1 writes it anew. Now:\n{now}");
    }
}

#[test]
fn two_runs_write_the_same_files_and_the_index_names_them_all() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let index = export_to(a.path(), &[]);
    export_to(b.path(), &[]);
    let found = files(a.path());
    assert_eq!(found, files(b.path()));
    let json =
        index.components.iter().map(|c| &c.file).chain(index.classes.iter().map(|c| &c.file));
    let mut named: BTreeSet<String> =
        json.flat_map(|f| [f.clone(), f.replace(".json", ".dot")]).collect();
    named.insert("index.json".into());
    assert_eq!(found.into_keys().collect::<BTreeSet<_>>(), named);
    // Numbers of the fixture's APK according to dexdump: 214 methods with code, 189 `if`s.
    assert_eq!((index.totals.methods, index.totals.taken, index.classes.len()), (214, 189, 50));
    assert_eq!(
        index.initial.as_deref(),
        Some("Lorg/example/tether/MainActivity;->onCreate(Landroid/os/Bundle;)V")
    );
}

#[test]
fn include_chooses_classes_and_components() {
    let out = tempfile::tempdir().unwrap();
    let index = export_to(out.path(), &["org.example.tether.Tether*"]);
    let components: Vec<&str> = index.components.iter().map(|c| c.class.as_str()).collect();
    assert_eq!(
        components,
        ["Lorg/example/tether/TetherApp;", "Lorg/example/tether/TetherService;"]
    );
    assert!(!index.classes.is_empty() && index.classes.iter().all(|c| c.class.contains("/Tether")));
}

#[test]
fn hostile_class_names_stay_in_their_folders_and_in_valid_json() {
    let hostile = ["L../../../x;", "L/abs;", "L\";", "La\\\n;", "La/A;", "La/a;", "L;"];
    let mut dex = Dex::new(dex::Version(35));
    for name in hostile {
        let ty = dex.intern_type(name);
        dex.classes.push(ClassDef::new(ty, AccessFlags::PUBLIC));
    }
    let program = Program::new(vec![DexFile { name: "classes.dex".into(), dex }]);
    let written: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::default();
    let write = |path: &str, bytes: &[u8]| {
        let before = written.lock().unwrap().insert(path.to_ascii_lowercase(), bytes.to_vec());
        assert!(before.is_none(), "{path} twice");
        Ok::<(), ()>(())
    };
    export(&program, &[], "", &|_| true, &write, &|_, _| {}).unwrap();
    let written = written.into_inner().unwrap();
    assert_eq!(written.len(), 2 * hostile.len() + 1);
    for (path, bytes) in &written {
        let inside = path.strip_prefix("classes/").unwrap_or("index.json");
        assert!(
            !inside.contains(['/', '\\', '"'])
                && !inside.starts_with('.')
                && !inside.contains(".."),
            "{path}"
        );
        if path.ends_with(".json") {
            serde_json::from_slice::<serde_json::Value>(bytes)
                .unwrap_or_else(|e| panic!("{path}: {e}"));
        }
    }
}

fn map_of_tether(model: Option<model::profile::Profile>) -> Map {
    let keys = tempfile::tempdir().unwrap();
    let options = Options { model, ..Options::default() };
    let signer = || Signer::debug_in(keys.path()).map(Some);
    let out = instrument_app(
        &AppSet::read(&[tether()]).unwrap(),
        &options,
        WriteOptions::default(),
        signer,
    )
    .unwrap();
    Map::from_bytes(out.map.unwrap().as_bytes()).unwrap()
}

/// Returns the callbacks that may follow a callback, without the package.
fn after(map: &Map, last: &str) -> Vec<String> {
    let short = |m| {
        let key = map.method_key(map.method(m).unwrap());
        key.split('(')
            .next()
            .unwrap()
            .trim_start_matches("Lorg/example/tether/")
            .replace(";->", ".")
    };
    assert!(
        map.next_callbacks.windows(2).all(|w| w[0].0 < w[1].0),
        "the device uses binary search"
    );
    let slot = match last {
        "" => 0,
        last => {
            map.next_callbacks.iter().find(|(m, _)| short(*m) == last).expect("it has a slot").1.0
                as usize
        }
    };
    map.slots[slot].callees.iter().map(|&m| short(m)).collect()
}

#[test]
fn a_build_s_next_callbacks_follow_the_lifecycle() {
    let map = map_of_tether(None);
    let next = |last: &str| after(&map, last).into_iter().collect::<BTreeSet<String>>();
    let main = |all: &[&str]| {
        all.iter().map(|n| format!("MainActivity.{n}")).collect::<BTreeSet<String>>()
    };
    // After `onStop` the process may end, and the activity be created again.
    assert_eq!(
        next("MainActivity.onStop"),
        main(&["onSaveInstanceState", "onRestart", "onDestroy", "<clinit>", "<init>"])
    );
    assert_eq!(next("MainActivity.<init>"), main(&["onCreate"]));
    assert_eq!(next("MainActivity.onResume"), main(&["onPause"]));
    assert_eq!(after(&map, "TetherApp.<init>"), ["AccessProvider.<init>", "TetherApp.onCreate"]);
    assert!(after(&map, "").contains(&"TetherApp.<init>".to_owned()));
    let first = &map.slots[0].freqs;
    assert!(first.iter().max().unwrap() - first.iter().min().unwrap() <= 1, "equal at first");
}

#[test]
fn a_model_s_history_reaches_the_next_callbacks() {
    let mut model = model::profile::Profile::default();
    let (pause, click) = (
        "Lorg/example/tether/MainActivity;->onPause()V",
        "Lorg/example/tether/MainActivity;->onClick(Landroid/view/View;)V",
    );
    model.record_next_callback(click, click, 90);
    model.record_next_callback(click, pause, 10);
    let map = map_of_tether(Some(model));
    assert_eq!(
        after(&map, "MainActivity.onClick"),
        ["MainActivity.onClick", "MainActivity.onPause"]
    );
    let slot = map
        .next_callbacks
        .iter()
        .find(|(m, _)| map.method_key(map.method(*m).unwrap()) == click)
        .unwrap()
        .1;
    let freqs = &map.slots[slot.0 as usize].freqs;
    assert!(freqs[1] > 8 * freqs[2] && freqs[2] > freqs[0], "{freqs:?}");
}
