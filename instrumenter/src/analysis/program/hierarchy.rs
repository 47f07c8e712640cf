//! Relations between the classes of a program, computed once for all of them.

use super::{ClassNo, MARKERS, MethodNo, Program, ProgramClass, Sym};

/// Relations of one class to others: computed once for all classes, because computing them class by
/// class takes quadratic time in deep hierarchies.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HierarchyFacts {
    /// Numbers of the class and of its last subclass, in a numbering from superclass to subclass;
    /// empty on a cycle.
    pub(super) subclasses: (u32, u32),
    /// Generations of classes and interfaces below; the largest number on a cycle.
    pub(super) generations: u32,
    /// True if a class or interface above is outside the app and may call back.
    pub(super) outside_above: bool,
    /// True if a class below adds an interface from outside that an inherited method could
    /// implement.
    pub(super) outside_below: bool,
}

/// Largest number of generations between the class that a call names and its receiver's class for a
/// predicted call. Real apps have about ten; without a limit, the possible callees of all calls
/// grow with the square of the number of classes.
pub(super) const MAX_GENERATIONS: u32 = 256;

impl Program {
    /// Computes the relations between all classes.
    pub(super) fn link(&mut self) {
        let mut parents: Vec<Vec<ClassNo>> = Vec::with_capacity(self.classes.len());
        for i in 0..self.classes.len() {
            let c = &self.classes[i];
            let named = c.superclass.iter().chain(&c.interfaces);
            let above: Vec<ClassNo> =
                named.clone().filter_map(|s| self.by_name.get(s).copied()).collect();
            if !c.duplicate {
                for s in named.filter(|s| !self.by_name.contains_key(s)) {
                    self.named_outside.entry(*s).or_default().push(ClassNo(i as u32));
                }
                for p in &above {
                    self.classes[p.0 as usize].children.push(ClassNo(i as u32));
                }
            }
            parents.push(above);
        }
        self.number_subclasses();
        self.count_generations(&parents);
        self.find_outside(&parents);
    }

    /// Numbers the classes so that the subclasses of each follow it, and sorts the methods by these
    /// numbers.
    fn number_subclasses(&mut self) {
        let superclass =
            |c: &ProgramClass| c.superclass.and_then(|s| self.by_name.get(&s).copied());
        let mut work: Vec<(usize, bool)> = (0..self.classes.len())
            .filter(|&i| superclass(&self.classes[i]).is_none())
            .map(|i| (i, false))
            .collect();
        let mut next = 1;
        while let Some((i, done)) = work.pop() {
            if done {
                self.classes[i].place.subclasses.1 = next - 1;
                continue;
            }
            self.classes[i].place.subclasses.0 = next;
            next += 1;
            work.push((i, true));
            let below = self.classes[i].children.iter().map(|k| k.0 as usize);
            work.extend(
                below
                    .filter(|&k| self.classes[k].superclass == Some(self.classes[i].name))
                    .map(|k| (k, false)),
            );
        }
        let methods = self
            .classes
            .iter()
            .filter(|c| !c.duplicate && c.place.subclasses.0 > 0)
            .flat_map(|c| c.methods.iter().map(|&(sig, m)| (sig, c.place.subclasses.0, m)));
        self.overriders = methods.collect();
        self.overriders.sort_unstable();
    }

    fn count_generations(&mut self, parents: &[Vec<ClassNo>]) {
        let mut open: Vec<usize> = self.classes.iter().map(|c| c.children.len()).collect();
        let mut work: Vec<usize> = (0..open.len()).filter(|&i| open[i] == 0).collect();
        let mut counted = vec![false; open.len()];
        while let Some(i) = work.pop() {
            counted[i] = true;
            if self.classes[i].duplicate {
                continue;
            }
            let here = self.classes[i].place.generations + 1;
            for p in parents[i].iter().map(|p| p.0 as usize) {
                let above = &mut self.classes[p].place.generations;
                *above = here.max(*above);
                open[p] -= 1;
                if open[p] == 0 {
                    work.push(p);
                }
            }
        }
        for (c, _) in self.classes.iter_mut().zip(counted).filter(|(_, counted)| !counted) {
            c.place.generations = u32::MAX;
        }
    }

    /// Finds classes and interfaces outside the app above and below each class.
    fn find_outside(&mut self, parents: &[Vec<ClassNo>]) {
        let n = self.classes.len();
        let outside = |s: &Sym| !self.by_name.contains_key(s) && !MARKERS.contains(&self.text(*s));
        let super_too = |c: &ProgramClass| {
            c.interfaces.iter().any(outside)
                || c.superclass.iter().any(|s| outside(s) && self.text(*s) != "Ljava/lang/Object;")
        };
        let mut above: Vec<bool> = self.classes.iter().map(super_too).collect();
        spread(&mut above, |i| self.classes[i].children.iter());
        for (i, p) in parents.iter().enumerate() {
            above[i] |= self.classes[i].duplicate && p.iter().any(|p| above[p.0 as usize]);
        }
        let mut implementers: Vec<Vec<ClassNo>> = vec![Vec::new(); n];
        for (i, c) in self.classes.iter().enumerate() {
            for p in c.interfaces.iter().filter_map(|s| self.by_name.get(s)) {
                implementers[p.0 as usize].push(ClassNo(i as u32));
            }
        }
        let mut adds: Vec<bool> =
            self.classes.iter().map(|c| c.interfaces.iter().any(outside)).collect();
        spread(&mut adds, |i| implementers[i].iter());
        let mut below = vec![false; n];
        for i in (0..n).filter(|&i| adds[i] && !self.classes[i].duplicate) {
            parents[i].iter().for_each(|p| below[p.0 as usize] = true);
        }
        spread(&mut below, |i| parents[i].iter());
        for (i, c) in self.classes.iter_mut().enumerate() {
            c.place.outside_above = above[i];
            c.place.outside_below = below[i];
        }
    }

    /// Returns methods with this signature in the subclasses of a class.
    pub(super) fn overriders_below(&self, class: ClassNo, sig: Sym) -> &[(Sym, u32, MethodNo)] {
        let (own, last) = self.class(class).place.subclasses;
        let start = self.overriders.partition_point(|o| (o.0, o.1) <= (sig, own));
        let end = self.overriders.partition_point(|o| (o.0, o.1) <= (sig, last));
        &self.overriders[start..end.max(start)]
    }
}

/// Sets the flags of everything reachable from a set flag.
fn spread<'c, I: Iterator<Item = &'c ClassNo>>(set: &mut [bool], next: impl Fn(usize) -> I) {
    let mut work: Vec<usize> = (0..set.len()).filter(|&i| set[i]).collect();
    while let Some(i) = work.pop() {
        for k in next(i).map(|k| k.0 as usize) {
            if !std::mem::replace(&mut set[k], true) {
                work.push(k);
            }
        }
    }
}
