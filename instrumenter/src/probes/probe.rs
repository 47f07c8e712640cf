//! Probes as bytecode: the calls into the runtime that carry the model's numbers.

use dex::{Args, Dex, Insn, MethodIdx, Op, Ref, Reg, RegList};
use model::cells::PAGE_CELLS;
use model::recording::{Recording, Wire};

use model::protocol::probes;

use crate::options::CountStorage;
use crate::plan::origins::Asked;
use crate::plan::switch_lookup::{Key, SwitchLookup};
use crate::probes::adaptive::AdaptiveRefs;
use crate::probes::counts::{CountRefs, CountingEntry};
use crate::probes::pap_refs::PapRefs;
use crate::probes::runtime::BuildPackage;
use crate::probes::short_symbols::ShortSymbols;
use crate::rewrite::registers::Scratch;

/// References to the runtime, interned in one dex file.
#[derive(Debug, Clone, Copy)]
pub struct RuntimeRefs {
    enter: MethodIdx,
    enter_guarded: MethodIdx,
    exit: MethodIdx,
    exit_guarded: MethodIdx,
    leaf: MethodIdx,
    leaf_guarded: MethodIdx,
    frame: MethodIdx,
    symbol: MethodIdx,
    /// Short probes of the range wire.
    pub(crate) short: Option<ShortSymbols>,
    call: MethodIdx,
    none: MethodIdx,
    caught: MethodIdx,
    unwound: MethodIdx,
    terminal: MethodIdx,
    path: MethodIdx,
    lookup_packed: [MethodIdx; 2],
    lookup_sparse: [MethodIdx; 2],
    key: MethodIdx,
    trips: MethodIdx,
    lap: MethodIdx,
    broken: MethodIdx,
    caught_broken: MethodIdx,
    gather: MethodIdx,
    /// Fields of the state; `None` in counting builds.
    fields: Option<StateFields>,
    adaptive: Option<AdaptiveRefs>,
    pub(crate) counts: Option<CountRefs>,
    /// Hit of a selected path, in a build that counts them.
    hit: Option<MethodIdx>,
    pub(crate) pap: Option<PapRefs>,
    /// Restart probe, in a build whose readers can begin inside callbacks.
    pub(crate) restart: Option<MethodIdx>,
    /// Fields of inline coders, in a build that has some.
    pub(crate) coder: Option<CoderFields>,
    /// Probes of the origins of callbacks, in the order of [`Asked::ALL`]; those that are used.
    pub(crate) origins: [Option<MethodIdx>; Asked::ALL.len()],
}

/// Returns the probe of a question.
pub(crate) const fn origin_probe(asked: Asked) -> probes::Probe {
    match asked {
        Asked::View => probes::ORIGIN_VIEW,
        Asked::Menu => probes::ORIGIN_MENU,
        Asked::Intent => probes::ORIGIN_INTENT,
        Asked::Position => probes::ORIGIN_POSITION,
        Asked::Key => probes::ORIGIN_KEY,
    }
}

/// Fields of the state for inline coders.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoderFields {
    pub low: dex::FieldIdx,
    pub range: dex::FieldIdx,
    /// Slices of path numbers.
    pub paths: dex::FieldIdx,
}

/// Fields of the state.
#[derive(Debug, Clone, Copy)]
struct StateFields {
    token: dex::FieldIdx,
    count: dex::FieldIdx,
    paths: dex::FieldIdx,
    gathered: dex::FieldIdx,
}

/// Largest number of method references that probes of one build add to a dex file.
pub const RUNTIME_METHOD_REFS: usize = 55;

