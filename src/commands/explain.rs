//! `pathlight paths explain`.

use std::path::PathBuf;

use decoder::Damage;
use decoder::replay::Program;
use model::map::Map;
use reports::analyse::Asked;
use reports::methods_named;

use super::Result;
use crate::args::jobs::Jobs;
use crate::args::unmatched;
use crate::inputs::EvidenceFiles;
use crate::outputs::print::Printer;

/// Show how often paths of a method ran, and what counts of edges reveal of that.
///
/// A path runs from a method's entry, a handler or a loop's first block to where the method is left
/// or a loop goes round; then that loop's first block comes last.
///
/// Count files (of a build with `--profile edges`) give only bounds, for all paths that can have
/// run: exact counts where these meet, as in many regions. The bounds hold for threads that had
/// ended their callbacks when the file was written. Counts of logs of other sessions are added.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight paths explain --map app.plmap *.plt --path 'Lorg/example/tether/Network;->up()Z'
  pathlight paths explain --map app.plmap *.plt --path 'Lorg/example/tether/Network;->up()Z:0,1,3'
  pathlight paths explain --map counts.plmap *.plc --path 'Lorg/example/tether/Network;->up()Z'

`2/1,3` is block 2 left by its second alternative, where several lead to block 3.")]
pub struct Args {
    /// Map of the build, or a folder of maps, written by `instrument`; twice with logs and count
    /// files, as these are of two builds. Default: maps beside the logs or in the current folder.
    #[arg(long, value_name = "FILE|DIR")]
    map: Vec<PathBuf>,
    /// Method, such as Network.up or 'Lcom/example/Network;->up()Z'. All of its paths that ran are
    /// shown; with the numbers of a path's blocks (Network.up:0,1,3), this path alone.
    #[arg(long, value_name = "PATH")]
    path: String,
    /// Trace files, logcat text in any -v format, folders and archives of them, and - for standard
    /// input; count files.
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// Show N paths, the most frequent first.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Print all as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    jobs: Jobs,
}

/// Returns a path's text with the descriptor of its method, which may be named as in the source.
fn with_descriptor(map: &Map, path: &str) -> Result<String> {
    let (name, blocks) = path.split_at(path.find(':').unwrap_or(path.len()));
    if name.contains("->") || name.is_empty() {
        return Ok(path.to_owned());
    }
    match methods_named(map, name) {
        Ok(keys) if keys.len() == 1 => Ok(format!("{}{blocks}", keys[0])),
        Ok(keys) => {
            Err(format!("{name} is the name of {} methods: {}", keys.len(), keys.join(", ")).into())
        }
        Err(unmatched) => unmatched::check(Some(unmatched)).map(|()| path.to_owned()),
    }
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result<Damage> {
    let inputs = EvidenceFiles::read(&args.map, &args.logs)?;
    let asked = Asked::read(&inputs.map, &with_descriptor(&inputs.map, &args.path)?)?;
    let program = Program::new(&inputs.map);
    let (shown, damage) = inputs.counted(&program, &args.jobs.cores())?;
    let mut explained = asked.explain(&shown.evidence(&inputs.map));
    explained.faulty_records = damage.records;
    match args.json {
        true => out.json(&explained)?,
        false => {
            out.page()?;
            explained.write(args.top, "--top", out.raw())?;
        }
    }
    Ok(damage)
}
