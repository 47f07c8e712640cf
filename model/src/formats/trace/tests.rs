use proptest::prelude::*;

use super::*;
use crate::formats::map::BuildId;

fn header(slab_size: u32) -> FileHeader {
    let refused = Some(Refused::default());
    FileHeader { slab_size, refused, identity: identity(), table: None }
}

fn identity() -> Identity {
    Identity {
        build: BuildId([7; 16]),
        start_ms: 1_700_000_000_123,
        pid: 4321,
        instance: 0x0102_0304_0506_0708,
        boot_ns: 0x1112_1314_1516_1718,
        process: "org.example.app".into(),
    }
}

fn slab(thread: u32, sequence: u32, closed: bool) -> SlabHeader {
    let sync =
        (sequence % 2 == 1).then_some(Sync { offset: 2, progress: 99, last_top: 5, time: 1234 });
    SlabHeader {
        thread,
        sequence,
        order: sequence,
        shift: 0,
        sync,
        clock: 0x1F_0001_0203 + u64::from(sequence),
        closed,
        late: thread == 2,
        unrecorded: thread == 2,
        ring: thread == 2,
    }
}

fn sample() -> Vec<u8> {
    write_trace(
        &header(128),
        [
            (slab(1, 0, true), &b"\x04mainabc"[..]),
            (slab(1, 1, true), &[9; 84]),
            (slab(2, 0, false), b"\x01xyz"),
        ],
    )
}

/// The layout byte by byte, from the tables of protocol §7.
#[test]
fn layout_is_that_of_the_protocol() {
    let bytes = sample();
    assert_eq!(bytes.len(), 4 * 128);
    assert_eq!(bytes[..8], *b"PLTR\x00\x05\x00\x80");
    assert_eq!(bytes[8..24], *b"\0\0\0\0\xFF\xFF\xFF\xFF\0\0\0\0\xFF\xFF\xFF\xFF");
    assert_eq!(bytes[28..44], [7; 16]);
    assert_eq!(bytes[44..48], [0, 0, 0x10, 0xE1]);
    assert_eq!(bytes[48..56], 1_700_000_000_123u64.to_be_bytes());
    assert_eq!(bytes[56..64], [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(bytes[64..72], [0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18]);
    assert_eq!(bytes[72..89], *b"\x0Forg.example.app\0");
    assert_eq!(
        bytes[24..28],
        crc32fast::hash(&[&bytes[..8], &bytes[28..88]].concat()).to_be_bytes()
    );
    assert_eq!(
        bytes[256..300 - 4],
        *b"SLAB\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x02\xF8\x01\0\0\0\x63\0\0\0\x05\0\0\x04\xD2\
           \x00\x01\x02\x04\0\0\0\x54"
    );
    let crc = crc32fast::hash(&[&bytes[28..88], &bytes[256..296], &bytes[300..384]].concat());
    assert_eq!(bytes[296..300], crc.to_be_bytes());
    assert_eq!(bytes[400..404], [0xFF, 0xFF, 0xF8, 14], "late, others without a record, a ring");
}

/// Build, process id, start, name: one flipped bit made another process of it.
#[test]
fn a_flipped_bit_in_the_file_header_is_noticed() {
    let bytes = sample();
    for bit in (0..8 * 8).chain(24 * 8..88 * 8) {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(TraceFile::parse(&bytes).is_err(), "bit {bit}");
    }
    // The numbers of refused data change while the file is in use.
    for bit in 8 * 8..24 * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(TraceFile::parse(&bytes).unwrap().header.refused, None, "bit {bit}");
    }
}

/// Version 4: the id follows the identity, and is not in the slabs' checksums.
#[test]
fn a_header_names_its_start_table() {
    let head = FileHeader { table: Some(TableId(0x0123_4567_89AB_CDEF)), ..header(128) };
    let bytes = write_trace(&head, [(slab(1, 0, true), &b"\x04mainabc"[..])]);
    assert_eq!(bytes[4..6], [0, 6]);
    assert_eq!(bytes[88..96], [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]);
    let crc = crc32fast::hash(&[&bytes[..8], &bytes[28..96]].concat());
    assert_eq!(bytes[24..28], crc.to_be_bytes());
    let file = TraceFile::parse(&bytes).unwrap();
    assert_eq!((&file.header, file.version), (&head, 6));
    assert_eq!(file.slabs().next().unwrap().unwrap().payload, b"\x04mainabc");
    for bit in 88 * 8..96 * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(TraceFile::parse(&bytes).is_err(), "bit {bit}");
    }
    for cut in 88..96 {
        assert_eq!(TraceFile::parse(&bytes[..cut]).unwrap_err(), TraceError::ShortHeader(cut));
    }
    let without = [&bytes[..88], &[0; 8], &bytes[96..]].concat();
    let crc = crc32fast::hash(&[&without[..8], &without[28..96]].concat());
    let without = [&without[..24], &crc.to_be_bytes(), &without[28..]].concat();
    assert_eq!(TraceFile::parse(&without).unwrap().header, header(128));
}

