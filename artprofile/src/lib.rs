//! Profiles of the Android Runtime (ART): the methods and classes of an app that a device compiles
//! ahead of time.
//!
//! An app carries a *baseline profile*, `baseline.prof`, and its metadata, `baseline.profm`. On the
//! device the library androidx.profileinstaller writes both in the version that the device's ART
//! reads. [`ArtProfile`] reads and writes every version, [`Metadata`] the metadata.
//!
//! A profile names each DEX file by a key and a checksum, and its methods and types by their
//! indices in that DEX file. This crate knows no DEX files.
//!
//! Sources: `libprofile/profile/profile_compilation_info.cc` of ART 11 (version `010`) and ART 14
//! (`015`), and the transcoder of androidx.profileinstaller 1.3 (`ProfileTranscoder`), which has
//! the earlier versions and the metadata.
//!
//! Modules: `rules` (the model), `file` (whole files, and the choice of a form by the version),
//! `version` (version numbers), `interleaved` (`001` to `010`), `sections` (`015`), `regions`
//! (lists and bitmaps that versions share), `metadata`, `cursor` and `compressed` (bytes), `error`.

mod compressed;
mod cursor;
mod error;
mod file;
mod interleaved;
mod metadata;
mod regions;
mod rules;
mod sections;
mod version;

pub use error::{ProfileError, ProfileFault, Region, UnwritableProfile};
pub use metadata::{DexMetadata, Metadata, MetadataVersion};
pub use rules::{ArtProfile, DexRules, MethodFlags};
pub use version::ProfileVersion;
