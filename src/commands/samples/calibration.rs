//! Measured quality of filled gaps, by their length: the figures of `bench/samples.csv`.

use samples::fill::FramePrecision;
use serde::Serialize;

/// The recorded figures.
const RECORDED: &str = include_str!("../../../bench/samples.csv");
/// Probabilities are calibrated as long as the median program's worst decile is off by at most
/// this.
const MOST_OFF: f64 = 0.25;

/// Conditions of a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conditions {
    pub precision: FramePrecision,
    /// The number of blocks in a gap is known.
    pub is_length_known: bool,
    /// Prices are those of a model.
    pub has_model: bool,
}

/// Measured quality of gaps of one length, over all measured programs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quality {
    /// Blocks from one sample to the next.
    pub blocks: u32,
    /// Number of programs.
    pub programs: usize,
    /// F1 of rebuilt traces: lowest and highest.
    pub f1: (f64, f64),
    /// Largest difference of a decile between probabilities and how often they were right: median
    /// and highest.
    pub off: (f64, f64),
}

/// Measured qualities by length, shortest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    rows: Vec<Quality>,
}

impl Calibration {
    /// The recorded figures under these conditions.
    pub fn new(conditions: Conditions) -> Calibration {
        let mut lines = RECORDED.lines().map(|l| l.split(',').collect::<Vec<&str>>());
        let header = lines.next().unwrap_or_default();
        let column = |name: &str| header.iter().position(|c| *c == name).unwrap_or(usize::MAX);
        let [prices, places, every, jitter, f1, off] =
            ["prices", "places", "every", "jitter", "f1", "miscalibrated"].map(column);
        let is_wanted = |row: &Vec<&str>| {
            row.get(prices) == Some(&if conditions.has_model { "model" } else { "no model" })
                && row.get(places) == Some(&name(conditions.precision))
                && row
                    .get(jitter)
                    .is_some_and(|j| (j.parse::<f64>() == Ok(0.0)) == conditions.is_length_known)
        };
        let number = |row: &Vec<&str>, at: usize| row.get(at)?.parse::<f64>().ok();
        let mut found: std::collections::BTreeMap<u32, Vec<(f64, f64)>> = Default::default();
        for row in lines.filter(is_wanted) {
            let figures = (number(&row, every), number(&row, f1), number(&row, off));
            if let (Some(every), Some(f1), Some(off)) = figures {
                found.entry(every as u32).or_default().push((f1, off));
            }
        }
        Calibration { rows: found.into_iter().map(|(blocks, all)| quality(blocks, &all)).collect() }
    }

    /// The longest gap, in blocks, to which probabilities are calibrated; 0 if none is.
    pub fn limit(&self) -> u32 {
        let good = self.rows.iter().take_while(|q| q.off.0 <= MOST_OFF);
        good.last().map_or(0, |q| q.blocks)
    }

    /// The quality of gaps of this length: that of the next longer measured one.
    pub fn quality(&self, blocks: f64) -> Option<Quality> {
        self.rows.iter().find(|q| f64::from(q.blocks) >= blocks).copied()
    }
}

fn quality(blocks: u32, figures: &[(f64, f64)]) -> Quality {
    let sorted = |of: fn(&(f64, f64)) -> f64| {
        let mut all: Vec<f64> = figures.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all
    };
    let (f1, off) = (sorted(|f| f.0), sorted(|f| f.1));
    let end = figures.len() - 1;
    Quality {
        blocks,
        programs: figures.len(),
        f1: (f1[0], f1[end]),
        off: (off[figures.len() / 2], off[end]),
    }
}

/// The name of a precision in files and answers.
pub fn name(precision: FramePrecision) -> &'static str {
    match precision {
        FramePrecision::Stack => "stack",
        FramePrecision::Line => "line",
        FramePrecision::Method => "method",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known lengths, full stacks, a model, one block in 8: the five rows of that kind in the table
    /// have F1 .966, .973, .979, .979, .921 and worst deciles .220, .036, .004, .005, .028.
    #[test]
    fn figures_are_those_of_the_recorded_table() {
        let stack =
            Conditions { precision: FramePrecision::Stack, is_length_known: true, has_model: true };
        let calibration = Calibration::new(stack);
        let quality = calibration.quality(5.0).unwrap();
        assert_eq!((quality.blocks, quality.programs), (8, 5));
        assert_eq!((quality.f1, quality.off), ((0.921, 0.979), (0.028, 0.220)));
        assert_eq!((calibration.limit(), calibration.quality(65.0)), (64, None));
    }

    /// Medians of method-precise stacks without a model: .175 at 8, .236 at 16, .455 at 32.
    #[test]
    fn the_limit_ends_where_probabilities_mislead() {
        let method = Conditions {
            precision: FramePrecision::Method,
            is_length_known: true,
            has_model: false,
        };
        assert_eq!(Calibration::new(method).limit(), 16);
    }
}
