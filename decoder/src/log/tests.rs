use model::trace::{
    FileHeader, Identity, SlabDamage, SlabHeader, Sync, encode_logcat, write_trace,
};

use super::*;
use crate::Damage;

// Slabs 0, 1 and 3 of thread 1, process 1234 "org.example", build 00…0f, started at
// 1,700,000,000,123 ms, made by another program (Python's struct, zlib and base64) from protocol
// §7. Payloads: "\x04mainHELLO"; "WORLD!!" with a sync point at 2; "later" with one at 0.
const A: &str = "\
    PL2 AAECAwQFBgcICQoLDA0ODwAABNIAAAGLz+VoewECAwQFBgcIC29yZy5leGFtcGxlU0xBQgAAAAEA\
    AAAAAAAAAP//AAEAAAAAAAAAAAAAAAAAAAAK0Ubo4ARtYWluSEVMTE8";
const B: &str = "\
    PL2 AAECAwQFBgcICQoLDA0ODwAABNIAAAGLz+VoewECAwQFBgcIC29yZy5leGFtcGxlU0xBQgAAAAEA\
    AAABAAAAAQACAAEAAAAKAAAAFAAAAB4AAAAH4OodUFdPUkxEISE";
const D: &str = "\
    PL2 AAECAwQFBgcICQoLDA0ODwAABNIAAAGLz+VoewECAwQFBgcIC29yZy5leGFtcGxlU0xBQgAAAAEA\
    AAADAAAAAgAAAAEAAAAoAAAAMgAAADwAAAAFPXKAjmxhdGVy";

