//! `pathlight mcp`: questions about a folder of logs, for agents that speak the Model Context
//! Protocol.
//!
//! Each tool runs this program with the options of a command and returns the printed text, so that
//! an agent reads the same answer as a person.

mod coverage;
mod pages;
mod programs;
mod questions;
mod sessions;
mod tools;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;

use super::causes::app_codes;
use super::{Result, Usage};
use crate::args::times;
use crate::error::PathContext;
use crate::inputs::{self, LogFiles};
use crate::outputs::print::note;
use programs::{CommandRunner, RunLimits};
use sessions::SessionNames;
use tools::{Files, Server};

/// Bytes that the server keeps of the printed text of a command.
const MOST_PRINTED: u64 = 32 << 20;

/// Answer questions about logs for an agent, by the Model Context Protocol.
///
/// The agent starts this program and writes to its standard input. Eight tools: sessions, crash,
/// why, callback, compare, find, line and interval. Reads the folders named here and the files of
/// the options, writes only temporary files, uses no network.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight mcp logs
  pathlight mcp logs --map app.plmap --apk app.apk --sources app/src/main/java")]
pub struct Args {
    /// Folders with the logs of sessions, or single logs.
    #[arg(required = true, value_name = "FOLDER")]
    logs: Vec<PathBuf>,
    /// Map of the build, or a folder of maps, written by `instrument`; repeatable. Default: the
    /// maps of the logs' builds beside them or in the current folder.
    #[arg(long, value_name = "FILE|DIR")]
    map: Vec<PathBuf>,
    /// The app as it was before `instrument`, which the tool `why` needs; repeatable for a split
    /// app.
    #[arg(long, value_name = "APK")]
    apk: Vec<PathBuf>,
    /// Folder of source files, whose lines are printed; repeatable.
    #[arg(long, value_name = "DIR")]
    sources: Vec<PathBuf>,
    /// Maximum size of an answer in bytes; a token has about 4. An agent reads the rest of a longer
    /// answer with the cursor that ends each page.
    #[arg(long, value_name = "BYTES", default_value_t = 8000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1000..=1_000_000))]
    answer_size: u32,
    /// Maximum time of an answer. A command that needs longer is stopped, and the answer has the
    /// text that it printed until then.
    #[arg(long, value_name = "TIME", default_value = "120s", value_parser = times::duration)]
    answer_time: u64,
}

/// Runs the command, until the client closes standard input.
pub fn run(args: &Args) -> Result {
    if args.logs.iter().any(|log| log.as_os_str() == "-") {
        return Err(Usage("standard input carries the agent's questions: name folders").into());
    }
    // Wrong files are reported to the person who starts the server, not to the agent.
    let logs = LogFiles::find(&args.logs)?;
    let maps = inputs::maps_of(&args.map, &[&logs])?;
    for path in args.apk.iter().chain(&args.sources) {
        std::fs::metadata(path).at(path)?;
    }
    if !args.apk.is_empty() {
        app_codes(&maps, &args.apk)?;
    }
    drop(maps);
    let sessions = SessionNames::of_files(&logs);
    let map_folders = logs.folders().to_vec();
    // Ends the temporary copies of archives.
    drop(logs);
    if std::io::stdin().is_terminal() {
        note("waiting for an agent's questions on standard input; Ctrl-C ends");
    }
    let files = Files {
        logs: args.logs.clone(),
        map: args.map.clone(),
        map_folders: map_folders.into_iter().filter(|folder| folder.is_dir()).collect(),
        apk: args.apk.clone(),
        sources: args.sources.clone(),
    };
    let limits =
        RunLimits { time: Duration::from_micros(args.answer_time), printed_bytes: MOST_PRINTED };
    let program = CommandRunner::new(std::env::current_exe()?, limits);
    let server = Server::new(program, files, sessions, args.answer_size as usize)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(serve(server));
    // A read of standard input may still wait on a thread of its own.
    runtime.shutdown_background();
    served
}

/// Serves until standard input ends.
async fn serve(server: Server) -> Result {
    let streams = (tokio::io::stdin(), tokio::io::stdout());
    match server.serve(streams).await {
        Ok(service) => service.waiting().await.map(drop)?,
        // An agent that asks nothing.
        Err(ServerInitializeError::ConnectionClosed(_)) => {}
        Err(problem) => return Err(problem.into()),
    }
    Ok(())
}
