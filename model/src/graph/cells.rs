//! Which cell counts what, in a build that counts its symbols instead of coding them.
//!
//! A *cell* is a number that grows by one whenever its symbol comes; cells lie in *pages*, of which
//! each thread has its own. Both ends derive the layout from the map's graphs: the instrumenter the
//! constants of its probes, the decoder what a cell's count means. There is no list of it.
//!
//! * A branch has a cell for each alternative. Code put in place of a call has cells of its own.
//! * A region has a cell for each number, those of paths that stop included.
//! * A counted loop has a cell for each symbol, and two that add up to its full rounds.
//! * A call slot has a cell for each alternative.
//! * The last page lists which top-level callback came after which ([`Layout::idle_page`]).

use std::collections::{BTreeSet, HashMap};

use super::block::Call;
use super::ids::{BlockId, MethodId, SlotId};
use super::inlined::InlineError;
use super::region::TRIP_SYMBOLS;
use crate::formats::map::Map;

/// Cells of a page, unless a single method has more.
pub const PAGE_CELLS: u32 = 512;
/// In a counted loop's cells: the first behind those of the symbols. It grows by the low 16 bits of
/// the full rounds, the next one by the bits above.
pub const ROUNDS: u32 = TRIP_SYMBOLS as u32;
/// Pairs of top-level callbacks that the last page has room for.
pub const IDLE_PAIRS: u32 = 512;
/// Cells of the last page: one for the pairs without room, then (`last << 32 | next`, count) for
/// each pair. Ids are those of methods, `last` is 0 at a thread's beginning.
pub const IDLE_CELLS: u32 = 1 + 2 * IDLE_PAIRS;

/// What some cells in a row count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Site {
    /// A branch that is neither in a region nor in a counted loop: a node of this method's graph
    /// ([`Map::graph`]).
    Branch(MethodId, BlockId),
    /// A method's region with this index.
    Region(MethodId, u32),
    /// A method's counted loop with this index.
    Loop(MethodId, u32),
    /// A call slot.
    Slot(SlotId),
}

/// Where a site's cells are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cells {
    /// The page.
    pub page: u32,
    /// The first one.
    pub first: u32,
    /// How many.
    pub count: u32,
}

/// The cells of a build.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    pages: Vec<u32>,
    sites: Vec<(Site, Cells)>,
    places: HashMap<Site, usize>,
    methods: HashMap<MethodId, u32>,
}

impl Layout {
    /// Lays out the cells of a map.
    ///
    /// # Errors
    /// Inlined calls that cannot be; never after [`Map::from_bytes`].
    pub fn new(map: &Map) -> Result<Layout, InlineError> {
        let mut layout = Layout::default();
        let implied = map.implied_methods();
        for (id, m) in (1..).map(MethodId).zip(&map.methods) {
            if implied.contains(&id) {
                continue;
            }
            let graph = map.graph(id)?;
            let mut gathered = BTreeSet::new();
            let mut sites = Vec::new();
            for (i, r) in (0..).zip(&m.regions) {
                gathered.insert(r.head);
                gathered.extend(r.inside.iter().copied());
                let total = graph.numbering(r.head, &r.inside).map_or(0, |n| n.total());
                sites.push((Site::Region(id, i), total));
            }
            for (i, l) in (0..).zip(&m.loops) {
                gathered.insert(l.branch);
                sites.push((Site::Loop(id, i), ROUNDS + 2));
            }
            for node in (0..graph.len() as u32).map(BlockId) {
                let ways = graph.successors(node).map_or(0, |to| to.len() as u32);
                if ways > 1 && !gathered.contains(&node) {
                    sites.push((Site::Branch(id, node), ways));
                }
            }
            let needed = sites.iter().map(|s| s.1).sum();
            if let Some(page) = layout.room(needed) {
                layout.methods.insert(id, page);
                sites.into_iter().for_each(|(site, count)| layout.place(site, count));
            }
        }
        let calls = map.methods.iter().flat_map(|m| &m.blocks).flat_map(|b| &b.calls);
        let slots: BTreeSet<SlotId> = calls
            .filter_map(|c| match c.call {
                Call::Slot(s) => Some(s),
                Call::Predicted(_) | Call::Implied(_) => None,
            })
            .collect();
        for s in slots {
            let count = map.slots.get(s.0 as usize).map_or(0, |s| s.freqs.len() as u32);
            if layout.room(count).is_some() {
                layout.place(Site::Slot(s), count);
            }
        }
        Ok(layout)
    }

    /// Makes the last page one that so many cells fit into; `None` for none.
    fn room(&mut self, cells: u32) -> Option<u32> {
        if cells == 0 {
            return None;
        }
        if self.pages.last().is_none_or(|used| used + cells > PAGE_CELLS) {
            self.pages.push(0);
        }
        Some(self.pages.len() as u32 - 1)
    }

    fn place(&mut self, site: Site, count: u32) {
        let page = self.pages.len() as u32 - 1;
        let used = &mut self.pages[page as usize];
        self.places.insert(site, self.sites.len());
        self.sites.push((site, Cells { page, first: *used, count }));
        *used += count;
    }

    /// How many cells each page has, but the last one, which is [`Self::idle_page`].
    pub fn pages(&self) -> &[u32] {
        &self.pages
    }

    /// The number of the page of top-level callbacks.
    pub fn idle_page(&self) -> u32 {
        self.pages.len() as u32
    }

    /// How many cells this page has; `None` if there is no such page.
    pub fn cells(&self, page: u32) -> Option<u32> {
        match self.pages.get(page as usize) {
            Some(cells) => Some(*cells),
            None => (page == self.idle_page()).then_some(IDLE_CELLS),
        }
    }

    /// The page of all cells of a method; `None` if it has none.
    pub fn page_of(&self, method: MethodId) -> Option<u32> {
        self.methods.get(&method).copied()
    }

    /// Where a site's cells are; `None` for one that counts nothing.
    pub fn find(&self, site: Site) -> Option<Cells> {
        self.places.get(&site).map(|&i| self.sites[i].1)
    }

    /// All sites, page by page.
    pub fn sites(&self) -> &[(Site, Cells)] {
        &self.sites
    }
}
