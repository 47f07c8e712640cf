//! Paths of whole processes, thread by thread.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use decoder::crew::{Cores, share};
use decoder::log::{Process, ThreadLog};
use decoder::replay::{NoSink, Program};
use decoder::session::decode_thread_on;

use super::ids::PathIds;
use super::json::{JsonPaths, process_line};
use super::ordered::{Ordered, Section};
use super::text::{TextOptions, TextPaths, process_heading};
use crate::base::escape::visible;
use crate::base::exit::ended_line;
use crate::base::filter::{Filter, Filtered};

/// Result of writing a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printed {
    /// Number of undecodable records, in shown and hidden threads.
    pub faulty: u64,
    /// True if a call passed the filter.
    pub has_calls: bool,
}

/// Writes the heading of a process, and its end if the device noted one.
fn write_heading(out: &mut impl Write, process: &Process) -> io::Result<()> {
    writeln!(out, "{}", visible(&process_heading(process)))?;
    match ended_line(process) {
        Some(line) => writeln!(out, "{}", visible(&line)),
        None => Ok(()),
    }
}

/// Writes a process as text, decoding on these cores.
///
/// # Errors
/// The first error of the output.
pub fn write_text(
    mut out: impl Write + Send,
    program: &Program<'_>,
    process: &Process,
    filter: &Filter,
    options: TextOptions<'_>,
    cores: &Cores,
) -> io::Result<Printed> {
    write_heading(&mut out, process)?;
    in_order(out, program, process, filter, cores, |thread, out| {
        let name = thread.name.as_deref().unwrap_or("?");
        let (number, process_name, pid) = (thread.number, &process.name, process.pid);
        let heading = format!("=== {process_name} (pid {pid}), thread {number} \"{name}\"");
        let mut sink = TextPaths::with(program, out, process, options);
        sink.heading(heading, filter.is_all());
        let mut sink = Filtered::new(sink, filter, cores, program, thread);
        let faulty = decode_thread_on(cores, program, thread, &mut sink).faulty;
        let has_calls = sink.has_calls();
        // The ordered output has the error.
        let _ = sink.into_inner().finish();
        Printed { faulty, has_calls }
    })
}

/// Writes a process as JSON lines; `number` is its number in the output, from 1. The line of the
/// process has its build if `names_build` is set: where an output has several.
///
/// # Errors
/// The first error of the output.
pub fn write_json(
    mut out: impl Write + Send,
    program: &Program<'_>,
    (number, names_build): (usize, bool),
    process: &Process,
    filter: &Filter,
    cores: &Cores,
) -> io::Result<Printed> {
    writeln!(out, "{}", process_line(number, process, names_build))?;
    in_order(out, program, process, filter, cores, |thread, out| {
        let sink = JsonPaths::new(program, out, number, process, thread);
        let mut sink = Filtered::new(sink, filter, cores, program, thread);
        let faulty = decode_thread_on(cores, program, thread, &mut sink).faulty;
        let has_calls = sink.has_calls();
        let _ = sink.into_inner().finish();
        Printed { faulty, has_calls }
    })
}

/// Writes the path ids of a process's callbacks ([`PathIds`]), as text or, with the number of the
/// process in the output, as JSON lines. Only the filter's threads apply.
///
/// # Errors
/// The first error of the output.
pub fn write_path_ids(
    mut out: impl Write + Send,
    program: &Program<'_>,
    json: Option<usize>,
    process: &Process,
    filter: &Filter,
    cores: &Cores,
) -> io::Result<Printed> {
    match json {
        Some(number) => writeln!(out, "{}", process_line(number, process, false))?,
        None => write_heading(&mut out, process)?,
    }
    in_order(out, program, process, filter, cores, |thread, mut out| {
        let mut sink = match json {
            Some(number) => PathIds::json(program, out, number, process, thread),
            None => {
                let name = thread.name.as_deref().unwrap_or("?");
                let heading = format!("=== thread {} \"{name}\"", thread.number);
                // The ordered output has the error.
                let _ = writeln!(out, "{}", visible(&heading));
                PathIds::text(program, out)
            }
        };
        let faulty = decode_thread_on(cores, program, thread, &mut sink).faulty;
        let _ = sink.finish();
        Printed { faulty, has_calls: true }
    })
}

/// Decodes the threads of a process on several cores. The output of `write` for each thread comes
/// out in the order of the threads.
fn in_order<W: Write + Send>(
    out: W,
    program: &Program<'_>,
    process: &Process,
    filter: &Filter,
    cores: &Cores,
    write: impl Fn(&ThreadLog, Section<'_, W>) -> Printed + Sync,
) -> io::Result<Printed> {
    let ordered = Ordered::new(out, cores.count());
    let (faulty, has_calls) = (AtomicU64::new(0), AtomicBool::new(false));
    share(cores, &mut vec![(); cores.count()], process.threads.len(), |(), number| {
        let Some(section) = ordered.section(number) else { return };
        let thread = &process.threads[number];
        let printed = if filter.has_thread(thread) {
            write(thread, section)
        } else {
            let faulty = decode_thread_on(cores, program, thread, &mut NoSink).faulty;
            Printed { faulty, has_calls: false }
        };
        faulty.fetch_add(printed.faulty, Ordering::Relaxed);
        has_calls.fetch_or(printed.has_calls, Ordering::Relaxed);
    });
    ordered.finish()?;
    Ok(Printed { faulty: faulty.into_inner(), has_calls: has_calls.into_inner() })
}
