//! A mapping and the app that it is for.

use instrumenter::{InstrumentError, Options, Output, RuntimeHome, instrument};
use model::mapping::Mapping;

/// Instruments a program whose classes name this as their source file.
fn with_file(file: Option<&str>, mapping: &str) -> Result<Output, InstrumentError> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/truth/fixtures/inline/program.dex");
    let mut bytes = std::fs::read(root).unwrap();
    if let Some(file) = file {
        let mut dex = dex::Dex::read(&bytes).unwrap();
        let file = dex.intern_str(file);
        dex.classes.iter_mut().for_each(|c| c.source_file = Some(file));
        bytes = dex.write().unwrap();
    }
    let mapping = Mapping::parse(&format!("{mapping}org.example.Main -> Main:\n")).unwrap();
    let options = Options { mapping: Some(mapping), ..Options::default() };
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
