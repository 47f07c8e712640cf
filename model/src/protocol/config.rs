//! Constants that the instrumenter writes into the runtime's configuration class.

/// A static field of the runtime's class `Config`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConfigKey {
    /// Build id, 32 hexadecimal digits.
    BuildId,
    /// Width of method and handler ids in bits, 1 to 32.
    IdBits,
    /// 1 if symbols are code words.
    Packed,
    /// Slot tables.
    Slots,
    /// Method id to next-callback distribution.
    NextCallbacks,
    /// Symbols of path numbers, two units each.
    Paths,
    /// Destination of the log, a [`SinkNumber`].
    Sink,
    /// The folder of the log files; empty: that of temporary files.
    Folder,
    /// Largest trace file in bytes.
    CapBytes,
    /// All trace files in the folder together, in bytes.
    KeepBytes,
    /// 1 if a full file reuses its oldest slabs.
    Ring,
    /// Slab size in bytes, 128 to 65,536.
    Slab,
    /// Adaptive codecs: the cells as they begin.
    Cells,
    /// Adaptive codecs: pages that the cells fill.
    Pages,
    /// Adaptive codecs, published rule: what the edge taken gains.
    Inc,
    /// Adaptive codecs, published rule: where its siblings stop losing.
    Floor,
    /// Adaptive codecs, shift rule: the shift.
    Shift,
    /// Adaptive codecs: whether the next process begins with what one has learnt.
    KeepTables,
    /// There: cells where branches with more than two alternatives begin.
    Wide,
    /// Codec `pap`: path numbers instead of symbols.
    Pap,
    /// Codec `counts`: pages of cells, and where those of each slot begin.
    Counts,
    /// Codec `paths`: how many paths are counted; 0 for other codecs.
    Selected,
    /// Codec `paths`: whether a thread publishes the counts.
    Published,
    /// Origins of callbacks: kind, first value, count and first id of each range.
    Origins,
    /// Actions of intents among them, a line each.
    Actions,
    /// Classes of views that are not asked for their id, a line each.
    Unasked,
}

/// Type of a configuration field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfigType {
    /// `java.lang.String`.
    String,
    /// `int`.
    Int,
    /// `boolean`.
    Boolean,
}

impl ConfigType {
    /// Its type descriptor.
    pub const fn descriptor(self) -> &'static str {
        match self {
            ConfigType::String => "Ljava/lang/String;",
            ConfigType::Int => "I",
            ConfigType::Boolean => "Z",
        }
    }
}

impl ConfigKey {
    /// All of them.
    pub const ALL: [ConfigKey; 26] = [
        ConfigKey::BuildId,
        ConfigKey::IdBits,
        ConfigKey::Packed,
        ConfigKey::Slots,
        ConfigKey::NextCallbacks,
        ConfigKey::Paths,
        ConfigKey::Sink,
        ConfigKey::Folder,
        ConfigKey::CapBytes,
        ConfigKey::KeepBytes,
        ConfigKey::Ring,
        ConfigKey::Slab,
        ConfigKey::Cells,
        ConfigKey::Pages,
        ConfigKey::Inc,
        ConfigKey::Floor,
        ConfigKey::Shift,
        ConfigKey::KeepTables,
        ConfigKey::Wide,
        ConfigKey::Pap,
        ConfigKey::Counts,
        ConfigKey::Selected,
        ConfigKey::Published,
        ConfigKey::Origins,
        ConfigKey::Actions,
        ConfigKey::Unasked,
    ];

    /// Name of the field.
    pub const fn field(self) -> &'static str {
        self.parts().0
    }

    /// Type of the field.
    pub const fn ty(self) -> ConfigType {
        self.parts().1
    }

    const fn parts(self) -> (&'static str, ConfigType) {
        use ConfigType::{Boolean, Int, String};
        match self {
            ConfigKey::BuildId => ("BUILD_ID", String),
            ConfigKey::IdBits => ("ID_BITS", Int),
            ConfigKey::Packed => ("PACKED", Boolean),
            ConfigKey::Slots => ("SLOTS", String),
            ConfigKey::NextCallbacks => ("NEXT_CALLBACKS", String),
            ConfigKey::Paths => ("PATHS", String),
            ConfigKey::Sink => ("SINK", Int),
            ConfigKey::Folder => ("FOLDER", String),
            ConfigKey::CapBytes => ("CAP_BYTES", Int),
            ConfigKey::KeepBytes => ("KEEP_BYTES", Int),
            ConfigKey::Ring => ("RING", Boolean),
            ConfigKey::Slab => ("SLAB", Int),
            ConfigKey::Cells => ("CELLS", String),
            ConfigKey::Pages => ("PAGES", Int),
            ConfigKey::Inc => ("INC", Int),
            ConfigKey::Floor => ("FLOOR", Int),
            ConfigKey::Shift => ("SHIFT", Int),
            ConfigKey::KeepTables => ("KEEP_TABLES", Boolean),
            ConfigKey::Wide => ("WIDE", String),
            ConfigKey::Pap => ("PAP", Boolean),
            ConfigKey::Counts => ("COUNTS", String),
            ConfigKey::Selected => ("SELECTED", Int),
            ConfigKey::Published => ("PUBLISHED", Boolean),
            ConfigKey::Origins => ("ORIGINS", String),
            ConfigKey::Actions => ("ACTIONS", String),
            ConfigKey::Unasked => ("UNASKED", String),
        }
    }
}

/// Destination of the log, as [`ConfigKey::Sink`] has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SinkNumber {
    /// A trace file.
    File,
    /// Logcat.
    Logcat,
    /// Nowhere: only benchmarks of the runtime use it.
    Nowhere,
}

impl SinkNumber {
    /// The number.
    pub const fn number(self) -> i32 {
        self as i32
    }
}
