//! The decoder against the simulated device: what it passes on is what ran.

use crate::decoder_support::{Ear, Heard, agree, collect, same};
use decoder::log::Process;
use decoder::replay::{Ended, Program};
use decoder::session::{Note, decode_thread};
use model::map::{Block, CallKind, CodeOrigin, Map, MethodId};
use model::protocol::Protocol;
use model::recording::{Recording, TraceCodec};
use model::throwing::{ThrowingLinesBuilder, stretches};
use model::trace::{SLAB_HEADER, encode_logcat, write_trace};
use reports::{Filter, TextOptions, write_text};
use tests::sim::{
    Event, Habits, How, Played, Rng, Shape, ThrowPoint, file_header, identity, play, random_map,
    sealed, slabs,
};

fn random(seed: u64, steps: usize) -> (Map, Played, Rng) {
    let recording = [
        Recording::ARITH,
        Recording::Trace(TraceCodec::ArithAdaptive),
        Recording::Trace(TraceCodec::ArithAdaptiveShift),
    ][seed as usize % 3];
    random_with(recording, seed, steps)
}

fn random_with(recording: Recording, seed: u64, steps: usize) -> (Map, Played, Rng) {
    let mut rng = Rng::new(seed);
    let mut shape = Shape::any(&mut rng);
    shape.implied *= usize::from(!recording.records_gotos());
    let map = Map { recording, ..random_map(&mut rng, &shape) };
    let map = Map::from_bytes(&sealed(map).to_bytes()).unwrap();
    let habits = Habits::any(&mut rng, steps);
    let played = play(&map, &map, "thread", &mut rng, habits);
    (map, played, rng)
}

#[test]
fn the_path_is_exactly_what_ran() {
    let (events, exceptions) = exactly_what_ran(
        &[
            Recording::ARITH,
            Recording::Trace(TraceCodec::ArithAdaptive),
            Recording::Trace(TraceCodec::ArithAdaptiveShift),
        ],
        3000,
    );
    assert!(events > 500_000 && exceptions > 10_000);
}

#[test]
fn every_codec_gives_exactly_what_ran() {
    for recording in [
        Recording::Trace(TraceCodec::Huffman),
        Recording::Trace(TraceCodec::BallLarus),
        Recording::Trace(TraceCodec::Blocks),
    ] {
        let (events, exceptions) = exactly_what_ran(&[recording], 1000);
        assert!(events > 150_000 && exceptions > 3_000, "{recording}");
    }
}

/// Other tests with random programs would not cover inlined calls if the programs had none, or if
/// these never ran.
#[test]
fn random_programs_run_inlined_calls() {
    let (mut maps, mut ran) = (0, 0);
    for seed in 0..300 {
        let (map, played, _) = random(seed, 600);
        maps += usize::from(!map.inlined.is_empty());
        let own = |m: MethodId, block: u32| {
            let inlined = map.inlined.iter().find(|i| i.method == m)?;
            let call = inlined.calls.iter().find(|c| (c.depth, c.block.0, c.call) == (0, block, 0));
            let block = &map.methods[m.0 as usize - 1].blocks[call?.block.0 as usize];
            block.calls.first().map(|c| c.call)
        };
        for pair in played.truth.events.windows(2) {
            if let [Event::Block(m, block), Event::Enter(callee, How::Call)] = *pair {
                ran += usize::from(own(m, block) == Some(CallKind::Predicted(callee)));
            }
        }
    }
    assert!(maps > 50 && ran > 1000, "{ran} calls, {maps} programs");
}

