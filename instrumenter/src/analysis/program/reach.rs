//! Methods of the app that a call can reach.

use std::collections::HashSet;
use std::sync::Arc;

use dex::AccessFlags;

use super::hierarchy::MAX_GENERATIONS;
use super::{ClassNo, MARKERS, MethodNo, Program, Sym};

/// Targets of a call inside the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// No method of the app that is known.
    Outside,
    /// This method only.
    One(MethodNo),
    /// Any of these methods (ascending), perhaps also code outside.
    Any(Arc<[MethodNo]>),
}

impl Reach {
    /// Returns the methods of the app.
    pub fn methods(&self) -> impl Iterator<Item = MethodNo> + '_ {
        let (one, any): (Option<MethodNo>, &[MethodNo]) = match self {
            Reach::Outside => (None, &[]),
            Reach::One(m) => (Some(*m), &[]),
            Reach::Any(all) => (None, all),
        };
        one.into_iter().chain(any.iter().copied())
    }
}

/// Method selection of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dispatch {
    /// `invoke-static`, `invoke-direct`.
    Exact,
    /// `invoke-super` from a class.
    Super,
    /// `invoke-virtual`.
    Virtual,
    /// `invoke-interface`.
    Interface,
}

/// Returns true for an interface outside the app whose purpose is to be called back through, so
/// that a call slot pays.
pub(super) fn slot_worthy(interface: &str) -> bool {
    matches!(
        interface,
        "Ljava/lang/Runnable;"
            | "Ljava/util/concurrent/Callable;"
            | "Ljava/util/Comparator;"
            | "Ljava/lang/Comparable;"
            | "Ljava/util/Iterator;"
            | "Ljava/lang/Iterable;"
    ) || interface.starts_with("Ljava/util/function/")
        || !(interface.starts_with("Ljava/"))
}

impl Program {
    pub(super) fn exact(&self, class: ClassNo, sig: Sym) -> Reach {
        match self.find(class, sig) {
            Lookup::Here(m)
                if self.method(m).code.is_some() && !self.class(self.method(m).class).shadowed =>
            {
                Reach::One(m)
            }
            _ => Reach::Outside,
        }
    }

    pub(super) fn super_call(&self, class: ClassNo, sig: Sym, caller: ClassNo) -> Reach {
        // `invoke-super C.m` starts above the *caller's* class; if C is an interface it means C's
        // default method.
        if self.class(class).access.contains(AccessFlags::INTERFACE) {
            return self.exact(class, sig);
        }
        match self.class(caller).superclass.and_then(|s| self.by_name.get(&s)) {
            Some(&parent) => self.exact(parent, sig),
            None => Reach::Outside,
        }
    }

    pub(super) fn polymorphic(&self, class: ClassNo, sig: Sym, dispatch: Dispatch) -> Reach {
        let found = self.find(class, sig);
        if let Lookup::Here(m) = found {
            let access = self.method(m).access;
            let fixed = (access | self.class(class).access).contains(AccessFlags::FINAL)
                || access.contains(AccessFlags::PRIVATE);
            let inherited = !access.contains(AccessFlags::PRIVATE) || self.method(m).class == class;
            if fixed && inherited && dispatch == Dispatch::Virtual {
                return self.exact(class, sig);
            }
        }
        let mut all = Vec::new();
        let mut outside = !matches!(found, Lookup::Here(_));
        if let Lookup::Here(m) = found {
            all.push(m);
            // A private method of a class above is not inherited: ART skips it and finds an older
            // one or an interface's default.
            if self.method(m).access.contains(AccessFlags::PRIVATE) {
                let Some(above) = self.above(class) else { return Reach::Outside };
                all.extend(above.into_iter().filter_map(|c| self.class(c).method(sig)));
                outside = true;
            }
        }
        let deep = self.class(class).place.generations > MAX_GENERATIONS;
        if dispatch == Dispatch::Virtual
            && !self.class(class).access.contains(AccessFlags::INTERFACE)
        {
            let below = self.overriders_below(class, sig);
            if deep && !below.is_empty() {
                return Reach::Outside;
            }
            all.extend(below.iter().map(|o| o.2));
            return self.reach_of(all, outside, dispatch);
        }
        if deep {
            return Reach::Outside;
        }
        let mut work = self.class(class).children.clone();
        let mut seen = HashSet::new();
        while let Some(k) = work.pop() {
            if !seen.insert(k) {
                continue;
            }
            work.extend_from_slice(&self.class(k).children);
            if dispatch == Dispatch::Virtual {
                all.extend(self.class(k).method(sig));
            } else if !self.class(k).access.contains(AccessFlags::INTERFACE) {
                match self.find(k, sig) {
                    Lookup::Here(m) => all.push(m),
                    _ => outside = true,
                }
            }
        }
        self.reach_of(all, outside, dispatch)
    }

