//! Coverage: the page, lcov, JaCoCo, Cobertura and what is printed have the same figures; and what
//! files are named like and dated with.

use std::collections::BTreeMap;
use std::io::Read;

use base64ct::{Base64, Encoding as _};
use model::map::Map;
use serde_json::Value;
use tests::sim::{Habits, Rng, file_header, play, slabs};

use crate::support::{Work, repository};

/// The number of all, and of those that ran.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Covered {
    all: u64,
    ran: u64,
}

/// A line of a source file: its hits, where the format has them, and its branches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Line {
    hits: Option<u64>,
    ran: bool,
    branches: Covered,
}

/// Lines, branches, methods.
type Sums = [Covered; 3];

/// The content of a file, by source file and line.
type Lines = BTreeMap<(String, u32), Line>;

/// Instruments a fixture and simulates sessions of it, with exceptions: `x.plmap`, `x*.plt`.
fn sessions(fixture: &str) -> Work {
    let work = Work::new();
    let prebuilt = repository(&format!("android-fixtures/{fixture}/prebuilt"));
    let app = prebuilt.join(format!("{fixture}.apk"));
    let mapping = prebuilt.join(format!("{fixture}.mapping.txt"));
    let mapping = match mapping.exists() {
        true => format!(" --mapping {}", mapping.display()),
        false => String::new(),
    };
    // The simulated device knows no inlined code: this codec inlines nothing.
    let codec = "--codec arith-adaptive-shift";
    let command = format!("instrument {} -o x.apk --map x.plmap {codec}{mapping}", app.display());
    work.run(&command).ok();
    let map = Map::from_bytes(&work.read("x.plmap")).unwrap();
    for pid in 1..=8 {
        let mut rng = Rng::new(pid.into());
        let played =
            play(&map, &map, "main", &mut rng, Habits { throw: 20, ..Habits::plain(300, false) });
        let slabs = slabs(&played, 1, 500, true);
        let slabs = slabs.iter().map(|(header, payload)| (*header, &payload[..]));
        let trace = model::trace::write_trace(&file_header(&map, 544, pid), slabs);
        work.write(&format!("x{pid}.plt"), trace);
    }
    work
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is no number"))
}

/// The value of an attribute of the element on this line.
fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

fn count(element: &str, name: &str) -> u64 {
    number(attribute(element, name).unwrap_or_else(|| panic!("no {name} in {element}")))
}

fn lcov(text: &str) -> (Lines, Sums) {
    let (mut lines, mut sums, mut file) = (Lines::new(), Sums::default(), String::new());
    for row in text.lines() {
        let (kind, rest) = row.split_once(':').unwrap_or((row, ""));
        let fields: Vec<&str> = rest.split(',').collect();
        let line = || (file.clone(), number(fields[0]));
        match kind {
            "SF" => file = rest.to_owned(),
            "DA" => {
                let of = lines.entry(line()).or_default();
                (of.hits, of.ran) = (Some(number(fields[1])), fields[1] != "0");
            }
            "BRDA" => {
                let of = &mut lines.entry(line()).or_default().branches;
                of.all += 1;
                of.ran += u64::from(!["-", "0"].contains(&fields[3]));
            }
            "LF" => sums[0].all += number::<u64>(rest),
            "LH" => sums[0].ran += number::<u64>(rest),
            "BRF" => sums[1].all += number::<u64>(rest),
            "BRH" => sums[1].ran += number::<u64>(rest),
            "FNF" => sums[2].all += number::<u64>(rest),
            "FNH" => sums[2].ran += number::<u64>(rest),
            _ => {}
        }
    }
    (lines, sums)
}

fn jacoco(text: &str) -> (Lines, Sums) {
    let (mut lines, mut package, mut file) = (Lines::new(), "", String::new());
    for row in text.lines().map(str::trim) {
        if row.starts_with("<package ") {
            package = attribute(row, "name").unwrap();
        } else if row.starts_with("<sourcefile ") {
            file = format!("{package}/{}", attribute(row, "name").unwrap());
        } else if row.starts_with("<line ") {
            let (missed, ran) = (count(row, "mb"), count(row, "cb"));
            let line = Line {
                hits: None,
                ran: count(row, "ci") > 0,
                branches: Covered { all: missed + ran, ran },
            };
            lines.insert((file.clone(), count(row, "nr") as u32), line);
        }
    }
    let whole = text.rsplit("</package>").next().unwrap();
    let sum = |kind: &str| {
        let counter = whole.lines().find(|l| l.contains(&format!("type=\"{kind}\"")));
        let ran = counter.map_or(0, |c| count(c, "covered"));
        Covered { all: ran + counter.map_or(0, |c| count(c, "missed")), ran }
    };
    (lines, ["LINE", "BRANCH", "METHOD"].map(sum))
}

