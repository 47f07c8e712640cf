//! The influence of probes on times: callbacks that end by a deadline, as measured and as if they
//! had not been recorded.

use std::collections::BTreeMap;
use std::io::{self, Write};

use decoder::replay::{LoopRounds, PathEvent, PathSink, Program, Times, Via};
use decoder::session::Note;
use glob_match::glob_match;
use model::map::MethodId;
use serde::Serialize;

use crate::base::escape::visible;
use crate::base::names::dotted;
use model::nouns::counted;

/// Maximum number of callbacks of a method whose times are kept.
const KEPT: usize = 1 << 18;

/// Measures the durations and the numbers of decisions of callbacks. Observers of several cores add
/// up.
#[derive(Debug, Clone)]
pub struct Observer<'p, 'm> {
    program: &'p Program<'m>,
    /// Duration in µs and number of decisions of each callback, by method.
    callbacks: BTreeMap<MethodId, Vec<(u64, u64)>>,
    left_out: u64,
    times: Option<Times>,
    running: Option<(MethodId, u64, u64)>,
    depth: usize,
}

/// Callbacks that meet a deadline, with and without the price of probes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Observed {
    /// The deadline in µs.
    pub deadline_us: u64,
    /// Assumed cost of a decision in ns.
    pub delta_ns: u64,
    /// Number of measured callbacks, without those beyond the first 262,144 of a method.
    pub callbacks: usize,
    /// Number of callbacks left out.
    pub left_out: u64,
    /// By method, those with the largest change of the share first.
    pub methods: Vec<ObservedMethod>,
}

/// Measured callbacks of one method.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObservedMethod {
    /// The method in the source, `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Number of its measured top-level callbacks.
    pub callbacks: usize,
    /// Mean number of their decisions.
    pub decisions: f64,
    /// Share of callbacks that ended by the deadline.
    pub share: f64,
    /// Share without probes: each duration less `delta_ns` for each decision.
    pub without: f64,
    /// Factor for the share; `None` if no callback ended by the deadline.
    pub weight: Option<f64>,
}

impl<'p, 'm> Observer<'p, 'm> {
    /// Creates an observer without callbacks.
    pub fn new(program: &'p Program<'m>) -> Self {
        Observer {
            program,
            callbacks: BTreeMap::new(),
            left_out: 0,
            times: None,
            running: None,
            depth: 0,
        }
    }

    /// Adds the measurements of another observer.
    pub fn merge(&mut self, other: &Observer<'_, '_>) {
        for (method, all) in &other.callbacks {
            all.iter().for_each(|&(us, decisions)| self.add(*method, us, decisions));
        }
        self.left_out += other.left_out;
    }

    fn add(&mut self, method: MethodId, us: u64, decisions: u64) {
        let all = self.callbacks.entry(method).or_default();
        match all.len() < KEPT {
            true => all.push((us, decisions)),
            false => self.left_out += 1,
        }
    }

    /// Returns the results of methods whose `com.example.Cls.name` matches one of the globs;
    /// without globs, of all. Durations are as measured, rounded down to a quarter of a ms.
    pub fn observed(&self, deadline_us: u64, delta_ns: u64, globs: &[String]) -> Observed {
        let map = self.program.map;
        let mut methods = Vec::new();
        for (&id, all) in &self.callbacks {
            let Some(m) = map.method(id) else { continue };
            let name = dotted(map, m);
            if !globs.is_empty() && !globs.iter().any(|glob| glob_match(glob, &name)) {
                continue;
            }
            let count = all.len().max(1) as f64;
            let within = |of: &dyn Fn(u64, u64) -> f64, by: f64| {
                all.iter().filter(|c| of(c.0, c.1) <= by).count() as f64 / count
            };
            let deadline = deadline_us as f64;
            let share = within(&|us, _| us as f64, deadline);
            let shorter = |us: u64, n: u64| us as f64 - (n as f64 * delta_ns as f64) / 1e3;
            let without = within(&shorter, deadline);
            methods.push(ObservedMethod {
                method: map.method_key(m),
                callbacks: all.len(),
                decisions: all.iter().map(|c| c.1 as f64).sum::<f64>() / count,
                share,
                without,
                weight: (share > 0.0).then(|| without / share),
            });
        }
        let change = |m: &ObservedMethod| m.without - m.share;
        methods.sort_by(|a, b| change(b).total_cmp(&change(a)).then(b.callbacks.cmp(&a.callbacks)));
        Observed {
            deadline_us,
            delta_ns,
            callbacks: self.callbacks.values().map(Vec::len).sum(),
            left_out: self.left_out,
            methods,
        }
    }

