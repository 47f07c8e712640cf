//! Comparison of the frames of stack traces with frames of paths.
//!
//! A stack trace can show a frame of a path in two forms: as in the app, with the names that R8
//! assigned, or as Retrace shows it, with the names of the source and the frames of inlined calls.

use std::collections::{BTreeMap, HashMap, HashSet};

use decoder::replay::{BlockNo, Program};
use model::descriptors::{dotted_name, package};
use model::map::{Block, CallKind, CodeOrigin, Map, MethodId, MethodKind, SourceMethod};

use super::path::{Active, FramePoint};
use super::stack::StackElement;
use crate::base::names::stands_for;

/// Maximum number of forms in which Retrace may show one frame.
const MAX_WAYS: usize = 64;

/// Class and method without parameters: a name as in stack traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key(u32);

/// Origin of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Space {
    /// Names of the source: a retraced stack trace.
    Source,
    /// Names in the app.
    App,
}

/// Relation of a frame of a stack trace to the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// A recorded method. `perhaps`: another method of the same name is not recorded.
    Recorded { key: Key, perhaps: bool },
    /// A method of the app that is not recorded.
    Unrecorded,
    /// In a package of the app, but this build has no such method.
    Unknown,
    /// Code outside the app.
    Outside,
}

/// Names of a build.
#[derive(Debug)]
pub(super) struct Index<'m> {
    map: &'m Map,
    /// Keys by class descriptor and name.
    keys: HashMap<(&'m str, &'m str), Key>,
    /// Methods without probes, by dotted class and name.
    skipped: HashSet<(String, &'m str)>,
    /// Packages, with slashes.
    packages: HashSet<&'m str>,
    /// For each method: its key in the source and in the app.
    methods: Vec<[Key; 2]>,
    /// For each source method of the map: its key.
    sources: Vec<Key>,
    /// True if names and lines are those of the source and the app has different ones.
    mapped: bool,
}

impl<'m> Index<'m> {
    pub fn new(map: &'m Map) -> Self {
        let mut index = Index {
            map,
            keys: HashMap::new(),
            skipped: HashSet::new(),
            packages: HashSet::new(),
            methods: Vec::with_capacity(map.methods.len()),
            sources: Vec::with_capacity(map.places.sources.len()),
            // If only Kotlin inlined code, names and lines are still those of the source.
            mapped: !map.places.sources.is_empty() && map.code_lines.is_empty(),
        };
        for m in &map.methods {
            let source = index.key(map.name(m.class), map.name(m.name));
            let app = m.in_app.map(|n| index.key(map.name(n.class), map.name(n.name)));
            index.mapped |= app.is_some();
            index.methods.push([source, app.unwrap_or(source)]);
        }
        for s in &map.places.sources {
            let key = index.key(map.name(s.class), map.name(s.name));
            index.sources.push(key);
        }
        for skipped in &map.skipped {
            let Some((class, rest)) = skipped.method.split_once("->") else { continue };
            let name = rest.split_once('(').map_or(rest, |(name, _)| name);
            index.packages.insert(package(class));
            index.skipped.insert((dotted_name(class), name));
        }
        index
    }

    fn key(&mut self, class: &'m str, name: &'m str) -> Key {
        self.packages.insert(package(class));
        let next = Key(self.keys.len() as u32);
        *self.keys.entry((class, name)).or_insert(next)
    }

    /// Returns the key of a frame's names.
    pub fn names(&self, element: &StackElement) -> Option<Key> {
        let class = format!("L{};", element.class.replace('.', "/"));
        self.keys.get(&(class.as_str(), element.method.as_str())).copied()
    }

    /// Returns a source method that was inlined somewhere.
    pub fn source(&self, key: Key) -> Option<SourceMethod> {
        let at = self.sources.iter().position(|k| *k == key)?;
        Some(self.map.places.sources[at])
    }

    /// Returns true if lines of stack traces with such names are comparable with those of the map.
    pub fn knows_lines(&self, space: Space) -> bool {
        space == Space::Source || !self.mapped
    }

    /// Returns the relation of a frame to the app.
    pub fn kind(&self, element: &StackElement) -> FrameKind {
        let class = format!("L{};", element.class.replace('.', "/"));
        let key = self.names(element);
        let skipped = self.skipped.contains(&(element.class.clone(), element.method.as_str()));
        if let Some(key) = key {
            return FrameKind::Recorded { key, perhaps: skipped };
        }
        // Dumps of threads write a small m.
        let native =
            element.file.as_deref().is_some_and(|f| f.eq_ignore_ascii_case("Native Method"));
        if skipped || (native && self.packages.contains(package(&class))) {
            return FrameKind::Unrecorded;
        }
        let made = element.class.starts_with("$Proxy");
        match self.packages.contains(package(&class)) && !made {
            true => FrameKind::Unknown,
            false => FrameKind::Outside,
        }
    }

