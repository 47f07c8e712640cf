//! Folders, archives, compression and lists give what the plain files give.

use std::io::Write;
use std::path::PathBuf;

use crate::support::{Fleet, log, map};

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).expect("in memory");
    out.finish().expect("in memory")
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).expect("in memory")
}

#[test]
fn packed_inputs_give_the_same_bytes() {
    let map = map(1);
    let fleet = Fleet::new(&[&map]);
    let logs = fleet.sessions(&map, 0..12);
    fleet.shard("plain", &logs);
    let want = fleet.files("plain");
    let content: Vec<(String, Vec<u8>)> =
        (0..12).map(|n| (format!("s-{n}.plt"), log(&map, n))).collect();

    let mut tar = tar::Builder::new(Vec::new());
    for (number, (name, bytes)) in content.iter().enumerate() {
        let mut header = tar::Header::new_gnu();
        let packed = if number % 3 == 0 { zst(bytes) } else { bytes.clone() };
        header.set_size(packed.len() as u64);
        header.set_mode(0o644);
        let name = if number % 2 == 0 { format!("./{name}") } else { name.clone() };
        tar.append_data(&mut header, name, &packed[..]).expect("in memory");
    }
    let tar = tar.into_inner().expect("in memory");

    let mut ways: Vec<(&str, Vec<PathBuf>)> = vec![("folder", vec![fleet.at("raw")])];
    ways.push(("tar", vec![fleet.write("day.tar", &tar)]));
    ways.push(("tar.gz", vec![fleet.write("day.tar.gz", &gz(&tar))]));
    ways.push(("tar.zst", vec![fleet.write("day.tar.zst", &zst(&tar))]));
    let each = |ending: &str, pack: &dyn Fn(&[u8]) -> Vec<u8>| -> Vec<PathBuf> {
        let one = |(name, bytes): &(String, Vec<u8>)| {
            fleet.write(&format!("{ending}/{name}.{ending}"), &pack(bytes))
        };
        content.iter().map(one).collect()
    };
    ways.push(("gz", each("gz", &gz)));
    ways.push(("zst", each("zst", &zst)));
    let list: String = logs.iter().map(|path| format!("{}\n", path.display())).collect();
    let list = fleet.write("list.txt", list.as_bytes());
    ways.push(("list", vec![format!("@{}", list.display()).into()]));
    for (name, logs) in ways {
        let out = format!("out-{name}");
        let done = fleet.shard(&out, &logs);
        assert_eq!((done.inputs, done.sessions, done.errors), (12, 12, 0), "{name}");
        assert!(fleet.files(&out) == want, "{name}");
    }
}

#[test]
fn the_logs_of_a_subfolder_are_put_together() {
    let map = map(2);
    let fleet = Fleet::new(&[&map]);
    let whole = log(&map, 7);
    let plain = fleet.write("plain/phone.plt", &whole);
    fleet.shard("plain-out", &[plain]);
    // Two copies of one log, each with another half of it.
    let middle = (whole.len() - 20_000) / 2 / 344 * 344;
    let mut second = whole.clone();
    second[344..middle].fill(0);
    fleet.write("raw/phone/a/first.plt", &whole[..middle]);
    fleet.write("raw/phone/second.plt", &second);
    let done = fleet.shard("out", &[fleet.at("raw")]);
    assert_eq!((done.inputs, done.sessions, done.errors), (1, 1, 0));
    assert_eq!(fleet.rows("out", "edges"), fleet.rows("plain-out", "edges"));
}

#[test]
fn an_archive_that_breaks_off_is_an_error_beside_what_came_before() {
    let map = map(3);
    let fleet = Fleet::new(&[&map]);
    let mut tar = tar::Builder::new(Vec::new());
    for n in 0..3 {
        let bytes = log(&map, n);
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        tar.append_data(&mut header, format!("s-{n}.plt"), &bytes[..]).expect("in memory");
    }
    // All of the archive is there, but not the end of its compression.
    let mut packed = gz(&tar.into_inner().expect("in memory"));
    packed.truncate(packed.len() - 5);
    let done = fleet.shard("out", &[fleet.write("day.tar.gz", &packed)]);
    assert_eq!((done.sessions, done.errors), (3, 1));
}
