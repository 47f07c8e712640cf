#!/usr/bin/env python3
"""Counts against logs: the model that a build's counts give must be the one that its logs give.

Random programs run twice with logs and once with counts. Where two logs already give different
models (threads, finalizers), where a daemon's log lacks its last symbols, and where the stack is
filled, the program proves nothing, and is named. Announced calls are not
counted, so they are left out of the models. No class may be worse for ART's verifier.
"""
import argparse
import glob
import json
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor

import runner
from harness import compare, vm as vm_host
from harness.batch import Batch

PROFILES = ("trace", "edges")


def model(folder, vm, dex, plmap, name, native):
    """What `train` makes of a run, and what the run printed."""
    logs = "%s/%s" % (folder, name)
    os.makedirs(logs)
    got, err = vm_host.run_vm(vm, dex, "-Dpathlight.dir=" + logs, *native)
    files = sorted(glob.glob(logs + "/*"))
    if not files:
        raise vm_host.Failed("%s wrote nothing: %s" % (name, err[-500:]))
    # It fails where a record is refused: its counts are missing then.
    text = vm_host.product("train", "train", "--force", "--map", plmap, "-o", logs + ".json",
                           *files, may_fail=True)
    if not os.path.exists(logs + ".json"):
        raise vm_host.Failed("train: %s" % text[-500:])
    with open(logs + ".json") as f:
        found = json.load(f)
    found.pop("announced", None)
    # These two are of different builds.
    found.pop("builds", None)
    return found, got


def difference(a, b, path=""):
    """The first place at which two models differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        found = (difference(a.get(k), b.get(k), path + "/" + k) for k in sorted(set(a) | set(b)))
        return next((d for d in found if d), None)
    return None if a == b else "%s: %s by logs, %s by counts" % (path, str(a)[:120], str(b)[:120])


def least(a, b):
    """Whether each number of a model is at most that of the other one."""
    if isinstance(a, dict):
        return isinstance(b, dict) and all(least(v, b.get(k)) for k, v in a.items())
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(least, a, b))
    return a <= b if isinstance(a, int) and isinstance(b, int) else a == b


def check(dex, source, sources, folder, vm, arguments):
    native = vm_host.compile_native(source, folder)
    builds, left = {}, set()
    for profile in PROFILES:
        out, plmap = "%s/%s.dex" % (folder, profile), "%s/%s.plmap" % (folder, profile)
        report = vm_host.product(profile, "instrument", "--force", "--json", dex, "-o", out,
                                 "--map", plmap, "--profile", profile, *arguments)
        parts = ":".join([out] + sorted(glob.glob("%s/%s.*.dex" % (folder, profile))))
        builds[profile] = parts, plmap
        left.update(skipped["method"] for skipped in json.loads(report)["skipped"])
    before, after = vm_host.verdicts(dex), vm_host.verdicts(builds["edges"][0])
    worse = [c for c, v in after.items() if before.get(c, "").split(" ")[0] != v.split(" ")[0]]
    if worse:
        raise vm_host.Failed("worse for the verifier: " + "; ".join(sorted(worse)))
    logged, printed = model(folder, vm, *builds["trace"], "logged", native)
    counted, also = model(folder, vm, *builds["edges"], "counted", native)
    # Larger than ART compiles: large switches have a probe on each edge where they are counted.
    for found in (logged, counted):
        for method in left:
            found["methods"].pop(method, None)
    vm_host.must_match("counting", printed, also, "", addresses=False)
    apart = difference(logged, counted)
    if not apart:
        if not logged.get("methods"):
            raise vm_host.Failed("a model of nothing")
        return "pass"
    java = "".join(open(f, encoding="utf-8").read() for f in glob.glob(sources + "/java/*.java"))
    if os.path.exists(source + "/unsure"):
        return "unsteady: records of the log may be refused, at " + apart
    if "setDaemon(true)" in java and least(logged, counted):
        return "unsteady: the log of a thread that never ends lacks its last symbols, at " + apart
    if ("StackOverflowError" in java and os.path.exists(source + "/elastic")
        and compare.lines_of(source + "/elastic")):
        return "unsteady: it fills its stack, and the builds' frames differ in size, at " + apart
    for i in range(3):
        again, _ = model(folder, vm, *builds["trace"], "again-%d" % i, native)
        if difference(logged, again):
            return "unsteady: two logs differ at " + difference(logged, again)
    raise vm_host.Failed(apart)


def one(job):
    """(name, what came of it, whether that is good)"""
    name, vm = job
    try:
        with tempfile.TemporaryDirectory(prefix="counts-") as folder:
            if name.isdigit():
                source, dex = folder, runner.build(batch(), int(name), folder)
            else:
                kind, _, rest = name.partition("-")
                source = os.path.join(runner.PREBUILT if kind == "prebuilt" else runner.FIXTURES,
                                      rest)
                dex = source + "/program.dex"
            sources = source
            if name.startswith("prebuilt-"):
                sources = folder + "/generated"
                runner.generate.write(int(rest), sources)
            arguments = []
            if os.path.exists(source + "/instrument-args"):
                with open(source + "/instrument-args") as f:
                    arguments = f.read().split()
            text = check(dex, source, sources, folder, vm, arguments)
        return "%s %s" % (name, vm), text, True
    except Exception as e:
        return "%s %s" % (name, vm), "%s: %s" % (type(e).__name__, str(e)[-1500:]), False


def batch():
    runner.BATCH = runner.BATCH or Batch()
    return runner.BATCH


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask truth counted", description=__doc__)
    parser.add_argument("names", nargs="*", help="numbers or ranges A-B; all prebuilt programs and "
                        "fixtures without any")
    parser.add_argument("--vm", action="append", choices=sorted(vm_host.VMS))
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1)
    a = parser.parse_args()
    names = []
    for name in a.names:
        low, _, high = name.partition("-")
        names += ([str(n) for n in range(int(low), int(high) + 1)] if low.isdigit()
                  and high else [name])
    if not names:
        names = ["prebuilt-" + n for n in runner.prebuilt_seeds()]
        names += ["fixture-" + n for n in sorted(os.listdir(runner.FIXTURES))]
    jobs = [(name, vm) for name in names for vm in a.vm or vm_host.USUAL]
    bad = unsteady = 0
    with ProcessPoolExecutor(a.j) as pool:
        for name, text, good in pool.map(one, jobs):
            bad += not good
            unsteady += text.startswith("unsteady")
            if text != "pass":
                print("%s %s: %s" % ("note" if good else "FAIL", name, text), flush=True)
    print("%d passed, %d unsteady, %d failed" % (len(jobs) - bad - unsteady, unsteady, bad))
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
