//! Path ids: one number for each top-level callback, equal for equal paths.

use std::io::{self, Write};

use decoder::log::{Process, ThreadLog};
use decoder::replay::{BlockNo, LoopRounds, PathEvent, PathSink, Program, Via};
use decoder::session::Note;
use model::map::{BuildId, MethodId};
use model::path_profiles::identity::{MERSENNE_61, PathHash};
use serde_json::json;

use crate::base::escape::visible;
use crate::base::names::dotted;

/// Writes the path ids of one thread's callbacks: all calls, blocks, returns and exceptions of a
/// callback in one number ([`PathHash`]), modulo 2⁶¹ − 1 at a point that the build's id determines.
/// Only ids of one build are comparable. Of k callbacks of at most n events, two different ones
/// have the same id with a probability below k² · n ÷ 2⁶².
#[derive(Debug)]
pub struct PathIds<'p, 'm, W> {
    program: &'p Program<'m>,
    out: W,
    form: Form,
    codes: Codes,
    empty: PathHash,
    running: Option<Running>,
    depth: usize,
    number: u64,
    error: Option<io::Error>,
}

#[derive(Debug)]
enum Form {
    Text,
    /// Number of the process in the output, its id, number and name of the thread.
    Json {
        n: usize,
        p: u32,
        t: u32,
        name: String,
    },
}

/// The running callback.
#[derive(Debug, Clone, Copy)]
struct Running {
    method: MethodId,
    hash: PathHash,
    steps: u64,
}

/// Codes of events, from 1 on.
#[derive(Debug, Clone, Copy)]
struct Codes {
    blocks: u64,
    methods: u64,
}

impl Codes {
    fn block(self, BlockNo(block): BlockNo) -> u64 {
        1 + u64::from(block)
    }

    fn leave(self) -> u64 {
        1 + self.blocks
    }

    /// Code for a frame that ends by an exception.
    fn dropped(self) -> u64 {
        2 + self.blocks
    }

    fn enter(self, MethodId(method): MethodId) -> u64 {
        2 + self.blocks + u64::from(method)
    }

    fn caught(self, BlockNo(block): BlockNo) -> u64 {
        3 + self.blocks + self.methods + u64::from(block)
    }
}

/// Returns the point, between 2 and the prime, that the build's id determines.
fn point(build: &BuildId) -> u64 {
    let bytes = build.0.first_chunk().copied().unwrap_or_default();
    2 + u64::from_be_bytes(bytes) % (MERSENNE_61 - 2)
}

impl<'p, 'm, W: Write> PathIds<'p, 'm, W> {
    /// Creates a writer of lines for people: id, number of the callback in its thread, blocks,
    /// method.
    pub fn text(program: &'p Program<'m>, out: W) -> Self {
        PathIds::new(program, out, Form::Text)
    }

    /// Creates a writer of JSON lines with the keys of [`crate::paths::JsonPaths`] and `id` (16
    /// hexadecimal digits), `steps`, and `whole` (true if the log has the callback to its end).
    pub fn json(
        program: &'p Program<'m>,
        out: W,
        number: usize,
        process: &Process,
        thread: &ThreadLog,
    ) -> Self {
        let name = thread.name.clone().unwrap_or_default();
        let form = Form::Json { n: number, p: process.pid, t: thread.number, name };
        PathIds::new(program, out, form)
    }

    fn new(program: &'p Program<'m>, out: W, form: Form) -> Self {
        let map = program.map;
        let codes = Codes {
            blocks: map.methods.iter().map(|m| m.blocks.len() as u64).sum(),
            methods: map.methods.len() as u64,
        };
        PathIds {
            program,
            out,
            form,
            codes,
            empty: PathHash::new(point(&map.build), MERSENNE_61),
            running: None,
            depth: 0,
            number: 0,
            error: None,
        }
    }

    /// Ends the output.
    ///
    /// # Errors
    /// The first error of the output.
    pub fn finish(mut self) -> io::Result<()> {
        self.write_id(false);
        self.error.map_or(Ok(()), Err)
    }

    fn step(&mut self, code: u64) {
        if let Some(running) = &mut self.running {
            running.hash = running.hash.step(code);
            running.steps += 1;
        }
    }

    /// Ends frames, each with this code.
    fn end(&mut self, frames: usize, code: u64) {
        for _ in 0..frames.min(self.depth) {
            self.step(code);
        }
        self.depth = self.depth.saturating_sub(frames);
        if self.depth == 0 {
            self.write_id(true);
        }
    }

