#!/usr/bin/env python3
"""Several instrumented builds in one process: an app, a feature in the same class path, a plugin in
class loaders of its own (builds/).

Each log is decoded with the map of its build. It must give the methods that the part itself printed
on entry, in that order, and no other: with one runtime for all, one part's ids would land in
another's log. `pathlight.Pathlight.flush()` must reach all builds (mode flush ends the process
right behind it), `off()` too, and also builds whose first probe runs later.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import apps
from apps import HERE, Broken
from harness.vm import launcher

PARTS = ("app", "feature", "plugin")
TIMEOUT = 120


def jar(dex, work):
    """Class files of a dex file, by enjarify."""
    out = os.path.join(work, os.path.basename(dex) + ".jar")
    # Debian's wrapper may pick a Python that lacks the module.
    env = dict(os.environ, PYTHONPATH="/usr/lib/python3/dist-packages")
    p = subprocess.run(["/usr/bin/python3", "-O", "-m", "enjarify.main", dex, "-o", out, "-f"],
                       capture_output=True, text=True, env=env, timeout=TIMEOUT)
    if p.returncode or " 0 classes had errors" not in p.stdout:
        raise Broken("enjarify: " + (p.stdout + p.stderr)[-500:])
    return out


def session(vm, code, mode, logs):
    """Lines that the parts print in a session."""
    plugin = code["plugin"]
    path = code["app"] + ":" + code["feature"]
    start = (["java", "-XX:+UseSerialGC", "-Xss4m"] if vm == "hotspot"
             else [launcher(vm)])
    p = subprocess.run([*start, "-Dpathlight.dir=" + logs, "-cp", path, "Main", mode, plugin],
                       stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
    if p.returncode:
        raise Broken("exit %d: %s" % (p.returncode, p.stderr[-1500:]))
    return p.stdout.splitlines()


def entered(map_file, files):
    """The methods in the logs, as `Main.odd`, in the order in which they were entered."""
    paths, complaint = apps.product("decode", "--map", map_file, "--format", "json", *files)
    if complaint:
        raise Broken("decode: " + complaint)
    found = []
    for line in paths.splitlines():
        event = json.loads(line)
        if event["e"] in ("error", "gap", "late", "doubtful"):
            raise Broken("decode: %s" % line)
        if event["e"] == "enter":
            name = re.match(r"L?(.+?)(?:;->|\.)([\w<>$]+)\(", event["m"]).expand(r"\1.\2")
            found.append((name, event["via"] == "implied"))
    return found


def check(vm, mode, code, maps, builds, work):
    logs = tempfile.mkdtemp(dir=work)
    lines = session(vm, code, mode, logs)
    if "-- off" in lines:
        lines = lines[:lines.index("-- off")]
    printed = {}
    for line in lines:
        if not line.startswith("--"):
            who, method = line.split()
            printed.setdefault(who, []).append(method)
    counts = []
    for part in PARTS:
        # Each copy of a class, by a class loader of its own, has its own log.
        want = sorted(methods for who, methods in printed.items() if who.partition("-")[0] == part)
        files = glob.glob("%s/pathlight-%s-*.plt" % (logs, builds[part][:8]))
        logged = sorted(entered(maps[part], [f]) for f in files)
        found = sorted([name for name, _ in one] for one in logged)
        # Methods without probes: a callback of another build can be reported before one that ran
        # first.
        implied = {name for one in logged for name, alone in one if alone}
        others = lambda all: sorted([name for name in one if name not in implied] for one in all)
        if others(found) != others(want) or sorted(map(sorted, found)) != sorted(map(sorted, want)):
            raise Broken("%s: the log has %s, the program printed %s" % (part, found, want))
        counts.append("%s %s" % (part, " and ".join(str(len(m)) for m in found)))
    return "methods entered: " + ", ".join(counts)


def main():
    work = tempfile.mkdtemp(prefix="builds-")
    passed = failed = 0
    try:
        dex, maps, builds = {}, {}, {}
        for part in PARTS:
            dex[part], maps[part] = (os.path.join(work, part + ".dex"),
                                     os.path.join(work, part + ".plmap"))
            report, _ = apps.product("instrument", "--force",
                                   os.path.join(HERE, "prebuilt", "builds-%s.dex" % part), "-o",
                                   dex[part], "--map", maps[part], "--json")
            builds[part] = json.loads(report)["build"]
        jars = {part: jar(dex[part], work) for part in PARTS}
        for vm in ("hotspot", "art", "art11", "art14"):
            for mode in ("plain", "flush", "off"):
                try:
                    print("pass %s, %s: %s"
                          % (vm, mode, check(vm, mode, jars if vm == "hotspot" else dex, maps,
                                             builds, work)), flush=True)
                    passed += 1
                except (Broken, subprocess.TimeoutExpired) as e:
                    print("FAIL %s, %s: %s" % (vm, mode, e), flush=True)
                    failed += 1
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