    fn ends(&mut self, frames: usize) {
        self.depth = self.depth.saturating_sub(frames);
        if self.depth == 0
            && let Some((method, us, decisions)) = self.running.take()
        {
            self.add(method, us, decisions);
        }
    }
}

impl Observed {
    /// Writes the first `top` methods.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write(&self, top: usize, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}; by {} µs, if a decision costs {} ns:",
            counted(self.callbacks, "callback"),
            self.deadline_us,
            self.delta_ns
        )?;
        writeln!(
            out,
            "{:>10} {:>12} {:>10} {:>10} {:>8}  method",
            "callbacks", "decisions", "measured", "without", "weight"
        )?;
        for m in self.methods.iter().take(top) {
            let weight = m.weight.map_or("-".into(), |w| format!("{w:.3}"));
            writeln!(
                out,
                "{:>10} {:>12.1} {:>8.2} % {:>8.2} % {weight:>8}  {}",
                m.callbacks,
                m.decisions,
                100.0 * m.share,
                100.0 * m.without,
                visible(&m.method)
            )?;
        }
        Ok(())
    }
}

impl PathSink for Observer<'_, '_> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => self.times = Some(times),
            PathEvent::Enter { method, via } => {
                if let Via::TopLevel(_) = via {
                    let took = self.times.take().and_then(|times| times.took_us());
                    self.running = took.map(|us| (method, us, 0));
                    self.depth = 0;
                }
                self.depth += 1;
            }
            PathEvent::Decision { .. } => {
                if let Some((_, _, decisions)) = &mut self.running {
                    *decisions += 1;
                }
            }
            PathEvent::Leave => self.ends(1),
            PathEvent::Caught { dropped, .. } => self.depth = self.depth.saturating_sub(dropped),
            PathEvent::Unwound { dropped, .. } => self.ends(dropped),
            PathEvent::Note(Note::Resumed { .. } | Note::Ended(_) | Note::Faulty(_)) => {
                (self.running, self.times, self.depth) = (None, None, 0);
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        if let Some((_, _, decisions)) = &mut self.running {
            *decisions += u64::from(rounds.times);
        }
    }
}

#[cfg(test)]
mod tests {
    use decoder::replay::{BlockNo, SendEvents};

    use super::*;
    use crate::tests::{OUTER, map};

    #[test]
    fn callbacks_that_their_probes_made_late_are_told() {
        let map = map();
        let program = Program::new(&map);
        let mut observer = Observer::new(&program);
        // 10 callbacks of 1 to 10 ms with 1,000 decisions each; the last one has a million.
        for i in 1..=10_u64 {
            let begin_us = 100_000 * i;
            let end_us = Some(begin_us + 1_000 * i);
            observer.times(Times { begin_us, end_us, tick_us: 250 });
            observer.enter(OUTER, Via::TopLevel(0));
            let decisions = if i == 10 { 1_000_000 } else { 1_000 };
            observer.rounds(LoopRounds {
                branch: BlockNo(0),
                stay: 0,
                cycle: &[],
                times: decisions,
            });
            observer.leave();
        }
        // 500 ns each: 0.5 ms less, and the last callback took no time at all.
        let observed = observer.observed(5_500, 500, &[]);
        let m = &observed.methods[0];
        assert_eq!((observed.callbacks, m.callbacks), (10, 10));
        assert_eq!((m.share, m.without, m.weight), (0.5, 0.7, Some(1.4)));
        let none = observer.observed(500, 1, &[]);
        assert_eq!((none.methods[0].share, none.methods[0].weight), (0.0, None));
        assert!(observer.observed(5_500, 500, &["other.*".to_owned()]).methods.is_empty());
    }
}
