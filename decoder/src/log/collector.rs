//! Takes inputs one by one, and gives out processes one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek};
use std::path::Path;

use memchr::memmem::Finder;
use model::exit_note::{self, ExitNote};
use model::map::BuildId;
use model::start_table::{self, StartTable};
use model::trace::{
    self, DamagedSlab, Identity, MAX_FILE_HEADER, Refused, SlabDamage, SlabHeader, TraceFile,
};

use super::exits::{BadNote, ExitLines, Exits};
use super::index::ProcessIndex;
use super::processes::Processes;
use super::scanner::{ScannedSlab, Scanner};
use super::store::{InputBuffer, InputError, Stored, Stores};
use super::tables::StartTables;
use super::{InputPlace, LogSet, Problem, ProblemKind, streams};

/// Number of slabs whose index memory holds; beyond it, the index of whole processes goes to the
/// temporary file.
const HELD_SLABS: usize = 1 << 18;

/// Takes inputs one by one and puts them together.
///
/// ```
/// use decoder::log::Collector;
/// let mut collector = Collector::new(None);
/// collector.add("empty.txt", &b"I/Other( 1): nothing of Pathlight\n"[..]).unwrap();
/// let set = collector.finish();
/// assert!(set.processes.is_empty());
/// assert_eq!(set.problems[0].to_string(), "empty.txt: not a Pathlight log: it has no record");
/// ```
#[derive(Debug)]
pub struct Collector {
    expected: Option<BuildId>,
    /// Several of one identity where inputs disagree.
    processes: BTreeMap<Identity, Vec<ProcessIndex>>,
    /// Slabs in the input that is being read.
    current: BTreeMap<Identity, ProcessIndex>,
    foreign: BTreeMap<(usize, BuildId), u64>,
    sources: Vec<String>,
    set: LogSet,
    stores: Stores,
    tables: StartTables,
    exits: Exits,
    /// Slabs of `processes` whose index memory holds, and how many it may hold.
    held: usize,
    pub(super) held_limit: usize,
    /// Number of additions to `processes`.
    commits: u64,
}

impl Collector {
    /// A collector for one build (slabs of others are reported and dropped), or for any.
    pub fn new(expected: Option<BuildId>) -> Self {
        Self {
            expected,
            processes: BTreeMap::new(),
            current: BTreeMap::new(),
            foreign: BTreeMap::new(),
            sources: vec![],
            set: LogSet::default(),
            stores: Stores::new(),
            tables: StartTables::default(),
            exits: Exits::default(),
            held: 0,
            held_limit: HELD_SLABS,
            commits: 0,
        }
    }

    /// Adds a file of either kind, or a start table; messages call it `name`. The payloads of a
    /// trace file stay in it and are read again when the turn comes to its process, so the file
    /// must not change until then. Those of text go to the temporary file.
    ///
    /// # Errors
    /// The file cannot be read, or the temporary file cannot be written.
    pub fn add_file(&mut self, name: &str, path: &Path) -> Result<(), InputError> {
        let fail = |error| InputError::Read { input: name.into(), error };
        let mut file = disk::open_log(path).map_err(fail)?;
        let facts = file.metadata().map_err(fail)?;
        // Files that the system makes up as they are read have no length.
        if !facts.is_file() || facts.len() == 0 {
            return self.add(name, BufReader::new(file));
        }
        let mut start = Vec::new();
        (&mut file).take(4).read_to_end(&mut start).map_err(fail)?;
        if trace::is_trace(&start) {
            // Zeros follow the last slab in use, often most of the file. A slab is no longer than
            // this, wherever it begins in files that were joined.
            let used = trace::last_used(&mut file, facts.len()).map_err(fail)?;
            let len = facts.len().min(used + trace::MAX_SLAB);
            let store = self.stores.add_file(name, path, file);
            self.traces(name, InputBuffer::new(store, 0, len))
        } else {
            file.rewind().map_err(fail)?;
            if start_table::is_table(&start) {
                return self.table(name, file);
            }
            if exit_note::is_exit_note(&start) {
                return self.exit_note(name, file);
            }
            self.add_text(name, BufReader::new(file))
        }
    }

