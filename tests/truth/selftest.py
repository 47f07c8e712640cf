#!/usr/bin/env python3
"""The comparer must accept what a right decoder prints and refuse every seeded error. cargo xtask
truth selftest TABLE TRACE [ROUNDS]"""

import random
import sys

import fake
from harness import compare
from harness.tracer import Table, read_trace


def main():
    table, trace = Table(sys.argv[1]), read_trace(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    right = fake.fake(table, trace)
    c = compare.compare(table, trace, right, strict=True)
    print("right paths: same, %d activations, %d blocks, %d instructions"
          % (c.activations, c.blocks, c.instructions))
    bad = 0
    for kind in fake.KINDS:
        tried = found = 0
        for seed in range(rounds):
            wrong = fake.mutate(right, kind, random.Random(seed))
            if wrong is None:
                continue
            tried += 1
            try:
                compare.compare(table, trace, wrong, strict=True)
                print("NOT FOUND: %s, seed %d" % (kind, seed))
                bad += 1
            except compare.Difference:
                found += 1
        print("%-24s %d of %d found" % (kind, found, tried))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
