//! The options of a build.

use model::adaptive::Rule;
use model::path_profiles::encodings::EncodingKind;
use model::recording::{Recording, TraceCodec};

#[cfg(doc)]
use crate::art::COMPILE_UNITS;
use crate::progress::BuildProgress;

/// Destination of logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sink {
    /// Trace files in the app's cache folder.
    #[default]
    File,
    /// Lines in logcat.
    Logcat,
}

/// Choice of apps whose methods with arrays get no path register. ART 10's compiler for x86 aborts
/// if an array is null in a try range whose handler reads a register that the range changes; a path
/// register is such a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum X86Safe {
    /// Apps whose native libraries are all for x86.
    #[default]
    Auto,
    /// All apps.
    Always,
    /// No apps.
    Never,
}

/// Options of a build.
#[derive(Debug, Clone)]
pub struct Options {
    /// The kind of data that the build records, and the choices of that kind.
    pub recording: RecordingOptions,
    /// Globs over dotted names (`com.example.*`); empty: everything.
    pub include: Vec<String>,
    /// Globs over dotted names of classes to leave unchanged.
    pub exclude: Vec<String>,
    /// True if log files go to the app's folder on shared storage, not to its cache.
    pub external: bool,
    /// The folder of log files in place of one that is made out of the package's name.
    pub folder: Option<String>,
    /// Limit of a log file in bytes.
    pub cap: u32,
    /// Limit of all log files in the folder in bytes: the oldest are deleted.
    pub keep: u32,
    /// The app notes beside its logs how its earlier processes ended (Android 11 and later).
    pub exit_reasons: bool,
    /// A trace records where callbacks came from.
    pub ids: bool,
    /// Ids of the package's resources; found where there is a package.
    pub resources: Vec<apk::ResourceIds>,
    /// History.
    pub model: Option<model::profile::Profile>,
    /// Limits of the build.
    pub limits: Limits,
    /// Calls to replace by their callees' code.
    pub inline: Inline,
    /// Methods that get a clone that takes the thread's state as a parameter.
    pub clones: Clones,
    /// Safety on emulators with x86 images of Android 10. Without a package, `Auto` means no.
    pub x86_safe: X86Safe,
    /// True if methods without lines get their original addresses as lines, so that stack traces
    /// stay as they were: where a method has no line, ART prints the address.
    pub address_lines: bool,
    /// Source names before R8's renaming (`mapping.txt`); identities and reports use them.
    pub mapping: Option<model::mapping::Mapping>,
    /// Names in the package's texts; found where there is a package.
    pub names: NamesInTexts,
    /// Treatment of bytes that belong to no section of a DEX file.
    pub unmapped: Unmapped,
    /// Counts the methods that are done.
    pub progress: BuildProgress,
    /// Treatment of the app's baseline profile.
    pub baseline: Baseline,
}

/// The kind of data that a build records, with the choices that this kind has.
#[derive(Debug, Clone)]
pub enum RecordingOptions {
    /// Nothing: the app is only taken apart and reassembled.
    Reassemble,
    /// A trace of all decisions.
    Trace(TraceOptions),
    /// Counts of edges.
    Edges,
    /// Counts of selected paths.
    Paths(PathOptions),
}

/// Choices of a trace.
#[derive(Debug, Clone, Copy)]
pub struct TraceOptions {
    /// The codec of decisions.
    pub codec: TraceCodec,
    /// The target of logs.
    pub sink: Sink,
    /// At the limit of a log file: keep the newest (`true`) or stop.
    pub ring: bool,
    /// Lifetime of adapted distributions.
    pub adaptation: Adaptation,
    /// Symbols to code inline.
    pub inline_coder: InlineCoder,
}

/// Choices of counts of selected paths.
#[derive(Debug, Clone)]
pub struct PathOptions {
    /// The paths.
    pub paths: model::paths_file::PathsFile,
    /// Recognition of the path that an activation takes.
    pub tracking: PathTracking,
    /// Storage of hits.
    pub storage: CountStorage,
}

