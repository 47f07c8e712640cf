//! Joins a stack trace to a moment of a path: the app's frames in the stack trace have to equal the
//! active frames.

use std::collections::{BTreeMap, BTreeSet};

use decoder::replay::Program;
use model::map::MethodId;

use super::frames::{FrameForm, FrameKind, Index, Space, ways};
use super::path::{Active, Frames, variants};
use super::stack::{Stack, StackElement, ThrowableRole};

/// Quality of the match between a stack trace and a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// No frame fits.
    None,
    /// Some frames fit, from the innermost or the outermost on.
    Partial,
    /// All frames fit, but at least one was at another line.
    Lines,
    /// All frames of the app fit, and no line contradicts.
    Exact,
}

/// A stack trace and a moment of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Join {
    /// Quality of the match.
    pub fit: Fit,
    /// Number of the app's frames that fit.
    pub fits: usize,
    /// Number of the app's frames in the stack trace, without methods that have no probes.
    pub of: usize,
    /// Number of frames of the path.
    pub active: usize,
    /// Number of frames whose line is one that the path was at.
    pub lines: usize,
    /// Number of frames whose line is a different one.
    pub other_lines: usize,
    /// Index of the exception in the stack trace: 0, or the number of a cause.
    pub throwable: usize,
    /// True if names were those of the source, false if those in the app.
    pub retraced: bool,
    /// Index of the moment's variant.
    pub(super) variant: usize,
}

impl Join {
    /// Returns a value that is greater for better joins.
    fn order(&self) -> (Fit, usize, usize, std::cmp::Reverse<usize>, std::cmp::Reverse<usize>) {
        let reverse = std::cmp::Reverse;
        (self.fit, self.fits, self.lines, reverse(self.other_lines), reverse(self.active))
    }

    /// Returns true if it fits better than another join.
    pub fn beats(&self, other: &Join) -> bool {
        self.order() > other.order()
    }

    /// Returns true if it fits as well as another join.
    pub fn equals(&self, other: &Join) -> bool {
        self.order() == other.order()
    }
}

/// Maximum number of methods without probes in a row.
const MAX_UNRECORDED: usize = 8;

/// A frame of a stack trace to search for.
#[derive(Debug, Clone)]
struct Wanted {
    /// Its possible relations to the app, each with a line.
    kinds: Vec<(FrameKind, Option<u32>)>,
    /// True if it may be a method without probes.
    perhaps: bool,
}

/// A stack trace, prepared for joining.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// For the exception and each cause: the frames of the app, innermost first.
    throwables: Vec<Vec<Wanted>>,
    /// The frames of the relevant one, outermost first.
    turned: Vec<Wanted>,
}

impl Target {
    pub fn new(index: &Index<'_>, stack: &Stack) -> Target {
        let wanted = |frames: &[StackElement]| {
            let mut found: Vec<Wanted> = Vec::new();
            for element in frames {
                let kind = index.kind(element);
                if element.or
                    && let Some(last) = found.last_mut()
                {
                    last.kinds.push((kind, element.line));
                    continue;
                }
                let perhaps = matches!(kind, FrameKind::Recorded { perhaps: true, .. });
                if !matches!(kind, FrameKind::Outside | FrameKind::Unrecorded) {
                    found.push(Wanted { kinds: vec![(kind, element.line)], perhaps });
                }
            }
            found
        };
        let throwables = stack.throwables.iter().map(|t| match t.role {
            ThrowableRole::Suppressed => Vec::new(),
            ThrowableRole::Thrown | ThrowableRole::Cause => wanted(&t.frames),
        });
        let throwables: Vec<Vec<Wanted>> = throwables.collect();
        let turned = throwables.iter().find(|t| !t.is_empty());
        let turned = turned.map_or_else(Vec::new, |t| t.iter().rev().cloned().collect());
        Target { throwables, turned }
    }

