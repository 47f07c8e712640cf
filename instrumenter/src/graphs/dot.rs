//! Graphs in Graphviz's DOT language.

use std::fmt::Write;

use super::function::{BlockKind, BlockView, EdgeKind};
use crate::lifecycle::{Endpoint, Lifecycle, endpoint_name};

/// Quotes a string for the DOT language; control characters become spaces.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Writes the graph of a class, with one cluster per method.
pub(super) fn class(name: &str, methods: &[(String, &[BlockView])]) -> String {
    let mut out = format!("digraph {} {{\n  node [shape=box fontname=monospace];\n", quote(name));
    for (m, (method, blocks)) in methods.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{m} {{\n    label={};", quote(method));
        for b in *blocks {
            let _ =
                writeln!(out, "    m{m}b{} [label={}{}];", b.id, quote(&block_label(b)), style(b));
        }
        for b in *blocks {
            for e in &b.edges {
                let _ = writeln!(out, "    m{m}b{} -> m{m}b{}{};", b.id, e.to, edge_style(&e.kind));
            }
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn block_label(b: &BlockView) -> String {
    let mut label = format!("{}  {:#x}..{:#x}", b.id, b.pc, b.end);
    let (first, last) = (b.lines.iter().map(|l| l.1).min(), b.lines.iter().map(|l| l.1).max());
    if let (Some(first), Some(last)) = (first, last) {
        let _ = if first == last {
            write!(label, "\nline {first}")
        } else {
            write!(label, "\nlines {first}–{last}")
        };
    }
    label
}

fn style(b: &BlockView) -> String {
    let is = |k| b.kinds.contains(&k);
    let mut out = String::new();
    if is(BlockKind::Initial) || is(BlockKind::Terminal) {
        out.push_str(" penwidth=3");
    }
    if is(BlockKind::Entry) {
        out.push_str(" style=filled fillcolor=palegreen");
    } else if is(BlockKind::Exit) {
        out.push_str(" style=filled fillcolor=lightpink");
    } else if is(BlockKind::Handler) {
        out.push_str(" style=filled fillcolor=khaki");
    } else if is(BlockKind::Branch) {
        out.push_str(" style=filled fillcolor=lightblue");
    }
    out
}

/// Largest number of keys in a label; the JSON file contains all.
const KEYS_SHOWN: usize = 8;

fn edge_style(kind: &EdgeKind) -> String {
    match kind {
        EdgeKind::Fallthrough => String::new(),
        EdgeKind::Goto => " [arrowhead=vee]".into(),
        EdgeKind::Taken => " [label=\"taken\" color=blue]".into(),
        EdgeKind::Case { keys } => {
            let mut text: Vec<String> = keys.iter().take(KEYS_SHOWN).map(i64::to_string).collect();
            if keys.len() > KEYS_SHOWN {
                text.push(format!("… {} cases", keys.len()));
            }
            format!(" [label={} color=blue]", quote(&text.join(", ")))
        }
        EdgeKind::Exception { types } => {
            format!(" [label={} style=dashed color=red]", quote(&types.join(", ")))
        }
    }
}

/// Writes the graph of a component.
pub(super) fn lifecycle(graph: &Lifecycle) -> String {
    let title = format!("{} {}", graph.kind, graph.class);
    let mut out = format!("digraph {} {{\n  node [shape=box fontname=monospace];\n", quote(&title));
    out.push_str("  start [shape=circle];\n  end [shape=doublecircle];\n");
    let id = |p: Endpoint| match p {
        Endpoint::Start => "start".to_owned(),
        Endpoint::End => "end".to_owned(),
        Endpoint::Callback(n) => format!("n{n}"),
    };
    for (n, node) in graph.nodes.iter().enumerate() {
        let color = match (node.initial, node.terminal) {
            (true, _) => " style=filled fillcolor=palegreen",
            (_, true) => " style=filled fillcolor=lightpink",
            _ => "",
        };
        let inherited = if node.inherited { "\n(inherited)" } else { "" };
        let name = endpoint_name(graph, Endpoint::Callback(n));
        let name = name.split('(').next().unwrap_or_default();
        let _ = writeln!(out, "  n{n} [label={}{color}];", quote(&format!("{name}{inherited}")));
    }
    for e in &graph.edges {
        let style = if e.through.is_empty() {
            String::new()
        } else {
            format!(" [label={} style=dotted]", quote(&e.through.join("\n")))
        };
        let _ = writeln!(out, "  {} -> {}{style};", id(e.from), id(e.to));
    }
    out.push_str("}\n");
    out
}
