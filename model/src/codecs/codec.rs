//! Codecs: how the alternatives of a distribution become the constants that probes carry, and the
//! wire that the constants go over.
//!
//! A *symbol* is any alternative of any distribution (branch, slot, next-callback distribution).
//! Everything else (which events are symbols, when a symbol is due, escapes, records) is common to
//! all codecs; see `docs/PROTOCOL.md`.

use std::str::FromStr;

use crate::coding::code;
use crate::coding::huffman;
use crate::coding::table;
use crate::formats::map::{BlockId, Codec};

/// Translation of symbols into bytes (`docs/PROTOCOL.md` §8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// The range coder: a symbol is a slice of 65,536 ([`crate::coder`]).
    Range,
    /// Bits: a symbol is a code word ([`crate::packed`]).
    Packed,
}

/// The most blocks a method can have under [`Codec::Blocks`]: a block's number has 16 bits.
pub const MAX_BLOCKS: usize = 1 << 16;

/// No codec of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no codec is called {name:?}; there are {}", Codec::named().join(", "))]
pub struct UnknownCodec {
    /// The name that was asked for.
    pub name: String,
}

impl Codec {
    /// All of them.
    pub const ALL: [Codec; 10] = [
        Codec::None,
        Codec::Arith,
        Codec::ArithAdaptive,
        Codec::ArithAdaptiveShift,
        Codec::Huffman,
        Codec::BallLarus,
        Codec::Blocks,
        Codec::Pap,
        Codec::Counts,
        Codec::Paths,
    ];

    /// Names of those that need nothing but their name.
    fn named() -> Vec<&'static str> {
        Codec::ALL.into_iter().filter(|&c| c != Codec::Paths).map(Codec::name).collect()
    }

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Codec::None => "none",
            Codec::Arith => "arith",
            Codec::ArithAdaptive => "arith-adaptive",
            Codec::ArithAdaptiveShift => "arith-adaptive-shift",
            Codec::Pap => "pap",
            Codec::Huffman => "huffman",
            Codec::BallLarus => "ball-larus",
            Codec::Blocks => "blocks",
            Codec::Counts => "counts",
            Codec::Paths => "paths",
        }
    }

    /// The wire that its symbols go over; of one that counts them, that of their prices.
    pub fn wire(self) -> Wire {
        match self {
            Codec::None
            | Codec::Arith
            | Codec::ArithAdaptive
            | Codec::ArithAdaptiveShift
            | Codec::Pap
            | Codec::Counts
            | Codec::Paths => Wire::Range,
            Codec::Huffman | Codec::BallLarus | Codec::Blocks => Wire::Packed,
        }
    }

    /// Returns true if fused regions and counted loops keep their decisions in the path register
    /// where that is possible.
    pub fn fuses(self) -> bool {
        matches!(self, Codec::Arith | Codec::Huffman | Codec::BallLarus | Codec::Counts)
    }

    /// Returns true if the edge to an only successor carries a constant.
    pub fn records_gotos(self) -> bool {
        matches!(self, Codec::Blocks | Codec::Pap)
    }

    /// The constants of a distribution's alternatives (which have these frequencies) in their
    /// order: slices ([`table::pack`]) on the range wire, code words ([`code::pack`]) on the packed
    /// wire.
    pub fn symbols(self, freqs: &[u16]) -> Vec<u32> {
        match self {
            Codec::None
            | Codec::Arith
            | Codec::ArithAdaptive
            | Codec::ArithAdaptiveShift
            | Codec::Pap
            | Codec::Counts
            | Codec::Paths => table::pack_all(freqs),
            Codec::Huffman => huffman::codes(freqs),
            Codec::BallLarus | Codec::Blocks => code::fixed(freqs.len()),
        }
    }

    /// The same for the edges of a block to `targets`. Without frequencies (an edge to the only
    /// successor) for codecs that [record gotos](Self::records_gotos) alone.
    pub fn edges(self, freqs: &[u16], targets: &[BlockId]) -> Vec<u32> {
        match self {
            Codec::Blocks => targets.iter().map(|t| code::pack(t.0, 16)).collect(),
            // Its edges carry arithmetic.
            Codec::Pap => vec![0; targets.len()],
            _ => self.symbols(freqs),
        }
    }
}

impl std::fmt::Display for Codec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Codec {
    type Err = UnknownCodec;

    fn from_str(name: &str) -> Result<Self, UnknownCodec> {
        Codec::ALL
            .into_iter()
            .find(|c| c.name() == name && *c != Codec::Paths)
            .ok_or_else(|| UnknownCodec { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_codecs() {
        // What to count is part of that one: it has an option of its own.
        for c in Codec::ALL.into_iter().filter(|&c| c != Codec::Paths) {
            assert_eq!(c.name().parse(), Ok(c));
        }
        assert!("paths".parse::<Codec>().is_err());
        let e = "huffmann".parse::<Codec>().unwrap_err().to_string();
        assert!(e.contains("\"huffmann\"") && e.contains("ball-larus"), "{e}");
    }

    #[test]
    fn blocks_are_told_by_their_numbers() {
        let all = Codec::Blocks.edges(&[], &[BlockId(65_535), BlockId(3)]);
        assert_eq!(
            all.iter().map(|c| (code::bits(*c), code::length(*c))).collect::<Vec<_>>(),
            [(65_535, 16), (3, 16)]
        );
    }
}
