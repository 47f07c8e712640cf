//! Weaves the probes of one method into its edit list.
//!
//! Every alternative of a branch gets its probe on the *edge*: after the branch for the
//! fallthrough, at the head of the target if no other edge leads there, on a trampoline at the end
//! of the method otherwise. Probes stay out of try ranges (where an additional throwing instruction
//! could show a handler registers in a state that it never had) except right before a call, and
//! while a monitor is held.

pub(crate) mod address_lines;
pub(crate) mod block_copies;
pub(crate) mod check;
pub(crate) mod context;
pub(crate) mod counting;
mod edges;
mod exits;
pub(crate) mod inline_coder;
mod joins;
pub(crate) mod keep_compiled;
mod lookups;
pub(crate) mod pool_capacity;
mod ranges;
pub mod registers;
pub mod scavenge;
mod trim;

pub(crate) use context::{BuildContext, MethodContext};

use block_copies::{Copied, copied};
use exits::{Exit, Exits};
use inline_coder::MarkedSymbol;
use joins::JoinEdge;

use std::collections::{BTreeMap, HashMap};

use dex::{Args, Code, Handlers, Insn, Item, Label, MethodIdx, MoveKind, Node, Op, Ref, TryId};
use model::map::BlockId;

use crate::analysis::cfg::may_throw;
use crate::analysis::protection::CleanupId;
use crate::analysis::tested::tested;
use crate::plan::clones::{self, Carriers};
use crate::plan::ids::Site;
use crate::plan::origins;
use crate::plan::regions::BlockRole;
use crate::plan::restarts;
use crate::plan::selected::SelectedMethod;
use crate::plan::subject::Subject;
use crate::probes::codecs::emitter;
use crate::probes::emitter::{Emitter, items};
use crate::probes::probe::Probes;
use crate::probes::runtime;

/// Returns the instrumented code of a method.
pub(crate) fn weave(subject: &Subject, weave: &MethodContext<'_>) -> Code {
    let copies = weave.selected.and_then(SelectedMethod::copies);
    let copied = copies.map(|copies| copied(subject, copies));
    woven(copied.as_ref().map_or(subject, |c| &c.subject), weave, copied.as_ref())
}

fn woven(subject: &Subject, weave: &MethodContext<'_>, copied: Option<&Copied>) -> Code {
    if subject.implied || counting::is_bare(subject, weave) {
        return subject.code.clone();
    }
    let mut code = Code {
        registers: subject.code.registers
            + subject.scratch_count()
            + subject.spare
            + u16::from(subject.state_parameter.is_some()),
        ins: subject.code.ins + u16::from(subject.state_parameter.is_some()),
        outs: subject.code.outs,
        nodes: Vec::with_capacity(subject.code.nodes.len() * 2),
        tries: subject.code.tries.clone(),
        payloads: subject.code.payloads.clone(),
        debug: address_lines::header(subject, weave.address_lines),
        next_label: subject.code.next_label,
    };
    let looks = subject.paths.throws && !subject.writes_through(weave.recording);
    let boundary = ((subject.guarded && !subject.leaf) || looks).then(|| {
        code.tries.push(Handlers::default());
        TryId(code.tries.len() as u32 - 1)
    });
    let mut w = MethodRewriter::new(subject, weave, copied, boundary, code);
    w.out.outs = w.out.outs.max(w.emitter.outs());
    w.run();
    if let (Some(coder), false) = (weave.refs.coder, w.in_line.is_empty()) {
        let state = subject.state_parameter.map(|_| MoveKind::Object);
        let parameters: Vec<MoveKind> = subject.parameters.iter().copied().chain(state).collect();
        inline_coder::write(&mut w.out, &w.in_line, coder, w.probes.scratch, &parameters);
    }
    keep_compiled::keep_compiled(&subject.code, &mut w.out);
    w.out
}

