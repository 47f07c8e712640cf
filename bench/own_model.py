#!/usr/bin/env python3
"""A model never makes a log larger: cargo xtask bench own-model

For each workload and codec: one build without a model runs and is decoded into a model; a second
build has that model and runs with the same seed. The decisions must be the same and the second log
no larger than the first. Writes bench/own_model.csv; ends with an error where a log is larger.
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
CODECS = ("arith", "arith-adaptive", "arith-adaptive-shift", "huffman", "ball-larus", "pap",
          "blocks")
# What passes: one run of this check gave 0 bytes where a later one gave 69, of 5.4 MB (jsoup, pap).
SLACK, SHARE = 64, 10_000


def size(builder, art, work, codec, variant, model, scratch):
    """Bytes and decisions of a log, the report of the build, and the model of the run."""
    jar, plmap, report = builder.coded(work, variant, codec, model)
    run = measure.Run("jit", art, jar, work, work.train, w.SEED, 0, 1, scratch, True)
    out = builder.path(work, builder.binary, variant + ".model.json")
    found = measure.train(builder.pathlight, plmap, run.files, out)
    run.discard()
    return found["bytes"], found["cost"]["branch"]["decisions"], report, out


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pathlight")
    parser.add_argument("--work", required=True)
    parser.add_argument("--workload", action="append")
    parser.add_argument("--codec", action="append")
    a = parser.parse_args()
    art, scratch = os.environ["PATHLIGHT_ART"], os.path.join(a.work, "scratch-own")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    builder = build.Builder(a.work, a.pathlight)
    rows, larger, ratios = (
        ["workload,codec,bytes without,bytes with its own model,÷,methods left,simplified"], [], {})
    for work in [x for x in w.ALL if not a.workload or x.name in a.workload]:
        builder.plain(work)
        for codec in a.codec or CODECS:
            first, decisions, _, model = size(builder, art, work, codec, codec + "-without", None,
                                              scratch)
            second, again, report, _ = size(builder, art, work, codec, codec + "-own", model,
                                            scratch)
            forecast = report["forecast"]
            left = sum(1 for c in forecast["beyond_compiling"] if c["left"])
            rows.append(f"{work.name},{codec},{first},{second},{second / first:.3f},{left},"
                        f"{len(forecast['simplified'])}")
            print(rows[-1], flush=True)
            ratios.setdefault(codec, []).append(second / first)
            # Programs with several threads do not decide the same twice: rhino and gson by a few.
            if not left and abs(decisions - again) > decisions // 1000:
                sys.exit(f"{work.name}, {codec}: {decisions} decisions, then {again}")
            if second > first + SLACK + first // SHARE:
                larger.append(rows[-1])
    for codec, all in ratios.items():
        print(f"{codec}: {math.exp(statistics.fmean(map(math.log, all))):.3f}")
    if not a.workload and not a.codec:
        with open(os.path.join(HERE, "own_model.csv"), "w") as f:
            f.write("\n".join(rows) + "\n")
    if larger:
        sys.exit("larger with a model than without:\n" + "\n".join(larger))


if __name__ == "__main__":
    main()
