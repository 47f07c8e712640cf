//! Mutates real packages and opens, reads and writes each: nothing may panic, memory must stay low.
//!
//! `mutate_apk ROUNDS FILE…` prints how many were opened and written, and the peak memory (Linux).

use apk::{Apk, WriteOptions};

/// xorshift64*: the same mutations on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n.max(1)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let rounds: usize = args.next().ok_or("usage: mutate_apk ROUNDS FILE...")?.parse()?;
    let seeds = args.map(std::fs::read).collect::<Result<Vec<_>, _>>()?;
    let mut random = Random(0x5eed_0fa9);
    let (mut opened, mut inflated, mut written) = (0, 0, 0);
    let mut faults = std::collections::BTreeMap::<String, usize>::new();
    for round in 0..rounds {
        let mut bytes = seeds[round % seeds.len()].clone();
        // Half of the damage goes to the last tenth, where directory and end record are.
        for _ in 0..=random.below(3) {
            let len = bytes.len();
            let at = if random.below(2) == 0 { random.below(len) } else { len - 1 - random.below(len.div_ceil(10)) };
            match random.below(5) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
                2 => bytes[at..(at + 4).min(len)].fill([0, 0x7f, 0xff][random.below(3)]),
                3 => drop(bytes.drain(at..(at + random.below(40)).min(len))),
                _ => bytes.truncate(at.max(1)),
            }
            if bytes.is_empty() {
                bytes.push(0);
            }
        }
        match Apk::from_bytes("m", bytes) {
            Err(e) => {
                let kind = format!("{:?}", e.fault);
                *faults.entry(kind.split([' ', '(', '{']).next().unwrap_or_default().to_owned()).or_default() += 1;
            }
            Ok(apk) => {
                opened += 1;
                inflated += usize::from(apk.dex_files().is_ok());
                written += usize::from(apk.write(&[], &[], &[], None, WriteOptions::default()).is_ok());
            }
        }
    }
    println!(
        "{rounds} mutations: {opened} opened, {inflated} with sound dex files, {written} written; refused: {faults:?}"
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("{}", status.lines().find(|l| l.starts_with("VmHWM")).unwrap_or("peak memory unknown"));
    Ok(())
}
