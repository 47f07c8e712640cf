//! The protocol's numbers and names are the same in `model`, in the built runtime and in
//! `docs/PROTOCOL.md`.

use std::collections::BTreeMap;

use dex::{Dex, EncodedValue};
use instrumenter::probes::runtime::{CONFIG, RUNTIME_DEX};
use model::protocol::probes::{
    ADAPT, ADAPT_METHODS, COUNT_METHODS, COUNTS, HITS, ORIGIN_METHODS, ORIGINS, PACKED, PAP,
    PAP_METHODS, PATH_COUNT, PATH_HIT, PROBE_METHODS, PROBES, Probe, STATE, STATE_FIELDS,
    WIRE_METHODS,
};
use model::protocol::{
    ConfigKey, Escape, Position, Protocol, RestartMode, SinkNumber, Span, slab_flags, slab_mark,
};

fn runtime() -> Dex {
    Dex::read(RUNTIME_DEX).expect("it was built by D8")
}

fn class<'a>(dex: &'a Dex, name: &str) -> &'a dex::ClassDef {
    dex.classes
        .iter()
        .find(|c| dex.type_name(c.ty) == name)
        .unwrap_or_else(|| panic!("there is no {name}"))
}

/// The static fields of a class: type and initial value.
fn statics(dex: &Dex, name: &str) -> BTreeMap<String, (String, Option<EncodedValue>)> {
    let class = class(dex, name);
    let field = |(i, f): (usize, &dex::EncodedField)| {
        let id = &dex.fields.items()[f.field.index()];
        let value = class.static_values.get(i).cloned();
        (dex.string(id.name).into_owned(), (dex.type_name(id.ty).to_string(), value))
    };
    class.static_fields.iter().enumerate().map(field).collect()
}

/// Name and signature of the static methods of a class.
fn methods(dex: &Dex, name: &str) -> Vec<String> {
    class(dex, name)
        .direct_methods
        .iter()
        .map(|m| dex.method_name(m.method).split_once("->").unwrap().1.to_owned())
        .collect()
}

