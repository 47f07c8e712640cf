//! A base and its splits, as files and as an archive.

use apk::{Apk, AppSet, Fault};

use crate::support::{Attr, El, axml, dex, item, list, zip};

const VERSION_CODE: u32 = 0x0101_021b;

/// The manifest of the base, or of a split.
fn manifest(package: &'static str, version: i32, split: Option<&'static str>) -> Vec<u8> {
    let mut attributes = vec![Attr::Plain("package", package), Attr::Int(VERSION_CODE, version)];
    attributes.extend(split.map(|split| Attr::Plain("split", split)));
    axml(&El("manifest", attributes, vec![]), true)
}

fn package(name: &'static str, version: i32, split: Option<&'static str>) -> Vec<u8> {
    let manifest = manifest(name, version, split);
    zip(&[item("AndroidManifest.xml", &manifest), item("classes.dex", &dex(1, 50))])
}

/// A folder with these packages.
fn written(packages: &[Vec<u8>]) -> (tempfile::TempDir, Vec<std::path::PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let path = |i: usize| folder.path().join(format!("{i}.apk"));
    packages.iter().enumerate().for_each(|(i, bytes)| std::fs::write(path(i), bytes).unwrap());
    let paths = (0..packages.len()).map(path).collect();
    (folder, paths)
}

fn refused(packages: &[Vec<u8>]) -> Fault {
    let (_folder, paths) = written(packages);
    AppSet::read(&paths).unwrap_err().fault
}

#[test]
fn the_base_is_found_wherever_it_stands() {
    let (_folder, paths) = written(&[
        package("a.b", 3, Some("config.de")),
        package("a.b", 3, None),
        package("a.b", 3, Some("maps")),
    ]);
    let set = AppSet::read(&paths).unwrap();
    assert_eq!((set.base_number(), set.packages().len()), (1, 3));
    assert_eq!(set.pack(vec![vec![1], vec![2], vec![3]]).unwrap(), [[1], [2], [3]]);
}

#[test]
fn packages_that_no_device_installs_together_are_refused() {
    let base = || package("a.b", 3, None);
    let split = || package("a.b", 3, Some("maps"));
    assert!(matches!(refused(&[split(), package("a.b", 3, Some("de"))]), Fault::NoBase));
    let twice = refused(&[base(), base()]);
    assert!(matches!(twice, Fault::SplitTwice { split: None, .. }), "{twice}");
    let twice = refused(&[split(), base(), split()]);
    assert!(matches!(twice, Fault::SplitTwice { split: Some(_), .. }), "{twice}");
    let other = refused(&[base(), package("a.c", 3, Some("maps"))]);
    assert!(matches!(other, Fault::OtherApp { .. }), "{other}");
    let newer = refused(&[base(), package("a.b", 4, Some("maps"))]);
    assert!(newer.to_string().contains("a.b 4 is not the app of the base, a.b 3"), "{newer}");
    let jar = zip(&[item("classes.dex", &dex(1, 50))]);
    assert!(matches!(refused(&[base(), jar]), Fault::NotOfSet));
}

#[test]
fn an_archive_keeps_all_but_its_packages() {
    let (split, base) = (package("a.b", 3, Some("de")), package("a.b", 3, None));
    let variant = package("a.b", 3, None);
    let archive = zip(&[
        item("toc.pb", b"as it was"),
        item("splits/base-de.apk", &split).stored(),
        item("splits/base-master.apk", &base),
        item("splits/base-master_2.apk", &variant).stored(),
        item("icon.png", b"a picture"),
    ]);
    let (_folder, paths) = written(std::slice::from_ref(&archive));
    let set = AppSet::read(&paths).unwrap();
    assert_eq!((set.base_number(), set.packages().len()), (1, 3));
    assert_eq!([0, 1, 2].map(|n| set.first_of(n)), [0, 1, 1]);
    let new = [b"first".to_vec(), b"second".to_vec(), b"third".to_vec()];
    let packed = set.pack(new.to_vec()).unwrap();
    let [packed] = &packed[..] else { panic!("one archive") };
    let (before, after) = (list(&archive), list(packed));
    let names = |found: &[crate::support::Found]| -> Vec<String> {
        found.iter().map(|f| f.name.clone()).collect()
    };
    assert_eq!(names(&before), names(&after));
    let again = Apk::from_bytes("again", packed.clone()).unwrap();
    let all: Vec<Vec<u8>> = again.small_entries(1 << 20, 1 << 20, |_| true).collect();
    let want: [&[u8]; 5] = [b"as it was", b"first", b"second", b"third", b"a picture"];
    assert_eq!(all, want);
}

#[test]
fn an_archive_of_packages_that_inflates_to_gigabytes_is_refused() {
    let bomb = crate::support::bomb("splits/base-master.apk", 2048);
    let (_folder, paths) = written(&[zip(&[bomb])]);
    assert!(matches!(AppSet::read(&paths).unwrap_err().fault, Fault::TooLarge { .. }));
}

#[test]
fn a_single_file_is_what_it_was() {
    let jar = zip(&[item("classes.dex", &dex(1, 50)), item("assets/a.apk", b"no package")]);
    for file in [jar, package("a.b", 3, None), dex(1, 50)] {
        let (_folder, paths) = written(std::slice::from_ref(&file));
        let set = AppSet::read(&paths).unwrap();
        assert_eq!((set.packages().len(), set.base_number(), set.size()), (1, 0, file.len()));
    }
}
