#!/usr/bin/env python3
"""Compares what ART's compilers took before and after: compiled.py DIR LISTED [LIMITS WHAT CODEC]
(files DIR/programs.txt, DIR/N.before and DIR/N.after of ART 10, DIR/N.before14 and DIR/N.after14).

ART 14's also give the compiler's counters and the bytes of native code (counted: methods that are
there before and after). The counters are of all code, so after it of the runtime too, once a
program: notes of exits took InlinedInvoke from 3.46 to 4.20 times. Of the programs together, the
ratio of each after and before must lie between the bounds that LIMITS (native-code.csv) has for
WHAT and CODEC.
"""

import collections
import csv
import os
import re
import sys


class Broken(Exception):
    """dexcompile's output is not whole, or shows that nothing was looked at."""


def reason_of(text):
    """ART's message without what is particular to one method: what it is counted under."""
    if m := re.match(r"Skip compilation of (huge method|large method with no branch) ", text):
        return m.group(1)
    if text.startswith("Method exceeds compiler"):
        return text.split(": ")[0]
    if m := re.match(r"Not compiled: (Could not infer an array type|Could not decode quickened "
                     r"instruction)", text):
        return m.group(1)
    if text.startswith("Did not compile "):
        return "Did not compile: " + re.sub(r"^.*? because ", "", text)
    return text


class Looked:
    """What a compiler made of a program."""

    def __init__(self):
        self.methods = {}  # None, or ART's reason to refuse it
        self.unlinked = set()
        # ART 14 only: bytes of native code by method, and the compiler's counters.
        self.sizes, self.counters = {}, collections.Counter()


def read(path):
    looked, announced, counts = Looked(), None, None
    methods, unlinked = looked.methods, looked.unlinked
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            kind, _, rest = line.rstrip("\n").partition("\t")
            if kind == "compiled":
                name, _, size = rest.partition("\t")
                methods[name] = None
                looked.sizes[name] = int(size or 0)
            elif kind == "counter":
                name, _, number = rest.partition("\t")
                looked.counters[name] += int(number)
            elif kind == "refused":
                name, _, why = rest.partition("\t")
                methods[name] = why
            elif kind == "unlinked":
                unlinked.add(rest.split("\t")[0])
            elif kind == "announced":
                announced = int(rest)
            elif kind == "done":
                counts = {k: int(v) for k, v in re.findall(r"(\w+)=(\d+)", rest)}
    if counts is None or announced is None:
        raise Broken("dexcompile did not finish")
    compiled = sum(why is None for why in methods.values())
    if compiled != counts.get("compiled", 0) or len(methods) - compiled != counts.get("refused", 0):
        raise Broken("dexcompile reports %s, its lines have %d compiled of %d"
                     % (counts, compiled, len(methods)))
    if not methods:
        raise Broken("no method to look at")
    # Without the compiler's messages no refusal has a reason.
    if announced < compiled or not announced:
        raise Broken("%d methods compiled, but the compiler's log has %d" % (compiled, announced))
    return looked


def read_listed(path):
    """{method: why it may be refused}, two columns with a tab between."""
    listed = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for line in f:
                if line.strip() and not line.startswith("#"):
                    name, _, why = line.rstrip("\n").partition("\t")
                    listed[name] = why
    return listed


# Calls android.os.SystemClock, which the ART host does not have: its verifier leaves the method to
# the interpreter, a device's compiles it.
CLOCK = re.compile(r"long pathlight\.b[0-9a-f]{16}\.Clock\.elapsed\(\)")


def differences(before, after):
    """[(method, what is worse)], one for each method that the compiler no longer takes."""
    found = []
    for name, why in sorted(before.items()):
        if why is None and name not in after:
            found.append((name, "was compiled, is gone"))
        elif why is None and after[name] is not None:
            found.append((name, "was compiled, is refused: " + after[name]))
    new = [(name, why) for name, why in sorted(after.items()) if why and name not in before]
    return found + [(name, "is new and refused: " + why) for name, why in new
                    if not CLOCK.fullmatch(name)]


def compare(out, programs, listed, suffix):
    """Prints what is worse; returns (fine programs, worse ones, counters of each side)."""
    passed = failed = 0
    methods, refused = [0, 0], [collections.Counter(), collections.Counter()]
    counters = [collections.Counter(), collections.Counter()]
    for number, name in programs:
        base = os.path.join(out, number)
        try:
            if os.path.exists(base + ".broken"):
                raise Broken("instrument failed")
            sides = [read(base + side + suffix) for side in (".before", ".after")]
        except Broken as e:
            print("%s: %s" % (name, e))
            failed += 1
            continue
        for side, looked in enumerate(sides):
            methods[side] += len(looked.methods)
            refused[side].update(reason_of(why) for why in looked.methods.values() if why)
            counters[side].update(looked.counters)
            counters[side]["native bytes"] += sum(
                looked.sizes[m] for m in looked.sizes if all(m in s.sizes for s in sides))
        bad = 0
        for method, what in differences(sides[0].methods, sides[1].methods):
            if method in listed:
                print("known %s: %s %s: %s" % (name, method, what, listed[method]))
            else:
                print("%s: %s %s" % (name, method, what))
                bad += 1
        for c in sorted(sides[1].unlinked - sides[0].unlinked):
            print("%s: %s no longer links" % (name, c))
            bad += 1
        passed += not bad
        failed += bool(bad)
    print("methods %d → %d" % tuple(methods))
    print("compiled %d → %d" % tuple(methods[s] - sum(refused[s].values()) for s in (0, 1)))
    print("refused %d → %d" % tuple(sum(r.values()) for r in refused))
    for why in sorted(set(refused[0]) | set(refused[1])):
        print("  %s: %d → %d" % (why, refused[0][why], refused[1][why]))
    return passed, failed, counters


def outside(limits, what, codec, counters):
    """Counters whose ratio lies outside of its bounds, one line each."""
    with open(limits, encoding="utf-8", newline="") as f:
        rows = [r for r in csv.DictReader(f) if r["what"] == what and r["codec"] == codec]
    found = []
    for row in rows:
        name = row["counter"]
        before, after = (side[name] for side in counters)
        ratio = after / before if before else 0.0
        if not float(row["least"]) <= ratio <= float(row["most"]):
            found.append("%s: %d → %d, %.3f times; %s to %s are allowed (%s)"
                         % (name, before, after, ratio, row["least"], row["most"], limits))
    return found


def main():
    out, listed = sys.argv[1], read_listed(sys.argv[2])
    with open(os.path.join(out, "programs.txt"), encoding="utf-8") as f:
        programs = [line.rstrip("\n").split("\t")[:2] for line in f]
    passed = failed = 0
    for vm, suffix in (("ART 10", ""), ("ART 14", "14")):
        print(vm)
        fine, worse, counters = compare(out, programs, listed, suffix)
        passed += fine
        failed += worse
    for name in sorted(set(counters[0]) | set(counters[1])):
        print("  %s: %d → %d" % (name, counters[0][name], counters[1][name]))
    if len(sys.argv) > 3:
        found = outside(*sys.argv[3:6], counters)
        for line in found:
            print(line)
        failed += len(found)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


main()
