//! Prints one thread's path as JSON lines *without* proof, up to the point where decoding fails: to
//! find out why a record was refused. usage: doubtful MAP LOG THREAD
use decoder::log::{Collector, SegmentStart};
use decoder::replay::{Program, Start, Walker};
use reports::JsonPaths;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, map, log, thread] = &args[..] else {
        return Err("usage: doubtful MAP LOG THREAD".into());
    };
    let map = model::map::Map::from_bytes(&std::fs::read(map)?)?;
    let program = Program::new(&map);
    let mut collector = Collector::new(Some(map.build));
    collector.add(log, std::io::BufReader::new(std::fs::File::open(log)?))?;
    for process in collector.finish().processes {
        for t in process.threads.iter().filter(|t| t.number.to_string() == *thread) {
            let SegmentStart::Beginning { offset } = t.segments[0].start else {
                return Err("no beginning".into());
            };
            let mut decoder = model::coder::Decoder::new(&t.segments[0].bytes, offset);
            let mut walker = Walker::new(&program, Start::default());
            let mut sink = JsonPaths::new(&program, std::io::stdout().lock(), 1, &process, t);
            let end = loop {
                match walker.record(&mut decoder, &mut sink) {
                    Ok(None) => {}
                    other => break other,
                }
            };
            sink.finish()?;
            eprintln!("{end:?}");
        }
    }
    Ok(())
}
