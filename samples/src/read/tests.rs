//! Files written by hand after the formats' definitions, real ones, and damaged ones.

use mutation::Rng;

use super::*;

fn shown(samples: &Samples, seen: &StackSample) -> String {
    let mut names: Vec<String> = samples
        .frames(seen.call)
        .map(|n| {
            let name = &samples.names[n as usize];
            let line = name.line.map_or(String::new(), |l| format!(":{l}"));
            format!("{}.{}{line}", name.class, name.method)
        })
        .collect();
    names.reverse();
    names.join(" ")
}

fn first(samples: &Samples) -> StackSample {
    samples.seen.iter().next().expect("a sample")
}

fn read(bytes: &[u8]) -> (SampleFormat, Samples) {
    Samples::read(bytes).unwrap()
}

/// Writes fields of a message.
#[derive(Default, Clone)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    fn number(mut self, field: u64, n: u64) -> Message {
        self.varint(field << 3);
        self.varint(n);
        self
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Message {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn message(self, field: u64, message: Message) -> Message {
        self.bytes(field, &message.0)
    }
}

/// A file of one sample, whose tables follow their use.
fn simpleperf_file() -> Vec<u8> {
    let entry = |symbol: u64| Message::default().number(1, 0x40).number(2, 1).number(3, symbol);
    let sample =
        Message::default().number(1, 5_000).number(2, 77).message(3, entry(1)).message(3, entry(0));
    let file = Message::default()
        .number(1, 1)
        .bytes(2, b"/data/app/base.apk!/classes.dex")
        .bytes(3, b"org.example.Main.main")
        .bytes(3, b"void org.example.Work.run(int)");
    let thread = Message::default().number(1, 77).number(2, 70).bytes(3, b"worker");
    let lost = Message::default().number(1, 10).number(2, 3);
    let mut out = b"SIMPLEPERF\x01\x00".to_vec();
    for (field, record) in [(1, sample), (3, file), (4, thread), (2, lost)] {
        let record = Message::default().message(field, record).0;
        out.extend((record.len() as u32).to_le_bytes());
        out.extend(record);
    }
    out.extend([0; 4]);
    out
}

#[test]
fn simpleperf_tables_may_follow_their_use() {
    let (format, samples) = read(&simpleperf_file());
    assert_eq!(format, SampleFormat::Simpleperf);
    assert_eq!(shown(&samples, &first(&samples)), "org.example.Main.main org.example.Work.run");
    assert_eq!((first(&samples).ns, first(&samples).thread), (5_000, 77));
    assert_eq!((samples.threads[&77].as_str(), samples.lost, samples.cut), ("worker", 3, false));
}

fn perfetto_file() -> Vec<u8> {
    let text = |id, name: &[u8]| Message::default().number(1, id).bytes(2, name);
    let frame = |id, text, line| Message::default().number(1, id).number(2, text).number(6, line);
    let interned = |name: &[u8]| {
        Message::default()
            .message(7, Message::default().number(1, 9).bytes(2, &[1, 2]))
            .message(6, frame(1, 1, 0))
            .message(6, frame(2, 2, 31))
            .message(5, text(1, b"org.example.Main.main"))
            .message(5, text(2, name))
    };
    let sample = |tid| Message::default().number(2, 7).number(3, tid).number(4, 9);
    let packet = |sequence, ns| Message::default().number(8, ns).number(10, sequence);
    let mut trace = Message::default();
    for packet in [
        packet(1, 1).number(13, 1).message(12, interned(b"org.example.A.one")),
        packet(2, 2).number(13, 1).message(12, interned(b"org.example.B.two")),
        packet(1, 3).message(66, sample(10)),
        packet(2, 4).message(66, sample(11)),
        // The state of the first sequence is cleared: its numbers are no longer known.
        packet(1, 5).number(13, 1).message(66, sample(10)),
    ] {
        trace = trace.message(1, packet);
    }
    trace.0
}

