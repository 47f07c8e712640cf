//! Values of options of `instrument`, with the names that some of them had before.

use apk::SchemeSet;
use clap::ValueEnum;
use instrumenter::{
    Adaptation, Baseline, Clones, CountStorage, HugeMethods, Inline, InlineCoder, PathTracking,
    Sink, X86Safe,
};
use model::path_profiles::encodings::EncodingKind;

/// The kind of recording.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// Every path, in a log
    Trace,
    /// Counts of each edge, in a count file (.plc) that does not grow with time
    Edges,
    /// Counts of selected paths, in a hit file (.plh)
    Paths,
}

/// The method by which a build with `--profile paths` tracks the path of an activation.
#[derive(Clone, Copy, ValueEnum)]
pub enum PathTrackingChoice {
    /// Duplicate blocks, except where that would give a loop several entries
    Auto,
    /// Number the path in a register
    #[value(alias = "flag")]
    Register,
    /// Duplicate blocks, where ART accepts them and the method grows at most fourfold
    #[value(alias = "copies")]
    DuplicateBlocks,
    /// For comparison: numbers of all paths between loops (Ball and Larus)
    Epp,
    /// For comparison: numbers that other paths may share; no loops
    Spp,
    /// For comparison: small numbers that other paths may share; no loops
    Prepp,
    /// For comparison: exact SPP; no loops
    Espp,
    /// For comparison: numbers that grow with the path
    Pap,
    /// For comparison: PAP, and EPP in regions without loops
    Hybrid,
    /// For comparison: PAP with a test after each decision
    Psp0,
    /// For comparison: PAP and ESPP with a test after each region
    Psp1,
    /// For comparison: PAP on the edges of interest alone
    Psp2,
    /// For comparison: PSP1 on the edges of interest alone
    Psp3,
}

impl From<PathTrackingChoice> for PathTracking {
    fn from(choice: PathTrackingChoice) -> PathTracking {
        match choice {
            PathTrackingChoice::Auto => PathTracking::Auto,
            PathTrackingChoice::Register => PathTracking::Register,
            PathTrackingChoice::DuplicateBlocks => PathTracking::DuplicateBlocks,
            PathTrackingChoice::Epp => PathTracking::Encoding(EncodingKind::Epp),
            PathTrackingChoice::Spp => PathTracking::Encoding(EncodingKind::Spp),
            PathTrackingChoice::Prepp => PathTracking::Encoding(EncodingKind::Prepp),
            PathTrackingChoice::Espp => PathTracking::Encoding(EncodingKind::Espp),
            PathTrackingChoice::Pap => PathTracking::Encoding(EncodingKind::Pap),
            PathTrackingChoice::Hybrid => PathTracking::Encoding(EncodingKind::Hybrid),
            PathTrackingChoice::Psp0 => PathTracking::Encoding(EncodingKind::Psp0),
            PathTrackingChoice::Psp1 => PathTracking::Encoding(EncodingKind::Psp1),
            PathTrackingChoice::Psp2 => PathTracking::Encoding(EncodingKind::Psp2),
            PathTrackingChoice::Psp3 => PathTracking::Encoding(EncodingKind::Psp3),
        }
    }
}

/// The storage of counts in a build with `--profile paths`.
#[derive(Clone, Copy, ValueEnum)]
pub enum CountStorageChoice {
    /// In the mapped file: no count is lost when the process is killed
    #[value(alias = "sure")]
    Durable,
    /// In memory, written to the file ten times a second: faster, but a kill loses the last counts
    #[value(alias = "published")]
    Periodic,
}

impl From<CountStorageChoice> for CountStorage {
    fn from(choice: CountStorageChoice) -> CountStorage {
        match choice {
            CountStorageChoice::Durable => CountStorage::Durable,
            CountStorageChoice::Periodic => CountStorage::Periodic,
        }
    }
}

/// The destination of logs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SinkChoice {
    /// Trace files
    File,
    /// Android's log
    Logcat,
}

impl From<SinkChoice> for Sink {
    fn from(choice: SinkChoice) -> Sink {
        match choice {
            SinkChoice::File => Sink::File,
            SinkChoice::Logcat => Sink::Logcat,
        }
    }
}

