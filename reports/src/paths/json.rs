//! Paths as JSON lines, one object per event.

use std::collections::BTreeMap;
use std::io::{self, Write};

use decoder::log::{Process, ThreadLog};
use decoder::replay::{
    BlockNo, Decision, Ended, LISTED_ROUNDS, LoopRounds, PathEvent, PathSink, Program, Times, Via,
};
use decoder::session::Note;
use model::map::{CodeOrigin, Method, MethodId, MethodKind, OriginId, OriginKind};
use serde_json::json;

use crate::base::escape::{quoted, visible};
use crate::base::exit::exit_json;
use crate::base::filter::Paths;
use crate::base::names::{block_of, line_in};
use crate::base::progress::{Progress, place_at};

/// Writes one thread's path as JSON lines. Keys: `n` number of the process in this output (from 1),
/// `p` process id, `t` thread number, `name` its name, `depth` of the frame the event belongs to (1
/// is the outermost), `e` the event; with it, where they apply, `m` method, `via`, `pc` and `end`
/// (code units in the original method), `line` of `m`, `at` (where inlined code or another method
/// than `m` is running: its frames, innermost first, each with `m`, `file` and `line`), `call`
/// (position of the call in the caller: `pc`, `line`, `at`), `in_app` (the name in a shrunk app),
/// `made` by the compiler (`synthesized` or `outline`), `candidates`, `callback` (number of a
/// top-level callback of its thread, from 1), `wall_ms` (its start, ms since 1970), `begin_us` (its
/// start in µs since the process began) and `took_us`, both rounded down to 250 µs (protocol 2: to
/// ms, and no `took_us`). `origin`: where the frame, a callback that has just begun, came from:
/// `kind`, `value`, and as the text prints it, `shown`. `repeat`: the last `blocks` blocks ran
/// `times` more times. `possible`: calls of `methods` without probes that may have run before the
/// next event ([`PathEvent::Possible`]).
#[derive(Debug)]
pub struct JsonPaths<'p, 'm, W> {
    program: &'p Program<'m>,
    out: W,
    prefix: String,
    keys: Vec<Option<Box<str>>>,
    stack: Vec<JsonFrame>,
    /// Number of frames, outermost first, that are in the output.
    written: usize,
    /// True if the next frame is shown.
    show_next: bool,
    /// Number of top-level callbacks so far.
    callbacks: u64,
    /// Wall clock, in ms since 1970.
    clock: u64,
    /// Wall clock at the start of the process.
    start: u64,
    /// Times of the next callback.
    times: Option<Times>,
    error: Option<io::Error>,
}

#[derive(Debug)]
struct JsonFrame {
    method: MethodId,
    progress: Progress,
    shown: bool,
    /// The line of its beginning, until it is written: the first shown frame inside causes that.
    begin: String,
}

/// Returns the line before the threads of a process: `e` is `process`; `v` the version of the
/// format (docs/schema/decode.json), 1; `n` and `p` as in [`JsonPaths`], `process` its name,
/// `start_ms` its start (ms since 1970), `files` the inputs that it came from, `clocks` the
/// device's clocks at the start (to join a trace of the system; null in logs of protocol 2), `tids`
/// the system's ids of its threads by `t`, `exit` how it ended (null if the device noted nothing:
/// `reason`, Android's number of it as `code`, `at_ms`, `status`, `importance`), `refused` and
/// `cut` the threads that a full log left out or cut short. `build` is the build id, present only
/// if the output has several builds.
pub fn process_line(number: usize, process: &Process, names_build: bool) -> String {
    let clocks =
        process.clocks.map(|c| json!({"monotonic_ns": c.monotonic_ns, "boot_ns": c.boot_ns}));
    let known = process.threads.iter().filter(|t| t.tid != 0);
    let tids: BTreeMap<String, u32> = known.map(|t| (t.number.to_string(), t.tid)).collect();
    let mut line = json!({
        "v": 1, "e": "process", "n": number, "p": process.pid, "process": process.name,
        "clocks": clocks, "tids": tids,
        "start_ms": process.start_ms, "exit": exit_json(process.exit.as_ref()),
        "files": process.sources, "refused": process.refused.threads, "cut": process.refused.cut,
    });
    if names_build {
        line["build"] = process.build_id.to_string().into();
    }
    visible(&line.to_string()).into_owned()
}

