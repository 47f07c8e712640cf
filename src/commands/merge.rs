//! `pathlight fleet merge`.

use std::path::PathBuf;

use model::map::BuildId;
use tables::catalogue::Catalogue;
use tables::merge::{Merge, files, merge};

use super::{Result, Usage};
use crate::args::builds::build;
use crate::outputs::print::{JSON_VERSION, Printer, counted, show};
use crate::outputs::replace::{self, Subject};
use crate::outputs::{Files, Kind};

/// Sum models of the same build, and fold the sums in the order of the releases.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight fleet merge fleet/partial/build=b*/day=d20261122/*.zst -o day.json
  pathlight fleet merge --maps maps --base monday.json --decay 0.9 @partials.txt -o tuesday.json")]
pub struct Args {
    /// Models of one build each, as `fleet tables` and `train` write them, or @LIST: a file with
    /// one a line.
    #[arg(required = true)]
    models: Vec<PathBuf>,
    /// The model of all that was before.
    #[arg(long, value_name = "FILE")]
    base: Option<PathBuf>,
    /// Weigh the counts of the base by this factor, 0 to 1.
    #[arg(long, value_name = "K", default_value_t = 1.0, requires = "base")]
    decay: f64,
    /// Folder of maps, which have the order of releases and renamed methods.
    #[arg(long, value_name = "DIR")]
    maps: Option<PathBuf>,
    /// Builds from the oldest to the newest, instead of the version codes beside the maps.
    #[arg(long, value_name = "ID,ID…", value_delimiter = ',', value_parser = build)]
    releases: Vec<BuildId>,
    /// Write the model to this file; it must not be one of the others.
    #[arg(short, long)]
    output: PathBuf,
    /// Replace a model that has sessions of builds that the new one has not.
    #[arg(long)]
    force: bool,
    /// Print the figures as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result {
    if !(0.0..=1.0).contains(&args.decay) {
        return Err(Usage("--decay must be a number from 0 to 1").into());
    }
    let models = files(&args.models)?;
    let mut outputs = Files::default();
    models.iter().for_each(|path| outputs.reads("an input model", path));
    args.base.iter().for_each(|path| outputs.reads("the base", path));
    outputs.writes("-o", &args.output, Kind::Model);
    outputs.check()?;
    let catalogue = args.maps.as_deref().map(Catalogue::open).transpose()?;
    let merged = merge(&Merge {
        models: &models,
        base: args.base.as_deref(),
        decay: (args.decay < 1.0).then_some((args.decay * 65_536.0) as u16),
        order: &args.releases,
        catalogue: catalogue.as_ref(),
    })?;
    if !args.force {
        replace::check("-o", &args.output, &Subject::of_model(&merged))?;
    }
    outputs.write(&[&merged.to_bytes()])?;
    let builds: Vec<String> = merged.builds.iter().map(|b| format!("b{b}")).collect();
    if args.json {
        let line = serde_json::json!({
            "v": JSON_VERSION, "models": models.len(), "sessions": merged.sessions,
            "decisions": merged.decisions(), "builds": builds,
        });
        show!(out, "{line}")?;
    } else {
        show!(
            out,
            "{}: {}, {}, {}",
            counted(models.len(), "model"),
            counted(merged.sessions, "session"),
            counted(merged.decisions(), "decision"),
            counted(builds.len(), "build")
        )?;
    }
    Ok(())
}
