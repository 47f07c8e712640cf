//! Replays a thread's stream into the path that ran (`docs/PROTOCOL.md`).
//!
//! A [`Walker`] keeps the call stack and walks the program; it reports the path to a [`PathSink`].
//! It reports only certain events: blocks are passed on when the symbol after them has been read.

mod adapt;
mod block;
mod doubt;
mod escapes;
mod event;
mod fault;
mod implied;
mod note;
mod program;
mod regions;
mod restart;
mod silent;
mod state;
mod times;
mod walk;

pub use block::BlockNo;
pub use event::{Decision, LoopRounds, NoSink, PathEvent, PathSink, SendEvents, Times, Via};
pub use fault::{Fault, FaultKind};
pub use note::Note;
pub use program::Program;
pub use silent::LISTED_ROUNDS;
pub(crate) use silent::{Credit, budget};
pub use state::{Ended, Start};
pub(crate) use times::{Carried, Timeline};
pub use walk::Walker;
