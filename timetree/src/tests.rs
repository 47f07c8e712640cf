//! Trees against a scan of all samples.

use std::collections::BTreeMap;

use mutation::Rng;

use crate::cascade::{Below, CascadeNode, CascadeOptions};
use crate::{
    Answer, Builder, ContextId, Error, Head, Index, Interval, PAGE, ROOT, Sample, ThreadOrigin,
    ThreadOutcome, TreeOptions, WeightUnit, methods, with_other_contents,
};

/// A thread's samples, the table of their contexts (callers by number), and the file.
struct Session {
    parents: Vec<u32>,
    samples: Vec<Sample>,
    file: Vec<u8>,
}

fn head() -> Head {
    Head { kind: WeightUnit::Samples, build_id: vec![1, 2, 3] }
}

fn main() -> ThreadOrigin {
    let (name, process) = ("main".into(), "app".into());
    ThreadOrigin { name, number: 1, process, pid: 77, start_ms: 1 << 40 }
}

fn session(rng: &mut Rng, n: usize, options: TreeOptions) -> Session {
    let mut builder = Builder::new(Vec::new(), &head(), options).unwrap();
    let other = builder.thread(ThreadOrigin::default());
    let thread = builder.thread(main());
    let mut parents = vec![0];
    for _ in 0..1 + rng.below(200) {
        let parent = rng.below(parents.len()) as u32;
        let id = builder.contexts().enter(ContextId(parent), rng.below(50) as u32);
        if id.0 as usize == parents.len() {
            parents.push(parent);
        }
    }
    let (mut samples, mut time) = (Vec::new(), rng.below(1000) as u64);
    let burst = rng.below(20);
    for i in 0..n {
        // Bursts at one instant, dense stretches, gaps.
        time += match rng.below(20) {
            x if x < burst => 0,
            19 => rng.below(1000) as u64,
            _ => rng.below(4) as u64,
        };
        // Few contexts are frequent.
        let most = 1 + rng.below(parents.len());
        let context = ContextId(rng.below(most) as u32);
        let weight = if rng.below(9) == 0 { rng.below(5000) as u64 } else { 1 };
        let sample = Sample { time, context, weight };
        builder.sample(thread, sample).unwrap();
        samples.push(sample);
        if i % 3 == 0 {
            builder.sample(other, Sample { weight: 1 << 40, ..sample }).unwrap();
        }
    }
    builder.ended(thread, ThreadOutcome { lost: 5, ..ThreadOutcome::default() }).unwrap();
    let names: Vec<_> = (0..50).map(|i| format!("method {i}")).collect();
    Session { parents, samples, file: builder.finish(&names).unwrap() }
}

impl Session {
    fn index(&self) -> Index<Vec<u8>> {
        Index::new(self.file.clone()).unwrap()
    }

    fn scan(&self, interval: Interval) -> BTreeMap<ContextId, u64> {
        let mut sums = BTreeMap::new();
        for s in &self.samples {
            if interval.from <= s.time && s.time < interval.to {
                *sums.entry(s.context).or_default() += s.weight;
            }
        }
        sums
    }

    /// An interval near the samples, sometimes empty or over all.
    fn interval(&self, rng: &mut Rng) -> Interval {
        let mut place = || match rng.below(10) {
            0 => 0,
            1 => u64::MAX,
            _ if self.samples.is_empty() => 7,
            _ => self.samples[rng.below(self.samples.len())].time + rng.below(2) as u64,
        };
        let (a, b) = (place(), place());
        Interval { from: a.min(b), to: a.max(b) }
    }

    fn below(&self, id: ContextId, mut of: ContextId) -> bool {
        while of > id {
            of = ContextId(self.parents[of.0 as usize]);
        }
        of == id
    }
}

fn options(rng: &mut Rng, keep: u32) -> TreeOptions {
    let leaf = [1, 2, 7, 64][rng.below(4)];
    TreeOptions { leaf, fanout: 2 + rng.below(15) as u32, keep }
}

fn own(answer: &Answer) -> BTreeMap<ContextId, u64> {
    answer.weights.iter().map(|(&id, w)| (id, w.own)).collect()
}

