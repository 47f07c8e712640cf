//! Causes of events: dynamic backward slices along exact paths.
//!
//! A [`History`] keeps the end of a thread's path: activations of methods and visits of their
//! blocks. [`AppCode`] has the bodies of the app's methods as they were before `instrument`.
//! [`explain`] starts at an exception or a line and walks backwards: to the definitions of the
//! registers that are read (across calls, fields and arrays), and to the branches on which the
//! blocks are control dependent. The result is an [`Explanation`]: a few steps, each either exact
//! or marked as a candidate.
//!
//! Dynamic slices are those of Agrawal and Horgan (*Dynamic program slicing*, PLDI 1990), computed
//! backwards on a trace as in Wang and Roychoudhury (*Dynamic slicing on Java bytecode traces*,
//! TOPLAS 2008). Control dependence is Ferrante, Ottenstein and Warren's (TOPLAS 1987), on the
//! graph of a method without its exception edges.
//!
//! The log has no addresses of objects. So a write of the same field is the definition of a read
//! only where both name the same definition of the object, or the field is static and no other
//! thread wrote it; else it is a candidate.

mod code;
mod control;
mod criterion;
mod explanation;
mod fields;
mod history;
mod slice;
#[cfg(test)]
mod tests;
mod words;

pub use code::{AppCode, CodeProblem};
pub use criterion::{Criterion, Thrown, ThrownFrame};
pub use explanation::{Address, Certainty, Explanation, Role, SliceStep, SourceLocation};
pub use fields::FieldWrites;
pub use history::{History, ThreadName};
pub use slice::{Sought, explain};
