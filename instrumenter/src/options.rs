//! The options of a build.

use model::map::Codec;

#[cfg(doc)]
use crate::art::COMPILE_UNITS;

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
    /// Recording of decisions; [`Codec::None`] only disassembles and reassembles.
    pub codec: Codec,
    /// Globs over dotted names (`com.example.*`) of classes to instrument; empty: all.
    pub include: Vec<String>,
    /// Globs over dotted names of classes to leave unchanged.
    pub exclude: Vec<String>,
    /// Destination of logs.
    pub sink: Sink,
    /// True if trace files go to the app's folder on shared storage instead of its cache folder.
    pub external: bool,
    /// Folder on shared storage, derived from the package name; `None` without a package.
    pub folder: Option<String>,
    /// Size limit of a trace file in bytes.
    pub cap: u32,
    /// Size limit of all trace files in the folder together, in bytes; the oldest are deleted.
    pub keep: u32,
    /// At the limit, keep the newest records (`true`) or stop recording (`false`).
    pub ring: bool,
    /// Trained model of earlier runs.
    pub model: Option<model::profile::Profile>,
    /// Limits that the build must hold.
    pub limits: Limits,
    /// Calls to replace by their callees' code.
    pub inline: Inline,
    /// Methods to clone with the thread's state as a parameter.
    pub clones: Clones,
    /// Symbols to code inline.
    pub steps: Steps,
    /// Support for emulators with x86 images of Android 10; without a package, `Auto` is `Never`.
    pub x86_safe: X86Safe,
    /// True if methods without lines get their original addresses as lines. ART prints addresses
    /// for such methods, so stack traces stay the same.
    pub address_lines: bool,
    /// Source names before R8's renaming (`mapping.txt`); identities and reports use them.
    pub mapping: Option<model::mapping::Mapping>,
    /// Names from the package's texts; empty without a package.
    pub names: NamesInTexts,
    /// Paths that [`Codec::Paths`] counts; other codecs ignore them.
    pub paths: Option<model::paths_file::PathsFile>,
    /// Tracking of the path that an activation takes.
    pub detect: Detect,
    /// Storage of hit counts.
    pub hits: Hits,
    /// Lifetime of adapted distributions.
    pub adapt: Adapt,
    /// Treatment of bytes that belong to no section of a DEX file.
    pub unmapped: Unmapped,
}

impl Options {
    /// Returns true if adapted distributions are kept for the next process. Only trace files can
    /// name the state that a process began with.
    pub fn keeps_tables(&self) -> bool {
        let adapts = model::adaptive::Rule::of(self.codec).is_some();
        adapts && self.adapt == Adapt::Keep && self.sink == Sink::File
    }

    /// Returns true if readers can begin inside callbacks: in a ring, the begin of a thread that is
    /// one endless callback is overwritten. (Counts have no stream, and `pap` names frames
    /// backwards.)
    pub fn has_restarts(&self) -> bool {
        let streams = !matches!(
            self.codec,
            Codec::None | Codec::Pap | Codec::Counts | Codec::Paths | Codec::Blocks
        );
        self.ring && self.sink == Sink::File && streams
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            codec: Codec::Arith,
            include: Vec::new(),
            exclude: Vec::new(),
            sink: Sink::File,
            external: false,
            folder: None,
            cap: 32 << 20,
            keep: 64 << 20,
            ring: false,
            model: None,
            limits: Limits::default(),
            inline: Inline::Hot,
            clones: Clones::Hot,
            steps: Steps::Hot,
            x86_safe: X86Safe::Auto,
            address_lines: true,
            mapping: None,
            names: NamesInTexts::default(),
            paths: None,
            detect: Detect::Auto,
            hits: Hits::Sure,
            adapt: Adapt::Process,
            unmapped: Unmapped::Refuse,
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

/// Lifetime of adapted distributions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Adapt {
    /// Each process begins with the map's distributions.
    #[default]
    Process,
    /// Each process begins with the distributions of earlier processes, read from a file beside the
    /// logs.
    Keep,
}

/// Tracking of the selected path that an activation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detect {
    /// Copies of blocks if these are small enough and add no loop with several entries (ART's
    /// compiler optimises such loops less), else a path register.
    #[default]
    Auto,
    /// A number in a path register.
    Flag,
    /// Copies of blocks if these are small enough and ART's verifier accepts them, else a path
    /// register.
    Copies,
}

/// Storage of the hit counts of selected paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hits {
    /// In the mapped file: a kill loses no hit.
    #[default]
    Sure,
    /// In memory; a thread writes them to the file ten times a second: a kill loses the hits since
    /// the last write.
    Published,
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
    /// Limit of the run time of the app's own compiled code, per time without probes, as the
    /// model's counts predict it; only [`Codec::Arith`] has prices.
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

/// Choice among the symbols that can be coded inline instead of by a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Steps {
    /// The most frequent symbols of the model.
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
