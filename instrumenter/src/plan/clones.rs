//! Clones of hot methods with the thread's state as a parameter.
//!
//! A method finds the thread's state at its entry and compares the call token, which is expensive
//! on an interpreter. A caller with probes has the state in a register. A method that is called
//! often by name therefore gets a clone (Cooper, Hall, Kennedy 1992: procedure cloning) with an
//! additional parameter, the state. Calls of a clone set no token, and its entry only counts.
//! Streams and maps are the same with and without clones.
//!
//! The original method serves all other callers: reflection, JNI, the platform, callers without
//! probes. A clone has the method's name and lines but no annotations, and is marked synthetic.
//! Nothing outside can refer to it, so it is never announced, and has no guard.
//!
//! A method can have a clone if a call that names it always runs it, whatever is loaded later: if
//! it is static, private, final or a constructor. It gets none if the app could notice the
//! additional method: [`crate::analysis::members`].

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use dex::{
    AccessFlags, Args, Dex, EncodedMethod, Insn, MethodIdx, MethodRef, Op, Proto, Ref, Reg, RegList,
};

use model::protocol::probes::{LISTED_CONSTRUCTORS, LISTED_METHODS, MEMBERS, STATE};
use model::recording::TraceCodec;

use crate::analysis::liveness::{Liveness, has};
use crate::analysis::members::{self, Listed};
use crate::analysis::program::{MethodNo, Program};
use crate::options::{Clones as Wanted, Options};
use crate::plan::by_subject::SubjectId;
use crate::plan::ids::{Plan, Site};
use crate::plan::subject::{Selection, Subject};
use crate::probes::runtime::BuildPackage;
use crate::rewrite::registers::RegisterLayout;

/// A method is hot if it is the callee of at least one in this number of calls that name their
/// callee, in the model's sessions.
const SHARE: u64 = 1 << 12;
/// Number of references that pools keep free for other additions.
const ROOM: usize = 1024;
/// Largest number of argument words of a call.
const MAX_WORDS: u16 = 255;

/// A call that names its only callee, with its count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedCall {
    pub caller: SubjectId,
    /// Node of the call in the caller's own code.
    pub node: usize,
    pub callee: SubjectId,
    pub runs: u64,
}

/// Methods that get a clone, before the clones have names.
#[derive(Debug, Default)]
pub(crate) struct ClonePlan {
    /// Methods, ascending.
    methods: BTreeSet<SubjectId>,
    /// References that calls of these methods use, by dex file.
    names: Vec<BTreeSet<MethodIdx>>,
    /// Carrier registers by caller.
    carriers: HashMap<SubjectId, Carriers>,
}

/// Registers that carry the state to calls that cannot encode the state's register, by node of the
/// caller's own code.
pub(crate) type Carriers = HashMap<usize, Reg>;

/// Clones, with their names in the dex files.
#[derive(Debug, Default)]
pub(crate) struct Clones {
    /// Methods with the references of their clones.
    pub all: Vec<(SubjectId, MethodIdx)>,
    /// Method references and the clones that replace them, by dex file.
    names: Vec<HashMap<MethodIdx, MethodIdx>>,
    /// Reflection methods that list members, and the filters that hide clones from their results,
    /// by dex file.
    lists: Vec<HashMap<MethodIdx, MethodIdx>>,
    /// Carrier registers by caller.
    carriers: HashMap<SubjectId, Carriers>,
}

/// Returns every call that names its callee, with count 1.
pub(crate) fn all_calls(plan: &Plan) -> Vec<CountedCall> {
    let calls = plan.sites.enumerate().flat_map(|(caller, sites)| {
        sites.iter().filter_map(move |&(node, site)| match site {
            Site::Predicted(callee) => {
                Some(CountedCall { caller, node, callee: SubjectId::of(callee), runs: 1 })
            }
            Site::Slot(_) | Site::Implied(_) => None,
        })
    });
    calls.collect()
}

