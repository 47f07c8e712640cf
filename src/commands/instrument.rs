//! `pathlight instrument`.

use std::path::{Path, PathBuf};

use instrumenter::apk::{SchemeSet, SignError, Signer, WriteOptions};
use instrumenter::app::{AppReport, instrument_app};
use instrumenter::{Options, Sink};
use model::codec::UnknownCodec;
use model::map::Codec;
use model::mapping::Mapping;
use model::profile::Profile;

use super::Result;

/// Add probes to a finished app and sign it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  pathlight instrument app.apk -o beta.apk --map app.plmap
  pathlight instrument app.apk -o beta.apk --map app.plmap --model model.json --ks release.p12 --ks-pass env:KS_PASS
  pathlight instrument app.apk -o beta.apk --map app.plmap --include 'com.example.*' --sink logcat
  pathlight instrument app.apk -o copy.apk --codec none --json")]
pub struct Args {
    /// The app: an .apk, a .jar or .zip that holds dex files, or a single .dex; the same kind comes out.
    input: PathBuf,
    /// Where the instrumented app goes.
    #[arg(short, long)]
    output: PathBuf,
    /// Where the map goes: decoding needs it, so keep it with the release.
    #[arg(long, required_unless_present_any = ["codec"])]
    map: Option<PathBuf>,
    /// How decisions become bits: arith (smallest logs), arith-adaptive and arith-adaptive-shift (distributions that adapt
    /// while the app runs), huffman (prefix codes), ball-larus (path numbers), pap and blocks (path numbers
    /// per activation, every block's number: yardsticks);
    /// none only takes the app apart and puts it together again.
    #[arg(long, default_value = "arith", value_parser = codec)]
    codec: Codec,
    /// A model that `train` wrote.
    #[arg(long)]
    model: Option<PathBuf>,
    /// R8's mapping.txt: models and reports then use the source names.
    #[arg(long)]
    mapping: Option<PathBuf>,
    /// Only classes whose dotted name matches this glob; may be given several times.
    #[arg(long)]
    include: Vec<String>,
    /// Not classes whose dotted name matches this glob; may be given several times.
    #[arg(long)]
    exclude: Vec<String>,
    /// Where logs go on the device: a trace file in the app's cache folder, or lines in logcat.
    #[arg(long, default_value = "file", value_parser = ["file", "logcat"])]
    sink: String,
    /// Limit of a trace file, in MiB.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=2047))]
    cap: u32,
    /// When a trace file is full: keep the newest instead of stopping.
    #[arg(long)]
    ring: bool,
    /// PKCS#12 key store to sign with; default: a debug key kept in the user's configuration folder.
    #[arg(long)]
    ks: Option<PathBuf>,
    /// Password of the key store: pass:TEXT, env:VARIABLE or file:PATH.
    #[arg(long, requires = "ks")]
    ks_pass: Option<String>,
    /// Alias of the key, when the store holds several.
    #[arg(long, requires = "ks")]
    ks_key_alias: Option<String>,
    /// Signature schemes, comma-separated: v1, v2, v3. Default: v2 and v3, and v1 for a minSdk below 24.
    #[arg(long, value_delimiter = ',', value_parser = ["v1", "v2", "v3"])]
    schemes: Vec<String>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result {
    let codec = args.codec;
    if codec != Codec::None && args.map.is_none() {
        return Err("--map is needed: without it no log of this build can ever be decoded".into());
    }
    let same = |a: &Path, b: &Path| {
        std::fs::canonicalize(a).ok().is_some_and(|a| std::fs::canonicalize(b).is_ok_and(|b| a == b))
    };
    for path in [Some(&args.output), args.map.as_ref()].into_iter().flatten() {
        if same(path, &args.input) {
            return Err(format!("{}: the output would overwrite the input", path.display()).into());
        }
    }
    let options = Options {
        codec,
        include: args.include.clone(),
        exclude: args.exclude.clone(),
        sink: if args.sink == "logcat" { Sink::Logcat } else { Sink::File },
        cap: args.cap << 20,
        ring: args.ring,
        model: args.model.as_deref().map(read_model).transpose()?,
        mapping: args.mapping.as_deref().map(read_mapping).transpose()?,
    };
    let has = |s: &str| args.schemes.iter().any(|x| x == s);
    let schemes = (!args.schemes.is_empty()).then(|| SchemeSet { v1: has("v1"), v2: has("v2"), v3: has("v3") });
    let out = instrument_app(&args.input, &options, WriteOptions { schemes }, || signer(args))?;
    super::write_file(&args.output, &out.bytes)?;
    if let (Some(map), Some(path)) = (&out.map, &args.map) {
        super::write_file(path, &map.to_bytes())?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&out.report)?);
    } else {
        print(&out.report);
    }
    Ok(())
}

fn codec(name: &str) -> std::result::Result<Codec, String> {
    name.parse().map_err(|e: UnknownCodec| e.to_string())
}

fn signer(args: &Args) -> std::result::Result<Signer, SignError> {
    match &args.ks {
        Some(path) => Signer::from_pkcs12(path, &password(args.ks_pass.as_deref()), args.ks_key_alias.as_deref()),
        None => Signer::debug(),
    }
}

fn password(spec: Option<&str>) -> String {
    let Some(spec) = spec else { return String::new() };
    match spec.split_once(':') {
        Some(("pass", text)) => text.to_owned(),
        Some(("env", name)) => std::env::var(name).unwrap_or_default(),
        Some(("file", path)) => {
            std::fs::read_to_string(path).unwrap_or_default().lines().next().unwrap_or_default().to_owned()
        }
        _ => spec.to_owned(),
    }
}

/// Reads a model; errors name the file.
pub fn read_model(path: &Path) -> Result<Profile> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(Profile::from_bytes(&bytes).map_err(|e| format!("{}: {e}", path.display()))?)
}

fn read_mapping(path: &Path) -> Result<Mapping> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(Mapping::parse(&text).map_err(|e| format!("{}: {e}", path.display()))?)
}

fn print(r: &AppReport) {
    let sum = |f: fn(&instrumenter::instrument::DexReport) -> usize| r.code.dex.iter().map(f).sum::<usize>();
    let (methods, done) = (sum(|d| d.methods), sum(|d| d.instrumented));
    if !r.package.is_empty() {
        println!("{}", r.package);
    }
    println!(
        "{done} of {methods} methods, {} branches, {} call slots, {} handlers",
        r.code.branches, r.code.slots, r.code.handlers
    );
    let (dex_in, dex_out) = (sum(|d| d.bytes_in), sum(|d| d.bytes_out) + r.added.iter().sum::<usize>());
    println!(
        "dex {dex_in} → {dex_out} bytes ({:.2} ×), file {} → {} bytes",
        dex_out as f64 / dex_in.max(1) as f64,
        r.bytes_in,
        r.bytes_out
    );
    if let Some(h) = &r.code.history {
        println!(
            "history: {} branches exact, {} by fingerprint, {} moved, {} without",
            h.exact, h.by_fingerprint, h.moved, h.none
        );
    }
    for d in &r.dropped {
        println!("left out: {}", d.what);
    }
    for s in r.code.skipped.iter().take(20) {
        println!("left as it was: {}: {}", s.method, s.reason);
    }
    if r.code.skipped.len() > 20 {
        println!("… and {} more methods (see --json or `pathlight inspect`)", r.code.skipped.len() - 20);
    }
    if !r.build.is_empty() {
        println!("build {}", r.build);
    }
}
