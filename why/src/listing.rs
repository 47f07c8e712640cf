//! Lists of a thread's exceptions, and of the callbacks in which a line ran.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::io::{self, Write};

use decoder::replay::{BlockNo, LoopRounds, PathEvent, PathSink, Program, Via};
use decoder::session::Note;
use dex::Op;
use model::map::{Block, CallKind, MethodId};
use reports::Sources;
use serde::Serialize;

use crate::code::AppCode;
use crate::criterion::Thrown;
use crate::explanation::{Certainty, SourceLocation};
use crate::history::{Exception, History};
use crate::path::{Object, Path, Point};
use crate::words;

/// Source lines that are named where several may have thrown.
const MAX_PLACES: usize = 3;

/// The last entries of a list.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    entries: VecDeque<Entry>,
    /// Entries that are kept at most.
    most: usize,
    /// Earlier entries, which were dropped.
    dropped: u64,
    /// Exceptions that may be of the class that was asked for: the log does not show their class.
    unknown: u64,
    /// True if something of the thread is missing in the log.
    is_partial: bool,
}

/// A thread whose list is written.
#[derive(Debug, Clone, Copy)]
pub struct ThreadName<'a> {
    /// Its number in the process.
    pub number: u32,
    /// Its name.
    pub name: &'a str,
}

/// The head of a thread's list.
#[derive(Serialize)]
struct ListedThread<'a> {
    e: &'static str,
    t: u32,
    name: &'a str,
    /// Entries before the first one that is listed.
    earlier: u64,
    /// Exceptions that may be of the class that was asked for.
    unknown: u64,
    /// True if parts of the thread are not recorded.
    partial: bool,
}

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "e", rename_all = "snake_case")]
enum Entry {
    Exception(ListedException),
    Line(ListedRuns),
}

/// An exception: where it was thrown, its class, and where it was caught.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ListedException {
    callback: u64,
    /// Time of the callback's begin in µs since the trace began.
    begin_us: u64,
    /// Number in the thread, as [`Criterion::Exception`](crate::Criterion) takes it.
    exception: u64,
    /// All lines that can have thrown it.
    thrown_at: Vec<SourceLocation>,
    certainty: Certainty,
    class: Option<ThrownClass>,
    /// The handler; `None` if the exception left the app's code.
    caught_at: Option<SourceLocation>,
    /// Classes that the handler takes, if the app's code is known.
    caught_as: Option<Vec<String>>,
    /// Number of the exception that was thrown again.
    again: Option<u64>,
    #[serde(flatten)]
    reservations: Reservations,
}

/// Runs of a line in a callback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ListedRuns {
    callback: u64,
    /// Time of the callback's begin in µs since the trace began.
    begin_us: u64,
    #[serde(skip)]
    line: String,
    ran: u64,
    /// Runs of its block that an exception or the end of the log may have cut short before it.
    may_have_run: u64,
    /// Method in which it ran most often.
    method: String,
    other_methods: usize,
    #[serde(flatten)]
    reservations: Reservations,
}

/// Reservations about an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Reservations {
    /// No check covers it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unproven: bool,
    /// Code outside the app may have swallowed an earlier exception.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    doubtful: bool,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Exception(exception) => exception.fmt(f),
            Entry::Line(runs) => runs.fmt(f),
        }
    }
}

impl fmt::Display for ListedException {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut at: Vec<String> = Vec::new();
        for place in self.thrown_at.iter().map(SourceLocation::short) {
            if !at.contains(&place) {
                at.push(place);
            }
        }
        let more = if at.len() > MAX_PLACES { " or later" } else { "" };
        at.truncate(MAX_PLACES);
        write!(
            f,
            "exception {} in {}: thrown at {}{more}{}",
            self.exception,
            callback_at(self.callback, self.begin_us),
            at.join(" or "),
            mark(self.certainty)
        )?;
        match &self.class {
            Some(class) => write!(f, ", class {}{}", class.name, mark(class.certainty))?,
            None => f.write_str(", class not recorded")?,
        }
        match (&self.caught_at, &self.caught_as) {
            (Some(at), Some(types)) => {
                write!(f, ", caught at {} as {}", at.short(), types.join(" or "))?;
            }
            (Some(at), None) => write!(f, ", caught at {}", at.short())?,
            (None, _) => f.write_str(", leaves the app's code")?,
        }
        if let Some(number) = self.again {
            write!(f, "; exception {number} again")?;
        }
        self.reservations.fmt(f)
    }
}

