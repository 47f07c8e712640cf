//! Cells of a counting build, converted to the counts that `train` collects from logs, and to the
//! number of times that blocks ran.

mod blocks;
mod passes;

pub use blocks::MethodCounts;
pub use passes::{CountAccuracy, Passes};

use std::collections::{BTreeMap, BTreeSet};

use model::cells::{CellLayout, IDLE_PAIRS, PAGE_CELLS, ROUNDS, Site};
use model::counts::CountFile;
use model::inlined::InlineError;
use model::map::{BlockId, BuildId, MethodId, SlotId};
use model::region::PathEnd;
use model::trace::Identity;
use thiserror::Error;

use crate::replay::{BlockNo, Decision, Program};
use crate::train::Counter;

/// Reasons why a count file does not fit a map.
#[derive(Debug, Error)]
pub enum TallyError {
    /// It is of another build.
    #[error("counts of build {found}, but the map is of build {wanted}")]
    Build {
        /// The map's.
        wanted: BuildId,
        /// The file's.
        found: BuildId,
    },
    /// Another file of the same process was added: one counts what the other does.
    #[error("counts of process {0}, of which another file was given")]
    Process(u32),
    /// The build has no such page, or one of another size.
    #[error("page {page} has {cells} cells; no such page is in the map's build")]
    Page {
        /// Its number.
        page: u32,
        /// Number of its cells.
        cells: usize,
    },
    /// A top-level callback that the map does not have.
    #[error("a callback of method {0}, which the map does not have")]
    Method(u64),
    /// The map's graphs cannot be laid out.
    #[error(transparent)]
    Inline(#[from] InlineError),
}

/// The last top-level callback (0: none) and the next one, and how often they came so.
type Pair = ((u32, u32), u64);

/// Adds up the cells of count files of one build.
#[derive(Debug)]
pub struct Tally<'p, 'm> {
    program: &'p Program<'m>,
    layout: CellLayout,
    pages: BTreeMap<u32, Vec<u64>>,
    /// Pairs of top-level callbacks.
    idle: BTreeMap<(u32, u32), u64>,
    unpaired: u64,
    processes: BTreeSet<Identity>,
}

impl<'p, 'm> Tally<'p, 'm> {
    /// Nothing counted yet.
    ///
    /// # Errors
    /// [`TallyError::Inline`]; never with a map that was checked.
    pub fn new(program: &'p Program<'m>) -> Result<Self, TallyError> {
        Ok(Tally {
            program,
            layout: CellLayout::new(program.map)?,
            pages: BTreeMap::new(),
            idle: BTreeMap::new(),
            unpaired: 0,
            processes: BTreeSet::new(),
        })
    }

    /// Adds what a process has counted.
    ///
    /// # Errors
    /// A file that does not fit the map; then nothing of it is added.
    pub fn add(&mut self, file: &CountFile) -> Result<(), TallyError> {
        let (wanted, found) = (self.program.map.build, file.identity.build);
        if wanted != found {
            return Err(TallyError::Build { wanted, found });
        }
        if self.processes.contains(&file.identity) {
            return Err(TallyError::Process(file.identity.pid));
        }
        for (&page, cells) in &file.pages {
            if self.layout.cells(page).is_none_or(|n| n as usize != cells.len()) {
                return Err(TallyError::Page { page, cells: cells.len() });
            }
        }
        let idle = file.pages.get(&self.layout.idle_page());
        let pairs = idle.map_or(Ok(Vec::new()), |cells| self.pairs(cells))?;
        self.processes.insert(file.identity.clone());
        for (pair, n) in pairs {
            add(self.idle.entry(pair).or_default(), n);
        }
        self.unpaired = self.unpaired.saturating_add(idle.map_or(0, |cells| cells[0]));
        for (&page, cells) in &file.pages {
            if page != self.layout.idle_page() {
                let sums = self.pages.entry(page).or_insert_with(|| vec![0; cells.len()]);
                sums.iter_mut().zip(cells).for_each(|(sum, n)| add(sum, *n));
            }
        }
        Ok(())
    }

    /// The pairs of callbacks in the last page.
    fn pairs(&self, cells: &[u64]) -> Result<Vec<Pair>, TallyError> {
        let known = |id: u32| self.program.map.method(MethodId(id)).is_some();
        let pairs = cells[1..].chunks_exact(2).take(IDLE_PAIRS as usize);
        let pairs = pairs.filter(|pair| *pair != [0, 0]).map(|pair| {
            let (last, next) = ((pair[0] >> 32) as u32, pair[0] as u32);
            let fits = (last == 0 || known(last)) && known(next);
            fits.then_some(((last, next), pair[1])).ok_or(TallyError::Method(pair[0]))
        });
        pairs.collect()
    }

    /// More bytes than this no count file of the build has.
    pub fn most_bytes(&self) -> u64 {
        self.layout.most_bytes()
    }

    /// Files added: each is a session.
    pub fn files(&self) -> u64 {
        self.processes.len() as u64
    }

    /// The processes whose files were added.
    pub fn processes(&self) -> impl Iterator<Item = &Identity> {
        self.processes.iter()
    }

    /// Top-level callbacks of which it is not known what came before, for want of room.
    pub fn unpaired(&self) -> u64 {
        self.unpaired
    }

