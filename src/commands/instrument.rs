//! `pathlight instrument`.

use std::path::PathBuf;

use instrumenter::{Options, RuntimeHome};

use super::Result;

/// Add probes to a finished app and sign it.
#[derive(clap::Args)]
pub struct Args {
    /// The app: .apk, a .jar or .zip that holds dex files, or a single .dex.
    input: PathBuf,
    /// Where the instrumented app goes.
    #[arg(short, long)]
    output: PathBuf,
    /// Where the map goes (needed to decode; keep it with the release).
    #[arg(long, required_unless_present = "codec")]
    map: Option<PathBuf>,
    /// How decisions become bits: none (only take apart and put together) or arith.
    #[arg(long, default_value = "arith")]
    codec: String,
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    let bytes = std::fs::read(&args.input)?;
    let name = "classes.dex".to_owned();
    let mut options = Options::default();
    if args.codec == "none" {
        options.codec = model::map::Codec::None;
    }
    let out = instrumenter::instrument(vec![(name, bytes)], RuntimeHome::OwnFile, "", &options)?;
    std::fs::write(&args.output, &out.files[0].1)?;
    for (i, b) in out.added.iter().enumerate() {
        std::fs::write(args.output.with_extension(format!("{}.dex", i + 2)), b)?;
    }
    if let (Some(map), Some(path)) = (&out.map, &args.map) {
        std::fs::write(path, map.to_bytes())?;
    }
    println!("{}", serde_json::to_string(&out.report)?);
    Ok(())
}
