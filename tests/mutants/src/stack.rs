//! Stack traces as logcat, consoles and crash services print them, looked for in a sound log.

use std::path::PathBuf;

use decoder::log::Collector;
use decoder::replay::Program;
use model::mapping::Mapping;
use model::trace::SLAB_HEADER;
use mutation::{Rng, overwrite, resize};
use reports::crash::{Finder, Stack};
use tests::sim::{Habits, Shape, file_header, play, random_map, slabs};

use crate::replay::Counted;
use crate::{Case, fixtures};

/// Methods of `tests::sim::random_map` and of the log that the program gets.
const SEEDS: [&str; 5] = [
    "Exception in thread \"t0\" java.lang.Error: x\n\tat Sim.m1(Sim.java:1)\n\
     \tat Sim.m0(Sim.java)\n\tat Main.main(Main.java:5)\n\
     \tSuppressed: a.B: y\n\t\tat Sim.m2(Sim.java:3)\n\t\t... 1 more\n\
     Caused by: a.C\n\tat Sim.m0(Unknown Source:2)\n\t<OR> at Sim.m3(Sim.java:2)\n\t... 2 more\n",
    "Fatal Exception: a.b.C: x\n       at Sim.m0(Sim.java:1)\nCaused by a.D: z\n\
     \x20      at Sim.m1 (S:2)\n\nmain (runnable):tid=1 systid=2\n\
     \x20      at Sim.m2(Native Method)\n",
    "----- pid 9 at 2026-11-22 06:50:58 -----\nCmd line: org.example\n\"t0\" prio=5 tid=1 Native\n\
     \x20 | group=\"main\"\n  native: #00 pc 01  /libc.so (syscall+32)\n  at Sim.m0(Sim.java:2)\n\
     \x20 - locked <0x0f> (a Sim)\n  at Sim.m1(Sim.java:1)\n----- end 9 -----\n",
    "pid: 9, tid: 9, name: t0  >>> org.example <<<\nbacktrace:\n\
     \x20     #00 pc 01  /libc.so (abort+180) (BuildId: 1)\n      #01 pc 02  /a.apk (Sim.m0+12)\n",
    concat!(
        r#"{"exception":{"values":[{"type":"E","module":"a","value":"x","thread_id":1,"#,
        r#""stacktrace":{"frames":[{"module":"Sim","function":"m0","lineno":1},"#,
        r#"{"module":"Sim","function":"m1","filename":"S","lineno":"2"}]}}]},"#,
        "\n",
        r#""threads":{"values":[{"id":1,"name":"t0"}]}}"#,
        "\n",
    ),
];

pub struct Kind {
    seeds: Vec<Vec<u8>>,
}

impl Kind {
    pub fn new(inputs: &[PathBuf]) -> Result<Kind, String> {
        let mut seeds = fixtures::seeds(inputs, &["tests/cli/recorded/crash.log"])?;
        if inputs.is_empty() {
            seeds.extend(SEEDS.iter().map(|seed| seed.as_bytes().to_vec()));
        }
        Ok(Kind { seeds })
    }
}

/// Something long or odd in the place of a word of a line.
fn odd(rng: &mut Rng) -> String {
    let what = *rng.pick(&[
        "(",
        ")",
        ".",
        ":",
        "#",
        "\"",
        "... 99999999999 more",
        "at ",
        "at a.b(c:4294967295)",
        "/",
        "\u{1b}[2J",
        "é",
        "\u{202e}",
        "<OR> ",
        "Caused by: a.B",
        "[",
        "{",
        "$Proxy1.",
        "java.base/",
    ]);
    what.repeat(1 << rng.below(14))
}

fn damage(rng: &mut Rng, text: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let (at, from) = (rng.below(lines.len()), rng.below(lines.len()));
    match rng.below(9) {
        0 => drop(lines.remove(at)),
        1 => lines.swap(at, from),
        2 => {
            let times = if rng.one_in(20) { rng.below(300_000) } else { 1 };
            let again = lines[from].clone();
            lines.splice(at..at, std::iter::repeat_n(again, times));
        }
        3 => {
            let place = rng.below(lines[at].len() + 1);
            let odd = odd(rng).into_bytes();
            lines[at].splice(place..place, odd);
        }
        4 => lines[at] = odd(rng).into_bytes(),
        5 => lines[at]
            .splice(0..0, b"11-22 06:50:58.518  9  9 E AndroidRuntime: ".to_vec())
            .for_each(drop),
        6 => {
            let number = format!("Sim.m{}(Sim.java:{})", rng.below(9), rng.below(9));
            lines[at] = format!("\tat {number}").into_bytes();
        }
        7 => overwrite(&mut lines[at], rng),
        _ => resize(&mut lines[at], rng),
    }
    *text = lines.join(&b'\n');
}

impl crate::Kind for Kind {
    fn case(&self, rng: &mut Rng) -> Case {
        let mut text = rng.pick(&self.seeds).clone();
        if rng.one_in(4) {
            let other = rng.pick(&self.seeds).clone();
            text.extend(other);
        }
        for _ in 0..rng.below(5) {
            damage(rng, &mut text);
        }
        text.into()
    }

    fn feed(&self, case: &Case, rng: &mut Rng) -> bool {
        let Ok(mut stacks) = Stack::read(&case.bytes) else { return false };
        if rng.one_in(4) {
            let mapping = "org.S -> Sim:\n    1:1:void in():3:3 -> m0\n    1:1:void o():4 -> m0\n\
                           a.X -> a.C:\n";
            let mapping = Mapping::parse(mapping).expect("a sound mapping");
            stacks = Stack::retrace_all(stacks, &mapping).stacks;
        }
        let shape = Shape::any(rng);
        let map = random_map(rng, &shape);
        let habits = Habits { callback: 7, throw: 20, ..Habits::any(rng, 300) };
        let played = play(&map, &map, "t0", rng, habits);
        let slabs = slabs(&played, 1, 200, true);
        let header = file_header(&map, 200 + SLAB_HEADER as u32, 9);
        let log = model::trace::write_trace(&header, slabs.iter().map(|(h, p)| (*h, &p[..])));
        let mut collector = Collector::new(Some(map.build));
        collector.add("LOG", &log[..]).expect("reading from memory");
        let program = Program::new(&map);
        let mut finder = Finder::new(&program, stacks, rng.below(300));
        for process in &collector.finish().processes {
            finder.process(process);
        }
        let report = finder.finish();
        let mut out = Counted::default();
        report.write_text(&mut out, None, "").expect("writing to memory");
        report.write_json(&mut out).expect("writing to memory");
        true
    }

    fn calls(&self) -> &'static [&'static str] {
        &[
            "crash --map BUILD LOG --stack FILE",
            "crash --map BUILD LOG --stack FILE --json --last 5",
        ]
    }
}
