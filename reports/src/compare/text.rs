//! Comparisons as text for people.

use std::io::{self, Write};

use decoder::log::wall_clock;

use super::addition::Additions;
use super::divergence::{Alone, Differing, Divergence, First, Parted, Ran};
use super::score::Sessions;
use super::suspects::{Suspect, Suspects};
use super::view::{Happened, Session, SourceLine, SourcePosition, ThreadName};
use crate::base::escape::visible;
use crate::base::sources::Sources;
use model::nouns::counted;

/// Maximum number of listed differences, events and shapes.
const LISTED: usize = 10;
/// Maximum number of listed members of a class.
const MEMBERS: usize = 4;
/// Width at which source text is cut, in characters.
const SOURCE_WIDTH: usize = 100;

/// Writes comparisons.
#[derive(Debug, Clone, Copy, Default)]
pub struct Texts<'s> {
    /// Source files, to show the text of lines.
    pub sources: Option<&'s Sources>,
}

/// Returns `Main.java:57`.
fn at(line: &SourceLine) -> String {
    match (&line.file, line.line) {
        (Some(file), Some(n)) => format!("{file}:{n}"),
        (Some(file), None) => file.clone(),
        (None, Some(n)) => format!("line {n}"),
        (None, None) => String::new(),
    }
}

/// Returns `Cls.name(int) (Main.java:57)`; for inlined code also the method that contains it.
fn place(spot: &SourcePosition) -> String {
    let line = spot.line();
    let (title, at) = (&line.title, at(line));
    let at = if at.is_empty() { format!("at {:#06x}", spot.pc) } else { at };
    let inside = match spot.at.is_empty() || spot.own.title == *title {
        true => String::new(),
        false => format!(", inlined in {}", spot.own.title),
    };
    format!("{title} ({at}){inside}")
}

/// Returns `Iface.call` for `Lpkg/Iface;->call()V`.
fn short(key: &str) -> String {
    let Some((class, rest)) = key.split_once("->") else { return key.to_owned() };
    let class = model::descriptors::dotted_name(class);
    let class = class.rsplit('.').next().unwrap_or(&class);
    format!("{class}.{}", rest.split('(').next().unwrap_or(rest))
}

/// Returns an event without its position.
fn way(h: &Happened) -> String {
    let which = || match (h.alternative, h.alternatives) {
        (Some(i), Some(n)) => format!("way {} of {n}", i + 1),
        _ => String::new(),
    };
    match h.kind {
        "branch" => {
            let here = h.place.as_ref().map(|p| p.line());
            match h.to.as_ref().map(SourcePosition::line) {
                Some(to) if to.line.is_some() && Some(to) != here => {
                    let other = here.is_none_or(|here| here.title != to.title);
                    let to = match (other, to.line) {
                        (false, Some(line)) => line.to_string(),
                        _ => format!("{} ({})", to.title, at(to)),
                    };
                    format!("goes to {to} ({})", which())
                }
                _ => format!("takes {}", which()),
            }
        }
        "call" => {
            let site = h.site.as_deref().map_or(String::new(), short);
            match &h.callee {
                Some(callee) => format!("calls {} for {site}", short(callee)),
                None => format!("calls something without probes for {site}"),
            }
        }
        "enter" => "is called from outside the app".into(),
        "throw" => match &h.to {
            Some(to) => format!("throws; caught in {}", place(to)),
            None => "throws; caught".into(),
        },
        "catch" => "catches an exception".into(),
        _ => "throws; the exception leaves the app's code".into(),
    }
}

fn chance(h: &Happened) -> String {
    match (h.once_in, h.bits) {
        (Some(n), Some(bits)) if n > 1 => format!("  [once in {n}; {bits:.1} bits]"),
        _ => String::new(),
    }
}

fn happened(h: &Happened) -> String {
    let place = h.place.as_ref().map_or_else(|| "somewhere".into(), place);
    format!("{place} {}", way(h))
}

fn session(s: &Session) -> String {
    let (day, time) = wall_clock(s.start_ms);
    let (first, more) = (s.files.first().map_or("?", |f| f), s.files.len().saturating_sub(1));
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{first}{more}: {} (pid {}), started {day} {time} UTC", s.process, s.pid)
}

