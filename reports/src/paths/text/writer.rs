//! Writer of text for people: nested calls, and under each the source lines in the order in which
//! they ran. Code that the compiler inlined is also shown as a call.

use std::fmt;
use std::io::{self, Write};

use decoder::log::{Process, wall_clock};
use decoder::replay::{BlockNo, Decision, Ended, LoopRounds, PathEvent, PathSink, Program, Via};
use decoder::session::Note;
use model::descriptors::dotted_name;
use model::map::{CodeOrigin, MethodId, MethodKind, OutlineCall, Position, SourceMethod};

use super::item::{CallOrigin, FROM, Heading, Item};
use super::layout::CallLayout;
use super::options::TextOptions;
use super::rows;
use super::style::Style;
use crate::base::filter::Paths;
use crate::base::method_names::{self, MethodRef, source_method};
use crate::base::names::{block_of, dotted, stands_for};
use crate::base::progress::Progress;
use crate::base::remarks::{BELOW, inside};
use model::nouns::{counted, there_are};

/// Number of rounds of a loop that are processed one by one.
const ROUNDS_APART: u32 = 4;
/// Maximum number of places of an exception to name.
const MOST_PLACES: usize = 5;
/// Maximum number of possible calls to name.
const MOST_POSSIBLE: usize = 8;
/// Number of repeated entries of a line that are kept per call.
const SEEN: usize = 32;

/// Writes one thread's path as text.
#[derive(Debug)]
pub struct TextPaths<'p, 'm, W> {
    program: &'p Program<'m>,
    layout: CallLayout<'p, 'm, W>,
    frames: Vec<TextFrame<'m>>,
    /// True if the next frame is shown.
    show_next: bool,
    /// Number of top-level callbacks so far.
    callbacks: u64,
    /// Time since the process began, in ms.
    clock: u64,
    /// Duration of the next callback: µs, and the resolution of the measurement.
    took: Option<(u64, u32)>,
}

/// An active method.
#[derive(Debug)]
struct TextFrame<'m> {
    method: MethodId,
    shown: bool,
    progress: Progress,
    /// Index of the block's next line entry.
    line: usize,
    /// Its own last line; `inlined` are the inlined calls that it is in, outermost first.
    last: Last,
    inlined: Vec<Inlined>,
    /// For an outline: the mapping of its lines to the frame below, in which it is shown.
    outline: Option<&'m OutlineCall>,
}

/// An inlined call.
#[derive(Debug)]
struct Inlined {
    /// Index in the map's source methods.
    method: u32,
    caller: u32,
    last: Last,
}

/// The last line that was shown. Several entries of it in a row are one line; a repeated entry is
/// another round of a loop.
#[derive(Debug, Default)]
struct Last {
    line: u32,
    seen: Vec<LineEntry>,
}

/// A line entry: a block and an index in it.
type LineEntry = (BlockNo, usize);

impl Last {
    /// Records a line. Returns true if it is to be shown again.
    fn comes(&mut self, line: u32, entry: Option<LineEntry>) -> bool {
        let again = entry.is_some_and(|entry| self.seen.contains(&entry));
        let new = line != 0 && (line != self.line || again);
        if new {
            self.line = line;
            self.seen.clear();
        }
        if self.seen.len() < SEEN {
            self.seen.extend(entry);
        }
        new
    }
}

/// A line of a source file, printed as `File.java:12`.
#[derive(Debug)]
struct FileLine {
    /// The file, or the method if its file is not known.
    file: String,
    line: u32,
    /// The method, if it is another one than the frame's: code that the compiler inlined.
    inlined: Option<String>,
    /// Exceptions that a compiler's check throws in place of another line: class, file and line.
    thrown: Vec<(String, String, u32)>,
}

impl fmt::Display for FileLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        self.inlined.iter().try_for_each(|method| write!(f, " in {method}"))?;
        self.thrown
            .iter()
            .try_for_each(|(class, file, line)| write!(f, " ({class}: {file}:{line})"))
    }
}

