#!/usr/bin/env python3
"""Counters of `--profile edges` with and without optimal placement: cargo xtask bench placement

For each workload: a log of the training run; how often the counters on the ways of branches count
in it, and how often those on the chords of spanning trees would (tests/examples/placement.rs). No
build places its counters so: what is compared are hits, not times. Writes
bench/archive/placement.csv.
"""

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess

import build
import measure
import workloads as w

HERE = os.path.dirname(os.path.abspath(__file__))


def placed(tool, plmap, files):
    """What the counters of this log count, on and off."""
    p = subprocess.run([tool, "--json", plmap, *files], stdin=subprocess.DEVNULL,
                       capture_output=True, text=True)
    if p.returncode:
        raise measure.RunError("placement: exit %d: %s" % (p.returncode, p.stderr[-1500:]))
    return json.loads(p.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathlight")
    parser.add_argument("--work", required=True)
    parser.add_argument("--workload", action="append")
    a = parser.parse_args()
    art, tool, scratch = (os.environ["PATHLIGHT_ART"], os.environ["PLACEMENT"],
                          os.path.join(a.work, "scratch-placement"))
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    builder = build.Builder(a.work, a.pathlight)
    rows, shares = (["workload,counters,hits,placed counters,placed hits,hits left,methods with "
                     "counters,methods with fewer hits"], [])
    for work in [x for x in w.ALL if not a.workload or x.name in a.workload]:
        jar, plmap, _ = builder.coded(work, "arith-untrained", "arith")
        run = measure.Run("jit", art, jar, work, work.train, w.SEED, 0, 1, scratch, True)
        found = placed(tool, plmap, run.files)
        run.discard()
        share = found["placed_hits"] / found["hits"] if found["hits"] else 1
        shares.append(share)
        rows.append("%s,%d,%d,%d,%d,%.3f,%d,%d"
                    % (work.name, found["counters"], found["hits"], found["placed_counters"],
                       found["placed_hits"], share, found["methods"], found["better"]))
        print(rows[-1], flush=True)
    # A workload without hits left counts as a thousandth.
    rows.append("geometric mean,–,–,–,–,%.3f,–,–"
                % math.exp(statistics.fmean(math.log(max(s, 0.001)) for s in shares)))
    print(rows[-1])
    if not a.workload:
        with open(os.path.join(HERE, "placement.csv"), "w") as f:
            f.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
