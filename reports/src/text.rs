//! Text for people: nested calls, and under each the source lines in the order in which they ran.

use std::io::{self, Write};

use decoder::log::{Process, wall_clock};
use decoder::replay::{BlockNo, Ended, PathSink, Program, Via};
use decoder::session::{Note, ThreadSink};
use model::map::{HandlerId, MethodId};

use super::{ROUNDS_TOLD, block_of, dotted, visible};

/// Width at which a list of lines is broken.
const WIDTH: usize = 100;
/// Deeper frames are not indented further.
const MAX_INDENT: usize = 40;

/// Writes one thread's path as text.
#[derive(Debug)]
pub struct TextPaths<'p, 'm, W> {
    program: &'p Program<'m>,
    out: W,
    depth: usize,
    /// Pending source lines of the innermost frame.
    lines: String,
    last: Option<u32>,
    /// Since the process began, in ms.
    clock: u64,
    /// When it began, ms since 1970.
    start: u64,
    error: Option<io::Error>,
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
            depth: 0,
            lines: String::new(),
            last: None,
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
            self.put(self.depth, &text);
        }
        self.last = None;
    }

    fn place(&self, b: BlockNo) -> String {
        let (m, b) = block_of(self.program, b);
        match (m.source_file, b.lines.first()) {
            (Some(f), Some(l)) => format!("{}:{}", self.program.map.name(f), l.1),
            _ => format!("{} @{:x}", dotted(self.program.map, m), b.pc),
        }
    }

    fn places(&self, from: &[BlockNo]) -> String {
        let all: Vec<String> = from.iter().map(|&b| self.place(b)).collect();
        match all.len() {
            0 => "an unknown place".into(),
            1 => all[0].clone(),
            _ => format!("{} … {}", all[0], all[all.len() - 1]),
        }
    }
}

impl<W: Write> PathSink for TextPaths<'_, '_, W> {
    fn enter(&mut self, method: MethodId, via: Via) {
        self.flush_lines();
        let map = self.program.map;
        let m = &map.methods[method.0 as usize - 1];
        let file = m.source_file.map_or(String::new(), |f| format!("  ({})", map.name(f)));
        let name = format!("{}{}", dotted(map, m), map.name(m.descriptor));
        let text = match via {
            Via::TopLevel(ms) => {
                self.clock += u64::from(ms);
                let time = wall_clock(self.start.saturating_add(self.clock)).1;
                format!("[{}.{:03} s, {time}] {name}{file}", self.clock / 1000, self.clock % 1000)
            }
            Via::Callback => format!("⇠ {name}{file}"),
            Via::Call | Via::Slot(_) => format!("{name}{file}"),
        };
        self.put(self.depth, &text);
        self.depth += 1;
    }

    fn block(&mut self, block: BlockNo) {
        let (_, b) = block_of(self.program, block);
        if b.lines.is_empty() {
            return;
        }
        for &(_, line) in &b.lines {
            if self.last != Some(line) {
                if self.lines.len() >= WIDTH {
                    self.flush_lines();
                }
                let space = if self.lines.is_empty() { "" } else { " " };
                self.lines.push_str(&format!("{space}{line}"));
                self.last = Some(line);
            }
        }
    }

    fn rounds(&mut self, _branch: BlockNo, _stay: usize, cycle: &[BlockNo], times: u32) {
        let told = if times > ROUNDS_TOLD { 1 } else { times };
        for _ in 0..told {
            cycle.iter().for_each(|&b| self.block(b));
        }
        if told < times {
            self.flush_lines();
            let from = self.place(cycle[cycle.len() - 1]);
            self.put(self.depth, &format!("… the loop at {from} ran {} more rounds", times - told));
        }
    }

    fn leave(&mut self) {
        self.flush_lines();
        self.depth = self.depth.saturating_sub(1);
    }

    fn caught(&mut self, dropped: usize, _handler: HandlerId, block: BlockNo, from: &[BlockNo]) {
        self.flush_lines();
        let text = format!("✗ exception at {}, caught at {}", self.places(from), self.place(block));
        self.put(self.depth, &text);
        self.depth = self.depth.saturating_sub(dropped);
        self.block(block);
    }

    fn doubtful(&mut self, method: MethodId) {
        self.flush_lines();
        let m = &self.program.map.methods[method.0 as usize - 1];
        let text = format!(
            "? {}{} may have ended earlier by an exception that code outside the app swallowed; \
             if so, its callers did what follows its start",
            dotted(self.program.map, m),
            self.program.map.name(m.descriptor)
        );
        self.put(self.depth, &text);
    }

    fn unwound(&mut self, dropped: usize, from: &[BlockNo]) {
        self.flush_lines();
        let text = format!("✗ exception at {}, leaves the app's code", self.places(from));
        self.put(self.depth, &text);
        self.depth = self.depth.saturating_sub(dropped);
    }
}

impl<W: Write> ThreadSink for TextPaths<'_, '_, W> {
    fn note(&mut self, note: Note) {
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
                self.depth = 0;
                self.clock = time_ms.into();
                "… decoding goes on here …".into()
            }
            Note::Unproven => {
                "(the last record was not closed: no check has proven what follows)".into()
            }
            Note::Ended(Ended::Stopped) => "■ the app stopped recording this thread here".into(),
            Note::Ended(Ended::Cut) => "■ the log ends here".into(),
        };
        self.put(self.depth, &text);
    }
}