impl fmt::Display for ListedRuns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = |n: u64| match n {
            1 => "once".to_owned(),
            n => format!("{n} times"),
        };
        let ran = match (self.ran, self.may_have_run) {
            (0, begun) => format!("may have run {} (candidate)", times(begun)),
            (exact, 0) => format!("ran {}", times(exact)),
            (exact, begun) => {
                format!("ran {}, may have run {begun} more (candidate)", times(exact))
            }
        };
        let others = match self.other_methods {
            0 => String::new(),
            n => format!(" and {}", model::nouns::counted(n, "other method")),
        };
        write!(
            f,
            "{}: {} {ran}, in {}(){others}{}",
            callback_at(self.callback, self.begin_us),
            self.line,
            self.method,
            self.reservations
        )
    }
}

impl fmt::Display for Reservations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.unproven, self.doubtful) {
            (true, _) => " (no check covers it)",
            (false, true) => " (candidate: may be of another call)",
            (false, false) => "",
        })
    }
}

impl Listing {
    fn new(most: usize) -> Listing {
        Listing { most, ..Listing::default() }
    }

    fn note(&mut self, note: &Note) {
        self.is_partial |= match note {
            Note::Late
            | Note::Gap { .. }
            | Note::Skipped { bytes: 1.. }
            | Note::Faulty(_)
            | Note::Inside { .. }
            | Note::Below => true,
            Note::Skipped { bytes: 0 } | Note::Resumed { .. } | Note::Unproven | Note::Ended(_) => {
                false
            }
        };
    }

    fn push(&mut self, entry: Entry) {
        self.entries.push_back(entry);
        if self.entries.len() > self.most {
            self.entries.pop_front();
            self.dropped += 1;
        }
    }

    /// Returns true if there is nothing to print.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.unknown == 0 && !self.is_partial
    }

    /// Returns true if entries were dropped.
    pub fn is_cut(&self) -> bool {
        self.dropped > 0
    }

    /// Writes the list as JSON lines: one of kind `thread` with what is not listed, then one for
    /// each entry.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write_json(&self, thread: &ThreadName<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Listing { dropped, unknown, is_partial, .. } = self;
        let head = ListedThread {
            e: "thread",
            t: thread.number,
            name: thread.name,
            earlier: *dropped,
            unknown: *unknown,
            partial: *is_partial,
        };
        serde_json::to_writer(&mut *out, &head)?;
        writeln!(out)?;
        for entry in &self.entries {
            serde_json::to_writer(&mut *out, entry)?;
            writeln!(out)?;
        }
        Ok(())
    }

    /// Writes the list as text, with source lines.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write_text(&self, out: &mut dyn Write, sources: Option<&Sources>) -> io::Result<()> {
        if self.dropped > 0 {
            writeln!(out, "… {} more before these", self.dropped)?;
        }
        for entry in &self.entries {
            writeln!(out, "{}", reports::visible(&entry.to_string()))?;
            let thrown_at = match entry {
                Entry::Exception(exception) => exception.thrown_at.first(),
                Entry::Line(_) => None,
            };
            let line = thrown_at
                .zip(sources)
                .and_then(|(at, sources)| sources.line(&at.package, at.file.as_deref()?, at.line?));
            if let Some(line) = line {
                writeln!(out, "    {}", reports::visible(&line))?;
            }
        }
        match self.unknown {
            0 => {}
            1 => writeln!(out, "1 other exception may be of this class: its own is not recorded")?,
            n => writeln!(
                out,
                "{n} other exceptions may be of this class: their own are not recorded"
            )?,
        }
        match self.is_partial {
            true => writeln!(out, "(parts of this thread are not recorded)"),
            false => Ok(()),
        }
    }
}

/// `callback #7 [0.140 s]`.
fn callback_at(number: u64, begin_us: u64) -> String {
    // Whole milliseconds that have passed, as in the text of paths.
    format!("callback #{number} [{}.{:03} s]", begin_us / 1_000_000, begin_us / 1_000 % 1_000)
}

/// A sink that lists the exceptions of a thread: where each was thrown, its class, and where it was
/// caught. Numbers are those of [`Criterion::Exception`](crate::Criterion).
pub struct ExceptionList<'c, 'p, 'm> {
    history: History<'p, 'm>,
    code: Option<&'c AppCode<'m>>,
    /// Glob for the class: see [`is_class`].
    class: Option<&'c str>,
    /// Classes that each handler takes.
    catch_types: HashMap<BlockNo, Option<Vec<String>>>,
    /// Time of the callback's begin in µs since the trace began.
    begin_us: u64,
    listing: Listing,
}

