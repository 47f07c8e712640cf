//! Coverage: of a pass that `report` makes anyway, and of several builds and count files.

use std::path::Path;

use decoder::Damage;
use decoder::crew::Cores;
use decoder::log::Process;
use decoder::replay::Program;
use decoder::session::decode_thread_on;
use model::map::BuildId;
use model::trace::Identity;
use reports::coverage::{CoverageOrigin, Root, Session};
use reports::{Counts, Coverage, Sources, unmatched_class};

use crate::args::report_files::ReportFile;
use crate::args::unmatched;
use crate::commands::{Result, Usage};
use crate::inputs::counts::tallies;
use crate::inputs::{FoundMap, LogFile, Logs};
use crate::outputs::Files;
use crate::outputs::formats::ReportContent;
use crate::outputs::print::{Printer, counted, note, show};
use crate::outputs::progress::Progress;

/// Returns what coverage of these sessions refers to: sessions, sources, root folder.
pub fn origin(sessions: Vec<Session>, sources: Option<&Sources>) -> CoverageOrigin<'_> {
    let current = std::env::current_dir().unwrap_or_else(|_| Path::new(".").to_path_buf());
    CoverageOrigin { sessions, sources, root: Root::of(&current) }
}

/// The session of a process whose logs are read.
pub fn session_of(process: &Process) -> Session {
    let Process { start_ms, pid, name, .. } = process;
    Session { start_ms: *start_ms, pid: *pid, name: name.clone() }
}

/// The session of a process whose count file is read.
fn session_of_counts(identity: &Identity) -> Session {
    let Identity { start_ms, pid, process, .. } = identity;
    Session { start_ms: *start_ms, pid: *pid, name: process.clone() }
}

/// Reports what coverage leaves out.
pub fn remark(coverage: &Coverage<'_>) {
    if !coverage.has_lines() {
        note("no method of the build has lines: coverage is empty");
    }
    if let Some(beyond) = coverage.beyond() {
        note(beyond);
    }
    if coverage.left() > 0 {
        let left = counted(coverage.left(), "method");
        note(format!("coverage lacks the lines of {left} without probes"));
    }
}

/// Patterns of the classes whose files are in the coverage.
#[derive(Clone, Copy)]
pub struct Chosen<'a> {
    pub include: &'a [String],
    pub exclude: &'a [String],
}

/// The files that were chosen.
pub fn chosen_of<'m>(mut coverage: Coverage<'m>, chosen: Chosen<'_>) -> Result<Coverage<'m>> {
    let had_lines = coverage.has_lines();
    if had_lines {
        unmatched::check(unmatched_class(&coverage, chosen.include))?;
    }
    coverage.retain(chosen.include, chosen.exclude);
    if had_lines && !coverage.has_lines() {
        return Err("--include and --exclude leave no file with lines".into());
    }
    Ok(coverage)
}

/// The inputs of coverage.
pub struct Inputs<'a> {
    pub maps: &'a [FoundMap],
    pub logs: &'a [LogFile],
    pub counted: &'a [LogFile],
    pub chosen: Chosen<'a>,
    pub cores: Cores,
}

/// Writes the coverage of logs and count files, of all builds as one.
pub fn write(
    inputs: &Inputs<'_>,
    files: &Files<'_>,
    asked: &[ReportFile],
    sources: Option<&Sources>,
    out: &mut Printer,
) -> Result<Damage> {
    if asked.iter().any(|file| !file.format.is_coverage()) {
        return Err(match inputs.counted {
            [] => Usage("several maps are for --lcov, --jacoco, --cobertura alone"),
            _ => Usage("count files are for --lcov, --jacoco, --cobertura alone"),
        }
        .into());
    }
    let maps = inputs.maps;
    let programs: Vec<Program<'_>> = maps.iter().map(|found| Program::new(&found.map)).collect();
    let mut counts: Vec<(Counts<'_, '_>, Vec<Session>)> =
        programs.iter().map(|program| (Counts::new(program), Vec::new())).collect();
    let mut known = [0; 3];
    let (tallied, mut damage) = tallies(&programs, inputs.counted)?;
    for (tally, (counts, sessions)) in tallied.iter().zip(&mut counts) {
        if tally.files() > 0 {
            let passes = tally.passes()?;
            counts.add(&passes);
            sessions.extend(tally.processes().map(session_of_counts));
            passes.blocks_known().iter().zip(&mut known).for_each(|(n, sum)| *sum += n);
        }
    }
    let builds: Vec<BuildId> = maps.iter().map(|found| found.map.build).collect();
    let mut logs = Logs::of_any_build(inputs.logs)?.among(&builds);
    let (cores, all, mut faulty) = (&inputs.cores, logs.len(), 0);
    let progress = Progress::new("decoding");
    while let Some((build, process)) = logs.next_with_map()? {
        let number = all - logs.len();
        progress.at_part(number - 1, all, format_args!("decoding process {number} of {all}"));
        let (counts, sessions) = &mut counts[build];
        sessions.push(session_of(&process));
        for thread in &process.threads {
            let totals = decode_thread_on(cores, &programs[build], thread, counts);
            counts.thread_ends(&totals);
            faulty += totals.faulty;
        }
    }
    drop(progress);
    let mut merged: Option<Coverage<'_>> = None;
    for ((program, (counts, sessions)), found) in programs.iter().zip(counts).zip(maps) {
        if sessions.is_empty() {
            return Err(format!(
                "{}: no log and no count file is of its build",
                found.path.display()
            )
            .into());
        }
        let coverage = Coverage::of(program, &counts, origin(sessions, sources));
        match &mut merged {
            Some(merged) => merged.merge(coverage),
            None => merged = Some(coverage),
        }
    }
    damage += Damage::records(faulty);
    damage += logs.damage();
    let Some(merged) = merged else { return Ok(damage) };
    let coverage = chosen_of(merged, inputs.chosen)?;
    let staged = files.stage()?;
    let mut written = Vec::new();
    for (file, mut out) in asked.iter().zip(staged.writers()?) {
        if let ReportContent::Coverage(write) = file.format.content {
            written.push((&file.path, write(&coverage, &mut out)?));
        }
    }
    remark(&coverage);
    if !inputs.counted.is_empty() {
        let [exact, at_least, assumed] = known;
        note(format!(
            "of the blocks that ran by count files, {exact} have exact counts, {at_least} ran at \
             least so often, and of {assumed} it is assumed that no exception ended what led there"
        ));
    }
    if let Some(missing) = sources.and_then(Sources::missing) {
        note(missing);
    }
    staged.commit()?;
    if !files.write_to_stdout() {
        for (path, summary) in written {
            show!(out, "{}: {summary}", path.display())?;
        }
    }
    Ok(damage)
}
