//! Paths of methods that somebody chose to have counted.

use serde::{Deserialize, Serialize};

use crate::graph::ids::{BlockId, MethodId};

/// The most steps of a path.
pub const MAX_STEPS: usize = 4_096;
/// The most paths of a method.
pub const MAX_OF_METHOD: usize = 1_000;
/// The most paths of a build.
pub const MAX_OF_BUILD: usize = 8_000;

/// A step of a path: the block that it comes to, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PathStep {
    /// From the block before, or from the method's entry.
    Block(BlockId),
    /// By an exception, whose handler begins with this block.
    Caught(BlockId),
}

impl PathStep {
    /// The block.
    pub fn block(self) -> BlockId {
        match self {
            PathStep::Block(block) | PathStep::Caught(block) => block,
        }
    }
}

/// Section of an activation that a path covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PathKind {
    /// All of it, from the entry to a return. Each activation counts once at most.
    Whole,
    /// Its begin. With one step it counts activations.
    Prefix,
    /// Any part; each time it occurs counts, overlapping ones, too.
    Piece,
}

/// A path to count, in the map of the build that counts it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectedPath {
    /// Name for people.
    pub id: String,
    /// Its method.
    pub method: MethodId,
    /// Section of an activation that the path covers.
    pub kind: PathKind,
    /// The blocks that it comes to.
    pub steps: Vec<PathStep>,
}
