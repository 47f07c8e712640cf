//! Baseline and startup profiles: methods that the next release compiles ahead of time, and methods
//! that it places at the front.
//!
//! Source of the format: ART's human-readable profiles (`ProfileAssistant`, `profman
//! --create-profile-from`): `HSPLcom/example/Cls;->name(I)V`, with `S` for methods that run at
//! startup, `P` for those that run after it, `H` for hot ones; `Lcom/example/Cls;` names a class.
//! The Android build (AGP) and D8 accept them with names of the source. Compilers' own classes and
//! methods are left out: the next build names them differently.
//!
//! *Startup* is the time of a process up to the callback of its main thread that calls the app's
//! first `onResume()`, or a time that the user gives.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use decoder::log::{Process, ThreadLog};
use model::map::{MethodKind, NameId};

use crate::export::coverage::is_made;
use crate::frames::{Closed, Frame, FrameNames, FrameSink, Opened, WallTime};

/// Options of the rules.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RuleOptions {
    /// Minimum share of the sessions that must run a method for it to be listed.
    pub min_sessions: f64,
    /// Duration of startup in ms; `None`: up to the first `onResume()`.
    pub startup_ms: Option<u64>,
    /// Minimum number of calls in a session for a method to be hot.
    pub hot: u32,
}

impl Default for RuleOptions {
    fn default() -> Self {
        RuleOptions { min_sessions: 0.05, startup_ms: None, hot: 100 }
    }
}

/// Use of a frame in a process. Times are starts of callbacks, in µs since 1970.
#[derive(Debug, Clone, Copy, Default)]
struct FrameUse {
    calls: u32,
    first_us: u64,
    last_us: u64,
}

/// Use of a frame in all sessions: number of sessions that called it at startup, after it, often.
#[derive(Debug, Clone, Copy, Default)]
struct Sessions {
    startup: u32,
    after: u32,
    hot: u32,
    /// Rank among all frames of startups, from 1.
    order: u32,
}

/// Collects rules of all sessions. A session is a process.
#[derive(Debug)]
pub struct ProfileRules<'p, 'm> {
    names: FrameNames<'p, 'm>,
    options: RuleOptions,
    /// Frames that are `onResume()`.
    resumes: BTreeSet<Frame>,
    frames: Vec<Sessions>,
    order: u32,
    sessions: u32,
    /// Number of sessions whose startup is known.
    started: u32,
    /// Use of each frame in this process.
    seen: Vec<FrameUse>,
    touched: Vec<Frame>,
    begin_us: u64,
    /// Start of the callback with which startup ends.
    startup_us: Option<u64>,
    is_main: bool,
    now_us: u64,
}

impl<'p, 'm> ProfileRules<'p, 'm> {
    /// Creates rules without sessions.
    pub fn new(names: FrameNames<'p, 'm>, options: RuleOptions) -> Self {
        let frames = names.frames();
        let is_resume = |frame: &Frame| {
            let (_, name, descriptor) = names.source(*frame);
            (names.text(name), names.text(descriptor)) == ("onResume", "()V")
        };
        let resumes = frames.clone().filter(is_resume).collect();
        let all = frames.count();
        ProfileRules {
            names,
            options,
            resumes,
            frames: vec![Sessions::default(); all],
            order: 0,
            sessions: 0,
            started: 0,
            seen: vec![FrameUse::default(); all],
            touched: Vec::new(),
            begin_us: 0,
            startup_us: None,
            is_main: false,
            now_us: 0,
        }
    }

