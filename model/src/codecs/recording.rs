//! The kind of data that a build records, and the codec of its trace.
//!
//! A *symbol* is an alternative of a distribution (branch, slot, next-callback distribution). The
//! codec turns the symbols of a distribution into the constants that probes carry, and fixes the
//! [`Wire`]. All codecs share the rest: when a symbol is due, escapes, records (see
//! `docs/PROTOCOL.md`).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::coding::code;
use crate::coding::huffman;
use crate::coding::table;
use crate::formats::map::BlockId;

/// The encoding of symbols as bytes (`docs/PROTOCOL.md` §8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// The range coder: a symbol is a slice of 65,536 ([`crate::coder`]).
    Range,
    /// Bits: a symbol is a code word ([`crate::packed`]).
    Packed,
}

/// The most blocks a method can have under [`TraceCodec::Blocks`]: a block's number has 16 bits.
pub const MAX_BLOCKS: usize = 1 << 16;

/// The kind of data that a build records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u32", try_from = "u32")]
pub enum Recording {
    /// Nothing: the app was only taken apart and reassembled.
    Reassemble,
    /// A trace of all decisions.
    Trace(TraceCodec),
    /// Counts of edges, in cells ([`crate::cells`]).
    Edges,
    /// Counts of selected paths ([`crate::path_profiles::selected`]).
    Paths,
}

/// The codec of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceCodec {
    /// Static arithmetic coding.
    Arith,
    /// Arithmetic coding under tables that adapt by the published rule.
    ArithAdaptive,
    /// Arithmetic coding under tables that adapt by shifts.
    ArithAdaptiveShift,
    /// Prefix codes from the model.
    Huffman,
    /// Numbers of alternatives, uncoded.
    BallLarus,
    /// Every block's number, uncoded.
    Blocks,
    /// Path numbers per activation, decoded backwards.
    Pap,
}

/// Properties of one codec.
#[derive(Debug, Clone, Copy)]
struct CodecTraits {
    /// Number in a map file. It never changes: maps of earlier versions hold it.
    number: u32,
    /// Name on the command line.
    name: &'static str,
    constants: Constants,
    restarts: bool,
    clones: bool,
    inlines: bool,
    fuses_regions: bool,
}

/// The kind of constants that the probes of an edge carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Constants {
    /// Slices of the range wire.
    Slices,
    /// Prefix codes.
    PrefixCodes,
    /// Numbers of alternatives, of equal length.
    Alternatives,
    /// Numbers of the blocks that edges lead to.
    Blocks,
    /// Path arithmetic; slots have slices.
    PathNumbers,
}

/// A codec whose streams can be entered anywhere and whose methods can be rearranged.
const OPEN: CodecTraits = CodecTraits {
    number: 0,
    name: "",
    constants: Constants::Slices,
    restarts: true,
    clones: true,
    inlines: true,
    fuses_regions: false,
};
/// A codec that keeps each method as it is.
const RIGID: CodecTraits = CodecTraits { restarts: false, clones: false, inlines: false, ..OPEN };

impl TraceCodec {
    /// All codecs.
    pub fn all() -> impl Iterator<Item = TraceCodec> + Clone {
        use TraceCodec::{
            Arith, ArithAdaptive, ArithAdaptiveShift, BallLarus, Blocks, Huffman, Pap,
        };
        [Arith, ArithAdaptive, ArithAdaptiveShift, Huffman, BallLarus, Blocks, Pap].into_iter()
    }

    const fn traits(self) -> CodecTraits {
        use Constants::{Alternatives, Blocks, PathNumbers, PrefixCodes};
        let (number, name, other) = match self {
            Self::Arith => (1, "arith", CodecTraits { fuses_regions: true, ..OPEN }),
            Self::ArithAdaptive => (5, "arith-adaptive", OPEN),
            Self::ArithAdaptiveShift => (6, "arith-adaptive-shift", OPEN),
            Self::Huffman => {
                let other = CodecTraits { constants: PrefixCodes, fuses_regions: true, ..OPEN };
                (2, "huffman", other)
            }
            Self::BallLarus => {
                let other = CodecTraits { constants: Alternatives, fuses_regions: true, ..OPEN };
                (3, "ball-larus", CodecTraits { inlines: false, ..other })
            }
            Self::Blocks => (4, "blocks", CodecTraits { constants: Blocks, ..RIGID }),
            Self::Pap => (7, "pap", CodecTraits { constants: PathNumbers, ..RIGID }),
        };
        CodecTraits { number, name, ..other }
    }