#[test]
fn perfetto_numbers_hold_for_their_sequence_until_it_is_cleared() {
    let (format, samples) = read(&perfetto_file());
    assert_eq!(format, SampleFormat::Perfetto);
    let all: Vec<String> = samples.seen.iter().map(|s| shown(&samples, &s)).collect();
    assert_eq!(
        all,
        [
            "org.example.Main.main org.example.A.one:31",
            "org.example.Main.main org.example.B.two:31",
            ""
        ]
    );
    assert_eq!(samples.broken, 1);
}

/// A trace of these packets.
fn trace_file(packets: impl IntoIterator<Item = Message>) -> Vec<u8> {
    packets.into_iter().fold(Message::default(), |all, p| all.message(1, p)).0
}

fn trace(packets: impl IntoIterator<Item = Message>) -> Samples {
    let (format, samples) = read(&trace_file(packets));
    assert_eq!(format, SampleFormat::Perfetto);
    samples
}

/// `InternedData`: `Main.main` calls `Work.run` in stack 9; frame 3 has no name, but a file.
fn interned() -> Message {
    let pair = |id, text: &[u8]| Message::default().number(1, id).bytes(2, text);
    let frame = |id, field, n| Message::default().number(1, id).number(field, n);
    Message::default()
        .message(7, Message::default().number(1, 9).bytes(2, &[1, 2]))
        .message(6, frame(1, 2, 1))
        .message(6, frame(2, 2, 2))
        .message(6, frame(3, 3, 4))
        .message(19, Message::default().number(1, 4).number(7, 1).number(7, 2))
        .message(17, pair(1, b"lib64"))
        .message(17, pair(2, b"libhwui.so"))
        .message(5, pair(1, b"org.example.Main.main"))
        .message(5, pair(2, b"org.example.Work.run"))
        .message(2000, Message::default().number(1, 6).number(2, 70).number(3, 77))
        .message(2002, Message::default().number(1, 5).bytes(2, b"allocated").number(3, 4))
}

/// `StackSample`, in its packet, of a sequence whose numbers are known.
fn stack_sample(ns: u64, sample: Message) -> Message {
    Message::default().number(8, ns).number(10, 1).message(135, sample)
}

/// Every kind of packet that is read, but those of [`perfetto_file`].
fn stack_sample_file() -> Vec<u8> {
    let tree = Message::default()
        .message(1, Message::default().number(1, 70).bytes(3, b"org.example.app"))
        .message(2, Message::default().number(1, 77).number(3, 70));
    let track = Message::default().message(4, Message::default().number(2, 78).bytes(5, b"worker"));
    let native = Message::default().message(5, Message::default().number(2, 3)).number(10, 5);
    trace_file([
        Message::default().number(10, 1).number(41, 1).message(12, interned()),
        Message::default().message(2, tree),
        Message::default().message(60, track),
        stack_sample(1, Message::default().number(2, 6).number(6, 9)),
        stack_sample(2, Message::default().number(2, 6).number(6, 9).number(8, 1)),
        stack_sample(3, native),
    ])
}

fn all_stacks(samples: &Samples) -> Vec<(u32, String)> {
    samples.seen.iter().map(|s| (s.thread, shown(samples, &s))).collect()
}

#[test]
fn samples_of_any_profiler_name_thread_and_stack_in_line_or_by_number() {
    let known = Message::default().number(10, 1).number(13, 1).message(12, interned());
    let thread = Message::default().number(2, 70).number(3, 78);
    let samples = trace([
        known,
        stack_sample(1, Message::default().number(2, 6).number(6, 9)),
        stack_sample(2, Message::default().message(1, thread.clone()).number(6, 9)),
        stack_sample(
            3,
            Message::default()
                .message(1, thread)
                .message(5, Message::default().number(2, 1).number(2, 3))
                .bytes(7, b"no more memory map"),
        ),
    ]);
    let stack = "org.example.Main.main org.example.Work.run".to_owned();
    let native = "org.example.Main.main .[libhwui.so]".to_owned();
    assert_eq!(all_stacks(&samples), [(77, stack.clone()), (78, stack), (78, native)]);
    assert_eq!(samples.broken, 1);
}

