//! Counts of cells give the model that the decisions themselves give.

use std::collections::{BTreeMap, BTreeSet};

use decoder::log::{Collector, ThreadLog};
use decoder::replay::{BlockNo, Decision, LoopRounds, PathSink, Program, SendEvents};
use decoder::session::decode_thread;
use decoder::tally::{Tally, TallyError};
use decoder::train::Counter;
use model::cells::{CellLayout, Cells, IDLE_CELLS, PAGE_CELLS, ROUNDS, Site};
use model::counts::CountFile;
use model::inlined::Graph;
use model::map::{BlockId, Loop, Map, MethodId, Region, SlotId};
use model::path_profiles::method_graph::MethodGraph;
use model::profile::Profile;
use model::region::{Numbering, TRIP_SYMBOLS, trip_symbol};
use model::table::quantise;
use model::trace::write_trace;
use reports::analyse::{Analysis, EdgeCounts, Evidence, PathCounts};
use tests::sim::{
    Event, Habits, How, Played, Rng, Shape, file_header, identity, play, random_map, sealed, slabs,
};

fn even(n: usize) -> Vec<u16> {
    quantise(&vec![0; n]).unwrap()
}

/// Gives random methods regions and counted loops, as far as their graphs allow. How many.
fn gather(map: &mut Map, rng: &mut Rng) -> (usize, usize) {
    let mut all = Vec::new();
    for id in (1..=map.methods.len() as u32).map(MethodId) {
        let graph = map.graph(id).unwrap();
        let mut taken = BTreeSet::new();
        let (mut regions, mut loops) = (Vec::new(), Vec::new());
        for branch in (0..graph.len() as u32).map(BlockId) {
            let ways = graph.successors(branch).unwrap().len();
            if ways == 2 && !graph.has_calls(branch) && !taken.contains(&branch) {
                let stay = rng.below(2);
                let trips = graph.trip_count(branch, stay);
                let fits = |cycle: &[BlockId]| {
                    let inner = &cycle[..cycle.len() - 1];
                    inner.iter().all(|b| graph.is_quiet(*b) && !taken.contains(b))
                };
                if let Some(trips) = trips.filter(|t| fits(&t.cycle)) {
                    taken.extend(trips.cycle);
                    loops.push(Loop { branch, stay: stay as u8, freqs: even(TRIP_SYMBOLS) });
                }
            }
            if ways < 2 || taken.contains(&branch) {
                continue;
            }
            let mut inside = Vec::new();
            for _ in 0..30 {
                let next = BlockId(rng.below(graph.len()) as u32);
                inside.push(next);
                let fits = graph.is_quiet(next)
                    && !taken.contains(&next)
                    && graph.numbering(branch, &inside).is_ok();
                if !fits {
                    inside.pop();
                }
            }
            let entered = |inside: &[BlockId]| {
                (0..graph.len() as u32).map(BlockId).any(|b| {
                    let within = b == branch || inside.contains(&b);
                    let to = graph.successors(b).unwrap();
                    !within && to.iter().any(|t| inside.contains(t))
                }) || inside.contains(&BlockId(0))
            };
            while entered(&inside) {
                inside.pop();
            }
            if inside.is_empty() {
                continue;
            }
            taken.insert(branch);
            taken.extend(&inside);
            let paths = graph.numbering(branch, &inside).unwrap().full_paths().len();
            let base = 1 + rng.below(9) as u32;
            regions.push(Region { head: branch, inside, base, freqs: even(paths) });
        }
        all.push((regions, loops));
    }
    let mut sums = (0, 0);
    for (m, (regions, loops)) in map.methods.iter_mut().zip(all) {
        sums.0 += regions.len();
        sums.1 += loops.len();
        (m.regions, m.loops) = (regions, loops);
    }
    sums
}

/// A device that counts, and beside it the list of decisions.
struct Walk<'m, 'p> {
    map: &'m Map,
    layout: CellLayout,
    pages: BTreeMap<u32, Vec<u64>>,
    truth: Counter<'p, 'm>,
    first_block: Vec<u32>,
    stops: u64,
}

impl<'m, 'p> Walk<'m, 'p> {
    fn new(map: &'m Map, program: &'p Program<'m>) -> Self {
        let mut first_block = vec![0];
        for m in &map.methods {
            first_block.push(first_block[first_block.len() - 1] + m.blocks.len() as u32);
        }
        let layout = CellLayout::new(map).unwrap();
        let (pages, truth) = (BTreeMap::new(), Counter::new(program));
        Walk { map, layout, pages, truth, first_block, stops: 0 }
    }

