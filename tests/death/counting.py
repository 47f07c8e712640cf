#!/usr/bin/env python3
"""Builds that count (--profile edges, --profile paths), under ART.

  counting.py [N] [--threads T] [--rounds R]       N: how many kills (default 500), on three VMs in
      turn

Threads call a method with one branch again and again, and write into a mapped file how many of
their calls have begun and ended. After a SIGKILL the count file may lack calls, and never has one
that did not begin; both ways of the branch are published together, so one of four calls goes one
way but for a call a thread. Of 300 threads that end by themselves each call is counted, once the
counts are flushed. A hit file of the method's two paths has each call that had ended when the
process was killed, nothing has to be flushed, and each thread has its own counts. With --hits
published it may lack calls, and never has one that did not begin.
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
VMS = {"art": ("dalvikvm", {}), "art-jit": ("dalvikvm", {"ART_JIT": "1"}),
       "art11": ("dalvikvm11", {})}


class Build:
    def __init__(self, work):
        self.work, self.rare = work, None
        self.dex, self.plmap = (os.path.join(work, name) for name in ("counting.dex", "map"))
        subprocess.run([os.environ["PATHLIGHT"], "instrument", "--force", PROGRAM, "-o", self.dex,
                        "--map", self.plmap, "--profile", "edges", "--include", "Work"], check=True,
                       capture_output=True)

    def start(self, vm, threads, rounds, *more_arguments):
        folder = tempfile.mkdtemp(dir=self.work)
        program, more = VMS[vm]
        beats = os.path.join(folder, "beats")
        command = [os.path.join(os.environ["PATHLIGHT_ART"], "bin", program),
                   "-Dpathlight.dir=" + folder, "-cp", self.dex, "Driver", beats, str(threads),
                   str(rounds), *more_arguments]
        p = subprocess.Popen(command, env=dict(os.environ, **more), stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, text=True)
        return p, folder

    def ways(self, folder):
        """The counts of the two ways, the rarer first; and what train reports of damage."""
        files = glob.glob(folder + "/*.plc")
        if not files:
            return [0, 0], ""
        model = os.path.join(folder, "model.json")
        train = subprocess.run([os.environ["PATHLIGHT"], "train", "--force", "--map", self.plmap,
                                *files, "-o", model], capture_output=True, text=True)
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
        return ([counts.get(self.rare, 0), sum(n for way, n in counts.items() if way != self.rare)],
                train.stderr)


class Paths(Build):
    """The two whole paths of the method, chosen by `select` from a log."""

    def __init__(self, work):
        self.work = work
        full, plmap, logs = (os.path.join(work, name)
                             for name in ("full.dex", "full.plmap", "full"))
        pathlight = os.environ["PATHLIGHT"]
        run = lambda *args: subprocess.run([pathlight, *args], check=True, capture_output=True)
        run("instrument", "--force", PROGRAM, "-o", full, "--map", plmap, "--include", "Work")
        os.mkdir(logs)
        beats = os.path.join(work, "first")
        subprocess.run([os.path.join(os.environ["PATHLIGHT_ART"], "bin", "dalvikvm"),
                        "-Dpathlight.dir=" + logs, "-cp", full, "Driver", beats, "1", "8"],
                       check=True, capture_output=True)
        self.chosen = os.path.join(work, "paths.json")
        run("select", "--map", plmap, *glob.glob(logs + "/*"), "-o", self.chosen)
        self.dex, self.plmap = (os.path.join(work, name) for name in ("paths.dex", "paths.plmap"))
        run("instrument", "--force", PROGRAM, "-o", self.dex, "--map", self.plmap, "--profile",
            "paths", "--select", self.chosen, "--hits", self.HITS)
        with open(self.chosen) as f:
            paths = json.load(f)["paths"]
        if [p["seen"] for p in paths] != [6, 2]:
            raise AssertionError("select: %s" % paths)
        self.often, self.rare = (p["id"] for p in paths)

    HITS = "sure"

    def counted(self, folder):
        files = [f for f in glob.glob(folder + "/*.plh")]
        if not files:
            return None
        p = subprocess.run([os.environ["PATHLIGHT"], "decode", "--map", self.plmap, "--format",
                            "json", *files], capture_output=True, text=True)
        if p.returncode:
            raise AssertionError("decode: %s" % p.stderr)
        counted = json.loads(p.stdout)
        if counted["lost"] or counted["damaged"]:
            raise AssertionError("%d lost, %d damaged" % (counted["lost"], counted["damaged"]))
        return {path["id"]: path for path in counted["paths"]}

    def ways(self, folder):
        counted = self.counted(folder)
        return [counted[self.rare]["count"],
                counted[self.often]["count"]] if counted else [0, 0], ""

    def threads(self, folder, threads):
        """By thread, both paths."""
        counted = self.counted(folder)
        if not counted:
            return [0] * threads
        return [sum(path["threads"].get("counting-%d" % i, 0) for path in counted.values())
                for i in range(threads)]


class Published(Paths):
    """The same, with counts that a thread publishes: a kill loses those since the last time, and
    never adds any."""

    HITS = "published"


def beats(folder):
    with open(os.path.join(folder, "beats"), "rb") as f:
        data = f.read()
    numbers = struct.unpack(">%dq" % (len(data) // 8), data)
    return numbers[::2], numbers[1::2]


def killed(build, vm, rng, threads):
    """Kills a process somewhere in its first second of counting; calls that are lost."""
    p, folder = build.start(vm, threads, 2**31 - 1)
    while not glob.glob(folder + "/*.pl[ch]") and p.poll() is None:
        time.sleep(0.001)
    time.sleep(rng.random() ** 3)
    p.send_signal(signal.SIGKILL)
    p.wait()
    begun, ended = beats(folder)
    (rare, often), remarks = build.ways(folder)
    if rare > sum((n + 3) // 4 for n in begun) or often > sum(n - (n + 3) // 4 for n in begun):
        raise AssertionError("%d and %d calls are counted, %s had begun" % (rare, often, begun))
    # Each thread's calls go 1 : 3, up to the one that breaks a round of four off.
    published = isinstance(build, Published)
    if not published and not -3 * threads <= often - 3 * rare <= 3 * threads:
        raise AssertionError("%d calls one way, %d the other: half a page" % (rare, often))
    if isinstance(build, Paths):
        # The last call may have been counted and not have ended, nothing else.
        for n, (counted, first, last) in enumerate(zip(build.threads(folder, threads), begun,
                                                       ended)):
            if counted > first or (counted < last and not published):
                raise AssertionError("thread %d: %d counted, %d had begun and %d ended"
                                     % (n, counted, first, last))
    if "damage" in remarks or "checksum" in remarks:
        raise AssertionError(remarks)
    return sum(ended) - rare - often, sum(ended), "being written" in remarks


def whole(build, vm, threads, rounds):
    """Threads that end by themselves."""
    p, folder = build.start(vm, threads, rounds)
    out, _ = p.communicate()
    if p.returncode:
        raise AssertionError("exit %d" % p.returncode)
    found, remarks = build.ways(folder)
    wanted = [threads * ((rounds + 3) // 4), threads * (rounds - (rounds + 3) // 4)]
    if found != wanted:
        raise AssertionError("%s instead of %s %s" % (found, wanted, remarks))
    if isinstance(build, Paths):
        alone = build.threads(folder, threads)
        if alone != [rounds] * threads:
            raise AssertionError("counts by thread: %s" % alone[:10])
    size = sum(os.path.getsize(f) for f in glob.glob(folder + "/*.pl[ch]"))
    return "%d calls, each counted; %d bytes" % (threads * rounds, size)


def unflushed(build, vm, threads, rounds):
    """Threads that end by themselves, in a process that ends without a word: what is missing came
    after the last publication."""
    p, folder = build.start(vm, threads, rounds, "quiet")
    p.communicate()
    (rare, often), _ = build.ways(folder)
    missing = threads * rounds - rare - often
    share = 100 * missing / (threads * rounds)
    if missing < 0 or (share > 2 and not isinstance(build, Published)):
        raise AssertionError("%d calls are missing, %.2f %%" % (missing, share))
    return "without a flush %d calls are missing, %.3f %%" % (missing, share)


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask death counting", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", nargs="?", type=int, default=500)
    parser.add_argument("--threads", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=20_001)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    failed = 0
    for kind in (Build, Paths, Published):
        failed += judge(kind, options, rng)
    sys.exit(bool(failed))


def judge(kind, options, rng):
    passed = failed = torn = 0
    lost, shares = [], []
    with tempfile.TemporaryDirectory(prefix="counting-") as work:
        build = kind(work)
        for vm in VMS:
            try:
                print("pass %s: %s" % (vm, whole(build, vm, options.threads, options.rounds)))
                print("pass %s: %s" % (vm, unflushed(build, vm, options.threads, options.rounds)))
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
        print("kills lose %d calls in the median, %d at most (%.2f %% of those that ended, in the "
              "median); %d met a page that was being written"
              % (statistics.median(lost), max(lost), 100 * statistics.median(shares), torn))
    print("%s: %d passed, %d failed" % ({Build: "edges", Paths: "selected paths",
                                         Published: "selected paths, published"}[kind], passed,
                                        failed))
    return failed


if __name__ == "__main__":
    main()