#[test]
fn samples_of_allocations_are_not_of_time() {
    let defaults = |unit| {
        let counter = Message::default().number(3, unit);
        Message::default().message(100, Message::default().message(2, counter))
    };
    let known = |unit| {
        let packet = Message::default().number(10, 1).number(13, 1).message(12, interned());
        packet.message(59, defaults(unit))
    };
    let sample = Message::default().number(2, 6).number(6, 9);
    let shown =
        |unit, sample: &Message| trace([known(unit), stack_sample(1, sample.clone())]).seen.len();
    // By the sequence's default, by the counter's number, by the counter itself.
    assert_eq!((shown(1, &sample), shown(4, &sample)), (1, 0));
    assert_eq!(shown(1, &sample.clone().number(10, 5)), 0);
    assert_eq!(shown(4, &sample.message(9, Message::default().number(3, 2))), 1);
}

#[test]
fn perfetto_state_is_cleared_by_the_older_field_too() {
    let known = Message::default().number(10, 1).number(13, 1).message(12, interned());
    let cleared = Message::default().number(10, 1).number(41, 1);
    let samples = trace([known, cleared, stack_sample(1, Message::default().number(6, 9))]);
    assert_eq!(all_stacks(&samples), [(0, String::new())]);
}

#[test]
fn threads_without_a_name_have_that_of_their_process() {
    let known = Message::default().number(10, 1).number(13, 1).message(12, interned());
    let process = |id| Message::default().number(1, id).bytes(3, b"org.example.app");
    let thread = |id, owner| Message::default().number(1, id).number(3, owner);
    let tree = Message::default()
        .message(1, process(70).bytes(3, b"--flag"))
        .message(2, thread(79, 70).bytes(2, b"RenderThread"))
        .message(2, thread(80, 70));
    let sample = |id| {
        let thread = Message::default().number(3, id);
        stack_sample(id, Message::default().message(1, thread).number(6, 9))
    };
    let of_process = Message::default().message(1, Message::default().number(2, 70).number(3, 70));
    let track = Message::default()
        .message(4, Message::default().number(1, 70).number(2, 81).bytes(5, b"worker"));
    let samples = trace([
        known,
        sample(79),
        sample(80),
        sample(81),
        sample(82),
        stack_sample(9, of_process),
        Message::default().message(60, track),
        Message::default().message(2, tree),
    ]);
    let name = |id: u32| samples.threads.get(&id).map(String::as_str);
    assert_eq!(name(70), Some("org.example.app"));
    assert_eq!(name(79), Some("RenderThread"));
    assert_eq!(name(80), Some("org.example.app, thread 80"));
    assert_eq!((name(81), name(82)), (Some("worker"), None));
}

#[test]
fn a_real_trace_of_perfetto_is_read() {
    // The figures are those of Perfetto's trace processor; `cargo xtask oracles traces` compares
    // every stack with it.
    let (format, samples) = read(include_bytes!("../../tests/data/android12.pftrace"));
    assert_eq!(format, SampleFormat::Perfetto);
    assert_eq!((samples.seen.len(), samples.lost, samples.broken), (122, 8, 5));
    let of = |thread: u32| samples.seen.iter().filter(|s| s.thread == thread).count();
    assert_eq!((of(10622), of(416), of(2328), of(1228), of(10296)), (35, 22, 18, 12, 2));
    assert_eq!(samples.threads[&10296], "com.android.chrome");
    assert_eq!(samples.threads[&1228], "com.android.systemui, thread 1228");
    let app = |s: &StackSample| shown(&samples, s).contains("android.app.ActivityThread.main ");
    assert_eq!(samples.seen.iter().filter(app).count(), 5);
}

/// A trace of this version with `main` calling `run` twice.
fn art_file(version: u16) -> Vec<u8> {
    let mut out = b"*version\n3\nclock=wall\n*threads\n1\tmain\n*methods\n\
        0x10\torg.example.Main\tmain\t([Ljava/lang/String;)V\tMain.java\n\
        0x20\torg.example.Work\trun\t(I)V\tWork.java\n*end\n"
        .to_vec();
    out.extend(b"SLOW");
    out.extend(version.to_le_bytes());
    out.extend(32_u16.to_le_bytes());
    out.extend(7_u64.to_le_bytes());
    let mut rest = vec![0; 16];
    if version == 3 {
        rest[..2].copy_from_slice(&14_u16.to_le_bytes());
    }
    out.extend(rest);
    for (method, us) in [(0x10_u32, 1_u32), (0x20, 2), (0x21, 4), (0x20, 5), (0x21, 9)] {
        match version {
            1 => out.push(1),
            _ => out.extend(1_u16.to_le_bytes()),
        }
        out.extend(method.to_le_bytes());
        if version == 3 {
            out.extend(99_u32.to_le_bytes());
        }
        out.extend(us.to_le_bytes());
    }
    out
}

