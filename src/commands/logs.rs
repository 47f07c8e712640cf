//! Logs on the command line: their processes, one by one, and the damage that is found in them.

use std::path::PathBuf;

use decoder::Damage;
use decoder::log::{Collector, InputError, LogSet, Process, Processes, StreamedProcess};
use model::map::{BuildId, Codec, Map};

use super::Result;
use crate::print::note;
use crate::progress::Progress;

/// The processes of logs, read one by one as they are asked for: their logs need not fit into
/// memory together.
pub struct Logs {
    processes: Processes,
    problems: Vec<String>,
    damage: Damage,
}

impl Logs {
    /// Looks through all logs of a build; problems go to standard error.
    ///
    /// # Errors
    /// Nothing in the logs is of the build; a log cannot be read.
    pub fn of_build(map: &Map, logs: &[PathBuf]) -> Result<Logs> {
        if map.codec == Codec::Paths {
            return Err(
                "the map's build counts paths and writes no logs: `decode` shows its counts".into(),
            );
        }
        let logs = Self::read(Collector::new(Some(map.build)), logs)?;
        if logs.len() == 0 {
            return Err(format!("nothing in these logs was written by build {}", map.build).into());
        }
        Ok(logs)
    }

    /// Looks through the logs of any builds.
    ///
    /// # Errors
    /// A log cannot be read.
    pub fn of_any_build(logs: &[PathBuf]) -> Result<Logs> {
        Self::read(Collector::new(None), logs)
    }

    fn read(mut collector: Collector, logs: &[PathBuf]) -> Result<Logs> {
        let progress = Progress::new("reading logs");
        for path in logs {
            let name = path.display().to_string();
            progress.at(format_args!("reading {name}"));
            if name == "-" {
                collector.add("standard input", std::io::stdin().lock())?;
            } else {
                collector.add_file(&name, path)?;
            }
        }
        drop(progress);
        let (set, processes) = collector.finish_each();
        print_problems(&set);
        Ok(Logs {
            processes,
            problems: set.problems.iter().map(ToString::to_string).collect(),
            damage: Damage::of_set(&set),
        })
    }

    /// The problems, as text.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// The builds of the processes that are left.
    pub fn builds(&self) -> impl Iterator<Item = BuildId> {
        self.processes.builds()
    }

    /// Damage in the logs and in the processes that were asked for so far.
    pub fn damage(&self) -> Damage {
        self.damage
    }

    /// Reports a process that cannot be used.
    pub fn leave_out(&mut self, why: impl std::fmt::Display) {
        note(why);
        self.damage += Damage::problems(1);
    }

    /// The next process, whose threads are read piece by piece.
    pub fn next_streamed(
        &mut self,
    ) -> Option<std::result::Result<StreamedProcess<'_>, InputError>> {
        let next = self.processes.next_streamed()?;
        if let Ok(process) = &next {
            self.damage += Damage::of_process(process.process());
        }
        Some(next)
    }
}

impl Iterator for Logs {
    type Item = std::result::Result<Process, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.processes.next()?;
        if let Ok(process) = &next {
            self.damage += Damage::of_process(process);
        }
        Some(next)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.processes.size_hint()
    }
}

impl ExactSizeIterator for Logs {}

/// Prints what could not be used.
fn print_problems(set: &LogSet) {
    set.problems.iter().for_each(note);
    if set.more_problems > 0 {
        note(format_args!("and {} more problems", set.more_problems));
    }
}
