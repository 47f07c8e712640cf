//! Slow callbacks and their causes: each is compared with the median path of its method.

use std::collections::BTreeMap;
use std::io::{self, Write};

use decoder::log::{Process, ThreadLog};
use decoder::replay::{BlockNo, LoopRounds, PathEvent, PathSink, Program, Times, Via};
use decoder::session::Note;
use model::map::{CodeOrigin, MethodId};

use crate::base::duration::duration;
use crate::base::escape::visible;
use crate::base::names::dotted;

/// Maximum number of listed callbacks.
const LISTED: usize = 50;
/// Maximum number of callbacks of a method that the median is computed of.
const SAMPLES: usize = 63;
/// Maximum number of lines to name for each callback.
const PLACES: usize = 5;

/// Number of runs of each block, ascending by block; blocks that did not run are left out.
type Counts = Vec<(BlockNo, u64)>;

/// A slow callback.
#[derive(Debug)]
struct SlowCallback {
    took_us: u64,
    tick_us: u32,
    begin_us: u64,
    method: MethodId,
    /// Number of the callback in its thread, from 1.
    number: u64,
    /// Process and thread.
    place: String,
    counts: Counts,
}

/// A sample of the callbacks of one method, evenly spread.
#[derive(Debug)]
struct Samples {
    seen: u64,
    /// One of `stride` callbacks is kept.
    stride: u64,
    kept: Vec<(u64, Counts)>,
}

impl Default for Samples {
    fn default() -> Self {
        Samples { seen: 0, stride: 1, kept: Vec::new() }
    }
}

impl Samples {
    fn add(&mut self, took_us: u64, counts: impl FnOnce() -> Counts) {
        if self.seen.is_multiple_of(self.stride) {
            if self.kept.len() == SAMPLES {
                let mut at = 0;
                self.kept.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
                self.stride *= 2;
            }
            if self.seen.is_multiple_of(self.stride) {
                self.kept.push((took_us, counts()));
            }
        }
        self.seen += 1;
    }

    fn median(&self, of: impl Fn(&(u64, Counts)) -> u64) -> u64 {
        let mut all: Vec<u64> = self.kept.iter().map(of).collect();
        all.sort_unstable();
        all.get(all.len() / 2).copied().unwrap_or(0)
    }
}

fn count(counts: &Counts, block: BlockNo) -> u64 {
    counts.binary_search_by_key(&block, |c| c.0).map_or(0, |at| counts[at].1)
}

/// Finds slow callbacks. Receives the paths of one thread after the other.
#[derive(Debug)]
pub struct Slow<'p, 'm> {
    program: &'p Program<'m>,
    least_us: u64,
    /// Number of runs of each block in this callback; `ran` are the blocks that ran.
    counts: Vec<u64>,
    ran: Vec<BlockNo>,
    /// Times of the next callback; `running` are times and method of the current one.
    times: Option<Times>,
    running: Option<(Times, MethodId)>,
    depth: usize,
    number: u64,
    place: String,
    samples: BTreeMap<MethodId, Samples>,
    found: Vec<SlowCallback>,
    slow: u64,
    timed: u64,
}

impl<'p, 'm> Slow<'p, 'm> {
    /// Creates a finder of callbacks that took at least `least_us` µs.
    pub fn new(program: &'p Program<'m>, least_us: u64) -> Self {
        let blocks = program.map.methods.iter().map(|m| m.blocks.len()).sum();
        Slow {
            program,
            least_us,
            counts: vec![0; blocks],
            ran: Vec::new(),
            times: None,
            running: None,
            depth: 0,
            number: 0,
            place: String::new(),
            samples: BTreeMap::new(),
            found: Vec::new(),
            slow: 0,
            timed: 0,
        }
    }