struct MethodRewriter<'a> {
    subject: &'a Subject,
    plan: &'a MethodContext<'a>,
    probes: Probes<'a>,
    /// Emitter of the codec's probes.
    emitter: Box<dyn Emitter + 'a>,
    boundary: Option<TryId>,
    /// Try ranges of probes whose handlers free monitors and rethrow.
    cleanups: BTreeMap<CleanupId, TryId>,
    out: Code,
    /// Original node after the probe that is being written.
    at: usize,
    /// Label, probe, try range, target.
    trampolines: Vec<(Label, Vec<Item>, Option<TryId>, Label)>,
    /// Blocks at which a register holds an object that is tested later on; empty if there are none,
    /// and if no jump reaches the state.
    tested: Vec<bool>,
    /// Edges into these blocks that carry a probe.
    joins: HashMap<BlockId, Vec<JoinEdge>>,
    /// Extra entry of handler blocks that do not begin with `move-exception`: label of the new
    /// entry.
    handler_entries: HashMap<BlockId, Label>,
    /// Label after the mark of such a block, for exceptions: the mark counts plain edges only.
    behind_marks: HashMap<BlockId, Label>,
    /// Probes at the head of a block.
    heads: HashMap<BlockId, Vec<Item>>,
    /// New target of a block's branch, by block and original target.
    redirects: HashMap<(BlockId, BlockId), Label>,
    /// Probe after a block's branch, with a label if cases lead there.
    behind: HashMap<BlockId, (Option<Label>, Vec<Item>)>,
    /// Labels for the marks of counted loops that are only on the path into the loop, by the first
    /// node of the branch block's labels.
    outer_entries: HashMap<usize, Label>,
    exits: Exits,
    /// Symbols to code inline.
    in_line: Vec<MarkedSymbol>,
    /// Registers that carry the state to calls of clones, by node.
    carriers: Carriers,
    /// Loop heads at which a reader of a ring buffer can begin, with their numbers.
    restarts: HashMap<BlockId, u32>,
    /// True if instructions without a line get their original address as line if a stack trace may
    /// show them.
    address_lines: bool,
    /// Node of a line that was moved to the entry.
    entry_line: Option<usize>,
}

impl<'a> MethodRewriter<'a> {
    fn new(
        subject: &'a Subject,
        weave: &'a MethodContext<'a>,
        copied: Option<&'a Copied>,
        boundary: Option<TryId>,
        out: Code,
    ) -> Self {
        let scratch = match subject.state_parameter {
            // A leaf only needs the register that it adds with.
            Some(state) if subject.leaf => subject.layout.scratch.with_state(state),
            _ => subject.layout.scratch,
        };
        let tested = match subject.free {
            Some(_) => Vec::new(),
            None => tested(&subject.code, &subject.cfg, &|n, r| subject.placed(n, r)),
        };
        MethodRewriter {
            subject,
            plan: weave,
            emitter: emitter(subject, weave, copied),
            probes: Probes { refs: weave.refs, scratch, in_place: weave.in_place },
            boundary,
            cleanups: BTreeMap::new(),
            out,
            at: 0,
            trampolines: Vec::new(),
            tested,
            joins: HashMap::new(),
            handler_entries: HashMap::new(),
            behind_marks: HashMap::new(),
            heads: HashMap::new(),
            redirects: HashMap::new(),
            behind: HashMap::new(),
            outer_entries: HashMap::new(),
            exits: Exits::default(),
            in_line: Vec::new(),
            carriers: carriers(subject, weave),
            restarts: restarts::heads(subject, weave.id).into_iter().collect(),
            address_lines: weave.address_lines,
            entry_line: None,
        }
    }

    fn run(&mut self) {
        self.reserve_cleanups();
        self.place_loop_entries();
        self.place_edges();
        self.place_handlers();
        self.place_exits();
        self.body();
        self.tail();
    }

    /// Returns the probe at a handler.
    fn caught(&mut self, block: BlockId) -> Vec<Item> {
        let out = &mut self.out;
        let handler = handler_id(self.subject, self.plan, block);
        self.emitter.caught(handler, block, &mut || out.new_label())
    }

    /// Returns true if a block may throw or returns.
    fn needs_block(&self, block: BlockId) -> bool {
        let bounds = self.subject.cfg.block(block);
        let nodes = &self.subject.code.nodes[bounds.first..=bounds.last];
        nodes
            .iter()
            .any(|n| matches!(&n.item, Item::Insn(i) if i.op.can_throw() || i.op.is_return()))
    }