impl RuntimeRefs {
    /// Interns the references of a codec's probes in a build. `hits` is the storage of hit counts
    /// of selected paths.
    pub fn intern(
        dex: &mut Dex,
        recording: Recording,
        hits: CountStorage,
        package: &BuildPackage,
    ) -> RuntimeRefs {
        let adaptive = AdaptiveRefs::intern(dex, recording, package);
        let pap = PapRefs::intern(dex, recording, package);
        let by_wire = match recording.wire() {
            Wire::Range => probes::PROBES,
            Wire::Packed => probes::PACKED,
        };
        let counts = CountRefs::intern(dex, recording, package);
        let probe = match hits {
            CountStorage::Durable => probes::PATH_HIT,
            CountStorage::Periodic => probes::PATH_COUNT,
        };
        let hit = (recording == Recording::Paths).then(|| package.method(dex, probes::HITS, probe));
        // A counting build has probes of its own: none of these is ever used.
        let own = counts.map(|c| c.page).or(hit);
        let mut wired = |m| own.unwrap_or_else(|| package.method(dex, by_wire, m));
        let path = wired(probes::PATH);
        let lookup_packed = [wired(probes::LOOKUP_PACKED), wired(probes::LOOKUP_PACKED_KEY)];
        let lookup_sparse = [wired(probes::LOOKUP_SPARSE), wired(probes::LOOKUP_SPARSE_KEY)];
        let trips = wired(probes::TRIPS);
        let short = (recording.wire() == Wire::Range && own.is_none())
            .then(|| ShortSymbols::intern(dex, package));
        let mut method = |m| own.unwrap_or_else(|| package.method(dex, probes::PROBES, m));
        RuntimeRefs {
            enter: method(probes::ENTER),
            enter_guarded: method(probes::ENTER_GUARDED),
            exit: method(probes::EXIT),
            exit_guarded: method(probes::EXIT_GUARDED),
            leaf: method(probes::LEAF),
            leaf_guarded: method(probes::LEAF_GUARDED),
            frame: method(probes::FRAME),
            symbol: match recording.wire() {
                Wire::Range => method(probes::STEP),
                Wire::Packed => method(probes::PUT),
            },
            short,
            call: method(probes::CALL),
            none: method(probes::NONE),
            caught: method(probes::CAUGHT),
            unwound: method(probes::UNWOUND),
            terminal: method(probes::TERMINAL),
            path,
            lookup_packed,
            lookup_sparse,
            key: method(probes::KEY),
            trips,
            lap: method(probes::LAP),
            broken: method(probes::BROKEN),
            caught_broken: method(probes::CAUGHT_BROKEN),
            gather: method(probes::GATHER),
            fields: own.is_none().then(|| StateFields {
                token: package.state_field(dex, probes::STATE_CALL_TOKEN, "I"),
                count: package.state_field(dex, probes::STATE_PROGRESS, "I"),
                paths: package.state_field(dex, probes::STATE_PATHS, "[I"),
                gathered: package.state_field(dex, probes::STATE_GATHERED, "I"),
            }),
            adaptive,
            counts,
            hit,
            pap,
            restart: None,
            coder: None,
            origins: [None; Asked::ALL.len()],
        }
    }

    /// Interns the fields of inline coders.
    pub(crate) fn with_coder(self, dex: &mut Dex, package: &BuildPackage) -> RuntimeRefs {
        let coder = CoderFields {
            low: package.state_field(dex, probes::STATE_LOW, "J"),
            range: package.state_field(dex, probes::STATE_RANGE, "J"),
            paths: package.state_field(dex, probes::STATE_PATHS, "[I"),
        };
        RuntimeRefs { coder: Some(coder), ..self }
    }

    /// Interns the probes of these questions.
    pub(crate) fn with_origins(
        self,
        dex: &mut Dex,
        package: &BuildPackage,
        asked: &[Asked],
    ) -> RuntimeRefs {
        let intern = |one: Asked| {
            asked.contains(&one).then(|| package.method(dex, probes::ORIGINS, origin_probe(one)))
        };
        RuntimeRefs { origins: Asked::ALL.map(intern), ..self }
    }

    /// Interns the restart probe.
    pub(crate) fn with_restarts(self, dex: &mut Dex, package: &BuildPackage) -> RuntimeRefs {
        RuntimeRefs { restart: Some(package.method(dex, probes::PROBES, probes::RESTART)), ..self }
    }
}

/// Emits probes for one method.
#[derive(Debug, Clone, Copy)]
pub struct Probes<'a> {
    /// References of the probes.
    pub refs: &'a RuntimeRefs,
    /// Registers of the probes.
    pub scratch: Scratch,
    /// True if progress is counted inline as far as registers are in reach: six code units instead
    /// of three, but no call.
    pub in_place: bool,
}