    fn write_id(&mut self, whole: bool) {
        self.depth = 0;
        let Some(Running { method, hash, steps }) = self.running.take() else { return };
        let map = self.program.map;
        let m = &map.methods[method.0 as usize - 1];
        let (id, number) = (format!("{:016x}", hash.value()), self.number);
        let line = match &self.form {
            Form::Text => {
                let cut = if whole { "" } else { "  (not to its end)" };
                let name = dotted(map, m);
                format!("{id}  #{number:<6} {steps:>9} steps  {}{cut}", visible(&name))
            }
            Form::Json { n, p, t, name } => {
                let line = json!({
                    "n": n, "p": p, "t": t, "name": name, "e": "path_id", "callback": number,
                    "m": map.method_key(m), "id": id, "steps": steps, "whole": whole,
                });
                visible(&line.to_string()).into_owned()
            }
        };
        if self.error.is_none() {
            self.error = writeln!(self.out, "{line}").err();
        }
    }
}

impl<W: Write> PathSink for PathIds<'_, '_, W> {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { method, via } => {
                if let Via::TopLevel(_) = via {
                    self.write_id(false);
                    self.number += 1;
                    self.running = Some(Running { method, hash: self.empty, steps: 0 });
                }
                self.depth += 1;
                self.step(self.codes.enter(method));
            }
            PathEvent::Block(block) => self.step(self.codes.block(block)),
            PathEvent::Leave => self.end(1, self.codes.leave()),
            PathEvent::Caught { dropped, block, .. } => {
                for _ in 0..dropped.min(self.depth.saturating_sub(1)) {
                    self.depth -= 1;
                    self.step(self.codes.dropped());
                }
                self.step(self.codes.caught(block));
            }
            PathEvent::Unwound { dropped, .. } => self.end(dropped, self.codes.dropped()),
            PathEvent::Note(Note::Resumed { .. } | Note::Ended(_) | Note::Faulty(_)) => {
                self.write_id(false);
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { cycle, times, .. } = rounds;
        let Some(running) = &mut self.running else { return };
        let codes = cycle.iter().map(|&b| self.codes.block(b));
        running.hash = running.hash.repeated(codes, times);
        running.steps += cycle.len() as u64 * u64::from(times);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{CALLEE, OUTER, map};
    use decoder::replay::SendEvents;

    /// Returns the ids of the callbacks that these events make.
    fn ids(events: impl FnOnce(&mut PathIds<'_, '_, &mut Vec<u8>>)) -> Vec<String> {
        let map = map();
        let program = Program::new(&map);
        let mut out = Vec::new();
        let mut sink = PathIds::text(&program, &mut out);
        events(&mut sink);
        sink.finish().unwrap();
        let text = String::from_utf8(out).unwrap();
        text.lines().map(|l| l.split("  ").next().unwrap().to_owned()).collect()
    }

    fn callback(sink: &mut impl PathSink, inner: impl FnOnce(&mut dyn FnMut(u32))) {
        sink.enter(OUTER, Via::TopLevel(0));
        inner(&mut |block| sink.block(BlockNo(block)));
        sink.leave();
    }

    #[test]
    fn equal_paths_have_one_id_and_others_have_others() {
        let all = ids(|sink| {
            callback(sink, |block| [0, 1].into_iter().for_each(block));
            callback(sink, |block| [0, 1].into_iter().for_each(block));
            callback(sink, |block| [1, 0].into_iter().for_each(block));
            callback(sink, |block| [0].into_iter().for_each(block));
            sink.enter(OUTER, Via::TopLevel(0));
            sink.block(BlockNo(0));
            sink.enter(CALLEE, Via::Call);
            sink.leave();
            sink.block(BlockNo(1));
            sink.leave();
            sink.enter(OUTER, Via::TopLevel(0));
            sink.block(BlockNo(0));
            sink.block(BlockNo(1));
            sink.unwound(1, &[]);
        });
        assert_eq!(all.len(), 6);
        assert_eq!(all[0], all[1]);
        let different: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(different.len(), 5);
    }

    #[test]
    fn repeated_rounds_give_the_id_of_rounds_one_by_one() {
        let cycle = [BlockNo(1), BlockNo(0), BlockNo(1)];
        for times in [0, 1, 2, 3, 1_000] {
            let all = ids(|sink| {
                sink.enter(OUTER, Via::TopLevel(0));
                sink.rounds(LoopRounds { branch: BlockNo(1), stay: 0, cycle: &cycle, times });
                sink.leave();
                sink.enter(OUTER, Via::TopLevel(0));
                (0..times).for_each(|_| cycle.iter().for_each(|&b| sink.block(b)));
                sink.leave();
            });
            assert_eq!(all[0], all[1], "{times}");
        }
    }

    #[test]
    fn a_callback_that_the_log_does_not_have_whole_is_marked() {
        let map = map();
        let program = Program::new(&map);
        let mut out = Vec::new();
        let mut sink = PathIds::text(&program, &mut out);
        sink.enter(OUTER, Via::TopLevel(0));
        sink.block(BlockNo(0));
        sink.finish().unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains("#1 ") && text.ends_with("2 steps  A.outer  (not to its end)\n"),
            "{text}"
        );
    }
}