    /// Adds an input of either kind that can be read only once: a trace file or start table if it
    /// begins like one, otherwise text. Data that is needed again goes to a temporary file (up to
    /// 16 MiB of it are held in memory).
    ///
    /// # Errors
    /// Reading fails, or the temporary file cannot be written. Slabs that were read from a
    /// text before the failure count.
    pub fn add(&mut self, name: &str, mut input: impl BufRead) -> Result<(), InputError> {
        // A pipe may hand out less than the four bytes at first.
        let mut start = Vec::new();
        let read = input.by_ref().take(4).read_to_end(&mut start);
        read.map_err(|error| InputError::Read { input: name.into(), error })?;
        let input = (&start[..]).chain(input);
        if trace::is_trace(&start) {
            let (store, at, len) = self.stores.append_from(name, input)?;
            self.traces(name, InputBuffer::new(store, at, len))
        } else if start_table::is_table(&start) {
            self.table(name, input)
        } else if exit_note::is_exit_note(&start) {
            self.exit_note(name, input)
        } else {
            self.add_text(name, input)
        }
    }

    /// Adds a start table.
    fn table(&mut self, name: &str, input: impl Read) -> Result<(), InputError> {
        self.sources.push(name.into());
        let mut bytes = vec![];
        let read = input.take(start_table::MAX_FILE + 1).read_to_end(&mut bytes);
        read.map_err(|error| InputError::Read { input: name.into(), error })?;
        match StartTable::parse(&bytes) {
            Ok(table) => self.tables.add(table),
            Err(e) => self.problem(InputPlace::Whole, ProblemKind::Table(e)),
        }
        Ok(())
    }

    /// Adds a note of how a process ended.
    fn exit_note(&mut self, name: &str, input: impl Read) -> Result<(), InputError> {
        self.sources.push(name.into());
        let mut bytes = vec![];
        let read = input.take(exit_note::SIZE as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|error| InputError::Read { input: name.into(), error })?;
        match ExitNote::parse(&bytes) {
            Ok(note) => self.exits.add(note),
            Err(e) => self.problem(InputPlace::Whole, ProblemKind::Exit(e)),
        }
        Ok(())
    }

    /// Adds a trace file, or several that were joined by `cat`, whole or cut.
    fn traces(&mut self, name: &str, mut window: InputBuffer) -> Result<(), InputError> {
        self.sources.push(name.into());
        let mut base = 0;
        while base < window.len {
            let next = next_header(&mut window, &mut self.stores, base, self.expected)?;
            let end = next.unwrap_or(window.len);
            if let Err(e) = self.one_trace(&mut window, base, end) {
                self.current.clear();
                return Err(e);
            }
            base = end;
        }
        Ok(())
    }

    /// Adds the trace file that stands from `base` to `end` of the input.
    fn one_trace(
        &mut self,
        window: &mut InputBuffer,
        base: u64,
        end: u64,
    ) -> Result<(), InputError> {
        let head = window.bytes(&mut self.stores, base, MAX_FILE_HEADER, end)?;
        let (header, version, mut finder) = match TraceFile::parse(head) {
            Ok(file) => (file.header.clone(), file.version, file.finder()),
            Err(e) => {
                self.problem(place_of(base), ProblemKind::Trace(e));
                return Ok(());
            }
        };
        let identity = &header.identity;
        if self.expected.is_none_or(|b| b == identity.build) {
            // Also when it holds nothing: a process that ended at once is no foreign one.
            let process = process(&mut self.current, identity, self.sources.len());
            process.refused = header.refused.unwrap_or_default();
            process.version = version;
            process.table = header.table;
            if header.refused.is_none() {
                self.problem(InputPlace::Whole, ProblemKind::FullUnknown { pid: identity.pid });
            }
        }
        let (store, origin) = window.place(base);
        let mut any = false;
        let mut last = false;
        while !last {
            let from = finder.at();
            let piece = window.bytes(&mut self.stores, base + from as u64, finder.wanted(), end)?;
            last = base + (from + piece.len()) as u64 >= end;
            while let Some(slab) = finder.next_in(piece, from, last) {
                any = true;
                match slab {
                    Ok(slab) => {
                        let payload = origin + slab.payload_at as u64;
                        let stored = Stored::new((store, payload), slab.payload);
                        let place = InputPlace::Byte(base + slab.offset as u64);
                        let from = (identity, version);
                        self.slab(from, slab.header, slab.payload, Some(stored), place)?;
                    }
                    Err(e) => {
                        let e = DamagedSlab { offset: base as usize + e.offset, ..e };
                        self.problem(InputPlace::Byte(e.offset as u64), ProblemKind::Slab(e));
                    }
                }
            }
        }
        if !any {
            self.problem(place_of(base), ProblemKind::NothingWritten);
        }
        self.commit()
    }

