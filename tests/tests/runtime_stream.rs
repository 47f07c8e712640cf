//! The device runtime against the reference coder: the drivers of `runtime/test` run on HotSpot,
//! and what they wrote is read with `model::trace` and `model::coder` alone. They fail without a
//! JDK. That the committed dex is what the sources give: `cargo xtask runtime check`.

mod adapting;
mod cells;
mod exit_reasons;
mod full_stack;
mod host;
mod origins;
mod overflow;
mod script;
mod start_tables;
mod startup;
mod storage;

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use host::{classes, driver, run, stream, threads, trace};
use script::{Script, Stop};

/// The seed is in the thread's name.
fn seed(name: &str) -> u64 {
    name.strip_prefix("script-").unwrap().parse().unwrap()
}

#[test]
fn scripts_of_several_threads_decode_to_what_was_played() {
    let classes = classes();
    let dir = tempfile::tempdir().unwrap();
    run(driver(classes, dir.path(), &["plain", "1", "4", "100000", "SLAB=256"]));
    let bytes = trace(dir.path());
    let all = threads(&bytes);
    assert_eq!(all.len(), 4);
    for slabs in all.values() {
        let (name, data) = stream(slabs);
        let mut s = Script::new(seed(&name), &data);
        assert_eq!(s.read(100_000, true), Ok(()), "{name} after {} operations", s.done);
        assert!(s.decoder.at_end(), "{name}");
    }
}

#[test]
fn sync_offsets_are_where_records_begin() {
    let classes = classes();
    let dir = tempfile::tempdir().unwrap();
    // Without RING: all slabs are there. No unguarded top level: every record can be begun at.
    run(driver(classes, dir.path(), &["ring", "5", "2", "20000", "SLAB=128"]));
    let bytes = trace(dir.path());
    for slabs in threads(&bytes).values() {
        let (name, data) = stream(slabs);
        let before = slabs.iter().map(|s| s.payload.len()).sum::<usize>() - data.len();
        let mut s = Script::new(seed(&name), &data);
        assert_eq!(s.read(20_000, false), Ok(()));
        assert!(s.records.len() > 100);
        let mut from = 0;
        for slab in slabs {
            let to = from + slab.payload.len();
            // Positions in the slabs count the name and the thread's id, too.
            let first =
                s.records.iter().map(|r| (r.0 + before, r)).find(|r| (from..to).contains(&r.0));
            let want = first.map(|(at, r)| (at - from, r.1, r.2, r.3));
            let have =
                slab.header.sync.map(|y| (usize::from(y.offset), y.progress, y.last_top, y.time));
            assert_eq!(have, want, "slab {} of {name}", slab.header.sequence);
            from = to;
        }
    }
}

#[test]
fn a_full_log_ends_the_streams_properly() {
    let classes = classes();
    let dir = tempfile::tempdir().unwrap();
    run(driver(classes, dir.path(), &["plain", "20", "4", "50000", "SLAB=256", "CAP=32768"]));
    let bytes = trace(dir.path());
    assert_eq!(bytes.len(), 32768);
    for slabs in threads(&bytes).values() {
        let (name, data) = stream(slabs);
        let mut s = Script::new(seed(&name), &data);
        assert_eq!(s.read(50_000, true), Err(Stop::End), "{name} after {} operations", s.done);
        assert!(slabs.last().unwrap().header.closed);
    }
}

#[test]
fn a_full_disk_ends_the_streams_and_not_the_app() {
    let classes = classes();
    let dir = tempfile::tempdir().unwrap();
    let java = driver(classes, dir.path(), &["plain", "30", "2", "2000000"]);
    // 1.5 MiB in units of 512 bytes: the second chunk of 1 MiB cannot be written.
    let mut sh = Command::new("sh");
    sh.arg("-c")
        .arg("trap '' XFSZ; ulimit -f 3072; exec \"$@\"")
        .arg("sh")
        .arg(java.get_program())
        .args(java.get_args());
    run(sh);
    let bytes = trace(dir.path());
    assert!(bytes.len() > 1 << 20 && bytes.len() <= 3072 * 512);
    let mut done = 0;
    for slabs in threads(&bytes).values() {
        let (name, data) = stream(slabs);
        let mut s = Script::new(seed(&name), &data);
        assert_eq!(s.read(2_000_000, true), Err(Stop::End), "{name} after {} operations", s.done);
        done += s.done;
    }
    // Of both: how they share the disk is the scheduler's affair.
    assert!(done > 100_000, "{done}");
}