impl<'p, 'm, W: Write> JsonPaths<'p, 'm, W> {
    /// Creates a writer for one thread.
    pub fn new(
        program: &'p Program<'m>,
        out: W,
        number: usize,
        process: &Process,
        thread: &ThreadLog,
    ) -> Self {
        let name = quoted(thread.name.as_deref().unwrap_or("?"));
        let prefix = format!(
            "{{\"n\":{number},\"p\":{},\"t\":{},\"name\":{name},",
            process.pid, thread.number
        );
        let keys = vec![None; program.map.methods.len()];
        let start = process.start_ms;
        JsonPaths {
            program,
            out,
            prefix,
            keys,
            stack: Vec::new(),
            written: 0,
            show_next: true,
            callbacks: 0,
            clock: start,
            start,
            times: None,
            error: None,
        }
    }

    /// Ends the output.
    ///
    /// # Errors
    /// The first error of the output.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(e) = self.error.take() {
            return Err(e);
        }
        self.out.flush()
    }

    fn key(&mut self, m: MethodId) -> &str {
        let map = self.program.map;
        self.keys[m.0 as usize - 1].get_or_insert_with(|| {
            let key = map.method_key(&map.methods[m.0 as usize - 1]);
            quoted(&key).into()
        })
    }

    /// Returns `,"line":…` and `,"at":…`, where they are known.
    fn place(&self, m: &Method, place: Option<CodeOrigin>) -> String {
        let map = self.program.map;
        match place {
            // Its numbers are not lines of the source.
            _ if m.kind == MethodKind::Outline => String::new(),
            None | Some(CodeOrigin::Line(0)) => String::new(),
            Some(CodeOrigin::Line(line)) => format!(",\"line\":{line}"),
            Some(place @ CodeOrigin::At(id)) => {
                let own = line_in(map, m, place);
                let own = own.map_or_else(String::new, |line| format!(",\"line\":{line}"));
                let mut frames = Vec::new();
                for p in map.places.frames(id) {
                    let s = &map.places.sources[p.method as usize];
                    let [class, name, descriptor] =
                        [s.class, s.name, s.descriptor].map(|n| map.name(n));
                    let mut frame =
                        format!("{{\"m\":{}", quoted(&format!("{class}->{name}{descriptor}")));
                    if let Some(file) = s.file {
                        frame += &format!(",\"file\":{}", quoted(map.name(file)));
                    }
                    let line =
                        if p.line > 0 { format!(",\"line\":{}", p.line) } else { String::new() };
                    frames.push(frame + &line + "}");
                }
                format!("{own},\"at\":[{}]", frames.join(","))
            }
        }
    }

    fn line(&mut self, depth: usize, event: &str, rest: &str) {
        if self.error.is_none() {
            self.error =
                writeln!(self.out, "{}\"depth\":{depth},\"e\":\"{event}\"{rest}}}", self.prefix)
                    .err();
        }
    }

    /// Writes a line of the innermost frame if that is shown.
    fn inside(&mut self, event: &str, rest: &str) {
        if self.stack.last().is_none_or(|f| f.shown) {
            self.line(self.stack.len(), event, rest);
        }
    }

    /// Writes a line of the innermost frame if its beginning is in the output.
    fn of_written(&mut self, event: &str, rest: &str) {
        if self.written >= self.stack.len() {
            self.line(self.stack.len(), event, rest);
        }
    }

    /// Ends the innermost frames, so that `left` frames are left.
    fn cut(&mut self, left: usize) {
        self.stack.truncate(left);
        self.written = self.written.min(self.stack.len());
    }

    fn threw(&mut self, from: &[BlockNo]) {
        let candidates: Vec<u32> = from.iter().map(|&b| block_of(self.program, b).1.pc).collect();
        let rest = match from.first() {
            Some(&b) => {
                let m = self.program.locate(b).0;
                format!(",\"m\":{},\"candidates\":{}", self.key(m), json!(candidates))
            }
            None => ",\"candidates\":[]".into(),
        };
        self.inside("throw", &rest);
    }
}

