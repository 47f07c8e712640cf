#!/usr/bin/env python3
"""A build that counts (--profile edges), under ART.

  counting.py [N] [--threads T] [--rounds R]       N: how many kills (default 500), on three VMs in turn

Threads call a method with one branch again and again, and write into a mapped file how many of their calls have begun and ended. After a
SIGKILL the count file may lack calls, and never has one that did not begin; both ways of the branch are published together, so one of
four calls goes one way but for a call a thread. Of 300 threads that end by themselves each call is counted, once the counts are flushed.
"""

import argparse
import glob
import json
import os
import random
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "prebuilt", "counting.dex")
VMS = {"art": ("dalvikvm", {}), "art-jit": ("dalvikvm", {"ART_JIT": "1"}), "art11": ("dalvikvm11", {})}


class Build:
    def __init__(self, work):
        self.work, self.rare = work, None
        self.dex, self.plmap = (os.path.join(work, name) for name in ("counting.dex", "map"))
        subprocess.run([os.environ["PATHLIGHT"], "instrument", PROGRAM, "-o", self.dex, "--map", self.plmap, "--profile", "edges",
                        "--include", "Work"], check=True, capture_output=True)

    def start(self, vm, threads, rounds):
        folder = tempfile.mkdtemp(dir=self.work)
        program, more = VMS[vm]
        beats = os.path.join(folder, "beats")
        command = [os.path.join(os.environ["PATHLIGHT_ART"], "bin", program), "-Dpathlight.dir=" + folder, "-cp", self.dex, "Driver", beats,
                   str(threads), str(rounds)]
        p = subprocess.Popen(command, env=dict(os.environ, **more), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        return p, folder

    def ways(self, folder):
        """The counts of the two ways, the rarer first; and what train says of damage."""
        # A process that was killed before it had a header has counted nothing.
        files = [f for f in glob.glob(folder + "/*.plc") if open(f, "rb").read(4) == b"PLCN"]
        if not files:
            return [0, 0], ""
        model = os.path.join(folder, "model.json")
        train = subprocess.run([os.environ["PATHLIGHT"], "train", "--map", self.plmap, *files, "-o", model], capture_output=True, text=True)
        if train.returncode:
            raise AssertionError("train: %s" % train.stderr)
        with open(model) as f:
            methods = json.load(f)["methods"]
        step = next((m for k, m in methods.items() if "->step(" in k), None)
        if step is None:
            return [0, 0], train.stderr
        (branch,) = step["branches"]
        counts = branch["counts"]
        if self.rare is None:
            # The way that is taken when i & 3 is 0: once in four times.
            self.rare = min(counts, key=counts.get)
        return [counts.get(self.rare, 0), sum(n for way, n in counts.items() if way != self.rare)], train.stderr


def beats(folder):
    with open(os.path.join(folder, "beats"), "rb") as f:
        data = f.read()
    numbers = struct.unpack(">%dq" % (len(data) // 8), data)
    return numbers[::2], numbers[1::2]


def killed(build, vm, rng, threads):
    """Kills a process somewhere in its first second of counting; calls that are lost."""
    p, folder = build.start(vm, threads, 2**31 - 1)
    while not glob.glob(folder + "/*.plc") and p.poll() is None:
        time.sleep(0.001)
    time.sleep(rng.random() ** 3)
    p.send_signal(signal.SIGKILL)
    p.wait()
    begun, ended = beats(folder)
    (rare, often), said = build.ways(folder)
    if rare > sum((n + 3) // 4 for n in begun) or often > sum(n - (n + 3) // 4 for n in begun):
        raise AssertionError("%d and %d calls are counted, %s had begun" % (rare, often, begun))
    # Each thread's calls go 1 : 3, up to the one that breaks a round of four off.
    if not -3 * threads <= often - 3 * rare <= 3 * threads:
        raise AssertionError("%d calls one way, %d the other: half a page" % (rare, often))
    if "damage" in said or "checksum" in said:
        raise AssertionError(said)
    return sum(ended) - rare - often, sum(ended), "being written" in said


def whole(build, vm, threads, rounds):
    """Threads that end by themselves."""
    p, folder = build.start(vm, threads, rounds)
    out, _ = p.communicate()
    if p.returncode:
        raise AssertionError("exit %d" % p.returncode)
    found, said = build.ways(folder)
    wanted = [threads * ((rounds + 3) // 4), threads * (rounds - (rounds + 3) // 4)]
    if found != wanted:
        raise AssertionError("%s instead of %s %s" % (found, wanted, said))
    size = sum(os.path.getsize(f) for f in glob.glob(folder + "/*.plc"))
    return "%d calls, each counted; %d bytes" % (threads * rounds, size)


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask death counting", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", nargs="?", type=int, default=500)
    parser.add_argument("--threads", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=20_001)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    passed = failed = torn = 0
    lost, shares = [], []
    with tempfile.TemporaryDirectory(prefix="counting-") as work:
        build = Build(work)
        for vm in VMS:
            try:
                print("pass %s: %s" % (vm, whole(build, vm, options.threads, options.rounds)))
                passed += 1
            except AssertionError as wrong:
                print("FAIL %s, %d threads: %s" % (vm, options.threads, wrong))
                failed += 1
        for number in range(options.n):
            vm = list(VMS)[number % len(VMS)]
            try:
                calls, all, half = killed(build, vm, rng, 4)
                lost.append(calls)
                shares.append(calls / max(1, all))
                torn += half
                passed += 1
            except AssertionError as wrong:
                print("FAIL kill %d on %s: %s" % (number, vm, wrong))
                failed += 1
    if lost:
        print("kills lose %d calls in the median, %d at most (%.2f %% of those that ended, in the median); %d met a page that was being written"
              % (statistics.median(lost), max(lost), 100 * statistics.median(shares), torn))
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
