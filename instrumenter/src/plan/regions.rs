//! Decisions that go into the path register: fused regions and counted loops of one method
//! (`model::region`).
//!
//! Nothing inside may run other code: while decisions are in the register, nothing else of the
//! thread may reach the stream. Instructions that may throw are allowed: the register shows the
//! block (`docs/PROTOCOL.md` §4).

use dex::{Code, Insn, Item};
use model::map::BlockId;
use model::region::{Member, Numbering, TripCount};

use crate::analysis::cfg::{BlockEnd, Cfg};
use crate::art::COMPILE_UNITS;
use crate::plan::bounded::is_bounded;

/// Number of exits from which a single probe is shorter, with any registers.
pub const MIN_WAYS: usize = 6;
/// Largest number of blocks of a region: more are never on one path that is worth a symbol.
const MAX_MEMBERS: usize = 64;
/// Largest number of alternatives of a switch inside a region.
const MAX_SWITCH_WAYS: usize = 32;
/// Largest number of blocks of a counted loop.
const MAX_CYCLE: usize = 16;

/// A counted loop.
#[derive(Debug, Clone)]
pub struct CountedLoop {
    /// Its only branch.
    pub branch: BlockId,
    /// Alternative that stays in the loop.
    pub stay: usize,
    /// The cycle and its increments.
    pub trips: TripCount,
    /// True if it ends before its register overflows, whatever the app does.
    pub bounded: bool,
}

/// Role of a block for its method's path register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockRole {
    /// Outside regions and loops.
    Plain,
    /// Head of this region.
    Head(usize),
    /// Inside this region.
    Inside(usize),
    /// The branch of this loop.
    Branch(usize),
    /// In the cycle of this loop, at this position.
    Cycle(usize, usize),
}

/// Regions and loops of one method.
#[derive(Debug, Clone, Default)]
pub struct Paths {
    /// Regions; the head is the first member.
    pub regions: Vec<Numbering>,
    /// Loops.
    pub loops: Vec<CountedLoop>,
    /// Role of each block; empty if there are no regions and no loops.
    roles: Vec<BlockRole>,
    /// True if an instruction inside may throw.
    pub throws: bool,
    /// True if an instruction may throw inside a counted loop, or inside a region that runs
    /// repeatedly.
    pub repeats: bool,
}

impl Paths {
    /// Finds the regions and loops. `runs_code` returns true if an instruction may run other code;
    /// `whole` returns true if a block is an undivided one of the method's own. Methods so large
    /// that probes could push them past ART's compile limit get no regions: their registers are out
    /// of reach of short instructions, so each exit of a region would be longer than the probes it
    /// saves.
    pub(crate) fn find(
        found: RegionCode<'_>,
        runs_code: &dyn Fn(&Insn) -> bool,
        whole: &dyn Fn(BlockId) -> bool,
    ) -> Paths {
        let RegionCode { code, units, cfg, held } = found;
        let depth = |n: usize| held.get(n).copied().unwrap_or(0);
        // Ranges that the boundary's catch-all cannot join: an exception may leave them unnoticed.
        let mut closed = vec![false; code.tries.len()];
        for (n, node) in code.nodes.iter().enumerate() {
            if let (Item::Insn(insn), Some(t)) = (&node.item, node.try_id) {
                let open = code.tries[t.0 as usize].catch_all.is_none();
                closed[t.0 as usize] |= open && insn.op.can_throw() && depth(n) > 0;
            }
        }
        let is_quiet = |n: usize| {
            let node = &code.nodes[n];
            depth(n) == 0
                && node.try_id.is_none_or(|t| !closed[t.0 as usize])
                && !matches!(&node.item, Item::Insn(i) if runs_code(i))
        };
        let quiet = cfg.blocks.iter().map(|b| (b.first..=b.last).all(is_quiet)).collect();
        let large = cfg.blocks.iter().map(|b| match &code.nodes[b.last].item {
            Item::Insn(insn) => is_large_switch(insn, b.end.successors().len()),
            _ => false,
        });
        let roles = vec![BlockRole::Plain; cfg.blocks.len()];
        let mut finder =
            Finder { code, cfg, quiet, large: large.collect(), roles, paths: Paths::default() };
        finder.loops(whole);
        if !(COMPILE_UNITS / 3..=COMPILE_UNITS).contains(&units) {
            finder.regions(held);
        }
        let Finder { mut paths, roles, .. } = finder;
        paths.throws = (0..roles.len()).any(|b| {
            let inner = matches!(
                roles[b],
                BlockRole::Inside(_) | BlockRole::Branch(_) | BlockRole::Cycle(..)
            );
            inner && cfg.blocks[b].throws
        });
        paths.repeats = paths.loops.iter().any(|l| !l.trips.throwing.is_empty())
            || paths.regions.iter().map(Numbering::members).any(|members| {
                let [head, inside @ ..] = members else { return false };
                inside.iter().any(|m| m.throws) && comes_again(cfg, head.block)
            });
        if !paths.is_empty() {
            paths.roles = roles;
        }
        paths
    }