#[test]
fn without_a_place_for_the_log_the_app_runs_on() {
    let classes = classes();
    let dir = tempfile::tempdir().unwrap();
    let gone = dir.path().join("gone");
    run(driver(classes, &gone, &["plain", "40", "2", "1000"]));
    assert!(!gone.exists());
    // A folder that is a file; and SINK=2, which records nothing.
    std::fs::write(&gone, b"x").unwrap();
    run(driver(classes, &gone, &["plain", "40", "2", "1000"]));
    std::fs::remove_file(&gone).unwrap();
    run(driver(classes, dir.path(), &["plain", "40", "2", "1000", "SINK=2"]));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_kill_loses_only_what_the_coder_holds() {
    let classes = classes();
    let dir = tempfile::tempdir().unwrap();
    let mut child = driver(classes, dir.path(), &["kill", "50", "1", "100000000"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..300 {
        lines.next().unwrap().unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What was printed before the kill and not read yet counts as well.
    let last =
        lines.map_while(Result::ok).filter_map(|l| l.parse::<u32>().ok()).last().unwrap_or(300_000);
    let bytes = trace(dir.path());
    let all = threads(&bytes);
    let (_, data) = stream(&all[&1]);
    let mut s = Script::new(50, &data);
    assert_eq!(s.read(100_000_000, true), Err(Stop::Truncated));
    // At most the interval (63 bits), the cached word and the word that the next renormalisation
    // would publish: well below 100 operations.
    assert!(s.done + 200 > last, "{} of {last}", s.done);
}

#[test]
fn a_ring_keeps_the_newest_slabs() {
    let classes = classes();
    let dir = tempfile::tempdir().unwrap();
    run(driver(
        classes,
        dir.path(),
        &["ring", "60", "8", "20000", "SLAB=256", "CAP=16384", "RING=true"],
    ));
    let bytes = trace(dir.path());
    assert_eq!(bytes.len(), 16384);
    let all = threads(&bytes);
    let mut orders: Vec<u32> = all.values().flatten().map(|s| s.header.order).collect();
    orders.sort_unstable();
    let newest = *orders.last().unwrap();
    assert!(newest > 300 && orders.len() > 60, "{orders:?}");
    assert!(orders[0] + 66 > newest, "{orders:?}");
    // The last thread's tail, read from the first slab with a sync offset: compared with the
    // script, which is run along from its beginning.
    let (number, slabs) = all.last_key_value().unwrap();
    let seed = 59 + u64::from(*number);
    let whole_dir = tempfile::tempdir().unwrap();
    run(driver(classes, whole_dir.path(), &["ring", &seed.to_string(), "1", "20000", "SLAB=256"]));
    let whole = trace(whole_dir.path());
    let (_, data) = stream(&threads(&whole)[&1]);
    let mut s = Script::new(seed, &data);
    assert_eq!(s.read(20_000, false), Ok(()));
    let sync = slabs.iter().find_map(|s| s.header.sync).unwrap();
    assert!(s.records.iter().any(|r| (r.1, r.2) == (sync.progress, sync.last_top)));
}

#[test]
fn an_interrupted_thread_can_extend_the_file() {
    let classes = classes();
    let dir = tempfile::tempdir().unwrap();
    let text = run(driver(classes, dir.path(), &["interrupted", "70", "1", "3000000"]));
    assert_eq!(text, "true\ndone\n", "the interrupt must still be there");
    let bytes = trace(dir.path());
    assert!(bytes.len() > 1 << 20);
    let all = threads(&bytes);
    let (_, data) = stream(&all[&1]);
    assert_eq!(Script::new(70, &data).read(3_000_000, false), Ok(()));
}

/// Frequency of no gap between two callbacks.
const NO_GAP: u32 = 65_535 - 16 * 240 - 16 * script::GAP;

/// Slices that keep the carry undecided for many words, then let it fall either way.
fn carry_chain(words: u64, up: bool) -> Vec<u32> {
    let mut e = model::coder::Encoder::new();
    // The callback's own symbols at time 0: other (0, 1000), the id, no gap.
    e.narrow(0, 1000);
    e.bits(3, 17);
    e.narrow(0, NO_GAP);
    let mut out = Vec::new();
    // The value between "no carry" and "carry"; strictly inside the interval, always.
    let mut target: Option<u64> = None;
    let mut last = false;
    while !last {
        last = e.pending() >= words;
        let (mut low, range) = e.interval();
        let mut r = range >> 16;
        if range < 1 << 31 {
            // The encoder renormalises first.
            target = target.map(|_| 1 << 63);
            low = (low & 0x7FFF_FFFF) << 32;
            r = range << 16;
        }
        let to = *target.get_or_insert_with(|| (low + (r << 15)) >> 31 << 31);
        let at = ((to - low) / r) as u32;
        let (cum, freq) = if !last {
            (at.saturating_sub(1).min(65532), 3)
        } else if up {
            (at + 1, 1)
        } else {
            (at - 1, 1)
        };
        assert!(cum + freq <= 65535);
        out.push(cum << 16 | freq);
        e.narrow(cum, freq);
    }
    out.extend([0x8000_1000; 40]);
    out
}

/// The bytes that the driver wrote for the slices; `None` when its last callback did not begin in
/// the millisecond of the one before.
fn played(classes: &std::path::Path, slices: &[u32]) -> Option<Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    let mut java = driver(classes, dir.path(), &["steps", "0", "0", "0", "SLAB=256"]);
    let mut child = java.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(&(slices.len() as u32).to_be_bytes()).unwrap();
    input.write_all(&slices.iter().flat_map(|s| s.to_be_bytes()).collect::<Vec<_>>()).unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
    let bytes = trace(dir.path());
    let (name, data) = stream(&threads(&bytes)[&1]);
    assert_eq!(name, "main");
    let mut d = model::coder::Decoder::new(&data, 0);
    for (i, check) in [2, 4].into_iter().enumerate() {
        if i == 0 {
            d.consume(40000, 4096).unwrap();
        } else {
            d.consume(0, 1000).unwrap();
            assert_eq!(d.bits(17), Ok(3));
        }
        script::span(&mut d, script::GAP).unwrap();
        script::span(&mut d, script::DURATION).unwrap();
        // The times of a callback that a busy machine delays fill the coder: then there are two.
        for cum in script::checks(check, d.renormalisations() > 0) {
            d.consume(cum, 257).unwrap();
        }
        d.flush().unwrap();
    }
    let from = d.record_start();
    d.consume(0, 1000).unwrap();
    assert_eq!(d.bits(17), Ok(3));
    (script::span(&mut d, script::GAP) == Ok(0)).then(|| data[from..].to_vec())
}

#[test]
fn carries_run_through_long_chains_of_ones() {
    let classes = classes();
    for up in [false, true] {
        let slices = carry_chain(400, up);
        let data = (0..20)
            .find_map(|_| played(classes, &slices))
            .expect("two callbacks within a millisecond");
        // The reference encoder gives the same bytes, and the chain is there.
        let mut e = model::coder::Encoder::new();
        e.narrow(0, 1000);
        e.bits(3, 17);
        e.narrow(0, NO_GAP);
        slices.iter().for_each(|s| e.step(*s));
        // How long it took is read from the data.
        let mut d = model::coder::Decoder::new(&data, 0);
        d.consume(0, 1000).unwrap();
        d.bits(17).unwrap();
        d.consume(0, NO_GAP).unwrap();
        slices.iter().for_each(|s| d.consume(s >> 16, s & 0xFFFF).unwrap());
        let took = script::span(&mut d, script::DURATION).unwrap();
        let length = 32 - took.leading_zeros();
        let zero = 65_535 - 16 * 240 - 16 * script::DURATION;
        match length {
            0 => e.narrow(0, zero),
            1..=16 => e.narrow(zero + (length - 1) * script::DURATION, script::DURATION),
            _ => panic!("a callback of {took} ticks"),
        }
        if length > 1 {
            e.bits(took & ((1 << (length - 1)) - 1), length - 1);
        }
        script::checks(6, true).into_iter().for_each(|cum| e.narrow(cum, 257));
        assert_eq!(data, e.finish());
        let chain = if up { [0; 1600] } else { [0xFF; 1600] };
        assert!(data.windows(1600).any(|w| w == chain), "no chain");
    }
}

#[test]
fn stack_overflows_leave_a_stream_that_fits() {
    let classes = classes();
    let dir = tempfile::tempdir().unwrap();
    // Fewer where unwinding is slow (ART).
    let rounds: u32 = std::env::var("OVERFLOW_ROUNDS").map_or(1000, |n| n.parse().unwrap());
    let text = run(driver(classes, dir.path(), &["overflow", "80", "1", &rounds.to_string()]));
    let caught: u32 = text.split(' ').nth(1).unwrap().parse().unwrap();
    let bytes = trace(dir.path());
    let (_, data) = stream(&threads(&bytes)[&1]);
    let seen = overflow::walk(&data).unwrap();
    assert_eq!((seen.rounds, seen.caught), (rounds, caught));
    assert!(seen.deepest > 100);
}

#[test]
fn frames_beyond_the_ring_of_a_full_stack_are_counted_not_told() {
    let classes = classes();
    let outcome = |frames: u32| {
        let dir = tempfile::tempdir().unwrap();
        run(driver(classes, dir.path(), &["full", "0", "0", &frames.to_string()]));
        full_stack::outcome(&trace(dir.path()))
    };
    let fits = outcome(256);
    assert_eq!((fits.entered, fits.ended, fits.faults.len()), (257, 257, 0), "{:?}", fits.faults);
    let beyond = outcome(300);
    assert_eq!((beyond.entered, beyond.ended), (0, 0), "nothing of it is recorded");
    assert_eq!(beyond.faults.len(), 1);
    assert!(
        beyond.faults[0].starts_with("44 frames are missing: on a full stack"),
        "{:?}",
        beyond.faults
    );
}

#[test]
fn a_start_at_the_end_of_a_stack_is_made_up_for() {
    let classes = classes();
    for skip in ["0", "1", "2", "3", "5", "8", "12", "20", "40"] {
        let dir = tempfile::tempdir().unwrap();
        // Anything but a stack overflow would end the thread, with its trace on stderr.
        let text = run(driver(classes, dir.path(), &["startup", "90", "1", skip]));
        let mut words = text.split_whitespace();
        let mut number = |name| {
            assert_eq!(words.next(), Some(name), "{text}");
            words.next().unwrap().parse::<u32>().unwrap()
        };
        let (tried, refused) = (number("records"), number("refused"));
        assert!(tried > 2000 && refused > 0, "{text}");
        let bytes = trace(dir.path());
        let slabs = &threads(&bytes)[&1];
        let (_, data) = stream(slabs);
        let seen = startup::records(&data).unwrap();
        // From one that had the stack for it on, all of them.
        let first = seen[0];
        assert!(first + 900 < tried, "begins with {first} of {tried}");
        assert_eq!(slabs[0].header.late, first > 0, "begins with {first}");
        assert!(slabs[1..].iter().all(|s| !s.header.late), "only the first slab is marked");
        assert!(seen.into_iter().eq(first..tried));
    }
}
