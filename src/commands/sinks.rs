//! What all threads of all logs show to sinks that add up, on all cores.

use std::path::PathBuf;

use decoder::crew::share;
use decoder::replay::Program;
use decoder::session::{ThreadSink, decode_thread_on};
use model::map::Map;

use super::Result;
use super::decode::collect;
use super::jobs::Jobs;
use crate::progress::Progress;

/// What all logs show to such sinks, added up; and how many records could not be decoded.
pub fn decoded<'p, 'm, S: ThreadSink + Send>(
    map: &Map,
    program: &'p Program<'m>,
    logs: &[PathBuf],
    jobs: &Jobs,
    new: impl Fn() -> S + Sync,
    add: impl Fn(&mut S, &mut S),
) -> Result<(S, u64)> {
    let cores = jobs.cores();
    // One for each core: they add up to the same in any order.
    let mut sinks: Vec<Option<(S, u64)>> = (0..cores.count()).map(|_| None).collect();
    let processes = collect(map, logs)?;
    let all = processes.len();
    let progress = Progress::new("decoding");
    for (number, process) in (1..).zip(processes) {
        progress.at(format_args!("decoding process {number} of {all}"));
        let threads = process?.threads;
        share(&cores, &mut sinks, threads.len(), |sink, number| {
            let (sink, faulty) = sink.get_or_insert_with(|| (new(), 0));
            *faulty += decode_thread_on(&cores, program, &threads[number], sink).faulty;
        });
    }
    let mut sum = (new(), 0);
    for (sink, faulty) in sinks.iter_mut().flatten() {
        add(&mut sum.0, sink);
        sum.1 += *faulty;
    }
    Ok(sum)
}
