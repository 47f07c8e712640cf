//! The data blocks of the page, built from the results of the pass.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use decoder::replay::{BlockNo, Decision, Ended, Program};
use decoder::uncaught::ExceptionOutcome;
use model::map::{CodeOrigin, MethodId, SlotId, Terminator};
use serde::Serialize;
use serde_json::{Value, json};
use timetree::TimeSlice;

use super::blocks;
use super::events::{Events, LastEvents};
use super::facts::{AlternativeUse, Callback, CallbackRef, Crash, Facts, Lane, Remark, Thrown};
use super::names::NameTables;
use super::tree::{NodeShare, Tree};
use super::{Embedded, PageOptions};
use crate::base::escape::visible;
use crate::base::exit::{ExitGrade, exit_words};
use crate::base::names::{block_of, origins};
use crate::base::price::{chance, has_model};
use crate::base::sources::Sources;
use crate::crash::Stack;
use crate::crash::stack::StackKind;
use crate::export::coverage::lines::{FileKey, FileLines, Lines};
use crate::export::coverage::{self, CoveredFile, Fork};
use crate::frames::Totals;
use crate::frames::call_tree::Callee;

/// Rows in each list of surprises.
const SURPRISES: usize = 250;
/// Minimum number of times that a decision was made for one of its alternatives to count as rare.
const ENOUGH: u64 = 20;
/// An alternative is rare if its share of the decisions is at most 1 in `RARE`.
const RARE: u64 = 4;
/// Number of callbacks in the list of the longest ones.
const LONGEST: usize = 12;
/// Maximum number of listed methods without instrumentation, and of listed problems.
const LISTED: usize = 20_000;
/// Bytes of the page besides its data blocks: more than its styles and scripts have.
const SCRIPTS_SIZE: usize = 200_000;
/// Bytes of packed source text in the page; files beyond it are shown without text.
const TEXT: usize = 4_000_000;

/// Input of the page's data blocks.
pub(super) struct Input<'a, 'p, 'm> {
    pub program: &'p Program<'m>,
    pub tree: &'a Tree,
    pub facts: &'a Facts<'p, 'm>,
    pub options: &'a PageOptions,
    pub totals: Totals,
    pub problems: &'a [String],
    pub sources: Option<&'a Sources>,
}

/// Writes all blocks.
///
/// # Errors
/// Errors of the output.
pub(super) fn write(out: &mut impl Write, input: &Input<'_, '_, '_>) -> io::Result<Embedded> {
    let facts = input.facts;
    let mut names = NameTables::new(input.program, facts.counts.calls(), &input.options.own);
    let tree = tree(input, &mut names);
    let (files, covered, embedded, packed_sources) = files(out, input, &mut names)?;
    let mut first = 0;
    for (id, m) in (1..).map(MethodId).zip(&input.program.map.methods) {
        if facts.counts.calls()[id.0 as usize - 1] > 0 {
            names.blocks_of(id, first);
        }
        first += m.blocks.len() as u32;
    }
    let mut size = SCRIPTS_SIZE + packed_sources;
    let mut put = |out: &mut _, name, value: &dyn erased::Pack| {
        let text = value.packed()?;
        size += text.len();
        blocks::write(out, name, &text)
    };
    put(out, "tree", &tree)?;
    put(out, "source", &files)?;
    put(out, "callbacks", &callbacks(facts, &mut names))?;
    put(out, "intervals", &intervals(input.tree))?;
    put(out, "exceptions", &exceptions(input, &mut names))?;
    put(out, "surprises", &surprises(input, &mut names))?;
    put(out, "exact", &exact(input, &mut names))?;
    put(out, "names", &names.tables())?;
    let paths = facts.kept.fitting(input.options.size.saturating_sub(size));
    let index = PathsJson { chunks: paths.index(), tails: tails(facts) };
    blocks::write(out, "paths", &blocks::packed(&index)?)?;
    paths.write(out)?;
    let main = main(input, covered, paths.callbacks());
    blocks::write(out, "main", &blocks::packed(&main)?)?;
    Ok(embedded)
}

/// Object-safe serialization, so that one closure can write values of several types.
mod erased {
    use super::{Serialize, blocks, io};

    pub trait Pack {
        fn packed(&self) -> io::Result<String>;
    }

