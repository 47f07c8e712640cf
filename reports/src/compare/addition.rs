//! What sessions add, to be shown.

use decoder::log::Process;
use serde::Serialize;

use super::common::Common;
use super::novel::{Added, cover};
use super::view::{Happened, Session, event, method};

/// Events and shapes of a session that are told.
const TOLD: usize = 100;

/// What sessions add to what was known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Additions {
    /// `new`.
    pub kind: &'static str,
    /// How many sessions were known before.
    pub known_sessions: u64,
    /// Records that could not be decoded.
    pub faulty_records: u64,
    /// The sessions, in the order in which they were found.
    pub sessions: Vec<Addition>,
    /// Events and shapes that any of them adds.
    pub items: usize,
    /// Few sessions that together have all of these, the one that adds most first.
    pub cover: Vec<Cover>,
}

/// What one session adds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Addition {
    /// The session.
    pub session: Session,
    /// Its top-level callbacks.
    pub callbacks: u64,
    /// How many events are new.
    pub new_events: usize,
    /// How many shapes of callbacks are new.
    pub new_shapes: usize,
    /// The first new events.
    pub events: Vec<Happened>,
    /// The first new shapes.
    pub shapes: Vec<NewShape>,
}

/// A callback whose path has a new shape.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NewShape {
    /// The shape: a hash, the same in all builds that have these branches.
    pub shape: String,
    /// The callback's method.
    pub m: String,
    /// The thread's number.
    pub thread: u32,
    /// The callback's number in its thread, from 1.
    pub number: u64,
    /// The method as people write it.
    #[serde(skip)]
    pub title: String,
}

/// A session that covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cover {
    /// Position of the session, from 0.
    pub session: usize,
    /// Events and shapes that no session before it in the cover has.
    pub adds: usize,
}

/// Collects what sessions add.
#[derive(Debug, Default)]
pub struct AdditionsBuilder {
    sessions: Vec<Addition>,
    added: Vec<Added>,
    faulty: u64,
}

impl AdditionsBuilder {
    /// Adds a session of this build.
    pub fn add(&mut self, common: &Common<'_>, build: usize, process: &Process, mut added: Added) {
        let map = common.builds[build].program.map;
        let shape = |s: &super::novel::Shape| {
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
            events: added.events.iter().take(TOLD).map(|e| event(common, e)).collect(),
            shapes: added.shapes.iter().take(TOLD).map(shape).collect(),
        });
        // The cover needs the items only.
        added.events = Vec::new();
        added.shapes = Vec::new();
        self.added.push(added);
    }

    /// All sessions were added; so many were known, with so many records that could not be decoded.
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