    /// Adds logcat in any form: text of any format, strings in JSON, the binary form.
    ///
    /// # Errors
    /// Reading fails, or the temporary file cannot be written; slabs read before count.
    pub fn add_text(&mut self, name: &str, input: impl BufRead) -> Result<(), InputError> {
        self.sources.push(name.into());
        let mut text = Text::default();
        let result = self.slabs_of(name, input, &mut text);
        self.set.lines += text.scanner.lines();
        text.exits.finish();
        self.exits.add_lines(self.sources.len() - 1, std::mem::take(&mut text.exits));
        self.commit()?;
        if text.old > 0 {
            self.problem(InputPlace::Whole, ProblemKind::OldLines { lines: text.old });
        }
        if !text.has_slabs && result.is_ok() {
            let nothing =
                if text.is_begun { ProblemKind::NoLog } else { ProblemKind::NothingWritten };
            self.problem(InputPlace::Whole, nothing);
        }
        result
    }

    /// Takes the slabs of a text.
    fn slabs_of(
        &mut self,
        name: &str,
        mut input: impl BufRead,
        text: &mut Text,
    ) -> Result<(), InputError> {
        loop {
            let read = match input.fill_buf() {
                Ok(bytes) => {
                    text.is_begun |= bytes.iter().any(|b| *b != 0);
                    text.scanner.push(bytes);
                    text.exits.push(bytes);
                    bytes.len()
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(InputError::Read { input: name.into(), error }),
            };
            input.consume(read);
            if read == 0 {
                text.scanner.finish();
            }
            while let Some(ScannedSlab { place, slab }) = text.scanner.next() {
                text.has_slabs = true;
                match slab {
                    Ok(slab) => {
                        let from = (&slab.identity, slab.version);
                        self.slab(from, slab.header, &slab.payload, None, place)?;
                    }
                    Err(DamagedSlab { damage: SlabDamage::Version(1), .. }) => text.old += 1,
                    Err(e) => self.problem(place, ProblemKind::Text(e)),
                }
            }
            if read == 0 {
                return Ok(());
            }
        }
    }

    fn source(&self) -> String {
        self.sources.last().cloned().unwrap_or_default()
    }

    fn problem(&mut self, place: InputPlace, kind: ProblemKind) {
        let source = self.source();
        self.set.add(Problem { source, place, kind });
    }

    /// Adds a slab. `stored` is its payload where it can be read again; without, it goes to the
    /// temporary file.
    fn slab(
        &mut self,
        (identity, version): (&Identity, u16),
        header: SlabHeader,
        payload: &[u8],
        stored: Option<Stored>,
        place: InputPlace,
    ) -> Result<(), InputError> {
        if self.expected.is_some_and(|b| b != identity.build) {
            *self.foreign.entry((self.sources.len() - 1, identity.build)).or_default() += 1;
            return Ok(());
        }
        let stored = match stored {
            Some(stored) => stored,
            None => Stored::new(self.stores.append(payload)?, payload),
        };
        let process = process(&mut self.current, identity, self.sources.len());
        process.last = process.last.max((header.order, header.unrecorded));
        process.version = version;
        let stream = process.threads(&mut self.stores)?.entry(header.thread).or_default();
        match stream.add(&header, stored, payload.first().copied(), &mut self.stores)? {
            streams::Added::New => self.set.slabs += 1,
            streams::Added::Duplicate => self.set.duplicates += 1,
            streams::Added::Conflict => {
                let (thread, sequence) = (header.thread, header.sequence);
                self.problem(place, ProblemKind::Conflict { pid: identity.pid, thread, sequence });
            }
        }
        Ok(())
    }

    /// The input has ended: what it had goes to the processes that it agrees with.
    fn commit(&mut self) -> Result<(), InputError> {
        self.commits += 1;
        for (identity, mut process) in std::mem::take(&mut self.current) {
            let known = self.processes.entry(identity.clone()).or_default();
            self.held = self.held.saturating_sub(known.iter().map(ProcessIndex::held).sum());
            let mut same = None;
            for (i, p) in known.iter_mut().enumerate() {
                if p.agrees(&mut process, &mut self.stores)? {
                    same = Some(i);
                    break;
                }
            }
            let apart = same.is_none() && !known.is_empty();
            let i = same.unwrap_or(known.len());
            if same.is_none() {
                known.push(ProcessIndex::default());
            }
            let both = known[i].merge(process, &mut self.stores)?;
            self.set.slabs -= both;
            self.set.duplicates += both;
            known[i].used = self.commits;
            self.held += known.iter().map(ProcessIndex::held).sum::<usize>();
            if apart {
                self.problem(InputPlace::Whole, ProblemKind::Apart { pid: identity.pid });
            }
        }
        if self.held > self.held_limit {
            let old = self.processes.values_mut().flatten().filter(|p| p.used < self.commits);
            for p in old {
                self.held = self.held.saturating_sub(p.held());
                p.put(&mut self.stores)?;
            }
        }
        Ok(())
    }

    /// Slabs whose index memory holds.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.processes.values().flatten().map(ProcessIndex::held).sum()
    }