    impl<T: Serialize> Pack for T {
        fn packed(&self) -> io::Result<String> {
            blocks::packed(self)
        }
    }
}

fn shown(text: &str) -> String {
    visible(text).into_owned()
}

fn main(input: &Input<'_, '_, '_>, covered: Covered, paths: u64) -> Value {
    let (facts, map) = (input.facts, input.program.map);
    let Totals { threads, callbacks, calls, inlined, exceptions, steps, doubtful } = input.totals;
    let lane = |l: &Lane| {
        let ended = match l.ended {
            Some(Ended::Clean) => "clean",
            Some(Ended::Stopped) => "stopped",
            Some(Ended::Cut) => "cut",
            Some(Ended::Unknown) | None => "unknown",
        };
        json!({
            "p": l.process, "n": l.number, "name": l.name.as_deref().map(shown),
            "callbacks": l.count, "ended": ended, "proven": l.totals.proven,
            "unproven": l.totals.unproven, "faulty": l.totals.faulty,
            "missing": l.totals.missing_slabs,
        })
    };
    let processes = facts.processes.iter().map(|p| {
        let files: Vec<String> = p.files.iter().map(|f| shown(f)).collect();
        json!({
            "name": shown(&p.name), "pid": p.pid, "start": p.start_ms, "files": files,
            "refused": p.refused, "cut": p.cut,
            "exit": p.exit.as_ref().map(|exit| json!({
                "short": exit.to_string(), "words": exit_words(exit),
                "grade": match ExitGrade::of(exit.reason) {
                    ExitGrade::Failed => "bad",
                    ExitGrade::Killed => "warn",
                    ExitGrade::Wanted => "good",
                },
            })),
        })
    });
    let ran = facts.counts.calls().iter().filter(|&&n| n > 0).count();
    json!({
        "v": 1, "package": shown(&map.package), "build": map.build.to_string(),
        "methods": map.methods.len(), "ran": ran,
        "coverage": covered,
        "skipped": map.skipped.len(),
        "totals": {
            "processes": facts.processes.len(), "threads": threads, "callbacks": callbacks,
            "calls": calls, "inlined": inlined, "exceptions": exceptions, "steps": steps,
            "doubtful": doubtful, "decisions": facts.decisions(),
        },
        "processes": processes.collect::<Vec<_>>(),
        "lanes": facts.lanes.iter().map(lane).collect::<Vec<_>>(),
        "problems": input.problems.len(),
        "sources": input.sources.is_some(), "tick": facts.tick_us,
        "trained": has_model(input.program.map),
        "map": shown(&input.options.map),
        "paths": paths,
    })
}

/// Returns the tree in columns; parents come before their children.
fn tree(input: &Input<'_, '_, '_>, names: &mut NameTables<'_, '_>) -> Value {
    let tree = input.tree;
    let methods = input.program.map.methods.len() as u32;
    let callee = |names: &mut NameTables<'_, '_>, callee| match callee {
        Callee::Frame(f) if f.0 < methods => i64::from(names.method(MethodId(f.0 + 1))),
        Callee::Frame(f) => i64::from(names.source(f.0 - methods)),
        Callee::Other => -1,
        Callee::Named(thread) => -2 - i64::from(thread),
    };
    let nodes = tree.calls.nodes();
    let parents: Vec<i64> = nodes.iter().map(|n| n.parent.map_or(-1, i64::from)).collect();
    let numbers = 0..nodes.len() as u32;
    let parts: Vec<i64> = numbers.map(|n| callee(names, tree.calls.callee(n))).collect();
    let threads: Vec<_> = tree.threads.iter().map(|(p, t)| (shown(p), shown(t))).collect();
    let in_us = || nodes.iter().map(|n| n.value.ns / 1000).collect::<Vec<_>>();
    let us = (input.facts.tick_us > 0).then(in_us);
    json!({
        "parent": parents, "part": parts,
        "self": nodes.iter().map(|n| n.value.steps).collect::<Vec<_>>(),
        "us": us,
        "calls": nodes.iter().map(|n| n.value.calls).collect::<Vec<_>>(),
        "threads": threads,
        "by": by_process(input),
    })
}

