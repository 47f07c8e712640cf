//! One input: its logs are put together, and each process is decoded once.

use std::collections::{BTreeMap, HashMap};

use decoder::Damage;
use decoder::log::{
    Collector, InputError, InputPlace, LogSet, Problem, ProblemKind, Process, SegmentStart,
    ThreadLog,
};
use decoder::session::{Misled, ThreadTotals, decode_thread, decode_thread_once};
use model::map::BuildId;
use model::trace::Refused;
use sha2::{Digest, Sha256};

use crate::Error;
use crate::build::TableBuild;
use crate::counts::sorted;
use crate::input::Input;
use crate::recorder::{Limits, Recorder};
use crate::rows::{Facts, Salt, SessionEnd, SessionId};
use crate::schema::{CALLBACKS, Table};

/// Kind of a row of `errors`. The order is that of the names, in which rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FailureKind {
    /// Input or session with damage.
    Damaged,
    /// Session whose id a better session has.
    Duplicate,
    /// Input or process without a slab.
    Empty,
    /// Session that costs too much.
    Limit,
    /// Process of a build without a map.
    NoMap,
    /// Input that cannot be read.
    Unreadable,
}

impl FailureKind {
    /// Name in the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            FailureKind::Damaged => "damaged",
            FailureKind::Duplicate => "duplicate",
            FailureKind::Empty => "empty",
            FailureKind::Limit => "limit",
            FailureKind::NoMap => "no_map",
            FailureKind::Unreadable => "unreadable",
        }
    }
}

/// A row of `errors`.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) build: Option<BuildId>,
    pub(crate) session: Option<SessionId>,
    pub(crate) kind: FailureKind,
    pub(crate) text: String,
}

/// A session of an input.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) build: BuildId,
    pub(crate) id: SessionId,
    pub(crate) facts: Facts,
    /// Of all its streams; to choose between two of one id.
    digest: [u8; 32],
}

/// Sessions and failures of the inputs of one key.
#[derive(Debug, Default)]
pub(crate) struct KeyOutcome {
    pub(crate) sessions: Vec<Session>,
    pub(crate) failures: Vec<Failure>,
    /// Damage in the inputs.
    pub(crate) damage: Damage,
}

/// Options of decoding.
#[derive(Debug, Clone)]
pub(crate) struct DecodeOptions {
    pub(crate) salt: Salt,
    pub(crate) limits: Limits,
    pub(crate) lists_callbacks: bool,
}

impl DecodeOptions {
    /// True if this table is written.
    pub(crate) fn writes(&self, table: &Table) -> bool {
        self.lists_callbacks || *table != CALLBACKS
    }
}

/// Gives the build of an id, if the catalogue has its map; made when it is asked for.
pub(crate) trait Builds<'m>: Sync {
    fn build(&self, id: BuildId) -> Result<Option<&TableBuild<'m>>, Error>;
}

/// Decodes inputs on one thread.
pub(crate) struct Worker<'b, 'm, B> {
    builds: &'b B,
    options: &'b DecodeOptions,
    recorders: HashMap<BuildId, Recorder<'b, 'm>>,
}