#[test]
fn what_the_log_had_no_room_for_is_read() {
    let refused = Some(Refused { threads: 3, cut: 70_000 });
    let head = FileHeader { refused, ..header(128) };
    assert_eq!(TraceFile::parse(&head.to_bytes()).unwrap().header.refused, refused);
    let mut fresh = head.to_bytes();
    fresh[8..24].fill(0);
    assert_eq!(TraceFile::parse(&fresh).unwrap().header.refused, Some(Refused::default()));
}

/// A slab that lies after another file's header (somebody joined them, the header in between was
/// lost) does not belong to that file.
#[test]
fn a_closed_slab_of_another_process_is_refused() {
    let other = FileHeader { identity: Identity { pid: 4322, ..identity() }, ..header(128) };
    let bytes = [other.to_bytes(), vec![0; 128 - 88], sample()[128..].to_vec()].concat();
    let slabs: Vec<_> = TraceFile::parse(&bytes).unwrap().slabs().take(2).collect();
    assert_eq!(
        slabs,
        [128, 256].map(|offset| Err(DamagedSlab { offset, damage: SlabDamage::Checksum }))
    );
}

/// Sizes 1024, 128, 128, 512, 256 (there is a gap before the 512: each lies at a multiple of its
/// size).
#[test]
fn slabs_of_several_sizes_share_a_file() {
    let shifts = [0i8, 3, 3, 1, 2, -2, -1];
    let all: Vec<(SlabHeader, Vec<u8>)> = shifts
        .iter()
        .enumerate()
        .map(|(i, &shift)| {
            let size = shifted(1024, shift) - SLAB_HEADER;
            (SlabHeader { shift, ..slab(1, i as u32, true) }, vec![i as u8 + 1; size])
        })
        .collect();
    let bytes = write_trace(&header(1024), all.iter().map(|(h, p)| (*h, &p[..])));
    let places = [1024, 2048, 2176, 2560, 3072, 4096, 8192];
    let read: Vec<_> = TraceFile::parse(&bytes).unwrap().slabs().map(Result::unwrap).collect();
    assert_eq!(read.iter().map(|s| s.offset).collect::<Vec<_>>(), places);
    assert!(read.iter().zip(&all).all(|(r, (h, p))| r.header == *h && r.payload == p));
    // A damaged slab costs only itself, whatever size its bytes claim; the slabs after it are
    // found.
    for (i, at) in places.into_iter().enumerate() {
        for bit in 0..SLAB_HEADER * 8 {
            let mut bytes = bytes.clone();
            bytes[at + bit / 8] ^= 1 << (bit % 8);
            let left: Vec<_> = TraceFile::parse(&bytes).unwrap().slabs().flatten().collect();
            // Without its closed bit it is open, and otherwise as it was.
            let open = bit == 19 * 8;
            assert_eq!(left.len(), if open { 7 } else { 6 }, "slab {i}, bit {bit}");
            assert!(
                left.iter().all(|s| open && s.offset == at || read.contains(s)),
                "slab {i}, bit {bit}"
            );
        }
    }
}

#[test]
fn slabs_of_older_files_are_never_doubled() {
    let long = (SlabHeader { shift: -1, ..slab(1, 5, false) }, &[1; 1500][..]);
    let mut bytes = write_trace(&header(1024), [long]);
    assert_eq!(TraceFile::parse(&bytes).unwrap().slabs().next().unwrap().unwrap().payload, long.1);
    as_version(3, &mut bytes);
    let damage = TraceFile::parse(&bytes).unwrap().slabs().next().unwrap().unwrap_err();
    assert_eq!(damage, DamagedSlab { offset: 2048, damage: SlabDamage::Checksum });
}

#[test]
fn slab_size_zero_means_65536() {
    let bytes = write_trace(&header(65536), [(slab(1, 0, true), &[1u8; 65492][..])]);
    assert_eq!(bytes[6..8], [0, 0]);
    assert_eq!(bytes.len(), 131072);
    let file = TraceFile::parse(&bytes).unwrap();
    assert_eq!(file.slabs().next().unwrap().unwrap().payload.len(), 65492);
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
    assert_eq!(slabs.iter().map(|s| s.payload.len()).collect::<Vec<_>>(), [8, 84, 4]);
}