    /// Returns true if control passes from a block to the next one without a jump.
    fn falls_through(&self, from: BlockId, to: BlockId) -> bool {
        let block = self.subject.cfg.block(from);
        let Item::Insn(last) = &self.subject.code.nodes[block.last].item else { return false };
        to.0 == from.0 + 1 && last.op.can_continue()
    }

    /// Returns true if a block's mark is at its head: that of a counted loop's branch block is on
    /// the entries instead.
    fn counts_at_head(&self, block: BlockId) -> bool {
        self.subject.cfg.block(block).mark
            && !matches!(self.subject.paths.role(block), BlockRole::Branch(_))
    }

    /// Adds entries for exceptions to handlers that begin without `move-exception`, because normal
    /// control may reach these as well.
    fn place_handlers(&mut self) {
        for &h in &self.subject.handlers {
            let first = self.subject.cfg.block(h).first;
            if !self.is_op(first, Op::MoveException) {
                let label = self.out.new_label();
                self.handler_entries.insert(h, label);
                if self.counts_at_head(h) {
                    let label = self.out.new_label();
                    self.behind_marks.insert(h, label);
                }
            }
        }
        if self.handler_entries.is_empty() {
            return;
        }
        let cfg = &self.subject.cfg;
        let entry = |entries: &HashMap<BlockId, Label>, l: Label| {
            cfg.block_of(l).and_then(|b| entries.get(&b).copied()).unwrap_or(l)
        };
        for handlers in &mut self.out.tries {
            for (_, l) in &mut handlers.catches {
                *l = entry(&self.handler_entries, *l);
            }
            handlers.catch_all = handlers.catch_all.map(|l| entry(&self.handler_entries, l));
        }
    }

