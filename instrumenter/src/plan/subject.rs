//! Decoded methods that take part; and why others are left as they were.

use dex::{Code, MoveKind, Reg};
use model::map::{BlockId, Codec};
use model::pap::Joins;

use crate::analysis::cfg::{Cfg, End};
use crate::analysis::inlined_branches::InlinedBranches;
use crate::analysis::program::{MethodNo, Reach};
use crate::analysis::protection::Monitors;
use crate::plan::by_subject::BySubject;
use crate::plan::hosts::{Host, Spliced};
use crate::plan::path_numbers;
use crate::plan::regions::Paths;
use crate::rewrite::registers::RegisterLayout;
use crate::rewrite::scavenge::Free;

/// Nodes that an inlined callee may have.
const MAX_INLINED_NODES: usize = 64;

/// Why a method was left as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    /// None of its paths is to be counted.
    #[error("no path of it is selected")]
    Unselected,
    /// The user's `--include`/`--exclude`.
    #[error("excluded by the user")]
    Excluded,
    /// Its code cannot be decoded.
    #[error("{0}")]
    Malformed(String),
    /// No instruction at all.
    #[error("empty body")]
    Empty,
    /// No scratch register within reach of the instruction formats.
    #[error("{0} registers leave no free one for probes below v256")]
    Registers(u16),
    /// More alternatives than the probability tables can hold.
    #[error("a branch with {0} alternatives")]
    Alternatives(usize),
    /// More blocks than the codec has numbers for.
    #[error("{0} blocks; 16 bits are too few to number them")]
    Blocks(usize),
    /// The instrumented code could not be written.
    #[error("instrumented code cannot be written: {0}")]
    Lowering(String),
    /// ART would not load the instrumented code.
    #[error("ART's verifier would refuse the instrumented code: {0}")]
    Verifier(String),
    /// Another dex file before this one defines the class.
    #[error("its class is defined in an earlier dex file too")]
    Duplicate,
    /// Its body is that of many other methods, too.
    #[error(
        "it shares its code with other methods, and a copy for each of them would take too much"
    )]
    Shared,
    /// Probes would make it larger than ART compiles.
    #[error(
        "would grow from {before} to {after} code units, past what ART compiles \
         (--huge-methods keep)"
    )]
    Huge {
        /// Code units as it is.
        before: u32,
        /// Code units with probes.
        after: u32,
    },
    /// Left for the size of the dex files.
    #[error("left to hold --max-size-growth")]
    Size,
    /// Left for the size of the log.
    #[error("left to hold --max-log-rate")]
    Rate,
    /// Left for the run time.
    #[error("left to hold --max-slowdown")]
    Slow,
}

impl SkipReason {
    /// Whether a limit that the build must hold is the reason ([`crate::Limits`]).
    pub fn is_limit(&self) -> bool {
        use SkipReason::{Huge, Rate, Size, Slow};
        matches!(self, Huge { .. } | Size | Rate | Slow)
    }
}

