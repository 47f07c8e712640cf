//! Text for people: nested calls, and under each the source lines in the order in which they ran.
//! Code that the compiler inlined is shown as a call, too.

use std::io::{self, Write};

use decoder::log::{Process, wall_clock};
use decoder::replay::{BlockNo, Decision, Ended, PathSink, Program, Via};
use decoder::session::{Note, ThreadSink};
use model::map::{
    HandlerId, Map, MethodId, MethodKind, NameId, OutlineCall, Place, Position, SourceMethod,
};

use super::calls::Progress;
use super::{ROUNDS_TOLD, block_of, dotted, dotted_name, visible};

/// Width at which a list of lines is broken.
const WIDTH: usize = 100;
/// Deeper frames are not indented further.
const MAX_INDENT: usize = 40;

/// Writes one thread's path as text.
#[derive(Debug)]
pub struct TextPaths<'p, 'm, W> {
    program: &'p Program<'m>,
    out: W,
    frames: Vec<Frame<'m>>,
    /// Source lines that are not written yet, and how deep they are.
    lines: String,
    lines_depth: usize,
    /// Since the process began, in ms.
    clock: u64,
    /// When it began, ms since 1970.
    start: u64,
    error: Option<io::Error>,
}

/// A method that is running.
#[derive(Debug)]
struct Frame<'m> {
    method: MethodId,
    /// Of its name.
    depth: usize,
    progress: Progress,
    /// Next line entry of the block.
    line: usize,
    /// Its own last line, and inlined calls that it is in, the outermost first.
    last: Option<u32>,
    inlined: Vec<Inlined>,
    /// For an outline: what its lines stand for in the frame below, in which it is shown.
    outline: Option<&'m OutlineCall>,
}

/// An inlined call.
#[derive(Debug, PartialEq, Eq)]
struct Inlined {
    /// Position in the map's methods of the source.
    method: u32,
    caller: u32,
    last: Option<u32>,
}

/// The heading of a process: its name, id, start and files.
pub fn process_heading(process: &Process) -> String {
    let (day, time) = wall_clock(process.start_ms);
    let (name, pid) = (&process.name, process.pid);
    format!("### {name} (pid {pid}), started {day} {time} UTC, from {}", process.sources.join(", "))
}

impl<'p, 'm, W: Write> TextPaths<'p, 'm, W> {
    /// A writer for one thread.
    pub fn new(program: &'p Program<'m>, out: W, process: &Process) -> Self {
        let start = process.start_ms;
        TextPaths {
            program,
            out,
            frames: Vec::new(),
            lines: String::new(),
            lines_depth: 0,
            clock: 0,
            start,
            error: None,
        }
    }

    /// Writes what is pending.
    ///
    /// # Errors
    /// The first error of the output.
    pub fn finish(mut self) -> io::Result<()> {
        self.walk(None);
        self.flush_lines();
        match self.error.take() {
            Some(e) => Err(e),
            None => self.out.flush(),
        }
    }

    fn put(&mut self, depth: usize, text: &str) {
        if self.error.is_none() {
            let indent = 2 * depth.min(MAX_INDENT);
            self.error = writeln!(self.out, "{:indent$}{}", "", visible(text)).err();
        }
    }

    fn flush_lines(&mut self) {
        if !self.lines.is_empty() {
            let text = std::mem::take(&mut self.lines);
            self.put(self.lines_depth, &text);
        }
    }

    /// How deep the lines of the innermost frame are.
    fn depth(&self) -> usize {
        let shown = self.frames.iter().rev().find(|f| f.outline.is_none());
        shown.map_or(0, |f| f.depth + 1 + f.inlined.len())
    }