fn exactly_what_ran(codecs: &[Recording], seeds: u64) -> (usize, usize) {
    let (mut events, mut exceptions) = (0, 0);
    for seed in 0..seeds {
        let (map, played, mut rng) = random_with(codecs[seed as usize % codecs.len()], seed, 600);
        let program = Program::new(&map);
        let size = 64 + rng.below(400);
        let all = slabs(&played, 1, size, true);
        let file = write_trace(
            &file_header(&map, size as u32 + SLAB_HEADER as u32, 1),
            all.iter().map(|(h, p)| (*h, &p[..])),
        );
        let set = collect(&map, &file);
        assert_eq!(set.problems, [], "seed {seed}");
        let mut ear = Ear::new(&program);
        let totals = decode_thread(&program, &set.processes[0].threads[0], &mut ear);
        assert_eq!(totals.faulty, 0, "seed {seed}: {:?}", ear.notes);
        let truth = &played.truth.events;
        let part = &ear.parts[0];
        let n = agree(&program, &part.events, truth);
        assert_eq!(
            n,
            part.events.len(),
            "seed {seed}: {:?} {:?}",
            part.events.get(n),
            truth.get(n)
        );
        assert_eq!(ear.parts.len(), 1);
        match ear.notes.last() {
            _ if played.killed => {}
            Some(Note::Ended(Ended::Clean | Ended::Unknown | Ended::Stopped)) => {
                assert_eq!(n, truth.len(), "seed {seed}")
            }
            // What the coder still held when the thread was killed, or frames that no return shows
            // the end of.
            other => assert_eq!(other, Some(&Note::Ended(Ended::Cut)), "seed {seed}"),
        }
        times_are_those_of_the_device(&map, &played, &ear, seed);
        events += n;
        exceptions += part.events.iter().filter(|e| matches!(e, Heard::Caught { .. })).count();
    }
    println!("{codecs:?}: {events} events, {exceptions} exceptions caught");
    (events, exceptions)
}

/// Begins and ends of callbacks; and clocks of slabs, which must lie where the callback does in
/// which the slab was begun.
fn times_are_those_of_the_device(map: &Map, played: &Played, ear: &Ear<'_, '_>, seed: u64) {
    let ends = map.protocol() == Protocol::Three;
    for (i, (decoded, &(begin, end))) in ear.times.iter().zip(&played.times).enumerate() {
        let cut = i + 1 == ear.times.len() && decoded.end_us.is_none();
        let end = end.filter(|_| ends && !cut);
        assert_eq!((decoded.begin_us, decoded.end_us), (begin, end), "seed {seed}, callback {i}");
    }
    for &(begun, clock) in &ear.clocks {
        let Some(last) = begun.checked_sub(1).and_then(|i| ear.times.get(i)) else { continue };
        let next = ear.times.get(begun).map_or(u64::MAX, |t| t.begin_us);
        assert!(last.begin_us <= clock && clock <= next, "seed {seed}: {clock} in {last:?}");
    }
}

#[test]
fn threads_of_a_process_do_not_mix() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed + 50_000);
        let shape = Shape::any(&mut rng);
        let map = random_map(&mut rng, &shape);
        let program = Program::new(&map);
        let threads: Vec<Played> = (0..5)
            .map(|i| {
                let habits = Habits::any(&mut rng, 400);
                play(&map, &map, &format!("t{i}"), &mut rng, habits)
            })
            .collect();
        let mut all = vec![];
        for (i, played) in threads.iter().enumerate() {
            all.extend(slabs(played, i as u32 + 1, 120, true));
        }
        // Any order, some twice, as text.
        let mut lines = vec![];
        for (h, p) in &all {
            let line = format!("I/Pathlight( 7): {}\n", encode_logcat(&identity(&map, 7), h, p));
            (0..1 + rng.below(2)).for_each(|_| lines.push(line.clone()));
        }
        for i in (1..lines.len()).rev() {
            lines.swap(i, rng.below(i + 1));
        }
        let mut c = decoder::log::Collector::new(Some(map.build));
        c.add_text("logcat", lines.concat().as_bytes()).unwrap();
        let set = c.finish();
        assert_eq!(set.processes[0].threads.len(), 5);
        for (thread, played) in set.processes[0].threads.iter().zip(&threads) {
            let mut ear = Ear::new(&program);
            assert_eq!(decode_thread(&program, thread, &mut ear).faulty, 0, "seed {seed}");
            let part = &ear.parts[0];
            assert_eq!(
                agree(&program, &part.events, &played.truth.events),
                part.events.len(),
                "seed {seed}"
            );
        }
    }
}

