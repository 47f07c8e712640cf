#!/usr/bin/env python3
"""Binaries beside each other: cargo xtask bench steps NAME=PATHLIGHT...

Each binary trains a model on the training run, instruments each workload with it (codec arith), and
all run one after the other, in several rounds; the median of the ratios to the uninstrumented
program counts. Writes bench/steps.csv: time on ART's JIT and interpreter (geometric mean of the
workloads, worst one, and the median of the ratios to the binary before), bytes of the logs and
growth of the DEX files.
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

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = "step,JIT,worst,÷ before,interpreter,worst,÷ before,log bytes,÷ before,DEX growth"
VMS = {"jit": 0, "int": 1}


class Step:
    """One binary with what it makes of each workload."""

    def __init__(self, name, binary, work):
        self.name, self.builder, self.jars, self.bytes, self.growth = (
            name, build.Builder(work, binary), {}, {}, {})
        self.ratios = {vm: {} for vm in VMS}

    def prepare(self, work, art, scratch):
        b = self.builder
        b.plain(work)
        jar, plmap, _ = b.coded(work, w.UNTRAINED, "arith")
        run = measure.Run("jit", art, jar, work, work.train, w.TRAIN_SEED, 0, 2, scratch, True)
        model = b.path(work, b.binary, "model.json")
        measure.train(b.pathlight, plmap, run.files, model)
        run.discard()
        jar, plmap, _ = b.coded(work, "arith", "arith", model)
        # The same work for all: two repetitions, decoded to their end.
        run = measure.Run("jit", art, jar, work, work.jit, w.SEED, 0, 2, scratch, True)
        self.bytes[work.name] = measure.train(b.pathlight, plmap, run.files,
                                              os.path.join(scratch, "unused.json"))["bytes"]
        run.discard()
        self.jars[work.name] = jar
        self.growth[work.name] = build.dex_bytes(jar) / build.dex_bytes(b.plain(work))


def time(vm, art, jar, work, scratch, coded):
    size, warm, repetitions = (work.interpreter, 1, 3) if vm == "int" else (work.jit, work.warm, 6)
    run = measure.Run(vm, art, jar, work, size, w.SEED, warm, repetitions, scratch, coded)
    run.discard()
    return run.cpu(), run.result


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="+", metavar="NAME=PATHLIGHT")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--workload", action="append")
    parser.add_argument("--work", required=True)
    a = parser.parse_args()
    art, scratch = os.environ["PATHLIGHT_ART"], os.path.join(a.work, "scratch")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    steps = [Step(*argument.split("=", 1), a.work) for argument in a.steps]
    chosen = [x for x in w.ALL if not a.workload or x.name in a.workload]
    for work in chosen:
        for step in steps:
            step.prepare(work, art, scratch)
        print(f"{work.name} ready", flush=True)
    for number in range(a.rounds):
        for work in chosen:
            for vm in VMS:
                plain, expected = time(vm, art, steps[0].builder.plain(work), work, scratch, False)
                # Each round begins with another one.
                turn = number % len(steps)
                for step in steps[turn:] + steps[:turn]:
                    cpu, result = time(vm, art, step.jars[work.name], work, scratch, True)
                    if result != expected:
                        sys.exit(f"{work.name}, {step.name}: result {result} instead of {expected}")
                    step.ratios[vm].setdefault(work.name, []).append(cpu / plain)
        print(f"round {number + 1} of {a.rounds}", flush=True)
        save(steps)


def save(steps):
    rows = [HEAD]
    before = None
    for step in steps:
        cells = [step.name]
        for vm in VMS:
            medians = {name: statistics.median(all) for name, all in step.ratios[vm].items()}
            worst = max(medians, key=medians.get)
            cells += [f"{mean(medians.values()):.2f}", f"{medians[worst]:.2f} {worst}"]
            # Within a round, then over the rounds, then over the workloads.
            pairs = [statistics.median(x / y for x, y in zip(all, before.ratios[vm][name]))
                     for name, all in step.ratios[vm].items()] if before else []
            cells.append(f"{mean(pairs):.3f}" if pairs else "–")
        cells.append(str(sum(step.bytes.values())))
        cells.append(f"{mean([n / before.bytes[name] for name, n in step.bytes.items()]):.4f}"
                     if before else "–")
        cells.append(f"{statistics.median(step.growth.values()):.2f}")
        rows.append(",".join(cells))
        before = step
    print("\n".join(rows), flush=True)
    with open(os.path.join(HERE, "steps.csv"), "w") as f:
        f.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
