#!/usr/bin/env python3
"""Time and memory of `instrument`: cargo xtask bench memory NAME=APP.apk...

Instruments each app without a model, with codec arith and with codec none, and writes
bench/memory.csv: how much the DEX files grow, processor time (user and system, codec arith), and
the peak of the memory (maximum resident set), also as a multiple of the DEX bytes.
"""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = "app,DEX bytes,growth,growth with none,processor seconds,s per MB,peak MB,× DEX bytes"


def instrument(app, *options):
    """The report, processor seconds, bytes at the peak."""
    with tempfile.TemporaryDirectory() as work:
        out = ["-o", os.path.join(work, "out.apk"), "--map", os.path.join(work, "out.plmap")]
        with open(os.path.join(work, "report.json"), "w+") as report:
            command = [os.environ["PATHLIGHT"], "instrument", app, *out, "--unsigned", "--json",
                       *options]
            child = subprocess.Popen(command, stdout=report)
            _, status, usage = os.wait4(child.pid, 0)
            if status != 0:
                sys.exit(f"{app}: instrument failed")
            report.seek(0)
            return json.load(report), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def growth(report):
    code = report["code"] if "code" in report else report
    before = sum(d["bytes_in"] for d in code["dex"])
    return before, (sum(d["bytes_out"] for d in code["dex"]) + sum(report["added"])) / before


def row(name, app):
    report, seconds, peak = instrument(app)
    before, grown = growth(report)
    _, rebuilt = growth(instrument(app, "--codec", "none")[0])
    rate = seconds / (before / 1e6)
    return (f"{name},{before},{grown:.2f},{rebuilt:.2f},{seconds:.2f},{rate:.2f},{peak / 1e6:.0f},"
            f"{peak / before:.1f}")


def main():
    rows = [HEAD]
    for argument in sys.argv[1:]:
        name, _, app = argument.partition("=")
        if not app:
            sys.exit(f"{argument}: NAME=APP.apk is needed")
        rows.append(row(name, app))
        print(rows[-1], flush=True)
    if len(rows) == 1:
        sys.exit("no apps given: NAME=APP.apk")
    with open(os.path.join(HERE, "memory.csv"), "w") as f:
        f.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
