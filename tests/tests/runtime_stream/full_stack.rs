//! Decodes what `runtime/test/FullStack.java` recorded.

use decoder::log::Collector;
use decoder::replay::{LoopRounds, PathEvent, PathSink, Program};
use decoder::session::{Note, decode_thread};
use model::map::*;
use model::recording::TraceCodec;

/// Counts of the decoded path.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub entered: usize,
    /// Frames that exceptions ended.
    pub ended: usize,
    pub faults: Vec<String>,
}

impl PathSink for Outcome {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Enter { .. } => self.entered += 1,
            PathEvent::Unwound { dropped, .. } => self.ended += dropped,
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

/// One method with one block, which calls the method.
fn map() -> Map {
    let block = Block {
        pc: 0,
        end: 1,
        lines: vec![],
        calls: vec![CallSite { pc: 0, call: CallKind::Predicted(MethodId(1)) }],
        throws: true,
        mark: false,
        terminator: Terminator::Return,
    };
    Map {
        build: BuildId::default(),
        origin: [0; 32],
        recording: TraceCodec::Pap.into(),
        id_bits: 1,
        package: String::new(),
        names: vec![String::new()],
        methods: vec![Method {
            class: NameId(0),
            name: NameId(0),
            descriptor: NameId(0),
            source_file: None,
            in_app: None,
            kind: model::map::MethodKind::Source,
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
        places: model::map::SourcePositions::default(),
        protocol: 3,
        inlined: Vec::new(),
        paths: Vec::new(),
        code_lines: Vec::new(),
        generated: Vec::new(),
        origins: Vec::new(),
        upper_bounds: false,
        throwing: ThrowingLines::default(),
    }
}

/// The path of a trace file's only thread.
pub fn outcome(trace: &[u8]) -> Outcome {
    let map = map();
    let mut collector = Collector::new(None);
    collector.add("trace", trace).unwrap();
    let logs = collector.finish();
    let mut outcome = Outcome::default();
    decode_thread(&Program::new(&map), &logs.processes[0].threads[0], &mut outcome);
    outcome
}
