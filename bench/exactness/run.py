#!/usr/bin/env python3
"""Bits and time of each kind of event: cargo xtask bench exactness [RUNS]     (default: 7 of each,
plain and instrumented in turn)

Time is the processor time of the process, less that of a
run with N = 1 (starting the VM), so other load on the machine counts little. Bits are all bytes of
the log's streams, with equally likely tables, less those of a run with N = 1.
"""

import glob
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ART = os.environ["PATHLIGHT_ART"]
PATHLIGHT = os.environ["PATHLIGHT"]
# Kind: N on the interpreter, N under the JIT.
KINDS = {"loop": (3000000, 100000000), "branch": (2000000, 40000000), "leaf": (1000000, 40000000),
         "call": (1000000, 40000000), "polymorphic": (1000000, 10000000),
         "callback": (500000, 5000000), "throw": (200000, 400000), "top": (40000, 100000)}


def cpu(command, jit):
    env = dict(os.environ)
    env.pop("ART_JIT", None)
    if jit:
        env["ART_JIT"] = "1"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                         check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(["javac", "-nowarn", "--release", "8", "-Xlint:-options", "-d", work + "/c",
                        HERE + "/Main.java"], check=True)
        home = os.path.dirname(os.path.dirname(
            os.path.realpath(subprocess.check_output(["which", "javac"], text=True).strip())))
        subprocess.run(["java", "-cp", os.environ["D8_JAR"], "com.android.tools.r8.D8", "--release",
                        "--min-api", "24", "--lib", home, "--output", work,
                        *glob.glob(work + "/c/*.class")], check=True)
        plain, instrumented = work + "/classes.dex", work + "/i.dex"
        subprocess.run([PATHLIGHT, "instrument", "--force", plain, "-o", instrumented, "--map",
                        work + "/map", "--cap", "512"], check=True, capture_output=True)

        def command(dex, kind, n):
            return [ART + "/bin/dalvikvm", "-Dpathlight.dir=" + work + "/log", "-cp", dex, "Main",
                    kind, str(n)]

        def stream(kind, n):
            os.makedirs(work + "/log")
            a, b = cpu(command(plain, kind, n),
                       True)[1], cpu(command(instrumented, kind, n), True)[1]
            if a != b:
                sys.exit("%s: another output" % kind)
            log, = glob.glob(work + "/log/*")
            out = subprocess.run([PATHLIGHT, "train", "--force", "--map", work + "/map", log, "-o",
                                  work + "/m"], check=True, capture_output=True, text=True).stdout
            subprocess.run(["rm", "-r", work + "/log"], check=True)
            return 8 * int(re.search(r"(\d+) bytes of streams", out).group(1))

        print("| kind | bits | interpreter: plain, instrumented, ns | ratio | JIT: plain, "
              "instrumented, ns | ratio |\n|---|---|---|---|---|---|")
        for kind, sizes in KINDS.items():
            n = sizes[0]
            cells = [kind, "%.3f" % ((stream(kind, n) - stream(kind, 1)) / n)]
            for jit, n in zip((False, True), sizes):
                times = {(dex, m): [] for dex in (plain, instrumented) for m in (1, n)}
                for _ in range(runs):
                    for dex, m in times:
                        os.makedirs(work + "/log", exist_ok=True)
                        times[dex, m].append(cpu(command(dex, kind, m), jit)[0])
                        subprocess.run(["rm", "-rf", work + "/log"], check=True)
                ns = [(statistics.median(times[d, n]) - statistics.median(times[d, 1])) / n * 1e9
                      for d in (plain, instrumented)]
                cells += ["%.1f, %.1f" % tuple(ns), "%.2f" % (ns[1] / ns[0])]
            print("| " + " | ".join(cells) + " |", flush=True)


main()
