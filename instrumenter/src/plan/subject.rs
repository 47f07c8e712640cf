//! Decoded methods that take part, and the reasons why others are left unchanged.

use dex::{Code, MoveKind, Reg};
use model::map::BlockId;
use model::pap::Joins;
use model::recording::Recording;

use crate::analysis::cfg::{BlockEnd, Cfg};
use crate::analysis::inlined_branches::InlinedBranches;
use crate::analysis::program::{MethodNo, Reach};
use crate::analysis::protection::Monitors;
use crate::plan::by_subject::BySubject;
use crate::plan::inlining::{InliningPlan, NodeMap};
use crate::plan::path_numbers;
use crate::plan::regions::Paths;
use crate::rewrite::registers::{RegisterLayout, SELECTED};
use crate::rewrite::scavenge::FreeRegisters;

/// Largest number of nodes of an inlined callee.
const MAX_INLINED_NODES: usize = 64;

/// Reason why a method is left unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    /// None of its paths is selected.
    #[error("no path of it is selected")]
    Unselected,
    /// The include and exclude globs leave it out.
    #[error("excluded by the user")]
    Excluded,
    /// Its code cannot be decoded.
    #[error("{0}")]
    Malformed(String),
    /// It has no instruction.
    #[error("empty body")]
    Empty,
    /// Its number of registers leaves none within reach of the instruction formats.
    #[error("{0} registers leave no free one for probes below v256")]
    Registers(u16),
    /// A branch has more alternatives than the probability tables can hold.
    #[error("a branch with {0} alternatives")]
    Alternatives(usize),
    /// It has more blocks than the codec can number.
    #[error("{0} blocks; 16 bits are too few to number them")]
    Blocks(usize),
    /// The instrumented code could not be written.
    #[error("instrumented code cannot be written: {0}")]
    Lowering(String),
    /// ART's verifier would reject the instrumented code.
    #[error("ART's verifier would refuse the instrumented code: {0}")]
    Verifier(String),
    /// An earlier dex file defines its class.
    #[error("its class is defined in an earlier dex file too")]
    Duplicate,
    /// It shares its body with too many other methods.
    #[error(
        "it shares its code with other methods, and a copy for each of them would take too much"
    )]
    Shared,
    /// Probes would make it larger than ART compiles.
    #[error("would grow from {before} to {after} code units, past what ART compiles")]
    Huge {
        /// Code units without probes.
        before: u32,
        /// Code units with probes.
        after: u32,
    },
    /// A limit of the dex files' size.
    #[error("left to hold the limit of the size")]
    Size,
    /// A limit of the log rate.
    #[error("left to hold the limit of the log rate")]
    Rate,
    /// A limit of the run time.
    #[error("left to hold the limit of the run time")]
    Slow,
    /// Its calls would determine its path, but all are in methods that a limit left.
    #[error("only methods that a limit left call it")]
    CallersLeft,
}

impl SkipReason {
    /// Returns true if the reason is a limit that the build must hold ([`crate::Limits`]).
    pub fn is_limit(&self) -> bool {
        use SkipReason::{CallersLeft, Huge, Rate, Size, Slow};
        matches!(self, Huge { .. } | Size | Rate | Slow | CallersLeft)
    }
}

/// A decoded method.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Number of the method.
    pub no: MethodNo,
    /// Its instructions.
    pub code: Code,
    /// Original address of each node.
    pub addresses: Vec<u32>,
    /// Its control-flow graph.
    pub cfg: Cfg,
    /// Facts about its monitors.
    pub monitors: Monitors,
    /// For methods whose probe registers are out of reach: a free register at each node.
    pub free: Option<FreeRegisters>,
    /// Blocks that are exception handlers, ascending.
    pub handlers: Vec<BlockId>,
    /// True if it gets a boundary guard.
    pub guarded: bool,
    /// Layout of its registers.
    pub layout: RegisterLayout,
    /// Kinds of its parameters.
    pub parameters: Vec<MoveKind>,
    /// Number of parameters without `this`.
    pub declared_parameters: usize,
    /// Number of calls inside the app.
    pub calls: usize,
    /// Hash of the body.
    pub fingerprint: u64,
    /// Hash of each branch block, in block order.
    pub branches: Vec<(BlockId, u64)>,
    /// True if it contains the session's terminal blocks (`onStop`, `onDestroy`).
    pub terminal: bool,
    /// True if nothing but its entry and its exit can happen in it.
    pub leaf: bool,
    /// True if a reader of a ring buffer can begin at its loops: see `plan::restarts`.
    pub bottom: bool,
    /// True if it has no probes because its calls already determine its path: see `plan::implied`.
    pub implied: bool,
    /// Decisions that go into the path register.
    pub paths: Paths,
    /// Joins with changes of path numbers, for codec `pap`.
    pub pap: Option<Joins>,
    /// Number of registers for inlined callees, beside those of the probes.
    pub spare: u16,
    /// True if returns of an object may be merged: ART's verifier then joins the types of the
    /// returned objects.
    pub joins_results: bool,
    /// True if no handler may read a register that changes: the method then has no path register.
    pub x86_safe: bool,
    /// Nodes of calls that end the process, ascending.
    pub last_calls: Vec<usize>,
    /// Number of registers for probes if selected paths are counted and nothing else is recorded.
    pub counted: Option<u16>,
    /// Composition of its code, if callees are inlined in it.
    pub node_map: Option<Box<NodeMap>>,
    /// Register of the thread's state at the entry of a clone (`plan::clones`).
    pub state_parameter: Option<Reg>,
}

