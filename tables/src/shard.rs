//! A shard: logs in, a file per table and build out, and a partial model per build.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use decoder::Damage;
use decoder::train::Counter;
use model::map::BuildId;
use serde::{Serialize, Serializer};

use crate::Error;
use crate::build::TableBuild;
use crate::catalogue::Catalogue;
use crate::file::{Cell, TableFile, Whole};
use crate::input::{Input, inputs};
use crate::ordered::in_order;
use crate::recorder::Limits;
use crate::rows::{Facts, Salt, SessionId};
use crate::schema::{CALLBACKS, CALLS, EDGES, ERRORS, EXCEPTIONS, PATHS, SESSIONS, Table};
use crate::session::{Builds, DecodeOptions, Failure, KeyOutcome, Worker};

/// zstd's level for partial models.
const LEVEL: i32 = 3;

/// Options of a job.
#[derive(Debug, Clone)]
pub struct Job {
    /// Folder of the outputs.
    pub out: PathBuf,
    /// The partition.
    pub day: String,
    /// The shard's name.
    pub shard: String,
    /// The secret of the ids.
    pub salt: Salt,
    /// True if each callback is a row.
    pub callbacks: bool,
    /// Sessions that cost more are errors.
    pub max_decisions: u64,
    /// Sessions that take longer are errors.
    pub max_time: Duration,
    /// Threads.
    pub jobs: usize,
}

/// Outcome of a job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Done {
    /// The shard's name.
    pub shard: String,
    /// The partition.
    pub day: String,
    /// Inputs.
    pub inputs: u64,
    /// Rows of `sessions`.
    pub sessions: u64,
    /// Rows of `errors`.
    pub errors: u64,
    /// Problems, gaps in threads and records of damaged inputs.
    #[serde(serialize_with = "as_number")]
    pub damaged: Damage,
    /// Bytes of streams that were decoded.
    pub bytes: u64,
    /// Branches decided.
    pub decisions: u64,
    /// By build.
    pub builds: Vec<DoneBuild>,
}

fn as_number<S: Serializer>(damage: &Damage, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(damage.problems + damage.gaps + damage.records)
}

/// Outcome of a job for one build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DoneBuild {
    /// The build.
    pub build: String,
    /// Rows of `sessions`.
    pub sessions: u64,
    /// Branches decided.
    pub decisions: u64,
    /// The partial model; relative to the folder of outputs.
    pub model: String,
}

/// The builds of a catalogue, made when they are asked for.
struct OfCatalogue<'m> {
    catalogue: &'m Catalogue,
    builds: BTreeMap<BuildId, OnceLock<TableBuild<'m>>>,
}

impl<'m> Builds<'m> for OfCatalogue<'m> {
    fn build(&self, id: BuildId) -> Result<Option<&TableBuild<'m>>, Error> {
        let Some(cell) = self.builds.get(&id) else { return Ok(None) };
        if let Some(build) = cell.get() {
            return Ok(Some(build));
        }
        let Some(map) = self.catalogue.map(id)? else { return Ok(None) };
        Ok(Some(cell.get_or_init(|| TableBuild::new(map))))
    }
}

/// The files of one build.
struct Outputs {
    sessions: TableFile,
    edges: TableFile,
    calls: TableFile,
    exceptions: TableFile,
    paths: TableFile,
    callbacks: Option<TableFile>,
    errors: TableFile,
}

/// Paths of a job's outputs.
struct OutputPaths<'j>(&'j Job);

impl OutputPaths<'_> {
    fn table(&self, table: &Table, build: Option<BuildId>) -> PathBuf {
        let build = build.map_or("build=bnone".into(), |b| format!("build=b{b}"));
        let (day, file) =
            (format!("day=d{}", self.0.day), format!("part-{}.parquet", self.0.shard));
        self.0.out.join("tables/v1").join(table.name).join(build).join(day).join(file)
    }

    fn model(&self, build: BuildId) -> String {
        format!("partial/build=b{build}/day=d{}/part-{}.json.zst", self.0.day, self.0.shard)
    }
}