    /// Shows the lines of the innermost frame's block that begin before this address; without one,
    /// all that are left.
    fn walk(&mut self, before: Option<u32>) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(block) = frame.progress.block(self.program) else { return };
        let rest = block.lines.get(frame.line..).unwrap_or_default();
        let count = before.map_or(rest.len(), |pc| rest.partition_point(|l| l.0 < pc));
        frame.line += count;
        for &(_, place) in &rest[..count] {
            self.show(place);
        }
    }

    /// Shows a place of the innermost frame.
    fn show(&mut self, mut place: Place) {
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
            Place::Line(line) => {
                self.close(at, 0);
                self.number(at, line);
            }
            Place::At(id) => {
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
                    self.number(at, caller.unwrap_or(0));
                    self.flush_lines();
                    let source = &map.places.sources[frame.method as usize];
                    let name = of_source(map, source);
                    self.put(self.depth_of(at), &format!("⤷ {name}"));
                    let (method, caller) = (frame.method, frame.caller);
                    self.frames[at].inlined.push(Inlined { method, caller, last: None });
                }
                self.number(at, inlined.last().map_or(own, |f| Some(f.line)).unwrap_or(0));
            }
        }
    }

    fn kind(&self, at: usize) -> MethodKind {
        self.program.map.methods[self.frames[at].method.0 as usize - 1].kind
    }

    /// Whether the position is in the frame's method itself.
    fn is_own(&self, at: usize, position: &Position) -> bool {
        let map = self.program.map;
        let m = &map.methods[self.frames[at].method.0 as usize - 1];
        let s = &map.places.sources[position.method as usize];
        (s.class, s.name, s.descriptor) == (m.class, m.name, m.descriptor)
    }

    fn depth_of(&self, at: usize) -> usize {
        self.frames[at].depth + 1 + self.frames[at].inlined.len()
    }

    /// Ends inlined calls, so that so many are left.
    fn close(&mut self, at: usize, left: usize) {
        if self.frames[at].inlined.len() > left {
            self.flush_lines();
            self.frames[at].inlined.truncate(left);
        }
    }

    /// Shows a line of the innermost inlined call of this frame.
    fn number(&mut self, at: usize, line: u32) {
        let depth = self.depth_of(at);
        let frame = &mut self.frames[at];
        let last = frame.inlined.last_mut().map_or(&mut frame.last, |i| &mut i.last);
        if line == 0 || *last == Some(line) {
            return;
        }
        *last = Some(line);
        if self.lines.len() >= WIDTH || self.lines_depth != depth {
            self.flush_lines();
        }
        self.lines_depth = depth;
        let space = if self.lines.is_empty() { "" } else { " " };
        self.lines.push_str(&format!("{space}{line}"));
    }

    fn place(&self, b: BlockNo) -> String {
        let map = self.program.map;
        let (m, b) = block_of(self.program, b);
        let known = b.place().and_then(|place| match self.frames.last()?.outline {
            Some(outline) if m.kind == MethodKind::Outline => stands_for(outline, place),
            _ => Some(place),
        });
        let line = |file: Option<NameId>, line: u32| {
            Some(format!("{}:{line}", map.name(file.filter(|_| line > 0)?)))
        };
        let text = match known {
            Some(Place::Line(n)) => line(m.source_file, n),
            Some(Place::At(id)) => {
                let frames: Vec<&Position> = map.places.frames(id).collect();
                let of = |p: &Position| line(map.places.sources[p.method as usize].file, p.line);
                frames.first().and_then(|p| of(p)).map(|mut text| {
                    for r in map.places.rewrites_at(id) {
                        let thrown = dotted_name(map.name(r.thrown));
                        if let Some(other) = frames.get(r.remove as usize).and_then(|p| of(p)) {
                            text += &format!(" ({thrown}: {other})");
                        }
                    }
                    text
                })
            }
            None => None,
        };
        text.unwrap_or_else(|| format!("{} @{:x}", dotted(map, m), b.pc))
    }

    fn places(&self, from: &[BlockNo]) -> String {
        let all: Vec<String> = from.iter().map(|&b| self.place(b)).collect();
        match all.len() {
            0 => "an unknown place".into(),
            1 => all[0].clone(),
            _ => format!("{} … {}", all[0], all[all.len() - 1]),
        }
    }

    /// Ends frames.
    fn pop(&mut self, count: usize) {
        self.frames.truncate(self.frames.len().saturating_sub(count));
    }
}

/// The place in the caller that a line of an outline stands for.
fn stands_for(outline: &OutlineCall, place: Place) -> Option<Place> {
    let line = place.own_line()?;
    let at = outline.lines.binary_search_by_key(&line, |l| l.0).ok()?;
    Some(outline.lines[at].1)
}

/// `com.example.Cls.name(I)V  (Cls.kt)`.
fn of_source(map: &Map, source: &SourceMethod) -> String {
    let class = dotted_name(map.name(source.class));
    let file = source.file.map_or(String::new(), |f| format!("  ({})", map.name(f)));
    format!("{class}.{}{}{file}", map.name(source.name), map.name(source.descriptor))
}

