#!/usr/bin/env python3
"""Compares the verdicts of dexverify before and after: verify.py DIR CODEC TEST... (files
DIR/TEST.before, .after, .before11, …, .after14)."""

import collections
import os
import re
import sys

# Names android.os.SystemClock, which the ART host does not have: ART verifies the class when it
# runs.
CLOCK = re.compile(r"pathlight\.b[0-9a-f]{16}\.Clock")
STATES = ("OK", "SOFT", "ACCESS", "TYPE", "HARD", "UNLINKED")


def read(path):
    """({class: state other than OK}, {class that failed lock verification}, {state: how many}); the
    counts are None if dexverify did not finish."""
    states, locks, counts = {}, set(), None
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            if m := re.match(r"(SOFT|ACCESS|TYPE|HARD|UNLINKED) (\S+)", line):
                states[m.group(2)] = m.group(1)
            elif m := re.search(r"Class (\S+) failed lock verification", line):
                locks.add(m.group(1))
            elif m := re.match(r"\S+ \{((?:[A-Z]+=\d+(?:, )?)*)\}$", line):
                counts = {k: int(v) for k, v in (p.split("=") for p in m.group(1).split(", ") if p)}
    return states, locks, counts


def differences(before, after, classes):
    """What is not as before, one line each."""
    (s0, l0, c0), (s1, l1, c1) = before, after
    if c0 is None or c1 is None:
        return ["the verifier did not finish %s" % ("before" if c0 is None else "after")]
    found = []
    for c in sorted(set(s0) | set(s1)):
        if CLOCK.fullmatch(c) and s1.get(c) in ("SOFT", "ACCESS"):
            continue
        if s0.get(c, "OK") != s1.get(c, "OK"):
            found.append("%s: %s, was %s" % (c, s1.get(c, "OK"), s0.get(c, "OK")))
    found += ["%s: lost lock verification" % c for c in sorted(l1 - l0)]
    found += ["%s: gained lock verification" % c for c in sorted(l0 - l1)]
    # Counts: a class that is missing would otherwise look like one that is fine.
    runtime = sum(c1.values()) - sum(c0.values())
    # None where there was nothing to instrument.
    if runtime not in (0, classes):
        found.append("%d classes more than before, the runtime has %d" % (runtime, classes))
    return found


def runtime_classes(codec):
    """How many classes of the runtime an app gets: those of runtime/src/pathlight but Protocol, and
    what its codec makes no objects of."""
    here = os.path.dirname(os.path.abspath(__file__))
    sources = os.listdir(os.path.join(here, "..", "..", "runtime", "src", "pathlight"))
    # StartTable is there without its code where no table is kept.
    # Members comes with clones, which need a model or --clones all; Restarts with --ring.
    left_out = {"Protocol.java", "Members.java", "Restarts.java"}
    if not codec.startswith("arith-adaptive"):
        left_out.add("Adapt.java")
    if codec != "counts":
        left_out |= {"CountCells.java", "CountPage.java"}
    if codec != "paths":
        left_out |= {"HitCells.java", "HitPublisher.java", "Hits.java"}
    return len(set(sources) - left_out)


def main():
    out, codec, tests = sys.argv[1], sys.argv[2], sys.argv[3:]
    classes = runtime_classes(codec)
    passed = failed = 0
    for vm, suffix in (("ART 10", ""), ("ART 11", "11"), ("ART 14", "14")):
        totals = collections.Counter()
        locks = [0, 0]
        for t in tests:
            base = os.path.join(out, t)
            if os.path.exists(base + ".none"):
                continue
            if os.path.exists(base + ".broken"):
                found = ["instrument failed"]
            else:
                before, after = read(base + ".before" + suffix), read(base + ".after" + suffix)
                found = differences(before, after, classes)
                for side, (_, l, c) in enumerate((before, after)):
                    locks[side] += len(l)
                    for state, n in (c or {}).items():
                        totals[state, side] += n
            for line in found:
                print("%s, %s: %s" % (t, vm, line))
            passed += not found
            failed += bool(found)
        print("%s: %s; failed lock verification %d → %d"
              % (vm, ", ".join("%s %d → %d" % (s, totals[s, 0], totals[s, 1]) for s in STATES),
                 locks[0], locks[1]))
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


main()