#[test]
fn a_stream_cut_at_any_byte_gives_a_prefix() {
    for seed in 0..250 {
        let recording = [
            Recording::ARITH,
            Recording::ARITH,
            Recording::Trace(TraceCodec::Huffman),
            Recording::Trace(TraceCodec::Blocks),
        ][seed as usize % 4];
        let (map, played, _) = random_with(recording, seed + 10_000, 150);
        let program = Program::new(&map);
        let mut before = 0;
        for cut in 0..=played.bytes.len() {
            let mut part = played.clone();
            part.bytes.truncate(cut);
            part.records.retain(|r| r.at < cut);
            let size = played.bytes.len() + 64;
            let all = slabs(&part, 1, size, false);
            let file = write_trace(
                &file_header(&map, size as u32 + SLAB_HEADER as u32, 1),
                all.iter().map(|(h, p)| (*h, &p[..])),
            );
            let set = collect(&map, &file);
            let Some(thread) = set.processes.first().and_then(|p| p.threads.first()) else {
                continue;
            };
            let mut ear = Ear::new(&program);
            let totals = decode_thread(&program, thread, &mut ear);
            assert_eq!(totals.faulty, 0, "seed {seed}, cut at {cut}: {:?}", ear.notes);
            let events = &ear.parts[0].events;
            let n = agree(&program, events, &played.truth.events);
            assert_eq!(n, events.len(), "seed {seed}, cut at {cut}");
            // More bytes never give less.
            assert!(n >= before, "seed {seed}, cut at {cut}");
            before = n;
        }
    }
}

/// The map with four lines in each block: at its start, and between and behind its calls.
fn with_lines(mut map: Map) -> Map {
    for method in &mut map.methods {
        for (number, block) in (1..).zip(&mut method.blocks) {
            let line = |k| (block.pc + k, CodeOrigin::Line(10 * number + k));
            block.lines = [0, 1, 2, 7].map(line).to_vec();
        }
    }
    map
}

/// A row without the times of a callback, and without its origins, which come one by one.
fn without_times(row: &str) -> String {
    let row = row.split('(').next().unwrap_or(row);
    match (row.starts_with('#'), row.split_once(" ["), row.split_once("] ")) {
        (true, Some((number, _)), Some((_, name))) => format!("{number} {name}"),
        _ => row.to_owned(),
    }
}

/// Rows that `decode` prints of a thread, one for each round of a loop and for each line, without
/// times, without the thread's heading and without the marks of an end and of doubt.
fn rows(program: &Program<'_>, process: &Process) -> Vec<String> {
    let options = TextOptions { full: true, unfolded: true, ..TextOptions::default() };
    let mut out = Vec::new();
    let cores = decoder::crew::Cores::with_piece(1, 100);
    write_text(&mut out, program, process, &Filter::default(), options, &cores).unwrap();
    let apart = ["■", "? ", "the last record was not closed", "=== "];
    let of_end = |row: &str| apart.iter().any(|text| row.contains(text));
    let mut rows = Vec::new();
    for row in String::from_utf8(out).unwrap().lines().skip(1).filter(|row| !of_end(row)) {
        match row.bytes().all(|b| b == b' ' || b.is_ascii_digit()) {
            true => {
                let depth = " ".repeat(row.len() - row.trim_start().len());
                rows.extend(row.split_whitespace().map(|line| format!("{depth}{line}")));
            }
            false => rows.push(without_times(row)),
        }
    }
    rows
}

/// No line of a block in which the log ends is printed unless it ran: the text of a cut log is the
/// beginning of the whole log's text.
#[test]
fn a_cut_log_claims_no_line_that_the_whole_one_does_not() {
    let mut seen = 0;
    for seed in 0..120 {
        let mut rng = Rng::new(seed + 20_000);
        let shape = Shape::any(&mut rng);
        let map = with_lines(random_map(&mut rng, &shape));
        let map = Map::from_bytes(&sealed(map).to_bytes()).unwrap();
        let habits = Habits::any(&mut rng, 100);
        let played = play(&map, &map, "thread", &mut rng, habits);
        let program = Program::new(&map);
        let size = played.bytes.len() + 64;
        let header = file_header(&map, size as u32 + SLAB_HEADER as u32, 1);
        let shown = |cut: usize| {
            let mut part = played.clone();
            part.bytes.truncate(cut);
            part.records.retain(|r| r.at < cut);
            let all = slabs(&part, 1, size, false);
            let file = write_trace(&header, all.iter().map(|(h, p)| (*h, &p[..])));
            let set = collect(&map, &file);
            set.processes.first().map_or_else(Vec::new, |process| rows(&program, process))
        };
        let whole = shown(played.bytes.len());
        for cut in 0..played.bytes.len() {
            let part = shown(cut);
            seen += part.len();
            let same = part.iter().zip(&whole).take_while(|(a, b)| a == b).count();
            assert!(
                same == part.len(),
                "seed {seed}, cut at {cut}, row {same}: {:?}, the whole has {:?}",
                &part[same..],
                whole.get(same)
            );
        }
    }
    assert!(seen > 100_000, "{seen}");
}

