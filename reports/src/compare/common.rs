//! Identities across builds: one number for each method, branch, call, handler and throw that is
//! the same in all of them.
//!
//! Methods and branches have the ids of `model::identities`: those of the first build that has
//! them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use decoder::crew::Cores;
use decoder::replay::{BlockNo, Program};
use model::identities::Identities;
pub(crate) use model::identities::{hash_of, mix};
use model::map::{BuildId, HandlerId, Map, Method, MethodId, SlotId, Terminator};

/// No event.
const NONE: u32 = u32::MAX;

/// An event in one of the builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildEvent {
    /// A branch block took this alternative.
    Branch(BlockNo, u32),
    /// A call through a slot went to this alternative; 0 is a callee that the slot does not list.
    Call(SlotId, u32),
    /// Code outside the app called this method.
    Enter(MethodId),
    /// An exception was thrown here (or in a block that follows without a decision), and caught.
    Throw(BlockNo),
    /// An exception arrived at this handler.
    Catch(HandlerId),
    /// An exception was thrown here and left the app's code.
    Leave(BlockNo),
}

/// An event that at least one build has.
#[derive(Debug, Clone, Copy)]
pub struct Event {
    /// Index of the first build that has it.
    pub build: usize,
    /// The event in that build.
    pub what: BuildEvent,
    /// Site where it can happen, numbered as by [`ComparedBuild::method_site`].
    pub site: u32,
    /// Hash of the event, equal in all builds that have it.
    pub hash: u64,
}

/// One of the compared builds.
#[derive(Debug)]
pub struct ComparedBuild<'m> {
    /// Program, for decoding.
    pub program: Program<'m>,
    /// Cores that decode.
    pub(crate) cores: Arc<Cores>,
    /// Hash of each method.
    methods: Vec<u64>,
    /// For each method: true if all builds have the same body and codec. Some codecs determine the
    /// block of a throw or of a call from outside more precisely than others.
    same: Vec<bool>,
    /// For each block: hash of its branch (0 without one), and true if all builds have that branch.
    branches: Vec<(u64, bool)>,
    /// For each block: event of its first alternative, and the branch's site.
    ways: Vec<(u32, u32)>,
    /// For each slot: its site, and an event per alternative.
    slots: Vec<(u32, Vec<u32>)>,
    /// For each method: the event of a call from outside, and its site.
    entries: Vec<(u32, u32)>,
    /// For each handler: the event of an exception's arrival, and its hash.
    handlers: Vec<(u32, u64)>,
}

/// All builds and their events. Throws are not listed, because few of them happen.
#[derive(Debug, Default)]
pub struct Common<'m> {
    /// The builds, in the order of the maps.
    pub builds: Vec<ComparedBuild<'m>>,
    /// The events.
    pub events: Vec<Event>,
    /// Number of sites. Site 0 is the session as a whole.
    pub sites: u32,
}

