//! Lifecycle control-flow graphs: the callbacks that a component of the app defines, and the order
//! in which the platform calls them.
//!
//! The platform's order ([`order`]) is reduced to the callbacks that the component's class, or a
//! superclass of it inside the app, defines: an edge to a callback that only the platform defines
//! continues to the callback after it.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use dex::AccessFlags;

use crate::analysis::program::{ClassNo, MethodNo, Program};
use apk::{ComponentKind, Manifest};

mod next_callback;
pub mod order;
#[cfg(test)]
mod tests;

pub use next_callback::{NextCallback, fill_next_callbacks, next_callbacks};
pub use order::LifecycleKind;
use order::{Callback, END, Order, Presence, START, TERMINAL};

/// Classes whose subclasses are fragments. The list includes subclasses in the platform and in
/// libraries, because an app need not contain the classes between them and the root.
const FRAGMENTS: &[&str] = &[
    "Landroid/app/Fragment;",
    "Landroid/app/DialogFragment;",
    "Landroid/app/ListFragment;",
    "Landroid/preference/PreferenceFragment;",
    "Landroid/webkit/WebViewFragment;",
    "Landroid/support/v4/app/Fragment;",
    "Landroidx/fragment/app/Fragment;",
];

/// A callback that a component defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackNode {
    /// Name of the platform's callback.
    pub callback: &'static str,
    /// Method name and descriptor.
    pub signature: &'static str,
    /// The method that runs: the component's own, or inherited inside the app.
    pub method: MethodNo,
    /// True if a superclass defines it.
    pub inherited: bool,
    /// True for the program's first callback: that of the main activity that comes first
    /// (`onCreate`).
    pub initial: bool,
    /// True if a session may end after it (`onStop`, `onDestroy`).
    pub terminal: bool,
}

/// An end of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Endpoint {
    /// Before the first callback.
    Start,
    /// Position in [`Lifecycle::nodes`].
    Callback(usize),
    /// After the last callback.
    End,
}

/// An edge: the second callback may follow the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LifecycleEdge {
    /// Start of the edge.
    pub from: Endpoint,
    /// End of the edge.
    pub to: Endpoint,
    /// Callbacks in between that no class of the app defines, on the shortest path.
    pub through: Vec<&'static str>,
}

/// Lifecycle graph of one component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifecycle {
    /// Kind of component.
    pub kind: LifecycleKind,
    /// Descriptor of its class.
    pub class: String,
    /// The class; `None` when the app does not contain it.
    pub class_no: Option<ClassNo>,
    /// Process it runs in; `None` for fragments.
    pub process: Option<String>,
    /// True for the activity that the launcher starts.
    pub main: bool,
    /// Static initialiser, which runs before the first use of the class.
    pub initializer: Option<MethodNo>,
    /// The constructor that the platform calls before the first callback.
    pub constructor: Option<MethodNo>,
    /// Superclasses inside the app, then the first one outside.
    pub ancestors: Vec<String>,
    /// Callbacks, in the order of the platform's table.
    pub nodes: Vec<CallbackNode>,
    /// Edges, ascending.
    pub edges: Vec<LifecycleEdge>,
}

impl Lifecycle {
    /// Returns the ends of edges that start here.
    pub fn successors(&self, from: Endpoint) -> impl Iterator<Item = Endpoint> + '_ {
        self.edges.iter().filter(move |e| e.from == from).map(|e| e.to)
    }

    /// Returns true if code of the app itself drives the component: a fragment of a library that
    /// the app contains.
    pub fn driven_by_app(&self) -> bool {
        self.kind == LifecycleKind::Fragment
            && self.ancestors.last().is_none_or(|a| !a.starts_with("Landroid/"))
    }
}

