//! Cells that pass 2³² on a device: `runtime/test/Cells.java` sets them to 50 less and counts on.

use std::process::Command;

use model::counts::CountFile;

use super::host::{classes, run};

#[test]
fn cells_go_on_beyond_32_bits() {
    let dir = tempfile::tempdir().unwrap();
    let mut java = Command::new("java");
    java.arg("-XX:+UseSerialGC").arg(format!("-Dpathlight.dir={}", dir.path().display()));
    run({
        java.arg("-cp").arg(classes()).arg("pathlight.Cells");
        java
    });
    let files: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
    assert_eq!(files.len(), 1);
    let file = std::fs::read(files[0].as_ref().unwrap().path()).unwrap();
    let file = CountFile::parse(&file).unwrap();
    assert_eq!((file.damage.len(), file.torn), (0, 0));
    let mut want = vec![0; 512];
    let before = (1_u64 << 32) - 50;
    (want[7], want[8]) = (before + 100, before + 100);
    // Three rounds each time: of the loop that goes on, and of the one that is left.
    want[100 + 37] = before + 300;
    (want[200 + 3], want[200 + 37]) = (before + 100, 300);
    assert_eq!(file.pages[&0], want);
}