impl FileLine {
    /// Returns true if another line is of the same code, so that both make a range.
    fn is_beside(&self, other: &FileLine) -> bool {
        (&self.file, &self.inlined, &self.thrown) == (&other.file, &other.inlined, &other.thrown)
    }
}

/// A place at which an exception can have been thrown.
#[derive(Debug)]
enum ThrowPlace {
    Line(FileLine),
    /// A method and the address of its block, for code without a line.
    Address(String),
}

/// Returns the lines of one method, as ranges that contain none of the lines that did not throw.
fn ranges(lines: &[&FileLine], quiet: &[FileLine]) -> String {
    let first = lines[0];
    let mut numbers: Vec<u32> = lines.iter().map(|l| l.line).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() == 1 {
        return first.to_string();
    }
    let beside = quiet.iter().filter(|l| (&l.file, &l.inlined) == (&first.file, &first.inlined));
    let beside: Vec<u32> = beside.map(|l| l.line).collect();
    let joined = |&a: &u32, &b: &u32| !beside.iter().any(|n| (a + 1..b).contains(n));
    let range = |run: &[u32]| match *run {
        [low, .., high] => format!("{low}–{high}"),
        _ => run[0].to_string(),
    };
    let mut all: Vec<String> = numbers.chunk_by(joined).map(range).collect();
    leave_out(&mut all);
    let method = first.inlined.iter().map(|m| format!(" in {m}")).collect::<String>();
    format!("{}:{}{method}", first.file, all.join(", "))
}

/// Leaves places out if there are too many to name.
fn leave_out(places: &mut Vec<String>) {
    if places.len() > MOST_PLACES {
        places.splice(MOST_PLACES - 1..places.len() - 1, ["…".into()]);
    }
}

/// Returns the heading of a process: its name, id, start and files.
pub fn process_heading(process: &Process) -> String {
    let (day, time) = wall_clock(process.start_ms);
    let (name, pid) = (&process.name, process.pid);
    let sources = process.sources.join(", ");
    format!("### {name} (pid {pid}), started {day} {time} UTC, from {sources}")
}

impl<'p, 'm, W: Write> TextPaths<'p, 'm, W> {
    /// Creates a writer for one thread.
    pub fn new(program: &'p Program<'m>, out: W, process: &Process) -> Self {
        TextPaths::with(program, out, process, TextOptions::default())
    }

    /// Creates a writer for one thread, with options.
    pub fn with(
        program: &'p Program<'m>,
        out: W,
        process: &Process,
        options: TextOptions<'p>,
    ) -> Self {
        let rows = rows::Rows::new(program.map, out, options, process.start_ms);
        TextPaths {
            program,
            layout: CallLayout::new(rows),
            frames: Vec::new(),
            show_next: true,
            callbacks: 0,
            clock: 0,
            took: None,
        }
    }

    /// Sets the text before the first row. Without rows it is written only if `always` is true.
    pub fn heading(&mut self, text: String, always: bool) {
        self.layout.rows().preface(text);
        if always {
            self.layout.rows().write_preface();
        }
    }

    /// Writes pending text.
    ///
    /// # Errors
    /// The first error of the output.
    pub fn finish(mut self) -> io::Result<()> {
        self.walk_certain();
        self.layout.finish()
    }

    /// Adds a message to the innermost call.
    fn message(&mut self, style: Style, text: &str) {
        // An outline is shown in its caller.
        if self.frames.last().is_none_or(|f| f.shown) {
            self.layout.add(Item::Message(style, text.into()));
        }
    }

    fn open(&mut self, what: MethodRef, origin: CallOrigin, made: bool, shown: bool) {
        let map = self.program.map;
        let class = |what: MethodRef| map.name(source_method(map, what).class);
        let same = |caller: Heading| {
            method_names::package(class(caller.what)) == method_names::package(class(what))
        };
        let package = !self.layout.innermost().is_some_and(same);
        let from = [None; FROM];
        self.layout.open(Heading { what, origin, package, made, from }, shown);
    }

