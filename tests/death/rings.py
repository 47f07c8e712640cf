#!/usr/bin/env python3
"""A thread that is one endless callback, in a ring that it fills several times over, and then
SIGKILL: does the newest part decode, and is it what ran?

What ran is computed here: the program's decisions are those of a generator. The end of the path
must be the end of that sequence, up to what a kill may take; and nearly all of the ring must
decode."""

import argparse
import glob
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "prebuilt", "rings.dex")
ROUNDS = 300000
# Where the loop is, and the line at its head; where readers begin.
LOOPS = {"flat": ("Main.run", 86), "deep": ("Main.work", 59)}
# The line of the first case; the others follow.
FIRST = 27
CASES = [("dalvikvm", "flat", "arith"), ("dalvikvm11", "flat", "ball-larus"),
         ("dalvikvm", "deep", "arith-adaptive")]
# Decisions that wait in the coder when the process is killed: 16 ways are 4 bits at most, 12 bytes
# wait.
LOST = 40


def ran():
    """What the thread does: a digit for each step, an x for each exception."""
    out, state = [], 12345
    for _ in range(ROUNDS):
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        # The lowest digit comes first.
        out.append(("%08x" % state)[::-1] + ("x" if state & 63 == 1 else ""))
    return "".join(out)


def killed(vm, case, codec, work):
    program = os.environ["PATHLIGHT"]
    dex, plmap, logs = (os.path.join(work, name) for name in ("rings.dex", "map", "log"))
    subprocess.run([program, "instrument", "--force", PROGRAM, "-o", dex, "--map", plmap, "--codec",
                    codec, "--ring", "--cap", "1"], check=True, capture_output=True)
    os.makedirs(logs)
    command = [os.path.join(os.environ["PATHLIGHT_ART"], "bin", vm), "-Dpathlight.dir=" + logs,
               "-cp", dex, "Main", case, str(ROUNDS)]
    with open(os.path.join(work, "out"), "wb") as out:
        p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                             stderr=subprocess.STDOUT)
        end = time.monotonic() + 120
        while os.path.getsize(out.name) == 0 and p.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        p.send_signal(signal.SIGKILL)
        p.wait()
    with open(out.name) as f:
        printed = f.read()
    if printed != case + "\n":
        raise ValueError("the program printed %r" % printed[-500:])
    return [program, "decode", "--full", "--unfolded", "--map", plmap, *glob.glob(logs + "/*")]


def tried(vm, case, codec, whole, work):
    """What is wrong; or None, and how many steps were decoded."""
    p = subprocess.Popen(killed(vm, case, codec, work), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    first, parts, step = [], [], False
    for line in p.stdout:
        line = line.strip()
        if line.startswith("begins inside"):
            first.append(line)
            parts.append([])
        elif line.startswith("?") or line.startswith("!"):
            return line, 0
        elif parts and step and re.fullmatch(r"(\d\d )?%d" % FIRST, line):
            # All cases end with the last instructions of the first one.
            parts[-1].append("%x" % (int(line[:2]) - FIRST))
        elif parts and "caught at" in line:
            parts[-1].append("x")
        step = line == "Main.step(int)"
    errors = p.stderr.read()
    if p.wait() or errors:
        return "decode: exit %d: %s" % (p.returncode, errors[-500:]), 0
    wanted = "begins inside %s, line %d; what ran before was overwritten" % LOOPS[case]
    if first != [wanted]:
        return "the path begins with %r" % first, 0
    tail = "".join(parts[0])
    at = whole.rfind(tail)
    if at < 0:
        return "%d steps are not what ran" % len(tail), len(tail)
    missing = len(whole) - at - len(tail)
    if missing > LOST:
        return "the last %d steps are missing" % missing, len(tail)
    # A step takes 5 to 7 bits with what is decided around it; the ring has 8 million.
    if len(tail) < 1150000:
        return "only %d steps decode" % len(tail), len(tail)
    return None, len(tail)


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask death rings", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    whole, failed = ran(), 0
    for vm, case, codec in CASES:
        with tempfile.TemporaryDirectory(prefix="rings-") as work:
            wrong, steps = tried(vm, case, codec, whole, work)
        print("%-4s %s, %s, %s: %s"
              % ("FAIL" if wrong else "ok", vm, case, codec,
                 wrong or "the last %d of %d steps are what ran" % (steps, len(whole))))
        failed += bool(wrong)
    print("%d passed, %d failed" % (len(CASES) - failed, failed))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