    /// Returns true if it has a frame of the app.
    pub fn has_frames(&self) -> bool {
        self.throwables.iter().any(|t| !t.is_empty())
    }

    /// Returns the relevant exception: the outermost one that has a frame of the app. Code outside
    /// the app often wraps the exception of a callback.
    pub fn subject(&self) -> Option<usize> {
        self.throwables.iter().position(|t| !t.is_empty())
    }

    /// Returns the number of its frames of the app.
    pub fn len(&self) -> usize {
        self.subject().map_or(0, |s| self.throwables[s].len())
    }

    /// Returns the best join with one of a moment's variants.
    pub fn join(
        &self,
        program: &Program<'_>,
        index: &Index<'_>,
        moment: &[Active],
    ) -> Option<Join> {
        let throwable = self.subject()?;
        let wanted = (&self.throwables[throwable][..], &self.turned[..]);
        let mut best: Option<Join> = None;
        for (variant, frames) in variants(moment).iter().enumerate() {
            for space in [Space::Source, Space::App] {
                let found = fit(program, index, wanted, frames, space);
                let join = Join { throwable, variant, ..found };
                if best.is_none_or(|b| join.beats(&b)) {
                    best = Some(join);
                }
                if join.fit == Fit::Exact {
                    return best;
                }
            }
        }
        best
    }
}

/// Number of frames whose lines agree, and of frames whose lines contradict.
type Lines = (usize, usize);

/// Compares frames.
fn fit(
    program: &Program<'_>,
    index: &Index<'_>,
    (wanted, turned): (&[Wanted], &[Wanted]),
    frames: &Frames<'_>,
    space: Space,
) -> Join {
    let of = wanted.len();
    let above = |at: usize| at.checked_sub(1).map(|a| frames[a]);
    let of_frame = |at: usize| ways(program, index, frames[at], above(at), space);
    let hidden =
        |at: usize, from: usize| unrecorded(program, index, &wanted[from..], frames[at], space);
    let inner = run(wanted, frames.len(), of_frame, hidden);
    let mut join = Join {
        fit: Fit::None,
        fits: inner.fits,
        of,
        active: frames.len(),
        lines: inner.lines.0,
        other_lines: inner.lines.1,
        throwable: 0,
        retraced: space == Space::Source,
        variant: 0,
    };
    if let Some((lines, other_lines)) = inner.whole {
        let fit = if other_lines == 0 { Fit::Exact } else { Fit::Lines };
        return Join { fit, fits: of, lines, other_lines, ..join };
    }
    // From the outermost frame on.
    let outer = run(
        turned,
        frames.len(),
        |at| {
            let at = frames.len() - 1 - at;
            of_frame(at).into_iter().map(|way| way.into_iter().rev().collect()).collect()
        },
        |_, _| Vec::new(),
    );
    // No frame of the path counts twice.
    if inner.frames + outer.frames <= frames.len() {
        join.fits = (inner.fits + outer.fits).min(of);
        join.lines += outer.lines.0;
        join.other_lines += outer.lines.1;
    } else if outer.fits > inner.fits {
        (join.fits, (join.lines, join.other_lines)) = (outer.fits, outer.lines);
    }
    join.fit = if join.fits > 0 { Fit::Partial } else { Fit::None };
    join
}

struct FrameMatch {
    /// Number of wanted frames that fit, one after the other.
    fits: usize,
    /// Number of frames of the path that they fit to.
    frames: usize,
    lines: Lines,
    /// Lines, if all frames of both sides fit.
    whole: Option<Lines>,
}

