//! Functions that each lifecycle callback can reach, by the code of the app.
//!
//! A function leads to the functions that its calls can reach ([`Program::reach`]), to the static
//! initialisers of the classes that it names, and to those functions of the classes which it
//! creates objects of that the platform can call (`run`, `onClick`). Reflection and native code are
//! not followed: a function that only these call counts as unreached.

use std::collections::{BTreeSet, HashMap, VecDeque};

use dex::{Item, Op, Ref};
use rayon::prelude::*;

use crate::analysis::program::{CallTargets, ClassNo, MethodNo, Program, Reach};
use crate::lifecycle::Lifecycle;
use crate::plan::selection::call_sites;

/// Number of functions that are listed for a callback; the nearest come first.
pub(super) const LISTED: usize = 1_000;

/// Functions that a callback reaches, itself included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CallbackReach {
    /// Their number.
    pub count: usize,
    /// The first [`LISTED`] of them: by number of calls from the callback, then in the order of the
    /// app.
    pub first: Vec<MethodNo>,
}

/// Functions that lifecycles reach.
#[derive(Debug, Default)]
pub(super) struct ReachedFunctions {
    /// Those of each callback, by its method.
    pub by_callback: HashMap<MethodNo, CallbackReach>,
    /// Those of all components: of their callbacks, constructors, initialisers, and of functions
    /// that the platform calls on them. Empty if the app has no component.
    all: BTreeSet<MethodNo>,
}

impl ReachedFunctions {
    /// Follows the calls from all components.
    pub fn new(program: &Program, lifecycles: &[Lifecycle]) -> ReachedFunctions {
        if lifecycles.is_empty() {
            return ReachedFunctions::default();
        }
        let targets = CallTargets::of(program);
        let leads: Vec<Vec<MethodNo>> = (0..program.methods.len() as u32)
            .into_par_iter()
            .map(|no| leads_to(&targets, MethodNo(no)))
            .collect();
        let callbacks: BTreeSet<MethodNo> =
            lifecycles.iter().flat_map(|graph| &graph.nodes).map(|node| node.method).collect();
        let by_callback = callbacks.par_iter().map(|&callback| {
            let all = reached(&leads, [callback]);
            let first = all.iter().copied().take(LISTED).collect();
            (callback, CallbackReach { count: all.len(), first })
        });
        let started = lifecycles.iter().flat_map(|graph| {
            let own = graph.class_no.into_iter().flat_map(|no| called_on(program, no));
            own.chain(graph.constructor).chain(graph.initializer).collect::<Vec<_>>()
        });
        let roots: BTreeSet<MethodNo> = started.chain(callbacks.iter().copied()).collect();
        ReachedFunctions {
            by_callback: by_callback.collect(),
            all: reached(&leads, roots).into_iter().collect(),
        }
    }

    /// Returns true if a function is reached; `None` if the app has no component.
    pub fn is_reached(&self, no: MethodNo) -> Option<bool> {
        (!self.all.is_empty()).then(|| self.all.contains(&no))
    }
}

/// Returns functions in the order of a breadth-first search.
fn reached(leads: &[Vec<MethodNo>], from: impl IntoIterator<Item = MethodNo>) -> Vec<MethodNo> {
    let mut seen = vec![false; leads.len()];
    let mut order = Vec::new();
    let mut open: VecDeque<MethodNo> = from.into_iter().collect();
    while let Some(no) = open.pop_front() {
        if !std::mem::replace(&mut seen[no.0 as usize], true) {
            order.push(no);
            open.extend(leads[no.0 as usize].iter().filter(|to| !seen[to.0 as usize]));
        }
    }
    order
}

/// Returns the functions to which one leads by itself, ascending.
fn leads_to(targets: &CallTargets<'_>, no: MethodNo) -> Vec<MethodNo> {
    let program = targets.program;
    let method = program.method(no);
    let file = program.class(method.class).dex;
    let dex = &program.files[file].dex;
    let body = method.code.and_then(|code| dex.codes.get(code.0 as usize)?.item());
    let Some(code) = body.and_then(|raw| dex::decode(&raw).ok()) else { return Vec::new() };
    let mut to = BTreeSet::new();
    for site in call_sites(targets, file, method.class, &code) {
        if let Reach::One(_) | Reach::Any(_) = site.reach {
            to.extend(site.reach.methods());
        }
    }
    for node in &code.nodes {
        let Item::Insn(insn) = &node.item else { continue };
        let class = match insn.reference() {
            Some(Ref::Type(ty)) => program.class_of(file, ty),
            Some(Ref::Method(m)) => {
                dex.methods.items().get(m.index()).and_then(|m| program.class_of(file, m.class))
            }
            Some(Ref::Field(f)) => {
                dex.fields.items().get(f.index()).and_then(|f| program.class_of(file, f.class))
            }
            _ => None,
        };
        let Some(class) = class else { continue };
        to.extend(program.declared(class, "<clinit>()V"));
        if insn.op == Op::NewInstance {
            to.extend(called_on(program, class));
        }
    }
    to.into_iter().collect()
}

