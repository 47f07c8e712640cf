//! Branches that adapt: `runtime/test/Adapting.java` plays them, `model::adaptive` and
//! `model::coder` alone read what it wrote.

use std::io::Write;
use std::process::Stdio;

use model::adaptive::{CellAllocator, KEPT, RESET, RESET_BYTES, Rule};
use model::coder::Decoder;

use super::host::{classes, driver, stream, threads, trace};
use super::script::{DURATION, GAP, checks, span};

struct Generator(u64);

impl Generator {
    fn next(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32 % n
    }
}

/// Initial state of each branch: cell, frequencies.
pub(crate) fn branches(seed: u64) -> Vec<(u32, Vec<u16>)> {
    let mut random = Generator(seed);
    let mut layout = CellAllocator::default();
    (0..600)
        .map(|i| {
            let ways = if i % 4 == 0 { 3 + random.next(253) as usize } else { 2 };
            let counts: Vec<u64> = (0..ways)
                .map(|_| {
                    let size = random.next(20);
                    random.next(1 << size).into()
                })
                .collect();
            (layout.place(ways).unwrap(), model::table::quantise(&counts).unwrap())
        })
        .collect()
}

pub(crate) fn input(rule: Rule, branches: &[(u32, Vec<u16>)], seed: u32, ops: u32) -> Vec<u8> {
    let mut cells = vec![];
    for (at, freqs) in branches {
        cells.resize(*at as usize, 0u16);
        match freqs[..] {
            [first, _] => cells.push(first),
            _ => {
                cells.push(freqs.len() as u16);
                cells.extend(freqs);
            }
        }
    }
    let (inc, floor, shift) = match rule {
        Rule::Inc { inc, floor } => (u32::from(inc), u32::from(floor), 0),
        Rule::Shift(k) => (0, 1, u32::from(k)),
    };
    let mut words = vec![inc, floor, shift, cells.len() as u32];
    let mut bytes: Vec<u8> = words.iter().flat_map(|w| w.to_be_bytes()).collect();
    bytes.extend(cells.iter().flat_map(|c| (c ^ 0x8000).wrapping_add(1).to_be_bytes()));
    words = vec![branches.len() as u32];
    words.extend(branches.iter().flat_map(|(at, freqs)| [*at, freqs.len() as u32]));
    words.extend([seed, ops]);
    bytes.extend(words.iter().flat_map(|w| w.to_be_bytes()));
    bytes
}

/// Reads the whole script; gives where the tables restarted, in bytes.
fn read(data: &[u8], rule: Rule, branches: &[(u32, Vec<u16>)], seed: u32, ops: u32) -> Vec<usize> {
    read_reporting(data, rule, branches, seed, ops, |_| {})
}

/// The same; reports the frequencies of all branches at the end of each callback.
pub(crate) fn read_reporting(
    data: &[u8],
    rule: Rule,
    branches: &[(u32, Vec<u16>)],
    seed: u32,
    ops: u32,
    mut closed: impl FnMut(&[Vec<u16>]),
) -> Vec<usize> {
    let mut d = Decoder::new(data, 0);
    let mut random = Generator(seed.into());
    let mut now: Vec<Vec<u16>> = vec![];
    let (mut progress, mut open, mut top) = (0u32, false, false);
    let mut begins = vec![];
    for op in 0..ops {
        if !open {
            let at = d.record_start();
            let reset = d.peek_slice().unwrap() >= RESET.0;
            let (cum, freq) = if reset { RESET } else { KEPT };
            d.consume(cum, freq).unwrap();
            let far = begins.last().is_none_or(|last| at - last >= RESET_BYTES as usize);
            assert_eq!(reset, far, "operation {op}");
            if reset {
                begins.push(at);
                now = branches.iter().map(|b| b.1.clone()).collect();
            }
            if top {
                d.consume(0, 1000).unwrap();
                assert_eq!(d.bits(17), Ok(3));
            } else {
                d.consume(40000, 4096).unwrap();
            }
            span(&mut d, GAP).unwrap();
            progress += 1;
            (open, top) = (true, true);
        }
        let freqs = &mut now[random.next(branches.len() as u32) as usize];
        let ways = freqs.len() as u32;
        let taken = match random.next(100) {
            0..80 => 0,
            80..90 => ways - 1,
            _ => random.next(ways),
        } as usize;
        let cum: u32 = freqs[..taken].iter().map(|f| u32::from(*f)).sum();
        assert_eq!(d.consume(cum, freqs[taken].into()), Ok(()), "operation {op}");
        rule.update(freqs, taken);
        if random.next(300) == 0 {
            progress += 1;
            span(&mut d, DURATION).unwrap();
            for cum in checks(progress, d.renormalisations() > 0) {
                d.consume(cum, 257).unwrap();
            }
            d.flush().unwrap();
            open = false;
            closed(&now);
        }
    }
    if open {
        closed(&now);
    }
    begins
}

#[test]
fn tables_adapt_on_the_device_as_in_the_model() {
    let classes = classes();
    let rules = [
        Rule::Inc { inc: 4096, floor: 4096 },
        Rule::Inc { inc: 100, floor: 1 },
        Rule::Inc { inc: 65_535, floor: 1 },
        Rule::Shift(5),
        Rule::Shift(1),
    ];
    for (i, rule) in rules.into_iter().enumerate() {
        let branches = branches(i as u64);
        let (seed, ops) = (i as u32 + 7, 300_000);
        let dir = tempfile::tempdir().unwrap();
        let mut java = driver(classes, dir.path(), &["adapt", "0", "0", "0", "SLAB=256"]);
        let mut child = java.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&input(rule, &branches, seed, ops)).unwrap();
        assert!(child.wait().unwrap().success());
        let bytes = trace(dir.path());
        let all = threads(&bytes);
        let (_, data) = stream(&all[&1]);
        let before = all[&1].iter().map(|s| s.payload.len()).sum::<usize>() - data.len();
        let begins = read(&data, rule, &branches, seed, ops);
        assert!(begins.len() > 2, "{rule:?}: {} bytes", data.len());
        // The slabs name these places, and no others.
        let mut from = 0;
        let mut named = vec![];
        for slab in &all[&1] {
            named.extend(slab.header.sync.map(|y| from + usize::from(y.offset) - before));
            from += slab.payload.len();
        }
        assert_eq!(named, begins, "{rule:?}");
    }
}
