//! Control-flow graphs for people and scripts: one JSON and one DOT file per component (its
//! lifecycle) and per class (the graphs of its methods), and an index.
//!
//! Method addresses and lines are those of the original code. Classes are sorted by name, so that
//! the same app gives the same files. A class that an earlier dex file also defines never runs and
//! is left out.

mod app;
mod dot;
mod facts;
pub mod function;
mod names;
mod reached;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use model::descriptors::internal_name;
use rayon::prelude::*;
use serde::Serialize;

use crate::analysis::program::{ClassNo, MethodNo, Program};
use crate::lifecycle::{Endpoint, Lifecycle};
pub use app::{GraphError, export_app};
pub use facts::{AppFacts, DexFacts, app_facts, build_id};

pub use crate::plan::origins::OriginFacts;
use function::{BlockKind, BlockView, EdgeKind, Marks};
pub use names::FileNames;
use reached::{ReachedFunctions, methods_of};

/// Callback that writes a file: a path relative to the output folder (with `/`), and the content.
/// Called from several threads.
pub type Write<'w, E> = dyn Fn(&str, &[u8]) -> Result<(), E> + Sync + 'w;

/// Sums over methods.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Number of methods with a graph.
    pub methods: u64,
    /// Number of blocks.
    pub blocks: u64,
    /// Number of branch blocks.
    pub branches: u64,
    /// Number of edges to the next instruction.
    pub fallthrough: u64,
    /// Number of `goto` edges.
    pub goto: u64,
    /// Number of `if-*` edges taken.
    pub taken: u64,
    /// Number of `switch` edges, one per switch and target block.
    pub case: u64,
    /// Number of exception edges, one per block and handler.
    pub exception: u64,
    /// Number of methods that no component reaches by the app's code.
    pub unreached: u64,
}

impl Totals {
    fn add(&mut self, other: &Totals) {
        self.methods += other.methods;
        self.blocks += other.blocks;
        self.branches += other.branches;
        self.fallthrough += other.fallthrough;
        self.goto += other.goto;
        self.taken += other.taken;
        self.case += other.case;
        self.exception += other.exception;
        self.unreached += other.unreached;
    }

    fn add_blocks(&mut self, blocks: &[BlockView]) {
        self.methods += 1;
        self.blocks += blocks.len() as u64;
        for b in blocks {
            self.branches += u64::from(b.kinds.contains(&BlockKind::Branch));
            for e in &b.edges {
                *match e.kind {
                    EdgeKind::Fallthrough => &mut self.fallthrough,
                    EdgeKind::Goto => &mut self.goto,
                    EdgeKind::Taken => &mut self.taken,
                    EdgeKind::Case { .. } => &mut self.case,
                    EdgeKind::Exception { .. } => &mut self.exception,
                } += 1;
            }
        }
    }
}

/// A class in the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClassEntry {
    /// Descriptor of the class.
    pub class: String,
    /// Its JSON file; the DOT file beside it ends in `.dot`.
    pub file: String,
    /// Sums over its methods.
    #[serde(flatten)]
    pub totals: Totals,
}

/// A component in the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComponentEntry {
    /// Kind of component.
    pub kind: crate::lifecycle::LifecycleKind,
    /// Descriptor of its class.
    pub class: String,
    /// True if the app contains the class.
    pub present: bool,
    /// Its JSON file; the DOT file beside it ends in `.dot`.
    pub file: String,
    /// Number of callbacks.
    pub callbacks: usize,
}

/// A method without a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failed {
    /// `Lpkg/Cls;->name(I)V`.
    pub method: String,
    /// Reason why it has none.
    pub reason: String,
}

/// Index of all files that were written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Index {
    /// Package name, empty without a manifest.
    pub package: String,
    /// Key of the method whose entry block is the program's initial block.
    pub initial: Option<String>,
    /// Sums over all methods.
    pub totals: Totals,
    /// Components.
    pub components: Vec<ComponentEntry>,
    /// Classes.
    pub classes: Vec<ClassEntry>,
    /// Methods whose code cannot be decoded.
    pub failed: Vec<Failed>,
    /// Number of classes left out because an earlier dex file also defines them.
    pub duplicates: usize,
}

