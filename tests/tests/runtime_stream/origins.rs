//! Questions of the runtime about the origins of callbacks: what it records, and what cannot harm
//! the app (`runtime/test/Asked.java`).

use std::process::Command;

use decoder::log::Collector;
use decoder::replay::{LoopRounds, PathEvent, PathSink, Program, Via};
use decoder::session::{Note, decode_thread};
use model::map::*;
use model::recording::TraceCodec;

use super::host::{classes, java_below, root, run, trace};

/// The origins of each callback, and faults.
#[derive(Default)]
struct Recorded {
    callbacks: Vec<Vec<String>>,
    map: Option<Map>,
    faults: Vec<String>,
}

impl PathSink for Recorded {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { via, .. } => {
                assert!(matches!(via, Via::TopLevel(_)));
                self.callbacks.push(Vec::new());
            }
            PathEvent::Origin(origin) => {
                let shown = self.map.as_ref().and_then(|map| map.callback_origin(origin));
                let shown = shown.expect("the map has it").to_string();
                self.callbacks.last_mut().expect("a callback").push(shown);
            }
            PathEvent::Note(Note::Faulty(fault)) => {
                self.faults.push(fault.kind.to_string());
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        rounds.pass_each(self);
    }
}

/// A method, and the origins of `Asked.java`.
fn map() -> Map {
    let block = Block {
        pc: 0,
        end: 1,
        lines: vec![],
        calls: vec![],
        throws: true,
        mark: false,
        terminator: Terminator::Return,
    };
    let range = |kind, first, count, names| OriginRange { kind, first, count, names };
    let actions = vec![Some(NameId(1)), Some(NameId(2))];
    let origins = vec![
        range(OriginKind::Id, 100, 10, vec![]),
        range(OriginKind::Position, 0, 4, vec![]),
        range(OriginKind::Action, 0, 2, actions),
    ];
    Map {
        build: BuildId::default(),
        origin: [0; 32],
        recording: TraceCodec::Arith.into(),
        id_bits: 16,
        package: String::new(),
        names: ["", "p.A", "p.B"].map(str::to_owned).to_vec(),
        methods: vec![Method {
            class: NameId(0),
            name: NameId(0),
            descriptor: NameId(0),
            source_file: None,
            in_app: None,
            kind: MethodKind::Source,
            guarded: true,
            blocks: vec![block],
            fingerprint: 0,
            regions: vec![],
            loops: vec![],
        }],
        handlers: vec![],
        slots: vec![Slot { callees: vec![], freqs: vec![65_535], site: NameId(0) }],
        next_callbacks: vec![],
        skipped: vec![],
        places: SourcePositions::default(),
        protocol: 3,
        inlined: Vec::new(),
        paths: Vec::new(),
        code_lines: Vec::new(),
        generated: Vec::new(),
        origins,
        upper_bounds: false,
        throwing: ThrowingLines::default(),
    }
}

#[test]
fn only_listed_values_are_recorded_and_no_answer_harms_the_app() {
    let android = tempfile::tempdir().unwrap();
    let compiled = Command::new("javac")
        .args(["--release", "8", "-Xlint:-options", "-d"])
        .arg(android.path())
        .args(java_below(&root().join("runtime/stubs/android/view")))
        .args(java_below(&root().join("runtime/stubs/android/content")))
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let dir = tempfile::tempdir().unwrap();
    let mut java = Command::new("java");
    java.arg("-XX:+UseSerialGC")
        .arg(format!("-Dpathlight.dir={}", dir.path().display()))
        .arg("-cp")
        .arg(format!("{}:{}", classes().display(), android.path().display()))
        .args(["Script", "asked", "0", "0", "0"]);
    run(java);
    let map = map();
    let mut collector = Collector::new(None);
    collector.add("trace", &trace(dir.path())[..]).unwrap();
    let logs = collector.finish();
    let mut recorded = Recorded { map: Some(map.clone()), ..Recorded::default() };
    decode_thread(&Program::new(&map), &logs.processes[0].threads[0], &mut recorded);
    assert_eq!(recorded.faults, [""; 0]);
    let wanted: [&[&str]; 21] = [
        &["#103"],
        // No view; ids outside the ranges.
        &[],
        &[],
        &[],
        &[],
        &[],
        // An exception, a full stack.
        &[],
        &[],
        // Its probes went nowhere.
        &["#104"],
        // Classes that are not asked.
        &[],
        &[],
        &["#109"],
        &["#100", "position 3"],
        &[],
        &["#101"],
        &[],
        &["p.B"],
        &[],
        &[],
        &["p.A"],
        &[],
    ];
    assert_eq!(recorded.callbacks, wanted);
}
