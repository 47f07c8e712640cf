#!/usr/bin/env python3
"""How much of exact paths comes back from samples of them: cargo xtask bench samples

For each workload one build runs with two seeds. The first run trains a model; `pathlight samples
score` thins the other log out and rebuilds it: writes bench/samples.csv. Then models are trained on
samples of the first run, and price the other run's decisions: writes bench/samples_train.csv.
Merged passes of reproducible targets (dense.py) go to bench/dense.csv, and their medians to
bench/dense_median.csv.
`tether` is the recorded sessions of tests/cli/recorded, each held back from the other five.
"""

import argparse
import glob
import json
import os
import shutil

import build
import dense
import measure
import workloads as w

HERE = os.path.dirname(os.path.abspath(__file__))
RECORDED = os.path.join(HERE, "..", "tests", "cli", "recorded")
NAMES = ("tether", "gson", "rhino", "jsoup", "heapsort")
# Where prices come from.
PRICES = ("contexts", "model", "no model")
JITTERS = ("0", "0.25")
COUNTS = ("gaps", "forced", "forced_wrong", "observed_wrong", "unproven_gaps", "surprise_gaps",
          "unknown_gaps")
SHARES = ("f1", "f1_dropped", "same_place", "f1_expected", "same_place_most", "gaps_per_second")
COLUMNS = ("places", "every", "jitter", "beam", "gaps", "f1", "f1_dropped", "same_place", "forced",
           "forced_wrong", "observed_wrong", "miscalibrated", "unproven_gaps", "surprise_gaps",
           "unknown_gaps", "gaps_per_second", "f1_expected", "same_place_most")
TRAINED = ("blocks", "samples", "every", "rounds", "overlap", "decisions", "untrained", "exact",
           "sampled", "ratio")


def shown(value):
    return f"{value:.3f}" if isinstance(value, float) else str(value)


class Runs:
    """Logs of one build: what is held back, and what a model is trained on."""

    def __init__(self, plmap, folds):
        self.plmap, self.folds = plmap, folds


def recorded():
    sessions = [glob.glob(f"{RECORDED}/sessions/{n}/*.plt") for n in range(1, 7)]
    folds = [(held, sum((s for s in sessions if s is not held), [])) for held in sessions]
    return Runs(os.path.join(RECORDED, "app.plmap"), folds)


def run(name, builder, a, scratch):
    work = next(x for x in w.ALL if x.name == name)
    jar, plmap, _ = builder.coded(work, "samples", "arith")
    found = []
    for seed in (w.SEED, w.TRAIN_SEED):
        folder = builder.path(work, builder.binary, f"samples-{seed}")
        if not os.path.isdir(folder):
            ran = measure.Run("int", os.environ["PATHLIGHT_ART"], jar, work, work.interpreter, seed,
                              0, 1, scratch, True)
            shutil.copytree(ran.logs, folder)
            ran.discard()
        found.append(sorted(glob.glob(folder + "/*.plt")))
    return Runs(plmap, [tuple(found)])


def score(pathlight, plmap, logs, *options):
    return json.loads(build.call(pathlight, "samples", "score", "--map", plmap, *logs, "--format",
                                 "json", *options))


def joined(rows):
    """One row of several: counts add up; shares are means, weighed by gaps."""
    sums = {c: sum(r[c] for r in rows) for c in COUNTS}
    mean = {c: sum((r[c] or 0.0) * r["gaps"] for r in rows) / max(sums["gaps"], 1) for c in SHARES}
    # Over the tenths of all rows: a row alone may have few blocks in one.
    tenths = [[sum(r["tenths"][at][i] for r in rows) for i in range(3)] for at in range(10)]
    off = [abs(expected - right) / n for n, expected, right in tenths if n >= 100]
    mean.update({c: "" for c in ("f1_expected", "same_place_most") if rows[0][c] is None})
    return {**rows[0], **sums, **mean, "miscalibrated": max(off, default=0.0)}


def rebuilt(name, runs, a, model, lines):
    for places in a.places.split(","):
        for prices in PRICES:
            for jitter in JITTERS:
                for every in a.every.split(","):
                    rows = []
                    for held, train in runs.folds:
                        more = ["--no-model"]
                        if prices != "no model":
                            measure.train(a.pathlight, runs.plmap, train, model)
                            more = ["--model", model]
                        if prices == "contexts":
                            more += ["--contexts", *train]
                        gaps, beam = ((a.gaps, a.beam) if places == "stack"
                                      else (a.blurred_gaps, a.blurred_beam))
                        more = [*more, "--gaps", gaps, "--beam", beam, "--jitter", jitter,
                                "--places", places, "--every", every]
                        rows += score(a.pathlight, runs.plmap, held, *more)["rows"]
                    row = {**joined(rows), "beam": beam}
                    lines.append(",".join([name, prices, *(shown(row[c]) for c in COLUMNS)]))
                    print(lines[-1], flush=True)


def trained(name, runs, a, lines):
    found = [score(a.pathlight, runs.plmap, held, "--train", *train, "--samples",
                   a.samples)["training"] for held, train in runs.folds]
    for t in found:
        lines.append(",".join([name, *(f"{t[c]:.4f}" if isinstance(t[c], float) else str(t[c])
                                      for c in TRAINED)]))
        print(lines[-1], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathlight")
    parser.add_argument("--work", required=True)
    parser.add_argument("--workload", action="append")
    parser.add_argument("--part", action="append", choices=("rebuild", "train", "dense"))
    parser.add_argument("--every", default="8,16,32,64")
    parser.add_argument("--places", default="stack,line,method")
    parser.add_argument("--gaps", default="512", help="of each log at most")
    parser.add_argument("--blurred-gaps", default="512",
                        help="the same where samples hold lines or methods")
    parser.add_argument("--beam", default="1024", help="ways that are looked at")
    parser.add_argument("--blurred-beam", default="128",
                        help="the same where samples hold lines or methods")
    parser.add_argument("--samples", default="100000")
    parser.add_argument("--targets", type=int, default=2,
                        help="reproducible targets of each log at most")
    a = parser.parse_args()
    scratch = os.path.join(a.work, "scratch-samples")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    builder = build.Builder(a.work, a.pathlight)
    tables = {"rebuild": ["workload,prices," + ",".join(COLUMNS)],
              "train": ["workload," + ",".join(TRAINED)],
              "dense": ["workload," + ",".join(dense.COLUMNS)]}
    for name in a.workload or NAMES:
        runs = recorded() if name == "tether" else run(name, builder, a, scratch)
        if "train" in (a.part or tables):
            trained(name, runs, a, tables["train"])
        if "rebuild" in (a.part or tables):
            rebuilt(name, runs, a, os.path.join(scratch, "model.json"), tables["rebuild"])
        if "dense" in (a.part or tables):
            logs = [held for held, _ in runs.folds]
            dense.dense(name, a.pathlight, runs.plmap, logs, a, scratch, tables["dense"])
    if not a.workload:
        for part, file in (("rebuild", "samples.csv"), ("train", "samples_train.csv"),
                           ("dense", "dense.csv")):
            if part in (a.part or tables):
                with open(os.path.join(HERE, file), "w") as f:
                    f.write("\n".join(tables[part]) + "\n")
        if "dense" in (a.part or tables):
            dense.summary(os.path.join(HERE, "dense.csv"), os.path.join(HERE, "dense_median.csv"))


if __name__ == "__main__":
    main()
