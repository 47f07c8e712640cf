//! The driver programs of `runtime/test` on HotSpot: built once, run in a folder of their own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use model::trace::{Slab, TraceFile};

/// Repository root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn java_files(dir: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    all.retain(|p| p.extension().is_some_and(|x| x == "java"));
    all.sort();
    all
}

/// All Java files below a folder.
pub fn java_below(dir: &Path) -> Vec<PathBuf> {
    let mut all = java_files(dir);
    let folders = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir());
    folders.for_each(|f| all.extend(java_below(&f)));
    all
}

/// The folder with the compiled runtime and drivers. Without a JDK the tests fail: they would prove
/// nothing.
pub fn classes() -> &'static Path {
    static BUILT: OnceLock<tempfile::TempDir> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        for tool in ["java", "javac"] {
            let runs =
                Command::new(tool).arg("-version").output().is_ok_and(|o| o.status.success());
            assert!(
                runs,
                "no {tool}: these tests need a JDK (`tests/prerequisites.sh fixtures` installs one)"
            );
        }
        let dir = tempfile::tempdir().unwrap();
        let out = Command::new("javac")
            .args(["--release", "8", "-Xlint:-options", "-implicit:none", "-sourcepath"])
            .arg(root().join("runtime/stubs"))
            .arg("-d")
            .arg(dir.path())
            .args(java_files(&root().join("runtime/src/pathlight")))
            .args(java_files(&root().join("runtime/test")))
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        dir
    });
    built.path()
}

/// A driver run that has not begun: `java … Script ARGS`, with the trace going to `dir`.
pub fn driver(classes: &Path, dir: &Path, args: &[&str]) -> Command {
    let mut c = Command::new("java");
    c.arg("-XX:+UseSerialGC")
        .arg(format!("-Dpathlight.dir={}", dir.display()))
        .arg("-cp")
        .arg(classes)
        .arg("Script")
        .args(args);
    c
}

/// Runs a driver to its end and gives what it printed.
pub fn run(mut c: Command) -> String {
    let out = c.output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(text.ends_with("done\n"), "{text}");
    text
}

/// The one trace file in a folder.
pub fn trace(dir: &Path) -> Vec<u8> {
    let files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let name = files[0].file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("pathlight-00010203-") && name.ends_with(".plt"), "{name}");
    std::fs::read(&files[0]).unwrap()
}

/// The slabs of each thread in sequence order. All must be sound, and all but a thread's last (in
/// its sequence) closed.
pub fn threads(bytes: &[u8]) -> BTreeMap<u32, Vec<Slab<'_>>> {
    let file = TraceFile::parse(bytes).unwrap();
    assert_eq!(
        file.header.identity.build.0,
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    );
    assert_eq!(file.header.identity.process, "java");
    let mut all: BTreeMap<u32, Vec<Slab<'_>>> = BTreeMap::new();
    for slab in file.slabs() {
        let slab = slab.unwrap();
        all.entry(slab.header.thread).or_default().push(slab);
    }
    for slabs in all.values_mut() {
        slabs.sort_by_key(|s| s.header.sequence);
        for pair in slabs.windows(2) {
            assert!(pair[0].header.closed, "{:?}", pair[0].header);
            assert_eq!(pair[0].header.sequence + 1, pair[1].header.sequence);
        }
    }
    all
}

/// A thread's stream without the name and the system's id before it, and that name.
pub fn stream(slabs: &[Slab<'_>]) -> (String, Vec<u8>) {
    assert_eq!(slabs[0].header.sequence, 0);
    let all: Vec<u8> = slabs.iter().flat_map(|s| s.payload).copied().collect();
    let (name, rest) = all[1..].split_at(usize::from(all[0]));
    // The system's id of the thread, 7 bits a byte.
    let id = rest.iter().position(|b| *b < 0x80).unwrap();
    let rest = &rest[id + 1..];
    (String::from_utf8(name.to_vec()).unwrap(), rest.to_vec())
}
