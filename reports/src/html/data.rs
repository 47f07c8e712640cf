//! The data blocks of the page, made of what the pass left behind.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use decoder::replay::{BlockNo, Decision, Ended, Program};
use decoder::uncaught::Outcome;
use model::map::{MethodId, SlotId, Terminator};
use serde::Serialize;
use serde_json::{Value, json};
use timetree::Stretch;

use super::Embedded;
use super::blocks;
use super::events::{Events, Window};
use super::facts::{At, Callback, Crash, Facts, Lane, Remark, Thrown, Way};
use super::names::Names;
use super::tree::{Part, Tree};
use crate::coverage::lines::{FileKey, Lines};
use crate::coverage::{self, File, Fork};
use crate::price::chance;
use crate::text::Sources;
use crate::traces::Totals;
use crate::{block_of, visible};

/// Rows of each list of surprises.
const SURPRISES: usize = 250;
/// A way is rare if the decision came at least so often.
const ENOUGH: u64 = 20;
/// And if at most one in so many went this way.
const RARE: u64 = 4;
/// Callbacks in the list of the longest ones.
const LONGEST: usize = 12;
/// Methods left alone, and problems, that are listed.
const LISTED: usize = 20_000;
/// Bytes of packed source text; further files are shown without text.
const TEXT: usize = 4_000_000;

/// What is shown.
pub(super) struct Input<'a, 'p, 'm> {
    pub program: &'p Program<'m>,
    pub tree: &'a Tree,
    pub facts: &'a Facts<'p, 'm>,
    pub totals: Totals,
    pub problems: &'a [String],
    pub sources: Option<&'a Sources>,
}

/// Writes all blocks.
///
/// # Errors
/// Those of the output.
pub(super) fn write(out: &mut impl Write, input: &Input<'_, '_, '_>) -> io::Result<Embedded> {
    let facts = input.facts;
    let mut names = Names::new(input.program, facts.counts.calls());
    let tree = tree(input, &mut names);
    let (files, covered, embedded) = files(out, input, &mut names)?;
    let mut first = 0;
    for (id, m) in (1..).map(MethodId).zip(&input.program.map.methods) {
        if facts.counts.calls()[id.0 as usize - 1] > 0 {
            names.blocks_of(id, first);
        }
        first += m.blocks.len() as u32;
    }
    let mut put = |name, value: &dyn erased::Value| blocks::write(out, name, &value.packed()?);
    put("tree", &tree)?;
    put("source", &files)?;
    put("callbacks", &callbacks(facts, &mut names))?;
    put("intervals", &intervals(input.tree))?;
    put("paths", &Paths { events: Events(&facts.kept.events), tails: tails(facts) })?;
    put("exceptions", &exceptions(facts, &mut names))?;
    put("surprises", &surprises(input, &mut names))?;
    put("exact", &exact(input, &mut names))?;
    put("names", &names.tables())?;
    put("main", &main(input, covered))?;
    Ok(embedded)
}

/// Values of several types in one closure.
mod erased {
    use super::{Serialize, blocks, io};

    pub trait Value {
        fn packed(&self) -> io::Result<String>;
    }

    impl<T: Serialize> Value for T {
        fn packed(&self) -> io::Result<String> {
            blocks::packed(self)
        }
    }
}

fn shown(text: &str) -> String {
    visible(text).into_owned()
}

fn main(input: &Input<'_, '_, '_>, covered: Covered) -> Value {
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
        })
    });
    json!({
        "v": 1, "package": shown(&map.package), "build": map.build.to_string(),
        "methods": map.methods.len(), "ran": facts.counts.calls().iter().filter(|&&n| n > 0).count(),
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
        "trained": is_trained(input.program),
    })
}

/// Whether a branch has alternatives that are not equally likely: a model made them so.
fn is_trained(program: &Program<'_>) -> bool {
    program.map.methods.iter().flat_map(|m| &m.blocks).any(|b| match &b.terminator {
        Terminator::Branch { alternatives, .. } => {
            let freqs = || alternatives.iter().map(|a| a.1);
            freqs().max() > freqs().min().map(|least| least.saturating_add(1))
        }
        Terminator::Return | Terminator::Throw | Terminator::Goto(_) => false,
    })
}

