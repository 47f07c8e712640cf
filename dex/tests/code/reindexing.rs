//! Renumbering bodies that are not under edit.

use dex::remap_raw;
use dex::{CodeError, CodeItem, IndexMap, TypeIdx};
use dex::{RawHandlers, RawTry};

use crate::build::*;

/// Each pool with its own distance, so that a mix-up shows.
fn shifted() -> IndexMap {
    let by = |n: u32| (n..n + 100).collect();
    IndexMap {
        strings: by(0x1000),
        types: by(0x2000),
        protos: by(0x3000),
        fields: by(0x4000),
        methods: by(0x5000),
        call_sites: by(0x6000),
        method_handles: by(0x7000),
    }
}

#[test]
fn every_kind_of_index_is_patched_and_nothing_else() {
    let before = [
        0x021a, 1, // const-string
        0x021b, 1, 0, // const-string/jumbo
        0x021c, 2, // const-class
        0x1252, 3, // iget
        0x0260, 3, // sget
        0x106e, 4, 1, // invoke-virtual
        0x0174, 4, 1, // invoke-virtual/range
        0x10fa, 4, 1, 5, // invoke-polymorphic
        0x01fb, 4, 1, 5, // invoke-polymorphic/range
        0x10fc, 6, 1, // invoke-custom
        0x02fe, 7, // const-method-handle
        0x02ff, 5, // const-method-type
        0x0213, 1, // const/16
        0x0126, 4, 0,      // fill-array-data
        0x000e, // return-void
        0x0300, 2, 1, 0, 0x021a, // a table that looks like const-string
    ];
    let mut after = before;
    let patches = [
        (1, 0x1001),
        (3, 0x1001),
        (6, 0x2002),
        (8, 0x4003),
        (10, 0x4003),
        (12, 0x5004),
        (15, 0x5004),
        (18, 0x5004),
        (20, 0x3005),
        (22, 0x5004),
        (24, 0x3005),
        (26, 0x6006),
        (29, 0x7007),
        (31, 0x3005),
    ];
    for (at, index) in patches {
        after[at] = index;
    }
    let item = body(&before);
    let fast = remap_raw(&item, &shifted()).unwrap();
    assert_eq!(fast.insns, after);
    let slow = dex::lower(&dex::decode(&item).unwrap(), &shifted()).unwrap();
    assert_eq!(slow, fast, "both ways lead to the same body");
}

#[test]
fn handlers_are_renumbered() {
    let handlers = vec![RawHandlers { catches: vec![(TypeIdx(8), 1)], catch_all: None }];
    let tries = vec![RawTry { start: 0, len: 1, handlers: 0 }];
    let item = CodeItem { tries, handlers, ..body(&[0x0027, 0x000e]) };
    assert_eq!(remap_raw(&item, &shifted()).unwrap().handlers[0].catches, [(TypeIdx(0x2008), 1)]);
}

#[test]
fn a_string_that_moves_beyond_16_bits_becomes_jumbo() {
    let map = IndexMap { strings: vec![0x1_0000], ..IndexMap::default() };
    let item = remap_raw(&body(&[0x0328, 0x021a, 0, 0x000e]), &map).unwrap();
    assert_eq!(item.insns, [0x0428, 0x021b, 0, 1, 0x000e]);
}

#[test]
fn other_indices_beyond_16_bits_are_errors() {
    let map = IndexMap { fields: vec![0x1_0000], ..IndexMap::default() };
    assert!(matches!(
        remap_raw(&body(&[0x0060, 0, 0x000e]), &map),
        Err(CodeError::IndexTooBig { .. })
    ));
    assert!(matches!(
        remap_raw(&body(&[0x0060, 1, 0x000e]), &map),
        Err(CodeError::NotInPool { .. })
    ));
}
