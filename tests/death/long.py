#!/usr/bin/env python3
"""One callback of N iterations (default 100,000,000): is every decision there, and does decoding
stay small?

The program counts for itself how often each way was taken; the decoded path must give the same
numbers, each at its branch.
"""

import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "prebuilt", "long.dex")


def vm(dex, n, *properties):
    """What the program prints under ART 10's JIT."""
    command = [os.path.join(os.environ["PATHLIGHT_ART"], "bin", "dalvikvm"), *properties, "-cp",
               dex, "Main", str(n)]
    return subprocess.run(command, env=dict(os.environ, ART_JIT="1"), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True, check=True).stdout


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask death long", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", nargs="?", type=int, default=100_000_000)
    n = parser.parse_args().n
    program = os.environ["PATHLIGHT"]
    with tempfile.TemporaryDirectory(prefix="long-") as work:
        dex, plmap, logs, model = (os.path.join(work, name)
                                   for name in ("long.dex", "map", "log", "model"))
        subprocess.run([program, "instrument", "--force", PROGRAM, "-o", dex, "--map", plmap,
                        "--cap", "1000"], check=True, capture_output=True)
        os.makedirs(logs)
        plain, output = vm(PROGRAM, n), vm(dex, n, "-Dpathlight.dir=" + logs)
        if plain != output:
            print("another output: %s instead of %s\n0 passed, 1 failed" % (output, plain))
            sys.exit(1)
        log, = glob.glob(logs + "/*")
        train = subprocess.Popen([program, "train", "--force", "--map", plmap, log, "-o", model],
                                 stdout=subprocess.PIPE, text=True)
        out = train.stdout.read()
        # Of this process alone: the VMs before it took more memory.
        _, status, use = os.wait4(train.pid, 0)
        train.returncode = os.waitstatus_to_exitcode(status)
        if train.returncode:
            sys.exit("train: exit %d" % train.returncode)
        with open(model) as f:
            method = next(v for k, v in json.load(f)["methods"].items() if "->main(" in k)
        size = os.path.getsize(log)
    counts = sorted(sorted(b["counts"].values()) for b in method["branches"])
    ways = [int(x) for x in output.split()]
    wanted = sorted(sorted(x) for x in ([n, 1], ways[:2], ways[2:]))
    print(out, end="")
    print("program: %s; decoded: %s" % (wanted, counts))
    print("decoding: %.1f s of processor time, %.0f MB of memory for a log of %.0f MB"
          % (use.ru_utime + use.ru_stime, use.ru_maxrss / 1024, size / 2**20))
    # The log is read into memory and its payloads are copied once; nothing else may grow with it.
    ok = counts == wanted and use.ru_maxrss * 1024 < 2 * size + (16 << 20)
    print("%d passed, %d failed" % (ok, not ok))
    sys.exit(not ok)


if __name__ == "__main__":
    main()
