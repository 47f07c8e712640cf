//! One method of the app: its original name, and the frames for each of its lines.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::{ClassEntry, Extra, Mapping, MemberRow};
use crate::map::MAX_FRAMES;

/// Exceptions for which a line shows other frames, at most: each line has a copy of them.
const MAX_REWRITES: usize = 16;

/// A line of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MappedLine {
    /// None is known.
    None,
    /// This one.
    At(u32),
    /// The mapping does not translate it: the line in the app holds, if it is a line at all.
    Same,
    /// One of the lines from the first to the second: the mapping does not narrow it down.
    Between(u32, u32),
}

/// A method of the source that was running, as a stack trace names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MappedFrame<'m> {
    /// Descriptor of its class.
    pub class: &'m str,
    /// Its name.
    pub name: &'m str,
    /// Its descriptor.
    pub descriptor: &'m str,
    /// Line in that method.
    pub line: MappedLine,
}

impl MappedFrame<'_> {
    /// `Lpkg/Cls;->name(I)V`.
    pub fn key(&self) -> String {
        format!("{}->{}{}", self.class, self.name, self.descriptor)
    }
}

/// Frames to remove when an exception of this class is thrown here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rewritten<'m> {
    /// Descriptor of its class.
    pub thrown: &'m str,
    /// Number of innermost frames to remove.
    pub remove: u32,
}

/// The source frames of one line of the app.
#[derive(Debug, Clone)]
pub struct Frames<'m> {
    /// Innermost first. All but the last were inlined into it.
    pub frames: Vec<MappedFrame<'m>>,
    /// True if R8 made the last one: stack traces do not show it.
    pub synthesized: bool,
    /// For a line that calls an outline: lines of the outline, ascending, and the lines of this
    /// method (in the app) that they stand for.
    pub outline_call: Option<&'m [(u32, u32)]>,
    extras: Vec<&'m Extra>,
}

impl<'m> Frames<'m> {
    /// Of a method without a line.
    pub(super) fn of_name(frame: MappedFrame<'m>, synthesized: bool) -> Self {
        Frames { frames: vec![frame], synthesized, outline_call: None, extras: Vec::new() }
    }

    /// The frames as a stack trace shows them, innermost first. `thrown`: descriptor of the
    /// exception that was thrown right here, if one was.
    pub fn shown(&self, thrown: Option<&str>) -> &[MappedFrame<'m>] {
        let holds = |r: &&super::Rewrite| r.thrown.iter().all(|t| Some(&**t) == thrown);
        let removed: u64 = match thrown {
            Some(_) => {
                let rewrites = self.extras.iter().flat_map(|e| &e.rewrites);
                rewrites.filter(holds).map(|r| u64::from(r.remove)).sum()
            }
            None => 0,
        };
        // Retrace takes a number that is too large for a mistake.
        let removed = if removed > self.frames.len() as u64 { 0 } else { removed as usize };
        let end = self.frames.len() - usize::from(self.synthesized);
        self.frames.get(removed..end).unwrap_or_default()
    }

    /// The exceptions for which other frames are shown. Those that ask for several exceptions at
    /// once never apply.
    pub fn rewrites(&self) -> impl Iterator<Item = Rewritten<'m>> {
        let all = self.extras.iter().flat_map(|e| &e.rewrites);
        all.filter_map(|r| match &r.thrown[..] {
            [thrown] if r.remove > 0 => Some(Rewritten { thrown, remove: r.remove }),
            _ => None,
        })
        .take(MAX_REWRITES)
    }
}

/// A method of the app. Its lines are looked up in the order of the file, as Retrace does.
#[derive(Debug, Clone)]
pub struct MethodMapping<'m> {
    pub(super) mapping: &'m Mapping,
    pub(super) class: &'m ClassEntry,
    pub(super) rows: &'m [MemberRow],
    /// Rows with the same range of lines: inlined frames, and last the method itself.
    pub(super) chains: Vec<Range<usize>>,
    /// Those of other methods of the name. R8 does not state the descriptor in the app for all
    /// methods that it merged into one, but keeps their lines apart.
    others: Vec<Range<usize>>,
    /// Methods that R8 made, as frames around the source's: positions in [`Mapping::sources`].
    made: HashSet<u32>,
    segments: OnceCell<Vec<Segment>>,
}

/// Lines that one chain holds for.
#[derive(Debug, Clone, Copy)]
struct Segment {
    from: u32,
    to: u32,
    chain: usize,
}

/// Distinction between frames around an inlined frame and an overload that has the same range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chained {
    /// Nothing: rows with one range are one chain (Retrace's rule).
    Always,
    /// A single number, which R8 writes for the frames around.
    Alone,
}

/// The rows of one name, put together to chains.
pub(super) fn chains(rows: &[MemberRow], rule: Chained) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let around =
            rule == Chained::Always || row.source_lines.is_none_or(|l| l.alone || l.to == 0);
        match out.last_mut() {
            Some(chain) if row.lines.is_some() && rows[i - 1].lines == row.lines && around => {
                chain.end = i + 1;
            }
            _ => out.push(i..i + 1),
        }
    }
    out
}

