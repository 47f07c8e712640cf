//! Logs however they are packed, and maps found by the build of the logs.

use std::io::Write;

use crate::support::{Work, bundle, repository};

/// The decoded paths of these arguments, without the names of the inputs.
fn paths(work: &Work, line: &str) -> Vec<String> {
    let out = work.shell(&format!("pathlight decode {line} --format json")).ok().out;
    out.lines().filter(|l| !l.contains("\"files\"")).map(str::to_owned).collect()
}

#[test]
fn folders_archives_and_compressed_files_are_read_as_the_logs_in_them() {
    let work = Work::new();
    let plain = paths(&work, "session.plt");
    assert!(plain.len() > 100, "{plain:?}");
    work.shell("mkdir -p logs/deep; cp session.plt logs/deep; echo nothing > logs/notes.txt").ok();
    let bytes = work.read("session.plt");
    work.write("session.plt.gz", gzip(&bytes));
    work.shell("tar cf logs.tar logs; tar czf logs.tgz logs; mkdir packed; cp logs.tgz packed")
        .ok();
    for line in [
        "logs",
        "session.plt.gz",
        "logs.tar",
        "logs.tgz",
        "packed",
        "'sess*.plt'",
        "- < session.plt",
        "- < session.plt.gz",
        "- < logs.tgz",
        "--map . logs",
        "--map app.plmap logs.tar",
    ] {
        assert_eq!(paths(&work, line), plain, "{line}");
    }
}

/// A zip with one stored file (APPNOTE 4.3.7, 4.3.12, 4.3.16).
fn zip(name: &str, content: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(content);
    let (length, name_length) =
        ((content.len() as u32).to_le_bytes(), (name.len() as u16).to_le_bytes());
    // From the version that is needed to the length of the extra field.
    let facts = [
        &[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..],
        &crc.sum().to_le_bytes(),
        &length,
        &length,
        &name_length,
        &[0, 0],
    ]
    .concat();
    let local = [b"PK\x03\x04", &facts[..], name.as_bytes(), content].concat();
    let central = [b"PK\x01\x02\x14\0", &facts[..], &[0; 14], name.as_bytes()].concat();
    let size = (central.len() as u32).to_le_bytes();
    let at = (local.len() as u32).to_le_bytes();
    let end = [b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &size[..], &at, &[0, 0]].concat();
    [local, central, end].concat()
}

#[test]
fn a_zip_of_logs_is_read_and_an_app_is_named() {
    let work = Work::new();
    work.write("bugreport.zip", zip("FS/data/session.plt", &work.read("session.plt")));
    assert_eq!(paths(&work, "bugreport.zip"), paths(&work, "session.plt"));
    work.write("other.zip", zip("notes.txt", b"nothing of Pathlight"));
    work.run("decode other.zip").fails("other.zip: no log is in this archive");
    let apk = repository("android-fixtures/notes/prebuilt/notes.apk");
    work.write("notes.zip", bundle(&apk, b""));
    for app in ["notes.zip", "app.apk"] {
        work.run(&format!("decode --map app.plmap {app}"))
            .fails(&format!("{app} is a package, not a log"));
    }
}

#[test]
fn a_file_in_the_wrong_place_is_named_with_its_place() {
    let work = Work::new();
    work.run("decode app.plmap").fails("app.plmap is a map, not a log: pass it as --map");
    work.run("decode --map session.plt session.plt")
        .fails("session.plt is a log, not a map: pass it as LOGS");
    work.run("decode --map app.apk session.plt").fails("app.apk is a package, not a map");
    work.run("decode model.json").fails("model.json is a model, not a log");
    work.run("decode nofile.plt").fails("nofile.plt: there is no such file or folder");
    work.run("decode no*.plt").fails("no*.plt: no file has a name like this");
    work.run("decode --map no.plmap session.plt").fails("no.plmap: there is no such map");
    work.shell("mkdir empty").ok();
    work.run("decode empty").fails("empty: no log is in this folder; it is empty");
}

/// The map of the other build is looked at, and not taken.
#[test]
fn the_map_of_the_build_is_found_and_others_are_named() {
    let work = Work::new();
    work.shell("mkdir maps logs; cp session.plt logs; mv app.plmap maps").ok();
    work.run("instrument app.apk -o other.apk --sink logcat").ok();
    let other = work.names().into_iter().find(|name| name.starts_with("other-")).expect("a map");
    let ran = work.run("decode logs").fails("and no map of it is in logs, . (");
    assert!(ran.err.contains(&other), "{}", ran.err);
    work.run("decode logs --map maps").ok();
    work.run("decode logs --map .").fails("no map of it is in .");
    work.shell("cp maps/app.plmap logs").ok();
    for line in ["decode logs", "train logs -o m.json", "crash logs", "analyse logs"] {
        let ran = work.run(line);
        assert!(!ran.err.contains("no map"), "{line}: {}", ran.err);
    }
    work.run("report logs").ok();
    assert!(work.read("report.html").starts_with(b"<!"));
}