/// Writes the graphs of all descriptors that `wanted` accepts, then `index.json`.
///
/// # Errors
/// Returns one of the errors of `write`.
pub fn export<E: Send>(
    program: &Program,
    lifecycles: &[Lifecycle],
    package: &str,
    wanted: &(dyn Fn(&str) -> bool + Sync),
    write: &Write<'_, E>,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Index, E> {
    let marks = marks(lifecycles);
    let functions = ReachedFunctions::new(program, lifecycles);
    let initial = marks.iter().find(|(_, m)| m.initial).map(|(&no, _)| program.method_key(no));
    let mut index = Index { package: package.to_owned(), initial, ..Index::default() };
    let mut names = FileNames::default();
    for graph in lifecycles.iter().filter(|g| wanted(&g.class)) {
        let base = format!(
            "components/{}",
            names.name(&format!("{}-{}", graph.kind, internal_name(&graph.class)))
        );
        write(&format!("{base}.json"), lifecycle_json(program, graph, &functions).as_bytes())?;
        write(&format!("{base}.dot"), dot::lifecycle(graph).as_bytes())?;
        index.components.push(ComponentEntry {
            kind: graph.kind,
            class: graph.class.clone(),
            present: graph.class_no.is_some(),
            file: format!("{base}.json"),
            callbacks: graph.nodes.len(),
        });
    }
    let mut order: Vec<(&str, ClassNo)> = Vec::new();
    for (i, class) in program.classes.iter().enumerate() {
        let name = program.text(class.name);
        if class.is_duplicate() {
            index.duplicates += 1;
        } else if wanted(name) {
            order.push((name, ClassNo(i as u32)));
        }
    }
    order.sort_unstable();
    let mut names = FileNames::default();
    let work: Vec<(ClassNo, String)> =
        order.iter().map(|&(name, no)| (no, format!("classes/{}", names.name(name)))).collect();
    let done = AtomicUsize::new(0);
    let results: Vec<(ClassEntry, Vec<Failed>)> = work
        .par_iter()
        .map(|(no, base)| {
            let view = ClassView::new(program, *no, &marks, &functions);
            write(&format!("{base}.json"), view.json().as_bytes())?;
            write(&format!("{base}.dot"), view.dot().as_bytes())?;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, work.len());
            let totals = view.totals();
            Ok((
                ClassEntry { class: view.class.clone(), file: format!("{base}.json"), totals },
                view.failed(),
            ))
        })
        .collect::<Result<_, E>>()?;
    for (entry, failed) in results {
        index.totals.add(&entry.totals);
        index.classes.push(entry);
        index.failed.extend(failed);
    }
    write("index.json", &json_lines(&index))?;
    Ok(index)
}

fn marks(lifecycles: &[Lifecycle]) -> BTreeMap<MethodNo, Marks> {
    let mut marks: BTreeMap<MethodNo, Marks> = BTreeMap::new();
    for node in lifecycles.iter().flat_map(|g| &g.nodes) {
        let m = marks.entry(node.method).or_default();
        m.initial |= node.initial;
        m.terminal |= node.terminal;
    }
    marks
}

fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("strings and numbers under string keys")
}

fn json_lines(index: &Index) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(index).expect("strings and numbers under string keys");
    text.push(b'\n');
    text
}

/// Formats `{"a":1,"list":[⏎ one element per line ⏎]}`: readable, and small.
fn with_list(head: &str, name: &str, elements: impl IntoIterator<Item = String>) -> String {
    let mut out = format!("{},\"{name}\":[", head.strip_suffix('}').unwrap_or(head));
    let mut separator = "\n";
    for e in elements {
        out.push_str(separator);
        out.push_str(&e);
        separator = ",\n";
    }
    out.push_str("\n]}");
    out
}

#[derive(Serialize)]
struct CallbackJson<'a> {
    id: usize,
    callback: &'a str,
    method: String,
    inherited: bool,
    initial: bool,
    terminal: bool,
    /// Number of functions that it reaches, itself included.
    reaches: usize,
    /// The nearest of them, at most 1,000.
    functions: Vec<String>,
}

