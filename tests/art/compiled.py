#!/usr/bin/env python3
"""Compares what ART's compiler took before and after: compiled.py DIR LISTED (files
DIR/programs.txt, DIR/N.before, DIR/N.after)."""

import collections
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


def read(path):
    """({method: None, or ART's reason to refuse it}, {class that does not link})."""
    methods, unlinked, announced, counts = {}, set(), None, None
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            kind, _, rest = line.rstrip("\n").partition("\t")
            if kind == "compiled":
                methods[rest] = None
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
    return methods, unlinked


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


def main():
    out, listed = sys.argv[1], read_listed(sys.argv[2])
    with open(os.path.join(out, "programs.txt"), encoding="utf-8") as f:
        programs = [line.rstrip("\n").split("\t")[:2] for line in f]
    passed = failed = 0
    methods, refused = [0, 0], [collections.Counter(), collections.Counter()]
    for number, name in programs:
        base = os.path.join(out, number)
        try:
            if os.path.exists(base + ".broken"):
                raise Broken("instrument failed")
            sides = [read(base + ".before"), read(base + ".after")]
        except Broken as e:
            print("%s: %s" % (name, e))
            failed += 1
            continue
        for side, (found, _) in enumerate(sides):
            methods[side] += len(found)
            refused[side].update(reason_of(why) for why in found.values() if why)
        bad = 0
        for method, what in differences(sides[0][0], sides[1][0]):
            if method in listed:
                print("known %s: %s %s: %s" % (name, method, what, listed[method]))
            else:
                print("%s: %s %s" % (name, method, what))
                bad += 1
        for c in sorted(sides[1][1] - sides[0][1]):
            print("%s: %s no longer links" % (name, c))
            bad += 1
        passed += not bad
        failed += bool(bad)
    print("methods %d → %d" % tuple(methods))
    print("compiled %d → %d" % tuple(methods[s] - sum(refused[s].values()) for s in (0, 1)))
    print("refused %d → %d" % tuple(sum(r.values()) for r in refused))
    for why in sorted(set(refused[0]) | set(refused[1])):
        print("  %s: %d → %d" % (why, refused[0][why], refused[1][why]))
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed or not passed else 0)


main()
