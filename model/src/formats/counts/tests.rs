use super::*;
use crate::formats::map::BuildId;
use mutation::Rng;

fn identity() -> Identity {
    Identity {
        build: BuildId([7; 16]),
        start_ms: 1_700_000_000_000,
        pid: 4711,
        instance: 3,
        boot_ns: 4,
        process: "org.example:péage".into(),
    }
}

fn sample() -> CountFile {
    let pages = [(0, vec![1, 2, u64::MAX]), (4, vec![0; 5]), (9, vec![9])];
    CountFile { identity: identity(), pages: pages.into(), ..CountFile::default() }
}

/// A file with one page of two cells, written byte by byte after the table at the module's head.
fn by_hand(copies: [(u32, [u64; 2]); 2]) -> Vec<u8> {
    let crc = |bytes: &[u8]| crc32fast::hash(bytes).to_be_bytes();
    let mut file = b"PLCN\x00\x01\x00\x00".to_vec();
    let mut id = vec![7; 16];
    id.extend(4711_u32.to_be_bytes());
    [1_700_000_000_000_u64, 3, 4].iter().for_each(|n| id.extend(n.to_be_bytes()));
    id.push("org.example:péage".len() as u8);
    id.extend("org.example:péage".as_bytes());
    file.extend(crc(&[&file[..], &id].concat()));
    file.extend(id);
    file.resize(320, 0);
    let head = [0, 0, 0, 5, 0, 0, 0, 2];
    file.extend(head);
    file.extend(crc(&head));
    for (generation, cells) in copies {
        let cells: Vec<u8> = cells.iter().flat_map(|n| n.to_be_bytes()).collect();
        let generation = generation.to_be_bytes();
        file.extend(generation);
        file.extend(crc(&[&head[..], &generation, &cells].concat()));
        file.extend(cells);
    }
    file.resize(65_536, 0);
    file
}

#[test]
fn what_was_written_is_read() {
    assert_eq!(CountFile::parse(&sample().to_bytes()), Ok(sample()));
}

#[test]
fn the_newer_whole_copy_counts() {
    let file = by_hand([(3, [30, 31]), (2, [20, 21])]);
    let read = CountFile::parse(&file).unwrap();
    assert_eq!((read.identity, &read.pages[&5][..]), (identity(), &[30, 31][..]));
    let read = CountFile::parse(&by_hand([(3, [30, 31]), (4, [40, 41])])).unwrap();
    assert_eq!((&read.pages[&5][..], read.torn), (&[40, 41][..], 0));
}

#[test]
fn a_copy_that_was_being_written_gives_way_to_the_one_before() {
    let mut file = by_hand([(3, [30, 31]), (4, [40, 41])]);
    // The first copy is replaced: its cells are new, its generation is not yet.
    file[320 + 12 + 8 + 7] = 50;
    let read = CountFile::parse(&file).unwrap();
    assert_eq!((&read.pages[&5][..], read.torn), (&[40, 41][..], 1));
    // The same, of the newer copy.
    let mut file = by_hand([(5, [50, 51]), (4, [40, 41])]);
    file[320 + 12 + 8 + 7] = 60;
    let read = CountFile::parse(&file).unwrap();
    assert_eq!((&read.pages[&5][..], read.torn), (&[40, 41][..], 1));
    assert_eq!(read.damage, []);
}

#[test]
fn a_page_that_was_never_published_counts_nothing() {
    let mut file = by_hand([(0, [1, 2]), (0, [0, 0])]);
    let read = CountFile::parse(&file).unwrap();
    assert_eq!((read.pages.len(), read.torn, &read.damage[..]), (0, 0, &[][..]));
    // A first copy that was cut has no generation; one with a generation and no checksum is damage.
    file[320 + 12 + 3] = 1;
    assert_eq!(CountFile::parse(&file).unwrap().damage, [Damage::Copies(5)]);
}

#[test]
fn damage_is_told_by_its_place() {
    let whole = sample().to_bytes();
    assert_eq!(CountFile::parse(&[0; 4096]), Err(CountsError::NotBegun));
    assert_eq!(CountFile::parse(&[]), Err(CountsError::NotBegun));
    assert_eq!(CountFile::parse(b"PLTR"), Err(CountsError::NotCounts));
    assert_eq!(CountFile::parse(&whole[..319]), Err(CountsError::ShortHeader(319)));
    let at = |i: usize| {
        let mut bytes = whole.clone();
        bytes[i] ^= 1;
        CountFile::parse(&bytes)
    };
    assert_eq!(at(5), Err(CountsError::Version(0)));
    for i in (6..12).chain(12..12 + 45) {
        // The length of the name can also lead past the header, or to a name that is cut.
        assert!(at(i).is_err(), "byte {i}");
    }
    let read = at(320 + 3).unwrap();
    assert_eq!((read.damage, read.pages.len()), (vec![Damage::NoSlot(320)], 0));
    let read = CountFile::parse(&whole[..whole.len() - 1]).unwrap();
    assert_eq!((read.damage, read.pages.len()), (vec![Damage::Cut(9)], 2));
    let mut twice = whole.clone();
    twice.extend_from_slice(&whole[320..]);
    let read = CountFile::parse(&twice).unwrap();
    assert_eq!(read.damage, [0, 4, 9].map(Damage::Twice));
    assert_eq!(read.pages, sample().pages);
}

/// Whatever happens to the bytes: no panic, and no count that was not written.
#[test]
fn damaged_files_give_no_false_count() {
    let mut rng = Rng::new(4);
    let older = [11, 12];
    let whole = by_hand([(8, [21, 22]), (7, older)]);
    let whole = &whole[..420];
    let (mut refused, mut older_seen) = (0, 0);
    for _ in 0..20_000 {
        let mut bytes = whole.to_vec();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(bytes.len());
            match rng.below(4) {
                0 => bytes[at] = rng.bits() as u8,
                1 => bytes[at] ^= 1 << rng.below(8),
                2 => bytes[at..].iter_mut().take(1 + rng.below(40)).for_each(|b| *b = 0),
                _ => bytes.truncate(at.max(1)),
            }
        }
        match CountFile::parse(&bytes) {
            Err(_) => refused += 1,
            Ok(file) => {
                let counted = file.pages.get(&5).map(|c| [c[0], c[1]]);
                assert!([None, Some([21, 22]), Some(older)].contains(&counted), "{file:?}");
                older_seen += u32::from(counted == Some(older));
                assert!(file.pages.keys().all(|p| *p == 5));
            }
        }
    }
    assert!(refused > 1000 && older_seen > 100, "{refused} refused, {older_seen} older");
}

#[test]
fn a_file_has_the_size_that_is_said() {
    let cells = sample().pages.values().map(|c| c.len() as u32).collect::<Vec<_>>();
    assert_eq!(file_bytes(cells), sample().to_bytes().len() as u64);
}