    /// Returns the sink for the frames of a pass.
    pub fn sink(&mut self) -> RuleFrames<'_, 'p, 'm> {
        RuleFrames(self)
    }

    /// Ends the process.
    fn process_ends(&mut self) {
        if self.touched.is_empty() {
            return;
        }
        self.sessions += 1;
        let until = match self.options.startup_ms {
            Some(ms) => Some(self.begin_us.saturating_add(ms.saturating_mul(1000))),
            None => self.startup_us,
        };
        self.started += u32::from(until.is_some());
        for frame in self.touched.drain(..) {
            let seen = std::mem::take(&mut self.seen[frame.0 as usize]);
            let all = &mut self.frames[frame.0 as usize];
            let starts = until.is_some_and(|until| seen.first_us <= until);
            all.startup += u32::from(starts);
            all.after += u32::from(until.is_none_or(|until| seen.last_us > until));
            all.hot += u32::from(seen.calls >= self.options.hot);
            if starts && all.order == 0 {
                self.order += 1;
                all.order = self.order;
            }
        }
    }

    /// Returns the number of sessions, and of those whose startup is known.
    pub fn sessions(&self) -> (u32, u32) {
        (self.sessions, self.started)
    }

    fn is_often(&self, count: u32, of: u32) -> bool {
        count > 0 && f64::from(count) >= self.options.min_sessions * f64::from(of)
    }

    /// Returns `HSP` or a part of it.
    fn flags(&self, frame: Frame) -> String {
        let of = self.frames[frame.0 as usize];
        let mut flags = String::new();
        flags.extend(self.is_often(of.hot, self.sessions).then_some('H'));
        flags.extend(self.is_often(of.startup, self.started).then_some('S'));
        flags.extend(self.is_often(of.after, self.sessions).then_some('P'));
        flags
    }

    /// Returns the class and `Lcom/example/Cls;->name(I)V` of a method in the source.
    fn rule(&self, frame: Frame) -> Option<(&'m str, String)> {
        let (class, name, descriptor) = self.names.source(frame);
        let [class, name, descriptor] = [class, name, descriptor].map(|n| self.names.text(n));
        let kind = self.names.kind(frame);
        if kind == MethodKind::Synthesized || kind == MethodKind::Outline || is_made(class) {
            return None;
        }
        // Other names would change the rule's meaning.
        let is_plain = |text: &str| !text.contains(|c: char| c.is_whitespace() || c.is_control());
        let mut rule = String::new();
        write!(rule, "{class}->{name}{descriptor}").expect("writes into memory");
        is_plain(&rule).then_some((class, rule))
    }

    /// Writes the baseline profile: sorted rules. Returns the number of methods listed.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write_baseline(&self, mut out: impl Write) -> io::Result<usize> {
        let (mut classes, mut rules) = (BTreeSet::new(), BTreeSet::new());
        for frame in self.names.frames() {
            let flags = self.flags(frame);
            if let (false, Some((class, rule))) = (flags.is_empty(), self.rule(frame)) {
                if flags.contains('S') {
                    classes.insert(class);
                }
                rules.insert((rule, flags));
            }
        }
        classes.iter().try_for_each(|class| writeln!(out, "{class}"))?;
        let mut named = 0;
        // A method and its inlined copies are one rule.
        let rules: Vec<_> = rules.into_iter().collect();
        for same in rules.chunk_by(|a, b| a.0 == b.0) {
            let has = |flag| same.iter().any(|(_, flags)| flags.contains(flag));
            let flags: String = ['H', 'S', 'P'].into_iter().filter(|&f| has(f)).collect();
            writeln!(out, "{flags}{}", same[0].0)?;
            named += 1;
        }
        out.flush()?;
        Ok(named)
    }

    /// Writes the startup profile: classes and methods of startups, in the order of their first
    /// use. Returns the number of methods listed.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn write_startup(&self, mut out: impl Write) -> io::Result<usize> {
        let starts = |f: &Frame| self.is_often(self.frames[f.0 as usize].startup, self.started);
        let mut frames: Vec<Frame> = self.names.frames().filter(starts).collect();
        frames.sort_by_key(|f| self.frames[f.0 as usize].order);
        let (mut classes, mut rules) = (BTreeSet::new(), BTreeSet::new());
        for (class, rule) in frames.into_iter().filter_map(|frame| self.rule(frame)) {
            if classes.insert(class) {
                writeln!(out, "{class}")?;
            }
            if !rules.contains(&rule) {
                writeln!(out, "{rule}")?;
                rules.insert(rule);
            }
        }
        out.flush()?;
        Ok(rules.len())
    }
}

/// Receives the frames of a pass.
#[derive(Debug)]
pub struct RuleFrames<'a, 'p, 'm>(&'a mut ProfileRules<'p, 'm>);