impl<'m> Common<'m> {
    /// Determines the identities that these maps have in common. A repeated map is left out.
    pub fn new(maps: &'m [Map]) -> Common<'m> {
        let mut common = Common { sites: 1, ..Common::default() };
        let mut known = Numbers::default();
        let mut older: Vec<Identities> = Vec::new();
        for map in maps {
            if common.of(map.build).is_none() {
                common.add(map, &mut known, &mut older);
            }
        }
        common.intersect();
        common
    }

    /// Sets the cores that decode the logs.
    pub fn on(mut self, cores: Cores) -> Self {
        let cores = Arc::new(cores);
        self.builds.iter_mut().for_each(|b| b.cores = Arc::clone(&cores));
        self
    }

    /// Returns the index of the build with this id.
    pub fn of(&self, build: BuildId) -> Option<usize> {
        self.builds.iter().position(|b| b.program.map.build == build)
    }

    /// Returns the number of builds that have each event, by its hash. Throws are not listed.
    pub fn builds_having(&self) -> HashMap<u64, usize> {
        let mut all = HashMap::new();
        for b in &self.builds {
            let ways = |(hash, ways): (u64, usize)| {
                (0..ways as u64).map(move |i| mix(mix(hash, ways as u64), i))
            };
            let calls = b.slots.iter().enumerate().flat_map(|(s, (_, ways))| {
                (0..ways.len()).map(move |i| b.call(SlotId(s as u32), i))
            });
            let entries = b.methods.iter().map(|&hash| mix(hash, 1));
            let handlers = b.handlers.iter().map(|h| h.1);
            let branches = b.hashed_branches().flat_map(ways);
            let hashes: HashSet<u64> =
                branches.chain(calls).chain(entries).chain(handlers).collect();
            hashes.into_iter().for_each(|hash| *all.entry(hash).or_default() += 1);
        }
        all
    }

    fn add(&mut self, map: &'m Map, known: &mut Numbers, older: &mut Vec<Identities>) {
        let build = self.builds.len();
        let ids = Identities::of(map, older);
        let mut made = ComparedBuild {
            cores: Arc::new(Cores::new(1)),
            program: Program::new(map),
            methods: ids.methods().iter().map(|id| id.hash).collect(),
            same: Vec::new(),
            branches: Vec::new(),
            ways: Vec::new(),
            slots: Vec::new(),
            entries: Vec::new(),
            handlers: Vec::new(),
        };
        let mut new = |hash: u64, what: BuildEvent, site: u32, events: &mut Vec<Event>| {
            *known.events.entry((hash, kind(what))).or_insert_with(|| {
                events.push(Event { build, what, site, hash });
                events.len() as u32 - 1
            })
        };
        let sites = &mut self.sites;
        let mut site = |hash: u64| {
            *known.sites.entry(hash).or_insert_with(|| {
                *sites += 1;
                *sites - 1
            })
        };
        let mut block = 0;
        for (i, m) in map.methods.iter().enumerate() {
            let (hash, id) = (made.methods[i], MethodId(i as u32 + 1));
            let entered = new(mix(hash, 1), BuildEvent::Enter(id), 0, &mut self.events);
            made.entries.push((entered, site(mix(hash, 1))));
            let mut of_method = ids.branches(id).iter().map(|id| id.hash);
            for b in &m.blocks {
                let Terminator::Branch { alternatives, .. } = &b.terminator else {
                    made.branches.push((0, true));
                    made.ways.push((NONE, 0));
                    block += 1;
                    continue;
                };
                // There are as many hashes as branches.
                let hash = of_method.next().unwrap_or_default();
                // A branch with another number of alternatives is another branch, whatever the
                // hash.
                let at = site(mix(hash, alternatives.len() as u64));
                let first = self.events.len() as u32;
                let way = |i: usize| BuildEvent::Branch(BlockNo(block), i as u32);
                let hashes = |i: usize| mix(mix(hash, alternatives.len() as u64), i as u64);
                let got = new(hashes(0), way(0), at, &mut self.events);
                if got == first {
                    for i in 1..alternatives.len() {
                        self.events.push(Event { build, what: way(i), site: at, hash: hashes(i) });
                    }
                }
                made.branches.push((hash, true));
                made.ways.push((got, at));
                block += 1;
            }
        }
        for (s, slot) in map.slots.iter().enumerate() {
            let name = hash_of(2, map.name(slot.site));
            let at = site(name);
            let callee = |i: usize| i.checked_sub(1).map_or(0, |i| slot.callees[i].0);
            let ways = (0..slot.freqs.len()).map(|i| {
                let to = callee(i).checked_sub(1).map_or(0, |m| made.methods[m as usize]);
                new(
                    mix(name, to),
                    BuildEvent::Call(SlotId(s as u32), i as u32),
                    at,
                    &mut self.events,
                )
            });
            made.slots.push((at, ways.collect()));
        }
        let mut of_method: HashMap<MethodId, u64> = HashMap::new();
        for (h, handler) in map.handlers.iter().enumerate() {
            let m = handler.method.0 as usize - 1;
            let ordinal = of_method.entry(handler.method).or_default();
            let body = mix(made.methods[m], map.methods[m].fingerprint);
            let hash = mix(mix(body, 3), *ordinal);
            *ordinal += 1;
            let at = made.entries[m].1;
            let event = new(hash, BuildEvent::Catch(HandlerId(h as u32)), at, &mut self.events);
            made.handlers.push((event, hash));
        }
        older.push(ids);
        self.builds.push(made);
    }

    /// Marks methods and branches that all builds have.
    fn intersect(&mut self) {
        let all = self.builds.len();
        let mut bodies: HashMap<(u64, u64, usize), usize> = HashMap::new();
        let mut branches: HashMap<(u64, usize), usize> = HashMap::new();
        let body = |hash: u64, m: &Method| (hash, m.fingerprint, m.blocks.len());
        for b in &self.builds {
            for (&hash, m) in b.methods.iter().zip(&b.program.map.methods) {
                *bodies.entry(body(hash, m)).or_default() += 1;
            }
            for (hash, ways) in b.hashed_branches() {
                *branches.entry((hash, ways)).or_default() += 1;
            }
        }
        let codec = self.builds.first().map(|b| b.program.map.recording);
        let one_codec = self.builds.iter().all(|b| Some(b.program.map.recording) == codec);
        for b in &mut self.builds {
            let methods = b.methods.iter().zip(&b.program.map.methods);
            let same = |(&hash, m)| one_codec && bodies[&body(hash, m)] == all;
            b.same = methods.map(same).collect();
            let found: Vec<bool> =
                b.hashed_branches().map(|branch| branches[&branch] == all).collect();
            let of_branches = b.branches.iter_mut().filter(|x| x.0 != 0);
            of_branches.zip(found).for_each(|(x, found)| x.1 = found);
        }
    }
}

/// Numbers assigned so far.
#[derive(Debug, Default)]
struct Numbers {
    events: HashMap<(u64, u8), u32>,
    sites: HashMap<u64, u32>,
}

fn kind(what: BuildEvent) -> u8 {
    match what {
        BuildEvent::Branch(..) => 0,
        BuildEvent::Call(..) => 1,
        BuildEvent::Enter(_) => 2,
        BuildEvent::Throw(_) => 3,
        BuildEvent::Catch(_) => 4,
        BuildEvent::Leave(_) => 5,
    }
}

impl ComparedBuild<'_> {
    /// Returns the hash and the number of alternatives of each branch.
    fn hashed_branches(&self) -> impl Iterator<Item = (u64, usize)> {
        let blocks = self.program.map.methods.iter().flat_map(|m| &m.blocks);
        blocks.zip(&self.branches).filter_map(|(b, of)| match &b.terminator {
            Terminator::Branch { alternatives, .. } => Some((of.0, alternatives.len())),
            Terminator::Return | Terminator::Throw | Terminator::Goto(_) => None,
        })
    }

