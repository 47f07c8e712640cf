//! Formulas for the correlation of an event with failing sessions.
//!
//! An event counts once per session, independent of how often it happened.
//!
//! - Ochiai: Abreu, Zoeteweij, van Gemund, *On the accuracy of spectrum-based fault localization*,
//!   TAIC PART 2007.
//! - Tarantula: Jones, Harrold, *Empirical evaluation of the Tarantula automatic fault-localization
//!   technique*, ASE 2005.
//! - Increase and Importance: Liblit, Naik, Zheng, Aiken, Jordan, *Scalable statistical bug
//!   isolation*, PLDI 2005.
//! - The interval of Increase: Newcombe, *Interval estimation for the difference between
//!   independent proportions*, Statistics in Medicine 17 (1998), method 10 (of Wilson's score
//!   intervals).

use serde::Serialize;

/// The normal distribution's quantile for 95 %, both sides.
const Z: f64 = 1.959_963_984_540_054;

/// Sessions by their label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Sessions {
    /// Number of failing sessions.
    pub bad: u64,
    /// Number of passing sessions.
    pub good: u64,
}

impl Sessions {
    fn all(self) -> f64 {
        (self.bad + self.good) as f64
    }
}

/// Session counts of an event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spectrum {
    /// Sessions in which it happened (ef and ep).
    pub with: Sessions,
    /// Sessions that came to the site where it can happen.
    pub reached: Sessions,
    /// All sessions.
    pub all: Sessions,
}

impl Spectrum {
    /// Returns ef ÷ √((ef + nf)(ef + ep)): 0 to 1.
    pub fn ochiai(&self) -> f64 {
        let ef = self.with.bad as f64;
        ratio(ef, (self.all.bad as f64 * self.with.all()).sqrt())
    }

    /// Returns the share of failing sessions ÷ (that + the share of passing sessions): 0 to 1.
    pub fn tarantula(&self) -> f64 {
        let bad = ratio(self.with.bad as f64, self.all.bad as f64);
        let good = ratio(self.with.good as f64, self.all.good as f64);
        ratio(bad, bad + good)
    }

    /// Returns Failure − Context: the failure rate of sessions in which the event happened, minus
    /// that of sessions that came to its site. −1 to 1.
    pub fn increase(&self) -> f64 {
        let failure = ratio(self.with.bad as f64, self.with.all());
        failure - ratio(self.reached.bad as f64, self.reached.all())
    }

    /// Returns the 95 % interval of [`Self::increase`].
    ///
    /// Increase is the share of sessions that came to the site without the event, times the
    /// difference of two independent proportions: failing sessions among those with the event, and
    /// among those without it.
    pub fn interval(&self) -> (f64, f64) {
        let others = self.reached.all() - self.with.all();
        if others <= 0.0 || self.with.all() == 0.0 {
            return (0.0, 0.0);
        }
        let missed = (self.reached.bad - self.with.bad) as f64;
        let (low, high) = difference((self.with.bad as f64, self.with.all()), (missed, others));
        let share = others / self.reached.all();
        (share * low, share * high)
    }

    /// Returns the harmonic mean of [`Self::increase`] and log ef ÷ log of all failing sessions; 0
    /// if one of them is not positive.
    pub fn importance(&self) -> f64 {
        let increase = self.increase();
        let share = ratio((self.with.bad as f64).ln(), (self.all.bad as f64).ln());
        if increase > 0.0 && share > 0.0 { 2.0 / (1.0 / increase + 1.0 / share) } else { 0.0 }
    }
}

/// Returns the ratio, or 0 without data.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Returns Wilson's interval of a proportion.
fn wilson((hits, of): (f64, f64)) -> (f64, f64) {
    let middle = 2.0 * hits + Z * Z;
    let root = Z * (Z * Z + 4.0 * hits * (1.0 - hits / of)).sqrt();
    let whole = 2.0 * (of + Z * Z);
    ((middle - root) / whole, (middle + root) / whole)
}

