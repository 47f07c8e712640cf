"""Compares the run time that `pathlight instrument` expects with the one that is measured: `cargo
xtask bench predict --time`."""

import csv
import math
import os
import statistics

import build
import measure
import workloads as w
from measure import Run

COLUMNS = ["workload", "uninstrumented ms", "predicted", "measured", "÷", "interpreter predicted",
           "interpreter measured", "÷ "]


def ranks(values):
    """1 for the least; equal ones share the middle of their ranks."""
    order = sorted(values)
    return [(2 * order.index(v) + order.count(v) + 1) / 2 for v in values]


def correlation(a, b):
    """Spearman's: Pearson's of the ranks."""
    return statistics.correlation(ranks(a), ranks(b))


def factor(predicted, measured):
    """The geometric mean of how far off the predictions are, either way."""
    return math.exp(statistics.mean(abs(math.log(p / m)) for p, m in zip(predicted, measured)))


class Timing:
    """All workloads, each uninstrumented and instrumented with a model of a run with another seed
    and size."""

    def __init__(self, builder, art, scratch, rounds, more):
        self.builder, self.art, self.scratch, self.rounds, self.more = (
            builder, art, scratch, rounds, more)

    def forecast(self, work):
        """The instrumented jar, and what is expected of it."""
        b = self.builder
        jar, plmap, _ = b.coded(work, w.UNTRAINED, "arith")
        model = b.path(work, b.binary, "model.json")
        if not os.path.exists(model):
            run = Run("jit", self.art, jar, work, work.train, w.TRAIN_SEED, 0, 2, self.scratch,
                      True)
            measure.train(b.pathlight, plmap, run.files, model)
            run.discard()
        out = b.path(work, b.binary, "timed")
        text = build.call(b.pathlight, "instrument", "--force", b.plain(work), "-o", out + ".jar",
                          "--map", out + ".plmap", "--model", model, "--cap", measure.CAP_MIB,
                          "--json", *self.more)
        return out + ".jar", build.json.loads(text)["forecast"]["run_time"]

    def ratio(self, work, vm, jar):
        """(ms uninstrumented, instrumented ÷ uninstrumented): medians over the rounds, thread
        processor time."""
        size, warm = (work.jit, work.warm) if vm == "jit" else (work.interpreter, 2)
        plain, ratios = [], []
        for _ in range(self.rounds):
            times = []
            for j, coded in ((self.builder.plain(work), False), (jar, True)):
                run = Run(vm, self.art, j, work, size, w.SEED, warm, 5, self.scratch, coded)
                times.append(run.cpu())
                run.discard()
            plain.append(times[0] / 1e6)
            ratios.append(times[1] / times[0])
        return statistics.median(plain), statistics.median(ratios)

    def run(self, works, out):
        rows, found = [], {"jit": ([], []), "int": ([], [])}
        print("| " + " | ".join(COLUMNS) + " |")
        print("|---" * len(COLUMNS) + "|")
        for work in works:
            jar, expected = self.forecast(work)
            row = [work.name]
            for vm, name in (("jit", "compiled"), ("int", "interpreted")):
                ms, measured = self.ratio(work, vm, jar)
                predicted = expected[name]
                found[vm][0].append(predicted)
                found[vm][1].append(measured)
                row += (["%.2f" % ms] if vm == "jit" else []) + [
                    "%.2f" % predicted, "%.2f" % measured, "%.2f" % (predicted / measured)]
            rows.append(row)
            print("| " + " | ".join(row) + " |", flush=True)
        for vm, (predicted, measured) in found.items():
            if len(works) > 2:
                print("%s: geometric means %.2f predicted, %.2f measured; Spearman %.2f; off by a "
                      "factor of %.2f (geometric mean)"
                      % (vm, statistics.geometric_mean(predicted),
                         statistics.geometric_mean(measured), correlation(predicted, measured),
                         factor(predicted, measured)))
        if out:
            with open(out, "w", newline="") as f:
                csv.writer(f, lineterminator="\n").writerows([COLUMNS, *rows])