impl FrameSink for RuleFrames<'_, '_, '_> {
    fn process(&mut self, process: &Process) {
        self.0.process_ends();
        self.0.begin_us = process.start_ms.saturating_mul(1000);
        self.0.startup_us = None;
    }

    fn thread(&mut self, process: &Process, thread: &ThreadLog) {
        self.0.is_main = thread.name.as_deref() == Some("main") && !thread.late;
        self.0.now_us = process.start_ms.saturating_mul(1000);
    }

    fn top_level(&mut self, at: WallTime) {
        self.0.now_us = at.begin_us;
    }

    fn open(&mut self, frame: Frame, _how: Opened) {
        let rules = &mut *self.0;
        let seen = &mut rules.seen[frame.0 as usize];
        if seen.calls == 0 {
            rules.touched.push(frame);
            seen.first_us = rules.now_us;
        }
        seen.calls = seen.calls.saturating_add(1);
        seen.first_us = seen.first_us.min(rules.now_us);
        seen.last_us = seen.last_us.max(rules.now_us);
        if rules.is_main && rules.startup_us.is_none() && rules.resumes.contains(&frame) {
            rules.startup_us = Some(rules.now_us);
        }
    }

    fn steps(&mut self, _steps: u64) {}

    fn close(&mut self, _how: Closed) {}

    fn finish(&mut self) -> io::Result<()> {
        self.0.process_ends();
        Ok(())
    }
}

/// Returns true if a file begins like a profile.
pub fn is_profile(head: &[u8]) -> bool {
    let line = head.split(|&b| b == b'\n').next().unwrap_or_default();
    let flags = line.iter().take_while(|b| b"HSP".contains(b)).count();
    let class = line.get(flags..).and_then(|rest| rest.strip_prefix(b"L"));
    class.is_some_and(|class| {
        let end = class.iter().position(|&b| b == b';');
        end.is_some_and(|end| class[end + 1..].is_empty() || class[end + 1..].starts_with(b"->"))
    })
}

impl<'m> FrameNames<'_, 'm> {
    /// Returns all frames.
    fn frames(&self) -> impl Iterator<Item = Frame> + Clone + use<> {
        let map = self.0.map;
        (0..(map.methods.len() + map.places.sources.len()) as u32).map(Frame)
    }

    /// Class, name and descriptor in the source.
    fn source(&self, frame: Frame) -> (NameId, NameId, NameId) {
        let (map, at) = (self.0.map, frame.0 as usize);
        match at.checked_sub(map.methods.len()) {
            None => {
                let m = &map.methods[at];
                (m.class, m.name, m.descriptor)
            }
            Some(source) => {
                let s = &map.places.sources[source];
                (s.class, s.name, s.descriptor)
            }
        }
    }

    fn kind(&self, frame: Frame) -> MethodKind {
        self.0.map.methods.get(frame.0 as usize).map_or(MethodKind::Source, |m| m.kind)
    }

    fn text(&self, name: NameId) -> &'m str {
        self.0.map.name(name)
    }
}

#[cfg(test)]
mod tests {
    use decoder::replay::{Program, SendEvents, Times, Via};
    use model::map::{Map, MethodId};

    use super::*;
    use crate::export::tests::{map, process, thread};
    use crate::frames::Traces;

    fn app() -> Map {
        map(&["begin", "onResume", "work", "late"])
    }

