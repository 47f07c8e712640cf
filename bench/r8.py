#!/usr/bin/env python3
"""What releases cost that R8 made: cargo xtask bench r8

Each library and its driver are compiled by D8, and by R8 in full mode with a mapping. Both are
instrumented with a model of a training run with another seed and size. *Predicted* is what
`instrument` expects of a whole log, in bits per 1,000 branches, with a model of the very session
that is then written. *Lines*: the covered source lines of that session in the R8 build, as
`report --lcov` names them with the mapping, among those of the D8 build (R8 removes code); and how
many of them the D8 build has and does not cover. Writes bench/r8.csv.
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
VMS = ("jit14", "nterp14")
HEAD = ("program,compiler,methods,DEX bytes before,DEX bytes after,growth,left,compiled,"
        "interpreted,bits a branch,without a model,predicted,written,lines,others")


def covered(text):
    """(file, line) of each line of an LCOV file: those that ran, and the others."""
    ran, others, source = set(), set(), None
    for line in text.splitlines():
        kind, _, rest = line.partition(":")
        if kind == "SF":
            source = rest
        elif kind == "DA":
            number, count = rest.split(",")[:2]
            (ran if int(count) else others).add((source, int(number)))
    return ran, others


class Program:
    """A workload as one compiler made it."""

    def __init__(self, builder, work, art, scratch):
        self.builder, self.work, self.art, self.scratch = builder, work, art, scratch
        self.ratios = {vm: [] for vm in VMS}

    def session(self, jar, size, seed):
        return Run("int", self.art, jar, self.work, size, seed, 0, 2, self.scratch, True)

    def trained(self, plmap, run, name):
        """(the model of a run, the JSON of `train`)"""
        model = self.builder.path(self.work, self.builder.binary, name + ".model.json")
        return model, measure.train(self.builder.pathlight, plmap, run.files, model)

    def prepare(self):
        b, work = self.builder, self.work
        jar, plmap, _ = b.coded(work, w.UNTRAINED, "arith")
        run = self.session(jar, work.train, w.TRAIN_SEED)
        model, _ = self.trained(plmap, run, "r8-other")
        run.discard()
        run = self.session(jar, work.interpreter, w.SEED)
        own, untrained = self.trained(plmap, run, "r8-own")
        run.discard()

        self.jar, plmap, self.report = b.coded(work, "r8-arith", "arith", model)
        run = self.session(self.jar, work.interpreter, w.SEED)
        self.result = run.result
        _, self.log = self.trained(plmap, run, "r8-unused")
        lcov = os.path.join(self.scratch, "lines.info")
        build.call(b.pathlight, "report", "--map", plmap, *run.files, "--lcov", lcov)
        run.discard()
        with open(lcov) as f:
            self.lines = covered(f.read())

        jar, plmap, self.own_report = b.coded(work, "r8-own", "arith", own)
        run = self.session(jar, work.interpreter, w.SEED)
        _, self.own_log = self.trained(plmap, run, "r8-unused")
        run.discard()
        self.untrained = untrained

    def time(self, vm):
        size, warm, repetitions = self.work.jit, self.work.warm, 4
        if vm in measure.INTERPRETERS:
            size, warm, repetitions = self.work.interpreter, 1, 2
        times = []
        for jar in (self.builder.plain(self.work), self.jar):
            run = Run(vm, self.art, jar, self.work, size, w.SEED, warm, repetitions, self.scratch,
                      bool(times))
            run.discard()
            times.append((run.cpu(), run.result))
        if times[0][1] != times[1][1]:
            sys.exit("%s: result %s" % (self.work.name, times[1][1]))
        self.ratios[vm].append(times[1][0] / times[0][0])

    def row(self, name, reference):
        code = self.report.get("code", self.report)
        dex = code["dex"]
        before = sum(d["bytes_in"] for d in dex)
        after = sum(d["bytes_out"] for d in dex) + sum(self.report["added"])
        bits = [8 * found["bytes"] / found["cost"]["branch"]["decisions"]
                for found in (self.log, self.untrained, self.own_log)]
        lines = "–,–"
        if reference:
            (ran, _), (expected, others) = self.lines, reference
            lines = "%.3f,%d" % (len(ran & expected) / len(expected), len(ran & others))
        return ",".join([
            self.work.name, name, str(sum(d["methods"] for d in dex)), str(before), str(after),
            "%.2f" % (after / before), str(len(code["skipped"])),
            *("%.2f" % statistics.median(self.ratios[vm]) for vm in VMS),
            "%.3f" % bits[0], "%.3f" % bits[1],
            "%.1f" % self.own_report["forecast"]["log_rate"], "%.1f" % (1000 * bits[2]), lines])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathlight")
    parser.add_argument("--work", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workload", action="append")
    a = parser.parse_args()
    art, scratch = os.environ["PATHLIGHT_ART"], os.path.join(a.work, "scratch-r8")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    builders = {"D8": build.Builder(a.work, a.pathlight),
                "R8": build.R8Builder(os.path.join(a.work, "r8"), a.pathlight)}
    rows, programs = [HEAD], []
    for work in [x for x in w.LIBRARIES if not a.workload or x.name in a.workload]:
        pair = {name: Program(b, work, art, scratch) for name, b in builders.items()}
        for program in pair.values():
            program.prepare()
        if len({program.result for program in pair.values()}) > 1:
            sys.exit("%s: R8's program has another result" % work.name)
        for _ in range(a.rounds):
            for vm in VMS:
                for program in pair.values():
                    program.time(vm)
        programs.append(pair)
        rows += [pair["D8"].row("D8", None), pair["R8"].row("R8", pair["D8"].lines)]
        print("\n".join(rows[-2:]), flush=True)
    for name in builders:
        means = [math.exp(statistics.fmean(math.log(statistics.median(pair[name].ratios[vm]))
                                           for pair in programs)) for vm in VMS]
        print("%s: %s" % (name, ", ".join("%s %.2f" % pair for pair in zip(VMS, means))))
    if not a.workload:
        with open(os.path.join(HERE, "r8.csv"), "w") as f:
            f.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