    fn body(&mut self) {
        let subject = self.subject;
        self.entry();
        let sites = self.sites();
        let mut sites = sites.iter().peekable();
        let mut block = 0;
        let mut pending_none = false;
        let mut filter = None;
        for (n, node) in subject.code.nodes.iter().enumerate() {
            if let Some(label) = self.outer_entries.remove(&n) {
                self.out.nodes.push(Node { item: Item::Label(label), try_id: None });
                let first = subject.cfg.blocks[block].first;
                self.probe(self.probes.mark(), self.outer(first));
            }
            let insn = match &node.item {
                Item::Insn(insn) => insn,
                Item::Debug(_) if self.entry_line == Some(n) => continue,
                Item::Debug(event) => {
                    self.passes(event);
                    let item = Item::Debug(self.place_debug(event));
                    self.out.nodes.push(Node { item, try_id: None });
                    continue;
                }
                Item::Label(_) => {
                    self.out.nodes.push(node.clone());
                    continue;
                }
            };
            let id = BlockId(block as u32);
            let bounds = &subject.cfg.blocks[block];
            self.at = n;
            if n == bounds.first {
                self.place_join(id, self.before(n));
                if let Some(probe) = self.heads.remove(&id) {
                    self.items(probe, self.before(n));
                }
                // The block of an instruction that may throw, and that of a return, must be known.
                let known = self
                    .emitter
                    .block(id)
                    .filter(|_| insn.op != Op::MoveException && self.needs_block(id));
                if let Some(known) = known {
                    self.push(known, node.try_id.or(self.outer(n)));
                }
                if self.counts_at_head(id) {
                    // Right before a throwing instruction its own range is as good as none, and
                    // needs no try item.
                    let t = node.try_id.filter(|_| may_throw(insn)).or_else(|| self.before(n));
                    self.probe(self.probes.mark(), t);
                    if let Some(label) = self.behind_marks.get(&id) {
                        self.out.nodes.push(Node { item: Item::Label(*label), try_id: None });
                    }
                }
                let t = node.try_id.filter(|_| may_throw(insn)).or_else(|| self.before(n));
                self.probe(self.emitter.gathers(id), t);
                if let Some(&place) = self.restarts.get(&id) {
                    self.probe(self.probes.restart(place), t);
                }
            }
            let site = sites.next_if(|s| s.0 == n).map(|s| s.1);
            let of_clone = site.and_then(|site| self.call_of_clone(site, n, insn));
            if let Some((Some(copy), _)) = of_clone {
                // The copy is in the call's range, which it cannot leave.
                self.probe(vec![copy], node.try_id.or_else(|| self.before(n)));
            }
            if let Some(token) = site.filter(|_| of_clone.is_none()).and_then(|s| self.token(s)) {
                // The probe is in the call's range: it sees the same registers as the call.
                let t = node.try_id.or_else(|| self.before(n));
                self.probe(self.probes.token(token), t);
            }
            if subject.last_calls.contains(&n) {
                let t = node.try_id.or_else(|| self.before(n));
                self.probe(vec![self.probes.terminal()], t);
            }
            let exit = self.exits.of(n);
            if let Exit::Shared(label) = exit {
                self.out.nodes.push(Node { item: Item::Label(label), try_id: None });
            }
            let leaves = insn.op.is_return() && !subject.leaf;
            if leaves && !matches!(exit, Exit::Jump(_)) {
                self.leave(n);
            }
            if n == bounds.last {
                self.probe(self.emitter.branch(id), self.before(n));
            }
            let onward = if n == bounds.last { self.emitter.onward(id) } else { Vec::new() };
            // The probe comes before a jump, but after an instruction that may throw.
            let jumps = !insn.op.can_continue() || insn.op.is_branch() || insn.op.is_switch();
            if jumps {
                onward.iter().for_each(|&add| self.push(add, None));
            }
            if let Exit::Jump(label) = exit {
                self.push(Insn::goto(label), self.before(n));
            } else if !self.is_placeholder(n) {
                if !self.is_foreign(n) {
                    self.keep_address(n, insn);
                }
                let placed = match of_clone {
                    Some((_, call)) => call,
                    None => self.retarget(id, &self.place(n, insn)),
                };
                let guard = self.outer(n).filter(|_| exits::may_be_guarded(insn.op));
                self.push(placed, node.try_id.or(guard));
            }
            self.at = self.next_insn_node(n).unwrap_or(n);
            if insn.op == Op::MoveResultObject {
                let filtered = filter.map(|filter| self.filtered(filter, n, insn));
                self.probe(filtered.unwrap_or_default(), self.behind(n));
            }
            filter = self.filter(insn);
            pending_none |= matches!(site, Some(Site::Slot(_)));
            let glued = self.next_insn(n).is_some_and(|i| i.op.is_move_result());
            if pending_none && !glued {
                self.probe(vec![self.probes.none()], self.behind(n));
                pending_none = false;
            }
            if bounds.is_handler
                && n == subject.monitors.caught_behind(bounds.first)
                && self.is_op(bounds.first, Op::MoveException)
            {
                let probe = self.caught(id);
                self.items(probe, self.behind(n));
            }
            if !jumps {
                onward.iter().for_each(|&add| self.push(add, None));
            }
            if n == bounds.last {
                if let Some((label, probe)) = self.behind.remove(&id) {
                    if let Some(l) = label {
                        self.out.nodes.push(Node { item: Item::Label(l), try_id: None });
                    }
                    self.items(probe, self.behind(n));
                }
                block += 1;
            }
        }
    }

    /// Writes the code before the first instruction.
    fn entry(&mut self) {
        let subject = self.subject;
        self.at = subject.cfg.blocks[0].first;
        self.entry_line();
        for insn in subject.layout.prologue(&subject.code, &subject.parameters) {
            self.push(insn, None);
        }
        let entry = if self.plan.selected.is_some() {
            Vec::new()
        } else if let Some(state) = subject.state_parameter {
            self.probes.enter_clone(state, subject.leaf, subject.framed())
        } else if subject.leaf {
            self.probes.leaf(self.plan.id.0, subject.guarded)
        } else {
            let id = self.plan.id.0;
            counting::entry(self.plan)
                .and_then(|entry| self.probes.count_enter(id, entry, subject.guarded))
                .unwrap_or_else(|| self.probes.enter(id, subject.guarded, subject.framed()))
        };
        self.probe(entry, None);
        let mut begin = self.emitter.begin();
        if begin.is_empty() && !self.joins.is_empty() && !subject.paths.is_empty() {
            // For the verifier, edges that skip the probes before a block come through them.
            begin.push(self.probes.set_path(0));
        }
        for insn in begin {
            self.push(insn, None);
        }
        self.origins();
    }