/// Returns the graphs of all components, ordered by kind and class. Without a manifest only
/// fragments are found.
pub fn lifecycles(program: &Program, manifest: Option<&Manifest>) -> Vec<Lifecycle> {
    let by_name = class_index(program);
    // Maps kind and class to the process, and to true for the main activity.
    let mut found: BTreeMap<(LifecycleKind, String), (Option<String>, bool)> = BTreeMap::new();
    if let Some(m) = manifest {
        if let Some(application) = &m.application {
            found.insert(
                (LifecycleKind::Application, descriptor(application)),
                (Some(m.process.clone()), false),
            );
        }
        let main = m.launcher();
        for c in &m.components {
            let (kind, class) = match c.kind {
                ComponentKind::Activity => (LifecycleKind::Activity, &c.class),
                // An alias is another name for an activity that is declared as well.
                ComponentKind::ActivityAlias => continue,
                ComponentKind::Service => (LifecycleKind::Service, &c.class),
                ComponentKind::Receiver => (LifecycleKind::Receiver, &c.class),
                ComponentKind::Provider => (LifecycleKind::Provider, &c.class),
            };
            let main = kind == LifecycleKind::Activity && main == Some(class.as_str());
            found.entry((kind, descriptor(class))).or_insert((Some(c.process.clone()), main));
        }
    }
    for name in fragments(program) {
        found.insert((LifecycleKind::Fragment, name), (None, false));
    }
    found
        .into_iter()
        .map(|((kind, class), (process, main))| {
            let class_no = by_name.get(class.as_str()).copied();
            build(program, kind, class, class_no, process, main)
        })
        .collect()
}

/// Returns the constructors that the platform calls by reflection: those of components, platform
/// fragments, the component factory, instrumentations.
pub fn constructors(
    program: &Program,
    manifest: Option<&Manifest>,
    graphs: &[Lifecycle],
) -> Vec<MethodNo> {
    let mut all: Vec<MethodNo> =
        graphs.iter().filter(|g| !g.driven_by_app()).filter_map(|g| g.constructor).collect();
    if let Some(m) = manifest {
        let others = m.component_factory.iter().chain(m.instrumentations.iter().map(|i| &i.class));
        let classes = others.filter_map(|name| program.find_class(&descriptor(name)));
        all.extend(classes.filter_map(|c| program.declared(c, "<init>()V")));
    }
    all
}

fn descriptor(dotted: &str) -> String {
    format!("L{};", dotted.replace('.', "/"))
}

fn class_index(program: &Program) -> HashMap<&str, ClassNo> {
    let all = program.classes.iter().enumerate().filter(|(_, c)| !c.is_duplicate());
    all.map(|(i, c)| (program.text(c.name), ClassNo(i as u32))).collect()
}

/// Returns the class and its superclasses inside the app, and the name of the first one outside.
fn ancestry(program: &Program, class: ClassNo) -> (Vec<ClassNo>, Option<&str>) {
    let mut chain = vec![class];
    // A cyclic hierarchy is no valid app, but it must not hang the tool.
    let mut seen = HashSet::from([class]);
    let mut at = class;
    loop {
        match program.superclass(at) {
            Some((_, Some(parent))) if seen.insert(parent) => {
                chain.push(parent);
                at = parent;
            }
            Some((name, None)) => return (chain, Some(name)),
            _ => return (chain, None),
        }
    }
}

fn fragments(program: &Program) -> Vec<String> {
    let mut names = Vec::new();
    for (i, class) in program.classes.iter().enumerate() {
        if class.is_duplicate()
            || class.access.intersects(AccessFlags::INTERFACE | AccessFlags::ABSTRACT)
        {
            continue;
        }
        let (chain, outside) = ancestry(program, ClassNo(i as u32));
        let inside = chain[1..].iter().map(|&c| program.text(program.class(c).name));
        if inside.chain(outside).any(|name| FRAGMENTS.contains(&name)) {
            names.push(program.text(class.name).to_owned());
        }
    }
    names
}

