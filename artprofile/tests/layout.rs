//! Bytes written by hand after the sources of ART and of androidx.profileinstaller.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};

use artprofile::{
    ArtProfile, DexRules, Metadata, MetadataVersion, MethodFlags, ProfileFault, ProfileVersion,
    Region,
};

const HOT: MethodFlags = MethodFlags::HOT;
const STARTUP: MethodFlags = MethodFlags::STARTUP;
const POST_STARTUP: MethodFlags = MethodFlags::POST_STARTUP;

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("a vector");
    encoder.finish().expect("a vector")
}

fn u16s(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

fn u32s(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

/// Magic, version, and a count of one byte before compressed bytes with both sizes.
fn compressed(head: &[u8], body: &[u8]) -> Vec<u8> {
    let packed = zlib(body);
    [head, &u32s(&[body.len() as u32, packed.len() as u32]), &packed].concat()
}

/// Two DEX files: ten methods, of which 3 is hot and of the start, 9 runs later, and 4 is hot and
/// has an inline cache; and one without rules.
fn headers() -> [Vec<u8>; 2] {
    // Length of the key, classes, bytes of hot methods; checksum, method ids; key.
    let hot = 20;
    [
        [u16s(&[11, 2]), u32s(&[hot, 0xabcd, 10]), b"classes.dex".to_vec()].concat(),
        [u16s(&[12, 0]), u32s(&[0, 1, 3]), b"classes2.dex".to_vec()].concat(),
    ]
}

fn bodies() -> [Vec<u8>; 2] {
    // One cache at pc 5: one DEX file, number 0, with two types; and one that is megamorphic.
    let caches = [&u16s(&[2, 5])[..], &[1, 0, 2], &u16s(&[7, 1])].concat();
    let megamorphic = [&u16s(&[6])[..], &[7]].concat();
    let mut hot = [u16s(&[3, 0]), u16s(&[1])].concat();
    hot.extend(caches);
    hot.extend(megamorphic);
    // Bits 3 (startup) and 10 + 9 (post-startup) of 20.
    [[hot, u16s(&[6, 2]), vec![0b1000, 0, 0b1000]].concat(), vec![0]]
}

fn rules(version: ProfileVersion, type_ids: u32) -> ArtProfile {
    let methods = BTreeMap::from([(3, HOT | STARTUP), (4, HOT), (9, POST_STARTUP)]);
    let first = DexRules {
        key: "classes.dex".into(),
        checksum: 0xabcd,
        type_ids,
        method_ids: 10,
        methods,
        classes: BTreeSet::from([6, 8]),
    };
    let second = DexRules {
        key: "classes2.dex".into(),
        checksum: 1,
        type_ids,
        method_ids: 3,
        ..DexRules::default()
    };
    let dex_files = vec![first, second];
    ArtProfile { version, dex_files, extra_descriptors: Vec::new(), inline_caches: 2 }
}

#[test]
fn version_010_has_all_headers_first() {
    let ([a, b], [c, d]) = (headers(), bodies());
    let file = compressed(b"pro\x00010\0\x02", &[a, b, c, d].concat());
    assert_eq!(ArtProfile::read(&file), Ok(rules(ProfileVersion::P, 0)));
}

#[test]
fn version_009_has_each_header_before_its_rules() {
    let ([a, b], [c, d]) = (headers(), bodies());
    let file = compressed(b"pro\x00009\0\x02", &[a, c, b, d].concat());
    assert_eq!(ArtProfile::read(&file), Ok(rules(ProfileVersion::OMr1, 0)));
}

#[test]
fn versions_001_and_005_have_indices_as_they_are() {
    let methods = BTreeMap::from([(3, HOT), (4, HOT)]);
    let rules = DexRules {
        key: "base.apk".into(),
        checksum: 7,
        methods,
        classes: BTreeSet::from([6, 8]),
        ..DexRules::default()
    };
    let dex_files = vec![rules];
    let mut profile = ArtProfile {
        version: ProfileVersion::N,
        dex_files,
        extra_descriptors: Vec::new(),
        inline_caches: 0,
    };
    let key = b"base.apk".to_vec();
    let head = b"pro\x00001\0".to_vec();
    let file = [head, u16s(&[1, 8, 2, 2]), u32s(&[7]), key.clone(), u16s(&[3, 4, 6, 8])].concat();
    assert_eq!(ArtProfile::read(&file), Ok(profile.clone()));
    assert_eq!(profile.write(), Ok(file));
    profile.version = ProfileVersion::O;
    let head = b"pro\x00005\0\x01".to_vec();
    let body = u16s(&[3, 0, 4, 0, 6, 8]);
    let file = [head, u16s(&[8, 2]), u32s(&[8, 7]), key, body].concat();
    assert_eq!(ArtProfile::read(&file), Ok(profile.clone()));
    assert_eq!(profile.write(), Ok(file));
}

/// A file of version 015 with these sections, the first one uncompressed.
fn sections(sections: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let mut at = 12 + 16 * sections.len();
    let (mut table, mut contents) = (Vec::new(), Vec::new());
    for (number, (kind, bytes)) in sections.iter().enumerate() {
        let stored = if number == 0 { bytes.clone() } else { zlib(bytes) };
        let inflated = if number == 0 { 0 } else { bytes.len() };
        table.extend(u32s(&[*kind, at as u32, stored.len() as u32, inflated as u32]));
        at += stored.len();
        contents.extend(stored);
    }
    [&b"pro\x00015\0"[..], &u32s(&[sections.len() as u32]), &table, &contents].concat()
}

#[test]
fn version_015_has_sections() {
    let dex = [
        u16s(&[2]),
        u32s(&[0xabcd, 8, 10]),
        u16s(&[11]),
        b"classes.dex".to_vec(),
        u32s(&[1, 8, 3]),
        u16s(&[12]),
        b"classes2.dex".to_vec(),
    ];
    let extra = [u16s(&[1, 3]), b"[[B".to_vec()].concat();
    // Class 8 is the first extra descriptor: there are 8 type ids.
    let classes = u16s(&[0, 2, 6, 2]);
    let hot = [u16s(&[3, 0, 1, 2, 5]), vec![2], u16s(&[7, 1]), u16s(&[6]), vec![7]].concat();
    let bitmap = vec![0b1000, 0, 0b1000];
    let body = [u16s(&[7]), bitmap, hot].concat();
    let methods = [u16s(&[0]), u32s(&[body.len() as u32]), body].concat();
    // A later Android may add sections: section 9 is skipped.
    let unknown = (9, vec![1, 2, 3]);
    let file =
        sections(&[(0, dex.concat()), (1, extra), (2, classes), (3, methods.clone()), unknown]);
    let mut profile = rules(ProfileVersion::S, 8);
    profile.extra_descriptors.push("[[B".into());
    assert_eq!(ArtProfile::read(&file), Ok(profile));
    // Class 8 without the extra descriptor.
    let classes = u16s(&[0, 2, 6, 2]);
    let file = sections(&[(0, dex.concat()), (2, classes), (3, methods)]);
    let error = ArtProfile::read(&file).expect_err("no class 8");
    assert_eq!(error.fault, ProfileFault::Index { what: "class", index: 8, count: 8 });
}

#[test]
fn metadata_has_positions_of_definitions() {
    let two = [
        u16s(&[0, 12]),
        b"classes2.dex".to_vec(),
        u32s(&[7740]),
        u16s(&[0, 1, 11]),
        b"classes.dex".to_vec(),
        u32s(&[9072]),
        u16s(&[2, 10, 2]),
    ];
    let metadata = Metadata::read(&compressed(b"prm\x00002\0\x02\0", &two.concat()));
    let metadata = metadata.expect("reads");
    assert_eq!(metadata.version, MetadataVersion::S);
    let [second, first] = &metadata.dex_files[..] else { panic!("{metadata:?}") };
    assert_eq!((&*second.key, second.number, second.type_ids), ("classes2.dex", 0, 7740));
    assert_eq!((&*first.key, first.number, first.type_ids), ("classes.dex", 1, 9072));
    assert_eq!(first.definitions, BTreeSet::from([10, 12]));
    let one = [
        u16s(&[11, 1]),
        b"classes.dex".to_vec(),
        u16s(&[12, 1]),
        b"classes2.dex".to_vec(),
        u16s(&[10, 20]),
    ];
    let metadata = Metadata::read(&compressed(b"prm\x00001\0\x02", &one.concat()));
    let metadata = metadata.expect("reads");
    let classes: Vec<_> = metadata.dex_files.iter().map(|dex| dex.definitions.clone()).collect();
    assert_eq!(classes, [BTreeSet::from([10]), BTreeSet::from([20])]);
}

#[test]
fn a_written_body_is_that_of_the_format() {
    let profile = rules(ProfileVersion::P, 0);
    let file = profile.write().expect("writes");
    let mut body = Vec::new();
    flate2::read::ZlibDecoder::new(&file[17..]).read_to_end(&mut body).expect("inflates");
    let [mut a, b] = headers();
    // Eight bytes of hot methods: inline caches are not written.
    a[4..8].copy_from_slice(&8u32.to_le_bytes());
    let rules = [u16s(&[3, 0, 1, 0, 6, 2]), vec![0b1000, 0, 0b1000], vec![0]].concat();
    assert_eq!(body, [a, b, rules].concat());
    assert_eq!(&file[..9], b"pro\x00010\0\x02");
}

#[test]
fn faults_have_offsets() {
    let error = |bytes: &[u8]| {
        let error = ArtProfile::read(bytes).expect_err("damaged");
        (error.region, error.offset, error.fault)
    };
    assert_eq!(error(b"prm\x00002\0"), (Region::File, 0, ProfileFault::Magic));
    let version = ProfileFault::Version("011".into());
    assert_eq!(error(b"pro\x00011\0"), (Region::File, 4, version));
    let short = ProfileFault::Truncated { needed: 4, left: 2 };
    assert_eq!(error(b"pro\x00010\0\x01\0\0"), (Region::File, 9, short));
    // A header that ends within its key.
    let cut = compressed(b"pro\x00010\0\x01", &headers()[0][..20]);
    let short = ProfileFault::Truncated { needed: 11, left: 4 };
    assert_eq!(error(&cut), (Region::Body, 16, short));
    let bomb = [&b"pro\x00010\0\x01"[..], &u32s(&[u32::MAX, 0])].concat();
    let large = ProfileFault::TooLarge { size: u32::MAX, limit: 16 << 20 };
    assert_eq!(error(&bomb), (Region::File, 17, large));
    let trailing = [compressed(b"pro\x00010\0\0", b""), vec![0]].concat();
    let after = trailing.len() - 1;
    assert_eq!(error(&trailing), (Region::File, after, ProfileFault::Trailing(1)));
}

/// Sections of one file can share their bytes: a small file must not make a reader decompress
/// without end.
#[test]
fn sections_together_have_a_limit() {
    let half = 9 << 20;
    let unknown = (9, vec![0; half]);
    let error = ArtProfile::read(&sections(&[(0, u16s(&[0])), unknown.clone(), unknown]));
    let size = 2 + 2 * half as u32;
    let fault = ProfileFault::TooLarge { size, limit: 16 << 20 };
    assert_eq!(error.map_err(|error| error.fault), Err(fault));
}
