//! Size limits of ART's compilers (Android 10). Probes must not push a method over them, or the
//! build accounts for the effect.

/// Largest method, in code units, that ART inlines (`CompilerOptions::kDefaultInlineMaxCodeUnits`,
/// `HInliner`).
pub const INLINE_UNITS: u32 = 32;
/// Largest method, in code units, that ART compiles, ahead of time or just in time
/// (`kDefaultHugeMethodThreshold`, `HGraphBuilder::SkipCompilation`).
pub const COMPILE_UNITS: u32 = 10_000;
/// Largest method without any branch, in code units, that ART compiles
/// (`kDefaultLargeMethodThreshold`). A method that exceeds it only by its probes gets a branch.
pub const BRANCHLESS_UNITS: u32 = 600;
/// Number of registers from which ART inlines no method that may call another, and so no probe
/// (`kMaximumNumberOfCumulatedDexRegisters`).
pub const CROWDED: u16 = 32;
/// Number of own instructions in a method from which ART inlines no further calls into it
/// (`kMaximumNumberOfTotalInstructions`, with a margin).
pub const FULL: usize = 960;