    /// Returns the methods without probes that a frame may be in: those that its blocks call.
    pub fn implied(&self, program: &Program<'_>, frame: &Active) -> Vec<MethodId> {
        let mut found = Vec::new();
        for spot in frame.spots(program) {
            let blocks: &[BlockNo] = match &spot {
                FramePoint::Threw(blocks) => blocks,
                FramePoint::Call(block, _) | FramePoint::Outside(block, _) => {
                    std::slice::from_ref(block)
                }
            };
            for &block in blocks {
                found.extend(implied_calls(crate::base::names::block_of(program, block).1));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the methods without probes that such a method calls.
    pub fn implied_by(&self, method: MethodId) -> impl Iterator<Item = MethodId> {
        self.map.methods[method.0 as usize - 1].blocks.iter().flat_map(implied_calls)
    }

    /// Returns the key of a method.
    pub fn of(&self, method: MethodId, space: Space) -> Key {
        let [source, app] = self.methods[method.0 as usize - 1];
        if space == Space::Source { source } else { app }
    }
}

fn implied_calls(block: &Block) -> impl Iterator<Item = MethodId> {
    block.calls.iter().filter_map(|c| match c.call {
        CallKind::Implied(m) => Some(m),
        CallKind::Predicted(_) | CallKind::Slot(_) => None,
    })
}

/// A form in which a stack trace may show a frame of a path: its frames, innermost first, each with
/// its possible lines (none if unknown).
pub(super) type FrameForm = Vec<(Key, Vec<u32>)>;

/// Returns the forms in which a stack trace may show a frame. `above` is the frame that it called.
pub(super) fn ways(
    program: &Program<'_>,
    index: &Index<'_>,
    frame: &Active,
    above: Option<&Active>,
    space: Space,
) -> Vec<FrameForm> {
    let map = index.map;
    let m = &map.methods[frame.method.0 as usize - 1];
    let own = index.of(frame.method, space);
    let known = index.knows_lines(space) && m.kind != MethodKind::Outline;
    let places = if known { places(program, frame, above) } else { Vec::new() };
    let mut ways: BTreeMap<Vec<Key>, Vec<Vec<u32>>> = BTreeMap::new();
    let mut add = |keys: Vec<Key>, lines: Vec<u32>| {
        if ways.len() < MAX_WAYS || ways.contains_key(&keys) {
            let of = ways.entry(keys).or_insert_with(|| vec![Vec::new(); lines.len()]);
            for (all, line) in of.iter_mut().zip(lines) {
                if line > 0 && !all.contains(&line) {
                    all.push(line);
                }
            }
        }
    };
    if space == Space::Source && !matches!(m.kind, MethodKind::Source | MethodKind::Added) {
        // Retrace leaves the frame out, unless it has no entry for it.
        add(vec![], vec![]);
    }
    if places.is_empty() {
        add(vec![own], vec![0]);
    }
    for place in places {
        match place {
            CodeOrigin::Line(line) => add(vec![own], vec![line]),
            CodeOrigin::At(id) if space == Space::App => {
                let lines = map.code_lines(id);
                lines.iter().for_each(|l| add(vec![own], vec![l.line]));
                if lines.is_empty() {
                    add(vec![own], vec![0]);
                }
            }
            CodeOrigin::At(id) => {
                let (keys, lines): (Vec<Key>, Vec<u32>) = map
                    .places
                    .frames(id)
                    .map(|p| (index.sources[p.method as usize], p.line))
                    .unzip();
                // Retrace rewrites frames only where the exception was thrown.
                let rewrites = map.places.rewrites_at(id);
                for rewrite in rewrites.iter().filter(|_| above.is_none()) {
                    let removed = (rewrite.remove as usize).min(keys.len());
                    add(keys[removed..].to_vec(), lines[removed..].to_vec());
                }
                add(keys, lines);
            }
        }
    }
    ways.into_iter().map(|(keys, lines)| keys.into_iter().zip(lines).collect()).collect()
}

/// Returns the program points at which a frame may have been.
pub(super) fn places(
    program: &Program<'_>,
    frame: &Active,
    above: Option<&Active>,
) -> Vec<CodeOrigin> {
    let map = program.map;
    let spots = frame.spots(program);
    // Lines of an outline are mapped to lines of its caller.
    let outline =
        above.filter(|a| map.methods[a.method.0 as usize - 1].kind == MethodKind::Outline);
    let mut found: Vec<CodeOrigin> = Vec::new();
    for spot in &spots {
        let call = match (spot, outline) {
            (FramePoint::Call(_, pc), Some(_)) => map.places.outline_call(frame.method, *pc),
            _ => None,
        };
        match call.zip(outline) {
            Some((call, outline)) => {
                let inside = places(program, outline, None);
                found.extend(inside.into_iter().filter_map(|p| stands_for(call, p)));
            }
            None => found.extend(spot.places(program)),
        }
    }
    let mut seen = HashSet::new();
    found.retain(|p| *p != CodeOrigin::Line(0) && seen.insert(*p));
    found
}