    /// Converts all cells to counts. `announced` stays empty: nothing counts it.
    ///
    /// # Errors
    /// [`TallyError::Inline`]; never with a map that was checked.
    pub fn counter(&self) -> Result<Counter<'p, 'm>, TallyError> {
        let mut counter = Counter::new(self.program);
        for (site, at) in self.layout.sites() {
            let cells: Vec<u64> = (at.first..at.first + at.count).map(|at| self.cell(at)).collect();
            if cells.iter().any(|n| *n > 0) {
                self.site(*site, &cells, &mut counter)?;
            }
        }
        for (&(last, next), &n) in &self.idle {
            let last = (last != 0).then_some(MethodId(last));
            counter.count_top(last, MethodId(next), n);
            let slot = last.and_then(|m| self.program.next_callbacks.get(&m).copied());
            let slot = slot.unwrap_or(SlotId(0));
            let Some(of) = self.program.map.slots.get(slot.0 as usize) else { continue };
            let listed = of.callees.binary_search(&MethodId(next));
            counter.count(Decision::NextCallback(slot), listed.map_or(0, |i| i + 1), n);
        }
        Ok(counter)
    }

    /// Returns how often each block ran, as far as the counts determine it.
    ///
    /// # Errors
    /// [`TallyError::Inline`]; never with a map that was checked.
    pub fn passes(&self) -> Result<Passes, TallyError> {
        let counter = self.counter()?;
        let (ways, slots) = counter.decisions();
        Ok(Passes::new(self.program, ways, self.calls(slots), self.stops()?))
    }

    /// Returns the number of counted calls of each method, given the counts of the slots: by the
    /// platform, and at call slots.
    fn calls(&self, slots: &[Vec<u64>]) -> Vec<u64> {
        let map = self.program.map;
        let mut calls = vec![0_u64; map.methods.len()];
        let mut add_call = |m: MethodId, n: u64| {
            if let Some(calls) = (m.0 as usize).checked_sub(1).and_then(|at| calls.get_mut(at)) {
                add(calls, n);
            }
        };
        self.idle.iter().for_each(|(&(_, next), &n)| add_call(MethodId(next), n));
        for (slot, counts) in map.slots.iter().zip(slots) {
            slot.callees.iter().zip(counts.iter().skip(1)).for_each(|(m, n)| add_call(*m, *n));
        }
        calls
    }

    /// Returns how often each block of a region threw.
    fn stops(&self) -> Result<Vec<(BlockNo, u64)>, TallyError> {
        let map = self.program.map;
        let mut stops = Vec::new();
        for (site, at) in self.layout.sites() {
            let Site::Region(m, i) = *site else { continue };
            let region = &map.methods[m.0 as usize - 1].regions[i as usize];
            let numbering = map.graph(m)?.numbering(region.head, &region.inside);
            let numbering = numbering.map_err(|_| InlineError::Method(m.0))?;
            for (number, address) in (0..at.count).zip(at.first..) {
                let n = self.cell(address);
                if n > 0
                    && let Some(PathEnd::Stopped(block)) = numbering.path(number).map(|p| p.end)
                {
                    stops.push((self.program.reported(m, block), n));
                }
            }
        }
        Ok(stops)
    }

    /// The count at this address.
    fn cell(&self, at: u32) -> u64 {
        self.pages.get(&(at / PAGE_CELLS)).map_or(0, |page| page[(at % PAGE_CELLS) as usize])
    }

    fn site(
        &self,
        site: Site,
        cells: &[u64],
        counter: &mut Counter<'_, '_>,
    ) -> Result<(), TallyError> {
        let map = self.program.map;
        let method = |m: MethodId| &map.methods[m.0 as usize - 1];
        let reported = |m: MethodId, node: BlockId| self.program.reported(m, node);
        match site {
            Site::Branch(m, node) => {
                for (i, &n) in cells.iter().enumerate() {
                    counter.count(Decision::Branch(reported(m, node)), i, n);
                }
            }
            Site::Region(m, i) => {
                let region = &method(m).regions[i as usize];
                let numbering = map.graph(m)?.numbering(region.head, &region.inside);
                let numbering = numbering.map_err(|_| InlineError::Method(m.0))?;
                for (number, &n) in (0..).zip(cells).filter(|(_, n)| **n > 0) {
                    let Some(path) = numbering.path(number) else { continue };
                    for (node, way) in path.hops {
                        if numbering.ways(node) > 1 {
                            counter.count(Decision::Branch(reported(m, node)), way, n);
                        }
                    }
                }
            }
            Site::Loop(m, i) => {
                let l = &method(m).loops[i as usize];
                let branch = reported(m, l.branch);
                let (symbols, rounds) = cells.split_at(ROUNDS as usize);
                let (low, high) = (rounds[0], rounds[1]);
                let stayed = high.saturating_mul(1 << 16).saturating_add(low);
                let left = symbols.iter().fold(0_u64, |sum, n| sum.saturating_add(*n));
                let stay = usize::from(l.stay);
                counter.count(Decision::Branch(branch), stay, stayed);
                counter.count(Decision::Branch(branch), 1 - stay, left);
                for (symbol, &n) in symbols.iter().enumerate().filter(|(_, n)| **n > 0) {
                    counter.count_trips(branch, symbol, n);
                }
            }
            Site::Slot(s) => {
                for (i, &n) in cells.iter().enumerate() {
                    counter.count(Decision::Slot(s), i, n);
                }
            }
        }
        Ok(())
    }
}

fn add(sum: &mut u64, n: u64) {
    *sum = sum.saturating_add(n);
}
