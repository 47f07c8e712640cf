#!/usr/bin/env python3
"""What the call in `Probes.step` costs beside what it does: cargo xtask bench slow-way

`step` calls when the coder's range gets small, once in a few symbols. A call in a loop, however
rare, keeps ART from moving loads out of it, and of the floats that live across it x86-64 keeps four
in registers. Each workload runs under `arith` with its own model in six forms: as it is; with a
call that makes the range larger and puts no word out; with `step`, `first` and `last` that make it
larger themselves, once with a branch and once without one; with such that never do; and with empty
ones. No form writes what can be read, but the first. Writes
bench/archive/slow_way.csv.
"""

import argparse
import glob
import math
import os
import re
import shutil
import statistics
import zipfile

import build
import measure
import workloads as w
from harness.batch import Batch, api_of

HERE = os.path.dirname(os.path.abspath(__file__))

SCALED = """
    iget-wide v0, p0, STATE->range:J
    const/16 v2, 0x10
    ushr-long/2addr v0, v2
"""
CODED = """
    iget-wide v2, p0, STATE->low:J
    ushr-int/lit8 v4, p1, 0x10
    int-to-long v4, v4
    mul-long/2addr v4, v0
    add-long/2addr v2, v4
    iput-wide v2, p0, STATE->low:J
    int-to-char p1, p1
    int-to-long v2, p1
    mul-long/2addr v0, v2
    iput-wide v0, p0, STATE->range:J
    return-void
"""
STEP = "    .registers 8" + SCALED + CODED
# The range grows by 32 bits where it is small: with a branch; with a shift by 0 or 32, 32 units in
# all, which is what ART inlines. `first` does the same, so it codes more than its own (FIRST).
BRANCH = "    .registers 8" + SCALED + """
    const-wide/16 v2, 0x7fff
    cmp-long v2, v0, v2
    if-gtz v2, :large
    const/16 v2, 0x20
    shl-long/2addr v0, v2
    :large
""" + CODED
SHIFT = "    .registers 8" + SCALED + """
    const-wide/32 v2, 0x8000
    sub-long v2, v0, v2
    const/16 v4, 0x3a
    ushr-long/2addr v2, v4
    long-to-int v2, v2
    and-int/lit8 v2, v2, 0x20
    shl-long/2addr v0, v2
""" + CODED
FIRST = "    .registers 6" + SCALED + """
    int-to-char p1, p1
    int-to-long v2, p1
    mul-long/2addr v0, v2
    iput-wide v0, p0, STATE->range:J
    return-void
"""
# What is left of `Events.step`: a word leaves the interval, and goes nowhere.
NO_WORD = "    .registers 8" + """
    iget-wide v0, p0, STATE->low:J
    const-wide/32 v2, 0x7fffffff
    and-long/2addr v0, v2
    const/16 v2, 0x20
    shl-long/2addr v0, v2
    iput-wide v0, p0, STATE->low:J
    iget-wide v0, p0, STATE->range:J
    shl-long/2addr v0, v2
    iput-wide v0, p0, STATE->range:J
""" + STEP.split("\n", 1)[1]
# `last` does in each form what `step` does: one multiplication more than its own.
FORMS = {
    "no words": {"Events": {"step": NO_WORD}},
    "branch": {"Probes": {"step": BRANCH, "last": BRANCH, "first": BRANCH}},
    "no branch": {"Probes": {"step": SHIFT, "last": SHIFT, "first": SHIFT}},
    "never grows": {"Probes": {"step": STEP, "last": STEP, "first": FIRST}},
    "empty": {"Probes": {name: "    .registers 2\n    return-void\n"
                         for name in ("step", "last", "first")}},
}


def replaced(text, bodies):
    """A class of the runtime with other bodies."""
    for name, body in bodies.items():
        head = re.search(r"\.method (?:public )?static %s\((L\S+;)I\)V\n" % name, text)
        end = text.index(".end method", head.end())
        text = text[:head.end()] + body.replace("STATE", head.group(1)) + text[end:]
    return text


def form(batch, jar, out, classes, folder):
    """The jar with other bodies of methods of the runtime."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with zipfile.ZipFile(jar) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as new:
        for name in old.namelist():
            if not name.endswith(".dex"):
                new.writestr(name, old.read(name))
                continue
            dex, changed, smali = (os.path.join(folder, name), os.path.join(folder, "new-" + name),
                                   os.path.join(folder, name + ".smali"))
            with open(dex, "wb") as f:
                f.write(old.read(name))
            level = api_of(dex)
            batch.run("baksmali", level, dex, smali)
            for cls, bodies in classes.items():
                for path in glob.glob(smali + "/pathlight/*/%s.smali" % cls):
                    with open(path, encoding="utf-8") as f:
                        text = f.read()
                    with open(path, "w", encoding="utf-8") as f:
                        f.write(replaced(text, bodies))
            batch.run("smali", level, changed, smali)
            new.write(changed, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathlight")
    parser.add_argument("--work", required=True)
    parser.add_argument("--workload", action="append")
    parser.add_argument("--rounds", type=int, default=3)
    a = parser.parse_args()
    art, scratch = os.environ["PATHLIGHT_ART"], os.path.join(a.work, "scratch-slow-way")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    builder, batch = build.Builder(a.work, a.pathlight), Batch()
    names = ["arith", *FORMS]
    rows, ratios = ["workload,uninstrumented ms," + ",".join(names)], {name: [] for name in names}
    for work in [x for x in w.ALL if not a.workload or x.name in a.workload]:
        jar, plmap, _ = builder.coded(work, "arith-untrained", "arith")
        model = builder.path(work, builder.binary, "slow-way.json")
        run = measure.Run("jit", art, jar, work, work.train, w.TRAIN_SEED, 0, 2, scratch, True)
        measure.train(a.pathlight, plmap, run.files, model)
        run.discard()
        arith = builder.path(work, builder.binary, "arith-slow-way.jar")
        jars = {"plain": builder.plain(work), "arith": arith}
        # In line, a symbol would keep its call in each form.
        build.call(a.pathlight, "instrument", "--force", jars["plain"], "-o", arith, "--map",
                   arith + ".plmap", "--cap", measure.CAP_MIB, "--codec", "arith", "--model", model,
                   "--steps", "never")
        for name, classes in FORMS.items():
            jars[name] = builder.path(work, builder.binary, name.replace(" ", "-") + ".jar")
            form(batch, jars["arith"], jars[name], classes, os.path.join(scratch, "form"))
        times = {name: [] for name in jars}
        for _ in range(a.rounds):
            for name, jar in jars.items():
                run = measure.Run("jit", art, jar, work, work.jit, w.SEED, work.warm, 9, scratch,
                                  False)
                times[name].append(run.cpu())
                run.discard()
        plain = statistics.median(times["plain"])
        found = [statistics.median(times[name]) / plain for name in names]
        for name, ratio in zip(names, found):
            ratios[name].append(ratio)
        rows.append("%s,%.2f,%s" % (work.name, plain / 1e6, ",".join("%.2f" % f for f in found)))
        print(rows[-1], flush=True)
    rows.append("geometric mean,," + ",".join(
        "%.2f" % math.exp(statistics.fmean(map(math.log, ratios[name]))) for name in names))
    print(rows[-1])
    if not a.workload:
        with open(os.path.join(HERE, "slow_way.csv"), "w") as f:
            f.write("\n".join(rows) + "\n")


main()