/// The second build's map has another name, so that the logs of the first stay readable.
#[test]
fn instrument_needs_no_names_and_keeps_each_builds_map() {
    let work = Work::new();
    let first = work.run("instrument app.apk").ok();
    assert!(
        first.out.contains("next: pathlight device install app-pathlight.apk"),
        "{}",
        first.out
    );
    work.run("instrument app.apk --sink logcat").ok();
    let maps = work.names().into_iter().filter(|n| n.starts_with("app-pathlight-")).count();
    assert_eq!(maps, 2);
    work.run("instrument app.apk -o copy.apk --codec none").ok();
    assert!(!work.names().iter().any(|name| name.starts_with("copy-")));
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(bytes).unwrap();
    gz.finish().unwrap()
}

/// A download that broke off: the callbacks before the damage are decoded.
#[test]
fn a_compressed_log_that_is_cut_is_read_up_to_the_damage() {
    let work = Work::new();
    let whole = paths(&work, "session.plt");
    let bytes = gzip(&work.read("session.plt"));
    work.write("cut.plt.gz", &bytes[..bytes.len() * 2 / 3]);
    work.shell("mkdir logs; cp session.plt logs; tar cf logs.tar logs").ok();
    let tar = work.read("logs.tar");
    // Of the headers of the folder and of the file, and half of the file.
    let half = &tar[..2 * 512 + work.read("session.plt").len() / 2];
    work.write("cut.tgz", gzip(half));
    work.write("cut.tar", half);
    for name in ["cut.plt.gz", "cut.tgz", "cut.tar"] {
        let ran = work.run(&format!("decode {name} --json"));
        assert_eq!(ran.code, Some(1), "{name}: {}", ran.err);
        assert!(ran.err.contains(": damaged ("), "{name}: {}", ran.err);
        assert!(ran.err.contains("what comes before the damage is read"), "{name}: {}", ran.err);
        // From the second line on, as the first one names the file.
        let lines: Vec<&str> = ran.out.lines().skip(1).collect();
        let same = lines.iter().zip(&whole).take_while(|(line, other)| *line == *other).count();
        assert!(same > 50, "{name}: {same} of {} lines", lines.len());
        let model = work.run(&format!("train {name} -o x.json --force"));
        assert_eq!(model.code, Some(1), "{name}: {}", model.err);
        assert!(model.out.contains("1 session in the model"), "{name}: {}", model.out);
    }
    work.write("empty.plt.gz", &bytes[..4]);
    let ran = work.run("decode --map app.plmap empty.plt.gz");
    ran.fails("empty.plt.gz: ");
    let mut flipped = bytes.clone();
    // The checksum, before the length.
    let at = flipped.len() - 6;
    flipped[at] ^= 1;
    work.write("flipped.plt.gz", flipped);
    let ran = work.run("decode flipped.plt.gz --json");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.lines().skip(1).eq(whole.iter()), "all of it can be read");
}

/// An unreadable archive may have held logs: it is reported, and the rest is decoded.
#[test]
fn an_archive_in_a_folder_that_cannot_be_read_is_reported_as_damage() {
    let work = Work::new();
    let bytes = gzip(&work.read("session.plt"));
    work.shell("mkdir logs; cp session.plt app.apk logs; ln -s .. logs/up").ok();
    assert!(work.run("decode logs").ok().err.contains("logs/up: a link to a folder"));
    work.write("logs/cut.plt.gz", &bytes[..bytes.len() / 2]);
    let ran = work.run("decode logs");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("logs/cut.plt.gz: "), "{}", ran.err);
    assert!(ran.out.contains("=== "), "{}", ran.out);
}

#[test]
fn a_count_file_among_logs_is_named_with_the_commands_that_read_it() {
    let work = Work::new();
    let counts = repository("tests/cli/recorded/pathlight-ca94d6a4-21989-1795986718836.plc");
    std::fs::copy(counts, work.path("counts.plc")).unwrap();
    let ran = work.run("decode --map app.plmap session.plt counts.plc").ok();
    assert!(ran.err.contains("counts.plc is a count file: `paths analyse`"), "{}", ran.err);
}
