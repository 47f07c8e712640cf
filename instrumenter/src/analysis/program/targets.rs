//! Targets of calls in a build: what the program shows, and what a model and the manifest add.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use dex::{AccessFlags, MethodIdx};

use super::reach::{Lookup, slot_worthy};
use super::{CalledBack, ClassNo, Dispatch, MethodNo, Program, Reach, Sym};

/// Targets of a program's calls, and the methods that the platform enters.
#[derive(Debug)]
pub struct CallTargets<'p> {
    /// The program.
    pub program: &'p Program,
    called_back: CalledBack,
    started: HashSet<MethodNo>,
    /// Targets of virtual calls that were asked for before.
    known: Mutex<HashMap<(ClassNo, Sym, Dispatch), Reach>>,
}

impl<'p> CallTargets<'p> {
    /// Targets that the program alone shows.
    pub fn of(program: &'p Program) -> Self {
        CallTargets::new(program, HashSet::new(), CalledBack::default())
    }

    /// Adds methods that the platform calls although nothing in the code shows it (`started`: the
    /// constructors of components), and those that calls through outside types were observed to
    /// reach.
    pub(crate) fn new(
        program: &'p Program,
        started: HashSet<MethodNo>,
        called_back: CalledBack,
    ) -> Self {
        CallTargets { program, called_back, started, known: Mutex::default() }
    }

    /// Returns true if code outside the app may call this method, so that an exception which leaves
    /// the method may end outside.
    pub fn called_from_outside(&self, no: MethodNo) -> bool {
        self.started.contains(&no) || self.program.called_from_outside(no)
    }

    /// Returns true if calls of this reference get a slot for the first time in this build, because
    /// they were observed to lead back into the app.
    pub(crate) fn gets_first_slot(&self, file: usize, method: MethodIdx) -> bool {
        let found = self.called_back.get(&self.program.reference_syms(file, method));
        found.is_some_and(|found| !found.had_slot)
    }

    /// Returns the targets of a call in `file` from a method of `caller`.
    pub fn reach(
        &self,
        file: usize,
        method: MethodIdx,
        dispatch: Dispatch,
        caller: ClassNo,
    ) -> Reach {
        let program = self.program;
        let (name, sig) = program.reference_syms(file, method);
        let Some(&class) = program.by_name.get(&name) else {
            return self.reach_outside_type(name, sig, dispatch);
        };
        if program.class(class).shadowed {
            return Reach::Outside;
        }
        match dispatch {
            Dispatch::Exact => program.exact(class, sig),
            Dispatch::Super => program.super_call(class, sig, caller),
            Dispatch::Virtual | Dispatch::Interface => self.memoised(class, sig, dispatch),
        }
    }

    fn memoised(&self, class: ClassNo, sig: Sym, dispatch: Dispatch) -> Reach {
        if let Some(r) =
            self.known.lock().expect("no panic while held").get(&(class, sig, dispatch))
        {
            return r.clone();
        }
        let r = self.program.polymorphic(class, sig, dispatch);
        self.known.lock().expect("no panic while held").insert((class, sig, dispatch), r.clone());
        r
    }

    /// Returns the targets of a call through a type from outside. Such a call is worth a slot if
    /// app classes implement the interface, or if calls were observed to lead back into the app.
    fn reach_outside_type(&self, name: Sym, sig: Sym, dispatch: Dispatch) -> Reach {
        let program = self.program;
        let seen = match dispatch {
            Dispatch::Virtual | Dispatch::Interface => self.called_back.get(&(name, sig)),
            Dispatch::Exact | Dispatch::Super => None,
        };
        let by_type = dispatch == Dispatch::Interface && slot_worthy(program.text(name));
        if !by_type && seen.is_none() {
            return Reach::Outside;
        }
        let key = (ClassNo(u32::MAX - name.0), sig, dispatch);
        if let Some(r) = self.known.lock().expect("no panic while held").get(&key) {
            return r.clone();
        }
        let could = |m: &MethodNo| dispatch == Dispatch::Interface || program.extends(*m, name);
        let methods = seen.into_iter().flat_map(|seen| &seen.methods);
        let mut all: Vec<MethodNo> = methods.copied().filter(could).collect();
        let named = program.named_outside.get(&name).filter(|_| by_type);
        let mut work = named.cloned().unwrap_or_default();
        let mut visited = HashSet::new();
        while let Some(k) = work.pop() {
            if !visited.insert(k) {
                continue;
            }
            let c = program.class(k);
            work.extend_from_slice(&c.children);
            if !c.access.contains(AccessFlags::INTERFACE)
                && let Lookup::Here(m) = program.find(k, sig)
            {
                all.push(m);
            }
        }
        all.retain(|&m| program.method(m).code.is_some());
        all.sort_unstable();
        all.dedup();
        let r = if all.is_empty() { Reach::Outside } else { Reach::Any(all.into()) };
        self.known.lock().expect("no panic while held").insert(key, r.clone());
        r
    }
}
