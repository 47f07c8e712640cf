//! Probes of the codecs that write a symbol for each decision: on its edge, or one for the path
//! through a region, for the iterations of a loop, for a large switch.

use std::cell::OnceCell;

use dex::{Insn, Item, Label};
use model::cells::{PAGE_CELLS, Site};
use model::map::BlockId;
use model::recording::Recording;

use crate::plan::comparisons::Comparisons;
use crate::plan::regions::BlockRole;
use crate::plan::subject::Subject;
use crate::probes::emitter::{Boundary, Detour, DetourRange, EdgeProbe, Emitter, items};
use crate::probes::probe::{PROBE_OUTS, Probes};
use crate::rewrite::context::MethodContext;
use crate::rewrite::counting;
use crate::rewrite::inline_coder::{MarkedSymbol, Symbol};

/// Emitter of such a method.
pub(crate) struct SymbolProbes<'a> {
    pub probes: Probes<'a>,
    pub subject: &'a Subject,
    pub weave: &'a MethodContext<'a>,
    /// Comparisons of branches; computed when the first branch needs them.
    pub comparisons: OnceCell<Comparisons<'a>>,
}

impl SymbolProbes<'_> {
    /// Returns the probe before a branch without history, if one is possible.
    fn compared(&self, block: BlockId) -> Option<Vec<Insn>> {
        let coded_apart = self.weave.cells.get(block).is_some()
            || (0..2).any(|alternative| self.weave.in_line.has(block, alternative));
        let all = self.subject.cfg.block(block).end.successors();
        if coded_apart || all.len() != 2 || !self.weave.recording.fuses_regions() {
            return None;
        }
        let comparisons = self.comparisons.get_or_init(|| Comparisons::new(self.subject));
        let comparison = comparisons.at(block)?;
        let symbols = self.weave.recording.edges(self.weave.freqs.of(block), all);
        self.probes.compared(&symbols, comparison)
    }

    /// Returns the probe of an edge outside regions and loops.
    fn decision(
        &self,
        from: BlockId,
        alternative: usize,
        constant: u32,
        new_label: &mut dyn FnMut() -> Label,
    ) -> EdgeProbe {
        let ways = self.subject.cfg.block(from).end.successors().len();
        let site = Site::Branch(self.weave.id, from);
        let at = self.address(site) + alternative as u32;
        if let Some(hit) = self.probes.hit(at, self.is_near(site)) {
            return EdgeProbe::of(hit);
        }
        match self.weave.cells.get(from) {
            Some(&cell) => EdgeProbe::of(self.probes.adaptive(cell, alternative, ways)),
            None => {
                let symbol = self.probes.symbol(constant);
                self.coded(from, alternative, Symbol::Slice(constant), symbol, new_label)
            }
        }
    }

    /// Returns the probe of a symbol, with a marker if it is to be coded inline.
    fn coded(
        &self,
        from: BlockId,
        alternative: usize,
        symbol: Symbol,
        call: Vec<Insn>,
        new_label: &mut dyn FnMut() -> Label,
    ) -> EdgeProbe {
        if self.subject.free.is_some() || !self.weave.in_line.has(from, alternative) {
            return EdgeProbe::of(call);
        }
        let at = new_label();
        let marked = std::iter::once(Item::Label(at)).chain(items(call)).collect();
        EdgeProbe { items: marked, in_line: Some(MarkedSymbol { at, symbol }), detour: None }
    }

    /// Returns true if a site's cells are in the method's page.
    fn is_near(&self, site: Site) -> bool {
        let cells = self.weave.counts.and_then(|layout| layout.find(site));
        cells.is_none_or(|cells| counting::is_near(self.weave, cells))
    }

    /// Returns the first cell of a site, in a counting build.
    fn address(&self, site: Site) -> u32 {
        // As long as there is no layout, only the size of the code matters.
        let cells = self.weave.counts.and_then(|layout| layout.find(site));
        cells.map_or(PAGE_CELLS << 8, |cells| cells.first)
    }

    /// Returns the value of the path register for a region's path 0.
    fn region_base(&self, region: usize) -> u32 {
        match self.weave.recording {
            Recording::Edges => self.address(Site::Region(self.weave.id, region as u32)),
            _ => self.weave.tables.regions[region].base,
        }
    }

    /// Returns the number by which probes identify a counted loop.
    fn loop_base(&self, number: usize) -> u32 {
        match self.weave.recording {
            Recording::Edges => self.address(Site::Loop(self.weave.id, number as u32)),
            _ => self.weave.tables.loops[number].base,
        }
    }

    /// Returns the probe of a region's edge: it adds to the path number, and codes the symbol where
    /// the region is left.
    fn step(
        &self,
        region: usize,
        is_head: bool,
        from: BlockId,
        alternative: usize,
        to: BlockId,
        new_label: &mut dyn FnMut() -> Label,
    ) -> EdgeProbe {
        let p = self.probes;
        let table = &self.weave.tables.regions[region];
        let increment = table.increments.of(from, alternative).expect("an edge of the region");
        let added = match is_head {
            true => vec![p.set_path(self.region_base(region) as i32 + increment)],
            false => p.add(increment),
        };
        let numbering = &self.subject.paths.regions[region];
        if numbering.is_inside(to) {
            return EdgeProbe::of(added);
        }
        let near = self.is_near(Site::Region(self.weave.id, region as u32));
        let mut probe = match p.count_path(near) {
            Some(count) => EdgeProbe::of(count),
            None => {
                // Code without history runs rarely, as far as is known.
                let short = table.is_even && !self.weave.in_line.has(from, alternative);
                self.coded(from, alternative, Symbol::Path, p.path(short), new_label)
            }
        };
        probe.items.splice(0..0, items(added));
        probe.items.extend(items(self.over(!is_head && numbering.throws_before(from))));
        probe
    }

    /// Clears the path register after its use; `gathered` is true if the state may contain a copy.
    fn over(&self, gathered: bool) -> Vec<Insn> {
        let p = self.probes;
        let gathered = gathered && self.subject.writes_through(self.weave.recording);
        if !gathered && !self.tracks() {
            return Vec::new();
        }
        let mut out = vec![p.set_path(0)];
        if gathered {
            out.extend(p.gather());
        }
        out
    }

    /// Returns true if the path register must be 0 outside regions and loops.
    fn tracks(&self) -> bool {
        self.subject.tracks(self.weave.recording)
    }

    /// Returns the probe of an edge of a counted loop's branch.
    fn round(
        &self,
        number: usize,
        alternative: usize,
        new_label: &mut dyn FnMut() -> Label,
    ) -> EdgeProbe {
        let p = self.probes;
        let counted = &self.subject.paths.loops[number];
        let (base, shift) = (self.loop_base(number), counted.trips.shift);
        if alternative != counted.stay {
            let near = self.is_near(Site::Loop(self.weave.id, number as u32));
            let mut out = p.trips(base, shift, near);
            out.extend(self.over(!counted.trips.throwing.is_empty()));
            return EdgeProbe::of(out);
        }
        let first = counted.trips.first() as i32;
        let mut begun = match counted.trips.throwing.is_empty() {
            true => Vec::new(),
            false => p.open_loop(base, shift),
        };
        begun.extend(p.add(first));
        if counted.bounded {
            return EdgeProbe::of(begun);
        }
        // Two billion iterations fill the register: it becomes negative.
        let (full, on) = (new_label(), new_label());
        let mut lap = p.add(-first);
        lap.extend(p.count_lap(base, shift).unwrap_or_else(|| p.lap()));
        lap.push(p.set_path(first));
        EdgeProbe {
            items: begun
                .into_iter()
                .chain([p.if_full(full)])
                .map(Item::Insn)
                .chain([Item::Label(on)])
                .collect(),
            detour: Some(Detour { entry: full, insns: lap, back: on, range: DetourRange::Branch }),
            in_line: None,
        }
    }
}

