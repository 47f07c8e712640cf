//! The most suspicious events of many sessions, as a report.

use std::collections::HashMap;

use serde::Serialize;

use super::common::Common;
use super::rank::{EventClass, Ranking};
use super::score::{Sessions, Spectrum};
use super::view::{Happened, event};

/// Maximum number of reported events of a class.
const LISTED: usize = 20;

/// Events by their correlation with bad sessions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suspects {
    /// `ranking`.
    pub kind: &'static str,
    /// All sessions.
    pub sessions: Sessions,
    /// Builds that the sessions ran.
    pub builds: Vec<String>,
    /// Records that could not be decoded.
    pub faulty_records: u64,
    /// The classes, most suspicious first.
    pub classes: Vec<Suspect>,
    /// Number of all classes.
    pub count: usize,
}

/// Events that happened in the same sessions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suspect {
    /// Sessions in which they happened.
    pub with: Sessions,
    /// Sessions that came to the site of the first event.
    pub reached: Sessions,
    /// ef ÷ √((ef + nf)(ef + ep)).
    pub ochiai: f64,
    /// Share of the bad sessions ÷ (that + share of the good ones).
    pub tarantula: f64,
    /// Rate of bad sessions among those in which the first event happened, minus that among the
    /// sessions that came to its site.
    pub increase: f64,
    /// The 95 % interval of `increase`.
    pub interval: [f64; 2],
    /// True if the interval lies above 0.
    pub sure: bool,
    /// Harmonic mean of increase and log ef ÷ log of all bad sessions.
    pub importance: f64,
    /// The events, the likeliest cause first.
    pub events: Vec<Happened>,
    /// Number of all events of the class.
    pub count: usize,
    /// With several builds: number of builds that have the first event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_builds: Option<usize>,
}

/// Rounds to four digits, equal on all machines.
fn rounded(x: f64) -> f64 {
    // Adding 0 turns −0 into 0.
    (x * 1e4).round() / 1e4 + 0.0
}

impl Suspects {
    /// Returns the first `top` classes.
    pub fn new(common: &Common<'_>, ranking: &Ranking<'_, '_>, top: usize) -> Suspects {
        let classes = ranking.classes();
        let having = match common.builds.len() {
            0 | 1 => HashMap::new(),
            _ => common.builds_having(),
        };
        Suspects {
            kind: "ranking",
            sessions: ranking.sessions(),
            builds: common.builds.iter().map(|b| b.program.map.build.to_string()).collect(),
            faulty_records: ranking.faulty,
            count: classes.len(),
            classes: classes.iter().take(top).map(|c| suspect(common, c, &having)).collect(),
        }
    }
}

fn suspect(common: &Common<'_>, class: &EventClass, having: &HashMap<u64, usize>) -> Suspect {
    let EventClass { spectrum, events } = class;
    let Spectrum { with, reached, .. } = *spectrum;
    let (low, high) = spectrum.interval();
    Suspect {
        with,
        reached,
        ochiai: rounded(spectrum.ochiai()),
        tarantula: rounded(spectrum.tarantula()),
        increase: rounded(spectrum.increase()),
        interval: [rounded(low), rounded(high)],
        sure: low > 0.0,
        importance: rounded(spectrum.importance()),
        events: events.iter().take(LISTED).map(|e| event(common, e)).collect(),
        count: events.len(),
        in_builds: events.first().and_then(|e| having.get(&e.hash).copied()),
    }
}
