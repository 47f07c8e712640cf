//! The trace file and its folder (`runtime/test/Storage.java`), and what the runtime asks of
//! Android: `runtime/test/stubs` stands for it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use model::coder::Decoder;
use model::trace::{FileHeader, Refused, TraceFile, VERSION, parse_logcat};

use super::host::{classes, java_below, root, stream, threads};
use super::script::{DURATION, GAP, Script, checks, span};

/// The compiled stubs.
fn stubs() -> &'static Path {
    static BUILT: OnceLock<tempfile::TempDir> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let mut javac = Command::new("javac");
        javac
            .args(["-nowarn", "-d"])
            .arg(dir.path())
            .args(java_below(&root().join("runtime/test/stubs")));
        let out = javac.output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        dir
    });
    built.path()
}

/// Runs the driver where there is nothing of Android; gives what it printed.
pub fn run_bare(dir: &Path, args: &[&str]) -> String {
    run_on(classes().display().to_string(), &[&format!("-Dpathlight.dir={}", dir.display())], args)
}

/// Runs the driver with the stubs for Android; gives what it printed.
pub fn run(dir: &Path, properties: &[&str], args: &[&str]) -> String {
    run_with(&[&[&*format!("-Dpathlight.dir={}", dir.display())], properties].concat(), args)
}

/// The same; the properties set where logs go.
fn run_with(properties: &[&str], args: &[&str]) -> String {
    run_on(format!("{}:{}", classes().display(), stubs().display()), properties, args)
}

fn run_on(path: String, properties: &[&str], args: &[&str]) -> String {
    let out = Command::new("java")
        .args(["-XX:+UseSerialGC", "-Djava.security.manager=allow"])
        .args(properties)
        .args(["-cp", &path, "Storage"])
        .args(args)
        .output()
        .unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(
        out.status.success() && text.ends_with("done\n"),
        "{text}{}",
        String::from_utf8_lossy(&out.stderr)
    );
    text
}

/// The trace files of a folder, by name.
fn logs(dir: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

fn only(dir: &Path) -> Vec<u8> {
    let [file] = &logs(dir)[..] else { panic!("{:?}", logs(dir)) };
    std::fs::read(file).unwrap()
}

fn header(bytes: &[u8]) -> FileHeader {
    TraceFile::parse(bytes).unwrap().header
}

/// A slab of 1 KiB for each left 1,905 of them out of a file of 4 MiB, without a word.
#[test]
fn six_thousand_short_threads_fit_into_four_mebibytes() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &[], &["short", "6000", "CAP_BYTES=4194304"]);
    let bytes = only(dir.path());
    assert_eq!(threads(&bytes).len(), 6000);
    assert_eq!(header(&bytes).refused, Some(Refused::default()));
    assert!(bytes.len() < 1 << 20, "{}", bytes.len());
}

#[test]
fn threads_that_find_no_room_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    let text = run(dir.path(), &[], &["short", "600", "CAP_BYTES=65536"]);
    let bytes = only(dir.path());
    // 63 cells of eight.
    assert_eq!(threads(&bytes).len(), 504);
    assert_eq!(header(&bytes).refused, Some(Refused { threads: 96, cut: 0 }));
    assert_eq!(text.matches("PL0 the log is full").count(), 1, "{text}");
}

#[test]
fn threads_that_are_cut_short_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &[], &["long", "100000", "CAP_BYTES=65536"]);
    assert_eq!(header(&only(dir.path())).refused, Some(Refused { threads: 0, cut: 1 }));
}

/// Number of times that the slab size is halved, slab after slab of the first thread.
fn shifts(dir: &Path) -> Vec<i8> {
    let bytes = only(dir);
    let slabs = TraceFile::parse(&bytes).unwrap().slabs().map(|s| s.unwrap().header);
    let mut slabs: Vec<_> = slabs.filter(|h| h.thread == 1).collect();
    slabs.sort_by_key(|h| h.sequence);
    slabs.iter().map(|h| h.shift).collect()
}

