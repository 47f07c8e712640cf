//! Mapping of sampled frames to methods of a map, and a check that the samples are of that build.

use hashbrown::{HashMap, HashSet};
use model::descriptors::dotted_name;
use model::map::{CallKind, Map, MethodId};

use crate::read::{Name, Samples};

/// The names of a map's methods.
#[derive(Debug)]
pub struct MethodResolver<'m> {
    map: &'m Map,
    /// Class and name in dotted form.
    methods: HashMap<(String, String), Vec<MethodId>>,
    classes: HashSet<String>,
    /// Methods that a method may call, as the map knows.
    calls: HashSet<(MethodId, MethodId)>,
}

/// Share of a file that fits a map.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fit {
    /// Frames of classes that the map has; each name once.
    pub frames: u64,
    /// Of these, frames of methods that the map has.
    pub known: u64,
    /// Calls from one of these methods to another; each once.
    pub calls: u64,
    /// Of these, calls that the map has.
    pub fitting: u64,
}

impl Fit {
    /// The lower share of both. The methods that a build left out have no calls in the map, so only
    /// frames count where there are no calls.
    pub fn share(&self) -> f64 {
        let share = |part: u64, whole: u64| match whole {
            0 => 1.0,
            _ => part as f64 / whole as f64,
        };
        share(self.known, self.frames).min(share(self.fitting, self.calls))
    }
}

impl<'m> MethodResolver<'m> {
    /// The names of a map: those of the source, and those in the app.
    pub fn new(map: &'m Map) -> MethodResolver<'m> {
        let mut places = MethodResolver {
            map,
            methods: HashMap::new(),
            classes: HashSet::new(),
            calls: HashSet::new(),
        };
        for (id, method) in (1..).map(MethodId).zip(&map.methods) {
            let source = (method.class, method.name);
            let in_app = method.in_app.map(|n| (n.class, n.name));
            for (class, name) in std::iter::once(source).chain(in_app) {
                let class = dotted_name(map.name(class));
                places.classes.insert(class.clone());
                let all = places.methods.entry((class, map.name(name).into())).or_default();
                if !all.contains(&id) {
                    all.push(id);
                }
            }
            for call in method.blocks.iter().flat_map(|b| &b.calls) {
                match call.call {
                    CallKind::Predicted(m) | CallKind::Implied(m) => {
                        places.calls.insert((id, m));
                    }
                    CallKind::Slot(s) => {
                        let callees = map.slots[s.0 as usize].callees.iter();
                        places.calls.extend(callees.map(|&m| (id, m)));
                    }
                }
            }
        }
        places
    }

    /// Returns true if a frame is of a class of the app.
    pub fn is_app(&self, name: &Name) -> bool {
        self.classes.contains(&name.class)
    }

    /// The methods that a frame may be: all overloads, or those with its descriptor.
    pub fn methods(&self, name: &Name) -> Vec<MethodId> {
        let key = (name.class.clone(), name.method.clone());
        let all = self.methods.get(&key).map_or(&[][..], Vec::as_slice);
        let fits = |id: &&MethodId| {
            let method = &self.map.methods[id.0 as usize - 1];
            let in_app = method.in_app.map(|n| n.descriptor);
            name.descriptor.as_deref().is_none_or(|d| {
                d == self.map.name(method.descriptor)
                    || in_app.is_some_and(|n| d == self.map.name(n))
            })
        };
        all.iter().filter(fits).copied().collect()
    }

    /// Measures how well these samples fit. Methods that the build left alone are matched by name.
    pub fn fit(&self, samples: &Samples) -> Fit {
        let mut fit = Fit::default();
        let left: HashSet<String> = self
            .map
            .skipped
            .iter()
            .filter_map(|s| {
                let (class, rest) = s.method.split_once("->")?;
                Some(format!("{}.{}", dotted_name(class), rest.split('(').next()?))
            })
            .collect();
        let is_left = |n: &Name| left.contains(&format!("{}.{}", n.class, n.method));
        let known: Vec<Vec<MethodId>> = samples.names.iter().map(|n| self.methods(n)).collect();
        for (name, methods) in samples.names.iter().zip(&known).filter(|n| self.is_app(n.0)) {
            fit.frames += 1;
            fit.known += u64::from(!methods.is_empty() || is_left(name));
        }
        for (caller, callee) in samples.calls() {
            let (from, to) = (&known[caller as usize], &known[callee as usize]);
            if from.is_empty() || to.is_empty() {
                continue;
            }
            fit.calls += 1;
            let fits = |a: &MethodId| to.iter().any(|b| self.calls.contains(&(*a, *b)));
            fit.fitting += u64::from(from.iter().any(fits));
        }
        fit
    }
}