    /// Shows the lines of the innermost frame's block up to this number, or all that are left.
    fn walk(&mut self, end: Option<usize>) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(block) = frame.progress.block(self.program) else { return };
        let rest = block.lines.get(frame.line..).unwrap_or_default();
        let count = end.map_or(rest.len(), |end| end.saturating_sub(frame.line).min(rest.len()));
        let (number, first) = (frame.progress.number(), frame.line);
        frame.line += count;
        if frame.shown {
            for (at, &(_, place)) in (first..).zip(&rest[..count]) {
                self.show(place, number.map(|block| (block, at)));
            }
        }
    }

    /// Shows the lines of the innermost frame's block that ran for certain, where the log ends in
    /// the block: those up to the last call that began.
    fn walk_certain(&mut self) {
        let certain = self.frames.last().map(|f| f.progress.certain_lines(self.program));
        self.walk(certain);
    }

    /// Shows the lines of the innermost frame's block that ran for certain, where the block threw
    /// or was called back: those up to the first one that can have.
    fn walk_to_event(&mut self) {
        let certain = self.frames.last().map(|f| f.progress.certain_lines_at_event(self.program));
        self.walk(certain);
    }

    /// Shows a source position of the innermost frame.
    fn show(&mut self, mut place: CodeOrigin, entry: Option<LineEntry>) {
        let map = self.program.map;
        let mut at = self.frames.len() - 1;
        if self.frames[at].outline.is_none() && self.kind(at) == MethodKind::Outline {
            return;
        }
        while let Some(outline) = self.frames[at].outline {
            match stands_for(outline, place) {
                Some(there) if at > 0 => (place, at) = (there, at - 1),
                _ => return,
            }
        }
        match place {
            CodeOrigin::Line(line) => {
                self.close(at, 0);
                self.number(at, line, entry);
            }
            CodeOrigin::At(id) => {
                let mut frames: Vec<&Position> = map.places.frames(id).collect();
                frames.reverse();
                let own = frames.first().filter(|p| self.is_own(at, p)).map(|p| p.line);
                let inlined = &frames[usize::from(own.is_some())..];
                let same =
                    |(a, b): &(&Inlined, &&Position)| (a.method, a.caller) == (b.method, b.caller);
                let kept = self.frames[at].inlined.iter().zip(inlined).take_while(same).count();
                self.close(at, kept);
                for (i, frame) in inlined.iter().enumerate().skip(kept) {
                    let caller = if i == 0 { own } else { Some(inlined[i - 1].line) };
                    self.number(at, caller.unwrap_or(0), entry);
                    self.open(MethodRef::Source(frame.method), CallOrigin::Inlined, false, true);
                    let (method, caller) = (frame.method, frame.caller);
                    self.frames[at].inlined.push(Inlined { method, caller, last: Last::default() });
                }
                let line = inlined.last().map_or(own, |f| Some(f.line));
                self.number(at, line.unwrap_or(0), entry);
            }
        }
    }

    fn kind(&self, at: usize) -> MethodKind {
        self.program.map.methods[self.frames[at].method.0 as usize - 1].kind
    }

    /// Returns true if the position is in the frame's method itself.
    fn is_own(&self, at: usize, position: &Position) -> bool {
        let map = self.program.map;
        let m = &map.methods[self.frames[at].method.0 as usize - 1];
        let s = &map.places.sources[position.method as usize];
        (s.class, s.name, s.descriptor) == (m.class, m.name, m.descriptor)
    }

    /// Ends inlined calls, so that `left` calls are left.
    fn close(&mut self, at: usize, left: usize) {
        while self.frames[at].inlined.len() > left {
            self.frames[at].inlined.pop();
            self.layout.close();
        }
    }

    /// Shows a line of the innermost inlined call of this frame.
    fn number(&mut self, at: usize, line: u32, entry: Option<LineEntry>) {
        let frame = &mut self.frames[at];
        let last = frame.inlined.last_mut().map_or(&mut frame.last, |i| &mut i.last);
        if last.comes(line, entry) {
            self.layout.add(Item::Line(line));
        }
    }

    /// Returns the source position of a block of this frame.
    fn place(&self, frame: Option<&TextFrame<'_>>, b: BlockNo) -> String {
        let block = block_of(self.program, b).1;
        let line = block.place().zip(frame).and_then(|(place, frame)| self.line_of(frame, place));
        let shown = |line: FileLine| FileLine { inlined: None, ..line }.to_string();
        line.map_or_else(|| self.address(b), shown)
    }

    /// Returns a method and the address of its block, for code without lines.
    fn address(&self, b: BlockNo) -> String {
        let (m, block) = block_of(self.program, b);
        format!("{} @{:x}", dotted(self.program.map, m), block.pc)
    }

    /// Returns the source line of an origin in this frame's method, innermost.
    fn line_of(&self, frame: &TextFrame<'_>, place: CodeOrigin) -> Option<FileLine> {
        let map = self.program.map;
        let kind = map.methods[frame.method.0 as usize - 1].kind;
        let known = match frame.outline {
            Some(outline) if kind == MethodKind::Outline => stands_for(outline, place)?,
            _ => place,
        };
        let own = source_method(map, MethodRef::Method(frame.method));
        let name =
            |m: SourceMethod| format!("{}.{}", dotted_name(map.name(m.class)), map.name(m.name));
        let at = |method: SourceMethod, line: u32| {
            let file = method.file.map_or_else(|| name(method), |file| map.name(file).into());
            let same = (method.class, method.name, method.descriptor)
                == (own.class, own.name, own.descriptor);
            let inlined = (!same).then(|| name(method));
            (line > 0).then_some(FileLine { file, line, inlined, thrown: Vec::new() })
        };
        let id = match known {
            CodeOrigin::Line(line) => return at(own, line),
            CodeOrigin::At(id) => id,
        };
        let frames: Vec<&Position> = map.places.frames(id).collect();
        let of = |p: &Position| at(map.places.sources[p.method as usize], p.line);
        let mut found = of(frames.first()?)?;
        for r in map.places.rewrites_at(id) {
            if let Some(other) = frames.get(r.remove as usize).and_then(|p| of(p)) {
                found.thrown.push((dotted_name(map.name(r.thrown)), other.file, other.line));
            }
        }
        Some(found)
    }

    /// Returns the source position of an exception that the innermost frame threw in one of these
    /// blocks: all lines that it can have been.
    fn threw_at(&self, from: &[BlockNo]) -> String {
        let Some(frame) = self.frames.last() else { return "an unknown place".into() };
        let (mut places, mut quiet) = (Vec::new(), Vec::new());
        for &b in from {
            let block = block_of(self.program, b).1;
            let candidates = frame.progress.candidate_lines(self.program, b);
            let line = |entry: usize| self.line_of(frame, block.lines.get(entry)?.1);
            let lines: Vec<Option<FileLine>> =
                candidates.entries.iter().map(|&entry| line(entry)).collect();
            let is_whole = lines.iter().all(Option::is_some) && !candidates.without_line;
            let has_none = lines.iter().all(Option::is_none);
            if has_none || (candidates.is_exact && !is_whole) {
                places.push(ThrowPlace::Address(self.address(b)));
            }
            places.extend(lines.into_iter().flatten().map(ThrowPlace::Line));
            if candidates.is_exact {
                let others = (0..block.lines.len()).filter(|i| !candidates.entries.contains(i));
                quiet.extend(others.filter_map(line));
            }
        }
        let (first, last) = (places.first(), places.last());
        if let (Some(ThrowPlace::Address(first)), Some(ThrowPlace::Address(last))) = (first, last)
            && places.iter().all(|place| matches!(place, ThrowPlace::Address(_)))
        {
            return if first == last { first.clone() } else { format!("{first} … {last}") };
        }
        let together = |a: &ThrowPlace, b: &ThrowPlace| match (a, b) {
            (ThrowPlace::Line(a), ThrowPlace::Line(b)) => a.is_beside(b),
            _ => false,
        };
        let named = |places: &[ThrowPlace]| {
            let lines: Vec<&FileLine> = places
                .iter()
                .filter_map(|place| match place {
                    ThrowPlace::Line(line) => Some(line),
                    ThrowPlace::Address(_) => None,
                })
                .collect();
            match &places[0] {
                ThrowPlace::Address(address) => address.clone(),
                ThrowPlace::Line(_) => ranges(&lines, &quiet),
            }
        };
        let mut places: Vec<String> = places.chunk_by(together).map(named).collect();
        places.dedup();
        leave_out(&mut places);
        if places.is_empty() { "an unknown place".into() } else { places.join(", ") }
    }

    /// Ends frames.
    fn pop(&mut self, count: usize) {
        for frame in self.frames.drain(self.frames.len().saturating_sub(count)..).rev() {
            let shown = if frame.outline.is_some() { 0 } else { 1 + frame.inlined.len() };
            (0..shown).for_each(|_| self.layout.close());
        }
    }
}