/// The map with random lines and instructions that can throw, whose addresses are returned for each
/// block of each method. A line is of one block of its method only.
fn with_throwing(rng: &mut Rng, mut map: Map) -> (Map, Vec<Vec<Vec<u32>>>) {
    let mut builder = ThrowingLinesBuilder::default();
    let mut all = Vec::new();
    for method in &mut map.methods {
        let mut of_method = Vec::new();
        for (number, block) in (0..).zip(&mut method.blocks) {
            (block.pc, block.end) = (100 * number, 100 * number + 100);
            for (place, call) in (1..).zip(&mut block.calls) {
                call.pc = block.pc + 10 * place;
            }
            let begin = if rng.one_in(8) { 5 * rng.below(5) } else { 0 };
            let rest = (0..rng.below(4)).map(|_| begin + 5 * rng.below(19));
            let mut places: Vec<usize> = std::iter::once(begin).chain(rest).collect();
            places.sort_unstable();
            places.dedup();
            let line = |(line, place): (u32, usize)| {
                (block.pc + place as u32, CodeOrigin::Line(10 * number + line))
            };
            block.lines = (1..).zip(places).filter(|place| place.1 < 100).map(line).collect();
            let mut throwing: Vec<u32> = block.calls.iter().map(|call| call.pc).collect();
            let others = (0..rng.below(4)).map(|_| 10 * rng.below(10) + 1 + rng.below(9));
            throwing.extend(others.map(|place| block.pc + place as u32));
            throwing.sort_unstable();
            throwing.dedup();
            builder.push(block, &throwing);
            of_method.push(throwing);
        }
        all.push(of_method);
    }
    map.throwing = builder.finish();
    (map, all)
}

/// Numbers of the lines that a row of an exception names, among `lines`, and true if it names an
/// address.
fn named_lines(places: &str, lines: &[u32]) -> (Vec<u32>, bool) {
    let (mut named, mut has_address) = (Vec::new(), false);
    for place in places.split(", ") {
        if place.contains('@') {
            has_address = true;
            continue;
        }
        let numbers = place.rsplit_once(':').map_or(place, |p| p.1);
        let (low, high) = numbers.split_once('–').unwrap_or((numbers, numbers));
        let range = low.parse().unwrap()..=high.parse().unwrap();
        named.extend(lines.iter().copied().filter(|line| range.contains(line)));
    }
    (named, has_address)
}

fn own_line(block: &Block, pc: u32) -> Option<u32> {
    let at = block.lines.partition_point(|l| l.0 <= pc).checked_sub(1)?;
    block.lines[at].1.own_line()
}