/// Folder of trace files on the device.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFolder {
    /// The app's cache folder
    Cache,
    /// Android/data/PACKAGE/files on shared storage
    External,
}

/// The lifetime of adaptive distributions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AdaptChoice {
    /// Each process starts anew
    Process,
    /// A process starts with what earlier ones learnt
    #[value(alias = "keep")]
    Persist,
}

impl From<AdaptChoice> for Adaptation {
    fn from(choice: AdaptChoice) -> Adaptation {
        match choice {
            AdaptChoice::Process => Adaptation::Process,
            AdaptChoice::Persist => Adaptation::Persist,
        }
    }
}

/// Methods that grow beyond what ART compiles.
#[derive(Clone, Copy, ValueEnum)]
pub enum HugeMethodChoice {
    /// Keep the probes of methods that call the app's own code often
    ByCost,
    /// Leave them without probes
    Leave,
    /// Keep their probes
    Keep,
}

impl From<HugeMethodChoice> for HugeMethods {
    fn from(choice: HugeMethodChoice) -> HugeMethods {
        match choice {
            HugeMethodChoice::ByCost => HugeMethods::ByCost,
            HugeMethodChoice::Leave => HugeMethods::Leave,
            HugeMethodChoice::Keep => HugeMethods::Keep,
        }
    }
}

/// Code that an optimization applies to.
#[derive(Clone, Copy, ValueEnum)]
pub enum Extent {
    /// Code that ran often in the model
    Hot,
    /// All code
    All,
    /// No code
    Never,
}

impl From<Extent> for Inline {
    fn from(choice: Extent) -> Inline {
        match choice {
            Extent::Hot => Inline::Hot,
            Extent::All => Inline::All,
            Extent::Never => Inline::Never,
        }
    }
}

impl From<Extent> for Clones {
    fn from(choice: Extent) -> Clones {
        match choice {
            Extent::Hot => Clones::Hot,
            Extent::All => Clones::All,
            Extent::Never => Clones::Never,
        }
    }
}

impl From<Extent> for InlineCoder {
    fn from(choice: Extent) -> InlineCoder {
        match choice {
            Extent::Hot => InlineCoder::Hot,
            Extent::All => InlineCoder::All,
            Extent::Never => InlineCoder::Never,
        }
    }
}

/// The apps in which methods that use arrays get no path register.
#[derive(Clone, Copy, ValueEnum)]
pub enum X86SafeChoice {
    /// In apps whose native libraries are all for x86
    Auto,
    /// In every app
    Always,
    /// In no app
    Never,
}

impl From<X86SafeChoice> for X86Safe {
    fn from(choice: X86SafeChoice) -> X86Safe {
        match choice {
            X86SafeChoice::Auto => X86Safe::Auto,
            X86SafeChoice::Always => X86Safe::Always,
            X86SafeChoice::Never => X86Safe::Never,
        }
    }
}

/// The treatment of the baseline profile.
#[derive(Clone, Copy, ValueEnum)]
pub enum BaselineChoice {
    /// Rewrite it; with --model, add what ran in the model's sessions
    Extend,
    /// Rewrite it
    Keep,
    /// Leave it out
    Drop,
}

impl From<BaselineChoice> for Baseline {
    fn from(choice: BaselineChoice) -> Baseline {
        match choice {
            BaselineChoice::Extend => Baseline::Extend,
            BaselineChoice::Keep => Baseline::Keep,
            BaselineChoice::Drop => Baseline::Drop,
        }
    }
}

/// A scheme of APK signatures.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scheme {
    /// JAR signatures, for Android 6 and earlier
    V1,
    /// Signatures of whole files, since Android 7
    V2,
    /// Signatures with key rotation, since Android 9
    V3,
}

/// Returns the schemes to sign with; `None` if the minSdk is to decide.
pub fn schemes(chosen: &[Scheme]) -> Option<SchemeSet> {
    let has = |scheme| chosen.contains(&scheme);
    let set = SchemeSet { v1: has(Scheme::V1), v2: has(Scheme::V2), v3: has(Scheme::V3) };
    (!chosen.is_empty()).then_some(set)
}