    fn hit(&mut self, site: Site, i: u32, n: u64) {
        let at = self.layout.find(site).unwrap_or_else(|| panic!("{site:?} has no cells"));
        assert!(i < at.count, "{site:?} has {} cells, not {i}", at.count);
        let at = at.first + i;
        let page = self.pages.entry(at / PAGE_CELLS);
        page.or_insert_with(|| vec![0; PAGE_CELLS as usize])[(at % PAGE_CELLS) as usize] += n;
    }

    /// The block that a node is of, as sinks get it.
    fn block_of(&self, graph: &Graph<'_>, id: MethodId, node: BlockId) -> BlockNo {
        let (m, b) = match graph {
            Graph::Blocks(_) => (id, node),
            Graph::Nodes(nodes) => (nodes[node.0 as usize].method, nodes[node.0 as usize].block),
        };
        BlockNo(self.first_block[m.0 as usize - 1] + b.0)
    }

    fn decided(&mut self, branch: BlockNo, way: usize) {
        self.truth.decision(Decision::Branch(branch), way);
    }

    /// Goes through a method from its entry on; calls do nothing.
    fn walk(&mut self, id: MethodId, rng: &mut Rng) {
        let map = self.map;
        let graph = map.graph(id).unwrap();
        let m = &map.methods[id.0 as usize - 1];
        let mut at = BlockId(0);
        for _ in 0..40 {
            let to = graph.successors(at).unwrap();
            let block = self.block_of(&graph, id, at);
            if let Some(i) = m.loops.iter().position(|l| l.branch == at) {
                let site = Site::Loop(id, i as u32);
                let stay = usize::from(m.loops[i].stay);
                let wide = 1 + rng.below(31);
                let mut rounds = rng.bits() as u32 & ((1_u32 << wide) - 1);
                let broken = rng.one_in(5);
                if broken && rng.one_in(2) {
                    rounds += 1; // One that was begun.
                }
                self.truth.rounds(LoopRounds { branch: block, stay, cycle: &[], times: rounds });
                self.hit(site, ROUNDS, u64::from(rounds & 0xFFFF));
                self.hit(site, ROUNDS + 1, u64::from(rounds >> 16));
                if broken {
                    self.stops += 1;
                    return;
                }
                let symbol = trip_symbol(rounds).0;
                self.decided(block, 1 - stay);
                self.truth.trips(block, symbol);
                self.hit(site, symbol as u32, 1);
                at = to[1 - stay];
            } else if let Some(i) = m.regions.iter().position(|r| r.head == at) {
                let r = &m.regions[i];
                let numbering = graph.numbering(r.head, &r.inside).unwrap();
                let site = Site::Region(id, i as u32);
                match self.region(id, &graph, &numbering, at, rng) {
                    (number, Some(next)) => {
                        self.hit(site, number, 1);
                        at = next;
                    }
                    (number, None) => {
                        self.hit(site, number, 1);
                        self.stops += 1;
                        return;
                    }
                }
            } else {
                let Some(&next) = to.get(rng.below(to.len().max(1))) else { return };
                if to.len() > 1 {
                    let way = to.iter().position(|b| *b == next).unwrap();
                    self.decided(block, way);
                    self.hit(Site::Branch(id, at), way as u32, 1);
                }
                at = next;
            }
        }
    }

    /// A region from its head on: the sum of its edges' values, and where it was left for.
    fn region(
        &mut self,
        id: MethodId,
        graph: &Graph<'_>,
        numbering: &Numbering,
        head: BlockId,
        rng: &mut Rng,
    ) -> (u32, Option<BlockId>) {
        let (mut at, mut sum) = (head, 0);
        loop {
            let to = graph.successors(at).unwrap();
            let way = rng.below(to.len());
            if to.len() > 1 {
                self.decided(self.block_of(graph, id, at), way);
            }
            sum += numbering.value(at, way).unwrap();
            if !numbering.is_inside(to[way]) {
                return (sum, Some(to[way]));
            }
            at = to[way];
            if graph.throws(at) && rng.one_in(6) {
                return (sum, None);
            }
        }
    }
}

/// The model, as bytes, without announced calls: cells do not count them.
fn model(counter: &Counter<'_, '_>, sessions: u64) -> String {
    let mut profile = Profile::default();
    counter.add_to(&mut profile, sessions);
    profile.announced.clear();
    String::from_utf8(profile.to_bytes()).unwrap()
}