#[test]
fn the_runtime_has_the_numbers_of_the_protocol() {
    let mut expected: BTreeMap<String, i32> = BTreeMap::new();
    let mut expect = |name: String, number: u32| {
        expected.insert(name, number as i32);
    };
    for kind in Escape::ALL {
        expect(format!("ESCAPE_{}", kind.name()), kind.number());
    }
    expect("ESCAPE_BITS".into(), Escape::BITS);
    expect("POSITION_CLASS_BITS".into(), Position::CLASS_BITS);
    expect("SLAB_CLOSED".into(), slab_flags::CLOSED.into());
    expect("SLAB_LATE".into(), slab_flags::LATE.into());
    expect("SLAB_UNRECORDED".into(), slab_flags::UNRECORDED.into());
    expect("SLAB_RING".into(), slab_flags::RING.into());
    expect("RESTART_BITS".into(), RestartMode::BITS);
    expect("RESTART_PLAIN".into(), RestartMode::Plain.number());
    expect("RESTART_GUARDED".into(), RestartMode::Guarded.number());
    expect("RESTART_OUTERMOST".into(), RestartMode::Outermost.number());
    expect("SLAB_SHIFT_AT".into(), slab_flags::SHIFT_AT);
    expect("SLAB_SHIFT_MASK".into(), slab_flags::SHIFT_MASK.into());
    expect("SLAB_CLOCK_AT".into(), slab_flags::CLOCK_AT);
    expect("MARK_FACTOR".into(), slab_mark::FACTOR);
    expect("MARK_BIT".into(), slab_mark::BIT);
    expect("TRACE_VERSION".into(), model::trace::VERSION.into());
    expect("TRACE_WITH_TABLE".into(), model::trace::NEWEST.into());
    expect("TICK_NS".into(), 1000 * Protocol::NOW.tick_us());
    expect("TICKS_PER_MS".into(), 1000 / Protocol::NOW.tick_us());
    expect("SPAN_GAP".into(), Span::Gap.each());
    expect("SPAN_DURATION".into(), Span::Duration.each());
    expect("SPAN_LONG".into(), Span::Gap.slice(17) >> 16);
    expect("SPAN_LONG_EACH".into(), Span::Gap.slice(17) & 0xFFFF);
    expect("SINK_FILE".into(), SinkNumber::File.number() as u32);
    expect("SINK_LOGCAT".into(), SinkNumber::Logcat.number() as u32);
    expect("SINK_NOWHERE".into(), SinkNumber::Nowhere.number() as u32);
    // A value of 0 may be left out of the file.
    let found: BTreeMap<String, i32> = statics(&runtime(), "Lpathlight/Protocol;")
        .into_iter()
        .map(|(name, (_, value))| match value {
            Some(EncodedValue::Int(n)) => (name, n),
            None => (name, 0),
            other => panic!("{name} is {other:?}"),
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn the_runtime_has_every_configuration_field_and_no_other() {
    let dex = runtime();
    let found: BTreeMap<String, String> =
        statics(&dex, CONFIG).into_iter().map(|(name, (ty, _))| (name, ty)).collect();
    let expected = ConfigKey::ALL
        .iter()
        .map(|k| (k.field().to_owned(), k.ty().descriptor().to_owned()))
        .collect::<BTreeMap<_, _>>();
    assert_eq!(found, expected);
}

#[test]
fn the_runtime_has_every_probe_with_its_signature() {
    let dex = runtime();
    let all: [(&str, &[Probe]); 8] = [
        (PROBES, PROBE_METHODS),
        (PROBES, WIRE_METHODS),
        (PACKED, WIRE_METHODS),
        (ADAPT, ADAPT_METHODS),
        (PAP, PAP_METHODS),
        (COUNTS, COUNT_METHODS),
        (HITS, &[PATH_HIT, PATH_COUNT]),
        (ORIGINS, ORIGIN_METHODS),
    ];
    for (class, probes) in all {
        let found = methods(&dex, class);
        for probe in probes {
            let wanted = format!("{}({}){}", probe.name, probe.params.concat(), probe.ret);
            assert!(found.contains(&wanted), "{class} has no {wanted}, only {found:?}");
        }
    }
}

#[test]
fn the_state_has_every_field_that_probes_touch() {
    let dex = runtime();
    let state = class(&dex, STATE);
    for (name, ty) in STATE_FIELDS {
        let has = state.instance_fields.iter().any(|f| {
            let id = &dex.fields.items()[f.field.index()];
            dex.string(id.name) == *name && dex.type_name(id.ty) == *ty
        });
        assert!(has, "State has no {ty} {name}");
    }
}

/// The table of escapes in the document: `| 0 | ENTRY | …`.
#[test]
fn the_document_lists_the_same_escapes() {
    let text = include_str!("../../docs/PROTOCOL.md");
    let begin = text.find("| kind | name |").expect("the table of escapes");
    let rows = text[begin..].lines().skip(2).take_while(|l| l.starts_with('|'));
    let found: Vec<(u32, String)> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            (cells[1].parse().expect("a number"), cells[2].to_owned())
        })
        .collect();
    let expected: Vec<(u32, String)> =
        Escape::ALL.iter().map(|k| (k.number(), k.name().to_owned())).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_position_takes_the_narrowest_width_that_holds_the_distance() {
    let width = |ahead| Position::for_distance(ahead).1.bits();
    assert_eq!(
        [0, 15, 16, 255, 256, 65_535, 65_536, u32::MAX].map(width),
        [4, 4, 8, 8, 16, 16, 32, 32]
    );
    assert_eq!((0..4).map(|c| Position::of_class(c).bits()).collect::<Vec<_>>(), [4, 8, 16, 32]);
}