fn lifecycle_json(program: &Program, graph: &Lifecycle, functions: &ReachedFunctions) -> String {
    let head = serde_json::json!({
        "kind": graph.kind,
        "class": graph.class,
        "present": graph.class_no.is_some(),
        "process": graph.process,
        "main": graph.main,
        "superclasses": graph.ancestors,
    });
    let nodes = graph.nodes.iter().enumerate().map(|(id, n)| {
        let reach = functions.by_callback.get(&n.method);
        let first = reach.map_or(&[][..], |reach| &reach.first);
        json(&CallbackJson {
            id,
            callback: n.signature,
            method: program.method_key(n.method),
            inherited: n.inherited,
            initial: n.initial,
            terminal: n.terminal,
            reaches: reach.map_or(0, |reach| reach.count),
            functions: first.iter().map(|no| program.method_key(*no)).collect(),
        })
    });
    let place = |p: Endpoint| match p {
        Endpoint::Start => serde_json::json!("start"),
        Endpoint::End => serde_json::json!("end"),
        Endpoint::Callback(n) => serde_json::json!(n),
    };
    let edges = graph.edges.iter().map(|e| {
        json(&serde_json::json!({ "from": place(e.from), "to": place(e.to), "through": e.through }))
    });
    let text = with_list(&json(&head), "callbacks", nodes);
    with_list(&text, "edges", edges) + "\n"
}

/// A method, its key, and its blocks or the reason why it has none; `None` for a method without
/// code.
type MethodView = (MethodNo, String, Option<Result<Vec<BlockView>, String>>);

struct ClassView<'p> {
    program: &'p Program,
    no: ClassNo,
    class: String,
    methods: Vec<MethodView>,
    functions: &'p ReachedFunctions,
}

impl<'p> ClassView<'p> {
    fn new(
        program: &'p Program,
        no: ClassNo,
        marks: &BTreeMap<MethodNo, Marks>,
        functions: &'p ReachedFunctions,
    ) -> Self {
        let class = program.class(no);
        let dex = &program.files[class.dex].dex;
        let methods = methods_of(program, no).map(|m| {
            let blocks = program.method(m).code.map(|code| match dex.codes.get(code.0 as usize) {
                Some(body) => {
                    function::blocks(dex, body, marks.get(&m).copied().unwrap_or_default())
                }
                None => Err("no such code".into()),
            });
            (m, program.method_key(m), blocks)
        });
        ClassView {
            program,
            no,
            class: program.text(class.name).to_owned(),
            methods: methods.collect(),
            functions,
        }
    }

    fn json(&self) -> String {
        let class = self.program.class(self.no);
        let file = &self.program.files[class.dex];
        let source = file
            .dex
            .classes
            .get(class.def)
            .and_then(|c| c.source_file)
            .map(|s| file.dex.string(s).into_owned());
        let head = serde_json::json!({
            "class": self.class,
            "dex": file.name,
            "access": class.access.bits(),
            "superclass": self.program.superclass(self.no).map(|s| s.0),
            "interfaces": self.program.interfaces(self.no).map(|i| i.0).collect::<Vec<_>>(),
            "source_file": source,
        });
        let methods = self.methods.iter().map(|(no, key, blocks)| {
            let access = self.program.method(*no).access.bits();
            let mut head = serde_json::json!({ "method": key, "access": access });
            if let Some(reached) = self.functions.is_reached(*no).filter(|_| blocks.is_some()) {
                head["reached"] = reached.into();
            }
            match blocks {
                Some(Ok(blocks)) => with_list(&json(&head), "blocks", blocks.iter().map(json)),
                Some(Err(e)) => {
                    json(&serde_json::json!({ "method": key, "access": access, "failed": e }))
                }
                None => json(&head),
            }
        });
        with_list(&json(&head), "methods", methods) + "\n"
    }

    fn dot(&self) -> String {
        let graphs = self.methods.iter().filter_map(|(no, key, blocks)| {
            let name = key.split_once("->").map_or(key.as_str(), |k| k.1);
            let mark = match self.functions.is_reached(*no) {
                Some(false) => " (unreached)",
                _ => "",
            };
            let blocks = blocks.as_ref()?.as_ref().ok()?;
            Some((format!("{name}{mark}"), blocks.as_slice()))
        });
        dot::class(&self.class, &graphs.collect::<Vec<_>>())
    }

    fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        self.methods
            .iter()
            .filter_map(|m| m.2.as_ref()?.as_ref().ok())
            .for_each(|b| totals.add_blocks(b));
        let with_code = self.methods.iter().filter(|m| m.2.is_some());
        let unreached = with_code.filter(|m| self.functions.is_reached(m.0) == Some(false));
        totals.unreached = unreached.count() as u64;
        totals
    }

    fn failed(&self) -> Vec<Failed> {
        let failed = self.methods.iter().filter_map(|(_, key, blocks)| match blocks {
            Some(Err(reason)) => Some(Failed { method: key.clone(), reason: reason.clone() }),
            _ => None,
        });
        failed.collect()
    }
}