fn file(map: &Map, pid: u32, pages: BTreeMap<u32, Vec<u64>>) -> CountFile {
    CountFile { identity: identity(map, pid), pages, ..CountFile::default() }
}

/// Written, read, and added up.
fn tallied<'p, 'm>(program: &'p Program<'m>, files: &[CountFile]) -> Tally<'p, 'm> {
    let mut tally = Tally::new(program).unwrap();
    for file in files {
        let read = CountFile::parse(&file.to_bytes()).unwrap();
        assert_eq!((&read, &read.damage[..]), (file, &[][..]));
        tally.add(&read).unwrap();
    }
    tally
}

#[test]
fn cells_of_branches_regions_and_loops_give_the_decisions() {
    let (mut regions, mut loops, mut stops, mut inlined) = (0, 0, 0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let shape = Shape { blocks: 4 + rng.below(16), ..Shape::any(&mut rng) };
        let mut map = random_map(&mut rng, &shape);
        let sums = gather(&mut map, &mut rng);
        (regions, loops) = (regions + sums.0, loops + sums.1);
        inlined += map.inlined.len();
        let map = Map::from_bytes(&sealed(map).to_bytes()).unwrap();
        let program = Program::new(&map);
        let mut walk = Walk::new(&map, &program);
        for _ in 0..60 {
            walk.walk(MethodId(1 + rng.below(map.methods.len()) as u32), &mut rng);
        }
        stops += walk.stops;
        // Two files: their counts add up.
        let half = |n: &u64| n / 2;
        let pages = |f: &dyn Fn(&u64) -> u64| {
            walk.pages.iter().map(|(p, c)| (*p, c.iter().map(f).collect())).collect()
        };
        let files = [file(&map, 1, pages(&half)), file(&map, 2, pages(&|n| n - n / 2))];
        let tally = tallied(&program, &files);
        let counter = tally.counter().unwrap();
        assert_eq!(model(&counter, 2), model(&walk.truth, 2), "seed {seed}");
        assert_eq!(counter.cost().branch, walk.truth.cost().branch, "seed {seed}");
    }
    let seen = (regions, loops, stops, inlined);
    assert!(regions > 300 && loops > 100 && stops > 200 && inlined > 100, "{seen:?}");
}

/// The cells that a thread of a program without regions and inlined calls leaves behind.
fn cells_of(map: &Map, played: &Played) -> BTreeMap<u32, Vec<u64>> {
    let layout = CellLayout::new(map).unwrap();
    let mut pages: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    let mut put = |at: Option<Cells>, counts: &[u64]| {
        let Some(at) = at else { return };
        assert_eq!(at.count as usize, counts.len());
        for (at, &n) in (at.first..).zip(counts) {
            let page = pages.entry(at / PAGE_CELLS);
            page.or_insert_with(|| vec![0; PAGE_CELLS as usize])[(at % PAGE_CELLS) as usize] = n;
        }
    };
    let mut counts = played.truth.branches.iter();
    for (id, m) in (1..).map(MethodId).zip(&map.methods) {
        for (b, block) in (0..).map(BlockId).zip(&m.blocks) {
            if let model::map::Terminator::Branch { .. } = block.terminator {
                put(layout.find(Site::Branch(id, b)), counts.next().unwrap());
            }
        }
    }
    for (s, counts) in (0..).map(SlotId).zip(&played.truth.slots) {
        put(layout.find(Site::Slot(s)), counts);
    }
    let mut pairs: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut last = 0;
    for e in &played.truth.events {
        if let Event::Enter(m, How::Top(_)) = e {
            *pairs.entry((last, m.0)).or_default() += 1;
            last = m.0;
        }
    }
    let mut idle = vec![0; IDLE_CELLS as usize];
    for (i, ((last, next), n)) in pairs.into_iter().enumerate() {
        idle[1 + 2 * i] = u64::from(last) << 32 | u64::from(next);
        idle[2 + 2 * i] = n;
    }
    pages.insert(layout.idle_page(), idle);
    pages
}