#[test]
fn art_traces_of_all_versions_give_the_calls() {
    for version in 1..=3 {
        let (format, samples) = read(&art_file(version));
        assert_eq!(format, SampleFormat::Art);
        let all: Vec<(u64, String)> =
            samples.seen.iter().map(|s| (s.ns, shown(&samples, &s))).collect();
        let (main, run) = ("org.example.Main.main", "org.example.Main.main org.example.Work.run");
        let expected = [(1000, main), (2000, run), (4000, main), (5000, run), (9000, main)];
        let expected: Vec<(u64, String)> = expected.map(|e| (e.0, e.1.into())).into();
        assert_eq!(all, expected, "version {version}");
        assert_eq!(samples.names[0].descriptor.as_deref(), Some("([Ljava/lang/String;)V"));
    }
}

const DUMP: &str = "\
\"main\" prio=5 tid=1 Runnable
  | group=\"main\" sCount=0
  native: #00 pc 0001 libart.so
  at org.example.Work.run(Work.java:12)
  - locked <0x1> (a java.lang.Object)
  at org.example.Main.main(Unknown Source:7)

\"worker\" prio=5 tid=9 Waiting
  at java.lang.Object.wait(Native method)
  at org.example.Pool.next(Pool.java:3)
";

#[test]
fn thread_dumps_give_a_stack_for_each_thread() {
    let (format, samples) = read(DUMP.as_bytes());
    assert_eq!(format, SampleFormat::Text);
    let all: Vec<String> = samples.seen.iter().map(|s| shown(&samples, &s)).collect();
    assert_eq!(
        all,
        [
            "org.example.Main.main org.example.Work.run:12",
            "org.example.Pool.next:3 java.lang.Object.wait"
        ]
    );
    assert_eq!((samples.threads[&1].as_str(), samples.threads[&9].as_str()), ("main", "worker"));
}

#[test]
fn a_real_trace_of_art_is_read() {
    // The numbers are those that ART wrote into its text, and the file's length.
    let (format, samples) = read(include_bytes!("../../tests/data/art10.trace"));
    assert_eq!((format, samples.seen.len(), samples.cut), (SampleFormat::Art, 854, false));
    let name =
        |n: &Name| (n.class.as_str(), n.method.as_str()) == ("java.util.Properties", "getProperty");
    assert!(samples.names.iter().any(name) && samples.names.iter().all(|n| !n.class.is_empty()));
    assert!(samples.threads.values().any(|t| t == "FinalizerWatchdogDaemon"));
}

#[test]
fn a_real_streamed_trace_that_was_cut_gives_what_it_has() {
    let (format, samples) = read(include_bytes!("../../tests/data/art10-stream-cut.trace"));
    assert_eq!((format, samples.seen.len(), samples.cut), (SampleFormat::Art, 627, true));
    assert!(samples.names.iter().all(|n| !n.class.is_empty()), "names come before their use");
}

#[test]
fn a_real_dump_of_threads_is_read() {
    let (format, samples) = read(include_bytes!("../../tests/data/art10-dump.txt"));
    assert_eq!(format, SampleFormat::Text);
    let main = samples.seen.iter().find(|s| samples.threads[&s.thread] == "main").unwrap();
    let stack = shown(&samples, &main);
    assert!(stack.starts_with("bench.Main.main:22 bench.Clock.processor:26 java.lang."), "{stack}");
}

