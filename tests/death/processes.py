#!/usr/bin/env python3
"""Three processes of one instrumented app run at the same time and write into one folder, or into
one logcat (interleaved line by line).

One `decode` reads all of it; each process's part must be what the independent tracer saw of its
session, to the last instruction.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

import apps
from apps import App, Broken
from harness import compare
from harness.batch import Batch

SEEDS = ("1", "3", "5")


def together(sessions, vm, sink, work):
    folder = tempfile.mkdtemp(dir=work)
    running = []
    for app in sessions:
        app.instrument("--sink", sink)
        log = os.path.join(folder, "logcat-" + app.seed)
        running.append((app, log, subprocess.Popen(
            app.command(vm, app.code, "-Dpathlight.dir=" + folder, "-Dstub.logcat=" + log),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=app.environment(vm))))
    pids = {}
    for app, log, p in running:
        out = p.communicate()[0]
        if p.returncode or out != app.output:
            raise Broken("%s: exit %d, another output" % (app.label, p.returncode))
        pids[p.pid] = app
    files = [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.endswith(".plt")]
    if sink == "logcat":
        rng = random.Random(7)
        queues = [open(log).readlines() for _, log, _ in running]
        mixed = os.path.join(folder, "mixed.txt")
        with open(mixed, "w") as f:
            while any(queues):
                f.write(rng.choice([q for q in queues if q]).pop(0))
        files = [mixed]
    paths, complaint = apps.product("decode", "--map", sessions[0].map, "--format", "json", *files)
    if complaint:
        raise Broken("decode: " + complaint)
    parts = {pid: os.path.join(folder, "paths-%d" % pid) for pid in pids}
    outs = {pid: open(name, "wb") for pid, name in parts.items()}
    for line in paths.splitlines(True):
        outs[json.loads(line)["p"]].write(line)
    for f in outs.values():
        f.close()
    counts = []
    for pid, app in pids.items():
        counts.append(compare.compare(app.table, app.trace, compare.read_paths(parts[pid]),
                                      strict=False).instructions)
    return "%d processes, %s instructions" % (len(counts), counts)


def main():
    work = tempfile.mkdtemp(prefix="processes-")
    batch = Batch()
    passed = failed = 0
    try:
        sessions = [App("tether", work, seed, "40") for seed in SEEDS]
        for app in sessions:
            app.trace_it(batch)
        for vm in ("art", "art-jit", "art11"):
            for sink in ("file", "logcat"):
                try:
                    print("pass %s, %s: %s" % (vm, sink, together(sessions, vm, sink, work)),
                          flush=True)
                    passed += 1
                except (Broken, compare.Difference, KeyError) as e:
                    print("FAIL %s, %s: %r" % (vm, sink, e), flush=True)
                    failed += 1
    finally:
        batch.close()
        shutil.rmtree(work, ignore_errors=True)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
