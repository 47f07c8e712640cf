"""Counts of checks that passed and failed."""

import sys


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, holds, detail=""):
        """Counts one check."""
        self.passed += bool(holds)
        self.failed += not holds
        print(f"{'pass' if holds else 'FAIL'} {what}{': ' if detail else ''}{detail}", flush=True)

    def equal(self, what, got, wanted):
        """Counts a check that two values are equal."""
        self.check(what, got == wanted, "" if got == wanted else f"{got!r} is not {wanted!r}")

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)