    fn reach_of(&self, mut all: Vec<MethodNo>, mut outside: bool, dispatch: Dispatch) -> Reach {
        all.retain(|&m| !self.method(m).access.contains(AccessFlags::ABSTRACT));
        outside |= all
            .iter()
            .any(|&m| self.method(m).code.is_none() || self.class(self.method(m).class).shadowed);
        all.retain(|&m| self.method(m).code.is_some());
        all.sort_unstable();
        all.dedup();
        match all[..] {
            [] => Reach::Outside,
            // A Proxy can also implement an interface: the caller must notice.
            [one] if !outside && dispatch == Dispatch::Virtual => Reach::One(one),
            _ => Reach::Any(all.into()),
        }
    }

    /// Returns the classes and interfaces of the app above a class, unless there are far more than
    /// any class has.
    fn above(&self, class: ClassNo) -> Option<HashSet<ClassNo>> {
        const MOST: usize = 4096;
        let mut all = HashSet::new();
        let mut work = vec![class];
        while let Some(at) = work.pop() {
            let c = self.class(at);
            let parents =
                c.superclass.iter().chain(&c.interfaces).filter_map(|s| self.by_name.get(s));
            work.extend(parents.filter(|&&p| all.insert(p)));
            if all.len() > MOST {
                return None;
            }
        }
        Some(all)
    }

    /// Returns true if a method's class extends this outside class, as far as the app shows.
    pub(super) fn extends(&self, no: MethodNo, outside: Sym) -> bool {
        let mut at = Some(self.method(no).class);
        for _ in 0..256 {
            let Some(class) = at else { break };
            let Some(above) = self.class(class).superclass else { break };
            if above == outside {
                return true;
            }
            at = self.by_name.get(&above).copied();
        }
        self.text(outside) == "Ljava/lang/Object;"
    }

    /// Looks up a method: first in the superclasses, then in the interfaces.
    pub(super) fn find(&self, class: ClassNo, sig: Sym) -> Lookup {
        let mut at = class;
        let mut leaves = false;
        for _ in 0..256 {
            let c = self.class(at);
            if let Some(m) = c.method(sig)
                && !self.method(m).access.contains(AccessFlags::ABSTRACT)
            {
                return if leaves { Lookup::Outside } else { Lookup::Here(m) };
            }
            match c.superclass {
                None => break,
                Some(s) => match self.by_name.get(&s) {
                    Some(&p) => at = p,
                    None => {
                        leaves = self.text(s) != "Ljava/lang/Object;";
                        break;
                    }
                },
            }
        }
        if leaves {
            return Lookup::Outside;
        }
        self.find_default(class, sig, 0)
    }

    fn find_default(&self, class: ClassNo, sig: Sym, depth: usize) -> Lookup {
        // Maximally specific selection is not modelled: several defaults give the answer "outside",
        // which only costs an announcement.
        let mut found = Vec::new();
        let mut outside = false;
        self.collect_defaults(class, sig, depth, &mut HashSet::new(), &mut found, &mut outside);
        found.sort_unstable();
        found.dedup();
        match found[..] {
            [one] if !outside => Lookup::Here(one),
            [] if !outside => Lookup::Nowhere,
            _ => Lookup::Outside,
        }
    }

    fn collect_defaults(
        &self,
        class: ClassNo,
        sig: Sym,
        depth: usize,
        seen: &mut HashSet<ClassNo>,
        found: &mut Vec<MethodNo>,
        outside: &mut bool,
    ) {
        if !seen.insert(class) {
            return;
        }
        if depth > 64 {
            *outside = true;
            return;
        }
        let c = self.class(class);
        if c.access.contains(AccessFlags::INTERFACE)
            && let Some(m) = c.method(sig)
            && !self.method(m).access.contains(AccessFlags::ABSTRACT)
        {
            found.push(m);
            return;
        }
        for s in c.superclass.iter().chain(&c.interfaces) {
            match self.by_name.get(s) {
                Some(&p) => self.collect_defaults(p, sig, depth + 1, seen, found, outside),
                None => {
                    *outside |=
                        self.text(*s) != "Ljava/lang/Object;" && !MARKERS.contains(&self.text(*s))
                }
            }
        }
    }
}

/// Result of a method lookup.
pub(super) enum Lookup {
    /// This method of the app.
    Here(MethodNo),
    /// The search left the app.
    Outside,
    /// There is no such method.
    Nowhere,
}
