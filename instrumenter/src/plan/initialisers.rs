//! Calls between which and their callee an initialiser without probes may call the same method.
//!
//! A static call can run the initialiser of the callee's class, and of its supertypes, before the
//! callee (JVMS §5.5). With probes, `<clinit>` shows itself. Without, a call in it of the same
//! method would look like the awaited one, and an exception that leaves the initialiser like one
//! from behind the call. Such a call is not predicted: its callee announces itself.

use std::collections::{HashMap, HashSet};

use crate::analysis::program::{ClassNo, MethodNo, Program, Reach};
use crate::plan::subject::{CallInApp, Summary};

const INITIALISER: &str = "<clinit>()V";

/// Calls of the methods without probes: the skipped ones and the implied ones.
pub(crate) struct SilentCalls<'a> {
    program: &'a Program,
    callees: HashMap<MethodNo, Vec<MethodNo>>,
    /// Methods that each initialiser without probes reaches without a probe, by its class.
    reached: HashMap<ClassNo, HashSet<MethodNo>>,
}

impl<'a> SilentCalls<'a> {
    pub fn new<'c>(
        program: &'a Program,
        skipped: impl Iterator<Item = (MethodNo, &'c [CallInApp])>,
        subjects: &[&mut Summary],
    ) -> SilentCalls<'a> {
        let callees = |calls: &[CallInApp]| calls.iter().flat_map(|c| c.reach.methods()).collect();
        let is_initialiser = |no: &MethodNo| program.text(program.method(*no).sig) == INITIALISER;
        let mut found = SilentCalls { program, callees: HashMap::new(), reached: HashMap::new() };
        found.callees = skipped.map(|(no, calls)| (no, callees(calls))).collect();
        let initialisers: Vec<MethodNo> =
            found.callees.keys().copied().filter(is_initialiser).collect();
        let implied = subjects.iter().filter(|s| s.implied);
        found.callees.extend(implied.map(|s| (s.no, callees(&s.calls))));
        for no in initialisers {
            let reached = found.reached_from(no);
            found.reached.insert(program.method(no).class, reached);
        }
        found
    }

    fn reached_from(&self, initialiser: MethodNo) -> HashSet<MethodNo> {
        let mut reached = HashSet::new();
        let mut work = vec![initialiser];
        while let Some(callees) = work.pop().map(|no| self.callees.get(&no)) {
            let new = callees.into_iter().flatten().filter(|&&m| reached.insert(m));
            work.extend(new);
        }
        reached
    }

    /// Drops the calls that cannot be predicted for this reason.
    pub fn drop_from(&self, subjects: &mut [&mut Summary]) {
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
        let calls_it = |class| self.reached.get(&class).is_some_and(|to| to.contains(&callee));
        // In code of a class its own initialiser has begun, in this thread, or has ended.
        class(caller) != class(callee) && self.initialised_with(class(callee)).any(calls_it)
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