impl ClonePlan {
    /// Chooses methods by these calls. Methods that are `refused` keep one body.
    pub fn find(
        program: &Program,
        selection: &Selection,
        calls: &[CountedCall],
        refused: &HashSet<MethodNo>,
        options: &Options,
    ) -> ClonePlan {
        let names = vec![BTreeSet::new(); program.files.len()];
        let none = ClonePlan { names, ..ClonePlan::default() };
        let takes = options.recording().codec().is_some_and(TraceCodec::has_clones);
        // A size limit rules out duplicate code.
        let roomy = options.limits.size_growth.is_none();
        if !takes || !roomy || options.clones == Wanted::Never || !selection.lists_are_woven {
            return none;
        }
        let total = calls.iter().fold(0, |sum: u64, call| sum.saturating_add(call.runs));
        let least = match options.clones {
            Wanted::All => 1,
            _ => (total / SHARE).max(1),
        };
        let mut runs: BTreeMap<SubjectId, u64> = BTreeMap::new();
        let mut named: BTreeMap<SubjectId, BTreeSet<(usize, MethodIdx)>> = BTreeMap::new();
        let mut all_carriers = HashMap::new();
        let mut at = 0;
        while let Some(first) = calls.get(at) {
            let caller = first.caller;
            let mine = calls[at..].iter().take_while(|call| call.caller == caller);
            let mine: Vec<&CountedCall> = mine.collect();
            at += mine.len();
            let wanted = |call: &&&CountedCall| {
                call.runs > 0 && !refused.contains(&selection.subjects[call.callee].no)
            };
            if !mine.iter().any(|call| wanted(&call)) {
                continue;
            }
            let subject = selection.open(program, caller);
            let layout =
                selection.inlining[caller].as_ref().map_or(subject.layout, |host| host.layout);
            let file = program.class(program.method(subject.no).class).dex;
            let nodes: Vec<usize> = mine.iter().filter(wanted).map(|call| call.node).collect();
            let carriers = match layout.scratch.low {
                true => Carriers::new(),
                false => carriers(&subject, &nodes, &layout),
            };
            for call in mine.iter().filter(wanted) {
                let Some(insn) = subject.code.insn(call.node) else { continue };
                let Some(Ref::Method(name)) = insn.reference() else { continue };
                let state = carriers.get(&call.node).copied().unwrap_or(layout.scratch.state);
                if with_state(&layout.place(insn), state).is_some()
                    && can_be_cloned(program, selection, call.callee)
                {
                    let runs = runs.entry(call.callee).or_default();
                    *runs = runs.saturating_add(call.runs);
                    named.entry(call.callee).or_default().insert((file, name));
                }
            }
            if !carriers.is_empty() {
                all_carriers.insert(caller, carriers);
            }
        }
        let mut chosen = ClonePlan { carriers: all_carriers, ..none };
        // The hottest methods come first, as long as the pools have room.
        let mut hottest: Vec<_> = runs.into_iter().filter(|(_, runs)| *runs >= least).collect();
        hottest.sort_by_key(|&(i, runs)| (std::cmp::Reverse(runs), i));
        let file = |i: SubjectId| program.class(program.method(selection.subjects[i].no).class).dex;
        let mut room: Vec<usize> = program.files.iter().map(|f| room(&f.dex)).collect();
        for (i, _) in hottest {
            let mut needed: BTreeMap<usize, usize> = BTreeMap::from([(file(i), 1)]);
            named[&i].iter().for_each(|(file, _)| *needed.entry(*file).or_default() += 1);
            if needed.iter().all(|(&file, &n)| n <= room[file]) {
                needed.into_iter().for_each(|(file, n)| room[file] -= n);
                chosen.methods.insert(i);
                for &(file, name) in &named[&i] {
                    chosen.names[file].insert(name);
                }
            }
        }
        chosen
    }

    /// Returns the number of methods.
    pub fn len(&self) -> usize {
        self.methods.len()
    }

    /// Gives the clones names.
    pub fn intern(
        self,
        program: &mut Program,
        selection: &Selection,
        package: &BuildPackage,
    ) -> Clones {
        let mut names = Vec::new();
        for (file, old) in program.files.iter_mut().zip(&self.names) {
            let new = old.iter().map(|&m| (m, name_of_clone(&mut file.dex, m, package)));
            names.push(new.collect());
        }
        let all = self.methods.into_iter().map(|i| {
            let method = program.method(selection.subjects[i].no);
            let (method, file) = (method.method, program.class(method.class).dex);
            (i, name_of_clone(&mut program.files[file].dex, method, package))
        });
        let all: Vec<_> = all.collect();
        let lists = match all.is_empty() {
            true => Vec::new(),
            false => {
                let lists = program.files.iter_mut().map(|f| filters(&mut f.dex, package));
                lists.collect()
            }
        };
        Clones { all, names, lists, carriers: self.carriers }
    }
}

/// Interns the filters that hide clones, by the method that lists members.
fn filters(dex: &mut Dex, package: &BuildPackage) -> HashMap<MethodIdx, MethodIdx> {
    let lists = (0..dex.methods.len()).map(MethodIdx::from);
    let lists: Vec<_> = lists.filter_map(|m| Some((m, members::of_method(dex, m)?))).collect();
    let filters = lists.into_iter().map(|(m, listed)| {
        let filter = match listed {
            Listed::Methods => LISTED_METHODS,
            Listed::Constructors => LISTED_CONSTRUCTORS,
        };
        (m, package.method(dex, MEMBERS, filter))
    });
    filters.collect()
}