    /// Asks where the callback came from. The guard is there for a full stack.
    fn origins(&mut self) {
        let subject = self.subject;
        if self.plan.origins[0].is_none() || subject.state_parameter.is_some() {
            return;
        }
        let range = self.before(self.at);
        self.emitter.block(BlockId(0)).into_iter().for_each(|known| self.push(known, range));
        for (asked, parameter) in self.plan.origins.into_iter().flatten() {
            let answer = subject.layout.place_reg(origins::register(subject, parameter));
            let probe = self.probes.origin(asked, answer);
            self.probe(probe, range);
        }
    }

    /// Writes trampolines, additional handler entries, moved returns and the boundary.
    fn tail(&mut self) {
        for (label, probe, t, target) in std::mem::take(&mut self.trampolines) {
            self.out.nodes.push(Node { item: Item::Label(label), try_id: None });
            self.at = self
                .subject
                .cfg
                .block_of(target)
                .map_or(self.at, |b| self.subject.cfg.block(b).first);
            self.items(probe, t);
            self.push(Insn::goto(target), t);
        }
        let mut entries: Vec<_> = std::mem::take(&mut self.handler_entries).into_iter().collect();
        entries.sort_unstable();
        for (block, label) in entries {
            let first = self.subject.cfg.block(block).first;
            let t = self.before(first);
            self.at = first;
            let target =
                self.behind_marks.get(&block).copied().unwrap_or_else(|| self.label_of(block));
            self.out.nodes.push(Node { item: Item::Label(label), try_id: None });
            let probe = self.caught(block);
            self.items(probe, t);
            self.push(Insn::goto(target), t);
        }
        self.place_moved_exits();
        self.place_cleanups();
        let Some(boundary) = self.boundary else { return };
        let label = self.out.new_label();
        let held_at_zero: Vec<bool> = self.tries_at_depth_zero();
        for (i, handlers) in self.out.tries.iter_mut().enumerate() {
            if i == boundary.0 as usize || (handlers.catch_all.is_none() && held_at_zero[i]) {
                handlers.catch_all = Some(label);
            }
        }
        trim::trim(&mut self.out.nodes, boundary);
        self.out.nodes.push(Node { item: Item::Label(label), try_id: None });
        let boundary = self.emitter.boundary();
        let full_stack = (!boundary.full_stack.is_empty()).then(|| {
            let label = self.out.new_label();
            self.out.tries.push(Handlers { catches: Vec::new(), catch_all: Some(label) });
            (label, TryId(self.out.tries.len() as u32 - 1))
        });
        let protected = boundary.protected.into_iter().map(|i| (i, full_stack.map(|f| f.1)));
        let begin = boundary.begin.into_iter().map(|i| (i, None));
        for (insn, t) in begin.chain(protected).chain(boundary.end.into_iter().map(|i| (i, None))) {
            self.push(insn, t);
        }
        if let Some((label, _)) = full_stack {
            self.out.nodes.push(Node { item: Item::Label(label), try_id: None });
            boundary.full_stack.into_iter().for_each(|insn| self.push(insn, None));
        }
    }

    /// Returns the branch of block `from` with its targets redirected to the probes.
    fn retarget(&mut self, from: BlockId, insn: &Insn) -> Insn {
        let new = |w: &Self, l: Label| {
            w.subject
                .cfg
                .block_of(l)
                .and_then(|to| w.redirects.get(&(from, to)).copied())
                .unwrap_or(l)
        };
        let args = match insn.args {
            Args::Jump(l) => Args::Jump(new(self, l)),
            Args::AJump(a, l) => Args::AJump(a, new(self, l)),
            Args::ABJump(a, b, l) => Args::ABJump(a, b, new(self, l)),
            Args::APayload(a, p) if insn.op.is_switch() => {
                let mut payload = self.subject.code.payloads[p.0 as usize].clone();
                match &mut payload {
                    dex::Payload::PackedSwitch { targets, .. } => {
                        targets.iter_mut().for_each(|l| *l = new(self, *l));
                    }
                    dex::Payload::SparseSwitch { cases } => {
                        cases.iter_mut().for_each(|c| c.1 = new(self, c.1))
                    }
                    dex::Payload::FillArray { .. } => {}
                }
                self.out.payloads[p.0 as usize] = payload;
                Args::APayload(a, p)
            }
            args => args,
        };
        Insn { op: insn.op, args }
    }