impl TraceOptions {
    /// A trace under this codec; the other choices are the defaults.
    pub fn new(codec: TraceCodec) -> Self {
        TraceOptions {
            codec,
            sink: Sink::File,
            ring: false,
            adaptation: Adaptation::Process,
            inline_coder: InlineCoder::Hot,
        }
    }

    /// True if tables are kept for the next process: only files can name the table that they began
    /// with.
    fn keeps_tables(&self) -> bool {
        let adapts = Rule::of(self.codec.into()).is_some();
        adapts && self.adaptation == Adaptation::Persist && self.sink == Sink::File
    }

    /// True if readers can begin inside callbacks: in a ring the begin of a thread that is one
    /// endless callback is lost.
    fn has_restarts(&self) -> bool {
        self.ring && self.sink == Sink::File && self.codec.has_restarts()
    }
}

impl Default for TraceOptions {
    fn default() -> Self {
        TraceOptions::new(TraceCodec::Arith)
    }
}

impl RecordingOptions {
    /// The default choices of a recording; none for [`Recording::Paths`], which needs its paths.
    pub fn defaults_of(recording: Recording) -> Option<Self> {
        match recording {
            Recording::Reassemble => Some(RecordingOptions::Reassemble),
            Recording::Trace(codec) => Some(codec.into()),
            Recording::Edges => Some(RecordingOptions::Edges),
            Recording::Paths => None,
        }
    }
}

impl From<TraceCodec> for RecordingOptions {
    fn from(codec: TraceCodec) -> Self {
        RecordingOptions::Trace(TraceOptions::new(codec))
    }
}

impl Options {
    /// Default choices with this recording.
    pub fn new(recording: impl Into<RecordingOptions>) -> Self {
        Options { recording: recording.into(), ..Options::default() }
    }

    /// The kind of data that the build records.
    pub fn recording(&self) -> Recording {
        match &self.recording {
            RecordingOptions::Reassemble => Recording::Reassemble,
            RecordingOptions::Trace(trace) => Recording::Trace(trace.codec),
            RecordingOptions::Edges => Recording::Edges,
            RecordingOptions::Paths(_) => Recording::Paths,
        }
    }

    /// The choices of the trace; none if the build writes no trace.
    pub fn trace(&self) -> Option<&TraceOptions> {
        match &self.recording {
            RecordingOptions::Trace(trace) => Some(trace),
            _ => None,
        }
    }

    /// The choices of selected paths; none if the build counts none.
    pub fn paths(&self) -> Option<&PathOptions> {
        match &self.recording {
            RecordingOptions::Paths(paths) => Some(paths),
            _ => None,
        }
    }

    /// The target of logs: counts always go to files.
    pub fn sink(&self) -> Sink {
        self.trace().map_or(Sink::File, |trace| trace.sink)
    }

    /// True if a log file is a ring.
    pub fn ring(&self) -> bool {
        self.trace().is_some_and(|trace| trace.ring)
    }

    /// Symbols to code inline.
    pub fn inline_coder(&self) -> InlineCoder {
        self.trace().map_or(InlineCoder::default(), |trace| trace.inline_coder)
    }

    /// Storage of hits of selected paths.
    pub fn count_storage(&self) -> CountStorage {
        self.paths().map_or(CountStorage::default(), |paths| paths.storage)
    }

    /// True if adapted tables are kept for the next process.
    pub fn keeps_tables(&self) -> bool {
        self.trace().is_some_and(TraceOptions::keeps_tables)
    }

    /// True if readers can begin inside callbacks.
    pub fn has_restarts(&self) -> bool {
        self.trace().is_some_and(TraceOptions::has_restarts)
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            recording: RecordingOptions::Trace(TraceOptions::default()),
            include: Vec::new(),
            exclude: Vec::new(),
            external: false,
            folder: None,
            cap: 32 << 20,
            keep: 64 << 20,
            exit_reasons: true,
            ids: true,
            resources: Vec::new(),
            model: None,
            limits: Limits::default(),
            inline: Inline::Hot,
            clones: Clones::Hot,
            x86_safe: X86Safe::Auto,
            address_lines: true,
            mapping: None,
            names: NamesInTexts::default(),
            unmapped: Unmapped::Refuse,
            progress: BuildProgress::default(),
            baseline: Baseline::Extend,
        }
    }
}

