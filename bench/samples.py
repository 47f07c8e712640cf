#!/usr/bin/env python3
"""How much of exact paths comes back from samples of them: cargo xtask bench samples

For each workload: one run trains a model, the build with that model runs with another seed, and `pathlight samples score`
thins that log out and rebuilds it. Writes bench/samples.csv.
"""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys

import build
import measure
import workloads as w

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ("gson", "rhino", "jsoup", "heapsort")
# Options of each part of the table.
PARTS = (
    ("", []),
    ("no model", ["--no-model"]),
    ("jitter", ["--jitter", "0.25"]),
)
COLUMNS = ("places", "every", "jitter", "gaps", "f1", "f1_dropped", "same_place", "forced", "forced_wrong", "observed_wrong",
           "miscalibrated", "unproven_gaps", "surprise_gaps", "unknown_gaps", "gaps_per_second")


def scored(pathlight, plmap, logs, gaps, options):
    told = build.call(pathlight, "samples", "score", "--map", plmap, *logs, "--gaps", gaps, "--format", "json", "--places", "stack,line,method", *options)
    return json.loads(told)["rows"]


def told(name, plmap, logs, a, rows):
    for part, options in PARTS:
        for row in scored(a.pathlight, plmap, logs, a.gaps, options):
            values = [f"{row[c]:.3f}" if isinstance(row[c], float) else str(row[c]) for c in COLUMNS]
            rows.append(",".join([name, part or "model", *values]))
            print(rows[-1], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathlight")
    parser.add_argument("--work", required=True)
    parser.add_argument("--workload", action="append")
    parser.add_argument("--gaps", default="2000")
    a = parser.parse_args()
    art, scratch = os.environ["PATHLIGHT_ART"], os.path.join(a.work, "scratch-samples")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    builder = build.Builder(a.work, a.pathlight)
    rows = ["workload,prices," + ",".join(COLUMNS)]
    for work in [x for x in w.ALL if x.name in (a.workload or NAMES)]:
        builder.plain(work)
        jar, plmap, _ = builder.coded(work, "samples-train", "arith")
        run = measure.Run("int", art, jar, work, work.interpreter, w.TRAIN_SEED, 0, 1, scratch, True)
        model = builder.path(work, builder.binary, "samples.model.json")
        measure.train(a.pathlight, plmap, run.files, model)
        run.discard()
        jar, plmap, _ = builder.coded(work, "samples-held", "arith", model)
        run = measure.Run("int", art, jar, work, work.interpreter, w.SEED, 0, 1, scratch, True)
        told(work.name, plmap, run.files, a, rows)
        run.discard()
    if not a.workload:
        with open(os.path.join(HERE, "samples.csv"), "w") as f:
            f.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
