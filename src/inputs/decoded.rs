//! Decodes all threads of all logs into sinks that add up, on all cores.

use decoder::Damage;
use decoder::crew::{Cores, share};
use decoder::replay::{PathSink, Program};
use decoder::session::decode_thread_on;
use model::map::Map;

use super::LogFile;
use super::Logs;
use crate::error::Result;
use crate::outputs::progress::Progress;

/// Shows all logs to such sinks; gives their sum, and the damage in the logs.
pub fn decoded<'p, 'm, S: PathSink + Send>(
    map: &Map,
    program: &'p Program<'m>,
    logs: &[LogFile],
    cores: &Cores,
    new: impl Fn() -> S + Sync,
    add: impl Fn(&mut S, &mut S),
) -> Result<(S, Damage)> {
    // One for each core: they add up to the same in any order.
    let mut sinks: Vec<Option<(S, u64)>> = (0..cores.count()).map(|_| None).collect();
    let mut logs = Logs::of_build(map, logs)?;
    let all = logs.len();
    let progress = Progress::new("decoding");
    for (number, process) in (1..).zip(&mut logs) {
        progress.at_part(number - 1, all, format_args!("decoding process {number} of {all}"));
        let threads = process?.threads;
        share(cores, &mut sinks, threads.len(), |sink, number| {
            let (sink, faulty) = sink.get_or_insert_with(|| (new(), 0));
            *faulty += decode_thread_on(cores, program, &threads[number], sink).faulty;
        });
    }
    let mut sum = (new(), logs.damage());
    for (sink, faulty) in sinks.iter_mut().flatten() {
        add(&mut sum.0, sink);
        sum.1 += Damage::records(*faulty);
    }
    Ok(sum)
}
