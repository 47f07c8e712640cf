//! Bodies of real files through decode, lower and the linear pass: of the compiled test programs in
//! this repository, and of all `.dex` files below the folder that `PATHLIGHT_CORPUS` names.

use std::path::{Path, PathBuf};

use dex::RawHandlers;
use dex::debug::{self, DebugEvent};
use dex::{Body, Code, CodeItem, Dex, IndexMap, Item, Node, Op, decode, lower, remap_raw, text};

fn dex_files(dir: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            dex_files(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "dex") {
            found.push(path);
        }
    }
}

/// Per file; `nops` are among `insns` (`dexdump -d` shows them as spacers).
#[derive(Default, Debug)]
struct Counts {
    bodies: usize,
    insns: usize,
    nops: usize,
    undecodable: usize,
    same_units: usize,
    other_units: usize,
    same_tries: usize,
    debug: usize,
}

#[test]
fn real_bodies_survive_decode_and_lower() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests").into();
    for folder in [Some(own), std::env::var_os("PATHLIGHT_CORPUS")].into_iter().flatten() {
        let mut files = Vec::new();
        dex_files(Path::new(&folder), &mut files);
        assert!(!files.is_empty(), "no dex files in {}", folder.display());
        survive(files);
    }
}

fn survive(files: Vec<PathBuf>) {
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let dex = match Dex::read(&bytes) {
            Ok(dex) => dex,
            Err(error) => {
                println!("{}: {error}", path.display());
                continue;
            }
        };
        let map = IndexMap::identity(&dex);
        let mut counts = Counts::default();
        for (i, body) in dex.codes.iter().enumerate() {
            let Body::Raw(item) = body else { continue };
            check(&format!("{} body {i}", path.display()), item, &map, &mut counts);
        }
        println!("{}: {counts:?}", path.display());
        check_text(&path.display().to_string(), &dex);
    }
}

/// All classes as text and back into a file of their own, one at a time.
fn check_text(name: &str, dex: &Dex) {
    for (i, class) in dex.classes.iter().enumerate() {
        let shown = text::class(dex, class).to_string();
        let mut other = Dex::new(dex.version);
        text::parse_classes(&shown, &mut other)
            .unwrap_or_else(|error| panic!("{name} class {i}: {error}\n{shown}"));
        let again = text::classes(&other).to_string();
        // What cannot be decoded is a comment, and comments are not kept.
        let code = |line: &&str| !line.starts_with("; no code: ");
        assert!(
            again.lines().eq(shown.lines().filter(code)),
            "{name} class {i}:\n{again}\n{shown}"
        );
    }
}

fn check(name: &str, item: &CodeItem, map: &IndexMap, counts: &mut Counts) {
    counts.bodies += 1;
    let code = match decode(item) {
        Ok(code) => code,
        Err(error) => {
            println!("{name}: {error}");
            counts.undecodable += 1;
            return;
        }
    };
    let ops: Vec<Op> = code.nodes.iter().filter_map(op).collect();
    counts.insns += ops.len();
    counts.nops += ops.iter().filter(|&&op| op == Op::Nop).count();

    let lowered = lower(&code, map).unwrap_or_else(|error| panic!("{name}: {error}\n{code}"));
    if lowered.insns == item.insns {
        counts.same_units += 1;
        assert_eq!(coverage(&lowered, &code), coverage(item, &code), "{name}: try ranges");
        assert_eq!(clamped(&lowered, &code), clamped(item, &code), "{name}: debug info");
        counts.same_tries +=
            usize::from(lowered.tries == item.tries && lowered.handlers == item.handlers);
    } else {
        counts.other_units += 1;
    }
    assert_eq!(decode(&lowered).unwrap(), code, "{name}: second decoding");

    assert_eq!(remap_raw(item, map).as_ref(), Ok(item), "{name}: linear pass");
    if let Some(info) = &item.debug {
        let mut bytes = Vec::new();
        debug::write(info, &mut bytes).unwrap();
        assert_eq!(
            debug::parse(&bytes, 0).unwrap(),
            (info.clone(), bytes.len()),
            "{name}: debug bytes"
        );
        counts.debug += 1;
    }
}

fn op(node: &Node) -> Option<Op> {
    match &node.item {
        Item::Insn(insn) => Some(insn.op),
        _ => None,
    }
}

/// The handlers in effect at each instruction that has some: what the exception search sees. The
/// instructions stand at the same addresses as those of `code`, without tables between them.
fn coverage<'a>(item: &'a CodeItem, code: &Code) -> Vec<(u32, &'a RawHandlers)> {
    let mut covered = Vec::new();
    let mut at = 0;
    for op in code.nodes.iter().filter_map(op) {
        let inside = |start: u32, len: u16| (start..start + u32::from(len)).contains(&at);
        if let Some(range) = item.tries.iter().find(|range| inside(range.start, range.len)) {
            covered.push((at, &item.handlers[range.handlers as usize]));
        }
        at += op.units();
    }
    covered
}

/// Debug events; those at addresses of tables count as standing at the end of the instructions.
fn clamped(item: &CodeItem, code: &Code) -> Vec<(u32, DebugEvent)> {
    let end: u32 = code.nodes.iter().filter_map(op).map(Op::units).sum();
    let events = item.debug.iter().flat_map(|debug| &debug.events);
    events.map(|(at, event)| (end.min(*at), event.clone())).collect()
}