impl<W: Write> PathSink for TextPaths<'_, '_, W> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => self.took = times.took_us().map(|us| (us, times.tick_us)),
            PathEvent::Enter { method, via } => self.enter(method, via),
            PathEvent::Origin(origin) => self.layout.origin(origin),
            PathEvent::Block(block) => self.block(block),
            PathEvent::Decision { what: Decision::Slot(slot), alternative: 0 } => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.progress.passed(self.program, slot);
                }
            }
            PathEvent::Leave => {
                self.walk(None);
                self.pop(1);
                if let Some(frame) = self.frames.last_mut() {
                    frame.progress.came_back();
                }
            }
            PathEvent::Caught { dropped, block, from, .. } => self.caught(dropped, block, from),
            PathEvent::Unwound { dropped, from } => {
                self.walk_to_event();
                let text = format!("✗ exception at {}, leaves the app's code", self.threw_at(from));
                self.message(Style::Error, &text);
                self.pop(dropped);
            }
            PathEvent::Possible { depth, methods } => self.possible(depth, methods),
            PathEvent::Doubtful { method, .. } => self.doubtful(method),
            PathEvent::Note(note) => self.note(note),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { cycle, times, .. } = rounds;
        let folds = self.layout.rows().folds();
        let apart = if folds && times > ROUNDS_APART { 2 } else { times };
        let round = |text: &mut Self| cycle.iter().for_each(|&b| text.block(b));
        (0..apart).for_each(|_| round(self));
        self.walk(None);
        let left = times - apart;
        let inside = |f: &TextFrame<'_>| f.inlined.is_empty() && f.outline.is_none();
        if left > 0 && self.frames.last().is_some_and(inside) {
            // All further rounds are like this one.
            self.layout.collect();
            round(self);
            self.walk(None);
            if let Some(at) = self.frames.len().checked_sub(1) {
                self.close(at, 0);
            }
            self.layout.times(left.into());
        } else if left > 0 {
            let from = self.place(self.frames.last(), cycle[cycle.len() - 1]);
            self.message(Style::Note, &format!("… the loop at {from} ran {left} more rounds"));
        }
    }
}