impl Clones {
    /// Returns the references that clones replace in a dex file.
    pub fn names(&self, file: usize) -> Option<&HashMap<MethodIdx, MethodIdx>> {
        self.names.get(file)
    }

    /// Returns true if clones are hidden from any list of members.
    pub fn filter_lists(&self) -> bool {
        self.lists.iter().any(|lists| !lists.is_empty())
    }

    /// Returns the registers that carry the state to calls of clones in this caller.
    pub fn carriers(&self, caller: SubjectId) -> Option<&Carriers> {
        self.carriers.get(&caller)
    }

    /// Returns the methods of a dex file that list members, with their filters.
    pub fn lists(&self, file: usize) -> Option<&HashMap<MethodIdx, MethodIdx>> {
        self.lists.get(file)
    }
}

/// Declares the clone of a method in its class, without a body.
pub(crate) fn declared(own: &EncodedMethod, name: MethodIdx) -> EncodedMethod {
    // The last parameter is no array, unlike that of a method with variable arguments.
    let access = own.access.difference(AccessFlags::VARARGS) | AccessFlags::SYNTHETIC;
    EncodedMethod { method: name, access, code: None, hiddenapi: own.hiddenapi }
}

/// Appends the state, which is in this register, to a call's arguments. Returns `None` if the call
/// has no room for it.
pub(crate) fn with_state(placed: &Insn, state: Reg) -> Option<Insn> {
    let is_bound = matches!(placed.op, Op::InvokeStatic | Op::InvokeDirect | Op::InvokeVirtual);
    let Args::List(list, name) = placed.args else { return None };
    let registers: Vec<_> = list.iter().chain([state]).collect();
    let list = RegList::new(&registers).filter(|_| is_bound)?;
    Some(Insn { op: placed.op, args: Args::List(list, name) })
}

/// Finds registers below v16 whose values are read neither after these calls nor by their handlers.
fn carriers(subject: &Subject, calls: &[usize], layout: &RegisterLayout) -> Carriers {
    let mut found = Carriers::new();
    let Some(live) = Liveness::solve(&subject.code, &subject.cfg) else { return found };
    for b in 0..subject.cfg.blocks.len() {
        let bounds = &subject.cfg.blocks[b];
        if !calls.iter().any(|n| (bounds.first..=bounds.last).contains(n)) {
            continue;
        }
        let mut now = vec![0u64; usize::from(subject.code.registers).div_ceil(64)];
        live.backward(&subject.code, &subject.cfg, b, &mut now, &mut |n, read| {
            if calls.contains(&n) {
                let free = (0..subject.code.registers).filter(|&r| !has(read, r));
                let reached = free.map(|r| layout.place_reg(Reg(r))).find(|r| r.0 < 16);
                found.extend(reached.map(|r| (n, r)));
            }
        });
    }
    found
}

/// Returns true if a call that names a method always runs it, and the app cannot notice an
/// additional method.
fn can_be_cloned(program: &Program, selection: &Selection, i: SubjectId) -> bool {
    let subject = &selection.subjects[i];
    let method = program.method(subject.no);
    let class = program.class(method.class);
    let is_constructor = program.text(method.sig).starts_with("<init>(");
    let fixed = AccessFlags::STATIC | AccessFlags::PRIVATE | AccessFlags::FINAL;
    let is_bound = is_constructor
        || method.access.intersects(fixed)
        || class.access.contains(AccessFlags::FINAL);
    is_bound
        && !class.access.contains(AccessFlags::INTERFACE)
        && !subject.implied
        && !subject.bottom
        && !subject.terminal
        && !subject.needs_free
        && words(program.text(method.sig)) < MAX_WORDS
        && members::may_grow(program, subject.no)
}

/// Returns the number of argument words of a method with this signature and a receiver.
fn words(sig: &str) -> u16 {
    let kinds = crate::plan::selection::parameters(sig, false);
    kinds.iter().map(|&kind| if kind == dex::MoveKind::Wide { 2 } else { 1 }).sum()
}

/// Returns the number of references that may be added to each pool of a file.
fn room(dex: &Dex) -> usize {
    let fullest =
        [dex.method_count(), dex.type_count(), dex.proto_count()].into_iter().max().unwrap_or(0);
    (1usize << 16).saturating_sub(fullest + ROOM)
}

