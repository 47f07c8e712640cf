//! Memory used to read a file of samples, including damaged ones.

use mutation::Rng;
use peak_alloc::PeakAlloc;
use samples::read::Samples;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Bytes that are allocated for each byte of a file at most.
const TIMES: usize = 2;
/// Memory of small files: the first entries of some tables.
const SMALL: usize = 96 << 10;

fn varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn field(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, bytes.len() as u64);
    out.extend(bytes);
}

fn number(out: &mut Vec<u8>, field: u64, n: u64) {
    varint(out, field << 3);
    varint(out, n);
}

/// A Perfetto trace with `samples` samples of three stacks.
fn perfetto(samples: u64) -> Vec<u8> {
    let mut tables = Vec::new();
    for id in 1..4 {
        let (mut text, mut frame, mut stack) = (Vec::new(), Vec::new(), Vec::new());
        number(&mut text, 1, id);
        field(&mut text, 2, format!("org.example.Cls{id}.run").as_bytes());
        number(&mut frame, 1, id);
        number(&mut frame, 2, id);
        number(&mut stack, 1, id);
        (1..=id).for_each(|frame| number(&mut stack, 2, frame));
        field(&mut tables, 5, &text);
        field(&mut tables, 6, &frame);
        field(&mut tables, 7, &stack);
    }
    let (mut trace, mut packet) = (Vec::new(), Vec::new());
    number(&mut packet, 13, 1);
    field(&mut packet, 12, &tables);
    field(&mut trace, 1, &packet);
    for at in 0..samples {
        let (mut packet, mut sample) = (Vec::new(), Vec::new());
        number(&mut sample, 3, 10);
        number(&mut sample, 4, 1 + at % 3);
        number(&mut packet, 8, 1_000_000 * at);
        field(&mut packet, 66, &sample);
        field(&mut trace, 1, &packet);
    }
    trace
}

/// A file of each format, the real ones where there are some, and large ones.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let art = include_bytes!("data/art10.trace");
    let mut long = art.to_vec();
    // Its last events again and again.
    let events = art[art.len() - 4500..].to_vec();
    (0..200).for_each(|_| long.extend(&events));
    let dump = include_bytes!("data/art10-dump.txt");
    vec![
        ("simpleperf", include_bytes!("data/simpleperf-sort.pb").to_vec()),
        ("perfetto", perfetto(200)),
        ("perfetto, long", perfetto(30_000)),
        ("art", art.to_vec()),
        ("art, long", long),
        ("text", dump.to_vec()),
        ("text, long", dump.repeat(100)),
    ]
}

/// Bytes at most while a file is read, beyond those that were there.
fn taken(bytes: &[u8]) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    drop(Samples::read(bytes));
    MEMORY.peak_usage().saturating_sub(before)
}

fn judge(times: usize) {
    for (name, file) in files() {
        let whole = taken(&file);
        println!("{name}: {} bytes take {whole}", file.len());
        assert!(whole <= TIMES * file.len() + SMALL, "{name}: {whole} of {}", file.len());
        // Long files show the memory per byte; damage is done to short ones.
        let times = if file.len() > 100_000 { times / 500 } else { times };
        let mut rng = Rng::new(file.len() as u64);
        let mut most = 0.0_f64;
        for _ in 0..times {
            let mut bytes = file.clone();
            for _ in 0..1 + rng.below(4) {
                match rng.one_in(3) && !bytes.is_empty() {
                    true => mutation::resize(&mut bytes, &mut rng),
                    false => mutation::overwrite(&mut bytes, &mut rng),
                }
            }
            let found = taken(&bytes);
            most = most.max(found as f64 / bytes.len().max(1) as f64);
            let bound = TIMES * bytes.len() + SMALL;
            assert!(found <= bound, "{name}: {found} of {} bytes", bytes.len());
        }
        println!("{name}: {times} damaged files take {most:.1} times their bytes at most");
    }
}

/// One test, so that no other allocates meanwhile.
#[test]
fn reading_takes_memory_in_proportion_to_the_file() {
    let many = std::env::var_os("MANY").is_some();
    judge(if many { 100_000 } else { 1000 });
}