impl<W: Write> TextPaths<'_, '_, W> {
    fn enter(&mut self, method: MethodId, via: Via) {
        let map = self.program.map;
        let caller = self.frames.last_mut();
        let pc = caller.and_then(|f| f.progress.called(self.program, method, via));
        // A callback came somewhere before the next call that is recorded: what that line and those
        // behind it do is known when the frame goes on.
        self.walk_to_event();
        let m = &map.methods[method.0 as usize - 1];
        let below = self.frames.last().map(|f| f.method);
        let call = below.zip(pc).and_then(|(below, pc)| map.places.outline_call(below, pc));
        let outline = call.filter(|_| m.kind == MethodKind::Outline);
        let shown = self.show_next;
        let how = match via {
            Via::TopLevel(ms) => {
                self.clock = self.clock.saturating_add(ms.into());
                self.callbacks += 1;
                let took = self.took.take();
                CallOrigin::TopLevel { number: self.callbacks, clock: self.clock, took }
            }
            Via::Callback => CallOrigin::Callback,
            Via::Call | Via::Implied | Via::Slot(_) => CallOrigin::Call,
        };
        if outline.is_none() {
            self.open(MethodRef::Method(method), how, m.kind != MethodKind::Source, shown);
        }
        self.frames.push(TextFrame {
            method,
            shown,
            progress: Progress::default(),
            line: 0,
            last: Last::default(),
            inlined: Vec::new(),
            outline,
        });
    }

