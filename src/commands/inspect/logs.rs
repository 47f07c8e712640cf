//! `pathlight inspect` of trace files and logcat text.

use decoder::Damage;
use decoder::log::{Collector, Process, SegmentStart, wall_clock};
use serde::Serialize;

use super::Args;
use crate::error::Result;
use crate::outputs::print::{Printer, counted, show};

#[derive(Debug, Serialize)]
struct ThreadFacts {
    number: u32,
    name: Option<String>,
    /// True if its beginning was not recorded.
    late: bool,
    slabs: u64,
    bytes: u64,
    segments: usize,
    /// Ranges of missing slabs: the first one, and the first that is present again.
    gaps: Vec<(u32, u32)>,
    sync_points: usize,
    /// True if the last slab is closed.
    complete: bool,
    /// Bytes that no decoding can begin in.
    unusable_bytes: u64,
}

#[derive(Debug, Serialize)]
struct ProcessFacts {
    build: String,
    pid: u32,
    name: String,
    /// Wall clock at the start, ms since 1970.
    start_ms: u64,
    /// Reason of its end, for programs; absent if the device noted nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<String>,
    /// The same for people.
    #[serde(skip)]
    ended: Option<String>,
    /// Threads that its log had no room for: left out, and cut short.
    refused: (u32, u32),
    threads: Vec<ThreadFacts>,
}

#[derive(Debug, Serialize)]
struct LogFacts {
    kind: &'static str,
    processes: Vec<ProcessFacts>,
    slabs: u64,
    duplicates: u64,
    lines: u64,
    problems: Vec<String>,
    more_problems: u64,
}

/// Shows the processes, threads and segments of collected logs.
pub fn show_logs(
    name: &str,
    collector: Collector,
    args: &Args,
    out: &mut Printer,
) -> Result<Damage> {
    let (set, processes) = collector.finish_each();
    let mut damage = Damage::of_set(&set);
    let thread = |t: &decoder::log::ThreadLog| ThreadFacts {
        number: t.number,
        name: t.name.clone(),
        late: t.late,
        slabs: t.segments.iter().map(|s| u64::from(s.slabs)).sum(),
        bytes: t.segments.iter().map(|s| s.bytes.len() as u64).sum(),
        segments: t.segments.len(),
        gaps: t.gaps.iter().map(|g| (g.from, g.to)).collect(),
        sync_points: t.segments.iter().map(|s| s.syncs.len() + s.restarts.len()).sum(),
        complete: t.segments.last().is_none_or(|s| s.complete),
        unusable_bytes: t
            .segments
            .iter()
            .map(|s| match s.start {
                SegmentStart::Beginning { .. } => 0,
                SegmentStart::Sync(p) => p.offset as u64,
                SegmentStart::Midway(p) => p.offset as u64,
                SegmentStart::Restart(p) => p.offset as u64,
                SegmentStart::Nowhere => s.bytes.len() as u64,
            })
            .sum(),
    };
    let mut process = |p: Process| {
        damage += Damage::of_process(&p);
        ProcessFacts {
            build: p.build_id.to_string(),
            pid: p.pid,
            name: p.name,
            start_ms: p.start_ms,
            exit: p.exit.map(|exit| exit.reason.name()),
            ended: p.exit.as_ref().map(reports::exit_words),
            refused: (p.refused.threads, p.refused.cut),
            threads: p.threads.iter().map(thread).collect(),
        }
    };
    let facts = LogFacts {
        kind: "log",
        processes: processes.map(|p| p.map(&mut process)).collect::<std::result::Result<_, _>>()?,
        slabs: set.slabs,
        duplicates: set.duplicates,
        lines: set.lines,
        problems: set.problems.iter().map(ToString::to_string).collect(),
        more_problems: set.more_problems,
    };
    if args.json {
        out.json(&facts)?;
    } else {
        print_logs(&facts, out)?;
    }
    if facts.processes.is_empty() {
        return Err(format!("{name}: no log of an instrumented app in it").into());
    }
    Ok(damage)
}

fn print_logs(f: &LogFacts, out: &mut Printer) -> Result {
    let builds: std::collections::BTreeSet<&str> =
        f.processes.iter().map(|p| p.build.as_str()).collect();
    show!(
        out,
        "{}, {}, {}, {}",
        counted(builds.len(), "build"),
        counted(f.processes.len(), "process"),
        counted(f.slabs, "slab"),
        counted(f.duplicates, "duplicate")
    )?;
    for p in &f.processes {
        let (day, time) = wall_clock(p.start_ms);
        show!(out, "process {} {}, started {day} {time} UTC, build {}", p.pid, p.name, p.build)?;
        if let Some(ended) = &p.ended {
            show!(out, "  ended: {ended}")?;
        }
        show!(
            out,
            "  {:>6} {:<24} {:>8} {:>10} {:>8} {:>8}",
            "thread",
            "name",
            "slabs",
            "bytes",
            "gaps",
            "syncs"
        )?;
        for t in &p.threads {
            let name = t.name.as_deref().unwrap_or("?");
            let late = if t.late { "  beginning not recorded" } else { "" };
            let open = if t.complete { "" } else { "  last slab open" };
            show!(
                out,
                "  {:>6} {:<24} {:>8} {:>10} {:>8} {:>8}{open}{late}",
                t.number,
                name,
                t.slabs,
                t.bytes,
                t.gaps.len(),
                t.sync_points
            )?;
            for (from, to) in &t.gaps {
                // An empty range: the log breaks off there.
                match to.checked_sub(1).filter(|last| last >= from) {
                    Some(last) => show!(out, "         missing: slabs {from} to {last}")?,
                    None => show!(out, "         the log breaks off at slab {from}")?,
                }
            }
            if t.unusable_bytes > 0 {
                let bytes = counted(t.unusable_bytes, "byte");
                show!(out, "         {bytes} without a beginning, which cannot be decoded")?;
            }
        }
    }
    for problem in &f.problems {
        show!(out, "problem: {problem}")?;
    }
    if f.more_problems > 0 {
        show!(out, "… and {}", counted(f.more_problems, "more problem"))?;
    }
    Ok(())
}
