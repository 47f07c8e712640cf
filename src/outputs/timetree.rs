//! The output of `pathlight timetree query`.

use std::fs::File;

use serde::Serialize;
use timetree::{
    Answer, ContextRow, Error, Index, Interval, Stats, Thread, ThreadOrigin, ThreadOutcome, Weight,
    WeightUnit, compare, compare_methods, methods,
};

use crate::error::Result;
use crate::outputs::print::{Printer, counted, show};

/// Returns the unit of a tree's weights.
pub fn unit(kind: WeightUnit) -> &'static str {
    match kind {
        WeightUnit::Paths => "blocks",
        WeightUnit::Samples => "samples",
        WeightUnit::Times => "µs",
    }
}

/// Formats a weight with its unit.
pub fn weighed(weight: u64, unit: &str) -> String {
    match unit.strip_suffix('s').filter(|one| one.is_ascii()) {
        Some(one) => counted(weight, one),
        None => format!("{weight} {unit}"),
    }
}

/// Names of methods, by their numbers in the tree.
pub struct Names(pub Vec<String>);

impl Names {
    fn of(&self, method: u32) -> String {
        match self.0.get(method as usize) {
            Some(name) => name.clone(),
            None => format!("method {method}"),
        }
    }

    /// The calls of a row, the outermost first.
    fn calls(&self, rows: &[ContextRow], row: &ContextRow) -> Vec<String> {
        let by_id = |id| rows.binary_search_by_key(&id, |r| r.id).ok().map(|at| &rows[at]);
        let above = |r: &&ContextRow| by_id(r.parent).filter(|p| p.id < r.id);
        let mut calls: Vec<String> = std::iter::successors(Some(row), above)
            .filter_map(|r| r.method.map(|m| self.of(m)))
            .collect();
        calls.reverse();
        calls
    }

    /// Returns the `top` heaviest methods and call paths, the heaviest first.
    pub fn heaviest(
        &self,
        rows: &[ContextRow],
        top: usize,
    ) -> (Vec<MethodAnswer>, Vec<PathAnswer>) {
        let method = |m: &timetree::MethodRow| MethodAnswer {
            method: self.of(m.method),
            own: m.own,
            total: m.total,
        };
        let mut heavy: Vec<&ContextRow> = rows.iter().filter(|r| r.weight.own > 0).collect();
        heavy.sort_by_key(|r| (std::cmp::Reverse(r.weight.own), r.id));
        let path =
            |row: &&ContextRow| PathAnswer { weight: row.weight.own, calls: self.calls(rows, row) };
        let methods = methods(rows);
        (methods.iter().take(top).map(method).collect(), heavy.iter().take(top).map(path).collect())
    }
}

/// Weights of a thread in the interval.
#[derive(Serialize)]
pub struct ThreadAnswer {
    process: String,
    pid: u32,
    thread: u32,
    name: String,
    start_ms: u64,
    from_us: u64,
    to_us: u64,
    unit: &'static str,
    weight: u64,
    /// Of it, what counts for a caller.
    folded: u64,
    methods: Vec<MethodAnswer>,
    paths: Vec<PathAnswer>,
    /// Differences to another interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<Compared>,
    lost_samples: u64,
    refused_records: u64,
    unproven_records: u64,
    missing_slabs: u64,
    doubtful_calls: u64,
    stats: StatsAnswer,
}

/// A method with what it weighed.
#[derive(Serialize)]
pub struct MethodAnswer {
    method: String,
    own: u64,
    total: u64,
}

/// A call path with what its last call weighed.
#[derive(Serialize)]
pub struct PathAnswer {
    weight: u64,
    /// The outermost call first.
    calls: Vec<String>,
}

/// Another interval beside the one that was asked for.
#[derive(Serialize)]
pub struct Compared {
    from_us: u64,
    to_us: u64,
    weight: u64,
    methods: Vec<MethodCompared>,
    paths: Vec<PathCompared>,
}

/// A method in both.
#[derive(Serialize)]
struct MethodCompared {
    method: String,
    first: u64,
    second: u64,
    /// Scaled to the length of the first.
    more: f64,
}