/// Fails if a line has other figures in one place than in another. The format does not have which
/// methods ran.
fn cobertura(text: &str) -> (Lines, [Covered; 2], u64) {
    let (mut lines, mut file) = (Lines::new(), String::new());
    let whole = text.lines().find(|l| l.contains("<coverage ")).unwrap();
    for row in text.lines().map(str::trim) {
        if row.starts_with("<class ") {
            file = attribute(row, "filename").unwrap().to_owned();
        } else if row.starts_with("<line ") {
            let hits = count(row, "hits");
            let parts = attribute(row, "condition-coverage").and_then(|c| {
                let (_, parts) = c.split_once('(')?;
                parts.trim_end_matches(')').split_once('/')
            });
            let branches = parts.map_or_else(Covered::default, |(ran, all)| Covered {
                all: number(all),
                ran: number(ran),
            });
            let line = Line { hits: Some(hits), ran: hits > 0, branches };
            let key = (file.clone(), count(row, "number") as u32);
            let before = lines.insert(key.clone(), line);
            assert!(before.is_none_or(|before| before == line), "{key:?}: {before:?}, {line:?}");
        }
    }
    let sum = |kind: &str| Covered {
        all: count(whole, &format!("{kind}-valid")),
        ran: count(whole, &format!("{kind}-covered")),
    };
    let methods = text.matches("<method ").count() as u64;
    (lines, [sum("lines"), sum("branches")], methods)
}

/// A block of data of the page.
fn block(page: &str, name: &str) -> Value {
    let (_, rest) = page.split_once(&format!("id=\"data-{name}\">")).unwrap();
    let packed = Base64::decode_vec(rest.split('<').next().unwrap()).unwrap();
    let mut json = Vec::new();
    flate2::read::DeflateDecoder::new(&packed[..]).read_to_end(&mut json).unwrap();
    serde_json::from_slice(&json).unwrap()
}

/// The page lists only files that ran.
fn page(text: &str) -> (Lines, Sums) {
    let mut lines = Lines::new();
    for (at, file) in block(text, "source").as_array().unwrap().iter().enumerate() {
        let package = file["package"].as_str().unwrap().replace('.', "/");
        let name = format!("{package}/{}", file["name"].as_str().unwrap());
        let source = block(text, &format!("source-{at}"));
        let key = |line: &Value| (name.clone(), line.as_u64().unwrap() as u32);
        for row in source["hits"].as_array().unwrap() {
            let hits = row[1].as_u64().unwrap();
            let line = Line { hits: Some(hits), ran: hits > 0, branches: Covered::default() };
            lines.insert(key(&row[0]), line);
        }
        for row in source["branches"].as_array().unwrap() {
            let of = &mut lines.get_mut(&key(&row[0])).expect("a line with code").branches;
            for alternative in row[2].as_array().unwrap() {
                of.all += 1;
                of.ran += u64::from(alternative[1] != 0);
            }
        }
    }
    let of = |part: usize| {
        let pair = &block(text, "main")["coverage"][part];
        Covered { all: pair[1].as_u64().unwrap(), ran: pair[0].as_u64().unwrap() }
    };
    (lines, [of(0), of(1), of(2)])
}

/// The figures that are printed of a file, and how many branches it lacks.
fn printed(out: &str, file: &str) -> (Sums, u64) {
    let row = out.lines().find_map(|l| l.strip_prefix(&format!("{file}: "))).unwrap();
    let part = |what: &str| {
        let part = row.split([',', ';']).find(|part| part.ends_with(what)).unwrap();
        let words: Vec<&str> = part.split_whitespace().collect();
        Covered { ran: number(words[0]), all: number(words[2]) }
    };
    let without =
        row.split_once("without ").map_or(0, |(_, rest)| number(rest.split(' ').next().unwrap()));
    ([part(" lines"), part(" branches"), part(" methods")], without)
}