    /// The wire of its symbols.
    pub const fn wire(self) -> Wire {
        match self.traits().constants {
            Constants::Slices | Constants::PathNumbers => Wire::Range,
            Constants::PrefixCodes | Constants::Alternatives | Constants::Blocks => Wire::Packed,
        }
    }

    /// True if its streams have restart points, at which a reader can begin inside a callback.
    /// `Pap` names frames backwards; the uncoded numbers of `Blocks` have none.
    pub const fn has_restarts(self) -> bool {
        self.traits().restarts
    }

    /// True if methods can get clones that take the thread's state as a parameter.
    pub const fn has_clones(self) -> bool {
        self.traits().clones
    }

    /// True if calls can be replaced by their callees' code. `BallLarus` and `Pap` number the paths
    /// of one procedure: with a callee in it there are more, and each takes more bits than both
    /// had. `Blocks` serves to compare with a published log, which has one body a method.
    pub const fn inlines(self) -> bool {
        self.traits().inlines
    }
}

/// No recording has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no codec is called {name:?}; there are {}",
    Recording::named().map(Recording::name).collect::<Vec<_>>().join(", ")
)]
pub struct UnknownRecording {
    /// The name that was given.
    pub name: String,
}

/// No recording has this number in a map file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("codec {0} is not known to this version")]
pub struct UnknownRecordingNumber(pub u32);

impl Recording {
    /// The default: a trace under static arithmetic coding.
    pub const ARITH: Recording = Recording::Trace(TraceCodec::Arith);

    /// All recordings.
    pub fn all() -> impl Iterator<Item = Recording> + Clone {
        let traces = TraceCodec::all().map(Recording::Trace);
        [Recording::Reassemble]
            .into_iter()
            .chain(traces)
            .chain([Recording::Edges, Recording::Paths])
    }

