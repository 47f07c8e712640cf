//! `pathlight instrument`.

mod recording;

use std::path::{Path, PathBuf};

use apk::{Apk, AppSet, Container, SignError, Signer, WriteOptions};
use disk::NewFolder;
use instrumenter::app::instrument_app;
use instrumenter::{Limits, Options, Unmapped};
use model::cells::CellLayout;
use model::map::BuildId;
use model::mapping::Mapping;
use model::packed_map::PackedMap;
use model::recording::{Recording, UnknownRecording};

use super::{Result, Usage};
use crate::args::choices::{
    AdaptChoice, BaselineChoice, CountStorageChoice, Extent, HugeMethodChoice, LogFolder,
    PathTrackingChoice, Profile, Scheme, SinkChoice, X86SafeChoice,
};
use crate::args::{choices, numbers};
use crate::error::PathContext;
use crate::inputs::packages::PackageKind;
use crate::inputs::{password, read_mapping, read_model, read_paths};
use crate::outputs::instrument::{Recorded, print};
use crate::outputs::print::{Printer, note, show};
use crate::outputs::progress::Progress;
use crate::outputs::replace::{self, Subject};
use crate::outputs::{Files, Kind, messages};

/// Add probes to a finished app and sign it.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pathlight instrument app.apk -o beta.apk --map app.plmap
  pathlight instrument app.apk -o beta.apk --map app.plmap --ks release.p12 --ks-pass env:KS_PASS
  pathlight instrument app.apk -o next.apk --map next.plmap --unsigned --model model.json
  pathlight instrument app.apk -o part.apk --map part.plmap --include 'com.example.*' --sink logcat
  pathlight instrument app.apk -o a.apk --map a.plmap --model model.json --max-size-growth 1.35
  pathlight instrument app.apk -o b.apk --map b.plmap --model model.json --max-log-rate 3020
  pathlight instrument app.apk -o c.apk --map c.plmap --model model.json --max-slowdown 1.3
  pathlight instrument app.apk -o counts.apk --map counts.plmap --profile edges
  pathlight instrument app.apk -o count.apk --map count.plmap --profile paths --select paths.json
  pathlight instrument base.apk split_*.apk -o beta/ --map app.plmap
  pathlight instrument app.apks -o beta.apks --map app.plmap
  pathlight instrument app.aab -o beta.aab --map bundle.plmap
  pathlight instrument app.apk -o beta.apk --map app.plmap --sign-also test.apk beta-test.apk
  pathlight instrument app.apk -o copy.apk --codec none --json")]
