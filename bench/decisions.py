#!/usr/bin/env python3
"""Choices of the generated code on ART 14 and ART 10: cargo xtask bench decisions

Each workload is instrumented with the model of a training run: once as `instrument` does by
default, and once for each choice below. All run one after the other in each round; processor time ÷
that of the default within the round, medians over the rounds, geometric means over kernels and
over libraries.
Growth: bytes of the DEX files ÷ those of the default. Writes bench/decisions.csv.
"""

import argparse
import math
import os
import shutil
import statistics
import sys

import build
import measure
import workloads as w
from measure import Run

HERE = os.path.dirname(os.path.abspath(__file__))
VMS = {"jit14": "JIT of ART 14", "aot14": "ART 14 ahead of time", "nterp14": "nterp of ART 14",
       "jit": "JIT of ART 10", "int": "interpreter of ART 10"}
CHOICES = [
    ("default", []),
    ("no inlining (`--inline never`)", ["--inline", "never"]),
    ("all that can be inlined (`--inline all`)", ["--inline", "all"]),
    ("no clones (`--clones never`)", ["--clones", "never"]),
    ("all clones (`--clones all`)", ["--clones", "all"]),
    ("no coder in line (`--inline-coder never`)", ["--inline-coder", "never"]),
    ("coder in line everywhere (`--inline-coder all`)", ["--inline-coder", "all"]),
    ("no path register beside arrays (`--x86-safe always`)", ["--x86-safe", "always"]),
]


class Choices:
    """A workload under every choice."""

    def __init__(self, builder, work, art, scratch):
        self.work, self.art, self.scratch = work, art, scratch
        self.ratios = {(vm, name): [] for vm in VMS for name, _ in CHOICES}
        jar, plmap, _ = builder.coded(work, w.UNTRAINED, "arith")
        run = Run("jit", art, jar, work, work.train, w.TRAIN_SEED, 0, 2, scratch, True)
        model = os.path.join(scratch, work.name + ".model.json")
        measure.train(builder.pathlight, plmap, run.files, model)
        run.discard()
        self.jars, self.maps = {}, {}
        for number, (name, options) in enumerate(CHOICES):
            base = os.path.join(scratch, "%s-%d" % (work.name, number))
            self.jars[name], self.maps[name] = base + ".jar", base + ".plmap"
            build.call(builder.pathlight, "instrument", builder.plain(work), "-o", self.jars[name],
                       "--map", self.maps[name], "--model", model, "--cap", measure.CAP_MIB,
                       *options)
            # A log of each: decoded to its end.
            run = Run("jit14", art, self.jars[name], work, work.interpreter, w.SEED, 0, 1, scratch,
                      True)
            measure.train(builder.pathlight, self.maps[name], run.files, base + ".json")
            run.discard()

    def growth(self, name):
        return build.dex_bytes(self.jars[name]) / build.dex_bytes(self.jars["default"])

    def round(self, vm, number):
        size, warm, repetitions = self.work.jit, self.work.warm, 4
        if vm in measure.INTERPRETERS:
            size, warm, repetitions = self.work.interpreter, 1, 2
        names = [name for name, _ in CHOICES]
        turn = number % len(names)
        times, results = {}, set()
        for name in names[turn:] + names[:turn]:
            run = Run(vm, self.art, self.jars[name], self.work, size, w.SEED, warm, repetitions,
                      self.scratch, True)
            times[name] = run.cpu()
            results.add(run.result)
            run.discard()
        if len(results) > 1:
            sys.exit("%s on %s: results %s" % (self.work.name, vm, results))
        for name, time in times.items():
            self.ratios[vm, name].append(time / times["default"])

    def ratio(self, vm, name):
        return statistics.median(self.ratios[vm, name])


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def table(works):
    kernels = {work.name for work in w.KERNELS}
    rows = ["choice," + ",".join(VMS.values()) + ",growth"]
    for name, _ in CHOICES[1:]:
        cells = [name]
        for vm in VMS:
            groups = [[x for x in works if (x.work.name in kernels) == is_kernel]
                      for is_kernel in (True, False)]
            cells.append(" / ".join("%.2f" % mean(x.ratio(vm, name) for x in group)
                                    if group else "–" for group in groups))
        cells.append("%.2f" % mean(x.growth(name) for x in works))
        rows.append(",".join(cells))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathlight")
    parser.add_argument("--work", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workload", action="append")
    a = parser.parse_args()
    art, scratch = os.environ["PATHLIGHT_ART"], os.path.join(a.work, "scratch-decisions")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    builder = build.Builder(a.work, a.pathlight)
    works = []
    for work in [x for x in w.ALL if not a.workload or x.name in a.workload]:
        works.append(Choices(builder, work, art, scratch))
        print(work.name + " ready", flush=True)
    for number in range(a.rounds):
        for vm in VMS:
            for x in works:
                x.round(vm, number)
            print("%s: round %d" % (vm, number + 1), flush=True)
    rows = "\n".join(table(works)) + "\n"
    print(rows, end="")
    shutil.rmtree(scratch)
    if not a.workload:
        with open(os.path.join(HERE, "decisions.csv"), "w") as f:
            f.write(rows)


if __name__ == "__main__":
    main()
