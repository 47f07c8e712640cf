//! Many sessions: the most suspicious events, to be shown.

use std::collections::HashMap;

use serde::Serialize;

use super::common::Common;
use super::rank::{Class, Ranking};
use super::score::{Sessions, Spectrum};
use super::view::{Happened, event};

/// Events of a class that are told.
const TOLD: usize = 20;

/// Events by how much they have to do with bad sessions.
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
    /// How many classes there are in all.
    pub count: usize,
}

/// Events that happened in the same sessions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suspect {
    /// Sessions in which they happened.
    pub with: Sessions,
    /// Sessions that came to the place of the first one.
    pub reached: Sessions,
    /// ef ÷ √((ef + nf)(ef + ep)).
    pub ochiai: f64,
    /// Share of the bad sessions ÷ (that + share of the good ones).
    pub tarantula: f64,
    /// How much more often sessions are bad in which the first one happened than those that came to
    /// its place.
    pub increase: f64,
    /// The 95 % interval of that.
    pub interval: [f64; 2],
    /// Whether the interval lies above 0.
    pub sure: bool,
    /// Harmonic mean of increase and log ef ÷ log of all bad sessions.
    pub importance: f64,
    /// The events, the likeliest cause first.
    pub events: Vec<Happened>,
    /// How many there are.
    pub count: usize,
    /// Of several builds: how many have the first event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_builds: Option<usize>,
}

/// Four digits, the same on all machines.
fn rounded(x: f64) -> f64 {
    // Adding 0 makes −0 a 0.
    (x * 1e4).round() / 1e4 + 0.0
}

impl Suspects {
    /// The first `top` classes.
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

fn suspect(common: &Common<'_>, class: &Class, having: &HashMap<u64, usize>) -> Suspect {
    let Class { spectrum, events } = class;
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
        events: events.iter().take(TOLD).map(|e| event(common, e)).collect(),
        count: events.len(),
        in_builds: events.first().and_then(|e| having.get(&e.hash).copied()),
    }
}
