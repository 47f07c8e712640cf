//! Random damage: whatever comes in, an answer or an error comes out. `cargo xtask mutants` does
//! more, for longer and on real files.

use apk::{Apk, WriteOptions};
use mutation::{Rng, overwrite, resize};

use crate::support::*;

fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=rng.below(4) {
        if rng.one_in(3) { resize(bytes, rng) } else { overwrite(bytes, rng) }
    }
}

#[test]
fn damaged_packages_never_panic() {
    let seeds = [zip(&full_apk(26, 34)), zip(&full_apk(5, 5)), dex(1, 300)];
    let mut rng = Rng::new(0x5eed);
    let (mut opened, mut written) = (0, 0);
    for round in 0..4000 {
        let mut bytes = seeds[round % seeds.len()].clone();
        damage(&mut bytes, &mut rng);
        let Ok(apk) = Apk::from_bytes("m", bytes) else { continue };
        opened += 1;
        let _ = apk.dex_files();
        written += usize::from(apk.write(&[], &[], &[], None, WriteOptions::default()).is_ok());
    }
    assert!(
        opened > 100 && written > 100,
        "the damage is too coarse to test anything: {opened}, {written}"
    );
}

/// The manifest inside a zip is guarded by its checksum, so it is damaged before it is packed.
#[test]
fn damaged_manifests_never_panic() {
    let whole = manifest(26, 34);
    let mut rng = Rng::new(0xab1e);
    let mut opened = 0;
    for _ in 0..4000 {
        let mut xml = whole.clone();
        damage(&mut xml, &mut rng);
        opened +=
            usize::from(Apk::from_bytes("m", zip(&[item("AndroidManifest.xml", &xml)])).is_ok());
    }
    assert!(opened > 100, "{opened}");
}