impl Subject {
    /// Converts the subject to that of its clone: nothing outside enters a clone, so it has no
    /// guard.
    pub fn into_clone(mut self) -> Subject {
        let all = self.code.registers + self.scratch_count() + self.spare;
        self.state_parameter = Some(Reg(all));
        self.guarded = false;
        self.bottom = false;
        // Registers stay in the layout that was found.
        self.spare = all - self.code.registers - self.scratch_count();
        self
    }

    /// Returns true if a frame number register is needed.
    pub fn framed(&self) -> bool {
        !self.leaf && self.counted.is_none() && (self.guarded || !self.handlers.is_empty())
    }

    /// Returns the new register for a register of the instruction at a node; those of inlined
    /// callees are final already.
    pub fn placed(&self, node: usize, reg: Reg) -> Reg {
        let is_foreign = self.node_map.as_ref().is_some_and(|node_map| node_map.foreign[node]);
        if is_foreign { reg } else { self.layout.place_reg(reg) }
    }

    /// Returns true if the path register is copied to the state wherever something may be thrown.
    /// Otherwise handlers read the path register. A method with a `try` is expensive: ART 10 never
    /// inlines it, and does not optimise its loads and loops. But a loop would write often, where a
    /// handler costs an interpreter nothing.
    pub fn writes_through(&self, recording: Recording) -> bool {
        let has_handlers = self.guarded || !self.code.tries.is_empty();
        recording != Recording::Edges && self.paths.throws && !self.paths.repeats && !has_handlers
    }

    /// Returns true if the path register must be zero outside regions and loops: loops begin to
    /// count at zero, and handlers test if a path was open.
    pub fn tracks(&self, recording: Recording) -> bool {
        let asks = self.framed() || (self.paths.throws && !self.writes_through(recording));
        !self.paths.is_empty() && (asks || !self.paths.loops.is_empty())
    }

    /// Returns true if it may be inlined by its form: it branches, and only forwards.
    fn is_simple(&self) -> bool {
        let forwards = |b: usize, end: &BlockEnd| {
            !matches!(end, BlockEnd::Throw) && end.successors().iter().all(|to| to.0 as usize > b)
        };
        !self.leaf
            && !self.branches.is_empty()
            && self.code.nodes.len() <= MAX_INLINED_NODES
            && self.handlers.is_empty()
            && self.code.tries.is_empty()
            && self.code.payloads.is_empty()
            && !self.terminal
            && self.pap.is_none()
            && self.free.is_none()
            && self.cfg.blocks.iter().enumerate().all(|(b, block)| forwards(b, &block.end))
    }

    fn is_straight(&self) -> bool {
        let decides = !self.handlers.is_empty() || !self.branches.is_empty();
        if decides || self.terminal || !self.last_calls.is_empty() {
            return false;
        }
        let mut at = 0;
        for _ in 0..self.cfg.blocks.len() {
            match &self.cfg.blocks[at].end {
                BlockEnd::Return => return true,
                BlockEnd::Goto(to) => at = to.0 as usize,
                BlockEnd::Branch(_) | BlockEnd::Throw => return false,
            }
        }
        false
    }

    /// Returns the number of scratch registers.
    pub fn scratch_count(&self) -> u16 {
        match (self.pap.as_ref(), self.counted) {
            (Some(_), _) if !self.leaf => path_numbers::REGISTERS,
            (_, Some(count)) => count,
            _ => scratch_count(self.leaf, self.framed(), !self.paths.is_empty()),
        }
    }
}

/// Returns the number of scratch registers of a method without the numbers of codec `pap`.
pub(crate) fn scratch_count(leaf: bool, framed: bool, has_paths: bool) -> u16 {
    if leaf { 1 } else { 2 + u16::from(framed) + u16::from(has_paths) }
}

/// A call inside the app.
#[derive(Debug, Clone)]
pub struct CallInApp {
    /// Node of the call.
    pub node: u32,
    /// Reference of the called method.
    pub method: dex::MethodIdx,
    /// Methods that it can reach.
    pub reach: Reach,
    /// True if its reference gets a slot for the first time in this build, because calls of it were
    /// observed to lead back into the app.
    pub gets_first_slot: bool,
    /// True if the callee depends on the object (`invoke-virtual`).
    pub looks_up: bool,
    /// True if it may run the initialiser of the callee's class first (`invoke-static`).
    pub may_initialise: bool,
    /// True if its block ends in `throw`.
    pub throws: bool,
}

