//! Limits of ART's compilers, as its sources state them (Android 10): what probes must not push a
//! method over, or what is given up when they do.

/// The most code units of a method that ART inlines (`CompilerOptions::kDefaultInlineMaxCodeUnits`,
/// `HInliner`).
pub const INLINE_UNITS: u32 = 32;
/// The most code units of a method that ART compiles, ahead of time or just in time
/// (`kDefaultHugeMethodThreshold`, `HGraphBuilder::SkipCompilation`).
pub const COMPILE_UNITS: u32 = 10_000;
/// The same for a method without any branch (`kDefaultLargeMethodThreshold`); one that only probes
/// make larger gets a branch.
pub const BRANCHLESS_UNITS: u32 = 600;
/// From so many registers on ART inlines no method that may call another, and so no probe
/// (`kMaximumNumberOfCumulatedDexRegisters`).
pub const CROWDED: u16 = 32;
/// Instructions of its own that ART has in a method before it inlines no more
/// (`kMaximumNumberOfTotalInstructions`, less some).
pub const FULL: usize = 960;