/// A class of an exception.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ThrownClass {
    /// `java.io.IOException`.
    name: String,
    certainty: Certainty,
}

impl<'c, 'p, 'm> ExceptionList<'c, 'p, 'm> {
    /// Lists the last `most` exceptions, or those of a class. Classes are known only with the app's
    /// code.
    pub fn new(
        program: &'p Program<'m>,
        code: Option<&'c AppCode<'m>>,
        class: Option<&'c str>,
        most: usize,
    ) -> Self {
        let history = History::new(program);
        // Every class matches, also one that is not recorded.
        let class = class.filter(|&glob| glob != "*");
        let catch_types = HashMap::new();
        let listing = Listing::new(most);
        ExceptionList { history, code, class, catch_types, begin_us: 0, listing }
    }

    /// Returns the list.
    pub fn into_listing(self) -> Listing {
        self.listing
    }

    /// Lists the exception that the history has just got.
    fn list(&mut self, from: &[BlockNo], caught: Option<BlockNo>) {
        let Some(exception) = self.history.last_exception().cloned() else { return };
        let program = self.history.program();
        let mut places = places_of(program, from);
        let mut certainty = certainty_of(program, from, &places);
        let mut thrown = None;
        if let (Some(code), [block]) = (self.code, from) {
            let path = Path::new(code, &self.history);
            let (_, throwers) = path.throwers(&exception, &Thrown::default());
            let is_there =
                |point: &Point| path.visit(point.visit).is_some_and(|visit| visit.block == *block);
            let points: Vec<Point> = throwers.all.iter().map(|t| t.0).filter(is_there).collect();
            if certainty == Certainty::Candidate && !points.is_empty() {
                places = points.iter().filter_map(|&point| location(&path, point)).collect();
                if throwers.is_certain {
                    certainty = Certainty::Exact;
                }
            }
            if let [point] = points[..] {
                thrown = class_at(&path, point, throwers.is_certain);
            }
        }
        let handler = caught.and_then(|block| place_of(program, block));
        let types = caught.zip(self.code).and_then(|(block, code)| {
            let found = || code.catch_types(program, block);
            self.catch_types.entry(block).or_insert_with(found).clone()
        });
        self.add(&exception, (places, certainty), thrown, handler, types);
    }

    fn add(
        &mut self,
        exception: &Exception,
        (places, certainty): (Vec<SourceLocation>, Certainty),
        thrown: Option<ThrownClass>,
        handler: Option<SourceLocation>,
        types: Option<Vec<String>>,
    ) {
        if let Some(glob) = self.class {
            let names = thrown.iter().map(|t| &t.name).chain(types.iter().flatten());
            if !names.clone().any(|name| is_class(glob, name)) {
                // A catch of a superclass leaves the class open.
                let is_known = thrown.as_ref().is_some_and(|t| t.certainty == Certainty::Exact);
                self.listing.unknown += u64::from(!is_known);
                return;
            }
        }
        self.listing.push(Entry::Exception(ListedException {
            callback: exception.callback,
            begin_us: self.begin_us,
            exception: exception.number,
            thrown_at: places,
            certainty,
            class: thrown,
            caught_at: handler,
            caught_as: types,
            again: (exception.origin != exception.number).then_some(exception.origin),
            reservations: Reservations {
                unproven: exception.unproven,
                doubtful: exception.doubtful,
            },
        }));
    }
}

/// ` (candidate)`, or nothing.
fn mark(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Exact => "",
        Certainty::Candidate => " (candidate)",
    }
}

/// Returns true if a glob matches a class: the simple name if the glob has no dot, with or without
/// the outer classes.
fn is_class(glob: &str, class: &str) -> bool {
    if glob.contains('.') {
        return glob_match::glob_match(glob, class);
    }
    let simple = class.rsplit('.').next().unwrap_or(class);
    let inner = simple.rsplit('$').next().unwrap_or(simple);
    glob_match::glob_match(glob, simple) || glob_match::glob_match(glob, inner)
}

/// Returns the source position at which a block begins.
fn place_of(program: &Program<'_>, block: BlockNo) -> Option<SourceLocation> {
    let (id, number) = program.locate(block);
    let method = program.map.method(id)?;
    let block = method.blocks.get(number)?;
    Some(words::target(program.map, method, block, block.pc))
}

