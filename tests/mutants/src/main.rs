//! Runs cases of one kind, one after the other, and prints a line before and after each: its caller
//! (`cargo xtask mutants`) knows which one it died of.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;

use clap::Parser;
use mutants::{Case, Kind, Program, kind, rng};

/// Cases of one kind.
#[derive(Parser)]
struct Args {
    #[arg(long)]
    kind: String,
    #[arg(long)]
    seed: u64,
    /// Number of the first case.
    #[arg(long)]
    from: u64,
    /// Number behind the last case.
    #[arg(long)]
    to: u64,
    /// The program, which also gets the file of every n-th case.
    #[arg(long)]
    program: PathBuf,
    #[arg(long)]
    every: u64,
    /// Write the files of all cases here.
    #[arg(long)]
    save: Option<PathBuf>,
    /// Seed files in place of the repository's own.
    inputs: Vec<PathBuf>,
}

/// Message and place of the last panic.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

fn listen() {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut message) = PANIC.lock() {
            message.get_or_insert_with(|| info.to_string().replace('\n', " "));
        }
    }));
}

fn one(kind: &dyn Kind, program: &Program, args: &Args, number: u64) -> Result<bool, String> {
    let mut rng = rng(args.seed, number);
    let run = AssertUnwindSafe(|| {
        let case: Case = kind.case(&mut rng);
        if let Some(folder) = &args.save {
            let file = folder.join(format!("{}-{}-{number}", args.kind, args.seed));
            std::fs::write(&file, &case.bytes).expect("the file of the case is written");
            if let Some(beside) = &case.beside {
                std::fs::write(file.with_extension("beside"), beside)
                    .expect("what is beside it is written");
            }
        }
        let used = kind.feed(&case, &mut rng);
        if args.every > 0 && number.is_multiple_of(args.every) {
            program.run(kind.calls()[rng.below(kind.calls().len())], &case)?;
        }
        Ok(used)
    });
    catch_unwind(run).unwrap_or_else(|_| {
        let message = PANIC.lock().ok().and_then(|mut message| message.take());
        Err(message.unwrap_or_else(|| "a panic without a message".into()))
    })
}

/// The largest amount of memory that this process had, in KiB; the program's own runs do not count.
fn peak() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next().map(str::to_owned))
}

fn run(args: &Args) -> Result<(), String> {
    let kind = kind(&args.kind, &args.inputs)?.ok_or(format!("no kind {}", args.kind))?;
    let program = Program::new(&args.program)?;
    listen();
    let mut out = std::io::stdout().lock();
    let gone = |e: std::io::Error| e.to_string();
    for number in args.from..args.to {
        writeln!(out, "case {number}").and_then(|()| out.flush()).map_err(gone)?;
        match one(&*kind, &program, args, number) {
            Ok(used) => writeln!(out, "{}", if used { "used" } else { "refused" }),
            Err(what) => writeln!(out, "finding {what}"),
        }
        .map_err(gone)?;
    }
    writeln!(out, "peak {}", peak().unwrap_or_default()).map_err(gone)
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("mutants: {e}");
            ExitCode::FAILURE
        }
    }
}