/// Random programs that were played, and each thread of their logs.
fn each_session(mut see: impl FnMut(u64, &Map, &Played, &[ThreadLog])) {
    for seed in 0..150 {
        let mut rng = Rng::new(1000 + seed);
        let shape = Shape { inlined: 0, ..Shape::any(&mut rng) };
        let map = random_map(&mut rng, &shape);
        let habits = Habits { unguarded: 0, ..Habits::any(&mut rng, 2_000) };
        let played = play(&map, &map, "t", &mut rng, habits);
        if played.killed {
            continue;
        }
        let all = slabs(&played, 1, 400, true);
        let log = write_trace(&file_header(&map, 1024, 1), all.iter().map(|s| (s.0, &s.1[..])));
        let mut collector = Collector::new(Some(map.build));
        collector.add("log", &log[..]).unwrap();
        let processes = collector.finish().processes;
        let threads: Vec<ThreadLog> = processes.into_iter().flat_map(|p| p.threads).collect();
        see(seed, &map, &played, &threads);
    }
}

#[test]
fn counts_and_logs_of_the_same_sessions_give_the_same_model() {
    let (mut compared, mut decisions) = (0, 0);
    each_session(|seed, map, played, threads| {
        let program = Program::new(map);
        let mut counter = Counter::new(&program);
        for thread in threads {
            assert_eq!(decode_thread(&program, thread, &mut counter).faulty, 0);
        }
        let tally = tallied(&program, &[file(map, 1, cells_of(map, played))]);
        let counts = tally.counter().unwrap();
        assert_eq!(model(&counts, 1), model(&counter, 1), "seed {seed}");
        let (a, b) = (counts.cost(), counter.cost());
        assert_eq!((a.branch, a.slot, a.next_callback), (b.branch, b.slot, b.next_callback));
        compared += 1;
        decisions += b.branch.decisions + b.slot.decisions;
    });
    assert!(compared > 50 && decisions > 10_000, "{compared} compared, {decisions} decisions");
}

#[test]
fn paths_of_logs_lie_within_the_bounds_that_counts_give() {
    let (mut fixed, mut bounded, mut passes, mut definite) = (0, 0, 0, 0);
    each_session(|seed, map, played, threads| {
        let program = Program::new(map);
        let mut logged = PathCounts::new(&program);
        for thread in threads {
            assert_eq!(decode_thread(&program, thread, &mut logged).faulty, 0);
        }
        let tally = tallied(&program, &[file(map, 1, cells_of(map, played))]);
        let counts = EdgeCounts::new(map, &tally).unwrap();
        for (id, method) in (1..).map(MethodId).zip(&map.methods) {
            let of_method = map.handlers.iter().filter(|h| h.method == id);
            let handlers: Vec<BlockId> = of_method.map(|h| h.block).collect();
            let Ok(graph) = MethodGraph::new(&method.blocks, &handlers) else { continue };
            let flow = counts.flow(map, id, &graph).expect("counts of one moment");
            let paths: BTreeMap<Vec<usize>, u64> = logged.paths(id).0.into_iter().collect();
            let (possible, all) = flow.possible_paths(1_000);
            for path in possible.iter().chain(paths.keys()) {
                let ran = paths.get(path).copied().unwrap_or(0);
                let (least, most) = (flow.definite(path), flow.potential(path));
                let fits = least <= u128::from(ran) && most.is_none_or(|m| u128::from(ran) <= m);
                assert!(fits, "seed {seed}, {id:?}, {path:?}: {ran}, not {least} to {most:?}");
                assert!(!all || ran == 0 || possible.contains(path), "seed {seed}, {id:?}");
            }
            for (path, ran) in &paths {
                let least = flow.definite(path);
                let exact = flow.potential(path) == Some(least);
                *if exact { &mut fixed } else { &mut bounded } += 1;
                (passes, definite) = (passes + ran, definite + least);
            }
        }
    });
    let seen = (fixed, bounded, definite);
    assert!(fixed > 100 && bounded > 100 && definite > 1_000, "{seen:?} of {passes} passes");
}

/// A method that ran by count files ran by logs. Most of those that logs show are among them: the
/// rest has no cell, or exceptions ended all its activations before a decision.
#[test]
fn analyse_finds_the_methods_that_ran_in_count_files_as_in_logs() {
    let (mut both, mut only_logs) = (0, 0);
    each_session(|seed, map, played, threads| {
        let program = Program::new(map);
        let mut logged = PathCounts::new(&program);
        for thread in threads {
            assert_eq!(decode_thread(&program, thread, &mut logged).faulty, 0);
        }
        let tally = tallied(&program, &[file(map, 1, cells_of(map, played))]);
        let counts = EdgeCounts::new(map, &tally).unwrap();
        let logs = Evidence { map, logs: Some(&logged), counts: None };
        let counts = Evidence { map, logs: None, counts: Some(&counts) };
        let ran = |evidence: &Evidence<'_, '_, '_>| {
            let methods = Analysis::new(evidence, &[]).methods.into_iter().filter(|f| f.began);
            methods.map(|f| f.method).collect::<BTreeSet<_>>()
        };
        let (logs, counts) = (ran(&logs), ran(&counts));
        both += logs.intersection(&counts).count();
        only_logs += logs.difference(&counts).count();
        assert!(counts.is_subset(&logs), "seed {seed}");
    });
    assert!(both > 100 && only_logs < both / 4, "{both} in both, {only_logs} in logs alone");
}