/// Sums of the tree per process, as columns: nodes, each since the one before, steps, calls and µs.
/// Nothing for a single process, and if there are too many sums.
fn by_process(input: &Input<'_, '_, '_>) -> Option<Vec<Value>> {
    let sums = &input.tree.sums;
    if sums.is_full || sums.processes.len() < 2 {
        return None;
    }
    let columns = |shares: &Vec<NodeShare>| {
        let mut before = 0;
        let since = |s: &NodeShare| s.node - std::mem::replace(&mut before, s.node);
        let nodes: Vec<u32> = shares.iter().map(since).collect();
        let column = |of: fn(&NodeShare) -> u64| shares.iter().map(of).collect::<Vec<_>>();
        json!({
            "n": nodes, "s": column(|s| s.steps), "c": column(|s| s.calls),
            "u": (input.facts.tick_us > 0).then(|| column(|s| s.ns / 1000)),
        })
    };
    Some(sums.processes.iter().map(columns).collect())
}

/// Callbacks in columns, lane by lane.
#[derive(Serialize)]
struct Callbacks {
    lanes: Vec<Columns>,
    longest: Vec<(u32, u64)>,
}

#[derive(Serialize)]
struct Columns {
    m: Vec<u32>,
    /// Milliseconds since the start of the previous callback.
    t: Vec<u32>,
    /// Durations in µs; null where the log has no clock reading. Absent if no log measures
    /// durations.
    #[serde(skip_serializing_if = "Option::is_none")]
    us: Option<Vec<Option<u32>>>,
    steps: Vec<u64>,
    /// Origins of callbacks, each with the index of its callback. Absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    from: Vec<(u32, String)>,
}

/// Duration in µs, if measured, and number of blocks.
type Length = (Option<u32>, u64);

fn callbacks(facts: &Facts<'_, '_>, names: &mut NameTables<'_, '_>) -> Callbacks {
    // Keeps each method's longest callback (the first of equal ones), by duration where measured.
    let length = |c: &Callback| (c.took_us(), c.steps);
    let mut longest: HashMap<MethodId, (Length, u32, u64)> = HashMap::new();
    let mut lanes = Vec::new();
    for (number, lane) in (0..).zip(&facts.lanes) {
        let all = &lane.callbacks;
        let mut before = 0;
        let since = |start: u32| start.saturating_sub(std::mem::replace(&mut before, start));
        lanes.push(Columns {
            m: all.iter().map(|c| names.method(c.method)).collect(),
            t: all.iter().map(|c| c.start).map(since).collect(),
            us: (facts.tick_us > 0).then(|| all.iter().map(Callback::took_us).collect()),
            steps: all.iter().map(|c| c.steps).collect(),
            from: lane
                .origins
                .chunk_by(|a, b| a.0 == b.0)
                .map(|of| (of[0].0, origins(facts.program.map, of.iter().map(|o| o.1))))
                .collect(),
        });
        for (n, c) in (1..).zip(all) {
            let most = longest.entry(c.method).or_insert((length(c), number, n));
            if length(c) > most.0 {
                *most = (length(c), number, n);
            }
        }
    }
    let mut longest: Vec<_> = longest.into_values().collect();
    longest.sort_by(|a, b| b.0.cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    longest.truncate(LONGEST);
    Callbacks { lanes, longest: longest.into_iter().map(|(_, lane, n)| (lane, n)).collect() }
}

/// Blocks run over time, per lane. `t` has the first and last time of each time slice, each as the
/// difference to the time before, in µs since the process began. `ran` has, for each slice, pairs
/// of a node of the tree (as the difference to the node before) and its blocks.
#[derive(Serialize)]
struct Intervals {
    lanes: Vec<IntervalsOfLane>,
}

#[derive(Serialize)]
struct IntervalsOfLane {
    t: Vec<u64>,
    ran: Vec<Vec<u64>>,
}

fn intervals(tree: &Tree) -> Intervals {
    let lane = |stretches: Vec<TimeSlice>| {
        let mut before = 0;
        let mut since = |time: u64| time - std::mem::replace(&mut before, time);
        let t = stretches.iter().flat_map(|s| [s.first, s.last]).map(&mut since).collect();
        let ran = |s: &TimeSlice| {
            let mut before = 0;
            let pair = |&(node, steps): &(u32, u64)| {
                [u64::from(node - std::mem::replace(&mut before, node)), steps]
            };
            s.weights.iter().flat_map(pair).collect()
        };
        IntervalsOfLane { t, ran: stretches.iter().map(ran).collect() }
    };
    Intervals { lanes: tree.when.threads().map(lane).collect() }
}

#[derive(Serialize)]
struct PathsJson<'a> {
    /// Per chunk of paths the lane, the first and the last callback of each of its runs.
    chunks: Vec<Vec<u64>>,
    /// The last events of lanes whose last path is not kept whole.
    tails: BTreeMap<usize, LastEventsJson<'a>>,
}