/// A decoded method.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Which one.
    pub no: MethodNo,
    /// Its code.
    pub code: Code,
    /// Original address of each node.
    pub addresses: Vec<u32>,
    /// Its graph.
    pub cfg: Cfg,
    /// Where it holds monitors, and what frees them.
    pub monitors: Monitors,
    /// For probes that cannot reach their registers: a free one at each place.
    pub free: Option<Free>,
    /// Blocks that are exception handlers, ascending.
    pub handlers: Vec<BlockId>,
    /// Whether it gets a boundary guard.
    pub guarded: bool,
    /// Where registers lie.
    pub layout: RegisterLayout,
    /// Parameter words.
    pub parameters: Vec<MoveKind>,
    /// Parameters without `this`.
    pub declared_parameters: usize,
    /// Calls inside the app, by node.
    pub calls: usize,
    /// Hash of the body.
    pub fingerprint: u64,
    /// Hash of each branch block, in block order.
    pub branches: Vec<(BlockId, u64)>,
    /// Whether the session's terminal blocks are here (`onStop`, `onDestroy`).
    pub terminal: bool,
    /// Whether nothing but its entry and its exit can happen in it.
    pub leaf: bool,
    /// Whether a ring's reader can begin at its loops: see `plan::restarts`.
    pub bottom: bool,
    /// Whether it carries no probes, because its calls tell all that it does: see
    /// `plan::implied`.
    pub implied: bool,
    /// Decisions that go into the path register.
    pub paths: Paths,
    /// Where path numbers change, for codec `pap`.
    pub pap: Option<Joins>,
    /// Registers for inlined callees, beside those of the probes.
    pub spare: u16,
    /// True if returns of an object may become one: ART's verifier joins the types of what they
    /// return.
    pub joins_results: bool,
    /// Whether no handler may read a register that changes: nothing is in the path register here.
    pub x86_safe: bool,
    /// Nodes of calls that end the process, ascending.
    pub last_calls: Vec<usize>,
    /// Registers for probes, where selected paths are counted and nothing else is recorded.
    pub counted: Option<u16>,
    /// How its code came about, if callees are inlined in it.
    pub spliced: Option<Box<Spliced>>,
    /// Where the thread's state comes in, in a clone (`plan::clones`).
    pub state_parameter: Option<Reg>,
}

impl Subject {
    /// As the code of its clone: nothing outside enters it, so it has no guard.
    pub fn into_clone(mut self) -> Subject {
        let all = self.code.registers + self.scratch_count() + self.spare;
        self.state_parameter = Some(Reg(all));
        self.guarded = false;
        self.bottom = false;
        // Registers stay where they were found.
        self.spare = all - self.code.registers - self.scratch_count();
        self
    }

    /// Whether a frame number register is needed.
    pub fn framed(&self) -> bool {
        !self.leaf && self.counted.is_none() && (self.guarded || !self.handlers.is_empty())
    }

    /// Where a register lies that the instruction at a node names: those of inlined callees are in
    /// place already.
    pub fn placed(&self, node: usize, reg: Reg) -> Reg {
        let is_foreign = self.spliced.as_ref().is_some_and(|spliced| spliced.foreign[node]);
        if is_foreign { reg } else { self.layout.place_reg(reg) }
    }

    /// Whether what is gathered is written through to the state wherever something may be thrown.
    /// Otherwise handlers look at the path register. A method with a `try` is dear: ART 10 never
    /// inlines it, and leaves loads and loops in it as they are. But a loop would write often,
    /// where a handler costs an interpreter nothing.
    pub fn writes_through(&self, codec: Codec) -> bool {
        let has_handlers = self.guarded || !self.code.tries.is_empty();
        codec != Codec::Counts && self.paths.throws && !self.paths.repeats && !has_handlers
    }

    /// Whether the path register must be zero wherever nothing is gathered: loops begin to count at
    /// zero, and handlers ask whether something was under way.
    pub fn tracks(&self, codec: Codec) -> bool {
        let asks = self.framed() || (self.paths.throws && !self.writes_through(codec));
        !self.paths.is_empty() && (asks || !self.paths.loops.is_empty())
    }

    /// Whether it is of the kind that is inlined: it branches, and only forwards.
    fn is_simple(&self) -> bool {
        let forwards = |b: usize, end: &End| {
            !matches!(end, End::Throw) && end.successors().iter().all(|to| to.0 as usize > b)
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
                End::Return => return true,
                End::Goto(to) => at = to.0 as usize,
                End::Branch(_) | End::Throw => return false,
            }
        }
        false
    }

    /// Scratch registers in use.
    pub fn scratch_count(&self) -> u16 {
        match (self.pap.as_ref(), self.counted) {
            (Some(_), _) if !self.leaf => path_numbers::REGISTERS,
            (_, Some(count)) => count,
            _ => scratch_count(self.leaf, self.framed(), !self.paths.is_empty()),
        }
    }
}