fn within_bounds(answer: &Answer) {
    let stats = answer.stats;
    assert!(stats.visited <= stats.most_visited(), "{stats:?}");
    assert!(stats.merged <= stats.most_merged(), "{stats:?}");
    assert!(stats.partial <= 2, "{stats:?}");
}

fn exact(seed: u64, sessions: usize, intervals: usize) {
    let mut rng = Rng::new(seed);
    for i in 0..sessions {
        let options = options(&mut rng, 10_000);
        let n = if i < 3 { i } else { rng.below(2000) };
        let session = session(&mut rng, n, options);
        let mut index = session.index();
        for _ in 0..intervals {
            let whole = session.interval(&mut rng);
            let answer = index.query(1, whole).unwrap();
            within_bounds(&answer);
            let scan = session.scan(whole);
            assert_eq!(answer.total, scan.values().sum::<u64>());
            assert_eq!(own(&answer), scan, "{options:?} {whole:?}");
            let cut = session.interval(&mut rng).from.clamp(whole.from, whole.to);
            let mut sum = own(&index.query(1, Interval { to: cut, ..whole }).unwrap());
            let later = index.query(1, Interval { from: cut, ..whole }).unwrap();
            own(&later).iter().for_each(|(&id, w)| *sum.entry(id).or_default() += w);
            assert_eq!(sum, scan);
        }
    }
}

#[test]
fn an_answer_is_what_a_scan_says_and_parts_add_up() {
    exact(1, 60, 100);
}

#[test]
#[ignore = "a million intervals: minutes"]
fn a_million_answers_are_what_a_scan_says() {
    exact(2, 1000, 1000);
}

#[test]
fn what_is_folded_stays_within_its_bounds() {
    let mut rng = Rng::new(3);
    for keep in [1, 5_000, 8_000, 9_000, 9_500, 9_900] {
        for _ in 0..15 {
            let options = options(&mut rng, keep);
            let n = rng.below(3000);
            let session = session(&mut rng, n, options);
            let mut index = session.index();
            for _ in 0..50 {
                let interval = session.interval(&mut rng);
                let answer = index.query(1, interval).unwrap();
                within_bounds(&answer);
                bounded(&session, &mut index, &answer, &session.scan(interval), keep);
            }
        }
    }
}

fn bounded(
    session: &Session,
    index: &mut Index<Vec<u8>>,
    answer: &Answer,
    scan: &BTreeMap<ContextId, u64>,
    keep: u32,
) {
    assert_eq!(answer.total, scan.values().sum::<u64>());
    let sum: u64 = answer.weights.values().map(|w| w.own + w.other).sum();
    assert_eq!(sum, answer.total);
    let less = u128::from(answer.inner) * u128::from(10_000 - keep);
    let own = own(answer);
    for (id, &truth) in scan {
        let kept = own.get(id).copied().unwrap_or(0);
        assert!(kept <= truth);
        assert!(u128::from(truth - kept) * 10_000 <= less);
    }
    for (&id, weight) in &answer.weights {
        assert!(weight.own == 0 || scan.contains_key(&id), "{id:?} did not run");
        assert!(scan.keys().any(|&of| session.below(id, of)), "{id:?} did not run");
    }
    for row in index.rows(answer).unwrap() {
        let below = scan.iter().filter(|s| session.below(row.id, *s.0));
        let truth = below.map(|s| s.1).sum::<u64>();
        assert!(row.inclusive <= truth);
        assert!(u128::from(truth - row.inclusive) * 10_000 <= less);
    }
}

#[test]
fn rows_add_up_to_the_root() {
    let mut rng = Rng::new(4);
    let session = session(&mut rng, 500, TreeOptions { leaf: 8, ..TreeOptions::default() });
    let mut index = session.index();
    let answer = index.query(1, Interval { from: 0, to: u64::MAX }).unwrap();
    let rows = index.rows(&answer).unwrap();
    assert_eq!((rows[0].id, rows[0].inclusive), (ROOT, answer.total));
    for row in &rows[1..] {
        assert!(row.parent < row.id && row.parent.0 == session.parents[row.id.0 as usize]);
    }
    assert_eq!(index.names().unwrap()[49], "method 49");
    assert_eq!(index.head(), &head());
    let thread = &index.threads()[1];
    assert_eq!((&thread.origin, thread.outcome.lost, thread.samples), (&main(), 5, 500));
}

