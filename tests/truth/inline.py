#!/usr/bin/env python3
"""Runs typed random callers before and after `pathlight instrument --inline all`, and asks ART's
verifiers: `cargo xtask truth inline`.

The last line is `N passed, N failed`, in classes of callers. PATHLIGHT names the binary."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import generate_inline
from harness.batch import Batch, ToolError
from harness.vm import ART, USUAL, VMS

# Callers in a class, classes in a dex file, callees in a class.
CALLERS, CLASSES, CALLEES = 50, 32, 25
TIMEOUT = 300


class Failed(Exception):
    """What went wrong, at which step."""


def tool(*command, env=None, may_fail=False):
    p = subprocess.run(command, env=dict(os.environ, **(env or {})), stdin=subprocess.DEVNULL,
                       capture_output=True, timeout=TIMEOUT)
    out, err = p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")
    if p.returncode and not may_fail:
        raise Failed("%s: exit %d\n%s%s" % (" ".join(command)[:200], p.returncode, out[-1500:],
                                            err[-1500:]))
    return out


def run(vm, dex, *options):
    program, env = VMS[vm]
    # The JIT compiles what has run some hundred times.
    rounds = ["again"] * (60 if vm == "jit" else 0)
    return tool(os.path.join(ART, "bin", program), *options, "-cp", dex, "Main", *rounds,
                env=env).splitlines()


def verified(dex, suffix):
    """What the verifier refuses, one line each."""
    lines = tool(os.path.join(ART, "bin", "dexverify" + suffix), "-q", dex,
                 may_fail=True).splitlines()
    if not lines or not lines[-1].startswith(dex + " {"):
        raise Failed("dexverify%s did not finish" % suffix)
    return [l for l in lines if l.startswith("HARD ")]


def one(batch, seeds, callers, folder, vms, arguments):
    """Compares one dex file; returns what to count and the differences."""
    generate_inline.write(folder + "/smali", seeds, callers, CALLEES)
    plain, woven = folder + "/plain.dex", folder + "/woven.dex"
    batch.run("smali", 24, plain, folder + "/smali")
    found = []
    for suffix in ("", "11"):
        bad = verified(plain, suffix)
        if bad:
            raise Failed("the generator writes what ART refuses: " + bad[0])
    before = {vm: run(vm, plain) for vm in vms}
    if len(before[vms[0]]) < len(seeds) * callers:
        raise Failed("%d lines of %d callers" % (len(before[vms[0]]), len(seeds) * callers))
    report = json.loads(tool(os.environ["PATHLIGHT"], "instrument", "--force", plain, "-o", woven,
                             "--map", folder + "/map.plmap", "--json", *arguments))
    found += ["left as it was: %(method)s: %(reason)s" % s for s in report["skipped"]]
    # The check of the product must not hide what it mends.
    found += ["not inlined: %s" % m for m in report["uninlined"]]
    refused = {}
    for suffix in ("", "11"):
        for line in verified(woven, suffix):
            refused[line.split()[1]] = line
    found += sorted(refused.values())
    for vm in vms:
        logs = "%s/logs-%s" % (folder, vm)
        os.makedirs(logs)
        after = run(vm, woven, "-Dpathlight.dir=" + logs)
        for a, b in zip(before[vm], after):
            # A class that is refused prints its error once, in place of what its callers give: then
            # lines no longer stand beside each other.
            if a != b:
                found.append("%s: %s, was %s" % (vm, b[:300], a))
                break
        else:
            if len(before[vm]) != len(after):
                found.append("%s: %d lines, were %d" % (vm, len(after), len(before[vm])))
    return report["inlined"], found


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask truth inline", description=__doc__)
    parser.add_argument("callers", type=int, nargs="?", default=1600, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="number of the first class")
    parser.add_argument("--per-class", type=int, default=CALLERS,
                        help="callers in a class; 1 isolates what ART refuses")
    parser.add_argument("--vm", action="append", choices=sorted(VMS),
                        help="repeatable; all without any")
    parser.add_argument("--keep", help="keep all files in this folder")
    parser.add_argument("--inline", default="all", choices=["all", "hot", "never"])
    a = parser.parse_args()
    if not os.environ.get("PATHLIGHT"):
        sys.exit("PATHLIGHT must name the binary")
    if not os.path.exists(os.path.join(ART, "bin", "dalvikvm")):
        sys.exit("no ART host at %s: `cargo xtask art setup` builds it" % ART)
    vms = a.vm or USUAL
    batch = Batch()
    passed = failed = inlined = 0
    start = time.time()
    classes = -(-a.callers // a.per_class)
    for first in range(a.seed, a.seed + classes, CLASSES):
        seeds = range(first, min(first + CLASSES, a.seed + classes))
        folder = os.path.join(a.keep, str(first)) if a.keep else tempfile.mkdtemp(prefix="inline-")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        try:
            count, found = one(batch, seeds, a.per_class, folder, vms, ["--inline", a.inline])
            inlined += count
        except (Failed, ToolError, subprocess.TimeoutExpired) as e:
            found = [str(e)]
        for line in found:
            print("FAIL classes %d-%d: %s" % (seeds[0], seeds[-1], line), flush=True)
        passed += len(seeds) if not found else 0
        failed += len(seeds) if found else 0
        if not a.keep:
            shutil.rmtree(folder, ignore_errors=True)
    batch.close()
    print("%d callers of %d classes on %s: %d calls replaced (%.0f s)"
          % (classes * a.per_class, classes, ", ".join(vms), inlined, time.time() - start))
    print("%d passed, %d failed" % (passed, failed))
    # Nothing replaced would be nothing tried.
    sys.exit(1 if failed or not passed or not inlined else 0)


if __name__ == "__main__":
    main()