#[derive(Serialize)]
struct LastEventsJson<'a> {
    depth: u64,
    events: Events<'a>,
}

impl<'a> From<&'a LastEvents> for LastEventsJson<'a> {
    fn from(w: &'a LastEvents) -> Self {
        LastEventsJson { depth: w.depth, events: Events(&w.events) }
    }
}

fn tails<'a>(facts: &'a Facts<'_, '_>) -> BTreeMap<usize, LastEventsJson<'a>> {
    let lanes = facts.lanes.iter().enumerate();
    lanes.filter_map(|(i, l)| Some((i, l.tail.as_ref()?.into()))).collect()
}

fn at(at: CallbackRef) -> (u32, u64) {
    (at.lane, at.callback)
}

#[derive(Serialize)]
struct Exception<'a> {
    from: Vec<u32>,
    /// For each of `from`, the line entries that can have thrown; null for all.
    lines: &'a [Option<Vec<usize>>],
    to: Option<u32>,
    n: u64,
    at: (u32, u64),
    ended: Vec<u32>,
    dropped: usize,
    /// `ended` if the exception ended its thread, `open` if it may have, else absent.
    last: Option<&'static str>,
    /// Per process that it was thrown in: the process, how often, lane and callback of the last
    /// time.
    by: Vec<(u32, u64, u32, u64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<LastEventsJson<'a>>,
}

#[derive(Serialize)]
struct Exceptions<'a> {
    all: Vec<Exception<'a>>,
    more: u64,
    /// Exceptions that ended a thread, or may have: the process, the index in `all`, lane and
    /// callback, and true if it ended the thread for certain.
    ends: Vec<(usize, usize, u32, u64, bool)>,
    stacks: Vec<Value>,
}

/// Frames of a stack trace in the page.
const FRAMES: usize = 64;

/// The exceptions of stack traces: type, message, and class, method and line of their frames.
fn stacks(stacks: &[Stack]) -> Vec<Value> {
    let all = stacks.iter().filter(|s| s.kind == StackKind::Exception).flat_map(|s| &s.throwables);
    all.map(|t| {
        let frames = t.frames.iter().take(FRAMES);
        let frames: Vec<_> =
            frames.map(|f| (shown(&f.class), shown(&f.method), f.line.unwrap_or(0))).collect();
        json!({
            "type": shown(&t.class), "message": t.message.as_deref().map(shown), "frames": frames,
        })
    })
    .collect()
}

fn exceptions<'a>(input: &Input<'a, '_, '_>, names: &mut NameTables<'_, '_>) -> Exceptions<'a> {
    let facts = input.facts;
    let mut crashes = facts.crashes();
    let mut all: Vec<(usize, &Thrown, Option<Crash<'_>>)> =
        facts.thrown.iter().enumerate().map(|(i, t)| (i, t, crashes.remove(&i))).collect();
    all.sort_by_key(|(_, t, crash)| {
        let outcome = crash.as_ref().map(|c| c.outcome);
        (Reverse(outcome), t.to.is_some(), Reverse(t.count))
    });
    let position: HashMap<usize, usize> =
        all.iter().enumerate().map(|(position, (i, ..))| (*i, position)).collect();
    let ends = facts.ended_threads().into_iter().map(|(process, thrown, at, is_certain)| {
        (process, position[&thrown], at.lane, at.callback, is_certain)
    });
    let ends = ends.collect();
    let stacks = stacks(&input.options.stacks);
    let all = all.into_iter().map(|(_, t, crash)| {
        t.from.iter().chain(&t.to).for_each(|&b| {
            names.block(b);
        });
        let window = crash.as_ref().and_then(|c| c.window).or(t.window.as_ref());
        Exception {
            from: t.from.iter().map(|b| b.0).collect(),
            lines: &t.entries,
            to: t.to.map(|b| b.0),
            n: t.count,
            at: at(crash.as_ref().map_or(t.first, |c| c.at)),
            ended: t.ended.iter().map(|&m| names.method(m)).collect(),
            dropped: t.dropped,
            last: crash.map(|c| match c.outcome {
                ExceptionOutcome::Ended => "ended",
                ExceptionOutcome::Open | ExceptionOutcome::Kept => "open",
            }),
            by: t.by_process.iter().map(|&(p, n, at)| (p, n, at.lane, at.callback)).collect(),
            window: window.map(LastEventsJson::from),
        }
    });
    Exceptions { all: all.collect(), more: facts.more_thrown, ends, stacks }
}

