//! A crash as JSON lines.

use std::io::{self, Write};

use decoder::replay::Ended;
use decoder::uncaught::ExceptionOutcome;
use model::map::SourceMethod;
use serde_json::{Map, Value, json};

use super::join::Fit;
use super::path::PathEnd;
use super::report::{CrashPosition, EndedProcess, Report, address};
use crate::base::escape::visible;
use crate::base::exit::exit_json;

impl Report<'_, '_> {
    /// Writes the report as JSON, one object per line. `e` is the kind of object; `v` in the first
    /// one is the version of this format, 1.
    ///
    /// - `crash`, the first line: `join` (`exact`, `other_lines`, `partial`, `none`; null without a
    ///   stack trace), `fits` of `of` frames of the stack trace's app, of `active` of the path,
    ///   `lines` that agree, `other_lines` that do not, `names` in the stack trace (`source` or
    ///   `app`), `throwable` (0, or the number of the cause that was joined), `class`, `message`,
    ///   `places` (number of moments in the logs that fit as well), `kept` (without a stack trace:
    ///   threads whose last exception the code that had called the app caught), `exits` (without a
    ///   stack trace: the last processes that the device noted to have failed or been killed, each
    ///   with `pid`, `process`, `exit`); and if a crash was found: `pid`, `process`, `exit` of it
    ///   (as in the JSON of `decode`, null if the device noted nothing), `thread` (number), `name`
    ///   of the thread, `callbacks` of it, `wall_ms` (start of the last one, ms since 1970), `end`
    ///   (`exception`, or the end of the log: `clean`, `stopped`, `cut`), `after` (callbacks that
    ///   followed), `went_on` (the last callback did), `thread_ended` (without a stack trace: true
    ///   if the thread ended by the exception; null if a pool may have caught it), `unproven`,
    ///   `doubtful` (methods), `model` (true if the build had one).
    /// - `frame`: the frames, innermost first: `m` method, `file`, `lines` that it may be at,
    ///   `inlined`.
    /// - `step`: the last top-level callbacks: `callback` (number, from 1), `m`, `times`,
    ///   `from_ms` and `to_ms` (start of the first and of the last one, since the process began),
    ///   `origins` (where they came from, as `decode` prints it; absent if that is not recorded).
    /// - `branch`: the last branches, oldest first: `callback`, `m`, `line`, `block` (code unit in
    ///   the method of the app), `taken` (index of the alternative), `ways` (the alternatives, each
    ///   with `pc`, `line`, and `m` if it is another method), `bits` and `once_in` (the
    ///   improbability), `times`.
    ///
    /// The caller may add a line `why`: the causes of the exception.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write_json(&self, mut out: impl Write) -> io::Result<()> {
        // The version comes first, independent of the order of other keys.
        let head = self.head().to_string();
        writeln!(out, "{{\"v\":1,{}", visible(head.strip_prefix('{').unwrap_or(&head)))?;
        let mut line = |value: Value| writeln!(out, "{}", visible(&value.to_string()));
        let Some(found) = &self.found else { return Ok(()) };
        for frame in self.shown_frames(found) {
            let mut of = self.named("frame", &frame.method);
            of.insert("lines".into(), frame.lines.into());
            of.insert("inlined".into(), frame.inlined.into());
            line(of.into())?;
        }
        for step in &found.moment.steps {
            let m = self.program.map.methods[step.method.0 as usize - 1].source();
            let mut of = json!({
                "e": "step", "callback": step.number, "m": self.method_key(&m),
                "times": step.times, "from_ms": step.from_ms, "to_ms": step.to_ms,
            });
            let map = self.program.map;
            let origins = step.origins.into_iter().flatten();
            let origins: Vec<Value> = origins
                .filter_map(|id| map.callback_origin(id))
                .map(|origin| origin.to_string().into())
                .collect();
            if !origins.is_empty() {
                of["origins"] = origins.into();
            }
            line(of)?;
        }
        for branch in &found.moment.branches {
            let Some(decided) = self.decided(*branch) else { continue };
            let way = |way: &CrashPosition| {
                let mut of = Map::new();
                of.insert("pc".into(), way.pc.into());
                of.extend(way.line.map(|l| ("line".into(), l.into())));
                if way.method != decided.from.method {
                    of.insert("m".into(), self.method_key(&way.method).into());
                }
                Value::from(of)
            };
            let bits = decided.chance.map(|c| (c.bits() * 1000.0).round() / 1000.0);
            let mut of = self.named("branch", &decided.from.method);
            of.extend(decided.from.line.map(|l| ("line".into(), l.into())));
            let ways: Vec<Value> = decided.ways.iter().map(way).collect();
            for (key, value) in [
                ("callback", branch.callback.into()),
                ("block", address(self.program, branch.block).into()),
                ("taken", branch.alternative.into()),
                ("ways", ways.into()),
                ("bits", bits.into()),
                ("once_in", decided.chance.map(|c| c.once_in()).into()),
                ("times", branch.times.into()),
            ] {
                of.insert(key.into(), value);
            }
            line(of.into())?;
        }
        Ok(())
    }

    fn head(&self) -> Value {
        let join = self.found.as_ref().and_then(|f| f.join).map(|j| j.1);
        let word = match self.fit() {
            Fit::Exact => "exact",
            Fit::Lines => "other_lines",
            Fit::Partial => "partial",
            Fit::None => "none",
        };
        let mut head = json!({
            "e": "crash", "join": self.asked.then_some(word), "places": self.equals,
        });
        let mut put = |key: &str, value: Value| {
            head[key] = value;
        };
        if self.asked {
            let throwable = self.throwable();
            put("fits", join.map_or(0, |j| j.fits).into());
            put("of", self.frames.into());
            put("class", throwable.map(|t| t.class.as_str()).into());
            put("message", throwable.and_then(|t| t.message.as_deref()).into());
        }
        if !self.asked {
            put("kept", self.kept.into());
            let exits = self.exits.iter().map(|ended| {
                let EndedProcess { pid, process, exit } = ended;
                json!({ "pid": pid, "process": process, "exit": exit_json(Some(exit)) })
            });
            put("exits", exits.collect::<Vec<Value>>().into());
        }
        if let Some(join) = join {
            put("active", join.active.into());
            put("lines", join.lines.into());
            put("other_lines", join.other_lines.into());
            put("names", if join.retraced { "source" } else { "app" }.into());
            put("throwable", join.throwable.into());
        }
        if let Some(found) = &self.found {
            let moment = &found.moment;
            let end = match moment.end {
                PathEnd::Left => "exception",
                PathEnd::Log(Ended::Clean) => "clean",
                PathEnd::Log(Ended::Stopped) => "stopped",
                PathEnd::Log(Ended::Cut) => "cut",
                PathEnd::Log(Ended::Unknown) => "unknown",
            };
            let doubtful = moment
                .doubtful
                .iter()
                .map(|m| self.method_key(&self.program.map.methods[m.0 as usize - 1].source()));
            put("pid", found.pid.into());
            put("process", found.process.as_str().into());
            put("exit", exit_json(found.exit.as_ref()));
            put("thread", found.number.into());
            put("name", found.thread.as_deref().into());
            put("callbacks", moment.callbacks.into());
            put("wall_ms", found.clock().into());
            put("end", end.into());
            put("after", moment.after.into());
            put("went_on", moment.went_on.into());
            if let Some(outcome) = found.outcome {
                put("thread_ended", (outcome == ExceptionOutcome::Ended).then_some(true).into());
            }
            put("unproven", moment.unproven.into());
            put("doubtful", doubtful.collect::<Vec<String>>().into());
            put("model", self.has_model().into());
        }
        head
    }

    fn method_key(&self, m: &SourceMethod) -> String {
        let map = self.program.map;
        format!("{}->{}{}", map.name(m.class), map.name(m.name), map.name(m.descriptor))
    }

    fn named(&self, event: &str, m: &SourceMethod) -> Map<String, Value> {
        let mut of = Map::new();
        of.insert("e".into(), event.into());
        of.insert("m".into(), self.method_key(m).into());
        of.extend(m.file.map(|f| ("file".into(), self.program.map.name(f).into())));
        of
    }
}
