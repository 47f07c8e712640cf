#!/usr/bin/env python3
"""A process that ends itself, by System.exit, Runtime.exit and Runtime.halt: is all that its thread
did in the log?

The program makes forty calls with a decision each, half of them either way, and then one call that
ends it."""

import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "prebuilt", "exits.dex")
CODECS = ["arith", "arith-adaptive", "huffman", "ball-larus"]
# Way, what `quit` decides: the first two comparisons.
WAYS = {"exit": [1, 1], "runtime": [1, 1], "halt": [1]}


def tried(vm, codec, way, work):
    """What is wrong, or None."""
    program = os.environ["PATHLIGHT"]
    dex, plmap, logs, model = (os.path.join(work, name)
                               for name in ("exits.dex", "map", "log", "model"))
    subprocess.run([program, "instrument", "--force", PROGRAM, "-o", dex, "--map", plmap, "--codec",
                    codec], check=True, capture_output=True)
    os.makedirs(logs)
    command = [os.path.join(os.environ["PATHLIGHT_ART"], "bin", vm), "-Dpathlight.dir=" + logs,
               "-cp", dex, "Main", way]
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if (ran.returncode, ran.stdout) != (3, "360\n"):
        return "the program ended with %d and printed %r" % (ran.returncode, ran.stdout)
    train = subprocess.run([program, "train", "--force", "--map", plmap, *glob.glob(logs + "/*"),
                            "-o", model], capture_output=True, text=True)
    if train.returncode:
        return "train: exit %d: %s" % (train.returncode, train.stderr)
    with open(model) as f:
        methods = json.load(f)["methods"]
    counts = {name: [b["counts"] for b in next((m["branches"] for k, m in methods.items() if "->%s("
                                                % name in k), [])] for name in ("step", "quit")}
    steps = [sorted(c.values()) for c in counts["step"]]
    quits = [sum(c.values()) for c in counts["quit"] if sum(c.values())]
    if steps != [[20, 20]] or quits != WAYS[way]:
        return "step %s, quit %s" % (steps, quits)
    return None


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask death exits", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    passed = failed = 0
    for vm in ("dalvikvm", "dalvikvm11", "dalvikvm14"):
        for codec in CODECS:
            for way in WAYS:
                with tempfile.TemporaryDirectory(prefix="exits-") as work:
                    wrong = tried(vm, codec, way, work)
                if wrong:
                    print("FAIL %s, %s, %s: %s" % (vm, codec, way, wrong))
                passed, failed = passed + (not wrong), failed + bool(wrong)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