    /// Begins a thread: the events that follow belong to it.
    pub fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        self.forget();
        self.number = 0;
        let name = thread.name.as_deref().unwrap_or("?");
        let (process, pid, number) = (&process.name, process.pid, thread.number);
        let place = format!("{process} (pid {pid}), thread {number} \"{name}\"");
        self.place = visible(&place).into_owned();
    }

    fn forget(&mut self) {
        self.ran.drain(..).for_each(|b| self.counts[b.0 as usize] = 0);
        (self.times, self.running, self.depth) = (None, None, 0);
    }

    fn ran(&mut self, block: BlockNo, times: u64) {
        let Some(count) = self.counts.get_mut(block.0 as usize) else { return };
        if *count == 0 {
            self.ran.push(block);
        }
        *count = count.saturating_add(times);
    }

    fn ends(&mut self, frames: usize) {
        self.depth = self.depth.saturating_sub(frames);
        if self.depth > 0 {
            return;
        }
        if let Some((times, method)) = self.running.take()
            && let Some(took_us) = times.took_us()
        {
            self.timed += 1;
            self.ran.sort_unstable();
            let counts = || self.ran.iter().map(|&b| (b, self.counts[b.0 as usize])).collect();
            self.samples.entry(method).or_default().add(took_us, counts);
            if took_us >= self.least_us {
                self.slow += 1;
                let shortest = self.found.last().map_or(0, |f| f.took_us);
                if self.found.len() < LISTED || took_us > shortest {
                    let found = SlowCallback {
                        took_us,
                        tick_us: times.tick_us,
                        begin_us: times.begin_us,
                        method,
                        number: self.number,
                        place: self.place.clone(),
                        counts: counts(),
                    };
                    let at = self.found.partition_point(|f| f.took_us >= took_us);
                    self.found.insert(at, found);
                    self.found.truncate(LISTED);
                }
            }
        }
        self.forget();
    }

    /// Writes the list, slowest first. Returns the number of slow callbacks.
    ///
    /// # Errors
    /// The first error of the output.
    pub fn write(&self, out: &mut impl Write) -> io::Result<u64> {
        if self.timed == 0 {
            writeln!(out, "no callback with a measured end: a log of protocol 2?")?;
            return Ok(0);
        }
        let least = duration(self.least_us, 1);
        writeln!(out, "{} of {} callbacks took {least} or more", self.slow, self.timed)?;
        for found in &self.found {
            self.one(found, out)?;
        }
        if self.slow > self.found.len() as u64 {
            writeln!(out, "… and {} shorter ones", self.slow - self.found.len() as u64)?;
        }
        Ok(self.slow)
    }

    fn one(&self, found: &SlowCallback, out: &mut impl Write) -> io::Result<()> {
        let map = self.program.map;
        let name = dotted(map, &map.methods[found.method.0 as usize - 1]);
        let took = duration(found.took_us, found.tick_us);
        let begin = format!("{}.{:03} s", found.begin_us / 1_000_000, found.begin_us / 1000 % 1000);
        writeln!(out, "\n{took}  {}", visible(&name))?;
        writeln!(out, "  #{} [{begin}] of {}", found.number, found.place)?;
        let Some(samples) = self.samples.get(&found.method) else { return Ok(()) };
        if samples.seen < 3 {
            return writeln!(out, "  too few callbacks of this method to compare it with");
        }
        let median = duration(samples.median(|s| s.0), found.tick_us);
        writeln!(out, "  median of {}: {median}", samples.seen)?;
        let mut more = self.more(found, samples);
        if more.is_empty() {
            let text =
                "its path is the median one: it waited, or code outside the app took the time";
            return writeln!(out, "  {text}");
        }
        more.truncate(PLACES);
        for (place, here, usual) in more {
            writeln!(out, "  {here} × instead of {usual} ×: {}", visible(&place))?;
        }
        Ok(())
    }

    /// Returns the lines that ran more often than in the median callback, with both counts, those
    /// with the most additional blocks first.
    fn more(&self, found: &SlowCallback, samples: &Samples) -> Vec<(String, u64, u64)> {
        // By method and line: number of additional blocks, and the counts of the block that has
        // most.
        let mut lines: BTreeMap<(MethodId, u32), (u64, u64, u64)> = BTreeMap::new();
        for &(block, here) in &found.counts {
            let usual = samples.median(|s| count(&s.1, block));
            let (method, at) = self.program.locate(block);
            let of = &self.program.map.methods[method.0 as usize - 1].blocks[at];
            let line = of.place().and_then(CodeOrigin::own_line).unwrap_or(0);
            // Callbacks of one method usually differ by one run, or by a tenth.
            if here > usual + usual / 10 + 1 {
                let entry = lines.entry((method, line)).or_default();
                entry.0 += here - usual;
                if here - usual > entry.1 - entry.2 {
                    (entry.1, entry.2) = (here, usual);
                }
            }
        }
        let mut all: Vec<_> = lines.into_iter().collect();
        all.sort_by_key(|(place, more)| (std::cmp::Reverse(more.0), *place));
        let map = self.program.map;
        let named = |((method, line), (_, here, usual)): ((MethodId, u32), (u64, u64, u64))| {
            let m = &map.methods[method.0 as usize - 1];
            let file = m.source_file.filter(|_| line > 0).map(|f| map.name(f));
            let at = file.map_or(String::new(), |f| format!(" ({f}:{line})"));
            (format!("{}{at}", dotted(map, m)), here, usual)
        };
        all.into_iter().map(named).collect()
    }
}