fn build(
    program: &Program,
    kind: LifecycleKind,
    class: String,
    class_no: Option<ClassNo>,
    process: Option<String>,
    main: bool,
) -> Lifecycle {
    let (chain, outside) = class_no.map_or((Vec::new(), None), |c| ancestry(program, c));
    let ancestors =
        chain.iter().skip(1).map(|&c| program.text(program.class(c).name)).chain(outside);
    let ancestors = ancestors.map(str::to_owned).collect();
    let mut nodes = Vec::new();
    for callback in order::order(kind).callbacks {
        if let Some((method, inherited)) = resolve(program, &chain, callback) {
            nodes.push(CallbackNode {
                callback: callback.label,
                signature: callback.signature,
                method,
                inherited,
                initial: false,
                terminal: TERMINAL.contains(&callback.signature),
            });
        }
    }
    let edges = collapse(order::order(kind), &nodes);
    let own = |sig| class_no.and_then(|c| program.declared(c, sig));
    let (initializer, constructor) = (own("<clinit>()V"), own("<init>()V"));
    let mut graph = Lifecycle {
        kind,
        class,
        class_no,
        process,
        main,
        initializer,
        constructor,
        ancestors,
        nodes,
        edges,
    };
    if main {
        let first: Vec<Endpoint> = graph.successors(Endpoint::Start).collect();
        // `attachBaseContext` belongs to the context; the activity's own life begins with
        // `onCreate`.
        let on_create = graph.nodes.iter().position(|n| n.callback == "onCreate");
        let initial = on_create.or(first.iter().find_map(|p| match p {
            Endpoint::Callback(n) => Some(*n),
            _ => None,
        }));
        if let Some(n) = initial {
            graph.nodes[n].initial = true;
        }
    }
    graph
}

/// Returns the method that the platform's virtual call reaches, and true if it is inherited.
/// Returns `None` if the method is outside the app.
fn resolve(program: &Program, chain: &[ClassNo], callback: &Callback) -> Option<(MethodNo, bool)> {
    let mut found = chain
        .iter()
        .enumerate()
        .filter_map(|(depth, &c)| Some((depth, program.declared(c, callback.signature)?)));
    let (depth, method) = found.next()?;
    (program.method(method).code.is_some()).then_some((method, depth > 0))
}

/// Reduces the platform's edges to the callbacks that exist.
fn collapse(order: &Order, nodes: &[CallbackNode]) -> Vec<LifecycleEdge> {
    let defined: HashMap<&str, usize> =
        nodes.iter().enumerate().map(|(i, n)| (n.callback, i)).collect();
    let next: HashMap<&str, &[&'static str]> = order.edges.iter().copied().collect();
    let always: HashSet<&str> = order
        .callbacks
        .iter()
        .filter(|c| c.presence == Presence::Always)
        .map(|c| c.label)
        .collect();
    let callbacks: HashSet<&str> = order.callbacks.iter().map(|c| c.label).collect();
    let mut edges = Vec::new();
    let starts = std::iter::once((Endpoint::Start, START))
        .chain(nodes.iter().enumerate().map(|(i, n)| (Endpoint::Callback(i), n.callback)));
    for (from, label) in starts {
        let mut queue: VecDeque<(&str, Vec<&'static str>)> = VecDeque::from([(label, Vec::new())]);
        let mut seen: HashSet<&str> = HashSet::new();
        while let Some((at, through)) = queue.pop_front() {
            for &to in next.get(at).copied().unwrap_or(&[]) {
                if !seen.insert(to) {
                    continue;
                }
                if to == END {
                    edges.push(LifecycleEdge { from, to: Endpoint::End, through: through.clone() });
                } else if let Some(&n) = defined.get(to) {
                    edges.push(LifecycleEdge {
                        from,
                        to: Endpoint::Callback(n),
                        through: through.clone(),
                    });
                } else if !callbacks.contains(to) {
                    queue.push_back((to, through.clone()));
                } else if always.contains(to) {
                    let mut through = through.clone();
                    through.push(to.trim_end_matches('\''));
                    queue.push_back((to, through));
                }
            }
        }
    }
    edges.sort_by_key(|e| (e.from, e.to));
    edges
}

/// Returns the name of an edge's end in the JSON and DOT files.
pub fn endpoint_name(graph: &Lifecycle, place: Endpoint) -> String {
    match place {
        Endpoint::Start => "start".to_owned(),
        Endpoint::End => "end".to_owned(),
        Endpoint::Callback(n) => graph.nodes[n].signature.to_owned(),
    }
}