impl Mapping {
    /// A method of the app, by its class, name and descriptor there.
    ///
    /// Overloads that got one name differ by the descriptor: as R8 states it, else from the
    /// translated types. If R8 changed the descriptor without saying so, the name decides when it
    /// leaves only one choice; else there is none.
    pub fn method(&self, class: &str, name: &str, shrunk: &str) -> Option<MethodMapping<'_>> {
        let class = self.class(class)?;
        let rows = self.rows_of(class, name);
        if rows.is_empty() {
            return None;
        }
        let stated = self.names.find(shrunk);
        let translated = self.names.find(&self.method_descriptor(shrunk));
        let descriptor = |row: &MemberRow| self.sources[row.source as usize].descriptor;
        let pick = |chains: &[Range<usize>], fits: &dyn Fn(&MemberRow) -> bool| {
            let fits = |c: &Range<usize>| fits(&rows[c.end - 1]);
            let (fit, others): (Vec<_>, Vec<_>) = chains.iter().cloned().partition(fits);
            (!fit.is_empty()).then_some((fit, others))
        };
        let [always, alone] = [Chained::Always, Chained::Alone].map(|rule| chains(rows, rule));
        let is_stated = |row: &MemberRow| row.residual.is_some() && row.residual == stated;
        let is_same =
            |row: &MemberRow| row.residual.is_none() && Some(descriptor(row)) == translated;
        let only = || {
            let first = &rows[always[0].end - 1];
            let all = always.iter().all(|c| rows[c.end - 1].source == first.source);
            (first.residual.is_none() && all).then(|| (always.clone(), Vec::new()))
        };
        let (chains, others) = pick(&always, &is_stated)
            .or_else(|| pick(&alone, &is_stated))
            .or_else(|| pick(&always, &is_same))
            .or_else(|| pick(&alone, &is_same))
            .or_else(only)?;
        Some(MethodMapping { others, ..MethodMapping::new(self, class, rows, chains) })
    }
}

impl<'m> MethodMapping<'m> {
    pub(super) fn new(
        mapping: &'m Mapping,
        class: &'m ClassEntry,
        rows: &'m [MemberRow],
        chains: Vec<Range<usize>>,
    ) -> Self {
        let outer = chains.iter().map(|c| &rows[c.end - 1]);
        let made = outer.filter(|r| {
            let extra = r.extra.map(|e| &mapping.extras[e as usize]);
            extra.is_some_and(|e| e.synthesized || e.outline)
        });
        let made = made.map(|r| r.source).collect();
        Self { mapping, class, rows, chains, others: Vec::new(), made, segments: OnceCell::new() }
    }

