#!/usr/bin/env python3
"""Random methods whose types depend on a branch after `instance-of`, before and after
`pathlight instrument` in many modes: `cargo xtask truth narrowing`.

No class may be worse for ART 10 or 11 than before. The last line is `N passed, N failed`, in dex
files and modes. PATHLIGHT names the binary. `--selftest` breaks every test by a `nop`: the
verifiers must refuse every class."""

import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import generate_narrowing
from harness.batch import Batch, ToolError
from harness.vm import ART

# Methods in a class, classes in a dex file.
METHODS, CLASSES = 20, 40
TIMEOUT = 600
STATES = ["OK", "SOFT", "ACCESS", "HARD", "UNLINKED"]
MODES = {
    "arith": [],
    "x86-safe": ["--x86-safe", "always"],
    "steps-never": ["--model", "MODEL", "--steps", "never"],
    "model": ["--model", "MODEL", "--inline", "all"],
    "inline": ["--inline", "all"],
    "edges": ["--profile", "edges"],
    "paths": ["--profile", "paths", "--select", "SELECT"],
    "pap": ["--codec", "pap"],
    "huffman": ["--codec", "huffman", "--inline", "all"],
    "blocks": ["--codec", "blocks"],
}


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


def states(dex, suffix):
    """{class: what the verifier finds}, of classes that are not fine; and how many there are."""
    lines = tool(os.path.join(ART, "bin", "dexverify" + suffix), dex,
                 may_fail=True).splitlines()
    if not lines or not lines[-1].startswith(dex + " {"):
        raise Failed("dexverify%s did not finish" % suffix)
    count = sum(int(n) for n in re.findall(r"=(\d+)", lines[-1].split("{", 1)[1]))
    found = [l.split(" ", 2) for l in lines if re.match("(SOFT|ACCESS|HARD|UNLINKED) ", l)]
    # Only the program's own classes: the runtime names some that the ART host does not have.
    return {l[1]: l for l in found if not l[1].startswith("pathlight.")}, count


def compared(before, after):
    """Classes that are worse than before, one line each."""
    worse = [line for name, line in sorted(after.items())
             if STATES.index(line[0]) > STATES.index(before[name][0] if name in before else "OK")]
    return [" ".join(line)[:300] for line in worse]


def trained(plain, folder):
    """A model of the program's own run, and paths to select."""
    pathlight, logs = os.environ["PATHLIGHT"], folder + "/logs"
    os.makedirs(logs)
    woven, plmap = folder + "/logged.dex", folder + "/logged.plmap"
    tool(pathlight, "instrument", plain, "-o", woven, "--map", plmap)
    vm = os.path.join(ART, "bin", "dalvikvm11")
    before = tool(vm, "-cp", plain, "Main")
    after = tool(vm, "-Dpathlight.dir=" + logs, "-cp", woven, "Main")
    found = [] if before == after else ["the instrumented program prints something else"]
    files = sorted(glob.glob(logs + "/*"))
    model, select = folder + "/model.plm", folder + "/paths.txt"
    tool(pathlight, "train", "--map", plmap, *files, "-o", model)
    tool(pathlight, "select", "--map", plmap, *files, "-o", select)
    return found, {"MODEL": model, "SELECT": select}


def one(batch, seeds, folder, modes):
    """Compares one dex file in all modes; yields each mode's name and differences."""
    generate_narrowing.write(folder + "/smali", seeds, METHODS)
    plain = folder + "/plain.dex"
    batch.run("smali", 24, plain, folder + "/smali")
    before = {suffix: states(plain, suffix) for suffix in ("", "11")}
    for suffix, (bad, _) in before.items():
        if bad:
            raise Failed("the generator writes what ART refuses: " + " ".join(bad.popitem()[1]))
    found, files = trained(plain, folder)
    yield "output", found
    for mode in modes:
        woven = "%s/%s.dex" % (folder, mode)
        arguments = [files.get(a, a) for a in MODES[mode]]
        report = json.loads(tool(os.environ["PATHLIGHT"], "instrument", plain, "-o", woven, "--map",
                                 woven + ".plmap", "--json", *arguments))
        # The check of the product must not hide what it mends.
        found = ["left as it was: %(method)s: %(reason)s" % s for s in report["skipped"]
                 if "verifier" in s["reason"]]
        found += ["not inlined: %s" % m for m in report["uninlined"]]
        for suffix, (bad, count) in before.items():
            after, all_after = states(woven, suffix)
            found += compared(bad, after)
            if all_after < count:
                found.append("%d classes, were %d" % (all_after, count))
        yield mode, found


def selftest(batch):
    """Broken methods, one in each class."""
    folder = tempfile.mkdtemp(prefix="narrowing-")
    classes = 60
    generate_narrowing.write(folder + "/smali", range(1, classes + 1), 1, broken=True)
    dex = folder + "/broken.dex"
    batch.run("smali", 24, dex, folder + "/smali")
    failed = 0
    for suffix in ("", "11"):
        bad = states(dex, suffix)[0]
        missed = [n for n in range(1, classes + 1) if "G%d" % n not in bad]
        failed += len(missed)
        for n in missed:
            print("FAIL ART %s takes class G%d" % (suffix or "10", n))
    shutil.rmtree(folder, ignore_errors=True)
    return 2 * classes - failed, failed


def main():
    parser = argparse.ArgumentParser(prog="cargo xtask truth narrowing", description=__doc__)
    parser.add_argument("methods", type=int, nargs="?", default=800, help="number of methods")
    parser.add_argument("--seed", type=int, default=1, help="number of the first class")
    parser.add_argument("--mode", action="append", choices=sorted(MODES), help="repeatable; all "
                        "without any")
    parser.add_argument("--keep", help="keep all files in this folder")
    parser.add_argument("--selftest", action="store_true", help="only the selftest")
    a = parser.parse_args()
    if not os.environ.get("PATHLIGHT"):
        sys.exit("PATHLIGHT must name the binary")
    if not os.path.exists(os.path.join(ART, "bin", "dexverify")):
        sys.exit("no ART host at %s: `cargo xtask art setup` builds it" % ART)
    batch = Batch()
    start = time.time()
    passed, failed = selftest(batch)
    classes = 0 if a.selftest else -(-a.methods // METHODS)
    for first in range(a.seed, a.seed + classes, CLASSES):
        seeds = range(first, min(first + CLASSES, a.seed + classes))
        folder = os.path.join(a.keep, str(first)) if a.keep else tempfile.mkdtemp(prefix="narrow-")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        try:
            for mode, found in one(batch, seeds, folder, a.mode or list(MODES)):
                for line in found:
                    print("FAIL classes %d-%d, %s: %s" % (seeds[0], seeds[-1], mode, line),
                          flush=True)
                passed, failed = passed + (not found), failed + bool(found)
        except (Failed, ToolError, subprocess.TimeoutExpired) as e:
            print("FAIL classes %d-%d: %s" % (seeds[0], seeds[-1], e), flush=True)
            failed += 1
        if not a.keep:
            shutil.rmtree(folder, ignore_errors=True)
    batch.close()
    print("%d methods of %d classes (%.0f s)" % (classes * METHODS, classes, time.time() - start))
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