    fn place_debug(&self, event: &dex::debug::DebugEvent) -> dex::debug::DebugEvent {
        use dex::debug::DebugEvent::*;
        let mut event = event.clone();
        match &mut event {
            StartLocal { reg, .. } | EndLocal(reg) | RestartLocal(reg) => {
                *reg = self.subject.layout.place_reg(*reg)
            }
            _ => {}
        }
        event
    }

    /// Returns the value that the caller stores in `callToken`, if any (`docs/PROTOCOL.md` §2). A
    /// counting build has nothing to count if the callee is known.
    fn token(&self, site: Site) -> Option<i32> {
        match site {
            Site::Predicted(m) => self.plan.refs.counts.is_none().then_some(m.0 as i32),
            Site::Slot(s) => Some(runtime::slot_token(s)),
            Site::Implied(_) => None,
        }
    }

    /// Returns the filter that hides clones from the members that a call lists.
    fn filter(&self, insn: &Insn) -> Option<MethodIdx> {
        let Some(Ref::Method(name)) = insn.reference() else { return None };
        self.plan.lists?.get(&name).copied()
    }

    /// Writes the call of the filter after the `move-result-object` of such a call.
    fn filtered(&self, filter: MethodIdx, n: usize, result: &Insn) -> Vec<Insn> {
        let result = self.place(n, result);
        let Args::A(list) = result.args else { return Vec::new() };
        vec![self.probes.invoke(filter, &[list]), result]
    }

    /// Returns a call of the callee's clone, if there is one and the call has room for the state,
    /// and the instructions before it that copy the state to a reachable register.
    fn call_of_clone(&mut self, site: Site, n: usize, insn: &Insn) -> Option<(Option<Insn>, Insn)> {
        let (Site::Predicted(_), Some(Ref::Method(name))) = (site, insn.reference()) else {
            return None;
        };
        let clone = *self.plan.clones?.get(&name)?;
        let state = self.subject.layout.scratch.state;
        let carrier = self.carriers.get(&n).copied().filter(|_| !self.subject.layout.scratch.low);
        let call = clones::with_state(&self.place(n, insn), carrier.unwrap_or(state))?;
        let Args::List(list, _) = call.args else { return None };
        self.out.outs = self.out.outs.max(list.len() as u16);
        let call = Insn { op: call.op, args: Args::List(list, Ref::Method(clone)) };
        Some((carrier.map(|carrier| Insn::copy(MoveKind::Object, carrier, state)), call))
    }

    fn push(&mut self, insn: Insn, try_id: Option<TryId>) {
        self.out.nodes.push(Node { item: Item::Insn(insn), try_id });
    }

    fn items(&mut self, items: Vec<Item>, try_id: Option<TryId>) {
        let items = match &self.subject.free {
            Some(free) => free.reach(items, self.at),
            None => items,
        };
        for item in items {
            let try_id = try_id.filter(|_| matches!(item, Item::Insn(_)));
            self.out.nodes.push(Node { item, try_id });
        }
    }

    fn probe(&mut self, insns: Vec<Insn>, try_id: Option<TryId>) {
        self.items(items(insns), try_id);
    }
}

/// Returns the registers that carry the state to calls of clones, by node of the woven code.
fn carriers(subject: &Subject, weave: &MethodContext<'_>) -> Carriers {
    let node = |n: usize| subject.node_map.as_ref().map_or(n, |node_map| node_map.nodes[n]);
    let own = weave.carriers.into_iter().flatten();
    own.map(|(&n, &carrier)| (node(n), carrier)).collect()
}

fn handler_id(subject: &Subject, weave: &MethodContext<'_>, block: BlockId) -> u32 {
    let i = subject.handlers.binary_search(&block).expect("asked for handler blocks only");
    weave.first_handler + i as u32
}