/// An alternative that a decision took at least once.
struct DecisionUse {
    what: Decision,
    way: usize,
    taken: AlternativeUse,
    all: u64,
    bits: f64,
    once: u64,
}

fn surprises(input: &Input<'_, '_, '_>, names: &mut NameTables<'_, '_>) -> Value {
    let (program, facts) = (input.program, input.facts);
    let mut all: Vec<DecisionUse> = Vec::new();
    let mut decision = |what, ways: &[AlternativeUse]| {
        let sum = ways.iter().fold(0, |sum: u64, w| sum.saturating_add(w.count));
        for (way, taken) in ways.iter().enumerate().filter(|(_, w)| w.count > 0) {
            if let Some(price) = chance(program, what, way) {
                let (bits, once) = (price.bits(), price.once_in());
                all.push(DecisionUse { what, way, taken: *taken, all: sum, bits, once });
            }
        }
    };
    let blocks = input.program.map.methods.iter().flat_map(|m| &m.blocks);
    for (number, _) in (0..).map(BlockNo).zip(blocks) {
        let Some(first) = facts.counts.first_way(number) else { continue };
        let counts = facts.counts.ways_of(number).iter().zip(&facts.firsts[first..]);
        let ways: Vec<AlternativeUse> =
            counts.map(|(&count, &first)| AlternativeUse { count, first }).collect();
        decision(Decision::Branch(number), &ways);
    }
    for (number, ways) in (0..).map(SlotId).zip(&facts.slots) {
        decision(Decision::Slot(number), ways);
    }
    for (number, ways) in (0..).map(SlotId).zip(&facts.next_callbacks) {
        decision(Decision::NextCallback(number), ways);
    }
    all.sort_by(|a, b| b.bits.total_cmp(&a.bits).then(a.taken.count.cmp(&b.taken.count)));
    let costly: Vec<Value> = all
        .iter()
        .filter(|t| t.bits > 1.0)
        .take(SURPRISES)
        .map(|t| surprise(input, names, t))
        .collect();
    let share = |t: &DecisionUse| t.taken.count as f64 / t.all as f64;
    all.retain(|t| t.all >= ENOUGH && t.taken.count <= t.all / RARE);
    all.sort_by(|a, b| share(a).total_cmp(&share(b)).then(b.all.cmp(&a.all)));
    let rare: Vec<Value> = all.iter().take(SURPRISES).map(|t| surprise(input, names, t)).collect();
    json!({ "dear": costly, "rare": rare })
}

fn surprise(input: &Input<'_, '_, '_>, names: &mut NameTables<'_, '_>, t: &DecisionUse) -> Value {
    let map = input.program.map;
    let mut row = json!({
        "n": t.taken.count, "all": t.all, "bits": (t.bits * 100.0).round() / 100.0,
        "once": t.once, "at": at(t.taken.first),
    });
    let callee = |names: &mut NameTables<'_, '_>, slot: SlotId| {
        let id = t.way.checked_sub(1).and_then(|i| map.slots[slot.0 as usize].callees.get(i));
        json!(id.map(|&m| names.method(m)))
    };
    match t.what {
        Decision::Branch(block) => {
            names.block(block);
            let (_, b) = block_of(input.program, block);
            if let Terminator::Branch { alternatives, .. } = &b.terminator {
                let (_, at) = input.program.locate(block);
                row["from"] = json!(block.0);
                row["to"] = json!(block.0 - at as u32 + alternatives[t.way].0.0);
            }
        }
        Decision::Slot(slot) => {
            row["site"] = json!(shown(map.name(map.slots[slot.0 as usize].site)));
            row["callee"] = callee(names, slot);
        }
        Decision::NextCallback(slot) => {
            let after = map.next_callbacks.iter().find(|(_, s)| *s == slot);
            row["after"] = json!(after.map(|&(m, _)| names.method(m)));
            row["next"] = callee(names, slot);
        }
    }
    row
}