/// The line that threw is among those that an exception names, whatever its instruction was; each
/// line named has an instruction that can throw; and no line of the block is printed that begins
/// after the instruction that threw.
#[test]
fn exceptions_name_the_line_that_threw_and_only_lines_that_can() {
    let (mut checked, mut exact, mut beyond_first) = (0, 0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed + 40_000);
        let shape = Shape::any(&mut rng);
        let (map, throwing) = with_throwing(&mut rng, random_map(&mut Rng::new(seed), &shape));
        let map = Map::from_bytes(&sealed(map).to_bytes()).unwrap();
        let mut habits = Habits::any(&mut rng, 300);
        // Deeper calls are not indented further.
        habits.depth = habits.depth.min(30);
        let played = play(&map, &map, "thread", &mut rng, habits);
        let program = Program::new(&map);
        let size = played.bytes.len() + 64;
        let header = file_header(&map, size as u32 + SLAB_HEADER as u32, 1);
        let all = slabs(&played, 1, size, true);
        let set = collect(&map, &write_trace(&header, all.iter().map(|(h, p)| (*h, &p[..]))));
        let Some(process) = set.processes.first() else { continue };
        let rows = rows(&program, process);
        let rows: Vec<&String> = rows.iter().filter(|row| !row.contains("perhaps here")).collect();
        let threw = rows.iter().enumerate().filter(|(_, row)| row.contains('✗'));
        for ((at, row), point) in threw.zip(&played.truth.throws) {
            let ThrowPoint { method, block, calls, calling } = *point;
            let blocks = &map.methods[method.0 as usize - 1].blocks;
            let can_throw = &throwing[method.0 as usize - 1];
            let own = &blocks[block as usize];
            let (after, next) = (
                calls.checked_sub(1).map(|last| own.calls[last].pc),
                own.calls.get(calls).map(|call| call.pc),
            );
            let between = |&&pc: &&u32| {
                after.is_none_or(|after| pc > after) && next.is_none_or(|next| pc < next)
            };
            let threw: Vec<u32> = match next.filter(|_| calling) {
                Some(call) => vec![call],
                None => can_throw[block as usize].iter().filter(between).copied().collect(),
            };
            let places = row.split("✗ exception at ").nth(1).unwrap();
            let places = places.split(", caught at ").next().unwrap();
            let places = places.split(", leaves the app").next().unwrap();
            // The simulator throws wherever the block can, also where this code has nothing.
            let (Some(&first), false) = (threw.first(), places.contains('…')) else { continue };
            let context = format!("seed {seed}: {row}: {point:?}: {own:?}, throwing {threw:?}");
            let entries = || blocks.iter().flat_map(|b| &b.lines);
            let lines: Vec<u32> = entries().filter_map(|l| l.1.own_line()).collect();
            let (named, has_address) = named_lines(places, &lines);
            for &pc in &threw {
                match own_line(own, pc) {
                    Some(line) => assert!(named.contains(&line), "{context}"),
                    None => assert!(has_address, "{context}"),
                }
            }
            let can: Vec<u32> = blocks
                .iter()
                .zip(can_throw)
                .flat_map(|(b, pcs)| pcs.iter().filter_map(|&pc| own_line(b, pc)))
                .collect();
            // A block of one stretch has no bits: its line is named whatever it does.
            let alone = |&line: &u32| {
                let has = |b: &&Block| b.lines.iter().any(|l| l.1.own_line() == Some(line));
                blocks.iter().find(has).is_some_and(|b| stretches(b) == 0)
            };
            assert!(named.iter().all(|line| can.contains(line) || alone(line)), "{context}");
            checked += 1;
            exact += usize::from(named.len() < own.lines.len());
            // Lines of this round of the block that were printed right before, in the same call.
            let depth = row.split('✗').next().unwrap();
            let mut before = u32::MAX;
            for (printed, row) in rows[..at].iter().rev().enumerate() {
                let number = row.strip_prefix(depth).map(str::parse);
                let Some(Ok(line)) = number else { break };
                let entry = own.lines.iter().find(|l| l.1.own_line() == Some(line));
                let Some(&(pc, _)) = entry.filter(|_| line < before) else { break };
                let lead = own.lines[0].0 > own.pc;
                assert!(pc <= first || lead, "{context}: {line}");
                beyond_first += usize::from(printed > 0 && after.is_none());
                before = line;
            }
        }
    }
    println!("{checked} exceptions, {exact} with fewer lines, {beyond_first} more lines that ran");
    assert!(checked > 3_000 && exact > 1_000 && beyond_first > 300);
}

/// The judge itself: an event that did not run is found.
#[test]
fn a_wrong_event_is_seen() {
    let (map, played, _) = random(1, 600);
    let program = Program::new(&map);
    let heard = Heard::Leave;
    let i =
        played.truth.events.iter().position(|e| !matches!(e, tests::sim::Event::Leave)).unwrap();
    assert!(!same(&program, &heard, &played.truth.events[i]));
}
