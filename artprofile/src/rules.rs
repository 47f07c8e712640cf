//! The model of a profile.

use std::collections::{BTreeMap, BTreeSet};

use bitflags::bitflags;

use crate::version::ProfileVersion;

bitflags! {
    /// Times at which a method matters (`ProfileCompilationInfo::MethodHotness`).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct MethodFlags: u16 {
        /// Runs often: to compile.
        const HOT = 1;
        /// Runs while the app starts.
        const STARTUP = 2;
        /// Runs after the start.
        const POST_STARTUP = 4;
    }
}

/// A profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtProfile {
    /// Version of the format.
    pub version: ProfileVersion,
    /// Rules of each DEX file, in file order.
    pub dex_files: Vec<DexRules>,
    /// Descriptors of classes that a DEX file of version `015` names without a type id: type index
    /// `type_ids + n` means descriptor `n`.
    pub extra_descriptors: Vec<String>,
    /// Number of inline caches that reading left out. They name positions in the code of the
    /// profiled build; `write` writes none.
    pub inline_caches: usize,
}

/// Rules of one DEX file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DexRules {
    /// Name of the DEX file, such as `classes2.dex` or `base.apk!classes2.dex`.
    pub key: String,
    /// CRC-32 of the DEX file in its zip.
    pub checksum: u32,
    /// Number of type ids of the DEX file; 0 in versions before `015`.
    pub type_ids: u32,
    /// Number of method ids of the DEX file; 0 in versions before `009`.
    pub method_ids: u32,
    /// Flags by method index.
    pub methods: BTreeMap<u16, MethodFlags>,
    /// Classes by type index; in version `001` by the position of their definition.
    pub classes: BTreeSet<u16>,
}

impl DexRules {
    /// Returns the number of rules: one a method, one a class.
    pub fn len(&self) -> usize {
        self.methods.len() + self.classes.len()
    }

    /// Returns true if there is no rule.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl ArtProfile {
    /// Returns the number of rules of all DEX files.
    pub fn rules(&self) -> usize {
        self.dex_files.iter().map(DexRules::len).sum()
    }
}