impl<W: Write> PathSink for TextPaths<'_, '_, W> {
    fn enter(&mut self, method: MethodId, via: Via) {
        let map = self.program.map;
        let caller = self.frames.last_mut();
        let pc = caller.and_then(|f| f.progress.called(self.program, method, via));
        // A callback came somewhere before the next call that is recorded.
        let next = || self.frames.last().and_then(|f| f.progress.next_call(self.program));
        let before = pc.map(|pc| pc.saturating_add(1)).or_else(next);
        self.walk(before);
        let m = &map.methods[method.0 as usize - 1];
        let below = self.frames.last().map(|f| f.method);
        let call = below.zip(pc).and_then(|(below, pc)| map.places.outline_call(below, pc));
        let outline = call.filter(|_| m.kind == MethodKind::Outline);
        let depth = self.depth();
        if outline.is_none() {
            self.flush_lines();
            let source = SourceMethod {
                class: m.class,
                name: m.name,
                descriptor: m.descriptor,
                file: m.source_file,
            };
            let name = of_source(map, &source);
            let made = if m.kind == MethodKind::Source { "" } else { "  made by the compiler" };
            let text = match via {
                Via::TopLevel(ms) => {
                    self.clock += u64::from(ms);
                    let time = wall_clock(self.start.saturating_add(self.clock)).1;
                    format!("[{}.{:03} s, {time}] {name}", self.clock / 1000, self.clock % 1000)
                }
                Via::Callback => format!("⇠ {name}"),
                Via::Call | Via::Slot(_) => name,
            };
            self.put(depth, &format!("{text}{made}"));
        }
        self.frames.push(Frame {
            method,
            depth,
            progress: Progress::default(),
            line: 0,
            last: None,
            inlined: Vec::new(),
            outline,
        });
    }

    fn decision(&mut self, what: Decision, alternative: usize) {
        if let (Decision::Slot(slot), 0, Some(frame)) = (what, alternative, self.frames.last_mut())
        {
            frame.progress.passed(self.program, slot);
        }
    }

    fn block(&mut self, block: BlockNo) {
        self.walk(None);
        if let Some(frame) = self.frames.last_mut() {
            frame.progress.enter(block);
            frame.line = 0;
        }
    }

    fn rounds(&mut self, _branch: BlockNo, _stay: usize, cycle: &[BlockNo], times: u32) {
        let told = if times > ROUNDS_TOLD { 1 } else { times };
        for _ in 0..told {
            cycle.iter().for_each(|&b| self.block(b));
        }
        if told < times {
            self.walk(None);
            self.flush_lines();
            let from = self.place(cycle[cycle.len() - 1]);
            self.put(
                self.depth(),
                &format!("… the loop at {from} ran {} more rounds", times - told),
            );
        }
    }

    fn leave(&mut self) {
        self.walk(None);
        self.flush_lines();
        self.pop(1);
    }

    fn caught(&mut self, dropped: usize, _handler: HandlerId, block: BlockNo, from: &[BlockNo]) {
        self.walk(None);
        self.flush_lines();
        let from = self.places(from);
        let depth = self.depth();
        self.pop(dropped);
        self.put(depth, &format!("✗ exception at {from}, caught at {}", self.place(block)));
        if let Some(frame) = self.frames.last_mut() {
            // What is left of its block did not run.
            frame.progress = Progress::default();
        }
        self.block(block);
    }

    fn doubtful(&mut self, method: MethodId) {
        self.walk(None);
        self.flush_lines();
        let m = &self.program.map.methods[method.0 as usize - 1];
        let text = format!(
            "? {}{} may have ended earlier by an exception that code outside the app swallowed; \
             if so, its callers did what follows its start",
            dotted(self.program.map, m),
            self.program.map.name(m.descriptor)
        );
        self.put(self.depth(), &text);
    }

    fn unwound(&mut self, dropped: usize, from: &[BlockNo]) {
        self.walk(None);
        self.flush_lines();
        let text = format!("✗ exception at {}, leaves the app's code", self.places(from));
        self.put(self.depth(), &text);
        self.pop(dropped);
    }
}

impl<W: Write> ThreadSink for TextPaths<'_, '_, W> {
    fn note(&mut self, note: Note) {
        self.walk(None);
        self.flush_lines();
        let text = match note {
            Note::Late => {
                "… this thread ran before: there was not enough stack or memory to record it …"
                    .into()
            }
            Note::Gap { from, to } if from == to => "… the log breaks off here …".into(),
            Note::Gap { from, to } => {
                format!("… {} slabs are missing ({from} to {}) …", to - from, to - 1)
            }
            Note::Skipped { bytes: 0 } | Note::Ended(Ended::Clean) => return,
            Note::Skipped { bytes } => format!("… {bytes} bytes cannot be decoded …"),
            Note::Faulty(f) => format!("! {f}; nothing of this record is shown"),
            Note::Resumed { time_ms } => {
                self.frames.clear();
                self.clock = time_ms.into();
                "… decoding goes on here …".into()
            }
            Note::Unproven => {
                "(the last record was not closed: no check has proven what follows)".into()
            }
            Note::Ended(Ended::Stopped) => "■ the app stopped recording this thread here".into(),
            Note::Ended(Ended::Cut) => "■ the log ends here".into(),
        };
        self.put(self.depth(), &text);
    }
}