impl<W: Write> PathSink for JsonPaths<'_, '_, W> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => self.times = Some(times),
            PathEvent::Enter { method, via } => self.enter(method, via),
            PathEvent::Origin(origin) => self.origin(origin),
            PathEvent::Block(block) => self.block(block),
            PathEvent::Decision { what: Decision::Slot(slot), alternative: 0 } => {
                if let Some(frame) = self.stack.last_mut() {
                    frame.progress.passed(self.program, slot);
                }
            }
            PathEvent::Leave => self.leave(),
            PathEvent::Caught { dropped, block, from, .. } => {
                self.threw(from);
                self.cut(self.stack.len().saturating_sub(dropped));
                let (method, b) = block_of(self.program, block);
                let line = self.place(method, b.place());
                let m = self.program.locate(block).0;
                let rest =
                    format!(",\"m\":{},\"pc\":{},\"end\":{}{line}", self.key(m), b.pc, b.end);
                self.of_written("catch", &rest);
                self.block(block);
            }
            PathEvent::Unwound { dropped, from } => {
                self.threw(from);
                self.cut((self.stack.len() + 1).saturating_sub(dropped));
                self.of_written("unwound", "");
                self.cut(self.stack.len().saturating_sub(1));
            }
            PathEvent::Possible { depth, methods }
                if self.stack.get(depth - 1).is_some_and(|f| f.shown) =>
            {
                let keys: Vec<String> = methods.iter().map(|&m| self.key(m).to_owned()).collect();
                self.line(depth, "possible", &format!(",\"methods\":[{}]", keys.join(",")));
            }
            PathEvent::Doubtful { method, depth } => {
                let rest = format!(",\"m\":{},\"of\":{depth}", self.key(method));
                self.line(self.stack.len(), "doubtful", &rest);
            }
            PathEvent::Note(note) => self.note(note),
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { cycle, times, .. } = rounds;
        let single = if times > LISTED_ROUNDS { 1 } else { times };
        for _ in 0..single {
            cycle.iter().for_each(|&b| self.block(b));
        }
        if single < times {
            let rest = format!(",\"blocks\":{},\"times\":{}", cycle.len(), times - single);
            self.inside("repeat", &rest);
        }
    }
}

impl<W: Write> JsonPaths<'_, '_, W> {
    fn enter(&mut self, method: MethodId, via: Via) {
        let map = self.program.map;
        let below = self.stack.last_mut();
        let call = below.and_then(|f| {
            let pc = f.progress.called(self.program, method, via)?;
            Some((f.method, pc, place_at(f.progress.block(self.program)?, pc)))
        });
        let call = call.map_or(String::new(), |(caller, pc, place)| {
            let place = self.place(&map.methods[caller.0 as usize - 1], place);
            format!(",\"call\":{{\"pc\":{pc}{place}}}")
        });
        let m = &map.methods[method.0 as usize - 1];
        let in_app = m.in_app.map_or(String::new(), |n| {
            let [class, name, descriptor] = [n.class, n.name, n.descriptor].map(|n| map.name(n));
            format!(",\"in_app\":{}", quoted(&format!("{class}->{name}{descriptor}")))
        });
        let made = match m.kind {
            MethodKind::Source => "",
            MethodKind::Synthesized => ",\"made\":\"synthesized\"",
            MethodKind::Outline => ",\"made\":\"outline\"",
            MethodKind::Added => ",\"made\":\"added\"",
        };
        let via = match via {
            Via::Call => "\"call\"".into(),
            Via::Implied => "\"implied\"".into(),
            Via::Slot(_) => "\"slot\"".into(),
            Via::Callback => "\"callback\"".into(),
            Via::TopLevel(ms) => {
                self.clock = self.clock.saturating_add(ms.into());
                self.callbacks += 1;
                let (number, wall) = (self.callbacks, self.clock);
                let times = self.times.take();
                let begin =
                    times.map_or(String::new(), |t| format!(",\"begin_us\":{}", t.begin_us));
                let took = times.and_then(|t| t.took_us());
                let took = took.map_or(String::new(), |us| format!(",\"took_us\":{us}"));
                format!(
                    "\"callback\",\"callback\":{number},\"after_ms\":{ms},\"wall_ms\":{wall}{begin}\
                     {took}"
                )
            }
        };
        let key = self.key(method);
        let rest = format!(",\"m\":{key},\"via\":{via}{call}{in_app}{made}");
        let shown = self.show_next;
        self.stack.push(JsonFrame { method, progress: Progress::default(), shown, begin: rest });
        if shown {
            for at in self.written..self.stack.len() {
                let begin = std::mem::take(&mut self.stack[at].begin);
                self.line(at + 1, "enter", &begin);
            }
            self.written = self.stack.len();
        }
    }

