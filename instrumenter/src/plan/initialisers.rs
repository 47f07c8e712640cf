//! Calls between which and their callee an initialiser without probes may call the same method.
//!
//! A static call can run the initialiser of the callee's class, and of its supertypes, before the
//! callee (JVMS §5.5). With probes, `<clinit>` shows itself. Without, a call in it of the same
//! method would look like the awaited one, and an exception that leaves the initialiser like one
//! from behind the call. Such a call is not predicted: its callee announces itself.

use std::collections::{HashMap, HashSet};

use crate::analysis::program::{ClassNo, MethodNo, Program, Reach};
use crate::plan::subject::{CallInApp, Summary};

/// Most methods that are followed from an initialiser. Beyond, it counts as reaching every method.
const MAX_REACHED: usize = 1024;

/// Most supertypes that are looked at. With more, a call counts as doubtful.
const MAX_SUPERTYPES: usize = 1024;

/// Methods that initialisers without probes reach without a probe.
pub(crate) struct SilentInitialisers<'a> {
    program: &'a Program,
    /// By the initialised class; `None` for too many to follow.
    reached: HashMap<ClassNo, Option<HashSet<MethodNo>>>,
}

impl<'a> SilentInitialisers<'a> {
    /// Follows the calls of methods without probes: those of the skipped methods, and those of
    /// implied ones.
    pub fn find<'c>(
        program: &'a Program,
        skipped: impl Iterator<Item = (MethodNo, &'c [CallInApp])>,
        subjects: &[&mut Summary],
    ) -> SilentInitialisers<'a> {
        let mut calls: HashMap<MethodNo, &[CallInApp]> = skipped.collect();
        let initialisers = calls.keys().copied().filter(|&no| program.is_initialiser(no));
        let initialisers: Vec<MethodNo> = initialisers.collect();
        calls.extend(subjects.iter().filter(|s| s.implied).map(|s| (s.no, &*s.calls)));
        let class = |no| program.method(no).class;
        let reached = initialisers.into_iter().map(|no| (class(no), reached_from(no, &calls)));
        SilentInitialisers { program, reached: reached.collect() }
    }

    /// Drops the calls that cannot be predicted for this reason.
    pub fn drop_from(&self, subjects: &mut [&mut Summary]) {
        if self.reached.is_empty() {
            return;
        }
        // Calls of implied methods need no prediction.
        let implied = subjects.iter().filter(|s| s.implied).map(|s| s.no);
        let implied: HashSet<MethodNo> = implied.collect();
        for caller in subjects {
            let is_doubtful = |call: &CallInApp| match call.reach {
                Reach::One(callee) if call.may_initialise && !implied.contains(&callee) => {
                    self.is_doubtful(caller.no, callee)
                }
                _ => false,
            };
            if caller.calls.iter().any(is_doubtful) {
                caller.calls = caller.calls.iter().filter(|c| !is_doubtful(c)).cloned().collect();
            }
        }
    }

    fn is_doubtful(&self, caller: MethodNo, callee: MethodNo) -> bool {
        let class = |no| self.program.method(no).class;
        let calls_it = |class| {
            let reached = self.reached.get(&class);
            reached.is_some_and(|to| to.as_ref().is_none_or(|to| to.contains(&callee)))
        };
        // In code of a class its own initialiser has begun, in this thread, or has ended.
        class(caller) != class(callee)
            && self
                .initialised_with(class(callee))
                .enumerate()
                .any(|(walked, class)| walked == MAX_SUPERTYPES || calls_it(class))
    }

    /// Returns a class and its supertypes in the app.
    fn initialised_with(&self, class: ClassNo) -> impl Iterator<Item = ClassNo> + '_ {
        let mut seen = HashSet::from([class]);
        let mut work = vec![class];
        std::iter::from_fn(move || {
            let class = work.pop()?;
            let supers = self.program.superclass(class).into_iter();
            let supers = supers.chain(self.program.interfaces(class)).filter_map(|(_, c)| c);
            work.extend(supers.filter(|&c| seen.insert(c)));
            Some(class)
        })
    }
}

fn reached_from(
    initialiser: MethodNo,
    calls: &HashMap<MethodNo, &[CallInApp]>,
) -> Option<HashSet<MethodNo>> {
    let mut reached = HashSet::new();
    let mut work = vec![initialiser];
    while let Some(no) = work.pop() {
        let callees = calls.get(&no).into_iter().copied().flatten();
        for callee in callees.flat_map(|call| call.reach.methods()) {
            if reached.insert(callee) {
                work.push(callee);
            }
            if reached.len() > MAX_REACHED {
                return None;
            }
        }
    }
    Some(reached)
}