fn thread(t: &ThreadName) -> String {
    format!("thread {} \"{}\"", t.number, t.name.as_deref().unwrap_or("?"))
}

fn ran(r: &Ran) -> String {
    let title = if r.m.is_some() { r.title.as_str() } else { "before the first callback" };
    let seconds = format!("{}.{:03} s", r.ms / 1000, r.ms % 1000);
    format!("{}, #{} [{seconds}] {title}", thread(&r.thread), r.number)
}

fn share(some: u64, all: u64) -> String {
    format!("{some} of {all}")
}

fn put(out: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(out, "{}", visible(text))
}

impl Texts<'_> {
    /// Returns the source text of a position, for the end of a row.
    fn source(&self, spot: Option<&SourcePosition>) -> String {
        let Some((sources, line)) = self.sources.zip(spot.map(SourcePosition::line)) else {
            return String::new();
        };
        let Some((file, number)) = line.file.as_deref().zip(line.line) else {
            return String::new();
        };
        let found = sources.file(&line.package, file);
        let text = found.as_ref().and_then(|f| f.line(number)).unwrap_or_default();
        let text: String = text.chars().take(SOURCE_WIDTH).collect();
        if text.is_empty() { text } else { format!("      {text}") }
    }

    fn source_row(&self, spot: Option<&SourcePosition>, out: &mut impl Write) -> io::Result<()> {
        let text = self.source(spot);
        if text.is_empty() { Ok(()) } else { put(out, &text) }
    }

    /// Writes the first divergence of two sessions.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn divergence(&self, d: &Divergence, out: &mut impl Write) -> io::Result<()> {
        put(out, &format!("good: {}", session(&d.good)))?;
        put(out, &format!("bad:  {}", session(&d.bad)))?;
        put(
            out,
            &format!("{} ran in both, with the same path", counted(d.same_callbacks, "callback")),
        )?;
        let Some(first) = &d.first else { return put(out, "no difference") };
        put(out, "")?;
        self.first(first, out)?;
        if d.count > 1 {
            put(out, "")?;
            let than = if d.more { "more than " } else { "" };
            put(out, &format!("{than}{} differences; by time:", d.count))?;
            for row in d.differences.iter().take(LISTED) {
                put(out, &format!("  {}", differing(row)))?;
            }
            if d.count > LISTED as u64 {
                put(out, &format!("  … and {} more", d.count - LISTED as u64))?;
            }
        }
        Ok(())
    }

    fn first(&self, first: &First, out: &mut impl Write) -> io::Result<()> {
        put(out, &format!("first difference: {}", differing(&first.callback)))?;
        put(
            out,
            &format!(
                "  after {} of its thread with equal paths",
                counted(first.same_before, "callback")
            ),
        )?;
        let Some(parted) = &first.parting else { return Ok(()) };
        self.parted(parted, out)
    }

    fn parted(&self, parted: &Parted, out: &mut impl Write) -> io::Result<()> {
        put(
            out,
            &format!("  after {}, of which the last:", counted(parted.same_steps, "equal step")),
        )?;
        for r in &parted.before {
            let times = if r.times > 1 { format!(" × {}", r.times) } else { String::new() };
            put(out, &format!("    {}{times}", happened(&r.step)))?;
        }
        self.alone("good", &parted.good, out)?;
        self.alone("bad ", &parted.bad, out)?;
        let frames = &parted.bad.frames;
        if frames.len() > 1 {
            put(out, "  called by")?;
            for spot in frames.iter().skip(1).take(LISTED) {
                put(out, &format!("    {}", place(spot)))?;
            }
            if frames.len() > LISTED + 1 {
                put(out, &format!("    … and {} more", frames.len() - LISTED - 1))?;
            }
        }
        Ok(())
    }

    fn alone(&self, side: &str, alone: &Alone, out: &mut impl Write) -> io::Result<()> {
        let more = match alone.more {
            0 => String::new(),
            n => format!(" ({n} times more)"),
        };
        let Some(step) = &alone.step else {
            let end = match alone.end {
                Some("whole") => "the callback ends",
                _ => "the log ends",
            };
            return put(out, &format!("  {side} → {end}"));
        };
        put(out, &format!("  {side} → {}{more}{}", happened(step), chance(step)))?;
        self.source_row(step.place.as_ref(), out)
    }

    /// Writes the events that correlate with bad sessions. `more` names the option that shows more
    /// of them.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn suspects(&self, s: &Suspects, more: &str, out: &mut impl Write) -> io::Result<()> {
        let Sessions { bad, good } = s.sessions;
        let builds = match s.builds.len() {
            0 | 1 => String::new(),
            n => format!(", of {n} builds"),
        };
        put(out, &format!("{bad} bad and {good} good sessions{builds}"))?;
        for (rank, suspect) in (1..).zip(&s.classes) {
            put(out, "")?;
            self.suspect(rank, suspect, s, out)?;
        }
        if s.count > s.classes.len() {
            put(out, "")?;
            put(out, &format!("… and {} more ({more})", s.count - s.classes.len()))?;
        }
        Ok(())
    }

    fn suspect(
        &self,
        rank: usize,
        s: &Suspect,
        all: &Suspects,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let [low, high] = s.interval;
        let sure = if s.sure { "" } else { ", may be chance" };
        put(
            out,
            &format!(
                "{rank}. in {} bad and {} good sessions",
                share(s.with.bad, all.sessions.bad),
                share(s.with.good, all.sessions.good),
            ),
        )?;
        put(
            out,
            &format!(
                "   Ochiai {:.3}, Tarantula {:.3}, Importance {:.3}, \
                 Increase {:+.3} (95 %: {low:+.3} to {high:+.3}{sure})",
                s.ochiai, s.tarantula, s.importance, s.increase
            ),
        )?;
        for h in s.events.iter().take(MEMBERS) {
            put(out, &format!("   {}", happened(h)))?;
            self.source_row(h.place.as_ref(), out)?;
        }
        if s.count > MEMBERS {
            put(out, &format!("   … and {} more events of the same sessions", s.count - MEMBERS))?;
        }
        if let Some(n) = s.in_builds.filter(|n| *n < all.builds.len()) {
            put(out, &format!("   the first is in {n} of the {} builds", all.builds.len()))?;
        }
        Ok(())
    }

    /// Writes the additions of sessions.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn additions(&self, a: &Additions, out: &mut impl Write) -> io::Result<()> {
        put(out, &format!("known before: {}", counted(a.known_sessions, "session")))?;
        for s in a.sessions.iter().filter(|s| s.new_events + s.new_shapes > 0) {
            put(out, "")?;
            put(out, &session(&s.session))?;
            let (events, paths) =
                (counted(s.new_events, "new event"), counted(s.new_shapes, "new path"));
            let all = counted(s.callbacks, "callback");
            put(out, &format!("  {events}, {paths} in {all}"))?;
            for h in s.events.iter().take(LISTED) {
                put(out, &format!("    {}", happened(h)))?;
                self.source_row(h.place.as_ref(), out)?;
            }
            for shape in s.shapes.iter().take(LISTED.saturating_sub(s.events.len())) {
                let (thread, number, title) = (shape.thread, shape.number, &shape.title);
                put(out, &format!("    another path: thread {thread}, #{number} {title}"))?;
            }
        }
        let nothing = a.sessions.iter().filter(|s| s.new_events + s.new_shapes == 0).count();
        put(out, "")?;
        if nothing > 0 {
            let adds = if nothing == 1 { "adds" } else { "add" };
            let all = counted(a.sessions.len(), "session");
            put(out, &format!("{nothing} of {all} {adds} nothing"))?;
        }
        let (few, all, items) = (a.cover.len(), a.sessions.len(), a.items);
        put(
            out,
            &format!("{few} of {all} sessions have all {items} new events and paths (greedy):"),
        )?;
        for c in &a.cover {
            let s = &a.sessions[c.session].session;
            put(out, &format!("  {:>8}  {}", format!("+{}", c.adds), session(s)))?;
        }
        Ok(())
    }
}

fn differing(d: &Differing) -> String {
    match (&d.good, &d.bad) {
        (Some(good), Some(bad)) => format!("{} (good: #{})", ran(bad), good.number),
        (None, Some(bad)) => format!("{}: only the bad session ran it", ran(bad)),
        (Some(good), None) => format!("{}: only the good session ran it", ran(good)),
        (None, None) => String::new(),
    }
}