#[test]
fn a_flipped_bit_in_a_closed_slab_is_noticed() {
    let bytes = sample();
    let whole: Vec<_> = TraceFile::parse(&bytes).unwrap().slabs().collect();
    for bit in 256 * 8..(256 + 44 + 84) * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let file = TraceFile::parse(&bytes).unwrap();
        let slabs: Vec<_> = file.slabs().collect();
        // A slab whose first word changed is unused; one whose closed bit went is open, and
        // otherwise as it was.
        let reopened = slabs
            .get(1)
            .and_then(|s| s.ok())
            .is_some_and(|s| !s.header.closed && s.payload == [9; 84]);
        let unused = bit < 260 * 8 && slabs.len() == 2;
        let other_flag = (274 * 8..276 * 8).contains(&bit) && bit / 8 == 275 && bit % 8 == 0;
        assert!(unused || slabs[1].is_err() || other_flag && reopened, "bit {bit}");
        assert_ne!(slabs, whole);
    }
}

#[test]
fn a_truncated_file_keeps_the_committed_bytes_of_its_open_slab() {
    let bytes = sample();
    let slabs: Vec<_> = TraceFile::parse(&bytes[..3 * 128 + 46]).unwrap().slabs().collect();
    assert_eq!(slabs[2].unwrap().payload, b"\x01x");
    assert_eq!(
        slabs[3],
        Err(DamagedSlab { offset: 384, damage: SlabDamage::Cut { claimed: 4, have: 2 } })
    );
    let slabs: Vec<_> = TraceFile::parse(&bytes[..2 * 128 + 100]).unwrap().slabs().collect();
    assert_eq!(
        slabs[1],
        Err(DamagedSlab { offset: 256, damage: SlabDamage::Cut { claimed: 84, have: 56 } })
    );
}

/// A file whose first slab is open, with order 5 and these bytes after the committed ones.
fn with_rest(version: u8, committed: &[u8], behind: &[&[u8]]) -> Vec<u8> {
    let mut bytes = write_trace(&header(128), [(slab(1, 5, false), committed)]);
    let behind = behind.concat();
    let at = 128 + 44 + committed.len();
    bytes[at..at + behind.len()].copy_from_slice(&behind);
    as_version(version, &mut bytes);
    bytes
}

/// Changes the version of a file.
fn as_version(version: u8, bytes: &mut [u8]) {
    bytes[5] = version;
    let crc = crc32fast::hash(&[&bytes[..8], &bytes[28..88]].concat());
    bytes[24..28].copy_from_slice(&crc.to_be_bytes());
}

/// Returns the mark after this many bytes: 5 * 0x9E3779B1 is 0x3_1715_6075.
fn mark(length: u8) -> [u8; 4] {
    [0x97, 0x15, 0, length]
}

#[test]
fn words_behind_the_committed_bytes_count_up_to_the_mark() {
    let payload = |bytes: &[u8]| {
        TraceFile::parse(bytes).unwrap().slabs().next().unwrap().unwrap().payload.to_vec()
    };
    let whole = with_rest(5, b"xyz", &[b"abcd", &[0; 4], &mark(11)]);
    assert_eq!(payload(&whole), b"xyzabcd\0\0\0\0");
    assert_eq!(payload(&with_rest(5, b"", &[b"abcd", &mark(4)])), b"abcd");
    // Older devices commit each word.
    assert_eq!(payload(&with_rest(3, b"xyz", &[b"abcd", &mark(7)])), b"xyz");
    // A mark of another place, or of a slab that was here before, ends nothing.
    assert_eq!(payload(&with_rest(5, b"xyz", &[b"abcd", &mark(8)])), b"xyz");
    assert_eq!(payload(&with_rest(5, b"xyz", &[b"abcd", &[0x97, 0x16, 0, 7]])), b"xyz");
    // Bytes that an older slab left after a zero are no word of this slab.
    assert_eq!(payload(&with_rest(5, b"xyz", &[&[0; 4], &mark(7)])), b"xyz");
    assert_eq!(payload(&whole[..128 + 44 + 3 + 6]), b"xyz");
}

