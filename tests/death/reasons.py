#!/usr/bin/env python3
"""A process is killed, and the app started again where Android (stand-ins, runtime/test/stubs)
answers how it ended: does the next process note it beside the log, and do the commands show it?

Without these classes, as before Android 11, nothing is noted."""

import argparse
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from apps import App, Broken, product
from harness.vm import ART

HERE = os.path.dirname(os.path.abspath(__file__))
PLATFORM = os.path.join(HERE, "prebuilt", "platform.dex")
# Reason and status of ApplicationExitInfo; what `decode` prints; what the JSON has.
ENDS = [
    (2, 9, "signal 9", "signaled"),
    (6, 3, "ANR (signal 3)", "anr"),
    (3, 0, "low memory", "low_memory"),
    (5, 11, "native crash (signal 11)", "crash_native"),
    (10, 0, "user request", "user_requested"),
]
SECONDS = 30


def started(app, vm, logs, classes, *properties):
    """A process that goes on for ever."""
    if os.path.exists(app.dir + "/beats"):
        os.unlink(app.dir + "/beats")
    program = {"art": "dalvikvm", "art-jit": "dalvikvm", "art11": "dalvikvm11"}[vm]
    command = [os.path.join(ART, "bin", program), "-Dpathlight.dir=" + logs, *properties, "-cp",
               classes, "Main", app.dir + "/beats", "4", "100000000"]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, env=app.environment(vm))


def wait_for(what, pattern, process):
    """The one file with this name, once it has a byte."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        found = [f for f in glob.glob(pattern) if open(f, "rb").read(4).strip(b"\0")]
        if found:
            return found[0]
        if process.poll() is not None:
            raise Broken("the process ended with %d before there was %s" % (process.returncode,
                                                                           what))
        time.sleep(0.01)
    raise Broken("no %s after %d s" % (what, SECONDS))


def killed(process):
    process.send_signal(signal.SIGKILL)
    process.wait()
    return int(time.time() * 1000)


def noted(app, vm, end):
    reason, status, words, name = end
    with tempfile.TemporaryDirectory(prefix="reasons-") as logs:
        first = started(app, vm, logs, app.code)
        log = wait_for("log", logs + "/*.plt", first)
        time.sleep(0.2)
        at = killed(first)
        pid = int(os.path.basename(log).split("-")[2])
        exits = "-Dstub.exits=%d,%d,%d,%d,100;%d,%d,4,0,100" % (pid, at, reason, status, pid + 1,
                                                              at)
        second = started(app, vm, logs, app.code + ":" + PLATFORM, exits)
        try:
            wait_for("note", logs + "/*.plx", second)
        finally:
            killed(second)
        notes = glob.glob(logs + "/*.plx")
        if len(notes) != 1:
            raise Broken("notes: %s" % notes)
        text, err = product("decode", "--last", "1", "--map", app.map, log)
        line = [l for l in text.decode().splitlines() if l.startswith("ended: ")]
        if len(line) != 1 or not line[0].startswith("ended: %s at " % words) or err:
            raise Broken("decode: %s %s" % (line, err))
        lines, _ = product("decode", "--format", "json", "--last", "1", "--map", app.map, logs)
        found = {p["p"]: p["exit"] for p in map(json.loads, lines.splitlines())
                 if p["e"] == "process"}
        expected = {"reason": name, "code": reason, "at_ms": at, "status": status,
                    "importance": 100}
        if found.pop(pid) != expected or list(found.values()) != [None]:
            raise Broken("decode --format json: %s" % found)
    return line[0]


def nothing_asked(app, vm):
    """Where the class is missing."""
    with tempfile.TemporaryDirectory(prefix="reasons-") as logs:
        first = started(app, vm, logs, app.code)
        log = wait_for("log", logs + "/*.plt", first)
        at = killed(first)
        pid = int(os.path.basename(log).split("-")[2])
        second = started(app, vm, logs, app.code, "-Dstub.exits=%d,%d,2,9,100" % (pid, at))
        time.sleep(2)
        if second.poll() is not None:
            raise Broken("the process ended with %d" % second.returncode)
        killed(second)
        left = sorted(os.path.basename(f) for f in os.listdir(logs))
        if len(left) != 2 or not all(f.endswith(".plt") for f in left):
            raise Broken("files: %s" % left)
    return "nothing noted"


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask death reasons", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vm", action="append", choices=["art", "art-jit", "art11"])
    a = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="death-") as work:
        app = App("pulse", work, steps="1")
        app.instrument()
        for vm in a.vm or ["art", "art-jit", "art11"]:
            cases = [("%s, reason %d" % (vm, end[0]), noted, end) for end in ENDS]
            for label, case, *arguments in cases + [(vm + ", no class", nothing_asked)]:
                try:
                    print("pass %s: %s" % (label, case(app, vm, *arguments)), flush=True)
                    passed += 1
                except (Broken, OSError, ValueError, KeyError) as e:
                    print("FAIL %s: %s" % (label, e), flush=True)
                    failed += 1
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