/// A call path in both.
#[derive(Serialize)]
struct PathCompared {
    first: u64,
    second: u64,
    /// Scaled to the length of the first.
    more: f64,
    calls: Vec<String>,
}

/// Counts of what was read.
#[derive(Serialize)]
struct StatsAnswer {
    height: u64,
    visited: u64,
    most_visited: u64,
    merged: u64,
    most_merged: u64,
    partial_leaves: u64,
    weights_read: u64,
}

impl From<Stats> for StatsAnswer {
    fn from(stats: Stats) -> Self {
        StatsAnswer {
            height: stats.height,
            visited: stats.visited,
            most_visited: stats.most_visited(),
            merged: stats.merged,
            most_merged: stats.most_merged(),
            partial_leaves: stats.partial,
            weights_read: stats.samples,
        }
    }
}

/// Returns the `top` greatest differences between two answers of a thread, by method and by path.
///
/// # Errors
/// An interval without length; pages that are damaged.
pub fn compared(
    index: &mut Index<File>,
    [first, second]: [(&Answer, Interval); 2],
    names: &Names,
    top: usize,
) -> std::result::Result<Compared, Error> {
    let rows = [index.rows(first.0)?, index.rows(second.0)?];
    let own = [methods(&rows[0]), methods(&rows[1])];
    let by_method = compare_methods((&own[0], first.1), (&own[1], second.1))?;
    let mut by_path = compare(first, second)?;
    by_path.retain(|d| d.more != 0.0);
    by_path.truncate(top);
    let path = |d: &timetree::Difference| {
        let [a, b] = &rows;
        let of = |rows: &[ContextRow]| {
            let at = rows.binary_search_by_key(&d.id, |r| r.id).ok()?;
            Some(names.calls(rows, &rows[at]))
        };
        let calls = of(a).or_else(|| of(b)).unwrap_or_default();
        PathCompared { first: d.first.own, second: d.second.own, more: d.more, calls }
    };
    let method = |d: &timetree::MethodDifference| MethodCompared {
        method: names.of(d.method),
        first: d.first,
        second: d.second,
        more: d.more,
    };
    Ok(Compared {
        from_us: second.1.from,
        to_us: second.1.to,
        weight: second.0.total,
        methods: by_method.iter().take(top).map(method).collect(),
        paths: by_path.iter().map(path).collect(),
    })
}

impl ThreadAnswer {
    /// Makes the answer of a thread in a tree of this kind.
    pub fn new(
        (thread, kind): (&Thread, WeightUnit),
        interval: Interval,
        answer: &Answer,
        (methods, paths): (Vec<MethodAnswer>, Vec<PathAnswer>),
    ) -> ThreadAnswer {
        let ThreadOutcome { lost, refused, unproven, missing, doubtful, .. } = thread.outcome;
        let origin = thread.origin.clone();
        ThreadAnswer {
            process: origin.process,
            pid: origin.pid,
            thread: origin.number,
            name: origin.name,
            start_ms: origin.start_ms,
            from_us: interval.from,
            to_us: interval.to,
            unit: unit(kind),
            weight: answer.total,
            folded: answer.weights.values().map(|w| w.other).sum(),
            methods,
            paths,
            compared: None,
            lost_samples: lost,
            refused_records: refused,
            unproven_records: unproven,
            missing_slabs: missing,
            doubtful_calls: doubtful,
            stats: answer.stats.into(),
        }
    }

    /// Returns true if anything ran in this interval or in the one that it is compared with.
    pub fn ran(&self) -> bool {
        self.weight > 0 || self.compared.as_ref().is_some_and(|c| c.weight > 0)
    }