    /// Calls of methods (by number), each in a callback of its own at this µs.
    type Calls<'a> = &'a [(u64, &'a [u32])];

    fn session<S: FrameSink>(traces: &mut Traces<'_, '_, S>, name: &str, calls: Calls<'_>) {
        traces.thread(&process("org.example"), &thread(1, name));
        for (begin_us, methods) in calls {
            traces.times(Times { begin_us: *begin_us, end_us: None, tick_us: 1 });
            for (i, &method) in methods.iter().enumerate() {
                traces.enter(MethodId(method), if i == 0 { Via::TopLevel(0) } else { Via::Call });
            }
            methods.iter().for_each(|_| traces.leave());
        }
    }

    /// The baseline and the startup profile of sessions, each with its threads.
    fn written(map: &Map, options: RuleOptions, sessions: &[&[(&str, Calls<'_>)]]) -> [String; 2] {
        let program = Program::new(map);
        let mut rules = ProfileRules::new(FrameNames(&program), options);
        let mut traces = Traces::new(&program, rules.sink());
        for threads in sessions {
            traces.process(&process("org.example"));
            threads.iter().for_each(|(name, calls)| session(&mut traces, name, calls));
        }
        traces.finish().unwrap();
        let mut out = [Vec::new(), Vec::new()];
        rules.write_baseline(&mut out[0]).unwrap();
        rules.write_startup(&mut out[1]).unwrap();
        out.map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn startup_ends_with_the_callback_of_the_first_on_resume() {
        let main: Calls<'_> = &[(10, &[3]), (20, &[2, 1]), (30, &[4]), (40, &[3])];
        let other: Calls<'_> = &[(15, &[3]), (35, &[4])];
        let [baseline, startup] =
            written(&app(), RuleOptions::default(), &[&[("main", main), ("worker", other)]]);
        let want = "LA;\nSLA;->begin()V\nPLA;->late()V\nSLA;->onResume()V\nSPLA;->work()V\n";
        assert_eq!(baseline, want);
        // In the order of first use.
        assert_eq!(startup, "LA;\nLA;->work()V\nLA;->onResume()V\nLA;->begin()V\n");
        assert!([&baseline, &startup].iter().all(|text| is_profile(text.as_bytes())));
    }

    #[test]
    fn a_method_is_hot_when_a_session_calls_it_often() {
        let main: Calls<'_> = &[(10, &[3, 3, 3]), (20, &[2])];
        let options = RuleOptions { hot: 3, ..RuleOptions::default() };
        let [baseline, _] = written(&app(), options, &[&[("main", main)]]);
        assert_eq!(baseline, "LA;\nSLA;->onResume()V\nHSLA;->work()V\n");
    }

    #[test]
    fn rare_methods_are_left_out() {
        let usual: Calls<'_> = &[(10, &[1]), (20, &[2])];
        let rare: Calls<'_> = &[(10, &[1]), (15, &[3]), (20, &[2])];
        let options = RuleOptions { min_sessions: 0.4, ..RuleOptions::default() };
        let all: [&[(&str, Calls<'_>)]; 3] =
            [&[("main", usual)], &[("main", rare)], &[("main", usual)]];
        let [baseline, startup] = written(&app(), options, &all);
        assert!(!baseline.contains("work") && !startup.contains("work"), "{baseline}");
        let [baseline, startup] = written(&app(), options, &all[..2]);
        assert!(baseline.contains("SLA;->work()V") && startup.contains("LA;->work()V"));
    }

    #[test]
    fn without_an_on_resume_startup_is_a_time_or_nothing() {
        let main: Calls<'_> = &[(10, &[3]), (9000, &[4])];
        let options = RuleOptions { startup_ms: Some(5), ..RuleOptions::default() };
        let [baseline, startup] = written(&app(), options, &[&[("main", main)]]);
        assert_eq!(baseline, "LA;\nPLA;->late()V\nSLA;->work()V\n");
        assert_eq!(startup, "LA;\nLA;->work()V\n");
        let [baseline, startup] = written(&app(), RuleOptions::default(), &[&[("main", main)]]);
        assert_eq!((&*baseline, &*startup), ("PLA;->late()V\nPLA;->work()V\n", ""));
        // Another thread's onResume() is none of an activity.
        let elsewhere: Calls<'_> = &[(10, &[2])];
        let [_, startup] = written(&app(), RuleOptions::default(), &[&[("worker", elsewhere)]]);
        assert_eq!(startup, "");
    }

    #[test]
    fn what_compilers_made_is_left_out() {
        let main: Calls<'_> = &[(10, &[1, 3]), (20, &[2])];
        let mut map = app();
        map.methods[0].kind = MethodKind::Synthesized;
        map.methods[2].kind = MethodKind::Added;
        let [baseline, _] = written(&map, RuleOptions::default(), &[&[("main", main)]]);
        assert_eq!(baseline, "LA;\nSLA;->onResume()V\nSLA;->work()V\n");
        map.names[0] = "LA$$ExternalSyntheticLambda0;".into();
        let [baseline, _] = written(&map, RuleOptions::default(), &[&[("main", main)]]);
        assert_eq!(baseline, "");
    }
}
