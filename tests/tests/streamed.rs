//! A log that is read while it is decoded gives a sink the same as one in memory: paths, times,
//! notes with their places, and the places to begin at.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

use decoder::crew::Cores;
use decoder::log::Collector;
use decoder::replay::{LoopRounds, PathEvent, PathSink, Program};
use decoder::session::{Note, decode_streamed_on, decode_thread};
use model::recording::{Recording, TraceCodec};
use model::trace::{SLAB_HEADER, SlabHeader, write_trace};
use tests::sim::{Habits, Rng, Shape, file_header, play, random_map, slabs};

/// Hashes all events, and keeps the notes.
#[derive(Default)]
struct Ear {
    heard: DefaultHasher,
    events: u64,
    places: u64,
    notes: Vec<Note>,
}

impl Ear {
    fn hear(&mut self, what: impl Debug) {
        format!("{what:?}").hash(&mut self.heard);
        self.events += 1;
    }
}

impl PathSink for Ear {
    fn event(&mut self, event: PathEvent<'_>) {
        match event {
            PathEvent::Times(times) => self.hear(times),
            PathEvent::Clock(us) => self.hear(("clock", us)),
            PathEvent::Enter { method, via } => self.hear((method, via)),
            PathEvent::Block(block) => self.hear(block),
            PathEvent::Decision { what, alternative } => self.hear((what, alternative)),
            PathEvent::Trips { branch, symbol } => self.hear(("trips", branch, symbol)),
            PathEvent::Adapted(freq) => self.hear(freq),
            PathEvent::Leave => self.hear("leave"),
            PathEvent::Caught { dropped, handler, block, from } => {
                self.hear((dropped, handler, block, from))
            }
            PathEvent::Unwound { dropped, from } => self.hear((dropped, from)),
            PathEvent::Possible { depth, methods } => self.hear((depth, methods)),
            PathEvent::Doubtful { method, depth } => self.hear(("doubtful", method, depth)),
            PathEvent::Checked => self.hear("checked"),
            PathEvent::Note(note) => {
                self.hear(note);
                self.notes.push(note);
            }
            PathEvent::CanBegin { segment, offset, start } => {
                self.places += 1;
                self.hear((segment, offset, start));
            }
            _ => {}
        }
    }

    fn rounds(&mut self, rounds: LoopRounds<'_>) {
        let LoopRounds { branch, stay, cycle, times } = rounds;
        self.hear((branch, stay, cycle, times));
    }
}

/// Takes slabs away, or changes their headers or payloads under a sum that fits.
fn damage(rng: &mut Rng, all: &mut Vec<(SlabHeader, Vec<u8>)>, times: usize) {
    for _ in 0..times {
        let at = rng.below(all.len());
        match rng.below(4) {
            0 if all.len() > 1 => drop(all.remove(at)),
            1 if all[at].0.sync.is_some() => {
                let sync = all[at].0.sync.as_mut().unwrap();
                sync.progress ^= 1 << rng.below(8);
            }
            // Where nothing begins, what follows has to be looked for further on.
            2 => all[at..].iter_mut().take(60).for_each(|slab| slab.0.sync = None),
            _ if !all[at].1.is_empty() => {
                let bit = rng.below(8 * all[at].1.len());
                all[at].1[bit / 8] ^= 1 << (bit % 8);
            }
            _ => {}
        }
    }
}

#[test]
fn what_is_read_in_parts_tells_what_the_whole_does() {
    const CODECS: [Recording; 6] = [
        Recording::ARITH,
        Recording::Trace(TraceCodec::ArithAdaptive),
        Recording::Trace(TraceCodec::ArithAdaptiveShift),
        Recording::Trace(TraceCodec::Huffman),
        Recording::Trace(TraceCodec::BallLarus),
        Recording::Trace(TraceCodec::Blocks),
    ];
    let (mut longest, mut skipped) = (0, 0);
    for seed in 0..24 {
        let mut rng = Rng::new(seed);
        let recording = CODECS[seed as usize % CODECS.len()];
        let shape = Shape { implied: 0, ..Shape::any(&mut rng) };
        let mut map = random_map(&mut rng, &shape);
        map.recording = recording;
        map.seal();
        let steps =
            if recording == Recording::Trace(TraceCodec::Blocks) { 30_000 } else { 300_000 };
        let restart = if rng.one_in(2) { 40 } else { 0 };
        let (keep, any) = (restart > 0, Habits::any(&mut rng, steps));
        let habits = Habits { unguarded: 0, keep, restart, ..any };
        let played = play(&map, &map, "worker", &mut rng, habits);
        let size = 100 + rng.below(900);
        let mut all = slabs(&played, 1, size, true);
        damage(&mut rng, &mut all, [0, 3, 20][seed as usize / 6 % 3]);
        let head = file_header(&map, (size + SLAB_HEADER) as u32, 9);
        let bytes = write_trace(&head, all.iter().map(|(h, p)| (*h, &p[..])));
        longest = longest.max(bytes.len());
        let collected = || {
            let mut collector = Collector::new(Some(map.build));
            collector.add("log", &bytes[..]).unwrap();
            collector.finish_each().1
        };
        let program = Program::new(&map);
        let process = collected().next().unwrap().unwrap();
        let mut whole = Ear::default();
        let totals = decode_thread(&program, &process.threads[0], &mut whole);
        skipped += whole.notes.iter().filter(|n| matches!(n, Note::Skipped { .. })).count();
        for cores in [Cores::new(1), Cores::with_piece(2, 1000)] {
            let (mut left, mut parts) = (collected(), Ear::default());
            let mut streamed = left.next_streamed().unwrap().unwrap().with_window(1);
            let mut thread = streamed.thread(0).unwrap();
            let streamed_totals =
                decode_streamed_on(&cores, &program, &mut thread, &mut parts).unwrap();
            assert_eq!(parts.notes, whole.notes, "seed {seed}, {recording:?}");
            let heard = |ear: &Ear| (ear.events, ear.places, ear.heard.finish());
            assert_eq!(
                (streamed_totals, heard(&parts)),
                (totals, heard(&whole)),
                "seed {seed}, {recording:?}"
            );
        }
    }
    assert!(longest > 100_000 && skipped > 20, "{longest} bytes, {skipped} stretches skipped");
}