/// Returns Newcombe's interval of the difference of two proportions.
fn difference(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let (p, q) = (a.0 / a.1, b.0 / b.1);
    let ((l1, u1), (l2, u2)) = (wilson(a), wilson(b));
    (p - q - (p - l1).hypot(u2 - q), p - q + (u1 - p).hypot(q - l2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, digits: i32) {
        assert!((a - b).abs() <= 0.5001 * 10f64.powi(-digits), "{a} is not {b}");
    }

    fn of(ef: u64, ep: u64, all: (u64, u64)) -> Spectrum {
        let sessions = |(bad, good)| Sessions { bad, good };
        Spectrum { with: sessions((ef, ep)), reached: sessions(all), all: sessions(all) }
    }

    /// `mid()` of Jones and Harrold 2005, figure 1: six test cases, the last of which fails. For
    /// each statement: number of passing test cases that cover it, 1 if the failing one does, and
    /// the printed suspiciousness.
    const MID: [(u64, u64, f64); 13] = [
        (5, 1, 0.5),
        (5, 1, 0.5),
        (5, 1, 0.5),
        (3, 1, 0.63),
        (1, 0, 0.0),
        (2, 1, 0.71),
        (1, 1, 0.83),
        (2, 0, 0.0),
        (2, 0, 0.0),
        (1, 0, 0.0),
        (1, 0, 0.0),
        (0, 0, 0.0),
        (5, 1, 0.5),
    ];

    #[test]
    fn tarantula_is_that_of_the_published_table() {
        for (ep, ef, want) in MID {
            near(of(ef, ep, (1, 5)).tarantula(), want, 2);
        }
    }

    /// The same table: ef is 1, so Ochiai is 1 ÷ √(1 + ep).
    #[test]
    fn ochiai_is_one_over_the_root_where_one_session_fails() {
        for (ep, ef, _) in MID {
            let want = if ef == 0 {
                0.0
            } else {
                [1.0, std::f64::consts::FRAC_1_SQRT_2, 0.5774, 0.5, 0.4472, 0.4082][ep as usize]
            };
            near(of(ef, ep, (1, 5)).ochiai(), want, 4);
        }
        // 9 of 10 failing and 3 passing sessions: 9 ÷ √(10 × 12).
        near(of(9, 3, (10, 100)).ochiai(), 0.821_6, 4);
    }

    /// Newcombe 1998, table II, method 10.
    #[test]
    fn intervals_of_differences_are_those_of_the_published_table() {
        for (a, b, (low, high)) in [
            ((56.0, 70.0), (48.0, 80.0), (0.0524, 0.3339)),
            ((9.0, 10.0), (3.0, 10.0), (0.1705, 0.8090)),
            ((10.0, 10.0), (0.0, 20.0), (0.6791, 1.0)),
            ((10.0, 10.0), (0.0, 10.0), (0.6075, 1.0)),
        ] {
            let (l, h) = difference(a, b);
            near(l, low, 4);
            near(h, high, 4);
        }
    }

    /// Liblit et al. 2005, section 3.1: `f == NULL` always leads to a crash. `x = 0` after it is
    /// equally deadly, but explains nothing beyond its site.
    #[test]
    fn what_only_follows_from_its_place_increases_nothing() {
        let all = Sessions { bad: 10, good: 90 };
        let null = Sessions { bad: 10, good: 0 };
        let cause = Spectrum { with: null, reached: all, all };
        let effect = Spectrum { with: null, reached: null, all };
        near(cause.increase(), 0.9, 9);
        // log 10 ÷ log 10 is 1: 2 ÷ (1 ÷ 0.9 + 1).
        near(cause.importance(), 1.8 / 1.9, 9);
        assert!(cause.interval().0 > 0.5 && cause.interval().1 <= 0.9 + 1e-9);
        assert_eq!((effect.increase(), effect.importance()), (0.0, 0.0));
        assert_eq!(effect.interval(), (0.0, 0.0));
        assert_eq!((cause.ochiai(), effect.ochiai()), (1.0, 1.0));
    }

    #[test]
    fn one_session_of_each_kind_is_no_evidence() {
        let spectrum = of(1, 0, (1, 1));
        assert_eq!((spectrum.ochiai(), spectrum.tarantula()), (1.0, 1.0));
        assert!(spectrum.interval().0 < 0.0, "{:?}", spectrum.interval());
        assert_eq!(spectrum.importance(), 0.0, "log 1 is 0");
    }

    #[test]
    fn nothing_that_ran_is_nothing_suspicious() {
        let spectrum = Spectrum::default();
        let all =
            [spectrum.ochiai(), spectrum.tarantula(), spectrum.increase(), spectrum.importance()];
        assert_eq!(all, [0.0; 4]);
        assert_eq!(spectrum.interval(), (0.0, 0.0));
    }
}