#[test]
fn a_file_of_another_version_is_told_from_one_that_is_none() {
    let mut rng = Rng::new(9);
    let mut file = session(&mut rng, 10, TreeOptions::default()).file;
    file[4] = 2;
    assert!(matches!(Index::new(file.clone()), Err(Error::Version(2))));
    file[0] = b'Q';
    assert!(matches!(Index::new(file), Err(Error::NoTree)));
}

#[test]
fn what_is_wrong_is_refused() {
    let bad = TreeOptions { fanout: 1, ..TreeOptions::default() };
    assert!(matches!(Builder::new(Vec::new(), &head(), bad), Err(Error::Options)));
    let mut builder = Builder::new(Vec::new(), &head(), TreeOptions::default()).unwrap();
    let thread = builder.thread(main());
    let sample = Sample { time: 5, context: ROOT, weight: u64::MAX };
    builder.sample(thread, sample).unwrap();
    let mut refuse = |sample| builder.sample(thread, sample).unwrap_err();
    assert!(matches!(refuse(Sample { weight: 1, ..sample }), Error::TooHeavy));
    assert!(matches!(refuse(Sample { time: 4, ..sample }), Error::TimeRunsBack { .. }));
    assert!(matches!(refuse(Sample { context: ContextId(1), ..sample }), Error::NoContext(1)));
    let file = builder.finish::<&str>(&[]).unwrap();
    let all = Interval { from: 0, to: u64::MAX };
    let mut index = Index::new(file).unwrap();
    assert_eq!(index.query(thread, all).unwrap().total, u64::MAX);
    assert!(matches!(index.query(9, all), Err(Error::NoThread(9))));
}

#[test]
fn methods_add_up_and_recursion_counts_once() {
    // 1 calls 2, which calls 1 again; both call 3.
    let mut builder = Builder::new(Vec::new(), &head(), TreeOptions::default()).unwrap();
    let thread = builder.thread(ThreadOrigin::default());
    let outer = builder.contexts().enter(ROOT, 1);
    let middle = builder.contexts().enter(outer, 2);
    let inner = builder.contexts().enter(middle, 1);
    let (a, b) = (builder.contexts().enter(outer, 3), builder.contexts().enter(inner, 3));
    for (context, weight) in [(outer, 1), (middle, 20), (inner, 300), (a, 4_000), (b, 50_000)] {
        builder.sample(thread, Sample { time: 0, context, weight }).unwrap();
    }
    let mut index = Index::new(builder.finish::<&str>(&[]).unwrap()).unwrap();
    let answer = index.query(thread, Interval { from: 0, to: 1 }).unwrap();
    let rows = index.rows(&answer).unwrap();
    let rows: Vec<_> = methods(&rows).iter().map(|m| (m.method, m.own, m.total)).collect();
    assert_eq!(rows, [(3, 54_000, 54_000), (1, 301, 54_321), (2, 20, 50_320)]);
}

#[test]
fn rows_of_tables_are_read_by_number() {
    let mut builder = Builder::new(Vec::new(), &head(), TreeOptions::default()).unwrap();
    let thread = builder.thread(main());
    let rows: Vec<u8> = (0..200_000u32).flat_map(|n| n.to_le_bytes()).collect();
    builder.table(Some(thread), 3, 4);
    rows.chunks(4_000).for_each(|rows| builder.rows(rows).unwrap());
    builder.table(None, 3, 1);
    builder.rows(b"of all").unwrap();
    let mut index = Index::new(builder.finish::<&str>(&[]).unwrap()).unwrap();
    let table = index.table(Some(thread), 3).unwrap();
    assert_eq!((table.rows(), table.row()), (200_000, 4));
    for (from, to) in [(0, 1), (16_382, 16_385), (199_999, u64::MAX), (5, 5), (7, 3), (1 << 60, 3)]
    {
        let part = &rows[4 * from.min(200_000) as usize..];
        let n = (to.min(200_000) as usize).saturating_sub(from.min(200_000) as usize);
        assert_eq!(index.table_rows(&table, from, to).unwrap(), &part[..4 * n], "{from} to {to}");
    }
    let all = index.table(None, 3).unwrap();
    assert_eq!(index.table_rows(&all, 0, 100).unwrap(), b"of all");
    assert_eq!((index.table(None, 4), index.table(Some(thread + 1), 3)), (None, None));
}

