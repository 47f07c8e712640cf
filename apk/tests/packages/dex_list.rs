//! End of the list of DEX files that ART loads.

use apk::{Apk, EndReason, ListEnd, NewEntry, WriteOptions};

use crate::support::{Item, dex, item, list, zip};

fn open(items: &[Item]) -> Apk {
    Apk::from_bytes("list.zip", zip(items)).unwrap()
}

fn loaded(apk: &Apk) -> Vec<String> {
    apk.dex_files().unwrap().loaded.into_iter().map(|dex| dex.name).collect()
}

fn end(name: &str, reason: EndReason, rest: &[&str]) -> ListEnd {
    ListEnd { name: name.into(), reason, rest: rest.iter().map(|&n| n.into()).collect() }
}

#[test]
fn a_numbered_file_that_is_no_dex_ends_the_list() {
    for other in [&b"no DEX"[..], &[0; 9], b""] {
        for stored in [false, true] {
            let second = item("classes2.dex", other);
            let second = if stored { second.stored() } else { second };
            let items =
                [item("classes.dex", &dex(1, 60)), second, item("classes3.dex", &dex(3, 60))];
            let apk = open(&items);
            assert_eq!(loaded(&apk), ["classes.dex"]);
            let rest = ["classes2.dex", "classes3.dex"];
            let ends = apk.dex_files().unwrap().ends;
            assert_eq!(ends, [end("classes2.dex", EndReason::NoDex, &rest)]);
            assert_eq!(apk.dex_files().unwrap().ignored, rest);
        }
    }
}

#[test]
fn a_missing_number_ends_the_list_and_numbers_count_as_numbers() {
    let names = ["classes.dex", "classes10.dex", "classes3.dex", "classes03.dex", "classes1.dex"];
    let apk = open(&names.map(|name| item(name, &dex(1, 60))));
    let rest = ["classes3.dex", "classes10.dex"];
    assert_eq!(apk.dex_files().unwrap().ends, [end("classes2.dex", EndReason::Missing, &rest)]);
}

#[test]
fn a_new_file_is_taken_only_where_nothing_numbered_follows() {
    let with = |name| open(&[item("classes.dex", &dex(1, 60)), item(name, &dex(2, 60))]);
    assert!(with("classes2.dex").takes_new_dex());
    assert!(with("assets/classes2.dex").takes_new_dex());
    // With a second one, ART would load the third, too.
    assert!(!with("classes3.dex").takes_new_dex());
}

#[test]
fn what_is_not_loaded_is_copied_untouched() {
    let items = [item("classes.dex", &dex(1, 60)), item("classes2.dex", &[0; 9])];
    let new = NewEntry { name: "classes.dex".into(), bytes: dex(7, 80) };
    let written = open(&items).write(&[new], &[], &[], None, WriteOptions::default()).unwrap();
    let raw = |bytes: &[u8]| list(bytes)[1].raw.clone();
    assert_eq!(raw(&written.bytes), raw(&zip(&items)));
}

/// It may be a DEX file, so its damage is reported.
#[test]
fn a_numbered_file_that_cannot_be_inflated_is_an_error() {
    let mut odd = item("classes2.dex", &dex(2, 60));
    odd.method = 14;
    let error = open(&[item("classes.dex", &dex(1, 60)), odd]).dex_files().unwrap_err();
    assert!(error.to_string().contains("classes2.dex"), "{error}");
}