/// Compares both sides from one end on. `hidden` returns the number of wanted frames, from an index
/// on, that may be missing in the path before a frame.
fn run(
    wanted: &[Wanted],
    frames: usize,
    ways: impl Fn(usize) -> Vec<FrameForm>,
    hidden: impl Fn(usize, usize) -> Vec<usize>,
) -> FrameMatch {
    // Indices in `wanted` after the frames so far, each with its best lines.
    let mut reached: BTreeMap<usize, Lines> = BTreeMap::from([(0, (0, 0))]);
    let mut furthest = (0, 0, (0, 0));
    for at in 0..frames {
        pass_unrecorded(wanted, &mut reached);
        for (from, lines) in reached.clone() {
            for count in hidden(at, from) {
                let known = reached.entry(from + count).or_insert(lines);
                *known = better(*known, lines);
            }
        }
        let ways = ways(at);
        let mut next: BTreeMap<usize, Lines> = BTreeMap::new();
        for (&from, &lines) in &reached {
            for way in &ways {
                let (to, lines) = step(wanted, from, lines, way);
                if to > furthest.0 {
                    furthest = (to, at + 1, lines);
                }
                if to == from + way.len() {
                    let known = next.entry(to).or_insert(lines);
                    *known = better(*known, lines);
                }
            }
        }
        reached = next;
        if reached.is_empty() {
            break;
        }
    }
    pass_unrecorded(wanted, &mut reached);
    let whole = reached.get(&wanted.len()).copied();
    FrameMatch { fits: furthest.0, frames: furthest.1, lines: furthest.2, whole }
}

fn better(a: Lines, b: Lines) -> Lines {
    let order = |l: Lines| (std::cmp::Reverse(l.1), l.0);
    if order(b) > order(a) { b } else { a }
}

/// Returns the number of next wanted frames that may be methods without probes, called by this
/// frame of the path and by each other.
fn unrecorded(
    program: &Program<'_>,
    index: &Index<'_>,
    wanted: &[Wanted],
    frame: &Active,
    space: Space,
) -> Vec<usize> {
    let called = index.implied(program, frame);
    if called.is_empty() {
        return Vec::new();
    }
    let names = |wanted: &Wanted, m: MethodId| {
        let key = index.of(m, space);
        wanted
            .kinds
            .iter()
            .any(|(kind, _)| matches!(kind, FrameKind::Recorded { key: k, .. } if *k == key))
    };
    let nests = |count: &usize| {
        // A set, because methods may call each other any number of times.
        let mut level: BTreeSet<MethodId> = called.iter().copied().collect();
        wanted[..*count].iter().rev().all(|w| {
            level.retain(|&m| names(w, m));
            let fits = !level.is_empty();
            level = level.iter().flat_map(|&m| index.implied_by(m)).collect();
            fits
        })
    };
    (1..=wanted.len().min(MAX_UNRECORDED)).filter(nests).collect()
}

/// Skips wanted frames that may be methods without probes: they may be missing in the path.
fn pass_unrecorded(wanted: &[Wanted], reached: &mut BTreeMap<usize, Lines>) {
    let mut at = 0;
    while let Some((&from, &lines)) = reached.range(at..).next() {
        if wanted.get(from).is_some_and(|w| w.perhaps) {
            let known = reached.entry(from + 1).or_insert(lines);
            *known = better(*known, lines);
        }
        at = from + 1;
    }
}

/// Returns the index up to which the next wanted frames are those of a form.
fn step(wanted: &[Wanted], mut at: usize, mut lines: Lines, way: &FrameForm) -> (usize, Lines) {
    for (key, known) in way {
        let Some(wanted) = wanted.get(at) else { break };
        let fits =
            |kind: &FrameKind| matches!(kind, FrameKind::Recorded { key: k, .. } if k == key);
        let fitting = || wanted.kinds.iter().filter(|(kind, _)| fits(kind));
        if fitting().next().is_none() {
            break;
        }
        let mut listed = fitting().filter_map(|k| k.1).peekable();
        if listed.peek().is_some() && !known.is_empty() {
            match listed.any(|line| known.contains(&line)) {
                true => lines.0 += 1,
                false => lines.1 += 1,
            }
        }
        at += 1;
    }
    (at, lines)
}
