//! Logs that are read twice: once for their index, once for their payloads.

use std::path::PathBuf;

use model::trace::{FileHeader, TraceFile, encode_logcat, write_trace};
use tempfile::TempDir;

use super::tests::{BUILD, file_header, head, identity};
use super::*;

/// A folder with inputs.
struct Inputs {
    folder: TempDir,
}

impl Inputs {
    fn new(files: &[(&str, Vec<u8>)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        files
            .iter()
            .for_each(|(name, bytes)| std::fs::write(folder.path().join(name), bytes).unwrap());
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn collector(&self, names: &[&str]) -> Collector {
        let mut c = Collector::new(Some(BUILD));
        names.iter().for_each(|name| c.add_file(name, &self.path(name)).unwrap());
        c
    }
}

fn header(pid: u32) -> FileHeader {
    FileHeader { identity: identity(pid, 1000), ..file_header() }
}

/// A file of two threads, the second of which is still written to.
fn trace_of(pid: u32) -> Vec<u8> {
    let name = [b"\x02t".as_slice(), &[b'a' + pid as u8 % 26]].concat();
    let slabs = [
        (head(1, 0, true), &name[..]),
        (head(1, 1, true), b"BBBB"),
        (head(2, 0, false), b"\x01bXX"),
    ];
    write_trace(&header(pid), slabs)
}

/// The same process in lines, and what it wrote later.
fn lines_of(pid: u32) -> Vec<u8> {
    let line = |sequence, payload| {
        encode_logcat(&identity(pid, 1000), &head(1, sequence, true), payload) + "\n"
    };
    (line(1, b"BBBB") + &line(2, b"CCCCCC")).into_bytes()
}

/// Without the order and the ways in which the inputs came.
fn content(set: LogSet) -> (Vec<Process>, u64, u64) {
    assert_eq!(set.problems, []);
    (
        set.processes.into_iter().map(|p| Process { sources: vec![], ..p }).collect(),
        set.slabs,
        set.duplicates,
    )
}

#[test]
fn files_streams_and_any_order_give_the_same() {
    let names = ["a.plt", "b.plt", "a.log", "b.log", "again.plt"];
    let bytes = [trace_of(1), trace_of(2), lines_of(1), lines_of(2), trace_of(1)];
    let inputs = Inputs::new(&names.into_iter().zip(bytes.clone()).collect::<Vec<_>>());
    let mut reference = Collector::new(Some(BUILD));
    names.iter().zip(&bytes).for_each(|(name, bytes)| reference.add(name, &bytes[..]).unwrap());
    let reference = content(reference.finish());
    let first = &reference.0[0].threads;
    assert_eq!(
        first.iter().map(|t| &t.segments[0].bytes[..]).collect::<Vec<_>>(),
        [&b"\x02tbBBBBCCCCCC"[..], b"\x01bXX"]
    );
    assert_eq!((reference.0.len(), reference.1, reference.2), (2, 8, 5));
    for turn in 0..names.len() {
        for streams in [0b00000, 0b10101, 0b01010, 0b11111] {
            for held_limit in [0, 5, 1000] {
                let mut c = Collector::new(Some(BUILD));
                c.held_limit = held_limit;
                for i in (0..names.len()).map(|i| (3 * i + turn) % names.len()) {
                    if streams & 1 << i != 0 {
                        c.add(names[i], &bytes[i][..]).unwrap();
                    } else {
                        c.add_file(names[i], &inputs.path(names[i])).unwrap();
                    }
                }
                assert_eq!(
                    content(c.finish()),
                    reference,
                    "turn {turn}, streams {streams:b}, {held_limit} slabs held"
                );
            }
        }
    }
}

/// Of many processes most have their index in the temporary file.
#[test]
fn memory_holds_the_index_of_few_slabs() {
    let mut c = Collector::new(Some(BUILD));
    c.held_limit = 10;
    for pid in 0..100 {
        c.add("log", &trace_of(pid)[..]).unwrap();
        assert!(c.held() <= 10 + 3, "{} slabs after process {pid}", c.held());
    }
    let (set, processes) = c.finish_each();
    assert_eq!((&set.problems[..], set.slabs, processes.len()), (&[][..], 300, 100));
    for (pid, process) in (0..).zip(processes) {
        let process = process.unwrap();
        let name = format!("t{}", char::from(b'a' + pid as u8 % 26));
        assert_eq!((process.pid, process.threads[0].name.as_deref()), (pid, Some(&name[..])));
    }
}

/// The problems of a process are the same wherever its index is.
#[test]
fn what_is_wrong_with_a_process_is_told_before_it_is_read() {
    let bad = write_trace(
        &header(1),
        [(head(1, 0, true), &b"\x09short"[..]), (head(2, 0, true), b"\x01b")],
    );
    for held_limit in [0, 100] {
        let mut c = Collector::new(Some(BUILD));
        c.held_limit = held_limit;
        c.add("bad", &bad[..]).unwrap();
        c.add("good", &trace_of(2)[..]).unwrap();
        let (set, _) = c.finish_each();
        let kinds: Vec<_> = set.problems.into_iter().map(|p| p.kind).collect();
        assert_eq!(kinds, [ProblemKind::ThreadName { pid: 1, thread: 1 }]);
    }
}

/// Every process but the changed one is as it was.
#[test]
fn a_file_that_was_changed_in_between_is_named() {
    type Change = fn(&PathBuf);
    let changes: [(&str, Change); 4] = [
        ("b.plt, byte 300: the file was changed while it was being read", |path| {
            let mut bytes = std::fs::read(path).unwrap();
            bytes[128 * 2 + 46] ^= 1;
            std::fs::write(path, bytes).unwrap();
        }),
        ("b.plt, byte 172: the file was changed while it was being read", |path| {
            std::fs::OpenOptions::new().write(true).open(path).unwrap().set_len(173).unwrap();
        }),
        ("b.plt: No such file or directory (os error 2)", |path| {
            std::fs::remove_file(path).unwrap()
        }),
        ("b.plt, byte 0: the file was changed while it was being read", |path| {
            std::fs::remove_file(path).unwrap();
            std::fs::create_dir(path).unwrap();
        }),
    ];
    for (message, change) in changes {
        let inputs =
            Inputs::new(&[("a.plt", trace_of(1)), ("b.plt", trace_of(2)), ("c.plt", trace_of(3))]);
        let mut c = inputs.collector(&["a.plt", "b.plt", "c.plt"]);
        c.close_files();
        change(&inputs.path("b.plt"));
        let (set, processes) = c.finish_each();
        assert_eq!(set.problems, []);
        let got: Vec<_> = processes.map(|p| p.map(|p| p.pid).map_err(|e| e.to_string())).collect();
        assert_eq!(got, [Ok(1), Err(message.to_owned()), Ok(3)]);
    }
}

/// Facts about the file also hold for a copy of it.
#[test]
fn a_file_that_was_replaced_by_a_copy_is_read() {
    let inputs = Inputs::new(&[("a.plt", trace_of(1)), ("copy", trace_of(1))]);
    let mut c = inputs.collector(&["a.plt"]);
    c.close_files();
    std::fs::rename(inputs.path("copy"), inputs.path("a.plt")).unwrap();
    assert_eq!(c.finish().problems, []);
}

/// A copy that was made while the app wrote is compared with the other one, of which only the
/// digest is held.
#[test]
fn a_changed_file_is_named_when_another_input_is_compared_with_it() {
    let early = write_trace(&header(1), [(head(1, 0, false), &b"\x01aAA"[..])]);
    let late = write_trace(&header(1), [(head(1, 0, true), &b"\x01aAABB"[..])]);
    let inputs = Inputs::new(&[("late", late.clone()), ("early", early)]);
    let mut c = inputs.collector(&["late"]);
    let mut bytes = late;
    bytes[128 + 45] ^= 1;
    std::fs::write(inputs.path("late"), bytes).unwrap();
    let error = c.add_file("early", &inputs.path("early")).unwrap_err();
    assert_eq!(error.to_string(), "late, byte 172: the file was changed while it was being read");
}

#[test]
fn a_process_that_cannot_be_read_again_is_a_problem() {
    let inputs = Inputs::new(&[("a.plt", trace_of(1))]);
    let mut c = inputs.collector(&["a.plt"]);
    c.close_files();
    std::fs::write(inputs.path("a.plt"), [0; 1000]).unwrap();
    let set = c.finish();
    assert_eq!(set.processes, []);
    assert_eq!(
        set.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["a.plt: process 1 is left out: a.plt, byte 172: \
             the file was changed while it was being read"]
    );
}

#[test]
fn few_files_are_open_at_a_time() {
    let names: Vec<String> = (0..50).map(|n| format!("{n}.plt")).collect();
    let inputs = Inputs::new(
        &names.iter().zip(0..).map(|(n, pid)| (&n[..], trace_of(pid))).collect::<Vec<_>>(),
    );
    let c = inputs.collector(&names.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(c.open_files() <= 8, "{} files are open", c.open_files());
    assert_eq!(c.finish().processes.len(), 50);
}

/// Slabs and headers across the pieces that are read at a time: the same slabs as from the whole
/// bytes.
#[test]
fn large_files_are_read_like_small_ones() {
    let payload: Vec<u8> = (0..60_000u32).map(|n| ((n * n) >> 5) as u8).collect();
    let big = FileHeader { slab_size: 50_000, ..header(1) };
    let slabs = (0..60).map(|n| (head(1, n, true), &payload[..49_000 + n as usize]));
    let one = write_trace(&big, slabs);
    let two = trace_of(2);
    let mib = 1 << 20;
    for cut in [
        one.len(),
        2 * mib - 300,
        2 * mib - 70,
        2 * mib - 2,
        2 * mib,
        2 * mib + 1,
        2 * mib + 50_000,
    ] {
        let joined = [&one[..cut], &two].concat();
        let inputs = Inputs::new(&[("joined", joined)]);
        let set = inputs.collector(&["joined"]).finish();
        let whole: Vec<_> = TraceFile::parse(&one[..cut]).unwrap().slabs().collect();
        let whole: Vec<_> = whole.iter().filter_map(|s| s.as_ref().ok()).collect();
        assert!(whole.len() >= 40);
        let bytes: Vec<u8> = whole.iter().flat_map(|s| s.payload.to_vec()).collect();
        let [first, second] = &set.processes[..] else {
            panic!("cut at {cut}: {:?}", set.problems)
        };
        assert!(first.threads[0].segments[0].bytes == bytes, "cut at {cut}");
        assert_eq!(second.threads.len(), 2, "cut at {cut}");
    }
}