/// Each slab costs a checksum and a look at the clock.
#[test]
fn a_thread_that_writes_fast_gets_larger_slabs() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &[], &["long", "100000"]);
    let shifts = shifts(dir.path());
    let first = [&[3, 3, 2, 1][..], &[0; 12]].concat();
    assert_eq!(shifts[..16], first);
    assert!(shifts[16..].iter().all(|&shift| shift == -2), "{shifts:?}");
    // Of 200,000 bytes they hold 2 · 84 + 212 + 468 + 12 · 980, then 4,052 each.
    assert_eq!(shifts.len(), 16 + 47);
}

/// The clock of a slab is the only one within a long callback.
#[test]
fn a_thread_that_writes_slowly_gets_no_larger_slabs() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &[], &["callbacks", "5000"]);
    let shifts = shifts(dir.path());
    assert!(shifts.len() > 20 && shifts.iter().all(|&shift| shift >= 0), "{shifts:?}");
}

/// It began with 1 MiB.
#[test]
fn a_file_begins_with_64_kibibytes() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &[], &["callbacks", "1"]);
    assert_eq!(only(dir.path()).len(), 65536);
}

/// They wrote into one file, over each other.
#[test]
fn class_loaders_that_begin_at_once_have_a_file_each() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &[], &["loaders", "4"]);
    let files: Vec<Vec<u8>> = logs(dir.path()).iter().map(|f| std::fs::read(f).unwrap()).collect();
    assert_eq!(files.len(), 4);
    let who: BTreeSet<_> = files.iter().map(|f| header(f).identity).collect();
    assert_eq!(who.len(), 4, "{who:?}");
    let mut seeds = BTreeSet::new();
    for bytes in &files {
        let all = threads(bytes);
        let (name, data) = stream(&all[&1]);
        let seed = name.strip_prefix("script-").unwrap().parse().unwrap();
        seeds.insert(seed);
        assert_eq!((all.len(), Script::new(seed, &data).read(3000, true)), (1, Ok(())), "{name}");
    }
    assert_eq!(seeds, BTreeSet::from([100, 101, 102, 103]));
}

/// They were kept for ever.
#[test]
fn the_oldest_logs_go_but_not_those_of_running_processes() {
    let dir = tempfile::tempdir().unwrap();
    // No process has an id above 4,194,304; this one runs.
    let here = std::process::id();
    let names = [
        format!("pathlight-aaaaaaaa-{here}-500.plt"),
        "pathlight-aaaaaaaa-4194305-1000.plt".into(),
        "pathlight-bbbbbbbb-4194306-900-2.plt".into(),
        "pathlight-bbbbbbbb-4194305-3000.plt".into(),
        "pathlight-notes.plt".into(),
        "pathlight-aaaaaaaa-4194305-100.plt.bak".into(),
    ];
    names.iter().for_each(|n| std::fs::write(dir.path().join(n), vec![0; 1_000_000]).unwrap());
    // The running process's million, 65,536 bytes of the new one, and one million more.
    run(dir.path(), &[], &["callbacks", "1", "KEEP_BYTES=2100000"]);
    let left: Vec<bool> = names.iter().map(|n| dir.path().join(n).exists()).collect();
    assert_eq!(left, [true, false, false, true, true, true]);
    assert_eq!(logs(dir.path()).len(), 5);
}

/// Recording ended there; and the app's policy is what it was, afterwards.
#[test]
fn recording_goes_on_where_strict_mode_kills_for_disk_access() {
    let dir = tempfile::tempdir().unwrap();
    let text = run(dir.path(), &[], &["strict", "1"]);
    assert!(!text.contains("allowed for ever"), "{text}");
    assert_eq!(threads(&only(dir.path())).len(), 1);
}

/// The message must name the cause, not a lack of space.
#[test]
fn an_isolated_process_reports_why_it_records_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let gone = dir.path().join("gone");
    for (uid, words) in [("99001", "isolated processes write no files"), ("10123", "no file in ")] {
        let text = run(&gone, &[&format!("-Dstub.uid={uid}")], &["callbacks", "1"]);
        assert!(text.contains(&format!("PL0 not recording: {words}")), "{text}");
    }
}