/// Treatment of bytes that belong to no section of a DEX file. A rewritten file has no place for
/// them, and packers keep an app's real code in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unmapped {
    /// The app is refused.
    #[default]
    Refuse,
    /// They are left out, with a warning.
    Drop,
}

/// Treatment of an app's baseline profile, which names methods by indices of the old DEX files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Baseline {
    /// It is rewritten for the new DEX files, and has also what ran in the model's sessions.
    #[default]
    Extend,
    /// It is rewritten for the new DEX files.
    Keep,
    /// It is left out.
    Drop,
}

/// Lifetime of distributions that adapt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Adaptation {
    /// Each process begins with the map's distributions.
    #[default]
    Process,
    /// Each process begins with those of earlier processes, from a file beside the logs.
    Persist,
}

/// Recognition of the selected path that an activation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PathTracking {
    /// By copies of blocks if they are small enough and add no loop with several entries (ART's
    /// compiler optimizes less there), else by a register.
    #[default]
    Auto,
    /// By a number in a register.
    Register,
    /// By copies of blocks if they are small enough and ART's verifier accepts them, else by a
    /// register.
    DuplicateBlocks,
    /// By a published encoding in a register pair, for comparison: whole paths without exceptions.
    Encoding(EncodingKind),
}

/// Storage of the hits of a selected path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CountStorage {
    /// The mapped file: a kill loses no hit.
    #[default]
    Durable,
    /// Memory, which a thread writes to the file ten times a second: a kill loses the hits since
    /// then.
    Periodic,
}

/// Names in a package's texts that may name classes and methods which libraries and the platform
/// call by reflection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamesInTexts {
    /// Class names, `package.Class`: services, properties, configuration; views, fragments and
    /// behaviours of layouts.
    pub classes: Vec<String>,
    /// Names of methods that layouts call (`android:onClick`).
    pub handlers: Vec<String>,
}

/// Location of the runtime's classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuntimeHome {
    /// A new dex file (Android 5 and later load all of them).
    OwnFile,
    /// The first dex file.
    FirstFile,
}

/// Treatment of methods that probes would make larger than ART compiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HugeMethods {
    /// A method keeps its probes if announcing each of its calls would enlarge the log, unless the
    /// model predicts that interpreting the method slows the app.
    #[default]
    ByCost,
    /// A method is left without probes: ART compiles it as before.
    Leave,
    /// A method keeps its probes, and ART interprets it.
    Keep,
}

/// Limits of a build.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Size limit of all dex files, per byte of the original dex files.
    pub size_growth: Option<f64>,
    /// Limit of the log rate in bits per 1,000 branches that the app executes, as predicted.
    pub log_rate: Option<f64>,
    /// Run time of the app's own code, per time without probes, compiled, as predicted by the
    /// model's counts: only [`TraceCodec::Arith`] has prices.
    pub slowdown: Option<f64>,
    /// Treatment of methods that would pass [`COMPILE_UNITS`].
    pub huge: HugeMethods,
}

/// Choice among the calls that can be replaced by their callees' code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inline {
    /// Calls that the model counts often enough.
    #[default]
    Hot,
    /// All calls.
    All,
    /// No calls.
    Never,
}

/// Symbols to code inline in place of a call, of those that can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InlineCoder {
    /// The symbols that the model saw most often.
    #[default]
    Hot,
    /// All symbols.
    All,
    /// No symbols.
    Never,
}

/// Choice among the methods that can have a clone with the thread's state as a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clones {
    /// Methods that the model's calls name often.
    #[default]
    Hot,
    /// All methods that a call names.
    All,
    /// No methods.
    Never,
}