/// The tree in columns: nodes with their parents first.
fn tree(input: &Input<'_, '_, '_>, names: &mut Names<'_, '_>) -> Value {
    let tree = input.tree;
    let methods = input.program.map.methods.len() as u32;
    let part = |names: &mut Names<'_, '_>, part| match part {
        Part::Frame(f) if f.0 < methods => i64::from(names.method(MethodId(f.0 + 1))),
        Part::Frame(f) => i64::from(names.source(f.0 - methods)),
        Part::Other => -1,
        Part::Thread(t) => -2 - i64::from(t),
    };
    let nodes = &tree.nodes;
    let parents: Vec<i64> = nodes.iter().map(|n| n.parent.map_or(-1, i64::from)).collect();
    let parts: Vec<i64> = nodes.iter().map(|n| part(names, n.part)).collect();
    let threads: Vec<_> = tree.threads.iter().map(|(p, t)| (shown(p), shown(t))).collect();
    json!({
        "parent": parents, "part": parts,
        "self": nodes.iter().map(|n| n.steps).collect::<Vec<_>>(),
        "us": (input.facts.tick_us > 0).then(|| nodes.iter().map(|n| n.ns / 1000).collect::<Vec<_>>()),
        "calls": nodes.iter().map(|n| n.calls).collect::<Vec<_>>(),
        "threads": threads,
    })
}

/// Callbacks in columns, lane by lane. `path` has begin and end of the kept events, 1 more if that
/// is all of them: three numbers each.
#[derive(Serialize)]
struct Callbacks {
    lanes: Vec<Columns>,
    longest: Vec<(u32, u64)>,
}

#[derive(Serialize)]
struct Columns {
    m: Vec<u32>,
    /// Ms since the callback before.
    t: Vec<u32>,
    /// How long each took, in µs; null where the log does not tell. Absent if no log of these does.
    #[serde(skip_serializing_if = "Option::is_none")]
    us: Option<Vec<Option<u32>>>,
    steps: Vec<u64>,
    path: Vec<u32>,
}

/// Time in µs, where it is known, and steps.
type Length = (Option<u32>, u64);

fn callbacks(facts: &Facts<'_, '_>, names: &mut Names<'_, '_>) -> Callbacks {
    // Of each method its longest callback, the first of equal ones: by time, where it is measured.
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
            path: all
                .iter()
                .take_while(|c| c.path.to > 0)
                .flat_map(|c| [c.path.from, c.path.to, u32::from(c.whole)])
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

/// Per lane what ran when: the stretches' first and last times, each since the time before, in µs
/// since the process began; per stretch nodes of the tree, each since the one before, and steps.
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
    let lane = |stretches: Vec<Stretch>| {
        let mut before = 0;
        let mut since = |time: u64| time - std::mem::replace(&mut before, time);
        let t = stretches.iter().flat_map(|s| [s.first, s.last]).map(&mut since).collect();
        let ran = |s: &Stretch| {
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
struct Paths<'a> {
    events: Events<'a>,
    /// The last events of lanes whose last path is not among the events.
    tails: BTreeMap<usize, WindowJson<'a>>,
}

#[derive(Serialize)]
struct WindowJson<'a> {
    depth: u64,
    events: Events<'a>,
}

impl<'a> From<&'a Window> for WindowJson<'a> {
    fn from(w: &'a Window) -> Self {
        WindowJson { depth: w.depth, events: Events(&w.events) }
    }
}

fn tails<'a>(facts: &'a Facts<'_, '_>) -> BTreeMap<usize, WindowJson<'a>> {
    let lanes = facts.lanes.iter().enumerate();
    lanes.filter_map(|(i, l)| Some((i, l.tail.as_ref()?.into()))).collect()
}

fn at(at: At) -> (u32, u64) {
    (at.lane, at.callback)
}

#[derive(Serialize)]
struct Exception<'a> {
    from: Vec<u32>,
    to: Option<u32>,
    n: u64,
    at: (u32, u64),
    ended: Vec<u32>,
    dropped: usize,
    /// Whether its thread ended by it.
    last: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<WindowJson<'a>>,
}