pub struct Args {
    /// App: an .apk, .apks, .xapk, .apkm, .aab, .jar, .zip or .dex. Of a split app, either an
    /// archive or all its APKs. The output is of the same kind.
    #[arg(required = true, value_name = "APP")]
    inputs: Vec<PathBuf>,
    /// Write the instrumented app to this file. Several APKs go into this folder, each under its
    /// name. Default: the app's name with -pathlight, in the current folder.
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Write the map to this file. Keep it with the release: decoding needs it. Default: beside the
    /// output, under its name and the first digits of the build.
    #[arg(long)]
    map: Option<PathBuf>,
    /// Choose how decisions become bits. arith: smallest logs. arith-adaptive,
    /// arith-adaptive-shift: distributions adapt while the app runs. huffman: prefix codes.
    /// ball-larus: path numbers. counts: as --profile edges. pap, blocks: for comparison only (path
    /// numbers per activation; the number of every block). none: reassemble the app without probes.
    #[arg(long, default_value = "arith", value_parser = codec)]
    codec: Recording,
    /// Choose what the app records. `train` makes the same model from counts of edges as from logs.
    /// With paths, all methods without selected paths stay as they are.
    #[arg(long, value_enum, conflicts_with = "codec")]
    profile: Option<Profile>,
    /// Count these paths, written by `paths select`; for --profile paths.
    #[arg(long, value_name = "FILE")]
    select: Option<PathBuf>,
    /// Choose how paths are tracked, for --profile paths. Counts are the same.
    /// Encodings of the literature take whole runs; those of spp and prepp may count other paths.
    #[arg(long, alias = "detect", value_enum, default_value_t = PathTrackingChoice::Auto)]
    path_tracking: PathTrackingChoice,
    /// Choose where counts are kept, for --profile paths.
    #[arg(long, alias = "hits", value_enum, default_value_t = CountStorageChoice::Durable)]
    count_storage: CountStorageChoice,
    /// Use this model, written by `train`.
    #[arg(long)]
    model: Option<PathBuf>,
    /// Use R8's mapping.txt of this build. Models and reports get the names, files and lines of the
    /// source, and `decode` shows inlined calls. Default: the mapping inside an .aab.
    #[arg(long)]
    mapping: Option<PathBuf>,
    /// Instrument only classes whose dotted name matches this glob; repeatable.
    #[arg(long)]
    include: Vec<String>,
    /// Leave out classes whose dotted name matches this glob; repeatable.
    #[arg(long)]
    exclude: Vec<String>,
    /// Write logs to a trace file, or to logcat.
    #[arg(long, value_enum, default_value_t = SinkChoice::File)]
    sink: SinkChoice,
    /// Write trace files to the app's cache folder, or to shared storage. From shared storage
    /// (Android/data/PACKAGE/files) adb can fetch the files of apps that are not debuggable. On
    /// Android 10 and earlier, every app with access to shared storage can read them.
    #[arg(long, value_enum, default_value_t = LogFolder::Cache)]
    logs: LogFolder,
    /// Limit each trace file to this many MiB.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=2047))]
    cap: u32,
    /// Limit all trace files in the app's folder together to this many MiB. The oldest files are
    /// deleted, but never those of running processes.
    #[arg(long, alias = "keep", value_name = "MIB", default_value_t = 64)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=2047))]
    log_quota: u32,
    /// Do not ask Android how earlier processes of the app ended. Without this option, the app
    /// notes reason and time beside their logs (Android 11 and later).
    #[arg(long)]
    no_exit_reasons: bool,
    /// Do not record where callbacks came from. Without this option, a trace contains the id of the
    /// view or menu item, the position in a list, the code of a key that writes no character, and
    /// the intent's action if it is a constant of the app.
    #[arg(long)]
    no_ids: bool,
    /// Choose how long adaptive distributions last (--codec arith-adaptive, arith-adaptive-shift).
    /// With persist, the app keeps a table beside the logs (pathlight-BUILD-table-ID.plk); a log
    /// names its table, and decoding needs both.
    #[arg(long, value_enum, default_value_t = AdaptChoice::Process)]
    adapt: AdaptChoice,
    /// Keep the newest part when a trace file is full, instead of stopping. Decoding can also start
    /// inside a callback that never ends, such as a worker thread's loop.
    #[arg(long)]
    ring: bool,
    /// Limit the growth of the dex files (1.35 or 35%: 35 % larger). Methods lose their probes
    /// until the limit holds: first those with the fewest executed branches per byte in the model
    /// (without a model: the fewest branches and calls per byte).
    #[arg(long, value_name = "RATIO", value_parser = numbers::growth)]
    max_size_growth: Option<f64>,
    /// Limit the predicted log, in bits per 1,000 executed branches. With a model it includes calls
    /// and callbacks. Methods lose their probes until the limit holds: those that save most bits
    /// for each executed branch that is lost.
    #[arg(long, value_name = "BITS", value_parser = numbers::positive)]
    max_log_rate: Option<f64>,
    /// Limit the predicted run time of the app's own code, compiled (1.3 or 30%: 30 % longer). It
    /// is predicted from the model's counts and a table of prices, for codec arith. Every call that
    /// can be inlined is, then methods lose their probes until the limit holds: first those with
    /// the fewest executed branches per time that their probes take.
    #[arg(long, value_name = "RATIO", value_parser = numbers::slowdown, requires = "model")]
    max_slowdown: Option<f64>,
    /// Choose what happens to methods that would grow past 10,000 code units. ART never compiles
    /// such methods. Without probes, each call that they make costs some 38 bits of log. With
    /// by-cost, a method that calls the app's own code often keeps its probes, unless the model
    /// predicts that the app's code would take twice the time.
    #[arg(long, value_enum, default_value_t = HugeMethodChoice::ByCost)]
    huge_methods: HugeMethodChoice,
    /// Inline calls of short methods that branch but cannot throw, within a class. Paths and logs
    /// stay the same. Probes keep ART from inlining such calls. Codecs pap and blocks never inline.
    #[arg(long, value_enum, default_value_t = Extent::Hot)]
    inline: Extent,
    /// Copy methods that probes call often, as clones that receive the thread's state. Paths and
    /// logs stay the same; an interpreter saves about 160 ns a call.
    #[arg(long, value_enum, default_value_t = Extent::Hot)]
    clones: Extent,
    /// Code symbols in the app's methods instead of calling the coder (codec arith). hot: at the
    /// edges that the model saw taken most often. all: wherever registers are free. Logs stay the
    /// same; an interpreter saves about 30 ns a symbol.
    #[arg(long, alias = "steps", value_enum, default_value_t = Extent::Hot)]
    inline_coder: Extent,
    /// Use no path register in methods that use arrays. On emulators with x86 images of Android 10,
    /// ART can abort in such methods when an array is null. Logs get larger. Codec pap has no such
    /// mode.
    #[arg(long, value_enum, default_value_t = X86SafeChoice::Auto)]
    x86_safe: X86SafeChoice,
    /// Leave out bytes that belong to no section of a DEX file, instead of refusing the app.
    /// Packers keep an app's code in such bytes; instrument an app before it is packed.
    #[arg(long)]
    drop_unmapped: bool,
    /// Rewrite the app's baseline profile for the new DEX files, or leave it out. Devices compile
    /// the methods of the profile ahead of time, and interpreted probes are slow.
    #[arg(long, value_enum, default_value_t = BaselineChoice::Extend)]
    baseline: BaselineChoice,
    /// Sign with this PKCS#12 key store. Default: a debug key in the user's configuration folder.
    #[arg(long)]
    ks: Option<PathBuf>,
    /// Password of the key store: pass:TEXT, env:VARIABLE or file:PATH. Other users of the machine
    /// can see pass:TEXT in the list of processes.
    #[arg(long, requires = "ks")]
    ks_pass: Option<String>,
    /// Use the key with this alias if the store holds several.
    #[arg(long, requires = "ks")]
    ks_key_alias: Option<String>,
    /// Align the app and remove its old signature, but do not sign it: for a signing service.
    #[arg(long, conflicts_with_all = ["ks", "ks_pass", "ks_key_alias", "schemes"])]
    unsigned: bool,
    /// Also sign this APK with the same key, and write it to the second file; repeatable. An
    /// instrumentation test must have the key of the app that it tests.
    #[arg(long, num_args = 2, value_names = ["APK", "OUTPUT"], conflicts_with = "unsigned")]
    sign_also: Vec<PathBuf>,
    /// Sign with these schemes, comma-separated. Default: v2 and v3, and v1 for a minSdk below 24.
    #[arg(long, value_enum, value_delimiter = ',')]
    schemes: Vec<Scheme>,
    /// Replace a map of another build.
    #[arg(long)]
    force: bool,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

/// The files that were written.
pub struct Built {
    /// The build; none with --codec none.
    pub build: Option<BuildId>,
    /// The packages.
    pub packages: Vec<PathBuf>,
    /// The map.
    pub map: Option<PathBuf>,
    /// True if the package is an app bundle, which no device installs.
    pub is_bundle: bool,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args, out: &mut Printer) -> Result {
    let built = build(args, out)?;
    if !args.json && args.output.is_none() {
        let names: Vec<String> = built.packages.iter().map(|p| p.display().to_string()).collect();
        let names = names.join(" ");
        match &built.map {
            Some(map) => {
                show!(out, "wrote {names}, and its map {}", map.display())?;
                match built.is_bundle {
                    true => show!(
                        out,
                        "next: bundletool build-apks --bundle={names} --output=app.apks; \
                         bundletool install-apks --apks=app.apks"
                    )?,
                    false => show!(out, "next: pathlight device install {names}")?,
                }
            }
            None => show!(out, "wrote {names}")?,
        }
    }
    // Last, so that nothing stands below them.
    let flushed = out.flush();
    built.warnings.iter().for_each(|warning| note(format_args!("warning: {warning}")));
    Ok(flushed?)
}

/// Instruments, signs and writes; prints the report.
pub fn build(args: &Args, out: &mut Printer) -> Result<Built> {
    recording::check(args)?;
    let external = args.logs == LogFolder::External;
    let password_file =
        args.ks_pass.as_deref().and_then(|p| p.strip_prefix("file:")).map(Path::new);
    let output = args.output.clone().unwrap_or_else(|| default_output(&args.inputs));
    let packages = outputs(args, &output)?;
    let mut files = Files::default();
    args.inputs.iter().for_each(|input| files.reads("the app", input));
    let inputs = [
        ("the model", args.model.as_deref()),
        ("the mapping", args.mapping.as_deref()),
        ("the paths", args.select.as_deref()),
        ("the key store", args.ks.as_deref()),
        ("the password file", password_file),
    ];
    inputs
        .into_iter()
        .filter_map(|(what, path)| Some((what, path?)))
        .for_each(|(what, path)| files.reads(what, path));
    // The map first: an app that is there has its map.
    let records = recording::kind(args) != Recording::Reassemble;
    let map_file = args.map.as_deref().filter(|_| records);
    if let Some(path) = map_file {
        files.writes("--map", path, Kind::Map);
    }
    packages.iter().for_each(|path| files.writes("-o", path, Kind::Package));
    for pair in args.sign_also.chunks_exact(2) {
        files.reads("an APK to sign", &pair[0]);
        files.writes("--sign-also", &pair[1], Kind::Package);
    }
    let folder = folder_of_outputs(args, &output)?;
    files.check()?;
    // Before the work, so that a mistyped name is reported at once.
    let password = args.ks_pass.as_deref().map_or(Ok(String::new()), password)?;
    let progress = Progress::new(format_args!("reading {}", args.inputs[0].display()));
    let set = AppSet::read(&args.inputs)?;
    if let [input] = &args.inputs[..] {
        PackageKind::of_set(&set).check_name(input, &output)?;
    }
    let paths = args.select.as_deref().map(read_paths).transpose()?;
    let options = Options {
        recording: recording::options(args, paths),
        include: args.include.clone(),
        exclude: args.exclude.clone(),
        external,
        folder: None,
        cap: args.cap << 20,
        keep: args.log_quota << 20,
        exit_reasons: !args.no_exit_reasons,
        ids: !args.no_ids,
        resources: Vec::new(),
        address_lines: true,
        model: args.model.as_deref().map(read_model).transpose()?,
        limits: Limits {
            size_growth: args.max_size_growth,
            log_rate: args.max_log_rate,
            slowdown: args.max_slowdown,
            huge: args.huge_methods.into(),
        },
        inline: args.inline.into(),
        clones: args.clones.into(),
        x86_safe: args.x86_safe.into(),
        mapping: match &args.mapping {
            Some(path) => Some(read_mapping(path)?),
            None => mapping_in(&set)?,
        },
        names: Default::default(),
        unmapped: if args.drop_unmapped { Unmapped::Drop } else { Unmapped::Refuse },
        progress: Default::default(),
        baseline: args.baseline.into(),
    };
    let schemes = choices::schemes(&args.schemes);
    if set.base().container() == Container::Bundle && !args.schemes.is_empty() {
        return Err(Usage("--schemes is for APKs: an app bundle is signed by v1 alone").into());
    }
    let methods = options.progress.clone();
    let text = format!("instrumenting {}", args.inputs[0].display());
    progress.watch(text, move || methods.get());
    let done = instrument_app(&set, &options, WriteOptions { schemes }, || signer(args, &password))
        .map_err(|error| messages::failed(&error))?;
    let map = done.map.as_ref().map(PackedMap::as_bytes);
    let others = args.sign_also.chunks_exact(2);
    let others: Vec<Vec<u8>> = others
        .map(|pair| signed(pair, &signer(args, &password)?, WriteOptions { schemes }))
        .collect::<Result<_>>()?;
    let default_map = match (map_file, &done.map) {
        (None, Some(map)) if records => Some(map_beside(&output, map.build())),
        _ => None,
    };
    if let Some(path) = &default_map {
        files.writes_first("--map", path, Kind::Map);
        files.check()?;
    }
    let map_file = map_file.or(default_map.as_deref());
    let contents = done.files.iter().chain(&others).map(|f| &f[..]);
    let contents: Vec<&[u8]> = map.into_iter().chain(contents).collect();
    if let (Some(path), Some(map), false) = (map_file, &done.map, args.force) {
        let package = done.report.package.clone();
        replace::check("--map", path, &Subject::Map { build: map.build(), package })?;
    }
    files.write(&contents)?;
    if let Some(folder) = folder {
        folder.keep();
    }
    drop(progress);
    if args.json {
        out.json(&done.report)?;
    } else {
        let map = done
            .map
            .as_ref()
            .filter(|_| options.recording() == Recording::Edges)
            .map(PackedMap::unpack);
        let layout = map.map(|map| CellLayout::new(&map)).transpose()?;
        let recorded = match (layout, options.paths()) {
            (Some(layout), _) => Recorded::Counts(layout.most_bytes()),
            (None, Some(options)) => Recorded::Hits(options.paths.paths.len()),
            (None, None) => Recorded::Log,
        };
        print(&done.report, recorded, out)?;
        for pair in args.sign_also.chunks_exact(2) {
            show!(out, "signed with the same key: {}", pair[1].display())?;
        }
    }
    Ok(Built {
        build: done.map.as_ref().map(PackedMap::build),
        map: map_file.map(Path::to_owned),
        is_bundle: done.report.kind == Container::Bundle,
        warnings: done.report.code.warnings.iter().map(messages::warning).collect(),
        packages,
    })
}

/// The app's name with `-pathlight`; of several APKs a folder that is named after the first one.
fn default_output(inputs: &[PathBuf]) -> PathBuf {
    let first = inputs.first().map(PathBuf::as_path).unwrap_or(Path::new("app.apk"));
    let mut name = first.file_stem().unwrap_or(first.as_os_str()).to_owned();
    name.push("-pathlight");
    if let (1, Some(ending)) = (inputs.len(), first.extension()) {
        name.push(".");
        name.push(ending);
    }
    PathBuf::from(name)
}

/// The map's name beside an output. It holds the build, so that no build replaces the map of
/// another one.
fn map_beside(output: &Path, build: BuildId) -> PathBuf {
    let stem = if output.is_dir() { output.file_name() } else { output.file_stem() };
    let stem = stem.map_or_else(|| "app".into(), |stem| stem.to_string_lossy());
    output.with_file_name(format!("{stem}-{}.plmap", build.short()))
}

/// The packages to write.
fn outputs(args: &Args, folder: &Path) -> Result<Vec<PathBuf>> {
    if args.inputs.len() == 1 {
        return Ok(vec![folder.to_owned()]);
    }
    let is_package = |e: &std::ffi::OsStr| {
        ["apk", "apks", "xapk", "apkm", "zip"].iter().any(|of_file| e == *of_file)
    };
    if folder.is_file() || folder.extension().is_some_and(is_package) {
        return Err(Usage("-o names a file: several APKs go into a folder").into());
    }
    let mut outputs: Vec<PathBuf> = Vec::new();
    for input in &args.inputs {
        let name = input.file_name().ok_or_else(|| format!("{}: no file", input.display()))?;
        let output = folder.join(name);
        if outputs.contains(&output) {
            return Err(format!("{}: another APK has this name", input.display()).into());
        }
        outputs.push(output);
    }
    Ok(outputs)
}

/// The folder of several outputs; where it was made for nothing, it goes again.
fn folder_of_outputs(args: &Args, folder: &Path) -> Result<Option<NewFolder>> {
    if args.inputs.len() == 1 {
        return Ok(None);
    }
    Ok(Some(NewFolder::create(folder).at(folder)?))
}

fn codec(name: &str) -> std::result::Result<Recording, String> {
    name.parse().map_err(|e: UnknownRecording| e.to_string())
}

fn signer(args: &Args, password: &str) -> std::result::Result<Option<Signer>, SignError> {
    match &args.ks {
        _ if args.unsigned => Ok(None),
        Some(path) => Signer::from_pkcs12(path, password, args.ks_key_alias.as_deref()).map(Some),
        None => Signer::debug().map(Some),
    }
}

/// An APK with this signature in place of its own, and otherwise as it is. The second path is the
/// output.
fn signed(pair: &[PathBuf], signer: &Option<Signer>, options: WriteOptions) -> Result<Vec<u8>> {
    let apk = Apk::read(&pair[0])?;
    PackageKind::of(&apk).check_name(&pair[0], &pair[1])?;
    Ok(apk.write(&[], &[], &[], signer.as_ref(), options)?.bytes)
}

/// The mapping that an app bundle brings.
fn mapping_in(set: &AppSet) -> Result<Option<Mapping>> {
    let Some(text) = set.base().mapping()? else { return Ok(None) };
    let file = set.base().file();
    let mapping = Mapping::read(&text[..]).map_err(|e| format!("{file}: its proguard.map: {e}"))?;
    Ok(Some(mapping))
}
