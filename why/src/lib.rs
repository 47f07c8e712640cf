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
//! The log has no addresses of objects, and no trace of some calls. So the last recorded write of a
//! field is the definition of a read for certain only if both got the object from the same
//! definition (or the field is static), nothing of the thread is missing between, no other thread
//! wrote the field, and every method that writes it leaves a trace. Else it is a candidate.

mod back;
mod code;
mod control;
mod criterion;
mod explanation;
mod fields;
mod history;
mod listing;
mod path;
mod slice;
#[cfg(test)]
mod tests;
mod throwers;
mod words;

pub use code::{AppCode, CodeProblem};
pub use criterion::{Criterion, Thrown, ThrownFrame};
pub use explanation::{Address, Certainty, Explanation, Role, SliceStep, SourceLocation};
pub use fields::FieldWrites;
pub use history::History;
pub use listing::{ExceptionList, LineRuns, Listing, ThreadName};
pub use slice::{Sought, explain};
pub use words::{has_code, source_files};