fn exact(input: &Input<'_, '_, '_>, names: &mut NameTables<'_, '_>) -> Value {
    let (facts, map) = (input.facts, input.program.map);
    let remarks = (0..).zip(&facts.lanes).flat_map(|(number, lane): (u32, &Lane)| {
        lane.remarks.iter().map(move |(callback, remark)| {
            let (kind, text) = match remark {
                Remark::Missing(text) => ("missing", text),
                Remark::Refused(text) => ("refused", text),
                Remark::Doubt(text) => ("doubt", text),
            };
            json!([number, callback, kind, text])
        })
    });
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for s in &map.skipped {
        *reasons.entry(&s.reason).or_default() += 1;
    }
    let numbers: BTreeMap<&str, usize> = reasons.keys().copied().zip(0..).collect();
    let skipped: Vec<_> = map
        .skipped
        .iter()
        .take(LISTED)
        .map(|s| (shown(&s.method), numbers[s.reason.as_str()]))
        .collect();
    let mut doubtful: Vec<_> = facts.doubtful.iter().map(|(&m, &n)| (m, n)).collect();
    doubtful.sort_by_key(|d| d.0);
    let doubtful: Vec<_> = doubtful.into_iter().map(|(m, n)| (names.method(m), n)).collect();
    json!({
        "problems": input.problems.iter().take(LISTED).map(|p| shown(p)).collect::<Vec<_>>(),
        "remarks": remarks.collect::<Vec<_>>(),
        "more": facts.lanes.iter().map(|l| l.more_remarks).sum::<u64>(),
        "reasons": reasons.iter().map(|(r, n)| (shown(r), *n)).collect::<Vec<_>>(),
        "skipped": skipped, "doubtful": doubtful,
    })
}

/// Lines, branches and methods of the source: number that ran, total number.
type Covered = [(u64, u64); 3];

/// Writes a block for each file that ran. Returns the list of these files, the sums over all files,
/// and the size of the embedded text.
fn files(
    out: &mut impl Write,
    input: &Input<'_, '_, '_>,
    names: &mut NameTables<'_, '_>,
) -> io::Result<(Vec<Value>, Covered, Embedded, usize)> {
    let (mut written, mut covered) = (WrittenFiles::default(), Covered::default());
    let counts = &input.facts.counts;
    for (key, lines) in Lines::of(input.program, counts) {
        let mut file = coverage::file(input.program, counts, &key, &lines);
        let last = input.sources.and_then(|s| s.last_line(&key.package, &key.name));
        if let (Some(file), Some(last)) = (&mut file, last) {
            file.cut(last);
        }
        let of_file = file.as_ref().map(CoveredFile::covered).unwrap_or_default();
        for ((ran, all), (more, of)) in covered.iter_mut().zip(of_file) {
            (*ran, *all) = (*ran + more, *all + of);
        }
        if !lines.ran {
            continue;
        }
        if !has_no_name(&key.name) {
            written.write(out, input, names, (&key, &key.name), &lines, file)?;
            continue;
        }
        for (class, lines) in lines.by_class(input.program, counts) {
            if lines.ran {
                let file = coverage::file(input.program, counts, &key, &lines);
                written.write(out, input, names, (&key, &class), &lines, file)?;
            }
        }
    }
    Ok((written.list, covered, written.embedded, written.packed))
}

/// Returns true for file names that R8 gives to all classes.
fn has_no_name(file: &str) -> bool {
    file == "SourceFile" || file.starts_with("r8-map-id-")
}

/// Source files that were written to the page.
#[derive(Default)]
struct WrittenFiles {
    list: Vec<Value>,
    embedded: Embedded,
    /// Bytes of their blocks.
    packed: usize,
}