    /// Prints it for people.
    pub fn print(&self, stats: bool, out: &mut Printer) -> Result {
        let ThreadAnswer { process, pid, thread, name, weight, unit, .. } = self;
        let whose = match *pid {
            0 => process.clone(),
            pid => format!("{process} (pid {pid})"),
        };
        let between = seconds(self.from_us, self.to_us);
        show!(out, "=== {whose}, thread {thread} \"{name}\", {between}")?;
        let folded = match self.folded {
            0 => String::new(),
            n => format!(", {n} of them counted for their callers"),
        };
        show!(out, "{}{folded}", weighed(*weight, unit))?;
        let lacks: Vec<String> = [
            (self.refused_records, "records could not be decoded"),
            (self.unproven_records, "records are not proven"),
            (self.missing_slabs, "slabs are missing"),
            (self.doubtful_calls, "calls are doubtful"),
        ]
        .iter()
        .filter(|lack| lack.0 > 0)
        .map(|(n, what)| format!("{n} {what}"))
        .collect();
        if !lacks.is_empty() {
            show!(out, "in the whole thread: {}", lacks.join(", "))?;
        }
        if self.lost_samples > 0 {
            show!(out, "in the whole file: {} samples were lost", self.lost_samples)?;
        }
        if !self.methods.is_empty() {
            show!(out, "{:>14} {:>14}  method", format!("own {unit}"), "with callees")?;
            for m in &self.methods {
                show!(out, "{:>14} {:>14}  {}", m.own, m.total, m.method)?;
            }
            show!(out, "{unit:>14}  call path")?;
            for p in &self.paths {
                show!(out, "{:>14}  {}", p.weight, path(&p.calls))?;
            }
        }
        if let Some(compared) = &self.compared {
            compared.print(unit, out)?;
        }
        if stats {
            let s = &self.stats;
            show!(
                out,
                "read: {} of at most {} nodes, {} merged, {} leaves in part, {} weights",
                s.visited,
                s.most_visited,
                s.merged,
                s.partial_leaves,
                s.weights_read
            )?;
        }
        Ok(())
    }
}

impl Compared {
    fn print(&self, unit: &str, out: &mut Printer) -> Result {
        let between = seconds(self.from_us, self.to_us);
        show!(out, "beside {between}: {}", weighed(self.weight, unit))?;
        if self.methods.is_empty() {
            show!(out, "no difference")?;
            return Ok(());
        }
        show!(out, "{:>14} {:>14} {:>14}  method", "first", "second", "more per time")?;
        for m in &self.methods {
            show!(out, "{:>14} {:>14} {:>+14.0}  {}", m.first, m.second, m.more, m.method)?;
        }
        show!(out, "{:>14} {:>14} {:>14}  call path", "first", "second", "more per time")?;
        for p in &self.paths {
            show!(out, "{:>14} {:>14} {:>+14.0}  {}", p.first, p.second, p.more, path(&p.calls))?;
        }
        Ok(())
    }
}

/// Prints a thread's call paths as folded stacks.
pub fn folded(
    origin: &ThreadOrigin,
    rows: &[ContextRow],
    names: &Names,
    out: &mut Printer,
) -> Result {
    let thread = match origin.name.as_str() {
        "" => format!("thread {}", origin.number),
        name => name.to_owned(),
    };
    for row in rows.iter().filter(|r| r.weight != Weight::default()) {
        let mut frames = vec![origin.process.clone(), thread.clone()];
        frames.extend(names.calls(rows, row));
        let frames: Vec<String> = frames.iter().map(|f| f.replace(';', "\\u003b")).collect();
        let stack = frames.join(";");
        if row.weight.own > 0 {
            show!(out, "{stack} {}", row.weight.own)?;
        }
        if row.weight.other > 0 {
            show!(out, "{stack};(other) {}", row.weight.other)?;
        }
    }
    Ok(())
}

/// An interval in seconds.
fn seconds(from: u64, to: u64) -> String {
    let seconds = |us: u64| us as f64 / 1e6;
    format!("{:.3} s to {:.3} s", seconds(from), seconds(to))
}

/// A call path in one line; calls of a method by itself are a number.
fn path(calls: &[String]) -> String {
    let one = |run: &[String]| match run.len() {
        1 => run[0].clone(),
        n => format!("{} × {n}", run[0]),
    };
    calls.chunk_by(|a, b| a == b).map(one).collect::<Vec<_>>().join(" > ")
}