/// Returns the functions with code of a class and its superclasses that the platform can call on an
/// object.
fn called_on(program: &Program, class: ClassNo) -> Vec<MethodNo> {
    let mut all = Vec::new();
    let mut next = Some(class);
    // A file can name classes as superclasses of each other.
    for _ in 0..256 {
        let Some(class) = next else { break };
        let own = methods_of(program, class);
        all.extend(
            own.filter(|no| program.method(*no).code.is_some() && program.called_from_outside(*no)),
        );
        next = program.superclass(class).and_then(|(_, no)| no);
    }
    all
}

/// Returns the methods of a class, which are contiguous.
pub(super) fn methods_of(
    program: &Program,
    class: ClassNo,
) -> impl Iterator<Item = MethodNo> + use<> {
    let start = program.methods.partition_point(|m| m.class < class);
    let end = program.methods.partition_point(|m| m.class <= class);
    (start as u32..end as u32).map(MethodNo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::program::DexFile;
    use crate::lifecycle::lifecycles;

    fn program(text: &str) -> Program {
        let mut dex = dex::Dex::new(dex::Version(35));
        dex::text::parse_classes(text, &mut dex).expect("parses");
        let dex = dex::Dex::read(&dex.write().expect("writes")).expect("reads");
        Program::new(vec![DexFile { name: "classes.dex".into(), dex }])
    }

    /// `onCreate` calls `help` and creates a task; `onStop` calls nothing; nobody calls `dead`.
    const FRAGMENT: &str = "\
.class public Lp/F;
.super Landroid/app/Fragment;
.method public onCreate(Landroid/os/Bundle;)V
.code registers=3 ins=2 outs=1
    invoke-static {}, Lp/F;->help()V
    new-instance v0, Lp/Task;
    return-void
.end method
.method public onStop()V
.code registers=1 ins=1 outs=0
    return-void
.end method
.method static help()V
.code registers=0 ins=0 outs=0
    return-void
.end method
.method static dead()V
.code registers=0 ins=0 outs=0
    return-void
.end method
.class public Lp/Task;
.super Ljava/lang/Object;
.implements Ljava/lang/Runnable;
.method public run()V
.code registers=1 ins=1 outs=0
    return-void
.end method
.method static <clinit>()V
.code registers=0 ins=0 outs=0
    return-void
.end method
";

    #[test]
    fn callbacks_reach_what_they_call_and_the_tasks_that_they_make() {
        let program = program(FRAGMENT);
        let graphs = lifecycles(&program, None);
        let functions = ReachedFunctions::new(&program, &graphs);
        let of = |callback: &str| {
            let nodes = graphs.iter().flat_map(|graph| &graph.nodes);
            let node = nodes.into_iter().find(|n| n.signature.starts_with(callback));
            let reach = &functions.by_callback[&node.expect("a callback").method];
            assert_eq!(reach.count, reach.first.len());
            let mut keys: Vec<String> =
                reach.first.iter().map(|no| program.method_key(*no)).collect();
            keys.sort();
            keys
        };
        assert_eq!(
            of("onCreate("),
            [
                "Lp/F;->help()V",
                "Lp/F;->onCreate(Landroid/os/Bundle;)V",
                "Lp/Task;-><clinit>()V",
                "Lp/Task;->run()V"
            ]
        );
        assert_eq!(of("onStop("), ["Lp/F;->onStop()V"]);
        let unreached: Vec<String> = (0..program.methods.len() as u32)
            .map(MethodNo)
            .filter(|no| functions.is_reached(*no) == Some(false))
            .map(|no| program.method_key(no))
            .collect();
        assert_eq!(unreached, ["Lp/F;->dead()V"]);
    }

    #[test]
    fn without_components_nothing_is_marked() {
        let program = program(
            ".class public Lp/C;\n.super Ljava/lang/Object;\n\
             .method static f()V\n.code registers=0 ins=0 outs=0\n    return-void\n.end method\n",
        );
        let functions = ReachedFunctions::new(&program, &[]);
        assert_eq!(functions.is_reached(MethodNo(0)), None);
    }
}