    /// Recordings that need nothing but their name: `Paths` needs the paths, too.
    fn named() -> impl Iterator<Item = Recording> {
        Recording::all().filter(|&recording| recording != Recording::Paths)
    }

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Recording::Reassemble => "none",
            Recording::Trace(codec) => codec.traits().name,
            Recording::Edges => "counts",
            Recording::Paths => "paths",
        }
    }

    /// Its number in a map file. It never changes: maps of earlier versions hold it.
    pub const fn number(self) -> u32 {
        match self {
            Recording::Reassemble => 0,
            Recording::Trace(codec) => codec.traits().number,
            Recording::Edges => 8,
            Recording::Paths => 9,
        }
    }

    /// The codec of its trace; none without a trace.
    pub const fn codec(self) -> Option<TraceCodec> {
        match self {
            Recording::Trace(codec) => Some(codec),
            Recording::Reassemble | Recording::Edges | Recording::Paths => None,
        }
    }

    /// True if it writes a trace under this codec.
    pub fn is_trace(self, codec: TraceCodec) -> bool {
        self.codec() == Some(codec)
    }

    /// True if it counts in place of a trace.
    pub const fn counts(self) -> bool {
        matches!(self, Recording::Edges | Recording::Paths)
    }

    /// The wire of its symbols. Without a trace, symbols only have prices: those of the range wire.
    pub fn wire(self) -> Wire {
        self.codec().map_or(Wire::Range, TraceCodec::wire)
    }

    /// True if fused regions and counted loops keep their decisions in the path register.
    pub fn fuses_regions(self) -> bool {
        match self {
            Recording::Trace(codec) => codec.traits().fuses_regions,
            Recording::Edges => true,
            Recording::Reassemble | Recording::Paths => false,
        }
    }

    /// True if an edge to the only successor also carries a symbol.
    pub fn records_gotos(self) -> bool {
        matches!(self.constants(), Some(Constants::Blocks | Constants::PathNumbers))
    }

    /// True if it records numbers of whole paths, read backwards: codec `pap`.
    pub fn numbers_paths(self) -> bool {
        self.constants() == Some(Constants::PathNumbers)
    }

    /// True if edges carry the number of the block that they lead to: codec `blocks`.
    pub fn numbers_blocks(self) -> bool {
        self.constants() == Some(Constants::Blocks)
    }

    fn constants(self) -> Option<Constants> {
        self.codec().map(|codec| codec.traits().constants)
    }

    /// The constants of a distribution's alternatives (which have these frequencies) in their
    /// order: slices ([`table::pack`]) on the range wire, code words ([`code::pack`]) on the packed
    /// wire.
    pub fn symbols(self, freqs: &[u16]) -> Vec<u32> {
        match self.constants() {
            Some(Constants::PrefixCodes) => huffman::codes(freqs),
            Some(Constants::Alternatives | Constants::Blocks) => code::fixed(freqs.len()),
            Some(Constants::Slices | Constants::PathNumbers) | None => table::pack_all(freqs),
        }
    }

    /// The constants of the edges of a block to `targets`. Only codecs that
    /// [record gotos](Self::records_gotos) accept a block without frequencies (an edge to its only
    /// successor).
    pub fn edges(self, freqs: &[u16], targets: &[BlockId]) -> Vec<u32> {
        match self.constants() {
            Some(Constants::Blocks) => targets.iter().map(|t| code::pack(t.0, 16)).collect(),
            Some(Constants::PathNumbers) => vec![0; targets.len()],
            _ => self.symbols(freqs),
        }
    }
}

impl From<TraceCodec> for Recording {
    fn from(codec: TraceCodec) -> Self {
        Recording::Trace(codec)
    }
}

impl From<Recording> for u32 {
    fn from(recording: Recording) -> u32 {
        recording.number()
    }
}

impl TryFrom<u32> for Recording {
    type Error = UnknownRecordingNumber;

    fn try_from(number: u32) -> Result<Self, UnknownRecordingNumber> {
        let found = Recording::all().find(|recording| recording.number() == number);
        found.ok_or(UnknownRecordingNumber(number))
    }
}

impl fmt::Display for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Recording {
    type Err = UnknownRecording;

    fn from_str(name: &str) -> Result<Self, UnknownRecording> {
        let found = Recording::named().find(|recording| recording.name() == name);
        found.ok_or_else(|| UnknownRecording { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_recordings() {
        // Selected paths have an option of their own, which names the paths.
        for recording in Recording::all().filter(|&r| r != Recording::Paths) {
            assert_eq!(recording.name().parse(), Ok(recording));
        }
        assert!("paths".parse::<Recording>().is_err());
        let e = "huffmann".parse::<Recording>().unwrap_err().to_string();
        assert!(e.contains("\"huffmann\"") && e.contains("ball-larus"), "{e}");
    }

    #[test]
    fn numbers_in_maps_lead_back_to_their_recordings() {
        let numbers: Vec<u32> = Recording::all().map(Recording::number).collect();
        // The order in which codecs were added.
        assert_eq!(numbers, [0, 1, 5, 6, 2, 3, 4, 7, 8, 9]);
        for recording in Recording::all() {
            assert_eq!(Recording::try_from(recording.number()), Ok(recording));
        }
        assert_eq!(Recording::try_from(10), Err(UnknownRecordingNumber(10)));
    }

    #[test]
    fn symbols_of_blocks_are_their_numbers() {
        let all = Recording::from(TraceCodec::Blocks).edges(&[], &[BlockId(65_535), BlockId(3)]);
        assert_eq!(
            all.iter().map(|c| (code::bits(*c), code::length(*c))).collect::<Vec<_>>(),
            [(65_535, 16), (3, 16)]
        );
    }
}