    /// Returns the hash of a method.
    pub fn method(&self, MethodId(m): MethodId) -> u64 {
        self.methods[m as usize - 1]
    }

    /// Returns the hash of a branch if all builds have it.
    pub fn branch(&self, BlockNo(b): BlockNo) -> Option<u64> {
        let (hash, in_all) = self.branches[b as usize];
        (in_all && hash != 0).then_some(hash)
    }

    /// Returns true if a block's method is the same in all builds.
    pub fn is_same(&self, block: BlockNo) -> bool {
        self.same[self.program.locate(block).0.0 as usize - 1]
    }

    /// Returns the hash of a block, or of its method where builds differ.
    pub fn block(&self, block: BlockNo) -> u64 {
        let (m, at) = self.program.locate(block);
        let place = if self.same[m.0 as usize - 1] { at as u64 + 1 } else { 0 };
        mix(self.method(m), place)
    }

    /// Returns the hash of a call through a slot.
    pub fn call(&self, SlotId(s): SlotId, alternative: usize) -> u64 {
        let slot = &self.program.map.slots[s as usize];
        let callee = alternative.checked_sub(1).map_or(0, |i| self.method(slot.callees[i]));
        mix(hash_of(2, self.program.map.name(slot.site)), callee)
    }

    /// Returns the hash of an exception's arrival at a handler, or of the method where builds
    /// differ.
    pub fn handler(&self, HandlerId(h): HandlerId) -> u64 {
        let m = self.program.map.handlers[h as usize].method;
        match self.same[m.0 as usize - 1] {
            true => self.handlers[h as usize].1,
            false => mix(self.method(m), 3),
        }
    }

    /// Returns event and site of a branch's alternative.
    #[inline]
    pub fn way(&self, BlockNo(b): BlockNo, alternative: usize) -> (u32, u32) {
        let (first, site) = self.ways[b as usize];
        (first + alternative as u32, site)
    }

    /// Returns event and site of a slot's alternative.
    #[inline]
    pub fn slot(&self, SlotId(s): SlotId, alternative: usize) -> (u32, u32) {
        let (site, ways) = &self.slots[s as usize];
        (ways[alternative], *site)
    }

    /// Returns event and site of a method's call from outside the app.
    #[inline]
    pub fn entry(&self, MethodId(m): MethodId) -> u32 {
        self.entries[m as usize - 1].0
    }

    /// Returns the site of events in a method.
    #[inline]
    pub fn method_site(&self, MethodId(m): MethodId) -> u32 {
        self.entries[m as usize - 1].1
    }

    /// Returns the event of an exception's arrival at a handler.
    pub fn catch(&self, HandlerId(h): HandlerId) -> u32 {
        self.handlers[h as usize].0
    }
}