#[test]
fn a_closed_slab_has_what_its_header_says() {
    let mut bytes = write_trace(&header(128), [(slab(1, 5, true), &b"xyz"[..])]);
    bytes[128 + 47..128 + 55].copy_from_slice(&[&b"abcd"[..], &mark(7)].concat());
    let slab = TraceFile::parse(&bytes).unwrap().slabs().next().unwrap().unwrap();
    assert_eq!(slab.payload, b"xyz");
}

#[test]
fn a_sync_point_behind_the_committed_bytes_is_none() {
    let mut h = slab(3, 1, false);
    h.sync = Some(Sync { offset: 5, progress: 1, last_top: 1, time: 1 });
    let bytes = write_trace(&header(128), [(h, &b"1234"[..])]);
    assert_eq!(
        TraceFile::parse(&bytes).unwrap().slabs().next().unwrap().unwrap().header.sync,
        None
    );
}

#[test]
fn other_versions_and_files_are_refused() {
    let mut bytes = sample();
    bytes[5] = 1;
    let old = TraceFile::parse(&bytes).unwrap_err();
    assert_eq!(old.to_string(), "trace format version 1; this program knows versions 2 to 6");
    assert_eq!(TraceFile::parse(b"PK\x03\x04").unwrap_err(), TraceError::NotATrace);
    assert_eq!(TraceFile::parse(b"PLTR\0\x03").unwrap_err(), TraceError::ShortHeader(6));
    for cut in 6..88 {
        assert_eq!(TraceFile::parse(&sample()[..cut]).unwrap_err(), TraceError::ShortHeader(cut));
    }
    bytes[5..8].copy_from_slice(&[3, 0, 63]);
    let crc = crc32fast::hash(&[&bytes[..8], &bytes[28..88]].concat());
    bytes[24..28].copy_from_slice(&crc.to_be_bytes());
    assert_eq!(TraceFile::parse(&bytes).unwrap_err(), TraceError::SlabSize(63));
}

#[test]
fn names_are_whole_up_to_255_bytes_and_cut_between_characters() {
    for (name, kept) in [
        ("a".repeat(255), 255),
        ("ä".repeat(127), 254),
        ("ä".repeat(128), 254),
        ("a".repeat(300), 255),
    ] {
        let head = FileHeader {
            identity: Identity { process: name.clone(), ..identity() },
            ..header(128)
        };
        let bytes = write_trace(&head, [(slab(1, 0, true), &b"\x01x"[..])]);
        let file = TraceFile::parse(&bytes).unwrap();
        assert_eq!(file.header.identity.process, name[..kept]);
        let slab = file.slabs().next().unwrap().unwrap();
        assert_eq!(
            (slab.offset, slab.payload),
            (384, &b"\x01x"[..]),
            "after a header of three slabs"
        );
    }
}

#[test]
fn a_logcat_message_comes_back_and_stays_below_the_line_limit() {
    let payload = vec![0xA5; 2650];
    let identity = Identity { process: "p".repeat(255), ..identity() };
    let text = encode_logcat(&identity, &slab(4, 1, true), &payload);
    assert!(text.len() < 4000);
    let digits = text.as_bytes().strip_prefix(b"PL3 ").unwrap();
    let (length, parsed) = parse_logcat(&[digits, b"  (Pathlight)"].concat(), VERSION);
    assert_eq!(length, digits.len());
    let parsed = parsed.unwrap();
    assert_eq!(
        (parsed.identity, parsed.header, parsed.payload),
        (identity, slab(4, 1, true), payload)
    );
    for cut in 0..digits.len() {
        assert!(parse_logcat(&digits[..cut], VERSION).1.is_err(), "cut at {cut}");
    }
}

/// Build id, process id, start and name as well: a phantom process, otherwise.
#[test]
fn a_flipped_bit_anywhere_in_a_logcat_line_is_noticed() {
    // 1, 2 and 0 bits to spare in the last digit.
    for payload in [&b"\x01x"[..], b"\x01xy", b"\x01xyz"] {
        let text = encode_logcat(&identity(), &slab(1, 0, true), payload);
        let digits = &text.as_bytes()[4..];
        for bit in 0..digits.len() * 8 {
            let mut bytes = digits.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(parse_logcat(&bytes, VERSION).1.is_err(), "bit {bit}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn corruption_never_panics_and_payloads_stay_inside(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = sample();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        bytes.truncate(cut.index(bytes.len() + 1));
        if let Ok(file) = TraceFile::parse(&bytes) {
            for slab in file.slabs().flatten() {
                prop_assert!(slab.payload_at + slab.payload.len() <= bytes.len());
            }
        }
        let _ = parse_logcat(&bytes, VERSION);
        let _ = parse_logcat(&bytes, OLDEST);
    }
}