#[test]
fn cells_do_not_overlap_and_those_of_a_method_share_a_page() {
    let mut large = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let wide = seed % 4 == 0;
        let blocks = if wide { 400 } else { 20 };
        let shape = Shape { methods: 20, blocks, ..Shape::any(&mut rng) };
        let mut map = random_map(&mut rng, &shape);
        if !wide {
            gather(&mut map, &mut rng);
        }
        let layout = CellLayout::new(&map).unwrap();
        let mut end = 1;
        let mut of_method: BTreeMap<MethodId, (u32, u32)> = BTreeMap::new();
        for (site, at) in layout.sites() {
            assert!(at.first >= end, "{site:?}: {at:?}");
            end = at.first + at.count;
            assert_eq!(layout.find(*site), Some(*at));
            if let Site::Branch(m, _) | Site::Region(m, _) | Site::Loop(m, _) = site {
                of_method.entry(*m).or_insert((at.first, 0)).1 = end;
            }
        }
        for (m, (first, end)) in of_method {
            let fits = end - first <= PAGE_CELLS;
            assert!(!fits || first / PAGE_CELLS == (end - 1) / PAGE_CELLS, "{m:?}");
            large += u32::from(!fits);
        }
        assert_eq!(layout.pages(), end.div_ceil(PAGE_CELLS));
        assert_eq!(layout.cells(layout.pages() - 1), Some(PAGE_CELLS));
        assert_eq!(layout.cells(layout.idle_page()), Some(IDLE_CELLS));
        assert_eq!(layout.cells(layout.idle_page() + 1), None);
    }
    assert!(large > 10, "{large}");
}

#[test]
fn counts_of_another_build_and_other_pages_are_refused() {
    let mut rng = Rng::new(2);
    let shape = Shape { blocks: 12, ..Shape::any(&mut rng) };
    let map = random_map(&mut rng, &shape);
    let program = Program::new(&map);
    let layout = CellLayout::new(&map).unwrap();
    assert!(layout.pages() > 0);
    let mut tally = Tally::new(&program).unwrap();
    let other = random_map(&mut rng, &shape);
    let e = tally.add(&file(&other, 1, BTreeMap::new())).unwrap_err();
    assert!(matches!(e, TallyError::Build { wanted, .. } if wanted == map.build), "{e}");
    let size = PAGE_CELLS as usize;
    for (page, cells) in [(0, size + 1), (0, 0), (layout.idle_page() + 1, 1)] {
        let e = tally.add(&file(&map, 1, [(page, vec![1; cells])].into())).unwrap_err();
        assert!(matches!(e, TallyError::Page { .. }), "{e}");
    }
    let mut idle = vec![0; IDLE_CELLS as usize];
    (idle[1], idle[2]) = (u64::MAX, 1);
    let e = tally.add(&file(&map, 1, [(0, vec![5; size]), (layout.idle_page(), idle)].into()));
    assert!(matches!(e, Err(TallyError::Method(u64::MAX))), "{e:?}");
    assert_eq!((tally.files(), tally.unpaired()), (0, 0));
    // Nothing of what was refused counts.
    assert_eq!(model(&tally.counter().unwrap(), 0), model(&Counter::new(&program), 0));
    // Sums that no 64 bits hold stay at the top.
    for pid in [1, 2] {
        tally.add(&file(&map, pid, [(0, vec![u64::MAX; size])].into())).unwrap();
    }
    let e = tally.add(&file(&map, 2, BTreeMap::new())).unwrap_err();
    assert!(matches!(e, TallyError::Process(2)), "{e}");
    let counter = tally.counter().unwrap();
    assert!(model(&counter, 2).contains(&u64::MAX.to_string()));
    assert_eq!(counter.cost().branch.decisions.max(counter.cost().slot.decisions), u64::MAX);
}