    #[cfg(test)]
    pub(super) fn open_files(&self) -> usize {
        self.stores.open_files()
    }

    /// As if many other files had been read since.
    #[cfg(test)]
    pub(super) fn close_files(&mut self) {
        self.stores.close_files();
    }

    /// Puts everything together, all at once in memory. A process whose log cannot be read again is
    /// left out, and listed among the problems.
    pub fn finish(self) -> LogSet {
        let (mut set, mut processes) = self.finish_each();
        while let Some((identity, index)) = processes.left.next() {
            let (pid, source) = (identity.pid, processes.names(&index).join(", "));
            match processes.read(identity, index) {
                Ok(process) => set.processes.push(process),
                Err(e) => {
                    let kind = ProblemKind::Unreadable { pid, why: e.to_string() };
                    set.add(Problem { source, place: InputPlace::Whole, kind });
                }
            }
        }
        set
    }

    /// Puts everything together, one process at a time: first all but the processes, then each of
    /// these as it is asked for, in the order of [`LogSet::processes`].
    pub fn finish_each(self) -> (LogSet, Processes) {
        let Self {
            expected, processes, foreign, sources, mut set, stores, mut tables, exits, ..
        } = self;
        for ((source, build), slabs) in foreign {
            let kind =
                ProblemKind::ForeignBuild { build, expected: expected.unwrap_or_default(), slabs };
            set.add(Problem { source: sources[source].clone(), place: InputPlace::Whole, kind });
        }
        let all =
            processes.into_iter().flat_map(|(i, all)| all.into_iter().map(move |p| (i.clone(), p)));
        // One whose table is missing is left out here, so that the others are decoded.
        let sound = |(identity, index): &(Identity, ProcessIndex)| {
            let names = || index.sources.iter().map(|i| &sources[*i]);
            let folders = names().filter_map(|name| stores.folder(name));
            let found = index.table.map(|id| tables.find(id, identity.build, folders));
            let Some(Err(e)) = found else { return true };
            let source = names().cloned().collect::<Vec<_>>().join(", ");
            let kind = ProblemKind::Unreadable { pid: identity.pid, why: e.to_string() };
            set.add(Problem { source, place: InputPlace::Whole, kind });
            false
        };
        let mut left: Vec<_> = all.filter(sound).collect();
        find_exits(&exits, &mut left, (&sources, &stores), &mut set);
        let left = left.into_iter();
        let processes = Processes { left, sources, stores, tables };
        for (Identity { pid, .. }, index) in processes.left.as_slice() {
            let pid = *pid;
            let source = processes.names(index).join(", ");
            let mut problem =
                |kind| set.add(Problem { source: source.clone(), place: InputPlace::Whole, kind });
            for thread in index.unnamed() {
                problem(ProblemKind::ThreadName { pid, thread });
            }
            if index.last.1 {
                problem(ProblemKind::Unrecorded { pid });
            }
            if index.refused != Refused::default() {
                problem(ProblemKind::Full { pid, refused: index.refused });
            }
        }
        (set, processes)
    }
}

