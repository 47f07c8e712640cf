//! Samples for the Firefox Profiler.

use fxprof_processed_profile::{
    CategoryHandle, CpuDelta, Frame, FrameFlags, FrameInfo, Profile, ReferenceTimestamp,
    SamplingInterval, ThreadHandle, Timestamp,
};
use hashbrown::HashMap;

use crate::read::Samples;

/// Bytes that every such profile begins with.
pub const HEAD: &[u8] = b"{\"meta\":{\"categories\":";

/// A profile of samples, in the Firefox Profiler's processed form; `name` is that of the process,
/// `interval` the time from one sample to the next, in ns.
pub fn firefox(samples: &Samples, name: &str, interval: Option<u64>) -> Vec<u8> {
    let interval = SamplingInterval::from_nanos(interval.unwrap_or(1_000_000));
    // Samplers' clocks begin when the device does.
    let begin = ReferenceTimestamp::from_millis_since_unix_epoch(0.0);
    let mut profile = Profile::new(name, begin, interval);
    let first = samples.seen.iter().map(|s| s.ns).min().unwrap_or(0);
    let time = |ns: u64| Timestamp::from_nanos_since_reference(ns - first);
    let process = profile.add_process(name, 1, time(first));
    let mut threads: HashMap<u32, ThreadHandle> = HashMap::new();
    let labels: Vec<_> = samples
        .names
        .iter()
        .map(|n| {
            let class = if n.class.is_empty() { String::new() } else { format!("{}.", n.class) };
            let line = n.line.map_or(String::new(), |l| format!(":{l}"));
            profile.intern_string(&format!("{class}{}{line}", n.method))
        })
        .collect();
    for seen in samples.seen.by_time() {
        let thread = *threads.entry(seen.thread).or_insert_with(|| {
            let named = samples.threads.get(&seen.thread);
            let thread =
                profile.add_thread(process, seen.thread, time(seen.ns), threads_main(named));
            profile.set_thread_name(thread, named.map_or("", String::as_str));
            thread
        });
        let mut frames: Vec<u32> = samples.frames(seen.call).collect();
        frames.reverse();
        let info = |name: u32| FrameInfo {
            frame: Frame::Label(labels[name as usize]),
            category_pair: CategoryHandle::OTHER.into(),
            flags: FrameFlags::empty(),
        };
        let stack = profile.intern_stack_frames(thread, frames.into_iter().map(info));
        let weight = i32::try_from(seen.times).unwrap_or(i32::MAX);
        profile.add_sample(thread, time(seen.ns), stack, CpuDelta::ZERO, weight);
    }
    serde_json::to_vec(&profile).expect("a profile in memory always serialises")
}

fn threads_main(name: Option<&String>) -> bool {
    name.is_some_and(|n| n == "main")
}
