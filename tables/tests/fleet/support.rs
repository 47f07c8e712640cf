//! A folder with maps and logs, jobs over it, and tables as rows of text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use decoder::log::Collector;
use decoder::replay::Program;
use decoder::session::decode_thread;
use decoder::train::Counter;
use model::map::Map;
use model::profile::Profile;
use model::trace::write_trace;
use parquet::file::reader::{FileReader, SerializedFileReader};
use tables::Salt;
use tables::catalogue::Catalogue;
use tables::shard::{Done, Job, run};
use tempfile::TempDir;
use tests::sim::{Habits, Played, Rng, Shape, file_header, play, random_map, sealed, slabs};

/// A folder of its own.
pub struct Fleet {
    folder: TempDir,
}

/// A map of random code. Methods without probes would differ between codecs.
pub fn map(seed: u64) -> Map {
    let mut rng = Rng::new(seed);
    let shape = Shape { implied: 0, ..Shape::any(&mut rng) };
    sealed(random_map(&mut rng, &shape))
}

/// Paths of some threads of a process.
pub fn played(map: &Map, seed: u64) -> Vec<Played> {
    let mut rng = Rng::new(seed);
    (0..1 + seed % 3)
        .map(|t| play(map, map, &format!("secret-thread-{t}"), &mut rng, Habits::plain(300, true)))
        .collect()
}

/// Their log, with zeros at its end as on a device.
pub fn log_of(map: &Map, pid: u32, threads: &[Played]) -> Vec<u8> {
    let mut all = Vec::new();
    for (thread, played) in (1..).zip(threads) {
        all.extend(slabs(played, thread, 300, true));
    }
    all.iter_mut().zip(0..).for_each(|(slab, order)| slab.0.order = order);
    let mut head = file_header(map, 344, pid);
    head.identity.process = "secret.process".into();
    let mut file = write_trace(&head, all.iter().map(|(h, p)| (*h, &p[..])));
    file.resize(file.len() + 20_000, 0);
    file
}

/// The log of a session.
pub fn log(map: &Map, seed: u64) -> Vec<u8> {
    log_of(map, seed as u32 + 1, &played(map, seed))
}

impl Fleet {
    /// With these maps, the oldest first.
    pub fn new(maps: &[&Map]) -> Self {
        let fleet = Fleet { folder: tempfile::tempdir().expect("a folder") };
        for (code, map) in (1..).zip(maps) {
            fleet.write(&format!("maps/b{}.plmap", map.build), &map.to_bytes());
            let release = format!("{{\"version_code\":{code},\"release\":\"{code}.0\"}}");
            fleet.write(&format!("maps/b{}.json", map.build), release.as_bytes());
        }
        fleet
    }

    /// A place in it.
    pub fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file, and gives its path.
    pub fn write(&self, path: &str, bytes: &[u8]) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder");
        fs::write(&path, bytes).expect("written");
        path
    }

    /// `count` sessions of a map in `raw/`, by number.
    pub fn sessions(&self, map: &Map, seeds: std::ops::Range<u64>) -> Vec<PathBuf> {
        let one = |n| self.write(&format!("raw/s-{n}.plt"), &log(map, n));
        seeds.map(one).collect()
    }

    /// The catalogue.
    pub fn catalogue(&self) -> Catalogue {
        Catalogue::open(&self.at("maps")).expect("a catalogue")
    }

    /// A job that writes there.
    pub fn job(&self, out: &str, shard: &str) -> Job {
        Job {
            out: self.at(out),
            day: "20261122".into(),
            shard: shard.into(),
            salt: Salt::new("pepper"),
            callbacks: true,
            max_decisions: u64::MAX,
            max_time: Duration::from_secs(3600),
            jobs: 1,
        }
    }

    /// Runs a job.
    pub fn run(&self, job: &Job, logs: &[PathBuf]) -> Done {
        run(job, &self.catalogue(), logs, &mut |_, _| {}).expect("the job is done")
    }

    /// Runs a job of one shard.
    pub fn shard(&self, out: &str, logs: &[PathBuf]) -> Done {
        self.run(&self.job(out, "0"), logs)
    }

    /// All files below a folder, with their bytes.
    pub fn files(&self, out: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let (root, mut all) = (self.at(out), BTreeMap::new());
        below(&root, &mut |path| {
            let name = path.strip_prefix(&root).expect("below").to_owned();
            all.insert(name, fs::read(path).expect("readable"));
        });
        all
    }

    /// All rows of a table, as `name: value` per column, in the order of the files.
    pub fn rows(&self, out: &str, table: &str) -> Vec<BTreeMap<String, String>> {
        let mut all = Vec::new();
        let mut paths = Vec::new();
        below(&self.at(out).join("tables/v1").join(table), &mut |path| paths.push(path.to_owned()));
        paths.sort();
        for path in paths {
            let reader = SerializedFileReader::new(fs::File::open(&path).expect("there"));
            let reader = reader.expect("Parquet");
            for row in reader.get_row_iter(None).expect("rows") {
                let row = row.expect("a row");
                let cells = row.get_column_iter();
                let text = |(name, value): (&String, &parquet::record::Field)| {
                    (name.clone(), value.to_string().trim_matches('"').to_owned())
                };
                all.push(cells.map(text).collect());
            }
        }
        all
    }

    /// The sum of a shard's partial models.
    pub fn model(&self, out: &str) -> Profile {
        let mut models = Vec::new();
        below(&self.at(out).join("partial"), &mut |path| models.push(path.to_owned()));
        let catalogue = self.catalogue();
        let merge = tables::merge::Merge {
            models: &models,
            catalogue: Some(&catalogue),
            ..tables::merge::Merge::default()
        };
        tables::merge::merge(&merge).expect("merged")
    }
}

fn below(folder: &Path, each: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { below(&path, each) } else { each(&path) }
    }
}

/// The model that one `train` makes of these logs, given all at once.
pub fn trained(map: &Map, logs: &[PathBuf], mut onto: Profile) -> Profile {
    let program = Program::new(map);
    let mut collector = Collector::new(Some(map.build));
    for path in logs {
        collector.add_file(&path.display().to_string(), path).expect("readable");
    }
    let processes = collector.finish().processes;
    let mut counter = Counter::new(&program);
    let mut bytes = 0;
    for thread in processes.iter().flat_map(|process| &process.threads) {
        decode_thread(&program, thread, &mut counter);
        bytes += thread.segments.iter().map(|s| s.bytes.len() as u64).sum::<u64>();
    }
    let sessions = processes.iter().filter(|p| !p.threads.is_empty()).count();
    counter.add_to(&mut onto, sessions as u64);
    onto.record_rest(counter.callbacks(), bytes, counter.logged());
    onto
}

/// Sums a column of the rows with these values.
pub fn total(rows: &[BTreeMap<String, String>], column: &str, with: &[(&str, &str)]) -> u64 {
    let fits = |row: &&BTreeMap<String, String>| with.iter().all(|(c, v)| row[*c] == *v);
    rows.iter().filter(fits).map(|row| row[column].parse::<u64>().expect("a count")).sum()
}