impl<'b, 'm, B: Builds<'m>> Worker<'b, 'm, B> {
    pub(crate) fn new(builds: &'b B, options: &'b DecodeOptions) -> Self {
        Worker { builds, options, recorders: HashMap::new() }
    }

    /// Decodes the inputs of one key. Of two sessions of one id the better one stays.
    ///
    /// # Errors
    /// A map or a temporary file: no log is an error.
    pub(crate) fn decode(&mut self, inputs: &[Input]) -> Result<KeyOutcome, Error> {
        let mut all = KeyOutcome::default();
        for input in inputs {
            let one = self.one(input, inputs.len() > 1)?;
            all.failures.extend(one.failures);
            all.damage += one.damage;
            for session in one.sessions {
                match all.sessions.iter_mut().find(|s| s.id == session.id) {
                    None => all.sessions.push(session),
                    Some(there) => {
                        let worth = |s: &Session| (s.facts.proven, s.facts.bytes, s.digest);
                        let is_better = worth(&session) > worth(there);
                        let gone =
                            if is_better { std::mem::replace(there, session) } else { session };
                        all.failures.push(Failure {
                            build: Some(gone.build),
                            session: Some(gone.id),
                            kind: FailureKind::Duplicate,
                            text: "another input of this key stayed".into(),
                        });
                    }
                }
            }
        }
        // Inputs of one key come in the order of their names, which must decide nothing.
        all.failures.sort_by(|a, b| (a.kind, &a.text).cmp(&(b.kind, &b.text)));
        Ok(all)
    }

    fn one(&mut self, input: &Input, has_others: bool) -> Result<KeyOutcome, Error> {
        let mut out = KeyOutcome::default();
        let lost = |text: String| Failure {
            build: None,
            session: None,
            kind: FailureKind::Unreadable,
            text,
        };
        let mut collector = Collector::new(None);
        for part in &input.parts {
            let added = match part.plain_file() {
                Ok(Some(path)) => collector.add_file("", path),
                Ok(None) => match part.open() {
                    Ok(log) => collector.add("", log),
                    Err(error) => Err(InputError::Read { input: String::new(), error }),
                },
                Err(error) => Err(InputError::Read { input: String::new(), error }),
            };
            if let Err(e) = added {
                out.failures.push(lost(input_failure(e)?));
                out.damage += Damage::problems(1);
            }
        }
        let (set, processes) = collector.finish_each();
        for (number, process) in (1..).zip(processes) {
            let process = match process {
                Ok(process) => process,
                Err(e) => {
                    out.failures.push(lost(input_failure(e)?));
                    out.damage += Damage::problems(1);
                    continue;
                }
            };
            let id = match number {
                1 => SessionId::new(&self.options.salt, &input.key),
                n => SessionId::new(&self.options.salt, &format!("{}#{n}", input.key)),
            };
            self.process(id, &process, has_others, &mut out)?;
        }
        out.damage += Damage::of_set(&set);
        self.problems(&set, &mut out);
        Ok(out)
    }

    fn process(
        &mut self,
        id: SessionId,
        process: &Process,
        has_others: bool,
        out: &mut KeyOutcome,
    ) -> Result<(), Error> {
        let mut fail = |build, kind, text| {
            out.failures.push(Failure { build, session: Some(id), kind, text });
        };
        let Some(build) = self.builds.build(process.build_id)? else {
            fail(None, FailureKind::NoMap, format!("build {} has no map", process.build_id));
            out.damage += Damage::problems(1);
            return Ok(());
        };
        out.damage += Damage::of_process(process);
        let known = Some(process.build_id);
        if process.threads.iter().all(|t| t.segments.is_empty()) {
            fail(known, FailureKind::Empty, "no slab found".into());
            return Ok(());
        }
        let new = || Recorder::new(build, self.options.limits, self.options.lists_callbacks);
        let recorder = self.recorders.entry(process.build_id).or_insert_with(new);
        let Some(facts) = record(build, recorder, process) else {
            let limits = self.options.limits;
            let (n, s) = (limits.decisions, limits.time.as_secs());
            fail(known, FailureKind::Limit, format!("more than {n} decisions or {s} seconds"));
            return Ok(());
        };
        out.damage += Damage::records(facts.faulty);
        let damage = [
            (facts.faulty, "records that were refused"),
            (facts.missing, "slabs missing"),
            (facts.skipped, "bytes in which no decoding can begin"),
        ];
        if let Some(text) = listed(&damage) {
            fail(known, FailureKind::Damaged, text);
        }
        let digest = if has_others { digest(process) } else { [0; 32] };
        out.sessions.push(Session { build: process.build_id, id, facts, digest });
        Ok(())
    }

    /// One row for all that the collector could not use; several where nothing else came of the
    /// input.
    fn problems(&self, set: &LogSet, out: &mut KeyOutcome) {
        let first = out.sessions.first().map(|s| (s.build, s.id));
        let mut damage: BTreeMap<&'static str, u64> = BTreeMap::new();
        for Problem { kind, place, .. } in &set.problems {
            let what = match kind {
                // The row of the process also reports these.
                ProblemKind::NothingWritten | ProblemKind::NoLog | ProblemKind::Full { .. } => {
                    continue;
                }
                ProblemKind::Trace(e) if *place == InputPlace::Whole && first.is_none() => {
                    out.failures.push(Failure {
                        build: None,
                        session: None,
                        kind: FailureKind::Unreadable,
                        text: e.to_string(),
                    });
                    continue;
                }
                ProblemKind::Trace(_) => "trace files that cannot be read",
                ProblemKind::Table(_) => "start tables damaged",
                ProblemKind::Exit(_) => "notes of exits damaged",
                ProblemKind::Slab(_) => "slabs damaged",
                ProblemKind::Text(_) => "lines damaged",
                ProblemKind::OldLines { .. } => "times lines of an old version",
                ProblemKind::Conflict { .. } | ProblemKind::Apart { .. } => "contradictions",
                ProblemKind::ThreadName { .. } => "threads cut in their names",
                ProblemKind::Unrecorded { .. } => "processes with threads that were not recorded",
                ProblemKind::FullUnknown { .. } => "headers with damaged counts",
                ProblemKind::ForeignBuild { .. } => "foreign builds",
                ProblemKind::Unreadable { .. } => "processes that cannot be read",
            };
            *damage.entry(what).or_default() += 1;
        }
        if set.more_problems > 0 {
            damage.insert("more", set.more_problems);
        }
        let damage: Vec<(u64, &str)> = damage.into_iter().map(|(what, n)| (n, what)).collect();
        if let Some(text) = listed(&damage) {
            let (build, session) = (first.map(|f| f.0), first.map(|f| f.1));
            out.failures.push(Failure { build, session, kind: FailureKind::Damaged, text });
        }
        if out.sessions.is_empty() && out.failures.is_empty() {
            out.failures.push(Failure {
                build: None,
                session: None,
                kind: FailureKind::Empty,
                text: "no slab found".into(),
            });
        }
    }
}