impl WrittenFiles {
    /// Writes the block of a file, or of a class of a file without a name.
    fn write(
        &mut self,
        out: &mut impl Write,
        input: &Input<'_, '_, '_>,
        names: &mut NameTables<'_, '_>,
        (key, name): (&FileKey, &str),
        lines: &FileLines,
        file: Option<CoveredFile>,
    ) -> io::Result<()> {
        let method = |(&m, &line)| (names.method(MethodId(m as u32 + 1)), line);
        let mut methods: Vec<_> = lines.methods.iter().map(method).collect();
        methods.extend(lines.inlined.iter().map(|&s| (names.source(s), 0)));
        let of_lines = file.iter().flat_map(|f| &f.lines);
        let hits: Vec<(u32, u64)> = of_lines.map(|(&n, of)| (n, of.line.hits)).collect();
        let has_room = self.packed < TEXT && !hits.is_empty();
        let text = input.sources.filter(|_| has_room).and_then(|s| text(s, key));
        let number = self.list.len();
        let [(ran, all), ..] = file.as_ref().map(CoveredFile::covered).unwrap_or_default();
        self.list.push(json!({
            "package": shown(&key.package.replace('/', ".")),
            "name": shown(name), "file": shown(&key.name),
            "lines": all, "ran": ran, "methods": methods,
            "text": text.is_some(), "bytes": text.as_deref().map_or(0, embedded_bytes),
        }));
        if let Some(text) = &text {
            self.embedded.files += 1;
            self.embedded.bytes += embedded_bytes(text);
        }
        let branches = file.map_or_else(Vec::new, |f| branches(&f, input.program, names));
        let block = json!({ "text": text, "hits": hits, "branches": branches });
        let text = blocks::packed(&block)?;
        self.packed += text.len();
        blocks::write(out, &format!("source-{number}"), &text)
    }
}

/// Returns the size in bytes of a text with these lines.
fn embedded_bytes(lines: &[String]) -> u64 {
    lines.iter().map(|line| line.len() as u64 + 1).sum()
}

/// Returns the lines of a source file, with characters that reorder text made visible.
fn text(sources: &Sources, key: &FileKey) -> Option<Vec<String>> {
    let file = sources.file(&key.package, &key.name)?;
    Some(
        file.text().lines().map(|line| visible(&line.replace('\t', "    ")).into_owned()).collect(),
    )
}

/// Blocks without lines that are followed to one that has some.
const FOLLOWED: usize = 16;

/// Stands for the end of a direction that returns or throws without a line.
const RETURNS: i64 = -1;
const THROWS: i64 = -2;

/// Returns where a direction without lines of its own leads: the next block that has one, by
/// blocks that have one successor, or [`RETURNS`] or [`THROWS`]. Returns 0 if the block has a line,
/// or if several blocks may follow.
fn next_with_lines(program: &Program<'_>, block: BlockNo) -> i64 {
    let (_, at) = program.locate(block);
    let first = block.0 - at as u32;
    let mut here = block;
    for followed in 0..FOLLOWED {
        let (_, b) = block_of(program, here);
        if b.lines.iter().any(|l| l.1 != CodeOrigin::Line(0)) {
            return if followed == 0 { 0 } else { here.0.into() };
        }
        match b.terminator {
            Terminator::Goto(next) => here = BlockNo(first + next.0),
            Terminator::Return => return RETURNS,
            Terminator::Throw => return THROWS,
            Terminator::Branch { .. } => return 0,
        }
    }
    0
}

fn branches(
    file: &CoveredFile,
    program: &Program<'_>,
    names: &mut NameTables<'_, '_>,
) -> Vec<Value> {
    let forks =
        file.lines.iter().flat_map(|(&line, of)| of.branches.iter().map(move |f| (line, f)));
    let mut all: Vec<_> = forks.collect();
    all.sort_by_key(|(line, fork)| (*line, fork.block));
    let branch = |(line, fork): (u32, &Fork)| {
        let next = |block| next_with_lines(program, BlockNo(block));
        let taken = fork.blocks.iter().zip(&fork.taken);
        let taken: Vec<_> =
            taken.map(|(&(block, freq), &n)| (block, n, freq, next(block))).collect();
        json!([line, names.block(fork.block), taken])
    };
    all.into_iter().map(branch).collect()
}
