//! Many logs: memory for one at a time, few open files, and files that change while they are read.

use tests::sim::closed_log;

use crate::support::{Ran, Work};

/// Runs a line with `ulimit` before it.
fn limited(work: &Work, limit: &str, line: &str) -> Ran {
    work.shell(&format!("ulimit {limit} && {line}"))
}

/// 32 MiB of data. Code, and the space that the allocator reserves for each thread, do not count:
/// they grow with the program and with the number of cores.
const DATA: &str = "-d 32768";

/// 16 logs of 8 MiB, and [`DATA`] for all that the program holds.
#[test]
fn memory_is_for_one_log() {
    let work = Work::new();
    let map = work.map();
    for pid in 1..=16 {
        work.write(&format!("full-{pid:02}.plt"), closed_log(&map, pid, 65_536, 128));
    }
    let out = limited(&work, DATA, "pathlight decode --map app.plmap full-*.plt").ok().out;
    assert_eq!(out.matches("### org.example").count(), 16);
    assert_eq!(out.matches("8382976 bytes").count(), 16, "{out}");
    let joined =
        limited(&work, DATA, "cat full-*.plt | pathlight decode --map app.plmap - --format json")
            .ok();
    assert_eq!(joined.out.matches("\"e\":\"process\"").count(), 16);
    assert_eq!(
        joined.out.matches("\"e\":\"skipped\",\"bytes\":8382976").count(),
        16,
        "{}",
        joined.out
    );
    limited(&work, DATA, "pathlight train --map app.plmap session.plt full-*.plt -o m.json").ok();
}

#[test]
fn two_thousand_files_need_few_descriptors() {
    let work = Work::new();
    let map = work.map();
    for pid in 1..=2000 {
        work.write(&format!("small-{pid}.plt"), closed_log(&map, pid, 128, 2));
    }
    let ran = limited(&work, "-n 24", "pathlight decode --map app.plmap small-*.plt").ok();
    assert_eq!(ran.out.matches("### org.example").count(), 2000);
}

/// The same paths whatever way the logs come.
#[test]
fn files_and_standard_input_in_any_order_give_the_same_paths() {
    let work = Work::new();
    work.write("full.plt", closed_log(&work.map(), 7, 1024, 30));
    let paths = |line: &str| {
        let out = work.shell(&format!("{line} --format json")).ok().out;
        // The names of the inputs are others.
        out.lines().filter(|l| !l.contains("\"files\"")).map(str::to_owned).collect::<Vec<_>>()
    };
    let files = paths("pathlight decode --map app.plmap session.plt full.plt");
    assert!(files.len() > 100, "{files:?}");
    for line in [
        "pathlight decode --map app.plmap full.plt session.plt full.plt",
        "cat full.plt session.plt | pathlight decode --map app.plmap -",
        "cat session.plt | pathlight decode --map app.plmap full.plt -",
        "pathlight decode --map app.plmap full.plt <(cat beta.log) session.plt",
    ] {
        assert_eq!(paths(line), files, "{line}");
    }
}

/// `other` is a pipe: it opens when the log before it has been looked through.
#[test]
fn a_log_that_changes_meanwhile_is_an_error_and_no_path() {
    let work = Work::new();
    work.shell("mkfifo other").ok();
    work.write("copy.plt", work.read("session.plt"));
    let before = work.read("model.json");
    for command in ["decode", "train -o model.json"] {
        // Another byte in the payload of the first slab.
        let ran = work.shell(&format!(
            "cp copy.plt session.plt
             pathlight {command} --map app.plmap session.plt other & exec 3>other
             printf X | dd of=session.plt bs=1 seek=700 conv=notrunc 2>&1; exec 3>&-; wait $!"
        ));
        let ran = ran.fails(
            "pathlight: session.plt, byte 588: the file was changed while it was being read\n",
        );
        assert!(!ran.out.contains("==="), "{}", ran.out);
    }
    assert_eq!(work.read("model.json"), before);
}