impl Outputs {
    fn create(
        places: &OutputPaths<'_>,
        build: BuildId,
        options: &DecodeOptions,
    ) -> Result<Self, Error> {
        let file = |table: &Table| TableFile::create(table, places.table(table, Some(build)));
        Ok(Outputs {
            sessions: file(&SESSIONS)?,
            edges: file(&EDGES)?,
            calls: file(&CALLS)?,
            exceptions: file(&EXCEPTIONS)?,
            paths: file(&PATHS)?,
            callbacks: options.writes(&CALLBACKS).then(|| file(&CALLBACKS)).transpose()?,
            errors: file(&ERRORS)?,
        })
    }

    fn write(&mut self, SessionId(id): SessionId, facts: &Facts) -> Result<(), Error> {
        let f = facts;
        let hash = |h: u64| Cell::I64(h as i64);
        let exit = f.exit.map(|reason| reason.name());
        self.sessions.row([
            id.into(),
            f.hour.into(),
            f.threads.into(),
            f.proven.into(),
            f.unproven.into(),
            f.faulty.into(),
            f.missing.into(),
            f.bytes.into(),
            f.decisions.into(),
            f.callbacks_begun.into(),
            f.usable.into(),
            f.end.name().into(),
            f.thrown.map(|t| t.0.0).into(),
            f.thrown.and_then(|t| t.1).into(),
            exit.as_deref().into(),
        ])?;
        for e in &f.edges {
            self.edges.row([id.into(), e.edge.into(), e.n.into(), e.is_first.into()])?;
        }
        for &((caller, callee), n) in &f.calls {
            self.calls.row([id.into(), caller.into(), callee.into(), n.into()])?;
        }
        for &((method, line, left), n) in &f.exceptions {
            self.exceptions.row([id.into(), method.into(), line.into(), left.into(), n.into()])?;
        }
        for &((callback, shape), (n, steps)) in &f.paths {
            self.paths.row([id.into(), callback.into(), hash(shape), n.into(), steps.into()])?;
        }
        if let Some(file) = &mut self.callbacks {
            for c in &f.callbacks {
                file.row([
                    id.into(),
                    c.thread.into(),
                    c.method.0.into(),
                    c.start_ms.into(),
                    c.took_us.into(),
                    c.steps.into(),
                    c.shape.map_or(Cell::Null, hash),
                ])?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Error> {
        let Outputs { sessions, edges, calls, exceptions, paths, callbacks, errors } = self;
        let files = [sessions, edges, calls, exceptions, paths, errors];
        files.into_iter().chain(callbacks).try_for_each(TableFile::finish)
    }
}

/// State of the outputs of a job.
struct Writing<'c, 'b, 'm> {
    builds: &'b OfCatalogue<'m>,
    places: OutputPaths<'c>,
    options: &'c DecodeOptions,
    open: BTreeMap<BuildId, OpenBuild<'b, 'm>>,
    unknown: TableFile,
    done: Done,
}

/// State of the outputs of a build.
struct OpenBuild<'b, 'm> {
    outputs: Outputs,
    counter: Counter<'b, 'm>,
    /// Bytes of the streams that it has counted.
    bytes: u64,
    done: DoneBuild,
}

/// Turns logs (see [`inputs`]) into tables and partial models.
///
/// # Errors
/// A list, a map or an output. A fault of a log is a row of `errors`.
pub fn run(
    job: &Job,
    catalogue: &Catalogue,
    logs: &[PathBuf],
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Done, Error> {
    let options = DecodeOptions {
        salt: job.salt.clone(),
        limits: Limits { decisions: job.max_decisions, time: job.max_time },
        lists_callbacks: job.callbacks,
    };
    let mut all = inputs(logs, &job.out)?;
    let count = all.len() as u64;
    let id = |input: &Input| SessionId::new(&options.salt, &input.key);
    all.sort_by_cached_key(|input| (id(input), input.key.clone()));
    // All inputs of one key are one job of a worker.
    let by_key: Vec<&[Input]> = all.chunk_by(|a, b| a.key == b.key).collect();
    let builds = OfCatalogue {
        catalogue,
        builds: catalogue.builds().map(|id| (id, OnceLock::new())).collect(),
    };
    let places = OutputPaths(job);
    let unknown = TableFile::create(&ERRORS, places.table(&ERRORS, None))?;
    let done =
        Done { shard: job.shard.clone(), day: job.day.clone(), inputs: count, ..Done::default() };
    let options = &options;
    let mut writing =
        Writing { builds: &builds, places, options, open: BTreeMap::new(), unknown, done };
    in_order(
        job.jobs,
        by_key.len(),
        || Worker::new(&builds, options),
        |worker, piece| worker.decode(by_key[piece]),
        |piece, outcome| {
            progress(piece + 1, by_key.len());
            writing.take(&by_key[piece][0].key, outcome?)
        },
    )?;
    writing.finish(&job.out)
}

impl<'b, 'm> Writing<'_, 'b, 'm> {
    fn of(&mut self, build: BuildId) -> Result<&mut OpenBuild<'b, 'm>, Error> {
        if !self.open.contains_key(&build) {
            let Some(of) = self.builds.build(build)? else {
                return Err(Error::Order { what: format!("build {build} has no map") });
            };
            let outputs = Outputs::create(&self.places, build, self.options)?;
            let done = DoneBuild {
                build: format!("b{build}"),
                sessions: 0,
                decisions: 0,
                model: self.places.model(build),
            };
            let counter = Counter::new(&of.program);
            self.open.insert(build, OpenBuild { outputs, counter, bytes: 0, done });
        }
        Ok(self.open.get_mut(&build).expect("just made"))
    }

    fn take(&mut self, key: &str, outcome: KeyOutcome) -> Result<(), Error> {
        self.done.damaged += outcome.damage;
        for session in outcome.sessions {
            let (id, facts) = (session.id, session.facts);
            let builds = self.builds;
            let open = self.of(session.build)?;
            open.outputs.write(id, &facts)?;
            if let Some(build) = builds.build(session.build)? {
                build.count(&facts, &mut open.counter);
            }
            open.bytes = open.bytes.saturating_add(facts.bytes);
            open.done.sessions += 1;
            open.done.decisions = open.done.decisions.saturating_add(facts.decisions);
            self.done.sessions += 1;
            self.done.decisions = self.done.decisions.saturating_add(facts.decisions);
            self.done.bytes = self.done.bytes.saturating_add(facts.bytes);
        }
        for Failure { build, session, kind, text } in outcome.failures {
            let id = session.map(|s| s.0);
            let row = [id.into(), key.into(), kind.name().into(), text.as_str().into()];
            match build {
                Some(build) => self.of(build)?.outputs.errors.row(row)?,
                None => self.unknown.row(row)?,
            }
            self.done.errors += 1;
        }
        Ok(())
    }

    fn finish(self, out: &Path) -> Result<Done, Error> {
        let Writing { open, unknown, mut done, .. } = self;
        for OpenBuild { outputs, counter, bytes, done: of_build } in open.into_values() {
            outputs.finish()?;
            let mut model = counter.counted(of_build.sessions);
            model.record_rest(counter.callbacks(), bytes, counter.logged());
            let packed = zstd::encode_all(&model.to_bytes()[..], LEVEL)
                .map_err(|e| Error::Temporary { why: e.to_string() })?;
            Whole::write(out.join(&of_build.model), &packed)?;
            done.builds.push(of_build);
        }
        unknown.finish()?;
        Ok(done)
    }
}
