//! Ranking of events by their correlation with failing sessions.

use std::collections::HashMap;

use decoder::log::Process;

use super::common::{BuildEvent, Common, Event, mix};
use super::events::{EventSink, read};
use super::score::{Sessions, Spectrum};

/// The sessions in which an event happened.
#[derive(Debug, Clone, Copy)]
struct SessionRecord {
    sessions: Sessions,
    /// Hash of the sessions' numbers: equal for events that happened in the same sessions.
    class: u64,
    /// The last session in which it happened, from 1.
    last: u32,
    /// The first failing session in which it happened, and the number of events before it there.
    first: (u32, u32),
}

impl Default for SessionRecord {
    fn default() -> Self {
        SessionRecord {
            sessions: Sessions::default(),
            class: 0,
            last: 0,
            first: (u32::MAX, u32::MAX),
        }
    }
}

/// Counts sessions per event. Memory grows with the number of events, not of sessions.
#[derive(Debug)]
pub struct Ranking<'c, 'm> {
    common: &'c Common<'m>,
    events: Vec<SessionRecord>,
    sites: Vec<SessionRecord>,
    /// Throws, by hash: index after those of the events.
    throws: HashMap<u64, usize>,
    thrown: Vec<Event>,
    all: Sessions,
    /// The session that is being read, from 1; its build and label follow.
    session: u32,
    build: usize,
    bad: bool,
    /// Number of events of this session so far.
    order: u32,
    /// Number of undecodable records.
    pub faulty: u64,
}

/// Events that happened in the same sessions.
#[derive(Debug, Clone)]
pub struct EventClass {
    /// The events: first those that most increase the chance of failure over that of their sites,
    /// then in the order in which they happened in the first failing session.
    pub events: Vec<Event>,
    /// The figures of the first event.
    pub spectrum: Spectrum,
}

impl<'c, 'm> Ranking<'c, 'm> {
    /// Creates a ranking without sessions.
    pub fn new(common: &'c Common<'m>) -> Self {
        Ranking {
            common,
            events: vec![SessionRecord::default(); common.events.len()],
            sites: vec![SessionRecord::default(); common.sites as usize],
            throws: HashMap::new(),
            thrown: Vec::new(),
            all: Sessions::default(),
            session: 0,
            build: 0,
            bad: false,
            order: 0,
            faulty: 0,
        }
    }

    /// Adds a session of the build with this index.
    pub fn add(&mut self, build: usize, process: &Process, bad: bool) {
        self.session += 1;
        (self.build, self.bad, self.order) = (build, bad, 0);
        match bad {
            true => self.all.bad += 1,
            false => self.all.good += 1,
        }
        let common = self.common;
        self.faulty += read(&common.builds[build], process, self);
    }

    /// Returns the number of added sessions.
    pub fn sessions(&self) -> Sessions {
        self.all
    }

    /// Returns the classes of events that happened in a failing session, the most suspicious first:
    /// by Ochiai, then Importance, then Increase, then the order in which they happened.
    pub fn classes(&self) -> Vec<EventClass> {
        let mut found: HashMap<(u64, u64, u64), Vec<usize>> = HashMap::new();
        for (i, seen) in self.events.iter().enumerate().filter(|(_, s)| s.sessions.bad > 0) {
            let Sessions { bad, good } = seen.sessions;
            found.entry((seen.class, bad, good)).or_default().push(i);
        }
        let mut classes: Vec<_> = found.into_values().map(|events| self.class(events)).collect();
        classes.sort_by(|(a, first_a), (b, first_b)| {
            let (a, b) = (&a.spectrum, &b.spectrum);
            let by_score = b.ochiai().total_cmp(&a.ochiai());
            by_score
                .then(b.importance().total_cmp(&a.importance()))
                .then(b.increase().total_cmp(&a.increase()))
                .then(first_a.cmp(first_b))
        });
        classes.into_iter().map(|c| c.0).collect()
    }

    fn class(&self, mut events: Vec<usize>) -> (EventClass, (u32, u32, usize)) {
        events.sort_by(|&a, &b| {
            let increase = |i: usize| self.spectrum(i).increase();
            let first = |i: usize| (self.events[i].first, i);
            increase(b).total_cmp(&increase(a)).then(first(a).cmp(&first(b)))
        });
        let (of, (at, order)) = (events[0], self.events[events[0]].first);
        let spectrum = self.spectrum(of);
        let events = events.into_iter().map(|i| self.event_at(i)).collect();
        (EventClass { events, spectrum }, (at, order, of))
    }

    fn event_at(&self, i: usize) -> Event {
        let known = self.common.events.len();
        if i < known { self.common.events[i] } else { self.thrown[i - known] }
    }

    fn spectrum(&self, i: usize) -> Spectrum {
        let reached = match self.event_at(i).site {
            0 => self.all,
            site => self.sites[site as usize].sessions,
        };
        Spectrum { with: self.events[i].sessions, reached, all: self.all }
    }
}

/// Records that an event happened in a session. Returns true for its first time in the session.
fn note(seen: &mut SessionRecord, session: u32, bad: bool, order: u32) -> bool {
    if seen.last == session {
        return false;
    }
    seen.last = session;
    seen.class = mix(seen.class, session.into());
    if bad {
        seen.sessions.bad += 1;
        seen.first = seen.first.min((session, order));
    } else {
        seen.sessions.good += 1;
    }
    true
}

impl EventSink for Ranking<'_, '_> {
    #[inline]
    fn event(&mut self, event: u32, site: u32, _times: u64) {
        let Some(seen) = self.events.get_mut(event as usize) else { return };
        if !note(seen, self.session, self.bad, self.order) {
            return;
        }
        self.order = self.order.saturating_add(1);
        self.reach(site);
    }

    #[inline]
    fn reach(&mut self, site: u32) {
        if let Some(seen) = self.sites.get_mut(site as usize) {
            note(seen, self.session, self.bad, 0);
        }
    }

    fn thrown(&mut self, hash: u64, what: BuildEvent, site: u32) {
        let next = self.events.len();
        let i = *self.throws.entry(hash).or_insert(next);
        if i == next {
            self.events.push(SessionRecord::default());
            self.thrown.push(Event { build: self.build, what, site, hash });
        }
        if note(&mut self.events[i], self.session, self.bad, self.order) {
            self.order = self.order.saturating_add(1);
        }
    }
}
