//! Mappings (`mapping.txt`): names, types, line ranges, comments, order of lines.

use std::path::PathBuf;

use instrumenter::{Options, RuntimeHome, instrument};
use model::mapping::Mapping;
use mutation::{Rng, overwrite};

use crate::{Case, fixtures};

const SEEDS: [&str; 1] = ["android-fixtures/notes/prebuilt/notes.mapping.txt"];
/// Lines taken from a seed.
const LINES: usize = 200;

pub struct Kind {
    seeds: Vec<Vec<String>>,
    dex: Vec<u8>,
}

impl Kind {
    pub fn new(inputs: &[PathBuf]) -> Result<Kind, String> {
        let lines =
            |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
        let seeds = fixtures::seeds(inputs, &SEEDS)?.into_iter().map(lines).collect();
        Ok(Kind { seeds, dex: fixtures::file("tests/truth/fixtures/inline/program.dex")? })
    }
}

fn long(text: &str, rng: &mut Rng) -> String {
    text.repeat(1 << rng.below(16))
}

fn damage(rng: &mut Rng, lines: &mut Vec<String>) {
    let (at, from) = (rng.below(lines.len()), rng.below(lines.len()));
    let Some(line) = lines.get_mut(at) else { return };
    match rng.below(13) {
        0 => drop(lines.remove(at)),
        1 => lines.swap(at, from),
        2 => {
            let again = lines[from].clone();
            let times = if rng.one_in(20) { rng.below(5000) } else { 1 };
            lines.splice(at..at, std::iter::repeat_n(again, times));
        }
        3 => {
            let mut bytes = line.clone().into_bytes();
            overwrite(&mut bytes, rng);
            *line = String::from_utf8_lossy(&bytes).into_owned();
        }
        4 => *line = line.replacen(*rng.pick(&[" -> ", ":", "(", ")", ",", " ", "."]), "", 1),
        5 => {
            *line =
                line.replace(*rng.pick(&[" -> ", ":", "(", ")", ",", " ", "."]), &long(" ", rng))
        }
        6 => {
            let what =
                *rng.pick(&["[]", ".", "(", ")", ":", "1:", ",", "int,", "é", "\u{0}", "\t"]);
            let place =
                line.char_indices().map(|c| c.0).nth(rng.below(line.chars().count())).unwrap_or(0);
            line.insert_str(place, &long(what, rng));
        }
        7 => *line = line.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect(),
        8 => {
            *line = format!(
                "    {}:{}:void a():{}:{} -> a",
                rng.bits(),
                rng.bits(),
                rng.bits(),
                rng.bits()
            )
        }
        // The program that is instrumented has these classes.
        9 => {
            *line = format!(
                "org.example.Made{} -> Main{}:",
                rng.below(3),
                if rng.one_in(2) { "" } else { "$A" }
            )
        }
        10 => {
            *line = format!(
                "# {{\"id\":\"com.android.tools.r8.residualsignature\",\"signature\":\"{}\"}}",
                long("(", rng)
            )
        }
        11 => *line = format!("# {}", long(["{\"a\":", "[", "{"][rng.below(3)], rng)),
        _ => line.insert_str(0, ["    ", "\t", "#", "\u{feff}"][rng.below(4)]),
    }
}

impl crate::Kind for Kind {
    fn case(&self, rng: &mut Rng) -> Case {
        let seed = rng.pick(&self.seeds);
        let from = rng.below(seed.len().saturating_sub(LINES));
        let mut lines: Vec<String> = seed.iter().skip(from).take(LINES).cloned().collect();
        for _ in 0..rng.below(3) {
            damage(rng, &mut lines);
        }
        lines.join(if rng.one_in(6) { "\r\n" } else { "\n" }).into_bytes().into()
    }

    fn feed(&self, case: &Case, rng: &mut Rng) -> bool {
        let text = String::from_utf8_lossy(&case.bytes);
        let Ok(mapping) = Mapping::parse(&text) else { return false };
        for class in ["LMain;", "La/a;", "La;", "Lb;", ""] {
            let _ = (mapping.type_descriptor(class), mapping.has_class(class));
            for (name, descriptor) in
                [("a", "()V"), ("<init>", "(La;[[Lb;)V"), ("b", "(("), ("", "")]
            {
                let _ = mapping.method_key(class, name, descriptor);
            }
        }
        if rng.one_in(16) {
            let options = Options { mapping: Some(mapping), ..Options::default() };
            instrument(
                vec![("classes.dex".into(), self.dex.clone())],
                RuntimeHome::OwnFile,
                "",
                &options,
            )
            .expect("sound code is instrumented under any mapping");
        }
        true
    }

    fn calls(&self) -> &'static [&'static str] {
        &["instrument DEX -o OUT --map MAP --mapping FILE"]
    }
}
