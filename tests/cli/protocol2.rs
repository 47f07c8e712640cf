//! Logs that older builds wrote, see `protocol2/README.md`.

use crate::support::{Work, repository};

#[test]
fn logs_of_protocol_2_decode_as_the_build_that_wrote_them_did() {
    let work = Work::new();
    let from = repository("tests/cli/protocol2");
    work.shell(&format!("cp -r '{}'/. .", from.display())).ok();
    for (name, log) in ["arith", "arith-adaptive", "huffman", "pap", "implied"]
        .map(|n| (n, "plt"))
        .into_iter()
        .chain([("logcat", "log")])
    {
        let shown = work.run(&format!("decode --map {name}.plmap {name}.{log}")).ok().out;
        let wanted =
            std::fs::read_to_string(from.join(format!("{name}.txt"))).expect("a golden file");
        assert_eq!(shown, wanted, "{name}");
    }
}