/// Finds the ends of the processes.
fn find_exits(
    exits: &Exits,
    left: &mut [(Identity, ProcessIndex)],
    (sources, stores): (&[String], &Stores),
    set: &mut LogSet,
) {
    let mut starts: BTreeMap<(BuildId, u32), BTreeSet<u64>> = BTreeMap::new();
    if exits.has_lines() {
        for (who, _) in left.iter() {
            starts.entry((who.build, who.pid)).or_default().insert(who.start_ms);
        }
    }
    let folders = stores.folders();
    for (who, index) in left {
        let folders = index.sources.iter().filter_map(|i| folders.get(sources[*i].as_str()));
        let line = || exits.line(who, &index.sources, starts.get(&(who.build, who.pid))?);
        index.exit = match exits.note(who, folders.copied()) {
            Ok(note) => note.or_else(line),
            Err(BadNote { path, error }) => {
                let (source, kind) = (path.display().to_string(), ProblemKind::Exit(error));
                set.add(Problem { source, place: InputPlace::Whole, kind });
                None
            }
        };
    }
}

/// A text that is being read.
#[derive(Debug, Default)]
struct Text {
    scanner: Scanner,
    exits: ExitLines,
    /// It has a byte that is not zero.
    is_begun: bool,
    /// It has slabs, sound or not.
    has_slabs: bool,
    /// Lines of version 1.
    old: u64,
}

/// The place at which a trace file begins in its input.
fn place_of(base: u64) -> InputPlace {
    if base == 0 { InputPlace::Whole } else { InputPlace::Byte(base) }
}

/// Returns the slabs of a process in the present input, the last of `inputs`.
fn process<'c>(
    current: &'c mut BTreeMap<Identity, ProcessIndex>,
    identity: &Identity,
    inputs: usize,
) -> &'c mut ProcessIndex {
    if !current.contains_key(identity) {
        current.insert(identity.clone(), ProcessIndex::of(inputs.saturating_sub(1)));
    }
    current.get_mut(identity).expect("just made")
}

/// Returns the offset at which another trace file begins after the one at `base`, because somebody
/// joined them: at a slab's place, or (when the first one was cut) anywhere, if the header names
/// the same build or the expected one. Its checksum keeps payloads from being mistaken for headers.
/// A damaged header at a slab's place also ends the first file: the slabs after it belong to
/// another process.
fn next_header(
    window: &mut InputBuffer,
    stores: &mut Stores,
    base: u64,
    expected: Option<BuildId>,
) -> Result<Option<u64>, InputError> {
    let end = window.len;
    let first =
        TraceFile::parse(window.bytes(stores, base, MAX_FILE_HEADER, end)?).ok().map(|f| f.header);
    let begins = |at: u64, bytes: &[u8]| {
        let in_place =
            first.as_ref().is_some_and(|f| (at - base).is_multiple_of(f.slab_size.into()));
        match TraceFile::parse(bytes) {
            Ok(f) => {
                let build = f.header.identity.build;
                in_place
                    || Some(build) == expected
                    || first.as_ref().is_none_or(|f| f.identity.build == build)
            }
            Err(_) => in_place,
        }
    };
    let mark = Finder::new(&trace::FILE_MAGIC);
    let mut at = base + 1;
    while at < end {
        let bytes = window.bytes(stores, at, MAX_FILE_HEADER, end)?;
        // Where a header would be whole, or the input ends.
        let last = at + bytes.len() as u64 >= end;
        let places = if last { bytes.len() } else { bytes.len() - MAX_FILE_HEADER + 1 };
        let marks = &bytes[..bytes.len().min(places + trace::FILE_MAGIC.len() - 1)];
        if let Some(n) = mark.find_iter(marks).find(|n| begins(at + *n as u64, &bytes[*n..])) {
            return Ok(Some(at + n as u64));
        }
        at += places as u64;
    }
    Ok(None)
}