impl PathSink for Slow<'_, '_> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => self.times = Some(times),
            PathEvent::Enter { method, via } => {
                if let Via::TopLevel(_) = via {
                    let times = self.times.take();
                    self.forget();
                    self.number += 1;
                    self.running = times.map(|t| (t, method));
                }
                self.depth += 1;
            }
            PathEvent::Block(block) => self.ran(block, 1),
            PathEvent::Leave => self.ends(1),
            PathEvent::Caught { dropped, block, .. } => {
                self.depth = self.depth.saturating_sub(dropped);
                self.ran(block, 1);
            }
            PathEvent::Unwound { dropped, .. } => self.ends(dropped),
            PathEvent::Note(Note::Resumed { .. }) => self.forget(),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { cycle, times, .. } = rounds;
        cycle.iter().for_each(|&b| self.ran(b, times.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{map, process};
    use decoder::replay::SendEvents;

    /// Ten callbacks of 1 ms, then one of 20 ms in which the second block ran 100 times.
    #[test]
    fn a_slow_callback_is_told_with_what_ran_more_often_than_usual() {
        let map = map();
        let program = Program::new(&map);
        let mut slow = Slow::new(&program, 16_000);
        let thread = ThreadLog {
            number: 1,
            name: Some("main".into()),
            tid: 0,
            late: false,
            table: None,
            segments: vec![],
            gaps: vec![],
        };
        slow.thread(&process(&map), &thread);
        for i in 0..11u64 {
            let took = if i == 10 { 20_000 } else { 1000 };
            let begin_us = 5000 * i;
            slow.times(Times { begin_us, end_us: Some(begin_us + took), tick_us: 250 });
            slow.enter(MethodId(1), Via::TopLevel(5));
            slow.block(BlockNo(0));
            (0..if i == 10 { 100 } else { 1 }).for_each(|_| slow.block(BlockNo(1)));
            slow.leave();
        }
        let mut out = Vec::new();
        assert_eq!(slow.write(&mut out).unwrap(), 1);
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.starts_with("1 of 11 callbacks took 16.00 ms or more\n\n20.00 ms  "),
            "{text}"
        );
        assert!(text.contains("#11 [0.050 s] of "), "{text}");
        assert!(text.contains("median of 11: 1.00 ms\n  100 × instead of 1 ×: "), "{text}");
    }
}