    fn origin(&mut self, origin: OriginId) {
        let Some(origin) = self.program.map.callback_origin(origin) else { return };
        let kind = match origin.kind {
            OriginKind::Id => "id",
            OriginKind::Position => "position",
            OriginKind::Key => "key",
            OriginKind::Action => "action",
        };
        let shown = quoted(&origin.to_string());
        let value = origin.value;
        self.inside("origin", &format!(",\"kind\":\"{kind}\",\"value\":{value},\"shown\":{shown}"));
    }

    fn block(&mut self, block: BlockNo) {
        if let Some(frame) = self.stack.last_mut() {
            frame.progress.enter(block);
            if !frame.shown {
                return;
            }
        }
        let (method, b) = block_of(self.program, block);
        let line = self.place(method, b.place());
        let m = self.program.locate(block).0;
        let rest = format!(",\"m\":{},\"pc\":{},\"end\":{}{line}", self.key(m), b.pc, b.end);
        self.inside("block", &rest);
    }

    fn leave(&mut self) {
        self.of_written("return", "");
        self.cut(self.stack.len().saturating_sub(1));
    }

    fn note(&mut self, note: Note) {
        let depth = self.stack.len();
        match note {
            Note::Late => self.line(depth, "late", ""),
            Note::Gap { from, to } => {
                self.line(depth, "gap", &format!(",\"from\":{from},\"to\":{to}"))
            }
            Note::Skipped { bytes } => self.line(depth, "skipped", &format!(",\"bytes\":{bytes}")),
            Note::Faulty(f) => {
                let rest = format!(
                    ",\"at\":{},\"record\":{},\"what\":{}",
                    f.at,
                    f.record,
                    quoted(&f.to_string())
                );
                self.line(depth, "error", &rest);
            }
            Note::Resumed { time_ms } => {
                self.cut(0);
                self.clock = self.start.saturating_add(time_ms.into());
                self.line(0, "resumed", &format!(",\"time_ms\":{time_ms}"));
            }
            Note::Inside { method, at } => {
                let (m, block) = block_of(self.program, at);
                let place = self.place(m, block.place());
                let pc = block.pc;
                let rest = format!(",\"m\":{},\"pc\":{pc}{place}", self.key(method));
                self.line(0, "inside", &rest);
            }
            Note::Below => {
                self.cut(0);
                self.line(0, "below", "");
            }
            Note::Unproven => self.line(depth, "unproven", ""),
            Note::Ended(e) => {
                let how = match e {
                    Ended::Clean => "clean",
                    Ended::Stopped => "stopped",
                    Ended::Cut => "cut",
                    Ended::Unknown => "unknown",
                };
                self.line(depth, "end", &format!(",\"how\":\"{how}\""));
            }
        }
    }
}

impl<W: Write> Paths for JsonPaths<'_, '_, W> {
    fn next_frame(&mut self, shown: bool) {
        self.show_next = shown;
    }

    fn begin_at(&mut self, callbacks: u64, clock_ms: u64) {
        self.cut(0);
        (self.callbacks, self.clock) = (callbacks, self.start.saturating_add(clock_ms));
    }
}