/// Returns the source positions of blocks, without repetitions.
fn places_of(program: &Program<'_>, blocks: &[BlockNo]) -> Vec<SourceLocation> {
    let mut all: Vec<SourceLocation> = Vec::new();
    for &block in blocks {
        let (id, number) = program.locate(block);
        let Some(method) = program.map.method(id) else { continue };
        let Some(block) = method.blocks.get(number) else { continue };
        let own = block.lines.iter().filter(|l| l.0 < block.end).map(|l| l.0.max(block.pc));
        for pc in [block.pc].into_iter().chain(own) {
            let at = words::target(program.map, method, block, pc);
            if !all.contains(&at) {
                all.push(at);
            }
        }
    }
    all
}

/// Returns exact if only one line can have thrown: the blocks have no other, and they call no
/// method that the log does not show.
fn certainty_of(program: &Program<'_>, blocks: &[BlockNo], places: &[SourceLocation]) -> Certainty {
    let is_silent =
        |block: &Block| block.calls.iter().any(|site| matches!(site.call, CallKind::Implied(_)));
    let has_silent_calls = blocks.iter().any(|&block| {
        let (id, number) = program.locate(block);
        let block = program.map.method(id).and_then(|method| method.blocks.get(number));
        block.is_none_or(is_silent)
    });
    match places {
        [one] if one.line.is_some() && !one.near && !has_silent_calls => Certainty::Exact,
        _ => Certainty::Candidate,
    }
}

fn location(path: &Path<'_, '_, '_>, point: Point) -> Option<SourceLocation> {
    let block = path.block(&path.visit(point.visit)?)?;
    Some(path.target(&block, point.node))
}

/// Returns the class of the exception that an instruction threw, if the instruction determines it.
fn class_at(path: &Path<'_, '_, '_>, point: Point, is_certain: bool) -> Option<ThrownClass> {
    let insn = path.insn(point)?;
    let certainty = if is_certain { Certainty::Exact } else { Certainty::Candidate };
    let name = insn.op.name();
    let of_runtime = |name: &str| Some(ThrownClass { name: name.to_owned(), certainty });
    if name.starts_with("div-") || name.starts_with("rem-") {
        return of_runtime("java.lang.ArithmeticException");
    }
    if insn.op != Op::Throw {
        return None;
    }
    let (register, _) = *insn.uses().first()?;
    let Object::New(created) = path.object(point, register) else { return None };
    let block = path.block(&path.visit(created.visit)?)?;
    let dex::Ref::Type(class) = block.body.insn(created.node)?.reference()? else { return None };
    let name = path.code.source_name(&path.code.dex(&block.body).type_name(class));
    Some(ThrownClass { name, certainty })
}

impl PathSink for ExceptionList<'_, '_, '_> {
    fn event(&mut self, event: PathEvent<'_>) {
        self.history.event(event);
        match event {
            PathEvent::Times(times) => self.begin_us = times.begin_us,
            PathEvent::Caught { block, from, .. } => self.list(from, Some(block)),
            PathEvent::Unwound { from, .. } => self.list(from, None),
            PathEvent::Note(note) => self.listing.note(&note),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        self.history.rounds(rounds);
    }
}

/// Runs of a block in one callback.
#[derive(Debug, Clone, Copy, Default)]
struct BlockRuns {
    exact: u64,
    /// The block began; an exception or the end of the log may have come before the line.
    begun: u64,
}

/// A sink that lists the callbacks of a thread in which a line ran.
pub struct LineRuns<'p, 'm> {
    program: &'p Program<'m>,
    place: String,
    /// Blocks with instructions of the line. True: the block begins with them.
    blocks: HashMap<BlockNo, bool>,
    /// The block in which each frame is, if it has instructions of the line that may be to come.
    frames: Vec<Option<BlockNo>>,
    runs: BTreeMap<BlockNo, BlockRuns>,
    callback: u64,
    /// Time of the callback's begin in µs since the trace began.
    begin_us: u64,
    unproven: bool,
    doubtful: bool,
    listing: Listing,
}

impl<'p, 'm> LineRuns<'p, 'm> {
    /// Lists the last `most` callbacks.
    pub fn new(program: &'p Program<'m>, file: &str, line: u32, most: usize) -> Self {
        let is_on_line = |at: &SourceLocation| {
            at.line == Some(line) && at.file.as_deref() == Some(file) && !at.near
        };
        let begins = |&block: &BlockNo| place_of(program, block).is_some_and(|at| is_on_line(&at));
        let blocks = words::blocks_of_line(program, file, line);
        LineRuns {
            program,
            place: format!("{file}:{line}"),
            blocks: blocks.into_iter().map(|block| (block, begins(&block))).collect(),
            frames: Vec::new(),
            runs: BTreeMap::new(),
            callback: 0,
            begin_us: 0,
            unproven: false,
            doubtful: false,
            listing: Listing::new(most),
        }
    }

