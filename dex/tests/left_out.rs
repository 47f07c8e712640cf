//! Bytes that reading leaves out: those that belong to no section, and bad debug info.

use dex::{CodeId, Dex, unmapped_bytes};

const KITCHEN: &[u8] = include_bytes!("fixtures/kitchen.dex");
const DYNAMIC: &[u8] = include_bytes!("fixtures/dynamic.dex");
const HIDDEN: &[u8] = include_bytes!("fixtures/hidden.dex");

const FILE_SIZE: usize = 32;
const LINK_SIZE: usize = 44;
const MAP_OFF: usize = 52;
const STRING_DATA: u16 = 0x2002;
const CODE: u16 = 0x2001;

fn put_u32(bytes: &mut [u8], at: usize, v: u32) {
    bytes[at..at + 4].copy_from_slice(&v.to_le_bytes());
}

fn get_u32(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// The map's entry for a kind of section: kind, count (at 4), offset (at 8).
fn map_entry(bytes: &[u8], kind: u16) -> usize {
    let map = get_u32(bytes, MAP_OFF);
    let mut entries = (0..get_u32(bytes, map)).map(|i| map + 4 + 12 * i);
    entries.find(|&at| bytes[at..at + 2] == kind.to_le_bytes()).unwrap()
}

/// A file with these bytes after it, inside its stated size and with a fitting checksum.
fn appended(file: &[u8], more: &[u8]) -> Vec<u8> {
    let mut bytes = [file, more].concat();
    let size = bytes.len() as u32;
    put_u32(&mut bytes, FILE_SIZE, size);
    summed(bytes)
}

fn summed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = adler2::adler32_slice(&bytes[12..]);
    put_u32(&mut bytes, 8, sum);
    bytes
}

/// One range, as a list.
fn only(range: std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
    std::iter::once(range).collect()
}

#[test]
fn sections_hold_every_byte_that_smali_and_this_crate_write() {
    for file in [KITCHEN, DYNAMIC, HIDDEN] {
        assert_eq!(unmapped_bytes(file), Ok(vec![]));
        let written = Dex::read(file).unwrap().write().unwrap();
        assert_eq!(unmapped_bytes(&written), Ok(vec![]));
    }
}

#[test]
fn content_after_the_last_section_is_found_and_zeros_are_padding() {
    let end = KITCHEN.len();
    let payload = appended(KITCHEN, b"\0\0payload\0two\0\0\0");
    assert_eq!(unmapped_bytes(&payload), Ok(only(end + 2..end + 13)));
    assert_eq!(unmapped_bytes(&appended(KITCHEN, &[0; 100])), Ok(vec![]));
}

#[test]
fn content_after_the_stated_end_is_found() {
    let longer = [KITCHEN, b"payload"].concat();
    assert!(Dex::read(&longer).is_ok(), "the end that the header states is valid");
    assert_eq!(unmapped_bytes(&longer), Ok(only(KITCHEN.len()..longer.len())));
}

#[test]
fn link_data_are_found() {
    let mut linked = appended(KITCHEN, b"linked");
    put_u32(&mut linked, LINK_SIZE, 6);
    put_u32(&mut linked, LINK_SIZE + 4, KITCHEN.len() as u32);
    assert_eq!(unmapped_bytes(&summed(linked)), Ok(only(KITCHEN.len()..KITCHEN.len() + 6)));
}

/// A map that lists one string less leaves the last one between two sections.
#[test]
fn content_between_two_sections_is_found() {
    let mut bytes = KITCHEN.to_vec();
    let entry = map_entry(&bytes, STRING_DATA);
    let count = get_u32(&bytes, entry + 4);
    put_u32(&mut bytes, entry + 4, count as u32 - 1);
    let (ids, offsets) = (get_u32(&bytes, 60), get_u32(&bytes, 56));
    let last = (0..offsets).map(|i| get_u32(&bytes, ids + 4 * i)).max().unwrap();
    let text = bytes[last..].iter().position(|&b| b == 0).unwrap();
    assert_eq!(unmapped_bytes(&bytes), Ok(only(last..last + text)));
}

#[test]
fn a_section_of_a_kind_that_the_format_does_not_have_holds_nothing() {
    let mut bytes = KITCHEN.to_vec();
    let entry = map_entry(&bytes, CODE);
    let start = get_u32(&bytes, entry + 8);
    bytes[entry..entry + 2].copy_from_slice(&0x7777u16.to_le_bytes());
    let found = unmapped_bytes(&bytes).unwrap();
    assert_eq!(found.len(), 1);
    assert!((start..start + 4).contains(&found[0].start), "{found:?} at {start}");
}

/// Every byte damaged in turn: an answer or an error, and soon.
#[test]
fn damage_never_ends_the_program() {
    for at in 0..KITCHEN.len() {
        for value in [0, 0x7f, 0xff] {
            let mut bytes = KITCHEN.to_vec();
            bytes[at] = value;
            for range in unmapped_bytes(&bytes).unwrap_or_default() {
                assert!(range.start < range.end && range.end <= bytes.len());
            }
        }
    }
}

/// The file with this offset as that of its first body's debug info.
fn with_debug_off(file: &[u8], offset: u32) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let code = get_u32(&bytes, map_entry(&bytes, CODE) + 8);
    put_u32(&mut bytes, code + 8, offset);
    summed(bytes)
}

fn debug_infos(dex: &Dex) -> usize {
    dex.codes.iter().filter(|body| body.item().is_some_and(|item| item.debug.is_some())).count()
}

/// `DexFile::GetDebugInfoStream` names 0xFFFFFFFF, and takes every offset from the file's size on.
#[test]
fn debug_info_outside_the_file_is_none_as_for_art() {
    let before = debug_infos(&Dex::read(KITCHEN).unwrap());
    for offset in [u32::MAX, KITCHEN.len() as u32] {
        let bytes = with_debug_off(KITCHEN, offset);
        let (dex, malformed) = Dex::read_shared_noting(bytes.clone().into()).unwrap();
        assert_eq!((debug_infos(&dex), malformed), (before - 1, vec![]));
        assert_eq!(debug_infos(&Dex::read(&bytes).unwrap()), before - 1);
    }
}

#[test]
fn malformed_debug_info_is_left_out_and_its_body_named() {
    let before = debug_infos(&Dex::read(KITCHEN).unwrap());
    // A number of six bytes, 268 million parameter names, and the name of a missing string.
    for item in [&[0xff; 6][..], &[1, 0xff, 0xff, 0xff, 0x7f], &[1, 1, 0xff, 0xff, 0x7f, 0]] {
        let bytes = with_debug_off(&appended(KITCHEN, item), KITCHEN.len() as u32);
        let (dex, malformed) = Dex::read_shared_noting(bytes.clone().into()).unwrap();
        assert_eq!(malformed.len(), 1);
        let CodeId(body) = malformed[0];
        assert_eq!(dex.codes[body as usize].item().unwrap().debug, None);
        assert_eq!(debug_infos(&dex), before - 1, "all others have theirs");
        assert_eq!(debug_infos(&Dex::read(&bytes).unwrap()), before - 1);
    }
}