impl Probes<'_> {
    pub(crate) fn konst(&self, value: i32) -> Insn {
        let temp = self.scratch.temp;
        // Above v255 the weaver copies it through a free register (`crate::rewrite::scavenge`).
        Insn::const_int(temp, value)
            .unwrap_or(Insn { op: Op::Const, args: Args::ALit(temp, value.into()) })
    }

    /// Calls a method with the given scratch registers as arguments.
    pub(crate) fn invoke(&self, method: MethodIdx, args: &[Reg]) -> Insn {
        match RegList::new(args) {
            Some(list) => {
                Insn { op: Op::InvokeStatic, args: Args::List(list, Ref::Method(method)) }
            }
            None => {
                debug_assert!(args.windows(2).all(|w| w[1].0 == w[0].0 + 1));
                Insn {
                    op: Op::InvokeStaticRange,
                    args: Args::Range(args[0], args.len() as u16, Ref::Method(method)),
                }
            }
        }
    }

    /// Calls `method(state, register)`, through the temporary if a range form needs it adjacent to
    /// the state.
    fn with(&self, method: MethodIdx, register: Reg) -> Vec<Insn> {
        let s = self.scratch;
        if s.low {
            return vec![self.invoke(method, &[s.state, register])];
        }
        vec![
            Insn::copy(dex::MoveKind::Single, s.temp, register),
            self.invoke(method, &[s.state, s.temp]),
        ]
    }

    fn with_frame(&self, method: MethodIdx) -> Vec<Insn> {
        self.with(method, self.scratch.frame)
    }

    /// Sets the path register.
    pub fn set_path(&self, value: i32) -> Insn {
        Insn::const_int(self.scratch.path, value).expect("scratch registers are below v256")
    }

    /// Adds to the path register; emits nothing for 0.
    pub fn add(&self, value: i32) -> Vec<Insn> {
        const LEAST: i32 = i8::MIN as i32;
        const MOST: i32 = i8::MAX as i32;
        let g = self.scratch.path;
        let add = |op, value| Insn { op, args: Args::ABLit(g, g, value) };
        let long = add(Op::AddIntLit16, value);
        if !(LEAST..=MOST).contains(&value) && long.fits() {
            return vec![long];
        }
        // No form that reaches a register above v15 has more than 8 bits for the value.
        let mut rest = value;
        let steps = std::iter::from_fn(|| {
            let step = rest.clamp(LEAST, MOST);
            rest -= step;
            (step != 0).then(|| add(Op::AddIntLit8, step))
        });
        steps.collect()
    }

    /// Copies the path register to the state, for an exception.
    pub fn gather(&self) -> Vec<Insn> {
        let s = self.scratch;
        match self.refs.fields.filter(|_| s.low) {
            Some(fields) => vec![Insn {
                op: Op::Iput,
                args: Args::ABRef(s.path, s.state, Ref::Field(fields.gathered)),
            }],
            None => self.with(self.refs.gather, s.path),
        }
    }

    /// Codes the symbol of a region at its exit. `short` emits three code units instead of seven.
    pub fn path(&self, short: bool) -> Vec<Insn> {
        let s = self.scratch;
        let Some(fields) = self.refs.fields.filter(|_| s.low && !short) else {
            return self.with(self.refs.path, s.path);
        };
        // The look-up is inline: an interpreter makes one call less, and `step` fits ART's inliner.
        vec![
            Insn {
                op: Op::IgetObject,
                args: Args::ABRef(s.temp, s.state, Ref::Field(fields.paths)),
            },
            Insn { op: Op::Aget, args: Args::ABC(s.temp, s.temp, s.path) },
            self.invoke(self.refs.symbol, &[s.state, s.temp]),
        ]
    }

    /// Codes the symbol of a switch before it, by its key.
    pub fn switch_lookup(&self, base: u32, lookup: &SwitchLookup) -> Vec<Insn> {
        let s = self.scratch;
        let base = self.konst(base as i32);
        let [with_key, key_left] =
            if lookup.is_packed() { self.refs.lookup_packed } else { self.refs.lookup_sparse };
        match lookup.key {
            Key::Near(key) => vec![base, self.invoke(with_key, &[s.state, s.temp, key])],
            Key::Far(key) => vec![
                Insn::copy(dex::MoveKind::Single, s.temp, key),
                self.invoke(self.refs.key, &[s.state, s.temp]),
                base,
                self.invoke(key_left, &[s.state, s.temp]),
            ],
        }
    }

    /// Codes the symbol of a counted loop at its exit. An iteration adds `1 << shift`. In a
    /// counting build, `near` is true if the loop's cells are in the method's page.
    pub fn trips(&self, base: u32, shift: u32, near: bool) -> Vec<Insn> {
        let s = self.scratch;
        let trips = match self.refs.counts {
            Some(counts) if near => counts.trips,
            Some(counts) => counts.far_trips,
            None => self.refs.trips,
        };
        vec![
            self.konst((shift << 28 | base) as i32),
            self.invoke(trips, &[s.state, s.temp, s.path]),
        ]
    }

    /// Counts a region's path at its exit, in a counting build: the path register holds the address
    /// of a cell. `near` is true if the cell is in the method's page.
    pub fn count_path(&self, near: bool) -> Option<Vec<Insn>> {
        let counts = self.refs.counts?;
        Some(self.with(if near { counts.hit } else { counts.far }, self.scratch.path))
    }

    /// Counts the cell with this address, in a counting build.
    pub fn hit(&self, address: u32, near: bool) -> Option<Vec<Insn>> {
        let (counts, s) = (self.refs.counts?, self.scratch);
        let method = if near { counts.hit } else { counts.far };
        // In the method's page the offset suffices, and it has a short form.
        let at = if near { address % PAGE_CELLS } else { address };
        Some(vec![self.konst(at as i32), self.invoke(method, &[s.state, s.temp])])
    }

    /// Counts a complete path, in a build that counts selected paths.
    pub(crate) fn path_hit(&self, cell: u32) -> Vec<Insn> {
        let hit = self.refs.hit.map(|hit| self.invoke(hit, &[self.scratch.temp]));
        std::iter::once(self.konst(cell as i32)).chain(hit).collect()
    }

    /// Records the overflow of a counted loop's register. (The register then holds the value that
    /// full iterations gave.)
    pub fn lap(&self) -> Vec<Insn> {
        self.with(self.refs.lap, self.scratch.path)
    }

    /// Counts the overflow in a counting build, with the same loop arguments as [`Self::trips`].
    pub fn count_lap(&self, base: u32, shift: u32) -> Option<Vec<Insn>> {
        let s = self.scratch;
        let lap = self.refs.counts?.lap;
        Some(vec![
            self.konst((shift << 28 | base) as i32),
            self.invoke(lap, &[s.state, s.temp, s.path]),
        ])
    }

    /// Marks the path register as that of this loop at the beginning of an iteration, for
    /// exceptions in a counting build.
    pub fn open_loop(&self, base: u32, shift: u32) -> Vec<Insn> {
        let s = self.scratch;
        let Some(counts) = self.refs.counts else { return Vec::new() };
        let set = self.invoke(counts.open, &[s.state, s.temp]);
        vec![self.konst((shift << 28 | base) as i32), set]
    }

    /// Jumps to the label if the path register is negative.
    pub fn if_full(&self, label: dex::Label) -> Insn {
        Insn { op: Op::IfLtz, args: Args::AJump(self.scratch.path, label) }
    }

    /// Emits the entry: finds the state, announces the method if no caller predicted it, stores the
    /// frame number if needed.
    pub fn enter(&self, id: u32, guarded: bool, framed: bool) -> Vec<Insn> {
        let s = self.scratch;
        let method = if guarded { self.refs.enter_guarded } else { self.refs.enter };
        let mut out = vec![
            self.konst(id as i32),
            self.invoke(method, &[s.temp]),
            Insn { op: Op::MoveResultObject, args: Args::A(s.state) },
        ];
        if let Some(fields) = self.refs.fields.filter(|_| framed && s.low) {
            out.push(Insn {
                op: Op::Iget,
                args: Args::ABRef(s.frame, s.state, Ref::Field(fields.count)),
            });
        } else if framed {
            out.push(self.invoke(self.refs.frame, &[s.state]));
            out.push(Insn { op: Op::MoveResult, args: Args::A(s.frame) });
        }
        out
    }

    /// Asks for an origin of the callback, after its entry. `answer` is the parameter's register.
    pub(crate) fn origin(&self, asked: Asked, answer: Reg) -> Vec<Insn> {
        let s = self.scratch;
        let probe = Asked::ALL.into_iter().zip(self.refs.origins).find(|(a, _)| *a == asked);
        let Some((_, Some(method))) = probe else { return Vec::new() };
        if s.low && answer.0 < 16 {
            return vec![self.invoke(method, &[s.state, answer])];
        }
        let kind = match asked {
            Asked::View | Asked::Menu | Asked::Intent => dex::MoveKind::Object,
            Asked::Position | Asked::Key => dex::MoveKind::Single,
        };
        vec![Insn::copy(kind, s.temp, answer), self.invoke(method, &[s.state, s.temp])]
    }

    /// Emits the entry of a clone, which gets the state as a parameter: counts, and stores the
    /// frame number if needed. For a leaf it includes the exit. The count is inline, so that a
    /// clone's entry makes no call.
    pub(crate) fn enter_clone(&self, parameter: Reg, leaf: bool, framed: bool) -> Vec<Insn> {
        let s = self.scratch;
        let mut out = Vec::new();
        if s.state != parameter {
            out.push(Insn::copy(dex::MoveKind::Object, s.state, parameter));
        }
        let steps = if leaf { 2 } else { 1 };
        if let Some(counted) = self.count(if framed { s.frame } else { s.temp }, steps) {
            out.extend(counted);
            return out;
        }
        out.extend((0..steps).flat_map(|_| self.mark()));
        if framed {
            out.push(self.invoke(self.refs.frame, &[s.state]));
            out.push(Insn { op: Op::MoveResult, args: Args::A(s.frame) });
        }
        out
    }

    /// Emits the entry of a method in a counting build: finds the thread's cells, counts the slot
    /// of the call, stores its index in the guard stack.
    pub(crate) fn count_enter(
        &self,
        id: u32,
        entry: CountingEntry,
        guarded: bool,
    ) -> Option<Vec<Insn>> {
        let (counts, s) = (self.refs.counts?, self.scratch);
        let page = Insn::const_int(s.state, entry.page as i32)
            .unwrap_or(Insn { op: Op::Const, args: Args::ALit(s.state, entry.page.into()) });
        let mut out = vec![page];
        if guarded || entry.slot_callee {
            let method = if guarded { counts.enter_guarded } else { counts.enter };
            out.extend([self.konst(id as i32), self.invoke(method, &[s.state, s.temp])]);
        } else {
            out.push(self.invoke(counts.page, &[s.state]));
        }
        out.push(Insn { op: Op::MoveResultObject, args: Args::A(s.state) });
        if guarded {
            out.push(self.invoke(counts.frame, &[s.state]));
            out.push(Insn { op: Op::MoveResult, args: Args::A(s.frame) });
        }
        Some(out)
    }

    /// Emits a normal exit.
    pub fn exit(&self, guarded: bool) -> Vec<Insn> {
        match (self.refs.counts, guarded) {
            (Some(counts), true) => self.with_frame(counts.exit_guarded),
            (Some(_), false) => Vec::new(),
            (None, true) => self.with_frame(self.refs.exit_guarded),
            (None, false) => self.mark(),
        }
    }

    /// Counts progress by one. A call needs three code units, and ART inlines it: inline code would
    /// need six, and prevent more methods from being inlined themselves.
    pub fn mark(&self) -> Vec<Insn> {
        let in_place = self.in_place.then(|| self.count(self.scratch.temp, 1));
        let call = || vec![self.invoke(self.refs.exit, &[self.scratch.state])];
        in_place.flatten().unwrap_or_else(call)
    }

    /// Counts progress by `steps` inline; the register then holds the sum.
    fn count(&self, sum: Reg, steps: i32) -> Option<Vec<Insn>> {
        let s = self.scratch;
        let fields = self.refs.fields.filter(|_| s.low)?;
        let field = Args::ABRef(sum, s.state, Ref::Field(fields.count));
        Some(vec![
            Insn { op: Op::Iget, args: field },
            Insn { op: Op::AddIntLit8, args: Args::ABLit(sum, sum, steps) },
            Insn { op: Op::Iput, args: field },
        ])
    }

    /// Emits entry and exit of a method in which nothing can happen in between.
    pub fn leaf(&self, id: u32, guarded: bool) -> Vec<Insn> {
        let method = match (self.refs.counts, guarded) {
            (Some(counts), true) => counts.leaf_guarded,
            (Some(counts), false) => counts.leaf,
            (None, true) => self.refs.leaf_guarded,
            (None, false) => self.refs.leaf,
        };
        vec![self.konst(id as i32), self.invoke(method, &[self.scratch.temp])]
    }

    /// Emits a restart at the head of a loop: a reader of a ring buffer can begin here.
    pub(crate) fn restart(&self, place: u32) -> Vec<Insn> {
        let (Some(restart), s) = (self.refs.restart, self.scratch) else { return Vec::new() };
        vec![self.konst(place as i32), self.invoke(restart, &[s.state, s.temp, s.frame])]
    }

    /// Emits the end of `onStop` or `onDestroy`.
    pub fn terminal(&self) -> Insn {
        let terminal = self.refs.counts.map_or(self.refs.terminal, |counts| counts.terminal);
        self.invoke(terminal, &[self.scratch.state])
    }

    /// Codes one symbol: `constant` comes from [`model::recording::Recording::edges`] for its
    /// alternative.
    pub fn symbol(&self, constant: u32) -> Vec<Insn> {
        let s = self.scratch;
        let (method, argument) = match self.refs.short.and_then(|short| short.of(constant)) {
            Some((method, None)) => return vec![self.invoke(method, &[s.state])],
            Some((method, Some(argument))) => (method, argument),
            None => (self.refs.symbol, constant as i32),
        };
        vec![self.konst(argument), self.invoke(method, &[s.state, s.temp])]
    }

    /// Codes an edge of a branch with `ways` alternatives and an adaptive distribution in `cell`.
    pub fn adaptive(&self, cell: u32, alternative: usize, ways: usize) -> Vec<Insn> {
        let refs = self.refs.adaptive.expect("cells are handed out for adaptive codecs only");
        let (method, argument) = refs.probe(cell, alternative, ways);
        vec![self.konst(argument), self.invoke(method, &[self.scratch.state, self.scratch.temp])]
    }

    /// Sets the call token before a call that is predicted or has a slot. The token stays in the
    /// temporary as well.
    pub fn token(&self, token: i32) -> Vec<Insn> {
        let s = self.scratch;
        let set = match self.refs.fields.filter(|_| s.low) {
            Some(fields) => {
                Insn { op: Op::Iput, args: Args::ABRef(s.temp, s.state, Ref::Field(fields.token)) }
            }
            None => {
                let call = self.refs.counts.map_or(self.refs.call, |counts| counts.call);
                self.invoke(call, &[s.state, s.temp])
            }
        };
        vec![self.konst(token), set]
    }

    /// Codes *none* after a call that has a slot, and its `move-result`: no probe has changed the
    /// temporary since [`Probes::token`].
    pub fn none(&self) -> Insn {
        let none = self.refs.counts.map_or(self.refs.none, |counts| counts.none);
        self.invoke(none, &[self.scratch.state, self.scratch.temp])
    }

    /// Emits the probe of a handler, after its `move-exception`; with `tracks`, the path register
    /// shows if a path was open.
    pub fn caught(&self, handler: u32, tracks: bool) -> Vec<Insn> {
        let s = self.scratch;
        match self.refs.counts {
            Some(counts) if tracks => {
                let mut out = self.with(counts.caught_broken, s.path);
                out.push(self.set_path(0));
                return out;
            }
            Some(counts) => return vec![self.invoke(counts.caught, &[s.state])],
            None => {}
        }
        if tracks {
            let args = [s.state, s.temp, s.path, s.frame];
            return vec![
                self.konst(handler as i32),
                self.invoke(self.refs.caught_broken, &args),
                self.set_path(0),
            ];
        }
        vec![self.konst(handler as i32), self.invoke(self.refs.caught, &[s.state, s.temp, s.frame])]
    }

    /// Emits the handler at the boundary: it records the open path (`tracks`) and the exception
    /// that leaves (`guarded`), and rethrows.
    pub fn boundary(&self, guarded: bool, tracks: bool) -> Vec<Insn> {
        let s = self.scratch;
        // Only the state and the frame number are live here. In a method with high scratch
        // registers v0 is one of its own; with low ones the temporary is free.
        let exception = if s.low { s.temp } else { Reg(0) };
        let mut out = vec![Insn { op: Op::MoveException, args: Args::A(exception) }];
        let broken = self.refs.counts.map_or(self.refs.broken, |counts| counts.broken);
        let unwound = self.refs.counts.map_or(self.refs.unwound, |counts| counts.unwound);
        if tracks {
            out.extend(self.with(broken, s.path));
        }
        if guarded {
            out.extend(self.with_frame(unwound));
        }
        out.push(Insn { op: Op::Throw, args: Args::A(exception) });
        out
    }
}

/// Largest number of argument words of a probe.
pub const PROBE_OUTS: u16 = 4;