pub(super) const BUILD: BuildId = BuildId([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);

fn text(input: &[u8]) -> LogSet {
    let mut c = Collector::new(Some(BUILD));
    c.add("log", input).unwrap();
    c.finish()
}

fn assert_whole(set: &LogSet) {
    assert_eq!(set.problems, []);
    let [process] = &set.processes[..] else { panic!("{set:?}") };
    assert_eq!((process.build_id, process.pid, process.start_ms), (BUILD, 1234, 1_700_000_000_123));
    assert_eq!(process.name, "org.example");
    let [thread] = &process.threads[..] else { panic!("{set:?}") };
    assert_eq!((thread.number, thread.name.as_deref()), (1, Some("main")));
    assert_eq!(thread.gaps, [Gap { from: 2, to: 3, by_design: false }]);
    let [first, second] = &thread.segments[..] else { panic!("{thread:?}") };
    assert_eq!(first.bytes, b"\x04mainHELLOWORLD!!");
    assert_eq!(first.start, SegmentStart::Beginning { offset: 5 });
    assert_eq!(first.syncs, [SyncPoint { offset: 12, progress: 10, last_top: 20, time: 30 }]);
    assert_eq!((first.first, first.slabs, first.complete), (0, 2, true));
    assert_eq!(second.bytes, b"later");
    assert_eq!(
        second.start,
        SegmentStart::Sync(SyncPoint { offset: 0, progress: 40, last_top: 50, time: 60 })
    );
}

/// Every output format of `adb logcat -v`, as its documentation shows them, among lines of others.
#[test]
fn every_logcat_format() {
    type Format = fn(&str) -> String;
    let formats: [(&str, Format); 14] = [
        ("brief", |m| {
            format!("D/HeadsetStateMachine( 1557): Disconnected\nI/Pathlight( 1234): {m}\n")
        }),
        ("process", |m| {
            format!("D( 1557) Disconnected  (HeadsetStateMachine)\nI( 1234) {m}  (Pathlight)\n")
        }),
        ("tag", |m| format!("D/HeadsetStateMachine: PL2\nI/Pathlight: {m}\n")),
        ("raw", |m| format!("Disconnected process message: 10\n{m}\n")),
        ("time", |m| {
            format!("--------- beginning of main\n11-21 00:16:10.123 I/Pathlight( 1234): {m}\n")
        }),
        ("threadtime", |m| {
            format!(
                "11-21 00:16:10.123  1234  1250 I Pathlight: {m}\n\
                 11-21 00:16:10.124  1 1 W Other   : PL2 no\n"
            )
        }),
        ("long", |m| {
            format!(
                "[ 11-21 00:16:10.123  1234: 1250 I/Pathlight ]\n{m}\n\n\
                 [ 11-21 00:16:10.123     1:    1 E/x ]\nPL2\n\n"
            )
        }),
        ("threadtime year", |m| format!("2026-11-21 00:16:10.123  1234  1250 I Pathlight: {m}\n")),
        ("threadtime epoch", |m| format!("      1795220170.123  1234  1250 I Pathlight: {m}\n")),
        ("threadtime UTC year usec zone", |m| {
            format!("2026-11-21 00:16:10.123456 +0000  1234  1250 I Pathlight: {m}\n")
        }),
        ("monotonic uid", |m| format!("   1207.123 10123  1234  1250 I Pathlight: {m}\n")),
        ("brief color", |m| format!("\x1b[38;5;40mI/Pathlight( 1234): {m}\x1b[0m\n")),
        ("raw color", |m| format!("\x1b[38;5;40m{m}\x1b[0m\n")),
        ("printable", |m| {
            format!(
                "11-21 00:16:10.123  1234  1250 I Pathlight: {m}\n\
                 11-21 00:16:10.124  1234  1250 I a: \\t\\xC3\n"
            )
        }),
    ];
    for (name, format) in formats {
        let log = format!("{}{}{}", format(A), format(B), format(D));
        println!("{name}");
        assert_whole(&text(log.as_bytes()));
        assert_whole(&text(log.replace('\n', "\r\n").as_bytes()));
        assert_whole(&text(log.trim_end().as_bytes()));
    }
}

#[test]
fn utf16_text_is_read() {
    let log = format!(
        "\u{feff}I/Pathlight( 1234): {A}\r\nI/Pathlight( 1234): {B}\r\nI/Pathlight( 1234): {D}\r\n"
    );
    let (le, be): (Vec<u8>, Vec<u8>) = (
        log.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        log.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    );
    assert_whole(&text(&le));
    assert_whole(&text(&be));
}

#[test]
fn the_first_slab_shows_that_its_thread_ran_before() {
    for late in [false, true] {
        let first = SlabHeader { late, ..head(1, 0, true) };
        let set = files(&[&write_trace(
            &file_header(),
            [(first, &b"\x01aAA"[..]), (head(1, 1, false), b"BB")],
        )]);
        assert_eq!(set.processes[0].threads[0].late, late);
    }
}

/// A thread that has no record at all is recorded only by slabs that were begun later; the last one
/// counts.
#[test]
fn the_last_slab_decides_if_threads_have_no_record() {
    for (flags, reported) in [([true, false], false), ([false, true], true)] {
        let slabs = [0, 1].map(|i| {
            let head = SlabHeader { order: i, unrecorded: flags[i as usize], ..head(1, i, i == 0) };
            (head, &b"\x01aAA"[..])
        });
        let set = files(&[&write_trace(&file_header(), slabs)]);
        let unrecorded = |p: &Problem| matches!(p.kind, ProblemKind::Unrecorded { .. });
        assert_eq!(set.problems.iter().any(unrecorded), reported, "{:?}", set.problems);
    }
}

#[test]
fn order_and_repetition_do_not_matter() {
    let set = text(format!("{D}\n{B}\n{D}\n{A}\n{B}\n").as_bytes());
    assert_whole(&set);
    assert_eq!((set.slabs, set.duplicates, set.lines), (3, 2, 5));
    let mut c = Collector::new(None);
    c.add("late", D.as_bytes()).unwrap();
    c.add("early", format!("{A}\n{B}").as_bytes()).unwrap();
    assert_whole(&c.finish());
}

#[test]
fn a_lost_beginning_is_a_gap_and_the_segment_begins_at_a_sync_point() {
    let set = text(B.as_bytes());
    let thread = &set.processes[0].threads[0];
    assert_eq!(
        (thread.name.as_deref(), &thread.gaps[..]),
        (None, &[Gap { from: 0, to: 1, by_design: true }][..])
    );
    assert_eq!(
        thread.segments[0].start,
        SegmentStart::Sync(SyncPoint { offset: 2, progress: 10, last_top: 20, time: 30 })
    );
    assert_eq!(set.problems, []);
}

#[test]
fn a_cut_line_is_reported_with_its_number_and_not_used() {
    let set = text(
        format!("I/x( 1): y\nI/Pathlight( 1234): {}\nI/Pathlight( 1234): {A}\n", &B[..B.len() - 3])
            .as_bytes(),
    );
    let [problem] = &set.problems[..] else { panic!("{set:?}") };
    assert_eq!((problem.source.as_str(), problem.place), ("log", InputPlace::Line(2)));
    assert!(matches!(
        problem.kind,
        ProblemKind::Text(DamagedSlab { damage: SlabDamage::Cut { claimed: 7, have: 5 }, .. })
    ));
    assert_eq!(set.slabs, 1);
}

/// A changed process id was another process, with this one's path.
#[test]
fn any_changed_character_of_a_line_is_noticed() {
    for at in 4..A.len() {
        let mut line = A.as_bytes().to_vec();
        line[at] = if line[at] == b'x' { b'y' } else { b'x' };
        let set = text(&line);
        assert_eq!((set.problems.len(), set.processes.len()), (1, 0), "character {at}");
    }
}

#[test]
fn lines_of_an_older_version_are_named() {
    let old = "PL1 AAECAwQFBgcICQoLDA0ODwAABNJTTEFCAAAAAQAAAAAAAAAA//8AAQAAAAAAAAAAAA\
        AAAAAAAAo6ItyvBG1haW5IRUxMTw";
    let set =
        text(format!("I/Pathlight( 1234): {old}\nI/Other( 1): PL1 is here\n{old}\n").as_bytes());
    assert_eq!(
        set.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["log: 2 lines of trace format version 1; this program knows versions 2 to 3"]
    );
    assert!(set.processes.is_empty());
}

#[test]
fn another_build_is_named_and_not_mixed_in() {
    let mut c = Collector::new(Some(BuildId([0xEE; 16])));
    c.add("old.txt", format!("{A}\n{B}\n").as_bytes()).unwrap();
    let set = c.finish();
    assert!(set.processes.is_empty());
    let text = set.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(
        text,
        format!(
            "old.txt: 2 slabs of build 000102030405060708090a0b0c0d0e0f, not of build {}",
            "ee".repeat(16)
        )
    );
}

pub(super) fn file_header() -> FileHeader {
    let refused = Some(Refused::default());
    FileHeader { slab_size: 128, refused, identity: identity(5, 1000), table: None }
}

pub(super) fn identity(pid: u32, start_ms: u64) -> Identity {
    Identity { build: BUILD, start_ms, pid, instance: 7, boot_ns: 0, process: "app".into() }
}

pub(super) fn head(thread: u32, sequence: u32, closed: bool) -> SlabHeader {
    let sync =
        (sequence > 0).then_some(Sync { offset: 1, progress: sequence, last_top: 1, time: 1 });
    SlabHeader {
        thread,
        sequence,
        order: 0,
        shift: 0,
        sync,
        clock: 0,
        closed,
        late: false,
        unrecorded: false,
        ring: false,
    }
}

fn files(inputs: &[&[u8]]) -> LogSet {
    let mut c = Collector::new(Some(BUILD));
    inputs.iter().enumerate().for_each(|(i, bytes)| c.add(&format!("file{i}"), *bytes).unwrap());
    c.finish()
}

#[test]
fn threads_of_a_file_are_kept_apart_and_the_open_slab_counts() {
    let file = write_trace(
        &file_header(),
        [
            (head(1, 0, true), &b"\x01aAA"[..]),
            (head(2, 0, true), b"\x01bXX"),
            (head(2, 1, false), b"YY"),
            (head(1, 1, true), b"BB"),
        ],
    );
    let set = files(&[&file]);
    assert_eq!(set.problems, []);
    let process = &set.processes[0];
    assert_eq!((process.name.as_str(), process.start_ms, process.pid), ("app", 1000, 5));
    let got: Vec<_> = process
        .threads
        .iter()
        .map(|t| (t.name.as_deref(), &t.segments[0].bytes[..], t.segments[0].complete))
        .collect();
    assert_eq!(got, [(Some("a"), &b"\x01aAABB"[..], true), (Some("b"), &b"\x01bXXYY"[..], false)]);
}

/// Killed before the first slab: a process of this build all the same.
#[test]
fn a_process_that_committed_nothing_is_there() {
    let set = files(&[&write_trace(&file_header(), [])]);
    let [process] = &set.processes[..] else { panic!("{set:?}") };
    assert_eq!((process.pid, process.name.as_str(), process.threads.len()), (5, "app", 0));
    assert_eq!(
        set.problems[0].to_string(),
        "file0: it has no record: its process ended before it wrote one"
    );
}

/// Killed between the beginning of a slab and its first byte.
#[test]
fn a_slab_without_a_byte_is_no_damage() {
    let set = files(&[&write_trace(&file_header(), [(head(1, 0, false), &b""[..])])]);
    assert_eq!(set.problems, []);
    assert_eq!(set.processes[0].threads[0].name, None);
    let cut = files(&[&write_trace(&file_header(), [(head(1, 0, false), &b"\x04ma"[..])])]);
    assert!(matches!(cut.problems[0].kind, ProblemKind::ThreadName { pid: 5, thread: 1 }));
}

/// `cat a.plt b.plt`: the same as both files, also when the first was cut at any byte after its
/// header.
#[test]
fn joined_files_are_read_like_single_ones() {
    let one = write_trace(
        &file_header(),
        [(head(1, 0, true), &b"\x01aAA"[..]), (head(2, 0, false), b"\x01bXX")],
    );
    let other = FileHeader { identity: identity(6, 2000), ..file_header() };
    let two =
        write_trace(&other, [(head(1, 0, true), &b"\x01aBB"[..]), (head(1, 1, false), b"CC")]);
    let same_process = write_trace(
        &file_header(),
        [(head(1, 0, true), &b"\x01aAA"[..]), (head(1, 1, true), b"CC")],
    );
    for second in [&two, &same_process] {
        for cut in 68..=one.len() {
            let joined = files(&[&[&one[..cut], &second[..]].concat()]);
            let apart = files(&[&one[..cut], second]);
            let same = |set: &LogSet| {
                set.processes
                    .iter()
                    .map(|p| Process { sources: vec![], ..p.clone() })
                    .collect::<Vec<_>>()
            };
            assert_eq!(same(&joined), same(&apart), "cut at {cut}");
            assert_eq!(
                joined.problems.len(),
                apart.problems.len(),
                "cut at {cut}: {:?}",
                joined.problems
            );
        }
    }
    assert_eq!(files(&[&[&one[..], &two].concat()]).problems, []);
    // Problems of the second one name their place in the joined file.
    let mut bad = two.clone();
    bad[128 + 41] ^= 1;
    let text = files(&[&[&one[..], &bad].concat()]).problems[0].to_string();
    assert!(
        text.starts_with(&format!("file0, byte {0}: slab at byte {0}: ", one.len() + 128)),
        "{text}"
    );
}

/// Header bytes inside a payload begin no file, unless they name this very build.
#[test]
fn a_payload_that_holds_a_header_is_a_payload() {
    let stranger = FileHeader {
        slab_size: 256,
        identity: Identity { build: BuildId([7; 16]), ..identity(5, 1000) },
        ..file_header()
    };
    let payload = [b"\x01a", &stranger.to_bytes()[..]].concat();
    let set = files(&[&write_trace(
        &FileHeader { slab_size: 256, ..file_header() },
        [(head(1, 0, true), &payload[..])],
    )]);
    assert_eq!(set.problems, []);
    assert_eq!(set.processes[0].threads[0].segments[0].bytes, payload);
}

#[test]
fn two_copies_of_a_growing_file_are_one() {
    let early = write_trace(&file_header(), [(head(1, 0, false), &b"\x01aAA"[..])]);
    let late = write_trace(
        &file_header(),
        [(head(1, 0, true), &b"\x01aAABB"[..]), (head(1, 1, false), b"CC")],
    );
    for inputs in [[&early[..], &late], [&late, &early]] {
        let set = files(&inputs);
        assert_eq!(set.problems, []);
        assert_eq!(set.processes[0].threads[0].segments[0].bytes, b"\x01aAABBCC");
    }
}

/// Two phones: one of them lost half of its slabs to the other, and had its threads printed as its
/// own.
#[test]
fn inputs_that_disagree_are_two_processes() {
    let one = write_trace(
        &file_header(),
        [(head(1, 0, true), &b"\x01aAA"[..]), (head(2, 0, true), b"\x01bBB")],
    );
    let two = write_trace(
        &file_header(),
        [(head(1, 0, true), &b"\x01aAB"[..]), (head(3, 0, true), b"\x01cCC")],
    );
    let more = write_trace(
        &file_header(),
        [(head(1, 0, true), &b"\x01aAB"[..]), (head(1, 1, true), b"DD")],
    );
    let set = files(&[&one, &two, &more, &one]);
    let threads =
        |p: &Process| p.threads.iter().map(|t| t.segments[0].bytes.clone()).collect::<Vec<_>>();
    let [first, second] = &set.processes[..] else { panic!("{set:?}") };
    assert_eq!(threads(first), [b"\x01aAA", b"\x01bBB"]);
    assert_eq!(threads(second), [&b"\x01aABDD"[..], b"\x01cCC"]);
    assert_eq!(
        (&first.sources[..], &second.sources[..]),
        (&["file0", "file3"].map(String::from)[..], &["file1", "file2"].map(String::from)[..])
    );
    assert_eq!((set.slabs, set.duplicates), (5, 3));
    assert_eq!(
        set.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["file1: process 5 differs from the process of the same name, \
             start and number in other inputs"]
    );
}

/// Logcat of two phones, in one text: only the start distinguishes them.
#[test]
fn lines_of_one_process_id_and_two_starts_are_two_processes() {
    let line = |start, byte| {
        format!("{}\n", encode_logcat(&identity(5, start), &head(1, 0, true), &[1, b'a', byte]))
    };
    let set = text(format!("{}{}", line(1000, b'x'), line(2000, b'y')).as_bytes());
    assert_eq!(set.problems, []);
    let bytes: Vec<_> =
        set.processes.iter().map(|p| (p.start_ms, &p.threads[0].segments[0].bytes[..])).collect();
    assert_eq!(bytes, [(1000, &b"\x01ax"[..]), (2000, b"\x01ay")]);
}

/// A file and the logcat lines of the same process.
#[test]
fn a_file_and_lines_that_agree_are_one_process() {
    let file = write_trace(&file_header(), [(head(1, 0, true), &b"\x01aAA"[..])]);
    let line = encode_logcat(&identity(5, 1000), &head(1, 1, true), b"BB");
    let set = files(&[&file, line.as_bytes()]);
    assert_eq!(set.problems, []);
    assert_eq!(set.processes[0].threads[0].segments[0].bytes, b"\x01aAABB");
    assert_eq!(set.processes[0].sources, ["file0", "file1"]);
}

#[test]
fn a_conflict_within_an_input_is_reported_and_the_first_content_stays() {
    let slabs = [(head(1, 0, true), &b"\x01aAA"[..]), (head(1, 0, true), b"\x01aAB")];
    let set = files(&[&write_trace(&file_header(), slabs)]);
    assert_eq!(
        set.problems[0].to_string(),
        "file0, byte 256: process 5, thread 1: slab 0 occurs twice, with different content"
    );
    assert_eq!(set.processes[0].threads[0].segments[0].bytes, b"\x01aAA");
}

/// Otherwise the slabs of the second were taken for the first's.
#[test]
fn a_damaged_header_between_joined_files_ends_the_first() {
    let one = write_trace(&file_header(), [(head(1, 0, true), &b"\x01aAA"[..])]);
    let other = FileHeader { identity: identity(6, 2000), ..file_header() };
    let mut two = write_trace(&other, [(head(2, 0, false), &b"\x01bBB"[..])]);
    two[30] ^= 1;
    let third = FileHeader { identity: identity(7, 3000), ..file_header() };
    let three = write_trace(&third, [(head(1, 0, true), &b"\x01cCC"[..])]);
    let set = files(&[&[&one[..], &two, &three].concat()]);
    assert_eq!(
        set.processes.iter().map(|p| (p.pid, p.threads.len())).collect::<Vec<_>>(),
        [(5, 1), (7, 1)]
    );
    assert_eq!(
        set.problems[0].to_string(),
        format!("file0, byte {}: the file header's checksum does not match", one.len())
    );
}

#[test]
fn threads_that_a_full_log_refused_are_reported() {
    let refused = Refused { threads: 1906, cut: 2 };
    let header = FileHeader { refused: Some(refused), ..file_header() };
    let set = files(&[&write_trace(&header, [(head(1, 0, true), &b"\x01aAA"[..])])]);
    assert_eq!(set.processes[0].refused, refused);
    assert_eq!(
        set.problems[0].to_string(),
        "file0: process 5: the log was full; 1906 threads are not in it at all, and 2 threads are \
         cut short"
    );
}

#[test]
fn one_process_id_at_two_times_is_two_processes() {
    let one = write_trace(&file_header(), [(head(1, 0, true), &b"\x01aAA"[..])]);
    let two = write_trace(
        &FileHeader { identity: identity(5, 2000), ..file_header() },
        [(head(1, 0, true), &b"\x01aAB"[..])],
    );
    assert_eq!(
        files(&[&two, &one]).processes.iter().map(|p| p.start_ms).collect::<Vec<_>>(),
        [1000, 2000]
    );
}

/// A slab after an open slab does not continue it: the last contents of the open slab may be lost.
#[test]
fn an_open_slab_in_the_middle_ends_its_segment() {
    let file = write_trace(
        &file_header(),
        [(head(1, 0, false), &b"\x01aAA"[..]), (head(1, 1, true), b"BB")],
    );
    let set = files(&[&file]);
    let thread = &set.processes[0].threads[0];
    assert_eq!(thread.gaps, [Gap { from: 1, to: 1, by_design: false }]);
    assert_eq!(thread.segments.len(), 2);
}

/// A ring may keep a thread's small first slabs longer than later larger ones.
#[test]
fn in_a_ring_the_gap_behind_small_slabs_is_no_damage() {
    for (ring, first, gaps) in [(false, 3, 1), (true, 0, 0), (true, 3, 0), (true, 4, 1)] {
        let slabs = [first, 9].map(|sequence| {
            (SlabHeader { ring, order: sequence, ..head(1, sequence, true) }, &b"\x01aAA"[..])
        });
        let set = files(&[&write_trace(&file_header(), slabs)]);
        let damage = Damage::of_process(&set.processes[0]);
        assert_eq!(damage, Damage { gaps, ..Damage::NONE }, "ring {ring}, slab {first}");
    }
}

#[test]
fn a_line_without_end_does_not_fill_the_memory() {
    let mut log = vec![b'x'; 3_000_000];
    log.extend_from_slice(format!("\n{A}\n{B}\n{D}").as_bytes());
    assert_whole(&text(&log));
}

#[test]
fn digits_without_end_do_not_fill_the_memory() {
    let mut log = b"PL2 ".to_vec();
    log.resize(3_000_000, b'A');
    log.extend_from_slice(format!(" {A}\n{B}\n{D}").as_bytes());
    let set = text(&log);
    assert_eq!((set.slabs, set.problems.len(), set.damage), (3, 1, 1), "{:?}", set.problems);
}

/// However the bytes come, and whatever ends lines.
#[test]
fn all_slabs_of_a_line_are_read() {
    for between in ["\r", "\r\n", "\0", " ", "\", \"", "\\n", ", I/Pathlight( 1): "] {
        let log = [A, B, D].join(between);
        assert_whole(&text(log.as_bytes()));
        let mut c = Collector::new(Some(BUILD));
        c.add_text("log", std::io::BufReader::with_capacity(1, log.as_bytes())).unwrap();
        assert_whole(&c.finish());
    }
}

#[test]
fn a_damaged_slab_before_a_sound_one_is_reported_with_its_place() {
    let cut = &A[..A.len() - 9];
    for (log, place) in [
        (format!("I/x: y\rI/Pathlight: {cut}\rI/Pathlight: {B}\r"), InputPlace::Line(2)),
        (format!("[\"{cut}\", \"{B}\"]"), InputPlace::Line(1)),
        (format!("[\"{B}\", \"{cut}\"]"), InputPlace::Byte(B.len() as u64 + 6)),
        (format!("\x04Pathlight\0{cut}\0\x04Pathlight\0{B}\0"), InputPlace::Byte(11)),
        (format!("I( 1) {B} (Pathlight)\nI( 1) PL3 AA (Pathlight)\n"), InputPlace::Line(2)),
        // Without its mark, or with a changed one.
        (format!("I/Pathlight: {}\nI/Pathlight: {B}\n", &A[4..]), InputPlace::Line(1)),
        (format!("I/Pathlight: PL1 {}\nI/Pathlight: {B}\n", &A[4..]), InputPlace::Line(1)),
        (format!("I/Pathlight: PL2A{}\nI/Pathlight: {B}\n", &A[4..]), InputPlace::Line(1)),
    ] {
        let set = text(log.as_bytes());
        let [problem] = &set.problems[..] else { panic!("{log}: {set:?}") };
        assert_eq!((problem.place, set.slabs, set.damage), (place, 1, 1), "{log}");
    }
}

#[test]
fn words_of_other_apps_are_no_damage() {
    for line in
        ["I/Other: PL3 is here", "{\"msg\": \"PL2 no\"}", "I/Pathlight: PL0 PL3", "SIMPL3 A"]
    {
        let set = text(format!("{line}\n{A}\n").as_bytes());
        assert_eq!((&set.problems[..], set.slabs), (&[][..], 1), "{line}");
    }
}

/// Ten thousand random corruptions of a text and of a file: no panic, and nothing that was not
/// written passes as a closed slab.
#[test]
fn corrupted_inputs_never_panic_and_never_invent_content() {
    let slabs: Vec<(SlabHeader, Vec<u8>)> = (0..6)
        .map(|i| (head(1 + i % 2, i / 2, true), vec![b'a' + i as u8; 20 + i as usize]))
        .collect();
    let file = write_trace(&file_header(), slabs.iter().map(|(h, p)| (*h, &p[..])));
    let log: String = slabs
        .iter()
        .map(|(h, p)| format!("I/Pathlight( 5): {}\n", encode_logcat(&identity(5, 1000), h, p)))
        .collect();
    let mut seed = 1u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) as usize) % n
    };
    for round in 0..10_000 {
        let mut bytes = if round % 2 == 0 { file.clone() } else { log.clone().into_bytes() };
        for _ in 0..=random(8) {
            let at = random(bytes.len());
            match random(4) {
                0 => bytes[at] ^= 1 << random(8),
                1 => bytes[at] = random(256) as u8,
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, random(256) as u8),
            }
        }
        bytes.truncate(1 + random(2 * bytes.len()));
        let mut c = Collector::new(None);
        c.add("fuzz", &bytes[..]).unwrap();
        for thread in c.finish().processes.iter().flat_map(|p| &p.threads) {
            for segment in thread.segments.iter().filter(|s| s.slabs == 1 && s.complete) {
                assert!(slabs.iter().any(|(_, p)| *p == segment.bytes), "{segment:?}");
            }
        }
    }
}

/// Each of 400,000 marks was once a reason to look through the whole line.
#[test]
fn lines_full_of_marks_are_read_in_time() {
    let began = std::time::Instant::now();
    let line = [b" PL2 ".repeat(26_000), b"\n".to_vec()].concat();
    let set = text(&line.repeat(16));
    assert_eq!((set.lines, set.processes.len()), (16, 0));
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
}
