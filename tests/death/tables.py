#!/usr/bin/env python3
"""Processes of a build with --adapt keep, one after the other and at the same time: each begins
with what earlier ones have learnt.

One `decode` of the folder reads all; each process's part must be what the independent tracer saw of
its session, to the last instruction. Its log names a table that is there. With --measure N: N
sessions of an app, with and without kept tables; the bytes of each log's streams.
"""

import argparse
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

import apps
from apps import App, Broken
from harness import compare
from harness.batch import Batch

SEEDS = ("1", "3", "5", "7")
CODECS = ("arith-adaptive", "arith-adaptive-shift")
# Offsets in a log's header: docs/PROTOCOL.md, section 7.
VERSION, LENGTH = 4, 28 + 44


def named(log):
    """The id of the table that a log names, as hexadecimal digits; None for the map's."""
    with open(log, "rb") as f:
        head = f.read(28 + 45 + 255 + 8)
    if struct.unpack_from(">H", head, VERSION)[0] != 6:
        raise Broken("%s is no log of version 6" % log)
    table = struct.unpack_from(">Q", head, LENGTH + 1 + head[LENGTH])[0]
    return "%016x" % table if table else None


def files(folder, end):
    return sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(end))


def at_once(sessions, vm, folder):
    """Runs these at the same time; {process id: session}."""
    running = [(app, subprocess.Popen(app.command(vm, app.code, "-Dpathlight.dir=" + folder),
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, env=app.environment(vm)))
               for app in sessions]
    pids = {}
    for app, p in running:
        out = p.communicate()[0]
        if p.returncode or out != app.output:
            raise Broken("%s: exit %d, another output" % (app.label, p.returncode))
        pids[p.pid] = app
    return pids


def chain(sessions, vm, codec, work):
    folder = tempfile.mkdtemp(dir=work)
    for app in sessions:
        # Each has the same build id.
        app.instrument("--codec", codec, "--adapt", "keep")
    pids = at_once(sessions[:1], vm, folder)
    pids.update(at_once(sessions[1:3], vm, folder))
    pids.update(at_once(sessions[3:], vm, folder))
    logs = files(folder, ".plt")
    tables = {pid: named(next(log for log in logs if "-%d-" % pid in log)) for pid in pids}
    if [t for t in tables.values() if not t] != [None]:
        raise Broken("the first process alone begins with the map's table: %s" % tables)
    for table in tables.values():
        if table and not any(table in name for name in files(folder, ".plk")):
            raise Broken("no table %s" % table)
    paths, complaint = apps.product("decode", "--map", sessions[0].map, "--format", "json", *logs)
    if complaint:
        raise Broken("decode: " + complaint)
    parts = {pid: os.path.join(folder, "paths-%d" % pid) for pid in pids}
    outs = {pid: open(name, "wb") for pid, name in parts.items()}
    for line in paths.splitlines(True):
        outs[json.loads(line)["p"]].write(line)
    for f in outs.values():
        f.close()
    counts = [compare.compare(app.table, app.trace, compare.read_paths(parts[pid]),
                              strict=False).instructions for pid, app in pids.items()]
    return "%d processes, %s instructions, %d tables" % (len(counts), counts,
                                                         len(files(folder, ".plk")))


def measure(name, steps, count, work):
    """Bytes of the streams of sessions that follow each other, of builds without a model."""
    app = App(name, work, "1", steps)
    for codec in CODECS:
        rows = {}
        for adapt in ("process", "keep"):
            app.instrument("--codec", codec, "--adapt", adapt)
            folder = tempfile.mkdtemp(dir=work)
            rows[adapt] = []
            for seed in range(1, count + 1):
                app.seed = str(seed)
                before = set(files(folder, ".plt"))
                app.run("art", app.code, "-Dpathlight.dir=" + folder)
                log, = set(files(folder, ".plt")) - before
                out, _ = apps.product("train", "--force", "--map", app.map, log, "-o",
                                      os.path.join(folder, "model"), "--json")
                rows[adapt].append(json.loads(out)["bytes"])
            if adapt == "keep":
                tables = [os.path.getsize(name) for name in files(folder, ".plk")]
        print("%s: without %s, sum %d; kept %s, sum %d (÷ %.3f); tables %s"
              % (codec, rows["process"], sum(rows["process"]), rows["keep"], sum(rows["keep"]),
                 sum(rows["keep"]) / sum(rows["process"]), tables), flush=True)


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask death tables", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", type=int, metavar="N")
    parser.add_argument("--app", default="tether", help="for --measure: tether, notes or kernels")
    parser.add_argument("--steps", default="40", help="for --measure: the length of a session")
    a = parser.parse_args()
    work = tempfile.mkdtemp(prefix="tables-")
    if a.measure:
        measure(a.app, a.steps, a.measure, work)
        shutil.rmtree(work, ignore_errors=True)
        return
    batch = Batch()
    passed = failed = 0
    try:
        sessions = [App("tether", work, seed, "40") for seed in SEEDS]
        for app in sessions:
            app.trace_it(batch)
        for vm in ("art", "art11"):
            for codec in CODECS:
                try:
                    print("pass %s, %s: %s" % (vm, codec, chain(sessions, vm, codec, work)),
                          flush=True)
                    passed += 1
                except (Broken, compare.Difference, KeyError) as e:
                    print("FAIL %s, %s: %r" % (vm, codec, e), flush=True)
                    failed += 1
    finally:
        batch.close()
        shutil.rmtree(work, ignore_errors=True)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