#[derive(Serialize)]
struct Exceptions<'a> {
    all: Vec<Exception<'a>>,
    more: u64,
}

fn exceptions<'a>(facts: &'a Facts<'_, '_>, names: &mut Names<'_, '_>) -> Exceptions<'a> {
    let mut crashes = facts.crashes();
    let mut all: Vec<(&Thrown, Option<Crash<'_>>)> =
        facts.thrown.iter().enumerate().map(|(i, t)| (t, crashes.remove(&i))).collect();
    all.sort_by_key(|(t, crash)| {
        let outcome = crash.as_ref().map(|c| c.outcome);
        (Reverse(outcome), t.to.is_some(), Reverse(t.count))
    });
    let all = all.into_iter().map(|(t, crash)| {
        t.from.iter().chain(&t.to).for_each(|&b| {
            names.block(b);
        });
        let window = crash.as_ref().and_then(|c| c.window).or(t.window.as_ref());
        Exception {
            from: t.from.iter().map(|b| b.0).collect(),
            to: t.to.map(|b| b.0),
            n: t.count,
            at: at(crash.as_ref().map_or(t.first, |c| c.at)),
            ended: t.ended.iter().map(|&m| names.method(m)).collect(),
            dropped: t.dropped,
            last: crash.map(|c| match c.outcome {
                Outcome::Ended => "ended",
                Outcome::Open | Outcome::Kept => "open",
            }),
            window: window.map(WindowJson::from),
        }
    });
    Exceptions { all: all.collect(), more: facts.more_thrown }
}

/// A way that a decision took.
struct Taken {
    what: Decision,
    way: usize,
    taken: Way,
    all: u64,
    bits: f64,
    once: u64,
}

fn surprises(input: &Input<'_, '_, '_>, names: &mut Names<'_, '_>) -> Value {
    let (program, facts) = (input.program, input.facts);
    let mut all: Vec<Taken> = Vec::new();
    let mut decision = |what, ways: &[Way]| {
        let sum = ways.iter().fold(0, |sum: u64, w| sum.saturating_add(w.count));
        for (way, taken) in ways.iter().enumerate().filter(|(_, w)| w.count > 0) {
            if let Some(price) = chance(program, what, way) {
                let (bits, once) = (price.bits(), price.once_in());
                all.push(Taken { what, way, taken: *taken, all: sum, bits, once });
            }
        }
    };
    let blocks = input.program.map.methods.iter().flat_map(|m| &m.blocks);
    for (number, _) in (0..).map(BlockNo).zip(blocks) {
        let Some(first) = facts.counts.first_way(number) else { continue };
        let counts = facts.counts.ways_of(number).iter().zip(&facts.firsts[first..]);
        let ways: Vec<Way> = counts.map(|(&count, &first)| Way { count, first }).collect();
        decision(Decision::Branch(number), &ways);
    }
    for (number, ways) in (0..).map(SlotId).zip(&facts.slots) {
        decision(Decision::Slot(number), ways);
    }
    for (number, ways) in (0..).map(SlotId).zip(&facts.next_callbacks) {
        decision(Decision::NextCallback(number), ways);
    }
    all.sort_by(|a, b| b.bits.total_cmp(&a.bits).then(a.taken.count.cmp(&b.taken.count)));
    let dear: Vec<Value> = all
        .iter()
        .filter(|t| t.bits > 1.0)
        .take(SURPRISES)
        .map(|t| surprise(input, names, t))
        .collect();
    let share = |t: &Taken| t.taken.count as f64 / t.all as f64;
    all.retain(|t| t.all >= ENOUGH && t.taken.count <= t.all / RARE);
    all.sort_by(|a, b| share(a).total_cmp(&share(b)).then(b.all.cmp(&a.all)));
    let rare: Vec<Value> = all.iter().take(SURPRISES).map(|t| surprise(input, names, t)).collect();
    json!({ "dear": dear, "rare": rare })
}