/// Demands that all five have the same figures. The tracefile lacks the branches of lines that ran
/// and decided none: how many, it prints. Gives their number.
fn agree(work: &Work, inputs: &str) -> u64 {
    let out = work
        .shell(&format!(
            "pathlight report {inputs} --lcov c.info --jacoco j.xml --cobertura c.xml --html c.html"
        ))
        .ok()
        .out;
    let text = |name: &str| String::from_utf8(work.read(name)).unwrap();
    let (jacoco, sums) = jacoco(&text("j.xml"));
    let [(lcov, mut of_lcov), (page, of_page)] = [lcov(&text("c.info")), page(&text("c.html"))];
    let (cobertura, of_cobertura, methods) = cobertura(&text("c.xml"));
    let left_out = |line: &Line| line.ran && line.branches.ran == 0;
    let without = jacoco.values().filter(|line| left_out(line)).map(|line| line.branches.all).sum();
    for (key, line) in &jacoco {
        let Line { hits, branches, .. } = cobertura[key];
        assert_eq!(Line { hits: None, ..cobertura[key] }, *line, "{key:?}");
        let named = if left_out(line) { Covered::default() } else { branches };
        assert_eq!(lcov[key], Line { hits, branches: named, ..*line }, "{key:?}");
        assert!(page.get(key).is_none_or(|shown| *shown == cobertura[key]), "{key:?}");
    }
    assert_eq!([lcov.len(), cobertura.len()], [jacoco.len(); 2]);
    let ran = |lines: &Lines| lines.values().filter(|line| line.ran).count();
    assert_eq!(ran(&page), ran(&jacoco), "what ran is on the page");
    of_lcov[1].all += without;
    assert_eq!([of_lcov, of_page], [sums; 2]);
    assert_eq!((&of_cobertura[..], methods), (&sums[..2], sums[2].all));
    assert_eq!(printed(&out, "c.info"), (sums, without));
    assert_eq!([printed(&out, "j.xml"), printed(&out, "c.xml")], [(sums, 0); 2]);
    assert!([sums[0], sums[2]].iter().all(|c| 0 < c.ran && c.ran < c.all), "{sums:?}");
    without
}

#[test]
fn five_outputs_have_the_same_figures() {
    for fixture in ["tether", "notes", "kernels"] {
        let work = sessions(fixture);
        agree(&work, "--map x.plmap x*.plt");
    }
}

/// `nested`: a class inside of another's lines did not run. `npe`: exceptions came before branches
/// on their lines, two alternatives of one line in all.
#[test]
fn sessions_that_lcov_refused_have_the_same_figures_in_five_outputs() {
    for (shape, without) in [("nested", 0), ("npe", 2)] {
        let folder = repository("tests/cli/shapes").join(shape).display().to_string();
        let found = agree(&Work::new(), &format!("--map {folder}/m.plmap {folder}/l/*.plt"));
        assert_eq!(found, without, "{shape}");
    }
}

#[test]
fn recorded_sessions_have_the_same_figures_in_five_outputs() {
    let work = Work::new();
    let recorded = repository("tests/cli/recorded").display().to_string();
    agree(&work, &format!("--map {recorded}/app.plmap {recorded}/sessions/*/*.plt"));
}

/// Lines of an output that name source files.
fn named(work: &Work, options: &str) -> Vec<String> {
    work.run(&format!(
        "report --map app.plmap session.plt {options} --lcov c.info --cobertura c.xml"
    ))
    .ok();
    let text = |name: &str| String::from_utf8(work.read(name)).unwrap();
    let lcov: Vec<String> =
        text("c.info").lines().filter_map(|l| Some(l.strip_prefix("SF:")?.to_owned())).collect();
    let xml = text("c.xml");
    let mut classes: Vec<&str> = xml.lines().filter_map(|l| attribute(l, "filename")).collect();
    classes.dedup();
    assert_eq!(classes, lcov, "both formats name files alike");
    lcov
}

#[test]
fn source_files_are_named_from_the_repository_however_the_folder_is_spelled() {
    let work = Work::new();
    let sources = repository("android-fixtures/tether/src");
    let copied = work.path("src");
    work.shell(&format!("cp -r {} src && mkdir .git", sources.display())).ok();
    let plain = named(&work, "--sources src");
    assert!(plain.iter().all(|name| name.starts_with("src/org/example/")), "{plain:?}");
    let absolute = copied.display().to_string();
    let around = format!("../{}/src", work.path("").file_name().unwrap().to_str().unwrap());
    for spelling in [".", "./src", &absolute, &around] {
        assert_eq!(named(&work, &format!("--sources {spelling}")), plain, "{spelling}");
    }
}

#[test]
fn the_same_logs_give_the_same_files() {
    let work = Work::new();
    let report = |variable: &str| {
        let command =
            format!("{variable} pathlight report --map app.plmap session.plt --cobertura c.xml");
        work.shell(&command)
    };
    let timestamp = || {
        let xml = String::from_utf8(work.read("c.xml")).unwrap();
        count(xml.lines().find(|l| l.contains("<coverage ")).unwrap(), "timestamp")
    };
    report("").ok();
    // When the session began.
    assert_eq!(timestamp(), 1_700_000_000_000);
    report("SOURCE_DATE_EPOCH=1800000000").ok();
    assert_eq!(timestamp(), 1_800_000_000_000);
    report("SOURCE_DATE_EPOCH=today").fails("SOURCE_DATE_EPOCH is \"today\"");
}
