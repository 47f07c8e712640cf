//! Feeds a time tree: which stacks were seen when.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use timetree::{Builder, ContextId, Error, ROOT, Sample, ThreadOrigin, ThreadOutcome, WeightUnit};

use crate::read::{NO_CALL, Name, SampleFormat, Samples, StackSample};

/// Returns the unit in which a sampler's stacks are weighed.
///
/// A trace of calls has no samples: a stack weighs the time until its thread's next event.
pub fn kind(format: SampleFormat, interval: Option<u64>) -> WeightUnit {
    match (format, interval) {
        (SampleFormat::Art, None) => WeightUnit::Times,
        _ => WeightUnit::Samples,
    }
}

/// Result of adding samples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fed {
    /// Threads.
    pub threads: u64,
    /// Samples, or µs.
    pub weight: u64,
}

/// Feeds files of samplers to one tree, each file as a process of its own.
#[derive(Debug, Default)]
pub struct Feeder {
    /// `pkg.Cls.method`; overloads are one.
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Feeder {
    /// Feeds a file. Its times count from its first sample, in µs: a sampler's clock is not that
    /// of the wall.
    ///
    /// Stacks without a frame weigh for the root in samples, where they were seen; in a trace of
    /// calls nothing runs in them, and they are left out.
    ///
    /// # Errors
    /// As [`Builder::sample`].
    pub fn file<W: Write>(
        &mut self,
        builder: &mut Builder<W>,
        (file, kind): (&str, WeightUnit),
        samples: &Samples,
    ) -> Result<Fed, Error> {
        let contexts = self.contexts(builder, samples);
        let first = samples.seen.iter().map(|s| s.ns).min().unwrap_or(0);
        let us = |seen: &StackSample| (seen.ns - first) / 1000;
        let mut threads = BTreeMap::<u32, Vec<StackSample>>::new();
        samples.seen.iter().for_each(|seen| threads.entry(seen.thread).or_default().push(seen));
        let mut fed = Fed { threads: threads.len() as u64, weight: 0 };
        for (number, mut seen) in threads {
            // Buffers of processors come one after the other.
            seen.sort_by_key(|s| s.ns);
            let name = samples.threads.get(&number).cloned().unwrap_or_default();
            let process = file.to_owned();
            let thread =
                builder.thread(ThreadOrigin { name, number, process, ..ThreadOrigin::default() });
            for (i, now) in seen.iter().enumerate() {
                let weight = match kind {
                    WeightUnit::Times if now.call == NO_CALL => 0,
                    WeightUnit::Times => seen.get(i + 1).map_or(0, |next| us(next) - us(now)),
                    WeightUnit::Samples | WeightUnit::Paths => now.times,
                };
                if weight > 0 {
                    let context = contexts[now.call.0 as usize];
                    builder.sample(thread, Sample { time: us(now), context, weight })?;
                    fed.weight = fed.weight.checked_add(weight).ok_or(Error::TooHeavy)?;
                }
            }
            let end = seen.last().map_or(0, us);
            let outcome = ThreadOutcome { end, lost: samples.lost, ..ThreadOutcome::default() };
            builder.ended(thread, outcome)?;
        }
        Ok(fed)
    }

    /// The names of methods, by their numbers in the tree.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The context of each call, by its number; that of no call is the root.
    fn contexts<W: Write>(
        &mut self,
        builder: &mut Builder<W>,
        samples: &Samples,
    ) -> Vec<ContextId> {
        let methods: Vec<u32> = samples.names.iter().map(|n| self.method(n)).collect();
        let mut contexts = vec![ROOT];
        for (caller, _, name) in samples.tree() {
            let above = contexts[caller.0 as usize];
            contexts.push(builder.contexts().enter(above, methods[name as usize]));
        }
        contexts
    }

    fn method(&mut self, name: &Name) -> u32 {
        let full = match name.class.is_empty() {
            true => name.method.clone(),
            false => format!("{}.{}", name.class, name.method),
        };
        let next = self.names.len() as u32;
        *self.numbers.entry(full).or_insert_with_key(|full| {
            self.names.push(full.clone());
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use timetree::{Head, Index, Interval, TreeOptions};

    use super::*;
    use crate::read::CallId;

    /// A tree of one file.
    fn tree(samples: &Samples, kind: WeightUnit) -> (Index<Vec<u8>>, Fed) {
        let head = Head { kind, build_id: Vec::new() };
        let mut builder = Builder::new(Vec::new(), &head, TreeOptions::default()).unwrap();
        let mut feeder = Feeder::default();
        let fed = feeder.file(&mut builder, ("f", kind), samples).unwrap();
        (Index::new(builder.finish(feeder.names()).unwrap()).unwrap(), fed)
    }

    /// Own weights of methods in an interval of the only thread.
    fn own(index: &mut Index<Vec<u8>>, from: u64, to: u64) -> Vec<(String, u64)> {
        let names = index.names().unwrap();
        let answer = index.query(0, Interval { from, to }).unwrap();
        let rows = index.rows(&answer).unwrap();
        let name = |row: &timetree::ContextRow| {
            row.method.map_or("-".to_owned(), |m| names[m as usize].clone())
        };
        rows.iter().filter(|r| r.weight.own > 0).map(|r| (name(r), r.weight.own)).collect()
    }

    fn samples(seen: &[(u64, u32)]) -> Samples {
        let mut samples = Samples::default();
        let name = |class: &str, method: &str, line| Name {
            class: class.into(),
            method: method.into(),
            line: Some(line),
            ..Name::default()
        };
        let calls = [
            (0, name("p.A", "run", 1)),
            (1, name("p.A", "step", 2)),
            // The same method, one line on: the same context.
            (1, name("p.A", "step", 3)),
        ];
        for (caller, name) in calls {
            let name = samples.name(name);
            samples.call(CallId(caller), name);
        }
        let seen = seen.iter().map(|&(us, call)| StackSample {
            ns: 5_000_000 + us * 1000,
            thread: 7,
            call: CallId(call),
            times: 1,
        });
        samples.seen = seen.collect();
        samples
    }

    #[test]
    fn samples_count_where_they_were_seen() {
        let (mut index, fed) =
            tree(&samples(&[(0, 1), (10, 2), (20, 3), (30, 0), (40, 1)]), WeightUnit::Samples);
        assert_eq!(fed, Fed { threads: 1, weight: 5 });
        let weight_of = |name: &str, n| (name.to_owned(), n);
        assert_eq!(own(&mut index, 10, 40), [weight_of("-", 1), weight_of("p.A.step", 2)]);
        assert_eq!(own(&mut index, 0, 1), [weight_of("p.A.run", 1)]);
        assert_eq!(index.threads()[0].outcome.end, 40);
    }

    #[test]
    fn calls_weigh_the_time_until_the_next_event() {
        // run 10 µs, step 30, run 5, nothing 55, run until the end of the trace: not known.
        let seen = [(0, 1), (10, 2), (40, 1), (45, 0), (100, 1)];
        let (mut index, fed) = tree(&samples(&seen), WeightUnit::Times);
        assert_eq!(fed, Fed { threads: 1, weight: 45 });
        let weight_of = |name: &str, n| (name.to_owned(), n);
        assert_eq!(own(&mut index, 0, 101), [weight_of("p.A.run", 15), weight_of("p.A.step", 30)]);
    }

    #[test]
    fn buffers_out_of_order_are_sorted() {
        let (mut index, _) = tree(&samples(&[(30, 2), (0, 1), (10, 1)]), WeightUnit::Samples);
        let weight_of = |name: &str, n| (name.to_owned(), n);
        assert_eq!(own(&mut index, 0, 20), [weight_of("p.A.run", 2)]);
        assert_eq!(own(&mut index, 20, 31), [weight_of("p.A.step", 1)]);
    }
}
