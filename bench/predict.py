#!/usr/bin/env python3
"""Compares what `pathlight instrument` expects of a log with what the log then has.

For each workload: a run under the interpreter's size trains a model; the program is instrumented
with it under each codec; the same run and one with another seed and size are decoded, and their
bits per 1,000 branches printed beside the prediction.
"""

import argparse
import os
import shutil

import build
import measure
import slowdown
import workloads as w
from measure import Run


def rate(found):
    """Bits of the whole stream per 1,000 branches."""
    return "%.1f" % (8000 * found["bytes"] / found["cost"]["branch"]["decisions"])


def main():
    p = argparse.ArgumentParser(prog="cargo xtask bench predict", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("workload", nargs="*", default=[], help="default: six; with --time all")
    p.add_argument("--codec", action="append", default=[])
    p.add_argument("--work", default=os.path.join(
        os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "pathlight", "bench"))
    p.add_argument("--instrument-arg", action="append", default=[],
                   help="one more argument for pathlight instrument (repeatable)")
    p.add_argument("--time", action="store_true",
                   help="compare run times on ART's JIT and its interpreter, not logs")
    p.add_argument("--rounds", type=int, default=3,
                   help="with --time: pairs of processes of each workload and VM (default 3)")
    p.add_argument("--out", help="with --time: write the table to this CSV file")
    a = p.parse_args()
    pathlight, art = os.environ["PATHLIGHT"], os.environ["PATHLIGHT_ART"]
    builder = build.Builder(os.path.abspath(a.work), pathlight)
    scratch = "/dev/shm/pathlight-predict-%d" % os.getpid()
    os.makedirs(scratch)
    if a.time:
        works = [x for x in w.ALL if not a.workload or x.name in a.workload]
        try:
            slowdown.Timing(builder, art, scratch, a.rounds, a.instrument_arg).run(works, a.out)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        return
    a.workload = a.workload or ["heapsort", "search", "phases", "rhino", "gson", "lang"]
    print("| workload | codec | branches | predicted | of it announced | same run | other run | "
          "growth |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    try:
        for work in [x for x in w.ALL if x.name in a.workload]:
            runs = [(work.interpreter, w.SEED), (2 * work.interpreter, w.TRAIN_SEED)]
            jar, plmap, _ = builder.coded(work, w.UNTRAINED, "arith")
            model, unused = (os.path.join(scratch, "model.json"),
                             os.path.join(scratch, "unused.json"))
            run = Run("int", art, jar, work, *runs[0], 0, 2, scratch, True)
            measure.train(pathlight, plmap, run.files, model)
            run.discard()
            for codec in a.codec or ["arith"]:
                out = os.path.join(scratch, codec)
                text = build.call(pathlight, "instrument", "--force", builder.plain(work), "-o",
                                  out + ".jar", "--map", out + ".plmap", "--codec", codec,
                                  "--model", model, "--cap", measure.CAP_MIB, "--json",
                                  *a.instrument_arg)
                f = build.json.loads(text)["forecast"]
                cells = []
                for size, seed in runs:
                    run = Run("int", art, out + ".jar", work, size, seed, 0, 2, scratch, True)
                    found = measure.train(pathlight, out + ".plmap", run.files, unused)
                    run.discard()
                    cells.append(rate(found))
                print("| %s | %s | %d | %.1f | %.1f | %s | %.2f |"
                      % (work.name, codec, f["executed"], f["log_rate"], f["announced_rate"],
                         " | ".join(cells), f["dex_after"] / f["dex_before"]), flush=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