#[test]
fn a_real_file_of_simpleperf_is_read() {
    // What simpleperf prints of the same recording as text: 11 samples of one thread, none lost.
    let (format, samples) = read(include_bytes!("../../tests/data/simpleperf-sort.pb"));
    assert_eq!(
        (format, samples.seen.len(), samples.lost, samples.cut),
        (SampleFormat::Simpleperf, 11, 0, false)
    );
    assert!(samples.seen.iter().all(|s| samples.threads[&s.thread] == "sort"));
    assert_eq!((first(&samples).ns, first(&samples).thread), (16_986_032_191_663, 23_957));
    let stack = shown(&samples, &first(&samples));
    assert!(stack.ends_with(".get_page_from_freelist .clear_page_erms"), "{stack}");
}

#[test]
fn frames_of_the_interpreter_have_their_offset_whether_simpleperf_names_them_or_not() {
    let frame = |kind: Option<u64>, file: &[u8]| {
        let entry = Message::default().number(1, 0x44).number(2, 1).number(3, 0);
        let entry = kind.map_or(entry.clone(), |k| entry.number(4, k));
        let file = Message::default().number(1, 1).bytes(2, file).bytes(3, b"org.example.A.one");
        let mut out = b"SIMPLEPERF\x01\x00".to_vec();
        let sample = Message::default().number(1, 1).number(2, 7).message(3, entry);
        for (field, record) in [(1, sample), (3, file)] {
            let record = Message::default().message(field, record).0;
            out.extend((record.len() as u32).to_le_bytes());
            out.extend(record);
        }
        out.extend([0; 4]);
        let (_, samples) = read(&out);
        let name = samples.frames(first(&samples).call).next().unwrap();
        samples.names[name as usize].at
    };
    let dex = Some(CodeAddress::Dex { file: 0, offset: 0x44 });
    assert_eq!(frame(Some(1), b"/data/app/base.apk"), dex);
    assert_eq!(frame(None, b"/data/app/oat/arm64/base.vdex"), dex);
    assert_eq!(frame(Some(3), b"/data/app/oat/arm64/base.vdex"), None);
    assert_eq!(frame(None, b"/data/app/oat/arm64/base.odex"), None);
}

#[test]
fn other_files_are_refused_by_name() {
    assert_eq!(Samples::read(b"").unwrap_err(), ReadError::Unknown);
    assert_eq!(Samples::read(b"PERFILE2....").unwrap_err(), ReadError::PerfData);
    assert_eq!(Samples::read(b"\x7fELF").unwrap_err(), ReadError::Unknown);
    let mut file = simpleperf_file();
    file[10] = 2;
    assert!(matches!(Samples::read(&file), Err(ReadError::Version { version: 2, .. })));
}

/// Damages a file `times` times: no panic, and no more calls and names than bytes.
fn damaged(file: &[u8], times: usize) {
    let mut rng = Rng::new(file.len() as u64);
    let mut whole = 0;
    for _ in 0..times {
        let mut bytes = file.to_vec();
        for _ in 0..1 + rng.below(4) {
            match rng.one_in(3) && !bytes.is_empty() {
                true => mutation::resize(&mut bytes, &mut rng),
                false => mutation::overwrite(&mut bytes, &mut rng),
            }
        }
        if let Ok((_, samples)) = Samples::read(&bytes) {
            whole += 1;
            assert!(samples.calls.len() <= bytes.len() && samples.names.len() <= bytes.len());
            assert!(samples.seen.len() <= bytes.len());
            let text: usize = samples.names.iter().map(|n| n.class.len() + n.method.len()).sum();
            assert!(text <= 2 * bytes.len() + 64, "{text} bytes of names in {}", bytes.len());
        }
    }
    assert!(whole > times / 10, "only {whole} of {times} were read at all");
}

fn all_files() -> [Vec<u8>; 5] {
    let text = DUMP.as_bytes().to_vec();
    [simpleperf_file(), perfetto_file(), stack_sample_file(), art_file(3), text]
}

#[test]
fn damaged_files_cause_no_panic() {
    for file in all_files() {
        damaged(&file, 3_000);
    }
}

#[test]
#[ignore = "100,000 files of each format: minutes"]
fn many_damaged_files_cause_no_panic() {
    for file in all_files() {
        damaged(&file, 100_000);
    }
}