/// Scratch registers of a method without the numbers of codec `pap`.
pub(crate) fn scratch_count(leaf: bool, framed: bool, has_paths: bool) -> u16 {
    if leaf { 1 } else { 2 + u16::from(framed) + u16::from(has_paths) }
}

/// A call inside the app.
#[derive(Debug, Clone)]
pub struct CallInApp {
    /// Its node.
    pub node: u32,
    /// The method that it names.
    pub method: dex::MethodIdx,
    /// What it reaches.
    pub reach: Reach,
    /// Whether the callee depends on the object (`invoke-virtual`).
    pub looks_up: bool,
    /// Whether its block ends in `throw`.
    pub throws: bool,
}

/// A branch block of a method.
#[derive(Debug, Clone, Copy)]
pub struct BranchSummary {
    /// The block.
    pub block: BlockId,
    /// How many alternatives it has.
    pub ways: u32,
    /// Its hash.
    pub fingerprint: u64,
}

/// What is kept of a method that takes part, while others are looked at:
/// [`Selection::open`] takes it apart again.
#[derive(Debug, Clone)]
pub struct Summary {
    /// Which one.
    pub no: MethodNo,
    /// Instructions.
    pub instructions: u32,
    /// Hash of the body.
    pub fingerprint: u64,
    /// Branch blocks, in block order.
    pub branches: Box<[BranchSummary]>,
    /// Those of them that R8 brought by inlining, as the mapping tells.
    pub inlined: Box<[InlinedBranches]>,
    /// Blocks that are exception handlers, ascending.
    pub handlers: Box<[BlockId]>,
    /// Calls inside the app, by node; none once they are forgotten.
    pub calls: Box<[CallInApp]>,
    /// How many there are.
    pub call_count: u32,
    /// Where registers lie.
    pub layout: RegisterLayout,
    /// How many regions it has.
    pub regions: u32,
    /// How many counted loops it has.
    pub loops: u32,
    /// Whether it gets a boundary guard.
    pub guarded: bool,
    /// Whether nothing but its entry and its exit can happen in it.
    pub leaf: bool,
    /// Whether the session's terminal blocks are here.
    pub terminal: bool,
    /// Whether probes need a free register at each place ([`Subject::free`]).
    pub needs_free: bool,
    /// Whether it is of the kind that is inlined: it branches, and only forwards.
    pub simple: bool,
    /// Whether it goes from its entry to its return without a decision, a loop or a handler.
    pub straight: bool,
    /// Whether it carries no probes, because its calls tell all that it does: see `plan::implied`.
    pub implied: bool,
    /// Whether a ring's reader can begin at its loops: see `plan::restarts`.
    pub bottom: bool,
}

impl Summary {
    /// Of a method as it was taken apart first.
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

    /// Whether decisions go into the path register.
    pub fn has_paths(&self) -> bool {
        self.regions > 0 || self.loops > 0
    }
}

/// What takes part.
#[derive(Debug)]
pub struct Selection {
    /// Methods to instrument, ascending.
    pub subjects: BySubject<Summary>,
    /// Methods left alone.
    pub skipped: Vec<(MethodNo, SkipReason)>,
    /// The codec that they were selected for.
    pub codec: Codec,
    /// Whether nothing may go into the path register in methods that use arrays.
    pub x86_safe: bool,
    /// Those that have callees' code in them.
    pub hosts: BySubject<Option<Box<Host>>>,
    /// Whether all calls that list the members of a class are in methods that take part.
    pub lists_are_woven: bool,
}

impl Selection {
    /// Frees the memory of the calls: their plan has what probes need of them.
    pub(crate) fn forget_calls(&mut self) {
        self.subjects.iter_mut().for_each(|s| s.calls = Box::default());
    }
}
