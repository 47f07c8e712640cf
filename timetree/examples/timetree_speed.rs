//! Builds a tree of synthetic samples and asks it: time, memory, bytes, beside a scan of all
//! samples in memory. usage: speed FILE [SAMPLES [CONTEXTS]]
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::time::{Duration, Instant};

use mutation::Rng;
use timetree::{
    Builder, ContextId, Head, Index, Interval, Sample, ThreadOrigin, TreeOptions, WeightUnit,
};

/// The processor time of this thread: other load counts little.
fn processor() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(first.unwrap_or(0))
}

/// The largest amount of memory that this process had, in kB.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.map_or("unknown".into(), |l| l.trim().to_owned())
}

/// A context: few are frequent, and what is frequent changes with time.
fn context(rng: &mut Rng, phase: usize, contexts: usize) -> u32 {
    let most = contexts >> rng.below(14).min(contexts.ilog2() as usize);
    1 + ((rng.below(most.max(1)) + 97 * phase) % contexts) as u32
}

/// The fastest of three runs.
fn fastest(mut run: impl FnMut()) -> Duration {
    let mut once = || {
        let begin = Instant::now();
        run();
        begin.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    times[times.len() / 2]
}

fn quantiles(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    format!("median {:.2?}, 99 % within {:.2?}", at(50), at(99))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, usual| args.get(i).map_or(Ok(usual), |a| a.parse::<usize>());
    let file = Path::new(args.first().ok_or("usage: speed FILE [SAMPLES [CONTEXTS]]")?);
    let (n, contexts) = (number(1, 10_000_000)?, number(2, 10_000)?.max(1));
    let mut rng = Rng::new(1);
    let begin = processor();
    let head = Head { kind: WeightUnit::Samples, build_id: Vec::new() };
    let out = BufWriter::new(File::create(file)?);
    let mut b = Builder::new(out, &head, TreeOptions::default())?;
    for i in 0..contexts {
        let parent = ContextId((i / 3) as u32);
        b.contexts().enter(parent, i as u32);
    }
    let thread = b.thread(ThreadOrigin::default());
    for i in 0..n {
        let context = ContextId(context(&mut rng, i / 100_000, contexts));
        b.sample(thread, Sample { time: i as u64, context, weight: 1 })?;
    }
    b.finish::<String>(&[])?.into_inner().map_err(|e| e.into_error())?.sync_all()?;
    let took = processor() - begin;
    let bytes = std::fs::metadata(file)?.len();
    println!("build: {took:.2?}, {:.1} million samples/s", n as f64 / 1e6 / took.as_secs_f64());
    println!("file: {bytes} bytes, {:.2} a sample; memory: {}", bytes as f64 / n as f64, peak());

    let interval = |rng: &mut Rng| {
        let (a, b) = (rng.below(n + 1) as u64, rng.below(n + 1) as u64);
        Interval { from: a.min(b), to: a.max(b) }
    };
    let mut index = Index::open(file)?;
    let (mut warm, mut opened, mut read, mut total) = (Vec::new(), Vec::new(), 0, 0);
    for _ in 0..1000 {
        let asked = interval(&mut rng);
        warm.push(fastest(|| total += index.query(0, asked).map_or(0, |a| a.total)));
        opened.push(fastest(|| {
            if let Ok(mut new) = Index::open(file) {
                total += new.query(0, asked).map_or(0, |a| a.total);
                read += new.pages_read();
            }
        }));
    }
    println!("query, file open: {}", quantiles(warm));
    let query = median(&opened);
    println!("query, file opened anew: {}", quantiles(opened));
    println!("pages a query: {:.1}; memory: {} (sum {total})", read as f64 / 3e3, peak());

    let all: Vec<u32> = (0..n).map(|i| context(&mut rng, i / 100_000, contexts)).collect();
    let mut scanned = Vec::new();
    for _ in 0..100 {
        let asked = interval(&mut rng);
        scanned.push(fastest(|| {
            let mut counts = vec![0u64; contexts + 1];
            let part = &all[asked.from as usize..asked.to as usize];
            part.iter().for_each(|&c| counts[c as usize] += 1);
            std::hint::black_box(counts);
        }));
    }
    let scan = median(&scanned);
    println!("scan of an array in memory: {}", quantiles(scanned));
    // The scan takes time in proportion to the samples, the query hardly more.
    let even = n as f64 * query.as_secs_f64() / scan.as_secs_f64().max(1e-9);
    println!("break-even with the scan: about {:.1} million samples", even / 1e6);
    Ok(())
}
