use proptest::prelude::*;

use super::*;

fn header(slab_size: u32) -> FileHeader {
    FileHeader {
        slab_size,
        build: BuildId([7; 16]),
        pid: 4321,
        start_ms: 1_700_000_000_123,
        process: "org.example.app".into(),
    }
}

fn slab(thread: u32, sequence: u32, closed: bool) -> SlabHeader {
    let sync = (sequence % 2 == 1).then_some(Sync { offset: 2, cnt: 99, last_top: 5, time_ms: 1234 });
    SlabHeader { thread, sequence, order: sequence, sync, closed, late: thread == 2, unrecorded: thread == 2 }
}

fn sample() -> Vec<u8> {
    write_trace(
        &header(128),
        [(slab(1, 0, true), &b"\x04mainabc"[..]), (slab(1, 1, true), &[9; 88]), (slab(2, 0, false), b"\x01xyz")],
    )
}

/// The layout byte by byte, from the tables of protocol §7.
#[test]
fn layout_is_that_of_the_protocol() {
    let bytes = sample();
    assert_eq!(bytes.len(), 4 * 128);
    assert_eq!(bytes[..8], *b"PLTR\x00\x01\x00\x80");
    assert_eq!(bytes[24..28], [0, 0, 0x10, 0xE1]);
    assert_eq!(bytes[36..53], *b"\x0Forg.example.app\0");
    assert_eq!(
        bytes[256..296 - 4],
        *b"SLAB\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x02\0\x01\0\0\0\x63\0\0\0\x05\0\0\x04\xD2\0\0\0\x58"
    );
    let crc = crc32fast::hash(&[&bytes[256..292], &bytes[296..384]].concat());
    assert_eq!(bytes[292..296], crc.to_be_bytes());
    assert_eq!(bytes[400..404], [0xFF, 0xFF, 0, 6], "late, and others without a record");
}

#[test]
fn slab_size_zero_means_65536() {
    let bytes = write_trace(&header(65536), [(slab(1, 0, true), &[1u8; 65496][..])]);
    assert_eq!(bytes[6..8], [0, 0]);
    assert_eq!(bytes.len(), 131072);
    let file = TraceFile::parse(&bytes).unwrap();
    assert_eq!(file.slabs().next().unwrap().unwrap().payload.len(), 65496);
}

#[test]
fn what_was_written_is_read() {
    let bytes = sample();
    let file = TraceFile::parse(&bytes).unwrap();
    assert_eq!(file.header, header(128));
    let slabs: Vec<_> = file.slabs().map(Result::unwrap).collect();
    assert_eq!(
        slabs.iter().map(|s| s.header).collect::<Vec<_>>(),
        [slab(1, 0, true), slab(1, 1, true), slab(2, 0, false)]
    );
    assert_eq!(slabs.iter().map(|s| s.payload.len()).collect::<Vec<_>>(), [8, 88, 4]);
}

#[test]
fn a_flipped_bit_in_a_closed_slab_is_noticed() {
    let bytes = sample();
    let whole: Vec<_> = TraceFile::parse(&bytes).unwrap().slabs().collect();
    for bit in 256 * 8..(256 + 40 + 88) * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let file = TraceFile::parse(&bytes).unwrap();
        let slabs: Vec<_> = file.slabs().collect();
        // A slab whose first word changed is unused; one whose closed bit went is open, and otherwise as it was.
        let reopened = slabs.get(1).and_then(|s| s.ok()).is_some_and(|s| !s.header.closed && s.payload == [9; 88]);
        let unused = bit < 260 * 8 && slabs.len() == 2;
        let other_flag = (274 * 8..276 * 8).contains(&bit) && bit / 8 == 275 && bit % 8 == 0;
        assert!(unused || slabs[1].is_err() || other_flag && reopened, "bit {bit}");
        assert_ne!(slabs, whole);
    }
}

#[test]
fn a_truncated_file_keeps_the_committed_bytes_of_its_open_slab() {
    let bytes = sample();
    let slabs: Vec<_> = TraceFile::parse(&bytes[..3 * 128 + 42]).unwrap().slabs().collect();
    assert_eq!(slabs[2].unwrap().payload, b"\x01x");
    assert_eq!(slabs[3], Err(DamagedSlab { offset: 384, damage: SlabDamage::Cut { claimed: 4, have: 2 } }));
    let slabs: Vec<_> = TraceFile::parse(&bytes[..2 * 128 + 100]).unwrap().slabs().collect();
    assert_eq!(slabs[1], Err(DamagedSlab { offset: 256, damage: SlabDamage::Cut { claimed: 88, have: 60 } }));
}

#[test]
fn a_sync_point_behind_the_committed_bytes_is_none() {
    let mut h = slab(3, 1, false);
    h.sync = Some(Sync { offset: 5, cnt: 1, last_top: 1, time_ms: 1 });
    let bytes = write_trace(&header(128), [(h, &b"1234"[..])]);
    assert_eq!(TraceFile::parse(&bytes).unwrap().slabs().next().unwrap().unwrap().header.sync, None);
}

#[test]
fn other_versions_and_files_are_refused() {
    let mut bytes = sample();
    bytes[5] = 2;
    assert_eq!(TraceFile::parse(&bytes).unwrap_err(), TraceError::Version(2));
    assert_eq!(TraceFile::parse(b"PK\x03\x04").unwrap_err(), TraceError::NotATrace);
    assert_eq!(TraceFile::parse(b"PLTR\0\x01").unwrap_err(), TraceError::ShortHeader(6));
    bytes[5..8].copy_from_slice(&[1, 0, 63]);
    assert_eq!(TraceFile::parse(&bytes).unwrap_err(), TraceError::SlabSize(63));
}

#[test]
fn a_long_name_is_cut_between_characters() {
    let mut h = header(128);
    h.process = "äöüäöüäöüäöüäöü".into();
    assert_eq!(TraceFile::parse(&write_trace(&h, [])).unwrap().header.process, "äöüäöüäöüäöüä");
}

#[test]
fn a_logcat_message_comes_back_and_stays_below_the_line_limit() {
    let payload = vec![0xA5; 2700];
    let text = encode_logcat(BuildId([3; 16]), 77, &slab(4, 1, true), &payload);
    assert!(text.len() < 4000);
    let digits = text.as_bytes().strip_prefix(LOGCAT_MARK).unwrap();
    let (length, parsed) = parse_logcat(&[digits, b"  (Pathlight)"].concat());
    assert_eq!(length, digits.len());
    let parsed = parsed.unwrap();
    assert_eq!(
        (parsed.build, parsed.pid, parsed.header, parsed.payload),
        (BuildId([3; 16]), 77, slab(4, 1, true), payload)
    );
    for cut in 0..digits.len() {
        assert!(parse_logcat(&digits[..cut]).1.is_err(), "cut at {cut}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn corruption_never_panics_and_payloads_stay_inside(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20), cut in any::<prop::sample::Index>()) {
        let mut bytes = sample();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        bytes.truncate(cut.index(bytes.len() + 1));
        if let Ok(file) = TraceFile::parse(&bytes) {
            for slab in file.slabs().flatten() {
                prop_assert!(slab.offset + SLAB_HEADER + slab.payload.len() <= bytes.len());
            }
        }
        let _ = parse_logcat(&bytes);
    }
}
