//! Methods that need no probes because their calls already determine their path.
//!
//! A method is *implied* if it contains no decision, every call that reaches it names it alone, and
//! it calls no methods of the app but implied ones. It then runs exactly when control passes a call
//! of it, so the decoder enters it without a symbol, a token or a count.
//!
//! The price is precision: for an exception or a callback that comes out of such a method, the log
//! only shows the blocks of the caller (between two entries, exits, marks or symbols) and the
//! implied calls that control may have reached in them. A method therefore keeps its probes where
//! this would matter most, or where a call may unnoticeably run another method:
//!
//! - it is called in a block that ends in `throw` (constructors of exceptions: each time it would
//!   be uncertain if they returned);
//! - it can be overridden by a class that is loaded later, and a virtual call names it;
//! - code outside enters it: guarded methods, callees of methods that cannot be instrumented or
//!   that the user excludes, and methods that announced themselves in the model.

use std::collections::{HashMap, HashSet};

use dex::AccessFlags;
use model::implied::MAX_DEPTH;
use model::recording::Recording;

use crate::analysis::program::{MethodNo, Program, Reach};
use crate::plan::subject::Summary;

/// Marks implied methods. `given_up` are called by methods that a limit leaves without probes,
/// whose calls are not recorded. `entered` returns true if code outside, or another method without
/// probes, is known to enter a method.
pub(crate) fn mark(
    program: &Program,
    subjects: &mut [&mut Summary],
    recording: Recording,
    given_up: &HashSet<MethodNo>,
    entered: &dyn Fn(MethodNo) -> bool,
) {
    if recording.records_gotos() || recording == Recording::Paths {
        return;
    }
    let fit = suited_by_calls(program, subjects, given_up);
    let places: HashMap<MethodNo, usize> =
        subjects.iter().enumerate().map(|(i, s)| (s.no, i)).collect();
    let open: Vec<bool> = subjects
        .iter()
        .map(|s| s.straight && !s.guarded && fit.contains(&s.no) && !entered(s.no))
        .collect();
    // Callees come before callers. A method that is never ready calls itself, or a method with
    // probes.
    let mut waits = vec![0u32; subjects.len()];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); subjects.len()];
    for (i, s) in subjects.iter().enumerate().filter(|(i, _)| open[*i]) {
        for call in &s.calls {
            match &call.reach {
                Reach::Outside => {}
                Reach::One(m) => {
                    if let Some(&callee) = places.get(m) {
                        waits[i] += 1;
                        callers[callee].push(i);
                    }
                }
                Reach::Any(_) => waits[i] = u32::MAX / 2,
            }
        }
    }
    let mut ready: Vec<usize> = (0..subjects.len()).filter(|&i| open[i] && waits[i] == 0).collect();
    let mut depths = vec![1usize; subjects.len()];
    while let Some(i) = ready.pop() {
        if depths[i] > MAX_DEPTH {
            continue;
        }
        subjects[i].implied = true;
        for caller in std::mem::take(&mut callers[i]) {
            depths[caller] = depths[caller].max(depths[i] + 1);
            waits[caller] -= 1;
            if waits[caller] == 0 {
                ready.push(caller);
            }
        }
    }
}

/// Returns the implied methods that no log can show: no method with probes calls them, not even
/// through other implied ones.
pub(crate) fn unrecorded(subjects: &[&mut Summary]) -> HashSet<MethodNo> {
    let implied = subjects.iter().filter(|s| s.implied);
    let implied: HashMap<MethodNo, &Summary> = implied.map(|s| (s.no, &**s)).collect();
    let mut unrecorded: HashSet<MethodNo> = implied.keys().copied().collect();
    let mut work: Vec<&Summary> = subjects.iter().filter(|s| !s.implied).map(|s| &**s).collect();
    while let Some(caller) = work.pop() {
        let callees = caller.calls.iter().flat_map(|call| call.reach.methods());
        let new = callees.filter(|m| unrecorded.remove(m));
        work.extend(new.map(|m| implied[&m]));
    }
    unrecorded
}

/// Returns methods all of whose calls determine the callee, outside blocks that throw.
fn suited_by_calls(
    program: &Program,
    subjects: &[&mut Summary],
    given_up: &HashSet<MethodNo>,
) -> HashSet<MethodNo> {
    let (mut called, mut unfit) = (given_up.clone(), HashSet::new());
    for s in subjects {
        for call in &s.calls {
            match &call.reach {
                Reach::Outside => {}
                Reach::Any(all) => unfit.extend(all.iter().copied()),
                Reach::One(m) => {
                    if call.throws || (call.looks_up && !is_final(program, *m)) {
                        unfit.insert(*m);
                    }
                    called.insert(*m);
                }
            }
        }
    }
    called.retain(|m| !unfit.contains(m));
    called
}

/// Returns true if no class that is loaded later can override a method.
fn is_final(program: &Program, no: MethodNo) -> bool {
    let method = program.method(no);
    method.access.contains(AccessFlags::FINAL)
        || program.class(method.class).access.contains(AccessFlags::FINAL)
}