#[test]
fn a_damaged_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.pltt");
    std::fs::write(&path, b"PLTT").unwrap();
    let error = Index::open(&path).err().unwrap().to_string();
    assert!(error.ends_with("s.pltt: no time tree, or one that was not written to its end"));
}

/// Everything that a file answers.
fn answers(
    file: Vec<u8>,
    intervals: &[Interval],
) -> Result<impl PartialEq + std::fmt::Debug, Error> {
    let mut index = Index::new(file)?;
    let mut answers = Vec::new();
    for &interval in intervals {
        for thread in 0..index.threads().len() {
            let answer = index.query(thread, interval)?;
            let rows = index.rows(&answer)?;
            answers.push((answer, rows));
        }
    }
    Ok((index.head().clone(), index.threads().to_vec(), index.names()?, answers))
}

fn damaged(seed: u64, cases: usize) {
    let mut rng = Rng::new(seed);
    let options = TreeOptions { leaf: 16, fanout: 3, keep: 9_500 };
    let session = session(&mut rng, 9_000, options);
    assert!(session.file.len() > PAGE, "there is more than one page");
    let intervals: Vec<_> = (0..4).map(|_| session.interval(&mut rng)).collect();
    let truth = answers(session.file.clone(), &intervals).unwrap();
    let mut refused = 0;
    for _ in 0..cases {
        let mut file = session.file.clone();
        match rng.below(4) {
            0 => mutation::resize(&mut file, &mut rng),
            _ => mutation::overwrite(&mut file, &mut rng),
        }
        match answers(file, &intervals) {
            Ok(answer) => assert_eq!(answer, truth),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > cases / 2, "only {refused} of {cases} were noticed");
}

#[test]
fn damage_is_named_or_changes_no_answer() {
    damaged(5, 1000);
}

#[test]
#[ignore = "100,000 damaged files: minutes"]
fn much_damage_is_named_or_changes_no_answer() {
    damaged(6, 100_000);
}

/// Contents that lie, under check sums that are right: no panic, and answers end.
fn forged(seed: u64, cases: usize) {
    let mut rng = Rng::new(seed);
    let session = session(&mut rng, 300, TreeOptions { leaf: 4, fanout: 2, keep: 9_000 });
    let intervals: Vec<_> = (0..4).map(|_| session.interval(&mut rng)).collect();
    let mut used = 0;
    for _ in 0..cases {
        let forge = |contents: &mut Vec<u8>, directory: u64| {
            // Half of the changes hit the directory at the end.
            let from = if rng.below(2) == 0 { directory as usize } else { 0 };
            mutation::overwrite(&mut contents[from..], &mut rng);
        };
        let file = with_other_contents(session.file.clone(), forge).unwrap();
        used += usize::from(answers(file, &intervals).is_ok());
    }
    assert!(used > 0, "no forged file was good enough to be used");
}

#[test]
fn forged_contents_do_no_harm() {
    forged(7, 3000);
}

#[test]
#[ignore = "100,000 forged files: minutes"]
fn many_forged_contents_do_no_harm() {
    forged(8, 100_000);
}

/// Samples with the counts of the published example; types are A = 0, B = 1 and so on.
fn published() -> Vec<(u64, u32)> {
    let mut samples = Vec::new();
    let mut put = |from: u64, to: u64, counts: &[(char, u64)]| {
        for &(kind, n) in counts {
            let at = |i| from + (to - from) * i / n;
            samples.extend((0..n).map(|i| (at(i), kind as u32 - 'A' as u32)));
        }
    };
    put(0, 250, &[('A', 32), ('B', 18), ('C', 10), ('D', 11), ('E', 6), ('F', 13), ('G', 10)]);
    put(250, 375, &[('A', 16), ('B', 10), ('C', 10), ('D', 3), ('E', 6), ('H', 4)]);
    put(375, 500, &[('A', 24), ('B', 16), ('C', 15), ('D', 6), ('E', 9), ('F', 1)]);
    put(500, 1000, &[('A', 41), ('B', 31), ('C', 11), ('D', 5), ('E', 3), ('F', 5), ('G', 3)]);
    put(500, 1000, &[('H', 5), ('I', 6)]);
    samples.sort_unstable();
    samples
}

fn letters(counts: &[(u32, u64)]) -> String {
    let one = |c: &(u32, u64)| format!("{}{}", char::from(b'A' + c.0 as u8), c.1);
    counts.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn parts(node: &CascadeNode) -> &[CascadeNode] {
    match &node.below {
        Below::Parts(parts) => parts,
        Below::Samples(_) => &[],
    }
}

#[test]
fn the_published_tree_has_the_published_counts() {
    let root = CascadeNode::build(
        &published(),
        0,
        1000,
        CascadeOptions { leaf: 100, fanout: 2, percent: 95 },
    );
    let node =
        |n: &CascadeNode| (n.from, n.n, letters(&n.kept), letters(&n.dropped), parts(n).len());
    let inner = |from, n, kept: &str, cut: &str| (from, n, kept.to_string(), cut.to_string(), 2);
    let leaf = |from, n| (from, n, String::new(), String::new(), 0);
    assert_eq!(node(&root), inner(0, 330, "A113 B75 C46 D25 E24 F19 G13", "H9 I6"));
    let [first, second] = parts(&root) else { panic!("two halves") };
    assert_eq!(node(first), inner(0, 216, "A72 B44 C35 E21 D20 F14", "G10"));
    assert_eq!(node(second), leaf(500, 99));
    let [r00, r01] = parts(first) else { panic!("two halves") };
    assert_eq!(node(r00), leaf(0, 90));
    assert_eq!(node(r01), inner(250, 116, "A40 B26 C25 E15 D9", "F1"));
    let [r010, r011] = parts(r01) else { panic!("two halves") };
    assert_eq!((node(r010), node(r011)), (leaf(250, 45), leaf(375, 70)));
}

#[test]
fn the_published_queries_visit_the_published_nodes() {
    let root = CascadeNode::build(
        &published(),
        0,
        1000,
        CascadeOptions { leaf: 100, fanout: 2, percent: 95 },
    );
    let ask = |from, to| {
        let mut counts = BTreeMap::<u32, u64>::new();
        let visited = root.query(from, to, &mut |kind, n| *counts.entry(kind).or_default() += n);
        (visited, counts.into_iter().collect::<Vec<_>>())
    };
    let (r, r0, r1) = ((0, 1000), (0, 500), (500, 1000));
    let (r00, r01, r010, r011) = ((0, 250), (250, 500), (250, 375), (375, 500));
    // What the leaves keep: no H and I, and below R0 no G, either.
    let kept = |from: u64, to: u64, add: &[(u32, u64)]| {
        let mut sums: BTreeMap<u32, u64> = add.iter().copied().collect();
        for (time, kind) in published() {
            let cut = kind > 6 || time < 500 && kind == 6 || (250..500).contains(&time) && kind > 4;
            if (from..to).contains(&time) && !cut {
                *sums.entry(kind).or_default() += 1;
            }
        }
        sums.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(ask(700, 1000), (vec![r, r0, r1], kept(700, 1000, &[])));
    let whole = [(0, 72), (1, 44), (2, 35), (3, 20), (4, 21), (5, 14)];
    assert_eq!(ask(0, 700), (vec![r, r0, r1], kept(500, 700, &whole)));
    let visits = vec![r, r0, r00, r01, r010, r011, r1];
    assert_eq!(ask(300, 700), (visits, kept(300, 700, &[])));
}
