//! Logs that older builds wrote, see the README.md of `protocol2`, `map6` and `map7`.

use crate::support::{Work, repository};

/// Decodes these logs of a folder: each must give what the build that wrote it printed.
fn decode_as_before(folder: &str, logs: &[(&str, &str)]) {
    let work = Work::new();
    let from = repository(folder);
    work.shell(&format!("cp -r '{}'/. .", from.display())).ok();
    for (name, log) in logs {
        let shown = work.run(&format!("decode --map {name}.plmap {name}.{log}")).ok().out;
        let wanted =
            std::fs::read_to_string(from.join(format!("{name}.txt"))).expect("a golden file");
        assert_eq!(shown, wanted, "{name}");
    }
}

#[test]
fn logs_of_protocol_2_decode_as_the_build_that_wrote_them_did() {
    let files = ["arith", "arith-adaptive", "huffman", "pap", "implied"].map(|name| (name, "plt"));
    decode_as_before("tests/cli/protocol2", &files);
    decode_as_before("tests/cli/protocol2", &[("logcat", "log")]);
}

#[test]
fn inlined_calls_that_count_decode_as_the_build_that_wrote_them_did() {
    decode_as_before("tests/cli/map6", &[("inlined", "plt")]);
}

#[test]
fn a_map_without_stretches_and_origins_decodes_as_the_build_that_wrote_it_did() {
    decode_as_before("tests/cli/map7", &[("crash", "plt")]);
}