    /// The outermost row of a chain that a stack trace shows, if there is one.
    fn outer(&self, chain: &Range<usize>) -> &'m MemberRow {
        let last = &self.rows[chain.end - 1];
        match self.made.contains(&last.source) && chain.len() > 1 {
            true => &self.rows[chain.end - 2],
            false => last,
        }
    }

    fn row(&self) -> &'m MemberRow {
        let first = self.outer(&self.chains[0]);
        // R8 puts a frame of its own around all code of a method that calls outlines.
        let one = self.chains.iter().all(|c| self.outer(c).source == first.source);
        if one { first } else { &self.rows[self.chains[0].end - 1] }
    }

    /// The method itself, without a line.
    pub fn source(&self) -> MappedFrame<'m> {
        self.frame(self.row(), MappedLine::None)
    }

    fn extras(&self) -> impl Iterator<Item = &'m Extra> {
        let rows = self.chains.iter().flat_map(|c| &self.rows[c.clone()]);
        rows.filter_map(|r| Some(&self.mapping.extras[r.extra? as usize]))
    }

    /// Returns true if R8 made it: stack traces do not show it.
    pub fn is_synthesized(&self) -> bool {
        self.made.contains(&self.row().source)
    }

    /// Returns true if it is an outline: its lines stand for lines of its callers
    /// ([`Frames::outline_call`]).
    pub fn is_outline(&self) -> bool {
        self.extras().any(|e| e.outline)
    }

    /// Returns the source frames of a line of the app; `None` stands for code without a line.
    pub fn at(&self, line: Option<u32>) -> Option<Frames<'m>> {
        self.frames(line, false)
    }

    /// Returns true if a range has this line.
    pub(super) fn has_line(&self, line: u32) -> bool {
        let segments = self.segments.get_or_init(|| self.segments());
        let at = segments.partition_point(|s| s.to < line);
        segments.get(at).is_some_and(|s| s.from <= line)
    }

    /// As [`Self::at`]; `several`: whether other methods fit, too.
    pub(super) fn frames(&self, line: Option<u32>, several: bool) -> Option<Frames<'m>> {
        let line = line.filter(|l| *l > 0);
        let chain = self.chain(line.unwrap_or(0)).or_else(|| {
            let [only] = &self.chains[..] else { return None };
            let all = only.len() == 1 && self.rows[only.start].lines == Some((0, 65_535));
            (line.is_none() && all).then_some(only.clone())
        })?;
        let rows = &self.rows[chain];
        let line_of = |(i, row): (usize, &MemberRow)| line_of(row, line, i == 0, several);
        // Of chains beyond all sense the frames around the innermost ones go.
        let inner = &rows[..rows.len().min(MAX_FRAMES)];
        let is_whole = inner.len() == rows.len();
        Some(Frames {
            frames: inner.iter().enumerate().map(|r| self.frame(r.1, line_of(r))).collect(),
            synthesized: is_whole && rows.last().is_some_and(|r| self.made.contains(&r.source)),
            outline_call: rows.last().and_then(|r| self.extra(r)?.outline_call.as_deref()),
            extras: inner.iter().filter_map(|r| self.extra(r)).collect(),
        })
    }

    fn extra(&self, row: &MemberRow) -> Option<&'m Extra> {
        Some(&self.mapping.extras[row.extra? as usize])
    }

    fn frame(&self, row: &MemberRow, line: MappedLine) -> MappedFrame<'m> {
        let (names, source) = (&self.mapping.names, &self.mapping.sources[row.source as usize]);
        MappedFrame {
            class: names.get(source.class.unwrap_or(self.class.original)),
            name: names.get(source.name),
            descriptor: names.get(source.descriptor),
            line,
        }
    }

    /// The first chain that has this line, else the first row that has none.
    fn chain(&self, line: u32) -> Option<Range<usize>> {
        let segments = self.segments.get_or_init(|| self.segments());
        let at = segments.partition_point(|s| s.to < line);
        if let Some(found) = segments.get(at).filter(|s| s.from <= line) {
            let of_others = found.chain.checked_sub(self.chains.len());
            let chain = match of_others {
                Some(at) => &self.others[at],
                None => &self.chains[found.chain],
            };
            return Some(chain.clone());
        }
        self.chains.iter().find(|c| self.rows[c.start].lines.is_none()).cloned()
    }

    fn all(&self) -> impl Iterator<Item = &Range<usize>> {
        self.chains.iter().chain(&self.others)
    }

    /// All lines, ascending. Where ranges overlap, the first in the file wins.
    fn segments(&self) -> Vec<Segment> {
        let lines = |(chain, rows): (usize, &Range<usize>)| {
            let (from, to) = self.rows[rows.start].lines?;
            Some(Segment { from, to, chain })
        };
        let all: Vec<Segment> = self.all().enumerate().filter_map(lines).collect();
        if all.windows(2).all(|w| w[0].to < w[1].from) {
            return all;
        }
        // Disjoint and merged: each is looked at once more and then gone.
        let mut taken: BTreeMap<u32, u32> = BTreeMap::new();
        let mut out = Vec::with_capacity(all.len());
        for new in all {
            let (mut from, mut to, mut free) = (new.from, new.to, Some(new.from));
            let before = taken.range(..new.from).next_back().filter(|b| *b.1 >= new.from);
            let start = before.map_or(new.from, |b| *b.0);
            let inside: Vec<_> = taken.range(start..=new.to).map(|(f, t)| (*f, *t)).collect();
            for (first, last) in inside {
                taken.remove(&first);
                (from, to) = (from.min(first), to.max(last));
                if let Some(free) = free.filter(|f| *f < first) {
                    out.push(Segment { from: free, to: first - 1, ..new });
                }
                free = last.checked_add(1);
            }
            if let Some(free) = free.filter(|f| *f <= new.to) {
                out.push(Segment { from: free, ..new });
            }
            taken.insert(from, to);
        }
        out.sort_unstable_by_key(|s| s.from);
        out
    }
}

/// The line of one row of a chain: `RetraceFrameResultImpl.getRetracedMethod`. `several`: other
/// methods fit, too.
fn line_of(row: &MemberRow, line: Option<u32>, innermost: bool, several: bool) -> MappedLine {
    let inside = |(from, to): &(u32, u32)| line.is_some_and(|l| (*from..=*to).contains(&l));
    let at = |line| if line == 0 { MappedLine::None } else { MappedLine::At(line) };
    match (row.lines, row.source_lines) {
        (_, Some(s)) if s.span() == 1 => at(s.from),
        (lines, Some(s)) => {
            let fits = lines.is_some_and(|(f, t)| u64::from(t) - u64::from(f) + 1 == s.span());
            match lines.filter(inside).zip(line) {
                _ if innermost && !fits => MappedLine::Between(s.from, s.to),
                Some(((from, _), line)) => at(s.from.saturating_add(line - from)),
                None if several || !fits => MappedLine::Same,
                None => at(s.from),
            }
        }
        (None, None) => MappedLine::Same,
        (Some((from, _)), None) => match line {
            Some(line) => at(line),
            None if several => MappedLine::Same,
            None => at(from),
        },
    }
}