fn name_of_clone(dex: &mut Dex, own: MethodIdx, package: &BuildPackage) -> MethodIdx {
    let MethodRef { class, proto, name } = dex.methods.items()[own.index()];
    let Proto { return_type, mut parameters } = dex.protos.items()[proto.index()].clone();
    parameters.push(dex.intern_type(&package.name(STATE)));
    let proto = dex.protos.intern(Proto { return_type, parameters });
    dex.methods.intern(MethodRef { class, proto, name })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::by_convention::Outside;
    use crate::analysis::program::{CallTargets, DexFile};
    use crate::instrument::instrument_checked;
    use crate::options::RuntimeHome;
    use crate::plan::ids::plan;
    use crate::plan::selection::select;
    use crate::report::Output;
    use crate::rewrite::check::{Check, broken};
    use model::recording::Recording;

    const CLASSES: &str = "\
.class public Lp/C;
.super Ljava/lang/Object;
.method public static call(I)V
.code registers=1 ins=1 outs=1
    invoke-static {p0}, Lp/C;->hot(I)V
    invoke-static {p0}, Lp/C;->cold(I)V
    return-void
.end method
.method static cold(I)V
.code registers=1 ins=1 outs=0
    if-eqz p0, :out
    invoke-static {}, Lq/Lib;->a()V
:out
    return-void
.end method
.method static hot(I)V
.code registers=1 ins=1 outs=0
    if-eqz p0, :out
    invoke-static {}, Lq/Lib;->a()V
:out
    return-void
.end method
.class public Lp/Lister;
.super Ljava/lang/Object;
.method public static list(Ljava/lang/Class;)V
.code registers=1 ins=1 outs=1
    invoke-virtual {p0}, Ljava/lang/Class;->getMethods()[Ljava/lang/reflect/Method;
    return-void
.end method
";

    fn file(text: &str) -> Vec<u8> {
        let mut dex = Dex::new(dex::Version(35));
        dex::text::parse_classes(text, &mut dex).expect("parses");
        dex.write().expect("writes")
    }

    fn instrument(options: Options, check: &Check) -> Output {
        let files = vec![("classes.dex".to_owned(), file(CLASSES))];
        instrument_checked(files, RuntimeHome::OwnFile, "", None, &options, check)
            .expect("instruments")
    }

    fn all() -> Options {
        Options { clones: Wanted::All, ..Options::default() }
    }

    #[test]
    fn without_a_model_no_method_is_hot() {
        assert_eq!(instrument(Options::default(), &broken).report.clones, 0);
        assert_eq!(instrument(all(), &broken).report.clones, 2);
    }

    #[test]
    fn a_list_in_a_method_without_probes_would_show_clones() {
        let options = Options { exclude: vec!["p.Lister".to_owned()], ..all() };
        assert_eq!(instrument(options, &broken).report.clones, 0);
    }

    #[test]
    fn a_limit_of_the_size_leaves_no_room_for_clones() {
        let limits = crate::Limits { size_growth: Some(1000.0), ..Default::default() };
        assert_eq!(instrument(Options { limits, ..all() }, &broken).report.clones, 0);
    }

    #[test]
    fn only_a_clone_that_the_verifier_would_reject_is_left_out() {
        let out = instrument(all(), &|w| {
            let own = w.program.method(w.subject.no);
            let of_hot = w.program.text(own.sig) == "hot(I)V";
            (of_hot && w.method != own.method).then(|| "a fault".to_owned())
        });
        assert_eq!((out.report.clones, out.report.skipped.len()), (1, 0));
    }

    fn chosen(runs: &[u64]) -> usize {
        let dex = Dex::read(&file(CLASSES)).expect("reads");
        let program = Program::new(vec![DexFile { name: "classes.dex".into(), dex }]);
        let selection = select(
            &CallTargets::of(&program),
            &Default::default(),
            Recording::ARITH.into(),
            &|_| None,
            &Default::default(),
            Outside::FirstRelease(&Default::default()),
        );
        let mut calls = all_calls(&plan(&program, &selection));
        assert_eq!(calls.len(), runs.len());
        calls.iter_mut().zip(runs).for_each(|(call, &n)| call.runs = n);
        let refused = HashSet::new();
        ClonePlan::find(&program, &selection, &calls, &refused, &Options::default()).len()
    }

    #[test]
    fn a_method_with_a_small_share_of_the_calls_has_no_clone() {
        assert_eq!(chosen(&[2 * SHARE, 1]), 1);
        assert_eq!(chosen(&[2 * SHARE, 2]), 2);
        assert_eq!(chosen(&[0, 0]), 0);
        assert_eq!(chosen(&[u64::MAX, u64::MAX]), 2);
    }

    #[test]
    fn a_full_pool_has_no_room() {
        let mut dex = Dex::new(dex::Version(35));
        assert!(room(&dex) > 60_000);
        for n in 0..65_000 {
            dex.intern_method("Lp/C;", &format!("m{n}"), "V", &[]);
        }
        assert_eq!(room(&dex), 0);
    }
}