/// The reason why an input cannot be read; a temporary file that fails ends the job.
fn input_failure(e: InputError) -> Result<String, Error> {
    Ok(match e {
        InputError::Read { error, .. } => error.to_string(),
        InputError::Changed { at, .. } => format!("the file was changed at byte {at} while read"),
        InputError::Table { .. } => e.to_string(),
        InputError::Index { what } => what.to_owned(),
        InputError::Temporary { error } => return Err(Error::Temporary { why: error.to_string() }),
    })
}

/// `slabs missing: 3, bytes …: 17`, of what there is.
fn listed(damage: &[(u64, &str)]) -> Option<String> {
    let there = damage.iter().filter(|(n, _)| *n > 0);
    let text = there.map(|(n, what)| format!("{what}: {n}")).collect::<Vec<_>>().join(", ");
    (!text.is_empty()).then_some(text)
}

/// Decodes a session; `None` if it costs too much.
fn record(
    build: &TableBuild<'_>,
    recorder: &mut Recorder<'_, '_>,
    process: &Process,
) -> Option<Facts> {
    recorder.start_clock();
    let once =
        |thread: &_, to: &mut Recorder<'_, '_>| decode_thread_once(&build.program, thread, to);
    // A list of callbacks needs their ends.
    if !recorder.lists_callbacks
        && let Ok(Some(facts)) = record_with(&once, recorder, process)
    {
        return Some(facts);
    }
    // There is a fault, or the session cost too much; the cause may be an unproven record.
    let proven =
        |thread: &_, to: &mut Recorder<'_, '_>| Ok(decode_thread(&build.program, thread, to));
    record_with(&proven, recorder, process).ok().flatten()
}

/// The same, thread by thread as `decode` does it.
fn record_with(
    decode: &dyn Fn(&ThreadLog, &mut Recorder<'_, '_>) -> Result<ThreadTotals, Misled>,
    recorder: &mut Recorder<'_, '_>,
    process: &Process,
) -> Result<Option<Facts>, Misled> {
    recorder.begin();
    let (mut proven, mut unproven, mut faulty, mut missing) = (0, 0, 0, 0);
    let (mut threads, mut bytes) = (0, 0);
    for thread in &process.threads {
        recorder.thread = thread.number;
        let totals = decode(thread, recorder)?;
        recorder.end_thread(thread);
        if recorder.is_over() {
            return Ok(None);
        }
        threads += 1;
        bytes += thread.segments.iter().map(|s| s.bytes.len() as u64).sum::<u64>();
        proven += totals.proven;
        unproven += totals.unproven;
        faulty += totals.faulty;
        missing += totals.missing_slabs;
    }
    let lost =
        |t: &decoder::log::ThreadLog| t.segments.iter().any(|s| s.start == SegmentStart::Nowhere);
    let is_damaged =
        faulty > 0 || missing > 0 || recorder.skipped > 0 || process.threads.iter().any(lost);
    let is_refused = process.refused != Refused::default();
    let thrown = recorder.thrown();
    let end = match () {
        () if thrown.is_some() => SessionEnd::LeftApp,
        () if is_damaged => SessionEnd::Damaged,
        () if recorder.is_stopped || is_refused => SessionEnd::Stopped,
        () if recorder.is_cut => SessionEnd::Cut,
        () if recorder.is_unknown => SessionEnd::Unknown,
        () => SessionEnd::Clean,
    };
    let hour = (process.start_ms > 0).then_some(process.start_ms / 3_600_000);
    Ok(Some(Facts {
        hour: hour.and_then(|h| i32::try_from(h).ok()),
        threads,
        proven,
        unproven,
        faulty,
        missing,
        skipped: recorder.skipped,
        bytes,
        decisions: recorder.decisions,
        callbacks_begun: recorder.callbacks_begun,
        usable: proven + unproven > 0 && !is_damaged && !is_refused && !recorder.is_stopped,
        end,
        thrown,
        exit: process.exit.map(|exit| exit.reason),
        edges: recorder.build.branch_edges(recorder.edges.take()),
        calls: recorder.calls.take(),
        exceptions: sorted(recorder.exceptions.drain()),
        paths: sorted(recorder.paths.drain()),
        callbacks: std::mem::take(&mut recorder.callbacks),
        slots: recorder.slots.take(),
        announced: recorder.announced.take(),
        trips: sorted(recorder.trips.drain()),
        tops: sorted(recorder.tops.drain()),
        next_callbacks: sorted(recorder.next_callbacks.drain()),
        adapted: sorted(recorder.adapted.drain()),
    }))
}

fn digest(process: &Process) -> [u8; 32] {
    let mut hash = Sha256::new();
    for thread in &process.threads {
        hash.update(thread.number.to_be_bytes());
        thread.segments.iter().for_each(|s| hash.update(&s.bytes));
    }
    hash.finalize().into()
}
