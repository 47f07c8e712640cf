//! Code that compilers generate inside methods that a person wrote.

use serde::{Deserialize, Serialize};

use crate::graph::ids::MethodId;

/// Purpose of generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Generated {
    /// The handler that leaves the monitor of `synchronized`.
    Monitor,
    /// Code that closes what `try (…)` or Kotlin's `use` has opened.
    Resource,
    /// The end of a `when` whose alternatives are all there are.
    When,
    /// The exception of a `lateinit` property that has no value yet.
    Lateinit,
    /// The question whether an argument was given.
    DefaultArgument,
    /// The state machine of a coroutine.
    Coroutine,
    /// Hash codes and comparisons of a `switch` over strings: its alternatives are one branch.
    TextSwitch,
    /// A whole constructor that only keeps others from making objects.
    EmptyConstructor,
    /// A whole method that every record has.
    Record,
}

/// Code units of a method that a compiler generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GeneratedCode {
    /// The method.
    pub method: MethodId,
    /// Offset of the first code unit.
    pub from: u32,
    /// Offset after the last instruction.
    pub to: u32,
    /// Purpose of the code.
    pub kind: Generated,
}
