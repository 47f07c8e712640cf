//! Additions: what sessions contain beyond the known ones, as a report.

use decoder::log::Process;
use serde::Serialize;

use super::common::Common;
use super::novel::{Added, cover};
use super::view::{Happened, Session, event, method};

/// Maximum number of listed events, and of listed shapes, of a session.
const LISTED: usize = 100;

/// Events and shapes that sessions add to the known ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Additions {
    /// `new`.
    pub kind: &'static str,
    /// Number of sessions that were known before.
    pub known_sessions: u64,
    /// Records that could not be decoded.
    pub faulty_records: u64,
    /// The sessions, in the order in which they were added.
    pub sessions: Vec<Addition>,
    /// Number of events and shapes that any of the sessions adds.
    pub items: usize,
    /// A few sessions that together have all of these, the one that adds most first.
    pub cover: Vec<Cover>,
}

/// Additions of one session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Addition {
    /// The session.
    pub session: Session,
    /// Number of its top-level callbacks.
    pub callbacks: u64,
    /// Number of new events.
    pub new_events: usize,
    /// Number of new shapes of callbacks.
    pub new_shapes: usize,
    /// The first new events.
    pub events: Vec<Happened>,
    /// The first new shapes.
    pub shapes: Vec<NewShape>,
}

/// A callback whose path has a new shape.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NewShape {
    /// Hash of the shape, equal in all builds that have these branches.
    pub shape: String,
    /// The callback's method.
    pub m: String,
    /// The thread's number.
    pub thread: u32,
    /// The callback's number in its thread, from 1.
    pub number: u64,
    /// The method in source notation.
    #[serde(skip)]
    pub title: String,
}

/// A session of the cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cover {
    /// Index of the session.
    pub session: usize,
    /// Number of events and shapes that no earlier session of the cover has.
    pub adds: usize,
}

/// Collects the additions of sessions.
#[derive(Debug, Default)]
pub struct AdditionsBuilder {
    sessions: Vec<Addition>,
    added: Vec<Added>,
    faulty: u64,
}

impl AdditionsBuilder {
    /// Adds a session of the build with this index.
    pub fn add(&mut self, common: &Common<'_>, build: usize, process: &Process, mut added: Added) {
        let map = common.builds[build].program.map;
        let shape = |s: &super::novel::CallbackShape| {
            let (m, title) = method(map, s.method);
            let shape = format!("{:016x}", s.hash);
            NewShape { shape, m, thread: s.thread, number: s.number, title }
        };
        self.faulty += added.faulty;
        self.sessions.push(Addition {
            session: process.into(),
            callbacks: added.callbacks,
            new_events: added.events.len(),
            new_shapes: added.shapes.len(),
            events: added.events.iter().take(LISTED).map(|e| event(common, e)).collect(),
            shapes: added.shapes.iter().take(LISTED).map(shape).collect(),
        });
        // The cover needs only the items.
        added.events = Vec::new();
        added.shapes = Vec::new();
        self.added.push(added);
    }

    /// Returns the report, given the number of known sessions and of their undecodable records.
    pub fn finish(self, known_sessions: u64, faulty_known: u64) -> Additions {
        let chosen = cover(&self.added);
        Additions {
            kind: "new",
            known_sessions,
            faulty_records: self.faulty + faulty_known,
            sessions: self.sessions,
            items: chosen.iter().map(|c| c.gain).sum(),
            cover: chosen.iter().map(|c| Cover { session: c.session, adds: c.gain }).collect(),
        }
    }
}
