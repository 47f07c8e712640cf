//! Counts of checks that passed and failed.

use crate::error::{Error, Result};

/// Numbers of checks that passed and failed.
#[derive(Default)]
pub struct Tally {
    passed: usize,
    failed: usize,
}

impl Tally {
    /// Counts a check that holds.
    pub fn pass(&mut self) {
        self.passed += 1;
    }

    /// Counts a check that does not hold, and prints why.
    pub fn fail(&mut self, what: &str) {
        self.failed += 1;
        println!("FAIL {what}");
    }

    /// Counts one check; prints `pass` or `FAIL`, what was checked, and the text.
    pub fn count(&mut self, what: &str, outcome: Result<String, String>) {
        match outcome {
            Ok(text) => {
                self.pass();
                println!("pass {what}: {text}");
            }
            Err(text) => self.fail(&format!("{what}: {text}")),
        }
    }

    /// The last line, `N passed, N failed`. Fails when a check failed and when there was none.
    pub fn finish(self) -> Result<()> {
        println!("{} passed, {} failed", self.passed, self.failed);
        match self {
            Tally { failed: 0, passed: 1.. } => Ok(()),
            Tally { failed: 0, .. } => Err(Error::Wrong("nothing was checked".into())),
            Tally { failed: 1, .. } => Err(Error::Wrong("a check failed".into())),
            Tally { failed, .. } => Err(Error::Wrong(format!("{failed} checks failed"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_checked_is_a_failure() {
        assert!(Tally::default().finish().is_err());
    }

    #[test]
    fn one_failure_among_passes_is_a_failure() {
        let mut tally = Tally::default();
        tally.pass();
        tally.fail("seeded");
        assert!(tally.finish().is_err());
    }
}
