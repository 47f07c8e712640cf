//! The options of a build.

use model::map::Codec;

#[cfg(doc)]
use crate::art::COMPILE_UNITS;

/// Where logs go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sink {
    /// Trace files in the app's cache folder.
    #[default]
    File,
    /// Lines in logcat.
    Logcat,
}

/// Whether methods that use arrays get no path register. ART 10's compiler for x86 aborts where an
/// array is null in a range whose handler reads a register that the range changes, and what keeps a
/// path in a register has such a handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum X86Safe {
    /// In apps whose native libraries are for x86 alone.
    #[default]
    Auto,
    /// In all.
    Always,
    /// In none.
    Never,
}

/// The user's choices.
#[derive(Debug, Clone)]
pub struct Options {
    /// How decisions become bits; [`Codec::None`] only takes apart and puts together.
    pub codec: Codec,
    /// Globs over dotted names (`com.example.*`); empty: everything.
    pub include: Vec<String>,
    /// Globs over dotted names.
    pub exclude: Vec<String>,
    /// Where logs go.
    pub sink: Sink,
    /// Whether trace files go to the app's folder on shared storage, or to its cache.
    pub external: bool,
    /// The folder that this is, made out of the package's name where there is a package.
    pub folder: Option<String>,
    /// Limit of a trace file in bytes.
    pub cap: u32,
    /// All trace files in the folder together have at most this many bytes: the oldest are deleted.
    pub keep: u32,
    /// At the limit: keep the newest (`true`) or stop.
    pub ring: bool,
    /// History.
    pub model: Option<model::profile::Profile>,
    /// What the build must hold.
    pub limits: Limits,
    /// Which calls are replaced by their callees' code.
    pub inline: Inline,
    /// Which methods get a clone that takes the thread's state as a parameter.
    pub clones: Clones,
    /// Which symbols are coded in line.
    pub steps: Steps,
    /// Whether it must run on emulators with x86 images of Android 10; `Auto` is decided where
    /// there is a package, and else means no.
    pub x86_safe: X86Safe,
    /// Whether methods without lines get their original addresses as lines, so that stack traces
    /// are what they were: where a method has no line, ART prints the address.
    pub address_lines: bool,
    /// Source names behind R8's renaming (`mapping.txt`); identities and reports use them.
    pub mapping: Option<model::mapping::Mapping>,
    /// Names out of the package's texts; found where there is a package.
    pub names: NamesInTexts,
    /// The paths that [`Codec::Paths`] counts; no other codec has any.
    pub paths: Option<model::paths_file::PathsFile>,
    /// How they are told apart.
    pub detect: Detect,
    /// Where a hit goes.
    pub hits: Hits,
    /// How long distributions that adapt keep what they have learnt.
    pub adapt: Adapt,
    /// What becomes of bytes that belong to no section of a DEX file.
    pub unmapped: Unmapped,
}

impl Options {
    /// Whether tables are kept for the next process: only files can name the one that it began with.
    pub fn keeps_tables(&self) -> bool {
        let adapts = model::adaptive::Rule::of(self.codec).is_some();
        adapts && self.adapt == Adapt::Keep && self.sink == Sink::File
    }

    /// Whether readers can begin inside callbacks: in a ring the begin of a thread that is one
    /// endless callback is lost. (What counts has no stream, and `pap` names frames backwards.)
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

/// What becomes of bytes that belong to no section of a DEX file. A file that is written anew has
/// no place for them, and packers keep an app's real code there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unmapped {
    /// The app is refused.
    #[default]
    Refuse,
    /// They are left out, with a warning.
    Drop,
}

/// How long distributions that adapt keep what they have learnt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Adapt {
    /// Each process begins with the map's.
    #[default]
    Process,
    /// Each process begins with what earlier ones have learnt, out of a file beside the logs.
    Keep,
}

/// How the device tells which selected path an activation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detect {
    /// By copies where these are small enough and add no loop with several entries (ART's compiler
    /// does less for those), else by numbers.
    #[default]
    Auto,
    /// By a number in a register.
    Flag,
    /// By copies of blocks where they are small enough and ART's verifier takes them, else by
    /// numbers.
    Copies,
}

/// Where a hit of a selected path goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hits {
    /// Into the mapped file: a kill loses none.
    #[default]
    Sure,
    /// Into memory, from which a thread writes to the file ten times a second: a kill loses those
    /// since then.
    Published,
}

/// Names out of a package's texts that may be of what libraries and the platform call by
/// reflection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamesInTexts {
    /// Of classes, `package.Class`: services, properties, configuration; views, fragments and
    /// behaviours of layouts.
    pub classes: Vec<String>,
    /// Of methods that layouts call (`android:onClick`).
    pub handlers: Vec<String>,
}

/// Whether the runtime gets a dex file of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuntimeHome {
    /// A new file (Android 5 and later load them all).
    OwnFile,
    /// The first file.
    FirstFile,
}

/// Treatment of a method that probes would make larger than ART compiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HugeMethods {
    /// It keeps its probes where the calls that it makes, announced one by one, would enlarge the
    /// log, unless the model predicts that interpreting it slows the app.
    #[default]
    ByCost,
    /// It is left without probes: ART compiles it as before.
    Leave,
    /// It keeps its probes, and ART interprets it.
    Keep,
}

/// Limits of a build.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Bytes of all dex files after, per byte before.
    pub size_growth: Option<f64>,
    /// Bits of log per 1,000 branches that the app executes, as predicted.
    pub log_rate: Option<f64>,
    /// Run time of the app's own code, per time without probes, compiled, as predicted by the
    /// model's counts: only [`Codec::Arith`] has prices.
    pub slowdown: Option<f64>,
    /// Methods that would pass [`COMPILE_UNITS`].
    pub huge: HugeMethods,
}

/// Which calls are replaced by their callees' code, of those that can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inline {
    /// Where the model shows that it matters.
    #[default]
    Hot,
    /// All.
    All,
    /// None.
    Never,
}

/// Which symbols are coded in line, of those that can be, instead of by a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Steps {
    /// Those that the model saw most often.
    #[default]
    Hot,
    /// All.
    All,
    /// None.
    Never,
}

/// Which methods get a clone that takes the thread's state as a parameter, of those that can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clones {
    /// Those that the model's calls name often.
    #[default]
    Hot,
    /// All that a call names.
    All,
    /// None.
    Never,
}
