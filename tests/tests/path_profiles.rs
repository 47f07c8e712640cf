//! In how many methods of the fixtures the counts of edges fix those of paths.

use std::path::Path;

use apk::Apk;
use instrumenter::{Inline, Options, RuntimeHome, instrument};
use model::map::{Map, MethodId, Terminator};
use model::path_profiles::method_graph::method_graph;

fn map(app: &str) -> Map {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let apk = root.join(format!("android-fixtures/{app}/prebuilt/{app}.apk"));
    let apk = Apk::read(apk).expect("a fixture");
    let files = apk.dex_files().expect("dex files").loaded;
    let files = files.into_iter().map(|f| (f.name, f.bytes)).collect();
    let options = Options { inline: Inline::Never, ..Options::default() };
    let out = instrument(files, RuntimeHome::OwnFile, app, &options).expect("instruments");
    out.map.expect("a map").unpack()
}

/// Methods that branch, and those of them in which the counts of edges fix those of paths.
fn fixed(map: &Map) -> (usize, usize) {
    let (mut fixed, mut all) = (0, 0);
    for (id, m) in (1..).map(MethodId).zip(&map.methods) {
        if !m.blocks.iter().any(|b| matches!(b.terminator, Terminator::Branch { .. })) {
            continue;
        }
        let handlers: Vec<_> =
            map.handlers.iter().filter(|h| h.method == id).map(|h| h.block).collect();
        let graph = method_graph(&m.blocks, &handlers).expect("a graph");
        all += 1;
        fixed += usize::from(graph.fixes_paths());
    }
    (fixed, all)
}

/// What a prototype of its own, over the same fixtures, counted.
#[test]
fn counts_of_edges_fix_those_of_paths_in_about_half_of_the_branching_methods() {
    assert_eq!(["tether", "kernels"].map(|app| fixed(&map(app))), [(37, 71), (2, 24)]);
}