fn surprise(input: &Input<'_, '_, '_>, names: &mut Names<'_, '_>, t: &Taken) -> Value {
    let map = input.program.map;
    let mut row = json!({
        "n": t.taken.count, "all": t.all, "bits": (t.bits * 100.0).round() / 100.0,
        "once": t.once, "at": at(t.taken.first),
    });
    let callee = |names: &mut Names<'_, '_>, slot: SlotId| {
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

fn exact(input: &Input<'_, '_, '_>, names: &mut Names<'_, '_>) -> Value {
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

/// Lines, branches and methods of the source: how many ran, and how many there are.
type Covered = [(u64, u64); 3];

/// Writes a block for each file that ran. Gives the list of them, the sums of all files, and the
/// size of the text that the blocks contain.
fn files(
    out: &mut impl Write,
    input: &Input<'_, '_, '_>,
    names: &mut Names<'_, '_>,
) -> io::Result<(Vec<Value>, Covered, Embedded)> {
    let (mut list, mut covered) = (Vec::new(), Covered::default());
    let mut embedded = Embedded::default();
    let mut packed = 0;
    let counts = &input.facts.counts;
    for (key, lines) in Lines::of(input.program, counts) {
        let mut file = coverage::file(input.program, counts, &key, &lines);
        let last = input.sources.and_then(|s| s.last_line(&key.package, &key.name));
        if let (Some(file), Some(last)) = (&mut file, last) {
            file.cut(last);
        }
        let of_file = file.as_ref().map(File::covered).unwrap_or_default();
        for ((ran, all), (more, of)) in covered.iter_mut().zip(of_file) {
            (*ran, *all) = (*ran + more, *all + of);
        }
        if !lines.ran {
            continue;
        }
        let method = |(&m, &line)| (names.method(MethodId(m as u32 + 1)), line);
        let mut methods: Vec<_> = lines.methods.iter().map(method).collect();
        methods.extend(lines.inlined.iter().map(|&s| (names.source(s), 0)));
        let of_lines = file.iter().flat_map(|f| &f.lines);
        let hits: Vec<(u32, u64)> = of_lines.map(|(&n, of)| (n, of.line.hits)).collect();
        let has_room = packed < TEXT && !hits.is_empty();
        let text = input.sources.filter(|_| has_room).and_then(|s| text(s, &key));
        let [(ran, all), ..] = of_file;
        let number = list.len();
        list.push(json!({
            "package": shown(&key.package.replace('/', ".")), "name": shown(&key.name),
            "lines": all, "ran": ran, "methods": methods,
            "text": text.is_some(), "bytes": text.as_deref().map_or(0, embedded_bytes),
        }));
        if let Some(text) = &text {
            embedded.files += 1;
            embedded.bytes += embedded_bytes(text);
        }
        let branches = file.map_or_else(Vec::new, |f| branches(&f, names));
        let block = json!({ "text": text, "hits": hits, "branches": branches });
        let text = blocks::packed(&block)?;
        packed += text.len();
        blocks::write(out, &format!("source-{number}"), &text)?;
    }
    Ok((list, covered, embedded))
}

/// Bytes of a text whose lines these are.
fn embedded_bytes(lines: &[String]) -> u64 {
    lines.iter().map(|line| line.len() as u64 + 1).sum()
}

/// The lines of a source file, without characters that change the order of what is read.
fn text(sources: &Sources, key: &FileKey) -> Option<Vec<String>> {
    let file = sources.file(&key.package, &key.name)?;
    Some(
        file.text().lines().map(|line| visible(&line.replace('\t', "    ")).into_owned()).collect(),
    )
}

fn branches(file: &File, names: &mut Names<'_, '_>) -> Vec<Value> {
    let forks =
        file.lines.iter().flat_map(|(&line, of)| of.branches.iter().map(move |f| (line, f)));
    let mut all: Vec<_> = forks.collect();
    all.sort_by_key(|(line, fork)| (*line, fork.block));
    let branch = |(line, fork): (u32, &Fork)| {
        let taken = fork.blocks.iter().zip(&fork.taken);
        let taken: Vec<_> = taken.map(|(&(block, freq), &n)| (block, n, freq)).collect();
        json!([line, names.block(fork.block), taken])
    };
    all.into_iter().map(branch).collect()
}
