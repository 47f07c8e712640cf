//! Random damage: whatever comes in, an answer or an error comes out. `examples/mutate_apk.rs` does the same for longer and
//! on real files.

use apk::{Apk, WriteOptions};

use crate::support::*;

/// xorshift64*: the same mutations on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let interesting = [0, 1, 0x7f, 0x80, 0xff];
        match random.below(5) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = interesting[random.below(5)],
            2 => {
                let end = (at + 4).min(bytes.len());
                bytes[at..end].fill(interesting[random.below(5)]);
            }
            3 => {
                let end = (at + random.below(64)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let end = (at + random.below(64)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

#[test]
fn damaged_packages_never_panic() {
    let seeds = [zip(&full_apk(26, 34)), zip(&full_apk(5, 5)), dex(1, 300)];
    let mut random = Random(0x5eed);
    let (mut opened, mut written) = (0, 0);
    for round in 0..4000 {
        let mut bytes = seeds[round % seeds.len()].clone();
        damage(&mut bytes, &mut random);
        let Ok(apk) = Apk::from_bytes("m", bytes) else { continue };
        opened += 1;
        let _ = apk.dex_files();
        written += usize::from(apk.write(&[], &[], &[], None, WriteOptions::default()).is_ok());
    }
    assert!(opened > 100 && written > 100, "the damage is too coarse to test anything: {opened}, {written}");
}

/// The manifest inside a zip is guarded by its checksum, so it is damaged before it is packed.
#[test]
fn damaged_manifests_never_panic() {
    let whole = manifest(26, 34);
    let mut random = Random(0xab1e);
    let mut opened = 0;
    for _ in 0..4000 {
        let mut xml = whole.clone();
        damage(&mut xml, &mut random);
        opened += usize::from(Apk::from_bytes("m", zip(&[item("AndroidManifest.xml", &xml)])).is_ok());
    }
    assert!(opened > 100, "{opened}");
}