/// A branch block of a method.
#[derive(Debug, Clone, Copy)]
pub struct BranchSummary {
    /// Number of the block.
    pub block: BlockId,
    /// Number of alternatives.
    pub ways: u32,
    /// Hash of the branch.
    pub fingerprint: u64,
}

/// Facts of a method that takes part, kept while others are decoded: [`Selection::open`] decodes it
/// again.
#[derive(Debug, Clone)]
pub struct Summary {
    /// Number of the method.
    pub no: MethodNo,
    /// Number of instructions.
    pub instructions: u32,
    /// Hash of the body.
    pub fingerprint: u64,
    /// Branch blocks, in block order.
    pub branches: Box<[BranchSummary]>,
    /// Branches that R8 inlined from other methods, according to the mapping.
    pub inlined: Box<[InlinedBranches]>,
    /// Blocks that are exception handlers, ascending.
    pub handlers: Box<[BlockId]>,
    /// Calls inside the app, by node; empty once they are dropped.
    pub calls: Box<[CallInApp]>,
    /// Number of calls inside the app.
    pub call_count: u32,
    /// Layout of its registers.
    pub layout: RegisterLayout,
    /// Number of regions.
    pub regions: u32,
    /// Number of counted loops.
    pub loops: u32,
    /// True if it gets a boundary guard.
    pub guarded: bool,
    /// True if nothing but its entry and its exit can happen in it.
    pub leaf: bool,
    /// True if it contains the session's terminal blocks.
    pub terminal: bool,
    /// True if probes need a free register at each node ([`Subject::free`]).
    pub needs_free: bool,
    /// True if it may be inlined by its form: it branches, and only forwards.
    pub simple: bool,
    /// True if it runs from its entry to its return without a decision, a loop or a handler.
    pub straight: bool,
    /// True if it has no probes because its calls already determine its path: see `plan::implied`.
    pub implied: bool,
    /// True if a reader of a ring buffer can begin at its loops: see `plan::restarts`.
    pub bottom: bool,
}

impl Summary {
    /// Summarises a method when it is decoded for the first time.
    pub(crate) fn of(s: &Subject, calls: Vec<CallInApp>) -> Summary {
        let branches = s.branches.iter().map(|&(block, fingerprint)| {
            let ways = s.cfg.block(block).end.successors().len() as u32;
            BranchSummary { block, ways, fingerprint }
        });
        Summary {
            no: s.no,
            instructions: s.code.insns().count() as u32,
            fingerprint: s.fingerprint,
            branches: branches.collect(),
            inlined: Box::default(),
            handlers: s.handlers.as_slice().into(),
            call_count: calls.len() as u32,
            calls: calls.into(),
            layout: s.layout,
            regions: s.paths.regions.len() as u32,
            loops: s.paths.loops.len() as u32,
            guarded: s.guarded,
            leaf: s.leaf,
            terminal: s.terminal,
            needs_free: s.free.is_some(),
            simple: s.is_simple(),
            straight: s.is_straight(),
            implied: false,
            bottom: false,
        }
    }

    /// Returns true if decisions go into the path register.
    pub fn has_paths(&self) -> bool {
        self.regions > 0 || self.loops > 0
    }
}

/// Methods that take part, and methods that do not.
#[derive(Debug)]
pub struct Selection {
    /// Methods to instrument, ascending.
    pub subjects: BySubject<Summary>,
    /// Methods left unchanged, with the reasons.
    pub skipped: Vec<(MethodNo, SkipReason)>,
    /// Probes that they were selected for.
    pub probing: Probing,
    /// Inlined calls of the methods that have some.
    pub inlining: BySubject<Option<Box<InliningPlan>>>,
    /// True if all calls that list the members of a class are in methods that take part.
    pub lists_are_woven: bool,
}

/// Choices that decide which registers the probes of a method need.
#[derive(Debug, Clone, Copy)]
pub struct Probing {
    /// The codec, which decides what may go into the path register.
    pub recording: Recording,
    /// True if nothing may go into the path register in methods that use arrays.
    pub x86_safe: bool,
    /// Number of registers if selected paths are counted.
    pub path_registers: u16,
}

impl From<Recording> for Probing {
    fn from(recording: Recording) -> Probing {
        Probing { recording, x86_safe: false, path_registers: SELECTED }
    }
}

impl Selection {
    /// Drops the calls to free their memory: the plan contains what probes need of them.
    pub(crate) fn forget_calls(&mut self) {
        self.subjects.iter_mut().for_each(|s| s.calls = Box::default());
    }
}
