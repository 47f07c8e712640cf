//! The processes of logs, one by one, and the damage that is found in them.

use std::collections::{BTreeMap, BTreeSet};

use decoder::Damage;
use decoder::log::{
    Collector, InputError, LogSet, ProblemKind, Process, Processes, StreamedProcess,
};
use model::map::{BuildId, Map};
use model::recording::Recording;

use super::{Content, FoundMap, LogFile};
use crate::error::Result;
use crate::outputs::print::{counted, note};
use crate::outputs::progress::Progress;

/// The processes of logs, read one by one as they are asked for: their logs need not fit into
/// memory together.
pub struct Logs {
    processes: Processes,
    problems: Vec<String>,
    damage: Damage,
    /// Builds whose processes [`Logs::next_with_map`] returns.
    known: Vec<BuildId>,
    /// Builds of the processes that it left out, with the number of these.
    unknown: BTreeMap<BuildId, u64>,
}

impl Logs {
    /// Looks through all logs of a build; problems go to standard error.
    ///
    /// # Errors
    /// Nothing in the logs is of the build; a log cannot be read.
    pub fn of_build(map: &Map, logs: &[LogFile]) -> Result<Logs> {
        check_content(&[map], logs)?;
        let (found, set) = Self::read(Collector::new(Some(map.build)), logs)?;
        if found.len() == 0 {
            return Err(nothing_of(map, &set).into());
        }
        Ok(found.among(&[map.build]))
    }

    /// Looks through the logs of one build or of several; [`Logs::next_with_map`] returns their
    /// processes.
    ///
    /// # Errors
    /// Nothing in the logs is of these builds; a log cannot be read.
    pub fn of_builds(maps: &[FoundMap], logs: &[LogFile]) -> Result<Logs> {
        if let [found] = maps {
            return Self::of_build(&found.map, logs);
        }
        let of_builds: Vec<&Map> = maps.iter().map(|found| &found.map).collect();
        check_content(&of_builds, logs)?;
        let builds: Vec<BuildId> = maps.iter().map(|found| found.map.build).collect();
        let logs = Self::of_any_build(logs)?;
        if !logs.builds().any(|build| builds.contains(&build)) {
            let list: Vec<String> = builds.iter().map(ToString::to_string).collect();
            return Err(format!("no record of builds {} is in these logs", list.join(", ")).into());
        }
        Ok(logs.among(&builds))
    }

    /// Makes [`Logs::next_with_map`] return the processes of these builds.
    pub fn among(self, builds: &[BuildId]) -> Logs {
        Logs { known: builds.to_vec(), ..self }
    }

    /// Returns the next process whose build has a map, and the position of its map. After the last
    /// one, reports the builds whose processes were left out.
    ///
    /// # Errors
    /// A log was changed, or can no longer be read.
    pub fn next_with_map(&mut self) -> Result<Option<(usize, Process)>> {
        while let Some(process) = self.next() {
            let process = process?;
            match self.known.iter().position(|build| *build == process.build_id) {
                Some(position) => return Ok(Some((position, process))),
                None => *self.unknown.entry(process.build_id).or_default() += 1,
            }
        }
        for (build, number) in std::mem::take(&mut self.unknown) {
            let sessions = counted(number, "session");
            let are = if number == 1 { "is" } else { "are" };
            self.leave_out(format_args!(
                "{sessions} of build {build} {are} left out: pass the map of this build as --map"
            ));
        }
        Ok(None)
    }
}

/// Fails if no build writes logs, or no file is one.
fn check_content(maps: &[&Map], logs: &[LogFile]) -> Result {
    if !maps.is_empty() && maps.iter().all(|map| map.recording == Recording::Paths) {
        return Err(
            "the map's build counts paths and writes no logs: `decode` shows its counts".into()
        );
    }
    if logs.iter().all(|file| file.content == Content::Hits)
        && let Some(file) = logs.first()
    {
        return Err(hits_text(file).into());
    }
    Ok(())
}

/// Names a file that is of use elsewhere.
fn hits_text(file: &LogFile) -> String {
    format!("{} counts selected paths: `decode` shows it, with the map of its build", file.name)
}

impl Logs {
    /// Looks through the logs of any builds.
    ///
    /// # Errors
    /// A log cannot be read.
    pub fn of_any_build(logs: &[LogFile]) -> Result<Logs> {
        Ok(Self::read(Collector::new(None), logs)?.0)
    }

    fn read(mut collector: Collector, logs: &[LogFile]) -> Result<(Logs, LogSet)> {
        let progress = Progress::new("reading logs");
        let mut damage = Damage::NONE;
        for (number, file) in (1..).zip(logs) {
            match file.content {
                Content::Counts => {
                    note(format_args!(
                        "{} is a count file: `paths analyse`, `report --lcov` and `train` read it",
                        file.name
                    ));
                    continue;
                }
                Content::Hits => {
                    note(hits_text(file));
                    continue;
                }
                Content::Broken => {
                    damage += Damage::problems(1);
                    continue;
                }
                _ => {}
            }
            let of = if logs.len() == 1 {
                String::new()
            } else {
                format!(" ({number} of {})", logs.len())
            };
            progress.at_part(number - 1, logs.len(), format_args!("reading {}{of}", file.name));
            collector.add_file(&file.name, &file.path)?;
        }
        drop(progress);
        let (set, processes) = collector.finish_each();
        print_problems(&set);
        damage += Damage::of_set(&set);
        let logs = Logs {
            processes,
            problems: set.problems.iter().map(ToString::to_string).collect(),
            damage,
            known: Vec::new(),
            unknown: BTreeMap::new(),
        };
        Ok((logs, set))
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

    /// Reports processes that cannot be used.
    fn leave_out(&mut self, why: impl std::fmt::Display) {
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

/// Explains why nothing can be decoded with a map.
fn nothing_of(map: &Map, set: &LogSet) -> String {
    let package = if map.package.is_empty() { "" } else { &map.package };
    let others = set.problems.iter().filter_map(|problem| match problem.kind {
        ProblemKind::ForeignBuild { build, .. } => Some(build.to_string()),
        _ => None,
    });
    let others: BTreeSet<String> = others.collect();
    if others.is_empty() {
        return format!("no record of build {} ({package}) is in these logs", map.build);
    }
    let others: Vec<String> = others.into_iter().collect();
    format!(
        "the map is of build {} ({package}), and these logs are of build {}: pass the map that \
         `instrument` wrote with that build, or a folder of maps, as --map",
        map.build,
        others.join(", ")
    )
}

/// Prints what could not be used.
fn print_problems(set: &LogSet) {
    set.problems.iter().for_each(note);
    if set.more_problems > 0 {
        note(format_args!("and {} more problems", set.more_problems));
    }
}
