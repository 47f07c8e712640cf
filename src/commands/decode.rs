//! `pathlight decode`.

use std::path::PathBuf;

use decoder::log::{Collector, Process, Processes};
use decoder::replay::Program;
use decoder::session::decode_thread;
use model::map::Map;
use reports::{JsonPaths, TextPaths, process_heading, process_line};

use super::Result;
use crate::print::{Printer, note, say};

/// Turn logs into execution paths.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  adb logcat -d | pathlight decode --map app.plmap -
  pathlight decode --map app.plmap pathlight-*.plt --format json > paths.jsonl")]
pub struct Args {
    /// Map of the build, written by `instrument`.
    #[arg(long)]
    map: PathBuf,
    /// Any mix of trace files, logcat text in any -v format, and - for standard input.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// Print text for people, or json (one object per line) for programs.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// An output format; each has one function that writes a process.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result {
    let map = read_map(&args.map)?;
    let processes = collect(&map, &args.logs)?;
    let program = Program::new(&map);
    let write = match args.format {
        Format::Text => text,
        Format::Json => json,
    };
    let mut faulty = 0;
    for (number, process) in (1..).zip(processes) {
        faulty += write(out, &program, number, &process?)?;
    }
    if faulty > 0 {
        return Err(format!(
            "{faulty} records could not be decoded: the output shows their places"
        )
        .into());
    }
    Ok(())
}

/// Writes a process as text. Returns how many of its records could not be decoded.
fn text(out: &mut Printer, program: &Program<'_>, _: usize, process: &Process) -> Result<u64> {
    say!(out, "{}", process_heading(process))?;
    let mut faulty = 0;
    for thread in &process.threads {
        let name = thread.name.as_deref().unwrap_or("?");
        say!(
            out,
            "=== {} (pid {}), thread {} \"{name}\"",
            process.name,
            process.pid,
            thread.number
        )?;
        let mut sink = TextPaths::new(program, out.raw(), process);
        faulty += decode_thread(program, thread, &mut sink).faulty;
        sink.finish()?;
    }
    Ok(faulty)
}

/// The same as JSON lines.
fn json(out: &mut Printer, program: &Program<'_>, number: usize, process: &Process) -> Result<u64> {
    say!(out, "{}", process_line(number, process))?;
    let mut faulty = 0;
    for thread in &process.threads {
        let mut sink = JsonPaths::new(program, out.raw(), number, process, thread);
        faulty += decode_thread(program, thread, &mut sink).faulty;
        sink.finish()?;
    }
    Ok(faulty)
}

/// Reads a map; errors name the file.
pub fn read_map(path: &std::path::Path) -> Result<Map> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(Map::from_bytes(&bytes).map_err(|e| format!("{}: {e}", path.display()))?)
}

/// Looks through all logs; problems go to standard error. Logs of another build alone are an error.
/// The processes are read one by one, as they are asked for: their logs need not fit into memory
/// together.
pub fn collect(map: &Map, logs: &[PathBuf]) -> Result<Processes> {
    let mut collector = Collector::new(Some(map.build));
    for path in logs {
        let name = path.display().to_string();
        if name == "-" {
            collector.add("standard input", std::io::stdin().lock())?;
        } else {
            collector.add_file(&name, path)?;
        }
    }
    let (set, processes) = collector.finish_each();
    for problem in &set.problems {
        note(problem);
    }
    if processes.len() == 0 {
        return Err(format!("nothing in these logs was written by build {}", map.build).into());
    }
    Ok(processes)
}