    /// Returns the list.
    pub fn into_listing(mut self) -> Listing {
        self.end_callback();
        self.listing
    }

    /// Lists the callback that ends.
    fn end_callback(&mut self) {
        self.interrupt(self.frames.len());
        self.frames.clear();
        // A line of several blocks of a method ran as often as the block that ran most often.
        let mut of_methods: BTreeMap<MethodId, (BlockRuns, BlockNo)> = BTreeMap::new();
        for (block, of) in std::mem::take(&mut self.runs) {
            let method = self.program.locate(block).0;
            let most = of_methods.entry(method).or_insert((of, block));
            if (of.exact, of.begun) > (most.0.exact, most.0.begun) {
                *most = (of, block);
            }
        }
        let Some(&(_, block)) = of_methods.values().max_by_key(|(of, _)| (of.exact, of.begun))
        else {
            return;
        };
        let sum = |count: fn(&BlockRuns) -> u64| of_methods.values().map(|(of, _)| count(of)).sum();
        self.listing.push(Entry::Line(ListedRuns {
            callback: self.callback,
            begin_us: self.begin_us,
            line: self.place.clone(),
            ran: sum(|of| of.exact),
            may_have_run: sum(|of| of.begun),
            method: place_of(self.program, block).map_or_else(String::new, |at| at.method),
            other_methods: of_methods.len() - 1,
            reservations: Reservations { unproven: self.unproven, doubtful: self.doubtful },
        }));
    }

    /// The innermost frames end within their blocks.
    fn interrupt(&mut self, frames: usize) {
        let kept = self.frames.len().saturating_sub(frames);
        for block in self.frames[kept..].iter().flatten() {
            let of = self.runs.entry(*block).or_default();
            of.exact = of.exact.saturating_sub(1);
            of.begun += 1;
        }
    }
}

impl PathSink for LineRuns<'_, '_> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => {
                // Of the callback that begins.
                self.end_callback();
                self.begin_us = times.begin_us;
            }
            PathEvent::Enter { via, .. } => {
                if matches!(via, Via::TopLevel(_)) {
                    self.end_callback();
                    self.callback += 1;
                    self.doubtful = false;
                }
                self.frames.push(None);
            }
            PathEvent::Block(block) => self.block(block),
            PathEvent::Leave => {
                self.frames.pop();
                if self.frames.is_empty() {
                    self.end_callback();
                }
            }
            PathEvent::Caught { dropped, block, .. } => {
                // The frame that catches leaves its block too.
                self.interrupt(dropped.saturating_add(1));
                self.frames.truncate(self.frames.len().saturating_sub(dropped));
                self.block(block);
            }
            PathEvent::Unwound { dropped, .. } => {
                self.interrupt(dropped);
                self.frames.truncate(self.frames.len().saturating_sub(dropped));
                if self.frames.is_empty() {
                    self.end_callback();
                }
            }
            PathEvent::Doubtful { .. } => self.doubtful = true,
            PathEvent::Note(note) => self.note(note),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { cycle, times, .. } = rounds;
        if times == 0 {
            return;
        }
        for block in cycle.iter().filter(|block| self.blocks.contains_key(block)) {
            self.runs.entry(*block).or_default().exact += u64::from(times - 1);
        }
        rounds.pass_one(self);
    }
}

impl LineRuns<'_, '_> {
    fn block(&mut self, block: BlockNo) {
        let begins = self.blocks.get(&block).copied();
        if begins.is_some() {
            self.runs.entry(block).or_default().exact += 1;
        }
        if let Some(frame) = self.frames.last_mut() {
            *frame = begins.filter(|begins| !begins).map(|_| block);
        }
    }

    fn note(&mut self, note: Note) {
        self.listing.note(&note);
        match note {
            // An empty stack follows.
            Note::Resumed { .. } | Note::Faulty(_) | Note::Below => {
                self.interrupt(self.frames.len());
                self.frames.clear();
            }
            Note::Unproven => self.unproven = true,
            Note::Ended(_) => {
                self.end_callback();
                self.unproven = false;
            }
            Note::Gap { .. } | Note::Skipped { .. } | Note::Late | Note::Inside { .. } => {}
        }
    }
}