/// A folder on shared storage: Android makes the app's own, or lets the app make it.
#[test]
fn logs_go_to_the_folder_that_the_build_names_if_it_can_be_had() {
    let dir = tempfile::tempdir().unwrap();
    let (cache, shared) = (dir.path().join("cache"), dir.path().join("data/org.example/files"));
    std::fs::create_dir(&cache).unwrap();
    let temporary = format!("-Djava.io.tmpdir={}", cache.display());
    let start = |folder: &Path| {
        run_with(&[&temporary], &["callbacks", "1", &format!("FOLDER={}", folder.display())]);
    };
    // Made at first, there at the second time.
    start(&shared);
    start(&shared);
    assert_eq!((logs(&shared).len(), logs(&cache).len()), (2, 0));
    // Storage that is not there.
    std::fs::write(dir.path().join("none"), "").unwrap();
    start(&dir.path().join("none/files"));
    assert_eq!((logs(&shared).len(), logs(&cache).len()), (2, 1));
}

/// 27 bytes of it were kept: of two processes of one app both had the same name.
#[test]
fn the_name_of_the_process_is_whole() {
    let dir = tempfile::tempdir().unwrap();
    let name = "com.example.an.application.with.a.long.name:remote";
    run(dir.path(), &[&format!("-Dstub.process={name}")], &["callbacks", "1"]);
    assert_eq!(header(&only(dir.path())).identity.process, name);
}

/// Characters beyond U+FFFF are four bytes; half of a pair is U+FFFD; no name is cut within one.
#[test]
fn names_are_utf_8() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &[], &["names", "0"]);
    let bytes = only(dir.path());
    assert_eq!(header(&bytes).identity.process, "org.example.😀\u{fffd}");
    let file = TraceFile::parse(&bytes).unwrap();
    let mut slabs: Vec<_> = file.slabs().map(Result::unwrap).collect();
    slabs.sort_by_key(|slab| (slab.header.thread, slab.header.sequence));
    let threads = slabs.chunk_by(|a, b| a.header.thread == b.header.thread);
    let names: Vec<_> = threads.map(|slabs| stream(slabs).0).collect();
    let digits = "0123456789".repeat(6);
    let (fits, full, cut) =
        (format!("{}😀", &digits[..55]), format!("{}😀", &digits[..56]), &digits[..57]);
    assert_eq!(names, ["é€😀!", "a\u{fffd}", "\u{fffd}\u{fffd}b", &fits, &full, cut]);
}

/// An hour of deep sleep between two callbacks: the clock that was used stood still.
#[test]
fn time_counts_deep_sleep() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), &["-Dstub.elapsed=5000"], &["callbacks", "2"]);
    let bytes = only(dir.path());
    let (_, data) = stream(&threads(&bytes)[&1]);
    let mut d = Decoder::new(&data, 0);
    d.consume(40000, 4096).unwrap();
    assert_eq!(span(&mut d, GAP), Ok(0));
    assert_eq!(span(&mut d, DURATION), Ok(0));
    d.consume(checks(2, false)[0], 257).unwrap();
    d.flush().unwrap();
    d.consume(0, 1000).unwrap();
    assert_eq!((d.bits(17), span(&mut d, GAP)), (Ok(3), Ok(4 * 3_600_000)));
}

#[test]
fn logcat_lines_say_who_wrote_them_and_are_short_enough() {
    let dir = tempfile::tempdir().unwrap();
    let name = "n".repeat(255);
    let text = run(dir.path(), &[&format!("-Dstub.process={name}")], &["long", "20000", "SINK=1"]);
    let lines: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("Pathlight: ")).collect();
    assert!(lines.iter().all(|l| l.len() < 4000));
    let slabs: Vec<_> = lines
        .iter()
        .filter_map(|l| l.strip_prefix("PL3 "))
        .map(|l| parse_logcat(l.as_bytes(), VERSION).1.unwrap())
        .collect();
    assert!(
        slabs.len() > 3 && slabs.iter().map(|s| s.payload.len()).max() == Some(2994 - 44 - 300)
    );
    for slab in &slabs {
        assert_eq!((&slab.identity.process, slab.identity.build.0[15]), (&name, 15));
        assert_eq!(slab.identity, slabs[0].identity);
        assert!(slab.identity.start_ms > 1_700_000_000_000 && slab.identity.pid > 0);
    }
}
