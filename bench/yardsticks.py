"""How BOLT and LLVM carry a profile to changed code, as yardsticks for the matching of models.

Each takes the model of an old build and a model of the new one, of which only names, shapes and
fingerprints are used, and gives the old counts under the new build's branches. Both match within
functions of one name. Counts are not capped, and no flow is inferred afterwards: here each branch
is decided by itself.
"""

import difflib
import json

# Bits of a fingerprint up to which two branches have the same block, without constants, moves and
# casts (model/src/formats/profile/grade.rs), and the grades above it.
BLOCK = 22
GRADES = (64, 48, 34, BLOCK)


def grade(a, b):
    """How many of the grades from BLOCK on two fingerprints share."""
    return sum((a ^ b) & ((1 << bits) - 1) == 0 for bits in GRADES)


def branches(method):
    return [(int(b["id"].split(":")[1], 16), b["alternatives"]) for b in method["branches"]]


def bolt(old, new):
    """BOLT (Ayupov, Panchenko, Pupyrev, "Stale Profile Matching", 2024): a block takes the profile
    of one with the same loose hash, of several that of the one that shares the most of the stricter
    ones and lies nearest."""
    out = []
    for at, (fingerprint, ways) in enumerate(new):
        fits = [(grade(fingerprint, f), -abs(i - at), i) for i, (f, w) in enumerate(old)
                if w == ways and grade(fingerprint, f)]
        out.append(max(fits)[2] if fits else None)
    return out


def llvm(old, new):
    """LLVM (SampleProfileMatcher): anchors that are equal are aligned by the longest common
    subsequence; what lies between two of them is taken in order, the first half counted from the
    anchor before, the second half from the one behind. (There the anchors are calls.)"""
    out = [None] * len(new)
    blocks = difflib.SequenceMatcher(None, old, new, False).get_matching_blocks()
    i = j = 0
    for a, b, n in blocks:
        gap, other = b - j, a - i
        for k in range(gap):
            at = i + k if k < (gap + 1) // 2 else a - (gap - k)
            if i <= at < a and other and old[at][1] == new[j + k][1]:
                out[j + k] = at
        for k in range(n):
            out[b + k] = a + k
        i, j = a + n, b + n
    return out


def translated(matcher, old_path, new_path, out_path):
    """Writes the old model's branch counts under the names and shapes of the new one. Slots and
    callbacks stay as the old model has them."""
    with open(old_path) as f:
        old = json.load(f)
    with open(new_path) as f:
        new = json.load(f)
    methods = {}
    for key, method in new["methods"].items():
        if key not in old["methods"]:
            continue
        known = old["methods"][key]
        if known["shape"] == method["shape"]:
            partners = list(range(len(method["branches"])))
        else:
            partners = matcher(branches(known), branches(method))
        made = []
        for b, partner in zip(method["branches"], partners):
            b = {"id": b["id"], "alternatives": b["alternatives"]}
            if partner is not None:
                b.update({k: v for k, v in known["branches"][partner].items()
                          if k in ("counts", "trips")})
            made.append(b)
        methods[key] = {"shape": method["shape"], "branches": made}
    with open(out_path, "w") as f:
        json.dump({**old, "methods": methods}, f)