    fn block(&mut self, block: BlockNo) {
        self.walk(None);
        if let Some(frame) = self.frames.last_mut() {
            frame.progress.enter(block);
            frame.line = 0;
        }
    }

    fn caught(&mut self, dropped: usize, block: BlockNo, from: &[BlockNo]) {
        self.walk_to_event();
        let from = self.threw_at(from);
        let left = self.frames.len().saturating_sub(dropped);
        let caught = self.place(self.frames[..left].last(), block);
        self.message(Style::Error, &format!("✗ exception at {from}, caught at {caught}"));
        self.pop(dropped);
        if let Some(frame) = self.frames.last_mut() {
            // The rest of its block did not run.
            frame.progress = Progress::default();
        }
        self.block(block);
    }

    fn possible(&mut self, depth: usize, methods: &[MethodId]) {
        self.walk_to_event();
        let map = self.program.map;
        let name = |m: &MethodId| dotted(map, &map.methods[m.0 as usize - 1]);
        let mut names: Vec<String> = methods.iter().take(MOST_POSSIBLE).map(name).collect();
        if methods.len() > MOST_POSSIBLE {
            names.push(format!("{} more", methods.len() - MOST_POSSIBLE));
        }
        let place = match self.frames.get(depth - 1).filter(|_| depth < self.frames.len()) {
            Some(outer) => format!("in {} ", name(&outer.method)),
            None => String::new(),
        };
        self.message(Style::Note, &format!("{place}perhaps here: {}", names.join(", ")));
    }

    fn doubtful(&mut self, method: MethodId) {
        self.walk_certain();
        let m = &self.program.map.methods[method.0 as usize - 1];
        let text = format!(
            "? {}{} may have ended earlier by an exception that code outside the app swallowed; \
             if so, its callers did what follows its start",
            dotted(self.program.map, m),
            self.program.map.name(m.descriptor)
        );
        // It concerns the shown rows, wherever they are.
        self.layout.note(Style::Note, &text);
    }

    fn note(&mut self, note: Note) {
        self.walk_certain();
        let text = match note {
            Note::Late => {
                "… this thread ran before: there was not enough stack or memory to record it …"
                    .into()
            }
            Note::Gap { from, to } if from == to => "… the log breaks off here …".into(),
            Note::Gap { from, to } => {
                format!("… {} missing ({from} to {}) …", there_are(to - from, "slab"), to - 1)
            }
            Note::Skipped { bytes: 0 } | Note::Ended(Ended::Clean) => return,
            Note::Skipped { bytes } => format!("… {} cannot be decoded …", counted(bytes, "byte")),
            Note::Faulty(f) => format!("! {f}; nothing of this record is shown"),
            Note::Resumed { time_ms } => {
                self.frames.clear();
                self.layout.clear();
                self.clock = time_ms.into();
                "… decoding goes on here …".into()
            }
            Note::Inside { at, .. } => inside(self.program, at),
            Note::Below => format!("… {BELOW} …"),
            Note::Unproven => {
                "(the last record was not closed: no check has proven what follows)".into()
            }
            Note::Ended(Ended::Stopped) => "■ the app stopped recording this thread here".into(),
            Note::Ended(Ended::Cut) => "■ the log ends here".into(),
            Note::Ended(Ended::Unknown) => {
                "■ the log ends between two callbacks; what came later may be missing".into()
            }
        };
        let style = if matches!(note, Note::Faulty(_)) { Style::Error } else { Style::Note };
        self.layout.note(style, &text);
    }
}

impl<W: Write> Paths for TextPaths<'_, '_, W> {
    fn next_frame(&mut self, shown: bool) {
        self.show_next = shown;
    }

    fn begin_at(&mut self, callbacks: u64, clock_ms: u64) {
        self.walk(None);
        self.frames.clear();
        self.layout.clear();
        (self.callbacks, self.clock) = (callbacks, clock_ms);
    }
}
