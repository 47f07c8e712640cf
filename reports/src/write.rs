//! Whole processes, thread by thread.

use std::io::{self, Write};

use decoder::log::Process;
use decoder::replay::{NoSink, Program};
use decoder::session::decode_thread;

use super::{
    Filter, Filtered, JsonPaths, TextOptions, TextPaths, process_heading, process_line, visible,
};

/// Writes a process as text. Returns how many of its records could not be decoded, shown or not.
///
/// # Errors
/// The first error of the output.
pub fn write_text(
    mut out: impl Write,
    program: &Program<'_>,
    process: &Process,
    filter: &Filter,
    options: TextOptions<'_>,
) -> io::Result<u64> {
    writeln!(out, "{}", visible(&process_heading(process)))?;
    let mut faulty = 0;
    for thread in &process.threads {
        if !filter.has_thread(thread) {
            faulty += decode_thread(program, thread, &mut NoSink).faulty;
            continue;
        }
        let name = thread.name.as_deref().unwrap_or("?");
        let (number, process_name, pid) = (thread.number, &process.name, process.pid);
        let heading = format!("=== {process_name} (pid {pid}), thread {number} \"{name}\"");
        let mut sink = TextPaths::with(program, &mut out, process, options);
        sink.heading(heading, filter.is_all());
        let mut sink = Filtered::new(sink, filter, program, thread);
        faulty += decode_thread(program, thread, &mut sink).faulty;
        sink.into_inner().finish()?;
    }
    Ok(faulty)
}

/// The same as JSON lines; `number` is that of the process in the output, from 1.
///
/// # Errors
/// The first error of the output.
pub fn write_json(
    mut out: impl Write,
    program: &Program<'_>,
    number: usize,
    process: &Process,
    filter: &Filter,
) -> io::Result<u64> {
    writeln!(out, "{}", process_line(number, process))?;
    let mut faulty = 0;
    for thread in &process.threads {
        if !filter.has_thread(thread) {
            faulty += decode_thread(program, thread, &mut NoSink).faulty;
            continue;
        }
        let sink = JsonPaths::new(program, &mut out, number, process, thread);
        let mut sink = Filtered::new(sink, filter, program, thread);
        faulty += decode_thread(program, thread, &mut sink).faulty;
        sink.into_inner().finish()?;
    }
    Ok(faulty)
}