impl Emitter for SymbolProbes<'_> {
    fn outs(&self) -> u16 {
        PROBE_OUTS
    }

    fn begin(&self) -> Vec<Insn> {
        self.tracks().then(|| self.probes.set_path(0)).into_iter().collect()
    }

    fn block(&self, _: BlockId) -> Option<Insn> {
        None
    }

    fn gathers(&self, block: BlockId) -> Vec<Insn> {
        let paths = &self.subject.paths;
        let throws = match paths.role(block) {
            BlockRole::Inside(_) => self.subject.cfg.block(block).throws,
            BlockRole::Cycle(l, position) => paths.loops[l].trips.throwing.contains(&position),
            BlockRole::Branch(l) => {
                let trips = &paths.loops[l].trips;
                trips.throwing.contains(&(trips.cycle.len() - 1))
            }
            BlockRole::Plain | BlockRole::Head(_) => false,
        };
        let writes = throws && self.subject.writes_through(self.weave.recording);
        if writes { self.probes.gather() } else { Vec::new() }
    }

    fn edges(&self, from: BlockId, new_label: &mut dyn FnMut() -> Label) -> Vec<EdgeProbe> {
        let all = self.subject.cfg.block(from).end.successors();
        let is_decision = all.len() > 1 || self.weave.recording.records_gotos();
        let is_looked_up = self.weave.tables.switch_lookups.get(from).is_some();
        if !is_decision || is_looked_up || self.compared(from).is_some() {
            return Vec::new();
        }
        let freqs = self.weave.freqs.of(from);
        let constants = self.weave.recording.edges(freqs, all);
        all.iter()
            .zip(constants)
            .enumerate()
            .map(|(i, (&to, constant))| match self.subject.paths.role(from) {
                BlockRole::Plain | BlockRole::Cycle(..) => {
                    self.decision(from, i, constant, new_label)
                }
                BlockRole::Head(r) => self.step(r, true, from, i, to, new_label),
                BlockRole::Inside(r) => self.step(r, false, from, i, to, new_label),
                BlockRole::Branch(l) => self.round(l, i, new_label),
            })
            .collect()
    }

    fn branch(&self, block: BlockId) -> Vec<Insn> {
        let lookup = self.weave.tables.switch_lookups.get(block);
        match lookup {
            Some((lookup, base)) => self.probes.switch_lookup(*base, lookup),
            None => self.compared(block).unwrap_or_default(),
        }
    }

    fn onward(&self, block: BlockId) -> Vec<Insn> {
        let paths = &self.subject.paths;
        match paths.role(block) {
            BlockRole::Inside(r) if self.subject.cfg.block(block).end.successors().len() == 1 => {
                let increments = &self.weave.tables.regions[r].increments;
                self.probes.add(increments.of(block, 0).expect("an edge of the region"))
            }
            BlockRole::Cycle(l, position) => {
                self.probes.add(paths.loops[l].trips.adds(position + 1).into())
            }
            _ => Vec::new(),
        }
    }

    fn caught(&self, handler: u32, _: BlockId, _: &mut dyn FnMut() -> Label) -> Vec<Item> {
        items(self.probes.caught(handler, self.tracks()))
    }

    fn exit(&self, _: BlockId, _: &mut dyn FnMut() -> Label) -> Vec<Item> {
        items(self.probes.exit(self.subject.guarded))
    }

    fn boundary(&self) -> Boundary {
        let looks = self.subject.paths.throws && !self.subject.writes_through(self.weave.recording);
        let begin = self.probes.boundary(self.subject.guarded, looks);
        Boundary { begin, ..Boundary::default() }
    }
}