    /// Returns true if there are no regions and no loops.
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty() && self.loops.is_empty()
    }

    /// Returns the role of a block.
    pub fn role(&self, block: BlockId) -> BlockRole {
        self.roles.get(block.0 as usize).copied().unwrap_or(BlockRole::Plain)
    }

    /// Returns true if the register, not a mark, places exceptions of a block.
    pub fn covers(&self, block: BlockId) -> bool {
        matches!(self.role(block), BlockRole::Inside(_) | BlockRole::Cycle(..))
    }
}

/// Code in which regions and loops are searched.
pub(crate) struct RegionCode<'a> {
    pub code: &'a Code,
    /// Size of the code in code units.
    pub units: u32,
    pub cfg: &'a Cfg,
    /// Number of monitors held before each node; empty if there are none.
    pub held: &'a [u8],
}

struct Finder<'a> {
    code: &'a Code,
    cfg: &'a Cfg,
    quiet: Vec<bool>,
    /// Large switches, whose symbol one probe can look up.
    large: Vec<bool>,
    roles: Vec<BlockRole>,
    paths: Paths,
}

impl Finder<'_> {
    fn loops(&mut self, whole: &dyn Fn(BlockId) -> bool) {
        for b in 0..self.cfg.blocks.len() {
            let BlockEnd::Branch(all) = &self.cfg.blocks[b].end else { continue };
            let branch = BlockId(b as u32);
            if all.len() != 2
                || !self.quiet[b]
                || self.cfg.blocks[b].is_handler
                || self.roles[b] != BlockRole::Plain
            {
                continue;
            }
            let Some((stay, cycle)) = (0..2).find_map(|i| Some((i, self.cycle(all[i], branch)?)))
            else {
                continue;
            };
            let n = self.paths.loops.len();
            if !cycle.iter().all(|&b| whole(b)) {
                continue;
            }
            for (i, &c) in cycle.iter().enumerate() {
                self.roles[c.0 as usize] = BlockRole::Cycle(n, i);
            }
            self.roles[b] = BlockRole::Branch(n);
            let trips = TripCount::new(cycle, |b| self.cfg.block(b).throws);
            let bounded = is_bounded(self.code, self.cfg, stay, &trips);
            self.paths.loops.push(CountedLoop { branch, stay, trips, bounded });
        }
    }

    /// Follows gotos from `at` to the branch, through blocks that nothing else leads to.
    fn cycle(&self, mut at: BlockId, branch: BlockId) -> Option<Vec<BlockId>> {
        let mut cycle = Vec::new();
        while at != branch {
            let block = self.cfg.block(at);
            let free = self.roles[at.0 as usize] == BlockRole::Plain && self.quiet[at.0 as usize];
            let BlockEnd::Goto(next) = block.end else { return None };
            if !free
                || block.in_edges != 1
                || block.is_handler
                || at.0 == 0
                || cycle.len() == MAX_CYCLE
            {
                return None;
            }
            cycle.push(at);
            at = next;
        }
        cycle.push(branch);
        Some(cycle)
    }

    fn regions(&mut self, held: &[u8]) {
        let mut into = vec![Vec::new(); self.cfg.blocks.len()];
        for (b, block) in self.cfg.blocks.iter().enumerate() {
            block.end.successors().iter().for_each(|s| into[s.0 as usize].push(BlockId(b as u32)));
        }
        for b in 0..self.cfg.blocks.len() {
            let last = self.cfg.blocks[b].last;
            let branches = matches!(self.cfg.blocks[b].end, BlockEnd::Branch(_));
            if branches
                && self.roles[b] == BlockRole::Plain
                && held.get(last).copied().unwrap_or(0) == 0
            {
                self.region_with_switches(BlockId(b as u32), &into);
            }
        }
    }

    fn member(&self, block: BlockId) -> Member {
        let b = self.cfg.block(block);
        Member { block, throws: b.throws, successors: b.end.successors().to_vec() }
    }

    /// Finds a region, including those large switches whose alternatives continue inside. If many
    /// alternatives of a switch leave the region, each needs a probe for the path, and the single
    /// look-up probe is shorter.
    fn region_with_switches(&mut self, head: BlockId, into: &[Vec<BlockId>]) {
        let is_large = |b: BlockId| self.large[b.0 as usize];
        let too_large = |b: usize| self.cfg.blocks[b].end.successors().len() > MAX_SWITCH_WAYS;
        let mut apart: Vec<BlockId> = (0..self.large.len())
            .filter(|&b| self.large[b] && too_large(b))
            .map(|b| BlockId(b as u32))
            .collect();
        while !apart.contains(&head) {
            let Some(numbering) = self.region(head, into, &apart) else { return };
            let leaves = |m: &Member| {
                let out = m.successors.iter().filter(|&&s| !numbering.is_inside(s)).count();
                is_large(m.block) && out >= MIN_WAYS
            };
            match numbering.members().iter().find(|m| leaves(m)) {
                Some(m) => apart.push(m.block),
                None => return self.take(head, numbering),
            }
        }
    }

    /// Returns the largest region with this head that results from adding block after block,
    /// without the blocks in `apart`.
    fn region(&self, head: BlockId, into: &[Vec<BlockId>], apart: &[BlockId]) -> Option<Numbering> {
        let mut members = vec![self.member(head)];
        let mut best = Numbering::new(members.clone()).ok()?;
        let mut refused = apart.to_vec();
        // Each round adds a block that only members lead to, so the list stays in topological
        // order.
        while members.len() < MAX_MEMBERS {
            let next = members.iter().flat_map(|m| &m.successors).copied().find(|&s| {
                let b = self.cfg.block(s);
                let i = s.0 as usize;
                self.quiet[i]
                    && self.roles[i] == BlockRole::Plain
                    && i != 0
                    && !b.is_handler
                    && !b.end.successors().is_empty()
                    && !refused.contains(&s)
                    && members.iter().all(|m| m.block != s)
                    && into[i].iter().all(|p| members.iter().any(|m| m.block == *p))
            });
            let Some(next) = next else { break };
            members.push(self.member(next));
            match Numbering::new(members.clone()) {
                Ok(n) => best = n,
                Err(_) => {
                    members.pop();
                    refused.push(next);
                }
            }
        }
        let before = members.len();
        // A member that only leads out decides nothing: the path may as well be coded before it.
        while let Some(i) = (1..members.len()).find(|&i| {
            let m = &members[i];
            m.successors.len() == 1 && !members[1..].iter().any(|o| o.block == m.successors[0])
        }) {
            members.remove(i);
        }
        if members[1..].iter().all(|m| m.successors.len() < 2) {
            return None;
        }
        if members.len() != before {
            best = Numbering::new(members).ok()?;
        }
        Some(best)
    }

    fn take(&mut self, head: BlockId, numbering: Numbering) {
        let n = self.paths.regions.len();
        for m in &numbering.members()[1..] {
            self.roles[m.block.0 as usize] = BlockRole::Inside(n);
        }
        self.roles[head.0 as usize] = BlockRole::Head(n);
        self.paths.regions.push(numbering);
    }
}

/// Returns true if a path leads from a block back to it.
fn comes_again(cfg: &Cfg, block: BlockId) -> bool {
    let mut seen = vec![false; cfg.blocks.len()];
    let mut open = vec![block];
    while let Some(at) = open.pop() {
        for &to in cfg.block(at).end.successors() {
            if to == block {
                return true;
            }
            if !std::mem::replace(&mut seen[to.0 as usize], true) {
                open.push(to);
            }
        }
    }
    false
}

/// Returns true if a block ends in a switch so large that one probe looks its symbol up, unless a
/// region contains it ([`crate::plan::switch_lookup`]).
pub fn is_large_switch(insn: &Insn, ways: usize) -> bool {
    insn.op.is_switch() && ways >= MIN_WAYS
}
