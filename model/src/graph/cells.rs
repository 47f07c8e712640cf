//! Cells of a build that counts its symbols instead of coding them.
//!
//! A *cell* is a number that grows by one whenever its symbol comes; cells lie in *pages*, of which
//! each thread has its own. Both ends derive the layout from the map's graphs: the instrumenter for
//! the constants of its probes, the decoder for the meaning of each count. No list of it is stored.
//!
//! * A branch has a cell for each alternative. Inlined code has cells of its own.
//! * A region has a cell for each number, those of paths that stop included.
//! * A counted loop has a cell for each symbol, and two that add up to its full rounds.
//! * A call slot has a cell for each alternative.
//! * The last page lists which top-level callback came after which ([`CellLayout::idle_page`]).

use std::collections::{BTreeSet, HashMap};

use super::block::CallKind;
use super::ids::{BlockId, MethodId, SlotId};
use super::inlined::{Graph, InlineError};
use super::region::TRIP_SYMBOLS;
use crate::formats::counts::file_bytes;
use crate::formats::map::{Map, Method};

/// Cells of a page.
pub const PAGE_CELLS: u32 = 512;
/// Index in a counted loop's cells: the first cell after those of the symbols. It grows by the low
/// 16 bits of the full rounds, the next cell by the bits above.
pub const ROUNDS: u32 = TRIP_SYMBOLS as u32;
/// Pairs of top-level callbacks that the last page has room for.
pub const IDLE_PAIRS: u32 = 512;
/// Cells of the last page: one for the pairs without room, then (`last << 32 | next`, count) for
/// each pair. Ids are those of methods, `last` is 0 at a thread's beginning.
pub const IDLE_CELLS: u32 = 1 + 2 * IDLE_PAIRS;

/// Subject of some consecutive cells.
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

/// Position of a site's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cells {
    /// The address of the first one: page · [`PAGE_CELLS`] + place in the page. Never 0, which
    /// stands for none.
    pub first: u32,
    /// Number of cells.
    pub count: u32,
}

/// The cells of a build.
#[derive(Debug, Clone, Default)]
pub struct CellLayout {
    /// The address after the last cell; 0: there are no cells.
    end: u32,
    sites: Vec<(Site, Cells)>,
    places: HashMap<Site, usize>,
    /// Cells of each method.
    methods: HashMap<MethodId, Cells>,
}

/// The cells that each site of a method needs.
fn of_method(id: MethodId, m: &Method, graph: &Graph<'_>) -> Vec<(Site, u32)> {
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
    sites
}

impl CellLayout {
    /// Lays out the cells of a map.
    ///
    /// # Errors
    /// Inlined calls that cannot be; never after [`Map::from_bytes`].
    pub fn new(map: &Map) -> Result<CellLayout, InlineError> {
        let mut layout = CellLayout::default();
        let implied = map.implied_methods();
        let mut called = BTreeSet::new();
        for (id, m) in (1..).map(MethodId).zip(&map.methods) {
            if !implied.contains(&id) {
                let cells = layout.place(of_method(id, m, &map.graph(id)?));
                layout.methods.extend(cells.map(|cells| (id, cells)));
            }
            let calls = m.blocks.iter().flat_map(|b| &b.calls);
            called.extend(calls.filter_map(|c| match c.call {
                CallKind::Slot(s) => Some(s),
                CallKind::Predicted(_) | CallKind::Implied(_) => None,
            }));
        }
        for s in called {
            let count = map.slots.get(s.0 as usize).map_or(0, |s| s.freqs.len() as u32);
            layout.place(vec![(Site::Slot(s), count)]);
        }
        Ok(layout)
    }

    /// Gives these sites cells in a row, within a page if they fit into one.
    fn place(&mut self, sites: Vec<(Site, u32)>) -> Option<Cells> {
        let needed: u32 = sites.iter().map(|s| s.1).sum();
        if needed == 0 {
            return None;
        }
        self.end = self.end.max(1);
        if self.end % PAGE_CELLS + needed > PAGE_CELLS {
            self.end = self.end.next_multiple_of(PAGE_CELLS);
        }
        let all = Cells { first: self.end, count: needed };
        for (site, count) in sites {
            self.places.insert(site, self.sites.len());
            self.sites.push((site, Cells { first: self.end, count }));
            self.end += count;
        }
        Some(all)
    }

    /// Returns the number of pages, without the page of top-level callbacks.
    pub fn pages(&self) -> u32 {
        self.end.div_ceil(PAGE_CELLS)
    }

    /// The number of the page of top-level callbacks: the last one.
    pub fn idle_page(&self) -> u32 {
        self.pages()
    }

    /// Returns the number of cells of this page; `None` if there is no such page.
    pub fn cells(&self, page: u32) -> Option<u32> {
        match page {
            p if p < self.pages() => Some(PAGE_CELLS),
            p if p == self.idle_page() => Some(IDLE_CELLS),
            _ => None,
        }
    }

    /// More bytes than this no count file of the build has.
    pub fn most_bytes(&self) -> u64 {
        // The device makes it in chunks of this size.
        const CHUNK: u64 = 64 * 1024;
        let pages = (0..=self.idle_page()).filter_map(|page| self.cells(page));
        file_bytes(pages).next_multiple_of(CHUNK)
    }

    /// Returns a site's cells; `None` for a site that counts nothing.
    pub fn find(&self, site: Site) -> Option<Cells> {
        self.places.get(&site).map(|&i| self.sites[i].1)
    }

    /// All cells of a method; `None` if it has none.
    pub fn method(&self, id: MethodId) -> Option<Cells> {
        self.methods.get(&id).copied()
    }

    /// All sites, by their addresses.
    pub fn sites(&self) -> &[(Site, Cells)] {
        &self.sites
    }
}
