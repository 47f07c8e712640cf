//! Comparisons of sessions.
//!
//! - Two sessions, one good and one bad: the first divergence of their paths
//!   ([`first_divergence`]).
//! - Many of each: events that correlate with the bad sessions ([`Ranking`]).
//! - Sessions and those known before: what they add ([`Novelty`]), and a few of them that have
//!   everything ([`cover`]).
//!
//! Sessions may be of several builds: [`Common`] has what is the same in all of them.
//!
//! A session is one process of the app.

mod addition;
mod align;
mod common;
mod diverge;
mod divergence;
mod error;
mod events;
mod novel;
mod paths;
mod rank;
mod score;
mod steps;
mod suspects;
mod text;
mod view;

pub use addition::{Additions, AdditionsBuilder};
pub use common::Common;
pub use divergence::{Divergence, first_divergence};
pub use error::CompareError;
pub use novel::{Novelty, cover};
pub use rank::Ranking;
pub use score::{Sessions, Spectrum};
pub use suspects::Suspects;
pub use text::Texts;
pub use view::Happened;
