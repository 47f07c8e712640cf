//! Reads a log with a map and prints its paths in every form, as `decode` and `train` do.

use std::io::{self, Write};

use decoder::log::Collector;
use decoder::replay::Program;
use decoder::session::decode_thread;
use decoder::train::Counter;
use model::map::Map;
use model::profile::Profile;
use mutation::Rng;
use reports::{JsonPaths, TextPaths, process_heading, process_line};

/// No log of a case may give more bytes of output: they have a few kilobytes.
const MOST: u64 = 1 << 30;

/// Takes everything, counts it, and keeps nothing.
#[derive(Default)]
pub struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        assert!(self.0 <= MOST, "more than {MOST} bytes of paths");
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns whether anything was decoded.
pub fn replay(map: &Map, log: &[u8], rng: &mut Rng) -> bool {
    let mut collector = Collector::new((!rng.one_in(8)).then_some(map.build));
    collector.add("FILE", log).expect("reading from memory");
    let set = collector.finish();
    set.problems.iter().for_each(|p| drop(p.to_string()));
    let program = Program::new(map);
    let mut counter = Counter::new(&program);
    let form = rng.below(3);
    let (mut out, mut proven) = (Counted::default(), 0);
    for (number, process) in (1..).zip(set.processes.iter().filter(|p| p.build_id == map.build)) {
        let _ = (process_heading(process), process_line(number, process, true));
        for thread in &process.threads {
            proven += match form {
                0 => decode_thread(&program, thread, &mut counter),
                1 => decode_thread(
                    &program,
                    thread,
                    &mut JsonPaths::new(&program, &mut out, number, process, thread),
                ),
                _ => decode_thread(
                    &program,
                    thread,
                    &mut TextPaths::new(&program, &mut out, process),
                ),
            }
            .proven;
        }
    }
    if form == 0 {
        let mut profile = Profile::default();
        counter.add_to(&mut profile, set.processes.len() as u64);
        let _ = counter.cost();
        Profile::from_bytes(&profile.to_bytes()).expect("the model that was made can be read");
    }
    proven > 0
}
