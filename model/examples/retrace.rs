//! Retraces a stack trace by `model::mapping`, and prints what R8's `Retrace --verbose` prints.
//! `cargo xtask oracles retrace` compares the two.
//!
//!     cargo run --release -p model --example retrace -- MAPPING TRACE > OUT

use std::error::Error;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::time::Instant;

use model::mapping::{MappedFrame, MappedLine, Mapping, Retracer};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(mapping), Some(trace)) = (arguments.next(), arguments.next()) else {
        return Err("usage: retrace MAPPING TRACE".into());
    };
    let began = Instant::now();
    let mapping = Mapping::read(BufReader::new(std::fs::File::open(mapping)?))?;
    eprintln!("{} classes read in {:.2} s", mapping.len(), began.elapsed().as_secs_f64());
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut retracer = Retracer::new(&mapping);
    let mut thrown = None;
    let mut outline = None;
    for line in BufReader::new(std::fs::File::open(trace)?).lines() {
        let line = line?;
        let Some(frame) = line.strip_prefix("\tat ") else {
            let class = line.split(':').next().unwrap_or_default().replace('.', "/");
            (thrown, outline) = (Some(format!("L{class};")), None);
            writeln!(out, "{line}")?;
            continue;
        };
        let (method, place) = frame.split_once('(').ok_or("a frame without `(`")?;
        let (class, name) = method.rsplit_once('.').ok_or("a frame without a class")?;
        let (file, number) = match place.trim_end_matches(')').split_once(':') {
            Some((file, number)) => (file, Some(number.parse::<u32>()?)),
            None => (place.trim_end_matches(')'), None),
        };
        let found = retracer.retrace(class, name, number, outline.take());
        match found {
            None => writeln!(out, "{line}")?,
            Some(found) if found.choices.is_empty() => {
                let file = mapping.source_file(&found.class, Some(file)).unwrap_or_default();
                let place = place_of(&file, number);
                writeln!(out, "\tat {}.{name}({place})", java(&found.class))?;
            }
            Some(found) => {
                outline = found.outline;
                let mut written = Vec::new();
                for frames in &found.choices {
                    for frames in expanded(frames.shown(thrown.as_deref())) {
                        let shown = |f: &MappedFrame<'_>| shown(&mapping, f, file, number);
                        written.push(frames.iter().map(shown).collect::<Vec<_>>());
                    }
                }
                written.sort();
                written.dedup();
                for (choice, frames) in written.iter().enumerate() {
                    for (i, frame) in frames.iter().enumerate() {
                        let or = if choice > 0 && i == 0 { "<OR> " } else { "" };
                        writeln!(out, "\t{or}{frame}")?;
                    }
                }
            }
        }
        thrown = None;
    }
    Ok(out.flush()?)
}

/// Retrace lists every line that the innermost frame can have.
fn expanded<'m>(frames: &[MappedFrame<'m>]) -> Vec<Vec<MappedFrame<'m>>> {
    match frames.first().map(|f| f.line) {
        Some(MappedLine::Between(from, to)) => (from..=to)
            .map(|line| {
                let mut one = frames.to_vec();
                one[0].line = MappedLine::At(line);
                one
            })
            .collect(),
        _ => vec![frames.to_vec()],
    }
}

fn shown(mapping: &Mapping, frame: &MappedFrame<'_>, file: &str, number: Option<u32>) -> String {
    let line = match frame.line {
        MappedLine::None | MappedLine::Between(..) => None,
        MappedLine::At(line) => Some(line),
        MappedLine::Same => number,
    };
    let file = mapping.source_file(frame.class, Some(file)).unwrap_or_default();
    let place = place_of(&file, line);
    let (parameters, result) = frame.descriptor[1..].split_once(')').unwrap_or_default();
    let (class, name) = (java(frame.class), frame.name);
    format!("at {class}.{} {name}({})({place})", java(result), all_java(parameters).join(","))
}

fn place_of(file: &str, line: Option<u32>) -> String {
    line.map_or(file.to_owned(), |l| format!("{file}:{l}"))
}

/// Descriptors one after the other, as Java writes the types.
fn all_java(mut descriptors: &str) -> Vec<String> {
    let mut out = Vec::new();
    while !descriptors.is_empty() {
        let element = descriptors.trim_start_matches('[');
        let dimensions = descriptors.len() - element.len();
        let length = if element.starts_with('L') { element.find(';').unwrap_or(0) + 1 } else { 1 };
        let (one, rest) = descriptors.split_at(dimensions + length);
        out.push(java(one));
        descriptors = rest;
    }
    out
}

fn java(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let name = match element {
        "V" => "void".into(),
        "Z" => "boolean".into(),
        "B" => "byte".into(),
        "S" => "short".into(),
        "C" => "char".into(),
        "I" => "int".into(),
        "J" => "long".into(),
        "F" => "float".into(),
        "D" => "double".into(),
        class => model::descriptors::dotted_name(class),
    };
    name + &"[]".repeat(descriptor.len() - element.len())
}
