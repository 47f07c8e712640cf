//! A mapping and the app that it is for.

use apk::Apk;
use instrumenter::{
    InstrumentError, Options, Output, RetraceError, RuntimeHome, instrument, retrace_map,
};
use model::map::{Block, CodeOrigin, Map, Method, SourceMethod};
use model::mapping::Mapping;

/// An app that R8 made, without its ending.
const NOTES: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../android-fixtures/notes/prebuilt/notes");

/// Instruments a program whose classes name this as their source file.
fn with_file(file: Option<&str>, mapping: &str) -> Result<Output, InstrumentError> {
    let mapping = Mapping::parse(&format!("{mapping}org.example.Main -> Main:\n")).unwrap();
    inline_fixture(file, Some(mapping))
}

/// Builds a fixture whose classes name this source file.
fn inline_fixture(file: Option<&str>, mapping: Option<Mapping>) -> Result<Output, InstrumentError> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/truth/fixtures/inline/program.dex");
    let mut bytes = std::fs::read(root).unwrap();
    if let Some(file) = file {
        let mut dex = dex::Dex::read(&bytes).unwrap();
        let file = dex.intern_str(file);
        dex.classes.iter_mut().for_each(|c| c.source_file = Some(file));
        bytes = dex.write().unwrap();
    }
    let options = Options { mapping, ..Options::default() };
    instrument(vec![("classes.dex".into(), bytes)], RuntimeHome::OwnFile, "", &options)
}

#[test]
fn a_mapping_of_another_build_is_refused_with_both_ids() {
    let error = with_file(Some("r8-map-id-aaaa"), "# pg_map_hash: SHA-256 bbbb\n").err().unwrap();
    let text = error.to_string();
    assert!(text.contains("of build bbbb") && text.contains("of build aaaa"), "{text}");
}

#[test]
fn the_mapping_of_the_build_is_taken() {
    assert!(with_file(Some("r8-map-id-bbbb"), "# pg_map_hash: SHA-256 bbbb\n").is_ok());
    // One of the two has no id.
    assert!(with_file(Some("r8-map-id-aaaa"), "").is_ok());
    assert!(with_file(None, "# pg_map_hash: SHA-256 bbbb\n").is_ok());
}

#[test]
fn a_mapping_of_a_later_version_is_a_warning() {
    let version = "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.3\"}\n";
    let warned = with_file(None, version).ok().unwrap().report.warnings;
    let text = "the mapping has version 2.3, newer than 2.2: it is read as version 2.2";
    assert_eq!(warned.iter().map(ToString::to_string).collect::<Vec<_>>(), [text]);
    let known = with_file(None, &version.replace("2.3", "2.2")).ok().unwrap().report.warnings;
    assert!(known.is_empty());
}

/// The map of the R8 fixture, instrumented with its mapping or without.
fn notes(mapping: Option<Mapping>) -> Map {
    let apk = Apk::read(format!("{NOTES}.apk")).expect("a fixture");
    let files = apk.dex_files().expect("a fixture").loaded;
    let files = files.into_iter().map(|f| (f.name, f.bytes)).collect();
    let options = Options { mapping, ..Options::default() };
    let output = instrument(files, RuntimeHome::OwnFile, "", &options);
    output.unwrap().map.expect("it records").unpack()
}

fn mapping_of_notes() -> Mapping {
    let text = std::fs::read_to_string(format!("{NOTES}.mapping.txt")).expect("a fixture");
    Mapping::parse(&text).expect("a mapping")
}

/// The frames of a line of a method's code, outermost first.
fn frames(map: &Map, method: &Method, origin: CodeOrigin) -> Vec<(String, u32)> {
    match origin {
        CodeOrigin::Line(line) => vec![(map.method_key(method), line)],
        CodeOrigin::At(id) => {
            let name = |s: &SourceMethod| {
                [s.class, s.name, s.descriptor].map(|name| map.name(name)).concat()
            };
            let frames = map.places.frames(id);
            frames.map(|p| (name(&map.places.sources[p.method as usize]), p.line)).collect()
        }
    }
}

#[test]
fn a_map_that_is_retraced_later_has_the_names_and_lines_of_a_mapped_build() {
    let (mapped, mut later) = (notes(Some(mapping_of_notes())), notes(None));
    let build = later.build;
    retrace_map(&mut later, &mapping_of_notes()).unwrap();
    assert_eq!(later.build, build, "its logs still fit");
    let keys = |map: &Map| map.methods.iter().map(|m| map.method_key(m)).collect::<Vec<_>>();
    assert_eq!(keys(&mapped), keys(&later));
    let (mut calls, mut begins, mut same) = (0, 0, 0);
    for (a, b) in mapped.methods.iter().zip(&later.methods) {
        let file = |map: &Map, m: &Method| m.source_file.map(|file| map.name(file).to_owned());
        assert_eq!(file(&mapped, a), file(&later, b));
        assert_eq!((a.kind, a.in_app.is_some()), (b.kind, b.in_app.is_some()));
        for (x, y) in a.blocks.iter().zip(&b.blocks) {
            let at = |map: &Map, m: &Method, block: &Block, pc: u32| {
                let before = block.lines.partition_point(|l| l.0 <= pc).checked_sub(1);
                before.map(|at| frames(map, m, block.lines[at].1))
            };
            for call in &x.calls {
                assert_eq!(at(&mapped, a, x, call.pc), at(&later, b, y, call.pc));
                calls += 1;
            }
            if let Some(first) = x.lines.first() {
                begins += 1;
                same += usize::from(at(&mapped, a, x, first.0) == at(&later, b, y, first.0));
            }
        }
    }
    assert!(calls > 500, "{calls}");
    // A few blocks that throw nothing go on with the line of the code before.
    assert!(begins > 1000 && same * 100 >= begins * 95, "{same} of {begins}");
}

#[test]
fn a_mapped_map_and_other_mappings_are_refused() {
    let mut mapped = notes(Some(mapping_of_notes()));
    let again = retrace_map(&mut mapped, &mapping_of_notes());
    assert_eq!(again, Err(RetraceError::Mapped));
    let other = Mapping::parse("org.example.Main -> Main:\n").unwrap();
    assert_eq!(retrace_map(&mut notes(None), &other), Err(RetraceError::NoClass));
    let text = "# pg_map_hash: SHA-256 bbbb\norg.example.Main -> Main:\n";
    let named = || inline_fixture(Some("r8-map-id-aaaa"), None).ok().unwrap().map.unwrap().unpack();
    let refused = retrace_map(&mut named(), &Mapping::parse(text).unwrap());
    assert!(matches!(refused, Err(RetraceError::OtherBuild { .. })), "{refused:?}");
    let of_build = text.replace("bbbb", "aaaa");
    assert_eq!(retrace_map(&mut named(), &Mapping::parse(&of_build).unwrap()), Ok(()));
}
